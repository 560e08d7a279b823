"""Plain text as HTML with links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._iriscan import Finder, Link

# What an element `a` has beside its href.
Attributes = Mapping[str, str] | Callable[["Link"], Mapping[str, str] | None]


def linkify(self: Finder, text: str, *, attributes: Attributes | None = None) -> str:
    """Returns plain text as HTML: everything is escaped, and each link is in an element `a` whose href is
    `link.open`. A link that opens nothing is text. Line ends stay; `white-space: pre-wrap` shows them.

    `attributes` are those that `a` has beside href: a mapping, or a function of the link that
    returns one, or None to make no link of it. The function `iriscan.linkify` finds hosts without a
    scheme and addresses too; a finder finds its `kinds`.

    >>> Finder().linkify("1 < 2, see http://例え.jp/道", attributes={"rel": "nofollow"})
    '1 &lt; 2, see <a href="http://xn--r8jz45g.jp/%E9%81%93" rel="nofollow">http://例え.jp/道</a>'
    >>> Finder().linkify("http://a.example/", attributes=lambda link: None if link.warnings else {})
    '<a href="http://a.example/">http://a.example/</a>'
    """
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}; decode it first")
    pieces, end = [], 0
    for link in self.find(text):
        more = attributes(link) if callable(attributes) else attributes or {}
        if more is None or (target := link.open) is None:
            continue
        all_attributes = {"href": target, **more}
        inner = "".join(f' {name}="{escape(value)}"' for name, value in all_attributes.items())
        pieces += [escape(text[end : link.start]), f"<a{inner}>{escape(link.text)}</a>"]
        end = link.end
    return "".join([*pieces, escape(text[end:])])
