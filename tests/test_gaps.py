"""Differences between segments, and the worst segment."""

import pyarrow as pa
import pyarrow.parquet
from pytest import approx, fixture, raises

import sqlrec
from sqlrec.cli import main
from sqlrec.statistics.formulas import wilson_interval
from sqlrec.statistics.gaps import (
    Mean,
    difference_interval,
    pair_level,
    ratio_interval,
    smallest_ratio,
    widest_difference,
)
from sqlrec.statistics.margins import fieller_interval

from .tables import lists, wanted


def test_the_gap_of_two_shares_has_newcombes_interval():
    # 56 of 70 and 48 of 80, and 9 of 10 and 3 of 10: Newcombe 1998, table II, method 10.
    def share(count, users):
        return Mean(count / users, *wilson_interval(0.95, count / users, users))

    assert difference_interval(share(56, 70), share(48, 80)) == approx((0.0524, 0.3339), abs=5e-5)
    assert difference_interval(share(9, 10), share(3, 10)) == approx((0.1705, 0.8090), abs=5e-5)


def test_ratios_of_means_have_fiellers_interval():
    one, other = Mean(0.4, 0.4 - 1.96 * 0.05, 0.4 + 1.96 * 0.05), Mean(0.5, 0.402, 0.598)
    pair = {"difference": -0.1, "standard_error": 0.05 * 2**0.5, "units": 99}
    pair |= {"baseline_value": 0.5, "baseline_error": 0.05, "covariance": -(0.05**2)}
    # At this level, the errors equal the errors of normal intervals.
    expected = fieller_interval("normal", 0.9500042097035593, pair)
    assert ratio_interval(one, other) == approx([1 + limit for limit in expected], abs=1e-12)
    low, high = ratio_interval(other, one)
    assert ratio_interval(one, other) == approx((1 / high, 1 / low))


def test_a_mean_that_might_be_0_bounds_no_ratio_from_above():
    assert ratio_interval(Mean(0.3, 0.2, 0.4), Mean(0.1, -0.1, 0.3))[1] == float("inf")
    assert smallest_ratio([Mean(0.3, 0.2, 0.4), Mean(0.1, -0.1, 0.3)]) == (0.0, 1.0)
    assert smallest_ratio([Mean(0.3, 0.2, 0.4), Mean(0.0, 0.0, 0.02)])[0] == 0


def test_means_that_might_be_equal_differ_by_0_or_more():
    assert widest_difference([Mean(0.3, 0.2, 0.4), Mean(0.31, 0.21, 0.41)])[0] == 0


@fixture(scope="module")
def given():
    """Return users of three countries, some without a country; the relevant item is a."""
    results = {
        "de": ["abc", "abc", "bac"],
        "fr": ["bac", "bca", "bac"],
        "it": ["abc", "bac", "bca"],
    }
    users = [f"{country}{index}" for country in results for index in range(3)]
    recs = dict(zip(users, [one for rows in results.values() for one in rows], strict=True))
    countries = [user[:2] for user in users] + [None]
    return {
        "recs": lists(recs | {"x": "cba"}),
        "truth": wanted(dict.fromkeys([*users, "x"], "a")),
        "users": pa.table({"user_id": [*users, "x"], "country": countries}),
    }


def test_the_worst_group_is_the_one_with_the_worst_value(given):
    result = sqlrec.evaluate("mrr@3 item_count@1 mae", **_rated(given), by="country", interval=None)
    results = {row["request"]: row for row in result.gaps().to_arrow().to_pylist()}
    reciprocal = results["mrr@3"]
    assert (reciprocal["groups"], reciprocal["worst"]) == (3, "country=fr")
    assert reciprocal["worst_value"] == approx(4 / 9)
    assert reciprocal["difference"] == approx(5 / 6 - 4 / 9)
    assert reciprocal["ratio"] == approx(8 / 15)
    # The differences of 5/6, 4/9 and 11/18 are 7/18, 4/18 and 3/18.
    assert reciprocal["mean_difference"] == approx(14 / 54)
    # The largest error is the worst; a number of hits has no worst group.
    assert (results["mae"]["worst"], results["mae"]["worst_value"]) == ("country=fr", approx(1.0))
    assert results["item_count@1"]["worst"] is None
    assert "difference_low" not in reciprocal


def _rated(given):
    scores = [
        1.0 if user.startswith("fr") else 0.5 for user in given["recs"]["user_id"].to_pylist()
    ]
    grades = [0.0] * given["truth"].num_rows
    return given | {
        "recs": given["recs"].append_column("score", pa.array(scores)),
        "truth": given["truth"].append_column("relevance", pa.array(grades)),
        "relevance_threshold": 0,
        "order": "rank",
    }


def test_intervals_are_those_of_all_pairs_together(given):
    result = sqlrec.evaluate("mrr@3 hit_rate@1", **given, by="country", interval="auto")
    rows = result.to_arrow().to_pylist()
    results = {row["request"]: row for row in result.gaps(level=0.9).to_arrow().to_pylist()}
    level = pair_level(0.9, 3)
    assert level == approx(0.9 ** (1 / 3))
    shares = [
        Mean(row["value"], *wilson_interval(level, row["value"], 3))
        for row in rows
        if row["request"] == "hit_rate@1" and row["country"]
    ]
    limits = ("difference_low", "difference_high", "ratio_low", "ratio_high")
    expected = (*widest_difference(shares), *smallest_ratio(shares))
    assert tuple(results["hit_rate@1"][name] for name in limits) == approx(expected)
    one = results["mrr@3"]
    assert one["difference_low"] <= one["difference"] <= one["difference_high"]
    assert one["ratio_low"] <= one["ratio"] <= one["ratio_high"]


def test_each_grouping_has_its_gaps_and_a_single_group_none(given):
    users = given["users"].append_column("device", pa.array(["phone"] * 10))
    requests = given | {"users": users, "by": ["country", "device"], "interval": "normal"}
    gaps = sqlrec.evaluate("mrr@3", **requests, each=True).gaps().to_arrow().to_pylist()
    results = {row["grouping"]: row for row in gaps}
    assert [*results] == ["country", "device", "country, device"]
    assert results["country"]["worst"] == "country=fr"
    assert results["country, device"]["worst"] == "country=fr, device=phone"
    assert (results["device"]["groups"], results["device"]["difference"]) == (1, None)


def test_results_without_segments_have_no_gaps(given):
    with raises(sqlrec.InputError, match="by='country'"):
        sqlrec.evaluate("mrr@3", **given).gaps()
    requests = given | {"by": "country", "interval": "anytime"}
    with raises(sqlrec.InputError, match="interval='t'"):
        sqlrec.evaluate("mrr@3", **requests).gaps()
    requests |= {"interval": "t", "cluster": "user_id"}
    assert sqlrec.evaluate("mrr@3", **requests).gaps().rows().num_rows == 1


def test_the_command_line_prints_them(tmp_path, given, capsys):
    for name in ("recs", "truth", "users"):
        pa.parquet.write_table(given[name], tmp_path / f"{name}.parquet")
    inputs = [f"--{name}={tmp_path / name}.parquet" for name in ("recs", "truth", "users")]
    requests = ["evaluate", "mrr@3", *inputs, "--table", "gaps"]
    assert main([*requests, "--by", "country", "--interval", "auto"]) == 0
    assert "country=fr" in capsys.readouterr().out
    assert main(requests) == 1
    assert "as in --by country" in capsys.readouterr().err
