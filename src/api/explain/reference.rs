//! Explains values that hold references, which are links as they stand.

use alloc::vec::Vec;

use super::{
    decoded::Decoded,
    explainer::LinkLike,
    explanation::{Explanation, Remedy},
};
use crate::{
    data::rules::Rule,
    engine::rules::Rules,
    format::document::regions::{self, Reference, Value},
    grammar::types::Kind,
};

/// Explains the `links` in a value, and its references that are no links. `value` has escapes undone; `text` is the
/// same as characters.
pub(super) fn explain(
    division: Value,
    value: &[u8],
    text: &Decoded,
    links: &[LinkLike],
    rules: &Rules,
) -> Vec<Explanation> {
    let mut all: Vec<_> = links.iter().map(|link| of(link, text, None)).collect();
    let well_formed = core::str::from_utf8(value).is_ok();
    regions::references(division, value, |reference| {
        let Reference::At(range) = reference else { return };
        if !well_formed {
            return;
        }
        let index = |at: usize| text.index_in_text(at);
        let (start, end) = (index(range.start), index(range.end));
        let place = LinkLike { start, end, kind: Kind::Iri, anchor: start };
        if links.iter().all(|link| link.end <= place.start || link.start >= place.end) {
            let at = text.source(place.start..place.end);
            let refused = refusal(&value[range], at.end - at.start, rules);
            all.push(of(&place, text, Some(refused)));
        }
    });
    all.sort_by_key(|it| it.range().start);
    all
}

/// Why a reference, which has `len` bytes of the source, is no link.
fn refusal(reference: &[u8], len: u64, rules: &Rules) -> Rule {
    if !rules.options.kinds.has(Kind::Iri) {
        return Rule::KindNotAsked;
    }
    match regions::refusal(reference, rules) {
        Some(rule) => rule,
        None if len > rules.options.max_len => Rule::MaxLength,
        None if rules.options.filter.is_some() => Rule::Filtered,
        None => Rule::MalformedBytes,
    }
}

/// What is said about a reference. `refused`: by which rule it is no link.
fn of(place: &LinkLike, text: &Decoded, refused: Option<Rule>) -> Explanation {
    let range = text.source(place.start..place.end);
    let kinds = refused == Some(Rule::KindNotAsked);
    Explanation {
        text: text.between(place.start..place.end).into(),
        kind: place.kind,
        link: refused.is_none(),
        began: Rule::WholeValue,
        rule: refused.unwrap_or(Rule::WholeValue),
        at: if refused.is_some() { range.start } else { range.end },
        character: refused.and_then(|_| text.char(place.start)),
        without: None,
        remedies: kinds.then_some(Remedy::Option("--kinds iri,email")).into_iter().collect(),
        before: text.line_before(place.start),
        after: text.line_after(place.end),
        range,
    }
}
