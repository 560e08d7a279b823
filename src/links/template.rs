//! Templates: text with fields of a link in it, such as `[{host}]`.
//!
//! The text of a template goes in; later links go in, and for each comes out the text with the
//! values of its fields. The caller decides where to write the text, and with which escapes.

use alloc::{
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::fmt;

use super::{
    defang::defanged,
    field::{Field, absolute},
    matched::Match,
};
use crate::reference::to_uri::UriError;

/// How many fields a replacement may have: those before this place in [`Field::ALL`].
const OF_REPLACEMENTS: usize = 16;

/// The fields that bring their own mark: in braces, the mark before the field, the field, the mark after it.
/// A link that lacks the field gets no mark either.
const MARKED: [(&str, &str, Field, &str); 5] = [
    ("scheme:", "", Field::Scheme, ":"),
    ("userinfo@", "", Field::Userinfo, "@"),
    (":port", ":", Field::Port, ""),
    ("?query", "?", Field::Query, ""),
    ("#fragment", "#", Field::Fragment, ""),
];

/// A text with fields of a link in it: `{host}`, `{uri}` and the others of [`Field`]. `{{` and
/// `}}` are braces. `{scheme:}`, `{userinfo@}`, `{:port}`, `{?query}` and `{#fragment}` write the field with its
/// mark, and nothing if the link lacks it.
///
/// ```
/// use iriscan::{Finder, Template};
///
/// let template = Template::new("[link {n} to {host}]")?;
/// let link = Finder::new().find_iter("see http://例え.jp/道").next().unwrap();
/// let mut out = String::new();
/// template.write(&link, 1, &mut out)?;
/// assert_eq!(out, "[link 1 to 例え.jp]");
/// out.clear();
/// Template::new("https://new.example{path}{?query}{#fragment}")?.write(&link, 1, &mut out)?;
/// assert_eq!(out, "https://new.example/道");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Template {
    text: Arc<str>,
    pieces: Arc<[Piece]>,
}

