//! Arguments of a caller: bytes, strings, and places for results.

use std::ffi::{CStr, c_char, c_void};

use crate::status::{Error, IRISCAN_ERR_RANGE, IRISCAN_ERR_UTF8};

/// The bytes of a caller.
///
/// # Safety
///
/// `data` is NULL or has `size` bytes that nobody changes during `'a`.
pub(crate) unsafe fn bytes<'a>(
    name: &str,
    data: *const c_void,
    size: usize,
) -> Result<&'a [u8], Error> {
    if size == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Error::null(name));
    }
    if size > isize::MAX as usize {
        let message = format_args!("{name}: the size {size} is more than any object has");
        return Err(Error::new(IRISCAN_ERR_RANGE, message));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(data.cast(), size) })
}

/// UTF-8 of a caller.
///
/// # Safety
///
/// As for [`bytes`].
pub(crate) unsafe fn text<'a>(
    name: &str,
    data: *const c_char,
    size: usize,
) -> Result<&'a str, Error> {
    // SAFETY: the caller's promise.
    utf8(name, unsafe { bytes(name, data.cast(), size) }?)
}

/// The string of an option; NULL is `None`.
///
/// # Safety
///
/// `word` is NULL or ends in a NUL, and nobody changes it during `'a`.
pub(crate) unsafe fn word<'a>(name: &str, word: *const c_char) -> Result<Option<&'a str>, Error> {
    if word.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    utf8(name, unsafe { CStr::from_ptr(word) }.to_bytes()).map(Some)
}

fn utf8<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Error> {
    str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        Error::new(IRISCAN_ERR_UTF8, format_args!("{name}: not UTF-8 at byte {at}"))
    })
}

/// Sets a place for a result to NULL, so that it has no stale pointer if the call fails.
///
/// # Safety
///
/// `out` is NULL or can be written.
pub(crate) unsafe fn clear<T>(out: *mut *mut T) -> Result<(), Error> {
    if out.is_null() {
        return Err(Error::null("out"));
    }
    // SAFETY: the caller's promise.
    unsafe { out.write(std::ptr::null_mut()) };
    Ok(())
}
