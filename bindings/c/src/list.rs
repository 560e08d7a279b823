//! Lists of links, and the functions that find all links of some bytes or the one at an offset.

use std::{
    ffi::{c_int, c_void},
    ptr,
    sync::OnceLock,
};

use iriscan::{FindIter, Link, Match, mail::Headers};

use crate::{
    finder::{self, iriscan_finder},
    handle::{self, Slot, held},
    input,
    link::{Counter, Maker, Spot, Units, iriscan_link},
    status::{Error, IRISCAN_RANGE, iriscan_status, status, value},
};

/// Links that were found, in order of their start. A list never changes: any number of threads may
/// read it.
pub struct iriscan_links {
    found: Vec<(Link, Spot)>,
    /// The message that they are in.
    message: Option<Box<Headers>>,
    /// The links for C, made when the first one is asked for: finding alone is several times
    /// faster than converting.
    made: OnceLock<Maker>,
}

held!(iriscan_links, "links", 3);

/// The list without links, of which one is enough.
static EMPTY: Slot<iriscan_links> =
    Slot::fixed(iriscan_links { found: Vec::new(), message: None, made: OnceLock::new() });

/// A list for C.
pub(crate) fn give(found: Vec<(Link, Spot)>) -> *mut iriscan_links {
    give_of(found, || None)
}

/// A list for C of the links of a message, which is asked for only if there are links.
pub(crate) fn give_of(
    found: Vec<(Link, Spot)>,
    message: impl FnOnce() -> Option<Headers>,
) -> *mut iriscan_links {
    match found.is_empty() {
        true => EMPTY.as_ptr(),
        false => {
            let message = message().map(Box::new);
            handle::give(iriscan_links { found, message, made: OnceLock::new() })
        }
    }
}

/// The first link and those that follow it.
#[inline(never)]
fn all<'h>(
    first: Match<'h>,
    mut links: FindIter<'h>,
    units: Units,
    data: &[u8],
) -> Vec<(Link, Spot)> {
    let (mut counter, mut found) = (Counter::new(units), Vec::new());
    let mut next = Some(first);
    while let Some(link) = next {
        counter.learn(links.charset());
        let spot = counter.find(&link, data);
        found.push((link.to_link(), spot));
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
/// Errors: IRISCAN_NULL, IRISCAN_STATE, IRISCAN_RANGE. Bytes are never an error, malformed ones
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
        Ok(give(found))
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
/// The other arguments and errors are those of iriscan_find; IRISCAN_RANGE also if `offset` is more
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
            return Err(Error::new(IRISCAN_RANGE, message));
        }
        let link = finder.finder.find_at(data, offset);
        let found = link.map(|link| {
            let mut counter = Counter::new(finder.units);
            counter.decide(link.charset());
            let spot = counter.find(&link, data);
            (link.to_link(), spot)
        });
        Ok(give(found.into_iter().collect()))
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
/// The link belongs to the list and is valid until the list is freed. The first call for a list
/// computes the strings of all its links, URIs included; several threads may do it at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_links_get(
    links: *const iriscan_links,
    index: usize,
) -> *const iriscan_link {
    let link = value(|| {
        // SAFETY: the header says what the pointers are.
        let links = unsafe { handle::shared(links) }?;
        if index >= links.found.len() {
            return Ok(ptr::null());
        }
        let make = || Maker::all(&links.found, links.message.as_deref());
        Ok(&raw const links.made.get_or_init(make).links()[index])
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
