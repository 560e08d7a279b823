//! `iriscan report`: one page of HTML with all links, where they stand and what to
//! know about them.
//!
//! Knows HTML; what a document holds is hostile. Invariant: of a document, nothing
//! reaches the page but through [`Html::text`]; the page fetches nothing, and runs no
//! script but the one here, which its policy names by its digest. It can be read
//! without that script.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write},
    mem,
    path::Path,
    process::ExitCode,
    time::Instant,
};

use iriscan::{Basis, Charset, Finder, Match, Sink, Summary};

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
const STYLE_DIGEST: &str = "sha256-G37Q6kaLED+rRPkJRoPfO8E/I0qCy581f16/XqYpkHI=";
const SCRIPT_DIGEST: &str = "sha256-2DXtjn6Jcb/jSzyA5vDPmvYoszD3LKdprmvMrqAUFZo=";

/// Characters shown before and behind a link.
const NEAR: usize = 80;

/// Rows of a chart.
const ROWS: usize = 15;

/// So many different hosts are counted apart.
const HOSTS_MAX: usize = 100_000;

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
    let page = report.page();
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
    /// Links of it, and sections of those before.
    list: Html,
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
        let host = seen.host.as_ref().map_or_else(none, |host| host.to_lowercase());
        let known = self.hosts.len() < HOSTS_MAX || self.hosts.contains_key(&host);
        let host = if known { host } else { "(others)".to_owned() };
        *self.hosts.entry(host).or_default() += 1;
        for warning in &seen.warnings {
            *self.warnings.entry(warning.as_str().to_owned()).or_default() += 1;
        }
        if self.links <= self.limit {
            self.list.link(seen);
        }
    }

    /// The input at `path` is over; `about` says how it was read.
    fn file(&mut self, path: &Path, about: &str) {
        self.files += 1;
        let links = mem::take(&mut self.here);
        let list = mem::take(&mut self.list);
        let out = &mut self.sections;
        out.tag("<section class=file>\n<h2><bdi>");
        out.text(&path.to_string_lossy());
        out.tag("</bdi></h2>\n<p class=soft>");
        out.text(&format!("{about}; {}", input::plural(links, "link")));
        out.tag("</p>\n<ol>\n");
        out.0 += &list.0;
        out.tag("</ol>\n</section>\n");
    }

    /// The page.
    fn page(&self) -> String {
        let mut out = Html::default();
        out.tag("<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n");
        let _ = writeln!(
            out.0,
            "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; \
             style-src '{STYLE_DIGEST}'; script-src '{SCRIPT_DIGEST}'; base-uri 'none'; \
             form-action 'none'\">"
        );
        out.tag("<meta name=referrer content=no-referrer>\n");
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
            out.tag("<p class=badge>");
            out.text(&format!(
                "only the first {} are shown; all are counted (--limit)",
                input::plural(self.limit, "link")
            ));
            out.tag("</p>\n");
        }
        out.tag("<div class=charts>\n");
        out.chart("Hosts", &self.hosts);
        out.chart("Schemes", &self.schemes);
        out.chart("Warnings", &self.warnings);
        out.tag("</div>\n<p hidden><label>Show only what holds <input id=filter type=search ");
        out.tag("autocomplete=off></label></p>\n</header>\n<main>\n");
        out.0 += &self.sections.0;
        let _ = writeln!(out.0, "</main>\n<script>{SCRIPT}</script>");
        out.0
    }
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

    fn link(&mut self, seen: &Seen) {
        self.tag("<li class=link>\n<span class=at>");
        self.text(&match &seen.place {
            Some(place) => format!("{} ({place})", seen.line),
            None => seen.line.to_string(),
        });
        self.tag("</span> <span class=line dir=auto><span class=near>");
        let far = seen.before.char_indices().rev().nth(NEAR).map(|(at, c)| at + c.len_utf8());
        if let Some(far) = far {
            self.tag("…");
            self.text(&seen.before[far..]);
        } else {
            self.text(&seen.before);
        }
        self.tag("</span><bdi>");
        let href = seen.opens();
        if let Some(href) = href {
            self.tag("<a rel=\"noreferrer noopener nofollow\" href=\"");
            self.text(href);
            self.tag("\">");
        }
        match seen.host_range() {
            Some(host) => {
                self.text(&seen.text[..host.start]);
                self.tag("<b>");
                self.text(&seen.text[host.clone()]);
                self.tag("</b>");
                self.text(&seen.text[host.end..]);
            }
            None => self.text(&seen.text),
        }
        if href.is_some() {
            self.tag("</a>");
        }
        self.tag("</bdi><span class=near>");
        match seen.behind.char_indices().nth(NEAR) {
            Some((far, _)) => {
                self.text(&seen.behind[..far]);
                self.tag("…");
            }
            None => self.text(&seen.behind),
        }
        self.tag("</span></span>\n");
        match &seen.uri {
            Ok(uri) if *uri != seen.text => {
                self.tag("<div class=uri dir=ltr>");
                self.text(uri);
                self.tag("</div>\n");
            }
            Ok(_) => {}
            Err(why) => {
                self.tag("<div class=warnings><span class=badge>no URI form</span> ");
                self.text(why);
                self.tag("</div>\n");
            }
        }
        if !seen.warnings.is_empty() {
            self.tag("<ul class=warnings>\n");
            for warning in &seen.warnings {
                self.tag("<li><span class=badge>");
                self.text(warning.as_str());
                self.tag("</span> ");
                self.text(show::words(*warning));
                self.tag("\n");
            }
            self.tag("</ul>\n");
        }
    }

    /// The most frequent of `counts`, with bars.
    fn chart(&mut self, title: &'static str, counts: &BTreeMap<String, u64>) {
        let mut rows: Vec<(&String, u64)> = counts.iter().map(|(name, n)| (name, *n)).collect();
        rows.sort_unstable_by_key(|(name, n)| (std::cmp::Reverse(*n), *name));
        let Some(most) = rows.first().map(|row| row.1) else { return };
        self.tag("<section><h3>");
        self.text(title);
        self.tag("</h3>\n<table>\n");
        for (name, n) in rows.iter().take(ROWS) {
            self.tag("<tr><td><bdi>");
            // A host may have any length.
            let short: String = name.chars().take(NEAR).collect();
            self.text(&short);
            self.tag(if short.len() < name.len() { "…</bdi>" } else { "</bdi>" });
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
        self.tag("</section>\n");
    }
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
