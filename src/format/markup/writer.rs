//! HTML and XML: texts, values of attributes, style sheets, and HTML in the text of XML.

use alloc::string::String;

use super::script;
use crate::{
    format::{
        css::writer as css,
        kinds::Format,
        slot::{
            emptied::Emptying,
            escapes::reference,
            recent::{Before, NEAR, Recent},
            writer::{Escaped, Slot, Surrounding, Writer},
        },
    },
    links::{
        matched::Match,
        place::{Around, Inside, Place, ValuePart},
    },
};

/// A `<` that is escaped.
const LESS_THAN: [&str; 4] = ["&lt;", "&#60;", "&#x3c;", "&#x3C;"];

pub(in crate::format) struct Markup;

impl Writer for Markup {
    fn before(&self, link: Surrounding, recent: Recent) -> Before {
        let is_text = link.place.inside() == Inside::Text;
        let around = link.place.around();
        if link.place.is_comment_text() {
            return Before::Nothing;
        }
        if link.place.is_script() {
            return script::before(recent);
        }
        if around == Around::Escaped {
            return in_escaped(recent, is_text);
        }
        let hidden = around == Around::Cdata && link.place.inside() == Inside::Plain;
        if link.after_less_than && !hidden {
            Before::LessThan
        } else if hidden || link.format == Format::Xml && is_text {
            in_xml(recent, hidden)
        } else if recent.ends_with_any(&["&", "&#", "&#x", "&#X"]) {
            Before::Ampersand
        } else {
            Before::Nothing
        }
    }

    fn keeps(&self, slot: &Slot, link: &Match<'_>) -> bool {
        slot.before == Before::HiddenLessThan && link.text().starts_with(['/', '!', '?'])
    }

    fn is_strict(&self, place: Place) -> bool {
        place.is_comment() || place.is_script()
    }

    fn write(&self, slot: &Slot, text: &str, out: &mut Escaped) -> Option<()> {
        if slot.place.is_script() {
            return script::write(slot, text, out);
        }
        match slot.before {
            Before::HiddenLessThan if begins_hidden_tag(text) => return None,
            Before::HiddenTag if !has_scheme(text) => return None,
            _ => push(slot, text, out),
        }
        Some(())
    }

    fn empty(&self, slot: &Slot, recent: Recent, link: &Match<'_>) -> Emptying {
        if slot.place.is_script() && script::joins(recent) {
            return Emptying::Refused;
        }
        if slot.place.is_comment() {
            // The hyphens before and after the link would come together.
            return Emptying::Refused;
        }
        slot.empty_value(link, true)
    }
}

/// HTML that is escaped in XML.
fn in_escaped(recent: Recent, is_text: bool) -> Before {
    let less_than = is_text && recent.ends_with_any(&LESS_THAN);
    let ampersand = ["", "#", "#x", "#X"].iter().any(|tail| {
        let rest = recent.last.strip_suffix(tail.as_bytes()).unwrap_or_default();
        ["&amp;", "&#38;", "&#x26;"].iter().any(|text| rest.ends_with(text.as_bytes()))
    });
    match (less_than, ampersand) {
        (true, _) => Before::LessThan,
        (false, true) => Before::Ampersand,
        (false, false) => Before::Nothing,
    }
}

/// Text of XML, which some readers take for HTML; in a CDATA section if it is not escaped.
fn in_xml(recent: Recent, cdata: bool) -> Before {
    let less_than = |text: &[u8]| match cdata {
        true => text.ends_with(b"<"),
        false => LESS_THAN.iter().any(|less| text.ends_with(less.as_bytes())),
    };
    match recent.last {
        [.., b'/' | b'!' | b'?'] if less_than(&recent.last[..NEAR - 1]) => Before::HiddenTag,
        _ if less_than(&recent.last) => Before::HiddenLessThan,
        _ if !cdata && recent.ends_with_any(&["&", "&#", "&#x"]) => Before::Ampersand,
        _ => Before::Nothing,
    }
}