/// A part of a [`Template`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TemplatePart<'t> {
    /// A text, with the escapes of the template resolved.
    Text(&'t str),
    /// The place for the value of a field.
    Field(Field),
    /// The place for the value of a field between marks, as in `{?query}`; empty if the link lacks the field.
    Marked {
        /// The mark before the value.
        before: &'static str,
        /// The field.
        field: Field,
        /// The mark after the value.
        after: &'static str,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Piece {
    Text(String),
    Field(Field),
    /// A field with its mark: a row of [`MARKED`].
    Marked(usize),
    /// The IRI so that no program makes a link of it.
    Defanged,
    /// The IRI of a link that was made harmless.
    Refanged,
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Template").field(&self.text).finish()
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl core::str::FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Template, TemplateError> {
        Template::new(text)
    }
}

/// The text of [`Template::defang`], which no other template has, because `!` is in no field.
const DEFANG: &str = "{!defang}";

/// The text of [`Template::refang`].
const REFANG: &str = "{!refang}";

impl Template {
    /// A template of the fields of a link, up to [`Field::N`].
    ///
    /// # Errors
    ///
    /// A field that does not exist, or a brace alone. The error has its place and lists the fields.
    pub fn new(text: &str) -> Result<Template, TemplateError> {
        parse(text, &Field::ALL[..OF_REPLACEMENTS], false)
    }

    /// A template of all fields, those of the place of a link too, for a list of links. In it `\t`,
    /// `\n`, `\0` and `\\` are a tab, a line feed, a NUL and a backslash.
    ///
    /// ```
    /// use iriscan::{Field, Template, TemplatePart};
    ///
    /// let template = Template::for_lists(r"{file}:{line}\t{iri}")?;
    /// let fields: Vec<_> = template.fields().collect();
    /// assert_eq!(fields, [Field::File, Field::Line, Field::Iri]);
    /// assert_eq!(template.parts().nth(3), Some(TemplatePart::Text("\t")));
    /// # Ok::<(), iriscan::TemplateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Template::new`].
    pub fn for_lists(text: &str) -> Result<Template, TemplateError> {
        parse(text, Field::ALL, true)
    }

    /// The template that makes links harmless, as people who report abuse write them:
    /// `hxxp[:]//host[.]example/…`. A link without scheme and host is kept.
    ///
    /// ```
    /// use iriscan::{Finder, Template};
    ///
    /// let link = Finder::new().find_iter("http://www.a.example/x.html").next().unwrap();
    /// let mut out = String::new();
    /// Template::defang().write(&link, 1, &mut out)?;
    /// assert_eq!(out, "hxxp[:]//www[.]a[.]example/x.html");
    /// # Ok::<(), iriscan::UriError>(())
    /// ```
    #[must_use]
    pub fn defang() -> Template {
        Template { text: DEFANG.into(), pieces: [Piece::Defanged].into() }
    }

    /// The template that makes links of links that were made harmless: their IRIs. It undoes
    /// [`Template::defang`] where such links are read ([`Format::Defanged`](crate::Format::Defanged)). In every
    /// other format, links stay.
    ///
    /// ```
    /// use iriscan::{Config, Format, Template};
    ///
    /// let config = Config::new().format(Format::Defanged).rewrite(Template::refang());
    /// let text = config.build()?.rewrite_slice("see hxxp[:]//www[.]a[.]example/x.html").0.into_owned();
    /// assert_eq!(text, b"see http://www.a.example/x.html");
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn refang() -> Template {
        Template { text: REFANG.into(), pieces: [Piece::Refanged].into() }
    }

    /// True for a template that no text makes.
    pub(crate) fn is_named(&self) -> bool {
        matches!(&*self.pieces, [Piece::Defanged | Piece::Refanged])
    }

    /// True for [`Template::refang`].
    pub(crate) fn is_refang(&self) -> bool {
        matches!(&*self.pieces, [Piece::Refanged])
    }

    /// The text, if the template is the same for every link.
    pub(crate) fn constant(&self) -> Option<&str> {
        match &*self.pieces {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The fields of the template, in order.
    pub fn fields(&self) -> impl Iterator<Item = Field> {
        self.parts().filter_map(|part| match part {
            TemplatePart::Field(field) | TemplatePart::Marked { field, .. } => Some(field),
            TemplatePart::Text(_) => None,
        })
    }

    /// The parts of the template, in order, for callers that know the place of a link too. Those of
    /// [`Template::defang`] and [`Template::refang`] are one field.
    pub fn parts(&self) -> impl Iterator<Item = TemplatePart<'_>> {
        self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => TemplatePart::Text(text),
            Piece::Field(field) => TemplatePart::Field(*field),
            Piece::Marked(row) => {
                let (_, before, field, after) = MARKED[*row];
                TemplatePart::Marked { before, field, after }
            }
            Piece::Defanged | Piece::Refanged => TemplatePart::Field(Field::Iri),
        })
    }

    /// Appends the text for `link`, the `n`th of its input, to `out`. Returns false, and appends
    /// nothing, if the template has [`Field::Uri`], [`Field::Open`] or [`Field::Absolute`] and the link has
    /// none. Every other field that the link does not have is empty.
    ///
    /// # Errors
    ///
    /// The link has no URI form, and the template has one of these fields. Nothing is appended.
    pub fn write(&self, link: &Match<'_>, n: u64, out: &mut String) -> Result<bool, UriError> {
        let start = out.len();
        let whole = self.try_write(link, n, out);
        if !matches!(whole, Ok(true)) {
            out.truncate(start);
        }
        whole
    }

    fn try_write(&self, link: &Match<'_>, n: u64, out: &mut String) -> Result<bool, UriError> {
        for piece in &*self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Field(Field::Uri) => out.push_str(link.uri()?.as_str()),
                Piece::Field(Field::Open) => match absolute(link, Match::open)? {
                    Some(open) => out.push_str(&open),
                    None => return Ok(false),
                },
                Piece::Field(Field::Absolute) => match absolute(link, Match::absolute)? {
                    Some(uri) => out.push_str(&uri),
                    None => return Ok(false),
                },
                Piece::Field(Field::N) => out.push_str(&n.to_string()),
                Piece::Field(field) => out.push_str(&link.get(*field).unwrap_or_default()),
                Piece::Marked(row) => {
                    let (_, before, field, after) = MARKED[*row];
                    if let Some(value) = link.get(field) {
                        out.extend([before, &*value, after]);
                    }
                }
                Piece::Defanged => out.push_str(&defanged(&link.iri(), link.kind())),
                Piece::Refanged => out.push_str(&link.iri()),
            }
        }
        Ok(true)
    }
}

