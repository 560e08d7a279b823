//! Options of a caller: words of the command line, alone or in lists.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use iriscan::{Charset, Config, Direction, Finder, Kind, NameError, Schemes, Template};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyInt, PyString},
};

use crate::{
    choosing::{self, Choosing},
    errors,
};

/// The value that `word` names, for the option `name`.
pub(crate) fn value<T: FromStr<Err = NameError>>(name: &str, word: &str) -> PyResult<T> {
    word.parse().map_err(|e| errors::option(name, e))
}

/// The charset with this label.
pub(crate) fn charset(name: &str, label: &str) -> PyResult<Charset> {
    Charset::for_label(label).map_err(|e| errors::option(name, e))
}

/// The words of a string with commas, or of an iterable of strings.
fn words(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(text) = object.cast::<PyString>() {
        let text = crate::data::text(text);
        return Ok(text.split(',').map(|word| word.trim().to_owned()).collect());
    }
    let fails = || PyTypeError::new_err(format!("{name}: expected str or an iterable of str"));
    let items = object.try_iter().map_err(|_| fails())?;
    items
        .map(|item| match item?.cast::<PyString>() {
            Ok(word) => Ok(crate::data::text(word).into_owned()),
            Err(_) => Err(fails()),
        })
        .collect()
}

/// The options of `Finder`, as they are given.
pub(crate) struct Given<'a, 'py> {
    pub(crate) kinds: Option<&'a Bound<'py, PyAny>>,
    pub(crate) charset: Option<&'a str>,
    pub(crate) format: &'a str,
    pub(crate) rules: &'a str,
    pub(crate) schemes: Option<&'a Bound<'py, PyAny>>,
    pub(crate) to: &'a str,
    pub(crate) host: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) nfc: &'a str,
    pub(crate) max_len: Option<&'a Bound<'py, PyAny>>,
    pub(crate) fields: Option<&'a Bound<'py, PyAny>>,
    pub(crate) ascii_only: bool,
    pub(crate) identifiers: bool,
    pub(crate) delimiter: Option<char>,
    pub(crate) code: bool,
    pub(crate) elements: bool,
    pub(crate) unwrap: bool,
    pub(crate) template: Option<Cow<'a, str>>,
    pub(crate) defang: bool,
    pub(crate) choosing: Choosing<'a, 'py>,
}

impl Given<'_, '_> {
    pub(crate) fn build(&self) -> PyResult<Finder> {
        let mut config = Config::new()
            .format(value("format", self.format)?)
            .rules(value("rules", self.rules)?)
            .direction(value("to", self.to)?)
            .nfc(value("nfc", self.nfc)?)
            .ascii_only(self.ascii_only)
            .identifiers(self.identifiers)
            .delimiter(self.delimiter)
            .code(self.code)
            .elements(self.elements)
            .unwrap(self.unwrap)
            .template(self.template()?)
            .filter(self.choosing.filter()?);
        // The default is a form of URIs; for IRIs it says nothing.
        config = match (config.get_direction(), self.host) {
            (Direction::Iri, "punycode") => config,
            (Direction::Iri, host) => config.host_labels(value("host", host)?),
            (_, host) => config.host(value("host", host)?),
        };
        if let Some(kinds) = self.kinds {
            let kinds = words("kinds", kinds)?;
            let kinds: Vec<Kind> =
                kinds.iter().map(|word| value("kinds", word)).collect::<PyResult<_>>()?;
            if kinds.is_empty() {
                return Err(errors::option(
                    "kinds",
                    "empty; name at least one of iri, bare, email",
                ));
            }
            config = config.kinds(kinds);
        }
        if let Some(label) = self.charset.filter(|label| *label != "auto") {
            config = config.charset(charset("charset", label)?);
        }
        if let Some(schemes) = self.schemes {
            let mut words = words("schemes", schemes)?;
            config = config.schemes(match &words[..] {
                [word] if word == "common" => Schemes::Common,
                [word] if word == "any" => Schemes::Any,
                [] => return Err(errors::option("schemes", "empty; name at least one")),
                _ => Schemes::List(std::mem::take(&mut words)),
            });
        }
        if let Some(query) = self.query {
            config = config.query(value("query", query)?);
        }
        if let Some(max_len) = self.max_len {
            if !max_len.is_instance_of::<PyInt>() {
                return Err(PyTypeError::new_err("max_len: expected int"));
            }
            // No stream is longer than that, so a higher limit changes nothing.
            let bytes = match max_len.extract::<u64>() {
                Ok(bytes) => bytes.min(i64::MAX as u64),
                Err(_) if max_len.lt(0)? => 0,
                Err(_) => i64::MAX as u64,
            };
            config = config.max_len(bytes);
        }
        if let Some(fields) = self.fields {
            config = config.fields(words("fields", fields)?);
        }
        config.build().map_err(|e| errors::ConfigError::new_err(e.to_string()))
    }
}

