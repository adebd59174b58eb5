import pyarrow as pa
from pytest import approx, raises

import sqlrec

from ..tables import lists, table, values

# d has two groups, n none.
GROUPS = [("a", "g"), ("b", "g"), ("c", "h"), ("d", "h"), ("d", "g"), ("n", None), ("z", "rare")]
ITEMS = table(GROUPS, item_id=pa.string(), item_group=pa.string())
RECS = lists({"ann": "abc", "bob": "bx", "eve": "cn"})
# zoe has no list, so that what she had counts nowhere.
HISTORY = lists({"ann": "ac", "bob": "cdn", "zoe": "a"})


def found(metrics, **options):
    given = {"recs": RECS, "items": ITEMS, "history": HISTORY}
    return sqlrec.evaluate(metrics, **given | options)


def test_is_the_share_of_a_group_in_the_lists_by_that_in_the_history():
    # Of six places three are of g and one is of h, of five in the history two and three.
    assert values(found("bias_disparity(group=g)@2")) == approx([(3 / 6) / (2 / 5) - 1])
    assert values(found("bias_disparity(group=h)@2")) == approx([(1 / 6) / (3 / 5) - 1])


def test_of_one_side_is_a_share_by_that_of_a_random_choice():
    # Three of six items are of g.
    metrics = "bias_disparity(group=g, of=recs)@2 bias_disparity(group=g, of=history)@2"
    assert values(found(metrics)) == approx([(3 / 6) / (3 / 6), (2 / 5) / (3 / 6)])


def test_without_the_history_has_the_lists_side_alone():
    assert values(found("bias_disparity(group=g, of=recs)@2", history=None)) == approx([1])
    with raises(sqlrec.InputError, match="history"):
        found("bias_disparity(group=g)@2", history=None)


def test_of_a_group_of_users_is_by_their_lists_and_history():
    users = table([("ann", "f"), ("bob", "m"), ("eve", "m")], user_id=pa.string(), sex=pa.string())
    got = found("bias_disparity(group=g)@2", users=users, by="sex").to_arrow().to_pylist()
    # Ann: two of two by one of two. Bob and eve: one of four by one of three.
    assert [(row["sex"], row["value"]) for row in got] == [("f", approx(1)), ("m", approx(-1 / 4))]


def test_where_the_history_has_nothing_of_the_group_is_undefined():
    metrics = ["bias_disparity(group=rare)@2", "bias_disparity(group=none)@2"]
    assert values(found(metrics)) == [None, None]
    one_side = [
        f"bias_disparity(group={g}, of={of})@2"
        for g in ("rare", "none")
        for of in ("recs", "history")
    ]
    assert values(found(one_side)) == [0, 0, None, None]
    assert values(found("bias_disparity(group=g, of=history)@2", recs=lists({"al": "ab"}))) == [
        None
    ]
