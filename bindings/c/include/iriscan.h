/*
 * libiriscan: finds links in text and bytes of any charset, and in mail, and converts IRIs to URIs.
 *
 *     #include <iriscan.h>
 *     #include <stdio.h>
 *     #include <string.h>
 *
 *     int main(void)
 *     {
 *         const char *text = "see http://example.org/, or write to a@example.org";
 *         iriscan_options options;
 *         iriscan_finder *finder;
 *         iriscan_links *links;
 *
 *         iriscan_options_init(&options, sizeof options);
 *         options.kinds = IRISCAN_KIND_IRI | IRISCAN_KIND_EMAIL;
 *         options.charset = "utf-8";
 *         if (iriscan_finder_new(&options, &finder) != IRISCAN_OK
 *             || iriscan_find(finder, text, strlen(text), &links) != IRISCAN_OK) {
 *             fprintf(stderr, "%s\n", iriscan_last_error());
 *             return 1;
 *         }
 *         for (size_t i = 0; i < iriscan_links_count(links); i++)
 *             puts(iriscan_link_get(iriscan_links_get(links, i), IRISCAN_FIELD_OPEN, NULL));
 *         iriscan_links_free(links);
 *         iriscan_finder_free(finder);
 *         return 0;
 *     }
 *
 * Compile with `pkg-config --cflags --libs iriscan`. docs/c.md is a tutorial.
 *
 * Ownership. What a function gives through `out`, or returns as a pointer that is not const, is
 * freed by the function with its type and `_free` in the name, in any order and in any thread.
 * Nothing is freed by free(). Const pointers point into the object that gave them, or are static. Bytes and
 * strings that you pass are yours, and not needed after the call; only an iterator, and a document of bytes, need
 * them until they are freed.
 *
 * Threads. Functions that take a const object may be called by several threads at once for the same
 * object: finders, lists, buffers. Iterators, scanners, rewriters and documents are for one thread at a time; they may move
 * to another one. Freeing an object needs all other calls for it to have returned.
 *
 * Errors. A function that fails returns a negative status (or NULL, or 0), changes nothing, sets
 * `out` to NULL, and leaves a message for iriscan_last_error. A finder and its options can be
 * wrong, and a file may not be there or be damaged; the bytes to search cannot be wrong: any bytes are accepted. A defect of the library is caught and
 * returned as IRISCAN_ERR_PANIC. If memory runs out, the process is aborted.
 *
 * Misuse. NULL, a struct of another size, and an object that was freed already, is of another type
 * or is in use give a status. What cannot be seen: pointers that never came from the library, pointers to freed
 * memory of your own, links and strings used after their owner was freed, and an object freed twice
 * after another of its type took its place, for which at least 16 others must have been freed.
 *
 * Compatibility. The SONAME stays as long as programs need not be compiled anew. Structs that a program
 * fills begin with their size, because they may grow at the end; all else is opaque. New functions,
 * statuses, flags and fields may come.
 *
 * This file is generated from bindings/c/src by bindings/c/header.
 */


#ifndef IRISCAN_H
#define IRISCAN_H

#include <stddef.h>
#include <stdint.h>

/** The version of this header. */
#define IRISCAN_VERSION "0.1.0"

/**
 * The kind of links that have a scheme, and of relative references in markup.
 */
#define IRISCAN_KIND_IRI 1

/**
 * The kind of hosts without a scheme: `www.example.org/x`.
 */
#define IRISCAN_KIND_BARE 2

/**
 * The kind of mail addresses without `mailto:`.
 */
#define IRISCAN_KIND_EMAIL 4

/**
 * The kind of IP addresses without a scheme: `192.0.2.1:80/x`.
 */
#define IRISCAN_KIND_IP 8

/**
 * Flag: a character that is not ASCII ends a link.
 */
#define IRISCAN_FLAG_ASCII_ONLY 1

/**
 * Flag: links have offsets in UTF-16 units (IRISCAN_UNIT_UTF16).
 */
#define IRISCAN_FLAG_UTF16 2

/**
 * Flag: links have offsets in characters (IRISCAN_UNIT_CHARS).
 */
#define IRISCAN_FLAG_CHARS 4

/**
 * Flag: iriscan_mail_rewrite changes signed messages too, which breaks their signatures.
 */
#define IRISCAN_FLAG_EVEN_SIGNED 8

/**
 * Flag: identifiers of RDF and keys of PO are rewritten too.
 */
#define IRISCAN_FLAG_IDENTIFIERS 16

/**
 * Flag: links in code of Markdown do not count.
 */
#define IRISCAN_FLAG_NO_CODE 32

/**
 * Flag: links of HTML and XML say in which element and attribute they are, and of which element they
 * are the target.
 */
#define IRISCAN_FLAG_ELEMENTS 64

/**
 * Flag: only links that rewriting changes.
 */
#define IRISCAN_FLAG_CHANGED 128

/**
 * Flag: only links that a person can follow: in HTML and XML no images, scripts, style sheets, other
 * resources, and names of namespaces; nowhere parts of a message (cid:).
 */
#define IRISCAN_FLAG_LINKS_ONLY 256

/**
 * Flag: what opens the wrapper of a mail gateway, such as Safe Links, is the link inside.
 */
#define IRISCAN_FLAG_UNWRAP 512

/**
 * Flag: rewriting makes links harmless: hxxp[:]//host[.]example/. A template by name, in the place of
 * `template_text`.
 */
#define IRISCAN_FLAG_DEFANG 1024

/**
 * Flag: links have a line and a column.
 */
#define IRISCAN_FLAG_LINES 2048

/**
 * Flag: iriscan_find, iriscan_mail_find and iriscan_mail_find_in_context leave out a link that opens
 * what a link before it opens.
 */
#define IRISCAN_FLAG_UNIQUE 4096

/**
 * The characters of the link as in the input, decoded, nothing else undone. Never NULL.
 */
#define IRISCAN_FIELD_TEXT 1

/**
 * The reference: the text with the escapes of the format and line breaks undone. Never NULL.
 * IRISCAN_FIELD_DISPLAY is for people.
 */
#define IRISCAN_FIELD_IRI 2

/**
 * The URI form, without an added scheme; NULL if it has none; then IRISCAN_FIELD_ERROR says why.
 */
#define IRISCAN_FIELD_URI 3

/**
 * What to give to a browser or mailer: the URI, with "https://" before a host without a scheme and
 * "mailto:" before an address. NULL for a relative reference without a base, and where
 * IRISCAN_FIELD_URI is NULL.
 */
#define IRISCAN_FIELD_OPEN 4

/**
 * The URI form as an absolute URI: a relative reference is resolved against the option "base", or a
 * nearer base that the document says before the link. NULL for a relative reference without a base,
 * and where IRISCAN_FIELD_URI is NULL.
 */
