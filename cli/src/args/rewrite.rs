//! The options of `iriscan rewrite`, and its help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use iriscan::{Field, Filter, LinkEdit, LinkEditError, Rewrite, Template};

use super::{
    scan::{ScanArgs, schemes_help},
    values::ColorArg,
};

pub(super) const EXAMPLES: &str = "Examples:\n  \
     iriscan rewrite --replace '<URL>' old.txt  a placeholder for every link\n  \
     iriscan rewrite --replace '[{host}]' --format html page > new.html\n  \
     iriscan rewrite --defang mail.txt          hxxp[:]//host[.]example/…\n  \
     iriscan rewrite --set host=new.example --only-host old.example -i site\n  \
     iriscan rewrite --drop-query 'utm_*' page.html\n  \
     iriscan rewrite old.txt > new.txt\n  \
     iriscan rewrite --to iri --targets access.log  %C3%A9 becomes é again\n  \
     tail -f access.log | iriscan rewrite --line-buffered  line by line\n  \
     iriscan rewrite --charset shift_jis --query utf-8 page.txt\n  \
     iriscan rewrite --diff old.txt             see what would change\n  \
     iriscan rewrite --check *.txt              exit 1 if anything would change\n  \
     iriscan rewrite --in-place=.bak *.txt      the files; the old ones are kept\n  \
     iriscan rewrite -i docs                    all files of a folder\n  \
     iriscan rewrite -z -o new.docx old.docx    the texts in a zip container\n  \
     iriscan rewrite --not-host '*.example.org' old.txt\n\n";

pub(super) fn help() -> String {
    format!(
        "Exit status: 0; 1 with --check if anything would change; 2 trouble with any \
         input. A link whose host has no ASCII form stays as it is: one line on standard \
         error counts them, -v names each.\n\n{}",
        schemes_help(),
    )
}

