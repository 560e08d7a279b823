//! The authority of a link in running text, read character by character: userinfo, host, port.
//!
//! While an `@` may still come, what was read can be a userinfo: the host read so far is a
//! hypothesis. [`Authority::settled`] is where the link would end if the text ended here.

use super::{
    ahead::{Lost, Shows},
    classes,
    host::{After, Holds, Host, Name},
    types::{End, Item, Part},
};
use crate::data::{
    rules::Rule,
    schemes::{Form, Hosts, OpaqueShape, Scheme},
};

/// The most characters of an authority, percent-encoded. It keeps `http://aaaa…` and
/// `http://a:a:a:…`, which are held back and read twice, linear.
pub(super) const AUTHORITY_MAX: u32 = 1024;

#[derive(Clone, Debug)]
pub(super) struct Authority {
    pub(super) empty_ok: bool,
    /// Characters read so far, percent-encoded.
    pub(super) length: u32,
    pub(super) host: Host,
    /// A userinfo is still possible: an `@` may follow.
    pub(super) user: bool,
    /// A character was read that no userinfo has. If an `@` follows, this is no link: the first
    /// half of a password is no port, and the user name is no host.
    pub(super) odd: bool,
    pub(super) after: After,
    /// The scheme has lists of hosts, and this is the link before the last comma of one.
    pub(super) lists: bool,
    pub(super) listed: Option<End>,
    /// The straight quote directly before the link.
    pub(super) quote: Option<char>,
}

/// What one more character is to an authority.
pub(super) enum Fed {
    /// It goes on.
    More,
    /// It is complete, and this begins.
    Tail(Part),
    /// The link ends with it, or it shows that there is no link.
    Over(Option<End>),
}

impl Authority {
    /// After a host without a scheme, of `length` characters: a port or a tail follows.
    pub(super) fn after_host(host: Host, length: u32) -> Authority {
        Authority {
            empty_ok: false,
            length,
            host,
            user: false,
            odd: false,
            after: After::RealPort,
            lists: false,
            listed: None,
            quote: None,
        }
    }

    /// Where the link ends if the text ends here. `led`: if a path or the closing delimiter follows.
    pub(super) fn settled(&self, led: bool) -> Option<End> {
        let end = self.host.settled(led);
        end.or_else(|| self.listed.filter(|_| self.host.lost().is_none()))
    }

    /// Where the rest of a name ends that goes on with what is in no host.
    pub(super) fn lost(&self) -> Option<End> {
        self.host.lost()
    }

    /// True if `c`, which ends links, may be a part of the text that decides about the host.
    pub(super) fn looks_at(&mut self, c: char) -> bool {
        self.resolve(c);
        match &self.host {
            Host::Name(name) if name.escape == 0 => match c {
                '\\' | '<' => true,
                c if c.is_ascii() => false,
                c => {
                    classes::is_idna_dot(c)
                        || name.length > 0 && ends_host(c) && !name.is_complete()
                }
            },
            Host::Port { digits: 0, .. } => matches!(c, '\\' | '<' | '"'),
            Host::Ahead(waiting) => waiting.text.takes(c),
            Host::Lost(lost) => c == '\\' && !lost.is_over(),
            _ => false,
        }
    }

    /// Reads a run of letters, digits, hyphens and single dots, which decide nothing. It ends at `here`.
    /// `dotted`: it has a dot.
    #[inline]
    pub(super) fn read(&mut self, text: &[u8], dotted: bool, here: End, width: usize) {
        let Host::Name(name) = &mut self.host else { return };
        // Such a name ends only after a dot.
        let from = match name.foreign && !name.dotted {
            true => text.iter().position(|b| *b == b'.').unwrap_or(text.len()),
            false => 0,
        };
        self.length += text.len() as u32;
        name.length += text.len() as u32;
        name.unseen = None;
        name.last.read(text);
        let within = dotted && text.len() > 1 && text[..text.len() - 1].contains(&b'.');
        name.inner |= within || name.dots > 0;
        name.dots = u32::from(text.last() == Some(&b'.'));
        name.dotted |= dotted;
        name.word |= text.iter().any(|b| !b.is_ascii_hexdigit() && *b != b'.');
        if dotted && !name.word {
            name.count += text.iter().filter(|b| **b == b'.').count() as u32;
        }
        if dotted {
            name.wide = name.wide.map(|_| true);
        }
        if let Some(last) = text[from..].iter().rposition(u8::is_ascii_alphanumeric) {
            let after = text.len() - 1 - from - last;
            name.end = Some(End { at: here.at - (after * width) as u64 });
        }
    }

