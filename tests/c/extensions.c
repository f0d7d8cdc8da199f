/*
 * Extensions of a node that has no daemon to keep them: each call says so, once its arguments are right.
 * Environment: DORA_TEST_WITH_INPUTS=extensions.json.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check.h"

static dora_node_t *node;

static void unsupported(void) {
    dora_bytes_t *out = GARBAGE_POINTER(dora_bytes_t *);
    CHECK_STATUS(DORA_ERROR_UNSUPPORTED, dora_node_extension_store(node, "ns", "key", "value", 5));
    CHECK_STATUS(DORA_ERROR_UNSUPPORTED, dora_node_extension_store(node, "", "", NULL, 0));
    CHECK_STATUS(DORA_ERROR_UNSUPPORTED, dora_node_extension_drop(node, "ns", "key"));
    for (int32_t remove = 0; remove < 2; ++remove) {
        out = GARBAGE_POINTER(dora_bytes_t *);
        CHECK_STATUS(DORA_ERROR_UNSUPPORTED, dora_node_extension_load(node, "ns", "key", remove, &out));
        CHECK(out == NULL);
    }
    out = GARBAGE_POINTER(dora_bytes_t *);
    CHECK_STATUS(DORA_ERROR_UNSUPPORTED, dora_node_extension_request(node, "ns", "payload", 7, &out));
    CHECK(out == NULL);
    out = GARBAGE_POINTER(dora_bytes_t *);
    CHECK_STATUS(DORA_ERROR_UNSUPPORTED, dora_node_extension_request(node, "ns", NULL, 0, &out));
    CHECK(out == NULL);
}

static void texts(void) {
    const char *const bad = "a\xFF";
    dora_bytes_t *out = GARBAGE_POINTER(dora_bytes_t *);
#define REFUSED(argument, call) (CHECK_STATUS(DORA_ERROR_INVALID_UTF8, call), CHECK(error_names(argument)))
    REFUSED("ns", dora_node_extension_store(node, bad, "key", "x", 1));
    REFUSED("key", dora_node_extension_store(node, "ns", bad, "x", 1));
    REFUSED("ns", dora_node_extension_drop(node, bad, "key"));
    REFUSED("key", dora_node_extension_drop(node, "ns", bad));
    REFUSED("ns", dora_node_extension_load(node, bad, "key", 0, &out));
    CHECK(out == NULL);
    out = GARBAGE_POINTER(dora_bytes_t *);
    REFUSED("key", dora_node_extension_load(node, "ns", bad, 0, &out));
    CHECK(out == NULL);
    out = GARBAGE_POINTER(dora_bytes_t *);
    REFUSED("ns", dora_node_extension_request(node, bad, "x", 1, &out));
    CHECK(out == NULL);
    out = GARBAGE_POINTER(dora_bytes_t *);
    REFUSED("ns", dora_extension_next_dropped(bad, &out));
    CHECK(out == NULL);
#undef REFUSED
}

static void sizes(void) {
    const size_t beyond[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i) {
        dora_bytes_t *out = GARBAGE_POINTER(dora_bytes_t *);
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                     dora_node_extension_store(node, "ns", "key", "x", beyond[i]));
        CHECK(error_names("size"));
        CHECK_STATUS(DORA_ERROR_INVALID_ARGUMENT,
                     dora_node_extension_request(node, "ns", "x", beyond[i], &out));
        CHECK(error_names("size"));
        CHECK(out == NULL);
    }
}

static void none_dropped(void) {
    const char *const namespaces[] = {"ns", "", "gr\xC3\xBC\xC3\x9F"};
    for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; ++i) {
        dora_bytes_t *key = GARBAGE_POINTER(dora_bytes_t *);
        CHECK_STATUS(DORA_ERROR_NOT_FOUND, dora_extension_next_dropped(namespaces[i], &key));
        CHECK(key == NULL);
    }
}

int main(void) {
    none_dropped(); /* also without a node */
    node = must_init();
    unsupported();
    texts();
    sizes();
    none_dropped();
    CHECK(dora_bytes_data(NULL) == NULL && dora_bytes_size(NULL) == 0);
    dora_bytes_free(NULL);
    dora_node_free(node);
    none_dropped();
    return check_result("extensions");
}
