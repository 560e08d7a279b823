//! Links between `<` and `>` that go over line ends, quoted ones too (RFC 3986, appendix C).

/// The most line ends that a wrapped link goes over. It keeps `<http://a` from being read on
/// through a text of short lines.
const WRAPS_MAX: u8 = 16;

/// The place in a break between two lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum LinePlace {
    /// In no break.
    #[default]
    None,
    /// In white space that a line end must follow.
    Before,
    /// After a carriage return.
    Return,
    /// After the line end, in white space and quote marks.
    Line,
    /// After a `>` there: a quote mark if white space or another one follows.
    Quote,
}

/// The line breaks of a link.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wrap {
    place: LinePlace,
    /// How many line ends the link goes over.
    pub(super) count: u8,
}

/// What a character is to a wrapped link.
pub(super) enum Wrapped {
    /// A character of the link.
    Character,
    /// Part of a break between two lines.
    Break,
    /// The `>` before it was the partner, on a line of its own.
    Partner,
    /// The link does not go on: no partner comes.
    NoPartner,
}

impl Wrap {
    /// True inside a break.
    pub(super) fn is_open(self) -> bool {
        self.place != LinePlace::None
    }

    /// True after a `>` that is the partner if the text ends here.
    pub(super) fn is_at_quote(self) -> bool {
        self.place == LinePlace::Quote
    }

    /// Reads `c`. `begun`: the link has more than its scheme and slashes.
    pub(super) fn feed(&mut self, c: char, begun: bool) -> Wrapped {
        let blank = matches!(c, ' ' | '\t');
        let line = matches!(c, '\r' | '\n');
        self.place = match (self.place, c) {
            // After the colon of a scheme, or between its slashes, text follows and not a second
            // line.
            (LinePlace::None, _) if (blank || line) && !begun => return Wrapped::NoPartner,
            (LinePlace::None, _) if blank => LinePlace::Before,
            (LinePlace::None | LinePlace::Before, '\r') => LinePlace::Return,
            (LinePlace::None | LinePlace::Before | LinePlace::Return, '\n') => LinePlace::Line,
            (LinePlace::None, _) => return Wrapped::Character,
            (LinePlace::Before, _) if blank => LinePlace::Before,
            // A space within a line ends the link.
            (LinePlace::Before, _) => return Wrapped::NoPartner,
            (LinePlace::Return | LinePlace::Line, _) if blank => LinePlace::Line,
            // An empty line.
            (LinePlace::Return | LinePlace::Line | LinePlace::Quote, _) if line => {
                return Wrapped::NoPartner;
            }
            (LinePlace::Return | LinePlace::Line | LinePlace::Quote, '>') => LinePlace::Quote,
            (LinePlace::Quote, _) if blank => LinePlace::Line,
            (LinePlace::Quote, _) => return Wrapped::Partner,
            // A quote begins the next one of adjoining string literals.
            (LinePlace::Return | LinePlace::Line, '<' | '"' | '\'') => return Wrapped::NoPartner,
            (LinePlace::Return | LinePlace::Line, _) => {
                self.place = LinePlace::None;
                self.count += 1;
                return if self.count > WRAPS_MAX {
                    Wrapped::NoPartner
                } else {
                    Wrapped::Character
                };
            }
        };
        Wrapped::Break
    }
}
