//! The options that choose among the links, for `find`, `rewrite` and `report`.

use std::path::PathBuf;

use clap::Args;

/// Which of the links that are found count.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Which links")]
pub(crate) struct ChoosingArgs {
    /// Only links with a host like *.example.org
    ///
    /// `*` matches any characters, `?` matches one; `*.example.org` does not match `example.org`.
    /// An internationalised host matches in either form. Links without a host are left out. May
    /// be given again; one match is enough. If several options choose, a link must pass all of
    /// them. The other links count as text: `rewrite` leaves them as they are.
    #[arg(long, value_name = "GLOB")]
    pub(crate) only_host: Vec<String>,
    /// No links with such a host; may be given again
    #[arg(long, value_name = "GLOB", hide_short_help = true)]
    pub(crate) not_host: Vec<String>,
    /// Only links with a host of this list, or below one
    ///
    /// One host a line; a line covers itself and what is below. Lines of hosts files
    /// (`0.0.0.0 ads.example`) and rules of blockers for a host (`||ads.example^`) are read too,
    /// `*.example.org` covers only what is below, and `#`, `!` and `;` begin comments. `-` is
    /// standard input. The list may have millions of lines; memory grows with it.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) hosts_from: Vec<PathBuf>,
    /// No links with a host of this list, or below one
    ///
    /// A list of hosts that are allowed: FILE is read as that of --hosts-from.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) not_hosts_from: Vec<PathBuf>,
    /// Only links whose IRI matches; may be given again
    ///
    /// The syntax is that of ripgrep; `(?i)` ignores case. Time is linear in the length of the
    /// link. One match is enough if the option is given again.
    #[arg(long = "match", value_name = "REGEX", hide_short_help = true)]
    pub(crate) matching: Vec<String>,
    /// No links whose IRI matches; may be given again
    #[arg(long = "not-match", value_name = "REGEX", hide_short_help = true)]
    pub(crate) not_matching: Vec<String>,
    /// Only links whose IRI contains a line of FILE
    ///
    /// Each line is taken literally; empty lines are left out. `-` is standard input. There may
    /// be many thousands.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) contains_from: Vec<PathBuf>,
    /// Only links that rewriting would change
    ///
    /// What `rewrite` leaves for the sake of a message, such as a signed one, counts too.
    #[arg(long, hide_short_help = true)]
    pub(crate) changed: bool,
    /// Only links that a person can follow
    ///
    /// In HTML and XML: links in running text, of `<a>` and `<area>`, and in feeds and site maps the
    /// text of `<link>`, `<guid>`, `<loc>` and the like. Images, scripts, style sheets, tracking pixels
    /// and other resources are left out, comments, and names of namespaces; in every format also parts of a
    /// message (`cid:`).
    #[arg(long, hide_short_help = true)]
    pub(crate) links_only: bool,
}

impl ChoosingArgs {
    /// True if one of the lists is standard input.
    pub(crate) fn reads_stdin(&self) -> bool {
        let lists = [&self.hosts_from, &self.not_hosts_from, &self.contains_from];
        lists.into_iter().flatten().any(|path| path.as_os_str() == "-")
    }
}
