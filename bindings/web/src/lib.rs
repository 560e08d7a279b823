//! The WebAssembly module of the npm package: iriscan, called by a few functions that take and return numbers.
//!
//! `js/core.js` is the only caller. It copies the input to the address that [`input`] returns, calls
//! a function with the length of the input, and reads the output, whose place is at [`view`]. Text is
//! UTF-8.
//!
//! | file | what |
//! |---|---|
//! | `lib.rs` | the exports |
//! | `state.rs` | the buffers, and the finders and rewriters with their numbers |
//! | `options.rs` | a finder from words |
//! | `links.rs` | links as a table of numbers and as JSON |
//! | `reference.rs` | whole references |
//! | `json.rs` | writes JSON |
//!
//! Imports go from the top of this table to the bottom. A panic ends the module; `core.js` then starts
//! a new one and throws an `Error`.

mod json;
mod links;
mod options;
mod reference;
mod state;

use std::io::Write;

use iriscan::{Rewriter, Viewer};
use links::Units;
use state::{Handle, Searcher, State, with};

/// What a function returns that found an error; its message is the output.
const FAILED: u32 = u32::MAX;

/// The message for an option or a function that the build for text lacks.
#[cfg(not(feature = "all"))]
const ONLY_TEXT: &str = "this build is for text; import \"iriscan\"";

/// A document is a string, whose offsets count UTF-16 units. Without this flag it is bytes.
const STRING: u32 = 1;
/// `find` and `find_at` give JSON with all that is known of a link.
const DETAILS: u32 = 2;
/// The document is a message.
const MAIL: u32 = 4;
/// Signed messages are rewritten too.
const EVEN_SIGNED: u32 = 8;
/// The string is ASCII.
const ASCII: u32 = 32;

/// Returns the address where the caller writes `len` bytes of input. It stays right until the next
/// call of this function.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn input(len: u32) -> *mut u8 {
    with(|state| state.input(len as usize))
}

/// Returns the address of two numbers: the address of the output of the last function that has some,
/// and its length in bytes. It is always the same.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn view() -> *const u32 {
    with(|state| state.view())
}

/// Makes a finder of the options in `len` bytes of input; see [`options::finder`]. Returns its number.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn finder_new(len: u32) -> u32 {
    with(|state| match options::finder(state.given(len)) {
        Ok(finder) => {
            let unwraps = finder.config().get_unwrap();
            state.add(Handle::Finder(Box::new(Searcher { finder, unwraps, viewer: Viewer::new() })))
        }
        Err(message) => fail(state, &message),
    })
}

/// Frees the finder or rewriter with this number.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn release(number: u32) {
    with(|state| state.remove(number));
}

fn fail(state: &mut State, message: &str) -> u32 {
    state.put(|out| out.extend_from_slice(message.as_bytes()));
    FAILED
}

/// Finds the links in `len` bytes of input. The output is a table, or JSON; see
/// [`links`]. Returns how many links there are.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn find(number: u32, len: u32, flags: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, out| {
            let (finder, units) = (&searcher.finder, Units::of(flags));
            if flags & MAIL != 0 {
                links::mail(finder, bytes, out)
            } else if flags & DETAILS != 0 {
                links::json(finder, bytes, units, out)
            } else {
                links::table(searcher, bytes, units, out)
            }
        })
    })
}

/// Finds the link at `offset`. The output is that of `find` with one link or none.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn find_at(number: u32, len: u32, flags: u32, offset: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, out| {
            let units = Units::of(flags);
            links::at(searcher, bytes, units, offset as usize, flags & DETAILS != 0, out)
        })
    })
}

/// Writes why each link of the input begins and ends where it does, and why texts that look like links are
/// none, as a JSON array. Returns how many objects it has.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn explain(number: u32, len: u32, flags: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, out| {
            links::explain(&searcher.finder, bytes, Units::of(flags), out)
        })
    })
}

/// Returns 1 if the input has a link, else 0.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn has_link(number: u32, len: u32, flags: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, _| {
            searcher.finder.has_link(links::document(bytes, Units::of(flags))).into()
        })
    })
}

/// Counts the links in the input, and makes nothing of them.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn count(number: u32, len: u32, flags: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, _| {
            searcher.finder.find_iter(links::document(bytes, Units::of(flags))).count() as u32
        })
    })
}

/// Rewrites the input. Returns how many links are replaced; if that is 0, there is no output,
/// because the input stays as it is.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn rewrite(number: u32, len: u32, flags: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, out| {
            let finder = &searcher.finder;
            if flags & MAIL != 0 {
                return links::rewrite_mail(finder, bytes, flags & EVEN_SIGNED != 0, out);
            }
            let (written, done) = finder.rewrite_slice(links::document(bytes, Units::of(flags)));
            if done.changed > 0 {
                out.extend_from_slice(&written);
            }
            done.changed as u32
        })
    })
}

/// Finds what comes in the place of the links in the input, a string. The output is a JSON array
/// with `start`, `end` and `text` of each link that is replaced. Returns how many there are.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn replaced(number: u32, len: u32, flags: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, out| {
            links::replaced(&searcher.finder, bytes, Units::of(flags), out)
        })
    })
}

/// Makes a rewriter of a stream for a finder. Returns its number.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn rewriter_new(number: u32) -> u32 {
    with(|state| match state.finder(number) {
        Some(finder) => {
            let parts = (Some(finder.scanner()), Rewriter::new(Vec::new(), finder));
            state.add(Handle::Rewriter(Box::new(parts)))
        }
        None => fail(state, "this finder is closed"),
    })
}

/// Passes `len` bytes of input to a rewriter, which are its last if `last` is not 0. The output is
/// what is settled. Returns how many links were replaced so far.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn rewriter_push(number: u32, len: u32, last: u32) -> u32 {
    with(|state| {
        state.stream(number, len, |scanner, rewriter, bytes, out| {
            // Writing to a vector cannot fail. After the last bytes nothing more is read.
            if let Some(scanner) = scanner {
                let _ = scanner.push(bytes, rewriter);
            }
            if let Some(scanner) = scanner.take_if(|_| last != 0) {
                let _ = scanner.finish(rewriter);
            }
            let _ = out.write_all(rewriter.get_ref());
            rewriter.get_mut().clear();
            rewriter.changed() as u32
        })
    })
}

/// Works on whole references: `what` is a function of [`reference::run`], and `len` bytes of input
/// its arguments. Returns 0, or an error.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn reference(what: u32, len: u32) -> u32 {
    with(|state| match reference::run(what, state.given(len)) {
        Ok(text) => {
            state.put(|out| out.extend_from_slice(text.as_bytes()));
            0
        }
        Err(message) => fail(state, &message),
    })
}
