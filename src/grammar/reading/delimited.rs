//! The reading of a link between delimiters: its partner, and what shows that there is none.
//!
//! One character after the other goes in; out comes that it is the partner, that the delimiters hold a sentence,
//! code or markup and not one link, or that it is a character like others.

use super::{
    super::{
        authority::Authority,
        classes,
        host::Host,
        types::{Field, Opener, Part, Step},
    },
    Reading,
    state::{Another, Bounds, Control, Last, Stage},
};

/// True for a character that a pattern has after a `\`.
fn is_of_pattern(c: char) -> bool {
    matches!(c, '.' | '?' | '+' | '*' | '(' | ')' | '[' | ']' | '-' | 'd' | 'w' | 'D' | 'W' | 'S')
}

impl Reading {
    /// What `c` is to a link after the opener `by`: the end of it, if it is not a character like
    /// others.
    pub(super) fn delimiter(&mut self, by: Opener, depth: u32, c: char) -> Option<Step> {
        if matches!(by.open, '"' | '\'') && self.ends_control(c) {
            return Some(Step::NoPartner);
        }
        // What follows is a label (case labels-after-bars).
        let label = self.labelled && c == '|' && self.read.before != '\\';
        if label && matches!(self.stage, Stage::Tail { .. }) {
            return Some(self.partner(by.field));
        }
        if c == by.close {
            if self.read.escape {
                return Some(Step::NoPartner);
            }
            if depth == 0 {
                return Some(self.partner(by.field));
            }
            self.bounds = Bounds::Delimited { by, depth: depth - 1 };
        } else if c == by.open && matches!(by.open, '(' | '[') {
            // Other openers are encoded by conversion, and must not count for that reason.
            self.bounds = Bounds::Delimited { by, depth: depth + 1 };
        } else if by.is_of_text() && self.breaks_phrase(by, c) {
            return Some(Step::NoPartner);
        }
        let breaks = by.field == Field::Whole && self.breaks_attribute(by, c);
        breaks.then_some(Step::NoPartner)
    }

    /// Ends the link at the partner of its opener.
    pub(super) fn partner(&self, field: Field) -> Step {
        let end = match &self.stage {
            Stage::Name { .. } => None,
            Stage::Authority(authority) if !authority.is_whole() => None,
            // `"http://a.org:" + port` (case port-to-be-filled-in).
            Stage::Authority(Authority { host: Host::Port { digits: 0, .. }, .. })
                if self.is_in_quotes() =>
            {
                None
            }
            _ => self.end(),
        };
        Step::Done(match field {
            Field::Phrase => end,
            Field::Whole => end.and(self.read.end),
        })
    }

    /// True if `c` shows that an escape is that of a control: `\u00` or `\x`, and `0` or `1` (case
    /// escaped-controls).
    fn ends_control(&mut self, c: char) -> bool {
        let was = self.read.control;
        self.read.control = match (was, c) {
            (_, '\\') => Control::Escape,
            (Control::Escape, 'u') => Control::Unicode,
            (Control::Unicode, '0') => Control::Zero,
            (Control::Zero, '0') | (Control::Escape, 'x') => Control::Digits,
            _ => Control::No,
        };
        was == Control::Digits && matches!(c, '0' | '1')
    }

    /// True if `c` shows that the delimiters hold a sentence or a piece of code, and not one link.
    fn breaks_phrase(&mut self, by: Opener, c: char) -> bool {
        let quote = matches!(by.open, '"' | '\'');
        let escaped = core::mem::take(&mut self.read.escape);
        let another = &mut self.joined.another;
        match c {
            '<' | '>' | '"' | '`' => true,
            // In strings `\u0026` and `\/` are characters (case escapes-in-phrases).
            '\\' => {
                (self.read.escape, *another) = (true, Another::No);
                escaped || !quote
            }
            // Those of a pattern are in no other string (case patterns-in-quotes).
            c if escaped && !matches!(c, 'u' | 'x' | '/') && !is_of_pattern(c) => true,
            ',' | ';' if !matches!(self.stage, Stage::Tail { part: Part::Query }) => {
                *another = Another::Scheme;
                false
            }
            c if c.is_ascii() => {
                let before = *another;
                if self.begins_another(c) {
                    return true;
                }
                // An escaped character counts as the character does (case
                // phrase-with-two-links-escaped).
                let another = &mut self.joined.another;
                match (before, c) {
                    (_, '%') => *another = Another::Percent,
                    (Another::Percent, '8' | '9' | 'A'..='F' | 'a'..='f') => {
                        *another = Another::Escape;
                    }
                    (Another::Escape, c) if c.is_ascii_hexdigit() => *another = Another::Scheme,
                    _ => {}
                }
                false
            }
            // A phrase with two links is a sentence (case phrase-with-two-links).
            c => {
                // In a host the character is part of a label.
                let host = matches!(self.stage, Stage::Authority(_));
                *another = if host { Another::No } else { Another::Scheme };
                // A phrase with text directly after an ASCII link is a sentence too (case
                // phrase-with-text).
                !quote
                    && by.field == Field::Phrase
                    && self.read.all_ascii
                    && self.read.last == Last::Closed
                    && (classes::ends_sentence_unspaced(c)
                        || classes::is_unspaced_letter(c) && !self.is_in_first_label()
                        || classes::is_symbol(c))
            }
        }
    }

    /// True if `c` shows that the value of an attribute is a piece of code, or of markup that is cut
    /// off (case attribute-in-code).
    fn breaks_attribute(&mut self, by: Opener, c: char) -> bool {
        if !matches!(by.open, '"' | '\'') {
            return false;
        }
        let escaped = core::mem::replace(&mut self.read.escape, c == '\\');
        let tag = core::mem::replace(&mut self.read.tag, c == '<');
        escaped && matches!(c, 'n' | 'r' | 't' | '"' | '\'')
            || tag && c == '/'
            || by.open == '\'' && c == '"'
    }

    /// True between straight quotes.
    fn is_in_quotes(&self) -> bool {
        matches!(self.bounds, Bounds::Delimited { by: Opener { open: '"' | '\'', .. }, .. })
    }
}
