//! Links between `<` and `>` that go over line ends, quoted ones too (RFC 3986, appendix C).

/// The most line ends that a wrapped link goes over. It keeps `<http://a` from being read on
/// through a text of short lines.
const WRAPS_MAX: u8 = 16;

/// The place in a break between two lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Place {
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
    place: Place,
    /// How many line ends the link goes over.
    pub(super) count: u8,
}

/// What a character is to a wrapped link.
pub(super) enum Break {
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
        self.place != Place::None
    }

    /// True after a `>` that is the partner if the text ends here.
    pub(super) fn is_at_quote(self) -> bool {
        self.place == Place::Quote
    }

    /// Reads `c`. `begun`: the link has more than its scheme and slashes.
    pub(super) fn feed(&mut self, c: char, begun: bool) -> Break {
        let blank = matches!(c, ' ' | '\t');
        let line = matches!(c, '\r' | '\n');
        self.place = match (self.place, c) {
            // After the colon of a scheme, or between its slashes, text follows and not a second
            // line.
            (Place::None, _) if (blank || line) && !begun => return Break::NoPartner,
            (Place::None, _) if blank => Place::Before,
            (Place::None | Place::Before, '\r') => Place::Return,
            (Place::None | Place::Before | Place::Return, '\n') => Place::Line,
            (Place::None, _) => return Break::Character,
            (Place::Before, _) if blank => Place::Before,
            // A space within a line ends the link.
            (Place::Before, _) => return Break::NoPartner,
            (Place::Return | Place::Line, _) if blank => Place::Line,
            // An empty line.
            (Place::Return | Place::Line | Place::Quote, _) if line => return Break::NoPartner,
            (Place::Return | Place::Line | Place::Quote, '>') => Place::Quote,
            (Place::Quote, _) if blank => Place::Line,
            (Place::Quote, _) => return Break::Partner,
            (Place::Return | Place::Line, '<') => return Break::NoPartner,
            (Place::Return | Place::Line, _) => {
                self.place = Place::None;
                self.count += 1;
                return if self.count > WRAPS_MAX { Break::NoPartner } else { Break::Character };
            }
        };
        Break::Break
    }
}
