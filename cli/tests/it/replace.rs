//! `rewrite --replace` and `--defang`: another text in place of each link.

use std::fs;

use crate::common::{Live, files, iriscan, iriscan_in};

#[test]
fn every_link_is_replaced_and_nothing_else() {
    let text = "\u{feff}see http://a.example/x,\r\nor http://b.example/\u{e9}\0 end";
    iriscan("rewrite --replace <URL>", text).exits(0).quiet().writes(
        text.replace("http://a.example/x", "<URL>").replace("http://b.example/\u{e9}", "<URL>"),
    );
    iriscan("rewrite --replace {{{n}}}{host}", "http://a.example/ http://b.example/")
        .exits(0)
        .quiet()
        .writes("{1}a.example {2}b.example");
    iriscan("rewrite --replace=", "a http://a.example/ b").exits(0).quiet().writes("a  b");
    let html = "<a href='http://a.example/?a&amp;b'>http://b.example/</a>";
    iriscan("rewrite --format html --replace \"{iri}\"", html).exits(0).quiet().writes(
        "<a href='&quot;http://a.example/?a&amp;b&quot;'>&quot;http://b.example/&quot;</a>",
    );
}

#[test]
fn links_are_defanged() {
    let text = "https://u@a.b.example:80/x.y ftp://c.example mailto:d@e.example 10.0.0.1";
    iriscan("rewrite --defang", text).exits(0).quiet().writes(
        "hxxps[:]//u[@]a[.]b[.]example:80/x.y fxp[:]//c[.]example mailto[:]d[@]e[.]example 10.0.0.1",
    );
    let done = iriscan("rewrite --defang --kinds iri,bare,email", "www.a.example b@c.example");
    done.exits(0).quiet().writes("www[.]a[.]example b[@]c[.]example");
    let once = iriscan("rewrite --defang", text).stdout;
    iriscan("rewrite --defang --check", once).exits(0).quiet();
}

#[test]
fn defanged_links_are_read_and_written_as_they_were() {
    let text = "see https://u@a.b.example:80/x.y, ftp://c.example. 例え http://例え.jp/é。\n";
    let harmless = iriscan("rewrite --defang", text).stdout;
    iriscan("rewrite --refang", &harmless[..]).exits(0).quiet().writes(text);
    let found = iriscan("find --refang --print {uri}", &harmless[..]).exits(0);
    found
        .quiet()
        .writes("https://u@a.b.example:80/x.y\nftp://c.example\nhttp://xn--r8jz45g.jp/%C3%A9\n");
    iriscan("find --count", &harmless[..]).exits(1);
    let kinds = "--kinds iri,bare,email";
    let done =
        iriscan(&format!("rewrite --refang {kinds}"), "www[.]a[dot]example b(at)c\\.example");
    done.exits(0).quiet().writes("www.a.example b@c.example");
    // Mail: the subject, and the part that is plain text.
    let mail = "Subject: hxxp://a[.]example/s\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n\
                --b\n\nhxxp://a[.]example/t\n--b\nContent-Type: text/html\n\n\
                <a href='http://b.example/&eacute;'>hxxp://a[.]example/</a>\n--b--\n";
    let found = iriscan("find --refang --format mail --print {iri}", mail).exits(0);
    found.writes("http://a.example/s\nhttp://a.example/t\nhttp://b.example/é\n");
    let want = mail.replace("hxxp://a[.]example/s", "http://a.example/s");
    let want = want.replace("hxxp://a[.]example/t", "http://a.example/t");
    iriscan("rewrite --refang --format mail", mail).exits(0).writes(want);
}

#[test]
fn only_text_and_mail_are_refanged() {
    let dir = files(&[(
        "a.html",
        "<a href='http://b.example/&eacute;'>hxxp://a[.]example/</a>".as_bytes(),
    )]);
    let page = fs::read(dir.path().join("a.html")).unwrap();
    iriscan_in(dir.path(), "rewrite --refang a.html", "").exits(0).writes(page);
    let done = iriscan("find --refang --format html", "").exits(2);
    done.says(&["'--refang' is of text and mail, and not of --format html; leave one out"]);
    let done = iriscan_in(dir.path(), "find --refang a.html", "").exits(0);
    done.says(&["no input was text or mail, and --refang did nothing; add --format text"]);
    for more in ["--defang", "--replace X", "--to iri"] {
        let done = iriscan(&format!("rewrite --refang {more}"), "").exits(2);
        done.says(&["--refang says what links become; leave out --replace, --defang and --to"]);
    }
}

#[test]
fn links_that_lack_a_field_stay_and_are_counted() {
    let html = "<a href='/x'>http://\u{644}a.com/ http://a.example/</a>";
    let args = "rewrite --format html --charset utf-8 --replace [{open}]";
    let done = iriscan(args, html).exits(0);
    assert_eq!(
        done.stderr,
        "iriscan: -: 2 links lack a field of the template, or room for it, and stay as written; -v names each\n"
    );
    done.writes(html.replace("http://a.example/", "[http://a.example/]"));
    let done = iriscan(&format!("{args} -v"), html);
    done.mentions(&[
        "byte 9: \"/x\" stays as written: it lacks a field of the template",
        "see above",
    ]);
    // Any other field is empty.
    iriscan("rewrite --replace [{query}]", "http://a.example/").quiet().writes("[]");
}