#[derive(Args, Debug)]
#[command(next_help_heading = "What to write")]
pub(crate) struct RewriteArgs {
    /// Rewrite the files themselves; SUFFIX keeps old ones
    ///
    /// A file is replaced by a new one, made beside it, in one step: killed at any moment,
    /// it is old or new. The new one has its mode, and its owner and group where that is
    /// permitted; on Linux, its access list and extended attributes of users too; its time
    /// of change is now; other hard links keep the old one. Of a symbolic link, the file
    /// that it leads to is rewritten. Files that do not change are not touched. A file that
    /// cannot be read to its end, or that somebody else changes meanwhile, stays as it is.
    ///
    /// With SUFFIX, the old file is kept under its name and the suffix. A backup replaces
    /// no file: if an input or another file has that name, the file stays as it is, and
    /// the exit status is 2. Files of folders whose names end in SUFFIX are left out (-v
    /// names them). All inputs must be known, so a list of --files-from is read to its end
    /// first. A file that is changed twice in one run has the backup from before the run.
    #[arg(
        short,
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = suffix,
        conflicts_with_all = ["check", "diff"],
    )]
    pub(crate) in_place: Option<String>,
    /// Write the new form of one input to FILE
    ///
    /// FILE is written in one step: killed at any moment, it is old or new. An input that cannot be read to its end
    /// writes nothing. With -z, what was compressed is compressed again, and a zip container is one again.
    #[arg(
        short,
        long,
        value_name = "FILE",
        conflicts_with_all = ["in_place", "check", "diff"],
        hide_short_help = true
    )]
    pub(crate) output: Option<PathBuf>,
    /// What links become: URIs, or readable IRIs
    ///
    /// `iri`: escapes are decoded as far as the link is found whole again and maps back to the same
    /// URI, up to the case of hexadecimal digits; a link for which nothing can be decoded so stays
    /// and is counted on standard error. What the charset lacks stays encoded. --host unicode decodes
    /// the labels of hosts too. In text, logs and Turtle the charset counts as UTF-8 as long as all
    /// bytes are ASCII; files are looked through for another one first, a pipe is not.
    #[arg(
        long,
        value_name = "FORM",
        default_value = "uri",
        conflicts_with_all = ["replace", "defang"]
    )]
    pub(crate) to: ToArg,
    /// Write this text in place of each link: `<URL>`
    ///
    /// Every link is replaced, ASCII or not. Fields are {uri} {iri} {open} {absolute} {text} {host}
    /// {domain} {scheme} {kind} {path} {query} {fragment} {userinfo} {port} {display} {n}; {{ and }} are braces. {scheme:} {userinfo@}
    /// {:port} {?query} {#fragment} bring their mark, and nothing if the link lacks them. {path}, {query}, {fragment} and
    /// {host} are those of the IRI, {n} counts from 1 in each input. A link that lacks {uri},
    /// {open} or {absolute}, if the template has it, stays and is counted on standard error; of another field
    /// that it lacks, nothing is written. The text is escaped as the format wants it and written in
    /// the charset of the document; a character that this lacks gets the escape of the format, or
    /// becomes `?`, which is counted too. While all bytes are ASCII, that holds for every
    /// character that is not ASCII, unless --charset names the charset.
    #[arg(long, value_name = "TEMPLATE", value_parser = template)]
    pub(crate) replace: Option<Template>,
    /// Write links so that no program opens them: `hxxp[:]//host[.]example/…`
    #[arg(long, conflicts_with = "replace", hide_short_help = true)]
    pub(crate) defang: bool,
    /// Change one part of each link: `host=new.example`
    ///
    /// PART=VALUE is host=, scheme= or port=; `port=` alone takes the port away. May be given again. The rest of
    /// the link keeps its bytes. `scheme=https` drops the default port of the old scheme. Links without a host
    /// stay. Host and scheme would change the links of all sites, so they need --only-host, --hosts-from,
    /// --contains-from or --match. A link that cannot have the new part where it is stays and is counted on standard error.
    #[arg(
        long,
        value_name = "PART=VALUE",
        conflicts_with_all = ["replace", "defang", "to"]
    )]
    pub(crate) set: Vec<String>,
    /// Change the start of paths: `/blog /news`
    ///
    /// A path that begins with OLD begins with NEW instead. `/blog` is the start of `/blog` and `/blog/x`, and not
    /// of `/blogs`. Of several, the first one that fits counts. Relative links are changed too if they begin
    /// with `/`. NEW may be empty.
    #[arg(
        long,
        value_names = ["OLD", "NEW"],
        num_args = 2,
        conflicts_with_all = ["replace", "defang", "to"],
        hide_short_help = true
    )]
    pub(crate) path_prefix: Vec<String>,
    /// Leave out parameters of queries: `utm_*`
    ///
    /// GLOB is for the whole name of a parameter; `*` matches any characters, `?` matches one. May be given
    /// again. If no parameter is left, the question mark goes too.
    #[arg(
        long,
        value_name = "GLOB",
        conflicts_with_all = ["replace", "defang", "to"],
        hide_short_help = true
    )]
    pub(crate) drop_query: Vec<String>,
    /// Rewrite identifiers of RDF and keys of PO too
    ///
    /// References of Turtle, N-Triples, N-Quads and TriG, those in attributes of RDF/XML, and links of JSON-LD name
    /// things, and stay unless told: rewritten, they would name others (RFC 3987, section 5.3.1). So do links of
    /// import maps and speculation rules in scripts of HTML; keys of an import map stay always. In PO, `msgid`,
    /// `msgid_plural` and `msgctxt` stay, because programs ask for a translation by them. Identifiers that would
    /// change are counted on standard error.
    #[arg(long, hide_short_help = true)]
    pub(crate) identifiers: bool,
    /// Write nothing; exit 1 if anything would change
    ///
    /// With several inputs, or with -v, the inputs that would change are named on standard
    /// error.
    #[arg(long)]
    pub(crate) check: bool,
    /// Show what would change, as a unified diff
    ///
    /// Decoded to UTF-8. Each input is held in memory.
    #[arg(long)]
    pub(crate) diff: bool,
    /// Colour the diff: auto, always, never
    ///
    /// Control characters in it are escaped.
    /// `auto`: on a terminal, unless NO_COLOR is set or TERM is dumb.
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub(crate) color: ColorArg,
    /// Rewrite signed mail and containers too, and so break their signatures
    #[arg(long, hide_short_help = true)]
    pub(crate) even_signed: bool,
    #[command(flatten)]
    pub(crate) scan: ScanArgs,
}

