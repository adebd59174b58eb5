"""Options of the wrong type: each is named, with its rule, whatever function it is given to."""

import datetime
import inspect
import re

from pytest import mark, raises

import sqlrec

from .tables import lists, wanted

RECS = {"als": lists({"ann": "ab", "bob": "ba"}), "pop": lists({"ann": "ba", "bob": "ba"})}
GIVEN = {"metrics": "ndcg@1", "recs": RECS, "truth": wanted({"ann": "a", "bob": "b"})}
WRONG = [5.5, b"x", object(), [[1]], {5: "x"}, datetime.date(2026, 1, 1), complex(1), "\x00"]
FUNCTIONS = {
    "evaluate": {},
    "compare": {"baseline": "als"},
    "check": {"min": {"ndcg@1": 0}},
    "explain": {},
    "sql": {},
    "unsampled": {"catalog_size": 10, "candidates": 2},
}


def options():
    """Each option of each function but inputs that these metrics do not read."""
    unread = {"history", "catalog", "items", "baseline", "logs"}
    for name in FUNCTIONS:
        for option in inspect.signature(getattr(sqlrec, name)).parameters:
            if option != "options" and not (name == "evaluate" and option in unread):
                yield name, option


@mark.parametrize("function, option", [*options()])
def test_a_wrong_type_is_no_raw_error(function, option):
    for value in WRONG:
        # These are numbers, or have none of theirs.
        if (option, value) in [("margin", 5.5), ("relevance_threshold", 5.5)]:
            continue
        given = GIVEN | FUNCTIONS[function] | {option: value}
        with raises(sqlrec.SqlrecError):
            getattr(sqlrec, function)(given.pop("metrics"), **given)


@mark.parametrize(
    "function, given, message",
    [
        ("evaluate", {"summaries": 5}, "summaries=5: write them as text, as in 'median p90'"),
        ("evaluate", {"progress": "no"}, "progress='no': it is True or False"),
        ("sql", {"per_user": 1}, "per_user=1: it is True or False"),
        ("unsampled", {"replacement": "no"}, "replacement='no': it is True or False"),
        ("explain", {"conventions": 5}, "conventions=5: give names of libraries"),
        ("evaluate", {"convention": ["ranx"]}, "convention=['ranx']: "),
    ],
)
def test_the_rule_is_said(function, given, message):
    given = GIVEN | FUNCTIONS[function] | given
    with raises(sqlrec.SqlrecError, match=re.escape(message)):
        getattr(sqlrec, function)(given.pop("metrics"), **given)


def test_a_metric_has_a_name():
    with raises(sqlrec.MetricError, match="5 is no metric: write its name as text"):
        sqlrec.metric(5)


def test_one_convention_may_be_a_text():
    found = sqlrec.explain(**GIVEN, conventions="ranx")
    assert "ranx" in repr(found)


@mark.parametrize("path", [5, "", "\x00", "x" * 5000, None, b"x"])
def test_what_is_no_path_is_said(path):
    with raises(sqlrec.InputError, match=r"file's path|path of a file"):
        sqlrec.evaluate("ndcg@1", recs=RECS, truth=GIVEN["truth"]).to_parquet(path)
