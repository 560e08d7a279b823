#!/usr/bin/env python3
"""The rows in which the command is slowest for each byte: links in great numbers, in mail, UTF-16 and markup.

    cargo build --release -p iriscan-cli
    benches/slow.py [BINARY]        # CPU time of one thread, best of five runs, in MB of input a second
"""

import os
import resource
import subprocess
import sys
import tempfile

SIZE = 1 << 20
HEAD = "From: a@b.example\r\nSubject: x\r\nMIME-Version: 1.0\r\n"


def body(charset, encoding="8bit"):
    return f"Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"


def repeated(row, charset="utf-8", before="", after=""):
    """Rows up to a size, with text before and after them."""
    row = row.encode(charset)
    return before.encode(charset) + row * (SIZE // len(row)) + after.encode(charset)


def nested(levels):
    parts = [f'Content-Type: multipart/mixed; boundary="b{i}"\r\n\r\n--b{i}\r\n' for i in range(levels)]
    ends = [f"\r\n--b{i}--\r\n" for i in reversed(range(levels))]
    line = "See http://例え.example/é and more text in this line of the body.\r\n"
    return repeated(line, before=HEAD + "".join(parts) + body("utf-8"), after="".join(ends))


PAGE = (
    '<p>Ein Absatz mit <a href="http://例え.example/pfad/é?q=1&amp;r=2">einem Verweis</a> '
    "und http://beispiel.example/straße sowie Text.</p>\n"
)
FEED = (
    "<item><title>x</title><description>&lt;p&gt;Text &lt;a href=&quot;http://例え.example/é?q=1&amp;amp;r=2&quot;&gt;"
    "Verweis&lt;/a&gt; und http://b.example/ö.&lt;/p&gt;</description></item>\n"
)
PLAIN = HEAD + body("utf-8")
JIS = HEAD + body("iso-2022-jp", "7bit")
ROWS = [
    ("UTF-16 HTML, --json --context 40", "a.html", "find --json --context 40", repeated(PAGE, "utf-16le", "\ufeff")),
    ("XML with escaped HTML, the same", "a.xml", "find --json --context 40", repeated(FEED, before="<rss>", after="</rss>")),
    ("HTML, --json --context 40", "f.html", "find --json --context 40", repeated(PAGE)),
    ("HTML, each letter is a reference", "g.html", "find", repeated("".join(f"&#{ord(c)};" for c in "http://é.example/ö ") + "\n")),
    ("99 nested multiparts, rewriting", "a.eml", "rewrite", nested(99)),
    ("mail, --json --context 40", "f.eml", "find --json --context 40", repeated("See http://例え.example/é and more text.\r\n", before=PLAIN)),
    ("mail, a link every 30 bytes", "b.eml", "find", repeated("http://a.example/b text here.\r\n", before=PLAIN)),
    ("mail, one long line of IRIs", "c.eml", "find", repeated("http://例え.example/é ", before=PLAIN)),
    ("mail, a link in each field", "d.eml", "find", repeated("X-Link: <http://例え.example/é>\r\n", before="From: a@b.example\r\n", after="\r\nbody\r\n")),
    ("mail in ISO-2022-JP", "e.eml", "find", repeated("詳しくは http://例え.example/表 をご覧ください。\r\n", "iso2022_jp", JIS)),
    ("log, escaped bytes, --json", "a.log", "find --json", repeated('http://\\xC3\\xA9"\n')),
    ("Shift_JIS, a link every 17 bytes", "a.txt", "find --charset shift_jis", repeated("http://例.jp/あ ―", "shift_jis")),
]


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


binary = sys.argv[1] if len(sys.argv) > 1 else "target/release/iriscan"
with tempfile.TemporaryDirectory() as folder:
    for name, file, options, content in ROWS:
        path = os.path.join(folder, file)
        with open(path, "wb") as out:
            out.write(content)
        best = min(seconds([binary, *options.split(), "-j1", path]) for _ in range(5))
        print(f"{len(content) / 1e6 / best:7.1f} MB/s  {name}")
