//! Reads each link of a text again, and each place where one could have begun.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::ops::Range;

use super::{
    decoded::Decoded,
    explanation::{Explanation, Remedy},
};
use crate::{
    api::finder::Finder,
    charset::Charset,
    data::{rules::Rule, schemes::Schemes},
    engine::{
        anchor_search::AnchorSearch,
        rules::{Anchors, Kinds},
    },
    format::kinds::Format,
    grammar::{
        candidate::{Candidate, Verdict},
        classes, explain, ip, name_start,
        start::{self, Head, What},
        types::{Anchor, Item, Kind, RuleSet, Terms},
    },
};

/// How the text from one anchor on was read. All places are indices of characters.
struct Read {
    /// Where the link begins and ends, if it is one.
    link: Option<(usize, usize)>,
    /// What ended the reading, and at which character.
    rule: Rule,
    stop: usize,
}

/// A link, or what looks like one. All places are indices of characters.
#[derive(Clone)]
pub(super) struct LinkLike {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
    /// The anchor, of what only looks like a link.
    pub(super) anchor: usize,
}

/// Explains a text; of a document, one region of running text.
pub(super) struct Explainer<'e> {
    /// Finds links in running text.
    pub(super) finder: &'e Finder,
    pub(super) text: &'e Decoded,
    pub(super) links: &'e [LinkLike],
}

/// What kind of link has this anchor.
fn kind_of(anchor: Anchor) -> Kind {
    match anchor {
        Anchor::Colon => Kind::Iri,
        Anchor::Dot => Kind::Bare,
        Anchor::At => Kind::Email,
        Anchor::Ip => Kind::Ip,
    }
}

/// How much a text of this kind says.
fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Bare | Kind::Ip => 0,
        Kind::Email => 1,
        Kind::Iri => 2,
    }
}

/// How many characters around a place count for it, and are searched again with a change.
const AROUND: usize = 1024;

/// Adds a place with its explanation, in the place of what overlaps it and says less. False if what overlaps it says as
/// much: a scheme says more than an address, and an address more than a name.
fn add(all: &mut Vec<(LinkLike, Explanation)>, new: (LinkLike, Explanation)) -> bool {
    let (start, new_rank) = (new.0.start, rank(new.0.kind));
    let said = all.iter().rev().take_while(|(it, _)| it.end > start);
    let less = said.take_while(|(it, why)| !why.link && rank(it.kind) < new_rank).count();
    let before = all.len() - less;
    let is_free = before == 0 || all[before - 1].0.end <= start;
    if is_free {
        all.truncate(before);
        all.push(new);
    }
    is_free
}

