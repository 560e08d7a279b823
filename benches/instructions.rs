//! Runs one search over one corpus, for callgrind: `.ci/instructions` counts its
//! instructions. On a shared machine times vary; instructions do not.
//!
//!     instructions FILE CHARSET KINDS WAY TIMES
//!
//! CHARSET: a label, or auto. KINDS: a comma list. WAY: find, rows (each line is a text of its
//! own) or rewrite, if need be with a format (find:html).

use std::{env, fs, hint::black_box, io};

use iriscan::{Charset, Config, Format, Kind};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [file, charset, kinds, way, times] = &arguments[..] else {
        // `cargo test --benches` gives no arguments.
        return println!("instructions FILE CHARSET KINDS WAY TIMES");
    };
    let kinds = kinds.split(',').map(|kind| match kind {
        "iri" => Kind::Iri,
        "bare" => Kind::Bare,
        "email" => Kind::Email,
        other => panic!("{other}: kinds are iri, bare, email"),
    });
    let config = match &charset[..] {
        "auto" => Config::new(),
        label => {
            Config::new().charset(Charset::for_label(label).expect("the charset should be known"))
        }
    };
    let finder = config.kinds(kinds).build();
    let finder = finder.expect("the options should be valid");
    let (way, format) = way.split_once(':').unwrap_or((way, "text"));
    let finder = finder.format(format.parse::<Format>().expect("the format should be known"));
    let bytes = fs::read(file).expect("the corpus should be readable");
    let mut links = 0;
    for _ in 0..times.parse().expect("TIMES should be a number") {
        links += match way {
            "find" => finder.find_iter(&bytes[..]).count() as u64,
            "rewrite" => {
                let done = finder.rewrite(&bytes[..], io::sink());
                done.expect("memory should not fail").summary.links
            }
            // Each line is a text of its own.
            "rows" => {
                let (mut from, mut links) = (0, 0);
                for end in memchr::memchr_iter(b'\n', &bytes) {
                    links += finder.find_iter(&bytes[from..end]).count() as u64;
                    from = end + 1;
                }
                links
            }
            other => panic!("{other}: ways are find, rows, rewrite"),
        };
    }
    println!("{}", black_box(links));
}
