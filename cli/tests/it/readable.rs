//! `rewrite --to iri` in a pipe.

use crate::common::Live;

#[test]
fn a_pipe_gets_what_is_settled() {
    let mut live = Live::start("rewrite --to iri");
    live.send("see http://a.example/%C3%A9 now\n");
    live.takes_until("see http://a.example/é now\n".as_bytes());
    live.end().exits(0).quiet().writes("");
}
