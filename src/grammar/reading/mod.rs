//! How a link is read, from the character after the `:` of its scheme on (or from the first character of a
//! name without a scheme). This is the one reader; `whole` is a shortcut beside it.
//!
//! ```text
//! link(head, text):
//!     if only the character after the link decides: the link at once            whole.rs
//!     if an opener comes before the head: way = up to its partner, else = running text
//!     stage = Slashes, end = nothing
//!     while the way is not decided:
//!         pass the characters that decide nothing, all at once                  runs.rs
//!         c = the next character; at the end of the text, stop
//!         if c is in no link (white space, controls):        stop               RFC 3987 2.2
//!         if running text:
//!             if c ends a sentence:                          stop               (1)
//!             if c may be text that adjoins:                 wait               (2)
//!         if delimited:
//!             if c is the partner:                           the link is before it
//!             if c shows a sentence, code or markup:         no partner         (3)
//!         Slashes:    "//" leads to the Authority, all else to the Shape, or to no link
//!         Shape:      as much as the scheme needs, then the Tail                (4)
//!         Authority:  userinfo, host, port; "/" "?" "#" lead to the Tail        (5)
//!         Tail:       by Link_Term of UTS #58, 3.5.1:
//!             Include  the link goes up to here                                 (6)
//!             Soft     it goes on, but it does not end here                     (7)
//!             Open     a bracket is open                                        (8)
//!             Close    of an open bracket: as Include; else stop
//!             Hard     stop
//!     stop, or no partner: if the way was up to the partner, again as running text
//! ```
//!
//! The deviations from UTS #58, each with its file; docs/departures.md has the evidence:
//!
//! 1. East Asian punctuation and double quotation marks end a link even if text follows. A quotation that is
//!    a value of a query belongs to it (`opens_quotation`).
//! 2. A letter of an unspaced script after ASCII, a symbol, or a particle after `/` is text unless what
//!    follows shows that the link goes on (`adjoining`).
//! 3. Delimiters hold one reference, or a phrase: `breaks_phrase`, `breaks_attribute`. Between `<` and `>` a
//!    link goes over line ends (`wrap`).
//! 4. Schemes without `//` need a shape (`shape`).
//! 5. An authority is a hypothesis while an `@` may follow, and a host is not cut within its first label
//!    (`authority`, `host`). A name without a scheme and the domain of an address have stages of their own (`name`).
//! 6. Not `*`, `|`, an ellipsis or a dash, and not the emphasis that began before the link. References of
//!    markup end it or are not part of its end (`escaped`). Another link or a field after a comma, a
//!    semicolon or a bar cuts it (`is_separated`).
//! 7. But the second `'` of a pair, and the closing mark of a quotation.
//! 8. `(` and `[` are counted apart from brackets that conversion encodes, and a `[` waits for its partner
//!    (`brackets`). One may begin a tag (`tagged`).
//!
//! What must hold: `end` is where the link would end if the text ended here, or `None` if the characters read
//! so far are no link. A run may be read in parts.

mod delimited;
mod name;
pub(crate) mod runs;
mod state;
mod tail;
pub(crate) mod whole;

use self::state::{Another, Bounds, Control, Joined, Last, Mailto, Read, Revision, Stage};
use super::{
    address::{self, AfterDomain},
    adjoining::{Adjoining, Shows},
    authority::{Authority, Fed},
    blocks::{STOP, TEXTS, is},
    brackets::Brackets,
    classes,
    escaped::Escaped,
    host::{After, Holds, Host},
    ip::Ip,
    name::Run,
    name_end::{domain_end, host_end, refusal},
    shape::{Shaped, Shaper},
    start::{Head, What},
    tagged::Tagged,
    types::{End, Field, Item, LinkEnd, Opener, Part, RuleSet, Step, Terms},
    wrap::{Wrap, Wrapped},
};
use crate::data::{rules::Rule, schemes::Form};

