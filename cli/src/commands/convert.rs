//! `iriscan convert`: converts references, one line for each.

use std::{borrow::Cow, io::Write, process::ExitCode};

use iriscan::{
    Charset, Config, HostForm, Kind, Warning,
    reference::{
        Components, Edition, Grammar, HostLabels, IriOptions, Level, PrivateUse, Reference,
        UriOptions, leiri_to_iri, to_text, trim,
    },
};

use crate::{
    args::convert::{ConvertArgs, ConvertHostArg, DisallowedArg, FromArg, PrivateArg, ToArg},
    inputs::references::{self, ReferencePlace},
    messages::{say, trouble::Trouble},
};

pub(crate) fn run(args: &ConvertArgs) -> Result<ExitCode, Trouble> {
    let converter = Converter::new(args).map_err(Trouble::Usage)?;
    let mut failed = false;
    // With a base, a reference is often the name of a file.
    if args.base.is_none() {
        references::say_if_file(&args.references, "convert", "converted as a reference");
    }
    let whole = references::each(&args.references, args.charset, |place, bytes, charset, out| {
        let converted = decode(bytes, charset, place)
            .and_then(|text| converter.convert(&text))
            .and_then(|text| match text.contains('\n') {
                true => Err("the result holds a line end; with --from leiri it is encoded".into()),
                false => Ok(text),
            });
        match converted {
            Ok(text) => {
                writeln!(out, "{text}")?;
                if place.is_argument() && args.base.is_none() && is_bare_host(&text) {
                    out.flush()?;
                    let given = String::from_utf8_lossy(bytes);
                    say(format_args!(
                        "{place}: {given} is a relative path, as it has no scheme; if it is a host, write \
                         https://{given}"
                    ));
                }
                if converter.makes_names() && !Components::split(&text).fits_dns() {
                    out.flush()?;
                    say(format_args!(
                        "{place}: dns-length: the host has an empty label, one of more than 63 \
                         characters, or more than 253 in all, and the DNS has no such name; \
                         check the host"
                    ));
                }
                if let Some(why) = converter.unmapped(&text) {
                    out.flush()?;
                    say(format_args!("{place}: {why}"));
                }
                Ok(())
            }
            Err(why) => {
                failed = true;
                writeln!(out)?;
                // So that the line is written before its message.
                out.flush()?;
                say(format_args!("{place}: {why}"));
                Ok(())
            }
        }
    })?;
    Ok(ExitCode::from(if failed || !whole { 2 } else { 0 }))
}

fn decode(bytes: &[u8], charset: Charset, place: ReferencePlace) -> Result<String, String> {
    if let Some(text) = charset.try_decode(bytes) {
        return Ok(text.into_owned());
    }
    Err(match std::str::from_utf8(bytes) {
        Err(e) if place.is_argument() => {
            let at = e.valid_up_to();
            format!("byte {at}: not UTF-8; give it on standard input, with --charset")
        }
        Err(e) if charset == Charset::UTF_8 => {
            format!("byte {}: not UTF-8; name the charset with --charset", e.valid_up_to())
        }
        _ => format!("bytes that are malformed in {charset}; check --charset"),
    })
}

/// Names that the last label of a host has in examples and tests (RFC 6761).
const OF_EXAMPLES: [&str; 2] = ["example", "test"];

/// Whether a relative reference begins with what is a host in running text.
fn is_bare_host(reference: &str) -> bool {
    let parts = Components::split(reference);
    let first = parts.path().split('/').next().unwrap_or_default();
    if parts.scheme().is_some() || parts.authority().is_some() || first.is_empty() {
        return false;
    }
    // The result has the escapes of a path.
    let name = IriOptions::new().to_iri(first);
    let of_examples = name.rsplit_once('.').is_some_and(|(_, last)| OF_EXAMPLES.contains(&last));
    let finder = Config::new().kinds([Kind::Bare]).build();
    of_examples
        || finder.is_ok_and(|it| it.find_iter(&*name).any(|link| link.range() == (0..name.len())))
}

/// The base, which must have a scheme.
fn absolute(base: &str) -> Result<Reference<'_>, String> {
    Reference::parse(base, Grammar::Iri).map_err(|e| {
        if Reference::parse(base, Grammar::IriReference).is_err() {
            return e.to_string();
        }
        // It is a relative reference, which cannot be a base.
        let what = "byte 0: a base begins with a scheme and a colon, such as \"https:\"; add it";
        what.into()
    })
}

/// The options, checked.
struct Converter<'a> {
    args: &'a ConvertArgs,
    base: Option<Reference<'a>>,
    to_uri: UriOptions,
    to_iri: IriOptions,
}

