//! The page of `iriscan report`: all links in HTML, with their context and their warnings.
//!
//! In go links and the inputs they are from; out comes one page. What must hold: text of a
//! document reaches the page through [`Html::text`] only; the page fetches nothing, and runs no
//! script but the one here, because its policy names that one by its digest.
//!
//! All links are in one `<noscript>`, each on a line of its own. A browser without scripts shows
//! it like any other element. A browser with scripts takes it as one text, which costs next to
//! nothing, and the script shows 200 links of it at a time.

use std::{collections::BTreeMap, fmt::Write as _, mem, path::Path};

use iriscan::{Uri, UriError, Viewer, Warning};

use super::{
    context::{ShownLink, may_open, opened},
    parts::Parts,
    terminal::is_right_to_left,
    warnings,
};
use crate::messages::text::{plural, shown};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The digests of both, for the policy of the page. A test compares them.
const STYLE_DIGEST: &str = "sha256-JIikeTbk8OtGVh4xgotArJsBY6t0zLQMXoiLb/OALSM=";
const SCRIPT_DIGEST: &str = "sha256-L1Rs3pXsIKIdVkfU/ifnXQ/m4lgkf6z0ulKAyn5EzoY=";

/// The characters that are shown before and after a link.
const NEAR: usize = 32;

/// The links of a full list. A browser without scripts can guess the height of a full list and
/// lays it out only when it is scrolled to: 100,000 links take 3 s instead of 15.
const FULL: u64 = 200;

/// The most characters of a name in a chart.
const NAME: usize = 80;

/// The most rows of a chart.
const ROWS: usize = 100;

/// The most hosts that are counted separately.
const HOSTS_MAX: usize = 100_000;

/// The title of the chart whose names are explained.
const WARNINGS: &str = "Warnings";

/// A link without a URI form is counted and shown like a warning.
const NO_URI: &str = "no URI form";

/// The note about an input that could not be read.
pub(crate) const UNREADABLE: &str = "could not be read";

/// The links of all inputs, on their way into the page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The most links that are shown.
    limit: u64,
    /// The links and the inputs so far.
    links: u64,
    files: u64,
    /// The links of the input that is being read.
    here: u64,
    html: Sections,
    charts: Charts,
    /// Each host is mapped and judged once.
    viewer: Viewer,
}

/// The HTML of the links.
#[derive(Debug, Default)]
struct Sections {
    /// Links of the input that is being read, which do not fill a list yet.
    list: Html,
    /// Its full lists.
    full: Html,
    /// The sections of the inputs before.
    done: Html,
}

/// What is computed once of a link.
struct Facts<'l> {
    parts: Parts<'l>,
    scheme: Option<String>,
    uri: Result<Uri<'l>, UriError>,
    warnings: Vec<Warning>,
}

/// The numbers of links by scheme, host and warning.
#[derive(Debug, Default)]
struct Charts {
    schemes: BTreeMap<String, u64>,
    hosts: BTreeMap<String, u64>,
    warnings: BTreeMap<String, u64>,
}

impl Charts {
    fn count(&mut self, facts: &Facts<'_>) {
        let none = || "(none)".to_owned();
        *self.schemes.entry(facts.scheme.clone().unwrap_or_else(none)).or_default() += 1;
        let host = Some(facts.parts.host.to_lowercase()).filter(|host| !host.is_empty());
        let host = host.unwrap_or_else(none);
        let known = self.hosts.len() < HOSTS_MAX || self.hosts.contains_key(&host);
        let host = if known { host } else { "(others)".to_owned() };
        *self.hosts.entry(host).or_default() += 1;
        let no_uri = facts.uri.is_err().then_some(NO_URI);
        for warning in facts.warnings.iter().map(|warning| warning.as_str()).chain(no_uri) {
            *self.warnings.entry(warning.to_owned()).or_default() += 1;
        }
    }
}

impl Page {
    /// A page that shows up to `limit` links.
    pub(crate) fn new(limit: u64) -> Page {
        Page { limit, ..Page::default() }
    }

    /// True if it has no link.
    pub(crate) fn is_empty(&self) -> bool {
        self.links == 0
    }

