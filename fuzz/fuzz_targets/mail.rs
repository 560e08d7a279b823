//! Any bytes are a message: the spans of links lie in it, rewriting counts the links that
//! finding finds, rewriting twice changes nothing more, and the pieces of a stream of
//! messages, concatenated, are the stream.

#![no_main]

use iriscan::{Charset, Config, Finder, HostForm, mail};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let finder = Finder::new();
    let links = mail::find(&finder, bytes);
    for link in &links {
        if let Some(span) = link.span() {
            assert!(span.start < span.end && span.end <= bytes.len() as u64, "{link:?}");
        }
    }
    for even in [false, true] {
        let options = mail::Options::new().even_signed(even);
        let (written, done) = mail::rewrite(&finder, bytes, &options);
        assert_eq!(done.links, links.len() as u64, "both should find the same");
        let others = links.iter().filter(|link| !link.link().is_ascii()).count();
        assert_eq!(done.changed as usize + done.kept.len(), others);
        assert_eq!(done.changed == 0, *written == *bytes, "only links should change");
    }
    for host in [HostForm::Punycode, HostForm::Percent, HostForm::Keep] {
        // The charset is given: without one, another may be detected once links are ASCII.
        let config = Config::new().charset(Charset::UTF_8).host(host);
        let finder = config.build().expect("the rules should be valid");
        let options = mail::Options::new().even_signed(true);
        let (written, done) = mail::rewrite(&finder, bytes, &options);
        assert_eq!(done.changed == 0, *written == *bytes, "only links should change");
        let (again, done) = mail::rewrite(&finder, &written, &options);
        assert_eq!(*again, *written, "rewriting twice should change nothing more");
        assert_eq!(done.changed, 0);
    }
    for limit in [1, 50, 1 << 20] {
        let mut joined = Vec::new();
        for piece in mail::Messages::new(bytes, limit) {
            joined.extend_from_slice(piece.expect("a slice should be readable").bytes());
        }
        assert_eq!(joined, bytes, "pieces should be the stream");
    }
});
