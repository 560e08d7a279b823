//! `iriscan find` of web archives: lists the links of each payload that is text.

use std::{io::Write, path::Path};

use iriscan::Finder;

use crate::{
    args::find::{FindArgs, OffsetsArg},
    commands::archive::each_text,
    inputs::open::Opened,
    messages::trouble::Trouble,
    printers::{
        list::{ArchivePlace, Lister},
        readable::is_markup,
    },
};

/// Lists the links. Returns true if the archive was read to its end.
pub(super) fn find<W: Write>(
    finder: &Finder,
    args: &FindArgs,
    lister: &mut Lister<'_, W>,
    path: &Path,
    opened: Opened,
) -> Result<bool, Trouble> {
    if args.offsets.iter().any(|unit| *unit != OffsetsArg::Bytes) {
        let what = "--offsets other than bytes are of one text, and an archive has many; leave \
                    them out";
        return Err(Trouble::Usage(what.into()));
    }
    let end = each_text(finder, &args.scan, path, opened, &mut |finder, text| {
        let (target, offset) = (text.target, text.offset);
        let markup = is_markup(finder.config().get_format());
        lister.enter_record(ArchivePlace { target, offset, start: text.payload.start }, markup);
        let bytes = &text.payload.bytes[..];
        finder.scan(bytes, lister).map(drop).map_err(Trouble::Output)
    })?;
    if let Some(stats) = lister.stats() {
        stats.archive(end.bytes, "warc");
    }
    Ok(end.whole)
}
