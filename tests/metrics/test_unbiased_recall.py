from pytest import approx

import sqlrec

from ..tables import lists, rows, values
from .test_unbiased_precision import CLICKS, found


def test_weighs_clicks_by_how_unlikely_they_were():
    # ann's a weighs 2, b 8, c nothing.
    got = found("unbiased_recall@1 unbiased_recall@2 unbiased_recall", {"ann": "axb"})
    assert values(got) == approx([0.2 / 2, 0.2 / 2, 1 / 2])


def test_cuts_weights():
    got = found("unbiased_recall(cap=4)@1", {"ann": "ab", "bob": "xa"})
    assert values(got) == approx([2 / 6 / 2])


def test_counts_users_without_list():
    assert rows(found("unbiased_recall@2", {"bob": "a"}), "value", "users") == [(0.5, 2)]


def test_is_undefined_for_a_user_without_a_click():
    shown = {"ann": "ab", "carl": "ab"}
    got = sqlrec.evaluate("unbiased_recall@2", recs=lists(shown), truth=CLICKS, population="all")
    # Bob, who has no list, has 0; carl clicked nothing.
    assert rows(got, "value", "users") == [(0.5, 2)]


def test_may_be_divided_by_the_number_of_clicks():
    got = found("unbiased_recall(divide_by=relevant)@3", {"ann": "axb", "bob": "xa"})
    assert values(got) == approx([((2 + 8) / 3 + 1) / 2])
