//! The ASCII form of hosts, by a function of the program: with `--cfg iriscan_strings` the library has no data for
//! UTS #46, because a browser has them already.

use alloc::string::String;
use std::sync::OnceLock;

type Map = fn(&str) -> Option<String>;

static MAP: OnceLock<Map> = OnceLock::new();

/// From now on `map` gives the ASCII form of a name that is not ASCII, or `None` if it has none, as
/// [`to_ascii`](super::to_uri::to_ascii) would. The first call counts.
pub fn map_hosts_by(map: Map) {
    let _ = MAP.set(map);
}

/// The ASCII form of a registered name; `None` if it has none.
pub(super) fn to_ascii(name: &str) -> Option<String> {
    MAP.get()?(name)
}
