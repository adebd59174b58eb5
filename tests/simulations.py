"""Simulated coverage and error rates in docs/statistics.md: ``python tests/simulations.py``."""

import itertools
from functools import cache

import numpy as np
import pyarrow as pa

import sqlrec
from sqlrec.statistics.distributions import sign_test_mid_p, sign_test_p, t_outside
from sqlrec.statistics.formulas import Size, correct_p_values, half_width_in_errors, p_value
from sqlrec.statistics.interactions import Sample, interaction_p
from sqlrec.statistics.prediction_powered import labels_mean, prediction_powered

from .packages import stats

EXPERIMENTS = 1000


def compared(chance, users, draw, *, requests="cg@1", groups=None, **options):
    """Compare two models in many experiments at once, each of them a segment."""
    count = EXPERIMENTS * users
    ids = np.arange(count)
    values = {"als": draw(chance, count), "pop": draw(chance, count)}
    truth = pa.table(
        {
            "user_id": np.concatenate([ids, ids]),
            "item_id": np.repeat([*values], count),
            "relevance": np.concatenate([*values.values()]).astype(float),
        }
    )
    recs = {
        name: pa.table({"user_id": ids, "item_id": np.repeat([name], count), "rank": ids * 0 + 1})
        for name in values
    }
    known = {"user_id": ids, "experiment": ids // users}
    if groups is not None:
        known["home"] = ids // users * 1000 + np.tile(groups, EXPERIMENTS)
        options["cluster"] = "home"
    inputs = {"recs": recs, "truth": truth, "users": pa.table(known), "population": "judged"}
    options = {"correction": "none", "baseline": "pop", **options}
    return sqlrec.compare(requests, **inputs, by="experiment", **options).to_arrow().to_pylist()


def alarms(rows):
    """Return the share of experiments with a significant difference, and of intervals without 0."""
    return np.mean([row["p"] is not None and row["p"] < 0.05 for row in rows])


def covered(rows):
    # Experiments without any difference between users have no interval and no significance.
    return np.mean([row["low"] is None or row["low"] <= 0 <= row["high"] for row in rows])


def skewed(chance, count):
    return chance.gamma(2, size=count)


def tied(chance, count):
    return chance.binomial(2, 0.2, count)


def homes(sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


def in_homes(groups):
    """Values that share half of their variance with other values of the household."""

    def draw(chance, count):
        common = chance.gamma(2, size=(EXPERIMENTS, groups.max() + 1))[:, groups].ravel()
        return common + chance.gamma(2, size=count)

    return draw


def several(chance):
    """Return the rate of any false alarm among five metrics of the same users, with Holm."""
    size = (20 * EXPERIMENTS, 5, 50)
    off = (tied(chance, size) - tied(chance, size)).astype(float)
    t = off.mean(axis=2) / off.std(axis=2, ddof=1) * np.sqrt(50)
    families = ([t_outside(one, 49) for one in family] for family in t)
    return np.mean([min(correct_p_values("holm", family)) < 0.05 for family in families])


def of_signs(test, total, count, users):
    """Return p for hits, from the number of users who differ and their net gain."""
    if not count:
        return 1.0
    if test != "t":
        outside = sign_test_p if test == "sign" else sign_test_mid_p
        return outside((count - abs(total)) // 2, count)
    error = np.sqrt(max(0, count - total**2 / users) / (users - 1) / users)
    return t_outside(total / users / error, users - 1) if error else 2.0 ** (1 - users)


def most_false_alarms(test, users, tests):
    """Return the largest exact probability of any false alarm of independent metrics, with Holm.

    No model is better, and the smallest p is below its limit in a metric, for shares of users who
    differ from .05 to .95.
    """
    p_values = [
        np.array([of_signs(test, 2 * more - count, count, users) for more in range(count + 1)])
        for count in range(users + 1)
    ]
    wrong = [
        stats.binom.pmf(np.flatnonzero(p < 0.05 / tests), count, 0.5).sum()
        for count, p in enumerate(p_values)
    ]
    shares = np.arange(0.05, 0.99, 0.05)[:, None]
    one = stats.binom.pmf(np.arange(users + 1), users, shares) @ wrong
    return 1 - (1 - one.max()) ** tests


def of_three_levels(test, users, tests):
    """Return the same for values of three levels: users differ by 1/2, by 1, or not."""
    wrong = np.zeros((users + 1, users + 1))
    for half, whole in itertools.product(range(users + 1), repeat=2):
        if 0 < half + whole <= users:
            wrong[half, whole] = sum(
                chance
                for total, chance in _sums_of_signs(half, whole)
                if _p_of_levels(test, total, half, whole, users) < 0.05 / tests
            )
    every = [(half, whole) for half, whole in np.ndindex(wrong.shape) if half + whole <= users]
    counts = np.array([(*one, users - sum(one)) for one in every])
    of_each = np.array([wrong[one] for one in every])
    steps = [share / 20 for share in range(21)]
    result = [
        stats.multinomial.pmf(counts, users, [half, whole, max(0, 1 - half - whole)]) @ of_each
        for half, whole in itertools.product(steps, repeat=2)
        if half + whole <= 1
    ]
    return 1 - (1 - max(result)) ** tests


def _sums_of_signs(half, whole):
    """Return the sums of differences, in halves, of users who differ by one half and by two."""
    chances = np.ones(1)
    for size in [1] * half + [2] * whole:
        grown = np.zeros(len(chances) + 2 * size)
        grown[: len(chances)] += chances / 2
        grown[2 * size :] += chances / 2
        chances = grown
    reach = half + 2 * whole
    return [(n - reach, chance) for n, chance in enumerate(chances) if chance]


@cache
def _p_of_levels(test, total, half, whole, users):
    mean = total / 2 / users
    error = np.sqrt(max(0, half / 4 + whole - users * mean**2) / (users - 1) / users)
    row = {"difference": mean, "standard_error": 0 if error < 1e-12 else error, "users": users}
    row |= {"ties": users - half - whole, "units": users}
    # Only the total matters, not the distribution of the signs over sizes.
    of_whole = next(more for more in range(-whole, whole + 1, 2) if abs(total - 2 * more) <= half)
    signs = ((1, half, total - 2 * of_whole), (2, whole, of_whole))
    sizes = [Size(0, size, count, more) for size, count, more in signs if count]
    return p_value(test, row, sizes=sizes)


def of_hits(chance, test, users=30):
    """Return the same for hits, 0 or 1, of fewer users: by t or by signs."""
    size = (20 * EXPERIMENTS, 5, users)
    off = (chance.random(size) < 0.5).astype(int) - (chance.random(size) < 0.5)
    totals, apart = off.sum(axis=2), abs(off).sum(axis=2)

    p_value = cache(lambda total, count: of_signs(test, total, count, users))
    families = zip(totals.tolist(), apart.tolist(), strict=True)
    p_values = ([*map(p_value, *family)] for family in families)
    return np.mean([min(correct_p_values("holm", family)) < 0.05 for family in p_values])


OF_POLICY = "ips clipped_ips snips dr switch_dr sndr"
OF_LISTS = "ctr@1 matched_share@1"


def decided(chance, metrics, interval="t", experiments=EXPERIMENTS, users=100, each=10):
    """Return the coverage of off-policy values, for users with individual effects."""
    user = np.repeat(np.arange(experiments * users), each)
    logged, other = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
    worth, believed = np.array([1.0, 0.6, 1.4]), np.array([1.2, 0.5, 1.5])
    action = chance.choice(3, len(user), p=logged)
    mood = chance.gamma(2, 0.3, experiments * users)[user] - 0.6
    logs = {
        "user_id": user,
        "item_id": action,
        "reward": worth[action] + mood + chance.exponential(0.5, len(user)) - 0.5,
        "propensity": logged[action],
        "target_probability": other[action],
        "predicted_reward": believed[action],
        "expected_reward": np.full(len(user), other @ believed),
    }
    values = dict.fromkeys([*OF_POLICY.split(), "dm"], other @ worth)
    if metrics == "dm":
        # The reward model, which is unbiased here, is not corrected; values are by user.
        logs["expected_reward"] = other @ worth + mood + chance.normal(0, 0.3, len(user))
    known = {"user_id": np.arange(experiments * users)}
    inputs = {"by": "experiment"}
    if metrics == OF_LISTS:
        for name in ("target_probability", "predicted_reward", "expected_reward"):
            del logs[name]
        values = dict(zip(metrics.split(), (worth[2], logged[2]), strict=True))
        ones = np.ones(len(known["user_id"]), int)
        inputs["recs"] = pa.table(known | {"item_id": 2 * ones, "rank": ones})
    known["experiment"] = known["user_id"] // users
    inputs |= {"logs": pa.table(logs), "users": pa.table(known)}
    rows = sqlrec.evaluate(metrics, **inputs, interval=interval).to_arrow().to_pylist()
    inside = {metric: [] for metric in metrics.split()}
    for row in rows:
        # With counts, a bound can equal the value: the last digit must not decide.
        low, high, value = row["low"] - 1e-9, row["high"] + 1e-9, values[row["request"]]
        inside[row["request"]].append(low <= value <= high)
    return {metric: np.mean(held) for metric, held in inside.items()}


def in_slates(chance, metric, users=100, each=10):
    """Return the same for slates of three positions, with lower weights of lower positions."""
    user = np.repeat(np.arange(EXPERIMENTS * users), 3 * each)
    position = np.tile([1, 2, 3], EXPERIMENTS * users * each)
    logged, other = np.array([0.5, 0.3, 0.2]), np.array([0.3, 0.3, 0.4])
    worth = np.array([1.0, 0.6, 1.4])
    action = chance.choice(3, len(user), p=logged)
    mood = chance.gamma(2, 0.3, EXPERIMENTS * users)[user] - 0.6
    logs = {
        "user_id": user,
        "slate_id": np.arange(len(user)) // 3,
        "position": position,
        "reward": (worth[action] + mood + chance.exponential(0.5, len(user)) - 0.5) / position,
        "propensity": logged[action],
        "target_probability": other[action],
    }
    known = {"user_id": np.arange(EXPERIMENTS * users)}
    known["experiment"] = known["user_id"] // users
    inputs = {"logs": pa.table(logs), "users": pa.table(known), "by": "experiment"}
    rows = sqlrec.evaluate(metric, **inputs, interval="t").to_arrow().to_pylist()
    value = other @ worth * (1 + 1 / 2 + 1 / 3)
    return np.mean([row["low"] <= value <= row["high"] for row in rows])


def of_zeros_and_tails(users, runs=20_000):
    """Return the coverage of means of values: most are 0, the others lognormal."""
    chance = np.random.default_rng(2037)
    values = np.where(chance.random((runs, users)) < 0.7, 0, chance.lognormal(0, 1, (runs, users)))
    error = values.std(axis=1, ddof=1) / np.sqrt(users)
    off = abs(values.mean(axis=1) - 0.3 * np.exp(0.5))
    return np.mean(off <= half_width_in_errors("t", 0.95, users) * error)


UNEVEN = np.array([1, 2, 4, 7, 12, 20, 33, 50, 75, 100])


def by_few_groups(alike, tail=False):
    """Return the coverage with ten groups of correlated users, by plain errors and by CR2.

    Values are normal, or exponential, with a tail.

    Errors follow the page's formulas, like errors and degrees of freedom of an evaluation.
    """
    chance, users = np.random.default_rng(2034), UNEVEN.sum()
    ends = np.cumsum(UNEVEN) - UNEVEN

    def errors(values):
        off = values - values.mean(axis=1, keepdims=True)
        sums = np.add.reduceat(off, ends, axis=1) ** 2
        ratios = [np.ones(10), 1 - UNEVEN / users]
        return [np.sqrt((sums / one).sum(axis=1)) / users for one in ratios]

    some = {"user_id": np.arange(users), "item_id": ["a"] * users}
    values = skewed(chance, users)
    teams = {"user_id": some["user_id"], "team": np.repeat(np.arange(10), UNEVEN)}
    recs, truth = some | {"rank": np.ones(users, int)}, some | {"relevance": values}
    inputs = {"recs": pa.table(recs), "truth": pa.table(truth), "users": pa.table(teams)}
    (row,) = sqlrec.evaluate("cg@1", **inputs, interval=sqlrec.Interval("t", cluster="team"))
    assert np.isclose(row["standard_error"], errors(values[None])[1])
    covered = np.zeros(2)

    def drawn(count):
        sizes = (1000, count)
        return chance.standard_exponential(sizes) - 1 if tail else chance.standard_normal(sizes)

    for _ in range(20):
        groups = np.repeat(drawn(10), UNEVEN, axis=1)
        alone = drawn(users)
        values = np.sqrt(alike) * groups + np.sqrt(1 - alike) * alone
        reached = [stats.t.ppf(0.975, freedom) for freedom in (9, row["degrees_of_freedom"])]
        inside = abs(values.mean(axis=1)) <= np.array(errors(values)) * np.array(reached)[:, None]
        covered += inside.mean(axis=1) / 20
    return covered


def looked_at_daily(method, *, gate=False, runs=2000, days=200, batch=50):
    """Return the share of runs with a false alarm on some day, with more users each day.

    A gate tests one side, of differences whose mean is the margin.
    """
    chance, result = np.random.default_rng(2033), 0
    users = batch * np.arange(1, days + 1)
    limits = "anytime_one_sided" if method == "anytime" and gate else method
    level = 0.9 if gate else 0.95
    reached = [half_width_in_errors(limits, level, count) for count in users.tolist()]
    for _ in range(runs // 100):
        size = (100, days, batch)
        off = skewed(chance, size) - skewed(chance, size)
        sums, squares = (each.sum(axis=2).cumsum(axis=1) for each in (off, off * off))
        errors = np.sqrt((squares - sums**2 / users) / (users - 1) / users)
        apart = -sums / users / errors
        result += ((apart if gate else abs(apart)) > reached).any(axis=1).sum()
    return result / runs


def judged(labeled, noise, runs=3000):
    """Return the coverage of means by labels of some users and a biased judge of all users.

    Also return the width of their intervals, relative to those from labels only.
    """
    chance, covers, width, by_labels = np.random.default_rng(2035), 0, 0.0, 0.0
    for _ in range(runs):
        values = chance.beta(0.7, 1.3, 11 * labeled)
        judge = values + 0.1 + chance.normal(0, noise, values.size)
        labels = values[:labeled].tolist()
        result = prediction_powered(
            labels, judge[:labeled].tolist(), judge[labeled:].tolist(), 0.95
        )
        _, low, high = labels_mean(labels, 0.95)
        covers += result["low"] <= 0.35 <= result["high"]
        width += result["high"] - result["low"]
        by_labels += high - low
    return covers / runs, width / by_labels


def adjusted(chance, evaluated=50, times=10):
    """Return adjusted means of a tenth of the users, with columns of all users, by experiment."""
    count = EXPERIMENTS * evaluated * times
    ids = np.arange(count)
    active, country = chance.gamma(2, size=count), chance.choice([*"abc"], count, p=[0.6, 0.3, 0.1])
    values = active + 2 * (country == "c") + chance.gamma(2, size=count) / 2
    known = {"user_id": ids, "experiment": ids // evaluated // times}
    some = {"user_id": ids[ids % times == 0], "item_id": ["a"] * (count // times)}
    rows = sqlrec.evaluate(
        "cg@1",
        recs=pa.table(some | {"rank": np.ones(count // times, int)}),
        truth=pa.table(some | {"relevance": values[::times]}),
        users=pa.table(known | {"active": active, "country": country}),
        rules=sqlrec.Rules(population="judged"),
        interval=sqlrec.Interval(adjust="active country"),
        by="experiment",
    )
    return np.mean([row["low"] <= 3.2 <= row["high"] for row in rows.to_arrow().to_pylist()])


def preferred(chance, **options):
    """Return the rate of significant preferences if people have none on average."""
    users, lists = 40, 5
    count = EXPERIMENTS * users * lists
    user = np.repeat(np.arange(EXPERIMENTS * users), lists)
    # A user's preference is the same in all lists.
    likes = chance.beta(0.5, 0.5, EXPERIMENTS * users)[user]
    click = (chance.random(count) < likes).astype(int)
    impression = np.arange(count)
    inputs = pa.table(
        {
            "impression_id": np.concatenate([impression, impression]),
            "user_id": np.concatenate([user, user]),
            "model": np.repeat(["als", "pop"], count),
            "click": np.concatenate([click, 1 - click]),
            "experiment": np.concatenate([user, user]) // users,
        }
    )
    rows = sqlrec.interleaved(inputs, by="experiment", correction="none", **options)
    return alarms(rows.to_arrow().to_pylist())


# Differences of users, for searches of segments.
DIFFERENCES = {
    "hits, 5% lose and 8% win": lambda chance, n: chance.choice(
        [-1.0, 0, 1], n, p=[0.05, 0.87, 0.08]
    ),
    "rare hits, 1% lose and 2% win": lambda chance, n: chance.choice(
        [-1.0, 0, 1], n, p=[0.01, 0.97, 0.02]
    ),
    "60% equal, the other 40% normal": lambda chance, n: np.where(
        chance.random(n) < 0.4, chance.normal(0.02, 0.2, n), 0
    ),
    "70% equal, the other 30% lognormal": lambda chance, n: np.where(
        chance.random(n) < 0.3, chance.lognormal(0, 1, n), 0
    ),
}


def columns_of_users(chance, users):
    """Draw 12 columns of two, four or twenty values, balanced and unbalanced, some 50 in total."""
    yield from (chance.permutation(users) * 4 // users for _ in range(4))
    shares = 1 / np.arange(1, 22)
    yield chance.choice(21, users, p=shares / shares.sum())
    yield from (chance.choice(5, users, p=[0.6, 0.2, 0.1, 0.06, 0.04]) for _ in range(3))
    yield from (chance.choice(3, users) for _ in range(2))
    yield from (chance.random(users) < share for share in (0.05, 0.3))


def searched(draw, *, users=1000, runs=EXPERIMENTS, effect=0.0):
    """Return the share of false findings, and that of runs that find the segment with an effect.

    Users with the first value of the first column have larger differences, by ``effect`` standard
    deviations.
    """
    chance = np.random.default_rng(2033)
    false, true = [], []
    for _ in range(runs):
        columns = [*columns_of_users(chance, users)]
        values = draw(chance, users)
        values = values + effect * values.std() * (columns[0] == 0)
        p_values = {}
        for number, column in enumerate(columns):
            names, sizes = np.unique(column, return_counts=True)
            names = names[sizes.argmin() :][:1] if len(names) == 2 else names
            for name in names:
                parts = values[column == name], values[column != name]
                if min(map(len, parts)) >= 30:
                    p_values[number, name] = tested(*parts)
        corrections = correct_p_values("bh", [*p_values.values()])
        result = {
            key for key, p in zip(p_values, corrections, strict=True) if p is not None and p < 0.05
        }
        # With an effect, all values of the first column differ from the other values.
        wrong = [key for key in result if key[0] or not effect]
        false.append(len(wrong) / len(result) if result else 0.0)
        true.append((0, 0) in result)
    return np.mean(false), np.mean(true)


def tested(own, rest):
    """Return p of a segment against the other users, as in searches."""
    return interaction_p(*(Sample(len(x), x.mean(), x.var() * len(x)) for x in (own, rest)))


def rates():
    """Return the rows of the table: the simulated case, and the share of experiments."""
    rng, chance = np.random.default_rng, np.random.default_rng(2026)
    result = {"`t`, 100 users, skewed: coverage": covered(compared(chance, 100, skewed))}
    for test in ("t", "wilcoxon", "sign"):
        rows = compared(chance, 20, tied, test=test)
        result[f"`{test}`, 20 users, ties: false alarms"] = alarms(rows)
    result["`permutation`, 20 users, ties: false alarms"] = alarms(compared(rng(2036), 20, tied))
    for kind, sizes in (("even", [10] * 10), ("uneven", [1, 2, 3, 4, 5, 6, 9, 12, 20, 38])):
        groups = homes(sizes)
        rows = compared(chance, 100, in_homes(groups), groups=groups)
        result[f"`t`, 100 users in 10 {kind} clusters: coverage"] = covered(rows)
    result["`t`, 5 metrics of 50 users, ties, `holm`: any false alarm"] = several(chance)
    by_columns = "`adjust`, 50 of 500 users, by a number and a category: coverage"
    result[by_columns] = adjusted(rng(2027))
    hits = (("t", 30, 2028), ("sign", 30, 2028), ("mcnemar", 30, 2028), ("mcnemar", 20, 2031))
    for test, users, seed in hits:
        name = f"`{test}`, 5 metrics of {users} users, hits, `holm`: any false alarm"
        result[name] = of_hits(rng(seed), test, users)
    sndr, dm = (decided(rng(seed), name)[name] for name, seed in (("sndr", 2029), ("dm", 2030)))
    result["`t` of `sndr`, 100 users with ten decisions each: coverage"] = sndr
    result["`t` of `dm`, ten decisions each, unbiased model: coverage"] = dm
    slates = {"": "100 users with ten slates each", "(divide_by=weights)": "ten slates each"}
    for form, data in slates.items():
        rate = in_slates(rng(2032), f"slate_ips{form}")
        result[f"`t` of `slate_ips{form}`, {data}: coverage"] = rate
    result["`interleaved`, 40 users with 5 lists each: false alarms"] = preferred(chance)
    by_lists = '`interleaved(unit="impression")`, 5 lists each: false alarms'
    result[by_lists] = preferred(chance, unit="impression")
    return {name: float(rate) for name, rate in result.items()}


if __name__ == "__main__":
    print("| method and data: measured share | share in 1,000 experiments |\n| --- | --- |")
    for name, rate in rates().items():
        print(f"| {name} | {100 * rate:.1f}% |")
