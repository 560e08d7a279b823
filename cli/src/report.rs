//! `iriscan report`: one page of HTML with all links, where they stand and what to
//! know about them.
//!
//! Knows HTML; what a document holds is hostile. Invariant: of a document, nothing
//! reaches the page but through [`Html::text`]; the page fetches nothing, and runs no
//! script but the one here, which its policy names by its digest.
//!
//! All links are in one `<noscript>`, each on a line of its own. Where scripts do not run, a
//! browser shows it like any other element. Where they run, it is one text to the browser,
//! which costs next to nothing, and the script shows a page of it at a time.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write},
    mem,
    path::Path,
    process::ExitCode,
    time::Instant,
};

use iriscan::{Basis, Charset, Finder, Match, Sink, Summary, Warning};

use crate::{
    args::ReportArgs,
    context::{Context, Seen},
    in_place,
    input::{self, Archives, Content, Trouble},
    mail, show,
    stats::{self, Stats},
    walk::{Folders, Input, Inputs, Origin},
};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// The digests of the two, for the policy; a test holds them to what they are of.
const STYLE_DIGEST: &str = "sha256-33ScSoSs6Eu0x/ej+8JjEQ2AxQalO5xSyjQMJnAHe8M=";
const SCRIPT_DIGEST: &str = "sha256-idjwSSkL84FWFjnvfpf0pu2hpul+AU2o/bzqEO02Dfs=";

/// Characters shown before and after a link.
const NEAR: usize = 32;

/// Links in a list. Of a full list, a browser without scripts can guess how high it is, and
/// does not lay it out before it is seen: 3 s for 100,000 links instead of 15.
const FULL: u64 = 200;

/// The most characters of a name in a chart.
const NAME: usize = 80;

/// Rows of a chart.
const ROWS: usize = 100;

/// So many different hosts are counted apart.
const HOSTS_MAX: usize = 100_000;

/// The title of a chart whose names are explained.
const WARNINGS: &str = "Warnings";

/// What is counted with warnings, and stands where they do.
const NO_URI: &str = "no URI form";

/// What is said of an input without links to show.
const UNREADABLE: &str = "could not be read";

pub(crate) fn run(args: &ReportArgs) -> Result<ExitCode, Trouble> {
    let begun = Instant::now();
    args.scan.show_progress();
    in_place::catch_signals().map_err(Trouble::Signals)?;
    let finder = args.scan.finder().map_err(Trouble::Config)?;
    let all = stats::Sum::wanted(args.scan.stats);
    let mut report = Report { limit: args.limit, ..Report::default() };
    let mut trouble = false;
    match args.output == Path::new("-") {
        true => input::output_is_standard(),
        false => input::output_is(&args.output),
    }
    let mut inputs = Inputs::new(&args.scan, Folders::Walked)?;
    for input in &mut inputs {
        let Some(input) = input::there(input, &all) else {
            trouble = true;
            continue;
        };
        if input.origin == Origin::Named && input::leads_to_output(&input.path) {
            let what = "it is the output too, and would be lost; write to another file";
            return Err(Trouble::Usage(format!("{}: {what}", input::name(&input.path))));
        }
        let mut stats = Stats::wanted(args.scan.stats);
        let whole = read(&finder, &input, args, &mut report, stats.as_mut())?;
        trouble |= !whole;
        all.add(stats, whole);
    }
    let page = report.into_page();
    if args.output == Path::new("-") {
        let mut out = io::stdout().lock();
        out.write_all(page.as_bytes()).and_then(|()| out.flush()).map_err(Trouble::Output)?;
    } else if let Err(e) = in_place::write(&args.output, page.as_bytes()) {
        // By another name it is a pipe as well.
        if e.kind() == io::ErrorKind::BrokenPipe {
            return Err(Trouble::Output(e));
        }
        input::complain_of_output(&args.output, &e);
        trouble = true;
    }
    inputs.say_unmatched();
    input::say_unused_fields(&args.scan);
    all.say(args.scan.stats, begun);
    Ok(ExitCode::from(if trouble { 2 } else { 0 }))
}

