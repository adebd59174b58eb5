import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, rows, table, values, wanted

CATALOG = table([(item,) for item in "abcdefgh"], item_id=pa.string())


def ranks(metric, recs, truth, **options):
    given = {"recs": lists(recs), "truth": wanted(truth), "catalog": CATALOG}
    return sqlrec.evaluate(metric, **given | options)


def test_is_the_share_of_the_catalog_above_a_relevant_item():
    found = ranks("percentile_rank percentile_rank(unit=percent)", {"ann": "abc"}, {"ann": "bc"})
    assert values(found) == approx([(1 + 2) / 2 / 8, 100 * (1 + 2) / 2 / 8])


def test_an_item_that_the_list_lacks_is_in_the_middle_of_the_rest():
    # Below a, b and c there are places 4 to 8, which have 3 to 7 items above.
    assert values(ranks("percentile_rank", {"ann": "abc"}, {"ann": "ah"})) == approx([5 / 2 / 8])
    assert values(ranks("percentile_rank@2", {"ann": "abc"}, {"ann": "c"})) == approx([4.5 / 8])


def test_without_a_list_it_is_one_half():
    found = ranks("percentile_rank", {"bob": "a"}, {"ann": "bc", "bob": "a"})
    assert values(found) == approx([(1 / 2 + 0) / 2])


def test_pooled_is_of_all_users_items():
    recs, truth = {"ann": "ab", "bob": "ab"}, {"ann": "a", "bob": "abc"}
    found = ranks("percentile_rank percentile_rank(average=pooled)", recs, truth)
    bob = 0 + 1 + 4.5
    assert values(found) == approx([(0 + bob / 3) / 2 / 8, (0 + bob) / 4 / 8])


def test_is_undefined_without_a_relevant_item_or_with_items_that_the_catalog_lacks():
    truth = {"ann": {"a": 0.0}}
    found = ranks("percentile_rank", {"ann": "ab"}, truth, population="judged")
    assert rows(found, "value", "users") == [(None, 0)]
    small = table([("a",)], item_id=pa.string())
    assert values(ranks("percentile_rank", {"ann": "ab"}, {"ann": "a"}, catalog=small)) == [None]
