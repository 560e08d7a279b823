"""Links of columns of text against the regular expressions of Polars and DuckDB.

    python benches/columns.py [ROWS]

Prints the median CPU time of each in one process and one thread, and how many times as fast
iriscan is: for the URIs alone, for all eight fields, for counting, and for rewriting where nothing
changes. What the peers do not do: the pattern knows no end of a link but a space, `<`, `>` or a
quote, so punctuation and sentences without spaces become part of links; it gives neither offsets,
nor hosts, nor URIs, nor warnings, only the text of each match.
"""

import os
import statistics
import sys
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
JAPANESE = [
    "明日の会議は三時からですよね？資料は昨日のうちに送りましたので確認をお願いします",
    "了解です！駅前のカフェで待っていますね。遅れそうだったら電話してください、お願いします",
    "この記事はとても面白かったです（https://ja.example.org/wiki/東京）ぜひ読んでみてください",
    "昨日はありがとうございました。写真はあとでまとめて送りますので少々お待ちください",
    "来週の水曜日に変更できますか？予定が入ってしまいました。すみませんがお願いします",
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


def compare(name, texts, ours, with_duckdb=False):
    """Prints the times of `ours`, by its name, and of the peers, for a column of these texts."""
    array = pa.array(texts)
    series = pl.Series("text", texts)
    works = {what: lambda work=work: work(array) for what, work in ours.items()}
    works["Polars str.extract_all"] = lambda: series.str.extract_all(PATTERN)
    if with_duckdb:
        db = duckdb.connect(config={"threads": 1})
        db.register("arrow", pa.table({"text": array}))
        db.execute("create table texts as select text from arrow")
        query = f"select regexp_extract_all(text, '{PATTERN}') from texts"
        works["DuckDB regexp_extract_all"] = lambda: db.sql(query).to_arrow_table()
    times = {what: cpu(work) for what, work in works.items()}
    links = sum(iriscan.Finder().count_array(array).to_pylist())
    matches = series.str.count_matches(PATTERN).sum()
    print(f"{name}: {len(texts)} rows, {array.nbytes / 1e6:.0f} MB, {links} links, {matches} matches")
    for what, seconds in times.items():
        ratio = times["Polars str.extract_all"] / seconds
        print(f"  {what:26} {seconds * 1000:7.0f} ms   Polars / this {ratio:6.2f}")


def compare_rewriting(name, texts):
    """The same for rewriting where nothing changes: the pattern is one that never matches."""
    array = pa.array(texts)
    series = pl.Series("text", texts)
    finder = iriscan.Finder()
    ours = cpu(lambda: finder.rewrite_array(array))
    theirs = cpu(lambda: series.str.replace_all(r"https?://[^\s<>\"]*[^\x00-\x7F][^\s<>\"]*", ""))
    print(f"{name}: {len(texts)} rows\n  rewrite_array {ours * 1000:7.0f} ms   Polars / this {theirs / ours:6.2f}")


def main():
    finder = iriscan.Finder()
    uri = {
        "uris_array": finder.uris_array,
        "find_array, fields=[uri]": lambda array: finder.find_array(array, fields=["uri"]),
    }
    eight = {"find_array, eight fields": finder.find_array}
    others = {"count_array": finder.count_array, "has_link_array": finder.has_link_array}
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rows = (CHAT * (count // len(CHAT) + 1))[:count]
    compare("chat, one link in five rows", rows, {**uri, **eight, **others}, with_duckdb=True)
    urls = [f"https://en.example.org/wiki/Page_{n}?action=history#top" for n in range(count // 4)]
    compare("a column of URLs", urls, {**uri, **eight})
    compare("Japanese chat", (JAPANESE * count)[: count // 2], {**uri, **eight})
    compare("documents of 10 KB, one link in each", [LONG] * (count // 100), {**uri, **eight})
    compare("documents of 10 KB, a link in each 900 bytes", [DENSE] * (count // 100), {**uri, **eight})
    compare_rewriting("chat in which nothing changes", rows)
    compare_rewriting("a column of URLs in which nothing changes", urls)


if __name__ == "__main__":
    main()
