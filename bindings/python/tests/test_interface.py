"""Types, errors, threads, pickles, and the rest of the interface."""

import copy
import gc
import hashlib
import pickle
import resource
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

import iriscan
from iriscan import Finder

TEXT = "siehe http://bücher.example/ü, 見て http://例え.jp/道。"
NEW = "siehe http://xn--bcher-kva.example/%C3%BC, 見て http://xn--r8jz45g.jp/%E9%81%93。"


def test_rewriting_gives_the_same_type():
    data, new = TEXT.encode(), NEW.encode()
    assert iriscan.rewrite(TEXT) == NEW
    for kind in (bytes, bytearray, memoryview):
        given = kind(data)
        out = iriscan.rewrite(given)
        assert (type(out), bytes(out)) == (kind, new)
        plain = kind(b"nothing")
        assert iriscan.rewrite(plain) is plain
    assert type(iriscan.replace(bytearray(data), lambda link: "x")) is bytearray


def test_a_relative_reference_opens_nothing():
    links = Finder(format="html").find("<a href='b.html'> <a href='http://a.example/'>")
    assert [(link.uri, link.open) for link in links] == [
        ("b.html", None),
        ("http://a.example/", "http://a.example/"),
    ]


def test_subclasses_of_str():
    class Odd(str):
        def __len__(self):
            return 1

        def encode(self, *_):
            return b"other"

    odd = Odd(TEXT + "\ud800")
    assert [link.text for link in iriscan.find(odd)] == [
        "http://bücher.example/ü",
        "http://例え.jp/道",
    ]


def test_surrogates_stay_and_count():
    text = "\ud83d\ude00 \ufffd http://例え.jp/道 \udcff"
    link = iriscan.find(text)[0]
    assert text[link.start : link.end] == link.text == "http://例え.jp/道"
    assert iriscan.find_at(text, link.start) == link
    assert iriscan.rewrite(text) == text.replace(link.text, link.uri)
    assert iriscan.replace(text, lambda link: "\ufffdx") == text.replace(link.text, "\ufffdx")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"rules": "uts58"}, "http://a.com/\ud800é http://b.com/é"),
        ({"rules": "uts58"}, "http://a.com/é\udfff\ufffd\ud83d http://b.com/é \ufffd\ud800"),
        ({"rules": "uts58", "to": "iri"}, "http://a.com/%C3%A9\ud800 http://b.com/é"),
        ({"format": "html"}, "<a href='/é\ud800'> <a href='http://b.com/é'>"),
        ({"format": "html", "charset": "windows-1251"}, "<a href='?\ud800é#\ud800'> <a href='http://b.com/é'>"),
        ({"format": "json", "rules": "uts58"}, '{"a": "http://a.com/é\ud800\\n", "b": "http://b.com/é"}'),
    ],
)
def test_a_link_with_a_lone_surrogate_stays(options, text):
    finder = Finder(**options)
    assert any("\ufffd" in link.text for link in finder.find(text))
    old = "http://b.com/é"
    assert finder.rewrite(text) == text.replace(old, finder.rewrite(old))
    # What is asked for all links is done to this one too.
    hidden = Finder(**{k: v for k, v in options.items() if k != "to"}, defang=True).rewrite(text)
    assert "http:" not in hidden and "hxxp[:]//b[.]com" in hidden


class Str(str):
    pass


class Bytes(bytes):
    pass


@pytest.mark.parametrize(
    "made",
    [
        lambda: Str("见 http://a.example/ " * 100),
        lambda: Str("http://a.example/ " * 100),
        lambda: Bytes(b"http://a.example/ " * 100),
        lambda: Str("http://a.example/ \ud800"),
    ],
)
@pytest.mark.parametrize("view", [False, True])
@pytest.mark.parametrize("started", [False, True])
def test_an_iterator_in_a_cycle_is_collected(made, view, started):
    gc.collect()
    alive = []

    class Marker:
        pass

    for _ in range(5):
        data = made()
        data.marker = Marker()
        alive.append(weakref.ref(data.marker))
        source = memoryview(data) if view and isinstance(data, bytes) else data
        data.links = Finder().find_iter(source)
        if started:
            next(data.links)
    del data, source
    gc.collect()
    assert [marker() for marker in alive] == [None] * 5


