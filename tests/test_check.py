"""Checks of limits and margins, in Python and on the command line."""

import csv
import json
import math
import re
import shlex
import subprocess
import sys
from itertools import product
from random import Random
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from pytest import MonkeyPatch, approx, fixture, mark, raises, warns

import sqlrec
from sqlrec.analyses import check
from sqlrec.analyses.decisions import Rule, compare_with_stored_row
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.errors import DataError, InputError, MetricError
from sqlrec.statistics.formulas import anytime_limit, half_width_in_errors
from sqlrec.statistics.pairs import score_test_p

from .packages import stats
from .tables import lists, memoised, rows_of, scored, table, wanted


@fixture(scope="module", autouse=True)
def evaluated_once():
    """Calls that differ only in limits share an evaluation."""
    with MonkeyPatch.context() as patch:
        patch.setattr(check, "evaluate", memoised(check.evaluate))
        yield


# Reciprocal ranks within 3: 1, 1/2, 1/3, 1.
NOW = lists({"ann": "abc", "bob": "bac", "cid": "bca", "dan": "abc"})
TRUTH = wanted(dict.fromkeys(("ann", "bob", "cid", "dan"), "a"))
GIVEN = {"recs": NOW, "truth": TRUTH}
MEAN = (1 + 1 / 2 + 1 / 3 + 1) / 4


def of_users(values, metric="reciprocal_rank", k=3, **columns):
    """Return per-user values in their stored form."""
    rows = [(user, metric, k, value) for user, value in values.items()]
    results = table(rows, user_id=pa.string(), metric=pa.string(), k=pa.int64(), value=pa.float64())
    for name, value in {"model": "old", **columns}.items():
        results = results.append_column(name, [[value] * len(rows)])
    return results


def of_result(value, users=4, metric="reciprocal_rank", k=3, **columns):
    """Return a stored result."""
    columns = {name: pa.array([one]) for name, one in columns.items()}
    return pa.table(
        {"model": ["old"], "metric": [metric], "k": [k], "value": [value], "users": [users]}
        | columns
    )


# Differences of now to this: 0, -1/2, 1/3, 1/2. Their mean is 1/12.
BEFORE = of_users({"ann": 1.0, "bob": 1.0, "cid": 0.0, "dan": 0.5})
DIFFERENCES = [0, -1 / 2, 1 / 3, 1 / 2]


def checked(rules="mrr@3 >= stored - 1", **given):
    return sqlrec.check(rules, **{**GIVEN, **given})


@mark.parametrize(
    "sign, limit, result",
    [
        (">=", 0.7, "pass"),
        (">=", MEAN, "pass"),
        (">", MEAN, "FAIL"),
        (">=", 0.71, "FAIL"),
        ("<=", 0.71, "pass"),
        ("<=", MEAN, "pass"),
        ("<", MEAN, "FAIL"),
        ("<=", 0.7, "FAIL"),
    ],
)
def test_a_value_is_compared_with_its_limit(sign, limit, result):
    rule = f"mrr@3 {sign} {limit}"
    results = checked(rule)
    assert results.passed is (result == "pass")
    (row,) = rows_of(results)
    assert [x for x in row if row[x] is None] == "in_segment stored difference low high p".split()
    expected = [result, "recs", "reciprocal_rank", 3, "mrr@3", rule, approx(MEAN), limit, 4]
    assert [x for x in row.values() if x is not None] == [*expected, "value"]


def test_the_last_digit_of_a_sum_does_not_fail():
    assert checked(f"mrr@3 <= {MEAN - 1e-15}; mrr@3 >= {MEAN + 1e-15}").passed


def test_every_metric_model_and_segment_has_a_line():
    users = pa.table({"user_id": ["ann", "bob", "cid", "dan"], "country": ["x", "y", "x", "y"]})
    recs = {"als": NOW, "pop": lists(dict.fromkeys(("ann", "bob", "cid", "dan"), "ba"))}
    results = checked("mrr@3 <= 0.5; P@1 >= 0.5", recs=recs, users=users, by="country")
    passed = {("precision", "als"), ("reciprocal_rank", "pop")}
    # Rules are in the order of the request.
    assert [
        (row["metric"], row["model"], row["country"], row["result"]) for row in rows_of(results)
    ] == [
        (metric, model, country, "pass" if (metric, model) in passed else "FAIL")
        for metric, model, country in product(("reciprocal_rank", "precision"), recs, "xy")
    ]


def test_a_rule_applies_to_each_metric_and_cutoff():
    results = rows_of(checked("mrr >= 0.6; hr@1 >= 0.5", k=[1, 3]))
    assert [(row["check"], row["result"]) for row in results] == [
        ("mrr@1 >= 0.6", "FAIL"),
        ("mrr@3 >= 0.6", "pass"),
        ("hr@1 >= 0.5", "pass"),
    ]
    results = rows_of(checked("mrr@3 hr@1 >= 0.6"))
    assert [row["check"] for row in results] == ["mrr@3 >= 0.6", "hr@1 >= 0.6"]


