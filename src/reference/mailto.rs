//! The domains of the addresses of a `mailto:` (RFC 6068).
//!
//! A `mailto:` has no authority, but its addresses have domains, which are hosts like others: UTS #46 maps them
//! (RFC 6068, section 5), and `u@bücher.example` is the same address with and without the scheme.

use alloc::{borrow::Cow, string::String};

use percent_encoding::percent_decode_str;

use super::components::Components;

/// True if `text` may be a `mailto:`, by its first byte.
#[inline]
pub(super) fn may_be(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'm' | b'M'))
}

fn is_mailto(parts: &Components<'_>) -> bool {
    parts.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto"))
}

/// The domain of the first address, as it is written. `None` if `parts` are of another scheme, or have no
/// address.
pub(crate) fn domain<'t>(parts: &Components<'t>) -> Option<&'t str> {
    let first = is_mailto(parts).then(|| parts.path())?.split(',').next()?;
    first.rsplit_once('@').map(|(_, domain)| domain).filter(|domain| !domain.is_empty())
}

/// `text` with `map` of each domain that has one; `None` if no domain has, or if it is no `mailto:`.
pub(super) fn with_domains(text: &str, map: impl Fn(&str) -> Option<String>) -> Option<String> {
    let parts = Components::split(text);
    let path = is_mailto(&parts).then(|| parts.path())?;
    let from = path.as_ptr() as usize - text.as_ptr() as usize;
    let mut out: Option<String> = None;
    let mut done = 0;
    let mut at = from;
    for address in path.split(',') {
        let end = at + address.len();
        if let Some(sign) = address.rfind('@')
            && let Some(mapped) = map(&address[sign + 1..])
        {
            let out = out.get_or_insert_default();
            out.push_str(&text[done..at + sign + 1]);
            out.push_str(&mapped);
            done = end;
        }
        at = end + 1;
    }
    out.map(|out| out + &text[done..])
}

/// The characters of a domain, if any is not ASCII. `escapes`: also of one that is percent-encoded.
pub(super) fn foreign(domain: &str, escapes: bool) -> Option<Cow<'_, str>> {
    let name = match escapes && domain.contains('%') {
        true => percent_decode_str(domain).decode_utf8().ok()?,
        false => Cow::Borrowed(domain),
    };
    Some(name).filter(|name| !name.is_ascii() && !name.contains('%'))
}
