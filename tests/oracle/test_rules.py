"""Every metric under every rule, on small random data, compared with plain Python."""

import itertools
import math
import warnings
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sqlrec
from sqlrec.rules import OPTIONS, VALUES

from .. import oracle
from ..examples import examples, reject_disjoint_users
from . import Row

USERS = {str: ("", "10", "9", "B", "a", "zoë"), int: (-1, 0, 7, 10, 2**31, 2**62)}
ITEMS = {
    str: ("", "1", "10", "2", "B", "a", "b", "é", "z", "zz"),
    int: (-3, 0, 1, 2, 9, 10, 11, 2**31, 2**53, 2**53 + 1),
}
SCORES = {
    float: (-math.inf, -1.0, -0.0, 0.0, 0.5, 0.5 + 2**-53, 2.0, math.inf),
    int: (-1, 0, 1, 2**53, 2**53 + 1),
}
GRADES = {
    None: (1,),
    bool: (False, True),
    int: (-1, 0, 1, 2, 3),
    float: (-1.0, -0.0, 0.0, 0.5, 1.0, 2.0, 3.25),
}
ARROW = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
CUTOFFS = ((1, 2, 5, None), (3,), (1, 4), (2, 3, 9), (None, 1))
few = examples(40)
many = examples(100)


@dataclass(frozen=True)
class Case:
    """Inputs and rules of one evaluation."""

    recs: list[Row]
    truth: list[Row]
    types: dict[str, type]
    rules: dict[str, Any]
    cutoffs: tuple[int | None, ...]
    models: str = "column"
    segments: dict[Any, tuple[Any, ...]] = field(default_factory=dict)
    in_truth: bool = False

    def table(self, rows, *columns):
        """Make a table of the columns with a type."""
        names = [name for name in columns if name in self.types]
        return pa.table(
            {name: pa.array([row[name] for row in rows], ARROW[self.types[name]]) for name in names}
        )

    def arguments(self):
        """Return the arguments of sqlrec."""
        columns = ("user_id", "item_id", "score", "rank")
        if self.models == "dict":
            names = dict.fromkeys(row["model"] for row in self.recs)
            recs = {
                name: self.table([row for row in self.recs if row["model"] == name], *columns)
                for name in names
            }
        else:
            recs = self.table(self.recs, *columns, *(["model"] if self.models == "column" else []))
        given = {"recs": recs}
        truth = self.table(self.truth, "user_id", "item_id", "relevance")
        if self.segments:
            given["by"] = ["age", "land"]
            age = [self.segments[row["user_id"]][0] for row in self.truth]
            if self.in_truth:
                truth = truth.append_column("age", pa.array(age, pa.int64()))
            known = [user for user, values in self.segments.items() if values != (None, None)]
            known = known or list(self.segments)
            users = self.table([{"user_id": user} for user in known], "user_id")
            for name, number in (("age", 0), ("land", 1))[self.in_truth :]:
                values = [self.segments[user][number] for user in known]
                users = users.append_column(
                    name, pa.array(values, (pa.int64(), pa.string())[number])
                )
            given["users"] = users
        return given | {"truth": truth} | self.rules

    def expected(self, requests, **metrics):
        """Return the oracle's values."""
        order = "rank" if "rank" in self.types and "score" not in self.types else "score"
        rules = oracle.Rules(**{"order": order} | self.rules)
        return oracle.evaluate(requests, self.recs, self.truth, self.segments, rules, **metrics)


