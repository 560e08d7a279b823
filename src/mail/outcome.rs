//! What rewriting a message did, and why links stay.

use core::fmt;
use std::vec::Vec;

use super::{link::MailLink, signature::Signature, unsearched::Unsearched};
use crate::reference::to_uri::UriError;

/// Why a link that rewriting should replace stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeptReason {
    /// It has no URI form.
    NoUri(UriError),
    /// It lacks a field that the template needs.
    NoField,
    /// Its URI form cannot be written in the charset, or not beside malformed bytes.
    Unwritable,
    /// It is an identifier, such as one of JSON-LD ([`Config::identifiers`](crate::Config::identifiers)).
    Identifier,
    /// The message is signed.
    Signed,
    /// The message is longer than the limit.
    MessageTooLong,
    /// Its line would be longer than the 998 bytes that a line may have.
    LineTooLong,
    /// It is in an encoded word of a field.
    EncodedWord,
    /// It is in a field of addresses, and the URI form of an address is not an address.
    Address,
    /// Its part is in UTF-7.
    Utf7,
    /// Its base64 has other bytes in it, or is not complete.
    DamagedBase64,
    /// It is in a message that is attached encoded.
    EncodedMessage,
}

impl fmt::Display for KeptReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeptReason::NoUri(e) => e.fmt(f),
            KeptReason::NoField => f.write_str("it lacks a field of the template"),
            KeptReason::Unwritable => f.write_str("its new form cannot be written where it stands"),
            KeptReason::Identifier => f.write_str("it is an identifier"),
            KeptReason::Signed => f.write_str("the message is signed"),
            KeptReason::MessageTooLong => f.write_str("the message is longer than the limit"),
            KeptReason::LineTooLong => f.write_str("its line would be longer than 998 bytes"),
            KeptReason::EncodedWord => f.write_str("it is in an encoded word"),
            KeptReason::Address => f.write_str("it is in a field of addresses"),
            KeptReason::Utf7 => f.write_str("its part is in UTF-7"),
            KeptReason::DamagedBase64 => f.write_str("its part is not whole base64"),
            KeptReason::EncodedMessage => {
                f.write_str("it is in a message that is attached encoded")
            }
        }
    }
}

/// A link that rewriting should replace and left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kept {
    /// The link.
    pub link: MailLink,
    /// Why it stays.
    pub reason: KeptReason,
}

/// What [`rewrite`](crate::mail::rewrite::rewrite) did to a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten {
    /// Links found.
    pub links: u64,
    /// Links replaced. A link that is already as rewriting would write it, because its host
    /// is kept ([`HostForm::Keep`](crate::reference::to_uri::HostForm::Keep)), does not count.
    pub changed: u64,
    /// Links that should be replaced and could not.
    pub kept: Vec<Kept>,
    /// Characters of replacements that are written as `?`, because the text has neither them nor
    /// has its format an escape.
    pub lost: u64,
    /// The parts that are not searched, and so not rewritten.
    pub unsearched: Vec<Unsearched>,
    /// How the message is signed, if it is.
    pub signed: Option<Signature>,
}
