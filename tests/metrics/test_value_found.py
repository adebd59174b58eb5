import math

from pytest import approx, mark, raises

import sqlrec

from ..tables import lists, priced, rows, values, wanted

ITEMS = priced(("a", 10), ("b", 2), ("c", 5), ("x", 3))
RECS = lists({"ann": "axb", "bob": "bc"})
TRUTH = wanted({"ann": "abc", "bob": "c", "cid": "x"})


def test_adds_up_the_prices_of_hits_within_k():
    found = sqlrec.evaluate("value_found@2 value_found@all", recs=RECS, truth=TRUTH, items=ITEMS)
    # Ann finds a, then b too; Bob finds c at place 2; Cid has no list.
    assert values(found) == approx([(10 + 5 + 0) / 3, (12 + 5 + 0) / 3])


def test_prices_may_be_another_column_as_margins_are():
    items = ITEMS.rename_columns(["item_id", "margin"])
    columns = {"price": "margin"}
    found = sqlrec.evaluate("value_found@2", recs=RECS, truth=TRUTH, items=items, columns=columns)
    assert values(found) == [5]


def test_is_undefined_without_relevant_item():
    truth = wanted({"ann": {"a": 1.0}, "bob": {"b": 0.0}})
    found = sqlrec.evaluate(
        "value_found@2", recs=RECS, truth=truth, items=ITEMS, population="judged"
    )
    assert rows(found, "value", "users") == [(10, 1)]


@mark.parametrize(
    "prices, message",
    [
        ([("a", -1)], "the price of item a is null, NaN, below 0 or beyond 1e100"),
        ([("a", None)], "the price of item a is null"),
        ([("a", math.nan)], "the price of item a is null"),
        ([("a", math.inf)], "the price of item a is null"),
        ([("a", 10), ("a", 9)], "item a has more than one price"),
        ([("a", 10), ("b", 2)], "item c has no price in items, one of 3 such rows"),
    ],
)
def test_refuses_prices_that_are_missing_or_none(prices, message):
    others = [("b", 2), ("c", 5), ("x", 3)] if len(prices) == 1 or prices[1][0] == "a" else []
    items = priced(*prices, *others)
    with raises(sqlrec.DataError, match=message):
        sqlrec.evaluate("value_found@2", recs=RECS, truth=TRUTH, items=items)


def test_a_price_may_be_told_again():
    items = priced(("a", 10), ("a", 10), ("b", 2), ("c", 5), ("x", 3))
    found = sqlrec.evaluate("value_found@2", recs=RECS, truth=TRUTH, items=items)
    assert values(found) == [5]
