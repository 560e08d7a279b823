"""Files: the methods of Finder that read and write them."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    # `collections.abc` has it from CPython 3.12 on.
    from typing_extensions import Buffer

    from ._iriscan import Finder, Link, Scanner

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
    """The charset in which the source was read."""
    lost: int = 0
    """Characters written as '?', because the charset has neither them nor has the format an escape."""
    early: int = 0
    """With to='iri': links written in UTF-8 before the charset was known."""


def find_file(
    self: Finder, source: Source, *, progress: Progress | None = None, positions: bool = False
) -> list[Link]:
    """Returns the links of a file as a list. What `iter_file` says is true of this too.

    >>> import io
    >>> [link.host for link in Finder().find_file(io.BytesIO(b"http://a.example/ http://b.example/"))]
    ['a.example', 'b.example']
    """
    return list(iter_file(self, source, progress=progress, positions=positions))


def iter_file(
    self: Finder, source: Source, *, progress: Progress | None = None, positions: bool = False
) -> Iterator[Link]:
    """Returns an iterator over the links of a file, with offsets in bytes. The file is a path, or a
    file object in binary mode. Memory does not grow with it.

    `progress` is called as the file is read, with the number of bytes so far and the size of the
    file, or None if that is not known. `positions` is that of `find`.

    >>> import io
    >>> file = io.BytesIO(b"one\\nhttp://a.example/")
    >>> link = next(Finder().iter_file(file, progress=print, positions=True))
    21 21
    >>> link.start, link.line, link.column
    (4, 2, 1)
    """
    _refuse_text(source, "rb")
    return _links(self.scanner(texts=False, positions=positions), source, progress)


def _links(scanner: Scanner, source: Source, progress: Progress | None) -> Iterator[Link]:
    read = 0
    with _reading(source) as reader:
        size = _size(reader)
        for chunk in _chunks(reader):
            # The scanner gives links only.
            links = cast("list[Link]", scanner.push(chunk))
            if progress is not None:
                read += memoryview(chunk).nbytes
                progress(read, size)
            yield from links
    yield from cast("list[Link]", scanner.finish())


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


def rewrite_file(self: Finder, source: Source, target: Target) -> Rewritten:
    """Copies `source` to `target` with each link that is not ASCII replaced by its URI form.
    Each is a path or a file object in binary mode. Memory does not grow with the file. Returns
    a Rewritten, which counts the links.

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
    rewriter = self.rewriter()
    is_one_file = _is_one_file(source, target)
    with (
        _reading(source) as reader,
        writing(target, keep=lambda: is_one_file and rewriter.changed == 0) as writer,
    ):
        for chunk in _chunks(reader):
            _write(writer, rewriter.push(chunk))
        _write(writer, rewriter.finish())
    return Rewritten(
        rewriter.links,
        rewriter.changed,
        rewriter.unconvertible,
        rewriter.charset,
        rewriter.lost,
        rewriter.early,
    )


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


@contextlib.contextmanager
def _reading(source: Source) -> Iterator[_Reader]:
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            yield file
    else:
        yield source


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
