"""The options of a finder as arguments of a command."""

from __future__ import annotations

import argparse
from typing import Any


def add_finder_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say how a text is read and what counts as a link."""
    parser.add_argument("--kinds", default="iri", help="comma list of iri, bare, email")
    parser.add_argument("--charset", default="auto", help="label of a charset")
    parser.add_argument("--format", default="auto", help="text, html, xml, json, log, turtle, mail")
    parser.add_argument("--rules", default="prose", help="prose, uts58")
    parser.add_argument("--schemes", help="common, any, or a comma list")
    parser.add_argument("--host", default="punycode", help="punycode, percent, keep")
    parser.add_argument("--query", help="document, utf-8")
    parser.add_argument("--nfc", default="auto", help="auto, always, never")
    parser.add_argument("--max-len", type=int, default=65536, metavar="BYTES")
    parser.add_argument("--field", action="append", default=[], metavar="NAME", help="in JSON")
    parser.add_argument("--ascii-only", action="store_true", help="a link is ASCII")


def finder_options(options: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments of `iriscan.Finder` for them, without `charset` and `format`."""
    return {
        "kinds": options.kinds,
        "rules": options.rules,
        "schemes": options.schemes,
        "host": options.host,
        "query": options.query,
        "nfc": options.nfc,
        "max_len": options.max_len,
        "fields": options.field,
        "ascii_only": options.ascii_only,
    }
