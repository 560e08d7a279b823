//! Whole references: conversion, normalisation, resolution, validation.

use std::ffi::c_char;

use iriscan::reference::{Components, Grammar, IriOptions, Level, Reference, UriOptions};

use crate::{
    buffer::{self, iriscan_buffer},
    handle::{self, held},
    input,
    options::{self, charset, iriscan_options},
    status::{Error, IRISCAN_OK, IRISCAN_REFERENCE, iriscan_status, status, value},
    strings::Strings,
};

/// The error for a reference.
fn refused(why: impl std::fmt::Display) -> Error {
    Error::new(IRISCAN_REFERENCE, why)
}

/// Runs `work` with a reference and options, and gives the result to `out`.
///
/// # Safety
///
/// The pointers are as the header says.
unsafe fn convert<T>(
    (text, size): (*const c_char, usize),
    options: *const iriscan_options,
    out: *mut *mut T,
    work: impl FnOnce(&str, &iriscan_options) -> Result<*mut T, Error>,
) -> iriscan_status {
    status(|| {
        // SAFETY: the caller's promise.
        unsafe { input::clear(out) }?;
        // SAFETY: as above.
        let (text, options) =
            unsafe { (input::text("reference", text, size)?, options::read(options)?) };
        let result = work(text, &options)?;
        // SAFETY: `out` was written to before.
        unsafe { out.write(result) };
        Ok(IRISCAN_OK)
    })
}

/// Converts an IRI reference to its URI form (RFC 3987, section 3.1).
///
/// - reference, size: UTF-8; no NUL is needed after it
/// - options: `host`, `nfc`, `disallowed`, `query`, and `charset`: that of the document which the
///   reference is from, "utf-8" by default. NULL for the defaults
/// - out: receives the URI, to be freed by iriscan_buffer_free; NULL on errors
///
/// Errors: IRISCAN_REFERENCE if there is no URI form, IRISCAN_UTF8, IRISCAN_OPTION, IRISCAN_SIZE,
/// IRISCAN_NULL, IRISCAN_RANGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_to_uri(
    reference: *const c_char,
    size: usize,
    options: *const iriscan_options,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |text: &str, given: &iriscan_options| {
        let mut options = UriOptions::new();
        // SAFETY: the header says what the strings are.
        unsafe {
            if let Some(host) = options::value("host", given.host)? {
                options = options.host(host);
            }
            if let Some(nfc) = options::value("nfc", given.nfc)? {
                options = options.nfc(nfc);
            }
            if let Some(disallowed) = options::value("disallowed", given.disallowed)? {
                options = options.disallowed(disallowed);
            }
            if let Some(query) = options::value("query", given.query)? {
                options = options.query(query);
            }
            if let Some(charset) = charset("charset", given.charset)? {
                options = options.charset(charset);
            }
        }
        Ok(buffer::give_text(options.to_uri(text).map_err(refused)?))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), options, out, work) }
}

/// Converts a URI reference to its IRI form (RFC 3987, section 3.2). Every reference has one.
///
/// - options: `host` ("keep" or "unicode"), `private_use`, `inadvisable`, `escapes`
///
/// The other arguments and errors are those of iriscan_to_uri.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_to_iri(
    reference: *const c_char,
    size: usize,
    options: *const iriscan_options,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |text: &str, given: &iriscan_options| {
        let mut options = IriOptions::new();
        // SAFETY: the header says what the strings are.
        unsafe {
            if let Some(host) = options::value("host", given.host)? {
                options = options.host(host);
            }
            if let Some(private) = options::value("private_use", given.private_use)? {
                options = options.private_use(private);
            }
            if let Some(inadvisable) = options::value("inadvisable", given.inadvisable)? {
                options = options.inadvisable(inadvisable);
            }
            options = options.escapes(charset("escapes", given.escapes)?);
        }
        Ok(buffer::give_text(options.to_iri(text)))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), options, out, work) }
}

/// Returns the normal form of a reference: a URI stays a URI, an IRI an IRI (RFC 3986, section 6.2;
/// RFC 3987, section 5.3).
///
/// - options: `level`
///
/// The other arguments and errors are those of iriscan_to_uri; IRISCAN_REFERENCE if the reference is not
/// valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_normalize(
    reference: *const c_char,
    size: usize,
    options: *const iriscan_options,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |text: &str, given: &iriscan_options| {
        // SAFETY: the header says what the strings are.
        let level: Option<Level> = unsafe { options::value("level", given.level) }?;
        let reference = Reference::parse(text, Grammar::IriReference).map_err(refused)?;
        Ok(buffer::give_text(reference.normalize(level.unwrap_or(Level::Syntax))))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), options, out, work) }
}

/// Resolves a reference against a base (RFC 3986, section 5).
///
/// - base, base_size: UTF-8, with a scheme
/// - reference, size: UTF-8
/// - options: none is used yet; NULL
/// - out: receives the result, to be freed by iriscan_buffer_free; NULL on errors
///
/// Errors: those of iriscan_to_uri; IRISCAN_REFERENCE if one of the two is not valid or the base has no
/// scheme.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_resolve(
    base: *const c_char,
    base_size: usize,
    reference: *const c_char,
    size: usize,
    options: *const iriscan_options,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |text: &str, _: &iriscan_options| {
        // SAFETY: the header says what the pointers are.
        let base = unsafe { input::text("base", base, base_size) }?;
        let base = Reference::parse(base, Grammar::IriReference)
            .map_err(|e| refused(format_args!("base: {e}")))?;
        let reference = Reference::parse(text, Grammar::IriReference).map_err(refused)?;
        Ok(buffer::give_text(reference.resolve(&base).map_err(refused)?.into()))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), options, out, work) }
}

