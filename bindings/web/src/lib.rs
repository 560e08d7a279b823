//! The WebAssembly module of the npm package: iriscan, called by a few functions that take and return numbers.
//!
//! `js/core.js` is the only caller. It copies the input to the address that [`input`] returns, calls
//! a function with the length of the input, and reads the output, whose place is at [`view`]. Text is
//! UTF-8.
//!
//! | file | what |
//! |---|---|
//! | `lib.rs` | the exports of each module |
//! | `documents.rs` | the exports that the module for strings lacks |
//! | `details.rs` | all that is known of links, as JSON |
//! | `reference.rs` | whole references |
//! | `state.rs` | the buffers, and the finders and rewriters with their numbers |
//! | `options.rs` | a finder from words |
//! | `links.rs` | links as a table of numbers |
//! | `json.rs` | writes JSON |
//! | `hosts.rs` | in the module for strings: what JavaScript says of hosts |
//!
//! Three modules are compiled of it. `iriscan.wasm` has all of it. `iriscan-more.wasm` lacks the feature `all`.
//! `iriscan-text.wasm` is compiled with `--cfg iriscan_strings`, and finds links in strings alone.
//!
//! Imports go from the top of this table to the bottom. A panic ends the module; `core.js` then starts
//! a new one and throws an `Error`.

#[cfg(not(iriscan_strings))]
mod details;
#[cfg(not(iriscan_strings))]
mod documents;
#[cfg(iriscan_strings)]
mod hosts;
mod json;
mod links;
mod options;
#[cfg(not(iriscan_strings))]
mod reference;
mod state;

#[cfg(not(iriscan_strings))]
pub use documents::{
    details, details_at, explain, reference, replaced, rewrite, rewriter_new, rewriter_push,
};
use iriscan::Viewer;
use links::Units;
use state::{Handle, Searcher, State, with};

/// What a function returns that found an error; its message is the output.
const FAILED: u32 = u32::MAX;

/// A document is a string, whose offsets count UTF-16 units. Without this flag it is bytes.
const STRING: u32 = 1;
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
    #[cfg(iriscan_strings)]
    iriscan::reference::map_hosts_by(hosts::to_ascii);
    with(|state| match options::finder(state.given(len)) {
        Ok(finder) => {
            let unwraps = finder.config().get_unwrap();
            state.add(Handle::Finder(Box::new(Searcher { finder, unwraps, viewer: Viewer::new() })))
        }
        Err(message) => fail(state, &message),
    })
}

/// Returns which signs a link of this finder may have, beside a colon: 1 for a dot, 2 for an `@`, 4 for any.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn signs(number: u32) -> u32 {
    with(|state| {
        state.search(number, 0, |searcher, _, _| options::signs(&searcher.finder.config()))
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

/// Finds the links in `len` bytes of input. The output is a table; see [`links`]. Returns how many links there are.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn find(number: u32, len: u32, flags: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, out| {
            links::table(searcher, bytes, Units::of(flags), out)
        })
    })
}

/// Finds the link at `offset`. The output is that of `find` with one link or none.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn find_at(number: u32, len: u32, flags: u32, offset: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, out| {
            links::at(searcher, bytes, Units::of(flags), offset as usize, out)
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
