from math import log2

import pyarrow as pa
from pytest import approx, raises

import sqlrec

from ..tables import lists, table, values

GROUPS = [("a", "new"), ("a", "new"), ("b", "old"), ("b", "new"), ("z", "rare"), ("c", None)]
ITEMS = table(GROUPS, item_id=pa.string(), item_group=pa.string())
RECS = lists({"ann": "ac", "bob": "bx"})


def share(metric):
    return values(sqlrec.evaluate(metric, recs=RECS, items=ITEMS))


def test_is_the_share_of_all_exposure_that_falls_on_the_group():
    # x and c have no group, b has two.
    whole = 2 * (1 + 1 / log2(3))
    assert share("exposure_share(group=old)@2") == approx([1 / whole])
    assert share("exposure_share(group=new)@2") == approx([2 / whole])
    assert share("exposure_share(group=new, weight=plain)@2") == approx([2 / 4])


def test_of_a_group_that_no_list_shows_is_0_and_of_one_that_there_is_not_undefined():
    metrics = "exposure_share(group=rare)@2 exposure_share(group=none)@2"
    assert share(metrics) == [0, None]


def test_of_numbered_groups_reads_the_number_as_text():
    items = table([("a", 1), ("b", 2)], item_id=pa.string(), item_group=pa.int64())
    result = sqlrec.evaluate("exposure_share(group=1)@1", recs=RECS, items=items)
    assert values(result) == [1 / 2]


def test_of_a_group_whose_name_ends_a_text_or_line_is_refused():
    for group in ("O'Neil", "a\u2028b", "a\x85b", "${a}", ""):
        with raises(sqlrec.MetricError, match="group is a text without quotes"):
            share(f"exposure_share(group={group})")


def test_of_groups_with_names_that_differ_little_are_told_apart():
    names = ["A", "a", "é", "è", "x" * 60, "x" * 61]
    items = table([("a", "A"), ("b", "è")], item_id=pa.string(), item_group=pa.string())
    metrics = [f"exposure_share(group={name}, weight=plain)@1" for name in names]
    result = sqlrec.evaluate(metrics, recs=RECS, items=items)
    assert values(result) == [1 / 2, None, None, 1 / 2, None, None]
