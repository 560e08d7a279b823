/* Misuse gives a status, never a crash. */
#include "test.h"

#include <stddef.h>

static const char page[] = "see http://a.example/ and http://b.example/";

static iriscan_finder *new_finder(void)
{
    iriscan_finder *finder = NULL;
    CHECK(iriscan_finder_new(NULL, &finder) == IRISCAN_OK);
    return finder;
}

static int drop(void *user, const void *data, size_t size)
{
    return user != NULL && data != NULL && size == 0;
}

static void null_everywhere(void)
{
    iriscan_finder *finder = new_finder();
    iriscan_links *links = (iriscan_links *)(void *)page;
    iriscan_buffer *buffer = (iriscan_buffer *)(void *)page;
    iriscan_checked *checked = (iriscan_checked *)(void *)page;
    iriscan_scanner *scanner = new_scanner(finder);
    iriscan_iter *iter = new_iter(finder, page, sizeof page);
    iriscan_rewriter *rewriter = (iriscan_rewriter *)(void *)page;
    iriscan_sink sink = {sizeof sink, NULL, NULL, NULL};
    const iriscan_link *link = (const iriscan_link *)(const void *)page;
    size_t size = 9;

    iriscan_options_init(NULL, sizeof(iriscan_options));
    CHECK(iriscan_finder_new(NULL, NULL) == IRISCAN_ERR_NULL);
    SAYS("out is NULL");
    CHECK(iriscan_find(NULL, page, 1, &links) == IRISCAN_ERR_NULL && !links);
    SAYS("finder is NULL");
    CHECK(iriscan_find(finder, NULL, 1, &links) == IRISCAN_ERR_NULL && !links);
    SAYS("data is NULL");
    CHECK(iriscan_find(finder, page, 1, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_find_at(NULL, page, 1, 0, &links) == IRISCAN_ERR_NULL && !links);
    CHECK(iriscan_find_at(finder, NULL, 1, 0, &links) == IRISCAN_ERR_NULL);
    CHECK(iriscan_find_at(finder, page, 1, 0, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_has_link(NULL, page, 1) == IRISCAN_ERR_NULL);
    CHECK(iriscan_has_link(finder, NULL, 1) == IRISCAN_ERR_NULL);
    CHECK(iriscan_links_count(NULL) == 0);
    CHECK(iriscan_links_get(NULL, 0) == NULL);
    iriscan_iter_free(iter);
    CHECK(iriscan_iter_new(NULL, page, 1, &iter) == IRISCAN_ERR_NULL && !iter);
    CHECK(iriscan_iter_new(finder, NULL, 1, &iter) == IRISCAN_ERR_NULL && !iter);
    CHECK(iriscan_iter_new(finder, page, 1, NULL) == IRISCAN_ERR_NULL);
    iter = new_iter(finder, page, sizeof page);
    CHECK(iriscan_iter_next(NULL, &link) == IRISCAN_ERR_NULL && !link);
    CHECK(iriscan_iter_next(iter, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_rewrite(NULL, page, 1, &buffer) == IRISCAN_ERR_NULL && !buffer);
    CHECK(iriscan_rewrite(finder, NULL, 1, &buffer) == IRISCAN_ERR_NULL);
    CHECK(iriscan_rewrite(finder, page, 1, NULL) == IRISCAN_ERR_NULL);
    iriscan_scanner_free(scanner);
    CHECK(iriscan_scanner_new(NULL, &scanner) == IRISCAN_ERR_NULL && !scanner);
    CHECK(iriscan_scanner_new(finder, NULL) == IRISCAN_ERR_NULL);
    scanner = new_scanner(finder);
    CHECK(iriscan_rewriter_new(NULL, &rewriter) == IRISCAN_ERR_NULL && !rewriter);
    CHECK(iriscan_rewriter_new(finder, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_rewriter_push(NULL, page, 1, drop, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_rewriter_finish(NULL, drop, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_rewriter_changed(NULL) == 0);
    iriscan_rewriter_free(NULL);
    CHECK(iriscan_rewriter_new(finder, &rewriter) == IRISCAN_OK);
    CHECK(iriscan_rewriter_push(rewriter, NULL, 1, drop, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_rewriter_push(rewriter, page, sizeof page, NULL, NULL) == IRISCAN_ERR_NULL);
    iriscan_rewriter_free(rewriter);
    CHECK(iriscan_replace(finder, page, 1, NULL, NULL, &buffer) == IRISCAN_ERR_NULL && !buffer);
    CHECK(iriscan_replacement_add(NULL, "a", 1) == IRISCAN_ERR_NULL);
    CHECK(iriscan_linkify(NULL, page, 1, &buffer) == IRISCAN_ERR_NULL && !buffer);
    CHECK(iriscan_linkify(finder, page, 1, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_link_get(NULL, IRISCAN_FIELD_URI, &size) == NULL && size == 0);
    SAYS("link is NULL");
    CHECK(iriscan_link_start(NULL, IRISCAN_UNIT_BYTES) == IRISCAN_NO_OFFSET);
    CHECK(iriscan_link_end(NULL, IRISCAN_UNIT_BYTES) == IRISCAN_NO_OFFSET);
    CHECK(iriscan_link_line(NULL) == 0 && iriscan_link_column(NULL) == 0);
    CHECK(iriscan_link_kind(NULL) == 0 && iriscan_link_has_warning(NULL, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_link_source(NULL, &size) == NULL && size == 0);
    CHECK(iriscan_checked_is_valid(NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_checked_offset(NULL) == IRISCAN_NO_OFFSET);
    CHECK(iriscan_checked_get(NULL, IRISCAN_FIELD_HOST, &size) == NULL && size == 0);
    CHECK(iriscan_checked_has_warning(NULL, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_scanner_push(NULL, page, 1, &sink) == IRISCAN_ERR_NULL);
    CHECK(iriscan_scanner_push(scanner, NULL, 1, &sink) == IRISCAN_ERR_NULL);
    CHECK(iriscan_scanner_push(scanner, page, 1, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_scanner_finish(NULL, &sink) == IRISCAN_ERR_NULL);
    CHECK(iriscan_scanner_finish(scanner, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_mail_find(NULL, page, 1, &links) == IRISCAN_ERR_NULL);
    CHECK(iriscan_mail_find(finder, NULL, 1, &links) == IRISCAN_ERR_NULL);
    CHECK(iriscan_mail_find(finder, page, 1, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_mail_find_in_context(NULL, page, 1, 1, &links) == IRISCAN_ERR_NULL);
    CHECK(iriscan_mail_find_in_context(finder, NULL, 1, 1, &links) == IRISCAN_ERR_NULL);
    CHECK(iriscan_mail_find_in_context(finder, page, 1, 1, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_mail_rewrite(NULL, page, 1, &buffer) == IRISCAN_ERR_NULL);
    CHECK(iriscan_mail_rewrite(finder, NULL, 1, &buffer) == IRISCAN_ERR_NULL);
    CHECK(iriscan_mail_rewrite(finder, page, 1, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_to_uri(NULL, 1, NULL, &buffer) == IRISCAN_ERR_NULL);
    CHECK(iriscan_to_uri(page, 1, NULL, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_to_iri(NULL, 1, NULL, &buffer) == IRISCAN_ERR_NULL);
    CHECK(iriscan_normalize(NULL, 1, NULL, &buffer) == IRISCAN_ERR_NULL);
    CHECK(iriscan_to_text(NULL, 1, &buffer) == IRISCAN_ERR_NULL);
    CHECK(iriscan_equivalent(NULL, 1, "a", 1, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_equivalent("a", 1, NULL, 1, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_resolve(NULL, 1, page, 1, &buffer) == IRISCAN_ERR_NULL);
    CHECK(iriscan_resolve(page, 1, NULL, 1, &buffer) == IRISCAN_ERR_NULL);
    CHECK(iriscan_check(NULL, 1, NULL, &checked) == IRISCAN_ERR_NULL && !checked);
    CHECK(iriscan_check(page, 1, NULL, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_buffer_data(NULL) == NULL && iriscan_buffer_size(NULL) == 0);
    CHECK(iriscan_buffer_changed(NULL) == 0 && iriscan_buffer_unconvertible(NULL) == 0);
    CHECK(iriscan_buffer_lost(NULL) == 0 && iriscan_buffer_early(NULL) == 0);
    iriscan_links_free(NULL);
    iriscan_buffer_free(NULL);
    iriscan_checked_free(NULL);
    iriscan_finder_free(NULL);
    iriscan_scanner_free(NULL);
    iriscan_iter_free(NULL);
    iriscan_iter_free(iter);
    iriscan_scanner_free(scanner);

    /* NULL is as good as any other pointer to no bytes. */
    CHECK(iriscan_find(finder, NULL, 0, &links) == IRISCAN_OK && links);
    CHECK(iriscan_links_count(links) == 0 && iriscan_links_get(links, 0) == NULL);
    iriscan_links_free(links);
    CHECK(iriscan_rewrite(finder, NULL, 0, &buffer) == IRISCAN_OK);
    SAME((const char *)iriscan_buffer_data(buffer), "");
    iriscan_buffer_free(buffer);
    iriscan_finder_free(finder);
}

/* What was freed can neither be used nor freed again. */
static void freed(void)
{
    iriscan_finder *finder = new_finder(), *other;
    iriscan_links *links = NULL, *none = NULL;
    iriscan_buffer *buffer = NULL;
    iriscan_checked *checked = NULL;
    iriscan_scanner *scanner = new_scanner(finder);
    iriscan_iter *iter = new_iter(finder, page, sizeof page - 1);
    iriscan_sink sink = {sizeof sink, NULL, NULL, NULL};
    iriscan_rewriter *rewriter;
    const iriscan_link *link;

    CHECK(iriscan_find(finder, page, sizeof page - 1, &links) == IRISCAN_OK);
    CHECK(iriscan_find(finder, "none", 4, &none) == IRISCAN_OK);
    CHECK(iriscan_rewrite(finder, page, sizeof page - 1, &buffer) == IRISCAN_OK);
    CHECK(iriscan_check("a:b", 3, NULL, &checked) == IRISCAN_OK);

    iriscan_finder_free(finder);
    /* What the finder made goes on. */
    CHECK(iriscan_iter_next(iter, &link) == 1 && iriscan_link_start(link, IRISCAN_UNIT_BYTES) == 4);
    CHECK(iriscan_link_get(link, 0, NULL) == NULL && iriscan_link_get(link, 99, NULL) == NULL);
    SAYS("99 is no field");
    CHECK(iriscan_link_start(link, 3) == IRISCAN_NO_OFFSET);
    CHECK(iriscan_link_has_warning(link, "mixed-skript") == IRISCAN_ERR_OPTION);
    SAYS("mixed-script");
    CHECK(iriscan_scanner_push(scanner, page, 9, &sink) == IRISCAN_OK);
    CHECK(iriscan_find(finder, page, 1, &none) == IRISCAN_ERR_STATE && !none);
    SAYS("finder was freed already");
    iriscan_finder_free(finder);
    SAYS("finder was freed already");
    /* Another object does not take the place of the freed one at once. */
    other = new_finder();
    CHECK(iriscan_find(finder, page, 1, &none) == IRISCAN_ERR_STATE);
    iriscan_finder_free(finder);
    CHECK(iriscan_find(other, "none", 4, &none) == IRISCAN_OK);

    iriscan_links_free(links);
    iriscan_links_free(links);
    SAYS("links was freed already");
    CHECK(iriscan_links_count(links) == 0 && iriscan_links_get(links, 0) == NULL);
    iriscan_links_free(none);
    iriscan_links_free(none);
    iriscan_iter_free(iter);
    iriscan_iter_free(iter);
    CHECK(iriscan_iter_next(iter, &link) == IRISCAN_ERR_STATE && !link);
    CHECK(iriscan_rewriter_new(other, &rewriter) == IRISCAN_OK);
    CHECK(iriscan_rewriter_finish(rewriter, drop, NULL) == IRISCAN_OK);
    CHECK(iriscan_rewriter_push(rewriter, page, 1, drop, NULL) == IRISCAN_ERR_STATE);
    SAYS("has finished");
    iriscan_rewriter_free(rewriter);
    iriscan_rewriter_free(rewriter);
    CHECK(iriscan_rewriter_finish(rewriter, drop, NULL) == IRISCAN_ERR_STATE);
    iriscan_scanner_free(scanner);
    iriscan_scanner_free(scanner);
    CHECK(iriscan_scanner_push(scanner, page, 1, &sink) == IRISCAN_ERR_STATE);
    CHECK(iriscan_scanner_finish(scanner, &sink) == IRISCAN_ERR_STATE);
    iriscan_buffer_free(buffer);
    iriscan_buffer_free(buffer);
    CHECK(iriscan_buffer_data(buffer) == NULL && iriscan_buffer_size(buffer) == 0);
    iriscan_checked_free(checked);
    iriscan_checked_free(checked);
    SAYS("checked was freed already");
    /* An object of another type. */
    CHECK(iriscan_find((iriscan_finder *)(void *)links, page, 1, &none) == IRISCAN_ERR_STATE);
    SAYS("finder is something else");
    iriscan_links_free((iriscan_links *)(void *)other);
    SAYS("links is something else");
    CHECK(iriscan_links_count((iriscan_links *)((char *)(void *)other + 1)) == 0);
    SAYS("links is something else");
    iriscan_finder_free(other);
}

/* Options and sizes of structs. */
static void options(void)
{
    struct {
        iriscan_options known;
        size_t later[4];
    } grown;
    iriscan_options options = {sizeof options, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0,
                               NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    iriscan_finder *finder;
    size_t size;

    /* All zero is the default. */
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    CHECK(iriscan_has_link(finder, page, sizeof page - 1) == 1);
    CHECK(iriscan_has_link(finder, "a@example.org", 13) == 0);
    iriscan_finder_free(finder);
    iriscan_options_init(&options, sizeof options);
    CHECK(options.size == sizeof options && options.kinds == IRISCAN_KIND_IRI && options.max_len == 65536);
    CHECK(!options.charset && !options.format && !options.flags && !options.more);

    /* Too small, not aligned, absurd. */
    for (size = 0; size < sizeof options; size++) {
        int whole = size % sizeof size == 0 && size >= offsetof(iriscan_options, delimiter);
        iriscan_status status;
        options.size = size;
        status = iriscan_finder_new(&options, &finder);
        CHECK(status == (whole ? IRISCAN_OK : IRISCAN_ERR_SIZE));
        iriscan_finder_free(finder);
    }
    options.size = (size_t)-1;
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_ERR_SIZE && !finder);
    SAYS("iriscan_options: size is");

    /* What is reserved must be zero. */
    iriscan_options_init(&options, sizeof options);
    for (size = 0; size < 32; size++) {
        options.reserved = (uint32_t)1 << size;
        CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_ERR_OPTION && !finder);
        SAYS("reserved: 0x");
    }
    options.reserved = 0;
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    iriscan_finder_free(finder);

    /* A later version: what this one does not know must be zero. */
    memset(&grown, 0xA5, sizeof grown);
    iriscan_options_init(&grown.known, sizeof grown);
    CHECK(grown.known.size == sizeof grown && grown.later[3] == 0);
    CHECK(iriscan_finder_new(&grown.known, &finder) == IRISCAN_OK);
    iriscan_finder_free(finder);
    grown.later[2] = 1;
    CHECK(iriscan_finder_new(&grown.known, &finder) == IRISCAN_ERR_SIZE);
    SAYS("does not know");
    /* An earlier one: only what it has is written. */
    memset(&grown, 0xA5, sizeof grown);
    iriscan_options_init(&grown.known, offsetof(iriscan_options, delimiter));
    CHECK(grown.known.flags == 0 && grown.known.delimiter != NULL);
    CHECK(iriscan_finder_new(&grown.known, &finder) == IRISCAN_OK);
    iriscan_finder_free(finder);
    iriscan_options_init(&grown.known, 3);
    CHECK(grown.known.size == offsetof(iriscan_options, delimiter));
}

/* Each wrong value, and what the message says. */
static void words(void)
{
    static const struct {
        size_t at;
        const char *word, *says;
        iriscan_status status;
    } wrong[] = {
        {offsetof(iriscan_options, charset), "klingon", "charset: ", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, format), "docx", "format: \"docx\"", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, rules), "loose", "use one of prose, uts58", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, schemes), "http,java script", "java script", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, schemes), "javascript", "javascript", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, schemes), "", "scheme", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, host), "puny", "use one of punycode, percent, keep", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, query), "latin", "query: ", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, nfc), "yes", "auto, always, never", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, format), "\xFF", "format: not UTF-8 at byte 0", IRISCAN_ERR_UTF8},
        {offsetof(iriscan_options, delimiter), "", "delimiter: give one character", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, delimiter), ";;", "delimiter: give one character", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, delimiter), "\"", "cannot delimit fields of CSV", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, delimiter), "\xC3\xBC", "cannot delimit fields of CSV", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, to), "irl", "use one of uri, iri", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, template_text), "{hsot}", "hsot", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, template_text), "{line}", "line", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, template_text), "a { b", "template_text: ", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, template_text), "\xFF", "template_text: not UTF-8 at byte 0", IRISCAN_ERR_UTF8},
    };
    iriscan_finder *finder;
    iriscan_options options;
    iriscan_uri_options to_uri = {sizeof to_uri, NULL, NULL, NULL, NULL, NULL};
    iriscan_iri_options to_iri = {sizeof to_iri, NULL, NULL, NULL, NULL};
    iriscan_buffer *buffer;
    iriscan_checked *checked;
    size_t i;

    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        iriscan_options_init(&options, sizeof options);
        memcpy((char *)&options + wrong[i].at, &wrong[i].word, sizeof wrong[i].word);
        finder = (iriscan_finder *)(void *)&options;
        CHECK(iriscan_finder_new(&options, &finder) == wrong[i].status && !finder);
        SAYS(wrong[i].says);
    }
    iriscan_options_init(&options, sizeof options);
    options.kinds = 17;
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_ERR_OPTION);
    SAYS("kinds: 0x10 is not a kind");
    options.kinds = IRISCAN_KIND_IRI;
    options.flags = 0x8000;
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_ERR_OPTION);
    SAYS("flags: 0x8000 is not a flag");

    /* The words of `host` depend on what rewriting makes. */
    iriscan_options_init(&options, sizeof options);
    options.to = "iri";
    options.host = "punycode";
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_ERR_OPTION);
    SAYS("use one of keep, unicode");
    options.to = "uri";
    options.host = "unicode";
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_ERR_OPTION);
    SAYS("use one of punycode, percent, keep");

    to_uri.disallowed = to_iri.inadvisable = "nonsense";
    CHECK(iriscan_to_uri("a", 1, &to_uri, &buffer) == IRISCAN_ERR_OPTION);
    SAYS("disallowed: ");
    CHECK(iriscan_to_iri("a", 1, &to_iri, &buffer) == IRISCAN_ERR_OPTION);
    CHECK(iriscan_normalize("a", 1, "nonsense", &buffer) == IRISCAN_ERR_OPTION);
    SAYS("level: ");
    CHECK(iriscan_equivalent("a", 1, "a", 1, "nonsense") == IRISCAN_ERR_OPTION);
    SAYS("level: ");
    CHECK(iriscan_equivalent("a", 1, "a b", 3, NULL) == IRISCAN_ERR_REFERENCE);
    CHECK(iriscan_equivalent("\xFF", 1, "a", 1, NULL) == IRISCAN_ERR_UTF8);
    CHECK(iriscan_check("a", 1, "nonsense", &checked) == IRISCAN_ERR_OPTION);
    SAYS("grammar: ");
    to_iri.inadvisable = NULL;
    to_iri.private_use = "maybe";
    CHECK(iriscan_to_iri("a", 1, &to_iri, &buffer) == IRISCAN_ERR_OPTION);
    to_iri.private_use = NULL;
    to_iri.escapes = "klingon";
    CHECK(iriscan_to_iri("a", 1, &to_iri, &buffer) == IRISCAN_ERR_OPTION);
    SAYS("escapes: ");
    /* A struct that is older, wrong, or newer. */
    to_iri.size = offsetof(iriscan_iri_options, escapes);
    CHECK(iriscan_to_iri("a", 1, &to_iri, &buffer) == IRISCAN_OK);
    iriscan_buffer_free(buffer);
    to_iri.size = 3;
    CHECK(iriscan_to_iri("a", 1, &to_iri, &buffer) == IRISCAN_ERR_SIZE && !buffer);
    SAYS("iriscan_iri_options: size is");
    to_uri.size = (size_t)-1;
    CHECK(iriscan_to_uri("a", 1, &to_uri, &buffer) == IRISCAN_ERR_SIZE && !buffer);
}

