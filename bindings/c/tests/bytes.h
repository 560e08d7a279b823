/* Bytes that grow, and those of a file. Valid as C99 and as C++. */
#ifndef BYTES_H
#define BYTES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that grow. */
typedef struct {
    char *data;
    size_t size, room;
} bytes;

static void bytes_add(bytes *to, const void *data, size_t size)
{
    if (to->size + size + 1 > to->room) {
        to->room = 2 * (to->size + size) + 64;
        to->data = (char *)realloc(to->data, to->room);
        if (!to->data)
            abort();
    }
    if (size)
        memcpy(to->data + to->size, data, size);
    to->size += size;
    to->data[to->size] = '\0';
}

/* The bytes of a file; the program ends if it cannot be read. */
static bytes bytes_of_file(const char *path)
{
    bytes read = {NULL, 0, 0};
    char piece[4096];
    size_t size;
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    while ((size = fread(piece, 1, sizeof piece, file)) > 0)
        bytes_add(&read, piece, size);
    fclose(file);
    return read;
}

#endif
