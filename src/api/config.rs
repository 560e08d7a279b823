//! Options, and the rules made of them.

use alloc::{string::String, sync::Arc};
use core::fmt;

use super::finder::Finder;
use crate::{
    charset::Charset,
    data::schemes::{NEVER, SCHEME_MAX, Schemes},
    engine::{
        rules::{Kinds, MAX_LEN, Rules},
        tuning::Tuning,
    },
    format::kinds::Format,
    grammar::types::{Kind as LinkKind, Ruleset},
    reference::to_uri::{HostEscapes, HostForm, Nfc, QueryCharset, UriOptions},
};

/// What to look for, and how to write it as a URI.
///
/// Setters consume and return the configuration; [`Config::build`] makes a
/// [`Finder`] of it.
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
#[derive(Clone, Debug)]
pub struct Config {
    charset: Option<Charset>,
    rules: RuleSet,
    kinds: Kinds,
    schemes: Option<Schemes>,
    ascii_only: bool,
    max_len: u64,
    fields: Arc<[String]>,
    identifiers: bool,
    uri: UriOptions,
    query: Option<QueryCharset>,
}

/// The rules for where a link starts and ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RuleSet {
    /// The properties of UTS #58, and departures that real text needs: the crate
    /// documentation lists them.
    #[default]
    Prose,
    /// Unicode Technical Standard #58, to the letter: `http`, `https` and
    /// `mailto` only, whatever [`Config::schemes`] says, and hosts by a list of
    /// top-level domains.
    Uts58,
}

impl Default for Config {
    fn default() -> Config {
        Config::new()
    }
}

impl Config {
    /// The defaults: charset `auto`, common schemes, links up to 65,536 bytes.
    #[must_use]
    pub fn new() -> Config {
        Config {
            charset: None,
            rules: RuleSet::Prose,
            kinds: Kinds { iri: true, bare: false, email: false },
            schemes: None,
            ascii_only: false,
            max_len: MAX_LEN,
            fields: Arc::new([]),
            identifiers: false,
            uri: UriOptions::new().host_escapes(HostEscapes::Keep),
            query: None,
        }
    }

    /// Every input is in this charset, unless it starts with the byte order
    /// mark of another (Encoding Standard, "decode"). Without it, the charset
    /// is detected.
    #[must_use]
    pub fn charset(mut self, charset: Charset) -> Config {
        self.charset = Some(charset);
        self
    }

    /// The rules for where a link starts and ends.
    #[must_use]
    pub fn rules(mut self, rules: RuleSet) -> Config {
        self.rules = rules;
        self
    }

    /// Which kinds of link are wanted. Default: [`LinkKind::Iri`].
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
    pub fn kinds(mut self, kinds: impl IntoIterator<Item = LinkKind>) -> Config {
        self.kinds = Kinds { iri: false, bare: false, email: false };
        for kind in kinds {
            match kind {
                LinkKind::Iri => self.kinds.iri = true,
                LinkKind::Bare => self.kinds.bare = true,
                LinkKind::Email => self.kinds.email = true,
            }
        }
        self
    }

