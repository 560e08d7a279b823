/* The cases of testdata/interop.jsonl: `interop FILE`. Jansson reads the file. */
#include "bytes.h"
#include "test.h"

#include <jansson.h>

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* The words of a list, with commas between them. */
static void join(const json_t *list, char *out, size_t room)
{
    size_t i;
    json_t *word;
    *out = '\0';
    if (json_is_string(list)) {
        snprintf(out, room, "%s", json_string_value(list));
        return;
    }
    json_array_foreach(list, i, word) {
        size_t size = strlen(out);
        snprintf(out + size, room - size, "%s%s", i ? "," : "", json_string_value(word));
    }
}

/* The strings of a list, with a NULL after them. */
static const char *const *strings(const json_t *list, const char **out, size_t room)
{
    size_t i, count = json_array_size(list);
    if (!CHECK(count < room))
        return NULL;
    for (i = 0; i < count; i++)
        out[i] = json_string_value(json_array_get(list, i));
    out[count] = NULL;
    return out;
}

/* The finder with the options of a case. */
static iriscan_finder *finder_of(json_t *given, const char *charset, const char *to, const char *template_text)
{
    iriscan_options options;
    iriscan_finder *finder = NULL;
    const char *key;
    json_t *value;
    char schemes[200], fields[200];
    const char *lists[6][64], *more[9] = {NULL};
    size_t given_more = 0;

    iriscan_options_init(&options, sizeof options);
    options.charset = charset;
    options.to = to;
    options.template_text = template_text;
    options.flags = IRISCAN_FLAG_UTF16 | IRISCAN_FLAG_CHARS;
    json_object_foreach(given, key, value) {
        const char *word = json_string_value(value);
        if (strcmp(key, "kinds") == 0) {
            size_t i;
            json_t *kind;
            options.kinds = 0;
            json_array_foreach(value, i, kind) {
                uint32_t bit;
                for (bit = IRISCAN_KIND_IRI; bit <= IRISCAN_KIND_IP; bit *= 2)
                    if (same(iriscan_kind_name(bit), json_string_value(kind)))
                        options.kinds |= bit;
            }
        } else if (strcmp(key, "format") == 0)
            options.format = word;
        else if (strcmp(key, "rules") == 0)
            options.rules = word;
        else if (strcmp(key, "host") == 0)
            options.host = word;
        else if (strcmp(key, "query") == 0)
            options.query = word;
        else if (strcmp(key, "nfc") == 0)
            options.nfc = word;
        else if (strcmp(key, "delimiter") == 0)
            options.delimiter = word;
        else if (strcmp(key, "schemes") == 0) {
            join(value, schemes, sizeof schemes);
            options.schemes = schemes;
        } else if (strcmp(key, "fields") == 0) {
            join(value, fields, sizeof fields);
            options.fields = fields;
        } else if (strcmp(key, "max_len") == 0)
            options.max_len = (uint64_t)json_integer_value(value);
        else if (strcmp(key, "ascii_only") == 0)
            options.flags |= json_is_true(value) ? IRISCAN_FLAG_ASCII_ONLY : 0;
        else if (strcmp(key, "code") == 0)
            options.flags |= json_is_false(value) ? IRISCAN_FLAG_NO_CODE : 0;
        else if (strcmp(key, "elements") == 0)
            options.flags |= json_is_true(value) ? IRISCAN_FLAG_ELEMENTS : 0;
        else if (strcmp(key, "changed") == 0)
            options.flags |= json_is_true(value) ? IRISCAN_FLAG_CHANGED : 0;
        else if (strcmp(key, "unwrap") == 0)
            options.flags |= json_is_true(value) ? IRISCAN_FLAG_UNWRAP : 0;
        else if (strcmp(key, "links_only") == 0)
            options.flags |= json_is_true(value) ? IRISCAN_FLAG_LINKS_ONLY : 0;
        else if (strcmp(key, "only_host") == 0)
            options.only_host = strings(value, lists[0], 64);
        else if (strcmp(key, "not_host") == 0)
            options.not_host = strings(value, lists[1], 64);
        else if (strcmp(key, "hosts_from") == 0)
            options.hosts_from = strings(value, lists[2], 64);
        else if (strcmp(key, "match") == 0)
            options.match = strings(value, lists[3], 64);
        else if (strcmp(key, "not_match") == 0)
            options.not_match = strings(value, lists[4], 64);
        else if (strcmp(key, "contains_from") == 0)
            options.contains_from = strings(value, lists[5], 64);
        else if (strcmp(key, "identifiers") == 0)
            options.flags |= json_is_true(value) ? IRISCAN_FLAG_IDENTIFIERS : 0;
        else if (CHECK(given_more + 2 < sizeof more / sizeof *more) && CHECK(json_is_boolean(value) || word)) {
            /* One that has no member. */
            more[given_more++] = key;
            more[given_more++] = word ? word : json_is_true(value) ? "true" : "false";
            options.more = more;
        }
    }
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    return finder;
}

