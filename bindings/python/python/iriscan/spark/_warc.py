"""Web archives (WARC) in splits: which bytes of a file belong to which task, and the records in them.

An archive that can be split is a row of gzip members, a record each. A split owns the bytes from the
first member that starts at or after its start, to the first member that starts at or after its end.
Only a member whose content starts with `WARC/` counts as such a start; other bytes are read, or
reported as damage, by the split that owns the bytes before them. So each byte has one owner, however
the file is cut. There is one exception: in an archive that contains another one, and stores it
without compressing it again, a split that starts in the inner archive takes its records for its own.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from .._iriscan import _format_of_media, _is_charset
from ._inputs import listed, open_file
from ._links import FindLinks, Source, arrow_schema, shortened

if TYPE_CHECKING:
    import pyarrow as pa
    from fastwarc.warc import WarcRecord

_Split = tuple[str, str, int, int]

_MAGIC = b"\x1f\x8b\x08"
# How plain archives start, and those that zstd and lz4 compressed. All others are searched for gzip
# members, because the start of a file may be damaged.
_COMPRESSED = (b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18")
_OTHER_STARTS = (b"WARC/", b"\r\n", b"\n", *_COMPRESSED)
_CHUNK = 256 << 10
# So many compressed bytes are inflated at once.
_FEED = 32 << 10
# The bytes that are inflated to see what a member contains; its head may have a name in it.
_HEADS = (512, 128 << 10)
_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
# Rows are sent on in batches of about so many bytes.
_BATCH = 8 << 20


def tasks(paths: list[str], split_bytes: int) -> list[list[_Split]]:
    """The splits of the archives, in lists of about `split_bytes`: path, name, start, end."""
    result: list[list[_Split]] = []
    room = 0
    for path, name, size in listed(paths):
        for start in range(0, size, split_bytes):
            end = min(start + split_bytes, size)
            # A split may take as long as a task may; several small ones share a task.
            if end - start > room:
                result.append([])
                room = split_bytes
            # The last split owns the rest of the file, also what is added while it is read.
            result[-1].append((path, name, start, end if end < size else 1 << 62))
            room -= end - start
    return result


class ReadWarc:
    """Batches of splits in, batches of records out."""

    SPARK_TYPES = {
        "warc_file": "string",
        "record_offset": "long",
        "record": "int",
        "url": "string",
        "charset": "string",
        "format": "string",
        "bytes": "binary",
        "truncated": "boolean",
        "error": "string",
    }

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows: list[dict[str, Any]] = []
        size = 0
        for batch in batches:
            for split in batch.to_pylist():
                for row in self.split(split["path"], split["start"], split["end"]):
                    rows.append({"warc_file": split["name"], **row})
                    size += 200 + len(row["bytes"] or b"")
                    if size >= _BATCH:
                        yield _batch(rows)
                        rows, size = [], 0
        if rows:
            yield _batch(rows)

    def split(self, path: str, start: int, end: int) -> Iterator[dict[str, Any]]:
        """The rows of one split, without their file."""
        try:
            with open_file(path) as file:
                if not file.read(5).startswith(_OTHER_STARTS):
                    yield from self._members(_Window(file), start, end)
                elif start == 0:
                    # The first split has the whole file.
                    yield from self._stream(file)
        except FileNotFoundError as e:
            yield _row(start, 0, error=f"{path}: {e.strerror or e}")

    def _members(self, window: _Window, start: int, end: int) -> Iterator[dict[str, Any]]:
        at = window.find_member(start) if start > 0 else 0
        while at is not None and (at < end or not window.is_member(at)):
            if window.at_end(at):
                return
            if not window.has_magic(at):
                next = window.find_member(at + 1)
                yield _row(at, 0, error=f"no gzip member starts here; {_skipped(at, next)}")
                at = next
                continue
            member = _Member(window, at)
            yield from self._records(member, at)
            at = window.find_member(at + 1) if member.damage else member.end

    def _records(self, member: _Member, at: int) -> Iterator[dict[str, Any]]:
        """The records of a gzip member, and what is wrong with it."""
        from fastwarc.warc import ArchiveIterator

        number, row, error = 0, None, None
        try:
            for record in ArchiveIterator(member, **_ITERATOR):
                if row is not None:
                    yield row
                row = self._record(record, at, number)
                number += 1
        except Exception as e:
            error = str(e)
        # The checksum comes at the end, so the last record waits for it.
        member.drain()
        if member.damage:
            row = row or _row(at, number, error=None)
            row["error"] = member.damage
        if row is not None:
            yield row
        if not member.damage and (error or (number == 0 and not member.is_blank)):
            yield _row(at, number, error=f"no WARC record starts here: {error or 'other bytes'}")

    def _stream(self, file: BinaryIO) -> Iterator[dict[str, Any]]:
        """The records of a file that is not of gzip members: plain, or in one other compression."""
        from fastwarc.warc import ArchiveIterator

        file.seek(0)
        plain = not file.read(4).startswith(_COMPRESSED)
        at, size = 0, file.seek(0, 2)
        while at < size:
            file.seek(at)
            last, number, error = -1, 0, "other bytes"
            try:
                options = {**_ITERATOR, "stream_detect": at == 0}
                for record in ArchiveIterator(file, **options):
                    number = number + 1 if record.stream_pos == last else 0
                    last = record.stream_pos
                    row = self._record(record, last, number)
                    if row is not None:
                        yield row
                    at = last + 1
                if last >= 0:
                    return
            except Exception as e:
                error = str(e)
            next = _find_record(file, at + 1) if plain else None
            yield _row(at, number, error=f"no WARC record starts here: {error}; {_skipped(at, next)}")
            if next is None:
                return
            at = next

    def _record(self, record: WarcRecord, at: int, number: int) -> dict[str, Any] | None:
        """The row of a record; None if it has no text."""
        kind = (record.headers.get("WARC-Type") or "").lower()
        if kind not in ("response", "resource", "conversion"):
            return None
        url = record.headers.get("WARC-Target-URI") or ""
        url = url[1:-1] if url.startswith("<") and url.endswith(">") else url
        media, declared, body, problem, truncated = self._body(record)
        if body is None:
            return _row(at, number, url=url, error=problem)
        format = _format_of_media(media, body[:8192])
        if format is None:
            return None
        if len(body) > self.max_bytes:
            body, truncated = shortened(body, self.max_bytes), True
        if truncated and not problem:
            problem = f"longer than {self.max_bytes} bytes; the first {len(body)} were read"
        charset = declared if declared and _is_charset(declared) else None
        if body.startswith(_MARKS):
            charset = None
        row = _row(at, number, url=url, error=problem)
        row.update(charset=charset, format=format, bytes=body, truncated=truncated)
        return row

    def _body(self, record: WarcRecord) -> tuple[str, str, bytes | None, str | None, bool]:
        """Media type, charset, the decoded body or None, what is wrong, and whether it is cut."""
        # One byte more tells that there is more.
        body = _read(record.reader, self.max_bytes + 1)
        truncated = len(body) > self.max_bytes
        problem = None
        if len(body) < min(record.content_length, self.max_bytes):
            problem = f"the record is cut short: {len(body)} of {record.content_length} bytes"
        if not record.is_http:
            media, declared = _media(record.headers.get("Content-Type") or "")
            return media, declared, body, problem, truncated
        head = record.http_headers
        media, declared = _media(head.get("Content-Type") or "")
        if "chunked" in (head.get("Transfer-Encoding") or "").lower():
            body = _unchunked(body)
        for coding in reversed((head.get("Content-Encoding") or "").lower().split(",")):
            try:
                body, damaged, more = _decoded(coding.strip(), body, self.max_bytes + 1)
            except LookupError:
                problem = f"the content coding {coding.strip()!r} is not known here"
                return media, declared, None, problem, False
            truncated = truncated or more
            if damaged and not problem:
                problem = f"the content coding {coding.strip()} is damaged"
        return media, declared, body, problem, truncated


class FindInWarc:
    """Batches of splits in, batches of links out: no text leaves the worker."""

    PLACE = {"file": "string", "record_offset": "long", "record": "int", "url": "string"}

    def __init__(
        self,
        options: dict[str, Any],
        charset: str | None,
        format: str | None,
        max_bytes: int,
        extra: tuple[str, ...] = (),
    ) -> None:
        """A charset or a format that is None is that of each record. `extra`: that of `FindLinks`."""
        given = {"charset": charset, "format": format}
        words: dict[str, str | None] = {name: word for name, word in given.items() if word is not None}
        of_rows = {name: name for name, word in given.items() if word is None}
        source = Source("bytes", False, words, of_rows, options)
        place = {name: name for name in ("record_offset", "record", "url")}
        self.read = ReadWarc(max_bytes)
        self.find = FindLinks(
            source,
            {"warc_file": "file", **place},
            {"error": "error", "truncated": "truncated"},
            max_bytes,
            extra,
        )

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return self.find(self.read(batches))


_ITERATOR: dict[str, Any] = {
    "parse_http": True,
    "auto_decode": "none",
    "stream_detect": False,
    # Records whose lines end in LF alone are read too.
    "quirks_mode": True,
    "fsspec_args": False,
}


def _row(at: int, number: int, *, url: str | None = None, error: str | None) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(["url", "charset", "format", "bytes"])
    row.update(record_offset=at, record=number, url=url, truncated=False, error=error)
    return row


def _batch(rows: list[dict[str, Any]]) -> pa.RecordBatch:
    import pyarrow as pa

    return pa.RecordBatch.from_pylist(rows, schema=arrow_schema(ReadWarc.SPARK_TYPES))


def _skipped(at: int, next: int | None) -> str:
    return "the rest of the file is skipped" if next is None else f"{next - at} bytes are skipped"


def _read(reader: Any, limit: int) -> bytes:
    """At most `limit` bytes."""
    parts: list[bytes] = []
    room = limit
    while room > 0 and (part := reader.read(min(room, 1 << 20))):
        parts.append(part)
        room -= len(part)
    return b"".join(parts)


def _media(value: str) -> tuple[str, str]:
    """The media type and the charset of a Content-Type."""
    media, *parameters = value.split(";")
    for parameter in parameters:
        name, _, label = parameter.partition("=")
        if name.strip().lower() == "charset":
            return media.strip(), label.strip().strip("\"'")
    return media.strip(), ""


def _unchunked(body: bytes) -> bytes:
    """The chunks of a body, joined. A body without chunks, and what comes after the last good one,
    stays as it is."""
    parts: list[bytes] = []
    at = 0
    while True:
        end = body.find(b"\n", at, at + 1024)
        try:
            size = int(body[at : max(end, at)].split(b";")[0].strip() or b"x", 16)
        except ValueError:
            return body if not parts else b"".join([*parts, body[at:]])
        if size <= 0:
            return b"".join(parts)
        at = end + 1 + size
        parts.append(body[end + 1 : at])
        at += 1 if body[at : at + 1] == b"\r" else 0
        at += 1 if body[at : at + 1] == b"\n" else 0


def _decoded(coding: str, body: bytes, limit: int) -> tuple[bytes, bool, bool]:
    """The decoded body, whether it is damaged, and whether it is longer than the limit. Some servers
    name a coding and send plain text, which stays as it is. Raises LookupError if the coding is not
    known."""
    if coding in ("", "identity", "utf-8", "none"):
        return body, False, False
    if coding in ("gzip", "x-gzip"):
        return (body, False, False) if not body.startswith(b"\x1f\x8b") else _inflated(31, body, limit)
    if coding == "deflate":
        # The standard wants a zlib head, and some servers leave it out.
        return _inflated(15 if body[:1] and body[0] & 15 == 8 else -15, body, limit)
    if coding in ("br", "zstd"):
        import io

        from fastwarc.stream_io import BrotliReader, ZstdReader

        reader = (BrotliReader if coding == "br" else ZstdReader)(io.BytesIO(body))
        parts: list[bytes] = []
        size = 0
        try:
            while size < limit and (part := reader.read(min(limit - size, 1 << 16))):
                parts.append(part)
                size += len(part)
        except Exception:
            return b"".join(parts), True, False
        return b"".join(parts), False, size >= limit
    raise LookupError(coding)


def _inflated(bits: int, body: bytes, limit: int) -> tuple[bytes, bool, bool]:
    parts: list[bytes] = []
    size, rest = 0, body
    while rest:
        inflater = zlib.decompressobj(bits)
        try:
            while rest and not inflater.eof and size < limit:
                part = inflater.decompress(rest, min(limit - size, 1 << 20))
                parts.append(part)
                size += len(part)
                rest = inflater.unconsumed_tail
        except zlib.error:
            return b"".join(parts), True, False
        if size >= limit:
            return b"".join(parts), False, True
        if not inflater.eof:
            return b"".join(parts), True, False
        # Gzip may have several members. Other bytes after the end do not count.
        rest = inflater.unused_data if bits == 31 else b""
        if not rest.startswith(b"\x1f\x8b"):
            break
    return b"".join(parts), False, False


def _find_record(file: BinaryIO, at: int) -> int | None:
    """The first record of a plain archive that starts a line at or after `at`."""
    mark, at = b"\nWARC/", max(at - 1, 0)
    file.seek(at)
    chunk = b""
    while more := file.read(_CHUNK):
        chunk += more
        found = chunk.find(mark)
        if found >= 0:
            return at + found + 1
        at += max(len(chunk) - len(mark) + 1, 0)
        chunk = chunk[-len(mark) + 1 :]
    return None


class _Window:
    """A file, of which a chunk is in memory."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.at = 0
        self.chunk = memoryview(b"")

    def bytes(self, at: int, least: int) -> memoryview:
        """The bytes from `at`: at least so many, unless the file ends."""
        offset = at - self.at
        if not 0 <= offset <= len(self.chunk) or len(self.chunk) - offset < least:
            kept = bytes(self.chunk[offset:]) if 0 <= offset < len(self.chunk) else b""
            self.file.seek(at + len(kept))
            parts, size = [kept], len(kept)
            while size < max(least, 1) and (more := self.file.read(_CHUNK)):
                parts.append(more)
                size += len(more)
            self.at, self.chunk, offset = at, memoryview(b"".join(parts)), 0
        return self.chunk[offset:]

    def at_end(self, at: int) -> bool:
        return len(self.bytes(at, 1)) == 0

    def has_magic(self, at: int) -> bool:
        return self.bytes(at, len(_MAGIC))[: len(_MAGIC)] == _MAGIC

    def is_member(self, at: int) -> bool:
        """True if a gzip member starts here and its content starts as a WARC record does."""
        if not self.has_magic(at):
            return False
        for size in _HEADS:
            inflater = zlib.decompressobj(31)
            try:
                content = inflater.decompress(self.bytes(at, size)[:size], 5)
            except zlib.error:
                return False
            if len(content) == 5 or inflater.eof:
                return content == b"WARC/"
        return False

    def find_member(self, at: int) -> int | None:
        """The start of the first such member at or after `at`."""
        while True:
            chunk = bytes(self.bytes(at, _CHUNK)[:_CHUNK])
            found = chunk.find(_MAGIC)
            while found >= 0:
                if self.is_member(at + found):
                    return at + found
                found = chunk.find(_MAGIC, found + 1)
            if len(chunk) < _CHUNK:
                return None
            at += len(chunk) - len(_MAGIC) + 1


