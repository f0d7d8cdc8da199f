/*
 * Forks while it holds frames and loans in shared memory. Its child does what the driver says:
 *
 *     calls     frees and sends all that the parent holds, then exec
 *     arrow     releases Arrow arrays of frames that the parent has freed otherwise, then exec
 *     exits     exit, with all handlers; many of them, while threads of the parent send
 *
 * Behind the child it reads so many frames that the pool of their sender is gone through, and reports
 * "KIND code CODE", that of the last child, and in the same form what must be 0: counts of held frames that
 * are "damaged", of held loans that are "lent" to another, and of pieces of shared memory that are "deleted",
 * or "unlocked", by which others see that they are left behind.
 */
#define _GNU_SOURCE
#include "frames.h"
#include "resources.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/wait.h>

enum { HELD = 3, ENOUGH = 60, LARGE = 100000, LOANS = 100, MANY = 100 };

static dora_node_t *node;
static struct {
    dora_event_t *frame;
    struct ArrowSchema schema;
    struct ArrowArray array;
    dora_loan_t *loan;
} held[HELD];

static void hold(void) {
    const uint8_t *frame;
    for (int i = 0; i < HELD; i++) {
        held[i].frame = read_frame(node);
        expect_ok("frame", dora_event_uint8(held[i].frame, &frame, NULL));
        report("kib %zu", shared_memory_kib(frame));
        expect_ok("arrow", dora_event_arrow(held[i].frame, &held[i].schema, &held[i].array));
        expect_ok("loan", dora_node_loan(node, "out", DORA_TYPE_UINT8, LARGE, &held[i].loan));
        report("loan %d", (int)dora_loan_memory(held[i].loan));
    }
}

/* ---- The child ---- */

static void expect_refusal(dora_status_t status) {
    if (status != DORA_ERROR_UNSUPPORTED)
        _exit(1);
}

static void call_everything(void) {
    dora_event_t *event;
    expect_refusal(read_dora_event(node, DORA_FOREVER, &event));
    for (int i = 0; i < HELD; i++) {
        dora_loan_t *loan = held[i].loan;
        expect_refusal(dora_node_send_arrow(node, "out", &held[i].schema, &held[i].array, NULL));
        expect_refusal(dora_node_send_loan(node, &loan, NULL));
        dora_loan_free(held[i].loan);
        dora_event_free(held[i].frame);
    }
    dora_node_free(node);
}

static void release_arrays(void) {
    for (int i = 0; i < HELD; i++) {
        held[i].array.release(&held[i].array);
        held[i].schema.release(&held[i].schema);
    }
}

static void be_child(const char *kind) {
    if (strcmp(kind, "exits") == 0)
        exit(0);
    if (strcmp(kind, "calls") == 0)
        call_everything();
    else
        release_arrays();
    execl("/bin/true", "true", (char *)NULL);
    _exit(2);
}

/* ---- The parent ---- */

static void free_frames(void) {
    for (int i = 0; i < HELD; i++) {
        dora_event_free(held[i].frame);
        held[i].frame = NULL;
    }
}

static int count_damaged(void) {
    int count = 0;
    for (int i = 0; i < HELD; i++)
        count += !is_whole((const uint8_t *)held[i].array.buffers[1], (size_t)held[i].array.length);
    return count;
}

static bool overlap(dora_loan_t *one, dora_loan_t *other) {
    uintptr_t a = (uintptr_t)dora_loan_data(one), b = (uintptr_t)dora_loan_data(other);
    return a < b + LARGE && b < a + LARGE;
}

/* Asks for more loans than a pool of 8 MiB has room for, which then takes what was given back. */
static int count_lent(void) {
    dora_loan_t *loans[LOANS];
    int count = 0;
    for (int i = 0; i < LOANS; i++) {
        expect_ok("loan", dora_node_loan(node, "out", DORA_TYPE_UINT8, LARGE, &loans[i]));
        for (int k = 0; k < HELD; k++)
            count += overlap(loans[i], held[k].loan);
    }
    for (int i = 0; i < LOANS; i++)
        dora_loan_free(loans[i]);
    return count;
}

static int count_shm(bool (*is_wrong)(const char *path)) {
    char line[512];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        char *path = strstr(line, "/dev/shm/");
        line[strcspn(line, "\n")] = '\0';
        count += path && is_wrong(path);
    }
    if (maps)
        fclose(maps);
    return count;
}

static bool is_deleted(const char *path) { return strstr(path, " (deleted)") != NULL; }

static bool is_unlocked(const char *path) {
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    bool unlocked = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return unlocked;
}

static void report_health(const char *kind) {
    report("%s damaged %d", kind, count_damaged());
    report("%s lent %d", kind, count_lent());
    report("%s deleted %d", kind, count_shm(is_deleted));
    report("%s unlocked %d", kind, count_shm(is_unlocked));
}

/* The exit code of a child, less than 0 for a signal. One that hangs is killed. */
static int end_of(pid_t child) {
    int status = 0;
    int64_t start = clock_ns(CLOCK_MONOTONIC);
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (ms_since(start) > 5000)
            kill(child, SIGKILL);
        sleep_ms(1);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int fork_child(const char *kind) {
    pid_t child = fork();
    if (child == 0)
        be_child(kind);
    return end_of(child);
}

static atomic_bool is_over;

static void *send_all_the_time(void *unused) {
    static const uint8_t frame[5000];
    while (!is_over)
        expect_ok("send", dora_node_send_bytes(node, "out", frame, sizeof frame, NULL));
    return unused;
}

/* Something of zenoh is then held in most moments, and so in some children for ever. */
static int fork_many(const char *kind) {
    pthread_t senders[2];
    int code = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&senders[i], NULL, send_all_the_time, NULL);
    for (int i = 0; i < MANY && code == 0; i++)
        code = fork_child(kind);
    is_over = true;
    for (int i = 0; i < 2; i++)
        pthread_join(senders[i], NULL);
    return code;
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 1;
    node = init_node();
    hold();
    report_health("before");
    if (strcmp(argv[1], "arrow") == 0)
        free_frames();
    report("%s code %d", argv[1], strcmp(argv[1], "exits") == 0 ? fork_many(argv[1]) : fork_child(argv[1]));
    for (int i = 0; i < ENOUGH; i++)
        dora_event_free(read_frame(node));
    report_health(argv[1]);
    free_node(node);
    report("end");
    return 0;
}