def test_an_iterator_that_lives_is_not_collected():
    data = Str("http://a.example/ " * 100_000)
    data.links = Finder().find_iter(data)
    next(data.links)
    gc.collect()
    assert sum(1 for _ in data.links) == 99_999
    assert gc.is_tracked(data.links)
    assert any(referred is data for referred in gc.get_referents(data.links))


@pytest.mark.parametrize("data", [None, 1, 1.5, ["http://a.example/"], object()])
def test_other_types_are_errors(data):
    finder = Finder()
    for call in (finder.find, finder.find_iter, finder.has_link, finder.rewrite, finder.find_mail):
        with pytest.raises(TypeError, match="expected .*bytes"):
            call(data)
    with pytest.raises(TypeError):
        finder.scanner().push("text")
    with pytest.raises(TypeError):
        finder.find_mail("text")


def test_memoryviews():
    data = TEXT.encode()
    spread = bytes(b for byte in data for b in (byte, 0))
    assert iriscan.find(memoryview(spread)[::2]) == iriscan.find(data)
    with pytest.raises(TypeError):
        iriscan.find(memoryview(b"12345678").cast("I"))
    with pytest.raises(TypeError):
        iriscan.find(memoryview(b"12345678").cast("B", (2, 4)))


def test_a_bytearray_can_change_while_it_is_searched():
    data = bytearray(b"http://a.example/ " * 10_000)
    links = iriscan.find_iter(data)
    next(links)
    data.clear()
    assert sum(1 for _ in links) == 9_999


def test_errors_say_what_to_do():
    for options, words in [
        ({"host": "puny"}, 'host: "puny" is not a form of a host; use one of punycode'),
        ({"kinds": ["iri", "link"]}, "kinds: "),
        ({"kinds": ()}, "kinds: empty"),
        ({"charset": "utf-9"}, "charset: .*utf-8"),
        ({"schemes": ["HTTP"]}, "lower case"),
        ({"schemes": ["javascript"]}, "never a link"),
        ({"max_len": 0}, "max_len is 0"),
        ({"max_len": -5}, 'max_len: "-5" is no number of bytes, such as 65536'),
        ({"max_len": -(10**30)}, f'max_len: "-{10**30}" is no number of bytes'),
        ({"delimiter": "a"}, "cannot delimit fields"),
        ({"format": "docx"}, "format: .*use one of text, html"),
    ]:
        with pytest.raises(iriscan.ConfigError, match=words):
            Finder(**options)
    assert issubclass(iriscan.ConfigError, ValueError)
    assert issubclass(iriscan.UriError, ValueError)
    for options in ({"kinds": 5}, {"kinds": [5]}, {"max_len": "5"}, {"max_len": 1.5}, {"colour": 1}):
        with pytest.raises(TypeError):
            Finder(**options)
    with pytest.raises(TypeError):
        Finder("text")
    with pytest.raises(ValueError, match="negative"):
        iriscan.find_at(TEXT, -1)
    with pytest.raises(ValueError, match=f"offset -{10**30} is negative"):
        iriscan.find_at(TEXT, -(10**30))
    assert iriscan.find_at(TEXT, 10**9) is None
    assert iriscan.find_at(TEXT, 10**30) is None
    with pytest.raises(TypeError):
        iriscan.find_at(TEXT, 1.5)
    with pytest.raises(TypeError, match="foo: no option has this name; use one of kinds, charset"):
        Finder(foo=1)
    with pytest.raises(TypeError, match="foo: no option has this name; use one of "):
        iriscan.to_uri("http://a.example/", foo=1)
    assert Finder(max_len=10**30).find(TEXT) == iriscan.find(TEXT)
    for call in (lambda: iriscan.to_uri("x", host="?"), lambda: iriscan.check("x", kind="?")):
        with pytest.raises(iriscan.ConfigError):
            call()
    with pytest.raises(iriscan.UriError, match="scheme"):
        iriscan.resolve("/a", "b")


