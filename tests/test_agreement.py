"""Marks, verdicts, checks, reports and comparisons of the same models agree."""

import re
from itertools import groupby

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import mark, raises

import sqlrec

from .examples import examples
from .tables import lists, of_users, wanted

METRICS = (
    "ndcg@5 recall@5 mrr@5",
    "hit_rate@1,3 ndcg@3",
    "recall@3 gini@3 ndcg@3",
    "recall@5 ndcg@2,5",
)


def random_inputs(seed):
    """Return lists of two to four models of different quality, the truth, and segments.

    A model can be worse in one country, and can have no lists for some users. With every tenth
    seed, the best model has no hits in one country.
    """
    chance = np.random.default_rng(seed)
    users = [
        f"u{number}" for number in range(int(chance.integers(40 if seed % 10 == 0 else 20, 60)))
    ]
    truth = {user: "abc"[: chance.integers(1, 4)] for user in users}
    has_loss = seed % 10 == 0
    country = chance.choice(["de", "fr"], len(users), p=[0.2, 0.8] if has_loss else None)
    models = {}
    for model in ["als", "knn", "pop", "new"][: chance.integers(2, 5)]:
        noise = chance.uniform(0.5, 2) * np.where(country == chance.choice(["de", "none"]), 3, 1)
        scores = [1.0, 0.9, 0.8] + [0.0] * 12 + chance.normal(0, noise[:, None], (len(users), 15))
        if has_loss and model == "knn":
            scores[:, :3] = np.where(country == "de", -9, 9)[:, None]
        ranked = ("".join("abcdefghijklmno"[i] for i in row[:8]) for row in np.argsort(-scores))
        some = dict(zip(users, ranked, strict=True))
        models[model] = lists(dict([*some.items()][chance.integers(0, 3) :]))
    age = chance.choice(["18", "30"], len(users))
    return {
        "recs": models,
        "truth": wanted(truth),
        "users": pa.table({"user_id": users, "country": country, "age": age}),
    }


def cells(table):
    """Return the cells of a table by group, model and column."""
    layout = table.layout() if callable(table.layout) else table.layout
    return {
        (group.title, row[0].text, column.full.split()[0]): cell
        for group in layout.groups
        for row in group.rows
        for column, cell in zip(layout.columns[1:], row[1:], strict=True)
    }


def rows_of(table):
    return table.to_arrow().to_pylist()


def mark_of(row):
    """Return the mark of a significant difference."""
    gain = (row["difference"] or 0) * {"higher": 1, "lower": -1, "neither": 0}[row["better"]]
    significant = row["p_adjusted"] is not None and row["p_adjusted"] < 0.05
    return ("▲" if gain > 0 else "▼") if significant and gain else ""


def check_marks(seed):
    """Check that marks of a result are the tests of a comparison with the best model."""
    data, metrics = sqlrec.Dataset(**random_inputs(seed)), METRICS[seed % len(METRICS)]
    for by in ((), "country"):
        shown = cells(data.evaluate(metrics, by=by))
        keys = sorted(shown, key=lambda key: key[::2])
        for (segment, metric), group in groupby(keys, key=lambda key: key[::2]):
            column = {key[1]: shown[key] for key in group}
            best = [model for model, cell in column.items() if cell.best]
            if len(best) != 1 or metric.startswith("gini"):
                continue
            assert not column[best[0]].mark
            for row in rows_of(data.compare(metrics, baseline=best[0], by=by)):
                here = not by or segment.startswith(f"country={row['country']}")
                if here and row["request"] == metric and row["p_adjusted"] is not None:
                    expected = "▼" if row["p_adjusted"] < 0.05 else "="
                    assert column[row["model"]].mark == expected


