//! Options for rewriting a message.

/// How [`rewrite`](crate::mail::rewrite::rewrite) treats a message.
///
/// ```
/// use iriscan::{Finder, mail};
///
/// let signed = "DKIM-Signature: v=1; bh=…\n\nhttp://a.example/ü\n".as_bytes();
/// let keep = mail::rewrite(&Finder::new(), signed, &mail::Options::new());
/// assert_eq!(&*keep.0, signed);
/// assert_eq!(keep.1.kept[0].reason, mail::KeptReason::Signed);
/// let even = mail::Options::new().even_signed(true);
/// let break_it = mail::rewrite(&Finder::new(), signed, &even);
/// assert!(break_it.0.ends_with(b"http://a.example/%C3%BC\n"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    even_signed: bool,
    limit: usize,
    first: u64,
}

/// The default of [`Options::limit`].
const LIMIT: usize = 64 << 20;

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}

impl Options {
    /// Signed messages are left alone, and so are messages above 64 MiB.
    #[must_use]
    pub fn new() -> Options {
        Options { even_signed: false, limit: LIMIT, first: 1 }
    }

    /// Rewrite signed messages too, and so break their signatures.
    #[must_use]
    pub fn even_signed(mut self, yes: bool) -> Options {
        self.even_signed = yes;
        self
    }

    /// The longest message that is rewritten, in bytes; a longer one stays as it is. It
    /// bounds the memory that one message takes
    /// ([`MEMORY_FACTOR`](crate::mail::rewrite::MEMORY_FACTOR)).
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Options {
        self.limit = bytes;
        self
    }

    /// The number of the first link of the message, for [`Field::N`](crate::Field::N) of a template.
    /// Default: 1.
    #[must_use]
    pub fn first(mut self, n: u64) -> Options {
        self.first = n;
        self
    }

    /// Whether signed messages are rewritten too.
    #[must_use]
    pub const fn get_even_signed(&self) -> bool {
        self.even_signed
    }

    /// The number of the first link of the message.
    #[must_use]
    pub const fn get_first(&self) -> u64 {
        self.first
    }

    /// The longest message that is rewritten, in bytes: the limit for [`Messages::new`].
    ///
    /// ```
    /// assert_eq!(iriscan::mail::Options::new().get_limit(), 64 << 20);
    /// ```
    ///
    /// [`Messages::new`]: crate::mail::mbox::Messages::new
    #[must_use]
    pub const fn get_limit(&self) -> usize {
        self.limit
    }
}
