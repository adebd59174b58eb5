import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, table, values

GROUPS = [("a", "g"), ("b", "g"), ("c", "h"), ("d", "h")]
ITEMS = table(GROUPS, item_id=pa.string(), item_group=pa.string())
RECS = lists({"ann": "abc", "bob": "bx"})


def rsp(**options):
    return values(sqlrec.evaluate("rsp@2", recs=RECS, **({"items": ITEMS} | options)))


def test_is_the_relative_standard_deviation_of_what_is_shown_of_the_groups():
    # 3 of 4 pairs of g, none of h.
    assert rsp() == approx([1])
    items = table([*GROUPS, ("x", "h")], item_id=pa.string(), item_group=pa.string())
    # 1 of 6 pairs of h.
    assert rsp(items=items) == approx([(3 / 4 - 1 / 6) / (3 / 4 + 1 / 6)])


def test_leaves_out_what_users_have_had():
    # Ann has had d, so that there are 3 pairs of h; cid has no list.
    items = table(
        [*GROUPS[:2], ("x", "h"), ("d", "h")], item_id=pa.string(), item_group=pa.string()
    )
    found = rsp(items=items, history=lists({"ann": "d", "cid": "ab"}))
    assert found == approx([(3 / 4 - 1 / 3) / (3 / 4 + 1 / 3)])


def test_where_no_group_is_shown_is_undefined():
    items = table([("z", "g")], item_id=pa.string(), item_group=pa.string())
    assert rsp(items=items) == [None]