fn parse(text: &str, fields: &'static [Field], escapes: bool) -> Result<Template, TemplateError> {
    let error =
        |at: usize, what: Fault| TemplateError { template: text.to_string(), at, what, fields };
    let (mut pieces, mut literal) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let at = text.len() - rest.len();
        rest = &rest[c.len_utf8()..];
        match c {
            '{' | '}' if rest.starts_with(c) => {
                literal.push(c);
                rest = &rest[1..];
            }
            '{' => {
                let Some((name, after)) = rest.split_once('}') else {
                    return Err(error(at, Fault::Open));
                };
                let field = fields.iter().find(|field| field.as_str() == name);
                let marked = || MARKED.iter().position(|(marked, ..)| *marked == name);
                let piece = field.map(|field| Piece::Field(*field));
                let piece = piece.or_else(|| marked().map(Piece::Marked));
                let piece = piece.ok_or_else(|| error(at, Fault::Unknown(name.to_string())))?;
                if !literal.is_empty() {
                    pieces.push(Piece::Text(core::mem::take(&mut literal)));
                }
                pieces.push(piece);
                rest = after;
            }
            '}' => return Err(error(at, Fault::Close)),
            '\\' if escapes => {
                let escaped = [("t", '\t'), ("n", '\n'), ("0", '\0'), ("\\", '\\')];
                match escaped.iter().find(|(name, _)| rest.starts_with(name)) {
                    Some((_, meant)) => {
                        literal.push(*meant);
                        rest = &rest[1..];
                    }
                    None => literal.push(c),
                }
            }
            c => literal.push(c),
        }
    }
    if !literal.is_empty() {
        pieces.push(Piece::Text(literal));
    }
    Ok(Template { text: text.into(), pieces: pieces.into() })
}

/// A text that is no template.
///
/// ```
/// use iriscan::Template;
///
/// let error = Template::new("<{hots}>").unwrap_err();
/// assert_eq!(error.offset(), 1);
/// assert!(error.to_string().starts_with("no field {hots}, character 2; use one of {uri} {iri} "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    template: String,
    at: usize,
    what: Fault,
    fields: &'static [Field],
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Fault {
    /// A `{` without its `}`.
    Open,
    /// A `}` without its `{`.
    Close,
    Unknown(String),
}

impl TemplateError {
    /// Where the fault is in the template, in bytes.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The fields that exist.
    #[must_use]
    pub fn fields(&self) -> &'static [Field] {
        self.fields
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            Fault::Unknown(name) => write!(f, "no field {{{name}}}")?,
            Fault::Open => f.write_str("a { without }")?,
            Fault::Close => f.write_str("a } without {")?,
        }
        let number = self.template[..self.at].chars().count() + 1;
        write!(f, ", character {number}; use one of")?;
        for field in self.fields {
            write!(f, " {{{field}}}")?;
        }
        for (marked, ..) in MARKED {
            write!(f, " {{{marked}}}")?;
        }
        f.write_str("; {{ and }} are braces")
    }
}

