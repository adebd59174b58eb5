from pytest import approx

from .test_alpha_ndcg import alpha_ndcg as found


def test_averages_the_precision_over_aspects():
    # Aspect 1 has a and b in three places, aspect 2 has c.
    assert found("abc", "abc", "intent_precision@3") == approx([(2 / 3 + 1 / 3) / 2])
    assert found("axy", "abc", "intent_precision@2") == approx([(1 / 2 + 0) / 2])


def test_counts_an_item_for_each_of_its_aspects():
    assert found("d", "ad", "p_ia@1") == approx([1])
    assert found("d", "ad", "p_ia@4") == approx([1 / 4])