impl<'a> Converter<'a> {
    fn new(args: &'a ConvertArgs) -> Result<Converter<'a>, String> {
        let base = match &args.base {
            Some(base) => {
                let text = if args.exact { base } else { trim(base) };
                Some(absolute(text).map_err(|why| format!("--base {base:?}: {why}"))?)
            }
            None => None,
        };
        let (mut host, mut labels) = (HostForm::Punycode, HostLabels::Keep);
        match (args.host, args.to) {
            (None, _) => {}
            (Some(ConvertHostArg::Punycode), ToArg::Uri) => {}
            (Some(ConvertHostArg::Percent), ToArg::Uri) => host = HostForm::Percent,
            (Some(ConvertHostArg::Keep), ToArg::Uri) => host = HostForm::Keep,
            (Some(ConvertHostArg::Keep), ToArg::Iri) => {}
            (Some(ConvertHostArg::Unicode), ToArg::Iri) => labels = HostLabels::Unicode,
            (Some(ConvertHostArg::Unicode), _) => {
                return Err("--host unicode is for --to iri; add that".into());
            }
            (Some(ConvertHostArg::Punycode | ConvertHostArg::Percent), _) => {
                return Err("--host punycode and percent are for --to uri; add that".into());
            }
            (Some(ConvertHostArg::Keep), _) => {}
        }
        let to_uri = UriOptions::new()
            .charset(args.charset)
            .query(args.query())
            .nfc(args.nfc())
            .host(host)
            .disallowed(args.disallowed.into());
        let to_iri = IriOptions::new().host(labels).private_use(match args.to_iri.private {
            PrivateArg::Keep => PrivateUse::Keep,
            PrivateArg::Decode => PrivateUse::Decode,
        });
        let to_iri =
            to_iri.inadvisable(args.to_iri.inadvisable.into()).escapes(args.to_iri.escapes);
        Ok(Converter { args, base, to_uri, to_iri })
    }

    /// True if hosts are written in the form that the DNS has.
    fn makes_names(&self) -> bool {
        let punycode = matches!(self.args.host, None | Some(ConvertHostArg::Punycode));
        self.args.to == ToArg::Uri && punycode
    }

    fn convert(&self, text: &str) -> Result<String, String> {
        let args = self.args;
        let text = if args.exact || args.from == FromArg::Leiri { text } else { trim(text) };
        let text = match args.from {
            FromArg::Leiri => leiri_to_iri(text, Edition::Bis).map_err(|e| e.to_string())?,
            FromArg::Iri | FromArg::Uri => Cow::Borrowed(text),
        };
        let text = match &self.base {
            Some(base) => Cow::Owned(self.resolve(&text, base)?),
            None => text,
        };
        Ok(match args.to {
            ToArg::Uri => self.to_uri.to_uri(&text).map_err(|e| e.to_string())?.into_owned(),
            ToArg::Iri if args.from == FromArg::Uri => self.to_iri.to_iri(&text).into_owned(),
            ToArg::Iri => text.into_owned(),
            ToArg::Normal => {
                let reference = self.parse(&text)?;
                reference.normalize(args.level.into()).into_owned()
            }
            ToArg::Text => to_text(&text),
        })
    }

    /// Why the host of a normal form was not mapped, though that was asked for.
    fn unmapped(&self, text: &str) -> Option<String> {
        if self.args.to != ToArg::Normal || Level::from(self.args.level) < Level::Idn {
            return None;
        }
        let parts = Components::split(text);
        if parts.warnings().contains(&Warning::BadALabel) {
            return Some(
                "bad-a-label: a label of the host begins with xn-- and stands for no name; it stays as it is"
                    .into(),
            );
        }
        let why = UriOptions::new().to_uri(text).err()?;
        Some(format!("{why}; it stays as it is"))
    }

    fn parse<'t>(&self, text: &'t str) -> Result<Reference<'t>, String> {
        let grammar = match self.args.from {
            FromArg::Uri => Grammar::UriReference,
            FromArg::Iri | FromArg::Leiri => Grammar::IriReference,
        };
        Reference::parse(text, grammar).map_err(|e| e.to_string())
    }

    fn resolve(&self, text: &str, base: &Reference<'_>) -> Result<String, String> {
        // Characters that will be percent-encoded need not be valid yet.
        let lenient = self.args.to == ToArg::Uri && self.args.disallowed != DisallowedArg::Fail;
        let reference = match lenient {
            true => Reference::parse(text, Grammar::Leiri).map_err(|e| e.to_string())?,
            false => self.parse(text)?,
        };
        reference.resolve(base).map_err(|e| e.to_string())
    }
}
