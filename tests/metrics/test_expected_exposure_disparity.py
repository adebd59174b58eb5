from pytest import approx

import sqlrec

from ..tables import lists, value, wanted

DISPARITY = "expected_exposure_disparity"


def test_is_the_sum_of_the_squared_attention():
    assert value(f"{DISPARITY}@2", "abc", "x") == approx(1 + 1 / 4)
    assert value(f"{DISPARITY}(patience=0.8)", "abc", "x") == approx(1 + 0.8**2 + 0.8**4)


def test_of_a_long_list_stays_a_number():
    items = [f"i{number}" for number in range(3000)]
    assert value(DISPARITY, items, ["x"]) == approx(4 / 3)


def test_without_list_is_0():
    result = sqlrec.evaluate(
        DISPARITY, recs=lists({"ann": "a"}), truth=wanted({"ann": "a", "bob": "a"})
    )
    assert sorted(row["value"] for row in result.per_user().to_arrow().to_pylist()) == [0, 1]
