/*
 * Hand-made Arrow structures of every type, sent whole, sliced, with nulls, from odd addresses, and empty
 * without any buffer. Each must arrive as the values that it stands for, and each structure is released once.
 * Malformed ones are in arrow_misuse.c. Environment: DORA_TEST_WITH_INPUTS=arrow_types.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

static dora_node_t *node;
static char expected[1 << 20]; /* the lines that the file of outputs should have */
static size_t expected_size;

/* ---- Making structures: all of them from one pool, which each message uses anew ---- */

enum { MAX_COLUMNS = 4, MAX_BUFFERS = 4, MAX_CHILDREN = 2 };

static struct {
    struct ArrowSchema schema;
    struct ArrowArray array;
    const void *buffers[MAX_BUFFERS];
    struct ArrowSchema *child_schemas[MAX_CHILDREN];
    struct ArrowArray *child_arrays[MAX_CHILDREN];
    int schema_releases, array_releases;
} columns[MAX_COLUMNS];
static int n_columns;

static bool odd;      /* whether buffers are to lie at odd addresses */
static bool unbacked; /* whether they are all to be NULL, as an empty array may have them */
static uint64_t room[256];
static size_t room_used;

static void release_schema(struct ArrowSchema *schema) {
    for (int64_t i = 0; i < schema->n_children; ++i)
        schema->children[i]->release(schema->children[i]);
    if (schema->dictionary)
        schema->dictionary->release(schema->dictionary);
    ++*(int *)schema->private_data;
    memset(schema, 0xA5, sizeof *schema);
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_children; ++i)
        array->children[i]->release(array->children[i]);
    if (array->dictionary)
        array->dictionary->release(array->dictionary);
    ++*(int *)array->private_data;
    memset(array, 0xA5, sizeof *array);
    array->release = NULL;
}

/* A column from the pool; gives its place there. */
static int column(const char *format, int64_t length) {
    const int place = n_columns++;
    if (place == MAX_COLUMNS)
        abort();
    memset(&columns[place], 0, sizeof columns[place]);
    struct ArrowSchema *schema = &columns[place].schema;
    schema->format = format;
    schema->flags = ARROW_FLAG_NULLABLE;
    schema->children = columns[place].child_schemas;
    schema->release = release_schema;
    schema->private_data = &columns[place].schema_releases;
    struct ArrowArray *array = &columns[place].array;
    array->length = unbacked ? 0 : length;
    array->buffers = columns[place].buffers;
    array->children = columns[place].child_arrays;
    array->release = release_array;
    array->private_data = &columns[place].array_releases;
    return place;
}

#define BUFFER(place, bytes) buffer(place, bytes, sizeof(bytes))
static void buffer(int place, const void *bytes, size_t size) {
    struct ArrowArray *array = &columns[place].array;
    if (array->n_buffers == MAX_BUFFERS || room_used + size + 2 > sizeof room)
        abort();
    if (odd && bytes) {
        char *at = (char *)room + (room_used | 1);
        bytes = memcpy(at, bytes, size);
        room_used = (room_used | 1) + size;
    }
    array->buffers[array->n_buffers++] = unbacked ? NULL : bytes;
}

static int child(int parent, const char *name, const char *format, int64_t length) {
    const int place = column(format, length);
    columns[place].schema.name = name;
    columns[parent].schema.children[columns[parent].schema.n_children++] = &columns[place].schema;
    columns[parent].array.children[columns[parent].array.n_children++] = &columns[place].array;
    return place;
}

/* ---- Sending them ---- */

static void expect(const char *type, int count, const char *const *elements) {
    const int more =
        snprintf(expected + expected_size, sizeof expected - expected_size,
                 "{\"id\":\"out\",\"data\":[%s%s%s%s%s],\"data_type\":%s}\n", count > 0 ? elements[0] : "",
                 count > 1 ? "," : "", count > 1 ? elements[1] : "", count > 2 ? "," : "",
                 count > 2 ? elements[2] : "", type);
    if (more < 0 || (size_t)more >= sizeof expected - expected_size)
        abort();
    expected_size += (size_t)more;
}

