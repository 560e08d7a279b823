//! The versions of the data that decide which links are found: for reports about them.
//!
//! ```
//! let made_with = format!("Unicode {}, TLDs {}", iriscan::data::UNICODE, iriscan::data::TLDS);
//! assert!(made_with.starts_with("Unicode 1"));
//! ```

pub(crate) mod class_tables;
pub(crate) mod host_words;
pub(crate) mod link_term;
pub(crate) mod lookalikes;
pub(crate) mod names;
pub(crate) mod properties;
pub(crate) mod rules;
pub(crate) mod schemes;
pub(crate) mod tables;
pub(crate) mod tlds;
pub(crate) mod top_level;
pub(crate) mod words;
pub(crate) mod wrappers;

pub use names::NameError;

/// The version of Unicode of the data that maps hosts (UTS #46), normalises, and gives scripts and
/// categories. The ICU4X crates compile this data in.
pub const UNICODE: &str = icu_normalizer_data::unicode_tag!();

/// The date of the link properties of UTS #58 (Link_Term, Link_Bracket, Link_Email),
/// year first.
pub const LINK: &str = tables::DATE;

/// The version of the list of top-level domains by IANA: year, month, day and two
/// digits.
pub const TLDS: &str = tlds::VERSION;

#[cfg(test)]
mod tests {
    #[test]
    fn crates_agree_on_the_version_of_unicode() {
        let (major, minor, patch) = unicode_security::UNICODE_VERSION;
        assert_eq!(crate::data::UNICODE, std::format!("{major}.{minor}.{patch}"));
    }
}
