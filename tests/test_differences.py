"""Differences of metrics that are not plain means over users: pooled, weighted, of all lists."""

import math
from random import Random

import numpy as np
import pyarrow as pa
from pytest import approx, fixture, mark, raises

import sqlrec
from sqlrec.statistics.formulas import half_width_in_errors
from sqlrec.statistics.pairs import ratio_score_test_p

from .packages import stats
from .tables import decisions, lists, of_users, scored, table, wanted
from .test_resampling import drawn
from .test_statistics import by_number, compared, compared_each, evaluated, rows_of, valued

USERS = 40


@fixture
def chance():
    return np.random.default_rng(5)


@fixture(scope="module")
def rated():
    """Return scores of two models and grades of the same items, with different numbers by user."""
    random = Random(3)
    models, truth = {"als": {}, "pop": {}}, {}
    for user in (f"u{n}" for n in range(USERS)):
        items = [f"i{n}" for n in range(random.randint(2, 9))]
        truth[user] = dict(
            zip(items, [1, 0, *(random.randint(0, 1) for _ in items[2:])], strict=True)
        )
        for model, noise in (("als", 0.9), ("pop", 1.3)):
            models[model][user] = {
                item: truth[user][item] + random.gauss(0, noise) for item in items
            }
    return models, truth


def linear_error(values, model="als", baseline="pop", each=1):
    """Return the error of a difference from its numerical slopes in the users' weights.

    values(model, weights) is the metric with users counted by weights. A cluster is a number of
    consecutive users.
    """
    slopes, step = [], 1e-5
    for user in range(USERS):
        sides = []
        for sign in (1, -1):
            weights = np.ones(USERS)
            weights[user] += sign * step
            sides.append(values(model, weights) - values(baseline, weights))
        slopes.append((sides[0] - sides[1]) / (2 * step))
    count = USERS // each
    sums = np.reshape(slopes, (count, each)).sum(axis=1)
    return math.sqrt(count / (count - 1) * sum(sums**2))


def is_linearized(row, values, error, users=USERS):
    """Check a row by a metric of weights: its values, its error, and t's interval and p."""
    ones = np.ones(users)
    difference = values("als", ones) - values("pop", ones)
    assert row["method"] == "delta" and row["users"] == users
    assert row["value"] == approx(values("als", ones), rel=1e-12)
    assert row["difference"] == approx(difference, rel=1e-9)
    assert row["standard_error"] == approx(error, rel=1e-6)
    reach = stats.t.ppf(0.975, users - 1) * row["standard_error"]
    assert (row["low"], row["high"]) == approx((difference - reach, difference + reach))
    t = difference / row["standard_error"]
    assert row["p"] == approx(2 * stats.t.sf(abs(t), users - 1), rel=1e-9)


def test_pooled_and_weighted_means_are_linearized_by_user(rated):
    models, truth = rated
    recs = {name: scored(had) for name, had in models.items()}
    off = {
        name: [[had[user][i] - truth[user][i] for i in truth[user]] for user in truth]
        for name, had in models.items()
    }
    counts = np.array([len(items) for items in truth.values()])

    def pooled(function):
        sums = {name: [sum(map(function, one)) for one in had] for name, had in off.items()}
        return lambda model, weights: (weights @ sums[model]) / (weights @ counts)

    def auc(model, user):
        relevant, others = (
            [models[model][user][i] for i, grade in truth[user].items() if grade == side]
            for side in (1, 0)
        )
        return np.mean([high > low for high in relevant for low in others])

    aucs = {model: [auc(model, user) for user in truth] for model in models}
    mse, mae = pooled(lambda error: error**2), pooled(abs)
    expected = {
        "mse": mse,
        "mae": mae,
        "rmse": lambda *of: math.sqrt(mse(*of)),
        "gauc(weight=impressions)": lambda model, w: w @ (counts * aucs[model]) / (w @ counts),
    }
    inputs = {"truth": wanted(truth), "population": "truth_and_recs", "baseline": "pop"}
    inputs["correction"] = "none"
    result = sqlrec.compare([*expected, "gauc"], recs=recs, **inputs)
    *rows, plain = rows_of(result)
    for row, values in zip(rows, expected.values(), strict=True):
        is_linearized(row, values, linear_error(values))
    homes = table(
        [(user, f"h{n // 4}") for n, user in enumerate(truth)],
        user_id=pa.string(),
        home=pa.string(),
    )
    grouped = sqlrec.compare([*expected], recs=recs, **inputs, users=homes, cluster="home")
    for row, values in zip(rows_of(grouped), expected.values(), strict=True):
        assert row["standard_error"] == approx(linear_error(values, each=4), rel=1e-6)
    assert plain["method"] == "mean"
    # Users win and lose by their own values, regardless of weights.
    assert [rows[3][name] for name in ("wins", "ties", "losses")] == [
        plain[name] for name in ("wins", "ties", "losses")
    ]
    shown = str(result)
    assert "Linearized by user: mse" in shown


