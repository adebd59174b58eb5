from math import log2

import pyarrow as pa
from pytest import approx

from ..tables import lists, table, wanted
from .test_epc import IDS, SUM, ask


def test_weighs_the_bits_of_the_hits():
    assert ask("efd@3") == approx([(log2(7) + log2(7 / 2) / 2) / SUM])


def test_an_item_without_history_counts_as_had_by_one_user():
    bob = {"recs": lists({"bob": "z"}), "truth": None}
    assert ask("efd(relevance=ignored)@3", **bob) == approx([log2(7)])
    assert ask("efd(relevance=ignored)@3", **bob, history=lists({"u1": "a"})) == [0]


def test_neither_grades_nor_judged_items_matter():
    graded = {"ann": {"b": 3, "c": 0.5, "a": 0, "x": 0}}
    assert ask("efd@9", truth=wanted(graded)) == approx([(log2(7) + log2(7 / 2) / 2) / SUM])


def test_who_wants_nothing_is_left_out():
    assert ask("efd@3", recs=lists({"bob": "z", "dan": "ab"})) == approx(
        [log2(7 / 4) / (1 + 1 / log2(3))]
    )


def test_a_place_may_weigh_a_share_of_the_one_above_or_as_much():
    assert ask("efd(discount=geometric, patience=0.5)@3") == approx(
        [(log2(7) + log2(7 / 2) / 4) / (7 / 4)]
    )
    assert ask("efd(discount=none)@3") == approx([(log2(7) + log2(7 / 2)) / 3])


def test_may_weigh_relevance():
    truth = table([("ann", "b", 1), ("ann", "c", 3)], **IDS, relevance=pa.int64())
    expected = (7 * log2(7) + log2(7 / 2) / 2) / SUM
    assert ask("efd(relevance=exponential)@3", truth=truth) == approx([expected])
