//! How much a scan does at once: lengths that were measured, and switches of fast paths.
//!
//! None of it changes which links are found. Tests scan with [`Tuning::DEFAULT`], as every
//! program does, and with values so small that a short document crosses every boundary.

/// The tuning of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tuning {
    /// How many bytes of a chunk are first copied to the end of the carry; doubled until they
    /// settle what the carry holds.
    pub(crate) bridge: usize,
    /// In plain text: copies as many bytes more as the carry holds, because that much context
    /// is mostly needed before the place that settles.
    pub(crate) bridge_by_carry: bool,
    /// Text before an escape is unescaped together with it if it is not longer than this.
    pub(crate) unescape: usize,
    /// A run of text without escapes is scanned in place, without a copy, from this length on.
    pub(crate) run: usize,
    /// Text without a candidate that is longer than this is passed over, not decoded.
    pub(crate) gap: usize,
    /// How many bytes of HTML inside XML are decoded at once.
    pub(crate) nested: usize,
    /// How many bytes of a document in a slice are scanned at once.
    pub(crate) page: usize,
    /// How many bytes a rewriting reads at once: the size that fits the caches best.
    pub(crate) block: usize,
    /// How many links of a text of mail are held. If there are more, they are found again.
    #[cfg(feature = "mail")]
    pub(crate) held: usize,
    /// How many octets of encoded words of mail are decoded at once.
    #[cfg(feature = "mail")]
    pub(crate) octets: usize,
    /// Masks measure runs of characters, and read names and addresses ([`fast`](super::fast)).
    pub(crate) fast_path: bool,
    /// Regular tags of HTML are skipped in blocks of 64 bytes.
    pub(crate) skip_tags: bool,
}

impl Tuning {
    pub(crate) const DEFAULT: Tuning = Tuning {
        bridge: 256,
        bridge_by_carry: true,
        unescape: 1024,
        run: 1024,
        gap: 256,
        nested: 4096,
        page: 64 * 1024,
        block: 128 * 1024,
        #[cfg(feature = "mail")]
        held: 256,
        #[cfg(feature = "mail")]
        octets: 4096,
        fast_path: true,
        skip_tags: true,
    };

    /// For tests: a document of a few bytes reaches every boundary.
    #[cfg(test)]
    pub(crate) const SMALL: Tuning = Tuning {
        bridge: 1,
        bridge_by_carry: false,
        unescape: 48,
        run: 4,
        gap: 2,
        nested: 256,
        page: 13,
        block: 13,
        #[cfg(feature = "mail")]
        held: 2,
        #[cfg(feature = "mail")]
        octets: 7,
        fast_path: true,
        skip_tags: true,
    };
}
