/* Becomes the program that BENCH_PROGRAM names, and leaves it the time in its environment. */
#include "bench.h"

#include <unistd.h>

int main(int argc, char **argv) {
    char now[32];
    char *program = getenv("BENCH_PROGRAM");
    if (argc < 1 || !program)
        bench_fail("BENCH_PROGRAM names no program");
    argv[0] = program;
    snprintf(now, sizeof now, "%lld", (long long)bench_now());
    setenv("BENCH_EXEC_NS", now, 1);
    execv(program, argv);
    bench_fail("BENCH_PROGRAM cannot be started");
    return 1;
}
