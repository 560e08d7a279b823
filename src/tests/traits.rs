//! The traits that every public type implements.

use std::{
    fmt::{Debug, Display},
    format,
    str::FromStr,
    string::ToString,
    vec,
    vec::Vec,
};

use crate::*;

#[test]
fn types_are_send_sync_unpin_and_debug() {
    fn holds<T: Send + Sync + Unpin + Debug>() {}
    fn copies<T: Copy + Eq>() {}
    holds::<Finder>();
    holds::<Config>();
    holds::<ConfigError>();
    holds::<Charset>();
    holds::<LabelError>();
    holds::<Input<'_>>();
    holds::<FindIter<'_>>();
    holds::<Match<'_>>();
    holds::<Uri<'_>>();
    holds::<Link>();
    holds::<NameError>();
    holds::<UriError>();
    holds::<Scanner>();
    holds::<Summary>();
    holds::<Rewritten>();
    holds::<Positions>();
    holds::<Position>();
    holds::<Schemes>();
    holds::<Replacement>();
    holds::<SegmentIter<std::vec::IntoIter<std::vec::Vec<u8>>>>();
    #[cfg(feature = "std")]
    holds::<RewriteReader<std::io::Empty>>();
    #[cfg(feature = "std")]
    holds::<Rewriter<std::vec::Vec<u8>>>();
    #[cfg(feature = "bytes")]
    {
        holds::<Segments<bytes::Bytes>>();
        holds::<Segment<bytes::Bytes>>();
    }
    #[cfg(feature = "futures")]
    {
        holds::<SegmentStream<()>>();
        holds::<RewriteStream<()>>();
    }
    #[cfg(feature = "mail")]
    {
        holds::<mail::MailLink>();
        holds::<mail::Kept>();
        holds::<mail::Rewritten>();
        holds::<mail::KeptReason>();
        holds::<mail::Piece>();
        holds::<mail::Messages<std::io::Empty>>();
        copies::<mail::Options>();
        copies::<mail::Signature>();
    }
    copies::<ConfigErrorKind>();
    copies::<UriErrorKind>();
    copies::<Format>();
    copies::<Charset>();
    copies::<Basis>();
    copies::<Kind>();
    copies::<Warning>();
    copies::<HostForm>();
    copies::<QueryCharset>();
    copies::<Nfc>();
}

/// `names` are those of `all`, in order, and each is read again.
fn named<T>(all: &[T], names: &str)
where
    T: Copy + Debug + PartialEq + Display + FromStr<Err = NameError>,
{
    let printed: Vec<_> = all.iter().map(ToString::to_string).collect();
    assert_eq!(printed.join(" "), names);
    for value in all {
        assert_eq!(value.to_string().parse::<T>().as_ref(), Ok(value));
    }
    let error = "nobody".parse::<T>().unwrap_err();
    assert_eq!(error.names(), printed);
    assert!(error.to_string().starts_with("\"nobody\" is not a"), "{error}");
}

/// Names are those of the command's options: docs and scripts count on them.
#[test]
fn values_have_names() {
    use reference::*;

    named(Kind::ALL, "iri bare email ip");
    // Their samples have the names too.
    let formats: Vec<_> = Format::ALL.iter().map(|format| format.as_str()).collect();
    named(Format::ALL, &formats.join(" "));
    named(Basis::ALL, "given bom nuls escapes ascii declared utf-8 detector fallback");
    named(RuleSet::ALL, "prose uts58");
    named(HostForm::ALL, "punycode percent keep");
    named(QueryCharset::ALL, "document utf-8");
    named(Nfc::ALL, "auto always never");
    named(Disallowed::ALL, "encode keep fail");
    named(Unmappable::ALL, "character-reference utf-8 fail");
    named(HostEscapes::ALL, "map keep");
    named(Backslash::ALL, "encode slash");
    named(HostLabels::ALL, "keep unicode unicode-always");
    named(PrivateUse::ALL, "keep decode");
    named(Inadvisable::ALL, "decode keep rfc3987 all");
    named(Unreserved::ALL, "decode keep");
    named(Level::ALL, "string case percent path syntax scheme idn nfc");
    named(Form::ALL, "same uri iri");
    named(SameScheme::ALL, "strict relative");
    named(InnerSpace::ALL, "encode remove separate");
    named(CharacterReferences::ALL, "none xml html iunreserved");
    named(Grammar::ALL, "iri iri-reference absolute-iri uri uri-reference absolute-uri leiri");
    named(Edition::ALL, "rfc3987 3987bis");
    named(Embedding::ALL, "isolate embed bdi embed-marked");
    named(BidiFault::ALL, "control mixed edge");
    named(Component::ALL, "scheme authority userinfo host port path query fragment");
    #[cfg(feature = "mail")]
    named(mail::Signature::ALL, "DKIM multipart/signed S/MIME PGP");
    #[cfg(feature = "mail")]
    named(mail::UnsearchedReason::ALL, "TNEF S/MIME encrypted too-deep");
    assert_eq!(format!("{:>5}", Kind::Iri), "  iri");
}

