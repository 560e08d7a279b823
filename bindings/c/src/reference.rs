//! Whole references: conversion, normalisation, resolution, validation.

use std::{
    ffi::{c_char, c_int},
    ptr,
};

use iriscan::{
    Warning,
    reference::{self, Components, Grammar, IriOptions, Level, Reference, SyntaxError, UriOptions},
};

use crate::{
    buffer::{self, iriscan_buffer},
    handle::{self, held},
    input::{self, word},
    names::*,
    options::{self, charset, read_sized},
    status::{Error, IRISCAN_ERR_REFERENCE, IRISCAN_OK, iriscan_status, status, value},
    strings::{Strings, has_warning},
};

/// The error for a reference.
fn refused(why: impl std::fmt::Display) -> Error {
    Error::new(IRISCAN_ERR_REFERENCE, why)
}

/// Runs `work` with a reference, and gives the result to `out`.
///
/// # Safety
///
/// The pointers are as the header says.
unsafe fn convert<T>(
    (text, size): (*const c_char, usize),
    out: *mut *mut T,
    work: impl FnOnce(&str) -> Result<*mut T, Error>,
) -> iriscan_status {
    status(|| {
        // SAFETY: the caller's promise.
        unsafe { input::clear(out) }?;
        // SAFETY: as above.
        let result = work(unsafe { input::text("reference", text, size) }?)?;
        // SAFETY: `out` was written to before.
        unsafe { out.write(result) };
        Ok(IRISCAN_OK)
    })
}

/// Options of iriscan_to_uri: `iriscan_uri_options options = {sizeof options};` and then members. One
/// that is NULL is the default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct iriscan_uri_options {
    /// sizeof(iriscan_uri_options).
    pub size: usize,
    /// The form of a host that is not ASCII: "punycode" (the default), "percent" or "keep".
    pub host: *const c_char,
    /// What becomes of characters that no URI has, such as spaces: "encode" (the default), "keep" or "fail".
    pub disallowed: *const c_char,
    /// When text is normalised to NFC: "auto" (the default: if the charset is a legacy one),
    /// "always" or "never".
    pub nfc: *const c_char,
    /// The charset of the document that the reference is from; "utf-8" by default.
    pub charset: *const c_char,
    /// The charset of a query that is not ASCII, of http and https: "document" (the default) or "utf-8".
    pub query: *const c_char,
}

/// Options of iriscan_to_iri: `iriscan_iri_options options = {sizeof options};` and then members. One
/// that is NULL is the default.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct iriscan_iri_options {
    /// sizeof(iriscan_iri_options).
    pub size: usize,
    /// The host: "keep" (the default), or "unicode" to decode xn-- labels.
    pub host: *const c_char,
    /// Private-use characters in a query: "keep" (the default: their escapes stay), or "decode".
    pub private_use: *const c_char,
    /// Escapes of characters better left alone: "keep" (the default: those of white space, invisible,
    /// format and unassigned characters), "all" or "decode".
    pub inadvisable: *const c_char,
    /// The charset of escapes that are not UTF-8; NULL: they stay.
    pub escapes: *const c_char,
}

/// Converts an IRI reference to its URI form (RFC 3987, section 3.1).
///
/// - reference, size: UTF-8; no NUL is needed after it
/// - options: NULL for the defaults
/// - out: receives the URI, to be freed by iriscan_buffer_free; NULL on errors
///
/// Errors: IRISCAN_ERR_REFERENCE if there is no URI form, IRISCAN_ERR_UTF8, IRISCAN_ERR_OPTION, IRISCAN_ERR_SIZE,
/// IRISCAN_ERR_NULL, IRISCAN_ERR_RANGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_to_uri(
    reference: *const c_char,
    size: usize,
    options: *const iriscan_uri_options,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |text: &str| {
        let mut made = UriOptions::new();
        // SAFETY: the header says what the pointers are.
        let given = unsafe { read_sized("iriscan_uri_options", options) }?;
        let Some(given) = given else { return to_uri(text, made) };
        // SAFETY: the header says what the strings are.
        unsafe {
            if let Some(host) = options::value("host", given.host)? {
                made = made.host(host);
            }
            if let Some(nfc) = options::value("nfc", given.nfc)? {
                made = made.nfc(nfc);
            }
            if let Some(disallowed) = options::value("disallowed", given.disallowed)? {
                made = made.disallowed(disallowed);
            }
            if let Some(query) = options::value("query", given.query)? {
                made = made.query(query);
            }
            if let Some(charset) = charset("charset", given.charset)? {
                made = made.charset(charset);
            }
        }
        to_uri(text, made)
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), out, work) }
}

fn to_uri(text: &str, options: UriOptions) -> Result<*mut iriscan_buffer, Error> {
    Ok(buffer::give_text(options.to_uri(text).map_err(refused)?))
}

