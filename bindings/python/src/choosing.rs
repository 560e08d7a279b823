//! Options of a caller that choose among the links, and the lists that they name.

use iriscan::{Filter, HostList};
use pyo3::{
    exceptions::{PyTypeError, PyUserWarning},
    prelude::*,
    types::{PyBytes, PyString, PyTuple},
};

use crate::{data, errors};

/// The most elements that `repr` shows.
const SHOWN: usize = 100;

/// The options, as they are given.
#[derive(Default)]
pub(crate) struct Choosing<'a, 'py> {
    pub(crate) only_host: Option<&'a Bound<'py, PyAny>>,
    pub(crate) not_host: Option<&'a Bound<'py, PyAny>>,
    pub(crate) hosts_from: Option<&'a Bound<'py, PyAny>>,
    pub(crate) matching: Option<&'a Bound<'py, PyAny>>,
    pub(crate) not_match: Option<&'a Bound<'py, PyAny>>,
    pub(crate) contains_from: Option<&'a Bound<'py, PyAny>>,
    pub(crate) changed: bool,
    pub(crate) links_only: bool,
}

impl Choosing<'_, '_> {
    /// The filter; None if no option chooses.
    pub(crate) fn filter(&self) -> PyResult<Option<Filter>> {
        let mut filter = Filter::builder().changed(self.changed).links_only(self.links_only);
        let mut chooses = self.changed || self.links_only;
        let mut each = |name, values, add: fn(_, String) -> _| -> PyResult<()> {
            for value in strings(name, values)? {
                chooses = true;
                filter = add(std::mem::take(&mut filter), value);
            }
            Ok(())
        };
        each("only_host", self.only_host, iriscan::FilterBuilder::only_host)?;
        each("not_host", self.not_host, iriscan::FilterBuilder::not_host)?;
        each("match", self.matching, iriscan::FilterBuilder::matching)?;
        each("not_match", self.not_match, iriscan::FilterBuilder::not_matching)?;
        if let Some(list) = self.hosts_from {
            chooses = true;
            filter = filter.hosts_from(hosts(list)?);
        }
        if let Some(list) = self.contains_from {
            chooses = true;
            filter = filter.contains(literals(list)?);
        }
        if !chooses {
            return Ok(None);
        }
        filter.build().map(Some).map_err(|e| errors::ConfigError::new_err(e.to_string()))
    }
}

/// The values of an option: a str is one value.
fn strings(name: &str, values: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let Some(values) = values else { return Ok(Vec::new()) };
    if let Ok(text) = values.cast::<PyString>() {
        return Ok(vec![data::text(text).into_owned()]);
    }
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

fn hosts(list: &Bound<'_, PyAny>) -> PyResult<HostList> {
    let mut hosts = HostList::new();
    if let Some((wrong, first)) = hosts.push_lines(&lines("hosts_from", list)?) {
        let what =
            format!("hosts_from: {wrong} lines without a host, from line {first} on, left out");
        let what = std::ffi::CString::new(what).unwrap_or_default();
        PyErr::warn(list.py(), &list.py().get_type::<PyUserWarning>(), &what, 1)?;
    }
    Ok(hosts)
}

fn literals(list: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let bytes = lines("contains_from", list)?;
    let lines = bytes.split(|b| *b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let mut literals = Vec::new();
    for (number, line) in (1..).zip(lines) {
        match str::from_utf8(line) {
            Ok("") => {}
            Ok(line) => literals.push(line.to_owned()),
            Err(_) => {
                let what = format!("line {number} is not UTF-8");
                return Err(errors::option("contains_from", what));
            }
        }
    }
    Ok(literals)
}

/// The values of the options of a filter: a tuple, or None if the list was not given.
pub(crate) fn value<'py>(
    py: Python<'py>,
    filter: Option<&Filter>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let tuple = |values: Vec<String>| Ok(PyTuple::new(py, values)?.into_any());
    let none = || py.None().into_bound(py);
    let owned = |values: &[String]| values.to_vec();
    match (name, filter) {
        ("hosts_from", None | Some(_)) => match filter.map(Filter::get_hosts_from) {
            None | Some([]) => Ok(none()),
            Some(lists) => tuple(lists.iter().flat_map(names).collect()),
        },
        ("contains_from", _) => match filter.and_then(Filter::get_contains) {
            None => Ok(none()),
            Some(literals) => tuple(owned(literals)),
        },
        ("only_host", Some(filter)) => tuple(filter.get_only_host().map(str::to_owned).collect()),
        ("not_host", Some(filter)) => tuple(filter.get_not_host().map(str::to_owned).collect()),
        ("match", Some(filter)) => tuple(owned(filter.get_matching())),
        ("not_match", Some(filter)) => tuple(owned(filter.get_not_matching())),
        _ => tuple(Vec::new()),
    }
}

fn names(list: &HostList) -> Vec<String> {
    list.iter().map(std::borrow::Cow::into_owned).collect()
}

/// The names of the options that are tuples or None.
pub(crate) const NAMES: [&str; 6] =
    ["only_host", "not_host", "hosts_from", "match", "not_match", "contains_from"];

/// The options as arguments of `Finder`. Equal filters have equal arguments. Lists that are long are
/// only counted.
pub(crate) fn described(py: Python<'_>, filter: &Filter) -> PyResult<Vec<String>> {
    let mut words = Vec::new();
    for name in NAMES {
        let values = value(py, Some(filter), name)?;
        let Ok(values) = values.cast::<PyTuple>() else { continue };
        let is_list = ["hosts_from", "contains_from"].contains(&name);
        if values.is_empty() && !is_list {
            continue;
        }
        words.push(match values.len() {
            len if len > SHOWN => format!("{name}=<{len} lines>"),
            _ if name == "hosts_from" => {
                let mut lines: Vec<String> = values.extract::<Vec<String>>()?;
                lines.sort();
                format!("{name}={}", PyTuple::new(py, lines)?.repr()?)
            }
            _ => format!("{name}={}", values.repr()?),
        });
    }
    if filter.get_changed() {
        words.push("changed=True".into());
    }
    if filter.get_links_only() {
        words.push("links_only=True".into());
    }
    Ok(words)
}
