/* What the header says, function by function: `behaviour FOLDER`, the folder of testdata. */
#include "bytes.h"
#include "test.h"

static iriscan_finder *with(uint32_t kinds, const char *charset, const char *format, uint32_t flags)
{
    iriscan_options options;
    iriscan_finder *finder = NULL;
    iriscan_options_init(&options, sizeof options);
    options.kinds = kinds;
    options.charset = charset;
    options.format = format;
    options.flags = flags;
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    return finder;
}

static iriscan_links *found(const iriscan_finder *finder, const char *text, size_t size)
{
    iriscan_links *links = NULL;
    CHECK(iriscan_find(finder, text, size, &links) == IRISCAN_OK);
    return links;
}

/* All members of a link. */
static void members(void)
{
    static const char text[] = "http://b\xC3\xBC" "cher.example/\xC3\xBC www.a.example xy@a.example";
    iriscan_finder *finder = with(7, "utf-8", NULL, 0);
    iriscan_links *links = found(finder, text, sizeof text - 1);
    const iriscan_link *link = iriscan_links_get(links, 0);

    CHECK(iriscan_links_count(links) == 3);
    CHECK(link->kind == IRISCAN_IRI && link->start == 0 && link->end == 25);
    SAME(link->text, "http://b\xC3\xBC" "cher.example/\xC3\xBC");
    SAME(link->iri, link->text);
    SAME(link->uri, "http://xn--bcher-kva.example/%C3%BC");
    SAME(link->open, link->uri);
    SAME(link->scheme, "http");
    SAME(link->host, "b\xC3\xBC" "cher.example");
    SAME(link->charset, "UTF-8");
    CHECK(link->text_size == 25 && link->open_size == link->uri_size && link->uri_size == 35);
    CHECK(link->scheme_size == 4 && link->host_size == 15 && link->source_size == 25);
    CHECK(link->utf16_start == IRISCAN_NONE && link->chars_end == IRISCAN_NONE);
    CHECK(!link->error && !link->part && !link->field && link->line == 0);
    CHECK(link->warnings && !link->warnings[0] && link->warnings_count == 0);
    link = iriscan_links_get(links, 1);
    CHECK(link->kind == IRISCAN_BARE && !link->scheme && link->scheme_size == 0);
    SAME(link->uri, "www.a.example");
    SAME(link->open, "https://www.a.example");
    link = iriscan_links_get(links, 2);
    CHECK(link->kind == IRISCAN_EMAIL);
    SAME(link->open, "mailto:xy@a.example");
    CHECK(iriscan_links_get(links, 3) == NULL && iriscan_links_get(links, (size_t)-1) == NULL);
    iriscan_links_free(links);
    iriscan_finder_free(finder);
    SAME(iriscan_kind_name(IRISCAN_BARE), "bare");
    SAME(iriscan_kind_name(0), "");
}

/* Warnings, a link without a URI, relative references. */
static void doubtful(void)
{
    static const char text[] = "http://\xD1\x80" "aypal.example/ http://a\xE2\x80\xAE.example/";
    static const char html[] = "<a href='../b?x&amp;y'>";
    iriscan_finder *finder = with(1, "utf-8", NULL, 0);
    iriscan_links *links = found(finder, text, sizeof text - 1);
    const iriscan_link *link = iriscan_links_get(links, 0);
    const char *const *warning;
    int mixed = 0;

    CHECK(link && link->warnings_count > 0);
    for (warning = link->warnings; *warning; warning++)
        mixed += same(*warning, "mixed-script");
    CHECK(mixed == 1);
    CHECK((size_t)(warning - link->warnings) == link->warnings_count);
    iriscan_links_free(links);
    iriscan_finder_free(finder);

    finder = with(1, "utf-8", "html", 0);
    links = found(finder, html, sizeof html - 1);
    link = iriscan_links_get(links, 0);
    CHECK(link != NULL);
    SAME(link->text, "../b?x&amp;y");
    SAME(link->iri, "../b?x&y");
    SAME(link->uri, "../b?x&y");
    CHECK(!link->open && !link->scheme && !link->host && link->open_size == 0);
    iriscan_links_free(links);
    links = found(finder, "<a href='http://\xEF\xBF\xBD.example/'>", 30);
    link = iriscan_links_get(links, 0);
    CHECK(link && !link->uri && link->uri_size == 0 && !link->open && link->error);
    CHECK(link && strstr(link->error, "UTS #46"));
    iriscan_links_free(links);
    iriscan_finder_free(finder);
}