/// A tail that is being read.
///
/// Which fields count in which [`Stage`]; `bounds`, `end`, `read` and `rule` count in all:
///
/// - `Name`, `Domain`: `emphasis`. They set `unproven`, `named` and `begin`, which count from then on.
/// - `Shape`: `brackets`. It sets `mailto`.
/// - `Authority`: `wrap`. It sets `root`.
/// - `Tail`: all others, and `brackets` and `emphasis`.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    bounds: Bounds,
    stage: Stage,
    end: LinkEnd,
    read: Read,
    brackets: Brackets,
    /// The character that is emphasis at the end of the link.
    emphasis: Option<char>,
    /// A `|` ends the link.
    labelled: bool,
    /// A `,` ends the link.
    listed: bool,
    /// A `'` of the tail has no partner yet.
    quoted: bool,
    /// The next character closes a quotation.
    unquoted: bool,
    /// A name without a scheme is a host only if the link goes on after this place.
    unproven: u64,
    /// Where the characters of such a name are over.
    named: Option<u64>,
    /// Where the path begins after an empty host.
    root: Option<u64>,
    /// Where such a name begins, if emphasis is before it.
    begin: Option<u64>,
    /// Characters that are either text or part of the link; and the link if they are text.
    adjoining: Option<(LinkEnd, Adjoining)>,
    joined: Joined,
    wrap: Wrap,
    escaped: Escaped,
    tagged: Tagged,
    mailto: Mailto,
    /// What ended the link, if the class of the character does not say it.
    rule: Rule,
}

impl Reading {
    /// Of the candidate with this head, in running text.
    #[inline]
    pub(crate) fn in_text(head: &Head, ascii_only: bool) -> Reading {
        let bounds = Bounds::Open { ascii_only };
        let run = || Run::new(RuleSet::Prose);
        match head.what {
            What::Scheme(scheme) => {
                let quote = head.opener.map(|by| by.open).filter(|c| matches!(c, '"' | '\''));
                let reading = Reading::at(Stage::of(scheme, quote), bounds);
                let Head { emphasis, listed, .. } = *head;
                Reading { emphasis, labelled: head.is_labelled(), listed, ..reading }
            }
            What::Name { before, .. } => Reading {
                emphasis: head.emphasis,
                labelled: head.is_labelled(),
                ..Reading::at(
                    Stage::Name {
                        run: run(),
                        before,
                        tilde: false,
                        mark: None,
                        revision: Revision::No,
                    },
                    bounds,
                )
            },
            What::Address { domains, .. } => {
                Reading::at(Stage::Domain { run: run(), domains, next: None }, bounds)
            }
            What::Ip => Reading::at(Stage::Ip(Ip::new()), bounds),
        }
    }

    /// Of the same, up to the partner of the opener before it, if there is one that counts.
    #[inline]
    pub(crate) fn delimited(head: &Head, terms: Terms) -> Option<Reading> {
        let by = *terms.opener(&head.opener)?;
        let stage = match head.what {
            What::Scheme(scheme) => Stage::of(scheme, None),
            What::Name { rules: RuleSet::Prose, before, .. } => Stage::Name {
                run: Run::new(RuleSet::Prose),
                before,
                tilde: false,
                mark: None,
                revision: Revision::No,
            },
            _ => return None,
        };
        let reading = Reading::at(stage, Bounds::Delimited { by, depth: 0 });
        Some(Reading {
            labelled: head.is_labelled() && matches!(by.open, '<' | '[' | '{'),
            ..reading
        })
    }

    #[inline]
    fn at(stage: Stage, bounds: Bounds) -> Reading {
        Reading {
            bounds,
            stage,
            end: None,
            read: Read {
                end: None,
                last: Last::Continues,
                percent: 0,
                before: ':',
                escape: false,
                control: Control::No,
                tag: false,
                all_ascii: true,
            },
            brackets: Brackets::default(),
            emphasis: None,
            labelled: false,
            listed: false,
            quoted: false,
            unquoted: false,
            unproven: 0,
            named: None,
            root: None,
            begin: None,
            adjoining: None,
            joined: Joined { another: Another::No, cut: None, bar: None },
            wrap: Wrap::default(),
            escaped: Escaped::default(),
            tagged: Tagged::default(),
            mailto: Mailto::No,
            rule: Rule::WhiteSpace,
        }
    }

