"""The links of an input on one machine, without Spark: what a job must find too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._inputs import listed, open_file
from ._links import FindLinks, Source
from ._missing import wanted

if TYPE_CHECKING:
    import argparse

    import pyarrow as pa

_ROWS = 4096


def links(
    arguments: argparse.Namespace, options: dict[str, Any], charset: str | None, format: str | None
) -> Iterator[dict[str, Any]]:
    """One dict for each link and each error. `arguments` are those of the command."""
    wanted("pyarrow", "fsspec")
    if arguments.input_format == "warc":
        wanted("fastwarc")
        yield from _in_warc(arguments, options, charset, format)
        return
    read = {"parquet": _parquet, "jsonl": _json_lines, "text": _lines}[arguments.input_format]
    for path, name, _ in listed([arguments.input]):
        for is_string, texts in read(path, arguments.column):
            words = {"charset": charset, "format": format or "text"}
            source = Source("text", is_string, words, {}, options)
            for batch in FindLinks(source, {}, {}, arguments.max_bytes)(iter([texts])):
                yield from ({"file": name, **row} for row in batch.to_pylist())


def _in_warc(
    arguments: argparse.Namespace, options: dict[str, Any], charset: str | None, format: str | None
) -> Iterator[dict[str, Any]]:
    import pyarrow as pa

    from ._warc import FindInWarc

    mapper = FindInWarc(options, charset, format, arguments.max_bytes)
    for path, name, _ in listed([arguments.input]):
        whole = {"path": path, "name": name, "start": 0, "end": 1 << 62}
        for batch in mapper(iter([pa.RecordBatch.from_pylist([whole])])):
            yield from batch.to_pylist()


def _parquet(path: str, column: str) -> Iterator[tuple[bool, pa.RecordBatch]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with open_file(path) as file, pq.ParquetFile(file) as parquet:
        if column not in parquet.schema_arrow.names:
            raise ValueError(f"{path}: there is no column {column!r}")
        for batch in parquet.iter_batches(_ROWS, columns=[column]):
            texts = batch.column(column)
            is_string = pa.types.is_string(texts.type) or pa.types.is_large_string(texts.type)
            yield is_string, pa.RecordBatch.from_arrays([texts], ["text"])


def _json_lines(path: str, column: str) -> Iterator[tuple[bool, pa.RecordBatch]]:
    import pyarrow as pa

    for lines in _some_lines(path):
        values = [json.loads(line).get(column) for line in lines if line.strip()]
        texts = [value if isinstance(value, str) else None for value in values]
        yield True, pa.RecordBatch.from_pydict({"text": pa.array(texts, pa.string())})


def _lines(path: str, _column: str) -> Iterator[tuple[bool, pa.RecordBatch]]:
    import pyarrow as pa

    for lines in _some_lines(path):
        texts = [line.removesuffix(b"\n") for line in lines]
        yield False, pa.RecordBatch.from_pydict({"text": pa.array(texts, pa.binary())})


def _some_lines(path: str) -> Iterator[list[bytes]]:
    with open_file(path) as file:
        while lines := file.readlines(1 << 20):
            yield lines
