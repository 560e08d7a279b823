//! A zip container written anew, in which some members have other content.
//!
//! In go a container and the new content of some members; out comes the container. The bytes of all other members are
//! copied as they are, with their headers, their times and their order, and so is whatever is between members:
//!
//! ```text
//!   before    [ member ][ member ][ member ] gap [ directory ][ end ]
//!   after     [ member ][  new  ][ member ] gap [ directory ][ end ]     places, sizes and sums of the new ones
//! ```
//!
//! What must hold: a reader of the new container finds the same members in the same order, and all but the new ones
//! have the same bytes. A container of which that is not certain is refused: one with members that overlap, with bytes
//! before it that its places do not count, or with places beyond 4 GiB (Zip64).

use std::{
    borrow::Borrow,
    collections::BTreeMap,
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::PathBuf,
};

use flate2::{Compression, Crc, write::DeflateEncoder};
use iriscan::{Finder, Format};

use crate::{
    container::{Container, Entry},
    content::read_as,
    note::{Note, NoteKind},
    random::Random,
};

/// The signatures of the parts of a container, and their lengths without what varies.
const MEMBER: (&[u8; 4], usize) = (b"PK\x03\x04", 30);
const RECORD: (&[u8; 4], usize) = (b"PK\x01\x02", 46);
const END: (&[u8; 4], usize) = (b"PK\x05\x06", 22);
/// Sizes that come after the data of a member.
const SIZES: &[u8; 4] = b"PK\x07\x08";

/// A member has its sizes after its data.
const SIZES_FOLLOW: u16 = 1 << 3;

/// A container that can be written anew. [`Repacker::next`] gives its members that are text.
pub struct Repacker {
    path: PathBuf,
    container: Container,
    layout: Layout,
    /// The member that was given last.
    last: Option<Entry>,
    /// The new members, by the place of their record in the directory.
    new: BTreeMap<u64, NewData>,
}

