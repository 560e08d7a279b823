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

use super::{
    components::Components,
    field,
    host_name::{comparable, plain_host},
};
use crate::data::wrappers::{Holds, WRAPPERS, Wrapper, may_be_wrapper};

/// So many wrappers around each other are taken off.
const DEPTH: usize = 4;

/// Takes the wrapper of a mail gateway, or of a web site that forwards, off a URI, and returns the
/// link inside; `None` if there is no wrapper that is known, or nothing in it that has a scheme and
/// a host. A wrapper in a wrapper is taken off too. Nothing is fetched.
///
/// Known are Microsoft's Safe Links, Proofpoint's urldefense (versions 1 to 3), and those of
/// Barracuda, Check Point (Avanan), Cisco, EdgePilot, GMX, Libraesva, Retarus, Sophos, Symantec,
/// TitanHQ, Trend Micro, Trellix and Trustwave; and the forwarders of Google, Facebook, Instagram,
/// YouTube, Slack, LinkedIn and Steam (`src/data/wrappers.rs`, each with its source). Wrappers that
/// hold only a number, such as Mimecast's, cannot be taken off.
///
/// ```
/// use iriscan::reference::unwrap_link;
///
/// let safe = "https://eur02.safelinks.protection.outlook.com/?url=http%3A%2F%2Fa.example%2Fx&data=05";
/// assert_eq!(unwrap_link(safe).as_deref(), Some("http://a.example/x"));
/// let v3 = "https://urldefense.com/v3/__https://a.example/*x__;Iw!!abc$";
/// assert_eq!(unwrap_link(v3).as_deref(), Some("https://a.example/#x"));
/// assert_eq!(unwrap_link("http://a.example/?url=http://b.example/"), None);
/// ```
#[must_use]
pub fn unwrap_link(uri: &str) -> Option<String> {
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
    if plain_host(uri.as_bytes()).is_some_and(|host| !may_be_wrapper(host)) {
        return None;
    }
    let parts = Components::split(uri);
    let is_web =
        |scheme: &str| ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
    if !parts.scheme().is_some_and(is_web) {
        return None;
    }
    let host = comparable(parts.host()?);
    let is_here = |wrapper: &&Wrapper| {
        // Bytes, because a call to compare some of them would take longer.
        let (host, known) = (host.as_bytes(), wrapper.host.as_bytes());
        let host_is = match known {
            [b'.', top @ ..] => {
                let before = host.len().checked_sub(top.len());
                before.is_some_and(|before| {
                    host.get(before) == top.first()
                        && host.ends_with(top)
                        && (before == 0 || host[before - 1] == b'.')
                })
            }
            _ => host.first() == known.first() && host == known,
        };
        host_is && parts.path().starts_with(wrapper.path)
    };
    let link = |wrapper: &Wrapper| {
        let inside = match wrapper.holds {
            Holds::Parameter(name) => decoded(parameter(&parts, name)?),
            Holds::Base64(name) => in_base64(&decoded(parameter(&parts, name)?)?),
            Holds::Dashes => decoded(&parameter(&parts, "u")?.replace('-', "%").replace('_', "/"))
                .map(|text| field::unescape(&text).into_owned()),
            Holds::Stars => stars(uri),
            Holds::Rails => rails(uri),
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

/// The link in version 3 of urldefense, by Proofpoint's decoder: each `*` is replaced
/// by the next character of the base64 that follows up to a `!`, and `**` with a letter after it by
/// two or more.
fn stars(uri: &str) -> Option<String> {
    const RUNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (_, rest) = uri.split_once("/v3/__")?;
    let (link, rest) = rest.split_once("__;")?;
    let (base64, _) = rest.split_once('!')?;
    let held = in_base64(base64)?;
    let (mut held, mut out) = (held.chars(), String::new());
    let link = decoded(link)?;
    let mut rest = &*link;
    while let Some((before, after)) = rest.split_once('*') {
        out.push_str(before);
        rest = after;
        let mut run = 1;
        if let Some(lettered) = after.strip_prefix('*') {
            let letter = lettered.bytes().next()?;
            run = RUNS.iter().position(|b| *b == letter)? + 2;
            rest = &lettered[1..];
        }
        for _ in 0..run {
            out.push(held.next()?);
        }
    }
    out.push_str(rest);
    Some(with_slashes(out))
}

/// The link between `___` and `___.`, as Check Point writes it.
fn rails(uri: &str) -> Option<String> {
    let (_, rest) = uri.split_once("/___")?;
    let (link, _) = rest.split_once("___")?;
    Some(with_slashes(link.to_string()))
}

/// A link with both slashes after its scheme: programs on the way fold the two into one, because they
/// are in the path of the wrapper.
fn with_slashes(link: String) -> String {
    match link.split_once(":/") {
        Some((scheme, rest)) if !rest.starts_with('/') && !scheme.contains(['/', '?', '#']) => {
            [scheme, "://", rest].concat()
        }
        _ => link,
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Cases {
        case: Vec<Case>,
    }

    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Case {
        wrapped: String,
        inside: Option<String>,
    }

    #[test]
    fn wrappers_of_gateways() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/reference/unwrap.toml");
        let cases: Cases = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for case in &cases.case {
            assert_eq!(unwrap_link(&case.wrapped), case.inside, "{}", case.wrapped);
        }
        // Each rule has a case.
        for wrapper in WRAPPERS {
            let has = |case: &Case| {
                let host = Components::split(&case.wrapped).host().unwrap_or_default().to_string();
                let path = Components::split(&case.wrapped).path().to_string();
                host.ends_with(wrapper.host) && path.starts_with(wrapper.path)
            };
            assert!(
                cases.case.iter().any(|case| case.inside.is_some() && has(case)),
                "testdata/reference/unwrap.toml has no case for {} {}",
                wrapper.host,
                wrapper.path
            );
        }
    }

    /// Whatever the links of a gateway hold, no cut of them panics.
    #[test]
    fn damaged_wrappers() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/reference/unwrap.toml");
        let cases: Cases = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for Case { wrapped, .. } in &cases.case {
            for (at, c) in wrapped.char_indices() {
                let _ = unwrap_link(&wrapped[..at]);
                let _ =
                    unwrap_link(&[&wrapped[..at], "*é%é", &wrapped[at + c.len_utf8()..]].concat());
            }
        }
    }
}
