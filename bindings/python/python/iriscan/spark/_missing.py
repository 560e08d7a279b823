"""Messages for modules that are not installed."""

from importlib.util import find_spec


def wanted(*modules: str) -> None:
    """Raises `ModuleNotFoundError` if one of these modules is missing."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        names = " and ".join(missing)
        raise ModuleNotFoundError(
            f"iriscan.spark needs {names} for this; install it with: pip install 'iriscan[spark]'",
            name=missing[0],
        )
