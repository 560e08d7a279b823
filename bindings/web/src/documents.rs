//! The exports that the module for strings lacks: documents, rewriting, and all that is known of links.

use std::io::Write;

use iriscan::Rewriter;

use crate::{
    details as json, fail,
    links::{self, Units},
    reference as whole,
    state::{Handle, with},
};

/// The document is a message.
const MAIL: u32 = 4;
/// Signed messages are rewritten too.
const EVEN_SIGNED: u32 = 8;

/// Finds the links in `len` bytes of input. The output is a JSON array with all that is known of them. Returns how
/// many links there are.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn details(number: u32, len: u32, flags: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, out| {
            let finder = &searcher.finder;
            match flags & MAIL {
                0 => json::json(finder, bytes, Units::of(flags), out),
                _ => json::mail(finder, bytes, out),
            }
        })
    })
}

/// Finds the link at `offset`. The output is that of `details` with one link or none.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn details_at(number: u32, len: u32, flags: u32, offset: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, out| {
            json::at(&searcher.finder, bytes, Units::of(flags), offset as usize, out)
        })
    })
}

/// Writes why each link of the input begins and ends where it does, and why texts that look like links are
/// none, as a JSON array. Returns how many objects it has.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn explain(number: u32, len: u32, flags: u32) -> u32 {
    with(|state| {
        state.search(number, len, |searcher, bytes, out| {
            json::explain(&searcher.finder, bytes, Units::of(flags), out)
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
                return json::rewrite_mail(finder, bytes, flags & EVEN_SIGNED != 0, out);
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
            json::replaced(&searcher.finder, bytes, Units::of(flags), out)
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

/// Works on whole references: `what` is a function of [`whole::run`], and `len` bytes of input
/// its arguments. Returns 0, or an error.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn reference(what: u32, len: u32) -> u32 {
    with(|state| match whole::run(what, state.given(len)) {
        Ok(text) => {
            state.put(|out| out.extend_from_slice(text.as_bytes()));
            0
        }
        Err(message) => fail(state, &message),
    })
}
