"""Statistics of per-user values: intervals, summaries, comparisons."""

import hashlib
import itertools
import math
import re
from functools import cache
from pathlib import Path
from warnings import catch_warnings, simplefilter

import numpy as np
import pyarrow as pa
from pytest import approx, fixture, mark, raises, warns

import sqlrec
from sqlrec.statistics.formulas import (
    correct_p_values,
    flips_needed,
    interval_from_error,
    wilson_interval,
)

from .packages import TTestPower, mcnemar, multipletests, stats
from .tables import decisions, lists, rows_of, scored, table, wanted

NAN = float("nan")


def valued(models, **columns):
    """Return inputs in which cg@1 has given per-user values; users without one have no list.

    A model's list is one item, with the name of the model, and its grade is the value.
    """
    several = [(user, one, float(v)) for one, had in models.items() for user, v in had.items()]
    types = {"user_id": pa.int64() if isinstance(several[0][0], int) else pa.string()}
    rows = table([(user, one) for user, one, _ in several], **types, item_id=pa.string())
    rows = rows.append_column("rank", pa.repeat(pa.scalar(1), len(several)))
    truth = table(several, **types, item_id=pa.string(), relevance=pa.float64())
    for name, of in columns.items():
        truth = truth.append_column(name, pa.array([of(user) for user, *_ in several]))
    return {
        "recs": rows.append_column("model", rows["item_id"]),
        "truth": truth,
        "population": "judged_and_recs",
    }


def evaluated(had, **options):
    """Return the row of per-user values."""
    (row,) = sqlrec.evaluate("cg@1", **valued({"als": had}), **options).to_arrow().to_pylist()
    return row


def evaluated_each(*cases, **options):
    """Return the rows of per-user values of several cases, each a segment."""
    had = {"als": {(n, user): v for n, case in enumerate(cases) for user, v in case.items()}}
    return rows_of(sqlrec.evaluate("cg@1", **parted(had), **options))


def compared(als, pop, **options):
    """Return the row of a model compared with another."""
    return compared_each((als, pop), **options)[0]


def compared_each(*pairs, **options):
    """Return the rows of a model compared with another in several cases, each a segment."""
    models = {
        name: {(n, user): v for n, pair in enumerate(pairs) for user, v in pair[side].items()}
        for side, name in enumerate(("als", "pop"))
    }
    if len(pairs) == 1:
        inputs = valued({name: {u: v for (_, u), v in had.items()} for name, had in models.items()})
    else:
        inputs, options = parted(models), {"correction": "none", **options}
    return rows_of(sqlrec.compare("cg@1", **inputs, baseline="pop", **options))


def parted(models, **columns):
    """Return inputs of several cases, whose users have the case's number."""
    named = {name: {f"{n}:{u}": v for (n, u), v in had.items()} for name, had in models.items()}
    inputs = valued(named, case=lambda user: int(user.split(":")[0]), **columns)
    return inputs | {"by": "case"}


def by_number(results):
    return dict(enumerate(results))


@fixture
def chance():
    return np.random.default_rng(11)


class TestSummaries:
    def test_summaries_of_four_users_by_hand(self):
        row = evaluated(
            {"ann": 0, "bob": 1, "cid": 2, "dan": 4},
            summaries="median p90 lower_median lower_p90 standard_deviation min max zero_share",
        )
        assert row["value"] == 1.75
        assert (row["median"], row["lower_median"]) == (1.5, 1)
        # Nine tenths of the way from the first to the fourth is rank 2.7, from 0.
        assert (row["p90"], row["lower_p90"]) == (approx(2 + 0.7 * 2), 2)
        assert row["standard_deviation"] == approx(
            math.sqrt((3.0625 + 0.5625 + 0.0625 + 5.0625) / 3)
        )
        assert (row["min"], row["max"], row["zero_share"]) == (0, 4, 0.25)

    def test_summaries_equal_numpys(self, chance):
        cases = [
            np.where(chance.random(users) < 0.3, 0, chance.integers(0, 20, users) / 7)
            for users in (1, 2, 5, 64, 101)
        ]
        shares = ["1", "25", "50", "73.5", "90", "99"]
        requests = [f"{lower}p{share}" for share in shares for lower in ("", "lower_")]
        requests += ["median", "standard_deviation"]
        for had, row in zip(
            cases, evaluated_each(*map(by_number, cases), summaries=requests), strict=True
        ):
            for share in shares:
                part = float(share) / 100
                assert row[f"p{share}"] == approx(np.quantile(had, part), abs=1e-12)
                assert row[f"lower_p{share}"] == np.quantile(had, part, method="lower")
            assert row["median"] == approx(np.median(had), abs=1e-12)
            expected = had.std(ddof=1) if len(had) > 1 else None
            assert row["standard_deviation"] == approx(expected, rel=1e-12)

    def test_deviations_keep_their_digits_far_from_0(self):
        row = evaluated(by_number([1e9, 1e9 + 1, 1e9 + 2]), summaries="standard_deviation")
        assert row["standard_deviation"] == approx(1, rel=1e-9)

    def test_leave_users_without_a_value_out_and_are_null_for_all_users_together(self):
        recs, truth = lists({"ann": "a", "bob": "a"}), wanted({"ann": {"a": 1}, "bob": {"a": 0}})
        result = sqlrec.evaluate(
            "recall@1 coverage@1 recall@all",
            recs=recs,
            truth=truth,
            catalog=pa.table({"item_id": ["a", "b"]}),
            population="judged",
            summaries="median zero_share",
        )
        assert [(row["k"], row["median"], row["zero_share"]) for row in rows_of(result)] == [
            *((1, 1, 0), (1, None, None), (None, 1, 0))
        ]

    def test_summaries_without_users_are_null(self):
        truth = wanted({"ann": {"a": 0}})
        options = {"summaries": "median", "interval": "t"}
        result = sqlrec.evaluate(
            "recall@1", recs=lists({"ann": "a"}), truth=truth, population="judged", **options
        )
        (row,) = rows_of(result)
        assert [row[name] for name in ("value", "median", "low", "high")] == [None] * 4

    @mark.parametrize(
        ("requests", "message"),
        [
            *(
                ([name], "choose from standard_deviation, min, max")
                for name in ("mean", "p100", "p", "lower", "lower_min", "p5.", "median,p9", 5)
            ),
            ("p90 min p90", "'p90' is requested twice: remove one"),
        ],
    )
    def test_unknown_and_repeated_summaries_are_refused(self, requests, message):
        with raises(sqlrec.InputError, match=message):
            evaluated({"ann": 1}, summaries=requests)


def limits(row):
    return row["low"], row["high"]


def coverage_of_shares(users, rate):
    """Return the exact coverage of intervals by t and by Wilson for a rate of hits."""
    results = [0.0, 0.0]
    for hits in range(users + 1):
        share = hits / users
        error = math.sqrt(share * (1 - share) / (users - 1))
        ways = (
            interval_from_error("t", 0.95, share, users, error),
            wilson_interval(0.95, share, users),
        )
        for number, (low, high) in enumerate(ways):
            if low is not None and low <= rate <= high:
                results[number] += stats.binom.pmf(hits, users, rate)
    return results