/// Converts a URI reference to its IRI form (RFC 3987, section 3.2). Every reference has one.
///
/// - options: NULL for the defaults
///
/// The other arguments and errors are those of iriscan_to_uri.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_to_iri(
    reference: *const c_char,
    size: usize,
    options: *const iriscan_iri_options,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |text: &str| {
        let mut made = IriOptions::new();
        // SAFETY: the header says what the pointers are.
        let given = unsafe { read_sized("iriscan_iri_options", options) }?;
        let Some(given) = given else { return Ok(buffer::give_text(made.to_iri(text))) };
        // SAFETY: the header says what the strings are.
        unsafe {
            if let Some(host) = options::value("host", given.host)? {
                made = made.host(host);
            }
            if let Some(private) = options::value("private_use", given.private_use)? {
                made = made.private_use(private);
            }
            if let Some(inadvisable) = options::value("inadvisable", given.inadvisable)? {
                made = made.inadvisable(inadvisable);
            }
            made = made.escapes(charset("escapes", given.escapes)?);
        }
        Ok(buffer::give_text(made.to_iri(text)))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), out, work) }
}

/// Returns the normal form of a reference: a URI stays a URI, an IRI an IRI (RFC 3986, section 6.2;
/// RFC 3987, section 5.3).
///
/// - level: "case", "percent", "path", "syntax" (the first three), "scheme" (the rules of the scheme
///   too), or "idn" (the names of hosts too); NULL for "syntax"
///
/// The other arguments and errors are those of iriscan_to_uri; IRISCAN_ERR_REFERENCE if the reference is not
/// valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_normalize(
    reference: *const c_char,
    size: usize,
    level: *const c_char,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |text: &str| {
        // SAFETY: the header says what the strings are.
        let level: Option<Level> = unsafe { options::value("level", level) }?;
        let reference = Reference::parse(text, Grammar::IriReference).map_err(refused)?;
        Ok(buffer::give_text(reference.normalize(level.unwrap_or(Level::Syntax))))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), out, work) }
}

/// Returns 1 if two references are the same by the ladder of comparison (RFC 3986, section 6; RFC 3987, section
/// 5), 0 if not, or a negative status. Relative references are not resolved, and fragments count.
///
/// - a, a_size, b, b_size: UTF-8
/// - level: "string" (character by character), or a level of iriscan_normalize; NULL for "syntax"
///
/// The errors are those of iriscan_normalize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_equivalent(
    a: *const c_char,
    a_size: usize,
    b: *const c_char,
    b_size: usize,
    level: *const c_char,
) -> c_int {
    status(|| {
        // SAFETY: the header says what the pointers are.
        let (a, b, level) = unsafe {
            let texts = (input::text("a", a, a_size)?, input::text("b", b, b_size)?);
            (texts.0, texts.1, options::value::<Level>("level", level)?)
        };
        let parsed = |name: &str, text| {
            let fails = |e: SyntaxError| refused(format_args!("{name}: {e}"));
            Reference::parse(text, Grammar::IriReference).map_err(fails)
        };
        let (a, b) = (parsed("a", a)?, parsed("b", b)?);
        let level = level.unwrap_or(Level::Syntax);
        Ok(i32::from(reference::equivalent(&a, &b, level)))
    })
}

/// Resolves a reference against a base (RFC 3986, section 5).
///
/// - base, base_size: UTF-8, with a scheme
/// - reference, size: UTF-8
/// - out: receives the result, to be freed by iriscan_buffer_free; NULL on errors
///
/// Errors: those of iriscan_to_uri; IRISCAN_ERR_REFERENCE if one of the two is not valid or the base has no
/// scheme.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_resolve(
    base: *const c_char,
    base_size: usize,
    reference: *const c_char,
    size: usize,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |text: &str| {
        // SAFETY: the header says what the pointers are.
        let base = unsafe { input::text("base", base, base_size) }?;
        let base = Reference::parse(base, Grammar::IriReference)
            .map_err(|e| refused(format_args!("base: {e}")))?;
        let reference = Reference::parse(text, Grammar::IriReference).map_err(refused)?;
        Ok(buffer::give_text(reference.resolve(&base).map_err(refused)?.into()))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), out, work) }
}

/// Returns the reference for use in running text, in which it is found whole again. As few
/// characters as possible are percent-encoded (UTS #58).
///
/// The other arguments and errors are those of iriscan_to_uri.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_to_text(
    reference: *const c_char,
    size: usize,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |text: &str| Ok(buffer::give_text(iriscan::reference::to_text(text).into()));
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), out, work) }
}

/// What iriscan_check says about a reference. It never changes: any number of threads may read it.
pub struct iriscan_checked {
    text: String,
    error: Option<SyntaxError>,
    strings: Strings,
}

held!(iriscan_checked, "checked", 6);

