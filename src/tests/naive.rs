//! The twin: a second implementation of the scanner that is simple and slow.
//!
//! It is written from the rules, not from the machine: it decodes the whole document, tries every
//! start, and looks ahead as far as it likes. It uses an encoding_rs decoder that is fed byte by
//! byte instead of the cursor, Aho-Corasick and a regex for the schemes, regexes for the shapes,
//! and parses whole slices. It shares only the tables: the properties of characters and the list of
//! schemes. It has no limit on the length of a link.

use crate::data::properties;
use std::{
    string::{String, ToString},
    vec,
    vec::Vec,
};

use aho_corasick::AhoCorasick;
use encoding_rs::DecoderResult;
use regex_automata::meta::Regex;

use crate::{
    charset::Charset,
    data::{
        link_term::LinkTerm,
        schemes::{COMMON, Form, OpaqueShape, SCHEME_MAX, Scheme, Schemes},
    },
    engine::rules::Rules,
    grammar::classes::{self, HostClass},
};

/// A decoded character, or a malformed sequence, and its position in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Char {
    pub(super) c: Option<char>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Every character of `bytes`.
pub(super) fn decode(bytes: &[u8], charset: Charset) -> Vec<Char> {
    match charset.name() {
        "UTF-16LE" => utf16(bytes, u16::from_le_bytes),
        "UTF-16BE" => utf16(bytes, u16::from_be_bytes),
        "UTF-32LE" => utf32(bytes, u32::from_le_bytes),
        "UTF-32BE" => utf32(bytes, u32::from_be_bytes),
        name => {
            let encoding = encoding_rs::Encoding::for_label(name.as_bytes())
                .expect("every other charset should be of encoding_rs");
            stream(bytes, encoding)
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<Char> {
    let units = bytes.chunks_exact(2).map(|b| unit([b[0], b[1]]));
    let (mut at, mut out) = (0, vec![]);
    for result in char::decode_utf16(units) {
        let len = result.as_ref().map_or(2, |c| c.len_utf16() * 2);
        out.push(Char { c: result.ok(), start: at, end: at + len });
        at += len;
    }
    if at < bytes.len() {
        // One error, together with a lead surrogate before it.
        let lead = at >= 2 && (0xD800..0xDC00).contains(&unit([bytes[at - 2], bytes[at - 1]]));
        let start = if lead { out.pop().map_or(at, |c| c.start) } else { at };
        out.push(Char { c: None, start, end: bytes.len() });
    }
    out
}

fn utf32(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> Vec<Char> {
    let chunks = bytes.chunks(4).enumerate();
    chunks
        .map(|(i, b)| {
            let c = <[u8; 4]>::try_from(b).ok().and_then(|b| char::from_u32(unit(b)));
            Char { c, start: i * 4, end: i * 4 + b.len() }
        })
        .collect()
}

/// Decodes with one decoder that gets one byte at a time.
fn stream(bytes: &[u8], encoding: &'static encoding_rs::Encoding) -> Vec<Char> {
    let jis = encoding == encoding_rs::ISO_2022_JP;
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut out: Vec<Char> = vec![];
    let mut buffer = [0u8; 32];
    // `kept`: the end of the bytes that the decoder kept of an invalid escape sequence.
    let (mut at, mut kept) = (0, 0);
    loop {
        let last = at == bytes.len();
        let src = if last { &bytes[at..] } else { &bytes[at..=at] };
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(src, &mut buffer, last);
        at += read;
        let text = core::str::from_utf8(&buffer[..written]).expect("output should be UTF-8");
        for (i, c) in text.chars().enumerate() {
            let before = out.last().map_or(0, |p| p.end);
            let late = before < kept && bytes[before] != 0x1B;
            let start = if jis && late {
                before
            } else if jis {
                // The character comes after any escape sequence; its width gives its start.
                let narrow = c.is_ascii() || matches!(c, '¥' | '‾' | '\u{FF61}'..='\u{FF9F}');
                at - if narrow { 1 } else { 2 }
            } else if i > 0 && !c.is_ascii() && out.last().is_some_and(|p| p.end - p.start > 1) {
                // The second scalar value of one sequence.
                out.last().map_or(0, |p| p.start)
            } else {
                before
            };
            // ASCII that comes out late was kept inside the decoder.
            let end = if jis && !(late && c.is_ascii()) {
                at
            } else if c.is_ascii() {
                start + 1
            } else {
                at
            };
            out.push(Char { c: Some(c), start, end });
        }
        match result {
            DecoderResult::Malformed(len, after) => {
                // Of two escape sequences in a row, encoding_rs calls the first malformed, and the
                // standard the second.
                let after = if jis && (len, after) == (3, 3) { 0 } else { after };
                let end = at - usize::from(after);
                out.push(Char { c: None, start: end - usize::from(len), end });
                kept = at;
            }
            DecoderResult::InputEmpty if last => return out,
            DecoderResult::InputEmpty | DecoderResult::OutputFull => {}
        }
    }
}

/// True if the twin implements these rules: links with a scheme, in prose.
pub(super) fn knows(rules: &Rules) -> bool {
    if rules.filter.is_some() {
        return false;
    }
    let kinds = rules.kinds;
    rules.set == crate::grammar::types::RuleSet::Prose
        && kinds == [crate::Kind::Iri].into_iter().collect()
}

/// Returns the links of `bytes`.
pub(super) fn links(bytes: &[u8], charset: Charset, rules: &Rules) -> Vec<(u64, u64)> {
    let chars = decode(bytes, charset);
    let twin = Twin::new(rules);
    let (mut out, mut floor, mut i) = (vec![], 0, 0);
    let (mut until, mut searches) = (0, 0u8);
    let heads = twin.heads(&chars);
    while i < chars.len() {
        let colon = i;
        i += 1;
        let Some((start, scheme)) = heads[colon].filter(|(start, _)| *start >= floor) else {
            continue;
        };
        let opener = twin.opener(&chars, start, colon, scheme.glued);
        let spent = chars[start].start < until && searches >= 8;
        let mark = start.checked_sub(1).and_then(|i| chars[i].c);
        let emphasis = mark.filter(|c| !scheme.glued && matches!(c, '_' | '~' | '|'));
        let mut end = twin.in_text(&chars, colon + 1, scheme.scheme, emphasis);
        if let Some(opener) = opener.filter(|_| !rules.ascii_only && !spent) {
            match delimited(&chars, colon + 1, scheme.scheme, opener) {
                Search::Found(delimited) => end = Some(delimited),
                Search::NotAReference => {}
                Search::NoPartner(at) => {
                    let at = chars.get(at).map_or(bytes.len(), |c| c.start);
                    if end.is_none_or(|e| chars[e - 1].end != at) {
                        searches = if chars[start].start < until { searches + 1 } else { 1 };
                        until = until.max(at);
                    }
                }
            }
        }
        if let Some(end) = end {
            out.push((chars[start].start as u64, chars[end - 1].end as u64));
            floor = end;
            i = end;
        }
    }
    out
}

#[derive(Clone, Copy)]
struct Named {
    scheme: Scheme,
    glued: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Opener {
    open: char,
    close: char,
    whole: bool,
}

struct Twin<'r> {
    rules: &'r Rules,
    known: AhoCorasick,
    names: Vec<String>,
    run: Regex,
}

impl<'r> Twin<'r> {
    fn new(rules: &'r Rules) -> Twin<'r> {
        let names: Vec<String> = match &rules.schemes {
            Schemes::List(names) => names.clone(),
            _ => COMMON.iter().map(|(n, _)| (*n).to_string()).collect(),
        };
        let patterns: Vec<String> = names.iter().map(|n| n.clone() + ":").collect();
        let known = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(&patterns)
            .expect("schemes should make an automaton");
        let run = Regex::new(r"(?i-u)[a-z0-9+.\-]+:").expect("the pattern should be valid");
        Twin { rules, known, names, run }
    }

    /// Returns for each character the scheme whose `:` it is, and where that scheme starts.
    fn heads(&self, chars: &[Char]) -> Vec<Option<(usize, Named)>> {
        // One byte for each character, so that the indices are the same.
        let flat: Vec<u8> =
            chars.iter().map(|c| c.c.filter(char::is_ascii).map_or(0, |c| c as u8)).collect();
        let mut heads = vec![None; chars.len()];
        let mut known: Vec<Vec<(usize, usize)>> = vec![vec![]; chars.len()];
        for m in self.known.find_overlapping_iter(&flat) {
            known[m.end() - 1].push((m.start(), m.pattern().as_usize()));
        }
        for m in self.run.find_iter(&flat) {
            let colon = m.end() - 1;
            let back = |n: usize| m.start().checked_sub(n).and_then(|i| chars[i].c);
            let before = (back(1), back(2));
            heads[colon] = self.head(&flat, m.start(), colon, before, &known[colon]);
        }
        heads
    }

    fn head(
        &self,
        flat: &[u8],
        from: usize,
        colon: usize,
        before: (Option<char>, Option<char>),
        known: &[(usize, usize)],
    ) -> Option<(usize, Named)> {
        let run = &flat[from..colon];
        if !run.last()?.is_ascii_alphanumeric() {
            return None;
        }
        let digits = run.iter().take_while(|b| b.is_ascii_digit()).count();
        let skip = match (before, run[0]) {
            ((Some('\\'), _), b'n' | b'r' | b't' | b'N' | b'R' | b'T') => 1,
            // An ANSI sequence. `[m` alone is not one: it begins `[mailto:`.
            ((Some(open @ ('[' | ';')), further), _)
                if run.get(digits).is_some_and(|b| b | 0x20 == b'm')
                    && (digits > 0 || (open == '[' && further == Some('\u{1B}'))) =>
            {
                digits + 1
            }
            _ => 0,
        };
        let skip = skip + run[skip..].iter().take_while(|b| !b.is_ascii_alphabetic()).count();
        let scheme = |name: &str| COMMON.iter().find(|(n, _)| *n == name).map(|(_, s)| *s);
        let other = crate::data::schemes::UNKNOWN;
        let named = |start: usize, name: &str| {
            let glued = start > from;
            Some((start, Named { scheme: scheme(name).unwrap_or(other), glued }))
        };
        // A scheme without a description does not count after a digit. Nor does it count as the
        // last word of a sentence that runs together with a described scheme (`end.http:`).
        let digit = run[..skip.min(run.len())].last().is_some_and(u8::is_ascii_digit);
        let lower = run.to_ascii_lowercase();
        let glued = [&b".http"[..], b".https", b"-http", b"-https"];
        let odd = digit || glued.iter().any(|http| lower.ends_with(http));
        if run.len() <= SCHEME_MAX {
            let at_skip = known.iter().find(|(start, _)| *start == from + skip);
            if let Some((start, i)) =
                at_skip.filter(|(_, i)| !odd || scheme(&self.names[*i]).is_some())
            {
                return named(*start, &self.names[*i]);
            }
            let whole = run.get(skip..).unwrap_or_default().to_ascii_lowercase();
            let never = [&b"javascript"[..], b"data", b"vbscript"].contains(&&whole[..]);
            if self.rules.schemes == Schemes::Any && whole.len() > 1 && !never && !odd {
                return named(from + skip, core::str::from_utf8(&whole).unwrap_or(""));
            }
        }
        let http = known
            .iter()
            .filter(|(start, i)| *start >= from && ["http", "https"].contains(&&*self.names[*i]))
            .min()?;
        named(http.0, &self.names[http.1])
    }

    fn opener(&self, chars: &[Char], start: usize, colon: usize, glued: bool) -> Option<Opener> {
        // If letters before the scheme were left out, no delimiter comes before it.
        if glued || colon < start {
            return None;
        }
        let back = |n: usize| start.checked_sub(n).and_then(|i| chars[i].c);
        let nearest = back(1)?;
        let phrase = |close| Some(Opener { open: nearest, close, whole: false });
        let whole = |open, close| Some(Opener { open, close, whole: true });
        match nearest {
            '<' if back(2) == Some('\\') => whole('\\', '\\'),
            '<' => whole('<', '>'),
            ':' => {
                let label: String = (2..=4).filter_map(back).collect();
                (label.eq_ignore_ascii_case("lru") && back(5) == Some('<')).then_some(())?;
                whole('<', '>')
            }
            '"' | '\'' if back(2) == Some('=') => whole(nearest, nearest),
            '"' | '\'' if back(2) == Some('\\') => whole('\\', '\\'),
            '(' if back(2) == Some(']') => whole('(', ')'),
            '(' if (2..=4).filter_map(back).collect::<String>().eq_ignore_ascii_case("lru")
                && !back(5).is_some_and(char::is_alphanumeric) =>
            {
                whole('(', ')')
            }
            '"' | '\'' | '`' => phrase(nearest),
            '“' | '”' => phrase('”'),
            '„' => phrase('“'),
            '‘' => phrase('’'),
            '‚' => phrase('‘'),
            '«' => phrase('»'),
            '»' => phrase('«'),
            '‹' => phrase('›'),
            c => phrase(properties::closing_bracket(c)?),
        }
    }

    /// Returns the end of the link in running text. `from`: the place after the `:`. `emphasis`: a
    /// mark before the link, which is not part of the link at its end.
    fn in_text(
        &self,
        chars: &[Char],
        from: usize,
        scheme: Scheme,
        emphasis: Option<char>,
    ) -> Option<usize> {
        let ends = |i: usize| {
            let Some(c) = chars[i].c else { return true };
            classes::never_in_link(c)
                || matches!(c, '<' | '>' | '"' | '\\' | '`')
                || (self.rules.ascii_only && !c.is_ascii())
                || classes::ends_sentence_unspaced(c)
        };
        let next = |i: usize| (i..chars.len()).find(|&i| ends(i)).unwrap_or(chars.len());
        let text = |to: usize| chars[from..to].iter().filter_map(|c| c.c).collect::<Vec<char>>();
        let mut stop = next(from);
        // A quotation in a query or in a fragment does not end the link.
        if let Parsed::Tail { at, .. } = parse(&text(stop), scheme, Place::Text)
            && !self.rules.ascii_only
        {
            while let Some(close) = quotation(&chars[from..], at, stop - from) {
                stop = next(from + close + 1);
            }
        }
        let body = text(stop);
        // Text glued to a host ends the host. `tail` handles text that is glued to a tail.
        let glued = |i: &usize| {
            classes::is_unspaced_letter(body[*i])
                && closed(&chars[from..from + i])
                && !is_one_label(&body[..*i], scheme)
        };
        let host = (0..body.len()).find(glued).unwrap_or(body.len());
        let parsed = parse(&body[..host], scheme, Place::Text);
        match parsed {
            Parsed::Not => None,
            Parsed::Host { end, .. } => end.map(|e| from + e),
            Parsed::Tail { host, at } => tail(&body, host, at, emphasis).map(|e| from + e),
        }
    }
}

/// The place of the closing mark of the quotation that opens at `i`, if it is at the start of a value
/// in the query or in the fragment of the link. The tail starts at `tail`.
fn quotation(link: &[Char], tail: usize, i: usize) -> Option<usize> {
    const MARKS: [&str; 8] = ["“”", "„“", "‘’", "‚‘", "«»", "»«", "‹›", "›‹"];
    let open = link.get(i)?.c?;
    let marks = MARKS.iter().find(|marks| marks.starts_with(open))?;
    let close = marks.chars().nth(1)?;
    let before = link[i.checked_sub(1)?].c?;
    let query = link.get(tail..i)?.iter().any(|c| matches!(c.c, Some('?' | '#')));
    if !query || !matches!(before, '=' | '?' | '#' | '&') {
        return None;
    }
    let stops = |c: &Char| {
        c.c.is_none_or(|c| {
            classes::never_in_link(c) || c == open || "<>\"\\`".contains(c) || c == close
        })
    };
    let len = link[i + 1..].iter().take(250).position(stops)?;
    (link[i + 1 + len].c == Some(close)).then_some(i + 1 + len)
}

/// True if a letter of an unspaced script that follows `link` ends it.
fn closed(link: &[Char]) -> bool {
    let back = |n: usize| link.len().checked_sub(n).and_then(|i| link[i].c);
    let Some(c) = back(1) else { return false };
    let hex = |c: Option<char>| c.is_some_and(|c| c.is_ascii_hexdigit());
    if hex(back(1)) && hex(back(2)) && back(3) == Some('%') {
        return false;
    }
    c.is_ascii() && !"/?#=&-_+.:%([~@${}|^".contains(c)
}

/// True if `link`, read from the place after the `:`, ends in a host of only one label so far. Text
/// does not cut such a host, because half a label is another host.
fn is_one_label(link: &[char], scheme: Scheme) -> bool {
    let Some(authority) = link.strip_prefix(&['/', '/']) else { return false };
    let at = authority.iter().position(|c| *c == '@');
    let from = link.len() - authority.len() + at.map_or(0, |at| at + 1);
    if placeholder(&link[from..]).is_some_and(|(_, c)| from + c < link.len()) {
        return false;
    }
    let (pieces, over) = pieces(link, from, Place::Text, !scheme.described && at.is_none());
    let whole = over == pieces.len() && from + over == link.len();
    whole && !pieces.is_empty() && !pieces.contains(&Piece::Dot)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Text,
    /// Inside brackets or typographic quotes.
    Phrase,
    /// Inside straight quotes.
    Quotes,
    Field,
}

enum Parsed {
    Not,
    /// The link has no tail: it ends with the host. `whole`: the host takes all of the text.
    /// `alive`: more text could continue the authority.
    Host {
        end: Option<usize>,
        whole: bool,
        alive: bool,
    },
    /// A tail starts at `at`. `host`: the end of the host before it.
    Tail {
        host: Option<usize>,
        at: usize,
    },
}

/// Parses up to the tail. The indices are of `body`.
fn parse(body: &[char], scheme: Scheme, place: Place) -> Parsed {
    let shape = match scheme.form {
        Form::Opaque(shape) => Some(shape),
        Form::Either(shape) if body.first() != Some(&'/') => Some(shape),
        _ => None,
    };
    if let Some(shape) = shape {
        return match shape_end(body, shape) {
            Some(end) => Parsed::Tail { host: Some(end), at: end },
            None => Parsed::Not,
        };
    }
    if !body.starts_with(&['/', '/']) {
        return Parsed::Not;
    }
    let rest = &body[2..];
    let k = rest.iter().position(|c| matches!(c, '/' | '?' | '#'));
    let full = &rest[..k.unwrap_or(rest.len())];
    let length: u32 = full.iter().map(|c| classes::encoded_len(*c)).sum();
    let too_long = length > 1024 || (length == 1024 && k.is_some());
    let authority = fitting(full, 1024);
    let generic = !scheme.described;
    // Before the first `@`, userinfo holds only its own characters; where no host can go on any
    // more, any graphic ASCII character.
    let settled = settles(&body[..2 + authority.len()], 2, place, generic);
    let fits = |(i, c): (usize, &char)| is_user(*c) || (i > settled && c.is_ascii_graphic());
    let user = |n: usize| authority[..n].iter().enumerate().all(fits);
    let at = authority.iter().position(|c| *c == '@').filter(|&at| at > 0 && user(at));
    if at.is_some_and(|at| !authority[..at].iter().all(|c| is_user(*c) || ",;()".contains(*c))) {
        return Parsed::Not;
    }
    let (skip, alive) = match at {
        Some(at) => (at + 1, false),
        None => (0, user(authority.len())),
    };
    let name = &authority[skip..];
    // The syntax of `scp`: a path directly after the colon.
    if scheme.scp
        && at.is_some()
        && name.first() != Some(&'[')
        && let Some(colon) = name.iter().position(|c| *c == ':')
        && name.get(colon + 1).is_some_and(|c| c.is_alphabetic() || *c == '~')
    {
        let from = 2 + skip;
        let (end, state) = host(&body[..from + colon], from, place, false, None);
        if state == State::Whole {
            return Parsed::Tail { host: end, at: from + colon + 1 };
        }
    }
    let (end, state) = host(
        &body[..2 + skip + name.len()],
        2 + skip,
        place,
        generic && at.is_none(),
        k.map(|k| rest[k]),
    );
    let whole = state == State::Whole;
    // A host that the limit cuts would be another host.
    let end = end.filter(|_| !(too_long && state != State::Over));
    let empty = name.is_empty() && scheme.form == Form::EmptyHost;
    let alive = alive || state != State::Over;
    match k {
        Some(k) if !too_long && (whole || (empty && rest[k] == '/')) => {
            Parsed::Tail { host: end, at: 2 + k }
        }
        Some(_) => Parsed::Host { end, whole: false, alive: false },
        None => Parsed::Host { end, whole: whole && !too_long, alive: alive && !too_long },
    }
}

/// The longest start of `text` that has at most `most` characters when it is percent-encoded.
fn fitting(text: &[char], most: u32) -> &[char] {
    let mut length = 0;
    let fits = |c: &&char| {
        length += classes::encoded_len(**c);
        length <= most
    };
    &text[..text.iter().take_while(fits).count()]
}

fn is_user(c: char) -> bool {
    !c.is_ascii() || c.is_ascii_alphanumeric() || "-._~:%!$&'*+=".contains(c)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The host takes all of the text.
    Whole,
    /// The rest may become part of the host if more text follows.
    Begun,
    /// The host ends before the rest.
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Dot,
    Label,
    /// Part of a label, but not at its end.
    Inner,
}

/// Returns the kind of each character of the name, and where the text that is not part of it
/// starts: directly after the name, or after symbols that are glued to ASCII without a dot after
/// them.
fn pieces(body: &[char], from: usize, place: Place, generic: bool) -> (Vec<Piece>, usize) {
    let name = &body[from..];
    let as_chars: Vec<Char> = body.iter().map(|c| Char { c: Some(*c), start: 0, end: 0 }).collect();
    let symbol = |c: char| classes::host_class(c) == HostClass::Symbol;
    let field = place == Place::Field;
    let mut out = vec![];
    while let Some(&c) = name.get(out.len()) {
        let i = out.len();
        let glued = !field && closed(&as_chars[..from + i]);
        match c {
            '.' => out.push(Piece::Dot),
            '。' | '．' | '｡' if field => out.push(Piece::Dot),
            '-' | '_' | '%' => out.push(Piece::Inner),
            '+' | '&' | '$' | '\'' | '=' | '!' | '~' if generic => out.push(Piece::Inner),
            // Text after a host. Quotes hold no text.
            c if glued
                && place != Place::Quotes
                && classes::is_unspaced_letter(c)
                && out.contains(&Piece::Dot) =>
            {
                break;
            }
            c if glued && symbol(c) => {
                let more = |c: &&char| symbol(**c) || matches!(c, '\u{FE0F}' | '\u{200D}');
                let n = name[i..].iter().take_while(more).count();
                if name.get(i + n) != Some(&'.') {
                    return (out, i + n);
                }
                out.extend(vec![Piece::Inner; n]);
            }
            c if classes::host_class(c) == HostClass::No => break,
            _ => out.push(Piece::Label),
        }
    }
    let n = out.len();
    (out, n)
}

/// Returns the end of the host that these pieces form. Without a dot it may be a sentence about
/// addresses, which is no host: it begins with a letter of an unspaced script, or has one after
/// ASCII.
/// In Hangul it is one if it has no particle at its start or end, or if a path or a delimiter follows
/// (`led`) and it is no particle.
fn named(pieces: &[Piece], name: &[char], place: Place, led: bool) -> Option<usize> {
    let end = pieces.iter().rposition(|p| *p == Piece::Label)?;
    let first = pieces.iter().position(|p| *p == Piece::Dot).unwrap_or(pieces.len());
    if first < end || place == Place::Field {
        return Some(end + 1);
    }
    let as_chars: Vec<Char> = name.iter().map(|c| Char { c: Some(*c), start: 0, end: 0 }).collect();
    if end + 1 == first && name[..first].iter().all(|c| classes::is_hangul(*c)) {
        let word: String = name[..first].iter().collect();
        let mut particles = crate::grammar::adjoining::PARTICLES.iter();
        let text = match led {
            true => particles.any(|p| word == *p),
            false => particles.any(|p| word.starts_with(p) || word.ends_with(p)),
        };
        return (!text).then_some(end + 1);
    }
    let most = if place == Place::Quotes { 1 } else { first };
    let text =
        |i: usize| classes::is_unspaced_letter(name[i]) && (i == 0 || closed(&as_chars[..i]));
    (name.first() != Some(&'-') && !(0..most).any(text)).then_some(end + 1)
}

/// Returns the place of the first `%` in `name` that two hexadecimal digits do not follow, and the
/// place where the first of them is missing.
fn placeholder(name: &[char]) -> Option<(usize, usize)> {
    let hex = |i: &usize| name.get(*i).is_some_and(char::is_ascii_hexdigit);
    let percents = (0..name.len()).filter(|i| name[*i] == '%');
    percents.map(|i| (i, [i + 1, i + 2])).find_map(|(i, digits)| {
        digits.into_iter().find(|digit| !hex(digit)).map(|digit| (i, digit))
    })
}

/// Returns the place in `body[from..]` where no host can go on any more.
fn settles(body: &[char], from: usize, place: Place, generic: bool) -> usize {
    let name = &body[from..];
    let (pieces, over) = pieces(body, from, place, generic);
    if pieces.first() == Some(&Piece::Dot) {
        return 0;
    }
    let empty_label = pieces
        .windows(3)
        .position(|w| w[0] == Piece::Dot && w[1] == Piece::Dot && w[2] != Piece::Dot);
    let percent = placeholder(name).filter(|(i, _)| *i < pieces.len()).map(|(_, c)| c);
    let first = [empty_label.map(|i| i + 2), percent].into_iter().flatten().min();
    if let Some(i) = first {
        return i;
    }
    let dots = pieces.iter().rev().take_while(|p| **p == Piece::Dot).count();
    if name.get(over) == Some(&':')
        && over == pieces.len()
        && dots <= 1
        && named(&pieces, name, place, false).is_some()
    {
        let digits = name[over + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
        return over + 1 + digits;
    }
    over
}

/// Returns the end of the host in `body[from..]`, and whether the host takes all of the text.
fn host(
    body: &[char],
    from: usize,
    place: Place,
    generic: bool,
    led: Option<char>,
) -> (Option<usize>, State) {
    let name = &body[from..];
    if name.first() == Some(&'[') {
        let Some(close) = name.iter().position(|c| *c == ']') else { return (None, State::Over) };
        let literal: String = name[1..close].iter().collect();
        if literal.len() > 64 || !is_literal(&literal) {
            return (None, State::Over);
        }
        return match name.get(close + 1) {
            Some(':') => port(name, close + 1, Some(close + 1), from, false),
            Some(_) => (Some(from + close + 1), State::Over),
            None => (Some(from + close + 1), State::Whole),
        };
    }
    let (pieces, over) = pieces(body, from, place, generic);
    let n = pieces.len();
    let trailing = pieces.iter().rev().take_while(|p| **p == Piece::Dot).count();
    let dot = |p: &Piece| *p == Piece::Dot;
    if pieces.first().is_some_and(dot) {
        return (None, State::Over);
    }
    let twice = pieces[..n - trailing].windows(2).position(|w| w.iter().all(dot));
    if let Some((i, digit)) = placeholder(name)
        && i < n
        && twice.is_none_or(|twice| i < twice)
    {
        let before = named(&pieces[..i], name, place, false).map(|e| from + e);
        let before = before.filter(|_| digit == i + 1);
        return match name.get(digit) {
            None if led.is_none() => (before, State::Begun),
            Some(',' | ';' | ')' | ']' | '}' | '\'' | '!' | '|') => (before, State::Over),
            _ => (None, State::Over),
        };
    }
    if let Some(i) = twice {
        // Two dots make an empty label, three an ellipsis.
        let before = named(&pieces[..i], name, place, false).map(|e| from + e);
        let ellipsis = pieces.get(i + 2).is_some_and(dot);
        return (before.filter(|_| ellipsis), State::Over);
    }
    // Only a path or a delimiter that follows directly shows that the name has no particle.
    let led_here = (led.is_some() || place != Place::Text) && n == name.len();
    let end = named(&pieces, name, place, led_here);
    let found = end.map(|e| from + e);
    match name.get(n) {
        // `http://a../x` has an empty label. In `http://a..` a sentence ends after the host.
        None if led.is_some() && trailing > 1 => (found.filter(|_| led != Some('/')), State::Over),
        None if end.is_some() && trailing <= 1 => (found, State::Whole),
        None => (found, State::Begun),
        // A dot may follow these symbols.
        Some(_) if over > n && over == name.len() && led.is_none() => (found, State::Begun),
        Some(':') if end.is_some() && trailing <= 1 => {
            port(name, n, end, from, !pieces.iter().any(dot))
        }
        Some('@') => (None, State::Over),
        // A placeholder.
        Some('{' | '$') if trailing > 0 => (None, State::Over),
        // `http://foo[.]example`
        Some('[') if end.is_some() && trailing == 0 => match &name[n..] {
            ['[', '.', ']', ..] => (None, State::Over),
            ['['] | ['[', '.'] if led.is_none() => (found, State::Begun),
            _ => (found, State::Over),
        },
        Some(_) => (found, State::Over),
    }
}

fn port(
    name: &[char],
    colon: usize,
    bare: Option<usize>,
    from: usize,
    single: bool,
) -> (Option<usize>, State) {
    let digits = name[colon + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
    let next = name.get(colon + 1 + digits);
    let end = if digits == 0 { bare } else { Some(colon + 1 + digits) };
    match next {
        Some('%' | '$' | '{') if digits == 0 => (None, State::Over),
        Some(':') if digits == 0 && single => (None, State::Over),
        // The first groups of an IPv6 address.
        Some(':' | 'a'..='f' | 'A'..='F')
            if single && colon <= 4 && name[..colon].iter().all(char::is_ascii_hexdigit) =>
        {
            (None, State::Over)
        }
        Some(_) => (end.map(|e| from + e), State::Over),
        None => (end.map(|e| from + e), State::Whole),
    }
}

fn is_literal(text: &str) -> bool {
    let future = Regex::new(r"^(?i:v)[0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$")
        .expect("the pattern should be valid");
    // RFC 6874
    let zone = Regex::new("%25([A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+$").expect("valid");
    let address = zone.find(text).map_or(text, |zone| &text[..zone.start()]);
    future.is_match(text) || address.parse::<core::net::Ipv6Addr>().is_ok()
}

/// True if `rest`, which follows an ASCII letter or digit of a link, is text. `ascii`: all of the
/// link is ASCII.
fn is_text(rest: &[char], ascii: bool) -> bool {
    // One byte for each character. `W`: a letter of an unspaced script. `S`: a symbol. `J`: a
    // character that joins symbols. `X`: another letter.
    let flat: String = rest
        .iter()
        .take(200)
        .map(|&c| match c {
            c if c.is_ascii_uppercase() => 'x',
            c if c.is_ascii() => c,
            c if classes::is_unspaced_letter(c) => 'W',
            c if classes::is_symbol(c) => 'S',
            c if classes::joins_symbols(c) => 'J',
            c if c.is_alphabetic() => 'X',
            _ => '\u{1}',
        })
        .collect();
    let joint = if ascii { "[_%=]" } else { "[-_%=/.]" };
    let is = |pattern: &str| {
        Regex::new(pattern).unwrap_or_else(|e| panic!("{pattern}: {e}")).is_match(&flat)
    };
    let goes_on = is(&std::format!("^W{{1,64}}{joint}[a-z0-9(WX]"))
        || is("^W{1,64}&[a-z0-9_-]{0,63}=")
        || is("^S[SJ]{0,63}[-_=/][a-z0-9(WX]");
    !goes_on
}

/// True if `rest`, which follows a `/` of an ASCII link, begins with a particle.
fn is_particle(rest: &[char]) -> bool {
    let word: String = rest.iter().take_while(|c| classes::is_particle_letter(**c)).collect();
    let next = rest.get(word.chars().count());
    let goes_on = next.is_some_and(|c| "/_-=%?#".contains(*c));
    if word.starts_with('を') {
        return !goes_on || word != "を";
    }
    word.chars().count() <= 4 && crate::grammar::adjoining::PARTICLES.contains(&&*word) && !goes_on
}

/// UTS #58 termination with our departures. `body` ends where text ends a link. `at`: the start of
/// the tail. `host`: the end of the link without the tail.
fn tail(body: &[char], host: Option<usize>, at: usize, emphasis: Option<char>) -> Option<usize> {
    let mut part = match body.get(at) {
        Some('?') => '?',
        Some('#') => '#',
        _ => '/',
    };
    // The tail of a shape starts with any character of a path.
    let by_shape = host == Some(at) && at > 0 && !body.starts_with(&['/', '/']);
    let (mut end, mut i) = if by_shape {
        part = '/';
        (host, at)
    } else if part == '?' {
        (host, at + 1)
    } else {
        (Some(at + 1), at + 1)
    };
    let (mut ascii, mut other): (Vec<char>, Vec<char>) = (vec![], vec![]);
    let mut quotes = 0;
    // The end of the link if it ended before each character.
    let mut ends = vec![None; body.len()];
    let first = i;
    for c in body[..at].iter().filter(|_| by_shape) {
        match c {
            '(' => ascii.push(')'),
            ')' => drop(ascii.pop()),
            _ => {}
        }
    }
    let as_chars: Vec<Char> = body.iter().map(|c| Char { c: Some(*c), start: 0, end: 0 }).collect();
    // The end before the first bar; and before an open bracket in a path, with the number of
    // brackets open there.
    let (mut bar, mut square) = (None, None);
    // Where a quotation ends, and the end of the link before it.
    let mut quoted: Option<(usize, Option<usize>)> = None;
    let end = loop {
        let Some(&c) = body.get(i) else { break end };
        let inside = quoted.is_some_and(|(close, _)| i <= close);
        quoted = quoted.filter(|_| inside);
        if !inside && let Some(close) = quotation(&as_chars, at, i) {
            quoted = Some((close, square.map_or(end, |(_, before)| end.min(before))));
        }
        let closes = quoted.is_some_and(|(close, _)| i == close);
        let ascii_so_far = body[..i].iter().all(char::is_ascii);
        let letter = classes::is_unspaced_letter(c) || classes::is_symbol(c);
        if !inside && letter && closed(&as_chars[..i]) && is_text(&body[i..], ascii_so_far) {
            break end;
        }
        if !inside && ascii_so_far && body[i - 1] == '/' && is_particle(&body[i..]) {
            break end;
        }
        if c == '&' && escaped(&body[i + 1..]) {
            break end;
        }
        ends[i] = end;
        if c == ';' {
            // A character reference at the end does not belong to the link.
            let name = body[first..i].iter().rev().take_while(|c| c.is_ascii_alphanumeric());
            let and = (i - first).checked_sub(name.count() + 1).map(|n| first + n);
            if let Some(and) = and.filter(|and| body[*and] == '&') {
                end = ends[and];
            }
        }
        let rest: String = body[i + 1..].iter().collect();
        let begins = |pattern: &str| {
            Regex::new(pattern).unwrap_or_else(|e| panic!("{pattern}: {e}")).is_match(&rest)
        };
        if matches!(c, ',' | ';') && part != '?' && begins("^[A-Za-z0-9]*://") {
            break end;
        }
        if c == '|' {
            let cut = square.map_or(end, |(_, before)| end.min(before));
            let cut = quoted.map_or(cut, |(_, before)| cut.min(before));
            let before = *bar.get_or_insert(cut);
            let field = "^[A-Za-z0-9][A-Za-z0-9_-]*(://|=)";
            let empty = part != '?' && rest.starts_with('|');
            // The second of two bars begins nothing.
            let second = body[first..i].iter().rev().take_while(|c| **c == '|').count() % 2 == 1;
            if emphasis == Some('|') || !second && begins(field) || empty {
                break before;
            }
        }
        let turns = (part == '/' && c == '?') || (part != '#' && c == '#');
        if turns || (part == '/' && c == '/') || (part == '?' && matches!(c, '=' | '&')) {
            ascii.clear();
            other.clear();
            square = None;
        }
        let was = part;
        if turns {
            part = c;
        }
        i += 1;
        match properties::link_term(c) {
            LinkTerm::Hard => break end,
            _ if matches!(c, '*' | '|' | '…' | '⋯' | '–' | '—' | '―') => {}
            _ if emphasis == Some(c) => {}
            LinkTerm::Include => end = Some(i),
            LinkTerm::Soft if c == '\'' => {
                quotes += 1;
                if quotes % 2 == 0 {
                    end = Some(i);
                }
            }
            LinkTerm::Soft => {}
            LinkTerm::Open => {
                if c == '[' && was == '/' && square.is_none() {
                    square = Some((ascii.len(), end));
                }
                let family = if matches!(c, '(' | '[') { &mut ascii } else { &mut other };
                if family.len() == 125 {
                    break end;
                }
                family.push(properties::closing_bracket(c).unwrap_or(c));
                // With this many open brackets it is text.
                if square.is_some_and(|(open, _)| ascii.len() > open + 4) {
                    break end;
                }
            }
            LinkTerm::Close => {
                let family = if matches!(c, ')' | ']') { &mut ascii } else { &mut other };
                if family.pop() != Some(c) {
                    break end;
                }
                end = Some(i);
                square = square.filter(|(open, _)| ascii.len() > *open);
            }
        }
        if closes {
            (end, quoted) = (Some(i), None);
        }
    };
    // A bracket that is never closed is not part of the link, and neither is half a quotation.
    if let Some((_, before)) = quoted {
        return before;
    }
    square.map_or(end, |(_, before)| end.min(before))
}

/// True if an escaped delimiter follows an `&`.
fn escaped(text: &[char]) -> bool {
    const MARKS: &str = "“”‘’„‚«»…\u{A0}";
    let head: String = text.iter().take(11).map(char::to_ascii_lowercase).collect();
    let (twice, head) = head.strip_prefix("amp;").map_or((false, &*head), |inner| (true, inner));
    let Some((name, _)) = head.split_once(';') else { return false };
    let number =
        |base, digits: &str| u32::from_str_radix(digits, base).ok().and_then(char::from_u32);
    let c = match name.strip_prefix('#') {
        Some("039") => Some('\''),
        Some(digits) if digits.starts_with(['0', '+']) => None,
        Some(digits) => match digits.strip_prefix('x') {
            Some(hex) if hex.starts_with(['0', '+']) => None,
            Some(hex) => number(16, hex),
            None => number(10, digits),
        },
        None => [
            ("quot", '"'),
            ("apos", '\''),
            ("lt", '<'),
            ("gt", '>'),
            ("nbsp", '\u{A0}'),
            ("laquo", '«'),
            ("raquo", '»'),
            ("lsquo", '‘'),
            ("rsquo", '’'),
            ("sbquo", '‚'),
            ("ldquo", '“'),
            ("rdquo", '”'),
            ("bdquo", '„'),
            ("hellip", '…'),
        ]
        .iter()
        .find_map(|(n, c)| (*n == name).then_some(*c)),
    };
    let Some(c) = c else { return false };
    if twice {
        let named = !name.starts_with('#') && "\"<>\u{A0}“”‘’…".contains(c);
        return named || matches!(name, "#39" | "#34");
    }
    matches!(c, '"' | '\'' | '<' | '>') || MARKS.contains(c)
}

enum Search {
    Found(usize),
    NotAReference,
    /// The search was given up at this character.
    NoPartner(usize),
}

/// Reads between `<` and `>`. Returns the characters without line breaks, and the place of the `>`,
/// or as an error the place where the search was given up.
fn lines(chars: &[Char], from: usize, scheme: Scheme) -> (Vec<char>, Result<usize, usize>) {
    let mut body = vec![];
    let at = |i: usize| chars.get(i).map(|c| c.c);
    let blank = |i: usize| matches!(at(i), Some(Some(' ' | '\t')));
    let line = |i: usize| matches!(at(i), Some(Some('\r' | '\n')));
    let (mut i, mut wraps) = (from, 0);
    loop {
        let Some(c) = at(i) else { return (body, Err(i)) };
        if !blank(i) && !line(i) {
            let Some(c) = c.filter(|c| !classes::never_in_link(*c)) else { return (body, Err(i)) };
            if c == '>' {
                return (body, Ok(i));
            }
            body.push(c);
            i += 1;
            continue;
        }
        let before = i;
        while blank(i) {
            i += 1;
        }
        if !line(i) || is_begun(&body, scheme) {
            return (body, Err(i));
        }
        i += if at(i) == Some(Some('\r')) && at(i + 1) == Some(Some('\n')) { 2 } else { 1 };
        loop {
            if blank(i) {
                i += 1;
            } else if at(i) == Some(Some('>')) {
                let quote = blank(i + 1) || at(i + 1) == Some(Some('>'));
                if line(i + 1) {
                    return (body, Err(i + 1));
                }
                if !quote {
                    return (body, Ok(before));
                }
                i += 1;
            } else {
                break;
            }
        }
        wraps += 1;
        let other = matches!(at(i), Some(Some('<' | '"' | '\'')));
        let goes_on = at(i).is_some_and(|c| c.is_some()) && !line(i) && !other;
        if !goes_on || wraps > 16 {
            return (body, Err(i));
        }
    }
}

/// True if nothing follows the `:` yet, or only the first of two slashes.
fn is_begun(body: &[char], scheme: Scheme) -> bool {
    body.is_empty() || (body == ['/'] && !matches!(scheme.form, Form::Opaque(_)))
}

fn delimited(chars: &[Char], from: usize, scheme: Scheme, by: Opener) -> Search {
    let mut depth = 0;
    let mut partner = Err(chars.len());
    for (i, Char { c, .. }) in chars.iter().enumerate().skip(from) {
        let Some(c) = c.filter(|c| !classes::never_in_link(*c)) else {
            partner = Err(i);
            break;
        };
        let quote = matches!(by.open, '"' | '\'');
        let escaped = quote && i > from && chars[i - 1].c == Some('\\');
        if c == by.close {
            if escaped {
                partner = Err(i);
                break;
            }
            if depth == 0 {
                partner = Ok(i);
                break;
            }
            depth -= 1;
        } else if c == by.open && matches!(by.open, '(' | '[') {
            depth += 1;
        } else if !by.whole && breaks_phrase(&chars[from..i], c, scheme, quote) {
            partner = Err(i);
            break;
        }
        let tag = i > from && chars[i - 1].c == Some('<') && c == '/';
        let code = escaped && matches!(c, 'n' | 'r' | 't' | '"' | '\'');
        if by.whole && quote && (tag || code || (by.open == '\'' && c == '"')) {
            partner = Err(i);
            break;
        }
    }
    let mut stop = partner.unwrap_or_else(|i| i);
    let mut body: Vec<char> = chars[from..stop].iter().filter_map(|c| c.c).collect();
    if by.whole && by.open == '<' {
        (body, partner) = lines(chars, from, scheme);
        stop = partner.unwrap_or_else(|i| i);
    }
    let place = match by.open {
        _ if by.whole => Place::Field,
        '"' | '\'' => Place::Quotes,
        _ => Place::Phrase,
    };
    let parsed = parse(&body, scheme, place);
    let end = match parsed {
        Parsed::Not => {
            // More text could still make it a reference.
            return match partner {
                Err(stop) if is_begun(&body, scheme) => Search::NoPartner(stop),
                _ => Search::NotAReference,
            };
        }
        Parsed::Host { end, whole, alive } => {
            if partner.is_err() && (whole || alive || is_open(&body)) {
                return Search::NoPartner(stop);
            }
            if !whole {
                return Search::NotAReference;
            }
            end
        }
        Parsed::Tail { host, at } => {
            if partner.is_err() {
                return Search::NoPartner(stop);
            }
            // The tail of a shape has no initial character. Any other tail includes its own.
            let first = if body.starts_with(&['/', '/']) { Some(at + 1) } else { host };
            let loose = |c: &char| ".,:;!?…⋯。、，．：；！？｡".contains(*c);
            let kept = (first.unwrap_or(at)..body.len()).rev().find(|&i| !loose(&body[i]));
            kept.map(|i| i + 1).or(first)
        }
    };
    match end {
        Some(_) if by.whole => Search::Found(stop),
        Some(end) => Search::Found(from + end),
        None => Search::NotAReference,
    }
}

/// True if `c` after `link` shows that the quotes or brackets hold a sentence.
fn breaks_phrase(link: &[Char], c: char, scheme: Scheme, quote: bool) -> bool {
    let text: String = link.iter().filter_map(|c| c.c).collect();
    if text.ends_with('\\') && !matches!(c, 'u' | 'x' | '/') {
        return true;
    }
    let Some(c) = Some(c).filter(char::is_ascii) else {
        let letter = classes::is_unspaced_letter(c)
            && !is_one_label(&text.chars().collect::<Vec<_>>(), scheme);
        let sentence = classes::ends_sentence_unspaced(c) || letter || classes::is_symbol(c);
        return !quote && text.is_ascii() && closed(link) && sentence;
    };
    // Another link after text.
    let another = std::format!("{text}{c}").strip_suffix("://").is_some_and(|word| {
        let before = word.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
        let comma = before.ends_with([',', ';']) && !is_query(before);
        let escape = Regex::new("%[89A-Fa-f][0-9A-Fa-f][0-9A-Za-z]*$").expect("valid");
        let host = before.strip_prefix("//").is_some_and(|host| !host.contains(['/', '?', '#']));
        let text = !host && before.chars().next_back().is_some_and(|c| !c.is_ascii());
        comma || text || escape.is_match(word)
    });
    another || matches!(c, '<' | '>' | '"' | '`') || (c == '\\' && !quote)
}

/// True if the end of `link`, read from the place after the `:`, is in a query.
fn is_query(link: &str) -> bool {
    let tail =
        link.strip_prefix("//").and_then(|rest| rest.find(['/', '?', '#']).map(|i| &rest[i..]));
    tail.is_some_and(|tail| {
        tail.find('?').is_some_and(|i| !tail[..i].contains('#') && !tail[i..].contains('#'))
    })
}

/// True if the authority may still go on after `body`: an IP literal has no `]` yet, or the name
/// has no letter yet.
fn is_open(body: &[char]) -> bool {
    let authority = body.get(2..).unwrap_or_default();
    let name = authority.iter().rposition(|c| *c == '@').map_or(authority, |i| &authority[i + 1..]);
    (name.first() == Some(&'[') && !name.contains(&']'))
        || name.iter().all(|c| matches!(c, '-' | '_' | '%'))
            && !name.iter().rev().skip(1).any(|c| *c == '%')
}

/// Returns the place from which the text satisfies the shape.
fn shape_end(body: &[char], shape: OpaqueShape) -> Option<usize> {
    // One byte for each character: words of every script become letters of class `w`.
    let flat: Vec<u8> = fitting(body, 255)
        .iter()
        .map(|&c| match c {
            c if c.is_ascii() => c as u8,
            c if classes::host_class(c) == HostClass::Label => 0x80,
            _ => 0xFF,
        })
        .collect();
    let pattern = match shape {
        OpaqueShape::Mail => r"^\??(?:W|%)",
        OpaqueShape::Phone => r"^(?:[+(][-.()]*|)[0-9][-.()]*[0-9][-.()]*[0-9]",
        OpaqueShape::Urn => r"^[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]:(?:W|[%+\-_=@$(*!'])",
        OpaqueShape::Dotted => {
            r"^(?:O*W(?:(?:W|O)*\.|(?:(?:W|O)*W)?@)W|O*\.W(?:(?:W|O)*\.|(?:(?:W|O)*W)?@)W)"
        }
        OpaqueShape::At => r"^(?:W|O|\.)*?W@W",
        OpaqueShape::Tag => r"^(?:(?:W|[_-])*W[.@])+(?:W|[_-])*W,[0-9]{4}",
        OpaqueShape::Query => r"^\?[A-Za-z]",
        OpaqueShape::Geo => r"^-?[0-9](?:\.?[0-9])*,-?[0-9]",
        OpaqueShape::Matrix => r"^(?:u|r|e|roomid)/W",
        OpaqueShape::Coin => r"^[A-Za-z0-9]{25}",
    };
    let pattern = pattern.replace('W', r"[A-Za-z0-9%\x80]").replace('O', r"[-_+%!~=&*$']");
    let pattern = std::format!("(?s-u){pattern}");
    let regex = Regex::builder()
        .syntax(regex_automata::util::syntax::Config::new().utf8(false).unicode(false))
        .build(&pattern)
        .unwrap_or_else(|e| panic!("{pattern}: {e}"));
    regex.find(&flat).map(|m| m.end())
}
