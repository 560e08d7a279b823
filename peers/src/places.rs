//! What is written in a place is what another parser reads there: for any text that replaces a link, and each
//! place that a format has, the parser sees the same document with that text in place of the link.
//!
//! A place may refuse a text; then the link stays. A character that no escape of the format can give
//! is a `?`, and is counted.

use proptest::prelude::*;
use serde_json::Value;

use crate::{Charset, Config, Finder, Format, markup};

/// How many texts a place gets.
fn texts_count() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000)
}

/// The link that is replaced. No text that replaces it has it.
const LINK: &str = "http://link.example/";

/// Pieces of texts that mean something somewhere.
const HOSTILE: &[&str] = &[
    "<",
    ">",
    "&",
    "\"",
    "'",
    "`",
    "=",
    "/",
    "\\",
    "*",
    "_",
    "~",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "|",
    "#",
    "!",
    "-",
    "+",
    ":",
    ";",
    ",",
    ".",
    "%",
    "@",
    "^",
    "$",
    "?",
    " ",
    "  ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\u{B}",
    "\u{C}",
    "\u{0}",
    "\u{1}",
    "\u{1B}",
    "\u{7F}",
    "\u{80}",
    "\u{85}",
    "\u{A0}",
    "\u{AD}",
    "\u{2028}",
    "\u{FEFF}",
    "\u{FFFD}",
    "\u{FFFE}",
    "é",
    "日",
    "🍄",
    "a",
    "x1",
    "lt;",
    "amp;",
    "#60;",
    "#x3c;",
    "&lt;",
    "&amp;amp;",
    "</p>",
    "<b>",
    "<!--",
    "-->",
    "--!>",
    "<!",
    "<?x",
    "?>",
    "</style>",
    "</title>",
    "<![CDATA[",
    "]]>",
    "]]",
    "\\u003c",
    "\\n",
    "\\\"",
    "\"\"",
    "*/",
    "/*",
    "url(",
    "1.",
    "1)",
    "- ",
    "# ",
    "> ",
    "    ",
    "```",
    "~~~",
    "---",
    "===",
    "](x)",
    "[x]: y",
    "![",
    "**",
    "_x_",
    "||",
    "%41",
    "%zz",
    "script",
    "http:",
    "mailto:a",
    "@en",
    "^^<",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(HOSTILE).prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

const CHARSETS: &[&str] =
    &["utf-8", "utf-8", "windows-1252", "shift_jis", "gb18030", "iso-2022-jp", "utf-16le"];

/// What a parser reads: names of elements, keys, texts and values, in order. `None`: it is no document.
type Read = fn(&str) -> Option<Vec<String>>;

/// How exactly a place must give a text again.
#[derive(Clone, Copy, PartialEq)]
enum Exactly {
    /// Character by character.
    Same,
    /// As the parser reads line ends: every one is a line feed.
    Lines,
    /// The same, and without white space around the text.
    Trimmed,
    /// Up to percent-encoding, which is all that the place has.
    Encoded,
}

struct Syntax {
    format: Format,
    read: Read,
    exactly: Exactly,
    places: &'static [&'static str],
    /// What each text begins with, so that it is a reference.
    prefix: &'static str,
}

