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

/// Implements `ALL`, `as_str`, `Display` and `FromStr` for an enum without fields.
/// `$what` says in messages what a value is, with its article.
macro_rules! named {
    ($type:ident is $what:literal: $($variant:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// Every value, in the order of its declaration.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

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

        impl core::str::FromStr for $type {
            type Err = $crate::data::names::NameError;

            /// The value that has this name: the inverse of `as_str`.
            fn from_str(name: &str) -> Result<$type, $crate::data::names::NameError> {
                let mut values = $type::ALL.iter().copied();
                values.find(|value| value.as_str() == name).ok_or_else(|| {
                    $crate::data::names::NameError::new(name, $what, &[$($name),+])
                })
            }
        }
    };
}
pub(crate) use named;
