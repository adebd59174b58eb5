"""The value of users for whom a metric is undefined is an option."""

import math

from hypothesis import given
from hypothesis import strategies as st
from pytest import approx, mark, raises

import sqlrec

from ..examples import examples
from ..oracle import METRICS, User
from ..tables import in_sqlite, lists, rows, wanted

# ann's recall at 2 is 1/2; bob is judged without a relevant item; cy is not judged.
LISTS = {"ann": "ax", "bob": "ba", "cy": "c"}
GRADES = {"ann": {"a": 2, "b": 1}, "bob": {"b": 0, "z": 0}}
INPUTS = {"recs": lists(LISTS), "truth": wanted(GRADES)}


def evaluated(metrics, **options):
    result = sqlrec.evaluate(metrics, **{"interval": None} | options)
    return rows(result, "value", "users")


class TestTheMean:
    def test_by_default_is_of_users_with_a_value(self):
        assert evaluated("recall@2", **INPUTS) == [(0.5, 1)]
        assert evaluated("recall@2", undefined="skip", **INPUTS) == [(0.5, 1)]

    def test_undefined_values_count_as_0_or_1(self):
        assert evaluated("recall@2", undefined=0, **INPUTS) == [(0.25, 2)]
        assert evaluated("recall@2", undefined=1, **INPUTS) == [(0.75, 2)]
        # ann's ideal DCG is 2 + 1 / log2(3), and her DCG 2.
        ndcg = 2 / (2 + 1 / math.log2(3))
        assert evaluated("ndcg@2", undefined=1, **INPUTS) == [(approx((ndcg + 1) / 2), 2)]

    def test_the_mean_is_over_the_given_population(self):
        both = {**INPUTS, "undefined": 1}
        # Among users with relevant items recall is always defined.
        assert evaluated("recall@2", population="truth", **both) == [(0.5, 1)]
        assert evaluated("recall@2", population="all", **both) == [(approx(2.5 / 3), 3)]
        assert evaluated("recall@2", population="all", **both | {"undefined": "skip"}) == [(0.5, 1)]

    def test_defined_values_are_unchanged(self):
        # Without a hit, bob's precision is 0, also in the mean.
        assert evaluated("precision@2", undefined=1, **INPUTS) == [(0.25, 2)]

    def test_the_value_is_the_conventions_unless_given(self):
        # scikit-learn's DCG of no relevant item is 0, and counts.
        metric = "ndcg(convention=sklearn)@2"
        ((by_default, users),) = evaluated(metric, **INPUTS)
        assert users == 2
        assert evaluated(metric, undefined=1, **INPUTS) == [(approx(by_default + 0.5), 2)]
        assert evaluated(metric, undefined="skip", **INPUTS) == [(approx(by_default * 2), 1)]

    def test_is_of_each_model_and_segment(self):
        table = wanted({"ann": "x", "bob": "y"}).rename_columns(["user_id", "land"])
        inputs = {**INPUTS, "recs": dict.fromkeys("mn", INPUTS["recs"])}
        inputs |= {"users": table, "by": "land"}
        assert evaluated("recall@2", undefined=1, **inputs) == [(0.5, 1), (1, 1)] * 2

    def test_has_an_interval(self):
        result = sqlrec.evaluate("recall@2", undefined=1, interval="t", **INPUTS)
        # Values 1/2 and 1: a deviation of sqrt(1/8), divided by sqrt(2).
        assert rows(result, "standard_error") == [(approx(0.25),)]

    def test_batches_do_not_change_it(self):
        users = {f"u{n}": {"a": n % 3} for n in range(30)}
        inputs = {"recs": lists(dict.fromkeys(users, "a")), "truth": wanted(users)}
        at_once = evaluated("recall@1", undefined=1, **inputs)
        assert at_once == [(1, 30)]
        assert evaluated("recall@1", undefined=1, batches=3, **inputs) == at_once


def test_comparisons_count_undefined_values():
    recs = {"als": lists({"ann": "ab"}), "pop": lists({"ann": "ax"})}
    inputs = {"recs": recs, "truth": INPUTS["truth"], "baseline": "pop"}
    result = sqlrec.compare("recall@2", undefined=0, **inputs)
    assert rows(result, "users", "value", "baseline_value") == [(2, 0.5, 0.25)]


@mark.parametrize("value", ["2", "zero", True, 0.5])
def test_other_values_are_refused(value):
    with raises(sqlrec.InputError, match=f"^undefined={value!r}: choose from 0, 1, skip"):
        evaluated("recall@2", undefined=value, **INPUTS)


def test_sqlite_counts_undefined_values_as_duckdb():
    tables = in_sqlite(INPUTS)
    assert evaluated("recall@2", undefined=1, **tables) == [(0.75, 2)]
    tables["engine"].close()


ITEMS = "abcd"
GRADED = st.dictionaries(st.sampled_from(ITEMS), st.integers(0, 2), min_size=1)


@examples(30)
@given(
    shown=st.lists(st.permutations(ITEMS), min_size=1, max_size=4),
    truth=st.lists(GRADED, min_size=1, max_size=4),
    undefined=st.sampled_from([0, 1]),
)
def test_undefined_values_equal_plain_python(shown, truth, undefined):
    given = {f"u{n}": "".join(items) for n, items in enumerate(shown)}
    judged = {f"u{n}": grades for n, grades in enumerate(truth)}
    metrics = {"recall": "recall", "ndcg": "ndcg", "average_precision": "map"}
    requests = [f"{name}@2" for name in metrics.values()]
    inputs = {"recs": lists(given), "truth": wanted(judged)}
    results = evaluated(requests, undefined=undefined, **inputs)
    for (value, users), name in zip(results, metrics, strict=True):
        own = []
        for user, grades in judged.items():
            ranks = dict(enumerate(given.get(user, ""), 1))
            one = METRICS[name](User(ranks, {}, grades, None), 2)
            own.append(undefined if one is None else one)
        assert users == len(own)
        assert value == approx(math.fsum(own) / len(own))