/* Sends the pair that was made first. */
static void send_made(const char *format) {
    const int failed = check_failed;
    struct ArrowSchema *schema = &columns[0].schema;
    struct ArrowArray *array = &columns[0].array;
    CHECK_STATUS(DORA_OK, dora_node_send_arrow(node, "out", schema, array, NULL));
    CHECK(schema->release == NULL && array->release == NULL);
    for (int i = 0; i < n_columns; ++i)
        CHECK(columns[i].schema_releases == 1 && columns[i].array_releases == 1);
    if (check_failed > failed)
        fprintf(stderr, "    with format %s%s%s\n", format, odd ? ", at odd addresses" : "",
                unbacked ? ", without buffers" : "");
    n_columns = 0;
    room_used = 0;
}

static const uint8_t validity[] = {0xFD}; /* the second is null */

/* Sends the three elements that `build` makes, and parts of them, in all the ways that there are. */
static void every_way(void (*build)(void), bool nullable, const char *type, const char *first,
                      const char *second, const char *third) {
    static const int slices[][2] = {{0, 3}, {1, 2}, {2, 1}, {1, 1}, {1, 0}, {3, 0}, {0, 0}};
    const char *const values[] = {first, second, third}, *const holes[] = {first, "null", third};
    char format[32];
    for (int way = 0; way < (nullable ? 4 : 2); ++way)
        for (size_t i = 0; i < sizeof slices / sizeof *slices; ++i) {
            const int offset = slices[i][0], length = slices[i][1];
            odd = way % 2 == 1;
            build();
            snprintf(format, sizeof format, "%s", columns[0].schema.format);
            columns[0].array.offset = offset;
            columns[0].array.length = length;
            if (way >= 2) {
                columns[0].array.buffers[0] = validity;
                columns[0].array.null_count = i % 2 ? -1 : offset <= 1 && offset + length > 1;
            }
            expect(type, length, (way >= 2 ? holes : values) + offset);
            send_made(format);
        }
    odd = false;
    unbacked = true;
    build();
    expect(type, 0, values);
    send_made(format);
    unbacked = false;
}

/* ---- Types without children ---- */

static struct {
    const char *format;
    const void *buffers[3];
    size_t sizes[3];
} simple;

static void build_simple(void) {
    const int place = column(simple.format, 3);
    buffer(place, NULL, 0);
    for (int i = 0; i < 3; ++i)
        if (simple.sizes[i])
            buffer(place, simple.buffers[i], simple.sizes[i]);
}

#define ONE_BUFFER(format, buffer, type, first, second, third)                                               \
    no_children(format, buffer, sizeof(buffer), NULL, 0, NULL, 0, type, first, second, third)
#define TWO_BUFFERS(format, offsets, buffer, type, first, second, third)                                     \
    no_children(format, offsets, sizeof(offsets), buffer, sizeof(buffer), NULL, 0, type, first, second, third)

static void no_children(const char *format, const void *one, size_t one_size, const void *two,
                        size_t two_size, const void *three, size_t three_size, const char *type,
                        const char *first, const char *second, const char *third) {
    simple.format = format;
    simple.buffers[0] = one, simple.sizes[0] = one_size;
    simple.buffers[1] = two, simple.sizes[1] = two_size;
    simple.buffers[2] = three, simple.sizes[2] = three_size;
    every_way(build_simple, true, type, first, second, third);
}

