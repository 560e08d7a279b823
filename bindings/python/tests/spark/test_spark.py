"""iriscan.spark on a real cluster: its links are those of one machine, also when parts of it fail."""

import functools
import gzip
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import pyspark.cloudpickle
from archives import ROOT, archive, columns, record, resource, texts
from conftest import below

import iriscan
from iriscan import spark
from iriscan.spark import __main__ as command_line
from iriscan.spark import _digest
from iriscan.spark import _job as job

# The workers cannot import this file.
pyspark.cloudpickle.register_pickle_by_value(sys.modules[__name__])

SPLITS = [1 << 20, 100_003, 7_919]


def arguments(command, *words):
    parsed = command_line._parser().parse_args([command, *map(str, words)])
    return parsed


def one_machine(capsys, *words):
    """What one machine prints: its lines by their first words."""
    assert command_line.main(["digest", *map(str, words)]) == 0
    return report(capsys)


def report(capsys):
    lines = capsys.readouterr().out.splitlines()
    return {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in lines}


def submitted(session, capsys, tmp_path, *words):
    """What the job prints in this session."""
    options = arguments("find", "--output", tmp_path / "links", "--digest", *words)
    assert job.run(session, options) == 0
    printed = report(capsys)
    with capsys.disabled():
        print("\n  ", *map(str, words), printed)
    return printed


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """An archive and columns, each large enough for several splits of 1 MiB."""
    folder = tmp_path_factory.mktemp("data")
    archive(folder / "warc" / "crawl" / "a.warc.gz", 2500)
    archive(folder / "warc" / "other" / "a.warc.gz", 40)
    columns(folder, 2500)
    return folder


INPUTS = {
    "warc": ["--input-format", "warc"],
    "parquet": ["--input-format", "parquet", "--column", "body", "--id", "id"],
    "jsonl": ["--input-format", "jsonl", "--column", "body"],
    "text": ["--input-format", "text", "--kinds", "iri,bare,email"],
}


