//! An option of a [`Config`] as a program sees it that reads options as text, and the draft that it is set in.
//!
//! Words go in, a configuration or an error that names the option comes out. What must hold: the draft compiles
//! its filter once, when all options are set, and links that become IRIs get no template.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use super::config::Config;
use crate::links::{
    edit::{LinkEdit, LinkEditError},
    filter::{Filter, FilterBuilder},
    rewrite::Rewrite,
    template::Template,
};

/// An option of a [`Config`]; [`Config::options`] lists them.
///
/// ```
/// use iriscan::{Config, OptionKind};
///
/// let option = Config::options().iter().find(|option| option.name() == "nfc").unwrap();
/// assert_eq!(option.kind(), OptionKind::Word(&["auto", "always", "never"]));
/// assert_eq!(option.values(&Config::new()), Some(vec!["auto".to_owned()]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ConfigOption {
    pub(super) name: &'static str,
    pub(super) kind: OptionKind,
    pub(super) about: &'static str,
    pub(super) get: fn(&Config) -> Option<Vec<String>>,
    pub(super) set: fn(&mut Draft, &[&str]) -> Result<(), String>,
}

/// Which values an option has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionKind {
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Words, with commas between them.
    Words,
    /// A number of bytes.
    Number,
    /// Any text.
    Text,
    /// Any texts, each of which is a value of its own.
    Texts,
    /// The lines of a file.
    Lines,
}

impl ConfigOption {
    /// The name: that of the command line, with `_` for `-`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Which values it has.
    #[must_use]
    pub fn kind(&self) -> OptionKind {
        self.kind
    }

    /// The meaning of the option, in one sentence.
    #[must_use]
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// Its values in a configuration, in a form in which [`Config::set_all`] takes them; `None` if it was not
    /// given and has no default.
    #[must_use]
    pub fn values(&self, config: &Config) -> Option<Vec<String>> {
        (self.get)(config)
    }
}

/// Text that is no option of a [`Config`], or no value of it.
///
/// ```
/// use iriscan::Config;
///
/// let error = Config::new().set("host", "puny").unwrap_err();
/// assert_eq!(error.option(), "host");
/// assert_eq!(
///     error.to_string(),
///     "host: \"puny\" is not a form of a host; use one of punycode, percent, keep",
/// );
/// let error = Config::new().set("max_length", "9").unwrap_err();
/// assert_eq!(error.to_string(), "max_length: no option has this name; the nearest one is max_len");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    pub(super) option: String,
    pub(super) why: String,
}

impl OptionError {
    /// The name of the option, as it was given.
    #[must_use]
    pub fn option(&self) -> &str {
        &self.option
    }

    /// Why the option or its value is refused, and which to give instead.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.option, self.why)
    }
}

impl core::error::Error for OptionError {}

/// A configuration that options are set in.
pub(super) struct Draft {
    pub(super) config: Config,
    /// The conditions of its filter, if an option set one.
    pub(super) filter: Option<FilterBuilder>,
}

impl Draft {
    pub(super) fn set(&mut self, change: impl FnOnce(Config) -> Config) -> Result<(), String> {
        self.config = change(core::mem::take(&mut self.config));
        Ok(())
    }

    /// Writes a template in the place of links.
    pub(super) fn fill(&mut self, template: Template) -> Result<(), String> {
        match self.config.get_rewrite() {
            Rewrite::Iri(_) => Err("links become IRIs; give it, or to, not both".to_owned()),
            Rewrite::Edit(_) => {
                Err("parts of links change; give it, or set, path_prefix and drop_query".to_owned())
            }
            _ => self.set(|config| config.rewrite(template)),
        }
    }

    /// Changes parts of links: `change` gets the changes so far.
    pub(super) fn edit(
        &mut self,
        change: impl FnOnce(LinkEdit) -> Result<LinkEdit, LinkEditError>,
    ) -> Result<(), String> {
        let edit = match self.config.get_rewrite() {
            Rewrite::Uri => LinkEdit::new(),
            Rewrite::Edit(edit) => edit.clone(),
            Rewrite::Iri(_) => return Err("links become IRIs; give it, or to, not both".to_owned()),
            Rewrite::Template(_) => return Err("there is a template; give one of both".to_owned()),
        };
        let edit = change(edit).map_err(|e| e.to_string())?;
        let nothing = edit == LinkEdit::new();
        let rewrite = if nothing { Rewrite::Uri } else { Rewrite::Edit(edit) };
        self.set(|config| config.rewrite(rewrite))
    }

    /// Sets a template that has a name of its own; without `yes`, takes it away if it is set.
    pub(super) fn fill_if(&mut self, yes: bool, named: Template) -> Result<(), String> {
        match (yes, template(&self.config)) {
            (true, Some(template)) if *template != named => {
                Err("there is a template; give one of both".to_owned())
            }
            (true, _) => self.fill(named),
            (false, Some(template)) if *template == named => {
                self.set(|config| config.rewrite(Rewrite::Uri))
            }
            (false, _) => Ok(()),
        }
    }

    pub(super) fn choose(
        &mut self,
        change: impl FnOnce(FilterBuilder) -> FilterBuilder,
    ) -> Result<(), String> {
        let builder = self.filter.take().unwrap_or_else(|| {
            self.config.get_filter().map(FilterBuilder::from).unwrap_or_default()
        });
        self.filter = Some(change(builder));
        Ok(())
    }

    /// Compiles the filter.
    pub(super) fn finish(self) -> Result<Config, OptionError> {
        if cfg!(iriscan_strings) {
            return Ok(self.config);
        }
        let Some(builder) = self.filter else { return Ok(self.config) };
        let filter = builder.build().map_err(|e| {
            let (option, text) = (e.kind().as_str(), e.to_string());
            let why = text.strip_prefix(option).and_then(|text| text.strip_prefix(": "));
            OptionError { option: option.to_owned(), why: why.unwrap_or(&text).to_owned() }
        })?;
        let chooses = Filter::builder().build().is_ok_and(|none| none != filter);
        Ok(self.config.filter(chooses.then_some(filter)))
    }
}

/// The template that rewriting fills.
pub(super) fn template(config: &Config) -> Option<&Template> {
    config.get_rewrite().template()
}

/// The changes to parts of links that rewriting makes.
pub(super) fn edit(config: &Config) -> Option<&LinkEdit> {
    config.get_rewrite().edit()
}

/// The last of the values.
pub(super) fn last<'v>(values: &[&'v str]) -> &'v str {
    values.last().copied().unwrap_or_default()
}
