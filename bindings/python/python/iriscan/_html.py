"""Plain text as HTML with links."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING

from ._iriscan import ConfigError

if TYPE_CHECKING:
    from ._iriscan import Finder, Link

# What an element `a` has beside its href.
Attributes = Mapping[str, str] | Callable[["Link"], Mapping[str, str] | None]

# A name with any of these would end the attribute, or the tag.
_NAME = re.compile(r"""[^\s"'<>/=\x00-\x1f\x7f-\x9f]+""")
# A browser would run these, or show as a page what its author chose. It skips controls in a scheme.
_DANGEROUS = re.compile(r"(javascript|vbscript|data|blob|filesystem|view-source):", re.IGNORECASE)
_SKIPPED = re.compile(r"[\x00-\x20\x7f-\xa0]")


def _checked(attributes: Mapping[str, str]) -> Mapping[str, str]:
    """The attributes, if they are names and strings."""
    if not isinstance(attributes, Mapping):
        raise TypeError(f"attributes: expected a mapping, not {type(attributes).__name__}")
    for name, value in attributes.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"attributes: {name!r}: expected names and values that are str")
        if not _NAME.fullmatch(name):
            raise ConfigError(f"attributes: {name!r} is no name of an attribute")
    return attributes


def linkify(self: Finder, text: str, *, attributes: Attributes | None = None) -> str:
    """Returns plain text as HTML: everything is escaped, and each link is in an element `a` whose href is
    `link.open`. A link that opens nothing is text. Line ends stay; `white-space: pre-wrap` shows them.

    `attributes` are those that `a` has beside href: a mapping, or a function of the link that
    returns one, or None to make no link of it. A name that HTML cannot have raises ConfigError. An href that a
    browser would run, such as `javascript:`, makes no link. The function `iriscan.linkify` finds hosts without a
    scheme and addresses too; a finder finds its `kinds`.

    >>> Finder().linkify("1 < 2, see http://例え.jp/道", attributes={"rel": "nofollow"})
    '1 &lt; 2, see <a href="http://xn--r8jz45g.jp/%E9%81%93" rel="nofollow">http://例え.jp/道</a>'
    >>> Finder().linkify("http://a.example/", attributes=lambda link: None if link.warnings else {})
    '<a href="http://a.example/">http://a.example/</a>'
    """
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}; decode it first")
    if not callable(attributes):
        attributes = _checked({} if attributes is None else attributes)
    pieces, end = [], 0
    for link in self.find(text):
        if link.start < end:  # In the query of the last one.
            continue
        more = attributes(link) if callable(attributes) else attributes
        if more is None or (target := link.open) is None:
            continue
        all_attributes = {"href": target, **(_checked(more) if callable(attributes) else more)}
        if _DANGEROUS.match(_SKIPPED.sub("", all_attributes["href"])):
            continue
        inner = "".join(f' {name}="{escape(value)}"' for name, value in all_attributes.items())
        pieces += [escape(text[end : link.start]), f"<a{inner}>{escape(link.text)}</a>"]
        end = link.end
    return "".join([*pieces, escape(text[end:])])
