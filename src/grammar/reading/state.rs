//! The states of a reading: its bounds, the stage of the link, and what it keeps of the characters read so far.
//!
//! Only types and what follows from one of them alone; [`Reading`](super::Reading) goes from state to state. What
//! must hold: a state does not depend on how many characters were taken at once.

use alloc::boxed::Box;

use crate::{
    data::schemes::{Form, Scheme},
    grammar::{
        address::{AfterDomain, Domains},
        authority::Authority,
        ip::Ip,
        marks::Marked,
        name::Run,
        shape::Shaper,
        types::{End, LinkEnd, Opener, Part},
    },
};

/// What bounds the link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bounds {
    /// In running text: its characters.
    Open { ascii_only: bool },
    /// After an opener: its partner. `depth`: how many openers of the same kind are open.
    Delimited { by: Opener, depth: u32 },
}

/// The `,v` after a name, which makes it a file of revisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Revision {
    No,
    Comma,
    Seen,
    /// A `.` follows it.
    Stop,
}

#[derive(Clone, Debug)]
pub(super) enum Stage {
    /// A name without a scheme. `before`: the character before it.
    Name {
        run: Run,
        before: Option<char>,
        /// A `~` follows it. A second one strikes text out.
        tilde: bool,
        /// A mark follows it.
        mark: Option<Marked>,
        /// How much of `,v` follows it.
        revision: Revision,
    },
    /// The characters after an `@`. `next`: the one after the name.
    Domain {
        run: Run,
        domains: Domains,
        next: Option<char>,
    },
    /// The characters after the domain of an address that may be something else.
    AfterDomain {
        end: LinkEnd,
        seen: AfterDomain,
    },
    /// An IP address.
    Ip(Box<Ip>),
    /// The `//` after a scheme. `quote`: the straight quote directly before the link, for the authority.
    Slashes {
        seen: u8,
        scheme: Scheme,
        quote: Option<char>,
    },
    Shape(Shaper),
    Authority(Authority),
    Tail {
        part: Part,
    },
}

impl Stage {
    /// After the `:` of `scheme`. `quote`: the straight quote directly before the link, in running text.
    #[inline]
    pub(super) fn of(scheme: Scheme, quote: Option<char>) -> Stage {
        match scheme.form {
            Form::Opaque(shape) => Stage::Shape(Shaper::new(shape)),
            _ => Stage::Slashes { seen: 0, scheme, quote },
        }
    }
}

/// What of a `mailto:` has been read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mailto {
    /// It is no address: the link has another scheme, or its query has begun.
    No,
    Local,
    /// The `@` and some of the domain.
    Domain,
    /// A mark after the domain, and what follows that.
    Mark(Marked),
}

/// How much of another link, or of a field's name, has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Another {
    No,
    /// Letters and digits after a separator of links.
    Scheme,
    Colon,
    Slash,
    /// Directly after a `|`.
    Bar,
    /// Letters and digits after it: `|http://…`, `|title=…`.
    Field,
    /// After the `%` of an escape.
    Percent,
    /// After the first digit of the escape of a character that is not ASCII.
    Escape,
}

/// Another link, or a field, that begins in this one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    pub(super) another: Another,
    /// The link before the separator.
    pub(super) cut: LinkEnd,
    /// The link before its first `|`.
    pub(super) bar: Option<LinkEnd>,
}

/// What the last character of the link is to a letter of an unspaced script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Last {
    /// ASCII after which such a letter does not go on with the link: letters, digits, closing
    /// and sentence punctuation.
    Closed,
    /// `/ ? # = & - _ + . :` and the like, `%HH`, and characters that are not ASCII.
    Continues,
}

impl Last {
    /// After `c`, if it is no digit of an escape.
    #[inline]
    pub(super) fn of(c: char) -> Last {
        match c {
            '/' | '?' | '#' | '=' | '&' | '-' | '_' | '+' | '.' | ':' | '%' => Last::Continues,
            '(' | '[' | '~' | '@' | '$' => Last::Continues,
            // Conversion encodes these, and after `%HH` a letter goes on.
            '{' | '}' | '|' | '^' => Last::Continues,
            c if c.is_ascii() => Last::Closed,
            _ => Last::Continues,
        }
    }
}

/// The escape of a control in a string, as far as it has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Control {
    No,
    /// `\`
    Escape,
    /// `\u`
    Unicode,
    /// `\u0`
    Zero,
    /// `\u00` or `\x`
    Digits,
}

/// The characters read so far, as far as they matter to the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// Where the last character ends.
    pub(super) end: Option<End>,
    pub(super) last: Last,
    /// Hexadecimal digits that still belong to a `%`.
    pub(super) percent: u8,
    /// The last character.
    pub(super) before: char,
    /// The last character was a `\`, in a delimited field.
    pub(super) escape: bool,
    /// How much of the escape of a control has been read, between quotes.
    pub(super) control: Control,
    /// The last character was a `<`, in an attribute.
    pub(super) tag: bool,
    pub(super) all_ascii: bool,
}
