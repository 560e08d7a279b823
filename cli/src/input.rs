//! Inputs and what can go wrong with them.

use std::{
    fmt,
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use iriscan::{Finder, Sink, Summary};

/// What ends a command, or an input.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Standard output cannot be written: nothing more can be done.
    Output(io::Error),
    /// The rules cannot be.
    Config(iriscan::ConfigError),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Output(e) => {
                write!(f, "standard output: {}; the output is incomplete", plain(e))
            }
            Trouble::Config(e) => write!(f, "{e}"),
        }
    }
}

/// Says `message` on standard error, in one piece. Nobody listening there is no
/// reason to stop, so not `eprintln!`, which panics then.
pub(crate) fn say(message: impl fmt::Display) {
    let _ = io::stderr().write_all(format!("iriscan: {message}\n").as_bytes());
}

/// The name of an input in messages and records.
pub(crate) fn name(path: &Path) -> std::borrow::Cow<'_, str> {
    path.to_string_lossy()
}

/// An error of the system without Rust's `(os error 2)`.
fn plain(e: &io::Error) -> String {
    let text = e.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

/// Scans the input at `path` into `sink`, which writes to standard output.
///
/// `Ok(None)`: the input could not be read to its end; the user was told.
pub(crate) fn scan<S: Sink<Error = io::Error>>(
    finder: &Finder,
    path: &Path,
    sink: &mut S,
    before_read: impl FnMut(&mut S) -> io::Result<()>,
) -> Result<Option<Summary>, Trouble> {
    let opened: io::Result<Box<dyn Read>> = if path == Path::new("-") {
        Ok(Box::new(io::stdin().lock()))
    } else {
        File::open(path).map(|file| Box::new(file) as Box<dyn Read>)
    };
    let reader = match opened {
        Ok(reader) => reader,
        Err(e) => {
            complain(path, &e);
            return Ok(None);
        }
    };
    let mut source = Source { reader, failed: false };
    match finder.scan(&mut source, sink, before_read) {
        Ok(summary) => Ok(Some(summary)),
        Err(e) if source.failed => {
            complain(path, &e);
            Ok(None)
        }
        Err(e) => Err(Trouble::Output(e)),
    }
}

fn complain(path: &Path, e: &io::Error) {
    let advice = match e.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "make it readable",
        io::ErrorKind::IsADirectory => "name the files in it",
        _ => "what could be read was used",
    };
    say(format_args!("{}: {}; {advice}", name(path), plain(e)));
}

/// Tells errors of the input from those of the output.
struct Source {
    reader: Box<dyn Read>,
    failed: bool,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.reader.read(buffer);
        self.failed = matches!(&result, Err(e) if e.kind() != io::ErrorKind::Interrupted);
        result
    }
}

/// With `-v`, or when a guess is going to change bytes: the charset, and why.
pub(crate) fn report_charset(path: &Path, summary: &Summary) {
    say(format_args!(
        "{}: charset {} {}; format text",
        name(path),
        summary.charset,
        summary.basis.as_str()
    ));
}

/// One line for the links of an input that have no URI form.
pub(crate) fn report_unconvertible(path: &Path, count: u64, verbose: bool) {
    if count > 0 {
        let links = if count == 1 { "1 link has" } else { &format!("{count} links have") };
        let advice = if verbose { "see above" } else { "-v names each" };
        say(format_args!("{}: {links} no URI form and stay as written; {advice}", name(path)));
    }
}

/// With `-v`: a link that has no URI form.
pub(crate) fn report_link(path: &Path, link: &iriscan::Match<'_>, why: &iriscan::UriError) {
    let at = link.span().start;
    say(format_args!("{}: byte {at}: {:?} stays as written: {why}", name(path), link.text()));
}