/* A link has a U+0000 only in attributes of markup and in RDF. Then the size of its IRI says it, and a
 * warning; its URI has U+FFFD there. */
static void nul(void)
{
    static const struct {
        const char *format, *charset;
        int inside;
        size_t size;
        const char *text;
    } inputs[] = {
        {"text", "utf-8", 0, 20, "http://a.example/b\0c"},
        {"text", NULL, 0, 20, "http://a.example/b\0c"},
        {"html", "utf-8", 1, 31, "<a href='http://a.example/b\0c'>"},
        {"html", "utf-8", 1, 14, "<a href='b\0c'>"},
        {"html", "utf-8", 0, 26, "<p>http://a.example/b&#0;c"},
        {"json", "utf-8", 0, 32, "{\"a\":\"http://a.example/b\\u0000c\"}"},
        {"json", "utf-8", 0, 28, "{\"a\":\"http://a.example/b\0c\"}"},
        {"log", "utf-8", 0, 33, "GET http://a.example/b\\x00c HTTP"},
        {"turtle", "utf-8", 1, 29, "<http://a.example/b\\u0000c> a "},
        {"text", "utf-16le", 0, 26, "h\0t\0t\0p\0:\0/\0/\0a\0.\0b\0c\0\0\0d\0"},
        {"text", "utf-16be", 0, 26, "\0h\0t\0t\0p\0:\0/\0/\0a\0.\0b\0c\0\0\0d"},
    };
    size_t i;

    for (i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        iriscan_finder *finder = with(1, inputs[i].charset, inputs[i].format, 0);
        iriscan_links *links = found(finder, inputs[i].text, inputs[i].size);
        const iriscan_link *link = iriscan_links_get(links, 0);
        if (CHECK(link && iriscan_links_count(links) == 1)) {
            CHECK(memchr(link->iri, '\0', link->iri_size + 1) == link->iri + strlen(link->iri));
            CHECK((strlen(link->iri) != link->iri_size) == inputs[i].inside);
            CHECK(strlen(link->uri) == link->uri_size);
            CHECK(!inputs[i].inside || same(link->warnings[0], "not-rfc3986"));
            CHECK(link->iri[link->iri_size] == '\0' && link->uri[link->uri_size] == '\0');
        } else
            fprintf(stderr, "  in input %d\n", (int)i);
        iriscan_links_free(links);
        iriscan_finder_free(finder);
    }
}

static int note_units(void *user, const iriscan_link *link)
{
    uint64_t *units = (uint64_t *)user;
    units[0] = link->utf16_start;
    units[1] = link->chars_start;
    return 0;
}