@st.composite
def cases(draw, duplicates=None):
    """Draw inputs and rules."""
    pick = lambda *values: draw(st.sampled_from(values))  # noqa: E731
    kinds = {name: pick(str, int) for name in ("user_id", "item_id")}
    kinds |= {"score": pick(float, int), "relevance": pick(None, bool, int, float)}
    rules = {
        "population": pick(*OPTIONS["population"].choices),
        # The other kinds of ties depend on the truth, and have their own oracle.
        "ties": pick("item_asc", "item_desc", "first"),
        "duplicates": duplicates or pick(*OPTIONS["duplicates"].choices),
        "null_scores": pick(*OPTIONS["null_scores"].choices),
    }
    if kinds["relevance"] in (int, float):
        rules["relevance_threshold"] = pick(None, None, -1, 0, 0.5, 1, 2)
    user, item = (
        st.sampled_from(ids[kinds[n]]) for n, ids in (("user_id", USERS), ("item_id", ITEMS))
    )
    scores = SCORES[kinds["score"]]
    if rules["null_scores"] != "error":
        scores = (*scores, None, math.nan) if kinds["score"] is float else (*scores, None)
    if rules["ties"] == "first":
        # Many scores are equal, including scores of a repeated item.
        scores = scores[:: len(scores) - 1]
    cutoffs = pick(*CUTOFFS)
    once = {"min_size": 1, "unique_by": lambda row: row[0]}
    repeated = {"min_size": 1}
    # A value of `duplicates` for lists only refuses repeats in the truth.
    has_rule = rules["duplicates"] in {*VALUES["truth_duplicates"]} - {"error"}
    judgments = st.lists(
        st.tuples(item, st.sampled_from(GRADES[kinds["relevance"]])),
        max_size=6,
        **(repeated if has_rule else once),
    )
    truth = oracle.truth_rows(draw(st.dictionaries(user, judgments, min_size=1, max_size=6)))
    listed = st.tuples(item, st.sampled_from(scores), st.sampled_from((1, 1, 1, 2, 3)))
    of_lists = once if rules["duplicates"] == "error" else repeated
    lists = st.dictionaries(user, st.lists(listed, max_size=8, **of_lists), max_size=6)
    models = pick("none", "column", "dict")
    recs = []
    for model in pick(("recs",)) if models == "none" else pick(("b",), ("b", "a"), ("c", "a", "b")):
        recs += oracle.list_rows(model, draw(lists))
    if not recs:
        model = "recs" if models == "none" else "b"
        one = {"score": scores[0], "rank": 1, "item_id": ITEMS[kinds["item_id"]][0]}
        recs = [{"model": model, "user_id": USERS[kinds["user_id"]][0], **one}]
    given = pick("score", "rank", "both")
    if given == "both":
        rules["order"] = pick("score", "rank")
    types = {**kinds, "rank": int, "model": str}
    left_out = {"score": ("rank",), "rank": ("score",), "both": ()}[given]
    types = {n: t for n, t in types.items() if t and n not in left_out}
    segments = {}
    if in_segments := pick(False, False, True):
        age, land = st.sampled_from((None, 1, 2)), st.sampled_from((None, "é", "x"))
        for name in USERS[kinds["user_id"]]:
            segments[name] = (draw(age), draw(land))
    in_truth = in_segments and pick(False, True)
    if in_truth:  # It has no other users.
        judged = {row["user_id"] for row in truth}
        segments = {n: v if n in judged else (None, v[1]) for n, v in segments.items()}
    return Case(recs, truth, types, rules, cutoffs, models, segments, in_truth)


NDCGS = [("ndcg", {"gain": "binary"}, 2), ("ndcg", {}, 2)]

# One dataset for all cases, as callers may use it.
ENGINE = duckdb.connect(config={"threads": 1})


def evaluate(requests, case):
    """Return sqlrec's values."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "(?s).*no user of truth has a list")
        # Errors and intervals have tests of their own.
        with reject_disjoint_users():
            return sqlrec.evaluate(
                oracle.texts(requests), interval=None, engine=ENGINE, **case.arguments()
            )


def results(requests, case):
    """Return sqlrec's values in the form of the oracle; None without users."""
    try:
        result = evaluate(requests, case)
    except sqlrec.DataError as error:
        if "has no users to average over" in str(error):
            return None
        raise
    segments = ("age", "land") if case.segments else ()
    means, users = (oracle.keyed(one, *segments) for one in (result, result.per_user()))
    counted = {}
    for row in result.user_counts.to_arrow().to_pylist():
        key = (row.pop("model"), tuple(row.pop(name) for name in segments), row.pop("k"))
        assert key not in counted
        texts = ("convention", "population", "row_order")
        counted[key] = {name: value for name, value in row.items() if name not in texts}
    counted = {key: row for key, row in counted.items() if row["users_evaluated"]}
    # A model without users at a cutoff has empty rows there; the oracle has no rows.
    known = {key: value for key, value in means.items() if (*key[:2], key[-1]) in counted}
    assert {value for key, value in means.items() if key not in known} <= {(None, 0)}
    return known, users, counted