def test_continuous_monitoring_has_valid_limits():
    given = {"rules": "mrr@3 >= stored - 1", "interval": "anytime", "level": 0.8}
    (row,) = rows_of(checked(against=BEFORE, **given))
    reach = np.std(DIFFERENCES, ddof=1) * anytime_limit(0.8, 4) / 2
    assert row["low"] == approx(1 / 12 - reach, rel=1e-9)
    # Means of different users have separate limits.
    (row,) = rows_of(checked(against=of_result(0.5, 30, standard_error=0.1), **given))
    now = np.std([1, 1 / 2, 1 / 3, 1], ddof=1) * anytime_limit(0.9, 4) / 2
    then = 0.1 * anytime_limit(0.9, 30)
    assert row["low"] == approx(MEAN - 0.5 - now - then, rel=1e-9)
    assert "valid under continuous monitoring" in str(checked(against=BEFORE, **given))
    with raises(InputError, match=r"level=0\.5: one-sided tests need a level above 0\.5"):
        checked(against=BEFORE, interval="anytime", level=0.5)
    with raises(InputError, match="interval='bca': choose from"):
        checked(against=BEFORE, interval="bca")


@mark.parametrize(
    "rule, hypothesis",
    [
        ("mrr@3 >= b - 0.1", "non-inferiority"),
        ("mrr@3 > b", "difference"),
        ("mrr@3 >= b + 0.01", "superiority"),
        ("mrr@3 <= b - 0.01", "superiority"),
    ],
)
def test_a_rule_has_the_hypothesis_of_its_p_values(rule, hypothesis):
    models = {"a": NOW, "b": lists({"ann": "bac", "bob": "bac", "cid": "bca", "dan": "cba"})}
    assert f"{rule} (4 users, p: {hypothesis})" in str(checked(rule, recs=models))


def test_limits_for_monitoring_equal_those_of_confseq():
    # confseq 0.0.11: boundaries.normal_mixture_bound(users, alpha, 1000, alpha, is_one_sided),
    # which finds the one-sided ones by bisection, to some 12 digits.
    for level, users, one_sided, two_sided in (
        (0.8, 50, 29.032846547329427, 30.12204415048921),
        (0.95, 1000, 87.47084159966789, 95.98173584209044),
        (0.99, 100_000, 1214.4055320725045, 1275.7646010922167),
    ):
        root = math.sqrt(users)
        assert anytime_limit(level, users) * root == approx(one_sided, rel=1e-9)
        assert half_width_in_errors("anytime", level, users) * root == approx(two_sided, rel=1e-9)


@mark.parametrize("side, sign", [("low", 1), ("high", -1)])
def test_the_limit_of_the_difference_of_means_is_not_beyond_the_margin(side, sign):
    # The limit is a loss of 0.2, which is 0.4 of what was stored.
    limits = {"low": None, "high": None, side: -0.2 * sign}
    values = {"baseline_value": -0.5, "difference": 0.1 * sign, "basis": "intervals", **limits}
    (request,) = parse_metrics("mrr@3")

    def against(size, relative, values):
        written = "<>"[sign > 0] + "="
        rule = Rule("", "", written, "stored", -sign * size, relative, request=request)
        return compare_with_stored_row(values, rule, None)

    for size, relative in ((0.2, False), (0.4, True)):
        for more, passed in ((1e-9, True), (-1e-9, False)):
            row = against(size + more, relative, values)
            assert row["result"] is passed
            assert (row[side], row["limit"]) == approx((-0.2 * sign, -0.2 * sign))
        # Without a limit, the difference itself is checked.
        lost = values | {"difference": -0.2 * sign, side: None}
        assert against(size, relative, lost)["result"]
        assert not against(size - 1e-9, relative, lost)["result"]


def test_stored_metrics_may_have_an_alias():
    stored = sqlrec.evaluate("MRR@3", **GIVEN, interval=None)
    for against in (stored, stored.per_user(), stored.to_arrow().drop_columns("request")):
        results = checked("reciprocal_rank@3 >= stored - 0", against=against)
        assert results.passed and rows_of(results)[0]["request"] == "reciprocal_rank@3"


def test_a_stored_result_recommends_per_user_values():
    stored = sqlrec.evaluate("mrr@3", **GIVEN)
    assert checked("mrr@3 >= stored - 0", against=stored).passed
    other = sqlrec.evaluate("mrr@3", **GIVEN | {"recs": NOW.slice(0, 4)})
    results = checked("mrr@3 >= stored - 0", against=other)
    assert not results.passed and "store per-user values" in " ".join(repr(results).split())
    assert "store per-user values" not in repr(checked("mrr@3 >= stored - 1", against=stored))