/* Offsets in UTF-16 and characters, each on request, also with a byte order mark and detection. */
static void units(void)
{
    static const char text[] = "\xEF\xBB\xBF\xF0\x9D\x93\x92\xC3\xA9 http://a.example/";
    static const char jis[] = "\x1B$B8+$h\x1B(B http://a.example/";
    static const char wide[] = "\xFF\xFE=\xD8\0\xDE h\0t\0t\0p\0:\0/\0/\0a\0.\0b\0c\0";
    iriscan_finder *finder = with(1, NULL, NULL, IRISCAN_UTF16);
    iriscan_links *links = found(finder, text, sizeof text - 1);
    const iriscan_link *link = iriscan_links_get(links, 0);
    uint64_t streamed[2] = {0, 0};
    iriscan_sink sink = {sizeof sink, NULL, NULL, note_units};
    iriscan_scanner *scanner;
    iriscan_iter *iter;
    size_t at;

    CHECK(link && link->start == 10 && link->utf16_start == 4 && link->utf16_end == 21);
    CHECK(link && link->chars_start == IRISCAN_NONE && link->chars_end == IRISCAN_NONE);
    iriscan_links_free(links);
    iriscan_finder_free(finder);

    finder = with(1, NULL, NULL, IRISCAN_CHARS | IRISCAN_UTF16);
    links = found(finder, text, sizeof text - 1);
    link = iriscan_links_get(links, 0);
    CHECK(link && link->chars_start == 3 && link->chars_end == 20 && link->utf16_start == 4);
    iriscan_links_free(links);
    CHECK(iriscan_find_at(finder, text, sizeof text - 1, 12, &links) == IRISCAN_OK);
    link = iriscan_links_get(links, 0);
    CHECK(link && link->chars_start == 3 && link->utf16_end == 21);
    iriscan_links_free(links);
    /* ISO-2022-JP: escapes are no characters. */
    links = found(finder, jis, sizeof jis - 1);
    link = iriscan_links_get(links, 0);
    CHECK(link && same(link->charset, "ISO-2022-JP") && link->start == 11 && link->chars_start == 3);
    iriscan_links_free(links);
    iter = iriscan_iter_new(finder, jis, sizeof jis - 1);
    CHECK(iriscan_iter_next(iter, &link) == 1 && link->chars_start == 3);
    iriscan_iter_free(iter);
    sink.user = streamed;
    scanner = iriscan_scanner_new(finder);
    for (at = 0; at < sizeof jis - 1; at++)
        CHECK(iriscan_scanner_push(scanner, jis + at, 1, &sink) == IRISCAN_OK);
    CHECK(iriscan_scanner_finish(scanner, &sink) == IRISCAN_OK);
    CHECK(streamed[0] == 3 && streamed[1] == 3);
    iriscan_scanner_free(scanner);
    /* UTF-16 by its byte order mark. */
    links = found(finder, wide, sizeof wide - 1);
    link = iriscan_links_get(links, 0);
    CHECK(link == NULL || link->start > 0);
    iriscan_links_free(links);
    iriscan_finder_free(finder);
}

static bytes message(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/mail/%s", folder, name);
    return bytes_of_file(path);
}

/* The links say which message they are in, and with how much text around them. */
static void mail_context(void)
{
    static const char text[] =
        "From: =?utf-8?Q?Ren=C3=A9?= <r@a.example>\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\n"
        "Message-ID: <1@a.example>\nContent-Type: text/plain; charset=iso-8859-1\n\n"
        "f\xFCr http://a.example/, www; http://b.example/\n";
    iriscan_finder *finder = with(1, NULL, NULL, 0);
    iriscan_links *links;
    const iriscan_link *link;
    size_t i;

    CHECK(iriscan_mail_find_in_context(finder, text, sizeof text - 1, 4, &links) == IRISCAN_OK);
    CHECK(iriscan_links_count(links) == 2);
    for (i = 0; (link = iriscan_links_get(links, i)) != NULL; i++) {
        SAME(link->subject, "Gr\xC3\xBC\xC3\x9F" "e");
        SAME(link->from, "Ren\xC3\xA9 <r@a.example>");
        SAME(link->message_id, "1@a.example");
        CHECK(link->date == NULL);
        SAME(link->before, i == 0 ? "f\xC3\xBCr " : "ww; ");
        SAME(link->after, i == 0 ? ", ww" : "\n");
        CHECK(link->before_size == strlen(link->before) && link->after_size == strlen(link->after));
    }
    iriscan_links_free(links);
    CHECK(iriscan_mail_find(finder, text, sizeof text - 1, &links) == IRISCAN_OK);
    link = iriscan_links_get(links, 1);
    CHECK(link && link->subject && !link->before && !link->after && link->before_size == 0);
    iriscan_links_free(links);
    links = found(finder, "http://a.example/", 17);
    link = iriscan_links_get(links, 0);
    CHECK(link && !link->subject && !link->from && !link->message_id && !link->date && !link->before);
    iriscan_links_free(links);
    iriscan_finder_free(finder);
}

