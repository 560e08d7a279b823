"""`python -m iriscan find|rewrite|convert`: the package on the command line.

The options have the names and words of the command `iriscan`, which can do more and is faster.
"""

from __future__ import annotations

import argparse
import bz2
import contextlib
import gzip
import json
import lzma
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, cast

import iriscan

from ._arguments import add_finder_options, finder_options
from ._files import writing
from ._iriscan import _format_of, _inner_name, _leiri_to_iri, _trim

_CHUNK = 256 * 1024


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. Returns its exit status."""
    options = _parser().parse_args(arguments)
    # Results are UTF-8 with LF whatever the locale is.
    out = sys.stdout.buffer
    try:
        status: int = options.run(options, out)
        out.flush()
    except iriscan.ConfigError as e:
        _say(str(e))
        return 2
    except BrokenPipeError:
        # The reader has enough. Python would complain when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m iriscan", description="Finds links, rewrites them to URIs, converts them."
    )
    parser.add_argument("--version", action="version", version=iriscan.__version__)
    commands = parser.add_subparsers(required=True, metavar="find|rewrite|convert")

    find = commands.add_parser("find", help="print the links of files")
    _add_inputs(find)
    find.add_argument("--json", action="store_true", help="print a record for each link")
    find.add_argument("--nested", action="store_true", help="also links in the queries of links")
    find.add_argument("--iri", action="store_true", help="print IRIs instead of URIs")
    find.add_argument(
        "-z", "--decompress", action="store_true", help="decompress gzip, bzip2 and xz"
    )
    find.set_defaults(run=_find)

    rewrite = commands.add_parser("rewrite", help="replace links by their URI form")
    _add_inputs(rewrite)
    rewrite.add_argument(
        "-i", "--in-place", action="store_true", help="change the files instead of printing them"
    )
    rewrite.add_argument("--to", default="uri", help="uri, iri")
    rewrite.add_argument("--replace", metavar="TEMPLATE", help="other text for each link")
    rewrite.add_argument("--defang", action="store_true", help="hxxp[:]//host[.]example/")
    parts: dict[str, Any] = {"action": "append", "default": []}
    rewrite.add_argument("--set", **parts, metavar="PART=VALUE", help="host=new.example, scheme=https, port=")
    rewrite.add_argument("--path-prefix", **parts, nargs=2, metavar=("OLD", "NEW"), help="/blog /news")
    rewrite.add_argument("--drop-query", **parts, metavar="GLOB", help="parameters to leave out: utm_*")
    rewrite.add_argument("--identifiers", action="store_true", help="identifiers of RDF and keys of PO too")
    rewrite.add_argument("--even-signed", action="store_true", help="signed messages too")
    rewrite.set_defaults(run=_rewrite)

    convert = commands.add_parser("convert", help="convert references, one per line")
    convert.add_argument("references", nargs="*", metavar="REFERENCE")
    convert.add_argument("--from", dest="form", default="iri", choices=["iri", "uri", "leiri"])
    convert.add_argument("--to", default="uri", choices=["uri", "iri", "normal", "text"])
    convert.add_argument("--base", help="resolve against this reference first")
    convert.add_argument("--host", choices=["punycode", "percent", "keep", "unicode"])
    convert.add_argument("--nfc", default="auto", help="auto, always, never")
    convert.add_argument("--disallowed", default="encode", help="encode, keep, fail")
    convert.add_argument("--level", default="syntax", help="case, percent, path, syntax, scheme, idn")
    convert.add_argument("--private", default="keep", help="keep, decode")
    convert.add_argument("--inadvisable", default="keep", help="keep, all, decode")
    convert.add_argument("--escapes", metavar="LABEL")
    convert.add_argument("--exact", action="store_true", help="keep white space at both ends")
    convert.set_defaults(run=_convert)
    return parser


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="none, or -: standard input")
    add_finder_options(parser)


def _format(options: argparse.Namespace, path: str) -> str:
    """The format of a file: the one that is given, or the one of its name."""
    if options.format != "auto":
        return str(options.format)
    name = _inner_name(path) if getattr(options, "decompress", False) else path
    return _format_of(Path(name).suffix[1:]) or "text"


def _finder(options: argparse.Namespace, format: str) -> iriscan.Finder:
    words = finder_options(options)
    words["identifiers"] = getattr(options, "identifiers", False)
    words["nested"] = getattr(options, "nested", False)
    words["to"] = getattr(options, "to", "uri")
    words["template"] = getattr(options, "replace", None)
    words["defang"] = getattr(options, "defang", False)
    words["set"] = getattr(options, "set", [])
    words["path_prefix"] = [path for pair in getattr(options, "path_prefix", []) for path in pair]
    words["drop_query"] = getattr(options, "drop_query", [])
    words["elements"] = getattr(options, "json", False)
    words["charset"] = options.charset
    words["format"] = "text" if format == "mail" else format
    return iriscan.Finder(**words)


def _find(options: argparse.Namespace, out: BinaryIO) -> int:
    found = trouble = False
    paths = options.paths or ["-"]
    for path in paths:
        format = _format(options, path)
        finder = _finder(options, format)
        try:
            with _open(path) as raw, _unpacked(raw, options.decompress) as file:
                _refuse_archive(options, file, "use `iriscan find`, which reads its records")
                for link in _links(finder, format, file):
                    found = True
                    if options.json:
                        line = json.dumps(_record(path, link), ensure_ascii=False)
                    else:
                        text = link.iri if options.iri or link.uri is None else link.uri
                        line = text if len(paths) == 1 else f"{path}:{text}"
                    out.write(f"{line}\n".encode())
        except BrokenPipeError:
            raise
        except _Refused as e:
            trouble = True
            _say(f"{path}: {e}")
        except _DAMAGE as e:
            trouble = True
            _say(f"{path}: cut short or damaged ({e}); what could be read was used")
        except OSError as e:
            trouble = True
            # bz2 says so that a file is damaged.
            if e.errno is None:
                _say(f"{path}: cut short or damaged ({e}); what could be read was used")
            else:
                _say(f"{path}: {e.strerror or e}; check the path and its permissions")
    return 2 if trouble else 0 if found else 1


def _links(finder: iriscan.Finder, format: str, file: BinaryIO) -> Iterable[iriscan.Link]:
    if format == "mail":
        return finder.find_mail(file.read())
    return _streamed(finder, file)


def _streamed(finder: iriscan.Finder, file: BinaryIO) -> Iterator[iriscan.Link]:
    scanner = finder.scanner(texts=False)
    while chunk := _read(file):
        yield from cast("list[iriscan.Link]", scanner.push(chunk))
    yield from cast("list[iriscan.Link]", scanner.finish())


def _record(path: str, link: iriscan.Link) -> dict[str, object]:
    record: dict[str, object] = {"path": path, "start": link.start, "end": link.end}
    for name in ("text", "iri", "uri", "open", "kind", "scheme", "host", "display", "charset"):
        record[name] = getattr(link, name)
    record["warnings"] = list(link.warnings)
    # These are there only if they say something.
    others = {
        "error": link.error,
        "element": link.element,
        "attribute": link.attribute,
        "anchor": link.anchor,
        "part": link.part,
        "header": link.field,
        "line": link.line,
        "message_id": link.message_id,
        "subject": link.subject,
        "from": link.from_,
        "date": link.date,
    }
    record.update((name, value) for name, value in others.items() if value is not None)
    return record


def _rewrite(options: argparse.Namespace, out: BinaryIO) -> int:
    status = 0
    for path in options.paths or ["-"]:
        format = _format(options, path)
        finder = _finder(options, format)
        try:
            if options.in_place and path != "-":
                with _open(path) as raw, _unpacked(raw, None) as file:
                    _refuse_archive(options, file, "its lengths and digests would be wrong")
                _rewrite_in_place(finder, format, path, options.even_signed)
                continue
            with _open(path) as raw, _unpacked(raw, None) as file:
                _refuse_archive(options, file, "its lengths and digests would be wrong")
                if format == "mail":
                    out.write(finder.rewrite_mail(file.read(), even_signed=options.even_signed))
                    continue
                rewriter = finder.rewriter()
                while chunk := _read(file):
                    out.write(rewriter.push(chunk))
                    # What is settled is written before waiting for more.
                    out.flush()
                out.write(rewriter.finish())
        except BrokenPipeError:
            raise
        except _Refused as e:
            status = 2
            _say(f"{path}: {e}")
        except OSError as e:
            status = 2
            _say(f"{path}: {e.strerror or e}; check the path and its permissions")
    return status


def _rewrite_in_place(
    finder: iriscan.Finder, format: str, path: str, even_signed: bool
) -> None:
    if format != "mail":
        try:
            finder.rewrite_file(path, path)
        except ValueError as e:
            why = str(e).removeprefix(f"{path}: ").partition("; ")[0]
            raise _Refused(f"{why}; use `iriscan rewrite -z`") from None
        return
    message = Path(path).read_bytes()
    written = finder.rewrite_mail(message, even_signed=even_signed)
    # The same object means that nothing changes.
    if written is not message:
        with writing(path) as writer:
            writer.write(memoryview(written))


def _convert(options: argparse.Namespace, out: BinaryIO) -> int:
    status = 0
    if options.references:
        lines: Iterable[tuple[str, bytes]] = (
            (f"reference {n}", os.fsencode(text)) for n, text in enumerate(options.references, 1)
        )
    else:
        lines = (
            (f"line {n}", line.removesuffix(b"\n").removesuffix(b"\r"))
            for n, line in enumerate(sys.stdin.buffer, 1)
        )
    for place, line in lines:
        try:
            converted = _converted(options, line.decode())
            if "\n" in converted:
                raise iriscan.UriError("the result holds a line end")
        except iriscan.ConfigError:
            raise
        except ValueError as e:
            # UriError, or bytes that are not UTF-8.
            status, converted = 2, ""
            _say(f"{place}: {e}")
        out.write(f"{converted}\n".encode())
    return status


def _converted(options: argparse.Namespace, text: str) -> str:
    if options.form == "leiri":
        text = _leiri_to_iri(text)
    elif not options.exact:
        text = _trim(text)
    if options.base is not None:
        text = iriscan.resolve(options.base, text)
    if options.to == "uri":
        return iriscan.to_uri(
            text,
            host=options.host or "punycode",
            nfc=options.nfc,
            disallowed=options.disallowed,
        )
    if options.to == "iri":
        if options.form != "uri":
            return text
        return iriscan.to_iri(
            text,
            host=options.host or "keep",
            private=options.private,
            inadvisable=options.inadvisable,
            escapes=options.escapes,
        )
    if options.to == "normal":
        return iriscan.normalize(text, level=options.level)
    return iriscan.to_text(text)


def _open(path: str) -> BufferedReader:
    if path != "-":
        return open(path, "rb")
    # Closing a duplicate leaves standard input open. If it does not block, it seems to end wherever there
    # is nothing to read yet.
    number = os.dup(0)
    with contextlib.suppress(AttributeError, OSError):
        os.set_blocking(number, True)
    return open(number, "rb")


class _Refused(Exception):
    """An input that is not read as it is; says what to do."""


_DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError)
_PACKED = {
    b"\x1f\x8b\x08": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}


def _packing(head: bytes) -> str | None:
    """How a file that begins so is compressed."""
    names = (name for start, name in _PACKED.items() if head.startswith(start))
    name = next(names, None)
    # After the level comes a block, or the end of the stream.
    is_block = head[4:10] in (b"1AY&SY", b"\x17rE8P\x90")
    return None if name == "bzip2" and not is_block else name


@contextlib.contextmanager
def _unpacked(file: BufferedReader, decompress: bool | None) -> Iterator[BinaryIO]:
    """The bytes of the file. One that is compressed is refused, unless it is to be decompressed; None:
    it cannot be, because it would have to be compressed again."""
    packing = _packing(file.peek(10)[:10])
    if packing is None:
        yield file
    elif decompress is None:
        raise _Refused(f"compressed ({packing}); decompress it first, or use `iriscan rewrite -z`")
    elif not decompress:
        raise _Refused(f"compressed ({packing}); add -z to decompress it")
    elif packing == "gzip":
        with gzip.GzipFile(fileobj=file) as inner:
            yield cast(BinaryIO, inner)
    elif packing == "bzip2":
        with bz2.BZ2File(file) as inner_bz2:
            yield cast(BinaryIO, inner_bz2)
    elif packing == "xz":
        with lzma.LZMAFile(file) as inner_xz:
            yield cast(BinaryIO, inner_xz)
    else:
        raise _Refused(f"compressed ({packing}); decompress it first, or use `iriscan find -z`")


def _refuse_archive(options: argparse.Namespace, file: BinaryIO, why: str) -> None:
    """Refuses a web archive, unless a format is given."""
    peek = cast(BufferedReader, file).peek
    if options.format == "auto" and peek(6)[:6] in (b"WARC/0", b"WARC/1"):
        raise _Refused(f"a web archive; {why}")


def _read(file: BinaryIO) -> bytes:
    """What is there, without waiting until a whole chunk is."""
    read = getattr(file, "read1", file.read)
    return bytes(read(_CHUNK))


def _say(message: str) -> None:
    print(f"iriscan: {message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
