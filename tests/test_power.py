"""Power and sample sizes of tests, compared with statsmodels."""

import math

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from pytest import approx, mark, raises

import sqlrec
from sqlrec.errors import InputError
from sqlrec.statistics.distributions import t_above

from .packages import NormalIndPower, TTestPower, stats
from .tables import rows_of, scored, wanted

# Each user has one item with a score, whose squared error is the wanted value.
USERS = 60
LANDS = {f"u{n}": "xy"[n % 2] for n in range(USERS)}


def inputs():
    chance = np.random.default_rng(4)
    had = {name: chance.gamma(shape, size=USERS) for name, shape in (("als", 2), ("pop", 2.4))}
    recs = {
        name: scored({user: {"a": math.sqrt(one)} for user, one in zip(LANDS, values, strict=True)})
        for name, values in had.items()
    }
    users = pa.table({"user_id": [*LANDS], "land": [*LANDS.values()]})
    truth = wanted({user: {"a": 0} for user in LANDS})
    return had, {"recs": recs, "truth": truth, "users": users, "population": "judged"}


METRIC = "mse(average=users)"


def test_pairs_have_the_power_of_statsmodels():
    had, arguments = inputs()
    actual = sqlrec.power(METRIC, **arguments, by="land", baseline="pop", difference=0.3, power=0.9)
    assert [row["land"] for row in rows_of(actual)] == ["x", "y"]
    for rank, row in enumerate(rows_of(actual)):
        deviation = (had["als"] - had["pop"])[rank::2].std(ddof=1)
        messages = TTestPower()
        assert (row["design"], row["users"]) == ("pairs", 30)
        assert row["standard_deviation"] == approx(deviation, rel=1e-9)
        assert row["power"] == approx(messages.power(0.3 / deviation, 30, 0.05), rel=1e-9)
        assert messages.power(row["detectable"] / deviation, 30, 0.05) == approx(0.9, rel=1e-9)
        assert messages.power(0.3 / deviation, row["users_needed"], 0.05) >= 0.9
        assert messages.power(0.3 / deviation, row["users_needed"] - 1, 0.05) < 0.9
    note = "p < 0.05, two-sided, not corrected for multiple tests."
    assert note in " ".join(str(actual).split())
    one = sqlrec.power(METRIC, **arguments, baseline="pop")
    assert "p < 0.05, two-sided." in str(one)


def test_two_groups_have_the_power_of_statsmodels(tmp_path):
    had, arguments = inputs()
    result = sqlrec.evaluate(METRIC, **arguments, interval="t")
    result.to_parquet(tmp_path / "result.parquet")
    how = {"difference": {METRIC: "10%"}, "sample_size": 500, "level": 0.9, "sides": 1}
    actual = sqlrec.power(results=tmp_path / "result.parquet", **how)
    assert rows_of(actual) == rows_of(sqlrec.power(results=result, **how))
    for row in rows_of(actual):
        values = had[row["model"]]
        effect = 0.1 * values.mean() / values.std(ddof=1)
        options = {"alpha": 0.1, "alternative": "larger"}
        messages = NormalIndPower()
        assert row["power"] == approx(messages.power(effect, 500, **options), rel=1e-9)
        needed = messages.solve_power(effect, power=0.8, **options)
        assert row["users_needed"] == math.ceil(needed)
        effect = row["detectable"] / values.std(ddof=1)
        assert messages.power(effect, 500, **options) == approx(0.8, rel=1e-9)


def test_two_groups_have_the_power_of_tea_tasting():
    # tea-tasting 1.14.0: Mean("v", use_t=False, equal_var=True), whose n_obs is of both groups.
    had = [1, 3, 2, 5, 4, 7, 3, 6, 2, 4]
    columns = {"model": ["als"], "metric": ["mse"], "k": pa.array([None], pa.int64())}
    numbers = {"value": [3.7], "users": [10], "standard_error": [stats.sem(had)]}
    arguments = pa.table(columns | numbers)
    (row,) = rows_of(sqlrec.power(results=arguments, difference=0.5, sample_size=500))
    assert row["power"] == approx(0.9869971894673321, rel=1e-9)
    assert row["detectable"] == approx(0.3346297604812389, rel=1e-9)
    assert row["users_needed"] == 448 / 2


def test_clusters_are_counted_in_users():
    _, arguments = inputs()
    homes = pa.table({"user_id": [*LANDS], "home": [f"h{n // 3}" for n in range(USERS)]})
    arguments |= {"users": homes, "baseline": "pop", "cluster": "home"}
    (row,) = rows_of(sqlrec.power(METRIC, **arguments, difference=0.5))
    (actual,) = rows_of(sqlrec.compare(METRIC, **arguments))
    of_homes = actual["standard_error"] * math.sqrt(20)
    assert row["power"] == approx(TTestPower().power(0.5 / of_homes, 20, 0.05), rel=1e-9)
    homes_needed = TTestPower().solve_power(0.5 / of_homes, alpha=0.05, power=0.8)
    assert row["users_needed"] == math.ceil(3 * homes_needed)


@mark.parametrize("freedom", [1, 2, 7, 100, 1e6])
def test_the_noncentral_t_is_that_of_scipy(freedom):
    for shift in (-2, 0.5, 3, 8):
        expected = stats.nct.sf(2.3, freedom, shift)
        assert t_above(2.3, freedom, shift) == approx(expected, rel=1e-9)


def test_equal_users_have_no_power():
    recs = {name: scored({"ann": {"a": 1}, "bob": {"a": 1}}) for name in ("als", "pop")}
    truth = wanted({"ann": "a", "bob": "a"})
    actual = sqlrec.power(
        results=sqlrec.compare("mrr@1", recs=recs, truth=truth, baseline="pop"), difference=0.1
    )
    (row,) = rows_of(actual)
    assert (row["detectable"], row["power"], row["users_needed"]) == (None, None, None)
    assert "-" in str(actual)


@mark.parametrize(
    "options, message",
    [
        ({"difference": 0}, "difference of mse.* is 0: give a number above 0"),
        ({"difference": math.nan}, "give a number"),
        ({"difference": {"mrr@1": 0.1}}, "difference of mrr@1, which is not computed"),
        ({"power": 1}, "power=1: it must be above 0 and below 1, such as 0.95$"),
        ({"power": 80}, "power=80: it must be above 0 and below 1; for 80%, write 0.8$"),
        ({"sides": 3}, "sides=3: it must be 2, or 1"),
        ({"sample_size": 1}, "sample_size=1: it must be a whole number of at least 2"),
        ({"metrics": "mrr@1"}, "results is given: omit metrics"),
        ({"results": pa.table({"model": ["a"]})}, "results has no column 'metric'"),
    ],
)
def test_invalid_options_are_refused(options, message):
    columns = {"model": ["als"], "metric": ["mse"], "k": pa.array([None], pa.int64())}
    numbers = {"value": [1.0], "users": [9], "standard_error": [0.1]}
    with raises(InputError, match=message):
        sqlrec.power(**{"results": pa.table(columns | numbers), **options})
