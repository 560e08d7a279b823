//! Nothing that replaces a link breaks out of its place: for any template and in both directions, another
//! parser sees the same structure before and after. No block, tag, attribute, cell or key appears or
//! vanishes; only texts and values differ. A link that becomes plain text is no structure.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::{Charset, Config, Format, Kind, markup};
use iriscan::{Rewrite, Template, reference::HostLabels};

/// How many documents a format has.
fn documents_count() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000)
}

/// The place of a link in a piece of a document.
const LINK: char = '§';

const LINKS: &[&str] = &[
    "http://a.example/",
    "http://script/",
    "http://script/x",
    "http://a.example/div",
    "http://a.example/onclick=alert(1)",
    "http://a.example/#--b",
    "http://a.example/#-",
    "http://a.example/_b_",
    "http://a.example/~x?q=a,b;c#d",
    "http://a.example/%3Cscript%3E",
    "http://a.example/%22%20onclick=x",
    "http://a.example/%E6%97%A5%E6%9C%AC",
    "http://xn--bcher-kva.example/%C3%BC",
    "https://例え.jp/é",
    "http://é.example/?a=1&b=2",
    "http://é.example/日|本",
    "mailto:a@b.example",
    "a@b.example",
    "é@b.example",
    "www.a.example/x",
    "½.com/é",
    "例え.jp/",
];

const TEMPLATES: &[&str] = &[
    "",
    "{host}",
    "{path}",
    "{fragment}",
    "{query}",
    "{text}",
    "{iri}",
    "{uri}",
    "{display}",
    "{scheme}",
    "{path}{fragment}",
    "[{n}: {host}]({open})",
    "<b>",
    "</p>",
    "<!--",
    "-->",
    "<?x",
    "\" x=\"y",
    "' x='y",
    " x=y ",
    "`",
    "```",
    "~~~",
    "# x",
    "#",
    "- x",
    "-",
    "+ x",
    "* x",
    "1. x",
    "1",
    "> x",
    "    x",
    "\tx",
    "x  ",
    "|",
    "a | b",
    "---",
    "===",
    "](x)",
    "(x)",
    "[x]",
    "[x]: y",
    ": y",
    "]]>",
    "]",
    "\n",
    "\n\n# x\n\n",
    "a\r\nb",
    "\\",
    "a\\",
    "{{\"a\":1}}",
    "\",\"a\":\"",
    "&lt;script&gt;",
    "&",
    "amp;x",
    "#60;b",
    "lt;b",
    "x,y;z|w",
    "\"",
    "\"x",
    "x\"",
    "_x_",
    "*x*",
    "**x**",
    "~~x~~",
    "!",
    "$x$",
    ") x",
    "a)b;c:url(d)",
    "}} x {{ y",
    "</style><b>",
    "script",
    "script>",
    "/div",
    "\u{80}",
    "\u{0}",
    "\u{1b}",
    "é日🍄",
    "<http://c/> <http://d/>",
    "> <http://d/",
    "\"^^<http://d/>",
    "\" . <http://d/> <http://d/> \"",
    "%",
    "%zz",
    "::[x",
];

const HTML: &[&str] = &[
    "<p>see § x</p>",
    "§",
    "<a href='§'>§</a>",
    "<a href=\"§\">x</a>",
    "<a href=§>x</a>",
    "<a href=§ class=c>x</a>",
    "<a href= § class=c>x</a>",
    "<p title=§\\/onclick=x>y",
    "<p title=§\"x class=c>y",
    "<p title='x § y'>",
    "<p title=\"x § y\" class=c>",
    "<p title=§>",
    "<p title=x,§,y>",
    "&§",
    "&#§",
    "&#x§ ",
    "a <§ b",
    "a < § b",
    "<style>a{b:url(§)}</style>",
    "<p style='b:url(§)' class=c>",
    "<p style=b:url(§) class=c>",
    "<title>§ x</title>",
    "<img srcset='§ 1x, § 2x'>",
    "<a ping='§ §'>",
    "<meta http-equiv=refresh content='5;url=§'>",
    "<!-- § -->",
    "<script>'§'</script>",
    "<b>",
    "\n",
    " ",
    "x",
];

