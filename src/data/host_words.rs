//! Words that decide whether a name without a scheme is a host: top-level domains by what else they
//! mean, and labels that no host has before them. `grammar::bare` has the rules.
//!
//! Which words are names of members was counted in the sources of six hundred Rust, C, Ruby and Python
//! packages; which are hosts, in the links of the same sources.

/// Top-level domains of three letters and more that make a host without other evidence. The others
/// are words of code or of everyday language: `user.name` and `window.open` are no hosts (case
/// bare-new-tlds).
#[rustfmt::skip]
pub(crate) const PLAIN: [&str; 95] = [
    "abudhabi", "aero", "africa", "alsace", "amsterdam", "app", "asia", "barcelona", "bayern",
    "berlin", "biz", "blog", "boston", "brussels", "bzh", "capetown", "cat", "cloud", "club",
    "cologne", "com", "coop", "corsica", "cymru", "dev", "dubai", "durban", "edu", "eus", "frl",
    "gal", "gent", "gov", "hamburg", "helsinki", "icu", "info", "ink", "int", "irish",
    "istanbul", "jobs", "joburg", "koeln", "kyoto", "london", "madrid", "melbourne", "miami",
    "mil", "mobi", "moe", "moscow", "museum", "nagoya", "net", "nyc", "okinawa", "online",
    "org", "osaka", "paris", "press", "quebec", "rio", "rocks", "ruhr", "ryukyu", "saarland",
    "scot", "shop", "site", "stockholm", "store", "swiss", "sydney", "taipei", "tatar", "tech",
    "tirol", "tokyo", "top", "travel", "vegas", "vip", "vlaanderen", "wales", "website", "wien",
    "wiki", "works", "xxx", "xyz", "yokohama", "zuerich",
];

/// Country codes that are names of file formats as well (case bare-files).
pub(crate) const FILES: [&str; 29] = [
    "ac", "ad", "am", "as", "bz", "cc", "cd", "do", "gp", "hm", "id", "in", "la", "lc", "mc", "md",
    "mk", "ml", "mo", "pl", "pm", "pn", "ps", "py", "rs", "sh", "so", "st", "vi",
];

/// Country codes that are words: `works.in the` (case bare-run-together).
pub(crate) const WORDS: [&str; 15] =
    ["am", "as", "at", "be", "by", "do", "in", "is", "it", "me", "my", "no", "so", "to", "us"];

/// Names of files even if a path follows (case bare-files).
pub(crate) const ALWAYS_FILES: [&str; 5] = ["md", "mov", "py", "sh", "zip"];

/// Stock exchanges, after the numbers of what is traded there (case bare-tickers).
pub(crate) const EXCHANGES: [&str; 7] = ["hk", "jp", "kr", "my", "sg", "th", "tw"];

/// Top-level domains under which people register numbers: 163.com.
pub(crate) const OF_NUMBERS: [&str; 4] = ["com", "net", "org", "cn"];

/// Labels that registries put before a country code.
pub(crate) const REGISTRY: [&[u8]; 14] = [
    b"ac", b"co", b"com", b"edu", b"go", b"gob", b"gouv", b"gov", b"mil", b"ne", b"net", b"or",
    b"org", b"sch",
];

