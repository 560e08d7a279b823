//! The form of a link to show to a person: its readable IRI, with the host in Unicode where that cannot deceive.
//!
//! A link goes in, a text comes out that has no controls and no bidi controls. What must hold: the short way of
//! most links leads to the same text as the way over the URI.

use alloc::{borrow::Cow, string::String};

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};

use super::{Match, WEB, without_controls};
use crate::{
    grammar::types::Kind,
    reference::{
        browser::Opened,
        class::is_obeyed,
        components::{Component, Components},
        host_cache::HostCache,
        lookalike,
        to_iri::IriOptions,
        to_uri::ascii_form,
    },
};

impl<'h> Match<'h> {
    /// What to show to a person: the readable IRI (RFC 3987, section 3.2) with its host in Unicode
    /// where that cannot deceive, and in ASCII elsewhere. A label of a host is shown in Unicode as
    /// in Chrome: if identifiers may have its characters, its scripts are written together (UTS
    /// #39, level Highly Restrictive), it does not look like ASCII (unless the top-level domain is of
    /// its script), and no mark is put on a letter of an alphabet that has its own. A query with
    /// characters of the document's charset is shown with them. A link without a URI form is shown
    /// as it is.
    ///
    /// It has no controls and no bidi controls: these are percent-encoded, and a NUL is U+FFFD.
    ///
    /// It may have letters that are written from right to left. A program that shows it in other
    /// text puts it between U+2066 and U+2069, so that it does not change the order of that text
    /// (RFC 3987, section 4.1).
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let text = "http://xn--bcher-kva.example/%C3%BC http://xn--80ak6aa92e.com/";
    /// let shown: Vec<_> = Finder::new().find_iter(text).map(|link| link.display()).collect();
    /// assert_eq!(shown, ["http://bücher.example/ü", "http://xn--80ak6aa92e.com/"]);
    /// ```
    #[must_use]
    pub fn display(&self) -> String {
        self.displayed(None).into_owned()
    }

    pub(in crate::links) fn displayed(&self, mut hosts: Option<&mut HostCache>) -> Cow<'h, str> {
        if let Some(Opened { url, .. }) = self.browser() {
            let options = self.options.charset(self.charset);
            let url = without_controls(Cow::Owned(url));
            let Ok(uri) = options.to_uri(&url) else { return harmless(url) };
            return harmless(Cow::Owned(self.shown(&uri, hosts)));
        }
        let soon = self.displayed_soon(hosts.as_deref_mut());
        harmless(soon.unwrap_or_else(|| self.displayed_by_uri(hosts)))
    }

    /// The form to show of most links, made without their URI. `None` says nothing.
    fn displayed_soon(&self, hosts: Option<&mut HostCache>) -> Option<Cow<'h, str>> {
        if let Some(text) = self.displayed_as_is() {
            return Some(Cow::Borrowed(text));
        }
        let text = self.iri();
        let options = self.options.charset(self.charset);
        let keeps = self.kind() == Kind::Iri && options.keeps_all_but_host(&text);
        keeps.then(|| self.with_shown_host(&text, hosts)).flatten().map(Cow::Owned)
    }

    /// The form to show of any link: that of its URI.
    fn displayed_by_uri(&self, mut hosts: Option<&mut HostCache>) -> Cow<'h, str> {
        let Ok(uri) = self.uri_with(hosts.as_deref_mut()) else { return self.iri() };
        let web = self.kind() != Kind::Iri;
        let uri = if web { Cow::Owned([WEB, uri.as_str()].concat()) } else { uri.text };
        let mut iri = self.shown(&uri, hosts);
        Cow::Owned(if web { iri.split_off(WEB.len()) } else { iri })
    }

    /// The form to show of a URI.
    fn shown(&self, uri: &str, hosts: Option<&mut HostCache>) -> String {
        // A query with characters of the document's charset is read back by it. What is ASCII in
        // the document may be in any charset.
        let escapes = Some(self.charset).filter(|_| !self.is_ascii());
        let mut iri = IriOptions::new().escapes(escapes).to_iri(uri).into_owned();
        if let Some(host) = Components::split(&iri).range(Component::Host) {
            let shown = lookalike::shown_form(&iri[host.clone()], hosts).into_owned();
            iri.replace_range(host, &shown);
        }
        iri
    }

    /// `text` with its host as it is shown; `None` says nothing.
    fn with_shown_host(&self, text: &str, mut hosts: Option<&mut HostCache>) -> Option<String> {
        let host = Components::split(text).range(Component::Host)?;
        let (before, name, after) = (&text[..host.start], &text[host.clone()], &text[host.end..]);
        // The ASCII form is a form of the same host, whose end is not cut off.
        let ascii = name.is_ascii()
            || ascii_form(name.as_bytes(), hosts.as_deref_mut())
                .is_some_and(|ascii| !ascii.ends_with('.'));
        let is_name = ascii && !name.starts_with('[');
        is_name.then(|| [before, &lookalike::shown_form(name, hosts), after].concat())
    }

    /// The link, if it is seen at once that [`Match::display`] does not change it: most links have
    /// neither an escape nor punycode.
    fn displayed_as_is(&self) -> Option<&'h str> {
        let host = self.plain_host().filter(|_| self.is_ascii())?;
        let text = core::str::from_utf8(self.source).ok()?;
        // Few bytes are an `x`, and only those are worth a call.
        let punycode = host.windows(4).any(|part| part[0] == b'x' && part == b"xn--");
        // What no URI has, such as `{`, is shown as its URI has it.
        let escapes = memchr::memchr(b'%', self.source).is_some();
        (!punycode && !escapes && !self.options.changes_ascii(self.source)).then_some(text)
    }
}

