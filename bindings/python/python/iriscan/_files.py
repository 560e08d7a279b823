"""Files: the methods of Finder that read and write them."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
import warnings
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol

from ._iriscan import _inner_name

if TYPE_CHECKING:
    # `collections.abc` has it from CPython 3.12 on.
    from typing_extensions import Buffer

    from ._iriscan import Finder, Link

_CHUNK = 256 * 1024


class _Reader(Protocol):
    def read(self, size: int, /) -> Buffer | None: ...


class _Writer(Protocol):
    def write(self, data: memoryview, /) -> object: ...


Source = str | os.PathLike[str] | _Reader
Target = str | os.PathLike[str] | _Writer
# Called with the bytes that are read and the bytes that there are, or None if nobody knows.
Progress = Callable[[int, int | None], object]


class Rewritten(NamedTuple):
    """What `rewrite_file` did."""

    links: int
    """Links found."""
    changed: int
    """Links replaced."""
    unconvertible: int
    """Links that stay because they have no URI form, lack a field that the template needs, or
    because the new text cannot be in their place."""
    charset: str
    """The charset in which the source was read; empty for mail and containers, whose parts have their own."""
    lost: int = 0
    """Characters written as '?', because the charset has neither them nor has the format an escape."""
    early: int = 0
    """With to='iri': links written in UTF-8 before the charset was known."""


def find_file(
    self: Finder,
    source: Source,
    *,
    z: bool = False,
    progress: Progress | None = None,
    positions: bool = False,
) -> list[Link]:
    """Returns the links of a file as a list. What `iter_file` says is true of this too.

    >>> import io
    >>> [link.host for link in Finder().find_file(io.BytesIO(b"http://a.example/ http://b.example/"))]
    ['a.example', 'b.example']
    """
    return list(iter_file(self, source, z=z, progress=progress, positions=positions))


def iter_file(
    self: Finder,
    source: Source,
    *,
    z: bool = False,
    progress: Progress | None = None,
    positions: bool = False,
) -> Iterator[Link]:
    """Returns an iterator over the links of a file, with offsets in bytes. The file is a path, or a
    file object in binary mode. Memory does not grow with it.

    The file is opened as the command `iriscan` does it. Its name says what it is: HTML, JSON and all
    other formats, mail (`.eml`, `.mbox`, a Maildir), or a web archive (`.warc`, `.warc.gz`); any other file
    is text. Of a file object without a name, the first bytes say it. A finder that was made with `format=`
    reads every file in that format, also `format="text"`.

    With `z=True` gzip, bzip2, xz and zstd are decompressed, by their first bytes, and offsets count what is
    inside; and the members of zip containers (docx, odt, epub) are read by their own names. Links of mail
    have the properties of `find_mail`; links of a container have `member`, and of a web archive `record`
    and `offset`. What cannot be read of an archive or a container is a UserWarning; damage that ends the
    file is an OSError after the links before it.

    `progress` is called as the file is read, with the number of bytes so far and the size of the
    file, or None if that is not known. `positions` is that of `find`; in mail, links have `line` only.

    >>> import io
    >>> file = io.BytesIO(b"one\\nhttp://a.example/")
    >>> link = next(Finder().iter_file(file, progress=print, positions=True))
    21 21
    >>> link.start, link.line, link.column
    (4, 2, 1)
    >>> page = io.BytesIO(b"<!doctype html><a href='/x&amp;y'>")
    >>> [link.iri for link in Finder().iter_file(page)]
    ['/x&y']
    """
    _refuse_text(source, "rb")
    return _links(self, source, z, progress, positions)


def _links(
    finder: Finder, source: Source, z: bool, progress: Progress | None, positions: bool
) -> Iterator[Link]:
    read = 0
    with _opening(source) as (name, reader, size):
        seekable = reader if z and _is_seekable(reader) else None
        chunks = None if reader is None else _Chunks(reader)
        file = finder._find_in_file(name, chunks, seekable, z, positions)
        while (links := file.step()) is not None:
            _warn(file.warnings())
            if progress is not None and file.read > read:
                read = file.read
                progress(read, size)
            yield from links


def _is_seekable(reader: object) -> bool:
    """True if a container could be read from it."""
    seekable = getattr(reader, "seekable", None)
    return callable(seekable) and bool(seekable())


def _warn(messages: list[str]) -> None:
    for message in messages:
        # Names in archives and containers may be anything, and a terminal would obey controls.
        shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
        warnings.warn(shown, UserWarning, stacklevel=2)


def _size(reader: _Reader) -> int | None:
    """The bytes that a reader has; None if nobody knows."""
    if isinstance(reader, io.BytesIO):
        return reader.getbuffer().nbytes
    try:
        status = os.fstat(reader.fileno())  # type: ignore[attr-defined]
    except (AttributeError, OSError):
        return None
    # What a decompressor reads is not what its file has.
    is_own = isinstance(reader, (io.BufferedReader, io.FileIO)) and stat.S_ISREG(status.st_mode)
    return status.st_size if is_own else None


def rewrite_file(self: Finder, source: Source, target: Target, *, z: bool = False) -> Rewritten:
    """Copies `source` to `target` with each link that is not ASCII replaced by its URI form.
    Each is a path or a file object in binary mode. Memory does not grow with the file, unless it is a
    zip container. Returns a Rewritten, which counts the links.

    The source is opened as `iter_file` says: mail is rewritten message by message, as `rewrite_mail`
    does it, and with `z=True` what was compressed is compressed again. Of a zip container (docx, odt,
    epub), with `z=True`, the members that change are written anew, and all others keep their bytes, times
    and order; a signed one is copied as it is, with a UserWarning. A web archive is a ValueError, because
    it cannot be rewritten; so are, without `z=True`, a zip container, and a compressed file in its own place.

    A target path is replaced at the end and in one step, also if it is the source: an error
    or KeyboardInterrupt leaves it as it was, and so does a source in which nothing changes. A file object is
    written to directly.

    >>> import io
    >>> source, target = io.BytesIO("http://bücher.example/".encode()), io.BytesIO()
    >>> Finder().rewrite_file(source, target)
    Rewritten(links=1, changed=1, unconvertible=0, charset='UTF-8', lost=0, early=0)
    >>> target.getvalue()
    b'http://xn--bcher-kva.example/'
    """
    _refuse_text(source, "rb")
    _refuse_text(target, "wb")
    is_one_file = _is_one_file(source, target)
    with _opening(source) as (name, reader, _):
        chunks = None if reader is None else _Chunks(reader)
        seekable = reader if z and _is_seekable(reader) else None
        file = self._rewrite_file(name, chunks, seekable, z, is_one_file)
        with writing(target, keep=lambda: is_one_file and file.counts()[1] == 0) as writer:
            _warn(file.warnings())
            while (data := file.step()) is not None:
                _warn(file.warnings())
                _write(writer, data)
    return Rewritten(*file.counts())


def _is_one_file(source: Source, target: Target) -> bool:
    if not isinstance(source, (str, os.PathLike)) or not isinstance(target, (str, os.PathLike)):
        return False
    try:
        return os.path.samefile(source, target)
    except OSError:
        return False


def _refuse_text(file: object, mode: str) -> None:
    if isinstance(file, io.TextIOBase):
        name = type(file).__name__
        raise TypeError(f"{name}: a file in text mode; open it in binary mode, with {mode!r}")


def _chunks(reader: _Reader) -> Iterator[Buffer]:
    """What the reader reads, up to its end: a chunk without bytes. Everything else that is false in
    Python, such as None and "", is an error, because a part of the source would be left out."""
    while True:
        chunk = reader.read(_CHUNK)
        if chunk is None:
            raise BlockingIOError(
                errno.EAGAIN, "the source has no bytes yet; give one that waits for them"
            )
        try:
            with memoryview(chunk) as view:
                size = view.nbytes
        except TypeError:
            raise TypeError(
                f"the source reads {type(chunk).__name__}, not bytes; open it in binary mode, with 'rb'"
            ) from None
        if size == 0:
            return
        yield chunk


class _Chunks:
    """Reads a reader for the native module, which calls `read()` and copies what it returns."""

    def __init__(self, reader: _Reader) -> None:
        self._chunks = _chunks(reader)

    def read(self) -> Buffer:
        return next(self._chunks, b"")


@contextlib.contextmanager
def _opening(source: Source) -> Iterator[tuple[str | None, _Reader | None, int | None]]:
    """The name of a source, its reader, and its size if that is known. A regular file has no reader,
    because the native module opens it."""
    if not isinstance(source, (str, os.PathLike)):
        yield _name(source), source, _size(source)
        return
    path = os.fsdecode(source)
    status = os.stat(path)
    if stat.S_ISREG(status.st_mode):
        yield path, None, status.st_size
        return
    # Waiting for a pipe can be interrupted here.
    with open(path, "rb") as file:
        yield path, file, None


def _name(reader: _Reader) -> str | None:
    """The name of the file that a file object reads, if it has one."""
    name = getattr(reader, "name", None)
    if not isinstance(name, (str, bytes)) or not name:
        return None
    name = os.fsdecode(name)
    # Such as <stdin>.
    if name.startswith("<"):
        return None
    # A decompressor has the name of its file.
    is_file = isinstance(reader, (io.BufferedReader, io.BufferedRandom))
    return name if is_file or not isinstance(reader, io.BufferedIOBase) else _inner_name(name)


@contextlib.contextmanager
def writing(target: Target, keep: Callable[[], bool] = lambda: False) -> Iterator[_Writer]:
    """A writer of the target. If `keep` says so at the end, a path stays as it was."""
    if not isinstance(target, (str, os.PathLike)):
        yield target
        return
    # A link stays, and the file that it names is replaced.
    path = os.path.realpath(target)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        # A device or a pipe cannot be replaced.
        with open(path, "wb") as device:
            yield device
        return
    file, temporary = _temporary(path)
    try:
        with file:
            yield file
        if keep():
            os.unlink(temporary)
            return
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:
        # KeyboardInterrupt too.
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _temporary(path: str) -> tuple[IO[bytes], str]:
    """A new file in the folder of `path`, and its path. Its permissions are those of any new file,
    which `tempfile` would not give."""
    folder, name = os.path.split(path)
    while True:
        temporary = os.path.join(folder, f".{name[:200]}.{secrets.token_hex(4)}.tmp")
        with contextlib.suppress(FileExistsError):
            return open(temporary, "xb"), temporary


def _write(writer: _Writer, data: bytes) -> None:
    """Writes all of `data`, also to a raw file, which may take only a part at once."""
    rest = memoryview(data)
    while rest:
        written = writer.write(rest)
        # Raw files return None if they have written nothing; other writers, if they are done.
        if isinstance(writer, io.RawIOBase) and written is None:
            written = 0
        if not isinstance(written, int):
            return
        if written <= 0:
            raise BlockingIOError(
                errno.EAGAIN, "the target takes no more bytes; give one that waits for its reader"
            )
        rest = rest[written:]
