//! What wraps the text: formats as regions and escapes over the one scanner.
//!
//! A [`Lexer`] knows one syntax and no links; [`document`] runs the scanner for
//! plain text over what the lexer says is text, and takes what is found back to the
//! bytes of the source.

/// The list of formats, for the macro `$then`: each format with its documentation, its name, and its row. All other
/// lists are made of this one or are checked against it; the first sentences of the documentation are in
/// docs/formats.md too. A new format is added at the end.
macro_rules! formats {
    ($then:ident) => {
        $then! {
            /// Plain text: everything.
            #[default]
            Text = "text", super::text::row::ROW;
            /// HTML, by the tokenizer of the HTML standard: text and attribute values are running text, URL
            /// attributes are references; scripts, comments and `<textarea>` are neither. Scripts that hold JSON-LD, an
            /// import map or speculation rules are read as JSON, and their links are identifiers.
            Html = "html", super::html::row::ROW;
            /// XML 1.0: text, CDATA and attribute values are running text, attributes that are known to hold a
            /// reference are references, and so are elements that hold nothing but one (`<link>`, `<guid>`,
            /// `<loc>`), and those of HTML that is escaped in text. Namespace names, comments and processing
            /// instructions are neither.
            Xml = "xml", super::xml::row::ROW;
            /// JSON and JSON Lines: strings are running text, with their escapes; those of some fields
            /// ([`Config::fields`](crate::api::config::Config::fields)), or all.
            Json = "json", super::json::row::JSON;
            /// Logs: running text, with the escapes that servers and loggers write (`\xC3\xA9`, `\u00e9`,
            /// `\"`), and sequences of terminals.
            Log = "log", super::log::row::ROW;
            /// Turtle, TriG, N-Triples, N-Quads: IRIs in `<…>` are references, literals and comments are running
            /// text.
            Turtle = "turtle", super::turtle::row::ROW;
            /// CSV (RFC 4180): each field is running text, and a link that fills its field is taken whole; `""` is
            /// a quote in a field in quotes. The delimiter is that of
            /// [`Config::delimiter`](crate::api::config::Config::delimiter), or found in the first records.
            Csv = "csv", super::csv::row::CSV;
            /// Fields between tabs: as [`Format::Csv`].
            Tsv = "tsv", super::csv::row::TSV;
            /// Markdown (CommonMark 0.31): running text, in which backslash escapes and character references are
            /// undone; targets of links and images, and definitions of them, are references, and so are URL
            /// attributes of HTML in it. Code is running text too, without escapes, unless
            /// [`Config::code`](crate::api::config::Config::code) leaves it out.
            Markdown = "markdown", super::markdown::row::ROW;
            /// AsciiDoc: running text, in which the targets of link, image and mail macros are references, and end
            /// before their `[`. A target with an attribute reference (`{name}`) is no link.
            AsciiDoc = "asciidoc", super::asciidoc::row::ROW;
            /// CSS: what `url(…)` and `@import` name are references, with their escapes undone; comments and other
            /// strings are running text.
            Css = "css", super::css::row::ROW;
            /// Calendars and contacts (iCalendar, vCard): values are running text, or a URI; folded lines are
            /// joined, and their escapes undone. What is written is folded again after 75 octets.
            Ical = "ical", super::ical::row::ROW;
            /// Org: running text, in which the targets of `[[target][text]]` are references. The marks of emphasis
            /// belong to no link.
            Org = "org", super::org::row::ROW;
            /// LaTeX and BibTeX: running text, in which the escapes of signs are undone; the arguments of `\url`
            /// and `\href` are references.
            Latex = "latex", super::latex::row::ROW;
            /// reStructuredText: running text, in which backslash escapes are undone; the targets of references and
            /// of images are references.
            Rst = "rst", super::rst::row::ROW;
            /// PO, the catalogues of gettext: strings are running text, joined over lines, with the escapes of C
            /// undone; so are comments.
            Po = "po", super::po::row::ROW;
            /// Wikitext: running text, in which character references are undone; URLs in brackets and in templates
            /// are references.
            Wikitext = "wikitext", super::wikitext::row::ROW;
            /// Text with harmless links: those that [`Template::defang`](crate::Template::defang) makes, such as
            /// `hxxps[:]//a[.]example/`. So are `(.)`, `[dot]`, `\.`, `[@]`, `[at]` and `fxp` read. In mail, a finder
            /// with this format reads parts of plain text so.
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
            Defanged = "defanged", super::defanged::row::ROW;
            /// BBCode, the tags of forums: running text, in which what `[url]` and `[img]` name are references.
            BbCode = "bbcode", super::bbcode::row::ROW;
            /// Source code and configuration: running text, in which the escapes that strings of most languages
            /// have are undone (`\/`, `\u00e9`, `\xC3`, `\303`).
            Source = "source", super::source::row::SOURCE;
            /// C, C++ and Objective-C: as [`Format::Source`], and string literals on adjoining lines are joined. A
            /// link that goes over both is found, and stays as it is where links are rewritten.
            C = "c", super::source::row::C;
            /// Python: as [`Format::C`], within brackets, after a backslash or with a `+` between the literals.
            Python = "python", super::source::row::PYTHON;
            /// Java, JavaScript, PHP and other languages that join strings with a sign: as [`Format::C`], with `+`,
            /// `.` or `..` between the literals.
            Java = "java", super::source::row::JAVA;
            /// Manual pages, in roff with the macros of man and mdoc: running text, in which the escapes of
            /// characters are undone; the first argument of `.UR`, `.URL` and `.Lk` is a reference.
            Man = "man", super::man::row::ROW;
            /// Notebooks of Jupyter: cells of Markdown as [`Format::Markdown`], code as [`Format::Source`], outputs as
            /// HTML or running text, with the escapes of JSON undone. The strings of a text are one text, and a link
            /// that goes over two of them stays as it is where links are rewritten.
            Ipynb = "ipynb", super::ipynb::row::ROW;
            /// JSON-LD: as [`Format::Json`], and its links are identifiers, which rewriting leaves as they are unless
            /// [`Config::identifiers`](crate::api::config::Config::identifiers) is set.
            JsonLd = "jsonld", super::json::row::JSON_LD;
        }
    };
}