def test_the_limit_equals_scipys_on_random_values():
    random = Random(7)
    users = [f"u{n}" for n in range(60)]
    recs = {
        model: lists({user: random.sample("abcdef", 6) for user in users if random.random() < 0.9})
        for model in ("als", "pop")
    }
    truth = wanted({user: random.sample("abcdef", 2) for user in users})
    countries = pa.table({"user_id": users, "country": [random.choice("xy") for _ in users]})
    given = {"recs": recs, "truth": truth, "users": countries, "by": "country"}
    results = sqlrec.evaluate("ndcg@3 recall@all", **given, population="truth_and_recs").per_user()
    old = {
        (model, user, metric, k): random.random()
        for model in ("als", "pop")
        for user in [*users[10:], "gone"]
        for metric, k in (("ndcg", 3), ("recall", None), ("map", 1))
    }
    names = ("model", "user_id", "metric", "k")
    stored = pa.Table.from_pylist(
        [dict(zip(names, key, strict=True)) | {"value": value} for key, value in old.items()]
    )
    given |= {"population": "truth_and_recs", "against": stored}
    with warns(UserWarning, match="contains map@1, which this call does not request"):
        rules = "ndcg@3 >= stored - 30%; recall@all >= stored - 0.1"
        result = rows_of(sqlrec.check(rules, **given))
    assert len(result) == 8
    pairs = {}
    for row in results.to_arrow().to_pylist():
        before = old.get(tuple(row[name] for name in names))
        if before is not None:
            key = (row["model"], row["country"], row["metric"])
            pairs.setdefault(key, []).append((row["value"], before))
    for row in result:
        now, before = zip(*pairs[row["model"], row["country"], row["metric"]], strict=True)
        test = stats.ttest_rel(now, before, alternative="greater")
        mean = sum(before) / len(before)
        assert row["users"] == len(now) > 10
        assert row["value"] == approx(sum(now) / len(now))
        assert row["stored"] == approx(mean)
        assert row["low"] == approx(test.confidence_interval(0.95).low, abs=1e-12)
        assert row["limit"] == approx(-0.1 if row["metric"] == "recall" else -0.3 * mean)
        share = 0.7 if row["metric"] == "ndcg" else 1
        lost = [a - share * b + (share == 1) * 0.1 for a, b in zip(now, before, strict=True)]
        p = stats.ttest_1samp(lost, 0, alternative="greater").pvalue
        assert row["p"] == approx(p, abs=1e-12)
        assert row["result"] == ("pass" if p < 0.05 else "FAIL")
    assert {row["result"] for row in result} == {"pass", "FAIL"}


def test_undefined_values_are_not_a_pair():
    stored = of_users({"ann": 1.0, "bob": None, "cid": 0.0, "dan": 0.5, "eve": 1.0})
    (row,) = rows_of(checked(against=stored))
    assert (row["users"], row["difference"]) == (3, approx((0 + 1 / 3 + 1 / 2) / 3))
    assert row["value"] == approx((1 + 1 / 3 + 1) / 3)


def test_means_without_errors_are_compared():
    stored = of_result(MEAN + 0.005)
    (row,) = rows_of(checked("mrr@3 >= stored - 0.005", against=stored))
    assert (row["result"], row["low"], row["basis"]) == ("pass", None, "means")
    assert row["difference"] == approx(-0.005)
    assert not checked("mrr@3 >= stored - 0.0049", against=stored).passed
    assert checked("mrr@3 >= stored - 1%", against=stored).passed
    without = stored.drop_columns(["users", "model"])
    assert not checked("mrr@3 >= stored - 0.5%", against=without).passed


def test_two_means_with_errors_have_welchs_test():
    now = [1, 1 / 2, 1 / 3, 1]
    before = [1, 0, 0.5, 1, 1, 0.25, 0.75]
    expected = stats.ttest_ind(now, before, equal_var=False, alternative="greater")
    error = stats.sem(before)
    mean = sum(before) / 7
    low = expected.confidence_interval(0.95).low
    by_error = of_result(mean, 7, standard_error=error, low=0.0, high=1.0)
    reach = stats.norm.ppf(0.975) * error
    by_interval = of_result(mean, 7, low=mean - reach, high=mean + reach)
    for stored in (by_error, by_interval):
        (row,) = rows_of(checked(against=stored))
        assert row["basis"] == "intervals"
        assert row["low"] == approx(low, rel=1e-9)


def test_null_limits_compare_means():
    stored = of_result(MEAN, low=pa.scalar(None, pa.float64()), high=pa.scalar(None, pa.float64()))
    assert rows_of(checked("mrr@3 >= stored - 0", against=stored))[0]["basis"] == "means"


def test_one_stored_model_is_compared_with_all_models():
    recs = {"als": NOW, "pop": lists(dict.fromkeys(("ann", "bob", "cid", "dan"), "ba"))}
    results = rows_of(checked(recs=recs, against=of_result(0.6)))
    assert [row["stored"] for row in results] == [0.6, 0.6]
    als, pop = (
        of_result(value).set_column(0, "model", [[name]])
        for name, value in (("als", 0.6), ("pop", 0.2))
    )
    results = rows_of(checked(recs=recs, against=pa.concat_tables([pop, als])))
    assert [row["stored"] for row in results] == [0.6, 0.2]
    with raises(InputError, match="against has no model 'recs': choose from als, pop"):
        checked(against=pa.concat_tables([als, pop]))


