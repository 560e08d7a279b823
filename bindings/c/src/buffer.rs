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
    done: Done,
}

/// What rewriting did, in links and characters.
#[derive(Clone, Copy, Default)]
pub(crate) struct Done {
    pub(crate) changed: u64,
    pub(crate) unconvertible: u64,
    pub(crate) lost: u64,
    pub(crate) early: u64,
}

impl Done {
    pub(crate) fn of(done: &iriscan::Rewritten) -> Done {
        Done {
            changed: done.changed,
            unconvertible: done.unconvertible,
            lost: done.lost,
            early: done.before_charset,
        }
    }
}

held!(iriscan_buffer, "buffer", 1);

/// A buffer for C.
pub(crate) fn give(bytes: Cow<'_, [u8]>, done: Done) -> *mut iriscan_buffer {
    let mut owned = match bytes {
        Cow::Owned(owned) => owned,
        Cow::Borrowed(bytes) => {
            let mut owned = Vec::with_capacity(bytes.len() + 1);
            owned.extend_from_slice(bytes);
            owned
        }
    };
    owned.push(0);
    handle::give(iriscan_buffer { bytes: owned, done })
}

/// A buffer with a string.
pub(crate) fn give_text(text: Cow<'_, str>) -> *mut iriscan_buffer {
    match text {
        Cow::Owned(text) => give(Cow::Owned(text.into_bytes()), Done::default()),
        Cow::Borrowed(text) => give(Cow::Borrowed(text.as_bytes()), Done::default()),
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

/// What rewriting did; nothing, if `buffer` is NULL or was freed.
///
/// # Safety
///
/// The pointer is as the header says.
unsafe fn done(buffer: *const iriscan_buffer) -> Done {
    // SAFETY: the caller's promise.
    value(|| Ok(unsafe { handle::shared(buffer) }?.done)).unwrap_or_default()
}

/// Returns how many links iriscan_rewrite or iriscan_mail_rewrite replaced. If it is 0, the bytes
/// are those of the input. 0 also for buffers of other functions, and if `buffer` is NULL or was freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_buffer_changed(buffer: *const iriscan_buffer) -> u64 {
    // SAFETY: the header says what the pointers are.
    unsafe { done(buffer) }.changed
}

/// Returns how many links should have been replaced and stay: they have no URI form, or lack a field
/// that the template needs, or the new text cannot be in their place. 0 as for
/// iriscan_buffer_changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_buffer_unconvertible(buffer: *const iriscan_buffer) -> u64 {
    // SAFETY: the header says what the pointers are.
    unsafe { done(buffer) }.unconvertible
}

/// Returns how many characters of new text are written as `?`, because the charset has neither them
/// nor has the format an escape. 0 as for iriscan_buffer_changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_buffer_lost(buffer: *const iriscan_buffer) -> u64 {
    // SAFETY: the header says what the pointers are.
    unsafe { done(buffer) }.lost
}

/// Returns how many links were written as IRIs in UTF-8 before the charset was known (`to` is "iri" and
/// `charset` is not given). If the document is in another one, they are wrong: give the charset. 0 as
/// for iriscan_buffer_changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_buffer_early(buffer: *const iriscan_buffer) -> u64 {
    // SAFETY: the header says what the pointers are.
    unsafe { done(buffer) }.early
}

/// Frees a buffer. NULL is allowed. A buffer that was freed already stays so, and
/// iriscan_last_error says it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_buffer_free(buffer: *mut iriscan_buffer) {
    // SAFETY: the header says what the pointers are.
    let _ = value(|| unsafe { handle::free(buffer) });
}
