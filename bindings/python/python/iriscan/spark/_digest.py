"""A number for a set of links, the same whatever the order and the program: the sum, modulo 2^64, of
the first 8 bytes of the SHA-256 of `file TAB start TAB end TAB kind TAB uri` of each link, null as
empty; for archives `record_offset TAB` follows `file TAB`. Rows without a link do not count."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column


def of_fields(*fields: str | int | None) -> int:
    """What one link adds, from its file, start and so on."""
    text = "\t".join("" if field is None else str(field) for field in fields)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def shown(total: int) -> str:
    """The digest for the sum of what all links add."""
    return f"{total % 2**64:016x}"


def sum_of(columns: list[str]) -> Column:
    """The sum of what the rows of a group add, for Spark, as a decimal number."""
    from pyspark.sql import functions as F

    fields = [F.coalesce(F.col(name).cast("string"), F.lit("")) for name in columns]
    digits = F.substring(F.sha2(F.concat_ws("\t", *fields), 256), 1, 16)
    # 38 digits hold the sum of 5 * 10^18 links.
    return F.coalesce(F.sum(F.conv(digits, 16, 10).cast("decimal(38,0)")), F.lit(0))
