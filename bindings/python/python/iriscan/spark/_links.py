"""What a worker does with batches of Arrow: finds or rewrites the links of a column.

Nothing here imports pyspark. The mappers are pickled and sent to the workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import iriscan

from .._iriscan import _is_charset

if TYPE_CHECKING:
    import pyarrow as pa

#: The longest text that is searched whole, in bytes.
MAX_BYTES = 64 << 20

# The text of a result is at most about this long, so that memory does not grow with a batch.
_PIECE = 8 << 20

# A text that is too long is cut after white space that is at most this far from the limit, so that
# no link is cut.
_LOOK_BACK = 64 << 10


def finder(options: dict[str, Any], charset: str | None, format: str | None) -> iriscan.Finder:
    """The finder for this charset and format. Mail has no format of its own."""
    format = "text" if format is None or format == "mail" else format
    return iriscan.Finder(**{**options, "charset": charset, "format": format})


@dataclass
class Source:
    """A column of texts, and how they are read."""

    text: str
    # Strings are UTF-8 whatever the options say.
    is_string: bool
    # The charset and the format of all rows ...
    words: dict[str, str | None]
    # ... or the names of the columns that have those of each row.
    of_rows: dict[str, str]
    options: dict[str, Any]
    _finders: dict[tuple[str | None, str | None], iriscan.Finder | str] = field(default_factory=dict)

    def finder(self, charset: str | None, format: str | None) -> iriscan.Finder | str:
        """The finder for this charset and format, or what is wrong with the format."""
        known = self._finders.get((charset, format))
        if known is None:
            try:
                known = finder(self.options, charset, format)
            except iriscan.ConfigError as e:
                known = str(e)
            self._finders[charset, format] = known
        return known

    def texts(self, batch: pa.RecordBatch) -> pa.Array:
        """The texts as bytes, because Spark does not check that its strings are UTF-8."""
        import pyarrow as pa

        texts = batch.column(self.text)
        if pa.types.is_string(texts.type):
            return texts.view(pa.binary())
        if pa.types.is_large_string(texts.type):
            return texts.view(pa.large_binary())
        return texts

    def groups(
        self, batch: pa.RecordBatch
    ) -> list[tuple[str | None, str | None, list[int] | None]]:
        """The charsets and formats of a batch, each with its rows; None for all rows."""
        lists = {name: batch.column(c).to_pylist() for name, c in self.of_rows.items()}
        utf8 = "utf-8" if self.is_string else None
        if not lists:
            return [(utf8 or self.words["charset"], self.words["format"], None)]
        charsets = lists.get("charset") or [self.words.get("charset")] * len(batch)
        formats = lists.get("format") or [self.words.get("format")] * len(batch)
        groups: dict[tuple[str | None, str | None], list[int]] = {}
        for row, (charset, format) in enumerate(zip(charsets, formats, strict=True)):
            if charset is not None and not _is_charset(charset):
                charset = None
            groups.setdefault((utf8 or charset, format), []).append(row)
        return [(*key, rows) for key, rows in groups.items()]


def _pieces(batch: pa.RecordBatch, texts: pa.Array) -> Iterator[tuple[int, int]]:
    """The rows of a batch in pieces of about `_PIECE` bytes of text: first row, number of rows."""
    import pyarrow.compute as pc

    lengths = pc.fill_null(pc.binary_length(texts), 0).to_numpy(zero_copy_only=False)
    start = size = 0
    for row, length in enumerate(lengths.tolist()):
        size += length
        if size >= _PIECE:
            yield start, row + 1 - start
            start, size = row + 1, 0
    if start < len(batch):
        yield start, len(batch) - start


def arrow_schema(types: dict[str, str]) -> pa.Schema:
    """The schema of Arrow for columns of these types of Spark."""
    import pyarrow as pa

    known = {
        "long": pa.int64(),
        "int": pa.int32(),
        "string": pa.string(),
        "binary": pa.binary(),
        "boolean": pa.bool_(),
        "array<string>": pa.list_(pa.string()),
    }
    return pa.schema({name: known[type] for name, type in types.items()})


def spark_schema(types: dict[str, str]) -> str:
    """The same as Spark writes it."""
    return ", ".join(f"{name} {type}" for name, type in types.items())


def link_types(extra: tuple[str, ...]) -> dict[str, str]:
    """The columns of the links with these fields beside the usual ones, and their types."""
    types = dict(FindLinks.SPARK_TYPES)
    row = {name: types.pop(name) for name in ("error", "truncated")}
    return {**types, **dict.fromkeys(extra, "string"), **row}


def check_extra(extra: tuple[str, ...]) -> None:
    """Raises `iriscan.ConfigError` if one of these is no field of a link."""
    import pyarrow as pa

    names: Any = extra
    iriscan.Finder().find_array(pa.array([], pa.string()), extra=names)


class FindLinks:
    """Batches of texts in, batches of links out."""

    SPARK_TYPES = {
        "start": "long",
        "end": "long",
        "kind": "string",
        "scheme": "string",
        "host": "string",
        "iri": "string",
        "uri": "string",
        "warnings": "array<string>",
        "error": "string",
        "truncated": "boolean",
    }
    #: Columns of the input that are merged into those of the result.
    CARRIED = frozenset([("error", "string"), ("truncated", "boolean")])

    def __init__(
        self,
        source: Source,
        keep: dict[str, str],
        carried: dict[str, str],
        max_bytes: int,
        extra: tuple[str, ...] = (),
    ) -> None:
        """`keep`: the columns to keep, and their names in the result. `carried`: those whose
        values are merged into the columns `error` and `truncated` of the result. `extra`: the fields
        of a link beside the usual ones."""
        self.source = source
        self.keep = keep
        self.carried = carried
        self.max_bytes = max_bytes
        self.extra = extra

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for start, rows in _pieces(batch, self.source.texts(batch)):
                found = self._find(batch.slice(start, rows))
                if len(found) > 0:
                    yield found

    def _find(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        texts, cut = self._cut(self.source.texts(batch))
        parts = []
        problems = dict(cut)
        for charset, format, rows in self.source.groups(batch):
            finder = self.source.finder(charset, format)
            if isinstance(finder, str):
                for row in range(len(batch)) if rows is None else rows:
                    if texts[row].is_valid:
                        problems[row] = finder
                continue
            some = texts if rows is None else texts.take(pa.array(rows, pa.int64()))
            links, parents = _links(finder, some, format, self.extra)
            if rows is not None:
                parents = np.asarray(rows, np.int64)[parents]
            parts.append((parents, links))
        if "error" in self.carried:
            for row, error in enumerate(batch.column(self.carried["error"]).to_pylist()):
                if error is not None:
                    problems[row] = error
        if problems:
            # A row for each problem, after the links of its row.
            parts.append((np.asarray(list(problems), np.int64), _problems(list(problems.values()), self.extra)))
        parents = np.concatenate([part[0] for part in parts]) if parts else np.zeros(0, np.int64)
        table = pa.concat_batches([part[1] for part in parts]) if parts else _problems([], self.extra)
        if len(parts) > 1:
            order = np.argsort(parents, kind="stable")
            parents, table = parents[order], table.take(pa.array(order))
        rows_taken = pa.array(parents, pa.int64())
        truncated: Any = np.zeros(len(batch), bool)
        truncated[list(cut)] = True
        if "truncated" in self.carried:
            before = pc.fill_null(batch.column(self.carried["truncated"]), False)
            truncated |= before.to_numpy(zero_copy_only=False)
        columns = [batch.column(name).take(rows_taken) for name in self.keep]
        columns += table.columns
        columns.append(pa.array(truncated[parents]))
        return pa.RecordBatch.from_arrays(columns, names=[*self.keep.values(), *link_types(self.extra)])

    def _cut(self, texts: pa.Array) -> tuple[pa.Array, dict[int, str]]:
        """The texts, none above the limit, and what to say of those that were cut, by row."""
        import pyarrow as pa
        import pyarrow.compute as pc

        long = pc.fill_null(pc.greater(pc.binary_length(texts), self.max_bytes), False)
        if not pc.any(long).as_py():
            return texts, {}
        values, cut = texts.to_pylist(), {}
        for row, value in enumerate(values):
            if value is not None and len(value) > self.max_bytes:
                values[row] = shortened(value, self.max_bytes)
                cut[row] = (
                    f"longer than {self.max_bytes} bytes; the first {len(values[row])} were searched"
                )
        return pa.array(values, texts.type), cut


def shortened(text: bytes, limit: int) -> bytes:
    """The first bytes of a text that is longer than `limit`, up to white space if some is near."""
    first = text[:limit]
    space = max(first.rfind(byte, max(0, limit - _LOOK_BACK)) for byte in (b" ", b"\n", b"\t"))
    # A character of UTF-32 has four bytes.
    return first[: space - space % 4] if space >= 4 else first


def _links(
    finder: iriscan.Finder, texts: pa.Array, format: str | None, extra: tuple[str, ...]
) -> tuple[pa.RecordBatch, Any]:
    """The links of all texts, and the row of each as an array of numpy."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if format == "mail":
        return _mail_links(finder, texts, extra)
    names: Any = extra
    lists = pa.array(finder.find_array(texts, extra=names))
    links = pc.list_flatten(lists)
    parents = pc.list_parent_indices(lists).to_numpy()
    column = dict(zip([f.name for f in links.type], links.flatten(), strict=True))
    errors = pa.nulls(len(links), pa.string())
    lost = pc.indices_nonzero(pc.is_null(column["uri"])).to_pylist()
    if lost:
        why: list[str | None] = [None] * len(links)
        for at in lost:
            text = texts[int(parents[at])].as_py()
            link = finder.find_at(text, column["start"][at].as_py())
            why[at] = None if link is None else link.error
        errors = pa.array(why, pa.string())
    column["error"] = errors
    schema = _link_schema(extra)
    return _batch([column[field.name] for field in schema], schema), parents


