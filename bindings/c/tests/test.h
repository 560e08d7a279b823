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

/* Ends a test program. */
static int report(const char *name)
{
    printf("%s: %d passed, %d failed\n", name, passed, failed);
    return failed != 0 || passed == 0;
}

#endif
