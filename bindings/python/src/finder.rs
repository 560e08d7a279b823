//! `Finder`: the options, and what can be done with them.

use std::{
    cell::OnceCell,
    hash::{DefaultHasher, Hash, Hasher},
    ops::ControlFlow,
    path::PathBuf,
    sync::Arc,
};

use iriscan::{Config, Finder, Match, Rewrite, Rewriter, Sink, Template, mail};
use pyo3::{
    IntoPyObjectExt,
    exceptions::PyTypeError,
    intern,
    prelude::*,
    types::{PyCFunction, PyDict, PyString, PyType},
};

use crate::{
    arrow::{
        LinkField, USUAL, Unit, Wanted, Work,
        capsule::{self, ArrowArray, ArrowStream},
    },
    data::{self, Data, Offsets, run},
    errors,
    files::{FileLinks, FileRewriter, Source},
    link::{Begin, Message, PyLink},
    options,
    stream::{FindIter, PyRewriter, PyScanner},
};

/// Finds links in text and bytes, and rewrites them.
///
/// A finder never changes, so it can be shared by threads, compared, put into a dict and pickled.
/// Make one for each set of options and keep it. The options have the names and words of the
/// command line:
///
// generated: options
/// - kinds: the kinds of link: iri (with a scheme), bare (a host without one), email, ip (an IP
///   address without one)
/// - charset: the charset of the input; auto: it is detected
/// - force_charset: in mail, the charset also of parts that declare another one
/// - format ('text', 'html', 'xml', 'json', 'log', 'turtle', 'csv', 'tsv', 'markdown', 'asciidoc',
///   'css', 'ical', 'org', 'latex', 'rst', 'po', 'wikitext', 'defanged', 'bbcode', 'source', 'c',
///   'python', 'java', 'man', 'ipynb', 'jsonld'): the syntax around the text
/// - rules ('prose', 'uts58'): the rules for where a link starts and ends; uts58: Unicode Technical
///   Standard 58 to the letter
/// - schemes: the schemes that count: common, any, or a list; in attributes of markup any, unless it
///   is given
/// - to ('uri', 'iri'): what rewriting makes of links
/// - host ('punycode', 'percent', 'keep', 'unicode'): the form of a host that is not ASCII; to iri:
///   keep or unicode
/// - query ('document', 'utf-8'): the charset of a query that is not ASCII in a legacy document; if
///   it is not given, utf-8 in mail that is not HTML
/// - disallowed ('encode', 'keep', 'fail'): the ASCII that no URI has, such as ^ and {: encoded in
///   URIs; if it is not given, a rewritten document keeps it in links of ASCII
/// - nfc ('auto', 'always', 'never'): when text is normalised before it is encoded; auto: from a
///   legacy charset
/// - max_len: the longest link, in bytes of the source
/// - base: the URI that relative links are resolved against; a base in a document is resolved
///   against it
/// - fields: in JSON, only the strings in fields of these names
/// - delimiter: in CSV, the character between fields; found in the first records if it is not given
/// - ascii_only: a character that is not ASCII ends a link
/// - identifiers: identifiers of RDF and keys of PO are rewritten too
/// - code: in Markdown, links in code count
/// - comments: in HTML and XML, links in comments count, as in running text
/// - nested: when links are found, those in the queries of links too: ?u=http%3A%2F%2Fb.example%2F
/// - targets: in logs, the targets of requests are links: /dir/ in "GET /dir/ HTTP/1.1"
/// - elements: links of HTML and XML say where they are: element, attribute and anchor
/// - unwrap: what opens the wrapper of a mail gateway is the link inside
/// - template: what rewriting writes in the place of each link, with fields such as {host}
/// - defang: rewriting makes links harmless: hxxp[:]//host[.]example
/// - refang: rewriting makes links of links that were made harmless; needs the format defanged
/// - set: rewriting changes one part of each link: host=new.example, scheme=https, port=8080; port=
///   takes it away
/// - path_prefix: rewriting changes the start of paths: the old one and the new one, in pairs
/// - drop_query: rewriting leaves out parameters of queries whose names are like one of these: utm_*
/// - only_host: only links with a host like one of these: *.example.org, which does not match
///   example.org
/// - not_host: no links with a host like one of these
/// - hosts_from: only links with a host of this list, or below one: lines of a hosts file or of a
///   blocker
/// - not_hosts_from: no links with a host of this list, or below one
/// - match: only links whose IRI one of these regular expressions matches, in the syntax of ripgrep
/// - not_match: no links whose IRI one of these regular expressions matches
/// - contains_from: only links whose IRI contains one of these strings
/// - changed: only links that rewriting changes
/// - links_only: only links that a person can follow: in HTML and XML no images, scripts and style
///   sheets
// end of options
///
/// charset=None detects the charset of bytes; a str needs none. hosts_from and contains_from are a path, or an
/// iterable of lines; other lists are one str, or an iterable of str. A link must pass every option that chooses
/// among links; of several values of one option, one is enough. A link that is not chosen is text for all
/// methods. template, defang and refang change each link that counts, ASCII or not.
///
/// A value that does not exist raises ConfigError, an option that does not exist TypeError. Names of values
/// are read in any case, and so are the other names that people use for them: format='md', charset='latin1'.
/// A subclass whose own arguments are no options has a `__new__` that leaves them out.
///
/// >>> from iriscan import Finder
/// >>> hosts = Finder(kinds=("iri", "bare"))
/// >>> [link.open for link in hosts.find("www.example.org und http://bücher.example/")]
/// ['https://www.example.org', 'http://xn--bcher-kva.example/']
/// >>> Finder(host="puny")
/// Traceback (most recent call last):
/// iriscan.ConfigError: host: "puny" is not a form of a host; use one of punycode, percent, keep
#[pyclass(frozen, subclass, module = "iriscan", name = "Finder")]
pub(crate) struct PyFinder {
    finder: Finder,
    /// True if the caller named the format: then files are read in it, whatever their names are.
    names_format: bool,
}