def test_means_of_other_kinds_are_linearized_by_user():
    random = Random(8)
    models = {
        name: {f"u{n}": random.sample("abcdefgh", 3) for n in range(USERS)}
        for name in ("als", "pop")
    }
    truth = {f"u{n}": random.sample("abcdefgh", random.randint(1, 4)) for n in range(USERS)}
    hits = {
        name: np.array([[item in truth[u] for item in had[u]] for u in truth])
        for name, had in models.items()
    }
    wants = np.array([len(items) for items in truth.values()])
    recall = {name: had.sum(1) / wants for name, had in hits.items()}
    ranks = np.arange(1, 4)
    ap = {name: (had * had.cumsum(1) / ranks).sum(1) / wants for name, had in hits.items()}

    def f_of_means(model, weights):
        precision, result = (
            weights @ each / weights.sum() for each in (hits[model].mean(1), recall[model])
        )
        return 5 * precision * result / (4 * precision + result)

    expected = {
        "gmap@3": lambda m, w: math.exp(w @ np.log(np.maximum(ap[m], 1e-5)) / w.sum()),
        "f_beta(of=means,beta=2)@3": f_of_means,
    }
    recs = {name: lists(had) for name, had in models.items()}
    options = {"recs": recs, "truth": wanted(truth), "baseline": "pop"}
    requests = [*expected, "item_count@3", "precision@3"]
    rows = rows_of(sqlrec.compare(requests, **options, test="t", correction="none"))
    for row, values in zip(rows, expected.values(), strict=False):
        is_linearized(row, values, linear_error(values))
    # The number of all hits is the precision, times 3, times the number of users.
    count, precision = rows[2:]
    assert count["standard_error"] == approx(precision["standard_error"] * 3 * USERS)
    assert (count["value"], count["p"]) == approx((precision["value"] * 3 * USERS, precision["p"]))


def test_estimates_of_logged_decisions_are_linearized_by_user():
    random = Random(4)
    users = [f"u{n}" for n in range(USERS)]
    logged = [
        (user, random.choice("abcd"), random.gauss(1, 1), random.uniform(0.2, 0.9))
        for user in users
        for _ in range(random.randint(1, 10))
    ]
    models = {name: {user: random.sample("abcd", 2) for user in users} for name in ("als", "pop")}

    def sums(model):
        result = {user: np.zeros(3) for user in users}
        for user, item, reward, propensity in logged:
            weight = (item in models[model][user]) / propensity
            result[user] += (weight * reward, weight, 1)
        return np.array([*result.values()])

    by_user = {model: sums(model) for model in models}
    expected = {
        "snips@2": lambda m, w: (w @ by_user[m][:, 0]) / (w @ by_user[m][:, 1]),
        "ips@2": lambda m, w: (w @ by_user[m][:, 0]) / (w @ by_user[m][:, 2]),
    }
    recs = {name: lists(had) for name, had in models.items()}
    logs = decisions("user_id item_id reward propensity", *logged)
    options = {"recs": recs, "logs": logs, "truth": None, "baseline": "pop"}
    for row, values in zip(
        rows_of(sqlrec.compare([*expected], **options)), expected.values(), strict=True
    ):
        is_linearized(row, values, linear_error(values))
        assert row["wins"] is row["ties"] is None
    alone = rows_of(sqlrec.compare("matched_share@2 ctr@2", **options))
    evaluated = sqlrec.evaluate("matched_share@2 ctr@2", recs=recs, logs=logs, truth=None)
    values = {(row["model"], row["metric"]): row["value"] for row in rows_of(evaluated)}
    for row in alone:
        assert row["value"] == approx(values["als", row["metric"]])
        assert row["baseline_value"] == approx(values["pop", row["metric"]])


