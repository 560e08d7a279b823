//! Options: words of the command line, in a struct that may grow.

use std::{
    ffi::c_char,
    mem::{offset_of, size_of},
    ptr,
    str::FromStr,
};

use iriscan::{Charset, Config, Finder, Format, HostList, Kind, NameError};

use crate::{
    input::word,
    names::*,
    status::{self, Error, IRISCAN_ERR_OPTION, IRISCAN_ERR_SIZE},
};

/// Options of a finder. They have the names and words of the command line.
///
/// Call iriscan_options_init, then set members. A member that is NULL or 0 is the default, so
/// `iriscan_options options = {sizeof options};` is as good. Strings must live until the call that
/// takes the options returns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct iriscan_options {
    /// sizeof(iriscan_options): says which members the program knows. Later versions may add some
    /// at the end.
    pub size: usize,
    /// What to find: a sum of IRISCAN_KIND_IRI, IRISCAN_KIND_BARE, IRISCAN_KIND_EMAIL, IRISCAN_KIND_IP;
    /// 0 is IRISCAN_KIND_IRI.
    pub kinds: u32,
    /// The charset of the input: a label of the Encoding Standard, "utf-32le" or "utf-32be". NULL or
    /// "auto" detects it, which is a guess in short texts: say "utf-8" if you know that it is.
    pub charset: *const c_char,
    // generated: formats
    /// The syntax around the text: "text" (the default), "html", "xml", "json", "log", "turtle", "csv",
    /// "tsv", "markdown", "asciidoc", "css", "ical", "org", "latex", "rst", "po", "wikitext",
    /// "defanged", "bbcode", "source", "c", "python", "java", "man", "ipynb" or "jsonld". For mail use
    /// iriscan_mail_find.
    // end of formats
    /// If it is not NULL, iriscan_document_open reads every file in this format.
    pub format: *const c_char,
    /// "prose" (the default), or "uts58": Unicode Technical Standard #58 to the letter.
    pub rules: *const c_char,
    /// Schemes that count: "common", "any", or names with commas between them ("http,https"). NULL
    /// is "common", and in attributes of markup any reference, even a relative one.
    pub schemes: *const c_char,
    /// The form of a host that is not ASCII: "punycode" (the default), "percent" or "keep". If
    /// `to` is "iri": "keep" (the default), or "unicode" to decode xn-- labels.
    pub host: *const c_char,
    /// The charset of a query that is not ASCII, of http and https: "document" or "utf-8". NULL is
    /// "utf-8" in parts of mail that are not HTML, elsewhere "document".
    pub query: *const c_char,
    /// When text is normalised to NFC: "auto" (the default: if the charset is a legacy one),
    /// "always" or "never".
    pub nfc: *const c_char,
    /// In JSON the keys whose values are searched, with commas between them; NULL: all values.
    pub fields: *const c_char,
    /// The longest link, in bytes of the input; 0 is 65536. A longer one is text.
    pub max_len: u64,
    /// A sum of IRISCAN_FLAG_ASCII_ONLY and others.
    pub flags: u32,
    /// Must be 0, so that a later version can use it; anything else is IRISCAN_ERR_OPTION.
    pub reserved: u32,
    /// In CSV, the character between fields, such as ";"; NULL: it is found in the first records.
    pub delimiter: *const c_char,
    /// What rewriting makes of links: "uri" (the default), or "iri": the IRI that people can read.
    /// `host` then has other words.
    pub to: *const c_char,
    /// What replaces a link when rewriting, with fields such as {host}: a template of `iriscan
    /// rewrite --replace`. NULL: its URI, or IRI.
    pub template_text: *const c_char,
    /// Only links with a host like one of these: "*.example.org". This and the members below are
    /// arrays of strings with a NULL at the end, or NULL. A link must pass all that are given; the
    /// others count as text.
    pub only_host: *const *const c_char,
    /// No links with such a host.
    pub not_host: *const *const c_char,
    /// Only links with a host of this list, or below one. Each string is a line of a list of hosts,
    /// or has several lines, such as a whole file: hosts, lines of hosts files, or "||host^". Lines
    /// without a host are left out, and iriscan_last_error then says how many and where; it says ""
    /// if every line has a host.
    pub hosts_from: *const *const c_char,
    /// Only links whose IRI one of these regular expressions matches, in the syntax of ripgrep.
    pub r#match: *const *const c_char,
    /// No links whose IRI matches.
    pub not_match: *const *const c_char,
    /// Only links whose IRI contains one of these strings. An empty string counts for nothing.
    pub contains_from: *const *const c_char,
    /// Any options by the names of the command line, with "_" for "-": an array of names and values by
    /// turns, with a NULL at the end, or NULL. The value of a flag is "true" or "false"; an option with
    /// several values comes once for each: {"base", "http://a.example/", "not_host", "*.b.example", NULL}.
    /// They count more than the members above.
    pub more: *const *const c_char,
}

