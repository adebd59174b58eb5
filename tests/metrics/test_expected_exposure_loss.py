from pytest import approx, mark

import sqlrec

from ..tables import lists, value, wanted

LOSS = "expected_exposure_loss"


def test_is_the_squared_distance_of_what_items_get_from_what_they_deserve():
    # a and b deserve (1 + 1/2) / 2 each; a gets 1, x 1/2 and b nothing.
    assert value(f"{LOSS}@2", "axb", "ab") == approx((1 - 0.75) ** 2 + 0.5**2 + 0.75**2)


def test_of_the_only_relevant_item_in_front_is_that_of_the_others():
    assert value(f"{LOSS}@1", "ab", "a") == 0
    assert value(f"{LOSS}@2", "ab", "a") == approx(0.25)


def test_of_the_best_list_is_above_0_where_items_are_equally_relevant():
    assert value(LOSS, "ab", "ab") == approx(2 * 0.25**2)


def test_lets_better_items_deserve_more():
    truth = {"a": 2, "b": 1, "c": 1}
    # a deserves 1, b and c (1/2 + 1/4) / 2.
    assert value(LOSS, "ab", truth) == approx((0.5 - 0.375) ** 2 + 0.375**2)
    deserved = (1 + 0.5 + 0.25) / 3
    binary = (1 - deserved) ** 2 + (0.5 - deserved) ** 2 + deserved**2
    assert value(f"{LOSS}(grades=binary)", "ab", truth) == approx(binary)


@mark.parametrize("grades", ["given", "binary"])
def test_items_that_are_not_relevant_deserve_nothing(grades):
    # a and b deserve (1 + 1/2) / 2 each; a gets 1, x 1/2, c 1/4, b 1/8.
    expected = (1 - 0.75) ** 2 + 0.5**2 + 0.25**2 + (0.125 - 0.75) ** 2
    relevant = {"a": 2, "b": 2, "c": 0, "z": 0}
    assert value(f"{LOSS}(grades={grades})@9", "axcb", relevant) == approx(expected)


@mark.parametrize("grades", ["given", "binary"])
def test_without_list_is_what_the_items_deserve(grades):
    metric = f"{LOSS}(grades={grades})"
    result = sqlrec.evaluate(
        metric, recs=lists({"ann": "a"}), truth=wanted({"ann": "a", "bob": "ab"})
    )
    found = sorted(row["value"] for row in result.per_user().to_arrow().to_pylist())
    assert found == approx([0, 2 * 0.75**2])


def test_takes_the_patience_to_go_on():
    assert value(f"{LOSS}(patience=0.8)", "xa", "a") == approx(1 + (0.8 - 1) ** 2)


@mark.parametrize("grades", ["given", "binary"])
def test_of_a_user_without_relevant_item_is_undefined(grades):
    metric = f"{LOSS}(grades={grades})@2"
    assert value(metric, "ab", {"a": 0}, population="judged") is None