/// Reads an input into `report`; whether that was possible to its end.
fn read(
    finder: &Finder,
    input: &Input,
    args: &ReportArgs,
    report: &mut Report,
    mut stats: Option<&mut Stats>,
) -> Result<bool, Trouble> {
    let path = &input.path;
    let opened = match input::begin(finder, input, &args.scan, Archives::Refused) {
        Ok(opened) => opened,
        // Binary, and nobody named it.
        Err(done) if done.whole => return Ok(true),
        Err(_) => {
            report.file(path, UNREADABLE);
            return Ok(false);
        }
    };
    let why = opened.why();
    match opened.content() {
        Content::Archive => {
            let name = input::name(path);
            input::say(format_args!("{name}: a web archive; `find` lists its links"));
            report.file(path, UNREADABLE);
            Ok(false)
        }
        Content::Mail => {
            let read = mail::survey(finder, path, opened, &mut |link, seen| {
                stats.iter_mut().for_each(|stats| stats.mail_link(link));
                report.link(&seen);
            });
            let about = mail::how(read.messages, why);
            if args.scan.verbose {
                input::say(format_args!("{}: {about}", input::name(path)));
            }
            report.file(path, &about);
            stats.iter_mut().for_each(|stats| stats.mail(read.bytes, read.messages));
            Ok(read.whole)
        }
        Content::Document(format) => {
            let finder = finder.clone().format(format);
            let context = Context::new();
            let mut page = Page { report, context, stats: stats.as_deref_mut() };
            let read = input::scan(&finder, path, opened, &mut page, |_| Ok(()))?;
            let how = |summary| input::how(summary, format, why);
            report.file(path, &read.summary().map_or(UNREADABLE.to_owned(), how));
            if let Some(summary) = read.summary().filter(|_| args.scan.verbose) {
                input::report_charset(path, summary, format, why);
            }
            input::report_overlong(path, read.overlong(), args.scan.max_len);
            stats.iter_mut().for_each(|stats| stats.document(read.summary(), format));
            Ok(read.is_whole())
        }
    }
}

/// What the links of all inputs make.
#[derive(Debug, Default)]
struct Report {
    limit: u64,
    links: u64,
    files: u64,
    /// Of the input that is being read.
    here: u64,
    /// The last links of it, all lists before, and sections of the inputs before.
    list: Html,
    full: Html,
    sections: Html,
    schemes: BTreeMap<String, u64>,
    hosts: BTreeMap<String, u64>,
    warnings: BTreeMap<String, u64>,
}

impl Report {
    /// A link of the input that is being read.
    fn link(&mut self, seen: &Seen) {
        self.links += 1;
        self.here += 1;
        let none = || "(none)".to_owned();
        *self.schemes.entry(seen.scheme.clone().unwrap_or_else(none)).or_default() += 1;
        let host = seen.host.as_ref().filter(|host| !host.is_empty());
        let host = host.map_or_else(none, |host| host.to_lowercase());
        let known = self.hosts.len() < HOSTS_MAX || self.hosts.contains_key(&host);
        let host = if known { host } else { "(others)".to_owned() };
        *self.hosts.entry(host).or_default() += 1;
        let left = seen.uri.is_err().then_some(NO_URI);
        for warning in seen.warnings.iter().map(|warning| warning.as_str()).chain(left) {
            *self.warnings.entry(warning.to_owned()).or_default() += 1;
        }
        if self.links <= self.limit {
            self.list.link(seen, self.links);
            if self.here.is_multiple_of(FULL) {
                let list = mem::take(&mut self.list);
                self.full.list("<ol class=full>\n", &list);
            }
        }
    }

    /// The input at `path` is over; `about` says how it was read.
    fn file(&mut self, path: &Path, about: &str) {
        self.files += 1;
        let links = mem::take(&mut self.here);
        let (full, list) = (mem::take(&mut self.full), mem::take(&mut self.list));
        let out = &mut self.sections;
        out.tag("<section class=file>\n<h2><bdi>");
        out.text(&path.to_string_lossy());
        out.tag("</bdi></h2>\n<p class=soft>");
        out.text(&format!("{about}; {}", input::plural(links, "link")));
        out.tag("</p>\n");
        out.0 += &full.0;
        out.list("<ol>\n", &list);
        out.tag("</section>\n");
    }

