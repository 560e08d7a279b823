"""What holds for every input."""

import pytest
from conftest import interop
from hypothesis import given
from hypothesis import strategies as st

import iriscan

# Pieces that links are made of, so that generated texts have some.
PIECES = [
    "http://", "https://", "mailto:", "www.", "例え.jp", "bücher.example", "a.example", "/", "é", "道",
    "?q=", "#", "%C3", "%", "😀", "\u200f", "<", ">", '"', "。", " ", "\n", "&amp;", "[", "]", "@", ":",
    "\ud800", "\udfff", "\ufffd", "\ufeff", "\\u00e9", "{", "}", "xn--", ".", "\0", "=", "<a href='", "'>",
]  # fmt: skip
# Characters of every category, also surrogates.
texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=200),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=30).map("".join),
)
blobs = st.one_of(
    st.binary(max_size=300),
    texts.map(lambda text: text.encode("utf-8", "surrogatepass")),
    texts.map(lambda text: text.encode("utf-16-le", "surrogatepass")),
    texts.map(lambda text: text.encode("gb18030", "replace")),
)
FORMATS = [
    # generated: formats
    "text", "html", "xml", "json", "log", "turtle", "csv", "tsv", "markdown", "asciidoc", "css",
    "ical", "org", "latex", "rst", "po", "wikitext", "defanged", "bbcode", "source", "c", "python",
    "java", "man", "ipynb", "jsonld"
    # end of formats
]  # fmt: skip
CHARSETS = [None, "utf-8", "windows-1252", "shift_jis", "iso-2022-jp", "utf-16le", "utf-32be", "gb18030"]
ALL = ("iri", "bare", "email")
finders = st.builds(
    iriscan.Finder,
    kinds=st.sampled_from([("iri",), ALL, "bare"]),
    charset=st.sampled_from(CHARSETS),
    format=st.sampled_from(FORMATS),
    rules=st.sampled_from(["prose", "uts58"]),
    host=st.sampled_from(["punycode", "percent", "keep"]),
    max_len=st.sampled_from([1, 20, 65536]),
    ascii_only=st.booleans(),
)


def replaced(text):
    """`text` with U+FFFD for each lone surrogate."""
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


def surrogates(text):
    """The lone surrogates of `text`, in order."""
    return [c for c in text if "\ud800" <= c <= "\udfff"]


@given(texts, finders)
def test_text(text, finder):
    links = finder.find(text)
    at = 0
    for link in links:
        assert at <= link.start < link.end <= len(text)
        assert replaced(text[link.start : link.end]) == link.text
        at = link.end
        for name in ("iri", "uri", "error", "open", "scheme", "host", "warnings", "charset"):
            getattr(link, name)
        assert (link.uri is None) == (link.error is not None)
        assert repr(link).startswith("Link(")
        assert finder.find_at(text, link.start) == link
    assert list(finder.find_iter(text)) == links
    assert finder.has_link(text) == bool(links)
    out = finder.rewrite(text)
    assert surrogates(out) == surrogates(text)
    if not any(surrogates(text[link.start : link.end]) for link in links):
        assert replaced(out) == finder.rewrite(replaced(text))
    assert finder.replace(text, lambda link: None) is text


@given(texts)
def test_rewriting_keeps_all_text_outside_of_links(text):
    finder = iriscan.Finder(rules="uts58")
    links, out = finder.find(text), finder.rewrite(text)
    at = place = 0
    for link in [*links, None]:
        between = text[at : link.start if link else None]
        assert out[place : place + len(between)] == between
        place += len(between)
        if link:
            source = text[link.start : link.end]
            written = source if source.isascii() or link.uri is None else link.uri
            if not out.startswith(written, place):
                # It could not be written.
                written = source
            assert out.startswith(written, place)
            place, at = place + len(written), link.end
    assert place == len(out)


@given(texts, st.text(st.characters(exclude_categories=()), max_size=5))
def test_replacing(text, new):
    links = iriscan.find(text)
    out = iriscan.replace(text, lambda link: new)
    pieces, at = [], 0
    for link in links:
        pieces += [text[at : link.start], replaced(new)]
        at = link.end
    assert out == "".join([*pieces, text[at:]])


