//! The schemes that make a link, and the text that must follow each of them.
//!
//! Every scheme that works without `//` asks for a shape that prose such as `news:a` or `tag: this`
//! does not have.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// What must follow `scheme:` for it to be a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `//` and a host.
    Host,
    /// `//`, and a host that may be empty.
    EmptyHost,
    /// A shape of its own.
    Opaque(OpaqueShape),
    /// `//` and a host, or else the shape.
    Either(OpaqueShape),
}

/// The shortest text that must follow a scheme without `//`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OpaqueShape {
    /// A letter, digit or `%` of a local part, or `?` and a header field.
    Mail,
    /// `+` or nothing, then three digits among `-`, `.`, `(`, `)`.
    Phone,
    /// A namespace of 2–32 letters, digits, `-`; `:`; a character.
    Urn,
    /// Words with a `.` or `@` between two of them.
    Dotted,
    /// Words with an `@` between two of them.
    At,
    /// As `Dotted`; and what else a user of SIP or a password has before the `@` (RFC 3261, 19.1.1).
    Sip,
    /// As `At`, and what else a node of XMPP has (RFC 5122).
    Jid,
    /// A dotted name, `,`, four digits (RFC 4151).
    Tag,
    /// `?` and a letter.
    Query,
    /// Two numbers with a `,` between them (RFC 5870).
    Geo,
    /// One of `u`, `r`, `e`, `roomid`; `/`; a character.
    Matrix,
    /// 25 letters and digits.
    Coin,
    /// Any character of a word, or one of `-_~@$+=`: of a scheme that is known by its name alone.
    Any,
}

/// A scheme with its form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scheme {
    pub(crate) form: Form,
    /// The host is a DNS name: UTS #46 applies to it.
    pub(crate) dns: bool,
    /// The scheme is in [`COMMON`].
    pub(crate) described: bool,
    pub(crate) hosts: Hosts,
}

/// What may be in the place of a host and its port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hosts {
    One,
    /// A host and a path as in `scp`: `host:path`.
    Scp,
    /// Several, with commas between them.
    List,
}

impl Scheme {
    /// True if a host comes after the scheme, as a rule.
    pub(crate) const fn has_slashes(self) -> bool {
        matches!(self.form, Form::Host | Form::EmptyHost | Form::Either(OpaqueShape::Any))
    }

    /// True if the scheme works without `//`.
    pub(crate) const fn is_opaque(self) -> bool {
        matches!(self.form, Form::Opaque(_) | Form::Either(_))
    }
}

/// `http` and `https`.
pub(crate) const HTTP: Scheme = host();

const fn host() -> Scheme {
    Scheme { form: Form::Host, dns: true, described: true, hosts: Hosts::One }
}
const fn repository() -> Scheme {
    Scheme { hosts: Hosts::Scp, ..host() }
}
const fn name() -> Scheme {
    Scheme { form: Form::Host, dns: false, described: true, hosts: Hosts::One }
}
const fn path() -> Scheme {
    Scheme { form: Form::EmptyHost, dns: false, described: true, hosts: Hosts::One }
}
/// A host that may be missing, which means this machine.
const fn share() -> Scheme {
    Scheme { form: Form::EmptyHost, dns: true, described: true, hosts: Hosts::One }
}
const fn opaque(shape: OpaqueShape) -> Scheme {
    Scheme { form: Form::Opaque(shape), dns: false, described: true, hosts: Hosts::One }
}
const fn either(shape: OpaqueShape) -> Scheme {
    Scheme { form: Form::Either(shape), dns: true, described: true, hosts: Hosts::One }
}

/// A cluster: its hosts, or none, which means this machine.
const fn cluster() -> Scheme {
    Scheme { form: Form::EmptyHost, hosts: Hosts::List, ..host() }
}

/// An unknown scheme: `scheme://` and a host, or a path.
pub(crate) const UNKNOWN: Scheme =
    Scheme { form: Form::EmptyHost, described: false, hosts: Hosts::List, ..name() };