/// Top-level domains of three letters and more that make a host of a plain word: no program or
/// library names a member so, and no file ends so (case bare-new-tlds-of-words).
#[rustfmt::skip]
pub(crate) const SOFT: [&str; 221] = [
    "academy", "agency", "apartments", "archi", "art", "auction", "bargains", "beer",
    "bike", "boutique", "buzz", "cafe", "camp", "career", "careers", "casa", "catering",
    "charity", "chat", "cheap", "church", "clinic", "clothing", "coach", "college",
    "community", "computer", "condos", "construction", "consulting", "contractors",
    "cooking", "cool", "courses", "cricket", "cruises", "cyou", "dance", "dating", "deals",
    "democrat", "dental", "dentist", "desi", "diamonds", "digital", "earth", "eco",
    "education", "engineer", "engineering", "enterprises", "estate", "eurovision", "expert",
    "exposed", "express", "farm", "finance", "fishing", "fitness", "flights", "florist",
    "flowers", "football", "forsale", "foundation", "fun", "furniture", "futbol", "fyi",
    "gallery", "games", "garden", "gay", "glass", "gmbh", "golf", "gratis", "gripe",
    "guide", "guitars", "guru", "hair", "haus", "healthcare", "hiphop", "hiv", "hockey",
    "holdings", "holiday", "homes", "hospital", "hosting", "hotels", "house", "immo",
    "immobilien", "industries", "institute", "insure", "international", "investments",
    "jetzt", "jewelry", "juegos", "kaufen", "kim", "kitchen", "kiwi", "land", "lawyer",
    "legal", "lgbt", "life", "limo", "live", "loans", "lol", "ltda", "luxury", "maison",
    "makeup", "management", "marketing", "mba", "memorial", "moda", "mortgage",
    "motorcycles", "news", "ngo", "ninja", "ong", "onl", "ooo", "ovh", "partners",
    "pharmacy", "photography", "physio", "pics", "pizza", "plumbing", "poker", "politie",
    "porn", "promo", "racing", "realty", "recipes", "rehab", "reise", "reisen", "rentals",
    "repair", "republican", "restaurant", "rich", "rodeo", "rsvp", "rugby", "salon", "sarl",
    "sbs", "schule", "science", "sexy", "shiksha", "shoes", "shopping", "singles", "ski",
    "soccer", "social", "software", "solar", "solutions", "soy", "space", "studio", "sucks",
    "supplies", "surf", "surgery", "systems", "tattoo", "taxi", "technology", "tennis",
    "theater", "theatre", "tienda", "tips", "tires", "town", "toys", "tube", "university",
    "uno", "vacations", "ventures", "versicherung", "vet", "viajes", "villas", "vin",
    "vision", "vodka", "voting", "voto", "voyage", "wang", "webcam", "wedding", "whoswho",
    "wine", "world", "wtf", "xin", "yoga",
];

/// Top-level domains that are names of members as well, after the labels [`IDENTIFIERS`] (case
/// bare-identifiers).
pub(crate) const MEMBERS: [&str; 18] = [
    "app", "as", "at", "by", "cat", "dev", "do", "id", "in", "info", "int", "is", "jobs", "site",
    "so", "store", "to", "top",
];

/// Labels that are names of variables and modules in most programs, sorted.
#[rustfmt::skip]
pub(crate) const IDENTIFIERS: [&[u8]; 288] = [
    b"account", b"action", b"actor", b"addr", b"address", b"app", b"arg", b"args", b"argument",
    b"arr", b"array", b"attr", b"attributes", b"attrs", b"base", b"block", b"body", b"box",
    b"btn", b"buf", b"buffer", b"button", b"cache", b"callback", b"cell", b"change", b"char",
    b"child", b"class", b"client", b"cls", b"cmd", b"code", b"collection", b"color", b"column",
    b"command", b"component", b"conf", b"config", b"conn", b"connection", b"console",
    b"constraint", b"container", b"content", b"context", b"ctx", b"current", b"cursor",
    b"custom", b"data", b"date", b"dependencies", b"dest", b"details", b"device", b"dict",
    b"dir", b"doc", b"document", b"dom", b"driver", b"dst", b"edge", b"elem", b"element",
    b"email", b"entity", b"entry", b"env", b"err", b"error", b"event", b"evt", b"ex", b"exc",
    b"exception", b"expect", b"expected", b"expr", b"factory", b"field", b"file", b"filter",
    b"fn", b"foo", b"form", b"frame", b"from", b"func", b"function", b"graph", b"group",
    b"handler", b"hash", b"head", b"header", b"headers", b"hello", b"helper", b"id", b"idx",
    b"image", b"index", b"info", b"init", b"input", b"instance", b"int", b"item", b"iter",
    b"job", b"key", b"label", b"left", b"len", b"length", b"level", b"line", b"link", b"list",
    b"listener", b"local", b"location", b"log", b"logger", b"logging", b"loop", b"manager",
    b"map", b"match", b"matcher", b"mem", b"menu", b"message", b"messages", b"meta",
    b"metadata", b"method", b"metric", b"mod", b"mode", b"model", b"module", b"msg", b"name",
    b"node", b"num", b"number", b"obj", b"object", b"op", b"operation", b"opt", b"option",
    b"options", b"opts", b"out", b"output", b"package", b"page", b"param", b"params", b"parent",
    b"parser", b"pattern", b"payload", b"person", b"player", b"point", b"pointer", b"pool",
    b"pos", b"position", b"post", b"prefix", b"prev", b"process", b"product", b"profile",
    b"project", b"prop", b"properties", b"property", b"props", b"proxy", b"ptr", b"query",
    b"queue", b"range", b"reader", b"record", b"ref", b"reference", b"remote", b"repo",
    b"report", b"req", b"request", b"res", b"resource", b"resp", b"response", b"result",
    b"results", b"ret", b"revspec", b"right", b"root", b"route", b"router", b"row", b"rule",
    b"schema", b"scope", b"script", b"section", b"selector", b"self", b"sender", b"server",
    b"service", b"session", b"set", b"settings", b"should", b"source", b"span", b"spec", b"src",
    b"stack", b"state", b"stats", b"status", b"step", b"storage", b"str", b"stream", b"string",
    b"struct", b"style", b"sub", b"sym", b"symbol", b"system", b"tab", b"table", b"tag",
    b"target", b"task", b"temp", b"template", b"text", b"this", b"thread", b"time", b"timer",
    b"tmp", b"token", b"tool", b"transform", b"transition", b"tree", b"tuple", b"tx", b"type",
    b"uri", b"url", b"user", b"username", b"users", b"util", b"utils", b"val", b"value",
    b"values", b"var", b"variable", b"vec", b"vector", b"version", b"view", b"widget",
    b"window", b"word", b"worker", b"writer",
];

