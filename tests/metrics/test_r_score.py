from pytest import approx, raises

import sqlrec

from ..tables import lists, value, values, wanted


def test_halves_what_an_item_is_worth_at_each_half_life():
    # With a half-life of 2 each place is worth half of the one above.
    graded = {"a": 2, "b": 3}
    best = 3 + 2 / 2
    assert value("r_score(half_life=2)", "xab", graded) == approx((2 / 2 + 3 / 4) / best)
    assert value("r_score", "vwxya", "a") == approx(1 / 2)


def test_counts_what_a_grade_has_above_neutral():
    graded = {"a": 2, "b": 5, "c": 3}
    best = 2 + 0
    found = value("r_score(half_life=2, neutral=3)", "acb", graded)
    assert found == approx(2 / 4 / best)


def test_best_lists_have_at_most_k_items():
    assert value("r_score@1", "ax", {"a": 2, "b": 4}) == approx(2 / 4)
    assert value("r_score(half_life=2)@2", "xb", {"a": 2, "b": 4}) == approx(4 / 2 / (4 + 2 / 2))


def test_divides_the_sum_over_users_by_that_of_the_best_lists_or_each_by_its_own():
    recs = lists({"ann": "a", "bob": "xb"})
    truth = wanted({"ann": {"a": 4}, "bob": {"b": 2}})
    asked = "r_score(half_life=2) r_score(half_life=2, mean=plain)"
    found = values(sqlrec.evaluate(asked, recs=recs, truth=truth))
    assert found == approx([(4 + 2 / 2) / (4 + 2), (1 + 1 / 2) / 2])


def test_counts_users_without_list():
    truth = wanted({"ann": {"a": 4}, "bob": {"b": 2}})
    assert values(sqlrec.evaluate("r_score", recs=lists({"ann": "a"}), truth=truth)) == [
        approx(4 / 6)
    ]


def test_is_undefined_for_a_user_without_grade_above_neutral():
    assert value("r_score(neutral=2)", "ab", {"a": 2, "b": 1}) is None
    assert value("r_score(neutral=2, mean=plain)", "ab", {"a": 2, "b": 1}) is None


def test_asks_for_a_half_life_above_1():
    with raises(sqlrec.MetricError, match="half_life is a number above 1"):
        value("r_score(half_life=1)", "a", "a")