const SYNTAXES: &[Syntax] = &[
    Syntax {
        format: Format::Html,
        read: html,
        exactly: Exactly::Lines,
        prefix: "",
        places: &[
            "<p>see § x</p>",
            "<p>§</p>",
            "a &§ b",
            "<title>§ x</title>",
            "<plaintext>see § x",
        ],
    },
    Syntax {
        format: Format::Html,
        read: html,
        exactly: Exactly::Same,
        prefix: "",
        places: &[
            "<a href='§'>x</a>",
            "<a href=\"§\" class=c>x</a>",
            "<a href=§>x</a>",
            "<a href= § class=c>x</a>",
            "<p title='x § y' class=c>x",
            "<p title=§ class=c>x",
            "<p title=x,§,y class=c>x",
        ],
    },
    Syntax {
        format: Format::Html,
        read: scripts,
        exactly: Exactly::Same,
        prefix: "",
        places: &[
            "<script type=\"application/ld+json\">{\"a\":\"§\"}</script><p>b",
            "<script type=importmap>{\"imports\":{\"a\":\"see § x\"}}</script><p>b",
            "<script type=speculationrules>[\"<!-- <§ x\"]</script><p>b",
        ],
    },
    Syntax {
        format: Format::Xml,
        read: xml,
        exactly: Exactly::Same,
        prefix: "",
        places: &[
            "<r><d>see § x</d></r>",
            "<r><link>§</link></r>",
            "<r><d href='§' b='x'/></r>",
            "<r><d b=\"see § x\"/></r>",
        ],
    },
    Syntax {
        format: Format::Xml,
        read: xml,
        exactly: Exactly::Lines,
        prefix: "",
        places: &["<r><d><![CDATA[see § x]]></d></r>", "<r><d><![CDATA[§]]></d></r>"],
    },
    Syntax {
        format: Format::Json,
        read: json,
        exactly: Exactly::Same,
        prefix: "",
        places: &["[\"§\",1]", "[\"see § x\"]", "{\"§\":\"a\"}", "{\"a\":\"\\\"§\\\"\"}"],
    },
    Syntax {
        format: Format::Turtle,
        read: turtle,
        exactly: Exactly::Same,
        prefix: "",
        places: &[
            "<http://s.example/> <http://p.example/> \"see § x\"@en .\n",
            "<http://s.example/> <http://p.example/> '§' .\n",
            "<http://s.example/> <http://p.example/> \"\"\"a § b\"\"\" .\n",
            "<http://s.example/> <http://p.example/> '''§''' .\n",
        ],
    },
    Syntax {
        format: Format::Turtle,
        read: turtle,
        exactly: Exactly::Encoded,
        prefix: "http://h.example/",
        places: &["<§> <http://p.example/> <http://o.example/> .\n"],
    },
    Syntax {
        format: Format::Csv,
        read: csv,
        exactly: Exactly::Same,
        prefix: "",
        places: &["a,§,b\n", "§\n", "a,\"§\",b\n", "a,\"see § x\",b\n", "a,\"\"\"§\"\"\",b\n"],
    },
    Syntax {
        format: Format::Csv,
        read: csv,
        exactly: Exactly::Encoded,
        prefix: "",
        places: &["a,x § y,b\n", "a,§ y,b\n", "x §,b\n"],
    },
    Syntax {
        format: Format::Css,
        read: css,
        exactly: Exactly::Same,
        prefix: "",
        places: &[
            "a{b:url(§)}c{d:e}",
            "a{b:url( § )}",
            "a{b:url('§')}",
            "@import \"§\";a{b:c}",
            "a{b:\"see § x\"}",
        ],
    },
    Syntax {
        format: Format::Markdown,
        read: markdown,
        exactly: Exactly::Trimmed,
        prefix: "",
        places: &["see § x", "a\n\n§ x\n\nb", "- § x", "> a §", "| a | § |\n|---|---|\n| b | c |"],
    },
    Syntax {
        format: Format::Markdown,
        read: markdown,
        exactly: Exactly::Encoded,
        prefix: "",
        places: &["[a](§)", "[a](<§> \"t\")", "[a]\n\n[a]: §\n", "[a]\n\n[a]: <§>\n"],
    },
    Syntax {
        format: Format::Markdown,
        read: markdown,
        exactly: Exactly::Same,
        prefix: "",
        places: &["```\n§\n```\n", "    see § x\n", "`see § x` y"],
    },
    Syntax {
        format: Format::Ipynb,
        read: notebook,
        exactly: Exactly::Same,
        prefix: "",
        places: &[
            "{\"cells\":[{\"cell_type\":\"raw\",\"source\":[\"see § x\\n\",\"y\"]}]}",
            "{\"cells\":[{\"cell_type\":\"code\",\"source\":\"§\",\"outputs\":[{\"text\":[\"z\"]}]}]}",
            "{\"cells\":[{\"cell_type\":\"code\",\"outputs\":[{\"data\":{\"text/plain\":[\"§ x\"]}}]}]}",
            "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"```\\n\",\"see § x\\n\",\"```\"]}]}",
            "{\"cells\":[{\"cell_type\":\"code\",\"outputs\":[{\"data\":{\"text/html\":[\"<p>\\n\",\"<a href='§'>x\"]}}]}]}",
        ],
    },
    Syntax {
        format: Format::Ipynb,
        read: notebook,
        exactly: Exactly::Lines,
        prefix: "",
        places: &[
            "{\"cells\":[{\"cell_type\":\"code\",\"outputs\":[{\"data\":{\"text/html\":\"<p>see § x\"}}]}]}",
        ],
    },
    Syntax {
        format: Format::Ipynb,
        read: notebook,
        exactly: Exactly::Trimmed,
        prefix: "",
        places: &[
            "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":\"see § x\"}]}",
            "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"a\\n\",\"\\n\",\"- § x\"]}]}",
        ],
    },
    Syntax {
        format: Format::Ipynb,
        read: notebook,
        exactly: Exactly::Encoded,
        prefix: "",
        places: &[
            "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"[a](§)\"]}]}",
            "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"[a]\\n\",\"\\n\",\"[a]: <§>\"]}]}",
        ],
    },
];