    /// The page.
    fn into_page(self) -> String {
        let mut out = Html::default();
        out.tag("<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n");
        let _ = writeln!(
            out.0,
            "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; \
             style-src '{STYLE_DIGEST}'; script-src '{SCRIPT_DIGEST}'; base-uri 'none'; \
             form-action 'none'\">"
        );
        // They hold for every link, so that none needs a `rel`.
        out.tag("<meta name=referrer content=no-referrer>\n");
        out.tag("<meta name=robots content=\"noindex, nofollow\">\n");
        out.tag("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n");
        let title = format!(
            "{} in {}",
            input::plural(self.links, "link"),
            input::plural(self.files, "document")
        );
        out.tag("<title>");
        out.text(&title);
        let _ = write!(out.0, "</title>\n<style>{STYLE}</style>\n<body>\n<header>\n<h1>");
        out.text(&title);
        out.tag(
            "</h1>\n<p class=soft>by iriscan; nothing was fetched, and no link was tried</p>\n",
        );
        if self.links > self.limit {
            out.tag("<p><em>");
            out.text(&format!(
                "only the first {} are shown; all are counted (--limit)",
                input::plural(self.limit, "link")
            ));
            out.tag("</em></p>\n");
        }
        out.tag("<div class=charts>\n");
        out.chart("Hosts", &self.hosts);
        out.chart("Schemes", &self.schemes);
        out.chart(WARNINGS, &self.warnings);
        out.tag("</div>\n</header>\n<main>\n");
        out.tag(TOOLS);
        out.tag("<noscript>\n");
        // The links may be most of the memory: they are not copied once more.
        let mut page = self.sections.0;
        page.insert_str(0, &out.0);
        let mut out = Html(page);
        out.tag("</noscript>\n<div id=list></div>\n");
        out.tag(PAGES);
        let _ = writeln!(out.0, "</main>\n<script>{SCRIPT}</script>");
        out.0
    }
}

/// What only works with the script, which shows it.
const TOOLS: &str = "<div id=tools hidden>\n\
    <label>Filter <input id=filter type=search autocomplete=off></label>\n\
    <label>Sort <select id=sort><option value=\"\">as in the documents\
    <option value=host>by host<option value=scheme>by scheme</select></label>\n\
    <label><input id=warned type=checkbox autocomplete=off> only with warnings</label>\n\
    <output id=hits></output>\n\
    <button id=clear type=button hidden>show all</button>\n\
    <span class=pages hidden><button type=button value=first>First</button> \
    <button type=button value=previous>Previous</button><span></span>\
    <button type=button value=next>Next</button> \
    <button type=button value=last>Last</button></span>\n</div>\n";

/// The same below the links.
const PAGES: &str = "<p class=pages hidden><button type=button value=previous>Previous</button>\
    <span></span><button type=button value=next>Next</button></p>\n";

/// The scheme that `text` begins with, as the script takes it from the text of a link.
fn scheme_of(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let mut bytes = scheme.bytes();
    let letter = bytes.next()?.is_ascii_alphabetic();
    let others = bytes.all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b));
    (letter && others).then_some(scheme)
}

/// HTML that is complete so far.
#[derive(Debug, Default)]
struct Html(String);

