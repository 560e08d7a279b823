//! Strings of notebooks: what is written in Markdown, HTML or source code, and then in a string of JSON.

use super::text::Kind;
use crate::{
    charset::Charset,
    format::{
        html, json,
        kinds::Format,
        markdown,
        slot::{
            emptied::Emptying,
            recent::{Before, Recent},
            writer::{Escaped, Slot, Surrounding, Writer},
        },
        source, text,
    },
    links::{
        matched::Match,
        place::{Around, Inside, Place},
    },
};

pub(in crate::format) struct Ipynb;

/// The format of the text, and the place of the link in that.
fn within(place: Place) -> (Kind, Place) {
    match (place.around(), place.inside()) {
        (Around::Cdata, Inside::Plain) => (Kind::Plain, Place::default()),
        (Around::Cdata, _) => (Kind::Source, Place::default()),
        (Around::Escaped, inside) => (Kind::Html, inside.into()),
        _ => (Kind::Markdown, place),
    }
}

/// The format that a text of this kind is written in.
fn format(kind: Kind) -> Format {
    let row = match kind {
        Kind::Plain => &text::row::ROW,
        Kind::Markdown => &markdown::row::ROW,
        Kind::Html => &html::row::ROW,
        Kind::Source => &source::row::SOURCE,
    };
    row.format
}

/// The slot in the text. The JSON around has an escape for what the charset lacks.
fn inner(slot: &Slot) -> Slot {
    let (kind, place) = within(slot.place);
    Slot { format: format(kind), place, charset: Charset::UTF_8, ascii: false, ..*slot }
}

impl Writer for Ipynb {
    fn before(&self, link: Surrounding, recent: Recent) -> Before {
        let (kind, place) = within(link.place);
        let is_unit = matches!(recent.last, [.., b'\\', b'u', _, _, _, _]);
        if recent.ends_with("\\") || is_unit && kind != Kind::Plain {
            // A sign that is escaped, which may mean something in the text.
            return Before::Backslash;
        }
        let is_text = matches!(
            (place.around(), place.inside()),
            (Around::Nothing, Inside::Text) | (Around::Tag, Inside::Plain)
        );
        match kind {
            Kind::Source => source::writer::Source.before(link, recent),
            Kind::Plain => Before::Nothing,
            _ if recent.ends_with_any(&["&", "&#", "&#x", "&#X"]) => Before::Ampersand,
            Kind::Markdown if is_text => {
                if recent.ends_with("<!") {
                    Before::Declaration
                } else if recent.ends_with_any(&["<", "</"]) {
                    Before::LessThan
                } else if recent.ends_with("]") {
                    Before::Bracket
                } else {
                    // Where lines begin is not known.
                    Before::LineStart
                }
            }
            _ if recent.ends_with_any(&["<", "</", "<!"]) => Before::LessThan,
            _ => Before::Nothing,
        }
    }

    fn keeps(&self, slot: &Slot, link: &Match<'_>) -> bool {
        let slot = inner(slot);
        slot.format.row().writer.keeps(&slot, link)
    }

    fn is_strict(&self, _: Place) -> bool {
        true
    }

    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        if slot.before == Before::Backslash {
            return None;
        }
        let (written, lost) = inner(slot).write(text)?;
        out.lost += lost;
        json::writer::push(slot, &written, out);
        Some(())
    }

    /// What follows may begin a line.
    fn empty(&self, _: &Slot, _: Recent, _: &Match<'_>) -> Emptying {
        Emptying::Refused
    }
}
