//! What the references of a document are relative to, at the place that the lexer has reached (RFC 3986,
//! section 5.1).
//!
//! Each base is resolved against the one outside it: `xml:base` of an element, that of an element around
//! it (XML Base, section 4), the first `<base href>` of the document (HTML, section 4.2.3), and
//! [`Config::base`](crate::Config::base). A base counts from where it stands, because the links before it
//! have been delivered.

use alloc::{boxed::Box, vec::Vec};

use crate::{links::matched::Match, reference::base::BaseUri};

/// The bases that count where the lexer is.
#[derive(Clone, Debug, Default)]
pub(in crate::format) struct Bases {
    /// [`Config::base`](crate::Config::base).
    given: Option<BaseUri>,
    /// That of `<base href>`; the first one counts, even if it leads nowhere.
    document: Option<Document>,
    /// Those of the open elements that have one; `None`: it could not be read.
    scopes: Vec<Option<BaseUri>>,
    /// What the next link is the base of.
    of_next: Option<Scope>,
    /// One of the above is there. Most documents have no base.
    any: bool,
}

/// The first `<base href>` of a document.
#[derive(Clone, Debug)]
struct Document {
    /// `None` if it is relative to what is not known, or nothing can be relative to it.
    base: Option<BaseUri>,
    /// The host that it leads to, in the form in which hosts are compared. It may be known without a base.
    host: Option<Box<str>>,
}

/// What a base is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Scope {
    /// The rest of the document.
    Document,
    /// The rest of the element, which is the last of so many that have a base.
    Element(usize),
}

impl Bases {
    pub(in crate::format) fn new(given: Option<BaseUri>) -> Bases {
        Bases { any: given.is_some(), given, ..Bases::default() }
    }

    /// Whether one counts, or was begun.
    #[inline]
    pub(in crate::format) fn has_any(&self) -> bool {
        self.any
    }

    /// A region begins, within so many elements that have a base. `sets`: the base that its value is.
    pub(in crate::format) fn begin(&mut self, within: usize, sets: Option<Scope>) {
        self.scopes.truncate(within);
        self.of_next = sets;
        self.any = sets.is_some() || self.given.is_some() || self.has_own();
    }

    /// The base of the next links.
    pub(in crate::format) fn current(&self) -> Option<&BaseUri> {
        let inner = self.scopes.iter().rev().flatten().next();
        let document = self.document.as_ref().and_then(|document| document.base.as_ref());
        inner.or(document).or(self.given.as_ref())
    }

    /// The host of relative references without one, in the form in which hosts are compared.
    pub(in crate::format) fn host(&self) -> Option<Box<str>> {
        let document = || self.document.as_ref()?.host.clone();
        self.current().and_then(BaseUri::host_key).or_else(document)
    }

    /// Whether the document has said a base that counts here.
    pub(in crate::format) fn has_own(&self) -> bool {
        self.document.is_some() || !self.scopes.is_empty()
    }

    /// Takes the link for the base that the region is, if it is one.
    #[inline]
    pub(in crate::format) fn note(&mut self, link: &Match<'_>) {
        if self.any
            && let Some(scope) = self.of_next.take()
        {
            self.set(scope, link);
        }
    }

    #[cold]
    fn set(&mut self, scope: Scope, link: &Match<'_>) {
        let base = link.leads_to().ok().and_then(|uri| BaseUri::new(&uri).ok());
        match scope {
            Scope::Document => {
                let host = || link.host_key().map(|host| host.into_owned().into());
                self.document.get_or_insert_with(|| Document { base, host: host() });
            }
            Scope::Element(depth) => {
                self.scopes.resize(depth, None);
                if let Some(last) = self.scopes.last_mut() {
                    *last = base;
                }
            }
        }
    }
}

/// At most so many elements around a place may have a base; those within count for nothing.
const DEPTH: usize = 64;

/// The open elements of XML that have a base.
#[derive(Clone, Debug, Default)]
pub(in crate::format) struct Elements {
    /// So many elements are open, malformed ones aside.
    depth: u32,
    /// The depths of those that have a base.
    with_base: Vec<u32>,
    /// The current tag has one.
    begun: bool,
}

impl Elements {
    /// The value of an attribute begins that is the base of its element.
    pub(in crate::format) fn begin_base(&mut self) {
        self.begun = self.with_base.len() < DEPTH;
    }

    /// A tag ends that opens an element, closes one, or neither.
    #[inline]
    pub(in crate::format) fn end_tag(&mut self, opens: bool, closes: bool) {
        if opens {
            self.depth = self.depth.saturating_add(1);
            if self.begun {
                self.with_base.push(self.depth);
            }
        } else if closes {
            self.depth = self.depth.saturating_sub(1);
            if self.with_base.last().is_some_and(|depth| *depth > self.depth) {
                self.with_base.pop();
            }
        }
        self.begun = false;
    }

    /// Whether the value that begins is the base of its element.
    #[inline]
    pub(in crate::format) fn begins_base(&self) -> bool {
        self.begun
    }

    /// How many elements with a base are open, the current tag among them.
    #[inline]
    pub(in crate::format) fn len(&self) -> usize {
        self.with_base.len() + usize::from(self.begun)
    }
}
