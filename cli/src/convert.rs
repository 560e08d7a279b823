//! `iriscan convert`.

use std::{borrow::Cow, io::Write, process::ExitCode};

use iriscan::{
    Charset, HostForm,
    reference::{
        Components, Disallowed, Edition, Grammar, HostLabels, IriOptions, PrivateUse, Reference,
        UriOptions, leiri_to_iri, to_text, trim,
    },
};

use crate::{
    args::{ConvertArgs, ConvertHost, DisallowedArg, From, Private, To},
    input::{self, Trouble},
    lines::{self, Place},
};

pub(crate) fn run(args: &ConvertArgs) -> Result<ExitCode, Trouble> {
    let converter = Converter::new(args).map_err(Trouble::Usage)?;
    let mut failed = false;
    // What is resolved against a base is meant as a reference: names of files often are.
    if args.base.is_none() {
        lines::say_if_file(&args.references, "convert", "converted");
    }
    let whole = lines::each(&args.references, args.charset, |place, bytes, charset, out| {
        let converted = decode(bytes, charset, place)
            .and_then(|text| converter.convert(&text))
            .and_then(|text| match text.contains('\n') {
                true => Err("the result holds a line end; with --from leiri it is encoded".into()),
                false => Ok(text),
            });
        match converted {
            Ok(text) => {
                writeln!(out, "{text}")?;
                if converter.makes_names() && !Components::split(&text).fits_dns() {
                    out.flush()?;
                    input::say(format_args!(
                        "{place}: dns-length: the host has an empty label, one of more than 63 \
                         characters, or more than 253 in all, and the DNS has no such name; \
                         check the host"
                    ));
                }
                Ok(())
            }
            Err(why) => {
                failed = true;
                writeln!(out)?;
                // The line is out when its message is.
                out.flush()?;
                input::say(format_args!("{place}: {why}"));
                Ok(())
            }
        }
    })?;
    Ok(ExitCode::from(if failed || !whole { 2 } else { 0 }))
}

fn decode(bytes: &[u8], charset: Charset, place: Place) -> Result<String, String> {
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

/// What others can be resolved against.
fn absolute(base: &str) -> Result<Reference<'_>, String> {
    Reference::parse(base, Grammar::Iri).map_err(|e| {
        if Reference::parse(base, Grammar::IriReference).is_err() {
            return e.to_string();
        }
        // Nothing is wrong with it but that, and it is no use to resolve it.
        let what = "byte 0: a base begins with a scheme and a colon, such as \"https:\"; add it";
        what.into()
    })
}

/// What was asked for, checked.
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
            (Some(ConvertHost::Punycode), To::Uri) => {}
            (Some(ConvertHost::Percent), To::Uri) => host = HostForm::Percent,
            (Some(ConvertHost::Keep), To::Uri) => host = HostForm::Keep,
            (Some(ConvertHost::Keep), To::Iri) => {}
            (Some(ConvertHost::Unicode), To::Iri) => labels = HostLabels::Unicode,
            (Some(ConvertHost::Unicode), _) => {
                return Err("--host unicode is for --to iri; add that".into());
            }
            (Some(ConvertHost::Punycode | ConvertHost::Percent), _) => {
                return Err("--host punycode and percent are for --to uri; add that".into());
            }
            (Some(ConvertHost::Keep), _) => {}
        }
        let to_uri = UriOptions::new()
            .charset(args.charset)
            .query(args.query())
            .nfc(args.nfc())
            .host(host)
            .disallowed(match args.disallowed {
                DisallowedArg::Encode => Disallowed::Encode,
                DisallowedArg::Fail => Disallowed::Fail,
            });
        let to_iri = IriOptions::new().host(labels).private_use(match args.private {
            Private::Keep => PrivateUse::Keep,
            Private::Decode => PrivateUse::Decode,
        });
        let to_iri = to_iri.inadvisable(args.inadvisable.into()).escapes(args.escapes);
        Ok(Converter { args, base, to_uri, to_iri })
    }

    /// Whether hosts are written as the DNS has them.
    fn makes_names(&self) -> bool {
        let punycode = matches!(self.args.host, None | Some(ConvertHost::Punycode));
        self.args.to == To::Uri && punycode
    }

    fn convert(&self, text: &str) -> Result<String, String> {
        let args = self.args;
        let text = if args.exact || args.from == From::Leiri { text } else { trim(text) };
        let text = match args.from {
            From::Leiri => leiri_to_iri(text, Edition::Bis).map_err(|e| e.to_string())?,
            From::Iri | From::Uri => Cow::Borrowed(text),
        };
        let text = match &self.base {
            Some(base) => Cow::Owned(self.resolve(&text, base)?),
            None => text,
        };
        Ok(match args.to {
            To::Uri => self.to_uri.to_uri(&text).map_err(|e| e.to_string())?.into_owned(),
            To::Iri if args.from == From::Uri => self.to_iri.to_iri(&text).into_owned(),
            To::Iri => text.into_owned(),
            To::Normal => {
                let reference = self.parse(&text)?;
                reference.normalize(args.level.into()).into_owned()
            }
            To::Text => to_text(&text),
        })
    }

    fn parse<'t>(&self, text: &'t str) -> Result<Reference<'t>, String> {
        let grammar = match self.args.from {
            From::Uri => Grammar::UriReference,
            From::Iri | From::Leiri => Grammar::IriReference,
        };
        Reference::parse(text, grammar).map_err(|e| e.to_string())
    }

    fn resolve(&self, text: &str, base: &Reference<'_>) -> Result<String, String> {
        // What will be percent-encoded need not be valid yet.
        let lenient = self.args.to == To::Uri && self.args.disallowed == DisallowedArg::Encode;
        let reference = match lenient {
            true => Reference::parse(text, Grammar::Leiri).map_err(|e| e.to_string())?,
            false => self.parse(text)?,
        };
        reference.resolve(base).map_err(|e| e.to_string())
    }
}