impl Explainer<'_> {
    /// The anchor at `at`, if a link could have begun before it. The last link ends at `floor`.
    fn possible_anchor(&self, at: usize, floor: usize) -> Option<Anchor> {
        Some(match self.text.char(at)? {
            _ if at < floor => return None,
            '.' | ':' if self.is_ip(at, floor) => Anchor::Ip,
            ':' if self.is_between(at, |c| !c.is_whitespace()) => Anchor::Colon,
            '.' if self.is_between(at, char::is_alphanumeric) => Anchor::Dot,
            '\u{3002}' if self.finder.rules.options.set == RuleSet::Uts58 => Anchor::Dot,
            '@' if self.is_between(at, |c| !c.is_whitespace()) => Anchor::At,
            _ => return None,
        })
    }

    pub(super) fn all(&self) -> Vec<Explanation> {
        let rules = &self.finder.rules;
        let anchors = Anchors { colon: true, dot: true, at: true, ..rules.anchors };
        let search = AnchorSearch::new(Charset::UTF_8.shape(), anchors);
        let colons =
            |at: usize| search.is_anchor_at(self.text.text.as_bytes(), self.text.chars[at].at);
        let mut all: Vec<(LinkLike, Explanation)> = Vec::new();
        let mut links = self.links.iter().peekable();
        // Where the last link ends.
        let mut floor = self.text.inner.start;
        // Up to where nothing more is to be said that says no more than this: in a text that is longer than a link may
        // be, because each anchor in it would be read as far, and in one that overlaps what was said.
        let mut passed = (0, 0);
        for at in self.text.inner.clone() {
            if let Some(link) = links.next_if(|link| link.start == at) {
                // Texts before it that were refused are parts of it.
                while all.last().is_some_and(|(place, _)| place.end > at) {
                    all.pop();
                }
                all.push((link.clone(), self.link(link, floor)));
                floor = link.end;
            }
            let Some(anchor) = self.possible_anchor(at, floor) else { continue };
            // Within a text that says as much there is nothing more to say.
            let kind = kind_of(anchor);
            let is_said = |(it, _): &(LinkLike, _)| it.end > at && rank(it.kind) >= rank(kind);
            let is_passed = passed.0 > at && passed.1 >= rank(kind);
            if is_passed || all.last().is_some_and(is_said) {
                continue;
            }
            let Some((place, why, stop)) = self.refused(anchor, at, floor) else { continue };
            let is_overlong = why.rule == Rule::MaxLength;
            if is_overlong {
                passed = (stop, u8::MAX);
            }
            // `foo:bar` and `12:30` look like no link.
            if why.rule == Rule::UnknownScheme && !colons(at) {
                continue;
            }
            if links.peek().is_some_and(|link| link.start < place.end) {
                continue;
            }
            let end = place.end;
            if !add(&mut all, (place, why)) && !is_overlong {
                passed = (end, rank(kind));
            }
        }
        // Only now, because most of them are parts of others, and each takes as long as several searches.
        let complete = |(place, mut why): (LinkLike, Explanation)| {
            if !why.link {
                why.remedies = self.remedies(&place);
            }
            why
        };
        all.into_iter().map(complete).collect()
    }
}

