"""Links as columns of Spark, for `select`, `withColumn`, `filter` and `groupBy`:

    from pyspark.sql.functions import col, explode
    from iriscan.spark import functions as I

    df.select("id", explode(I.uris("text")).alias("uri"))
    df.filter(I.has_link("text")).groupBy(I.first("text", "domain")).count()

They take the name of a column of strings or bytes, or an expression; a null stays null. Keyword arguments
are the options of `iriscan.Finder`. Strings are UTF-8. They are functions of Arrow, so pyspark must be 4.1
or newer. `iriscan.spark.find_links` gives a row for each link, with all its fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _columns
from ._missing import wanted

if TYPE_CHECKING:
    from pyspark.sql import Column
    from typing_extensions import Unpack

    from .._functions import Options
    from .._iriscan import _TextField

__all__ = ["count", "domains", "first", "has_link", "hosts", "replace", "rewrite", "uris"]


def uris(text: str | Column, **options: Unpack[Options]) -> Column:
    """An array of the URIs of the links."""
    return _column(text, _columns.texts("uri", **options))


def hosts(text: str | Column, **options: Unpack[Options]) -> Column:
    """An array of their hosts, in the form in which hosts are compared (`Link.host_key`)."""
    return _column(text, _columns.texts("host_key", **options))


def domains(text: str | Column, **options: Unpack[Options]) -> Column:
    """An array of their registrable domains (`Link.domain`)."""
    return _column(text, _columns.texts("domain", **options))


def first(text: str | Column, field: _TextField = "uri", **options: Unpack[Options]) -> Column:
    """The URI of the first link, or another field of it; null if there is none."""
    return _column(text, _columns.first(field, **options))


def count(text: str | Column, **options: Unpack[Options]) -> Column:
    """The number of links."""
    return _column(text, _columns.count(**options))


def has_link(text: str | Column, **options: Unpack[Options]) -> Column:
    """Whether there is a link: a filter."""
    return _column(text, _columns.has_link(**options))


def rewrite(text: str | Column, **options: Unpack[Options]) -> Column:
    """The text as a string with its links rewritten, as `iriscan.Finder.rewrite` does."""
    return _column(text, _columns.rewrite(**options))


def replace(text: str | Column, template: str, /, **options: Unpack[Options]) -> Column:
    """The text as a string with a template in place of each link, as `iriscan.Finder.replace` does."""
    return _column(text, _columns.replace(template, **options))


_TYPES = {
    "same": "string",
    "texts": "array<string>",
    "text": "string",
    "number": "long",
    "flag": "boolean",
}


def _column(text: str | Column, work: _columns.Work) -> Column:
    wanted("pyspark", "pyarrow")
    try:
        from pyspark.sql.functions import ArrowUDFType, arrow_udf
    except ImportError as e:
        why = "iriscan.spark.functions needs pyspark 4.1 or newer; install it"
        raise ModuleNotFoundError(why, name="pyspark") from e

    def made(texts: Any) -> Any:
        import pyarrow as pa

        types = {
            "same": pa.string(),
            "texts": pa.list_(pa.string()),
            "text": pa.string(),
            "number": pa.int64(),
            "flag": pa.bool_(),
        }
        return pa.array(work(texts)).cast(types[work.result])

    function: Any = arrow_udf(made, _TYPES[work.result], ArrowUDFType.SCALAR)
    column: Column = function(text)
    return column
