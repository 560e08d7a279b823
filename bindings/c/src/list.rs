//! Lists of links, and the functions that find all links of some bytes or the one at an offset.

use std::{
    ffi::{c_int, c_void},
    ptr,
};

use iriscan::{FindIter, Match};

use crate::{
    finder::{self, iriscan_finder},
    handle::{self, Slot, held},
    input,
    link::{self, Counter, iriscan_link},
    names::Units,
    status::{Error, IRISCAN_ERR_RANGE, iriscan_status, status, value},
};

/// Links that were found, in order of their start. A list never changes: any number of threads may
/// read it.
pub struct iriscan_links {
    found: Vec<iriscan_link>,
}

held!(iriscan_links, "links", 3);

/// The list without links, of which one is enough.
static EMPTY: Slot<iriscan_links> = Slot::fixed(iriscan_links { found: Vec::new() });

/// A list for C.
pub(crate) fn give(mut found: Vec<iriscan_link>, finder: &iriscan_finder) -> *mut iriscan_links {
    if finder.unique {
        link::unique(&mut found);
    }
    match found.is_empty() {
        true => EMPTY.as_ptr(),
        false => handle::give(iriscan_links { found }),
    }
}

/// The first link and those that follow it.
#[inline(never)]
fn all<'h>(
    first: Match<'h>,
    mut links: FindIter<'h>,
    units: Units,
    data: &[u8],
) -> Vec<iriscan_link> {
    let (mut counter, mut found) = (Counter::new(units), Vec::new());
    let mut next = Some(first);
    while let Some(link) = next {
        counter.learn(links.charset());
        let spot = counter.find(&link, data);
        found.push(iriscan_link::new(link.to_link(), spot));
        next = links.next();
    }
    found
}

/// Finds all links of the bytes.
///
/// - finder: the options
/// - data, size: the bytes, in the charset of the options. No NUL is needed after them. NULL is
///   allowed if `size` is 0. They are not needed after the call.
/// - out: receives the list, to be freed by iriscan_links_free; NULL on errors. Without links it is
///   an empty list, not NULL.
///
/// Errors: IRISCAN_ERR_NULL, IRISCAN_ERR_STATE, IRISCAN_ERR_RANGE. Bytes are never an error, malformed ones
/// included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_find(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    out: *mut *mut iriscan_links,
) -> iriscan_status {
    let work = |finder: &iriscan_finder, data: &[u8]| {
        let mut links = finder.finder.find_iter(data);
        // Most lines of a chat have no link, so that case does nothing more.
        let found = match links.next() {
            Some(first) => all(first, links, finder.units, data),
            None => Vec::new(),
        };
        Ok(give(found, finder))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { finder::run(finder, data, size, out, work) }
}

/// Finds the link at an offset: the link that iriscan_find finds there, if there is one.
///
/// In plain text only the text near the offset is read, so that this may be called as often as a
/// pointer moves.
///
/// - offset: a byte of `data`, at most `size`. The byte after a link is not part of it.
/// - out: receives a list of one link or none, to be freed by iriscan_links_free; NULL on errors
///
/// The other arguments and errors are those of iriscan_find; IRISCAN_ERR_RANGE also if `offset` is more
/// than `size`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_find_at(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
    offset: usize,
    out: *mut *mut iriscan_links,
) -> iriscan_status {
    let work = |finder: &iriscan_finder, data: &[u8]| {
        if offset > size {
            let message = format_args!("offset is {offset}, after the end of {size} bytes");
            return Err(Error::new(IRISCAN_ERR_RANGE, message));
        }
        let link = finder.finder.find_at(data, offset);
        let found = link.map(|link| {
            let mut counter = Counter::new(finder.units);
            counter.decide(link.charset());
            let spot = counter.find(&link, data);
            iriscan_link::new(link.to_link(), spot)
        });
        Ok(give(found.into_iter().collect(), finder))
    };
    // SAFETY: the header says what the pointers are.
    unsafe { finder::run(finder, data, size, out, work) }
}

/// Returns 1 if the bytes have a link, 0 if not, or a negative status. It stops at the first link.
///
/// The arguments and errors are those of iriscan_find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_has_link(
    finder: *const iriscan_finder,
    data: *const c_void,
    size: usize,
) -> c_int {
    status(|| {
        // SAFETY: the header says what the pointers are.
        let (finder, data) =
            unsafe { (handle::shared(finder)?, input::bytes("data", data, size)?) };
        Ok(i32::from(finder.finder.has_link(data)))
    })
}

/// Returns how many links a list has; 0 if `links` is NULL or was freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_links_count(links: *const iriscan_links) -> usize {
    // SAFETY: the header says what the pointers are.
    value(|| Ok(unsafe { handle::shared(links) }?.found.len())).unwrap_or(0)
}

/// Returns a link of a list; NULL past the end, and if `links` is NULL or was freed.
///
/// - index: from 0
///
/// The link belongs to the list and is valid until the list is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_links_get(
    links: *const iriscan_links,
    index: usize,
) -> *const iriscan_link {
    let link = value(|| {
        // SAFETY: the header says what the pointers are.
        let links = unsafe { handle::shared(links) }?;
        Ok(links.found.get(index).map_or(ptr::null(), ptr::from_ref))
    });
    link.unwrap_or(ptr::null())
}

/// Frees a list and its links. NULL is allowed. A list that was freed already stays so, and
/// iriscan_last_error says it. No other thread may be reading it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_links_free(links: *mut iriscan_links) {
    // The list without links is never freed.
    if !ptr::eq(links, EMPTY.as_ptr()) {
        // SAFETY: the header says what the pointers are.
        let _ = value(|| unsafe { handle::free(links) });
    }
}
