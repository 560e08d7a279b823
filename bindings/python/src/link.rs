//! A link as Python sees it.

use std::{
    borrow::Cow,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use iriscan::mail::{Headers, MailLink};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyString, PyTuple},
};

/// A link that was found.
///
/// It cannot be changed; it can be compared, put into a set, and pickled.
///
/// >>> import iriscan
/// >>> link = iriscan.find("見て http://例え.jp/道。")[0]
/// >>> link
/// Link(start=3, end=17, kind='iri', iri='http://例え.jp/道', uri='http://xn--r8jz45g.jp/%E9%81%93')
/// >>> link.scheme, link.host, link.warnings
/// ('http', '例え.jp', ())
#[pyclass(frozen, module = "iriscan", name = "Link")]
pub(crate) struct PyLink {
    start: Option<usize>,
    end: Option<usize>,
    content: Content,
    place: Option<Box<Place>>,
}

enum Content {
    /// A link of the library, which computes its properties when they are asked for.
    Found(iriscan::Link),
    /// A link that was pickled.
    Loaded(Box<Properties>),
}

/// The properties of a link that its bytes decide.
#[derive(Clone, PartialEq, Eq)]
struct Properties {
    source: Vec<u8>,
    charset: String,
    kind: String,
    text: String,
    iri: String,
    uri: Option<String>,
    error: Option<String>,
    open: Option<String>,
    scheme: Option<String>,
    host: Option<String>,
    warnings: Vec<String>,
    element: Option<String>,
    attribute: Option<String>,
    anchor: Option<String>,
    display: String,
    unwrapped: Option<String>,
    absolute: Option<String>,
}

/// Where a link is in a message.
#[derive(Clone, PartialEq, Eq)]
struct Place {
    part: String,
    field: Option<String>,
    line: u64,
    /// The text before and after it.
    around: Option<(String, String)>,
    message: Arc<Message>,
}

/// Which message it is: its number and fields of its header. All of its links have one.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Message {
    number: u64,
    id: Option<String>,
    subject: Option<String>,
    from: Option<String>,
    date: Option<String>,
}

impl Message {
    /// The message with this number, counted from 1.
    pub(crate) fn of(headers: &Headers, number: u64) -> Message {
        Message {
            number,
            id: headers.message_id().map(ToOwned::to_owned),
            subject: headers.subject().map(ToOwned::to_owned),
            from: headers.from().map(ToOwned::to_owned),
            date: headers.date().map(ToOwned::to_owned),
        }
    }
}

/// What `__reduce__` returns: a function that loads an object, and its arguments.
pub(crate) type Pickled<'py, T> = (Bound<'py, PyAny>, T);

/// The state of a pickled link.
type State = (
    (Option<usize>, Option<usize>),
    (Vec<u8>, String, String, String, String),
    (Option<String>, Option<String>, Option<String>, Option<String>, Option<String>, Vec<String>),
    Option<InMail>,
    (Option<String>, Option<String>, Option<String>, String, Option<String>, Option<String>),
);

/// The part of the state that is in mail only.
type InMail = (
    String,
    Option<String>,
    u64,
    Option<(String, String)>,
    (Option<String>, Option<String>, Option<String>, Option<String>, u64),
);

/// Where a message is in an mbox.
#[derive(Clone, Copy)]
pub(crate) struct Begin {
    /// The first byte.
    pub(crate) at: u64,
    /// The first line, from 1.
    pub(crate) line: u64,
}

impl PyLink {
    /// A link with its range in the offsets of the caller.
    pub(crate) fn new(link: iriscan::Link, start: usize, end: usize) -> PyLink {
        PyLink { start: Some(start), end: Some(end), content: Content::Found(link), place: None }
    }

    /// A link of a message that begins at this place.
    pub(crate) fn of_mail(link: MailLink, begin: Begin, message: &Arc<Message>) -> PyLink {
        let span = link.span().map(|span| begin.at + span.start..begin.at + span.end);
        let place = Place {
            part: link.part().to_owned(),
            field: link.header().map(ToOwned::to_owned),
            line: begin.line + link.line() - 1,
            around: link
                .before()
                .zip(link.after())
                .map(|(before, after)| (before.to_owned(), after.to_owned())),
            message: Arc::clone(message),
        };
        PyLink {
            start: span.as_ref().map(|span| span.start as usize),
            end: span.as_ref().map(|span| span.end as usize),
            content: Content::Found(link.into_link()),
            place: Some(Box::new(place)),
        }
    }

