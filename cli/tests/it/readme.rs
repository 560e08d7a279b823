//! Runs the console blocks of the documents and the scripts of docs/recipes.md, and
//! follows the links between documents. The words after `console` name programs that a
//! block needs: if one is missing, the block is skipped, and the test says so.

#![cfg(unix)]

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use crate::common::{Done, files};

const RECIPES: &str = include_str!("../../../docs/recipes.md");

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every document for people: its path from the root, and its text.
fn pages() -> Vec<(PathBuf, String)> {
    let root = root();
    let entries = [".", "docs", "benches", "fuzz", "testdata"].map(|dir| root.join(dir).read_dir());
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|e| e == "md"));
    let mut pages: Vec<_> = pages
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path.strip_prefix(&root).unwrap().to_owned(), text)
        })
        .collect();
    pages.sort();
    pages
}

/// The blocks of `page` in that language: the words after the name of the language, and
/// the text.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<(&'p str, &'p str)> {
    let fence = format!("\n```{language}");
    let blocks = page.split(fence.as_str()).skip(1);
    blocks.filter_map(|rest| rest.split("\n```").next()?.split_once('\n')).collect()
}

/// The script of the recipes whose first comment names it.
fn recipe(name: &str) -> &'static str {
    let comment = format!("#!/bin/sh\n# {name}");
    let blocks = blocks(RECIPES, "sh");
    blocks.iter().find(|(_, text)| text.starts_with(&comment)).expect("it should be there").1
}

/// A shell command in `dir`. The program and the files of `dir` are first in its PATH.
fn shell(dir: &Path, line: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_iriscan"));
    let bin = program.parent().expect("the program should be in a folder");
    let path = env::var_os("PATH").unwrap_or_default();
    let path = [dir.into(), bin.into()].into_iter().chain(env::split_paths(&path));
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(dir);
    command.env("PATH", env::join_paths(path).expect("no path should hold a separator"));
    command
}

/// True if the program is installed.
fn has(program: &str) -> bool {
    let paths = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&paths).any(|dir| dir.join(program).is_file())
}

#[test]
fn console_blocks_print_what_they_show() {
    let (root, pages) = (root(), pages());
    let mut run = 0;
    for (needs, block) in pages.iter().flat_map(|(_, page)| blocks(page, "console")) {
        let missing = needs.split_whitespace().find(|program| !has(program));
        if let Some(missing) = missing {
            println!("skipped, as {missing} is not installed:\n{block}\n");
            continue;
        }
        for command in block.strip_prefix("$ ").expect("a command comes first").split("\n$ ") {
            let (line, want) = command.split_once('\n').expect("it should print something");
            let line = line.replace("cargo run -q --release --", "iriscan");
            let done = Done::of(shell(&root, &line), b"").exits(0);
            assert_eq!(String::from_utf8_lossy(&done.stdout).trim_end(), want, "{line}");
            run += 1;
        }
    }
    assert!(run >= 9, "{run} commands were run");
}

#[test]
fn links_between_documents_lead_to_files() {
    let root = root();
    let mut followed = 0;
    for (path, page) in pages() {
        let dir = root.join(&path).parent().expect("a file should be in a folder").to_owned();
        let targets = page.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for target in
            targets.filter(|target| target.ends_with(".md") || target.contains("pictures/"))
        {
            assert!(dir.join(target).exists(), "{}: {target}", path.display());
            followed += 1;
        }
    }
    assert!(followed >= 10, "{followed} links were followed");
}

#[test]
fn the_menu_hands_each_link_on_as_one_argument() {
    // A link with a command for the shell, between two harmless links.
    let text = "http://a.example/$(touch${IFS}run) http://b.example/';touch${IFS}run;' \
                file:///bin/sh https://例え.jp/道";
    let stub = b"#!/bin/sh\ncat\n";
    let opener = b"#!/bin/sh\nprintf '%s %s\\n' $# \"$1\"\n";
    let dir = files(&[("fzf", stub), ("links-menu", recipe("links-menu").as_bytes())]);
    fs::write(dir.path().join("opener"), opener).unwrap();
    for name in ["fzf", "links-menu", "opener"] {
        executable(&dir.path().join(name));
    }
    let mut command = shell(dir.path(), "links-menu");
    command.env("OPENER", "opener");
    Done::of(command, text.as_bytes()).exits(0).quiet().writes(
        "1 http://a.example/$(touch$%7BIFS%7Drun)\n\
         1 http://b.example/';touch$%7BIFS%7Drun;'\n\
         1 https://xn--r8jz45g.jp/%E9%81%93\n",
    );
    assert!(!dir.path().join("run").exists());
}

