add_subdirectory("${CONSUMER_DORA}" dora)
target_link_libraries(ticker PRIVATE dora::dora)
target_link_libraries(listener PRIVATE dora::cxx)
