/* Documents: files and bytes with a name, opened as the command does. `document FOLDER`, the folder of testdata. */
#include "bytes.h"
#include "test.h"

static iriscan_finder *with(const char *format, uint32_t flags)
{
    iriscan_options options;
    iriscan_finder *finder = NULL;
    iriscan_options_init(&options, sizeof options);
    options.format = format;
    options.flags = flags;
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    return finder;
}

static iriscan_document *bytes_of(const iriscan_finder *finder, const void *data, size_t size, const char *name, uint32_t flags)
{
    iriscan_document *document = NULL;
    CHECK(iriscan_document_open_bytes(finder, data, size, name, flags, &document) == IRISCAN_OK);
    return document;
}

/* All of an item but its size is nothing. */
static int nothing(const iriscan_item *item)
{
    return item->size == sizeof *item && !item->link && !item->note && !item->member && !item->record
        && item->record_offset == IRISCAN_NO_OFFSET && item->message == 0;
}

/* `http://a.example/`, a line, as gzip has it. */
static const char gz[] =
    "\x1F\x8B\x08\x00\x00\x00\x00\x00\x02\x03\xCB())\xB0\xD2\xD7O\xD4K\xADH\xCC-\xC8I\xD5\xE7\x02\x00\xB5>\xAF\x0E\x12\x00\x00"
    "\x00";

/* A container with that line in a.txt. */
static const char zip[] =
    "PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00!\x00\xB5>\xAF\x0E\x12\x00\x00\x00\x12\x00\x00\x00\x05\x00\x00\x00"
    "a.txthttp://a.example/\nPK\x01\x02\x14\x03\x14\x00\x00\x00\x00\x00\x00\x00!\x00\xB5>\xAF\x0E\x12\x00\x00\x00\x12\x00\x00"
    "\x00\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x01\x00\x00\x00\x00" "a.txtPK\x05\x06\x00\x00\x00\x00\x01\x00"
    "\x01\x00" "3\x00\x00\x00" "5\x00\x00\x00\x00\x00";

/* The name and the first bytes say what a document is, or the options. */
static void contents(void)
{
    static const char page[] = "<!doctype html><a href='http://a.example/&#252;'>";
    static const struct { const char *name, *format, *content; } all[] = {
        {"a/page.html", NULL, "html"}, {"page.txt", NULL, "text"}, {NULL, NULL, "html"},
        {"page.html", "text", "text"}, {"x.eml", NULL, "mail"},    {"x.warc", NULL, "warc"},
    };
    size_t i;
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        iriscan_finder *finder = with(all[i].format, 0);
        iriscan_document *document = bytes_of(finder, page, sizeof page - 1, all[i].name, 0);
        iriscan_finder_free(finder);
        SAME(iriscan_document_content(document), all[i].content);
        iriscan_document_free(document);
    }
}

/* Links of a page, one by one, in all units. */
static void links(void)
{
    static const char page[] = "\xC3\xBC\n<a href='http://a.example/&#252;?u=http%3A%2F%2Fb.example%2F'>http://c.example/";
    iriscan_options options;
    iriscan_finder *finder = NULL;
    iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
    iriscan_document *document;

    iriscan_options_init(&options, sizeof options);
    options.flags = IRISCAN_FLAG_CHARS | IRISCAN_FLAG_UTF16 | IRISCAN_FLAG_LINES;
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    document = bytes_of(finder, page, sizeof page - 1, "a.html", 0);
    CHECK(iriscan_document_next(document, &item) == 1 && item.link && !item.note && !item.member && !item.record);
    SAME(GET(item.link, URI), "http://a.example/%C3%BC?u=http%3A%2F%2Fb.example%2F");
    CHECK(iriscan_link_start(item.link, IRISCAN_UNIT_BYTES) == 12 && iriscan_link_start(item.link, IRISCAN_UNIT_CHARS) == 11);
    CHECK(iriscan_link_line(item.link) == 2 && iriscan_link_column(item.link) == 10);
    CHECK(iriscan_document_next(document, &item) == 1 && item.link);
    SAME(GET(item.link, URI), "http://c.example/");
    CHECK(iriscan_link_end(item.link, IRISCAN_UNIT_BYTES) == sizeof page - 1);
    CHECK(iriscan_document_next(document, &item) == 0 && nothing(&item));
    CHECK(iriscan_document_next(document, &item) == 0 && nothing(&item));
    iriscan_document_free(document);
    iriscan_finder_free(finder);
}

