"""The bootstrap of metrics that are not means over users, evaluated for each replicate."""

from hashlib import md5
from random import Random
from statistics import NormalDist

import numpy as np
import pyarrow as pa
from pytest import approx, fixture, mark

import sqlrec

from .tables import lists, scored, table, wanted

USERS = [f"u{number}" for number in range(60)]
LIMITS = [
    *("5e2d58d8", "bc5ab1b1", "eb715e1d", "fb239797", "ff1025f5", "ffd90f3b"),
    *("fffa8b71", "ffff540c", "ffffed1f", "fffffe21", "ffffffd4", "fffffffc"),
]
COUNT = 100


def drawn(user, replicate):
    """Return the number of times that a user is in a replicate, counted from 0."""
    digits = md5(f"{user}:{replicate // 4 + 1}".encode()).hexdigest()
    start = 8 * (replicate % 4)
    return sum(digits[start : start + 8] >= limit for limit in LIMITS)


@fixture(scope="module")
def given():
    random = Random(5)
    shown = {user: "".join(random.sample("abcdefghij", 3)) for user in USERS}
    truth = {user: "".join(random.sample("abcdefghij", 2)) for user in USERS}
    catalog = table([(item,) for item in "abcdefghijklm"], item_id=pa.string())
    return {"recs": lists(shown), "truth": wanted(truth), "catalog": catalog}, shown


def compare_with_copies(compute):
    """Yield each row of a bootstrap with its values, by replicate, of copies of users."""
    copies = {
        f"{user}~{replicate}~{copy}": (user, replicate)
        for user in USERS
        for replicate in range(COUNT)
        for copy in range(drawn(user, replicate))
    }
    result = compute({user: user for user in USERS}, interval="bootstrap", replicates=COUNT)
    segments = {"user_id": [*copies], "replicate": [number for _, number in copies.values()]}
    whose = {name: user for name, (user, _) in copies.items()}
    again = compute(whose, users=pa.table(segments), by="replicate").to_arrow().to_pylist()
    for row in result.to_arrow().to_pylist():
        values = [one["value"] for one in again if one["request"] == row["request"]]
        assert len(values) == COUNT
        assert row["standard_error"] == approx(np.std(values, ddof=1), rel=1e-9)
        yield row, values


def coverage(shown, replicate):
    return len({i for u, items in shown.items() for i in items[:2] if drawn(u, replicate)}) / 13


def gini(shown, replicate):
    counts = {}
    for user, items in shown.items():
        for item in items[:2]:
            counts[item] = counts.get(item, 0) + drawn(user, replicate)
    sorted_counts = sorted(count for count in counts.values() if count)
    n, total = len(sorted_counts), sum(sorted_counts)
    return sum((2 * i - n - 1) * count for i, count in enumerate(sorted_counts, 1)) / (n * total)


def diversity(shown, replicate):
    times = [(set(items[:2]), drawn(user, replicate)) for user, items in shown.items()]
    copies = [items for items, count in times for _ in range(count)]
    pairs = [(a, b) for i, a in enumerate(copies) for b in copies[:i]]
    return 1 - sum(len(a & b) / 2 for a, b in pairs) / len(pairs)


@fixture(scope="module")
def resampled(given):
    """Return rows of metrics of all lists together, and of a mean, by metric."""
    requests = "catalog_coverage gini(items=recommended) inter_list_diversity geometric_map map"
    options = {"k": 2, "interval": "bootstrap", "replicates": COUNT}
    rows = sqlrec.evaluate(requests, **given[0], **options).to_arrow().to_pylist()
    return {row["request"].removesuffix("@2"): row for row in rows}


@mark.parametrize(
    "metric, oracle",
    [
        ("catalog_coverage", coverage),
        ("gini(items=recommended)", gini),
        ("inter_list_diversity", diversity),
    ],
)
def test_bootstraps_evaluate_users_drawn_again(given, resampled, metric, oracle):
    row = resampled[metric]
    values = [oracle(given[1], replicate) for replicate in range(COUNT)]
    assert row["standard_error"] == approx(np.std(values, ddof=1), rel=1e-9)
    # Their middle is not the value: a replicate has fewer different users.
    reach = 1.959963984540054 * np.std(values, ddof=1)
    limits = (row["value"] - reach, row["value"] + reach) if reach > 1e-9 else (None, None)
    assert (row["low"], row["high"]) == (limits if None in limits else approx(limits))


def test_both_bootstraps_of_a_mean_agree(given, resampled):
    # The geometric mean over users is evaluated again; its logarithm would be a mean of values.
    values = sqlrec.evaluate("map@2", **given[0]).per_user().to_arrow().to_pylist()
    means = []
    for replicate in range(COUNT):
        times = [(row["value"], drawn(row["user_id"], replicate)) for row in values]
        logs = sum(count * np.log(max(value, 1e-5)) for value, count in times)
        means.append(np.exp(logs / sum(count for _, count in times)))
    assert resampled["geometric_map"]["low"] == approx(np.quantile(means, 0.025), rel=1e-9)


@mark.slow
def test_functions_of_sums_are_those_of_copies_of_users():
    """Pooled errors, weighted means, F of means and sums, evaluated for each replicate."""
    random = Random(9)
    scores = {user: {i: random.gauss(3, 1) for i in "abcde"} for user in USERS}
    grades = {user: {i: float(random.randint(1, 5)) for i in "abcde"} for user in USERS}
    requests = (
        "rmse mae fcp gauc(weight=impressions) f_beta(of=means)@2 geometric_map@2 item_count@2 "
        "r2 r2@1 cohen_kappa@2 krippendorff_alpha@2"
    )
    rules = {"population": "truth_and_recs", "relevance_threshold": 3}

    def compute(whose, **options):
        return sqlrec.evaluate(
            requests,
            recs=scored({name: scores[user] for name, user in whose.items()}),
            truth=wanted({name: grades[user] for name, user in whose.items()}),
            **rules,
            **options,
        )

    rows = [*compare_with_copies(compute)]
    assert len(rows) == len(requests.split())
    for row, values in rows:
        limits = np.quantile(values, [0.025, 0.975])
        if row["metric"] in ("r2", "cohen_kappa", "krippendorff_alpha"):
            reach = NormalDist().inv_cdf(0.975) * np.std(values, ddof=1)
            limits = row["value"] + reach * np.array([-1, 1])
        assert (row["low"], row["high"]) == approx(limits, rel=1e-9)


