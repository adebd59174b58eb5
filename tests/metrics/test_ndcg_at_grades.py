from pytest import approx, mark

from ..tables import value, without_list
from .test_ndcg import perfect as dcg

# The best list goes over to a lower gain after places 1 and 3, and ends at place 4.
GRADES = {"a": 3, "b": 2, "c": 2, "d": 1}


@mark.parametrize("name", ["ndcg_at_grades", "Rndcg"])
def test_is_the_mean_ndcg_where_the_best_list_goes_over_to_a_lower_gain(name):
    at_1 = 2 / 3
    at_3 = dcg(2, 0, 3) / dcg(3, 2, 2)
    at_4 = dcg(2, 0, 3, 1) / dcg(3, 2, 2, 1)
    assert value(name, "bxad", GRADES) == approx((at_1 + at_3 + at_4) / 3)


def test_the_best_list_has_1():
    assert value("rndcg", "acbd", GRADES) == approx(1)


def test_without_grades_it_is_the_ndcg_where_a_perfect_list_would_end():
    assert value("rndcg", "xab", "ab") == approx(dcg(0, 1) / dcg(1, 1))


def test_a_list_that_goes_on_for_two_places_or_more_adds_its_ndcg_as_a_whole():
    at_1, whole = 0, dcg(0, 0, 1)
    assert value("rndcg", "xy", "a") == at_1
    assert value("rndcg", "xya", "a") == approx((at_1 + whole) / 2)
    assert value("rndcg", "xyaz", "a") == approx((at_1 + whole) / 2)
    at_1, at_2, whole = 0, dcg(0, 1) / dcg(3, 1), dcg(0, 1, 3) / dcg(3, 1)
    assert value("rndcg", "xbayz", {"a": 3, "b": 1, "y": 0}) == approx((at_1 + at_2 + whole) / 3)


def test_a_shorter_list_ends_before_and_has_nothing_below():
    at_1, at_3, at_4 = 1, 3 / dcg(3, 2, 2), 3 / dcg(3, 2, 2, 1)
    assert value("rndcg", "a", GRADES) == approx((at_1 + at_3 + at_4) / 3)


def test_a_cutoff_ends_the_list_and_not_the_best_one():
    assert value("rndcg@1", "acbd", GRADES) == value("rndcg", "a", GRADES)
    assert value("rndcg@2", "xya", "a") == 0


def test_gains_below_the_threshold_count():
    graded = {"a": 1, "b": 3}
    expected = (1 / 3 + dcg(1, 3) / dcg(3, 1)) / 2
    assert value("rndcg", "ab", graded, relevance_threshold=2) == approx(expected)


def test_is_undefined_without_relevant_item_or_without_gain_and_0_without_list_or_hit():
    rules = {"population": "judged"}
    assert value("rndcg", "ab", {"a": 0}, **rules) is None
    assert value("rndcg", "ab", {"a": 1}, relevance_threshold=2, **rules) is None
    assert value("rndcg", "ab", {"a": 0}, relevance_threshold=0, **rules) is None
    assert without_list("rndcg", "ab") == 0
    assert value("rndcg", "xy", "ab") == 0
