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
    link::{Counter, Maker, iriscan_link},
    status::{Error, status, value},
};

/// Goes over the links of some bytes. One thread at a time.
pub struct iriscan_iter {
    data: &'static [u8],
    links: FindIter<'static>,
    counter: Counter,
    maker: Maker,
}

held!(iriscan_iter, "iter", 4);

/// Makes an iterator over the links of the bytes. It reads on only when the next link is asked for.
///
/// - finder: the options; not needed after the call
/// - data, size: the bytes. They stay the caller's, and must neither move nor change until
///   iriscan_iter_free.
///
/// Returns the iterator, to be freed by iriscan_iter_free; NULL on errors: those of iriscan_find,
/// and iriscan_last_error has the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_iter_new(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
) -> *mut iriscan_iter {
    let iter = value(|| {
        // SAFETY: the header says what the pointers are.
        let finder = unsafe { handle::shared(finder) }?;
        // SAFETY: the caller keeps the bytes until the iterator is freed.
        let data: &'static [u8] = unsafe { input::bytes("data", data, size) }?;
        let links = finder.finder.find_iter(data);
        let counter = Counter::new(finder.units);
        Ok(handle::give(iriscan_iter { data, links, counter, maker: Maker::default() }))
    });
    iter.unwrap_or(ptr::null_mut())
}

/// Goes to the next link.
///
/// - out: receives the link, which is valid until the next call with this iterator; NULL at the end
///   and on errors
///
/// Returns 1 for a link, 0 at the end, as often as it is called there, or a negative status:
/// IRISCAN_NULL, IRISCAN_STATE.
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
        let Some(link) = iter.links.next() else { return Ok(0) };
        iter.counter.learn(iter.links.charset());
        let spot = iter.counter.find(&link, iter.data);
        // SAFETY: as above.
        unsafe { out.write(iter.maker.one(&link, &spot)) };
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
