//! `find --print`, `--csv`, `--tsv` and `--count-by`: fields of links, and how often they are there.

use crate::common::{files, iriscan, iriscan_in};

const TEXT: &str = "see http://A.example:80/é?q=1#f,\n日本 http://b.example/ http://A.example/é.\n";

#[test]
fn a_template_has_the_fields_of_a_link() {
    let print = |template: &str, want: &str| {
        let dir = files(&[("a.txt", TEXT.as_bytes())]);
        let args = ["find", "--print", template, "a.txt"];
        let done = crate::common::command(args).current_dir(dir.path()).output().unwrap();
        assert_eq!(String::from_utf8(done.stderr).unwrap(), "", "{template}");
        assert_eq!(String::from_utf8(done.stdout).unwrap(), want, "{template}");
    };
    print("{n} {host}", "1 A.example\n2 b.example\n3 A.example\n");
    print(
        r"{file}:{line}:{column}\t{start}-{end}\\t",
        "a.txt:1:5\t4-32\\t\na.txt:2:4\t41-58\\t\na.txt:2:22\t59-78\\t\n",
    );
    print(
        "{kind}|{scheme}|{path}|{query}|{fragment}|{charset}|{warnings}",
        "iri|http|/é|q=1|f|UTF-8|\niri|http|/|||UTF-8|\niri|http|/é|||UTF-8|\n",
    );
    print(
        "{{{uri}}} {open} {text}",
        "{http://A.example:80/%C3%A9?q=1#f} http://A.example:80/%C3%A9?q=1#f http://A.example:80/é?q=1#f\n\
         {http://b.example/} http://b.example/ http://b.example/\n\
         {http://A.example/%C3%A9} http://A.example/%C3%A9 http://A.example/é\n",
    );
    let html = "<a href='/é'>http://لa.com/é";
    let done = iriscan("find --format html --print {uri}|{open}|{host}|{iri} -0", html);
    done.exits(0).writes("/%C3%A9|||/é\0||لa.com|http://لa.com/é\0");
    // No name before a record unless the template has it.
    let dir = files(&[("a.txt", b"http://a.example/"), ("b.txt", b"http://b.example/")]);
    let done = iriscan_in(dir.path(), "find --print {n}{file} a.txt b.txt", "");
    done.exits(0).quiet().writes("1a.txt\n1b.txt\n");
}

#[test]
fn domains_are_those_of_the_public_suffix_list() {
    let text = "http://www.a.co.uk/ http://A.co.uk:80/ http://x.b\u{fc}cher.example http://10.0.0.1/ http://co.uk/";
    iriscan("find --print {domain}", text)
        .exits(0)
        .writes("a.co.uk\na.co.uk\nxn--bcher-kva.example\n\n\n");
    iriscan("find --count-by domain", text)
        .exits(0)
        .writes("2\t-\n2\ta.co.uk\n1\txn--bcher-kva.example\n");
    iriscan("rewrite --replace {domain}", "see http://www.a.co.uk/x.")
        .exits(0)
        .writes("see a.co.uk.");
}

#[test]
fn a_wrong_template_says_what_there_is() {
    let done = iriscan("find --print {hots}", "").exits(2);
    for word in ["no field {hots}, character 1", "{host}", "{column}", "{{ and }} are braces"] {
        assert!(done.stderr.contains(word), "{word}: {}", done.stderr);
    }
    for args in ["--print {n} --json", "--csv --tsv", "--csv --count", "--count-by host --json"] {
        let done = iriscan(&format!("find {args}"), "").exits(2);
        assert!(done.stderr.contains("cannot be used with"), "{args}: {}", done.stderr);
    }
}

const HEADER: &str = "file,start,end,line,column,kind,scheme,host,uri,iri,open,charset,warnings\n";

#[test]
fn tables_are_quoted_where_they_must_be() {
    let dir = files(&[
        ("a, \"b\".txt", b"http://u@a.example/x,y <http://a.example/\n  long>"),
        ("c.eml", b"Subject: x\n\nhttp://m.example/\n"),
        ("empty.txt", b""),
    ]);
    let done = iriscan_in(dir.path(), "find --csv .", "").exits(0).quiet();
    let want = format!(
        "{HEADER}\"./a, \"\"b\"\".txt\",0,22,1,1,iri,http,a.example,\"http://u@a.example/x,y\",\
         \"http://u@a.example/x,y\",\"http://u@a.example/x,y\",UTF-8,userinfo\n\
         \"./a, \"\"b\"\".txt\",24,48,1,25,iri,http,a.example,http://a.example/long,\
         http://a.example/long,http://a.example/long,UTF-8,\n\
         ./c.eml,12,29,3,,iri,http,m.example,http://m.example/,http://m.example/,\
         http://m.example/,UTF-8,\n"
    );
    done.writes(&want);
    iriscan_in(dir.path(), "find --csv empty.txt", "").exits(1).quiet().writes(HEADER);
    let done = iriscan("find --tsv", "http://a.example/x,y http://b.example").exits(0).quiet();
    let header = HEADER.replace(',', "\t");
    done.writes(format!(
        "{header}-\t0\t20\t1\t1\tiri\thttp\ta.example\thttp://a.example/x,y\thttp://a.example/x,y\t\
         http://a.example/x,y\tUTF-8\t\n-\t21\t37\t1\t22\tiri\thttp\tb.example\thttp://b.example\t\
         http://b.example\thttp://b.example\tUTF-8\t\n"
    ));
}