impl iriscan_checked {
    /// The text of a field.
    fn text(&self, field: u32) -> Option<String> {
        let parts = Components::split(&self.text);
        let part = match field {
            IRISCAN_FIELD_SCHEME => parts.scheme(),
            IRISCAN_FIELD_USERINFO => parts.userinfo(),
            IRISCAN_FIELD_HOST => parts.host(),
            IRISCAN_FIELD_PORT => parts.port(),
            IRISCAN_FIELD_PATH => Some(parts.path()),
            IRISCAN_FIELD_QUERY => parts.query(),
            IRISCAN_FIELD_FRAGMENT => parts.fragment(),
            IRISCAN_FIELD_ERROR => return self.error.as_ref().map(|e| e.reason().to_string()),
            IRISCAN_FIELD_WARNINGS => {
                let names: Vec<_> = parts.warnings().into_iter().map(Warning::as_str).collect();
                return Some(names.join(" "));
            }
            _ => None,
        };
        part.map(ToOwned::to_owned)
    }
}

/// Checks a reference by a grammar, and takes it apart.
///
/// - reference, size: UTF-8; no NUL is needed after it
/// - grammar: "iri-reference", "iri", "absolute-iri", "uri-reference", "uri", "absolute-uri" or "leiri";
///   NULL for "iri-reference"
/// - out: receives the result, to be freed by iriscan_checked_free; NULL on errors
///
/// Returns IRISCAN_OK also if the reference is not valid; iriscan_checked_is_valid
/// says that. Errors: IRISCAN_ERR_UTF8,
/// IRISCAN_ERR_OPTION, IRISCAN_ERR_SIZE, IRISCAN_ERR_NULL, IRISCAN_ERR_RANGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_check(
    reference: *const c_char,
    size: usize,
    grammar: *const c_char,
    out: *mut *mut iriscan_checked,
) -> iriscan_status {
    let work = |text: &str| {
        // SAFETY: the header says what the strings are.
        let grammar = unsafe { options::value("grammar", grammar) }?;
        let error = Reference::parse(text, grammar.unwrap_or(Grammar::IriReference)).err();
        let (text, strings) = (text.to_owned(), Strings::default());
        Ok(handle::give(iriscan_checked { text, error, strings }))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), out, work) }
}

/// Returns 1 if the reference is valid, 0 if not, or a negative status. This is the grammar alone;
/// warnings do not count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_checked_is_valid(checked: *const iriscan_checked) -> c_int {
    // SAFETY: the header says what the pointers are.
    status(|| Ok(unsafe { handle::shared(checked) }?.error.is_none().into()))
}

/// Returns the byte of the reference at which it is wrong; IRISCAN_NO_OFFSET if it is valid, and if
/// `checked` is NULL or was freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_checked_offset(checked: *const iriscan_checked) -> u64 {
    let offset = value(|| {
        // SAFETY: the header says what the pointers are.
        let error = unsafe { handle::shared(checked) }?.error.as_ref();
        Ok(error.map_or(IRISCAN_NO_OFFSET, |e| e.offset() as u64))
    });
    offset.unwrap_or(IRISCAN_NO_OFFSET)
}

/// Returns a part of the reference, as it is written, or what the check says: IRISCAN_FIELD_SCHEME,
/// _USERINFO, _HOST, _PORT, _PATH, _QUERY, _FRAGMENT, _WARNINGS, _ERROR. NULL if it has no such part; one
/// that is there and empty is "". The path and the warnings are always there.
///
/// - size: receives the bytes of the string, without the NUL after it; 0 for NULL. May be NULL. It
///   differs from strlen only where the reference has U+0000, and then it is not valid.
///
/// The string is UTF-8, and valid as long as the object is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_checked_get(
    checked: *const iriscan_checked,
    field: u32,
    size: *mut usize,
) -> *const c_char {
    let text = value(|| {
        // SAFETY: the header says what the pointers are.
        let checked = unsafe { handle::shared(checked) }?;
        Ok(checked.strings.get(field, || checked.text(field)))
    });
    let (text, len) = text.unwrap_or((ptr::null(), 0));
    if !size.is_null() {
        // SAFETY: as above.
        unsafe { size.write(len) };
    }
    text
}

/// Returns 1 if a reference has a warning, 0 if not, or a negative status.
///
/// - warning: its name, such as "mixed-script". NULL: any warning.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_checked_has_warning(
    checked: *const iriscan_checked,
    warning: *const c_char,
) -> c_int {
    status(|| {
        // SAFETY: the header says what the pointers are.
        let (checked, name) = unsafe { (handle::shared(checked)?, word("warning", warning)?) };
        has_warning(&Components::split(&checked.text).warnings(), name)
    })
}

/// Frees a result of iriscan_check. NULL is allowed. A result that was freed already stays so, and
/// iriscan_last_error says it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_checked_free(checked: *mut iriscan_checked) {
    // SAFETY: the header says what the pointers are.
    let _ = value(|| unsafe { handle::free(checked) });
}
