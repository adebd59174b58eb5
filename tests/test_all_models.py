"""All models at once: every pair, letters, ranks over data sets, and corrections."""

import itertools
import math
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from pytest import approx, fixture, raises

import sqlrec
from sqlrec import cli
from sqlrec.statistics import planning
from sqlrec.statistics.all_models import friedman_tests, letter_display, pooled_p
from sqlrec.statistics.distributions import signed_ranks_outside, t_outside
from sqlrec.statistics.formulas import correct_p_values

from .packages import stats
from .tables import lists, wanted
from .test_statistics import by_number, rows_of, valued


@fixture
def chance():
    return np.random.default_rng(3)


def of_models(had, **columns):
    """Return inputs of models, each with an array of values, with a row per user."""
    return valued(
        {name: by_number(had[:, n]) for n, name in enumerate("abcd"[: had.shape[1]])}, **columns
    )


class TestPairs:
    def test_pairs_keep_the_order_of_models(self):
        recs = {
            name: lists({"ann": items, "bob": "ba"}) for name, items in (("z", "a"), ("b", "b"))
        }
        result = sqlrec.compare("mrr@2", recs=recs, truth=wanted({"ann": "a", "bob": "a"}))
        (row,) = rows_of(result)
        assert (row["model"], row["baseline"], row["difference"]) == ("b", "z", -0.5)
        assert "z - b" in str(result) and "baseline" in result.to_arrow().column_names

    def test_pairs_have_a_plot_but_no_report(self, chance):
        result = sqlrec.compare("cg@1", **of_models(chance.gamma(3, size=(40, 3))))
        plot = result.plot.forest()
        assert {row["segment"] for row in plot.rows} == {"b - a", "c - a", "c - b"}
        assert plot.chart.title == "Difference from the second model"
        with raises(sqlrec.InputError, match="compare with a baseline"):
            result.plot.differences()
        results = sqlrec.evaluate("cg@1", **of_models(chance.gamma(3, size=(40, 3)))).to_arrow()
        with raises(sqlrec.InputError, match="comparison has every pair of models"):
            sqlrec.report(results=results, comparison=result.to_arrow())

    def test_pairs_need_common_users(self):
        recs = {"a": lists({"ann": "a"}), "b": lists({"bob": "a"})}
        arguments = {"recs": recs, "truth": wanted({"ann": "a", "bob": "a"})}
        arguments["population"] = "truth_and_recs"
        with raises(sqlrec.InputError, match="no user has values of two models"):
            sqlrec.compare("mrr@1", **arguments)
        with raises(sqlrec.InputError, match="correction='dunnett' and baseline=None"):
            sqlrec.compare("mrr@1", **arguments, correction="dunnett")
        arguments["population"] = "truth"
        with raises(sqlrec.InputError, match=r"by_model\(\) needs a baseline"):
            sqlrec.compare("mrr@1", **arguments).by_model()
        with raises(sqlrec.InputError, match="needs two-sided tests of every pair"):
            sqlrec.compare("mrr@1", **arguments, baseline="a").ranks()
        with raises(sqlrec.InputError, match="over='land' is not a segment"):
            sqlrec.compare("mrr@1", **arguments).ranks("land")


class TestCorrections:
    def test_corrections_for_one_baseline_equal_dunnetts(self, chance):
        had = (
            chance.gamma(3, size=(20, 4))
            + chance.gamma(3, size=(20, 1))
            + np.array([0, 0.2, 0.5, 1])
        )
        result = sqlrec.compare("cg@1", **of_models(had), baseline="a", correction="dunnett")
        left = had - had.mean(0) - had.mean(1, keepdims=True) + had.mean()
        t = (had.mean(0) - had[:, 0].mean())[1:] / math.sqrt(2 * (left**2).sum() / 57 / 20)
        # Two differences from one baseline share half of their variance.
        law = stats.multivariate_t(shape=np.full((3, 3), 0.5) + np.eye(3) / 2, df=57, seed=1)
        for row, size in zip(rows_of(result), abs(t), strict=True):
            expected = 1 - law.cdf([size] * 3, lower_limit=[-size] * 3, maxpts=200_000)
            assert row["p_adjusted"] == approx(expected, abs=2e-5)

    def test_a_single_pair_has_the_p_of_students_t(self):
        for users, t in ((3, 0.5), (12, 6.0), (100_000, 2.0), (50, 1e-9)):
            p = pooled_p("dunnett", users, (users - 1) * users / 2, {"b": 0.0, "a": t}, "a", "b")
            assert p == approx(2 * stats.t.sf(t, users - 1), rel=1e-7)
        assert pooled_p("dunnett", 1, 1.0, {"b": 0.0, "a": 1.0}, "a", "b") is None
        assert pooled_p("dunnett", 9, 0.0, {"b": 0.0, "a": 1.0}, "a", "b") is None

    def test_randomization_equals_all_permutations(self):
        had = np.array([[1, 2, 4], [0, 1, 3], [2, 2, 3], [1, 0, 2]], float)
        options = {"correction": "tukey", "test": "randomization", "replicates": 4000}
        result = rows_of(sqlrec.compare("cg@1", **of_models(had), **options))
        deals = itertools.product(*(list(itertools.permutations(row)) for row in had))
        spreads = np.array([np.ptp(np.sum(deal, axis=0)) for deal in deals])
        sums = dict(zip("abc", had.sum(0), strict=True))
        for row in result:
            exact = np.mean(spreads >= abs(sums[row["model"]] - sums[row["baseline"]]) - 1e-9)
            assert row["p_adjusted"] == approx(exact, abs=0.025)
        assert min(row["p_adjusted"] for row in result) < 0.08


