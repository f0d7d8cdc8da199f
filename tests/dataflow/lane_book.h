/* What came in on each input of a node, and whether that is once and in order. */
#ifndef DORA_TEST_LANE_BOOK_H
#define DORA_TEST_LANE_BOOK_H

#include "lane_process.h"

enum { LANE_INPUTS = 8 };

struct lane_book {
    char input[64];
    bool begun, is_closed;
    struct lane_head first;
    /* Of the sender's run that sends now: its restarts, the number that is due, and which came. */
    uint16_t incarnation;
    uint32_t due;
    uint8_t *seen;
    size_t seen_size;
    uint64_t received, gaps, duplicates, disorder, damaged, closed, after_closed, runs;
};

static struct lane_book lane_books[LANE_INPUTS];

static inline struct lane_book *lane_book_of(const char *input) {
    for (size_t i = 0; i < LANE_INPUTS; i++) {
        struct lane_book *book = &lane_books[i];
        if (book->input[0] == '\0')
            snprintf(book->input, sizeof book->input, "%s", input);
        if (strcmp(book->input, input) == 0)
            return book;
    }
    abort();
}

/* Notes a number of the current run; true when it was noted before. */
static inline bool lane_note(struct lane_book *book, uint32_t number) {
    size_t byte = number / 8, size = book->seen_size;
    if (byte >= size) {
        book->seen_size = 2 * byte + 64;
        book->seen = (uint8_t *)realloc(book->seen, book->seen_size);
        if (!book->seen)
            abort();
        memset(book->seen + size, 0, book->seen_size - size);
    }
    bool was_seen = book->seen[byte] >> number % 8 & 1;
    book->seen[byte] = (uint8_t)(book->seen[byte] | 1 << number % 8);
    return was_seen;
}

static inline void lane_begin_run(struct lane_book *book, struct lane_head head) {
    report("from %s %u %u", book->input, (unsigned)head.incarnation, (unsigned)head.number);
    if (!book->begun)
        book->first = head;
    /* What a later run lost at its begin is lost. What the first sent before this node began is not. */
    book->due = book->begun ? 0 : head.number;
    book->begun = true;
    book->incarnation = head.incarnation;
    book->runs++;
    if (book->seen)
        memset(book->seen, 0, book->seen_size);
}

static inline void lane_take(struct lane_book *book, struct lane_head head) {
    if (!book->begun || head.incarnation > book->incarnation)
        lane_begin_run(book, head);
    if (head.incarnation < book->incarnation) {
        book->disorder++;
        report("wrong: %s brought number %u of run %u in run %u", book->input, (unsigned)head.number,
               (unsigned)head.incarnation, (unsigned)book->incarnation);
        return;
    }
    if (lane_note(book, head.number)) {
        book->duplicates++;
        report("wrong: %s brought number %u twice", book->input, (unsigned)head.number);
    } else if (head.number < book->due) {
        book->disorder++;
        report("wrong: %s brought number %u where %u was due", book->input, (unsigned)head.number,
               (unsigned)book->due);
    }
    if (head.number >= book->due) {
        book->gaps += head.number - book->due;
        book->due = head.number + 1;
    }
}

/* Takes a message; gives whether it is as it was sent. */
static inline bool lane_receive(struct lane_book *book, const uint8_t *frame, size_t size,
                                struct lane_head *head) {
    bool is_whole = lane_check(frame, size, head);
    book->received++;
    book->after_closed += book->is_closed;
    if (is_whole)
        lane_take(book, *head);
    else
        report("wrong: %s brought a damaged message of %zu bytes, number %u of run %u", book->input, size,
               (unsigned)head->number, (unsigned)head->incarnation);
    book->damaged += !is_whole;
    return is_whole;
}

/* Writes a member of a JSON object for each input, with what the node says of lost messages. */
static inline size_t lane_print_book(const struct lane_book *book, dora_node_t *node, char *text,
                                     size_t size) {
    uint64_t dropped = 0;
    expect_ok("dropped", dora_node_dropped(node, book->input, &dropped));
    return (size_t)snprintf(text, size,
                            "\"%s\":{\"received\":%" PRIu64 ",\"dropped\":%" PRIu64
                            ",\"first\":%d,\"last\":%d,\"runs\":%" PRIu64 ",\"gaps\":%" PRIu64
                            ",\"duplicates\":%" PRIu64 ",\"disorder\":%" PRIu64 ",\"damaged\":%" PRIu64
                            ",\"closed\":%" PRIu64 ",\"after_closed\":%" PRIu64 "}",
                            book->input, book->received, dropped, book->begun ? (int)book->first.number : -1,
                            book->begun ? (int)book->due - 1 : -1, book->runs, book->gaps, book->duplicates,
                            book->disorder, book->damaged, book->closed, book->after_closed);
}

/* The result of all inputs: "{"ID":{…},…}". */
static inline void lane_print_books(dora_node_t *node, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "{");
    for (size_t i = 0; i < dora_node_input_count(node) && i < LANE_INPUTS && length < size; i++) {
        length += (size_t)snprintf(text + length, size - length, i ? "," : "");
        length +=
            lane_print_book(lane_book_of(dora_node_input_id(node, i)), node, text + length, size - length);
    }
    if (length < size)
        snprintf(text + length, size - length, "}");
}

#endif