static void mail(const char *folder)
{
    iriscan_finder *finder = with(1, NULL, NULL, 0), *even;
    bytes html = message(folder, "html.eml"), base64 = message(folder, "base64.eml");
    bytes quoted = message(folder, "quoted.eml"), want = message(folder, "quoted.out");
    bytes smime = message(folder, "signed.eml");
    bytes headers = message(folder, "headers.eml");
    iriscan_links *links;
    iriscan_buffer *buffer, *changed;
    const iriscan_link *link;
    size_t i;

    CHECK(iriscan_mail_find(finder, html.data, html.size, &links) == IRISCAN_OK);
    CHECK(iriscan_links_count(links) > 0);
    for (i = 0; i < iriscan_links_count(links); i++) {
        link = iriscan_links_get(links, i);
        CHECK(link->line > 0 && link->part && link->source_size > 0);
        if (link->start == IRISCAN_NONE)
            continue;
        CHECK(link->source_size == link->end - link->start);
        CHECK(memcmp(html.data + link->start, link->source, link->source_size) == 0);
    }
    iriscan_links_free(links);
    CHECK(iriscan_mail_find(finder, base64.data, base64.size, &links) == IRISCAN_OK);
    link = iriscan_links_get(links, 0);
    CHECK(link && link->start == IRISCAN_NONE && link->end == IRISCAN_NONE && link->uri && !link->field);
    CHECK(link && link->utf16_start == IRISCAN_NONE && link->chars_start == IRISCAN_NONE);
    iriscan_links_free(links);

    CHECK(iriscan_mail_find(finder, headers.data, headers.size, &links) == IRISCAN_OK);
    CHECK(iriscan_links_count(links) > 0);
    for (i = 0; i < iriscan_links_count(links); i++) {
        link = iriscan_links_get(links, i);
        SAME(link->part, "0");
        CHECK(link->line > 0 && link->field != NULL);
    }
    iriscan_links_free(links);

    CHECK(iriscan_mail_rewrite(finder, quoted.data, quoted.size, &buffer) == IRISCAN_OK);
    CHECK(iriscan_buffer_size(buffer) == want.size && iriscan_buffer_changed(buffer) > 0);
    CHECK(memcmp(iriscan_buffer_data(buffer), want.data, want.size) == 0);
    iriscan_buffer_free(buffer);

    /* A signed message stays, unless it is asked for. */
    even = with(1, NULL, NULL, IRISCAN_EVEN_SIGNED);
    CHECK(iriscan_mail_rewrite(finder, smime.data, smime.size, &buffer) == IRISCAN_OK);
    CHECK(iriscan_mail_rewrite(even, smime.data, smime.size, &changed) == IRISCAN_OK);
    CHECK(iriscan_buffer_changed(buffer) == 0 && iriscan_buffer_size(buffer) == smime.size);
    CHECK(memcmp(iriscan_buffer_data(buffer), smime.data, smime.size) == 0);
    CHECK(iriscan_buffer_changed(changed) > 0);
    iriscan_buffer_free(buffer);
    iriscan_buffer_free(changed);
    iriscan_finder_free(even);
    iriscan_finder_free(finder);
    free(html.data);
    free(base64.data);
    free(quoted.data);
    free(want.data);
    free(smime.data);
    free(headers.data);
}

typedef iriscan_status convert(const char *, size_t, const iriscan_options *, iriscan_buffer **);

static void gives(convert *function, const char *reference, const iriscan_options *options, const char *want)
{
    iriscan_buffer *out;
    CHECK(function(reference, strlen(reference), options, &out) == IRISCAN_OK);
    SAME((const char *)iriscan_buffer_data(out), want);
    CHECK(iriscan_buffer_size(out) == strlen(want));
    iriscan_buffer_free(out);
}