#define IRISCAN_FIELD_ABSOLUTE 5

/**
 * What to show to a person: the readable IRI, its host in Unicode only where that cannot deceive. Put
 * it between U+2066 and U+2069 if it is in other text. Never NULL.
 */
#define IRISCAN_FIELD_DISPLAY 6

/**
 * The scheme in lower case; NULL for a link without one.
 */
#define IRISCAN_FIELD_SCHEME 7

/**
 * The host as it is written, an IPv6 address with its brackets; NULL for a link without one.
 */
#define IRISCAN_FIELD_HOST 8

/**
 * The path; NULL for an address of mail.
 */
#define IRISCAN_FIELD_PATH 9

/**
 * The query without its "?", or NULL.
 */
#define IRISCAN_FIELD_QUERY 10

/**
 * The fragment without its "#", or NULL.
 */
#define IRISCAN_FIELD_FRAGMENT 11

/**
 * The user information without its "@", or NULL.
 */
#define IRISCAN_FIELD_USERINFO 12

/**
 * The port without its ":", or NULL.
 */
#define IRISCAN_FIELD_PORT 13

/**
 * The names of the warnings with a space between them, for example "mixed-script"; "" if there are
 * none. `iriscan find --help` explains the names. iriscan_link_has_warning asks for one.
 */
#define IRISCAN_FIELD_WARNINGS 14

/**
 * Of a link why it has no URI form, of a reference why it is not valid; NULL if there is nothing to
 * say.
 */
#define IRISCAN_FIELD_ERROR 15

/**
 * The charset that the link was read in, for example "UTF-8" or "Shift_JIS".
 */
#define IRISCAN_FIELD_CHARSET 16

/**
 * The URI of the link inside, if the link is the wrapper of a mail gateway; NULL if it is not.
 */
#define IRISCAN_FIELD_UNWRAPPED 17

/**
 * With IRISCAN_FLAG_ELEMENTS, in HTML and XML: the element that the link is in. NULL in running text,
 * and elsewhere.
 */
#define IRISCAN_FIELD_ELEMENT 18

/**
 * The attribute that the link is in; NULL in the text of an element.
 */
#define IRISCAN_FIELD_ATTRIBUTE 19

/**
 * The text of the element a or area that the link is the href of, white space folded, at most 200
 * characters; NULL for other links.
 */
#define IRISCAN_FIELD_ANCHOR 20

/**
 * In mail the part of the message, numbered as in IMAP: "1.2"; "0" for the header of the message.
 * NULL elsewhere.
 */
#define IRISCAN_FIELD_PART 21

/**
 * In mail the name of the header field; NULL in a body, and elsewhere.
 */
#define IRISCAN_FIELD_HEADER 22

/**
 * In mail the identifier of the message, without the "<" and ">" around it; NULL if it has none, and
 * elsewhere. This and the next three are of the header of the message, decoded.
 */
#define IRISCAN_FIELD_MESSAGE_ID 23

/**
 * What the message is about.
 */
#define IRISCAN_FIELD_SUBJECT 24

/**
 * Who wrote the message, as its field From has it: names and addresses.
 */
#define IRISCAN_FIELD_FROM 25

/**
 * When the message was written, as its field Date has it.
 */
#define IRISCAN_FIELD_DATE 26

/**
 * The text before the link in its part or field, of iriscan_mail_find_in_context; NULL elsewhere.
 */
#define IRISCAN_FIELD_BEFORE 27

/**
 * The text after the link.
 */
#define IRISCAN_FIELD_AFTER 28

/**
 * The registrable domain of the host, by the Public Suffix List, in ASCII: "example.co.uk" of
 * www.example.co.uk; NULL for an address, a public suffix and a name of one label.
 */
#define IRISCAN_FIELD_DOMAIN 29

/**
 * Bytes of the input, of a stream counted from its start, whatever the charset and format. In mail
 * the bytes of the message, or of the file if a document gave the link.
 */
#define IRISCAN_UNIT_BYTES 0

/**
 * UTF-16 units of the decoded text, with IRISCAN_FLAG_UTF16, not in mail. A byte order mark does not
 * count.
 */
#define IRISCAN_UNIT_UTF16 1

/**
 * Characters (Unicode scalar values) of the decoded text, with IRISCAN_FLAG_CHARS, not in mail; a
 * malformed sequence counts as one. So count GtkTextBuffer and Python.
 */
#define IRISCAN_UNIT_CHARS 2

/**
 * The offset that is not there: of a link in mail whose bytes are not in the message (base64), of a link in
 * a web archive whose text was decoded, and in units that no flag asked for.
 */
#define IRISCAN_NO_OFFSET UINT64_MAX

/**
 * Flag of iriscan_document_open and iriscan_document_open_bytes: decompress gzip, zstd, bzip2 and xz, and
 * read zip containers member by member. All of these are known by their first bytes. Web archives are
 * decompressed without it.
 */
#define IRISCAN_OPEN_DECOMPRESS 1

/**
 * Bytes that a function made. They stay as they are until iriscan_buffer_free; any number of threads
 * may read them.
 */
typedef struct iriscan_buffer iriscan_buffer;

/**
 * What iriscan_check says about a reference. It never changes: any number of threads may read it.
 */
typedef struct iriscan_checked iriscan_checked;

/**
 * A file, or bytes with a name, opened as the command `iriscan` opens its inputs. One thread at a time.
 *
 * The name says what it is: HTML, JSON and all other formats, mail (`.eml`, `.mbox`, a Maildir), a web archive
 * (`.warc`, `.warc.gz`); anything else is text. With IRISCAN_OPEN_DECOMPRESS, gzip, zstd, bzip2 and xz are
 * decompressed, and zip containers (docx, odt, epub) read member by member. Then either
 * iriscan_document_next gives its links one by one, or iriscan_document_rewrite writes it anew. Memory does
 * not grow with it, but by the links of one message, record or member.
 */
typedef struct iriscan_document iriscan_document;

/**
 * Options that were checked, ready to find links.
 *
 * A finder never changes: any number of threads may use one at the same time. Make one for each
 * set of options and keep it.
 */
typedef struct iriscan_finder iriscan_finder;

/**
 * Goes over the links of some bytes. One thread at a time.
 */
typedef struct iriscan_iter iriscan_iter;

/**
 * A link that was found. Its functions say what is known of it.
 *
 * A link belongs to what gave it: it is valid in a list until iriscan_links_free, from an iterator
 * or a document until its next call, from a scanner until the callback returns. The strings of a link are valid as
 * long as it is. Any number of threads may read one.
 */
typedef struct iriscan_link iriscan_link;

/**
 * Links that were found, in order of their start. A list never changes: any number of threads may
 * read it.
 */
typedef struct iriscan_links iriscan_links;

