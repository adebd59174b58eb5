from pytest import approx

from .test_alpha_ndcg import alpha_ndcg as found


def test_averages_the_average_precision_over_aspects():
    # Aspect 1 has a and b, in places 1 and 3; aspect 2 has c, in place 2.
    assert found("acb", "abc", "intent_average_precision@3") == approx(
        [((1 / 1 + 2 / 3) / 2 + 1 / 2) / 2]
    )
    assert found("acb", "abc", "map_ia@1") == approx([(1 / 2 + 0) / 2])


def test_takes_whole_lists():
    assert found("xyzd", "ad", "ap_ia@all") == approx([(1 / 4 / 2 + 1 / 4) / 2])


def test_is_0_without_a_hit():
    assert found("xy", "ab", "intent_average_precision@2") == [0]
