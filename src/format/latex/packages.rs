//! Which packages a file of LaTeX loads, as far as that decides how a URL is written in the argument of a command.

use crate::format::lexing::{
    lookahead::Lookahead,
    marked::{NEAR, blanks},
};

/// The packages and classes that load hyperref.
const HYPERREF: [&[u8]; 4] = [b"hyperref", b"bookmark", b"breakurl", b"beamer"];
/// Those with the command `\url` alone.
const URL: [&[u8]; 2] = [b"url", b"xurl"];

/// What was loaded so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packages {
    hyperref: bool,
    url: bool,
    state: State,
}

/// Where the names of packages come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Nothing,
    /// After `\usepackage`, before its list.
    Command,
    List,
}

impl Packages {
    /// Whether a URL in an argument has no backslashes before its signs.
    pub(super) fn is_url_alone(self) -> bool {
        self.url && !self.hyperref
    }

    /// A command with this name comes.
    pub(super) fn command(&mut self, name: &[u8]) {
        if matches!(name, b"usepackage" | b"RequirePackage" | b"documentclass") {
            self.state = State::Command;
        }
    }

    /// A brace opens after the byte `before`. `None`: more bytes are needed.
    pub(super) fn list(&mut self, before: u8, bytes: Lookahead<'_>) -> Option<()> {
        if self.state == State::Command && (before == b']' || before.is_ascii_alphabetic()) {
            self.read(bytes)?;
            self.state = State::List;
        }
        Some(())
    }

    /// A comma comes before `bytes`. `None`: more bytes are needed.
    pub(super) fn name(&mut self, bytes: Lookahead<'_>) -> Option<()> {
        if self.state == State::List { self.read(bytes) } else { Some(()) }
    }

    /// A brace closes.
    pub(super) fn end(&mut self) {
        if self.state == State::List {
            self.state = State::Nothing;
        }
    }

    /// Reads the name that `bytes` begin with, after blanks.
    fn read(&mut self, bytes: Lookahead<'_>) -> Option<()> {
        let near = bytes.near(NEAR / 2);
        let name = &near[blanks(near)?..];
        let len = name.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        if len == name.len() && near.is_partial() {
            return None;
        }
        self.hyperref |= HYPERREF.contains(&&name[..len]);
        self.url |= URL.contains(&&name[..len]);
        Some(())
    }
}
