"""The scripts in examples/ run, as a user would run them."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import iriscan

EXAMPLES = Path(__file__).parents[1] / "examples"
TEXTS = "id,text\n1,見て http://例え.jp/道。\n2,none\n3,www.a.example und http://bücher.example/ü\n4,\n"
URIS = ["http://xn--r8jz45g.jp/%E9%81%93", "www.a.example", "http://xn--bcher-kva.example/%C3%BC"]
HOSTS = ["例え.jp", "www.a.example", "bücher.example"]


def run(name, *arguments):
    """What a script prints."""
    command = [sys.executable, "-P", EXAMPLES / name, *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "texts.csv").write_text(TEXTS, encoding="utf-8")
    return tmp_path / "texts.csv"


def test_every_example_is_run():
    source = Path(__file__).read_text(encoding="utf-8")
    for example in EXAMPLES.glob("*.py"):
        assert f'run("{example.name}"' in source


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_without_arguments_prints_its_usage(example):
    done = subprocess.run([sys.executable, "-P", example], capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 1 and f"\npython {example.name} " in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""


def test_polars(texts):
    rows = run("polars_links.py", texts).splitlines()
    assert rows[0] == "text,new,uri,host"
    assert [row.split(",")[-2:] for row in rows[1:]] == [list(pair) for pair in zip(URIS, HOSTS)]
    assert rows[1].split(",")[1] == f"見て {URIS[0]}。"


def test_duckdb(texts):
    query = f"select link.uri, link.host from (select unnest(links(text)) as link from '{texts}')"
    assert run("duckdb_links.py", query).splitlines() == [f"{u}\t{h}" for u, h in zip(URIS, HOSTS)]
    out = run("duckdb_links.py", f"select rewritten(text) from '{texts}' where id != 4")
    assert out.splitlines() == [f"見て {URIS[0]}。", "none", f"www.a.example und {URIS[2]}"]
    # More rows than DuckDB gives to a function at once.
    query = "select count(l), max(l[1].host) from (select links('http://a.example/' || i) l from range(9999) t(i))"
    assert run("duckdb_links.py", query) == "9999\ta.example\n"


def test_pandas(texts):
    rows = run("pandas_links.py", texts).splitlines()
    assert rows[0] == "id,text,uri,host"
    assert [row.split(",")[-2:] for row in rows[1:4]] == [list(pair) for pair in zip(URIS, HOSTS)]
    assert rows[4:7] == [f"見て {URIS[0]}。", "none", f"www.a.example und {URIS[2]}"]


def test_parquet(tmp_path):
    rows = ["見て http://例え.jp/道。", None, "none"] * 50_000
    pq.write_table(pa.table({"id": range(len(rows)), "body": rows}), tmp_path / "texts.parquet")
    run("parquet_links.py", tmp_path / "texts.parquet", "body", tmp_path / "links.parquet")
    links = pq.read_table(tmp_path / "links.parquet")
    assert links.num_rows == len(rows)
    want = pa.array(iriscan.Finder().find_array(pa.array(rows[:300]))).to_pylist()
    assert links["links"][:300].to_pylist() == want


def test_progress(tmp_path):
    files = [tmp_path / f"{n}.txt" for n in range(3)]
    for file in files:
        file.write_text("見て http://例え.jp/道。", encoding="utf-8")
    assert run("progress.py", *files) == "3 links changed in 3 files\n"
    assert all(file.read_text(encoding="utf-8") == f"見て {URIS[0]}。" for file in files)


def test_one_machine(tmp_path):
    rows = ["見て http://例え.jp/道。", None, "none", "http://a.example/\u0300 http://ü.example"] * 9000
    table = pa.table({"body": pa.array(rows, pa.large_string())})
    pq.write_table(table, tmp_path / "texts.parquet", row_group_size=5000)
    links = [link for row in rows if row for link in iriscan.find(row.encode())]
    fields = (f"texts.parquet\t{l.start}\t{l.end}\t{l.kind}\t{l.uri or ''}" for l in links)
    digests = (hashlib.sha256(text.encode()).digest()[:8] for text in fields)
    total = sum(int.from_bytes(digest, "big") for digest in digests) % 2**64
    for engine in ("duckdb", "polars"):
        out = run("one_machine_links.py", engine, tmp_path / "texts.parquet", "body")
        assert out == f"links {len(links)}\ndigest {total:016x}\n"