    /// Which schemes make a link. Default: [`Schemes::Common`] in text.
    ///
    /// A place that holds a whole reference, as `href` in HTML, is not asked for a scheme
    /// by default: relative references and unknown schemes count there. Once this is
    /// called, also with [`Schemes::Common`], the reference must have one of these
    /// schemes, and relative references are left out.
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
        self.schemes = Some(schemes);
        self
    }

    /// A character that is not ASCII ends a link. Default: no.
    #[must_use]
    pub fn ascii_only(mut self, yes: bool) -> Config {
        self.ascii_only = yes;
        self
    }

    /// The longest link, in bytes of the source. A longer candidate is text,
    /// and scanning resumes at the next white space or `<`, `>`, `"`.
    ///
    /// It bounds what a [`Scanner`](crate::Scanner) holds back, and stops a document without
    /// any white space from being held whole.
    #[must_use]
    pub fn max_len(mut self, bytes: u64) -> Config {
        self.max_len = bytes;
        self
    }

    /// Of JSON, only the strings in these fields, by their keys, and in arrays of
    /// theirs. Default: none, which means all strings.
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
        self.fields = names.into_iter().map(Into::into).collect();
        self
    }

    /// Rewriting changes identifiers of RDF too: the references of Turtle and its
    /// relatives, and of the attributes of RDF/XML. Default: no, because two IRIs name
    /// one thing only if they are the same character by character (RFC 3987, section
    /// 5.3.1), so that the graph would be another one. They are found in either case.
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
        self.identifiers = yes;
        self
    }

    /// The form of a host that is not ASCII.
    #[must_use]
    pub fn host(mut self, form: HostForm) -> Config {
        self.uri = self.uri.host(form);
        self
    }

    /// The charset of a non-ASCII http or https query of a legacy document. Default:
    /// [`QueryCharset::Document`]; in mail, [`QueryCharset::Utf8`] for all but HTML parts.
    #[must_use]
    pub fn query(mut self, charset: QueryCharset) -> Config {
        self.query = Some(charset);
        self
    }

    /// When text is normalised before it is encoded.
    #[must_use]
    pub fn nfc(mut self, nfc: Nfc) -> Config {
        self.uri = self.uri.nfc(nfc);
        self
    }

    /// The rules, compiled.
    ///
    /// # Errors
    ///
    /// A scheme in the list is no scheme name in lower case, or one that is
    /// never a link (`javascript`, `data`), or `max_len` is 0.
    pub fn build(self) -> Result<Finder, ConfigError> {
        if self.max_len == 0 {
            return Err(ConfigError { kind: Kind::MaxLen });
        }
        if let Some(Schemes::List(names)) = &self.schemes
            && let Some(name) = names.iter().find(|name| !is_scheme(name))
        {
            return Err(ConfigError { kind: Kind::Scheme(name.clone()) });
        }
        if let Some(Schemes::List(names)) = &self.schemes
            && let Some(name) = names.iter().find(|name| NEVER.contains(&name.as_str()))
        {
            return Err(ConfigError { kind: Kind::Never(name.clone()) });
        }
        let rules = Rules {
            charset: self.charset,
            kinds: self.kinds,
            set: match self.rules {
                RuleSet::Prose => Ruleset::Prose,
                RuleSet::Uts58 => Ruleset::Standard,
            },
            schemes_given: self.schemes.is_some(),
            schemes: self.schemes.unwrap_or_default(),
            ascii_only: self.ascii_only,
            max_len: self.max_len,
            fields: self.fields,
            identifiers: self.identifiers,
            uri: self.uri.query(self.query.unwrap_or_default()),
            #[cfg(feature = "mail")]
            query_given: self.query.is_some(),
            tuning: Tuning::DEFAULT,
        };
        Ok(Finder { rules: Arc::new(rules), format: Format::Text })
    }
}

/// `scheme` of RFC 3986, lower case, and short enough to be looked for.
fn is_scheme(name: &str) -> bool {
    let tail = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"+-.".contains(&b);
    (1..=SCHEME_MAX).contains(&name.len())
        && name.as_bytes()[0].is_ascii_lowercase()
        && name.bytes().all(tail)
        && name.ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// A configuration that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    MaxLen,
    Scheme(String),
    Never(String),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::MaxLen => {
                f.write_str("max_len is 0, at least 1 byte is needed; the default is 65536")
            }
            Kind::Never(name) => {
                write!(
                    f,
                    "{name:?} is never a link, because it runs code or holds data; leave it out"
                )
            }
            Kind::Scheme(name) => write!(
                f,
                "{name:?} is no scheme; give a letter and then letters, digits, + - ., lower case, \
                 up to {SCHEME_MAX} characters, without the colon"
            ),
        }
    }
}

impl core::error::Error for ConfigError {}

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
}
