//! The options of a finder.

use alloc::{string::String, sync::Arc};

use super::{
    config_error::{ConfigError, Why},
    finder::Finder,
};
use crate::{
    charset::Charset,
    data::schemes::{NEVER, SCHEME_MAX, Schemes},
    engine::rules::{Kinds, MAX_LEN, Rules, SearchOptions},
    format::{csv::delimiter, kinds::Format},
    grammar::types::{Kind, RuleSet},
    links::{filter::Filter, rewrite::Rewrite},
    reference::{
        base::BaseUri,
        to_uri::{Disallowed, HostEscapes, HostForm, Nfc, QueryCharset, UriOptions},
    },
};

/// The options of a [`Finder`]: which links to find, and how to write them as URIs.
///
/// Setters consume and return the configuration, getters begin with `get_`, and
/// [`Config::build`] makes a [`Finder`]. [`Finder::config`] returns the options again.
///
/// ```
/// use iriscan::{Charset, Config, Schemes};
///
/// let finder = Config::new()
///     .charset(Charset::for_label("windows-1251")?)
///     .schemes(Schemes::Any)
///     .build()?;
/// let text = b"\xD1\xEC. http://example.org/\xEC\xE8\xF0"; // См. http://example.org/мир
/// let link = finder.find_iter(&text[..]).next().unwrap();
/// assert_eq!(link.uri()?.to_string(), "http://example.org/%D0%BC%D0%B8%D1%80");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    charset: Option<Charset>,
    format: Format,
    options: SearchOptions,
}

impl Default for Config {
    fn default() -> Config {
        Config::new()
    }
}

impl Config {
    /// The defaults: plain text in a charset to be detected, common schemes, links up to
    /// 65,536 bytes.
    #[must_use]
    pub fn new() -> Config {
        let options = SearchOptions {
            kinds: Kinds::from_iter([Kind::Iri]),
            set: RuleSet::Prose,
            schemes: None,
            ascii_only: false,
            max_len: MAX_LEN,
            fields: Arc::new([]),
            identifiers: false,
            base: None,
            delimiter: None,
            elements: false,
            code: true,
            comments: false,
            nested: false,
            targets: false,
            force_charset: false,
            uri: UriOptions::new().host_escapes(HostEscapes::Keep),
            disallowed: None,
            query: None,
            filter: None,
            rewrite: Rewrite::Uri,
        };
        Config { charset: None, format: Format::Text, options }
    }

    /// The charset of every input, unless it starts with the byte order mark of another
    /// (Encoding Standard, "decode"). Default: `None`, which detects the charset.
    /// [`Finder::charset`] changes it later.
    #[must_use]
    pub fn charset(mut self, charset: impl Into<Option<Charset>>) -> Config {
        self.charset = charset.into();
        self
    }

    /// Whether [`Config::charset`] is also that of parts of mail that declare another one. Default:
    /// `false`: in mail it is the charset of parts that declare none.
    ///
    /// ```
    /// # #[cfg(feature = "mail")] {
    /// use iriscan::{Charset, Config, mail};
    ///
    /// let wrong = "Content-Type: text/plain; charset=windows-1251\n\nhttp://a.example/ü".as_bytes();
    /// let utf8 = Config::new().charset(Charset::UTF_8);
    /// let iri = |config: Config| mail::find(&config.build().unwrap(), wrong)[0].link().iri().into_owned();
    /// assert_eq!(iri(utf8.clone()), "http://a.example/Гј");
    /// assert_eq!(iri(utf8.force_charset(true)), "http://a.example/ü");
    /// # }
    /// ```
    #[must_use]
    pub fn force_charset(mut self, yes: bool) -> Config {
        self.options.force_charset = yes;
        self
    }

    /// The format of every input. Default: [`Format::Text`]. [`Finder::format`] changes it
    /// later.
    #[must_use]
    pub fn format(mut self, format: Format) -> Config {
        self.format = format;
        self
    }

    /// The rules for where a link starts and ends.
    #[must_use]
    pub fn rules(mut self, rules: RuleSet) -> Config {
        self.options.set = rules;
        self
    }

