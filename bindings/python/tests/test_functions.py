"""The functions of the package, with the options of a finder; links as dicts; text as HTML."""

import inspect
import json
from html.parser import HTMLParser

import pytest
from conftest import ROOT

import iriscan
from iriscan import Finder, _functions

TEXT = "see www.a.example and http://bücher.example/ü"
MAIL = f"Subject: x\n\n{TEXT}\n".encode()

CALLS = {
    "find": (TEXT,),
    "find_at": (TEXT, 6),
    "has_link": (TEXT,),
    "explain": (TEXT,),
    "rewrite": (TEXT,),
    "replace": (TEXT, "<{host}>"),
    "linkify": (TEXT,),
    "find_mail": (MAIL,),
    "find_mbox": (MAIL,),
    "rewrite_mail": (MAIL,),
    "rewrite_mbox": (MAIL,),
}


@pytest.mark.parametrize("name", CALLS)
def test_functions_take_options(name):
    function, plain = getattr(iriscan, name), Finder()
    for options in ({"kinds": "bare", "template": "{kind}"}, {"kinds": ["bare", "email"], "defang": True}):
        want = getattr(Finder(**options), name)(*CALLS[name])
        assert function(*CALLS[name], **options) == want
        assert name == "has_link" or want != getattr(plain, name)(*CALLS[name])
    with pytest.raises(TypeError, match="kind: no option has this name; the nearest one is kinds"):
        function(*CALLS[name], kind="bare")
    with pytest.raises(iriscan.ConfigError, match="^kinds: "):
        function(*CALLS[name], kinds="bar")
    # `help` names the options.
    assert "kinds='iri'" in function.__doc__ and "defang=False" in function.__doc__


@pytest.mark.parametrize(
    ("name", "wrong", "nearest"),
    [
        ("to_uri", "hots", "host"),
        ("to_uri", "charsets", "charset"),
        ("to_iri", "escape", "escapes"),
        ("normalize", "levels", "level"),
        ("equivalent", "levels", "level"),
        ("check", "kinds", "kind"),
    ],
)
def test_conversions_name_the_nearest_option(name, wrong, nearest):
    words = f"^{wrong}: no option has this name; the nearest one is {nearest}$"
    with pytest.raises(TypeError, match=words):
        getattr(iriscan, name)(*["http://a.example/"] * (2 if name == "equivalent" else 1), **{wrong: "x"})


