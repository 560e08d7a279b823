//! The sink that takes the text and the links of a stream.

use core::ops::ControlFlow;

use super::matched::Match;
use crate::charset::{Charset, detect::Basis};

/// Takes the text and the links that a [`Scanner`](crate::api::scanner::Scanner) finds, in the
/// order of the stream.
///
/// Text and the sources of the links, one after the other, are the stream, byte for byte.
/// The borders between two pieces of text mean nothing, except that none is inside a
/// character.
///
/// A sink that wants no more links stops the scan with [`ControlFlow::Break`]. An error stops it
/// too.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use iriscan::{Finder, Match, Sink};
///
/// /// Puts each link between brackets.
/// struct Brackets(String);
///
/// impl Sink for Brackets {
///     type Error = std::str::Utf8Error;
///
///     fn text(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
///         self.0.push_str(std::str::from_utf8(bytes)?);
///         Ok(())
///     }
///
///     fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Self::Error> {
///         self.0 += &format!("[{}]", link.iri());
///         Ok(ControlFlow::Continue(()))
///     }
/// }
///
/// let (mut sink, mut scanner) = (Brackets(String::new()), Finder::new().scanner());
/// scanner.push(b"see http://a.ex", &mut sink)?;
/// scanner.push(b"ample/ now", &mut sink)?;
/// scanner.finish(&mut sink)?;
/// assert_eq!(sink.0, "see [http://a.example/] now");
/// # Ok::<(), std::str::Utf8Error>(())
/// ```
pub trait Sink {
    /// The error of the sink. Nothing else in a scan can fail.
    type Error;

    /// Learns the charset that the stream is read in, and why. Called once, as soon as it is
    /// decided. All bytes before that read alike in this charset and in ASCII (but see
    /// [`Positions::decide`](crate::api::positions::Positions::decide) for UTF-16 and UTF-32
    /// without a byte order mark).
    ///
    /// # Errors
    ///
    /// Those of the sink.
    fn charset(&mut self, charset: Charset, basis: Basis) -> Result<(), Self::Error> {
        let _ = (charset, basis);
        Ok(())
    }

    /// Takes bytes that belong to no link; never empty.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    fn text(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Takes a link, and says whether the scan goes on. After [`ControlFlow::Break`] nothing more is
    /// scanned: only [`Sink::finish`] is called yet, when the scanner ends, with
    /// [`Summary::stopped`].
    ///
    /// # Errors
    ///
    /// Those of the sink.
    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Self::Error>;

    /// Takes a link in the query of the link `around`, if [`Config::nested`](crate::Config::nested) asks for these. It
    /// comes after the link that it is in, before any text that follows; if the filter does not choose that one, it
    /// came as text. The bytes of a nested link belong to `around` and come only once.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    fn nested(
        &mut self,
        link: &Match<'_>,
        around: &Match<'_>,
    ) -> Result<ControlFlow<()>, Self::Error> {
        let _ = (link, around);
        Ok(ControlFlow::Continue(()))
    }

    /// Hands on what it holds back, because more of the stream may be long in coming. `Finder::scan`
    /// calls it before each read.
    ///
    /// # Errors
    ///
    /// Those of the sink.
    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Learns that the stream has ended, or that the scan was stopped before
    /// ([`Summary::stopped`]).
    ///
    /// # Errors
    ///
    /// Those of the sink.
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

    fn matched(&mut self, link: &Match<'_>) -> Result<ControlFlow<()>, Self::Error> {
        (**self).matched(link)
    }

    fn nested(
        &mut self,
        link: &Match<'_>,
        around: &Match<'_>,
    ) -> Result<ControlFlow<()>, Self::Error> {
        (**self).nested(link, around)
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        (**self).flush()
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Self::Error> {
        (**self).finish(summary)
    }
}