def check_outputs(seed):
    """Check that checks, the report and tables of a comparison agree with its tests."""
    data, metrics = sqlrec.Dataset(**random_inputs(seed)), METRICS[seed % len(METRICS)]
    compared = data.compare(metrics, baseline="als")
    marks = {(row["model"], row["request"]): mark_of(row) for row in rows_of(compared)}
    requests = list(dict.fromkeys(metric for _, metric in marks))
    rules = [rule for rule in requests if not rule.startswith("gini")]
    column = [column.name for column in compared.layout().columns].index("difference")
    for group in compared.layout().groups:
        for row in group.rows:
            model = row[0].text if len(marks) > len(requests) else next(iter(marks))[0]
            assert row[column].mark == marks[model, group.metric]
    for group in compared.by_model().layout().groups:
        for name, *of_metrics in group.rows:
            of_model = [marks.get((name.text, metric), "") for metric in requests]
            assert [cell.mark for cell in of_metrics] == of_model
    losses = {(x["model"], x["request"]) for x in rows_of(compared.worse()) if x["significant"]}
    assert losses == {key for key, mark in marks.items() if mark == "▼"}
    for sign, passes in ((">", lambda mark: mark == "▲"), (">=", lambda mark: mark != "▼")):
        for row in rows_of(data.check([f"{metric} {sign} als" for metric in rules])):
            if len(rules) == len(requests):
                passed = passes(marks[row["model"], row["request"]])
                assert (row["result"] == "pass") == passed, row
    options = {"alternative": "noninferior", "margin": 0.05}
    within = rows_of(data.compare(requests[0], baseline="als", **options))
    checked = rows_of(data.check(f"{requests[0]} >= als - 0.05"))
    for row, check in zip(within, checked, strict=True):
        p = row["p_adjusted"]
        assert (check["result"] == "pass") == (p is None or p < 0.05)
        assert check["result"] == "pass" or marks[row["model"], requests[0]] != "▲"
    # A report takes seconds, so few are made.
    if seed % 5 == 0:
        check_report(data, metrics, marks, requests[0])


INTERVALS = (
    *({"correction": x} for x in ("holm", "bonferroni", "bh", "none", "tukey", "dunnett")),
    *({"interval": x} for x in ("bootstrap", "bca", "anytime")),
    {"correction": "none", "interval": "normal"},
    {"alternative": "greater"},
    {"alternative": "less"},
    {"test": "randomization"},
    {"test": "randomization", "correction": "tukey"},
    {"cluster": "age"},
)


def check_intervals(seed):
    """Check that the interval of a difference excludes 0 if and only if its test is significant."""
    inputs, metrics = random_inputs(seed) | {"baseline": "als"}, METRICS[seed % len(METRICS)]
    for options in (INTERVALS[seed % len(INTERVALS)], {"by": ["country", "age"], "each": True}):
        for row in rows_of(sqlrec.compare(metrics, **inputs, **options)):
            low, high, p = (row[name] for name in ("low", "high", "p_adjusted"))
            if None in (low, high, p):
                continue
            one_sided = {"greater": low > 0, "less": high < 0}
            excluded = one_sided.get(options.get("alternative"), low > 0 or high < 0)
            assert low <= row["difference"] <= high
            assert excluded == (p < 0.05), (options, row)


KINDS = (
    *({"correction": x} for x in ("holm", "bonferroni", "bh", "tukey", "dunnett")),
    *({"interval": x} for x in ("t", "bootstrap", "bca", "anytime")),
    {"interval": "normal", "test": "normal"},
    {"baseline": None},
    {"baseline": None, "correction": "tukey"},
    {"by": "country"},
    {"by": ["country", "age"], "each": True},
    {"alternative": "greater"},
    {"alternative": "less", "margin": 0.02},
    {"alternative": "equivalent", "margin": 0.1},
    {"alternative": "noninferior", "margin": 0.05},
    {"cluster": "age"},
    {"population": "truth_and_recs"},
    {"level": 0.8},
)


def check_displays(seed):
    """Check that tables of every kind of comparison have the marks and limits of their tests."""
    options = {"baseline": "als"} | KINDS[seed % len(KINDS)]
    metrics = METRICS[seed % len(METRICS)].replace("gini@3 ", "")
    compared = sqlrec.compare(metrics, **random_inputs(seed), **options)
    alpha, alternative = 1 - options.get("level", 0.95), options.get("alternative", "two-sided")
    within = {"equivalent": "=", "noninferior": "≥"}.get(alternative)
    expected = []
    for row in rows_of(compared):
        significant = row["p_adjusted"] is not None and row["p_adjusted"] < alpha
        # The better model of a pair is first.
        gain = abs(row["difference"] or 0) if options["baseline"] is None else row["difference"]
        sign = within or ("▲" if (gain or 0) > 0 else "▼")
        expected.append(sign * (significant and bool(within or gain)))
    check_screen(compared, expected)
    layout = compared.layout()
    column = [column.name for column in layout.columns].index("difference")
    differences = [row[column] for row in layout.rows()]
    assert sorted(cell.mark for cell in differences) == sorted(expected)
    for cell in differences:
        if alternative != "two-sided" or not cell.spread:
            continue
        value, *limits = map(float, re.findall(r"-?\d+(?:\.\d+)?", f"{cell.text} {cell.spread}"))
        low, high = limits if len(limits) == 2 else (value - limits[0], value + limits[0])
        assert bool(cell.mark) == (low > 1e-9 or high < -1e-9), cell
    cells_of_html = "".join(re.findall("<td.*?</td>", compared.to_html()))
    lines = [line for line in compared.to_markdown().splitlines() if line.startswith("| ")]
    text = " ".join(repr(compared).split())
    for sign in "▲▼":
        assert cells_of_html.count(sign) == "".join(lines).count(sign) == expected.count(sign)
        noted = text.count(f"{sign} significantly")
        # Text has the first rows of a long table.
        assert text.count(sign) == expected.count(sign) + noted or len(expected) > 40
        assert bool(noted) == (sign in expected)
    if not within and options["baseline"]:
        level = options.get("level", 0.95)
        losses = [row for row in rows_of(compared.worse(level)) if row["significant"]]
        assert len(losses) == expected.count("▼")
        rows = rows_of(compared)
        first = [x for x, y in zip(expected, rows, strict=True) if is_first(y, rows[0]["request"])]
        beats = re.search("(?<! not) beats? ", layout.lead) and not layout.lead.startswith("No ")
        assert options.get("by") == "country" or bool(beats) == ("▲" in first)


