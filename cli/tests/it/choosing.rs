//! Choosing among the links: `--only-host` and its kin, which `find`, `rewrite` and `report`
//! share.

use crate::common::{files, iriscan, iriscan_in};

const TEXT: &str =
    "http://a.example/é http://www.b.example/é http://例え.jp/é mailto:u@c.example\n";

fn found(args: &str) -> Vec<String> {
    let done = iriscan(&format!("find {args}"), TEXT).quiet();
    let text = String::from_utf8(done.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn options_choose_links() {
    const A: &str = "http://a.example/%C3%A9";
    const B: &str = "http://www.b.example/%C3%A9";
    const C: &str = "http://xn--r8jz45g.jp/%C3%A9";
    const MAIL: &str = "mailto:u@c.example";
    for (args, want) in [
        ("--only-host *.example", &[A, B][..]),
        ("--only-host *.b.example --only-host xn--r8jz45g.jp", &[B, C]),
        ("--only-host b.example", &[]),
        ("--not-host *.example", &[C, MAIL]),
        ("--match ^http --not-match [.]jp", &[A, B]),
        ("--match (?i)WWW --match ^mailto:", &[B, MAIL]),
        ("--changed", &[A, B, C]),
        ("--changed --not-host *", &[]),
    ] {
        assert_eq!(found(args), want, "{args}");
    }
}

#[test]
fn what_is_not_chosen_is_text() {
    let done = iriscan("rewrite --only-host *.jp", TEXT).exits(0).quiet();
    let want = TEXT.replace("http://例え.jp/é", "http://xn--r8jz45g.jp/%C3%A9");
    assert_eq!(String::from_utf8(done.stdout).unwrap(), want);
    iriscan("rewrite --check --only-host nowhere.example", TEXT).exits(0).quiet();
    iriscan("rewrite --check --only-host a.example", TEXT).exits(1).quiet();
    iriscan("find --only-host nowhere.example", TEXT).exits(1).quiet();
    let dir = files(&[("a.txt", TEXT.as_bytes())]);
    iriscan_in(dir.path(), "rewrite -i --match jp a.txt", "").exits(0).quiet();
    assert_eq!(std::fs::read_to_string(dir.path().join("a.txt")).unwrap(), want);
    let page = iriscan_in(dir.path(), "report -o - --only-host *.b.example a.txt", "");
    let page = String::from_utf8(page.exits(0).quiet().stdout).unwrap();
    assert!(page.contains("www.b.example") && !page.contains("href=\"http://a.example"), "{page}");
}

#[test]
fn choosing_reaches_mail_and_archives_and_pieces() {
    let mail = "Subject: http://b.example/\n\nhttp://a.example/é\nhttp://b.example/é\n";
    let done = iriscan("find --format mail --only-host b.example", mail).exits(0).quiet();
    assert_eq!(
        String::from_utf8(done.stdout).unwrap(),
        "http://b.example/\nhttp://b.example/%C3%A9\n"
    );
    let done = iriscan("rewrite --format mail --only-host b.example", mail).exits(0).quiet();
    let want = mail.replace("http://b.example/é", "http://b.example/%C3%A9");
    assert_eq!(String::from_utf8(done.stdout).unwrap(), want);
    let page = "<a href='http://a.example/é'>http://b.example/x</a>";
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{page}");
    let warc = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.example/\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    );
    let done = iriscan("find --format warc --only-host a.example", &warc).exits(0).quiet();
    assert_eq!(String::from_utf8(done.stdout).unwrap(), "http://a.example/%C3%A9\n");
    // A file that several threads share.
    let dir = files(&[("big.txt", TEXT.repeat(60_000).as_bytes())]);
    for jobs in ["-j1", "-j2"] {
        let args = format!("find --count --only-host *.jp {jobs} big.txt");
        let done = iriscan_in(dir.path(), &args, "").exits(0).quiet();
        assert_eq!(String::from_utf8(done.stdout).unwrap(), "60000\n", "{jobs}");
    }
}

#[test]
fn lists_come_from_files_or_standard_input() {
    let hosts = "# list\r\n0.0.0.0 b.example\n||a.example^\n\n例え.jp\n";
    let dir = files(&[
        ("in.txt", TEXT.as_bytes()),
        ("hosts", hosts.as_bytes()),
        ("none", b"# nothing\n"),
        ("literals", b"://www.\r\n\nmailto:\n"),
        ("latin", b"\xE9\n"),
        ("odd", b"a.example\nb example\nb.example/x\n"),
    ]);
    let count = |args: &str, input: &str| {
        let done = iriscan_in(dir.path(), &format!("find --count {args} in.txt"), input);
        (String::from_utf8(done.stdout).unwrap().trim_end().to_owned(), done.stderr)
    };
    for (args, input, want) in [
        ("--hosts-from hosts", "", "3"),
        ("--hosts-from - ", hosts, "3"),
        ("--hosts-from none", "", "0"),
        ("--hosts-from none --hosts-from hosts", "", "3"),
        ("--contains-from literals", "", "2"),
        ("--contains-from literals --hosts-from hosts", "", "1"),
    ] {
        assert_eq!(count(args, input), (want.to_owned(), String::new()), "{args}");
    }
    let (found, said) = count("--hosts-from odd", "");
    assert_eq!(found, "1");
    assert_eq!(
        said,
        "iriscan: odd: 2 lines without a host, from line 2 on, left out; give a host a line\n"
    );
    for (args, message) in [
        ("--hosts-from gone", "iriscan: gone: No such file"),
        ("--contains-from latin", "iriscan: latin: line 1 is not UTF-8; convert the file"),
        ("--hosts-from - -", "iriscan: standard input cannot be a list and an input too"),
    ] {
        let done = iriscan_in(dir.path(), &format!("find {args} in.txt"), "").exits(2);
        assert!(done.stderr.starts_with(message), "{args}: {}", done.stderr);
    }
}

#[test]
fn errors_say_where_in_the_pattern() {
    for (args, message) in [
        ("--match a(b", "--match: \"a(b\": unclosed group, character 2; "),
        ("--not-match [z-a]", "--not-match: \"[z-a]\": "),
        ("--match (((x{1000}){1000}){1000})", "takes more than 10 MiB"),
        (
            "--only-host http://a/",
            "--only-host: \"http://a/\": no host has ':', character 5; give a host",
        ),
        ("--not-host a/b", "--not-host: \"a/b\": no host has '/', character 2; "),
    ] {
        let done = iriscan(&format!("find {args}"), "").exits(2);
        assert!(done.stderr.contains(message), "{args}: {}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
}

#[test]
fn strings_that_are_too_long_together_are_refused() {
    let (most, one) = (32 << 20, "http://a.example/x\n");
    let lines = "0123456789abcde\n".repeat(most / 15 + 1);
    let dir = files(&[("one", &vec![b'x'; most + 1]), ("many", lines.as_bytes())]);
    for list in ["one", "many"] {
        let done = iriscan_in(dir.path(), &format!("find --contains-from {list}"), one).exits(2);
        let words = ["--contains-from: the strings have 335544", "33554432 are the most"];
        done.says(&[words[0], words[1], "give fewer or shorter ones"]).writes("");
    }
}