impl Explainer<'_> {
    /// True if the character at `at` is the first `.` or `:` of an IP address.
    fn is_ip(&self, at: usize, floor: usize) -> bool {
        let goes_on = |c: char| c.is_ascii_hexdigit() || c == ':';
        let options = &self.finder.rules.options;
        if options.set != RuleSet::Prose || !self.text.char(at + 1).is_some_and(goes_on) {
            return false;
        }
        // Where addresses are asked for, other numbers with dots are worth a word too.
        options.kinds.has(Kind::Ip)
            && self.text.char(at) == Some('.')
            && self.is_between(at, |c| c.is_ascii_digit())
            || self.head(Anchor::Ip, at, floor).is_ok_and(|head| self.read(at, head).link.is_some())
    }

    /// The head of the candidate with this anchor. Nothing starts before `floor`.
    fn head(&self, anchor: Anchor, at: usize, floor: usize) -> Result<Head, Rule> {
        let rules = &self.finder.rules;
        let floor = self.text.chars[floor].at as u64;
        let place = self.text.chars[at].at as u64;
        let mut before = self.text.before(at);
        let head = match anchor {
            Anchor::Colon => {
                start::before_colon(before, rules.schemes()).ok_or(Rule::UnknownScheme)
            }
            Anchor::Dot => {
                let head =
                    name_start::before_dot(&mut before, rules.options.set, place, floor, None);
                head.ok_or(Rule::BareLength)
            }
            Anchor::At => {
                let set = rules.options.set;
                let head = name_start::before_at(&mut before, set, place, floor, rules.any_domain);
                head.ok_or(Rule::EmailLocalPart)
            }
            Anchor::Ip => {
                let colon = self.text.char(at) == Some(':');
                ip::before(&mut before, colon, place).ok_or(Rule::IpForm)
            }
        }?;
        if head.start < floor { Err(Rule::InLink) } else { Ok(head) }
    }

    /// Reads the candidate with this head.
    fn read(&self, anchor: usize, head: Head) -> Read {
        let rules = &self.finder.rules;
        let terms = Terms {
            ascii_only: rules.options.ascii_only,
            max_len: self.text.room(head.start as usize, rules.options.max_len),
            partners: true,
        };
        let from = head.from.unwrap_or(self.text.chars[anchor].at as u64 + 1);
        let mut candidate = Candidate::new(head, from, terms, None);
        loop {
            note(1);
            let stop = self.text.index_in_text(candidate.pos as usize);
            let at = self.text.chars[stop].at as u64;
            let verdict = match self.text.char(stop) {
                Some(c) => {
                    candidate.feed(Item { c, at, next: self.text.chars[stop + 1].at as u64 })
                }
                None if stop < self.text.len() => candidate.malformed(at),
                None => candidate.stop(at),
            };
            let link = match verdict {
                Verdict::More => continue,
                Verdict::Match(found) => Some(
                    [found.start, found.end].map(|at| self.text.index_in_text(at as usize)).into(),
                ),
                Verdict::None | Verdict::Spent(_) | Verdict::TooLong => None,
            };
            let rule = match verdict {
                Verdict::TooLong => Rule::MaxLength,
                _ if candidate.is_overlong() => Rule::MaxLength,
                _ if self.text.char(stop).is_none() && stop < self.text.len() => {
                    Rule::MalformedBytes
                }
                _ if stop == self.text.len() && link.is_some() => Rule::EndOfText,
                _ => candidate.rule(link.is_some(), self.text.char(stop)),
            };
            return Read { link, rule, stop };
        }
    }

    /// Explains a link. Nothing starts before `floor`.
    fn link(&self, link: &LinkLike, floor: usize) -> Explanation {
        let anchors: &[char] = match link.kind {
            Kind::Iri => &[':'],
            Kind::Bare => &['.'],
            Kind::Email => &['@'],
            Kind::Ip => &['.', ':'],
        };
        let read = (link.start..link.end)
            .filter(|at| {
                let c = self.text.char(*at);
                // By UTS #58 the anchor of a link with a scheme is a dot or an at sign.
                c.is_some_and(|c| anchors.contains(&c))
                    || self.finder.rules.options.set == RuleSet::Uts58
                        && matches!(c, Some('.' | '@'))
            })
            .find_map(|at| {
                let anchor = if link.kind == Kind::Ip { Anchor::Ip } else { self.anchor(at) };
                let head = self.head(anchor, at, floor).ok()?;
                let read = self.read(at, head);
                (read.link == Some((link.start, link.end))).then_some((head, read))
            });
        let next = self.text.inner_char(link.end);
        let fills = link.end == self.text.inner.end && link.end < self.text.len();
        let (began, rule) = match &read {
            // The search gives up where too many delimiters were never closed.
            None => (Rule::Start, Rule::UnclosedDelimiters),
            Some((head, _)) if fills => (self.began(head, link), Rule::EndOfText),
            Some((head, read)) if read.stop == link.end => {
                (self.began(head, link), explain::refined(read.rule, next))
            }
            Some((head, read)) => (self.began(head, link), self.rule_after(link, read)),
        };
        let without = self.without(link);
        Explanation {
            range: self.text.source(link.start..link.end),
            text: self.text.between(link.start..link.end).into(),
            kind: link.kind,
            link: true,
            began,
            rule,
            at: self.text.chars[link.end - 1].end,
            character: next,
            without,
            remedies: Vec::new(),
            before: self.text.line_before(link.start),
            after: self.text.line_after(link.end),
        }
    }

    /// The rule that kept the text after a link out of it, if the reading went on over that text.
    fn rule_after(&self, link: &LinkLike, read: &Read) -> Rule {
        let after = link.end + 1;
        let next = if after < self.text.len() { self.text.char(after) } else { None };
        match self.text.char(link.end) {
            Some(c) => explain::rule_after(link.kind, (c, next), read.rule),
            None => Rule::MalformedBytes,
        }
    }

    /// Why a link with this head begins where it begins.
    fn began(&self, head: &Head, link: &LinkLike) -> Rule {
        let before = link.start.checked_sub(1).and_then(|at| self.text.char(at));
        match (head.what, before) {
            _ if head.opener.is_some() => Rule::Delimiter,
            (What::Scheme(_), Some(c)) if c.is_alphanumeric() => Rule::GluedStart,
            (What::Scheme(_), _) => Rule::Start,
            (_, Some(c)) if classes::is_mark_or_middle_dot(c) => explain::of(c),
            (What::Name { .. }, Some(c)) if c.is_alphabetic() => Rule::BareAdjoiningText,
            (What::Name { .. }, Some('.')) => Rule::BareEllipsis,
            (What::Name { .. }, _) => Rule::BareStart,
            (What::Address { .. }, Some(c)) if c.is_alphabetic() => Rule::EmailAdjoiningText,
            (What::Address { .. }, _) => Rule::EmailStart,
            (What::Ip, _) => Rule::BareStart,
        }
    }

    /// The link if the character after it were a letter, where that is another link.
    fn without(&self, link: &LinkLike) -> Option<String> {
        let c = self.text.inner_char(link.end).filter(|c| !c.is_whitespace())?;
        let letter = match c.len_utf8() {
            1 => "x",
            2 => "é",
            3 => "ḁ",
            _ => "𐐨",
        };
        let around = self.around(link);
        let before = self.text.between(around.start..link.end);
        let after = self.text.between(link.end + 1..around.end);
        let changed = [before, letter, after].concat();
        let start = self.text.between(around.start..link.start).len();
        let end = self
            .finder
            .explained()
            .find_iter(&*changed)
            .find(|it| it.range().start == start)?
            .range()
            .end;
        let text = self.text.between(around.clone()).get(start..end)?;
        (end - start > self.text.between(link.start..link.end).len()).then(|| text.into())
    }

    /// The text around a place that matters to it.
    fn around(&self, place: &LinkLike) -> Range<usize> {
        let around = place.start.saturating_sub(AROUND)..self.text.len().min(place.end + AROUND);
        note(around.len());
        around
    }

    fn anchor(&self, at: usize) -> Anchor {
        match self.text.char(at) {
            Some(':') => Anchor::Colon,
            Some('@') => Anchor::At,
            _ => Anchor::Dot,
        }
    }

    /// Explains why there is no link at an anchor, without what would make one of it, and says up to where it was
    /// read; `None` if nothing there looks like one.
    fn refused(
        &self,
        anchor: Anchor,
        at: usize,
        floor: usize,
    ) -> Option<(LinkLike, Explanation, usize)> {
        let head = self.head(anchor, at, floor);
        let kind = kind_of(anchor);
        let start = match (anchor, &head) {
            (_, Ok(head)) => self.text.index_in_text(head.start as usize),
            (Anchor::Colon, Err(_)) => self.back(at, floor, start::is_scheme),
            (Anchor::Dot | Anchor::At | Anchor::Ip, Err(_)) => {
                self.back(at, floor, |c| !c.is_whitespace())
            }
        };
        let (rule, end, decided) = match head {
            Err(rule) => {
                let end = self.forth(at, |c| !c.is_whitespace() && !explain::is_end(c));
                (rule, end, if anchor == Anchor::Colon { at } else { start })
            }
            Ok(head) => {
                let read = self.read(at, head);
                match read.link {
                    Some((_, end)) => (self.unwanted(kind), end, end),
                    None => {
                        let goes_on = |c: char| match anchor {
                            Anchor::Colon => !c.is_whitespace() && !explain::is_end(c),
                            Anchor::Dot | Anchor::At => explain::is_name(c),
                            Anchor::Ip => explain::is_name(c) || c == ':',
                        };
                        (read.rule, self.forth(at, goes_on), read.stop)
                    }
                }
            }
        };
        let end = end.min(self.text.inner.end);
        if start >= at || end <= at + 1 {
            return None;
        }
        let place = LinkLike { start, end, kind, anchor: at };
        let why = Explanation {
            range: self.text.source(start..end),
            text: self.text.between(start..end).into(),
            kind,
            link: false,
            began: Rule::Start,
            rule,
            at: self.text.chars[decided].source,
            character: self.text.inner_char(decided),
            without: None,
            remedies: Vec::new(),
            before: self.text.line_before(start),
            after: self.text.line_after(end),
        };
        Some((place, why, decided))
    }

    /// Why a link of this kind is not given, although it would be one.
    fn unwanted(&self, kind: Kind) -> Rule {
        let rules = &self.finder.rules;
        match rules.options.kinds.has(kind) {
            false => Rule::KindNotAsked,
            true if rules.options.filter.is_some() => Rule::Filtered,
            true => Rule::InLink,
        }
    }

    /// True if the characters beside `at` are both `wanted`.
    fn is_between(&self, at: usize, wanted: impl Fn(char) -> bool) -> bool {
        let is = |at: Option<usize>| at.and_then(|at| self.text.char(at)).is_some_and(&wanted);
        is(at.checked_sub(1)) && is((at + 1 < self.text.len()).then_some(at + 1))
    }

    /// The first of the characters before `at`, but not before `floor`, that all are `wanted`; of the nearest
    /// [`AROUND`], so that time stays linear.
    fn back(&self, at: usize, floor: usize, wanted: impl Fn(char) -> bool) -> usize {
        let near = self.text.chars[floor..at].iter().rev().take(AROUND);
        let len = near.take_while(|c| c.c.is_some_and(&wanted)).count();
        note(len);
        at - len
    }

    /// The first character after `at` that is not `wanted`, of the nearest [`AROUND`].
    fn forth(&self, at: usize, wanted: impl Fn(char) -> bool) -> usize {
        let near = self.text.chars[at + 1..self.text.len()].iter().take(AROUND);
        let end = at + 1 + near.take_while(|c| c.c.is_some_and(&wanted)).count();
        note(end - at);
        let tail = self.text.chars[at + 1..end].iter().rev();
        end - tail.take_while(|c| c.c.is_some_and(explain::is_trailing)).count()
    }

    /// What would make a link of what is at `place`.
    fn remedies(&self, place: &LinkLike) -> Vec<Remedy> {
        let around = self.around(place);
        let [before, text, after] =
            [around.start..place.start, place.start..place.end, place.end..around.end]
                .map(|range| self.text.between(range));
        let anchor = before.len() + self.text.between(place.start..place.anchor).len();
        let mut remedies = Vec::new();
        let same = [before, text, after].concat();
        for (option, finder) in self.finder.less_strict(place.kind) {
            if finder.find_iter(&*same).any(|link| link.range().contains(&anchor)) {
                remedies.push(Remedy::Option(option));
            }
        }
        let finder = self.finder.explained();
        let others: &[[&str; 2]] = match place.kind {
            Kind::Iri => &[],
            Kind::Bare => &[["https://", ""], ["www.", ""], ["", "/"]],
            Kind::Email => &[["mailto:", ""], ["<", ">"]],
            Kind::Ip => &[],
        };
        for [first, last] in others {
            let changed = [before, first, text, last, after].concat();
            let (start, end) = (before.len(), before.len() + first.len() + text.len());
            let whole =
                |it: Range<usize>| it.start <= start + usize::from(*first == "<") && it.end >= end;
            if finder.find_iter(&*changed).any(|link| whole(link.range())) {
                remedies.push(Remedy::Text([first, text, last].concat()));
            }
        }
        remedies
    }
}

