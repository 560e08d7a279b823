//! The options of a search, compiled.

use alloc::{string::String, sync::Arc};

use super::tuning::Tuning;
use crate::{
    data::schemes::{Scheme, Schemes},
    grammar::{
        start::{LOOKBACK, LOOKBACK_MAX},
        types::{Kind, RuleSet},
    },
    links::{edit::LinkEdit, filter::Filter, matched::Match, rewrite::Rewrite, template::Template},
    reference::{
        base::BaseUri,
        to_iri::IriOptions,
        to_uri::{Disallowed, QueryCharset, UriOptions},
    },
    simd::types::Level,
};

/// The options of a search, as they were given: all of a [`Config`](crate::Config) but the charset and
/// the format of the documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SearchOptions {
    pub(crate) kinds: Kinds,
    pub(crate) set: RuleSet,
    /// `None`: the common ones in text, and any in a place for a whole reference.
    pub(crate) schemes: Option<Schemes>,
    pub(crate) ascii_only: bool,
    pub(crate) max_len: u64,
    pub(crate) fields: Arc<[String]>,
    pub(crate) identifiers: bool,
    /// What references are relative to, if a document does not say it.
    pub(crate) base: Option<BaseUri>,
    /// The delimiter of fields of CSV; `None`: the first records show it.
    pub(crate) delimiter: Option<char>,
    /// With each link of markup, its element and attribute, and the text of the element.
    pub(crate) elements: bool,
    /// Links in code count.
    pub(crate) code: bool,
    /// In HTML and XML, links in comments count.
    pub(crate) comments: bool,
    /// Links in the queries of links are found too.
    pub(crate) nested: bool,
    /// In logs, the targets of requests are links.
    pub(crate) targets: bool,
    /// In mail, the charset that is given counts more than that of a part.
    pub(crate) force_charset: bool,
    pub(crate) uri: UriOptions,
    /// What becomes of characters that no URI has; `None`: they are encoded where a URI is asked for, and a link
    /// of ASCII stays where it is rewritten.
    pub(crate) disallowed: Option<Disallowed>,
    /// `None`: mail chooses the charset of queries.
    pub(crate) query: Option<QueryCharset>,
    /// Which of the links that are found count.
    pub(crate) filter: Option<Filter>,
    pub(crate) rewrite: Rewrite,
}

/// The options that every part of a scan shares, and what follows from them.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) options: SearchOptions,
    /// With the charset of queries.
    pub(crate) uri: UriOptions,
    /// With each link of markup, its element and attribute.
    pub(crate) names: bool,
    /// Rewriting goes from URIs to IRIs, with these options.
    pub(crate) to_iri: Option<IriOptions>,
    /// For the text of a query, if links in queries are found too.
    pub(crate) nested: Option<Arc<Rules>>,
    pub(crate) anchors: Anchors,
    pub(crate) web: Web,
    /// The scheme `mailto`, if it is looked for.
    pub(crate) mailto: Option<Scheme>,
    /// How many characters before an anchor can matter.
    pub(crate) lookback: usize,
    /// In UTF-8 links are found as in most texts: by the rules for prose, all characters count, anchors of many
    /// searches, and no link of [`AT_ONCE_MAX`] bytes is too long.
    pub(crate) plain: bool,
    /// The text is a field of mail with addresses: their domains may have any last label.
    pub(crate) any_domain: bool,
    pub(crate) tuning: Tuning,
}

impl Rules {
    pub(crate) fn new(options: SearchOptions) -> Rules {
        let schemes = options.schemes.as_ref().unwrap_or(&COMMON);
        let anchors = anchors_of(options.set, options.kinds, schemes);
        let names = [Kind::Bare, Kind::Email, Kind::Ip];
        let names = options.set == RuleSet::Uts58 || names.iter().any(|it| options.kinds.has(*it));
        Rules {
            uri: options
                .uri
                .query(options.query.unwrap_or_default())
                .disallowed(options.disallowed.unwrap_or_default())
                .rewrites_ascii(options.disallowed.is_some_and(|it| it != Disallowed::Keep)),
            names: options.elements || options.filter.as_ref().is_some_and(Filter::get_links_only),
            to_iri: options.rewrite.to_iri(),
            nested: options.nested.then(|| Arc::new(Rules::of_queries(&options))),
            anchors,
            web: Web::of(schemes),
            mailto: schemes.get(b"mailto"),
            lookback: if names { LOOKBACK_MAX } else { LOOKBACK },
            plain: options.set == RuleSet::Prose
                && anchors.others == Others::None
                && options.max_len >= 2 * AT_ONCE_MAX as u64
                && !options.ascii_only
                && options.kinds.has(Kind::Iri),
            any_domain: false,
            tuning: Tuning::DEFAULT,
            options,
        }
    }

    /// The same rules with other options.
    pub(crate) fn with(&self, change: impl FnOnce(&mut SearchOptions)) -> Rules {
        let mut options = self.options.clone();
        change(&mut options);
        let Rules { any_domain, tuning, .. } = *self;
        Rules { any_domain, tuning, ..Rules::new(options) }
    }

    /// For finding links in the query of a link.
    fn of_queries(options: &SearchOptions) -> Rules {
        Rules::new(SearchOptions {
            nested: false,
            filter: None,
            rewrite: Rewrite::Uri,
            ..options.clone()
        })
    }