def test_segments_are_compared_with_stored_segments():
    users = pa.table({"user_id": ["ann", "bob", "cid", "dan"], "age": [1, 2, 1, None]})
    given = {**GIVEN, "users": users, "by": "age"}
    stored = sqlrec.evaluate("mrr@3", **given)
    results = rows_of(sqlrec.check("mrr@3 >= stored - 0", **given, against=stored))
    assert [row["age"] for row in results] == [1, 2, None]
    assert [row["stored"] for row in results] == [row["value"] for row in results]
    with raises(DataError, match="is not in against for age=2"):
        sqlrec.check("mrr@3 >= stored - 0", **given, against=stored.to_arrow().slice(0, 1))
    with raises(InputError, match=r"no column 'age': .* store a result by the same segments"):
        sqlrec.check("mrr@3 >= stored - 0", **given, against=of_result(0.5))
    with raises(DataError, match="evaluate by the same segments"):
        checked(against=stored)


class TestWhatIsGone:
    """A model or segment that was stored and is no longer evaluated fails."""

    USERS = pa.table({"user_id": ["ann", "bob", "cid", "dan"], "age": [1, 2, 1, 2]})

    def failed(self, results):
        assert not results.passed
        return [row for row in rows_of(results) if row["basis"] == "gone"]

    @mark.parametrize("of", ["result", "users"])
    def test_a_missing_model_fails(self, of):
        recs = {"als": NOW, "pop": NOW}
        stored = sqlrec.evaluate("mrr@3 mrr@1", recs=recs, truth=TRUTH)
        against = stored if of == "result" else stored.per_user()
        given = {"truth": TRUTH, "against": against}
        rule = "mrr@3 >= stored - 1"
        message = "against contains reciprocal_rank@1, which this call does not request"
        with warns(UserWarning, match=message):
            assert sqlrec.check(rule, recs=recs, **given).passed
        with warns(UserWarning, match=message):
            (row,) = self.failed(sqlrec.check(rule, recs={"als": NOW}, **given))
        assert (row["model"], row["k"], row["result"], row["check"]) == ("pop", 3, "FAIL", rule)
        assert (row["value"], row["stored"], row["users"]) == (None, approx(MEAN), 0)

    @mark.parametrize("form", ["result", "users", "csv"])
    def test_a_missing_segment_fails(self, form, tmp_path):
        given = {"truth": TRUTH, "users": self.USERS, "by": "age"}
        stored = sqlrec.evaluate("mrr@3", recs=NOW, **given)
        against = stored if form == "result" else stored.per_user()
        if form == "csv":
            against = tmp_path / "stored.csv"
            pa.csv.write_csv(stored.to_arrow(), against)
        given |= {"users": self.USERS.set_column(1, "age", pa.array([1, 1, 1, 1]))}
        (row,) = self.failed(checked(**given, against=against))
        assert (row["model"], str(row["age"])) == ("recs", "2")

    def test_a_segment_missing_in_one_model_fails(self):
        given = {"truth": TRUTH, "users": self.USERS, "by": "age", "population": "truth_and_recs"}
        stored = sqlrec.evaluate("mrr@3", recs=NOW, **given)
        recs = {"als": NOW, "pop": lists({"ann": "abc", "cid": "abc"})}
        (row,) = self.failed(checked(recs=recs, **given, against=stored))
        assert (row["model"], row["age"]) == ("pop", 2)


def test_metrics_of_all_users_are_compared_by_value():
    given = {**GIVEN, "catalog": pa.table({"item_id": list("abcd")})}
    stored = sqlrec.evaluate("catalog_coverage@3 mrr@3", **given, interval="t")
    rule = "catalog_coverage@3 mrr@3 >= stored - 1"
    results = rows_of(sqlrec.check(rule, **given, against=stored))
    assert [row["basis"] for row in results] == ["means", "unchanged"]
    per_user = of_users({"ann": 1.0, "bob": 1.0}, metric="catalog_coverage")
    with raises(InputError, match="catalog_coverage is not a mean over users"):
        sqlrec.check("catalog_coverage@3 >= stored - 1", **given, against=per_user)


def test_a_rule_reads_the_names_of_a_convention():
    results = checked("map@3 >= 0", convention="replay")
    assert rows_of(results)[0]["metric"] == "average_precision"
    own = checked("map(convention=replay)@3 >= 0")
    assert [row["metric"] for row in rows_of(own)] == ["average_precision(convention=replay)"]


STORED = {"against": BEFORE}
RULE = "mrr@3 >= stored - 0.1"


