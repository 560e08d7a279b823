/*
 * The documents of testdata/opened are read as testdata/opened.txt lists: `opened FOLDER`, the folder of testdata. The
 * command and Python are held to the same list.
 */
#include "bytes.h"
#include "test.h"

#include <inttypes.h>

static void add(bytes *to, const char *text)
{
    bytes_add(to, text, strlen(text));
}

static void add_number(bytes *to, const char *before, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    add(to, before);
    add(to, text);
}

/* A message, without what the list leaves out. */
static void add_said(bytes *to, const char *said)
{
    static const char more[] = "; what could be read was used";
    size_t size = strlen(said), least = sizeof more - 1;
    if (size > least && strcmp(said + size - least, more) == 0)
        size -= least;
    add(to, "! ");
    bytes_add(to, said, size);
    add(to, "\n");
}

static void add_link(bytes *to, const char *name, const iriscan_item *item)
{
    uint64_t start = iriscan_link_start(item->link, IRISCAN_UNIT_BYTES);
    const char *open = GET(item->link, OPEN);

    add(to, item->member ? item->member : name);
    if (item->record) {
        add(to, " <");
        add(to, item->record);
        add_number(to, "> at ", item->record_offset);
    }
    if (start != IRISCAN_NO_OFFSET) {
        add_number(to, " ", start);
        add_number(to, "-", iriscan_link_end(item->link, IRISCAN_UNIT_BYTES));
    }
    add(to, " ");
    add(to, open ? open : GET(item->link, IRI));
    add(to, "\n");
}

/* Adds the links of a document, and then what is said of it. */
static void add_document(bytes *to, const iriscan_finder *finder, const bytes *data, const char *name)
{
    iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
    iriscan_document *document = NULL;
    bytes said = {NULL, 0, 0};
    int found = iriscan_document_open_bytes(finder, data->data, data->size, name, IRISCAN_OPEN_DECOMPRESS, &document);

    CHECK(found == IRISCAN_OK);
    while ((found = iriscan_document_next(document, &item)) == 1 || found == IRISCAN_ERR_IO) {
        if (item.link)
            add_link(to, name, &item);
        else
            add_said(&said, item.note ? item.note : iriscan_last_error());
    }
    CHECK(found == 0);
    bytes_add(to, said.data, said.size);
    free(said.data);
    iriscan_document_free(document);
}

int main(int argc, char **argv)
{
    char path[4096];
    bytes list, now = {NULL, 0, 0};
    iriscan_finder *finder = NULL;
    char *line, *end;

    if (argc != 2)
        return fprintf(stderr, "usage: opened FOLDER\n"), 2;
    SAME(iriscan_version(), IRISCAN_VERSION);
    CHECK(iriscan_finder_new(NULL, &finder) == IRISCAN_OK);
    snprintf(path, sizeof path, "%s/opened.txt", argv[1]);
    list = bytes_of_file(path);
    for (line = list.data; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        size_t before = now.size, size = (size_t)(end - line);
        char name[256];
        bytes data;
        if (line[0] != '=')
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(size - 2), line + 2);
        snprintf(path, sizeof path, "%s/opened/%s", argv[1], name);
        data = bytes_of_file(path);
        add(&now, "= ");
        add(&now, name);
        add(&now, "\n");
        add_document(&now, finder, &data, name);
        free(data.data);
        if (!CHECK(now.size <= list.size && memcmp(list.data + before, now.data + before, now.size - before) == 0))
            fprintf(stderr, "%s\n", now.data + before);
    }
    CHECK(now.size == list.size);
    free(now.data);
    free(list.data);
    iriscan_finder_free(finder);
    return report("opened");
}
