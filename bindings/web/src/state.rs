//! The buffers, and the objects that JavaScript knows by numbers.

use std::cell::RefCell;

use iriscan::{Finder, Viewer};
#[cfg(not(iriscan_strings))]
use iriscan::{Rewriter, Scanner};

use crate::FAILED;

/// The object that JavaScript knows by a number.
pub(crate) enum Handle {
    Finder(Box<Searcher>),
    #[cfg(not(iriscan_strings))]
    Rewriter(Box<(Option<Scanner>, Rewriter<Vec<u8>>)>),
}

/// A finder, and what its configuration says that is asked for at each search.
pub(crate) struct Searcher {
    pub(crate) finder: Finder,
    /// `open` of a wrapper is the link inside.
    pub(crate) unwraps: bool,
    pub(crate) viewer: Viewer,
}

#[derive(Default)]
pub(crate) struct State {
    input: Vec<u8>,
    output: Vec<u8>,
    /// The address of the output and its length, as JavaScript reads them.
    view: [u32; 2],
    /// A number is an index into this.
    handles: Vec<Option<Handle>>,
    free: Vec<u32>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Runs `work` on the state. A module has one thread.
pub(crate) fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(|state| {
        let result = work(state);
        state.view = [state.output.as_ptr().addr() as u32, state.output.len() as u32];
        result
    })
}

impl State {
    /// The address of the input, which has room for `len` bytes.
    pub(crate) fn input(&mut self, len: usize) -> *mut u8 {
        if self.input.len() < len {
            self.input.resize(len, 0);
        }
        self.input.as_mut_ptr()
    }

    /// Where [`State::view`] is.
    pub(crate) fn view(&self) -> *const u32 {
        self.view.as_ptr()
    }

    /// The first `len` bytes of the input.
    pub(crate) fn given(&self, len: u32) -> &[u8] {
        let len = self.input.len().min(len as usize);
        &self.input[..len]
    }

    /// Makes the output what `write` writes.
    pub(crate) fn put<T>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        self.output.clear();
        write(&mut self.output)
    }

    pub(crate) fn add(&mut self, handle: Handle) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.handles[number as usize] = Some(handle);
                number
            }
            None => {
                self.handles.push(Some(handle));
                self.handles.len() as u32 - 1
            }
        }
    }

    pub(crate) fn remove(&mut self, number: u32) {
        if self.handles.get_mut(number as usize).and_then(Option::take).is_some() {
            self.free.push(number);
        }
    }

    #[cfg(not(iriscan_strings))]
    pub(crate) fn finder(&self, number: u32) -> Option<&Finder> {
        match self.handles.get(number as usize) {
            Some(Some(Handle::Finder(searcher))) => Some(&searcher.finder),
            _ => None,
        }
    }

    /// Runs `work` on a searcher, the first `len` bytes of the input, and the output, which is empty.
    pub(crate) fn search(
        &mut self,
        number: u32,
        len: u32,
        work: impl FnOnce(&mut Searcher, &[u8], &mut Vec<u8>) -> u32,
    ) -> u32 {
        self.output.clear();
        let Some(Some(Handle::Finder(searcher))) = self.handles.get_mut(number as usize) else {
            return self.closed();
        };
        let len = self.input.len().min(len as usize);
        work(searcher, &self.input[..len], &mut self.output)
    }

    /// As [`State::search`], on a rewriter.
    #[cfg(not(iriscan_strings))]
    pub(crate) fn stream(
        &mut self,
        number: u32,
        len: u32,
        work: impl FnOnce(&mut Option<Scanner>, &mut Rewriter<Vec<u8>>, &[u8], &mut Vec<u8>) -> u32,
    ) -> u32 {
        self.output.clear();
        let Some(Some(Handle::Rewriter(parts))) = self.handles.get_mut(number as usize) else {
            return self.closed();
        };
        let len = self.input.len().min(len as usize);
        work(&mut parts.0, &mut parts.1, &self.input[..len], &mut self.output)
    }

    fn closed(&mut self) -> u32 {
        self.output.extend_from_slice(b"it is closed");
        FAILED
    }
}
