/* The functions have the types of dora's header, without const where it has none: programs have tables of
   them. own_header.py compiles this with dora's own header. */
#include "node_api.h"

struct interface {
    void *(*init)(void);
    void (*free)(void *);
    void *(*next)(void *);
    void (*free_event)(void *);
    enum DoraEventType (*type)(void *);
    void (*id)(void *, char **, size_t *);
    void (*data)(void *, char **, size_t *);
    unsigned long long (*timestamp)(void *);
    int (*send)(void *, const char *, size_t, const char *, size_t);
    int (*log)(void *, const char *, size_t, const char *, size_t);
};

extern const struct interface dora;
const struct interface dora = {
    init_dora_context_from_env, free_dora_context,  dora_next_event,      free_dora_event,
    read_dora_event_type,       read_dora_input_id, read_dora_input_data, read_dora_input_timestamp,
    dora_send_output,           dora_log,
};
