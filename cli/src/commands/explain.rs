//! `iriscan explain`: why a link begins and ends where it does, and why a text is no link.

use std::{
    io::{self, BufWriter, Read as _, Write},
    path::Path,
    process::ExitCode,
};

use iriscan::{Charset, Explanation, Input, Rule};
use iriscan_documents::{Content, read_as};

use crate::{
    args::explain::ExplainArgs,
    inputs::{choosing, references},
    messages::{
        say, say_typed,
        trouble::{Trouble, Unfinished, complain},
    },
    printers::{colors, explained},
};

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode, Trouble> {
    let config = choosing::of(&args.rules, &args.choosing, args.texts.is_empty())?;
    let finder = config.build().map_err(|e| Trouble::Usage(e.to_string()))?;
    let mut out = BufWriter::new(io::stdout().lock());
    if args.rules_list {
        return list(args, &mut out).map(|()| ExitCode::SUCCESS).map_err(Trouble::Output);
    }
    let (mut found, mut broken) = (false, false);
    let colored = colors::are_wanted(args.color);
    let mut explain = |bytes: &[u8], charset: Option<Charset>| {
        let content = Content::decide(args.rules.format.wanted(), Path::new(""), || bytes).0;
        let Content::Document(format) = content else {
            let what = "explain reads no mail and no archive; give it the text of a part, and --format if \
                        that is HTML";
            return Err(Trouble::Usage(what.into()));
        };
        let format = read_as(&finder.config(), format);
        let input = charset.into_iter().fold(Input::new(bytes), Input::charset);
        let all = finder.clone().format(format).explain(input);
        found |= all.iter().any(Explanation::is_link);
        match args.json {
            true => all.iter().try_for_each(|it| writeln!(out, "{}", it.to_json())),
            false => explained::write(&mut out, &all, colored),
        }
        .map_err(Trouble::Output)
    };
    if args.texts.is_empty() {
        say_typed();
        let mut bytes = Vec::new();
        if let Err(e) = io::stdin().lock().read_to_end(&mut bytes) {
            complain(Path::new("-"), &e, Unfinished::Used);
            broken = true;
        }
        match bytes.is_empty() {
            true if !broken => say(
                "standard input is empty, and there is nothing to explain; give a text, as in: \
                 iriscan explain 'see http://a.example/b.'",
            ),
            _ => explain(&bytes, None)?,
        }
    }
    references::say_if_file(&args.texts, "explain", "explained as a text");
    for text in &args.texts {
        explain(text.as_encoded_bytes(), Some(Charset::UTF_8))?;
    }
    out.flush().map_err(Trouble::Output)?;
    Ok(ExitCode::from(match (broken, found) {
        (true, _) => 2,
        (false, true) => 0,
        (false, false) => 1,
    }))
}

/// Writes all rules.
fn list(args: &ExplainArgs, out: &mut impl Write) -> io::Result<()> {
    for rule in Rule::ALL {
        match args.json {
            true => writeln!(
                out,
                "{}",
                serde_json::json!({
                    "rule": rule.as_str(),
                    "what": rule.what(),
                    "example": rule.example(),
                    "from": rule.source(),
                })
            )?,
            false => writeln!(out, "{:24} {}", rule.as_str(), rule.what())?,
        }
    }
    out.flush()
}
