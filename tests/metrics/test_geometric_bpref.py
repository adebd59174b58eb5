from pytest import approx

import sqlrec

from ..tables import lists, rows, value, values, wanted, without_list

RECS = lists({"ann": "ab", "bob": "xb", "cid": "x"})
# Of bob's two relevant items one stands below one of the two that were judged not relevant.
BOB = {"b": 1, "y": 1, "x": 0, "z": 0}
TRUTH = wanted({"ann": {"a": 1}, "bob": BOB, "cid": {"c": 1}})


def test_is_the_geometric_mean_of_the_bpref_and_0_counts_a_little():
    assert values(sqlrec.evaluate("gm_bpref", recs=RECS, truth=TRUTH)) == approx(
        [(1 * (1 - 1 / 2) / 2 * 0.00001) ** (1 / 3)]
    )


def test_the_values_of_users_are_their_bpref_itself():
    found = sqlrec.evaluate("geometric_bpref", recs=RECS, truth=TRUTH).per_user()
    assert sorted(rows(found, "user_id", "value")) == [("ann", 1), ("bob", 1 / 4), ("cid", 0)]


def test_ends_at_the_cutoff_if_one_is_asked():
    judged = {"a": 1, "b": 0, "c": 1, "d": 0}
    assert value("geometric_bpref@2", "abc", judged) == approx(1 / 2)
    assert value("geometric_bpref", "abc", judged) == approx((1 + 1 / 2) / 2)


def test_leaves_out_users_without_relevant_item():
    truth = wanted({"ann": {"a": 1}, "bob": {"b": 0}, "cid": {"x": 2}})
    result = sqlrec.evaluate("geometric_bpref", recs=RECS, truth=truth, population="judged")
    assert rows(result, "value", "users") == [(approx(1), 2)]


def test_is_undefined_for_nobody():
    assert value("geometric_bpref", "ab", {"a": 0}, population="judged") is None


def test_the_value_of_a_user_without_list_is_0():
    assert without_list("geometric_bpref", "a") == 0