const XML: &[&str] = &[
    "<d>see § x</d>",
    "<link>§</link>",
    "<d a='§'/>",
    "<d href='§' b='x § y'>§</d>",
    "<d href=\"§\"/>",
    "<d>&amp;§</d>",
    "<d>&lt;§&gt; x</d>",
    "<d>&lt;/§&gt; x</d>",
    "<d>&#60;§ x</d>",
    "<d><![CDATA[<§> x]]></d>",
    "<d><![CDATA[see § x]]></d>",
    "<d><![CDATA[see §]]></d>",
    "<d><![CDATA[<p title=§>§</p>]]></d>",
    "<d><![CDATA[<a href='§' class='c'>§</a> &§]]></d>",
    "<d>&lt;a href='§'&gt;§&lt;/a&gt;</d>",
    "<d>&lt;a href=&quot;§&quot; class=c&gt;§&lt;/a&gt;</d>",
    "<d>&lt;p title=§ class=c&gt;§</d>",
    "<d>&lt;p title=§\\/onclick=x&gt;§</d>",
    "<d>&lt;p&gt;a &amp;amp;§ &amp;lt;§</d>",
    "<style>a{b:url(§)}</style>",
    "<!-- § -->",
    "\n",
    "x ",
];

const JSON: &[&str] = &[
    "\"§\"",
    "\"see § x\"",
    "\"(§)\"",
    "{\"§\":\"§\"}",
    "[\"§\",\"a\\\"§\\\"\"]",
    "\"{\\\"u\\\":\\\"§\\\",\\\"v\\\":[\\\"see § and § x\\\"]}\"",
    "\"[{\\\"u\\\":\\\"http:\\\\/\\\\/é.example\\\\/\\\\u00e9\\\"}]\"",
    "\"{\\\"m\\\":\\\"{\\\\\\\"u\\\\\\\":\\\\\\\"§\\\\\\\"}\\\"}\"",
    "1",
];

const TURTLE: &[&str] = &[
    "<§> <http://p.example/> <§> .\n",
    "<http://s.example/> <http://p.example/> \"§\" .\n",
    "<http://s.example/> <http://p.example/> \"see § x\"@en .\n",
    "<http://s.example/> <http://p.example/> '§' .\n",
    "<http://s.example/> <http://p.example/> \"\"\"a § b\"\"\" .\n",
    "# see § x\n",
];

const MARKDOWN: &[&str] = &[
    "§",
    "see § x",
    "<§>",
    "<§ x>",
    "</§>",
    "[a](§)",
    "[a](<§> \"t\")",
    "[§](§)",
    "![§](§)",
    "\n\n[r]: §\n\n[r]",
    "\n\n[r]: <§>\n\n[r]",
    "`§` ",
    "`` § `` ",
    "\n\n# §\n\n",
    "\n\n# § #\n\n",
    "\n\n- §\n\n",
    "\n\n1. § x\n\n",
    "\n\n> §\n\n",
    "\n\n    §\n\n",
    "\n\n```\n§\n```\n\n",
    "\n\n~~~ x\n§ x\n~~~\n\n",
    "\n\n| a | § |\n|---|---|\n| § | b |\n\n",
    "\n\na\n§\n",
    "\n\n§\n===\n\n",
    "\n\n§> x\n\n",
    "&§",
    "&#§",
    "]§",
    "[a]§",
    "!§",
    "\\§",
    "*§*",
    "**x §**",
    "~~§~~",
    "_§_ x",
    "<a href=§>x</a>",
    "<a href='§' title=\"§\">x</a>",
    "\n\n<div title=§ class=c>\n§\n</div>\n\n",
    " ",
    "\n",
    "x",
];

const CELLS: &[&str] = &[
    "§",
    "x § y",
    "§ y",
    "x §",
    "\"§\"",
    "\"x § y\"",
    "\"x \"\"§\"\" y\"",
    "§\"x",
    "x\"§",
    "\"a\"§",
    "\"a\"§\"b",
    "x",
    "",
];

/// A document of `pieces` in which each place has a link.
fn filled(pieces: &[&str], links: &[&str]) -> String {
    let mut links = links.iter().cycle();
    let mut out = String::new();
    for c in pieces.concat().chars() {
        match c {
            LINK => out += links.next().copied().unwrap_or_default(),
            c => out.push(c),
        }
    }
    out
}

/// What replaces the links.
#[derive(Clone, Copy, Debug)]
enum With {
    Uri,
    Iri,
    Template(&'static str),
    Defang,
}

fn with() -> impl Strategy<Value = With> {
    prop_oneof![
        1 => Just(With::Uri),
        2 => Just(With::Iri),
        1 => Just(With::Defang),
        12 => prop::sample::select(TEMPLATES).prop_map(With::Template),
    ]
}

fn links() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(LINKS), 1..4)
}

fn pieces(of: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(of), 1..5)
}

/// `document` with its links replaced.
fn rewritten(config: Config, document: &str, with: With) -> String {
    let config = config.charset(Charset::UTF_8).kinds([Kind::Iri, Kind::Bare, Kind::Email]);
    let config = match with {
        With::Uri => config,
        With::Iri => config.rewrite(Rewrite::Iri(HostLabels::Unicode)),
        With::Defang => config.rewrite(Template::defang()),
        With::Template(text) => config.rewrite(Template::new(text).expect("it should be valid")),
    };
    let finder = config.build().expect("the options should be valid");
    let (out, _) = finder.rewrite_slice(document);
    String::from_utf8(out.into_owned()).expect("UTF-8 should stay UTF-8")
}