/// Tests of linear time count the characters that are read.
#[inline]
fn note(chars: usize) {
    #[cfg(test)]
    crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + chars as u64);
    let _ = chars;
}

impl Finder {
    /// The same finder for changed text, without a filter, which looks at more than the place.
    fn explained(&self) -> Finder {
        let rules = self.rules.with(|options| options.filter = None);
        Finder { rules: Arc::new(rules), charset: Some(Charset::UTF_8), ..self.clone() }
    }

    /// Finders that want more, each with the option that makes it so.
    fn less_strict(&self, kind: Kind) -> impl Iterator<Item = (&'static str, Finder)> {
        let rules = &*self.explained().rules;
        let with = |kinds: Kinds, schemes: Option<Schemes>| {
            let rules = rules.with(|options| (options.kinds, options.schemes) = (kinds, schemes));
            Finder { rules: Arc::new(rules), charset: Some(Charset::UTF_8), format: Format::Text }
        };
        let more =
            Kind::ALL.iter().copied().filter(|it| rules.options.kinds.has(*it) || *it == kind);
        let more = with(Kinds::from_iter(more), rules.options.schemes.clone());
        let any = with(rules.options.kinds, Some(Schemes::Any));
        let option = match kind {
            Kind::Bare => "--kinds iri,bare",
            Kind::Ip => "--kinds iri,ip",
            _ => "--kinds iri,email",
        };
        let kinds = (!rules.options.kinds.has(kind)).then_some((option, more));
        kinds.into_iter().chain((kind == Kind::Iri).then_some(("--schemes any", any)))
    }
}
