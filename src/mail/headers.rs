//! The fields by which people know a message: who wrote it, when, and about what.

use std::string::String;

use mail_parser::{HeaderName, MessageParser};

use super::outline::envelope;

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
/// empty is `None`; of a field that comes twice, the last one counts. Any bytes are a message.
#[must_use]
pub fn headers(message: &[u8]) -> Headers {
    let message = &message[envelope(message)..];
    let text = [HeaderName::Subject, HeaderName::From, HeaderName::Date, HeaderName::MessageId];
    let parser = text.into_iter().fold(MessageParser::new(), MessageParser::header_text);
    let Some(parsed) = parser.parse_headers(message) else { return Headers::default() };
    let field = |name: HeaderName<'static>| {
        let text = parsed.header(name)?.as_text()?.trim();
        (!text.is_empty()).then(|| String::from(text))
    };
    let id = field(HeaderName::MessageId);
    let bare = |id: String| {
        let inner = id.strip_prefix('<').and_then(|id| id.strip_suffix('>'));
        inner.map_or_else(|| id.clone(), String::from)
    };
    Headers {
        message_id: id.map(bare),
        subject: field(HeaderName::Subject),
        from: field(HeaderName::From),
        date: field(HeaderName::Date),
    }
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
