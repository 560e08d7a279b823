//! One walk over the characters of a candidate, from the one behind `:` on.
//!
//! ```text
//!            "//"                        "/" "?" "#"
//! Slashes ─────────▶ Authority ──────────────────────▶ Tail ──▶ end
//!    │                host[:port]                       ▲
//!    └─ no "//" ───▶ Shape ─────────────────────────────┘
//!                         userinfo: while an "@" may still come, the host read
//!                         so far is a hypothesis that waits beside the walk
//! ```
//!
//! Invariant: `end` is always where the link would end if the text ended here,
//! or `None` if what was read is no link yet.

use alloc::vec::Vec;

use super::{
    address,
    adjoining::{Glue, Shows},
    bare::{self, Around},
    classes::{self, HostClass},
    name::Run,
    shape::{Shaped, Shaper},
    types::{End, Field, Item, Opener, Part, Ruleset, Step},
};
use crate::data::{
    link_term::LinkTerm,
    properties,
    schemes::{Form, Scheme},
};

/// The most characters an authority may have, percent-encoded. Stops `http://aaaa…` and
/// `http://a:a:a:…` from being held back, and read twice, without bound.
const AUTHORITY_MAX: u32 = 1024;

/// The most brackets that can be open at once (UTS #58, termination).
const BRACKETS_MAX: usize = 125;

/// The most brackets that can be open in one that may stand before a text. Stops
/// `mailto:a[mailto:a[…` from being read on for all of them from each link.
const NESTED_MAX: usize = 4;

/// How a walk treats the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In running text: the characters decide.
    Open { ascii_only: bool },
    /// Behind an opener: its partner decides. `depth`: openers of the same kind.
    Delimited { by: Opener, depth: u32 },
}

#[derive(Clone, Debug)]
enum Stage {
    /// A name without a scheme; `before`: what stands before it.
    Name {
        run: Run,
        before: Option<char>,
    },
    /// What stands behind an `@`.
    Domain(Run),
    Slashes {
        seen: u8,
        form: Form,
        generic: bool,
        after: After,
    },
    Shape(Shaper),
    Authority(Authority),
    Tail {
        part: Part,
    },
}

/// How many line ends a wrapped link may go over. Stops `<http://a` from being
/// read on through a text of short lines.
const WRAPS_MAX: u8 = 16;

/// How much of another link or of a field's name has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Another {
    No,
    /// Letters and digits behind what may stand between two links.
    Scheme,
    Colon,
    Slash,
    /// Directly behind a `|`.
    Bar,
    /// Letters and digits behind it: `|http://…`, `|title=…`.
    Field,
    /// Behind the `%` of an escape, and behind its first digit if that is one of
    /// a character that is not ASCII.
    Percent,
    Escape,
}

/// Where in a break between two lines a walk is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrap {
    /// In none.
    None,
    /// In white space that a line end must follow.
    Before,
    /// Behind a carriage return.
    Return,
    /// Behind the line end, in white space and quote marks.
    Line,
    /// Behind a `>` there: a quote mark if white space or another one follows.
    Quote,
}

/// What the last character of the link was, for letters of unspaced scripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    /// ASCII that such a letter does not continue: letters, digits, closing and
    /// sentence punctuation.
    Closed,
    /// `/ ? # = & - _ + . :` and the like, `%HH`, anything not ASCII.
    Continues,
}

#[derive(Clone, Debug)]
struct Authority {
    empty_ok: bool,
    /// Characters read, for the limit.
    length: u32,
    host: Host,
    /// Userinfo is still possible: all so far could stand before an `@`.
    user: bool,
    /// It holds what no userinfo does. If an `@` follows, this is no link: the
    /// first half of a password is no port, and its user no host.
    odd: bool,
    after: After,
}

#[derive(Clone, Debug)]
enum Host {
    Name(Name),
    /// `[`, then up to the `]`.
    Literal {
        text: [u8; 64],
        len: u8,
    },
    /// Behind the `]`: only a port or the tail may follow.
    Closed(End),
    /// Behind the `:`; `end`: with the digits so far.
    Port {
        digits: u32,
        value: u32,
        end: End,
        after: After,
        /// The host has no dot.
        single: bool,
        /// It may be the first group of an IPv6 address.
        group: bool,
    },
    /// Behind a name and `[`: `http://foo[.]example` is written so that nobody
    /// opens it, and then `http://foo` is not meant either.
    Defused {
        dot: bool,
        end: Option<End>,
    },
    /// The host hypothesis is settled; only an `@` could overturn it.
    Settled(Option<End>),
}

/// What holds a host together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Holds {
    /// Nothing, or brackets, which may hold a sentence.
    Text,
    /// Straight quotes: what they hold is data (RFC 3986, appendix C).
    Quotes,
    /// The whole delimited field is one reference.
    Field,
}

/// What may stand behind a host and its `:`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum After {
    /// A port: digits, as many as there are, or none.
    #[default]
    Port,
    /// A port, or a path as `scp` has it: `ssh://git@a.org:b/c.git`.
    PortOrPath,
    /// Without a scheme: a port that there is.
    RealPort,
}

#[derive(Clone, Debug, Default)]
struct Name {
    /// Behind the last letter or digit.
    end: Option<End>,
    /// Dots directly before the next character.
    dots: u32,
    dotted: bool,
    /// It may be a sentence unless a dot follows: it begins with a letter of an unspaced
    /// script, outside of a field, or such a letter is glued to its first label in text.
    foreign: bool,
    /// It holds more than hexadecimal digits.
    word: bool,
    /// Characters in the name so far.
    length: u32,
    /// Of a scheme that nobody described: any `reg-name`, within reason.
    generic: bool,
    after: After,
    /// A symbol glued to ASCII was the last: part of the name if a dot and a label
    /// follow (case emoji-host).
    symbol: bool,
}