/// The value of `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToArg {
    /// ASCII (RFC 3987, section 3.1)
    Uri,
    /// Readable (RFC 3987, section 3.2)
    Iri,
}

impl RewriteArgs {
    /// Whether links become IRIs.
    pub(crate) fn to_iri(&self) -> bool {
        self.to == ToArg::Iri
    }

    /// What replaces each link.
    ///
    /// # Errors
    ///
    /// `--host` has a value for the other direction.
    pub(crate) fn rewrite(&self) -> Result<Rewrite, String> {
        let labels = self.scan.rules.labels(self.to_iri())?;
        let edit = self.edit()?;
        let other = self.replace.is_some() || self.defang || self.to_iri() || edit.is_some();
        if self.scan.rules.refang && other {
            let what =
                "--refang says what links become; leave out --replace, --defang, --set and --to";
            return Err(what.into());
        }
        if let Some(edit) = edit {
            return Ok(Rewrite::Edit(edit));
        }
        Ok(match &self.replace {
            _ if self.scan.rules.refang => Template::refang().into(),
            _ if self.defang => Template::defang().into(),
            Some(template) => template.clone().into(),
            None if self.to_iri() => Rewrite::Iri(labels),
            None => Rewrite::Uri,
        })
    }

    /// The parts of links that change, if any does.
    ///
    /// # Errors
    ///
    /// A value that is no such part.
    fn edit(&self) -> Result<Option<LinkEdit>, String> {
        let said = |option: &str, e: LinkEditError| format!("{option}: {e}");
        let mut edit = LinkEdit::new();
        for part in &self.set {
            edit = edit.set(part).map_err(|e| said("--set", e))?;
        }
        for pair in self.path_prefix.chunks_exact(2) {
            edit = edit.path_prefix(&pair[0], &pair[1]).map_err(|e| said("--path-prefix", e))?;
        }
        for glob in &self.drop_query {
            edit = edit.drop_query(glob).map_err(|e| said("--drop-query", e))?;
        }
        Ok((edit != LinkEdit::new()).then_some(edit))
    }

    /// Refuses to give the links of all sites one host or one scheme.
    ///
    /// # Errors
    ///
    /// Host or scheme change, and no option says of which links.
    pub(crate) fn check_chosen(&self, filter: Option<&Filter>) -> Result<(), String> {
        let part = self.set.iter().filter_map(|part| part.split_once('=')).map(|(name, _)| name);
        let Some(part) = part.into_iter().find(|name| matches!(*name, "host" | "scheme")) else {
            return Ok(());
        };
        let chosen = filter.is_some_and(|it| {
            it.get_only_host().next().is_some()
                || !it.get_hosts_from().is_empty()
                || !it.get_matching().is_empty()
                || it.get_contains().is_some()
        });
        if chosen {
            return Ok(());
        }
        Err(format!(
            "--set {part}= would change the links of all sites; choose some with --only-host, \
             --hosts-from or --match"
        ))
    }

    /// True if the text for a link depends on how many links are before it.
    pub(crate) fn numbers_links(&self) -> bool {
        self.replace.as_ref().is_some_and(|template| template.fields().any(|f| f == Field::N))
    }
}

/// The template of `--replace`.
fn template(text: &str) -> Result<Template, String> {
    Template::new(text).map_err(|e| e.to_string())
}

fn suffix(text: &str) -> Result<String, String> {
    let folder = text.contains(std::path::is_separator);
    let what = "the old file stays in its folder: give the end of a name, such as .bak";
    if folder { Err(what.into()) } else { Ok(text.into()) }
}
