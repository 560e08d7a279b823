//! The form of a reference for running text (UTS #58, section 4).
//!
//! As little as possible is escaped, and enough that link detection finds the whole reference
//! again between spaces. Detection itself is in `grammar`.

use alloc::{string::String, vec, vec::Vec};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    class::{is_bidi_control, is_escape, is_iprivate, is_reserved, is_ucschar},
    components::{Component, Components},
    to_iri::{Digits, decode_escapes},
    unicode::is_hidden,
};
use crate::data::{
    link_term::LinkTerm,
    properties::{closing_bracket, link_term},
};

/// The parts of a link, with nothing escaped (UTS #58, section 4.1).
///
/// ```
/// use iriscan::reference::LinkParts;
///
/// let link = LinkParts::new("https://", "example.com")
///     .segment("α")
///     .segment("b/?#c")
///     .query("k", ["γ&ζ"])
///     .fragment("ε(ζ))");
/// assert_eq!(link.to_text(), "https://example.com/α/b%2F%3F%23c?k=γ%26ζ#ε(ζ)%29");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkParts {
    scheme: String,
    host: String,
    path: Vec<String>,
    query: Vec<Vec<String>>,
    fragment: Option<String>,
    directives: Vec<String>,
}

impl LinkParts {
    /// Begins a link with a scheme and its delimiter (`https://`), and a host. Both are copied
    /// as they are.
    #[must_use]
    pub fn new(scheme: impl Into<String>, host: impl Into<String>) -> LinkParts {
        LinkParts { scheme: scheme.into(), host: host.into(), ..LinkParts::default() }
    }

    /// Adds a segment of the path.
    #[must_use]
    pub fn segment(mut self, segment: impl Into<String>) -> LinkParts {
        self.path.push(segment.into());
        self
    }

    /// Adds a name to the query, and its values, each after a `=`.
    #[must_use]
    pub fn query<V: Into<String>>(
        mut self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = V>,
    ) -> LinkParts {
        let mut entry = vec![name.into()];
        entry.extend(values.into_iter().map(Into::into));
        self.query.push(entry);
        self
    }

    /// Adds a fragment.
    #[must_use]
    pub fn fragment(mut self, fragment: impl Into<String>) -> LinkParts {
        self.fragment = Some(fragment.into());
        self
    }

    /// Adds a fragment directive, which is written after `:~:`.
    #[must_use]
    pub fn directive(mut self, directive: impl Into<String>) -> LinkParts {
        self.directives.push(directive.into());
        self
    }

    /// The minimally escaped form (UTS #58, section 4.1). Between spaces it is found whole by
    /// [`RuleSet::Uts58`](crate::RuleSet::Uts58).
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut writer = Writer::new([&*self.scheme, &self.host].concat());
        for segment in &self.path {
            writer.part(Part::Path, Some("/"), &escape(segment, &['/']));
        }
        for (i, entry) in self.query.iter().enumerate() {
            for (j, text) in entry.iter().enumerate() {
                let mark = match (i, j) {
                    (0, 0) => "?",
                    (_, 0) => "&",
                    _ => "=",
                };
                writer.part(Part::Query, Some(mark), &escape(text, &['=', '&']));
            }
        }
        if let Some(fragment) = &self.fragment {
            writer.part(Part::Fragment, Some("#"), &escape(fragment, &[]));
        }
        for (i, directive) in self.directives.iter().enumerate() {
            let mark = if i == 0 && self.fragment.is_none() { "#:~:" } else { ":~:" };
            writer.part(Part::Fragment, Some(mark), &escape(directive, &[]));
        }
        writer.finish()
    }
}

/// Escapes the separators of the part, and a `%` that would begin an escape.
fn escape(text: &str, separators: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, c) in text.char_indices() {
        if separators.contains(&c) || c == '%' && is_escape(text.as_bytes(), i) {
            push_escaped(&mut out, c);
        } else {
            out.push(c);
        }
    }
    out
}

fn push_escaped(out: &mut String, c: char) {
    out.extend(utf8_percent_encode(c.encode_utf8(&mut [0; 4]), ALL));
}

const ALL: &AsciiSet = NON_ALPHANUMERIC;

