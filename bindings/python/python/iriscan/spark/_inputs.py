"""The files that a path names."""

from __future__ import annotations

from typing import BinaryIO


def listed(paths: list[str]) -> list[tuple[str, str, int]]:
    """The files of these paths: path, name below the folder that was given, and size.

    Names that begin with a dot or an underscore are left out, as Spark does.
    """
    from fsspec.core import url_to_fs

    files = {}
    for path in paths:
        fs, root = url_to_fs(path)
        if fs.isdir(root):
            found, folder = fs.find(root, detail=True), root
        elif is_pattern(root) and not fs.exists(root):
            found = {k: v for k, v in fs.glob(root, detail=True).items() if v["type"] == "file"}
            folder = above_pattern(root)
        else:
            found = {root: fs.info(root)} if fs.exists(root) else {}
            folder = root.rpartition("/")[0]
        if not found:
            raise FileNotFoundError(f"{path}: there is no such file; check the path")
        for file, about in sorted(found.items()):
            name = file.removeprefix(folder.rstrip("/") + "/")
            if not any(part.startswith((".", "_")) for part in name.split("/")):
                url = file if "file" in fs.protocol else fs.unstrip_protocol(file)
                files[url] = (url, name, about["size"])
    return list(files.values())


def open_file(path: str) -> BinaryIO:
    if "://" not in path:
        return open(path, "rb", buffering=0)
    from fsspec.core import url_to_fs

    fs, root = url_to_fs(path)
    file: BinaryIO = fs.open(root, "rb")
    return file


def is_pattern(path: str) -> bool:
    """True if the path has a wildcard."""
    return any(c in path for c in "*?[")


def above_pattern(path: str) -> str:
    """The folder before the first wildcard."""
    return path[: min(path.index(c) for c in "*?[" if c in path)].rpartition("/")[0]
