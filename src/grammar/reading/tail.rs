//! The reading of the tail, which is path, query and fragment, by Link_Term of UTS #58 with rules for prose.
//!
//! One character after the other goes in; out comes that the tail goes on, or where the link ended. What must
//! hold: after each character the end is where the link would end if the text ended there.

use super::{
    super::{
        classes,
        marks::{Marked, Next},
        name_end::is_mark,
        tagged::Tagged,
        types::{End, Field, Item, Opener, Part, Step},
    },
    Reading,
    state::{Another, Bounds, Joined, Mailto, Stage},
};
use crate::data::{link_term::LinkTerm, properties, rules::Rule};

impl Reading {
    /// True if the link, which is delimited `by` an opener, does not end in `c` where its partner follows.
    #[inline]
    fn is_loose(&self, by: Opener, c: char) -> bool {
        by.field != Field::Whole
            && (is_sentence_punctuation(c) && !is_kept(by.open, c)
                || classes::is_invisible(c, self.read.before))
    }

    pub(super) fn tail(&mut self, item: Item) -> Step {
        let here = End { at: item.next };
        if !matches!(self.mailto, Mailto::No)
            && let Some(step) = self.domain(item.c)
        {
            return step;
        }
        if let Bounds::Delimited { by, .. } = self.bounds {
            if !self.is_loose(by, item.c) {
                self.end = Some(here);
            }
            return Step::More;
        }
        if self.tagged.is_pattern(item.c) {
            return self.refuse(Rule::Pattern);
        }
        if let Some(end) = self.tagged.feed(item.c) {
            self.rule = match item.c {
                ']' | ',' => Rule::TagAfterLink,
                _ => self.rule,
            };
            return Step::Done(end);
        }
        if item.c == ',' {
            if self.listed {
                self.rule = Rule::CommaOfList;
                return Step::Done(self.end);
            }
            if matches!(self.read.before, '/' | '?' | '#' | '=') {
                self.tagged = Tagged::Comma { without: self.end };
            }
        }
        if let Some(end) = self.escaped.delimiter(item.c, self.end) {
            self.rule = Rule::EscapedDelimiter;
            return Step::Done(end);
        }
        self.end = self.escaped.entity(item.c, self.end);
        if self.is_separated(item.c) {
            self.rule = match self.joined.bar {
                Some(_) if self.labelled => Rule::LabelAfterBar,
                Some(_) => Rule::Bar,
                None => Rule::JoinedLinks,
            };
            return Step::Done(self.joined.cut);
        }
        let Stage::Tail { part: now } = &mut self.stage else { return Step::More };
        let was = *now;
        // An expression of RFC 6570: `/file{/file}{#fragment}` (case placeholders-in-a-path).
        if self.read.before == '{' && matches!(item.c, '/' | '#' | '?' | '&') {
            return self.term(item.c, here);
        }
        *now = was.behind(item.c);
        // UTS #58, termination: initiators and separators clear the brackets.
        let turned = *now != was;
        if turned || matches!((was, item.c), (Part::Path, '/') | (Part::Query, '=' | '&')) {
            self.brackets.clear();
        }
        self.term(item.c, here)
    }

    /// Reads a `\`. It ends the link, unless it is in a pattern: then there is none (case patterns).
    #[cold]
    pub(super) fn backslash(&mut self, item: Item) -> Step {
        if self.is_at_drive(item) {
            return Step::Done(None);
        }
        if matches!(self.read.before, '(' | '[') {
            return self.refuse(Rule::Pattern);
        }
        self.tagged = Tagged::Escape { without: self.end() };
        Step::More
    }

    /// True if the text is half a placeholder, where it ends or a space follows: `/{Your name}`, `/{{ x }}` (case
    /// placeholders-with-spaces).
    #[cold]
    pub(super) fn is_placeholder(&self) -> bool {
        let least = if self.read.before == '{' { 2 } else { 1 };
        !self.is_settled() && self.brackets.braces() >= least
    }

    /// True if text follows the link already, whatever comes next.
    pub(super) fn is_settled(&self) -> bool {
        let text = matches!(&self.adjoining, Some((_, adjoining)) if adjoining.is_text());
        text || self.tagged.is_settled()
    }

    /// True for a mark directly after ASCII in the domain of a `mailto:`.
    #[inline]
    pub(super) fn is_mark_of_domain(&self, c: char) -> bool {
        matches!(self.mailto, Mailto::Domain | Mailto::Mark(_))
            && is_mark(c)
            && self.read.before.is_ascii_alphanumeric()
    }

