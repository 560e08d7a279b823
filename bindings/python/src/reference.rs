//! Whole references: conversion, normalization, resolution, validation.

use iriscan::{
    Format,
    reference::{self, Components, Grammar, IriOptions, Level, Reference, UriOptions},
};
use iriscan_documents::Content;
use pyo3::{
    prelude::*,
    types::{PyDict, PyString, PyTuple},
};

use crate::{
    data,
    errors::{self, reference as uri_error},
    options::{self, charset as charset_of, value},
};

/// Returns the URI form of an IRI reference (RFC 3987, section 3.1). It raises UriError if there is
/// none.
///
/// - host: the form of a host that is not ASCII: 'punycode', 'percent', 'keep'
/// - nfc: when text is normalized: 'auto' (from a legacy charset), 'always', 'never'
/// - disallowed: characters that no URI has, such as spaces: 'encode', 'keep' or 'fail'
/// - charset: the charset of the document that the reference is from
/// - query: the charset of the query of http references: 'document', 'utf-8'
///
/// >>> import iriscan
/// >>> iriscan.to_uri("http://bücher.example/ü?x=ß#é")
/// 'http://xn--bcher-kva.example/%C3%BC?x=%C3%9F#%C3%A9'
/// >>> iriscan.to_uri("http://a.example/?q=表", charset="shift_jis")
/// 'http://a.example/?q=%95%5C'
/// >>> iriscan.to_uri("http://\ufffd.example/")
/// Traceback (most recent call last):
/// iriscan.UriError: host "\ufffd.example" has no ASCII form under UTS #46: U+FFFD '\ufffd' is in no host
#[pyfunction]
#[pyo3(
    signature = (
        reference, *, host="punycode", nfc="auto", disallowed="encode", charset="utf-8",
        query="document", **others
    ),
    text_signature = "(reference, *, host='punycode', nfc='auto', disallowed='encode', charset='utf-8', query='document')"
)]
pub(crate) fn to_uri(
    reference: &Bound<'_, PyString>,
    host: &str,
    nfc: &str,
    disallowed: &str,
    charset: &str,
    query: &str,
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    options::refuse(others, &["host", "nfc", "disallowed", "charset", "query"])?;
    let options = UriOptions::new()
        .host(value("host", host)?)
        .nfc(value("nfc", nfc)?)
        .disallowed(value("disallowed", disallowed)?)
        .charset(charset_of("charset", charset)?)
        .query(value("query", query)?);
    Ok(options.to_uri(&data::text(reference)).map_err(uri_error)?.into_owned())
}

/// Returns the IRI form of a URI reference (RFC 3987, section 3.2).
///
/// - host: 'keep', or 'unicode' to decode xn-- labels
/// - private: private-use characters in a query: 'keep' their escapes, or 'decode'
/// - inadvisable: escapes of characters better left alone: 'keep' those of white space, invisible,
///   format and unassigned characters; 'all' also those of look-alikes of delimiters,
///   compatibility forms, ligatures and dingbats; 'decode' none
/// - escapes: the charset of escapes that are not UTF-8
///
/// >>> import iriscan
/// >>> iriscan.to_iri("http://xn--bcher-kva.example/%C3%BC%20x", host="unicode")
/// 'http://bücher.example/ü%20x'
#[pyfunction]
#[pyo3(
    signature = (
        reference, *, host="keep", private="keep", inadvisable="keep", escapes=None, **others
    ),
    text_signature = "(reference, *, host='keep', private='keep', inadvisable='keep', escapes=None)"
)]
pub(crate) fn to_iri(
    reference: &Bound<'_, PyString>,
    host: &str,
    private: &str,
    inadvisable: &str,
    escapes: Option<&str>,
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    options::refuse(others, &["host", "private", "inadvisable", "escapes"])?;
    let options = IriOptions::new()
        .host(value("host", host)?)
        .private_use(value("private", private)?)
        .inadvisable(value("inadvisable", inadvisable)?)
        .escapes(escapes.map(|label| charset_of("escapes", label)).transpose()?);
    Ok(options.to_iri(&data::text(reference)).into_owned())
}

