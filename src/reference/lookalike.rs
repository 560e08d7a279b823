//! Hosts that look like other hosts, and which form of a host cannot deceive (UTS #39).
//!
//! Hosts in the form of [`comparable`](super::host_name::comparable) go in.

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
};

use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, Script},
};
use unicode_security::{
    GeneralSecurityProfile as _, RestrictionLevel, RestrictionLevelDetection as _,
    mixed_script::AugmentedScriptSet,
};

use super::{host_cache::HostCache, host_name::comparable, to_iri::to_unicode};
use crate::data::lookalikes;

/// What two hosts that look alike have in common: the skeleton of their Unicode form (UTS #39,
/// section 4).
#[cfg(feature = "mail")]
pub(crate) fn skeleton(host: &str) -> String {
    unicode_security::confusable_detection::skeleton(&to_unicode(host)).collect()
}

/// Whether `host` is not ASCII, but looks like one that is: each of its labels has a skeleton of
/// ASCII characters. Labels of Latin letters that all languages' identifiers may have (UTS #39,
/// section 3) do not count: `ı` is a letter of Turkish.
pub(crate) fn looks_like_ascii(host: &str) -> bool {
    let unicode = to_unicode(host);
    !unicode.is_ascii()
        && unicode.split('.').any(|label| !label.is_ascii() && is_like_ascii(label))
        && unicode.split('.').all(|label| label.is_ascii() || has_ascii_skeleton(label))
}

fn is_like_ascii(label: &str) -> bool {
    let is_plain_latin =
        |c: char| c.is_ascii() || script(c) == Script::Latin && c.identifier_allowed();
    has_ascii_skeleton(label) && !label.chars().all(is_plain_latin)
}

fn has_ascii_skeleton(label: &str) -> bool {
    label.chars().all(lookalikes::has_ascii_skeleton)
}

fn script(c: char) -> Script {
    CodePointMapData::<Script>::new().get(c)
}

/// The form of `host` to show to a person: each label in Unicode if that cannot deceive, and else
/// its ASCII form. As in Chrome ("Internationalized Domain Names in Google Chrome"), a label is
/// shown in Unicode only if
///
/// - identifiers may have all of its characters (UTS #39, section 3);
/// - its scripts are written together: the level Highly Restrictive (UTS #39, section 5.2);
/// - it is not a whole of another script that looks like ASCII, unless the top-level domain is of
///   that script;
/// - no combining mark is on a letter of the Latin, Greek or Cyrillic script.
fn shown(host: &str) -> Cow<'_, str> {
    let unicode = to_unicode(host);
    if unicode.is_ascii() || unicode.split('.').count() != host.split('.').count() {
        return Cow::Borrowed(host);
    }
    let top = unicode.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    let mut out = String::with_capacity(unicode.len());
    for (i, (label, ascii)) in unicode.split('.').zip(host.split('.')).enumerate() {
        if i > 0 {
            out.push('.');
        }
        out.push_str(if is_safe(label, top) { label } else { ascii });
    }
    Cow::Owned(out)
}

/// The form of a host to show to a person, as by [`shown`]. If that differs in the case of letters
/// alone, the host stays as it is. What `hosts` has is not made again.
pub(crate) fn shown_form<'k>(host: &'k str, hosts: Option<&'k mut HostCache>) -> Cow<'k, str> {
    let make = || {
        let shown = shown(&comparable(host)).into_owned();
        let is_same = host.is_ascii() && shown.is_ascii() && shown.len() == host.len();
        if is_same { host.to_owned() } else { shown }
    };
    match hosts {
        Some(hosts) => Cow::Borrowed(hosts.of(host.as_bytes()).shown.get_or_insert_with(make)),
        None => Cow::Owned(make()),
    }
}

/// Whether the Unicode form of a label below the top-level domain `top` cannot deceive.
fn is_safe(label: &str, top: &str) -> bool {
    if label.is_ascii() {
        return true;
    }
    let allowed = |c: char| c.is_ascii() || c.identifier_allowed();
    let scripts = AugmentedScriptSet::for_str;
    let same_script = || {
        let mut both = scripts(label);
        both.intersect_with(scripts(top));
        !top.is_ascii() && !both.is_empty()
    };
    label.chars().all(allowed)
        && label.check_restriction_level(RestrictionLevel::HighlyRestrictive)
        && (!is_like_ascii(label) || same_script())
        && !has_odd_mark(label)
}

