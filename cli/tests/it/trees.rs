//! Folders and lists of files: binary files, links, threads, and names that come one by one.

use std::{fs, path::Path};

use crate::common::{Done, Order, command, files, iriscan_in, wide};

/// A folder with these files in their folders.
fn tree(entries: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = files(&[]);
    for (name, bytes) in entries {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    dir
}

const A: &[u8] = b"http://e.org/a";

#[test]
fn binary_files_count_only_by_name() {
    let wide = wide("http://e.org/a é", 2, Order::Little);
    let marked = [b"\xFF\xFE", &wide[..]].concat();
    let late = [&[b' '; 8192][..], b"\0http://e.org/a"].concat();
    let dir = tree(&[
        ("d/binary", b"\x7FELF\0\x01\x02 http://e.org/a"),
        ("d/late", &late),
        ("d/marked", &marked),
        ("d/wide", &wide),
    ]);
    iriscan_in(dir.path(), "find d", "")
        .exits(0)
        .quiet()
        .writes("d/late:http://e.org/a\nd/marked:http://e.org/a\nd/wide:http://e.org/a\n");
    iriscan_in(dir.path(), "find -v d", "").mentions(&["d/binary: binary, left out; name it"]);
    iriscan_in(dir.path(), "find d/binary", "").exits(0).writes("http://e.org/a\n");
    // The charset is given, so the file is text.
    let dir = tree(&[("d/wide", &wide)]);
    iriscan_in(dir.path(), "find --charset utf-16le d", "").exits(0);
}

#[cfg(unix)]
#[test]
fn symbolic_links_in_a_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let dir = tree(&[("d/file", A), ("other/file", A)]);
    symlink("../other", dir.path().join("d/folder")).unwrap();
    symlink("../other/file", dir.path().join("d/link")).unwrap();
    symlink("d", dir.path().join("named")).unwrap();
    iriscan_in(dir.path(), "find d", "").exits(0).quiet().writes("d/file:http://e.org/a\n");
    iriscan_in(dir.path(), "find named", "").exits(0).writes("named/file:http://e.org/a\n");
    iriscan_in(dir.path(), "find d/link", "").exits(0).writes("http://e.org/a\n");
}

