//! Where in a document of markup a link is, and what only some links have.

use alloc::{boxed::Box, string::String};

use crate::{links::place::Surroundings, reference::base::BaseUri};

/// The element and the attribute of a link, and the text of the element if the link is what a
/// click on it opens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Markup {
    /// The link is in HTML, and not in XML.
    pub(crate) html: bool,
    /// `None` in running text.
    pub(crate) element: Option<Box<str>>,
    /// `None` in the text of an element.
    pub(crate) attribute: Option<Box<str>>,
    pub(crate) anchor: Option<String>,
    /// The host that the text of the element begins with, in the form in which hosts are compared.
    pub(crate) named: Option<Box<str>>,
    /// With that: the host of relative references without one, in the same form.
    pub(crate) base_host: Option<Box<str>>,
    /// What the link is relative to, in markup or not; `None`: that is not known.
    pub(crate) base: Option<BaseUri>,
    /// Another host of the same message looks like that of the link.
    pub(crate) has_twin: bool,
    /// The link is in the query of a link to another host.
    pub(crate) is_in_another: bool,
    /// What is around the link in its text, if rewriting to IRIs needs it, in markup or not; `None`
    /// for a whole reference. It is here so that no other link has to carry it.
    pub(crate) surroundings: Option<Surroundings>,
}

/// The attributes that a person can follow a link in, each with the elements for which that is so.
const FOLLOWED: [(&str, &[&str]); 2] = [("href", &["a", "area"]), ("xlink:href", &["a"])];

/// The elements of feeds and site maps whose links a reader offers.
const OFFERED: [&str; 2] = ["link", "enclosure"];

impl Markup {
    /// Whether a person can follow the link: not a resource that a program loads, a name of
    /// a namespace, or data about the document.
    pub(crate) fn is_followed(&self) -> bool {
        let Some(element) = &self.element else { return true };
        let (html, element) = (self.html, local(element));
        match &self.attribute {
            // The text of `<link>`, `<guid>`, `<loc>` and the like; in HTML, that of `<style>` and of scripts.
            None => !html && !matches!(element, "style" | "id" | "icon" | "logo"),
            Some(attribute) => {
                let is = |(name, elements): &(&str, &[&str])| {
                    attribute.eq_ignore_ascii_case(name)
                        && elements.iter().any(|name| element.eq_ignore_ascii_case(name))
                };
                FOLLOWED.iter().any(is)
                    || !html && OFFERED.iter().any(|name| element.eq_ignore_ascii_case(name))
            }
        }
    }
}

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}
