//! The formats that wrap text, by name.

use crate::data::names::named;

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
    /// (`\\/`, `\\u00e9`, `\\xC3`, `\\303`), and string literals on adjoining lines are joined.
    Source,
}

named!(Format is "a format of documents": Text = "text", Html = "html", Xml = "xml", Json = "json",
    Log = "log", Turtle = "turtle", Csv = "csv", Tsv = "tsv",
    Markdown = "markdown", AsciiDoc = "asciidoc", Css = "css", Ical = "ical",
    Org = "org",
    Latex = "latex",
    Rst = "rst",
    Po = "po",
    Wikitext = "wikitext",
    Defanged = "defanged",
    BbCode = "bbcode",
    Source = "source");

impl Format {
    /// The format of files whose name ends in a dot and `extension`, in any case.
    ///
    /// ```
    /// use iriscan::Format;
    ///
    /// assert_eq!(Format::from_extension("HTM"), Some(Format::Html));
    /// assert_eq!(Format::from_extension("rss"), Some(Format::Xml));
    /// assert_eq!(Format::from_extension("tab"), Some(Format::Tsv));
    /// assert_eq!(Format::from_extension("ics"), Some(Format::Ical));
    /// assert_eq!(Format::from_extension("py"), Some(Format::Source));
    /// assert_eq!(Format::from_extension("png"), None);
    /// ```
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Format> {
        Some(match &*extension.to_ascii_lowercase() {
            "txt" | "text" => Format::Text,
            "md" | "markdown" => Format::Markdown,
            "adoc" | "asciidoc" => Format::AsciiDoc,
            "css" => Format::Css,
            "html" | "htm" | "shtml" => Format::Html,
            "xml" | "rss" | "atom" | "rdf" | "owl" | "svg" | "xhtml" | "xht" | "opml" | "xsl"
            | "xslt" | "xsd" | "kml" | "gpx" | "opf" | "ncx" | "wsdl" | "tei" => Format::Xml,
            "json" | "jsonl" | "ndjson" | "geojson" | "jsonld" | "webmanifest" | "ipynb"
            | "har" | "map" => Format::Json,
            "log" => Format::Log,
            "ttl" | "turtle" | "nt" | "nq" | "trig" => Format::Turtle,
            "csv" => Format::Csv,
            "tsv" | "tab" => Format::Tsv,
            "ics" | "ical" | "icalendar" | "ifb" | "vcs" | "vcf" | "vcard" => Format::Ical,
            "org" => Format::Org,
            "tex" | "bib" | "ltx" | "sty" | "latex" => Format::Latex,
            "rst" | "rest" => Format::Rst,
            "po" | "pot" => Format::Po,
            "wiki" | "mediawiki" | "wikitext" => Format::Wikitext,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "m" | "mm" | "rs" | "go"
            | "java" | "kt" | "kts" | "scala" | "groovy" | "gradle" | "cs" | "fs" | "swift"
            | "dart" | "zig" | "d" | "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts"
            | "tsx" | "py" | "pyi" | "rb" | "php" | "pl" | "pm" | "lua" | "r" | "jl" | "hs"
            | "ml" | "ex" | "exs" | "erl" | "clj" | "el" | "lisp" | "nix" | "sh" | "bash"
            | "zsh" | "fish" | "ps1" | "bat" | "sql" | "cmake" | "mk" | "proto" | "tf" | "yaml"
            | "yml" | "toml" | "ini" | "cfg" | "conf" | "properties" | "env" => Format::Source,
            _ => return None,
        })
    }

    /// The format of a document with this media type, in any case, such as the Content-Type of an
    /// HTTP response; parameters after `;` are ignored. `None` if it is not a type of text.
    ///
    /// ```
    /// use iriscan::Format;
    ///
    /// assert_eq!(Format::from_media_type("Text/HTML; charset=utf-8"), Some(Format::Html));
    /// assert_eq!(Format::from_media_type("application/atom+xml"), Some(Format::Xml));
    /// assert_eq!(Format::from_media_type("text/plain"), Some(Format::Text));
    /// assert_eq!(Format::from_media_type("text/x-c++src"), Some(Format::Source));
    /// assert_eq!(Format::from_media_type("text/x-script.python"), Some(Format::Source));
    /// assert_eq!(Format::from_media_type("image/png"), None);
    /// ```
    #[must_use]
    pub fn from_media_type(media_type: &str) -> Option<Format> {
        let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        Some(match &*name {
            "text/html" => Format::Html,
            "text/xml" | "application/xml" => Format::Xml,
            "application/json" => Format::Json,
            "text/turtle"
            | "application/n-triples"
            | "application/n-quads"
            | "application/trig" => Format::Turtle,
            "text/csv" => Format::Csv,
            "text/markdown" => Format::Markdown,
            "text/asciidoc" => Format::AsciiDoc,
            "text/css" => Format::Css,
            "text/tab-separated-values" => Format::Tsv,
            "text/calendar" | "text/vcard" | "text/x-vcard" | "text/x-vcalendar"
            | "text/directory" | "application/ics" => Format::Ical,
            "text/org" | "text/x-org" => Format::Org,
            "text/x-tex"
            | "text/x-latex"
            | "text/x-bibtex"
            | "application/x-tex"
            | "application/x-latex"
            | "application/x-bibtex" => Format::Latex,
            "text/x-rst" | "text/prs.fallenstein.rst" => Format::Rst,
            "text/x-po" | "text/x-gettext-translation" => Format::Po,
            "text/x-wiki" | "text/mediawiki" => Format::Wikitext,
            "text/javascript" | "text/yaml" => Format::Source,
            name if name.starts_with("text/x-") && is_language(&name["text/x-".len()..]) => {
                Format::Source
            }
            name if name.starts_with("text/") => Format::Text,
            name if name.starts_with("application/") && name.ends_with("+xml") => Format::Xml,
            name if name.starts_with("application/") && name.ends_with("json") => Format::Json,
            _ => return None,
        })
    }

    /// Whether the start of a document may say in which charset it is.
    pub(super) fn declares(self) -> bool {
        matches!(self, Format::Html | Format::Xml | Format::Css)
    }

    /// The delimiter of fields, if it is the same in every document.
    pub(super) fn delimiter(self) -> Option<u8> {
        (self == Format::Tsv).then_some(b'\t')
    }

    /// Whether documents are divided into records of fields.
    pub(crate) fn has_fields(self) -> bool {
        matches!(self, Format::Csv | Format::Tsv)
    }

    /// Whether every character has an escape.
    pub(crate) fn has_escapes(self) -> bool {
        matches!(self, Format::Html | Format::Xml | Format::Json)
    }
}

/// Whether `text/x-` and this name is the media type of source code.
fn is_language(name: &str) -> bool {
    let name = name.strip_prefix("script.").unwrap_or(name).trim_end_matches("src");
    let known = [
        "c",
        "chdr",
        "c++",
        "c++hdr",
        "csharp",
        "go",
        "java",
        "java-source",
        "lua",
        "perl",
        "php",
        "python",
        "ruby",
        "rust",
        "sh",
        "shellscript",
        "sql",
        "yaml",
    ];
    known.contains(&name)
}