/// Returns the normal form of a reference: a URI stays a URI, an IRI an IRI (RFC 3986, section 6.2;
/// RFC 3987, section 5.3). It raises UriError if the reference is not valid.
///
/// - level: a single step, 'case', 'percent' or 'path'; all three: 'syntax'; the rules of the
///   scheme too: 'scheme'; the names of hosts too: 'idn'
///
/// >>> import iriscan
/// >>> iriscan.normalize("HTTP://a.example:80/b/../%7Ec", level="scheme")
/// 'http://a.example/~c'
#[pyfunction]
#[pyo3(
    signature = (reference, *, level="syntax", **others),
    text_signature = "(reference, *, level='syntax')"
)]
pub(crate) fn normalize(
    reference: &Bound<'_, PyString>,
    level: &str,
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    options::refuse(others, &["level"])?;
    let level: Level = value("level", level)?;
    let text = data::text(reference);
    let reference = Reference::parse(&text, Grammar::IriReference).map_err(uri_error)?;
    Ok(reference.normalize(level).into_owned())
}

/// Returns whether two references are the same, by the ladder of comparison (RFC 3986, section 6; RFC 3987,
/// section 5). It raises UriError if one is not valid. Relative references are not resolved, and fragments count.
///
/// - level: 'string', character by character; 'syntax', case, escapes and dot segments too, or a single one of
///   these steps, 'case', 'percent' or 'path'; 'scheme', default ports and the like too; 'idn', the names of hosts
///   too; 'nfc', composed and decomposed characters too, which no document allows
///
/// >>> import iriscan
/// >>> iriscan.equivalent("http://例え.jp", "HTTP://xn--r8jz45g.jp:80/")
/// False
/// >>> iriscan.equivalent("http://例え.jp", "HTTP://xn--r8jz45g.jp:80/", level="idn")
/// True
#[pyfunction]
#[pyo3(
    signature = (a, b, *, level="syntax", **others),
    text_signature = "(a, b, *, level='syntax')"
)]
pub(crate) fn equivalent(
    a: &Bound<'_, PyString>,
    b: &Bound<'_, PyString>,
    level: &str,
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<bool> {
    options::refuse(others, &["level"])?;
    let level: Level = value("level", level)?;
    let (a, b) = (data::text(a), data::text(b));
    let a = Reference::parse(&a, Grammar::IriReference).map_err(uri_error)?;
    let b = Reference::parse(&b, Grammar::IriReference).map_err(uri_error)?;
    Ok(reference::equivalent(&a, &b, level))
}

/// Returns `reference` resolved against `base` (RFC 3986, section 5). It raises UriError if either
/// is not valid or the base has no scheme.
///
/// >>> import iriscan
/// >>> iriscan.resolve("http://例え.jp/b/c/d", "../ö#s")
/// 'http://例え.jp/b/ö#s'
#[pyfunction]
pub(crate) fn resolve(
    base: &Bound<'_, PyString>,
    reference: &Bound<'_, PyString>,
) -> PyResult<String> {
    let (base, text) = (data::text(base), data::text(reference));
    let base = Reference::parse(&base, Grammar::IriReference)
        .map_err(|e| uri_error(format_args!("base: {e}")))?;
    let reference = Reference::parse(&text, Grammar::IriReference).map_err(uri_error)?;
    reference.resolve(&base).map_err(uri_error)
}

/// Returns the reference for use in running text, in which it is found whole again. As few
/// characters as possible are percent-encoded (UTS 58).
///
/// >>> import iriscan
/// >>> iriscan.to_text("https://a.example/%E6%97%A5%E6%9C%AC.")
/// 'https://a.example/日本%2E'
#[pyfunction]
pub(crate) fn to_text(reference: &Bound<'_, PyString>) -> String {
    iriscan::reference::to_text(&data::text(reference))
}

/// Checks a reference by a grammar. It never fails; `bool` of the result says whether it is valid.
///
/// - kind: the grammar: 'iri', 'iri-reference', 'absolute-iri', 'uri', 'uri-reference',
///   'absolute-uri', 'leiri'
///
/// >>> import iriscan
/// >>> check = iriscan.check("http://a.example/b c")
/// >>> check.valid, check.offset
/// (False, 18)
/// >>> iriscan.check("http://例え.jp:80/道").host
/// '例え.jp'
#[pyfunction]
#[pyo3(
    signature = (reference, *, kind="iri-reference", **others),
    text_signature = "(reference, *, kind='iri-reference')"
)]
pub(crate) fn check(
    reference: &Bound<'_, PyString>,
    kind: &str,
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<Check> {
    options::refuse(others, &["kind"])?;
    let grammar: Grammar = value("kind", kind)?;
    let text = data::text(reference);
    let error = Reference::parse(&text, grammar).err();
    let parts = Components::split(&text);
    let own = |part: Option<&str>| part.map(ToOwned::to_owned);
    Ok(Check {
        offset: error.as_ref().map(|e| text[..e.offset()].chars().count()),
        message: error.as_ref().map(|e| e.reason().to_string()),
        scheme: own(parts.scheme()),
        userinfo: own(parts.userinfo()),
        host: own(parts.host()),
        port: own(parts.port()),
        path: parts.path().to_owned(),
        query: own(parts.query()),
        fragment: own(parts.fragment()),
        warnings: parts.warnings().iter().map(ToString::to_string).collect(),
        inadvisable: {
            let (mut counted, mut chars) = (0, 0);
            let place = |(at, c): (usize, char)| {
                chars += text[counted..at].chars().count();
                counted = at;
                (chars, c.to_string())
            };
            parts.inadvisable().into_iter().map(place).collect()
        },
        text: text.into_owned(),
    })
}

/// What `check` says about a reference: whether it is valid, its components, and warnings.
#[pyclass(frozen, module = "iriscan", eq)]
#[derive(PartialEq, Eq)]
pub(crate) struct Check {
    text: String,
    /// The character at which the reference is wrong; None if it is valid.
    #[pyo3(get)]
    offset: Option<usize>,
    /// What is wrong at `offset`, or None if the reference is valid.
    #[pyo3(get)]
    message: Option<String>,
    /// The scheme as it is written, or None.
    #[pyo3(get)]
    scheme: Option<String>,
    /// The user information, or None.
    #[pyo3(get)]
    userinfo: Option<String>,
    /// The host, or None.
    #[pyo3(get)]
    host: Option<String>,
    /// The port, or None.
    #[pyo3(get)]
    port: Option<String>,
    /// The path, which may be empty.
    #[pyo3(get)]
    path: String,
    /// The query, or None.
    #[pyo3(get)]
    query: Option<String>,
    /// The fragment, or None.
    #[pyo3(get)]
    fragment: Option<String>,
    warnings: Vec<String>,
    inadvisable: Vec<(usize, String)>,
}

#[pymethods]
impl Check {
    /// Whether the reference is valid.
    #[getter]
    fn valid(&self) -> bool {
        self.offset.is_none()
    }

    /// The names of the warnings, for example 'mixed-script'.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.warnings)
    }

    /// The characters that are better not in a reference, written or percent-encoded, outside of its host, each with
    /// its place: spaces, what nobody sees, look-alikes of delimiters, compatibility forms (RFC 3987, section 6.1).
    ///
    /// >>> import iriscan
    /// >>> iriscan.check("http://a.example/Ａ/a%20b").inadvisable
    /// ((17, 'Ａ'), (20, ' '))
    #[getter]
    fn inadvisable<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.inadvisable)
    }

    fn __bool__(&self) -> bool {
        self.valid()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = PyString::new(py, &self.text).repr()?.to_string();
        Ok(match (self.offset, &self.message) {
            (Some(offset), Some(message)) => {
                let message = PyString::new(py, message).repr()?.to_string();
                format!("Check({text}, valid=False, offset={offset}, message={message})")
            }
            _ => format!("Check({text}, valid=True)"),
        })
    }
}