def _mail_links(
    finder: iriscan.Finder, texts: pa.Array, extra: tuple[str, ...]
) -> tuple[pa.RecordBatch, Any]:
    import numpy as np
    import pyarrow as pa

    rows, links = [], []
    for row, message in enumerate(texts):
        if message.is_valid:
            found = finder.find_mail(message.as_py())
            links += found
            rows += [row] * len(found)
    schema = _link_schema(extra)
    columns = [pa.array([getattr(link, f.name) for link in links], f.type) for f in schema]
    return _batch(columns, schema), np.asarray(rows, np.int64)


def _link_schema(extra: tuple[str, ...]) -> pa.Schema:
    """The columns that a link has of itself: all but `truncated`, which is of the row."""
    types = link_types(extra)
    return arrow_schema({name: type for name, type in types.items() if name != "truncated"})


def _batch(columns: list[pa.Array], schema: pa.Schema) -> pa.RecordBatch:
    """These columns with the types that Spark wants."""
    import pyarrow as pa

    cast = [column.cast(field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(cast, schema=schema)


def _problems(errors: list[str], extra: tuple[str, ...]) -> pa.RecordBatch:
    """A row without a link for each error."""
    import pyarrow as pa

    schema = _link_schema(extra)
    nulls = [pa.nulls(len(errors), field.type) for field in list(schema)[:-1]]
    return _batch([*nulls, pa.array(errors, pa.string())], schema)


class RewriteLinks:
    """Batches of rows in, the same with the links of a column rewritten out."""

    def __init__(self, source: Source, names: list[str]) -> None:
        """`names`: those of the columns of the result."""
        self.source = source
        self.names = names

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for start, rows in _pieces(batch, self.source.texts(batch)):
                yield self._rewrite(batch.slice(start, rows))

    def _rewrite(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        import numpy as np
        import pyarrow as pa

        texts = self.source.texts(batch)
        parts: list[pa.Array] = []
        order: list[int] = []
        for charset, format, rows in self.source.groups(batch):
            some = texts if rows is None else texts.take(pa.array(rows, pa.int64()))
            finder = self.source.finder(charset, format)
            if isinstance(finder, str):
                parts.append(some)
            elif format == "mail":
                new = [None if m is None else finder.rewrite_mail(m) for m in some.to_pylist()]
                parts.append(pa.array(new, some.type))
            else:
                parts.append(pa.array(finder.rewrite_array(some)).cast(some.type))
            order += range(len(batch)) if rows is None else rows
        new = pa.concat_arrays(parts) if parts else texts
        if len(parts) > 1:
            new = new.take(pa.array(np.argsort(np.asarray(order, np.int64))))
        columns = batch.columns[: len(self.names)]
        at = batch.schema.get_field_index(self.source.text)
        columns[at] = new.view(columns[at].type)
        return pa.RecordBatch.from_arrays(columns, names=self.names)