def test_files_and_iterators_take_options(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    assert [link.kind for link in iriscan.find_iter(TEXT, kinds="bare")] == ["bare"]
    assert [link.kind for link in iriscan.iter_file(path, kinds="bare")] == ["bare"]
    assert [link.kind for link in iriscan.find_file(path, kinds="bare")] == ["bare"]
    assert iriscan.rewrite_file(path, path, kinds="bare", template="{kind}").changed == 1
    for function in (iriscan.find_iter, iriscan.iter_file, iriscan.find_file):
        with pytest.raises(TypeError, match="nearest one is kinds"):
            function(TEXT, kind="bare")


def test_the_types_know_all_options():
    assert list(iriscan.Options.__annotations__) == list(inspect.signature(Finder).parameters)


def test_a_finder_is_kept_unless_its_options_can_change(tmp_path):
    kept = _functions._finder
    assert kept({}) is kept({})
    assert kept({"kinds": ["bare"]}) is kept({"kinds": ("bare",)})
    assert kept({"kinds": "bare"}) is not kept({"kinds": "email"})
    assert not iriscan.has_link(TEXT, kinds="email") and iriscan.has_link(TEXT, kinds="bare")
    # An iterator gives its values once.
    for _ in range(2):
        assert iriscan.has_link(TEXT, kinds=iter(["email"])) is False
        assert iriscan.has_link(TEXT, kinds=iter(["bare"])) is True
    hosts = tmp_path / "hosts"
    for host, found in (("a.example", False), ("xn--bcher-kva.example", True)):
        hosts.write_text(host)
        assert iriscan.has_link(TEXT, hosts_from=hosts) is found
        assert iriscan.has_link(TEXT, hosts_from=[host]) is found
    # 1 is no bool, also if True was one before.
    assert iriscan.has_link(TEXT, changed=True)
    for wrong in (1, [1], [[]]):
        with pytest.raises(TypeError, match="changed: expected bool"):
            iriscan.has_link(TEXT, changed=wrong)


def test_links_as_dicts():
    links = iriscan.find(TEXT, kinds="iri,bare")
    for link in links:
        properties = link.asdict()
        assert properties == {name: getattr(link, name) for name in properties}
        assert json.loads(link.to_json()) == {**properties, "warnings": list(link.warnings)}
        assert link.asdict("uri", "line") == {"uri": link.uri, "line": None}
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(link.asdict() for link in links)
    assert frame["host_key"].to_list() == ["www.a.example", "xn--bcher-kva.example"]
    assert frame["domain"].to_list() == ["a.example", "xn--bcher-kva.example"]
    assert not {"line", "part", "source"} & set(frame.columns)
    assert {"line", "column", "utf16_end"} < iriscan.find(TEXT, positions=True)[0].asdict().keys()
    assert {"line", "subject", "part"} < iriscan.find_mail(MAIL)[0].asdict().keys()
    with pytest.raises(AttributeError):
        links[0].asdict("url")
    # Every property is in the dict of a search that has it.
    names = {name for name in vars(iriscan.Link) if not name.startswith("_")}
    member = {"member"}  # of find_file with a container, for which test_documents has a test
    archived = iriscan.find_file(ROOT / "testdata/archive/pages.warc.gz")
    searches = (links, iriscan.find(TEXT, positions=True), iriscan.find_mail(MAIL), archived)
    ours = {"source", "asdict", "to_json"}.union(member, *(search[0].asdict() for search in searches))
    assert names == ours


@pytest.mark.parametrize(
    ("host", "key", "domain"),
    [
        ("WWW.BÜCHER.co.uk", "www.xn--bcher-kva.co.uk", "xn--bcher-kva.co.uk"),
        ("www.xn--bcher-kva.co.uk.", "www.xn--bcher-kva.co.uk", "xn--bcher-kva.co.uk"),
        ("b%C3%BCcher.co.uk", "xn--bcher-kva.co.uk", "xn--bcher-kva.co.uk"),
        ("user.github.io", "user.github.io", "user.github.io"),
        ("co.uk", "co.uk", None),
        ("localhost", "localhost", None),
        ("192.0.2.1", "192.0.2.1", None),
        ("[2001:db8::1]", "[2001:db8::1]", None),
    ],
)
def test_hosts_to_group_by(host, key, domain):
    link = iriscan.find(f"see http://{host}/x")[0]
    assert (link.host_key, link.domain) == (key, domain)
    address = iriscan.find(f"see www.{key}", kinds="bare") if domain else []
    assert all(found.domain == domain for found in address)


class Reader(HTMLParser):
    """The text of a page, and the links in it."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.text, self.tags = "", []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


def test_linkify():
    hard = "<b>\"&amp; 1<2 'http://a.example/?a=1&b=\"2\"' a@b.example\r\nwww.例え.jp/道\ud800 <http://a.example/x>&"
    page = Reader(iriscan.linkify(hard))
    assert page.text.replace("\r\n", "\n") == hard.replace("\r\n", "\n")
    links = [link for link in iriscan.find(hard, kinds=("iri", "bare", "email")) if link.open]
    assert page.tags == [("a", {"href": link.open}) for link in links] and len(links) == 4
    # A finder finds its own kinds, and a function chooses.
    assert len(Reader(Finder(kinds="email").linkify(hard)).tags) == 1
    page = Reader(iriscan.linkify(hard, attributes={"rel": "nofollow", "title": '"<>&'}))
    assert {attributes["title"] for _, attributes in page.tags} == {'"<>&'}
    assert Reader(iriscan.linkify(hard, attributes=lambda link: None)).tags == []
    assert iriscan.linkify("") == "" and iriscan.linkify("<") == "&lt;"
    with pytest.raises(TypeError, match="decode it first"):
        iriscan.linkify(b"http://a.example/")


def test_linkify_refuses_what_is_no_attribute():
    text = "see http://a.example/ now"
    for name in ("", "a b", "onclick=x", 'a"', "a'", "a>", "a/", "a<b", "a\n", "a\x00", "a\x7f", "a\u3000b"):
        for attributes in ({name: "x"}, lambda link, name=name: {name: "x"}):
            with pytest.raises(iriscan.ConfigError, match="^attributes: .* is no name of an attribute"):
                iriscan.linkify(text, attributes=attributes)
    for attributes in ([("rel", "x")], "rel", {"rel": 1}, {1: "x"}, {"rel": None}, lambda link: "rel"):
        with pytest.raises(TypeError, match="^attributes: expected|^attributes: .*: expected"):
            iriscan.linkify(text, attributes=attributes)
    fine = {"rel": "nofollow", "data-x": "1", "@click": "x", "aria-label": "ü", "xml:lang": "de"}
    assert Reader(iriscan.linkify(text, attributes=fine)).tags == [("a", {"href": "http://a.example/", **fine})]
    for href in ("javascript:alert(1)", " java\tscript:alert(1)", "JAVASCRIPT:x", "\x01data:text/html,x"):
        assert iriscan.linkify(text, attributes={"href": href}) == text
    assert 'href="/away"' in iriscan.linkify(text, attributes={"href": "/away"})


def test_links_are_written_by_json():
    links = iriscan.find("http://例え.jp/ http://a.example/", positions=True)
    read = json.loads(json.dumps({"links": links}, default=iriscan.to_json))
    assert read == {"links": [json.loads(link.to_json()) for link in links]}
    checked = json.loads(json.dumps(iriscan.check("http://a.example:80/x"), default=iriscan.to_json))
    assert (checked["valid"], checked["port"], checked["query"]) == (True, "80", None)
    with pytest.raises(TypeError, match="Object of type object is not JSON serializable"):
        json.dumps(object(), default=iriscan.to_json)


def test_references_are_compared_by_the_ladder():
    pairs = [
        ("http://a.example/", "http://a.example/", "string"),
        ("HTTP://a.example/%7Eb/../c", "http://a.example/c", "syntax"),
        ("http://a.example:80", "http://a.example/", "scheme"),
        ("http://例え.jp/", "http://xn--r8jz45g.jp/", "idn"),
        ("http://a.example/\u00e9", "http://a.example/e\u0301", "nfc"),
    ]
    ladder = ["string", "syntax", "scheme", "idn", "nfc"]
    for a, b, first in pairs:
        for level in ladder:
            want = ladder.index(level) >= ladder.index(first)
            assert iriscan.equivalent(a, b, level=level) == iriscan.equivalent(b, a, level=level) == want
    assert iriscan.equivalent("a/./b", "a/b") is False, "dots of a relative reference have a meaning"
    with pytest.raises(iriscan.UriError):
        iriscan.equivalent("http://a.example/[", "http://a.example/")
    with pytest.raises(iriscan.ConfigError, match="level: "):
        iriscan.equivalent("a", "b", level="none")
