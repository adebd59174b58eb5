"""Metrics of the whole catalog from lists of sampled candidates."""

import math
from fractions import Fraction
from random import Random
from warnings import catch_warnings, simplefilter

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx, mark, raises, warns

import sqlrec
from sqlrec.analyses.unsampled import (
    RankProbabilities,
    group_ranks,
    least_squares,
    metric_values,
    most_likely,
    most_likely_values,
)
from sqlrec.catalogue.headers import TABLES
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.engines.base import Unconnected
from sqlrec.errors import DataError, InputError

from .dialects import EVERY_DIALECT
from .examples import examples
from .packages import stats
from .tables import lists, prepare, scored, table, wanted
from .test_dialects import forbidden, loose_windows, not_in_doubles, unnamed_columns

ALL = "hit_rate@{k} recall@{k} precision@{k} reciprocal_rank@{k} average_precision@{k} ndcg@{k}"


def ranked(ranks):
    """Return lists of which only the row of the relevant item, t, exists."""
    rows = [(f"u{n}", "t", rank) for n, rank in enumerate(ranks)]
    return table(rows, user_id=pa.string(), item_id=pa.string(), rank=pa.int64())


def estimate(metrics, ranks, **given):
    truth = wanted({f"u{n}": "t" for n in range(len(ranks))})
    return sqlrec.unsampled(metrics, recs=ranked(ranks), truth=truth, **given).to_arrow()


def values(metrics, ranks, **given):
    return estimate(metrics, ranks, **given)["value"].to_pylist()


def values_of_each(metrics, *several, **given):
    """Return values by metric for each of several models, which have their own users."""
    truth = wanted({f"u{n}": "t" for n in range(max(map(len, several)))})
    recs = {str(number): ranked(ranks) for number, ranks in enumerate(several)}
    given |= {"recs": recs, "truth": truth, "population": "truth_and_recs"}
    results = sqlrec.unsampled(metrics, **given).to_arrow().to_pylist()
    return [[row["value"] for row in results if row["model"] == name] for name in recs]


# Three items, one sampled: rank 1 has the sampled rank 1, rank 3 has 2, and rank 2 either.
SMALL = {"catalog_size": 3, "candidates": 2}


@mark.parametrize(
    "given, first, second",
    [
        # Solutions of [[1.275, 0.225], [0.225, 1.275]] f = [1, 0].
        ({"estimator": "bv"}, 1.275 / 1.575, -0.225 / 1.575),
        # With all variance: the probability of rank 1, instead of 2, at the sampled rank 1.
        ({"estimator": "bv", "gamma": 1}, 2 / 3, 0),
    ],
)
def test_values_of_ranks_by_hand(given, first, second):
    results = values_of_each("hit_rate@1", [1], [2], [1, 2, 1], **SMALL, **given)
    # The last is the mean over users.
    expected = first, second, (2 * first + second) / 3
    assert results == [[approx(value, abs=1e-9)] for value in expected]


def test_the_most_likely_ranks_by_hand():
    # If all sampled ranks are 1, rank 1 is most likely for all; equal shares fit equal ranks.
    assert values_of_each("hit_rate@1 mrr@3", [1, 1], [1, 2], **SMALL, estimator="mle") == [
        [approx(1, abs=1e-5), approx(1, abs=1e-5)],
        [approx(1 / 3), approx((1 + 1 / 2 + 1 / 3) / 3)],
    ]