/// Names of files, in lower case and sorted. A language or a kind of file follows the dot (case
/// bare-file-stems).
#[rustfmt::skip]
pub(crate) const STEMS: [&[u8]; 18] = [
    b"authors", b"changelog", b"config", b"configure", b"contributing", b"copying",
    b"dockerfile", b"gemfile", b"license", b"locale", b"makefile", b"manifest", b"messages",
    b"rakefile", b"readme", b"settings", b"strings", b"translations",
];

/// Names of documents, in lower case and sorted. Before the endings [`DOCUMENT_ENDINGS`] they are files (case
/// bare-documents).
#[rustfmt::skip]
pub(crate) const DOCUMENTS: [&[u8]; 37] = [
    b"agenda", b"authors", b"bugs", b"changelog", b"changes", b"config", b"contributing",
    b"contributors", b"conventions", b"copying", b"credits", b"diary", b"faq", b"gtd",
    b"hacking", b"history", b"idx", b"inbox", b"index", b"init", b"install", b"journal",
    b"license", b"main", b"manual", b"news", b"notes", b"readme", b"refile", b"roadmap",
    b"settings", b"sidebar", b"someday", b"tasks", b"test", b"todo", b"tutorial",
];

/// Top-level domains of three letters and more that are endings of documents as well: those of Org and of wikis.
pub(crate) const DOCUMENT_ENDINGS: [&str; 2] = ["org", "wiki"];

/// Names of scripts and of source files, in lower case and sorted: `start.sh/stop.sh` (case
/// bare-file-stems).
#[rustfmt::skip]
pub(crate) const SCRIPTS: [&[u8]; 27] = [
    b"bench", b"build", b"check", b"clean", b"common", b"configure", b"deploy", b"entrypoint",
    b"env", b"index", b"init", b"install", b"lib", b"main", b"make", b"mod", b"release", b"run",
    b"script", b"setup", b"start", b"stop", b"test", b"tests", b"uninstall", b"update",
    b"utils",
];

/// Endings of files that are no labels of hosts, sorted: `x.txt.info` (case bare-formats).
#[rustfmt::skip]
pub(crate) const FORMATS: [&[u8]; 53] = [
    b"7z", b"avi", b"avif", b"bak", b"bmp", b"bz2", b"cfg", b"csv", b"deb", b"doc", b"docx",
    b"exe", b"flac", b"gif", b"gz", b"htm", b"html", b"ini", b"jpeg", b"jpg", b"json", b"jsonl",
    b"mkv", b"mp3", b"mp4", b"odp", b"ods", b"odt", b"pdf", b"png", b"pot", b"ppt", b"pptx",
    b"rar", b"rpm", b"rtf", b"svg", b"tar", b"tex", b"tgz", b"tif", b"tiff", b"toml", b"tsv",
    b"txt", b"wav", b"webp", b"xls", b"xlsx", b"xml", b"xz", b"yaml", b"yml",
];