static int range_is(const json_t *want, const char *unit, uint64_t start, uint64_t end)
{
    const json_t *range = json_object_get(want, unit);
    return (uint64_t)json_integer_value(json_array_get(range, 0)) == start
        && (uint64_t)json_integer_value(json_array_get(range, 1)) == end;
}

/* A link is the one of the case. */
static void link_is(const iriscan_link *link, const json_t *want)
{
    if (!CHECK(link != NULL && want != NULL))
        return;
    CHECK(range_is(want, "bytes", iriscan_link_start(link, IRISCAN_UNIT_BYTES), iriscan_link_end(link, IRISCAN_UNIT_BYTES)));
    CHECK(range_is(want, "utf16", iriscan_link_start(link, IRISCAN_UNIT_UTF16), iriscan_link_end(link, IRISCAN_UNIT_UTF16)));
    CHECK(range_is(want, "chars", iriscan_link_start(link, IRISCAN_UNIT_CHARS), iriscan_link_end(link, IRISCAN_UNIT_CHARS)));
    SAME(GET(link, TEXT), text_of(want, "text"));
    SAME(GET(link, IRI), text_of(want, "iri"));
    SAME(GET(link, URI), text_of(want, "uri"));
    SAME(iriscan_kind_name(iriscan_link_kind(link)), text_of(want, "kind"));
    SAME(GET(link, DISPLAY), text_of(want, "display") ? text_of(want, "display") : text_of(want, "iri"));
    SAME(GET(link, ELEMENT), text_of(want, "element"));
    SAME(GET(link, ATTRIBUTE), text_of(want, "attribute"));
    SAME(GET(link, ANCHOR), text_of(want, "anchor"));
    SAME(GET(link, UNWRAPPED), text_of(want, "unwrapped"));
    SAME(GET(link, ABSOLUTE), text_of(want, json_object_get(want, "absolute") ? "absolute" : "uri"));
    CHECK(SIZE(link, ANCHOR) == (GET(link, ANCHOR) ? strlen(GET(link, ANCHOR)) : 0));
    CHECK((GET(link, URI) == NULL) == (GET(link, ERROR) != NULL));
    CHECK(SIZE(link, TEXT) == strlen(GET(link, TEXT)) && SIZE(link, IRI) == strlen(GET(link, IRI)));
    CHECK(SIZE(link, URI) == (GET(link, URI) ? strlen(GET(link, URI)) : 0));
    CHECK(source_size(link) == iriscan_link_end(link, IRISCAN_UNIT_BYTES) - iriscan_link_start(link, IRISCAN_UNIT_BYTES));
    CHECK(iriscan_link_has_warning(link, NULL) == (GET(link, WARNINGS)[0] != 0));
}

/* What a scanner says, so that two runs can be compared. */
typedef struct {
    const json_t *links;
    size_t count;
    bytes all;
} heard;

static int hear_text(void *user, const void *data, size_t size)
{
    CHECK(size > 0);
    bytes_add(&((heard *)user)->all, data, size);
    return 0;
}

static int hear_link(void *user, const iriscan_link *link)
{
    heard *to = (heard *)user;
    CHECK(iriscan_link_start(link, IRISCAN_UNIT_BYTES) == to->all.size);
    link_is(link, json_array_get(to->links, to->count++));
    bytes_add(&to->all, iriscan_link_source(link, NULL), source_size(link));
    return 0;
}

/* Pushes the bytes in steps. */
static void scan(const iriscan_finder *finder, const bytes *data, const json_t *links, size_t step)
{
    heard to = {links, 0, {NULL, 0, 0}};
    iriscan_sink sink = {sizeof sink, &to, hear_text, hear_link};
    iriscan_scanner *scanner = new_scanner(finder);
    size_t at, size;

    for (at = 0; at < data->size; at += size) {
        size = data->size - at < step ? data->size - at : step;
        /* A copy of its own, so that a read past the chunk is seen. */
        char *chunk = (char *)malloc(size);
        memcpy(chunk, data->data + at, size);
        CHECK(iriscan_scanner_push(scanner, chunk, size, &sink) == IRISCAN_OK);
        free(chunk);
    }
    CHECK(iriscan_scanner_finish(scanner, &sink) == IRISCAN_OK);
    CHECK(to.count == json_array_size(links));
    CHECK(to.all.size == data->size);
    CHECK(data->size == 0 || memcmp(to.all.data, data->data, data->size) == 0);
    iriscan_scanner_free(scanner);
    free(to.all.data);
}

