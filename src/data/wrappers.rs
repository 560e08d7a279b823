//! The wrappers that mail gateways and web sites put around links, each with the document that
//! describes it.

/// A wrapper: links to this host and path hold another link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrapper {
    /// The host; with a dot in front also each host below it.
    pub(crate) host: &'static str,
    /// How the path begins.
    pub(crate) path: &'static str,
    pub(crate) holds: Holds,
    /// Where this is described.
    #[cfg_attr(not(test), expect(dead_code, reason = "it is for readers"))]
    pub(crate) source: &'static str,
}

/// Where the link is in a wrapper, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// In this parameter of the query, percent-encoded.
    Parameter(&'static str),
    /// In this parameter, in base64.
    Base64(&'static str),
    /// In the parameter `u`, with `-` for `%` and `_` for `/`.
    Dashes,
    /// In the path, between `__` and `__;`, with `*` for the bytes that follow in base64.
    Stars,
    /// In the path, between `___` and `___.`, as it is.
    Rails,
    /// In the last segment of the path that begins with a scheme, percent-encoded.
    Segment,
}

const fn wrapper(
    host: &'static str,
    path: &'static str,
    holds: Holds,
    source: &'static str,
) -> Wrapper {
    Wrapper { host, path, holds, source }
}

/// The bytes eight to five from the end of a host. Most hosts have the last four, such as `.com`,
/// in common with others.
const fn near_end(host: &[u8]) -> Option<u32> {
    match host.last_chunk::<8>() {
        Some([a, b, c, d, ..]) => Some(u32::from_ne_bytes([*a, *b, *c, *d])),
        None => None,
    }
}

/// [`near_end`] of all wrappers.
const NEAR_ENDS: [u32; WRAPPERS.len()] = {
    let mut ends = [0; WRAPPERS.len()];
    let mut i = 0;
    while i < WRAPPERS.len() {
        let host = WRAPPERS[i].host.as_bytes();
        // Without its dot, because a wrapper may have that host too.
        let host = match host {
            [b'.', top @ ..] => top,
            host => host,
        };
        ends[i] = near_end(host).expect("the host of a wrapper should have eight bytes");
        i += 1;
    }
    ends
};

/// False if `host` is not that of a wrapper. This costs less than to compare it with all.
pub(crate) fn may_be_wrapper(host: &[u8]) -> bool {
    // No early end, so that the compiler can compare several at once.
    near_end(host).is_some_and(|near| NEAR_ENDS.iter().fold(false, |any, end| any | (*end == near)))
}

/// All of them.
pub(crate) const WRAPPERS: [Wrapper; 36] = [
    wrapper(
        ".safelinks.protection.outlook.com",
        "/",
        Holds::Parameter("url"),
        "Microsoft Learn: Safe Links in Microsoft Defender for Office 365",
    ),
    wrapper(
        "statics.teams.cdn.office.net",
        "/evergreen-assets/safelinks/",
        Holds::Parameter("url"),
        "Microsoft Learn: Safe Links for Microsoft Teams",
    ),
    wrapper(
        "urldefense.proofpoint.com",
        "/v1/url",
        Holds::Parameter("u"),
        "Proofpoint: URL decoder utility, version 1",
    ),
    wrapper(
        "urldefense.proofpoint.com",
        "/v2/url",
        Holds::Dashes,
        "Proofpoint: URL decoder utility, version 2",
    ),
    wrapper("urldefense.com", "/v3/", Holds::Stars, "Proofpoint: URL decoder utility, version 3"),
    wrapper("urldefense.us", "/v3/", Holds::Stars, "Proofpoint: URL decoder utility, version 3"),
    wrapper(
        "linkprotect.cudasvc.com",
        "/url",
        Holds::Parameter("a"),
        "Barracuda Campus: Link Protection",
    ),
    wrapper("secure-web.cisco.com", "/", Holds::Segment, "Cisco: Secure Email URL rewriting"),
    wrapper(
        ".protection.sophos.com",
        "/",
        Holds::Base64("u"),
        "Sophos: Time of Click URL Protection",
    ),
    wrapper(
        "clicktime.symantec.com",
        "/",
        Holds::Parameter("u"),
        "Broadcom: Click-time URL Protection",
    ),
    wrapper(
        ".trendmicro.com",
        "/wis/clicktime/",
        Holds::Parameter("url"),
        "Trend Micro: Time-of-Click Protection",
    ),
    wrapper(
        ".fireeye.com",
        "/v1/url",
        Holds::Parameter("u"),
        "Trellix Email Security: URL rewriting",
    ),
    wrapper(".trustwave.com", "/", Holds::Parameter("u"), "Trustwave: Blended Threat Module"),
    wrapper(
        ".safelinks.protection.office365.us",
        "/",
        Holds::Parameter("url"),
        "Microsoft Learn: Safe Links in Microsoft Defender for Office 365, government clouds",
    ),
    wrapper(
        ".safelink.emails.azure.net",
        "/redirect/",
        Holds::Parameter("destination"),
        "Microsoft Azure: the links in its own mail",
    ),
    wrapper(
        "urldefense.proofpoint.com",
        "/v3/",
        Holds::Stars,
        "Proofpoint: URL decoder utility, version 3",
    ),
    wrapper(
        "url.avanan.click",
        "/v2/",
        Holds::Rails,
        "Check Point: Harmony Email & Collaboration, Click-Time Protection",
    ),
    wrapper(
        "protect.checkpoint.com",
        "/v2/",
        Holds::Rails,
        "Check Point: Harmony Email & Collaboration, Click-Time Protection",
    ),
    wrapper(
        ".url-protection.com",
        "/v1/",
        Holds::Parameter("o"),
        "Check Point: Harmony Email & Collaboration, Click-Time Protection, version 1",
    ),
    wrapper(
        "link.edgepilot.com",
        "/s/",
        Holds::Parameter("u"),
        "OpenText: EdgePilot Link Protection",
    ),
    wrapper("urlsand.esvalabs.com", "/", Holds::Parameter("u"), "Libraesva: URLSand"),
    wrapper("linklock.titanhq.com", "/analyse", Holds::Parameter("url"), "TitanHQ: Link Lock"),
    wrapper(
        "protection.retarus.com",
        "/v1",
        Holds::Parameter("u"),
        "Retarus Email Security: Time-of-Click Protection",
    ),
    wrapper(
        "deref-gmx.net",
        "/mail/client/",
        Holds::Parameter("redirectUrl"),
        "GMX: the dereferrer of its web mail",
    ),
    wrapper(
        "deref-gmx.com",
        "/mail/client/",
        Holds::Parameter("redirectUrl"),
        "GMX: the dereferrer of its web mail",
    ),
    wrapper(
        "deref-web.de",
        "/mail/client/",
        Holds::Parameter("redirectUrl"),
        "WEB.DE: the dereferrer of its web mail",
    ),
    wrapper(
        "deref-mail.com",
        "/mail/client/",
        Holds::Parameter("redirectUrl"),
        "mail.com: the dereferrer of its web mail",
    ),
    wrapper("lm.facebook.com", "/l.php", Holds::Parameter("u"), "Engineering at Meta: Link Shim"),
    wrapper("www.google.com", "/url", Holds::Parameter("q"), "Google: Gmail's redirect notice"),
    wrapper(
        "www.google.com",
        "/url",
        Holds::Parameter("url"),
        "Google: the redirect of search results",
    ),
    wrapper("l.facebook.com", "/l.php", Holds::Parameter("u"), "Engineering at Meta: Link Shim"),
    wrapper("l.instagram.com", "/", Holds::Parameter("u"), "Engineering at Meta: Link Shim"),
    wrapper("www.youtube.com", "/redirect", Holds::Parameter("q"), "YouTube Help: external links"),
    wrapper(
        "slack-redir.net",
        "/link",
        Holds::Parameter("url"),
        "Slack: removing the referrer of links",
    ),
    wrapper(
        "www.linkedin.com",
        "/redir/redirect",
        Holds::Parameter("url"),
        "LinkedIn Help: redirect pages",
    ),
    wrapper(
        "steamcommunity.com",
        "/linkfilter/",
        Holds::Parameter("url"),
        "Steam: the link filter",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_source_and_a_host_in_the_form_in_which_hosts_are_compared() {
        for wrapper in WRAPPERS {
            assert!(!wrapper.source.is_empty() && wrapper.path.starts_with('/'));
            assert!(
                wrapper
                    .host
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-".contains(&b))
            );
        }
    }
}