    /// After the `//` of `scheme`.
    pub(super) fn of(scheme: Scheme, quote: Option<char>) -> Authority {
        let after = if scheme.hosts == Hosts::Scp { After::PortOrPath } else { After::Port };
        // With `--schemes any`, `tel://` and `bitcoin://` too.
        let opaque = matches!(scheme.form, Form::Either(_)) && !scheme.dns;
        let generic = !scheme.described || opaque;
        let name = Name { generic, after, ..Name::default() };
        Authority {
            empty_ok: matches!(scheme.form, Form::EmptyHost | Form::Either(OpaqueShape::Any)),
            length: 0,
            host: Host::Name(name),
            user: true,
            odd: false,
            after,
            lists: scheme.hosts == Hosts::List,
            listed: None,
            quote,
        }
    }

    /// Reads one more character. `holds` and `glued` are those of [`Host::feed`].
    pub(super) fn feed(&mut self, item: Item, holds: Holds, glued: bool) -> Fed {
        self.length += classes::encoded_len(item.c);
        if self.length > AUTHORITY_MAX {
            // A shorter host would be another host.
            return Fed::Over(match &self.host {
                Host::Settled(end) => *end,
                Host::Ahead(waiting) if waiting.text.shows() == Shows::Over => waiting.text.end,
                _ => None,
            });
        }
        self.resolve(item.c);
        let scp = matches!(self.host, Host::Port { digits: 0, after: After::PortOrPath, .. });
        let part = match item.c {
            '/' => Some(Part::Path),
            '?' => Some(Part::Query),
            '#' => Some(Part::Fragment),
            // A path as `scp` writes it (case scp-path).
            c if scp && !self.user && (c.is_alphabetic() || c == '~') => Some(Part::Path),
            _ => None,
        };
        // After a mark it shows that the name goes on.
        let marked = matches!(&self.host, Host::Ahead(waiting) if waiting.text.is_marked());
        self.user &= part.is_none() || !marked;
        if let Some(part) = part.filter(|_| !marked) {
            return self.part(item.c, part);
        }
        if item.c == '@' && self.user && self.length > 1 {
            (self.user, self.listed) = (false, None);
            let name = Name { after: self.after, ..Name::default() };
            self.host = match self.odd {
                true => Host::Lost(Lost::after(item)),
                false => Host::Name(name),
            };
            return self.fed(holds);
        }
        let listed = item.c == ',' && self.lists;
        if listed && self.next_of_list() {
            return Fed::More;
        }
        // Delimiters and these dots are in no userinfo.
        let sentence = holds == Holds::Text && classes::ends_sentence_unspaced(item.c);
        self.user &=
            !matches!(item.c, '\\' | '<' | '"') && !classes::is_idna_dot(item.c) && !sentence;
        if self.user && !is_userinfo(item.c) && !listed {
            let delimits = matches!(item.c, ',' | ';' | '(' | ')');
            // After characters that no host has, a password may go on (case
            // userinfo-or-port).
            let part = delimits && item.c != ')' && !self.is_complete();
            self.user = item.c.is_ascii_graphic() && (self.is_over() || part);
            self.odd |= !delimits;
        }
        match self.host {
            // `"http://a.org:" + port` (case placeholders-in-a-port).
            Host::Port { digits: 0, .. } if self.quote == Some(item.c) => {
                self.host = Host::Lost(Lost::after(item));
            }
            _ => self.host.feed(item, holds, glued),
        }
        self.fed(holds)
    }

    /// What the last character is to the authority.
    fn fed(&self, holds: Holds) -> Fed {
        match self.host {
            Host::Settled(end) if !self.user => Fed::Over(end.or(self.listed)),
            // Between delimiters there is nothing to look for.
            Host::Lost(lost) if (lost.is_over() || holds != Holds::Text) && !self.user => {
                Fed::Over(None)
            }
            _ => Fed::More,
        }
    }

    /// Decides about a host that waits for the text after it, if `c` is not part of that text.
    fn resolve(&mut self, c: char) {
        while let Host::Ahead(waiting) = &self.host
            && !waiting.text.takes(c)
        {
            self.host = match waiting.text.shows() {
                Shows::Over => Host::Settled(waiting.text.end),
                Shows::Lost => Host::Lost(waiting.text.lost()),
                Shows::Dot => waiting.again(),
            };
        }
    }

