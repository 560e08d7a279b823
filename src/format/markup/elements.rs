//! The elements that are open in another one, and where that ends.
//!
//! Tags go in, whether the element is over comes out.

use alloc::vec::Vec;

use super::tag::{Name, Tag};

/// The elements that are open in one element, and whether that is over.
///
/// No tree is built. The end of an element is where a parser of HTML closes it (section 13.2.6.4.7
/// of the HTML standard), as far as that can be seen from tags: its end tag, another `<a>`, the end
/// tag of an element around it, or the next item or cell of a list or table around it.
#[derive(Clone, Debug)]
pub(in crate::format) struct Elements {
    open: Vec<Name>,
    /// The tag of the element itself is over.
    begun: bool,
    over: bool,
    xml: bool,
}

/// So many elements in an element are told apart.
const OPEN_MAX: usize = 64;

impl Elements {
    pub(in crate::format) fn new(xml: bool) -> Elements {
        Elements { open: Vec::new(), begun: false, over: false, xml }
    }

    pub(in crate::format) fn are_over(&self) -> bool {
        self.over
    }

    /// Takes a tag that is complete.
    pub(in crate::format) fn tag(&mut self, tag: &Tag) {
        let name = tag.element.local();
        if !self.begun {
            self.begun = true;
            self.over = name == b"area" || self.xml && tag.slash;
        } else if tag.closing {
            match self.open.iter().rposition(|open| *open == tag.element) {
                Some(at) => self.open.truncate(at),
                // These end tags begin an element.
                None => self.over |= !matches!(name, b"br" | b"p"),
            }
        } else if name == b"a" || self.is_next(name) {
            self.over = true;
        } else if !(self.xml && tag.slash || is_void(name)) && self.open.len() < OPEN_MAX {
            self.open.push(tag.element);
        }
    }

    /// Whether the element `name` ends one around the whole.
    fn is_next(&self, name: &[u8]) -> bool {
        let is_part = matches!(
            name,
            b"li" | b"dd" | b"dt" | b"td" | b"th" | b"tr" | b"tbody" | b"thead" | b"tfoot"
        );
        let whole =
            |open: &Name| matches!(open.local(), b"ul" | b"ol" | b"menu" | b"dl" | b"table");
        is_part && !self.xml && !self.open.iter().any(whole)
    }
}

/// Whether an element of HTML has no content (section 13.1.2 of the HTML standard).
fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}
