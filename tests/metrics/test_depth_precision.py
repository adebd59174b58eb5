from pytest import approx, mark, raises

import sqlrec

from ..tables import lists, value, wanted, without_list


@mark.parametrize("name", ["depth_precision", "mean_precision"])
def test_is_the_mean_precision_of_all_beginnings(name):
    assert value(f"{name}@3", "abc", "bc") == approx((0 + 1 / 2 + 2 / 3) / 3)
    assert value(f"{name}@1", "abc", "bc") == 0


def test_goes_on_past_the_end_of_a_short_list():
    assert value("depth_precision@4", "ab", "a") == approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)


def test_asks_what_is_relevant():
    graded = {"a": 1, "b": 2}
    found = value("depth_precision@2", "ab", graded, relevance_threshold=2)
    assert found == approx((0 + 1 / 2) / 2)


def test_is_0_without_list_or_relevant_item():
    assert without_list("depth_precision@5", "a") == 0
    assert value("depth_precision@2", "ab", {"a": 0}, population="judged") == 0


def test_needs_a_number_of_depths():
    with raises(sqlrec.MetricError, match="depth_precision@all"):
        sqlrec.evaluate("depth_precision@all", recs=lists({"ann": "a"}), truth=wanted({"ann": "a"}))