/// The options that every program has end here.
const FIRST: usize = offset_of!(iriscan_options, delimiter);

impl iriscan_options {
    fn new() -> iriscan_options {
        let none = ptr::null();
        iriscan_options {
            size: size_of::<iriscan_options>(),
            kinds: IRISCAN_KIND_IRI,
            charset: none,
            format: none,
            rules: none,
            schemes: none,
            host: none,
            query: none,
            nfc: none,
            fields: none,
            max_len: Config::new().get_max_len(),
            flags: 0,
            reserved: 0,
            delimiter: none,
            to: none,
            template_text: none,
            only_host: ptr::null(),
            not_host: ptr::null(),
            hosts_from: ptr::null(),
            r#match: ptr::null(),
            not_match: ptr::null(),
            contains_from: ptr::null(),
            more: ptr::null(),
        }
    }
}

/// Sets all options to their defaults.
///
/// - options: NULL is allowed, and then nothing happens
/// - size: sizeof(iriscan_options); nothing after that is written
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iriscan_options_init(options: *mut iriscan_options, size: usize) {
    let known = size_of::<iriscan_options>();
    if options.is_null() || size < size_of::<usize>() {
        return;
    }
    let defaults = iriscan_options { size, ..iriscan_options::new() };
    // SAFETY: the caller says that `size` bytes can be written, and both parts are within them.
    unsafe {
        let from = (&raw const defaults).cast::<u8>();
        ptr::copy_nonoverlapping(from, options.cast(), size.min(known));
        if size > known {
            // What a later version has there: NULL and 0 are the defaults.
            options.cast::<u8>().add(known).write_bytes(0, size - known);
        }
    }
}

/// Checks the size that a struct of the caller says it has. It must have `first` bytes, and a
/// version that is newer than this one may have more; those must be zero.
///
/// # Safety
///
/// `object` starts with its size, and has so many bytes.
pub(crate) unsafe fn check_size<T>(
    name: &str,
    object: *const T,
    first: usize,
) -> Result<usize, Error> {
    // SAFETY: the caller's promise.
    let size = unsafe { object.cast::<usize>().read_unaligned() };
    // A size that is not aligned would cut a member in two.
    if size < first || size % align_of::<usize>() != 0 {
        let message = format_args!("{name}: size is {size}; set it to sizeof({name})");
        return Err(Error::new(IRISCAN_ERR_SIZE, message));
    }
    // No struct of ours becomes that large: the size was not set.
    if size > 4096 {
        let message = format_args!("{name}: size is {size}, more than any version has");
        return Err(Error::new(IRISCAN_ERR_SIZE, message));
    }
    let known = size_of::<T>();
    for at in known..size {
        // SAFETY: `at` is within the size.
        if unsafe { object.cast::<u8>().add(at).read() } != 0 {
            let message = format_args!(
                "{name}: byte {at} is set, which version {} does not know",
                env!("CARGO_PKG_VERSION")
            );
            return Err(Error::new(IRISCAN_ERR_SIZE, message));
        }
    }
    Ok(size)
}

