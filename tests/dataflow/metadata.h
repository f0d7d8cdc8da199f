/*
 * What the metadata nodes share: lines about parameters in which every value is exact. metadata_values.py
 * writes the same lines.
 */
#ifndef DORA_TEST_METADATA_H
#define DORA_TEST_METADATA_H

#include "support.h"

#include <inttypes.h>
#include <stdbool.h>

static const char *const kind_names[] = {"unknown",   "bool",     "integer", "float",  "string",
                                         "timestamp", "integers", "floats",  "strings"};

/* What read_as writes when it fails, since every function clears what it gives. */
static const char *const cleared[] = {
    "", " false", " 0", " 0000000000000000", " NULL", " -9223372036854775808", "", "", ""};

/* Writes bytes in hexadecimal, and so that an empty text is something. */
static inline void write_text(FILE *line, const char *text, size_t length) {
    if (!text) {
        fputs(" NULL", line);
        return;
    }
    fputs(" \"", line);
    for (size_t i = 0; i < length; i++)
        fprintf(line, "%02x", (unsigned char)text[i]);
    fputc('"', line);
    if (text[length] != '\0')
        fputs(" unterminated", line);
}

/* Writes the bits of a number: a NaN equals nothing, and -0 equals 0. */
static inline void write_float(FILE *line, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fprintf(line, " %016" PRIx64, bits);
}

static inline dora_status_t read_texts(FILE *line, const dora_metadata_t *metadata, const char *key) {
    size_t count = 99;
    dora_status_t status = dora_metadata_get_strings_count(metadata, key, &count);
    dora_status_t beyond = status == DORA_OK ? DORA_ERROR_INVALID_ARGUMENT : status;
    for (size_t i = 0; i <= count; i++) {
        const char *text = "garbage";
        size_t length = 99;
        dora_status_t expected = i < count ? DORA_OK : beyond;
        dora_status_t found = dora_metadata_get_strings_at(metadata, key, i, &text, &length);
        if (found != expected || (found != DORA_OK && (text || length)))
            fprintf(line, " [%zu: %s]", i, dora_status_name(found));
        if (i < count)
            write_text(line, text, length);
    }
    return status;
}

/* Reads a parameter with the function of a kind, writes what that gave, and returns its status. */
static inline dora_status_t read_as(FILE *line, const dora_metadata_t *metadata, const char *key,
                                    int32_t kind) {
    dora_status_t status = DORA_ERROR_INTERNAL;
    bool boolean = true;
    int64_t integer = 99;
    double number = 99;
    const char *text = "garbage";
    const int64_t *integers = &integer;
    const double *numbers = &number;
    size_t count = 99;
    switch (kind) {
    case DORA_METADATA_BOOL:
        status = dora_metadata_get_bool(metadata, key, &boolean);
        fputs(boolean ? " true" : " false", line);
        break;
    case DORA_METADATA_INTEGER:
        status = dora_metadata_get_integer(metadata, key, &integer);
        fprintf(line, " %" PRId64, integer);
        break;
    case DORA_METADATA_FLOAT:
        status = dora_metadata_get_float(metadata, key, &number);
        write_float(line, number);
        break;
    case DORA_METADATA_STRING:
        status = dora_metadata_get_string(metadata, key, &text, &count);
        write_text(line, text, count);
        break;
    case DORA_METADATA_TIMESTAMP:
        status = dora_metadata_get_timestamp_ns(metadata, key, &integer);
        fprintf(line, " %" PRId64, integer);
        break;
    case DORA_METADATA_INTEGERS:
        status = dora_metadata_get_integers(metadata, key, &integers, &count);
        for (size_t i = 0; i < count; i++)
            fprintf(line, " %" PRId64, integers[i]);
        if ((count == 0) != !integers)
            fputs(" dangling", line);
        break;
    case DORA_METADATA_FLOATS:
        status = dora_metadata_get_floats(metadata, key, &numbers, &count);
        for (size_t i = 0; i < count; i++)
            write_float(line, numbers[i]);
        if ((count == 0) != !numbers)
            fputs(" dangling", line);
        break;
    case DORA_METADATA_STRINGS:
        status = read_texts(line, metadata, key);
        break;
    default:
        break;
    }
    return status;
}

/* The line that read_as writes; the caller frees it. */
static inline char *line_as(const dora_metadata_t *metadata, const char *key, int32_t kind,
                            dora_status_t *status) {
    char *text = NULL;
    size_t size;
    FILE *line = open_memstream(&text, &size);
    if (!line)
        abort();
    *status = read_as(line, metadata, key, kind);
    if (fclose(line) != 0)
        abort();
    return text;
}

/* Reports "WORD ID KEY KIND VALUE…" of a parameter that has a name in C, and as "wrong …" whatever function
 * does not do with it what it should. */
static inline void report_parameter(const char *word, const char *id, const dora_metadata_t *metadata,
                                    const char *hex, const char *key) {
    int32_t kind = dora_metadata_kind(metadata, key);
    if (kind < DORA_METADATA_BOOL || kind > DORA_METADATA_STRINGS) {
        report("wrong %s %s: kind %d", id, hex, kind);
        return;
    }
    for (int32_t other = DORA_METADATA_BOOL; other <= DORA_METADATA_STRINGS; other++) {
        dora_status_t status;
        char *values = line_as(metadata, key, other, &status);
        if (other == kind && status == DORA_OK)
            report("%s %s %s %s%s", word, id, hex, kind_names[kind], values);
        else if (status != DORA_ERROR_WRONG_TYPE || strcmp(values, cleared[other]) != 0)
            report("wrong %s %s: read as %s: %s%s", id, hex, kind_names[other], dora_status_name(status),
                   values);
        else if (other == kind) /* a time that 64 bits of nanoseconds do not reach */
            report("%s %s %s %s unreachable", word, id, hex, kind_names[kind]);
        free(values);
    }
}

/* Reports whatever function finds a parameter that is not there. */
static inline void report_absent(const char *id, const dora_metadata_t *metadata) {
    if (dora_metadata_kind(metadata, "no such key") != DORA_METADATA_UNKNOWN)
        report("wrong %s: a kind without a key", id);
    for (int32_t kind = DORA_METADATA_BOOL; kind <= DORA_METADATA_STRINGS; kind++) {
        dora_status_t status;
        char *values = line_as(metadata, "no such key", kind, &status);
        if (status != DORA_ERROR_NOT_FOUND || strcmp(values, cleared[kind]) != 0)
            report("wrong %s: no such key read as %s: %s%s", id, kind_names[kind], dora_status_name(status),
                   values);
        free(values);
    }
}

/* Reports every parameter, and how many there are as "WORD-count ID COUNT". */
static inline void report_metadata(const char *word, const char *id, const dora_metadata_t *metadata) {
    size_t count = dora_metadata_count(metadata), length = 99;
    report("%s-count %s %zu", word, id, count);
    for (size_t index = 0; index < count; index++) {
        const char *key = dora_metadata_key(metadata, index, &length);
        char hex[1024] = "";
        FILE *line = fmemopen(hex, sizeof hex, "w");
        if (!line)
            abort();
        write_text(line, key, length);
        fclose(line);
        /* A key with a NUL inside can be listed and sent on, but no C string names it. */
        if (strlen(key) != length)
            report("unnamed %s%s", id, hex);
        else
            report_parameter(word, id, metadata, hex + 1, key);
    }
    if (dora_metadata_key(metadata, count, &length) || length != 0)
        report("wrong %s: a key beyond the last", id);
    report_absent(id, metadata);
}

#endif
