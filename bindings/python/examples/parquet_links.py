"""Parquet: the links of a column of a file, written to another file batch by batch, so that memory
does not grow with the file.

python parquet_links.py TEXTS.parquet COLUMN LINKS.parquet

The result has the same rows, each with the list of its links.
"""

import sys

import iriscan
import pyarrow as pa
import pyarrow.parquet as pq

if len(sys.argv) != 4:
    sys.exit(__doc__)

source, column, target = sys.argv[1:]
with pq.ParquetFile(source) as file:
    schema = pa.schema([file.schema_arrow.field(column)])
    texts = pa.RecordBatchReader.from_batches(schema, file.iter_batches(columns=[column]))
    links = pa.RecordBatchReader.from_stream(iriscan.Finder().find_stream(texts))
    with pq.ParquetWriter(target, links.schema) as writer:
        for batch in links:
            writer.write_batch(batch)