static void numbers(void) {
    const uint8_t bits[] = {5};
    const int8_t int8[] = {INT8_MIN, 0, INT8_MAX};
    const int16_t int16[] = {INT16_MIN, 0, INT16_MAX};
    const int32_t int32[] = {INT32_MIN, 0, INT32_MAX};
    const int64_t int64[] = {INT64_MIN, 0, INT64_MAX};
    const uint8_t uint8[] = {0, 1, UINT8_MAX};
    const uint16_t uint16[] = {0, 1, UINT16_MAX};
    const uint32_t uint32[] = {0, 1, UINT32_MAX};
    const uint64_t uint64[] = {0, 1, UINT64_MAX};
    const uint16_t float16[] = {0x3E00, 0xC000, 0x7BFF};
    const float float32[] = {1.5f, -2.25f, 0.0f};
    const double float64[] = {1.5, -2.25, 0.1};
    ONE_BUFFER("b", bits, "\"Boolean\"", "true", "false", "true");
    ONE_BUFFER("c", int8, "\"Int8\"", "-128", "0", "127");
    ONE_BUFFER("s", int16, "\"Int16\"", "-32768", "0", "32767");
    ONE_BUFFER("i", int32, "\"Int32\"", "-2147483648", "0", "2147483647");
    ONE_BUFFER("l", int64, "\"Int64\"", "-9223372036854775808", "0", "9223372036854775807");
    ONE_BUFFER("C", uint8, "\"UInt8\"", "0", "1", "255");
    ONE_BUFFER("S", uint16, "\"UInt16\"", "0", "1", "65535");
    ONE_BUFFER("I", uint32, "\"UInt32\"", "0", "1", "4294967295");
    ONE_BUFFER("L", uint64, "\"UInt64\"", "0", "1", "18446744073709551615");
    ONE_BUFFER("e", float16, "\"Float16\"", "1.5", "-2.0", "65504.0");
    ONE_BUFFER("f", float32, "\"Float32\"", "1.5", "-2.25", "0.0");
    ONE_BUFFER("g", float64, "\"Float64\"", "1.5", "-2.25", "0.1");

    const int32_t decimal32[] = {125, -100, 0};
    const int64_t decimal64[] = {125, -100, 0};
    const int64_t decimal128[] = {125, 0, -100, -1, 0, 0}; /* little-endian, low half first */
    const int64_t decimal256[] = {125, 0, 0, 0, -100, -1, -1, -1, 0, 0, 0, 0};
    ONE_BUFFER("d:5,2,32", decimal32, "{\"Decimal32\":[5,2]}", "1.25", "-1.0", "0.0");
    ONE_BUFFER("d:5,2,64", decimal64, "{\"Decimal64\":[5,2]}", "1.25", "-1.0", "0.0");
    ONE_BUFFER("d:5,2", decimal128, "{\"Decimal128\":[5,2]}", "1.25", "-1.0", "0.0");
    ONE_BUFFER("d:5,2,256", decimal256, "{\"Decimal256\":[5,2]}", "1.25", "-1.0", "0.0");
}

static void times(void) {
    const int32_t units32[] = {0, 1, 2};
    const int64_t units64[] = {0, 1, 2}, days64[] = {0, 86400000, 172800000};
    ONE_BUFFER("tdD", units32, "\"Date32\"", "\"1970-01-01\"", "\"1970-01-02\"", "\"1970-01-03\"");
    ONE_BUFFER("tdm", days64, "\"Date64\"", "\"1970-01-01T00:00:00\"", "\"1970-01-02T00:00:00\"",
               "\"1970-01-03T00:00:00\"");
    ONE_BUFFER("tts", units32, "{\"Time32\":\"Second\"}", "\"00:00:00\"", "\"00:00:01\"", "\"00:00:02\"");
    ONE_BUFFER("ttm", units32, "{\"Time32\":\"Millisecond\"}", "\"00:00:00\"", "\"00:00:00.001\"",
               "\"00:00:00.002\"");
    ONE_BUFFER("ttu", units64, "{\"Time64\":\"Microsecond\"}", "\"00:00:00\"", "\"00:00:00.000001\"",
               "\"00:00:00.000002\"");
    ONE_BUFFER("ttn", units64, "{\"Time64\":\"Nanosecond\"}", "\"00:00:00\"", "\"00:00:00.000000001\"",
               "\"00:00:00.000000002\"");
    ONE_BUFFER("tss:", units64, "{\"Timestamp\":[\"Second\",null]}", "\"1970-01-01T00:00:00\"",
               "\"1970-01-01T00:00:01\"", "\"1970-01-01T00:00:02\"");
    ONE_BUFFER("tsn:", units64, "{\"Timestamp\":[\"Nanosecond\",null]}", "\"1970-01-01T00:00:00\"",
               "\"1970-01-01T00:00:00.000000001\"", "\"1970-01-01T00:00:00.000000002\"");
    ONE_BUFFER("tsm:+00:00", units64, "{\"Timestamp\":[\"Millisecond\",\"+00:00\"]}",
               "\"1970-01-01T00:00:00Z\"", "\"1970-01-01T00:00:00.001Z\"", "\"1970-01-01T00:00:00.002Z\"");
    ONE_BUFFER("tDs", units64, "{\"Duration\":\"Second\"}", "\"P0D\"", "\"PT1S\"", "\"PT2S\"");
    ONE_BUFFER("tDn", units64, "{\"Duration\":\"Nanosecond\"}", "\"P0D\"", "\"PT0.000000001S\"",
               "\"PT0.000000002S\"");
    ONE_BUFFER("tiM", units32, "{\"Interval\":\"YearMonth\"}", "\"0 years 0 mons\"", "\"0 years 1 mons\"",
               "\"0 years 2 mons\"");
}

