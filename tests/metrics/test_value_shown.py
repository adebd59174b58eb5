import sqlrec

from ..tables import lists, priced, values

ITEMS = priced(("a", 10), ("b", 2), ("c", 6))
RECS = lists({"ann": "abc", "bob": "b"})


def test_is_the_mean_price_of_a_place_within_k():
    found = sqlrec.evaluate("value_shown@2 value_shown@all", recs=RECS, items=ITEMS)
    assert values(found) == [(6 + 2) / 2, (6 + 2) / 2]


def test_may_be_the_sum_over_the_list():
    found = sqlrec.evaluate(
        "value_shown(total=sum)@2 value_shown(total=sum)@all", recs=RECS, items=ITEMS
    )
    assert values(found) == [(12 + 2) / 2, (18 + 2) / 2]
