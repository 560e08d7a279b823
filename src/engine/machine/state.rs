//! The state of the machine, and the values that its parts hand to each other.

use alloc::{boxed::Box, sync::Arc};

use crate::{
    charset::{Charset, Shape, cursor::Cursor, transcoder::Transcoder, window::Window},
    engine::{
        anchor_search::AnchorSearch,
        rules::{AT_ONCE_MAX, Rules},
    },
    grammar::{
        candidate::Candidate,
        types::{Found, RuleSet},
    },
};

/// Failed searches for a closing delimiter.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fruitless {
    pub(super) count: u8,
    /// They count up to here.
    pub(super) until: u64,
}

/// The machine. One per stream.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(super) rules: Arc<Rules>,
    pub(super) units: Units,
    /// Masks measure runs of characters, and read names and addresses.
    pub(super) fast: bool,
    pub(super) cursor: Cursor,
    /// Makes the text that is read, if the bytes of the source are not read as they are. Then all
    /// offsets here are those of the text.
    pub(super) transcoder: Option<Box<Transcoder>>,
    /// No link of [`AT_ONCE_MAX`] bytes is too long.
    pub(super) roomy: bool,
    /// The text is what most texts are; see `web`.
    pub(super) plain: bool,
    pub(super) anchors: AnchorSearch,
    pub(super) state: State,
    /// All bytes before are text, or belong to a link that was reported.
    pub(super) settled: u64,
    /// The next window starts here or before.
    pub(super) keep: u64,
    /// Links that were too long.
    pub(crate) overlong: u64,
    /// No link starts before.
    pub(super) floor: u64,
    /// No anchor before this place is left to look at.
    pub(super) scan: u64,
    /// The names around dots before this place have been read.
    pub(super) named: u64,
    /// The IP addresses around anchors before this place have been read.
    pub(super) addressed: u64,
    /// A `:` that may be an anchor is at `scan`. Only [`Machine::next_plain`] asks.
    pub(super) at_colon: bool,
    /// The next window decides whether a label follows the `.` at `scan`.
    pub(super) waits: bool,
    /// The last dot around which no name was found. The run around it may be too long for any of
    /// its dots.
    pub(super) endless: Option<u64>,
    pub(super) fruitless: Fruitless,
}

/// How many units of UTF-16 around an anchor the fast path gets.
pub(super) const NARROW: usize = 384;
/// How the bytes of a charset are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Units {
    /// ASCII bytes between characters are themselves.
    Bytes,
    Utf16 {
        big: bool,
    },
    Others,
}

impl Units {
    pub(super) fn of(shape: Shape) -> Units {
        match shape {
            Shape::Utf8 | Shape::Single | Shape::Multi => Units::Bytes,
            Shape::Wide { width: 2, big } => Units::Utf16 { big },
            Shape::Wide { .. } | Shape::Stateful => Units::Others,
        }
    }
}

/// What reading on in a candidate led to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A link, which was written to the place of the caller.
    Link,
    /// The candidate is no link: seek on.
    NoLink,
    /// The next window decides.
    NeedMore,
}

#[derive(Clone, Debug)]
pub(super) enum State {
    Seek,
    /// A candidate is being read. `hold`: where the earliest candidate may start that the next window
    /// decides about. The candidate has its own memory, because a search is moved more often than a
    /// candidate is opened.
    Open {
        candidate: Box<Candidate>,
        anchor: u64,
        hold: Option<u64>,
    },
    /// A link was too long: the text up to the next delimiter is skipped.
    Skip {
        pos: u64,
    },
}

