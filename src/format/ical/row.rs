//! What this format is: its row in the table of formats.

use super::{Ical, writer};
use crate::format::{
    any_lexer::AnyLexer,
    kinds::Format,
    row::{Clue, Row, begins},
};

pub(in crate::format) static ROW: Row = Row {
    names: &["calendar"],
    extensions: &["ics", "ical", "icalendar", "ifb", "vcs", "vcf", "vcard"],
    media_types: &[
        "text/calendar",
        "text/vcard",
        "text/x-vcard",
        "text/x-vcalendar",
        "text/directory",
        "application/ics",
    ],
    clues: &[Clue::Start(|head| begins(head, "begin:vcalendar") || begins(head, "begin:vcard"))],
    is_folded: true,
    ..Row::new(
        Format::Ical,
        "Calendars and contacts: iCalendar, vCard",
        |_| AnyLexer::Ical(Ical::new()),
        &writer::Ical,
    )
};
