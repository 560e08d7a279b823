"""Files are opened as the command opens them."""

import base64
import bz2
import collections
import gzip
import io
import json
import lzma
import os
import pickle
import subprocess
import warnings
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

import iriscan
from iriscan import Finder

CORPORA = ROOT.parent / "shared" / "corpora"
PAGE = b"<!doctype html><!-- http://not.example/ --><a href='/&#252;'>"
MESSAGE = b"Subject: x\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.example/=C3=A9\n"
MBOX = b"From a Sat Jan  3 01:05:34 1996\n" + MESSAGE + b"\nFrom b Sat Jan  3 01:05:35 1996\n" + MESSAGE


def record(body, target="http://a.example/b/", kind="text/html"):
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode() + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
        f"WARC-Target-URI: {target}\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def container(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return file.getvalue()


# The keys of the command's records, and the properties of links that are the same.
KEYS = {
    "start": "start",
    "end": "end",
    "text": "text",
    "iri": "iri",
    "uri": "uri",
    "open": "open",
    "error": "error",
    "kind": "kind",
    "scheme": "scheme",
    "host": "host",
    "display": "display",
    "charset": "charset",
    "element": "element",
    "attribute": "attribute",
    "anchor": "anchor",
    "part": "part",
    "header": "field",
    "line": "line",
    "message_id": "message_id",
    "subject": "subject",
    "from": "from_",
    "date": "date",
    "record": "record",
    "offset": "offset",
}


def as_record(link, path):
    record = {key: getattr(link, name) for key, name in KEYS.items()}
    record["warnings"] = list(link.warnings)
    return (link.member or path, record)


def found(path, **options):
    """The records of a file, and whether it could be read to its end."""
    links, whole = [], True
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        try:
            for link in Finder(elements=True, **options).iter_file(path, z=True):
                links.append(as_record(link, path))
        except OSError:
            whole = False
    return links, whole


def by_the_command(command, paths):
    """The records of all files, by their paths."""
    names = b"\0".join(os.fsencode(path) for path in paths)
    arguments = [command, "find", "--json", "-z", "--files-from", "-", "--null-paths"]
    output = subprocess.run(arguments, input=names, capture_output=True, check=False).stdout
    records = collections.defaultdict(list)
    for line in output.splitlines():
        read = json.loads(line)
        path = read.get("path") or os.fsdecode(base64.b64decode(read["path_bytes"]))
        record = {key: read.get(key) for key in KEYS} | {"warnings": read["warnings"]}
        records[path.split("!", 1)[0]].append((path, record))
    return records


def compare(command, paths):
    paths = [os.fspath(path) for path in paths]
    expected = by_the_command(command, paths)
    assert sum(map(len, expected.values())) > 0
    for path in paths:
        links, _ = found(path)
        assert links == expected[path], path


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and "!" not in str(path))


def test_testdata_is_found_as_by_the_command(iriscan_command):
    compare(iriscan_command, files(ROOT / "testdata"))


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the corpora are not there")
def test_corpora_are_found_as_by_the_command(iriscan_command):
    compare(iriscan_command, files(CORPORA))


def samples(folder):
    """Files of all contents, whole and damaged."""
    page = b"see http://a.example/\xc3\xa9 " * 5_000
    archive = record(PAGE) + record(b'{"a": "http://b.example/"}', kind="application/json")
    office = {"word/document.xml": "<a>http://a.example/</a>", "b.txt": "http://b.example/", "c": b"\0"}
    made = {
        "page.html": PAGE,
        "text": PAGE,
        "box.mbox": MBOX,
        "x.eml": MESSAGE,
        "cur/1234567890.x:2,S": MESSAGE,
        "x.txt.gz": gzip.compress(page),
        "cut.txt.gz": gzip.compress(page)[:-30],
        "x.html.bz2": bz2.compress(PAGE),
        "box.mbox.xz": lzma.compress(MBOX),
        "x.warc": archive,
        "x.warc.gz": gzip.compress(record(PAGE)) + gzip.compress(record(PAGE)),
        "damaged.warc.gz": gzip.compress(record(PAGE))[:-9] + gzip.compress(record(PAGE)),
        "no.warc": b"no archive",
        "a.docx": container(office),
        "cut.docx": container(office)[:-30],
        "empty": b"",
        "empty.docx": container({}),
    }
    for name, data in made.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return [folder / name for name in made]


