//! The lexer of a format, chosen at run time.

use super::{
    html, json,
    kinds::Format,
    lexer::{self, Lexer, Token},
    log, turtle, xml,
};
use crate::engine::rules::{Rules, anchors};

/// The lexer of a format.
#[derive(Clone, Debug)]
pub(super) enum Reader {
    Html(html::Html),
    Xml(xml::Xml),
    Json(json::Json),
    Log(log::Log),
    Turtle(turtle::Turtle),
}

impl Reader {
    pub(super) fn new(format: Format, rules: &Rules) -> Reader {
        let told = || html::Told::by(anchors(rules));
        match format {
            Format::Xml => Reader::Xml(xml::Xml::new(told(), &rules.tuning)),
            Format::Json => Reader::Json(json::Json::new(rules.fields.clone())),
            Format::Log => Reader::Log(log::Log::new()),
            Format::Turtle => Reader::Turtle(turtle::Turtle::new()),
            Format::Html | Format::Text => Reader::Html(html::Html::new(told(), &rules.tuning)),
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
            Reader::Turtle(_) => false,
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
        }
    }

    /// As [`Lexer::spell`].
    pub(super) fn spell(
        &mut self,
        bytes: &[u8],
        last: bool,
        spelt: &mut lexer::Spelt<'_>,
    ) -> usize {
        match self {
            Reader::Html(lexer) => lexer.spell(bytes, last, spelt),
            Reader::Xml(lexer) => lexer.spell(bytes, last, spelt),
            Reader::Json(lexer) => lexer.spell(bytes, last, spelt),
            Reader::Log(lexer) => lexer.spell(bytes, last, spelt),
            Reader::Turtle(lexer) => lexer.spell(bytes, last, spelt),
        }
    }
}