static void strings(void) {
    const int32_t offsets[] = {0, 1, 1, 6};
    const int64_t large_offsets[] = {0, 1, 1, 6};
    const char bytes[] = {'a', 'G', 'r', '\xC3', '\xB6', '\xC3'},
               text[] = {'a', 'G', 'r', '\xC3', '\xB6', '.'};
    TWO_BUFFERS("u", offsets, text, "\"Utf8\"", "\"a\"", "\"\"", "\"Gr\xC3\xB6.\"");
    TWO_BUFFERS("U", large_offsets, text, "\"LargeUtf8\"", "\"a\"", "\"\"", "\"Gr\xC3\xB6.\"");
    TWO_BUFFERS("z", offsets, bytes, "\"Binary\"", "\"61\"", "\"\"", "\"4772c3b6c3\"");
    TWO_BUFFERS("Z", large_offsets, bytes, "\"LargeBinary\"", "\"61\"", "\"\"", "\"4772c3b6c3\"");
    ONE_BUFFER("w:2", bytes, "{\"FixedSizeBinary\":2}", "\"6147\"", "\"72c3\"", "\"b6c3\"");

    /* "a" and "" are in their views, the letters from b to n in a buffer. */
    const int32_t views[] = {1, 'a', 0, 0, 0, 0, 0, 0, 13, 'b' | 'c' << 8 | 'd' << 16 | 'e' << 24, 0, 0};
    const char letters[] = {'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'};
    const int64_t sizes[] = {sizeof letters};
    no_children("vu", views, sizeof views, letters, sizeof letters, sizes, sizeof sizes, "\"Utf8View\"",
                "\"a\"", "\"\"", "\"bcdefghijklmn\"");
    no_children("vz", views, sizeof views, letters, sizeof letters, sizes, sizeof sizes, "\"BinaryView\"",
                "\"61\"", "\"\"", "\"62636465666768696a6b6c6d6e\"");
}

/* ---- Types with children, with a dictionary, and without anything ---- */

#define FIELD(name, type, nullable)                                                                          \
    "{\"name\":\"" name "\",\"data_type\":" type ",\"nullable\":" nullable                                   \
    ",\"dict_id\":0,\"dict_is_ordered\":false,\"metadata\":{}}"

static const int32_t one_to_six[] = {1, 2, 3, 4, 5, 6};
static const int32_t list_offsets[] = {0, 2, 2, 6};
static const int64_t large_list_offsets[] = {0, 2, 2, 6};
static const int32_t text_offsets[] = {0, 1, 3, 4};
static const char text_bytes[] = {'a', 'b', 'c', 'd'};

static void fill_numbers(int place) {
    buffer(place, NULL, 0);
    BUFFER(place, one_to_six);
}

static void fill_texts(int place) {
    buffer(place, NULL, 0);
    BUFFER(place, text_offsets);
    BUFFER(place, text_bytes);
}

static void build_nothing(void) { column("n", 3); }

static void build_struct(void) {
    const int place = column("+s", 3);
    buffer(place, NULL, 0);
    fill_numbers(child(place, "x", "i", 6)); /* longer than its parent, as it may be */
    fill_texts(child(place, "y", "u", 3));
}

static void build_list(void) {
    const int place = column("+l", 3);
    buffer(place, NULL, 0);
    BUFFER(place, list_offsets);
    fill_numbers(child(place, "item", "i", 6));
}

static void build_large_list(void) {
    const int place = column("+L", 3);
    buffer(place, NULL, 0);
    BUFFER(place, large_list_offsets);
    fill_numbers(child(place, "item", "i", 6));
}

