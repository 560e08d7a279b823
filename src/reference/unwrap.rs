//! The links in the wrappers of mail gateways: Safe Links, urldefense and others.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use base64::{
    Engine as _,
    alphabet::URL_SAFE,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use percent_encoding::percent_decode_str;

use super::{components::Components, host_name::comparable};
use crate::data::wrappers::{Holds, WRAPPERS, Wrapper};

/// So many wrappers around each other are taken off.
const DEPTH: usize = 4;

/// Takes the wrapper of a mail gateway, or of a web site that forwards, off a URI, and returns the
/// link inside; `None` if there is no wrapper that is known, or nothing in it that has a scheme and
/// a host. A wrapper in a wrapper is taken off too. Nothing is fetched.
///
/// Known are Microsoft's Safe Links, Proofpoint's urldefense (versions 1 to 3), and those of
/// Barracuda, Cisco, Sophos, Symantec, Trend Micro, Trellix and Trustwave; and the forwarders of
/// Google, Facebook, Instagram, YouTube, Slack, LinkedIn and Steam (`src/data/wrappers.rs`, each
/// with its source). Wrappers that hold only a number, such as Mimecast's, cannot be taken off.
///
/// ```
/// use iriscan::reference::unwrap;
///
/// let safe = "https://eur02.safelinks.protection.outlook.com/?url=http%3A%2F%2Fa.example%2Fx&data=05";
/// assert_eq!(unwrap(safe).as_deref(), Some("http://a.example/x"));
/// let v3 = "https://urldefense.com/v3/__https://a.example/*x__;Iw!!abc$";
/// assert_eq!(unwrap(v3).as_deref(), Some("https://a.example/#x"));
/// assert_eq!(unwrap("http://a.example/?url=http://b.example/"), None);
/// ```
#[must_use]
pub fn unwrap(uri: &str) -> Option<String> {
    let mut inner = once(uri)?;
    for _ in 1..DEPTH {
        match once(&inner) {
            Some(within) => inner = within,
            None => break,
        }
    }
    Some(inner)
}

/// Takes off one wrapper.
fn once(uri: &str) -> Option<String> {
    let parts = Components::split(uri);
    if !parts
        .scheme()
        .is_some_and(|scheme| matches!(&*scheme.to_ascii_lowercase(), "http" | "https"))
    {
        return None;
    }
    let host = comparable(parts.host()?);
    let is_here = |wrapper: &&Wrapper| {
        let host_is = match wrapper.host.strip_prefix('.') {
            Some(top) => {
                host.strip_suffix(top).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
            None => host == wrapper.host,
        };
        host_is && parts.path().starts_with(wrapper.path)
    };
    let link = |wrapper: &Wrapper| {
        let inside = match wrapper.holds {
            Holds::Parameter(name) => decoded(parameter(&parts, name)?),
            Holds::Base64(name) => in_base64(&decoded(parameter(&parts, name)?)?),
            Holds::Dashes => decoded(&parameter(&parts, "u")?.replace('-', "%").replace('_', "/")),
            Holds::Stars => stars(uri),
            Holds::Segment => parts.path().rsplit('/').find_map(|segment| {
                let text = decoded(segment)?;
                text.contains("://").then_some(text)
            }),
        }?;
        is_link(&inside).then_some(inside)
    };
    WRAPPERS.iter().filter(is_here).find_map(link)
}

/// Whether a text has a scheme and a host, and nothing that no link has.
fn is_link(text: &str) -> bool {
    let parts = Components::split(text);
    parts.scheme().is_some_and(|scheme| !scheme.is_empty())
        && parts.host().is_some_and(|host| !host.is_empty())
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// The value of a parameter of the query, as it is written.
fn parameter<'u>(parts: &Components<'u>, name: &str) -> Option<&'u str> {
    // A gateway may leave the `&amp;` of HTML.
    let pairs = parts.query()?.split('&').map(|pair| pair.strip_prefix("amp;").unwrap_or(pair));
    pairs
        .filter_map(|pair| pair.split_once('='))
        .find_map(|(key, value)| key.eq_ignore_ascii_case(name).then_some(value))
}

