"""One big machine: the links of a column of Parquet files, batch by batch, with DuckDB or Polars.

python one_machine_links.py duckdb|polars TEXTS.parquet COLUMN

Prints the number of links and the digest that `python -m iriscan.spark` prints for the same file.
Memory does not grow with the file.
"""

import hashlib
import sys
from pathlib import Path

import iriscan
import pyarrow as pa

if len(sys.argv) != 4:
    sys.exit(__doc__)

FINDER = iriscan.Finder(charset="utf-8")


def links_of(texts):
    """The links of a column: one list of structs for each row."""
    return pa.array(FINDER.find_array(texts))


def with_duckdb(source, column):
    """Yields the links as tables of pyarrow."""
    import duckdb

    db = duckdb.connect()
    query = db.sql(f'select "{column}" as text from read_parquet(?)', params=[source])
    for batch in query.to_arrow_reader(10_000):
        yield pa.Table.from_struct_array(links_of(batch.column("text")).flatten())


def with_polars(source, column):
    """Yields the links as tables of pyarrow."""
    import polars

    batches = polars.scan_parquet(source).select(column).collect_batches(chunk_size=10_000)
    for frame in batches:
        # One chunk, so that the result is one array.
        texts = frame[column].rechunk().to_arrow()
        yield pa.Table.from_struct_array(links_of(texts).flatten())


def number(file, start, end, kind, uri):
    """What a link adds to the digest."""
    text = f"{file}\t{start}\t{end}\t{kind}\t{uri or ''}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


engine, source, column = sys.argv[1:]
count = total = 0
for table in {"duckdb": with_duckdb, "polars": with_polars}[engine](source, column):
    fields = [table[name].to_pylist() for name in ("start", "end", "kind", "uri")]
    count += table.num_rows
    total += sum(number(Path(source).name, *link) for link in zip(*fields))
print(f"links {count}\ndigest {total % 2**64:016x}")
