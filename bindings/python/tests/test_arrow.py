"""Columns of Apache Arrow."""

import gc
import re
import resource
import threading
import time

import arro3.core
import duckdb
import pandas
import polars
import pyarrow as pa
import pytest
from conftest import interop
from hypothesis import given, settings
from hypothesis import strategies as st
from test_laws import FORMATS, finders, texts

import iriscan
from iriscan import Finder

STRINGS = [pa.string(), pa.large_string(), pa.string_view()]
BINARIES = [pa.binary(), pa.large_binary(), pa.binary_view()]
TYPES = [pytest.param(kind, id=str(kind)) for kind in STRINGS + BINARIES]
ROWS = [
    "見て http://例え.jp/道。",
    None,
    "",
    "none",
    "see http://a.example/ and https://u@bücher.example:80/ü?q#f, too",
    "http://b.example/" + "long/" * 20,
]


def column(rows, kind):
    """A column of `rows`, which are str or None."""
    if kind in BINARIES:
        rows = [row if row is None else row.encode() for row in rows]
    return pa.array(rows, kind)


def rows_of(links):
    """The rows of a result, as Python objects."""
    is_stream = isinstance(links, iriscan.ArrowStream)
    links = pa.chunked_array(links) if is_stream else pa.array(links)
    links.validate(full=True)
    return links.to_pylist()


def expected(finder, rows, encode=str.encode):
    """What `find` says of each row, which is str or None."""
    return [
        None if row is None else [
            {
                "start": link.start, "end": link.end, "kind": link.kind, "iri": link.iri,
                "uri": link.uri, "host": link.host, "scheme": link.scheme,
                "warnings": list(link.warnings),
            }
            for link in finder.find(encode(row))
        ]
        for row in rows
    ]  # fmt: skip


@pytest.mark.parametrize("kind", TYPES)
def test_every_text_type(kind):
    finder = Finder(kinds=("iri", "bare", "email"), charset="utf-8")
    links = finder.find_array(column(ROWS, kind))
    assert rows_of(links) == expected(finder, ROWS)
    large = "large" in str(kind)
    made = pa.array(links).type
    assert pa.types.is_large_list(made) == large
    assert made.value_type.field("uri").type == (pa.large_string() if large else pa.string())
    if kind in STRINGS:
        chars = finder.find_array(column(ROWS, kind), offsets="chars")
        assert rows_of(chars) == expected(finder, ROWS, str)


def test_templates():
    finder = Finder(template="[{n}: {host}{path}]")
    column = pa.array(["http://www.a.example/x http://b.example/é", None, "none", "http://a.example/"])
    rows = pa.array(finder.rewrite_array(column)).to_pylist()
    assert rows == ["[1: www.a.example/x] [2: b.example/é]", None, "none", "[1: a.example/]"]


def test_warnings_are_those_of_links():
    """A column does without computing the warnings of plain links."""
    hosts = [
        "a.example", "a-b.example", "a--b.example", "-a.example", "a-.example", "xn--a.example", "A.B.example",
        "1.2.3.4", "1.2.3.999", "a.1", "1", "a_b.example", "a..example", "a.example.", "x" * 63 + ".de",
        "x" * 64 + ".de", ".".join(["y" * 60] * 4), ".".join(["y" * 60] * 5), "u@a.example", "a.example:80",
        "a.example:", "[::1]", "xn--bcher-kva.example", "a%2db.example", "bücher.example", "ab--c.example",
    ]  # fmt: skip
    tails = ["", "/", "/p?q#f", "/#a#b", "/%E9", "/%C3%A9", "/a|b", "/a^{}", "/[x]", "?@:!$&'()*+,;=", "/é", "/~x"]
    links = [scheme + host + tail for scheme in ("http://", "https://", "HTTP://", "ftp://") for host in hosts for tail in tails]
    rows = [f"{before}{link}{after}" for link in links for before, after in (("", ""), (" ", " "), ("（", "）"))]
    finder = Finder(rules="prose")
    assert rows_of(finder.find_array(pa.array(rows))) == expected(finder, rows)
    data = [row.encode() for link in links for row in (f"\u00ff{link}", link)]
    data = [row.replace(b"\xc3\xbf", b"\xff") for row in data] + [row + b"\xe3\x81 x" for row in data]
    text = pa.Array.from_buffers(pa.string(), len(data), pa.array(data).buffers())
    links = pa.array(finder.find_array(text)).to_pylist()
    strings = Finder(charset="utf-8")
    for row, found in zip(data, links, strict=True):
        assert [link["warnings"] for link in found] == [list(link.warnings) for link in strings.find(row)]


