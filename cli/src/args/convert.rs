//! The options of `iriscan convert`, and its help.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use iriscan::{
    Charset, HostForm, Nfc, QueryCharset,
    reference::{Disallowed, Inadvisable, Level},
};

use super::values::{NfcArg, QueryArg, named, one_charset};

pub(super) const EXAMPLES: &str = "Examples:\n  \
     iriscan convert 'http://bücher.example/ü'\n  \
     iriscan convert --from uri --to iri --host unicode < uris.txt\n  \
     iriscan convert --base https://a.example/b/ --to iri ../c\n  \
     iriscan convert --to normal --level scheme HTTP://A.example:80\n  \
     iriscan convert --to text https://a.example/%E6%97%A5%E6%9C%AC.\n  \
     iriscan convert --charset shift_jis < links.txt      as browsers send them\n\n";

pub(super) const HELP: &str = "Lines end in LF or CRLF; an empty line is the empty reference. \
     White space and bidi formatting characters at either end are removed, unless --exact or \
     --from leiri is given. Output is UTF-8. References on the command line are text already. --charset is the charset \
     of the lines, and for both that of the document they are from.\n\n\
     Exit status: 0, 2 if a reference could not be converted.";

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// References; none: one per line of standard input
    #[arg(value_name = "REFERENCE")]
    pub(crate) references: Vec<OsString>,
    /// The form of the references: iri, uri, leiri
    #[arg(long, default_value = "iri")]
    pub(crate) from: FromArg,
    /// The form to convert to: uri, iri, normal, text
    #[arg(long, default_value = "uri")]
    pub(crate) to: ToArg,
    /// Resolve against this one first (RFC 3986, section 5)
    #[arg(long)]
    pub(crate) base: Option<String>,
    /// Keep white space and bidi characters at both ends
    ///
    /// Otherwise spaces, tabs, line ends, form feeds and bidi formatting characters at either end
    /// are removed, because they are not part of a reference. --from leiri keeps them too.
    #[arg(long)]
    pub(crate) exact: bool,
    /// Form of a host that is not ASCII
    ///
    /// With --to uri: punycode (the default), percent or keep; with --to iri: keep (the default) or
    /// unicode.
    #[arg(long, ignore_case = true, value_parser = named::<ConvertHostArg, HostForm>())]
    pub(crate) host: Option<ConvertHostArg>,
    /// Normalise text to NFC before encoding; `auto`: after decoding a legacy charset
    #[arg(
        long,
        default_value = "auto",
        value_parser = named::<NfcArg, Nfc>(),
        hide_short_help = true
    )]
    nfc: NfcArg,
    /// Characters that no URI has: encode, keep or fail
    ///
    /// For example spaces: percent-encode them, or fail unless the reference is valid. `keep` leaves
    /// `^ { } | \` and the like as they are, for URI templates.
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "encode",
        value_parser = named::<DisallowedArg, Disallowed>()
    )]
    pub(crate) disallowed: DisallowedArg,
    #[command(flatten)]
    pub(crate) to_iri: ToIriArgs,
    /// How far --to normal goes, up to syntax, scheme or idn
    ///
    /// One step, all three of the syntax, what the scheme says too, or the names of hosts too.
    #[arg(long, default_value = "syntax")]
    pub(crate) level: LevelArg,
    /// Charset of the lines
    #[arg(long, value_name = "LABEL", default_value = "utf-8", value_parser = one_charset)]
    pub(crate) charset: Charset,
    /// Charset of a non-ASCII http or https query, when that of the lines is not Unicode
    #[arg(
        long,
        default_value = "document",
        value_parser = named::<QueryArg, QueryCharset>(),
        hide_short_help = true
    )]
    query: QueryArg,
}

/// The options of `--to iri`.
#[derive(Args, Debug)]
pub(crate) struct ToIriArgs {
    /// Private-use characters in a query, with --to iri
    #[arg(long, default_value = "keep", hide_short_help = true)]
    pub(crate) private: PrivateArg,
    /// Characters better left percent-encoded, with --to iri: keep, all, decode
    ///
    /// keep: white space, invisible, format and unassigned characters, and text that is not in NFC, stay
    /// percent-encoded; all: look-alikes of delimiters, compatibility forms, ligatures and dingbats too; decode: none.
    #[arg(long, value_name = "WHAT", default_value = "keep", hide_short_help = true)]
    pub(crate) inadvisable: InadvisableArg,
    /// Charset of percent-encoded octets that are not UTF-8, with --from uri --to iri
    ///
    /// For references that were built on the octets of that charset; otherwise such octets stay
    /// percent-encoded. The URI form of the result is another URI.
    #[arg(
        long,
        value_name = "LABEL",
        value_parser = one_charset,
        hide_short_help = true
    )]
    pub(crate) escapes: Option<Charset>,
}

impl ConvertArgs {
    pub(crate) fn query(&self) -> QueryCharset {
        self.query.into()
    }

    pub(crate) fn nfc(&self) -> Nfc {
        self.nfc.into()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FromArg {
    /// An IRI, or a URI
    Iri,
    /// A URI
    Uri,
    /// A Legacy Extended IRI
    Leiri,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToArg {
    /// A URI (RFC 3987, section 3.1)
    Uri,
    /// An IRI (RFC 3987, section 3.2)
    Iri,
    /// The normal form; a URI stays a URI, an IRI an IRI
    Normal,
    /// The minimally escaped form for running text (UTS #58)
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConvertHostArg {
    /// UTS #46 for schemes whose host is a DNS name, percent-encoding for others
    Punycode,
    /// UTF-8, percent-encoded
    Percent,
    /// Unchanged
    Keep,
    /// xn-- labels decoded
    Unicode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DisallowedArg {
    /// Percent-encode them; never `# % [ ]`
    Encode,
    /// Leave those of printed ASCII; what comes out is no URI then
    Keep,
    /// Fail
    Fail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrivateArg {
    /// They stay percent-encoded
    Keep,
    /// They are decoded
    Decode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InadvisableArg {
    /// White space, invisible, format and unassigned characters stay percent-encoded
    Keep,
    /// Look-alikes of delimiters, compatibility forms, ligatures and dingbats too
    All,
    /// They are decoded
    Decode,
}

impl From<DisallowedArg> for Disallowed {
    fn from(disallowed: DisallowedArg) -> Disallowed {
        match disallowed {
            DisallowedArg::Encode => Disallowed::Encode,
            DisallowedArg::Keep => Disallowed::Keep,
            DisallowedArg::Fail => Disallowed::Fail,
        }
    }
}

impl From<InadvisableArg> for Inadvisable {
    fn from(inadvisable: InadvisableArg) -> Inadvisable {
        match inadvisable {
            InadvisableArg::Keep => Inadvisable::Unseen,
            InadvisableArg::All => Inadvisable::All,
            InadvisableArg::Decode => Inadvisable::Decode,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelArg {
    /// Scheme, host and hexadecimal digits of one case
    Case,
    /// Unreserved characters decoded
    Percent,
    /// Dot segments removed
    Path,
    /// All three
    Syntax,
    /// Also default ports, hosts and empty paths, by the scheme
    Scheme,
    /// Also names of hosts, checked and mapped by UTS #46; those of an IRI in Unicode
    Idn,
}

impl From<LevelArg> for Level {
    fn from(level: LevelArg) -> Level {
        match level {
            LevelArg::Case => Level::Case,
            LevelArg::Percent => Level::Percent,
            LevelArg::Path => Level::Path,
            LevelArg::Syntax => Level::Syntax,
            LevelArg::Scheme => Level::Scheme,
            LevelArg::Idn => Level::Idn,
        }
    }
}