/// Holds the structure that `read` sees to be the same before and after.
fn same<T: PartialEq + std::fmt::Debug>(
    config: Config,
    document: &str,
    with: With,
    read: impl Fn(&str) -> Option<T>,
) -> Result<(), TestCaseError> {
    let Some(before) = read(document) else { return Ok(()) };
    let out = rewritten(config, document, with);
    let after = read(&out);
    prop_assert!(
        after.as_ref() == Some(&before),
        "{:?}\n{}\n---\n{}\n{:?}\n{:?}",
        with,
        document,
        out,
        before,
        after
    );
    Ok(())
}

/// Element and attribute names, as quick-xml reads them, and the tags of HTML in the texts.
fn xml(document: &str, html: bool) -> Option<Vec<String>> {
    use quick_xml::{Reader, escape::unescape, events::Event};

    let (mut reader, mut seen, mut text) = (Reader::from_str(document), vec![], String::new());
    loop {
        let event = reader.read_event().ok()?;
        match &event {
            Event::Text(raw) => text += &unescape(raw).ok()?,
            Event::GeneralRef(name) => text += &unescape(&format!("&{};", &**name)).ok()?,
            Event::CData(raw) => text += raw,
            _ => {
                if html {
                    // A link makes an element that is none of HTML.
                    let mut known = false;
                    seen.extend(markup::skeleton(&text).into_iter().filter(|name| {
                        known = if name.starts_with('@') {
                            known
                        } else {
                            !name.contains([':', '@', '.'])
                        };
                        known
                    }));
                }
                text.clear();
            }
        }
        match event {
            Event::Eof => return Some(seen),
            Event::Start(tag) | Event::Empty(tag) => {
                seen.push(tag.name().as_ref().to_owned());
                for attribute in tag.attributes() {
                    seen.push(format!("@{}", attribute.ok()?.key.as_ref() as &str));
                }
            }
            Event::End(tag) => seen.push(format!("/{}", tag.name().as_ref() as &str)),
            Event::Text(_) | Event::GeneralRef(_) | Event::CData(_) => {}
            _ => seen.push("other".into()),
        }
    }
}

/// Keys and values of JSON without their texts, in order and with keys that occur twice. `DEEP`: also of JSON within
/// its strings.
#[derive(Debug, PartialEq)]
struct Shape<const DEEP: bool>(String);

impl<'de, const DEEP: bool> serde::Deserialize<'de> for Shape<DEEP> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Shape<DEEP>, D::Error> {
        struct Visitor<const DEEP: bool>;
        impl<'de, const DEEP: bool> serde::de::Visitor<'de> for Visitor<DEEP> {
            type Value = Shape<DEEP>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a value")
            }

            /// A string may hold JSON of its own.
            fn visit_str<E>(self, text: &str) -> Result<Shape<DEEP>, E> {
                let inner = match DEEP && text.starts_with(['{', '[']) {
                    true => serde_json::from_str::<Shape<DEEP>>(text).ok(),
                    false => None,
                };
                Ok(Shape(format!("s{}", inner.map_or_else(String::new, |it| it.0))))
            }

            fn visit_u64<E>(self, _: u64) -> Result<Shape<DEEP>, E> {
                Ok(Shape("n".into()))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut items: A,
            ) -> Result<Shape<DEEP>, A::Error> {
                let mut out = String::from("[");
                while let Some(Shape(item)) = items.next_element::<Shape<DEEP>>()? {
                    out += &item;
                }
                Ok(Shape(out + "]"))
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut pairs: A,
            ) -> Result<Shape<DEEP>, A::Error> {
                let mut out = String::from("{");
                while let Some((_, Shape(value))) = pairs.next_entry::<String, Shape<DEEP>>()? {
                    out += &value;
                }
                Ok(Shape(out + "}"))
            }
        }
        from.deserialize_any(Visitor::<DEEP>)
    }
}

/// The kinds of the terms of each triple.
fn turtle(document: &str) -> Option<Vec<String>> {
    let parser = oxttl::TurtleParser::new().with_base_iri("http://base.example/").ok()?;
    parser
        .for_slice(document.as_bytes())
        .map(|triple| {
            let triple = triple.ok()?;
            let kind = match &triple.object {
                oxrdf::Term::NamedNode(_) => "iri",
                oxrdf::Term::Literal(literal) => literal.language().unwrap_or("literal"),
                _ => "other",
            };
            Some(format!("{} {kind}", triple.subject.is_named_node()))
        })
        .collect()
}

