//! The options of `iriscan check`, and its help.

use std::ffi::OsString;

use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use iriscan::{
    Warning,
    reference::{Grammar, Level},
};

pub(super) const EXAMPLES: &str = "Examples:\n  \
     iriscan check 'http://example.org/a b'       where it is wrong, and why\n  \
     iriscan check --kind uri --json < links.txt  components and warnings\n  \
     iriscan check --inadvisable < links.txt      before they are published\n  \
     iriscan check --same a/./b a/b               whether both are one reference\n\n";

pub(super) fn help() -> String {
    format!(
        "Exit status: 0 all valid, 1 one is not, 2 trouble with the input. With --same: 0 the same, 1 \
         different, 2 a reference is not valid.\n\nWarnings: {}.",
        Warning::ALL.iter().map(|w| w.as_str()).collect::<Vec<_>>().join(", "),
    )
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// References; none: one per line of standard input
    #[arg(value_name = "REFERENCE")]
    pub(crate) references: Vec<OsString>,
    /// The grammar that they should follow
    #[arg(long, default_value = "iri-reference")]
    pub(crate) kind: CheckKindArg,
    /// One JSON object per reference and line
    #[arg(long)]
    pub(crate) json: bool,
    /// Warn of characters that are better not in an IRI
    ///
    /// Written or percent-encoded. Outside of the host: spaces and characters that nobody sees, look-alikes of / . : ? and the like,
    /// full-width and compatibility forms, ligatures, dingbats (RFC 3987, section 6.1). The warning is
    /// `inadvisable`, with code points and offsets in bytes. They are those that `convert --inadvisable
    /// all` leaves encoded.
    #[arg(long)]
    pub(crate) inadvisable: bool,
    /// Whether two references are the same, at LEVEL
    ///
    /// LEVEL is string, syntax (the default), scheme, idn or nfc.
    /// The ladder of comparison (RFC 3986, section 6; RFC 3987, section 5): each level includes those before
    /// it. string: character by character; syntax: case, escapes and dot segments too; scheme: default ports
    /// and the like; idn: names of hosts in Unicode and in Punycode; nfc: composed and decomposed characters,
    /// which no document allows. The line that is printed says from which level on both are the same. Relative
    /// references are not resolved, and fragments count.
    #[arg(
        long,
        value_name = "LEVEL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "syntax",
        ignore_case = true,
        value_parser = level()
    )]
    pub(crate) same: Option<Level>,
}

/// The levels that `--same` takes, in their order: each includes those before it. No document allows the last one.
pub(crate) const LADDER: [Level; 5] =
    [Level::String, Level::Syntax, Level::Scheme, Level::Idn, Level::Nfc];

/// The parser of a level of comparison.
fn level() -> impl TypedValueParser<Value = Level> {
    let parse = |name: String| name.parse().expect("a name of the ladder should be one of a level");
    PossibleValuesParser::new(LADDER.map(Level::as_str)).map(parse)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckKindArg {
    /// An IRI or a relative reference (RFC 3987)
    IriReference,
    /// With a scheme
    Iri,
    /// With a scheme and without a fragment
    AbsoluteIri,
    /// A URI or a relative reference (RFC 3986)
    UriReference,
    /// A URI
    Uri,
    /// A Legacy Extended IRI reference (3987bis, section 6)
    Leiri,
}

impl From<CheckKindArg> for Grammar {
    fn from(kind: CheckKindArg) -> Grammar {
        match kind {
            CheckKindArg::IriReference => Grammar::IriReference,
            CheckKindArg::Iri => Grammar::Iri,
            CheckKindArg::AbsoluteIri => Grammar::AbsoluteIri,
            CheckKindArg::UriReference => Grammar::UriReference,
            CheckKindArg::Uri => Grammar::Uri,
            CheckKindArg::Leiri => Grammar::Leiri,
        }
    }
}
