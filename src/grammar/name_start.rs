//! Where a link without a scheme starts: the name around a `.`, and the local part before an `@`.
//!
//! Characters before the anchor go in, nearest first; the head of a candidate comes out. At most
//! [`LOOKBACK_MAX`](super::start::LOOKBACK_MAX) characters are read, and no name starts before the end of the
//! last link.

use super::{
    address::{self, Local},
    classes,
    marks::{self, Side},
    name,
    opener::{opener, opens_nothing},
    start::{Head, What},
    types::{Before, Opener, RUN_MAX, RuleSet},
};
use crate::data::properties;

/// The characters before a position that may belong to a name, read backwards.
#[derive(Default)]
struct Trail {
    /// Where the run of name characters starts; `None` if it is too long.
    run: Option<u64>,
    /// The characters before the run with their places, nearest first; in prose only the first.
    before_run: [Option<(char, u64)>; 8],
    malformed_before: bool,
    /// The opener before the run, in prose.
    opener: Option<Opener>,
    /// Text before the run is struck out, with the run.
    struck: bool,
}

impl Trail {
    /// Ends the run in prose, at the character `c` before it (`None`: malformed). True if what comes before that does
    /// not matter.
    fn is_all_before(&mut self, run: &mut Backwards, c: Option<char>) -> bool {
        if run.is_after_dot() {
            return true;
        }
        // `\nwww.example.org` (case bare-after-escapes).
        let www = matches!(run.first, ['n' | 'r' | 't', 'w', 'w', 'w', '.']);
        let escape = www && c == Some('\\');
        if escape || c == Some('.') {
            run.start = run.later;
        }
        if escape {
            // Read as at the start of a line.
            self.before_run[0] = Some(('\n', run.start.0 - 1));
        }
        escape
    }

    /// `at`: the place of the dot from which the run is read.
    fn take(
        before: &mut dyn Iterator<Item = Before>,
        rules: RuleSet,
        at: u64,
        floor: u64,
        endless: Option<u64>,
    ) -> Trail {
        let prose = rules == RuleSet::Prose;
        let (mut trail, mut run) = (Trail::default(), Backwards::from(at));
        let asked = if prose { 1 } else { trail.before_run.len() };
        let (mut in_run, mut seen) = (true, 0);
        for b in &mut *before {
            if b.start < floor {
                // The last character of a link is looked at, but not part of the run.
                if prose && seen == 0 {
                    trail.before_run[0] = b.c.map(|c| (c, b.start));
                }
                break;
            }
            let goes_on = |c: &char| {
                name::is_part(rules, *c, None)
                    && !divides(rules, *c, run.nearer)
                    && (!prose || run.joins(*c))
            };
            if let Some(c) = b.c.filter(goes_on).filter(|_| in_run) {
                run.push(c, b.start);
                if run.count > RUN_MAX || endless == Some(b.start) {
                    // The characters before it do not matter.
                    return trail;
                }
                continue;
            }
            if in_run {
                in_run = false;
                if prose && trail.is_all_before(&mut run, b.c) {
                    break;
                }
                trail.malformed_before = b.c.is_none();
            }
            trail.before_run[seen] = b.c.map(|c| (c, b.start));
            seen += 1;
            if seen == asked {
                break;
            }
        }
        if prose && run.is_after_dot() {
            // A bullet.
            trail.before_run[0] = Some((run.first[0], run.start.0));
            run.start = run.later;
        }
        trail.run = Some(if prose { run.start.1 } else { run.start.0 });
        if prose {
            trail.look_further(before, floor, run.first[0]);
        }
        trail
    }

    /// Looks at the character before the run once more, together with those before it.
    /// `first`: the first character of the run.
    fn look_further(&mut self, before: &mut dyn Iterator<Item = Before>, floor: u64, first: char) {
        let Some((nearest, at)) = self.before_run[0].filter(|(_, at)| *at >= floor) else { return };
        if !nearest.is_ascii() && classes::is_mark(nearest) {
            // It makes no host, or it is before the name (case marks-within-labels).
            if !marks::is_within(before, floor, first) {
                self.before_run[0] = Some(('\n', at));
            }
            return;
        }
        if classes::is_hyphen(nearest) {
            // Half a name (case hyphens-of-other-kinds).
            let further = before.next().filter(|b| b.start >= floor).and_then(|b| b.c);
            if !further.is_some_and(|c| c.is_ascii_alphanumeric()) {
                self.before_run[0] = Some(('\n', at));
            }
            return;
        }
        if nearest == '~' || classes::is_unseen(nearest) || name::is_emoji_mark(nearest) {
            let further = before.next().filter(|b| b.start >= floor).and_then(|b| b.c);
            if name::is_cut(nearest, further) {
                self.run = None;
            }
            if let Some(mark) =
                further.filter(|c| classes::is_mark(*c) && classes::is_edge(nearest))
            {
                if marks::is_within(before, floor, first) {
                    self.before_run[0] = Some((mark, at));
                }
                return;
            }
            self.struck = name::strikes(nearest, further);
            if self.struck {
                self.before_run[0] = Some(('\n', at));
            }
            return;
        }
        if !u8::try_from(nearest).is_ok_and(opens_nothing) {
            self.opener = opener(nearest, before);
        }
    }
}

