"""The options of a finder as arguments of a command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import iriscan


def add_finder_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say how a text is read and what counts as a link."""
    parser.add_argument("--kinds", default="iri", help="comma list of iri, bare, email, ip")
    parser.add_argument("--charset", default="auto", help="label of a charset")
    parser.add_argument("--format", default="auto", help="text, html, xml, json, log, turtle, csv, …")
    parser.add_argument("--rules", default="prose", help="prose, uts58")
    parser.add_argument("--schemes", help="common, any, or a comma list")
    parser.add_argument("--host", default="punycode", help="punycode, percent, keep, unicode")
    parser.add_argument("--query", help="document, utf-8")
    parser.add_argument("--nfc", default="auto", help="auto, always, never")
    parser.add_argument("--max-len", type=int, default=65536, metavar="BYTES")
    parser.add_argument("--base", metavar="URI", help="what relative links are relative to")
    parser.add_argument("--field", action="append", default=[], metavar="NAME", help="in JSON")
    parser.add_argument("--delimiter", metavar="CHAR", help="between the fields of CSV")
    parser.add_argument("--no-code", action="store_true", help="not in code of Markdown")
    parser.add_argument("--comments", action="store_true", help="also comments of HTML and XML")
    parser.add_argument("--ascii-only", action="store_true", help="a link is ASCII")
    chosen: dict[str, Any] = {"action": "append", "default": []}
    parser.add_argument("--only-host", **chosen, metavar="GLOB", help="only these hosts")
    parser.add_argument("--not-host", **chosen, metavar="GLOB", help="not these hosts")
    parser.add_argument("--hosts-from", **chosen, metavar="FILE", help="only hosts of this list")
    parser.add_argument("--not-hosts-from", **chosen, metavar="FILE", help="no hosts of this list")
    parser.add_argument("--match", **chosen, metavar="REGEX", help="only IRIs that match")
    parser.add_argument("--not-match", **chosen, metavar="REGEX", help="only IRIs that do not")
    parser.add_argument("--contains-from", **chosen, metavar="FILE", help="only IRIs with a line")
    parser.add_argument("--links-only", action="store_true", help="only what a person can follow")
    parser.add_argument("--changed", action="store_true", help="only what rewriting changes")


def finder_options(options: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments of `iriscan.Finder` for them, without `charset` and `format`.

    Raises `iriscan.ConfigError` if a list cannot be read.
    """
    return {
        "kinds": options.kinds,
        "rules": options.rules,
        "schemes": options.schemes,
        "host": options.host,
        "query": options.query,
        "nfc": options.nfc,
        "max_len": options.max_len,
        "base": options.base,
        "fields": options.field,
        "ascii_only": options.ascii_only,
        "delimiter": options.delimiter,
        "code": not options.no_code,
        "comments": options.comments,
        "only_host": options.only_host,
        "not_host": options.not_host,
        "hosts_from": _lists(options.hosts_from),
        "not_hosts_from": _lists(options.not_hosts_from),
        "match": options.match,
        "not_match": options.not_match,
        "contains_from": _lists(options.contains_from),
        "links_only": options.links_only,
        "changed": options.changed,
    }


def _lists(paths: list[str]) -> list[bytes] | None:
    """The lines of all lists; None if there are none."""
    if not paths:
        return None
    try:
        return [line for path in paths for line in Path(path).read_bytes().splitlines()]
    except OSError as e:
        raise iriscan.ConfigError(f"{e.filename}: {e.strerror}; check the path") from e
