//! How a message is signed.

/// How a message is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Signature {
    /// `DKIM-Signature`, `DomainKey-Signature` or `ARC-Message-Signature`.
    Dkim,
    /// A part is `multipart/signed`.
    Multipart,
    /// A part is S/MIME.
    Smime,
    /// PGP: a part with a signature, or one within the text.
    Pgp,
}

impl Signature {
    /// The signature in a few words, for messages.
    ///
    /// ```
    /// assert_eq!(iriscan::mail::Signature::Smime.as_str(), "S/MIME");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Signature::Dkim => "DKIM",
            Signature::Multipart => "multipart/signed",
            Signature::Smime => "S/MIME",
            Signature::Pgp => "PGP",
        }
    }
}