static void references(void)
{
    iriscan_options options;
    iriscan_buffer *out;

    gives(iriscan_to_uri, "http://b\xC3\xBC" "cher.example/\xC3\xBC?x=\xC3\x9F#\xC3\xA9", NULL,
          "http://xn--bcher-kva.example/%C3%BC?x=%C3%9F#%C3%A9");
    gives(iriscan_to_uri, "", NULL, "");
    iriscan_options_init(&options, sizeof options);
    options.charset = "shift_jis";
    gives(iriscan_to_uri, "http://a.example/?q=\xE8\xA1\xA8", &options, "http://a.example/?q=%95%5C");
    options.query = "utf-8";
    gives(iriscan_to_uri, "http://a.example/?q=\xE8\xA1\xA8", &options, "http://a.example/?q=%E8%A1%A8");
    options.host = "keep";
    gives(iriscan_to_uri, "http://\xC3\xBC.example/", &options, "http://\xC3\xBC.example/");
    gives(iriscan_to_uri, "http://a.example/b c", NULL, "http://a.example/b%20c");
    options.disallowed = "fail";
    CHECK(iriscan_to_uri("http://a.example/b c", 20, &options, &out) == IRISCAN_REFERENCE && !out);
    CHECK(iriscan_to_uri("http://\xEF\xBF\xBD.example/", 19, NULL, &out) == IRISCAN_REFERENCE);
    SAYS("UTS #46");
    iriscan_options_init(&options, sizeof options);
    options.nfc = "always";
    gives(iriscan_to_uri, "a:e\xCC\x81", &options, "a:%C3%A9");

    gives(iriscan_to_iri, "http://xn--bcher-kva.example/%C3%BC%20x", NULL, "http://xn--bcher-kva.example/\xC3\xBC%20x");
    iriscan_options_init(&options, sizeof options);
    options.host = "unicode";
    options.inadvisable = "decode";
    gives(iriscan_to_iri, "http://xn--bcher-kva.example/%C3%BC", &options, "http://b\xC3\xBC" "cher.example/\xC3\xBC");
    options.escapes = "windows-1252";
    gives(iriscan_to_iri, "a:%FC", &options, "a:\xC3\xBC");

    gives(iriscan_normalize, "HTTP://a.example:80/b/../%7Ec", NULL, "http://a.example:80/~c");
    iriscan_options_init(&options, sizeof options);
    options.level = "scheme";
    gives(iriscan_normalize, "HTTP://a.example:80/b/../%7Ec", &options, "http://a.example/~c");
    gives(iriscan_to_text, "https://a.example/%E6%97%A5%E6%9C%AC.", NULL, "https://a.example/\xE6\x97\xA5\xE6\x9C\xAC%2E");

    CHECK(iriscan_resolve("http://a.example/b/c/d", 22, "../\xC3\xB6#s", 7, NULL, &out) == IRISCAN_OK);
    SAME((const char *)iriscan_buffer_data(out), "http://a.example/b/\xC3\xB6#s");
    iriscan_buffer_free(out);
}

