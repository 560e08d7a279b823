//! Which names in running text are hosts, though no scheme stands before them.
//!
//! Precise rather than greedy: files, versions, packages, abbreviations and
//! words run together look the same. A name counts if its top-level domain can
//! be nothing else, or if something else shows that it is a host. Each rule
//! names the case of testdata/bare.toml that needs it.

use super::class;

/// What stands around a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// Before it.
    pub(crate) before: Option<char>,
    /// Behind it and the dots at its end.
    pub(crate) behind: Option<char>,
    /// How many dots stand at its end.
    pub(crate) dots: usize,
}

/// Top-level domains that are words of code or of everyday language: without
/// other evidence `user.name` and `window.open` are no hosts. What is here is
/// what counts by itself among those of three letters and more.
const PLAIN: [&str; 96] = [
    "abudhabi",
    "aero",
    "africa",
    "alsace",
    "amsterdam",
    "app",
    "asia",
    "barcelona",
    "bayern",
    "berlin",
    "biz",
    "blog",
    "boston",
    "brussels",
    "budapest",
    "bzh",
    "capetown",
    "cat",
    "cloud",
    "club",
    "cologne",
    "com",
    "coop",
    "corsica",
    "cymru",
    "dev",
    "dubai",
    "durban",
    "edu",
    "eus",
    "frl",
    "gal",
    "gent",
    "gov",
    "hamburg",
    "helsinki",
    "info",
    "int",
    "irish",
    "istanbul",
    "jobs",
    "joburg",
    "koeln",
    "kyoto",
    "london",
    "madrid",
    "melbourne",
    "miami",
    "mil",
    "mobi",
    "moscow",
    "museum",
    "nagoya",
    "net",
    "nyc",
    "okinawa",
    "online",
    "org",
    "osaka",
    "paris",
    "press",
    "quebec",
    "rio",
    "rocks",
    "ruhr",
    "ryukyu",
    "saarland",
    "scot",
    "shop",
    "site",
    "stockholm",
    "store",
    "swiss",
    "sydney",
    "taipei",
    "tatar",
    "tech",
    "tirol",
    "tokyo",
    "travel",
    "vegas",
    "vlaanderen",
    "wales",
    "website",
    "wien",
    "wiki",
    "works",
    "xxx",
    "xyz",
    "yokohama",
    "zuerich",
    "moe",
    "ink",
    "icu",
    "vip",
    "top",
];

/// Country codes that are names of file formats as well (case bare-files).
const FILES: [&str; 28] = [
    "ac", "ad", "am", "as", "bz", "cc", "cd", "do", "hm", "id", "in", "la", "lc", "mc", "md", "mk",
    "ml", "mo", "pl", "pm", "pn", "ps", "py", "rs", "sh", "so", "st", "vi",
];

/// Country codes that are words: `works.in the` (case bare-run-together).
const WORDS: [&str; 16] = [
    "am", "as", "at", "be", "by", "do", "in", "is", "it", "me", "my", "no", "so", "to", "us", "we",
];

/// Labels that registries put before a country code.
const REGISTRY: [&str; 14] =
    ["ac", "co", "com", "edu", "go", "gob", "gouv", "gov", "mil", "ne", "net", "or", "org", "sch"];

/// Files even with a path behind (case bare-files).
const ALWAYS_FILES: [&str; 5] = ["md", "mov", "py", "sh", "zip"];

