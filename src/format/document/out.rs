//! The way out for the links of a document: gives them their places in the source.
//!
//! Links in a text and maps from it go in; text and links of the source go out to the sink, in
//! order.

use alloc::{string::String, sync::Arc};
use core::ops::Range;

use super::bases::Bases;
use crate::{
    charset::{Charset, Shape, Shift, decider::Decider, source_map::SourceMap, window::Window},
    engine::{nested, progress::Progress, rules::Rules},
    format::{
        kinds::Format,
        lexing::{lexer::Value, value},
    },
    grammar::types::{Found, Kind, Trait},
    links::{
        logical::{Logical, References},
        markup::Markup,
        matched::Match,
        place::{Around, Inside, Place, Surroundings, ValuePart},
        sink::{AnySink, Halt},
    },
    reference::to_uri::QueryCharset,
};

/// The sink, the source, and what has been delivered of it.
pub(in crate::format) struct Out<'o> {
    pub(in crate::format) sink: &'o mut AnySink<'o>,
    pub(in crate::format) source: Window<'o>,
    pub(in crate::format) decider: &'o Decider,
    pub(in crate::format) rules: &'o Rules,
    /// For the text of a region.
    pub(in crate::format) within: &'o Arc<Rules>,
    pub(in crate::format) format: Format,
    pub(in crate::format) standing: Standing,
    pub(in crate::format) progress: &'o mut Progress,
    /// Links that were too long.
    pub(in crate::format) overlong: &'o mut u64,
}

/// The place of the next links in the document.
#[derive(Clone, Debug, Default)]
pub(in crate::format) struct Standing {
    /// References are in HTML.
    pub(in crate::format) html: bool,
    /// The syntax around the links.
    pub(in crate::format) place: Place,
    /// The value without quotes that they are in.
    pub(in crate::format) bare: Option<Bare>,
    /// The element that they are in, if it is wanted.
    pub(in crate::format) markup: Option<Arc<Markup>>,
    /// The text around the next link, if rewriting needs it.
    pub(in crate::format) surroundings: Option<Surroundings>,
    /// The base that they are relative to.
    pub(in crate::format) bases: Bases,
}

/// Where a value without quotes is in the source: of an attribute, or a field of CSV.
#[derive(Clone, Copy, Debug)]
pub(in crate::format) struct Bare {
    /// The delimiter of a field.
    pub(in crate::format) delimiter: Option<u8>,
    pub(in crate::format) start: u64,
    /// `None` until its end is known. A link that fills the value is found only then.
    pub(in crate::format) end: Option<u64>,
}

impl Standing {
    /// Gives the next links their base.
    pub(in crate::format) fn rebase(&mut self) {
        match (self.markup.as_deref(), self.bases.current()) {
            (None, None) => {}
            // A hostile base is long.
            (Some(Markup { base: Some(old), .. }), Some(base)) if old.is_copy_of(base) => {}
            (_, base) => {
                let markup = self.markup.get_or_insert_default();
                Arc::make_mut(markup).base = base.cloned();
            }
        }
    }
}

impl Bare {
    /// Which part of it the link `found` is.
    fn part(self, found: &Found) -> ValuePart {
        match self.start == found.start {
            true if self.end == Some(found.end) => ValuePart::Whole,
            true => ValuePart::Start,
            false => ValuePart::Within,
        }
    }
}

