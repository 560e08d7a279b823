//! Lists of hosts, up to millions of them.
//!
//! Lines go in; whether a host is in the list, or below one that is, comes out. The names are
//! joined in one vector, and a hash table has their places. The hash of a name goes from the last
//! label to the first, so the hashes of all parents of a host come up on the way.

use alloc::{borrow::Cow, vec, vec::Vec};
use core::fmt;

use super::hash_table::{hash_of, insert, last_label, mix, slot, touch};
use crate::reference::{
    components::Components,
    host_name::{comparable, not_of_a_host},
};

/// Names that a hosts file has for the machine itself.
const OWN: [&str; 11] = [
    "localhost",
    "localhost.localdomain",
    "localhost4",
    "localhost6",
    "local",
    "broadcasthost",
    "ip6-localhost",
    "ip6-loopback",
    "ip6-localnet",
    "ip6-allnodes",
    "ip6-allrouters",
];

/// The line of a name covers the host itself.
const ITSELF: u8 = 1;
/// The line of a name covers what is below it.
const BELOW: u8 = 2;

/// How many names wait to be put into the table together.
const PENDING_MAX: usize = 64;

/// The longest name that is taken, in bytes.
const NAME_MAX: usize = 255;

/// A list of hosts, for [`FilterBuilder::hosts_from`](super::FilterBuilder::hosts_from).
///
/// A host in it covers itself and every host below: `example.org` covers `www.example.org`. Hosts
/// are compared in their ASCII form by UTS #46, in lower case, so both forms of an
/// internationalised one are the same. The list takes its names and about 25 bytes more for each.
///
/// ```
/// use iriscan::HostList;
///
/// let mut list = HostList::new();
/// for line in ["# a comment", "example.org", "0.0.0.0 ads.example tracker.example", "||bücher.example^"] {
///     assert!(list.push_line(line.as_bytes()));
/// }
/// assert_eq!(list.len(), 4);
/// assert!(list.covers("www.example.org") && list.covers("XN--BCHER-KVA.example"));
/// assert!(!list.covers("notexample.org") && !list.covers("org"));
/// ```
#[derive(Clone)]
pub struct HostList {
    /// For each name what its line covers, its length in one byte, and its bytes.
    names: Vec<u8>,
    /// The upper half of the hash of each name, and its place in `names`; 0 is a free slot.
    slots: Vec<u64>,
    len: usize,
    seed: u64,
    /// Names that are not in the table yet: their hashes, and their places in `names`. Empty but
    /// within a call.
    pending: Vec<(u64, u32)>,
    left_out: Option<(u64, u64)>,
}

impl Default for HostList {
    fn default() -> HostList {
        HostList::new()
    }
}

impl fmt::Debug for HostList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostList").field("len", &self.len).finish_non_exhaustive()
    }
}

/// Equal if they have the same hosts.
impl PartialEq for HostList {
    fn eq(&self, other: &HostList) -> bool {
        self.len == other.len
            && self.entries().all(|(flags, name)| {
                let name = name.as_bytes();
                let place = other.place(hash_of(other.seed, name), name);
                place.is_some_and(|at| other.names[at] == flags)
            })
    }
}

impl Eq for HostList {}

impl<S: AsRef<str>> FromIterator<S> for HostList {
    /// A list of lines, as [`HostList::push_line`] reads them; lines that it does not understand are
    /// left out.
    fn from_iter<I: IntoIterator<Item = S>>(lines: I) -> HostList {
        let mut list = HostList::new();
        for line in lines {
            list.read_line(line.as_ref().as_bytes());
        }
        list.settle();
        list
    }
}

impl HostList {
    /// An empty list, which covers no host.
    #[must_use]
    pub fn new() -> HostList {
        // So that nobody can write a list whose names all have the same hash.
        #[cfg(any(test, feature = "std"))]
        let seed = core::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
        #[cfg(not(any(test, feature = "std")))]
        let seed = 0x243F_6A88_85A3_08D3;
        HostList {
            names: vec![0],
            slots: Vec::new(),
            len: 0,
            seed,
            pending: Vec::new(),
            left_out: None,
        }
    }

    /// How many lines [`HostList::push_lines`] did not understand, and the number of the first of them, from
    /// 1; `None` if it understood all.
    #[must_use]
    pub fn left_out(&self) -> Option<(u64, u64)> {
        self.left_out
    }

