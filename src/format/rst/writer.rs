//! reStructuredText: running text, literals and targets.

use crate::{
    format::slot::{
        emptied::Emptied,
        escapes::percent_encode,
        light::{before, begins_block},
        recent::{Before, Recent},
        site::{Escaped, Site, Surrounding, Writer},
    },
    links::{
        matched::Match,
        place::{Inside, Place},
    },
};

pub(in crate::format) struct Rst;

impl Writer for Rst {
    fn before(&self, _: Surrounding, recent: Recent) -> Before {
        if recent.ends_with("\\") { Before::Backslash } else { before(recent) }
    }

    fn is_strict(&self, _: Place) -> bool {
        true
    }

    /// In text, the signs of markup get a backslash. A target without spaces is what Docutils reads, so
    /// these are percent-encoded, and so is what would end it. A literal has no escapes.
    fn write(&self, site: &Site, text: &str, out: &mut Escaped) -> Option<()> {
        let feeds = text.contains(['\r', '\n']);
        match site.place.inside() {
            Inside::Attribute { .. } => push_target(site, text, out),
            Inside::Plain if feeds || text.contains('`') || text.ends_with(' ') => return None,
            Inside::Plain => out.push_plain(site, text),
            _ => {
                let block = site.before == Before::LineStart && begins_block(text);
                if feeds || block || site.before == Before::Backslash {
                    return None;
                }
                push_text(site, text, out);
            }
        }
        Some(())
    }

    /// Neither a target nor a literal may become empty.
    fn empty(&self, site: &Site, _: Recent, _: &Match<'_>) -> Option<Option<Emptied>> {
        let is_text = site.place.inside() == Inside::Text;
        (is_text && site.before != Before::LineStart).then_some(None)
    }
}

/// Appends a target. An `_` at its end would make it the name of another one.
fn push_target(site: &Site, text: &str, out: &mut Escaped) {
    let special = |c: char| c <= ' ' || matches!(c, '\\' | '`' | '<' | '>' | '|' | '\u{7F}');
    let (text, name) = match text.strip_suffix('_') {
        Some(text) => (text, true),
        None => (text, false),
    };
    out.push(site, text, special, percent_encode);
    out.text.push_str(if name { "\\_" } else { "" });
}

/// Appends running text. An `_` within a word means nothing.
fn push_text(site: &Site, text: &str, out: &mut Escaped) {
    for (at, c) in text.char_indices() {
        let next = text[at + c.len_utf8()..].chars().next();
        let special = match c {
            '\\' | '*' | '`' | '|' | '<' | '>' => true,
            '_' => !next.is_some_and(char::is_alphanumeric),
            _ => false,
        };
        out.text.push_str(if special { "\\" } else { "" });
        out.push_plain(site, c.encode_utf8(&mut [0; 4]));
    }
}
