//! The filter that the options ask for, with the lists that they name.
//!
//! In go the options; out comes a filter, or the message about a list that cannot be read or a
//! pattern with a mistake.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use iriscan::{Config, Filter, HostList, Rewrite};

use crate::{
    args::{
        choosing::ChoosingArgs,
        scan::{RuleArgs, ScanArgs},
    },
    messages::{
        say,
        text::{name, plural, reason},
        trouble::Trouble,
    },
};

/// The configuration that the options ask for, with the filter.
pub(crate) fn config(args: &ScanArgs) -> Result<Config, Trouble> {
    args.rules.labels(false).map_err(Trouble::Usage)?;
    rewriting(args, Rewrite::Uri)
}

/// The same for texts. `reads_stdin`: standard input is one of them.
pub(crate) fn of(
    rules: &RuleArgs,
    choosing: &ChoosingArgs,
    reads_stdin: bool,
) -> Result<Config, Trouble> {
    Ok(rules.config().filter(filter(choosing, reads_stdin)?))
}

/// The same for rewriting.
pub(crate) fn rewriting(args: &ScanArgs, rewrite: Rewrite) -> Result<Config, Trouble> {
    if let Some(note) = args.rules.unknown_scheme() {
        say(note);
    }
    let config = args.rules.config().rewrite(rewrite);
    Ok(config.filter(filter(&args.choosing, args.inputs.reads_stdin())?))
}

/// The filter; `None` if no option chooses.
fn filter(args: &ChoosingArgs, reads_stdin: bool) -> Result<Option<Filter>, Trouble> {
    let ChoosingArgs {
        only_host,
        not_host,
        hosts_from,
        not_hosts_from,
        matching,
        not_matching,
        contains_from,
        changed,
        links_only,
    } = args;
    let patterns = [only_host, not_host, matching, not_matching];
    let lists = [hosts_from, not_hosts_from, contains_from];
    if patterns.iter().all(|list| list.is_empty()) && lists.iter().all(|list| list.is_empty()) {
        let filter = Filter::builder().changed(*changed).links_only(*links_only).build();
        return (*changed || *links_only).then_some(filter).transpose().map_err(wrong);
    }
    let mut filter = Filter::builder().changed(*changed).links_only(*links_only);
    for (option, globs) in [("--hosts-from", only_host), ("--not-hosts-from", not_host)] {
        for glob in globs.iter().filter(|glob| Path::new(glob).is_file()) {
            say(format_args!(
                "{glob}: taken for a host, and a file has this name; {option} reads it"
            ));
        }
    }
    for glob in only_host {
        filter = filter.only_host(glob);
    }
    for glob in not_host {
        filter = filter.not_host(glob);
    }
    for regex in matching {
        filter = filter.matching(regex);
    }
    for regex in not_matching {
        filter = filter.not_matching(regex);
    }
    if args.reads_stdin() && reads_stdin {
        let what = "standard input cannot be a list and an input too; name a file";
        return Err(Trouble::Usage(what.into()));
    }
    for path in hosts_from {
        filter = filter.hosts_from(hosts(path)?);
    }
    for path in not_hosts_from {
        filter = filter.not_hosts_from(hosts(path)?);
    }
    for path in contains_from {
        filter = filter.contains(literals(path)?);
    }
    filter.build().map(Some).map_err(wrong)
}

/// The message about a pattern, with the name of its option.
fn wrong(e: iriscan::FilterError) -> Trouble {
    let message = e.to_string();
    let option = e.kind().as_str();
    let rest = message.strip_prefix(option).unwrap_or(&message);
    Trouble::Usage(format!("--{}{rest}", option.replace('_', "-")))
}

/// The bytes of a list.
fn read(path: &Path) -> Result<Vec<u8>, Trouble> {
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().lock().read_to_end(&mut bytes),
        false => File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(e) => {
            let (name, why) = (name(path), reason(&e));
            let what = "no links can be chosen by it, check the path";
            Err(Trouble::Usage(format!("{name}: {why}; {what}")))
        }
    }
}

fn hosts(path: &Path) -> Result<HostList, Trouble> {
    let mut list = HostList::new();
    if let Some((wrong, first)) = list.push_lines(&read(path)?) {
        let (name, wrong) = (name(path), plural(wrong, "line"));
        say(format_args!(
            "{name}: {wrong} without a host, from line {first} on, left out; give a host a line"
        ));
    }
    Ok(list)
}

fn literals(path: &Path) -> Result<Vec<String>, Trouble> {
    let bytes = read(path)?;
    let lines = bytes.split(|b| *b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let mut literals = Vec::new();
    for (number, line) in (1..).zip(lines) {
        match str::from_utf8(line) {
            Ok("") => {}
            Ok(line) => literals.push(line.to_owned()),
            Err(_) => {
                let name = name(path);
                let what = format!("{name}: line {number} is not UTF-8; convert the file");
                return Err(Trouble::Usage(what));
            }
        }
    }
    Ok(literals)
}