/// Open `(` and `[`: one bit each, the innermost lowest; set: `[`.
#[derive(Clone, Debug, Default)]
struct AsciiBrackets {
    square: u128,
    len: usize,
}

impl AsciiBrackets {
    /// Whether there was room.
    fn push(&mut self, square: bool) -> bool {
        self.square = self.square << 1 | u128::from(square);
        self.len += 1;
        self.len <= BRACKETS_MAX
    }

    /// Whether the innermost open bracket is of this kind.
    fn pop(&mut self, square: bool) -> bool {
        let matches = self.len > 0 && (self.square & 1 == 1) == square;
        self.square >>= 1;
        self.len = self.len.saturating_sub(1);
        matches
    }
}

/// An escaped delimiter of markup in running text, being read.
#[derive(Clone, Copy, Debug)]
struct Reference {
    /// The end of the link if this is one of [`REFERENCES`].
    end: Option<End>,
    text: [u8; 11],
    len: u8,
}

/// Character references that end a link in text: `"`, `'`, `<`, `>`, a space,
/// quotation marks and the ellipsis; some of them escaped twice. `&amp;` alone
/// does not.
const REFERENCES: [&[u8]; 54] = [
    b"quot;",
    b"#34;",
    b"#x22;",
    b"#039;",
    b"#39;",
    b"#x27;",
    b"apos;",
    b"lt;",
    b"#60;",
    b"#x3c;",
    b"gt;",
    b"#62;",
    b"#x3e;",
    b"nbsp;",
    b"#160;",
    b"#xa0;",
    b"laquo;",
    b"#171;",
    b"#xab;",
    b"raquo;",
    b"#187;",
    b"#xbb;",
    b"lsquo;",
    b"#8216;",
    b"#x2018;",
    b"rsquo;",
    b"#8217;",
    b"#x2019;",
    b"sbquo;",
    b"#8218;",
    b"#x201a;",
    b"ldquo;",
    b"#8220;",
    b"#x201c;",
    b"rdquo;",
    b"#8221;",
    b"#x201d;",
    b"bdquo;",
    b"#8222;",
    b"#x201e;",
    b"hellip;",
    b"#8230;",
    b"#x2026;",
    b"amp;quot;",
    b"amp;lt;",
    b"amp;gt;",
    b"amp;#39;",
    b"amp;#34;",
    b"amp;nbsp;",
    b"amp;ldquo;",
    b"amp;rdquo;",
    b"amp;lsquo;",
    b"amp;rsquo;",
    b"amp;hellip;",
];

/// A walk at work.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    place: Place,
    stage: Stage,
    end: Option<End>,
    last: Last,
    /// Hexadecimal digits that still belong to a `%`.
    percent: u8,
    /// Behind the last character fed.
    behind: Option<End>,
    /// `(` and `[`, which no conversion touches, apart from all others, which
    /// it encodes: so the converted link ends where the original did.
    ascii: AsciiBrackets,
    other: Vec<char>,
    /// What at the end is emphasis.
    emphasis: Option<char>,
    /// An `'` of the tail waits for its partner.
    quoted: bool,
    /// A name without a scheme is a host only if the link goes on behind here.
    unproven: u64,
    /// Text, or what the link goes on with; and where it ends if it is text.
    glue: Option<(Option<End>, Glue)>,
    /// How many brackets were open before a `[` in the path that has no partner
    /// yet, and where the link ends if it gets none.
    square: Option<(usize, Option<End>)>,
    another: Another,
    /// Where the link ends if another one begins, or a field.
    cut: Option<End>,
    /// Where the link ends if its first `|` is a separator.
    bar: Option<Option<End>>,
    /// The last character was a `/`, a `\\`, a `<`.
    slash: bool,
    escape: bool,
    tag: bool,
    /// All characters so far are ASCII.
    all_ascii: bool,
    /// Where in a break between two lines of a wrapped link it is.
    wrap: Wrap,
    /// Line breaks that the link goes over.
    pub(crate) wraps: u8,
    reference: Option<Reference>,
    /// Behind what stands before an `&` that only letters have followed.
    entity: Option<Option<End>>,
}

impl Walk {
    pub(crate) fn in_text(scheme: Scheme, ascii_only: bool, emphasis: Option<char>) -> Walk {
        Walk { emphasis, ..Walk::new(scheme, Place::Open { ascii_only }) }
    }

    pub(crate) fn delimited(scheme: Scheme, by: Opener) -> Walk {
        Walk::new(scheme, Place::Delimited { by, depth: 0 })
    }

    /// From the first character of a name on.
    pub(crate) fn name(before: Option<char>, ascii_only: bool) -> Walk {
        let stage = Stage::Name { run: Run::new(Ruleset::Prose), before };
        Walk::at(stage, Place::Open { ascii_only })
    }

    /// From behind an `@` on.
    pub(crate) fn domain(ascii_only: bool) -> Walk {
        Walk::at(Stage::Domain(Run::new(Ruleset::Prose)), Place::Open { ascii_only })
    }

