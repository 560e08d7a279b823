//! Values that options of several commands take.

use clap::ValueEnum;
use iriscan::{Charset, Format, Nfc, QueryCharset};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArg {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsArg {
    /// For eyes
    Text,
    /// One JSON object
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// By the extension of the file's name, else text; standard input is text
    Auto,
    /// Plain text
    Text,
    /// HTML
    Html,
    /// XML: feeds, RDF, SVG, XHTML
    Xml,
    /// JSON and JSON Lines
    Json,
    /// Logs: text with \xHH, \uXXXX and terminal sequences
    Log,
    /// A message, or an mbox: through transfer encodings, charsets and line wrapping
    Mail,
    /// Turtle, TriG, N-Triples, N-Quads
    Turtle,
    /// CSV: each field is text
    Csv,
    /// The same, with tabs between the fields
    Tsv,
    /// Markdown (CommonMark)
    Markdown,
    /// AsciiDoc
    Asciidoc,
    /// Style sheets: URLs, comments and strings
    Css,
    /// Calendars and contacts: iCalendar, vCard
    Ical,
    /// Org
    Org,
    /// LaTeX and BibTeX
    Latex,
    /// reStructuredText
    Rst,
    /// PO: translations of gettext
    Po,
    /// Wikitext: MediaWiki, DokuWiki, Creole
    Wikitext,
    /// Text in which links were made harmless: `hxxps[:]//a[.]example/`
    Defanged,
    /// BBCode: the tags of forums
    Bbcode,
    /// Source code and configuration: text with the escapes of strings
    Source,
    /// A web archive: HTML and text in its records; not for `rewrite`
    Warc,
    /// By the first bytes
    Sniff,
}

impl FormatArg {
    /// The format of files whose names end in `.extension`, if it is known.
    pub(crate) fn of_extension(extension: &str) -> Option<FormatArg> {
        if let Some(format) = Format::from_extension(extension) {
            return FormatArg::from_str(format.as_str(), false).ok();
        }
        let is = |known: &&str| extension.eq_ignore_ascii_case(known);
        if ["eml", "mbox", "mbx"].iter().any(is) {
            return Some(FormatArg::Mail);
        }
        is(&"warc").then_some(FormatArg::Warc)
    }

    /// True if a document of this format may be CSV.
    pub(super) fn may_be_csv(self) -> bool {
        matches!(self, FormatArg::Auto | FormatArg::Csv | FormatArg::Sniff)
    }

    /// True if an input of this format may be mail.
    pub(super) fn may_be_mail(self) -> bool {
        matches!(self, FormatArg::Auto | FormatArg::Mail | FormatArg::Sniff)
    }

    /// True if a document of this format may be Markdown.
    pub(super) fn may_be_markdown(self) -> bool {
        matches!(self, FormatArg::Auto | FormatArg::Markdown | FormatArg::Sniff)
    }

    /// True if an input of this format may have links that were made harmless.
    pub(super) fn may_be_defanged(self) -> bool {
        use FormatArg::{Auto, Defanged, Mail, Sniff, Text, Warc};
        matches!(self, Auto | Defanged | Mail | Sniff | Text | Warc)
    }

    /// True if a document of this format may be a log.
    pub(super) fn may_be_log(self) -> bool {
        matches!(self, FormatArg::Auto | FormatArg::Log | FormatArg::Sniff)
    }

    /// True if a document of this format may be JSON, or may contain some.
    pub(super) fn may_be_json(self) -> bool {
        matches!(self, FormatArg::Auto | FormatArg::Json | FormatArg::Warc | FormatArg::Sniff)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum QueryArg {
    /// The document's charset, as browsers do
    Document,
    /// UTF-8
    #[value(name = "utf-8")]
    Utf8,
}

impl From<QueryArg> for QueryCharset {
    fn from(query: QueryArg) -> QueryCharset {
        match query {
            QueryArg::Document => QueryCharset::Document,
            QueryArg::Utf8 => QueryCharset::Utf8,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum NfcArg {
    Auto,
    Always,
    Never,
}

impl From<NfcArg> for Nfc {
    fn from(nfc: NfcArg) -> Nfc {
        match nfc {
            NfcArg::Auto => Nfc::Auto,
            NfcArg::Always => Nfc::Always,
            NfcArg::Never => Nfc::Never,
        }
    }
}

pub(super) fn one_charset(label: &str) -> Result<Charset, String> {
    Charset::for_label(label).map_err(|e| e.to_string())
}
