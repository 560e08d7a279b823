//! Runs the cases of `cli/tests/transcripts`. README.md there says how they are written.
//!
//! A case is run while it is read, and is written anew with what the program gives. It passes if
//! the new text equals the old one.

use std::{env, fs, io::Write, iter, path::Path, sync::mpsc::channel, thread};

use zip::{
    CompressionMethod::{Deflated, Stored},
    ZipWriter,
    write::SimpleFileOptions,
};

use crate::{
    common::{Done, PATIENCE, command, on_all_cores},
    notation::{bytes, shown, unescaped},
};

type Lines<'c> = iter::Peekable<std::str::Lines<'c>>;

#[test]
fn every_transcript_is_what_the_program_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut cases = vec![];
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|extension| extension == "txt") {
            let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
            let ends = text.match_indices("\n## ").map(|(at, _)| at + 1).chain([text.len()]);
            let starts = iter::once(0).chain(ends.clone());
            cases.extend(starts.zip(ends).map(|(a, b)| (path.clone(), text[a..b].to_owned())));
        }
    }
    assert!(cases.len() > 200, "only {} cases", cases.len());
    let renewed = on_all_cores(&cases, |(_, case)| renewed(case));
    let mut differences = String::new();
    for ((path, old), new) in cases.iter().zip(&renewed) {
        if old != new && env::var_os("IRISCAN_WRITE_TRANSCRIPTS").is_some() {
            let of_file = cases.iter().zip(&renewed).filter(|((other, _), _)| other == path);
            fs::write(path, of_file.map(|(_, new)| &**new).collect::<String>()).unwrap();
        } else if old != new {
            differences += &format!("\n{}:\n{}", path.display(), difference(old, new));
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// The title, the command and the lines of the first place where two texts of a case differ.
fn difference(old: &str, new: &str) -> String {
    let same = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
    let command = old.lines().take(same).filter(|line| line.starts_with('$')).last();
    let block = |sign: &str, text: &str| -> String {
        let lines = text.lines().skip(same).take_while(|line| !line.starts_with(['$', '#']));
        lines.map(|line| format!("{sign} {line}\n")).collect()
    };
    let title = old.lines().next().unwrap_or("");
    format!("{title}\n  {}\n{}{}", command.unwrap_or(""), block("-", old), block("+", new))
}

/// The text of a case with what the program gives.
fn renewed(case: &str) -> String {
    let title = case.lines().next().unwrap_or("");
    let systems = [("(Unix)", cfg!(unix)), ("(Linux)", cfg!(target_os = "linux"))];
    if systems.iter().any(|(name, here)| title.ends_with(name) && !here) {
        return case.to_owned();
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut lines, mut new) = (case.lines().peekable(), String::new());
    while let Some(line) = lines.next() {
        new += &format!("{line}\n");
        if let Some(name) = line.strip_prefix("+ ") {
            let content = block(&mut lines, '|');
            let path = folder.path().join(name);
            fs::create_dir_all(if name.ends_with('/') { &path } else { path.parent().unwrap() })
                .unwrap();
            if !name.ends_with('/') {
                fs::write(path, bytes(&content)).unwrap();
            }
            new += &content;
        } else if let Some(line) = line.strip_prefix("$ ") {
            let [input, output, messages, _] = ['<', '>', '!', '='].map(|m| block(&mut lines, m));
            let (out, said, status) = run(folder.path(), line, &bytes(&input));
            new += &[input, shown('>', &out, output), shown('!', &said, messages)].concat();
            new += &match status {
                Some(0) => String::new(),
                Some(code) => format!("= {code}\n"),
                None => "= ended by a signal\n".to_owned(),
            };
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{title}: no command: {line}");
        }
    }
    new
}

/// The lines with this mark that come next.
fn block(lines: &mut Lines, mark: char) -> String {
    let lines = iter::from_fn(|| lines.next_if(|line| line.starts_with(mark)));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Runs a line; gives its output, its messages and its status.
fn run(folder: &Path, line: &str, input: &[u8]) -> (Vec<u8>, Vec<u8>, Option<i32>) {
    let words = shlex::split(line).expect("a quote should end").into_iter();
    let words = words.map(|word| match word.strip_prefix('$') {
        Some(escapes) => String::from_utf8(unescaped(escapes)).unwrap(),
        None => word,
    });
    let mut words = words.peekable();
    let settings = iter::from_fn(|| words.next_if(|word| word.contains('='))).collect::<Vec<_>>();
    let program = words.next().unwrap();
    let mut args: Vec<String> = words.collect();
    let read =
        |name: &String| fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let output = match &*program {
        "cat" => args.iter().flat_map(read).collect(),
        "ls" => {
            let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<_> = names.map(|name| format!("{}\n", name.display())).collect();
            names.sort();
            names.concat().into_bytes()
        }
        "zip" => {
            let stored = args.first().is_some_and(|arg| arg == "-0").then(|| args.remove(0));
            let method = if stored.is_some() { Stored } else { Deflated };
            let options = SimpleFileOptions::default().compression_method(method);
            let mut zip = ZipWriter::new(fs::File::create(folder.join(&args[0])).unwrap());
            for name in &args[1..] {
                zip.start_file(name, options).unwrap();
                zip.write_all(&if name.ends_with('/') { vec![] } else { read(name) }).unwrap();
            }
            zip.finish().unwrap();
            vec![]
        }
        _ => {
            assert_eq!(program, "iriscan", "no other program is run");
            let file = args.iter().position(|arg| arg == "<").map(|at| args.split_off(at));
            let input = file.map_or(input.to_vec(), |file| read(&file[1]));
            let mut command = command(args);
            command.current_dir(folder).env_remove("COLUMNS").env_remove("NO_COLOR");
            command.envs(settings.iter().filter_map(|setting| setting.split_once('=')));
            let (send, receive) = channel();
            thread::spawn(move || send.send(Done::of(command, &input)));
            let done = receive.recv_timeout(PATIENCE).unwrap_or_else(|e| panic!("{line}: {e}"));
            // Windows has other words for it, and another name for the program.
            let missing = "The system cannot find the file specified";
            let said = done.stderr.replace(missing, "No such file or directory");
            let said = said.replace("iriscan.exe", "iriscan");
            return (done.stdout, said.into_bytes(), done.status.code());
        }
    };
    (output, vec![], Some(0))
}
