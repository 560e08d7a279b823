"""`python -m iriscan`, alone and beside the command line program."""

import json
import subprocess
import sys

import pytest
from conftest import interop

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
            if name == "code":
                words += ["--no-code"]
                continue
            if name in ("hosts_from", "contains_from"):
                (tmp_path / name).write_text("\n".join(value), "utf-8")
                words += [option, tmp_path / name]
                continue
            if name in ("only_host", "not_host", "match", "not_match"):
                words += [f"{option}={one}" for one in value]
                continue
            value = ",".join(value) if isinstance(value, list) else str(value)
            flags = ("ascii_only", "changed", "links_only")
            words += [option] if name in flags else [option, value]
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