@pytest.mark.parametrize("kind", TYPES)
def test_slices(kind):
    whole = column(ROWS * 5, kind)
    for start in range(12):
        for length in (0, 1, 2, 7, 13):
            part = whole.slice(start, length)
            rows = (ROWS * 5)[start : start + length]
            assert rows_of(Finder().find_array(part)) == expected(Finder(), rows)
            new = pa.array(Finder(charset="utf-8").rewrite_array(part))
            new.validate(full=True)
            assert new.type == kind
            assert new.equals(column([row and iriscan.rewrite(row) for row in rows], kind))


@pytest.mark.parametrize("kind", TYPES)
def test_chunks(kind):
    chunks = [column(rows, kind) for rows in ([], ROWS[:1], [None], ROWS, [])]
    flat = ROWS[:1] + [None] + ROWS
    for chunked in (pa.chunked_array(chunks), pa.chunked_array([], kind)):
        rows = flat if len(chunked) else []
        result = Finder().find_array(chunked)
        assert rows_of(result) == rows_of(result) == expected(Finder(), rows)
        assert pa.chunked_array(result).num_chunks == chunked.num_chunks
        assert rows_of(Finder().find_stream(chunked)) == expected(Finder(), rows)
        new = pa.chunked_array(Finder(charset="utf-8").rewrite_array(chunked))
        assert new.equals(pa.chunked_array([column([row and iriscan.rewrite(row) for row in rows], kind)]))
        assert new.type == kind


def test_empty_and_null_columns():
    for kind in STRINGS + BINARIES:
        for rows in ([], [None], [""], [None] * 9):
            assert rows_of(Finder().find_array(column(rows, kind))) == expected(Finder(), rows)
            assert pa.array(Finder().rewrite_array(column(rows, kind))).to_pylist() == column(rows, kind).to_pylist()


@pytest.mark.parametrize("offsets", ["bytes", "chars"])
def test_the_schema_says_what_offsets_count(offsets):
    made = pa.array(Finder().find_array(pa.array(["x"]), offsets)).type
    for name in ("start", "end"):
        assert made.value_type.field(name).metadata == {b"iriscan.offsets": offsets.encode()}
    names = [field.name for field in made.value_type]
    assert names == ["start", "end", "kind", "iri", "uri", "host", "scheme", "warnings"]
    assert pa.field(Finder().find_array(pa.array(["x"]), offsets)).type == made


def test_binary_columns_are_in_the_charset_or_detected():
    rows = ["日本語の文章です。http://例え.jp/道 をご覧ください。", None, "http://a.example/é"]
    for charset in ("shift_jis", "utf-16-le", "utf-8"):
        encoded = [row and row.replace("é", "").encode(charset) for row in rows]
        finder = Finder(charset=charset.replace("16-", "16"))
        links = rows_of(finder.find_array(pa.array(encoded, pa.binary())))
        assert links[0][0]["uri"] == "http://xn--r8jz45g.jp/%E9%81%93"
        assert links == expected(finder, encoded, lambda row: row)
        back = pa.array(finder.rewrite_array(pa.array(encoded, pa.binary_view()))).to_pylist()
        assert back == [row and finder.rewrite(row) for row in encoded]
    # Row by row.
    mixed = [rows[0].encode("shift_jis") * 9, rows[0].encode(), rows[0].encode("utf-16")]
    assert [row[0]["iri"] for row in rows_of(Finder().find_array(pa.array(mixed)))] == ["http://例え.jp/道"] * 3
    # A column of strings is UTF-8 whatever the finder is for.
    assert rows_of(Finder(charset="shift_jis").find_array(pa.array(ROWS))) == expected(Finder(), ROWS)


