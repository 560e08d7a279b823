/*
 * The URL scanner of a mail program, in the shape of Evolution's CamelUrlScanner: a scanner that
 * is made once, and a function that finds the next link from a position of a line and says what
 * has to be put before it.
 *
 *     cc camel.c $(pkg-config --cflags --libs iriscan) -o camel
 *     printf 'ask <ann@example.org>, see www.example.org.\n' | ./camel
 *     5-20 mailto:ann@example.org
 *     27-42 https://www.example.org
 */
#include <iriscan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A match: the counterpart of CamelUrlMatch. */
typedef struct {
    const char *prefix; /* what `um_so` to `um_eo` lacks to be opened; static */
    size_t um_so;       /* the first byte of the link, counted from the start of the line */
    size_t um_eo;       /* the byte after it */
    const char *open;   /* the whole address in ASCII; valid until the next call. NULL: none */
} url_match;

typedef struct {
    iriscan_finder *finder;
    iriscan_iter *iter;       /* over the line that is scanned; NULL between lines */
    const iriscan_link *next; /* the link that the iterator is at; NULL after the last one */
} url_scanner;

/* Returns NULL if the options are wrong or there is no memory. */
static url_scanner *url_scanner_new(const char *charset)
{
    url_scanner *scanner = (url_scanner *)calloc(1, sizeof *scanner);
    iriscan_options options;
    if (!scanner)
        return NULL;
    iriscan_options_init(&options, sizeof options);
    options.kinds = IRISCAN_KIND_IRI | IRISCAN_KIND_BARE | IRISCAN_KIND_EMAIL;
    options.charset = charset;
    if (iriscan_finder_new(&options, &scanner->finder) != IRISCAN_OK) {
        free(scanner);
        return NULL;
    }
    return scanner;
}

/* Starts a line. It must stay where it is until the next one starts. */
static void url_scanner_line(url_scanner *scanner, const char *line, size_t size)
{
    iriscan_iter_free(scanner->iter);
    iriscan_iter_new(scanner->finder, line, size, &scanner->iter);
    iriscan_iter_next(scanner->iter, &scanner->next);
}

/* Finds the first link that starts at `from` or after it. Positions must not go back in a line.
 * Returns 1 for a link, 0 if there is none. */
static int url_scanner_scan(url_scanner *scanner, size_t from, url_match *match)
{
    uint32_t kind;
    while (scanner->next && iriscan_link_start(scanner->next, IRISCAN_UNIT_BYTES) < from)
        iriscan_iter_next(scanner->iter, &scanner->next);
    if (!scanner->next)
        return 0;
    kind = iriscan_link_kind(scanner->next);
    match->um_so = (size_t)iriscan_link_start(scanner->next, IRISCAN_UNIT_BYTES);
    match->um_eo = (size_t)iriscan_link_end(scanner->next, IRISCAN_UNIT_BYTES);
    match->open = iriscan_link_get(scanner->next, IRISCAN_FIELD_OPEN, NULL);
    match->prefix = kind == IRISCAN_KIND_EMAIL ? "mailto:" : kind == IRISCAN_KIND_BARE ? "https://" : "";
    return 1;
}

static void url_scanner_free(url_scanner *scanner)
{
    iriscan_iter_free(scanner->iter);
    iriscan_finder_free(scanner->finder);
    free(scanner);
}

int main(void)
{
    url_scanner *scanner = url_scanner_new("utf-8");
    char line[65536];

    if (!scanner)
        return fprintf(stderr, "camel: %s\n", iriscan_last_error()), 2;
    while (fgets(line, sizeof line, stdin)) {
        url_match match;
        size_t from = 0;
        url_scanner_line(scanner, line, strlen(line));
        while (url_scanner_scan(scanner, from, &match)) {
            int size = (int)(match.um_eo - match.um_so);
            printf("%lu-%lu %s%.*s\n", (unsigned long)match.um_so, (unsigned long)match.um_eo,
                   match.prefix, size, line + match.um_so);
            from = match.um_eo;
        }
    }
    url_scanner_free(scanner);
    return 0;
}
