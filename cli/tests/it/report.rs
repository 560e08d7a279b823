//! `iriscan report`: options, files and the lines of the page. `peers/src/report.rs` reads the page
//! with a parser of HTML and with a browser.

use std::{fs, process::Command};

use crate::common::{files, iriscan, iriscan_in};

#[test]
fn verbose_says_how_each_input_was_read() {
    let dir = files(&[("a.txt", b"x"), ("b.eml", b"Subject: x\n\nhttp://e.org/\n")]);
    let done = iriscan_in(dir.path(), "report -v -o r.html a.txt b.eml", "").exits(0);
    assert_eq!(
        done.stderr,
        "iriscan: a.txt: charset UTF-8 because every byte is ASCII; format text by its name\n\
         iriscan: b.eml: 1 message; format mail by its name\n"
    );
}

/// In a browser with scripts, all links are one text. The script reads it line by line, so the
/// lines must have a fixed form.
#[test]
fn each_link_is_a_line_of_its_own_with_an_anchor() {
    let dir = files(
        &[
            ("a.txt", "x http://e.org/é\r\n\thttp://u@e.org/\u{2028} <http://e.org/a\nb>" as &str),
            ("b.html", "<a href='http&#58;//f.org/&#10;x'> <a href='/y'> <a href='file:///z'>"),
            ("c.txt", "none"),
            ("d.txt", "www.example.org:8080/x a@e.org"),
        ]
        .map(|(name, text)| (name, text.as_bytes())),
    );
    let args = "report -o - --kinds iri,bare,email a.txt b.html c.txt d.txt";
    let done = iriscan_in(dir.path(), args, "").exits(0);
    let page = String::from_utf8(done.stdout).unwrap();
    let [links] = &page.split("<noscript>").skip(1).collect::<Vec<_>>()[..] else { panic!() };
    let links = links.split("</noscript>").next().unwrap();
    let (mut number, mut names) = (0, 0);
    for line in links.lines() {
        if line.starts_with("<li ") {
            number += 1;
            let head = format!("<li id=l{number}");
            assert!(line.starts_with(&head) && line.matches("</a>").count() == 1, "{line}");
        } else {
            names += usize::from(line.starts_with("<h2>"));
            let ours = ["<section class=file>", "<h2><bdi>", "<p class=soft>", "<ol", "</ol>"];
            let ours = ours.iter().chain(&["</section>", ""]);
            assert!(ours.into_iter().any(|head| line.starts_with(head)), "{line}");
        }
    }
    assert_eq!((number, names), (8, 4), "{links}");
    // A scheme that the start of the link does not say is in an attribute.
    assert!(links.contains("<li id=l4><i>1</i>"), "{links}");
    assert!(links.contains("<li id=l7 data-s=\"\">"), "{links}");
}

/// The page names the host that a link leads to, and gives the URI.
#[test]
fn a_link_is_shown_as_people_read_it() {
    let text = "http://xn--bcher-kva.example/%C3%BC http://BÜCHER.example/x http://раураl.com/ \
                http://paypal.com/ http://דוגמה.example/ה http://e.org/?u=//f.org/";
    let page = iriscan("report -o - --charset utf-8", text).exits(0).stdout;
    let page = String::from_utf8(page).unwrap();
    let links = page.split("<noscript>").nth(1).unwrap();
    for shown in [
        "<a href=\"http://xn--bcher-kva.example/%C3%BC\">http://<b>bücher.example</b>/ü</a>",
        "<div>http://xn--bcher-kva.example/%C3%BC</div>",
        "<a href=\"http://xn--l-7sba6dbr.com/\">http://<b>xn--l-7sba6dbr.com</b>/</a>",
        "<a href=\"http://paypal.com/\">http://<b>paypal.com</b>/</a>",
        // It is isolated from the text around it, from left to right.
        "<a href=\"http://xn--6dbbec0c.example/%D7%94\" dir=ltr>http://<b>דוגמה.example</b>/ה</a>",
        "<a href=\"http://e.org/?u=//f.org/\">http://<b>e.org</b>/?u=//f.org/</a>",
    ] {
        assert!(links.contains(shown), "{shown}\n{links}");
    }
    // One host, however it is written.
    let charts = page.split("<noscript>").next().unwrap();
    assert!(charts.contains("bücher.example</bdi><td class=count>2"), "{charts}");
    assert!(charts.contains("xn--l-7sba6dbr.com") && !charts.contains("раураl"), "{charts}");
}