def check_screen(compared, marks):
    """Check that a screen shows all differences, or only significant ones for many segments."""
    layout = compared.screen_layout()
    count = re.fullmatch(r"Significant.* in (\d+) of (\d+) tests", layout.title)
    assert bool(count) == (len(marks) > 20 and "country" in rows_of(compared)[0])
    if not count:
        assert layout == compared.layout()
        return
    assert (int(count[1]), int(count[2])) == (len([*filter(None, marks)]), len(marks))
    assert layout.lead in ("", compared.layout().lead)
    assert {row[5].mark for row in layout.rows()} - {""} == {*marks} - {""}
    assert len([*layout.rows()]) < len(marks)


def is_first(row, request):
    """Return whether a row of a comparison is of all users by a metric."""
    return row["request"] == request and row.get("grouping", "all") == "all"


def check_report(data, metrics, marks, first):
    """Check that a report's head, verdicts and decision agree with ``compare`` and ``check``."""
    rules = f"{first} > als; no segment of country worse"
    report = data.report(metrics, baseline="als", by=["country", "age"], decide=rules)
    assert report.title in report.html and report.html.count("<h1") == 1
    head, decision = report.title.split("; ")
    each = sqlrec.Segments(["country", "age"], each=True)
    compared = data.compare(metrics, baseline="als", by=each)
    assert compared.layout().lead == head
    for (_, model, metric), cell in cells(report.sections[1].blocks[0]).items():
        assert cell.mark == marks.get((model.removesuffix(" (baseline)"), metric), "")
    lines = set(re.findall(r"^- . (\w+ .*)", report.markdown, re.MULTILINE))
    of_first = {model: mark for (model, metric), mark in marks.items() if metric == first}
    best = [model for model, sign in of_first.items() if sign == "▲"]
    assert ("beat" in head and not re.match("No |.* does not ", head)) == bool(best)
    for model, sign in of_first.items():
        assert re.search(rf"\b{model}\b.* beats? ", head) or model not in best
        assert any(line.startswith(f"{model} beats als") for line in lines) == (sign == "▲")
        assert any(line.startswith(f"{model} loses to als") for line in lines) == (sign == "▼")
    failed, passed = {model: set() for model in of_first}, dict.fromkeys(of_first, True)
    for row in rows_of(data.check(rules)):
        passed[row["model"]] &= row["result"] == "pass"
        if row["in_segment"] and row["result"] == "FAIL":
            failed[row["model"]].add(row["in_segment"])
    worse = {model: set() for model in of_first}
    for row in rows_of(compared):
        if row["request"] == first and row["grouping"] in row and mark_of(row) == "▼":
            worse[row["model"]].add(f"{row['grouping']}={row[row['grouping']]}")
    for model, segments in worse.items():
        of_country = {name for name in segments if name.startswith("country")}
        assert failed[model] in (of_country, {"every segment"} if len(of_country) == 2 else None)
        assert not segments or model not in best or re.search(rf"\b{model}\b.* worse for ", head)
    assert ("no model passes" in decision) == (not any(passed.values()))
    for model, passes in passed.items():
        words = f"{model} passes:" if passes else f"{model} fails:"
        assert any(line.startswith(words) for line in lines)
    for line in lines:
        if match := re.match(r"(\w+) is significantly worse for ([^.]*)\.", line):
            named = set(re.findall(r"(\w+=\w+) \(\d+ users?\)", match[2]))
            counted = re.search(r"(\d) of 4|every segment", match[2])
            count = counted and int(counted[1] or 4)
            assert count == len(worse[match[1]]) or named == worse[match[1]], line
        if match := re.match(r"(.*) (?:is|are) not significantly worse in any segment", line):
            without = {*re.split(", | and ", match[1])}
            assert not any(worse[model] for model in without)
            assert not any(re.search(rf"\b{model} is worse for", head) for model in without)