/// Appends `text` with the escapes of what the link is in, and then those of what is around that.
pub(in crate::format) fn push(slot: &Slot, text: &str, out: &mut Escaped) {
    if !matches!(slot.place.around(), Around::Escaped | Around::Cdata) {
        return push_inside(slot, text, out);
    }
    let mut inside = Escaped::new(text.len());
    push_inside(slot, text, &mut inside);
    out.lost += inside.lost;
    match slot.place.around() {
        Around::Cdata => push_cdata(&inside.text, &mut out.text),
        _ => {
            let special = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\'');
            out.push(slot, &inside.text, special, reference);
        }
    }
}

fn push_inside(slot: &Slot, text: &str, out: &mut Escaped) {
    match slot.place.inside() {
        // Characters that the charset lacks are left to the escapes around.
        Inside::Plain if slot.is_nested() => out.text.push_str(text),
        Inside::Plain => out.push_plain(slot, text),
        Inside::Style => css::push(slot, text, out),
        Inside::StyleAttribute { quoted } => {
            let mut sheet = Escaped::new(text.len());
            css::push(slot, text, &mut sheet);
            push_references(slot, &sheet.text, quoted, out);
        }
        Inside::Attribute { quoted } => push_references(slot, text, quoted, out),
        Inside::Text | Inside::Name => push_references(slot, text, true, out),
    }
}

/// Appends `text` with character references.
fn push_references(slot: &Slot, text: &str, quoted: bool, out: &mut Escaped) {
    if text.is_empty() && !quoted && slot.part == ValuePart::Whole {
        // Otherwise the next attribute would become the value.
        return out.text.push_str("\"\"");
    }
    let html = slot.format != Format::Xml || slot.place.around() != Around::Nothing;
    // Readers take a CR for a line feed, and those of XML take white space in an attribute for spaces.
    let spaces = match slot.place.inside() {
        Inside::Text => "",
        _ if html => "",
        _ => "\t\n",
    };
    let special = |c: char| {
        matches!(c, '&' | '<' | '>' | '"' | '\'' | '\r')
            || spaces.contains(c)
            || !quoted && (c.is_ascii_whitespace() || matches!(c, '=' | '`'))
    };
    let escape = |c: char, out: &mut String| match html && matches!(c, '\u{80}'..='\u{9F}') {
        // HTML reads its number as another character; XML around it does not.
        true if slot.is_nested() => {
            out.push(c);
            true
        }
        true => false,
        false => reference(c, out),
    };
    let mut rest = text.chars();
    let first = rest.next().filter(|c| match slot.before {
        Before::LessThan => c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'),
        Before::Ampersand => c.is_ascii_alphanumeric() || matches!(c, '#' | ';'),
        _ => false,
    });
    let rest = match first {
        Some(first) => {
            reference(first, &mut out.text);
            rest.as_str()
        }
        None => text,
    };
    out.push(slot, rest, special, escape);
}

/// True if `text` begins a tag after a `<`, to a reader that takes both for HTML.
fn begins_hidden_tag(text: &str) -> bool {
    let begins = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?');
    text.starts_with(begins) && !has_scheme(text)
}

/// True if `text` begins with a scheme and a colon. After a `<` that makes an element which no reader
/// of HTML knows, as the link did.
fn has_scheme(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "+.-".contains(c));
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.starts_with(':')
}

/// Keeps `]]>` out of a CDATA section, also together with what may be before and after.
fn push_cdata(text: &str, out: &mut String) {
    const BREAK: &str = "]]><![CDATA[";
    let mut before = ']';
    for c in text.chars() {
        if c == '>' && before == ']' {
            out.push_str(BREAK);
        }
        out.push(c);
        before = c;
    }
    if text.ends_with(']') {
        out.push_str(BREAK);
    }
}
