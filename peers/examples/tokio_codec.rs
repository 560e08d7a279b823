//! A `tokio_util` decoder that divides an asynchronous byte stream into text and
//! links. Segments share the memory of the read buffer; only the bytes around the
//! border of two reads are copied.
//!
//! ```sh
//! cargo run --manifest-path peers/Cargo.toml --example tokio_codec
//! ```

use std::{io, pin::Pin, task};

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use iriscan::{Finder, Segment, Segments};
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::codec::{Decoder, FramedRead};

/// The decoder of one stream.
struct Links(Segments<Bytes>);

impl Decoder for Links {
    type Item = Segment<Bytes>;
    type Error = io::Error;

    fn decode(&mut self, read: &mut BytesMut) -> io::Result<Option<Segment<Bytes>>> {
        // `split` leaves the rest of the buffer's memory to the next read. While
        // segments are queued, the codec calls this with an empty buffer.
        if !read.is_empty() {
            self.0.feed(read.split().freeze());
        }
        Ok(self.0.next_segment())
    }

    fn decode_eof(&mut self, read: &mut BytesMut) -> io::Result<Option<Segment<Bytes>>> {
        if let Some(segment) = self.decode(read)? {
            return Ok(Some(segment));
        }
        self.0.end();
        Ok(self.0.next_segment())
    }
}

/// A slow network: reads of 1, 2, 3 … 7 bytes, then 1 again.
struct Drip<'b>(&'b [u8], usize);

impl AsyncRead for Drip<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut task::Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> task::Poll<io::Result<()>> {
        self.1 = self.1 % 7 + 1;
        let (now, later) = self.0.split_at(self.1.min(self.0.len()).min(out.remaining()));
        out.put_slice(now);
        self.0 = later;
        task::Poll::Ready(Ok(()))
    }
}

fn main() -> io::Result<()> {
    let input = "見て「http://例え.jp/道」 · смотри https://пример.рф/да, ok http://a.example";
    let drip = Drip(input.as_bytes(), 0);
    let mut segments = FramedRead::new(drip, Links(Segments::new(&Finder::new())));

    let (mut copy, mut links) = (Vec::new(), Vec::new());
    tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
        while let Some(segment) = segments.next().await.transpose()? {
            copy.extend_from_slice(segment.source());
            if let Segment::Link(link) = segment {
                links.push(link.text().into_owned());
            }
        }
        io::Result::Ok(())
    })?;
    assert_eq!(copy, input.as_bytes());
    assert_eq!(links, ["http://例え.jp/道", "https://пример.рф/да", "http://a.example"]);
    println!("{links:#?}");
    Ok(())
}
