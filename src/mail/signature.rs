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
    /// `DKIM-Signature`, `DomainKey-Signature`, `ARC-Message-Signature`, or one of the fields made
    /// like them: `X-Google-DKIM-Signature`, `X-Developer-Signature`.
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

/// Whether a field of this name is a signature of the message.
pub(super) fn is_signature(name: &str) -> bool {
    const NAMES: [&str; 4] =
        ["dkim-signature", "domainkey-signature", "arc-message-signature", "x-developer-signature"];
    const END: &str = "-dkim-signature";
    let end = name.len().checked_sub(END.len()).and_then(|at| name.get(at..));
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
        || end.is_some_and(|end| end.eq_ignore_ascii_case(END))
}
