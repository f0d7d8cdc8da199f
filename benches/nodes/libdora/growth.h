/* What grows in the runs that tell how libdora's cost grows: all sizes are in the environment. */
#ifndef BENCH_GROWTH_H
#define BENCH_GROWTH_H

#include "../bench.h"
#include <dora/dora.h>

enum { GROWTH_NAME = 32, GROWTH_CHILD = 16 };

typedef struct {
    /* Outputs of the source, each to an input of the sink. */
    int64_t inputs;
    /* Messages that wait when the sink begins to read; 0: it reads at once. */
    int64_t waiting;
    /* Numbers in the metadata. */
    int64_t keys;
    /* Columns of a struct, in the place of bytes; 0: bytes. */
    int64_t children;
} growth_t;

static inline growth_t growth_settings(void) {
    growth_t growth = {bench_setting("BENCH_INPUTS", 1), bench_setting("BENCH_WAITING", 0),
                       bench_setting("BENCH_KEYS", 0), bench_setting("BENCH_CHILDREN", 0)};
    return growth;
}

static inline void growth_name(char name[GROWTH_NAME], const char *what, int64_t number) {
    snprintf(name, GROWTH_NAME, "%s-%lld", what, (long long)number);
}

static inline void growth_check(dora_status_t status) {
    if (status >= 0)
        return;
    fprintf(stderr, "%s: %s\n", dora_status_name(status), dora_last_error());
    exit(1);
}

#endif
