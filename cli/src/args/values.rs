//! Values that options of several commands take.

use std::{ffi::OsStr, fmt::Display, marker::PhantomData, str::FromStr, sync::LazyLock};

use clap::{
    Arg, Command, Error, ValueEnum,
    builder::{EnumValueParser, PossibleValue, TypedValueParser},
};
use iriscan::{Charset, Format, Nfc, QueryCharset};
use iriscan_documents::{Content, Wanted};

/// Reads the words of `Value`, and the other names that the library reads for the same value as a `Known`: `md` for
/// `markdown`, and any case. Help and messages have the words alone.
#[derive(Clone)]
pub(super) struct Named<Value: ValueEnum + Clone + Send + Sync + 'static, Known> {
    words: EnumValueParser<Value>,
    known: PhantomData<fn() -> Known>,
}

/// The parser of an option whose values the library names.
pub(super) fn named<Value, Known>() -> Named<Value, Known>
where
    Value: ValueEnum + Clone + Send + Sync + 'static,
{
    Named { words: EnumValueParser::new(), known: PhantomData }
}

impl<Value, Known> TypedValueParser for Named<Value, Known>
where
    Value: ValueEnum + Clone + Send + Sync + 'static,
    Known: FromStr + Display + Clone + 'static,
{
    type Value = Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Value, Error> {
        let known = value.to_str().and_then(|word| word.parse::<Known>().ok());
        match known.map(|known| known.to_string()) {
            Some(word) => self.words.parse_ref(command, arg, OsStr::new(&word)),
            None => self.words.parse_ref(command, arg, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.words.possible_values()
    }
}

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

/// What the input is: a format of the library, or what only the command reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormatArg {
    Auto,
    Document(Format),
    Mail,
    Warc,
    Sniff,
}

/// The formats of the library have their names and their descriptions from there.
impl ValueEnum for FormatArg {
    fn value_variants<'a>() -> &'a [FormatArg] {
        static ALL: LazyLock<Vec<FormatArg>> = LazyLock::new(|| {
            let documents = Format::ALL.iter().map(|format| FormatArg::Document(*format));
            let last = [FormatArg::Mail, FormatArg::Warc, FormatArg::Sniff];
            [FormatArg::Auto].into_iter().chain(documents).chain(last).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            FormatArg::Auto => {
                ("auto", "By the extension of the file's name, else text; standard input is text")
            }
            FormatArg::Document(format) => (format.as_str(), format.description()),
            FormatArg::Mail => (
                "mail",
                "A message, or an mbox: through transfer encodings, charsets and line wrapping",
            ),
            FormatArg::Warc => {
                ("warc", "A web archive: HTML and text in its records; not for `rewrite`")
            }
            FormatArg::Sniff => ("sniff", "By the first bytes"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

impl FormatArg {
    /// How the content of inputs is decided.
    pub(crate) fn wanted(self) -> Wanted {
        match self {
            FormatArg::Auto => Wanted::ByName,
            FormatArg::Sniff => Wanted::ByContent,
            FormatArg::Document(format) => Wanted::Told(Content::Document(format)),
            FormatArg::Mail => Wanted::Told(Content::Mail),
            FormatArg::Warc => Wanted::Told(Content::Archive),
        }
    }

    /// True if an input of this format may be a document in `format`.
    fn may_be(self, format: Format) -> bool {
        matches!(self, FormatArg::Auto | FormatArg::Sniff) || self == FormatArg::Document(format)
    }

    /// True if a document of this format may be CSV.
    pub(super) fn may_be_csv(self) -> bool {
        self.may_be(Format::Csv)
    }

    /// True if an input of this format may be mail.
    pub(super) fn may_be_mail(self) -> bool {
        matches!(self, FormatArg::Auto | FormatArg::Mail | FormatArg::Sniff)
    }

    /// True if a document of this format may be Markdown, or have some in it.
    pub(super) fn may_be_markdown(self) -> bool {
        self.may_be(Format::Markdown) || self.may_be(Format::Ipynb)
    }

    /// True if an input of this format may have links that were made harmless.
    pub(super) fn may_be_defanged(self) -> bool {
        self.may_be(Format::Defanged)
            || self.may_be(Format::Text)
            || matches!(self, FormatArg::Mail | FormatArg::Warc)
    }

    /// True if a document of this format may be a log.
    pub(super) fn may_be_log(self) -> bool {
        self.may_be(Format::Log)
    }

    /// True if a document of this format may be JSON, or may contain some.
    pub(super) fn may_be_json(self) -> bool {
        self.may_be(Format::Json) || self.may_be(Format::JsonLd) || self == FormatArg::Warc
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
