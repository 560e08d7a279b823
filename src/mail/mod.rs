/*!
Links of mail: of a message (RFC 5322, MIME), or of each message of an mbox.

To read, transfer encodings, charsets, `format=flowed`, quote marks, folded fields and
encoded words are decoded. Rewriting encodes again and keeps lines within their limits.

```
use iriscan::{Finder, mail};

let message = b"Subject: =?utf-8?Q?neu:_http://b=C3=BCcher.example/?=\r\n\
    Content-Type: text/plain; charset=utf-8\r\n\
    Content-Transfer-Encoding: quoted-printable\r\n\r\n\
    siehe http://b=C3=BCcher.example/wie-man=\r\n-liest\r\n";

let links = mail::find(&Finder::new(), message);
assert_eq!(links[0].header(), Some("Subject"));
assert_eq!(links[1].part(), "1");
assert_eq!(links[1].link().iri(), "http://bücher.example/wie-man-liest");
assert_eq!(links[1].link().text(), "http://b=C3=BCcher.example/wie-man=\r\n-liest");

let (written, done) = mail::rewrite(&Finder::new(), message, &mail::Options::new());
assert!(written.ends_with(b"siehe http://xn--bcher-kva.example/wie-man-liest\r\n"));
assert_eq!((done.links, done.changed), (2, 1));
assert_eq!(done.kept[0].reason, mail::KeptReason::EncodedWord);
```

# Parts that are read

Every text part is read, attached ones too, and every field except traces, identifiers and
parameters (`Received`, `Message-ID`, `Content-Type`, …). Each subtype that ends in `html` is
HTML, `text/rfc822-headers` is the header of a message, and other `message/…` are reports, which
are text. HTML and messages that are sent as `application/…` are read by their name or
their first bytes.

A part is read in the charset that it declares. If it declares none, an unknown one, or
`us-ascii`, which senders write without looking, the charset is that of the finder, or else it
is detected; of HTML also as it declares itself. That holds for encoded words too.
[`Config::force_charset`](crate::Config::force_charset) makes the charset of the finder that of
all parts. A raw field is read as UTF-8 if it is valid (RFC 6532).

Lines are joined only at a soft break of quoted-printable or of `format=flowed` with
`delsp=yes`, at the fold of a location (`Content-Location`, `Content-Base`), and in a
link that is wrapped between `<` and `>`, as in any text. UTF-7 and messages that are
attached encoded are read and never written.

# Parts that are not read

Preambles and epilogues of multiparts, parts in a transfer encoding that MIME does not
define, parts nested more than 100 deep, parameters beyond the first 16 KiB of a
`Content-Type`, encrypted parts and TNEF. [`unsearched`] tells which of the last two there are.
*/

mod around;
mod edit;
mod fate;
mod fields;
mod find;
mod flow;
mod headers;
mod lines;
mod link;
mod mbox;
mod options;
mod others;
mod out;
mod outcome;
mod outline;
mod quoted;
mod region;
mod rewrite;
mod signature;
#[cfg(test)]
mod tests;
mod transfer;
mod types;
mod unsearched;
mod view;
mod words;
mod write;

pub use self::{
    fields::sniff,
    find::{find, find_each, find_in_context, find_noting},
    headers::{Headers, headers},
    link::MailLink,
    mbox::{Messages, Piece},
    options::Options,
    outcome::{Kept, KeptReason, Rewritten},
    rewrite::{MEMORY_FACTOR, rewrite, rewrite_each, rewrite_to},
    signature::Signature,
    types::UnsearchedReason,
    unsearched::{Unsearched, unsearched},
};
