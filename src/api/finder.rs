//! The finder: compiled rules, a format and a charset.

use alloc::sync::Arc;

use crate::{
    charset::Charset, engine::rules::Rules, format::kinds::Format, reference::base::BaseUri,
};

/// Finds links in slices and makes scanners for streams.
///
/// A finder has the compiled rules of a [`Config`](crate::api::config::Config), and the format
/// and charset of the documents. It is cheap to clone and can be shared between threads.
///
/// ```
/// use iriscan::Finder;
///
/// let text = "Siehe https://de.wikipedia.org/wiki/Straße, danke。";
/// let link = Finder::new().find_iter(text).next().unwrap();
/// assert_eq!(&text[link.range()], "https://de.wikipedia.org/wiki/Straße");
/// assert_eq!(link.uri()?.as_str(), "https://de.wikipedia.org/wiki/Stra%C3%9Fe");
/// # Ok::<(), iriscan::UriError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    pub(crate) rules: Arc<Rules>,
    pub(crate) format: Format,
    pub(crate) charset: Option<Charset>,
}

impl Finder {
    /// The same finder for documents in `format`. Default: [`Format::Text`].
    ///
    /// A copy is cheap, so one set of rules serves documents of many formats:
    ///
    /// ```
    /// use iriscan::{Finder, Format};
    ///
    /// let finder = Finder::new();
    /// let html = finder.clone().format(Format::Html);
    /// assert_eq!(finder.find_iter("<a href='/x'>").count(), 0);
    /// assert_eq!(html.find_iter("<a href='/x'>").count(), 1);
    /// ```
    #[must_use]
    pub fn format(mut self, format: Format) -> Finder {
        self.format = format;
        self
    }

    /// The same finder for documents in `charset`, unless they start with the byte order
    /// mark of another. Default: `None`, which detects the charset.
    ///
    /// ```
    /// use iriscan::{Charset, Finder};
    ///
    /// let finder = Finder::new().charset(Charset::for_label("koi8-r")?);
    /// let link = finder.find_iter(b"http://a.example/\xCD\xC9\xD2").next().unwrap();
    /// assert_eq!(link.text(), "http://a.example/мир");
    /// let detecting = finder.charset(None);
    /// # Ok::<(), iriscan::LabelError>(())
    /// ```
    #[must_use]
    pub fn charset(mut self, charset: impl Into<Option<Charset>>) -> Finder {
        self.charset = charset.into();
        self
    }

    /// The same finder, with or without the links in the queries of links ([`Config::nested`](crate::Config::nested)):
    /// without them no two links overlap.
    ///
    /// ```
    /// use iriscan::Finder;
    ///
    /// let text = "http://a.example/?u=http%3A%2F%2Fb.example%2F";
    /// let finder = Finder::new().nested(true);
    /// assert_eq!(finder.find_iter(text).count(), 2);
    /// assert_eq!(finder.nested(false).find_iter(text).count(), 1);
    /// ```
    #[must_use]
    pub fn nested(mut self, yes: bool) -> Finder {
        if self.rules.options.nested != yes {
            self.rules = Arc::new(self.rules.with(|options| options.nested = yes));
        }
        self
    }

    /// The same finder for documents that came from `base` ([`Config::base`](crate::Config::base)).
    ///
    /// ```
    /// use iriscan::{Finder, Format, reference::BaseUri};
    ///
    /// let finder = Finder::new().format(Format::Markdown).base(BaseUri::new("http://a.example/b/")?);
    /// let link = finder.find_iter("[x](c)").next().unwrap();
    /// assert_eq!(link.absolute()?, "http://a.example/b/c");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn base(mut self, base: impl Into<Option<BaseUri>>) -> Finder {
        let base = base.into();
        if self.rules.options.base != base {
            Arc::make_mut(&mut self.rules).options.base = base;
        }
        self
    }
}
