//! `--stats`: what a run saw, in numbers, on standard error.
//!
//! Knows how to count and to print. Invariant: the sum of the counts of pieces is
//! the count of the whole, so it does not matter how many threads took part.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use iriscan::{Format, Match, Summary, data, mail::MailLink};
use serde_json::{Value, json};

use crate::{args::StatsFormat, input, progress};

/// So many different schemes are counted apart; with `--schemes any` a hostile
/// input could have any number.
const SCHEMES_MAX: usize = 1000;

/// What schemes above the limit are counted as; no scheme has this name.
const OTHERS: &str = "(others)";

type Counts<K> = BTreeMap<K, u64>;

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    files: u64,
    failed: u64,
    bytes: u64,
    links: u64,
    messages: u64,
    kinds: Counts<&'static str>,
    schemes: Counts<String>,
    unconvertible: u64,
    /// Only where there was something to rewrite.
    rewritten: Option<u64>,
    /// By name and reason.
    charsets: Counts<(&'static str, &'static str)>,
    formats: Counts<&'static str>,
    warnings: Counts<&'static str>,
}

impl Stats {
    /// Nothing yet; `None` if nobody asked.
    pub(crate) fn wanted(format: Option<StatsFormat>) -> Option<Stats> {
        format.map(|_| Stats::default())
    }

    /// A link of a document.
    pub(crate) fn link(&mut self, link: &Match<'_>) {
        self.unconvertible += u64::from(link.unconvertible().is_some());
        self.count(link.kind().as_str(), link.scheme());
        link.warnings().iter().for_each(|warning| add(&mut self.warnings, warning.as_str(), 1));
    }

    /// A link of a message.
    pub(crate) fn mail_link(&mut self, link: &MailLink) {
        let link = link.link();
        self.unconvertible += u64::from(link.uri().is_err());
        self.count(link.kind().as_str(), link.scheme());
        link.warnings().iter().for_each(|warning| add(&mut self.warnings, warning.as_str(), 1));
    }

    fn count(&mut self, kind: &'static str, scheme: Option<String>) {
        self.links += 1;
        add(&mut self.kinds, kind, 1);
        if let Some(scheme) = scheme {
            self.scheme(scheme, 1);
        }
    }

    fn scheme(&mut self, scheme: String, n: u64) {
        // What pieces and other inputs counted together takes no place of a scheme.
        let known = self.schemes.len() - usize::from(self.schemes.contains_key(OTHERS));
        let room = known < SCHEMES_MAX || self.schemes.contains_key(&scheme);
        add(&mut self.schemes, if room { scheme } else { OTHERS.to_owned() }, n);
    }

    /// What a piece of an input counted, or an input.
    pub(crate) fn merge(&mut self, piece: &mut Stats) {
        let piece = std::mem::take(piece);
        self.files += piece.files;
        self.failed += piece.failed;
        self.bytes += piece.bytes;
        self.messages += piece.messages;
        if let Some(links) = piece.rewritten {
            self.rewritten(links);
        }
        piece.charsets.into_iter().for_each(|(charset, n)| add(&mut self.charsets, charset, n));
        piece.formats.into_iter().for_each(|(format, n)| add(&mut self.formats, format, n));
        self.links += piece.links;
        self.unconvertible += piece.unconvertible;
        piece.kinds.into_iter().for_each(|(kind, n)| add(&mut self.kinds, kind, n));
        piece.schemes.into_iter().for_each(|(scheme, n)| self.scheme(scheme, n));
        piece.warnings.into_iter().for_each(|(warning, n)| add(&mut self.warnings, warning, n));
    }

    /// A document was read, as far as it could be.
    pub(crate) fn document(&mut self, summary: Option<&Summary>, format: Format) {
        let Some(summary) = summary else { return };
        self.files += 1;
        self.bytes += summary.bytes;
        add(&mut self.charsets, (summary.charset.name(), summary.basis.reason()), 1);
        add(&mut self.formats, format.as_str(), 1);
    }

    /// Mail was read. The charsets are those of its parts, and not counted.
    pub(crate) fn mail(&mut self, bytes: u64, messages: u64) {
        self.files += 1;
        self.bytes += bytes;
        self.messages += messages;
        add(&mut self.formats, "mail", 1);
    }

