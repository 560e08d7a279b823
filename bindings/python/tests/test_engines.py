"""Expressions of Polars and functions of DuckDB."""

import json
import threading

import duckdb
import polars as pl
import pyarrow as pa
import pytest

import iriscan
import iriscan.duckdb
import iriscan.polars

ROWS = ["see http://www.bücher.co.uk/ü and http://b.example/", None, "", "none", "http://a.example/"]
URIS = [["http://www.xn--bcher-kva.co.uk/%C3%BC", "http://b.example/"], None, [], [], ["http://a.example/"]]
CLEAN = ["see http://www.xn--bcher-kva.co.uk/%C3%BC and http://b.example/", *ROWS[1:]]
DOMAINS = [["xn--bcher-kva.co.uk", "b.example"], None, [], [], ["a.example"]]

LINKS = pl.col("text").iriscan
EXPRESSIONS = {
    "uris": (LINKS.uris(), pl.List(pl.String), URIS),
    "hosts": (
        LINKS.hosts(),
        pl.List(pl.String),
        [["www.xn--bcher-kva.co.uk", "b.example"], None, [], [], ["a.example"]],
    ),
    "domains": (LINKS.domains(), pl.List(pl.String), DOMAINS),
    "first": (LINKS.first("domain"), pl.String, [row[0] if row else None for row in DOMAINS]),
    "count": (LINKS.count(), pl.Int64, [2, None, 0, 0, 1]),
    "has_link": (LINKS.has_link(), pl.Boolean, [True, None, False, False, True]),
    "rewrite": (LINKS.rewrite(), pl.String, CLEAN),
    "replace": (
        LINKS.replace("<{n}>"),
        pl.String,
        ["see <1> and <2>", None, "", "none", "<1>"],
    ),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions_of_polars(name):
    expression, type, want = EXPRESSIONS[name]
    df = pl.DataFrame({"text": ROWS})
    for frame in (df, df.slice(1), pl.concat([df, df], rechunk=False)):
        made = frame.select(expression)
        assert made.schema == {"text": type}
        assert made["text"].to_list() == (want * 2)[: len(frame)] if len(frame) != 4 else want[1:]
    lazy = df.lazy().with_columns(made=expression)
    assert lazy.collect_schema()["made"] == type
    for engine in ("in-memory", "streaming"):
        assert lazy.collect(engine=engine)["made"].to_list() == want
    assert df.head(0).select(expression).schema == {"text": type}
    nulls = pl.DataFrame({"text": [None, None]}, schema={"text": pl.String})
    assert nulls.select(expression)["text"].to_list() == [None, None]


def test_other_columns_of_polars():
    df = pl.DataFrame({"text": ROWS})
    categories = df.select(pl.col("text").cast(pl.Categorical))
    assert categories.select(LINKS.uris())["text"].to_list() == URIS
    assert categories.select(LINKS.rewrite())["text"].cast(pl.String).to_list() == CLEAN
    binary = df.select(pl.col("text").cast(pl.Binary))
    assert binary.select(LINKS.uris())["text"].to_list() == URIS
    assert binary.select(LINKS.rewrite())["text"].to_list() == [None if row is None else row.encode() for row in CLEAN]
    with pytest.raises(TypeError, match="expected a column of string"):
        pl.DataFrame({"text": [1]}).select(LINKS.uris())


def test_options_and_errors_of_expressions():
    df = pl.DataFrame({"text": ["www.a.example"]})
    assert df.select(LINKS.uris())["text"].to_list() == [[]]
    assert df.select(LINKS.uris(kinds="bare"))["text"].to_list() == [["www.a.example"]]
    typed = iriscan.polars.Links(pl.col("text")).first(kinds="bare")
    assert df.select(typed)["text"].to_list() == ["www.a.example"]
    for wrong in (lambda: LINKS.uris(kinds="x"), lambda: LINKS.replace("{x}")):
        with pytest.raises(iriscan.ConfigError):
            wrong()


def test_expressions_in_several_threads():
    df = pl.DataFrame({"text": ROWS * 2000})
    results = []

    def work():
        results.append(df.lazy().select(LINKS.uris()).collect(engine="streaming")["text"].to_list())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [URIS * 2000] * 4


@pytest.fixture
def con():
    with duckdb.connect(config={"threads": 2}) as con:
        iriscan.duckdb.register(con)
        con.register("rows", pa.table({"text": ROWS}))
        yield con


def values(result):
    return [row[0] for row in result.fetchall()]


def test_functions_of_duckdb(con):
    assert values(con.sql("select iri_uris(text) from rows")) == URIS
    assert values(con.sql("select iri_rewrite(text) from rows")) == CLEAN
    assert values(con.sql("select iri_host(text) from rows")) == ["www.xn--bcher-kva.co.uk", None, None, None, "a.example"]
    assert values(con.sql("select iri_domain(text) from rows")) == ["xn--bcher-kva.co.uk", None, None, None, "a.example"]
    counted = con.sql("select iri_domain(u) d, count(*) n from (select unnest(iri_uris(text)) u from rows) group by d order by d")
    assert counted.fetchall() == [("a.example", 1), ("b.example", 1), ("xn--bcher-kva.co.uk", 1)]
    assert values(con.sql("select iri_uris(null)")) == [None]
    assert values(con.sql("select iri_host('http://A.example/')")) == ["a.example"]


def test_string_types_of_duckdb(con):
    con.execute("create type mood as enum ('http://a.example/', 'none')")
    con.execute("create table e as select unnest(['http://a.example/', 'none', null])::mood as text")
    assert values(con.sql("select iri_host(text) from e")) == ["a.example", None, None]
    text = json.dumps({"u": "http://a.example/"})
    assert values(con.sql(f"select iri_uris('{text}'::json)")) == [["http://a.example/"]]
    assert values(con.sql("select iri_host('http://a.example/'::varchar(30))")) == ["a.example"]


def test_several_threads_of_duckdb(con):
    con.execute("create table many as select text from rows, range(50000)")
    assert con.sql("select sum(len(iri_uris(text))) from many").fetchall() == [(150_000,)]
    changed = con.sql("select count(*) from many where iri_rewrite(text) <> text")
    assert changed.fetchall() == [(50_000,)]


def test_options_of_duckdb():
    with duckdb.connect() as con:
        iriscan.duckdb.register(con, kinds="bare")
        assert con.sql("select iri_uris('www.a.example')").fetchall() == [(["www.a.example"],)]
        with pytest.raises(iriscan.ConfigError):
            iriscan.duckdb.register(con, kinds="x")
