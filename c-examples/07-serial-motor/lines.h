/*
 * What comes over a serial line, cut into lines. It never waits: the descriptor is one that does not block.
 */
#ifndef LINES_H
#define LINES_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 64 };

struct lines {
    char text[LINE_SIZE];
    size_t length;
    bool skips; /* what comes belongs to a line whose beginning is not known */
};

/* Takes what there is, up to a line's length; false when the other side is gone. */
static bool take_in(struct lines *lines, int fd) {
    const ssize_t count = read(fd, lines->text + lines->length, sizeof lines->text - lines->length);
    if (count > 0)
        lines->length += (size_t)count;
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Gives the next whole line, without its end, as a string. One that is too long is passed over. */
static bool next_line(struct lines *lines, char line[LINE_SIZE]) {
    const char *end;
    while ((end = memchr(lines->text, '\n', lines->length)) != NULL) {
        const size_t size = (size_t)(end + 1 - lines->text);
        const bool is_whole = !lines->skips;
        memcpy(line, lines->text, size);
        line[size - 1] = '\0';
        lines->length -= size;
        memmove(lines->text, lines->text + size, lines->length);
        lines->skips = false;
        if (is_whole)
            return true;
    }
    if (lines->length == sizeof lines->text) {
        lines->length = 0;
        lines->skips = true;
    }
    return false;
}

#endif
