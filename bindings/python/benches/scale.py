"""What a core spends on an archive: reading it, and finding the links, in nanoseconds for each byte of
text. Without Spark, as a worker of `iriscan.spark` does it.

python scale.py FOLDER [FOLDER...]

All files below the folders become pages of an archive, a gzip member each.
"""

import gzip
import sys
import tempfile
import time
import zlib
from pathlib import Path

import pyarrow as pa
from iriscan.spark._warc import FindInWarc, ReadWarc

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
RECORD = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n"

with tempfile.TemporaryDirectory() as folder:
    archive = Path(folder, "a.warc.gz")
    pages = size = 0
    with open(archive, "wb") as out:
        for root in sys.argv[1:]:
            for path in sorted(Path(root).rglob("*")):
                if path.is_file() and path.suffix not in (".gz", ".png", ".jpg"):
                    text = path.read_bytes()
                    record = RECORD % (len(HEAD) + len(text)) + HEAD + text + b"\r\n\r\n"
                    out.write(gzip.compress(record))
                    pages, size = pages + 1, size + len(text)
    packed = archive.read_bytes()
    split = {"path": str(archive), "name": "a", "start": 0, "end": len(packed)}
    splits = [pa.RecordBatch.from_pylist([split])]

    def inflate():
        at = 0
        while at < len(packed):
            inflater = zlib.decompressobj(31)
            while not inflater.eof:
                inflater.decompress(packed[at : at + 32768])
                at += len(packed[at : at + 32768])
            at -= len(inflater.unused_data)

    def cost(work):
        """The best of five, because other programs disturb."""
        best = 1e9
        for _ in range(5):
            start = time.thread_time_ns()
            work()
            best = min(best, (time.thread_time_ns() - start) / size)
        return best

    reading = cost(lambda: sum(batch.num_rows for batch in ReadWarc(1 << 26)(iter(splits))))
    finder = FindInWarc({}, None, None, 1 << 26)
    links = sum(batch.num_rows for batch in finder(iter(splits)))
    both = cost(lambda: sum(batch.num_rows for batch in finder(iter(splits))))
    print(f"{pages} pages, {size / 1e6:.1f} MB of text, {size / len(packed):.1f} times as small, {links} links")
    print(f"reading {reading:.1f} ns a byte (inflating alone {cost(inflate):.1f}), finding {both - reading:.1f}")
