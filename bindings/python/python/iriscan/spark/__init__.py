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

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._links import MAX_BYTES, FindLinks, RewriteLinks, Source, finder, spark_schema
from ._missing import wanted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import StructField, StructType

__all__ = ["MAX_BYTES", "find_links", "read_warc", "rewrite_links"]


def find_links(
    df: DataFrame,
    text: str,
    *,
    id: str | Iterable[str] | None = None,
    charset: str | Column | None = None,
    format: str | Column = "text",
    max_bytes: int = MAX_BYTES,
    **options: Any,
) -> DataFrame:
    """The links in the column `text` of `df`, which has strings or bytes: one row a link.

    The columns are those of `id` (None: all but `text`), then

    - `start`, `end`: the bytes of the link in the row's text, half open; strings count as UTF-8
    - `kind`, `scheme`, `host`, `iri`, `uri`, `warnings`: as in `iriscan.Link`
    - `error`: why `uri` is null; in a row that is no link, and so has neither `start` nor `kind`, why
      the text could not be searched whole. (A link in an encoded part of a mail has no `start`.)
    - `truncated`: the text was longer than `max_bytes`, and only its first bytes were searched

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
    numbered, source = _source(df, text, charset, format, options)
    fields = df.schema.fields
    carried = {}
    for at, field in enumerate(fields):
        if (field.name, field.dataType.simpleString()) in FindLinks.CARRIED:
            carried[field.name] = _name(at)
    if id is None:
        names = [field.name for field in fields if field.name != text and field.name not in carried]
    else:
        names = [id] if isinstance(id, str) else list(id)
    keep = {}
    for name in names:
        if name in FindLinks.NAMES:
            raise ValueError(f"column {name!r}: the result has one of this name; rename yours")
        keep[_name(_place(df, "id", name))] = name
    types = [fields[_place(df, "id", name)] for name in names]
    schema = _schema(types, FindLinks.SPARK_TYPES)
    needed = dict.fromkeys([*keep, *carried.values(), source.text, *source.of_rows.values()])
    mapper = FindLinks(source, keep, carried, max_bytes)
    return numbered.select(*needed).mapInArrow(mapper, schema)


def rewrite_links(
    df: DataFrame,
    text: str,
    *,
    charset: str | Column | None = None,
    format: str | Column = "text",
    **options: Any,
) -> DataFrame:
    """`df` with the links in the column `text` replaced by their URI forms. All else stays: rows,
    nulls, the other columns and their order.

    The arguments and errors are those of `find_links`. A row stays as it is if its format does not
    exist.
    """
    numbered, source = _source(df, text, charset, format, options)
    return numbered.mapInArrow(RewriteLinks(source, df.columns), df.schema)


def read_warc(
    session: SparkSession,
    paths: str | Iterable[str],
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
    rows = tasks([paths] if isinstance(paths, str) else list(paths), split_bytes)
    return _planned(session, rows).mapInArrow(ReadWarc(max_bytes), spark_schema(ReadWarc.SPARK_TYPES))


def _planned(session: SparkSession, tasks: list[list[tuple[str, str, int, int]]]) -> DataFrame:
    """The splits as rows, a partition for each task."""
    parallel = session.sparkContext.parallelize(tasks, max(1, len(tasks)))
    rows = parallel.flatMap(lambda splits: splits)
    return session.createDataFrame(rows, "path string, name string, start long, end long")


def _source(
    df: DataFrame,
    text: str,
    charset: str | Column | None,
    format: str | Column,
    options: dict[str, Any],
) -> tuple[DataFrame, Source]:
    """`df` with columns for the charset and the format of each row where these are columns. Its
    columns have numbers for names, because `mapInArrow` cannot read all names."""
    wanted("pyspark", "pyarrow")
    at = _place(df, "text", text)
    kind = df.schema.fields[at].dataType.typeName()
    if kind not in ("string", "binary", "varchar", "char"):
        raise ValueError(f"column {text!r}: {kind}; expected string or binary")
    words: dict[str, str | None] = {}
    added: dict[str, Column] = {}
    for name, value in (("charset", charset), ("format", format)):
        if value is None or isinstance(value, str):
            words[name] = value
        else:
            added[name] = value.cast("string")
    # Wrong words are an error here, and not in a worker.
    finder(options, words.get("charset"), words.get("format", "text"))
    count = len(df.columns)
    of_rows = {name: _name(count + number) for number, name in enumerate(added)}
    wide = df.select("*", *added.values())
    numbered = wide.toDF(*(_name(number) for number in range(len(wide.columns))))
    return numbered, Source(_name(at), kind != "binary", words, of_rows, options)


def _place(df: DataFrame, argument: str, column: str) -> int:
    """The number of the column with this name."""
    columns: list[str] = df.columns
    if column not in columns:
        raise ValueError(f"{argument}: there is no column {column!r}; there are {columns}")
    return columns.index(column)


def _name(place: int) -> str:
    return f"c{place}"


def _schema(fields: list[StructField], types: dict[str, str]) -> StructType:
    """The schema with these fields, then columns of these types."""
    from pyspark.sql.types import StructType

    return StructType([*fields, *StructType.fromDDL(spark_schema(types)).fields])
