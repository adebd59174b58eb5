"""Identification of the user's own functions."""

import random
import re
import sys
from dataclasses import replace
from functools import partial
from warnings import catch_warnings, simplefilter

import numpy
from pytest import mark, param, raises

import sqlrec
from sqlrec.analyses import identify_formulas
from sqlrec.analyses.forms import switch_request
from sqlrec.analyses.identify import describe_form, find_form
from sqlrec.analyses.identify_formulas import (
    METRICS,
    ROW_RULES,
    formula_rows,
    formulas_near,
    params_of,
)
from sqlrec.analyses.identify_tables import (
    FEATURES,
    SmallTable,
    are_equal,
    evaluate_requests,
    small_table,
)
from sqlrec.analyses.seeds import SEEDS
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.cli import main

from . import in_house
from .packages import pandas
from .quirks import FIXED, function_of, random_quirks


def identified(name):
    function, metric, _ = in_house.ANSWERS[name]
    return sqlrec.identify(function, metric)


@mark.slow
@mark.parametrize("name", in_house.ANSWERS)
def test_functions_are_identified(name):
    text = " ".join(str(identified(name)).split())
    for expected in in_house.ANSWERS[name][2]:
        assert expected in text


@mark.slow
def test_a_search_of_all_forms_warns_of_nothing():
    function, metric, _ = in_house.ANSWERS["recall_of_rare_items"]
    with catch_warnings(record=True) as caught:
        simplefilter("always")
        sqlrec.identify(function, metric)
    assert not caught


def hit_rate(recs, truth, k=10):
    users = [user for user in truth if truth[user]]
    return sum(bool({*recs.get(user, [])[:k]} & {*truth[user]}) for user in users) / len(users)


def test_a_function_is_identified_with_the_request_that_prints_it():
    identification = sqlrec.identify(hit_rate, "hit_rate@3")
    assert identification.equal == identification.tables and not identification.differences
    assert "sqlrec" in identification.names
    assert identification.request
    (error,) = identification.errors
    with raises(ZeroDivisionError):
        hit_rate(*inputs(error.table))
    text = " ".join(str(identification).split())
    assert re.search(
        r"It raises ZeroDivisionError in line \d+ for a user with nothing relevant", text
    )


def test_the_smallest_table_shows_a_difference():
    def two_hits(recs, truth, k=10):
        return hit_rate({user: items[: k - 1] for user, items in recs.items()}, truth, k) ** 2

    identification = sqlrec.identify(two_hits, "hit_rate@3")
    assert identification.differences
    for difference in identification.differences:
        assert difference.value == two_hits(*inputs(difference.table), k=3)
        assert difference.value != difference.expected


def test_functions_of_dicts_need_no_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert "sqlrec" in sqlrec.identify(hit_rate, "hit_rate@3").names


def inputs(table):
    lists = {user: [i for i, _ in listed] for user, (listed, _) in table.users.items() if listed}
    truth = {u: [i for i, g in judged if g > 0] for u, (_, judged) in table.users.items() if judged}
    return lists, truth


def capped_recall(recs, truth, k=10):
    """Recall divided by min(k, rows of the truth), on frames, as in RecTools."""
    shares = []
    for user, required in truth.groupby("user_id")["item_id"]:
        of_user = recs[recs["user_id"] == user].sort_values("score", ascending=False, kind="stable")
        listed = of_user.head(k)["item_id"]
        shares.append(sum(sum(required == item) for item in listed) / min(k, len(required)))
    return sum(shares) / len(shares)


def test_a_function_under_the_name_of_another_metric_is_identified():
    identification = sqlrec.identify(capped_recall, "hit_rate@3")
    assert str(identification).startswith(
        "is not hit_rate@3, but recall@3: equals rectools Precision r_"
    )
    assert identification.request == (
        '"recall(divide_by=achievable)@3" --ties first --relevance-threshold -inf'
    )
    assert identification.equal == identification.tables


@mark.parametrize(
    "function, metric, message",
    [
        ("ndcg", "ndcg@3", "function='ndcg': give a function"),
        (len, "gini@3", "give one metric of lists and truth"),
        (len, "ndcg@3 map@3", "give one metric of lists and truth"),
        (len, "ndgc@3", "ndcg"),
        (lambda recs, truth, items: 0.5, "ndcg@3", "it needs recs, truth, items"),
        (lambda recs, truth: "much", "hit_rate@3", "it returns no number"),
        (lambda recs, truth: 1 / 0, "hit_rate@3", r"it raises ZeroDivisionError in line \d+$"),
        (lambda recs, truth: None, "hit_rate@3", "it returns nothing"),
        (lambda recs, truth: float("nan"), "hit_rate@3", "it returns nan"),
        (lambda recs, truth: random.random(), "hit_rate@3", "a second call"),
    ],
)
def test_objects_other_than_functions_are_refused(function, metric, message):
    with raises(sqlrec.SqlrecError, match=message):
        sqlrec.identify(function, metric)