/// The options of a caller; members that it does not know are the defaults.
///
/// # Safety
///
/// `options` is NULL, or starts with its size and has so many bytes.
pub(crate) unsafe fn read(options: *const iriscan_options) -> Result<iriscan_options, Error> {
    let mut read = iriscan_options::new();
    if options.is_null() {
        return Ok(read);
    }
    // SAFETY: the caller's promise.
    let size = unsafe { check_size("iriscan_options", options, FIRST) }?;
    let size = size.min(size_of::<iriscan_options>());
    // SAFETY: both have so many bytes.
    unsafe {
        ptr::copy_nonoverlapping(options.cast::<u8>(), (&raw mut read).cast(), size);
    }
    if read.reserved != 0 {
        let set = read.reserved;
        return Err(wrong("reserved", format_args!("{set:#x} is set; it must be 0")));
    }
    if read.kinds == 0 {
        read.kinds = IRISCAN_KIND_IRI;
    }
    if read.max_len == 0 {
        read.max_len = Config::new().get_max_len();
    }
    Ok(read)
}

/// A struct of the caller that begins with its size; members that it does not know are zero. `None` for
/// NULL.
///
/// # Safety
///
/// `object` is NULL, or starts with its size and has so many bytes; zeros are a `T`.
pub(crate) unsafe fn read_sized<T: Copy>(name: &str, object: *const T) -> Result<Option<T>, Error> {
    if object.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let size = unsafe { check_size(name, object, size_of::<usize>()) }?;
    let mut read = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: both have so many bytes, and zeros are a `T`.
    unsafe {
        let bytes = size.min(size_of::<T>());
        ptr::copy_nonoverlapping(object.cast::<u8>(), read.as_mut_ptr().cast(), bytes);
        Ok(Some(read.assume_init()))
    }
}

/// The error for the option `name`.
fn wrong(name: &str, why: impl std::fmt::Display) -> Error {
    Error::new(IRISCAN_ERR_OPTION, format_args!("{name}: {why}"))
}

/// The value that the string of an option names; `None` for NULL.
///
/// # Safety
///
/// `string` is NULL or ends in a NUL.
pub(crate) unsafe fn value<T: FromStr<Err = NameError>>(
    name: &str,
    string: *const c_char,
) -> Result<Option<T>, Error> {
    // SAFETY: the caller's promise.
    let word = unsafe { word(name, string) }?;
    word.map(|word| word.parse().map_err(|e| wrong(name, e))).transpose()
}

/// The charset that the string of an option names; `None` for NULL.
///
/// # Safety
///
/// As for [`value`].
pub(crate) unsafe fn charset(name: &str, string: *const c_char) -> Result<Option<Charset>, Error> {
    // SAFETY: the caller's promise.
    let label = unsafe { word(name, string) }?;
    label.map(|label| Charset::for_label(label).map_err(|e| wrong(name, e))).transpose()
}

/// The strings of an array with a NULL at the end; `None` for NULL.
///
/// # Safety
///
/// `array` is NULL or ends in a NULL, and its strings end in a NUL.
unsafe fn strings<'a>(
    name: &str,
    array: *const *const c_char,
) -> Result<Option<Vec<&'a str>>, Error> {
    if array.is_null() {
        return Ok(None);
    }
    let mut strings = Vec::new();
    // SAFETY: the caller's promise; the NULL at the end is not passed.
    while let Some(string) = unsafe { word(name, *array.add(strings.len())) }? {
        strings.push(string);
    }
    Ok(Some(strings))
}

/// The flags that are options of the library, and their values.
const NAMED: [(u32, &str, &str); 8] = [
    (IRISCAN_FLAG_ASCII_ONLY, "ascii_only", "true"),
    (IRISCAN_FLAG_IDENTIFIERS, "identifiers", "true"),
    (IRISCAN_FLAG_NO_CODE, "code", "false"),
    (IRISCAN_FLAG_ELEMENTS, "elements", "true"),
    (IRISCAN_FLAG_UNWRAP, "unwrap", "true"),
    (IRISCAN_FLAG_CHANGED, "changed", "true"),
    (IRISCAN_FLAG_LINKS_ONLY, "links_only", "true"),
    (IRISCAN_FLAG_DEFANG, "defang", "true"),
];