def test_names_are_read_as_people_write_them():
    wide = "é http://a.example/é".encode("utf-32-le")
    for options, same in [
        ({"format": "HTML"}, {"format": "html"}),
        ({"format": "md"}, {"format": "markdown"}),
        ({"kinds": "URL, E-Mail"}, {"kinds": ("iri", "email")}),
        ({"charset": "UTF8"}, {"charset": "utf-8"}),
        ({"charset": "latin1"}, {"charset": "windows-1252"}),
        ({"charset": "utf-32"}, {"charset": "utf-32le"}),
        ({"query": "UTF8", "nfc": "Never", "rules": "UTS58"}, {"query": "utf-8", "nfc": "never", "rules": "uts58"}),
    ]:
        assert Finder(**options) == Finder(**same)
        assert repr(Finder(**options)) == repr(Finder(**same))
    assert Finder(format="md").format == "markdown"
    assert Finder(charset="utf-32").find(wide)[0].text == "http://a.example/é"
    # The codec of Python has a byte order mark.
    assert Finder(charset="utf-32").find("http://a.example/".encode("utf-32"))[0].uri == "http://a.example/"


class Named(Finder):
    """With an argument of its own."""

    def __new__(cls, name, **options):
        return super().__new__(cls, **options)

    def __init__(self, name, **options):
        super().__init__(**options)
        self.name = name


class Slotted(Finder):
    __slots__ = ()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_finder_can_be_subclassed(protocol):
    finder = Named("mine", kinds="bare", format="html")
    assert [link.text for link in finder.find("<p>www.a.example")] == ["www.a.example"]
    assert finder == Finder(kinds="bare", format="html") and hash(finder) == hash(Finder(kinds="bare", format="html"))
    again = pickle.loads(pickle.dumps(finder, protocol))
    assert type(again) is Named and again == finder and again.name == "mine"
    assert type(copy.copy(finder)) is Named
    slotted = pickle.loads(pickle.dumps(Slotted(kinds="email"), protocol))
    assert type(slotted) is Slotted and slotted.kinds == ("email",)
    with pytest.raises(TypeError):
        Slotted(foo=1)


def test_errors_of_the_function_pass():
    class Mine(Exception):
        pass

    calls = []

    def fails(link):
        calls.append(link)
        raise Mine

    with pytest.raises(Mine):
        iriscan.replace(TEXT, fails)
    assert len(calls) == 1
    with pytest.raises(TypeError, match="returned int"):
        iriscan.replace(TEXT, lambda link: 1)


def test_replacing_by_a_template():
    text = "see http://a.example/é?q#f, http://例え.jp/道"
    replace = iriscan.replace
    assert replace(text, "<URL>") == "see <URL>, <URL>"
    assert replace(text, "{n}|{host}|{path}|{query}|{fragment}|{{") == (
        "see 1|a.example|/é|q|f|{, 2|例え.jp|/道|||{"
    )
    assert replace(text.encode("utf-16"), "é") == "see é, é".encode("utf-16")
    assert replace("none", "<URL>") == "none" and type(replace(bytearray(b"x"), "")) is bytearray
    assert replace("\udcff http://a.example/ \udcfe", "\udcfd{kind}") == "\udcff \ufffdiri \udcfe"
    html = Finder(format="html")
    assert html.replace("<a href='/x'>http://a.example/", "<{open}>") == (
        "<a href='/x'>&lt;http://a.example/&gt;"
    )
    assert Finder(only_host="例*").replace(text, "X") == "see http://a.example/é?q#f, X"
    with pytest.raises(iriscan.ConfigError, match=r"template: no field \{hots\}, character 1"):
        replace(text, "{hots}")