def test_estimates_by_models_of_rewards_have_intervals_by_user():
    random = Random(5)
    logged = []
    for user in range(USERS):
        for _ in range(random.randint(1, 10)):
            reward, expected = random.expovariate(1), random.uniform(0, 1)
            likely = (random.uniform(0.1, 0.9), random.uniform(0, 1))
            logged.append((f"u{user:02}", reward, *likely, reward / 2 + expected, expected))
    names = "user_id reward propensity target_probability predicted_reward expected_reward"
    logs = decisions(names, *logged)
    sums = np.zeros((USERS, 4))
    for user, reward, propensity, target, predicted, expected in logged:
        weight = target / propensity
        sums[int(user[1:])] += (expected, 1, weight * (reward - predicted), weight)

    def sndr(model, weights):
        expected, count, off, weight = weights @ sums
        return (expected / count + off / weight) * (model == "als")

    (row,) = rows_of(sqlrec.evaluate("sndr", logs=logs, interval="t"))
    assert row["value"] == approx(sndr("als", np.ones(USERS)))
    assert row["standard_error"] == approx(linear_error(sndr), rel=1e-6)
    reach = half_width_in_errors("t", 0.95, USERS) * row["standard_error"]
    assert (row["low"], row["high"]) == approx((row["value"] - reach, row["value"] + reach))
    (drawn,), (moved,) = (
        rows_of(sqlrec.evaluate("sndr", logs=logs, interval=sqlrec.Interval(how, replicates=2000)))
        for how in ("bootstrap", "bca")
    )
    # Rewards are skewed, and so are their intervals by BCa.
    assert (
        drawn["standard_error"] == moved["standard_error"] == approx(row["standard_error"], rel=0.1)
    )
    ends = [(one["low"], one["high"]) for one in (drawn, moved)]
    assert ends[0] != ends[1]
    for low, high in ends:
        assert low < row["value"] < high
        assert high - low == approx(2 * reach, rel=0.15)


@mark.slow
def test_metrics_of_all_lists_are_bootstrapped_for_both_models():
    random = Random(2)
    models = {
        name: {f"u{n}": random.sample("abcdefghijklmnop"[:most], 2) for n in range(12)}
        for name, most in (("als", 16), ("pop", 6))
    }
    recs = {name: lists(had) for name, had in models.items()}
    truth = wanted(dict.fromkeys(models["als"], "a"))
    catalog = pa.table({"item_id": [*"abcdefghijklmnop"]})
    options = {"recs": recs, "truth": truth, "catalog": catalog, "baseline": "pop"}
    result = sqlrec.compare("coverage@2 mrr@2", **options, replicates=1000)
    row, mean = rows_of(result)

    def coverage(model, replicate):
        shown = {
            i for user, items in models[model].items() if drawn(user, replicate) for i in items
        }
        return len(shown) / 16

    off = [coverage("als", draw) - coverage("pop", draw) for draw in range(200)]
    error = np.std(off, ddof=1)
    assert (row["method"], row["standard_error"]) == ("bootstrap", approx(error))
    assert (row["difference"], row["users"]) == (row["value"] - row["baseline_value"], 12)
    reach = stats.t.ppf(0.975, 199) * error
    assert row["high"] == approx(row["difference"] + reach)
    assert row["p"] == approx(2 * stats.t.sf(row["difference"] / error, 199))
    assert row["wins"] is row["losses"] is None and mean["method"] == "mean"
    assert "By bootstrap samples of users: coverage@2" in " ".join(str(result).split())