/// The same, where somebody names the scheme: it may do without `//`.
const NAMED: Scheme = Scheme { form: Form::Either(OpaqueShape::Any), ..UNKNOWN };

/// The schemes of the `common` set, sorted by name.
pub(crate) const COMMON: [(&str, Scheme); 117] = [
    ("acct", opaque(OpaqueShape::At)),
    ("afp", host()),
    ("amqp", cluster()),
    ("amqps", cluster()),
    ("android-app", name()),
    ("bitcoin", opaque(OpaqueShape::Coin)),
    ("bzr", host()),
    ("bzr+ssh", host()),
    ("callto", opaque(OpaqueShape::Phone)),
    ("chrome", name()),
    ("chrome-extension", name()),
    ("cid", opaque(OpaqueShape::At)),
    ("coap", host()),
    ("coaps", host()),
    ("dav", host()),
    ("davs", host()),
    ("dict", host()),
    ("dns", host()),
    ("feed", host()),
    ("file", path()),
    ("finger", host()),
    ("ftp", host()),
    ("ftps", host()),
    ("gemini", host()),
    ("geo", opaque(OpaqueShape::Geo)),
    ("git", repository()),
    ("git+file", path()),
    ("git+http", host()),
    ("git+https", host()),
    ("git+ssh", repository()),
    ("gopher", host()),
    ("gophers", host()),
    ("gs", name()),
    ("hdfs", path()),
    ("hg+http", host()),
    ("hg+https", host()),
    ("hg+ssh", host()),
    ("hkp", host()),
    ("hkps", host()),
    ("http", host()),
    ("https", host()),
    ("imap", host()),
    ("imaps", host()),
    ("ipfs", name()),
    ("ipns", name()),
    ("ipp", host()),
    ("irc", host()),
    ("irc6", host()),
    ("ircs", host()),
    ("itms", host()),
    ("itms-apps", host()),
    ("ldap", path()),
    ("ldapi", path()),
    ("ldaps", path()),
    ("line", name()),
    ("magnet", opaque(OpaqueShape::Query)),
    ("mailto", opaque(OpaqueShape::Mail)),
    ("market", name()),
    ("matrix", opaque(OpaqueShape::Matrix)),
    ("mid", opaque(OpaqueShape::At)),
    ("mms", host()),
    ("mongodb", cluster()),
    ("mongodb+srv", host()),
    ("moz-extension", name()),
    ("mqtt", host()),
    ("mqtts", host()),
    ("mumble", host()),
    ("mxc", host()),
    ("mysql", cluster()),
    ("news", either(OpaqueShape::Dotted)),
    ("nfs", host()),
    ("nntp", host()),
    ("nntps", host()),
    ("pgsql", cluster()),
    ("pop", host()),
    ("pop3", host()),
    ("pop3s", host()),
    ("postgres", cluster()),
    ("postgresql", cluster()),
    ("rdp", host()),
    ("redis", cluster()),
    ("rediss", cluster()),
    ("rsync", host()),
    ("rtmp", host()),
    ("rtmps", host()),
    ("rtsp", host()),
    ("rtsps", host()),
    ("s3", name()),
    ("scp", repository()),
    ("sftp", host()),
    ("sip", opaque(OpaqueShape::Sip)),
    ("sips", opaque(OpaqueShape::Sip)),
    ("slack", name()),
    ("smb", share()),
    ("sms", opaque(OpaqueShape::Phone)),
    ("snews", either(OpaqueShape::Dotted)),
    ("sqlite", path()),
    ("ssh", repository()),
    ("steam", name()),
    ("svn", host()),
    ("svn+http", host()),
    ("svn+https", host()),
    ("svn+ssh", host()),
    ("tag", opaque(OpaqueShape::Tag)),
    ("tel", opaque(OpaqueShape::Phone)),
    ("telnet", host()),
    ("tg", name()),
    ("urn", opaque(OpaqueShape::Urn)),
    ("viber", name()),
    ("vnc", host()),
    ("vscode", name()),
    ("webcal", host()),
    ("whatsapp", name()),
    ("ws", host()),
    ("wss", host()),
    ("xmpp", either(OpaqueShape::Jid)),
    ("zoommtg", host()),
];