def recall(recs, truth, k=10):
    users = [user for user in truth if truth[user]]
    return sum(
        len({*recs.get(user, [])[:k]} & {*truth[user]}) / len({*truth[user]}) for user in users
    ) / len(users)


@mark.slow
@mark.parametrize("quirks", [*FIXED, *map(random_quirks, range(20))], ids=str)
def test_a_form_that_equals_a_function_equals_it_on_other_tables(quirks):
    function, metric = function_of(**quirks), f"{quirks.get('metric', 'ndcg')}@3"
    (own,) = parse_metrics(metric)
    with catch_warnings(action="ignore"):
        trial, form = find_form(function, own)
        answer = describe_form(own, metric, trial, form)
    assert answer.equal > 0.8 * answer.tables
    exceptions = {difference.description for difference in answer.differences}
    exceptions = {x for x, description in FEATURES.items() if description in exceptions}
    tables = [small_table(seed, 3, varied=x) for x in (True, False) for seed in range(2000, 2200)]
    tables = [x for x in tables if trial.call.uses(x) and not x.features & exceptions]
    assert len(tables) > 150
    for table, value in zip(tables, form.values(trial, tables), strict=True):
        assert trial.tolerance < 1e-5
        actual = trial.call.value(table)
        actual = None if isinstance(actual, str) else actual
        assert are_equal(actual, value) or {actual, value} == {None, 0}, (str(answer), table)


def test_rules_for_repeated_rows_are_named_in_addition_to_other_differences():
    pooled = function_of(metric="recall", truth_repeats="rows", average="pooled")
    text = " ".join(str(sqlrec.identify(pooled, "recall@3")).split())
    assert "pools all users' items" in text and "counts each row of the truth" in text


class Recall:
    def of(self, actual, predicted, top_n=5):
        return recall(predicted, actual, top_n), "a note"

    def __call__(self, *, ground_truth, run, at=3):
        return {"ndcg": 0.5, f"mean_recall@{at}": recall(run, ground_truth, at)}


@mark.parametrize(
    "function",
    [
        lambda predictions, labels, topk=[20]: recall(predictions, labels, topk[0]),
        lambda a, b, /, cut_off=10: recall(a, b, cut_off),
        lambda *args: recall(*args),
        lambda test, pred, N: recall(pred, test, N),
        Recall().of,
        Recall(),
        partial(lambda scale, recs, truth, k: scale * recall(recs, truth, k), 1),
        lambda recs, truth, k: pandas.DataFrame(
            {"users": [1], "recall": [recall(recs, truth, k)]}, index=["all"]
        ),
        lambda recs, truth, k: {"recall": recall(recs, truth, k), "users": 7.0},
        lambda recs, truth, k: numpy.float32(recall(recs, truth, k)),
        lambda recs, truth, k: (recall(recs, truth, k), recs.clear(), truth.clear())[0],
        lambda recs, truth, k: {u: recall(recs, {u: truth[u]}, k) for u in truth if truth[u]},
        lambda recs, truth, k: [recall(recs, {u: truth[u]}, k) for u in truth if truth[u]],
    ],
)
def test_parameters_and_results_of_many_kinds_are_read(function):
    (own,) = parse_metrics("recall@3")
    (_, plain), (_, form) = (find_form(one, own) for one in (recall, function))
    assert form == plain and form.share == 1


def test_grades_of_lists_exclude_unlisted_relevant_items():
    identification = sqlrec.identify(lambda flags, k: float(any(flags[:k])), "hit_rate@3")
    assert "Its inputs contain only items of lists: other" in str(identification)


# Forms without per-user values of single lists, or that depend on other cutoffs.
OTHER = {("duplicates", x) for x in ("best_in_cut", "outer", "outer_in_k")} | {("ties", "shared")}
# Rules that sqlrec lacks.
OTHER |= {("truth_duplicates", x) for x in ("first_relevant", "last_relevant")}


