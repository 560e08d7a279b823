//! Why a reference has no URI form.
//!
//! The conversion gives the host, the character or the fault of the syntax; a program gets the kind of the
//! cause, and a person a sentence about it. A link that cannot be opened has an error of this type too.

use alloc::string::String;
use core::fmt;

use idna::uts46::{AsciiDenyList, Hyphens, Uts46};
use percent_encoding::percent_decode_str;

use super::{syntax::SyntaxError, unicode::is_mark};
use crate::charset::Charset;

/// Why a reference has no URI form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriError(pub(super) Why);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Host(String),
    Syntax(SyntaxError),
    Unmappable(char, Charset),
    Relative,
    BrowserHost,
}

/// What kept a reference from a URI form; see [`UriError::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UriErrorKind {
    /// The host has no ASCII form under UTS #46.
    Host,
    /// The text is not a reference, and [`Disallowed::Fail`](super::Disallowed::Fail) was asked for.
    Syntax,
    /// The charset of the query lacks a character, and [`Unmappable::Fail`](super::Unmappable::Fail) was asked for.
    Unmappable,
    /// A relative reference cannot be opened without the address of its document
    /// ([`Match::open`](crate::Match::open)).
    Relative,
    /// A browser reads the host in another way than RFC 3986
    /// ([`Warning::BrowserHost`](crate::Warning::BrowserHost)), so the URI form would open another place.
    BrowserHost,
}

impl UriError {
    /// The reference is relative, and an address was asked for.
    pub(crate) const RELATIVE: UriError = UriError(Why::Relative);
    /// A browser opens another host.
    pub(crate) const BROWSER_HOST: UriError = UriError(Why::BrowserHost);

    /// The cause.
    ///
    /// ```
    /// use iriscan::reference::{UriErrorKind, UriOptions};
    ///
    /// let error = UriOptions::new().to_uri("http://é\u{2490}.example/").unwrap_err();
    /// assert_eq!(error.kind(), UriErrorKind::Host);
    /// ```
    #[must_use]
    pub fn kind(&self) -> UriErrorKind {
        match self.0 {
            Why::Host(_) => UriErrorKind::Host,
            Why::Syntax(_) => UriErrorKind::Syntax,
            Why::Unmappable(..) => UriErrorKind::Unmappable,
            Why::Relative => UriErrorKind::Relative,
            Why::BrowserHost => UriErrorKind::BrowserHost,
        }
    }
}

impl fmt::Display for UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::Host(host) => {
                write!(f, "host {host:?} has no ASCII form under UTS #46")?;
                let fault = if cfg!(iriscan_strings) { None } else { not_in_hosts(host) };
                match fault {
                    Some((c, Some(denied))) => {
                        let code = u32::from(c);
                        write!(f, ": U+{code:04X} {c:?} stands for {denied:?}, which is in no host")
                    }
                    Some((c, None)) => write!(f, ": U+{:04X} {c:?} is in no host", u32::from(c)),
                    None => Ok(()),
                }
            }
            Why::Syntax(e) => e.fmt(f),
            Why::Unmappable(c, charset) => {
                write!(f, "{charset} has no {c:?} for the query; write the query in UTF-8")
            }
            Why::BrowserHost => {
                f.write_str("a browser opens another host than the reference has by RFC 3986")
            }
            Why::Relative => {
                f.write_str("a relative reference; resolve it against the address of its document")
            }
        }
    }
}

impl core::error::Error for UriError {}

/// The first character of `host` that makes it no name, and the ASCII that UTS #46 maps it to; `None` if each of
/// them may be in a host.
fn not_in_hosts(host: &str) -> Option<(char, Option<char>)> {
    let named = percent_decode_str(host).decode_utf8_lossy();
    // Alone, a mark begins a label and a joiner is out of its context, which says nothing about others.
    let other = |c: &char| !c.is_ascii() && !is_mark(*c) && !matches!(c, '\u{200C}' | '\u{200D}');
    named.chars().filter(other).find_map(|c| {
        let mut utf8 = [0; 4];
        let alone = c.encode_utf8(&mut utf8).as_bytes();
        let (mapped, valid) = Uts46::new().to_unicode(alone, AsciiDenyList::EMPTY, Hyphens::Allow);
        let denied = mapped
            .chars()
            .find(|c| c.is_ascii() && !c.is_ascii_alphanumeric() && !"-._".contains(*c));
        (denied.is_some() || valid.is_err()).then_some((c, denied))
    })
}