    /// The rule that ended the link before `c`, or by which there is no link. [`Rule::WhiteSpace`]: the class
    /// of `c` says it.
    pub(crate) fn rule(&self, link: bool, c: Option<char>) -> Rule {
        match &self.stage {
            Stage::Name { mark: Some(_), .. }
            | Stage::AfterDomain { seen: AfterDomain::Mark { .. }, .. }
                if !link =>
            {
                Rule::MarkInHost
            }
            Stage::Name { revision: Revision::Seen | Revision::Stop, .. } if !link => {
                Rule::BareFileEnding
            }
            Stage::Name { run, before, .. } if !link => {
                // A `~` next to it joins it to something else.
                refusal(run, *before, c).unwrap_or(Rule::BareJoined)
            }
            Stage::Name { .. } => Rule::BareEnd,
            Stage::Domain { run, .. } if !link => address::refusal(run.name()),
            Stage::AfterDomain { .. } if !link => Rule::EmailRemotePath,
            Stage::Ip(_) if !link => Rule::IpForm,
            Stage::Ip(_) => Rule::HostEnd,
            Stage::Authority(authority) if !link => authority.rule(c),
            // After the host its characters decide.
            Stage::Authority(_) if self.rule == Rule::WhiteSpace => Rule::HostEnd,
            Stage::Shape(_) if !link => Rule::SchemeSyntax,
            Stage::Slashes { .. } if !link => Rule::Slashes,
            _ if self.unproven > 0 && !link => Rule::BareEvidence,
            _ if self.root.is_some() && !link => Rule::Drive,
            _ if self.tagged.is_labelled() => Rule::LabelInBrackets,
            _ => self.rule,
        }
    }

    /// Where the characters of a name without a scheme are over, if text after them was read.
    pub(crate) fn named(&self) -> Option<u64> {
        self.named
    }

    /// Where the link begins, if that is not where its head does.
    pub(crate) fn begin(&self, head: &Head) -> Option<u64> {
        match &self.stage {
            Stage::Name { run, .. } => run.begin(),
            Stage::Domain { run, next, .. } => {
                let next = run.rest().chars().next().or(*next);
                head.inner.filter(|(_, mark)| next == Some(*mark)).map(|(at, _)| at)
            }
            _ => self.begin,
        }
    }

    /// How many line ends the link goes over.
    pub(crate) fn wraps(&self) -> u8 {
        self.wrap.count
    }

    /// The link if the text ended here.
    pub(crate) fn end(&self) -> LinkEnd {
        let end = match &self.stage {
            Stage::Authority(authority) => {
                authority.settled(matches!(self.bounds, Bounds::Delimited { .. }))
            }
            _ => self.end,
        };
        self.judged(end)
    }

    /// The link that ends at `end`, or earlier if text adjoins it or a `[` has no partner.
    fn judged(&self, end: LinkEnd) -> LinkEnd {
        let text = self.adjoining.filter(|(_, adjoining)| adjoining.is_text()).map(|(end, _)| end);
        // Nothing inside half a quotation shows where the link before it ends.
        let end = text.filter(|_| self.is_in_quotation()).unwrap_or(end);
        let waiting =
            text.into_iter().chain(self.brackets.end_without()).chain(self.tagged.end_without());
        let end = waiting
            .fold(end, |end, held| end.zip(held).map(|(a, b)| if a.at < b.at { a } else { b }));
        end.filter(|end| end.at > self.unproven)
    }

    /// True in a name without a scheme, or in the domain of an address.
    #[inline]
    fn is_name(&self) -> bool {
        matches!(
            self.stage,
            Stage::Name { .. } | Stage::Domain { .. } | Stage::AfterDomain { .. } | Stage::Ip(_)
        )
    }

    /// Where the rest of a name ends that turned out to be no host, or a text with half a placeholder or a pattern. No
    /// link begins before that.
    pub(crate) fn lost(&self) -> Option<End> {
        match (&self.stage, self.bounds) {
            (Stage::Authority(authority), Bounds::Open { .. }) => authority.lost(),
            (Stage::Tail { .. }, Bounds::Open { .. })
                if matches!(self.rule, Rule::PlaceholderWithSpaces | Rule::Pattern) =>
            {
                self.read.end
            }
            _ => None,
        }
    }

