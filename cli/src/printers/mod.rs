//! How results are shown, a file for each way. None of them reads inputs.
//!
//! ```text
//! item          a link that is ready to be written, and its place
//! lines         the lines of `find`
//! columns       `find --print`, `--csv`, `--tsv`: fields of a link
//! tally         `find --count-by`: how often each value is there
//! json          the records of `find --json`
//! list          `find`: one result for each link, in the form that the options want
//! terminal      links in their lines, in colour
//! context       the text before and after a link, for the terminal and the page
//! parts         a link as people read it: its host, and as much as fits into a line
//! readable      the text around a link of markup, without tags
//! page          the page of `report`
//! diff          `rewrite --diff`; painted_diff colours it
//! explained     `explain`: the text, and what was decided about it
//! stats         `--stats`
//! colors        the colours, and whether to use them
//! warnings      the warnings in words
//! ```

pub(crate) mod colors;
pub(crate) mod columns;
pub(crate) mod context;
pub(crate) mod diff;
pub(crate) mod explained;
pub(crate) mod item;
pub(crate) mod json;
pub(crate) mod lines;
pub(crate) mod list;
pub(crate) mod page;
pub(crate) mod painted_diff;
pub(crate) mod parts;
pub(crate) mod readable;
pub(crate) mod stats;
pub(crate) mod tally;
pub(crate) mod terminal;
pub(crate) mod warnings;
