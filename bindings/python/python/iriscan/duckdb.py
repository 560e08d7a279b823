"""Links as functions of DuckDB:

    import duckdb
    import iriscan.duckdb

    con = duckdb.connect()
    iriscan.duckdb.register(con)
    con.sql("select unnest(iri_uris(text)) from chats")

The functions take columns of pyarrow, which must be installed, and release the interpreter lock while
they search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from duckdb import DuckDBPyConnection
    from typing_extensions import Unpack

    from ._functions import Options

__all__ = ["register"]


def register(connection: DuckDBPyConnection, **options: Unpack[Options]) -> None:
    """Adds these functions to a connection. Options are those of `iriscan.Finder`, for all of them.

    - `iri_uris(text)`: a list of the URIs of the links
    - `iri_host(url)`: the host of the first link, in the form in which hosts are compared
      (`Link.host_key`); null if there is none
    - `iri_domain(url)`: its registrable domain (`Link.domain`)
    - `iri_rewrite(text)`: the text with its links rewritten

    They take VARCHAR, to which DuckDB casts ENUM and JSON itself; a BLOB must be cast. A null stays
    null. To register a second time with other options, remove them first, with
    `connection.remove_function("iri_uris")` and so on.
    """
    functions = {
        "iri_uris": (_columns.texts("uri", **options), "VARCHAR[]"),
        "iri_host": (_columns.first("host_key", **options), "VARCHAR"),
        "iri_domain": (_columns.first("domain", **options), "VARCHAR"),
        "iri_rewrite": (_columns.rewrite(**options), "VARCHAR"),
    }
    for name, (work, result) in functions.items():
        connection.create_function(
            name, _of_arrow(work), ["VARCHAR"], result, type="arrow", null_handling="special"
        )


def _of_arrow(work: _columns.Work) -> Callable[[Any], Any]:
    """A function from columns of pyarrow to such."""
    import pyarrow as pa

    def call(texts: Any) -> Any:
        return pa.chunked_array(work(texts)).combine_chunks()

    return call
