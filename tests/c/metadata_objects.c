/*
 * Metadata copied and merged, and how long the pointers into it live.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "metadata_checks.h"

static void copies(void) {
    dora_metadata_t *first = made_with_each_kind();
    dora_metadata_t *second = copied(first);
    CHECK(dora_metadata_count(second) == LENGTH(kinds) - 1);
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(second, kinds[DORA_METADATA_STRING], "second", 6));
    CHECK_STATUS(DORA_OK, dora_metadata_remove(second, kinds[DORA_METADATA_BOOL]));
    IS_STRING(first, kinds[DORA_METADATA_STRING], "x");
    is_bool(first, kinds[DORA_METADATA_BOOL], true);
    dora_metadata_free(first);
    IS_STRING(second, kinds[DORA_METADATA_STRING], "second");
    HAS_STRING(second, kinds[DORA_METADATA_STRINGS], 0, "x");
    is_absent(second, kinds[DORA_METADATA_BOOL]);
    dora_metadata_free(second);
}

static void merges(void) {
    dora_metadata_t *to = made();
    dora_metadata_t *from = made();
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(to, "both", 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(to, "old", 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(from, "both", "of another kind", DORA_NUL_TERMINATED));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(from, "new", 2));
    const char *const keys_of_from[] = {"both", "new", NULL};
    const char *const keys_of_both[] = {"both", "new", "old", NULL};
    CHECK_STATUS(DORA_OK, dora_metadata_merge(to, from));
    has_keys(to, keys_of_both);
    has_keys(from, keys_of_from);
    IS_STRING(to, "both", "of another kind");
    is_integer(to, "new", 2);
    is_integer(to, "old", 1);

    dora_metadata_clear(from);
    IS_STRING(to, "both", "of another kind");
    CHECK_STATUS(DORA_OK, dora_metadata_merge(to, from)); /* with nothing */
    has_keys(to, keys_of_both);
    CHECK_STATUS(DORA_OK, dora_metadata_merge(to, to));
    has_keys(to, keys_of_both);
    IS_STRING(to, "both", "of another kind");
    CHECK_STATUS(DORA_OK, dora_metadata_merge(from, to)); /* into nothing */
    has_keys(from, keys_of_both);
    dora_metadata_free(from);
    dora_metadata_free(to);
}

/* Reading leaves pointers as they are, and gives the same again. */
static void pointers(void) {
    dora_metadata_t *m = made_with_each_kind();
    const char *key = dora_metadata_key(m, 0, NULL);
    const char *text, *one_of_list, *again;
    const int64_t *integers;
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(m, kinds[DORA_METADATA_STRING], &text, NULL));
    CHECK_STATUS(DORA_OK,
                 dora_metadata_get_strings_at(m, kinds[DORA_METADATA_STRINGS], 0, &one_of_list, NULL));
    CHECK_STATUS(DORA_OK, dora_metadata_get_integers(m, kinds[DORA_METADATA_INTEGERS], &integers, NULL));
    dora_metadata_t *copy = copied(m);
    CHECK_STATUS(DORA_OK, dora_metadata_merge(copy, m));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(copy, "text", text, DORA_NUL_TERMINATED));
    dora_metadata_free(copy);
    CHECK_TEXT("DORA_METADATA_BOOL", key);
    CHECK_TEXT("x", text);
    CHECK_TEXT("x", one_of_list);
    CHECK(*integers == 1);
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(m, kinds[DORA_METADATA_STRING], &again, NULL));
    CHECK(again == text && dora_metadata_key(m, 0, NULL) == key);

    /* A value may come from the object that it goes to: it is copied first. */
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, kinds[DORA_METADATA_STRING], one_of_list, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_get_string(m, kinds[DORA_METADATA_STRING], &text, NULL));
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, "copy", text, DORA_NUL_TERMINATED));
    IS_STRING(m, "copy", "x");
    CHECK_STATUS(DORA_OK, dora_metadata_get_integers(m, kinds[DORA_METADATA_INTEGERS], &integers, NULL));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integers(m, kinds[DORA_METADATA_INTEGERS], integers, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_get_integers(m, kinds[DORA_METADATA_INTEGERS], &integers, NULL));
    CHECK(*integers == 1);
    dora_metadata_free(m);
}

/* So may a key. */
static void own_keys(void) {
    dora_metadata_t *m = made();
    const char *const key = "longer than what an allocator keeps of a freed block";
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, key, 1));
    CHECK_STATUS(DORA_OK, dora_metadata_set_integer(m, dora_metadata_key(m, 0, NULL), 2));
    CHECK(dora_metadata_count(m) == 1);
    is_integer(m, key, 2);
    CHECK_STATUS(DORA_OK, dora_metadata_set_string(m, dora_metadata_key(m, 0, NULL), "x", 1));
    IS_STRING(m, key, "x");
    CHECK_STATUS(DORA_OK, dora_metadata_remove(m, dora_metadata_key(m, 0, NULL)));
    CHECK(dora_metadata_count(m) == 0);
    is_absent(m, key);
    dora_metadata_free(m);
}

int main(void) {
    copies();
    merges();
    pointers();
    own_keys();
    return check_result("metadata_objects");
}