impl Machine {
    #[inline(always)]
    pub(crate) fn new(rules: Arc<Rules>, charset: Charset) -> Machine {
        let transcoder = transcodes(&rules, charset.shape());
        let transcoder = transcoder.then(|| Box::new(Transcoder::new(charset, 0)));
        let cursor = Cursor::new(if transcoder.is_some() { Charset::UTF_8 } else { charset });
        let roomy = is_roomy(rules.options.max_len, transcoder.is_some());
        let fast = rules.options.set == RuleSet::Prose && rules.tuning.fast_path;
        let plain = rules.is_plain() && charset.shape() == Shape::Utf8;
        Machine {
            fast,
            units: Units::of(cursor.shape()),
            anchors: AnchorSearch::new(cursor.shape(), rules.anchors),
            rules,
            cursor,
            transcoder,
            roomy,
            plain,
            state: State::Seek,
            settled: 0,
            keep: 0,
            overlong: 0,
            floor: 0,
            scan: 0,
            named: 0,
            addressed: 0,
            at_colon: false,
            waits: false,
            endless: None,
            fruitless: Fruitless::default(),
        }
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Starts at `offset`. Nothing before it is part of the text.
    pub(crate) fn skip_to(&mut self, offset: u64) {
        (self.settled, self.keep, self.floor, self.scan) = (offset, offset, offset, offset);
        self.at_colon = false;
        if let Some(transcoder) = &mut self.transcoder {
            transcoder.restart(offset);
        }
    }

    /// The first anchor is at `offset`, a `:` if `colon`.
    #[inline(always)]
    pub(crate) fn begin_at(&mut self, offset: u64, colon: bool) {
        (self.scan, self.at_colon) = (offset, colon);
    }

    /// Starts over with another text of the same charset.
    pub(crate) fn restart(&mut self) {
        self.state = State::Seek;
        self.skip_to(0);
        (self.named, self.addressed, self.endless) = (0, 0, None);
        self.waits = false;
        self.fruitless = Fruitless::default();
        self.overlong = 0;
    }

    /// Reads what is not settled yet in `charset`. All bytes so far, up to `ascii` in `w`, were read as
    /// ASCII.
    pub(crate) fn change_charset(&mut self, charset: Charset, w: Window<'_>, ascii: u64) {
        self.transcoder = transcodes(&self.rules, charset.shape()).then(|| {
            let before = &w.bytes[w.index(self.keep)..w.index(ascii)];
            Box::new(Transcoder::following(charset, before, ascii))
        });
        let transcoded = self.transcoder.is_some();
        self.roomy = is_roomy(self.rules.options.max_len, transcoded);
        self.cursor = Cursor::new(if transcoded { Charset::UTF_8 } else { charset });
        let shape = self.cursor.shape();
        self.anchors = AnchorSearch::new(shape, self.rules.anchors);
        self.units = Units::of(shape);
        self.plain = self.rules.is_plain() && charset.shape() == Shape::Utf8;
        if let Shape::Wide { width, .. } = self.cursor.shape() {
            // The first characters were read as ASCII with NULs after them. A link that was too
            // long there was none.
            self.overlong = 0;
            self.state = State::Seek;
            self.scan = self.settled.next_multiple_of(width as u64);
            self.floor = self.settled;
        }
    }

    /// True if ASCII bytes between characters are themselves, without state.
    pub(super) fn bytewise(&self) -> bool {
        matches!(self.units(), Units::Bytes)
    }

    /// How the bytes are read.
    #[inline(always)]
    pub(super) fn units(&self) -> Units {
        if cfg!(iriscan_strings) { Units::Bytes } else { self.units }
    }

    /// Makes the text that is read, if that is not the source.
    #[inline(always)]
    pub(super) fn transcoder(&self) -> Option<&Transcoder> {
        if cfg!(iriscan_strings) { None } else { self.transcoder.as_deref() }
    }
}

/// True if no link of [`AT_ONCE_MAX`] bytes is too long. In ISO-2022-JP an escape sequence of three bytes
/// may be before each.
fn is_roomy(max_len: u64, transcoded: bool) -> bool {
    max_len >= AT_ONCE_MAX as u64 * if transcoded { 8 } else { 2 }
}

/// True if the source is decoded to UTF-8 first: where the meaning of a byte depends on the bytes
/// before, and by UTS #58 in multi-byte charsets, whose own full stop may separate labels.
fn transcodes(rules: &Rules, shape: Shape) -> bool {
    !cfg!(iriscan_strings)
        && (shape == Shape::Stateful
            || shape == Shape::Multi && rules.options.set == RuleSet::Uts58)
}

/// The answer of the fast path to a `.` or an `@`.
pub(super) enum Answer {
    Link(Found),
    /// No link is here.
    NoLink,
    /// No link has its last dot before this place.
    NoLinkBefore(u64),
}

/// How many of the [`NARROW`] units come before the anchor.
pub(super) const NARROW_BEFORE: usize = 80;

/// The text around an anchor, one byte a unit. It is the window itself; of UTF-16, a copy of
/// a piece of the window, with 80 in place of units that are not ASCII.
///
/// `WIDTH`: bytes of the source a unit. A constant, so that a place is an offset where a unit is a
/// byte.
pub(super) struct Near<'n, const WIDTH: u64> {
    pub(super) bytes: &'n [u8],
    /// The anchor.
    pub(super) at: usize,
    /// Absolute offset of the first unit, in bytes.
    pub(super) base: u64,
    /// The text ends where `bytes` end.
    pub(super) last: bool,
    pub(super) shape: Shape,
}

impl<const WIDTH: u64> Near<'_, WIDTH> {
    pub(super) fn absolute(&self, at: usize) -> u64 {
        self.base + at as u64 * WIDTH
    }

    /// The index of the unit at the absolute offset `at`; 0 if that is before the first.
    pub(super) fn index(&self, at: u64) -> usize {
        (at.saturating_sub(self.base) / WIDTH) as usize
    }
}

/// The result of looking for a plain `http` or `https` before a `:`.
pub(super) enum Http {
    /// The head, which was written to the place of the caller.
    Head,
    NoHead,
    /// It is neither, or the characters before it have to be read one by one.
    Unsure,
}

/// The last place in `before` that is surely between characters: after an ASCII byte that is not
/// a digit. (Digits are second bytes in gb18030.)
pub(super) fn border(before: &[u8]) -> usize {
    let last = |b: &u8| b.is_ascii() && !b.is_ascii_digit();
    before.iter().rposition(last).map_or(0, |i| i + 1)
}
