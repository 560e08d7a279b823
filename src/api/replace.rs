//! Replacing links by any text, in the document's own charset and escapes.
//!
//! Invariant: whatever text is written, it stays in the place of the link. Characters that
//! the format of the document gives a meaning are escaped, so that no text becomes markup, ends a
//! string or begins a new attribute. A second format inside of that one (HTML in the text of a
//! feed, JSON in a string of JSON) is not escaped for.

use alloc::{borrow::Cow, format, string::String, vec::Vec};
use core::{convert::Infallible, fmt};

use super::{find::Input, finder::Finder, rewrite::Splice};
use crate::{
    charset::{Charset, Shape},
    format::kinds::Format,
    links::matched::Match,
};

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
    /// Only the format of the document is escaped for, not a second one inside of it: in the
    /// HTML that the text of a feed holds, or in JSON in a string of JSON, do not write text from
    /// others unless you escape it for that format first.
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
        let mut links = self.find_iter(input);
        // The charset is known for certain only at the end.
        let found: Vec<_> = links.by_ref().collect();
        let charset = links.charset().0;
        let jis = charset.shape() == Shape::Stateful;
        let (mut splice, mut out, mut at) = (Splice::default(), Vec::new(), 0);
        let mut push = |piece: &[u8]| -> Result<(), Infallible> {
            out.extend_from_slice(piece);
            Ok(())
        };
        for link in &found {
            let mut replacement = Replacement::default();
            replace(link, &mut replacement);
            if replacement.keeps {
                continue;
            }
            let range = link.range();
            let before = &bytes[at..range.start];
            let escaper = Escaper::new(self.format, charset, link, before);
            let text = escaper.escaped(&replacement.text);
            if swallows(&text, charset, link) {
                continue;
            }
            let Ok(()) =
                if before.is_empty() { Ok(()) } else { splice.text(before, jis, &mut push) };
            let Ok(()) = splice.put(&text, charset, link, &mut push);
            at = range.end;
        }
        if splice.changed == 0 {
            return Cow::Borrowed(bytes);
        }
        let rest = &bytes[at..];
        let Ok(()) = if rest.is_empty() { Ok(()) } else { splice.text(rest, jis, &mut push) };
        let Ok(()) = splice.end(&mut push);
        Cow::Owned(out)
    }
}

/// Whether malformed bytes directly before the link would take the first byte of `text` for
/// the rest of a character.
fn swallows(text: &str, charset: Charset, link: &Match<'_>) -> bool {
    charset.shape() == Shape::Multi
        && link.found().malformed_adjacent
        && text.bytes().next() != link.source().first().copied()
}

/// Escapes text for the place of a link.
struct Escaper {
    format: Format,
    charset: Charset,
    /// The link may be in an attribute without quotes, which white space would end.
    unquoted: bool,
    /// The link may be in `url(…)` of a style sheet.
    css: bool,
    /// The link is all between `<` and `>` of Turtle.
    name: bool,
    /// A `<` that is text is directly before the link: a letter after it would begin a tag.
    after_less_than: bool,
}

impl Escaper {
    /// `before`: the bytes between the link before and this one.
    fn new(format: Format, charset: Charset, link: &Match<'_>, before: &[u8]) -> Escaper {
        let markup = matches!(format, Format::Html | Format::Xml);
        Escaper {
            format,
            charset,
            unquoted: markup && may_be_unquoted(before),
            css: markup && follows_url(before),
            name: format == Format::Turtle && ascii(before).next() == Some(b'<'),
            after_less_than: link.found().after_less_than,
        }
    }