impl Given<'_, '_> {
    /// What replaces each link.
    fn template(&self) -> PyResult<Option<Template>> {
        match (&self.template, self.defang) {
            (None, defang) => Ok(defang.then(Template::defang)),
            (Some(text), false) => {
                Template::new(text).map(Some).map_err(|e| errors::option("template", e))
            }
            (Some(_), true) => Err(errors::option("template", "give it, or defang, not both")),
        }
    }
}

/// The text of the template that replaces links; `None` if there is none, or if it has a name
/// ([`defangs`]).
pub(crate) fn template(config: &Config) -> Option<String> {
    config.get_template().filter(|_| !defangs(config)).map(Template::to_string)
}

/// Whether links are made harmless.
pub(crate) fn defangs(config: &Config) -> bool {
    config.get_template() == Some(&Template::defang())
}

/// The options of `config` that differ from the defaults, as arguments of `Finder`.
pub(crate) fn described(py: Python<'_>, config: &Config) -> PyResult<String> {
    let default = Config::new();
    let mut words: Vec<String> = Vec::new();
    let mut push = |name: &str, value: Bound<'_, PyAny>| -> PyResult<()> {
        words.push(format!("{name}={}", value.repr()?));
        Ok(())
    };
    let word = |value: &dyn Display| PyString::new(py, &value.to_string()).into_any();
    if !config.get_kinds().eq(default.get_kinds()) {
        push("kinds", kinds(py, config)?)?;
    }
    if let Some(charset) = config.get_charset() {
        push("charset", word(&charset.name()))?;
    }
    if config.get_format() != default.get_format() {
        push("format", word(&config.get_format()))?;
    }
    if config.get_rules() != default.get_rules() {
        push("rules", word(&config.get_rules()))?;
    }
    if config.get_schemes().is_some() {
        push("schemes", schemes(py, config)?)?;
    }
    if config.get_direction() != default.get_direction() {
        push("to", word(&config.get_direction()))?;
    }
    if config.get_host_labels() != default.get_host_labels() {
        push("host", word(&config.get_host_labels()))?;
    }
    if config.get_host() != default.get_host() {
        push("host", word(&config.get_host()))?;
    }
    if let Some(query) = config.get_query() {
        push("query", word(&query))?;
    }
    if config.get_nfc() != default.get_nfc() {
        push("nfc", word(&config.get_nfc()))?;
    }
    if config.get_max_len() != default.get_max_len() {
        push("max_len", config.get_max_len().into_pyobject(py)?.into_any())?;
    }
    if !config.get_fields().is_empty() {
        push("fields", fields(py, config)?)?;
    }
    if let Some(delimiter) = config.get_delimiter() {
        push("delimiter", word(&delimiter))?;
    }
    if config.get_ascii_only() {
        words.push("ascii_only=True".into());
    }
    if config.get_identifiers() {
        words.push("identifiers=True".into());
    }
    if !config.get_code() {
        words.push("code=False".into());
    }
    if config.get_elements() {
        words.push("elements=True".into());
    }
    if config.get_unwrap() {
        words.push("unwrap=True".into());
    }
    if let Some(text) = template(config) {
        words.push(format!("template={}", word(&text).repr()?));
    }
    if defangs(config) {
        words.push("defang=True".into());
    }
    if let Some(filter) = config.get_filter() {
        words.extend(choosing::described(py, filter)?);
    }
    Ok(format!("Finder({})", words.join(", ")))
}

/// The value of `kinds`: a tuple of words.
pub(crate) fn kinds<'py>(py: Python<'py>, config: &Config) -> PyResult<Bound<'py, PyAny>> {
    let words: Vec<&str> = config.get_kinds().map(Kind::as_str).collect();
    Ok(pyo3::types::PyTuple::new(py, words)?.into_any())
}

/// The value of `fields`: a tuple of names.
pub(crate) fn fields<'py>(py: Python<'py>, config: &Config) -> PyResult<Bound<'py, PyAny>> {
    Ok(pyo3::types::PyTuple::new(py, config.get_fields())?.into_any())
}

/// The value of `schemes`: None, a word, or a tuple of names.
pub(crate) fn schemes<'py>(py: Python<'py>, config: &Config) -> PyResult<Bound<'py, PyAny>> {
    Ok(match config.get_schemes() {
        None => py.None().into_bound(py),
        Some(Schemes::Common) => PyString::new(py, "common").into_any(),
        Some(Schemes::Any) => PyString::new(py, "any").into_any(),
        Some(Schemes::List(names)) => pyo3::types::PyTuple::new(py, names)?.into_any(),
        Some(_) => py.None().into_bound(py),
    })
}
