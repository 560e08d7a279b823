//! `iriscan report`: writes a page with all links of the inputs.

use std::{io, path::Path, process::ExitCode};

use super::{put, run::Run, shown};
use crate::{
    args::report::ReportArgs,
    inputs::{
        choosing,
        list::{Folders, Inputs, Origin},
        open::Purpose,
    },
    messages::{
        say,
        text::name,
        trouble::{Trouble, complain_of_output},
    },
    output::{self, temporary::catch_signals},
    printers::{page::Page, stats::Stats},
};

pub(crate) fn run(args: &ReportArgs) -> Result<ExitCode, Trouble> {
    let run = Run::begin(&args.scan, Purpose::Find);
    catch_signals().map_err(Trouble::Signals)?;
    let config = choosing::config(&args.scan)?.elements(true).nested(args.nested);
    let finder = config.build().map_err(Trouble::Config)?;
    let mut page = Page::new(args.limit);
    let (mut trouble, mut read) = (false, false);
    let to_stdout = args.output == Path::new("-");
    match to_stdout {
        true => output::set_to_stdout(),
        false => output::set_to_file(&args.output),
    }
    let mut inputs = Inputs::new(&args.scan.inputs, Folders::Walked)?;
    for input in &mut inputs {
        let Some(input) = run.input(input) else {
            trouble = true;
            continue;
        };
        if input.origin == Origin::Named && output::leads_to_output(&input.path) {
            let what = "it is the output too, and would be lost; write to another file";
            return Err(Trouble::Usage(format!("{}: {what}", name(&input.path))));
        }
        let mut stats = Stats::wanted(args.scan.run.stats);
        let whole = shown::read(&finder, &input, run.opener(), &mut page, stats.as_mut())?;
        trouble |= !whole;
        read |= whole;
        run.count(stats, whole);
    }
    if trouble && !read && !to_stdout && page.is_empty() {
        say(format_args!(
            "{}: not written, because no input could be read; an older page stays as it was",
            name(&args.output)
        ));
        run.end(&inputs);
        return Ok(ExitCode::from(2));
    }
    let html = page.into_html();
    if to_stdout {
        put(html.as_bytes())?;
    } else if let Err(e) = output::write_file(&args.output, html.as_bytes()) {
        // The file may be a pipe, as /dev/stdout can be.
        if e.kind() == io::ErrorKind::BrokenPipe {
            return Err(Trouble::Output(e));
        }
        complain_of_output(&args.output, &e);
        trouble = true;
    }
    run.end(&inputs);
    Ok(ExitCode::from(if trouble { 2 } else { 0 }))
}