/// A member that is text.
#[derive(Debug)]
pub struct Member {
    /// The path of the container, `!`, and the name of the member.
    pub path: PathBuf,
    /// Its format, by its name.
    pub format: Format,
    /// How the format is known, in words.
    pub why: &'static str,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// The next item of a container.
#[derive(Debug)]
pub enum NextMember {
    /// A member, of which [`Repacker::put`] may change the content.
    Member(Member),
    /// Something could not be read.
    Note(Note),
}

/// The new data of a member.
struct NewData {
    packed: Vec<u8>,
    crc: u32,
    len: u32,
}

/// Where the parts of a container are.
struct Layout {
    /// The members, in the order of the directory.
    members: Vec<Slot>,
    /// The directory and all that follows.
    tail: Vec<u8>,
    tail_at: u64,
    /// Where in the tail the end record is.
    end: usize,
}

/// The place of a member.
struct Slot {
    /// The bytes from its header to its end.
    place: Range<u64>,
    header: Vec<u8>,
    /// Where in the tail its record is.
    record: usize,
    is_stored: bool,
}

/// Two bytes of a number.
fn two(bytes: &[u8], at: usize) -> u16 {
    let bytes = bytes.get(at..).and_then(|bytes| bytes.first_chunk());
    bytes.map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

fn four(bytes: &[u8], at: usize) -> u32 {
    let bytes = bytes.get(at..).and_then(|bytes| bytes.first_chunk());
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn set(bytes: &mut [u8], at: usize, number: u32) {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("{why}; unpack it, and pack it again"))
}

impl Repacker {
    pub(crate) fn open(path: PathBuf, file: Box<dyn Random>, len: u64) -> io::Result<Repacker> {
        let container = Container::open(file, len)?;
        let tail_at = container.directory();
        let mut reader = container.into_reader();
        let layout = Layout::read(&mut reader, tail_at, len)?;
        let container = Container::of(reader, len)?;
        Ok(Repacker { path, container, layout, last: None, new: BTreeMap::new() })
    }

    /// True if the container has signatures of its members, which would be wrong: those of office documents, of
    /// OpenDocument, of electronic books, and of Java and Android packages.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.container.names().any(|name| {
            let name = name.to_ascii_lowercase();
            let is_of_java =
                [&b".sf"[..], b".rsa", b".dsa", b".ec"].iter().any(|end| name.ends_with(end));
            name.starts_with(b"_xmlsignatures/")
                || name == b"meta-inf/documentsignatures.xml"
                || name == b"meta-inf/macrosignatures.xml"
                || name == b"meta-inf/signatures.xml"
                || name.starts_with(b"meta-inf/") && is_of_java
        })
    }

    /// The next member that is text, or note; `None` at the end. Each is held in memory.
    #[allow(clippy::should_implement_trait, reason = "as `Texts::next`")]
    pub fn next(&mut self, finder: &Finder) -> Option<NextMember> {
        self.last = None;
        loop {
            if self.container.inflating().full {
                return None;
            }
            let entry = self.container.next()?;
            let path = entry.path(&self.path);
            let note = |kind| Some(NextMember::Note(Note::of_member(path.clone(), kind)));
            if let Some(why) = entry.closed {
                return note(NoteKind::Closed(why));
            }
            match self.container.is_text(&entry, finder) {
                Ok(true) => {}
                Ok(false) => {
                    // An error of a member that is no text is of no interest.
                    self.container.inflating_mut().trouble = None;
                    continue;
                }
                Err(e) => return note(NoteKind::Unreadable(e)),
            }
            let mut bytes = Vec::new();
            let read = self.container.read(&entry).and_then(|mut it| it.read_to_end(&mut bytes));
            let trouble = read.err().or_else(|| self.container.inflating_mut().trouble.take());
            if let Some(e) = trouble {
                return note(NoteKind::Unreadable(e));
            }
            if self.container.inflating().full {
                return Some(NextMember::Note(Note::new(NoteKind::Overfull)));
            }
            let (format, why) = (read_as(&finder.config(), entry.format), entry.basis);
            self.last = Some(entry);
            return Some(NextMember::Member(Member { path, format, why, bytes }));
        }
    }

    /// Gives the member that came last another content.
    ///
    /// # Errors
    ///
    /// It is too long.
    pub fn put(&mut self, content: &[u8]) -> io::Result<()> {
        let record = self.last.as_ref().and_then(|entry| self.container.record(entry));
        let slot = record.and_then(|record| self.layout.slot_of(record));
        let (Some(record), Some(slot)) = (record, slot) else {
            return Err(refused("its directory names a member twice"));
        };
        let len = u32::try_from(content.len()).ok().filter(|len| *len < u32::MAX);
        let len = len.ok_or_else(|| refused("a member is longer than 4 GiB"))?;
        let mut crc = Crc::new();
        crc.update(content);
        let packed = match slot.is_stored {
            true => content.to_vec(),
            false => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(content)?;
                encoder.finish()?
            }
        };
        self.new.insert(record, NewData { packed, crc: crc.sum(), len });
        Ok(())
    }

    /// Writes the container with the new members.
    ///
    /// # Errors
    ///
    /// Those of reading it again and of writing, and it would be longer than 4 GiB.
    pub fn finish(self, out: &mut dyn Write) -> io::Result<()> {
        let Repacker { container, layout, new, .. } = self;
        let Layout { members, mut tail, tail_at, end } = layout;
        let mut reader = container.into_reader();
        reader.seek(SeekFrom::Start(0))?;
        let (mut from, mut to) = (0, 0_u64);
        let long = || refused("it would be longer than 4 GiB");
        for slot in in_order(members) {
            to += copy(&mut reader, slot.place.start - from, out)?;
            let place = u32::try_from(to).map_err(|_| long())?;
            set(&mut tail, slot.record + 42, place);
            from = slot.place.end;
            let Some(data) = new.get(&(tail_at + slot.record as u64)) else {
                to += copy(&mut reader, slot.place.end - slot.place.start, out)?;
                continue;
            };
            let packed = u32::try_from(data.packed.len()).map_err(|_| long())?;
            let mut header = slot.header;
            for (head, at) in [(&mut header[..], 6), (&mut tail[slot.record..], 8)] {
                let flags = two(head, at) & !SIZES_FOLLOW;
                head[at..at + 2].copy_from_slice(&flags.to_le_bytes());
                set(head, at + 8, data.crc);
                set(head, at + 12, packed);
                set(head, at + 16, data.len);
            }
            out.write_all(&header)?;
            out.write_all(&data.packed)?;
            to += (header.len() + data.packed.len()) as u64;
            reader.seek(SeekFrom::Start(from))?;
        }
        to += copy(&mut reader, tail_at - from, out)?;
        let place = u32::try_from(to).map_err(|_| long())?;
        set(&mut tail, end + 16, place);
        out.write_all(&tail)
    }
}