    /// The kinds of link to look for. Default: [`Kind::Iri`].
    ///
    /// ```
    /// use iriscan::{Config, Kind};
    ///
    /// let finder = Config::new().kinds([Kind::Bare, Kind::Email]).build()?;
    /// let text = "www.müller.example, README.md, 用户@例子.中国";
    /// let links: Vec<_> = finder.find_iter(text).map(|link| link.text()).collect();
    /// assert_eq!(links, ["www.müller.example", "用户@例子.中国"]);
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = Kind>) -> Config {
        self.options.kinds = kinds.into_iter().collect();
        self
    }

    /// Which schemes make a link. Default: [`Schemes::Common`] in text.
    ///
    /// By default, a place that holds a whole reference, such as `href` in HTML, may have any
    /// scheme or none. After a call of this method, even with [`Schemes::Common`], the
    /// reference must have one of these schemes, and relative references are left out.
    ///
    /// ```
    /// use iriscan::{Config, Finder, Format, Schemes};
    ///
    /// let html = "<a href='--version'> <a href='file:///x'> <a href='HTTP://a.example/'>";
    /// assert_eq!(Finder::new().format(Format::Html).find_iter(html).count(), 3);
    /// let web = Schemes::List(vec!["http".into(), "https".into()]);
    /// let finder = Config::new().schemes(web).build()?.format(Format::Html);
    /// let links: Vec<_> = finder.find_iter(html).map(|link| link.text()).collect();
    /// assert_eq!(links, ["HTTP://a.example/"]);
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn schemes(mut self, schemes: Schemes) -> Config {
        self.options.schemes = Some(schemes);
        self
    }

    /// A character that is not ASCII ends a link. Default: no.
    #[must_use]
    pub fn ascii_only(mut self, yes: bool) -> Config {
        self.options.ascii_only = yes;
        self
    }

    /// The longest link, in bytes of the source. A longer candidate is text,
    /// and scanning resumes at the next white space or `<`, `>`, `"`.
    ///
    /// It bounds the bytes that a [`Scanner`](crate::Scanner) holds back, so that a document
    /// without any white space is not held whole.
    #[must_use]
    pub fn max_len(mut self, bytes: u64) -> Config {
        self.options.max_len = bytes;
        self
    }

    /// In JSON, search only the strings in fields with these keys, and in arrays in such
    /// fields. Default: none, which means all strings.
    ///
    /// ```
    /// use iriscan::{Config, Format};
    ///
    /// let finder = Config::new().fields(["text"]).build()?.format(Format::Json);
    /// let json = r#"{"id": "http://a.example/", "text": ["see http:\/\/b.example\/\u00e9"]}"#;
    /// let links: Vec<_> = finder.find_iter(json).map(|link| link.iri().into_owned()).collect();
    /// assert_eq!(links, ["http://b.example/é"]);
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn fields<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Config {
        self.options.fields = names.into_iter().map(Into::into).collect();
        self
    }

    /// Rewriting changes identifiers too: the references of Turtle and its relatives, those in
    /// attributes of RDF/XML, the links of JSON-LD (also in scripts of HTML, with those of import maps, but for their
    /// keys, and of speculation rules), and the keys of PO (`msgid`, `msgid_plural`, `msgctxt`). Default: no,
    /// because in RDF two IRIs are the same only if they are equal character by character
    /// (RFC 3987, section 5.3.1), so that rewriting would make another graph, and because a program
    /// asks for a translation by its key. They are found in either case. A template
    /// ([`Config::rewrite`]) replaces them like all other links.
    ///
    /// ```
    /// use iriscan::{Config, Format};
    ///
    /// let turtle = "<http://a.example/é> <b> \"http://a.example/é\" .";
    /// let finder = Config::new().build()?.format(Format::Turtle);
    /// let (text, done) = finder.rewrite_slice(turtle);
    /// assert_eq!(&*text, "<http://a.example/é> <b> \"http://a.example/%C3%A9\" .".as_bytes());
    /// assert_eq!((done.changed, done.identifiers), (1, 1));
    /// let finder = Config::new().identifiers(true).build()?.format(Format::Turtle);
    /// assert_eq!(finder.rewrite_slice(turtle).1.changed, 2);
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn identifiers(mut self, yes: bool) -> Config {
        self.options.identifiers = yes;
        self
    }

    /// What relative references are relative to ([`Match::base`], RFC 3986, section 5.1): the URI that
    /// the documents came from. A base that a document says itself (`<base href>`, `xml:base`) is resolved
    /// against it, and counts from where it stands. Default: none. [`Finder::base`] changes it later.
    ///
    /// [`Match::base`]: crate::Match::base
    ///
    /// ```
    /// use iriscan::{Config, Format, reference::BaseUri};
    ///
    /// let base = BaseUri::new("http://a.example/x/")?;
    /// let finder = Config::new().base(base).build()?.format(Format::Html);
    /// let html = "<a href='1'></a> <base href='y/'> <a href='2'></a>";
    /// let links: Vec<_> = finder.find_iter(html).map(|link| link.absolute().unwrap()).collect();
    /// assert_eq!(links, ["http://a.example/x/1", "http://a.example/x/y/", "http://a.example/x/y/2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn base(mut self, base: impl Into<Option<BaseUri>>) -> Config {
        self.options.base = base.into();
        self
    }

    /// In Markdown, links in code count: in code spans and in blocks that are fenced or indented.
    /// Default: yes.
    ///
    /// ```
    /// use iriscan::{Config, Format};
    ///
    /// let text = "`http://a.example/` and http://b.example/\n\n    http://c.example/\n";
    /// let finder = Config::new().build()?.format(Format::Markdown);
    /// assert_eq!(finder.find_iter(text).count(), 3);
    /// let finder = Config::new().code(false).build()?.format(Format::Markdown);
    /// assert_eq!(finder.find_iter(text).count(), 1);
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn code(mut self, yes: bool) -> Config {
        self.options.code = yes;
        self
    }

    /// In HTML and XML, links in comments count; they are read as running text without escapes. Default: no.
    ///
    /// A conditional comment (`<!--[if mso]> … <![endif]-->`) is read as the HTML that Outlook takes it for.
    ///
    /// Rewriting never ends such a comment: a link stays if its new form would make `-->`, or in XML `--`. The comments
    /// of HTML within XML are never searched.
    ///
    /// ```
    /// use iriscan::{Config, Format};
    ///
    /// let finder = Config::new().comments(true).build()?.format(Format::Html);
    /// let page = "<!-- see http://a.example/é --> <p>http://b.example/";
    /// let links: Vec<_> = finder.find_iter(page).map(|link| link.text()).collect();
    /// assert_eq!(links, ["http://a.example/é", "http://b.example/"]);
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn comments(mut self, yes: bool) -> Config {
        self.options.comments = yes;
        self
    }

    /// Links in the queries of links are links of their own: `?u=http%3A%2F%2Fb.example%2F` holds `http://b.example/`.
    /// Each comes after the link that it is in; its place is within that one's, and its
    /// [text](crate::Match::text) is decoded. The decoded value of each parameter is searched as running text, by the
    /// options of the search, and the queries of what is found there too, four deep. A link to another host than
    /// the one around it has the warning
    /// [`NestedInAnotherHost`](crate::Warning::NestedInAnotherHost). Default: no.
    ///
    /// They are for finding: [`Finder::find_iter`](crate::Finder::find_iter), `mail::find` and
    /// [`Sink::nested`](crate::Sink::nested) have them. Segments and rewriting leave them out, because their bytes belong to the
    /// link around them. With [`Config::unwrap`], what a known wrapper holds is not one of them. In mail, and in links
    /// whose escapes are not known, the place of such a link may be that of the whole link around it.
    ///
    /// ```
    /// use iriscan::{Config, Warning};
    ///
    /// let finder = Config::new().nested(true).build()?;
    /// let text = "http://a.example/go?u=http%3A%2F%2Fb.example%2Fx&v=1";
    /// let links: Vec<_> = finder.find_iter(text).collect();
    /// assert_eq!((links[0].text(), links[1].text()), (text.into(), "http://b.example/x".into()));
    /// assert_eq!(&text[links[1].range()], "http%3A%2F%2Fb.example%2Fx");
    /// assert_eq!(links[1].warnings(), [Warning::NestedInAnotherHost]);
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn nested(mut self, yes: bool) -> Config {
        self.options.nested = yes;
        self
    }

    /// In logs, the targets of requests are links: paths such as `/dir/` in `"GET /dir/ HTTP/1.1"`
    /// (RFC 9112, section 3.2.1, origin form). They are relative references, so none counts if
    /// [`Config::schemes`] is set. Default: no.
    ///
    /// ```
    /// use iriscan::{Config, Format, Rewrite, reference::HostLabels};
    ///
    /// let line = r#"192.0.2.1 - - [21/Nov/2026:22:00:00 +0000] "GET /%D0%94%D0%BE%D0%BC HTTP/1.1" 200 12"#;
    /// let config = Config::new().targets(true).rewrite(Rewrite::Iri(HostLabels::Keep));
    /// let finder = config.build()?.format(Format::Log);
    /// let readable = String::from_utf8(finder.rewrite_slice(line).0.into_owned())?;
    /// assert!(readable.contains(r#""GET /Дом HTTP/1.1""#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn targets(mut self, yes: bool) -> Config {
        self.options.targets = yes;
        self
    }

    /// The character between the fields of CSV ([`Format::Csv`]). Default: `None`, which finds it
    /// in the first line `sep=;`, or else in the first records, among comma, semicolon, tab and
    /// `|`. It is ASCII, but no letter, digit, `%`, `-`, `.`, quote or line end, because a URI or the
    /// syntax of CSV may have those.
    ///
    /// ```
    /// use iriscan::{Config, Format};
    ///
    /// let finder = Config::new().delimiter('|').build()?.format(Format::Csv);
    /// let csv = "http://a.example/x|y\n\"http://b.example/|\"|z";
    /// let links: Vec<_> = finder.find_iter(csv).map(|link| link.text()).collect();
    /// assert_eq!(links, ["http://a.example/x", "http://b.example/|"]);
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn delimiter(mut self, delimiter: impl Into<Option<char>>) -> Config {
        self.options.delimiter = delimiter.into();
        self
    }

    /// Whether each link of HTML and XML says where it is ([`Match::element`],
    /// [`Match::attribute`]), and of which element it is the target ([`Match::anchor`]); by default
    /// not. Then a link of `<a>` is delivered only when the text of its element is known: at the
    /// end of the element, after 200 characters, or 16,384 bytes after the link.
    ///
    /// [`Match::element`]: crate::Match::element
    /// [`Match::attribute`]: crate::Match::attribute
    /// [`Match::anchor`]: crate::Match::anchor
    #[must_use]
    pub fn elements(mut self, yes: bool) -> Config {
        self.options.elements = yes;
        self
    }

    /// Whether what opens a link ([`Match::open`]) is the link in the wrapper of a mail gateway, if it
    /// is one ([`Match::unwrapped`]); by default not. Rewriting never takes wrappers off.
    ///
    /// [`Match::open`]: crate::Match::open
    /// [`Match::unwrapped`]: crate::Match::unwrapped
    #[must_use]
    pub fn unwrap(mut self, yes: bool) -> Config {
        self.options.uri = self.options.uri.unwraps(yes);
        self
    }

    /// The form of a host that is not ASCII.
    #[must_use]
    pub fn host(mut self, form: HostForm) -> Config {
        self.options.uri = self.options.uri.host(form);
        self
    }

    /// The charset of a non-ASCII http or https query of a legacy document. Default:
    /// [`QueryCharset::Document`]; in mail, [`QueryCharset::Utf8`] for all but HTML parts.
    #[must_use]
    pub fn query(mut self, charset: QueryCharset) -> Config {
        self.options.query = Some(charset);
        self
    }

    /// What becomes of the ASCII that no URI has: ``" < > \ ^ ` { | }`` (RFC 3987, 3.1). Default: none of the values;
    /// then [`Match::uri`](crate::Match::uri) and [`Match::open`](crate::Match::open) have it percent-encoded, and a
    /// link that is all ASCII stays where documents are rewritten, because templates such as `/{id}` are everyday.
    ///
    /// ```
    /// use iriscan::{Config, reference::Disallowed};
    ///
    /// let text = "http://a.example/{id} http://a.example/é{id}";
    /// let rewritten = |config: Config| {
    ///     let (out, _) = config.build().unwrap().rewrite_slice(text);
    ///     String::from_utf8(out.into_owned()).unwrap()
    /// };
    /// assert_eq!(rewritten(Config::new()), "http://a.example/{id} http://a.example/%C3%A9%7Bid%7D");
    /// let encode = Config::new().disallowed(Disallowed::Encode);
    /// assert_eq!(rewritten(encode), "http://a.example/%7Bid%7D http://a.example/%C3%A9%7Bid%7D");
    /// let keep = Config::new().disallowed(Disallowed::Keep);
    /// assert_eq!(rewritten(keep), "http://a.example/{id} http://a.example/%C3%A9{id}");
    /// ```
    #[must_use]
    pub fn disallowed(mut self, disallowed: Disallowed) -> Config {
        self.options.disallowed = Some(disallowed);
        self
    }

    /// When text is normalised before it is encoded.
    #[must_use]
    pub fn nfc(mut self, nfc: Nfc) -> Config {
        self.options.uri = self.options.uri.nfc(nfc);
        self
    }

    /// Which of the links that are found count; the others are text. Default: `None`, all of them.
    ///
    /// ```
    /// use iriscan::{Config, Filter};
    ///
    /// let filter = Filter::builder().not_host("*.example.org").build()?;
    /// let finder = Config::new().filter(filter).build()?;
    /// let (text, _) = finder.rewrite_slice("http://a.example.org/é http://a.example/é");
    /// assert_eq!(&*text, "http://a.example.org/é http://a.example/%C3%A9".as_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn filter(mut self, filter: impl Into<Option<Filter>>) -> Config {
        self.options.filter = filter.into();
        self
    }

    /// What rewriting writes in the place of each link. Default: [`Rewrite::Uri`].
    ///
    /// ```
    /// use iriscan::{Config, Format, Template};
    ///
    /// let finder = Config::new().rewrite(Template::new("<{host}>")?).build()?;
    /// let (text, done) = finder.rewrite_slice("see http://a.example/x and http://b.example/");
    /// assert_eq!(&*text, b"see <a.example> and <b.example>");
    /// assert_eq!(done.changed, 2);
    /// let (html, _) = finder.format(Format::Html).rewrite_slice("<p>http://a.example/");
    /// assert_eq!(&*html, b"<p>&lt;a.example&gt;");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rewrite(mut self, rewrite: impl Into<Rewrite>) -> Config {
        self.options.rewrite = rewrite.into();
        self
    }

    /// The charset of every input; `None`: it is detected.
    #[must_use]
    pub fn get_charset(&self) -> Option<Charset> {
        self.charset
    }

    /// Whether the charset is also that of parts of mail that declare another one.
    #[must_use]
    pub fn get_force_charset(&self) -> bool {
        self.options.force_charset
    }

    /// The format of every input.
    #[must_use]
    pub fn get_format(&self) -> Format {
        self.format
    }

    /// The rules for where a link starts and ends.
    #[must_use]
    pub fn get_rules(&self) -> RuleSet {
        self.options.set
    }

    /// The kinds of link that are looked for.
    pub fn get_kinds(&self) -> impl Iterator<Item = Kind> {
        let kinds = self.options.kinds;
        Kind::ALL.iter().copied().filter(move |kind| kinds.has(*kind))
    }

    /// The schemes that make a link; `None`: [`Config::schemes`] was not called, so text is
    /// searched for [`Schemes::Common`] and a place for a reference may have any.
    #[must_use]
    pub fn get_schemes(&self) -> Option<&Schemes> {
        self.options.schemes.as_ref()
    }

    /// Whether a character that is not ASCII ends a link.
    #[must_use]
    pub fn get_ascii_only(&self) -> bool {
        self.options.ascii_only
    }

    /// The longest link, in bytes of the source.
    #[must_use]
    pub fn get_max_len(&self) -> u64 {
        self.options.max_len
    }

    /// The fields of JSON that are searched; none: all strings.
    #[must_use]
    pub fn get_fields(&self) -> &[String] {
        &self.options.fields
    }

    /// Whether rewriting changes identifiers of RDF and keys of PO too.
    #[must_use]
    pub fn get_identifiers(&self) -> bool {
        self.options.identifiers
    }

    /// What relative references are relative to; `None`: only documents say it.
    #[must_use]
    pub fn get_base(&self) -> Option<&BaseUri> {
        self.options.base.as_ref()
    }

    /// Whether links in code of Markdown count.
    #[must_use]
    pub fn get_code(&self) -> bool {
        self.options.code
    }

    /// Whether links in comments of HTML and XML count.
    #[must_use]
    pub fn get_comments(&self) -> bool {
        self.options.comments
    }

    /// Whether links in the queries of links are found too.
    #[must_use]
    pub fn get_nested(&self) -> bool {
        self.options.nested
    }

    /// Whether the targets of requests in logs are links.
    #[must_use]
    pub fn get_targets(&self) -> bool {
        self.options.targets
    }

    /// The character between the fields of CSV; `None`: it is found.
    #[must_use]
    pub fn get_delimiter(&self) -> Option<char> {
        self.options.delimiter
    }

    /// The form of a host that is not ASCII.
    #[must_use]
    pub fn get_host(&self) -> HostForm {
        self.options.uri.get_host()
    }

    /// The charset of queries; `None`: [`Config::query`] was not called.
    #[must_use]
    pub fn get_query(&self) -> Option<QueryCharset> {
        self.options.query
    }

    /// What becomes of the ASCII that no URI has; `None`: [`Config::disallowed`] was not called.
    #[must_use]
    pub fn get_disallowed(&self) -> Option<Disallowed> {
        self.options.disallowed
    }

    /// When text is normalized before it is encoded.
    #[must_use]
    pub fn get_nfc(&self) -> Nfc {
        self.options.uri.get_nfc()
    }

    /// Which of the links that are found count; `None`: all of them.
    #[must_use]
    pub fn get_filter(&self) -> Option<&Filter> {
        self.options.filter.as_ref()
    }

    /// What rewriting writes in the place of each link.
    #[must_use]
    pub fn get_rewrite(&self) -> &Rewrite {
        &self.options.rewrite
    }

    /// [`Config::unwrap`].
    #[must_use]
    pub fn get_unwrap(&self) -> bool {
        self.options.uri.get_unwraps()
    }

    /// [`Config::elements`].
    #[must_use]
    pub fn get_elements(&self) -> bool {
        self.options.elements
    }

    /// Compiles the options into a finder.
    ///
    /// # Errors
    ///
    /// [`Config::schemes`] has a name that is not one of a scheme in lower case, or a scheme
    /// that is never a link (`javascript`, `data`), or [`Config::max_len`] is 0, or
    /// [`Config::delimiter`] is a character that cannot delimit fields.
    pub fn build(self) -> Result<Finder, ConfigError> {
        let options = &self.options;
        if options.max_len == 0 {
            return Err(ConfigError(Why::MaxLen));
        }
        if let Some(Schemes::List(names)) = &options.schemes {
            if let Some(name) = names.iter().find(|name| !is_scheme(name)) {
                return Err(ConfigError(Why::Scheme(name.clone())));
            }
            if let Some(name) = names.iter().find(|name| NEVER.contains(&name.as_str())) {
                return Err(ConfigError(Why::Never(name.clone())));
            }
        }
        if let Some(delimiter) =
            options.delimiter.filter(|c| !u8::try_from(*c).is_ok_and(delimiter::may_be))
        {
            return Err(ConfigError(Why::Delimiter(delimiter)));
        }
        let rules = Arc::new(Rules::new(self.options));
        Ok(Finder { rules, format: self.format, charset: self.charset })
    }
}

