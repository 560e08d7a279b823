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
    CHECK(iriscan_link_kind(link) == IRISCAN_KIND_IRI && iriscan_link_start(link, IRISCAN_UNIT_BYTES) == 0 && iriscan_link_end(link, IRISCAN_UNIT_BYTES) == 25);
    SAME(GET(link, TEXT), "http://b\xC3\xBC" "cher.example/\xC3\xBC");
    SAME(GET(link, IRI), GET(link, TEXT));
    SAME(GET(link, URI), "http://xn--bcher-kva.example/%C3%BC");
    SAME(GET(link, OPEN), GET(link, URI));
    SAME(GET(link, SCHEME), "http");
    SAME(GET(link, HOST), "b\xC3\xBC" "cher.example");
    SAME(GET(link, CHARSET), "UTF-8");
    CHECK(SIZE(link, TEXT) == 25 && SIZE(link, OPEN) == SIZE(link, URI) && SIZE(link, URI) == 35);
    CHECK(SIZE(link, SCHEME) == 4 && SIZE(link, HOST) == 15 && source_size(link) == 25);
    CHECK(iriscan_link_start(link, IRISCAN_UNIT_UTF16) == IRISCAN_NO_OFFSET && iriscan_link_end(link, IRISCAN_UNIT_CHARS) == IRISCAN_NO_OFFSET);
    CHECK(!GET(link, ERROR) && !GET(link, PART) && !GET(link, HEADER) && iriscan_link_line(link) == 0);
    SAME(GET(link, WARNINGS), "");
    CHECK(iriscan_link_has_warning(link, NULL) == 0);
    SAME(GET(link, DOMAIN), "xn--bcher-kva.example");
    SAME(GET(link, PATH), "/\xC3\xBC");
    CHECK(!GET(link, QUERY) && !GET(link, USERINFO) && iriscan_link_column(link) == 0);
    link = iriscan_links_get(links, 1);
    CHECK(iriscan_link_kind(link) == IRISCAN_KIND_BARE && !GET(link, SCHEME) && SIZE(link, SCHEME) == 0);
    SAME(GET(link, URI), "www.a.example");
    SAME(GET(link, OPEN), "https://www.a.example");
    link = iriscan_links_get(links, 2);
    CHECK(iriscan_link_kind(link) == IRISCAN_KIND_EMAIL);
    SAME(GET(link, OPEN), "mailto:xy@a.example");
    CHECK(iriscan_links_get(links, 3) == NULL && iriscan_links_get(links, (size_t)-1) == NULL);
    iriscan_links_free(links);
    iriscan_finder_free(finder);
    SAME(iriscan_kind_name(IRISCAN_KIND_BARE), "bare");
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

    CHECK(link && iriscan_link_has_warning(link, "mixed-script") == 1);
    CHECK(iriscan_link_has_warning(link, NULL) == 1 && iriscan_link_has_warning(link, "userinfo") == 0);
    CHECK(strstr(GET(link, WARNINGS), "mixed-script") != NULL);
    iriscan_links_free(links);
    iriscan_finder_free(finder);

    finder = with(1, "utf-8", "html", 0);
    links = found(finder, html, sizeof html - 1);
    link = iriscan_links_get(links, 0);
    CHECK(link != NULL);
    SAME(GET(link, TEXT), "../b?x&amp;y");
    SAME(GET(link, IRI), "../b?x&y");
    SAME(GET(link, URI), "../b?x&y");
    CHECK(!GET(link, OPEN) && !GET(link, SCHEME) && !GET(link, HOST) && SIZE(link, OPEN) == 0);
    iriscan_links_free(links);
    links = found(finder, "<a href='http://\xEF\xBF\xBD.example/'>", 30);
    link = iriscan_links_get(links, 0);
    CHECK(link && !GET(link, URI) && SIZE(link, URI) == 0 && !GET(link, OPEN) && GET(link, ERROR));
    CHECK(link && strstr(GET(link, ERROR), "UTS #46"));
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
            CHECK(memchr(GET(link, IRI), '\0', SIZE(link, IRI) + 1) == GET(link, IRI) + strlen(GET(link, IRI)));
            CHECK((strlen(GET(link, IRI)) != SIZE(link, IRI)) == inputs[i].inside);
            CHECK(strlen(GET(link, URI)) == SIZE(link, URI));
            CHECK(!inputs[i].inside || iriscan_link_has_warning(link, "not-rfc3986") == 1);
            CHECK(GET(link, IRI)[SIZE(link, IRI)] == '\0' && GET(link, URI)[SIZE(link, URI)] == '\0');
        } else
            fprintf(stderr, "  in input %d\n", (int)i);
        iriscan_links_free(links);
        iriscan_finder_free(finder);
    }
}

