from pytest import approx

import sqlrec

from ..tables import scored, values, wanted

BASELINE = {"ann": {"a": 0.2, "b": 0.5, "c": 0.0, "d": 0.9}}


def ask(metric, shown, relevant, baseline=BASELINE):
    given = {"recs": scored(shown), "baseline": scored(baseline), "truth": wanted(relevant)}
    return values(sqlrec.evaluate(metric, **given))


def test_a_place_weighs_its_score_over_that_of_the_baseline():
    weights = [0.8 / 0.2, 0.6 / 0.5]
    assert ask("ncis_precision@2", {"ann": {"a": 0.8, "b": 0.6}}, {"ann": "b"}) == approx(
        [weights[1] / sum(weights)]
    )


def test_neither_grades_nor_judged_items_matter():
    weights = [0.8 / 0.2, 0.6 / 1, 0.45 / 0.9]
    shown = {"ann": {"a": 0.8, "b": 0.6, "d": 0.45}}
    relevant = {"ann": {"a": 0, "b": 3, "d": 0.5, "x": 2}}
    found = ask("ncis_precision@9", shown, relevant, {"ann": BASELINE["ann"] | {"b": 1.0}})
    assert found == approx([sum(weights[1:]) / sum(weights)])


def test_weights_are_clipped():
    shown = {"ann": {"a": 0.8, "d": 0.1}}
    assert ask("ncis_precision(clip=2)@2", shown, {"ann": "a"}) == approx([2 / (2 + 1 / 2)])


def test_what_the_baseline_does_not_score_or_scores_0_weighs_most():
    shown = {"ann": {"a": 0.8, "c": 0.1, "z": 0.05}}
    assert ask("ncis_precision@3", shown, {"ann": "a"}) == approx([4 / (4 + 10 + 10)])


def test_the_baseline_scores_count_past_the_cutoff():
    assert ask("ncis_precision@1", {"ann": {"a": 0.8}}, {"ann": "a"}) == [1]
    shown = {"ann": {"a": 0.8}, "bob": {"a": 1.0}}
    assert ask("ncis_precision@1", shown, {"ann": "a", "bob": "b"}) == [1 / 2]


def test_who_wants_nothing_is_left_out():
    assert ask("ncis_precision@1", {"ann": {"a": 0.8}, "bob": {"a": 1.0}}, {"ann": "a"}) == [1]


def test_an_item_without_score_weighs_least():
    recs = scored({"ann": {"a": 0.8, "b": None}})
    given = {"recs": recs, "baseline": scored(BASELINE), "truth": wanted({"ann": "a"})}
    result = sqlrec.evaluate("ncis_precision@2", **given, null_scores="last")
    assert values(result) == approx([4 / (4 + 1 / 10)])