#[pymethods]
impl PyFinder {
    #[new]
    #[pyo3(
        signature = (**options),
        // generated: signature
        text_signature = "(*, kinds='iri', charset=None, force_charset=False, format='text', rules='prose', schemes=None, to='uri', host='punycode', query=None, disallowed=None, nfc='auto', max_len=65536, base=None, fields=(), delimiter=None, ascii_only=False, identifiers=False, code=True, comments=False, nested=False, targets=False, elements=False, unwrap=False, template=None, defang=False, refang=False, set=(), path_prefix=(), drop_query=(), only_host=(), not_host=(), hosts_from=None, not_hosts_from=None, match=(), not_match=(), contains_from=None, changed=False, links_only=False)"
        // end of signature
    )]
    fn new(options: Option<&Bound<'_, PyDict>>) -> PyResult<PyFinder> {
        let format = options.and_then(|options| options.get_item("format").transpose());
        let names_format = format.transpose()?.is_some_and(|format| !format.is_none());
        Ok(PyFinder { finder: options::finder(options)?, names_format })
    }

    /// Takes what `__new__` has read already, so that the `__init__` of a subclass can call this one.
    #[pyo3(signature = (**_options))]
    fn __init__(&self, _options: Option<&Bound<'_, PyDict>>) {}

    /// Returns the links of `data` as a list, in order of their start.
    ///
    /// Of a str, `start` and `end` count characters; of bytes, bytearray, memoryview, mmap and
    /// other bytes-like objects they count bytes. A lone surrogate counts as U+FFFD. CPython keeps
    /// the UTF-8 of a string that is not ASCII as long as the string lives.
    ///
    /// >>> data = "見て http://例え.jp/道。"
    /// >>> link = Finder().find(data)[0]
    /// >>> data[link.start:link.end], link.uri
    /// ('http://例え.jp/道', 'http://xn--r8jz45g.jp/%E9%81%93')
    /// >>> Finder(charset="shift_jis").find(data.encode("shift_jis"))[0].iri
    /// 'http://例え.jp/道'
    ///
    /// With `positions=True` links have `line`, `column`, `utf16_start`, `utf16_end`, `chars_start` and
    /// `chars_end`.
    #[pyo3(signature = (data, *, positions=false))]
    fn find(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        positions: bool,
    ) -> PyResult<Vec<PyLink>> {
        let data = Data::of(data)?;
        if positions {
            let mut links = FindIter::new(py, &self.finder, data, true)?;
            return std::iter::from_fn(|| links.__next__(py).transpose()).collect();
        }
        let bytes = data.bytes(py);
        let input = data.input(bytes);
        let mut offsets = Offsets::of(&data, py)?;
        Ok(run(py, bytes.len(), || {
            let links = self.finder.find_iter(input);
            links.map(|link| owned(&link, bytes, &mut offsets)).collect()
        }))
    }

    /// Returns an iterator over the links of `data`. It reads on only when the next link is
    /// asked for. `positions` is that of `find`.
    ///
    /// >>> next(Finder().find_iter("http://a.example/ http://b.example/")).text
    /// 'http://a.example/'
    #[pyo3(signature = (data, *, positions=false))]
    fn find_iter(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        positions: bool,
    ) -> PyResult<FindIter> {
        FindIter::new(py, &self.finder, Data::of(data)?, positions)
    }

    /// Returns why each link of `data` begins and ends where it does, and why texts that only look like links
    /// are none: a list of dicts, in the order of the text. Only text and references of the format are explained.
    ///
    /// Each has link (a bool), start, end, text and kind. A link has began and ended, any other text refused:
    /// dicts with rule and what, the name of a rule and a sentence. ended and refused have at and character
    /// too, the character that decided; ended has without, the link if that character were a letter; refused
    /// has options and texts, which would make it a link. Offsets are those of `find`.
    ///
    /// >>> why, = Finder().explain("http://a.example/b。次")
    /// >>> why["ended"]["rule"], why["ended"]["without"]
    /// ('east-asian-punctuation', 'http://a.example/b。次')
    fn explain<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let data = Data::of(data)?;
        let bytes = data.bytes(py);
        let input = data.input(bytes);
        let characters = data.is_text() && !data.is_ascii_text(py)?;
        let all = run(py, bytes.len(), || {
            let offset = |byte: u64| Offsets::new(characters).at(bytes, byte as usize) as u64;
            let json = self.finder.explain(input).into_iter().map(|it| it.to_json_with(offset));
            json.collect::<Vec<_>>()
        });
        let json = py.import("json")?;
        all.into_iter().map(|text| json.call_method1("loads", (text,))).collect()
    }

    /// Returns the link at `offset`, or None: the same link as `find` returns there.
    /// In plain text only the text near the offset is read. The offset counts characters of a str
    /// and bytes of everything else; a negative one raises ValueError.
    ///
    /// >>> Finder().find_at("siehe https://de.example/Straße, danke", 30).text
    /// 'https://de.example/Straße'
    fn find_at(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        offset: &Bound<'_, PyAny>,
    ) -> PyResult<Option<PyLink>> {
        let data = Data::of(data)?;
        let offset = data::offset(offset)?;
        let bytes = data.bytes(py);
        let input = data.input(bytes);
        let mut offsets = Offsets::of(&data, py)?;
        Ok(run(py, bytes.len(), || {
            let link = self.finder.find_at(input, offsets.byte(bytes, offset))?;
            Some(owned(&link, bytes, &mut offsets))
        }))
    }

    /// Returns True if `data` has a link. It stops at the first one.
    ///
    /// >>> Finder().has_link("see http://a.example/"), Finder().has_link(b"see a.example")
    /// (True, False)
    fn has_link(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<bool> {
        let data = Data::of(data)?;
        let bytes = data.bytes(py);
        let input = data.input(bytes);
        Ok(run(py, bytes.len(), || self.finder.has_link(input)))
    }

    /// Returns `data` with each link that is not ASCII replaced by its URI form, or as the options
    /// `to`, `template` and `defang` say. Everything else stays as it is. The result has the type of `data`, and is the same object if nothing
    /// changes; bytes-like objects other than bytes, bytearray and memoryview give bytes.
    ///
    /// >>> Finder().rewrite("siehe http://bücher.example/ü, bitte")
    /// 'siehe http://xn--bcher-kva.example/%C3%BC, bitte'
    /// >>> Finder(format="html").rewrite("<a href='/é?a&amp;b'>".encode())
    /// b"<a href='/%C3%A9?a&amp;b'>"
    /// >>> Finder(template="<{host}>").rewrite("see http://a.example/x")
    /// 'see <a.example>'
    fn rewrite(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let data = Data::of(data)?;
        let bytes = data.bytes(py);
        if data.has_surrogates() {
            return self.rewrite_surrogates(py, &data);
        }
        let input = data.input(bytes);
        let (written, done) = run(py, bytes.len(), || self.finder.rewrite_slice(input));
        if done.changed == 0 { Ok(data.same(py)) } else { data.like(py, &written) }
    }

    /// Returns `data` with each link replaced by a template, or by what a function returns for it:
    /// `re.sub` for links. The function is called with each link in turn. It returns the new text,
    /// or None to keep the link.
    ///
    /// A template is a str with the fields {uri}, {iri}, {open}, {absolute}, {text}, {display}, {host}, {scheme},
    /// {kind}, {path}, {query}, {fragment} and {n}, the number of the link from 1; {{ and }} are braces. A
    /// link that lacks {uri}, {open} or {absolute}, if the template has it, is kept; any other field that it
    /// lacks is empty. A template that is wrong raises ConfigError.
    ///
    /// The new text is written in the charset of the document, and escaped as its format needs it.
    /// A character that the charset lacks is written with the escape of the format, or as '?' if
    /// the format has none. A lone surrogate is written as U+FFFD. The types are those of `rewrite`.
    ///
    /// >>> Finder().replace("see http://a.example/x now", lambda link: f"[{link.host}]")
    /// 'see [a.example] now'
    /// >>> Finder(format="html").replace("<p>http://a.example/", lambda link: "<removed>")
    /// '<p>&lt;removed&gt;'
    /// >>> Finder().replace("see http://a.example/x now", "[{n}: {host}]")
    /// 'see [1: a.example] now'
    fn replace(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        function: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        if let Ok(template) = function.cast::<PyString>() {
            let template = Template::new(&data::text(template));
            return self.replace_by(
                py,
                data,
                &template.map_err(|e| errors::option("template", e))?,
            );
        }
        let data = Data::of(data)?;
        let bytes = data.bytes(py);
        let mut offsets = Offsets::of(&data, py)?;
        let mut failure = None;
        let mut restorer = Restorer::new(&data);
        let mut call = |link: &Match<'_>| -> PyResult<Option<String>> {
            let link = owned(link, bytes, &mut offsets);
            let text = function.call1((link,))?;
            if text.is_none() {
                return Ok(None);
            }
            match text.cast::<PyString>() {
                Ok(text) => Ok(Some(data::text(text).into_owned())),
                Err(_) => Err(PyTypeError::new_err(format!(
                    "the function returned {}; return str, or None to keep the link",
                    text.get_type().name()?
                ))),
            }
        };
        let written = self.finder.replace_all(data.input(bytes), |link, out| {
            if failure.is_some() {
                return out.keep();
            }
            match call(link) {
                Ok(Some(text)) => {
                    restorer.replace(link.range(), &text);
                    out.push_str(&text);
                }
                Ok(None) => out.keep(),
                Err(e) => {
                    failure = Some(e);
                    out.keep();
                }
            }
        });
        if let Some(e) = failure {
            return Err(e);
        }
        match written {
            std::borrow::Cow::Borrowed(_) => Ok(data.same(py)),
            std::borrow::Cow::Owned(written) => data.like(py, &restorer.restored(written)),
        }
    }

    /// Returns the links of each row of a column of text, as a column of lists of structs with the
    /// fields start, end, kind, iri, uri, host, scheme and warnings, or with those that `fields` names, which
    /// takes less time the fewer they are.
    ///
    /// The column has the Arrow PyCapsule interface, as the columns of pyarrow, Polars, pandas and
    /// arro3 have, and so has the result. Text is not copied, the interpreter lock is released, and
    /// a null stays null. The types are string, large_string, string_view (all UTF-8, whatever the
    /// finder's charset is) and binary, large_binary, binary_view (in the finder's charset, or
    /// detected row by row), dictionaries of these, such as categories, and columns of nulls only; other types
    /// raise TypeError. The result is an ArrowArray with the chunks of the column. Columns with 64-bit
    /// offsets give large_list and large_string.
    ///
    // generated: fields
    /// `extra` names more fields: text, open, absolute, display, host_key, domain, charset, element,
    /// attribute, anchor.
    // end of fields
    /// `fields` may name them too.
    ///
    /// `start` and `end` count bytes, or with offsets='chars' the characters of a column of strings.
    /// The metadata `iriscan.offsets` of these fields says which.
    ///
    /// >>> import pyarrow
    /// >>> column = pyarrow.array(["見て http://例え.jp/道。", None, "none"])
    /// >>> links = pyarrow.array(Finder().find_array(column, offsets="chars"))
    /// >>> [[link["uri"] for link in row or ()] for row in links.to_pylist()]
    /// [['http://xn--r8jz45g.jp/%E9%81%93'], [], []]
    /// >>> links[0][0]["start"].as_py(), links[1].as_py(), links[2].as_py()
    /// (3, None, [])
    /// >>> Finder().find_array(column, fields=["domain"]).to_pylist()
    /// [[{'domain': 'xn--r8jz45g.jp'}], None, []]
    #[pyo3(
        signature = (column, offsets="bytes", *, fields=None, extra=vec![]),
        text_signature = "($self, column, offsets='bytes', *, fields=None, extra=())"
    )]
    fn find_array(
        &self,
        column: &Bound<'_, PyAny>,
        offsets: &str,
        fields: Option<Vec<String>>,
        extra: Vec<String>,
    ) -> PyResult<ArrowArray> {
        capsule::whole(column, self.links(offsets, fields, extra)?)
    }

    /// Returns the links of a column of text as a table with a row for each link: `row`, the number of its
    /// text from 0, and the fields of `find_array`, which says what columns are accepted.
    ///
    /// >>> import polars
    /// >>> texts = polars.Series(["http://a.example/ www.b.example", None, "http://b.example/"])
    /// >>> table = polars.DataFrame(Finder(kinds="iri,bare").find_table(texts, extra=["domain"]))
    /// >>> table.select("row", "kind", "domain").rows()
    /// [(0, 'iri', 'a.example'), (0, 'bare', 'b.example'), (2, 'iri', 'b.example')]
    #[pyo3(
        signature = (column, offsets="bytes", *, fields=None, extra=vec![]),
        text_signature = "($self, column, offsets='bytes', *, fields=None, extra=())"
    )]
    fn find_table(
        &self,
        column: &Bound<'_, PyAny>,
        offsets: &str,
        fields: Option<Vec<String>>,
        extra: Vec<String>,
    ) -> PyResult<ArrowArray> {
        capsule::table(column, self.links(offsets, fields, extra)?)
    }

    /// Returns the links of a column in chunks, as `find_array` does, but chunk after chunk while
    /// the result is read. So memory does not grow with the column. The result can be read once.
    ///
    /// The reader has `__arrow_c_stream__`. It gives chunks of a column, or record batches with one
    /// column of text; then the result gives record batches with the column 'links'.
    ///
    /// >>> import pyarrow
    /// >>> table = pyarrow.table({"text": ["see http://a.example/", "none"]})
    /// >>> links = Finder().find_stream(table.to_reader(max_chunksize=1))
    /// >>> [len(batch["links"][0]) for batch in pyarrow.RecordBatchReader.from_stream(links)]
    /// [1, 0]
    #[pyo3(
        signature = (reader, offsets="bytes", *, fields=None, extra=vec![]),
        text_signature = "($self, reader, offsets='bytes', *, fields=None, extra=())"
    )]
    fn find_stream(
        &self,
        reader: &Bound<'_, PyAny>,
        offsets: &str,
        fields: Option<Vec<String>>,
        extra: Vec<String>,
    ) -> PyResult<ArrowStream> {
        capsule::lazy(reader, self.links(offsets, fields, extra)?)
    }

    /// Returns a column of text with each link that is not ASCII replaced by its URI form. The type
    /// and the nulls are those of the column, but a dictionary becomes the text that it stands for; what
    /// columns are accepted, `find_array` says. A chunk
    /// in which nothing changes is returned without a copy.
    ///
    /// >>> import pyarrow
    /// >>> column = pyarrow.array(["siehe http://bücher.example/ü, bitte", None])
    /// >>> pyarrow.array(Finder().rewrite_array(column)).to_pylist()
    /// ['siehe http://xn--bcher-kva.example/%C3%BC, bitte', None]
    fn rewrite_array(&self, column: &Bound<'_, PyAny>) -> PyResult<ArrowArray> {
        capsule::whole(column, Work::Rewrite(self.finder.clone()))
    }

    /// Returns the URIs of the links of each row of a column of text, as a column of lists of strings: the
    /// `str.extract_all` of Polars for links. `field` names another field to take than uri. A link without it
    /// is left out. What columns are accepted, `find_array` says.
    ///
    /// >>> import pyarrow
    /// >>> column = pyarrow.array(["http://bücher.example/ www.a.example", None, "none"])
    /// >>> Finder(kinds="iri,bare").uris_array(column).to_pylist()
    /// [['http://xn--bcher-kva.example/', 'www.a.example'], None, []]
    /// >>> Finder(kinds="iri,bare").uris_array(column, field="domain").to_pylist()
    /// [['xn--bcher-kva.example', 'a.example'], None, []]
    #[pyo3(signature = (column, *, field="uri"))]
    fn uris_array(&self, column: &Bound<'_, PyAny>, field: &str) -> PyResult<ArrowArray> {
        capsule::whole(column, self.work(Wanted::Texts(text_field(field)?)))
    }

    /// Returns the URI of the first link of each row of a column of text, as a column of strings; null if
    /// there is none. `field` and the columns are those of `uris_array`.
    ///
    /// >>> import pyarrow
    /// >>> column = pyarrow.array(["http://bücher.example/ http://a.example", None, "none"])
    /// >>> Finder().first_array(column).to_pylist()
    /// ['http://xn--bcher-kva.example/', None, None]
    #[pyo3(signature = (column, *, field="uri"))]
    fn first_array(&self, column: &Bound<'_, PyAny>, field: &str) -> PyResult<ArrowArray> {
        capsule::whole(column, self.work(Wanted::First(text_field(field)?)))
    }

    /// Returns the number of links of each row of a column of text, as a column of 64-bit integers; a null
    /// stays null. What columns are accepted, `find_array` says.
    ///
    /// >>> import pyarrow
    /// >>> Finder().count_array(pyarrow.array(["http://a.example/", None, "none"])).to_pylist()
    /// [1, None, 0]
    fn count_array(&self, column: &Bound<'_, PyAny>) -> PyResult<ArrowArray> {
        capsule::whole(column, self.work(Wanted::Count))
    }

    /// Returns whether each row of a column of text has a link, as a column of booleans to filter by; a
    /// null stays null. What columns are accepted, `find_array` says.
    ///
    /// >>> import pyarrow
    /// >>> column = pyarrow.array(["http://a.example/", None, "none"])
    /// >>> column.filter(pyarrow.array(Finder().has_link_array(column))).to_pylist()
    /// ['http://a.example/']
    fn has_link_array(&self, column: &Bound<'_, PyAny>) -> PyResult<ArrowArray> {
        capsule::whole(column, self.work(Wanted::Any))
    }

    /// Returns a column of text with each link replaced by a template, whose fields `replace` lists; {n} counts
    /// from 1 in each row. The rest is that of `rewrite_array`.
    ///
    /// >>> import pyarrow
    /// >>> column = pyarrow.array(["see http://a.example/x now", None])
    /// >>> Finder().replace_array(column, "[{host}]").to_pylist()
    /// ['see [a.example] now', None]
    fn replace_array(
        &self,
        column: &Bound<'_, PyAny>,
        template: &Bound<'_, PyString>,
    ) -> PyResult<ArrowArray> {
        let template = Template::new(&data::text(template));
        let template = template.map_err(|e| errors::option("template", e))?;
        let finder = self.finder.config().rewrite(template).build();
        let finder = finder.map_err(|e| errors::ConfigError::new_err(e.to_string()))?;
        capsule::whole(column, Work::Rewrite(finder))
    }

    /// Returns a scanner for one stream of bytes, which comes in chunks. With `texts=False` it gives
    /// links only; `positions` is that of `find`.
    ///
    /// >>> scanner = Finder().scanner()
    /// >>> events = scanner.push("see http://a.exam".encode()) + scanner.push("ple/é ok".encode())
    /// >>> [event.source.decode() for event in events + scanner.finish()]
    /// ['see ', 'http://a.example/é', ' ok']
    #[pyo3(signature = (*, texts=true, positions=false))]
    fn scanner(&self, texts: bool, positions: bool) -> PyScanner {
        PyScanner::new(&self.finder, texts, positions)
    }

    /// Returns a rewriter for one stream of bytes, which comes in chunks.
    ///
    /// >>> rewriter = Finder().rewriter()
    /// >>> rewriter.push("http://bücher.exam".encode()) + rewriter.push(b"ple/ ok") + rewriter.finish()
    /// b'http://xn--bcher-kva.example/ ok'
    fn rewriter(&self) -> PyRewriter {
        PyRewriter::new(&self.finder)
    }

    /// The links of a file, a step at a time, for `find_file` and `iter_file`.
    #[pyo3(signature = (name, reader, seekable, decompress, positions))]
    fn _find_in_file(
        &self,
        py: Python<'_>,
        name: Option<PathBuf>,
        reader: Option<Py<PyAny>>,
        seekable: Option<Py<PyAny>>,
        decompress: bool,
        positions: bool,
    ) -> PyResult<FileLinks> {
        let source = self.source(name, reader, seekable, decompress);
        FileLinks::open(py, &self.finder, source, positions)
    }

    /// The rewriting of a file, a step at a time, for `rewrite_file`.
    #[pyo3(signature = (name, reader, seekable, decompress, in_place))]
    fn _rewrite_file(
        &self,
        py: Python<'_>,
        name: Option<PathBuf>,
        reader: Option<Py<PyAny>>,
        seekable: Option<Py<PyAny>>,
        decompress: bool,
        in_place: bool,
    ) -> PyResult<FileRewriter> {
        let source = self.source(name, reader, seekable, decompress);
        FileRewriter::open(py, &self.finder, source, in_place)
    }

    /// Returns the links of a message as a list, with `part`, `field` and `line`. The message is
    /// bytes as they come from a server or a file; transfer encodings and charsets are undone.
    /// `start` and `end` count bytes of the message, and are None if the bytes of the link are not
    /// in it, as in base64.
    ///
    /// >>> message = b"Subject: x\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.example/=C3=A9\n"
    /// >>> link = Finder().find_mail(message)[0]
    /// >>> link.iri, link.part, link.field, link.line
    /// ('http://a.example/é', '1', None, 4)
    ///
    /// `message_id`, `subject`, `from_` and `date` say which message it is.
    ///
    /// >>> message = b"From: Jo <jo@a.example>\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n\nhttp://a.example/"
    /// >>> link = Finder().find_mail(message)[0]
    /// >>> link.subject, link.from_, link.date
    /// ('Grüße', 'Jo <jo@a.example>', None)
    ///
    /// Of an mbox, all messages are searched; `message` is the number of the message, from 1, and
    /// `start`, `end` and `line` count in the mbox.
    ///
    /// With `context`, links have so many characters of the text around in `before` and `after`.
    ///
    /// >>> link = Finder().find_mail(b"\nsee http://a.example/, please", context=5)[0]
    /// >>> link.before, link.after
    /// ('see ', ', ple')
    #[pyo3(signature = (message, *, context=None))]
    fn find_mail(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        context: Option<usize>,
    ) -> PyResult<Vec<PyLink>> {
        let data = Data::bytes_of(message, "bytes or another bytes-like object")?;
        let bytes = data.bytes(py);
        Ok(run(py, bytes.len(), || self.links_of_mail(bytes, context)))
    }

    /// Returns the links of the messages of an mbox, each with the number of its message, from 1: a
    /// list of pairs. A message without links has none, and nothing in an mbox is an error. The links
    /// are those of `find_mail`, whose `message` is the number too.
    ///
    /// >>> mbox = b"From a Sat Jan  3 01:05:34 1996\n\nhttp://a.example/\n\n"
    /// >>> mbox += b"From b Sat Jan  3 01:05:35 1996\n\nhttp://b.example/\n"
    /// >>> [(number, link.host, link.line) for number, link in Finder().find_mbox(mbox)]
    /// [(1, 'a.example', 3), (2, 'b.example', 7)]
    #[pyo3(signature = (mbox, *, context=None))]
    fn find_mbox(
        &self,
        py: Python<'_>,
        mbox: &Bound<'_, PyAny>,
        context: Option<usize>,
    ) -> PyResult<Vec<(u64, PyLink)>> {
        let data = Data::bytes_of(mbox, "bytes or another bytes-like object")?;
        let bytes = data.bytes(py);
        let links = run(py, bytes.len(), || self.links_of_mail(bytes, context));
        Ok(links.into_iter().map(|link| (link.number(), link)).collect())
    }

    /// Returns a message with each link that is not ASCII replaced by its URI form, in its charset
    /// and transfer encoding. A signed message stays as it is, unless `even_signed` is true. Of an
    /// mbox, each message is rewritten. The types are those of `rewrite`.
    ///
    /// >>> Finder().rewrite_mail("Subject: x\n\nhttp://a.example/é\n".encode())
    /// b'Subject: x\n\nhttp://a.example/%C3%A9\n'
    #[pyo3(signature = (message, *, even_signed=false))]
    fn rewrite_mail(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        even_signed: bool,
    ) -> PyResult<Py<PyAny>> {
        let data = Data::bytes_of(message, "bytes or another bytes-like object")?;
        let bytes = data.bytes(py);
        let (written, _) = run(py, bytes.len(), || self.rewritten_mail(bytes, even_signed));
        match written {
            Some(written) => data.like(py, &written),
            None => Ok(data.same(py)),
        }
    }

    /// Returns an mbox with each message rewritten as `rewrite_mail` does, and the numbers of the
    /// messages that changed, from 1: a tuple of both.
    ///
    /// >>> mbox = b"From a Sat Jan  3 01:05:34 1996\n\nhttp://a.example/\n\n"
    /// >>> mbox += "From b Sat Jan  3 01:05:35 1996\n\nhttp://b.example/é\n".encode()
    /// >>> written, changed = Finder().rewrite_mbox(mbox)
    /// >>> written.endswith(b"\nhttp://b.example/%C3%A9\n"), changed
    /// (True, [2])
    #[pyo3(signature = (mbox, *, even_signed=false))]
    fn rewrite_mbox(
        &self,
        py: Python<'_>,
        mbox: &Bound<'_, PyAny>,
        even_signed: bool,
    ) -> PyResult<(Py<PyAny>, Vec<u64>)> {
        let data = Data::bytes_of(mbox, "bytes or another bytes-like object")?;
        let bytes = data.bytes(py);
        let (written, changed) = run(py, bytes.len(), || self.rewritten_mail(bytes, even_signed));
        Ok(match written {
            Some(written) => (data.like(py, &written)?, changed),
            None => (data.same(py), changed),
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        options::described(py, &self.finder.config(), self.names_format)
    }

    fn __eq__(&self, other: &PyFinder) -> bool {
        self.finder.config() == other.finder.config() && self.names_format == other.names_format
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        self.__repr__(py)?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __reduce__<'py>(this: &Bound<'py, PyFinder>) -> PyResult<Bound<'py, PyAny>> {
        let (py, finder) = (this.py(), this.get());
        let load = py.import("iriscan._iriscan")?.getattr("_load_finder")?;
        let options = options::all(py, &finder.finder.config())?;
        if !finder.names_format {
            options.del_item("format")?;
        }
        if this.get_type().is(py.get_type::<PyFinder>()) {
            return (load, (options,)).into_bound_py_any(py);
        }
        // What a subclass has beside the options is in its dictionary.
        let state = this.getattr_opt(intern!(py, "__dict__"))?;
        (load, (options, this.get_type()), state).into_bound_py_any(py)
    }
}