    /// A web archive was searched. The charsets are those of its payloads, and not counted.
    pub(crate) fn archive(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
        add(&mut self.formats, "warc", 1);
    }

    /// An input could not be read, or not to its end.
    pub(crate) fn failed(&mut self) {
        self.failed += 1;
    }

    /// So many links were rewritten.
    pub(crate) fn rewritten(&mut self, links: u64) {
        *self.rewritten.get_or_insert(0) += links;
    }

    /// Says all of it on standard error.
    pub(crate) fn say(&self, format: StatsFormat, begun: Instant) {
        let time = begun.elapsed();
        let text = match format {
            StatsFormat::Json => format!("{}\n", self.json(time)),
            StatsFormat::Text => self.text(time),
        };
        let _ = progress::aside(|| io::stderr().write_all(text.as_bytes()));
    }

    fn json(&self, time: Duration) -> Value {
        let charsets: Value = self
            .charsets
            .iter()
            .map(|((name, basis), n)| json!({"charset": name, "basis": basis, "files": n}))
            .collect();
        let rows: [(&str, Value); 17] = [
            ("files", self.files.into()),
            ("failed", self.failed.into()),
            ("bytes", self.bytes.into()),
            ("messages", self.messages.into()),
            ("links", self.links.into()),
            ("kinds", counts(&self.kinds)),
            ("schemes", counts(&self.schemes)),
            ("rewritten", self.rewritten.into()),
            ("unconvertible", self.unconvertible.into()),
            ("charsets", charsets),
            ("formats", counts(&self.formats)),
            ("warnings", counts(&self.warnings)),
            ("seconds", time.as_secs_f64().into()),
            ("iriscan", env!("CARGO_PKG_VERSION").into()),
            ("unicode", data::UNICODE.into()),
            ("link_properties", data::LINK.into()),
            ("tlds", data::TLDS.into()),
        ];
        object(&mut rows.into_iter())
    }

    fn text(&self, time: Duration) -> String {
        let shown = |(name, n): (&String, &u64)| (input::shown(name), *n);
        let both = |((name, basis), n): (&(&str, &str), &u64)| (format!("{name} {basis}"), *n);
        let trouble = match self.failed {
            0 => String::new(),
            n => format!("; trouble with {n}"),
        };
        let thousandths = (time.as_micros() + 500) / 1000;
        let rows = [
            Some(("files", number(self.files) + &trouble)),
            Some(("bytes", number(self.bytes))),
            (self.messages > 0).then(|| ("messages", number(self.messages))),
            Some(("links", number(self.links))),
            Some(("kinds", names(&self.kinds))),
            Some(("schemes", list(&mut self.schemes.iter().map(shown)))),
            self.rewritten.map(|n| ("rewritten", number(n))),
            Some(("unconvertible", number(self.unconvertible))),
            Some(("charsets", list(&mut self.charsets.iter().map(both)))),
            Some(("formats", names(&self.formats))),
            Some(("warnings", names(&self.warnings))),
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

// Each of these is compiled once, not wherever it is called.

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

/// What all inputs counted, whichever thread had them.
#[derive(Debug)]
pub(crate) struct Sum(Option<Mutex<Stats>>);

impl Sum {
    /// Nothing yet, and nothing ever if nobody asked.
    pub(crate) fn wanted(format: Option<StatsFormat>) -> Sum {
        Sum(Stats::wanted(format).map(Mutex::new))
    }

    /// An input, and whether it was read to its end.
    pub(crate) fn add(&self, stats: Option<Stats>, whole: bool) {
        if let (Some(all), Some(mut stats)) = (&self.0, stats) {
            if !whole {
                stats.failed();
            }
            all.lock().unwrap_or_else(PoisonError::into_inner).merge(&mut stats);
        }
    }

    /// An input that there was not.
    pub(crate) fn failed(&self) {
        self.add(Some(Stats::default()), false);
    }

    /// Says all of it on standard error, if somebody asked.
    pub(crate) fn say(&self, format: Option<StatsFormat>, begun: Instant) {
        if let (Some(all), Some(format)) = (&self.0, format) {
            all.lock().unwrap_or_else(PoisonError::into_inner).say(format, begun);
        }
    }
}
