//! The machine with its charset: decides on one, then lets [`Machine`] run.

use alloc::sync::Arc;

use super::{
    anchor_search::AnchorSearch,
    machine::Machine,
    rules::{Others, Rules},
};
use crate::{
    charset::{
        Charset, Shape,
        decider::Decider,
        detect::{self, Basis, Bom},
        lookahead::Lookahead,
        window::Window,
    },
    grammar::types::Found,
    links::{matched::Match, place::Surroundings},
    reference::{to_iri::HostLabels, to_uri::UriOptions},
};

/// How many bytes after a link the rules may look at to find its end: a quotation of 250 characters, in
/// UTF-32.
const LOOK_AHEAD: usize = 1024;

/// The longest rest of a text that is looked over for anchors after a link.
const REST: usize = 512;

/// Finds links in windows over one stream.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    machine: Machine,
    decider: Decider,
    /// What the machine reads.
    charset: Charset,
    /// If rewriting goes to IRIs: a link that was found, until the text after it has come.
    waiting: Option<Found>,
    /// If rewriting goes to IRIs: what is around the last link.
    surroundings: Option<Surroundings>,
}

/// Where the first anchor of a text is.
pub(crate) enum First {
    None,
    /// At this place, in a text of this charset. It is a `:` if the last is true.
    At(u64, Charset, bool),
    /// The text has to be searched to know it.
    Unknown,
}

impl Search {
    /// `given`: the charset, if the caller knows it.
    #[inline(always)]
    pub(crate) fn new(rules: Arc<Rules>, given: Option<Charset>) -> Search {
        Search::of(rules, Decider::new(given))
    }

    /// A search in the middle of a stream of `charset`.
    pub(crate) fn within(rules: Arc<Rules>, charset: Charset) -> Search {
        Search::of(rules, Decider::within(charset))
    }

    /// Where the first anchor of a text is that is there as a whole.
    #[inline]
    pub(crate) fn first_anchor(rules: &Rules, given: Option<Charset>, bytes: &[u8]) -> First {
        // Whatever the charset is, an anchor has its byte.
        let Some(mut at) = rules.anchors.first_byte(bytes) else { return First::None };
        let charset = match (given, detect::bom(Lookahead::whole(bytes))) {
            _ if cfg!(iriscan_strings) => Charset::UTF_8,
            (Some(charset), Bom::Absent) => charset,
            _ => return First::Unknown,
        };
        let shape = charset.shape();
        // In other charsets an ASCII byte may be half of a character.
        if !matches!(shape, Shape::Utf8 | Shape::Single) || rules.anchors.others != Others::None {
            return First::Unknown;
        }
        let anchors = AnchorSearch::new(shape, rules.anchors);
        while !anchors.is_anchor_at(bytes, at) {
            match rules.anchors.first_byte(&bytes[at + 1..]) {
                Some(next) => at += 1 + next,
                None => return First::None,
            }
        }
        First::At(at as u64, charset, bytes[at] == b':')
    }

    /// False if `rest`, which follows a link in a text whose charset is known, has no link, because no byte of it can
    /// be an anchor. A long one is not looked at, and may have some.
    #[inline]
    pub(crate) fn may_go_on(&self, rest: &[u8]) -> bool {
        rest.len() > REST || self.machine.rules().anchors.may_be_in(rest)
    }

    /// A search in a text of `charset` whose first anchor is at `at`, a `:` if `colon`.
    #[inline(always)]
    pub(crate) fn from_anchor(
        rules: Arc<Rules>,
        charset: Charset,
        (at, colon): (u64, bool),
    ) -> Search {
        // Of most texts nearly all values are constants.
        let mut search = match charset == Charset::UTF_8 {
            true => Search::of(rules, Decider::within(Charset::UTF_8)),
            false => Search::of(rules, Decider::within(charset)),
        };
        search.machine.begin_at(at, colon);
        search
    }

