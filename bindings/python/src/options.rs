//! Options of a caller: the words of the command line, as `Config::options` of the library has them.

use std::str::FromStr;

use iriscan::{
    Charset, Config, ConfigOption, Finder, HostForm, HostList, NameError, OptionError, OptionKind,
};
use pyo3::{
    exceptions::{PyTypeError, PyUserWarning},
    prelude::*,
    types::{PyBool, PyBytes, PyDict, PyInt, PyString, PyTuple},
};

use crate::{data, errors};

/// The most elements that `repr` shows.
const SHOWN: usize = 100;

/// The value that `word` names, for the option `name`.
pub(crate) fn value<T: FromStr<Err = NameError>>(name: &str, word: &str) -> PyResult<T> {
    word.parse().map_err(|e| errors::option(name, e))
}

/// The charset with this label.
pub(crate) fn charset(name: &str, label: &str) -> PyResult<Charset> {
    Charset::for_label(label).map_err(|e| errors::option(name, e))
}

/// Refuses keyword arguments that a function with the options `known` does not have.
pub(crate) fn refuse(others: Option<&Bound<'_, PyDict>>, known: &[&str]) -> PyResult<()> {
    let Some((name, _)) = others.and_then(|others| others.iter().next()) else { return Ok(()) };
    let difflib = name.py().import("difflib")?;
    let near = difflib.call_method1("get_close_matches", (&name, known, 1))?;
    let what = match near.get_item(0) {
        Ok(nearest) => format!("the nearest one is {nearest}"),
        Err(_) => format!("use one of {}", known.join(", ")),
    };
    let why = format!("{name}: no option has this name; {what}");
    Err(PyTypeError::new_err(why))
}

/// The finder with the options that are given as keyword arguments.
pub(crate) fn finder(options: Option<&Bound<'_, PyDict>>) -> PyResult<Finder> {
    let mut given: Vec<(String, String)> = Vec::new();
    for (name, value) in options.into_iter().flatten() {
        let name: String = name.extract()?;
        match Config::options().iter().find(|option| option.name() == name) {
            Some(_) if value.is_none() => {}
            // The default is a form of URIs; of IRIs it says nothing.
            Some(_) if name == "host" && value.eq(HostForm::default().as_str())? => {}
            Some(option) => {
                let values = texts(option, &value)?;
                given.extend(values.into_iter().map(|value| (name.clone(), value)));
            }
            None => {
                // The library says which one is the nearest.
                let error = Config::new().set(&name, "").err();
                let why = error.map_or(name, |e| e.to_string());
                return Err(PyTypeError::new_err(why));
            }
        }
    }
    let pairs = given.iter().map(|(name, value)| (&**name, &**value));
    let fails = |e: OptionError| errors::ConfigError::new_err(e.to_string());
    let config = Config::new().set_all(pairs).map_err(fails)?;
    if let Some(options) = options {
        warn(options.py(), &config)?;
    }
    config.build().map_err(|e| errors::ConfigError::new_err(e.to_string()))
}

/// Says which lines of a list of hosts were left out.
fn warn(py: Python<'_>, config: &Config) -> PyResult<()> {
    let Some(filter) = config.get_filter() else { return Ok(()) };
    for (name, lists) in
        [("hosts_from", filter.get_hosts_from()), ("not_hosts_from", filter.get_not_hosts_from())]
    {
        if let Some((wrong, first)) = lists.iter().find_map(HostList::left_out) {
            let what =
                format!("{name}: {wrong} lines without a host, from line {first} on, left out");
            let what = std::ffi::CString::new(what).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &what, 1)?;
        }
    }
    Ok(())
}

/// The values of an option in the words of the library.
fn texts(option: &ConfigOption, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let name = option.name();
    let fails = |what: &str| Err(PyTypeError::new_err(format!("{name}: expected {what}")));
    let text = match value.cast::<PyString>() {
        Ok(text) => Some(data::text(text)),
        Err(_) => None,
    };
    Ok(vec![match (option.kind(), text) {
        (OptionKind::Flag, _) => match value.cast::<PyBool>() {
            Ok(yes) => yes.is_true().to_string(),
            Err(_) => return fails("bool"),
        },
        (OptionKind::Number, _) if value.is_instance_of::<PyInt>() => {
            // No stream is longer than that, so a higher limit changes nothing.
            match value.extract::<u64>() {
                Ok(number) => number.min(i64::MAX as u64).to_string(),
                // The library says that it is no number of bytes.
                Err(_) if value.lt(0)? => value.to_string(),
                Err(_) => i64::MAX.to_string(),
            }
        }
        (OptionKind::Number, _) => return fails("int"),
        (OptionKind::Lines, _) => {
            let lines = lines(name, value)?;
            match String::from_utf8(lines) {
                Ok(text) => text,
                Err(e) if name == "contains_from" => {
                    let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
                    let number = 1 + before.iter().filter(|b| **b == b'\n').count();
                    return Err(errors::option(name, format_args!("line {number} is not UTF-8")));
                }
                // Such a line is no host.
                Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
            }
        }
        (_, Some(text)) => text.into_owned(),
        (OptionKind::Words | OptionKind::Texts, None) => {
            let values = strings(name, value)?;
            return Ok(match (values.is_empty(), option.kind()) {
                (true, OptionKind::Words) => vec![String::new()],
                _ => values,
            });
        }
        _ => return fails("str"),
    }])
}

