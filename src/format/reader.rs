//! The lexer of a format, chosen at run time.

use super::{
    asciidoc, css, csv, html, ical, json,
    kinds::Format,
    lexer::{self, Lexer, Region, Token, Value},
    log, markdown,
    tag::Name,
    triggers::Triggers,
    turtle, xml,
};
use crate::{
    engine::rules::Rules,
    grammar::types::RuleSet,
    links::place::{Inside, Place},
};

/// The lexer of a format.
#[derive(Clone, Debug)]
pub(super) enum Reader {
    Html(html::Html),
    Xml(xml::Xml),
    Json(json::Json),
    Log(log::Log),
    Turtle(turtle::Turtle),
    Csv(csv::Csv),
    Markdown(markdown::Markdown),
    AsciiDoc(asciidoc::AsciiDoc),
    Css(css::Sheet),
    Ical(ical::Ical),
}

impl Reader {
    /// `delimiter`: that of fields. `first`: the document begins here, and not a later part of it.
    pub(super) fn new(format: Format, delimiter: u8, first: bool, rules: &Rules) -> Reader {
        let triggers = || Triggers::by(rules.anchors);
        // By UTS #58, quotes and backticks do not end a link.
        let divided = rules.set == RuleSet::Uts58;
        match format {
            Format::Xml => Reader::Xml(xml::Xml::new(triggers(), &rules.tuning)),
            Format::Json => Reader::Json(json::Json::new(rules.fields.clone()).divided(divided)),
            Format::Log => Reader::Log(log::Log::new(divided)),
            Format::Turtle => Reader::Turtle(turtle::Turtle::new()),
            Format::Csv | Format::Tsv => Reader::Csv(csv::Csv::new(delimiter, first, triggers())),
            Format::Markdown => {
                Reader::Markdown(markdown::Markdown::new(rules.code, triggers()).divided(divided))
            }
            Format::AsciiDoc => Reader::AsciiDoc(asciidoc::AsciiDoc::new()),
            Format::Css => Reader::Css(css::Sheet::new()),
            Format::Ical => Reader::Ical(ical::Ical::new()),
            Format::Html | Format::Text => Reader::Html(html::Html::new(triggers(), &rules.tuning)),
        }
    }

    /// Keeps the names of the elements and attributes of links.
    pub(super) fn named(self) -> Reader {
        match self {
            Reader::Html(lexer) => Reader::Html(lexer.named(true)),
            Reader::Xml(lexer) => Reader::Xml(lexer.named(true)),
            other => other,
        }
    }

    /// A reader for the text of an element; its first byte is after the value of an attribute in
    /// the tag of the element.
    pub(super) fn of_element(&self, (element, attribute): (Name, Name)) -> Option<Reader> {
        match self {
            Reader::Html(_) => Some(Reader::Html(html::Html::of_element(element, attribute))),
            Reader::Xml(lexer) => Some(Reader::Xml(lexer.of_element(element, attribute))),
            _ => None,
        }
    }

    /// Whether the element whose text is read is over.
    pub(super) fn is_element_over(&self) -> bool {
        match self {
            Reader::Html(lexer) => lexer.is_element_over(),
            Reader::Xml(lexer) => lexer.is_element_over(),
            _ => true,
        }
    }

    /// Whether the characters of the region that begins here are text of the element.
    pub(super) fn is_shown(&self, region: Region) -> bool {
        match self {
            Reader::Html(lexer) => lexer.is_shown(),
            Reader::Xml(lexer) => lexer.is_shown(region),
            _ => false,
        }
    }

    /// The element and the attribute of a link in the region that begins here.
    pub(super) fn names(&self, region: Region) -> Option<(Name, Option<Name>)> {
        match self {
            Reader::Html(lexer) => lexer.names(),
            Reader::Xml(lexer) => lexer.names(region),
            _ => None,
        }
    }

    /// The element and the attribute of the last [`Token::Whole`], if they are wanted.
    pub(super) fn names_of_whole(&self) -> Option<(Name, Option<Name>)> {
        match self {
            Reader::Html(lexer) => lexer.names_of_whole(),
            Reader::Xml(lexer) => lexer.names_of_whole(),
            _ => None,
        }
    }

    /// A number that the current tag has alone, if it was read by itself.
    pub(super) fn tag_number(&self) -> u64 {
        match self {
            Reader::Html(lexer) => lexer.tag_number(),
            Reader::Xml(lexer) => lexer.tag_number(),
            _ => 0,
        }
    }

    /// Whether links are in HTML.
    pub(super) fn is_in_html(&self) -> bool {
        match self {
            Reader::Html(_) => true,
            Reader::Xml(lexer) => lexer.is_in_html(),
            _ => false,
        }
    }

    /// Whether markup that follows, or text in a format without any, is what it would be
    /// at the start of a document.
    pub(super) fn is_between(&self) -> bool {
        match self {
            Reader::Html(lexer) => lexer.is_between(),
            Reader::Xml(lexer) => lexer.is_between(),
            Reader::Json(lexer) => lexer.is_between(),
            Reader::Log(lexer) => lexer.is_between(),
            Reader::Turtle(_) | Reader::Markdown(_) | Reader::AsciiDoc(_) => false,
            Reader::Css(_) | Reader::Ical(_) => false,
            Reader::Csv(lexer) => lexer.is_between(),
        }
    }

