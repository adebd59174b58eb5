from pytest import approx, mark

import sqlrec

from ..tables import JUDGED, lists, rows, value, values, wanted, without_list

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


@mark.parametrize("relevant", ["bdx", JUDGED])
def test_neither_grades_nor_items_judged_not_relevant_matter(relevant):
    assert value("gmap@9", "abcde", relevant) == approx((1 / 2 + 2 / 4) / 3)


def test_a_value_below_the_floor_counts_as_the_floor():
    items = [f"i{place}" for place in range(40)]
    relevant = [f"x{number}" for number in range(4999)] + [items[-1]]
    # 1 / 40 / 5000 is half of it.
    assert value("gmap", items, relevant) == approx(0.00001)


def test_leaves_out_users_without_relevant_item():
    truth = wanted({"ann": {"a": 1}, "bob": {"b": 0}, "cid": {"x": 2}})
    result = sqlrec.evaluate("gmap", recs=RECS, truth=truth, population="judged")
    assert rows(result, "value", "users") == [(approx(1), 2)]


def test_is_undefined_for_nobody():
    assert value("gmap", "ab", {"a": 0}, population="judged") is None


def test_the_value_of_a_user_without_list_is_0():
    assert without_list("gmap", "a") == 0
