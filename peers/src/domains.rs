//! Registrable domains are those of the crate `psl`, which the library asks in a way of its own.

use proptest::prelude::*;

use crate::{Finder, cases_count};

/// Labels of public suffixes with one, two and three labels, wildcards and exceptions among them.
const LABELS: [&str; 24] = [
    "com",
    "uk",
    "co",
    "jp",
    "kobe",
    "city",
    "ck",
    "www",
    "a",
    "xn--p1ai",
    "github",
    "io",
    "amazonaws",
    "s3",
    "eu-west-1",
    "no",
    "gov",
    "br",
    "kawasaki",
    "tokyo",
    "museum",
    "zz",
    "1",
    "b-c",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10 * cases_count()))]

    #[test]
    fn registrable_domains_are_those_of_the_list(
        labels in prop::collection::vec(prop::sample::select(LABELS.to_vec()), 1..6),
    ) {
        let host = labels.join(".");
        let text = format!("http://{host}/");
        let link = Finder::new().find_iter(&*text).next().map(|link| link.to_link());
        let link = link.filter(|link| link.host().as_deref() == Some(&*host));
        prop_assume!(link.is_some());
        let domain = link.and_then(|link| link.domain());
        // A name that ends in a number is an address.
        let is_address = labels.last() == Some(&"1");
        let want = psl::domain_str(&host).filter(|_| !is_address);
        prop_assert_eq!(domain.as_deref(), want, "{}", host);
    }
}