#[test]
fn trees_are_rewritten_in_place_and_only_what_changes() {
    let (old, new) = ("http://e.org/é", "http://e.org/%C3%A9");
    let dir = tree(&[
        ("d/a/1", old.as_bytes()),
        ("d/a/2", b"ascii"),
        ("d/b.json", r#"{"x":"http:\/\/e.org\/\u00e9"}"#.as_bytes()),
        ("d/binary", &[&b"\0"[..], old.as_bytes()].concat()),
        ("d/c.txt", b"http://e.org/\xE9 \xE0 la carte, d\xE9j\xE0 vu, tr\xE8s bien"),
    ]);
    iriscan_in(dir.path(), "rewrite d", "").exits(2).says(&["d: is a directory; add -i"]);
    iriscan_in(dir.path(), "rewrite --check d", "").exits(1).writes("");
    let diff = iriscan_in(dir.path(), "rewrite --diff d", "").exits(0);
    let diff = String::from_utf8(diff.stdout).unwrap();
    let heads: Vec<&str> = diff.lines().filter(|line| line.starts_with("---")).collect();
    assert_eq!(heads, ["--- d/a/1", "--- d/b.json", "--- d/c.txt"]);
    let about = |name: &str| fs::metadata(dir.path().join(name)).unwrap().modified().unwrap();
    let before = ["d/a/2", "d/binary"].map(about);
    let done = iriscan_in(dir.path(), "rewrite -i d", "").exits(0);
    done.mentions(&["d/c.txt: charset", "4 files read, 3 changed; 3 links rewritten"]);
    assert_eq!(["d/a/2", "d/binary"].map(about), before);
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(read("d/a/1"), new);
    assert_eq!(read("d/b.json"), r#"{"x":"http:\/\/e.org\/%C3%A9"}"#);
    iriscan_in(dir.path(), "rewrite --check d", "").exits(0).writes("");
}

/// Output and messages are the same on any number of threads.
#[test]
fn jobs_change_nothing() {
    let dir = files(&[]);
    let long = "http://e.org/é and more\n".repeat(80_000);
    for n in 0..200_usize {
        let text = match n % 7 {
            // Longer than an input may write before its turn, and long enough to be cut.
            0 if n % 5 == 0 => long[..long.len() / (1 + n % 3)].to_owned(),
            1 => format!("{n} http://لa.com/å"),
            2 => "\0".into(),
            _ => format!("see http://e.org/{n}é\n").repeat(n * n % 1000),
        };
        fs::create_dir_all(dir.path().join(format!("d/{}", n % 10))).unwrap();
        fs::write(dir.path().join(format!("d/{}/{n}.txt", n % 10)), text).unwrap();
    }
    for args in
        ["find d", "find -v d missing d/3", "find --unique d", "find --json d", "rewrite --diff d"]
    {
        let run = |jobs: usize| {
            let done = iriscan_in(dir.path(), &format!("{args} -j{jobs}"), "");
            (done.stdout, done.stderr)
        };
        let one = run(1);
        assert!(one.0.len() > 1000);
        for jobs in [2, 5, 0] {
            let many = run(jobs);
            assert!(many.0 == one.0, "{args} -j{jobs}: standard output");
            assert_eq!(many.1, one.1, "{args} -j{jobs}");
        }
    }
    let copy = |to: &str| {
        let mut cp = std::process::Command::new("cp");
        assert!(cp.args(["-r", "d", to]).current_dir(dir.path()).status().unwrap().success());
    };
    copy("one");
    copy("many");
    let messages = ["one -j1", "many -j4"].map(|args| {
        let done = iriscan_in(dir.path(), &format!("rewrite -i {args}"), "").exits(0).writes("");
        done.stderr.replace("many/", "one/")
    });
    assert_eq!(messages[0], messages[1]);
    let mut diff = std::process::Command::new("diff");
    assert!(diff.args(["-r", "one", "many"]).current_dir(dir.path()).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_does_not_stop_the_others() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let dir = tree(&[("d/a/x", A), ("d/b/x", A), ("d/c/x", A)]);
    let locked = dir.path().join("d/b");
    if fs::metadata(&locked).unwrap().uid() == 0 {
        return;
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let done = iriscan_in(dir.path(), "find d", "").exits(2);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    done.says(&["iriscan: d/b: permission denied; its files were left out"])
        .writes("d/a/x:http://e.org/a\nd/c/x:http://e.org/a\n");
}

#[test]
fn a_reader_that_has_seen_enough_is_success_for_trees() {
    let dir = files(&[]);
    for n in 0..50 {
        fs::write(dir.path().join(format!("{n}")), "http://e.org/a\n".repeat(5000)).unwrap();
    }
    for jobs in ["-j1", "-j4"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = command(["find", jobs, "."]);
        command.current_dir(dir.path()).stdout(writer);
        Done::from(command.output().unwrap()).exits(0).quiet();
    }
}

/// Pipes are read one after the other, even if several threads are free.
#[test]
fn standard_input_keeps_its_place() {
    let dir = tree(&[("d/a", A), ("d/b", A)]);
    let input = "http://e.org/in\n".repeat(50_000);
    let lines = "-:http://e.org/in\n".repeat(50_000);
    let done = iriscan_in(dir.path(), "find -j4 d/a - - d", input).exits(0).quiet();
    let end = "d/a:http://e.org/a\nd/b:http://e.org/a\n";
    assert!(done.stdout == ["d/a:http://e.org/a\n", &lines, end].concat().as_bytes());
}

/// If names come one by one, so do results.
#[test]
fn results_do_not_wait_for_more_names() {
    let dir = tree(&[("a", A)]);
    let path = dir.path().join("a");
    let path = Path::new(&path).to_str().unwrap();
    let mut live = crate::common::Live::start("find --files-from -");
    for _ in 0..2 {
        live.send(format!("{path}\n"));
        live.gives(format!("{path}:http://e.org/a\n"));
    }
    live.end().exits(0);
}

#[test]
fn a_report_on_no_files_says_so() {
    let dir = tree(&[("a.md", A)]);
    let done = iriscan_in(dir.path(), "report -o - --glob *.html .", "").exits(0);
    done.says(&["no files were searched", "--glob", "; "]);
}