def test_other_metrics_have_a_difference_without_error():
    recs = {"als": lists({"ann": "ab", "bob": "cd"}), "pop": lists({"ann": "ab", "bob": "ba"})}
    truth = wanted({"ann": "a", "bob": "b"}).append_column("home", pa.array(["x", "y"]))
    options = {"recs": recs, "truth": truth, "baseline": "pop", "catalog": lists({"x": "abcd"})}
    result = sqlrec.compare("mrr@2 coverage@2", **options, cluster="home", correction="tukey")
    _, row = rows_of(result)
    assert (row["difference"], row["clusters"], row["method"]) == (0.5, None, None)
    assert [row[name] for name in ("low", "high", "p", "p_adjusted", "detectable")] == [None] * 5
    assert [row["users"] for row in rows_of(result.worse())] == [2]


def test_all_tests_and_corrections_apply_to_metrics_other_than_means(rated):
    models, truth = rated
    recs = {name: scored(had) for name, had in models.items()}
    options = {
        "recs": recs,
        "truth": wanted(truth),
        "population": "truth_and_recs",
        "baseline": "pop",
    }
    (plain,) = rows_of(sqlrec.compare("rmse", **options))
    for more in (
        {"test": "randomization", "interval": "bootstrap", "replicates": 2000},
        {"correction": "tukey"},
    ):
        (row,) = rows_of(sqlrec.compare("rmse", **options, **more))
        assert row["p_adjusted"] == approx(plain["p"], abs=0.01)
        assert row["low"] == approx(plain["low"], abs=0.03)