/* The lists that choose: what is wrong in them, and what is only empty. */
static void lists(void)
{
    static const char *const empty[] = {NULL};
    static const struct {
        size_t at;
        const char *second, *says;
        iriscan_status status;
    } wrong[] = {
        {offsetof(iriscan_options, only_host), "http://a.example/", "only_host: ", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, only_host), "", "only_host: ", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, not_host), "a b", "not_host: ", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, match), "a(b", "match: \"a(b\": unclosed group", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, not_match), "[", "not_match: ", IRISCAN_ERR_OPTION},
        {offsetof(iriscan_options, match), "\xFF", "match: not UTF-8 at byte 0", IRISCAN_ERR_UTF8},
        {offsetof(iriscan_options, only_host), "\xC3", "only_host: not UTF-8 at byte 0", IRISCAN_ERR_UTF8},
        {offsetof(iriscan_options, hosts_from), "a\xFF", "hosts_from: not UTF-8 at byte 1", IRISCAN_ERR_UTF8},
        {offsetof(iriscan_options, contains_from), "\xFF", "contains_from: not UTF-8 at byte 0", IRISCAN_ERR_UTF8},
    };
    static const struct {
        size_t at;
        int all;
    } none[] = {
        /* An option without a value does not choose; a list without a line lets nothing pass. */
        {offsetof(iriscan_options, only_host), 1},     {offsetof(iriscan_options, not_host), 1},
        {offsetof(iriscan_options, match), 1},         {offsetof(iriscan_options, not_match), 1},
        {offsetof(iriscan_options, hosts_from), 0},    {offsetof(iriscan_options, contains_from), 0},
    };
    iriscan_options options;
    iriscan_finder *finder;
    const char *given[3];
    const char *const *array = given;
    size_t i;

    given[0] = "a.example";
    given[2] = NULL;
    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        iriscan_options_init(&options, sizeof options);
        given[1] = wrong[i].second;
        memcpy((char *)&options + wrong[i].at, &array, sizeof array);
        finder = (iriscan_finder *)(void *)&options;
        CHECK(iriscan_finder_new(&options, &finder) == wrong[i].status && !finder);
        SAYS(wrong[i].says);
    }
    array = empty;
    for (i = 0; i < sizeof none / sizeof *none; i++) {
        iriscan_options_init(&options, sizeof options);
        memcpy((char *)&options + none[i].at, &array, sizeof array);
        CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
        CHECK(iriscan_has_link(finder, page, sizeof page - 1) == none[i].all);
        iriscan_finder_free(finder);
    }

    /* A program that is older than the lists. */
    given[1] = "http://a.example/";
    iriscan_options_init(&options, sizeof options);
    options.only_host = given;
    options.size = offsetof(iriscan_options, only_host);
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    CHECK(iriscan_has_link(finder, page, sizeof page - 1) == 1);
    iriscan_finder_free(finder);

    /* Lines without a host are left out and told. */
    given[1] = "a.example/x";
    iriscan_options_init(&options, sizeof options);
    options.hosts_from = given;
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    SAYS("hosts_from: 1 line without a host, from line 2 on, left out");
    CHECK(iriscan_has_link(finder, page, sizeof page - 1) == 1);
    iriscan_finder_free(finder);
    given[1] = "# \xC3\xBC\r\n\r\n||b.example^\n@@x\n0.0.0.0 c.example d.example\n/path/";
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    SAYS("hosts_from: 2 lines without a host, from line 5 on, left out");
    iriscan_finder_free(finder);
    given[1] = "b.example";
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    SAME(iriscan_last_error(), "");
    iriscan_finder_free(finder);
}