class _Member:
    """The content of a gzip member, as a file that can be read once."""

    def __init__(self, window: _Window, at: int) -> None:
        self.window = window
        # The first byte of the file that was not inflated.
        self.end = at
        self.damage: str | None = None
        self.inflater = zlib.decompressobj(31)
        self.rest = b""
        self.position = 0
        # White space alone was read.
        self.is_blank = True

    def tell(self) -> int:
        return self.position

    def seek(self, offset: int, whence: int = 0) -> int:
        raise OSError("a gzip member cannot seek")

    def close(self) -> None:
        pass

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes; none at the end of the member, or where it is damaged."""
        limit = 1 << 20 if size is None or size < 0 else size
        while not self.inflater.eof and not self.damage and limit > 0:
            feed = self.rest or self.window.bytes(self.end, 1)[:_FEED]
            if not feed:
                self.damage = "the gzip member is cut short"
                break
            if not self.rest:
                self.end += len(feed)
            try:
                content = self.inflater.decompress(feed, limit)
            except zlib.error as e:
                # "Error -3 while decompressing data: incorrect data check"
                self.damage = f"the gzip member is damaged: {str(e).rpartition(': ')[2]}"
                break
            self.rest = self.inflater.unconsumed_tail
            self.end -= len(self.inflater.unused_data)
            if content:
                self.position += len(content)
                self.is_blank = self.is_blank and content.isspace()
                return content
        return b""

    def drain(self) -> None:
        """Reads to the end, which tells where the next member starts."""
        while self.read():
            pass