static int note_units(void *user, const iriscan_link *link)
{
    uint64_t *units = (uint64_t *)user;
    units[0] = iriscan_link_start(link, IRISCAN_UNIT_UTF16);
    units[1] = iriscan_link_start(link, IRISCAN_UNIT_CHARS);
    return 0;
}

/* Offsets in UTF-16 and characters, each on request, also with a byte order mark and detection. */
static void units(void)
{
    static const char text[] = "\xEF\xBB\xBF\xF0\x9D\x93\x92\xC3\xA9 http://a.example/";
    static const char jis[] = "\x1B$B8+$h\x1B(B http://a.example/";
    static const char wide[] = "\xFF\xFE=\xD8\0\xDE h\0t\0t\0p\0:\0/\0/\0a\0.\0b\0c\0";
    iriscan_finder *finder = with(1, NULL, NULL, IRISCAN_FLAG_UTF16);
    iriscan_links *links = found(finder, text, sizeof text - 1);
    const iriscan_link *link = iriscan_links_get(links, 0);
    uint64_t streamed[2] = {0, 0};
    iriscan_sink sink = {sizeof sink, NULL, NULL, note_units};
    iriscan_scanner *scanner;
    iriscan_iter *iter;
    size_t at;

    CHECK(link && iriscan_link_start(link, IRISCAN_UNIT_BYTES) == 10 && iriscan_link_start(link, IRISCAN_UNIT_UTF16) == 4 && iriscan_link_end(link, IRISCAN_UNIT_UTF16) == 21);
    CHECK(link && iriscan_link_start(link, IRISCAN_UNIT_CHARS) == IRISCAN_NO_OFFSET && iriscan_link_end(link, IRISCAN_UNIT_CHARS) == IRISCAN_NO_OFFSET);
    iriscan_links_free(links);
    iriscan_finder_free(finder);

    finder = with(1, NULL, NULL, IRISCAN_FLAG_CHARS | IRISCAN_FLAG_UTF16);
    links = found(finder, text, sizeof text - 1);
    link = iriscan_links_get(links, 0);
    CHECK(link && iriscan_link_start(link, IRISCAN_UNIT_CHARS) == 3 && iriscan_link_end(link, IRISCAN_UNIT_CHARS) == 20 && iriscan_link_start(link, IRISCAN_UNIT_UTF16) == 4);
    iriscan_links_free(links);
    CHECK(iriscan_find_at(finder, text, sizeof text - 1, 12, &links) == IRISCAN_OK);
    link = iriscan_links_get(links, 0);
    CHECK(link && iriscan_link_start(link, IRISCAN_UNIT_CHARS) == 3 && iriscan_link_end(link, IRISCAN_UNIT_UTF16) == 21);
    iriscan_links_free(links);
    /* ISO-2022-JP: escapes are no characters. */
    links = found(finder, jis, sizeof jis - 1);
    link = iriscan_links_get(links, 0);
    CHECK(link && same(GET(link, CHARSET), "ISO-2022-JP") && iriscan_link_start(link, IRISCAN_UNIT_BYTES) == 11 && iriscan_link_start(link, IRISCAN_UNIT_CHARS) == 3);
    iriscan_links_free(links);
    iter = new_iter(finder, jis, sizeof jis - 1);
    CHECK(iriscan_iter_next(iter, &link) == 1 && iriscan_link_start(link, IRISCAN_UNIT_CHARS) == 3);
    iriscan_iter_free(iter);
    sink.user = streamed;
    scanner = new_scanner(finder);
    for (at = 0; at < sizeof jis - 1; at++)
        CHECK(iriscan_scanner_push(scanner, jis + at, 1, &sink) == IRISCAN_OK);
    CHECK(iriscan_scanner_finish(scanner, &sink) == IRISCAN_OK);
    CHECK(streamed[0] == 3 && streamed[1] == 3);
    iriscan_scanner_free(scanner);
    /* UTF-16 by its byte order mark. */
    links = found(finder, wide, sizeof wide - 1);
    link = iriscan_links_get(links, 0);
    CHECK(link == NULL || iriscan_link_start(link, IRISCAN_UNIT_BYTES) > 0);
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
        SAME(GET(link, SUBJECT), "Gr\xC3\xBC\xC3\x9F" "e");
        SAME(GET(link, FROM), "Ren\xC3\xA9 <r@a.example>");
        SAME(GET(link, MESSAGE_ID), "1@a.example");
        CHECK(GET(link, DATE) == NULL);
        SAME(GET(link, BEFORE), i == 0 ? "f\xC3\xBCr " : "ww; ");
        SAME(GET(link, AFTER), i == 0 ? ", ww" : "\n");
        CHECK(SIZE(link, BEFORE) == strlen(GET(link, BEFORE)) && SIZE(link, AFTER) == strlen(GET(link, AFTER)));
    }
    iriscan_links_free(links);
    CHECK(iriscan_mail_find(finder, text, sizeof text - 1, &links) == IRISCAN_OK);
    link = iriscan_links_get(links, 1);
    CHECK(link && GET(link, SUBJECT) && !GET(link, BEFORE) && !GET(link, AFTER) && SIZE(link, BEFORE) == 0);
    iriscan_links_free(links);
    links = found(finder, "http://a.example/", 17);
    link = iriscan_links_get(links, 0);
    CHECK(link && !GET(link, SUBJECT) && !GET(link, FROM) && !GET(link, MESSAGE_ID) && !GET(link, DATE) && !GET(link, BEFORE));
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
        CHECK(iriscan_link_line(link) > 0 && GET(link, PART) && source_size(link) > 0);
        if (iriscan_link_start(link, IRISCAN_UNIT_BYTES) == IRISCAN_NO_OFFSET)
            continue;
        CHECK(source_size(link) == iriscan_link_end(link, IRISCAN_UNIT_BYTES) - iriscan_link_start(link, IRISCAN_UNIT_BYTES));
        CHECK(memcmp(html.data + iriscan_link_start(link, IRISCAN_UNIT_BYTES), iriscan_link_source(link, NULL), source_size(link)) == 0);
    }
    iriscan_links_free(links);
    CHECK(iriscan_mail_find(finder, base64.data, base64.size, &links) == IRISCAN_OK);
    link = iriscan_links_get(links, 0);
    CHECK(link && iriscan_link_start(link, IRISCAN_UNIT_BYTES) == IRISCAN_NO_OFFSET && iriscan_link_end(link, IRISCAN_UNIT_BYTES) == IRISCAN_NO_OFFSET && GET(link, URI) && !GET(link, HEADER));
    CHECK(link && iriscan_link_start(link, IRISCAN_UNIT_UTF16) == IRISCAN_NO_OFFSET && iriscan_link_start(link, IRISCAN_UNIT_CHARS) == IRISCAN_NO_OFFSET);
    iriscan_links_free(links);

    CHECK(iriscan_mail_find(finder, headers.data, headers.size, &links) == IRISCAN_OK);
    CHECK(iriscan_links_count(links) > 0);
    for (i = 0; i < iriscan_links_count(links); i++) {
        link = iriscan_links_get(links, i);
        SAME(GET(link, PART), "0");
        CHECK(iriscan_link_line(link) > 0 && GET(link, HEADER) != NULL);
    }
    iriscan_links_free(links);

    CHECK(iriscan_mail_rewrite(finder, quoted.data, quoted.size, &buffer) == IRISCAN_OK);
    CHECK(iriscan_buffer_size(buffer) == want.size && iriscan_buffer_changed(buffer) > 0);
    CHECK(memcmp(iriscan_buffer_data(buffer), want.data, want.size) == 0);
    iriscan_buffer_free(buffer);

    /* A signed message stays, unless it is asked for. */
    even = with(1, NULL, NULL, IRISCAN_FLAG_EVEN_SIGNED);
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