    fn new(scheme: Scheme, place: Place) -> Walk {
        let stage = match scheme.form {
            Form::Opaque(shape) => Stage::Shape(Shaper::new(shape)),
            form => {
                let after = if scheme.scp { After::PortOrPath } else { After::Port };
                Stage::Slashes { seen: 0, form, generic: !scheme.described, after }
            }
        };
        Walk::at(stage, place)
    }

    fn at(stage: Stage, place: Place) -> Walk {
        Walk {
            place,
            stage,
            end: None,
            last: Last::Continues,
            percent: 0,
            behind: None,
            ascii: AsciiBrackets::default(),
            other: Vec::new(),
            emphasis: None,
            quoted: false,
            unproven: 0,
            glue: None,
            square: None,
            another: Another::No,
            cut: None,
            bar: None,
            slash: false,
            escape: false,
            tag: false,
            all_ascii: true,
            wrap: Wrap::None,
            wraps: 0,
            reference: None,
            entity: None,
        }
    }

    /// Where the link would end if the text ended here.
    pub(crate) fn end(&self) -> Option<End> {
        let end = match &self.stage {
            Stage::Authority(authority) => authority.settled(),
            _ => self.end,
        };
        self.judged(end)
    }

    /// The link's end, if it would be `end` but for what the walk still waits for.
    fn judged(&self, end: Option<End>) -> Option<End> {
        let text = self.glue.filter(|(_, glue)| glue.is_text()).map(|(end, _)| end);
        let waiting = text.into_iter().chain(self.square.map(|(_, end)| end));
        let end = waiting
            .fold(end, |end, held| end.zip(held).map(|(a, b)| if a.at < b.at { a } else { b }));
        end.filter(|end| end.at > self.unproven)
    }

    /// How many ASCII letters and digits [`Walk::pass`] may take next: where
    /// they can only go on with the link.
    pub(crate) fn room(&self) -> u32 {
        match &self.stage {
            _ if self.percent > 0 || self.escape || self.wrap != Wrap::None => 0,
            Stage::Name { run, .. } if run.is_behind_ellipsis() => 0,
            Stage::Name { run, .. } | Stage::Domain(run) => run.room(),
            Stage::Tail { .. } if self.reference.is_none() && self.glue.is_none() => u32::MAX,
            Stage::Authority(Authority { host: Host::Name(name), length, .. })
                if name.dots <= 1 && !name.symbol =>
            {
                AUTHORITY_MAX - length
            }
            _ => 0,
        }
    }

    /// As [`Walk::feed`] with the ASCII letters and digits `text`, which end at
    /// `here`; at most [`Walk::room`].
    pub(crate) fn pass(&mut self, text: &[u8], here: End) {
        let n = text.len() as u32;
        match &mut self.stage {
            Stage::Name { run, .. } | Stage::Domain(run) => run.pass(text, here),
            Stage::Authority(Authority { host: Host::Name(name), length, .. }) => {
                *length += n;
                name.length += n;
                name.dots = 0;
                name.word |= !text.iter().all(u8::is_ascii_hexdigit);
                name.label(here);
            }
            _ => self.end = Some(here),
        }
        self.behind = Some(here);
        self.last = Last::Closed;
        self.slash = false;
        (self.escape, self.tag) = (false, false);
        self.another = match self.another {
            Another::Scheme => Another::Scheme,
            Another::Bar | Another::Field => Another::Field,
            _ => Another::No,
        };
    }

    pub(crate) fn feed(&mut self, item: Item) -> Step {
        match self.read(item) {
            Step::Done(end) => Step::Done(self.judged(end)),
            step => step,
        }
    }

    fn read(&mut self, item: Item) -> Step {
        if let Stage::Name { .. } | Stage::Domain(_) = self.stage {
            return self.run(item);
        }
        if let Place::Delimited { by: by @ Opener { open: '<', field: Field::Whole, .. }, .. } =
            self.place
            && let Some(step) = self.wrapped(item.c, by)
        {
            return step;
        }
        if classes::never_in_link(item.c) {
            return self.stop();
        }
        match self.place {
            Place::Open { ascii_only } => {
                if matches!(item.c, '<' | '>' | '"' | '\\' | '`')
                    || (ascii_only && !item.c.is_ascii())
                {
                    return self.close();
                }
                if !item.c.is_ascii() && classes::ends_sentence_unspaced(item.c) {
                    return self.close();
                }
                if self.is_glued(item.c) {
                    return self.close();
                }
            }
            Place::Delimited { by, depth } => {
                if item.c == by.close {
                    if self.escape {
                        return Step::NoPartner;
                    }
                    if depth == 0 {
                        return self.partner(by.field);
                    }
                    self.place = Place::Delimited { by, depth: depth - 1 };
                } else if item.c == by.open && matches!(by.open, '(' | '[') {
                    // Others are encoded, and would not count once converted.
                    self.place = Place::Delimited { by, depth: depth + 1 };
                } else if by.field == Field::Phrase && self.breaks_phrase(by, item.c) {
                    return Step::NoPartner;
                }
                if by.field == Field::Whole && self.breaks_attribute(by, item.c) {
                    return Step::NoPartner;
                }
            }
        }
        let step = match &mut self.stage {
            Stage::Name { .. } | Stage::Domain(_) => Step::More,
            Stage::Slashes { .. } => self.slashes(item),
            Stage::Shape(_) => self.shape(item),
            Stage::Authority(_) => self.authority(item),
            Stage::Tail { .. } => self.tail(item),
        };
        self.remember(item);
        step
    }

