//! What can go wrong, in words: errors that end the command, and files that cannot be read
//! or written. Each message says what happened, where, and what the user can do.

use std::{fmt, io, path::Path};

use super::{
    say,
    text::{name, reason},
};

/// An error that ends the command.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Standard output cannot be written.
    Output(io::Error),
    /// The library refuses the options.
    Config(iriscan::ConfigError),
    /// The options contradict each other.
    Usage(String),
    /// Signals such as Ctrl-C cannot be caught.
    Signals(io::Error),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Output(e) => {
                let advice = if is_full(e) { ", make room and run again" } else { "" };
                write!(f, "standard output: {}; the output is incomplete{advice}", reason(e))
            }
            Trouble::Config(e) => write!(f, "{e}"),
            Trouble::Usage(e) => f.write_str(e),
            Trouble::Signals(e) => write!(f, "signals: {}; nothing was written", reason(e)),
        }
    }
}

/// What becomes of an input that cannot be read to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unfinished {
    /// The part that could be read is used.
    Used,
    /// It stays as it is, because it is rewritten in place.
    LeftAsItIs,
}

/// Says that an input could not be read to its end.
pub(crate) fn complain(path: &Path, e: &io::Error, unfinished: Unfinished) {
    let advice = match unfinished {
        Unfinished::Used => "what could be read was used",
        Unfinished::LeftAsItIs => "left as it is",
    };
    complain_and(path, e, advice);
}

/// Says that an input could not be opened.
pub(crate) fn complain_of_opening(path: &Path, e: &io::Error) {
    if e.kind() == io::ErrorKind::NotFound && path.to_str().is_some_and(|p| p.contains("://")) {
        let advice = "a file is wanted; `iriscan convert` and `check` take references";
        return say(format_args!("{}: {}; {advice}", name(path), reason(e)));
    }
    complain_and(path, e, "left out, name another file");
}

fn complain_and(path: &Path, e: &io::Error, otherwise: &str) {
    let advice = match e.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "make it readable",
        io::ErrorKind::IsADirectory => "name the files in it",
        _ => otherwise,
    };
    say(format_args!("{}: {}; {advice}", name(path), reason(e)));
}

/// Says that a file could not be written.
pub(crate) fn complain_of_output(path: &Path, e: &io::Error) {
    let advice = match e.kind() {
        io::ErrorKind::NotFound => "make its folder, or name another one",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "make its folder writable, or name another one"
        }
        _ if is_full(e) => "make room, or name another folder",
        _ => "name another file",
    };
    say(format_args!("{}: {}; nothing was written, {advice}", name(path), reason(e)));
}

/// True if there is no more room: the disk, the quota or the file is full.
fn is_full(e: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(e.kind(), FileTooLarge | QuotaExceeded | StorageFull)
}
