/* Several threads with one finder and one list; objects that move from thread to thread. */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 200 };

static const char page[] = "http://a.example/\xC3\xA9 a@b.example www.c.example http://d.example/";

static iriscan_finder *finder;
static iriscan_links *list;
/* Lists that one thread makes and another one frees. */
static iriscan_links *handed[THREADS][ROUNDS];
static pthread_barrier_t barrier;

/* Threads must not count in the variables of the tests. */
typedef struct {
    int number;
    int wrong;
} worker;

static int count_link(void *user, const iriscan_link *link)
{
    *(int *)user += GET(link, URI) != NULL;
    return 0;
}

static void *work(void *argument)
{
    worker *me = (worker *)argument;
    char name[20], said[64];
    int round;

    snprintf(name, sizeof name, "word-%d", me->number);
    snprintf(said, sizeof said, "\"%s\"", name);
    pthread_barrier_wait(&barrier);
    for (round = 0; round < ROUNDS; round++) {
        iriscan_options options;
        iriscan_finder *other;
        iriscan_buffer *buffer;
        iriscan_iter *iter;
        iriscan_scanner *scanner;
        iriscan_document *document;
        iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
        const iriscan_link *link = iriscan_links_get(list, 1);
        int links = 0;
        iriscan_sink sink = {sizeof sink, &links, NULL, count_link};
        size_t at;

        me->wrong += !link || !same(GET(link, OPEN), "mailto:a@b.example");
        me->wrong += iriscan_find(finder, page, sizeof page - 1, &handed[me->number][round]) != IRISCAN_OK;
        me->wrong += iriscan_iter_new(finder, page, sizeof page - 1, &iter) != IRISCAN_OK;
        while (iriscan_iter_next(iter, &link) == 1)
            links++;
        iriscan_iter_free(iter);
        me->wrong += links != 4;
        me->wrong += iriscan_scanner_new(finder, &scanner) != IRISCAN_OK;
        for (at = 0; at < sizeof page - 1; at += 7)
            iriscan_scanner_push(scanner, page + at, at + 7 < sizeof page - 1 ? 7 : sizeof page - 1 - at, &sink);
        iriscan_scanner_finish(scanner, &sink);
        iriscan_scanner_free(scanner);
        me->wrong += links != 8;
        me->wrong += iriscan_document_open_bytes(finder, page, sizeof page - 1, "a.txt", 0, &document) != IRISCAN_OK;
        while (iriscan_document_next(document, &item) == 1)
            links++;
        iriscan_document_free(document);
        me->wrong += links != 12;
        me->wrong += iriscan_rewrite(finder, page, sizeof page - 1, &buffer) != IRISCAN_OK;
        me->wrong += iriscan_buffer_changed(buffer) != 1;
        iriscan_buffer_free(buffer);
        /* Each thread has a last error of its own. */
        iriscan_options_init(&options, sizeof options);
        options.format = name;
        me->wrong += iriscan_finder_new(&options, &other) != IRISCAN_ERR_OPTION;
        me->wrong += !strstr(iriscan_last_error(), said);
    }
    pthread_barrier_wait(&barrier);
    /* Free what the next thread made. */
    for (round = 0; round < ROUNDS; round++) {
        iriscan_links *theirs = handed[(me->number + 1) % THREADS][round];
        me->wrong += iriscan_links_count(theirs) != 4;
        iriscan_links_free(theirs);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    worker workers[THREADS];
    iriscan_options options;
    int i;

    iriscan_options_init(&options, sizeof options);
    options.kinds = IRISCAN_KIND_IRI | IRISCAN_KIND_BARE | IRISCAN_KIND_EMAIL;
    options.flags = IRISCAN_FLAG_CHARS;
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    /* Its strings are made by the threads, all at once. */
    CHECK(iriscan_find(finder, page, sizeof page - 1, &list) == IRISCAN_OK);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].wrong = 0;
        CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(workers[i].wrong == 0);
    }
    pthread_barrier_destroy(&barrier);
    SAME(iriscan_last_error(), "");
    iriscan_links_free(list);
    iriscan_finder_free(finder);
    return report("threads");
}
