# What people run most. `just` lists it.

_list:
    @just --list

# The command, in target/release/iriscan.
build:
    cargo build --release -p iriscan-cli

# All tests of the Rust workspace.
test:
    cargo test --workspace --all-features

# The tests of the library whose names have a word in them.
some WORD:
    cargo test --workspace --all-features --lib -- {{WORD}}

# Formats all Rust code.
fmt:
    cargo fmt --all
    for folder in fuzz peers bindings .ci/guard_pages .ci/emulated .ci/public_api; do cargo fmt --manifest-path $folder/Cargo.toml; done

# Warnings are errors.
lint:
    cargo clippy --workspace --all-targets --all-features -- -D warnings

# The documentation of the library, in a browser.
doc:
    cargo doc -p iriscan --no-deps --all-features --open

# Writes the cases again that the bindings read.
interop:
    IRISCAN_WRITE_INTEROP=1 cargo test --workspace --all-features --lib -- interop

# Writes what the command prints again in cli/tests/transcripts.
transcripts:
    IRISCAN_WRITE_TRANSCRIPTS=1 cargo test --workspace --all-features --test it transcripts

# Fails if a document takes 3 % more instructions; `just instructions --update` writes the new table.
instructions *WORDS:
    .ci/instructions {{WORDS}}

# Fails if a public item changed; `just api --update` writes the new list.
api *WORDS:
    .ci/api {{WORDS}}

# The package for Python, with its tests.
python:
    bindings/python/check

# The C library, with its tests.
c:
    bindings/c/check

# The npm package and the playground, with their tests.
web:
    bindings/web/check

# Renews the data of Unicode, of hosts and of suffixes, and prints what changes.
renew *WORDS:
    .ci/renew {{WORDS}}

# What differs from an older commit in what is found.
differential *WORDS:
    .ci/differential {{WORDS}}

# All that must hold for a commit.
ci:
    .ci/run

# What takes longer: all parts, or those that are named.
nightly *PARTS:
    .ci/nightly {{PARTS}}
