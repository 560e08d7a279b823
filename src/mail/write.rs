//! Writing the links of one region into the message.

use std::io;

use super::{
    edit::{Edit, Writer},
    fate::{Fate, Judge},
    lines::Lines,
    others::Others,
    out::Out,
    outcome::{Kept, KeptReason, Rewritten},
    quoted::Quoted,
    region::Region,
    transfer::Base64,
    types::Transfer,
};
use crate::{api::finder::Finder, links::matched::Match};

/// The state that the regions of a message share while they are rewritten.
pub(super) struct Writing<'a, 'o> {
    pub(super) message: &'a [u8],
    pub(super) line_feed: &'a [u8],
    /// Why no link of the message is rewritten, if so.
    pub(super) never: Option<&'a KeptReason>,
    /// The number of the first link of the message.
    pub(super) first: u64,
    pub(super) done: &'a mut Rewritten,
    pub(super) left: &'a mut dyn FnMut(Kept),
    pub(super) out: &'a mut Out<'o>,
}

impl Writing<'_, '_> {
    /// Rewrites a region.
    pub(super) fn region(
        &mut self,
        finder: &Finder,
        region: &Region<'_>,
        lines: &mut Lines<'_>,
    ) -> io::Result<()> {
        let first = self.first + self.done.links;
        let others = Others::of(finder, region, first, || self.done.links += 1);
        if others.is_empty() {
            return Ok(());
        }
        let base = lines.at(region.range.start);
        let mut body = Body::of(region, self.message, self.line_feed);
        let ascii = finder.rules.changes_ascii() && region.is_ascii();
        let mut judge = Judge::new(finder, region, self.never, ascii);
        if let Body::Plain = body {
            judge.find_long_lines(&others, self.message);
        }
        let mut writer = Writer::new(finder, region.bytes(), ascii);
        for (n, link) in others.iter() {
            match judge.fate(&link, n) {
                Fate::Same => {}
                Fate::Changes => {
                    if let Some((link, edit)) = writer.link(&link, n) {
                        self.edit(region, &link, edit, &mut body)?;
                    }
                }
                Fate::Stays(why) => {
                    let link = region.link(&link, self.message, base, lines);
                    (self.left)(Kept { link, reason: why });
                }
            }
        }
        self.done.lost += writer.lost();
        if let Some((link, edit)) = writer.end() {
            self.edit(region, &link, edit, &mut body)?;
        }
        match body {
            Body::Base64(Some(at), mut base64) => {
                base64.push(&region.base[at..], self.out.to)?;
                base64.end(self.out.to)
            }
            Body::Quoted(quoted) => quoted.end(self.out),
            _ => Ok(()),
        }
    }

    /// Applies an edit of the text to the message.
    fn edit(
        &mut self,
        region: &Region<'_>,
        link: &Match<'_>,
        edit: Edit,
        body: &mut Body<'_>,
    ) -> io::Result<()> {
        if region.bytes()[edit.range.clone()] == *edit.with {
            // The link was rewritten before, and its host is kept.
            return Ok(());
        }
        // A writable link has its ends in the base, and so has an escape sequence before it.
        let Some(range) = region.in_base(edit.range) else {
            debug_assert!(false, "{link:?} should have a place");
            return Ok(());
        };
        let edit = Edit { range, with: edit.with };
        self.done.changed += 1;
        match body {
            Body::Plain => self.out.edit(&edit),
            Body::Quoted(quoted) => quoted.edit(edit, self.out),
            Body::Base64(at, base64) => {
                let from = match *at {
                    Some(from) => from,
                    None => {
                        self.out.text(region.range.start)?;
                        self.out.at = region.range.end;
                        base64.start(self.out.to)?;
                        0
                    }
                };
                *at = Some(edit.range.end);
                base64.push(&region.base[from..edit.range.start], self.out.to)?;
                base64.push(&edit.with, self.out.to)
            }
        }
    }
}

/// How the edits of a region are written into the message.
enum Body<'a> {
    Plain,
    Quoted(Quoted<'a>),
    /// How many decoded bytes are written; `None` if nothing has changed yet.
    Base64(Option<usize>, Base64<'a>),
}

impl<'a> Body<'a> {
    fn of(region: &Region<'_>, message: &'a [u8], line_feed: &'a [u8]) -> Body<'a> {
        if region.is_decoded() {
            let like = &message[region.range.clone()];
            Body::Base64(None, Base64::like(like, line_feed))
        } else if region.transfer == Transfer::Quoted && region.header.is_none() {
            Body::Quoted(Quoted::of(message, line_feed, region.range.clone()))
        } else {
            Body::Plain
        }
    }
}
