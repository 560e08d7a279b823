//! Finds the links of a stream of plain text.
//!
//! Windows over the stream go in, places of links come out. [`anchor_search`] names the anchors:
//! bytes that may be the `:`, `.` or `@` of a link. [`machine`] reads the link around an anchor with
//! the grammar; [`fast`] does so for links of a common shape. [`search`] adds the charset. [`stream`]
//! calls the sink, and [`carry`] brings bytes that are not settled to the next chunk.
//! [`nested`] finds the links in the queries of links.

pub(crate) mod anchor_search;
pub(crate) mod boundaries;
pub(crate) mod carry;
pub(crate) mod fast;
pub(crate) mod machine;
pub(crate) mod nested;
pub(crate) mod progress;
pub(crate) mod rules;
pub(crate) mod search;
pub(crate) mod stream;
pub(crate) mod tuning;
