//! A link as Python sees it.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use iriscan::{
    Field, Position,
    mail::{Headers, MailLink},
};
use pyo3::{
    IntoPyObjectExt,
    prelude::*,
    types::{PyDict, PyString, PyTuple},
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
/// >>> link.asdict("kind", "domain")
/// {'kind': 'iri', 'domain': 'xn--r8jz45g.jp'}
///
/// In HTML and XML, `elements=True` says where it is:
///
/// >>> page = "<a href='http://a.example/x'>Read <b>all</b> of it</a>"
/// >>> link = iriscan.find(page, format="html", elements=True)[0]
/// >>> link.element, link.attribute, link.anchor
/// ('a', 'href', 'Read all of it')
#[pyclass(frozen, module = "iriscan", name = "Link")]
pub(crate) struct PyLink {
    start: Option<usize>,
    end: Option<usize>,
    content: Content,
}

enum Content {
    /// A link of the library, which computes its properties when they are asked for.
    Found { link: iriscan::Link, place: Option<Box<Place>> },
    /// The properties of a link that was pickled, by their names.
    Loaded(Py<PyDict>),
}

/// The properties that every link has.
const NAMES: &[&str] = &[
    "start",
    "end",
    "kind",
    "text",
    "iri",
    "uri",
    "error",
    "open",
    "absolute",
    "scheme",
    "host",
    "host_key",
    "domain",
    "display",
    "unwrapped",
    "charset",
    "warnings",
    // generated: names
    "element",
    "attribute",
    "anchor",
    // end of names
];

/// The properties that a link has beside `NAMES` if its position was asked for.
const POSITION: [&str; 6] =
    ["line", "column", "utf16_start", "utf16_end", "chars_start", "chars_end"];

/// The properties that a link of a message has beside `NAMES`.
const MAIL: [&str; 10] = [
    "part",
    "field",
    "line",
    "before",
    "after",
    "message",
    "message_id",
    "subject",
    "from_",
    "date",
];

/// The properties that a link of a container has beside `NAMES`, and a link of a web archive.
const MEMBER: [&str; 1] = ["member"];
const RECORD: [&str; 2] = ["record", "offset"];

/// Where a link is, beside its range.
enum Place {
    /// In decoded text: where it starts, and where it ends.
    Text(Position, Position),
    Mail(InMail),
    /// In a text of a file, and if that was asked for, where it starts and ends in the text.
    Within(Arc<Within>, Option<(Position, Position)>),
}

/// The text of a file that links are in.
pub(crate) enum Within {
    /// The member of a container with this path.
    Member(String),
    /// The record of a web archive with this address, which starts at byte `offset`.
    Record { record: String, offset: u64 },
}

/// Where a link is in a message.
struct InMail {
    part: String,
    field: Option<String>,
    line: u64,
    /// The text before and after it.
    around: Option<(String, String)>,
    message: Arc<Message>,
}

/// Which message it is: its number and fields of its header. All of its links have one.
#[derive(Default)]
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

/// Where a message is in an mbox.
#[derive(Clone, Copy)]
pub(crate) struct Begin {
    /// The first byte.
    pub(crate) at: u64,
    /// The first line, from 1.
    pub(crate) line: u64,
}

/// What a property returns.
type Value<'py> = PyResult<Bound<'py, PyAny>>;

impl PyLink {
    /// A link with its range in the offsets of the caller, and where it starts and ends in the text if
    /// that was asked for.
    pub(crate) fn new(
        link: iriscan::Link,
        range: std::ops::Range<usize>,
        place: Option<(Position, Position)>,
    ) -> PyLink {
        let place = place.map(|(start, end)| Box::new(Place::Text(start, end)));
        let (start, end) = (Some(range.start), Some(range.end));
        PyLink { start, end, content: Content::Found { link, place } }
    }

    /// A link of a text that is in a file, where it starts at byte `start`; `None`: it was decoded.
    pub(crate) fn within(
        link: iriscan::Link,
        at: Option<(Position, Position)>,
        within: &Arc<Within>,
        start: Option<u64>,
    ) -> PyLink {
        let range = link.range();
        let offset = |byte: usize| start.map(|start| start as usize + byte);
        let place = Some(Box::new(Place::Within(Arc::clone(within), at)));
        let (start, end) = (offset(range.start), offset(range.end));
        PyLink { start, end, content: Content::Found { link, place } }
    }

    /// A link of a message that begins at this place.
    pub(crate) fn of_mail(link: MailLink, begin: Begin, message: &Arc<Message>) -> PyLink {
        let span = link.span().map(|span| begin.at + span.start..begin.at + span.end);
        let around = link.before().zip(link.after());
        let place = InMail {
            part: link.part().to_owned(),
            field: link.header().map(ToOwned::to_owned),
            line: begin.line + link.line() - 1,
            around: around.map(|(before, after)| (before.to_owned(), after.to_owned())),
            message: Arc::clone(message),
        };
        let (link, place) = (link.into_link(), Some(Box::new(Place::Mail(place))));
        PyLink {
            start: span.as_ref().map(|span| span.start as usize),
            end: span.as_ref().map(|span| span.end as usize),
            content: Content::Found { link, place },
        }
    }

    /// The property `name`, which `of` makes of a link of the library.
    fn get<'a, 'py, T: IntoPyObject<'py>>(
        &'a self,
        py: Python<'py>,
        name: &str,
        of: impl FnOnce(&'a iriscan::Link) -> T,
    ) -> Value<'py> {
        match &self.content {
            Content::Found { link, .. } => of(link).into_bound_py_any(py),
            Content::Loaded(properties) => loaded(py, properties, name),
        }
    }

    /// The property `name`, which `of` makes of a link's position in decoded text.
    fn counted<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        of: impl FnOnce(&Position, &Position) -> u64,
    ) -> Value<'py> {
        match &self.content {
            Content::Found { place, .. } => match place.as_deref() {
                Some(Place::Text(start, end) | Place::Within(_, Some((start, end)))) => {
                    of(start, end).into_bound_py_any(py)
                }
                _ => Ok(py.None().into_bound(py)),
            },
            Content::Loaded(properties) => loaded(py, properties, name),
        }
    }

    /// The property `name`, which `of` makes of a link's place in a message.
    fn in_mail<'a, 'py, T: IntoPyObject<'py>>(
        &'a self,
        py: Python<'py>,
        name: &str,
        of: impl FnOnce(&'a InMail) -> T,
    ) -> Value<'py> {
        match &self.content {
            Content::Found { place, .. } => match place.as_deref() {
                Some(Place::Mail(place)) => of(place).into_bound_py_any(py),
                _ => Ok(py.None().into_bound(py)),
            },
            Content::Loaded(properties) => loaded(py, properties, name),
        }
    }

    /// The property `name`, which `of` makes of the text of a file that a link is in.
    fn in_file<'a, 'py, T: IntoPyObject<'py>>(
        &'a self,
        py: Python<'py>,
        name: &str,
        of: impl FnOnce(&'a Within) -> T,
    ) -> Value<'py> {
        match &self.content {
            Content::Found { place, .. } => match place.as_deref() {
                Some(Place::Within(within, _)) => of(within).into_bound_py_any(py),
                _ => Ok(py.None().into_bound(py)),
            },
            Content::Loaded(properties) => loaded(py, properties, name),
        }
    }

    /// The number of the message that the link is in; 1 outside of mail.
    pub(crate) fn number(&self) -> u64 {
        match &self.content {
            Content::Found { place, .. } => match place.as_deref() {
                Some(Place::Mail(place)) => place.message.number,
                _ => 1,
            },
            Content::Loaded(_) => 1,
        }
    }

    /// The names of the properties that say something about such a link.
    fn names(&self, py: Python<'_>) -> Vec<String> {
        let (more, rest): (&[&str], &[&str]) = match &self.content {
            Content::Found { place, .. } => match place.as_deref() {
                None => (&[], &[]),
                Some(Place::Text(..)) => (&POSITION, &[]),
                Some(Place::Mail(_)) => (&MAIL, &[]),
                Some(Place::Within(within, at)) => (
                    match **within {
                        Within::Member(_) => &MEMBER,
                        Within::Record { .. } => &RECORD,
                    },
                    if at.is_some() { &POSITION } else { &[] },
                ),
            },
            Content::Loaded(properties) => {
                let names = properties.bind(py).keys().iter();
                let names = names.filter_map(|name| name.extract().ok());
                return names.filter(|name: &String| name != "source").collect();
            }
        };
        NAMES.iter().chain(more).chain(rest).map(|name| (*name).to_owned()).collect()
    }

    /// All properties, for a pickle.
    fn state<'py>(slf: &Bound<'py, PyLink>) -> PyResult<Bound<'py, PyDict>> {
        let state = PyLink::asdict(slf, &PyTuple::empty(slf.py()))?;
        state.set_item("source", slf.getattr("source")?)?;
        Ok(state)
    }
}

