"""Every metric with every statistic of its kind."""

import re
import warnings
from pathlib import Path

import pyarrow as pa
from pytest import approx, fixture, mark

import sqlrec
from sqlrec.catalogue.requests import parse_metrics

from .tables import asked, of_several, random_inputs, rows, table

SQL = Path(__file__).parents[1] / "sql"
EVERYTHING = asked(3)
PARTS = range(3)
SUMMARIES = "median lower_p25 standard_deviation min max zero_share"


@fixture(scope="module")
def inputs():
    homes = [(f"u{n}", f"h{n % 17}") for n in range(85)]
    users = table(homes, user_id=pa.string(), home=pa.string())
    return random_inputs(3, users=80, items=8) | {"users": users}


@fixture(scope="module", params=PARTS)
def metrics(request):
    """Return one part of all metrics with every parameter."""
    return EVERYTHING[request.param :: len(PARTS)]


@fixture(scope="module")
def result(inputs, metrics):
    with warnings.catch_warnings():
        # Most of these users have a list, and most lists a relevant item.
        few = r"interval='t': (user_coverage|hit_rate\(unjudged=hit\))@3 .* with values of 0 and 1"
        warnings.filterwarnings("ignore", few)
        return sqlrec.evaluate(metrics, **inputs, interval="t", summaries=SUMMARIES)


def test_means_depend_on_parameters(inputs):
    users = "f_beta@3 r_precision novelty@3 rmse(average=users) fcp(average=users)".split()
    pooled = ["rmse", "f_beta(of=means)@3"]
    results = sqlrec.evaluate([*users, *pooled], **inputs).means()
    assert {*results} == {one.removesuffix("@3") for one in users}


def test_statistics_and_rows_call_their_named_queries_differently():
    def names(files):
        results = (re.findall(r"^([a-z_]+) as .*\($", file.read_text(), re.M) for file in files)
        return {name for those in results for name in those}

    kinds = {file.stem for file in SQL.glob("rows/*.sql")}
    made = {
        f"{kind}_{what}" for kind in kinds for what in ("values", "means", "report", "requests")
    }
    # Plain statements have separate comparisons.
    others = {*SQL.glob("*.sql")} - {SQL / "plain.sql"}
    rows = (*SQL.glob("rows/*.sql"), *SQL.glob("rules/*.sql"), *SQL.glob("engines/*.sql"), *others)
    inside = names(rows) | kinds | made
    own = names(SQL.glob("statistics/*.sql"))
    assert len(own) > 15 < len(inside)
    assert not own & inside


@mark.slow
def test_a_mean_is_that_of_the_values_of_users_and_has_their_summaries(result):
    had = {}
    for metric, k, value in rows(result.per_user(), "metric", "k", "value"):
        if value is not None:
            had.setdefault((metric, k), []).append(value)
    means = [row for row in result.to_arrow().to_pylist() if row["metric"] in result.means()]
    assert len(means) > 100 // len(PARTS)
    for row in means:
        users = had[row["metric"], row["k"]]
        assert row["users"] == len(users), row["metric"]
        assert row["value"] == approx(sum(users) / len(users)), row["metric"]
        assert (row["min"], row["max"]) == approx((min(users), max(users))), row["metric"]
        if len(users) > 1:
            # Users with equal values give no variance.
            alike = max(users) - min(users) < 1e-12
            assert (row["low"] is None) == alike, row["metric"]
            assert alike or row["low"] <= row["value"] <= row["high"], row["metric"]
            assert None not in [row[name] for name in SUMMARIES.split()], row["metric"]


@mark.slow
@mark.parametrize(
    "options",
    [
        {"interval": "normal", "cluster": "home"},
        {"interval": "bootstrap", "cluster": "home", "replicates": 100},
        {"interval": "bca", "replicates": 100},
    ],
    ids=lambda options: options["interval"],
)
def test_a_mean_has_an_interval_around_it(inputs, metrics, result, options):
    results = sqlrec.evaluate(metrics, **inputs, **options)
    means = result.means()
    without, expected = (
        {key for key, low in rows(each, "request", "low") if low is None}
        & {key for metric, key in rows(each, "metric", "request") if metric in means}
        for each in (results, result)
    )
    assert without == expected
    for row in results.to_arrow().to_pylist():
        if row["metric"] in result.means() and row["low"] is not None:
            assert row["low"] <= row["value"] <= row["high"], row["metric"]


@mark.slow
@mark.parametrize(
    "options",
    [
        {"test": "t", "cluster": "home"},
        {"test": "wilcoxon", "correction": "tukey"},
        {"test": "randomization", "interval": "bootstrap", "replicates": 100},
    ],
    ids=lambda options: options["test"],
)
def test_a_mean_is_compared(inputs, metrics, result, options):
    # Metrics that read the input `baseline` have one model; metrics that exclude incomplete lists
    # have few users or none.
    compared = {
        one: asked.label
        for one in of_several(metrics)
        for asked in parse_metrics(one)
        if asked.label in result.means()
        and not re.search("exclude|mean_rank|items=all", one)
        and all(need.table != "baseline" for need in asked.metric.needs)
    }
    arguments = {name: had for name, had in inputs.items() if name not in ("recs", "baseline")}
    models = {"als": inputs["recs"], "pop": inputs["baseline"]}
    results = sqlrec.compare([*compared], recs=models, **arguments, baseline="pop", **options)
    assert {metric for (metric,) in rows(results, "metric")} == {*compared.values()}