@pytest.mark.parametrize("format", INPUTS)
def test_every_split_gives_the_links_of_one_machine(session, capsys, data, format):
    words = ["--input", data / format, *INPUTS[format]]
    want = one_machine(capsys, *words)
    assert int(want["links"]) > 2500 and want["errors"] == "0"
    for split in SPLITS:
        options = arguments("find", *words, "--output", "none", "--split-bytes", split)
        for name, value in job.settings(options).items():
            session.conf.set(name, value)
        links = job.found(session, options)
        splits = links.rdd.getNumPartitions()
        size = sum(path.stat().st_size for path in (data / format).rglob("*.*"))
        assert splits >= max(2, size // split), (size, splits)
        total = links.agg(_digest.sum_of(job.digested(format))).collect()[0][0]
        with capsys.disabled():
            print(f"\n   {format}: {splits} splits of {split} bytes: {_digest.shown(int(total))}")
        assert _digest.shown(int(total)) == want["digest"]


@pytest.mark.parametrize("format", INPUTS)
def test_the_job_writes_what_it_counts(session, capsys, tmp_path, data, format):
    words = ["--input", data / format, *INPUTS[format]]
    printed = submitted(session, capsys, tmp_path, *words, "--split-bytes", 1 << 20)
    want = one_machine(capsys, *words)
    assert printed == {**want, **({"distinct keys": want["links"]} if "distinct keys" in printed else {})}
    assert ("distinct keys" in printed) == (format in ("warc", "parquet"))
    table = pq.read_table(tmp_path / "links")
    assert table.num_rows == int(want["links"])
    files = set(table["file"].to_pylist())
    assert files == {
        "warc": {"crawl/a.warc.gz", "other/a.warc.gz"},
        "parquet": {"a b.parquet"},
        "jsonl": {"a+b.jsonl"},
        "text": {"ä.txt"},
    }[format]
    if format == "parquet":
        rows = list(texts(2500))
        for link in table.slice(0, 200).to_pylist():
            assert link["row"] == link["id"]
            text = rows[link["id"]].encode()[link["start"] : link["end"]].decode()
            assert text == link["iri"] or "\\" in text
    # A second time the folder exists.
    options = arguments("find", *words, "--output", tmp_path / "links")
    with pytest.raises(ValueError, match="exists already"):
        job.run(session, options)


def watch(folder, done, act):
    """Calls `act` once two tasks have committed what they wrote into `folder`."""
    while not done.is_set():
        if len(list(Path(folder).glob("_temporary/0/task_*"))) >= 2:
            done.acted = act()
            return
        time.sleep(0.005)


def with_a_fault(session, capsys, tmp_path, words, act):
    """The report of a job during which `act` was called, and what this returned."""
    done = threading.Event()
    done.acted = None
    watcher = threading.Thread(target=watch, args=(tmp_path / "links", done, act))
    watcher.start()
    try:
        printed = submitted(session, capsys, tmp_path, *words)
    finally:
        done.set()
        watcher.join()
    return printed, done.acted


def executors():
    """The processes of the executors, which the workers of the cluster started."""
    all = below(os.getpid()).items()
    return [number for number, command in all if "CoarseGrainedExecutorBackend" in command]


@pytest.mark.slow
def test_a_killed_executor(session, capsys, tmp_path, data):
    words = ["--input", data / "warc", "--split-bytes", 50_000]
    want = one_machine(capsys, "--input", data / "warc")
    # Python in the executors must have started, or nothing would be lost.
    session.range(10).mapInArrow(lambda batches: batches, "id long").count()
    before = executors()
    assert len(before) == 2

    def kill():
        os.kill(before[0], signal.SIGKILL)
        return True

    printed, killed = with_a_fault(session, capsys, tmp_path, words, kill)
    assert killed, "the job ended before the executor was killed"
    assert printed == {**want, "distinct keys": want["links"]}
    assert before[0] not in executors()


@pytest.mark.slow
def test_killed_python_workers(session, capsys, tmp_path, data):
    words = ["--input", data / "warc", "--split-bytes", 50_000]
    want = one_machine(capsys, "--input", data / "warc")

    def kill():
        killed = 0
        for executor in executors():
            # An executor starts a daemon, which forks the workers.
            for daemon, command in below(executor).items():
                if "pyspark.daemon" in command:
                    for worker in below(daemon):
                        os.kill(worker, signal.SIGKILL)
                        killed += 1
        return killed

    printed, killed = with_a_fault(session, capsys, tmp_path, words, kill)
    assert killed, "the job ended before a worker was killed"
    assert printed == {**want, "distinct keys": want["links"]}


def once(path):
    """True for the first caller on this machine."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


@pytest.mark.slow
def test_a_worker_that_is_killed_after_it_yielded_a_batch(session, tmp_path):
    rows = [(n, f"見て http://例え.jp/{n}。") for n in range(4000)]
    df = session.createDataFrame(rows, "id long, text string").repartition(4)
    marker = str(tmp_path / "killed")

    def die_after_a_batch(batches):
        for batch in batches:
            yield batch
            if once(marker):
                os.kill(os.getpid(), signal.SIGKILL)

    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
    links = spark.find_links(df, "text", id="id").mapInArrow(die_after_a_batch, LINK_SCHEMA)
    links.write.parquet(str(tmp_path / "links"))
    session.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    assert Path(marker).exists()
    ids = pq.read_table(tmp_path / "links")["id"].to_pylist()
    assert sorted(ids) == list(range(4000))


LINK_SCHEMA = (
    "id long, start long, end long, kind string, scheme string, host string, iri string, "
    "uri string, warnings array<string>, error string, truncated boolean"
)


@pytest.mark.slow
def test_speculation(session, tmp_path):
    rows = [(n, f"見て http://例え.jp/{n}。") for n in range(800)]
    df = session.createDataFrame(rows, "id long, text string").repartition(8)
    folder = str(tmp_path)

    def slow_once(batches):
        from pyspark import TaskContext

        task = TaskContext.get()
        name = f"{folder}/{task.partitionId()}"
        first = once(name)
        if not first:
            once(f"{name}.second")
        if first and task.partitionId() == 7:
            time.sleep(20)
        yield from batches

    from_slow = df.mapInArrow(slow_once, df.schema)
    links = spark.find_links(from_slow, "text", id="id")
    links.write.parquet(str(tmp_path / "links"))
    assert (tmp_path / "7.second").exists(), "no second copy of the slow task was started"
    ids = pq.read_table(tmp_path / "links")["id"].to_pylist()
    assert sorted(ids) == list(range(800))


@pytest.mark.slow
def test_a_row_of_60_mb_among_20000(session, capsys, tmp_path):
    small = [f"見て http://例え.jp/{n}。" for n in range(20_000)]
    small[12_345] = f"http://bücher.example/ü {'wort ' * 300}" * 40_000
    (tmp_path / "in").mkdir()
    pq.write_table(pa.table({"body": small}), tmp_path / "in" / "a.parquet", row_group_size=5000)
    words = ["--input", tmp_path / "in", "--input-format", "parquet", "--column", "body"]
    want = one_machine(capsys, *words)
    assert int(want["links"]) == 20_000 - 1 + 40_000
    printed = submitted(session, capsys, tmp_path, *words)
    assert printed == {**want, "distinct keys": want["links"]}


def test_a_record_above_the_limit_is_cut_and_said(session, tmp_path):
    long = b"word http://a.example/1 " * 1000
    data = b"".join(map(gzip.compress, [record("http://x/1", b"http://b.example/"), record("http://x/2", long)]))
    (tmp_path / "a.warc.gz").write_bytes(data)
    pages = spark.read_warc(session, tmp_path / "a.warc.gz", max_bytes=5000)
    rows = pages.orderBy("record_offset").collect()
    assert [(row["truncated"], row["error"] is None) for row in rows] == [(False, True), (True, False)]
    assert "longer than 5000 bytes" in rows[1]["error"]
    links = spark.find_links(pages, "bytes", format="html").collect()
    whole = [link for link in links if link["kind"] is not None]
    assert {link["iri"] for link in whole} == {"http://a.example/1", "http://b.example/"}
    assert [link["truncated"] for link in links if link["url"] == "http://x/1"] == [False]
    assert all(link["truncated"] for link in links if link["url"] == "http://x/2")
    said = [link["error"] for link in links if link["kind"] is None]
    assert len(said) == 1 and "longer than 5000 bytes" in said[0]
    # In a column.
    df = session.createDataFrame([(1, "http://b.example/"), (2, long.decode())], "id int, t string")
    links = spark.find_links(df, "t", max_bytes=5000).collect()
    assert [link["id"] for link in links if not link["truncated"]] == [1]
    assert [link["start"] for link in links if link["error"] is not None] == [None]
    assert {link["iri"] for link in links if link["id"] == 2 and link["kind"]} == {"http://a.example/1"}


def test_damage_is_a_row_and_the_rest_is_read(session, tmp_path):
    members = archive(tmp_path / "good.warc.gz", 60)
    good = spark.read_warc(session, str(tmp_path / "good.warc.gz")).collect()
    before, damaged = sum(map(len, members[:20])), len(members[20])
    data = b"".join(members)
    for place, name in ((0, "start"), (12, "head"), (damaged // 2, "middle"), (damaged - 5, "checksum")):
        at = before + place
        (tmp_path / name).mkdir()
        bad = data[:at] + bytes(b ^ 0xFF for b in data[at : at + 4]) + data[at + 4 :]
        (tmp_path / name / "a.warc.gz").write_bytes(bad)
        reports = set()
        for split in (1 << 20, 7_919, 1_000):
            rows = spark.read_warc(session, str(tmp_path / name), split_bytes=split).collect()
            same = [row for row in rows if row["error"] is None]
            assert [r["bytes"] for r in same] == [r["bytes"] for r in good if r["url"] != "http://a.example/20"]
            (error,) = (row for row in rows if row["error"] is not None)
            assert error["record_offset"] == before
            reports.add(error["error"])
        assert len(reports) == 1, reports
        links = spark.find_links(spark.read_warc(session, str(tmp_path / name)), "bytes").collect()
        assert sum(link["kind"] is None for link in links) == 1


@pytest.mark.parametrize("noise", [b"XX", b"\x1f\x8b\x08" * 1000, gzip.compress(b"other"), b"\0" * 9000])
def test_noise_between_members_is_one_row_in_every_split(session, tmp_path, noise):
    members = archive(tmp_path / "a.warc.gz", 30)
    for place in (0, 15, 30):
        data = b"".join([*members[:place], noise, *members[place:]])
        (tmp_path / "a.warc.gz").write_bytes(data)
        seen = set()
        for split in (1 << 20, 7_919, 1_000):
            rows = spark.read_warc(session, str(tmp_path / "a.warc.gz"), split_bytes=split).collect()
            assert len(rows) == 31
            seen.update((r["record_offset"], r["error"]) for r in rows if r["error"])
        assert len(seen) == 1, seen


@pytest.mark.parametrize("pack", [b"".join, lambda records: gzip.compress(b"".join(records))])
def test_an_archive_that_is_no_row_of_members_is_read_once(session, tmp_path, pack):
    records = [record(f"http://x/{n}", b"http://a.example/%d " % n * 50) for n in range(20)]
    (tmp_path / "a.warc").write_bytes(pack(records))
    for split in (1 << 20, 1_000):
        rows = spark.read_warc(session, str(tmp_path / "a.warc"), split_bytes=split)
        keys = {(row["record_offset"], row["record"]) for row in rows.collect()}
        assert len(keys) == rows.count() == 20
        assert rows.where("error is not null").count() == 0


def test_charsets_formats_and_nulls_by_row(session):
    from pyspark.sql.functions import col

    rows = [
        (1, "見て http://例え.jp/道。".encode("shift_jis"), "shift_jis", None),
        (2, "siehe http://bücher.example/ü!".encode(), "no-such-label", "text"),
        (3, None, "utf-8", "html"),
        (4, b"<a href='b.html?a&amp;b'>", None, "html"),
        (5, b"http://a.example/", None, "no-such-format"),
        (6, b"Subject: http://m.example/\nContent-Transfer-Encoding: base64\n\naHR0cDovL24uZXhhbXBsZS8=", None, "mail"),
        (7, b"", None, None),
    ]
    df = session.createDataFrame(rows, "id int, body binary, charset string, format string")
    links = spark.find_links(df, "body", charset=col("charset"), format=col("format"), id="id")
    found = [(link["id"], link["start"], link["iri"]) for link in links.collect() if link["kind"]]
    assert sorted(found, key=str) == [
        (1, 5, "http://例え.jp/道"),
        (2, 6, "http://bücher.example/ü"),
        (4, 9, "b.html?a&b"),
        (6, 9, "http://m.example/"),
        (6, None, "http://n.example/"),
    ]
    (error,) = (link for link in links.collect() if link["error"])
    assert error["id"] == 5 and error["start"] is None and "no-such-format" in error["error"]

    clean = spark.rewrite_links(df, "body", charset=col("charset"), format=col("format"))
    assert clean.columns == df.columns and clean.schema == df.schema
    new = {row["id"]: row for row in clean.collect()}
    assert len(new) == len(rows)
    for id, body, charset, format in rows:
        assert (new[id]["charset"], new[id]["format"]) == (charset, format)
        if id not in (1, 2):
            assert new[id]["body"] == body
    assert bytes(new[1]["body"]) == "見て http://xn--r8jz45g.jp/%E9%81%93。".encode("shift_jis")
    assert bytes(new[2]["body"]) == b"siehe http://xn--bcher-kva.example/%C3%BC!"


def test_strings_that_are_not_utf8(session):
    df = session.createDataFrame([(b"http://a.example/\xff http://b.example/\xc3\xa4",)], "b binary")
    df = df.selectExpr("cast(b as string) as t")
    assert [link["uri"] for link in spark.find_links(df, "t").collect()] == [
        "http://a.example/",
        "http://b.example/%C3%A4",
    ]
    new = spark.rewrite_links(df, "t").selectExpr("cast(t as binary) as b").collect()
    assert bytes(new[0]["b"]) == b"http://a.example/\xff http://b.example/%C3%A4"


def test_a_link_without_a_uri_says_why(session):
    text = "http://a\u00ad\u200b\u0300..\u0300example./ http://x.example/ http://\u0300.example/"
    df = session.createDataFrame([(text,)], "t string")
    links = spark.find_links(df, "t").collect()
    want = iriscan.find(text.encode())
    assert [(l["start"], l["uri"], l["error"]) for l in links] == [(l.start, l.uri, l.error) for l in want]
    assert any(link.error for link in want)


def test_rewriting_keeps_all_other_columns(session):
    rows = [(n, f"見て http://例え.jp/{n}。" if n % 3 else None, [n], {"a": n}) for n in range(3000)]
    df = session.createDataFrame(rows, "`a.b` int, `t t` string, c array<int>, d map<string, int>")
    new = spark.rewrite_links(df, "t t").collect()
    assert [(r[0], r[1], r[2], r[3]) for r in new] == [
        (n, t and iriscan.rewrite(t), c, d) for n, t, c, d in rows
    ]
    links = spark.find_links(df, "t t", id=["a.b"]).collect()
    assert len(links) == 2000 and links[0]["a.b"] == 1


def test_wrong_arguments_are_errors_at_once(session):
    from pyspark.sql.functions import col, lower

    df = session.createDataFrame([(1, "x", 2)], "id int, t string, start int")
    for wrong, error in [
        (lambda: spark.find_links(df, "u"), "there is no column 'u'"),
        (lambda: spark.find_links(df, "id"), "expected string or binary"),
        (lambda: spark.find_links(df, "t"), "rename yours"),
        (lambda: spark.find_links(df, "t", id="ids"), "there is no column 'ids'"),
        (lambda: spark.find_links(df, "t", id="id", rules="x"), "rules"),
        (lambda: spark.find_links(df, col("u")), "text: .*u.* cannot be resolved"),
        (lambda: spark.find_links(df, "t", id=col("u")), "id: .*u.* cannot be resolved"),
        (lambda: spark.find_links(df, "t", id="id", extra=["x"]), "extra"),
        (lambda: spark.rewrite_links(df, lower("t")), "there is no column 'lower"),
        (lambda: spark.find_links(df, "t", id="id", charset="x"), "charset"),
        (lambda: spark.find_links(df, "t", id="id", max_bytes=0), "max_bytes"),
        (lambda: spark.rewrite_links(df, "t", format="x"), "format"),
        (lambda: spark.read_warc(session, "x", split_bytes=0), "split_bytes"),
    ]:
        with pytest.raises(ValueError, match=error):
            wrong()
    with pytest.raises(FileNotFoundError, match="no such file"):
        spark.read_warc(session, Path("/nowhere/*.gz"))
    with pytest.raises(TypeError):
        spark.find_links(df, "t", id="id", no_such_option=1)


def test_columns_are_named_by_strings_without_case_and_by_columns(session):
    from pyspark.sql.functions import col, lower

    df = session.createDataFrame([(7, "see http://BÜCHER.example/Ü", None)], "Id int, Text string, c string")
    for text in ("Text", "text", "TEXT", col("Text"), col("text"), df["text"]):
        (link,) = spark.find_links(df, text).collect()
        assert (link["Id"], link["iri"]) == (7, "http://BÜCHER.example/Ü")
        assert "Text" not in link.asDict() and "c" in link.asDict()
        clean = spark.rewrite_links(df, text)
        assert clean.schema == df.schema
        assert clean.collect()[0]["Text"] == "see http://xn--bcher-kva.example/%C3%9C"
    # The name in the result is that of the caller.
    links = spark.find_links(df, lower("text"), id=["ID", col("text").alias("t")], extra=["domain"])
    (link,) = links.collect()
    assert (link["ID"], link["iri"]) == (7, "http://bücher.example/ü")
    assert (link["t"], link["domain"]) == ("see http://BÜCHER.example/Ü", "xn--bcher-kva.example")
    assert spark.find_links(df, "text", id=col("Id")).columns[0] == "Id"
    clean = spark.rewrite_links(df, lower("text").alias("C"))
    assert clean.columns == ["Id", "Text", "c"]
    assert clean.collect()[0]["c"] == "see http://xn--bcher-kva.example/%C3%BC"
    assert df.schema == df.select("*").schema


def test_the_case_of_names_counts_if_spark_says_so(session):
    df = session.createDataFrame([("http://a.example/", "http://b.example/")], "t string, T string")
    with pytest.raises(ValueError, match="'t' may be any of"):
        spark.find_links(df, "t")
    session.conf.set("spark.sql.caseSensitive", "true")
    try:
        (link,) = spark.find_links(df, "T").collect()
        assert (link["t"], link["host"]) == ("http://a.example/", "b.example")
        upper = session.createDataFrame([("http://a.example/", 1)], "t string, START int")
        assert spark.find_links(upper, "t").collect()[0]["START"] == 1
    finally:
        session.conf.unset("spark.sql.caseSensitive")
    with pytest.raises(ValueError, match="rename yours"):
        spark.find_links(upper, "t")


def test_a_frame_of_pandas(session):
    import pandas

    frame = pandas.DataFrame({"id": [1, 2], "text": ["see http://bücher.example/", None]})
    df = session.createDataFrame(frame)
    assert [link["uri"] for link in spark.find_links(df, "text").collect()] == ["http://xn--bcher-kva.example/"]
    clean = spark.rewrite_links(df, "text").toPandas()
    assert clean["text"][0] == "see http://xn--bcher-kva.example/" and pandas.isna(clean["text"][1])


def test_links_as_columns(session):
    from pyspark.sql.functions import col

    from iriscan.spark import functions

    rows = [("see http://www.bücher.co.uk/ü and http://b.example/",), (None,), ("none",)]
    df = session.createDataFrame(rows, "t string")
    uris = ["http://www.xn--bcher-kva.co.uk/%C3%BC", "http://b.example/"]
    wanted = [
        (functions.uris("t"), [uris, None, []]),
        (functions.uris(col("t").cast("binary")), [uris, None, []]),
        (functions.hosts("t"), [["www.xn--bcher-kva.co.uk", "b.example"], None, []]),
        (functions.domains("t"), [["xn--bcher-kva.co.uk", "b.example"], None, []]),
        (functions.first("t", "domain"), ["xn--bcher-kva.co.uk", None, None]),
        (functions.count("t"), [2, None, 0]),
        (functions.has_link("t"), [True, None, False]),
        (functions.rewrite("t"), [f"see {uris[0]} and {uris[1]}", None, "none"]),
        (functions.replace("t", "<{n}>"), ["see <1> and <2>", None, "none"]),
    ]
    found = df.select(*(column.alias(f"c{n}") for n, (column, _) in enumerate(wanted))).collect()
    for n, (_, want) in enumerate(wanted):
        assert [row[n] for row in found] == want
    assert df.filter(functions.has_link("t")).count() == 1
    with pytest.raises(iriscan.ConfigError):
        functions.uris("t", kinds="x")


def done_in(session, capsys, *words):
    """What a job prints in this session, and its output as a table."""
    options = arguments(*words)
    assert job.run(session, options) == 0
    return report(capsys), options.output


@pytest.mark.parametrize("format", INPUTS)
def test_the_job_that_counts_hosts(session, capsys, tmp_path, data, format):
    words = ["--input", data / format, *INPUTS[format]]
    words = words[: words.index("--id")] if "--id" in words else words
    printed, output = done_in(session, capsys, "hosts", *words, "--output", tmp_path / "hosts")
    assert printed.keys() == {"hosts", "links", "errors"}
    want = one_machine(capsys, *words)
    assert (printed["links"], printed["errors"]) == (want["links"], want["errors"])
    rows = pq.read_table(output).to_pylist()
    counts = [row["links"] for row in rows]
    assert counts == sorted(counts, reverse=True) and sum(counts) == int(want["links"])
    hosts = [row["host"] for row in rows if row["host"] is not None]
    assert len(set(hosts)) == len(hosts) == int(printed["hosts"])
    assert not [host for host in hosts if host.isascii() and host != host.lower()]


def test_the_job_that_counts_domains(session, capsys, tmp_path):
    lines = [{"t": "http://a.b.co.uk http://c.B.co.uk/x http://192.0.2.1/"}, {"t": None}, {"t": "http://例え.jp"}]
    (tmp_path / "in.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    words = ["--input", tmp_path / "in.jsonl", "--input-format", "jsonl", "--column", "T"]
    printed, output = done_in(session, capsys, "hosts", *words, "--by", "domain", "--output", tmp_path / "out")
    assert printed == {"domains": "2", "links": "4", "errors": "0"}
    assert sorted(pq.read_table(output).to_pylist(), key=str) == [
        {"domain": "b.co.uk", "links": 2},
        {"domain": "xn--r8jz45g.jp", "links": 1},
        {"domain": None, "links": 1},
    ]


def rewritten(text):
    return None if text is None else iriscan.rewrite(text)


@pytest.mark.parametrize("format", ["parquet", "jsonl", "text"])
def test_the_job_that_rewrites(session, capsys, tmp_path, data, format):
    words = ["--input", data / format, "--input-format", format]
    words += [] if format == "text" else ["--column", "BODY"]
    printed, output = done_in(session, capsys, "rewrite", *words, "--output", tmp_path / "new")
    files = sorted(Path(output).glob("part-*"))
    if format == "text":
        old = next((data / format).rglob("*.txt")).read_bytes()
        # The charset of each line is detected.
        lines = old.removesuffix(b"\n").split(b"\n")
        new = b"".join(file.read_bytes() for file in files)
        assert new == b"".join(iriscan.rewrite(line) + b"\n" for line in lines)
        count = len(lines)
    elif format == "jsonl":
        def objects(path):
            # Not splitlines: a text may have U+2028.
            return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]

        new = [row for file in files for row in objects(file)]
        rows = objects(next((data / format).rglob("*.jsonl")))
        # Spark leaves out a field that is null.
        assert [row.get("body") for row in new] == [rewritten(row["body"]) for row in rows]
        count = len(rows)
    else:
        old = pq.read_table(data / format)
        new = pq.read_table(output)
        assert new.schema.names == old.schema.names
        texts = dict(zip(old["id"].to_pylist(), old["body"].to_pylist(), strict=True))
        assert {row["id"]: row["body"] for row in new.to_pylist()} == {
            id: rewritten(text) for id, text in texts.items()
        }
        count = old.num_rows
    assert printed == {"rows": str(count)}


def mapped_in(mapper, batches):
    """The seconds of processor time and the bytes of a mapper, as a row."""
    import time

    import pyarrow as pa

    batches = list(batches)
    size = sum(batch.column("t").nbytes for batch in batches)
    start = time.thread_time_ns()
    for _ in mapper(iter(batches)):
        pass
    spent = time.thread_time_ns() - start
    yield pa.RecordBatch.from_pylist([{"spent": spent, "size": size}])


@pytest.mark.slow
def test_a_worker_takes_little_more_time_than_one_machine(session, capsys):
    from iriscan.spark._links import FindLinks, Source

    rows = [(text,) for text in texts(10_000)]
    df = session.createDataFrame(rows, "t string").repartition(2).cache()
    df.count()
    mapper = FindLinks(Source("t", True, {"charset": None, "format": "text"}, {}, {}), {}, {}, 1 << 26)
    measured = functools.partial(mapped_in, mapper)

    def in_workers():
        spent = df.mapInArrow(measured, "spent long, size long").collect()
        return sum(row["spent"] for row in spent) / sum(row["size"] for row in spent)

    def alone():
        (row,) = measured(iter([pa.RecordBatch.from_pylist([{"t": row[0]} for row in rows])]))
        return row.column("spent")[0].as_py() / row.column("size")[0].as_py()

    # Pairs, the best of each, because other work on the machine disturbs both; more pairs while
    # they do not settle the question.
    pairs = []
    while len(pairs) < 5 or (len(pairs) < 25 and ratio > 1.25):
        pairs.append((in_workers(), alone()))
        ratio = min(pair[0] for pair in pairs) / min(pair[1] for pair in pairs)
    with capsys.disabled():
        print(f"\n   ns a byte: {min(p[0] for p in pairs):.2f} in workers, {ratio:.2f} times alone")
    assert ratio <= 1.25


def command():
    from importlib import util

    location = Path(__file__).parents[1] / "conftest.py"
    spec = util.spec_from_file_location("shared_conftest", location)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.command()


MEDIA = {
    ".html": "text/html", ".htm": "text/html", ".xml": "text/xml", ".rdf": "application/rdf+xml",
    ".json": "application/json", ".ttl": "text/turtle", ".nt": "application/n-triples",
    ".nq": "application/n-quads", ".trig": "application/trig", ".txt": "text/plain",
    ".md": "text/markdown", ".eml": "text/plain", ".raw": "text/plain", ".dat": "text/plain",
    ".png": "image/png", ".jpg": "image/jpeg",
}  # fmt: skip


@pytest.mark.slow
def test_all_corpora_as_an_archive_equal_the_command(session, tmp_path):
    corpora, binary = ROOT.parent / "shared" / "corpora", command()
    if not corpora.is_dir() or binary is None:
        pytest.skip("the corpora or the command are missing")
    files = sorted(path for path in corpora.rglob("*") if path.is_file())
    with open(tmp_path / "all.warc.gz", "wb") as out:
        for number, path in enumerate(files):
            body, url = path.read_bytes(), f"http://corpora.example/{number}"
            media = MEDIA.get(path.suffix, "")
            if number % 3 == 0 and media:
                out.write(gzip.compress(record(url, body, f"Content-Type: {media}\r\n".encode()), 1))
            else:
                out.write(gzip.compress(resource(url, body, media), 1))
    command_line = [binary, "find", "-z", "--format", "warc", "--json", tmp_path / "all.warc.gz"]
    done = subprocess.run(command_line, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    want = {}
    for line in done.stdout.decode().split("\n"):
        if line:
            link = json.loads(line)
            want.setdefault(link["record"], []).append(link)
    pages = spark.read_warc(session, str(tmp_path), split_bytes=1 << 20)
    from pyspark.sql.functions import col

    links = spark.find_links(pages, "bytes", id="url", charset=col("charset"), format=col("format"))
    got = {}
    for link in links.collect():
        if link["kind"] is not None:
            got.setdefault(link["url"], []).append(link)
    assert got.keys() == want.keys() and len(got) > 1000
    for url, found in got.items():
        found.sort(key=lambda link: link["start"])
        assert [(l["kind"], l["uri"], l["iri"], l["host"], l["error"], l["warnings"]) for l in found] == [
            (l["kind"], l["uri"], l["iri"], l["host"], l.get("error"), l["warnings"]) for l in want[url]
        ], url
        # The command counts from the start of the archive.
        begin = want[url][0]["start"] - found[0]["start"]
        assert [(l["start"] + begin, l["end"] + begin) for l in found] == [
            (l["start"], l["end"]) for l in want[url]
        ], url
    print(sum(map(len, got.values())), "links")


def run(*words, **variables):
    """The job as a process of its own."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "iriscan.spark", *map(str, words)],
        capture_output=True, encoding="utf-8", timeout=300, env={**os.environ, **variables},
    )  # fmt: skip