/**
 * The text that a callback of iriscan_replace writes in the place of a link.
 */
typedef struct iriscan_replacement iriscan_replacement;

/**
 * Rewrites one stream. One thread at a time.
 *
 * How the stream is cut into chunks never changes what comes out: what iriscan_rewrite makes of all of it.
 */
typedef struct iriscan_rewriter iriscan_rewriter;

/**
 * Scans one stream of bytes, which comes in chunks. One thread at a time.
 *
 * How the stream is cut into chunks never changes the links. At most `max_len` and the 64 KiB that
 * decide on a charset are held back; eight times that in formats other than text.
 */
typedef struct iriscan_scanner iriscan_scanner;

/**
 * Options of a finder. They have the names and words of the command line.
 *
 * Call iriscan_options_init, then set members. A member that is NULL or 0 is the default, so
 * `iriscan_options options = {sizeof options};` is as good. Strings must live until the call that
 * takes the options returns.
 */
typedef struct iriscan_options {
    /**
     * sizeof(iriscan_options): says which members the program knows. Later versions may add some
     * at the end.
     */
    size_t size;
    /**
     * What to find: a sum of IRISCAN_KIND_IRI, IRISCAN_KIND_BARE, IRISCAN_KIND_EMAIL, IRISCAN_KIND_IP;
     * 0 is IRISCAN_KIND_IRI.
     */
    uint32_t kinds;
    /**
     * The charset of the input: a label of the Encoding Standard, "utf-32le" or "utf-32be". NULL or
     * "auto" detects it, which is a guess in short texts: say "utf-8" if you know that it is.
     */
    const char *charset;
    /**
     * The syntax around the text: "text" (the default), "html", "xml", "json", "log", "turtle", "csv",
     * "tsv", "markdown", "asciidoc", "css", "ical", "org", "latex", "rst", "po", "wikitext",
     * "defanged", "bbcode", "source", "c", "python", "java", "man", "ipynb" or "jsonld". For mail use
     * iriscan_mail_find.
     * If it is not NULL, iriscan_document_open reads every file in this format.
     */
    const char *format;
    /**
     * "prose" (the default), or "uts58": Unicode Technical Standard #58 to the letter.
     */
    const char *rules;
    /**
     * Schemes that count: "common", "any", or names with commas between them ("http,https"). NULL
     * is "common", and in attributes of markup any reference, even a relative one.
     */
    const char *schemes;
    /**
     * The form of a host that is not ASCII: "punycode" (the default), "percent" or "keep". If
     * `to` is "iri": "keep" (the default), or "unicode" to decode xn-- labels.
     */
    const char *host;
    /**
     * The charset of a query that is not ASCII, of http and https: "document" or "utf-8". NULL is
     * "utf-8" in parts of mail that are not HTML, elsewhere "document".
     */
    const char *query;
    /**
     * When text is normalised to NFC: "auto" (the default: if the charset is a legacy one),
     * "always" or "never".
     */
    const char *nfc;
    /**
     * In JSON the keys whose values are searched, with commas between them; NULL: all values.
     */
    const char *fields;
    /**
     * The longest link, in bytes of the input; 0 is 65536. A longer one is text.
     */
    uint64_t max_len;
    /**
     * A sum of IRISCAN_FLAG_ASCII_ONLY and others.
     */
    uint32_t flags;
    /**
     * Must be 0, so that a later version can use it; anything else is IRISCAN_ERR_OPTION.
     */
    uint32_t reserved;
    /**
     * In CSV, the character between fields, such as ";"; NULL: it is found in the first records.
     */
    const char *delimiter;
    /**
     * What rewriting makes of links: "uri" (the default), or "iri": the IRI that people can read.
     * `host` then has other words.
     */
    const char *to;
    /**
     * What replaces a link when rewriting, with fields such as {host}: a template of `iriscan
     * rewrite --replace`. NULL: its URI, or IRI.
     */
    const char *template_text;
    /**
     * Only links with a host like one of these: "*.example.org". This and the members below are
     * arrays of strings with a NULL at the end, or NULL. A link must pass all that are given; the
     * others count as text.
     */
    const char *const *only_host;
    /**
     * No links with such a host.
     */
    const char *const *not_host;
    /**
     * Only links with a host of this list, or below one. Each string is a line of a list of hosts,
     * or has several lines, such as a whole file: hosts, lines of hosts files, or "||host^". Lines
     * without a host are left out, and iriscan_last_error then says how many and where; it says ""
     * if every line has a host.
     */
    const char *const *hosts_from;
    /**
     * Only links whose IRI one of these regular expressions matches, in the syntax of ripgrep.
     */
    const char *const *match;
    /**
     * No links whose IRI matches.
     */
    const char *const *not_match;
    /**
     * Only links whose IRI contains one of these strings. An empty string counts for nothing.
     */
    const char *const *contains_from;
    /**
     * Any options by the names of the command line, with "_" for "-": an array of names and values by
     * turns, with a NULL at the end, or NULL. The value of a flag is "true" or "false"; an option with
     * several values comes once for each: {"base", "http://a.example/", "not_host", "*.b.example", NULL}.
     * They count more than the members above.
     */
    const char *const *more;
} iriscan_options;

/**
 * What most functions return: IRISCAN_OK, IRISCAN_STOPPED, or a negative number, which is an error.
 *
 * Later versions may return other negative numbers.
 */
typedef int32_t iriscan_status;

/**
 * What takes the text and the links of a stream: `iriscan_sink sink = {sizeof sink, user, text, link};`
 *
 * Text, and the `source` of each link, one after the other, are the stream, byte for byte. Callbacks
 * run in the thread of iriscan_scanner_push or iriscan_scanner_finish, before it returns. A callback
 * returns 0 to go on; any other number stops the scan. It must return: no longjmp, no C++
 * exception. It may use other objects of the library, but not this scanner.
 */
typedef struct iriscan_sink {
    /**
     * sizeof(iriscan_sink).
     */
    size_t size;
    /**
     * The first argument of the callbacks; may be NULL.
     */
    void *user;
    /**
     * Takes bytes that belong to no link, valid until it returns; at least one. One text may come in
     * several pieces, but no character is cut. NULL: text is not wanted.
     */
    int (*text)(void *user, const void *data, size_t size);
    /**
     * Takes a link, valid until it returns. NULL: links are not wanted. With the option "nested", links in
     * queries are not among them, because their bytes belong to the link around them: iriscan_find and
     * iriscan_iter_next have them.
     */
    int (*link)(void *user, const struct iriscan_link *link);
} iriscan_sink;

/**
 * Takes rewritten bytes, valid until it returns. It returns 0 to go on; any other number stops the
 * stream. It must return: no longjmp, no C++ exception.
 */
typedef int (*iriscan_write)(void *user, const void *data, size_t size);