    /// The number of hosts in the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the list has no host.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The hosts of the list in the form in which they are compared, in the order in which they
    /// came: lines that make the same list. `*.` is before a host if only what is below it is
    /// covered.
    ///
    /// ```
    /// use iriscan::HostList;
    ///
    /// let list: HostList = ["||Ads.example^", "*.bücher.example"].iter().collect();
    /// let lines: Vec<_> = list.iter().collect();
    /// assert_eq!(lines, ["ads.example", "*.xn--bcher-kva.example"]);
    /// assert_eq!(lines.iter().collect::<HostList>(), list);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.entries().map(|(covers, name)| match covers & ITSELF {
            0 => Cow::Owned(alloc::format!("*.{name}")),
            _ => Cow::Borrowed(name),
        })
    }

    /// Adds the hosts of a line without its line end. Returns false if the line names none, and is
    /// neither empty nor a comment, or if the names have more than 4 GiB.
    ///
    /// A line is one of these, with a comment after `#` if there is white space before it:
    ///
    /// - a host: itself and what is below; `.example.org` is the same;
    /// - a host with a port, or a URL, of which the host counts;
    /// - `*.example.org`: only what is below;
    /// - a line of a hosts file, `0.0.0.0 ads.example tracker.example`. Names for the machine
    ///   itself, such as `localhost`, are left out;
    /// - a rule of a blocker for a whole host, `||ads.example^`, also with options after `$`.
    ///
    /// Comments begin with `#`, `!` or `;`, and `[Adblock Plus 2.0]` is one. A byte order mark is
    /// left out.
    pub fn push_line(&mut self, line: &[u8]) -> bool {
        let understood = self.read_line(line);
        self.settle();
        understood
    }

    /// Adds the hosts of all lines of `text`, as [`HostList::push_line`] does, which takes more
    /// time for many of them. Returns how many lines are not understood, and the number of the
    /// first of them, from 1.
    ///
    /// ```
    /// use iriscan::HostList;
    ///
    /// let mut list = HostList::new();
    /// assert_eq!(list.push_lines(b"a.example\r\n\r\nb.example"), None);
    /// assert_eq!(list.push_lines(b"http://c.example/x\nd.example/x\n"), Some((1, 2)));
    /// assert_eq!(list.len(), 3);
    /// ```
    pub fn push_lines(&mut self, text: &[u8]) -> Option<(u64, u64)> {
        // Two bytes before each name take the place of the line end and one more.
        let most = memchr::memchr_iter(b'\n', text).count() + 1;
        self.names.reserve(text.len() + most);
        self.grow(most);
        let (mut at, mut number, mut wrong) = (0, 0, None);
        while at < text.len() {
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n);
            let line = &text[at..end];
            (at, number) = (end + 1, number + 1);
            if !self.read_line(line.strip_suffix(b"\r").unwrap_or(line)) {
                let (count, first) = wrong.unwrap_or((0, number));
                wrong = Some((count + 1, first));
            }
        }
        self.settle();
        if let Some((count, first)) = wrong {
            let (before, first) = self.left_out.unwrap_or((0, first));
            self.left_out = Some((before + count, first));
        }
        wrong
    }

    /// As [`HostList::push_line`], but names wait to be put into the table.
    fn read_line(&mut self, line: &[u8]) -> bool {
        if let Some(name) = plain_name(line) {
            return self.push_name(name, ITSELF | BELOW);
        }
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let Ok(line) = core::str::from_utf8(line) else { return false };
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '!', ';']) || is_header(line) {
            return true;
        }
        if let Some(rule) = line.strip_prefix("||") {
            return match rule.split_once('^') {
                Some((host, options)) if options.is_empty() || options.starts_with('$') => {
                    self.push(host, ITSELF | BELOW)
                }
                _ => false,
            };
        }
        let mut words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
        let first = words.next().unwrap_or_default();
        let mut names = words.peekable();
        if names.peek().is_none() {
            return self.push_pattern(first);
        }
        if !is_address(first) {
            return false;
        }
        let mut understood = true;
        for name in names {
            if !is_address(name) && !OWN.iter().any(|own| own.eq_ignore_ascii_case(name)) {
                understood &= self.push(name, ITSELF | BELOW);
            }
        }
        understood
    }

    /// Whether the list has `host`, or a host that it is below.
    #[must_use]
    pub fn covers(&self, host: &str) -> bool {
        self.covers_comparable(comparable(host).as_bytes())
    }

    /// As [`HostList::covers`], of a host in the form of [`comparable`].
    pub(super) fn covers_comparable(&self, host: &[u8]) -> bool {
        if self.slots.is_empty() {
            return false;
        }
        let (mut hash, mut end) = (self.seed, host.len());
        loop {
            let label = last_label(&host[..end]);
            let start = end - label.len();
            hash = mix(hash, label);
            let wanted = if start == 0 { ITSELF } else { BELOW };
            if self.place(hash, &host[start..]).is_some_and(|at| self.names[at] & wanted != 0) {
                return true;
            }
            if start == 0 {
                return false;
            }
            end = start - 1;
        }
    }

    /// Adds a line that is one word.
    fn push_pattern(&mut self, word: &str) -> bool {
        if let Some(host) = word.strip_prefix("*.") {
            return self.push(host, BELOW);
        }
        if word.contains("://") {
            return self.push(Components::split(word).host().unwrap_or_default(), ITSELF | BELOW);
        }
        // Two colons are those of an IPv6 address.
        let name =
            match word.rsplit_once(':') {
                Some((name, port))
                    if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) =>
                {
                    if name.contains(':') && !name.ends_with(']') { word } else { name }
                }
                _ => word,
            };
        self.push(name.strip_prefix('.').unwrap_or(name), ITSELF | BELOW)
    }

    fn push(&mut self, host: &str, covers: u8) -> bool {
        let host = match host.parse::<core::net::Ipv6Addr>() {
            Ok(_) => Cow::Owned(alloc::format!("[{host}]")),
            Err(_) => Cow::Borrowed(host),
        };
        if host.contains(['*', '?']) || not_of_a_host(&host).is_some() {
            return false;
        }
        let name = comparable(&host);
        if name.is_empty() || name.len() > NAME_MAX || name.split('.').any(str::is_empty) {
            return false;
        }
        self.push_name(name.as_bytes(), covers)
    }

    /// Adds a name in the form of [`comparable`] to `names`. [`HostList::settle`] puts it into the
    /// table.
    fn push_name(&mut self, name: &[u8], covers: u8) -> bool {
        let Ok(at) = u32::try_from(self.names.len()) else { return false };
        self.names.extend([covers, name.len() as u8]);
        self.names.extend_from_slice(name);
        self.pending.push((hash_of(self.seed, name), at));
        if self.pending.len() == PENDING_MAX {
            self.settle();
        }
        true
    }

    /// Puts the names that wait into the table. A name that is there already covers what both
    /// lines do, and its second place in `names` covers nothing.
    fn settle(&mut self) {
        self.grow(self.pending.len());
        let mut pending = core::mem::take(&mut self.pending);
        touch(&self.slots, &pending);
        for (hash, at) in pending.drain(..) {
            let place = at as usize;
            match self.place(hash, self.name(place)) {
                Some(first) => {
                    self.names[first] |= self.names[place];
                    self.names[place] = 0;
                }
                None => {
                    insert(&mut self.slots, slot(hash, at), hash);
                    self.len += 1;
                }
            }
        }
        self.pending = pending;
    }

    /// Makes room for `more` names: a quarter of the slots stays free.
    fn grow(&mut self, more: usize) {
        let wanted = self.len + more;
        if wanted * 4 <= self.slots.len() * 3 {
            return;
        }
        let mut slots = vec![0; (wanted * 4).div_ceil(3).next_power_of_two().max(16)];
        // The slots have only half of each hash. The names are read in the order in which they lie
        // in memory.
        let end = self.pending.first().map_or(self.names.len(), |(_, at)| *at as usize);
        let (mut at, mut some) = (1, Vec::with_capacity(PENDING_MAX));
        while at < end {
            while at < end && some.len() < PENDING_MAX {
                let name = self.name(at);
                if self.names[at] != 0 {
                    some.push((hash_of(self.seed, name), at as u32));
                }
                at += 2 + name.len();
            }
            touch(&slots, &some);
            for (hash, at) in some.drain(..) {
                insert(&mut slots, slot(hash, at), hash);
            }
        }
        self.slots = slots;
    }

    /// The bytes of the name at `at` in `names`.
    fn name(&self, at: usize) -> &[u8] {
        let len = usize::from(self.names[at + 1]);
        &self.names[at + 2..at + 2 + len]
    }

    /// What each name covers, and the name.
    fn entries(&self) -> impl Iterator<Item = (u8, &str)> {
        let mut at = 1;
        core::iter::from_fn(move || {
            let flags = *self.names.get(at)?;
            let name = self.name(at);
            at += 2 + name.len();
            Some((flags, core::str::from_utf8(name).unwrap_or_default()))
        })
        .filter(|(flags, _)| *flags != 0)
    }

    /// Where the name is in `names`.
    fn place(&self, hash: u64, name: &[u8]) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut i = hash as usize & mask;
        loop {
            let slot = self.slots[i];
            if slot == 0 {
                return None;
            }
            let at = slot as u32 as usize;
            if slot >> 32 == hash >> 32 && self.name(at) == name {
                return Some(at);
            }
            i = (i + 1) & mask;
        }
    }
}

