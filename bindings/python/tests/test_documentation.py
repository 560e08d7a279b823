"""The examples in docstrings and in the README, and that everything public has a docstring."""

import doctest
import inspect
from pathlib import Path

import pytest

import iriscan

README = Path(__file__).parents[1] / "README.md"


def documented():
    yield "iriscan", iriscan
    for name in iriscan.__all__:
        if name.startswith("__"):
            continue
        thing = getattr(iriscan, name)
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, (Exception, tuple)):
            for member in vars(thing):
                if not member.startswith("_"):
                    yield f"{name}.{member}", vars(thing)[member]


@pytest.mark.parametrize(
    "name, thing", [pytest.param(*pair, id=pair[0]) for pair in documented()]
)
def test_docstring(name, thing):
    assert thing.__doc__, f"{name} has no docstring"
    check(thing.__doc__, name)


def test_the_documentation_has_enough_examples():
    assert sum(">>>" in (thing.__doc__ or "") for _, thing in documented()) > 25


def test_readme():
    check(README.read_text(encoding="utf-8"), "README.md")


def check(text, name):
    globs = {"iriscan": iriscan, "Finder": iriscan.Finder}
    test = doctest.DocTestParser().get_doctest(text, globs, name, name, 0)
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)