    /// Whether all bytes with a meaning in the format are 00–2F and 3A–3F, which are never the
    /// second byte of a character.
    pub(super) fn is_sync(&self) -> bool {
        match self {
            Reader::Html(_) | Reader::Xml(_) => true,
            Reader::Csv(lexer) => lexer.is_sync(),
            Reader::Json(_) | Reader::Log(_) | Reader::Turtle(_) => false,
            Reader::Markdown(_) | Reader::AsciiDoc(_) | Reader::Css(_) | Reader::Ical(_) => false,
        }
    }

    /// The document is read in a charset in which a character may have two bytes, of which the second
    /// one is ASCII (`double`), or in another one.
    pub(super) fn set_double(&mut self, double: bool) {
        match self {
            Reader::Html(lexer) => lexer.set_double(double),
            Reader::Csv(lexer) => lexer.set_double(double),
            _ => {}
        }
    }

    /// Whether the region that begins here is not the first one of its field.
    #[inline]
    pub(super) fn is_further(&self) -> bool {
        matches!(self, Reader::Csv(lexer) if lexer.is_further())
    }

    /// Whether the region that ended just now is not the last one of its field.
    #[inline]
    pub(super) fn cell_goes_on(&self) -> bool {
        matches!(self, Reader::Csv(lexer) if lexer.goes_on())
    }

    /// The delimiter of fields.
    #[inline]
    pub(super) fn delimiter(&self) -> Option<u8> {
        match self {
            Reader::Csv(lexer) => Some(lexer.delimiter()),
            _ => None,
        }
    }

    /// Returns the syntax around the links of the region that begins here.
    #[inline]
    pub(super) fn place(&self, region: Region) -> Place {
        match self {
            Reader::Html(lexer) => lexer.place(region).into(),
            Reader::Xml(lexer) => lexer.place(region),
            Reader::Turtle(_) if region == Region::Reference(Value::Name) => Inside::Name.into(),
            Reader::Csv(lexer) => lexer.place().into(),
            Reader::Markdown(lexer) => lexer.place(),
            Reader::Css(lexer) => lexer.place(region).into(),
            Reader::AsciiDoc(_) => match region {
                Region::Reference(_) => Inside::Attribute { quoted: false }.into(),
                _ => Place::default(),
            },
            Reader::Ical(lexer) => lexer.place().into(),
            Reader::Json(_) | Reader::Log(_) | Reader::Turtle(_) => Place::default(),
        }
    }

    /// Returns the syntax around the links in a value of an attribute that was read at once. `next`:
    /// the byte after the value.
    #[inline]
    pub(super) fn place_of_value(&self, value: Value, next: Option<u8>) -> Place {
        // If it is not certain, the value counts as one without quotes, in which more is escaped.
        let quoted = match self {
            Reader::Xml(lexer) if let Some(nested) = lexer.nested() => nested.is_quoted(),
            _ => matches!(next, Some(b'"' | b'\'')),
        };
        let inside = value.inside(quoted);
        match self {
            Reader::Xml(lexer) => Place::new(inside, lexer.around()),
            _ => inside.into(),
        }
    }

    #[inline]
    pub(super) fn next(&mut self, bytes: &[u8], last: bool) -> Option<Token> {
        #[cfg(test)]
        crate::charset::cursor::STEPS.set(crate::charset::cursor::STEPS.get() + 1);
        match self {
            Reader::Html(lexer) => lexer.next(bytes, last),
            Reader::Xml(lexer) => lexer.next(bytes, last),
            Reader::Json(lexer) => lexer.next(bytes, last),
            Reader::Log(lexer) => lexer.next(bytes, last),
            Reader::Turtle(lexer) => lexer.next(bytes, last),
            Reader::Csv(lexer) => lexer.next(bytes, last),
            Reader::Markdown(lexer) => lexer.next(bytes, last),
            Reader::AsciiDoc(lexer) => lexer.next(bytes, last),
            Reader::Css(lexer) => lexer.next(bytes, last),
            Reader::Ical(lexer) => lexer.next(bytes, last),
        }
    }

    /// As [`Lexer::unescape_run`].
    pub(super) fn unescape_run(
        &mut self,
        bytes: &[u8],
        last: bool,
        unescaped: &mut lexer::Unescaped<'_>,
    ) -> usize {
        match self {
            Reader::Html(lexer) => lexer.unescape_run(bytes, last, unescaped),
            Reader::Xml(lexer) => lexer.unescape_run(bytes, last, unescaped),
            Reader::Json(lexer) => lexer.unescape_run(bytes, last, unescaped),
            Reader::Log(lexer) => lexer.unescape_run(bytes, last, unescaped),
            Reader::Turtle(lexer) => lexer.unescape_run(bytes, last, unescaped),
            Reader::Csv(lexer) => lexer.unescape_run(bytes, last, unescaped),
            Reader::Markdown(_) | Reader::AsciiDoc(_) | Reader::Css(_) | Reader::Ical(_) => 0,
        }
    }
}