impl PyFinder {
    /// A file to be opened.
    fn source(
        &self,
        name: Option<PathBuf>,
        reader: Option<Py<PyAny>>,
        seekable: Option<Py<PyAny>>,
        decompress: bool,
    ) -> Source {
        let format = self.names_format.then(|| self.finder.config().get_format());
        Source { name, reader, seekable, format, decompress }
    }

    /// The search of a column, with the words for its options.
    fn links(
        &self,
        offsets: &str,
        fields: Option<Vec<String>>,
        extra: Vec<String>,
    ) -> PyResult<Work> {
        let mut all = match fields {
            Some(names) => named("fields", &names, LinkField::all())?,
            None => USUAL.to_vec(),
        };
        all.extend(named("extra", &extra, LinkField::all().skip(USUAL.len()))?);
        if let Some(twice) = (1..all.len()).find(|i| all[..*i].contains(&all[*i])) {
            let why = format!("\"{}\" is there already; name it once", all[twice].name());
            return Err(errors::option("fields", why));
        }
        Ok(self.work(Wanted::Links(unit(offsets)?, all)))
    }

    /// The work that gives `wanted` for a column.
    fn work(&self, wanted: Wanted) -> Work {
        Work::Find(self.finder.clone(), wanted)
    }

    /// The links of a message, or of each message of an mbox.
    fn links_of_mail(&self, bytes: &[u8], context: Option<usize>) -> Vec<PyLink> {
        let mut links = Vec::new();
        each_message(bytes, |message, begin, number| {
            // Only a message with links needs them.
            let headers = OnceCell::new();
            let each = |link| {
                let of = || Arc::new(Message::of(&mail::headers(message), number));
                links.push(PyLink::of_mail(link, begin, headers.get_or_init(of)));
            };
            match context {
                Some(chars) => mail::find_in_context(&self.finder, message, chars, each),
                None => mail::find_each(&self.finder, message, each),
            }
        });
        links
    }

