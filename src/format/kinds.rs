//! The formats that wrap text, by name.

use crate::data::names::listed;

/// The syntax that wraps the text of a document.
///
/// It decides where text is, and which escapes it has; the links are
/// those of the text, spans are in the bytes of the source, and rewriting changes
/// the links and nothing else, with the format's own escapes.
///
/// ```
/// use iriscan::{Finder, Format};
///
/// let page = "<p title='é'>http://a.example/&eacute;<a href='?q=ü&amp;r=1'>";
/// let finder = Finder::new().format(Format::Html);
/// let links: Vec<_> = finder.find_iter(page).map(|link| link.iri().into_owned()).collect();
/// assert_eq!(links, ["http://a.example/é", "?q=ü&r=1"]);
/// let (rewritten, _) = finder.rewrite_slice(page);
/// assert_eq!(
///     str::from_utf8(&rewritten).unwrap(),
///     "<p title='é'>http://a.example/%C3%A9<a href='?q=%C3%BC&amp;r=1'>",
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Plain text.
    #[default]
    Text,
    /// HTML, by the tokenizer of the HTML standard: text and attribute values are
    /// prose, URL attributes are references; scripts, comments and `<textarea>` are
    /// neither.
    Html,
    /// XML 1.0: text, CDATA and attribute values are prose, attributes that are
    /// known to hold a reference are references, and so are elements that hold nothing
    /// but one (`<link>`, `<guid>`, `<loc>`), and those of HTML that is
    /// escaped in text; namespace names, comments and processing instructions are
    /// neither.
    Xml,
    /// JSON and JSON Lines: strings are prose, with their escapes; of fields that are
    /// asked for ([`Config::fields`](crate::api::config::Config::fields)), or all.
    Json,
    /// Logs: prose, with the escapes that servers and loggers write (`\\xC3\\xA9`,
    /// `\\u00e9`, `\\"`), and sequences of terminals.
    Log,
    /// Turtle, TriG, N-Triples, N-Quads: IRIs in `<…>` are references, literals and
    /// comments are prose.
    Turtle,
    /// CSV (RFC 4180): each field is prose, and a link that fills its field is taken whole; `""` is
    /// a quote in a field in quotes. The delimiter is that of
    /// [`Config::delimiter`](crate::api::config::Config::delimiter), or found in the first records.
    Csv,
    /// As [`Format::Csv`], delimited by tabs.
    Tsv,
    /// Markdown (CommonMark 0.31): prose, in which backslash escapes and character references are
    /// undone; targets of links and images, and definitions of them, are references, and so are URL
    /// attributes of HTML in it. Code is prose too, without escapes, unless
    /// [`Config::code`](crate::api::config::Config::code) leaves it out.
    Markdown,
    /// AsciiDoc: prose, in which the targets of link, image and mail macros are references, and end
    /// before their `[`. A target with an attribute reference (`{name}`) is no link.
    AsciiDoc,
    /// CSS: what `url(…)` and `@import` name are references, with their escapes undone; comments and
    /// other strings are prose.
    Css,
    /// Calendars and contacts (iCalendar, vCard): values are prose, or a URI; folded lines are
    /// joined, and their escapes undone. What is written is folded again after 75 octets.
    Ical,
    /// Org: prose, in which the targets of `[[target][text]]` are references. The marks of emphasis belong
    /// to no link.
    Org,
    /// LaTeX and BibTeX: prose, in which the escapes of signs are undone; the arguments of `\url` and
    /// `\href` are references.
    Latex,
    /// reStructuredText: prose, in which backslash escapes are undone; the targets of references and of
    /// images are references.
    Rst,
    /// PO, the catalogues of gettext: strings are prose, joined over lines, with the escapes of C undone;
    /// comments are prose.
    Po,
    /// Wikitext: prose, in which character references are undone; URLs in brackets and in templates are
    /// references.
    Wikitext,
    /// Text in which links were made harmless, as [`Template::defang`](crate::Template::defang) does:
    /// `hxxps[:]//a[.]example/` is `https://a.example/`. So are `(.)`, `[dot]`, `\.`, `[@]`, `[at]` and `fxp`
    /// read. In mail, a finder with this format reads parts of plain text so.
    ///
    /// ```
    /// use iriscan::{Config, Format, Template};
    ///
    /// let text = "phishing at https://login.example.com/x?y";
    /// let harmless = Config::new().rewrite(Template::defang()).build()?.rewrite_slice(text).0.into_owned();
    /// assert_eq!(harmless, b"phishing at hxxps[:]//login[.]example[.]com/x?y");
    /// let config = Config::new().format(Format::Defanged).rewrite(Template::refang());
    /// assert_eq!(&*config.build()?.rewrite_slice(&harmless).0, text.as_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Defanged,
    /// BBCode, the tags of forums: prose, in which what `[url]` and `[img]` name are references.
    BbCode,
    /// Source code and configuration: prose, in which the escapes that strings of most languages have are undone
    /// (`\\/`, `\\u00e9`, `\\xC3`, `\\303`).
    Source,
    /// C, C++ and Objective-C: as [`Format::Source`], and string literals on adjoining lines are joined. A link that
    /// goes over both is found, and stays as it is where links are rewritten.
    C,
    /// Python: as [`Format::C`], within brackets, after a backslash or with a `+` between the literals.
    Python,
    /// Java, JavaScript, PHP and other languages that join strings with a sign: as [`Format::C`], with `+`, `.` or
    /// `..` between the literals.
    Java,
    /// Manual pages, in roff with the macros of man and mdoc: prose, in which the escapes of characters are undone;
    /// the first argument of `.UR`, `.URL` and `.Lk` is a reference.
    Man,
}

listed!(Format: Text = "text", Html = "html", Xml = "xml", Json = "json",
    Log = "log", Turtle = "turtle", Csv = "csv", Tsv = "tsv",
    Markdown = "markdown", AsciiDoc = "asciidoc", Css = "css", Ical = "ical",
    Org = "org",
    Latex = "latex",
    Rst = "rst",
    Po = "po",
    Wikitext = "wikitext",
    Defanged = "defanged",
    BbCode = "bbcode",
    Source = "source",
    C = "c",
    Python = "python",
    Java = "java",
    Man = "man");
