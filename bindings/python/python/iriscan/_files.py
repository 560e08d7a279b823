"""Rewriting files: the part of Finder.rewrite_file that reads and writes."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    # `collections.abc` has it from CPython 3.12 on.
    from typing_extensions import Buffer

    from ._iriscan import Finder

_CHUNK = 256 * 1024


class _Reader(Protocol):
    def read(self, size: int, /) -> Buffer | None: ...


class _Writer(Protocol):
    def write(self, data: memoryview, /) -> object: ...


Source = str | os.PathLike[str] | _Reader
Target = str | os.PathLike[str] | _Writer


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


def rewrite_file(finder: Finder, source: Source, target: Target) -> Rewritten:
    """See Finder.rewrite_file."""
    with _reading(source) as reader, _writing(target) as writer:
        rewriter = finder.rewriter()
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
                f"the source reads {type(chunk).__name__}, not bytes; open the file with 'rb'"
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
def _writing(target: Target) -> Iterator[_Writer]:
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
