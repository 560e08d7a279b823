//! The names of what the reader decides by the class of a character alone. What it decides by more, it names
//! itself ([`Candidate::rule`](super::candidate::Candidate::rule)).

use super::{
    classes,
    name::is_part,
    types::{Kind, RuleSet},
};
use crate::data::{link_term::LinkTerm, properties, rules::Rule};

/// The rule by which `c` ended a link, where the reader says `rule`.
pub(crate) fn refined(rule: Rule, c: Option<char>) -> Rule {
    match (rule, c) {
        (Rule::WhiteSpace, None) => Rule::EndOfText,
        (Rule::HostEnd, Some(c)) if is_wide_dot(c) => Rule::IdeographicFullStop,
        (Rule::HostEnd, None) => Rule::EndOfText,
        (Rule::WhiteSpace | Rule::HostEnd, Some(c)) => of(c),
        (Rule::BareEnd, Some(c)) if classes::is_mark_or_middle_dot(c) => of(c),
        (Rule::AdjoiningLetter, Some(c)) if classes::is_symbol(c) => Rule::AdjoiningSymbol,
        (rule, _) => rule,
    }
}

/// True for the dots of UTS #46 that are not ASCII.
fn is_wide_dot(c: char) -> bool {
    c != '.' && classes::is_idna_dot(c)
}

/// The rule by which `c` ends a link in running text.
pub(crate) fn of(c: char) -> Rule {
    match c {
        c if c.is_whitespace() => Rule::WhiteSpace,
        '<' | '>' | '"' | '\\' | '`' => Rule::QuoteOrAngleBracket,
        c if classes::never_in_link(c) => Rule::ControlCharacter,
        c if !c.is_ascii() && is_bracket(c) => Rule::EastAsianBracket,
        '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '‘' | '’' | '‚' => {
            Rule::TypographicQuote
        }
        c if is_border(c) => Rule::Bar,
        c if classes::ends_sentence_unspaced(c) => Rule::EastAsianPunctuation,
        c if classes::is_mark(c) => Rule::NoteMark,
        c if classes::is_middle_dot(c) => Rule::MiddleDot,
        c if classes::is_unspaced_letter(c) => Rule::AdjoiningLetter,
        '|' => Rule::Bar,
        '*' | '…' | '⋯' | '–' | '—' | '―' | '?' => Rule::TrailingMark,
        '\'' => Rule::ApostrophePair,
        c if classes::is_symbol(c) => Rule::AdjoiningSymbol,
        c => match properties::link_term(c) {
            LinkTerm::Close => Rule::UnpairedBracket,
            LinkTerm::Open => Rule::TrailingBracket,
            LinkTerm::Soft => Rule::TrailingPunctuation,
            LinkTerm::Hard => Rule::ControlCharacter,
            LinkTerm::Include => Rule::HostEnd,
        },
    }
}

/// True for a character that a border is drawn with.
fn is_border(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{257F}')
}

fn is_bracket(c: char) -> bool {
    matches!(properties::link_term(c), LinkTerm::Open | LinkTerm::Close)
}

/// The rule that keeps `c`, directly after a link of this kind, out of it, where the reading went on and was
/// ended by `rule`. `next`: the character after `c`.
pub(crate) fn rule_after(kind: Kind, (c, next): (char, Option<char>), rule: Rule) -> Rule {
    let alone = next.is_none_or(char::is_whitespace);
    match (rule, c) {
        (Rule::JoinedLinks, ',' | ';') | (Rule::Bar, '|') => rule,
        (Rule::LabelInBrackets, '[') => rule,
        (Rule::CommaOfList, ',') | (Rule::TagAfterLink, '[') | (Rule::LabelAfterBar, '|') => rule,
        // The field after the comma shows it, as a tag shows itself.
        (Rule::TagAfterLink, ',') => Rule::CommaOfList,
        (Rule::HostEnd, c) if is_wide_dot(c) => Rule::IdeographicFullStop,
        (_, '&') => Rule::EscapedDelimiter,
        (_, '-') if next == Some('-') => Rule::BareDash,
        (_, c) if classes::is_invisible(c, ' ') => Rule::InvisibleEnd,
        (_, '[') if !alone => Rule::UnclosedSquareBracket,
        (_, '_' | '~') => Rule::Emphasis,
        (_, '=') => Rule::OrgMarkup,
        (_, c) if classes::is_particle_letter(c) && rule == Rule::ParticleAfterSlash => rule,
        (_, '@') if kind == Kind::Email => Rule::EmailBeforeLink,
        (_, c) => match of(c) {
            // The reading ended at a later character.
            Rule::HostEnd if matches!(rule, Rule::WhiteSpace | Rule::EndOfText) => match kind {
                Kind::Bare => Rule::BareEnd,
                Kind::Iri | Kind::Email | Kind::Ip => Rule::HostEnd,
            },
            Rule::HostEnd => rule,
            rule => rule,
        },
    }
}

/// True for characters that end what looks like a link, in what is shown of a text.
pub(crate) fn is_end(c: char) -> bool {
    is_border(c)
        || matches!(
            of(c),
            Rule::QuoteOrAngleBracket
                | Rule::ControlCharacter
                | Rule::EastAsianBracket
                | Rule::TypographicQuote
                | Rule::EastAsianPunctuation
        )
}

/// True for punctuation at the end of what looks like a link.
pub(crate) fn is_trailing(c: char) -> bool {
    matches!(properties::link_term(c), LinkTerm::Soft | LinkTerm::Close) || matches!(c, '-' | '_')
}

/// True for the characters of names and local parts.
pub(crate) fn is_name(c: char) -> bool {
    is_part(RuleSet::Prose, c, None)
}