    /// Adds a link of the input that is being read.
    pub(crate) fn link(&mut self, link: &ShownLink<'_>) {
        self.links += 1;
        self.here += 1;
        let found = &link.link;
        let display = self.viewer.display(found);
        let parts = Parts::split(&display, found.kind());
        let uri = self.viewer.uri(found);
        let (scheme, warnings) = (found.scheme(), self.viewer.warnings(found));
        let facts = Facts { parts, scheme, uri, warnings };
        self.charts.count(&facts);
        if self.links <= self.limit {
            self.html.list.link(link, &facts, self.links);
            if self.here.is_multiple_of(FULL) {
                let list = mem::take(&mut self.html.list);
                self.html.full.list("<ol class=full>\n", &list);
            }
        }
    }

    /// Ends the section of the input at `path`. `about` says how it was read.
    pub(crate) fn end_input(&mut self, path: &Path, about: &str) {
        self.files += 1;
        let links = mem::take(&mut self.here);
        let (full, list) = (mem::take(&mut self.html.full), mem::take(&mut self.html.list));
        let out = &mut self.html.done;
        out.tag("<section class=file>\n<h2><bdi>");
        out.text(&path.to_string_lossy());
        out.tag("</bdi></h2>\n<p class=soft>");
        out.text(&format!("{about}; {}", plural(links, "link")));
        out.tag("</p>\n");
        out.0 += &full.0;
        out.list("<ol>\n", &list);
        out.tag("</section>\n");
    }

    /// The whole page.
    pub(crate) fn into_html(self) -> String {
        let mut out = Html::default();
        out.tag("<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n");
        let _ = writeln!(
            out.0,
            "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; \
             style-src '{STYLE_DIGEST}'; script-src '{SCRIPT_DIGEST}'; base-uri 'none'; \
             form-action 'none'\">"
        );
        // These apply to every link, so that no link needs a `rel`.
        out.tag("<meta name=referrer content=no-referrer>\n");
        out.tag("<meta name=robots content=\"noindex, nofollow\">\n");
        out.tag("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n");
        let title = format!("{} in {}", plural(self.links, "link"), plural(self.files, "document"));
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
                plural(self.limit, "link")
            ));
            out.tag("</em></p>\n");
        }
        out.tag("<div class=charts>\n");
        out.chart("Hosts", &self.charts.hosts);
        out.chart("Schemes", &self.charts.schemes);
        out.chart(WARNINGS, &self.charts.warnings);
        out.tag("</div>\n</header>\n<main>\n");
        out.tag(TOOLS);
        out.tag("<noscript>\n");
        // The links may be most of the memory, so they are not copied once more.
        let mut page = self.html.done.0;
        page.insert_str(0, &out.0);
        let mut out = Html(page);
        out.tag("</noscript>\n<div id=list></div>\n");
        out.tag(PAGES);
        let _ = writeln!(out.0, "</main>\n<script>{SCRIPT}</script>");
        out.0
    }
}

/// The tools that need the script. They are hidden until the script shows them.
const TOOLS: &str = "<div id=tools role=search hidden>\n\
    <label>Filter <input id=filter type=search autocomplete=off></label>\n\
    <label>Sort <select id=sort><option value=\"\">as in the documents\
    <option value=host>by host<option value=scheme>by scheme</select></label>\n\
    <label><input id=warned type=checkbox autocomplete=off> only with warnings</label>\n\
    <output id=hits></output>\n\
    <button id=clear type=button hidden>show all</button>\n\
    <span class=pages role=group aria-label=Pages hidden><button type=button value=first>First</button> \
    <button type=button value=previous>Previous</button><span></span>\
    <button type=button value=next>Next</button> \
    <button type=button value=last>Last</button></span>\n</div>\n";

/// The buttons to turn pages, again below the links.
const PAGES: &str = "<p class=pages role=group aria-label=\"Pages, below the links\" hidden><button type=button value=previous>Previous</button>\
    <span></span><button type=button value=next>Next</button></p>\n";

/// The scheme at the start of `text`. The script takes it from the text of a link in the same
/// way.
fn scheme_of(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let mut bytes = scheme.bytes();
    let letter = bytes.next()?.is_ascii_alphabetic();
    let others = bytes.all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b));
    (letter && others).then_some(scheme)
}

/// A piece of HTML.
#[derive(Debug, Default)]
struct Html(String);

