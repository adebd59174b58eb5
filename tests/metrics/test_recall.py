from pytest import approx, mark

from ..tables import JUDGED, value, without_list


@mark.parametrize("k, expected", [(1, 0), (2, 1 / 3), (3, 1 / 3), (4, 2 / 3), (10, 2 / 3)])
@mark.parametrize("relevant", ["bdx", JUDGED])
def test_is_the_share_of_relevant_items_that_stand_within_k(k, expected, relevant):
    assert value(f"recall@{k}", "abcde", relevant) == approx(expected)


def test_more_relevant_items_than_places_keep_it_below_1():
    assert value("recall@2", "ab", "abcd") == approx(2 / 4)


def test_or_it_is_divided_by_what_k_places_can_hold():
    assert value("recall(divide_by=achievable)@2", "ab", "abcd") == 1
    assert value("recall(divide_by=achievable)@10", "ab", "abcd") == approx(2 / 4)
    assert value("recall(divide_by=achievable)@all", "ab", "abcd") == approx(2 / 4)


@mark.parametrize(
    "divide_by, k, expected",
    [
        ("achievable", 2, 1 / 2),
        ("achievable", 9, 2 / 3),
        ("achievable_in_list", 2, 1 / 2),
        ("achievable_in_list", 9, 2 / 3),
    ],
)
def test_items_judged_not_relevant_can_not_be_achieved(divide_by, k, expected):
    assert value(f"recall(divide_by={divide_by})@{k}", "abcde", JUDGED) == approx(expected)


def test_or_by_what_the_list_can_hold():
    assert value("recall(divide_by=achievable_in_list)@10", "ab", "bcd") == approx(1 / 2)
    assert without_list("recall(divide_by=achievable_in_list)@10", "bcd") == 0


@mark.parametrize("divide_by", ["relevant", "achievable", "achievable_in_list"])
def test_is_1_for_the_only_item_and_undefined_for_a_user_without_relevant_item(divide_by):
    metric = f"recall(divide_by={divide_by})@2"
    assert value(metric, "a", "a") == 1
    assert value(metric, "ab", {"a": 0}, population="judged") is None


def test_has_four_decimals_if_asked_to():
    assert value("recall(digits=four)@3", "abcd", "abx") == approx(0.6667, abs=1e-15)
    assert value("recall(digits=four)@2", "ab", {"a": 0}, population="judged") is None