/// The text that escapes mean; `None` if it is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(|text| text.into_owned())
}

/// What base64 of either alphabet means, with or without padding.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let config =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let text = text.replace('+', "-").replace('/', "_");
    GeneralPurpose::new(&URL_SAFE, config.with_decode_allow_trailing_bits(true)).decode(text).ok()
}

fn in_base64(text: &str) -> Option<String> {
    String::from_utf8(from_base64(text)?).ok()
}

/// The link in version 3 of urldefense: each `*` means the next byte of the base64 that
/// follows, and `**` with a letter after it for two or more.
fn stars(uri: &str) -> Option<String> {
    const RUNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (_, rest) = uri.split_once("/v3/__")?;
    let (link, rest) = rest.rsplit_once("__;")?;
    let (base64, _) = rest.split_once("!!")?;
    let bytes = from_base64(base64)?;
    let mut bytes = bytes.iter().copied();
    let (link, mut out, mut at) = (decoded(link)?, Vec::new(), 0);
    let link = link.as_bytes();
    while let Some(&b) = link.get(at) {
        at += 1;
        if b != b'*' {
            out.push(b);
            continue;
        }
        let mut run = 1;
        if link.get(at) == Some(&b'*') {
            let letter = link.get(at + 1)?;
            run = RUNS.iter().position(|b| b == letter)? + 2;
            at += 2;
        }
        for _ in 0..run {
            out.push(bytes.next()?);
        }
    }
    let mut text = String::from_utf8(out).ok()?;
    // One slash after the scheme is left where a program folded the two.
    if let Some((scheme, rest)) = text.split_once(":/").filter(|(_, rest)| !rest.starts_with('/')) {
        text = [scheme, "://", rest].concat().to_string();
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrappers_of_gateways() {
        for (wrapped, want) in [
            (
                "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F%C3%A9%3Fb%3Dc&data=05%7C01&reserved=0",
                Some("https://a.example/é?b=c"),
            ),
            (
                "https://urldefense.proofpoint.com/v2/url?u=http-3A__www.a.example_x-3Fy-3Dz&d=DwMF&c=e",
                Some("http://www.a.example/x?y=z"),
            ),
            (
                "https://urldefense.proofpoint.com/v1/url?u=http://a.example/&k=x",
                Some("http://a.example/"),
            ),
            (
                "https://urldefense.com/v3/__https://google.com:443/search?q=a*test&gs=ps__;Kw!-612Flbf0JvQ3kNJkRi5Jg!Ue6tQudNKaShHg93trcdjqDP8se2ySE65jyCIe2K1D_uNjZ1Lnf6YLQERujngZv9UWf66ujQIQ$",
                None,
            ),
            (
                "https://urldefense.com/v3/__https://a.example/?q=b*c**A__;KyUl!!x$",
                Some("https://a.example/?q=b+c%%"),
            ),
            (
                "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fa.example%2f&c=E",
                Some("https://a.example/"),
            ),
            (
                "https://secure-web.cisco.com/1abc/https%3A%2F%2Fa.example%2Fx",
                Some("https://a.example/x"),
            ),
            (
                "https://eu-west-1.protection.sophos.com?d=a.example&u=aHR0cHM6Ly9hLmV4YW1wbGUveA==&i=1",
                None,
            ),
            (
                "https://eu-west-1.protection.sophos.com/?d=a.example&u=aHR0cHM6Ly9hLmV4YW1wbGUveA==&i=1",
                Some("https://a.example/x"),
            ),
            (
                "https://www.google.com/url?q=https://l.facebook.com/l.php%3Fu%3Dhttp%253A%252F%252Fa.example%252F&sa=D",
                Some("http://a.example/"),
            ),
            ("https://www.google.com/search?q=https://a.example/", None),
            ("https://evil-safelinks.protection.outlook.com.example/?url=http://a.example/", None),
            ("https://www.youtube.com/redirect?q=javascript:alert(1)", None),
            ("https://www.youtube.com/redirect?q=http%3A%2F%2Fa%20b.example", None),
        ] {
            assert_eq!(unwrap(wrapped).as_deref(), want, "{wrapped}");
        }
    }
}