/// The options by the names of the library.
///
/// # Safety
///
/// The strings are NULL or end in a NUL, and the arrays end in a NULL.
unsafe fn named(options: &iriscan_options) -> Result<Vec<(&str, &str)>, Error> {
    let set = NAMED.iter().filter(|(flag, ..)| options.flags & flag != 0);
    let mut given: Vec<(&str, &str)> = set.map(|(_, name, value)| (*name, *value)).collect();
    let texts = [
        ("charset", options.charset),
        ("format", options.format),
        ("rules", options.rules),
        ("schemes", options.schemes),
        ("host", options.host),
        ("query", options.query),
        ("nfc", options.nfc),
        ("delimiter", options.delimiter),
        ("to", options.to),
    ];
    for (name, text) in texts {
        // SAFETY: the caller's promise, here and below.
        given.extend(unsafe { word(name, text) }?.map(|text| (name, text)));
    }
    let template = unsafe { word("template_text", options.template_text) }?;
    given.extend(template.map(|text| ("template", text)));
    let fields = unsafe { word("fields", options.fields) }?;
    let fields = fields.into_iter().flat_map(|fields| fields.split(','));
    given.extend(fields.map(|field| ("fields", field.trim())));
    let arrays = [
        ("only_host", options.only_host),
        ("not_host", options.not_host),
        ("match", options.r#match),
        ("not_match", options.not_match),
        ("hosts_from", options.hosts_from),
        ("contains_from", options.contains_from),
    ];
    for (name, array) in arrays {
        let Some(values) = unsafe { strings(name, array) }? else { continue };
        // A list without lines is a list all the same: no link has a host that is in it.
        let empty = values.is_empty() && name.ends_with("_from");
        given.extend(empty.then_some((name, "")));
        given.extend(values.into_iter().map(|value| (name, value)));
    }
    let more = unsafe { strings("more", options.more) }?.unwrap_or_default();
    if more.len() % 2 != 0 {
        return Err(wrong("more", "the last name has no value; give names and values by turns"));
    }
    given.retain(|(name, _)| !more.chunks_exact(2).any(|pair| pair[0] == *name));
    given.extend(more.chunks_exact(2).map(|pair| (pair[0], pair[1])));
    Ok(given)
}

/// The finder with these options.
///
/// # Safety
///
/// As for [`named`].
pub(crate) unsafe fn finder(options: &iriscan_options) -> Result<(Finder, Option<Format>), Error> {
    if options.flags & !FLAGS != 0 {
        let unknown = options.flags & !FLAGS;
        return Err(wrong("flags", format_args!("{unknown:#x} is not a flag; see iriscan.h")));
    }
    // SAFETY: the caller's promise.
    let named = unsafe { named(options) }?;
    let is_format_named = named.iter().any(|(name, _)| *name == "format");
    let config = Config::new().kinds(kinds(options.kinds)?).max_len(options.max_len);
    let config = config.set_all(named).map_err(|e| {
        // Its member has another name here.
        let option = if e.option() == "template" { "template_text" } else { e.option() };
        wrong(option, e.reason())
    })?;
    let lists = config.get_filter().map_or(&[][..], |filter| filter.get_hosts_from());
    match lists.iter().find_map(HostList::left_out) {
        None if lists.is_empty() => {}
        None => status::forget(),
        Some((count, first)) => {
            let plural = if count == 1 { "" } else { "s" };
            let what = "left out; give a host a line";
            status::note(format_args!(
                "hosts_from: {count} line{plural} without a host, from line {first} on, {what}"
            ));
        }
    }
    let format = is_format_named.then(|| config.get_format());
    let finder = config.build().map_err(|e| Error::new(IRISCAN_ERR_OPTION, e))?;
    Ok((finder, format))
}

fn kinds(kinds: u32) -> Result<Vec<Kind>, Error> {
    let all = [
        (IRISCAN_KIND_IRI, Kind::Iri),
        (IRISCAN_KIND_BARE, Kind::Bare),
        (IRISCAN_KIND_EMAIL, Kind::Email),
        (IRISCAN_KIND_IP, Kind::Ip),
    ];
    let unknown = all.iter().fold(kinds, |left, (bit, _)| left & !bit);
    if unknown != 0 {
        let message = format_args!(
            "{unknown:#x} is not a kind; use a sum of IRISCAN_KIND_IRI, IRISCAN_KIND_BARE, IRISCAN_KIND_EMAIL, \
             IRISCAN_KIND_IP"
        );
        return Err(wrong("kinds", message));
    }
    Ok(all.iter().filter(|(bit, _)| kinds & bit != 0).map(|(_, kind)| *kind).collect())
}
