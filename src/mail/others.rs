//! The links of a region that rewriting may change, with their numbers.

use std::vec::Vec;

use super::region::Region;
use crate::{api::finder::Finder, links::matched::Match};

/// The links of a region that are not ASCII, or all if a template replaces them. A few are held; if there are more, they are found
/// again for each iteration.
pub(super) struct Others<'a> {
    finder: &'a Finder,
    region: &'a Region<'a>,
    held: Option<Vec<(u64, Match<'a>)>>,
    /// The number of the first link.
    first: u64,
}

impl<'a> Others<'a> {
    /// Calls `each` for every link, ASCII or not. The number of the first one is `first`.
    pub(super) fn of(
        finder: &'a Finder,
        region: &'a Region<'a>,
        first: u64,
        mut each: impl FnMut(),
    ) -> Others<'a> {
        let most = finder.rules.tuning.held;
        let mut held = Some(Vec::new());
        for (link, n) in finder.find_iter(region.input()).zip(first..) {
            each();
            if may_change(finder, &link) {
                if held.as_ref().is_some_and(|held| held.len() == most) {
                    held = None;
                }
                held.iter_mut().for_each(|held| held.push((n, link.clone())));
            }
        }
        Others { finder, region, held, first }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.held.as_ref().is_some_and(Vec::is_empty)
    }

    /// The links and their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, Match<'a>)> {
        let finder = self.finder;
        let again = match self.held {
            Some(_) => None,
            None => Some(self.finder.find_iter(self.region.input())),
        };
        let held = self.held.iter().flatten().cloned();
        let again = (self.first..).zip(again.into_iter().flatten());
        held.chain(again.filter(|(_, link)| may_change(finder, link)))
    }
}

/// Whether rewriting may change a link.
pub(super) fn may_change(finder: &Finder, link: &Match<'_>) -> bool {
    !link.is_ascii() || finder.rules.changes_ascii()
}