/// Links are in lists of 200. A browser without scripts lays out a list when it is scrolled to.
#[test]
fn many_links_are_in_lists_of_some_hundred() {
    let dir = files(&[
        ("a", "http://e.org/ ".repeat(450).as_bytes()),
        ("b", "http://e.org/ ".repeat(200).as_bytes()),
        ("c", b"http://e.org/"),
    ]);
    let page = iriscan_in(dir.path(), "report -o - a b c", "").exits(0).stdout;
    let page = String::from_utf8(page).unwrap();
    let links = page.split("<noscript>").nth(1).unwrap().split("</noscript>").next().unwrap();
    let lists: Vec<(bool, usize)> = links
        .split("<ol")
        .skip(1)
        .map(|list| (list.starts_with(" class=full>"), list.matches("<li ").count()))
        .collect();
    let (full, rest) = (true, false);
    assert_eq!(lists, [(full, 200), (full, 200), (rest, 50), (full, 200), (rest, 0), (rest, 1)]);
    assert!(links.contains("<li id=l651>"), "{links}");
}

#[test]
fn the_page_is_complete_or_not_there() {
    let dir = files(&[("a", b"http://e.org/a"), ("out.html", b"old")]);
    iriscan_in(dir.path(), "report a -o out.html", "").exits(0).quiet().writes("");
    let page = fs::read_to_string(dir.path().join("out.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</script>\n"));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    let done = iriscan_in(dir.path(), "report a -o no/such/out.html", "").exits(2);
    done.says(&["no/such/out.html: ", "; nothing was written"]);
    // The output is a folder.
    fs::create_dir(dir.path().join("folder")).unwrap();
    iriscan_in(dir.path(), "report a -o folder", "").exits(2).says(&["folder: "]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
}

#[test]
fn it_has_the_options_of_find() {
    iriscan("report", "").exits(2).writes("").mentions(&["--output", "FILE"]);
    iriscan("report -o - --limitt 2", "").exits(2).mentions(&["--limitt", "--limit"]);
    let done = iriscan("report -o - --stats=json", "http://e.org/ http://e.org/").exits(0);
    assert!(done.stderr.contains("\"links\":2"), "{}", done.stderr);
}

/// A device is written to and not replaced; a symbolic link stays, and its file is replaced.
#[cfg(unix)]
#[test]
fn what_is_no_file_of_its_own_stays_what_it_is() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let dir = files(&[("a.txt", b"http://a.org/"), ("old.html", b"old")]);
    let at = |name: &str| dir.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
    symlink("old.html", at("link.html")).unwrap();
    fs::set_permissions(at("old.html"), fs::Permissions::from_mode(0o640)).unwrap();
    for name in ["link.html", "new.html"] {
        iriscan_in(dir.path(), &format!("report a.txt -o {name}"), "").exits(0).quiet();
    }
    assert!(fs::symlink_metadata(at("link.html")).unwrap().is_symlink());
    assert!(fs::read_to_string(at("old.html")).unwrap().contains("http://a.org/"));
    // A replaced file keeps its mode; a new file has the mode of any new file.
    assert_eq!(mode("old.html"), 0o640);
    fs::write(at("other"), "").unwrap();
    assert_eq!(mode("new.html"), mode("other"));
    let done = Command::new("mkfifo").arg(at("pipe")).status();
    if done.is_ok_and(|done| done.success()) {
        let pipe = at("pipe");
        let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
        iriscan_in(dir.path(), "report a.txt -o pipe", "").exits(0).quiet();
        assert!(reader.join().unwrap().contains("http://a.org/"));
        assert!(!fs::symlink_metadata(at("pipe")).unwrap().is_file());
    }
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with('.')), "{left:?}");
}
