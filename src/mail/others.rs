//! The links of a region that rewriting may change.

use std::vec::Vec;

use super::region::Region;
use crate::{api::finder::Finder, links::matched::Match};

/// The links of a region that are not ASCII. A few are held; if there are more, they are found
/// again for each iteration.
pub(super) struct Others<'a> {
    finder: &'a Finder,
    region: &'a Region<'a>,
    held: Option<Vec<Match<'a>>>,
}

impl<'a> Others<'a> {
    /// Calls `each` for every link, ASCII or not.
    pub(super) fn of(
        finder: &'a Finder,
        region: &'a Region<'a>,
        mut each: impl FnMut(),
    ) -> Others<'a> {
        let most = finder.rules.tuning.held;
        let mut held = Some(Vec::new());
        for link in finder.find_iter(region.input()) {
            each();
            if !link.is_ascii() {
                if held.as_ref().is_some_and(|held| held.len() == most) {
                    held = None;
                }
                held.iter_mut().for_each(|held| held.push(link.clone()));
            }
        }
        Others { finder, region, held }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.held.as_ref().is_some_and(Vec::is_empty)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Match<'a>> {
        let again = match self.held {
            Some(_) => None,
            None => Some(self.finder.find_iter(self.region.input())),
        };
        let held = self.held.iter().flatten().cloned();
        held.chain(again.into_iter().flatten().filter(|link| !link.is_ascii()))
    }
}