def check_same(one, other):
    """Compare means, per-user values and user_counts."""
    for ours, theirs in zip(one[:2], other[:2], strict=True):
        oracle.compare(ours, theirs, 1e-12)
    assert one[2] == other[2]


def agree(case, requests, inputs, **metrics):
    """Compare sqlrec's values with the oracle's values, with more inputs and metrics."""
    expected = case.expected(requests, **metrics)
    got = results(requests, replace(case, rules=case.rules | inputs))
    assert (got is None) == (not expected[0])
    if got:
        check_same(got, expected)


def some(case, data, share):
    """Draw a part of the metrics: all of them under one set of rules take ten seconds."""
    return oracle.asked(oracle.PARAMS, case.cutoffs)[data.draw(st.integers(0, share - 1)) :: share]


@pytest.mark.slow
@many
@given(cases(), st.data())
def test_metrics_under_random_rules_equal_plain_python(case, data):
    agree(case, some(case, data, 3), {})


@pytest.mark.slow
@few
@given(cases(), st.data())
def test_metrics_of_one_call_equal_separate_calls(case, data):
    requests = some(case, data, 6)
    together = results(requests, case)
    one = data.draw(st.sampled_from(requests))
    k = data.draw(st.sampled_from([k for _, _, k in requests]))
    alone = results(data.draw(st.sampled_from([[one], [a for a in requests if a[2] == k]])), case)
    # A cutoff may have no users although another has some.
    assert together or not alone
    if together and alone:
        picked = tuple(
            {key: found[key] for key in part} for found, part in zip(together, alone, strict=True)
        )
        check_same(alone, picked)


@pytest.mark.slow
@few
@given(cases(), st.data())
def test_order_of_rows_and_metrics_changes_no_value(case, data):
    chance = data.draw(st.randoms(use_true_random=False))
    requests = some(case, data, 6)
    mixed = chance.sample(requests, len(requests))
    shuffled = case
    if case.rules["ties"] != "first" and case.rules["duplicates"] not in ("first", "last"):
        recs, truth = (chance.sample(rows, len(rows)) for rows in (case.recs, case.truth))
        shuffled = replace(case, recs=recs, truth=truth)
    one, other = results(requests, case), results(mixed, shuffled)
    assert (one is None) == (other is None)
    if one and other:
        check_same(one, other)
        for metrics, means in ((requests, one[0]), (mixed, other[0])):
            rows = [(oracle.label(metric, params), k) for metric, params, k in metrics]
            # If a model has no users at a cutoff, its rows are excluded here.
            of_models = {key[0]: [] for key in means}
            for model, _, *asked_there in means:
                of_models[model].append(tuple(asked_there))
            for found in of_models.values():
                times = len(found) // len({*found})
                assert found == [row for row in rows if row in {*found}] * times


def depth(case):
    """Return the deepest cutoff."""
    return math.inf if None in case.cutoffs else max(k for k in case.cutoffs if k)


@pytest.mark.parametrize("ties", ["item_desc", "first"])
@pytest.mark.parametrize("duplicates", sorted({*OPTIONS["duplicates"].choices} - {"error"}))
def test_plain_python_defines_each_value_of_duplicates(duplicates, ties):
    """The same item has higher, lower, equal and missing scores, above and below another item."""
    scores = enumerate(itertools.permutations((2.0, 1.0, 1.0, 1.0, None), 3))
    lists = {f"u{n}": [*zip("aba", each, (1, 1, 1), strict=True)] for n, each in scores}
    rules = {"duplicates": duplicates, "ties": ties, "null_scores": "last", "population": "truth"}
    types = {"user_id": str, "item_id": str, "score": float, "relevance": int}
    truth = oracle.truth_rows({user: [("a", 1)] for user in lists})
    case = Case(oracle.list_rows("recs", lists), truth, types, rules, (1, 2), "none")
    agree(case, [("reciprocal_rank", {}, k) for k in case.cutoffs], {})