@mark.parametrize("metric", [param(x, marks=mark.slow if x != "recall" else ()) for x in METRICS])
def test_formulas_have_the_values_of_their_metrics(metric):
    (own,) = parse_metrics(f"{metric}@3")
    several = [small_table(seed, 3) for seed in range(100, 140)]
    tables = [table.select_user(user) for table in several for user in table.users]
    start = METRICS[metric]
    near = [*formulas_near(start, 0, 3), *formulas_near(start, 1, 3)]
    near += [{**start, rule: x} for rule, (_, choices) in ROW_RULES.items() for x in choices]
    compared = 0
    for formula in near:
        settings, habits = params_of(formula, own)
        rules = {rule: formula[rule] for rule in ROW_RULES}
        if habits or not OTHER.isdisjoint(rules.items()):
            continue
        request = switch_request(own, [(pair,) for pair in (settings | rules).items()], "")
        request = replace(request, rules={**request.rules, "population": "all"})
        (values,) = evaluate_requests([request], tables).values()
        for table, value in zip(tables, values, strict=True):
            (row,) = formula_rows(formula, table, 3)
            assert are_equal(row["value"], value), (formula, table)
            compared += value is not None
    assert compared > 1000


@mark.parametrize(
    ("rule", "grades"),
    [
        ("first", {1: 3.0, 2: 0.0}),
        ("last", {1: 2.0, 2: 1.0}),
        ("best", {1: 3.0, 2: 1.0}),
        ("first_relevant", {1: 3.0, 2: 1.0}),
        ("last_relevant", {1: 2.0, 2: 1.0}),
        # The least grade above 0 is that of the item, the other one of an item that no list has.
        ("rows", {1: 2.0, -10_001: 3.0, 2: 1.0, -10_003: 0.0}),
    ],
)
def test_repeated_rows_of_the_truth_have_one_grade_or_each_their_own(rule, grades):
    judged = [(1, 3.0), (1, 2.0), (2, 0.0), (2, 1.0)]
    assert identify_formulas._item_grades(judged, rule) == grades


def test_a_function_gets_no_cutoff_of_a_metric_without_one():
    cutoffs = set()
    with raises(sqlrec.SqlrecError, match="it returns no number"):
        sqlrec.identify(lambda recs, truth, k=None: cutoffs.add(k) or "much", "hit_rate@all")
    assert cutoffs == {None}


@mark.slow
def test_a_metric_without_a_cutoff_is_identified():
    identification = sqlrec.identify(lambda recs, truth: hit_rate(recs, truth, 100), "hit_rate@all")
    assert identification.equal == identification.tables and not identification.from_sqlrec


def test_the_command_line_imports_the_function(tmp_path, monkeypatch, capsys):
    code = "def rate(recs, truth, k=10):\n    users = [u for u in truth if truth[u]]\n"
    code += "    return sum(bool({*recs.get(u, [])[:k]} & {*truth[u]}) for u in users) / len(users)"
    (tmp_path / "shop_metrics.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert main(["identify", "shop_metrics:rate", "--metric", "hit_rate@3"]) == 0
    assert "sqlrec evaluate hit_rate@3" in capsys.readouterr().out
    (tmp_path / "shop metrics.py").write_text(code, encoding="utf-8")
    assert main(["identify", "shop metrics.py:rate", "--metric", "hit_rate@3"]) == 0
    (tmp_path / "broken.py").write_text("1 / 0", encoding="utf-8")
    assert main(["identify", "broken:rate", "--metric", "hit_rate@3"]) == 1
    assert "broken:rate: ZeroDivisionError" in capsys.readouterr().err
    (tmp_path / "silent.py").write_text("import os\nassert not os", encoding="utf-8")
    assert main(["identify", "silent:rate", "--metric", "hit_rate@3"]) == 1
    assert "AssertionError: in line 2, without a message" in capsys.readouterr().err
    assert main(["identify", "shop_metrics:none", "--metric", "hit_rate@3"]) == 1
    assert "shop_metrics:none: AttributeError: module" in capsys.readouterr().err
    assert main(["identify", "shop_metrics", "--metric", "hit_rate@3"]) == 1


def test_tables_have_their_features():
    tables = [small_table(seed, 3) for seed in SEEDS]
    made = {feature for table in tables for feature in table.features}
    assert made == {*FEATURES} - {"shuffled"}
    recs = (("a", 1, 2.0), ("a", 1, 2.0), ("a", 2, 3.0))
    table = SmallTable(2, recs, (("a", 3, 0.5), ("b", 3, 0.0)))
    assert table.features == {
        *("no_list", "no_relevant", "no_hit", "fractions", "zeros", "ties", "list_repeats"),
        *("users", "shuffled"),
    }