def test_a_pooled_value_of_equal_grades_is_undefined_where_it_is_of_copies():
    """In some replicates all grades are equal, and in some all scores equal their grades."""
    grades = {f"u{n}": {"a": 3.1} for n in range(4)} | {"u4": {"a": 3.1}, "u5": {"a": 0.7}}
    scores = grades | {"u4": {"a": 2.9}}
    requests = "r2 r2(constant=zero) cohen_kappa krippendorff_alpha"
    given = {"interval": "bootstrap", "replicates": COUNT}
    rows = sqlrec.evaluate(requests, recs=scored(scores), truth=wanted(grades), **given).to_arrow()
    times = [{user: drawn(user, n) for user in grades} for n in range(COUNT)]
    copies = [
        [(scores[u]["a"], grades[u]["a"]) for u, count in one.items() for _ in range(count)]
        for one in times
    ]
    for row, of in zip(
        rows.to_pylist(), (pooled_r2, pooled_r2_or_zero, kappa, krippendorff), strict=True
    ):
        values = [value for value in map(of, copies) if value is not None]
        assert 1 < len(values) < COUNT or row["request"] == "r2(constant=zero)"
        assert row["standard_error"] == approx(np.std(values, ddof=1), rel=1e-9)


def pooled_r2(pairs):
    grades = [grade for _, grade in pairs]
    if len({*grades}) < 2:
        return None
    return 1 - sum((s - g) ** 2 for s, g in pairs) / (np.var(grades) * len(pairs))


def pooled_r2_or_zero(pairs):
    if not pairs or len({grade for _, grade in pairs}) > 1:
        return pooled_r2(pairs)
    return float(all(score == grade for score, grade in pairs))


def kappa(pairs):
    if len({number for pair in pairs for number in pair}) < 2:
        return None
    apart = [(score - grade) ** 2 for score, _ in pairs for _, grade in pairs]
    return 1 - sum((s - g) ** 2 for s, g in pairs) / (sum(apart) / len(pairs))


def krippendorff(pairs):
    numbers = [number for pair in pairs for number in pair]
    if len({*numbers}) < 2:
        return None
    apart = sum((a - b) ** 2 for a in numbers for b in numbers)
    mean = apart / (len(numbers) * (len(numbers) - 1))
    return 1 - sum((s - g) ** 2 for s, g in pairs) / len(pairs) / mean


def test_segments_models_and_conventions_have_own_samples(given):
    inputs, shown = given
    segments = pa.table({"user_id": USERS[:40], "plan": ["free", "paid"] * 20})
    other = lists({user: items[::-1] for user, items in shown.items()})
    options = {"interval": "bootstrap", "replicates": COUNT, "by": "plan", "users": segments}
    metrics = "coverage@2 geometric_map(convention=trec_eval)@2"
    both = sqlrec.evaluate(
        metrics, **inputs | {"recs": {"a": inputs["recs"], "b": other}}, **options
    )
    rows = both.to_arrow().to_pylist()
    assert len(rows) == 2 * 3 * 2
    assert all(row["low"] <= row["value"] * 1.01 for row in rows)
    for plan in ("free", "paid", None):
        (row,) = (
            row
            for row in rows
            if row["model"] == "a" and row["plan"] == plan and row["metric"] == "catalog_coverage"
        )
        of = dict(zip(USERS[:40], ["free", "paid"] * 20, strict=True))
        some = {user: items for user, items in shown.items() if of.get(user) == plan}
        values = [coverage(some, replicate) for replicate in range(COUNT)]
        assert row["standard_error"] == approx(np.std(values, ddof=1), rel=1e-9)


@mark.slow
def test_sums_of_items_by_weights_are_those_of_copies_with_their_truth_and_history(given):
    _, shown = given
    random = Random(8)
    truth = {user: "".join(random.sample("abcdefghij", 2)) for user in USERS}
    had = {user: "".join(random.sample("abcdefghij", 2)) for user in USERS}
    groups = pa.table({"item_id": [*"abcdefghij"], "item_group": [*"xxxxyyyyzz"]})

    def compute(whose, **options):
        return sqlrec.evaluate(
            "rsp@2 reo@2 exposure_share(group=x)@2",
            recs=lists({name: shown[user] for name, user in whose.items()}),
            truth=wanted({name: truth[user] for name, user in whose.items()}),
            history=lists({name: had[user] for name, user in whose.items()}),
            items=groups,
            **options,
        )

    assert len([*compare_with_copies(compute)]) == 3


def test_metrics_of_a_history_draw_only_users(given):
    inputs, shown = given
    history = lists({user: items[::-1] for user, items in shown.items()})
    requests = "surprisal(average=pooled)@2"
    (drawn_row,), (by_error,) = (
        sqlrec.evaluate(requests, **inputs, history=history, interval=how).to_arrow().to_pylist()
        for how in ("bootstrap", "t")
    )
    assert drawn_row["low"] < drawn_row["value"] < drawn_row["high"]
    assert drawn_row["standard_error"] == approx(by_error["standard_error"], rel=0.1)