fn html(document: &str) -> Option<Vec<String>> {
    markup::strings(document).ok()
}

/// As XML 1.0 says, which that parser does not hold: it has no controls (2.2), its line ends are line feeds
/// (2.11), and white space in attributes is spaces (3.3.3).
fn xml(document: &str) -> Option<Vec<String>> {
    let is_allowed = |c: char| {
        !(c < ' ' && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{FFFE}' | '\u{FFFF}'))
    };
    let lines = document.replace("\r\n", "\n").replace('\r', "\n");
    let strings = markup::xml_strings(&lines)?;
    let is_document =
        document.chars().chain(strings.iter().flat_map(|s| s.chars())).all(is_allowed);
    is_document.then_some(strings)
}

fn json(document: &str) -> Option<Vec<String>> {
    fn collect(value: Value, out: &mut Vec<String>) {
        match value {
            Value::String(text) => out.push(text),
            Value::Array(items) => items.into_iter().for_each(|item| collect(item, out)),
            Value::Object(fields) => fields.into_iter().for_each(|(key, value)| {
                out.push(key);
                collect(value, out);
            }),
            other => out.push(other.to_string()),
        }
    }
    let mut out = Vec::new();
    collect(serde_json::from_str(document).ok()?, &mut out);
    Some(out)
}

/// As [`html`], and the JSON in scripts.
fn scripts(document: &str) -> Option<Vec<String>> {
    let mut out = Vec::new();
    for text in html(document)? {
        match text.starts_with(['{', '[']) {
            true => out.extend(json(&text)?),
            false => out.push(text),
        }
    }
    Some(out)
}

/// The texts of a notebook, each as its own format is read, and all other strings.
fn notebook(document: &str) -> Option<Vec<String>> {
    fn joined(text: &Value) -> Option<String> {
        match text {
            Value::String(text) => Some(text.clone()),
            Value::Array(lines) => lines.iter().map(Value::as_str).collect(),
            _ => None,
        }
    }
    fn collect(value: &Value, read: Option<Read>, out: &mut Vec<String>) -> Option<()> {
        match (joined(value), value) {
            (Some(text), _) => match read {
                Some(read) => out.extend(read(&text)?),
                None => out.push(text),
            },
            (None, Value::Array(items)) => {
                items.iter().try_for_each(|item| collect(item, None, out))?;
            }
            (None, Value::Object(fields)) => {
                let is_markdown = fields.get("cell_type").is_some_and(|kind| kind == "markdown");
                for (key, value) in fields {
                    let read: Option<Read> = match &**key {
                        "source" if is_markdown => Some(markdown),
                        "text/html" => Some(html),
                        _ => None,
                    };
                    out.push(key.clone());
                    collect(value, read, out)?;
                }
            }
            _ => return None,
        }
        Some(())
    }
    let mut out = Vec::new();
    collect(&serde_json::from_str(document).ok()?, None, &mut out)?;
    Some(out)
}

fn turtle(document: &str) -> Option<Vec<String>> {
    let mut out = Vec::new();
    for triple in oxttl::TurtleParser::new().for_slice(document.as_bytes()) {
        let triple = triple.ok()?;
        out.push(triple.subject.to_string());
        match triple.object {
            oxrdf::Term::Literal(literal) => out.extend([
                literal.value().to_owned(),
                literal.language().unwrap_or_default().to_owned(),
                literal.datatype().to_string(),
            ]),
            other => out.push(other.to_string()),
        }
    }
    Some(out)
}

fn csv(document: &str) -> Option<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.flexible(true).has_headers(false);
    let mut out = Vec::new();
    for record in reader.from_reader(document.as_bytes()).records() {
        out.extend(record.ok()?.iter().map(String::from));
        out.push("end of record".into());
    }
    Some(out)
}

