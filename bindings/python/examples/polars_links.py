"""Polars: a column of links beside a column of text, and one row for each link.

python polars_links.py TEXTS.csv
"""

import sys

import iriscan
import polars as pl

if len(sys.argv) != 2:
    sys.exit(__doc__)

finder = iriscan.Finder(kinds=("iri", "bare"))

# The type of the result, which a lazy query must know before it runs.
LINKS = pl.Series(finder.find_array(pl.Series([""]), offsets="chars")).dtype


def links(text: pl.Expr) -> pl.Expr:
    """The links of each row."""
    return text.map_batches(
        lambda column: pl.Series(finder.find_array(column, offsets="chars")),
        return_dtype=LINKS,
        is_elementwise=True,
    )


def rewritten(text: pl.Expr) -> pl.Expr:
    """Each row with URIs in place of its links."""
    return text.map_batches(
        lambda column: pl.Series(finder.rewrite_array(column)),
        return_dtype=pl.String,
        is_elementwise=True,
    )


frame = (
    pl.scan_csv(sys.argv[1])
    .with_columns(links(pl.col("text")).alias("link"), rewritten(pl.col("text")).alias("new"))
    .explode("link")
    .drop_nulls("link")
    .select("text", "new", pl.col("link").struct.field("uri", "host"))
    .collect()
)
print(frame.write_csv(), end="")
