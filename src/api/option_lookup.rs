//! Setting and reading the options of a [`Config`] by their names.
//!
//! Names and values go in as text, a configuration comes out, or an error that names the option, and for a name
//! that does not exist the nearest one, or all if none is near. What must hold: `host` has the words for the direction
//! `to`, whichever of them comes first.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::{
    config::Config,
    config_option::{ConfigOption, Draft, OptionError, OptionKind, last},
    options::OPTIONS,
};

impl Config {
    /// Every option that has a name.
    #[must_use]
    pub fn options() -> &'static [ConfigOption] {
        OPTIONS
    }

    /// Sets an option by its name, in the words of the command line. What the option said before is
    /// replaced. See [`Config::set_all`].
    ///
    /// # Errors
    ///
    /// There is no such option, or no such value.
    ///
    /// ```
    /// use iriscan::{Config, Kind};
    ///
    /// let config = Config::new().set("kinds", "iri,bare")?.set("ascii_only", "true")?;
    /// assert!(config.get_kinds().eq([Kind::Iri, Kind::Bare]));
    /// assert_eq!(config.get("kinds").as_deref(), Some("iri,bare"));
    /// # Ok::<(), iriscan::OptionError>(())
    /// ```
    pub fn set(self, name: &str, value: &str) -> Result<Config, OptionError> {
        self.set_all([(name, value)])
    }

    /// Sets options by their names. An option with several values comes once for each of them; a list of
    /// words may also have commas, and the lines of a file may be one value. `host` has the words for the
    /// direction `to`, whichever comes first.
    ///
    /// # Errors
    ///
    /// There is no such option, or no such value.
    ///
    /// ```
    /// use iriscan::Config;
    ///
    /// let options = [("not_host", "*.a.example"), ("not_host", "b.example"), ("links_only", "true")];
    /// let config = Config::new().set_all(options)?;
    /// assert_eq!(config.get("not_host").as_deref(), Some("*.a.example\nb.example"));
    /// # Ok::<(), iriscan::OptionError>(())
    /// ```
    pub fn set_all<'a>(
        self,
        options: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Config, OptionError> {
        let mut given: Vec<(&'static ConfigOption, Vec<&str>)> = Vec::new();
        for (name, value) in options {
            let option = named(name)?;
            match given.iter_mut().find(|(known, _)| known.name == option.name) {
                Some((_, values)) => values.push(value),
                None => given.push((option, Vec::from([value]))),
            }
        }
        let given_last = |name: &str| {
            let one = given.iter().find(|(option, _)| option.name == name);
            one.map(|(_, values)| last(values))
        };
        let named = ["defang", "refang"].into_iter().find(|name| given_last(name) == Some("true"));
        if given_last("template").is_some()
            && let Some(name) = named
        {
            let why = alloc::format!("give it, or {name}, not both");
            return Err(OptionError { option: "template".to_owned(), why });
        }
        // It decides which words `host` has.
        given.sort_by_key(|(option, _)| option.name != "to");
        let mut draft = Draft { config: self, filter: None };
        for (option, values) in given {
            let set = (option.set)(&mut draft, &values);
            set.map_err(|why| OptionError { option: option.name.to_owned(), why })?;
        }
        draft.finish()
    }

    /// The value of an option by its name: words with commas between them, texts and lines on a line each.
    /// `None` if there is no such option, or if it was not given and has no default.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<String> {
        let option = named(name).ok()?;
        let values = option.values(self)?;
        Some(values.join(if option.kind == OptionKind::Words { "," } else { "\n" }))
    }
}

/// The option of this name.
fn named(name: &str) -> Result<&'static ConfigOption, OptionError> {
    OPTIONS.iter().find(|option| option.name == name).ok_or_else(|| {
        if cfg!(iriscan_strings) {
            return OptionError { option: name.to_owned(), why: String::new() };
        }
        let nearest = OPTIONS.iter().map(|option| (distance(name, option.name), option.name)).min();
        // A name of which more than a third differs is another word.
        let why = match nearest {
            Some((letters, nearest)) if 3 * letters <= nearest.len().max(name.len()) => {
                alloc::format!("no option has this name; the nearest one is {nearest}")
            }
            _ => {
                let names: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
                alloc::format!("no option has this name; use one of {}", names.join(", "))
            }
        };
        OptionError { option: name.to_owned(), why }
    })
}

/// How many letters must be put in, taken out or replaced to make `b` of `a` (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    // No option has a name of that length.
    for (i, x) in a.bytes().take(64).enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