def test_changing_parts_of_links():
    moved = Finder(set=["host=new.example", "scheme=https"], only_host="old.example", format="html")
    page = "<a href='http://old.example:80/%7Ea?b&amp;c'>//old.example/</a> <a href='//old.example/é'>"
    new = "<a href='https://new.example/%7Ea?b&amp;c'>//old.example/</a> <a href='//new.example/é'>"
    assert moved.rewrite(page) == new
    assert moved.set == ("scheme=https", "host=new.example")
    news = Finder(path_prefix=["/blog", "/news", "/a", ""], drop_query="utm_*")
    assert news.rewrite("http://a.example/blog/x?utm_a=1&q http://a.example/a/b") == (
        "http://a.example/news/x?q http://a.example/b"
    )
    assert (news.path_prefix, news.drop_query) == (("/blog", "/news", "/a", ""), ("utm_*",))
    with pytest.raises(iriscan.ConfigError, match='^set: "hots=x": no such part'):
        Finder(set="hots=x")
    with pytest.raises(iriscan.ConfigError, match="^path_prefix: give pairs"):
        Finder(path_prefix="/blog")


def test_links_and_finders_cannot_be_changed():
    link = iriscan.find(TEXT)[0]
    with pytest.raises(AttributeError):
        link.start = 5
    with pytest.raises(AttributeError):
        link.other = 5
    with pytest.raises(AttributeError):
        Finder().charset = "utf-8"
    with pytest.raises(TypeError):
        iriscan.Link()


OPTIONS = [
    {},
    {"kinds": ("iri", "bare", "email"), "charset": "shift_jis", "format": "json", "fields": ["a", "b"]},
    {"schemes": "any", "rules": "uts58", "host": "keep", "query": "utf-8", "nfc": "never"},
    {"schemes": ["http", "ftp"], "max_len": 99, "ascii_only": True, "identifiers": True},
    {"to": "iri", "host": "unicode"},
    {"schemes": "common", "format": "html"},
    {"base": "http://a.example/b/", "format": "html"},
    {"charset": "koi8-r", "force_charset": True},
    {"format": "html", "elements": True, "links_only": True, "unwrap": True},
    {"template": "<{n} {host}> '\"{{é"},
    {"template": ""},
    {"set": ("scheme=https", "port="), "path_prefix": ("/a", "/b"), "drop_query": ("utm_*",)},
    {"defang": True},
    {"format": "csv", "delimiter": "|"},
    {"format": "markdown", "code": False},
    {"format": "csv", "delimiter": "\t"},
    {"only_host": ["*.example", "例え.jp"], "not_host": ["a.*"], "match": ("x{1,3}",), "changed": True},
    {"hosts_from": ["a.example", "*.b.example"], "contains_from": ("q=", "é"), "not_match": ["z"]},
    {"hosts_from": (), "contains_from": []},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_finders_are_values(options):
    finder = Finder(**options)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(finder, protocol))
        assert again == finder and hash(again) == hash(finder)
        assert repr(again) == repr(finder)
    assert copy.deepcopy(finder) == finder
    assert eval(repr(finder)) == finder
    others = [Finder(**other) for other in OPTIONS if other != options]
    assert finder not in others and len({finder, *others}) == len(OPTIONS)
    for name, value in options.items():
        want = tuple(value) if isinstance(value, list) else value
        got = getattr(finder, name)
        assert got == want or got.lower() == want


def test_a_template_is_not_one_of_iris():
    with pytest.raises(iriscan.ConfigError, match="^template: links become IRIs"):
        Finder(template="{host}", to="iri")
    assert Finder(template="{host}").to == "uri"


def found(text, **options):
    return [link.text for link in Finder(**options).find(text)]