@few
@given(cases(duplicates="error"), st.data())
def test_repeated_items_of_lists_equal_plain_python(case, data):
    order = case.rules.get("order", "score" if "score" in case.types else "rank")
    requests = [("recall", {}, k) for k in case.cutoffs]
    drop = case.rules["null_scores"] == "drop" and order == "score"
    rows = [r for r in case.recs if not (drop and oracle.is_missing(r["score"]))]
    lists = {}
    for row in rows:
        lists.setdefault((row["model"], row["user_id"]), []).append(row)
    assume(lists and depth(case) > 1)
    rows = data.draw(st.sampled_from(list(lists.values())))
    shown, _ = oracle.listed(rows, order, case.rules["ties"])
    ranks = [rank for rank in shown if rank < depth(case)]
    assume(ranks)
    rank = data.draw(st.sampled_from(ranks))
    row = next(row for row in rows if row["item_id"] == shown[rank])
    with pytest.raises(sqlrec.DataError, match="more than once"):
        evaluate(requests, replace(case, recs=[*case.recs, row]))


@few
@given(cases(duplicates="error"), st.data())
def test_repeated_items_of_the_truth_equal_plain_python(case, data):
    twice = data.draw(st.sampled_from(case.truth))
    with pytest.raises(sqlrec.DataError, match="more than once"):
        evaluate([("recall", {}, 3)], replace(case, truth=[*case.truth, twice]))


def ranked(*ranks, grades=(1.0, 1.0), **rules):
    """Return the list of a user with relevant items 1 and 2: item n has rank n."""
    recs = [
        {"model": "recs", "user_id": 1, "item_id": item, "rank": rank}
        for item, rank in enumerate(ranks, 1)
    ]
    truth = [{"user_id": 1, "item_id": i, "relevance": grade} for i, grade in enumerate(grades, 1)]
    types = {"user_id": int, "item_id": int, "rank": int, "relevance": float}
    return Case(recs, truth, types, rules, (), "none")


@pytest.mark.parametrize(
    ("case", "metrics"),
    [
        (ranked(1), [("ndcg", {"ideal": "k"}, 5), ("recall", {}, None)]),
        (ranked(1, grades=(1.0,), population="judged", relevance_threshold=2), NDCGS),
        (
            ranked(1, grades=(1.0,), population="judged", relevance_threshold=2),
            [("ndcg", {"gain": "binary", "ideal": "relevant"}, 2)],
        ),
        (ranked(1, grades=(0.0,), relevance_threshold=0), NDCGS),
        (ranked(1, grades=(-1.0, 3.0), relevance_threshold=-1), NDCGS),
        (
            ranked(1, grades=(-1.0, 3.0), relevance_threshold=-1),
            [("ndcg", {"gain": "binary", "ideal": "relevant"}, 2)],
        ),
        (
            ranked(1, grades=(0.0,), relevance_threshold=0),
            [("ndcg", {"gain": "binary"}, 1), ("recall", {}, None)],
        ),
        (ranked(2, 3), [("precision", {"divide_by": "list_length"}, k) for k in (2, 3)]),
        (ranked(2, 3), [("precision", {"divide_by": "list_length"}, 2)]),
        (ranked(1, 3), [("precision", {"divide_by": "list_length"}, 3)]),
        (ranked(5), [("precision", {}, 3)]),
        (ranked(5), [("precision", {}, k) for k in (3, 5)]),
        (ranked(5, population="recs"), [("precision", {}, 5)]),
        (ranked(5, population="truth_and_recs"), [("precision", {}, 5)]),
        (ranked(2, 5, duplicates="best"), [("reciprocal_rank", {}, 9)]),
    ],
    ids="""
        ideal_k_beside_all nothing_relevant_but_graded nothing_relevant_but_graded_among_all
        relevant_at_0 relevant_below_0 relevant_below_0_among_all relevant_at_0_beside_all
        length_up_to_each_cutoff length_up_to_one_cutoff length_without_gaps past_the_cutoff
        past_one_cutoff up_to_the_cutoff_is_a_list up_to_the_cutoff_is_a_list_of_truth
        best_keeps_ranks
    """.split(),
)
def test_edge_cases_equal_plain_python(case, metrics):
    got = results(metrics, case)
    assert got is not None
    check_same(got, case.expected(metrics))