@given(blobs, finders, st.integers(1, 50))
def test_bytes(data, finder, size):
    links = finder.find(data)
    for link in links:
        assert link.source == data[link.start : link.end]
    assert list(finder.find_iter(memoryview(data))) == links
    assert finder.has_link(bytearray(data)) == bool(links)
    scanner, rewriter, events, out = finder.scanner(), finder.rewriter(), [], []
    for i in range(0, len(data), size):
        events += scanner.push(data[i : i + size])
        out.append(rewriter.push(data[i : i + size]))
    events += scanner.finish()
    out.append(rewriter.finish())
    assert b"".join(event.source for event in events) == data
    assert [event for event in events if isinstance(event, iriscan.Link)] == links
    at = 0
    for event in events:
        assert event.start == at
        at = event.end
    rewritten = finder.rewrite(data)
    assert b"".join(out) == rewritten
    assert (rewritten is data) == (rewritten == data)
    assert finder.replace(data, lambda link: None) is data


@given(blobs)
def test_mail(data):
    for message in (data, b"Content-Type: text/html; charset=utf-8\n\n" + data):
        for link in iriscan.find_mail(message):
            assert link.line >= 1 and link.part
            if link.start is not None:
                assert message[link.start : link.end]
        out = iriscan.rewrite_mail(message)
        assert (out is message) == (out == message)


@given(texts, texts)
def test_references(text, base):
    iriscan.to_iri(text, host="unicode", escapes="windows-1252")
    iriscan.to_text(text)
    check = iriscan.check(text)
    assert bool(check) == check.valid == (check.message is None) == (check.offset is None)
    assert check.valid or check.offset <= len(text)
    for call in (
        lambda: iriscan.to_uri(text),
        lambda: iriscan.to_uri(text, charset="shift_jis", host="percent", disallowed="fail"),
        lambda: iriscan.normalize(text, level="idn"),
        lambda: iriscan.resolve(base, text),
    ):
        try:
            call()
        except iriscan.UriError as e:
            assert str(e)


@given(st.text(max_size=20), st.text(max_size=20), st.integers())
def test_options(word, label, number):
    for options in (
        {"format": word}, {"charset": label}, {"kinds": word}, {"kinds": [word]}, {"schemes": word},
        {"schemes": [word]}, {"host": word}, {"query": word}, {"nfc": word}, {"rules": word},
        {"max_len": number}, {"fields": [word]},
    ):  # fmt: skip
        try:
            iriscan.Finder(**options)
        except iriscan.ConfigError as e:
            assert str(e)


@pytest.mark.parametrize("charset", ["utf-8", "utf-16-le", "gb18030", "shift_jis", "koi8-r", "cp1252"])
def test_gold_texts_as_str_and_bytes(charset):
    """Each exported text that Python can write in a charset has the same links there, and each
    range in characters is that of the bytes."""
    ran = 0
    for case in interop():
        options = case["options"]
        # `max_len` counts bytes, and the URIs of some cases depend on the charset.
        if "text" not in case or "max_len" in options:
            continue
        text = case["text"]
        try:
            data = text.encode(charset)
        except UnicodeEncodeError:
            continue
        # Where a backslash may be the second byte of a character, escapes of style sheets are not undone.
        if case["name"] == "html-css-escapes" and charset in ("gb18030", "shift_jis"):
            continue
        label = {"utf-16-le": "utf-16le", "cp1252": "windows-1252"}.get(charset, charset)
        if iriscan_reads_otherwise(data, text, charset):
            continue
        ran += 1
        links = iriscan.Finder(**options, charset=label).find(data)
        strings = iriscan.Finder(**options).find(text)
        for link, string in zip(links, strings, strict=True):
            assert len(data[: link.start].decode(charset)) == string.start, case["name"]
            assert link.text == string.text == text[string.start : string.end]
    assert ran > 50


def iriscan_reads_otherwise(data, text, charset):
    """Python's Shift_JIS has a yen sign and an overline where the Encoding Standard has ASCII."""
    return charset == "shift_jis" and any(c in text for c in "\\~¥‾") or data.decode(charset) != text