    /// Whether `c` completes `://` behind a word, or `=` behind a field's name.
    fn begins_another(&mut self, c: char) -> bool {
        self.another = match (self.another, c) {
            (Another::Bar | Another::Field, c) if c.is_ascii_alphanumeric() => Another::Field,
            (Another::Scheme, c) if c.is_ascii_alphanumeric() => Another::Scheme,
            (Another::Field, '-' | '_') => Another::Field,
            (Another::Field, '=') => return true,
            (Another::Scheme | Another::Field, ':') => Another::Colon,
            (Another::Colon, '/') => Another::Slash,
            (Another::Slash, '/') => return true,
            _ => Another::No,
        };
        false
    }

    /// Whether a phrase, which its own delimiters hold together, turns out to be
    /// a sentence or a piece of code at `c`.
    fn breaks_phrase(&mut self, by: Opener, c: char) -> bool {
        let quote = matches!(by.open, '"' | '\'');
        let escaped = core::mem::take(&mut self.escape);
        match c {
            '<' | '>' | '"' | '`' => true,
            // In strings `\u0026` and `\/` are characters (case escapes-in-phrases).
            '\\' => {
                (self.escape, self.another) = (true, Another::No);
                escaped || !quote
            }
            c if escaped && !matches!(c, 'u' | 'x' | '/') => true,
            ',' | ';' if !matches!(self.stage, Stage::Tail { part: Part::Query }) => {
                self.another = Another::Scheme;
                false
            }
            c if c.is_ascii() => {
                let before = self.another;
                if self.begins_another(c) {
                    return true;
                }
                // An escape stands for text as its character does (case
                // phrase-with-two-links-escaped).
                match (before, c) {
                    (_, '%') => self.another = Another::Percent,
                    (Another::Percent, '8' | '9' | 'A'..='F' | 'a'..='f') => {
                        self.another = Another::Escape;
                    }
                    (Another::Escape, c) if c.is_ascii_hexdigit() => self.another = Another::Scheme,
                    _ => {}
                }
                false
            }
            // What holds two links is a sentence (case phrase-with-two-links).
            c => {
                // In a host it is part of a label, and hidden by its punycode.
                if !matches!(self.stage, Stage::Authority(_)) {
                    self.another = Another::Scheme;
                }
                // So is what holds text glued to an address that is all ASCII (case
                // phrase-with-text).
                !quote
                    && self.all_ascii
                    && self.last == Last::Closed
                    && (classes::ends_sentence_unspaced(c)
                        || classes::is_unspaced_letter(c) && !self.is_in_first_label()
                        || classes::is_symbol(c))
            }
        }
    }

    /// Whether all of the host so far is a part of one label. A letter that is glued to
    /// it belongs to the label: cut there, the host would be another one (case
    /// letters-in-the-first-label).
    fn is_in_first_label(&self) -> bool {
        let Stage::Authority(Authority { host: Host::Name(name), .. }) = &self.stage else {
            return false;
        };
        // A name without a scheme is read as a whole before this stage, dots and all.
        !name.dotted && name.after != After::RealPort
    }

    /// Whether an attribute's value, or what looks like one, turns out to be a
    /// piece of code or of markup that was cut at `c` (case attribute-in-code).
    fn breaks_attribute(&mut self, by: Opener, c: char) -> bool {
        if !matches!(by.open, '"' | '\'') {
            return false;
        }
        let escaped = core::mem::replace(&mut self.escape, c == '\\');
        let tag = core::mem::replace(&mut self.tag, c == '<');
        escaped && matches!(c, 'n' | 'r' | 't' | '"' | '\'')
            || tag && c == '/'
            || by.open == '\'' && c == '"'
    }

    /// Whether `c` shows that text stands behind the link. What may be text but
    /// need not is held until what follows decides.
    fn is_glued(&mut self, c: char) -> bool {
        if let Some((end, glue)) = &mut self.glue {
            match glue.feed(c) {
                Shows::More => return false,
                Shows::Text => {
                    (self.end, self.glue) = (*end, None);
                    return true;
                }
                Shows::Link => self.glue = None,
            }
        }
        let closed = self.last == Last::Closed;
        if !matches!(self.stage, Stage::Tail { .. }) {
            return closed && classes::is_unspaced_letter(c) && !self.is_in_first_label();
        }
        let glue = Glue::begin(c, closed, self.slash, self.all_ascii);
        // As text it would leave a bracket before it without its partner.
        self.glue = glue.map(|glue| (self.judged(self.end), glue));
        false
    }

    /// Between `<` and `>` a link may go over line ends, quoted ones too (RFC
    /// 3986, appendix C). `None`: `c` is a character like others.
    fn wrapped(&mut self, c: char, by: Opener) -> Option<Step> {
        let blank = matches!(c, ' ' | '\t');
        let line = matches!(c, '\r' | '\n');
        let begun = self.behind.is_none() || matches!(self.stage, Stage::Slashes { .. });
        self.wrap = match (self.wrap, c) {
            // Directly behind a scheme's colon text begins, no second line; nor does one
            // between the slashes.
            (Wrap::None, _) if (blank || line) && begun => return Some(Step::NoPartner),
            (Wrap::None, _) if blank => Wrap::Before,
            (Wrap::None | Wrap::Before, '\r') => Wrap::Return,
            (Wrap::None | Wrap::Before | Wrap::Return, '\n') => Wrap::Line,
            (Wrap::None, _) => return None,
            (Wrap::Before, _) if blank => Wrap::Before,
            // A space within a line: no link goes on behind it.
            (Wrap::Before, _) => return Some(Step::NoPartner),
            (Wrap::Return | Wrap::Line, _) if blank => Wrap::Line,
            // An empty line.
            (Wrap::Return | Wrap::Line | Wrap::Quote, _) if line => return Some(Step::NoPartner),
            (Wrap::Return | Wrap::Line | Wrap::Quote, '>') => Wrap::Quote,
            (Wrap::Quote, _) if blank => Wrap::Line,
            // The `>` was the partner, on a line of its own.
            (Wrap::Quote, _) => return Some(self.partner(by.field)),
            (Wrap::Return | Wrap::Line, '<') => return Some(Step::NoPartner),
            (Wrap::Return | Wrap::Line, _) => {
                self.wrap = Wrap::None;
                self.wraps += 1;
                if self.wraps > WRAPS_MAX {
                    return Some(Step::NoPartner);
                }
                return None;
            }
        };
        Some(Step::More)
    }

