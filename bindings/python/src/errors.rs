//! The exceptions of the package.

use std::fmt::Display;

use pyo3::{create_exception, exceptions::PyValueError, prelude::*};

create_exception!(
    iriscan,
    ConfigError,
    PyValueError,
    "An option that no finder or function accepts. The message says which values exist."
);
create_exception!(
    iriscan,
    UriError,
    PyValueError,
    "A reference that cannot be converted, normalized or resolved. The message says why."
);

/// The error for the option `name`.
pub(crate) fn option(name: &str, why: impl Display) -> PyErr {
    ConfigError::new_err(format!("{name}: {why}"))
}

/// The error for a reference.
pub(crate) fn reference(why: impl Display) -> PyErr {
    UriError::new_err(why.to_string())
}
