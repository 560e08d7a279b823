//! How a message is signed.

use crate::data::names::named;

/// How a message is signed. The name is the one that messages to people use.
///
/// ```
/// assert_eq!(iriscan::mail::Signature::Smime.as_str(), "S/MIME");
/// ```
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

named! {
    Signature is "a kind of signature":
    Dkim = "DKIM",
    Multipart = "multipart/signed",
    Smime = "S/MIME",
    Pgp = "PGP",
}
