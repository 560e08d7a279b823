//! Compares whole references with peers, in one run.
//!
//! From the root of the repository, with `reference` for
//! `cargo bench --manifest-path peers/Cargo.toml --bench reference`:
//!
//!     reference                           # testdata/bench/references.txt
//!     IRISCAN_REFERENCES=FILE reference   # one a line (references.py); an absolute path
//!     reference -- --test                 # each once, counts only
//!
//! The machines this runs on are noisy. So each round runs all programs of a row one
//! after the other, and the table gives medians, also of the ratios within a round.
//!
//! The work differs. This is what each row does, from a `&str` unless it says otherwise:
//!
//! - `validate`: is it an IRI-reference? Nobody allocates. iriscan, fluent-uri
//!   and oxiri find the components at the same time. `url` does not validate.
//! - `parse`: a borrowed type, and the lengths of scheme, host, path and query.
//!   iri-string finds components again at each call. oxiri gives the authority
//!   but not the host. `url` joins to a base, percent-encodes, maps hosts, and
//!   allocates (URL Standard).
//! - `resolve`: a parsed reference and a parsed base give a `String`. iri-string
//!   and fluent-uri take `%2E` for a dot. oxiri is measured with `resolve_unchecked`,
//!   which is faster because it does not validate the result. `url` parses from
//!   text and normalises too.
//! - `to_uri` of references that are URIs: iriscan checks that no character needs
//!   to be encoded, and borrows. From text the peers must validate first; then they
//!   copy. A row of its own has iri-string's `as_uri`, which borrows after an ASCII
//!   check on a validated type.
//! - `to_uri` of the others, with `HostForm::Percent`, which is all that the peers do
//!   with hosts; then with punycode, as `url` does. All allocate. oxiri does not
//!   convert.

use std::{
    env, fs,
    hint::black_box,
    time::{Duration, Instant},
};

use fluent_uri::{Iri as FluentIri, IriRef as FluentRef};
use iri_string::{
    format::ToDedicatedString,
    resolve::FixedBaseResolver,
    types::{IriAbsoluteStr, IriReferenceStr},
};
use iriscan::reference::{Grammar, HostForm, Reference, UriOptions};
use iriscan_peers::measure::median;
use oxiri::{Iri as OxiIri, IriRef as OxiRef};
use url::Url;

const BASE: &str = "https://example.org/one/two/three.html?q";
const PEERS: [&str; 5] = ["iriscan", "iri-string", "fluent-uri", "oxiri", "url"];

/// What one crate does with every reference; the sum proves that it did the work.
type Way<'r> = Box<dyn Fn() -> usize + 'r>;

/// One line of the table: the programs in the order of [`PEERS`].
struct Row<'r> {
    name: &'static str,
    references: usize,
    /// True if all but `url` must have the same sum.
    same: bool,
    ways: [Option<Way<'r>>; 5],
}

/// The sum of the results of `work` for each reference.
fn sum<'r, T>(all: &'r [T], work: impl Fn(&'r T) -> usize + 'r) -> Option<Way<'r>> {
    Some(Box::new(move || all.iter().map(|one| work(black_box(one))).sum()))
}

fn length(text: Option<&str>) -> usize {
    text.map_or(0, str::len)
}

fn grammar(text: &str) -> Option<Reference<'_>> {
    Reference::parse(text, Grammar::IriReference).ok()
}

