//! IP literals: what a host may hold between `[` and `]`.

use core::{net::Ipv6Addr, str::FromStr};

use super::class::{USERINFO, is_in};

/// True if `inner` is an IP literal, or an `IPv6addrz = IPv6address "%25" ZoneID` of RFC 6874,
/// section 2: `fe80::1%25eth0`. RFC 9844 obsoletes it: such a zone is in no URI, but in text it shows where a
/// host ends.
pub(crate) fn is_ip_literal_with_zone(inner: &[u8]) -> bool {
    if is_ip_literal(inner) {
        return true;
    }
    let Some(percent) = inner.iter().position(|b| *b == b'%') else { return false };
    let Some(zone) = inner[percent..].strip_prefix(b"%25") else { return false };
    !zone.is_empty()
        && is_zone(zone)
        && !matches!(inner.first(), Some(b'v' | b'V'))
        && is_ip_literal(&inner[..percent])
}

/// `ZoneID = 1*( unreserved / pct-encoded )` of RFC 6874, perhaps empty.
fn is_zone(mut zone: &[u8]) -> bool {
    while let Some((&first, rest)) = zone.split_first() {
        zone = match (first, rest) {
            (b'%', [a, b, rest @ ..]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => rest,
            (b, rest) if b.is_ascii_alphanumeric() || b"-._~".contains(&b) => rest,
            _ => return false,
        };
    }
    true
}

/// True if `inner` is `IPv6address / IPvFuture` (RFC 3986, section 3.2.2), without a zone
/// identifier: RFC 3987 has none.
pub(crate) fn is_ip_literal(inner: &[u8]) -> bool {
    match inner {
        // IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
        [b'v' | b'V', rest @ ..] => {
            let version = rest.iter().take_while(|b| b.is_ascii_hexdigit()).count();
            match &rest[version..] {
                [b'.', address @ ..] => {
                    version > 0
                        && !address.is_empty()
                        && address.iter().all(|&b| is_in(b, USERINFO))
                }
                _ => false,
            }
        }
        // `core::net` reads exactly the nine forms of IPv6address.
        _ => str::from_utf8(inner).is_ok_and(|inner| Ipv6Addr::from_str(inner).is_ok()),
    }
}