/// A line that is a host in the form of [`comparable`] and nothing else, as most are. `None` says
/// nothing.
fn plain_name(line: &[u8]) -> Option<&[u8]> {
    let (first, last) = (line.first()?, line.last()?);
    let mut before = b'.';
    let plain = line.iter().all(|&b| {
        let dots = b == b'.' && before == b'.';
        before = b;
        matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.') && !dots
    });
    let fits = plain && line.len() <= NAME_MAX && *first != b'.' && *last != b'.';
    fits.then_some(line)
}

/// Whether a line is the title of a blocker's list, such as `[Adblock Plus 2.0]`.
fn is_header(line: &str) -> bool {
    line.starts_with('[') && line.ends_with(']') && !line.contains(':')
}

/// Whether `word` is an IP address, perhaps with a zone.
fn is_address(word: &str) -> bool {
    let word = word.split('%').next().unwrap_or(word);
    word.parse::<core::net::IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use std::{format, string::String, vec::Vec};

    use super::*;

    fn list(lines: &[&str]) -> HostList {
        lines.iter().collect()
    }

    #[test]
    fn lists_of_all_kinds_are_read() {
        let text = "\u{FEFF}# hosts\r\n\
            127.0.0.1 localhost\r\n\
            ::1\tip6-localhost ip6-loopback\r\n\
            0.0.0.0 0.0.0.0\r\n\
            0.0.0.0 ads.example  Tracker.EXAMPLE # two\r\n\
            [Adblock Plus 2.0]\n! Title: x\n||block.example^\n||third.example^$third-party\n\
            ; comment\n\n   plain.example   # why\n.dotted.example\n*.below.example\n\
            b\u{fc}cher.example\nxn--e1afmkfd.xn--p1ai\n10.0.0.1\n2001:db8::1\n[2001:DB8::2]\n\
            root.example.\nport.example:8080\n[2001:db8::3]:80\nhttp://user@url.example:80/x?y\n";
        let mut list = HostList::new();
        assert_eq!(list.push_lines(text.as_bytes()), None);
        let mut same = HostList::new();
        for line in text.lines() {
            assert!(same.push_line(line.as_bytes()), "{line}");
        }
        assert_eq!(list, same);
        for host in [
            "ads.example",
            "x.tracker.example",
            "block.example",
            "a.third.example",
            "PLAIN.example",
            "dotted.example",
            "www.dotted.example",
            "a.below.example",
            "b.a.below.example",
            "xn--bcher-kva.example",
            "www.b%C3%BCcher.example",
            "\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}.\u{440}\u{444}",
            "10.0.0.1",
            "[2001:db8:0:0::1]",
            "[2001:db8::2]",
            "root.example",
            "port.example",
            "[2001:db8::3]",
            "www.url.example",
        ] {
            assert!(list.covers(host), "{host}");
        }
        for host in [
            "below.example",
            "localhost",
            "0.0.0.0",
            "127.0.0.1",
            "example",
            "",
            ".",
            "two",
            "xads.example",
        ] {
            assert!(!list.covers(host), "{host}");
        }
    }

    #[test]
    fn lines_that_name_no_host_are_told() {
        let mut list = HostList::new();
        for line in [
            "http:///a.example/",
            "://",
            "a.example/path",
            "a.example b.example",
            "||a.example/path^",
            "||a.example",
            "||*.a.example^",
            "@@||a.example^",
            "a..example",
            "a.example:x",
            "a.example:",
            ":80",
        ] {
            assert!(!list.push_line(line.as_bytes()), "{line}");
        }
        assert!(!list.push_line(b"\xFFa.example"));
        assert!(!list.push_line("a".repeat(256).as_bytes()));
        assert!(list.is_empty() && !list.covers("a.example"));
    }

    #[test]
    fn a_later_line_adds_to_an_earlier_one() {
        let both = list(&["*.a.example", "a.example", "a.example"]);
        assert!(both.covers("a.example") && both.covers("x.a.example"));
        assert_eq!(both.len(), 1);
        assert_eq!(both, list(&["a.example"]));
        assert_ne!(both, list(&["*.a.example"]));
        assert_ne!(both, list(&["b.example"]));
    }

    /// Against a plain set, with names that share labels.
    #[test]
    fn many_names_are_found_again() {
        let name = |i: u32| format!("h{}.d{}.example{}.org", i % 7, i % 101, i % 1009);
        let names: Vec<String> = (0..20_000).step_by(3).map(name).collect();
        let list: HostList = names.iter().collect();
        let set: std::collections::HashSet<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(list.len(), set.len());
        for i in 0..20_000 {
            let name = name(i);
            assert_eq!(list.covers(&name), set.contains(&*name), "{name}");
            assert_eq!(list.covers(&format!("x.{name}")), set.contains(&*name), "{name}");
        }
    }

    #[test]
    fn a_host_of_many_labels_takes_linear_time() {
        let list = list(&["a.example"]);
        assert!(list.covers(&("x.".repeat(500_000) + "a.example")));
    }
}