/// The name of the format of files with this extension, or mail. `python -m iriscan` uses it.
#[pyfunction]
pub(crate) fn _format_of(extension: &str) -> Option<&'static str> {
    match Content::from_extension(extension)? {
        Content::Document(format) => Some(format.as_str()),
        Content::Mail => Some("mail"),
        Content::Archive | Content::Container => None,
    }
}

/// The format of a document with this media type and these first bytes, None if it is not text:
/// for `iriscan.spark`.
#[pyfunction]
pub(crate) fn _format_of_media(media_type: &str, head: &[u8]) -> Option<&'static str> {
    let format = match media_type.trim() {
        "" if head.contains(&0) => None,
        "" => Some(Format::sniff(head)),
        media_type => Format::from_media_type(media_type),
    };
    format.map(Format::as_str)
}

/// True if this is the label of a charset: for `iriscan.spark`.
#[pyfunction]
pub(crate) fn _is_charset(label: &str) -> bool {
    iriscan::Charset::for_label(label).is_ok()
}

/// The line without white space and bidi formatting characters at both ends: for
/// `python -m iriscan`.
#[pyfunction]
pub(crate) fn _trim(text: &str) -> &str {
    iriscan::reference::trim(text)
}

/// The IRI for a Legacy Extended IRI: for `python -m iriscan`.
#[pyfunction]
pub(crate) fn _leiri_to_iri(reference: &Bound<'_, PyString>) -> PyResult<String> {
    let text = data::text(reference);
    let edition = iriscan::reference::Edition::Bis;
    let iri = iriscan::reference::leiri_to_iri(&text, edition).map_err(errors::reference)?;
    Ok(iri.into_owned())
}
