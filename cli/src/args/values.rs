//! Values that options of several commands take.

use std::{ffi::OsStr, marker::PhantomData};

use clap::{
    Arg, Command as ClapCommand, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use iriscan::{Charset, Format, Nfc, QueryCharset};

/// Parses a name of a variant of `E`, as clap's own `value_enum` does. Most of the code here
/// does not depend on `E`, so that it is compiled once and not for each option.
pub(super) struct OneOf<E>(PhantomData<E>);

pub(super) fn one_of<E>() -> OneOf<E> {
    OneOf(PhantomData)
}

// By hand, because `derive` would ask for `E: Clone`.
impl<E> Clone for OneOf<E> {
    fn clone(&self) -> OneOf<E> {
        one_of()
    }
}

impl<E: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for OneOf<E> {
    type Value = E;

    // clap calls it from two places for each `E`.
    #[inline(never)]
    fn parse_ref(
        &self,
        command: &ClapCommand,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<E, clap::Error> {
        let all = E::value_variants();
        let names = all.iter().filter_map(ValueEnum::to_possible_value);
        place_among(&mut { names }, command, arg, value).map(|i| all[i].clone())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(E::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
}

/// The place of `value` among `names`, or the error for the user.
#[inline(never)]
fn place_among(
    names: &mut dyn Iterator<Item = PossibleValue>,
    command: &ClapCommand,
    arg: Option<&Arg>,
    value: &OsStr,
) -> Result<usize, clap::Error> {
    let (names, value) = (names.collect::<Vec<_>>(), value.to_string_lossy());
    match names.iter().position(|name| name.matches(&value, false)) {
        Some(place) => Ok(place),
        // clap's error, which lists the names.
        None => PossibleValuesParser::new(names)
            .parse_ref(command, arg, OsStr::new(&*value))
            .map(|_| unreachable!("no name is the value")),
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
    /// A web archive: HTML and text in its records; for `find` only
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
        if ["eml", "mbox", "mbx"].iter().any(|known| is(known)) {
            return Some(FormatArg::Mail);
        }
        is(&"warc").then_some(FormatArg::Warc)
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
