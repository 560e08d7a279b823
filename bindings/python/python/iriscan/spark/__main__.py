"""`python -m iriscan.spark`: the links of many files, as a job of Spark.

    python -m iriscan.spark find --input crawl/ --input-format warc --output links --digest
    python -m iriscan.spark hosts --input crawl/ --output hosts
    python -m iriscan.spark rewrite --input texts/ --input-format parquet --column text --output new

`find` writes the links as Parquet, a file or more for each task, `hosts` the number of links to each
host, `rewrite` the input with its links rewritten; all print counts. With `digest` in place of `find`,
one process reads the same input without Spark and prints the digest for comparison.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import iriscan

from .._arguments import add_finder_options, finder_options
from . import _digest, _job, _links, _local
from ._columns import first_line
from ._inputs import listed
from ._missing import wanted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. Returns its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.input_format in ("parquet", "jsonl") and options.column is None:
        parser.error(f"--input-format {options.input_format} needs --column NAME: the texts")
    if options.input_format in ("warc", "text") and (options.column is not None or options.id):
        parser.error("--column and --id are for --input-format parquet and jsonl")
    if options.work is _job.write_links and options.no_counts and options.digest is not None:
        parser.error("--digest and --no-counts exclude each other")
    try:
        _links.finder(_job.all_options(options), *_job.constants(options))
        status: int = options.run(options)
    except (iriscan.ConfigError, ModuleNotFoundError, OSError, ValueError) as e:
        print(f"iriscan.spark: {e}", file=sys.stderr)
        return 2
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m iriscan.spark", description="Finds or rewrites the links of many files."
    )
    parser.add_argument("--version", action="version", version=iriscan.__version__)
    commands = parser.add_subparsers(required=True, metavar="find|hosts|rewrite|digest")
    find = commands.add_parser("find", help="write the links to Parquet, with Spark")
    _add_inputs(find, _ALL)
    _add_output(find, "of Parquet files")
    _add_id(find)
    find.add_argument(
        "--digest",
        nargs="?",
        const="",
        metavar="EXPECTED",
        help="print the digest of the links; exit 1 if it is not EXPECTED",
    )
    find.set_defaults(run=_submit, work=_job.write_links)
    hosts = commands.add_parser("hosts", help="count the links to each host, with Spark")
    _add_inputs(hosts, _ALL)
    _add_output(hosts, "of Parquet files, with the columns host and links")
    hosts.add_argument(
        "--by",
        default="host",
        choices=["host", "domain"],
        help="host, or domain: the name that was registered, such as example.co.uk",
    )
    hosts.set_defaults(run=_submit, work=_job.write_hosts, id=[])
    rewrite = commands.add_parser("rewrite", help="write the input with its links rewritten, with Spark")
    _add_inputs(rewrite, [format for format in _ALL if format != "warc"])
    _add_output(rewrite, "of files in the format of the input")
    rewrite.add_argument("--to", default="uri", help="uri, iri")
    rewrite.add_argument("--replace", metavar="TEMPLATE", help="other text for each link")
    rewrite.add_argument("--defang", action="store_true", help="hxxp[:]//host[.]example/")
    rewrite.set_defaults(run=_submit, work=_job.write_texts, id=[])
    digest = commands.add_parser("digest", help="print the digest of the links, without Spark")
    _add_inputs(digest, _ALL)
    _add_id(digest)
    digest.set_defaults(run=_one_machine, work=None)
    return parser


_ALL = ["warc", "parquet", "jsonl", "text"]


def _add_output(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--output", required=True, metavar="FOLDER", help=what)
    parser.add_argument(
        "--overwrite", action="store_true", help="replace FOLDER; otherwise it must not exist"
    )
    parser.add_argument(
        "--no-counts", action="store_true", help="end once the output is written, and print nothing"
    )
    parser.add_argument(
        "--master",
        type=_master,
        metavar="URL",
        help="such as local[2]; spark-submit and its settings give others",
    )


def _add_id(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--id", action="append", default=[], metavar="NAME", help="a column to keep in the result"
    )


def _master(text: str) -> str:
    """A master that Spark knows; it would start a JVM first, and then print a trace."""
    known = (
        r"local|local\[(\d+|\*)(,\s*\d+)?\]|local-cluster\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\]"
        r"|spark://.+|k8s://.+|yarn"
    )
    if re.fullmatch(known, text):
        return text
    raise argparse.ArgumentTypeError(
        f"{text!r} is no master of Spark; use local, local[N], local[*], "
        "local-cluster[WORKERS,CORES,MEGABYTES], spark://HOST:PORT, yarn or k8s://URL"
    )


def _add_inputs(parser: argparse.ArgumentParser, formats: list[str]) -> None:
    parser.add_argument(
        "--input", required=True, metavar="PATH", help="a file, a folder, or a pattern"
    )
    default = "warc" if "warc" in formats else None
    parser.add_argument(
        "--input-format", default=default, required=default is None, choices=formats
    )
    parser.add_argument("--column", metavar="NAME", help="the texts in Parquet and JSON Lines")
    parser.add_argument(
        "--split-bytes",
        type=_positive,
        default=128 << 20,
        metavar="BYTES",
        help="of a file for one task (default 128 MiB)",
    )
    if "warc" in formats:
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


def _one_machine(options: argparse.Namespace) -> int:
    """Prints the digest of the links that one process finds."""
    links = errors = total = 0
    for row in _local.links(options, finder_options(options), *_job.constants(options)):
        if row["kind"] is None:
            errors += 1
        else:
            links += 1
            total += _digest.of_fields(*(row[name] for name in _job.digested(options.input_format)))
    _job.report(links, errors, None, _digest.shown(total))
    return 0


def _submit(options: argparse.Namespace) -> int:
    """Runs `options.work` in a session of its own."""
    wanted("pyspark", "pyarrow", "fsspec")
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    if options.input_format == "warc":
        wanted("fastwarc")
        # A wrong path is said before Spark starts.
        listed([options.input])
    _job.check_local_output(options)
    # The job makes no frames of pandas, of which pyspark warns.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    session = None
    try:
        session = _session(options)
        return _job.run(session, options)
    except (Py4JError, PySparkException) as e:
        raise ValueError(_reason(e)) from e
    finally:
        if session is not None:
            _stop(session)


def _reason(error: Exception) -> str:
    """What is wrong, in one line."""
    what = first_line(error)
    if "JAVA_GATEWAY_EXITED" in what:
        return "Java did not start; install Java 17 or newer, or set JAVA_HOME"
    if "stopped SparkContext" in what or "stopped SparkContext" in str(error):
        return "Spark ended before the job began; its last line says why"
    java: Any = getattr(error, "java_exception", None)
    if java is not None:
        # The first cause says most; those after it say what failed because of it.
        while java.getCause() is not None:
            java = java.getCause()
        return str(java.getMessage() or java.toString()).strip().splitlines()[0]
    return what


def _session(options: argparse.Namespace) -> SparkSession:
    from pyspark.find_spark_home import _find_spark_home
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(f"iriscan {options.input}")
    if options.master is not None:
        builder = builder.master(options.master)
        if options.master.startswith("local"):
            # All processes are on this machine, and are those of this installation.
            os.environ.setdefault("SPARK_HOME", _find_spark_home())
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # A JVM that starts here reads it before its first line. Without it, Spark prints the stack trace of each
    # error. One that runs already, as with spark-submit, has its own settings.
    java = os.environ.get("SPARK_SUBMIT_OPTS", "")
    if "log4j" not in java:
        file = Path(__file__).with_name("log4j2.properties").as_uri()
        os.environ["SPARK_SUBMIT_OPTS"] = f"{java} -Dlog4j2.configurationFile={file}".strip()
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


if __name__ == "__main__":
    sys.exit(main())
