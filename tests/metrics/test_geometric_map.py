from pytest import approx

import sqlrec

from ..tables import lists, rows, value, values, wanted, without_list

RECS = lists({"ann": "ab", "bob": "xb", "cid": "x"})
TRUTH = wanted({"ann": "a", "bob": "b", "cid": "c"})


def test_is_the_geometric_mean_of_the_average_precision_and_0_counts_a_little():
    assert values(sqlrec.evaluate("gmap", recs=RECS, truth=TRUTH)) == approx(
        [(1 * 1 / 2 * 0.00001) ** (1 / 3)]
    )


def test_the_values_of_users_are_their_average_precision():
    found = sqlrec.evaluate("gm_map", recs=RECS, truth=TRUTH).per_user()
    assert sorted(rows(found, "user_id", "value")) == [("ann", 1), ("bob", 0.5), ("cid", 0)]


def test_ends_at_the_cutoff_if_one_is_asked():
    assert value("gmap@1", "ab", "ab") == approx(1 / 2)
    assert value("gmap", "ab", "ab") == approx(1)


def test_leaves_out_users_without_relevant_item():
    truth = wanted({"ann": {"a": 1}, "bob": {"b": 0}, "cid": {"x": 2}})
    result = sqlrec.evaluate("gmap", recs=RECS, truth=truth, population="judged")
    assert rows(result, "value", "users") == [(approx(1), 2)]


def test_is_undefined_for_nobody():
    assert value("gmap", "ab", {"a": 0}, population="judged") is None


def test_the_value_of_a_user_without_list_is_0():
    assert without_list("gmap", "a") == 0