static void ranges(void)
{
    iriscan_finder *finder = new_finder();
    iriscan_links *links;
    iriscan_buffer *buffer;

    CHECK(iriscan_find(finder, page, (size_t)-1, &links) == IRISCAN_ERR_RANGE && !links);
    CHECK(iriscan_rewrite(finder, page, (size_t)-1 / 2 + 1, &buffer) == IRISCAN_ERR_RANGE);
    CHECK(iriscan_find_at(finder, page, 4, 5, &links) == IRISCAN_ERR_RANGE);
    SAYS("offset is 5");
    CHECK(iriscan_find_at(finder, page, 4, 4, &links) == IRISCAN_OK && iriscan_links_count(links) == 0);
    iriscan_links_free(links);
    CHECK(iriscan_to_uri("a\xFF", 2, NULL, &buffer) == IRISCAN_ERR_UTF8 && !buffer);
    SAYS("reference: not UTF-8 at byte 1");
    CHECK(iriscan_resolve("\xFF", 1, "a", 1, &buffer) == IRISCAN_ERR_UTF8);
    CHECK(iriscan_resolve("a", 1, "b", 1, &buffer) == IRISCAN_ERR_REFERENCE);
    CHECK(iriscan_resolve("a b", 3, "b", 1, &buffer) == IRISCAN_ERR_REFERENCE);
    SAYS("base: ");
    CHECK(iriscan_normalize("a b", 3, NULL, &buffer) == IRISCAN_ERR_REFERENCE);
    iriscan_finder_free(finder);
}

