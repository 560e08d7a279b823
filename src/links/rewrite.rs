//! What rewriting writes in the place of links.

use super::{edit::LinkEdit, template::Template};
use crate::reference::to_iri::{HostLabels, Inadvisable, IriOptions, Unreserved};

/// What rewriting writes in the place of each link ([`Config::rewrite`](crate::Config::rewrite)).
///
/// ```
/// use iriscan::{Config, Rewrite, Template, reference::HostLabels};
///
/// let text = "see http://a.example/D%C3%BCrst, http://b.example/é.";
/// for (rewrite, expected) in [
///     (Rewrite::Uri, "see http://a.example/D%C3%BCrst, http://b.example/%C3%A9."),
///     (Rewrite::Iri(HostLabels::Keep), "see http://a.example/Dürst, http://b.example/é."),
///     (Template::new("<{host}>")?.into(), "see <a.example>, <b.example>."),
/// ] {
///     let finder = Config::new().rewrite(rewrite).build()?;
///     assert_eq!(&*finder.rewrite_slice(text).0, expected.as_bytes());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rewrite {
    /// Their URI form (RFC 3987, section 3.1). A link of ASCII characters never changes.
    #[default]
    Uri,
    /// The IRI that people can read (RFC 3987, section 3.2; draft-ietf-iri-3987bis, section 4); and
    /// what becomes of the `xn--` labels of hosts.
    ///
    /// These stay encoded: what would not map back to the same URI, characters that cannot be
    /// seen or that RFC 3987, section 6.1, advises against, what would end the link in running
    /// text, and characters that the charset of the document lacks and its format has no escape
    /// for. In plain text and logs the charset counts as UTF-8 until it is decided.
    ///
    /// The new links map back to the same URIs, up to the case of hexadecimal digits, and are found
    /// again. A link for which nothing can be decoded under these conditions stays, and counts in
    /// [`Rewritten::unconvertible`](crate::Rewritten::unconvertible).
    Iri(HostLabels),
    /// The text of a template, for links of ASCII characters too. A link that lacks
    /// [`Field::Uri`](crate::Field::Uri), [`Field::Open`](crate::Field::Open) or
    /// [`Field::Absolute`](crate::Field::Absolute), if the template has it, stays.
    ///
    /// The text is escaped as the format wants it and written in the charset of the document. A
    /// character that the charset lacks is written with the escape of the format, or as `?` if it
    /// has none. Until the charset is decided, that is as long as all bytes are ASCII, that holds
    /// for every character that is not ASCII.
    Template(Template),
    /// The link with some of its parts changed: its host, its scheme, the start of its path. The rest keeps its
    /// bytes, of links of ASCII characters too. Identifiers of RDF and keys of PO stay, unless
    /// [`Config::identifiers`](crate::Config::identifiers) is set.
    ///
    /// A link stays, and counts in [`Rewritten::unconvertible`](crate::Rewritten::unconvertible), if the new part
    /// cannot be written where the link is, or if a browser reads another host than RFC 3986 says.
    Edit(LinkEdit),
}

impl From<LinkEdit> for Rewrite {
    fn from(edit: LinkEdit) -> Rewrite {
        Rewrite::Edit(edit)
    }
}

impl From<Template> for Rewrite {
    fn from(template: Template) -> Rewrite {
        Rewrite::Template(template)
    }
}

impl Rewrite {
    pub(crate) fn template(&self) -> Option<&Template> {
        match self {
            Rewrite::Template(template) => Some(template),
            _ => None,
        }
    }

    pub(crate) fn edit(&self) -> Option<&LinkEdit> {
        match self {
            Rewrite::Edit(edit) => Some(edit),
            _ => None,
        }
    }

    /// The options for links that become IRIs: those that lead back to the same URI.
    pub(crate) fn to_iri(&self) -> Option<IriOptions> {
        let Rewrite::Iri(labels) = self else { return None };
        let options = IriOptions::new().host(*labels);
        Some(options.inadvisable(Inadvisable::Keep).unreserved(Unreserved::Keep))
    }
}