/// Returns the reference for use in running text, in which it is found whole again. As few
/// characters as possible are percent-encoded (UTS #58).
///
/// - options: none is used yet; NULL
///
/// The other arguments and errors are those of iriscan_to_uri.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_to_text(
    reference: *const c_char,
    size: usize,
    options: *const iriscan_options,
    out: *mut *mut iriscan_buffer,
) -> iriscan_status {
    let work = |text: &str, _: &iriscan_options| {
        Ok(buffer::give_text(iriscan::reference::to_text(text).into()))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), options, out, work) }
}

/// What iriscan_check says about a reference.
///
/// Strings are UTF-8 with a NUL after them, and belong to this object. A component that the
/// reference does not have is NULL; one that is there and empty is "". A reference that has U+0000
/// is never valid, and the string of the component ends there.
///
/// The library makes these objects; programs only read them, in any number of threads. Later
/// versions may add members at the end.
#[repr(C)]
pub struct iriscan_checked {
    /// 1 if the reference is valid, 0 if not. This is the grammar alone; warnings do not count.
    pub valid: i32,
    /// How many warnings there are.
    pub warnings_count: u32,
    /// The byte of the reference at which it is wrong; IRISCAN_NONE if it is valid.
    pub offset: u64,
    /// Why it is wrong at that byte; NULL if it is valid.
    pub message: *const c_char,
    /// The scheme as it is written, or NULL.
    pub scheme: *const c_char,
    /// The user information, or NULL.
    pub userinfo: *const c_char,
    /// The host, an IPv6 address with its brackets, or NULL.
    pub host: *const c_char,
    /// The port, or NULL.
    pub port: *const c_char,
    /// The path; never NULL, but it may be "".
    pub path: *const c_char,
    /// The query without its "?", or NULL.
    pub query: *const c_char,
    /// The fragment without its "#", or NULL.
    pub fragment: *const c_char,
    /// The names of the warnings, and after them a NULL. Never NULL itself.
    pub warnings: *const *const c_char,
}

/// The result of a check, with the memory of its strings.
#[repr(C)]
pub(crate) struct Checked {
    /// What C sees: at the address of the whole.
    face: iriscan_checked,
    strings: Strings,
    warnings: Vec<*const c_char>,
}

// SAFETY: the pointers are into the vectors, which move with it.
unsafe impl Send for Checked {}

held!(Checked, "checked", 6);

impl Checked {
    fn of(text: &str, grammar: Grammar) -> Checked {
        let error = Reference::parse(text, grammar).err();
        let parts = Components::split(text);
        let mut strings = Strings::default();
        let message = error.as_ref().map(|e| strings.push(e.reason().to_string().as_bytes()));
        let places = [
            parts.scheme(),
            parts.userinfo(),
            parts.host(),
            parts.port(),
            Some(parts.path()),
            parts.query(),
            parts.fragment(),
        ]
        .map(|part| part.map(|part| strings.push(part.as_bytes())));
        let names: Vec<_> = parts
            .warnings()
            .iter()
            .map(|warning| strings.push(warning.as_str().as_bytes()))
            .collect();
        let names = names.into_iter().map(Some).chain([None]);
        let warnings: Vec<_> = names.map(|name| strings.get(name).0).collect();
        let [scheme, userinfo, host, port, path, query, fragment] =
            places.map(|place| strings.get(place).0);
        let face = iriscan_checked {
            valid: i32::from(error.is_none()),
            warnings_count: warnings.len() as u32 - 1,
            offset: error.as_ref().map_or(u64::MAX, |e| e.offset() as u64),
            message: strings.get(message).0,
            scheme,
            userinfo,
            host,
            port,
            path,
            query,
            fragment,
            warnings: warnings.as_ptr(),
        };
        Checked { face, strings, warnings }
    }
}

/// Checks a reference by a grammar, and takes it apart.
///
/// - reference, size: UTF-8; no NUL is needed after it
/// - options: `grammar`; NULL for "iri-reference"
/// - out: receives the result, to be freed by iriscan_checked_free; NULL on errors
///
/// Returns IRISCAN_OK also if the reference is not valid; `valid` says that. Errors: IRISCAN_UTF8,
/// IRISCAN_OPTION, IRISCAN_SIZE, IRISCAN_NULL, IRISCAN_RANGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_check(
    reference: *const c_char,
    size: usize,
    options: *const iriscan_options,
    out: *mut *mut iriscan_checked,
) -> iriscan_status {
    let work = |text: &str, given: &iriscan_options| {
        // SAFETY: the header says what the strings are.
        let grammar = unsafe { options::value("grammar", given.grammar) }?;
        let checked = Checked::of(text, grammar.unwrap_or(Grammar::IriReference));
        Ok(handle::give(checked).cast())
    };
    // SAFETY: the header says what the pointers are.
    unsafe { convert((reference, size), options, out, work) }
}

/// Frees a result of iriscan_check. NULL is allowed. A result that was freed already stays so, and
/// iriscan_last_error says it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_checked_free(checked: *mut iriscan_checked) {
    // SAFETY: the header says what the pointers are; `Checked` starts with what C sees.
    let _ = value(|| unsafe { handle::free(checked.cast::<Checked>()) });
}
