"""DuckDB: functions for SQL that find and rewrite links, a vector of rows at a time.

python duckdb_links.py "select link.host, count(*) from (select unnest(links(text)) as link
from 'texts.csv') group by all order by all"
"""

import sys

import duckdb
import iriscan
import pyarrow as pa

if len(sys.argv) != 2:
    sys.exit(__doc__)

finder = iriscan.Finder(kinds=("iri", "bare"))
db = duckdb.connect()

LINK = duckdb.struct_type(
    {
        "start": "BIGINT",
        "end": "BIGINT",
        "kind": "VARCHAR",
        "iri": "VARCHAR",
        "uri": "VARCHAR",
        "host": "VARCHAR",
        "scheme": "VARCHAR",
        "warnings": "VARCHAR[]",
    }
)


def result(column):
    """A result of iriscan as a column of pyarrow, which DuckDB wants."""
    whole = isinstance(column, iriscan.ArrowArray)
    return pa.array(column) if whole else pa.chunked_array(column)


db.create_function(
    "links",
    lambda column: result(finder.find_array(column)),
    ["VARCHAR"],
    duckdb.list_type(LINK),
    type="arrow",
)
db.create_function(
    "rewritten",
    lambda column: result(finder.rewrite_array(column)),
    ["VARCHAR"],
    "VARCHAR",
    type="arrow",
)

for row in db.execute(sys.argv[1]).fetchall():
    print(*row, sep="\t")