def test_every_content_is_found_as_by_the_command(iriscan_command, tmp_path):
    compare(iriscan_command, samples(tmp_path))


def test_documents_are_read_as_listed(monkeypatch):
    """As by the command and by C: `cli/tests/it/opened.rs`, `bindings/c/tests/opened.c`."""
    monkeypatch.chdir(ROOT / "testdata" / "opened")
    lines = []
    for path in sorted(os.listdir()):
        lines.append(f"= {path}")
        said = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                for link in iriscan.iter_file(path, z=True):
                    record = "" if link.record is None else f" <{link.record}> at {link.offset}"
                    place = "" if link.start is None else f" {link.start}-{link.end}"
                    lines.append(f"{link.member or path}{record}{place} {link.open or link.iri}")
            except OSError as e:
                said.append(str(e))
        said = [str(warning.message) for warning in caught] + said
        lines += [f"! {text.removesuffix('; what could be read was used')}" for text in said]
    listed = (ROOT / "testdata" / "opened.txt").read_text(encoding="utf-8")
    assert "\n".join(lines) + "\n" == listed


def test_a_name_says_the_format_and_an_option_more(tmp_path):
    page = io.BytesIO(PAGE)
    page.name = "page.html"
    assert [link.iri for link in iriscan.find_file(page)] == ["/ü"]
    page.seek(0)
    assert [link.iri for link in iriscan.find_file(page, format="text")] == ["http://not.example/"]
    # Without a name, the first bytes say it.
    assert [link.iri for link in iriscan.find_file(io.BytesIO(PAGE))] == ["/ü"]
    assert [link.part for link in iriscan.find_file(io.BytesIO(MBOX))] == ["1", "1"]
    # A decompressor has the name of its file.
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(PAGE))
    with gzip.open(path) as file:
        assert [link.iri for link in iriscan.find_file(file)] == ["/ü"]
    with open(path, "rb") as packed:
        assert [link.iri for link in iriscan.find_file(packed, z=True)] == ["/ü"]
    # The format that is named stays named.
    text = Finder(format="text")
    assert text != Finder() and pickle.loads(pickle.dumps(text)) == text
    assert repr(text) == "Finder(format='text')" and eval(repr(text)) == text
    assert pickle.loads(pickle.dumps(Finder())) == Finder()
    # What is in memory is text as before.
    assert [link.iri for link in iriscan.find(PAGE)] == ["http://not.example/"]


def test_links_say_which_message_member_or_record_they_are_in(tmp_path):
    (tmp_path / "box.mbox").write_bytes(MBOX)
    links = iriscan.find_file(tmp_path / "box.mbox")
    assert [(link.message, link.subject, link.line, link.iri) for link in links] == [
        (1, "x", 5, "http://a.example/é"),
        (2, "x", 11, "http://a.example/é"),
    ]
    archive = io.BytesIO(record(PAGE))
    archive.name = "x.warc"
    link, = iriscan.find_file(archive, positions=True)
    assert (link.record, link.offset, link.absolute) == ("http://a.example/b/", 0, "http://a.example/%C3%BC")
    assert archive.getvalue()[link.start : link.end] == link.source
    assert link.line == 1 and link.member is None
    assert {"record", "offset", "column"} <= link.asdict().keys()
    assert pickle.loads(pickle.dumps(link)) == link
    packed = io.BytesIO(container({"word/document.xml": "<a>http://a.example/</a>"}))
    packed.name = "a.docx"
    link, = iriscan.find_file(packed, z=True)
    assert (link.member, link.start, link.record) == ("a.docx!word/document.xml", 3, None)
    assert "member" in link.asdict() and "record" not in link.asdict()


