//! What is compared.

/// What a search finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) links: Vec<Link>,
    /// How many candidates were too long.
    pub(crate) overlong: u64,
    pub(crate) charset: String,
}

/// A link, described with types that both libraries share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) span: (u64, u64),
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    pub(crate) uri: String,
    /// All else.
    pub(crate) more: String,
}

impl Answer {
    /// Prints the answer. Links that `other` has too are left out.
    pub(crate) fn print(&self, name: &str, other: &Answer) {
        println!(
            "  {name}: {} links, {}, {} too long",
            self.links.len(),
            self.charset,
            self.overlong
        );
        for link in self.links.iter().filter(|link| !other.links.contains(link)) {
            println!("    {:?} {} {:?} {}", link.span, link.kind, link.text, link.uri);
            let same = |o: &&Link| (o.span, o.kind, &o.uri) == (link.span, link.kind, &link.uri);
            if other.links.iter().any(|other| same(&other)) {
                println!("      {}", link.more);
            }
        }
    }
}
