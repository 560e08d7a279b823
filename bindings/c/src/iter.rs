//! Links one by one, as the caller asks for them.

use std::{
    ffi::{c_int, c_void},
    ptr,
};

use iriscan::FindIter;

use crate::{
    finder::iriscan_finder,
    handle::{self, held},
    input,
    link::{Counter, iriscan_link},
    status::{Error, IRISCAN_OK, iriscan_status, status, value},
};

/// Goes over the links of some bytes. One thread at a time.
pub struct iriscan_iter {
    data: &'static [u8],
    links: FindIter<'static>,
    counter: Counter,
    /// The link that C reads.
    current: Option<Box<iriscan_link>>,
}

held!(iriscan_iter, "iter", 4);

/// Makes an iterator over the links of the bytes. It reads on only when the next link is asked for.
///
/// - finder: the options; not needed after the call
/// - data, size: the bytes. They stay the caller's, and must neither move nor change until
///   iriscan_iter_free.
///
/// - out: receives the iterator, to be freed by iriscan_iter_free; NULL on errors: those of
///   iriscan_find
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_iter_new(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    out: *mut *mut iriscan_iter,
) -> iriscan_status {
    status(|| {
        // SAFETY: the header says what the pointers are.
        unsafe { input::clear(out) }?;
        // SAFETY: as above.
        let finder = unsafe { handle::shared(finder) }?;
        // SAFETY: the caller keeps the bytes until the iterator is freed.
        let data: &'static [u8] = unsafe { input::bytes("data", data, size) }?;
        let links = finder.finder.find_iter(data);
        let counter = Counter::new(finder.units);
        let iter = iriscan_iter { data, links, counter, current: None };
        // SAFETY: `out` was written to before.
        unsafe { out.write(handle::give(iter)) };
        Ok(IRISCAN_OK)
    })
}

/// Goes to the next link.
///
/// - out: receives the link, which is valid until the next call with this iterator; NULL at the end
///   and on errors
///
/// Returns 1 for a link, 0 at the end, as often as it is called there, or a negative status:
/// IRISCAN_ERR_NULL, IRISCAN_ERR_STATE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_iter_next(
    iter: *mut iriscan_iter,
    out: *mut *const iriscan_link,
) -> c_int {
    status(|| {
        if out.is_null() {
            return Err(Error::null("out"));
        }
        // SAFETY: the header says what the pointers are.
        unsafe { out.write(ptr::null()) };
        // SAFETY: as above.
        let mut iter = unsafe { handle::exclusive(iter) }?;
        let iter = &mut *iter;
        iter.current = None;
        let Some(link) = iter.links.next() else { return Ok(0) };
        iter.counter.learn(iter.links.charset());
        let spot = iter.counter.find(&link, iter.data);
        let link = iter.current.insert(Box::new(iriscan_link::new(link.to_link(), spot)));
        // SAFETY: as above.
        unsafe { out.write(ptr::from_ref(&**link)) };
        Ok(1)
    })
}

/// Frees an iterator and its link. NULL is allowed. An iterator that was freed already stays so, and
/// iriscan_last_error says it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_iter_free(iter: *mut iriscan_iter) {
    // SAFETY: the header says what the pointers are.
    let _ = value(|| unsafe { handle::free(iter) });
}