impl Html {
    /// Adds markup of this program.
    fn tag(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// Adds any text. Markup, controls and bidi controls are escaped, so that the text can be in
    /// an element, or in an attribute's value between `"`.
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
                c => self.0 += &shown(c.encode_utf8(&mut [0; 4])),
            }
        }
    }

    /// Adds a list of links.
    fn list(&mut self, start: &'static str, links: &Html) {
        self.tag(start);
        self.0 += &links.0;
        self.tag("</ol>\n");
    }

    /// Adds a link, on one line. There is little markup, because there may be very many links.
    /// Attributes have what the script needs and cannot take from the text.
    fn link(&mut self, link: &ShownLink<'_>, facts: &Facts<'_>, number: u64) {
        let Facts { parts, scheme: actual, .. } = facts;
        let _ = write!(self.0, "<li id=l{number}");
        let text = parts.text();
        let scheme = scheme_of(&text).map(str::to_ascii_lowercase);
        if scheme != *actual {
            self.tag(" data-s=\"");
            self.text(actual.as_deref().unwrap_or_default());
            self.tag("\"");
        }
        self.tag("><i>");
        self.text(&match &link.place {
            Some(place) => format!("{} ({place})", link.line),
            None => link.line.to_string(),
        });
        self.tag("</i> <p>");
        let far = link.before.char_indices().rev().nth(NEAR).map(|(at, c)| at + c.len_utf8());
        if let Some(far) = far {
            self.tag("…");
            self.text(&link.before[far..]);
        } else {
            self.text(link.before.trim_start());
        }
        self.tag("<a");
        if let Some(href) = opened(&link.link, &facts.uri).filter(|open| may_open(open)) {
            self.tag(" href=\"");
            self.text(&href);
            self.tag("\"");
        }
        self.tag(if is_right_to_left(&text) { " dir=ltr>" } else { ">" });
        self.text(&parts.before);
        if !parts.host.is_empty() {
            self.tag("<b>");
            self.text(&parts.host);
            self.tag("</b>");
        }
        self.text(&parts.after);
        self.tag("</a>");
        match link.after.char_indices().nth(NEAR) {
            Some((far, _)) => {
                self.text(&link.after[..far]);
                self.tag("…");
            }
            None => self.text(link.after.trim_end()),
        }
        self.remarks(facts, &text);
        self.tag("\n");
    }

    /// Adds the URI of a link if it differs from `shown`, or the reason why it has no URI form, and
    /// the warnings.
    fn remarks(&mut self, facts: &Facts<'_>, shown: &str) {
        match &facts.uri {
            Ok(uri) if uri.as_str() != shown => {
                self.tag("<div>");
                self.text(uri.as_str());
                self.tag("</div>");
            }
            Ok(_) => {}
            Err(why) => {
                self.tag("<div class=why><em>");
                self.tag(NO_URI);
                self.tag("</em> ");
                self.text(&why.to_string());
                self.tag("</div>");
            }
        }
        if !facts.warnings.is_empty() {
            self.tag("<div class=why>");
            for warning in &facts.warnings {
                self.tag("<em>");
                self.text(warning.as_str());
                self.tag("</em> ");
            }
            self.tag("</div>");
        }
    }

    /// Adds a chart of the largest of `counts`, with bars.
    fn chart(&mut self, title: &'static str, counts: &BTreeMap<String, u64>) {
        let mut rows: Vec<(&String, u64)> = counts.iter().map(|(name, n)| (name, *n)).collect();
        rows.sort_unstable_by_key(|(name, n)| (std::cmp::Reverse(*n), *name));
        let Some(most) = rows.first().map(|row| row.1) else { return };
        self.tag("<section><h2>");
        self.text(title);
        self.tag("</h2>\n<div class=rows tabindex=0 role=region aria-label=");
        self.text(title);
        self.tag("><table>\n<thead class=unseen><tr><th scope=col>");
        self.text(title.strip_suffix('s').unwrap_or(title));
        self.tag("<th scope=col>Links<td><tbody>\n");
        for (name, n) in rows.iter().take(ROWS) {
            // A host may be very long.
            let short = name.char_indices().nth(NAME).map_or(&***name, |(at, _)| &name[..at]);
            if short.len() < name.len() {
                self.tag("<tr data-key=\"");
                self.text(name);
                self.tag("\"><th scope=row><bdi dir=ltr>");
                self.text(short);
                self.tag("…</bdi>");
            } else {
                self.tag("<tr><th scope=row><bdi dir=ltr>");
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

/// The warning with this name, in words.
fn meaning(name: &str) -> &'static str {
    let warning = Warning::ALL.iter().find(|warning| warning.as_str() == name);
    warning.map_or("no browser or mail program can be given it", |warning| {
        warnings::in_words(*warning)
    })
}
