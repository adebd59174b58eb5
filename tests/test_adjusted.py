"""Means adjusted to all users: compared with statsmodels, and rejected inputs."""

import numpy as np
import pyarrow as pa
from pytest import approx, fixture, mark, raises

import sqlrec

from .dialects import slow
from .packages import ols
from .packages import pandas as pd

ALL, EVALUATED = 400, 150


@fixture(scope="module")
def known():
    """Return all users: categories, one with rare values, numbers, and a redundant column."""
    chance = np.random.default_rng(3)
    active = chance.gamma(2, 2, ALL)
    return pd.DataFrame(
        {
            "user_id": np.arange(ALL),
            "country": chance.choice(["de", "fr", "it"], ALL, p=[0.5, 0.3, 0.2]),
            "town": [f"t{n % 7 if n % 20 < 16 else n}" for n in range(ALL)],
            "active": active,
            "age": chance.integers(10, 70, ALL),
            "twice": 2 * active - 3,
            "half": np.where(np.arange(ALL) % 2, "a", "b"),
        }
    )


@fixture(scope="module")
def values(known):
    """Return the values of two models for a biased sample of users."""
    chance = np.random.default_rng(4)
    common = 5 + known["active"] / 3 + (known["country"] == "fr") + chance.normal(0, 0.5, ALL)
    picked = chance.choice(ALL, EVALUATED, replace=False, p=(known["age"] / known["age"].sum()))
    new = common + known["active"] / 10 + chance.normal(0, 0.3, ALL)
    return pd.DataFrame({"new": new, "old": common}).loc[np.sort(picked)]


def given(known, values):
    users = values.index.to_numpy()
    grades = {"user_id": np.tile(users, 2), "item_id": np.repeat([*values], len(users))}
    return {
        "recs": {
            model: pa.table(
                {"user_id": users, "item_id": [model] * len(users), "rank": [1] * len(users)}
            )
            for model in values
        },
        "truth": pa.table(grades | {"relevance": values.T.to_numpy().ravel()}),
        "users": pa.Table.from_pandas(known),
        "population": "judged",
    }


def expected(y, formula, known):
    """Return the prediction for all users, its error (HC2 and that of all users), and its df."""
    fit = ols(f"y ~ {formula}", known.loc[y.index].assign(y=y)).fit()
    everyone = ols(f"y ~ {formula}", known.assign(y=0.0)).fit().model.exog.mean(axis=0)
    sample = fit.model.exog
    weights = everyone @ np.linalg.pinv(sample.T @ sample) @ sample.T
    mean = everyone @ fit.params
    mix = (weights * (fit.fittedvalues - mean) ** 2).sum() / len(known)
    variance = everyone @ fit.get_robustcov_results("HC2").cov_params() @ everyone + mix
    return mean, np.sqrt(variance), fit.df_resid


@mark.parametrize(
    "adjust, formula",
    [
        ("country age active twice", "C(country) + age + active"),
        # Towns of fewer than ten users are merged.
        ("town", "C(town.where(town.str.len() < 3, 'rare'))"),
        *slow(
            ("country", "C(country)"),
            ("active age", "active + age"),
            (["half", "country", "age"], "C(half):C(country) + age"),
        ),
    ],
)
def test_adjusted_means_equal_those_of_statsmodels(known, values, adjust, formula):
    inputs = given(known, values)
    result = sqlrec.evaluate("cg@1", **inputs, adjust=adjust).to_arrow().to_pylist()
    for row, model in zip(result, values, strict=True):
        mean, error, freedom = expected(values[model], formula, known)
        assert (row["value"], row["standard_error"]) == approx((mean, error), rel=1e-9)
        assert row["degrees_of_freedom"] == freedom
        assert row["unadjusted_value"] == approx(values[model].mean())
        assert row["gain"] == approx(1 - EVALUATED * (error / values[model].std()) ** 2)
    compared = sqlrec.compare("cg@1", **inputs, adjust=adjust, baseline="old")
    (row,) = compared.to_arrow().to_pylist()
    mean, error, _ = expected(values["new"] - values["old"], formula, known)
    assert (row["difference"], row["standard_error"]) == approx((mean, error), rel=1e-9)
    assert row["value"] - row["baseline_value"] == approx(row["difference"])
    assert row["unadjusted_difference"] == approx((values["new"] - values["old"]).mean())
    assert "adjusted to all users" in " ".join(str(compared).split())