impl core::error::Error for TemplateError {}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use super::*;
    use crate::{api::config::Config, format::kinds::Format, grammar::types::Kind};

    fn written(template: &Template, format: Format, text: &str) -> Vec<String> {
        let kinds = [Kind::Iri, Kind::Bare, Kind::Email];
        let finder = Config::new().kinds(kinds).format(format).build().unwrap();
        let links = finder.find_iter(text).zip(1..);
        let write = |(link, n): (Match<'_>, u64)| {
            let mut out = String::from("·");
            match template.write(&link, n, &mut out) {
                Ok(true) => out,
                _ => {
                    assert_eq!(out, "·");
                    String::new()
                }
            }
        };
        links.map(write).collect()
    }

    #[test]
    fn fields_are_those_of_the_iri() {
        let all = "{n} {kind} {scheme} {host} {path} {query} {fragment} {iri} {text}";
        let template = Template::new(all).unwrap();
        let text = "HTTP://u@B\u{fc}cher.example:80/\u{e9}?q=1#f www.a.example/x a@b.example mailto:a@b.example";
        assert_eq!(
            written(&template, Format::Text, text),
            [
                "·1 iri http B\u{fc}cher.example /\u{e9} q=1 f HTTP://u@B\u{fc}cher.example:80/\u{e9}?q=1#f HTTP://u@B\u{fc}cher.example:80/\u{e9}?q=1#f",
                "·2 bare  www.a.example /x   www.a.example/x www.a.example/x",
                "·3 email  b.example    a@b.example a@b.example",
                "·4 iri mailto b.example a@b.example   mailto:a@b.example mailto:a@b.example",
            ]
        );
        let template = Template::new("{uri} {open}").unwrap();
        let html = "<a href='/\u{e9}?a&amp;b'><a href='//h/'><a href='http://\u{644}a.example/\u{e9}'>www.a.example/\u{e9}";
        assert_eq!(
            written(&template, Format::Html, html),
            ["", "", "", "·www.a.example/%C3%A9 https://www.a.example/%C3%A9"]
        );
        let template = Template::new("{iri}|{text}").unwrap();
        assert_eq!(written(&template, Format::Html, html)[0], "·/\u{e9}?a&b|/\u{e9}?a&amp;b");
    }

    #[test]
    fn marks_come_with_their_fields() {
        let template =
            Template::new("{scheme:}//{userinfo@}{host}{:port}{path}{?query}{#fragment}").unwrap();
        let text = "http://u:p@a.example:80/x?q#f http://a.example ftp://a.example:/?# www.a.example:1/x b@a.example";
        assert_eq!(
            written(&template, Format::Text, text),
            [
                "·http://u:p@a.example:80/x?q#f",
                "·http://a.example",
                "·ftp://a.example:/?#",
                "·//www.a.example:1/x",
                "·//b@a.example",
            ]
        );
        assert_eq!(
            written(&template, Format::Html, "<a href='//a.example/x'>"),
            ["·//a.example/x"]
        );
        let template = Template::for_lists("{path}{?query}{n}").unwrap();
        assert!(template.fields().eq([Field::Path, Field::Query, Field::N]));
    }

    #[test]
    fn braces_are_doubled() {
        let template = Template::new("{{{n}}} {{}} \\t").unwrap();
        assert_eq!(written(&template, Format::Text, "http://a.example/"), ["·{1} {} \\t"]);
        let lists = Template::for_lists("a\\tb\\n\\0\\\\t\\x{{").unwrap();
        assert_eq!(written(&lists, Format::Text, "http://a.example/"), ["·a\tb\n\0\\t\\x{"]);
    }

    #[test]
    fn errors_have_the_place() {
        for (text, at, what) in [
            ("é{", 2, "a { without }, character 2; "),
            ("a{uri", 1, "a { without }"),
            ("a}", 1, "a } without {"),
            ("{}", 0, "no field {}"),
            ("{{{x}", 2, "no field {x}"),
            ("{file}", 0, "no field {file}"),
            ("{URI}", 0, "no field {URI}"),
            ("{!defang}", 0, "no field {!defang}"),
        ] {
            let error = Template::new(text).unwrap_err();
            assert_eq!(error.offset(), at, "{text}");
            let message = error.to_string();
            assert!(message.starts_with(what) && message.contains("{fragment}"), "{message}");
            assert!(!message.contains("{column}"), "{message}");
        }
        let error = Template::for_lists("{nope}").unwrap_err().to_string();
        assert!(error.contains("{column}"), "{error}");
    }

    #[test]
    fn defanged_links_are_no_links() {
        let text = "https://u@a.b.example:80/x.y?z.w ftp://a.example http://例え.jp/ mailto:a.b@c.example \
                    www.a.example/x.y a@b.example urn:isbn:1.2 http://[::1]/";
        let template = Template::defang();
        let defanged = written(&template, Format::Text, text);
        assert_eq!(
            defanged,
            [
                "·hxxps[:]//u[@]a[.]b[.]example:80/x.y?z.w",
                "·fxp[:]//a[.]example",
                "·hxxp[:]//例え[.]jp/",
                "·mailto[:]a[.]b[@]c[.]example",
                "·www[.]a[.]example/x.y",
                "·a[@]b[.]example",
                "·urn[:]isbn:1[.]2",
                "·hxxp[:]//[::1]/",
            ]
        );
        for text in defanged {
            assert!(written(&template, Format::Text, &text[2..]).is_empty(), "{text}");
        }
        assert_eq!(
            written(&template, Format::Html, "<a href='/x.y'><a href='//a.b/x.y'><a href='x.y'>"),
            ["·/x.y", "·//a[.]b/x.y", "·x.y"]
        );
    }
}