fn has_odd_mark(label: &str) -> bool {
    let mut base = Script::Common;
    label.chars().any(|c| {
        let mark =
            CodePointMapData::<GeneralCategory>::new().get(c) == GeneralCategory::NonspacingMark;
        if !mark {
            base = script(c);
        }
        mark && matches!(base, Script::Latin | Script::Greek | Script::Cyrillic)
    })
}

/// The registrable domain of a host, by the Public Suffix List; `None` for an address, a public suffix
/// and a name of one label.
#[cfg(feature = "psl")]
pub(crate) fn registrable(host: &str) -> Option<&str> {
    let name = host.trim_end_matches('.');
    let top = name.rsplit('.').next().unwrap_or_default();
    // Whatever ends with a number is an IPv4 address (URL Standard, section 3.5).
    let address = name.starts_with('[') || top.bytes().all(|byte| byte.is_ascii_digit());
    if address { None } else { listed(name) }
}

/// The registrable domain of a name, by the Public Suffix List alone.
///
/// The crate `psl` is code that is generic over the iterator of labels. With the iterator behind `dyn`
/// there is one small copy of it: with the iterator itself, half of the library's code was this list.
#[cfg(feature = "psl")]
fn listed(name: &str) -> Option<&str> {
    use psl::Psl;

    let labels = &mut name.rsplit('.').map(str::as_bytes);
    let suffix = psl::List.find(labels as &mut dyn Iterator<Item = &[u8]>).len;
    // The label before the suffix belongs to the registrable domain.
    let before = name[..name.len() - suffix].strip_suffix('.')?;
    let start = before.rfind('.').map_or(0, |dot| dot + 1);
    (suffix > 0 && !before.is_empty()).then(|| &name[start..])
}

/// Whether two hosts belong to one registrable domain, by the Public Suffix List. Hosts without
/// one, such as addresses, belong together only if they are equal.
#[cfg(feature = "psl")]
pub(crate) fn are_of_one_domain(a: &str, b: &str) -> bool {
    fn domain(host: &str) -> &str {
        registrable(host).unwrap_or_else(|| host.trim_end_matches('.'))
    }
    // A public suffix, such as gov.br, may have a site too.
    let is_below = |host: &str, top: &str| {
        listed(top.trim_end_matches('.')).is_none()
            && host.strip_suffix(top).is_some_and(|rest| rest.ends_with('.'))
    };
    domain(a) == domain(b) || is_below(a, b) || is_below(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_ascii() {
        for (host, looks) in [
            ("раураl.com", true),
            ("аррӏе.com", true),
            ("ɡoogle.com", true),
            ("paypal.com", false),
            ("bücher.example", false),
            ("kırmızı.com", false),
            ("оса.рф", false),
            ("例え.jp", false),
        ] {
            assert_eq!(looks_like_ascii(&comparable(host)), looks, "{host}");
        }
    }

    #[test]
    fn what_is_shown_in_unicode() {
        for (host, want) in [
            ("xn--bcher-kva.example", "bücher.example"),
            ("例え.jp", "例え.jp"),
            ("оса.рф", "оса.рф"),
            ("kırmızı.com", "kırmızı.com"),
            ("президент.рф", "президент.рф"),
            ("аррӏе.com", "xn--80ak6aa92e.com"),
            ("paypаl.com", "xn--paypl-7ve.com"),
            ("Example.COM.", "example.com"),
        ] {
            let host = comparable(host);
            assert_eq!(shown(&host), want, "{host}");
        }
    }

    #[cfg(feature = "psl")]
    #[test]
    fn registrable_domains() {
        for (a, b, one) in [
            ("www.bank.example", "login.bank.example", true),
            ("bank.co.uk", "evil.co.uk", false),
            ("a.github.io", "b.github.io", false),
            ("gov.br", "www.gov.br", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("[::1]", "[::1]", true),
            ("localhost", "localhost", true),
        ] {
            assert_eq!(are_of_one_domain(a, b), one, "{a} {b}");
        }
        for (host, domain) in [
            ("www.bank.co.uk", Some("bank.co.uk")),
            ("a.b.github.io.", Some("b.github.io")),
            ("www.xn--e1afmkfd.xn--p1ai", Some("xn--e1afmkfd.xn--p1ai")),
            ("co.uk", None),
            ("localhost", None),
            ("192.0.2.1", None),
            ("192.513", None),
            ("[2001:db8::1]", None),
        ] {
            assert_eq!(registrable(host), domain, "{host}");
        }
    }
}
