//! Notes about one input: how it was read, and which links stayed as they are and why.

use std::{fmt, path::Path};

use iriscan::{
    Format, Match, Summary,
    mail::{MailLink, UnsearchedReason},
};

use super::{
    put, say,
    text::{name, plural},
};

/// Says the charset and the format of a document, and how each is known.
pub(crate) fn report_charset(path: &Path, summary: &Summary, format: Format, why: &str) {
    say(format_args!("{}: {}", name(path), how(summary, format, why)));
}

/// The charset and the format of a document, and how each is known.
pub(crate) fn how(summary: &Summary, format: Format, why: &str) -> String {
    let (charset, basis) = (summary.charset, summary.basis.reason());
    format!("charset {charset} {basis}; format {} {why}", format.as_str())
}

/// The number of messages in a file of mail, and how the format is known.
pub(crate) fn how_mail(messages: u64, why: &str) -> String {
    format!("{}; format mail {why}", plural(messages, "message"))
}

/// Names a part of a message that is not searched.
pub(crate) fn say_closed(path: &Path, at: u64, line: u64, part: &str, why: UnsearchedReason) {
    let name = name(path);
    say(format_args!(
        "{name}:{line}: part {part} of the message at byte {at} is not searched: {why}"
    ));
}

/// One line for the parts of messages that are not searched.
pub(crate) fn report_closed(path: &Path, closed: &[(UnsearchedReason, u64)], verbose: bool) {
    let count: u64 = closed.iter().map(|(_, count)| count).sum();
    if count > 0 {
        let are = if count == 1 { "is" } else { "are" };
        let whys: Vec<String> =
            closed.iter().map(|(why, count)| format!("{count} {why}")).collect();
        let advice = if verbose { "see above" } else { "-v names each" };
        let (name, parts, whys) = (name(path), plural(count, "part"), whys.join(", "));
        say(format_args!("{name}: {parts} {are} not searched ({whys}); {advice}"));
    }
}

/// One line for the links of an input that stay as they are. `why`: in words, of their number in words, whether it is
/// one, and that they stay.
fn report_stays(path: &Path, count: u64, verbose: bool, why: fn(&str, bool, &str) -> String) {
    if count > 0 {
        let one = count == 1;
        let stay = if one { "stays as written" } else { "stay as written" };
        let why = why(&plural(count, "link"), one, stay);
        let advice = if verbose { "see above" } else { "-v names each" };
        say(format_args!("{}: {why}; {advice}", name(path)));
    }
}

/// One line for the links of an input that have no URI form.
pub(crate) fn report_unconvertible(path: &Path, count: u64, verbose: bool) {
    report_stays(path, count, verbose, |links, one, stay| {
        format!("{links} {} no URI form and {stay}", if one { "has" } else { "have" })
    });
}

/// One line for the links of an input that have a URI form, which cannot be where they are.
pub(crate) fn report_held(path: &Path, count: u64, verbose: bool) {
    report_stays(path, count, verbose, |links, _, stay| {
        format!(
            "{links} {stay}, because markup, a string or the charset there cannot hold another text"
        )
    });
}

/// One line for the links of an input that stay URIs though there is something to decode.
pub(crate) fn report_unreadable(path: &Path, count: u64, verbose: bool) {
    report_stays(path, count, verbose, |links, _, stay| {
        format!("{links} would be another URI if decoded, or not be found whole, and {stay}")
    });
}

/// One line for the links of an input that cannot have a new part.
pub(crate) fn report_unedited(path: &Path, count: u64, verbose: bool) {
    report_stays(path, count, verbose, |links, _, stay| {
        format!("{links} {stay}, because the new part cannot be written there")
    });
}

/// One line for the links of an input that a template leaves.
pub(crate) fn report_left(path: &Path, count: u64, verbose: bool) {
    report_stays(path, count, verbose, |links, one, stay| {
        let lack = if one { "lacks" } else { "lack" };
        format!("{links} {lack} a field of the template, or room for it, and {stay}")
    });
}

/// One line for the links that were written before the charset was known to be another.
pub(crate) fn report_mixed(path: &Path, count: u64) {
    if count > 0 {
        let (links, were) = match count {
            1 => ("1 link", "was"),
            _ => (&*format!("{count} links"), "were"),
        };
        say(format_args!(
            "{}: {links} {were} written in UTF-8, before the input turned out to be in another \
             charset; give it with --charset, or name a file",
            name(path)
        ));
    }
}

/// One line for the characters of a template that could not be written.
pub(crate) fn report_lost(path: &Path, count: u64) {
    if count > 0 {
        let (name, characters) = (name(path), plural(count, "character"));
        let became = if count == 1 { "became" } else { "each became" };
        say(format_args!(
            "{name}: {characters} that the charset lacks, or that came before it was known, \
             {became} ?; --charset names it"
        ));
    }
}

/// One line for the identifiers of an input that were not rewritten.
pub(crate) fn report_identifiers(path: &Path, count: u64) {
    if count > 0 {
        let (are, stay) = match count {
            1 => ("is an identifier", "stays"),
            _ => ("are identifiers", "stay"),
        };
        let (name, links) = (name(path), plural(count, "link"));
        say(format_args!(
            "{name}: {links} {are} and {stay} as written; --identifiers rewrites them"
        ));
    }
}

/// One line for the links of an input that are too long to count as links.
pub(crate) fn report_overlong(path: &Path, count: u64, max_len: u64) {
    if count > 0 {
        let (are, stay) = if count == 1 { ("is", "stays") } else { ("are", "stay") };
        let links = plural(count, "link");
        say(format_args!(
            "{}: {links} {are} longer than {} and {stay} text; --max-len takes more",
            name(path),
            plural(max_len, "byte"),
        ));
    }
}

/// With `-v`: a link of a message stays as it is. The message starts at byte `at`.
pub(crate) fn report_staying(path: &Path, at: u64, link: &MailLink, why: &str) {
    let place = match link.span() {
        Some(span) => format!("byte {}", at + span.start),
        None => format!("message at byte {at}, part {}", link.part()),
    };
    say(format_args!("{}: {place}: {:?} stays as written: {why}", name(path), link.link().text()));
}

/// Notes about single links: written at once, or kept until it is the turn of their piece.
#[derive(Debug)]
pub(crate) enum Notes {
    Said,
    /// Lines about the links of one piece of a file.
    Kept(String),
}

impl Notes {
    /// With `-v`: a link of a document stays as it is.
    pub(crate) fn staying(&mut self, path: &Path, link: &Match<'_>, why: &dyn fmt::Display) {
        let at = link.span().start;
        let note = format!("{}: byte {at}: {:?} stays as written: {why}", name(path), link.text());
        match self {
            Notes::Said => say(note),
            Notes::Kept(notes) => *notes += &format!("iriscan: {note}\n"),
        }
    }

    /// Writes the notes that were kept.
    pub(crate) fn say(&mut self) {
        if let Notes::Kept(notes) = self
            && !notes.is_empty()
        {
            put(notes);
            notes.clear();
        }
    }
}