class TestIntervals:
    def test_by_t_and_the_normal_distribution_are_those_of_scipy(self, chance):
        had = chance.gamma(2, size=37)
        error = stats.sem(had)
        for name, law in (("t", stats.t(36)), ("normal", stats.norm())):
            for level in (0.5, 0.95, 0.999):
                results = interval_from_error(name, level, had.mean(), 37, error)
                low, high = law.interval(level)
                assert results == approx((had.mean() + low * error, had.mean() + high * error))
            row = evaluated(by_number(had), interval=name, level=level)
            assert (row["standard_error"], *limits(row)) == approx((error, *results))

    def test_wilsons_interval_equals_scipys(self):
        for hits in (0, 1, 9, 30, 29):
            expected = stats.binomtest(hits, 30).proportion_ci(0.9, "wilson")
            limits = expected.low, expected.high
            assert wilson_interval(0.9, hits / 30, 30) == approx(limits, abs=1e-15)
        recs = lists({f"u{n}": "a" for n in range(30)})
        truth = wanted({f"u{n}": "a" if n < hits else "b" for n in range(30)})
        result = sqlrec.evaluate(
            "hit_rate@1", recs=recs, truth=truth, interval=sqlrec.Interval("wilson", level=0.9)
        )
        (row,) = rows_of(result)
        assert (row["low"], row["high"]) == approx(limits, abs=1e-15)

    @mark.slow
    def test_coverage_of_shares_is_that_of_the_page(self):
        page = (Path(__file__).parents[1] / "docs" / "statistics.md").read_text(encoding="utf-8")
        cells = re.findall(r"^\| ([\d,]+), (\.\d+) \| (\d+)% \| (\d+)% \|$", page, re.MULTILINE)
        assert len(cells) == 6
        for users, rate, *percents in cells:
            users, rate = int(users.replace(",", "")), float(rate)
            assert [100 * share for share in coverage_of_shares(users, rate)] == [
                approx(int(percent), abs=0.5) for percent in percents
            ]
        for users, least in ((10, 0.85), (20, 0.9), (30, 0.9), (50, 0.9), (100, 0.92)):
            rates = [n / 1000 for n in (*range(10, 30, 2), *range(30, 501, 10))]
            shares = {rate: coverage_of_shares(users, rate)[1] for rate in rates}
            assert min(shares.values()) == approx(least, abs=0.011)
            assert min(shares, key=shares.get) < 0.03

    def test_wilsons_interval_needs_values_of_0_and_1(self):
        message = r"values of ndcg@2 are not only 0 and 1; give interval='t'"
        for users in ({"ann": "ba", "bob": "ab"}, {"ann": "ba", "bob": "ba"}):
            recs, truth = lists(users), wanted(dict.fromkeys(users, "a"))
            with raises(sqlrec.InputError, match=message):
                sqlrec.evaluate("ndcg@2", recs=recs, truth=truth, interval="wilson")

    def test_by_the_values_are_wilsons_where_these_are_0_and_1(self):
        # The last user's item is the second of the list; with grades, the gain at 1 is also 0 or 1.
        users = {f"{hits}:{n}": (hits, n) for hits in (0, 1, 9, 29, 30) for n in range(31)}
        recs = {user: "a" if n < 30 else "ba" for user, (_, n) in users.items()}
        truth = {user: "a" if n < hits or n == 30 else "c" for user, (hits, n) in users.items()}
        arguments = {
            "recs": lists(recs),
            "truth": wanted(truth),
            "catalog": pa.table({"item_id": ["a", "b"]}),
            "users": pa.table({"user_id": [*users], "hits": [hits for hits, _ in users.values()]}),
            "by": "hits",
        }
        requests = "hit_rate@1 recall@1 ndcg@2 dcg@1 catalog_coverage@2"
        with catch_warnings():
            simplefilter("ignore")
            rows = rows_of(sqlrec.evaluate(requests, **arguments, interval="auto"))
            others = {
                (row["hits"], row["metric"]): row
                for how, some in (("wilson", "hit_rate@1 recall@1"), ("t", "ndcg@2 dcg@1"))
                for row in rows_of(sqlrec.evaluate(some, **arguments, interval=how))
            }
        ways = [row.pop("interval") for row in rows]
        for row in rows:
            if row["metric"] != "catalog_coverage":
                assert row == others[row["hits"], row["metric"]]
        assert ways == [
            way
            for hits in (0, 1, 9, 29, 30)
            for way in ("wilson", "wilson", "t", "t" if hits else None, None)
        ]

    def test_by_t_warn_where_few_users_have_a_hit_or_a_miss(self):
        recs = lists({f"u{n}": "a" for n in range(100)})
        for hits, interval, rare in (
            *((9, "t", True), (10, "t", False), (90, "t", False), (91, "t", True)),
            (9, True, False),
        ):
            truth = wanted({f"u{n}": "a" if n < hits else "b" for n in range(100)})
            with catch_warnings(record=True) as results:
                simplefilter("always")
                sqlrec.evaluate("hit_rate@1", recs=recs, truth=truth, interval=interval)
            assert ["hit_rate@1 of recs is 0." in str(w.message) for w in results] == [True] * rare

    def test_interval_true_is_the_default_method(self):
        recs, truth = lists({"ann": "ab", "bob": "ab"}), wanted({"ann": "a", "bob": "b"})
        inputs = {"recs": {"als": recs, "pop": recs}, "truth": truth, "baseline": "pop"}
        assert sqlrec.compare("hit_rate@1", **inputs, interval=True).summary.options.interval == "t"
        assert "as high" in sqlrec.sql("mrr@2", recs=recs, truth=truth, interval=True)
        with raises(sqlrec.InputError, match="interval=False: choose from"):
            sqlrec.compare("hit_rate@1", **inputs, interval=False)

    @mark.parametrize("interval", ["t", "bootstrap", "bca"])
    def test_one_user_and_equal_users_have_no_interval(self, interval):
        one, alike = evaluated_each({1: 1}, dict.fromkeys(range(10), 0.1), interval=interval)
        assert (one["value"], one["standard_error"], *limits(one)) == (1, None, None, None)
        assert (alike["standard_error"], *limits(alike)) == (approx(0, abs=1e-15), None, None)
        assert interval_from_error("wilson", 0.95, 1, 1, None) == (None, None)
        assert interval_from_error("normal", 0.95, 0.1, 10, alike["standard_error"]) == (None, None)
        if interval != "bca":
            arguments = valued({"a": dict.fromkeys(range(10), 0.1)}, home=lambda user: user // 3)
            results = sqlrec.evaluate("cg@1", **arguments, interval=interval, cluster="home")
            assert [limits(row) for row in rows_of(results)] == [(None, None)]

    def test_summaries_that_are_means_have_the_error_of_means(self):
        inputs = {
            "recs": lists({"ann": "ax", "bob": "yz"}),
            "truth": wanted({"ann": "a", "bob": "a"}),
        }
        rows = rows_of(sqlrec.evaluate("f1@2 r_precision@2 recall@2", **inputs))
        # One user has 0; the other one has 2 * 1/2 * 1 / (1/2 + 1) or 1.
        assert {row["metric"]: (row["value"], row["standard_error"]) for row in rows} == {
            "f_beta": approx((1 / 3, 1 / 3)),
            **dict.fromkeys(("r_precision", "recall"), approx((1 / 2, 1 / 2))),
        }

    @mark.parametrize("interval", ["t", "wilson"])
    def test_metrics_other_than_means_have_no_interval(self, interval):
        recs = scored({"ann": {"a": 0.5, "b": 1}, "bob": {"a": 0.25}})
        truth = wanted({"ann": {"a": 1, "b": 1}, "bob": {"a": 0}})
        catalog = pa.table({"item_id": ["a", "b", "c"]})
        result = sqlrec.evaluate(
            "rmse gmap@2 coverage@1", recs=recs, truth=truth, catalog=catalog, interval=interval
        )
        for row in rows_of(result):
            assert row["value"] is not None
            assert [row["standard_error"], *limits(row)] == [None] * 3

    @mark.parametrize("interval", ["t", "bootstrap", "bca"])
    def test_an_undefined_mean_has_no_interval(self, interval):
        # In this form, a user without a list has no precision, and leaves the mean undefined.
        recs, truth = lists({"ann": "a", "bob": "b"}), wanted({"ann": "a", "bob": "a", "cid": "a"})
        metric = "precision(convention=rs_metrics)@1"
        result = sqlrec.evaluate(
            metric, recs=recs, truth=truth, population="judged", interval=interval
        )
        (row,) = rows_of(result)
        assert [row["value"], *limits(row)] == [None] * 3

    @mark.parametrize(
        ("options", "message"),
        [
            ({"interval": "student"}, "interval='student': choose from "),
            ({"interval": "t", "level": 1}, "level=1: it must be above 0 and below 1"),
            ({"interval": "normal", "level": 1 - 2**-53}, "it must be above 0 and below 1"),
            ({"interval": "t", "level": NAN}, "level=nan: it must be above 0 and below 1"),
            ({"interval": "t", "level": "95"}, "level='95': it must be above 0 and below 1"),
            ({"replicates": 500}, "replicates=500 and interval='auto': give interval='bootstrap'$"),
            ({"interval": None, "level": 0.9}, "level=0.9 and interval=None: give the"),
            ({"replicates": 10}, "replicates=10: it must be a whole number from 100 to 100000"),
            ({"replicates": 1e3}, "replicates=1000.0: it must be a whole number from 100 to"),
            ({"cluster": "home", "interval": None}, "cluster='home' and interval=None: give"),
            ({"cluster": "home", "interval": "wilson"}, "interval='wilson': give interval="),
            ({"cluster": "nope", "interval": "t"}, "cluster='nope': no such column in truth: "),
            ({"cluster": 5, "interval": "t"}, "cluster=5: give its name as a string"),
        ],
    )
    def test_unknown_values_are_refused(self, options, message):
        with raises(sqlrec.InputError, match=message):
            evaluated({"ann": 1}, **options)

    @mark.parametrize("name", ["low", "standard_error", "Median"])
    def test_segments_named_like_columns_of_the_result_are_refused(self, name):
        inputs = valued({"als": {"ann": 1, "bob": 1}}, **{name: lambda _: "x"})
        with raises(sqlrec.InputError, match=f"by='{name}': the result already has a column"):
            sqlrec.evaluate("cg@1", **inputs, by=name, interval="t", summaries="median")

    def test_segments_may_be_named_like_columns_of_queries(self):
        had = {"ann": 0, "bob": 3, "cid": 3, "dan": 8, "eve": 1, "fay": 4}
        options = {"interval": "bca", "summaries": "median p90", "replicates": 100}
        results = []
        for segments in (["plain"], ["mean", "weight_1"]):
            inputs = valued({"als": had}, **dict.fromkeys(segments, lambda user: user > "bob"))
            rows = rows_of(sqlrec.evaluate("cg@1", **inputs, by=segments, **options))
            results.append([[v for key, v in row.items() if key not in segments] for row in rows])
        assert results[0] == results[1]
        assert None not in results[0]


class TestErrorsOfRatios:
    """Standard errors of ratios of two sums: by formula, and close to the jackknife's."""

    @staticmethod
    def expected(part, whole):
        part, whole = np.array(part), np.array(whole)
        ratio, count = part.sum() / whole.sum(), len(part)
        residuals = part - ratio * whole
        error = math.sqrt(count / (count - 1) * (residuals**2).sum()) / whole.sum()
        others = (part.sum() - part) / (whole.sum() - whole)
        jackknife = math.sqrt((count - 1) / count * ((others - others.mean()) ** 2).sum())
        assert error == approx(jackknife, rel=0.05)
        return error

    @mark.parametrize("weight", ["impressions", "positives"])
    def test_errors_of_weighted_means(self, weight, chance):
        recs, truth = {}, {}
        for user in range(200):
            items = [f"i{n}" for n in range(chance.integers(2, 12))]
            recs[f"u{user}"] = dict(zip(items, chance.random(len(items)), strict=True))
            truth[f"u{user}"] = {item: int(chance.random() < 0.5) for item in items}
        tables = {"recs": scored(recs), "truth": wanted(truth)}
        result = sqlrec.evaluate(f"gauc(weight={weight})", **tables, interval="normal")
        part, whole = [], []
        for row in rows_of(result.per_user()):
            if row["value"] is not None:
                grades = truth[row["user_id"]].values()
                whole.append(len(grades) if weight == "impressions" else sum(grades))
                part.append(whole[-1] * row["value"])
        (row,) = rows_of(result)
        assert row["users"] == len(part) > 150
        assert row["value"] == approx(sum(part) / sum(whole))
        assert row["standard_error"] == approx(self.expected(part, whole), rel=1e-9)

    def test_errors_of_ratios_are_by_users_and_groups(self, chance):
        count = 200
        user, p = chance.integers(0, 40, count), chance.uniform(0.2, 0.9, count)
        t, q, e = (chance.random(count) for _ in "tqe")
        t[::5] = 0
        r = chance.gamma(2, size=count) + user / 40
        columns = {"user_id": user, "reward": r, "propensity": p, "target_probability": t}
        logs = pa.table(columns | {"predicted_reward": q, "expected_reward": e})
        w = t / p
        correction = (w * (r - q)).sum() / w.sum()
        results = {
            "clipped_ips(clip=2)": np.minimum(w, 2) * r,
            "dm": e,
            "dr": e + w * (r - q),
            "switch_dr(tau=1)": e + np.where(w <= 1, w, 0) * (r - q),
            "shrunk_dr(shrinkage=2)": e + 2 * w / (w**2 + 2) * (r - q),
            "sub_gaussian_dr(shrinkage=0.5)": e + w / (0.5 + 0.5 * w) * (r - q),
            "sub_gaussian_ips(shrinkage=0.5)": w / (0.5 + 0.5 * w) * r,
            "sndr": e + w * (r - q - correction) / w.mean() + correction,
            "matched_share": 1.0 * (t > 0),
        }
        homes = pa.table({"user_id": np.arange(40), "home": np.arange(40) // 7})
        alone = rows_of(sqlrec.evaluate([*results], logs=logs, interval="t"))
        grouped = {"users": homes, "cluster": "home"}
        groups = rows_of(sqlrec.evaluate([*results], logs=logs, interval="t", **grouped))
        for row, group in zip(alone, groups, strict=True):
            off = results[row["request"]] - results[row["request"]].mean()
            # The user's part of the mean: users without a decision are unknown.
            users = np.unique(user)
            added = np.array([off[user == one].sum() for one in users]) * len(users) / count
            error, freedom = cr2(added, users)
            assert row["standard_error"] == approx(error, rel=1e-9)
            reach = stats.t.ppf(0.975, freedom) * error
            assert limits(row) == approx((row["value"] - reach, row["value"] + reach), rel=1e-9)
            expected = cr2(added, users // 7)
            assert (group["standard_error"], group["degrees_of_freedom"]) == approx(expected)

    def test_errors_by_groups_are_equal_under_several_sets_of_rules(self, chance):
        user = np.arange(200) // 5
        logs = pa.table(
            {
                "user_id": user,
                "item_id": np.arange(200) % 7,
                "reward": chance.random(200) + user / 40,
                "propensity": chance.uniform(0.2, 0.9, 200),
                "predicted_reward": chance.random(200),
                "expected_reward": chance.random(200),
            }
        )
        users = np.arange(40)
        tables = {
            "recs": pa.table({"user_id": users, "item_id": users % 7, "rank": users * 0 + 1}),
            "truth": pa.table({"user_id": users, "item_id": users % 5}),
            "users": pa.table({"user_id": users, "home": users // 4}),
        }
        requests = ["sndr", "sndr mrr@3 mrr(convention=ranx)@3 recall(convention=rectools)@2"]
        one, several = (
            rows_of(sqlrec.evaluate(x, logs=logs, **tables, interval="t", cluster="home"))[0]
            for x in requests
        )
        assert several["standard_error"] == approx(one["standard_error"])

    def test_errors_of_ips_by_recommended_ranks(self):
        # Weights 2, 4 and, if the list does not have the item, 0; four ranks are recommended.
        logs = decisions(
            "user_id item_id reward propensity",
            *(("ann", "a", 1, 0.5), ("ann", "b", 1, 0.25), ("bob", "c", 1, 0.5)),
        )
        recs = lists({"ann": "ab", "bob": "ab"})
        metric = "ips(divide_by=recommended)@2"
        (row,) = rows_of(sqlrec.evaluate(metric, recs=recs, logs=logs, truth=None, interval="t"))
        assert row["value"] == 6 / 4
        # 6 for ann and 0 for bob; their sum has the variance 2 * 18.
        assert row["standard_error"] == approx(math.sqrt(2 * 18) / 4)
        reach = stats.t.ppf(0.975, 1) * row["standard_error"]
        assert limits(row) == approx((1.5 - reach, 1.5 + reach))

    @mark.parametrize("options", [{}, {"cluster": "user_id"}, {"by": "land"}])
    def test_decisions_of_one_user_are_one_unit(self, options, chance):
        own = chance.normal(size=30).repeat(10)
        rows = [
            (f"u{n // 10}", float(mood + chance.random()), *chance.uniform(0.2, 0.9, 2).tolist())
            for n, mood in enumerate(own)
        ]
        logs = decisions("user_id reward propensity target_probability", *rows)
        users = table([(f"u{n}", "x") for n in range(30)], user_id=pa.string(), land=pa.string())
        arguments = {"logs": logs, "interval": "t", **options}
        if "by" in options:
            arguments["users"] = users
        snips, ips = rows_of(sqlrec.evaluate("snips ips", **arguments))
        weights = np.array([probability / propensity for *_, propensity, probability in rows])
        rewards = weights * np.array([row[1] for row in rows])
        part, whole = (had.reshape(30, 10).sum(axis=1) for had in (rewards, weights))
        assert snips["standard_error"] == approx(self.expected(part, whole), rel=1e-9)
        assert ips["standard_error"] == approx(stats.sem(part) / 10, rel=1e-9)
        reach = stats.t.ppf(0.975, 29) * stats.sem(part) / 10
        assert limits(ips) == approx((part.mean() / 10 - reach, part.mean() / 10 + reach))

    def test_decisions_without_a_user_are_single_units(self):
        rows = [(user, float(n % 3), 0.5, 0.5) for n, user in enumerate(["ann", "ann", None, None])]
        logs = decisions("user_id reward propensity target_probability", *rows)
        (row,) = rows_of(sqlrec.evaluate("ips", logs=logs, interval="normal"))
        # Ann has 0 and 1, and the others 2 and 0, each a unit.
        off = np.array([1 - 2 * 0.75, 2 - 0.75, 0 - 0.75])
        assert row["standard_error"] == approx(math.sqrt(3 / 2 * (off**2).sum()) / 4)

    def test_equal_decisions_have_an_error_of_0(self):
        logs = decisions("reward propensity", *[(1, 0.1 + n / 100) for n in range(50)])
        logs = logs.append_column("target_probability", pa.array([0.5] * 50))
        (row,) = rows_of(sqlrec.evaluate("snips", logs=logs, interval="normal"))
        assert row["standard_error"] == approx(0, abs=1e-7)


@cache
def poisson_limits():
    """Return the limits of a Poisson variable of mean 1, as shares of all hashes."""
    return np.floor(stats.poisson(1).cdf(np.arange(12)) * 2**32 + 0.5)


def drawn_counts(user, replicates=1000):
    """Return the number of times that a user is drawn in each replicate, in plain Python."""
    counts, limits = [], poisson_limits()
    for block in range(1, -(-replicates // 4) + 1):
        digits = hashlib.md5(f"{user}:{block}".encode()).hexdigest()
        for number in range(4):
            share = int(digits[8 * number : 8 * number + 8], 16)
            counts.append(int(np.searchsorted(limits, share, side="right")))
    return counts[:replicates]


def drawn_means(had, units, replicates=1000):
    counts = np.array([drawn_counts(unit, replicates) for unit in units]).T
    drawn = counts.sum(axis=1) > 0
    return (counts[drawn] @ had) / counts[drawn].sum(axis=1)


HAD = {"ann": 0.5, "O'Hara": 2, 'a"b': 0, "Ζωή": 1, "商品": 4, "a:1": 1, "": 3}


class TestDraws:
    def test_the_bootstrap_equals_plain_python(self):
        row = evaluated(HAD, interval="bootstrap", level=0.9, replicates=101)
        means = drawn_means([*HAD.values()], HAD, 101)
        assert limits(row) == approx(np.quantile(means, [0.05, 0.95]), abs=1e-12)
        assert row["standard_error"] == approx(means.std(ddof=1), abs=1e-12)

    def test_large_ids_are_hashed_with_all_digits(self):
        had = {2**53 + n: n % 4 for n in range(9)} | {-(2**62): 7}
        row = evaluated(had, interval="bootstrap")
        means = drawn_means([*had.values()], had)
        assert limits(row) == approx(np.quantile(means, [0.025, 0.975]), abs=1e-12)

    def test_clusters_are_drawn_whole(self):
        homes = {"ann": "x", "O'Hara": "x", 'a"b': "y"}
        inputs = valued({"als": HAD}, home=lambda user: homes.get(user))
        result = sqlrec.evaluate("cg@1", **inputs, interval="bootstrap", cluster="home")
        # A user without a cluster is drawn separately.
        means = drawn_means([*HAD.values()], [homes.get(user, user) for user in HAD])
        assert limits(rows_of(result)[0]) == approx(np.quantile(means, [0.025, 0.975]), abs=1e-12)

    @mark.parametrize("interval", ["bootstrap", "t"])
    def test_one_cluster_has_no_interval(self, interval):
        had = {(n, user): v for n in (0, 1) for user, v in HAD.items()}
        inputs = parted({"als": had}, home=lambda user: user[:3] if user < "1" else "x")
        options = {"interval": interval, "cluster": "home"}
        options["replicates"] = 100 if interval == "bootstrap" else None
        catalog = inputs["recs"]
        results = sqlrec.evaluate("cg@1 coverage@1 gmap@1", **inputs, catalog=catalog, **options)
        (mean, *others), (alone, *_) = (
            [row for row in rows_of(results) if row["case"] == case] for case in (0, 1)
        )
        assert mean["clusters"] > 1 and mean["low"] < mean["value"] < mean["high"]
        assert (alone["metric"], *limits(alone)) == (mean["metric"], None, None)
        for row in others:
            assert row["value"] is not None
            assert [row["clusters"], row["standard_error"], *limits(row)] == [None] * 4

    def test_differences_from_0_have_the_interval_of_values(self, chance):
        had = by_number(chance.gamma(1, size=30))
        options = {"interval": "bca", "replicates": 200, "level": 0.9}
        row = compared(had, by_number([0.0] * 30), **options)
        assert limits(row) == approx(limits(evaluated(had, **options)), rel=1e-12)

    def test_differences_draw_users_with_both_values(self):
        pop = {"ann": 1, "Ζωή": 0, "商品": 1, "": 1.5, "new": 9}
        row = compared(HAD, pop, interval="bootstrap")
        both = [user for user in pop if user in HAD]
        means = drawn_means([HAD[user] - pop[user] for user in both], both)
        assert limits(row) == approx(np.quantile(means, [0.025, 0.975]), abs=1e-12)

    def test_bca_equals_its_formula_and_scipy(self, chance):
        had = chance.gamma(0.7, size=60)
        row = evaluated(by_number(had), interval="bca", level=0.9)
        means = drawn_means(had, range(60))
        bias = stats.norm.ppf((means < had.mean()).mean())
        # The acceleration by the jackknife, for which SQL has a closed form.
        left = (had.sum() - had) / 59
        off = left.mean() - left
        acceleration = (off**3).sum() / (6 * (off**2).sum() ** 1.5)
        z = bias + stats.norm.ppf([0.05, 0.95])
        shares = stats.norm.cdf(bias + z / (1 - acceleration * z))
        assert limits(row) == approx(np.quantile(means, shares), rel=1e-9)
        theirs = stats.bootstrap(
            (had,), np.mean, confidence_level=0.9, method="BCa", rng=chance
        ).confidence_interval
        assert limits(row) == approx((theirs.low, theirs.high), rel=0.1)

    @mark.slow
    def test_bca_of_clusters_equals_its_formula(self, chance):
        had = chance.gamma(0.7, size=60)
        homes = [f"h{int(math.sqrt(user * 3))}" for user in range(60)]
        options = {"interval": "bca", "level": 0.9, "cluster": "home"}
        of_homes = {"home": lambda user: homes[user]}
        (row,) = rows_of(
            sqlrec.evaluate("cg@1", **valued({"als": by_number(had)}, **of_homes), **options)
        )
        means = drawn_means(had, homes)
        bias = stats.norm.ppf((means < had.mean()).mean())
        off = np.array(
            [
                sum(had[user] - had.mean() for user in range(60) if homes[user] == home)
                for home in sorted({*homes})
            ]
        )
        acceleration = (off**3).sum() / (6 * (off**2).sum() ** 1.5)
        z = bias + stats.norm.ppf([0.05, 0.95])
        shares = stats.norm.cdf(bias + z / (1 - acceleration * z))
        assert limits(row) == approx(np.quantile(means, shares), rel=1e-9)
        both = {"als": by_number(had), "pop": by_number([0.0] * 60)}
        results = sqlrec.compare("cg@1", **valued(both, **of_homes), baseline="pop", **options)
        assert limits(rows_of(results)[0]) == approx(limits(row), rel=1e-12)


def differing(als, pop):
    return np.array([als[user] - pop[user] for user in pop if user in als])


ALS = {"ann": 3, "bob": 1, "cid": 2, "dan": 0, "eve": 9}
POP = {"ann": 1, "bob": 1, "cid": 3, "dan": 1, "fay": 9}


def by_chance():
    """Draw values of two models, some of them equal, of few and many users."""
    chance = np.random.default_rng(11)
    for users in (2, 9, 60):
        als, pop = (by_number(chance.integers(0, most, users) / 4) for most in (9, 12))
        yield f"{users} users", (als, pop)


SIXTHS = by_number([0.1, 0.7, 1 / 3, 2e6])
# Draw values of two models, which are compared in one call for each test.
CASES = {
    "four users": (ALS, POP),
    **dict(by_chance()),
    "one user": ({0: 1}, {0: 0}),
    "alike": (SIXTHS, {user: v * (1 + 1e-16) for user, v in SIXTHS.items()}),
    "nearly alike": (by_number([0.1 + 0.2, 0.5, 0.7]), by_number([0.3, 0.5, 0.7])),
    "small beside large": (by_number([1e6 + 1e-3, 1e6 + 2e-3, 1e6 + 4e-3]), by_number([1e6] * 3)),
    "beside 0": (by_number([1, 2]), by_number([0, 0])),
    **{
        f"off by {off}": (by_number([1 + n for n in off]), by_number([1] * len(off)))
        for off in ((1, 2, 3, 4, 5), (1, 1, 2, 2, 2), (1, 1, -1))
    },
}


@cache
def of_test(test):
    return dict(zip(CASES, compared_each(*CASES.values(), test=test), strict=True))


def of_case(case, test):
    return of_test(test)[case]


class TestComparisons:
    def test_the_comparison_of_four_users_by_hand(self):
        # Differences 2, 0, -1 and -1, whose ranks by size are 3, none, 1.5 and 1.5.
        row = of_case("four users", "auto")
        assert (row["users"], row["value"], row["baseline_value"]) == (4, 1.5, 1.5)
        assert (row["difference"], row["relative_difference"]) == (0, 0)
        assert (row["wins"], row["ties"], row["losses"]) == (1, 1, 2)
        # Two of the eight sums of signs of 2, 1 and 1 are also 0; half of them count.
        assert (row["test"], row["p"]) == ("permutation", 7 / 8)
        assert of_case("four users", "t")["p"] == approx(1)
        assert of_case("four users", "wilcoxon")["p"] == approx(1)

    @mark.parametrize("users", [2, 9, 60])
    def test_p_values_equal_scipys(self, users):
        case = f"{users} users"
        als, pop = CASES[case]
        off = differing(als, pop)
        changed = off[off != 0]
        method = stats.PermutationMethod() if len(off) < 50 else "asymptotic"
        expected = {
            "t": stats.ttest_rel([*als.values()], [*pop.values()]).pvalue,
            "wilcoxon": stats.wilcoxon(changed, method=method, correction=False).pvalue,
            "sign": stats.binomtest(int((off > 0).sum()), len(changed)).pvalue,
        }
        for test, p in expected.items():
            row = of_case(case, test)
            assert row["p"] == approx(p, rel=1e-9), test
            assert row["p_adjusted"] == row["p"]
        low, high = stats.ttest_1samp(off, 0).confidence_interval()
        assert limits(of_case(case, "auto")) == approx((low, high))

    def test_hits_have_mcnemars_mid_p(self):
        counts = (1, 7), (7, 1), (0, 5), (4, 4), (12, 21), (30, 2), (1, 0)
        pairs = [
            (
                by_number([1.0] * more + [0.0] * less + [1, 0, 0]),
                by_number([0.0] * more + [1.0] * less + [1, 0, 0]),
            )
            for more, less in counts
        ]
        expected = []
        for more, less in counts:
            of_as_many = stats.binom.pmf(more, more + less, 0.5)
            exact = mcnemar([[1, more], [less, 2]], exact=True).pvalue
            expected.append(exact - (of_as_many / 2 if more == less else of_as_many))
        for test in ("mcnemar", "auto"):
            rows = compared_each(*pairs, test=test)
            assert {row["test"] for row in rows} == {"mcnemar"}
            assert [row["p"] for row in rows] == approx(expected, abs=1e-12)

    def test_few_users_have_exact_sign_flips(self, chance):
        cases = [
            (n, users, same) for n, users in ((2, 9), (4, 11), (10**9, 12)) for same in (0, 1, 5)
        ]
        pairs, expected, up = [], [], []
        for levels, users, same in cases:
            off = chance.choice([-1, 1], users) * chance.integers(1, levels + 1, users) / levels
            als = by_number([*(off + 1), *[0.5] * same])
            pairs.append((als, by_number([1.0] * users + [0.5] * same)))
            every = [abs(off) @ signs for signs in itertools.product((-1, 1), repeat=users)]
            as_large = np.mean(np.abs(every) >= abs(off.sum()) - 1e-9)
            if levels < 10:
                # Over all signs, SciPy's test is exact.
                exact = stats.permutation_test(
                    (off,), np.mean, permutation_type="samples", n_resamples=np.inf
                ).pvalue
                assert exact == approx(as_large)
            just = np.mean(np.isclose(np.abs(every), abs(off.sum()), atol=1e-9))
            expected.append(as_large - just / 2 if same else as_large)
            up.append(off.sum() > 0)
        auto, greater, less = (
            compared_each(*pairs, **options)
            for options in ({}, {"alternative": "greater"}, {"alternative": "less"})
        )
        assert len({*up}) == 2
        for rank, (levels, *_) in enumerate(cases):
            p = auto[rank]["p"]
            # Sizes are rounded for the largest number of them: nearly all different sums stay
            # different.
            near = {"rel": 1e-9} if levels < 10 else {"abs": 0.01}
            assert p == approx(expected[rank], **near)
            sides = (greater, less) if up[rank] else (less, greater)
            assert [side[rank]["p"] for side in sides] == approx([p / 2, 1 - p / 2])
        assert {row["test"] for rows in (auto, greater) for row in rows} == {"permutation"}

    @mark.slow
    def test_sign_flips_of_many_users_are_normal(self, chance):
        als, pop = (chance.gamma(2, size=200) for _ in "ab")
        off = als - pop
        z = off.sum() / np.sqrt((off**2).sum())
        row = compared(by_number(als), by_number(pop), test="permutation")
        assert row["p"] == approx(2 * stats.norm.sf(abs(z)), rel=1e-9)
        few = compared(by_number(als[:99]), by_number(pop[:99]))
        signs = chance.choice([-1, 1], (100_000, 99)) @ off[:99]
        assert few["p"] == approx(np.mean(abs(signs) >= abs(off[:99].sum())), abs=0.006)

    @mark.slow
    def test_the_default_test_depends_on_users_and_values(self, chance):
        als, pop = (chance.integers(0, 2, 100).astype(float) for _ in "ab")
        almost = als.copy()
        almost[0] = 0.999
        counts = als + (np.arange(100) < 9)
        for values, users, test in (
            (als, 99, "mcnemar"),
            (als, 100, "t"),
            (almost, 50, "permutation"),
            (counts, 99, "permutation"),
            (counts, 100, "t"),
            (pop * 0 + 1, 50, "mcnemar"),
            (1 - pop, 99, "sign"),
        ):
            row = compared(by_number(values[:users]), by_number(pop[:users]))
            assert row["test"] == test
        hits = by_number(als[:50]), by_number(pop[:50])
        assert compared(*hits, correction="tukey")["test"] == "t"
        assert compared(*hits, alternative="greater")["test"] == "mcnemar"
        assert compared(*hits, alternative="greater", test="t")["test"] == "t"
        assert compared(*hits, test="sign")["test"] == "sign"
        assert compared(hits[0], hits[0])["test"] is None
        inputs = valued({"als": hits[0], "pop": hits[1]}, home=lambda user: user // 2)
        results = sqlrec.compare("cg@1", **inputs, baseline="pop", cluster="home")
        assert rows_of(results)[0]["test"] == "t"

    def test_sign_flips_equal_plain_python(self):
        als, pop = {"ann": 1, "Ζωή": 3, "a'b": 2}, {"ann": 0, "Ζωή": 1, "a'b": 4}
        off = {user: als[user] - pop[user] for user in als}
        sums = [
            sum(
                v if hashlib.md5(f"{user}~{block}".encode()).hexdigest()[rank] < "8" else -v
                for user, v in off.items()
            )
            for block in range(1, 5)
            for rank in range(32)
        ][:100]
        as_large = sum(abs(results) >= 1 for results in sums)
        assert compared(als, pop, test="randomization", replicates=100)["p"] == (1 + as_large) / 101

    def test_are_corrected_for_all_models_metrics_and_segments(self, chance):
        models = {
            name: by_number(chance.gamma(2 + more, size=80))
            for name, more in {"als": 0.4, "knn": 0.6, "pop": 0}.items()
        }
        inputs = valued(models, land=lambda user: "xy"[user % 2])
        requests = {"metrics": ["cg@1", "cg@all"], **inputs, "by": "land", "baseline": "pop"}
        results = rows_of(sqlrec.compare(**requests))
        assert len(results) == 8
        for metric in ("cg@1", "cg@all"):
            # The first metric decides; the second belongs to another family.
            family = [row for row in results if row["request"] == metric]
            expected = approx(multipletests([row["p"] for row in family], method="holm")[1])
            assert [row["p_adjusted"] for row in family] == expected
        p = [row["p"] for row in results]
        assert max(row["p_adjusted"] - row["p"] for row in results) > 0.01
        for ours, theirs in (("holm", "holm"), ("bh", "fdr_bh"), ("bonferroni", "bonferroni")):
            expected = multipletests(p, method=theirs)[1]
            assert correct_p_values(ours, [*p, None]) == [*map(approx, expected), None]
        assert correct_p_values("none", p) == p

    def test_a_model_without_common_users_is_named(self):
        recs = {"als": lists({"ann": "a"}), "knn": lists({"bob": "a"}), "pop": lists({"ann": "b"})}
        inputs = {"recs": recs, "truth": wanted({"ann": "a", "bob": "a"})}
        models = pa.array([name for name, table_ in recs.items() for _ in range(len(table_))])
        column = pa.concat_tables(recs.values()).append_column("model", models)
        options = {"baseline": "pop", "population": "truth_and_recs"}
        inputs |= {"users": pa.table({"user_id": ["ann", "bob"], "land": ["x", None]})}
        message = r"recs\['knn'\]: no user has values of both this model and 'pop'"
        for by, arguments in (([], recs), ("land", column)):
            with raises(sqlrec.InputError, match=message):
                sqlrec.compare("mrr@1", **inputs | {"recs": arguments}, **options, by=by)

    def test_all_pairs_use_users_as_blocks(self, chance):
        had = chance.gamma(2, size=(15, 3)) + chance.gamma(4, size=(15, 1))
        models = {name: by_number(had[:, n]) for n, name in enumerate(("als", "knn", "pop"))}
        models["als"][99] = 50.0  # Who has no value of the others is not among them.
        results = sqlrec.compare("cg@1", **valued(models), baseline="pop", correction="tukey")
        left = had - had.mean(axis=0) - had.mean(axis=1, keepdims=True) + had.mean()
        error = math.sqrt((left**2).sum() / (14 * 2) / 15)
        means = had.mean(axis=0)
        expected = [
            stats.studentized_range.sf(abs(mean - means[2]) / error, 3, 28) for mean in means[:2]
        ]
        assert [row["p_adjusted"] for row in rows_of(results)] == approx(expected, rel=1e-6)

    def test_the_detectable_difference_equals_statsmodels(self, chance):
        als, pop = by_number(chance.gamma(2, size=1000)), by_number(chance.gamma(2, size=1000))
        sizes = TTestPower().solve_power(nobs=1000, alpha=0.05, power=0.8)
        row = compared(als, pop)
        assert row["detectable"] == approx(sizes * differing(als, pop).std(ddof=1), rel=5e-3)
        assert compared(als, pop, level=0.99)["detectable"] > row["detectable"]

    @mark.parametrize(
        ("test", "p"),
        [
            *(("t", None), ("normal", None), ("permutation", None)),
            *(("wilcoxon", 1), ("sign", 1), ("randomization", 1)),
        ],
    )
    def test_one_user_and_nearly_equal_values_have_no_p(self, test, p):
        one, same, near = (of_case(case, test) for case in ("one user", "alike", "nearly alike"))
        assert (one["users"], one["difference"], one["p"]) == (1, 1, p)
        assert [*limits(one), one["detectable"]] == [None] * 3
        assert (same["ties"], same["p"], same["difference"]) == (4, None, 0)
        assert (near["ties"], near["p"]) == (3, None)

    @mark.slow
    def test_equal_differences_have_an_exact_p_and_no_interval(self):
        # 27 users on one side: as likely as 27 equal tosses of a coin.
        for size in (1, 1e6):
            als, pop = by_number([1.1, 2.2, 3.3] * 9), by_number([1, 2.1, 3.2] * 9)
            als, pop = ({user: v * size for user, v in had.items()} for had in (als, pop))
            for interval in ("t", "normal", "bootstrap"):
                row = compared(als, pop, interval=interval)
                assert row["difference"] == approx(0.1 * size)
                assert (row["p"], row["standard_error"]) == (2 / 2**27, 0)
                assert (*limits(row), row["detectable"]) == (None, None, None)
        assert compared(als, pop, test="randomization")["p"] == approx(1 / 1001)

    def test_small_differences_of_large_values_are_exact(self):
        assert of_case("small beside large", "t")["p"] == approx(
            stats.ttest_1samp([1, 2, 4], 0).pvalue, rel=1e-5
        )

    def test_equal_clusters_have_an_exact_p_and_no_interval(self):
        als, pop = by_number([1.1, 2.1] * 6), by_number([1.0] * 12)
        inputs = valued({"als": als, "pop": pop}, home=lambda user: user // 2)
        (row,) = rows_of(sqlrec.compare("cg@1", **inputs, baseline="pop", cluster="home"))
        assert (row["clusters"], row["standard_error"], *limits(row)) == (6, 0, None, None)
        assert row["p"] == 2 / 2**6

    def test_by_signed_ranks_are_exact_for_few_users(self):
        for off, p in {(1, 2, 3, 4, 5): 2 / 32, (1, 1, 2, 2, 2): 2 / 32, (1, 1, -1): 1}.items():
            assert of_case(f"off by {off}", "wilcoxon")["p"] == p

    def test_of_all_pairs_are_of_users_with_a_value_of_every_model(self, chance):
        had = chance.gamma(2, size=(40, 3))
        models = {name: by_number(had[:, n]) for n, name in enumerate(("als", "knn", "pop"))}
        for user in range(10, 40):
            del models[("als", "knn", "pop")[user % 3]][user]
        results = sqlrec.compare("cg@1", **valued(models), baseline="pop", correction="tukey")
        alone = {name: by_number(had[:10, n]) for n, name in enumerate(models)}
        expected = sqlrec.compare("cg@1", **valued(alone), baseline="pop", correction="tukey")
        for row, whole in zip(rows_of(results), rows_of(expected), strict=True):
            assert row["users"] == 10
            assert row == approx(whole, rel=1e-9)

    @mark.parametrize("options", [{}, {"cluster": "home"}])
    def test_of_all_pairs_are_null_where_nobody_has_a_value_of_every_model(self, options):
        models = {"als": {1: 1, 2: 3, 5: 1}, "knn": {2: 4, 3: 1}, "pop": {1: 2, 3: 2, 5: 7}}
        inputs = valued(models, home=lambda user: user)
        results = sqlrec.compare("cg@1", **inputs, baseline="pop", correction="tukey", **options)
        for row in rows_of(results):
            assert row["users"] == 0
            nothing = ("difference", "low", "high", "p", "p_adjusted", "detectable")
            assert [row[name] for name in nothing] == [None] * 6
        assert len(results) == 2 and len(results.worse()) == 0

    @mark.slow
    def test_sign_flips_suffice_for_the_correction(self, chance):
        off = chance.gamma(9, size=60 * 12)
        models = {"als": by_number(off + 5), "pop": by_number(np.zeros(60 * 12))}
        inputs = valued(models, part=lambda user: user // 12)
        options = {"test": "randomization", "by": "part", "baseline": "pop"}
        results = rows_of(sqlrec.compare("cg@1", **inputs, **options))
        assert len(results) == 60 > 1000 * 0.05
        assert min(row["p_adjusted"] for row in results) < 0.05
        message = "replicates=10000, p is at least 0.0001, and 0.006 after correction='holm'"
        with warns(UserWarning, match=message + ".*; give replicates=12000, or test='t'"):
            sqlrec.compare("cg@1", **inputs, **options, level=0.995)
        # The advice would not be rejected.
        with warns(UserWarning, match="so no p can be significant; give test='t'"):
            sqlrec.compare("cg@1", **inputs, **options, level=0.9999)

    def test_the_number_of_flips_follows_the_correction(self):
        # With 19,999 sign flips the smallest is 1000 / 20,000.
        assert flips_needed("holm", 1000, 0.95) == 20_000

    def test_a_baseline_of_0_has_no_relative_difference(self):
        row = of_case("beside 0", "auto")
        assert (row["difference"], row["relative_difference"]) == (1.5, None)

    def test_have_the_sign_of_the_difference_also_beside_a_baseline_below_0(self):
        ranks = {"pop": ["cba", "cba", "bca", "cba"], "als": ["cab", "cba", "abc", "cba"]}
        recs = {
            name: scored({f"u{n}": dict(zip(each, (3.0, 2, 1), strict=True)) for n, each in of})
            for name, of in ((name, enumerate(orders)) for name, orders in ranks.items())
        }
        truth = wanted({f"u{n}": {"a": 3.0, "b": 2.0, "c": 1.0} for n in range(4)})
        (row,) = rows_of(sqlrec.compare("kendall@3", recs=recs, truth=truth, baseline="pop"))
        assert row["baseline_value"] < 0 < row["difference"]
        assert row["relative_difference"] == row["difference"] / -row["baseline_value"]
        assert row["relative_low"] < row["relative_difference"] < row["relative_high"]

    def test_rows_are_in_the_order_of_requests_with_plain_types(self):
        models = {name: by_number([1, 2, n]) for n, name in enumerate(("b", "pop", "a"))}
        inputs = valued(models, age=lambda user: None if user == 2 else user)
        recs = {name: inputs["recs"].filter(pa.compute.field("model") == name) for name in models}
        recs = {name: had.drop_columns("model") for name, had in recs.items()}
        result = sqlrec.compare("cg@all", **inputs | {"recs": recs}, by="age", baseline="pop")
        results = rows_of(result)
        assert [(row["model"], row["age"]) for row in results] == [
            (model, age) for model in ("b", "a") for age in (0, 1, None)
        ]
        types = {field.name: str(field.type) for field in result.to_arrow().schema}
        assert types["k"] == types["age"] == types["users"] == types["wins"] == "int64"
        assert types["p"] == types["low"] == "double"
        assert (
            results[0]["k"] is None
            and [row["difference"] for row in results[::2]] == [0, -1, 0][:3]
        )

    @mark.parametrize(
        ("options", "message"),
        [
            ({"baseline": "knn"}, "baseline='knn' is not a model in recs: choose from als, pop"),
            ({"baseline": ""}, "baseline='': name the model to compare with"),
            ({"interval": "wilson"}, "interval='wilson': choose from anytime, auto, bca"),
            ({"test": "welch"}, "test='welch': choose from "),
            ({"correction": "sidak"}, "correction='sidak': choose from "),
            ({"level": 0}, "level=0: it must be above 0 and below 1"),
            ({"replicates": 500}, "replicates=500 and interval='t': give interval='bootstrap'$"),
            ({"replicates": True}, "replicates=True: it must be a whole number from 100 to 100000"),
            ({"by": "wins"}, "by='wins': the result already has a column 'wins'; rename the"),
            ({"by": "P"}, "by='P': the result already has a column 'P'; rename the column"),
        ],
    )
    def test_unknown_values_are_refused(self, options, message):
        inputs = valued({"als": {"ann": 1}, "pop": {"ann": 1}}, wins=lambda _: 1, P=lambda _: 1)
        with raises(sqlrec.InputError, match=message):
            sqlrec.compare("cg@1", **inputs, **{"baseline": "pop"} | options)

    def test_need_a_baseline_that_is_there_and_shares_users(self):
        one = lists({"ann": "a"})
        truth = wanted({"ann": "a", "bob": "a"})
        both = valued({"als": {"ann": 1}, "pop": {"ann": 1}})
        for requests in ("cg@1", "gini@1"):
            with raises(sqlrec.InputError, match="baseline='po' is not a model in recs: did you"):
                sqlrec.compare(requests, **both, baseline="po")
        for recs in ({"pop": one}, one, one.append_column("model", pa.array(["pop"]))):
            with raises(sqlrec.InputError, match="recs has one model, but a comparison needs two"):
                sqlrec.compare("mrr@1", recs=recs, truth=truth, baseline="pop")

    def test_invalid_rows_are_errors(self):
        recs = {"als": scored({"ann": {"a": NAN}}), "pop": scored({"ann": {"a": 1}})}
        with raises(sqlrec.DataError, match="item a of user ann has no score"):
            sqlrec.compare("mrr@1", recs=recs, truth=wanted({"ann": "a"}), baseline="pop")

    def test_clusters_have_the_cr2_error_and_degrees_of_freedom(self, chance):
        sizes = [1, 2, 3, 5, 8, 13, 21], [4] * 5, [1] * 9, [30, 1, 2]
        homes = [np.repeat(np.arange(len(each)), each) for each in sizes]
        users = [(n, user) for n, each in enumerate(homes) for user in range(len(each))]
        als, pop = (dict(zip(users, chance.gamma(2, size=len(users)), strict=True)) for _ in "ab")

        def home(user):
            case, number = map(int, user.split(":"))
            return f"h{homes[case][number]}"

        inputs = parted({"als": als, "pop": pop}, home=home)
        options = {"cluster": "home", "correction": "none"}
        compared = rows_of(sqlrec.compare("cg@1", **inputs, baseline="pop", **options))
        results = rows_of(sqlrec.evaluate("cg@1", **inputs, interval="t", cluster="home"))
        evaluated = [row for row in results if row["model"] == "als"]
        for case, (row, alone) in enumerate(zip(compared, evaluated, strict=True)):
            had, base = (
                np.array([v for (n, _), v in of.items() if n == case]) for of in (als, pop)
            )
            off = had - base
            error, freedom = cr2(off, homes[case])
            reach = stats.t.ppf(0.975, freedom) * error
            assert limits(row) == approx((off.mean() - reach, off.mean() + reach), rel=1e-9)
            assert row["p"] == approx(2 * stats.t.sf(abs(off.mean()) / error, freedom), rel=1e-9)
            assert (row["users"], row["clusters"]) == (len(off), len(sizes[case]))
            error, freedom = cr2(had, homes[case])
            mean = alone["standard_error"], alone["degrees_of_freedom"]
            assert mean == approx((error, freedom), rel=1e-9)
            reach = stats.t.ppf(0.975, freedom) * error
            assert limits(alone) == approx((had.mean() - reach, had.mean() + reach), rel=1e-9)


def cr2(values, groups):
    """Return the error and the degrees of freedom of a mean, by a regression on an intercept.

    By Pustejovsky & Tipton 2018, for equal and independent errors.
    """
    design = np.ones((len(values), 1))
    bread = np.linalg.inv(design.T @ design)
    residual = np.eye(len(values)) - design @ bread @ design.T
    left, variance, vectors = residual @ values, 0.0, []
    for group in np.unique(groups):
        of = groups == group
        spread, axes = np.linalg.eigh(residual[np.ix_(of, of)])
        adjusted = axes @ np.diag(spread**-0.5) @ axes.T
        weights = (adjusted @ design[of] @ bread)[:, 0]
        variance += (weights @ left[of]) ** 2
        vectors.append(residual[:, of] @ weights)
    products = np.array(vectors) @ np.array(vectors).T
    return math.sqrt(variance), np.trace(products) ** 2 / (products**2).sum()