    fn properties(&self) -> Cow<'_, Properties> {
        match &self.content {
            Content::Loaded(properties) => Cow::Borrowed(properties),
            Content::Found(link) => Cow::Owned(Properties {
                source: link.source().to_vec(),
                charset: link.charset().name().to_owned(),
                kind: link.kind().as_str().to_owned(),
                text: link.text().into_owned(),
                iri: link.iri().into_owned(),
                uri: link.uri().ok().map(|uri| uri.as_str().to_owned()),
                error: link.uri().err().map(|e| e.to_string()),
                open: link.open().ok(),
                scheme: link.scheme(),
                host: link.host(),
                warnings: link.warnings().iter().map(ToString::to_string).collect(),
                element: link.element().map(ToOwned::to_owned),
                attribute: link.attribute().map(ToOwned::to_owned),
                anchor: link.anchor().map(ToOwned::to_owned),
                display: link.display(),
                unwrapped: link.unwrapped(),
                absolute: link.absolute().ok(),
            }),
        }
    }
}

#[pymethods]
impl PyLink {
    /// Where the link starts: in a `str` a character, so that `data[link.start:link.end]` is
    /// `link.text`; in everything else a byte. None for a link of a message whose bytes are not in
    /// the message, as in base64.
    #[getter]
    fn start(&self) -> Option<usize> {
        self.start
    }

    /// Where the link ends, exclusive; see `start`.
    #[getter]
    fn end(&self) -> Option<usize> {
        self.end
    }