/// How many fields each record has.
fn records(document: &str, delimiter: u8) -> Option<Vec<usize>> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.delimiter(delimiter).flexible(true).has_headers(false);
    let mut reader = reader.from_reader(document.as_bytes());
    reader.records().map(|record| record.ok().map(|record| record.len())).collect()
}

/// What pulldown-cmark sees but for texts: the number of each kind of block and span, and the tags of HTML.
/// Links may vanish, and emphasis is no structure: whether `_` makes it depends on the characters around.
fn markdown(document: &str) -> BTreeMap<String, usize> {
    use pulldown_cmark::{Event, Options, Parser, Tag};

    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let (mut seen, mut html) = (vec![], String::new());
    for event in Parser::new_ext(document, options) {
        seen.push(match event {
            Event::Start(Tag::Link { .. } | Tag::Emphasis | Tag::Strong | Tag::Strikethrough) => {
                continue;
            }
            Event::Start(Tag::Heading { level, .. }) => format!("{level}"),
            Event::Start(Tag::Image { .. }) => "image".into(),
            Event::Start(Tag::CodeBlock(_)) => "code block".into(),
            Event::Start(Tag::Table(_)) => "table".into(),
            Event::Start(tag) => format!("{tag:?}"),
            Event::Html(text) | Event::InlineHtml(text) => {
                html += &text;
                continue;
            }
            Event::Code(_) => "code".into(),
            Event::Rule => "rule".into(),
            Event::TaskListMarker(_) => "task".into(),
            Event::HardBreak => "break".into(),
            _ => continue,
        });
    }
    seen.extend(markup::skeleton(&html).into_iter().map(|tag| format!("html {tag}")));
    let mut counts = BTreeMap::new();
    seen.into_iter().for_each(|kind| *counts.entry(kind).or_default() += 1);
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(documents_count()))]

    #[test]
    fn nothing_breaks_out_of_html(pieces in pieces(HTML), links in links(), with in with()) {
        let document = filled(&pieces, &links);
        same(Config::new().format(Format::Html), &document, with, |text| Some(markup::skeleton(text)))?;
    }

    #[test]
    fn nothing_breaks_out_of_xml(pieces in pieces(XML), links in links(), with in with()) {
        let document = ["<r>", &filled(&pieces, &links).replace('&', "&amp;").replace("&amp;lt;", "&lt;")
            .replace("&amp;gt;", "&gt;").replace("&amp;quot;", "&quot;").replace("&amp;amp;", "&amp;")
            .replace("&amp;#60;", "&#60;"), "</r>"].concat();
        let config = Config::new().format(Format::Xml);
        // A template that brings in a `<` means it; whether the text of XML is HTML is not known.
        let html = !matches!(with, With::Template(text) if text.contains('<'));
        same(config, &document, with, |text| xml(text, html))?;
    }

    #[test]
    fn nothing_breaks_out_of_json(pieces in pieces(JSON), links in links(), with in with()) {
        let document = ["[", &filled(&[&pieces.join(",")], &links), "]"].concat();
        let read = |text: &str| serde_json::from_str::<Shape<false>>(text).ok();
        same(Config::new().format(Format::Json), &document, with, read)?;
        // A template may be JSON.
        if !matches!(&with, With::Template(text) if text.starts_with("{{")) {
            let read = |text: &str| serde_json::from_str::<Shape<true>>(text).ok();
            same(Config::new().format(Format::Json), &document, with, read)?;
        }
    }

    #[test]
    fn nothing_breaks_out_of_turtle(pieces in pieces(TURTLE), links in links(), with in with()) {
        let document = filled(&pieces, &links);
        same(Config::new().format(Format::Turtle).identifiers(true), &document, with, turtle)?;
    }

    #[test]
    fn nothing_breaks_out_of_csv(
        rows in prop::collection::vec(pieces(CELLS), 1..4),
        links in links(),
        with in with(),
        delimiter in prop::sample::select(vec![b',', b';', b'\t', b'|', b':', b'#', b'@', b'_', b' ']),
    ) {
        let between = char::from(delimiter).to_string();
        let rows: Vec<_> = rows.iter().map(|row| row.join(&between) + "\n").collect();
        let rows: Vec<_> = rows.iter().map(|row| &**row).collect();
        let document = filled(&rows, &links);
        let config = Config::new().format(Format::Csv).delimiter(char::from(delimiter));
        same(config, &document, with, |text| records(text, delimiter))?;
    }

    #[test]
    fn nothing_breaks_out_of_markdown(pieces in pieces(MARKDOWN), links in links(), with in with()) {
        let document = filled(&pieces, &links);
        same(Config::new().format(Format::Markdown), &document, with, |text| Some(markdown(text)))?;
    }
}