/* Links in queries are among them, with their own places. */
static void nested(void)
{
    static const char text[] = "\xC3\xBC http://a.example/?u=http://b.example/ http://c.example/";
    const char *more[] = {"nested", "true", NULL};
    static const char *const uris[] = {"http://a.example/?u=http://b.example/", "http://b.example/", "http://c.example/"};
    static const uint64_t starts[] = {3, 23, 41};
    iriscan_options options;
    iriscan_finder *finder = NULL;
    iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
    iriscan_document *document;
    size_t i;

    iriscan_options_init(&options, sizeof options);
    options.flags = IRISCAN_FLAG_CHARS;
    options.more = more;
    CHECK(iriscan_finder_new(&options, &finder) == IRISCAN_OK);
    document = bytes_of(finder, text, sizeof text - 1, "a.txt", 0);
    for (i = 0; i < 3; i++) {
        CHECK(iriscan_document_next(document, &item) == 1 && item.link);
        SAME(GET(item.link, URI), uris[i]);
        CHECK(iriscan_link_start(item.link, IRISCAN_UNIT_BYTES) == starts[i]);
        CHECK(iriscan_link_start(item.link, IRISCAN_UNIT_CHARS) == starts[i] - 1);
    }
    CHECK(iriscan_document_next(document, &item) == 0);
    iriscan_document_free(document);
    iriscan_finder_free(finder);
}

/* What is packed is read as it is, with a note, or unpacked. */
static void packed(void)
{
    iriscan_finder *finder = with(NULL, 0);
    iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
    iriscan_document *document = bytes_of(finder, gz, sizeof gz - 1, "a.txt.gz", 0);
    char cut[sizeof gz];

    CHECK(iriscan_document_next(document, &item) == 1 && item.note && !item.link);
    SAME(item.note, "a.txt.gz: compressed, read as it is; IRISCAN_OPEN_DECOMPRESS decompresses it");
    CHECK(iriscan_document_next(document, &item) == 0);
    iriscan_document_free(document);

    document = bytes_of(finder, gz, sizeof gz - 1, "a.txt.gz", IRISCAN_OPEN_DECOMPRESS);
    SAME(iriscan_document_content(document), "text");
    CHECK(iriscan_document_next(document, &item) == 1 && item.link && !item.member);
    SAME(GET(item.link, URI), "http://a.example/");
    CHECK(iriscan_document_next(document, &item) == 0);
    iriscan_document_free(document);

    document = bytes_of(finder, zip, sizeof zip - 1, "b.docx", 0);
    SAME(iriscan_document_content(document), "text");
    CHECK(iriscan_document_next(document, &item) == 1);
    SAME(item.note, "b.docx: a zip container, read as it is; IRISCAN_OPEN_DECOMPRESS reads the texts in it");
    iriscan_document_free(document);

    document = bytes_of(finder, zip, sizeof zip - 1, "b.docx", IRISCAN_OPEN_DECOMPRESS);
    SAME(iriscan_document_content(document), "zip");
    CHECK(iriscan_document_next(document, &item) == 1 && item.link && !item.record && item.message == 0);
    SAME(item.member, "b.docx!a.txt");
    CHECK(iriscan_link_start(item.link, IRISCAN_UNIT_BYTES) == 0 && iriscan_link_end(item.link, IRISCAN_UNIT_BYTES) == 17);
    CHECK(iriscan_document_next(document, &item) == 0 && nothing(&item));
    iriscan_document_free(document);

    /* Damage comes after the links before it, and once. */
    memcpy(cut, gz, sizeof gz);
    cut[sizeof gz - 8] ^= 1;
    document = bytes_of(finder, cut, sizeof gz - 1, "a.txt.gz", IRISCAN_OPEN_DECOMPRESS);
    CHECK(iriscan_document_next(document, &item) == 1 && item.link);
    CHECK(iriscan_document_next(document, &item) == IRISCAN_ERR_IO && nothing(&item));
    SAYS("a.txt.gz: cut short or damaged");
    CHECK(iriscan_document_next(document, &item) == 0);
    iriscan_document_free(document);

    /* So does a container without its end. */
    document = bytes_of(finder, zip, sizeof zip - 9, "b.docx", IRISCAN_OPEN_DECOMPRESS);
    CHECK(iriscan_document_next(document, &item) == IRISCAN_ERR_IO);
    SAYS("b.docx: cut short or damaged");
    CHECK(iriscan_document_next(document, &item) == 0);
    iriscan_document_free(document);
    iriscan_finder_free(finder);
}

