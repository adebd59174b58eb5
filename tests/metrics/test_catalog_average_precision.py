import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, table, values, wanted

CATALOG = table([(item,) for item in "abcdefgh"], item_id=pa.string())


def lrap(shown, truth, **options):
    given = {"recs": lists({"ann": shown}), "truth": truth, "catalog": CATALOG}
    return values(sqlrec.evaluate("catalog_average_precision", **given, **options))


def test_a_relevant_item_that_the_list_lacks_stands_as_high_as_the_whole_catalog():
    assert lrap("abcd", wanted({"ann": "bdh"})) == approx([(1 / 2 + 2 / 4 + 3 / 8) / 3])


def test_is_average_precision_where_the_list_has_all():
    assert lrap("abcd", wanted({"ann": "bd"})) == approx([(1 / 2 + 2 / 4) / 2])


def test_is_undefined_without_a_relevant_item():
    assert lrap("ab", wanted({"ann": {"a": 0}}), population="judged") == [None]
