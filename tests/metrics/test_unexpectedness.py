from pytest import approx

import sqlrec

from ..tables import lists, values

RECS = lists({"ann": "abcd", "bob": "x"})
BASELINE = lists({"ann": "bxcy", "dan": "a"})


def ask(metric, recs=RECS):
    return values(sqlrec.evaluate(metric, recs=recs, baseline=BASELINE))


def test_is_the_share_of_places_that_the_baseline_has_not_within_k():
    ann = lists({"ann": "abcd"})
    assert ask("unexpectedness@1 unexpectedness@2 unexpectedness@3", ann) == approx(
        [1, 1 / 2, 1 / 3]
    )


def test_without_baseline_all_is_unexpected_or_expected_or_undefined():
    texts = ("unexpected", "expected", "undefined")
    asked = [f"unexpectedness(without_baseline={text})@3" for text in texts[1:]]
    assert ask(["unexpectedness@3", *asked]) == approx([(1 / 3 + 1) / 2, (1 / 3) / 2, 1 / 3])


def test_of_users_of_the_baseline_one_without_list_counts_0():
    # Of ann and dan; bob has no baseline.
    assert ask("unexpectedness(users=baseline)@3") == approx([(1 / 3 + 0) / 2])
    assert ask("unexpectedness(users=baseline, divide_by=k)@8") == approx([(6 / 8 + 0) / 2])


def test_divided_by_k_a_missing_place_is_unexpected():
    short = lists({"ann": "bc"})
    assert ask("unexpectedness@4 unexpectedness(divide_by=k)@4", short) == approx([0, 1 / 2])
