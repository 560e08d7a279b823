"""pandas: a table with a row for each link of a column of text, under the index of the text.

python pandas_links.py TEXTS.csv
"""

import sys

import iriscan
import pandas as pd
import pyarrow as pa

if len(sys.argv) != 2:
    sys.exit(__doc__)

finder = iriscan.Finder(kinds=("iri", "bare"))


def links(text: pd.Series) -> pd.DataFrame:
    """The links of all rows, with the row's index and the columns start, end, iri, uri, …"""
    lists = pa.chunked_array(finder.find_array(text, offsets="chars")).combine_chunks()
    fields = [field.name for field in lists.type.value_type]
    table = pa.table(lists.flatten().flatten(), names=fields)
    return table.to_pandas().set_index(text.index[lists.value_parent_indices().to_numpy()])


def rewritten(text: pd.Series) -> pd.Series:
    """Each row with URIs in place of its links."""
    column = pa.chunked_array(finder.rewrite_array(text))
    return column.to_pandas().set_axis(text.index)


texts = pd.read_csv(sys.argv[1])
table = texts.join(links(texts["text"])[["uri", "host"]], how="inner")
print(table.to_csv(index=False), end="")
print(rewritten(texts["text"]).to_csv(index=False, header=False), end="")
