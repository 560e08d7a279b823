//! Finding the links of a message, piece by piece.

use std::{boxed::Box, collections::BTreeMap, format, string::String, sync::Arc, vec::Vec};

use super::{
    lines::Lines,
    link::{MailLink, Names},
    outline::{self, Piece, What},
    region::Region,
    transfer,
    types::{Transfer, UnsearchedReason},
    unsearched::Unsearched,
};
use crate::{
    api::finder::Finder,
    engine::rules::Rules,
    format::kinds::Format,
    reference::{host_name::may_be_unicode, lookalike::skeleton, to_uri::QueryCharset},
};

/// The links of a message, in the order of its fields and parts.
///
/// Any bytes are a message. An mbox is not divided: [`Messages`](super::Messages) reads its messages one by one. Time is linear in their length, for parts nested up to a depth of
/// 100. A line `From …` before the message is not part of it.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let message = "List-Archive: <http://lists.example/\r\n archiv/ü>\r\n\r\nhi\r\n";
/// let links = mail::find(&Finder::new(), message.as_bytes());
/// assert_eq!((links[0].part(), links[0].header()), ("0", Some("List-Archive")));
/// assert_eq!(links[0].link().iri(), "http://lists.example/archiv/ü");
/// assert_eq!(links[0].span(), Some(15..48));
/// ```
#[must_use]
pub fn find(finder: &Finder, message: &[u8]) -> Vec<MailLink> {
    let mut links = Vec::new();
    find_each(finder, message, |link| links.push(link));
    links
}

/// As [`find`], one link after the other, so that not all of them are held.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let mut longest = String::new();
/// mail::find_each(&Finder::new(), b"\nhttp://a.example/ http://b.example/c", |found| {
///     let iri = found.link().iri();
///     if iri.len() > longest.len() {
///         longest = iri.into_owned();
///     }
/// });
/// assert_eq!(longest, "http://b.example/c");
/// ```
pub fn find_each(finder: &Finder, message: &[u8], each: impl FnMut(MailLink)) {
    find_noting(finder, message, |_| None, each, |_| {});
}

/// As [`find_each`], with at most so many characters (Unicode scalar values) of the text
/// [before](MailLink::before) and [after](MailLink::after) each link. `message` is one message; [`Messages`](super::Messages)
/// divides an mbox.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let message = b"Content-Type: text/plain; charset=iso-8859-1\n\
///                 Content-Transfer-Encoding: quoted-printable\n\n\
///                 sch=F6ne Gr=FC=DFe: http://a.example/, bis bald";
/// mail::find_in_context(&Finder::new(), message, 7, |found| {
///     assert_eq!((found.before(), found.after()), (Some("Grüße: "), Some(", bis b")));
/// });
/// ```
pub fn find_in_context(finder: &Finder, message: &[u8], chars: usize, each: impl FnMut(MailLink)) {
    find_noting(finder, message, |_| Some(chars), each, |_| {});
}

/// As [`find_each`], and calls `unsearched` with each part that is [not searched](super::unsearched). `context`:
/// how many characters of the text around a link are wanted, as with [`find_in_context`], in a part of this format.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let message = b"Content-Type: application/pkcs7-mime\n\nMIIB";
/// let mut parts = Vec::new();
/// mail::find_noting(&Finder::new(), message, |_| None, |_| {}, |part| parts.push(part));
/// assert_eq!(parts, mail::unsearched(message));
/// assert_eq!(parts[0].reason(), mail::UnsearchedReason::Smime);
/// ```
pub fn find_noting(
    finder: &Finder,
    message: &[u8],
    context: impl Fn(Format) -> Option<usize>,
    mut each: impl FnMut(MailLink),
    mut unsearched: impl FnMut(Unsearched),
) {
    let finders = Finders::of(finder);
    if !finder.rules.options.elements {
        find_within(&finders, message, 0, &context, &mut each, &mut unsearched);
        return;
    }
    let mut hosts = Hosts::default();
    let mut each = |mut found: MailLink| {
        if found.link.host_key().is_some_and(|host| hosts.has_twin(host)) {
            found.link.set_twin();
        }
        each(found);
    };
    find_within(&finders, message, 0, &context, &mut each, &mut unsearched);
}

/// The hosts of a message, by what those that look alike have in common.
#[derive(Debug, Default)]
struct Hosts(BTreeMap<String, String>);

