/* dora's C interface: the plant of a control loop, which answers each setpoint. */
#include <node_api.h>
#include <stdio.h>

int main(void) {
    char output[] = "state";
    void *context = init_dora_context_from_env();
    if (!context)
        return 1;
    for (void *event; (event = dora_next_event(context)) != NULL; free_dora_event(event))
        if (read_dora_event_type(event) == DoraEventType_Input) {
            char *setpoint;
            size_t size;
            read_dora_input_data(event, &setpoint, &size);
            if (dora_send_output(context, output, sizeof output - 1, setpoint, size) != 0)
                fprintf(stderr, "bench: not sent\n");
        }
    free_dora_context(context);
    return 0;
}