    /// The bytes of the link as they are in the input; of a `str`, its UTF-8.
    #[getter]
    fn source<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        match &self.content {
            Content::Found(link) => PyBytes::new(py, link.source()),
            Content::Loaded(loaded) => PyBytes::new(py, &loaded.source),
        }
    }

    /// The charset in which the link was read, for example 'UTF-8' or 'Shift_JIS'.
    #[getter]
    fn charset(&self) -> &str {
        match &self.content {
            Content::Found(link) => link.charset().name(),
            Content::Loaded(loaded) => &loaded.charset,
        }
    }

    /// The kind of link: 'iri', 'bare' or 'email'.
    #[getter]
    fn kind(&self) -> &str {
        match &self.content {
            Content::Found(link) => link.kind().as_str(),
            Content::Loaded(loaded) => &loaded.kind,
        }
    }

    /// The characters of the link as they are in the input, without any unescaping.
    #[getter]
    fn text(&self) -> Cow<'_, str> {
        match &self.content {
            Content::Found(link) => link.text(),
            Content::Loaded(loaded) => Cow::Borrowed(&loaded.text),
        }
    }

    /// The reference: the text with the escapes of the format and line breaks undone.
    #[getter]
    fn iri(&self) -> Cow<'_, str> {
        match &self.content {
            Content::Found(link) => link.iri(),
            Content::Loaded(loaded) => Cow::Borrowed(&loaded.iri),
        }
    }

    /// The URI form, without an added scheme; None if the link has none (`error` says why).
    #[getter]
    fn uri<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        match &self.content {
            Content::Found(link) => link.uri().ok().map(|uri| PyString::new(py, uri.as_str())),
            Content::Loaded(loaded) => loaded.uri.as_ref().map(|uri| PyString::new(py, uri)),
        }
    }

    /// Why the link has no URI form; None if it has one.
    #[getter]
    fn error(&self) -> Option<String> {
        match &self.content {
            Content::Found(link) => link.uri().err().map(|e| e.to_string()),
            Content::Loaded(loaded) => loaded.error.clone(),
        }
    }

    /// What to give to a browser or mailer: the URI, with 'https://' before a bare host and
    /// 'mailto:' before an address. None for a relative reference without a base and a link without a URI
    /// form.
    #[getter]
    fn open(&self) -> Option<String> {
        match &self.content {
            Content::Found(link) => link.open().ok(),
            Content::Loaded(loaded) => loaded.open.clone(),
        }
    }

    /// The URI form as an absolute URI: a relative reference is resolved against the option `base`, or
    /// a nearer base that the document says before the link. None for a relative reference without a base and
    /// a link without a URI form.
    ///
    /// >>> from iriscan import Finder
    /// >>> finder = Finder(format="html", base="http://a.example/b/c")
    /// >>> finder.find("<a href='../x'>")[0].absolute
    /// 'http://a.example/x'
    #[getter]
    fn absolute(&self) -> Option<String> {
        match &self.content {
            Content::Found(link) => link.absolute().ok(),
            Content::Loaded(loaded) => loaded.absolute.clone(),
        }
    }

    /// The scheme in lower case; None if the link has none.
    #[getter]
    fn scheme(&self) -> Option<String> {
        match &self.content {
            Content::Found(link) => link.scheme(),
            Content::Loaded(loaded) => loaded.scheme.clone(),
        }
    }

    /// The host as it is written, an IPv6 address with its brackets; None if there is none.
    #[getter]
    fn host(&self) -> Option<String> {
        match &self.content {
            Content::Found(link) => link.host(),
            Content::Loaded(loaded) => loaded.host.clone(),
        }
    }

    /// The names of the warnings about the link, for example 'mixed-script'.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match &self.content {
            Content::Found(link) => {
                PyTuple::new(py, link.warnings().iter().map(|warning| warning.as_str()))
            }
            Content::Loaded(loaded) => PyTuple::new(py, &loaded.warnings),
        }
    }

    /// What to show to a person: the readable IRI, its host in Unicode only where that cannot deceive.
    /// Put it between U+2066 and U+2069 if it is in other text.
    ///
    /// >>> import iriscan
    /// >>> text = "http://xn--bcher-kva.example/%C3%BC http://xn--80ak6aa92e.com/"
    /// >>> [link.display for link in iriscan.find(text)]
    /// ['http://bücher.example/ü', 'http://xn--80ak6aa92e.com/']
    #[getter]
    fn display(&self) -> String {
        match &self.content {
            Content::Found(link) => link.display(),
            Content::Loaded(loaded) => loaded.display.clone(),
        }
    }

    /// The URI of the link inside, if the link is the wrapper of a mail gateway, such as Safe Links;
    /// None if it is not.
    #[getter]
    fn unwrapped(&self) -> Option<String> {
        match &self.content {
            Content::Found(link) => link.unwrapped(),
            Content::Loaded(loaded) => loaded.unwrapped.clone(),
        }
    }

    /// The element that the link is in, in HTML and XML with `elements=True`; None in running
    /// text.
    ///
    /// >>> from iriscan import Finder
    /// >>> page = "<a href='http://a.example/x'>Read <b>all</b> of it</a>"
    /// >>> link = Finder(format="html", elements=True).find(page)[0]
    /// >>> link.element, link.attribute, link.anchor
    /// ('a', 'href', 'Read all of it')
    #[getter]
    fn element(&self) -> Option<&str> {
        match &self.content {
            Content::Found(link) => link.element(),
            Content::Loaded(loaded) => loaded.element.as_deref(),
        }
    }

    /// The attribute that the link is in; None in the text of an element.
    #[getter]
    fn attribute(&self) -> Option<&str> {
        match &self.content {
            Content::Found(link) => link.attribute(),
            Content::Loaded(loaded) => loaded.attribute.as_deref(),
        }
    }

    /// The text of the element a or area that the link is the href of, white space folded, at most
    /// 200 characters; None for other links.
    #[getter]
    fn anchor(&self) -> Option<&str> {
        match &self.content {
            Content::Found(link) => link.anchor(),
            Content::Loaded(loaded) => loaded.anchor.as_deref(),
        }
    }

    /// The part of the message, numbered as in IMAP; None outside of mail.
    #[getter]
    fn part(&self) -> Option<&str> {
        self.place.as_ref().map(|place| &*place.part)
    }

    /// The name of the header field; None in a body and outside of mail.
    #[getter]
    fn field(&self) -> Option<&str> {
        self.place.as_ref().and_then(|place| place.field.as_deref())
    }

    /// The line of the message, or of the mbox, on which the link starts, from 1; None outside of mail.
    #[getter]
    fn line(&self) -> Option<u64> {
        self.place.as_ref().map(|place| place.line)
    }

    /// The text before the link in its part or field, of `find_mail` with `context`; else None.
    #[getter]
    fn before(&self) -> Option<&str> {
        self.place.as_ref()?.around.as_ref().map(|(before, _)| &**before)
    }

    /// The text after the link; see `before`.
    #[getter]
    fn after(&self) -> Option<&str> {
        self.place.as_ref()?.around.as_ref().map(|(_, after)| &**after)
    }

    /// The number of the message in its mbox, from 1; None outside of mail.
    #[getter]
    pub(crate) fn message(&self) -> Option<u64> {
        self.place.as_ref().map(|place| place.message.number)
    }

    /// The identifier of the message, without the '<' and '>' around it; None outside of mail, and if
    /// the message has none. All of `message_id`, `subject`, `from_` and `date` are decoded.
    #[getter]
    fn message_id(&self) -> Option<&str> {
        self.place.as_ref()?.message.id.as_deref()
    }

    /// What the message is about; see `message_id`.
    #[getter]
    fn subject(&self) -> Option<&str> {
        self.place.as_ref()?.message.subject.as_deref()
    }

    /// Who wrote the message, as its field From has it: names and addresses; see `message_id`.
    #[getter]
    fn from_(&self) -> Option<&str> {
        self.place.as_ref()?.message.from.as_deref()
    }

    /// When the message was written, as its field Date has it; see `message_id`.
    #[getter]
    fn date(&self) -> Option<&str> {
        self.place.as_ref()?.message.date.as_deref()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut words = Vec::new();
        let number = |n: Option<usize>| n.map_or_else(|| "None".to_owned(), |n| n.to_string());
        words.push(format!("start={}", number(self.start)));
        words.push(format!("end={}", number(self.end)));
        let mut push = |name: &str, value: Option<&str>| -> PyResult<()> {
            let value = match value {
                Some(text) => PyString::new(py, text).repr()?.to_string(),
                None => "None".to_owned(),
            };
            words.push(format!("{name}={value}"));
            Ok(())
        };
        push("kind", Some(self.kind()))?;
        push("iri", Some(&self.iri()))?;
        push("uri", self.uri(py).map(|uri| uri.to_string()).as_deref())?;
        if let Some(place) = &self.place {
            push("part", Some(&place.part))?;
            push("field", place.field.as_deref())?;
            words.push(format!("line={}", place.line));
        }
        Ok(format!("Link({})", words.join(", ")))
    }

    fn __eq__(&self, other: &PyLink) -> bool {
        (self.start, self.end) == (other.start, other.end)
            && self.place == other.place
            && match (&self.content, &other.content) {
                (Content::Found(a), Content::Found(b)) if a == b => true,
                _ => self.properties() == other.properties(),
            }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.start, self.end, self.kind(), self.iri()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py, (State,)>> {
        let load = py.import("iriscan._iriscan")?.getattr("_load_link")?;
        let p = self.properties().into_owned();
        let place = self.place.as_ref().map(|place| (**place).clone()).map(|place| {
            let Message { number, id, subject, from, date } = (*place.message).clone();
            (place.part, place.field, place.line, place.around, (id, subject, from, date, number))
        });
        let state = (
            (self.start, self.end),
            (p.source, p.charset, p.kind, p.text, p.iri),
            (p.uri, p.error, p.open, p.scheme, p.host, p.warnings),
            place,
            (p.element, p.attribute, p.anchor, p.display, p.unwrapped, p.absolute),
        );
        Ok((load, (state,)))
    }
}

/// The link that was pickled with this state.
#[pyfunction]
pub(crate) fn _load_link(state: State) -> PyLink {
    let ((start, end), (source, charset, kind, text, iri), rest, place, markup) = state;
    let (uri, error, open, scheme, host, warnings) = rest;
    let (element, attribute, anchor, display, unwrapped, absolute) = markup;
    let properties = Properties {
        source,
        charset,
        kind,
        text,
        iri,
        uri,
        error,
        open,
        scheme,
        host,
        warnings,
        element,
        attribute,
        anchor,
        display,
        unwrapped,
        absolute,
    };
    let place = place.map(|(part, field, line, around, (id, subject, from, date, number))| {
        let message = Arc::new(Message { number, id, subject, from, date });
        Box::new(Place { part, field, line, around, message })
    });
    PyLink { start, end, content: Content::Loaded(Box::new(properties)), place }
}