def test_adjusted_means_use_the_users_of_the_segment(known, values):
    options = {"adjust": "active", "by": "half", "each": True}
    rows = sqlrec.evaluate("cg@1", **given(known, values), **options).to_arrow().to_pylist()
    assert [row["half"] for row in rows] == [None, None, "a", "b", "a", "b"]
    for row in rows:
        some = known[known["half"] == row["half"]] if row["half"] else known
        y = values[row["model"]]
        mean, error, _ = expected(y[y.index.isin(some.index)], "active", some)
        assert (row["value"], row["standard_error"]) == approx((mean, error), rel=1e-9)


def test_adjustment_changes_nothing_if_all_users_are_evaluated(known, values):
    inputs = given(known.loc[values.index], values)
    for row in sqlrec.evaluate("cg@1", **inputs, adjust="country active").to_arrow().to_pylist():
        assert row["value"] == approx(row["unadjusted_value"], rel=1e-12)
        assert abs(row["gain"]) < 0.05


def test_only_means_over_users_are_adjusted(known, values):
    inputs = given(known, values)
    plain, adjusted = (
        sqlrec.evaluate("cg@1 gmap@1 gini@1", **inputs | options).to_arrow().to_pylist()
        for options in ({"interval": "t"}, {"adjust": "active"})
    )
    for before, row in zip(plain[1:3], adjusted[1:3], strict=True):
        assert [row[name] for name in ("value", "low", "gain")] == [
            before["value"],
            before["low"],
            None,
        ]


@mark.parametrize(
    "options, message",
    [
        ({"adjust": 5}, "adjust=5: name columns of users, as in 'country activity'"),
        ({"adjust": "age age"}, "adjust='age': name each column once, and no column of by"),
        ({"adjust": "age", "by": "age"}, "adjust='age': name each column once, and no column of"),
        ({"adjust": "nope"}, "adjust='nope': no such column"),
        ({"adjust": "relevance"}, "adjust='relevance' is a column of truth"),
        ({"adjust": "age", "cluster": "town"}, "adjust='age' and cluster='town': omit one"),
        ({"adjust": "age", "interval": "bca"}, "interval='bca': give interval='t'"),
    ],
)
def test_conflicting_options_are_refused(known, values, options, message):
    with raises(sqlrec.InputError, match=message):
        sqlrec.evaluate("cg@1", **given(known, values), **options)


def test_adjusted_comparisons_use_t(known, values):
    inputs = given(known, values) | {"baseline": "old", "adjust": "age"}
    for option, value in (("test", "sign"), ("correction", "tukey"), ("interval", "anytime")):
        with raises(
            sqlrec.InputError, match=f"adjust='age' and {option}='{value}': give {option}="
        ):
            sqlrec.compare("cg@1", **inputs, **{option: value})


@mark.slow
def test_users_without_covariates_are_refused(known, values):
    with raises(sqlrec.DataError, match="adjust='age': 1 evaluated users have no row in users"):
        few = known.drop(values.index[0])
        sqlrec.evaluate("cg@1", **given(few, values), adjust="age")
    for odd in (None, float("nan"), float("inf")):
        unknown = known.assign(active=known["active"].where(known["age"] > 12, odd))
        count = int((known["age"] <= 12).sum())
        with raises(
            sqlrec.DataError, match=f"active is null, NaN or beyond 1e100 for {count} users"
        ):
            sqlrec.evaluate("cg@1", **given(unknown, values), adjust="active")