def test_strings_that_are_not_utf8():
    lies = [b"http://a.example/\xff\xfe\xe9 x", b"\xe6\x97", b"\x80http://b.example/ \xf0"]
    data = pa.array(lies, pa.binary())
    for kind, read in ((pa.string(), pa.binary()), (pa.large_string(), pa.large_binary())):
        buffers = data.cast(read).buffers()
        text = pa.Array.from_buffers(kind, 3, buffers)
        for offsets in ("bytes", "chars"):
            links = pa.array(Finder().find_array(text, offsets))
            links.validate(full=True)
        assert [len(row) for row in links.to_pylist()] == [1, 0, 1]
        Finder().rewrite_array(text)


def test_wrong_offsets_make_an_error():
    for offsets in ([0, 9, 3], [2, 1, 3], [0, -4, 3], [0, 1 << 30, 3]):
        buffers = [None, pa.array(offsets, pa.int32()).buffers()[1], pa.py_buffer(b"abc")]
        text = pa.Array.from_buffers(pa.string(), 2, buffers)
        for call in (Finder().find_array, Finder().rewrite_array):
            with pytest.raises(ValueError, match="broken"):
                call(text)
    view = (99).to_bytes(4, "little") + b"http" + (7).to_bytes(4, "little") + bytes(4)
    text = pa.Array.from_buffers(pa.string_view(), 1, [None, pa.py_buffer(view)])
    with pytest.raises(ValueError, match="broken"):
        Finder().find_array(text)


def test_nothing_is_copied_if_nothing_changes():
    for kind in STRINGS + BINARIES:
        text = column(["see http://a.example/ and so on", None, "x"] * 9, kind).slice(2)
        new = pa.array(Finder().rewrite_array(text))
        assert [b and b.address for b in new.buffers()][1:] == [b and b.address for b in text.buffers()][1:]
    # Views of rows that stay point to the old text.
    text = column(["a row that stays as it is", "http://bücher.example/"], pa.string_view())
    new = pa.array(Finder().rewrite_array(text))
    assert new.buffers()[2].address == text.buffers()[2].address
    assert new.to_pylist() == ["a row that stays as it is", "http://xn--bcher-kva.example/"]


def test_record_batches():
    table = pa.table({"text": pa.chunked_array([ROWS, [], ROWS[:1]])})
    links = pa.RecordBatchReader.from_stream(Finder().find_stream(table.to_reader())).read_all()
    assert links.column_names == ["links"]
    assert links["links"].to_pylist() == expected(Finder(), ROWS + ROWS[:1])
    new = pa.table(Finder().rewrite_array(table))
    assert new.column_names == ["text"] and new.schema.field("text").type == pa.string()
    assert new["text"].to_pylist() == [row and iriscan.rewrite(row) for row in ROWS + ROWS[:1]]
    batch = table.to_batches()[0].slice(2, 3)
    assert pa.record_batch(Finder().find_array(batch))["links"].to_pylist() == expected(Finder(), ROWS[2:5])


def test_other_libraries():
    texts = ["見て http://例え.jp/道。", None, "none"]
    want = [["http://例え.jp/道"], None, []]

    def iris(rows):
        return [row if row is None else [link["iri"] for link in row] for row in rows]

    series = polars.Series("text", texts)
    links = polars.Series(Finder().find_array(series))
    assert iris(links.to_list()) == want
    assert polars.Series(Finder().rewrite_array(series)).to_list()[0] == iriscan.rewrite(texts[0])
    frame = polars.DataFrame(Finder().find_stream(series.to_frame()))
    assert iris(frame["links"].to_list()) == want
    with duckdb.connect() as db:
        db.register("texts", pa.table({"text": texts}))
        links = Finder().find_stream(db.sql("select text from texts"))
        assert iris(pa.table(links)["links"].to_pylist()) == want
    with duckdb.connect() as db:
        rows = pa.table({"links": pa.array(Finder().find_array(pa.array(texts)))})
        db.register("rows", rows)
        hosts = db.sql("select link.host from (select unnest(links) as link from rows)").fetchall()
        assert hosts == [("例え.jp",)]
    for dtype in ("str", "string[pyarrow]", pandas.ArrowDtype(pa.string())):
        links = Finder().find_array(pandas.Series(texts, dtype=dtype))
        assert iris(rows_of(links)) == want
    array = arro3.core.Array(pa.array(texts))
    assert iris(arro3.core.Array(Finder().find_array(array)).to_pylist()) == want