/// The form of `reference` for running text: minimally escaped (UTS #58, section 4.1), and with
/// the same meaning. Scheme and host are copied.
///
/// Escapes are decoded, except those of reserved characters, `%`, octets that are not UTF-8,
/// characters that no IRI holds, and invisible characters. Characters that end a link are
/// escaped: white space, unmatched closing brackets, punctuation at the end; also `<`, `>`,
/// `\` and the backtick, which end a link by other rules than UTS #58.
///
/// ```
/// use iriscan::reference::to_text;
///
/// assert_eq!(
///     to_text("https://ja.wikibooks.org/wiki/%E6%A4%8D%E7%89%A9%E5%AD%A6/%E3%81%8B%EF%BC%9F"),
///     "https://ja.wikibooks.org/wiki/植物学/か%EF%BC%9F",
/// );
/// ```
#[must_use]
pub fn to_text(reference: &str) -> String {
    let parts = Components::split(reference);
    let start = parts.range(Component::Path).map_or(0, |range| range.start);
    let mut writer = Writer::new(reference[..start].into());
    // The text before a `:` in the first segment must not become a scheme.
    let (kept, rest) = parts.path().split_at(parts.before_colon());
    writer.part(Part::Path, None, &[kept, &decode(rest)].concat());
    if let Some(query) = parts.query() {
        writer.part(Part::Query, Some("?"), &decode(query));
    }
    if let Some(fragment) = parts.fragment() {
        writer.part(Part::Fragment, Some("#"), &decode(fragment));
    }
    writer.finish()
}

fn decode(text: &str) -> String {
    decode_escapes(text, Digits::AsWritten, |c, _, _| match c {
        '"' => true,
        c if c.is_ascii() => c.is_ascii_graphic() && !is_reserved(c) && !"%<>\\^`{|}".contains(c),
        c => {
            let c32 = u32::from(c);
            (is_ucschar(c32) || is_iprivate(c32)) && !is_bidi_control(c) && !is_hidden(c)
        }
    })
}

/// A part of a link, with its separators and terminators (UTS #58, section 3.5.1).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Query,
    Fragment,
}

impl Part {
    /// Separators close all open brackets.
    fn is_separator(self, c: char) -> bool {
        match self {
            Part::Path => c == '/',
            Part::Query => matches!(c, '=' | '&'),
            Part::Fragment => false,
        }
    }

    fn is_terminator(self, c: char) -> bool {
        match self {
            Part::Path => matches!(c, '?' | '#'),
            Part::Query => c == '#',
            Part::Fragment => false,
        }
    }
}

/// How many brackets may be open in one part. Detection stops at one more.
const OPEN_MAX: usize = 125;

struct Writer {
    out: String,
    /// The closing partners of the open brackets.
    open: Vec<char>,
    /// The place of the last character, if it is Soft, so that it may stay unescaped only
    /// before another character.
    soft: Option<usize>,
}

impl Writer {
    fn new(out: String) -> Writer {
        Writer { out, open: Vec::new(), soft: None }
    }

    /// Writes a part, or a piece of one, after its `mark`.
    fn part(&mut self, part: Part, mark: Option<&str>, text: &str) {
        if let Some(mark) = mark {
            self.out.push_str(mark);
            self.soft = None;
        }
        self.open.clear();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if part == Part::Fragment && rest.starts_with(":~:") {
                self.open.clear();
            }
            rest = &rest[c.len_utf8()..];
            self.character(part, c);
        }
    }

    fn character(&mut self, part: Part, c: char) {
        if part.is_separator(c) {
            self.open.clear();
        }
        self.soft = None;
        let keep = match link_term(c) {
            _ if part.is_terminator(c) || matches!(c, '<' | '>' | '\\' | '`') => false,
            LinkTerm::Include => true,
            LinkTerm::Hard => false,
            LinkTerm::Soft => {
                self.soft = Some(self.out.len());
                true
            }
            LinkTerm::Open => match closing_bracket(c) {
                Some(close) if self.open.len() < OPEN_MAX => {
                    self.open.push(close);
                    true
                }
                _ => false,
            },
            LinkTerm::Close => self.open.pop() == Some(c),
        };
        if keep {
            self.out.push(c);
        } else {
            push_escaped(&mut self.out, c);
        }
    }

    fn finish(mut self) -> String {
        if let Some(at) = self.soft
            && let Some(last) = self.out[at..].chars().next()
        {
            self.out.truncate(at);
            push_escaped(&mut self.out, last);
        }
        self.out
    }
}
