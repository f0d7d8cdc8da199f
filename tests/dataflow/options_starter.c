/*
 * Begins with the driver's options, DORA_TEST_TRIES times if it must, says how each went, and ends when the
 * driver says so.
 */
#define _POSIX_C_SOURCE 200809L
#include "options_settings.h"

int main(void) {
    dora_node_t *node = begin_with_settings();
    for (long tries = setting("DORA_TEST_TRIES", 1); !node && tries > 1; tries--)
        node = begin_with_settings();
    wait_for_driver();
    free_node(node);
    report("end");
    return 0;
}
