from pytest import approx

from .test_alpha_ndcg import alpha_ndcg as found


def test_divides_by_a_list_of_hits_with_all_aspects():
    # b gains half, since a above has its aspect; c has an aspect of its own.
    gains = 1 + 1 / 2 / 2 + 1 / 3
    full = 1 + 1 / 2 / 2 + 1 / 4 / 3
    assert found("abc", "abc", "intent_err@3") == approx([gains / (2 * full)])
    assert found("xyd", "ad", "err_ia@3") == approx([2 / 3 / (2 * full)])


def test_alpha_says_how_much_a_further_hit_loses():
    assert found("ab", "abc", "intent_err(alpha=0)@2") == approx([1 / 2])
    assert found("ab", "abc", "intent_err(alpha=1)@2") == approx([1 / 2])
    gains, full = 1 + 3 / 4 / 2 + 1 / 3, 1 + 3 / 4 / 2 + 9 / 16 / 3
    assert found("abc", "abc", "intent_err(alpha=0.25)@3") == approx([gains / (2 * full)])


def test_items_that_are_not_relevant_do_not_count_as_earlier_ones():
    assert found("ba", "a", "intent_err@2") == approx([1 / 2 / (1 + 1 / 4)])
