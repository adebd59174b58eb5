"""Values are within the range in the metric's header, even in the last digit."""

import json
import math
import re
import warnings
from random import Random

import pyarrow as pa
from pytest import mark

import sqlrec
from sqlrec.engines.duckdb import DuckDB
from sqlrec.plan.build import WHOLE_KINDS
from sqlrec.statistics.formulas import wilson_interval
from sqlrec.statistics.margins import gain_share

from ..golden.values import VALUES
from ..tables import prepare, rows_of, scored, settings, table, wanted

CUTOFF = 10

# Forms whose values have another range than the header has for the default.
OTHER_RANGES = r"convention=|unit=|unbiased_\w+\(divide_by="

# Parameters with long sums, or with weights that are not binary fractions.
EXTREMES = (
    *(f"rbo(p={p}, form={form})" for p in (0.999, 0.5) for form in ("extrapolated", "minimum")),
    *(f"rbo(p={p}, form={form})" for p in (0.999, 0.5) for form in ("truncated", "scaled")),
    *(f"{name}(p={p})" for name in ("rbo_residual", "rbo_weight") for p in (0.999, 0.1)),
    *(f"{name}(p={p})" for name in ("rbp", "rbp_residual", "compatibility") for p in (0.999, 0.1)),
    *("rbp(ideal=achievable_in_list)", "rbp(gain=normalized)", "compatibility(divide_by=weights)"),
    *("f_beta(beta=0.3)", "set_f(x=0.3)", "pfound(p_break=0, max_grade=5)"),
    *("nrbp(alpha=0.1, p=0.9)", "nrbp(alpha=0, p=0.3)", "alpha_dcg(alpha=0.1)"),
    *("ndcg(gain=exponential)", "ndcg(discount=late)", "ndcg(discount=reciprocal)"),
    *("ndcg(ideal=relevant)", "ndcg(gains=relevant)", "ndcg(gain=binary, ideal=k)"),
    *("page_ndcg(gain=binary)", "page_ndcg(gain=exponential)", "jain_index(weight=rank)"),
    *("r_score(half_life=1.5)", "nerr(max_grade=30)", "unbiased_ndcg(divide_by=weights)"),
    *("expected_exposure_loss(patience=0.7)", "expected_exposure_loss(grades=binary)"),
    *("herfindahl(weight=rank)", "equity_of_attention(weight=plain)"),
)


def documented(metric: sqlrec.Metric) -> tuple[float, float] | None:
    """Return the range in the header's first paragraph, None without a fixed range."""
    return None if metric.range == (-math.inf, math.inf) else metric.range


def forms() -> list[str]:
    """Return every metric with a range, with its defaults and for grades of five stars."""
    result = []
    for metric in sqlrec.metrics().values():
        if documented(metric):
            params = "(max_grade=5)" if "max_grade" in metric.params else next(settings(metric))
            result.append(f"{metric.name}{params}")
    return [*result, *EXTREMES]


def with_cutoffs(those: list[str]) -> list[str]:
    """Return the metrics of lists, with a cutoff if they have one."""
    result = []
    for form in those:
        metric = sqlrec.metric(form.partition("(")[0])
        at = "" if metric.entries["Cutoff"] == "none" else f"@{CUTOFF}"
        result += [f"{form}{at}"] * (metric.family != "off-policy")
    return result


def grades(kind: str, random: Random) -> list[float]:
    """Draw the grades of a user's items, from best to worst."""
    length = 200 if kind == "long" else random.randint(1, 12)
    step = {"long": lambda: 1, "equal": lambda: 3, "thirds": lambda: random.random() * 5}
    rate = step.get(kind, lambda: random.randint(1, 10) / 2)
    return sorted((rate() for _ in range(length)), reverse=True)


