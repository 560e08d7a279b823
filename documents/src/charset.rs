//! The charset of a document, before it is read.
//!
//! In go a file and a finder; out comes the charset that a scan of all of it would decide on. What must
//! hold: the file is where it was.

use std::{
    fs::File,
    io::{self, Seek, SeekFrom},
    ops::ControlFlow,
};

use iriscan::{Basis, Charset, Finder, Match, Sink};

/// Returns the charset of the document in `file`, and how it is known; `None` if it cannot be read.
pub(crate) fn of(finder: &Finder, mut file: &File) -> Option<(Charset, Basis)> {
    let at = file.stream_position().ok()?;
    let mut sink = Decided(None);
    let scanned = file.rewind().and_then(|()| finder.scan(file, &mut sink));
    file.seek(SeekFrom::Start(at)).ok()?;
    match scanned {
        Ok(summary) => Some((summary.charset, summary.basis)),
        Err(_) => sink.0,
    }
}

/// Ends a scan as soon as the charset is decided.
struct Decided(Option<(Charset, Basis)>);

impl Sink for Decided {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, basis: Basis) -> io::Result<()> {
        self.0 = Some((charset, basis));
        Err(io::ErrorKind::Other.into())
    }

    fn text(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn matched(&mut self, _: &Match<'_>) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }
}