def test_choosing(tmp_path):
    text = "http://a.example/é http://www.b.example/ http://例え.jp/q mailto:u@c.example"
    a, b, c, mail = text.split(" ")
    assert found(text, only_host="*.example") == [a, b, mail]
    assert found(text, only_host=["xn--r8jz45g.jp", "a.*"]) == [a, c]
    assert found(text, not_host=("*.jp", "*b*")) == [a, mail]
    assert found(text, match=["^mailto:", "/q$"]) == [c, mail]
    assert found(text, match="http.{1,13}le/") == [a]
    assert found(text, not_match="example") == [c]
    assert found(text, changed=True) == [a, c]
    assert found(text, contains_from=["é", "u@", ""]) == [a, mail]
    assert found(text, contains_from=[]) == found(text, hosts_from=[]) == []
    path = tmp_path / "hosts"
    path.write_bytes(b"# list\r\n0.0.0.0 b.example\n||a.example^\n")
    with path.open() as file:
        for hosts in (path, str(path), file, ["a.example", b"b.example\n"]):
            assert found(text, hosts_from=hosts) == [a, b]
    assert found(text, contains_from=path) == []
    finder = Finder(only_host="例え.jp")
    assert finder.rewrite(text) == text.replace(c, "http://xn--r8jz45g.jp/q")
    assert finder.replace(text, lambda link: "X") == text.replace(c, "X")
    scanner = finder.scanner()
    events = scanner.push(f"{a} {c} ".encode()) + scanner.finish()
    assert [event.text for event in events if isinstance(event, iriscan.Link)] == [c]
    assert finder.find_mail(f"\n{text}\n".encode())[0].iri == c
    many = Finder(hosts_from=(f"h{i}.example" for i in range(1000)))
    assert "hosts_from=<1000 lines>" in repr(many) and pickle.loads(pickle.dumps(many)) == many


def test_templates(tmp_path):
    text = "http://www.a.example/x.html http://b.example/é"
    finder = Finder(template="[{n}: {host}{path}]")
    want = "[1: www.a.example/x.html] [2: b.example/é]"
    assert finder.rewrite(text) == want == finder.replace(text, finder.template)
    assert finder.rewrite(text.encode("utf-16")) == want.encode("utf-16")
    assert finder.rewrite(f"\udc80{text}\udc81") == f"\udc80{want}\udc81"
    rewriter = finder.rewriter()
    assert b"".join(rewriter.push(bytes([byte])) for byte in text.encode()) + rewriter.finish() == want.encode()
    assert (rewriter.links, rewriter.changed, rewriter.lost, rewriter.early) == (2, 2, 0, 0)
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(text.encode())
    done = finder.rewrite_file(source, target)
    assert target.read_text("utf-8") == want and done == (2, 2, 0, "UTF-8", 0, 0)
    assert finder.rewrite_mail(f"\n{text}\n".encode()) == f"\n{want}\n".encode()
    assert Finder(defang=True).rewrite(text) == "hxxp[:]//www[.]a[.]example/x.html hxxp[:]//b[.]example/é"
    harmless = Finder(defang=True).rewrite(text)
    assert Finder(format="defanged", refang=True).rewrite(harmless) == text
    with pytest.raises(iriscan.ConfigError, match="^template: give it, or refang, not both"):
        Finder(template="{host}", refang=True)
    assert Finder(template="").rewrite(text) == " "
    assert Finder(format="html", template="<{host}>").rewrite("<p>http://a.example/") == "<p>&lt;a.example&gt;"
    html = "<a href=x><a href='http://a.example/'>"
    rewriter = Finder(format="html", template="{open}!").rewriter()
    out = rewriter.push(html.encode()) + rewriter.finish()
    assert out.decode() == html.replace("e/", "e/!") and rewriter.unconvertible == 1
    rewriter = Finder(charset="iso-8859-2", template="€{host}").rewriter()
    assert rewriter.push(b"http://a.example/ ") + rewriter.finish() == b"?a.example "
    assert rewriter.lost == 1
    rewriter = Finder(to="iri").rewriter()
    rewriter.push(b"http://a.example/%C3%A9 ")
    rewriter.push("日本語".encode("shift_jis") * 99)
    rewriter.finish()
    assert rewriter.early == 1
    for wrong, says in (
        ({"template": "{hsot}"}, "^template: .*hsot"),
        ({"template": "{line}"}, "^template: "),
        ({"template": "a { b"}, "^template: "),
        ({"template": "{host}", "defang": True}, "^template: give it, or defang, not both"),
    ):
        with pytest.raises(iriscan.ConfigError, match=says):
            Finder(**wrong)