    /// True if `c` may be a part of the text that decides whether a host ends before it.
    #[inline]
    fn looks_at(&mut self, c: char) -> bool {
        match (&mut self.stage, self.bounds) {
            (Stage::Authority(authority), Bounds::Open { ascii_only }) => {
                authority.looks_at(c) && (c.is_ascii() || !ascii_only)
            }
            (Stage::Tail { .. }, Bounds::Open { .. }) => c == '\\' && !self.is_settled(),
            _ => false,
        }
    }

    /// Reads one more character.
    #[inline]
    pub(crate) fn feed(&mut self, item: Item) -> Step {
        let bounds = self.bounds;
        match bounds {
            Bounds::Open { .. }
                if is(item.c, STOP) && !self.is_name() && !self.looks_at(item.c) =>
            {
                if self.brackets.has_others()
                    && matches!(item.c, ' ' | '\t' | '\r' | '\n')
                    && self.is_placeholder()
                {
                    return self.refuse(Rule::PlaceholderWithSpaces);
                }
                Step::Done(self.end())
            }
            // No bracket of the link is open.
            Bounds::Open { .. }
                if matches!(item.c, ')' | ']') && matches!(self.stage, Stage::Tail { .. }) =>
            {
                match self.takes() {
                    Some(set) if core::ptr::eq(set, &TEXTS) => Step::Done(self.end()),
                    _ => self.go_on(item),
                }
            }
            Bounds::Delimited { by, depth: 0 }
                if item.c == by.close && !self.read.escape && !self.wrap.is_open() =>
            {
                self.partner(by.field)
            }
            _ => self.go_on(item),
        }
    }

    #[inline(never)]
    fn go_on(&mut self, item: Item) -> Step {
        match self.step(item) {
            Step::Done(end) => Step::Done(self.judged(end)),
            step => step,
        }
    }

    /// True if `c` is not a part of the link, which is in running text. Of a link in ASCII alone, `c` is ASCII.
    #[inline]
    fn ends_before(&mut self, c: char) -> bool {
        let ends = match c {
            c if c.is_ascii() => is(c, STOP),
            c => classes::ends_sentence_unspaced(c) && !self.is_in_quotation(),
        };
        let opens = ends && self.opens_quotation(c);
        !opens && (ends || self.is_text(c))
    }

    fn step(&mut self, item: Item) -> Step {
        if self.is_name() {
            return self.name(item);
        }
        if let Bounds::Delimited { by: by @ Opener { open: '<', field: Field::Whole, .. }, .. } =
            self.bounds
            && !(self.named.is_some() && matches!(self.stage, Stage::Authority(_)))
        {
            let begun = self.read.end.is_some() && !matches!(self.stage, Stage::Slashes { .. });
            match self.wrap.feed(item.c, begun) {
                Wrapped::Character => {}
                Wrapped::Break => return Step::More,
                Wrapped::Partner => return self.partner(by.field),
                Wrapped::NoPartner => return Step::NoPartner,
            }
        }
        if classes::never_in_link(item.c) {
            return self.stop();
        }
        let looks = self.looks_at(item.c);
        match self.bounds {
            Bounds::Open { .. } if looks && matches!(self.stage, Stage::Tail { .. }) => {
                return self.backslash(item);
            }
            Bounds::Open { .. } if looks => {}
            // The mark may be within the domain.
            Bounds::Open { ascii_only: false } if self.is_mark_of_domain(item.c) => {}
            Bounds::Open { ascii_only: true } if !item.c.is_ascii() => {
                self.rule = Rule::AsciiOnly;
                return self.close();
            }
            Bounds::Open { .. } => {
                if self.ends_before(item.c) {
                    return self.close();
                }
            }
            Bounds::Delimited { by, depth } => {
                if let Some(step) = self.delimiter(by, depth, item.c) {
                    return step;
                }
            }
        }
        let step = match &mut self.stage {
            Stage::Name { .. }
            | Stage::Domain { .. }
            | Stage::AfterDomain { .. }
            | Stage::Ip(_) => Step::More,
            Stage::Slashes { .. } => self.slashes(item),
            Stage::Shape(_) => self.shape(item),
            Stage::Authority(_) => self.authority(item),
            Stage::Tail { .. } => self.tail(item),
        };
        self.remember(item);
        step
    }