@pytest.mark.parametrize(
    ("name", "data", "links"),
    [
        ("x.warc.gz", gzip.compress(record(PAGE))[:-9] + gzip.compress(record(PAGE)), 2),
        ("x.warc", b"no archive\n" + record(PAGE), 1),
        ("x.docx", container({"a.eml": MESSAGE, "a.txt": "http://a.example/"}), 1),
    ],
)
def test_what_cannot_be_read_is_told_as_by_the_command(iriscan_command, tmp_path, name, data, links):
    path = tmp_path / name
    path.write_bytes(data)
    arguments = [iriscan_command, "find", "-z", path]
    said = subprocess.run(arguments, capture_output=True, text=True, check=False).stderr
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert len(iriscan.find_file(path, z=True)) == links
    assert caught and said.splitlines() == [f"iriscan: {warning.message}" for warning in caught]


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("a.txt.gz", gzip.compress(b"x"), "compressed, read as it is; z=True decompresses it"),
        ("a.docx", container({"x": "y"}), "a zip container, read as it is; z=True reads the texts in it"),
    ],
)
def test_what_is_packed_is_told_without_z(tmp_path, name, data, what):
    (tmp_path / name).write_bytes(data)
    with pytest.warns(UserWarning) as caught:
        iriscan.find_file(tmp_path / name)
    assert [str(warning.message) for warning in caught] == [f"{tmp_path / name}: {what}"]


def test_damage_comes_after_the_links_before_it(tmp_path):
    path = tmp_path / "cut.txt.gz"
    path.write_bytes(gzip.compress(b"http://a.example/ " * 1000)[:-8])
    links = Finder().iter_file(path, z=True)
    assert [next(links).host for _ in range(1000)] == ["a.example"] * 1000
    with pytest.raises(OSError, match=r"cut\.txt\.gz: cut short or damaged"):
        next(links)
    with pytest.raises(FileNotFoundError) as raised:
        iriscan.find_file(tmp_path / "missing")
    assert raised.value.filename == str(tmp_path / "missing")
    with pytest.raises(IsADirectoryError):
        iriscan.find_file(tmp_path)

    class Pipe(io.RawIOBase):
        """Cannot seek."""

        data = io.BytesIO(container({"a.txt": "http://a.example/"}))

        def readable(self):
            return True

        def read(self, size=-1):
            return self.data.read(size)

    with pytest.raises(ValueError, match="^a zip container, whose directory is at its end; save it"):
        iriscan.find_file(Pipe(), z=True)


def test_progress_counts_what_is_read_of_the_file(tmp_path):
    path = tmp_path / "x.txt.gz"
    path.write_bytes(gzip.compress(os.urandom(600_000).hex().encode() + b" http://a.example/"))
    size, calls = path.stat().st_size, []
    links = iriscan.find_file(path, z=True, progress=lambda *call: calls.append(call))
    assert len(links) == 1
    assert [call[1] for call in calls] == [size] * len(calls) and calls[-1][0] == size
    assert len(calls) > 1 and calls == sorted(set(calls))


@pytest.mark.parametrize("name", ["page.html", "box.mbox", "x.eml", "x.txt.gz", "x.html.bz2", "box.mbox.xz"])
def test_files_are_rewritten_as_by_the_command(iriscan_command, tmp_path, name):
    samples(tmp_path)
    path, target = tmp_path / name, io.BytesIO()
    done = Finder().rewrite_file(path, target, z=True)
    arguments = [iriscan_command, "rewrite", "-z", path]
    expected = subprocess.run(arguments, capture_output=True, check=True).stdout
    unpack = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}
    unpack = unpack.get(path.suffix, bytes)
    assert unpack(target.getvalue()) == unpack(expected) != unpack(path.read_bytes())
    assert done.changed > 0 and done.links >= done.changed
    # In place.
    assert Finder().rewrite_file(path, path, z=True) == done
    assert unpack(path.read_bytes()) == unpack(expected)


@pytest.mark.filterwarnings("ignore:.*compressed, read as it is")
@pytest.mark.parametrize("to", ["uri", "iri"])
def test_testdata_is_rewritten_as_by_the_command(iriscan_command, to):
    finder = Finder(to=to, host="keep") if to == "iri" else Finder()
    count = 0
    for path in files(ROOT / "testdata"):
        target = io.BytesIO()
        try:
            finder.rewrite_file(path, target)
        except ValueError:
            # A web archive.
            continue
        arguments = [iriscan_command, "rewrite", "--to", to, path]
        expected = subprocess.run(arguments, capture_output=True, check=False).stdout
        assert target.getvalue() == expected, path
        count += expected != path.read_bytes()
    assert count > 10


