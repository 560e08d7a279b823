//! The text of `iriscan --version`.

use std::sync::LazyLock;

use iriscan::data;

/// The version of the program, and those of the Unicode data and of the list of top-level
/// domains that are compiled in.
pub(crate) fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{}\nUnicode {} (hosts by UTS #46, NFC, scripts)\nlink properties of UTS #58 of \
             {}\ntop-level domains {}",
            env!("CARGO_PKG_VERSION"),
            data::UNICODE,
            data::LINK,
            data::TLDS,
        )
    });
    &TEXT
}