    /// The text ends here, or something that is in no link follows.
    pub(crate) fn stop(&mut self) -> Step {
        match self.place {
            Place::Delimited { by, .. } if self.wrap == Wrap::Quote => self.partner(by.field),
            Place::Delimited { .. } => Step::NoPartner,
            Place::Open { .. } => self.close(),
        }
    }

    fn close(&self) -> Step {
        match &self.stage {
            Stage::Name { run, before } => Step::Done(host_end(run, *before, None)),
            Stage::Domain(run) => Step::Done(domain_end(run, None)),
            _ => Step::Done(self.end()),
        }
    }

    /// A name without a scheme, or the domain of an address.
    fn run(&mut self, item: Item) -> Step {
        let ascii_only = matches!(self.place, Place::Open { ascii_only: true });
        let part = item.c.is_ascii() || !ascii_only;
        match &mut self.stage {
            Stage::Name { run, before } => {
                let over = run.is_behind_ellipsis() && item.c != '.';
                if part && !over && run.feed(item) {
                    return if run.is_too_long() { Step::Done(None) } else { Step::More };
                }
                let Some(end) = host_end(run, *before, Some(item.c)) else {
                    return Step::Done(None);
                };
                // What a sentence ends with does not lead on.
                if run.dots() > 0 {
                    return Step::Done(Some(end));
                }
                // What follows counts once the link takes it in (cases
                // bare-colon-of-the-sentence, bare-new-tlds-path).
                if host_end(run, *before, None).is_none() {
                    self.unproven = if item.c == '#' { item.next } else { end.at };
                }
                let length = run.name().len() as u32;
                let name = Name {
                    end: Some(end),
                    word: true,
                    length,
                    after: After::RealPort,
                    ..Name::default()
                };
                self.behind = Some(end);
                self.last = Last::Closed;
                self.stage = Stage::Authority(Authority {
                    empty_ok: false,
                    length,
                    host: Host::Name(name),
                    user: false,
                    odd: false,
                    after: After::RealPort,
                });
                self.read(item)
            }
            Stage::Domain(run) => {
                if part && run.feed(item) {
                    return if run.is_too_long() { Step::Done(None) } else { Step::More };
                }
                Step::Done(domain_end(run, Some(item.c)))
            }
            _ => Step::More,
        }
    }

    /// The partner of the opener: everything before it is the link.
    fn partner(&self, field: Field) -> Step {
        let end = match &self.stage {
            Stage::Authority(authority) if !authority.is_whole() => None,
            _ => self.end(),
        };
        Step::Done(match field {
            Field::Phrase => end,
            Field::Whole => end.and(self.behind),
        })
    }

    fn remember(&mut self, item: Item) {
        self.slash = item.c == '/';
        self.all_ascii &= item.c.is_ascii();
        self.behind = Some(End { at: item.next, shift: item.shift });
        self.last = match item.c {
            c if self.percent > 0 && c.is_ascii_hexdigit() => {
                self.percent -= 1;
                if self.percent == 0 { Last::Continues } else { Last::Closed }
            }
            c => {
                self.percent = if c == '%' { 2 } else { 0 };
                match c {
                    '/' | '?' | '#' | '=' | '&' | '-' | '_' | '+' | '.' | ':' | '%' => {
                        Last::Continues
                    }
                    '(' | '[' | '~' | '@' | '$' => Last::Continues,
                    // These are percent-encoded, and a letter continues after
                    // `%HH`.
                    '{' | '}' | '|' | '^' => Last::Continues,
                    c if c.is_ascii() => Last::Closed,
                    _ => Last::Continues,
                }
            }
        };
    }

    fn slashes(&mut self, item: Item) -> Step {
        let Stage::Slashes { seen, form, generic, after } = &mut self.stage else {
            return Step::More;
        };
        match (*seen, item.c) {
            (0, '/') => {
                *seen = 1;
                Step::More
            }
            (1, '/') => {
                self.stage = Stage::Authority(Authority {
                    empty_ok: *form == Form::EmptyHost,
                    length: 0,
                    host: Host::Name(Name { generic: *generic, after: *after, ..Name::default() }),
                    user: true,
                    odd: false,
                    after: *after,
                });
                Step::More
            }
            (0, _) => {
                let Form::Either(shape) = *form else { return Step::Done(None) };
                self.stage = Stage::Shape(Shaper::new(shape));
                self.shape(item)
            }
            _ => Step::Done(None),
        }
    }

