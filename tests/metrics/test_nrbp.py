from pytest import approx

from ..tables import labelled
from .test_alpha_ndcg import alpha_ndcg as found


def test_gains_less_for_further_hits_with_an_aspect_and_further_down():
    gains = 1 + 1 / 2 * 1 / 2 + 1 / 4
    assert found("abc", "abc", "nrbp@3") == approx([3 / 4 * gains / 2])


def test_alpha_and_p_say_how_much_less():
    # b gains 3/4, at 0.2 of the first place; c gains 1, at 0.04.
    gains = 1 + 3 / 4 * 0.2 + 0.04
    assert found("abc", "abc", "nrbp(alpha=0.25,p=0.2)@3") == approx([(1 - 0.15) * gains / 2])
    assert found("abc", "abc", "nrbp(alpha=1)@3") == approx([(1 + 1 / 4) / 2])


def test_comes_near_1_where_all_items_are_hits_with_all_aspects():
    items = {name: "12" for name in "abcdefgh"}
    assert found("abcdefgh", "abcdefgh", "nrbp@all", items=labelled("aspect", items)) == approx(
        [1], abs=1e-4
    )
