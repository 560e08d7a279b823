//! `iriscan find`: what transcripts cannot hold.

use serde_json::json;

use crate::common::iriscan;

// Other systems refuse such file names.
#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_utf_8_is_given_as_bytes() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt, process::Command};

    use crate::common::{Done, command, files};

    let dir = files(&[("b", b"http://e.org/b")]);
    let name = OsStr::from_bytes(b"\xFF.txt");
    std::fs::write(dir.path().join(name), "http://e.org/a").unwrap();
    let find = |args: &[&OsStr]| {
        let mut command: Command = command(args);
        command.current_dir(dir.path());
        Done::of(command, b"").exits(0).quiet()
    };
    let record = find(&["find".as_ref(), "--json".as_ref(), name]).record();
    assert_eq!((record.get("path"), &record["path_bytes"]), (None, &json!("/y50eHQ=")));
    find(&["find".as_ref(), name, "b".as_ref()])
        .writes(b"\xFF.txt:http://e.org/a\nb:http://e.org/b\n");
}

#[test]
fn help_lists_every_warning() {
    let help = String::from_utf8(iriscan("find --help", "").exits(0).quiet().stdout).unwrap();
    for warning in iriscan::Warning::ALL {
        assert!(help.contains(warning.as_str()), "{warning} should be in\n{help}");
    }
}

#[test]
fn a_link_of_64_kib_is_the_longest_by_default() {
    let fits = format!("http://e.org/{}", "x".repeat(65_536 - 13));
    iriscan("find --count", &fits).exits(0).writes("1\n");
    iriscan("find --count", format!("{fits}x")).exits(1).writes("0\n");
}