/// What a configuration is given, the finder gives back.
#[test]
fn a_finder_has_its_options() {
    let config = Config::new()
        .charset(Charset::ISO_2022_JP)
        .format(Format::Json)
        .rules(RuleSet::Uts58)
        .kinds([Kind::Email, Kind::Bare])
        .schemes(Schemes::Any)
        .ascii_only(true)
        .max_len(7)
        .fields(["a", "b"])
        .identifiers(true)
        .host(HostForm::Keep)
        .query(QueryCharset::Document)
        .nfc(Nfc::Never);
    assert_eq!(config.get_charset(), Some(Charset::ISO_2022_JP));
    assert_eq!(config.get_format(), Format::Json);
    assert_eq!(config.get_rules(), RuleSet::Uts58);
    assert_eq!(config.get_kinds().collect::<Vec<_>>(), [Kind::Bare, Kind::Email]);
    assert_eq!(config.get_schemes(), Some(&Schemes::Any));
    assert!(config.get_ascii_only() && config.get_identifiers());
    assert_eq!((config.get_max_len(), config.get_fields().len()), (7, 2));
    assert_eq!(config.get_host(), HostForm::Keep);
    assert_eq!(config.get_query(), Some(QueryCharset::Document));
    assert_eq!(config.get_nfc(), Nfc::Never);
    let finder = config.clone().build().unwrap();
    assert_eq!(finder.config(), config);
    assert_eq!(finder.charset(None).config(), config.clone().charset(None));
    for config in [
        Config::new(),
        Config::new().query(QueryCharset::Utf8),
        Config::new().schemes(Schemes::List(vec!["http".into()])),
    ] {
        assert_eq!(config.clone().build().unwrap().config(), config);
    }
}

/// A link has what the match has, and outlives the text.
#[test]
fn a_link_is_a_match_that_owns() {
    let finder =
        Config::new().kinds([Kind::Iri, Kind::Email]).format(Format::Html).build().unwrap();
    let text = "<a href='/&eacute;?a&amp;b'>http://xn--é.example/ ü@é.example";
    let kept: Vec<Link> = finder.find_iter(text).map(Link::from).collect();
    assert_eq!(kept.len(), 3);
    for (link, found) in kept.iter().zip(finder.find_iter(text)) {
        assert_eq!(*link, found.to_link());
        assert_eq!((link.span(), link.range()), (found.span(), found.range()));
        assert_eq!((link.kind(), link.charset()), (found.kind(), found.charset()));
        assert_eq!(
            (link.source(), link.text(), link.iri()),
            (found.source(), found.text(), found.iri())
        );
        assert_eq!((link.uri(), link.open()), (found.uri(), found.open()));
        assert_eq!(link.replacement(), found.replacement());
        assert_eq!(link.unconvertible(), found.unconvertible());
        assert_eq!((link.scheme(), link.host()), (found.scheme(), found.host()));
        assert_eq!((link.warnings(), link.is_ascii()), (found.warnings(), found.is_ascii()));
    }
}

#[test]
fn inputs_of_every_kind() {
    let finder = Finder::new();
    let text = "http://a.example/é".to_string();
    let bytes = text.as_bytes().to_vec();
    assert!(finder.has_link(&text) && finder.has_link(&*text) && finder.has_link(&bytes));
    assert!(finder.has_link(b"http://a.example/") && !finder.has_link(b"http"));
    #[cfg(feature = "bytes")]
    assert!(finder.has_link(&bytes::Bytes::from(bytes)));
}

/// Text without a byte that could begin a link is not searched; its charset is told all the same.
#[test]
fn the_charset_of_a_text_without_links() {
    for bytes in
        [&b""[..], b"a", b"caf\xC3\xA9", b"caf\xE9 cr\xE8me", b"\xFF\xFEa\0", b"\xEF\xBB\xBFa"]
    {
        for given in [None, Some(Charset::UTF_8), Some(Charset::UTF_16LE)] {
            let mut padded = bytes.to_vec();
            // Longer texts are searched.
            padded.resize(bytes.len() + 4096, b' ');
            let charset = |bytes: &[u8]| {
                let mut links = Finder::new().charset(given).find_iter(bytes);
                assert!(links.next().is_none());
                links.charset()
            };
            if bytes != b"\xFF\xFEa\0" {
                assert_eq!(charset(bytes), charset(&padded), "{bytes:x?} {given:?}");
            } else {
                assert_eq!(charset(bytes).0, Charset::UTF_16LE);
            }
        }
    }
}

/// The URI of an ASCII link is the text of the input itself.
#[test]
fn the_uri_of_an_ascii_link_is_borrowed() {
    for charset in ["utf-8", "windows-1251", "shift_jis", "gb18030"] {
        let finder = Finder::new().charset(Charset::for_label(charset).unwrap());
        let text = "see http://a.example/x, and more";
        let link = finder.find_iter(text.as_bytes()).next().unwrap();
        assert!(core::ptr::eq(link.uri().unwrap().as_str(), &text[4..22]), "{charset}");
    }
}