/// A property of a link that was pickled; None if such a link has no such property.
fn loaded<'py>(py: Python<'py>, properties: &Py<PyDict>, name: &str) -> Value<'py> {
    Ok(properties.bind(py).get_item(name)?.unwrap_or_else(|| py.None().into_bound(py)))
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
    fn source<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "source", |link| link.source())
    }

    /// The charset in which the link was read, for example 'UTF-8' or 'Shift_JIS'.
    #[getter]
    fn charset<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "charset", |link| link.charset().name())
    }

    /// The kind of link: 'iri', 'bare' or 'email'.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "kind", |link| link.kind().as_str())
    }

    /// The characters of the link as they are in the input, without any unescaping.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "text", |link| link.text())
    }

    /// The reference: the text with the escapes of the format and line breaks undone.
    #[getter]
    fn iri<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "iri", |link| link.iri())
    }

    /// The URI form, without an added scheme; None if the link has none (`error` says why).
    #[getter]
    fn uri<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "uri", |link| link.uri().ok().map(|uri| uri.as_str().to_owned()))
    }

    /// Why the link has no URI form; None if it has one.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "error", |link| link.uri().err().map(|e| e.to_string()))
    }

    /// What to give to a browser or mailer: the URI, with 'https://' before a bare host and
    /// 'mailto:' before an address. None for a relative reference without a base and a link without a URI
    /// form.
    #[getter]
    fn open<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "open", |link| link.open().ok())
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
    fn absolute<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "absolute", |link| link.absolute().ok())
    }

    /// The scheme in lower case; None if the link has none.
    #[getter]
    fn scheme<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "scheme", |link| link.scheme())
    }

    /// The host as it is written, an IPv6 address with its brackets; None for a link without one.
    #[getter]
    fn host<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "host", |link| link.host())
    }

    /// The host in one form, to group and compare by: in lower case and ASCII, without escapes and without
    /// a dot at the end. None for a link without one.
    ///
    /// >>> import iriscan
    /// >>> text = "http://BÜCHER.example/ http://xn--bcher-kva.example./"
    /// >>> [link.host_key for link in iriscan.find(text)]
    /// ['xn--bcher-kva.example', 'xn--bcher-kva.example']
    #[getter]
    fn host_key<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "host_key", |link| link.host_key())
    }

    /// The registrable domain of the host, by the Public Suffix List, in the form of `host_key`. None for an
    /// address, a public suffix and a name of one label.
    ///
    /// >>> import iriscan
    /// >>> iriscan.find("http://www.bücher.co.uk/")[0].domain
    /// 'xn--bcher-kva.co.uk'
    #[getter]
    fn domain<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "domain", |link| link.domain())
    }

    /// The names of the warnings about the link, for example 'mixed-script'.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> Value<'py> {
        let names = |link: &iriscan::Link| {
            PyTuple::new(py, link.warnings().iter().map(|warning| warning.as_str()))
        };
        match &self.content {
            Content::Found { link, .. } => Ok(names(link)?.into_any()),
            Content::Loaded(properties) => loaded(py, properties, "warnings"),
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
    fn display<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "display", |link| link.display())
    }

    /// The URI of the link inside, if the link is the wrapper of a mail gateway, such as Safe Links;
    /// None if it is not.
    #[getter]
    fn unwrapped<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "unwrapped", |link| link.unwrapped())
    }

    // generated: getters
    /// In HTML and XML, if the option `elements` asks for it, the element that the link is in.
    #[getter]
    fn element<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "element", |link| link.as_match().get(Field::Element))
    }

    /// The attribute that the link is in; none in the text of an element.
    #[getter]
    fn attribute<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "attribute", |link| link.as_match().get(Field::Attribute))
    }

    /// The text of the element `a` or `area` that the link is the target of, white space folded, at most
    /// 200 characters.
    #[getter]
    fn anchor<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.get(py, "anchor", |link| link.as_match().get(Field::Anchor))
    }
    // end of getters

    /// The line on which the link starts, from 1: of the message or the mbox, or of the text with
    /// `positions=True`; else None.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> Value<'py> {
        match &self.content {
            Content::Found { place, .. } => match place.as_deref() {
                Some(Place::Text(start, _) | Place::Within(_, Some((start, _)))) => {
                    start.line.into_bound_py_any(py)
                }
                Some(Place::Mail(place)) => place.line.into_bound_py_any(py),
                Some(Place::Within(_, None)) | None => Ok(py.None().into_bound(py)),
            },
            Content::Loaded(properties) => loaded(py, properties, "line"),
        }
    }

    /// The column in which the link starts, in characters from 1, with `positions=True`; else None.
    ///
    /// >>> import iriscan
    /// >>> link = iriscan.find("𝒳\n𝒳 http://a.example/".encode(), positions=True)[0]
    /// >>> link.line, link.column, link.utf16_start, link.chars_start, link.start
    /// (2, 3, 6, 4, 10)
    #[getter]
    fn column<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.counted(py, "column", |start, _| start.column)
    }

    /// The UTF-16 units before the link, with `positions=True`; else None. Editors and JavaScript count so.
    #[getter]
    fn utf16_start<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.counted(py, "utf16_start", |start, _| start.utf16)
    }

    /// The UTF-16 units before the end of the link; see `utf16_start`.
    #[getter]
    fn utf16_end<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.counted(py, "utf16_end", |_, end| end.utf16)
    }

    /// The characters before the link, with `positions=True`; else None. A byte order mark does not count.
    #[getter]
    fn chars_start<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.counted(py, "chars_start", |start, _| start.chars)
    }

    /// The characters before the end of the link; see `chars_start`.
    #[getter]
    fn chars_end<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.counted(py, "chars_end", |_, end| end.chars)
    }

    /// The part of the message, numbered as in IMAP; None outside of mail.
    #[getter]
    fn part<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_mail(py, "part", |place| &place.part)
    }

    /// The name of the header field; None in a body and outside of mail.
    #[getter]
    fn field<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_mail(py, "field", |place| place.field.as_deref())
    }

    /// The text before the link in its part or field, of `find_mail` with `context`; else None.
    #[getter]
    fn before<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_mail(py, "before", |place| place.around.as_ref().map(|(before, _)| before))
    }

    /// The text after the link; see `before`.
    #[getter]
    fn after<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_mail(py, "after", |place| place.around.as_ref().map(|(_, after)| after))
    }

    /// The number of the message in its mbox, from 1; None outside of mail.
    #[getter]
    fn message<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_mail(py, "message", |place| place.message.number)
    }

    /// The identifier of the message, without the '<' and '>' around it; None outside of mail, and if
    /// the message has none. All of `message_id`, `subject`, `from_` and `date` are decoded.
    #[getter]
    fn message_id<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_mail(py, "message_id", |place| place.message.id.as_deref())
    }

    /// What the message is about; see `message_id`.
    #[getter]
    fn subject<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_mail(py, "subject", |place| place.message.subject.as_deref())
    }

    /// Who wrote the message, as its field From has it: names and addresses; see `message_id`.
    #[getter]
    fn from_<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_mail(py, "from_", |place| place.message.from.as_deref())
    }

    /// When the message was written, as its field Date has it; see `message_id`.
    #[getter]
    fn date<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_mail(py, "date", |place| place.message.date.as_deref())
    }

    /// The member of a zip container that the link is in, for `find_file` and `iter_file`: the path of the
    /// container, '!', and the name of the member, such as 'a.docx!word/document.xml'. None elsewhere.
    /// `start` and `end` count the bytes of the member.
    #[getter]
    fn member<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_file(py, "member", |within| match within {
            Within::Member(member) => Some(member),
            Within::Record { .. } => None,
        })
    }

    /// The address that the text of the link came from, in a web archive; None elsewhere. `start` and `end`
    /// count the bytes of the archive, decompressed, and are None if the text was decoded.
    #[getter]
    fn record<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_file(py, "record", |within| match within {
            Within::Record { record, .. } => Some(record),
            Within::Member(_) => None,
        })
    }

    /// The byte of a web archive, decompressed, that the record of the link starts at; None elsewhere.
    #[getter]
    fn offset<'py>(&self, py: Python<'py>) -> Value<'py> {
        self.in_file(py, "offset", |within| match within {
            Within::Record { offset, .. } => Some(*offset),
            Within::Member(_) => None,
        })
    }

    /// Returns the properties as a dict, by their names; with arguments, only those. All links of one search
    /// have the same names: those of mail and of positions are there if they say something. `source`
    /// is left out, so that the dict is fit for JSON and for data frames.
    ///
    /// >>> import iriscan, pandas
    /// >>> links = iriscan.find("http://a.example/ http://www.b.example/x")
    /// >>> pandas.DataFrame(link.asdict() for link in links)["domain"].to_list()
    /// ['a.example', 'b.example']
    /// >>> links[1].asdict("start", "host")
    /// {'start': 18, 'host': 'www.b.example'}
    #[pyo3(signature = (*names))]
    fn asdict<'py>(
        slf: &Bound<'py, PyLink>,
        names: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let properties = PyDict::new(slf.py());
        if names.is_empty() {
            for name in slf.get().names(slf.py()) {
                properties.set_item(&name, slf.getattr(&*name)?)?;
            }
        }
        for name in names {
            properties.set_item(&name, slf.getattr(name.extract::<Bound<'_, PyString>>()?)?)?;
        }
        Ok(properties)
    }

    /// Returns `asdict` as one line of JSON.
    ///
    /// >>> import iriscan
    /// >>> iriscan.find("http://例え.jp/")[0].to_json("iri", "warnings")
    /// '{"iri": "http://例え.jp/", "warnings": []}'
    #[pyo3(signature = (*names))]
    fn to_json<'py>(
        slf: &Bound<'py, PyLink>,
        names: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let options = PyDict::new(py);
        options.set_item("ensure_ascii", false)?;
        let properties = PyLink::asdict(slf, names)?;
        py.import("json")?.call_method("dumps", (properties,), Some(&options))
    }

    fn __repr__(slf: &Bound<'_, PyLink>) -> PyResult<String> {
        let names = ["start", "end", "kind", "iri", "uri", "part", "field", "line"];
        let in_mail = !slf.getattr("part")?.is_none();
        let shown = if in_mail { &names[..] } else { &names[..5] };
        let word = |name: &&str| Ok(format!("{name}={}", slf.getattr(*name)?.repr()?));
        let words = shown.iter().map(word).collect::<PyResult<Vec<String>>>()?;
        Ok(format!("Link({})", words.join(", ")))
    }

    fn __eq__(slf: &Bound<'_, PyLink>, other: &Bound<'_, PyLink>) -> PyResult<bool> {
        let (a, b) = (slf.get(), other.get());
        if (a.start, a.end) != (b.start, b.end) {
            return Ok(false);
        }
        match (&a.content, &b.content) {
            (Content::Found { link: a, place: None }, Content::Found { link: b, place: None })
                if a == b =>
            {
                Ok(true)
            }
            _ => PyLink::state(slf)?.eq(PyLink::state(other)?),
        }
    }

    fn __hash__(slf: &Bound<'_, PyLink>) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        let (start, end) = (slf.get().start, slf.get().end);
        let iri: String = slf.getattr("iri")?.extract()?;
        (start, end, iri).hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyLink>) -> PyResult<Pickled<'py, (Bound<'py, PyDict>,)>> {
        let load = slf.py().import("iriscan._iriscan")?.getattr("_load_link")?;
        Ok((load, (PyLink::state(slf)?,)))
    }
}

/// The link that was pickled with these properties.
#[pyfunction]
pub(crate) fn _load_link(state: &Bound<'_, PyDict>) -> PyResult<PyLink> {
    let number = |name: &str| match state.get_item(name)? {
        Some(number) => number.extract(),
        None => Ok(None),
    };
    let (start, end) = (number("start")?, number("end")?);
    Ok(PyLink { start, end, content: Content::Loaded(state.copy()?.unbind()) })
}
