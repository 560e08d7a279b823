//! What functions return, the last error of a thread, and the border that no panic crosses.

use std::{
    any::Any,
    cell::RefCell,
    ffi::{CStr, CString, c_char},
    fmt::Display,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What most functions return: IRISCAN_OK, IRISCAN_STOPPED, or a negative number, which is an error.
///
/// Later versions may return other negative numbers.
pub type iriscan_status = i32;

/// The function did what it should.
pub const IRISCAN_OK: iriscan_status = 0;
/// A callback returned a number that is not zero, and so stopped the scan. Not an error.
pub const IRISCAN_STOPPED: iriscan_status = 1;
/// A pointer is NULL that must not be.
pub const IRISCAN_ERR_NULL: iriscan_status = -1;
/// An option has a value that does not exist.
pub const IRISCAN_ERR_OPTION: iriscan_status = -2;
/// An offset is after the end of the bytes, or a size is more than half of the address space.
pub const IRISCAN_ERR_RANGE: iriscan_status = -3;
/// A defect of this library was caught. The object of the call can only be freed after it.
pub const IRISCAN_ERR_PANIC: iriscan_status = -4;
/// The `size` of a struct is too small, or what it has at its end is unknown to this version.
pub const IRISCAN_ERR_SIZE: iriscan_status = -5;
/// The object was freed, is of another type, is in use by a call that has not returned, or is a
/// scanner at its end.
pub const IRISCAN_ERR_STATE: iriscan_status = -6;
/// A string is not UTF-8.
pub const IRISCAN_ERR_UTF8: iriscan_status = -7;
/// A reference is not valid, or has no form of the kind that was asked for.
pub const IRISCAN_ERR_REFERENCE: iriscan_status = -8;

/// A file cannot be opened or read, or it is damaged.
pub const IRISCAN_ERR_IO: iriscan_status = -9;
/// A document is of a kind that cannot be read, or not be rewritten; iriscan_last_error says what can be done.
pub const IRISCAN_ERR_UNSUPPORTED: iriscan_status = -10;

/// Why a function fails.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) status: iriscan_status,
    message: String,
}

impl Error {
    #[cold]
    pub(crate) fn new(status: iriscan_status, message: impl Display) -> Error {
        Error { status, message: message.to_string() }
    }

    /// The argument `name` is NULL.
    #[cold]
    pub(crate) fn null(name: &str) -> Error {
        Error::new(IRISCAN_ERR_NULL, format_args!("{name} is NULL"))
    }

    /// Keeps the message for `iriscan_last_error` of this thread.
    #[cold]
    pub(crate) fn keep(self) -> iriscan_status {
        keep(self.message);
        self.status
    }
}

/// Keeps the message of a call that succeeds.
#[cold]
pub(crate) fn note(message: impl Display) {
    keep(message.to_string());
}

/// No message is kept any more.
pub(crate) fn forget() {
    keep(String::new());
}

fn keep(message: String) {
    let mut message = message.into_bytes();
    // A NUL would end the message.
    message.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b'?');
    let message = CString::new(message).unwrap_or_default();
    // At the end of a thread there is nobody left to ask.
    let _ = LAST.try_with(|last| last.replace(message));
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs `work` for a function that returns a status.
pub(crate) fn status(work: impl FnOnce() -> Result<iriscan_status, Error>) -> iriscan_status {
    value(work).unwrap_or_else(|status| status)
}

/// Runs `work` for a function that returns something else. An error is kept for
/// `iriscan_last_error`, and a panic becomes an error.
pub(crate) fn value<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, iriscan_status> {
    // What a panic may leave half done can only be freed: `handle::Exclusive`.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(error.keep()),
        Err(panic) => Err(caught(&*panic).keep()),
    }
}

#[cold]
fn caught(panic: &(dyn Any + Send)) -> Error {
    let said = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(said), _) => said,
        (_, Some(said)) => said.as_str(),
        _ => "no message",
    };
    Error::new(IRISCAN_ERR_PANIC, format_args!("a defect of iriscan, please report it: {said}"))
}

/// Returns what the last call of this thread that failed has to say; "" if none failed.
///
/// The message is for people: it names the argument or option, and the values that exist. A call
/// that succeeds does not change it, so ask only after a failure, or after iriscan_finder_new with
/// `hosts_from`.
///
/// The string is UTF-8 and belongs to the library. It is valid until the next call of this thread
/// into the library. Never NULL. Each thread has a message of its own.
#[unsafe(no_mangle)]
pub extern "C" fn iriscan_last_error() -> *const c_char {
    LAST.try_with(|last| last.try_borrow().map_or(c"".as_ptr(), |last| last.as_ptr()))
        .unwrap_or(c"".as_ptr())
}

/// Returns the version of the library that runs, for example "0.1.0". IRISCAN_VERSION is the one
/// that the program was compiled with.
///
/// The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn iriscan_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last() -> String {
        // SAFETY: the string is valid until the next call, and it is copied before that.
        unsafe { CStr::from_ptr(iriscan_last_error()) }.to_string_lossy().into_owned()
    }

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(status(|| panic!("at {}", 7)), IRISCAN_ERR_PANIC);
        assert!(last().ends_with("please report it: at 7"), "{}", last());
        assert_eq!(status(|| std::panic::panic_any(7)), IRISCAN_ERR_PANIC);
        assert!(last().ends_with("no message"), "{}", last());
    }

    #[test]
    fn a_message_ends_at_no_nul() {
        assert_eq!(status(|| Err(Error::new(IRISCAN_ERR_OPTION, "a\0b"))), IRISCAN_ERR_OPTION);
        assert_eq!(last(), "a?b");
        // Another thread has a message of its own.
        assert_eq!(std::thread::spawn(last).join().unwrap(), "");
    }
}
