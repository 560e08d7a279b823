"""Links for `json.dumps`."""

from __future__ import annotations

from typing import Any

from ._iriscan import Check, Link

# The properties of a checked reference.
_CHECK = (
    "valid",
    "offset",
    "message",
    "scheme",
    "userinfo",
    "host",
    "port",
    "path",
    "query",
    "fragment",
    "warnings",
    "inadvisable",
)


def to_json(value: object) -> dict[str, Any]:
    """Returns a Link or a Check as a dict that `json` writes: the argument `default` of `json.dump` and
    `json.dumps`. Anything else raises TypeError, as `json` does itself.

    >>> import json
    >>> import iriscan
    >>> links = iriscan.find("see http://a.example/")
    >>> json.loads(json.dumps({"links": links}, default=iriscan.to_json))["links"][0]["host"]
    'a.example'
    """
    if isinstance(value, Link):
        return value.asdict()
    if isinstance(value, Check):
        return {name: getattr(value, name) for name in _CHECK}
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