/**
 * What iriscan_document_next gives: a link with the place of its text, or a note. Everything in it is valid
 * until the next call with the document.
 *
 * Set `size` before the first call: `iriscan_item item = {sizeof item};`
 */
typedef struct iriscan_item {
    /**
     * sizeof(iriscan_item).
     */
    size_t size;
    /**
     * The link; NULL for a note. Its offsets count bytes of the document: of mail, those of the file; of a web
     * archive, those of the archive, decompressed; of a container, those of the member.
     * They are IRISCAN_NO_OFFSET if the bytes of the link are not there, because they were decoded. Lines
     * of mail count in the file. Other units, lines and columns count in the text of the record or member.
     */
    const struct iriscan_link *link;
    /**
     * A part that could not be read: what, where, and what to do. UTF-8, for people. NULL for a link.
     */
    const char *note;
    /**
     * The member of a container that the text is, after the name of the container: "a.docx!word/document.xml".
     * NULL elsewhere. It is no path that can be opened.
     */
    const char *member;
    /**
     * The address that the text came from, in a web archive; NULL elsewhere.
     */
    const char *record;
    /**
     * The byte of the archive, decompressed, that the record starts at; IRISCAN_NO_OFFSET elsewhere.
     */
    uint64_t record_offset;
    /**
     * The number of the message in the file, from 1; 0 for what is not mail.
     */
    uint64_t message;
} iriscan_item;

/**
 * What iriscan_document_rewrite did.
 *
 * Set `size` before the call: `iriscan_rewritten done = {sizeof done};`
 */
typedef struct iriscan_rewritten {
    /**
     * sizeof(iriscan_rewritten).
     */
    size_t size;
    /**
     * The links that were found.
     */
    uint64_t links;
    /**
     * Those that were replaced. If it is 0, the bytes are those of the document, unless it was compressed.
     */
    uint64_t changed;
    /**
     * Those that should have been replaced and stay, as for iriscan_buffer_unconvertible.
     */
    uint64_t unconvertible;
    /**
     * The characters that are written as `?`, as for iriscan_buffer_lost.
     */
    uint64_t lost;
    /**
     * The links that were written before the charset was known, as for iriscan_buffer_early.
     */
    uint64_t early;
} iriscan_rewritten;

/**
 * Options of iriscan_to_uri: `iriscan_uri_options options = {sizeof options};` and then members. One
 * that is NULL is the default.
 */
typedef struct iriscan_uri_options {
    /**
     * sizeof(iriscan_uri_options).
     */
    size_t size;
    /**
     * The form of a host that is not ASCII: "punycode" (the default), "percent" or "keep".
     */
    const char *host;
    /**
     * What becomes of characters that no URI has, such as spaces: "encode" (the default), "keep" or "fail".
     */
    const char *disallowed;
    /**
     * When text is normalised to NFC: "auto" (the default: if the charset is a legacy one),
     * "always" or "never".
     */
    const char *nfc;
    /**
     * The charset of the document that the reference is from; "utf-8" by default.
     */
    const char *charset;
    /**
     * The charset of a query that is not ASCII, of http and https: "document" (the default) or "utf-8".
     */
    const char *query;
} iriscan_uri_options;

/**
 * Options of iriscan_to_iri: `iriscan_iri_options options = {sizeof options};` and then members. One
 * that is NULL is the default.
 */
typedef struct iriscan_iri_options {
    /**
     * sizeof(iriscan_iri_options).
     */
    size_t size;
    /**
     * The host: "keep" (the default), or "unicode" to decode xn-- labels.
     */
    const char *host;
    /**
     * Private-use characters in a query: "keep" (the default: their escapes stay), or "decode".
     */
    const char *private_use;
    /**
     * Escapes of characters better left alone: "keep" (the default: those of white space, invisible,
     * format and unassigned characters), "all" or "decode".
     */
    const char *inadvisable;
    /**
     * The charset of escapes that are not UTF-8; NULL: they stay.
     */
    const char *escapes;
} iriscan_iri_options;

/**
 * The function did what it should.
 */
#define IRISCAN_OK 0

/**
 * A callback returned a number that is not zero, and so stopped the scan. Not an error.
 */
#define IRISCAN_STOPPED 1

/**
 * A pointer is NULL that must not be.
 */
#define IRISCAN_ERR_NULL (-1)

/**
 * An option has a value that does not exist.
 */
#define IRISCAN_ERR_OPTION (-2)

/**
 * An offset is after the end of the bytes, or a size is more than half of the address space.
 */
#define IRISCAN_ERR_RANGE (-3)

/**
 * A defect of this library was caught. The object of the call can only be freed after it.
 */
#define IRISCAN_ERR_PANIC (-4)

/**
 * The `size` of a struct is too small, or what it has at its end is unknown to this version.
 */
#define IRISCAN_ERR_SIZE (-5)

/**
 * The object was freed, is of another type, is in use by a call that has not returned, or is a
 * scanner at its end.
 */
#define IRISCAN_ERR_STATE (-6)

/**
 * A string is not UTF-8.
 */
#define IRISCAN_ERR_UTF8 (-7)

/**
 * A reference is not valid, or has no form of the kind that was asked for.
 */
#define IRISCAN_ERR_REFERENCE (-8)

/**
 * A file cannot be opened or read, or it is damaged.
 */
#define IRISCAN_ERR_IO (-9)

/**
 * A document is of a kind that cannot be read, or not be rewritten; iriscan_last_error says what can be done.
 */
#define IRISCAN_ERR_UNSUPPORTED (-10)

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/**
 * Returns what the last call of this thread that failed has to say; "" if none failed.
 *
 * The message is for people: it names the argument or option, and the values that exist. A call
 * that succeeds does not change it, so ask only after a failure, or after iriscan_finder_new with
 * `hosts_from`.
 *
 * The string is UTF-8 and belongs to the library. It is valid until the next call of this thread
 * into the library. Never NULL. Each thread has a message of its own.
 */
const char *iriscan_last_error(void);

/**
 * Returns the version of the library that runs, for example "0.1.0". IRISCAN_VERSION is the one
 * that the program was compiled with.
 *
 * The string is static.
 */
const char *iriscan_version(void);

/**
 * Sets all options to their defaults.
 *
 * - options: NULL is allowed, and then nothing happens
 * - size: sizeof(iriscan_options); nothing after that is written
 */
void iriscan_options_init(struct iriscan_options *options, size_t size);

/**
 * Makes a finder.
 *
 * - options: NULL for the defaults. Nothing of it is needed after the call.
 * - out: receives the finder, to be freed by iriscan_finder_free; NULL on errors
 *
 * Errors: IRISCAN_ERR_OPTION for a value that does not exist (iriscan_last_error names those that do),
 * IRISCAN_ERR_SIZE, IRISCAN_ERR_UTF8, IRISCAN_ERR_NULL if `out` is NULL.
 */