/// HTML mail with links that would do harm if a program opened them, and two harmless ones.
const HTML_MAIL: &str = "Content-Type: text/html; charset=utf-8\n\n\
    <a href=\"--version\">a</a> <a href='-e'>b</a> <a href=\"file:///bin/sh\">c</a>\n\
    <a href=\"vscode://a/b\">d</a> <a href='vscode:x'>e</a> <a href=' JavaScript:x'>f</a>\n\
    <a href=\"data:,x\">g</a> <a href=\"foo:x\">h</a> <a href='/i'>i</a> <a href='&#45;-j'>j</a>\n\
    <img srcset='--version 1x, -k 2x'> <a href='fi\nle:///l'>l</a>\n\
    <a href=\"http://a.example/ü\">m</a> <a href='mailto:-n@a.example'>n</a>\n";

#[test]
fn the_menu_opens_nothing_of_html_mail_but_the_web_and_addresses() {
    let dir = files(&[
        ("fzf", b"#!/bin/sh\ncat\n"),
        ("links-menu", recipe("links-menu").as_bytes()),
        ("opener", b"#!/bin/sh\nprintf '%s %s\\n' $# \"$1\"\n"),
    ]);
    for name in ["fzf", "links-menu", "opener"] {
        executable(&dir.path().join(name));
    }
    // The macros of mutt and aerc call it in this way.
    let mut command = shell(dir.path(), "links-menu --format mail");
    command.env("OPENER", "opener");
    Done::of(command, HTML_MAIL.as_bytes())
        .exits(0)
        .quiet()
        .writes("1 http://a.example/%C3%BC\n1 mailto:-n@a.example\n");
}

#[test]
fn links_as_arguments_come_after_the_options() {
    if !has("jq") {
        println!("skipped, as jq is not installed");
        return;
    }
    let dir = files(&[("links-args", recipe("links-args").as_bytes())]);
    executable(&dir.path().join("links-args"));
    let command = shell(dir.path(), r"links-args printf '%s\n'");
    Done::of(command, HTML_MAIL.as_bytes())
        .exits(0)
        .quiet()
        .writes("--\nhttp://a.example/%C3%BC\nmailto:-n@a.example\n");
}

#[test]
fn every_recipe_that_opens_links_names_the_schemes() {
    for (_, script) in blocks(RECIPES, "sh") {
        let opens = script.contains("xargs");
        assert!(!opens || script.contains("--schemes http,https,mailto"), "{script}");
    }
}

#[test]
fn the_hook_looks_at_what_is_staged() {
    if !has("git") {
        println!("skipped, as git is not installed");
        return;
    }
    let names = ["-i", "$(touch run) ü.txt", ".hidden", "one\nname"];
    let dir = files(&names.map(|name| (name, &b"http://b\xc3\xbccher.example/"[..])));
    let sh = |line: &str| {
        let mut command = shell(dir.path(), line);
        // Without the settings of the user, and outside of the repository of the tests.
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
            command.env_remove(name);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        for name in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME"] {
            command.env(name, "a@b.example");
        }
        command.env("GIT_COMMITTER_EMAIL", "a@b.example");
        Done::of(command, b"")
    };
    sh("git init -q").exits(0);
    let hook = dir.path().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, recipe("pre-commit")).unwrap();
    executable(&hook);
    let done = sh("git add -A && git commit -qm all").exits(1);
    assert_eq!(done.stderr.matches("+http://xn--bcher-kva.example/").count(), names.len());
    // The hook checks the staged bytes, not the current bytes of the file.
    sh("iriscan rewrite -i --hidden . && git commit -qm all").exits(1);
    sh("git add -A && echo http://ü.example/ > -i && git commit -qm all").exits(0).quiet();
    sh("git commit -q --allow-empty -m empty").exits(0).quiet();
    assert!(!dir.path().join("run").exists());
}

fn executable(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
