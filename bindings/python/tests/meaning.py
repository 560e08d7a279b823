"""What the tests of meaning share: words, links, ways to rewrite, and the comparison.

Generated documents are read by the parser of their format, before and after rewriting. What it sees must be the same,
but for the texts of links. Each document is rewritten in two of the ways. `IRISCAN_DOCUMENTS` says how many of
each format are made, `IRISCAN_SEED` from which number on; a failure names its number.
"""

import os
import random
import re

import pytest

import iriscan

COUNT = int(os.environ.get("IRISCAN_DOCUMENTS", "1000"))
SEED = int(os.environ.get("IRISCAN_SEED", "0"))

# Texts with the signs of all formats. None begins with white space.
TEXTS = ["", "x", "<é|*`_\"'\\$&%#{{}}~^>", "[{n}: {host}]({text})", "a b_ `c`__ *d", "{fragment}", "http://z.example/{n}_"]
LINKS = [
    "http://x.example/é", "https://例え.jp/道?q=ü#ß", "http://x.example/a", "http://x.example/%C3%A9", "mailto:a@x.example",
    "http://x.example/a_b/(é)", "http://x.example/?a=é&b=1", "http://x.example/é~b", "http://x.example/",
]  # fmt: skip
WORDS = ["a", "see", "été", "x.", "(b", "c)", "no:", "1", "Z", "—", "道"]


def ways(texts=TEXTS):
    """The options of each way to rewrite, by its name. Without texts, links stay links."""
    links = {"uri": {}, "iri": {"to": "iri", "host": "unicode"}}
    others = {"defang": {"defang": True}, **{f"replace {text!r}": {"template": text} for text in texts}}
    return links | others if texts else links


def words(make):
    return " ".join(make.choice(WORDS) for _ in range(make.randint(1, 3)))


def prose(make, links=LINKS):
    """Some words with a link, or without."""
    parts = [words(make) for _ in range(make.randint(0, 2))]
    if make.random() < 0.8:
        around = make.choice(["{}", "({})", "{},", "{}.", "<{}>", "“{}”", "{}", "{}"])
        parts.insert(make.randint(0, len(parts)), around.format(make.choice(links)))
    return " ".join(parts) or "a"


def same_words(before, after):
    """True if the texts have the same words. One with a link may be any text from the start of the link on, or none."""
    pattern = r"\s*"
    for word in before.split():
        link = re.search(r"https?:|mailto:", word)
        pattern += re.escape(word[: link.start()]) + ".*" if link else re.escape(word) + r"\s*"
    return re.fullmatch(pattern, after, re.DOTALL) is not None


def even(seen):
    """The same with a text between any two other things, which may be empty."""
    out = []
    for kind, text in [("start", ""), *seen]:
        if kind == "text" and out[-1][0] == "text":
            out[-1] = ("text", out[-1][1] + text)
        else:
            out += [(kind, text)] if kind == "text" else [(kind, text), ("text", "")]
    return out


def same_between(before, after):
    """True if the texts are the same but for the links, up to white space, quotes or angles after them. Each may be any text."""
    if before == after:
        return True
    parts = re.split(r"(?:https?:|mailto:)[^\s<>\"]*", before)
    pattern = ".*".join(map(re.escape, parts))
    # Some readers drop white space at the ends.
    return any(re.fullmatch(pattern, text, re.DOTALL) for text in (after, after + " ", " " + after))


def compare(read, before, rewrites, same=same_words):
    """Compares what `read` sees of a document and of the document rewritten: lists of kinds and texts."""
    was = read(before)
    if was is None:
        return 0
    was = even(was)
    for name, rewrite in rewrites:
        after = rewrite(before)
        told = f"{name}\n{before}\n-----\n{after}"
        seen = read(after)
        assert seen is not None, told
        seen = even(seen)
        assert [kind for kind, _ in seen] == [kind for kind, _ in was], told
        for (kind, old), (_, new) in zip(was, seen, strict=True):
            assert same(old, new), f"{kind}: {old!r} {new!r} {told}"
    return 1


def documents(make_one, read, format, same=same_words, texts=TEXTS, rewrites=None, share=1, **more):
    """Makes the documents and compares. `rewrites`: how the document is rewritten with each finder. `share`: so many
    tests divide the documents of the format among them.
    """
    read_at_all = 0
    rewrites = rewrites or (lambda finder: finder.rewrite)
    finders = [(name, rewrites(iriscan.Finder(**{"format": format} if format else {}, **more, **way))) for name, way in ways(texts).items()]
    for number in range(SEED, SEED + COUNT // share):
        make = random.Random(number)
        two = make.sample(finders, 2)
        try:
            read_at_all += compare(read, make_one(make), two, same)
        except AssertionError as e:
            pytest.fail(f"document {number}: {e}")
    # The others had errors before.
    assert read_at_all >= COUNT // share / 2