typedef struct {
    iriscan_scanner *scanner;
    int calls, answer;
} nested;

/* A callback that uses the scanner that called it. */
static int again(void *user, const iriscan_link *link)
{
    nested *to = (nested *)user;
    iriscan_sink sink = {sizeof sink, NULL, NULL, NULL};
    CHECK(link != NULL);
    CHECK(iriscan_scanner_push(to->scanner, "x", 1, &sink) == IRISCAN_ERR_STATE);
    SAYS("scanner is in use by a call that has not returned");
    CHECK(iriscan_scanner_finish(to->scanner, &sink) == IRISCAN_ERR_STATE);
    iriscan_scanner_free(to->scanner);
    SAYS("scanner is in use");
    to->calls++;
    return to->answer;
}

/* A callback that takes some bytes and then stops. */
static int some(void *user, const void *data, size_t size)
{
    size_t *left = (size_t *)user;
    CHECK(data != NULL && size > 0);
    *left = *left > size ? *left - size : 0;
    return *left == 0;
}

static void stopped_by_text(void)
{
    iriscan_finder *finder = new_finder();
    iriscan_scanner *scanner = new_scanner(finder);
    size_t left = 30, at;
    iriscan_sink sink = {sizeof sink, &left, some, NULL};
    iriscan_status status = IRISCAN_OK;

    for (at = 0; at < 100 && status == IRISCAN_OK; at++)
        status = iriscan_scanner_push(scanner, "a ", 2, &sink);
    CHECK(status == IRISCAN_STOPPED && at >= 15 && at < 20);
    CHECK(iriscan_scanner_finish(scanner, &sink) == IRISCAN_ERR_STATE);
    iriscan_scanner_free(scanner);
    iriscan_finder_free(finder);
}

