"""Links in the columns of Spark DataFrames, and in web archives: for data that one machine is too
small for. Install `iriscan[spark]`.

    from iriscan import spark

    links = spark.find_links(df, "text", id="doc_id")
    clean = spark.rewrite_links(df, "text")
    pages = spark.read_warc(session, "crawl/*.warc.gz")
    links = spark.find_links(pages, "bytes", charset=col("charset"), format=col("format"))

Keyword arguments are the options of `iriscan.Finder`. `python -m iriscan.spark` is a job to submit.
docs/scale.md says what a run costs, what can fail, and how it starts again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._columns import Columns, numbered
from ._links import MAX_BYTES, FindLinks, RewriteLinks, Source, check_extra, finder, link_types, spark_schema
from ._missing import wanted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import StructField, StructType

__all__ = ["MAX_BYTES", "find_links", "read_warc", "rewrite_links"]


def find_links(
    df: DataFrame,
    text: str | Column,
    *,
    id: str | Column | Iterable[str | Column] | None = None,
    charset: str | Column | None = None,
    format: str | Column = "text",
    max_bytes: int = MAX_BYTES,
    extra: Iterable[str] = (),
    **options: Any,
) -> DataFrame:
    """The links in the column `text` of `df`, which has strings or bytes: one row a link.

    The columns are those of `id` (None: all but `text`), then

    - `start`, `end`: the bytes of the link in the row's text, half open; strings count as UTF-8
    - `kind`, `scheme`, `host`, `iri`, `uri`, `warnings`: as in `iriscan.Link`
    - those of `extra`, which names more fields of a link, as in `iriscan.Finder.find_array`: `text`,
      `open`, `absolute`, `display`, `host_key`, `domain`, `charset`, `element`, `attribute`, `anchor`
    - `error`: why `uri` is null; in a row that is no link, and so has neither `start` nor `kind`, why
      the text could not be searched whole. (A link in an encoded part of a mail has no `start`.)
    - `truncated`: the text was longer than `max_bytes`, and only its first bytes were searched

    `text` and `id` are names, which ignore case unless `spark.sql.caseSensitive` is true, or columns
    such as `col("text")` and `lower("text")`.

    `charset` and `format` are words of `iriscan.Finder` or columns with a word for each row. Strings
    are UTF-8 whatever `charset` is. In a column, null and labels that no charset has mean that the
    charset is detected; null means that the format is text; and `mail` is a format.
    Columns named `error` (string) and `truncated` (boolean), as `read_warc` has them, go on into the
    result.

    Raises `iriscan.ConfigError` for options that do not exist, and `ValueError` for columns that do
    not. No row makes the job fail.
    """
    if max_bytes < 1:
        raise ValueError(f"max_bytes: {max_bytes} is less than 1")
    columns, source, at = _source(df, text, charset, format, options)
    extra = tuple(dict.fromkeys(extra))
    check_extra(extra)
    types = link_types(extra)
    carried = _carried(columns)
    keep = _kept(columns, id, at, carried, types)
    schema = _schema([field for _, field in keep], types)
    names = {numbered(number): field.name for number, field in keep}
    mapper = FindLinks(source, names, carried, max_bytes, extra)
    needed = dict.fromkeys([*names, *carried.values(), source.text, *source.of_rows.values()])
    return columns.numbered().select(*needed).mapInArrow(mapper, schema)


def rewrite_links(
    df: DataFrame,
    text: str | Column,
    *,
    charset: str | Column | None = None,
    format: str | Column = "text",
    **options: Any,
) -> DataFrame:
    """`df` with the links in the column `text` replaced by their URI forms. All else stays: rows,
    nulls, the other columns and their order.

    The arguments and errors are those of `find_links`. A column such as `lower("body").alias("body")`
    takes the place of that of its name. A row stays as it is if its format does not exist.
    """
    columns, source, at = _source(df, text, charset, format, options)
    from pyspark.sql.types import StructType

    count = len(df.columns)
    # The place of the column in the result, and its type.
    place = at if at < count else columns.number("text", columns.fields[at].name)
    fields = columns.fields[:count]
    fields[place] = _field(fields[place], fields[place].name, columns.fields[at])
    order = [at if number == place else number for number in range(count)]
    needed = [numbered(number) for number in order]
    needed += [name for name in source.of_rows.values() if name not in needed]
    mapper = RewriteLinks(source, df.columns)
    return columns.numbered().select(*needed).mapInArrow(mapper, StructType(fields))


def read_warc(
    session: SparkSession,
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    split_bytes: int = 128 << 20,
    max_bytes: int = MAX_BYTES,
) -> DataFrame:
    """The texts in web archives: one row for each record with a text (HTML, XML, JSON, plain text …)
    that is of the type response, resource or conversion, as `iriscan find` reads them.

    `paths` are files, folders, patterns such as `crawl/*.warc.gz`, or URLs that fsspec can open. The
    executors must be able to read them. The columns are

    - `warc_file`: the path below the folder that was given, or below the folder of the pattern or file
    - `record_offset`: the byte of the file that the record's gzip member starts at, or the record
      itself if the file is not compressed
    - `record`: 0, or its number in a gzip member that has several
    - `url`, `charset`: as the record and the HTTP head declare them; `charset` is null if no charset
      has this label
    - `format`: the format for `find_links`, by media type, or by content where there is none
    - `bytes`: the text without its HTTP head, transfer coding and content coding
    - `truncated`: the text was longer than `max_bytes` and is cut
    - `error`: what is damaged or cannot be read; `bytes` is null, or has what could be read

    Files of gzip members, a record each, are cut into splits of `split_bytes`, one or more to a task.
    Other files are read by the task of their first split. Raises `FileNotFoundError` if there is no such file, and
    `ValueError` for a number below 1.
    """
    wanted("fastwarc", "fsspec")
    from ._warc import ReadWarc, tasks

    for name, value in (("split_bytes", split_bytes), ("max_bytes", max_bytes)):
        if value < 1:
            raise ValueError(f"{name}: {value} is less than 1")
    all = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    rows = tasks([os.fspath(path) for path in all], split_bytes)
    return _planned(session, rows).mapInArrow(ReadWarc(max_bytes), spark_schema(ReadWarc.SPARK_TYPES))


def _planned(session: SparkSession, tasks: list[list[tuple[str, str, int, int]]]) -> DataFrame:
    """The splits as rows, a partition for each task."""
    parallel = session.sparkContext.parallelize(tasks, max(1, len(tasks)))
    rows = parallel.flatMap(lambda splits: splits)
    return session.createDataFrame(rows, "path string, name string, start long, end long")


def _source(
    df: DataFrame,
    text: str | Column,
    charset: str | Column | None,
    format: str | Column,
    options: dict[str, Any],
) -> tuple[Columns, Source, int]:
    """The columns of `df` and those for the text, the charset and the format of each row where these
    are expressions; and the number of the text."""
    wanted("pyspark", "pyarrow")
    columns = Columns(df)
    at = columns.number("text", text)
    field = columns.fields[at]
    kind = field.dataType.typeName()
    if kind not in ("string", "binary", "varchar", "char"):
        raise ValueError(f"column {field.name!r}: {kind}; expected string or binary")
    words: dict[str, str | None] = {}
    of_rows: dict[str, str] = {}
    for name, value in (("charset", charset), ("format", format)):
        if value is None or isinstance(value, str):
            words[name] = value
        else:
            of_rows[name] = numbered(columns.add(name, value.cast("string")))
    # Wrong words are an error here, and not in a worker.
    finder(options, words.get("charset"), words.get("format", "text"))
    return columns, Source(numbered(at), kind != "binary", words, of_rows, options), at


def _carried(columns: Columns) -> dict[str, str]:
    """The columns that `FindLinks` merges into those of its result."""
    carried = {}
    for name, type in FindLinks.CARRIED:
        for number in columns.numbers(name):
            if columns.fields[number].dataType.simpleString() == type:
                carried[name] = numbered(number)
    return carried


def _kept(
    columns: Columns,
    id: str | Column | Iterable[str | Column] | None,
    text: int,
    carried: dict[str, str],
    types: Iterable[str],
) -> list[tuple[int, StructField]]:
    """The columns that are repeated for each link, by their numbers, as they are in the result,
    whose other columns are `types`."""
    from pyspark.sql import Column

    if id is None:
        left = {text, *columns.numbers(columns.fields[text].name)}
        numbers = [number for number in range(len(columns.df.columns)) if number not in left]
        kept = [(n, columns.fields[n]) for n in numbers if numbered(n) not in carried.values()]
    else:
        kept = []
        # A column of Spark says that it can be iterated over, and cannot.
        for name in [id] if isinstance(id, (str, Column)) else id:
            number = columns.number("id", name)
            kept.append((number, _field(columns.fields[number], name)))
    taken = {columns.key(name) for name in types}
    for _, field in kept:
        if columns.key(field.name) in taken:
            raise ValueError(f"column {field.name!r}: the result has one of this name; rename yours")
    return kept


def _field(field: StructField, name: str | Column, of: StructField | None = None) -> StructField:
    """`field` with this name, if it is one, and with the type of `of`."""
    from pyspark.sql.types import StructField

    of = of or field
    name = name if isinstance(name, str) else field.name
    return StructField(name, of.dataType, of.nullable, field.metadata)


def _schema(fields: list[StructField], types: dict[str, str]) -> StructType:
    """The schema with these fields, then columns of these types."""
    from pyspark.sql.types import StructType

    return StructType([*fields, *StructType.fromDDL(spark_schema(types)).fields])
