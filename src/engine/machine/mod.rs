//! Finds the links in windows over a stream, in order of their start.
//!
//! ```text
//!   Seek ── all of it is there ──▶ link ─▶ Seek
//!            anchor with a head before it           verdict
//!   Seek ─────────────────────────────▶ Open ───────────────▶ link ─▶ Seek
//!    ▲  ◀── no link: seek after the anchor ──┤
//!    └── white space or < > " ──── Skip ◀────┘ too long
//! ```
//!
//! Windows go in, places of links come out. Nothing is copied or sent on here, but in charsets that
//! are decoded to UTF-8 first (`transcoded`). What must hold:
//!
//! - `keep ≤ settled`, and both only grow;
//! - no byte before `settled` can become part of another link;
//! - the next window starts at or before `keep`, which is a border between characters.

mod look_behind;
mod near;
mod open;
mod seek;
mod settle;
mod state;
mod transcoded;
mod web;

pub(crate) use state::Machine;