iriscan_status iriscan_finder_new(const struct iriscan_options *options,
                                  struct iriscan_finder **out);

/**
 * Frees a finder. NULL is allowed. Lists, iterators and scanners that it made stay valid. A finder
 * that was freed already stays so, and iriscan_last_error says it. No other thread may be using it.
 */
void iriscan_finder_free(struct iriscan_finder *finder);

/**
 * Returns what a link says in a field: UTF-8, with a NUL after it; NULL if it says nothing there.
 *
 * - link: NULL is allowed, and gives NULL
 * - field: IRISCAN_FIELD_URI, IRISCAN_FIELD_OPEN, … For another number the result is NULL, and
 *   iriscan_last_error says it.
 * - size: receives the bytes of the string, without the NUL; 0 for NULL. May be NULL. It differs from
 *   strlen only where a link has U+0000: in attributes of markup, also of HTML in mail, and in RDF;
 *   never in plain text, JSON and logs. Such a link has the warning "not-rfc3986".
 *
 * The string is made when it is asked for first, and valid as long as the link is.
 */
const char *iriscan_link_get(const struct iriscan_link *link,
                             uint32_t field,
                             size_t *size);

/**
 * Returns where a link starts, in IRISCAN_UNIT_BYTES, IRISCAN_UNIT_UTF16 or IRISCAN_UNIT_CHARS;
 * IRISCAN_NO_OFFSET if that is not known, and for NULL.
 */
uint64_t iriscan_link_start(const struct iriscan_link *link, uint32_t unit);

/**
 * Returns where what follows a link starts, in the same units as iriscan_link_start.
 */
uint64_t iriscan_link_end(const struct iriscan_link *link, uint32_t unit);

/**
 * Returns the line on which a link starts, from 1: with IRISCAN_FLAG_LINES, and always in mail, where it
 * is the line of the message on which the link, or the part that has it, starts. 0 if it is not known,
 * and for NULL.
 */
uint64_t iriscan_link_line(const struct iriscan_link *link);

/**
 * Returns the column in which a link starts, in characters from 1, with IRISCAN_FLAG_LINES; 0 if it is
 * not known, and for NULL.
 */
uint64_t iriscan_link_column(const struct iriscan_link *link);

/**
 * Returns the kind of a link: IRISCAN_KIND_IRI, IRISCAN_KIND_BARE, IRISCAN_KIND_EMAIL or
 * IRISCAN_KIND_IP; 0 for NULL. iriscan_kind_name has the words.
 */
uint32_t iriscan_link_kind(const struct iriscan_link *link);

/**
 * Returns 1 if a link has a warning, 0 if not, or a negative status.
 *
 * - warning: its name, such as "mixed-script". NULL: any warning.
 */
int iriscan_link_has_warning(const struct iriscan_link *link, const char *warning);

/**
 * Returns the bytes of a link as in the input; in mail as in the message, or if they are not there, as
 * in the decoded part. NULL for NULL.
 *
 * - size: receives how many they are; may be NULL. No NUL is after them, and in UTF-16 and UTF-32 there
 *   are some within.
 */
const void *iriscan_link_source(const struct iriscan_link *link,
                                size_t *size);

/**
 * Returns the word of the command line for the kind of a link: "iri", "bare", "email" or "ip"; ""
 * for other numbers.
 *
 * The string is static.
 */
const char *iriscan_kind_name(uint32_t kind);

/**
 * Finds all links of the bytes.
 *
 * - finder: the options
 * - data, size: the bytes, in the charset of the options. No NUL is needed after them. NULL is
 *   allowed if `size` is 0. They are not needed after the call.
 * - out: receives the list, to be freed by iriscan_links_free; NULL on errors. Without links it is
 *   an empty list, not NULL.
 *
 * Errors: IRISCAN_ERR_NULL, IRISCAN_ERR_STATE, IRISCAN_ERR_RANGE. Bytes are never an error, malformed ones
 * included.
 */
iriscan_status iriscan_find(const struct iriscan_finder *finder,
                            const void *data,
                            size_t size,
                            struct iriscan_links **out);

/**
 * Finds the link at an offset: the link that iriscan_find finds there, if there is one.
 *
 * In plain text only the text near the offset is read, so that this may be called as often as a
 * pointer moves.
 *
 * - offset: a byte of `data`, at most `size`. The byte after a link is not part of it.
 * - out: receives a list of one link or none, to be freed by iriscan_links_free; NULL on errors
 *
 * The other arguments and errors are those of iriscan_find; IRISCAN_ERR_RANGE also if `offset` is more
 * than `size`.
 */
iriscan_status iriscan_find_at(const struct iriscan_finder *finder,
                               const void *data,
                               size_t size,
                               size_t offset,
                               struct iriscan_links **out);

/**
 * Returns 1 if the bytes have a link, 0 if not, or a negative status. It stops at the first link.
 *
 * The arguments and errors are those of iriscan_find.
 */
int iriscan_has_link(const struct iriscan_finder *finder, const void *data, size_t size);

/**
 * Returns how many links a list has; 0 if `links` is NULL or was freed.
 */
size_t iriscan_links_count(const struct iriscan_links *links);

/**
 * Returns a link of a list; NULL past the end, and if `links` is NULL or was freed.
 *
 * - index: from 0
 *
 * The link belongs to the list and is valid until the list is freed.
 */
const struct iriscan_link *iriscan_links_get(const struct iriscan_links *links, size_t index);

/**
 * Frees a list and its links. NULL is allowed. A list that was freed already stays so, and
 * iriscan_last_error says it. No other thread may be reading it.
 */
void iriscan_links_free(struct iriscan_links *links);

/**
 * Makes an iterator over the links of the bytes. It reads on only when the next link is asked for.
 *
 * - finder: the options; not needed after the call
 * - data, size: the bytes. They stay the caller's, and must neither move nor change until
 *   iriscan_iter_free.
 *
 * - out: receives the iterator, to be freed by iriscan_iter_free; NULL on errors: those of
 *   iriscan_find
 */
iriscan_status iriscan_iter_new(const struct iriscan_finder *finder,
                                const void *data,
                                size_t size,
                                struct iriscan_iter **out);

/**
 * Goes to the next link.
 *
 * - out: receives the link, which is valid until the next call with this iterator; NULL at the end
 *   and on errors
 *
 * Returns 1 for a link, 0 at the end, as often as it is called there, or a negative status:
 * IRISCAN_ERR_NULL, IRISCAN_ERR_STATE.
 */
int iriscan_iter_next(struct iriscan_iter *iter, const struct iriscan_link **out);

/**
 * Frees an iterator and its link. NULL is allowed. An iterator that was freed already stays so, and
 * iriscan_last_error says it.
 */
