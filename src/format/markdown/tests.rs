//! Documents of Markdown as the regions that are found in them, with every cut.

use proptest::prelude::*;

use super::{
    super::tests::{hostile, render, tokens_of_all_cuts},
    *,
};

fn rendered(document: &str) -> std::string::String {
    render(&Markdown::new(true, Triggers::Any), document.as_bytes())
}

#[test]
fn text_has_escapes() {
    for (document, regions) in [
        ("", ""),
        ("a\\_b \\q \\\\", "{a_b \\q \\}"),
        ("&amp;&eacute;&#233;&#xE9; &copy &amp", "{&ééé &copy &amp}"),
        ("<http://a/\\_&amp;> \\_", "{<http://a/\\_&> _}"),
        ("a\\", "{a\\}"),
    ] {
        assert_eq!(rendered(document), regions, "{document:?}");
    }
}

#[test]
fn targets_are_references() {
    for (document, regions) in [
        ("[a](b)", "{[a}<b>{)}"),
        ("[a](b \"c\") ![d]( e )", "{[a}<b>{ \"c\") ![d}<e>{ )}"),
        ("[a](<b c> 'd')", "{[a}<b c>{> 'd')}"),
        ("[a](b(c)d\\)e)f)", "{[a}<b(c)d)e>{)f)}"),
        ("[a](\nb\n\"c\")", "{[a}<b>{\n\"c\")}"),
        ("[![a](b)](c)", "{[![a}<b>{)}<c>{)}"),
        // No targets.
        ("a](b) [c] (d) [e]()", "{a](b) [c] (d) [e]()}"),
        ("[a](b c)", "{[a}{b}{ c)}"),
        ("[a](b", "{[a}{b}"),
        ("[a](b\n\nc)", "{[a}{b}{\n\nc)}"),
        ("[a](x:b. c)", "{[a}{x:b.}{ c)}"),
        ("[a](x:b. \"c\")", "{[a}<x:b.>{ \"c\")}"),
        ("[a](x\\_&amp;b", "{[a}{x_&b}"),
        ("[a](<b d\nc>)", "{[a}{b d}{\nc>)}"),
        ("\\[a](b)", "{[a](b)}"),
        ("`[a](b)`", "{`[a](b)`}"),
        // Definitions.
        ("[a]: b", "{[a}<b>"),
        ("[a]: <b c> 'd'\n[e]:\n  f\n", "{[a}<b c>{> 'd'\n[e}<f>{\n}"),
        ("> [a]: b\n", "{> [a}<b>{\n}"),
        ("a\n[b]: c\n", "{a\n[b]: c\n}"),
        ("[a]: b c\n", "{[a}{b}{ c\n}"),
        ("[a]: (b) c\n", "{[a}{(b)}{ c\n}"),
        ("[^1]: b\n", "{[^1]: b\n}"),
        ("[]: b\n\n[\n ]: c\n\n[ d]: e\n", "{[]: b\n\n[\n ]: c\n\n[ d}<e>{\n}"),
        ("[a\n  b]: c\n", "{[a\n  b}<c>{\n}"),
        ("[a\n- b]: c\n", "{[a\n- b]: c\n}"),
    ] {
        assert_eq!(rendered(document), regions, "{document:?}");
    }
}

#[test]
fn what_follows_a_target_decides() {
    for (document, regions) in [
        ("[a](b \"c\" d) [e](f \"g\" ) [h](i 'j", "{[a}{b}{ \"c\" d) [e}<f>{ \"g\" ) [h}{i}{ 'j}"),
        ("[a](<b>\"c\") [d](<e> \"f\") [g](<h>i)", "{[a}{b}{>\"c\") [d}<e>{> \"f\") [g}{h}{>i)}"),
        ("[a](b \"c\n\nd\") [e](f (g(h)))", "{[a}{b}{ \"c\n\nd\") [e}{f}{ (g(h)))}"),
        ("[a]: b \"c\\\"\" \n[d]: e 'f' g\n", "{[a}<b>{ \"c\"\" \n[d}{e}{ 'f' g\n}"),
        ("[a]: <b>'c'\n[d]: <e>\n", "{[a}{b}{>'c'\n[d]: }{\n}"),
        (
            "[a]: b\n  'c'\n[d]: e\n  'f' g\n[h]: i\n",
            "{[a}<b>{\n  'c'\n[d}<e>{\n  'f' g\n[h]: i\n}",
        ),
        ("[a]: b 'c\nd\n'\n[e]: f\n", "{[a}<b>{ 'c\nd\n'\n[e}<f>{\n}"),
        ("[a]: b\n'c\n\\'\nd'\n[e]: f\n", "{[a}<b>{\n'c\n'\nd'\n[e}<f>{\n}"),
        ("[a]: b\n    [c]: d\ne\n[f]: g\n", "{[a}<b>{\n    [c}<d>{\ne\n[f]: g\n}"),
        // What ends a paragraph.
        ("a\n# b\n[c]: d\n#e\n[f]: g\n", "{a\n# b\n[c}<d>{\n#e\n[f]: g\n}"),
        ("a\n===\n[c]: d\n===\n[f]: g\n", "{a\n===\n[c}<d>{\n===\n[f]: g\n}"),
        ("a\n--\n[c]: d\n***\n[f]: g\n**\n[h]: i", "{a\n--\n[c}<d>{\n***\n[f}<g>{\n**\n[h]: i}"),
        ("x [a]: b\n", "{x [a]: b\n}"),
    ] {
        assert_eq!(rendered(document), regions, "{document:?}");
    }
}

