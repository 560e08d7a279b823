//! Messages for the user, on standard error.
//!
//! In go texts of this program; out come lines that begin with `iriscan: `. What must hold:
//! a message is written in one piece, and never into the middle of the progress line.

pub(crate) mod notes;
pub(crate) mod progress;
pub(crate) mod terminal;
pub(crate) mod text;
pub(crate) mod trouble;

use std::{
    cell::RefCell,
    fmt,
    io::{self, IsTerminal, Write},
};

/// Writes `message` to standard error, in one piece. If standard error is closed, the
/// program goes on; `eprintln!` would panic then.
pub(crate) fn say(message: impl fmt::Display) {
    put(&format!("iriscan: {message}\n"));
}

thread_local! {
    /// The messages of this thread, while [`holding`] collects them.
    static HELD: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Writes lines that are complete messages, or keeps them while [`holding`] collects.
pub(crate) fn put(messages: &str) {
    HELD.with_borrow_mut(|held| match held {
        Some(held) => held.push_str(messages),
        None if messages.is_empty() => {}
        None => drop(progress::aside(|| io::stderr().write_all(messages.as_bytes()))),
    });
}

/// Runs `work` and returns its result and the messages that it would have written.
pub(crate) fn holding<T>(work: impl FnOnce() -> T) -> (T, String) {
    let outer = HELD.replace(Some(String::new()));
    let done = work();
    (done, HELD.replace(outer).unwrap_or_default())
}

/// Says that the program reads what is typed, if it reads from a terminal: a user who
/// forgot to name a file would wait otherwise. Call it before standard input is read
/// because no input was named.
pub(crate) fn say_typed() {
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z" } else { "Ctrl-D" };
        say(format_args!("reading from this terminal; {end} ends it, and --help has examples"));
    }
}
