"""Finds links in text and bytes of any charset and script, and rewrites them to URIs.

>>> import iriscan
>>> iriscan.find("見て http://例え.jp/道。")
[Link(start=3, end=17, kind='iri', iri='http://例え.jp/道', uri='http://xn--r8jz45g.jp/%E9%81%93')]
>>> iriscan.rewrite("siehe http://bücher.example/ü, bitte")
'siehe http://xn--bcher-kva.example/%C3%BC, bitte'

The functions `find`, `find_iter`, `find_at`, `has_link`, `rewrite`, `replace`, `rewrite_file`,
`find_mail`, `find_mbox`, `rewrite_mail` and `rewrite_mbox` are those of a Finder with the default options. Make a Finder of
your own to set options. `to_uri`, `to_iri`, `normalize`, `resolve`, `check` and `to_text` take
one whole reference.
"""

from ._files import Rewritten
from ._iriscan import (
    ArrowArray,
    ArrowStream,
    Check,
    ConfigError,
    Finder,
    Link,
    Rewriter,
    Scanner,
    Text,
    UriError,
    __version__,
    check,
    normalize,
    resolve,
    to_iri,
    to_text,
    to_uri,
)

_default = Finder()

find = _default.find
find_iter = _default.find_iter
find_at = _default.find_at
has_link = _default.has_link
rewrite = _default.rewrite
replace = _default.replace
rewrite_file = _default.rewrite_file
find_mail = _default.find_mail
find_mbox = _default.find_mbox
rewrite_mail = _default.rewrite_mail
rewrite_mbox = _default.rewrite_mbox

__all__ = [
    "ArrowArray",
    "ArrowStream",
    "Check",
    "ConfigError",
    "Finder",
    "Link",
    "Rewriter",
    "Rewritten",
    "Scanner",
    "Text",
    "UriError",
    "__version__",
    "check",
    "find",
    "find_at",
    "find_iter",
    "find_mail",
    "find_mbox",
    "has_link",
    "normalize",
    "replace",
    "resolve",
    "rewrite",
    "rewrite_file",
    "rewrite_mail",
    "rewrite_mbox",
    "to_iri",
    "to_text",
    "to_uri",
]