@mark.parametrize(
    "rules, given, error, message",
    [
        ("", {}, InputError, "nothing to check"),
        ([], {}, InputError, "nothing to check"),
        (3, {}, InputError, "metrics=3: nothing to check"),
        ("mrr@3", {}, InputError, "mrr@3 has no rule: write 'mrr@3 >= 0.3'"),
        ("mrr@3 >= 0.1", STORED, InputError, "no rule compares with it"),
        ("mrr@3 > 0", {"level": 0.9}, InputError, "^level=0.9: all rules compare with numbers"),
        ("mrr@3 > 0", {"interval": "anytime"}, InputError, "^interval='anytime': all rules"),
        (RULE, {**STORED, "replicates": 500}, InputError, "^replicates=500: a check draws no"),
        (RULE, {}, InputError, "against=None and 'mrr@3 >= stored - 0.1': give the stored result"),
        ("mrrr@3 >= 0.1", {}, MetricError, "did you mean 'mrr'"),
        ("mrr@3 >= 1e999", {}, InputError, "give a number"),
        ("mrr@3 => 0.1", {}, InputError, "'mrr@3 => 0.1': write >=, >, <= or <"),
        ("mrr@3 >= 30%", {}, InputError, "30% needs a model, as in 'mrr@3 >= MODEL - 30%'"),
        ("mrr@3 >= stored", STORED, InputError, "give a margin, as in mrr@3 >= stored - 0.01"),
        ("mrr@3 <= stored + 0.1", STORED, InputError, "give a margin, as in mrr@3 >= stored - "),
        (RULE, {**STORED, "level": 1}, InputError, "level=1"),
        (RULE, {**STORED, "against": 3}, InputError, "against=<int>: give a path or a table"),
        (RULE, {**STORED, "against": "none.parquet"}, InputError, "the file does not exist"),
        (
            RULE,
            {**STORED, "against": BEFORE.drop_columns("value")},
            InputError,
            "against has no column 'value'",
        ),
        (
            RULE,
            {**STORED, "against": BEFORE.drop_columns("metric")},
            InputError,
            "against has no column 'metric'",
        ),
        (
            RULE,
            {**STORED, "against": of_users({"ann": 1.0}, k=5)},
            InputError,
            "against has no reciprocal_rank@3: did you mean 'reciprocal_rank@5'",
        ),
        (RULE, {**STORED, "against": of_users({"eve": 1.0})}, DataError, "0 users in common"),
        (RULE, {**STORED, "against": of_users({"ann": 1.0})}, DataError, "1 users in common"),
        (
            RULE,
            {**STORED, "against": of_users({"ann": math.nan})},
            DataError,
            "is nan, which is not a num",
        ),
        (
            RULE,
            {**STORED, "against": of_users({"ann": math.inf})},
            DataError,
            "is inf, which is not a num",
        ),
        (RULE, {**STORED, "against": of_result(None)}, DataError, "reciprocal_rank@3 of old is"),
        (
            RULE,
            {**STORED, "against": pa.concat_tables([BEFORE, BEFORE])},
            DataError,
            "has reciprocal_rank@3 more than once: keep one value",
        ),
        (RULE, {**STORED, "each": True, "by": "item_id"}, InputError, "each=True: against has"),
    ],
)
def test_invalid_rules_and_stored_values_are_refused(rules, given, error, message):
    with raises(error, match=message.replace("(", r"\(")):
        checked(rules, **given)


# All lists have item a, or each has another item: Gini of the catalog 3/4 and 0.
NORMALIZED = lists(dict.fromkeys(("ann", "bob", "cid", "dan"), "a"))
APART = lists({"ann": "a", "bob": "b", "cid": "c", "dan": "d"})
CATALOG = pa.table({"item_id": list("abcd")})


@mark.parametrize("before, now, passed", [(APART, NORMALIZED, False), (NORMALIZED, APART, True)])
def test_a_rise_is_worse_where_less_is_better(before, now, passed):
    given = {"truth": TRUTH, "catalog": CATALOG}
    stored = sqlrec.evaluate("gini(items=catalog)@1", recs=before, **given)
    rule = "gini(items=catalog)@1 <= stored + 0.1"
    (row,) = rows_of(results := sqlrec.check(rule, recs=now, **given, against=stored))
    assert results.passed is passed
    assert row["difference"] == (-0.75 if passed else 0.75)
    assert (row["low"], row["high"], row["limit"]) == (None, None, 0.1)


