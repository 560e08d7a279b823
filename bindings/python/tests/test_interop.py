"""The exported cases, as text, as bytes, and in other charsets."""

import mmap
import tempfile

import pytest
from conftest import interop

import iriscan

CASES = interop()

# That of `replaced`.
TEMPLATE = '<{n} é"> {iri}'


def name(case):
    return f"{case['name']}-{case.get('charset', 'text')}"


FACTS = ("text", "kind", "iri", "uri")
OPTIONAL = ("element", "attribute", "anchor", "unwrapped")


def facts(link):
    return tuple(getattr(link, name) for name in (*FACTS, "display", *OPTIONAL, "absolute"))


def facts_of(want):
    display = want.get("display", want["iri"])
    absolute = want.get("absolute", want["uri"])
    optional = (want.get(name) for name in OPTIONAL)
    return (*(want[name] for name in FACTS), display, *optional, absolute)


def expected(case, unit):
    return [(*link[unit], *facts_of(link)) for link in case["links"]]


def found(links):
    return [(link.start, link.end, *facts(link)) for link in links]


def place(link):
    return (link.chars_start, link.chars_end, link.utf16_start, link.utf16_end)


def test_every_charset_has_cases():
    assert len({case.get("charset") for case in CASES}) > 40
    assert len(CASES) > 1000


@pytest.mark.parametrize("case", [c for c in CASES if "text" in c], ids=name)
def test_text(case):
    finder = iriscan.Finder(**case["options"])
    text = case["text"]
    links = finder.find(text)
    assert found(links) == expected(case, "chars")
    assert all(text[link.start : link.end] == link.text for link in links)
    assert list(finder.find_iter(text)) == links
    assert finder.has_link(text) == bool(links)
    for link in links:
        assert finder.find_at(text, link.start) == link
        assert finder.find_at(text, link.end - 1) == link
        assert text.encode()[slice(*span(case, link))] == link.source
    rewritten = finder.rewrite(text)
    assert rewritten == case.get("rewritten", text)
    assert (rewritten is text) == ("rewritten" not in case)
    if "host" not in case["options"]:
        readable = iriscan.Finder(**case["options"], to="iri", charset="utf-8").rewrite(text.encode())
        assert readable == case.get("readable", text).encode()
    replaced = case.get("replaced", text)
    assert iriscan.Finder(**case["options"], template=TEMPLATE).rewrite(text) == replaced
    assert finder.replace(text, TEMPLATE) == replaced


def span(case, link):
    return next(l["bytes"] for l in case["links"] if l["chars"] == [link.start, link.end])


@pytest.mark.parametrize("case", [c for c in CASES if "text" in c], ids=name)
def test_text_as_bytes(case):
    finder = iriscan.Finder(**case["options"], charset="utf-8")
    check_bytes(case, finder, case["text"].encode(), case.get("rewritten", case["text"]).encode())


@pytest.mark.parametrize("case", [c for c in CASES if "bytes" in c], ids=name)
def test_bytes(case):
    finder = iriscan.Finder(**case["options"], charset=case["charset"])
    data = bytes.fromhex(case["bytes"])
    if "host" not in case["options"]:
        to_iri = iriscan.Finder(**case["options"], to="iri", charset=case["charset"])
        assert to_iri.rewrite(data) == bytes.fromhex(case.get("readable", case["bytes"]))
    other = iriscan.Finder(**case["options"], template=TEMPLATE, charset=case["charset"])
    assert other.rewrite(data) == bytes.fromhex(case.get("replaced", case["bytes"]))
    check_bytes(case, finder, data, bytes.fromhex(case.get("rewritten", case["bytes"])))


def check_bytes(case, finder, data, rewritten):
    want = expected(case, "bytes")
    links = finder.find(data)
    assert found(links) == want
    for same in (bytearray(data), memoryview(data), memoryview(bytearray(data))):
        assert finder.find(same) == links
    assert list(finder.find_iter(data)) == links
    for link in links:
        assert link.source == data[link.start : link.end]
        assert finder.find_at(data, link.start) == link
        assert finder.find_at(data, link.end - 1) == link
    places = [(*link["chars"], *link["utf16"]) for link in case["links"]]
    assert [place(link) for link in finder.find(data, positions=True)] == places
    # Byte by byte, without the texts.
    scanner = finder.scanner(texts=False, positions=True)
    pieces = [scanner.push(data[i : i + 1]) for i in range(len(data))]
    assert [place(link) for piece in [*pieces, scanner.finish()] for link in piece] == places
    assert finder.rewrite(data) == rewritten
    assert (finder.rewrite(data) is data) == ("rewritten" not in case)
    # A stream, byte by byte.
    scanner, rewriter, events, out = finder.scanner(), finder.rewriter(), [], b""
    for i in range(len(data)):
        events += scanner.push(data[i : i + 1])
        out += rewriter.push(data[i : i + 1])
    events += scanner.finish()
    out += rewriter.finish()
    assert b"".join(event.source for event in events) == data
    assert [event for event in events if isinstance(event, iriscan.Link)] == links
    assert out == rewritten
    assert (rewriter.links, rewriter.changed > 0) == (len(links), rewritten != data)


# Offsets in characters come from the text, so a charset that Python writes must give the same links.
WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]


@pytest.mark.parametrize("charset", WIDE)
def test_text_in_wide_charsets(charset):
    label = charset.replace("-le", "le").replace("-be", "be")
    for case in CASES:
        # `max_len` counts bytes.
        if "text" not in case or "max_len" in case["options"]:
            continue
        text = case["text"]
        finder = iriscan.Finder(**case["options"], charset=label)
        links = finder.find(text.encode(charset))
        for link, want in zip(links, case["links"], strict=True):
            start, end = (len(text[:at].encode(charset)) for at in want["chars"])
            assert (link.start, link.end) == (start, end), case["name"]
            assert facts(link) == facts_of(want)


def test_mmap():
    data = "見て http://例え.jp/道。".encode()
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        for access in (mmap.ACCESS_READ, mmap.ACCESS_WRITE):
            with mmap.mmap(file.fileno(), 0, access=access) as view:
                assert iriscan.find(view) == iriscan.find(data)
                assert iriscan.rewrite(view) == iriscan.rewrite(data)
                assert list(iriscan.find_iter(view)) == iriscan.find(data)
