//! One text of a message: a body or the value of a field.
//!
//! A region knows how its text reads (the view), in which charset and format, and where
//! each byte that is read comes from in the message.

use core::{cell::OnceCell, ops::Range};
use std::{borrow::Cow, string::String};

use super::{
    around::around,
    lines::Lines,
    link::{MailLink, Names},
    outcome::KeptReason,
    outline::{Piece, What},
    transfer,
    types::{About, Flow, Transfer},
    view::View,
    words::{self, Value},
};
use crate::{
    api::{find::Input, finder::Finder},
    charset::{Charset, Shape},
    format::kinds::Format,
    links::{link::Link, matched::Match},
    reference::base::BaseUri,
};

/// One text of a message: how it reads, and how it is written.
pub(super) struct Region<'m> {
    part: &'m str,
    pub(super) header: Option<&'m str>,
    /// The same for its links, once there is one.
    names: OnceCell<Names>,
    pub(super) range: Range<usize>,
    /// The base of the text: decoded base64, or the bytes of the message.
    pub(super) base: Cow<'m, [u8]>,
    /// The place of `base` in the message; 0 if it was decoded.
    from: usize,
    /// The text that is read; `None` if it is `base`.
    view: Option<View<'static>>,
    charset: Option<Charset>,
    pub(super) format: Format,
    /// What its references are relative to; `None`: what is told.
    pub(super) base_uri: Option<BaseUri>,
    pub(super) transfer: Transfer,
    pub(super) flow: Flow,
    /// Why nothing of the region is rewritten, if so.
    pub(super) never: Option<KeptReason>,
}

/// The format of plain text: links that were made harmless are read if the caller wants that.
fn text_format(finder: &Finder) -> Format {
    if finder.format.row().is_harmless { finder.format } else { Format::Text }
}

