//! Streams: bytes come in chunks, text and links go to callbacks.

use std::{
    ffi::{c_int, c_void},
    mem::size_of,
    ops::ControlFlow,
};

use iriscan::{Basis, Charset, Match, Scanner, Sink};

use crate::{
    finder::iriscan_finder,
    handle::{self, held},
    input,
    link::{Counter, iriscan_link},
    options::check_size,
    status::{
        Error, IRISCAN_ERR_STATE, IRISCAN_OK, IRISCAN_STOPPED, iriscan_status, status, value,
    },
};

/// Scans one stream of bytes, which comes in chunks. One thread at a time.
///
/// How the stream is cut into chunks never changes the links. At most `max_len` and the 64 KiB that
/// decide on a charset are held back; eight times that in formats other than text.
pub struct iriscan_scanner {
    /// `None` after the end.
    scanner: Option<Scanner>,
    stopped: bool,
    counter: Counter,
}

held!(iriscan_scanner, "scanner", 5);

/// What takes the text and the links of a stream: `iriscan_sink sink = {sizeof sink, user, text, link};`
///
/// Text, and the `source` of each link, one after the other, are the stream, byte for byte. Callbacks
/// run in the thread of iriscan_scanner_push or iriscan_scanner_finish, before it returns. A callback
/// returns 0 to go on; any other number stops the scan. It must return: no longjmp, no C++
/// exception. It may use other objects of the library, but not this scanner.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct iriscan_sink {
    /// sizeof(iriscan_sink).
    pub size: usize,
    /// The first argument of the callbacks; may be NULL.
    pub user: *mut c_void,
    /// Takes bytes that belong to no link, valid until it returns; at least one. One text may come in
    /// several pieces, but no character is cut. NULL: text is not wanted.
    pub text:
        Option<unsafe extern "C" fn(user: *mut c_void, data: *const c_void, size: usize) -> c_int>,
    /// Takes a link, valid until it returns. NULL: links are not wanted. With the option "nested", links in
    /// queries are not among them, because their bytes belong to the link around them: iriscan_find and
    /// iriscan_iter_next have them.
    pub link: Option<unsafe extern "C" fn(user: *mut c_void, link: *const iriscan_link) -> c_int>,
}

/// Makes a scanner for one stream.
///
/// - finder: the options; not needed after the call
///
/// - out: receives the scanner, to be freed by iriscan_scanner_free; NULL on errors: IRISCAN_ERR_NULL,
///   IRISCAN_ERR_STATE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_scanner_new(
    finder: *const iriscan_finder,
    out: *mut *mut iriscan_scanner,
) -> iriscan_status {
    status(|| {
        // SAFETY: the header says what the pointers are.
        unsafe { input::clear(out) }?;
        // SAFETY: as above.
        let finder = unsafe { handle::shared(finder) }?;
        let scanner = iriscan_scanner {
            scanner: Some(finder.finder.scanner()),
            stopped: false,
            counter: Counter::new(finder.units),
        };
        // SAFETY: `out` was written to before.
        unsafe { out.write(handle::give(scanner)) };
        Ok(IRISCAN_OK)
    })
}

/// Scans the next bytes of the stream. Text and links that are settled go to the callbacks.
///
/// - data, size: the next bytes; not needed after the call. NULL is allowed if `size` is 0.
/// - sink: the callbacks; each call may have others
///
/// Returns IRISCAN_OK; IRISCAN_STOPPED if a callback stopped the scan, after which the scanner can
/// only be freed; or an error: IRISCAN_ERR_NULL, IRISCAN_ERR_SIZE, IRISCAN_ERR_RANGE, and IRISCAN_ERR_STATE for a
/// scanner that was stopped, has finished or was freed, or whose callback this is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_scanner_push(
    scanner: *mut iriscan_scanner,
    data: *const c_void,
    size: usize,
    sink: *const iriscan_sink,
) -> iriscan_status {
    status(|| {
        // SAFETY: the header says what the pointers are.
        let (mut scanner, data, sink) = unsafe {
            (handle::exclusive(scanner)?, input::bytes("data", data, size)?, read(sink)?)
        };
        let this = &mut *scanner;
        let mut calls = Calls { sink, counter: &mut this.counter };
        match this.scanner.as_mut().filter(|_| !this.stopped) {
            Some(scanner) => match scanner.push(data, &mut calls) {
                Ok(()) => Ok(IRISCAN_OK),
                Err(Stopped) => {
                    this.stopped = true;
                    Ok(IRISCAN_STOPPED)
                }
            },
            None => Err(over(this.stopped)),
        }
    })
}

