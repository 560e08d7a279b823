//! The link list of a mail reader: the place of each link in the bytes of a message
//! and in its text, as UTF-16 units, and the URI to open on a click.
//!
//! ```sh
//! cargo run --example mail_links                           # a built-in message
//! cargo run --example mail_links -- message.txt koi8-r     # FILE LABEL
//! cargo run --example mail_links -- message.txt koi8-r 120 # a click on byte 120
//! ```

use std::{env, error::Error, fs};

use iriscan::{Charset, Config, Input, Kind, Match, Positions};

/// One link of each kind that a mail reader meets: plain, wrapped, in several scripts,
/// and with a host that no server can have.
const MESSAGE: &str = "\
Grüße! Die Fotos: https://bilder.example/straße?größe=l, dazu <http://例え.jp/写真,1.>.
詳しくは「https://ja.example/案内」まで。Подробнее: http://пример.рф/путь#раздел.
🎉 mailto:ann@example.org, jörg@example.org, and a fake: http://xn--\u{e9}.example/
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let (bytes, charset) = match (args.next(), args.next()) {
        (Some(file), Some(label)) => (fs::read(file)?, Charset::for_label(&label)?),
        (None, _) => (MESSAGE.as_bytes().to_vec(), Charset::UTF_8),
        (Some(_), None) => return Err("give FILE and LABEL, or nothing".into()),
    };

    let finder = Config::new().kinds([Kind::Iri, Kind::Email]).build()?;
    let input = || Input::new(&bytes).charset(charset);
    // On a click only the text around it is read.
    if let Some(offset) = args.next() {
        let offset =
            offset.parse().map_err(|_| format!("{offset}: OFFSET is a number of bytes"))?;
        match finder.find_at(input(), offset) {
            Some(link) => open(&link),
            None => println!("no link there"),
        }
        return Ok(());
    }

    let mut links = finder.find_iter(input());
    let found: Vec<_> = links.by_ref().collect();
    // A byte order mark wins over the label, so ask the iterator.
    let (charset, basis) = links.charset();
    println!("{} links, read as {charset} {}", found.len(), basis.reason());

    // One pass over the bytes, however many links there are.
    let mut positions = Positions::new(charset);
    let mut at = 0;
    for link in found {
        let range = link.range();
        positions.advance(&bytes[at..range.start]);
        let from = positions.position();
        positions.advance(link.source());
        let to = positions.position();
        at = range.end;

        println!();
        println!("line {}, column {}: {}", from.line, from.column, link.text());
        println!("  bytes {range:?}, UTF-16 units {:?}", from.utf16..to.utf16);
        open(&link);
    }
    Ok(())
}

fn open(link: &Match<'_>) {
    match link.open() {
        Ok(uri) => println!("  opens {uri}"),
        Err(why) => println!("  opens nothing: {why}"),
    }
    for warning in link.warnings() {
        println!("  note: {warning}");
    }
}