CHECKS = (check_marks, check_outputs, check_intervals, check_displays)


@mark.parametrize("check", CHECKS)
def test_no_output_contradicts_another(check):
    check(20)


def test_the_best_model_of_the_seed_loses_a_segment():
    each = sqlrec.Segments("country", each=True)
    lead = sqlrec.compare("ndcg@5", **random_inputs(20), baseline="als", by=each).layout().lead
    assert lead == "knn beats als by NDCG@5, but is worse for country=de (12 users)"


@mark.hypothesis
@mark.parametrize("check", CHECKS)
def test_no_output_of_many_comparisons_contradicts_another(check):
    for seed in range(1, 200 if settings.get_current_profile_name() == "weekly" else 8):
        check(seed)


class TestMarksAreTestsAgainstTheBest:
    def test_marks_are_equal_in_each_format(self):
        # The same model loses two of 30 users.
        models = {"good": "ab", "same": [*["ba"] * 2, *["ab"] * 28], "bad": "ba"}
        result = sqlrec.evaluate("mrr@2", **of_users(30, models))
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

    def test_metrics_without_pairs_have_no_marks(self):
        inputs = random_inputs(1)
        tables = [
            sqlrec.evaluate(METRICS[0], **inputs, interval=None),
            sqlrec.evaluate("gini@5", **inputs),
        ]
        assert not any(cell.mark for table in tables for cell in cells(table).values())


def check_verdict(seed):
    """Check that further metrics and segments do not change the verdict of the primary metric."""
    inputs = random_inputs(seed)

    def tests(metrics, **options):
        comparison = sqlrec.compare(metrics, **inputs, baseline="als", **options)
        return {
            row["model"]: (row["p"], row["p_adjusted"])
            for row in comparison.to_arrow().to_pylist()
            if row["request"] == "ndcg@5" and row.get("grouping", "all") == "all"
        }

    alone = tests("ndcg@5")
    assert tests("ndcg@5 recall@5 mrr@5 gini@5") == alone
    assert tests("recall@5 mrr@5 ndcg@5", primary="ndcg@5") == alone
    assert tests("ndcg@5 recall@5", by="country", each=True) == alone
    leads = {
        sqlrec.compare(x, **inputs, baseline="als", by="country", each=True).layout().lead
        for x in ("ndcg@5", "ndcg@5 recall@5 gini@5")
    }
    assert len(leads) == 1


class TestThePrimaryMetricDecides:
    @given(st.integers(0, 10_000))
    @examples(2)
    def test_the_verdict_does_not_depend_on_other_metrics(self, seed):
        check_verdict(seed)

    @mark.hypothesis
    @given(st.integers(0, 10_000))
    @examples(200)
    def test_the_first_metric_decides_in_many_comparisons(self, seed):
        check_verdict(seed)

    def test_the_other_metrics_and_segments_are_families_of_their_own(self):
        inputs = random_inputs(5) | {"baseline": "als"}
        rows = sqlrec.compare(
            "ndcg@5 recall@5 mrr@5", **inputs, by="country", each=True, correction="bonferroni"
        )
        sizes = {}
        for row in rows.to_arrow().to_pylist():
            if row["p_adjusted"] is not None and row["p_adjusted"] < 1:
                key = row["request"] == "ndcg@5", row["grouping"]
                sizes.setdefault(key, set()).add(round(row["p_adjusted"] / row["p"], 6))
        models = len(inputs["recs"]) - 1
        assert sizes == {
            (True, "all"): {models},
            (False, "all"): {2 * models},
            (True, "country"): {2 * models},
            (False, "country"): {4 * models},
        }

    def test_an_unknown_primary_metric_is_refused(self):
        with raises(sqlrec.InputError, match="primary of map@5, which is not computed"):
            sqlrec.compare("ndcg@5", **random_inputs(1), baseline="als", primary="map@5")
