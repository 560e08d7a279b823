//! The console block of the README, run.

use std::{fs, path::Path, process::Command};

#[test]
fn the_first_command_of_the_readme_prints_what_stands_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README should be there");
    let block = readme
        .split("```console\n$ cargo run -q --release -- ")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("the README should show a command");
    let (args, want) = block.split_once('\n').expect("the command should print something");
    let output = Command::new(env!("CARGO_BIN_EXE_iriscan"))
        .args(args.split(' '))
        .current_dir(root)
        .output()
        .expect("the program should run");
    assert_eq!(String::from_utf8_lossy(&output.stdout), want);
    assert!(output.status.success());
}
