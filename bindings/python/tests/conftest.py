"""What all tests share."""

import json
import os
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parents[3]

hypothesis.settings.register_profile(
    "ci", max_examples=300, deadline=None, derandomize=True, database=None
)
hypothesis.settings.register_profile("long", max_examples=20_000, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def interop():
    """The exported cases: one dict for each line of testdata/interop.jsonl."""
    path = ROOT / "testdata" / "interop.jsonl"
    # Not `splitlines`, which splits at characters such as U+2028 too.
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def command():
    """The path of the command line program that was built last, or None."""
    folder = Path(os.environ.get("IRISCAN_TARGET", ROOT / "target"))
    built = [folder / profile / "iriscan" for profile in ("release", "debug")]
    return max(filter(Path.is_file, built), key=lambda path: path.stat().st_mtime, default=None)


@pytest.fixture(scope="session")
def iriscan_command():
    path = command()
    if path is None:
        pytest.skip("the command is not built; run `cargo build` in the root")
    return path
