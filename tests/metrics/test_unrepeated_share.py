from pytest import approx

import sqlrec

from ..tables import lists, values


def test_is_the_share_of_lists_or_of_places_without_a_repeated_item():
    recs = lists({"ann": "abc", "bob": "abaa"})
    metrics = "unrepeated_share@2,3,4 unrepeated_share(count=places)@2,3,4"
    found = values(sqlrec.evaluate(metrics, recs=recs, convention="rectools"))
    assert found == approx([1, 1 / 2, 1 / 2, 1, (1 + 2 / 3) / 2, (1 + 2 / 4) / 2])