def test_the_upper_limit_of_the_difference_lies_below_the_margin_where_less_is_better():
    # Errors now: 1, 0, 2, 1; before 1/2, 1, 2, 0.
    recs = scored({"a": {"a": 2.0}, "b": {"a": 1.0}, "c": {"a": 3.0}, "d": {"a": 0.0}})
    truth = wanted({user: {"a": 1.0} for user in "abcd"})
    requests = "mae(average=users)@3"
    stored = of_users({"a": 0.5, "b": 1.0, "c": 2.0, "d": 0.0}, metric="mae(average=users)")
    given = {"recs": recs, "truth": truth, "against": stored}
    (row,) = rows_of(results := sqlrec.check(f"{requests} <= stored + 5", **given))
    interval = stats.ttest_1samp([0.5, -1, 0, 1], 0, alternative="less").confidence_interval(0.95)
    assert row["high"] == approx(interval.high, rel=1e-12)
    assert (row["limit"], row["difference"]) == (5, approx(1 / 8))
    assert results.passed
    for more, passed in ((1e-6, True), (-1e-6, False)):
        rule = f"{requests} <= stored + {interval.high + more}"
        assert sqlrec.check(rule, **given).passed is passed


def test_a_margin_needs_a_direction():
    message = "popularity_count@1 >= stored - 1%: give a number; a margin needs"
    with raises(InputError, match=message):
        checked("popularity_count@1 >= stored - 1%", history=TRUTH, against=of_result(1))
    assert checked("popularity_count@1 <= 4; mrr@3 >= 0.1", history=TRUTH).passed


def test_an_undefined_value_is_an_error():
    # No list has two items of the truth, which this correlation requires.
    recs = NOW.append_column("score", pa.array([3.0, 2.0, 1.0] * 4))
    truth = TRUTH.append_column("relevance", pa.array([1.0] * 4))
    with raises(DataError, match="pearson@3 has no value"):
        sqlrec.check("pearson@3 >= 0", recs=recs, truth=truth)


@fixture
def folder(tmp_path):
    pyarrow.parquet.write_table(NOW, tmp_path / "recs.parquet")
    pyarrow.parquet.write_table(TRUTH, tmp_path / "truth.parquet")
    pyarrow.csv.write_csv(BEFORE, tmp_path / "before.csv")
    return tmp_path


INPUTS = ("--recs", "recs.parquet", "--truth", "truth.parquet")
CHECK = ("check", "mrr@3 >= 0.5", *INPUTS)


def test_the_exit_code_says_whether_all_passed(run):
    assert run(*CHECK, code=0) == (
        "The check passed\n"
        "\n"
        "result  model  value\n"
        "──────  ─────  ─────\n"
        "mrr@3 >= 0.5 (4 users)\n"
        "✓ pass  recs   0.708\n"
    )
    printed = run("check", "mrr@3 <= 0.6", *CHECK[1:], code=3)
    assert [line.split()[:2] for line in printed.splitlines()[4:]] == [
        *(["mrr@3", "<="], ["✗", "FAIL"], []),
        *(["mrr@3", ">="], ["✓", "pass"]),
    ]
    assert "P@1 has no rule" in run("check", "P@1", *CHECK[1:], code=1)
    run(*CHECK, "--minimum", "mrr@3=0.5", code=2)


def test_files_of_users_are_compared_in_pairs(run):
    inputs = (*INPUTS, "--against", "before.csv", "--format", "json")
    (row,) = json.loads(run("check", "mrr@3 >= stored - 0.6", *inputs, code=0))
    expected = checked("mrr@3 >= stored - 0.6", against=BEFORE)
    assert row["low"] == approx(rows_of(expected)[0]["low"])
    rule = "mrr@3 >= stored - 60%"
    (row,) = json.loads(run("check", rule, *inputs, "--level", "0.99", code=3))
    assert row["limit"] == approx(-0.6 * 2.5 / 4)


@mark.parametrize("form, ending", [("result", "csv"), ("per-user", "parquet")])
def test_files_written_by_evaluate_can_be_compared(run, ending, form):
    metrics = ("mrr@3", "recall@all", "f_beta(beta=2)@3")
    old = f"old.{ending}"
    run("evaluate", *metrics, *INPUTS, "--table", form, "--no-interval", "-o", old, code=0)
    rules = ("mrr@3 recall@all >= stored - 1%", "f_beta(beta=2)@3 >= stored - 0")
    printed = run("check", *rules, *INPUTS, "--against", old, "--format", "csv", code=0)
    results = list(csv.DictReader(printed.splitlines()))
    assert [row["metric"] for row in results] == ["reciprocal_rank", "recall", "f_beta(beta=2)"]
    assert {row["basis"] for row in results} == {"test" if form == "per-user" else "means"}
    assert [float(row["limit"]) for row in results] == approx([-0.01 * MEAN, -0.01, 0])


def test_ids_of_a_csv_file_keep_their_zeros(run, folder):
    for name, one in (("recs", NOW), ("truth", TRUTH)):
        users = [f"00{'abcd'.index(user[0]) + 1}" for user in one["user_id"].to_pylist()]
        pyarrow.parquet.write_table(
            one.set_column(0, "user_id", [users]), folder / f"{name}.parquet"
        )
    run("evaluate", "mrr@3", *INPUTS, "--table", "per-user", "-o", "old.csv", code=0)
    assert "recs,001," in (folder / "old.csv").read_text()
    stored = ("mrr@3 >= stored - 0", *INPUTS, "--against", "old.csv", "--format", "json")
    (row,) = json.loads(run("check", *stored, code=0))
    assert row["users"] == 4