/// Whether `name`, a run without the dots at its end, is a host.
pub(crate) fn is_host(name: &str, around: Around) -> bool {
    // Behind these it is part of something else: an address, a path, a name.
    let glued = |c: char| matches!(c, '@' | '/' | '\\' | '#' | '$' | '%' | '&' | '~' | '+' | ':');
    if around.before.is_some_and(glued) && around.before != Some(':') {
        return false;
    }
    // Text of an unspaced script glued to ASCII or to a link: once converted it
    // would be another name (case name-glued-to-ascii).
    if around.before.is_some_and(|c| c.is_ascii_alphanumeric()) {
        return false;
    }
    // A call, an address, a name that goes on.
    let goes_on = matches!(around.behind, Some('(' | '\\' | '$' | '%' | '+' | '~'));
    if around.behind == Some('@') || around.dots == 0 && goes_on {
        return false;
    }
    let labels = name.split('.').count();
    let (Some((rest, tld)), true) = (name.rsplit_once('.'), labels >= 2) else { return false };
    let hyphens = |l: &str| l.starts_with('-') || l.ends_with('-');
    if name.split('.').any(|l| l.is_empty() || hyphens(l) || l.chars().count() > 63) {
        return false;
    }
    let second = rest.rsplit('.').next().unwrap_or(rest);
    if second.contains('_') || tld.contains('_') {
        return false;
    }
    let first = name.split('.').next().unwrap_or_default();
    let www = first.get(..3).is_some_and(|w| w.eq_ignore_ascii_case("www"))
        && first[3..].bytes().all(|b| b.is_ascii_digit());
    if www && labels >= 3 {
        return tld.chars().count() >= 2 && !tld.starts_with(|c: char| c.is_ascii_digit());
    }
    if www || !class::is_tld(tld) {
        return false;
    }
    // An assignment.
    if around.dots == 0 && around.behind == Some('=') {
        return false;
    }
    let lower = tld.to_lowercase();
    let is = |list: &[&str]| list.contains(&&*lower);
    let tail = around.dots == 0 && matches!(around.behind, Some('/' | '?' | '#'));
    let port = around.dots == 0 && around.behind == Some(':');
    if is(&ALWAYS_FILES) {
        return false;
    }
    // Words run together: "it.The next", "Us.Net".
    let capital = |l: &str| {
        let mut chars = l.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.any(char::is_lowercase)
    };
    if capital(tld) {
        return false;
    }
    // Brands and libraries: ASP.NET, Socket.IO (case bare-brands).
    let lowers = |l: &str| l.chars().any(char::is_lowercase);
    let capitals = tld.chars().any(char::is_uppercase) && !lowers(tld);
    if labels == 2 && capitals && (lowers(rest) || tld == "NET") {
        return false;
    }
    // Capitals without a reason: an emoticon (case bare-emoticon).
    let code = tld.len() == 2 && tld.bytes().all(|b| b.is_ascii_uppercase());
    if code && !rest.chars().any(char::is_uppercase) {
        return false;
    }
    // Noise: capitals anywhere but at the start of a word.
    let noise = |l: &str| l.chars().skip(1).any(char::is_uppercase) && lowers(l);
    if noise(tld) || !rest.is_ascii() && rest.split(['.', '-']).any(noise) {
        return false;
    }
    // Packages are written the other way round: `com.example.app`.
    if labels >= 3
        && matches!(first, "com" | "org" | "net" | "io" | "edu" | "gov" | "java" | "javax")
    {
        return false;
    }
    let lonely = second.chars().count() == 1 && (labels < 3 || is(&FILES) || is(&WORDS));
    if lonely && !(tail || lower == "com") {
        return false;
    }
    // 3.2.am, 10.in: numbers, versions.
    let number = second.bytes().all(|b| b.is_ascii_digit());
    // And tickers: 08008.HK, 005930.ks.
    let exchange = ["hk", "jp", "kr", "ks", "my", "sg", "th", "tw"];
    let version = second.len() < 4 || is(&FILES) || is(&WORDS) || is(&exchange) || tld != lower;
    if number && version && !matches!(&*lower, "com" | "net" | "org" | "cn") {
        return false;
    }
    if tail {
        return true;
    }
    // Thai abbreviates with a dot: พรบ.คอม (case bare-thai-abbreviation).
    let thai = tld.chars().all(|c| matches!(c, '\u{E00}'..='\u{E7F}'));
    if thai && second.chars().count() < 4 {
        return false;
    }
    if !tld.is_ascii() || lower.starts_with("xn--") || is(&PLAIN) {
        return true;
    }
    // Names below a registry's own: unair.ac.id, isuzu.net.my.
    if labels >= 3 && lower.len() == 2 && REGISTRY.contains(&second) {
        return true;
    }
    if lower.len() != 2 {
        return port && labels >= 3;
    }
    if is(&FILES) {
        return labels >= 3 && port;
    }
    // foo.isEmpty, expect.to.be: code has capitals inside, and a small first
    // letter; brands have not (case bare-brands).
    let small = rest.starts_with(|c: char| c.is_ascii_lowercase());
    let camel = small
        && rest
            .as_bytes()
            .windows(2)
            .any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase());
    if camel && tld.bytes().all(|b| b.is_ascii_lowercase()) {
        return false;
    }
    if is(&WORDS) {
        return second.chars().count() >= 4;
    }
    second.chars().count() >= 3 || labels >= 3
}
