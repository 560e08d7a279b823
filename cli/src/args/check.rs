//! The options of `iriscan check`, and its help.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use iriscan::{Warning, reference::Grammar};

pub(super) const EXAMPLES: &str = "Examples:\n  \
     iriscan check 'http://example.org/a b'       where it is wrong, and why\n  \
     iriscan check --kind uri --json < links.txt  components and warnings\n  \
     iriscan check --inadvisable < links.txt      before they are published\n\n";

pub(super) fn help() -> String {
    format!(
        "Exit status: 0 all valid, 1 one is not, 2 trouble with the input.\n\nWarnings: {}.",
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
    /// Warn of characters that are better not in an IRI, written or percent-encoded
    ///
    /// Outside of the host: spaces and characters that nobody sees, look-alikes of / . : ? and the like,
    /// full-width and compatibility forms, ligatures, dingbats (RFC 3987, section 6.1). The warning is
    /// `inadvisable`, with code points and offsets in bytes. They are those that `convert --inadvisable
    /// all` leaves encoded.
    #[arg(long)]
    pub(crate) inadvisable: bool,
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