#[test]
fn underscores_divide_text() {
    for (document, regions) in [
        ("_a@b_ c", "{a@b}{ c}"),
        ("__a__ b", "{a}{ b}"),
        ("_see a@b_, (_c_)", "{see a@b}{, (}{c}{)}"),
        ("_a\nb/c_\n_d", "{_a\nb/c}{\n_d}"),
        ("**_a_** _*b*_", "{**}{a}{** }{*b*}"),
        (
            "_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_ b",
            "{_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}{ b}",
        ),
        // None of these opens or closes anything.
        ("a_b_c a_ b", "{a_b_c a_ b}"),
        ("_ a_ é_a_é", "{_ a_ é_a_é}"),
        ("_a\n\nb_", "{_a\n\nb_}"),
        ("x/_a_b x/a_(b)", "{x/_a_b x/a_(b)}"),
        ("_a x/b_(c)d_", "{a x/b_(c)d}"),
        ("\\_a\\_ `_a_` [b](_c_)", "{_a_ }{`_a_`}{ [b}<_c_>{)}"),
        ("<x:_a_>", "{<x:_a_>}"),
    ] {
        assert_eq!(rendered(document), regions, "{document:?}");
    }
}

#[test]
fn code_has_no_escapes() {
    for (document, regions) in [
        ("`a\\_&amp;` \\_", "{`a\\_&amp;`}{ _}"),
        ("``a`\\_`` b", "{``a`\\_``}{ b}"),
        ("`a\\_\n\nb\\_", "{`a\\_}{\n\nb_}"),
        ("```\na\\_\n```\nb\\_", "{```\na\\_\n```\n}{b_}"),
        ("a\n~~~~ x\n```\n~~~\n~~~~ \nb\\_", "{a\n}{~~~~ x\n```\n~~~\n~~~~ \n}{b_}"),
        ("> ```\n> a\\_\n> ```\nb\\_", "{> ```\n> a\\_\n> ```\n}{b_}"),
        ("- ```\n  a\\_\n  ```\n", "{- ```\n  a\\_\n  ```\n}"),
        ("    a\\_\n\n    b\\_\nc\\_", "{    a\\_\n\n    b\\_\n}{c_}"),
        ("a\n    b\\_", "{a\n    b_}"),
        ("- a\n\n      b\\_\n\n  c\\_", "{- a\n\n}{      b\\_\n\n}{  c_}"),
        ("- a\n\n    b\\_", "{- a\n\n    b_}"),
        ("\u{FEFF}```\na\\_", "{```\na\\_}"),
        ("```a`b\\_", "{```a`b\\_}"),
        ("``", "{``}"),
        ("a\n~", "{a\n~}"),
        ("````````````````````````````````````````````````````````````````````x\\_", ""),
    ] {
        let regions = if regions.is_empty() { None } else { Some(regions) };
        let got = rendered(document);
        assert!(regions.is_none_or(|regions| got == regions), "{document:?}: {got:?}");
    }
    // A short span that cannot hold a link needs no region.
    for (document, regions) in [
        ("a `b` c", "{a `b` c}"),
        ("a `std::fmt` `x: y` `a:b` c", "{a `std::fmt` `x: y` `a:b` c}"),
        ("a `x://y\\_` `mailto:z` c", "{a }{`x://y\\_`}{ }{`mailto:z`}{ c}"),
    ] {
        let links = Markdown::new(true, Triggers::Colon);
        assert_eq!(render(&links, document.as_bytes()), regions, "{document:?}");
    }
    for (document, regions) in [
        ("a `b` c", "{a }{ c}"),
        ("a\n\n```\nb\n```\nc", "{a\n\n}{c}"),
        ("a\n\n    b\n\nc", "{a\n\n}{c}"),
        ("a `b", "{a }"),
        ("a `b\n\nc", "{a }{\n\nc}"),
    ] {
        let without = Markdown::new(false, Triggers::Any);
        assert_eq!(render(&without, document.as_bytes()), regions, "{document:?}");
    }
}

#[test]
fn tags_are_as_in_html() {
    for (document, regions) in [
        ("a <a href=\"b&amp;c\">d</a> e", "{a }<b&c>{d}{ e}"),
        ("<img src=x.png alt='a b'/>c", "<x.png>{a b}{c}"),
        ("<a\nhref = 'b'\ntitle=c>d", "<b>{c}{d}"),
        // No tags.
        ("a <b http://c/> d", "{a }{ http://c/> d}"),
        ("a < b <1> <b:c", "{a < b <1> <b:c}"),
        ("<a href='b\n\nc'>", "{b}{\n\nc'>}"),
        ("<a href='b", "{b}"),
        ("<a href=\"b\"c>d", "{b}{\"c>d}"),
        ("<a href=\"\\\"\">", "{\\}{\"\">}"),
        ("<a title='b'c>d", "{b}{'c>d}"),
        ("<a href='b'\ntitle=\"c\"/>d", "<b>{c}{d}"),
    ] {
        assert_eq!(rendered(document), regions, "{document:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes(document in hostile(&[
        "[", "]", "](", "]:", "[a]: ", "[a](", ")", "(", "<", ">", "](<", "\\", "\\_", "&amp;", "&", ";", "`",
        "``", "```", "~~~", "\n", "\r\n", "\n\n", "    ", "\t", "> ", "- ", "1. ", "<a href='", "<a href=\"",
        "<img src=x", "'", "\"", "/>", "</a>", "<http:", "x:", "#", " ", "title=", "é", ".", "\u{FEFF}",
        "_", "a_", " _b", "__", "# ", "===", "---", "[a]: b\n", " 'c'\n", "\n'", "]: <b>", " \"c\")",
    ])) {
        tokens_of_all_cuts(&Markdown::new(true, Triggers::Any), &document);
        tokens_of_all_cuts(&Markdown::new(false, Triggers::Any), &document);
        tokens_of_all_cuts(&Markdown::new(true, Triggers::Colon), &document);
    }
}