/* The list, the iterator and find_at. */
static void find(const iriscan_finder *finder, const bytes *data, const json_t *links)
{
    iriscan_links *list, *one;
    iriscan_iter *iter = new_iter(finder, data->data, data->size);
    const iriscan_link *link;
    size_t i, count = json_array_size(links);

    CHECK(iriscan_find(finder, data->data, data->size, &list) == IRISCAN_OK);
    CHECK(iriscan_links_count(list) == count);
    CHECK(iriscan_has_link(finder, data->data, data->size) == (count > 0));
    for (i = 0; i < count; i++) {
        const json_t *want = json_array_get(links, i);
        link = iriscan_links_get(list, i);
        link_is(link, want);
        if (!link)
            continue;
        CHECK(memcmp(iriscan_link_source(link, NULL), data->data + iriscan_link_start(link, IRISCAN_UNIT_BYTES), source_size(link)) == 0);
        CHECK(iriscan_find_at(finder, data->data, data->size, (size_t)iriscan_link_end(link, IRISCAN_UNIT_BYTES) - 1, &one) == IRISCAN_OK);
        CHECK(iriscan_links_count(one) == 1);
        link_is(iriscan_links_get(one, 0), want);
        iriscan_links_free(one);
        CHECK(iriscan_iter_next(iter, &link) == 1);
        link_is(link, want);
    }
    CHECK(iriscan_links_get(list, count) == NULL);
    CHECK(iriscan_iter_next(iter, &link) == 0 && link == NULL);
    CHECK(iriscan_iter_next(iter, &link) == 0 && link == NULL);
    iriscan_iter_free(iter);
    iriscan_links_free(list);
}

static void rewrite(const iriscan_finder *finder, const bytes *data, const bytes *want, int changes)
{
    iriscan_buffer *out;
    CHECK(iriscan_rewrite(finder, data->data, data->size, &out) == IRISCAN_OK);
    CHECK(iriscan_buffer_size(out) == want->size);
    CHECK(want->size == 0 || memcmp(iriscan_buffer_data(out), want->data, want->size) == 0);
    CHECK((iriscan_buffer_changed(out) > 0) == changes);
    iriscan_buffer_free(out);
}

/* Text, or bytes in hexadecimal. */
static bytes decoded(const char *written, int hexadecimal)
{
    bytes out = {NULL, 0, 0};
    unsigned byte;
    if (!hexadecimal)
        bytes_add(&out, written, strlen(written));
    else
        for (; sscanf(written, "%2x", &byte) == 1; written += 2) {
            char c = (char)byte;
            bytes_add(&out, &c, 1);
        }
    return out;
}

/* The template of `replaced`. */
#define TEMPLATE "<{n} \xC3\xA9\"> {iri}"

static void run(const json_t *record)
{
    const char *text = text_of(record, "text"), *hex = text_of(record, "bytes");
    const char *charset = text ? "utf-8" : text_of(record, "charset");
    const json_t *links = json_object_get(record, "links");
    json_t *options = json_object_get(record, "options");
    /* What rewriting makes: the member of the record, `to` and the template. */
    static const char *const ways[][3] = {
        {"rewritten", NULL, NULL}, {"readable", "iri", NULL}, {"replaced", NULL, TEMPLATE}};
    iriscan_finder *finder = finder_of(options, charset, NULL, NULL);
    int before = failed;
    size_t i;

    if (CHECK(finder != NULL) && CHECK(text || hex)) {
        bytes data = decoded(text ? text : hex, !text);
        find(finder, &data, links);
        scan(finder, &data, links, data.size ? data.size : 1);
        scan(finder, &data, links, 1);
        for (i = 0; i < sizeof ways / sizeof *ways; i++) {
            const char *written = text_of(record, ways[i][0]);
            bytes want;
            iriscan_finder *other;
            /* The words of `host` are others for IRIs. */
            if (ways[i][1] && json_object_get(options, "host"))
                continue;
            want = decoded(written ? written : text ? text : hex, !text);
            other = finder_of(options, charset, ways[i][1], ways[i][2]);
            rewrite(other, &data, &want, written != NULL);
            iriscan_finder_free(other);
            free(want.data);
        }
        free(data.data);
    }
    iriscan_finder_free(finder);
    if (failed != before)
        fprintf(stderr, "  in the case %s\n", text_of(record, "name"));
}

int main(int argc, char **argv)
{
    char *line, *next;
    bytes file;
    int cases = 0;

    if (argc != 2)
        return fprintf(stderr, "usage: interop FILE\n"), 2;
    file = bytes_of_file(argv[1]);
    for (line = file.data; line && *line; line = next) {
        json_error_t error;
        json_t *record;
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        record = json_loads(line, 0, &error);
        if (CHECK(record != NULL)) {
            run(record);
            cases++;
        }
        json_decref(record);
    }
    free(file.data);
    CHECK(cases > 1000);
    printf("interop: %d cases\n", cases);
    return report("interop");
}
