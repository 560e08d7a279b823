//! Pieces of a document, and its bytes in a charset.

use std::borrow::Cow;

use encoding_rs::{EncoderResult, Encoding};

/// A part of a document.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Text(Cow<'static, str>),
    /// Bytes that are the same in every charset, and malformed in most.
    Bytes(Cow<'static, [u8]>),
}

/// Returns the bytes of `pieces` in a charset. Characters that the charset does not have are left out.
pub(crate) fn encode(pieces: &[Piece], charset: Option<&str>) -> Vec<u8> {
    let (mut out, mut text) = (vec![], String::new());
    for piece in pieces {
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Bytes(bytes) => {
                encode_text(&std::mem::take(&mut text), charset, &mut out);
                out.extend_from_slice(bytes);
            }
        }
    }
    encode_text(&text, charset, &mut out);
    out
}

fn encode_text(text: &str, charset: Option<&str>, out: &mut Vec<u8>) {
    match charset.unwrap_or("utf-8") {
        "utf-8" => out.extend_from_slice(text.as_bytes()),
        "utf-16le" => out.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
        "utf-16be" => out.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
        label => {
            let encoding = Encoding::for_label(label.as_bytes()).expect("charsets should be known");
            let mut encoder = encoding.new_encoder();
            let (mut rest, mut buffer) = (text, [0; 1024]);
            loop {
                let (result, read, written) =
                    encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
                out.extend_from_slice(&buffer[..written]);
                rest = &rest[read..];
                if result == EncoderResult::InputEmpty {
                    break;
                }
            }
        }
    }
}