/// `text` with what a terminal or a reader would obey percent-encoded: controls, line separators and
/// bidi controls; and with U+FFFD for NUL.
fn harmless(text: Cow<'_, str>) -> Cow<'_, str> {
    let may_begin = |b: u8| (b < b' ') | (b == 0x7F) | (b == 0xC2) | (b == 0xD8) | (b == 0xE2);
    if !text.bytes().fold(false, |any, b| any | may_begin(b)) {
        return text;
    }
    if !text.contains(is_obeyed) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\0' => out.push('\u{FFFD}'),
            c if is_obeyed(c) => {
                out.extend(percent_encode(c.encode_utf8(&mut [0; 4]).as_bytes(), NON_ALPHANUMERIC))
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use std::{string::String, vec};

    use proptest::prelude::*;

    use super::*;
    use crate::links::matched::Uri;
    use crate::{api::config::Config, links::viewer::Viewer};

    proptest! {
        /// The short way to the form that is shown leads to that of the URI, and so does the one over hosts
        /// that are known. The URI is the same too if it is written after another text.
        #[test]
        fn links_are_shown_alike_in_every_way(
            hosts in prop::collection::vec(
                prop_oneof![
                    3 => prop::sample::select(vec![
                        "a.example", "A.example", "bücher.example", "BÜCHER.example", "faß.de", "a。b", "a.b.",
                        "ü.", "ü。", "раураl.com", "xn--bcher-kva.example", "xn--80ak6aa92e.com", "xn--a", "[::1]",
                        "u@ü.de", "a%C3%BC.de", "例え.テスト", "\u{130}.de", "x_y.ü", "xn--Ü.example", "Ü.xn--zz.example", "Ü\u{4E00}\u{301}.example", "Ü.。", "Ü.。/", "ü..de", "1.2.3.4", "אב.co.il",
                    ]).prop_map(String::from),
                    1 => "[a-zü例.%-]{1,9}",
                ],
                1..5,
            ),
            schemes in prop::collection::vec(prop::sample::select(vec!["http://", "https://", "HTTP://", "ftp://", ""]), 4),
            tails in prop::collection::vec("(:[0-9]{1,2})?(/[a-zé例%:{^|]{0,4}|/%C3%BC|/%2F|/e\u{301}|/\u{212B})?(\\?[aé=]{1,3})?", 4),
        ) {
            let links = hosts.iter().zip(&schemes).zip(&tails);
            let text: String = links.map(|((host, scheme), tail)| [*scheme, &**host, &**tail, " "].concat()).collect();
            let finder = Config::new().kinds([Kind::Iri, Kind::Bare]).build().unwrap();
            let mut known = Viewer::new();
            for link in finder.find_iter(&text) {
                let shown = link.displayed_by_uri(None);
                if let Some(soon) = link.displayed_soon(None) {
                    prop_assert_eq!(soon, &*shown, "{:?}", link);
                }
                prop_assert_eq!(known.display(&link), shown, "{:?}", link);
                let (mut written, uri) = (String::from("x"), link.uri());
                prop_assert_eq!(known.write_uri(&link, &mut written).err(), uri.clone().err());
                prop_assert_eq!(&written[1..], uri.as_ref().map_or("", Uri::as_str), "{:?}", link);
            }
        }
    }
}
