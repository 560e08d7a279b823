//! What links stand in: their elements and attributes, and the text that people see of `<a>` and `<area>`.
//!
//! Tokens of markup go in; [`Standing`](crate::format::document::out::Standing) gets what the next links have. The text of an element
//! comes after its link, so a token may have to wait until that is read.

use alloc::{boxed::Box, string::String, sync::Arc};

use super::{
    element_text::{ElementText, may_read},
    out::Out,
    view::View,
};
use crate::{
    charset::{
        Charset, Shift,
        window::{Ahead, Window},
    },
    engine::{rules::Rules, search::Search},
    format::{
        any_lexer::AnyLexer,
        lexing::lexer::{Region, Token},
        markup::{MarkupLexer, tag::Name},
    },
    grammar::types::{Found, Kind},
    links::{markup::Markup, matched::Match},
};

/// Notes the elements of links.
#[derive(Clone, Debug)]
pub(in crate::format) struct Naming {
    /// The text of the element is being read, and this token waits for it.
    element: Option<(ElementText, Token)>,
    /// To find the host in the text of an element.
    named: Option<Arc<Rules>>,
    /// The text of the `<area>` with this number, which came before its reference.
    alt: Option<(u64, String)>,
    /// How many bytes were read for texts of elements.
    read: u64,
}

/// What [`Naming`] reads from: the lexer, which is at `lexed` in a view of this charset.
#[derive(Clone, Copy)]
pub(in crate::format) struct Reached<'r> {
    pub(in crate::format) lexer: &'r AnyLexer,
    pub(in crate::format) lexed: u64,
    pub(in crate::format) view: View<'r>,
    pub(in crate::format) charset: Charset,
}

impl Reached<'_> {
    /// The number of the tag that the lexer is in.
    fn tag_number(self) -> u64 {
        self.lexer.markup().map_or(0, MarkupLexer::tag_number)
    }
}

impl Naming {
    pub(in crate::format) fn new(rules: &Rules) -> Naming {
        let named = rules.options.elements.then(|| Arc::new(rules.of_names()));
        Naming { element: None, named, alt: None, read: 0 }
    }

    /// Whether a token waits.
    pub(in crate::format) fn is_waiting(&self) -> bool {
        self.element.is_some()
    }

    /// Notes the element and the attribute that `token` is in, and reads the text of the element if
    /// that is wanted. Returns the token, or `None` if the text is not complete: then the next
    /// call returns it.
    pub(in crate::format) fn name(
        &mut self,
        token: Option<Token>,
        at: Reached<'_>,
        out: &mut Out<'_>,
    ) -> Option<Token> {
        let (token, mut reading) = match (self.element.take(), token) {
            (Some((reading, token)), _) => (token, reading),
            (None, token) => {
                let token = token?;
                let names = match token {
                    Token::Begin(region) => {
                        let names = at.lexer.markup().and_then(|it| it.names(region));
                        stand(names, at, out);
                        names
                    }
                    Token::Whole(..) => {
                        let names = at.lexer.markup().and_then(MarkupLexer::names_of_whole);
                        stand(names, at, out);
                        names
                    }
                    Token::End => at.lexer.markup().and_then(|it| it.names(Region::Field)),
                    _ => return Some(token),
                };
                let Some(names) = names else { return Some(token) };
                match self.element_text(token, names, at, out) {
                    Some(reading) => (token, reading),
                    None => return Some(token),
                }
            }
        };
        if !reading.read(at.view, at.charset) {
            self.element = Some((reading, token));
            return None;
        }
        self.read += reading.read_bytes();
        match token {
            Token::Begin(_) => {
                self.alt = Some((at.tag_number(), reading.text()));
            }
            _ => self.show(reading.text(), out),
        }
        Some(token)
    }

    /// Returns what reads the text of the element with these names, if that is wanted and known
    /// only from what follows.
    fn element_text(
        &mut self,
        token: Token,
        names: (Name, Option<Name>),
        at: Reached<'_>,
        out: &mut Out<'_>,
    ) -> Option<ElementText> {
        let (element, attribute) = (names.0, names.1?);
        let area = element.local() == b"area";
        let has_text = area || element.local() == b"a";
        if !out.rules.options.elements || !has_text || !may_read(self.read, at.lexed) {
            return None;
        }
        match (token, attribute.get()) {
            (Token::Begin(_), b"alt") if area => {
                Some(ElementText::of_value(at.lexer.clone(), at.lexed))
            }
            (Token::Whole(before, _, n), b"href" | b"xlink:href") => {
                let to = at.lexed + (before + n) as u64;
                Some(ElementText::of_element(at.lexer.of_element((element, attribute))?, to))
            }
            (Token::End, b"href" | b"xlink:href") => {
                if area
                    && let Some((number, alt)) = self.alt.take()
                    && number == at.tag_number()
                {
                    self.show(alt, out);
                    return None;
                }
                let lexer = at.lexer.of_element((element, attribute))?;
                Some(ElementText::of_element(lexer, at.lexed))
            }
            _ => None,
        }
    }

    /// `anchor` is the text of the element that the next links stand in.
    fn show(&self, anchor: String, out: &mut Out<'_>) {
        let Some(markup) = &out.standing.markup else { return };
        let named = self.named.as_ref().and_then(|rules| named_host(rules, &anchor));
        let base_host = named.as_ref().and_then(|_| out.standing.bases.host());
        let shown = Markup { anchor: Some(anchor), named, base_host, ..Markup::clone(markup) };
        out.standing.markup = Some(Arc::new(shown));
    }
}

/// The next links are in an element with these names.
fn stand(names: Option<(Name, Option<Name>)>, at: Reached<'_>, out: &mut Out<'_>) {
    let (html, charset) = (at.lexer.is_in_html(), at.charset);
    let text = |name: &Name| charset.decode_shifted(&name.as_written(), Shift::Ascii).into();
    out.standing.markup = names.map(|(element, attribute)| {
        Arc::new(Markup {
            html,
            element: Some(text(&element)),
            attribute: attribute.as_ref().map(text),
            ..Markup::default()
        })
    });
}

/// The host that `text` is or begins with, in the form in which hosts are compared: of a URL, or a
/// bare one whose last label is not all in capitals (`ASP.NET`).
fn named_host(rules: &Arc<Rules>, text: &str) -> Option<Box<str>> {
    let mut search = Search::new(rules.clone(), Some(Charset::UTF_8));
    let window = Window { bytes: text.as_bytes(), base: 0, ahead: Ahead::Nothing };
    let mut found = Found::NONE;
    search.next(window, &mut found).then_some(())?;
    let before = &text[..usize::try_from(found.start).ok()?];
    let bytes = &text.as_bytes()[window.index(found.start)..window.index(found.end)];
    let link = Match::of(bytes, found, Charset::UTF_8, rules.uri);
    let host = link.host()?;
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    let in_capitals = link.kind() == Kind::Bare && last.bytes().all(|b| b.is_ascii_uppercase());
    let begins = !before.contains(char::is_alphanumeric) && !in_capitals;
    begins.then(|| link.host_key()).flatten().map(|host| host.into_owned().into())
}