    /// The bytes of a message or an mbox, rewritten, and the numbers of the messages that changed.
    /// `None` if none did.
    fn rewritten_mail(&self, bytes: &[u8], even_signed: bool) -> (Option<Vec<u8>>, Vec<u64>) {
        let options = mail::Options::new().even_signed(even_signed);
        let (mut out, mut end, mut links) = (Vec::new(), 0, 0);
        let mut changed = Vec::new();
        each_message(bytes, |message, begin, number| {
            // Links that stay are not asked for, so that none are kept.
            let options = options.first(links + 1);
            let (written, done) = mail::rewrite_each(&self.finder, message, &options, drop);
            links += done.links;
            if *written != *message {
                let at = begin.at as usize;
                out.extend_from_slice(&bytes[end..at]);
                out.extend_from_slice(&written);
                end = at + message.len();
                changed.push(number);
            }
        });
        out.extend_from_slice(bytes.get(end..).filter(|_| !changed.is_empty()).unwrap_or_default());
        (Some(out).filter(|_| !changed.is_empty()), changed)
    }

    /// Replaces each link by the text of a template.
    fn replace_by(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        template: &Template,
    ) -> PyResult<Py<PyAny>> {
        let data = Data::of(data)?;
        let bytes = data.bytes(py);
        let mut restorer = Restorer::new(&data);
        let input = data.input(bytes);
        let written = run(py, bytes.len(), || {
            let mut n = 0;
            self.finder.replace_all(input, |link, out| {
                n += 1;
                let mut text = String::new();
                if !matches!(template.write(link, n, &mut text), Ok(true)) {
                    return out.keep();
                }
                restorer.replace(link.range(), &text);
                out.push_str(&text);
            })
        });
        match written {
            std::borrow::Cow::Borrowed(_) => Ok(data.same(py)),
            std::borrow::Cow::Owned(written) => data.like(py, &restorer.restored(written)),
        }
    }