class TestMargins:
    """Margins compared with SciPy: values are shifted by the margin."""

    @fixture
    def pair(self, chance):
        als, pop = chance.gamma(4, size=(2, 50))
        return als + 0.2, pop

    @staticmethod
    def compared(pair, **options):
        als, pop = map(by_number, pair)
        return compared(als, pop, **options)

    def test_p_values_with_margins_equal_scipys(self, pair):
        als, pop = pair
        # Higher values of cg are better.
        expected = {
            "greater": stats.ttest_rel(als, pop + 0.3, alternative="greater").pvalue,
            "less": stats.ttest_rel(als, pop - 0.3, alternative="less").pvalue,
            "noninferior": stats.ttest_rel(als, pop - 0.3, alternative="greater").pvalue,
            "equivalent": max(
                stats.ttest_rel(als, pop - 0.3, alternative="greater").pvalue,
                stats.ttest_rel(als, pop + 0.3, alternative="less").pvalue,
            ),
        }
        for alternative, p in expected.items():
            row = self.compared(pair, alternative=alternative, margin=0.3)
            assert row["p"] == row["p_adjusted"] == approx(p, rel=1e-9)
            # The ends of the interval are the limits of one-sided tests.
            interval = stats.ttest_rel(als, pop).confidence_interval(0.9)
            assert (row["low"], row["high"]) == approx((interval.low, interval.high))
        alone = self.compared(pair, alternative="greater", test="t")
        assert alone["p"] == approx(stats.ttest_rel(als, pop, alternative="greater").pvalue)

    def test_relative_margins_include_the_error_of_the_baseline(self, pair):
        als, pop = pair
        for alternative, share, side in (
            ("noninferior", -0.1, "greater"),
            ("greater", 0.1, "greater"),
            ("less", -0.1, "less"),
        ):
            p = stats.ttest_rel(als, pop * (1 + share), alternative=side).pvalue
            row = self.compared(pair, alternative=alternative, margin="10%")
            assert row["p"] == approx(p, rel=1e-9)
        row = self.compared(pair, level=0.8)
        for limit in (row["relative_low"], row["relative_high"]):
            # At its ends, the relative difference is just significant.
            p = stats.ttest_rel(als, pop * (1 + limit)).pvalue
            assert p == approx(0.2, rel=1e-9)

    def test_are_not_worse_where_less_is_better(self):
        random = Random(1)
        truth = wanted({f"u{n}": {"a": random.random()} for n in range(30)})
        recs = {
            name: scored({f"u{n}": {"a": random.gauss(0, 0.1)} for n in range(30)})
            for name in ("als", "pop")
        }
        inputs = {"recs": recs, "truth": truth, "baseline": "pop", "population": "truth_and_recs"}
        margin = {"mae(average=users)@all": 0.05, "": "5%"}
        rows = rows_of(
            sqlrec.compare(
                "mae(average=users)@all rmse popularity_count@1",
                **inputs,
                history=lists({"ann": "a"}),
                alternative="noninferior",
                margin=margin,
            )
        )
        mae, rmse, neither = rows
        t = (0.05 - mae["difference"]) / mae["standard_error"]
        assert mae["p"] == approx(stats.t.sf(t, 29))
        assert 0 < rmse["p"] < 1 and rmse["method"] == "delta" and neither["p"] is None

    @mark.slow
    def test_of_whole_lists_and_of_groups_of_users_hold_too(self):
        random = Random(2)
        users = [f"u{n}" for n in range(24)]
        recs = {
            name: lists({u: random.sample("abcdef", 2) for u in users}) for name in ("als", "pop")
        }
        truth = wanted(dict.fromkeys(users, "ab"))
        homes = pa.table({"user_id": users, "home": [f"h{n // 3}" for n in range(24)]})
        inputs = {"recs": recs, "truth": truth, "baseline": "pop", "alternative": "equivalent"}
        result = sqlrec.compare("entropy@2", **inputs, margin="60%")
        (row,) = rows_of(result)
        assert row["method"] == "bootstrap" and row["p"] < 0.05
        assert "= as good as pop" in " ".join(str(result).split())
        assert row["relative_low"] < row["relative_difference"] < row["relative_high"]
        result = sqlrec.compare("recall@2", **inputs, margin="50%", users=homes, cluster="home")
        (row,) = rows_of(result)
        values = sqlrec.evaluate("recall@2", recs=recs, truth=truth).per_user().to_pandas()
        values = values.pivot(index="user_id", columns="model", values="value").loc[users]
        sums = {}
        for sign in (-1, 1):
            off = (values["als"] - (1 + sign * 0.5) * values["pop"]).to_numpy()
            of_groups = (off - off.mean()).reshape(8, 3).sum(axis=1)
            error = math.sqrt(8 / 7 * (of_groups**2).sum()) / 24
            sums[sign] = stats.t.sf(-sign * off.mean() / error, 7)
        assert row["p"] == approx(max(sums.values()), rel=1e-9)
        with raises(sqlrec.InputError, match=r"worse\(\) and alternative='equivalent'"):
            result.worse()

    def test_equal_differences_have_exact_p_values(self):
        pair = (np.arange(9) + 1.0, np.arange(9) + 0.0)
        assert self.compared(pair, alternative="noninferior", margin=0)["p"] == 2**-9
        assert self.compared(pair, alternative="less")["p"] == 1 - 2**-9
        assert self.compared(pair, alternative="less", test="t")["p"] == 1
        one = ([1.0], [0.0])
        assert self.compared(one, alternative="greater")["p"] is None

    @mark.parametrize(
        "alternative, margin, share",
        [("noninferior", "10%", 0.9), ("equivalent", 0.1, 0.9), ("equivalent", "10%", 1 / 1.1)],
    )
    def test_equal_users_have_a_binomial_p_value(self, alternative, margin, share):
        """If a tenth of all users lose, samples of 20 users have none of them in 12% of cases.

        1.1 times the baseline's hits are the hits of a baseline without a share of 0.1 / 1.1.
        """
        inputs = of_users(20, {"als": "a", "pop": "a"}) | {"baseline": "pop"}
        options = {"alternative": alternative, "margin": margin}
        (row,) = rows_of(sqlrec.compare("hit_rate@1", **inputs, **options))
        assert row["standard_error"] == 0
        assert row["p"] == approx(share**20, rel=1e-12)

    def test_hits_have_the_score_test(self):
        """By t, one loss among 30 users would be evidence that fewer than a tenth lose."""
        result = {f"u{n}": "b" if n < 1 else "a" for n in range(30)}
        recs = {"als": lists(result), "pop": lists(dict.fromkeys(result, "a"))}
        inputs = {"recs": recs, "truth": wanted(dict.fromkeys(result, "a")), "baseline": "pop"}
        inputs |= {"alternative": "noninferior", "margin": 0.1}
        (row,) = rows_of(result := sqlrec.compare("hit_rate@1", **inputs))
        assert row["test"] == "score"
        assert row["p"] == approx(stats.binom.cdf(1, 30, 0.1), rel=1e-12)
        assert "p: score test for 0/1 values" in " ".join(str(result).split())
        # All users have a hit of the baseline, so a share of them is a share of users.
        (row,) = rows_of(sqlrec.compare("hit_rate@1", **inputs | {"margin": "10%"}))
        assert row["test"] == "score"
        assert row["p"] == approx(stats.binom.cdf(1, 30, 0.1), rel=1e-12)
        (row,) = rows_of(sqlrec.compare("hit_rate@1", **inputs | {"margin": "10%"}, test="t"))
        expected = stats.t.sf((0.1 - 1 / 30) / (1 / 30), 29)
        assert row["test"] == "t" and row["p"] == approx(expected, rel=1e-9)

    @mark.parametrize(
        ("alternative", "ratios"),
        [
            ("noninferior", [(1, 0.9)]),
            ("greater", [(1, 1.1)]),
            ("less", [(-1, 1 / 0.9)]),
            ("equivalent", [(1, 0.9), (-1, 1 / 1.1)]),
        ],
    )
    def test_relative_margins_of_hits_are_ratios(self, alternative, ratios):
        """12 users with hits of both models, 3 gains, 4 losses, 2 users without a hit."""
        als = np.array([*[1.0] * 15, *[0.0] * 6])
        pop = np.array([*[1.0] * 12, *[0.0] * 3, *[1.0] * 4, *[0.0] * 2])
        row = self.compared((als, pop), alternative=alternative, margin="10%")
        result = [ratio_score_test_p(12, *([3, 4][::side]), 21, ratio) for side, ratio in ratios]
        assert (row["test"], row["p"]) == ("score", approx(max(result), rel=1e-12))
        assert 0 < row["p"] < 1

    def test_equal_differences_of_unbounded_values_have_no_p(self):
        alike, worse = (
            (by_number(np.arange(9) + less), by_number(np.arange(9) + 1.0)) for less in (1.0, 0.0)
        )
        for alternative in ("noninferior", "equivalent"):
            rows = compared_each(alike, worse, alternative=alternative, margin=0.1)
            assert [row["p"] for row in rows] == [None, 1]
            assert compared(*alike, alternative=alternative, margin="10%")["p"] is None

    @mark.parametrize(
        ("options", "message"),
        [
            ({"margin": 1}, "margin=1 and alternative='two-sided': give alternative='noninferior'"),
            ({"alternative": "equivalent"}, "alternative='equivalent' and margin=None: give the"),
            ({"alternative": "less", "test": "sign"}, "and test='sign': give test='auto'$"),
            ({"alternative": "less", "correction": "tukey"}, "and correction='tukey': give"),
            ({"alternative": "less", "level": 0.4}, "level=0.4: one-sided tests need a level"),
            ({"alternative": "less", "margin": {"mrr@1": 1}}, "margin of mrr@1, which is not"),
            ({"alternative": "less", "margin": "-1%"}, "a margin is 0 or more"),
            ({"alternative": "more"}, "alternative='more': choose from"),
        ],
    )
    def test_invalid_margins_are_refused(self, pair, options, message):
        with raises(sqlrec.InputError, match=message):
            self.compared(pair, **options)