def test_errors_say_what_is_accepted():
    for wrong in (pa.array([1]), pa.array([["x"]]), pa.array([1]).dictionary_encode()):
        for call in (Finder().find_array, Finder().rewrite_array):
            with pytest.raises(TypeError, match="string, large_string, string_view, binary"):
                call(wrong)
    with pytest.raises(TypeError, match="one column, not 2"):
        Finder().find_stream(pa.table({"a": ["x"], "b": ["x"]}))
    for wrong in (["x"], "x", None, 3):
        with pytest.raises(TypeError, match="__arrow_c_array__"):
            Finder().find_array(wrong)
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        Finder().find_stream(["x"])
    with pytest.raises(iriscan.ConfigError, match="bytes or chars"):
        Finder().find_array(pa.array(["x"]), "words")
    with pytest.raises(ValueError, match="chars"):
        Finder().find_array(pa.array([b"x"]), "chars")

    class Wrong:
        def __arrow_c_array__(self, requested_schema=None):
            return "x", "y"

    with pytest.raises(TypeError):
        Finder().find_array(Wrong())


def test_capsules_are_taken_once():
    class Twice:
        def __init__(self, column):
            self.capsules = column.__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema=None):
            return self.capsules

    twice = Twice(pa.array(["x"]))
    Finder().find_array(twice)
    with pytest.raises(ValueError, match="already"):
        Finder().find_array(twice)
    links = Finder().find_stream(pa.chunked_array([["x"]]))
    pa.chunked_array(links)
    with pytest.raises(ValueError, match="already"):
        pa.chunked_array(links)


def test_a_stream_is_read_as_its_result_is():
    read = []

    def batches():
        for i in range(5):
            read.append(i)
            yield pa.record_batch({"text": [f"http://a.example/{i}"]})
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("text", pa.string())]), batches())
    links = pa.RecordBatchReader.from_stream(Finder().find_stream(reader))
    assert read == []
    assert next(links)["links"][0][0]["iri"].as_py() == "http://a.example/0"
    assert read == [0]
    with pytest.raises(Exception, match="the disk is gone"):
        list(links)
    reader = pa.RecordBatchReader.from_batches(pa.schema([("text", pa.string())]), batches())
    with pytest.raises(RuntimeError, match="the disk is gone"):
        Finder().find_array(reader)


def test_results_outlive_what_they_are_made_of():
    links = Finder().find_array(pa.array(["http://a.example/"] * 1000))
    new = Finder().rewrite_array(pa.array(["a long text without any link, " * 9, "http://é.example/"], pa.string_view()))
    stream = Finder().find_stream(pa.chunked_array([["http://a.example/"]] * 10))
    junk = [bytes(1000) for _ in range(1000)]
    assert pa.array(links)[999][0]["host"].as_py() == "a.example"
    assert pa.array(new)[0].as_py() == "a long text without any link, " * 9
    assert len(pa.chunked_array(stream)) == 10
    del junk


@pytest.mark.parametrize("name", ["find_array", "rewrite_array"])
def test_the_interpreter_runs_while_a_column_is_searched(name):
    text = pa.array(["word " * 200 + "http://a.example/é"] * 20_000)
    ticks, done = 0, threading.Event()

    def search():
        getattr(Finder(), name)(text)
        done.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.0005)
    thread.join()
    assert ticks > 3