void iriscan_iter_free(struct iriscan_iter *iter);

/**
 * Makes a scanner for one stream.
 *
 * - finder: the options; not needed after the call
 *
 * - out: receives the scanner, to be freed by iriscan_scanner_free; NULL on errors: IRISCAN_ERR_NULL,
 *   IRISCAN_ERR_STATE
 */
iriscan_status iriscan_scanner_new(const struct iriscan_finder *finder,
                                   struct iriscan_scanner **out);

/**
 * Scans the next bytes of the stream. Text and links that are settled go to the callbacks.
 *
 * - data, size: the next bytes; not needed after the call. NULL is allowed if `size` is 0.
 * - sink: the callbacks; each call may have others
 *
 * Returns IRISCAN_OK; IRISCAN_STOPPED if a callback stopped the scan, after which the scanner can
 * only be freed; or an error: IRISCAN_ERR_NULL, IRISCAN_ERR_SIZE, IRISCAN_ERR_RANGE, and IRISCAN_ERR_STATE for a
 * scanner that was stopped, has finished or was freed, or whose callback this is.
 */
iriscan_status iriscan_scanner_push(struct iriscan_scanner *scanner,
                                    const void *data,
                                    size_t size,
                                    const struct iriscan_sink *sink);

/**
 * Ends the stream. The rest of it goes to the callbacks.
 *
 * Returns what iriscan_scanner_push returns. After it the scanner can only be freed.
 */
iriscan_status iriscan_scanner_finish(struct iriscan_scanner *scanner,
                                      const struct iriscan_sink *sink);

/**
 * Frees a scanner, at any time but in its own callbacks. NULL is allowed. A scanner that was freed
 * already stays so, and iriscan_last_error says it.
 */
void iriscan_scanner_free(struct iriscan_scanner *scanner);

/**
 * Finds all links of one message: in header fields and in text parts, through transfer encodings,
 * charsets, flowed text, HTML and encoded words. A program that reads an mbox passes one message
 * after the other.
 *
 * The links have IRISCAN_FIELD_PART, IRISCAN_FIELD_HEADER and a line, and IRISCAN_FIELD_SUBJECT and
 * others of the message. Their offsets are bytes of the message, or IRISCAN_NO_OFFSET if the link's
 * bytes are not there, as in base64. The finder's charset and format
 * do not count, because the message says its own.
 *
 * The arguments and errors are those of iriscan_find.
 */
iriscan_status iriscan_mail_find(const struct iriscan_finder *finder,
                                 const void *data,
                                 size_t size,
                                 struct iriscan_links **out);

/**
 * As iriscan_mail_find; the links have IRISCAN_FIELD_BEFORE and IRISCAN_FIELD_AFTER, the text around
 * them.
 *
 * - chars: so many characters before and after each link. Transfer encodings are undone, and the
 *   charset is decoded; markup and line ends are as they are written.
 *
 * The other arguments and errors are those of iriscan_find.
 */
iriscan_status iriscan_mail_find_in_context(const struct iriscan_finder *finder,
                                            const void *data,
                                            size_t size,
                                            size_t chars,
                                            struct iriscan_links **out);

/**
 * Copies the bytes with each link that is not ASCII replaced by its URI form, or as the options
 * `to`, `template_text` and IRISCAN_FLAG_DEFANG say. Every other byte stays as it is.
 *
 * - data, size: the bytes, as for iriscan_find
 * - out: receives the bytes, to be freed by iriscan_buffer_free; NULL on errors. iriscan_buffer_changed
 *   says how many links were replaced, iriscan_buffer_unconvertible how many stay.
 *
 * Errors: those of iriscan_find. A link that cannot be replaced stays as it is and is no error.
 */
iriscan_status iriscan_rewrite(const struct iriscan_finder *finder,
                               const void *data,
                               size_t size,
                               struct iriscan_buffer **out);

/**
 * Copies one message with links replaced as iriscan_rewrite does, in the encoding of their parts. Line
 * limits are kept. A signed message stays as it is, unless the finder has the flag
 * IRISCAN_FLAG_EVEN_SIGNED.
 *
 * The arguments and errors are those of iriscan_rewrite.
 */
iriscan_status iriscan_mail_rewrite(const struct iriscan_finder *finder,
                                    const void *data,
                                    size_t size,
                                    struct iriscan_buffer **out);

/**
 * Adds text to what replaces the link: UTF-8. The escapes of the format and the charset of the document
 * are not for the caller to write.
 *
 * - replacement: the one that the callback got, until it returns
 * - text, size: no NUL is needed after it. An empty text removes the link.
 *
 * Errors: IRISCAN_ERR_NULL, IRISCAN_ERR_UTF8, IRISCAN_ERR_RANGE.
 */
iriscan_status iriscan_replacement_add(struct iriscan_replacement *replacement,
                                       const char *text,
                                       size_t size);

/**
 * Copies the bytes with each link replaced by the text that `replace` gives. The options `to`,
 * `template_text` and IRISCAN_FLAG_DEFANG do not count.
 *
 * - data, size: the bytes, as for iriscan_find
 * - replace: called for each link, in order. It calls iriscan_replacement_add with what it wants in the
 *   place of the link; if it does not, the link stays. It must return: no longjmp, no C++ exception.
 * - user: its first argument; may be NULL
 * - out: as for iriscan_rewrite
 *
 * Errors: those of iriscan_find, IRISCAN_ERR_NULL also if `replace` is NULL.
 */
iriscan_status iriscan_replace(const struct iriscan_finder *finder,
                               const void *data,
                               size_t size,
                               void (*replace)(void *user,
                                               const struct iriscan_link *link,
                                               struct iriscan_replacement *replacement),
                               void *user,
                               struct iriscan_buffer **out);

/**
 * Makes a rewriter for one stream.
 *
 * - finder: the options; not needed after the call
 * - out: receives the rewriter, to be freed by iriscan_rewriter_free; NULL on errors: IRISCAN_ERR_NULL,
 *   IRISCAN_ERR_STATE
 */
iriscan_status iriscan_rewriter_new(const struct iriscan_finder *finder,
                                    struct iriscan_rewriter **out);

/**
 * Rewrites the next bytes of the stream, and gives what is settled to `write`, at most once.
 *
 * - data, size: the next bytes; not needed after the call. NULL is allowed if `size` is 0.
 * - write: takes the bytes
 * - user: its first argument; may be NULL
 *
 * Returns IRISCAN_OK; IRISCAN_STOPPED if `write` stopped the stream, after which the rewriter can only be
 * freed; or an error: IRISCAN_ERR_NULL, IRISCAN_ERR_RANGE, and IRISCAN_ERR_STATE for a rewriter that was
 * stopped, has finished or was freed.
 */
