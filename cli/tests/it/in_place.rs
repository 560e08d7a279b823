//! `rewrite -i`: files are replaced, or left as they are, and never anything in between.

use std::{fs, path::Path, process::Stdio, time::Duration};

use crate::common::{Done, command, files, iriscan_in};

const OLD: &str = "see http://e.org/é\n";
const NEW: &str = "see http://e.org/%C3%A9\n";

/// The names in a folder.
fn names(dir: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let names = fs::read_dir(dir).unwrap().map(|e| name(e).into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

/// In any order, on any number of threads, named or in a list, and by another path.
#[test]
fn a_backup_is_no_input() {
    let other = OLD.replace('é', "ö");
    for jobs in ["-j1", "-j2", "-j8"] {
        for names_of in ["x x.bak", "x.bak x", "x d/../x.bak", "x.bak d x.bak ./x"] {
            for listed in [false, true] {
                let dir = files(&[("x", OLD.as_bytes()), ("x.bak", other.as_bytes())]);
                fs::create_dir(dir.path().join("d")).unwrap();
                let done = match listed {
                    false => {
                        let args = format!("rewrite {jobs} --in-place=.bak {names_of}");
                        iriscan_in(dir.path(), &args, "")
                    }
                    true => {
                        let args = format!("rewrite {jobs} --in-place=.bak --files-from -");
                        iriscan_in(dir.path(), &args, names_of.replace(' ', "\n"))
                    }
                };
                done.exits(2).mentions(&[
                    "x: its backup ",
                    "x.bak is an input too; ",
                    "left as it is",
                ]);
                assert_eq!([read(dir.path(), "x"), read(dir.path(), "x.bak.bak")], [OLD, &other]);
                assert_eq!(read(dir.path(), "x.bak"), other.replace('ö', "%C3%B6"));
                assert_eq!(names(dir.path()), ["d", "x", "x.bak", "x.bak.bak"]);
            }
        }
        // A backup that does not exist yet is not made either.
        let dir = files(&[("x", OLD.as_bytes())]);
        let args = format!("rewrite {jobs} --in-place=.bak x x.bak");
        let done = iriscan_in(dir.path(), &args, "").exits(2);
        done.mentions(&["x.bak is an input too", "iriscan: x.bak: No such file"]);
        assert_eq!((names(dir.path()), read(dir.path(), "x")), (vec!["x".into()], OLD.into()));
        // A file that is named twice is rewritten once.
        let args = format!("rewrite {jobs} --in-place=.bak x ./x x");
        iriscan_in(dir.path(), &args, "").exits(0).quiet();
        assert_eq!([read(dir.path(), "x"), read(dir.path(), "x.bak")], [NEW, OLD]);
        assert_eq!(names(dir.path()), ["x", "x.bak"]);
    }
}

#[test]
fn every_format_and_size() {
    let long = OLD.repeat(200_000);
    let mail = "Subject: x\nContent-Type: text/plain; charset=utf-8\n\nhttp://e.org/é\n";
    let page = "<a href='/é'>http://e.org/&eacute;</a>";
    let dir = files(&[
        ("long.txt", long.as_bytes()),
        ("m.eml", mail.as_bytes()),
        ("p.html", page.as_bytes()),
        ("late.txt", [&"x\n".repeat(2_000_000), OLD].concat().as_bytes()),
    ]);
    iriscan_in(dir.path(), "rewrite -i long.txt m.eml p.html late.txt", "").exits(0).quiet();
    assert!(read(dir.path(), "long.txt") == NEW.repeat(200_000));
    assert!(read(dir.path(), "late.txt") == ["x\n".repeat(2_000_000).as_str(), NEW].concat());
    assert_eq!(read(dir.path(), "m.eml"), mail.replace('é', "%C3%A9"));
    assert_eq!(read(dir.path(), "p.html"), "<a href='/%C3%A9'>http://e.org/%C3%A9</a>");
    assert_eq!(names(dir.path()).len(), 4);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn what_does_not_change_is_not_touched() {
        let dir = files(&[("a", b"http://e.org/a"), ("b", "é http://لa.com/".as_bytes())]);
        let about = || {
            ["a", "b", "."].map(|name| {
                let about = fs::metadata(dir.path().join(name)).unwrap();
                (about.ino(), about.mtime(), about.mtime_nsec(), about.ctime_nsec())
            })
        };
        let before = about();
        iriscan_in(dir.path(), "rewrite -i a b", "").exits(0);
        iriscan_in(dir.path(), "rewrite --in-place=.bak a b", "").exits(0);
        assert_eq!(about(), before);
    }

    #[test]
    fn mode_stays_and_the_time_is_now() {
        for mode in [0o600, 0o644, 0o755, 0o444] {
            let dir = files(&[("a", OLD.as_bytes())]);
            let path = dir.path().join("a");
            let old = std::time::SystemTime::now() - Duration::from_secs(100_000);
            fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            iriscan_in(dir.path(), "rewrite --in-place=~ a", "").exits(0).quiet();
            let about = fs::metadata(&path).unwrap();
            assert_eq!(about.mode() & 0o7777, mode);
            assert!(about.modified().unwrap() > old + Duration::from_secs(90_000));
            assert_eq!(fs::metadata(dir.path().join("a~")).unwrap().modified().unwrap(), old);
        }
    }

    #[test]
    fn a_symbolic_link_stays_and_its_file_is_rewritten() {
        let dir = files(&[]);
        fs::create_dir_all(dir.path().join("deep")).unwrap();
        fs::write(dir.path().join("deep/file"), OLD).unwrap();
        symlink("deep/file", dir.path().join("one")).unwrap();
        symlink("one", dir.path().join("two")).unwrap();
        iriscan_in(dir.path(), "rewrite --in-place=.old two", "").exits(0).quiet();
        assert!(fs::symlink_metadata(dir.path().join("two")).unwrap().is_symlink());
        assert_eq!(read(dir.path(), "deep/file"), NEW);
        assert_eq!(read(dir.path(), "deep/file.old"), OLD);
        assert_eq!(names(dir.path()), ["deep", "one", "two"]);
        symlink("nowhere", dir.path().join("lost")).unwrap();
        iriscan_in(dir.path(), "rewrite -i lost", "").exits(2).says(&["lost: No such file"]);
    }

    #[test]
    fn another_hard_link_keeps_the_old_file() {
        let dir = files(&[("a", OLD.as_bytes())]);
        fs::hard_link(dir.path().join("a"), dir.path().join("b")).unwrap();
        iriscan_in(dir.path(), "rewrite -i a", "").exits(0).quiet();
        assert_eq!([read(dir.path(), "a"), read(dir.path(), "b")], [NEW, OLD]);
        // A file that has the name of the backup.
        let dir = files(&[("a", OLD.as_bytes())]);
        fs::hard_link(dir.path().join("a"), dir.path().join("a.bak")).unwrap();
        iriscan_in(dir.path(), "rewrite --in-place=.bak a", "").exits(0).quiet();
        assert_eq!([read(dir.path(), "a"), read(dir.path(), "a.bak")], [NEW, OLD]);
        assert_eq!(names(dir.path()), ["a", "a.bak"]);
    }

    #[test]
    fn a_symbolic_link_with_the_name_of_the_backup_is_not_followed() {
        for target in ["other", "nowhere"] {
            let dir = files(&[("a", OLD.as_bytes()), ("other", b"mine")]);
            symlink(target, dir.path().join("a.bak")).unwrap();
            let done = iriscan_in(dir.path(), "rewrite --in-place=.bak a", "").exits(2);
            done.says(&["a.bak exists already"]);
            assert_eq!([read(dir.path(), "a"), read(dir.path(), "other")], [OLD, "mine"]);
            assert_eq!(names(dir.path()), ["a", "a.bak", "other"]);
        }
    }

    #[test]
    fn what_is_not_a_regular_file_is_refused() {
        let dir = files(&[("a", OLD.as_bytes())]);
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
        let done = iriscan_in(dir.path(), "rewrite -i socket /dev/null a", "").exits(2);
        let done = done.mentions(&["socket: not a regular file; ", "/dev/null: not a regular"]);
        assert_eq!(done.stderr.lines().count(), 2);
        assert_eq!(read(dir.path(), "a"), NEW);
    }

    /// Root may write anywhere.
    fn is_root(dir: &Path) -> bool {
        fs::metadata(dir).unwrap().uid() == 0
    }

    #[test]
    fn a_folder_or_a_file_without_permission_is_trouble() {
        let dir = files(&[("a", OLD.as_bytes()), ("b", OLD.as_bytes())]);
        if is_root(dir.path()) {
            return;
        }
        fs::set_permissions(dir.path().join("b"), fs::Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
        let done = iriscan_in(dir.path(), "rewrite -i a b", "").exits(2);
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let lines: Vec<&str> = done.stderr.lines().collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].contains("a: Permission denied; the file is as it was; make its folder"));
        assert!(lines[1].contains("b: Permission denied; make it readable"), "{lines:?}");
        assert_eq!(read(dir.path(), "a"), OLD);
        assert_eq!(names(dir.path()), ["a", "b"]);
    }

    /// A limit on the size of files has the effect of a full disk.
    #[test]
    fn no_room_leaves_the_file_as_it_was() {
        let text = OLD.repeat(10_000);
        let dir = files(&[("a", text.as_bytes())]);
        let program = env!("CARGO_BIN_EXE_iriscan");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("ulimit -f 8; exec {program} rewrite -i a")]);
        shell.current_dir(dir.path());
        let done = Done::of(shell, b"").exits(2);
        done.says(&["iriscan: a: File too large; the file is as it was; make room"]);
        assert!(read(dir.path(), "a") == text);
        assert_eq!(names(dir.path()), ["a"]);
    }

    #[test]
    fn a_file_that_somebody_else_changes_is_left() {
        let dir = files(&[("a", OLD.repeat(400_000).as_bytes())]);
        let path = dir.path().join("a");
        let mut child = start(dir.path());
        let file = wait_for_temporary(dir.path(), &mut child);
        if file {
            use std::io::Write;
            fs::File::options().append(true).open(&path).unwrap().write_all(b"mine").unwrap();
        }
        let done: Done = child.wait_with_output().unwrap().into();
        if !done.stderr.is_empty() {
            done.exits(2).says(&["iriscan: a: changed by somebody else", "; "]);
            assert!(read(dir.path(), "a") == [&OLD.repeat(400_000), "mine"].concat());
        }
        assert_eq!(names(dir.path()), ["a"]);
    }

    fn start(dir: &Path) -> std::process::Child {
        let mut command = command(["rewrite", "-i", "-j1", "a"]);
        command.current_dir(dir).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Waits until the program has a temporary file. Returns false if it ended before.
    fn wait_for_temporary(dir: &Path, child: &mut std::process::Child) -> bool {
        loop {
            if names(dir).len() > 1 {
                return true;
            }
            if child.try_wait().unwrap().is_some() {
                return false;
            }
        }
    }

    fn kill(child: &std::process::Child, signal: &str) {
        let mut kill = std::process::Command::new("kill");
        kill.args([&format!("-{signal}"), &child.id().to_string()]);
        assert!(kill.status().unwrap().success());
    }

    #[test]
    fn a_signal_leaves_no_temporary_file() {
        let text = OLD.repeat(1_000_000);
        for (signal, code) in crate::common::ending_signals() {
            // The program may end before the signal comes.
            let ended = (0..5).any(|_| {
                let dir = files(&[("a", text.as_bytes())]);
                let mut child = start(dir.path());
                if wait_for_temporary(dir.path(), &mut child) {
                    kill(&child, signal);
                }
                let output = child.wait_with_output().unwrap();
                assert_eq!(names(dir.path()), ["a"]);
                if output.status.success() {
                    return false;
                }
                Done::from(output).exits(code).quiet();
                read(dir.path(), "a") == text
            });
            assert!(ended, "{signal}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nohup_is_obeyed() {
        let text = OLD.repeat(400_000);
        let dir = files(&[("a", text.as_bytes())]);
        let program = env!("CARGO_BIN_EXE_iriscan");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("trap '' HUP; exec {program} rewrite -i -j1 a")]);
        let mut child = shell.current_dir(dir.path()).spawn().unwrap();
        if wait_for_temporary(dir.path(), &mut child) {
            kill(&child, "HUP");
        }
        assert!(child.wait().unwrap().success());
        assert!(read(dir.path(), "a") == NEW.repeat(400_000));
    }

    /// How often the program is killed; `IRISCAN_KILLS` for more.
    const KILLS: u32 = 60;

    #[test]
    fn killed_at_any_moment_a_file_is_old_or_new() {
        let (old, new) = (OLD.repeat(100_000), NEW.repeat(100_000));
        let kills = std::env::var("IRISCAN_KILLS").ok().and_then(|n| n.parse().ok());
        let kills: u32 = kills.unwrap_or(KILLS);
        let dir = files(&[]);
        let path = dir.path().join("a");
        // The time that a run takes if it is not killed.
        fs::write(&path, &old).unwrap();
        let begun = std::time::Instant::now();
        assert!(start(dir.path()).wait().unwrap().success());
        let whole = begun.elapsed();
        let (mut olds, mut news) = (0, 0);
        for i in 0..kills {
            for name in names(dir.path()) {
                fs::remove_file(dir.path().join(name)).unwrap();
            }
            fs::write(&path, &old).unwrap();
            let mut child = start(dir.path());
            std::thread::sleep(whole * 5 / 4 * i / kills);
            child.kill().unwrap();
            child.wait().unwrap();
            let now = fs::read(&path).unwrap();
            assert!(now == old.as_bytes() || now == new.as_bytes(), "{i}: {} bytes", now.len());
            if now == old.as_bytes() { olds += 1 } else { news += 1 }
        }
        println!("killed {kills} times: {olds} old, {news} new");
        assert!(olds > 0);
    }
}
