/*!
Finds the IRIs in documents of any charset. For each one it gives the place in the
original bytes and the URI that opens it. It can also rewrite them in place and leave every
other byte as it is.

# What people do with it

**Find** the links of a text, with their places in bytes, or the link at an offset: a mail reader, a terminal, an
editor.

```
use iriscan::Finder;

let text = "Näheres: https://de.example/Straße。次の行";
let link = Finder::new().find_iter(text).next().unwrap();
assert_eq!(link.range(), 10..36);
assert_eq!(link.uri()?.as_str(), "https://de.example/Stra%C3%9Fe");
assert_eq!(Finder::new().find_at(text, 20).unwrap().range(), 10..36);
# Ok::<(), iriscan::UriError>(())
```

Offsets in UTF-16 units, lines and columns are what [`Positions`] counts.

**Find hosts and addresses too**, and only those that matter.

```
use iriscan::{Config, Filter, Kind};

let finder = Config::new()
    .kinds([Kind::Iri, Kind::Bare, Kind::Email])
    .filter(Filter::builder().not_host("*.ads.example").build()?)
    .build()?;
let text = "www.a.example, x@b.example, http://t.ads.example/";
let open: Vec<_> = finder.find_iter(text).filter_map(|link| link.open().ok()).collect();
assert_eq!(open, ["https://www.a.example", "mailto:x@b.example"]);
# Ok::<(), Box<dyn core::error::Error>>(())
```

**Rewrite** a document of any format in place: in memory, from a reader to a writer, or a body of HTTP.

```
# #[cfg(feature = "std")] {
use iriscan::{Charset, Finder, Format};

let finder = Finder::new().format(Format::Html);
let (page, done) = finder.rewrite_slice("<a href='/caf&eacute;?a&amp;b'>");
assert_eq!((&*page, done.changed), (&b"<a href='/caf%C3%A9?a&amp;b'>"[..], 1));

let finder = Finder::new().charset(Charset::for_label("shift_jis").unwrap());
let mut out = Vec::new();
// 「http://ja.example.org/表」 in Shift_JIS, where 表 ends in a backslash byte.
finder.rewrite(&b"\x81uhttp://ja.example.org/\x95\\\x81v"[..], &mut out).unwrap();
assert_eq!(out, b"\x81uhttp://ja.example.org/%E8%A1%A8\x81v");
# }
```

**Replace** links by a text of your own.

```
use iriscan::Finder;

let text = Finder::new().replace_all("see http://a.example/x now", |link, out| {
    out.push_str(&format!("[{}]", link.host().unwrap_or_default()));
});
assert_eq!(&*text, b"see [a.example] now");
```

**Scan a stream** that comes in chunks of any size. Pull text and links out of it, or push the
chunks into a [`Scanner`] that calls a [`Sink`].

```
use iriscan::{Finder, Segment};

let chunks = ["see http://a.exam", "ple/ö, and more"].map(str::as_bytes);
for segment in Finder::new().segments(chunks) {
    if let Segment::Link(link) = segment {
        assert_eq!(link.iri(), "http://a.example/ö");
    }
}
```

# Overview

| to do this | use | and get |
|---|---|---|
| set options | [`Config`]: [`Kind`], [`Schemes`], [`RuleSet`], [`HostForm`], [`QueryCharset`], [`Nfc`] | a [`Finder`], or a [`ConfigError`] with a [`ConfigErrorKind`] |
| set options by name | [`Config::set`], [`Config::set_all`], [`Config::get`] | a [`Config`], or an [`OptionError`]; [`Config::options`] lists each [`ConfigOption`] with its [`OptionKind`] |
| say what a document is | [`Format`], [`Charset`], [`Input`] | names are read by [`FromStr`](core::str::FromStr), and fail with [`NameError`] or [`LabelError`] |
| choose among links | [`Filter`] ([`FilterBuilder`], [`HostList`], [`FilterError`] with a [`FilterErrorKind`]) | fewer links, everywhere |
| search a slice | [`Finder::find_iter`], [`Finder::find_at`], [`Finder::has_link`] | [`FindIter`] of [`Match`] |
| read a link | [`Match`] borrows, [`Link`] owns; [`Viewer`] for many links | [`Span`], [`Uri`] or [`UriError`] ([`UriErrorKind`]), [`Warning`] |
| rewrite a slice | [`Finder::rewrite_slice`] | [`Rewritten`] |
| change the host, the scheme or another part of links | [`LinkEdit`], or a [`LinkEditError`] | text |
| write links by a template | [`Template`] of [`Field`]s and [`TemplatePart`]s, or a [`TemplateError`] | text |
| replace links by other text | [`Config::rewrite`] ([`Rewrite`]), [`Finder::replace_all`], `Finder::replace_stream` (feature `std`) | [`Replacement`] to write to |
| rewrite a stream | `Finder::rewrite`, `RewriteReader` (feature `std`), asynchronous too, or `RewriteStream` (feature `futures`) | [`Rewritten`] |
| pull from a stream | [`Finder::segments`] ([`SegmentIter`]), [`Segments`], `SegmentStream` (feature `futures`) | [`Segment`]; [`Chunk`] is what a stream is made of; `Rewriter::segment` writes one with its link replaced |
| push a stream | [`Scanner`] into a [`Sink`], such as `Rewriter` | [`Summary`]: charset, [`Basis`], counts |
| count lines and UTF-16 units | [`Positions`] | [`Position`] |
| convert, check, resolve whole references | [`reference`](mod@reference) | |
| links of mail | `mail` (feature `mail`) | `mail::MailLink` |
| versions of the data | [`data`] | |

# Formats

[`Finder::format`] names the syntax around the text: HTML, XML, JSON, CSV, Markdown, source code and others ([`Format`]).
Spans are in the bytes of the source, [`Match::iri`] has the escapes resolved, and rewriting writes them back.

```
use iriscan::{Finder, Format};

let finder = Finder::new().format(Format::Json);
let (json, _) = finder.rewrite_slice(r#"{"url": "http:\/\/a.example\/\u00e9"}"#);
assert_eq!(&*json, br#"{"url": "http:\/\/a.example\/%C3%A9"}"#);
```

# What counts as a link

A link starts with a scheme that counts ([`Schemes`]), followed by what the syntax of the
scheme requires. It ends by the link termination algorithm of Unicode Technical Standard
\#58, with some departures for running text:

- **Delimiters decide.** Directly after `<`, `="`, `='`, `](` or `url(`, everything up to the
  closing partner is the link. After other quotes and brackets, of every script, it is everything
  up to the partner without punctuation at the end of a sentence. If the partner does not
  come before white space, the text is not delimited.
- **Without delimiters**, East Asian punctuation, quotes and brackets end the link, even if
  text follows without a space. A letter of a script that is written without spaces (Han,
  Kana, Hangul, Thai, Lao, Khmer, Myanmar) continues the link directly after
  `/ ? # = & - _ + . : ( [ ~ @ $`, a `%HH` or a character that is not ASCII. Directly after
  an ASCII letter or digit it ends the link, except in the first label of a host
  (`https://k工房.jp/`) and between straight quotes.
- `< > " \` and the backtick end a link, and so do escaped delimiters (`&quot;`, `&lt;`). A
  `*`, an ellipsis, an opening bracket or a lone `?` at the end is left out.
- `&name;` at the very end is left out; a pair of `'` is not. A host with `[.]` in it, or an
  odd password before an `@`, makes no link at all, because a link to its first half would
  be wrong.
- **Wrapped** links between `<` and `>` may contain up to 16 line ends, followed by
  indentation and quote marks (`> `; RFC 3986, appendix C).
- Malformed bytes, C1 controls, bidi controls, noncharacters, tag characters and
  U+FFF0–FFFD end every link (RFC 3987, sections 2.2 and 4.1).

Two more kinds are found on request ([`Config::kinds`]). **Bare hosts** ([`Kind::Bare`]) need
`www.`, a path or a top-level domain with no other meaning, so that files, versions,
packages and words that run together are not taken for hosts. **E-mail addresses**
([`Kind::Email`]) may be internationalised.

[`RuleSet::Uts58`] follows the standard to the letter instead: `http`, `https` and `mailto`
links, hosts by a list of top-level domains, never userinfo.

# Promises

- Text and links, one after the other, are the input, byte for byte.
- How a stream is cut into chunks changes nothing.
- Memory does not grow with the input, and time is linear in it.
- No input makes anything fail or panic. Only a configuration and a sink can fail.
- Rewriting twice changes nothing more, except for some hostile texts that
  docs/decisions.md lists.
- The text that replaces a link is ASCII and a URI reference by RFC 3986, unless the host is
  kept or [`Warning::NotRfc3986`] is among the warnings.

# Features

A feature adds to the interface; none changes what is found in UTF-8, UTF-16 and UTF-32.

- `std` (default): readers and writers. Without it the crate is `no_std` and needs `alloc`.
- `legacy-charsets` (default): charsets that are not Unicode, and their detection. Without it other text
  is read as UTF-8 with malformed sequences ([`Basis::Fallback`]), and a binary is smaller.
- `regex` (default): regular expressions in a [`Filter`]. Without it and its tables a binary is smaller (in
  WebAssembly by 0.7 MB).
- `bytes`: [`Segments`] and [`Input`] of `bytes::Bytes`, without a copy.
- `futures`: `SegmentStream` and `RewriteStream` over a `Stream` of `Bytes`; `RewriteReader` is an `AsyncRead`.
- `mail`: links of messages and mailboxes; adds `legacy-charsets`.
*/