iriscan_status iriscan_rewriter_push(struct iriscan_rewriter *rewriter,
                                     const void *data,
                                     size_t size,
                                     iriscan_write write,
                                     void *user);

/**
 * Ends the stream, and gives the rest of it to `write`.
 *
 * Returns what iriscan_rewriter_push returns. After it the rewriter can only be asked and freed.
 */
iriscan_status iriscan_rewriter_finish(struct iriscan_rewriter *rewriter,
                                       iriscan_write write,
                                       void *user);

/**
 * Returns how many links a rewriter has replaced so far; 0 if `rewriter` is NULL, in use or was freed.
 */
uint64_t iriscan_rewriter_changed(struct iriscan_rewriter *rewriter);

/**
 * Frees a rewriter. NULL is allowed. A rewriter that was freed already stays so, and iriscan_last_error
 * says it.
 */
void iriscan_rewriter_free(struct iriscan_rewriter *rewriter);

/**
 * Makes HTML of plain text: what means something there is escaped, and each link becomes an element a. Its
 * href is what opens it (IRISCAN_FIELD_OPEN); a link that has nothing to open, or another scheme than
 * http, https, ftp and mailto, is only text.
 *
 * - finder: the options. The format should be "text".
 * - data, size: the text, as for iriscan_find
 * - out: receives the HTML in UTF-8, to be freed by iriscan_buffer_free; NULL on errors. It has no line
 *   breaks of its own: put it into an element with `white-space: pre-wrap`. iriscan_buffer_changed says
 *   how many links it has.
 *
 * Errors: those of iriscan_find.
 */
iriscan_status iriscan_linkify(const struct iriscan_finder *finder,
                               const void *data,
                               size_t size,
                               struct iriscan_buffer **out);

/**
 * Returns the bytes of a buffer. After the last one is a NUL that does not count, so that text in
 * UTF-8 is a string of C. NULL if `buffer` is NULL or was freed.
 *
 * The bytes belong to the buffer and are valid until it is freed.
 */
const void *iriscan_buffer_data(const struct iriscan_buffer *buffer);

/**
 * Returns how many bytes a buffer has, without the NUL; 0 if `buffer` is NULL or was freed.
 */
size_t iriscan_buffer_size(const struct iriscan_buffer *buffer);

/**
 * Returns how many links iriscan_rewrite or iriscan_mail_rewrite replaced. If it is 0, the bytes
 * are those of the input. 0 also for buffers of other functions, and if `buffer` is NULL or was freed.
 */
uint64_t iriscan_buffer_changed(const struct iriscan_buffer *buffer);

/**
 * Returns how many links should have been replaced and stay: they have no URI form, or lack a field
 * that the template needs, or the new text cannot be in their place. 0 as for
 * iriscan_buffer_changed.
 */
uint64_t iriscan_buffer_unconvertible(const struct iriscan_buffer *buffer);

/**
 * Returns how many characters of new text are written as `?`, because the charset has neither them
 * nor has the format an escape. 0 as for iriscan_buffer_changed.
 */
uint64_t iriscan_buffer_lost(const struct iriscan_buffer *buffer);

/**
 * Returns how many links were written as IRIs in UTF-8 before the charset was known (`to` is "iri" and
 * `charset` is not given). If the document is in another one, they are wrong: give the charset. 0 as
 * for iriscan_buffer_changed.
 */
uint64_t iriscan_buffer_early(const struct iriscan_buffer *buffer);

/**
 * Frees a buffer. NULL is allowed. A buffer that was freed already stays so, and
 * iriscan_last_error says it.
 */
void iriscan_buffer_free(struct iriscan_buffer *buffer);

/**
 * Opens a file.
 *
 * - finder: the options; not needed after the call. If `format` is among them, the document is read in that
 *   format, whatever its name is.
 * - path: the file, which stays open until the document is freed. It may be a pipe.
 * - flags: 0, or IRISCAN_OPEN_DECOMPRESS
 * - out: receives the document, to be freed by iriscan_document_free; NULL on errors
 *
 * Errors: IRISCAN_ERR_IO if the file cannot be opened or read; IRISCAN_ERR_UNSUPPORTED for a container in a
 * pipe, for what would need too much memory, and for a codec that this build of the library does not have;
 * IRISCAN_ERR_OPTION for another flag; IRISCAN_ERR_NULL, IRISCAN_ERR_STATE. iriscan_last_error begins with the
 * path.
 */
iriscan_status iriscan_document_open(const struct iriscan_finder *finder,
                                     const char *path,
                                     uint32_t flags,
                                     struct iriscan_document **out);

/**
 * Opens some bytes as if they were a file.
 *
 * - finder, flags, out: as for iriscan_document_open
 * - data, size: the bytes. They stay the caller's, and must neither move nor change until
 *   iriscan_document_free. NULL is allowed if `size` is 0.
 * - name: the name of the file, which says what it is and is put before messages; it is not opened. NULL: the
 *   first bytes say what it is.
 *
 * Errors: those of iriscan_document_open, and IRISCAN_ERR_RANGE.
 */
iriscan_status iriscan_document_open_bytes(const struct iriscan_finder *finder,
                                           const void *data,
                                           size_t size,
                                           const char *name,
                                           uint32_t flags,
                                           struct iriscan_document **out);

/**
 * Returns what a document is: the name of its format, such as "html", or "mail", "warc" for a web archive and
 * "zip" for a container. "" if `document` is NULL, in use or was freed.
 *
 * The string is valid until the document is freed.
 */
const char *iriscan_document_content(struct iriscan_document *document);

/**
 * Goes to the next link, or to the next note about a part that could not be read.
 *
 * - item: receives the link or the note, and where it is. All but its size is 0 at the end and on errors.
 *
 * Returns 1 for a link or a note; 0 at the end, as often as it is called there; or a negative status:
 * IRISCAN_ERR_IO if the document cannot be read further, after all links before the damage;
 * IRISCAN_ERR_NULL, IRISCAN_ERR_SIZE, IRISCAN_ERR_STATE. After IRISCAN_ERR_IO the next calls give what else
 * there is to say, and then 0.
 */
int iriscan_document_next(struct iriscan_document *document,
                          struct iriscan_item *item);