    /// Rewrites a string with lone surrogates, and keeps them.
    ///
    /// A link with such a surrogate stays, because no URI has it. A template or defanging replaces
    /// the link all the same, as `replace` does.
    fn rewrite_surrogates(&self, py: Python<'_>, data: &Data) -> PyResult<Py<PyAny>> {
        let bytes = data.bytes(py);
        let finder = data.finder(&self.finder);
        let config = finder.config();
        let mut tracker = Tracker {
            rewriter: Rewriter::new(Vec::new(), &finder),
            restorer: Restorer::new(data),
            data,
            keeps: !matches!(config.get_rewrite(), Rewrite::Template(_)),
        };
        let mut scanner = finder.scanner();
        let done = scanner.push(bytes, &mut tracker).and_then(|()| scanner.finish(&mut tracker));
        done?;
        if tracker.rewriter.changed() == 0 {
            return Ok(data.same(py));
        }
        let (written, _) = tracker.rewriter.into_inner();
        data.like(py, &tracker.restorer.restored(written))
    }
}

/// Gives the class a property for each option.
pub(crate) fn add_properties(class: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = class.py();
    let property = py.import("builtins")?.getattr("property")?;
    for option in Config::options() {
        let get = PyCFunction::new_closure(py, None, None, move |args, _| {
            let finder: PyRef<'_, PyFinder> = args.get_item(0)?.extract()?;
            options::value_of(args.py(), &finder.finder.config(), option).map(Bound::unbind)
        })?;
        let about = format!("{}.", option.about());
        let made = property.call1((get, py.None(), py.None(), about))?;
        class.setattr(option.name(), made)?;
    }
    Ok(())
}

