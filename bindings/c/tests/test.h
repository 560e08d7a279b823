/* What the tests share: checks that count, and files. Valid as C99 and as C++. */
#ifndef TEST_H
#define TEST_H

#include <iriscan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

/* Counts a check; says where it fails. */
static int check_at(int good, const char *what, const char *file, int line)
{
    if (good) {
        passed++;
    } else {
        failed++;
        fprintf(stderr, "%s:%d: %s (last error: %s)\n", file, line, what, iriscan_last_error());
    }
    return good;
}
#define CHECK(condition) check_at(!!(condition), #condition, __FILE__, __LINE__)

/* Equal strings; two NULL are equal. */
static int same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}
#define SAME(a, b) \
    (CHECK(same((a), (b))) ? 1 : (fprintf(stderr, "  %s\n  %s\n", (a) ? (a) : "NULL", (b) ? (b) : "NULL"), 0))

/* The last error has this in it. */
#define SAYS(words) \
    (CHECK(strstr(iriscan_last_error(), (words)) != NULL))

/* What a link says in a field, and how long that is. */
#define GET(link, field) iriscan_link_get((link), IRISCAN_FIELD_##field, NULL)
static inline size_t size_of_field(const iriscan_link *link, uint32_t field)
{
    size_t size = 99;
    const char *text = iriscan_link_get(link, field, &size);
    CHECK(text != NULL || size == 0);
    CHECK(text == NULL || text[size] == '\0');
    CHECK(text == iriscan_link_get(link, field, NULL));
    return size;
}
#define SIZE(link, field) size_of_field((link), IRISCAN_FIELD_##field)

static inline size_t source_size(const iriscan_link *link)
{
    size_t size = 0;
    CHECK(iriscan_link_source(link, &size) != NULL);
    return size;
}

static inline iriscan_iter *new_iter(const iriscan_finder *finder, const void *data, size_t size)
{
    iriscan_iter *iter;
    CHECK(iriscan_iter_new(finder, data, size, &iter) == IRISCAN_OK && iter);
    return iter;
}

static inline iriscan_scanner *new_scanner(const iriscan_finder *finder)
{
    iriscan_scanner *scanner;
    CHECK(iriscan_scanner_new(finder, &scanner) == IRISCAN_OK && scanner);
    return scanner;
}

/* Ends a test program. */
static int report(const char *name)
{
    printf("%s: %d passed, %d failed\n", name, passed, failed);
    return failed != 0 || passed == 0;
}

#endif
