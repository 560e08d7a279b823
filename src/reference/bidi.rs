//! Bidirectional IRIs (RFC 3987, section 4).
//!
//! Which components break its rules, and how to show a reference among other text. Nothing is
//! reordered here; the display does that.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::ops::Range;

use percent_encoding::{AsciiSet, utf8_percent_encode};

use super::{
    class::{is_bidi_control, is_reserved},
    components::{Component, Components},
    to_uri::to_ascii,
    unicode::{Direction, direction, is_mark},
};
use crate::data::{names::named, schemes};

/// Why the order of a component is uncertain when it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BidiFault {
    /// A character that RFC 3987, section 4.1, forbids: LRM, RLM, LRE, RLE,
    /// PDF, LRO, RLO; or one that is Bidi_Control since: ALM, LRI, RLI, FSI,
    /// PDI.
    Control,
    /// Right-to-left and left-to-right characters (section 4.2, rule 1).
    Mixed,
    /// Right-to-left characters, but not at both ends (section 4.2, rule 2).
    /// Marks after the last one belong to it.
    Edge,
}

named! {
    BidiFault is "a fault of bidirectional text":
    Control = "control",
    Mixed = "mixed",
    Edge = "edge",
}

/// A part of a reference that breaks a rule of RFC 3987, section 4.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BidiFinding {
    /// The rule that it breaks.
    pub fault: BidiFault,
    /// The component that it is part of.
    pub component: Component,
    /// Where it is, in bytes of UTF-8: a part between dividers, or a control.
    pub range: Range<usize>,
}

/// The components to which the rules apply. A scheme and a port are ASCII.
pub(super) const COMPONENTS: [Component; 5] =
    [Component::Userinfo, Component::Host, Component::Path, Component::Query, Component::Fragment];

/// What divides components into smaller ones, as section 4.2 allows: labels of
/// a host, segments and extensions of a path, names and values.
fn is_divider(component: Component, c: char) -> bool {
    match component {
        Component::Host => c == '.',
        Component::Userinfo => matches!(c, '.' | ':' | ';' | '=' | '&'),
        Component::Path => matches!(c, '/' | '.' | ';' | '=' | '&'),
        _ => matches!(c, '.' | ';' | '=' | '&'),
    }
}

impl Components<'_> {
    /// What breaks the rules for bidirectional IRIs (RFC 3987, sections 4.1 and
    /// 4.2), in order. They are SHOULDs, but for the controls.
    ///
    /// ```
    /// use iriscan::reference::{BidiFault, Components};
    ///
    /// let faults = |text| -> Vec<_> {
    ///     Components::split(text).bidi_findings().into_iter().map(|f| f.fault).collect()
    /// };
    /// assert_eq!(faults("http://ab.גדהוזח.ij/kl/mn/op.html"), []);
    /// assert_eq!(faults("http://ab.cd.ef/זח1/2טי/כל.html"), [BidiFault::Edge; 2]);
    /// assert_eq!(faults("http://ab.cd.ef/aב"), [BidiFault::Mixed]);
    /// ```
    #[must_use]
    pub fn bidi_findings(&self) -> Vec<BidiFinding> {
        let mut findings = Vec::new();
        if self.as_str().is_ascii() {
            return findings;
        }
        for component in COMPONENTS {
            let Some(whole) = self.range(component) else { continue };
            for range in pieces(self.as_str(), component, whole) {
                let piece = &self.as_str()[range.clone()];
                for (i, c) in piece.char_indices().filter(|(_, c)| is_bidi_control(*c)) {
                    let at = range.start + i;
                    let range = at..at + c.len_utf8();
                    findings.push(BidiFinding { fault: BidiFault::Control, component, range });
                }
                if let Some(fault) = order(piece) {
                    findings.push(BidiFinding { fault, component, range });
                }
            }
        }
        findings
    }

    /// The reference with each part that breaks a rule mapped to URI notation
    /// as a whole (RFC 3987, section 4.2): a host in punycode where it is a DNS
    /// name, all else percent-encoded. Borrowed if nothing breaks one.
    ///
    /// ```
    /// use iriscan::reference::Components;
    ///
    /// let parts = Components::split("http://ab.cd.ef/זח1/כל.html");
    /// assert_eq!(parts.encode_bidi_faults(), "http://ab.cd.ef/%D7%96%D7%971/כל.html");
    /// ```
    #[must_use]
    pub fn encode_bidi_faults(&self) -> Cow<'_, str> {
        let findings = self.bidi_findings();
        if findings.is_empty() {
            return Cow::Borrowed(self.as_str());
        }
        let text = self.as_str();
        let mut out = String::with_capacity(text.len() * 2);
        let mut at = 0;
        let mut ranges: Vec<(Range<usize>, bool)> = findings
            .into_iter()
            .map(|finding| match (finding.component, self.range(Component::Host)) {
                // Labels of one name are mapped together.
                (Component::Host, Some(host)) => (host, true),
                _ => (finding.range, false),
            })
            .collect();
        // A part comes before the control that it holds.
        ranges.sort_unstable_by_key(|(range, host)| (range.start, usize::MAX - range.end, !host));
        ranges.dedup_by(|next, before| next.0.start < before.0.end);
        for (range, host) in ranges {
            out.push_str(&text[at..range.start]);
            let part = &text[range.clone()];
            let scheme = self.scheme().unwrap_or_default().to_ascii_lowercase();
            match host.then(|| to_ascii(part)).flatten() {
                Some(ascii) if schemes::is_dns(&scheme) => out.push_str(&ascii),
                _ => out.extend(utf8_percent_encode(part, NON_ASCII)),
            }
            at = range.end;
        }
        out.push_str(&text[at..]);
        Cow::Owned(out)
    }
}