    /// Reads `c`, which begins `part` if the authority is complete.
    fn part(&mut self, c: char, part: Part) -> Fed {
        if self.leads_to_tail(c) {
            return Fed::Tail(part);
        }
        // `http://a../x` has an empty label (case empty-label); a sentence may
        // end in `...?`.
        let (dots, percent) = match &self.host {
            Host::Name(name) => (name.dots > 1, name.escape > 0),
            _ => (false, false),
        };
        let none = percent || dots && part == Part::Path;
        if let (Some(end), Host::Port { digits: 0, .. }) = (self.listed, &self.host) {
            return Fed::Over(Some(end));
        }
        Fed::Over(self.settled(false).filter(|_| !none))
    }

    /// True if the host takes no more characters.
    fn is_over(&self) -> bool {
        matches!(self.host, Host::Settled(_) | Host::Ahead(_) | Host::Lost(_))
    }

    /// True if what was read is a host that nobody cuts short.
    fn is_complete(&self) -> bool {
        match &self.host {
            Host::Name(name) => name.is_complete(),
            Host::Port { host, .. } => host.is_complete(),
            _ => true,
        }
    }

    /// Begins the next host of a list. False if it is none.
    fn next_of_list(&mut self) -> bool {
        let port = !matches!(self.host, Host::Port { digits: 0, .. });
        if !self.is_whole() || !port {
            return false;
        }
        self.listed = self.settled(true);
        self.host = Host::Name(Name { after: self.after, ..Name::default() });
        true
    }

    /// The rule by which there is no link, where `c` decided.
    pub(super) fn rule(&self, c: Option<char>) -> Rule {
        let placeholder = matches!(c, Some('%' | '$' | '{' | '<' | '[' | '(' | '*'));
        match &self.host {
            Host::Lost(Lost { marked: true, .. }) => Rule::MarkInHost,
            Host::Lost(_) | Host::Ahead(_) if placeholder => Rule::PlaceholderHost,
            Host::Lost(_) | Host::Ahead(_) => Rule::HostThatGoesOn,
            Host::Name(name) if name.length == 0 => Rule::EmptyHost,
            Host::Name(name) if name.escape > 0 => Rule::PlaceholderHost,
            Host::Name(name) if name.foreign && !name.dotted => Rule::SentenceAfterScheme,
            Host::Settled(_) | Host::Defused { .. } if c == Some(']') => Rule::DefusedHost,
            Host::Settled(_) | Host::Port { .. } if placeholder || c == Some(':') => {
                Rule::PlaceholderPort
            }
            _ => Rule::InvalidHost,
        }
    }

    /// True if the authority is complete here, where a path or the closing delimiter follows.
    pub(super) fn is_whole(&self) -> bool {
        match &self.host {
            Host::Name(name) => {
                name.end(true).is_some()
                    && name.dots <= 1
                    && !name.symbol
                    && !name.pending
                    && name.unseen.is_none()
                    && name.escape == 0
            }
            Host::Literal { .. } | Host::Settled(_) | Host::Defused { .. } => false,
            Host::Lost(_) | Host::Ahead(_) => false,
            Host::Closed(_) => true,
            Host::Port { digits, after, .. } => *digits > 0 || *after != After::RealPort,
        }
    }

    /// True if a path, query or fragment may follow.
    pub(super) fn leads_to_tail(&self, c: char) -> bool {
        match &self.host {
            Host::Name(name) if name.length == 0 => {
                self.empty_ok && c == '/' && self.listed.is_none()
            }
            // `mongodb://a,b:/x`: another link may begin after the comma.
            Host::Port { digits: 0, .. } if self.listed.is_some() => false,
            _ => self.is_whole(),
        }
    }
}

/// True for characters outside of ASCII that end a host.
fn ends_host(c: char) -> bool {
    classes::ends_sentence_unspaced(c) || classes::is_unspaced_letter(c)
}

/// `iuserinfo` without `,` `;` `(` `)`, which in text come between a host and an address more often
/// than inside a password.
fn is_userinfo(c: char) -> bool {
    classes::is_unreserved(c)
        || matches!(c, ':' | '%' | '!' | '$' | '&' | '\'' | '*' | '+' | '=')
        || !c.is_ascii()
}