/// The longest name of a scheme, in characters. A longer one is text, so that a run of letters
/// is not read again at every `:`.
pub(crate) const SCHEME_MAX: usize = 32;

/// Schemes that are never a link, whatever the options are, because they run code or hold data.
pub(crate) const NEVER: [&str; 3] = ["javascript", "data", "vbscript"];

/// Which schemes make a link.
///
/// ```
/// use iriscan::Schemes;
///
/// assert!(Schemes::Common.to_string().starts_with("acct afp "));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schemes {
    /// The schemes of a documented list, those without `//` only in their
    /// documented shape. `Display` writes the list.
    #[default]
    Common,
    /// `Common`, and every `scheme://host`.
    Any,
    /// These, lower case. One that is not in `Common` makes a link with `//`, or with a letter or digit (or one
    /// of `-_~@$+=`) directly after the colon: `did:web:example.com`, but not `info: see`.
    List(Vec<String>),
}

impl core::str::FromStr for Schemes {
    type Err = core::convert::Infallible;

    /// `common`, `any`, or names of schemes with commas between them, of which `common` and `any` may be
    /// one. The names are checked when a finder is built.
    ///
    /// ```
    /// use iriscan::Schemes;
    ///
    /// assert_eq!("any".parse(), Ok(Schemes::Any));
    /// assert_eq!("http,https".parse(), Ok(Schemes::List(vec!["http".into(), "https".into()])));
    /// ```
    fn from_str(names: &str) -> Result<Schemes, Self::Err> {
        let list = || names.split(',').map(str::trim);
        let others: Vec<String> = list().filter(|name| *name != "common").map(Into::into).collect();
        Ok(match () {
            () if list().any(|name| name == "any") => Schemes::Any,
            () if others.is_empty() => Schemes::Common,
            () if list().any(|name| name == "common") => {
                let common = Schemes::Common.to_string();
                Schemes::List(common.split(' ').map(Into::into).chain(others).collect())
            }
            () => Schemes::List(others),
        })
    }
}

impl core::fmt::Display for Schemes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut between = "";
        let mut put = |f: &mut core::fmt::Formatter<'_>, name: &str| {
            write!(f, "{between}{name}")?;
            between = " ";
            Ok(())
        };
        match self {
            Schemes::List(names) => names.iter().try_for_each(|name| put(f, name)),
            Schemes::Common => COMMON.iter().try_for_each(|(name, _)| put(f, name)),
            Schemes::Any => {
                COMMON.iter().try_for_each(|(name, _)| put(f, name))?;
                f.write_str(" and any other before ://")
            }
        }
    }
}

/// Where in [`COMMON`] the names with each first letter begin.
const FIRST: [u8; 27] = {
    let (mut first, mut i) = ([0; 27], 0);
    while i < COMMON.len() {
        let mut after = (COMMON[i].0.as_bytes()[0] - b'a') as usize + 1;
        while after < first.len() {
            first[after] += 1;
            after += 1;
        }
        i += 1;
    }
    first
};

/// The first eight letters of each name, as a number. Most names have no more.
const KEYS: [u64; COMMON.len()] = {
    let (mut keys, mut i) = ([0; COMMON.len()], 0);
    while i < keys.len() {
        keys[i] = key(COMMON[i].0.as_bytes());
        i += 1;
    }
    keys
};

/// The first eight letters of `name`.
const fn key(name: &[u8]) -> u64 {
    let (mut key, mut i) = (0, 0);
    while i < name.len() && i < 8 {
        key = key << 8 | name[i] as u64;
        i += 1;
    }
    key
}

/// The common scheme called `name` (lower case).
fn common(name: &[u8]) -> Option<Scheme> {
    let letter = usize::from(name.first()?.wrapping_sub(b'a'));
    let &[from, to] = FIRST.get(letter..)?.first_chunk()?;
    let (from, to, key) = (usize::from(from), usize::from(to), key(name));
    let mut names = KEYS[from..to].iter().zip(&COMMON[from..to]);
    let found = names.find(|(k, (n, _))| **k == key && n.as_bytes() == name);
    found.map(|(_, (_, scheme))| *scheme)
}

