"""What functions of one's own compute."""

import sys

from pytest import mark, raises

import sqlrec
from sqlrec.analyses.identify_tables import (
    FEATURES,
    METRICS,
    are_equal,
    forms_on_tables,
    separating,
    small_table,
    values_of,
)
from sqlrec.analyses.seeds import SEEDS
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.cli import main

from . import in_house

# Each function with its metric, and what is said of it: libraries that it equals, or differences.
FUNCTIONS = {
    "ndcg_usual": ("ndcg", {}, ["equals "]),
    "ndcg_binary_over_k": ("ndcg", {}, ["SDCG(max_rel=1)", "users with a relevant item"]),
    "ndcg_of_listed_users": ("ndcg", {}, ["who have a list"]),
    "ndcg_exponential": ("ndcg", {}, ["equals "]),
    "ndcg_late": ("ndcg", {}, ["equals lenskit NDCG", "users with a relevant item"]),
    "map_of_all_relevant": ("map", {}, ["equals sqlrec"]),
    "map_achievable": ("map", {}, ["meanAveragePrecisionAt", "users with a relevant item"]),
    "map_of_hits": ("map", {"rs_metrics-0.4"}, []),
    "mrr": ("mrr", {"rectools"}, []),
    "mrr_zero_based": ("mrr", {}, ["is no form of the metric"]),
    "recall": ("recall", {"replay"}, []),
    "recall_capped": ("recall", {}, ["beir R_cap", "item twice in a list"]),
    "recall_pooled": ("recall", {}, ["takes all users' items together"]),
    "precision": ("precision", {"replay-0.11"}, []),
    "precision_of_list": ("precision", {"rexmex"}, []),
    "hit_rate": ("hit_rate", {"rectools"}, []),
    "hit_rate_off_by_one": ("hit_rate", {}, ["except for more relevant items than the cutoff"]),
    "hit_rate_of_frames": ("hit_rate", {}, ["a relevant item who have a list"]),
    "precision_of_listed_users": ("precision", {}, ["lenskit", "divides by 3"]),
    "recall_of_all_judged": ("recall", {"ranx"}, []),
}


def identified(name):
    metric, *_ = FUNCTIONS[name]
    return sqlrec.identify(getattr(in_house, name), f"{metric}@3")


@mark.slow
@mark.parametrize("name", FUNCTIONS)
def test_functions_are_identified(name):
    _, libraries, texts = FUNCTIONS[name]
    found = identified(name)
    assert {*libraries} <= {*found.names}, found
    assert not libraries or (found.equal == found.tables and not found.switches)
    for text in texts:
        assert text in str(found)


def test_a_function_is_identified_with_the_request_that_prints_it():
    found = identified("hit_rate")
    assert found.equal == found.tables and not found.differences
    assert "rectools" in found.names
    assert found.request == '"hit_rate(convention=replay-0.11)@3"'


def test_the_smallest_table_shows_a_difference():
    found = identified("hit_rate_off_by_one")
    for difference in found.differences:
        assert difference.value == in_house.hit_rate_off_by_one(*inputs(difference.table), k=3)
        assert difference.value != difference.expected


def inputs(table):
    recs, truth = {}, {}
    for user, item, _ in table.recs:
        recs.setdefault(user, []).append(item)
    for user, item, grade in table.truth:
        truth.setdefault(user, {})[item] = grade
    return recs, {user: {i for i, g in items.items() if g > 0} for user, items in truth.items()}


@mark.parametrize(
    "function, metric, message",
    [
        ("ndcg", "ndcg@3", "function='ndcg': give a function"),
        (len, "ndcg@all", "give one metric with a cutoff"),
        (len, "ndcg@3 map@3", "give one metric with a cutoff"),
    ],
)
def test_what_is_no_function_of_a_metric_is_refused(function, metric, message):
    with raises(sqlrec.SqlrecError, match=message):
        sqlrec.identify(function, metric)


def test_a_function_without_a_number_is_refused():
    with raises(sqlrec.InputError, match="it returns no number for dicts of scores"):
        sqlrec.identify(lambda recs, truth: "much", "hit_rate@3")


def test_the_command_line_imports_the_function(tmp_path, monkeypatch, capsys):
    code = "def rate(recs, truth, k=10):\n    users = [u for u in truth if truth[u]]\n"
    code += "    return sum(bool({*recs.get(u, [])[:k]} & {*truth[u]}) for u in users) / len(users)"
    (tmp_path / "shop_metrics.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert main(["identify", "shop_metrics:rate", "--metric", "hit_rate@3"]) == 0
    assert "equals rectools" in capsys.readouterr().out
    assert main(["identify", "shop_metrics:none", "--metric", "hit_rate@3"]) == 1
    assert "shop_metrics:none: module" in capsys.readouterr().err
    assert main(["identify", "shop_metrics", "--metric", "hit_rate@3"]) == 1


def test_the_greedy_cover_separates_all_pairs_that_differ():
    values = {"a": [1, 1, 0], "b": [1, 0, 0], "c": [1, 1, 0], "d": [1, None, 1]}
    assert separating([values], [5, 5, 1]) == [1]
    assert separating([values], [5, 5, 1], times=2) == [1, 2]
    assert separating([{"a": [1, 2, 3], "b": [1, 1, 1]}], [5, 5, 1]) == [2]


def test_tables_have_their_features():
    tables = [small_table(seed, 3) for seed in SEEDS]
    assert {feature for table in tables for feature in table.features} >= {*FEATURES} - {"no_hit"}
    for table in tables:
        lists, _ = inputs(table)
        repeats = any(len({*items}) < len(items) for items in lists.values())
        assert repeats <= ("list_repeats" in table.features)
        negative = any(score <= 0 for _, _, score in table.recs)
        assert negative <= ("negative" in table.features)


@mark.slow
@mark.parametrize("metric", METRICS)
def test_the_tables_separate_all_forms_that_more_tables_separate(metric):
    (own,) = parse_metrics(f"{metric}@3")
    requests = [form.request for form in forms_on_tables(own)]
    chosen = values_of(requests, [small_table(seed, 3) for seed in SEEDS])
    more = values_of(requests, [small_table(seed, 3) for seed in range(200, 240)])
    labels = [*chosen]
    for number, first in enumerate(labels):
        for second in labels[:number]:
            if not equal(more[first], more[second]):
                assert not equal(chosen[first], chosen[second]), (first, second)


def equal(first, second):
    return all(map(are_equal, first, second))
