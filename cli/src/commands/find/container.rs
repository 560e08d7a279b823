//! `iriscan find` of zip containers: lists the links of each member that is text.

use std::{io::Write, path::Path};

use iriscan::Finder;

use crate::{
    args::find::FindArgs, commands::container::each_member, inputs::open::Opened,
    messages::trouble::Trouble, printers::list::Lister,
};

/// Lists the links. Returns true if all members were read to their ends.
pub(super) fn find<W: Write>(
    finder: &Finder,
    args: &FindArgs,
    lister: &mut Lister<'_, W>,
    path: &Path,
    opened: &Opened,
) -> Result<bool, Trouble> {
    let end = each_member(finder, &args.scan, path, opened, &mut |finder, path, reader| {
        let mut inner = lister.member(path);
        let read = finder.scan(reader, &mut inner);
        let counted = inner.into_counted();
        lister.take_member(counted);
        read
    })?;
    if let Some(stats) = lister.stats() {
        stats.archive(end.bytes, "zip");
    }
    Ok(end.whole)
}
