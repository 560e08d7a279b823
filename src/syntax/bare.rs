//! Which names in running text are hosts, though no scheme stands before them.
//!
//! Precise rather than greedy: files, versions, packages, abbreviations and
//! words run together look the same. A name counts if its top-level domain can
//! be nothing else, or if something else shows that it is a host. Each rule
//! names the case of testdata/bare.toml that needs it.

use alloc::string::String;

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

/// Top-level domains of three letters and more that count by themselves. The
/// others are words of code or of everyday language: without other evidence
/// `user.name` and `window.open` are no hosts (case bare-new-tlds).
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
    "icu",
    "info",
    "ink",
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
    "moe",
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
    "top",
    "travel",
    "vegas",
    "vip",
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
    if around.is_glued() {
        return false;
    }
    let Some(domain) = Domain::split(name) else { return false };
    if domain.is_www() {
        // Whatever stands at its end (case bare-www).
        let letters = |c: char| !c.is_ascii_digit();
        return domain.labels >= 3
            && domain.tld.starts_with(letters)
            && domain.tld.chars().nth(1).is_some();
    }
    class::is_tld(domain.tld)
        && !domain.is(&ALWAYS_FILES)
        && !around.assigns()
        && !domain.is_spelt_as_text()
        && !domain.is_package()
        && !domain.is_member()
        && !domain.is_initial(around)
        && !domain.is_number()
        && (around.tail() || domain.is_evident(around))
}

impl Around {
    /// What is next to it makes it part of something else.
    fn is_glued(self) -> bool {
        // An address, a path, a variable.
        let opens = |c| matches!(c, '@' | '/' | '\\' | '#' | '$' | '%' | '&' | '~' | '+');
        // Text of an unspaced script glued to ASCII or to a link: once converted it
        // would be another name (case name-glued-to-ascii).
        let before = |c: char| opens(c) || c.is_ascii_alphanumeric();
        // A call, a name that goes on. Not `\`: an escape of a string may follow.
        let goes_on = matches!(self.behind, Some('(' | '$' | '%' | '+' | '~'));
        self.before.is_some_and(before) || self.behind == Some('@') || self.dots == 0 && goes_on
    }

    /// It is given a value (case bare-assignment).
    fn assigns(self) -> bool {
        self.dots == 0 && self.behind == Some('=')
    }

    /// A path, a query or a fragment follows.
    fn tail(self) -> bool {
        self.dots == 0 && matches!(self.behind, Some('/' | '?' | '#'))
    }

    /// A port follows.
    fn port(self) -> bool {
        self.dots == 0 && self.behind == Some(':')
    }
}

/// A name by its labels.
struct Domain<'n> {
    labels: usize,
    first: &'n str,
    /// All but the last label.
    rest: &'n str,
    /// The last label but one.
    second: &'n str,
    /// The last label, as it stands there and in lower case.
    tld: &'n str,
    lower: String,
}

