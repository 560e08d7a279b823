//! The list and what is chosen in it, without a screen.

use std::{collections::BTreeSet, ops::Range, path::PathBuf, sync::Arc};

use iriscan::{Kind, Link, Warning, mail::Headers};

use crate::{
    messages::text::{name, shown},
    printers::{
        context::ShownLink, item::Place, parts::Parts, readable::folded, warnings::in_words,
    },
};

/// A link of the list.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) link: Link,
    pub(super) path: PathBuf,
    pub(super) line: u64,
    /// What a person reads.
    pub(super) shown: Parts<'static>,
    pub(super) uri: Parts<'static>,
    /// What opens the link; `None` for one that cannot be opened.
    pub(super) open: Option<String>,
    pub(super) unwrapped: Option<String>,
    /// What to say of it: whether it is a wrapper, and its warnings in words.
    pub(super) remarks: Vec<String>,
    /// The text around the link.
    pub(super) before: String,
    pub(super) text: String,
    /// The text is that of an element, and not the address.
    pub(super) is_named: bool,
    /// The text is the address, which is in an attribute: a reader of the page does not see it.
    pub(super) is_unseen: bool,
    pub(super) after: String,
    pub(super) place: Option<String>,
    pub(super) warnings: Vec<Warning>,
    /// How many links of its input it stands for: they open the same.
    pub(super) times: usize,
    /// Its bytes of the source; `None` if it was decoded from other bytes.
    span: Option<Range<u64>>,
    message: Option<Arc<Headers>>,
    /// In lower case, what the filter looks at.
    key: String,
}

impl Entry {
    pub(super) fn of(link: &ShownLink<'_>) -> Entry {
        let owned = link.link.to_link();
        let anchor = owned.anchor().filter(|anchor| !anchor.is_empty());
        let text = shown(folded(anchor.unwrap_or(&link.text)).trim());
        let (before, after) = (shown(&folded(&link.before)), shown(&folded(&link.after)));
        let uri = owned.uri().map(|uri| uri.as_str().to_owned());
        let uri = uri.unwrap_or_else(|_| owned.iri().into_owned());
        let (open, warnings) = (owned.open().ok(), owned.warnings());
        let unwrapped = owned.unwrapped();
        let wrapper = shown(&owned.host().unwrap_or_default());
        let split = Parts::split(&uri, owned.kind()).into_owned();
        let (parts, uri, wrapped) = match &unwrapped {
            // The link inside opens, so it is what people have to see.
            Some(inner) if open.as_ref() == Some(inner) => {
                let wrapped = format!("taken out of a wrapper of {wrapper}");
                (Parts::of_uri(inner), Parts::split(inner, Kind::Iri).into_owned(), Some(wrapped))
            }
            Some(inner) => {
                let wrapped = format!("a wrapper around {}", Parts::of_uri(inner).text());
                (Parts::of(&owned.as_match()), split, Some(wrapped))
            }
            None => (Parts::of(&owned.as_match()), split, None),
        };
        let words = warnings.iter().map(|warning| in_words(*warning).to_owned());
        let remarks = wrapped.into_iter().chain(words).collect();
        let is_address = [parts.text(), uri.text()].contains(&text);
        let is_named = anchor.is_some() && !is_address;
        let is_unseen = anchor.is_none() && owned.attribute().is_some();
        let subject = link.message.as_ref().and_then(|message| message.subject());
        let inside = unwrapped.as_deref().unwrap_or_default();
        let key = [&*parts.text(), &uri.text(), &text, inside, subject.unwrap_or_default()];
        let key = key.join("\n").to_lowercase();
        Entry {
            path: PathBuf::new(),
            line: link.line,
            shown: parts,
            uri,
            open,
            unwrapped,
            remarks,
            before,
            text,
            is_named,
            is_unseen,
            after,
            place: link.place.as_deref().map(str::to_owned),
            warnings,
            times: 1,
            link: owned,
            span: link.span.clone(),
            message: link.message.cloned(),
            key,
        }
    }

    /// Takes in another link that opens the same.
    pub(super) fn fold(&mut self, other: &Entry) {
        self.times += 1;
        if !self.key.contains(&other.key) {
            self.key.push('\n');
            self.key.push_str(&other.key);
        }
    }

