//! With `--cfg iriscan_strings` there is no document to read; see `paged.rs`.

use alloc::sync::Arc;
use core::{convert::Infallible, marker::PhantomData};

use crate::{
    charset::{Charset, detect::Basis},
    engine::rules::Rules,
    format::kinds::Format,
    links::matched::Match,
};

/// A document that cannot be.
#[derive(Clone, Debug)]
pub(super) struct Paged<'h>(Infallible, PhantomData<&'h ()>);

impl<'h> Paged<'h> {
    pub(super) fn new(_: &Arc<Rules>, _: Format, _: Option<Charset>) -> Paged<'h> {
        unreachable!("a finder should be for text")
    }

    pub(super) fn charset(&self) -> (Charset, Basis) {
        match self.0 {}
    }

    pub(super) fn overlong(&self) -> u64 {
        match self.0 {}
    }

    pub(super) fn next(&mut self, _: &'h [u8]) -> Option<Match<'h>> {
        match self.0 {}
    }
}