impl Schemes {
    /// The scheme called `name` (lower case), if it makes a link.
    pub(crate) fn get(&self, name: &[u8]) -> Option<Scheme> {
        if let Schemes::List(names) = self
            && !names.iter().any(|n| n.as_bytes() == name)
        {
            return None;
        }
        if matches!(name, b"http" | b"https") {
            return Some(host());
        }
        match (common(name), self) {
            // Every `scheme://` is a link then.
            (Some(scheme @ Scheme { form: Form::Opaque(shape), .. }), Schemes::Any) => {
                Some(Scheme { form: Form::Either(shape), ..scheme })
            }
            (Some(scheme), _) => Some(scheme),
            (None, Schemes::Common) => None,
            (None, Schemes::Any | Schemes::List(_)) => {
                let long_enough = name.len() >= 2;
                let unknown = if *self == Schemes::Any { UNKNOWN } else { NAMED };
                (long_enough && !NEVER.iter().any(|n| n.as_bytes() == name)).then_some(unknown)
            }
        }
    }

    /// True if the common scheme `name` makes a link.
    pub(crate) fn has_common(&self, name: &str) -> bool {
        match self {
            Schemes::List(names) => names.iter().any(|n| n.as_str() == name),
            Schemes::Common | Schemes::Any => true,
        }
    }

    /// True if a scheme makes a link that is not common, and needs no `//`.
    pub(crate) fn has_named(&self) -> bool {
        let Schemes::List(names) = self else { return false };
        names.iter().any(|name| common(name.as_bytes()).is_none())
    }

    /// True if a scheme of one letter makes a link.
    pub(crate) fn has_letter(&self) -> bool {
        matches!(self, Schemes::List(names) if names.iter().any(|name| name.len() == 1))
    }

    /// True if a scheme that makes a link starts with `prefix` (lower case).
    pub(crate) fn may_begin(&self, prefix: &[u8]) -> bool {
        match self {
            Schemes::Any => prefix.first().is_some_and(u8::is_ascii_alphabetic),
            Schemes::List(names) => names.iter().any(|n| n.as_bytes().starts_with(prefix)),
            Schemes::Common => {
                let from = COMMON.partition_point(|(n, _)| n.as_bytes() < prefix);
                COMMON.get(from).is_some_and(|(n, _)| n.as_bytes().starts_with(prefix))
            }
        }
    }
}

/// True if UTS #46 applies to hosts of the scheme called `name` (lower case).
pub(crate) fn is_dns(name: &str) -> bool {
    matches!(name, "http" | "https")
        || COMMON.binary_search_by(|(n, _)| (*n).cmp(name)).is_ok_and(|i| COMMON[i].1.dns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_is_sorted_and_holds_no_code() {
        assert!(COMMON.is_sorted_by(|a, b| a.0 < b.0));
        assert!(COMMON.iter().all(|(name, _)| !NEVER.contains(name)));
        assert!(COMMON.iter().all(|(name, _)| name.len() <= SCHEME_MAX));
    }

    /// The hosts of these schemes name applications, buckets or channels, or the local machine.
    #[test]
    fn hosts_of_these_schemes_are_not_dns_names() {
        let named = |(_, scheme): &&(&str, Scheme)| !matches!(scheme.form, Form::Opaque(_));
        let others = COMMON.iter().filter(named).filter(|(name, _)| !is_dns(name));
        assert!(others.map(|(name, _)| *name).eq([
            "android-app",
            "chrome",
            "chrome-extension",
            "file",
            "git+file",
            "gs",
            "hdfs",
            "ipfs",
            "ipns",
            "ldap",
            "ldapi",
            "ldaps",
            "line",
            "market",
            "moz-extension",
            "s3",
            "slack",
            "sqlite",
            "steam",
            "tg",
            "viber",
            "vscode",
            "whatsapp",
        ]));
        assert!(COMMON.iter().all(|row| named(&row) || !is_dns(row.0)));
    }
}
