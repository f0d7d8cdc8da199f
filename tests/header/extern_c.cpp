// Many C++ programs wrap the headers of C libraries, though this one needs it no longer.
extern "C" {
#include <dora/dora.h>
}

extern dora_status_t (*read_event)(dora_node_t *, int64_t, dora_event_t **);
dora_status_t (*read_event)(dora_node_t *, int64_t, dora_event_t **) = read_dora_event;