def test_unreadable_stored_files_are_errors(run, folder):
    (folder / "odd.csv").write_text("metric,k,value\nreciprocal_rank,3,high\n")
    (folder / "odd.parquet").write_text("no parquet")
    command = ("check", RULE, *INPUTS, "--against")
    message = "reciprocal_rank@3 of against is high, which is not a number"
    assert message in run(*command, "odd.csv", code=1)
    assert "--against odd.parquet: " in run(*command, "odd.parquet", code=1)


def test_a_closed_pipe_keeps_the_exit_code(folder):
    command = " ".join([shlex.quote(sys.executable), "-m sqlrec check 'mrr@3 <= 0.6'", *INPUTS])
    done = subprocess.run(
        ["bash", "-c", f"{command} | true; exit ${{PIPESTATUS[0]}}"], cwd=folder, check=False
    )
    assert done.returncode == 3


class TestClusters:
    """Correlated users of a group make limits wider."""

    HOMES = 12

    @staticmethod
    def given(better):
        # Households of four users with equal values.
        users = [f"u{n}" for n in range(48)]
        recs = {user: "a" if n // 4 in better else "b" for n, user in enumerate(users)}
        homes = pa.table({"user_id": users, "home": [n // 4 for n in range(48)]})
        return {"recs": lists(recs), "truth": wanted(dict.fromkeys(users, "a")), "users": homes}

    def test_clusters_widen_the_limit_of_pairs(self):
        before = sqlrec.evaluate("hit_rate@1", **self.given(range(12))).per_user()
        now = self.given(range(1, 12))
        options = {"against": before}
        rule = "hit_rate@1 >= stored - 0.2"
        (alone,) = sqlrec.check(rule, **now, **options).to_arrow().to_pylist()
        (row,) = sqlrec.check(rule, **now, cluster="home", **options).to_arrow().to_pylist()
        off = np.array([-1.0] + [0.0] * 11)
        error = off.std(ddof=1) / math.sqrt(12)
        assert row["low"] == approx(off.mean() - stats.t.ppf(0.95, 11) * error)
        assert (alone["result"], row["result"]) == ("pass", "FAIL")

    def test_clusters_widen_the_limit_of_means(self):
        options = {"interval": "t", "cluster": "home"}
        before = sqlrec.evaluate("hit_rate@1", **self.given(range(12)), **options)
        assert before.to_arrow()["clusters"].to_pylist() == [12]
        now = self.given(range(1, 12))
        rule = "hit_rate@1 >= stored - 0.2"
        (row,) = rows_of(sqlrec.check(rule, **now, **options, against=before))
        off = np.array([0.0] + [1.0] * 11)
        reach = stats.t.ppf(0.95, 11) * off.std(ddof=1) / math.sqrt(12)
        assert row["low"] == approx(-1 / 12 - reach)

    def test_stored_errors_need_the_same_clusters(self):
        now = self.given(range(12))
        alone = sqlrec.evaluate("hit_rate@1", **now, interval="t")
        with raises(sqlrec.InputError, match="has errors for independent users"):
            sqlrec.check("hit_rate@1 >= stored - 0.1", **now, cluster="home", against=alone)
        homes = sqlrec.evaluate("hit_rate@1", **now, interval="t", cluster="home")
        with raises(sqlrec.InputError, match="has standard errors by group"):
            sqlrec.check("hit_rate@1 >= stored - 0.1", **now, against=homes)

    def test_one_cluster_is_refused(self):
        now = self.given(range(12)) | {"cluster": "all"}
        now["users"] = now["users"].append_column("all", pa.array([1] * 48))
        before = sqlrec.evaluate("hit_rate@1", **self.given(range(12))).per_user()
        with raises(sqlrec.DataError, match="are in one cluster, but a limit needs two"):
            sqlrec.check("hit_rate@1 >= stored - 0.1", **now, against=before)


def test_junit_has_a_case_for_each_rule(run, tmp_path):
    command = ["check", "mrr@3 >= 0.8", "hr@3 >= 1", *INPUTS]
    assert run(*command, "-o", "checks.xml", code=3) == ""
    printed = run(*command, "--format", "junit", code=3)
    suite = ElementTree.fromstring(printed)
    assert suite.attrib == {"name": "sqlrec check", "tests": "2", "failures": "1"}
    cases = [(case.get("name"), case.get("classname")) for case in suite]
    assert cases == [("mrr@3 >= 0.8", "recs"), ("hr@3 >= 1", "recs")]
    assert [case.find("failure") is not None for case in suite] == [True, False]
    assert suite.find("testcase/failure").get("message") == "0.708, 4 users"
    odd = sqlrec.check("mrr@3 >= 1", recs={"<\u202e&": NOW}, truth=TRUTH)
    assert ElementTree.fromstring(odd.to_junit())[0].get("classname") == r"<\u202e&"


CASES = """
import sqlrec
import pyarrow as pa

GIVEN = {"recs": pa.table(%r), "truth": pa.table(%r)}

def test_passes(assert_metric):
    found = assert_metric("mrr hr >= 0.7; hr@3 <= 1", k=3, **GIVEN)
    assert found.passed

def test_all(assert_metric):
    assert_metric("all@3 <= 1000", **GIVEN)

def test_fails(assert_metric):
    assert_metric("mrr@3 hr@3 >= 0.8", **GIVEN)

def test_is_wrong(assert_metric):
    assert_metric("mrrr@3 >= 0.8", **GIVEN)
"""


@mark.slow
def test_a_failing_pytest_names_the_metrics(tmp_path):
    path = tmp_path / "test_model.py"
    path.write_text(CASES % (NOW.to_pydict(), TRUTH.to_pydict()))
    # A summary (without -rN) repeats whole messages where the variable CI is set.
    command = [sys.executable, *"-m pytest -q --tb=short -rN".split(), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path)
    assert "2 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    (row,) = [line.split() for line in done.stdout.splitlines() if "✗" in line]
    assert row == [*"✗ FAIL recs 0.708".split()]
    assert "✓" not in done.stdout and "1 of 2 checks failed" in done.stdout
    assert "unknown metric 'mrrr': did you mean" in done.stdout


def of_pattern(pattern):
    """Return each user's new and stored value, 0 or 1: ``+`` is 1 only now, ``-`` only before."""
    names = [f"u{number}" for number in range(len(pattern))]
    both = (float(one in "+1") for one in pattern), (float(one in "-1") for one in pattern)
    return [dict(zip(names, values, strict=True)) for values in both]


def test_differences_of_hits_and_of_errors_of_0_and_1_have_the_score_test():
    now, before = of_pattern("---++" + "0" * 20)
    hits = {
        "recs": lists({user: "a" if one else "b" for user, one in now.items()}),
        "truth": wanted(dict.fromkeys(now, "a")),
    }
    given = {"level": 0.8, "against": of_users(before, "hit_rate", 1)}
    (row,) = rows_of(sqlrec.check("hit_rate@1 >= stored - 0.1", **hits, **given))
    assert row["p"] == approx(score_test_p(2, 3, 25, -0.1))
    # For errors, which are better if lower, higher values are losses.
    errors = {
        "recs": scored({user: {"a": 1 + one} for user, one in now.items()}),
        "truth": wanted({user: {"a": 1.0} for user in now}),
    }
    stored = of_users(before, "mae(average=users)", 1)
    rule = "mae(average=users)@1 <= stored + 0.1"
    (row,) = rows_of(sqlrec.check(rule, **errors, level=0.8, against=stored))
    assert row["p"] == approx(score_test_p(3, 2, 25, -0.1))


THIRTY = [f"u{number:02}" for number in range(30)]
FIRST = wanted(dict.fromkeys(THIRTY, "x"))
# The last users have other values than the first users.
BETTER, WORSE = (
    lists({user: texts[user < "u25"] for user in THIRTY})
    for texts in (("yxz", "xyz"), ("zyx", "yzx"))
)


def test_rules_of_stored_values_are_not_corrected():
    recs = {"a": BETTER, "b": WORSE, "c": lists(dict.fromkeys(THIRTY, "xyz"))}
    stored = sqlrec.evaluate("mrr@3", recs=recs, truth=FIRST).per_user()
    rules = ["mrr@3 >= stored - 0.1", "mrr@3 >= a"]
    changed = recs | {"b": BETTER, "c": WORSE}
    results = sqlrec.check(rules, recs=changed, truth=FIRST, against=stored)
    text = " ".join(repr(results).split())
    assert re.search("p of mrr@3 >= stored - 0.1: [^.,]*, no correction[.]", text)
    assert re.search("p of mrr@3 >= a: [^.,]*, Holm's correction", text)


def test_the_title_of_a_check_has_the_labels_of_models():
    checks = sqlrec.check("mrr@3 >= 0.9", recs={"new": BETTER, "old": WORSE}, truth=FIRST)
    title = checks.layout().renamed({"new": "Neue", "old": "Alte"}).title
    assert title == "1 of 2 checks failed; only Neue passes every rule"


def test_a_limit_has_the_required_one_next_to_it():
    before = sqlrec.evaluate("mrr@3", recs=BETTER, truth=FIRST)
    rule = "mrr@3 >= stored - 0.01"
    text = " ".join(repr(sqlrec.check(rule, recs=WORSE, truth=FIRST, against=before)).split())
    assert re.search(r"lower limit -0\.\d+ < -0\.010+ ", text)
    assert "one-sided at 95%, from the intervals of both means, without correction" in text
    text = repr(sqlrec.check(rule, recs=BETTER, truth=FIRST, against=before))
    assert "unchanged" in text and "limit" not in text