    fn shape(&mut self, item: Item) -> Step {
        let Stage::Shape(shaper) = &mut self.stage else { return Step::More };
        // Of `tel:(030)123` (RFC 3966, visual separators).
        let _ = match item.c {
            '(' => self.ascii.push(false),
            ')' => self.ascii.pop(false),
            _ => true,
        };
        match shaper.feed(item.c) {
            Shaped::More => Step::More,
            Shaped::No => Step::Done(None),
            Shaped::Yes => {
                self.stage = Stage::Tail { part: Part::Path };
                self.end = Some(End { at: item.next, shift: item.shift });
                Step::More
            }
        }
    }

    fn authority(&mut self, item: Item) -> Step {
        let delimited = matches!(self.place, Place::Delimited { .. });
        // Text in brackets may follow a host there; in a field it does not (case
        // host-then-text-in-brackets).
        let holds = match self.place {
            Place::Delimited { by: Opener { field: Field::Whole, .. }, .. } => Holds::Field,
            Place::Delimited { by: Opener { open: '"' | '\'', .. }, .. } => Holds::Quotes,
            _ => Holds::Text,
        };
        let glued = self.last == Last::Closed;
        let Stage::Authority(authority) = &mut self.stage else { return Step::More };
        // In a delimited place a host that ends early means that the field is
        // not a reference.
        let over = |end: Option<End>| Step::Done(if delimited { None } else { end });
        authority.length += classes::encoded_len(item.c);
        if authority.length > AUTHORITY_MAX {
            // A host that is cut would be another host.
            return over(match authority.host {
                Host::Settled(end) => end,
                _ => None,
            });
        }
        let scp = matches!(authority.host, Host::Port { digits: 0, after: After::PortOrPath, .. });
        let part = match item.c {
            '/' => Some(Part::Path),
            '?' => Some(Part::Query),
            '#' => Some(Part::Fragment),
            // What `scp` takes for a path (case scp-path).
            c if scp && !authority.user && (c.is_alphabetic() || c == '~') => Some(Part::Path),
            _ => None,
        };
        if let Some(part) = part {
            if !authority.leads_to_tail(item.c) {
                // `http://a../x` has an empty label (case empty-label); a sentence may
                // end in `...?`.
                let dots = matches!(&authority.host, Host::Name(name) if name.dots > 1);
                let empty = dots && part == Part::Path;
                return over(authority.settled().filter(|_| !empty));
            }
            self.end = match (part, authority.settled()) {
                // A question mark that nothing follows is the sentence's.
                (Part::Query, host) if !delimited => host,
                _ => Some(End { at: item.next, shift: item.shift }),
            };
            self.stage = Stage::Tail { part };
            return Step::More;
        }
        if item.c == '@' && authority.user && authority.length > 1 {
            if authority.odd {
                return over(None);
            }
            authority.user = false;
            let after = authority.after;
            authority.host = Host::Name(Name { after, ..Name::default() });
            return Step::More;
        }
        if authority.user && !is_userinfo(item.c) {
            // Behind what is no host any more, a password goes on (case
            // userinfo-or-port).
            let settled = matches!(authority.host, Host::Settled(_));
            authority.user = settled && item.c.is_ascii_graphic();
            authority.odd |= !matches!(item.c, ',' | ';' | '(' | ')');
        }
        authority.host.feed(item, holds, glued);
        match authority.host {
            Host::Settled(end) if !authority.user => over(end),
            _ => Step::More,
        }
    }

    fn tail(&mut self, item: Item) -> Step {
        let here = End { at: item.next, shift: item.shift };
        if let Place::Delimited { by, .. } = self.place {
            if by.field == Field::Whole || !is_sentence_punctuation(item.c) {
                self.end = Some(here);
            }
            return Step::More;
        }
        if let Some(end) = self.escaped_delimiter(item.c) {
            return Step::Done(end);
        }
        // `&copy;` at the end is markup's, unless something follows (case
        // entity-at-the-end).
        self.entity = match (item.c, self.entity) {
            ('&', _) => Some(self.end),
            (';', Some(end)) => {
                self.end = end;
                None
            }
            (c, Some(end)) if c.is_ascii_alphanumeric() => Some(end),
            _ => None,
        };
        if self.is_separated(item.c) {
            return Step::Done(self.cut);
        }
        let Stage::Tail { part: now } = &mut self.stage else { return Step::More };
        let was = *now;
        *now = was.behind(item.c);
        // UTS #58, termination: initiators, and separators, clear brackets.
        let turned = *now != was;
        if turned || matches!((was, item.c), (Part::Path, '/') | (Part::Query, '=' | '&')) {
            self.ascii.len = 0;
            self.other.clear();
            self.square = None;
        }
        match properties::link_term(item.c) {
            LinkTerm::Hard => return Step::Done(self.end),
            // Trailing emphasis, ellipses and dashes are the sentence's (cases
            // emphasis-stars, emphasis-marks, trailing-ellipsis, trailing-dash), a
            // bar the table's (case bars).
            _ if matches!(item.c, '*' | '|' | '…' | '⋯' | '–' | '—' | '―') => {}
            _ if self.emphasis == Some(item.c) => {}
            LinkTerm::Include => self.end = Some(here),
            // A pair of them belongs to the link (case quotes-in-pairs).
            LinkTerm::Soft if item.c == '\'' => {
                if self.quoted {
                    self.end = Some(here);
                }
                self.quoted = !self.quoted;
            }
            LinkTerm::Soft => {}
            // An opening bracket that nothing follows is the sentence's.
            LinkTerm::Open => {
                // In a path one that is never closed stands before a text (case
                // square-bracket-with-text).
                if item.c == '[' && was == Part::Path && self.square.is_none() {
                    self.square = Some((self.ascii.len, self.end));
                }
                let room = self.open_bracket(item.c);
                let deep = |(open, _)| self.ascii.len > open + NESTED_MAX;
                if !room || self.square.is_some_and(deep) {
                    return Step::Done(self.end);
                }
            }
            LinkTerm::Close => {
                if !self.close_bracket(item.c) {
                    return Step::Done(self.end);
                }
                self.end = Some(here);
                if self.square.is_some_and(|(open, _)| self.ascii.len <= open) {
                    self.square = None;
                }
            }
        }
        Step::More
    }