    /// A search for the rest of the stream, from `offset` on.
    pub(crate) fn rest(&self, rules: Arc<Rules>, offset: u64) -> Search {
        let mut search = Search::of(rules, self.decider.rest(offset));
        search.machine.skip_to(offset);
        search
    }

    #[inline(always)]
    fn of(rules: Arc<Rules>, decider: Decider) -> Search {
        let charset = decider.charset().0;
        let machine = Machine::new(rules, charset);
        Search { machine, decider, charset, waiting: None, surroundings: None }
    }

    /// Starts over with another text of the charset that was decided on.
    pub(crate) fn restart(&mut self) {
        debug_assert!(self.is_decided(), "the charset should be known");
        debug_assert!(self.waiting.is_none(), "all links of the text should have been given");
        self.machine.restart();
    }

    /// The charset, and why; until it is decided, UTF-8 because all bytes read so far are ASCII.
    pub(crate) fn charset(&self) -> (Charset, Basis) {
        self.decider.charset()
    }

    /// The charset of a link that ends at `end`.
    #[inline]
    pub(crate) fn charset_before(&self, end: u64) -> Charset {
        self.decider.charset_before(end)
    }

    /// Whether the charset is not decided where a link ends at `end`.
    #[inline]
    pub(crate) fn is_undecided(&self, end: u64) -> bool {
        self.decider.is_undecided(end)
    }

    /// Whether [`Search::charset`] is final.
    pub(crate) fn is_decided(&self) -> bool {
        self.decider.is_decided()
    }

    /// Whether more bytes are needed to decide.
    pub(crate) fn awaits(&self) -> bool {
        self.decider.awaits()
    }

    /// As [`Decider::hurry`].
    pub(crate) fn hurry(&mut self, now: bool) {
        self.decider.hurry(now);
    }

    /// How the links are converted.
    #[inline]
    pub(crate) fn uri_options(&self) -> UriOptions {
        self.machine.rules().uri
    }

    /// How many links of the text were too long.
    pub(crate) fn overlong(&self) -> u64 {
        self.machine.overlong
    }

    /// Bytes of decoded text that are held.
    pub(crate) fn held(&self) -> usize {
        self.machine.held()
    }

    pub(crate) fn settled(&self) -> u64 {
        let waiting = self.waiting.map_or(u64::MAX, |found| found.start);
        self.machine.settled().min(waiting)
    }

    pub(crate) fn keep(&self) -> u64 {
        // With the character before a link, which counts if that is rewritten to an IRI.
        if self.machine.rules().to_iri.is_none() {
            return self.machine.keep();
        }
        let waiting = self.waiting.as_ref().map_or(u64::MAX, |found| found.start);
        self.machine.keep().min(waiting).saturating_sub(4)
    }

    /// True if rewriting may change the last link to an IRI, so that what is around it counts.
    #[inline(always)]
    pub(crate) fn has_surroundings(&self) -> bool {
        self.surroundings.is_some()
    }

    /// Gives the last link what is around it.
    // Links are not moved, because that would cost those that have nothing around them too.
    #[cold]
    #[inline(never)]
    pub(crate) fn surround(&mut self, link: &mut Match<'_>) {
        if let Some(surroundings) = self.surroundings.take() {
            link.set_surroundings(surroundings);
        }
    }

    /// The first border between characters at or after `at`, read from the
    /// border `from` on.
    pub(crate) fn border_after(&self, w: Window<'_>, from: u64, at: u64) -> u64 {
        self.machine.border_after(w, from, at)
    }

    /// As [`Machine::next`], but only links that the filter chooses. If links in queries are found too, all links:
    /// one that is not chosen may have one that is.
    #[inline]
    pub(crate) fn next(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        let rules = self.machine.rules();
        match (&rules.options.filter, &rules.to_iri) {
            (None, None) => self.find(w, found),
            _ if !cfg!(iriscan_strings) => self.chosen(w, found),
            _ => self.find(w, found),
        }
    }