#[test]
fn characters_that_the_charset_lacks_are_counted() {
    let done =
        iriscan("rewrite --replace \u{e9}\u{65e5} --charset iso-8859-1", "http://a.example/ x");
    assert!(done.stderr.contains("1 character that the charset lacks"), "{}", done.stderr);
    done.writes(b"\xE9? x");
    let done = iriscan("rewrite --replace \u{2192}", "http://a.example/ x");
    assert!(done.stderr.contains("became ?; --charset names it"), "{}", done.stderr);
    done.writes("? x");
    iriscan("rewrite --replace \u{2192} --charset utf-8", "http://a.example/ x")
        .quiet()
        .writes("\u{2192} x");
    let html = iriscan("rewrite --format html --replace \u{2192}", "<p>http://a.example/");
    html.quiet().writes("<p>&#8594;");
}

#[test]
fn it_goes_with_the_other_options_of_rewrite() {
    let text = "see http://a.example/x and http://b.example/y\n";
    let want = "see <URL> and http://b.example/y\n";
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    std::io::Write::write_all(&mut packed, text.as_bytes()).unwrap();
    let dir = files(&[
        ("a.txt", text.as_bytes()),
        ("b.txt", b"none\n"),
        ("c.gz", &packed.finish().unwrap()),
        ("big.txt", text.repeat(60_000).as_bytes()),
    ]);
    let run = |args: &str| iriscan_in(dir.path(), args, "");
    let replace = "rewrite --replace <URL> --only-host a.example";
    run(&format!("{replace} --check a.txt")).exits(1).quiet();
    run(&format!("{replace} --check b.txt")).exits(0).quiet();
    let diff = run(&format!("{replace} --diff a.txt")).exits(0).quiet();
    assert!(String::from_utf8(diff.stdout).unwrap().contains(&format!("+{want}")));
    run(&format!("{replace} a.txt")).exits(0).quiet().writes(want);
    run(&format!("{replace} -z c.gz")).exits(0).quiet();
    for jobs in [1, 2] {
        let done = run(&format!("{replace} -j{jobs} big.txt")).exits(0).quiet();
        assert!(done.stdout == want.repeat(60_000).as_bytes(), "{jobs}");
        let done = run(&format!("rewrite --replace {{n}} -j{jobs} big.txt")).exits(0).quiet();
        assert!(done.stdout.ends_with(b"see 119999 and 120000\n"), "{jobs}");
    }
    let before = fs::metadata(dir.path().join("b.txt")).unwrap().modified().unwrap();
    run(&format!("{replace} -i=.old a.txt b.txt")).exits(0).quiet();
    assert_eq!(fs::read_to_string(dir.path().join("a.txt")).unwrap(), want);
    assert_eq!(fs::read_to_string(dir.path().join("a.txt.old")).unwrap(), text);
    assert_eq!(fs::metadata(dir.path().join("b.txt")).unwrap().modified().unwrap(), before);
    run("rewrite --replace X --changed b.txt a.txt").exits(0).quiet();
    iriscan("rewrite --replace X --changed", "http://a.example/ http://a.example/\u{e9}")
        .writes("http://a.example/ X");
    let done = run("rewrite --replace X --defang a.txt").exits(2);
    assert!(done.stderr.contains("cannot be used with"), "{}", done.stderr);
    let done = run("rewrite --replace {hots} a.txt").exits(2);
    assert!(
        done.stderr.contains("no field {hots}") && done.stderr.contains("{fragment}"),
        "{}",
        done.stderr
    );
}

#[test]
fn messages_are_replaced_in_their_parts() {
    let mail = "From a@a.example Thu Jan  1 00:00:00 1970\nSubject: http://a.example/\nContent-Type: text/plain; charset=utf-8\n\
                Content-Transfer-Encoding: quoted-printable\n\nsee http://b.example/=C3=A9 now\n\n\
                From b@b.example Thu Jan  1 00:00:00 1970\nSubject: x\nContent-Transfer-Encoding: base64\nContent-Type: text/html\n\n\
                PHA+aHR0cDovL2MuZXhhbXBsZS8=\n";
    let want = mail
        .replace("http://a.example/", "1:a.example<")
        .replace("http://b.example/=C3=A9", "2:b.example<")
        .replace("PHA+aHR0cDovL2MuZXhhbXBsZS8=", "PHA+MzpjLmV4YW1wbGUmbHQ7");
    let done = iriscan("rewrite --format mail --replace {n}:{host}<", mail).exits(0).quiet();
    assert_eq!(String::from_utf8(done.stdout).unwrap(), want);
    // What the head, or a text of ASCII, cannot hold.
    let mail = "Subject: http://a.example/\n\nhttp://b.example/\n";
    let done = iriscan("rewrite --format mail --replace \u{2192}", mail).exits(0);
    assert!(done.stderr.contains("2 characters that the charset lacks"), "{}", done.stderr);
    done.writes("Subject: ?\n\n?\n");
    let signed = format!("DKIM-Signature: v=1; bh=x\n{mail}");
    let done = iriscan("rewrite --format mail --replace X", &signed).exits(0);
    assert!(
        done.stderr.contains("2 links stay as written in a message that is signed"),
        "{}",
        done.stderr
    );
    done.writes(&signed);
    let html = "Content-Type: text/html; charset=utf-8\n\n<a href='/x'>http://b.example/</a>\n";
    let done = iriscan("rewrite --format mail --replace {open}!", html).exits(0);
    assert!(
        done.stderr.contains("1 link stays as written: it lacks a field of the template"),
        "{}",
        done.stderr
    );
    done.writes(html.replace("example/", "example/!"));
}

#[test]
fn a_pipe_passes_on_what_is_settled() {
    let mut live = Live::start("rewrite --replace <URL>");
    live.send("see http://a.example/x and\n");
    live.gives("see <URL> and\n");
    live.send("http://b.example/\n");
    live.gives("<URL>\n");
    live.end().exits(0).quiet();
}