def test_sampled_values_equal_evaluates():
    random = Random(3)
    items = [f"i{n}" for n in range(20)]
    recs = {
        model: scored(
            {f"u{user}": {item: random.random() for item in ["t", *items]} for user in range(40)}
        )
        for model in ("als", "pop")
    }
    truth = wanted({f"u{user}": "t" for user in range(40)})
    countries = [random.choice(["x", "y"]) for _ in range(40)]
    users = pa.table({"user_id": [f"u{n}" for n in range(40)], "country": countries})
    given = {"recs": recs, "truth": truth, "users": users, "by": "country"}
    metrics = f"{ALL.format(k=5)} mrr@1"
    result = sqlrec.unsampled(metrics, **given, catalog_size=1000, candidates=21)
    expected = sqlrec.evaluate(metrics, **given, interval=None).to_arrow()
    results = result.to_arrow()
    names = ["model", "country", "metric", "k", "request", "sampled", "value", "users"]
    names += ["standard_error", "low", "high", "estimator"]
    assert results.column_names == names
    assert results.num_rows == 28
    for name in ("model", "country", "metric", "k", "request", "users"):
        assert results[name] == expected[name]
    assert results["sampled"].to_pylist() == approx(expected["value"].to_pylist(), abs=1e-12)
    assert "sampled_ranks as (" in result.sql


def chances(catalog_size, candidates):
    """Return the probability of each sampled rank, a row for each rank, in fractions."""
    drawn, others = candidates - 1, catalog_size - 1
    for better in range(catalog_size):
        yield [
            Fraction(
                math.comb(better, above) * math.comb(others - better, drawn - above),
                math.comb(others, drawn),
            )
            for above in range(candidates)
        ]


WORTH = {
    "hit_rate": lambda rank, k: 1,
    "recall": lambda rank, k: 1,
    "precision": lambda rank, k: 1 / k,
    "reciprocal_rank": lambda rank, k: 1 / rank,
    "average_precision": lambda rank, k: 1 / rank,
    "ndcg": lambda rank, k: 1 / math.log2(rank + 1),
}


def worth_in_python(metric, rank, k):
    return Fraction(WORTH[metric](rank, k)) if rank <= k else Fraction(0)