impl<'m> Region<'m> {
    /// The region of a piece; `None` if the piece is not searched.
    pub(super) fn of(
        message: &'m [u8],
        piece: &'m Piece<'_>,
        finder: &Finder,
    ) -> Option<Region<'m>> {
        let range = piece.range.clone();
        match &piece.what {
            What::Field(name) => {
                let value = Value::of(name);
                if value == Value::Machine {
                    return None;
                }
                let (view, charset) = words::text(message, range.clone(), value, finder);
                Some(Region {
                    part: piece.part,
                    header: Some(name),
                    names: OnceCell::new(),
                    base: Cow::Borrowed(&message[range.clone()]),
                    from: range.start,
                    range,
                    view,
                    charset,
                    format: text_format(finder),
                    base_uri: None,
                    transfer: Transfer::Identity,
                    flow: Flow::Fixed,
                    never: (value == Value::Addresses).then_some(KeptReason::Address),
                })
            }
            What::Text(about) => Some(Region::of_text(message, piece.part, range, about, finder)),
            What::Message(_) | What::Closed(_) => None,
        }
    }

    fn of_text(
        message: &'m [u8],
        part: &'m str,
        range: Range<usize>,
        about: &About,
        finder: &Finder,
    ) -> Region<'m> {
        let forced = finder.rules.options.force_charset && finder.charset.is_some();
        let declared = about.charset.as_deref().filter(|_| !forced);
        let label = declared.unwrap_or_default();
        let charset = transfer::charset_of(label);
        let mut region = Region {
            part,
            header: None,
            names: OnceCell::new(),
            base: Cow::Borrowed(&message[range.clone()]),
            from: range.start,
            range: range.clone(),
            view: None,
            charset,
            format: match about.format {
                Format::Text => text_format(finder),
                other => other,
            },
            base_uri: about.base.clone(),
            transfer: about.transfer,
            flow: about.flow,
            never: None,
        };
        match about.transfer {
            Transfer::Quoted => region.view = Some(transfer::quoted(message, range)),
            Transfer::Base64 => {
                let decoded = transfer::base64(&message[range]);
                region.never = (!decoded.clean).then_some(KeptReason::DamagedBase64);
                (region.base, region.from) = (Cow::Owned(decoded.bytes), 0);
            }
            Transfer::Identity | Transfer::Unknown => {}
        }
        if transfer::is_utf7(label) {
            region.view = Some(region.with_view(transfer::utf7));
            region.charset = Some(Charset::UTF_8);
            region.never = Some(KeptReason::Utf7);
        }
        let shape = region.charset.or(finder.charset).map(Charset::shape);
        let stateful = shape.is_none_or(|shape| shape == Shape::Stateful);
        if about.flow == Flow::WithoutSpaces
            && !matches!(shape, Some(Shape::Wide { .. }))
            && let Some(view) = region.with_view(|view| transfer::flowed(view, stateful))
        {
            region.view = Some(view);
        }
        region
    }

    pub(super) fn with_view<T>(&self, read: impl FnOnce(&View<'_>) -> T) -> T {
        match &self.view {
            Some(view) => read(view),
            None => read(&View::plain(&self.base, self.from)),
        }
    }

    /// The text that is read.
    pub(super) fn bytes(&self) -> &[u8] {
        self.view.as_ref().map_or(&*self.base, View::bytes)
    }

    /// The range of the base that corresponds to a range of the text.
    pub(super) fn in_base(&self, range: Range<usize>) -> Option<Range<usize>> {
        self.with_view(|view| view.source(range))
    }

    /// The line of the message before `at`, which is in the base, as far as it is in this text.
    pub(super) fn line_before(&self, at: usize) -> &[u8] {
        let before = self.around_in_base(at..at).0;
        &before[memchr::memrchr(b'\n', before).map_or(0, |feed| feed + 1)..]
    }

    /// The text before and after a range of the base, in its transfer encoding if that is not base64.
    pub(super) fn around_in_base(&self, range: Range<usize>) -> (&[u8], &[u8]) {
        let at = |at: usize| at.saturating_sub(self.from).min(self.base.len());
        (&self.base[..at(range.start)], &self.base[at(range.end)..])
    }

    /// Whether the base was decoded, so that it is not in the message.
    pub(super) fn is_decoded(&self) -> bool {
        matches!(self.base, Cow::Owned(_))
    }

    /// Whether only ASCII may be written: it is a text of ASCII without a transfer encoding, which
    /// may be promised to the servers on the way, or a field, which has encoded words for the rest.
    pub(super) fn is_ascii(&self) -> bool {
        let encoded = self.header.is_none() && self.transfer != Transfer::Identity;
        !encoded && self.base.is_ascii()
    }

    fn new_names(&self) -> Names {
        Names { part: self.part.into(), header: self.header.map(Into::into) }
    }

    /// So many characters of the text before and after `found`.
    pub(super) fn around(&self, found: &Match<'_>, chars: usize) -> (String, String) {
        around(self.bytes(), found.range(), found.charset(), chars)
    }

    pub(super) fn input(&self) -> Input<'_> {
        let input = Input::new(self.bytes());
        self.charset.map_or(input, |charset| input.charset(charset))
    }

    /// Whether the text has a PGP signature at the start of a line. One that is quoted in an
    /// answer does not count.
    pub(super) fn is_signed(&self) -> bool {
        const MARK: &[u8] = b"-----BEGIN PGP SIG";
        let bytes = self.bytes();
        let starts_line = |at: usize| at == 0 || bytes[at - 1] == b'\n';
        self.header.is_none() && memchr::memmem::find_iter(bytes, MARK).any(starts_line)
    }

    /// The link of `found` with its place. `base`: the line on which the region starts.
    pub(super) fn link(
        &self,
        found: &Match<'_>,
        message: &[u8],
        base: u64,
        lines: &mut Lines<'_>,
    ) -> MailLink {
        let source = match self.is_decoded() {
            true => None,
            false => self.in_base(found.range()),
        };
        let link = match source.clone() {
            Some(source) => {
                let start = source.start as u64;
                Link::spelled(found, &message[source], start)
            }
            None => found.to_link(),
        };
        MailLink {
            line: source.as_ref().map_or(base, |source| lines.at(source.start)),
            span: source.map(|source| source.start as u64..source.end as u64),
            names: self.names.get_or_init(|| self.new_names()).clone(),
            format: self.format,
            around: None,
            link,
        }
    }
}
