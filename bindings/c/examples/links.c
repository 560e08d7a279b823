/*
 * Prints the links of files, whatever they are: pages, mail, web archives, what is compressed, office documents.
 *
 *     links FILE...
 *
 * A line for each link: where its text is, its bytes there, what opens it. Notes about what could not be read, and
 * errors, go to standard error, and make the status 1.
 */
#include <inttypes.h>
#include <iriscan.h>
#include <stdio.h>

static void print(const char *path, const iriscan_item *item)
{
    const iriscan_link *link = item->link;
    const char *open = iriscan_link_get(link, IRISCAN_FIELD_OPEN, NULL);
    uint64_t start = iriscan_link_start(link, IRISCAN_UNIT_BYTES);

    if (item->member)
        printf("%s", item->member);
    else
        printf("%s", path);
    if (item->record)
        printf(" <%s> at %" PRIu64, item->record, item->record_offset);
    if (item->message)
        printf(" message %" PRIu64, item->message);
    if (start != IRISCAN_NO_OFFSET)
        printf(" %" PRIu64 "-%" PRIu64, start, iriscan_link_end(link, IRISCAN_UNIT_BYTES));
    printf(" %s\n", open ? open : iriscan_link_get(link, IRISCAN_FIELD_IRI, NULL));
}

/* Prints the links of a file. Returns 0 if all of it was read. */
static int links(const iriscan_finder *finder, const char *path)
{
    iriscan_item item = {sizeof item, NULL, NULL, NULL, NULL, 0, 0};
    iriscan_document *document;
    int found, failed = 0;

    if (iriscan_document_open(finder, path, IRISCAN_OPEN_DECOMPRESS, &document) != IRISCAN_OK) {
        fprintf(stderr, "%s\n", iriscan_last_error());
        return 1;
    }
    /* After an error there may be more to say, and then comes 0. */
    while ((found = iriscan_document_next(document, &item)) == 1 || found == IRISCAN_ERR_IO) {
        if (item.link) {
            print(path, &item);
            continue;
        }
        fprintf(stderr, "%s\n", item.note ? item.note : iriscan_last_error());
        failed = 1;
    }
    if (found < 0) {
        fprintf(stderr, "%s\n", iriscan_last_error());
        failed = 1;
    }
    iriscan_document_free(document);
    return failed;
}

int main(int argc, char **argv)
{
    iriscan_finder *finder;
    int i, failed = 0;

    if (iriscan_finder_new(NULL, &finder) != IRISCAN_OK) {
        fprintf(stderr, "%s\n", iriscan_last_error());
        return 2;
    }
    for (i = 1; i < argc; i++)
        failed |= links(finder, argv[i]);
    iriscan_finder_free(finder);
    return failed;
}
