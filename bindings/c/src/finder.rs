//! A finder: the options, ready to use.

use std::ffi::c_void;

use iriscan::{Finder, Format, mail};

use crate::{
    handle::{self, held},
    input,
    names::*,
    options::{self, iriscan_options},
    status::{Error, IRISCAN_OK, iriscan_status, status, value},
};

/// Options that were checked, ready to find links.
///
/// A finder never changes: any number of threads may use one at the same time. Make one for each
/// set of options and keep it.
pub struct iriscan_finder {
    pub(crate) finder: Finder,
    /// The format, if the caller named one: files are read in it, whatever their names are.
    pub(crate) format: Option<Format>,
    pub(crate) units: Units,
    pub(crate) mail: mail::Options,
    /// Links that open what one before them opens are left out.
    pub(crate) unique: bool,
}

held!(iriscan_finder, "finder", 2);

/// Runs `work` with a finder and some bytes, and gives what it returns to `out`: the frame of all
/// functions that take a finder, `data`, `size` and `out`.
///
/// # Safety
///
/// The pointers are as the header says.
#[inline(always)]
pub(crate) unsafe fn run<T>(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    out: *mut *mut T,
    work: impl FnOnce(&iriscan_finder, &[u8]) -> Result<*mut T, Error>,
) -> iriscan_status {
    status(|| {
        // SAFETY: the caller's promise.
        unsafe { input::clear(out) }?;
        // SAFETY: as above.
        let (finder, data) =
            unsafe { (handle::shared(finder)?, input::bytes("data", data, size)?) };
        let result = work(finder, data)?;
        // SAFETY: `out` was written to before.
        unsafe { out.write(result) };
        Ok(IRISCAN_OK)
    })
}

/// Makes a finder.
///
/// - options: NULL for the defaults. Nothing of it is needed after the call.
/// - out: receives the finder, to be freed by iriscan_finder_free; NULL on errors
///
/// Errors: IRISCAN_ERR_OPTION for a value that does not exist (iriscan_last_error names those that do),
/// IRISCAN_ERR_SIZE, IRISCAN_ERR_UTF8, IRISCAN_ERR_NULL if `out` is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_finder_new(
    options: *const iriscan_options,
    out: *mut *mut iriscan_finder,
) -> iriscan_status {
    status(|| {
        // SAFETY: the header says what the pointers are.
        unsafe { input::clear(out) }?;
        // SAFETY: as above.
        let options = unsafe { options::read(options) }?;
        // SAFETY: as above.
        let (finder, format) = unsafe { options::finder(&options) }?;
        let flag = |flag| options.flags & flag != 0;
        let units = Units {
            utf16: flag(IRISCAN_FLAG_UTF16),
            chars: flag(IRISCAN_FLAG_CHARS),
            lines: flag(IRISCAN_FLAG_LINES),
        };
        let mail = mail::Options::new().even_signed(flag(IRISCAN_FLAG_EVEN_SIGNED));
        let unique = flag(IRISCAN_FLAG_UNIQUE);
        let finder = iriscan_finder { finder, format, units, mail, unique };
        // SAFETY: `out` was written to before.
        unsafe { out.write(handle::give(finder)) };
        Ok(IRISCAN_OK)
    })
}

/// Frees a finder. NULL is allowed. Lists, iterators and scanners that it made stay valid. A finder
/// that was freed already stays so, and iriscan_last_error says it. No other thread may be using it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_finder_free(finder: *mut iriscan_finder) {
    // SAFETY: the header says what the pointers are.
    let _ = value(|| unsafe { handle::free(finder) });
}
