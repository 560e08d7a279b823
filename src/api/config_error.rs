//! Why a configuration is refused.
//!
//! [`Config::build`](crate::Config::build) gives the option and its value; a program gets the kind of the
//! fault, and a person a sentence that names the option and says what to give instead.

use alloc::string::String;
use core::fmt;

use crate::data::schemes::SCHEME_MAX;

/// A configuration that [`Config::build`](crate::Config::build) refuses.
///
/// ```
/// use iriscan::{Config, ConfigErrorKind, Schemes};
///
/// let error = Config::new().schemes(Schemes::List(vec!["HTTP".into()])).build().unwrap_err();
/// assert_eq!(error.kind(), ConfigErrorKind::Scheme);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(pub(super) Why);

/// Why a configuration is refused; see [`ConfigError::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConfigErrorKind {
    /// [`Config::max_len`](crate::Config::max_len) is 0.
    MaxLen,
    /// [`Config::schemes`](crate::Config::schemes) has a name that is not one of a scheme in lower case.
    Scheme,
    /// [`Config::schemes`](crate::Config::schemes) has a scheme that is never a link.
    NeverLink,
    /// [`Config::delimiter`](crate::Config::delimiter) is a character that cannot be between the fields of CSV.
    Delimiter,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    MaxLen,
    Scheme(String),
    Never(String),
    Delimiter(char),
}

impl ConfigError {
    /// Why the configuration is refused.
    #[must_use]
    pub fn kind(&self) -> ConfigErrorKind {
        match self.0 {
            Why::MaxLen => ConfigErrorKind::MaxLen,
            Why::Scheme(_) => ConfigErrorKind::Scheme,
            Why::Never(_) => ConfigErrorKind::NeverLink,
            Why::Delimiter(_) => ConfigErrorKind::Delimiter,
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::MaxLen => {
                f.write_str("max_len is 0, at least 1 byte is needed; the default is 65536")
            }
            Why::Never(name) => {
                write!(
                    f,
                    "{name:?} is never a link, because it runs code or holds data; leave it out"
                )
            }
            Why::Delimiter(c) => write!(
                f,
                "{c:?} cannot delimit fields of CSV; give one character of ASCII that is no letter, \
                 digit, % - . or quote, such as , ; | or a tab"
            ),
            Why::Scheme(name) => write!(
                f,
                "{name:?} is no scheme; give a letter and then letters, digits, + - ., lower case, \
                 up to {SCHEME_MAX} characters, without the colon"
            ),
        }
    }
}

impl core::error::Error for ConfigError {}