class TestLetters:
    def test_models_that_do_not_differ_share_a_letter(self):
        differ = {frozenset(pair) for pair in ("ac", "ad", "bd")}
        assert letter_display("abcd", differ) == {"a": "a", "b": "ab", "c": "bc", "d": "c"}
        assert letter_display("ab", set()) == {"a": "a", "b": "a"}

    def test_letters_are_correct_beyond_the_alphabet(self, chance):
        def split(text):
            return set(re.findall(r"[a-zA-Z]\d*", text))

        for models, share in ((6, 0.5), (9, 0.8), (60, 1.0)):
            names = [f"m{n}" for n in range(models)]
            pairs = [frozenset(pair) for pair in itertools.combinations(names, 2)]
            differ = {pair for pair in pairs if chance.random() < share}
            result = letter_display(names, differ)
            for pair in pairs:
                one, other = (split(result[name]) for name in pair)
                assert bool(one & other) == (pair not in differ)
        assert len(set(result.values())) == 60 and result["m59"] == "h1"


class TestRanks:
    def test_ranks_order_models_and_have_letters(self, chance):
        had = chance.normal(0, 0.1, size=(60, 3)) + np.array([5, 5.02, 6])
        result = sqlrec.compare("cg@1 unjudged_share@1", **of_models(had))
        rows = rows_of(result.ranks())[:3]
        assert rows[0]["model"] == "c" and {row["request"] for row in rows} == {"cg@1"}
        assert [(row["rank"], row["letters"]) for row in rows] == [(1, "a"), (2, "b"), (3, "b")]
        assert [row["value"] for row in rows] == approx(sorted(had.mean(0), reverse=True))
        assert {row["users"] for row in rows} == {60}

    def test_ranks_over_data_sets_equal_friedman_and_nemenyi(self, chance):
        had = chance.gamma(3, size=(80, 4)) + np.array([0, 0.5, 1, 3])
        inputs = of_models(had, part=lambda user: user % 8)
        result = sqlrec.compare("cg@1", **inputs, by="part")
        rows = rows_of(result.ranks("part"))
        means = had.reshape(10, 8, 4).mean(axis=0)
        ranks = stats.rankdata(-means, axis=1)
        chi2, p = stats.friedmanchisquare(*means.T)
        f = 7 * chi2 / (8 * 3 - chi2)
        ordered = sorted(zip(ranks.mean(0), "abcd", strict=True))
        assert [(row["mean_rank"], row["model"]) for row in rows] == ordered
        for row in rows:
            assert (row["blocks"], row["friedman_p"]) == (8, approx(p))
            assert row["iman_davenport_p"] == approx(stats.f.sf(f, 3, 21))
            # Demšar 2006, table 5: 2.569 for four models.
            assert row["critical_difference"] == approx(2.569 * math.sqrt(20 / 48), rel=3e-4)
        limit = rows[0]["critical_difference"]
        for one, other in itertools.combinations(rows, 2):
            apart = other["mean_rank"] - one["mean_rank"] > limit
            assert apart == (not {*one["letters"]} & {*other["letters"]})

    def test_the_command_line_prints_ranks(self, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        for name, items in (("als", "ab"), ("pop", "ba")):
            pa.parquet.write_table(lists({"ann": items, "bob": "ab"}), f"{name}.parquet")
        pa.parquet.write_table(wanted({"ann": "a", "bob": "a"}), "truth.parquet")
        arguments = ["compare", "mrr@2", "--recs", "als=als.parquet", "--recs", "pop=pop.parquet"]
        cli.main([*arguments, "--truth", "truth.parquet", "--ranks"])
        assert "Models that share a letter do not differ significantly" in capsys.readouterr().out


def test_pairs_and_ranks_are_those_of_pingouin_and_scikit_posthocs():
    # pingouin 0.7.0: ttest(paired=True), wilcoxon, friedman, power_ttest(contrast="paired");
    # scikit-posthocs 0.17.1: posthoc_nemenyi_friedman.
    had = {
        "als": [1, 3, 2, 5, 4, 7, 3, 6, 2, 4],
        "knn": [2, 2, 4, 4, 6, 5, 5, 8, 3, 3],
        "pop": [1, 2, 1, 3, 2, 4, 2, 3, 1, 5],
    }
    off = [a - p for a, p in zip(had["als"], had["pop"], strict=True)]
    mean = sum(off) / 10
    error = math.sqrt(sum((x - mean) ** 2 for x in off) / 9 / 10)
    assert t_outside(mean / error, 9) == approx(0.00946266863849632, rel=1e-9)
    # Signed ranks of the nine users who differ: W is the smaller sum.
    sizes = sorted(abs(x) for x in off if x)
    ranks = [(2 * sizes.index(x) + sizes.count(x) + 1) / 2 for x in sizes]
    assert signed_ranks_outside(sum(ranks) - 2 * 3.0, ranks) == approx(0.0234375, rel=1e-9)
    mean_ranks = []
    for row in zip(*had.values(), strict=True):
        ordered = sorted(row, reverse=True)
        mean_ranks.append([(2 * ordered.index(x) + ordered.count(x) + 1) / 2 for x in row])
    result = friedman_tests(0.95, mean_ranks)
    assert result["friedman_p"] == approx(0.018804027365367116, rel=1e-9)
    assert planning.compute_power("pairs", 0.4, 30, 0.95, 2) == approx(0.5628136071410574, rel=1e-9)
    assert correct_p_values("holm", [0.01, 0.02, 0.04, 0.3]) == approx([0.04, 0.06, 0.08, 0.3])
    nemenyi = {
        (0, 1): 0.8956377103362309,
        (0, 2): 0.08496525529680443,
        (1, 2): 0.027349720229169927,
    }
    assert result["nemenyi"] == approx(nemenyi, rel=1e-9)