/// The list of lexers, for the macro `$then`. Formats that differ in little share one.
macro_rules! lexers {
    ($then:ident) => {
        $then! {
            Html(super::html::Html);
            Xml(super::xml::Xml);
            Json(super::json::Json);
            Log(super::log::Log);
            Turtle(super::turtle::Turtle);
            Csv(super::csv::Csv);
            Markdown(super::markdown::Markdown);
            AsciiDoc(super::asciidoc::AsciiDoc);
            Css(super::css::style_sheet::Sheet);
            Ical(super::ical::Ical);
            Wikitext(Marked<super::wikitext::Wikitext>);
            Defanged(super::defanged::Defanged);
            BbCode(Marked<super::bbcode::BbCode>);
            Source(super::source::Source);
            Po(super::po::Po);
            Rst(Marked<super::rst::Rst>);
            Latex(Marked<super::latex::Latex>);
            Org(Marked<super::org::Org>);
            Man(Marked<super::man::Man>);
            Ipynb(super::ipynb::Ipynb);
        }
    };
}

mod any_lexer;
mod asciidoc;
mod bbcode;
mod css;
pub(crate) mod csv;
mod defanged;
pub(crate) mod document;
pub(crate) mod html;
mod ical;
mod ipynb;
mod json;
pub(crate) mod kinds;
mod latex;
pub(crate) mod lexing;
mod log;
mod man;
mod markdown;
pub(crate) mod markup;
mod org;
mod po;
pub(crate) mod row;
mod rst;
pub(crate) mod slot;
mod sniff;
pub(crate) mod source;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod turtle;
mod wikitext;
pub(crate) mod xml;