static void check(void)
{
    iriscan_options options;
    iriscan_checked *checked;

    CHECK(iriscan_check("http://u@a.example:80/b?#f", 26, NULL, &checked) == IRISCAN_OK);
    CHECK(checked->valid == 1 && checked->offset == IRISCAN_NONE && !checked->message);
    SAME(checked->scheme, "http");
    SAME(checked->userinfo, "u");
    SAME(checked->host, "a.example");
    SAME(checked->port, "80");
    SAME(checked->path, "/b");
    SAME(checked->query, "");
    SAME(checked->fragment, "f");
    CHECK(checked->warnings && !checked->warnings[checked->warnings_count]);
    iriscan_checked_free(checked);
    CHECK(iriscan_check("a b", 3, NULL, &checked) == IRISCAN_OK);
    CHECK(!checked->valid && checked->offset == 1 && checked->message && !checked->scheme && !checked->query);
    SAME(checked->path, "a b");
    iriscan_checked_free(checked);
    CHECK(iriscan_check("", 0, NULL, &checked) == IRISCAN_OK);
    CHECK(checked->valid);
    SAME(checked->path, "");
    iriscan_checked_free(checked);
    iriscan_options_init(&options, sizeof options);
    options.grammar = "uri";
    CHECK(iriscan_check("a:\xC3\xBC", 4, &options, &checked) == IRISCAN_OK);
    CHECK(!checked->valid && checked->offset == 2);
    iriscan_checked_free(checked);
    CHECK(iriscan_check("a:b\0c", 5, NULL, &checked) == IRISCAN_OK);
    CHECK(!checked->valid && checked->offset == 3);
    SAME(checked->path, "b");
    iriscan_checked_free(checked);
}

/* The byte after a link is not part of it, and neither is what is before it. */
static void at(void)
{
    static const char text[] = "a http://a.example/ b";
    iriscan_finder *finder = with(1, "utf-8", NULL, 0);
    size_t offset;

    for (offset = 0; offset <= sizeof text - 1; offset++) {
        iriscan_links *links;
        CHECK(iriscan_find_at(finder, text, sizeof text - 1, offset, &links) == IRISCAN_OK);
        CHECK(iriscan_links_count(links) == (offset >= 2 && offset < 19));
        iriscan_links_free(links);
    }
    iriscan_finder_free(finder);
}

static void rewrite(void)
{
    static const char text[] = "a\0http://a.example/\xC3\xA9\r\n\xFF";
    iriscan_finder *finder = with(1, "utf-8", NULL, 0);
    iriscan_buffer *out;

    CHECK(iriscan_rewrite(finder, text, sizeof text - 1, &out) == IRISCAN_OK);
    CHECK(iriscan_buffer_size(out) == sizeof text - 1 + 4 && iriscan_buffer_changed(out) == 1);
    CHECK(memcmp(iriscan_buffer_data(out), "a\0http://a.example/%C3%A9\r\n\xFF", sizeof text + 4) == 0);
    iriscan_buffer_free(out);
    iriscan_finder_free(finder);
}

/* Some options, for the tests below. */
static iriscan_options of_format(const char *format)
{
    iriscan_options options;
    iriscan_options_init(&options, sizeof options);
    options.charset = "utf-8";
    options.format = format;
    return options;
}

static int add_text(void *user, const iriscan_link *link)
{
    char *all = (char *)user;
    strcat(strcat(all, link->text), " ");
    return 0;
}

/* The links that these options choose from a text, in all ways, are `want`. */
static void chooses(const iriscan_options *options, const char *text, const char *want)
{
    size_t size = strlen(text), i;
    /* The texts of the links, from: a list, a scanner, an iterator, mail. */
    char all[4][400] = {"", "", "", ""}, message[400] = "\n";
    iriscan_sink sink = {sizeof sink, all[1], NULL, add_text};
    iriscan_finder *finder;
    iriscan_links *links;
    iriscan_scanner *scanner;
    iriscan_iter *iter;
    const iriscan_link *link;

    if (!CHECK(iriscan_finder_new(options, &finder) == IRISCAN_OK))
        return;
    links = found(finder, text, size);
    for (i = 0; (link = iriscan_links_get(links, i)) != NULL; i++) {
        iriscan_links *one;
        add_text(all[0], link);
        CHECK(iriscan_find_at(finder, text, size, link->start, &one) == IRISCAN_OK);
        CHECK(iriscan_links_count(one) == 1);
        iriscan_links_free(one);
    }
    CHECK(iriscan_has_link(finder, text, size) == (i > 0));
    iriscan_links_free(links);
    scanner = iriscan_scanner_new(finder);
    for (i = 0; i < size; i++)
        CHECK(iriscan_scanner_push(scanner, text + i, 1, &sink) == IRISCAN_OK);
    CHECK(iriscan_scanner_finish(scanner, &sink) == IRISCAN_OK);
    iriscan_scanner_free(scanner);
    iter = iriscan_iter_new(finder, text, size);
    while (iriscan_iter_next(iter, &link) == 1)
        add_text(all[2], link);
    iriscan_iter_free(iter);
    strcat(message, text);
    CHECK(iriscan_mail_find(finder, message, size + 1, &links) == IRISCAN_OK);
    for (i = 0; (link = iriscan_links_get(links, i)) != NULL; i++)
        add_text(all[3], link);
    iriscan_links_free(links);
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        const char *got = all[i];
        SAME(got, want);
    }
    iriscan_finder_free(finder);
}

