/*
 * Links in a GtkTextView: GtkTextBuffer counts characters, and so do `chars_start` and `chars_end`.
 *
 *     cc gtk-textview.c $(pkg-config --cflags --libs iriscan gtk+-3.0) -o gtk-textview
 *     ./gtk-textview FILE            a window; a click opens a link
 *     ./gtk-textview --print FILE    the links, without a window
 */
#include <gtk/gtk.h>
#include <iriscan.h>
#include <stdio.h>
#include <string.h>

/* Each link gets a tag of its own with this on it: what to open. */
static const char address[] = "iriscan-open";

/* Tags the links of a buffer. Returns how many there are, or -1. */
static int tag_links(GtkTextBuffer *buffer, const iriscan_finder *finder)
{
    GtkTextIter start, end;
    iriscan_iter *iter;
    const iriscan_link *link;
    char *text;
    int count = 0, more;

    gtk_text_buffer_get_bounds(buffer, &start, &end);
    /* With hidden characters, and U+FFFC for pictures: as many characters as the buffer has. */
    text = gtk_text_buffer_get_slice(buffer, &start, &end, TRUE);
    iriscan_iter_new(finder, text, strlen(text), &iter);
    while ((more = iriscan_iter_next(iter, &link)) == 1) {
        GtkTextTag *tag;
        const char *open = iriscan_link_get(link, IRISCAN_FIELD_OPEN, NULL);
        if (!open)
            continue;
        tag = gtk_text_buffer_create_tag(buffer, NULL, "foreground", "blue", "underline",
                                         PANGO_UNDERLINE_SINGLE, NULL);
        g_object_set_data_full(G_OBJECT(tag), address, g_strdup(open), g_free);
        gtk_text_buffer_get_iter_at_offset(buffer, &start, (int)iriscan_link_start(link, IRISCAN_UNIT_CHARS));
        gtk_text_buffer_get_iter_at_offset(buffer, &end, (int)iriscan_link_end(link, IRISCAN_UNIT_CHARS));
        gtk_text_buffer_apply_tag(buffer, tag, &start, &end);
        count++;
    }
    iriscan_iter_free(iter); /* before the text, which it reads */
    g_free(text);
    return more < 0 ? -1 : count;
}

/* What to open at a place of the buffer; NULL if there is no link. It belongs to the tag. */
static const char *address_at(const GtkTextIter *place)
{
    GSList *tags = gtk_text_iter_get_tags(place), *each;
    const char *open = NULL;
    for (each = tags; each && !open; each = each->next)
        open = (const char *)g_object_get_data(G_OBJECT(each->data), address);
    g_slist_free(tags);
    return open;
}

static gboolean clicked(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    GtkTextView *view = GTK_TEXT_VIEW(widget);
    GtkTextIter place;
    const char *open;
    int x, y;
    (void)data;
    gtk_text_view_window_to_buffer_coords(view, GTK_TEXT_WINDOW_WIDGET, (int)event->x,
                                          (int)event->y, &x, &y);
    if (gtk_text_view_get_iter_at_location(view, &place, x, y)
        && (open = address_at(&place)) != NULL)
        gtk_show_uri_on_window(NULL, open, event->time, NULL);
    return FALSE;
}

/* Prints each link as the buffer has it: from a change of tags to the next one. */
static void print_links(GtkTextBuffer *buffer)
{
    GtkTextIter start, end;
    gtk_text_buffer_get_start_iter(buffer, &start);
    do {
        const char *open = address_at(&start);
        end = start;
        gtk_text_iter_forward_to_tag_toggle(&end, NULL);
        if (open) {
            char *text = gtk_text_buffer_get_text(buffer, &start, &end, TRUE);
            printf("%d-%d %s -> %s\n", gtk_text_iter_get_offset(&start),
                   gtk_text_iter_get_offset(&end), text, open);
            g_free(text);
        }
        start = end;
    } while (!gtk_text_iter_is_end(&start));
}

static void show(GtkTextBuffer *buffer)
{
    GtkWidget *window, *view;
    window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    view = gtk_text_view_new_with_buffer(buffer);
    gtk_text_view_set_editable(GTK_TEXT_VIEW(view), FALSE);
    gtk_container_add(GTK_CONTAINER(window), view);
    g_signal_connect(view, "button-release-event", G_CALLBACK(clicked), NULL);
    g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
    gtk_widget_show_all(window);
    gtk_main();
}

int main(int argc, char **argv)
{
    int print = argc == 3 && strcmp(argv[1], "--print") == 0;
    iriscan_options options;
    iriscan_finder *finder;
    GtkTextBuffer *buffer;
    char *text;
    gsize size;

    gtk_init(NULL, NULL);
    if (argc != 2 + print)
        return fprintf(stderr, "usage: gtk-textview [--print] FILE\n"), 2;
    if (!g_file_get_contents(argv[argc - 1], &text, &size, NULL)
        || !g_utf8_validate(text, (gssize)size, NULL))
        return fprintf(stderr, "%s: not a file in UTF-8\n", argv[argc - 1]), 2;
    buffer = gtk_text_buffer_new(NULL);
    gtk_text_buffer_set_text(buffer, text, (int)size);
    g_free(text);

    iriscan_options_init(&options, sizeof options);
    options.kinds = IRISCAN_KIND_IRI | IRISCAN_KIND_BARE | IRISCAN_KIND_EMAIL;
    options.charset = "utf-8";
    options.flags = IRISCAN_FLAG_CHARS;
    if (iriscan_finder_new(&options, &finder) != IRISCAN_OK || tag_links(buffer, finder) < 0)
        return fprintf(stderr, "%s\n", iriscan_last_error()), 2;
    iriscan_finder_free(finder);
    if (print)
        print_links(buffer);
    else
        show(buffer);
    g_object_unref(buffer);
    return 0;
}