/// Labels of services, without the `_` before them, sorted: `_dmarc.example.org` (case
/// bare-service-labels). Ports are such labels too.
#[rustfmt::skip]
const SERVICES: [&str; 73] = [
    "acme-challenge", "adsp", "amazonses", "atproto", "autodiscover", "bimi", "caldav", "caldavs",
    "carddav", "carddavs", "dane", "dcdiag", "dmarc", "dns", "dns-sd", "dnsauth", "dnslink",
    "domainconnect", "domainkey", "esni", "ftp", "gc", "github-challenge", "h323cs", "h323ls",
    "http", "https", "imap", "imaps", "jabber", "jmap", "kerberos", "kerberos-adm", "kpasswd",
    "ldap", "ldaps", "matrix", "matrix-fed", "matrix-identity", "minecraft", "mongodb", "msdcs",
    "mta-sts", "nfs", "ntp", "openpgpkey", "pop3", "pop3s", "psl", "rdap", "sieve", "sip",
    "sipfederationtls", "sips", "sites", "smimecert", "smtp", "smtp-tls", "spf", "ssh", "stun",
    "stuns", "submission", "submissions", "tcp", "tls", "turn", "turns", "udp", "vlmcs", "xmpp",
    "xmpp-client", "xmpp-server",
];

/// True for the label of a service or of a port, without the `_` before it.
pub(crate) fn is_service(label: &str) -> bool {
    let port = || !label.is_empty() && label.bytes().all(|b| b.is_ascii_digit());
    let lower = label.to_ascii_lowercase();
    // `_xmpp-client`, `_minecraft-bedrock`
    let word = lower.split('-').next().unwrap_or_default();
    port() || [&*lower, word].iter().any(|word| SERVICES.binary_search(word).is_ok())
}

/// Words before a `:` and an address, sorted: `contact:anna@a.example`. Other words are user names, and
/// a password follows them (case email-or-password).
#[rustfmt::skip]
pub(crate) const ADDRESS_LABELS: [&str; 104] = [
    "abuse", "account", "acct", "acl", "addr", "address", "admin", "adres", "adresa", "adresse",
    "and", "assignee", "at", "author", "authors", "bcc", "billing", "bounce", "by", "cc",
    "client", "committer", "contact", "contacto", "contacts", "contato", "correo", "courriel",
    "creator", "customer", "dest", "destination", "developer", "direccion", "editor",
    "feedback", "for", "from", "group", "help", "here", "home", "host", "id", "identity", "im",
    "indirizzo", "info", "invite", "jabber", "jid", "key", "kontakt", "link", "list", "login",
    "maintainer", "maintainers", "member", "msn", "name", "notify", "office", "or", "owner",
    "paypal", "poczta", "posta", "press", "principal", "private", "questions", "rcpt",
    "recipient", "recipients", "reply", "reviewer", "sales", "security", "sender", "server",
    "sip", "skype", "smtp", "source", "spf", "src", "subject", "subscriber", "support", "team",
    "to", "uid", "uri", "url", "user", "username", "users", "value", "via", "web", "webmaster",
    "work", "xmpp",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_searched_are_sorted() {
        for list in [&IDENTIFIERS[..], &STEMS, &SCRIPTS, &FORMATS, &DOCUMENTS] {
            assert!(list.is_sorted() && list.windows(2).all(|w| w[0] != w[1]), "{list:?}");
        }
        assert!(ADDRESS_LABELS.is_sorted() && SERVICES.is_sorted());
        // The rules look at the lengths first.
        assert!(FORMATS.iter().all(|word| word.len() <= 5));
        assert!(STEMS.iter().all(|word| word.len() > 5));
    }

    #[test]
    fn no_top_level_domain_is_on_two_lists_that_contradict() {
        for word in SOFT {
            assert!(!PLAIN.contains(&word) && !MEMBERS.contains(&word), "{word}");
        }
    }
}
