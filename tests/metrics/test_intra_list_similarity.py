from pytest import approx, mark

import sqlrec

from ..tables import lists, rows, values
from .test_cosine_diversity import ITEMS


def similarity(shown, metric="intra_list_similarity@all"):
    return values(sqlrec.evaluate(metric, recs=lists({"ann": shown}), items=ITEMS))


def test_is_the_mean_cosine_of_two_items():
    assert similarity("ac") == approx([3 / 5])
    assert similarity("abc") == approx([(0 + 3 / 5 + 4 / 5) / 3])
    assert similarity("cab", "ils@2 ils@3") == approx([3 / 5, (0 + 3 / 5 + 4 / 5) / 3])


@mark.parametrize("shown, expected", [("ad", 1), ("ae", -1), ("az", 0), ("xy", 0)])
def test_is_1_for_alike_and_0_for_unknown_items(shown, expected):
    assert similarity(shown) == approx([expected])


def test_leaves_out_lists_of_one_item():
    found = sqlrec.evaluate(
        "intra_list_similarity@2", recs=lists({"ann": "ac", "bob": "a"}), items=ITEMS
    )
    assert rows(found, "value", "users") == [(approx(3 / 5), 1)]
