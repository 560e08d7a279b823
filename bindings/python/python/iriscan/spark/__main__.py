"""`python -m iriscan.spark find`: the links of many files, as a job of Spark.

    python -m iriscan.spark find --input crawl/ --input-format warc --output links --digest

writes Parquet, a file or more for each task, and prints counts. With `digest` in place of `find`, one
process reads the same input without Spark and prints the digest for comparison.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import iriscan

from .._arguments import add_finder_options, finder_options
from . import _digest, _links, _local
from ._inputs import above_pattern, is_pattern, listed
from ._missing import wanted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. Returns its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.input_format in ("parquet", "jsonl") and options.column is None:
        parser.error(f"--input-format {options.input_format} needs --column NAME: the texts")
    if options.input_format in ("warc", "text") and (options.column is not None or options.id):
        parser.error("--column and --id are for --input-format parquet and jsonl")
    if options.run is _find and options.no_counts and options.digest is not None:
        parser.error("--digest and --no-counts exclude each other")
    try:
        _links.finder(finder_options(options), *_constants(options))
        status: int = options.run(options)
    except (iriscan.ConfigError, ModuleNotFoundError, FileNotFoundError, ValueError) as e:
        print(f"iriscan.spark: {e}", file=sys.stderr)
        return 2
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m iriscan.spark", description="Finds the links of many files."
    )
    parser.add_argument("--version", action="version", version=iriscan.__version__)
    commands = parser.add_subparsers(required=True, metavar="find|digest")
    find = commands.add_parser("find", help="write the links to Parquet, with Spark")
    _add_inputs(find)
    find.add_argument("--output", required=True, metavar="FOLDER", help="of Parquet files")
    find.add_argument(
        "--overwrite", action="store_true", help="replace FOLDER; otherwise it must not exist"
    )
    find.add_argument(
        "--no-counts", action="store_true", help="end once the links are written, and print nothing"
    )
    find.add_argument(
        "--digest",
        nargs="?",
        const="",
        metavar="EXPECTED",
        help="print the digest of the links; exit 1 if it is not EXPECTED",
    )
    find.add_argument(
        "--master", metavar="URL", help="such as local[2]; spark-submit and its settings give others"
    )
    find.set_defaults(run=_find)
    digest = commands.add_parser("digest", help="print the digest of the links, without Spark")
    _add_inputs(digest)
    digest.set_defaults(run=_one_machine)
    return parser


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--input", required=True, metavar="PATH", help="a file, a folder, or a pattern"
    )
    parser.add_argument(
        "--input-format", default="warc", choices=["warc", "parquet", "jsonl", "text"]
    )
    parser.add_argument("--column", metavar="NAME", help="the texts in Parquet and JSON Lines")
    parser.add_argument(
        "--id", action="append", default=[], metavar="NAME", help="a column to keep in the result"
    )
    parser.add_argument(
        "--split-bytes",
        type=_positive,
        default=128 << 20,
        metavar="BYTES",
        help="of a file for one task (default 128 MiB)",
    )
    parser.add_argument(
        "--max-bytes",
        type=_positive,
        default=_links.MAX_BYTES,
        metavar="BYTES",
        help="searched in one record (default 64 MiB)",
    )
    add_finder_options(parser)


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if not 0 < value < 1 << 62:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of bytes above 0")
    return value


def _constants(options: argparse.Namespace) -> tuple[str | None, str | None]:
    """The charset and the format of all texts; None: that of each record, or text."""
    charset, format = options.charset, options.format
    return None if charset == "auto" else charset, None if format == "auto" else format


def _one_machine(options: argparse.Namespace) -> int:
    """Prints the digest of the links that one process finds."""
    links = errors = total = 0
    for row in _local.links(options, finder_options(options), *_constants(options)):
        if row["kind"] is None:
            errors += 1
        else:
            links += 1
            total += _digest.of_fields(*(row[name] for name in _digested(options.input_format)))
    _report(links, errors, None, _digest.shown(total))
    return 0


def _find(options: argparse.Namespace) -> int:
    wanted("pyspark", "pyarrow", "fsspec")
    from pyspark.errors import PySparkException

    if options.input_format == "warc":
        wanted("fastwarc")
        # A wrong path is said before Spark starts.
        listed([options.input])
    session = None
    try:
        session = _session(options)
        return run(session, options)
    except PySparkException as e:
        what = next(filter(str.strip, str(e).splitlines()), repr(e))
        if "JAVA_GATEWAY_EXITED" in what:
            what = "Java did not start; install Java 17 or newer, or set JAVA_HOME"
        raise ValueError(what) from e
    finally:
        if session is not None:
            _stop(session)


def run(session: SparkSession, options: argparse.Namespace) -> int:
    """Writes the links and prints the counts. Returns the exit status."""
    for name, value in settings(options).items():
        session.conf.set(name, value)
    links = found(session, options)
    if not options.overwrite and _exists(session, options.output):
        raise ValueError(f"{options.output}: exists already; name another, or give --overwrite")
    writer = links.write.mode("overwrite" if options.overwrite else "error")
    writer.partitionBy("kind").option("compression", "zstd").parquet(options.output)
    if options.no_counts:
        return 0
    return _counted(session.read.schema(links.schema).parquet(options.output), options)


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


def _session(options: argparse.Namespace) -> SparkSession:
    from pyspark.find_spark_home import _find_spark_home
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(f"iriscan find {options.input}")
    if options.master is not None:
        builder = builder.master(options.master)
        if options.master.startswith("local"):
            # All processes are on this machine, and are those of this installation.
            os.environ.setdefault("SPARK_HOME", _find_spark_home())
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def _stop(session: SparkSession) -> None:
    # A context that has ended does not say these.
    context = session.sparkContext
    master, application = str(context.master), str(context.applicationId)
    work = Path(os.environ.get("SPARK_HOME", ""), "work")
    session.stop()
    if master.startswith("local-cluster"):
        # Spark leaves the folder of its workers.
        shutil.rmtree(work / application, ignore_errors=True)
        with contextlib.suppress(OSError):
            work.rmdir()


def _exists(session: SparkSession, path: str) -> bool:
    jvm: Any = session.sparkContext._jvm
    place = jvm.org.apache.hadoop.fs.Path(path)
    conf = session.sparkContext._jsc.hadoopConfiguration()
    return bool(place.getFileSystem(conf).exists(place))


def found(session: SparkSession, options: argparse.Namespace) -> DataFrame:
    """The links of the input, with the columns that tell where each is."""
    from pyspark.sql import functions as F

    import iriscan.spark

    if options.input_format == "warc":
        return _in_warc(session, options)
    reader = session.read
    if options.input_format == "parquet":
        rows = reader.parquet(options.input)
    elif options.input_format == "jsonl":
        rows = reader.json(options.input, encoding="UTF-8", lineSep="\n")
    else:
        # Spark does not decode the lines of a text file, so they may be in any charset whose line
        # feed is the byte 0A.
        lines = reader.text(options.input, lineSep="\n")
        rows = lines.select(F.col("value").cast("binary").alias("text"))
    added = {"file": _relative(F.col("_metadata.file_path"), options.input)}
    if options.input_format == "parquet":
        added["row"] = F.col("_metadata.row_index")
    for name in added:
        if name in rows.columns:
            raise ValueError(f"column {name!r}: the result has one of this name; rename yours")
    column = options.column or "text"
    charset, format = _constants(options)
    return iriscan.spark.find_links(
        rows.withColumns(added),
        column,
        id=[*added, *options.id],
        charset=charset,
        format=format or "text",
        max_bytes=options.max_bytes,
        **finder_options(options),
    )


def _in_warc(session: SparkSession, options: argparse.Namespace) -> DataFrame:
    """One mapper reads and searches, so that no page goes through the JVM."""
    from . import _planned
    from ._warc import FindInWarc, tasks

    mapper = FindInWarc(finder_options(options), *_constants(options), options.max_bytes)
    schema = _links.spark_schema({**FindInWarc.PLACE, **_links.FindLinks.SPARK_TYPES})
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


def _digested(input_format: str) -> list[str]:
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
        total = links.agg(_digest.sum_of(_digested(options.input_format))).collect()[0][0]
        digest = _digest.shown(int(total))
    _report(counts["links"], counts["errors"], distinct, digest)
    if distinct not in (None, counts["links"]):
        print("iriscan.spark: some links were written twice", file=sys.stderr)
        return 1
    if options.digest and options.digest != digest:
        print(f"iriscan.spark: the digest is not {options.digest}", file=sys.stderr)
        return 1
    return 0


def _report(links: int, errors: int, distinct: int | None, digest: str | None) -> None:
    print(f"links {links}\nerrors {errors}")
    if distinct is not None:
        print(f"distinct keys {distinct}")
    if digest is not None:
        print(f"digest {digest}")


if __name__ == "__main__":
    sys.exit(main())
