"""Links as expressions of Polars:

    import polars as pl
    import iriscan.polars

    df.with_columns(links=pl.col("text").iriscan.uris(), clean=pl.col("text").iriscan.rewrite())

The expressions work in lazy and in streaming queries, and release the interpreter lock while they
search, so several threads of Polars run. The columns are strings, bytes, categories or nulls; a null
stays null. Keyword arguments are the options of `iriscan.Finder`.

They pass columns by the Arrow PyCapsule interface. A plugin in the sense of Polars would have to be built
for versions of Polars, and cannot share a library of the stable ABI of CPython, which this package is.

A checker of types does not know `pl.col("text").iriscan`. `Links(pl.col("text"))` is the same, with types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from . import _columns

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._functions import Options
    from ._iriscan import _TextField

__all__ = ["Links"]


class Links:
    """The links of each row of an expression: `pl.col("text").iriscan`."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def uris(self, **options: Unpack[Options]) -> pl.Expr:
        """A list of the URIs of the links, as `str.extract_all` gives one of matches."""
        return self._mapped(_columns.texts("uri", **options))

    def hosts(self, **options: Unpack[Options]) -> pl.Expr:
        """A list of their hosts, in the form in which hosts are compared (`Link.host_key`)."""
        return self._mapped(_columns.texts("host_key", **options))

    def domains(self, **options: Unpack[Options]) -> pl.Expr:
        """A list of their registrable domains (`Link.domain`)."""
        return self._mapped(_columns.texts("domain", **options))

    def first(self, field: _TextField = "uri", **options: Unpack[Options]) -> pl.Expr:
        """The URI of the first link, or another field of it; null if there is none."""
        return self._mapped(_columns.first(field, **options))

    def count(self, **options: Unpack[Options]) -> pl.Expr:
        """The number of links."""
        return self._mapped(_columns.count(**options))

    def has_link(self, **options: Unpack[Options]) -> pl.Expr:
        """Whether there is a link: a filter."""
        return self._mapped(_columns.has_link(**options))

    def rewrite(self, **options: Unpack[Options]) -> pl.Expr:
        """The text with its links rewritten, as `Finder.rewrite` does."""
        return self._mapped(_columns.rewrite(**options))

    def replace(self, template: str, /, **options: Unpack[Options]) -> pl.Expr:
        """The text with a template in place of each link, as `Finder.replace` does."""
        return self._mapped(_columns.replace(template, **options))

    def _mapped(self, work: _columns.Work) -> pl.Expr:
        types = {
            "same": pl.self_dtype(),
            "texts": pl.List(pl.String),
            "text": pl.String,
            "number": pl.Int64,
            "flag": pl.Boolean,
        }

        def mapped(column: pl.Series) -> pl.Series:
            made = pl.Series(column.name, work(column))
            # Categories and a column of nulls become texts.
            return made if work.result != "same" else made.cast(column.dtype)

        return self._expr.map_batches(mapped, types[work.result], is_elementwise=True)


pl.api.register_expr_namespace("iriscan")(Links)
