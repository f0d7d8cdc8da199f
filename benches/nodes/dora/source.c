/* dora's C interface: sends bytes that it has in memory of its own, which is its only form. */
#include "../bench.h"
#include <node_api.h>

int main(void) {
    void *context = init_dora_context_from_env();
    if (!context)
        bench_fail("no node");
    bench_source_t source = bench_source_begin();
    char *message = (char *)bench_allocate(source.size);
    while (bench_source_next(&source)) {
        bench_source_fill(&source, message, bench_now());
        if (dora_send_output(context, "data", 4, message, source.size) != 0)
            bench_fail("not sent");
    }
    bench_source_end(&source);
    free(message);
    free_dora_context(context);
    return 0;
}
