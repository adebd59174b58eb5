from pytest import approx, mark

import sqlrec

from ..tables import JUDGED, lists, values, wanted

RECS = lists({"ann": "abcd", "bob": "x"})
BASELINE = lists({"ann": "bxcy", "dan": "a"})


def ask(metric, relevant, recs=RECS):
    return values(sqlrec.evaluate(metric, recs=recs, baseline=BASELINE, truth=wanted(relevant)))


def test_is_the_share_of_hits_that_the_baseline_has_not_within_k():
    metrics = "baseline_serendipity@1 baseline_serendipity@2 baseline_serendipity@4"
    assert ask(metrics, {"ann": "abd"}) == approx([1, 1 / 2, 2 / 4])


@mark.parametrize("relevant", ["bdx", JUDGED])
def test_neither_grades_nor_judged_items_matter(relevant):
    # Of xbcde, x, b and d are hits, and x, b and e are not in the baseline's list.
    given = {"recs": lists({"ann": "xbcde"}), "baseline": lists({"ann": "dycz"})}
    given["truth"] = wanted({"ann": relevant})
    metrics = "srdp@9 srdp(divide_by=k)@9 srdp(divide_by=unexpected)@9"
    assert values(sqlrec.evaluate(metrics, **given)) == approx([2 / 5, 2 / 9, 2 / 3])


def test_without_baseline_all_is_unexpected():
    assert ask("srdp@4", {"bob": "x"}) == [1]


def test_who_wants_nothing_is_left_out():
    assert ask("srdp@4", {"ann": "bc"}) == [0]


def test_divides_by_places_k_or_what_is_unexpected():
    short = lists({"ann": "ab"})
    assert ask("srdp@5 srdp(divide_by=k)@5 srdp(divide_by=unexpected)@5", {"ann": "a"}, short) == (
        approx([1 / 2, 1 / 5, 1])
    )
    assert ask("srdp(divide_by=unexpected)@5", {"ann": "a"}, lists({"ann": "b"})) == [0]
