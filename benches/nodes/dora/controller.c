/* dora's C interface: the controller of a control loop. */
#include "../loop.h"
#include <node_api.h>

static bool await_state(void *context, bench_loop_t *loop) {
    bool is_answered = false;
    while (!is_answered) {
        void *event = dora_next_event(context);
        if (!event)
            return false;
        if (read_dora_event_type(event) == DoraEventType_Input) {
            char *state;
            size_t size;
            read_dora_input_data(event, &state, &size);
            is_answered = bench_loop_answered(loop, state, size);
        }
        free_dora_event(event);
    }
    return true;
}

int main(void) {
    char output[] = "setpoint", setpoint[BENCH_LOOP_BYTES];
    void *context = init_dora_context_from_env();
    if (!context)
        bench_fail("no node");
    bench_loop_t loop = bench_loop_begin();
    while (bench_loop_next(&loop, setpoint)) {
        if (dora_send_output(context, output, sizeof output - 1, setpoint, sizeof setpoint) != 0)
            bench_fail("not sent");
        if (!await_state(context, &loop))
            bench_fail("the plant is gone");
    }
    bench_loop_end(&loop);
    free_dora_context(context);
    return 0;
}