    /// Whether `c` shows that the link ended at `cut`: behind a comma, a semicolon
    /// or a bar another link begins, or behind a bar a field (cases
    /// links-joined, bars).
    fn is_separated(&mut self, c: char) -> bool {
        let query = matches!(self.stage, Stage::Tail { part: Part::Query });
        match c {
            '|' => {
                let end = self.end();
                self.cut = *self.bar.get_or_insert(end);
                let empty = self.another == Another::Bar;
                self.another = if empty { Another::No } else { Another::Bar };
                self.emphasis == Some('|') || empty && !query
            }
            ',' | ';' if !query => {
                (self.another, self.cut) = (Another::Scheme, self.end());
                false
            }
            c => self.begins_another(c),
        }
    }

    /// Whether there is room for another open bracket.
    fn open_bracket(&mut self, open: char) -> bool {
        if matches!(open, '(' | '[') {
            return self.ascii.push(open == '[');
        }
        self.other.push(properties::closing_bracket(open).unwrap_or(open));
        self.other.len() <= BRACKETS_MAX
    }

    /// Whether `close` closes the innermost open bracket of its family.
    fn close_bracket(&mut self, close: char) -> bool {
        if matches!(close, ')' | ']') {
            return self.ascii.pop(close == ']');
        }
        self.other.pop() == Some(close)
    }

    /// The end of the link, if `c` completes an escaped delimiter.
    fn escaped_delimiter(&mut self, c: char) -> Option<Option<End>> {
        if let Some(reference) = &mut self.reference {
            let room = usize::from(reference.len) < reference.text.len();
            if room && c.is_ascii() {
                reference.text[usize::from(reference.len)] = c.to_ascii_lowercase() as u8;
                reference.len += 1;
                let text = &reference.text[..usize::from(reference.len)];
                if REFERENCES.contains(&text) {
                    return Some(reference.end);
                }
                if REFERENCES.iter().any(|r| r.starts_with(text)) {
                    return None;
                }
            }
            self.reference = None;
        }
        if c == '&' {
            self.reference = Some(Reference { end: self.end, text: [0; 11], len: 0 });
        }
        None
    }
}

/// Where the host without a scheme ends that `run` is, if it is one.
fn host_end(run: &Run, before: Option<char>, behind: Option<char>) -> Option<End> {
    let around = Around { before, behind, dots: run.dots() };
    (!run.is_too_long() && bare::is_host(run.name(), around)).then_some(())?;
    run.name_end()
}

/// Where the address ends whose domain `run` is, if it is one.
fn domain_end(run: &Run, behind: Option<char>) -> Option<End> {
    let behind = behind.filter(|_| run.dots() == 0);
    (!run.is_too_long() && address::is_domain(run.name(), behind, run.rest())).then_some(())?;
    run.name_end()
}

impl Authority {
    /// The host hypothesis, if the text ended here.
    fn settled(&self) -> Option<End> {
        match &self.host {
            Host::Name(name) => name.end,
            Host::Literal { .. } => None,
            Host::Closed(end) => Some(*end),
            Host::Port { end, .. } => Some(*end),
            Host::Settled(end) | Host::Defused { end, .. } => *end,
        }
    }

    /// The authority is complete here, nothing of it left over.
    fn is_whole(&self) -> bool {
        match &self.host {
            Host::Name(name) => name.end.is_some() && name.dots <= 1 && !name.symbol,
            Host::Literal { .. } | Host::Settled(_) | Host::Defused { .. } => false,
            Host::Closed(_) => true,
            Host::Port { digits, after, .. } => *digits > 0 || *after != After::RealPort,
        }
    }

    /// A path, query or fragment may follow.
    fn leads_to_tail(&self, c: char) -> bool {
        match &self.host {
            Host::Name(name) if name.length == 0 => self.empty_ok && c == '/',
            _ => self.is_whole(),
        }
    }
}