def test_choosing_refuses_what_it_cannot_read(tmp_path):
    with pytest.raises(iriscan.ConfigError, match=r'^match: "a\(b": unclosed group, character 2;'):
        Finder(match="a(b")
    with pytest.raises(iriscan.ConfigError, match="^only_host: .*give a host"):
        Finder(only_host="http://a.example/")
    with pytest.raises(FileNotFoundError, match="none"):
        Finder(hosts_from=tmp_path / "none")
    with pytest.raises(iriscan.ConfigError, match="line 2 is not UTF-8"):
        Finder(contains_from=[b"a", b"\xff"])
    with pytest.warns(UserWarning, match="hosts_from: 1 lines without a host, from line 2 on"):
        Finder(hosts_from=["a.example", "a.example/x"])
    for wrong in ({"only_host": 5}, {"match": [5]}, {"hosts_from": 5}, {"contains_from": [5]}):
        with pytest.raises(TypeError, match="expected"):
            Finder(**wrong)


def test_links_are_values():
    message = b"To: http://a.example/\nSubject: x\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS/DqQ=="
    found = [
        *iriscan.find(TEXT),
        *iriscan.find(TEXT.encode("utf-16")),
        *Finder(kinds="bare,email").find("www.例え.jp a@b.example"),
        *iriscan.find_mail(message),
        *iriscan.find("http://a\u200d.example/ é"),
    ]
    assert len(set(found)) == len(found) > 8
    found += Finder().find(TEXT, positions=True)
    methods = {"asdict", "to_json"}
    names = [n for n in dir(iriscan.Link) if not n.startswith("_") and n not in methods]
    for link in found:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(link, protocol))
            assert again == link and hash(again) == hash(link) and repr(again) == repr(link)
            assert all(getattr(again, name) == getattr(link, name) for name in names)
            assert pickle.loads(pickle.dumps(again)) == link
            assert again.asdict() == link.asdict() and again.to_json() == link.to_json()
    assert found[0] != "x" and found[0] != found[1]
    text = Finder().scanner().push(b"see http://a.example/")[0]
    assert pickle.loads(pickle.dumps(text)) == text and hash(text) == hash(copy.copy(text))


def test_mail():
    message = (
        "Subject: http://a.example/ü\nContent-Type: text/plain; charset=utf-8\n"
        "Content-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS/DqQ==\n"
    ).encode()
    header, body = iriscan.find_mail(message)
    assert (header.field, header.part, header.line, header.text) == (
        "Subject", "0", 1, "http://a.example/ü",
    )  # fmt: skip
    assert message[header.start : header.end] == header.source
    assert (body.start, body.end, body.part, body.iri) == (None, None, "1", "http://a.example/é")
    assert repr(body).startswith("Link(start=None, end=None, ")
    for link in (header, body):
        assert (link.subject, link.from_) == ("http://a.example/ü", None)
    fields = b"Message-ID: <1@a.example>\nFrom: =?utf-8?Q?Ren=C3=A9?= <r@a.example>\nDate: today\n"
    link = iriscan.find_mail(fields + b"\nhttp://a.example/")[0]
    assert (link.message_id, link.from_, link.date, link.subject) == (
        "1@a.example", "René <r@a.example>", "today", None,
    )  # fmt: skip
    link = iriscan.find("http://a.example/")[0]
    assert link.message_id is link.subject is link.from_ is link.date is None
    signed = b"DKIM-Signature: v=1; bh=x\n" + message
    assert iriscan.rewrite_mail(signed) is signed
    assert b"%C3%BC" in iriscan.rewrite_mail(signed, even_signed=True)
    assert type(iriscan.rewrite_mail(bytearray(message))) is bytearray