impl Html {
    /// Markup of ours.
    fn tag(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// Text that may hold anything: markup, controls and bidi controls are escaped.
    /// It is right in an attribute's value between `"` too.
    fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.tag("&amp;"),
                '<' => self.tag("&lt;"),
                '>' => self.tag("&gt;"),
                '"' => self.tag("&quot;"),
                '\'' => self.tag("&#39;"),
                '\t' => self.tag(" "),
                '\n' | '\r' => self.tag("⏎"),
                c => self.0 += &input::shown(c.encode_utf8(&mut [0; 4])),
            }
        }
    }

    /// Links that are complete.
    fn list(&mut self, start: &'static str, links: &Html) {
        self.tag(start);
        self.0 += &links.0;
        self.tag("</ol>\n");
    }

    /// A link, on one line: there may be very many, so that every byte of markup counts. What
    /// the script needs and the text does not show is in attributes.
    fn link(&mut self, seen: &Seen, number: u64) {
        let _ = write!(self.0, "<li id=l{number}");
        let host = seen.host.as_deref().filter(|host| !host.is_empty());
        let range = seen.host_range();
        if let Some(host) = host.filter(|_| range.is_none()) {
            self.tag(" data-h=\"");
            self.text(host);
            self.tag("\"");
        }
        let scheme = scheme_of(&seen.text).map(str::to_ascii_lowercase);
        if scheme != seen.scheme {
            self.tag(" data-s=\"");
            self.text(seen.scheme.as_deref().unwrap_or_default());
            self.tag("\"");
        }
        self.tag("><i>");
        self.text(&match &seen.place {
            Some(place) => format!("{} ({place})", seen.line),
            None => seen.line.to_string(),
        });
        self.tag("</i> <p>");
        let far = seen.before.char_indices().rev().nth(NEAR).map(|(at, c)| at + c.len_utf8());
        if let Some(far) = far {
            self.tag("…");
            self.text(&seen.before[far..]);
        } else {
            self.text(seen.before.trim_start());
        }
        self.tag("<a");
        if let Some(href) = seen.opens() {
            self.tag(" href=\"");
            self.text(href);
            self.tag("\"");
        }
        self.tag(if show::is_right_to_left(&seen.text) { " dir=ltr>" } else { ">" });
        match range {
            Some(host) => {
                self.text(&seen.text[..host.start]);
                self.tag("<b>");
                self.text(&seen.text[host.clone()]);
                self.tag("</b>");
                self.text(&seen.text[host.end..]);
            }
            None => self.text(&seen.text),
        }
        self.tag("</a>");
        match seen.behind.char_indices().nth(NEAR) {
            Some((far, _)) => {
                self.text(&seen.behind[..far]);
                self.tag("…");
            }
            None => self.text(seen.behind.trim_end()),
        }
        match &seen.uri {
            Ok(uri) if *uri != seen.text => {
                self.tag("<div>");
                self.text(uri);
                self.tag("</div>");
            }
            Ok(_) => {}
            Err(why) => {
                self.tag("<div class=why><em>");
                self.tag(NO_URI);
                self.tag("</em> ");
                self.text(why);
                self.tag("</div>");
            }
        }
        if !seen.warnings.is_empty() {
            self.tag("<div class=why>");
            for warning in &seen.warnings {
                self.tag("<em>");
                self.text(warning.as_str());
                self.tag("</em> ");
            }
            self.tag("</div>");
        }
        self.tag("\n");
    }

    /// The most frequent of `counts`, with bars.
    fn chart(&mut self, title: &'static str, counts: &BTreeMap<String, u64>) {
        let mut rows: Vec<(&String, u64)> = counts.iter().map(|(name, n)| (name, *n)).collect();
        rows.sort_unstable_by_key(|(name, n)| (std::cmp::Reverse(*n), *name));
        let Some(most) = rows.first().map(|row| row.1) else { return };
        self.tag("<section><h3>");
        self.text(title);
        self.tag("</h3>\n<div class=rows><table>\n");
        for (name, n) in rows.iter().take(ROWS) {
            // A host may have any length.
            let short = name.char_indices().nth(NAME).map_or(&***name, |(at, _)| &name[..at]);
            if short.len() < name.len() {
                self.tag("<tr data-key=\"");
                self.text(name);
                self.tag("\"><td><bdi dir=ltr>");
                self.text(short);
                self.tag("…</bdi>");
            } else {
                self.tag("<tr><td><bdi dir=ltr>");
                self.text(name);
                self.tag("</bdi>");
            }
            if title == WARNINGS {
                self.tag(" <small>");
                self.text(meaning(name));
                self.tag("</small>");
            }
            let _ = writeln!(
                self.0,
                "<td class=count>{n}<td class=chart><svg viewBox=\"0 0 100 8\" \
                 preserveAspectRatio=none aria-hidden=true><rect width={} height=8 /></svg>",
                (100 * n / most).max(1),
            );
        }
        self.tag("</table>\n");
        if rows.len() > ROWS {
            self.tag("<p class=soft>");
            self.text(&format!("and {} more", rows.len() - ROWS));
            self.tag("</p>\n");
        }
        self.tag("</div></section>\n");
    }
}

/// A warning, by its name, for somebody who does not know it.
fn meaning(name: &str) -> &'static str {
    let warning = Warning::ALL.iter().find(|warning| warning.as_str() == name);
    warning.map_or("no browser or mail program can be given it", |warning| show::words(*warning))
}

/// Takes the links of a document.
struct Page<'r> {
    report: &'r mut Report,
    context: Context,
    stats: Option<&'r mut Stats>,
}

/// Puts each link into `report`.
fn taker(report: &mut Report) -> impl FnMut(Seen) -> io::Result<()> {
    |seen| {
        report.link(&seen);
        Ok(())
    }
}

impl Sink for Page<'_> {
    type Error = io::Error;

    fn charset(&mut self, charset: Charset, _: Basis) -> io::Result<()> {
        self.context.charset(charset);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.context.text(bytes, &mut taker(self.report))
    }

    fn matched(&mut self, link: &Match<'_>) -> io::Result<()> {
        if let Some(stats) = &mut self.stats {
            stats.link(link);
        }
        self.context.link(link, &mut taker(self.report))
    }

    fn finish(&mut self, _: &Summary) -> io::Result<()> {
        self.context.finish(&mut taker(self.report))
    }
}
