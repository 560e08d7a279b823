//! The options of a [`Config`] by name, for programs that read them as text: a command, a binding, a file.
//!
//! [`OPTIONS`] has a row for each option, with its name, its values, and the functions that set and read it in a
//! configuration. The names are those of the command line, with `_` for `-`.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    config::Config,
    config_option::{ConfigOption, OptionKind, edit, last, template},
};
use crate::{
    charset::Charset,
    data::{names::NameError, schemes::Schemes},
    format::kinds::Format,
    grammar::types::{Kind, RuleSet},
    links::{
        edit::LinkEdit,
        filter::{Filter, HostList},
        rewrite::Rewrite,
        template::Template,
    },
    reference::{
        base::BaseUri,
        to_iri::HostLabels,
        to_uri::{Disallowed, HostForm, Nfc, QueryCharset},
    },
};

/// The value that the last word names.
fn word<T: core::str::FromStr<Err = NameError>>(values: &[&str]) -> Result<T, String> {
    last(values).parse().map_err(|e: NameError| e.to_string())
}

fn flag(values: &[&str]) -> Result<bool, String> {
    match last(values) {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(alloc::format!("{other:?} is neither true nor false")),
    }
}

/// The words of a list, each value with commas; an empty value has none.
fn words<'v>(values: &'v [&'v str]) -> impl Iterator<Item = &'v str> {
    let given = values.iter().filter(|value| !value.trim().is_empty());
    given.flat_map(|value| value.split(',')).map(str::trim)
}

/// Texts as they are kept.
fn owned<'t>(values: impl IntoIterator<Item = &'t str>) -> Vec<String> {
    values.into_iter().map(ToOwned::to_owned).collect()
}

fn one(value: impl ToString) -> Option<Vec<String>> {
    Some(Vec::from([value.to_string()]))
}

/// What a filter says; `None` if there is no filter.
fn chosen<T>(config: &Config, read: impl FnOnce(&Filter) -> T) -> Option<T> {
    config.get_filter().map(read)
}

/// The hosts of lists; `None` if there is no list.
fn host_names(lists: &[HostList]) -> Option<Vec<String>> {
    let names = || lists.iter().flat_map(HostList::iter).map(alloc::borrow::Cow::into_owned);
    (!lists.is_empty()).then(|| names().collect())
}

/// The list of hosts that the lines of `values` are.
fn host_list(values: &[&str]) -> HostList {
    let mut list = HostList::new();
    list.push_lines(values.join("\n").as_bytes());
    list
}

/// A row of the table.
macro_rules! option {
    ($name:literal, $kind:expr, $about:literal, $get:expr, $set:expr) => {
        ConfigOption { name: $name, kind: $kind, about: $about, get: $get, set: $set }
    };
}

/// A row of a flag that is a method of [`Config`].
macro_rules! flag {
    ($name:literal, $about:literal, $get:ident, $set:ident) => {
        option!($name, OptionKind::Flag, $about, |config| one(config.$get()), |draft, values| {
            let yes = flag(values)?;
            draft.set(|config| config.$set(yes))
        })
    };
}

