//! `--stats`: the numbers of a run, on standard error.
//!
//! In go links and inputs; out come counts. What must hold: the counts of the pieces of an
//! input add up to those of the whole, so the number of threads does not matter.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use iriscan::{Format, Match, Summary, data, mail::MailLink};
use serde_json::{Value, json};

use super::tally::Tally;
use crate::{
    args::values::StatsArg,
    messages::{progress, text},
};

/// The most schemes that are counted separately. With `--schemes any`, a hostile input could
/// have any number.
const SCHEMES_MAX: usize = 1000;

/// How many of the most frequent hosts are shown.
const HOSTS_SHOWN: usize = 10;

/// The name for all schemes above the limit. No scheme has this name.
const OTHERS: &str = "(others)";

type Counts<K> = BTreeMap<K, u64>;

/// The counts.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    inputs: InputStats,
    links: LinkStats,
}

/// The counts of inputs.
#[derive(Debug, Default)]
struct InputStats {
    files: u64,
    failed: u64,
    bytes: u64,
    messages: u64,
    /// By the charset, and by how it is known.
    charsets: Counts<(&'static str, &'static str)>,
    formats: Counts<&'static str>,
}

/// The counts of links.
#[derive(Debug, Default)]
struct LinkStats {
    all: u64,
    kinds: Counts<&'static str>,
    schemes: Counts<String>,
    warnings: Counts<&'static str>,
    hosts: Tally,
    unconvertible: u64,
    /// `None` if nothing was to be rewritten.
    rewritten: Option<u64>,
}

impl Stats {
    /// Zero counts; `None` if the user did not ask for any.
    pub(crate) fn wanted(format: Option<StatsArg>) -> Option<Stats> {
        format.map(|_| Stats::default())
    }

    /// Counts a link of a document.
    pub(crate) fn link(&mut self, link: &Match<'_>) {
        self.links.unconvertible += u64::from(link.unconvertible().is_some());
        self.count(link);
    }

    /// Counts a link of a message.
    pub(crate) fn mail_link(&mut self, link: &MailLink) {
        let link = link.link();
        self.links.unconvertible += u64::from(link.uri().is_err());
        self.count(&link.as_match());
    }

    fn count(&mut self, link: &Match<'_>) {
        self.links.all += 1;
        add(&mut self.links.kinds, link.kind().as_str(), 1);
        if let Some(scheme) = link.scheme() {
            self.scheme(scheme, 1);
        }
        if link.host().is_some() {
            self.links.hosts.host(link);
        }
        link.warnings()
            .iter()
            .for_each(|warning| add(&mut self.links.warnings, warning.as_str(), 1));
    }

    fn scheme(&mut self, scheme: String, n: u64) {
        // `OTHERS` from pieces or other inputs does not count towards the limit.
        let known = self.links.schemes.len() - usize::from(self.links.schemes.contains_key(OTHERS));
        let room = known < SCHEMES_MAX || self.links.schemes.contains_key(&scheme);
        add(&mut self.links.schemes, if room { scheme } else { OTHERS.to_owned() }, n);
    }

    /// Adds the counts of a piece or of another input, and resets them.
    pub(crate) fn merge(&mut self, piece: &mut Stats) {
        let mut piece = std::mem::take(piece);
        self.links.hosts.merge(&mut piece.links.hosts);
        self.inputs.files += piece.inputs.files;
        self.inputs.failed += piece.inputs.failed;
        self.inputs.bytes += piece.inputs.bytes;
        self.inputs.messages += piece.inputs.messages;
        if let Some(links) = piece.links.rewritten {
            self.rewritten(links);
        }
        piece
            .inputs
            .charsets
            .into_iter()
            .for_each(|(charset, n)| add(&mut self.inputs.charsets, charset, n));
        piece
            .inputs
            .formats
            .into_iter()
            .for_each(|(format, n)| add(&mut self.inputs.formats, format, n));
        self.links.all += piece.links.all;
        self.links.unconvertible += piece.links.unconvertible;
        piece.links.kinds.into_iter().for_each(|(kind, n)| add(&mut self.links.kinds, kind, n));
        piece.links.schemes.into_iter().for_each(|(scheme, n)| self.scheme(scheme, n));
        piece
            .links
            .warnings
            .into_iter()
            .for_each(|(warning, n)| add(&mut self.links.warnings, warning, n));
    }

    /// Counts a document, as far as it was read.
    pub(crate) fn document(&mut self, summary: Option<&Summary>, format: Format) {
        let Some(summary) = summary else { return };
        self.inputs.files += 1;
        self.inputs.bytes += summary.bytes;
        add(&mut self.inputs.charsets, (summary.charset.name(), summary.basis.reason()), 1);
        add(&mut self.inputs.formats, format.as_str(), 1);
    }

    /// Counts a file of mail. The charsets of its parts are not counted.
    pub(crate) fn mail(&mut self, bytes: u64, messages: u64) {
        self.inputs.files += 1;
        self.inputs.bytes += bytes;
        self.inputs.messages += messages;
        add(&mut self.inputs.formats, "mail", 1);
    }

    /// Counts a web archive or a zip container. The charsets of what is in it are not counted.
    pub(crate) fn archive(&mut self, bytes: u64, format: &'static str) {
        self.inputs.files += 1;
        self.inputs.bytes += bytes;
        add(&mut self.inputs.formats, format, 1);
    }

    /// Counts an input that could not be read to its end.
    pub(crate) fn failed(&mut self) {
        self.inputs.failed += 1;
    }

    /// Counts rewritten links.
    pub(crate) fn rewritten(&mut self, links: u64) {
        *self.links.rewritten.get_or_insert(0) += links;
    }