/// The members in the order in which they are in the container.
fn in_order<S: Borrow<Slot>>(members: impl IntoIterator<Item = S>) -> Vec<S> {
    let mut members: Vec<S> = members.into_iter().collect();
    members.sort_by_key(|slot| slot.borrow().place.start);
    members
}

/// Copies so many bytes.
fn copy(reader: &mut impl Read, len: u64, out: &mut dyn Write) -> io::Result<u64> {
    match io::copy(&mut reader.take(len), out)? {
        copied if copied == len => Ok(len),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

impl Layout {
    /// The layout of a container of `len` bytes with its directory at `tail_at`.
    fn read<R: Read + Seek>(
        reader: &mut BufReader<R>,
        tail_at: u64,
        len: u64,
    ) -> io::Result<Layout> {
        let mut tail = Vec::new();
        reader.seek(SeekFrom::Start(tail_at))?;
        reader.take(len.saturating_sub(tail_at)).read_to_end(&mut tail)?;
        let is_end = |at: &usize| {
            let end = &tail[*at..];
            end.starts_with(END.0) && END.1 + usize::from(two(end, 20)) == end.len()
        };
        let ends = (0..=tail.len().saturating_sub(END.1)).rev();
        let end = ends.take(usize::from(u16::MAX) + 1).find(|at| tail.len() >= END.1 && is_end(at));
        let end = end.ok_or_else(|| refused("it has bytes after its end"))?;
        if u64::from(four(&tail, end + 16)) != tail_at {
            return Err(refused("it has bytes before its start, or places beyond 4 GiB"));
        }
        let (mut members, mut record, mut open) = (Vec::new(), 0, 0);
        while tail[record..end].starts_with(RECORD.0) && record + RECORD.1 <= end {
            let head = &tail[record..];
            let lens = [28, 30, 32].map(|at| usize::from(two(head, at)));
            members.push(Slot::read(reader, head, record)?);
            record += RECORD.1 + lens.iter().sum::<usize>();
            if record > end {
                return Err(refused("its directory is damaged"));
            }
        }
        if members.len() != usize::from(two(&tail, end + 10)) {
            return Err(refused("its directory is damaged, or has more than 65,535 members"));
        }
        for slot in in_order(&members) {
            if slot.place.start < open || slot.place.end > tail_at {
                return Err(refused("members of it overlap"));
            }
            open = slot.place.end;
        }
        Ok(Layout { members, tail, tail_at, end })
    }

    /// The member whose record begins at this byte of the container.
    fn slot_of(&self, record: u64) -> Option<&Slot> {
        let record = record.checked_sub(self.tail_at)?;
        let found = self.members.binary_search_by_key(&record, |slot| slot.record as u64);
        self.members.get(found.ok()?)
    }
}

impl Slot {
    /// The place of the member with this record in the directory.
    fn read<R: Read + Seek>(
        reader: &mut BufReader<R>,
        head: &[u8],
        record: usize,
    ) -> io::Result<Slot> {
        let (start, packed) = (u64::from(four(head, 42)), u64::from(four(head, 20)));
        let beyond = [20, 24, 42].iter().any(|at| four(head, *at) == u32::MAX);
        if beyond {
            return Err(refused("it has places beyond 4 GiB"));
        }
        reader.seek(SeekFrom::Start(start))?;
        let mut header = vec![0; MEMBER.1];
        reader.read_exact(&mut header)?;
        if !header.starts_with(MEMBER.0) {
            return Err(refused("its directory is damaged, or it has bytes before its start"));
        }
        let more = usize::from(two(&header, 26)) + usize::from(two(&header, 28));
        header.resize(MEMBER.1 + more, 0);
        reader.read_exact(&mut header[MEMBER.1..])?;
        let mut end = start + header.len() as u64 + packed;
        if two(&header, 6) & SIZES_FOLLOW != 0 {
            reader.seek(SeekFrom::Start(end))?;
            let mut sizes = [0; 16];
            reader.read_exact(&mut sizes[..12])?;
            // They may have a signature.
            end +=
                if sizes.starts_with(SIZES) && four(&sizes, 4) == four(head, 16) { 16 } else { 12 };
        }
        let is_stored = two(head, 10) == 0;
        Ok(Slot { place: start..end, header, record, is_stored })
    }
}

impl std::fmt::Debug for Repacker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repacker").field("path", &self.path).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use zip::{
        CompressionMethod, DateTime, ZipArchive, ZipWriter, read::ZipFile, write::SimpleFileOptions,
    };

    use super::*;

    const NAMES: [&str; 6] = ["mimetype", "a.xml", "d/", "d/\u{e9}.html", "i.png", "z.txt"];

    fn content(name: &str) -> Vec<u8> {
        let link = format!("<a href='http://a.example/{name}'>").repeat(40);
        if name.ends_with(".png") {
            b"\x89PNG\r\n\x1A\n\0\0\0http://no.example/".to_vec()
        } else {
            link.into_bytes()
        }
    }

    /// A container, with sizes after the data or before it, and with what is between and after members.
    fn container(stored: bool, streamed: bool, comment: &str) -> Vec<u8> {
        let method = if stored { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let time = DateTime::from_date_and_time(2001, 2, 3, 4, 5, 6).expect("a date");
        let options = SimpleFileOptions::default().last_modified_time(time).unix_permissions(0o640);
        fn fill<W: Write + Seek>(
            mut writer: ZipWriter<W>,
            options: SimpleFileOptions,
            method: CompressionMethod,
            comment: &str,
        ) -> ZipWriter<W> {
            for name in NAMES {
                let method = if name == "mimetype" { CompressionMethod::Stored } else { method };
                match name.strip_suffix('/') {
                    Some(_) => writer.add_directory(name, options).expect("it should be written"),
                    None => {
                        let options = options.compression_method(method);
                        writer.start_file(name, options).expect("it should be written");
                        writer.write_all(&content(name)).expect("it should be written");
                    }
                }
            }
            writer.set_comment(comment).expect("it should be short");
            writer
        }
        match streamed {
            true => {
                let writer = ZipWriter::new_stream(Vec::new());
                let writer = fill(writer, options, method, comment);
                writer.finish().expect("it should be written").into_inner()
            }
            false => {
                let writer = ZipWriter::new(Cursor::new(Vec::new()));
                let writer = fill(writer, options, method, comment);
                writer.finish().expect("it should be written").into_inner()
            }
        }
    }

    fn repacker(bytes: &[u8]) -> io::Result<Repacker> {
        let len = bytes.len() as u64;
        Repacker::open("c.zip".into(), Box::new(Cursor::new(bytes.to_vec())), len)
    }

    /// What a reader of a member sees, and its bytes as they are packed.
    fn about(mut member: ZipFile<'_, Cursor<&[u8]>>) -> (String, Vec<u8>) {
        let mut packed = Vec::new();
        let head = format!(
            "{:?} {:?} {:?} {:?} {}",
            member.name_raw(),
            member.last_modified(),
            member.unix_mode(),
            member.compression(),
            member.crc32()
        );
        member.read_to_end(&mut packed).expect("it should be read");
        (head, packed)
    }

    /// Each way to write a container, and each member that may change.
    #[test]
    fn other_members_keep_their_bytes() {
        for (stored, streamed) in [(false, false), (true, false), (false, true), (true, true)] {
            for (comment, changed) in
                [("", "a.xml"), ("PK\u{5}\u{6}", "z.txt"), ("c", "none"), ("d", "all")]
            {
                let old = container(stored, streamed, comment);
                let mut repacker = repacker(&old).expect("it should be read");
                let mut texts = Vec::new();
                while let Some(next) = repacker.next(&Finder::new()) {
                    let NextMember::Member(member) = next else { panic!("{next:?}") };
                    let path = member.path.to_string_lossy().into_owned();
                    let name = path.strip_prefix("c.zip!").expect("the name").to_owned();
                    assert_eq!(member.bytes, content(&name));
                    if changed == "all" || name == changed {
                        repacker.put(b"new").expect("it is short");
                    }
                    texts.push(name);
                }
                assert_eq!(texts, ["a.xml", "d/\u{e9}.html", "z.txt"]);
                let mut new = Vec::new();
                repacker.finish(&mut new).expect("it should be written");
                assert_eq!(new == old, changed == "none", "{stored} {streamed} {comment}");
                let open = |bytes| ZipArchive::new(Cursor::new(bytes)).expect("it should open");
                let (mut old, mut new) = (open(&old[..]), open(&new[..]));
                assert_eq!((old.len(), old.comment()), (new.len(), new.comment()));
                for i in 0..old.len() {
                    let name =
                        old.by_index(i).expect("a member").name().expect("a name").into_owned();
                    if changed == name || changed == "all" && texts.contains(&name) {
                        let mut text = Vec::new();
                        let mut member = new.by_index(i).expect("a member");
                        assert_eq!(member.name().expect("a name"), name);
                        member.read_to_end(&mut text).expect("its sum should be right");
                        assert_eq!(text, b"new");
                        continue;
                    }
                    let of_old = about(old.by_index_raw(i).expect("a member"));
                    assert_eq!(of_old, about(new.by_index_raw(i).expect("a member")));
                }
            }
        }
    }

    #[test]
    fn what_is_not_certain_is_refused() {
        let plain = container(false, false, "");
        let before = [&b"#!/bin/sh\n"[..], &plain].concat();
        let after = [&plain[..], b"more"].concat();
        for bytes in [&before, &after, &plain[..plain.len() - 1].to_vec()] {
            assert!(repacker(bytes).is_err());
        }
        // Any byte of the directory or of a header may be wrong: nothing panics.
        for at in 0..plain.len() {
            for wrong in [0, 0xFF, plain[at] ^ 1] {
                let mut bytes = plain.clone();
                bytes[at] = wrong;
                let Ok(mut repacker) = repacker(&bytes) else { continue };
                while let Some(next) = repacker.next(&Finder::new()) {
                    if matches!(next, NextMember::Member(_)) {
                        let _ = repacker.put(b"new");
                    }
                }
                let _ = repacker.finish(&mut Vec::new());
            }
        }
    }

    #[test]
    fn signatures_are_known() {
        for (name, signed) in [
            ("_xmlsignatures/origin.sigs", true),
            ("META-INF/documentsignatures.xml", true),
            ("META-INF/CERT.RSA", true),
            ("META-INF/container.xml", false),
            ("word/a.rsa", false),
        ] {
            let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
            writer.start_file(name, SimpleFileOptions::default()).expect("it should be written");
            let bytes = writer.finish().expect("it should be written").into_inner();
            assert_eq!(repacker(&bytes).expect("it should open").is_signed(), signed, "{name}");
        }
    }
}