@pytest.mark.parametrize("name", ["x.warc", "x.warc.gz"])
@pytest.mark.parametrize("z", [False, True])
def test_what_cannot_be_rewritten_is_refused_as_by_the_command(iriscan_command, tmp_path, name, z):
    samples(tmp_path)
    arguments = [iriscan_command, "rewrite", *(["-z"] if z else []), tmp_path / name]
    said = subprocess.run(arguments, capture_output=True, text=True, check=False).stderr
    target = io.BytesIO()
    with pytest.raises(ValueError) as raised:
        Finder().rewrite_file(tmp_path / name, target, z=z)
    assert said == f"iriscan: {raised.value}\n" and target.getvalue() == b""


@pytest.mark.parametrize("to", ["uri", "iri"])
def test_containers_are_rewritten_as_by_the_command(iriscan_command, tmp_path, to):
    path, new = tmp_path / "a.docx", tmp_path / "new.docx"
    members = {
        "mimetype": "x/y",
        "word/document.xml": "<w:t>http://bücher.example/ http://a.example/%C3%A9</w:t>",
        "word/_rels/document.xml.rels": "<Relationship TargetMode='External' Target='http://é.example/'/>",
        "a.txt": "http://é.example/ é".encode("latin-1"),
        "image.png": b"\x89PNG\0http://\xc3\xa9.example/",
    }
    path.write_bytes(container(members))
    finder = Finder(to=to)
    arguments = [iriscan_command, "rewrite", "--to", to, "-z", "-o", new, path]
    subprocess.run(arguments, capture_output=True, check=False)
    target = io.BytesIO()
    done = finder.rewrite_file(path, target, z=True)
    assert target.getvalue() == new.read_bytes() != path.read_bytes()
    assert done.changed > 0 and done.links >= done.changed and done.charset == ""
    # Of a file object, and in place.
    with open(path, "rb") as source:
        again = io.BytesIO()
        assert finder.rewrite_file(source, again, z=True) == done
        assert again.getvalue() == target.getvalue()
    assert finder.rewrite_file(path, path, z=True) == done
    assert path.read_bytes() == target.getvalue()
    assert zipfile.ZipFile(path).testzip() is None


def test_containers_that_stay(tmp_path):
    samples(tmp_path)
    path, target = tmp_path / "a.docx", io.BytesIO()
    with pytest.raises(ValueError, match="a zip container, left as it is; z=True rewrites the texts in it"):
        Finder().rewrite_file(path, target)
    assert target.getvalue() == b""
    # Nothing changes.
    path.write_bytes(container({"a.txt": "http://a.example/"}))
    inode = path.stat().st_ino
    assert Finder().rewrite_file(path, path, z=True).links == 1 and path.stat().st_ino == inode
    # Signed.
    signed = container({"a.txt": "http://é.example/", "META-INF/X.RSA": "x"})
    path.write_bytes(signed)
    with pytest.warns(UserWarning, match="signed, and stays as it is"):
        assert Finder().rewrite_file(path, target, z=True).changed == 0
    assert target.getvalue() == signed
    # A member that is not read, beside one that changes.
    path.write_bytes(container({"a.eml": MESSAGE, "a.txt": "http://é.example/"}))
    with pytest.warns(UserWarning, match=r"a\.docx!a\.eml: stays as written, "):
        assert Finder().rewrite_file(path, io.BytesIO(), z=True).changed == 1
    # Damaged: the target stays.
    data = bytearray(container({"a.txt": "http://é.example/" * 99}))
    data[45] ^= 0xFF
    path.write_bytes(data)
    target = tmp_path / "target"
    target.write_bytes(b"old")
    with pytest.raises(OSError, match=r"a\.docx: a\.txt: cut short or damaged"):
        Finder().rewrite_file(path, target, z=True)
    assert target.read_bytes() == b"old"


def test_a_compressed_file_is_not_rewritten_in_place_without_z(tmp_path):
    samples(tmp_path)
    path = tmp_path / "x.txt.gz"
    before = path.read_bytes()
    with pytest.raises(ValueError, match="compressed, left as it is; z=True"):
        Finder().rewrite_file(path, path)
    assert path.read_bytes() == before


def test_a_warning_has_no_controls(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(container({"\x1b[31m.eml": MESSAGE}))
    with pytest.warns(UserWarning, match=r"a\.zip!\\x1b\[31m\.eml: not searched, "):
        assert iriscan.find_file(path, z=True) == []
