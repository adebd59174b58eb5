"""The tables of simulated coverage and error rates agree with the simulations."""

import re
from pathlib import Path

import numpy as np
from pytest import approx, mark

from .simulations import (
    DIFFERENCES,
    OF_LISTS,
    OF_POLICY,
    by_few_groups,
    decided,
    judged,
    looked_at_daily,
    most_false_alarms,
    of_three_levels,
    of_zeros_and_tails,
    rates,
    searched,
)

PAGE = (Path(__file__).parent.parent / "docs" / "statistics.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (`.*(?:coverage|alarms?)) \| ([\d.]+)% \|$", re.MULTILINE)


@mark.weekly
def test_the_table_equals_simulations():
    result = rates()
    table = {name: float(share) / 100 for name, share in ROW.findall(PAGE)}
    assert table.keys() == result.keys()
    for name, share in result.items():
        assert share == approx(table[name], abs=0.002), name
        if "coverage" in name:
            assert 0.93 < share < 0.97, name
        elif "hits" in name:
            # t has too many false alarms, as the page says.
            assert (share > 0.055) == name.startswith("`t`"), name
        elif "impression" not in name:
            # 5%, and two standard errors of 1,000 experiments.
            assert share <= 0.064, name


@mark.weekly
def test_the_table_of_hits_has_the_most_false_alarms_at_any_share_of_users_who_differ():
    rows = re.findall(r"^\| (\d+) \| ((?:[\d.]+%[, |]+){6})$", PAGE, re.MULTILINE)
    assert [int(users) for users, _ in rows] == [10, 20, 30, 50, 100]
    for users, cells in rows:
        result = [
            100 * most_false_alarms(test, int(users), tests)
            for test in ("t", "mcnemar")
            for tests in (1, 5, 20)
        ]
        assert [float(share) for share in re.findall(r"[\d.]+", cells)] == approx(result, abs=0.051)
        assert max(result[3:]) < 5.5


@mark.weekly
def test_the_table_of_zeros_and_tails_has_the_simulated_values():
    (users,) = re.findall(r"^\| users, most values 0[^|]*\|([^\n]*)\|$", PAGE, re.MULTILINE)
    (cells,) = re.findall(r"^\| coverage of `t` \|([^\n]*) \|$", PAGE, re.MULTILINE)
    result = [of_zeros_and_tails(int(n.replace(",", ""))) for n in users.split("|")]
    # Two standard errors of a share of .9 of 20,000 runs are 0.4 points.
    assert [int(share) / 100 for share in re.findall(r"\d+", cells)] == approx(result, abs=0.0075)


@mark.weekly
def test_the_table_of_three_levels_has_the_most_false_alarms_at_any_shares():
    rows = re.findall(r"^\| (\d+) users \| ((?:[\d.]+%[, |]+){6})$", PAGE, re.MULTILINE)
    assert [int(users) for users, _ in rows] == [10, 20, 30]
    for users, cells in rows:
        result = [
            100 * of_three_levels(test, int(users), tests)
            for test in ("t", "permutation")
            for tests in (1, 5, 20)
        ]
        assert [float(share) for share in re.findall(r"[\d.]+", cells)] == approx(result, abs=0.051)
        assert max(result[3:]) < 5.1


@mark.weekly
@mark.parametrize("method", ["t", "anytime"])
def test_the_tables_of_daily_looks_have_the_simulated_values(method):
    looks, gates = looked_at_daily(method), looked_at_daily(method, gate=True)
    assert f"| `{method}` | {100 * looks:.0f}% |" in PAGE
    assert f"| `--interval {method}` | {100 * gates:.0f}% |" in PAGE
    assert (max(looks, gates) <= 0.05) == (method == "anytime")


@mark.weekly
@mark.parametrize(
    "rank, interval, experiments", [(0, "t", 1000), (1, "bootstrap", 300), (2, "bca", 300)]
)
def test_the_table_of_off_policy_metrics_has_the_simulated_values(rank, interval, experiments):
    result = {}
    for metrics in (OF_POLICY, OF_LISTS):
        result |= decided(np.random.default_rng(2029), metrics, interval, experiments)
    rates = {}
    for names, *shares in re.findall(
        r"^\| (`[^|]*) \| (\d+)% \| (\d+)% \| (\d+)% \|$", PAGE, re.MULTILINE
    ):
        known = re.findall(r"`(\w+)`", names.partition(", in ")[0])
        rates |= dict.fromkeys(known, int(shares[rank]) / 100)
    # The table has 1,000 experiments; fewer, to save time, make each share less certain.
    off = 0.0051 if experiments == 1000 else 0.035
    assert {
        name.removesuffix("@1"): approx(share, abs=off) for name, share in result.items()
    } == rates


@mark.weekly
def test_the_table_of_few_groups_has_the_simulated_values():
    rows = re.findall(
        r"^\| (?:no correlation within a group|correlation )([.\d]*)(, exponential values)? "
        r"\| (\d+)% \| (\d+)% \|$",
        PAGE,
        re.MULTILINE,
    )
    assert [alike for alike, *_ in rows] == ["", ".3", ".8", ".3", ".8"]
    for alike, tail, *cells in rows:
        result = by_few_groups(float(alike or 0), tail=bool(tail))
        # Two standard errors of a share of .85 of 20,000 runs are half a point.
        assert [int(share) / 100 for share in cells] == approx(result, abs=0.0075)


@mark.weekly
@mark.parametrize(
    "name, labeled, noise",
    [
        ("100 labeled users, a good judge (deviation .1)", 100, 0.1),
        ("100, a fair judge (.3)", 100, 0.3),
        ("100, a bad judge (2)", 100, 2),
        ("50, a good judge", 50, 0.1),
    ],
)
def test_the_table_of_labels_has_the_simulated_values(name, labeled, noise):
    covers, wide = judged(labeled, noise)
    assert f"| {name} | {100 * covers:.0f}% | {100 * wide:.0f}% |" in PAGE
    assert 0.93 <= covers <= 0.97


@mark.weekly
@mark.parametrize("name", DIFFERENCES)
def test_the_table_of_found_segments_has_the_simulated_values(name):
    (row,) = re.findall(rf"^\| {re.escape(name)} \|([^\n]*)\|$", PAGE, re.MULTILINE)
    cells = [float(share) / 100 for share in re.findall(r"[\d.]+", row)]
    assert len(cells) == 4
    false, _ = searched(DIFFERENCES[name])
    effects = [searched(DIFFERENCES[name], effect=size, runs=300) for size in (0.2, 0.3, 0.4)]
    assert [false, *(true for _, true in effects)] == approx(cells, abs=0.0051)
    assert max(false, *(other for other, _ in effects)) <= 0.05
