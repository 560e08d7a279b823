//! The warnings about links in words, for people who do not know their names.

use iriscan::Warning;

/// The warning in words.
pub(crate) fn in_words(warning: Warning) -> &'static str {
    match warning {
        Warning::NotRfc3986 => "its URI form holds what RFC 3986 forbids",
        Warning::BidiControl => "an invisible control reorders its characters",
        Warning::BidiMixed => "a part of it runs both right to left and left to right",
        Warning::BidiEdge => "a right-to-left part begins or ends with something else",
        Warning::MixedScript => "look-alikes: it mixes scripts that are not written together",
        Warning::IdnaDeviation => "older software takes its host for another one",
        Warning::Idna2008Disallowed => "its host holds a character that registries refuse",
        Warning::DnsLength => "its host has an empty label, or is too long for the DNS",
        Warning::Userinfo => "a user name stands before the host",
        Warning::UserinfoLikeHost => "its user name looks like a host and is not one",
        Warning::PortTooLarge => "its port is greater than 65535, and there is no such port",
        Warning::NotNfc => "its characters are written in an unusual way (not NFC)",
        Warning::LeadingCombining => "a part begins with a mark that is drawn onto what precedes",
        Warning::JoinerContext => "an invisible joiner is where none belongs",
        Warning::PercentNotUtf8 => "what its percent-encoded bytes mean is unknown",
        Warning::LeiriOnly => "it holds characters that an IRI does not",
        Warning::TextNamesAnotherHost => "its text names another host than it leads to",
        Warning::ConfusableHost => "its host looks like another one",
        Warning::BrowserHost => "a browser opens another host than it seems to have",
        Warning::BadALabel => "its host has a label with xn-- that stands for no name",
        Warning::MalformedBytesAdjacent => "there are damaged bytes next to it",
        Warning::NestedInAnotherHost => "it is in the query of a link to another host",
        _ => "see the documentation",
    }
}
