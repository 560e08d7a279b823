//! The traits that every public type implements.

use std::fmt::Debug;

use crate::*;

#[test]
fn types_are_send_sync_unpin_and_debug() {
    fn holds<T: Send + Sync + Unpin + Debug>() {}
    fn copies<T: Copy + Eq>() {}
    holds::<Finder>();
    holds::<Config>();
    holds::<ConfigError>();
    holds::<Charset>();
    holds::<LabelError>();
    holds::<Input<'_>>();
    holds::<FindIter<'_>>();
    holds::<Match<'_>>();
    holds::<Uri<'_>>();
    holds::<UriError>();
    holds::<Scanner>();
    holds::<Summary>();
    holds::<Rewritten>();
    holds::<Positions>();
    holds::<Position>();
    holds::<Schemes>();
    #[cfg(feature = "std")]
    holds::<Rewriter<std::vec::Vec<u8>>>();
    #[cfg(feature = "bytes")]
    {
        holds::<Segments>();
        holds::<Segment>();
        holds::<Link>();
    }
    #[cfg(feature = "mail")]
    {
        holds::<mail::Link>();
        holds::<mail::Left>();
        holds::<mail::Done>();
        holds::<mail::Why>();
        holds::<mail::Piece>();
        holds::<mail::Messages<std::io::Empty>>();
        copies::<mail::Options>();
        copies::<mail::Signature>();
    }
    copies::<Charset>();
    copies::<Basis>();
    copies::<Kind>();
    copies::<Warning>();
    copies::<HostForm>();
    copies::<QueryCharset>();
    copies::<Nfc>();
}
