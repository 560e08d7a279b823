//! The IRIs and literals of RDF documents, as our lexer and as oxttl read them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use oxrdf::{GraphName, Literal, NamedOrBlankNode, Quad, Term};
use oxttl::{NQuadsParser, TriGParser};

use crate::cargo;

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const BASE: &str = "http://base.example/";

/// The IRIs and literals of a document, in its order.
#[derive(Clone, Default)]
struct Read {
    iris: Vec<String>,
    literals: Vec<String>,
}

impl Read {
    fn resource(&mut self, node: &NamedOrBlankNode) {
        if let NamedOrBlankNode::NamedNode(node) = node {
            self.iris.push(node.as_str().into());
        }
    }

    fn literal(&mut self, literal: &Literal) {
        self.literals.push(literal.value().into());
        if literal.language().is_none() {
            self.iris.push(literal.datatype().as_str().into());
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::NamedNode(node) => self.iris.push(node.as_str().into()),
            Term::BlankNode(_) => {}
            Term::Literal(literal) => self.literal(literal),
            Term::Triple(triple) => {
                self.resource(&triple.subject);
                self.iris.push(triple.predicate.as_str().into());
                self.term(&triple.object);
            }
        }
    }

    fn quad(&mut self, quad: &Quad) {
        self.resource(&quad.subject);
        self.iris.push(quad.predicate.as_str().into());
        self.term(&quad.object);
        if let GraphName::NamedNode(node) = &quad.graph_name {
            self.iris.push(node.as_str().into());
        }
    }

    fn theirs(quads: &[Quad]) -> Read {
        let mut theirs = Read::default();
        quads.iter().for_each(|quad| theirs.quad(quad));
        theirs
    }
}

/// What our lexer reads, by path. Its tokens are not public, so the test of the lexer writes them.
fn ours() -> &'static [(PathBuf, Read)] {
    static OURS: LazyLock<Vec<(PathBuf, Read)>> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("there should be a temporary folder");
        let file = folder.path().join("regions.jsonl");
        let test = "format::turtle::tests::regions_of_documents";
        let mut command = cargo(&["test", "--quiet", "--lib"]);
        let done = command.args(["--", "--exact", test]).env("IRISCAN_REGIONS", &file).output();
        let done = done.expect("cargo should run");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let lines = fs::read_to_string(&file).expect("the test should write the file");
        let documents = lines.lines().map(|line| {
            let document: Document = serde_json::from_str(line).expect("a line of JSON");
            let Document { path, iris, literals } = document;
            (path, Read { iris, literals })
        });
        documents.collect()
    });
    &OURS
}

/// A line of that file.
#[derive(serde::Deserialize)]
struct Document {
    path: PathBuf,
    iris: Vec<String>,
    literals: Vec<String>,
}

/// The documents with these extensions, and what our lexer reads in each.
fn documents(extensions: &[&str]) -> impl Iterator<Item = (&'static Path, Vec<u8>, Read)> {
    let is = |path: &Path| {
        let extension = path.extension().and_then(|e| e.to_str());
        extension.is_some_and(|extension| extensions.contains(&extension))
    };
    let ours = ours().iter().filter(move |(path, _)| is(path));
    ours.map(|(path, read)| {
        let document = fs::read(path).expect("the file should be readable");
        (&**path, document, read.clone())
    })
}

#[test]
fn what_oxttl_reads_in_n_triples_and_n_quads() {
    let (mut read, mut refused) = (0, 0);
    for (path, document, ours) in documents(&["nt", "nq"]) {
        let quads: Result<Vec<_>, _> = NQuadsParser::new().for_slice(&document).collect();
        let Ok(quads) = quads else {
            refused += 1;
            continue;
        };
        let (mut ours, mut theirs) = (ours, Read::theirs(&quads));
        // `"a"` is one of these, and it need not say so.
        let string = format!("{XSD}string");
        for iris in [&mut ours.iris, &mut theirs.iris] {
            iris.retain(|iri| *iri != string);
        }
        assert_eq!(ours.iris, theirs.iris, "{}", path.display());
        assert_eq!(ours.literals, theirs.literals, "{}", path.display());
        read += 1;
    }
    println!("{read} documents of N-Triples and N-Quads, {refused} are none");
}

/// `iri` is one of `written` against `base`.
fn is_resolved(iri: &str, base: &str, written: &BTreeSet<String>) -> bool {
    let Ok(base) = oxiri::Iri::parse(base) else { return false };
    let mut written = written.iter().filter_map(|one| oxiri::IriRef::parse(one.as_str()).ok());
    written.any(|one| base.resolve(&one).is_ok_and(|one| one.as_str() == iri))
}

#[test]
fn what_oxttl_reads_in_turtle_and_trig() {
    let (mut read, mut refused) = (0, 0);
    for (path, document, ours) in documents(&["ttl", "trig"]) {
        let parser = TriGParser::new().with_base_iri(BASE).expect("it should be an IRI");
        let quads: Result<Vec<_>, _> = parser.for_slice(&document).collect();
        let Ok(quads) = quads else {
            refused += 1;
            continue;
        };
        let theirs = Read::theirs(&quads);
        let set = |all: Vec<String>| BTreeSet::from_iter(all);
        let (our_literals, their_literals) = (set(ours.literals), set(theirs.literals));
        // Numbers and booleans have no quotes.
        let has_none = |l: &str| l.parse::<f64>().is_ok() || l == "true" || l == "false";
        for literal in their_literals.symmetric_difference(&our_literals) {
            let known = has_none(literal) && !our_literals.contains(literal);
            assert!(known, "{}: {literal:?}", path.display());
        }
        // Other IRIs are made of a prefix or the base, or a keyword means them.
        let written = set(ours.iris);
        for iri in set(theirs.iris).difference(&written) {
            let known = [XSD, RDF, BASE].iter().any(|ns| iri.starts_with(ns))
                || written.iter().any(|ns| !ns.is_empty() && iri.starts_with(ns))
                || written.iter().any(|base| is_resolved(iri, base, &written));
            assert!(known, "{}: {iri}", path.display());
        }
        read += 1;
    }
    println!("{read} documents of Turtle and TriG, {refused} are none");
}
