/* What a process holds, for tests that look for leaks. */
#ifndef DORA_TEST_RESOURCES_H
#define DORA_TEST_RESOURCES_H

#include "support.h"

#include <dirent.h>

static inline int count_descriptors(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (directory && readdir(directory))
        count++;
    if (directory)
        closedir(directory);
    return count;
}

static inline long anonymous_memory_kib(void) {
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "Anonymous: %ld", &kib);
    if (file)
        fclose(file);
    return kib;
}

/* The number of mappings of shared memory; reports "shm PATH" for each if asked to. */
static inline int count_shared_memory(int tell) {
    char line[512];
    int count = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *path = strstr(line, "/dev/shm/");
        count += path != NULL;
        if (path && tell)
            report("shm %.*s", (int)strcspn(path, "\n"), path);
    }
    if (file)
        fclose(file);
    return count;
}

/* The KiB of the piece of shared memory in which an address lies, 0 for the heap. */
static inline size_t shared_memory_kib(const void *address) {
    char line[512];
    size_t kib = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long begin, end;
        if (strstr(line, "/dev/shm/") && sscanf(line, "%lx-%lx", &begin, &end) == 2 &&
            (uintptr_t)address >= begin && (uintptr_t)address < end)
            kib = (end - begin) / 1024;
    }
    if (maps)
        fclose(maps);
    return kib;
}

static inline void report_resources(void) {
    report("resources %d %d %ld", count_descriptors(), count_shared_memory(0), anonymous_memory_kib());
}

#endif