static void callbacks(void)
{
    iriscan_finder *finder = new_finder();
    nested to = {NULL, 0, 0};
    iriscan_sink sink = {sizeof sink, &to, NULL, again};

    to.scanner = new_scanner(finder);
    CHECK(iriscan_scanner_push(to.scanner, page, sizeof page - 1, &sink) == IRISCAN_OK);
    CHECK(to.calls == 1);
    sink.size = 0;
    CHECK(iriscan_scanner_push(to.scanner, page, 1, &sink) == IRISCAN_ERR_SIZE);
    CHECK(iriscan_scanner_finish(to.scanner, &sink) == IRISCAN_ERR_SIZE);
    sink.size = sizeof sink;
    CHECK(iriscan_scanner_finish(to.scanner, &sink) == IRISCAN_OK);
    CHECK(to.calls == 2);
    CHECK(iriscan_scanner_push(to.scanner, page, 1, &sink) == IRISCAN_ERR_STATE);
    SAYS("scanner has finished");
    CHECK(iriscan_scanner_finish(to.scanner, &sink) == IRISCAN_ERR_STATE);
    iriscan_scanner_free(to.scanner);

    /* Any number that is not zero stops the scan. */
    to.scanner = new_scanner(finder);
    to.answer = -7;
    to.calls = 0;
    CHECK(iriscan_scanner_push(to.scanner, page, sizeof page - 1, &sink) == IRISCAN_STOPPED);
    CHECK(iriscan_scanner_push(to.scanner, page, sizeof page - 1, &sink) == IRISCAN_ERR_STATE);
    SAYS("scanner was stopped by a callback");
    CHECK(iriscan_scanner_finish(to.scanner, &sink) == IRISCAN_ERR_STATE);
    CHECK(to.calls == 1);
    iriscan_scanner_free(to.scanner);
    to.scanner = new_scanner(finder);
    CHECK(iriscan_scanner_push(to.scanner, "http://a.example/", 17, &sink) == IRISCAN_OK);
    CHECK(iriscan_scanner_finish(to.scanner, &sink) == IRISCAN_STOPPED);
    iriscan_scanner_free(to.scanner);
    iriscan_finder_free(finder);
}

int main(void)
{
    SAME(iriscan_last_error(), "");
    null_everywhere();
    freed();
    options();
    words();
    lists();
    ranges();
    callbacks();
    stopped_by_text();
    return report("misuse");
}