/* Each option that chooses, alone and together. */
static void choosing(void)
{
    static const char text[] = "http://a.example/\xC3\xA9 http://www.b.example/ http://\xE4\xBE\x8B\xE3\x81\x88.jp/q mailto:u@c.example";
#define A "http://a.example/\xC3\xA9 "
#define B "http://www.b.example/ "
#define JP "http://\xE4\xBE\x8B\xE3\x81\x88.jp/q "
#define MAIL "mailto:u@c.example "
    static const char *const below[] = {"*.example", NULL};
    static const char *const either[] = {"xn--r8jz45g.jp", "a.*", NULL};
    static const char *const not_these[] = {"*.jp", "*b*", NULL};
    static const char *const hosts[] = {"# list\r\n0.0.0.0 b.example\n", "||a.example^", NULL};
    static const char *const expressions[] = {"^mailto:", "/q$", NULL};
    static const char *const example[] = {"example", NULL};
    static const char *const literals[] = {"\xC3\xA9", "u@", "", NULL};
    iriscan_options options = of_format(NULL);

    chooses(&options, text, A B JP MAIL);
    options.only_host = below;
    chooses(&options, text, A B);
    options.not_match = example;
    chooses(&options, text, "");
    options = of_format(NULL);
    options.only_host = either;
    chooses(&options, text, A JP);
    options = of_format(NULL);
    options.not_host = not_these;
    chooses(&options, text, A MAIL);
    options = of_format(NULL);
    options.hosts_from = hosts;
    chooses(&options, text, A B);
    options = of_format(NULL);
    options.match = expressions;
    chooses(&options, text, JP MAIL);
    options = of_format(NULL);
    options.not_match = example;
    chooses(&options, text, JP);
    options = of_format(NULL);
    options.contains_from = literals;
    chooses(&options, text, A MAIL);
    options.flags = IRISCAN_CHANGED;
    chooses(&options, text, A);
    options = of_format(NULL);
    options.flags = IRISCAN_CHANGED;
    chooses(&options, text, A JP);
#undef A
#undef B
#undef JP
#undef MAIL
}

/* What rewriting with these options makes of a text, and what it says of it. */
static void makes(const iriscan_options *options, const char *text, const char *want, uint64_t changed,
                  uint64_t unconvertible, uint64_t lost)
{
    iriscan_finder *finder;
    iriscan_buffer *out;

    if (!CHECK(iriscan_finder_new(options, &finder) == IRISCAN_OK))
        return;
    CHECK(iriscan_rewrite(finder, text, strlen(text), &out) == IRISCAN_OK);
    SAME((const char *)iriscan_buffer_data(out), want);
    CHECK(iriscan_buffer_changed(out) == changed);
    CHECK(iriscan_buffer_unconvertible(out) == unconvertible);
    CHECK(iriscan_buffer_lost(out) == lost);
    iriscan_buffer_free(out);
    iriscan_finder_free(finder);
}

