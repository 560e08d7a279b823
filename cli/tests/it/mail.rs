//! `--format mail`: names in a Maildir, and the longest message.

use std::path::Path;

use crate::common::{iriscan, iriscan_in};

fn testdata(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/mail");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn names_of_a_maildir_tell_that_it_is_mail() {
    let mail = testdata("base64.eml");
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        // A name with flags is enough, in any folder.
        ("a/1700000000.M1P2.host.example:2,S", true),
        ("a/1700000000.M1P2.host.json,S=12,W=13:2,", true),
        ("a/1700000000.M1P2.host!2,FS", true),
        ("a/1700000000.M1P2.host;2,a", true),
        ("a/x:2,S.txt", false),
        ("a/x:2,1", false),
        ("a/1700000000.M1P2.host", false),
        ("a/x.mbx", true),
        // Files in a Maildir.
        ("maildir/cur/whatever", true),
        ("maildir/new/1700000000.M1P2.host", true),
        ("maildir/new/page.html", false),
        ("maildir/x", false),
        // Incomplete Maildirs, and other folders called `new`.
        ("b/cur/1700000000.M1P2.host", true),
        ("c/new/1700000000_0.2.host,U=1", true),
        ("d/new/2024.report", false),
        ("d/new/x", false),
    ];
    let cases = cases.iter().filter(|(name, _)| !cfg!(windows) || !name.contains(':'));
    for (name, _) in cases.clone() {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &mail).unwrap();
    }
    let mut expected = String::new();
    for &(name, is_mail) in cases {
        let links = if is_mail { 2 } else { 0 };
        let done = iriscan_in(dir.path(), &format!("find --count {name}"), "");
        assert_eq!(String::from_utf8_lossy(&done.stdout), format!("{links}\n"), "{name}");
        if is_mail {
            expected += &format!("{name}:2\n");
        }
    }
    // The same for whole folders.
    let done = iriscan_in(dir.path(), "find --count a maildir b c d", "").exits(0);
    let counts = String::from_utf8(done.stdout).unwrap();
    let mut found: Vec<&str> = counts.lines().filter(|line| line.ends_with(":2")).collect();
    let mut expected: Vec<&str> = expected.lines().collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn a_message_above_the_limit_passes_as_it_is() {
    let line = "http://a.example/ü und so weiter, eine Zeile wie jede andere.\n";
    let long = ["Subject: lang\n\n", &line.repeat((64 << 20) / line.len() + 1)].concat();
    assert!(long.len() > 64 << 20);
    let done = iriscan("rewrite --format mail", &long).exits(0);
    assert!(done.stdout == long.as_bytes());
    done.says(&["byte 0", "longer than 64 MiB", "stays as written"]);
    iriscan("find --format mail", &long).exits(1).says(&["is not searched"]).writes("");
}