impl<'n> Domain<'n> {
    /// `None`: no two labels, or one that no host has.
    fn split(name: &'n str) -> Option<Domain<'n>> {
        let is_label = |l: &str| {
            let long = l.len() > 63 && l.chars().count() > 63;
            !l.is_empty() && !l.starts_with('-') && !l.ends_with('-') && !long
        };
        let (rest, tld) = name.rsplit_once('.')?;
        let second = rest.rsplit('.').next()?;
        let registered = !second.contains('_') && !tld.contains('_');
        let (mut labels, mut valid) = (0, true);
        for label in name.split('.') {
            labels += 1;
            valid &= is_label(label);
        }
        (registered && valid).then(|| Domain {
            labels,
            first: name.split('.').next().unwrap_or(name),
            rest,
            second,
            tld,
            lower: tld.to_lowercase(),
        })
    }

    /// Whether the last label is one of `list`.
    fn is(&self, list: &[&str]) -> bool {
        list.contains(&&*self.lower)
    }

    /// `www`, `www2`.
    fn is_www(&self) -> bool {
        let www = self.first.get(..3).is_some_and(|w| w.eq_ignore_ascii_case("www"));
        www && self.first.bytes().skip(3).all(|b| b.is_ascii_digit())
    }

    /// Its capitals are those of sentences, of brands, or of nothing.
    fn is_spelt_as_text(&self) -> bool {
        let Domain { rest, tld, .. } = self;
        let upper = |l: &str| l.chars().any(char::is_uppercase);
        let lower = |l: &str| l.chars().any(char::is_lowercase);
        let noise = |l: &str| lower(l) && l.chars().skip(1).any(char::is_uppercase);
        // Words run together: "it.The next", "Us.Net"; not Example.Com.
        let word = tld.starts_with(char::is_uppercase) && lower(tld) && *tld != "Com";
        // Brands and libraries: ASP.NET, Socket.IO (case bare-brands-and-frameworks).
        let capitals = upper(tld) && !lower(tld);
        let brand = capitals && self.labels == 2 && (lower(rest) || *tld == "NET");
        // Capitals without a reason: an emoticon (case bare-emoticon).
        let code = tld.len() == 2 && tld.bytes().all(|b| b.is_ascii_uppercase());
        let emoticon = code && !upper(rest);
        word || brand
            || emoticon
            || noise(tld)
            || !rest.is_ascii() && rest.split(['.', '-']).any(noise)
    }

    /// Packages are written the other way round: `com.example.app` (case
    /// bare-packages).
    fn is_package(&self) -> bool {
        let roots = ["com", "org", "net", "io", "edu", "gov", "java", "javax"];
        self.labels >= 3 && roots.contains(&self.first)
    }

    /// `self.io`, `Array.prototype.at`, `auth.info` of syslog (case bare-members).
    fn is_member(&self) -> bool {
        const OWNERS: [&str; 4] = ["operator", "prototype", "self", "this"];
        const FACILITIES: [&str; 7] =
            ["auth", "authpriv", "cron", "daemon", "kern", "mail", "syslog"];
        OWNERS.contains(&self.second)
            || self.labels == 2 && self.lower == "info" && FACILITIES.contains(&self.second)
    }

    /// One letter before the dot is an initial (case bare-one-letter).
    fn is_initial(&self, around: Around) -> bool {
        let one = self.second.chars().count() == 1;
        let lonely = self.labels < 3 || self.is(&FILES) || self.is(&WORDS);
        one && lonely && !around.tail() && self.lower != "com" && !self.is_shortener()
    }

    /// Hosts of one letter that people write as they are.
    fn is_shortener(&self) -> bool {
        self.labels == 2 && self.second == "t" && self.is(&["cn", "co", "me"])
    }

    /// 3.2.am, 10.in: times and versions; 08008.HK, 005930.ks: tickers (case
    /// bare-tickers).
    fn is_number(&self) -> bool {
        let exchanges = ["hk", "jp", "kr", "ks", "my", "sg", "th", "tw"];
        let short = self.second.len() < 4 || self.tld != self.lower;
        // 0.17b.dev
        let digit = |l: &str| l.starts_with(|c: char| c.is_ascii_digit());
        let version = self.labels >= 3 && self.rest.split('.').all(digit);
        let listed = self.is(&FILES) || self.is(&WORDS) || self.is(&exchanges);
        let number = self.second.bytes().all(|b| b.is_ascii_digit());
        (version || number && (short || listed)) && !self.is(&["com", "net", "org", "cn"])
    }

    /// It is a host, though nothing else shows it.
    fn is_evident(&self, around: Around) -> bool {
        let Domain { labels, rest, second, tld, lower, .. } = self;
        // Thai abbreviates with a dot: พรบ.คอม (case bare-emoticon).
        let thai = tld.chars().all(|c| matches!(c, '\u{E00}'..='\u{E7F}'));
        if thai && second.chars().count() < 4 {
            return false;
        }
        if !tld.is_ascii() || lower.starts_with("xn--") || self.is(&PLAIN) || self.is_shortener() {
            return true;
        }
        let country = lower.len() == 2;
        // Names below a registry's own (case bare-registry-labels).
        if country && *labels >= 3 && REGISTRY.contains(second) {
            return true;
        }
        // A file and a line of it: `a.test.rs:12` (case bare-file-and-line). Poland
        // has more hosts than there are files of Perl that are named so.
        let polish = || *labels >= 3 || rest.chars().any(|c| matches!(c, '\u{C0}'..='\u{24F}'));
        if self.is(&FILES) && !(lower == "pl" && !around.port() && polish()) {
            return false;
        }
        if !country {
            return around.port() && *labels >= 3;
        }
        // foo.isEmpty, expect.to.be: code has capitals inside, and a small first
        // letter; brands have not (case bare-brands-and-frameworks).
        let camel = rest.starts_with(|c: char| c.is_ascii_lowercase())
            && rest
                .as_bytes()
                .windows(2)
                .any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase());
        if camel && tld.bytes().all(|b| b.is_ascii_lowercase()) {
            return false;
        }
        // A letter of East Asia is a syllable or a word.
        let letters: usize = second.chars().map(|c| if c >= '\u{1100}' { 2 } else { 1 }).sum();
        if self.is(&WORDS) { letters >= 4 } else { letters >= 3 || *labels >= 3 }
    }
}