impl Hosts {
    /// Whether another host that came before looks like `host`. Of a pair of which one is ASCII, the
    /// other one is the one that deceives.
    fn has_twin(&mut self, host: String) -> bool {
        let first = self.0.entry(skeleton(&host)).or_insert_with(|| host.clone());
        let is_ascii = |host: &str| !may_be_unicode(host);
        *first != host && (is_ascii(first) || !is_ascii(&host))
    }
}

/// How deep encoded messages may be nested.
const ENCODED_MAX: usize = 3;

/// The finders for the texts of a message, by their format.
#[derive(Clone, Debug)]
pub(super) struct Finders {
    html: Finder,
    others: Finder,
    /// For fields with addresses.
    fields: Finder,
}

impl Finders {
    /// A mail program gives the characters of a link in text to the browser, which writes a
    /// query in UTF-8. An HTML part is given to the browser as a document. So the default of
    /// [`Config::query`](crate::api::config::Config::query) is UTF-8 for all parts but HTML.
    pub(super) fn of(finder: &Finder) -> Finders {
        let mut others = finder.clone();
        if finder.rules.options.query.is_none() {
            let utf8 = Some(QueryCharset::Utf8);
            others.rules = Arc::new(finder.rules.with(|options| options.query = utf8));
        }
        let mut fields = others.clone();
        fields.rules = Arc::new(Rules { any_domain: true, ..Rules::clone(&others.rules) });
        Finders { html: finder.clone(), others, fields }
    }

    /// One of them, for the options that all have.
    pub(super) fn any(&self) -> &Finder {
        &self.html
    }

    pub(super) fn get(&self, region: &Region<'_>) -> Finder {
        let finder = match region.format {
            Format::Html => &self.html,
            _ if region.never == Some(super::outcome::KeptReason::Address) => &self.fields,
            _ => &self.others,
        };
        let finder = finder.clone().format(region.format);
        match &region.base_uri {
            Some(base) => finder.base(base.clone()),
            None => finder,
        }
    }
}

/// Shows the links of a message to `each`. `depth`: how many encoded messages it is in. `context`: how many characters
/// of the text around a link are wanted, by the format of the part.
pub(super) fn find_within(
    finders: &Finders,
    message: &[u8],
    depth: usize,
    context: &dyn Fn(Format) -> Option<usize>,
    each: &mut dyn FnMut(MailLink),
    unsearched: &mut dyn FnMut(Unsearched),
) {
    let mut lines = Lines::of(message);
    outline::walk(message, &mut |piece| {
        let base = lines.at(piece.range.start);
        if let Some(inner) = encoded(message, piece) {
            if depth < ENCODED_MAX {
                let (part, depth) = (piece.part, depth + 1);
                let each = &mut |found| each(enclosed(found, part, base));
                let unsearched = &mut |closed: Unsearched| unsearched(closed.within(part, base));
                find_within(finders, &inner, depth, context, each, unsearched);
            } else {
                unsearched(Unsearched::new(piece.part, UnsearchedReason::TooDeep, base));
            }
        } else if let What::Closed(why) = piece.what {
            unsearched(Unsearched::new(piece.part, why, base));
        } else if let Some(region) = Region::of(message, piece, finders.any()) {
            let finder = finders.get(&region);
            let chars = context(region.format);
            for found in finder.find_iter(region.input()) {
                let around = chars.map(|chars| Box::new(region.around(&found, chars)));
                each(MailLink { around, ..region.link(&found, message, base, &mut lines) });
            }
        }
    });
}

/// The message that is attached encoded, if `piece` is one.
pub(super) fn encoded(message: &[u8], piece: &Piece<'_>) -> Option<Vec<u8>> {
    let range = piece.range.clone();
    match piece.what {
        What::Message(Transfer::Base64) => Some(transfer::base64(&message[range]).bytes),
        What::Message(Transfer::Quoted) => Some(transfer::quoted(message, range).into_bytes()),
        _ => None,
    }
}

/// A link of a message that is attached encoded, with its place in the message around it: in
/// `part`, which starts on `line`.
pub(super) fn enclosed(found: MailLink, part: &str, line: u64) -> MailLink {
    let names = Names { part: format!("{part}.{}", found.part()).into(), ..found.names };
    MailLink { span: None, line, names, ..found }
}
