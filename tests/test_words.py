"""The linter of words: each rule finds its example, in every kind of file."""

import importlib.util
from pathlib import Path

from pytest import mark

SPEC = importlib.util.spec_from_file_location("words", Path(__file__).parents[1] / ".ci/words.py")
words = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(words)

PHRASES = words.TABLE["phrases"]


@mark.parametrize("phrase", PHRASES, ids=[phrase["write"] for phrase in PHRASES])
def test_finds_the_example_and_takes_its_replacement(phrase):
    assert phrase["write"] in {hit.wording for hit in words.read_text(1, phrase["example"])}
    assert not [*words.read_text(1, phrase["write"])]


def test_names_are_replaced_by_other_names():
    assert not words.NAMES.keys() & words.NAMES.values()


def test_reads_every_kind_of_file():
    python = (
        'def of_rows(asked):\n    """Say whether."""\n    found = f"ids that {asked} told"  # alone'
    )
    sql = "{% macro rows__asked(x) %}\n-- What is missing.\nselect 'told' {# is told #}"
    page = "# Told\n\nAsked for `told`.\n\n```py\n# told\n```\n\nTold."
    assert lines(words.read_python(python)) == [1, 1, 2, 3, 3, 3]
    assert lines(words.read_sql(sql)) == [1, 2, 3]
    assert lines(words.read_markdown(page)) == [3, 9]
    assert lines(words.read_toml('a = "ids that are told of by rows"\nb = 1  # told')) == [1, 2]
    assert lines(words.read_toml('a = """\nids\nare told"""')) == [3]


def lines(hits):
    return sorted(hit.line for hit in hits)
