//! The reading of a name without a scheme, and of the domain of an address.
//!
//! The characters of the name go in, and the one after it; out comes that it goes on, that there is no link, or
//! where it ends. What must hold: a name that a path follows is read on as a host with a scheme is.

use super::{
    super::{
        ahead::{Before, Label},
        authority::Authority,
        bare,
        classes::{self, HostClass},
        host::{After, Host, Name},
        ip::IpFed,
        marks::Marked,
        name::Run,
        name_end::{STRUCK, after_domain, host_end, is_mark, marked_end},
        types::{Item, Step},
    },
    Reading,
    state::{Bounds, Last, Revision, Stage},
};

/// Reads `c`, which follows the comma after a name. `idx.wiki,v` is a file of RCS, and no host (case bare-files-of-rcs).
/// `before`: the character before the name.
fn after_comma((run, before): (&mut Run, Option<char>), revision: &mut Revision, c: char) -> Step {
    let word = c.is_alphanumeric() || matches!(c, '_' | '-');
    match (*revision, c) {
        (Revision::Comma, 'v') => {
            *revision = Revision::Seen;
            Step::More
        }
        // `a.org,v.de` are two hosts.
        (Revision::Seen, '.') => {
            *revision = Revision::Stop;
            Step::More
        }
        (Revision::Seen | Revision::Stop, _) if !word => Step::Done(None),
        _ => Step::Done(host_end(run, before, Some(','))),
    }
}

impl Reading {
    /// Reads a name without a scheme, or the domain of an address.
    pub(super) fn name(&mut self, item: Item) -> Step {
        let ascii_only = matches!(self.bounds, Bounds::Open { ascii_only: true });
        let part = item.c.is_ascii() || !ascii_only;
        match &mut self.stage {
            Stage::Name { run, before, mark: Some(mark), .. } => match mark.feed(item.c) {
                Some(next) => Step::Done(marked_end(run, *before, next)),
                None => Step::More,
            },
            Stage::Name {
                run,
                before,
                revision: revision @ (Revision::Comma | Revision::Seen | Revision::Stop),
                ..
            } => after_comma((run, *before), revision, item.c),
            Stage::Name { run, before, tilde, .. } => {
                if core::mem::take(tilde) {
                    let after = if item.c == '~' { STRUCK } else { '~' };
                    return Step::Done(host_end(run, *before, Some(after)));
                }
                let over = run.is_after_ellipsis() && item.c != '.';
                match part && !over && run.feed(item) {
                    true if run.is_too_long() => Step::Done(None),
                    true => Step::More,
                    false => self.after_name(item),
                }
            }
            Stage::Domain { run, domains, next } => {
                if part && run.feed(item) {
                    return if run.is_too_long() { Step::Done(None) } else { Step::More };
                }
                *next = Some(item.c);
                match after_domain(run, item.c, *domains) {
                    Ok((end, seen)) => {
                        self.stage = Stage::AfterDomain { end, seen };
                        Step::More
                    }
                    Err(end) => Step::Done(end),
                }
            }
            Stage::AfterDomain { end, seen } => match seen.feed(item.c) {
                Some(address) => Step::Done(end.filter(|_| address)),
                None => Step::More,
            },
            Stage::Ip(ip) => {
                let fed = ip.feed(item);
                self.after_ip(fed, Some(item))
            }
            _ => Step::More,
        }
    }

    /// Goes on after a character of an IP address, or the end of the text.
    #[cold]
    pub(super) fn after_ip(&mut self, fed: IpFed, item: Option<Item>) -> Step {
        let (end, inner, whole) = match fed {
            IpFed::More => return Step::More,
            IpFed::Over { end, inner } => {
                self.begin = inner;
                return Step::Done(end);
            }
            IpFed::Goes { end, inner, whole } => (end, inner, whole),
        };
        let port = Host::Port {
            digits: 0,
            value: 0,
            end,
            after: After::RealPort,
            single: true,
            group: false,
            host: Before::literal(),
        };
        let path = item.is_none_or(|item| item.c != ':');
        let host = if path { Host::Closed(end) } else { port };
        (self.read.end, self.read.last) = (Some(end), Last::Closed);
        self.named = item.map(|item| item.at);
        (self.begin, self.unproven) = (inner, if whole { 0 } else { end.at });
        self.stage = Stage::Authority(Authority::after_host(host, 0));
        match item {
            Some(item) if path => self.step(item),
            _ => Step::More,
        }
    }

    /// Where an IP address that begins at `from` holds no other one before.
    pub(crate) fn addressed(&self, from: u64) -> Option<u64> {
        match &self.stage {
            Stage::Ip(ip) => ip.passed(from),
            _ => self.named,
        }
    }

    /// Reads the character after the run of a name without a scheme.
    fn after_name(&mut self, item: Item) -> Step {
        let Stage::Name { run, before, tilde, mark, revision } = &mut self.stage else {
            return Step::More;
        };
        let delimited = matches!(self.bounds, Bounds::Delimited { .. });
        if delimited && (!matches!(item.c, '/' | '?' | '#' | ':') || run.begin().is_some()) {
            // Where the name alone is the link, its characters say so as well.
            return Step::Done(None);
        }
        let ascii_only = matches!(self.bounds, Bounds::Open { ascii_only: true });
        if !ascii_only && run.dots() == 0 && is_mark(item.c) {
            *mark = Some(Marked::new());
            return Step::More;
        }
        if item.c == ',' && run.dots() == 0 {
            *revision = Revision::Comma;
            return Step::More;
        }
        let struck = item.c == '~' && self.emphasis == Some('~');
        if item.c == '~' && !struck {
            *tilde = true;
            return Step::More;
        }
        let after = if struck { STRUCK } else { item.c };
        let Some(end) = host_end(run, *before, Some(after)) else { return Step::Done(None) };
        // After the dots of a sentence the link does not go on. `･` is a middle dot, and no part of a label by
        // itself.
        let part = classes::host_class(item.c) != HostClass::No || classes::is_middle_dot(item.c);
        if struck || run.dots() > 0 || part {
            return Step::Done(Some(end));
        }
        // The character after the name makes it a host only if it becomes part of the link (cases
        // bare-colon-of-the-sentence, bare-new-tlds-path).
        if !bare::is_www(run.host()) && host_end(run, *before, None).is_none() {
            self.unproven = if item.c == '#' { item.next } else { end.at };
        }
        let host = run.host();
        let length = host.len() as u32;
        let after = After::RealPort;
        let name = Name {
            end: Some(end),
            word: true,
            length,
            last: Label::unknown(),
            inner: true,
            after,
            ..Name::default()
        };
        (self.read.end, self.read.last) = (Some(end), Last::Closed);
        self.read.all_ascii = host.is_ascii();
        (self.named, self.begin) = (Some(item.at), run.begin());
        if self.begin.is_some() {
            self.emphasis = Some('_');
        }
        let host = Host::Name(name);
        self.stage = Stage::Authority(Authority::after_host(host, length));
        self.step(item)
    }
}
