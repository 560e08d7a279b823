//! What all manifests say of the project is what Cargo.toml says.

use std::{fs, path::Path};

/// The value of a key of `[workspace.package]`.
fn value<'t>(manifest: &'t str, key: &str) -> &'t str {
    let line = manifest.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
    line.expect("the manifest should have the key").trim_matches(['"', '[', ']'])
}

#[test]
fn manifests_name_one_project() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let manifest = read("Cargo.toml");
    let (repository, author) = (value(&manifest, "repository"), value(&manifest, "authors"));
    assert!(repository.starts_with("https://") && !author.is_empty());
    let bindings = read("bindings/Cargo.toml");
    assert_eq!((value(&bindings, "repository"), value(&bindings, "authors")), (repository, author));
    for name in ["bindings/web/js/package.json", "bindings/python/pyproject.toml"] {
        let text = read(name);
        assert!(text.contains(&format!("\"{repository}\"")), "{name}");
        assert!(text.contains(&format!("\"{author}\"")), "{name}");
    }
    assert!(read("cli/Cargo.toml").contains(&format!("maintainer = \"{author} <")));
}