    /// For finding hosts in a text of a few words, with or without a scheme.
    pub(crate) fn of_names(&self) -> Rules {
        self.with(|options| {
            options.kinds = Kinds::from_iter([Kind::Iri, Kind::Bare]);
            (options.set, options.schemes) = (RuleSet::Prose, None);
            (options.ascii_only, options.nested) = (false, false);
            (options.filter, options.rewrite) = (None, Rewrite::Uri);
        })
    }

    /// The schemes that make a link in text.
    #[inline]
    pub(crate) fn schemes(&self) -> &Schemes {
        self.options.schemes.as_ref().unwrap_or(&COMMON)
    }

    /// The delimiter of fields of CSV; `None`: the first records show it.
    pub(crate) fn delimiter(&self) -> Option<u8> {
        self.options.delimiter.map(|c| c as u8)
    }

    /// What replaces a link, if that is not its URI or IRI.
    pub(crate) fn template(&self) -> Option<&Template> {
        self.options.rewrite.template()
    }

    /// The changes to parts of links, if rewriting makes those.
    pub(crate) fn edit(&self) -> Option<&LinkEdit> {
        self.options.rewrite.edit()
    }

    /// Whether rewriting may change a link of ASCII characters.
    #[inline]
    pub(crate) fn changes_ascii(&self) -> bool {
        !matches!(self.options.rewrite, Rewrite::Uri) || self.uri.get_rewrites_ascii()
    }

    /// True if a text in UTF-8 is what most texts are (`machine/web.rs`).
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.plain && self.tuning.fast_path
    }

    /// Whether a link that was found counts.
    #[inline]
    pub(crate) fn choose(&self, link: &Match<'_>) -> bool {
        self.options.filter.as_ref().is_none_or(|filter| filter.chooses(link))
    }
}

/// The schemes that count in text if none are given.
static COMMON: Schemes = Schemes::Common;

/// The kinds of link that are wanted: a set, one bit a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const fn has(self, kind: Kind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Kinds {
        Kinds(kinds.into_iter().fold(0, |set, kind| set | 1 << kind as u8))
    }
}

/// The longest text that is read at once, in bytes after the scheme.
pub(super) const AT_ONCE_MAX: usize = 512;

/// The default of [`Config::max_len`](crate::Config::max_len), in bytes of the source.
pub(crate) const MAX_LEN: u64 = 65_536;

/// Which anchors are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Anchors {
    pub(crate) colon: bool,
    pub(crate) dot: bool,
    pub(crate) at: bool,
    pub(crate) others: Others,
    /// A scheme of a single letter is looked for.
    pub(crate) letter: bool,
    /// A scheme is looked for that is known by its name alone, and needs no `//`.
    pub(crate) named: bool,
    /// The instructions that the search for them uses. Detected once a finder, because detection takes as
    /// long as the search of a short text.
    pub(crate) level: Level,
}

/// The anchors that few searches look for, which the fast search has no part in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Others {
    None,
    /// U+3002, which separates labels by UTS #58.
    IdeographicStop,
    /// The `.` and `:` of IP addresses.
    Ip,
}

impl Anchors {
    /// False if `bytes` surely have no anchor, and so no link, in whatever charset they are.
    #[inline]
    pub(crate) fn may_be_in(self, bytes: &[u8]) -> bool {
        self.first_byte(bytes).is_some()
    }

    /// No anchor is before this place of `bytes`. Every charset writes an anchor with its ASCII byte; only
    /// the ideographic full stop has others.
    #[inline]
    pub(crate) fn first_byte(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Anchors { others: Others::IdeographicStop, .. } => Some(0),
            Anchors { others: Others::Ip, .. } => memchr::memchr3(b':', b'.', b'@', bytes),
            Anchors { dot: true, .. } => memchr::memchr3(b':', b'.', b'@', bytes),
            Anchors { at: true, .. } => memchr::memchr2(b':', b'@', bytes),
            _ => memchr::memchr(b':', bytes),
        }
    }
}

/// The anchors that these options need.
pub(crate) fn anchors_of(set: RuleSet, kinds: Kinds, schemes: &Schemes) -> Anchors {
    let standard = set == RuleSet::Uts58;
    Anchors {
        colon: !standard,
        dot: standard || kinds.has(Kind::Bare),
        at: standard || kinds.has(Kind::Email),
        others: match standard {
            true => Others::IdeographicStop,
            false if kinds.has(Kind::Ip) => Others::Ip,
            false => Others::None,
        },
        letter: schemes.has_letter(),
        named: schemes.has_named(),
        level: Level::best(),
    }
}

/// Whether `http` and `https` are looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Web {
    http: bool,
    https: bool,
}

impl Web {
    pub(crate) fn of(schemes: &Schemes) -> Web {
        Web { http: schemes.has_common("http"), https: schemes.has_common("https") }
    }

    /// True if `name`, which is `http` or `https`, is looked for.
    #[inline]
    pub(crate) fn has(self, name: &[u8]) -> bool {
        if name.len() == 4 { self.http } else { self.https }
    }

    /// True if both are.
    pub(crate) fn has_both(self) -> bool {
        self.http && self.https
    }
}
