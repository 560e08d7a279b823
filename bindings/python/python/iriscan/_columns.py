"""What Polars, DuckDB and Spark do with a column of texts: names for methods of a finder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ._iriscan import Finder

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._functions import Options
    from ._iriscan import ArrowArray, _Array, _Stream, _TextField

#: The type of a result: that of the column, a list of strings, a string, an integer or a boolean.
Result = Literal["same", "texts", "text", "number", "flag"]


@dataclass(frozen=True)
class Work:
    """A method of a finder, which takes a column, and the type of its result. It can be pickled."""

    finder: Finder
    result: Result
    # The field of `uris_array` and `first_array`.
    field: _TextField = "uri"
    template: str | None = None

    def __call__(self, column: _Array | _Stream) -> ArrowArray:
        """The result for each row."""
        match self.result:
            case "same" if self.template is not None:
                return self.finder.replace_array(column, self.template)
            case "same":
                return self.finder.rewrite_array(column)
            case "texts":
                return self.finder.uris_array(column, field=self.field)
            case "text":
                return self.finder.first_array(column, field=self.field)
            case "number":
                return self.finder.count_array(column)
            case "flag":
                return self.finder.has_link_array(column)


def texts(field: _TextField, **options: Unpack[Options]) -> Work:
    """A list of this field of the links of each row."""
    return Work(Finder(**options), "texts", field)


def first(field: _TextField, **options: Unpack[Options]) -> Work:
    """This field of the first link of each row."""
    return Work(Finder(**options), "text", field)


def count(**options: Unpack[Options]) -> Work:
    """The number of links of each row."""
    return Work(Finder(**options), "number")


def has_link(**options: Unpack[Options]) -> Work:
    """Whether each row has a link."""
    return Work(Finder(**options), "flag")


def rewrite(**options: Unpack[Options]) -> Work:
    """Each row with its links rewritten."""
    return Work(Finder(**options), "same")


def replace(template: str, /, **options: Unpack[Options]) -> Work:
    """Each row with a template in place of each link."""
    work = Work(Finder(**options), "same", template=template)
    # A wrong template is an error now, and not where the column is read.
    Finder(template=template)
    return work
