"""The functions of the package: the methods of a Finder, with its options as keyword arguments."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, Unpack, overload

from . import _files, _html
from ._iriscan import Finder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from typing_extensions import Buffer

    from ._files import Progress, Rewritten, Source, Target
    from ._html import Attributes
    from ._iriscan import (
        ArrowArray,
        ArrowStream,
        FindIter,
        Link,
        _Array,
        _Data,
        _Extra,
        _Kinds,
        _Lines,
        _Offsets,
        _Replacement,
        _Same,
        _SameBytes,
        _Stream,
        _TextField,
        _Words,
    )

    _F = TypeVar("_F", bound=Callable[..., object])


class Options(TypedDict, total=False):
    """The options of a Finder as types, for functions that pass them on:
    `def hosts(text: str, **options: typing.Unpack[iriscan.Options])`."""

    # generated: options
    kinds: _Kinds | None
    charset: str | None
    force_charset: bool
    format: Literal["text", "html", "xml", "json", "log", "turtle", "csv", "tsv", "markdown", "asciidoc", "css", "ical", "org", "latex", "rst", "po", "wikitext", "defanged", "bbcode", "source", "c", "python", "java", "man", "ipynb", "jsonld"]
    rules: Literal["prose", "uts58"]
    schemes: _Words | None
    to: Literal["uri", "iri"]
    host: Literal["punycode", "percent", "keep", "unicode"]
    query: Literal["document", "utf-8"] | None
    disallowed: Literal["encode", "keep", "fail"] | None
    nfc: Literal["auto", "always", "never"]
    max_len: int | None
    base: str | None
    fields: _Words | None
    delimiter: str | None
    ascii_only: bool
    identifiers: bool
    code: bool
    comments: bool
    nested: bool
    targets: bool
    elements: bool
    unwrap: bool
    template: str | None
    defang: bool
    refang: bool
    set: _Words | None
    path_prefix: _Words | None
    drop_query: _Words | None
    only_host: _Words | None
    not_host: _Words | None
    hosts_from: _Lines | None
    not_hosts_from: _Lines | None
    match: _Words | None
    not_match: _Words | None
    contains_from: _Lines | None
    changed: bool
    links_only: bool
    # end of options


# The methods that are written in Python.
for _method in (_files.find_file, _files.iter_file, _files.rewrite_file, _html.linkify):
    setattr(Finder, _method.__name__, _method)

_default = Finder()
# The types are part of the key, because a finder does not take 1 for True.
_kept = lru_cache(maxsize=64, typed=True)(Finder)


def _finder(options: Options) -> Finder:
    """The finder with these options, made once as far as they have values that can be kept."""
    if not options:
        return _default
    values: dict[str, Any] = {}
    for name, value in options.items():
        if name in ("hosts_from", "not_hosts_from", "contains_from"):
            # The file of a path may change, and a list may be long.
            return Finder(**options)
        if isinstance(value, (list, set, frozenset)):
            value = tuple(value)
        if type(value) not in (str, bool, int, tuple, type(None)):
            # An iterator gives its values once.
            return Finder(**options)
        values[name] = value
    try:
        return _kept(**values)
    except TypeError:
        # Finder says what is wrong; the cache would say that a list cannot be a key.
        pass
    return Finder(**options)


_OPTIONS = (Finder.__text_signature__ or "").removeprefix("(*, ").removesuffix(")")


def _documented(function: _F) -> _F:
    """Gives the function the documentation of the method, and the names of the options."""
    about = getattr(Finder, function.__name__).__doc__
    function.__doc__ = (
        f"{about}\n\n**options are those of a Finder, which is kept for the next call with the same ones; "
        f"help(iriscan.Finder) explains them: {_OPTIONS}."
    )
    return function


@_documented
def find(data: _Data, *, positions: bool = False, **options: Unpack[Options]) -> list[Link]:
    return _finder(options).find(data, positions=positions)


@_documented
def find_iter(data: _Data, *, positions: bool = False, **options: Unpack[Options]) -> FindIter:
    return _finder(options).find_iter(data, positions=positions)


@_documented
def find_at(data: _Data, offset: int, **options: Unpack[Options]) -> Link | None:
    return _finder(options).find_at(data, offset)


@_documented
def has_link(data: _Data, **options: Unpack[Options]) -> bool:
    return _finder(options).has_link(data)


@_documented
def explain(data: _Data, **options: Unpack[Options]) -> list[dict[str, Any]]:
    return _finder(options).explain(data)


@overload
def rewrite(data: _Same, **options: Unpack[Options]) -> _Same: ...
@overload
def rewrite(data: Buffer, **options: Unpack[Options]) -> Any: ...
@_documented
def rewrite(data: Any, **options: Unpack[Options]) -> Any:
    return _finder(options).rewrite(data)


@overload
def replace(data: _Same, function: _Replacement, **options: Unpack[Options]) -> _Same: ...
@overload
def replace(data: Buffer, function: _Replacement, **options: Unpack[Options]) -> Any: ...
@_documented
def replace(data: Any, function: _Replacement, **options: Unpack[Options]) -> Any:
    return _finder(options).replace(data, function)


@_documented
def linkify(
    text: str, *, attributes: Attributes | None = None, **options: Unpack[Options]
) -> str:
    options.setdefault("kinds", ("iri", "bare", "email"))
    return _finder(options).linkify(text, attributes=attributes)


@_documented
def find_file(
    source: Source,
    *,
    z: bool = False,
    progress: Progress | None = None,
    positions: bool = False,
    **options: Unpack[Options],
) -> list[Link]:
    return _finder(options).find_file(source, z=z, progress=progress, positions=positions)


@_documented
def iter_file(
    source: Source,
    *,
    z: bool = False,
    progress: Progress | None = None,
    positions: bool = False,
    **options: Unpack[Options],
) -> Iterator[Link]:
    return _finder(options).iter_file(source, z=z, progress=progress, positions=positions)


@_documented
def rewrite_file(
    source: Source, target: Target, *, z: bool = False, **options: Unpack[Options]
) -> Rewritten:
    return _finder(options).rewrite_file(source, target, z=z)


@_documented
def find_mail(
    message: Buffer, *, context: int | None = None, **options: Unpack[Options]
) -> list[Link]:
    return _finder(options).find_mail(message, context=context)


@_documented
def find_mbox(
    mbox: Buffer, *, context: int | None = None, **options: Unpack[Options]
) -> list[tuple[int, Link]]:
    return _finder(options).find_mbox(mbox, context=context)


@overload
def rewrite_mail(
    message: _SameBytes, *, even_signed: bool = False, **options: Unpack[Options]
) -> _SameBytes: ...
@overload
def rewrite_mail(
    message: Buffer, *, even_signed: bool = False, **options: Unpack[Options]
) -> Any: ...
@_documented
def rewrite_mail(
    message: Any, *, even_signed: bool = False, **options: Unpack[Options]
) -> Any:
    return _finder(options).rewrite_mail(message, even_signed=even_signed)


@overload
def rewrite_mbox(
    mbox: _SameBytes, *, even_signed: bool = False, **options: Unpack[Options]
) -> tuple[_SameBytes, list[int]]: ...
@overload
def rewrite_mbox(
    mbox: Buffer, *, even_signed: bool = False, **options: Unpack[Options]
) -> tuple[Any, list[int]]: ...
@_documented
def rewrite_mbox(
    mbox: Any, *, even_signed: bool = False, **options: Unpack[Options]
) -> tuple[Any, list[int]]:
    return _finder(options).rewrite_mbox(mbox, even_signed=even_signed)


@_documented
def find_array(
    column: _Array | _Stream,
    offsets: _Offsets = "bytes",
    *,
    extra: Sequence[_Extra] = (),
    **options: Unpack[Options],
) -> ArrowArray:
    return _finder(options).find_array(column, offsets, extra=extra)


@_documented
def find_table(
    column: _Array | _Stream,
    offsets: _Offsets = "bytes",
    *,
    extra: Sequence[_Extra] = (),
    **options: Unpack[Options],
) -> ArrowArray:
    return _finder(options).find_table(column, offsets, extra=extra)


@_documented
def find_stream(
    reader: _Stream,
    offsets: _Offsets = "bytes",
    *,
    extra: Sequence[_Extra] = (),
    **options: Unpack[Options],
) -> ArrowStream:
    return _finder(options).find_stream(reader, offsets, extra=extra)


@_documented
def rewrite_array(column: _Array | _Stream, **options: Unpack[Options]) -> ArrowArray:
    return _finder(options).rewrite_array(column)


@_documented
def uris_array(
    column: _Array | _Stream, *, field: _TextField = "uri", **options: Unpack[Options]
) -> ArrowArray:
    return _finder(options).uris_array(column, field=field)


@_documented
def first_array(
    column: _Array | _Stream, *, field: _TextField = "uri", **options: Unpack[Options]
) -> ArrowArray:
    return _finder(options).first_array(column, field=field)


@_documented
def count_array(column: _Array | _Stream, **options: Unpack[Options]) -> ArrowArray:
    return _finder(options).count_array(column)


@_documented
def has_link_array(column: _Array | _Stream, **options: Unpack[Options]) -> ArrowArray:
    return _finder(options).has_link_array(column)


@_documented
def replace_array(
    column: _Array | _Stream, template: str, /, **options: Unpack[Options]
) -> ArrowArray:
    return _finder(options).replace_array(column, template)