def solved(matrix, column):
    """Solve equations by Gauss, in fractions."""
    rows = [[*row, value] for row, value in zip(matrix, column, strict=True)]
    for i, row in enumerate(rows):
        pivot = next(j for j in range(i, len(rows)) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = row = [value / rows[i][i] for value in rows[i]]
        for j, other in enumerate(rows):
            if j != i:
                rows[j] = [a - other[i] * b for a, b in zip(other, row, strict=True)]
    return [row[-1] for row in rows]


SIZES = st.integers(2, 6).flatmap(
    lambda candidates: st.tuples(
        st.integers(candidates + 1, 14),
        st.just(candidates),
        st.lists(st.integers(1, candidates), min_size=1, max_size=9),
    )
)


@examples(40)
@given(
    SIZES, st.sampled_from(sorted(WORTH)), st.integers(1, 14), st.sampled_from([0.01, 0.1, 0.5, 1])
)
def test_bias_and_variance_as_plain_python_weighs_them(sizes, metric, k, gamma):
    catalog_size, candidates, ranks = sizes
    rows = list(chances(catalog_size, candidates))
    # The minimum of sum (mean - value)^2 + gamma * variance, where all derivatives are 0.
    share = Fraction(gamma)
    matrix = [
        [
            sum((1 - share) * row[i] * row[j] + (share * row[i] if i == j else 0) for row in rows)
            for j in range(candidates)
        ]
        for i in range(candidates)
    ]
    column = [
        sum(row[i] * worth_in_python(metric, rank, k) for rank, row in enumerate(rows, start=1))
        for i in range(candidates)
    ]
    expected = solved(matrix, column)
    options = {"gamma": gamma, "estimator": "bv"}
    results = values(
        f"{metric}@{k}", ranks, catalog_size=catalog_size, candidates=candidates, **options
    )
    mean = sum(expected[rank - 1] for rank in ranks) / len(ranks)
    assert results == [approx(float(mean), abs=1e-9)]


@examples(25)
@given(SIZES, st.sampled_from(sorted(WORTH)), st.integers(1, 14))
def test_the_most_likely_ranks_as_plain_python_finds_them(sizes, metric, k):
    catalog_size, candidates, ranks = sizes
    rows = [[float(x) for x in row] for row in chances(catalog_size, candidates)]
    distribution, before = [1 / catalog_size] * catalog_size, -math.inf
    for _ in range(2000):
        expected = [
            sum(share * row[rank - 1] for share, row in zip(distribution, rows, strict=True))
            for rank in ranks
        ]
        likelihood = sum(map(math.log, expected)) / len(ranks)
        if likelihood - before < 1e-7:
            break
        before = likelihood
        # The probability of each rank for each user, and the mean over users.
        distribution = [
            share * sum(row[r - 1] / e for r, e in zip(ranks, expected, strict=True)) / len(ranks)
            for share, row in zip(distribution, rows, strict=True)
        ]
    mean = sum(
        share * float(worth_in_python(metric, rank, k))
        for rank, share in enumerate(distribution, start=1)
    )
    given = {"catalog_size": catalog_size, "candidates": candidates}
    results = values(f"{metric}@{k}", ranks, **given, estimator="mle")
    assert results == [approx(mean, abs=1e-4)]


@mark.parametrize("size", [2000, 100_000])
def test_chances_of_large_catalogues_are_those_of_scipy(size):
    from scipy.stats import hypergeom

    ranks = np.array([1, 2, 3, 100, size // 2, size - 1, size])
    above = np.arange(101)[None, :]
    results = RankProbabilities(size, 101).by_rank(ranks)
    better = ranks[:, None] - 1
    expected = hypergeom.pmf(above, size - 1, better, 100)
    assert results == approx(expected, abs=1e-9)
    assert results.sum(axis=1) == approx(np.ones(7))


RANKED = {"recs": lists({"ann": "abt"}), "truth": wanted({"ann": "t"})}


@mark.parametrize(
    "given, message",
    [
        ({"catalog_size": 3}, "are not sampled"),
        ({"catalog_size": 1.5}, "catalog_size=1.5: it must be a whole number from 2 to 100000000"),
        ({"catalog_size": 10**12}, "catalog_size=1000000000000: it must be a whole number from 2"),
        ({"candidates": 1}, "candidates=1: it must be a whole number from 2 to"),
        ({"candidates": True}, "candidates=True"),
        ({"estimator": "mles"}, "did you mean 'mle'"),
        ({"gamma": 0}, "gamma=0: it must be above 0"),
        ({"estimator": "mle", "catalog_size": 10**7, "candidates": 10**6}, "give estimator='bv'"),
        ({"convention": "replay"}, "convention='replay': sampled lists are not changed by rules"),
        ({"depth": 5}, "depth=5"),
        ({"population": "recs"}, "give 'truth' or 'truth_and_recs'"),
        ({"metrics": "mrr@all"}, "write reciprocal_rank@10"),
        ({"metrics": "rbp@3"}, "no estimate from sampled candidates"),
        ({"metrics": "ndcg(discount=late)@3"}, "without parameters"),
        ({"metrics": "ndcg(convention=replay)@3"}, "without parameters"),
        ({"by": "sampled", "columns": {"sampled": "item_id"}}, "by='sampled': the result already"),
    ],
)
def test_invalid_requests_are_refused(given, message):
    given = {"metrics": "hit_rate@1", "catalog_size": 10, "candidates": 3, **RANKED, **given}
    with raises(InputError, match=message.replace("(", r"\(")):
        sqlrec.unsampled(**given)


@mark.parametrize(
    "recs, truth, message",
    [
        (lists({"ann": "abct"}), wanted({"ann": "t"}), "above candidates=3"),
        (lists({"ann": "tabc"}), wanted({"ann": "t"}), "a list has 4 items"),
        (ranked([4]), wanted({"u0": "t"}), "has rank 4, above candidates=3"),
        (lists({"ann": "abc"}), wanted({"ann": "t"}), "lists of 1 users lack the relevant item"),
        (lists({"ann": "abt"}), wanted({"ann": "tb"}), "a user has 2 relevant items"),
        (lists({"ann": "abt"}), wanted({"ann": "tz"}), "a user has 2 relevant items"),
        (
            lists({"ann": "abt"}),
            wanted({"ann": "t", "bob": "t"}),
            "give population='truth_and_recs'",
        ),
        (scored({"ann": {"a": 2, "t": 1}}), wanted({"ann": "t"}), "fewer than candidates=3"),
        (lists({"ann": "att"}), wanted({"ann": "t"}), "has item t more than once"),
        (lists({"ann": "abt"}), wanted({"ann": {"t": 0}}), "no users to average over"),
    ],
)
def test_lists_without_sampled_candidates_are_refused(recs, truth, message):
    with raises(DataError, match=message):
        sqlrec.unsampled("hit_rate@1", recs=recs, truth=truth, catalog_size=10, candidates=3)


def test_users_without_list_can_be_left_out():
    (row,) = (
        sqlrec.unsampled(
            "hit_rate@3",
            recs=lists({"ann": "abt"}),
            truth=wanted({"ann": "t", "bob": "t"}),
            rules=sqlrec.Rules(population="truth_and_recs"),
            catalog_size=10,
            candidates=3,
        )
        .to_arrow()
        .to_pylist()
    )
    assert (row["users"], row["sampled"]) == (1, 1)


@mark.parametrize("dialect", EVERY_DIALECT)
def test_the_statement_keeps_the_rules_of_all_dialects(dialect):
    given = dict.fromkeys(TABLES) | {"recs": {"als": "als", "pop": "pop"}, "truth": "truth"}
    options = {"columns": {"relevance": "relevance"}, "engine": Unconnected(dialect)}
    job = prepare("mrr@all", arguments=given | {"users": "users"}, by=["country", "age"], **options)
    text = job.render("sampled_ranks")
    for check in (forbidden, not_in_doubles, loose_windows, unnamed_columns):
        assert list(check(text, dialect)) == []


def test_correlated_ranks_change_little():
    random = np.random.default_rng(5)
    size, candidates, users = 3000, 31, 2000
    ranks = 1 + np.floor(size * random.beta(0.4, 3, users)).astype(int)
    sampled = random.hypergeometric(ranks - 1, size - ranks, candidates - 1)
    counts = np.bincount(sampled, minlength=candidates)
    requests = parse_metrics("hit_rate@10 ndcg@50 mrr@500")
    known = RankProbabilities(size, candidates)
    results, errors = most_likely_values(known, requests, counts)
    every = most_likely(
        known, counts[None, :] / users, np.arange(1, size + 1), np.ones(size, dtype=int)
    )[0]
    assert results == approx(every @ metric_values(requests, np.arange(1, size + 1)), rel=0.02)
    assert len(group_ranks(size, candidates, 32)) < 700
    assert (errors > 0).all()


def test_estimates_have_errors_and_intervals():
    random = np.random.default_rng(8)
    sampled = random.integers(1, 12, 80)
    given = {"catalog_size": 300, "candidates": 20}
    (row,) = estimate("hit_rate@30", sampled.tolist(), **given, level=0.9).to_pylist()
    of_ranks = least_squares(RankProbabilities(300, 20), parse_metrics("hit_rate@30"), 0.1)
    had = of_ranks[sampled - 1, 0]
    assert row["estimator"] == "bv" and row["value"] == approx(had.mean())
    assert row["standard_error"] == approx(stats.sem(had), rel=1e-9)
    limits = stats.ttest_1samp(had, 0).confidence_interval(0.9)
    assert [row["low"], row["high"]] == approx([*limits], rel=1e-9)
    (row,) = estimate("hit_rate@3", sampled.tolist(), **given, level=0.9).to_pylist()
    reach = stats.t.ppf(0.95, 39) * row["standard_error"]
    assert row["estimator"] == "mle" and row["high"] - row["value"] == approx(reach)


def test_small_cutoffs_are_a_warning():
    given = {"catalog_size": 1000, "candidates": 100}
    with warns(UserWarning, match=r"hit_rate@9: at cutoffs below .* = 10, lists .*'bv' may rank"):
        estimate("hit_rate@9 hit_rate@10", [1, 2], **given, estimator="bv")
    with catch_warnings():
        simplefilter("error")
        results = estimate("hit_rate@9 hit_rate@10", [1, 2], **given)
    assert results["estimator"].to_pylist() == ["mle", "bv"]
