"""Examples in docstrings have the printed results."""

import doctest

from pytest import mark

import sqlrec

SHOWN = "check compare evaluate explain metric metrics sql unsampled".split()


@mark.parametrize("name", SHOWN)
def test_examples_return_the_documented_values(name):
    (example,) = doctest.DocTestFinder(recurse=False).find(getattr(sqlrec, name), name)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