    /// True inside the first label of a host. A letter there belongs to the label: a link that
    /// ends before it would have another host (case letters-in-the-first-label).
    fn is_in_first_label(&self) -> bool {
        let Stage::Authority(Authority { host: Host::Name(name), .. }) = &self.stage else {
            return false;
        };
        // A name without a scheme was read as a whole, with its dots, before this stage. After an
        // invisible character the host itself decides.
        (!name.dotted || name.unseen.is_some()) && name.after != After::RealPort
    }

    #[cold]
    fn is_in_quotation(&self) -> bool {
        matches!(&self.adjoining, Some((_, adjoining)) if adjoining.is_quotation())
    }

    /// True if `c` opens a quotation at the start of a value: `?q=“a”` (case quotation-in-a-query).
    /// It is held until it is closed.
    #[cold]
    fn opens_quotation(&mut self, c: char) -> bool {
        let value = matches!(self.stage, Stage::Tail { part: Part::Query | Part::Fragment })
            && matches!(self.read.before, '=' | '?' | '#' | '&');
        if !value || self.adjoining.is_some() {
            return false;
        }
        let quotation = Adjoining::quotation(c);
        self.adjoining = quotation.map(|quotation| (self.judged(self.end), quotation));
        quotation.is_some()
    }

    /// True if `c` shows that text follows the link without a space. Characters that may be text
    /// are held until a later one decides.
    fn is_text(&mut self, c: char) -> bool {
        if let Some((end, adjoining)) = &mut self.adjoining {
            match adjoining.feed(c) {
                Shows::More => return false,
                Shows::Text => {
                    self.rule = adjoining.rule();
                    (self.end, self.adjoining) = (*end, None);
                    return true;
                }
                Shows::Link => {
                    self.unquoted = adjoining.is_quotation();
                    self.adjoining = None;
                }
            }
        }
        let closed = self.read.last == Last::Closed;
        if !matches!(self.stage, Stage::Tail { .. }) {
            return closed && classes::is_unspaced_letter(c) && !self.is_in_first_label();
        }
        let adjoining = Adjoining::begin(c, closed, self.read.before == '/', self.read.all_ascii);
        // If it is text, an open `[` before it stays without its partner.
        self.adjoining = adjoining.map(|adjoining| (self.judged(self.end), adjoining));
        false
    }

    /// Ends the link: the text ends here, or a character follows that is in no link.
    pub(crate) fn stop(&mut self) -> Step {
        match self.bounds {
            Bounds::Delimited { by, .. } if self.wrap.is_at_quote() => self.partner(by.field),
            Bounds::Delimited { .. } if self.is_name() => Step::Done(None),
            Bounds::Delimited { .. } => Step::NoPartner,
            // A text may be cut before a space.
            Bounds::Open { .. } if self.brackets.has_others() && self.is_placeholder() => {
                self.refuse(Rule::PlaceholderWithSpaces)
            }
            Bounds::Open { .. } => self.close(),
        }
    }

    fn close(&mut self) -> Step {
        match &mut self.stage {
            Stage::Ip(ip) => {
                let fed = ip.stop();
                self.after_ip(fed, None)
            }
            // `notes.wiki,v`
            Stage::Name { revision: Revision::Seen | Revision::Stop, .. } => Step::Done(None),
            Stage::Name { run, before, revision: Revision::Comma, .. } => {
                Step::Done(host_end(run, *before, Some(',')))
            }
            Stage::Name { run, before, tilde, .. } => {
                Step::Done(host_end(run, *before, tilde.then_some('~')))
            }
            Stage::Domain { run, domains, .. } => Step::Done(domain_end(run, None, *domains)),
            Stage::AfterDomain { end, seen } => Step::Done(end.filter(|_| seen.is_address())),
            _ => Step::Done(self.end()),
        }
    }

