"""`python -m iriscan`, alone and beside the command line program."""

import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
import time

import pytest
from conftest import ROOT, interop

import iriscan

OWN = [sys.executable, "-P", "-m", "iriscan"]
TEXT = "siehe http://bücher.example/ü, 見て http://例え.jp/道。 www.example.org\n"


def run(command, *arguments, data=b""):
    done = subprocess.run([*command, *arguments], input=data, capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def test_find():
    assert run(OWN, "find", data=TEXT.encode()) == (
        0, b"http://xn--bcher-kva.example/%C3%BC\nhttp://xn--r8jz45g.jp/%E9%81%93\n", b"",
    )  # fmt: skip
    assert run(OWN, "find", data=b"none") == (1, b"", b"")
    status, out, _ = run(OWN, "find", "--json", "--kinds", "bare", data=TEXT.encode())
    record = json.loads(out)
    assert (status, record["text"], record["open"]) == (
        0, "www.example.org", "https://www.example.org",
    )  # fmt: skip


def test_rewrite(tmp_path):
    status, out, said = run(OWN, "rewrite", data=TEXT.encode("utf-16"))
    assert (status, out.decode("utf-16"), said) == (0, iriscan.rewrite(TEXT), b"")
    page = tmp_path / "page.html"
    page.write_text("<a href='/é'>")
    assert run(OWN, "rewrite", "-i", page) == (0, b"", b"")
    assert page.read_text() == "<a href='/%C3%A9'>"
    mail = tmp_path / "a.eml"
    mail.write_text("Subject: x\n\nhttp://a.example/é\n")
    assert run(OWN, "rewrite", "-i", mail)[0] == 0
    assert mail.read_text().endswith("http://a.example/%C3%A9\n")


def test_rewrite_changes_one_part():
    text = b"http://old.example:80/blog/x?utm_a=1&q http://a.example/"
    moved = ["--set", "host=new.example", "--set", "scheme=https", "--only-host", "old.example"]
    cleaned = ["--path-prefix", "/blog", "/news", "--drop-query", "utm_*"]
    assert run(OWN, "rewrite", *moved, *cleaned, data=text) == (
        0, b"https://new.example/news/x?q http://a.example/", b"",
    )  # fmt: skip
    page = b"<!-- http://a.example/ --><p>http://b.example/"
    assert run(OWN, "find", "--format", "html", data=page)[1] == b"http://b.example/\n"
    both = run(OWN, "find", "--format", "html", "--comments", data=page)
    assert both[1] == b"http://a.example/\nhttp://b.example/\n"
    status, _, said = run(OWN, "rewrite", "--set", "host=a/b", data=text)
    assert status == 2 and b"is no host" in said


def test_find_nested():
    text = "é http://a.example/é?u=http%3A%2F%2Fb.example%2F&x"
    found = run(OWN, "find", "--nested", "--charset", "utf-8", data=text.encode())
    assert found[1] == b"http://a.example/%C3%A9?u=http%3A%2F%2Fb.example%2F&x\nhttp://b.example/\n"
    finder = iriscan.Finder(nested=True)
    for links in finder.find(text), finder.find(text, positions=True):
        assert [text[link.start : link.end] for link in links] == [text[2:], "http%3A%2F%2Fb.example%2F"]
        assert (links[1].text, links[1].warnings) == ("http://b.example/", ("nested-in-another-host",))
    assert finder.linkify(text).count("<a ") == 1
    assert finder.rewrite(text) == iriscan.Finder().rewrite(text)


def test_rewriting_in_place_leaves_an_unchanged_file_alone(tmp_path):
    for name, text in [("a.txt", "http://a.example/"), ("a.eml", "Subject: x\n\nhttp://a.example/\n")]:
        path, twin = tmp_path / name, tmp_path / f"twin-{name}"
        path.write_text(text)
        os.link(path, twin)
        before = path.stat()
        assert run(OWN, "rewrite", "-i", path) == (0, b"", b"")
        assert os.path.samefile(path, twin) and path.stat().st_mtime_ns == before.st_mtime_ns


def test_web_archives_are_refused(tmp_path):
    packed = (ROOT / "testdata/archive/pages.warc.gz").read_bytes()
    path, inside = tmp_path / "a.warc.gz", tmp_path / "a.warc"
    path.write_bytes(packed)
    inside.write_bytes(gzip.decompress(packed))
    for arguments in (["find", "-z", path], ["find", inside], ["rewrite", inside], ["rewrite", "-i", inside]):
        status, out, said = run(OWN, *arguments)
        assert (status, out) == (2, b"") and b"a web archive; " in said and b"Traceback" not in said
    assert inside.read_bytes() == gzip.decompress(packed)
    # Who gives a format has text.
    assert run(OWN, "find", "--format", "text", inside)[0] == 0


def test_convert():
    lines = "http://bücher.example/ü\nhttp://\ufffd.example/\n\n".encode()
    status, out, said = run(OWN, "convert", data=lines)
    assert (status, out) == (2, b"http://xn--bcher-kva.example/%C3%BC\n\n\n")
    assert said.startswith(b"iriscan: line 2: ")
    assert run(OWN, "convert", "--to", "normal", "HTTP://A/../b")[1] == b"http://a/b\n"


def test_trouble(tmp_path):
    status, out, said = run(OWN, "find", tmp_path / "missing")
    assert (status, out) == (2, b"") and b"missing: " in said
    status, _, said = run(OWN, "find", "--charset", "utf-9")
    assert status == 2 and said.startswith(b"iriscan: charset: ") and b"Traceback" not in said


PACKED = {
    "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress,
    # The first frame of a file of zstd, of which this program knows no more.
    "zst": lambda data: b"\x28\xb5\x2f\xfd" + data,
}  # fmt: skip


@pytest.mark.parametrize("name", PACKED)
def test_compressed_files_are_refused_or_decompressed(tmp_path, name):
    packed = PACKED[name](TEXT.encode() * 100)
    path = tmp_path / f"page.txt.{name}"
    path.write_bytes(packed)
    want = run(OWN, "find", data=TEXT.encode() * 100)
    for arguments, data in [([path], b""), ([], packed), (["-"], packed)]:
        for command in (["find"], ["find", "--json"], ["rewrite"]):
            status, out, said = run(OWN, *command, *arguments, data=data)
            assert (status, out) == (2, b"") and b": compressed (" in said and b"Traceback" not in said
        if name == "zst":
            status, out, said = run(OWN, "find", "-z", *arguments, data=data)
            assert (status, out) == (2, b"") and b"decompress it first" in said
            continue
        assert run(OWN, "find", "-z", *arguments, data=data) == want
    status, _, said = run(OWN, "rewrite", "-i", path)
    assert status == 2 and b"compressed" in said and path.read_bytes() == packed
    if name == "zst":
        return
    # The format is that of the name inside.
    page = tmp_path / f"page.html.{name}"
    page.write_bytes(PACKED[name](b"<a href='/x'>"))
    assert run(OWN, "find", "-z", page) == (0, b"/x\n", b"")
    # Several members, one after the other.
    path.write_bytes(packed + packed)
    assert run(OWN, "find", "-z", path)[1] == want[1] * 2
    # Damage is trouble, and what is before it is used.
    text = b"".join(b"http://a.example/%d\n" % (n * n * 7919 % 1_000_003) for n in range(100_000))
    whole = PACKED[name](text)
    for broken in (whole[: len(whole) // 2], whole[: len(whole) // 2] + bytes(99)):
        path.write_bytes(broken)
        status, out, said = run(OWN, "find", "-z", path)
        assert status == 2 and b"cut short or damaged" in said and b"Traceback" not in said
        # The last link may be cut.
        assert len(out) > 1000 or name != "gz"
        assert text.startswith(out[: len(out) // 2])
    # A file that is not compressed.
    plain = tmp_path / f"plain.{name}"
    plain.write_bytes(TEXT.encode())
    for option in ([], ["-z"]):
        assert run(OWN, "find", *option, plain)[:2] == (0, want[1][: len(want[1]) // 100])


def test_what_only_looks_compressed_is_text():
    for text in (b"BZh9 http://a.example/", b"(\xb5 http://a.example/", b"\x1f http://a.example/"):
        assert run(OWN, "find", "--charset", "latin1", data=text)[:2] == (0, b"http://a.example/\n")


def test_a_pipe_that_does_not_block_is_read_to_its_end():
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with subprocess.Popen([*OWN, "find"], stdin=reading, stdout=subprocess.PIPE) as own:
        os.close(reading)
        for n in range(3):
            time.sleep(0.3)
            os.write(writing, b"http://a.example/%d " % n)
        os.close(writing)
        out = own.stdout.read()
        assert own.wait(30) == 0
    assert out == b"".join(b"http://a.example/%d\n" % n for n in range(3))


MBOX = b"""From a@a.example Sat Jan  3 01:05:34 1996
Subject: one
Message-ID: <1@a.example>

http://a.example/1

From b@a.example Sat Jan  3 01:05:35 1996
Subject: none

From here on there is nothing.

From c@a.example Sat Jan  3 01:05:36 1996
Subject: three
Content-Transfer-Encoding: base64
Content-Type: text/plain; charset=utf-8

aHR0cDovL2EuZXhhbXBsZS/DqSBodHRwOi8vYS5leGFtcGxlLzM=

From d@a.example Sat Jan  3 01:05:37 1996

http://a.example/4 http://a.example/\xc3\xbc
"""


def test_mboxes(tmp_path):
    finder = iriscan.Finder()
    links = finder.find_mail(MBOX)
    assert [link.iri for link in links] == [
        "http://a.example/1", "http://a.example/é", "http://a.example/3", "http://a.example/4",
        "http://a.example/ü",
    ]  # fmt: skip
    assert [link.message for link in links] == [1, 3, 3, 4, 4]
    assert [link.line for link in links] == [5, 17, 17, 21, 21]
    assert [link.subject for link in links] == ["one", "three", "three", None, None]
    assert links[0].message_id == "1@a.example"
    for link in links:
        if link.start is not None:
            assert MBOX[link.start : link.end] == link.source
    assert [link.start is None for link in links] == [False, True, True, False, False]
    assert finder.find_mbox(MBOX) == [(link.message, link) for link in links]
    around = finder.find_mbox(MBOX, context=5)
    assert [link.iri for _, link in around] == [link.iri for link in links]
    assert around[3][1].after == " http"
    import pickle

    assert [pickle.loads(pickle.dumps(link)).message for link in links] == [1, 3, 3, 4, 4]
    written, changed = finder.rewrite_mbox(MBOX)
    assert changed == [3, 4] and written == finder.rewrite_mail(MBOX)
    assert b"http://a.example/%C3%BC\n" in written and written.startswith(MBOX[:300])
    assert [link.uri for link in finder.find_mail(written)] == [link.uri for link in links]
    assert finder.rewrite_mbox(written) == (written, [])
    numbered = iriscan.Finder(template="{n}").rewrite_mbox(MBOX)[0]
    assert numbered.endswith(b"\n\n4 5\n")
    # Nothing of it is an error.
    for odd in (b"", b"From ", b"From \n", b"From a Sat Jan  3 01:05:34 1996", b"\n\n", MBOX[:100], b"\0From "):
        assert finder.find_mbox(odd) == [] or odd == MBOX[:100]
        assert finder.rewrite_mbox(odd) == (odd, [])
    assert finder.find_mail(b"\nhttp://a.example/")[0].message == 1
    assert finder.find("http://a.example/")[0].message is None
    # As the command does.
    (tmp_path / "box.mbox").write_bytes(MBOX)
    out = run(OWN, "find", "--iri", tmp_path / "box.mbox")[1].decode()
    assert out.splitlines() == [link.iri for link in links]


def test_mboxes_as_the_command_does(tmp_path, iriscan_command):
    path = tmp_path / "box.mbox"
    path.write_bytes(MBOX)
    for arguments in (["find", "--json"], ["rewrite"], ["rewrite", "--replace", "{n}: {host}"]):
        own, other = run(OWN, *arguments, path), run([iriscan_command], *arguments, path)
        if "--json" not in arguments:
            assert own[1] == other[1]
            continue
        lines = [[json.loads(line) for line in out.splitlines()] for out in (own[1], other[1])]
        assert len(lines[0]) == 5 and [set(one) for one in lines[0]] == [set(one) for one in lines[1]]
        assert lines[0] == lines[1]


def test_a_closed_pipe_is_quiet():
    text = b"http://a.example/ " * 200_000
    with subprocess.Popen([*OWN, "find"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as own:  # fmt: skip
        own.stdout.close()
        try:
            own.stdin.write(text)
            own.stdin.close()
        except BrokenPipeError:
            pass
        assert own.stderr.read() == b""
        own.stdin = None
        assert own.wait(30) == 0


REFERENCES = """http://bücher.example/ü?x=ß#é
http://xn--bcher-kva.example/%C3%BC%20x?%FC
HTTP://A.example:80/b/../%7Ec
../c d/é
http://�.example/
http://a b.example/
//例え.jp
mailto:用户@例子.中国
http://[::1]/\\^
""".encode()


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--host", "percent"],
        ["--host", "keep", "--disallowed", "fail"],
        ["--from", "uri", "--to", "iri", "--host", "unicode"],
        ["--from", "uri", "--to", "iri", "--inadvisable", "decode", "--escapes", "windows-1252"],
        ["--to", "normal", "--level", "idn"],
        ["--to", "text"],
        ["--from", "leiri", "--to", "iri"],
        ["--base", "http://例え.jp/b/", "--to", "iri"],
    ],
)
def test_convert_agrees_with_the_command(iriscan_command, options):
    status, out, _ = run([iriscan_command], "convert", *options, data=REFERENCES)
    assert run(OWN, "convert", *options, data=REFERENCES)[:2] == (status, out)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", TEXT + "http://раураl.com/ http://لa.com/"),
        ("a.html", "<p>http://a.example/ <a href='/é'>see <b>this</b></a><img src='//b.example/'>"),
        (
            "a.eml",
            "From: Jo <jo@a.example>\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= http://a.example/\n"
            "Message-ID: <1@a.example>\nDate: Mon, 2 Nov 2026 10:00:00 +0100\n"
            "Content-Type: text/html; charset=utf-8\n\n<a href='http://例え.jp/道'>道</a>\n",
        ),
    ],
)
def test_records_are_those_of_the_command(iriscan_command, tmp_path, name, data):
    path = tmp_path / name
    path.write_text(data, "utf-8")
    status, out, _ = run([iriscan_command], "find", "--json", path)
    assert (status, run(OWN, "find", "--json", path)[0]) == (0, 0)
    ours = run(OWN, "find", "--json", path)[1]
    assert [json.loads(line) for line in ours.splitlines()] == [
        json.loads(line) for line in out.splitlines()
    ]
    assert out.count(b"\n") > 1


def test_the_package_agrees_with_the_command(iriscan_command, tmp_path):
    """The records of all exported cases with the same options, in one run for each charset."""
    groups = {}
    for case in interop():
        options = {k: v for k, v in case["options"].items() if k not in ("identifiers", "elements")}
        charset = case.get("charset", "utf-8")
        key = json.dumps([charset, options], sort_keys=True)
        groups.setdefault(key, []).append(case)
    ran = 0
    for key, cases in groups.items():
        charset, options = json.loads(key)
        words = ["--charset", charset]
        for name, value in options.items():
            option = f"--{name.replace('_', '-')}"
            if isinstance(value, bool):
                words += [option if value else option.replace("--", "--no-", 1)]
            elif name.endswith("_from"):
                (tmp_path / name).write_text("\n".join(value), "utf-8")
                words += [option, tmp_path / name]
            elif isinstance(value, list) and name not in ("kinds", "schemes"):
                words += [f"{option}={one}" for one in value]
            else:
                words += [option, ",".join(value) if isinstance(value, list) else str(value)]
        if "format" not in options:
            words += ["--format", "text"]
        finder = iriscan.Finder(**options, charset=charset, elements=True)
        files = []
        for i, case in enumerate(cases):
            data = bytes.fromhex(case["bytes"]) if "bytes" in case else case["text"].encode()
            files.append((tmp_path / str(i), data))
            files[-1][0].write_bytes(data)
        status, out, said = run([iriscan_command], "find", "--json", *words, *(f for f, _ in files))
        assert status in (0, 1), said
        theirs = {}
        for line in out.decode().splitlines():
            record = json.loads(line)
            theirs.setdefault(record["path"], []).append(record)
        names = ("start", "end", "text", "iri", "uri", "open", "kind", "scheme", "host", "charset")
        names += ("display", "element", "attribute", "anchor")
        for path, data in files:
            want = [(*(r.get(n) for n in names), r["warnings"]) for r in theirs.get(str(path), [])]
            ours = [(*(getattr(l, n) for n in names), list(l.warnings)) for l in finder.find(data)]
            assert ours == want, (key, data)
            ran += 1
    assert ran == len(interop())