def test_the_command_line(tmp_path, data):
    words = ["--input", data / "warc" / "*" / "*.gz", "--max-bytes", 10_000_000]
    want = run("digest", *words)
    assert want.returncode == 0, want.stderr
    digest = want.stdout.split()[-1]
    done = run("find", *words, "--output", tmp_path / "a", "--master", "local[2]", "--digest", digest)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == digest
    lines = ["--input", data / "jsonl", "--input-format", "jsonl", "--master", "local[1]"]
    for wrong, message in [
        (["--column", "nosuch"], "iriscan.spark: --column: there is no column 'nosuch'; there are ['body'"),
        (["--column", "body", "--id", "ids"], "iriscan.spark: --id: there is no column 'ids'"),
        (["--column", "body", "--output", "nofs://x/y"], 'No FileSystem for scheme "nofs"'),
    ]:
        done = run("find", *lines, "--output", tmp_path / "e", *wrong)
        assert done.returncode == 2 and "Traceback" not in done.stderr
        assert message in done.stderr.splitlines()[-1]
    # Another digest was expected.
    other = ["--input", data / "text", "--input-format", "text", "--digest", "0" * 16]
    done = run("find", *other, "--output", tmp_path / "b", "--master", "local-cluster[1,1,1024]")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "iriscan.spark: the digest is not 0000000000000000" in done.stderr.splitlines()
    done = run("find", *words, "--output", tmp_path / "d", "--master", "local[1]", JAVA_HOME="/nowhere")
    assert done.returncode == 2 and "install Java" in done.stderr.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        # Nothing is at this port; Spark tries it for a minute.
        (["--master", "spark://127.0.0.1:1"], "iriscan.spark: Spark ended before the job began"),
        # There is no place for a folder; that shows when the job writes.
        (["--master", "local[1]", "--output", "file:///proc/x"], "iriscan.spark: Mkdirs failed to create file:/proc/x"),
    ],
)
def test_no_stack_trace_of_java_is_printed(tmp_path, words, message):
    (tmp_path / "in").write_text('{"body": "http://a.example/"}\n', "utf-8")
    input = ["--input", tmp_path / "in", "--input-format", "jsonl", "--column", "body"]
    done = run("find", *input, "--output", tmp_path / "a", *words)
    said = done.stderr.splitlines()
    assert done.returncode == 2 and said[-1].startswith(message), done.stderr
    assert not [line for line in said if line.startswith(("\tat ", "Caused by: ", "Traceback"))]