    /// The text around `found`. `None`: more of the text must come first, so that the answer does not
    /// depend on where the window ends.
    fn look_around(&self, w: Window<'_>, found: &Found) -> Option<Surroundings> {
        let rest = &w.bytes[w.index(found.end)..];
        let near = &rest[..rest.len().min(LOOK_AHEAD)];
        let charset = if near.first().is_some_and(|b| b.is_ascii()) && !self.is_decided() {
            self.charset_before(found.end)
        } else {
            self.charset
        };
        let text = charset.decode_shifted(near, found.shifts().1);
        let space = text.char_indices().find(|(_, c)| c.is_whitespace());
        let is_cut = space.is_none() && rest.len() > LOOK_AHEAD;
        let after = match space {
            Some((at, c)) => &text[..at + c.len_utf8()],
            None if rest.len() <= LOOK_AHEAD && !w.last() => return None,
            // A character at the end is cut off too.
            None if is_cut => text.trim_end_matches('\u{FFFD}'),
            None => &text,
        };
        Some(Surroundings { before: before(w, found, charset), after: after.into(), is_cut })
    }

    /// As [`Search::find`], but only links that the filter chooses, or all that may have others in them.
    #[inline(never)]
    fn chosen(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        loop {
            match self.waiting.take() {
                Some(link) => *found = link,
                None if self.find(w, found) => {}
                None => return false,
            }
            let source = &w.bytes[w.index(found.start)..w.index(found.end)];
            self.surroundings = None;
            if self.may_be_readable(source) {
                let Some(surroundings) = self.look_around(w, found) else {
                    self.waiting = Some(*found);
                    return false;
                };
                self.surroundings = Some(surroundings);
            }
            let charset = self.charset_before(found.end);
            let rules = self.machine.rules();
            if rules.nested.is_some()
                || rules.choose(&Match::of(source, *found, charset, rules.uri))
            {
                return true;
            }
        }
    }

    /// True if rewriting may change a link with the bytes `source` to an IRI.
    fn may_be_readable(&self, source: &[u8]) -> bool {
        let Some(options) = &self.machine.rules().to_iri else { return false };
        let punycode = options.get_host() == HostLabels::Unicode;
        match punycode {
            true => memchr::memchr3(b'%', b'x', b'X', source).is_some(),
            false => memchr::memchr(b'%', source).is_some(),
        }
    }

    #[inline(always)]
    fn find(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        if cfg!(iriscan_strings) {
            return self.machine.next(w, found);
        }
        if self.decider.has_read(w.end()) {
            let is_link = self.machine.next(w, found);
            if !is_link {
                self.decider.advance(w);
            }
            return is_link;
        }
        self.undecided(w, found)
    }

    #[inline(never)]
    fn undecided(&mut self, w: Window<'_>, found: &mut Found) -> bool {
        let Search { machine, decider, charset, .. } = self;
        let link = decider.drive(w, |decider, readable| {
            let now = decider.charset().0;
            if core::mem::replace(charset, now) != now {
                machine.change_charset(now, w, decider.ascii());
            }
            let window = if readable == w.end() { w } else { w.until(readable) };
            machine.next(window, found).then_some(())
        });
        link.is_some()
    }
}

/// The character directly before `found`, if it is a sign or white space of ASCII. These are a part of
/// another character in no charset.
fn before(w: Window<'_>, found: &Found, charset: Charset) -> Option<char> {
    let before = &w.bytes[..w.index(found.start)];
    let last = match charset.shape() {
        Shape::Wide { width, big } => {
            let unit = &before[before.len().saturating_sub(width)..];
            let last = if big { unit.last() } else { unit.first() };
            last.filter(|_| unit.iter().filter(|b| **b == 0).count() == width - 1)
        }
        _ => before.last().filter(|_| found.shifts().0.is_latin()),
    };
    last.filter(|b| **b < b'0').map(|b| char::from(*b))
}
