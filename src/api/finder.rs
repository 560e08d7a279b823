//! The compiled rules that users hold.

use alloc::sync::Arc;

use crate::{engine::rules::Rules, format::kinds::Format};

/// Compiled rules: finds links in slices, and makes scanners for streams.
///
/// Immutable, cheap to clone, and shared between threads.
///
/// ```
/// use iriscan::Finder;
///
/// let text = "Siehe https://de.wikipedia.org/wiki/Straße, danke。";
/// let link = Finder::new().find_iter(text).next().unwrap();
/// assert_eq!(&text[link.range()], "https://de.wikipedia.org/wiki/Straße");
/// assert_eq!(link.uri()?.as_str(), "https://de.wikipedia.org/wiki/Stra%C3%9Fe");
/// # Ok::<(), iriscan::UriError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    pub(crate) rules: Arc<Rules>,
    pub(crate) format: Format,
}

impl Finder {
    /// The same finder for documents in `format`. Default: [`Format::Text`].
    #[must_use]
    pub fn format(mut self, format: Format) -> Finder {
        self.format = format;
        self
    }
}