    /// Where it is, for templates. `n`: its number.
    pub(super) fn place(&self, n: u64) -> Place<'_> {
        let (span, line) = (self.span.clone(), Some(self.line));
        let around = Some([&*self.before, &*self.after]);
        let message = self.message.as_deref();
        Place { path: &self.path, is_member: true, span, line, column: None, n, message, around }
    }

    /// The details that the list shows of it: names and values.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let link = &self.link;
        let uri = link.uri().map(|uri| uri.as_str().to_owned()).ok();
        let mut facts = vec![("shown", self.shown.text()), ("iri", shown(&link.iri()))];
        let mut add = |name, value: Option<String>| facts.extend(value.map(|value| (name, value)));
        add("uri", uri.as_deref().map(shown));
        add("opens", self.open.as_deref().filter(|open| Some(*open) != uri.as_deref()).map(shown));
        add("inside", self.unwrapped.as_deref().map(shown));
        add("host", link.host().map(|host| shown(&host)));
        add("kind", Some(link.kind().as_str().into()));
        add("element", link.element().map(shown));
        add("attribute", link.attribute().map(shown));
        add("text", link.anchor().map(shown));
        add("charset", Some(link.charset().name().into()));
        add("file", Some(name(&self.path)).filter(|name| name != "-"));
        add("line", Some(self.line.to_string()));
        add("times", Some(self.times.to_string()).filter(|_| self.times > 1));
        add("place", self.place.as_deref().map(shown));
        if let Some(message) = &self.message {
            add("subject", message.subject().map(shown));
            add("from", message.from().map(shown));
            add("date", message.date().map(shown));
            add("message", message.message_id().map(shown));
        }
        add("before", Some(self.before.trim().to_owned()).filter(|text| !text.is_empty()));
        add("after", Some(self.after.trim().to_owned()).filter(|text| !text.is_empty()));
        facts
    }
}

/// The list, the filter, the place in it, and what is marked.
#[derive(Debug)]
pub(super) struct Choice {
    entries: Vec<Entry>,
    filter: String,
    /// The entries that the filter leaves, by number.
    left: Vec<usize>,
    /// The place in `left`.
    at: usize,
    marked: BTreeSet<usize>,
}

impl Choice {
    pub(super) fn new(entries: Vec<Entry>) -> Choice {
        let left = (0..entries.len()).collect();
        Choice { entries, filter: String::new(), left, at: 0, marked: BTreeSet::new() }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn filter(&self) -> &str {
        &self.filter
    }

    pub(super) fn left(&self) -> &[usize] {
        &self.left
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn is_marked(&self, entry: usize) -> bool {
        self.marked.contains(&entry)
    }

    pub(super) fn marks(&self) -> usize {
        self.marked.len()
    }

    /// The entry at the place; `None` if the filter leaves none.
    pub(super) fn current(&self) -> Option<&Entry> {
        self.left.get(self.at).map(|entry| &self.entries[*entry])
    }

    /// What Enter takes: all that is marked, or the current entry.
    pub(super) fn taken(&self) -> Vec<usize> {
        match self.marked.is_empty() {
            true => self.left.get(self.at).copied().into_iter().collect(),
            false => self.marked.iter().copied().collect(),
        }
    }

    /// Moves by so many entries, up if negative.
    pub(super) fn go(&mut self, by: isize) {
        let last = self.left.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// Moves to the entry with this number, from 1, if the filter leaves it. Returns whether it does.
    pub(super) fn go_to(&mut self, number: usize) -> bool {
        let found = number.checked_sub(1).and_then(|entry| self.left.binary_search(&entry).ok());
        self.at = found.unwrap_or(self.at);
        found.is_some()
    }

    /// Marks the current entry or takes its mark away, and moves down.
    pub(super) fn mark(&mut self) {
        if let Some(entry) = self.left.get(self.at).copied() {
            if !self.marked.remove(&entry) {
                self.marked.insert(entry);
            }
            self.go(1);
        }
    }

    /// Leaves only entries that have each word of `filter`, in any case; stays at the current one if
    /// that is left.
    pub(super) fn set_filter(&mut self, filter: String) {
        let current = self.left.get(self.at).copied();
        let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
        let has =
            |entry: &usize| words.iter().all(|word| self.entries[*entry].key.contains(&**word));
        self.left = (0..self.entries.len()).filter(has).collect();
        self.at = current.and_then(|entry| self.left.binary_search(&entry).ok()).unwrap_or(0);
        self.filter = filter;
    }
}
