import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, rows, table, wanted

RECS = lists({"ann": "ab", "zed": "q"})
HISTORY = lists({"ann": "aca", "bob": "y", "eve": "x"})


def leaks(truth, **options):
    result = sqlrec.evaluate(
        "leak_share", **{"recs": RECS, "history": HISTORY} | options, truth=wanted(truth)
    )
    return rows(result, "value", "users")


def test_is_the_share_of_relevant_items_that_the_user_has_had():
    # ann has had a and c. bob has not had x, though eve has, and cid has no history.
    assert leaks({"ann": "abc", "bob": "x", "cid": "q"}) == [(approx(2 / 3 / 3), 3)]


def test_asks_for_relevant_items_alone():
    assert leaks({"ann": {"a": 0, "b": 1}, "bob": {"y": 0}}) == [(0, 1)]
    assert leaks({"ann": {"a": 0, "b": 1}}, relevance_threshold=0) == [(1 / 2, 1)]


def test_is_the_same_for_all_lists():
    models = {"a": RECS, "b": lists({"ann": "xyz"})}
    assert leaks({"ann": "abc"}, recs=models) == [(approx(2 / 3), 1)] * 2


def test_of_segments_is_that_of_their_users():
    users = table([("ann", "de"), ("bob", "fr")], user_id=pa.string(), country=pa.string())
    found = leaks({"ann": "ab", "bob": "x"}, users=users, by="country")
    assert found == [(1 / 2, 1), (0, 1)]


def test_a_check_fails_where_the_answer_was_learnt():
    given = {"recs": RECS, "history": HISTORY, "max": {"leak_share": 0}}
    assert not sqlrec.check("leak_share", truth=wanted({"ann": "ab"}), **given).passed
    assert sqlrec.check("leak_share", truth=wanted({"ann": "b"}), **given).passed
