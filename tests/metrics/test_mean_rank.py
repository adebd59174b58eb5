from pytest import approx, mark

from ..tables import value


@mark.parametrize("relevant, mean", [("a", 1), ("bd", 3), ("abd", 7 / 3)])
def test_is_the_mean_place_of_the_relevant_items(relevant, mean):
    assert value("mean_rank", "abcd", relevant) == approx(mean)


def test_the_geometric_mean_goes_by_ratios():
    assert value("mean_rank(average=geometric)", "abcd", "bd") == approx((2 * 4) ** 0.5)


def test_a_list_that_lacks_a_relevant_item_has_none():
    assert value("mean_rank", "abcd", "bx") is None
    assert value("mean_rank@2", "abcd", "bc") is None
    assert value("mean_rank@3", "abcd", "bc") == approx(2.5)
