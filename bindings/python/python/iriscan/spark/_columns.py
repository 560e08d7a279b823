"""The columns of a DataFrame that a caller names, by strings or by expressions of Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructField


class Columns:
    """Finds the columns of `df` by their names, and adds those that are expressions.

    Names are compared as Spark compares them: without case, unless `spark.sql.caseSensitive` is true.
    """

    def __init__(self, df: DataFrame) -> None:
        self.df = df
        self.fields: list[StructField] = list(df.schema.fields)
        self._added: list[Column] = []
        self._exact = df.sparkSession.conf.get("spark.sql.caseSensitive", "false") == "true"

    def key(self, name: str) -> str:
        """What two names of one column have in common."""
        return name if self._exact else name.lower()

    def numbers(self, name: str) -> list[int]:
        """The numbers of the columns of `df` with this name."""
        key = self.key(name)
        return [at for at, field in enumerate(self.df.schema.fields) if self.key(field.name) == key]

    def number(self, argument: str, column: str | Column) -> int:
        """The number of this column. Raises `ValueError` that names `argument` if there is none, or
        more than one."""
        if not isinstance(column, str):
            return self.add(argument, column)
        numbers = self.numbers(column)
        if not numbers:
            raise ValueError(f"{argument}: there is no column {column!r}; there are {self.df.columns}")
        if len(numbers) > 1:
            names = [self.df.columns[at] for at in numbers]
            raise ValueError(
                f"{argument}: {column!r} may be any of the columns {names}; rename all but one"
                + ("" if self._exact else ", or set spark.sql.caseSensitive to true if case differs")
            )
        return numbers[0]

    def add(self, argument: str, column: Column) -> int:
        """The number of a column with this expression."""
        from pyspark.errors import AnalysisException

        try:
            (field,) = self.df.select(column).schema.fields
        except AnalysisException as e:
            raise ValueError(f"{argument}: {first_line(e)}") from e
        self._added.append(column)
        self.fields.append(field)
        return len(self.fields) - 1

    def numbered(self) -> DataFrame:
        """`df` with what was added, and numbers for names, because `mapInArrow` cannot read all
        names."""
        wide = self.df.select("*", *self._added)
        return wide.toDF(*(numbered(number) for number in range(len(self.fields))))


def numbered(number: int) -> str:
    """The name that the column with this number has in a task."""
    return f"c{number}"


def first_line(error: Exception) -> str:
    """The first line of an error of Spark, which may have the plan of a query after it."""
    return next(filter(str.strip, str(error).splitlines()), repr(error)).strip()