/// A run that is being read backwards.
struct Backwards {
    /// Where it starts, and where it does without characters that cannot be seen.
    start: (u64, u64),
    /// The same one character ago.
    later: (u64, u64),
    /// Its first characters.
    first: [char; 5],
    nearer: Option<char>,
    count: usize,
}

impl Backwards {
    /// Before the dot at `at`.
    fn from(at: u64) -> Backwards {
        let (start, first) = ((at, at), ['.', '\0', '\0', '\0', '\0']);
        Backwards { start, later: start, first, nearer: Some('.'), count: 0 }
    }

    /// True if it begins with a middle dot, which is no letter there.
    fn is_after_dot(&self) -> bool {
        !self.first[0].is_ascii() && classes::is_middle_dot(self.first[0])
    }

    /// True unless `c`, which comes before the run, or the first character of the run is a middle dot that is
    /// no letter of a name.
    fn joins(&self, c: char) -> bool {
        let [dot, after, ..] = self.first;
        match () {
            () if c.is_ascii() && dot.is_ascii() => true,
            () if classes::is_middle_dot(c) => marks::may_join_name(c, Side::of(dot)),
            () if classes::is_middle_dot(dot) => {
                marks::joins_name(dot, Side::of(c), Side::of(after))
            }
            () => true,
        }
    }

    fn push(&mut self, c: char, at: u64) {
        self.first.copy_within(..4, 1);
        self.first[0] = c;
        self.later = self.start;
        self.start = (at, if classes::is_edge(c) { self.start.1 } else { at });
        self.nearer = Some(c);
        self.count += 1;
    }
}

/// True if a name ends between `c` and `nearer`: one is a letter of an unspaced script, the other
/// ASCII.
fn divides(rules: RuleSet, c: char, nearer: Option<char>) -> bool {
    let ascii = |c: char| c.is_ascii_alphanumeric();
    rules == RuleSet::Prose
        && nearer.is_some_and(|n| {
            // Dots in a row are an ellipsis (case bare-after-dots).
            (c, n) == ('.', '.')
                || ascii(n) && classes::is_unspaced_letter(c)
                || ascii(c) && classes::is_unspaced_letter(n)
        })
}

/// The head of the name with a dot at `at`. `before` gives the characters before the dot, nearest
/// first. No name starts before `floor`. `endless`: a dot in whose run no name was found, because
/// it is too long.
pub(crate) fn before_dot(
    before: &mut dyn Iterator<Item = Before>,
    rules: RuleSet,
    at: u64,
    floor: u64,
    endless: Option<u64>,
) -> Option<Head> {
    let trail = Trail::take(before, rules, at, floor, endless);
    let run = trail.run?;
    let character = trail.before_run[0].map(|(c, _)| c);
    let mut start = run;
    let mut scheme = false;
    if rules == RuleSet::Uts58 {
        for http in ["https://", "http://"] {
            let prefix = http.chars().rev().zip(&trail.before_run);
            let same = |(want, got): (char, &Option<(char, u64)>)| {
                got.is_some_and(|(c, _)| c.eq_ignore_ascii_case(&want))
            };
            if !scheme && prefix.clone().all(same) {
                scheme = true;
                start = trail.before_run[http.len() - 1].map_or(run, |(_, at)| at);
            }
        }
    }
    Some(Head {
        start,
        from: Some(run),
        what: What::Name { rules, before: character, scheme },
        opener: trail.opener,
        emphasis: trail.struck.then_some('~'),
        labelled: false,
        listed: false,
        malformed_before: trail.malformed_before && start == run,
        non_ascii: false,
        inner: None,
    })
}

/// The head of the address whose `@` is at the anchor. `field`: the text is a field of mail with addresses.
pub(crate) fn before_at(
    before: &mut dyn Iterator<Item = Before>,
    rules: RuleSet,
    at: u64,
    floor: u64,
    field: bool,
) -> Option<Head> {
    let local = address::local_part(rules, before, floor, field);
    let dead = local.is_none() && rules == RuleSet::Uts58;
    let local = local.or(dead.then_some(Local { start: at, ..Local::default() }))?;
    Some(Head {
        start: local.start,
        from: None,
        what: What::Address { rules, scheme: local.scheme, dead, domains: local.domains },
        opener: None,
        emphasis: None,
        labelled: false,
        listed: false,
        malformed_before: local.malformed_before,
        non_ascii: local.non_ascii,
        inner: local.inner,
    })
}

/// Where the earliest name or address may start that text after a window would complete. `before`
/// gives the characters before the end of the window, nearest first.
pub(crate) fn name_may_begin(
    before: &mut dyn Iterator<Item = Before>,
    rules: RuleSet,
    end: u64,
    floor: u64,
) -> u64 {
    let mut earliest = end;
    // The characters of names and of local parts.
    let wide = |c| properties::is_link_email(c) || name::is_part(rules, c, None);
    let mut before = before.take_while(|b| b.start >= floor);
    let mut count = 0;
    while let Some(b) = before.next() {
        count += 1;
        if count <= address::LOCAL_MAX.max(RUN_MAX) && b.c.is_some_and(wide) {
            earliest = b.start;
            continue;
        }
        if b.c == Some(':') && rules == RuleSet::Uts58 {
            // The letters of `mailto:` or `https:`.
            let letter = |b: &Before| b.c.is_some_and(|c| c.is_ascii_alphabetic());
            let letters = before.take("mailto".len()).take_while(letter);
            return letters.last().map_or(earliest, |b| b.start);
        }
        break;
    }
    earliest
}