static void holds(iriscan_status status, iriscan_buffer *out, const char *want)
{
    CHECK(status == IRISCAN_OK);
    SAME((const char *)iriscan_buffer_data(out), want);
    CHECK(iriscan_buffer_size(out) == strlen(want));
    iriscan_buffer_free(out);
}

/* Strings of the reference and its conversion. */
static void uri_is(const char *reference, const iriscan_uri_options *options, const char *want)
{
    iriscan_buffer *out;
    iriscan_status status = iriscan_to_uri(reference, strlen(reference), options, &out);
    holds(status, out, want);
}

static void iri_is(const char *reference, const iriscan_iri_options *options, const char *want)
{
    iriscan_buffer *out;
    iriscan_status status = iriscan_to_iri(reference, strlen(reference), options, &out);
    holds(status, out, want);
}

static void normal_is(const char *reference, const char *level, const char *want)
{
    iriscan_buffer *out;
    iriscan_status status = iriscan_normalize(reference, strlen(reference), level, &out);
    holds(status, out, want);
}

static void references(void)
{
    iriscan_uri_options to_uri = {sizeof to_uri, NULL, NULL, NULL, NULL, NULL};
    iriscan_iri_options to_iri = {sizeof to_iri, NULL, NULL, NULL, NULL};
    iriscan_buffer *out;
    iriscan_status status;

    uri_is("http://b\xC3\xBC" "cher.example/\xC3\xBC?x=\xC3\x9F#\xC3\xA9", NULL,
           "http://xn--bcher-kva.example/%C3%BC?x=%C3%9F#%C3%A9");
    uri_is("", NULL, "");
    to_uri.charset = "shift_jis";
    uri_is("http://a.example/?q=\xE8\xA1\xA8", &to_uri, "http://a.example/?q=%95%5C");
    to_uri.query = "utf-8";
    uri_is("http://a.example/?q=\xE8\xA1\xA8", &to_uri, "http://a.example/?q=%E8%A1%A8");
    to_uri.host = "keep";
    uri_is("http://\xC3\xBC.example/", &to_uri, "http://\xC3\xBC.example/");
    uri_is("http://a.example/b c", NULL, "http://a.example/b%20c");
    to_uri.disallowed = "fail";
    CHECK(iriscan_to_uri("http://a.example/b c", 20, &to_uri, &out) == IRISCAN_ERR_REFERENCE && !out);
    CHECK(iriscan_to_uri("http://\xEF\xBF\xBD.example/", 19, NULL, &out) == IRISCAN_ERR_REFERENCE);
    SAYS("UTS #46");
    memset(&to_uri, 0, sizeof to_uri);
    to_uri.size = sizeof to_uri;
    to_uri.nfc = "always";
    uri_is("a:e\xCC\x81", &to_uri, "a:%C3%A9");

    iri_is("http://xn--bcher-kva.example/%C3%BC%20x", NULL, "http://xn--bcher-kva.example/\xC3\xBC%20x");
    to_iri.host = "unicode";
    to_iri.inadvisable = "decode";
    iri_is("http://xn--bcher-kva.example/%C3%BC", &to_iri, "http://b\xC3\xBC" "cher.example/\xC3\xBC");
    to_iri.escapes = "windows-1252";
    iri_is("a:%FC", &to_iri, "a:\xC3\xBC");

    normal_is("HTTP://a.example:80/b/../%7Ec", NULL, "http://a.example:80/~c");
    normal_is("HTTP://a.example:80/b/../%7Ec", "scheme", "http://a.example/~c");
    status = iriscan_to_text("https://a.example/%E6%97%A5%E6%9C%AC.", 37, &out);
    holds(status, out, "https://a.example/\xE6\x97\xA5\xE6\x9C\xAC%2E");
    CHECK(iriscan_equivalent("http://a.example/b", 18, "HTTP://a.example/./b", 20, NULL) == 1);
    CHECK(iriscan_equivalent("http://a.example/b", 18, "HTTP://a.example/./b", 20, "string") == 0);
    CHECK(iriscan_equivalent("http://a.example:80", 19, "http://a.example/", 17, NULL) == 0);
    CHECK(iriscan_equivalent("http://a.example:80", 19, "http://a.example/", 17, "scheme") == 1);
    status = iriscan_resolve("http://a.example/b/c/d", 22, "../\xC3\xB6#s", 7, &out);
    holds(status, out, "http://a.example/b/\xC3\xB6#s");
}