/// The finder that was pickled with these options, of a subclass if there is one.
#[pyfunction]
#[pyo3(signature = (options, class_=None))]
pub(crate) fn _load_finder<'py>(
    options: &Bound<'py, PyDict>,
    class_: Option<Bound<'py, PyType>>,
) -> PyResult<Bound<'py, PyAny>> {
    let base = options.py().get_type::<PyFinder>();
    // `__init__` of a subclass may want other arguments; its attributes are set from the pickle.
    let class = class_.unwrap_or_else(|| base.clone());
    base.call_method("__new__", (class,), Some(options))
}

/// Calls `each` with each message of an mbox, where it begins and its number, from 1. What does not
/// begin as an mbox does is one message.
fn each_message(bytes: &[u8], mut each: impl FnMut(&[u8], Begin, u64)) {
    let start = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut begin = Begin { at: 0, line: 1 };
    if !start.starts_with(b"From ") {
        return each(bytes, begin, 1);
    }
    let pieces = mail::Messages::new(bytes, bytes.len());
    // Reading from memory cannot fail.
    for (number, piece) in (1..).zip(pieces.map_while(Result::ok)) {
        let message = piece.bytes();
        each(message, begin, number);
        begin.at += message.len() as u64;
        begin.line += message.iter().filter(|byte| **byte == b'\n').count() as u64;
    }
}

