//! The message on its way out, as it is or with an edit.

use std::io;

use super::edit::Edit;

/// The output, and how far the message is written.
pub(super) struct Out<'o> {
    message: &'o [u8],
    /// How much of the message is written, or replaced.
    pub(super) at: usize,
    pub(super) to: &'o mut dyn io::Write,
}

impl<'o> Out<'o> {
    pub(super) fn new(message: &'o [u8], to: &'o mut dyn io::Write) -> Out<'o> {
        Out { message, at: 0, to }
    }

    /// Writes the message up to `to` as it is.
    pub(super) fn text(&mut self, to: usize) -> io::Result<()> {
        self.to.write_all(&self.message[self.at..to])?;
        self.at = to;
        Ok(())
    }

    pub(super) fn edit(&mut self, edit: &Edit) -> io::Result<()> {
        self.text(edit.range.start)?;
        self.at = edit.range.end;
        self.to.write_all(&edit.with)
    }
}