    /// Writes the counts to standard error.
    pub(crate) fn say(&self, format: StatsArg, begun: Instant) {
        let time = begun.elapsed();
        let text = match format {
            StatsArg::Json => format!("{}\n", self.json(time)),
            StatsArg::Text => self.text(time),
        };
        let _ = progress::aside(|| io::stderr().write_all(text.as_bytes()));
    }

    fn json(&self, time: Duration) -> Value {
        let charsets: Value = self
            .inputs
            .charsets
            .iter()
            .map(|((name, basis), n)| json!({"charset": name, "basis": basis, "files": n}))
            .collect();
        let hosts = self.links.hosts.most(HOSTS_SHOWN).into_iter();
        let hosts: Value = hosts.map(|(host, n)| json!({"host": host, "links": n})).collect();
        let rows: [(&str, Value); 18] = [
            ("files", self.inputs.files.into()),
            ("failed", self.inputs.failed.into()),
            ("bytes", self.inputs.bytes.into()),
            ("messages", self.inputs.messages.into()),
            ("links", self.links.all.into()),
            ("kinds", counts(&self.links.kinds)),
            ("schemes", counts(&self.links.schemes)),
            ("hosts", hosts),
            ("rewritten", self.links.rewritten.into()),
            ("unconvertible", self.links.unconvertible.into()),
            ("charsets", charsets),
            ("formats", counts(&self.inputs.formats)),
            ("warnings", counts(&self.links.warnings)),
            ("seconds", time.as_secs_f64().into()),
            ("iriscan", env!("CARGO_PKG_VERSION").into()),
            ("unicode", data::UNICODE.into()),
            ("link_properties", data::LINK.into()),
            ("tlds", data::TLDS.into()),
        ];
        object(&mut rows.into_iter())
    }

    fn text(&self, time: Duration) -> String {
        let shown = |(name, n): (&String, &u64)| (text::shown(name), *n);
        let both = |((name, basis), n): (&(&str, &str), &u64)| (format!("{name} {basis}"), *n);
        let trouble = match self.inputs.failed {
            0 => String::new(),
            n => format!("; trouble with {n}"),
        };
        let most = self.links.hosts.most(HOSTS_SHOWN).into_iter();
        let hosts = list(&mut most.map(|(host, n)| (text::shown(host), n)));
        let thousandths = (time.as_micros() + 500) / 1000;
        let rows = [
            Some(("files", number(self.inputs.files) + &trouble)),
            Some(("bytes", number(self.inputs.bytes))),
            (self.inputs.messages > 0).then(|| ("messages", number(self.inputs.messages))),
            Some(("links", number(self.links.all))),
            Some(("kinds", names(&self.links.kinds))),
            Some(("schemes", list(&mut self.links.schemes.iter().map(shown)))),
            Some(("hosts", hosts)),
            self.links.rewritten.map(|n| ("rewritten", number(n))),
            Some(("unconvertible", number(self.links.unconvertible))),
            Some(("charsets", list(&mut self.inputs.charsets.iter().map(both)))),
            Some(("formats", names(&self.inputs.formats))),
            Some(("warnings", names(&self.links.warnings))),
            Some(("time", format!("{}.{:03} s", thousandths / 1000, thousandths % 1000))),
            Some((
                "data",
                format!(
                    "Unicode {}, link properties {}, top-level domains {}",
                    data::UNICODE,
                    data::LINK,
                    data::TLDS
                ),
            )),
        ];
        let mut out = String::from("iriscan: statistics\n");
        for (name, what) in rows.into_iter().flatten() {
            out += &format!("  {name:<14} {what}\n");
        }
        out
    }
}

// These are not inlined, so that each is compiled once and not at every call.

#[inline(never)]
fn number(n: u64) -> String {
    n.to_string()
}

#[inline(never)]
fn names(counts: &Counts<&'static str>) -> String {
    list(&mut counts.iter().map(|(name, n)| ((*name).to_owned(), *n)))
}

#[inline(never)]
fn list(counts: &mut dyn Iterator<Item = (String, u64)>) -> String {
    let all: Vec<String> = counts.map(|(name, n)| format!("{n} {name}")).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

fn counts<K: AsRef<str>>(counts: &Counts<K>) -> Value {
    object(&mut counts.iter().map(|(name, n)| (name.as_ref(), (*n).into())))
}

#[inline(never)]
fn object(rows: &mut dyn Iterator<Item = (&str, Value)>) -> Value {
    rows.collect()
}

fn add<K: Ord>(counts: &mut Counts<K>, key: K, n: u64) {
    *counts.entry(key).or_default() += n;
}

/// The counts of all inputs, for all threads.
#[derive(Debug)]
pub(crate) struct SharedStats(Option<Mutex<Stats>>);

impl SharedStats {
    /// Zero counts; they stay so if the user did not ask for any.
    pub(crate) fn wanted(format: Option<StatsArg>) -> SharedStats {
        SharedStats(Stats::wanted(format).map(Mutex::new))
    }

    /// Adds the counts of an input. `whole` is true if it was read to its end.
    pub(crate) fn add(&self, stats: Option<Stats>, whole: bool) {
        if let (Some(all), Some(mut stats)) = (&self.0, stats) {
            if !whole {
                stats.failed();
            }
            all.lock().unwrap_or_else(PoisonError::into_inner).merge(&mut stats);
        }
    }

    /// Counts an input that could not be read at all.
    pub(crate) fn failed(&self) {
        self.add(Some(Stats::default()), false);
    }

    /// Writes the counts to standard error, if the user asked for them.
    pub(crate) fn say(&self, format: Option<StatsArg>, begun: Instant) {
        if let (Some(all), Some(format)) = (&self.0, format) {
            all.lock().unwrap_or_else(PoisonError::into_inner).say(format, begun);
        }
    }
}
