//! Names of the values of an enum: what `as_str`, `ALL`, `Display` and `FromStr` share.
//!
//! [`named`] implements all four from one list, so that a name that is printed is also read.

use alloc::string::{String, ToString};
use core::fmt;

/// A name that none of the values has. `Display` lists the names that exist.
///
/// ```
/// use iriscan::HostForm;
///
/// let error = "puny".parse::<HostForm>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "\"puny\" is not a form of a host; use one of punycode, percent, keep",
/// );
/// assert_eq!(error.names().last(), Some(&"keep"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    given: String,
    what: &'static str,
    names: &'static [&'static str],
}

impl NameError {
    pub(crate) fn new(
        given: &str,
        what: &'static str,
        names: &'static [&'static str],
    ) -> NameError {
        NameError { given: given.to_string(), what, names }
    }

    /// The names that exist.
    #[must_use]
    pub fn names(&self) -> &'static [&'static str] {
        self.names
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not {}; use one of ", self.given, self.what)?;
        for (i, name) in self.names.iter().enumerate() {
            write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for NameError {}

/// True for two spellings of one name: neither case counts nor hyphens, spaces and `_`. So `UTF_8` and `utf8` are
/// `utf-8`.
pub(crate) fn is_same_name(one: &str, other: &str) -> bool {
    let plain = |name: &str| {
        let letters = name.trim().chars().filter(|c| !matches!(c, '-' | '_' | ' '));
        letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
    };
    plain(one) == plain(other)
}

/// Implements `ALL`, `as_str`, `Display` and `FromStr` for an enum without fields.
/// `$what` says in messages what a value is, with its article. After the name of a value come other
/// names that people write for it, which are read and never printed.
macro_rules! named {
    ($type:ident is $what:literal: $($variant:ident = $name:literal $(| $alias:literal)*),+ $(,)?) => {
        $crate::data::names::listed!($type: $($variant = $name),+);

        impl core::str::FromStr for $type {
            type Err = $crate::data::names::NameError;

            /// The value that has this name: the inverse of `as_str`. Case does not count, nor do hyphens, spaces
            /// and `_`.
            fn from_str(name: &str) -> Result<$type, $crate::data::names::NameError> {
                let is = |names: &[&str]| {
                    names.iter().any(|known| $crate::data::names::is_same_name(known, name))
                };
                $(if is(&[$name $(, $alias)*]) {
                    return Ok($type::$variant);
                })+
                Err($crate::data::names::NameError::new(name, $what, $type::NAMES))
            }
        }
    };
}

/// The part of [`named`] that does not read names, for an enum that reads them in its own way.
macro_rules! listed {
    ($type:ident: $($variant:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// Every value, in the order of its declaration.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// The names of all values, in the same order.
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),+];

            /// The name of the value, as options and records spell it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
pub(crate) use {listed, named};

#[cfg(test)]
mod tests {
    use crate::{Format, HostForm, Kind, QueryCharset, RuleSet};

    #[test]
    fn names_are_read_as_people_write_them() {
        for (written, want) in [
            ("html", Format::Html),
            ("HTML", Format::Html),
            (" Html ", Format::Html),
            ("htm", Format::Html),
            ("md", Format::Markdown),
            ("MD", Format::Markdown),
            ("plain", Format::Text),
            ("txt", Format::Text),
            ("jsonl", Format::Json),
            ("n-triples", Format::Turtle),
            ("reStructuredText", Format::Rst),
            ("TeX", Format::Latex),
            ("C++", Format::C),
            ("js", Format::Java),
            ("text/html", Format::Html),
        ] {
            assert_eq!(written.parse(), Ok(want), "{written}");
        }
        for wrong in ["", "htmlx", ".html", "png", "text/", "image/png"] {
            assert!(wrong.parse::<Format>().is_err(), "{wrong}");
        }
        for format in Format::ALL {
            assert_eq!(format.as_str().parse(), Ok(*format));
            assert_eq!(format.as_str().to_ascii_uppercase().parse(), Ok(*format));
        }
        assert_eq!("IRI".parse(), Ok(Kind::Iri));
        assert_eq!("url".parse(), Ok(Kind::Iri));
        assert_eq!("e-mail".parse(), Ok(Kind::Email));
        assert_eq!("UTF8".parse(), Ok(QueryCharset::Utf8));
        assert_eq!("UTS_58".parse(), Ok(RuleSet::Uts58));
        assert_eq!("Punycode".parse(), Ok(HostForm::Punycode));
        assert!("host".parse::<Kind>().is_err());
    }
}