/// Ends the stream. The rest of it goes to the callbacks.
///
/// Returns what iriscan_scanner_push returns. After it the scanner can only be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_scanner_finish(
    scanner: *mut iriscan_scanner,
    sink: *const iriscan_sink,
) -> iriscan_status {
    status(|| {
        // SAFETY: the header says what the pointers are.
        let (mut scanner, sink) = unsafe { (handle::exclusive(scanner)?, read(sink)?) };
        let this = &mut *scanner;
        let mut calls = Calls { sink, counter: &mut this.counter };
        match this.scanner.take().filter(|_| !this.stopped) {
            Some(scanner) => match scanner.finish(&mut calls) {
                Ok(_) => Ok(IRISCAN_OK),
                Err(Stopped) => {
                    this.stopped = true;
                    Ok(IRISCAN_STOPPED)
                }
            },
            None => Err(over(this.stopped)),
        }
    })
}

/// Frees a scanner, at any time but in its own callbacks. NULL is allowed. A scanner that was freed
/// already stays so, and iriscan_last_error says it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_scanner_free(scanner: *mut iriscan_scanner) {
    // SAFETY: the header says what the pointers are.
    let _ = value(|| unsafe { handle::free(scanner) });
}

#[cold]
fn over(stopped: bool) -> Error {
    let why = if stopped { "was stopped by a callback" } else { "has finished" };
    Error::new(IRISCAN_ERR_STATE, format_args!("scanner {why}; make another one"))
}

/// The callbacks of the caller.
///
/// # Safety
///
/// `sink` is NULL, or starts with its size and has so many bytes.
unsafe fn read(sink: *const iriscan_sink) -> Result<iriscan_sink, Error> {
    if sink.is_null() {
        return Err(Error::null("sink"));
    }
    // SAFETY: the caller's promise.
    unsafe { check_size("iriscan_sink", sink, size_of::<iriscan_sink>()) }?;
    // SAFETY: it has at least the size of the struct.
    Ok(unsafe { sink.read_unaligned() })
}

/// A callback returned a number that is not zero.
struct Stopped;

/// Calls the callbacks.
struct Calls<'a> {
    sink: iriscan_sink,
    counter: &'a mut Counter,
}

fn go_on(answer: c_int) -> Result<(), Stopped> {
    if answer == 0 { Ok(()) } else { Err(Stopped) }
}

impl Sink for Calls<'_> {
    type Error = Stopped;

    fn charset(&mut self, charset: Charset, _: Basis) -> Result<(), Stopped> {
        self.counter.decide(charset);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        self.counter.advance(bytes);
        let Some(text) = self.sink.text else { return Ok(()) };
        // SAFETY: the caller gave the function for this.
        go_on(unsafe { text(self.sink.user, bytes.as_ptr().cast(), bytes.len()) })
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Stopped> {
        let spot = self.counter.next(link);
        let Some(call) = self.sink.link else {
            return Ok(ControlFlow::Continue(()));
        };
        let link = iriscan_link::new(link.to_link(), spot);
        // SAFETY: the caller gave the function for this.
        go_on(unsafe { call(self.sink.user, &raw const link) }).map(ControlFlow::Continue)
    }
}
