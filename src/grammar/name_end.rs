//! Where a link without a scheme ends: which run of characters is a host, and which the domain of an address.
//!
//! A run goes in with the characters around it; out comes the end, or the rule by which it is no link. What must
//! hold: what this says does not depend on how the run was read.

use super::{
    address::{self, AfterDomain, Domains},
    bare::{self, Around},
    classes,
    marks::{Marked, Next},
    name::Run,
    types::LinkEnd,
};
use crate::data::{rules::Rule, top_level};

/// What counts as the character next to a name that is struck out.
pub(super) const STRUCK: char = '\n';

/// Where the host without a scheme ends, if `run` is one.
pub(super) fn host_end(run: &Run, before: Option<char>, after: Option<char>) -> LinkEnd {
    if refusal(run, before, after).is_some() { None } else { run.name_end() }
}

/// The rule by which `run` is no host without a scheme; `None` if it is one.
pub(super) fn refusal(run: &Run, before: Option<char>, after: Option<char>) -> Option<Rule> {
    let around = Around { before, after, dots: run.dots() };
    let host = run.host();
    // The emphasis may have begun before other text: `_see www.example.com_`.
    let closed = !run.rest().starts_with('_') || run.emphasis() > 0 || bare::is_sure(host);
    match closed && run.is_well_closed() {
        _ if run.is_too_long() => Some(Rule::BareLength),
        true => bare::refusal(host, around),
        false => Some(Rule::BareEmphasis),
    }
}

/// Where the host without a scheme `run` ends, if a mark and then `next` follow it.
pub(super) fn marked_end(run: &Run, before: Option<char>, next: Next) -> LinkEnd {
    let host = match next {
        Next::Text => true,
        Next::Label => is_registered(run.name()),
        Next::Dot => false,
    };
    host_end(run, before, None).filter(|_| host)
}

/// True for marks of notes and numbers of lists.
pub(super) fn is_mark(c: char) -> bool {
    !c.is_ascii() && classes::is_mark(c)
}

/// True if the last label is a top-level domain.
fn is_registered(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, last)| top_level::is_tld(last))
}

/// Where the address ends, if `run` is the domain of one.
pub(super) fn domain_end(run: &Run, after: Option<char>, domains: Domains) -> LinkEnd {
    let after = after.filter(|_| run.dots() == 0);
    let any = match domains {
        Domains::Known => false,
        Domains::InAngles => after == Some('>'),
        Domains::Any => true,
    };
    let is_domain = run.is_well_closed() && address::is_domain(run.name(), after, run.rest(), any);
    (!run.is_too_long() && is_domain).then_some(())?;
    run.name_end()
}

/// `Ok` if the characters after `c` decide whether the domain `run` is that of an address, which then
/// ends there. `Err`: where the address ends, if it is one.
pub(super) fn after_domain(
    run: &Run,
    c: char,
    domains: Domains,
) -> Result<(LinkEnd, AfterDomain), LinkEnd> {
    let (seen, after) = match c {
        ':' if run.dots() == 0 => (AfterDomain::Colon { path: 0 }, Some(c)),
        '@' if run.dots() == 0 => (AfterDomain::At { scheme: 0, slashes: 0 }, None),
        c if run.dots() == 0 && is_mark(c) => {
            let registered = is_registered(run.name());
            (AfterDomain::Mark { marked: Marked::new(), registered }, Some(c))
        }
        _ => return Err(domain_end(run, Some(c), domains)),
    };
    match domain_end(run, after, domains) {
        None => Err(None),
        end => Ok((end, seen)),
    }
}
