"""Links of columns of text: `find_array` against the regular expressions of Polars and DuckDB.

    python benches/columns.py

Prints the median CPU time of each in one process and one thread, and how many times as fast
iriscan is. What the peers do not do: the pattern knows no end of a link but a space, `<`, `>` or a
quote, so punctuation and sentences without spaces become part of links; it gives neither offsets,
nor hosts, nor URIs, nor warnings, only the text of each match.
"""

import os
import statistics
import time

os.environ["POLARS_MAX_THREADS"] = "1"

import duckdb
import iriscan
import polars as pl
import pyarrow as pa

PATTERN = r'https?://[^\s<>"]+'
ROUNDS = 7

CHAT = [
    "ok see you at seven then, and bring the printed papers if you find them in the car please",
    "haha no way, I thought that it was on Tuesday: will you tell the others or shall I do it",
    "дякую, буду о сьомій годині, якщо автобус прийде вчасно; нагадай мені про папери, добре",
    "明日の会議は三時からですよね？資料は昨日のうちに送りましたので確認をお願いします",
    "look at https://en.example.org/wiki/Berlin?action=history#top, it has all that we need",
]
LONG = (
    "It was a long discussion, and nobody wrote down what was decided in the end: read the rest of "
    "it on the list. Some thought that the time was not right (12:30), others had left by then.\n"
) * 50 + "More at https://lists.example.org/archive/2024/05/message-1234.html if you like.\n"
DENSE = (
    "It was a long discussion, and nobody wrote down what was decided. " * 12
    + "More at https://lists.example.org/archive/2024/05/message-1234.html if you like.\n"
) * 12


def cpu(work):
    """The median CPU time of `work` in seconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def compare(name, texts):
    array = pa.array(texts)
    series = pl.Series("text", texts)
    finder = iriscan.Finder()
    db = duckdb.connect(config={"threads": 1})
    db.register("arrow", pa.table({"text": array}))
    db.execute("create table texts as select text from arrow")
    query = f"select regexp_extract_all(text, '{PATTERN}') from texts"
    works = {
        "iriscan": lambda: finder.find_array(array),
        "Polars str.extract_all": lambda: series.str.extract_all(PATTERN),
        "DuckDB regexp_extract_all": lambda: db.sql(query).to_arrow_table(),
    }
    times = {peer: cpu(work) for peer, work in works.items()}
    megabytes = array.nbytes / 1e6
    print(f"{name}: {len(texts)} rows, {megabytes:.0f} MB")
    for peer, seconds in times.items():
        ratio = seconds / times["iriscan"]
        print(f"  {peer:26} {seconds * 1000:7.0f} ms {megabytes / seconds:6.0f} MB/s {ratio:6.2f} x")


if __name__ == "__main__":
    compare("chat, one link in five rows", CHAT * 200_000)
    compare("long documents, one link in each", [LONG] * 10_000)
    compare("long documents, a link in each 900 bytes", [DENSE] * 10_000)
