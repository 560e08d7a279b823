//! Patterns of hosts, such as `*.example.org`.
//!
//! A pattern goes in; whether it covers a host comes out. Invariant: both forms of a host, in ASCII
//! and in Unicode, match the same patterns.

use alloc::{
    format,
    string::{String, ToString},
};

use crate::reference::{
    host_name::{comparable, is_dot, may_be_unicode, not_of_a_host},
    to_iri::to_unicode,
};

/// A pattern of hosts: `*` matches any characters, `?` matches one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HostGlob {
    /// As it was given.
    pub(super) given: String,
    /// For the ASCII form of a host. A label with a wildcard stays as it is, because it has no
    /// ASCII form.
    ascii: String,
    /// For the Unicode form of a host.
    unicode: String,
}

/// The mistake in a pattern, and its byte.
pub(super) type Fault = (String, Option<usize>);

impl HostGlob {
    pub(super) fn new(given: &str) -> Result<HostGlob, Fault> {
        if given.is_empty() {
            return Err(("it is empty".to_string(), None));
        }
        if let Some((at, c)) = not_of_a_host(given) {
            return Err((format!("no host has {c:?}"), Some(at)));
        }
        let name = given.strip_suffix(is_dot).filter(|name| !name.is_empty()).unwrap_or(given);
        let (mut ascii, mut unicode) = (String::new(), String::new());
        for (i, label) in name.split(is_dot).enumerate() {
            if i > 0 {
                ascii.push('.');
                unicode.push('.');
            }
            if label.contains(['*', '?']) || name.starts_with('[') {
                let label = label.to_lowercase();
                ascii += &label;
                unicode += &label;
            } else {
                let label = comparable(label);
                unicode += &to_unicode(&label);
                ascii += &label;
            }
        }
        Ok(HostGlob { given: given.to_string(), ascii, unicode })
    }

    /// Whether the pattern covers `host`, which is in the form of [`comparable`]. `unicode` is
    /// its Unicode form, if that is another one.
    pub(super) fn covers(&self, host: &str, unicode: Option<&str>) -> bool {
        matches(&self.ascii, host) || unicode.is_some_and(|host| matches(&self.unicode, host))
    }
}

/// The Unicode form of a host in the form of [`comparable`], if that is another one.
pub(super) fn unicode_form(host: &str) -> Option<String> {
    may_be_unicode(host).then(|| to_unicode(host).into_owned())
}

/// Whether `glob` matches all of `text`. Time is at most the product of the lengths, because only
/// the last `*` is tried again.
pub(in crate::links) fn matches(glob: &str, text: &str) -> bool {
    let (glob, text) = (glob.as_bytes(), text.as_bytes());
    let (mut g, mut t) = (0, 0);
    // After the last `*`, and where the text that it does not cover starts.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match glob.get(g) {
            Some(b'*') => {
                g += 1;
                star = Some((g, t));
            }
            Some(b'?') => {
                g += 1;
                t += character(text, t);
            }
            Some(b) if *b == text[t] => {
                g += 1;
                t += 1;
            }
            _ => match &mut star {
                None => return false,
                Some((after, from)) => {
                    *from += character(text, *from);
                    (g, t) = (*after, *from);
                }
            },
        }
    }
    glob[g..].iter().all(|b| *b == b'*')
}

/// The length of the character at `at`, in bytes of UTF-8.
fn character(text: &[u8], at: usize) -> usize {
    1 + text[at + 1..].iter().take_while(|b| **b & 0xC0 == 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(glob: &str, host: &str) -> bool {
        let host = comparable(host);
        HostGlob::new(glob).unwrap().covers(&host, unicode_form(&host).as_deref())
    }

    #[test]
    fn stars_cover_labels_and_parts_of_labels() {
        for (glob, host, wanted) in [
            ("example.org", "EXAMPLE.org.", true),
            ("example.org.", "example.org", true),
            ("example.org", "www.example.org", false),
            ("*.example.org", "www.example.org", true),
            ("*.example.org", "a.b.example.org", true),
            ("*.example.org", "example.org", false),
            ("*.example.org", "badexample.org", false),
            ("*example.org", "badexample.org", true),
            ("*", "x", true),
            ("a?c.*", "abc.d", true),
            ("a?c.*", "ac.d", false),
            ("*a*b*c", "xaxbxbxc", true),
            ("*a*b*c", "xaxcxc", false),
            ("**", "", true),
            ("[::1]", "[::1]", true),
            ("[2001:DB8:*", "[2001:db8::1]", true),
            ("192.168.*", "192.168.0.1", true),
        ] {
            assert_eq!(covers(glob, host), wanted, "{glob} {host}");
        }
    }

    #[test]
    fn both_forms_of_a_host_match() {
        for host in ["b\u{fc}cher.example", "xn--bcher-kva.example", "B%C3%BCcher.example"] {
            for glob in [
                "b\u{fc}cher.example",
                "BU\u{308}CHER.*",
                "xn--bcher-kva.example",
                "XN--*",
                "b?cher.*",
                "*\u{fc}*",
                "b\u{fc}cher\u{3002}example",
            ] {
                assert!(covers(glob, host), "{glob} {host}");
            }
            assert!(!covers("bucher.*", host));
        }
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for (glob, at) in [("", None), ("http://a", Some(4)), ("a b", Some(1)), ("a:80", Some(1))] {
            assert_eq!(HostGlob::new(glob).unwrap_err().1, at, "{glob}");
        }
    }

    #[test]
    fn a_hostile_pattern_takes_no_exponential_time() {
        let glob = "*a".repeat(500) + "b";
        assert!(!matches(&glob, &"a".repeat(1024)));
    }
}