/// Every option. With `--cfg iriscan_strings` those that say how links are found in strings.
pub(super) static OPTIONS: &[ConfigOption] = &[
    option!(
        "kinds",
        OptionKind::Words,
        "The kinds of link: iri (with a scheme), bare (a host without one), email, ip (an IP address without one)",
        |config| Some(config.get_kinds().map(|kind| kind.as_str().to_owned()).collect()),
        |draft, values| {
            let kinds = words(values).map(str::parse).collect::<Result<Vec<Kind>, NameError>>();
            let kinds = kinds.map_err(|e| e.to_string())?;
            if kinds.is_empty() {
                return Err(format!(
                    "empty; name at least one of {}",
                    Kind::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ")
                ));
            }
            draft.set(|config| config.kinds(kinds))
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "charset",
        OptionKind::Text,
        "The charset of the input; auto: it is detected",
        |config| one(config.get_charset().map_or("auto", Charset::name)),
        |draft, values| {
            let charset = match last(values) {
                "auto" => None,
                label => Some(Charset::for_label(label).map_err(|e| e.to_string())?),
            };
            draft.set(|config| config.charset(charset))
        }
    ),
    #[cfg(not(iriscan_strings))]
    flag!(
        "force_charset",
        "In mail, the charset also of parts that declare another one",
        get_force_charset,
        force_charset
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "format",
        OptionKind::Word(Format::NAMES),
        "The syntax around the text",
        |config| one(config.get_format()),
        |draft, values| {
            let format = word::<Format>(values)?;
            draft.set(|config| config.format(format))
        }
    ),
    option!(
        "rules",
        OptionKind::Word(RuleSet::NAMES),
        "The rules for where a link starts and ends; uts58: Unicode Technical Standard 58 to the letter",
        |config| one(config.get_rules()),
        |draft, values| {
            let rules = word::<RuleSet>(values)?;
            draft.set(|config| config.rules(rules))
        }
    ),
    option!(
        "schemes",
        OptionKind::Words,
        "The schemes that count: common, any, or a list; in attributes of markup any, unless it is given",
        |config| config.get_schemes().map(|schemes| match schemes {
            Schemes::Common => owned(["common"]),
            Schemes::Any => owned(["any"]),
            Schemes::List(names) => names.clone(),
        }),
        |draft, values| {
            let names: Vec<&str> = words(values).collect();
            if names.is_empty() {
                return Err("empty; name at least one".to_owned());
            }
            let Ok(schemes) = names.join(",").parse();
            draft.set(|config| config.schemes(schemes))
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "to",
        OptionKind::Word(&["uri", "iri"]),
        "What rewriting makes of links",
        |config| match config.get_rewrite() {
            Rewrite::Iri(_) => one("iri"),
            _ => one("uri"),
        },
        |draft, values| {
            let to_iri = match last(values) {
                "uri" => false,
                "iri" => true,
                other => {
                    return Err(alloc::format!(
                        "{other:?} is not a form of links; use one of uri, iri"
                    ));
                }
            };
            match (to_iri, draft.config.get_rewrite()) {
                (true, Rewrite::Iri(_))
                | (false, Rewrite::Uri | Rewrite::Template(_) | Rewrite::Edit(_)) => Ok(()),
                (true, Rewrite::Template(_)) => {
                    Err("there is a template; give one of both".to_owned())
                }
                (true, Rewrite::Edit(_)) => {
                    Err("parts of links change; give one of both".to_owned())
                }
                (true, _) => draft.set(|config| config.rewrite(Rewrite::Iri(HostLabels::Keep))),
                (false, _) => draft.set(|config| config.rewrite(Rewrite::Uri)),
            }
        }
    ),
    option!(
        "host",
        OptionKind::Word(&["punycode", "percent", "keep", "unicode"]),
        "The form of a host that is not ASCII; to iri: keep or unicode",
        |config| match config.get_rewrite() {
            Rewrite::Iri(labels) => one(labels),
            _ => one(config.get_host()),
        },
        |draft, values| match draft.config.get_rewrite() {
            Rewrite::Iri(_) => {
                let labels = word::<HostLabels>(values)?;
                draft.set(|config| config.rewrite(Rewrite::Iri(labels)))
            }
            _ => {
                let host = word::<HostForm>(values)?;
                draft.set(|config| config.host(host))
            }
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "query",
        OptionKind::Word(QueryCharset::NAMES),
        "The charset of a query that is not ASCII in a legacy document; if it is not given, utf-8 in mail that is not HTML",
        |config| config.get_query().and_then(one),
        |draft, values| {
            let query = word::<QueryCharset>(values)?;
            draft.set(|config| config.query(query))
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "disallowed",
        OptionKind::Word(Disallowed::NAMES),
        "The ASCII that no URI has, such as ^ and {: encoded in URIs; if it is not given, a rewritten document keeps it in links of ASCII",
        |config| config.get_disallowed().and_then(one),
        |draft, values| {
            let disallowed = word::<Disallowed>(values)?;
            draft.set(|config| config.disallowed(disallowed))
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "nfc",
        OptionKind::Word(Nfc::NAMES),
        "When text is normalised before it is encoded; auto: from a legacy charset",
        |config| one(config.get_nfc()),
        |draft, values| {
            let nfc = word::<Nfc>(values)?;
            draft.set(|config| config.nfc(nfc))
        }
    ),
    option!(
        "max_len",
        OptionKind::Number,
        "The longest link, in bytes of the source",
        |config| one(config.get_max_len()),
        |draft, values| {
            let bytes = last(values).parse();
            let bytes = bytes.map_err(|_| {
                alloc::format!("{:?} is no number of bytes, such as 65536", last(values))
            })?;
            draft.set(|config| config.max_len(bytes))
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "base",
        OptionKind::Text,
        "The URI that relative links are resolved against; a base in a document is resolved against it",
        |config| config.get_base().and_then(one),
        |draft, values| {
            let base = BaseUri::new(last(values)).map_err(|e| e.to_string())?;
            draft.set(|config| config.base(base))
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "fields",
        OptionKind::Texts,
        "In JSON, only the strings in fields of these names",
        |config| Some(config.get_fields().to_vec()),
        |draft, values| draft.set(|config| config.fields(values.iter().copied()))
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "delimiter",
        OptionKind::Text,
        "In CSV, the character between fields; found in the first records if it is not given",
        |config| config.get_delimiter().and_then(one),
        |draft, values| {
            let delimiter: char =
                last(values).parse().map_err(|_| "give one character, such as \";\"".to_owned())?;
            draft.set(|config| config.delimiter(delimiter))
        }
    ),
    flag!("ascii_only", "A character that is not ASCII ends a link", get_ascii_only, ascii_only),
    #[cfg(not(iriscan_strings))]
    flag!(
        "identifiers",
        "Identifiers of RDF and keys of PO are rewritten too",
        get_identifiers,
        identifiers
    ),
    #[cfg(not(iriscan_strings))]
    flag!("code", "In Markdown, links in code count", get_code, code),
    #[cfg(not(iriscan_strings))]
    flag!(
        "comments",
        "In HTML and XML, links in comments count, as in running text",
        get_comments,
        comments
    ),
    #[cfg(not(iriscan_strings))]
    flag!(
        "nested",
        "When links are found, those in the queries of links too: ?u=http%3A%2F%2Fb.example%2F",
        get_nested,
        nested
    ),
    #[cfg(not(iriscan_strings))]
    flag!(
        "targets",
        "In logs, the targets of requests are links: /dir/ in \"GET /dir/ HTTP/1.1\"",
        get_targets,
        targets
    ),
    #[cfg(not(iriscan_strings))]
    flag!(
        "elements",
        "Links of HTML and XML say where they are: element, attribute and anchor",
        get_elements,
        elements
    ),
    #[cfg(not(iriscan_strings))]
    flag!(
        "unwrap",
        "What opens the wrapper of a mail gateway is the link inside",
        get_unwrap,
        unwrap
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "template",
        OptionKind::Text,
        "What rewriting writes in the place of each link, with fields such as {host}",
        |config| template(config).filter(|it| !it.is_named()).and_then(one),
        |draft, values| {
            let template = Template::new(last(values)).map_err(|e| e.to_string())?;
            draft.fill(template)
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "defang",
        OptionKind::Flag,
        "Rewriting makes links harmless: hxxp[:]//host[.]example",
        |config| one(template(config) == Some(&Template::defang())),
        |draft, values| draft.fill_if(flag(values)?, Template::defang())
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "refang",
        OptionKind::Flag,
        "Rewriting makes links of links that were made harmless; needs the format defanged",
        |config| one(template(config) == Some(&Template::refang())),
        |draft, values| draft.fill_if(flag(values)?, Template::refang())
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "set",
        OptionKind::Texts,
        "Rewriting changes one part of each link: host=new.example, scheme=https, port=8080; port= takes it away",
        |config| {
            let edit = edit(config);
            let parts = [
                ("scheme", edit.and_then(LinkEdit::get_scheme)),
                ("host", edit.and_then(LinkEdit::get_host)),
                ("port", edit.and_then(LinkEdit::get_port)),
            ];
            let given = parts.into_iter().filter_map(|(name, value)| Some((name, value?)));
            Some(given.map(|(name, value)| [name, "=", value].concat()).collect())
        },
        |draft, values| {
            draft.edit(|edit| {
                values.iter().copied().try_fold(edit.without_settings(), LinkEdit::set)
            })
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "path_prefix",
        OptionKind::Texts,
        "Rewriting changes the start of paths: the old one and the new one, in pairs",
        |config| {
            let pairs = edit(config).into_iter().flat_map(LinkEdit::get_path_prefixes);
            Some(pairs.flat_map(|(old, new)| owned([old, new])).collect())
        },
        |draft, values| {
            let pairs = values.chunks_exact(2);
            if !pairs.remainder().is_empty() {
                return Err(
                    "give pairs of an old start and a new one, such as /blog and /news".to_owned()
                );
            }
            draft.edit(|edit| {
                let mut pairs = pairs.into_iter();
                let edit = edit.without_prefixes();
                pairs.try_fold(edit, |edit, pair| edit.path_prefix(pair[0], pair[1]))
            })
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "drop_query",
        OptionKind::Texts,
        "Rewriting leaves out parameters of queries whose names are like one of these: utm_*",
        |config| Some(edit(config).map(|it| it.get_drop_query().to_vec()).unwrap_or_default()),
        |draft, values| draft.edit(|edit| {
            values.iter().try_fold(edit.without_dropped(), |edit, glob| edit.drop_query(glob))
        })
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "only_host",
        OptionKind::Texts,
        "Only links with a host like one of these: *.example.org, which does not match example.org",
        |config| Some(chosen(config, |it| owned(it.get_only_host())).unwrap_or_default()),
        |draft, values| draft.choose(|it| it.only_hosts(values))
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "not_host",
        OptionKind::Texts,
        "No links with a host like one of these",
        |config| Some(chosen(config, |it| owned(it.get_not_host())).unwrap_or_default()),
        |draft, values| draft.choose(|it| it.not_hosts(values))
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "hosts_from",
        OptionKind::Lines,
        "Only links with a host of this list, or below one: lines of a hosts file or of a blocker",
        |config| config.get_filter().and_then(|it| host_names(it.get_hosts_from())),
        |draft, values| draft.choose(|it| it.only_hosts_from(host_list(values)))
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "not_hosts_from",
        OptionKind::Lines,
        "No links with a host of this list, or below one",
        |config| config.get_filter().and_then(|it| host_names(it.get_not_hosts_from())),
        |draft, values| draft.choose(|it| it.none_hosts_from(host_list(values)))
    ),
    #[cfg(all(feature = "regex", not(iriscan_strings)))]
    option!(
        "match",
        OptionKind::Texts,
        "Only links whose IRI one of these regular expressions matches, in the syntax of ripgrep",
        |config| Some(chosen(config, |it| it.get_matching().to_vec()).unwrap_or_default()),
        |draft, values| draft.choose(|it| it.all_matching(values))
    ),
    #[cfg(all(feature = "regex", not(iriscan_strings)))]
    option!(
        "not_match",
        OptionKind::Texts,
        "No links whose IRI one of these regular expressions matches",
        |config| Some(chosen(config, |it| it.get_not_matching().to_vec()).unwrap_or_default()),
        |draft, values| draft.choose(|it| it.none_matching(values))
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "contains_from",
        OptionKind::Lines,
        "Only links whose IRI contains one of these strings",
        |config| chosen(config, |it| it.get_contains().map(<[String]>::to_vec)).flatten(),
        |draft, values| {
            let lines = values.iter().flat_map(|text| text.lines()).filter(|line| !line.is_empty());
            draft.choose(|it| it.only_containing(owned(lines)))
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "changed",
        OptionKind::Flag,
        "Only links that rewriting changes",
        |config| one(chosen(config, Filter::get_changed).unwrap_or_default()),
        |draft, values| {
            let yes = flag(values)?;
            draft.choose(|it| it.changed(yes))
        }
    ),
    #[cfg(not(iriscan_strings))]
    option!(
        "links_only",
        OptionKind::Flag,
        "Only links that a person can follow: in HTML and XML no images, scripts and style sheets",
        |config| one(chosen(config, Filter::get_links_only).unwrap_or_default()),
        |draft, values| {
            let yes = flag(values)?;
            draft.choose(|it| it.links_only(yes))
        }
    ),
];

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use super::*;

    /// Every option by its name and a value that is not the default.
    const GIVEN: &[(&str, &str)] = &[
        ("kinds", "bare,email"),
        ("charset", "UTF-16LE"),
        ("force_charset", "true"),
        ("format", "html"),
        ("rules", "uts58"),
        ("schemes", "http,x-a"),
        ("host", "percent"),
        ("query", "utf-8"),
        ("nfc", "never"),
        ("disallowed", "keep"),
        ("max_len", "99"),
        ("base", "http://a.example/b"),
        ("fields", "a,b"),
        ("fields", "c"),
        ("delimiter", "|"),
        ("ascii_only", "true"),
        ("identifiers", "true"),
        ("code", "false"),
        ("elements", "true"),
        ("unwrap", "true"),
        ("template", "{n}: {host}"),
        ("only_host", "*.a.example"),
        ("only_host", "b.example"),
        ("not_host", "c.example"),
        ("hosts_from", "d.example\ne.example"),
        ("not_hosts_from", "f.example\ng.example"),
        #[cfg(feature = "regex")]
        ("match", "a\nb"),
        #[cfg(feature = "regex")]
        ("not_match", "c,d"),
        ("contains_from", "e\n\nf"),
        ("changed", "true"),
        ("links_only", "true"),
        ("targets", "true"),
        ("comments", "true"),
        ("nested", "true"),
    ];

    fn all(config: &Config) -> Vec<(&'static str, String)> {
        let pairs = Config::options().iter().flat_map(|option| {
            let values = option.values(config).unwrap_or_default();
            values.into_iter().map(|value| (option.name(), value))
        });
        pairs.collect()
    }

    #[test]
    fn options_read_what_they_say() {
        let config = Config::new().set_all(GIVEN.iter().copied()).expect("they should be valid");
        let default = Config::new();
        let given = |option: &&ConfigOption| {
            // One of these, or a template.
            !matches!(
                option.name(),
                "defang" | "refang" | "to" | "set" | "path_prefix" | "drop_query"
            )
        };
        for option in Config::options().iter().filter(given) {
            assert_ne!(option.values(&config), option.values(&default), "{}", option.name());
            assert!(!option.about().is_empty() && !option.about().ends_with('.'));
        }
        let to_iri = Config::new().set_all([("to", "iri"), ("host", "unicode")]).unwrap();
        let named = ["defang", "refang"].map(|name| Config::new().set(name, "true").unwrap());
        let parts = [
            ("set", "host=a.example"),
            ("set", "port="),
            ("path_prefix", "/a"),
            ("path_prefix", "/b"),
            ("drop_query", "utm_*"),
        ];
        let edited = Config::new().set_all(parts).unwrap();
        assert_eq!(edited.get("set").as_deref(), Some("host=a.example\nport="));
        for config in [config, default, to_iri, edited].into_iter().chain(named) {
            let options = all(&config);
            let again =
                Config::new().set_all(options.iter().map(|(name, value)| (*name, &**value)));
            assert_eq!(again, Ok(config.clone()));
            assert_eq!(config.build().expect("it should be valid").config(), again.unwrap());
        }
    }

    #[test]
    fn an_option_replaces_what_it_said() {
        let config = Config::new().set_all([("not_host", "a"), ("not_host", "b")]).unwrap();
        assert_eq!(config.get("not_host").as_deref(), Some("a\nb"));
        let config = config.set("not_host", "c").unwrap().set("changed", "true").unwrap();
        assert_eq!(config.get("not_host").as_deref(), Some("c"));
        let config = config.set_all([("host", "keep"), ("to", "iri"), ("schemes", "common,ftp")]);
        let config = config.unwrap().set("fields", "a,b").unwrap();
        assert_eq!(config.get_host(), HostForm::Punycode);
        assert_eq!(*config.get_rewrite(), Rewrite::Iri(HostLabels::Keep));
        assert_eq!(config.get_fields(), ["a,b"]);
        assert!(
            config.get("schemes").is_some_and(|list| list.split(',').any(|name| name == "ftp"))
        );
        assert!(config.set("schemes", "http,,ftp").unwrap().build().is_err());
    }

    #[test]
    fn a_name_like_none_gets_the_list() {
        let why = Config::new().set("foo", "1").unwrap_err().to_string();
        let list = "foo: no option has this name; use one of kinds, charset, ";
        assert!(why.starts_with(list) && why.ends_with(", links_only"), "{why}");
        let near = Config::new().set("mxlen", "1").unwrap_err().to_string();
        assert!(near.ends_with("the nearest one is max_len"), "{near}");
    }

    #[test]
    fn errors_name_the_option() {
        for (name, value, why) in [
            ("kind", "iri", "kind: no option has this name; the nearest one is kinds"),
            (
                "asciiOnly",
                "true",
                "asciiOnly: no option has this name; the nearest one is ascii_only",
            ),
            (
                "kinds",
                "iri,link",
                "kinds: \"link\" is not a kind of link; use one of iri, bare, email, ip",
            ),
            ("kinds", "", "kinds: empty; name at least one of iri, bare, email, ip"),
            ("to", "url", "to: \"url\" is not a form of links; use one of uri, iri"),
            ("code", "yes", "code: \"yes\" is neither true nor false"),
            (
                "set",
                "path=/x",
                "set: \"path=/x\": no such part; give host=, scheme= or port=, such as host=new.example",
            ),
            (
                "path_prefix",
                "/a",
                "path_prefix: give pairs of an old start and a new one, such as /blog and /news",
            ),
            ("max_len", "1k", "max_len: \"1k\" is no number of bytes, such as 65536"),
            (
                "host",
                "unicode",
                "host: \"unicode\" is not a form of a host; use one of punycode, percent, keep",
            ),
            (
                "base",
                "/a",
                "base: \"/a\" is no absolute URI that references can be relative to; give one such as \
                 https://example.org/page",
            ),
            (
                "only_host",
                "a/b",
                "only_host: \"a/b\": no host has '/', character 2; give a host, such as example.org or \
                 *.example.org",
            ),
        ] {
            let error = Config::new().set(name, value).unwrap_err();
            assert_eq!((error.option(), error.to_string().as_str()), (name, why));
            assert_eq!(why.strip_prefix(name), Some(&*[": ", error.reason()].concat()));
        }
    }
}
