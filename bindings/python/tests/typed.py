"""mypy reads this: what callers write must have the right types. It is never run."""

import io
import json
from pathlib import Path
from typing import Unpack

import iriscan
import iriscan.polars
import polars

links: list[iriscan.Link] = iriscan.find("text")
text: str = iriscan.rewrite("text")
data: bytes = iriscan.rewrite(b"bytes")
replaced: str = iriscan.replace("http://a.example/", "<{host}>")
array: bytearray = iriscan.Finder(kinds="iri,bare").replace(bytearray(), lambda link: link.uri)
for link in iriscan.find_iter(memoryview(b"")):
    piece: str = text[link.start : link.end]
    length: int = link.end - link.start
done: iriscan.Rewritten = iriscan.rewrite_file(Path("a"), io.BytesIO())
for event in iriscan.Finder().scanner().push(b""):
    source: bytes = event.source
mail: bytes = iriscan.rewrite_mail(b"", even_signed=True)
if iriscan.check("x", kind="uri"):
    uri: str = iriscan.to_uri("x", host="keep")
rows: list[dict[str, object]] = [link.asdict() for link in iriscan.find("x", kinds=["bare"])]
page: str = iriscan.linkify("x", attributes=lambda link: {"rel": link.kind}, kinds="email")
for link in iriscan.iter_file(Path("a"), progress=print, positions=True, format="html"):
    column: int = link.column
kinds: tuple[str, ...] = iriscan.Finder(kinds=("iri", "email")).kinds
dumped: str = json.dumps(links, default=iriscan.to_json)
# What is wrong is refused: mypy says so if one of these comments is not needed.
iriscan.find("x", kinds="foo")  # type: ignore[arg-type]
iriscan.find("x", kinds=["foo"])  # type: ignore[list-item]
iriscan.Finder(kinds="iri,foo")  # type: ignore[arg-type]
iriscan.Finder(format="htm")  # type: ignore[arg-type]
iriscan.Finder(max_length=5)  # type: ignore[call-arg]


class Hosts(iriscan.Finder):
    """A finder with something of its own."""

    def hosts(self, text: str) -> set[str | None]:
        return {link.host for link in self.find(text)}


# Nobody knows the type of `polars.col("x").iriscan`.
expression: polars.Expr = iriscan.polars.Links(polars.col("x")).uris(kinds="bare")
found: set[str | None] = Hosts(kinds="bare").hosts("www.a.example")


def hosts(text: str, **options: Unpack[iriscan.Options]) -> set[str | None]:
    return {link.host_key for link in iriscan.find(text, **options)}


class Column:
    """As `pyarrow.Array` is, for example."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        raise NotImplementedError


class Chunks:
    """As `polars.Series` is, for example."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        raise NotImplementedError


array_of_links: iriscan.ArrowArray = iriscan.Finder().find_array(Column(), offsets="chars")
new: iriscan.ArrowArray = iriscan.Finder().rewrite_array(Chunks())
stream: iriscan.ArrowStream = iriscan.Finder().find_stream(Chunks())
table: iriscan.ArrowArray = iriscan.find_table(Chunks(), extra=["domain"], kinds="bare")
uris: iriscan.ArrowArray = iriscan.Finder().uris_array(Chunks(), field="domain")
flags: iriscan.ArrowArray = iriscan.has_link_array(Column(), kinds="bare")
some: iriscan.ArrowArray = iriscan.Finder().find_array(Column(), fields=["uri", "host"])