impl Host {
    /// One more character that is none of `/ ? #`. `glued`: the character
    /// before it was an ASCII letter, digit or closing punctuation.
    fn feed(&mut self, item: Item, holds: Holds, glued: bool) {
        let here = End { at: item.next, shift: item.shift };
        match self {
            Host::Settled(_) => {}
            Host::Defused { dot, end } => {
                *self = match (*dot, item.c) {
                    (false, '.') => Host::Defused { dot: true, end: *end },
                    (true, ']') => Host::Settled(None),
                    _ => Host::Settled(*end),
                }
            }
            Host::Port { digits, value, end, after, single, group } => match item.c {
                '0'..='9' => {
                    *digits += 1;
                    *value = value.saturating_mul(10).saturating_add(u32::from(item.c) - 48);
                    *end = here;
                    // What no port can be shows that this is no host.
                    if *after == After::RealPort && *value > 65_535 {
                        *self = Host::Settled(None);
                    }
                }
                // A place for a port, or half of an address (cases
                // port-to-be-filled-in, axis-14-unbracketed-ipv6): no link, rather
                // than a link to another place.
                '%' | '$' | '{' if *digits == 0 => *self = Host::Settled(None),
                ':' if *digits == 0 && *single => *self = Host::Settled(None),
                ':' | 'a'..='f' | 'A'..='F' if *group => *self = Host::Settled(None),
                _ => *self = Host::Settled(Some(*end)),
            },
            Host::Closed(end) => {
                *self = match item.c {
                    ':' => Host::Port {
                        digits: 0,
                        value: 0,
                        end: *end,
                        after: After::Port,
                        single: false,
                        group: false,
                    },
                    _ => Host::Settled(Some(*end)),
                }
            }
            Host::Literal { text, len } => match item.c {
                ']' if is_ip_literal(&text[..usize::from(*len)]) => *self = Host::Closed(here),
                c if c.is_ascii() && c != ']' && usize::from(*len) < text.len() => {
                    text[usize::from(*len)] = c as u8;
                    *len += 1;
                }
                _ => *self = Host::Settled(None),
            },
            Host::Name(name) => {
                if let Some(host) = name.feed(item, holds, glued) {
                    *self = host;
                }
            }
        }
    }
}

impl Name {
    /// The host that this name turns into at `item`, if it is over.
    fn feed(&mut self, item: Item, holds: Holds, glued: bool) -> Option<Host> {
        let field = holds == Holds::Field;
        let first = self.length == 0;
        self.length += 1;
        if item.c == '[' && first {
            return Some(Host::Literal { text: [0; 64], len: 0 });
        }
        let class = classes::host_class(item.c);
        let symbol = class == HostClass::Symbol;
        if self.symbol && item.c != '.' {
            let goes_on = symbol || matches!(item.c, '\u{FE0F}' | '\u{200D}');
            return if goes_on { None } else { Some(Host::Settled(self.end)) };
        }
        self.symbol = symbol && glued && !field && !first;
        if self.symbol {
            return None;
        }
        if item.c == '.' || (field && classes::is_idna_dot(item.c)) {
            self.dots += 1;
            self.dotted = true;
            return (first).then_some(Host::Settled(None));
        }
        // A letter of an unspaced script: text glued to a host that has a dot, and part of
        // the label elsewhere (case letters-in-the-first-label).
        let letter = glued && holds == Holds::Text && classes::is_unspaced_letter(item.c);
        let label = match item.c {
            '-' | '_' | '%' => false,
            '+' | '&' | '$' | '\'' | '=' | '!' | '~' if self.generic => false,
            // A symbol (emoji) glued to ASCII is text (case emoji-after-host).
            c => match class {
                HostClass::Label if !letter || !self.dotted => true,
                HostClass::Symbol if !glued || field => true,
                _ => {
                    let end = self.end;
                    return Some(match (c, end) {
                        ('[', Some(_)) if self.dots == 0 => Host::Defused { dot: false, end },
                        (':', Some(end)) if self.dots <= 1 => Host::Port {
                            digits: 0,
                            value: 0,
                            end,
                            after: self.after,
                            single: !self.dotted,
                            group: !self.dotted && !self.word && self.length <= 5,
                        },
                        // A second `@`: whose host it is, nobody knows.
                        ('@', _) => Host::Settled(None),
                        _ => Host::Settled(end),
                    });
                }
            },
        };
        // An empty label: `example..com` is no host, and its first half is not
        // what was meant. Three dots are an ellipsis (case ellipsis-behind-host).
        if self.dots > 1 {
            return Some(Host::Settled(self.end.filter(|_| self.dots > 2)));
        }
        self.dots = 0;
        self.word |= !item.c.is_ascii_hexdigit();
        if letter || first && !field && classes::is_unspaced_letter(item.c) {
            self.foreign = true;
            self.end = None;
        }
        if label {
            self.label(End { at: item.next, shift: item.shift });
        }
        None
    }

    /// A letter or digit ends at `here`.
    fn label(&mut self, here: End) {
        // A sentence about addresses: `http://で始まる` (case scheme-in-a-sentence).
        if !self.foreign || self.dotted {
            self.end = Some(here);
        }
    }
}

/// `iuserinfo` less `,` `;` `(` `)`, which in text stand between a host and an
/// address more often than inside a password.
fn is_userinfo(c: char) -> bool {
    classes::is_unreserved(c)
        || matches!(c, ':' | '%' | '!' | '$' | '&' | '\'' | '*' | '+' | '=')
        || !c.is_ascii()
}

/// `IPv6address / IPvFuture` of RFC 3986, without a zone.
fn is_ip_literal(text: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(text) else { return false };
    if let Some(future) = text.strip_prefix(['v', 'V']) {
        let Some((version, address)) = future.split_once('.') else { return false };
        let sub_delims = "!$&'()*+,;=:";
        return !version.is_empty()
            && version.bytes().all(|b| b.is_ascii_hexdigit())
            && !address.is_empty()
            && address.chars().all(|c| classes::is_unreserved(c) || sub_delims.contains(c));
    }
    text.parse::<core::net::Ipv6Addr>().is_ok()
}

/// What a delimited phrase leaves to the sentence at its end.
fn is_sentence_punctuation(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ':'
            | ';'
            | '!'
            | '?'
            | '…'
            | '⋯'
            | '。'
            | '、'
            | '，'
            | '．'
            | '：'
            | '；'
            | '！'
            | '？'
            | '｡'
    )
}