class TestAlways:
    """Intervals that are valid under continuous monitoring."""

    def test_intervals_for_monitoring_equal_the_paper(self, chance):
        had = chance.gamma(2, size=300)
        for level in (0.95, 0.8):
            alpha, n = 1 - level, 300
            # The shortest for 1,000 users, by their equation 24.
            rho2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / 1000
            reach = math.sqrt(
                2 * (n * rho2 + 1) / (n * n * rho2) * math.log(math.sqrt(n * rho2 + 1) / alpha)
            )
            row = evaluated(by_number(had), interval="anytime", level=level)
            assert row["high"] == approx(had.mean() + reach * had.std(ddof=1), rel=1e-12)

    def test_intervals_for_monitoring_agree_with_p(self, chance):
        als, pop = map(by_number, chance.gamma(2, size=(2, 300)) + np.array([[0.5], [0]]))
        options = {"interval": "anytime", "test": "anytime"}
        levels = (0.5, 0.9, 0.999)
        result = [compared(als, pop, **options, level=level) for level in levels]
        out = [row["low"] > 0 for row in result]
        assert out == [row["p"] < 1 - level for row, level in zip(result, levels, strict=True)]
        assert True in out and False in out
        assert compared(als, als, **options)["p"] is None

    def test_interval_and_test_default_to_each_other(self, chance):
        als, pop = (by_number(chance.normal(size=120)) for _ in range(2))
        sure = compared(als, pop, interval="anytime", test="anytime")
        for options in ({"interval": "anytime"}, {"test": "anytime"}):
            assert compared(als, pop, **options) == sure
        by_t = compared(als, pop)
        narrow = compared(als, pop, interval="t", test="anytime")
        assert (narrow["low"], narrow["p"]) == (by_t["low"], sure["p"])
        wide = compared(als, pop, interval="anytime", test="t")
        assert (wide["low"], wide["p"]) == (sure["low"], by_t["p"])

    def test_of_an_alternative_agrees_with_the_one_sided_limit(self, chance):
        als, pop = (by_number(chance.normal(size=120)) for _ in range(2))
        options = {"interval": "anytime", "alternative": "noninferior"}
        low = compared(als, pop, **options, margin=1)["low"]
        for margin, significant in ((1e-9 - low, True), (-1e-9 - low, False)):
            row = compared(als, pop, **options, margin=margin)
            assert row["test"] == "anytime" and (row["p"] < 0.05) is significant

    def test_merged_days_have_the_interval_of_all_users(self, chance):
        had = chance.gamma(2, size=80)
        first, second, both = (
            sqlrec.evaluate("cg@1", **valued({"a": by_id(values)}), interval="anytime")
            for values in (
                dict(enumerate(had[:30])),
                {n: had[n] for n in range(30, 80)},
                dict(enumerate(had)),
            )
        )
        (row,), (expected,) = rows_of(second.merge(first.to_arrow())), rows_of(both)
        assert (row["low"], row["high"]) == approx((expected["low"], expected["high"]))


def by_id(had):
    return {f"u{user}": value for user, value in had.items()}


def test_effects_have_sizes_with_intervals(chance):
    als, pop = chance.gamma(4, size=(2, 50))
    row = compared(by_number(als), by_number(pop), level=0.9)
    d = (als - pop).mean() / (als - pop).std(ddof=1)
    reach = stats.t.ppf(0.95, 49) * math.sqrt(1 / 50 + d**2 / 100)
    names = ("effect_size", "effect_low", "effect_high")
    assert [row[name] for name in names] == approx([d, d - reach, d + reach])
    share = stats.binomtest(int((als > pop).sum()), 50).proportion_ci(0.9, "wilson")
    assert row["win_share"] == (als > pop).mean()
    assert (row["win_share_low"], row["win_share_high"]) == approx((share.low, share.high))