def test_a_finished_stream_is_an_error():
    for stream in (Finder().scanner(), Finder().rewriter()):
        stream.push(b"x")
        stream.finish()
        with pytest.raises(ValueError, match="finished"):
            stream.push(b"x")
        with pytest.raises(ValueError, match="finished"):
            stream.finish()
        with pytest.raises(ValueError, match="finished"):
            stream.flush()


def test_a_flush_gives_a_line_before_the_next_one():
    line = "GET http://a.example/é\n".encode()
    rewriter, scanner = Finder().rewriter(), Finder().scanner(texts=False)
    for _ in range(2):
        assert rewriter.push(line) + rewriter.flush() == b"GET http://a.example/%C3%A9\n"
        assert [link.uri for link in scanner.push(line) + scanner.flush()] == ["http://a.example/%C3%A9"]
    assert (rewriter.finish(), scanner.finish(), scanner.charset) == (b"", [], "UTF-8")
    # Without it the charset waits for more.
    rewriter = Finder().rewriter()
    assert b"%C3%A9" not in rewriter.push(line)
    assert rewriter.finish().endswith(b"%C3%A9\n")


def test_the_charset_of_a_stream():
    scanner = Finder().scanner()
    scanner.push("日本語の文章です。http://a.example/ をご覧ください。".encode("shift_jis") * 50)
    scanner.finish()
    assert scanner.charset == "Shift_JIS"


def test_a_hundred_threads_share_a_finder():
    finder = Finder(kinds=("iri", "bare"))
    small, large = TEXT, TEXT * 500
    want = len(finder.find(small)), len(finder.find(large))
    start = threading.Barrier(100)

    def work(n):
        start.wait()
        for _ in range(20):
            assert len(finder.find(small)) == want[0]
            assert finder.rewrite(small) == iriscan.rewrite(small)
            assert hash(finder) == hash(finder)
        assert len(finder.find(large)) == want[1]
        return hashlib.sha256(finder.rewrite(large).encode()).digest()

    with ThreadPoolExecutor(100) as pool:
        assert len(set(pool.map(work, range(100)))) == 1


def test_the_interpreter_runs_while_a_long_text_is_searched():
    data = ("word " * 200_000 + "http://a.example/é ").encode() * 30
    ticks, done = 0, threading.Event()

    def search():
        Finder().has_link(b"x" * 5000)
        # Often, because one search may be over before this machine runs the other thread.
        for _ in range(30):
            assert len(Finder().find(data)) == 30
        done.set()

    interval = sys.getswitchinterval()
    # Without the lock released, this thread would wait for the whole search.
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=search)
        thread.start()
        while not done.is_set():
            ticks += 1
            time.sleep(0)
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert ticks > 3


def test_memory_is_flat():
    finder = Finder(charset="utf-8")
    data = TEXT.encode()

    def work(n):
        for _ in range(n):
            for link in finder.find(TEXT):
                link.uri, link.warnings
            finder.rewrite(data)
            finder.replace(TEXT, lambda link: "x")
            finder.find_at(TEXT + "\ud800", 8)
            next(finder.find_iter(data))

    work(5_000)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Five calls a round: a million.
    work(200_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4_000


def test_to_iri():
    finder = Finder(to="iri")
    assert (finder.to, finder.host) == ("iri", "keep")
    text = "see http://xn--r8jz45g.jp/%E9%81%93?q=%41%20 and (http://a.example/%FF)."
    assert finder.rewrite(text) == text.replace("%E9%81%93", "道")
    readable = Finder(to="iri", host="unicode").rewrite(text)
    assert readable == text.replace("%E9%81%93", "道").replace("xn--r8jz45g.jp", "例え.jp")
    assert Finder().rewrite(readable) == text
    with pytest.raises(iriscan.ConfigError, match="to: "):
        Finder(to="url")
    with pytest.raises(iriscan.ConfigError, match="host: "):
        Finder(to="iri", host="percent")
