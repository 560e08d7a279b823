//! A finder from its options, as words of the command line.

use std::{fmt::Display, str::FromStr};

use iriscan::{
    Charset, Config, Direction, Filter, Finder, HostList, Kind, NameError, Schemes, Template,
};

/// The strings of the input, each after its length in four bytes, least significant first.
pub(crate) fn strings(mut input: &[u8]) -> Vec<&str> {
    let mut strings = Vec::new();
    while let Some((len, rest)) = input.split_first_chunk() {
        let Some((text, rest)) = rest.split_at_checked(u32::from_le_bytes(*len) as usize) else {
            break;
        };
        strings.push(str::from_utf8(text).unwrap_or_default());
        input = rest;
    }
    strings
}

/// The value that `word` names, for the option `name`.
pub(crate) fn value<T: FromStr<Err = NameError>>(name: &str, word: &str) -> Result<T, String> {
    word.parse().map_err(|e| wrong(name, e))
}

/// The charset with this label.
pub(crate) fn charset(name: &str, label: &str) -> Result<Charset, String> {
    Charset::for_label(label).map_err(|e| wrong(name, e))
}

fn wrong(name: &str, why: impl Display) -> String {
    format!("{name}: {why}")
}

/// The finder with the options of `input`: strings that are names and values by turns. The same name
/// comes once for each value of a list. `core.js` has checked the types.
pub(crate) fn finder(input: &[u8]) -> Result<Finder, String> {
    let strings = strings(input);
    let given: Vec<(&str, &str)> = strings.chunks_exact(2).map(|two| (two[0], two[1])).collect();
    let all = |name: &'static str| {
        given.iter().filter(move |(key, _)| *key == name).map(|(_, value)| *value)
    };
    let config = all("to").try_fold(Config::new(), |config, to| {
        Ok::<_, String>(config.direction(value("to", to)?))
    })?;
    let config = given.iter().try_fold(config, |config, (name, value)| set(config, name, value))?;
    let kinds: Vec<Kind> =
        all("kinds").map(|kind| value("kinds", kind)).collect::<Result<_, _>>()?;
    let config = if kinds.is_empty() { config } else { config.kinds(kinds) };
    let fields: Vec<&str> = all("fields").collect();
    let config = if fields.is_empty() { config } else { config.fields(fields) };
    let schemes: Vec<String> = all("schemes").map(str::to_owned).collect();
    let config = match schemes.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => config,
        ["common"] => config.schemes(Schemes::Common),
        ["any"] => config.schemes(Schemes::Any),
        _ => config.schemes(Schemes::List(schemes)),
    };
    config.filter(filter(&given)?).build().map_err(|e| e.to_string())
}

/// Sets an option that has one value.
fn set(config: Config, name: &str, word: &str) -> Result<Config, String> {
    let yes = word == "true";
    Ok(match (name, config.get_direction()) {
        ("charset", _) if word == "auto" => config,
        ("charset", _) => config.charset(charset(name, word)?),
        ("format", _) => config.format(value(name, word)?),
        ("rules", _) => config.rules(value(name, word)?),
        ("host", Direction::Iri) => config.host_labels(value(name, word)?),
        ("host", _) => config.host(value(name, word)?),
        ("query", _) => config.query(value(name, word)?),
        ("nfc", _) => config.nfc(value(name, word)?),
        ("maxLen", _) => config.max_len(word.parse().map_err(|e| wrong(name, e))?),
        ("asciiOnly", _) => config.ascii_only(yes),
        ("identifiers", _) => config.identifiers(yes),
        ("code", _) => config.code(yes),
        ("elements", _) => config.elements(yes),
        ("unwrap", _) => config.unwrap(yes),
        ("delimiter", _) => {
            let one = || wrong(name, "give one character, such as \";\"");
            config.delimiter(word.parse::<char>().map_err(|_| one())?)
        }
        ("template", _) => config.template(Template::new(word).map_err(|e| wrong(name, e))?),
        _ => config,
    })
}

/// The filter; `None` if no option chooses among the links.
fn filter(given: &[(&str, &str)]) -> Result<Option<Filter>, String> {
    let mut filter = Filter::builder();
    let (mut chooses, mut hosts, mut literals) = (false, Vec::new(), Vec::new());
    for &(name, word) in given {
        let mut chosen = true;
        filter = match name {
            "onlyHost" => filter.only_host(word),
            "notHost" => filter.not_host(word),
            #[cfg(feature = "all")]
            "match" => filter.matching(word),
            #[cfg(feature = "all")]
            "notMatch" => filter.not_matching(word),
            #[cfg(not(feature = "all"))]
            "match" | "notMatch" => return Err(wrong(name, crate::ONLY_TEXT)),
            "changed" => filter.changed(word == "true"),
            "linksOnly" => filter.links_only(word == "true"),
            "hostsFrom" => {
                hosts.push(word);
                filter
            }
            "containsFrom" => {
                literals.extend(Some(word).filter(|word| !word.is_empty()));
                filter
            }
            _ => {
                chosen = false;
                filter
            }
        };
        chooses |= chosen;
    }
    if !hosts.is_empty() {
        let mut list = HostList::new();
        if let Some((_, first)) = list.push_lines(hosts.join("\n").as_bytes()) {
            return Err(wrong(
                "hostsFrom",
                format!("line {first} has no host; give a host a line"),
            ));
        }
        filter = filter.hosts_from(list);
    }
    if given.iter().any(|(name, _)| *name == "containsFrom") {
        filter = filter.contains(literals);
    }
    chooses.then(|| filter.build()).transpose().map_err(|e| e.to_string())
}
