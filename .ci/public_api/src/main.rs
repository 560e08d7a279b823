//! Lists the public items of a crate, from rustdoc's JSON.
//!
//! A derived implementation is one line. Blanket and auto traits are left out, because
//! every type has them (a test of the library checks that types are `Send` and `Sync`).

use std::{collections::HashSet, env, error::Error, path::PathBuf};

use public_api::{Builder, PublicApi};

fn main() -> Result<(), Box<dyn Error>> {
    let json = PathBuf::from(env::args_os().nth(1).ok_or("usage: public-api FILE.json")?);
    let builder = || {
        let builder = Builder::from_rustdoc_json(&json);
        builder.omit_blanket_impls(true).omit_auto_trait_impls(true)
    };
    let all = builder().build()?;
    let written: HashSet<String> =
        lines(&builder().omit_auto_derived_impls(true).build()?).collect();
    for line in lines(&all) {
        let derived = line.starts_with("impl") && !line.contains("::StructuralPartialEq ");
        if derived || written.contains(&line) {
            println!("{line}");
        }
    }
    Ok(())
}

fn lines(api: &PublicApi) -> impl Iterator<Item = String> {
    api.items().map(ToString::to_string)
}
