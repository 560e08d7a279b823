//! Which links of a region change, and which stay because their line would be too long.

use core::{cell::RefCell, ops::Range};
use std::{string::String, vec::Vec};

use super::{
    edit::{self, Edit, Writer},
    flow,
    lines::line_end,
    others::Others,
    outcome::KeptReason,
    region::Region,
    types::Flow,
};
use crate::{
    api::finder::Finder,
    links::matched::{Match, Rewriting},
    reference::{host_cache::HostCache, octets::Octets},
};

/// The longest line of a message, without its end (RFC 5322, section 2.1.1).
const LINE_MAX: usize = 998;

/// What becomes of a link that rewriting may change.
pub(super) enum Fate {
    Changes,
    /// The link is already as rewriting would write it, because its host is kept.
    Same,
    Stays(KeptReason),
}

/// Decides about the links of a region.
pub(super) struct Judge<'a> {
    finder: &'a Finder,
    region: &'a Region<'a>,
    /// Why no link of the message is rewritten, if so.
    never: Option<&'a KeptReason>,
    /// Replacements have ASCII characters only.
    ascii: bool,
    long: Long,
    /// The hosts that were converted last.
    hosts: RefCell<HostCache>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        finder: &'a Finder,
        region: &'a Region<'a>,
        never: Option<&'a KeptReason>,
        ascii: bool,
    ) -> Judge<'a> {
        let (long, hosts) = (Long::default(), RefCell::default());
        Judge { finder, region, never, ascii, long, hosts }
    }

    /// What becomes of a link that rewriting may change. `n`: its number.
    pub(super) fn fate(&self, link: &Match<'_>, n: u64) -> Fate {
        let hosts = &mut *self.hosts.borrow_mut();
        if let Some(template) = self.finder.rules.template() {
            let mut text = String::new();
            match template.write(link, n, &mut text) {
                Err(e) => return Fate::Stays(KeptReason::NoUri(e)),
                Ok(false) => return Fate::Stays(KeptReason::NoField),
                Ok(true) if text == link.text() => return Fate::Same,
                // A line of a message, and above all of its head, must stay one line.
                Ok(true) if text.contains(['\r', '\n']) => {
                    return Fate::Stays(KeptReason::Unwritable);
                }
                Ok(true) if self.breaks_lines(link, &text) => {
                    return Fate::Stays(KeptReason::Unwritable);
                }
                Ok(true) => {}
            }
        } else if self.finder.rules.to_iri.is_some() || self.finder.rules.edit().is_some() {
            match edit::counts(self.finder, link, self.ascii, hosts) {
                (0, 0, 0) => return Fate::Same,
                (0, _, 1..) => return Fate::Stays(KeptReason::Identifier),
                (0, ..) => return Fate::Stays(KeptReason::Unwritable),
                _ => {}
            }
        } else {
            match link.rewriting(Some(hosts), &mut Octets::default()) {
                Rewriting::NoUri(e) => return Fate::Stays(KeptReason::NoUri(e)),
                Rewriting::Same => return Fate::Same,
                Rewriting::Changed => {}
            }
        }
        if let Some(why) = self.never.or(self.region.never.as_ref()) {
            return Fate::Stays(why.clone());
        }
        if !self.region.with_view(|view| view.is_writable(link.range())) {
            return Fate::Stays(KeptReason::EncodedWord);
        }
        match edit::counts(self.finder, link, self.ascii, hosts) {
            (0, _, 1..) => return Fate::Stays(KeptReason::Identifier),
            (0, ..) => return Fate::Stays(KeptReason::Unwritable),
            _ => {}
        }
        match self.region.in_base(link.range()) {
            Some(source) if !self.long.holds(source.start) => Fate::Changes,
            _ => Fate::Stays(KeptReason::LineTooLong),
        }
    }

    /// True if with `text` in the place of `link` the lines of the message would mean something else.
    fn breaks_lines(&self, link: &Match<'_>, text: &str) -> bool {
        let region = self.region;
        let Some(source) = region.in_base(link.range()) else { return false };
        if region.header.is_some() {
            return flow::empties_line(region.around_in_base(source), text);
        }
        !region.is_decoded() && begins_border(region.line_before(source.start), text)
            || region.flow != Flow::Fixed
                && flow::changes_paragraphs(region.around_in_base(source), region.transfer, text)
    }

    /// Finds the lines that rewriting would make too long; their links stay.
    ///
    /// A link that stays may need another escape sequence of ISO-2022-JP on the next line,
    /// so the search is repeated. After a few times all lines count as too long.
    pub(super) fn find_long_lines(&mut self, others: &Others<'_>, message: &[u8]) {
        for tries in 1.. {
            let lines = self.too_long(others, message);
            if lines.is_empty() {
                break;
            }
            self.long.add(lines);
            self.long.all = tries > 4;
        }
    }

    /// The lines that would be too long with all edits, in order, without those that are
    /// known already.
    fn too_long(&self, others: &Others<'_>, message: &[u8]) -> Vec<Range<usize>> {
        let region = self.region;
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut line = Line::default();
        let mut writer = Writer::new(self.finder, region.bytes(), region.is_ascii());
        let mut next = |done: Option<(Match<'_>, Edit)>| {
            let Some((link, edit)) = done else { return };
            let Some(range) = region.in_base(edit.range) else {
                found.extend(region.in_base(link.range()));
                return;
            };
            if range.start >= line.range.end {
                found.extend(line.too_long());
                line = Line::at(message, range.start);
            }
            if range.end > line.range.end {
                line.range.end = line_end(message, range.end).0.max(range.end);
            }
            line.old += range.len();
            line.new += edit.with.len();
        };
        for (n, link) in others.iter() {
            if let Fate::Changes = self.fate(&link, n) {
                next(writer.link(&link, n));
            }
        }
        next(writer.end());
        found.extend(line.too_long());
        found
    }
}

/// True if `text` after `before`, which is the start of a line of the body, makes a line that may end the
/// part (RFC 2046, section 5.1.1) or the message in an mbox.
fn begins_border(before: &[u8], text: &str) -> bool {
    match before {
        [] => text.starts_with("--") || text.starts_with("From "),
        b"-" => text.starts_with('-'),
        _ => false,
    }
}

/// The lines that rewriting would make too long.
#[derive(Default)]
struct Long {
    /// The places of the lines, in order.
    lines: Vec<Range<usize>>,
    /// Whether every line counts as too long.
    all: bool,
}

impl Long {
    fn holds(&self, at: usize) -> bool {
        let after = self.lines.partition_point(|line| line.end <= at);
        self.all || self.lines.get(after).is_some_and(|line| line.start <= at)
    }

    fn add(&mut self, lines: Vec<Range<usize>>) {
        self.lines.extend(lines);
        self.lines.sort_unstable_by_key(|line| line.start);
    }
}

/// A line with its edits.
#[derive(Default)]
struct Line {
    range: Range<usize>,
    /// How many of its bytes are replaced.
    old: usize,
    /// How many bytes replace them.
    new: usize,
}

impl Line {
    fn at(message: &[u8], at: usize) -> Line {
        let start = memchr::memrchr(b'\n', &message[..at]).map_or(0, |feed| feed + 1);
        let end = line_end(message, at).0.max(at);
        Line { range: start..end, old: 0, new: 0 }
    }

    /// Its place, if it would be too long.
    fn too_long(&self) -> Option<Range<usize>> {
        (self.range.len() - self.old + self.new > LINE_MAX).then(|| self.range.clone())
    }
}