static void build_pairs(void) {
    const int place = column("+w:2", 3);
    buffer(place, NULL, 0);
    fill_numbers(child(place, "item", "i", 6));
}

/* The child is a slice itself: the numbers from 2 on. */
static void build_pairs_of_slice(void) {
    static const int32_t zero_to_six[] = {0, 1, 2, 3, 4, 5, 6};
    const int place = column("+w:2", 3);
    buffer(place, NULL, 0);
    const int item = child(place, "item", "i", 6);
    buffer(item, NULL, 0);
    BUFFER(item, zero_to_six);
    columns[item].array.offset = 1;
}

static void build_map(void) {
    static const int32_t one_each[] = {0, 1, 2, 3};
    const int place = column("+m", 3);
    buffer(place, NULL, 0);
    BUFFER(place, one_each);
    const int entries = child(place, "entries", "+s", 3);
    columns[entries].schema.flags = 0;
    buffer(entries, NULL, 0);
    const int keys = child(entries, "keys", "u", 3);
    columns[keys].schema.flags = 0;
    fill_texts(keys);
    fill_numbers(child(entries, "values", "i", 6));
}

static void build_runs(void) {
    static const int32_t ends[] = {1, 3};
    const int place = column("+r", 3);
    const int run_ends = child(place, "run_ends", "i", 2);
    columns[run_ends].schema.flags = 0;
    buffer(run_ends, NULL, 0);
    BUFFER(run_ends, ends);
    const int values = child(place, "values", "i", 2);
    buffer(values, NULL, 0);
    BUFFER(values, one_to_six);
}

static void build_dictionary(void) {
    static const int8_t indices[] = {0, 2, 1};
    const int place = column("c", 3);
    buffer(place, NULL, 0);
    BUFFER(place, indices);
    const int dictionary = column("u", 3);
    fill_texts(dictionary);
    columns[place].schema.dictionary = &columns[dictionary].schema;
    columns[place].array.dictionary = &columns[dictionary].array;
}

static void nested(void) {
    every_way(build_nothing, false, "\"Null\"", "null", "null", "null");
    every_way(build_struct, true,
              "{\"Struct\":[" FIELD("x", "\"Int32\"", "true") "," FIELD("y", "\"Utf8\"", "true") "]}",
              "{\"x\":1,\"y\":\"a\"}", "{\"x\":2,\"y\":\"bc\"}", "{\"x\":3,\"y\":\"d\"}");
    every_way(build_list, true, "{\"List\":" FIELD("item", "\"Int32\"", "true") "}", "[1,2]", "[]",
              "[3,4,5,6]");
    every_way(build_large_list, true, "{\"LargeList\":" FIELD("item", "\"Int32\"", "true") "}", "[1,2]", "[]",
              "[3,4,5,6]");
    every_way(build_pairs, true, "{\"FixedSizeList\":[" FIELD("item", "\"Int32\"", "true") ",2]}", "[1,2]",
              "[3,4]", "[5,6]");
    every_way(build_pairs_of_slice, true, "{\"FixedSizeList\":[" FIELD("item", "\"Int32\"", "true") ",2]}",
              "[1,2]", "[3,4]", "[5,6]");
    every_way(build_map, true,
              "{\"Map\":[" FIELD("entries",
                                 "{\"Struct\":[" FIELD("keys", "\"Utf8\"",
                                                       "false") "," FIELD("values", "\"Int32\"", "true") "]}",
                                 "false") ",false]}",
              "{\"a\":1}", "{\"bc\":2}", "{\"d\":3}");
    every_way(build_dictionary, true, "{\"Dictionary\":[\"Int8\",\"Utf8\"]}", "\"a\"", "\"d\"", "\"bc\"");
    every_way(build_runs, false,
              "{\"RunEndEncoded\":[" FIELD("run_ends", "\"Int32\"", "false") "," FIELD("values", "\"Int32\"",
                                                                                       "true") "]}",
              "1", "2", "2");
}

int main(void) {
    node = must_init();
    numbers();
    times();
    strings();
    nested();
    dora_node_free(node);
    CHECK_OUTPUTS(expected);
    return check_result("arrow_types");
}
