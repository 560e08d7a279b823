//! Text in a charset, without the library.

use std::{vec, vec::Vec};

use crate::Charset;

/// Returns `text` in `charset`, or `None` if the charset cannot hold it.
pub(super) fn encode(text: &str, charset: Charset) -> Option<Vec<u8>> {
    let mut out = vec![];
    match charset.name() {
        "UTF-16LE" => text.encode_utf16().for_each(|u| out.extend(u.to_le_bytes())),
        "UTF-16BE" => text.encode_utf16().for_each(|u| out.extend(u.to_be_bytes())),
        "UTF-32LE" => text.chars().for_each(|c| out.extend(u32::from(c).to_le_bytes())),
        "UTF-32BE" => text.chars().for_each(|c| out.extend(u32::from(c).to_be_bytes())),
        name => {
            let encoding = encoding_rs::Encoding::for_label(name.as_bytes())
                .unwrap_or_else(|| panic!("{name} should be a label"));
            let (bytes, _, lossy) = encoding.encode(text);
            if lossy {
                return None;
            }
            out.extend_from_slice(&bytes);
        }
    }
    Some(out)
}
