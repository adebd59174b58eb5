import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import labelled, lists, table, values, wanted

# Of g a is shown twice and b once, of h c twice, of i x once; d and y are not shown.
RECS = {"ann": "ab", "bob": "ca", "cid": "cx"}
GROUPS = {"a": "g", "b": "g", "c": "h", "d": "h", "x": "i", "y": "j"}
TRUTH = {"ann": {"a": 2, "d": 1}, "bob": {"c": 3, "a": 0}, "cid": {"c": 1, "x": 1}}


def mad(metric="item_mad@2", truth=TRUTH, groups=GROUPS, recs=None, **options):
    recs = lists(RECS) if recs is None else recs
    items = labelled("item_group", groups)
    found = sqlrec.evaluate(metric, recs=recs, truth=wanted(truth), items=items, **options)
    return values(found)


def test_is_the_mean_difference_of_what_items_of_two_groups_gain():
    # a gains 1 on average and b nothing, c 2, x 1: g 1/2, h 2, i 1, which are 3/2, 1/2 and 1 apart.
    assert mad() == approx([1])
    assert mad(groups={item: group for item, group in GROUPS.items() if group != "i"}) == approx(
        [3 / 2]
    )


def test_counts_places_within_the_cutoff():
    # a gains 2, c 2.
    assert mad("item_mad@1") == approx([0])
    assert mad("item_mad@1", truth=TRUTH | {"cid": {"x": 1}}) == approx([2 - 3 / 2])


def test_may_count_hits_or_exponential_gains():
    # g 1/4, h 1, i 1.
    assert mad("item_mad(gain=binary)@2") == approx([1 / 2])
    # g 3/2 / 2, h 8/2, i 1; with a shift g 7/2 / 2, h (15 + 3) / 2, i 3.
    assert mad("item_mad(gain=exponential)@2") == approx([(13 / 4 + 1 / 4 + 3) / 3])
    assert mad("item_mad(gain=exponential, shift=1)@2") == approx([(29 / 4 + 5 / 4 + 6) / 3])


def test_may_average_over_hits_alone():
    # a gains 2, c 2, x 1, and b has no hit.
    assert mad("item_mad(places=hits)@2") == approx([2 / 3])


def test_counts_an_item_in_each_of_its_groups():
    # g a and b with 1/2, h a and c with 3/2, i 1.
    assert mad(groups=GROUPS | {"a": "gh"}) == approx([2 / 3])
    repeated = pa.concat_tables([labelled("item_group", GROUPS)] * 2)
    assert values(
        sqlrec.evaluate("item_mad@2", recs=lists(RECS), truth=wanted(TRUTH), items=repeated)
    ) == approx([1])


def test_is_of_the_population():
    # Without a relevant item cid is left out, unless judged users count.
    truth = TRUTH | {"cid": {"c": 0}}
    # g 1/2, h 3; or h 3/2, i 0.
    assert mad(truth=truth) == approx([5 / 2])
    assert mad(truth=truth, population="judged") == approx([1])


def test_of_groups_that_gain_alike_is_zero_and_not_below():
    groups = {"a": "g", "b": "h", "c": "i"}
    recs = lists({"ann": "abc", "bob": "abc", "cid": "abc"})
    truth = {user: dict.fromkeys("abc", 0.1) for user in recs["user_id"].to_pylist()}
    assert mad("item_mad@3", truth, groups, recs) == [0]


def test_of_less_than_two_groups_is_undefined():
    assert mad(groups={"a": "g", "b": "g"}) == [None]
    assert mad("item_mad(places=hits)@2", groups={"b": "g", "c": "h"}) == [None]
    items = table([("a", None)], item_id=pa.string(), item_group=pa.string())
    found = sqlrec.evaluate("item_mad@2", recs=lists(RECS), truth=wanted(TRUTH), items=items)
    assert values(found) == [None]
