/* The headers as programs include them that were written against dora's, and as none should need to. */
#include "operator_types.h"

#include "node_api.h"

#include "node_api.h"

#include "operator_api.h"

#if !defined(dora_send_output) || !defined(DoraEventType_Stop)
#error "dora's header has its names as macros too"
#endif

int use(void *context, void *event);
int use(void *context, void *event) {
    char out[] = "out", level[] = "info";
    const char *data = out;
    char *read;
    size_t size;
    Vec_uint8_t buffer = {NULL, 0, 0};
    enum DoraEventType type = read_dora_event_type(event);
    DoraEventType same_type = read_dora_event_type(event);
    read_dora_input_id(event, &read, &size);
    read_dora_input_data(event, &read, &size);
    return type == DoraEventType_Stop && same_type != DoraEventType_Unknown && buffer.len == size &&
           read_dora_input_timestamp(event) == 0 && dora_send_output(context, out, 3, out, sizeof out) == 0 &&
           dora_send_output(context, data, 3, data, 3) == 0 && dora_log(context, level, 4, out, 3) == 0;
}