/// The fields of `known` with these names, which the caller gave for `option`.
fn named(
    option: &str,
    names: &[String],
    known: impl Iterator<Item = LinkField>,
) -> PyResult<Vec<LinkField>> {
    let known: Vec<LinkField> = known.collect();
    let field = |name: &String| {
        known.iter().copied().find(|field| field.name() == name).ok_or_else(|| {
            let words: Vec<&str> = known.iter().map(|field| field.name()).collect();
            errors::option(option, format!("\"{name}\" is no field; use {}", words.join(", ")))
        })
    };
    names.iter().map(field).collect()
}

/// The field of this name, if its values are texts.
fn text_field(name: &str) -> PyResult<LinkField> {
    let texts = LinkField::all().filter(|field| field.is_text());
    Ok(named("field", &[name.to_owned()], texts)?[0])
}

/// What the word for the option `offsets` means.
fn unit(word: &str) -> PyResult<Unit> {
    let why = || errors::option("offsets", format!("\"{word}\" is no unit; use bytes or chars"));
    Unit::from_word(word).ok_or_else(why)
}

/// A copy of the link, with its range in the offsets of the caller.
fn owned(link: &Match<'_>, bytes: &[u8], offsets: &mut Offsets) -> PyLink {
    let range = link.range();
    let start = offsets.at(bytes, range.start);
    let end = offsets.at(bytes, range.end);
    PyLink::new(link.to_link(), start..end, None)
}

