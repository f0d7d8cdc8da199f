/* The threads of this process, as the kernel shows them. The including file defines _GNU_SOURCE first. */
#ifndef DORA_TEST_TASKS_H
#define DORA_TEST_TASKS_H

#include "support.h"

#include <dirent.h>
#include <sched.h>
#include <sys/resource.h>

struct tasks {
    pid_t ids[256];
    size_t count;
};

static inline int has_task(const struct tasks *tasks, pid_t id) {
    for (size_t i = 0; i < tasks->count; i++)
        if (tasks->ids[i] == id)
            return 1;
    return 0;
}

static inline struct tasks list_tasks(void) {
    struct tasks tasks = {.count = 0};
    struct dirent *entry;
    DIR *directory = opendir("/proc/self/task");
    while (directory && (entry = readdir(directory)) && tasks.count < sizeof tasks.ids / sizeof *tasks.ids)
        if (entry->d_name[0] != '.')
            tasks.ids[tasks.count++] = (pid_t)strtol(entry->d_name, NULL, 10);
    if (directory)
        closedir(directory);
    return tasks;
}

/* The name and the blocked signals of a thread; false when it has ended. */
static inline bool read_task(pid_t id, char name[64], char blocked[64]) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)id);
    FILE *file = fopen(path, "r");
    *name = *blocked = '\0';
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "Name: %63[^\n]", name);
        sscanf(line, "SigBlk: %63s", blocked);
    }
    if (file)
        fclose(file);
    return *name && *blocked;
}

/* Waits until the threads that were started have begun to run: until then they have the name, and all else,
 * of the caller. */
static inline void await_tasks(const struct tasks *known) {
    char own[64], name[64], blocked[64];
    bool are_new = true;
    read_task(getpid(), own, blocked);
    while (are_new) {
        struct tasks tasks = list_tasks();
        are_new = false;
        for (size_t i = 0; i < tasks.count; i++)
            are_new |= !has_task(known, tasks.ids[i]) && read_task(tasks.ids[i], name, blocked) &&
                       strcmp(name, own) == 0;
        sleep_ms(10);
    }
}

/* Reports "WHAT BLOCKED POLICY PRIORITY NICE CPUS NAME"; nothing for a thread that has ended. */
static inline void report_task(const char *what, pid_t id) {
    char name[64], blocked[64];
    struct sched_param priority = {0};
    cpu_set_t cpus;
    if (!read_task(id, name, blocked))
        return;
    CPU_ZERO(&cpus);
    sched_getaffinity(id, sizeof cpus, &cpus);
    sched_getparam(id, &priority);
    report("%s %s %d %d %d %d %s", what, blocked, sched_getscheduler(id), priority.sched_priority,
           getpriority(PRIO_PROCESS, (id_t)id), CPU_COUNT(&cpus), name);
}

/* Reports those that are not among the known ones, and returns them all. */
static inline struct tasks report_new_tasks(const char *what, const struct tasks *known) {
    await_tasks(known);
    struct tasks tasks = list_tasks();
    for (size_t i = 0; i < tasks.count; i++)
        if (!has_task(known, tasks.ids[i]))
            report_task(what, tasks.ids[i]);
    return tasks;
}

#endif