#define PART(field) iriscan_checked_get(checked, IRISCAN_FIELD_##field, NULL)

static void check(void)
{
    iriscan_checked *checked;
    size_t size = 9;

    CHECK(iriscan_check("http://u@a.example:80/b?#f", 26, NULL, &checked) == IRISCAN_OK);
    CHECK(iriscan_checked_is_valid(checked) == 1 && !PART(ERROR));
    CHECK(iriscan_checked_offset(checked) == IRISCAN_NO_OFFSET);
    SAME(PART(SCHEME), "http");
    SAME(PART(USERINFO), "u");
    SAME(PART(HOST), "a.example");
    SAME(PART(PORT), "80");
    SAME(PART(PATH), "/b");
    SAME(PART(QUERY), "");
    SAME(PART(FRAGMENT), "f");
    SAME(PART(WARNINGS), "userinfo");
    CHECK(iriscan_checked_has_warning(checked, "userinfo") == 1);
    CHECK(iriscan_checked_has_warning(checked, "mixed-script") == 0);
    CHECK(iriscan_checked_has_warning(checked, NULL) == 1 && !PART(OPEN));
    iriscan_checked_free(checked);
    CHECK(iriscan_check("a b", 3, NULL, &checked) == IRISCAN_OK);
    CHECK(iriscan_checked_is_valid(checked) == 0 && iriscan_checked_offset(checked) == 1);
    CHECK(PART(ERROR) && !PART(SCHEME) && !PART(QUERY));
    SAME(PART(PATH), "a b");
    iriscan_checked_free(checked);
    CHECK(iriscan_check("", 0, NULL, &checked) == IRISCAN_OK);
    CHECK(iriscan_checked_is_valid(checked) == 1);
    SAME(PART(PATH), "");
    iriscan_checked_free(checked);
    CHECK(iriscan_check("a:\xC3\xBC", 4, "uri", &checked) == IRISCAN_OK);
    CHECK(iriscan_checked_is_valid(checked) == 0 && iriscan_checked_offset(checked) == 2);
    iriscan_checked_free(checked);
    CHECK(iriscan_check("a:b\0c", 5, NULL, &checked) == IRISCAN_OK);
    CHECK(iriscan_checked_is_valid(checked) == 0 && iriscan_checked_offset(checked) == 3);
    SAME(iriscan_checked_get(checked, IRISCAN_FIELD_PATH, &size), "b");
    CHECK(size == 3);
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

/* Lines, columns, and links that open the same. */
static void lines(void)
{
    static const char text[] = "a\r\n\xC3\xBC http://a.example/ b\nhttp://a.example/#x www.a.example https://www.a.example";
    iriscan_finder *finder = with(3, "utf-8", NULL, IRISCAN_FLAG_LINES);
    iriscan_links *links = found(finder, text, sizeof text - 1);
    const iriscan_link *link = iriscan_links_get(links, 0);

    CHECK(iriscan_links_count(links) == 4);
    CHECK(iriscan_link_line(link) == 2 && iriscan_link_column(link) == 3);
    CHECK(iriscan_link_start(link, IRISCAN_UNIT_CHARS) == IRISCAN_NO_OFFSET);
    link = iriscan_links_get(links, 1);
    CHECK(iriscan_link_line(link) == 3 && iriscan_link_column(link) == 1);
    iriscan_links_free(links);
    iriscan_finder_free(finder);
    finder = with(3, "utf-8", NULL, IRISCAN_FLAG_UNIQUE);
    links = found(finder, text, sizeof text - 1);
    CHECK(iriscan_links_count(links) == 3);
    link = iriscan_links_get(links, 2);
    SAME(GET(link, TEXT), "www.a.example");
    CHECK(iriscan_link_line(link) == 0);
    iriscan_links_free(links);
    iriscan_finder_free(finder);
}

/* What a stream was rewritten to. */
typedef struct {
    bytes all;
    size_t calls, most;
} taken;

static int take(void *user, const void *data, size_t size)
{
    taken *to = (taken *)user;
    CHECK(data != NULL && size > 0);
    bytes_add(&to->all, data, size);
    return ++to->calls == to->most;
}

static void rewriter(void)
{
    static const char text[] = "a http://a.example/\xC3\xA9 <http://b.example/\xC3\xBC>";
    static const char want[] = "a http://a.example/%C3%A9 <http://b.example/%C3%BC>";
    iriscan_finder *finder = with(1, "utf-8", NULL, 0);
    iriscan_rewriter *made;
    iriscan_status status = IRISCAN_OK;
    size_t step, at;

    for (step = 1; step < sizeof text; step++) {
        taken to = {{NULL, 0, 0}, 0, 0};
        CHECK(iriscan_rewriter_new(finder, &made) == IRISCAN_OK);
        for (at = 0; at < sizeof text - 1; at += step) {
            size_t size = sizeof text - 1 - at < step ? sizeof text - 1 - at : step;
            CHECK(iriscan_rewriter_push(made, text + at, size, take, &to) == IRISCAN_OK);
        }
        CHECK(iriscan_rewriter_finish(made, take, &to) == IRISCAN_OK);
        CHECK(iriscan_rewriter_changed(made) == 2);
        CHECK(to.all.size == sizeof want - 1 && memcmp(to.all.data, want, to.all.size) == 0);
        CHECK(iriscan_rewriter_finish(made, take, &to) == IRISCAN_ERR_STATE);
        iriscan_rewriter_free(made);
        free(to.all.data);
    }
    /* The caller stops it. */
    CHECK(iriscan_rewriter_new(finder, &made) == IRISCAN_OK);
    {
        taken to = {{NULL, 0, 0}, 0, 1};
        for (at = 0; at < sizeof text - 1 && status == IRISCAN_OK; at++)
            status = iriscan_rewriter_push(made, text + at, 1, take, &to);
        CHECK(status == IRISCAN_STOPPED && to.calls == 1);
        CHECK(iriscan_rewriter_push(made, text, 1, take, &to) == IRISCAN_ERR_STATE);
        free(to.all.data);
    }
    iriscan_rewriter_free(made);
    iriscan_finder_free(finder);
}

/* Hosts in upper case take the place of links; those of b.example stay. */
static void shout(void *user, const iriscan_link *link, iriscan_replacement *replacement)
{
    const char *host = GET(link, HOST);
    int *calls = (int *)user;
    ++*calls;
    CHECK(iriscan_replacement_add(replacement, "\xFF", 1) == IRISCAN_ERR_UTF8);
    if (strcmp(host, "b.example") == 0)
        return;
    CHECK(iriscan_replacement_add(replacement, "<", 1) == IRISCAN_OK);
    CHECK(iriscan_replacement_add(replacement, host, strlen(host)) == IRISCAN_OK);
}

static void replace(void)
{
    iriscan_finder *finder = with(1, "utf-8", "html", 0);
    static const char html[] = "<p>http://a.example/ http://b.example/ http://c.example/\xC3\xA9";
    iriscan_buffer *out;
    int calls = 0;

    CHECK(iriscan_replace(finder, html, sizeof html - 1, shout, &calls, &out) == IRISCAN_OK);
    SAME((const char *)iriscan_buffer_data(out), "<p>&lt;a.example http://b.example/ &lt;c.example");
    CHECK(iriscan_buffer_changed(out) == 2 && calls == 3);
    iriscan_buffer_free(out);
    iriscan_finder_free(finder);
}

static void linkify(void)
{
    static const char text[] = "<b> & 'http://a.example/?x&y' www.b.example u@c.example tel:1 \"";
    static const char jis[] = "\x82\xA0 http://a.example/\x82\xA0 <";
    iriscan_options options;
    iriscan_finder *finder = with(7, "utf-8", NULL, 0);
    iriscan_buffer *out;

    CHECK(iriscan_linkify(finder, text, sizeof text - 1, &out) == IRISCAN_OK);
    SAME((const char *)iriscan_buffer_data(out),
         "&lt;b&gt; &amp; &#39;<a href=\"http://a.example/?x&amp;y\">http://a.example/?x&amp;y</a>&#39; "
         "<a href=\"https://www.b.example\">www.b.example</a> "
         "<a href=\"mailto:u@c.example\">u@c.example</a> tel:1 &quot;");
    CHECK(iriscan_buffer_changed(out) == 3);
    iriscan_buffer_free(out);
    iriscan_finder_free(finder);
    iriscan_options_init(&options, sizeof options);
    options.charset = "shift_jis";
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    CHECK(iriscan_linkify(finder, jis, sizeof jis - 1, &out) == IRISCAN_OK);
    SAME((const char *)iriscan_buffer_data(out),
         "\xE3\x81\x82 <a href=\"http://a.example/%E3%81%82\">http://a.example/\xE3\x81\x82</a> &lt;");
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
    strcat(strcat(all, GET(link, TEXT)), " ");
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
        CHECK(iriscan_find_at(finder, text, size, iriscan_link_start(link, IRISCAN_UNIT_BYTES), &one) == IRISCAN_OK);
        CHECK(iriscan_links_count(one) == 1);
        iriscan_links_free(one);
    }
    CHECK(iriscan_has_link(finder, text, size) == (i > 0));
    iriscan_links_free(links);
    scanner = new_scanner(finder);
    for (i = 0; i < size; i++)
        CHECK(iriscan_scanner_push(scanner, text + i, 1, &sink) == IRISCAN_OK);
    CHECK(iriscan_scanner_finish(scanner, &sink) == IRISCAN_OK);
    iriscan_scanner_free(scanner);
    iter = new_iter(finder, text, size);
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
    chooses(&options, text, A B MAIL);
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
    options.flags = IRISCAN_FLAG_CHANGED;
    chooses(&options, text, A);
    options = of_format(NULL);
    options.flags = IRISCAN_FLAG_CHANGED;
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
    options.flags = IRISCAN_FLAG_DEFANG;
    makes(&options, "http://www.a.example/x.html", "hxxp[:]//www[.]a[.]example/x.html", 1, 0, 0);
    options.template_text = "{host}";
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_ERR_OPTION && !finder);
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
    options.flags = IRISCAN_FLAG_NO_CODE;
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
    rewriter();
    replace();
    linkify();
    lines();
    choosing();
    templates();
    formats();
    return report("behaviour");
}