    /// True before the `\` of `file:///C:\x`, which is no link to `file:///C` (case drives).
    #[cold]
    fn is_at_drive(&self, item: Item) -> bool {
        let unit = item.next - item.at;
        let drive = self.root.is_some_and(|root| {
            let end = self.end().map(|end| end.at);
            item.at == root + 3 * unit && end == Some(root + 2 * unit)
        });
        drive && matches!(self.read.before, ':' | '|')
    }

    fn remember(&mut self, item: Item) {
        let read = &mut self.read;
        read.before = item.c;
        read.all_ascii &= item.c.is_ascii();
        read.end = Some(End { at: item.next });
        read.last = match item.c {
            c if read.percent > 0 && c.is_ascii_hexdigit() => {
                read.percent -= 1;
                if read.percent == 0 { Last::Continues } else { Last::Closed }
            }
            c => {
                read.percent = if c == '%' { 2 } else { 0 };
                Last::of(c)
            }
        };
    }

    /// There is no link, by `rule`.
    fn refuse(&mut self, rule: Rule) -> Step {
        self.rule = rule;
        Step::Done(None)
    }

    fn slashes(&mut self, item: Item) -> Step {
        let Stage::Slashes { seen, scheme, quote } = &mut self.stage else {
            return Step::More;
        };
        match (*seen, item.c) {
            (0, '/') => {
                *seen = 1;
                Step::More
            }
            (1, '/') => {
                self.stage = Stage::Authority(Authority::of(*scheme, *quote));
                Step::More
            }
            (0, _) => {
                let Form::Either(shape) = scheme.form else { return self.refuse(Rule::Slashes) };
                self.stage = Stage::Shape(Shaper::new(shape));
                self.shape(item)
            }
            _ => self.refuse(Rule::Slashes),
        }
    }

    fn shape(&mut self, item: Item) -> Step {
        let Stage::Shape(shaper) = &mut self.stage else { return Step::More };
        // Visual separators: `tel:(030)123` (RFC 3966).
        let _ = match item.c {
            '(' => self.brackets.open('('),
            ')' => self.brackets.close(')'),
            _ => true,
        };
        match shaper.feed(item.c) {
            Shaped::More => Step::More,
            Shaped::No => self.refuse(Rule::SchemeSyntax),
            Shaped::Yes => {
                self.mailto = match shaper.domain() {
                    None => Mailto::No,
                    Some(false) => Mailto::Local,
                    Some(true) => Mailto::Domain,
                };
                self.stage = Stage::Tail { part: Part::Path };
                self.end = Some(End { at: item.next });
                Step::More
            }
        }
    }

    fn authority(&mut self, item: Item) -> Step {
        let delimited = matches!(self.bounds, Bounds::Delimited { .. });
        // In a phrase, text in brackets may follow a host; in a field it does not (case
        // host-then-text-in-brackets).
        let holds = match self.bounds {
            Bounds::Delimited { by: Opener { field: Field::Whole, .. }, .. } => Holds::Field,
            Bounds::Delimited { by: Opener { open: '"' | '\'', .. }, .. } => Holds::Quotes,
            Bounds::Delimited { .. } => Holds::Phrase,
            Bounds::Open { .. } => Holds::Text,
        };
        let glued = self.read.last == Last::Closed;
        let Stage::Authority(authority) = &mut self.stage else { return Step::More };
        match authority.feed(item, holds, glued) {
            Fed::More => Step::More,
            // In a delimited field, where the host ends early, the field is no reference.
            Fed::Over(end) => Step::Done(if delimited { None } else { end }),
            Fed::Tail(part) => {
                let empty = matches!(&authority.host, Host::Name(name) if name.length == 0);
                self.root = empty.then_some(item.at);
                self.end = match (part, authority.settled(true)) {
                    // A question mark at the end belongs to the sentence.
                    (Part::Query, host) if !delimited => host,
                    _ => Some(End { at: item.next }),
                };
                self.stage = Stage::Tail { part };
                Step::More
            }
        }
    }
}