/// Whether `name` is a `scheme` of RFC 3986 in lower case and short enough to be found.
fn is_scheme(name: &str) -> bool {
    let tail = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"+-.".contains(&b);
    (1..=SCHEME_MAX).contains(&name.len())
        && name.as_bytes()[0].is_ascii_lowercase()
        && name.bytes().all(tail)
        && name.ends_with(|c: char| c.is_ascii_alphanumeric())
}

impl Default for Finder {
    fn default() -> Finder {
        Finder::new()
    }
}

impl Finder {
    /// A finder with the defaults of [`Config::new`].
    #[must_use]
    pub fn new() -> Finder {
        Config::new().build().expect("the defaults should be valid")
    }

    /// The options of this finder: to read them, or to change some and build another.
    ///
    /// ```
    /// use iriscan::{Charset, Config, Finder, Format, Kind};
    ///
    /// let finder = Finder::new().format(Format::Html).charset(Charset::UTF_8);
    /// assert_eq!(finder.config().get_format(), Format::Html);
    /// let hosts_too = finder.config().kinds([Kind::Iri, Kind::Bare]).build()?;
    /// assert_eq!(hosts_too.config().get_charset(), Some(Charset::UTF_8));
    /// assert_eq!(Config::new().build()?.config(), Config::new());
    /// # Ok::<(), iriscan::ConfigError>(())
    /// ```
    #[must_use]
    pub fn config(&self) -> Config {
        let options = self.rules.options.clone();
        Config { charset: self.charset, format: self.format, options }
    }
}