/* Messages of an mbox, with places in the file. */
static void mail(const char *folder)
{
    char path[4096];
    size_t links = 0;
    uint64_t last = 0;
    bytes file;
    iriscan_finder *finder = with(NULL, 0);
    iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
    iriscan_document *document = NULL;

    snprintf(path, sizeof path, "%s/mail/box.mbox", folder);
    file = bytes_of_file(path);
    CHECK(iriscan_document_open(finder, path, 0, &document) == IRISCAN_OK);
    SAME(iriscan_document_content(document), "mail");
    while (iriscan_document_next(document, &item) == 1) {
        uint64_t start = iriscan_link_start(item.link, IRISCAN_UNIT_BYTES), line = 1, at;
        size_t len = 0;
        const void *source = iriscan_link_source(item.link, &len);
        links++;
        CHECK(item.message >= last && GET(item.link, PART));
        last = item.message;
        if (start == IRISCAN_NO_OFFSET)
            continue;
        CHECK(start + len <= file.size && memcmp(file.data + start, source, len) == 0);
        for (at = 0; at < start; at++)
            line += file.data[at] == '\n';
        CHECK(iriscan_link_line(item.link) <= line);
    }
    CHECK(links > 1 && last > 1);
    iriscan_document_free(document);
    free(file.data);
    iriscan_finder_free(finder);
}

/* Records of a web archive. */
static void archive(const char *folder)
{
    char path[4096];
    size_t links = 0, shown = 0;
    iriscan_finder *finder = with(NULL, 0);
    iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
    iriscan_document *document = NULL;
    int found;

    snprintf(path, sizeof path, "%s/archive/pages.warc.gz", folder);
    CHECK(iriscan_document_open(finder, path, 0, &document) == IRISCAN_OK);
    SAME(iriscan_document_content(document), "warc");
    while ((found = iriscan_document_next(document, &item)) == 1) {
        if (!item.link)
            continue;
        links++;
        CHECK(item.record && strstr(item.record, "://") && item.record_offset != IRISCAN_NO_OFFSET && !item.member);
        if (iriscan_link_start(item.link, IRISCAN_UNIT_BYTES) != IRISCAN_NO_OFFSET) {
            CHECK(iriscan_link_start(item.link, IRISCAN_UNIT_BYTES) > item.record_offset);
            shown++;
        }
    }
    CHECK(found == 0 && links > 0 && shown > 0);
    iriscan_document_free(document);
    /* It cannot be rewritten. */
    CHECK(iriscan_document_open(finder, path, 0, &document) == IRISCAN_OK);
    iriscan_finder_free(finder);
    iriscan_document_free(document);
}

typedef struct {
    char data[4096];
    size_t size;
    int answer;
} written;

static int take(void *user, const void *data, size_t size)
{
    written *out = (written *)user;
    if (out->size + size > sizeof out->data)
        return 9;
    memcpy(out->data + out->size, data, size);
    out->size += size;
    return out->answer;
}

/* A callback that uses the document it is called for. */
static int use(void *user, const void *data, size_t size)
{
    iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
    iriscan_document *document = *(iriscan_document **)user;
    CHECK(data && size && iriscan_document_next(document, &item) == IRISCAN_ERR_STATE && nothing(&item));
    SAYS("document is in use by a call that has not returned");
    iriscan_document_free(document);
    return 0;
}