fn rows<'r>(all: &'r References<'r>, url_base: &'r Url) -> Vec<Row<'r>> {
    let base = Reference::parse(BASE, Grammar::Iri).expect("the base should be one");
    let iri_string_base = IriAbsoluteStr::new(BASE).expect("the base should be one");
    let fluent_base = FluentIri::parse(BASE).expect("the base should be one");
    let oxi_base = OxiIri::parse(BASE).expect("the base should be one");
    let percent = UriOptions::new().host(HostForm::Percent);
    let punycode = UriOptions::new();
    let joined = move |text: &str| url_base.join(text).ok();
    let (texts, same, other) = (&all.every.texts, &all.same, &all.other);
    let mut rows = vec![
        Row {
            name: "validate",
            references: texts.len(),
            same: true,
            ways: [
                sum(texts, |text| grammar(text).is_some().into()),
                sum(texts, |text| IriReferenceStr::new(text).is_ok().into()),
                sum(texts, |text| FluentRef::parse(*text).is_ok().into()),
                sum(texts, |text| OxiRef::parse(*text).is_ok().into()),
                None,
            ],
        },
        Row {
            name: "parse, components",
            references: texts.len(),
            // oxiri counts authorities instead of hosts.
            same: false,
            ways: [
                sum(texts, |text| {
                    let Some(r) = grammar(text) else { return 0 };
                    length(r.scheme()) + length(r.host()) + r.path().len() + length(r.query())
                }),
                sum(texts, |text| {
                    let Ok(r) = IriReferenceStr::new(text) else { return 0 };
                    let host = r.authority_components().map_or(0, |parts| parts.host().len());
                    length(r.scheme_str()) + host + r.path_str().len() + length(r.query_str())
                }),
                sum(texts, |text| {
                    let Ok(r) = FluentRef::parse(*text) else { return 0 };
                    let scheme = r.scheme().map_or(0, |scheme| scheme.as_str().len());
                    let host = r.authority().map_or(0, |authority| authority.host().len());
                    let query = r.query().map_or(0, |query| query.as_str().len());
                    scheme + host + r.path().as_str().len() + query
                }),
                sum(texts, |text| {
                    let Ok(r) = OxiRef::parse(*text) else { return 0 };
                    let around = length(r.scheme()) + length(r.authority());
                    around + r.path().len() + length(r.query())
                }),
                sum(texts, move |text| {
                    let Some(r) = joined(text) else { return 0 };
                    let around = r.scheme().len() + length(r.host_str());
                    around + r.path().len() + length(r.query())
                }),
            ],
        },
        Row {
            name: "resolve, parsed",
            references: texts.len(),
            same: false,
            ways: [
                sum(&all.every.iriscan, move |r| r.resolve(&base).map_or(0, |iri| iri.len())),
                sum(&all.every.iri_string, move |r| {
                    let resolver = FixedBaseResolver::new(iri_string_base);
                    resolver.resolve(r).to_dedicated_string().len()
                }),
                sum(&all.every.fluent, move |r| {
                    r.resolve_against(&fluent_base).map_or(0, |iri| iri.as_str().len())
                }),
                sum(&all.every.oxiri, move |r| oxi_base.resolve_unchecked(r).as_str().len()),
                sum(texts, move |text| joined(text).map_or(0, |url| url.as_str().len())),
            ],
        },
    ];
    for (names, group) in [
        (["to_uri, unchanged, text", "to_uri, unchanged, parsed"], same),
        (["to_uri, %, text", "to_uri, %, parsed"], other),
    ] {
        rows.push(Row {
            name: names[0],
            references: group.texts.len(),
            same: true,
            ways: [
                sum(&group.texts, move |text| percent.to_uri(text).map_or(0, |uri| uri.len())),
                sum(&group.texts, |text| {
                    let Ok(r) = IriReferenceStr::new(text) else { return 0 };
                    r.encode_to_uri().to_dedicated_string().len()
                }),
                sum(&group.texts, |text| {
                    FluentRef::parse(*text).map_or(0, |r| r.to_uri_ref().as_str().len())
                }),
                None,
                sum(&group.texts, move |text| joined(text).map_or(0, |url| url.as_str().len())),
            ],
        });
        rows.push(Row {
            name: names[1],
            references: group.texts.len(),
            same: true,
            ways: [
                sum(&group.iriscan, move |r| r.to_uri(&percent).map_or(0, |uri| uri.len())),
                sum(&group.iri_string, |r| r.encode_to_uri().to_dedicated_string().len()),
                sum(&group.fluent, |r| r.to_uri_ref().as_str().len()),
                None,
                None,
            ],
        });
    }
    rows.push(Row {
        name: "as_uri, parsed",
        references: same.texts.len(),
        same: true,
        ways: [
            sum(&same.iriscan, move |r| r.to_uri(&percent).map_or(0, |uri| uri.len())),
            sum(&same.iri_string, |r| r.as_uri().map_or(0, |uri| uri.as_str().len())),
            None,
            None,
            None,
        ],
    });
    rows.push(Row {
        name: "to_uri, punycode, text",
        references: other.texts.len(),
        same: true,
        ways: [
            sum(&other.texts, move |text| punycode.to_uri(text).map_or(0, |uri| uri.len())),
            None,
            None,
            None,
            sum(&other.texts, move |text| joined(text).map_or(0, |url| url.as_str().len())),
        ],
    });
    rows
}

/// The same references in the type of each crate.
#[derive(Default)]
struct Parsed<'t> {
    texts: Vec<&'t str>,
    iriscan: Vec<Reference<'t>>,
    iri_string: Vec<&'t IriReferenceStr>,
    fluent: Vec<FluentRef<&'t str>>,
    oxiri: Vec<OxiRef<&'t str>>,
}

