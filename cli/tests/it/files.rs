//! Difficult files: longer than 4 GiB, on full disks, changing, with hostile names, and a file
//! that is both input and output.

#![cfg(target_os = "linux")]

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::{ffi::OsStrExt, fs::symlink},
    path::Path,
    process::{Command, Stdio},
};

use crate::common::{Done, command, ending_signals, files, iriscan_in};

const OLD: &str = "see http://e.org/é now\n";
const NEW: &str = "see http://e.org/%C3%A9 now\n";

/// The names in a folder.
fn names(dir: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(dir).unwrap().map(name).collect();
    names.sort();
    names
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

// ---- Beyond 4 GiB ----

#[cfg_attr(debug_assertions, ignore = "takes long unoptimised")]
#[test]
fn beyond_4_gib_offsets_and_totals_are_right() {
    const GIB: u64 = 1 << 30;
    let (text, end) = ("see http://e.org/é now", "http://e.org/é");
    let len = 4 * GIB + GIB / 8 + end.len() as u64;
    // The second begins below 4 GiB and ends above.
    let starts = [4, 4 * GIB - 5, 4 * GIB + (64 << 20), len - end.len() as u64];
    let dir = files(&[]);
    let mut file = File::create(dir.path().join("a")).unwrap();
    for start in &starts[..3] {
        file.seek(SeekFrom::Start(start - 4)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }
    file.seek(SeekFrom::Start(starts[3])).unwrap();
    file.write_all(end.as_bytes()).unwrap();
    for jobs in ["-j1", "-j3"] {
        let args = format!("find {jobs} --json --stats=json a");
        let done = iriscan_in(dir.path(), &args, "").exits(0);
        let found: Vec<u64> =
            done.records().iter().map(|record| record["start"].as_u64().unwrap()).collect();
        assert_eq!(found, starts, "{jobs}");
        let stats: serde_json::Value = serde_json::from_str(&done.stderr).unwrap();
        assert_eq!((&stats["bytes"], &stats["links"]), (&len.into(), &4.into()), "{jobs}");
    }
}

/// Text with few boundaries to cut at: several threads find the same links as one.
#[test]
fn places_to_cut_may_be_far_apart() {
    let mut text = String::new();
    for i in 0..60 {
        text += &format!("{} see http://a{i}.example/ü now ", "x".repeat(i * 1777));
        text += &"http://e.org/a\n".repeat(i * 50);
    }
    let dir = files(&[("a", text.as_bytes())]);
    assert!(text.len() > 3 << 20);
    for way in ["find --json", "rewrite"] {
        let [one, many] =
            ["-j1", "-j4"].map(|jobs| iriscan_in(dir.path(), &format!("{way} {jobs} a"), ""));
        assert!(one.stdout.len() > 10_000 && one.stdout == many.stdout, "{way}");
    }
}

// ---- Full disks ----

/// Runs `script` in a file system of 1 MiB with the file `a` of 600 kB. `None` if the tests may
/// not mount one.
fn on_small_disk(script: &str) -> Option<Done> {
    let dir = files(&[]);
    let mut sh = Command::new("unshare");
    sh.args(["--user", "--map-root-user", "--mount", "sh", "-c"]).arg(format!(
        "mount -t tmpfs -o size=1m tmpfs . && cd \"$PWD\" || exit 99\n\
         yes '{}' | head -n 25000 > a; sum=$(cksum < a)\n\
         {script}\n\
         ls -A; [ \"$(cksum < a)\" = \"$sum\" ] && echo same; true",
        OLD.trim_end()
    ));
    sh.current_dir(dir.path()).env("IRISCAN", env!("CARGO_BIN_EXE_iriscan")).stdin(Stdio::null());
    let output = sh.output().ok()?;
    if output.status.code() != Some(0) {
        println!("not tried: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    Some(output.into())
}

#[test]
fn a_full_disk_leaves_files_as_they_were() {
    for (script, files, words) in [
        ("$IRISCAN rewrite -i a", "a", "a: No space left on device; the file is as it was; make"),
        ("$IRISCAN rewrite --in-place=.bak a", "a", "a: No space left on device; the file is"),
        (
            "$IRISCAN report -o page a",
            "a",
            "page: No space left on device; nothing was written, make room",
        ),
        (
            "echo old > page; $IRISCAN report -o page a; grep -q old page || echo lost",
            "a\npage",
            "page: No space left on device; nothing was written, make room",
        ),
        (
            "$IRISCAN rewrite a > b",
            "a\nb",
            "standard output: No space left on device; the output is incomplete, make room",
        ),
    ] {
        let script = script.replace("; grep", "; echo $?; grep");
        let script = if script.contains("$?") { script } else { format!("{script}; echo $?") };
        let Some(done) = on_small_disk(&script) else { return };
        done.says(&[words]).writes(format!("2\n{files}\nsame\n"));
    }
}

#[test]
fn every_command_says_that_standard_output_is_full() {
    let dir = files(&[("a", OLD.as_bytes())]);
    for args in [
        "find a",
        "rewrite --diff a",
        "report -o - a",
        "convert é",
        "check é",
        "man",
        "completions zsh",
        "find -h",
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(args.split(' ')).current_dir(dir.path()).stdout(full).output();
        let done = Done::from(output.unwrap()).exits(2);
        done.says(&["standard output: No space left on device; the output is incomplete, make"]);
    }
    let done = iriscan_in(dir.path(), "report -o /dev/full a", "").exits(2);
    done.says(&["/dev/full: No space left on device; nothing was written, make room"]);
}

// ---- Input and output ----

/// Runs `script` in `dir` with the program as `$IRISCAN`.
fn shell(dir: &Path, script: &str) -> Done {
    let mut sh = Command::new("sh");
    sh.args(["-c", script]).current_dir(dir).env("IRISCAN", env!("CARGO_BIN_EXE_iriscan"));
    Done::of(sh, b"")
}

#[test]
fn an_input_that_is_the_output_is_refused() {
    let text = OLD.repeat(20_000);
    for (script, name) in [
        ("$IRISCAN rewrite a >> a", "a"),
        ("$IRISCAN rewrite -j1 a >> a", "a"),
        ("$IRISCAN rewrite < a >> a", "-"),
        ("$IRISCAN find a >> a", "a"),
        ("$IRISCAN find --count ./a 1<> a", "./a"),
        ("$IRISCAN report -o - a >> a", "a"),
        ("$IRISCAN report -o a b a", "a"),
        ("ln -s a c; $IRISCAN report -o a c", "c"),
    ] {
        let dir = files(&[("a", text.as_bytes()), ("b", b"")]);
        let done = shell(dir.path(), script).exits(2).writes("");
        done.says(&[&format!("iriscan: {name}: it is "), "; write to another file"]);
        assert!(read(dir.path(), "a") == text, "{script}");
    }
    // The shell has emptied the file before the program starts.
    let dir = files(&[("a", text.as_bytes()), ("b", OLD.as_bytes())]);
    shell(dir.path(), "$IRISCAN rewrite a b > a").exits(2).says(&["iriscan: a: it is the output"]);
    assert_eq!(read(dir.path(), "a"), NEW);
}

#[test]
fn the_output_in_a_tree_is_left_out() {
    let dir = files(&[("a", OLD.as_bytes())]);
    for _ in 0..2 {
        shell(dir.path(), "$IRISCAN find . > links.txt").exits(0).quiet();
        assert_eq!(read(dir.path(), "links.txt"), "./a:http://e.org/%C3%A9\n");
        shell(dir.path(), "rm links.txt; $IRISCAN report -o page.html .").exits(0).quiet();
        let page = read(dir.path(), "page.html");
        assert!(page.contains("<title>1 link in 1 document</title>"), "{page}");
        fs::write(dir.path().join("links.txt"), "").unwrap();
        fs::remove_file(dir.path().join("page.html")).unwrap();
    }
    // With -i nothing is written to standard output, so the file is not refused.
    shell(dir.path(), "$IRISCAN rewrite -i a >> a").exits(0).quiet();
    assert_eq!(read(dir.path(), "a"), NEW);
}

// ---- Changing ----

#[test]
fn a_file_that_is_named_twice_is_rewritten_once() {
    let text = OLD.repeat(20_000);
    for _ in 0..5 {
        let dir = files(&[("a", text.as_bytes())]);
        symlink("a", dir.path().join("b")).unwrap();
        let done = iriscan_in(dir.path(), "rewrite -i -j4 a ./a b .", "").exits(0).writes("");
        done.says(&["4 files read, 1 changed; 20000 links rewritten"]);
        assert!(read(dir.path(), "a") == NEW.repeat(20_000));
        assert_eq!(names(dir.path()), ["a", "b"]);
    }
}

#[test]
fn a_file_that_shrinks_or_goes_while_it_is_read_is_no_harm() {
    for change in ["truncate -s 100000 a", "rm a", "mv b a"] {
        for way in ["rewrite -j1", "rewrite -j2", "find -j2"] {
            let dir = files(&[("a", OLD.repeat(200_000).as_bytes()), ("b", OLD.as_bytes())]);
            let mut child = command(way.split(' '));
            let child = child.arg("a").current_dir(dir.path());
            let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            // The program has begun, and waits because the pipe is full.
            let mut out = child.stdout.take().unwrap();
            let mut first = vec![0; 4096];
            out.read_exact(&mut first).unwrap();
            let mut sh = Command::new("sh");
            assert!(sh.args(["-c", change]).current_dir(dir.path()).status().unwrap().success());
            let rest = io::copy(&mut out, &mut io::sink()).unwrap();
            assert!(rest > 50_000, "{change}, {way}: {rest}");
            Done::from(child.wait_with_output().unwrap()).exits(0).quiet();
        }
    }
}

#[test]
fn a_file_that_goes_while_a_tree_is_walked_is_left_out() {
    let dir = files(&[]);
    // The output is longer than a pipe holds: the walk waits for the reader.
    for i in 0..200 {
        fs::write(dir.path().join(format!("a{i:03}")), OLD.repeat(100)).unwrap();
    }
    fs::write(dir.path().join("z"), OLD).unwrap();
    let mut child = command(["find", "-j1", "."]);
    let child = child.current_dir(dir.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 16]).unwrap();
    // Now the names of the folder have been read, and the pipe is full.
    fs::remove_file(dir.path().join("z")).unwrap();
    let mut all = String::new();
    out.read_to_string(&mut all).unwrap();
    assert_eq!(all.matches("/a199:").count(), 100);
    Done::from(child.wait_with_output().unwrap()).exits(0).quiet();
}

// ---- Pipes, sockets, folders and loops ----

#[test]
fn sockets_loops_and_pipes() {
    let dir = files(&[("a", OLD.as_bytes())]);
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
    symlink("one", dir.path().join("two")).unwrap();
    symlink("two", dir.path().join("one")).unwrap();
    symlink(".", dir.path().join("self")).unwrap();
    assert!(Command::new("mkfifo").arg(dir.path().join("pipe")).status().unwrap().success());
    for way in ["find", "rewrite", "rewrite --check", "rewrite -i", "report -o -"] {
        let done = iriscan_in(dir.path(), &format!("{way} one"), "").exits(2);
        done.says(&["iriscan: one: Too many levels of symbolic links; left out, name another"]);
        let done = iriscan_in(dir.path(), &format!("{way} socket"), "").exits(2);
        done.says(&["iriscan: socket: ", "; l"]);
    }
    // In a folder they are left out, and a loop of links ends.
    iriscan_in(dir.path(), "find .", "").exits(0).quiet().writes("./a:http://e.org/%C3%A9\n");
    let way = "(cat a > pipe &) ; $IRISCAN find pipe; (cat a > pipe &) ; $IRISCAN rewrite pipe";
    shell(dir.path(), way).exits(0).quiet().writes(format!("http://e.org/%C3%A9\n{NEW}"));
    iriscan_in(dir.path(), "find /dev/null", "").exits(1).quiet().writes("");
    // The output is a folder.
    iriscan_in(dir.path(), "report -o . a", "").exits(2).says(&["iriscan: .: "]);
    iriscan_in(dir.path(), "report -o no/where a", "").exits(2).says(&["no/where: No such", "; "]);
}

#[test]
fn what_may_not_be_read_is_trouble_with_that_alone() {
    let dir = files(&[("a", OLD.as_bytes()), ("b", OLD.as_bytes())]);
    fs::create_dir(dir.path().join("d")).unwrap();
    // As another user, because root may read everything.
    let script = "chmod 755 . ; chmod 000 b; chmod 000 d\n\
                  set -- setpriv --reuid=65534 --regid=65534 --clear-groups $IRISCAN\n\
                  [ \"$(id -u)\" = 0 ] || set -- $IRISCAN\n\
                  \"$@\" find a b d; echo $?; \"$@\" rewrite -i a b; echo $?; \
                  \"$@\" report -o r a; echo $?";
    let done = shell(dir.path(), script);
    if done.stderr.contains("setpriv: ") {
        return;
    }
    shell(dir.path(), "chmod 755 d");
    done.mentions(&[
        "iriscan: b: Permission denied; make it readable\n",
        "iriscan: d: Permission denied; its files were left out\n",
    ]);
}

// ---- Hostile names ----

#[test]
fn messages_escape_what_a_name_holds() {
    let hostile: [(&[u8], &str); 5] = [
        (b"a\xFFb", "a\u{FFFD}b"),
        (b"a\nb", "a\\u{a}b"),
        (b"a\x1B[31mb", "a\\u{1b}[31mb"),
        ("a\u{202E}txt.b".as_bytes(), "a\\u{202e}txt.b"),
        ("a\u{85}b".as_bytes(), "a\\u{85}b"),
    ];
    for (name, shown) in hostile {
        let dir = files(&[]);
        let path = Path::new(OsStr::from_bytes(name));
        let run = |args: &[&str]| {
            let mut command = command(args);
            command.arg(path).current_dir(dir.path());
            Done::of(command, b"")
        };
        for args in [&["find"][..], &["rewrite"], &["rewrite", "-i"], &["report", "-o", "-"]] {
            let done = run(args).exits(2);
            done.says(&[&format!("iriscan: {shown}: No such file or directory; check the path")]);
        }
        fs::write(dir.path().join(path), OLD).unwrap();
        run(&["find", "-v"]).exits(0).says(&[&format!("iriscan: {shown}: charset")]);
        let record = run(&["find", "--json"]).record();
        assert_eq!(record.get("path_bytes").is_some(), name.contains(&0xFF));
        let diff = String::from_utf8(run(&["rewrite", "--diff"]).exits(0).stdout).unwrap();
        assert!(diff.starts_with(&format!("--- {shown}\n+++ {shown}\n@@ ")), "{diff}");
        run(&["rewrite", "--in-place=.bak"]).exits(0).quiet();
        assert_eq!(fs::read_to_string(dir.path().join(path)).unwrap(), NEW);
        // If standard output is no terminal, names are not escaped.
        let dot = [command(["find"]).arg(path).arg(path).current_dir(dir.path()).output().unwrap()];
        assert!(dot[0].stdout.starts_with(name), "{:?}", dot[0].stdout);
    }
}

// ---- Attributes ----

#[test]
fn extended_attributes_and_access_lists_are_kept() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    // Version 2: owner rw, user 65534 rw, group none, mask rw, others none.
    let entries =
        [(1, 6, u32::MAX), (2, 6, 65534), (4, 0, u32::MAX), (16, 6, u32::MAX), (32, 0, u32::MAX)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, mode, id) in entries {
        list.extend([u16::to_le_bytes(tag), u16::to_le_bytes(mode)].concat());
        list.extend(id.to_le_bytes());
    }
    let get = |path: &Path, name: &str| {
        let mut value = [0; 256];
        getxattr(path, name, &mut value[..]).map(|len| value[..len].to_vec()).ok()
    };
    let dir = files(&[("a", OLD.as_bytes()), ("b", OLD.as_bytes())]);
    let path = dir.path().join("a");
    for (name, value) in [("user.origin", b"http://e.org/"), ("user.x", b"\0\xFF           ")] {
        if setxattr(&path, name, value, XattrFlags::empty()).is_err() {
            return;
        }
    }
    let listed = setxattr(&path, "system.posix_acl_access", &list, XattrFlags::empty()).is_ok();
    for way in ["rewrite -i a b", "report -o a b"] {
        iriscan_in(dir.path(), way, "").exits(0).quiet();
        assert_eq!(get(&path, "user.origin").unwrap(), b"http://e.org/");
        assert_eq!(get(&path, "user.x").unwrap(), b"\0\xFF           ");
        assert_eq!(get(&path, "system.posix_acl_access"), listed.then(|| list.clone()));
        assert_eq!(get(&dir.path().join("b"), "system.posix_acl_access"), None);
    }
    // A rewritten file does not get the default access list of its folder.
    if listed
        && setxattr(dir.path(), "system.posix_acl_default", &list, XattrFlags::empty()).is_ok()
    {
        fs::write(dir.path().join("b"), OLD).unwrap();
        iriscan_in(dir.path(), "rewrite -i b", "").exits(0).quiet();
        assert_eq!(get(&dir.path().join("b"), "system.posix_acl_access"), None);
    }
}

// ---- Signals and closed pipes ----

fn temporary(dir: &Path) -> usize {
    names(dir).iter().filter(|name| name.starts_with(".iriscan-")).count()
}

#[test]
fn a_signal_in_a_tree_leaves_files_old_or_new() {
    let (old, new) = (OLD.repeat(100_000), NEW.repeat(100_000));
    for (signal, code) in ending_signals() {
        let dir = files(&[]);
        for i in 0..8 {
            fs::write(dir.path().join(i.to_string()), &old).unwrap();
        }
        let mut child = command(["rewrite", "-i", "-j3", "."]);
        let mut child = child.current_dir(dir.path()).stderr(Stdio::piped()).spawn().unwrap();
        while temporary(dir.path()) == 0 {
            assert!(child.try_wait().unwrap().is_none(), "there should be something to do");
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        Done::from(child.wait_with_output().unwrap()).exits(code).quiet();
        assert_eq!(names(dir.path()), ["0", "1", "2", "3", "4", "5", "6", "7"]);
        for name in names(dir.path()) {
            let now = read(dir.path(), &name);
            assert!(now == old || now == new, "{name} after {signal}");
        }
    }
}

#[test]
fn a_signal_leaves_no_half_report() {
    for (signal, code) in ending_signals() {
        let dir = files(&[("page", b"older")]);
        let mut child = command(["report", "-o", "page", "-"]);
        let child = child.current_dir(dir.path()).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        // The output is longer than a pipe holds, so the program is running.
        child.stdin.as_mut().unwrap().write_all(OLD.repeat(10_000).as_bytes()).unwrap();
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        let stdin = child.stdin.take();
        Done::from(child.wait_with_output().unwrap()).exits(code).quiet();
        drop(stdin);
        assert_eq!(names(dir.path()), ["page"]);
        assert_eq!(read(dir.path(), "page"), "older");
    }
}

/// /dev/stdout is such a link to a pipe, which has no other name.
#[cfg(target_os = "linux")]
#[test]
fn a_report_goes_where_a_link_leads() {
    let dir = files(&[("a", OLD.as_bytes()), ("behind", b"old")]);
    for (link, target) in [("out", "/proc/self/fd/1"), ("page", "behind")] {
        std::os::unix::fs::symlink(target, dir.path().join(link)).unwrap();
    }
    let is_link = |name: &str| dir.path().join(name).symlink_metadata().unwrap().is_symlink();
    let done = iriscan_in(dir.path(), "report -o out a", "").exits(0).quiet();
    assert!(done.stdout.starts_with(b"<!doctype html>") && is_link("out"), "{done:?}");
    // A file that was removed has no name at all.
    let out = File::create(dir.path().join("gone")).unwrap();
    fs::remove_file(dir.path().join("gone")).unwrap();
    let mut command = command("report -o out a".split(' '));
    command.current_dir(dir.path()).stdout(out);
    let done = Done::from(command.output().unwrap()).exits(2);
    done.says(&["out: ", "nothing was written"]);
    assert!(is_link("out"));
    iriscan_in(dir.path(), "report -o page a", "").exits(0).quiet().writes("");
    assert!(is_link("page") && read(dir.path(), "behind").starts_with("<!doctype html>"));
    std::os::unix::fs::symlink("made", dir.path().join("new")).unwrap();
    iriscan_in(dir.path(), "report -o new a", "").exits(0).quiet().writes("");
    assert!(is_link("new") && read(dir.path(), "made").starts_with("<!doctype html>"));
    // No temporary file is left.
    assert_eq!(names(dir.path()), ["a", "behind", "made", "new", "out", "page"]);
}

#[test]
fn every_command_ends_quietly_when_nobody_reads() {
    let long = files(&[("a", OLD.repeat(50_000).as_bytes())]);
    for args in [
        "find a",
        "find --json a",
        "find --color always a",
        "find --stats=json a",
        "rewrite a",
        "rewrite -j1 a",
        "rewrite --diff a",
        "rewrite --diff --color always a",
        "report -o - a",
        "report -o /dev/stdout a",
        "convert",
        "check",
        "check --json",
        "man",
        "completions bash",
        "-h",
        "find -h",
    ] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = command(args.split(' '));
        command
            .current_dir(long.path())
            .stdout(writer)
            .stdin(File::open(long.path().join("a")).unwrap());
        let done = Done::from(command.output().unwrap()).exits(0);
        assert!(done.stderr.is_empty() || args.contains("--stats"), "{args}: {}", done.stderr);
    }
}
