//! IP literals: what a host may hold between `[` and `]`.

use core::{net::Ipv6Addr, str::FromStr};

use super::class::{USERINFO, is_in};

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
