//! Where a link with a scheme starts, and what is directly before it.

use std::{
    string::{String, ToString},
    vec,
    vec::Vec,
};

use aho_corasick::AhoCorasick;
use regex_automata::meta::Regex;

use super::{decode::Char, pattern::regex};
use crate::{
    data::{
        properties,
        schemes::{COMMON, Form, OpaqueShape, SCHEME_MAX, Scheme, Schemes, UNKNOWN},
    },
    engine::rules::Rules,
};

#[derive(Clone, Copy)]
pub(super) struct Named {
    pub(super) scheme: Scheme,
    /// Letters before it were left out.
    pub(super) glued: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Opener {
    pub(super) open: char,
    pub(super) close: char,
    pub(super) whole: bool,
}

pub(super) struct Heads<'r> {
    rules: &'r Rules,
    known: AhoCorasick,
    names: Vec<String>,
    run: Regex,
}

impl<'r> Heads<'r> {
    pub(super) fn new(rules: &'r Rules) -> Heads<'r> {
        let names: Vec<String> = match rules.schemes() {
            Schemes::List(names) => names.clone(),
            _ => COMMON.iter().map(|(n, _)| (*n).to_string()).collect(),
        };
        let patterns: Vec<String> = names.iter().map(|n| n.clone() + ":").collect();
        let known = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(&patterns)
            .expect("schemes should make an automaton");
        let run = regex(r"(?i-u)[a-z0-9+.\-]+:");
        Heads { rules, known, names, run }
    }

    /// Returns for each character the scheme whose `:` it is, and where that scheme starts.
    pub(super) fn all(&self, chars: &[Char]) -> Vec<Option<(usize, Named)>> {
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
        let any = *self.rules.schemes() == Schemes::Any;
        let scheme = |name: &str| {
            let (_, scheme) = COMMON.iter().find(|(n, _)| *n == name)?;
            Some(match scheme.form {
                // Each works with `//` too.
                Form::Opaque(shape) if any => Scheme { form: Form::Either(shape), ..*scheme },
                _ => *scheme,
            })
        };
        // A name that somebody gives needs no slashes.
        let other = match any {
            true => UNKNOWN,
            false => Scheme { form: Form::Either(OpaqueShape::Any), ..UNKNOWN },
        };
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
            if *self.rules.schemes() == Schemes::Any && whole.len() > 1 && !never && !odd {
                return named(from + skip, core::str::from_utf8(&whole).unwrap_or(""));
            }
        }
        let http = known
            .iter()
            .filter(|(start, i)| *start >= from && ["http", "https"].contains(&&*self.names[*i]))
            .min()?;
        named(http.0, &self.names[http.1])
    }
}

/// Returns what the character directly before the scheme at `start` opens. `colon`: the end of the
/// scheme.
pub(super) fn opener(chars: &[Char], start: usize, colon: usize, glued: bool) -> Option<Opener> {
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
        '[' if back(2) == Some('[') => whole('[', ']'),
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

/// True if the text before the scheme at `start` shows that a bar ends the link.
pub(super) fn labelled(chars: &[Char], start: usize, Named { scheme, glued }: Named) -> bool {
    let from = start.saturating_sub(12);
    let before: String = chars[from..start].iter().map(|c| c.c.unwrap_or('\0')).collect();
    let ends = |texts: &[&str]| texts.iter().any(|text| before.ends_with(text));
    if glued {
        return before.to_ascii_lowercase().ends_with("\\u003c");
    }
    let angle = before.ends_with('<') && !before.ends_with("\\<");
    let named = before.to_ascii_lowercase().ends_with("<url:");
    let spaced = ends(&["[[ ", "{{ ", "{@link "]) && !matches!(scheme.form, Form::Opaque(_));
    angle || named || spaced || ends(&["|", "[", "{{", "&lt;", "|link=", "|url="])
}
