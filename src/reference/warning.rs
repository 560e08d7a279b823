//! Warnings about a link or a reference: one closed list for library and command.

use alloc::vec::Vec;

use crate::data::names::named;

/// Something about a link or a reference that a reader should know.
///
/// The list is closed for a release, and names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Warning {
    /// The URI form is not a URI reference by RFC 3986. It holds, for example, a `[` or `]`
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
    /// There is a user name before the host.
    Userinfo,
    /// The user name looks like a host (RFC 3986, section 7.6).
    UserinfoLikeHost,
    /// The port is greater than 65535, so no program can connect to it (RFC 6335, section 6).
    PortTooLarge,
    /// The text is not in Normalization Form C.
    NotNfc,
    /// A part begins with a combining mark, which would be drawn onto the
    /// delimiter (3987bis, section 5.1).
    LeadingCombining,
    /// A ZWJ or ZWNJ is at a place where neither a virama nor cursive letters need one
    /// (3987bis, section 5.1; RFC 5892, appendix A).
    JoinerContext,
    /// Percent-encoded octets are not UTF-8, so their meaning is unknown.
    PercentNotUtf8,
    /// It is a Legacy Extended IRI and not an IRI (3987bis, section 6).
    LeiriOnly,
    /// Malformed bytes are directly before or after the link.
    MalformedBytesAdjacent,
    /// The text of the element is, or begins with, a host or a URL of another registrable domain, by
    /// the Public Suffix List: a link to `evil.example` that reads `https://bank.example/`. Needs the
    /// feature `psl` and [`Config::elements`](crate::Config::elements). It misses names that are no hosts
    /// ("My Bank"), hosts in images, and hosts after other words; it is also given for mailings that
    /// count clicks. Of a wrapper that [`unwrap_link`](crate::reference::unwrap_link) takes off, the link inside
    /// counts; a relative reference leads to the host of `<base href>`.
    TextNamesAnotherHost,
    /// The host is not ASCII and looks like one that is (UTS #39, section 4: their skeletons are the
    /// same); or in mail, with [`Config::elements`](crate::Config::elements), like another host earlier in
    /// the message. It misses hosts that only resemble another, and names with a word added.
    ConfusableHost,
    /// A browser opens another host than RFC 3986 says, or reads it from another form: `https:\\evil.example`,
    /// `https:/evil.example`, `https://evil.example\@good.example/`, `http://0x7f.1/` (URL Standard). Only
    /// for references in HTML. [`Match::host`](crate::Match::host) and all that chooses by hosts take the
    /// host that is opened, [`Match::open`](crate::Match::open) is the URL that is, and rewriting leaves the
    /// reference as it is.
    BrowserHost,
    /// A label of the host begins with `xn--` and is no A-label: it does not decode, or what it decodes to has
    /// another ASCII form or none (RFC 5891, section 4.2; UTS #46, section 4). It is shown as it is written.
    /// Software differs on such a name: some refuse it, some look it up.
    BadALabel,
    /// The link is in the query of a link to another host, as `?u=http%3A%2F%2Fb.example%2F` at `a.example`. Only for
    /// links that [`Config::nested`](crate::Config::nested) finds; each is compared with the link directly around it.
    NestedInAnotherHost,
}

named! {
    Warning is "a warning":
    NotRfc3986 = "not-rfc3986",
    BidiControl = "bidi-control",
    BidiMixed = "bidi-mixed",
    BidiEdge = "bidi-edge",
    MixedScript = "mixed-script",
    IdnaDeviation = "idna-deviation",
    Idna2008Disallowed = "idna2008-disallowed",
    DnsLength = "dns-length",
    Userinfo = "userinfo",
    UserinfoLikeHost = "userinfo-like-host",
    PortTooLarge = "port-too-large",
    NotNfc = "not-nfc",
    LeadingCombining = "leading-combining",
    JoinerContext = "joiner-context",
    PercentNotUtf8 = "percent-not-utf8",
    LeiriOnly = "leiri-only",
    MalformedBytesAdjacent = "malformed-bytes-adjacent",
    TextNamesAnotherHost = "text-names-another-host",
    ConfusableHost = "confusable-host",
    BrowserHost = "browser-host",
    BadALabel = "bad-a-label",
    NestedInAnotherHost = "nested-in-another-host",
}

/// A set of warnings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Warnings(u32);

impl Warnings {
    /// Adds `warning` if `holds` is true.
    pub(crate) fn add(&mut self, warning: Warning, holds: bool) {
        self.0 |= u32::from(holds) << warning as u32;
    }

    /// Adds all of `others`.
    pub(super) fn join(&mut self, others: Warnings) {
        self.0 |= others.0;
    }

    /// Removes `warning`.
    pub(crate) fn remove(&mut self, warning: Warning) {
        self.0 &= !(1 << warning as u32);
    }

    /// The warnings, in the order of [`Warning::ALL`].
    pub(crate) fn to_vec(self) -> Vec<Warning> {
        match self.0 {
            0 => Vec::new(),
            _ => {
                let is_in = |warning: &Warning| self.0 >> *warning as u32 & 1 != 0;
                Warning::ALL.iter().copied().filter(is_in).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;

    #[test]
    fn a_set_has_what_was_added_in_order() {
        let mut all = Warnings::default();
        Warning::ALL.iter().rev().for_each(|warning| all.add(*warning, true));
        assert_eq!(all.to_vec(), Warning::ALL);
        all.remove(Warning::ALL[0]);
        assert_eq!(all.to_vec(), Warning::ALL[1..]);
        let mut set = Warnings::default();
        set.add(Warning::NotNfc, false);
        assert_eq!(set.to_vec(), []);
        set.add(Warning::NotNfc, true);
        set.join(set);
        assert_eq!(set.to_vec(), vec![Warning::NotNfc]);
    }
}
