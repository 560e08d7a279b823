//! How bytes are written in a transcript, with `\` for what an editor would not show.

use crate::common::{Order, wide};

/// The bytes that the lines of a block are written for.
pub(crate) fn bytes(block: &str) -> Vec<u8> {
    let (mut bytes, mut charset) = (vec![], "");
    for line in block.lines() {
        let (label, text) = line[1..].split_once(' ').unwrap_or((&line[1..], ""));
        charset = label;
        let backslashes = text.len() - text.trim_end_matches('\\').len();
        match text.strip_suffix('\\').filter(|_| backslashes % 2 == 1) {
            Some(text) => bytes.extend(unescaped(text)),
            None => bytes.extend([unescaped(text), b"\n".to_vec()].concat()),
        }
    }
    let text = || str::from_utf8(&bytes).unwrap();
    match charset {
        "" => bytes,
        "utf-16le" => wide(text(), 2, Order::Little),
        "utf-16be" => wide(text(), 2, Order::Big),
        "utf-32le" => wide(text(), 4, Order::Little),
        "utf-32be" => wide(text(), 4, Order::Big),
        label => {
            encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text()).0.into()
        }
    }
}

/// `text` with its escapes resolved.
pub(crate) fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split('\\');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    let hex = |digits| u32::from_str_radix(digits, 16).unwrap();
    while let Some(part) = parts.next() {
        let rest = match part.chars().next() {
            None => {
                bytes.push(b'\\');
                parts.next().unwrap()
            }
            Some('x') => {
                bytes.push(hex(&part[1..3]) as u8);
                &part[3..]
            }
            Some('u') => {
                let (digits, rest) = part[2..].split_once('}').unwrap();
                bytes.extend(char::from_u32(hex(digits)).unwrap().to_string().bytes());
                rest
            }
            Some(kind) => {
                bytes.push(b"\0\n\r\t\x1B"["0nrte".find(kind).unwrap()]);
                &part[1..]
            }
        };
        bytes.extend(rest.bytes());
    }
    bytes
}

/// The block of a stream: `old` if it is written for that, with `[..]` for any text in a line. On
/// Windows `\` in a path is as good as `/`.
pub(crate) fn shown(mark: char, stream: &[u8], old: String) -> String {
    let escaped = |char: char| match char {
        '"' | '\'' => char.to_string(),
        '\x1B' => r"\e".to_owned(),
        _ => char.escape_debug().to_string(),
    };
    let mut new = String::new();
    for line in stream.split_inclusive(|&byte| byte == b'\n') {
        let mut text = String::new();
        for chunk in line.strip_suffix(b"\n").unwrap_or(line).utf8_chunks() {
            text.extend(chunk.valid().chars().map(escaped));
            text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
        }
        let end = if line.ends_with(b"\n") { "" } else { "\\" };
        let text = text.strip_suffix(' ').map_or(text.clone(), |text| format!("{text}\\x20"));
        new += format!("{mark} {text}{end}").trim_end();
        new.push('\n');
    }
    let slashes = |line: &str| line.replace(if cfg!(windows) { r"\\" } else { "/" }, "/");
    let alike = |(old, new): (&str, &str)| match old.split_once("[..]") {
        Some((start, end)) => new.strip_prefix(start).is_some_and(|new| new.ends_with(end)),
        None => slashes(old) == slashes(new),
    };
    let lines = (old.lines().count(), new.lines().count());
    let same = lines.0 == lines.1 && old.lines().zip(new.lines()).all(alike);
    if same || bytes(&old) == stream { old } else { new }
}