/* Documents written anew. */
static void rewrite(const char *folder)
{
    static const char page[] = "<a href='http://a.example/&#252;'>http://b.example/\xC3\xBC";
    static const char want[] = "<a href='http://a.example/%C3%BC'>http://b.example/%C3%BC";
    char path[4096];
    iriscan_finder *finder = with(NULL, 0);
    iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
    iriscan_rewritten done = {sizeof done, 9, 9, 9, 9, 9};
    written out = {{0}, 0, 0};
    iriscan_document *document = bytes_of(finder, page, sizeof page - 1, "a.html", 0);

    CHECK(iriscan_document_rewrite(document, take, &out, &done) == IRISCAN_OK);
    CHECK(out.size == sizeof want - 1 && memcmp(out.data, want, out.size) == 0);
    CHECK(done.size == sizeof done && done.links == 2 && done.changed == 2 && !done.unconvertible && !done.lost && !done.early);
    CHECK(iriscan_document_next(document, &item) == 0);
    CHECK(iriscan_document_rewrite(document, take, &out, NULL) == IRISCAN_ERR_STATE);
    SAYS("open it again");
    iriscan_document_free(document);

    /* Compressed again, and read again. */
    out.size = 0;
    document = bytes_of(finder, gz, sizeof gz - 1, "a.txt.gz", IRISCAN_OPEN_DECOMPRESS);
    CHECK(iriscan_document_rewrite(document, take, &out, NULL) == IRISCAN_OK && out.size > 18);
    iriscan_document_free(document);
    document = bytes_of(finder, out.data, out.size, NULL, IRISCAN_OPEN_DECOMPRESS);
    CHECK(iriscan_document_next(document, &item) == 1 && item.link);
    SAME(GET(item.link, URI), "http://a.example/");
    iriscan_document_free(document);

    /* A container in which nothing changes has the same bytes. */
    out.size = 0;
    document = bytes_of(finder, zip, sizeof zip - 1, "b.docx", IRISCAN_OPEN_DECOMPRESS);
    CHECK(iriscan_document_rewrite(document, take, &out, &done) == IRISCAN_OK);
    CHECK(out.size == sizeof zip - 1 && memcmp(out.data, zip, out.size) == 0 && done.links == 1 && done.changed == 0);
    iriscan_document_free(document);

    /* The caller stops it. */
    out.size = 0;
    out.answer = 1;
    document = bytes_of(finder, page, sizeof page - 1, "a.html", 0);
    CHECK(iriscan_document_rewrite(document, take, &out, NULL) == IRISCAN_STOPPED);
    iriscan_document_free(document);

    /* Who is called may not use it. */
    document = bytes_of(finder, page, sizeof page - 1, "a.html", 0);
    CHECK(iriscan_document_rewrite(document, use, &document, NULL) == IRISCAN_OK);
    CHECK(iriscan_document_next(document, &item) == 0);
    iriscan_document_free(document);

    /* What cannot be rewritten. */
    out.answer = 0;
    document = bytes_of(finder, gz, sizeof gz - 1, "a.txt.gz", 0);
    CHECK(iriscan_document_rewrite(document, take, &out, &done) == IRISCAN_ERR_UNSUPPORTED && done.links == 0);
    SAYS("a.txt.gz: compressed, and is not rewritten; IRISCAN_OPEN_DECOMPRESS decompresses it");
    iriscan_document_free(document);
    document = bytes_of(finder, zip, sizeof zip - 1, "b.docx", 0);
    CHECK(iriscan_document_rewrite(document, take, &out, NULL) == IRISCAN_ERR_UNSUPPORTED);
    SAYS("b.docx: a zip container, which is not rewritten; IRISCAN_OPEN_DECOMPRESS rewrites the texts in it");
    iriscan_document_free(document);
    snprintf(path, sizeof path, "%s/archive/pages.warc.gz", folder);
    CHECK(iriscan_document_open(finder, path, 0, &document) == IRISCAN_OK);
    CHECK(iriscan_document_rewrite(document, take, &out, NULL) == IRISCAN_ERR_UNSUPPORTED);
    SAYS("a web archive, whose lengths and digests would be wrong");
    iriscan_document_free(document);
    document = bytes_of(finder, zip, sizeof zip - 9, "b.docx", IRISCAN_OPEN_DECOMPRESS);
    CHECK(iriscan_document_rewrite(document, take, &out, NULL) == IRISCAN_ERR_IO);
    iriscan_document_free(document);
    iriscan_finder_free(finder);
}