#![no_std]
#![deny(unsafe_code)]
// Much is left out then, and nothing of it is public (ARCHITECTURE.md).
#![cfg_attr(iriscan_strings, allow(dead_code, unused_imports))]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

mod api;
mod charset;
pub mod data;
mod engine;
mod format;
mod grammar;
mod links;
#[cfg(feature = "mail")]
pub mod mail;
pub mod reference;
mod simd;
#[cfg(test)]
mod tests;

#[cfg(feature = "std")]
pub use api::{reader::RewriteReader, rewriter::Rewriter};
#[cfg(feature = "futures")]
pub use api::{rewrite_stream::RewriteStream, segment_stream::SegmentStream};
pub use {
    api::{
        config::Config,
        config_error::{ConfigError, ConfigErrorKind},
        config_option::{ConfigOption, OptionError, OptionKind},
        explain::{Explanation, Remedy},
        find::{FindIter, Input},
        finder::Finder,
        positions::{Position, Positions},
        replace::Replacement,
        rewritten::Rewritten,
        scanner::Scanner,
        segments::{Chunk, Segment, SegmentIter, Segments},
    },
    charset::{Charset, LabelError, detect::Basis},
    data::{names::NameError, rules::Rule, schemes::Schemes},
    format::kinds::Format,
    grammar::types::{Kind, RuleSet},
    links::{
        edit::{LinkEdit, LinkEditError},
        field::Field,
        filter::{Filter, FilterBuilder, FilterError, FilterErrorKind, HostList},
        link::Link,
        matched::{Match, Span, Uri},
        rewrite::Rewrite,
        sink::{Sink, Summary},
        template::{Template, TemplateError, TemplatePart},
        viewer::Viewer,
    },
    reference::{HostForm, Nfc, QueryCharset, UriError, UriErrorKind, warning::Warning},
};