def test_two_threads_share_a_finder_and_a_column():
    text = pa.array(ROWS * 2_000)
    finder = Finder()
    want = rows_of(finder.find_array(text))
    results = [None] * 4

    def search(n):
        results[n] = finder.find_array(text)

    threads = [threading.Thread(target=search, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(rows_of(result) == want for result in results)


def test_memory_is_flat():
    finder = Finder(kinds=("iri", "bare"))
    small, chunked = pa.array(ROWS), pa.chunked_array([ROWS, ROWS])
    large = pa.array(ROWS * 10_000, pa.string_view())

    def work(n):
        for i in range(n):
            pa.array(finder.find_array(small, "chars"))
            finder.find_array(small)
            finder.rewrite_array(small)
            pa.chunked_array(finder.find_stream(chunked))
            finder.find_stream(chunked)
            with pytest.raises(TypeError):
                finder.find_array(pa.chunked_array([[1]]))
            if i % 1000 == 0:
                finder.find_array(large)
                finder.rewrite_array(large)

    work(2_001)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(10_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8_000


def test_offsets_above_2_gib():
    """The rows are the last of a buffer that is never written to, so it takes no memory."""
    size = (1 << 31) + 100
    text = "見て http://例え.jp/道。".encode()
    try:
        data = pa.allocate_buffer(size + len(text))
    except MemoryError:
        pytest.skip("no memory")
    memoryview(data).cast("B")[size:] = text
    offsets = pa.array([size, size + len(text)], pa.int64()).buffers()[1]
    for kind in (pa.large_string(), pa.large_binary()):
        huge = pa.Array.from_buffers(kind, 1, [None, offsets, data])
        assert rows_of(Finder().find_array(huge)) == expected(Finder(), [text.decode()])
        new = pa.array(Finder().rewrite_array(huge)).cast(pa.large_binary())
        assert new.to_pylist() == [Finder().rewrite(text)]


@given(st.lists(st.one_of(st.none(), texts), max_size=6), finders, st.sampled_from(STRINGS + BINARIES), st.integers(0, 3))
@settings(max_examples=200)
def test_columns_have_the_links_of_their_rows(rows, finder, kind, skip):
    rows = [row if row is None else row.encode("utf-8", "replace").decode() for row in rows]
    text = column(rows, kind).slice(skip)
    rows = rows[skip:]
    if kind in STRINGS:
        assert rows_of(finder.find_array(text, "chars")) == expected(finder, rows, str)
        new = [row and finder.rewrite(row) for row in rows]
    else:
        assert rows_of(finder.find_array(text)) == expected(finder, rows)
        new = [None if row is None else finder.rewrite(row.encode()) for row in rows]
    assert pa.array(finder.rewrite_array(text)).to_pylist() == new


@pytest.mark.parametrize("format", FORMATS)
def test_gold_texts(format):
    cases = [case["text"] for case in interop() if "text" in case and case["options"].get("format", "text") == format]
    if not cases:
        pytest.skip("no cases")
    finder = Finder(format=format, kinds=("iri", "bare", "email"))
    for kind in STRINGS:
        links = rows_of(finder.find_array(pa.array(cases, kind), offsets="chars"))
        assert links == expected(finder, cases, str)


def given_as(rows):
    """Columns with the same rows, in many types and libraries."""
    texts = pa.array(rows)
    yield from (texts, texts.cast(pa.large_string()), texts.cast(pa.string_view()))
    for key in (pa.int8(), pa.uint8(), pa.int32(), pa.uint64()):
        for kind in (pa.string(), pa.large_string()):
            codes = texts.dictionary_encode()
            yield pa.DictionaryArray.from_arrays(codes.indices.cast(key), codes.dictionary.cast(kind))
    yield pa.concat_arrays([pa.array(["x"]), texts.cast(pa.string())]).dictionary_encode()[1:]
    yield pa.chunked_array([texts[:2], texts[2:2], texts[2:]])
    yield pa.chunked_array([texts[:2].dictionary_encode(), texts[2:].dictionary_encode()])
    yield from (polars.Series(rows), polars.Series(rows, dtype=polars.Categorical))
    categories = pandas.Categorical(rows, categories=[row for row in dict.fromkeys(rows) if row is not None])
    yield from (pandas.Series(rows, dtype=object), pandas.Series(categories))
    yield arro3.core.Array(texts)


@pytest.mark.parametrize("rows", [ROWS + ROWS[::-1], [None, None, None], []], ids=["some", "nulls", "none"])
def test_one_result_whatever_the_column_was(rows):
    finder = Finder()
    want = expected(finder, rows)
    new = [row if row is None else finder.rewrite(row) for row in rows]
    columns = [*given_as(rows), *([pa.nulls(len(rows)), polars.Series(rows)] if not any(rows) else [])]
    assert len(columns) >= 17
    for given in columns:
        links, written = finder.find_array(given), finder.rewrite_array(given)
        for result, values in ((links, want), (written, new)):
            assert type(result) is iriscan.ArrowArray and len(result) == len(rows)
            assert result.to_pylist() == list(result) == values
            # It can be read again and again, in one piece and in chunks.
            for _ in range(2):
                piece, chunks = pa.array(result), pa.chunked_array(result)
                piece.validate(full=True)
                chunks.validate(full=True)
                assert piece.to_pylist() == chunks.to_pylist() == values


EXTRA = ["text", "open", "absolute", "display", "host_key", "domain", "charset", "element", "attribute", "anchor"]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_binary()], ids=str)
def test_more_fields(kind):
    rows = [None, "<a href='//www.BÜCHER.co.uk/ü'>x</a> see http://a.example/", "<a href='y'>"]
    finder = Finder(format="html", elements=True, charset="utf-8")
    links = finder.find_array(column(rows, kind), extra=EXTRA)
    for row, found in zip(rows, links, strict=True):
        want = None if row is None else [
            link.asdict(*EXTRA) for link in finder.find(row.encode())
        ]
        assert (found and [{name: link[name] for name in EXTRA} for link in found]) == want
    assert rows_of(links) == links.to_pylist()
    assert links.to_pylist()[1][0]["domain"] == "xn--bcher-kva.co.uk"
    only = pa.array(finder.find_array(column(rows, kind), extra=["open"])).type.value_type
    assert [only.field(i).name for i in range(only.num_fields)][-2:] == ["warnings", "open"]
    with pytest.raises(iriscan.ConfigError, match='extra: "url" is no field; use text, open'):
        finder.find_array(column(rows, kind), extra=["url"])


def test_a_table_of_links():
    rows = [None, "none", ROWS[4], None, "http://a.example/", ROWS[0]]
    finder = Finder(kinds="iri,bare")
    want = [
        {"row": i, **link, "domain": domain.domain}
        for i, row in enumerate(rows)
        if row is not None
        for link, domain in zip(expected(finder, [row])[0], finder.find(row), strict=True)
    ]
    assert len(want) == 4
    whole = pa.array(rows)
    for given in (whole, whole.cast(pa.large_string()), whole.dictionary_encode(), pa.chunked_array([whole[:3], whole[3:]]),
                  pa.table({"text": whole}), pa.chunked_array([pa.array(["x"]), whole])[1:], pandas.Series(rows)):  # fmt: skip
        found = finder.find_table(given, extra=["domain"])
        assert list(found) == want and len(found) == 4
        assert pa.table(found).to_pylist() == want
        assert polars.DataFrame(found).to_dicts() == want
        count = duckdb.sql("select domain, count(*) from found group by domain order by domain").fetchall()
        assert count == [("a.example", 2), ("xn--bcher-kva.example", 1), ("xn--r8jz45g.jp", 1)]
        assert pandas.DataFrame.from_arrow(found)["row"].to_list() == [2, 2, 4, 5]
    assert list(finder.find_table(pa.nulls(3))) == [] == list(finder.find_table(pa.array([], pa.string())))
    assert iriscan.find_table(whole, kinds="iri,bare", extra=("domain",)).to_pylist() == want


FIELDS = ["start", "end", "kind", "iri", "uri", "host", "scheme", "warnings", "text", "open", "absolute"]
FIELDS += ["display", "host_key", "domain", "charset", "element", "attribute", "anchor"]
NOT_TEXTS = {"start", "end", "warnings"}


@pytest.mark.parametrize("kind", TYPES)
def test_only_the_fields_that_are_asked_for(kind):
    rows = [*ROWS, "http://a.example:80/\u00ad", "HTTP://A.example/ mailto:a@b.example"]
    finder = Finder(kinds="iri,bare,email")
    texts = column(rows, kind)
    usual = rows_of(finder.find_array(texts, extra=FIELDS[8:]))
    for fields in [[field] for field in FIELDS] + [["uri", "iri"], ["scheme", "warnings"], FIELDS[::-1], []]:
        found = rows_of(finder.find_array(texts, fields=fields))
        assert found == [
            None if row is None else [{field: link[field] for field in fields} for link in row] for row in usual
        ], fields
    types = pa.array(finder.find_array(texts, fields=("host", "start"), extra=["domain"])).type
    assert [field.name for field in types.value_type] == ["host", "start", "domain"]
    table = pa.table(pa.RecordBatch.from_struct_array(pa.array(finder.find_table(texts, fields=["uri"]))))
    assert table.column_names == ["row", "uri"] and len(table) == sum(map(len, filter(None, usual)))


@pytest.mark.parametrize("kind", TYPES)
def test_texts_first_counts_and_a_filter(kind):
    rows = [*ROWS, "http://a.example:80/\u00ad", "www.a.example mailto:a@b.example"]
    finder = Finder(kinds="iri,bare,email")
    large = kind in (pa.large_string(), pa.large_binary())
    text = pa.large_string() if large else pa.string()
    for texts in (column(rows, kind), column(["http://x.example", *rows], kind).slice(1)):
        links = rows_of(finder.find_array(texts, extra=FIELDS[8:]))
        for field in FIELDS:
            if field in NOT_TEXTS:
                continue
            found = pa.array(finder.uris_array(texts, field=field))
            assert found.type == (pa.large_list if large else pa.list_)(pa.field("item", text, False))
            values = [row and [link[field] for link in row if link[field] is not None] for row in links]
            assert rows_of(finder.uris_array(texts, field=field)) == values
            first = pa.array(finder.first_array(texts, field=field))
            assert first.type == text
            assert rows_of(first) == [row[0][field] if row else None for row in links]
        assert rows_of(finder.uris_array(texts)) == rows_of(finder.uris_array(texts, field="uri"))
        counts = [None if row is None else len(row) for row in links]
        assert pa.array(finder.count_array(texts)).type == pa.int64()
        assert rows_of(finder.count_array(texts)) == counts
        assert finder.count_array(texts).to_pylist() == counts
        has = [None if row is None else bool(row) for row in links]
        assert rows_of(finder.has_link_array(texts)) == has
        assert finder.has_link_array(texts).to_pylist() == has
        new = [row if row is None else finder.replace(row, "<{n}: {host}>") for row in rows]
        assert [
            row.decode() if isinstance(row, bytes) else row
            for row in rows_of(finder.replace_array(texts, "<{n}: {host}>"))
        ] == new


def test_texts_of_dictionaries_chunks_and_nulls():
    texts = pa.chunked_array([pa.array(["http://a.example/", None, "no"]).dictionary_encode()] * 2)
    finder = Finder()
    assert rows_of(finder.uris_array(texts)) == [["http://a.example/"], None, []] * 2
    assert rows_of(finder.first_array(texts)) == ["http://a.example/", None, None] * 2
    assert rows_of(finder.count_array(texts)) == [1, None, 0] * 2
    assert rows_of(finder.has_link_array(texts)) == [True, None, False] * 2
    assert finder.has_link_array(texts).to_pylist() == [True, None, False] * 2
    assert rows_of(finder.replace_array(texts, "x")) == ["x", None, "no"] * 2
    for method in (finder.uris_array, finder.first_array, finder.count_array, finder.has_link_array):
        assert rows_of(method(pa.nulls(3))) == [None] * 3
        assert rows_of(method(pa.array([], pa.string()))) == []
    batch = pa.record_batch({"text": ["http://a.example/", None]})
    assert pa.record_batch(finder.count_array(batch)).to_pydict() == {"links": [1, None]}


def test_wrong_fields_are_named():
    texts = pa.array(["x"])
    for wrong, message in [
        (lambda: Finder().find_array(texts, fields=["urls"]), 'fields: "urls" is no field; use start, end'),
        (lambda: Finder().find_array(texts, fields=["uri", "uri"]), '"uri" is there already'),
        (lambda: Finder().find_array(texts, fields=["domain"], extra=["domain"]), "is there already"),
        (lambda: Finder().uris_array(texts, field="start"), 'field: "start" is no field; use kind'),
        (lambda: Finder().first_array(texts, field="x"), "use kind, iri, uri"),
        (lambda: Finder().replace_array(texts, "{x}"), "template"),
    ]:
        with pytest.raises(iriscan.ConfigError, match=re.escape(message)):
            wrong()


def test_the_functions_for_columns():
    texts = pa.array(["www.a.example"])
    assert iriscan.uris_array(texts, kinds="bare").to_pylist() == [["www.a.example"]]
    assert iriscan.first_array(texts, kinds="bare", field="domain").to_pylist() == ["a.example"]
    assert iriscan.count_array(texts, kinds="bare").to_pylist() == [1]
    assert iriscan.has_link_array(texts).to_pylist() == [False]
    assert iriscan.replace_array(texts, "<{host}>", kinds="bare").to_pylist() == ["<www.a.example>"]
