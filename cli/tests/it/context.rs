//! `find --context` in a pipe.

use crate::common::Live;

#[test]
fn a_live_input_gives_a_link_when_its_context_is_complete() {
    let mut live = Live::start("find --context 4");
    live.send("see http://a.example/ now");
    live.gives("http://a.example/\tsee http://a.example/ now\n");
    live.send(" and http://b.example/");
    live.end().exits(0);
}
