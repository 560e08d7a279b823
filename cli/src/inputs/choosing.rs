//! The filter that the options ask for, with the lists that they name.
//!
//! In go the options; out comes a filter, or the message about a list that cannot be read or a
//! pattern that is none.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

use iriscan::{Config, Filter, HostList};

use crate::{
    args::{choosing::ChoosingArgs, scan::ScanArgs},
    messages::{
        say,
        text::{name, plural, reason},
        trouble::Trouble,
    },
};

/// The configuration that the options ask for, with the filter.
pub(crate) fn config(args: &ScanArgs) -> Result<Config, Trouble> {
    Ok(args.rules.config().filter(filter(args)?))
}

/// The filter; `None` if no option chooses.
fn filter(args: &ScanArgs) -> Result<Option<Filter>, Trouble> {
    let ChoosingArgs {
        only_host,
        not_host,
        hosts_from,
        matching,
        not_matching,
        contains_from,
        changed,
    } = &args.choosing;
    let patterns = [only_host, not_host, matching, not_matching];
    let lists = [hosts_from, contains_from];
    if patterns.iter().all(|list| list.is_empty()) && lists.iter().all(|list| list.is_empty()) {
        let only_changed = Filter::builder().changed(true).build();
        return changed.then_some(only_changed).transpose().map_err(wrong);
    }
    let mut filter = Filter::builder().changed(*changed);
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
    if args.choosing.reads_stdin() && args.inputs.reads_stdin() {
        let what = "standard input cannot be a list and an input too; name a file";
        return Err(Trouble::Usage(what.into()));
    }
    for path in hosts_from {
        filter = filter.hosts_from(hosts(path)?);
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

/// Calls `each` with every line of a list, without its line end.
fn lines(path: &Path, mut each: impl FnMut(&[u8])) -> Result<(), Trouble> {
    let read = || -> io::Result<()> {
        let mut reader: Box<dyn BufRead> = match path == Path::new("-") {
            true => Box::new(io::stdin().lock()),
            false => Box::new(BufReader::with_capacity(1 << 16, File::open(path)?)),
        };
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            each(text.strip_suffix(b"\r").unwrap_or(text));
            line.clear();
        }
        Ok(())
    };
    let mut read = read;
    read().map_err(|e| {
        let (name, why) = (name(path), reason(&e));
        Trouble::Usage(format!("{name}: {why}; no links can be chosen by it, check the path"))
    })
}

fn hosts(path: &Path) -> Result<HostList, Trouble> {
    let (mut list, mut number, mut wrong, mut first) = (HostList::new(), 0_u64, 0, 0);
    lines(path, |line| {
        number += 1;
        if !list.push_line(line) {
            wrong += 1;
            first = if first == 0 { number } else { first };
        }
    })?;
    if wrong > 0 {
        let (name, wrong) = (name(path), plural(wrong, "line"));
        say(format_args!(
            "{name}: {wrong} without a host, from line {first} on, left out; give a host a line"
        ));
    }
    Ok(list)
}

fn literals(path: &Path) -> Result<Vec<String>, Trouble> {
    let (mut literals, mut number, mut wrong) = (Vec::new(), 0_u64, None);
    lines(path, |line| {
        number += 1;
        match str::from_utf8(line) {
            Ok("") => {}
            Ok(line) => literals.push(line.to_owned()),
            Err(_) => wrong = wrong.or(Some(number)),
        }
    })?;
    match wrong {
        None => Ok(literals),
        Some(line) => {
            let name = name(path);
            Err(Trouble::Usage(format!("{name}: line {line} is not UTF-8; convert the file")))
        }
    }
}
