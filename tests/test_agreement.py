"""Marks, verdicts, checks and comparisons of the same models agree."""

from itertools import groupby

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from pytest import mark, raises

import sqlrec

from .examples import examples
from .tables import lists, wanted

METRICS = "ndcg@5 recall@5"


def random_inputs(seed):
    """Return lists of two to four models of different quality, and the truth."""
    chance = np.random.default_rng(seed)
    users = [f"u{number}" for number in range(int(chance.integers(20, 60)))]
    truth = {user: "abc"[: chance.integers(1, 4)] for user in users}
    models = {}
    for model in ["als", "knn", "pop", "new"][: chance.integers(2, 5)]:
        noise = chance.uniform(0.5, 2)
        scores = (
            np.array([1.0, 0.9, 0.8] + [0.0] * 12) + chance.normal(0, noise, 15) for _ in users
        )
        ranked = ("".join("abcdefghijklmno"[i] for i in np.argsort(-row)[:8]) for row in scores)
        models[model] = lists(dict(zip(users, ranked, strict=True)))
    country = [str(chance.choice(["de", "fr"])) for _ in users]
    return {
        "recs": models,
        "truth": wanted(truth),
        "users": pa.table({"user_id": users, "country": country}),
    }


def cells(table):
    """Return the cells of a table by group, model and column."""
    layout = table.layout()
    return {
        (group.title, row[0].text, column.full.split()[0]): cell
        for group in layout.groups
        for row in group.rows
        for column, cell in zip(layout.columns[1:], row[1:], strict=True)
    }


def check_marks(seed):
    """Check that marks of a result are the tests of a comparison with the best model."""
    inputs = random_inputs(seed)
    shown = cells(sqlrec.evaluate(METRICS, **inputs))
    for (_, metric), group in groupby(sorted(shown, key=lambda key: key[2]), key=lambda x: x[::2]):
        column = {key[1]: shown[key] for key in group}
        best = [model for model, cell in column.items() if cell.best]
        if len(best) != 1:
            continue
        assert not column[best[0]].mark
        primary = metric == METRICS.split()[0]
        asked = METRICS if primary else " ".join(reversed(METRICS.split()))
        rows = sqlrec.compare(asked, **inputs, baseline=best[0]).to_arrow().to_pylist()
        for row in rows:
            if row["asked"] == metric and row["p_adjusted"] is not None:
                expected = "▼" if row["p_adjusted"] < 0.05 else "="
                assert column[row["model"]].mark == expected


class TestMarksAreTestsAgainstTheBest:
    @given(st.integers(0, 10_000))
    @examples(2)
    def test_of_few_comparisons(self, seed):
        check_marks(seed)

    @mark.hypothesis
    @given(st.integers(0, 10_000))
    @examples(200)
    def test_of_many_comparisons(self, seed):
        check_marks(seed)

    def test_in_each_format(self):
        users = [f"u{number}" for number in range(30)]
        models = {
            "good": lists(dict.fromkeys(users, "ab")),
            "same": lists({user: "ab" if user > "u1" else "ba" for user in users}),
            "bad": lists(dict.fromkeys(users, "ba")),
        }
        result = sqlrec.evaluate("mrr@2", recs=models, truth=wanted(dict.fromkeys(users, "a")))
        lines = repr(result).splitlines()
        assert [line.split()[:2] for line in lines[2:5]] == [
            ["★", "good"],
            ["same", "0.967"],
            ["bad", "0.500"],
        ]
        assert "0.967 =" in lines[3] and "0.500 ▼" in lines[4]
        note = "▼ significantly worse than the best, = not distinguishable from it, at p < 0.05"
        assert note in lines[7]
        assert "<b>good</b>" in result.to_html() and "0.500▼" in result.to_html()
        assert "| **good** | **1.000**" in result.to_markdown() and "0.500▼" in result.to_markdown()
        assert "\\textbf{good}" in result.to_latex()
        assert "0.500$^{\\bigtriangledown}$" in result.to_latex()

    def test_of_nothing_that_cannot_be_paired(self):
        inputs = random_inputs(1)
        tables = [
            sqlrec.evaluate(METRICS, **inputs, interval=None),
            sqlrec.evaluate("gini@5", **inputs),
        ]
        assert not any(cell.mark for table in tables for cell in cells(table).values())


def check_verdict(seed):
    """Check that no metric and no segment changes what the primary metric decides."""
    inputs = random_inputs(seed)

    def tests(metrics, **options):
        comparison = sqlrec.compare(metrics, **inputs, baseline="als", **options)
        return {
            row["model"]: (row["p"], row["p_adjusted"])
            for row in comparison.to_arrow().to_pylist()
            if row["asked"] == "ndcg@5" and row.get("grouping", "all") == "all"
        }

    alone = tests("ndcg@5")
    assert tests("ndcg@5 recall@5 mrr@5 gini@5") == alone
    assert tests("recall@5 mrr@5 ndcg@5", primary="ndcg@5") == alone
    assert tests("ndcg@5 recall@5", by="country", each=True) == alone


class TestThePrimaryMetricDecides:
    @given(st.integers(0, 10_000))
    @examples(2)
    def test_whatever_else_is_computed(self, seed):
        check_verdict(seed)

    @mark.hypothesis
    @given(st.integers(0, 10_000))
    @examples(200)
    def test_in_many_comparisons(self, seed):
        check_verdict(seed)

    def test_the_other_metrics_and_segments_are_families_of_their_own(self):
        inputs = random_inputs(5) | {"baseline": "als"}
        rows = sqlrec.compare(
            "ndcg@5 recall@5 mrr@5",
            **inputs,
            by="country",
            each=True,
            correction="bonferroni",
        )
        sizes = {}
        for row in rows.to_arrow().to_pylist():
            if row["p_adjusted"] is not None and row["p_adjusted"] < 1:
                key = row["asked"] == "ndcg@5", row["grouping"]
                sizes.setdefault(key, set()).add(round(row["p_adjusted"] / row["p"], 6))
        models = len(inputs["recs"]) - 1
        assert sizes == {
            (True, "all"): {models},
            (False, "all"): {2 * models},
            (True, "country"): {2 * models},
            (False, "country"): {4 * models},
        }

    def test_is_one_of_the_metrics(self):
        with raises(sqlrec.InputError, match="primary of map@5, which is not computed"):
            sqlrec.compare("ndcg@5", **random_inputs(1), baseline="als", primary="map@5")