impl<'t> Parsed<'t> {
    fn new(texts: Vec<&'t str>) -> Parsed<'t> {
        let refused = |text: &str| -> ! { panic!("{text:?} should be an IRI-reference to all") };
        let mut parsed = Parsed::default();
        for &text in &texts {
            parsed.iriscan.push(grammar(text).unwrap_or_else(|| refused(text)));
            let iri_string = IriReferenceStr::new(text);
            parsed.iri_string.push(iri_string.unwrap_or_else(|_| refused(text)));
            parsed.fluent.push(FluentRef::parse(text).unwrap_or_else(|_| refused(text)));
            parsed.oxiri.push(OxiRef::parse(text).unwrap_or_else(|_| refused(text)));
        }
        Parsed { texts, ..parsed }
    }
}

struct References<'t> {
    every: Parsed<'t>,
    /// The references that are URIs.
    same: Parsed<'t>,
    other: Parsed<'t>,
}

impl<'t> References<'t> {
    /// At least `count` of each, because a round must be longer than the clock's grain.
    fn new(texts: &'t str, count: usize) -> References<'t> {
        let every: Vec<_> = texts.lines().collect();
        let (same, other) = every.iter().partition(|text| text.is_ascii());
        let fill = |texts: Vec<&'t str>| {
            let times = count.div_ceil(texts.len().max(1)).max(1);
            Parsed::new(texts.repeat(times))
        };
        References { every: fill(every), same: fill(same), other: fill(other) }
    }
}

fn time(work: &Way<'_>) -> (Duration, usize) {
    let start = Instant::now();
    let sum = black_box(work());
    (start.elapsed(), sum)
}

/// Runs all programs of a row, one after the other, and prints its line.
fn run(row: &Row<'_>, rounds: usize) {
    let ways = || row.ways.iter().enumerate().filter_map(|(i, way)| Some((i, way.as_ref()?)));
    let expected: Vec<_> = ways().map(|(i, way)| (i, way())).collect();
    for &(i, sum) in &expected {
        assert!(sum >= row.references / 2, "{}: {} does its work", row.name, PEERS[i]);
        if row.same && PEERS[i] != "url" {
            assert_eq!(sum, expected[0].1, "{}: {} differs", row.name, PEERS[i]);
        }
    }
    let mut seen = [const { vec![] }; 5];
    let mut ratios = [const { vec![] }; 5];
    for _ in 0..rounds {
        let mut own = 0.0;
        for ((i, way), (_, sum)) in ways().zip(&expected) {
            let (took, again) = time(way);
            assert_eq!(again, *sum, "{}: the sum should not change", row.name);
            let each = took.as_secs_f64() * 1e9 / row.references as f64;
            if i == 0 {
                own = each;
            }
            seen[i].push(each);
            ratios[i].push(each / own);
        }
    }
    print!("{:26}", row.name);
    for values in seen {
        match values.is_empty() {
            true => print!(" {:>10}", "n/a"),
            false => print!(" {:>10.1}", median(values)),
        }
    }
    let ratios = ratios.into_iter().skip(1).filter(|of| !of.is_empty()).map(median);
    println!(" {:>9.2}", ratios.fold(f64::INFINITY, f64::min));
}

fn main() {
    let test = env::args().any(|arg| arg == "--test");
    let path = env::var_os("IRISCAN_REFERENCES").unwrap_or_else(|| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/bench/references.txt").into()
    });
    let texts =
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.to_string_lossy()));
    let (count, rounds) = if test { (0, 1) } else { (10_000, 41) };
    let all = References::new(&texts, count);
    let url_base = Url::parse(BASE).expect("the base should be one");
    let absolute = all.every.iriscan.iter().filter(|r| r.scheme().is_some()).count();
    let octets: usize = all.every.texts.iter().map(|text| text.len()).sum();
    println!(
        "{} references of {} bytes; {absolute} absolute, {} not ASCII; ns each, medians",
        all.every.texts.len(),
        octets / all.every.texts.len(),
        all.every.texts.iter().filter(|text| !text.is_ascii()).count(),
    );
    print!("{:26}", "");
    PEERS.iter().for_each(|name| print!(" {name:>10}"));
    println!(" {:>9}", "fastest ÷");
    rows(&all, &url_base).iter().for_each(|row| run(row, rounds));
}