#[test]
fn values_are_counted_the_most_frequent_first() {
    let text = "http://b.example/1 HTTP://A.example/1 http://bücher.example http://xn--bcher-kva.example/ \
                http://b.example/2 mailto:u@c.example http://b.example/1 http://u@z.example/";
    for (args, want) in [
        ("host", "3\tb.example\n2\txn--bcher-kva.example\n1\t-\n1\ta.example\n1\tz.example\n"),
        ("scheme", "7\thttp\n1\tmailto\n"),
        ("kind", "8\tiri\n"),
        ("charset", "8\tUTF-8\n"),
        ("warning", "1\tuserinfo\n"),
        ("host --only-host b.example", "3\tb.example\n"),
        ("host --unique --only-host b.example", "2\tb.example\n"),
        ("uri --match b.example", "2\thttp://b.example/1\n1\thttp://b.example/2\n"),
    ] {
        let done = iriscan(&format!("find --charset utf-8 --count-by {args}"), text);
        done.exits(0).quiet().writes(want);
    }
    iriscan("find --count-by host -0", "http://a.example/").writes("1\ta.example\0");
    iriscan("find --count-by host", "none").exits(1).quiet().writes("");
    // All inputs together, mail and pieces of a large file too.
    let big = "see http://b.example/é and http://a.example/\n".repeat(60_000);
    let dir = files(&[
        ("a.txt", big.as_bytes()),
        ("b.eml", b"Subject: http://a.example/\n\nhttp://a.example/\n"),
    ]);
    for jobs in [1, 2] {
        let done = iriscan_in(dir.path(), &format!("find --count-by host -j{jobs} ."), "");
        done.exits(0).quiet().writes("60002\ta.example\n60000\tb.example\n");
        let args = format!("find --print {{n}}|{{line}}|{{iri}} -j{jobs} a.txt");
        let done = iriscan_in(dir.path(), &args, "").exits(0).quiet();
        let lines = String::from_utf8(done.stdout).unwrap();
        assert_eq!(lines.lines().last(), Some("120000|60000|http://a.example/"));
    }
}

#[test]
fn statistics_have_the_most_frequent_hosts() {
    let links: String =
        (0..12).flat_map(|i| vec![i; i + 1]).map(|i| format!("http://h{i:02}.example/ ")).collect();
    let done = iriscan("find --stats=json --count", &links);
    let stats: serde_json::Value = serde_json::from_str(&done.stderr).unwrap();
    let hosts = stats["hosts"].as_array().unwrap();
    assert_eq!(hosts.len(), 10);
    assert_eq!(hosts[0], serde_json::json!({"host": "h11.example", "links": 12}));
    assert_eq!(hosts[9], serde_json::json!({"host": "h02.example", "links": 3}));
    let done = iriscan("find --stats --count", &links);
    assert!(
        done.stderr.contains("  hosts          12 h11.example, 11 h10.example, "),
        "{}",
        done.stderr
    );
}

#[test]
fn no_cell_of_a_safe_table_is_a_formula() {
    // In an attribute, any text is a reference.
    let page = r#"<a href="=cmd|'/C calc'!A0"><a href="+1"><a href="-1"><a href="@x"><a href="＝1"><a href="a=1"><a href="'=1">"#;
    let cells = |args: &str| {
        let done = iriscan(&format!("find --format html {args}"), page).exits(0).quiet();
        let mut reader = cells_of(&done.stdout, if args.contains("tsv") { '\t' } else { ',' });
        let header = reader.remove(0);
        let column = header.iter().position(|name| name == "iri").unwrap();
        reader.into_iter().map(|record| record[column].clone()).collect::<Vec<_>>()
    };
    let exact = ["=cmd|'/C%20calc'!A0", "+1", "-1", "@x", "＝1", "a=1", "'=1"];
    let safe = ["'=cmd|'/C%20calc'!A0", "'+1", "'-1", "'@x", "'＝1", "a=1", "'=1"];
    assert_eq!(cells("--csv"), exact);
    assert_eq!(cells("--tsv"), exact);
    for args in ["--csv-safe", "--csv --csv-safe", "--tsv --csv-safe"] {
        assert_eq!(cells(args), safe);
    }
    // All cells, not only links: standard input is called -.
    let done = iriscan("find --csv-safe", "http://a.example/").exits(0).quiet();
    assert!(String::from_utf8(done.stdout).unwrap().lines().nth(1).unwrap().starts_with("'-,0,"));
    let dir = files(&[("=1+2.txt", b"http://a.example/")]);
    let done = iriscan_in(dir.path(), "find --csv-safe =1+2.txt", "").exits(0);
    assert!(String::from_utf8(done.stdout).unwrap().contains("\n'=1+2.txt,0,"));
    for args in ["--csv-safe --json", "--csv-safe --count", "--csv-safe -0", "--csv-safe --iri"] {
        iriscan(&format!("find {args}"), "").exits(2);
    }
}

/// The records of a table whose cells have no quotes.
fn cells_of(table: &[u8], delimiter: char) -> Vec<Vec<String>> {
    let table = std::str::from_utf8(table).unwrap();
    table.lines().map(|line| line.split(delimiter).map(str::to_owned).collect()).collect()
}
