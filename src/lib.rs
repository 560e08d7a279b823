/*!
Finds the IRIs of documents in any charset and gives, for each, where it stands
in the original bytes and the URI that opens it; or rewrites them in place,
every other byte untouched.

# Three uses

**A mail reader**: the links of a text, with ranges in bytes and in UTF-16 units;
or the link at an offset.

```
use iriscan::{Charset, Finder, Positions};

let text = "Näheres: https://de.example/Straße。次の行";
let mut positions = Positions::new(Charset::UTF_8);
let link = Finder::new().find_iter(text).next().unwrap();
positions.advance(&text.as_bytes()[..link.range().start]);
assert_eq!(link.range(), 10..36);
assert_eq!(positions.position().utf16, 9);
assert_eq!(link.uri()?.as_str(), "https://de.example/Stra%C3%9Fe");
assert_eq!(Finder::new().find_at(text, 20).unwrap().range(), 10..36);
# Ok::<(), iriscan::UriError>(())
```

**A rewriter**: from a reader to a writer, in bounded memory.

```
# #[cfg(feature = "std")] {
use iriscan::{Charset, Config};

let finder = Config::new().charset(Charset::for_label("shift_jis").unwrap()).build().unwrap();
let mut out = Vec::new();
// 「http://ja.example.org/表」 in Shift_JIS, where 表 ends in a backslash byte.
finder.rewrite(&b"\x81uhttp://ja.example.org/\x95\\\x81v"[..], &mut out).unwrap();
assert_eq!(out, b"\x81uhttp://ja.example.org/%E8%A1%A8\x81v");
# }
```

**A byte stream**: push chunks into a [`Scanner`], get text and links in a
[`Sink`], at any chunking; or, with the feature `bytes`, pull `Segments` that
share the memory of the chunks.

# Formats

[`Finder::format`] says what wraps the text: HTML, XML, JSON, logs, Turtle
([`Format`]). Spans are in the bytes of the source; [`Match::iri`] has the escapes
resolved; rewriting writes them back.

```
use iriscan::{Finder, Format};

let finder = Finder::new().format(Format::Json);
let (json, _) = finder.rewrite_slice(r#"{"url": "http:\/\/a.example\/\u00e9"}"#);
assert_eq!(&*json, br#"{"url": "http:\/\/a.example\/%C3%A9"}"#);
```

# What counts as a link

A scheme that counts ([`Schemes`]) with what its syntax asks for behind it, and
then the tail by the link termination algorithm of Unicode Technical Standard
\#58, with departures for running text:

- **Delimiters decide.** Directly behind `<`, `="`, `='` or `](` everything up to
  the partner is the link; behind other quotes and brackets, of every script,
  everything up to the partner less trailing sentence punctuation; if the
  partner does not come before white space, the text is not delimited.
- **Undelimited**, East Asian punctuation, quotes and brackets end the link even
  where text follows without a space. A letter of a script written without
  spaces (Han, Kana, Hangul, Thai, Lao, Khmer, Myanmar) goes on directly behind
  `/ ? # = & - _ + . : ( [ ~ @ $`, a `%HH` or a character that is not ASCII, and
  ends the link directly behind an ASCII letter or digit. It does not cut the first
  label of a host (`https://k工房.jp/`), and between straight quotes it ends nothing.
- `< > " \` and the backtick end it, escaped delimiters (`&quot;`, `&lt;`) too;
  trailing `*`, an ellipsis, an opening bracket, a lone `?` are left out.
- `&name;` at its very end is left out, a pair of `'` is not; a host with `[.]` in
  it, an odd password before an `@`, make no link at all: never one to the first
  half of what was meant.
- **Wrapped**: between `<` and `>` a link may go over up to 16 line ends, with
  indentation and quote marks (`> `) behind them (RFC 3986, appendix C).
- Malformed bytes, C1 controls, bidi controls, noncharacters, tag characters and
  U+FFF0–FFFD end every link (RFC 3987, sections 2.2 and 4.1).

Two more kinds on request ([`Config::kinds`]): **bare hosts** ([`Kind::Bare`]) if
`www.`, a path or a top-level domain that is nothing else shows that they are
hosts, and not files, versions, packages or words run together; **e-mail
addresses** ([`Kind::Email`]), internationalised ones too.

[`RuleSet::Uts58`] is the standard to the letter instead: `http`, `https` and
`mailto` links, hosts by a list of top-level domains, userinfo never.

# Promises

Text and links, one after the other, are the input, byte for byte. How a stream
is cut into chunks changes nothing. Memory does not grow with the input, time is
linear in it. No input makes anything fail or panic: only a configuration and a
sink can fail. Rewriting twice changes nothing more, but for some hostile texts that
DESIGN.md lists. What replaces a link is ASCII and a URI reference by RFC 3986, unless
the host is kept, or [`Warning::NotRfc3986`] says otherwise.

# Features

`std` (default): readers, writers. Without it the crate is `no_std` and needs
`alloc`. `bytes`: `Segments`. `mail`: links of messages. No feature changes what is found.
*/

#![no_std]
#![deny(unsafe_code)]

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
pub use api::rewriter::Rewriter;
#[cfg(feature = "bytes")]
pub use api::segments::{Link, Segment, Segments};
pub use {
    api::{
        config::{Config, ConfigError, RuleSet},
        find::{FindIter, Input},
        finder::Finder,
        positions::{Position, Positions},
        rewrite::Rewritten,
        scanner::Scanner,
    },
    charset::{Charset, LabelError, detect::Basis},
    data::{names::NameError, schemes::Schemes},
    format::kinds::Format,
    grammar::types::Kind,
    links::{
        matched::{Match, Span, Uri},
        sink::{Sink, Summary},
    },
    reference::{HostForm, Nfc, QueryCharset, UriError, UriErrorKind, warning::Warning},
};
