"""Finds links in text and bytes of any charset and script, and rewrites them to URIs.

>>> import iriscan
>>> iriscan.find("見て http://例え.jp/道。")
[Link(start=3, end=17, kind='iri', iri='http://例え.jp/道', uri='http://xn--r8jz45g.jp/%E9%81%93')]
>>> iriscan.rewrite("siehe http://bücher.example/ü, bitte")
'siehe http://xn--bcher-kva.example/%C3%BC, bitte'

The functions are the methods of a Finder and take its options: `iriscan.find(text, kinds="bare")`. They
keep the Finder for the next call with the same options; a Finder of your own is faster for many short
texts. `to_uri`, `to_iri`, `normalize`, `resolve`, `check` and `to_text` take one whole reference,
and `equivalent` compares two.
"""

from ._files import Rewritten
from ._functions import (
    Options,
    count_array,
    explain,
    find,
    find_array,
    find_at,
    find_file,
    find_iter,
    find_mail,
    find_mbox,
    find_stream,
    find_table,
    first_array,
    has_link,
    has_link_array,
    iter_file,
    linkify,
    replace,
    replace_array,
    rewrite,
    rewrite_array,
    rewrite_file,
    rewrite_mail,
    rewrite_mbox,
    uris_array,
)
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
    equivalent,
    normalize,
    resolve,
    to_iri,
    to_text,
    to_uri,
)
from ._json import to_json

__all__ = [
    "ArrowArray",
    "ArrowStream",
    "Check",
    "ConfigError",
    "Finder",
    "Link",
    "Options",
    "Rewriter",
    "Rewritten",
    "Scanner",
    "Text",
    "UriError",
    "__version__",
    "check",
    "count_array",
    "equivalent",
    "explain",
    "find",
    "find_array",
    "find_at",
    "find_file",
    "find_iter",
    "find_mail",
    "find_mbox",
    "find_stream",
    "find_table",
    "first_array",
    "has_link",
    "has_link_array",
    "iter_file",
    "linkify",
    "normalize",
    "replace",
    "replace_array",
    "resolve",
    "rewrite",
    "rewrite_array",
    "rewrite_file",
    "rewrite_mail",
    "rewrite_mbox",
    "to_iri",
    "to_json",
    "to_text",
    "to_uri",
    "uris_array",
]
