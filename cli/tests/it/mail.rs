//! `--format mail`: names in a Maildir, and the longest message.

use crate::common::iriscan;

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
