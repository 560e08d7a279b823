//! `iriscan pick`: a list in the terminal, to choose links from and open them.
//!
//! In go inputs and keys; out go links to a browser, or to standard output. What must hold: nothing
//! opens that the user did not choose, and the terminal is as it was before, however it ends.

mod choice;
mod opener;
mod screen;

use std::{collections::HashMap, io, path::Path, process::ExitCode};

use iriscan::{Field, Template, Viewer};

use self::{
    choice::{Choice, Entry},
    opener::{Opener, Opening},
};
use super::{put, run::Run, shown};
use crate::{
    args::pick::PickArgs,
    inputs::{
        choosing,
        list::{Folders, Inputs},
        open::Purpose,
    },
    messages::{progress, say, text::name, trouble::Trouble},
    output,
    printers::{
        columns,
        context::{Near, ShownLink},
        stats::Stats,
    },
};

/// So many characters before and after a link are kept.
const AROUND: usize = 200;

/// So many links are listed.
const LINKS_MAX: usize = 100_000;

/// The links of all inputs.
#[derive(Debug, Default)]
struct Links {
    entries: Vec<Entry>,
    /// Those of the current input have no name yet.
    named: usize,
    left_out: u64,
    /// Where an entry is that opens this.
    known: HashMap<String, usize>,
}

impl shown::Shelf for Links {
    fn near(&self) -> Near {
        Near::Chars(AROUND)
    }

    fn link(&mut self, link: &ShownLink<'_>) {
        if self.entries.len() == LINKS_MAX {
            self.left_out += 1;
            return;
        }
        let entry = Entry::of(link);
        let same = entry.open.as_ref().and_then(|open| self.known.get(open)).copied();
        // The first one of those that open the same stands for all of an input.
        let same = same.filter(|at| *at >= self.named);
        if let Some(same) = same.map(|at| &mut self.entries[at])
            && same.warnings == entry.warnings
        {
            same.fold(&entry);
            return;
        }
        if let Some(open) = &entry.open {
            self.known.insert(open.clone(), self.entries.len());
        }
        self.entries.push(entry);
    }

    fn end_input(&mut self, path: &Path, _: &str) {
        for entry in &mut self.entries[self.named..] {
            entry.path = path.to_owned();
        }
        self.named = self.entries.len();
    }
}

/// Refuses `--print '{uri}'`, which names a file and gives no template.
fn check_print(args: &PickArgs) -> Result<(), Trouble> {
    let first = args.scan.inputs.paths.first().filter(|path| !path.exists());
    let first = first.and_then(|path| path.to_str());
    let is_template =
        |text: &&str| Template::for_lists(text).is_ok_and(|it| it.fields().next().is_some());
    match (&args.print, first.filter(is_template)) {
        (Some(_), Some(template)) => Err(Trouble::Usage(format!(
            "{template}: no such file; a TEMPLATE comes after `=`: write --print='{template}'"
        ))),
        _ => Ok(()),
    }
}

/// Reads the links of all inputs. False: there was trouble with an input.
fn read_links(args: &PickArgs) -> Result<(Links, bool), Trouble> {
    let run = Run::begin(&args.scan, Purpose::Find);
    let config = choosing::config(&args.scan)?.elements(true).unwrap(args.unwrap);
    let finder = config.build().map_err(Trouble::Config)?;
    output::set_to_stdout();
    let mut inputs = Inputs::new(&args.scan.inputs, Folders::Walked)?;
    let (mut links, mut all_whole) = (Links::default(), true);
    for input in &mut inputs {
        let Some(input) = run.input(input) else {
            all_whole = false;
            continue;
        };
        let mut stats = Stats::wanted(args.scan.run.stats);
        let whole = shown::read(&finder, &input, run.opener(), &mut links, stats.as_mut())?;
        all_whole &= whole;
        run.count(stats, whole);
    }
    run.end(&inputs);
    // The list has the terminal for itself.
    progress::clear();
    if links.left_out > 0 {
        say(format_args!("the list has {LINKS_MAX} links; {} more are left out", links.left_out));
    }
    Ok((links, all_whole))
}

/// Writes each of `entries` with its number by `template`, but those without a URI that the template wants. False: there
/// were such.
fn print<'e>(
    template: &Template,
    entries: impl Iterator<Item = (u64, &'e Entry)>,
) -> Result<bool, Trouble> {
    let (mut out, mut viewer, mut all_printed) = (Vec::new(), Viewer::new(), true);
    let needs = |field| template.fields().any(|one| one == field);
    for (n, entry) in entries {
        let (link, place) = (entry.link.as_match(), entry.place(n));
        let needed = [Field::Open, Field::Uri, Field::Absolute];
        let missing = needed.iter().find(|f| needs(**f) && link.get(**f).is_none());
        if let Some(field) = missing {
            say(format_args!("{}: it has no {{{field}}}", entry.shown.text()));
            all_printed = false;
            continue;
        }
        columns::print(template, &link, &place, b'\n', &mut viewer, &mut out)
            .map_err(Trouble::Output)?;
    }
    put(&out)?;
    Ok(all_printed)
}

/// Opens the link that was not shown in a list, and waits until it is open.
fn open_now(opener: &Opener, entry: &Entry) -> Result<(), Trouble> {
    let opened = opener.open(entry).and_then(|opening| match opening {
        Opening::Apart(child) => {
            opener.let_run(child);
            opener.settle()
        }
        Opening::InTerminal(command) => opener.run(command),
        Opening::Failed(why) => Err(why),
    });
    let refused = |why| format!("{}: {why}", name(Path::new(&entry.shown.text())));
    opened.map_err(|why| Trouble::Usage(refused(why)))
}

pub(crate) fn run(args: &PickArgs) -> Result<ExitCode, Trouble> {
    check_print(args)?;
    let (links, all_whole) = read_links(args)?;
    let mut trouble = !all_whole;
    if links.entries.is_empty() {
        say("no link to choose from");
        return Ok(ExitCode::from(if trouble { 2 } else { 1 }));
    }
    let single = args.open_single && links.entries.len() == 1;
    let mut choice = Choice::new(links.entries);
    let opener = Opener::new(args);
    let note = if trouble { "not all inputs could be read; q shows why" } else { "" };
    let (chosen, failed) = match single {
        true => (vec![0], false),
        false => screen::choose(&mut choice, args, &opener, note).map_err(no_terminal)?,
    };
    if chosen.is_empty() {
        return Ok(ExitCode::from(if trouble || failed { 2 } else { 1 }));
    }
    let entries = chosen.iter().map(|i| (*i as u64 + 1, &choice.entries()[*i]));
    match &args.print {
        Some(template) => trouble |= !print(template, entries)?,
        // Those that Enter opened in the list are open already.
        None if single => {
            for (_, entry) in entries {
                open_now(&opener, entry)?;
            }
        }
        None => {}
    }
    Ok(ExitCode::from(if trouble || failed { 2 } else { 0 }))
}

/// The message if there is no terminal to show the list on.
fn no_terminal(e: io::Error) -> Trouble {
    Trouble::Usage(format!("the list needs a terminal ({e}); `find` writes all links"))
}
