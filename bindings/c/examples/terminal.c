/*
 * The link under a cell of a terminal, over wrapped lines.
 *
 *     cc terminal.c $(pkg-config --cflags --libs iriscan) -o terminal
 *     printf 'see http://example.org/a/long/path now' | ./terminal 16 1 3
 *     http://example.org/a/long/path
 *     row 0: 4-16
 *     row 1: 0-16
 *     row 2: 0-2
 *
 * The arguments are the width of the screen, and the row and column of the cell, which
 * count from 0. A terminal calls `link_at` when the pointer moves: iriscan_find_at reads only the
 * text near the cell.
 */
#define _XOPEN_SOURCE 700
#include <iriscan.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { ROWS = 200, COLUMNS = 400, BYTES = 32 };

/* A cell has a character with its combining marks, in UTF-8; the second cell of a wide character
 * has none. */
typedef struct {
    char text[BYTES];
    int wide; /* 1: the character also takes the next cell */
} cell;

typedef struct {
    cell cells[ROWS][COLUMNS];
    int used[ROWS];    /* cells that have been written */
    int wrapped[ROWS]; /* the next row continues this one */
    int rows, columns;
} screen;

/* Puts text on the screen, as a terminal does. What has no room is left out. */
static void put(screen *s, const char *text)
{
    int row = 0, column = 0;
    cell *last = NULL;
    s->rows = 1;
    while (*text) {
        wchar_t character;
        int size = mbtowc(&character, text, MB_CUR_MAX), width;
        if (size < 1) {
            size = 1;
            character = L'?';
        }
        width = *text == '\n' ? 0 : wcwidth(character);
        if (width > 0 && column + width > s->columns) {
            s->wrapped[row] = 1;
            column = 0;
            row++;
        }
        if (*text == '\n') {
            column = 0;
            row++;
            last = NULL;
        }
        if (row >= ROWS)
            return;
        s->rows = row + 1;
        if (width > 0) {
            last = &s->cells[row][column];
            memcpy(last->text, text, (size_t)size);
            last->wide = width > 1;
            column += width;
            s->used[row] = column;
        } else if (width == 0 && last && *text != '\n' && strlen(last->text) + (size_t)size < BYTES)
            memcpy(last->text + strlen(last->text), text, (size_t)size);
        text += size;
    }
}

/* A link on the screen: its address, and the cells that it takes. */
typedef struct {
    char *open;
    int first_row, first_column, last_row, last_column; /* the last one is still part of it */
} spot;

/* Finds the link under a cell. Returns 1, or 0 if there is none. `found->open` is to be freed. */
static int link_at(const screen *s, const iriscan_finder *finder, int row, int column, spot *found)
{
    static char line[ROWS * COLUMNS * 4];
    static int rows[sizeof line], columns[sizeof line]; /* the cell of each byte */
    size_t size = 0, offset = 0;
    int r = row, c, is_there = 0;
    iriscan_links *links;
    const iriscan_link *link;
    const char *open;

    /* The line as it was before it was wrapped, with the cell of each byte. */
    while (r > 0 && s->wrapped[r - 1])
        r--;
    for (;; r++) {
        for (c = 0; c < s->used[r]; c++) {
            const char *text = s->cells[r][c].text;
            int under = r == row && (c == column || (s->cells[r][c].wide && c + 1 == column));
            if (size + BYTES > sizeof line)
                break;
            if (under) {
                offset = size;
                is_there = 1;
            }
            for (; *text; text++, size++) {
                line[size] = *text;
                rows[size] = r;
                columns[size] = c;
            }
        }
        if (!s->wrapped[r] || r + 1 >= s->rows)
            break;
    }
    if (!is_there || iriscan_find_at(finder, line, size, offset, &links) != IRISCAN_OK)
        return 0;
    link = iriscan_links_get(links, 0);
    open = iriscan_link_get(link, IRISCAN_FIELD_OPEN, &size);
    is_there = open != NULL;
    if (is_there) {
        size_t first = (size_t)iriscan_link_start(link, IRISCAN_UNIT_BYTES);
        size_t last = (size_t)iriscan_link_end(link, IRISCAN_UNIT_BYTES) - 1;
        found->open = (char *)malloc(size + 1);
        if (found->open)
            memcpy(found->open, open, size + 1);
        found->first_row = rows[first];
        found->first_column = columns[first];
        found->last_row = rows[last];
        found->last_column = columns[last] + s->cells[rows[last]][columns[last]].wide;
        is_there = found->open != NULL;
    }
    iriscan_links_free(links);
    return is_there;
}

int main(int argc, char **argv)
{
    static screen s;
    static char text[100000];
    iriscan_options options;
    iriscan_finder *finder;
    spot found;
    int row, status = 1;

    if (argc != 4)
        return fprintf(stderr, "usage: terminal WIDTH ROW COLUMN\n"), 2;
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        setlocale(LC_CTYPE, "");
    s.columns = atoi(argv[1]);
    if (s.columns < 2 || s.columns > COLUMNS)
        return fprintf(stderr, "terminal: a width is from 2 to %d\n", (int)COLUMNS), 2;
    text[fread(text, 1, sizeof text - 1, stdin)] = '\0';
    put(&s, text);

    iriscan_options_init(&options, sizeof options);
    options.kinds = IRISCAN_KIND_IRI | IRISCAN_KIND_BARE;
    options.charset = "utf-8";
    if (iriscan_finder_new(&options, &finder) != IRISCAN_OK)
        return fprintf(stderr, "terminal: %s\n", iriscan_last_error()), 2;
    row = atoi(argv[2]);
    if (row >= 0 && row < s.rows && link_at(&s, finder, row, atoi(argv[3]), &found)) {
        puts(found.open);
        for (row = found.first_row; row <= found.last_row; row++)
            printf("row %d: %d-%d\n", row, row == found.first_row ? found.first_column : 0,
                   row == found.last_row ? found.last_column + 1 : s.used[row]);
        free(found.open);
        status = 0;
    }
    iriscan_finder_free(finder);
    return status;
}