/// The tokens of a style sheet.
fn css(document: &str) -> Option<Vec<String>> {
    fn collect(parser: &mut cssparser::Parser<'_, '_>, out: &mut Vec<String>) {
        use cssparser::Token;

        while let Ok(token) = parser.next_including_whitespace_and_comments().cloned() {
            let nested = matches!(
                token,
                Token::CurlyBracketBlock
                    | Token::ParenthesisBlock
                    | Token::SquareBracketBlock
                    | Token::Function(_)
            );
            match &token {
                // White space and how a URL is written are no structure.
                Token::WhiteSpace(_) => {}
                Token::UnquotedUrl(text) | Token::QuotedString(text) => out.push(text.to_string()),
                other => out.push(format!("{other:?}")),
            }
            if nested {
                let _: Result<(), cssparser::ParseError<'_, ()>> =
                    parser.parse_nested_block(|inner| {
                        collect(inner, out);
                        Ok(())
                    });
            }
        }
    }
    let mut input = cssparser::ParserInput::new(document);
    let mut out = Vec::new();
    collect(&mut cssparser::Parser::new(&mut input), &mut out);
    Some(out)
}

/// Blocks, targets, and the texts between, without the spans of emphasis.
fn markdown(document: &str) -> Option<Vec<String>> {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let (mut out, mut text) = (Vec::new(), String::new());
    for event in Parser::new_ext(document, options) {
        match event {
            Event::Text(piece) => text += &piece,
            Event::SoftBreak => text.push('\n'),
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {
                text.push_str("emphasis")
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                out.push(std::mem::take(&mut text));
                out.push(format!("link {dest_url}"));
            }
            other => {
                out.push(std::mem::take(&mut text));
                out.push(match other {
                    Event::Code(code) => format!("code {code}"),
                    other => format!("{other:?}"),
                });
            }
        }
    }
    out.push(text);
    Some(out)
}

/// `text` as far as the place keeps it.
fn kept(text: &str, exactly: Exactly) -> String {
    match exactly {
        Exactly::Same => text.into(),
        Exactly::Lines => text.replace("\r\n", "\n").replace('\r', "\n"),
        Exactly::Trimmed => {
            let lines = kept(text, Exactly::Lines);
            lines.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{B}').into()
        }
        Exactly::Encoded => {
            percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
        }
    }
}

/// A document of ASCII in `charset`.
fn encode(document: &str, charset: Charset) -> Vec<u8> {
    match charset == Charset::UTF_16LE {
        true => document.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        false => document.into(),
    }
}

/// Holds that the parser reads `text` where the link was, if it was written.
fn check(syntax: &Syntax, place: &str, text: &str, charset: Charset) -> Result<(), String> {
    let document = place.replace('§', LINK);
    let text = &*[syntax.prefix, text].concat();
    let finder = Config::new().format(syntax.format).charset(charset).identifiers(true);
    let finder: Finder = finder.build().expect("the options should be valid");
    let mut out = Vec::new();
    let done = finder
        .replace_stream(&*encode(&document, charset), &mut out, |link, out| {
            match &*link.iri() == LINK {
                true => out.push_str(text),
                false => out.keep(),
            }
        })
        .expect("a vector should take all");
    let out = charset.decode(&out).into_owned();
    if done.changed == 0 {
        return (out == document).then_some(()).ok_or_else(|| format!("{out} has changed"));
    }
    let keep = |texts: Vec<String>| -> Vec<String> {
        // An empty text is none to most parsers.
        texts
            .iter()
            .map(|text| kept(text, syntax.exactly))
            .filter(|text| !text.is_empty())
            .collect()
    };
    let before = (syntax.read)(&document).expect("the document should be valid");
    let after = (syntax.read)(&out).ok_or_else(|| format!("{out:?} is no document"))?;
    let is_same = match done.lost {
        0 => {
            let want = before.iter().map(|read| read.replace(LINK, text)).collect();
            keep(after.clone()) == keep(want)
        }
        _ => after.len() == before.len(),
    };
    is_same.then_some(()).ok_or_else(|| {
        format!("{document:?}\n{text:?} is written as\n{out:?}\nand read as\n{after:?}")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(texts_count()))]

    #[test]
    fn what_is_written_is_what_is_read(text in text(), charset in prop::sample::select(CHARSETS)) {
        let charset = Charset::for_label(charset).expect("it should be known");
        for syntax in SYNTAXES {
            for place in syntax.places {
                let checked = check(syntax, place, &text, charset);
                prop_assert!(checked.is_ok(), "{} {}", syntax.format, checked.unwrap_err());
            }
        }
    }
}

/// Each place takes a text that means nothing.
#[test]
fn each_place_takes_a_word() {
    for syntax in SYNTAXES {
        for place in syntax.places {
            let document = place.replace('§', LINK);
            let finder = Finder::new().format(syntax.format).charset(Charset::UTF_8);
            let out = finder.replace_all(&*document, |link, out| match &*link.iri() == LINK {
                true => out.push_str("word"),
                false => out.keep(),
            });
            assert_ne!(&*out, document.as_bytes(), "{} {place}", syntax.format);
        }
    }
}