/// Encodes what is not ASCII, and nothing else.
const NON_ASCII: &AsciiSet = &AsciiSet::EMPTY;

/// The parts of a component between its dividers; findings of a control are
/// narrower.
pub(super) fn pieces(text: &str, component: Component, whole: Range<usize>) -> Vec<Range<usize>> {
    let start = whole.start;
    let mut from = start;
    let mut pieces = Vec::new();
    for (i, c) in text[whole.clone()].char_indices().filter(|(_, c)| is_divider(component, *c)) {
        pieces.push(from..start + i);
        from = start + i + c.len_utf8();
    }
    pieces.push(from..whole.end);
    pieces
}

/// Which rule about order `piece` breaks.
pub(super) fn order(piece: &str) -> Option<BidiFault> {
    let has = |which| piece.chars().any(|c| direction(c) == which && !is_bidi_control(c));
    if !has(Direction::Right) {
        return None;
    }
    if has(Direction::Left) {
        return Some(BidiFault::Mixed);
    }
    let is_right = |c: Option<char>| c.is_some_and(|c| direction(c) == Direction::Right);
    let first = piece.chars().next();
    let last = piece.chars().rev().find(|c| !is_mark(*c));
    (!is_right(first) || !is_right(last)).then_some(BidiFault::Edge)
}

/// How a reference is kept from being reordered with the text around it (RFC
/// 3987, section 4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Embedding {
    /// U+2066 LRI … U+2069 PDI, which leave the text around alone as well.
    #[default]
    Isolate,
    /// U+202A LRE … U+202C PDF, as RFC 3987 has it.
    Embed,
    /// `<bdi dir="ltr">` … `</bdi>`, for HTML: `&`, `<`, `>` and `"` are escaped.
    Bdi,
    /// LRE … PDF, with U+200E LRM round every reserved character, as
    /// draft-masinter-url-i18n, section 3.2, wanted it. RFC 3987 does without.
    EmbedMarked,
}

named! {
    Embedding is "a way of embedding":
    Isolate = "isolate",
    Embed = "embed",
    Bdi = "bdi",
    EmbedMarked = "embed-marked",
}

/// `reference` for display among other text: in the order of a left-to-right paragraph, whatever
/// the text around it is. Bidi controls in it are percent-encoded, because they could change
/// that order.
///
/// ```
/// use iriscan::reference::{Embedding, embed};
///
/// let iri = "http://ab.גד.ij/";
/// assert_eq!(embed(iri, Embedding::Isolate), "\u{2066}http://ab.גד.ij/\u{2069}");
/// assert_eq!(embed(iri, Embedding::Bdi), "<bdi dir=\"ltr\">http://ab.גד.ij/</bdi>");
/// ```
#[must_use]
pub fn embed(reference: &str, embedding: Embedding) -> String {
    let (before, after) = match embedding {
        Embedding::Isolate => ("\u{2066}", "\u{2069}"),
        Embedding::Embed | Embedding::EmbedMarked => ("\u{202A}", "\u{202C}"),
        Embedding::Bdi => ("<bdi dir=\"ltr\">", "</bdi>"),
    };
    let mut out = String::with_capacity(before.len() + reference.len() + after.len());
    out.push_str(before);
    for c in reference.chars() {
        match (c, embedding) {
            (c, _) if is_bidi_control(c) => {
                out.extend(utf8_percent_encode(c.encode_utf8(&mut [0; 4]), NON_ASCII));
            }
            ('&', Embedding::Bdi) => out.push_str("&amp;"),
            ('<', Embedding::Bdi) => out.push_str("&lt;"),
            ('>', Embedding::Bdi) => out.push_str("&gt;"),
            ('"', Embedding::Bdi) => out.push_str("&quot;"),
            (c, Embedding::EmbedMarked) if is_reserved(c) => {
                out.push('\u{200E}');
                out.push(c);
                out.push('\u{200E}');
            }
            (c, _) => out.push(c),
        }
    }
    out.push_str(after);
    out
}
