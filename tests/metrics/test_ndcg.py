from math import log2

from pytest import approx, mark

from ..tables import value

GRADES = {"b": 3, "d": 1, "x": 2}


def perfect(*gains):
    return sum(gain / log2(place + 1) for place, gain in enumerate(gains, start=1))


def test_divides_by_the_best_list_of_the_users_own_items():
    # The item that was not shown is part of what would have been best.
    assert value("nDCG@4", "abcd", GRADES) == approx(perfect(0, 3, 0, 1) / perfect(3, 2, 1))


@mark.parametrize("gain, b, x, d", [("binary", 1, 1, 1), ("exponential", 7, 3, 1)])
def test_gain_holds_for_both_lists(gain, b, x, d):
    expected = perfect(0, b, 0, d) / perfect(b, x, d)
    assert value(f"ndcg(gain={gain})@4", "abcd", GRADES) == approx(expected)


def test_the_best_list_has_1():
    assert value("ndcg@3", "bxd", GRADES) == approx(1)


def test_the_best_list_ends_at_k():
    assert value("ndcg@2", "ab", "abcd") == approx(1)


@mark.parametrize(
    "ideal, shown, best",
    [
        ("achievable", "xa", perfect(1, 1)),
        ("relevant", "xa", perfect(1, 1, 1)),
        ("k", "xa", perfect(1, 1)),
        ("list_length", "x", perfect(1)),
        ("list_length", "xa", perfect(1, 1)),
    ],
)
def test_ideal_says_how_long_the_best_list_is(ideal, shown, best):
    shown_dcg = perfect(0, 1) if "a" in shown else 0
    assert value(f"ndcg(ideal={ideal})@2", shown, "abc") == approx(shown_dcg / best)


def test_k_perfect_places_may_be_more_than_the_user_could_fill():
    assert value("ndcg(ideal=k)@3", "a", "a") == approx(perfect(1) / perfect(1, 1, 1))


def test_an_ideal_of_k_items_may_gain_what_the_best_grade_of_the_scale_does():
    graded = {"a": 3, "b": 1}
    best = perfect(3, 3)
    assert value("ndcg(ideal=k, ideal_gain=3)@2", "ba", graded) == approx(perfect(1, 3) / best)
    assert value("ndcg(ideal=k, ideal_gain=3)@2", "ab", graded) == approx(perfect(3, 1) / best)
    assert value("ndcg(ideal_gain=3)@2", "ab", graded) == 1


def test_without_grades_every_relevant_item_is_worth_1():
    assert value("ndcg@3", "abc", "bx") == approx(perfect(0, 1) / perfect(1, 1))


def test_is_undefined_for_a_user_without_relevant_item():
    assert value("ndcg@2", "ab", {"a": 0}, population="judged") is None


def test_takes_whole_lists():
    assert value("ndcg@all", "abcd", GRADES) == approx(perfect(0, 3, 0, 1) / perfect(3, 2, 1))
    assert value("ndcg@all", "abcd", "bdx") == approx(perfect(0, 1, 0, 1) / perfect(1, 1, 1))


def test_places_are_weighed_by_their_reciprocals_if_asked_to():
    assert value("ndcg(discount=reciprocal)@4", "abcd", GRADES) == approx(
        (3 / 2 + 1 / 4) / (3 / 1 + 2 / 2 + 1 / 3)
    )
    binary = value("ndcg(discount=reciprocal, gain=binary, ideal=list_length)@4", "ab", "bdx")
    assert binary == approx((1 / 2) / (1 / 1 + 1 / 2))
    even = {"a": 2, "b": 1, "d": 1, "c": 1}
    assert value("ndcg(discount=reciprocal)@3", even, GRADES, ties="expected") == approx(
        (3 + 1 + 0) / 3 * (1 / 2 + 1 / 3) / (3 / 1 + 2 / 2 + 1 / 3)
    )


@mark.parametrize("discount, places", [("standard", (3, 5)), ("late", (2, 4))])
def test_the_late_discount_holds_for_both_lists(discount, places):
    second, fourth = (1 / log2(place) for place in places)
    third = 1 / log2(places[0] + 1)
    expected = (3 * second + 1 * fourth) / (3 + 2 * second + 1 * third)
    assert value(f"ndcg(discount={discount})@4", "abcd", GRADES) == approx(expected)


@mark.parametrize("discount, places", [("standard", (3, 4)), ("late", (2, 3))])
def test_of_items_with_equal_scores_each_is_expected_as_often_at_a_place(discount, places):
    second, third = (1 / log2(place) for place in places)
    shown = {"a": 2, "b": 1, "d": 1, "c": 1}
    expected = (3 + 1 + 0) / 3 * (second + third) / (3 + 2 * second + 1 * third)
    found = value(f"ndcg(discount={discount})@3", shown, GRADES, ties="expected")
    assert found == approx(expected)


def test_has_five_decimals_if_asked_to():
    assert value("ndcg(digits=five)@2", "ab", "b") == approx(0.63093, abs=1e-15)
    assert value("ndcg(digits=five)@2", "ab", "ab") == 1
    assert value("ndcg(digits=five)@2", "ab", {"a": 0}, population="judged") is None


@mark.parametrize("gain, worth", [("linear", (3, 2)), ("exponential", (7, 3)), ("binary", (1, 1))])
def test_gains_may_be_of_relevant_items_alone(gain, worth):
    b, x = worth
    found = value(f"ndcg(gain={gain}, gains=relevant)@4", "dbac", GRADES, relevance_threshold=2)
    assert found == approx(perfect(0, b) / perfect(b, x))


def test_gains_of_relevant_items_may_be_exponential_in_a_relevance_that_is_shifted():
    metric = "ndcg(gain=exponential, gains=relevant, shift=1)@{}"
    # b has 3, x 2 and d 1, which are worth 15, 7 and 3.
    assert value(metric.format(4), "dbac", GRADES) == approx(perfect(3, 15) / perfect(15, 7, 3))
    found = value(metric.format(4), "dbac", GRADES, relevance_threshold=2)
    assert found == approx(perfect(0, 15) / perfect(15, 7))
    # An item of relevance 0 that counts as relevant is worth 1.
    found = value(metric.format("all"), "ab", {"b": 0}, relevance_threshold=0)
    assert found == approx(perfect(0, 1) / perfect(1))
    by_k = "ndcg(gain=exponential, gains=relevant, shift=1, ideal=k, ideal_gain=3)@2"
    assert value(by_k, "db", GRADES) == approx(perfect(3, 15) / perfect(3, 3))
