#!/usr/bin/env python3
"""Prints 10,000 references from real documents, for peers/benches/reference.rs.

    cargo build --release
    python3 benches/references.py target/release/iriscan DIR > references.txt

Absolute references are those that `iriscan find` finds in the files below DIR. Relative ones
are from attributes (HTML, XML), link targets (Markdown) and requests (access logs). If the
%HH of a reference are UTF-8, its IRI form, as an address bar shows it, is used too, because
otherwise few references would not be ASCII. All of those are used, and all relative ones; of
the absolute ASCII ones every n-th of the sorted list, so that hosts keep their proportion.
The order is that of a hash: random, and the same each time. The counts go to stderr.
"""

import gzip
import hashlib
import html
import os
import re
import subprocess
import sys

COUNT = 10_000
# Inputs of fuzzers in the corpora are longer, up to 600 kB.
LONGEST = 2_000
BINARY = (".png", ".jpg", ".gz")
ATTRIBUTE = re.compile(r"""\b(?:href|src|action|rdf:about|rdf:resource)=(?:"([^"]*)"|'([^']*)')""")
MARKDOWN = re.compile(r"\]\(([^() \t\n]+)\)")
REQUEST = re.compile(r'"(?:GET|POST|HEAD) (\S+) HTTP/')

# IRI-reference of RFC 3987, section 2.2, except the inside of IP literals.
UCS = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr(p << 16)}-{chr(p << 16 | 0xFFFD)}" for p in range(1, 14)
)
PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd"
REG_NAME = rf"(?:[-A-Za-z0-9._~!$&'()*+,;={UCS}]|%[0-9A-Fa-f]{{2}})"
IRI_REFERENCE = re.compile(
    rf"(?P<scheme>[A-Za-z][-+.A-Za-z0-9]*:)?"
    rf"(?://(?:(?:{REG_NAME}|:)*@)?{REG_NAME}*(?::[0-9]*)?(?=[/?#]|\Z)|(?!//))"
    rf"(?(scheme)|(?!(?:{REG_NAME}|@)*:))"
    rf"(?:{REG_NAME}|[:@/])*"
    rf"(?:\?(?:{REG_NAME}|[:@/?{PRIVATE}])*)?(?:#(?:{REG_NAME}|[:@/?])*)?\Z"
)


def files(folder):
    for at, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(at, name) for name in sorted(names))


def found(iriscan, paths):
    command = [iriscan, "find", "--iri", "--null", "--unique", "--schemes", "any"]
    for path in paths:
        out = subprocess.run([*command, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        yield from out.stdout.decode().split("\0")


def written(path):
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            text = file.read().decode("utf-8", "replace")
    except (OSError, EOFError):
        return
    for double, single in ATTRIBUTE.findall(text):
        # As in HTML, `&section=` in an attribute is not `&sect;`.
        yield re.sub(r"&#?\w+;", lambda name: html.unescape(name[0]), double or single)
    yield from REQUEST.findall(text)
    if path.endswith(".md"):
        yield from MARKDOWN.findall(text)


def iri_form(reference):
    """Decodes runs of escapes of octets above ASCII, if they are UTF-8."""

    def decode(run):
        octets = bytes.fromhex(run[0].replace("%", ""))
        try:
            return octets.decode()
        except UnicodeDecodeError:
            return run[0]

    return re.sub(r"(?:%[89A-Fa-f][0-9A-Fa-f])+", decode, reference)


def is_wanted(reference):
    return 0 < len(reference) <= LONGEST and IRI_REFERENCE.match(reference)


def main():
    iriscan, folder = sys.argv[1:]
    paths = [path for path in files(folder) if not path.endswith(BINARY[:2])]
    absolute = set(found(iriscan, [path for path in paths if not path.endswith(BINARY)]))
    real = absolute | {reference for path in paths for reference in written(path)}
    real = {reference for reference in real if is_wanted(reference)}
    forms = {form for form in map(iri_form, real) if form not in real and is_wanted(form)}
    has_scheme = re.compile(r"[A-Za-z][-+.A-Za-z0-9]*:").match
    rest = sorted(r for r in real if has_scheme(r) and r.isascii())
    chosen = sorted((real | forms) - set(rest))
    missing = COUNT - len(chosen)
    if missing > len(rest):
        sys.exit(f"references.py: {folder} has only {len(rest) + len(chosen)}")
    chosen += [rest[i * len(rest) // missing] for i in range(missing)]
    chosen.sort(key=lambda reference: hashlib.sha256(reference.encode()).digest())
    print(*chosen, sep="\n")
    for name, group in (
        ("absolute, ASCII", [r for r in chosen if has_scheme(r) and r.isascii()]),
        ("absolute, other", [r for r in chosen if has_scheme(r) and not r.isascii()]),
        ("relative, ASCII", [r for r in chosen if not has_scheme(r) and r.isascii()]),
        ("relative, other", [r for r in chosen if not has_scheme(r) and not r.isascii()]),
        ("of these in IRI form", [r for r in chosen if r in forms]),
    ):
        octets = sum(len(reference.encode()) for reference in group)
        print(f"{name}: {len(group)}, {octets / max(len(group), 1):.0f} bytes", file=sys.stderr)


main()
