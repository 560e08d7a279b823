//! The help, and the names that other programs have for formats.

use crate::common::iriscan;

#[test]
fn help_and_version_are_success() {
    for args in ["--help", "-h", "help", "find --help", "rewrite -h", "help rewrite"] {
        let done = iriscan(args, "").exits(0).quiet();
        assert!(String::from_utf8(done.stdout).unwrap().contains("iriscan"), "{args}");
    }
    let version = format!("iriscan {}\n", env!("CARGO_PKG_VERSION"));
    iriscan("-V", "").exits(0).quiet().writes(version);
}

#[test]
fn help_calls_an_input_path() {
    for command in ["find", "rewrite"] {
        let help = String::from_utf8(iriscan(&format!("{command} --help"), "").stdout).unwrap();
        assert!(help.contains(&format!("iriscan {command} [OPTIONS] [PATH]...\n")), "{help}");
    }
}

#[test]
fn help_documents_the_common_schemes() {
    for command in ["find", "rewrite"] {
        let help = String::from_utf8(iriscan(&format!("{command} --help"), "").stdout).unwrap();
        for scheme in ["http", "https", "mailto", "urn", "xmpp", "javascript"] {
            assert!(help.contains(scheme), "{scheme} in {command}");
        }
    }
}

#[test]
fn a_format_by_another_name_is_answered_with_its_own() {
    for (value, tip) in [
        ("eml", "'mail'"),
        ("EML", "'mail'"),
        (".mbox", "'mail'"),
        ("email", "'mail'"),
        ("message/rfc822", "'mail'"),
        ("text/html;charset=utf-8", "'html'"),
        ("application/rss+xml", "'xml'"),
        ("image/svg+xml", "'xml'"),
        ("text/plain", "'text'"),
        ("syslog", "'log'"),
        ("magic", "'sniff'"),
        ("gz", "'-z' decompresses"),
        ("pdf", "pdftotext FILE - | iriscan find"),
    ] {
        for command in ["find", "rewrite", "report -o -"] {
            let done = iriscan(&format!("{command} --format {value}"), "").exits(2).writes("");
            let done = done.mentions(&[&format!("'{value}'"), "[possible values: auto, text, "]);
            let tips: Vec<&str> =
                done.stderr.lines().filter(|line| line.contains("  tip: ")).collect();
            assert!(tips.len() == 1 && tips[0].contains(tip), "{}", done.stderr);
        }
    }
}