    fn escaped<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let plain = |(i, c): (usize, char)| {
            (c.is_ascii() || self.charset.is_unicode())
                && !self.is_special(c)
                && !(i == 0 && self.after_less_than)
        };
        if text.char_indices().all(plain) {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len() + text.len() / 4);
        for (i, c) in text.char_indices() {
            let begins_tag = i == 0 && self.after_less_than && c.is_ascii_alphabetic();
            match self.is_special(c) || begins_tag || !self.has(c) {
                true => self.escape(c, &mut out),
                false => out.push(c),
            }
        }
        Cow::Owned(out)
    }

    /// Whether the charset has `c`.
    fn has(&self, c: char) -> bool {
        let shifts = matches!(c, '\u{E}' | '\u{F}' | '\u{1B}');
        if self.charset.is_unicode() || c.is_ascii() {
            return !(shifts && self.charset.shape() == Shape::Stateful);
        }
        let encoding = self.charset.encoding();
        encoding.is_none_or(|encoding| !encoding.encode(c.encode_utf8(&mut [0; 4])).2)
    }

    /// Whether the format gives `c` a meaning in the place of a link.
    fn is_special(&self, c: char) -> bool {
        match self.format {
            Format::Html | Format::Xml => {
                matches!(c, '&' | '<' | '>' | '"' | '\'')
                    || self.unquoted && (c.is_ascii_whitespace() || matches!(c, '=' | '`'))
                    || self.css && (c.is_ascii_whitespace() || matches!(c, '(' | ')' | '\\'))
            }
            Format::Json => matches!(c, '"' | '\\') || c < ' ',
            Format::Log => matches!(c, '"' | '\\') || c < ' ' || c == '\u{7F}',
            Format::Turtle => {
                matches!(c, '<' | '>' | '"' | '\'' | '\\')
                    || c < ' '
                    || self.name && matches!(c, ' ' | '{' | '}' | '|' | '^' | '`')
            }
            _ => false,
        }
    }

    fn escape(&self, c: char, out: &mut String) {
        match (self.format, c) {
            (Format::Html | Format::Xml, '&') => out.push_str("&amp;"),
            (Format::Html | Format::Xml, '<') => out.push_str("&lt;"),
            (Format::Html | Format::Xml, '>') => out.push_str("&gt;"),
            (Format::Html | Format::Xml, _)
                if self.css && c.is_ascii() && !matches!(c, '"' | '\'') =>
            {
                *out += &format!("\\{:x} ", c as u32);
            }
            (Format::Html | Format::Xml, '"') => out.push_str("&quot;"),
            (Format::Html | Format::Xml, _) => *out += &format!("&#{};", c as u32),
            (Format::Json | Format::Log, '"' | '\\') => {
                out.push('\\');
                out.push(c);
            }
            (Format::Log, _) if c.is_ascii() => *out += &format!("\\x{:02X}", c as u32),
            (Format::Turtle, _) if u32::from(c) > 0xFFFF => *out += &format!("\\U{:08X}", c as u32),
            (Format::Json | Format::Log | Format::Turtle, _) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    *out += &format!("\\u{unit:04x}");
                }
            }
            _ => out.push('?'),
        }
    }
}

/// The ASCII characters of `before`, the last one first: in UTF-16 and UTF-32 without the
/// NULs between them.
fn ascii(before: &[u8]) -> impl Iterator<Item = u8> {
    before.iter().rev().copied().filter(|b| *b != 0)
}

/// Whether a link after `before` may be in an attribute value without quotes: between `=`
/// and the link there is no white space but directly after the `=`, no quote and no tag.
/// Text such as `a=http://…` looks the same; to escape more there does no harm.
fn may_be_unquoted(before: &[u8]) -> bool {
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'<' | b'>' | b'"' | b'\'' | b'=');
    let mut back = ascii(before).skip_while(|b| !ends(b)).peekable();
    match back.peek() {
        Some(b'=') => true,
        Some(b) if b.is_ascii_whitespace() => {
            back.find(|b| !b.is_ascii_whitespace()).is_none_or(|b| b == b'=')
        }
        // The rest of the value is before the link before this one.
        None => true,
        Some(_) => false,
    }
}

/// Whether `before` ends in `url(`, perhaps with a quote and white space.
fn follows_url(before: &[u8]) -> bool {
    let skipped = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'');
    let mut back = ascii(before).skip_while(skipped).map(|b| b.to_ascii_lowercase());
    b"(lru".iter().all(|b| back.next() == Some(*b))
}

#[cfg(test)]
mod tests {
    use std::{format, string::String, vec::Vec};

    use super::*;
    use crate::{api::config::Config, grammar::types::Kind};

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
            (
                Format::Turtle,
                "<http://a.example/>",
                "<\\u003c/a\\u003e\\u0020\\u0022\\u0020onclick=\\u0027x\\u0027\\u0020&\\u0020\\u005c\\u0020=>",
            ),
        ] {
            assert_eq!(in_format(format, input, evil), expected, "{format}");
        }
    }

    #[test]
    fn a_style_sheet_has_escapes_of_its_own() {
        let html = in_format(Format::Html, "<p style='background: url(/x)'>", "a) b");
        assert_eq!(html, "<p style='background: url(a\\29 \\20 b)'>");
    }

    #[test]
    fn no_tag_begins() {
        let finder = Config::new().kinds([Kind::Bare]).format(Format::Html).build().unwrap();
        let html = replaced(&finder, "a <例え.jp/ b".as_bytes(), "p");
        assert_eq!(html, b"a <&#112; b");
    }

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
