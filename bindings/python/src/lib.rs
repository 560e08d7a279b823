//! `iriscan._iriscan`, the native module of the Python package `iriscan`.
//!
//! python/iriscan/_iriscan.pyi says what each name is; `mypy.stubtest` compares it with this code.
//! The layers, from the bottom: `errors`; `data` (input of a caller), `options`; `link`;
//! `stream` and `arrow`; `files`; `finder`; `reference`.

use pyo3::prelude::*;

mod arrow;
mod data;
mod errors;
mod files;
mod finder;
mod link;
mod options;
mod reference;
mod stream;

/// The native part of the package iriscan.
#[pymodule]
mod _iriscan {
    #[pymodule_export]
    use crate::{
        arrow::capsule::{ArrowArray, ArrowStream},
        errors::{ConfigError, UriError},
        files::{_inner_name, FileLinks, FileRewriter},
        finder::{_load_finder, PyFinder},
        link::{_load_link, PyLink},
        reference::{
            _format_of, _format_of_media, _is_charset, _leiri_to_iri, _trim, Check, check,
            equivalent, normalize, resolve, to_iri, to_text, to_uri,
        },
        stream::{_load_text, FindIter, PyRewriter, PyScanner, Text},
    };

    use super::*;
    use crate::finder::add_properties;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        add_properties(&module.getattr("Finder")?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
