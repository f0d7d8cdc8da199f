
#ifdef __cplusplus
}
#endif

#endif /* DORA_H */