impl Out<'_> {
    /// Whether a `<` of the document may begin a tag.
    pub(in crate::format) fn has_tags(&self) -> bool {
        self.format.row().has_tags
    }

    /// How `&` is escaped around the next links.
    fn character_references(&self) -> References {
        (self.format.row().references)(self.standing.place)
    }

    /// Whether places within a link are asked for.
    fn needs_places(&self) -> bool {
        self.rules.edit().is_some() || self.rules.nested.is_some()
    }

    /// Whether the document is in a language of markup, in which `<` begins a tag.
    pub(in crate::format) fn is_markup(&self) -> bool {
        self.format.row().is_markup
    }

    /// Delivers text up to `to`.
    pub(in crate::format) fn text(&mut self, to: u64) -> Result<(), Halt> {
        if self.progress.delivered < to {
            let range = self.source.index(self.progress.delivered)..self.source.index(to);
            self.sink.text(&self.source.bytes[range])?;
            self.progress.delivered = to;
        }
        Ok(())
    }

    /// A whole reference of ASCII characters at a range.
    #[inline]
    pub(in crate::format) fn whole(&self, range: Range<u64>) -> Found {
        Found::ascii(range.start, range.end, Kind::Iri).with(Trait::InHtml, self.standing.html)
    }

    /// Delivers a reference of ASCII characters, at `from` in the source.
    pub(in crate::format) fn plain(&mut self, value: &[u8], from: u64) -> Result<(), Halt> {
        let reference = value::unescaped(value, value::trimmed(value));
        let inside = &value[reference.clone()];
        if inside.is_empty()
            || !value::counts(inside, self.rules)
            || !self.fits(inside.len() as u64)
        {
            return Ok(());
        }
        let logical = value::is_spaced(inside).then(|| {
            let iri = value::unspaced(&String::from_utf8_lossy(inside));
            let charset = self.decider.charset_before(from + reference.end as u64);
            let none = core::iter::empty();
            let logical =
                Logical::new(iri, inside, none, false, charset, self.character_references());
            let none = core::iter::empty();
            Arc::new(match self.needs_places() {
                true => logical.placed(inside, none, charset),
                false => logical,
            })
        });
        let (start, end) = (from + reference.start as u64, from + reference.end as u64);
        self.give(self.whole(start..end).with(Trait::Reference, true), logical)
    }

    /// Delivers the references in a value, of which `text` are the characters.
    pub(in crate::format) fn references(
        &mut self,
        value: Value,
        text: &[u8],
        map: &mut SourceMap,
        above: Option<&SourceMap>,
    ) -> Result<(), Halt> {
        let mut result = Ok(());
        value::references(value, text, |reference| {
            if result.is_err() {
                return;
            }
            result = match reference {
                value::Reference::At(range) => self.reference(value, text, range, map, above),
                value::Reference::Undone(undone) => {
                    let mut whole = SourceMap::at(map.start(undone.map.start(0)));
                    whole.push_made(&undone.map, map);
                    let range = value::trimmed(&undone.text);
                    self.reference(value, &undone.text, range, &mut whole, above)
                }
            };
        });
        result
    }

    /// Delivers the reference at `range` of `text`, if it counts.
    fn reference(
        &mut self,
        value: Value,
        text: &[u8],
        range: Range<usize>,
        map: &mut SourceMap,
        above: Option<&SourceMap>,
    ) -> Result<(), Halt> {
        let reference = &text[range.clone()];
        let non_ascii = !reference.is_ascii();
        // The byte for a malformed sequence of another charset is not UTF-8.
        let malformed = non_ascii && core::str::from_utf8(reference).is_err();
        if reference.is_empty() || malformed || !value::counts(reference, self.rules) {
            return Ok(());
        }
        let spaced = !value.is_exact() && value::is_spaced(reference);
        let spaced = spaced.then(|| value::unspaced(&String::from_utf8_lossy(reference)));
        let (start, end) = (range.start as u64, range.end as u64);
        let identifier = value.is_identifier() && !self.rules.options.identifiers;
        let found = self
            .whole(start..end)
            .with(Trait::NonAscii, non_ascii)
            .with(Trait::Reference, true)
            .with(Trait::Identifier, identifier);
        match spaced {
            None => self.link(found, reference, map, above),
            iri => self.deliver(found, reference, iri, map, above),
        }
    }

    /// Delivers a link in a text, whose characters there are `text`.
    pub(in crate::format) fn link(
        &mut self,
        found: Found,
        text: &[u8],
        map: &mut SourceMap,
        above: Option<&SourceMap>,
    ) -> Result<(), Halt> {
        map.forget(found.start);
        // What the URI has, such as a `%`, may need an escape that the link has not.
        let backslash =
            matches!(self.character_references(), References::Backslash | References::Argument);
        if !backslash
            && above.is_none()
            && let Some(start) = map.same(found.start, found.end)
        {
            let end = start + (found.end - found.start);
            return match self.fits(end - start) {
                true => {
                    let mut found = found.at(start..end);
                    if self.leaves_string(text) {
                        found = found.with(Trait::Fixed, true);
                    }
                    self.give(found, None)
                }
                false => Ok(()),
            };
        }
        let escaped = map.has_escape(found.start, found.end);
        let iri = (escaped || backslash)
            .then(|| Charset::UTF_8.decode_shifted(text, Shift::Ascii).into_owned());
        self.deliver(found, text, iri, map, above)
    }

    /// True if a link of these characters may go on after the end of its string. What is written in its place would
    /// take that away.
    #[inline]
    fn leaves_string(&self, text: &[u8]) -> bool {
        // Few links are in such a place, so the rest is asked of those alone.
        self.standing.place.is_script() && self.format.row().ends_at_quotes && text.contains(&b'"')
    }

    /// Delivers a link that has escapes or another charset. `iri`: if the link is not the plain
    /// characters of the source.
    pub(in crate::format) fn deliver(
        &mut self,
        found: Found,
        text: &[u8],
        iri: Option<String>,
        map: &mut SourceMap,
        above: Option<&SourceMap>,
    ) -> Result<(), Halt> {
        let outside =
            |range: Range<u64>, map: &SourceMap| map.start(range.start)..map.end(range.end);
        let mut source = outside(found.start..found.end, map);
        let (mut before, mut after) = (Shift::Ascii, Shift::Ascii);
        if let Some(above) = above {
            (before, after) = (above.shift(source.start), above.shift(source.end - 1));
            source = outside(source, above);
        }
        if !self.fits(source.end - source.start) {
            return Ok(());
        }
        if self.was_text(&source, before) {
            return Ok(());
        }
        let in_text =
            self.format.row().stays_divided && self.standing.place.inside() == Inside::Text;
        let stays = in_text && map.divides(found.start, found.end) || self.leaves_string(text);
        let found = found.with(Trait::Fixed, stays);
        let logical = iri.map(|iri| {
            let any = self.rules.to_iri.is_some()
                || self.rules.edit().is_some()
                || self.rules.uri.get_rewrites_ascii();
            let spelled = found.has(Trait::NonAscii) || any;
            let written = |view: Range<u64>| {
                let at_source = above.map_or(view.clone(), |above| outside(view, above));
                let range = self.source.index(at_source.start)..self.source.index(at_source.end);
                &self.source.bytes[range]
            };
            let escapes = spelled.then(|| map.escapes(found.start, found.end));
            // A fold is an escape that means nothing.
            let escapes = escapes.into_iter().flatten().filter(|(inside, _)| !inside.is_empty());
            let spellings =
                escapes.map(|(inside, view)| (inside.start - found.start, written(view)));
            let charset = self.decider.charset_before(source.end);
            // An escape of a log may be one byte of a character.
            let keep = self.rules.uri.keeps_hosts() && !self.format.row().has_escaped_bytes;
            let references = self.character_references();
            let logical = Logical::new(iri, text, spellings, keep, charset, references);
            let places = self.needs_places().then(|| map.escapes(found.start, found.end));
            Arc::new(match places {
                Some(escapes) => {
                    let at = |inside: u64| (inside.max(found.start) - found.start) as usize;
                    let escapes = escapes
                        .map(|(inside, view)| (at(inside.start)..at(inside.end), written(view)));
                    logical.placed(text, escapes, charset)
                }
                None => logical,
            })
        });
        self.give(found.at(source).shifted(before, after), logical)
    }

    /// True if the link at `source` began before the byte that decides about a stateful charset, and has an escape
    /// that is malformed since: `ESC ( B` before that byte was text, and may make the next one so. `before`: the
    /// state before it.
    fn was_text(&self, source: &Range<u64>, before: Shift) -> bool {
        let charset = self.decider.charset().0;
        if charset.shape() != Shape::Stateful || !self.decider.is_undecided(source.start) {
            return false;
        }
        let bytes =
            &self.source.bytes[self.source.index(source.start)..self.source.index(source.end)];
        match self.decider.is_told_within(source) {
            true => charset.decode_shifted(bytes, before).contains('\u{FFFD}'),
            false => self.decider.is_undecided(source.end) && bytes.contains(&0x1B),
        }
    }

    /// Whether a link of so many bytes is short enough; if not, counts it.
    pub(in crate::format) fn fits(&mut self, len: u64) -> bool {
        let fits = len <= self.rules.options.max_len;
        *self.overlong += u64::from(!fits);
        fits
    }

    /// Gives a link what is around it.
    #[cold]
    #[inline(never)]
    fn surround(&mut self, link: &mut Match<'_>) {
        if let Some(surroundings) = self.standing.surroundings.take() {
            link.set_surroundings(surroundings);
        }
    }

    /// Delivers a link of the source, and the text before it, if the filter chooses the link.
    pub(in crate::format) fn give(
        &mut self,
        found: Found,
        logical: Option<Arc<Logical>>,
    ) -> Result<(), Halt> {
        let bytes =
            &self.source.bytes[self.source.index(found.start)..self.source.index(found.end)];
        let undecided = self.decider.is_undecided(found.end);
        let in_program = self.format.row().has_placeholders && !self.rules.uri.get_rewrites_ascii();
        let found = found.with(Trait::InProgram, in_program);
        let mut found =
            found.in_context(found.context().at(self.standing.place).undecided(undecided));
        if let Some(bare) = self.standing.bare {
            found = found.in_value(bare.part(&found), bare.delimiter);
        }
        found = match self.standing.place.around() {
            Around::Key => found.with(Trait::Identifier, !self.rules.options.identifiers),
            Around::Fixed => found.with(Trait::Fixed, true),
            _ => found,
        };
        let mut options = self.rules.uri.web_base(true);
        if self.standing.place.is_style() {
            // Queries of style sheets are in UTF-8 in every charset.
            options = options.query(QueryCharset::Utf8);
        }
        let charset = self.decider.charset_before(found.end);
        let markup = self.standing.markup.clone();
        let mut link = Match::of_document(bytes, found, charset, options, logical, markup);
        if self.standing.surroundings.is_some() {
            self.surround(&mut link);
        }
        self.standing.bases.note(&link);
        let chosen = self.rules.choose(&link);
        let has_nested = self.rules.nested.is_some();
        if !chosen && !has_nested {
            return Ok(());
        }
        self.text(found.start)?;
        match chosen {
            true => {
                let taken = self.sink.matched(&link);
                self.progress.took(found.end, taken)?;
            }
            false => {
                let taken = self.sink.text(link.source());
                self.progress.passed(found.end, taken)?;
            }
        }
        match has_nested {
            true => nested::each(self.rules, &link, |inner| self.sink.nested(&inner, &link)),
            false => Ok(()),
        }
    }
}
