//! What a reader should know about a link or a reference: one closed list for
//! the whole product.

use core::fmt;

/// Something about a link or a reference that a reader should know.
///
/// The list is closed for a release; names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Warning {
    /// The URI form is no URI reference by RFC 3986. It holds, for example, a `[` or `]`
    /// outside an IP literal, a `%` without two hexadecimal digits, a second `#`, or a `:`
    /// in the first segment of a relative reference; or the reference is ASCII and holds
    /// characters that no URI does.
    NotRfc3986,
    /// It holds a bidi control (RFC 3987, section 4.1).
    BidiControl,
    /// A part holds right-to-left and left-to-right characters (RFC 3987,
    /// section 4.2).
    BidiMixed,
    /// A part with right-to-left characters does not begin and end with one
    /// (RFC 3987, section 4.2).
    BidiEdge,
    /// A label of the host, or a word elsewhere, mixes scripts that are not
    /// written together (UTS #39, section 5; Latin with Chinese, Japanese or
    /// Korean is).
    MixedScript,
    /// The host holds ß, ς, ZWJ or ZWNJ, which older software maps to another
    /// name (UTS #46, deviation characters).
    IdnaDeviation,
    /// The host holds a character that IDNA2008 disallows, such as an emoji, or
    /// one out of the context it asks for (RFC 5892).
    Idna2008Disallowed,
    /// The DNS has no such name: the host, or a domain of a `mailto:`, holds an empty label, or
    /// its ASCII form has a label of more than 63 characters or more than 253 in all (RFC 3987,
    /// section 3.1; RFC 1034).
    DnsLength,
    /// A user name stands before the host.
    Userinfo,
    /// The user name looks like a host (RFC 3986, section 7.6).
    UserinfoLikeHost,
    /// The text is not in Normalization Form C.
    NotNfc,
    /// A part begins with a combining mark, which would be drawn onto the
    /// delimiter (3987bis, section 5.1).
    LeadingCombining,
    /// A ZWJ or ZWNJ stands where neither a virama nor cursive letters call for
    /// one (3987bis, section 5.1; RFC 5892, appendix A).
    JoinerContext,
    /// Percent-encoded octets are not UTF-8: what they mean is unknown.
    PercentNotUtf8,
    /// It is a Legacy Extended IRI and no IRI (3987bis, section 6).
    LeiriOnly,
    /// Malformed bytes stand directly before or behind the link.
    MalformedBytesAdjacent,
}

impl Warning {
    /// All warnings, in the order in which they are listed.
    pub const ALL: &'static [Warning] = &[
        Warning::NotRfc3986,
        Warning::BidiControl,
        Warning::BidiMixed,
        Warning::BidiEdge,
        Warning::MixedScript,
        Warning::IdnaDeviation,
        Warning::Idna2008Disallowed,
        Warning::DnsLength,
        Warning::Userinfo,
        Warning::UserinfoLikeHost,
        Warning::NotNfc,
        Warning::LeadingCombining,
        Warning::JoinerContext,
        Warning::PercentNotUtf8,
        Warning::LeiriOnly,
        Warning::MalformedBytesAdjacent,
    ];

    /// The stable name of the warning.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Warning::NotRfc3986 => "not-rfc3986",
            Warning::BidiControl => "bidi-control",
            Warning::BidiMixed => "bidi-mixed",
            Warning::BidiEdge => "bidi-edge",
            Warning::MixedScript => "mixed-script",
            Warning::IdnaDeviation => "idna-deviation",
            Warning::Idna2008Disallowed => "idna2008-disallowed",
            Warning::DnsLength => "dns-length",
            Warning::Userinfo => "userinfo",
            Warning::UserinfoLikeHost => "userinfo-like-host",
            Warning::NotNfc => "not-nfc",
            Warning::LeadingCombining => "leading-combining",
            Warning::JoinerContext => "joiner-context",
            Warning::PercentNotUtf8 => "percent-not-utf8",
            Warning::LeiriOnly => "leiri-only",
            Warning::MalformedBytesAdjacent => "malformed-bytes-adjacent",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
