//! The fields by which people know a message: who wrote it, when, and about what.

use core::ops::Range;
use std::{borrow::ToOwned, string::String};

use super::{
    fields::{self, Fields},
    view::View,
    words::{self, Value},
};
use crate::{
    api::finder::Finder,
    charset::{
        Charset,
        decider::Decider,
        window::{Ahead, Window},
    },
};

/// Which message it is: fields of its header, with encoded words (RFC 2047) decoded and folds undone.
///
/// ```
/// use iriscan::mail;
///
/// let message = b"From: =?utf-8?Q?Ren=C3=A9?= <rene@a.example>\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\n\
///     Message-ID: <1@a.example>\n\nhttp://a.example/";
/// let headers = mail::headers(message);
/// assert_eq!(headers.from(), Some("René <rene@a.example>"));
/// assert_eq!(headers.subject(), Some("Grüße"));
/// assert_eq!(headers.message_id(), Some("1@a.example"));
/// assert_eq!(headers.date(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    message_id: Option<String>,
    subject: Option<String>,
    from: Option<String>,
    date: Option<String>,
}

impl Headers {
    /// The identifier of the message (RFC 5322, section 3.6.4), without the `<` and `>` around it.
    #[must_use]
    pub fn message_id(&self) -> Option<&str> {
        self.message_id.as_deref()
    }

    /// What the message is about (RFC 5322, section 3.6.5).
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// Who wrote the message, as the field has it: names and addresses (RFC 5322, section 3.6.2).
    #[must_use]
    pub fn from(&self) -> Option<&str> {
        self.from.as_deref()
    }

    /// When the message was written, as the field has it (RFC 5322, section 3.6.1).
    #[must_use]
    pub fn date(&self) -> Option<&str> {
        self.date.as_deref()
    }
}

/// Reads the fields of the header by which people know a message. A field that is missing or
/// empty is `None`; of a field that comes twice, the last one counts. They are decoded as links
/// are: a character may be divided between two encoded words, and a field without them is in
/// UTF-8, or else in a charset that is detected. Any bytes are a message.
#[must_use]
pub fn headers(message: &[u8]) -> Headers {
    let (mut headers, start) = (Headers::default(), fields::start(message));
    let finder = Finder::new();
    for field in (Fields { message, start, at: start }) {
        let name = field.name.to_ascii_lowercase();
        let (place, is_id) = match &*name {
            "message-id" => (&mut headers.message_id, true),
            "subject" => (&mut headers.subject, false),
            "from" => (&mut headers.from, false),
            "date" => (&mut headers.date, false),
            _ => continue,
        };
        let text = text(message, field.value, &finder);
        let text = text.trim();
        let inner = text.strip_prefix('<').and_then(|id| id.strip_suffix('>'));
        let text = inner.filter(|_| is_id).unwrap_or(text);
        *place = (!text.is_empty()).then(|| text.to_owned());
    }
    headers
}

/// The text of the value in `range`, with encoded words decoded and folds undone.
fn text(message: &[u8], range: Range<usize>, finder: &Finder) -> String {
    let (view, charset) = words::text(message, range.clone(), Value::Prose, finder);
    let bytes = view.as_ref().map_or(&message[range], View::bytes);
    let text = match charset {
        Some(charset) => charset.decode(bytes),
        None => detected(bytes).decode(bytes),
    };
    let mut lines = text.split(['\r', '\n']).filter(|line| !line.is_empty());
    let mut unfolded = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        unfolded.push(' ');
        unfolded.push_str(line.trim_start_matches([' ', '\t']));
    }
    unfolded
}

/// The charset of a text that is not in UTF-8.
fn detected(bytes: &[u8]) -> Charset {
    Decider::new(None).charset_of(Window { bytes, base: 0, ahead: Ahead::Nothing })
}

#[cfg(test)]
mod tests {
    use std::format;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fields_in_legacy_charsets_and_folded() {
        let message = "From x@y Mon\nSubject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?=\n =?koi8-r?B?8NLJ18XU?=\n\
                       from: \"Doe, J.\"\n <j@a.example>\nDATE:  Mon, 2 Nov 2026 10:00:00 +0100\n\
                       Message-Id: <a.b@c>\n\nSubject: not this\n";
        let headers = headers(message.as_bytes());
        assert_eq!(headers.subject(), Some("日本Привет"));
        assert_eq!(headers.from(), Some("\"Doe, J.\" <j@a.example>"));
        assert_eq!(headers.date(), Some("Mon, 2 Nov 2026 10:00:00 +0100"));
        assert_eq!(headers.message_id(), Some("a.b@c"));
        assert_eq!(super::headers(b""), Headers::default());
        assert_eq!(super::headers(b"Subject:\n\n"), Headers::default());
    }

    #[test]
    fn fields_are_decoded_as_links_are() {
        for (subject, text) in [
            (
                "=?utf-8?B?aHR0cDovL2EuZXhhbXBsZS8gQmVoww==?=\r\n =?utf-8?B?tnJkZW4=?=",
                "http://a.example/ Behörden",
            ),
            ("=?utf-8?Q?=E0=B9?= \t=?UTF-8?Q?=88?= x", "\u{E48} x"),
            ("=?cp932?B?jKmCxA==?=", "見て"),
            ("=?unknown-8bit?Q?=C3=BC?=", "ü"),
            ("=?unicode-1-1-utf-7?Q?+ANw-x?=", "Üx"),
            ("\x1B$B8+$F\x1B(B http://a.example/", "見て http://a.example/"),
            ("a\r\n\t b\n c", "a b c"),
            ("=?utf-8?Q?a=0D=0Ab?=", "a b"),
        ] {
            let message = format!("\u{FEFF}Subject: {subject}\r\n\r\nhi");
            assert_eq!(headers(message.as_bytes()).subject(), Some(text), "{subject}");
        }
    }

    proptest! {
        /// Any bytes are a message.
        #[test]
        fn any_bytes(noise in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = headers(&noise);
            let _ = headers(&[b"Subject: =?utf-8?B?", &noise[..], b"?=\n\n"].concat());
            let _ = headers(format!("From: {}", String::from_utf8_lossy(&noise)).as_bytes());
        }
    }
}
