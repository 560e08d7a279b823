/*
 * A filter: plain text in UTF-8 on standard input, HTML with links on standard output.
 *
 *     cc linkify.c $(pkg-config --cflags --libs iriscan) -o linkify
 *     printf 'see www.example.org <now>' | ./linkify
 *     see <a href="https://www.example.org">www.example.org</a> &lt;now&gt;
 *
 * It is a stream: memory does not grow with the text, and what is settled is written at once.
 */
#include <iriscan.h>
#include <stdio.h>
#include <string.h>

/* Writes text so that HTML shows it as it is. Returns 0, or -1 if writing fails. */
static int escape(FILE *out, const char *text, size_t size)
{
    size_t i;
    for (i = 0; i < size; i++) {
        const char *name = text[i] == '<' ? "&lt;"
            : text[i] == '>'              ? "&gt;"
            : text[i] == '&'              ? "&amp;"
            : text[i] == '"'              ? "&quot;"
            : text[i] == '\''             ? "&#39;"
            : text[i] == '\0'             ? "&#xFFFD;" /* which is what HTML makes of it */
                                          : NULL;
        if ((name ? fputs(name, out) : putc(text[i], out)) == EOF)
            return -1;
    }
    return 0;
}

static int write_text(void *out, const void *data, size_t size)
{
    return escape((FILE *)out, (const char *)data, size);
}

/* Only these open in a browser or mailer. */
static int is_safe(const iriscan_link *link)
{
    static const char *const schemes[] = {"http", "https", "mailto", "ftp"};
    size_t i;
    const char *scheme = iriscan_link_get(link, IRISCAN_FIELD_SCHEME, NULL);
    if (!iriscan_link_get(link, IRISCAN_FIELD_OPEN, NULL))
        return 0;
    if (!scheme) /* a host or an address: what opens it has the scheme */
        return 1;
    for (i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strcmp(scheme, schemes[i]) == 0)
            return 1;
    return 0;
}

static int write_link(void *user, const iriscan_link *link)
{
    FILE *out = (FILE *)user;
    size_t size, open_size;
    const char *source = (const char *)iriscan_link_source(link, &size);
    const char *open = iriscan_link_get(link, IRISCAN_FIELD_OPEN, &open_size);
    const char *warnings = iriscan_link_get(link, IRISCAN_FIELD_WARNINGS, NULL);
    if (!is_safe(link))
        return escape(out, source, size);
    if (fputs("<a href=\"", out) == EOF || escape(out, open, open_size))
        return -1;
    /* A link that may deceive says so when the pointer is on it. */
    if (*warnings && fprintf(out, "\" class=\"doubtful\" title=\"%s", warnings) < 0)
        return -1;
    if (fputs("\">", out) == EOF || escape(out, source, size))
        return -1;
    return fputs("</a>", out) == EOF;
}

int main(void)
{
    iriscan_options options;
    iriscan_finder *finder;
    iriscan_scanner *scanner;
    iriscan_sink sink = {sizeof sink, stdout, write_text, write_link};
    iriscan_status status = IRISCAN_OK;
    char chunk[65536];
    size_t size;

    iriscan_options_init(&options, sizeof options);
    options.kinds = IRISCAN_KIND_IRI | IRISCAN_KIND_BARE | IRISCAN_KIND_EMAIL;
    options.charset = "utf-8";
    if (iriscan_finder_new(&options, &finder) != IRISCAN_OK
        || iriscan_scanner_new(finder, &scanner) != IRISCAN_OK) {
        fprintf(stderr, "linkify: %s\n", iriscan_last_error());
        return 2;
    }
    while (status == IRISCAN_OK && (size = fread(chunk, 1, sizeof chunk, stdin)) > 0)
        status = iriscan_scanner_push(scanner, chunk, size, &sink);
    if (status == IRISCAN_OK)
        status = iriscan_scanner_finish(scanner, &sink);
    iriscan_scanner_free(scanner);
    iriscan_finder_free(finder);
    if (status < 0)
        fprintf(stderr, "linkify: %s\n", iriscan_last_error());
    if (ferror(stdin) || fflush(stdout) == EOF || status == IRISCAN_STOPPED)
        perror("linkify");
    return status != IRISCAN_OK || ferror(stdin) || ferror(stdout) ? 2 : 0;
}
