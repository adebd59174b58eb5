from functools import partial

from pytest import approx

from ..tables import lists
from .test_catalog_auc import auc

lrap = partial(auc, "catalog_average_precision")


def test_a_relevant_item_that_the_list_lacks_stands_as_high_as_the_whole_catalog():
    assert lrap(lists({"ann": "abcd"}), "bdh") == approx([(1 / 2 + 2 / 4 + 3 / 8) / 3])


def test_is_average_precision_where_the_list_has_all():
    assert lrap(lists({"ann": "abcd"}), "bd") == approx([(1 / 2 + 2 / 4) / 2])


def test_is_undefined_without_a_relevant_item():
    assert lrap(lists({"ann": "ab"}), {"a": 0}, population="judged") == [None]