/// Puts lone surrogates back into UTF-8 that was written from a string with such.
///
/// Everything outside of replaced links is copied, so the U+FFFD of the output are those of the
/// input, in order, except in the replaced links. Invariant: `kept` are the three bytes for each
/// U+FFFD of the output up to the place `at` of the input.
struct Restorer<I: Iterator<Item = (usize, [u8; 3])>> {
    rest: std::iter::Peekable<I>,
    kept: Vec<[u8; 3]>,
    active: bool,
}

impl Restorer<std::iter::Empty<(usize, [u8; 3])>> {
    fn new(data: &Data) -> Restorer<impl Iterator<Item = (usize, [u8; 3])>> {
        Restorer {
            rest: data.replaced().peekable(),
            kept: Vec::new(),
            active: data.has_surrogates(),
        }
    }
}

impl<I: Iterator<Item = (usize, [u8; 3])>> Restorer<I> {
    /// The link in `range` of the input is replaced by `text`.
    fn replace(&mut self, range: std::ops::Range<usize>, text: &str) {
        if !self.active {
            return;
        }
        while let Some((_, bytes)) = self.rest.next_if(|(at, _)| *at < range.start) {
            self.kept.push(bytes);
        }
        while self.rest.next_if(|(at, _)| *at < range.end).is_some() {}
        let new = data::starts_of_replacement_characters(text.as_bytes());
        self.kept.extend(new.map(|_| [0xEF, 0xBF, 0xBD]));
    }

    /// The output, with the surrogates in their places.
    fn restored(self, mut written: Vec<u8>) -> Vec<u8> {
        if self.active {
            let all = self.kept.into_iter().chain(self.rest.map(|(_, bytes)| bytes));
            let starts: Vec<usize> = data::starts_of_replacement_characters(&written).collect();
            for (at, bytes) in starts.into_iter().zip(all) {
                written[at..at + 3].copy_from_slice(&bytes);
            }
        }
        written
    }
}

/// A rewriter that tells a [`Restorer`] which links it replaces.
struct Tracker<'a, I: Iterator<Item = (usize, [u8; 3])>> {
    rewriter: Rewriter<Vec<u8>>,
    restorer: Restorer<I>,
    data: &'a Data,
    /// Links with a lone surrogate stay.
    keeps: bool,
}

impl<I: Iterator<Item = (usize, [u8; 3])>> Sink for Tracker<'_, I> {
    type Error = std::io::Error;

    fn charset(&mut self, charset: iriscan::Charset, basis: iriscan::Basis) -> std::io::Result<()> {
        self.rewriter.charset(charset, basis)
    }

    fn text(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.rewriter.text(bytes)
    }

    fn matched(&mut self, link: &Match<'_>) -> std::io::Result<ControlFlow<()>> {
        if self.keeps && self.data.has_surrogates_in(link.range()) {
            return self.rewriter.text(link.source()).map(ControlFlow::Continue);
        }
        let (changed, at) = (self.rewriter.changed(), self.rewriter.get_ref().len());
        let flow = self.rewriter.matched(link)?;
        if self.rewriter.changed() > changed {
            let written = &self.rewriter.get_ref()[at..];
            let written = String::from_utf8_lossy(written).into_owned();
            self.restorer.replace(link.range(), &written);
        }
        Ok(flow)
    }

    fn finish(&mut self, summary: &iriscan::Summary) -> std::io::Result<()> {
        self.rewriter.finish(summary)
    }
}