/* Templates, and the way back to IRIs. */
static void templates(void)
{
    static const char *const hosts[] = {"b.example", NULL};
    static const char two[] = "http://a.example/x http://b.example/\xC3\xA9";
    iriscan_options options = of_format(NULL);
    iriscan_finder *finder;
    iriscan_buffer *out;

    options.template_text = "[{n}: {host}{path}]";
    makes(&options, two, "[1: a.example/x] [2: b.example/\xC3\xA9]", 2, 0, 0);
    options.only_host = hosts;
    makes(&options, two, "http://a.example/x [1: b.example/\xC3\xA9]", 1, 0, 0);
    options.template_text = "";
    makes(&options, two, "http://a.example/x ", 1, 0, 0);
    options = of_format("html");
    options.template_text = "<{iri}>";
    makes(&options, "<p>http://a.example/?x&amp;y", "<p>&lt;http://a.example/?x&amp;y&gt;", 1, 0, 0);
    /* A reference that is not whole lacks {open}. */
    options.template_text = "{open}";
    makes(&options, "<a href='x'><a href='http://a.example/'>", "<a href='x'><a href='http://a.example/'>", 0, 1, 0);
    options = of_format(NULL);
    options.charset = "iso-8859-2";
    options.template_text = "\xE2\x82\xAC {host}";
    makes(&options, "http://a.example/", "? a.example", 1, 0, 1);
    options = of_format(NULL);
    options.flags = IRISCAN_DEFANG;
    makes(&options, "http://www.a.example/x.html", "hxxp[:]//www[.]a[.]example/x.html", 1, 0, 0);
    options.template_text = "{host}";
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OPTION && !finder);
    SAYS("template_text");

    options = of_format(NULL);
    options.to = "iri";
    makes(&options, "http://xn--bcher-kva.example/%C3%BC", "http://xn--bcher-kva.example/\xC3\xBC", 1, 0, 0);
    options.host = "unicode";
    makes(&options, "http://xn--bcher-kva.example/%C3%BC", "http://b\xC3\xBC" "cher.example/\xC3\xBC", 1, 0, 0);

    /* Mail too. */
    options = of_format(NULL);
    options.template_text = "[{host}]";
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    CHECK(iriscan_mail_rewrite(finder, "\nhttp://a.example/x\n", 20, &out) == IRISCAN_OK);
    SAME((const char *)iriscan_buffer_data(out), "\n[a.example]\n");
    CHECK(iriscan_buffer_changed(out) == 1 && iriscan_buffer_unconvertible(out) == 0);
    iriscan_buffer_free(out);
    iriscan_finder_free(finder);
}

/* Formats whose links have escapes or fields. */
static void formats(void)
{
    iriscan_options options = of_format("csv");

    makes(&options, "a,http://a.example/\xC3\xA9,b\r\n", "a,http://a.example/%C3%A9,b\r\n", 1, 0, 0);
    options.template_text = "{host},{scheme}";
    makes(&options, "a,http://a.example/,b\r\n", "a,\"a.example,http\",b\r\n", 1, 0, 0);
    options.delimiter = ";";
    makes(&options, "a;http://a.example/,b;c\r\n", "a;a.example,http;c\r\n", 1, 0, 0);
    options = of_format("markdown");
    options.template_text = "{iri}!";
    makes(&options, "[a](http://a.example/a\\_b) `http://b.example/`", "[a](http://a.example/a_b!) `http://b.example/!`", 2, 0, 0);
    options.flags = IRISCAN_NO_CODE;
    makes(&options, "[a](http://a.example/) `http://b.example/`", "[a](http://a.example/!) `http://b.example/`", 1, 0, 0);
    options = of_format("asciidoc");
    makes(&options, "see http://a.example/\xC3\xA9[text]", "see http://a.example/%C3%A9[text]", 1, 0, 0);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return fprintf(stderr, "usage: behaviour FOLDER\n"), 2;
    SAME(iriscan_version(), IRISCAN_VERSION);
    members();
    doubtful();
    nul();
    units();
    mail(argv[1]);
    mail_context();
    references();
    check();
    at();
    rewrite();
    choosing();
    templates();
    formats();
    return report("behaviour");
}