@pytest.mark.slow
def test_the_commands_of_the_readme(tmp_path):
    """They end well, print what the README says, and leave nothing but their result."""
    from pyspark.find_spark_home import _find_spark_home

    work = Path(os.environ.get("SPARK_HOME") or _find_spark_home(), "work")

    def left():
        return {*ROOT.iterdir(), *(work.iterdir() if work.exists() else ())}

    before = left()
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^python -m iriscan\.spark (find .*)$", text, re.MULTILINE)
    assert len(commands) == 2 and "local-cluster" in commands[1]
    want = re.search(r"Both print (\d+) links and the digest `(\w+)`", text)
    for number, line in enumerate(commands):
        words = shlex.split(line)
        words[words.index("--output") + 1] = str(tmp_path / str(number))
        done = subprocess.run(
            [sys.executable, "-P", "-m", "iriscan.spark", *words],
            capture_output=True, encoding="utf-8", timeout=240, cwd=ROOT,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        lines = done.stdout.splitlines()
        assert lines[0] == f"links {want[1]}" and lines[-1] == f"digest {want[2]}"
        assert list((tmp_path / str(number)).glob("*/*.parquet"))
    assert left() == before


def test_the_readme_prints_this_digest(capsys):
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    want = one_machine(capsys, "--input", ROOT / "testdata" / "archive" / "pages.warc.gz")
    assert f"{want['links']} links and the digest `{want['digest']}`" in readme


def test_wrong_arguments_of_the_command(capsys, tmp_path):
    for wrong, message in [
        (["--input", "/nowhere/x", "--output", tmp_path / "c"], "no such file"),
        (["--input", "/nowhere/x", "--output", tmp_path / "c", "--rules", "x"], "rules"),
        (["--input", "x", "--output", tmp_path / "c", "--split-bytes", "0"], "above 0"),
        (["--input", "x", "--output", tmp_path / "c", "--max-bytes", "many"], "above 0"),
        (["--input", "x", "--output", tmp_path / "c", "--input-format", "jsonl"], "--column"),
        (["--input", "x"], "--output"),
        (["--input", "x", "--output", "y", "--id", "a"], "--id are for"),
        (["--input", "x", "--output", "y", "--input-format", "text", "--column", "a"], "are for"),
        (["--input", "x", "--output", "y", "--digest", "--no-counts"], "exclude each other"),
        (["--input", "x", "--output", "y", "--master", "bogus[2]"], "'bogus[2]' is no master of Spark"),
        (["--input", "x", "--output", "y", "--master", "local[two]"], "is no master of Spark"),
        (["--input", __file__, "--output", f"{__file__}/y"], "is a file; name a folder"),
    ]:
        try:
            words = ["--master", "local[1]", *map(str, wrong)]
            status = command_line.main(["find", *words])
        except SystemExit as e:
            status = e.code
        assert status == 2 and message in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "c").exists()


def test_without_fastwarc_all_else_works():
    code = """
import sys
sys.modules["fastwarc"] = None
from iriscan import spark
try:
    spark.read_warc(None, "x")
except ModuleNotFoundError as e:
    print(e)
"""
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, encoding="utf-8")
    assert "fastwarc" in done.stdout and "pip install 'iriscan[spark]'" in done.stdout, done.stderr


@pytest.mark.slow
def test_one_machine_recipes_give_the_digest_of_the_job(session, capsys, tmp_path, data):
    words = ["--input", data / "parquet", "--input-format", "parquet", "--column", "body"]
    digest = submitted(session, capsys, tmp_path, *words)["digest"]
    for engine in ("duckdb", "polars"):
        script = Path(__file__).parents[2] / "examples" / "one_machine_links.py"
        line = [sys.executable, "-P", script, engine, data / "parquet" / "a b.parquet", "body"]
        done = subprocess.run(line, capture_output=True, encoding="utf-8", timeout=100)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split()[-1] == digest
