//! Replacing links by any text, in the document's own charset and escapes.
//!
//! Invariant: whatever text is written, it stays in the place of the link. Characters that
//! the format of the document gives a meaning are escaped, so that no text becomes markup, ends a
//! string or begins a new attribute. Of a second format inside of that one, HTML in the text of XML
//! is escaped for, and JSON in a string of JSON is not.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::{convert::Infallible, fmt};

use super::{find::Input, finder::Finder, rewrite::Splice};
use crate::links::matched::Match;

/// The text that replaces a link in [`Finder::replace_all`]: written with
/// [`push_str`](Replacement::push_str) or `write!`. If nothing is written, the link is removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replacement {
    text: String,
    keeps: bool,
}

impl Replacement {
    /// Appends `text`.
    pub fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends a character.
    pub fn push(&mut self, c: char) {
        self.text.push(c);
    }

    /// The text; `None`: the link is kept.
    pub(super) fn text(&self) -> Option<&str> {
        (!self.keeps).then_some(&*self.text)
    }

    /// Leaves the link as it is, byte for byte, whatever was written.
    pub fn keep(&mut self) {
        self.keeps = true;
    }
}

impl fmt::Write for Replacement {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

impl Finder {
    /// `input` with each link replaced by the text that `replace` writes; borrowed if every
    /// link was kept.
    ///
    /// Every byte outside of the links stays. The text is written in the charset of the
    /// document, and escaped as its format needs it: `&lt;` in HTML, `\"` in JSON. A
    /// character that the charset lacks is written with the escape of the format, or as
    /// `?` if it has none.
    ///
    /// HTML in the text of XML, as feeds have it, is escaped for too, and so are style sheets. Other
    /// formats inside of one are not: in JSON in a string of JSON, do not write text from others
    /// unless you escape it for that format first.
    ///
    /// ```
    /// use std::fmt::Write;
    ///
    /// use iriscan::{Finder, Format};
    ///
    /// let finder = Finder::new();
    /// let text = finder.replace_all("see http://a.example/x, please", |_, out| {
    ///     out.push_str("<URL>");
    /// });
    /// assert_eq!(&*text, b"see <URL>, please");
    ///
    /// let html = finder.format(Format::Html).replace_all("<a href='/x'>http://b.example</a>", |link, out| {
    ///     match link.scheme() {
    ///         None => write!(out, "https://a.example{}?a&b", link.iri()).unwrap(),
    ///         Some(_) => out.keep(),
    ///     }
    /// });
    /// assert_eq!(&*html, b"<a href='https://a.example/x?a&amp;b'>http://b.example</a>");
    /// ```
    #[must_use]
    pub fn replace_all<'h>(
        &self,
        input: impl Into<Input<'h>>,
        mut replace: impl FnMut(&Match<'h>, &mut Replacement),
    ) -> Cow<'h, [u8]> {
        let input = input.into();
        let bytes = input.bytes();
        let mut links = self.clone().nested(false).find_iter(input);
        // The charset is known for certain only at the end.
        let found: Vec<_> = links.by_ref().collect();
        let charset = links.charset().0;
        let (mut splice, mut out, mut at) = (Splice::replacing(self), Vec::new(), 0);
        splice.read_as(charset);
        let mut push = |piece: &[u8]| -> Result<(), Infallible> {
            out.extend_from_slice(piece);
            Ok(())
        };
        for link in &found {
            let mut replacement = Replacement::default();
            replace(link, &mut replacement);
            let Some(replacement) = replacement.text() else { continue };
            let range = link.range();
            let text = &bytes[at..range.start];
            let Ok(()) = if text.is_empty() { Ok(()) } else { splice.text(text, &mut push) };
            let replaced = splice.replace(replacement, charset, false, link, &mut push);
            let Ok(()) = replaced;
            at = range.end;
        }
        if splice.counts.changed == 0 {
            return Cow::Borrowed(bytes);
        }
        let rest = &bytes[at..];
        let Ok(()) = if rest.is_empty() { Ok(()) } else { splice.text(rest, &mut push) };
        let Ok(()) = splice.end(&mut push);
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests {
    use std::{format, string::String, vec::Vec};

    use super::*;
    use crate::{
        api::config::Config, charset::Charset, format::kinds::Format, grammar::types::Kind,
    };

    fn replaced(finder: &Finder, input: &[u8], text: &str) -> Vec<u8> {
        finder.replace_all(input, |_, out| out.push_str(text)).into_owned()
    }

    fn in_format(format: Format, input: &str, text: &str) -> String {
        let finder = Finder::new().format(format).charset(Charset::UTF_8);
        String::from_utf8(replaced(&finder, input.as_bytes(), text)).unwrap()
    }

    #[test]
    fn text_stays_in_its_place() {
        let evil = "</a> \" onclick='x' & \\ =";
        for (format, input, expected) in [
            (Format::Text, "x http://a.example/ y", "x </a> \" onclick='x' & \\ = y"),
            (
                Format::Html,
                "<a href=\"http://a.example/\">",
                "<a href=\"&lt;/a&gt; &quot; onclick=&#39;x&#39; &amp; \\ =\">",
            ),
            (
                Format::Html,
                "<a href=/x>",
                "<a href=&lt;/a&gt;&#32;&quot;&#32;onclick&#61;&#39;x&#39;&#32;&amp;&#32;\\&#32;&#61;>",
            ),
            (
                Format::Html,
                "<a href= /x>",
                "<a href= &lt;/a&gt;&#32;&quot;&#32;onclick&#61;&#39;x&#39;&#32;&amp;&#32;\\&#32;&#61;>",
            ),
            (
                Format::Json,
                "{\"a\": \"http://a.example/\"}",
                "{\"a\": \"</a> \\\" onclick='x' & \\\\ =\"}",
            ),
            (Format::Turtle, "<http://a.example/>", "<%3C/a%3E%20%22%20onclick='x'%20&%20%5C%20=>"),
        ] {
            assert_eq!(in_format(format, input, evil), expected, "{format}");
        }
    }

    #[test]
    fn a_style_sheet_has_escapes_of_its_own() {
        let html = in_format(Format::Html, "<p style='background: url(/x)'>", "a) b");
        assert_eq!(html, "<p style='background: url(a\\29 \\20 b)'>");
    }

    /// Places of links, a text for each, and the document with that text. Each level has its own escapes: a style
    /// sheet, an attribute, HTML in XML, a CDATA section.
    const IN_PLACES: [(Format, &str, &str, &str); 57] = [
        (
            Format::Html,
            "<style>a{background:url(http://a.example/)}</style>",
            "</style>é'",
            "<style>a{background:url(\\3c /style\\3e é\\27 )}</style>",
        ),
        (
            Format::Html,
            "<p style=background:url(/x)>",
            "a b&",
            "<p style=background:url(a\\20&#32;b\\26&#32;)>",
        ),
        (Format::Html, "<a href=/x class=y>", "", "<a href=\"\" class=y>"),
        (Format::Html, "<a href=/x>", "a b", "<a href=a&#32;b>"),
        (Format::Html, "<a href='/x'>", "a b'", "<a href='a b&#39;'>"),
        (Format::Html, "<plaintext>http://a.example/ x", "<b>&é", "<plaintext><b>&é x"),
        (
            Format::Html,
            "<p title=\"see http://a.example/ x\">",
            "\"<é",
            "<p title=\"see &quot;&lt;é x\">",
        ),
        (Format::Html, "a &http://a.example/", "amp;b", "a &&#97;mp;b"),
        (Format::Html, "a &#http://a.example/", "x41;b", "a &#&#120;41;b"),
        (
            Format::Xml,
            "<a><![CDATA[see http://a.example/ x]]></a>",
            "a]]><b>&",
            "<a><![CDATA[see a]]]]><![CDATA[><b>& x]]></a>",
        ),
        (
            Format::Xml,
            "<a><![CDATA[see http://a.example/]]></a>",
            "a]",
            "<a><![CDATA[see a]]]><![CDATA[]]></a>",
        ),
        (
            Format::Xml,
            "<a>&lt;a href='/x'&gt;http://a.example/&lt;/a&gt;</a>",
            "<b>é&",
            "<a>&lt;a href='&amp;lt;b&amp;gt;é&amp;amp;'&gt;&amp;lt;b&amp;gt;é&amp;amp;&lt;/a&gt;</a>",
        ),
        (
            Format::Xml,
            "<a><![CDATA[<a href=\"/x\">http://a.example/</a>]]></a>",
            "<b>\"]",
            "<a><![CDATA[<a href=\"&lt;b&gt;&quot;]]]><![CDATA[\">&lt;b&gt;&quot;]]]><![CDATA[</a>]]></a>",
        ),
        (Format::Xml, "<style>a{b:url(/x)}</style>", "<é)", "<style>a{b:url(\\3c é\\29 )}</style>"),
        (Format::Xml, "<link>http://a.example/</link>", "<é", "<link>&lt;é</link>"),
        (Format::Xml, "<d>&lt;http://script/&gt;</d>", "script", "<d>&lt;http://script/&gt;</d>"),
        (
            Format::Xml,
            "<d><![CDATA[<http://script/>]]></d>",
            "b",
            "<d><![CDATA[<http://script/>]]></d>",
        ),
        (Format::Html, "<p title=http://a.example\\/b>", "", "<p title=\\/b>"),
        (Format::Html, "<p title=http://a.example\"b>", "", "<p title=http://a.example\"b>"),
        (
            Format::Turtle,
            "<http://a.example/> <b> \"http://c.example/ x\" .",
            "a b>",
            "<a%20b%3E> <a%20b%3E> \"a b\\u003e x\" .",
        ),
        (
            Format::Turtle,
            "<http://a.example/> <b> _:c .",
            "http://d:80/[#a#b",
            "<http://d:80/%5B#a%23b> <http://d:80/%5B#a%23b> _:c .",
        ),
        // Line ends and tabs that a reader would change, and characters that a format cannot have.
        (Format::Html, "<a href='/x'>", "a\r\nb\tc\0", "<a href='a&#13;\nb\tc?'>"),
        (Format::Html, "a &http://a.example/", "\0", "a &?"),
        (Format::Xml, "<a href='/x'/>", "a\r\nb\tc\u{1}", "<a href='a&#13;&#10;b&#9;c?'/>"),
        (Format::Xml, "<d>see http://a.example/</d>", "\r\u{FFFE}", "<d>see &#13;?</d>"),
        (Format::Xml, "<d>&lt;http://a.example/&gt;</d>", "\0", "<d>&lt;http://a.example/&gt;</d>"),
        (Format::Css, "a{b:url(/x)}", "\0", "a{b:url(?)}"),
        (Format::Log, "see http://a.example/ x", "\n\"\\é", "see \\u000a\\\"\\\\é x"),
        // The text before a link makes a command, a block, a reference or a tag of what follows.
        (Format::Latex, "a\\http://a.example/", "b", "a\\http://a.example/"),
        (Format::Latex, "a http://a.example/", "b", "a b"),
        (Format::Org, "http://a.example/", "* b", "http://a.example/"),
        (Format::Org, "a http://a.example/", "1. b", "a 1. b"),
        (Format::Rst, "http://a.example/", "1. b", "http://a.example/"),
        (Format::Rst, "a http://a.example/", "1. b", "a 1. b"),
        (Format::Po, "# http://a.example/", "1. b", "# http://a.example/"),
        (Format::Po, "# a http://a.example/", "1. b", "# a 1. b"),
        (Format::Wikitext, "http://a.example/", "* b", "&#42; b"),
        (Format::Wikitext, "a http://a.example/", "* b", "a * b"),
        (Format::BbCode, "a [http://a.example/ b", "url", "a [http://a.example/ b"),
        (Format::BbCode, "a http://a.example/ b", "url", "a url b"),
        // Nothing becomes a title, a quotation, the end of an inner string, or a macro.
        (Format::Markdown, "[1]: /x\nhttp://a.example/", "\"t\"", "[1]: \"t\"\n&quot;t\""),
        (Format::Markdown, "a `b\nhttp://a.example/ c`", "> d", "a `b\nhttp://a.example/ c`"),
        (
            Format::Json,
            "\"{\\\"a\\\":\\\"http://a.example/\\\"}\"",
            "\"",
            "\"{\\\"a\\\":\\\"http://a.example/\\\"}\"",
        ),
        (Format::Man, ".B x\nhttp://a.example/ b", ".so x", ".B x\n\\&.so\\ x b"),
        (Format::Man, ".B http://a.example/\nb", "\"", ".B \\(dq\nb"),
        (Format::Man, "x\nhttp://a.example/ b", "a\nb", "x\nhttp://a.example/ b"),
        (Format::Man, ".B http://a.example/\nb", "", ".B http://a.example/\nb"),
        (Format::Man, "x (http://a.example/)\n", "", "x ()\n"),
        (Format::Man, ".UR http://a.example/\nb", "a \"\\", ".UR a%20%22\\e\nb"),
        // Nothing ends a string or a comment, or goes on with an escape.
        (Format::Source, "(\"http://a.example/\")", "é/*", "(\"é/*\")"),
        (Format::Source, "'http://a.example/'", "a'b", "'http://a.example/'"),
        (Format::Source, "'http://a.example/'", "a\\", "'http://a.example/'"),
        (Format::Source, "// http://a.example/", "a\nb", "// http://a.example/"),
        (Format::Source, "/* http://a.example/ */", "*/", "/* http://a.example/ */"),
        (Format::Source, "/* *http://a.example/ */", "/b", "/* *http://a.example/ */"),
        (Format::Source, "/* *http://a.example/ */", "b", "/* *b */"),
        (Format::Source, "'\\1http://a.example/'", "2", "'\\1http://a.example/'"),
    ];

    #[test]
    fn places_have_escapes_of_their_own() {
        for (format, input, text, expected) in IN_PLACES {
            assert_eq!(in_format(format, input, text), expected, "{format} {input}");
        }
        for (format, input, text, expected) in [
            // A field that the link fills, a part of a field, and fields in quotes.
            (Format::Csv, "a,http://a.example/,b\n", "x,\"y\"\n", "a,\"x,\"\"y\"\"\n\",b\n"),
            (Format::Csv, "a,http://a.example/,b\n", "x y", "a,x y,b\n"),
            (Format::Csv, "a,http://a.example/ z,b\n", "\"x,\ny\"", "a,%22x%2C%0Ay\" z,b\n"),
            (Format::Csv, "http://a.example\"x,y\n", "", "http://a.example\"x,y\n"),
            (Format::Csv, "a\nhttp://a.example/\nb\n", "", "a\n\"\"\nb\n"),
            (Format::Csv, "http://a.example/\n", "\u{FEFF}b", "\"\u{FEFF}b\"\n"),
            (Format::Csv, "a,z http://a.example/,b\n", "\"x,y\"", "a,z \"x%2Cy\",b\n"),
            (Format::Csv, "a,\"http://a.example/\",b\n", "x,\"y\"", "a,\"x,\"\"y\"\"\",b\n"),
            (Format::Csv, "a;b\nc;http://a.example/,\n", "x,y;", "a;b\nc;\"x,y;\"\n"),
            (Format::Tsv, "a\thttp://a.example/\tb\n", "x,\ty", "a\t\"x,\ty\"\tb\n"),
            (Format::Tsv, "a\tz http://a.example/\n", "x,\ty", "a\tz x,%09y\n"),
        ] {
            assert_eq!(in_format(format, input, text), expected, "{format} {input}");
        }
    }

    #[test]
    fn places_of_markdown_have_escapes_of_their_own() {
        for (input, text, expected) in [
            (
                "see http://a.example/ x",
                "<a>*b*[c](d)\\e&amp;",
                "see &lt;a&gt;&#42;b&#42;&#91;c&#93;(d)&#92;e&amp;amp; x",
            ),
            ("[a](http://a.example/)", "b c)(", "[a](b%20c\\)\\()"),
            ("[a](http://a.example/)", "", "[a](<>)"),
            ("<http://a.example/>", "http://b/?c&d&e;f&", "<http://b/?c&d&amp;e;f&amp;>"),
            ("[a](<http://a.example/>)", "b >\n", "[a](<b %3E%0A>)"),
            ("`http://a.example/`", "a b&", "`a b&`"),
            // Whether that is code is not known.
            ("`http://a.example/`", "<a>*", "`http://a.example/`"),
            ("```\nhttp://a.example/\n```", "<a>*", "```\n<a>*\n```"),
            ("```\nhttp://a.example/\n```", "a`", "```\nhttp://a.example/\n```"),
            ("<a href='/x'>", "<\"'&", "<a href='&lt;&quot;&#39;&amp;'>"),
            ("<http://script/>", "script", "<&#115;cript>"),
            ("<!http://a.example/", "x", "<!http://a.example/"),
            ("http://a.example/\n", "", "&#32;\n"),
            ("a http://a.example/\n", "b\u{C}", "a b&#12;\n"),
            ("<http://a.example/>", "\0", "<&#63;>"),
        ] {
            assert_eq!(in_format(Format::Markdown, input, text), expected, "{input}");
        }
    }

    #[test]
    fn places_of_asciidoc_have_escapes_of_their_own() {
        for (input, text, expected) in [
            ("see http://a.example/ x", "<a>[b]", "see &#60;a>&#91;b&#93; x"),
            ("see http://a.example/ x", "http://b/a_b#c~d", "see http://b/a_b#c~d x"),
            ("see http://a.example/ x", "*b* _c", "see &#42;b&#42; &#95;c x"),
            ("http://a.example/ x", "== b", "&#61;= b x"),
            ("* http://a.example/ x", "a. b::", "* &#97;. b&#58;&#58; x"),
            ("http://a.example/. b", "x", "&#120;. b"),
            ("http://a.example/ b", "x.example iv)", "x.example iv&#41; b"),
            ("see http://a.example/ x", "", "see  x"),
            ("* http://a.example/", "", "* http://a.example/"),
            ("*see http://a.example/*", "", "*see http://a.example/*"),
            ("a:: http://a.example/\n", "", "a:: http://a.example/\n"),
            ("http://a.example/[b]", "c d[e]", "c%20d%5Be%5D[b]"),
            ("link:a[b]", "<c>{d}", "link:%3Cc%3E%7Bd}[b]"),
        ] {
            assert_eq!(in_format(Format::AsciiDoc, input, text), expected, "{input}");
        }
    }

    #[cfg(feature = "legacy-charsets")]
    #[test]
    fn a_character_that_the_charset_lacks_has_an_escape_at_each_level() {
        let latin = Charset::for_label("windows-1252").unwrap();
        for (format, input, expected) in [
            (Format::Html, "<style>a{b:url(/x)}</style>", "<style>a{b:url(\\65e5 )}</style>"),
            (Format::Html, "<p style='b:url(/x)'>", "<p style='b:url(\\65e5 )'>"),
            (Format::Html, "<plaintext>http://a.example/", "<plaintext>?"),
            (Format::Xml, "<a><![CDATA[http://a.example/]]></a>", "<a><![CDATA[?]]></a>"),
            (
                Format::Xml,
                "<a><![CDATA[<b>http://a.example/</b>]]></a>",
                "<a><![CDATA[<b>&#26085;</b>]]></a>",
            ),
            (
                Format::Xml,
                "<a>&lt;b&gt;http://a.example/&lt;/b&gt;</a>",
                "<a>&lt;b&gt;&amp;#26085;&lt;/b&gt;</a>",
            ),
        ] {
            let finder = Finder::new().format(format).charset(latin);
            let out = replaced(&finder, input.as_bytes(), "日");
            assert_eq!(String::from_utf8_lossy(&out), expected, "{format} {input}");
        }
    }

    #[test]
    fn no_tag_begins() {
        let finder = Config::new().kinds([Kind::Bare]).format(Format::Html).build().unwrap();
        let html = replaced(&finder, "a <例え.jp/ b".as_bytes(), "p");
        assert_eq!(html, b"a <&#112; b");
    }

    #[cfg(feature = "legacy-charsets")]
    #[test]
    fn the_charset_is_the_documents() {
        let sjis = Finder::new().charset(Charset::for_label("shift_jis").unwrap());
        assert_eq!(replaced(&sjis, b"\x82\xA0 http://a.example/ x", "表é"), b"\x82\xA0 \x95\\? x");
        let html = sjis.format(Format::Html);
        assert_eq!(replaced(&html, b"http://a.example/", "é"), b"&#233;");
        let json = html.format(Format::Json);
        assert_eq!(replaced(&json, b"[\"http://a.example/\"]", "😀"), b"[\"\\ud83d\\ude00\"]");
        let wide = Finder::new().charset(Charset::UTF_16LE);
        let text: Vec<u8> =
            "http://a.example/ x".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(replaced(&wide, &text, "é"), b"\xE9\0 \0x\0");
        // The charset is known only after the link.
        assert_eq!(
            replaced(&Finder::new(), b"http://a.example/ \x1B$B$\"\x1B(B", "あ"),
            b"\x1B$B$\"\x1B(B \x1B$B$\"\x1B(B"
        );
    }

    #[test]
    fn links_that_are_kept_stay() {
        let finder = Finder::new();
        assert!(matches!(
            finder.replace_all("http://a.example/é x", |_, out| {
                out.push_str("lost");
                out.keep();
            }),
            Cow::Borrowed(_)
        ));
        let text = "http://a.example/ http://b.example/ http://c.example/";
        let mut n = 0;
        let some = finder.replace_all(text, |_, out| {
            n += 1;
            if n == 2 {
                out.keep()
            } else {
                *out = Replacement { text: format!("{n}"), keeps: false }
            }
        });
        assert_eq!(&*some, b"1 http://b.example/ 3");
    }

    /// To write the link's own reference changes nothing but escapes.
    #[test]
    fn a_link_for_itself_is_the_same_document() {
        for (format, input) in [
            (Format::Text, "a http://a.example/é b"),
            (Format::Html, "<a href='/x?a&amp;b'>http://a.example/é</a>"),
            (Format::Json, "[\"http://a.example/é\"]"),
            (Format::Turtle, "<http://a.example/é> <b> \"see http://c.example/\" ."),
        ] {
            let finder = Finder::new().format(format).charset(Charset::UTF_8);
            let same = finder.replace_all(input, |link, out| out.push_str(&link.iri()));
            assert_eq!(String::from_utf8_lossy(&same), input);
        }
    }
}