/// What takes the text and the links of a scan, inside of the library. The methods are those of
/// [`Sink`].
pub(crate) trait Receiver {
    fn charset(&mut self, _charset: Charset, _basis: Basis) -> Result<(), Halt> {
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Halt>;

    fn matched(&mut self, link: &Match<'_>) -> Result<(), Halt>;

    fn nested(&mut self, _link: &Match<'_>, _around: &Match<'_>) -> Result<(), Halt> {
        Ok(())
    }

    fn finish(&mut self, _summary: &Summary) -> Result<(), Halt> {
        Ok(())
    }
}

/// A sink whose type is erased, so that the scanner is not monomorphised for every sink.
pub(crate) type AnySink<'s> = dyn Receiver + 's;

/// Why a scan does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The sink failed; [`erased`] returns its error.
    Failed,
    /// The sink wants no more links.
    Stopped,
}

/// Runs `scan` with the type of `sink` erased, and returns the error of the sink; `None` if the sink
/// stopped the scan.
pub(crate) fn erased<S: Sink, T>(
    sink: &mut S,
    scan: impl FnOnce(&mut AnySink<'_>) -> Result<T, Halt>,
) -> Result<Option<T>, S::Error> {
    let mut erased = Erased { sink, error: None };
    match scan(&mut erased) {
        Ok(done) => Ok(Some(done)),
        Err(Halt::Failed) => Err(erased.error.expect("the sink should have failed")),
        Err(Halt::Stopped) => Ok(None),
    }
}

struct Erased<'s, S: Sink> {
    sink: &'s mut S,
    error: Option<S::Error>,
}

impl<S: Sink> Erased<'_, S> {
    fn keep<T>(&mut self, result: Result<T, S::Error>) -> Result<T, Halt> {
        result.map_err(|e| {
            self.error = Some(e);
            Halt::Failed
        })
    }

    fn goes_on(&mut self, result: Result<ControlFlow<()>, S::Error>) -> Result<(), Halt> {
        match self.keep(result)? {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Halt::Stopped),
        }
    }
}

impl<S: Sink> Receiver for Erased<'_, S> {
    fn charset(&mut self, charset: Charset, basis: Basis) -> Result<(), Halt> {
        let result = self.sink.charset(charset, basis);
        self.keep(result)
    }

    fn text(&mut self, bytes: &[u8]) -> Result<(), Halt> {
        let result = self.sink.text(bytes);
        self.keep(result)
    }

    fn matched(&mut self, link: &Match<'_>) -> Result<(), Halt> {
        let result = self.sink.matched(link);
        self.goes_on(result)
    }

    fn nested(&mut self, link: &Match<'_>, around: &Match<'_>) -> Result<(), Halt> {
        let result = self.sink.nested(link, around);
        self.goes_on(result)
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Halt> {
        let result = self.sink.finish(summary);
        self.keep(result)
    }
}

/// Figures about a stream, at its end.
///
/// ```
/// use iriscan::{Basis, Charset, Finder, Rewriter};
///
/// let finder = Finder::new();
/// let (mut sink, mut scanner) = (Rewriter::new(Vec::new(), &finder), finder.scanner());
/// scanner.push("見よ http://例え.jp/".as_bytes(), &mut sink)?;
/// let summary = scanner.finish(&mut sink)?;
/// assert_eq!((summary.bytes, summary.links, summary.overlong), (24, 1, 0));
/// assert_eq!((summary.charset, summary.basis), (Charset::UTF_8, Basis::Utf8));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Length of the stream, in bytes.
    pub bytes: u64,
    /// Links found.
    pub links: u64,
    /// Candidates that were too long to be links
    /// ([`Config::max_len`](crate::api::config::Config::max_len)); they are text.
    pub overlong: u64,
    /// The charset the stream was read in.
    pub charset: Charset,
    /// Why it was read in that charset.
    pub basis: Basis,
    /// The sink stopped the scan ([`Sink::matched`]) before the end of the stream: the other figures
    /// are those of the part that was scanned.
    pub stopped: bool,
}