def perfect(random: Random) -> dict[str, pa.Table]:
    """Return lists in the order of grades, also for the baseline; a user's kind is a segment.

    Lists of the kind "opposed" have the opposite order.
    """
    lists, truth, kinds, history = {}, {}, {}, []
    for number in range(80):
        kind = ("stars", "thirds", "equal", "opposed", "long")[
            number % 5 if number < 20 else number % 4
        ]
        own = {f"{kind}{rank}": grade for rank, grade in enumerate(grades(kind, random))}
        user = f"u{number}"
        shown = [*own][::-1] if kind == "opposed" else [*own]
        truth[user], kinds[user] = own, kind
        lists[user] = {item: 1 - rank / 256 for rank, item in enumerate(shown)}
        history += [(user, item) for item in own]
    items = sorted({item for own in truth.values() for item in own})
    ids = {"user_id": pa.string(), "item_id": pa.string()}
    labels = dict.fromkeys(("category", "aspect", "item_group", "feature"), pa.string())
    amounts = dict.fromkeys(("value", "distance", "price"), pa.float64())
    prices = {item: 1 + random.randint(1, 9) / 10 for item in items}
    described = [
        (
            item,
            *(f"{label}{random.randint(1, 3)}" for label in "cagf"),
            *(random.uniform(-1, 1), random.random(), prices[item], random.choice(items)),
        )
        for item in items
        for _ in range(2)
    ]
    return {
        "recs": scored(lists),
        "baseline": scored(lists),
        "truth": clicks(wanted(truth), random),
        "history": table(history, **ids),
        "catalog": table([(item,) for item in items], item_id=pa.string()),
        "items": table(
            described, item_id=pa.string(), **labels, **amounts, other_item_id=pa.string()
        ),
        "users": table([*kinds.items()], user_id=pa.string(), kind=pa.string()),
    }


def clicks(truth: pa.Table, random: Random) -> pa.Table:
    """Return the truth with the probability of seeing each item."""
    chances = [random.uniform(0.05, 1) for _ in range(truth.num_rows)]
    return truth.append_column("propensity", pa.array(chances, pa.float64()))


def outside(metrics: list[str], **inputs) -> dict[str, float]:
    """Return values beyond a bound, by metric: per-user values, or values of all users together.

    One statement for all kinds of rows takes nine times longer than a statement for each kind.
    """
    kinds = {}
    for form in metrics:
        kinds.setdefault(sqlrec.metric(re.split(r"[(@]", form)[0]).rows, []).append(form)
    rows = []
    for kind, forms in kinds.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if kind in WHOLE_KINDS:
                rows += rows_of(sqlrec.evaluate(forms, interval=None, by="kind", **inputs))
            else:
                rows += rows_of(prepare(forms, arguments=inputs, engine=DuckDB()).per_user())
    assert {row["metric"] for row in rows} and any(row["value"] is not None for row in rows)
    bounds = {
        name: documented(sqlrec.metric(name.partition("(")[0]))
        for name in {row["metric"] for row in rows}
    }
    return {
        f"{row['metric']} of {row.get('user_id', row.get('kind'))}": row["value"]
        for row in rows
        for least, most in [bounds[row["metric"]]]
        if row["value"] is not None and not least <= row["value"] <= most
    }


def test_values_of_perfect_lists_are_within_their_ranges():
    assert outside(with_cutoffs(forms()), **perfect(Random(1))) == {}


def test_values_that_are_stored_are_within_their_ranges():
    metrics, result = sqlrec.metrics(), {}
    for name, values in json.loads(VALUES.read_text()).items():
        if name.startswith("comparison") or name.endswith("user_counts"):
            continue
        for key, (value, *_) in values.items():
            metric = next(word for word in re.findall(r"\w+", key) if word in metrics)
            if value is not None and not re.search(OTHER_RANGES, key):
                result.setdefault(metric, {})[f"{name}: {key}"] = value
    bounds = {metric: documented(metrics[metric]) for metric in result}
    assert sum(map(bool, bounds.values())) > 100
    assert {
        key: value
        for metric, values in result.items()
        for key, value in values.items()
        if bounds[metric] and not bounds[metric][0] <= value <= bounds[metric][1]
    } == {}


@mark.parametrize("level", [0.9, 0.95, 0.99])
def test_wilsons_interval_contains_its_share(level):
    for users in range(1, 60):
        for hits in range(users + 1):
            low, high = wilson_interval(level, hits / users, users)
            assert 0 <= low <= hits / users <= high <= 1
            assert gain_share(level, hits, users)["win_share_low"] == low