/* A signed message stays, unless the finder says otherwise. */
static void signatures(void)
{
    static const char message[] = "DKIM-Signature: v=1; bh=x\n\nhttp://a.example/\xC3\xBC\n";
    iriscan_finder *finder;
    iriscan_rewritten done = {sizeof done, 0, 0, 0, 0, 0};
    written out = {{0}, 0, 0};
    int even;
    for (even = 0; even < 2; even++) {
        iriscan_document *document;
        finder = with(NULL, even ? IRISCAN_FLAG_EVEN_SIGNED : 0);
        document = bytes_of(finder, message, sizeof message - 1, "a.eml", 0);
        out.size = 0;
        CHECK(iriscan_document_rewrite(document, take, &out, &done) == IRISCAN_OK && done.changed == (uint64_t)even);
        iriscan_document_free(document);
        iriscan_finder_free(finder);
    }
}

/* Misuse gives a status. */
static void misuse(void)
{
    iriscan_finder *finder = with(NULL, 0);
    iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
    iriscan_rewritten done = {0, 0, 0, 0, 0, 0};
    written out = {{0}, 0, 0};
    iriscan_document *document = (iriscan_document *)(void *)gz;

    CHECK(iriscan_document_open(NULL, "x", 0, &document) == IRISCAN_ERR_NULL && !document);
    CHECK(iriscan_document_open(finder, NULL, 0, &document) == IRISCAN_ERR_NULL && !document);
    SAYS("path is NULL");
    CHECK(iriscan_document_open(finder, "x", 0, NULL) == IRISCAN_ERR_NULL);
    CHECK(iriscan_document_open(finder, "x", 2, &document) == IRISCAN_ERR_OPTION && !document);
    SAYS("flags: 0x2 is not 0 or IRISCAN_OPEN_DECOMPRESS");
    CHECK(iriscan_document_open(finder, "no/such.html", 0, &document) == IRISCAN_ERR_IO && !document);
    SAYS("no/such.html: No such file");
    /* A folder is opened, and cannot be read. */
    CHECK(iriscan_document_open(finder, "/", 0, &document) == IRISCAN_OK);
    CHECK(iriscan_document_next(document, &item) == IRISCAN_ERR_IO);
    SAYS("/: ");
    CHECK(iriscan_document_next(document, &item) == 0);
    iriscan_document_free(document);
    CHECK(iriscan_document_open_bytes(finder, NULL, 1, NULL, 0, &document) == IRISCAN_ERR_NULL && !document);
    CHECK(iriscan_document_open_bytes(NULL, gz, 1, NULL, 0, &document) == IRISCAN_ERR_NULL);
    CHECK(iriscan_document_open_bytes(finder, gz, (size_t)-1, NULL, 0, &document) == IRISCAN_ERR_RANGE);
    CHECK(iriscan_document_next(NULL, &item) == IRISCAN_ERR_NULL && nothing(&item));
    SAME(iriscan_document_content(NULL), "");
    CHECK(iriscan_document_rewrite(NULL, take, &out, NULL) == IRISCAN_ERR_NULL);
    iriscan_document_free(NULL);

    document = bytes_of(finder, NULL, 0, NULL, 0);
    CHECK(iriscan_document_next(document, NULL) == IRISCAN_ERR_NULL);
    SAYS("item is NULL");
    item.size = 0;
    CHECK(iriscan_document_next(document, &item) == IRISCAN_ERR_SIZE);
    SAYS("iriscan_item: size is 0; set it to sizeof(iriscan_item)");
    item.size = sizeof item;
    CHECK(iriscan_document_rewrite(document, NULL, &out, NULL) == IRISCAN_ERR_NULL);
    SAYS("write is NULL");
    CHECK(iriscan_document_rewrite(document, take, &out, &done) == IRISCAN_ERR_SIZE);
    /* None of these has read it. */
    CHECK(iriscan_document_rewrite(document, take, &out, NULL) == IRISCAN_OK && out.size == 0);
    iriscan_document_free(document);
    CHECK(iriscan_document_next(document, &item) == IRISCAN_ERR_STATE && nothing(&item));
    SAYS("document was freed already");
    SAME(iriscan_document_content(document), "");
    iriscan_document_free(document);
    iriscan_finder_free(finder);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return fprintf(stderr, "usage: document FOLDER\n"), 2;
    contents();
    links();
    nested();
    packed();
    mail(argv[1]);
    archive(argv[1]);
    rewrite(argv[1]);
    signatures();
    misuse();
    return report("document");
}
