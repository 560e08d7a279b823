//! Why a link ends where it ends, and why a text is no link.
//!
//! The links are those that the finder finds. Each is then read again, one character at a time and by the
//! same reader, to see which rule decided; and so is each place where a link could have begun. Of a document,
//! each region is such a text; a region of references is explained by [`reference`](mod@reference). What must
//! hold: the second reading ends where the link ends (law `explanations_agree`).

mod decoded;
mod explainer;
mod explanation;
mod reference;

use alloc::{borrow::Cow, vec::Vec};
use core::ops::Range;

pub use explanation::{Explanation, Remedy};

use self::{
    decoded::{Decoded, View},
    explainer::{Explainer, LinkLike},
};
use super::{find::Input, finder::Finder};
use crate::{
    charset::{Charset, Shift},
    format::{
        document::regions::{self, Region},
        kinds::Format,
    },
    grammar::types::Kind,
};

impl Finder {
    /// Says for each place where a link could be what was decided, and by which rule, in the order of the
    /// source.
    ///
    /// The input is read in the format of the finder, as by [`Finder::find_iter`], and is held in memory. Only
    /// text and references of that format are explained, not markup. It takes far longer than a search.
    ///
    /// ```
    /// use iriscan::{Config, Format, Kind};
    ///
    /// let finder = Config::new().kinds([Kind::Iri, Kind::Bare]).build()?;
    /// let why = finder.explain("see example.zip");
    /// assert!(!why[0].is_link());
    /// assert_eq!(why[0].rule().as_str(), "bare-file-ending");
    ///
    /// let why = finder.format(Format::Html).explain("<a href='/a'>http://a.org/?b&amp;c</a>");
    /// assert_eq!(why[0].rule().as_str(), "whole-value");
    /// assert_eq!((why[1].text(), why[1].range()), ("http://a.org/?b&c", 13..34));
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn explain<'h>(&self, input: impl Into<Input<'h>>) -> Vec<Explanation> {
        let input = input.into();
        let mut found = self.clone().nested(false).find_iter(input);
        let links: Vec<_> = found.by_ref().map(|link| (link.range(), link.kind())).collect();
        let (bytes, charset) = (input.bytes(), found.charset().0);
        let finder = self.clone().format(Format::Text);
        if self.format == Format::Text {
            let text = Decoded::of(bytes, charset);
            let links = places(&links, &text);
            return Explainer { finder: &finder, text: &text, links: &links }.all();
        }
        let document = View::of(bytes, charset);
        let delimiter = regions::delimiter(self.format, &self.rules, &head(bytes, charset));
        let mut all = Vec::new();
        let mut rest = &links[..];
        for region in regions::regions(document.bytes(), self.format, delimiter, &self.rules) {
            let text = Decoded::of_region(&region, &document);
            let end = text.chars[text.inner.end].source;
            let inside = rest.partition_point(|(range, _)| (range.start as u64) < end);
            let links = places(&rest[..inside], &text);
            rest = &rest[inside..];
            match region.kind {
                Region::Prose | Region::Field => {
                    all.extend(Explainer { finder: &finder, text: &text, links: &links }.all());
                }
                Region::Reference(value) => {
                    all.extend(reference::explain(value, &region.text, &text, &links, &self.rules));
                }
            }
        }
        all
    }
}

/// The start of a document, which shows what is between its fields.
fn head(bytes: &[u8], charset: Charset) -> Cow<'_, str> {
    charset.decode_shifted(&bytes[..regions::head_len(bytes)], Shift::Ascii)
}

/// Where links are in a text that holds them.
fn places(links: &[(Range<usize>, Kind)], text: &Decoded) -> Vec<LinkLike> {
    let index = |at: usize| text.index(at as u64);
    let place = |(range, kind): &(Range<usize>, Kind)| LinkLike {
        start: index(range.start),
        end: index(range.end),
        kind: *kind,
        anchor: index(range.start),
    };
    // Each link has a character at least.
    links.iter().map(place).filter(|link| link.start < link.end).collect()
}
