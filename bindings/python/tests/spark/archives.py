"""Archives and columns for the tests."""

import gzip
import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[4]


def record(url, body, head=b"Content-Type: text/html; charset=utf-8\r\n", kind=b"response"):
    """A WARC record with an HTTP response."""
    block = b"HTTP/1.1 200 OK\r\n" + head + b"\r\n" + body
    return (
        b"WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nContent-Type: application/http\r\n"
        b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (kind, url.encode(), len(block), block)
    )


def resource(url, body, media):
    """A WARC record with a document and no HTTP head."""
    return (
        b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: %s\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n"
        % (url.encode(), f"Content-Type: {media}\r\n".encode() if media else b"", len(body), body)
    )


def texts(count, seed=1):
    """Texts of many scripts with links, of different lengths, that do not compress well."""
    lines = (ROOT / "testdata" / "interop.jsonl").read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line).get("text", "") for line in lines if line]
    cases = [text for text in cases if text and text.isprintable()]
    chance = random.Random(seed)
    words = "".join(chance.choices("abcdefghijklmnop      äöü日本語", k=200_000))
    for number in range(count):
        at = chance.randrange(len(words) - 2000)
        filler = words[at : at + chance.choice([0, 30, 300, 1500])]
        yield f"{filler} {chance.choice(cases)} http://例え.jp/{number} {filler[:100]}"


def archive(path, count):
    """An archive with a gzip member for each page, in several charsets. Returns the members."""
    charsets = ["utf-8", "shift_jis", "windows-1251", "gb18030", "no-such-charset"]
    members = []
    for number, text in enumerate(texts(count)):
        charset = charsets[number % len(charsets)]
        coded = "utf-8" if charset == "no-such-charset" else charset
        body = f"<p>{text}</p><a href='/{number}'>ü</a>".encode(coded, "xmlcharrefreplace")
        head = f"Content-Type: text/html; charset={charset}\r\n".encode()
        if number % 7 == 0:
            body, head = gzip.compress(body, mtime=0), head + b"Content-Encoding: gzip\r\n"
        members.append(gzip.compress(record(f"http://a.example/{number}", body, head), mtime=0))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(members))
    return members


def columns(folder, count):
    """The same texts as Parquet, JSON Lines and lines, each in a folder."""
    rows = [text if number % 50 else None for number, text in enumerate(texts(count))]
    for name in ("parquet", "jsonl", "text"):
        (folder / name).mkdir(parents=True)
    table = pa.table({"id": range(len(rows)), "body": rows})
    pq.write_table(table, folder / "parquet" / "a b.parquet", row_group_size=100)
    with open(folder / "jsonl" / "a+b.jsonl", "w", encoding="utf-8") as file:
        for number, text in enumerate(rows):
            file.write(json.dumps({"id": number, "body": text}, ensure_ascii=False) + "\n")
    with open(folder / "text" / "ä.txt", "w", encoding="utf-8", newline="") as file:
        for number, text in enumerate(rows):
            file.write((text or "") + ("\r\n" if number % 3 else "\n"))
