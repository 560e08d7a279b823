//! Bytes that a function returns.

use std::{borrow::Cow, ffi::c_void, ptr};

use crate::{
    handle::{self, held},
    status::{Error, value},
};

/// Bytes that a function made. They stay as they are until iriscan_buffer_free; any number of threads
/// may read them.
pub struct iriscan_buffer {
    /// With a NUL after them.
    bytes: Vec<u8>,
    changed: u64,
}

held!(iriscan_buffer, "buffer", 1);

/// A buffer for C. `changed`: how many links were replaced in it.
pub(crate) fn give(bytes: Cow<'_, [u8]>, changed: u64) -> *mut iriscan_buffer {
    let mut owned = match bytes {
        Cow::Owned(owned) => owned,
        Cow::Borrowed(bytes) => {
            let mut owned = Vec::with_capacity(bytes.len() + 1);
            owned.extend_from_slice(bytes);
            owned
        }
    };
    owned.push(0);
    handle::give(iriscan_buffer { bytes: owned, changed })
}

/// A buffer with a string.
pub(crate) fn give_text(text: Cow<'_, str>) -> *mut iriscan_buffer {
    match text {
        Cow::Owned(text) => give(Cow::Owned(text.into_bytes()), 0),
        Cow::Borrowed(text) => give(Cow::Borrowed(text.as_bytes()), 0),
    }
}

/// Returns the bytes of a buffer. After the last one is a NUL that does not count, so that text in
/// UTF-8 is a string of C. NULL if `buffer` is NULL or was freed.
///
/// The bytes belong to the buffer and are valid until it is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_buffer_data(buffer: *const iriscan_buffer) -> *const c_void {
    // SAFETY: the header says what the pointers are.
    let data = value(|| Ok::<_, Error>(unsafe { handle::shared(buffer) }?.bytes.as_ptr().cast()));
    data.unwrap_or(ptr::null())
}

/// Returns how many bytes a buffer has, without the NUL; 0 if `buffer` is NULL or was freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_buffer_size(buffer: *const iriscan_buffer) -> usize {
    // SAFETY: the header says what the pointers are.
    value(|| Ok(unsafe { handle::shared(buffer) }?.bytes.len() - 1)).unwrap_or(0)
}

/// Returns how many links iriscan_rewrite or iriscan_mail_rewrite replaced. If it is 0, the bytes
/// are those of the input. 0 also for buffers of other functions, and if `buffer` is NULL or was freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_buffer_changed(buffer: *const iriscan_buffer) -> u64 {
    // SAFETY: the header says what the pointers are.
    value(|| Ok(unsafe { handle::shared(buffer) }?.changed)).unwrap_or(0)
}

/// Frees a buffer. NULL is allowed. A buffer that was freed already stays so, and
/// iriscan_last_error says it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_buffer_free(buffer: *mut iriscan_buffer) {
    // SAFETY: the header says what the pointers are.
    let _ = value(|| unsafe { handle::free(buffer) });
}
