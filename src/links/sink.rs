//! Where text and links go.

use super::matched::Match;
use crate::charset::{Charset, detect::Basis};

/// Takes what a [`Scanner`](crate::api::scanner::Scanner) finds, in the order of the stream.
///
/// Text and the sources of the links, one after the other, are the stream, byte
/// for byte. Text comes in pieces whose borders mean nothing, except that none
/// lies inside a character.
pub trait Sink {
    /// Why the sink can fail. Nothing else can.
    type Error;

    /// The charset the stream is read in, and why. Called once, as soon as the
    /// bytes tell; what came before reads alike in this charset and in ASCII
    /// (but see [`Positions::decide`](crate::api::positions::Positions::decide) for UTF-16 and
    /// UTF-32 without a byte order mark).
    ///
    /// # Errors
    ///
    /// What the sink cannot do with it.
    fn charset(&mut self, charset: Charset, basis: Basis) -> Result<(), Self::Error> {
        let _ = (charset, basis);
        Ok(())
    }

    /// Bytes that belong to no link; never empty.
    ///
    /// # Errors
    ///
    /// What the sink cannot do with them.
    fn text(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// A link.
    ///
    /// # Errors
    ///
    /// What the sink cannot do with it.
    fn matched(&mut self, link: &Match<'_>) -> Result<(), Self::Error>;

    /// The end of the stream.
    ///
    /// # Errors
    ///
    /// What the sink cannot do at the end.
    fn finish(&mut self, summary: &Summary) -> Result<(), Self::Error> {
        let _ = summary;
        Ok(())
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    type Error = S::Error;

    fn charset(&mut self, charset: Charset, basis: Basis) -> Result<(), Self::Error> {
        (**self).charset(charset, basis)
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        (**self).text(bytes)
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<(), Self::Error> {
        (**self).matched(link)
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Self::Error> {
        (**self).finish(summary)
    }
}

/// A sink of any kind: what scans is compiled once, not once for each kind there is.
pub(crate) type AnySink<'s> = dyn Sink<Error = Failed> + 's;

/// The sink could not take it, and knows why.
#[derive(Debug)]
pub(crate) struct Failed;

/// Scans into `sink` behind one face for all kinds.
pub(crate) fn erased<S: Sink, T>(
    sink: &mut S,
    scan: impl FnOnce(&mut AnySink<'_>) -> Result<T, Failed>,
) -> Result<T, S::Error> {
    let mut erased = Erased { sink, error: None };
    scan(&mut erased).map_err(|Failed| erased.error.expect("the sink should have failed"))
}

struct Erased<'s, S: Sink> {
    sink: &'s mut S,
    error: Option<S::Error>,
}

impl<S: Sink> Erased<'_, S> {
    fn keep(&mut self, result: Result<(), S::Error>) -> Result<(), Failed> {
        result.map_err(|e| {
            self.error = Some(e);
            Failed
        })
    }
}

impl<S: Sink> Sink for Erased<'_, S> {
    type Error = Failed;

    fn charset(&mut self, charset: Charset, basis: Basis) -> Result<(), Failed> {
        let result = self.sink.charset(charset, basis);
        self.keep(result)
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Failed> {
        let result = self.sink.text(bytes);
        self.keep(result)
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<(), Failed> {
        let result = self.sink.matched(link);
        self.keep(result)
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Failed> {
        let result = self.sink.finish(summary);
        self.keep(result)
    }
}

/// What a whole stream was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Length of the stream.
    pub bytes: u64,
    /// Links found.
    pub links: u64,
    /// Links that are none for their length ([`Config::max_len`](crate::api::config::Config::max_len)):
    /// they are text.
    pub overlong: u64,
    /// The charset the stream was read in.
    pub charset: Charset,
    /// Why in that charset.
    pub basis: Basis,
}