    /// What `c` is to the domain of a `mailto:`, which a mark ends as it does a host (case
    /// marks-after-mailto).
    #[cold]
    fn domain(&mut self, c: char) -> Option<Step> {
        if let Mailto::Mark(mark) = &mut self.mailto {
            return Some(match mark.feed(c) {
                None => Step::More,
                Some(Next::Text) => Step::Done(self.end),
                Some(Next::Label | Next::Dot) => {
                    self.end = None;
                    self.refuse(Rule::MarkInHost)
                }
            });
        }
        match c {
            '@' => self.mailto = Mailto::Domain,
            '?' | '#' => self.mailto = Mailto::No,
            c if self.is_mark_of_domain(c) => {
                if matches!(self.bounds, Bounds::Delimited { .. }) {
                    return Some(Step::Done(None));
                }
                self.mailto = Mailto::Mark(Marked::new());
                return Some(Step::More);
            }
            _ => {}
        }
        None
    }

    /// Reads `c`, which ends at `here`, by its Link_Term.
    fn term(&mut self, c: char, here: End) -> Step {
        match properties::link_term(c) {
            LinkTerm::Hard => return Step::Done(self.end),
            // Emphasis, ellipses and dashes at the end belong to the sentence (cases
            // emphasis-stars, emphasis-marks, trailing-ellipsis, trailing-dash), a
            // bar to the table (case bars).
            _ if matches!(c, '*' | '|' | '…' | '⋯' | '–' | '—' | '―') => {}
            _ if self.emphasis == Some(c) => {}
            _ if classes::is_invisible(c, self.read.before) => {}
            LinkTerm::Include => self.include(here),
            // A pair of these belongs to the link (case quotes-in-pairs).
            LinkTerm::Soft if c == '\'' => {
                if self.quoted {
                    self.include(here);
                }
                self.quoted = !self.quoted;
            }
            // The closing mark of a quotation belongs to the link.
            LinkTerm::Soft if core::mem::take(&mut self.unquoted) => self.include(here),
            LinkTerm::Soft => {}
            // An opening bracket at the end belongs to the sentence.
            LinkTerm::Open => {
                let without = self.tagged.end_without().unwrap_or(self.end);
                if c == '[' && self.brackets.open_square(without) {
                    let query = matches!(self.stage, Stage::Tail { part: Part::Query });
                    let label = !query && !matches!(self.read.before, '/' | '_');
                    self.tagged = Tagged::Square { without, label };
                }
                if !self.brackets.open(c) || self.brackets.is_nested() {
                    self.rule = Rule::UnclosedSquareBracket;
                    return Step::Done(self.end);
                }
            }
            LinkTerm::Close => {
                if !self.brackets.close(c) {
                    return Step::Done(self.end);
                }
                // The `]` of a label does not say that the link goes on.
                match c {
                    ']' => self.end = Some(here),
                    _ => self.include(here),
                }
                self.brackets.close_square();
            }
        }
        Step::More
    }

    /// The link goes up to `here`, and what comes before in square brackets is no label.
    #[inline]
    fn include(&mut self, here: End) {
        self.end = Some(here);
        if self.tagged.is_labelled() {
            self.tagged = Tagged::No;
        }
    }

    /// True if `c` shows that the link ended at `cut`: another link begins after a comma, a semicolon
    /// or a bar, or a field after a bar (cases links-joined, bars).
    fn is_separated(&mut self, c: char) -> bool {
        let query = matches!(self.stage, Stage::Tail { part: Part::Query });
        match c {
            '|' => {
                let end = self.end();
                let Joined { another, cut, bar } = &mut self.joined;
                *cut = *bar.get_or_insert(end);
                let empty = *another == Another::Bar;
                *another = if empty { Another::No } else { Another::Bar };
                self.labelled || empty && !query
            }
            ',' | ';' if !query => {
                let cut = self.end();
                self.joined = Joined { another: Another::Scheme, cut, ..self.joined };
                false
            }
            c => self.begins_another(c),
        }
    }

    /// True if `c` completes the `://` of another link, or the `=` of a field.
    pub(super) fn begins_another(&mut self, c: char) -> bool {
        self.joined.another = match (self.joined.another, c) {
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
}

/// True for a sign at the end of a phrase that belongs to the link after the opener `open`: what straight quotes
/// enclose is data, as in `"http://…,"`.
pub(super) fn is_kept(open: char, c: char) -> bool {
    matches!(open, '\'' | '"') && c == ','
}

/// Punctuation at the end of a delimited phrase that belongs to the sentence.
pub(super) fn is_sentence_punctuation(c: char) -> bool {
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