/// The values of an iterable of strings.
fn strings(name: &str, values: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let fails = || PyTypeError::new_err(format!("{name}: expected str or an iterable of str"));
    let items = values.try_iter().map_err(|_| fails())?;
    let text = |item: Bound<'_, PyAny>| match item.cast::<PyString>() {
        Ok(text) => Ok(data::text(text).into_owned()),
        Err(_) => Err(fails()),
    };
    items.map(|item| text(item?)).collect()
}

/// The lines of a list, joined: of a path, or of an iterable of str or bytes, such as a file.
fn lines(name: &str, list: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let py = list.py();
    if list.is_instance_of::<PyString>() || list.hasattr("__fspath__")? {
        let file = py.import("builtins")?.call_method1("open", (list, "rb"))?;
        let read = file.call_method0("read").and_then(|bytes| bytes.extract());
        file.call_method0("close")?;
        return read;
    }
    let fails = || PyTypeError::new_err(format!("{name}: expected a path or an iterable of lines"));
    let mut joined = Vec::new();
    for item in list.try_iter().map_err(|_| fails())? {
        let item = item?;
        match (item.cast::<PyString>(), item.cast::<PyBytes>()) {
            (Ok(text), _) => joined.extend_from_slice(data::text(text).as_bytes()),
            (_, Ok(bytes)) => joined.extend_from_slice(bytes.as_bytes()),
            _ => return Err(fails()),
        }
        if !joined.ends_with(b"\n") {
            joined.push(b'\n');
        }
    }
    Ok(joined)
}

/// The value of an option as Python has it.
pub(crate) fn value_of<'py>(
    py: Python<'py>,
    config: &Config,
    option: &ConfigOption,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(values) = option.values(config) else { return Ok(py.None().into_bound(py)) };
    let first = values.first().map_or("", |value| value);
    Ok(match (option.kind(), first) {
        (OptionKind::Flag, value) => PyBool::new(py, value == "true").to_owned().into_any(),
        (OptionKind::Number, value) => {
            value.parse::<u64>().unwrap_or_default().into_pyobject(py)?.into_any()
        }
        // They are no lists.
        (OptionKind::Words, word @ ("common" | "any")) => PyString::new(py, word).into_any(),
        (OptionKind::Text, "auto") => py.None().into_bound(py),
        (OptionKind::Word(_) | OptionKind::Text, word) => PyString::new(py, word).into_any(),
        _ => PyTuple::new(py, values)?.into_any(),
    })
}

/// All options, as keyword arguments.
pub(crate) fn all<'py>(py: Python<'py>, config: &Config) -> PyResult<Bound<'py, PyDict>> {
    let options = PyDict::new(py);
    for option in Config::options() {
        options.set_item(option.name(), value_of(py, config, option)?)?;
    }
    Ok(options)
}

/// The options that differ from the defaults, as a call of `Finder`. Equal finders have equal calls. Lists
/// that are long are only counted. `names_format`: the format is there also if it is the default.
pub(crate) fn described(py: Python<'_>, config: &Config, names_format: bool) -> PyResult<String> {
    let default = Config::new();
    let mut words: Vec<String> = Vec::new();
    for option in Config::options() {
        let (name, values) = (option.name(), option.values(config));
        let is_named = name == "format" && names_format;
        if values == option.values(&default) && !is_named {
            continue;
        }
        let value = match values {
            Some(values) if option.kind() == OptionKind::Lines && values.len() > SHOWN => {
                words.push(format!("{name}=<{} lines>", values.len()));
                continue;
            }
            Some(mut values) if matches!(name, "hosts_from" | "not_hosts_from") => {
                values.sort();
                PyTuple::new(py, values)?.into_any()
            }
            _ => value_of(py, config, option)?,
        };
        words.push(format!("{name}={}", value.repr()?));
    }
    Ok(format!("Finder({})", words.join(", ")))
}