/**
 * Writes a document anew, with each link replaced as iriscan_rewrite and iriscan_mail_rewrite do. What was
 * compressed is compressed again; members of a container that do not change keep their bytes, times and
 * order. Nothing is written to the file of the document: to replace it, write another one, and rename that
 * after IRISCAN_OK.
 *
 * Afterwards iriscan_document_next gives notes only: what stays as it is, and why. A signed message or container
 * stays as it is, unless the finder has the flag IRISCAN_FLAG_EVEN_SIGNED.
 *
 * - document: as it was opened, before the first call of iriscan_document_next
 * - write: takes the bytes, one part after the other; a container comes as one
 * - user: its first argument; may be NULL
 * - done: receives what was done, also if the call fails; may be NULL
 *
 * Returns IRISCAN_OK; IRISCAN_STOPPED if `write` returned a number that is not zero; or an error:
 * IRISCAN_ERR_UNSUPPORTED for what cannot be rewritten: a web archive, and without IRISCAN_OPEN_DECOMPRESS what is
 * compressed or a container; IRISCAN_ERR_IO if the document, or a member of a container, cannot be read to its end,
 * so that what was written is not whole; IRISCAN_ERR_NULL, IRISCAN_ERR_SIZE, IRISCAN_ERR_STATE.
 */
iriscan_status iriscan_document_rewrite(struct iriscan_document *document,
                                        iriscan_write write,
                                        void *user,
                                        struct iriscan_rewritten *done);

/**
 * Closes a document, and frees what its last item points to. NULL is allowed. A document that was freed already
 * stays so, and iriscan_last_error says it.
 */
void iriscan_document_free(struct iriscan_document *document);

/**
 * Converts an IRI reference to its URI form (RFC 3987, section 3.1).
 *
 * - reference, size: UTF-8; no NUL is needed after it
 * - options: NULL for the defaults
 * - out: receives the URI, to be freed by iriscan_buffer_free; NULL on errors
 *
 * Errors: IRISCAN_ERR_REFERENCE if there is no URI form, IRISCAN_ERR_UTF8, IRISCAN_ERR_OPTION, IRISCAN_ERR_SIZE,
 * IRISCAN_ERR_NULL, IRISCAN_ERR_RANGE.
 */
iriscan_status iriscan_to_uri(const char *reference,
                              size_t size,
                              const struct iriscan_uri_options *options,
                              struct iriscan_buffer **out);

/**
 * Converts a URI reference to its IRI form (RFC 3987, section 3.2). Every reference has one.
 *
 * - options: NULL for the defaults
 *
 * The other arguments and errors are those of iriscan_to_uri.
 */
iriscan_status iriscan_to_iri(const char *reference,
                              size_t size,
                              const struct iriscan_iri_options *options,
                              struct iriscan_buffer **out);

/**
 * Returns the normal form of a reference: a URI stays a URI, an IRI an IRI (RFC 3986, section 6.2;
 * RFC 3987, section 5.3).
 *
 * - level: "case", "percent", "path", "syntax" (the first three), "scheme" (the rules of the scheme
 *   too), or "idn" (the names of hosts too); NULL for "syntax"
 *
 * The other arguments and errors are those of iriscan_to_uri; IRISCAN_ERR_REFERENCE if the reference is not
 * valid.
 */
iriscan_status iriscan_normalize(const char *reference,
                                 size_t size,
                                 const char *level,
                                 struct iriscan_buffer **out);

/**
 * Returns 1 if two references are the same by the ladder of comparison (RFC 3986, section 6; RFC 3987, section
 * 5), 0 if not, or a negative status. Relative references are not resolved, and fragments count.
 *
 * - a, a_size, b, b_size: UTF-8
 * - level: "string" (character by character), or a level of iriscan_normalize; NULL for "syntax"
 *
 * The errors are those of iriscan_normalize.
 */
int iriscan_equivalent(const char *a,
                       size_t a_size,
                       const char *b,
                       size_t b_size,
                       const char *level);

/**
 * Resolves a reference against a base (RFC 3986, section 5).
 *
 * - base, base_size: UTF-8, with a scheme
 * - reference, size: UTF-8
 * - out: receives the result, to be freed by iriscan_buffer_free; NULL on errors
 *
 * Errors: those of iriscan_to_uri; IRISCAN_ERR_REFERENCE if one of the two is not valid or the base has no
 * scheme.
 */
iriscan_status iriscan_resolve(const char *base,
                               size_t base_size,
                               const char *reference,
                               size_t size,
                               struct iriscan_buffer **out);

/**
 * Returns the reference for use in running text, in which it is found whole again. As few
 * characters as possible are percent-encoded (UTS #58).
 *
 * The other arguments and errors are those of iriscan_to_uri.
 */
iriscan_status iriscan_to_text(const char *reference, size_t size, struct iriscan_buffer **out);

/**
 * Checks a reference by a grammar, and takes it apart.
 *
 * - reference, size: UTF-8; no NUL is needed after it
 * - grammar: "iri-reference", "iri", "absolute-iri", "uri-reference", "uri", "absolute-uri" or "leiri";
 *   NULL for "iri-reference"
 * - out: receives the result, to be freed by iriscan_checked_free; NULL on errors
 *
 * Returns IRISCAN_OK also if the reference is not valid; iriscan_checked_is_valid
 * says that. Errors: IRISCAN_ERR_UTF8,
 * IRISCAN_ERR_OPTION, IRISCAN_ERR_SIZE, IRISCAN_ERR_NULL, IRISCAN_ERR_RANGE.
 */
iriscan_status iriscan_check(const char *reference,
                             size_t size,
                             const char *grammar,
                             struct iriscan_checked **out);

/**
 * Returns 1 if the reference is valid, 0 if not, or a negative status. This is the grammar alone;
 * warnings do not count.
 */
int iriscan_checked_is_valid(const struct iriscan_checked *checked);

/**
 * Returns the byte of the reference at which it is wrong; IRISCAN_NO_OFFSET if it is valid, and if
 * `checked` is NULL or was freed.
 */
uint64_t iriscan_checked_offset(const struct iriscan_checked *checked);

/**
 * Returns a part of the reference, as it is written, or what the check says: IRISCAN_FIELD_SCHEME,
 * _USERINFO, _HOST, _PORT, _PATH, _QUERY, _FRAGMENT, _WARNINGS, _ERROR. NULL if it has no such part; one
 * that is there and empty is "". The path and the warnings are always there.
 *
 * - size: receives the bytes of the string, without the NUL after it; 0 for NULL. May be NULL. It
 *   differs from strlen only where the reference has U+0000, and then it is not valid.
 *
 * The string is UTF-8, and valid as long as the object is.
 */
const char *iriscan_checked_get(const struct iriscan_checked *checked,
                                uint32_t field,
                                size_t *size);

/**
 * Returns 1 if a reference has a warning, 0 if not, or a negative status.
 *
 * - warning: its name, such as "mixed-script". NULL: any warning.
 */
int iriscan_checked_has_warning(const struct iriscan_checked *checked, const char *warning);

/**
 * Frees a result of iriscan_check. NULL is allowed. A result that was freed already stays so, and
 * iriscan_last_error says it.
 */
void iriscan_checked_free(struct iriscan_checked *checked);

#ifdef __cplusplus
}  /* extern "C" */
#endif  /* __cplusplus */

#endif  /* IRISCAN_H */
