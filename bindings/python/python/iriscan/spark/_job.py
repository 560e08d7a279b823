"""What a job reads and writes. Each `write_…` writes the result, prints counts and returns the exit
status."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._arguments import finder_options
from . import _digest, _links
from ._columns import Columns
from ._inputs import above_pattern, is_pattern

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameWriter, SparkSession


def run(session: SparkSession, options: argparse.Namespace) -> int:
    """Does `options.work`. Returns the exit status."""
    for name, value in settings(options).items():
        session.conf.set(name, value)
    if not options.overwrite and _exists(session, options.output):
        raise ValueError(f"{options.output}: exists already; name another, or give --overwrite")
    status: int = options.work(session, options)
    return status


def settings(options: argparse.Namespace) -> dict[str, str]:
    """What the session must know of the options."""
    split = options.split_bytes
    return {
        "spark.sql.files.maxPartitionBytes": str(split),
        # What one file costs beside its bytes must not make splits larger than asked for.
        "spark.sql.files.openCostInBytes": str(min(4 << 20, split)),
        # Rows go to Python in batches; a batch of large rows must fit into memory.
        "spark.sql.execution.arrow.maxBytesPerBatch": str(64 << 20),
    }


def constants(options: argparse.Namespace) -> tuple[str | None, str | None]:
    """The charset and the format of all texts; None: that of each record, or text."""
    charset, format = options.charset, options.format
    return None if charset == "auto" else charset, None if format == "auto" else format


def all_options(options: argparse.Namespace) -> dict[str, Any]:
    """The options of a finder, with those of the command `rewrite`."""
    new = {"to": "to", "replace": "template", "defang": "defang"}
    given = {new[name]: value for name, value in vars(options).items() if name in new}
    return {**finder_options(options), **given}


def check_local_output(options: argparse.Namespace) -> None:
    """Raises an error if the output is on this machine and cannot be written, before Spark starts."""
    if "://" in options.output:
        return
    folder = Path(options.output).absolute()
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        raise ValueError(f"{options.output}: {folder} is a file; name a folder that does not exist")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"{options.output}: {folder} cannot be written to; name another folder")


def _exists(session: SparkSession, path: str) -> bool:
    jvm: Any = session.sparkContext._jvm
    place = jvm.org.apache.hadoop.fs.Path(path)
    conf = session.sparkContext._jsc.hadoopConfiguration()
    return bool(place.getFileSystem(conf).exists(place))


def _writer(df: DataFrame, options: argparse.Namespace) -> DataFrameWriter:
    return df.write.mode("overwrite" if options.overwrite else "error")


def write_links(session: SparkSession, options: argparse.Namespace) -> int:
    """Writes the links."""
    links = found(session, options)
    writer = _writer(links, options).partitionBy("kind")
    writer.option("compression", "zstd").parquet(options.output)
    if options.no_counts:
        return 0
    return _counted(session.read.schema(links.schema).parquet(options.output), options)


def write_hosts(session: SparkSession, options: argparse.Namespace) -> int:
    """Writes the number of links to each host, the most first. Links without a host count as null."""
    from pyspark.sql import functions as F

    key = {"host": "host_key", "domain": "domain"}[options.by]
    is_link = F.col("kind").isNotNull()
    numbers: list[Any] = [F.count_if(is_link).alias("links"), F.count_if(~is_link).alias("errors")]
    links = found(session, options, (key,))
    counted = links.groupBy(F.col(key).alias(options.by)).agg(*numbers)
    if not options.no_counts:
        # It is read twice.
        counted = counted.persist()
    hosts = counted.filter("links > 0").drop("errors")
    sorted = hosts.orderBy(F.desc("links"), options.by)
    _writer(sorted, options).option("compression", "zstd").parquet(options.output)
    if not options.no_counts:
        errors = counted.agg(F.coalesce(F.sum("errors"), F.lit(0)).alias("errors")).collect()[0][0]
        written = session.read.schema(hosts.schema).parquet(options.output)
        sums: list[Any] = [F.count(options.by), F.coalesce(F.sum("links"), F.lit(0))]
        count, total = written.agg(*sums).collect()[0]
        print(f"{options.by}s {count}")
        report(total, errors, None, None)
        counted.unpersist()
    return 0


def write_texts(session: SparkSession, options: argparse.Namespace) -> int:
    """Writes the input with the links of a column rewritten, in the format of the input."""
    import iriscan.spark

    rows, column = _rows(session, options), options.column or "text"
    Columns(rows).number("--column", column)
    charset, format = constants(options)
    new = iriscan.spark.rewrite_links(
        rows,
        column,
        charset=charset,
        format=format or "text",
        **all_options(options),
    )
    writer = _writer(new, options)
    if options.input_format == "parquet":
        writer.option("compression", "zstd").parquet(options.output)
        written = session.read.parquet(options.output)
    elif options.input_format == "jsonl":
        writer.json(options.output, encoding="UTF-8", lineSep="\n")
        written = session.read.text(options.output, lineSep="\n")
    else:
        _writer(new.selectExpr("cast(text as string)"), options).text(options.output, lineSep="\n")
        written = session.read.text(options.output, lineSep="\n")
    if not options.no_counts:
        print(f"rows {written.count()}")
    return 0


def _rows(session: SparkSession, options: argparse.Namespace) -> DataFrame:
    """The rows of the input, which is no archive."""
    from pyspark.sql import functions as F

    reader = session.read
    if options.input_format == "parquet":
        return reader.parquet(options.input)
    if options.input_format == "jsonl":
        return reader.json(options.input, encoding="UTF-8", lineSep="\n")
    # Spark does not decode the lines of a text file, so they may be in any charset whose line
    # feed is the byte 0A.
    lines = reader.text(options.input, lineSep="\n")
    return lines.select(F.col("value").cast("binary").alias("text"))


def found(
    session: SparkSession, options: argparse.Namespace, extra: tuple[str, ...] = ()
) -> DataFrame:
    """The links of the input, with the columns that tell where each is. `extra`: that of
    `find_links`."""
    from pyspark.sql import functions as F

    import iriscan.spark

    if options.input_format == "warc":
        return _in_warc(session, options, extra)
    rows = _rows(session, options)
    added = {"file": _relative(F.col("_metadata.file_path"), options.input)}
    if options.input_format == "parquet":
        added["row"] = F.col("_metadata.row_index")
    column = options.column or "text"
    columns = Columns(rows)
    for name in added:
        if columns.numbers(name):
            raise ValueError(f"column {name!r}: the result has one of this name; rename yours")
    for flag, name in [("--column", column), *(("--id", name) for name in options.id)]:
        columns.number(flag, name)
    charset, format = constants(options)
    return iriscan.spark.find_links(
        rows.withColumns(added),
        column,
        id=[*added, *options.id],
        charset=charset,
        format=format or "text",
        max_bytes=options.max_bytes,
        extra=extra,
        **finder_options(options),
    )


def _in_warc(
    session: SparkSession, options: argparse.Namespace, extra: tuple[str, ...]
) -> DataFrame:
    """One mapper reads and searches, so that no page goes through the JVM."""
    from . import _planned
    from ._warc import FindInWarc, tasks

    mapper = FindInWarc(finder_options(options), *constants(options), options.max_bytes, extra)
    schema = _links.spark_schema({**FindInWarc.PLACE, **_links.link_types(extra)})
    return _planned(session, tasks([options.input], options.split_bytes)).mapInArrow(mapper, schema)


def _relative(path: Any, root: str) -> Any:
    """The path of a file below the folder that was given, or its name."""
    from pyspark.sql import functions as F

    # Paths in the metadata are URIs, with escapes.
    plain = F.url_decode(F.replace(path, F.lit("+"), F.lit("%2B")))
    folder = root if "://" in root else os.path.abspath(root)
    folder = (above_pattern(folder) if is_pattern(folder) else folder).rstrip("/")
    start = F.instr(plain, folder + "/")
    name = F.substring(plain, start + F.lit(len(folder) + 1), F.length(plain))
    return F.when(start > 0, name).otherwise(F.element_at(F.split(plain, "/"), -1))


def digested(input_format: str) -> list[str]:
    offset = ["record_offset"] if input_format == "warc" else []
    return ["file", *offset, "start", "end", "kind", "uri"]


def _counted(found: DataFrame, options: argparse.Namespace) -> int:
    """Prints the counts of what was written. Returns the exit status."""
    from pyspark.sql import functions as F

    # A link in an encoded part of a mail has no start.
    is_link = F.col("kind").isNotNull()
    links = found.filter(is_link)
    totals: list[Any] = [F.count_if(is_link).alias("links"), F.count_if(~is_link).alias("errors")]
    counts = found.agg(*totals).collect()[0]
    key = {"warc": ["file", "record_offset", "record", "start"], "parquet": ["file", "row", "start"]}
    distinct = None
    # In mail, links of an encoded part have no start, so there is no key.
    if options.input_format in key and options.format != "mail":
        distinct = links.select(*key[options.input_format]).distinct().count()
    digest = None
    if options.digest is not None:
        total = links.agg(_digest.sum_of(digested(options.input_format))).collect()[0][0]
        digest = _digest.shown(int(total))
    report(counts["links"], counts["errors"], distinct, digest)
    if distinct not in (None, counts["links"]):
        print("iriscan.spark: some links were written twice", file=sys.stderr)
        return 1
    if options.digest and options.digest != digest:
        print(f"iriscan.spark: the digest is not {options.digest}", file=sys.stderr)
        return 1
    return 0


def report(links: int, errors: int, distinct: int | None, digest: str | None) -> None:
    print(f"links {links}\nerrors {errors}")
    if distinct is not None:
        print(f"distinct keys {distinct}")
    if digest is not None:
        print(f"digest {digest}")


