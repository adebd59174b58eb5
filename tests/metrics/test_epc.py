from math import log2

import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, table, values, wanted

# Four users, 7 pairs: a had by 4, b by 2, c by 1; nobody had z.
HISTORY = lists({"u1": "ab", "u2": "ab", "u3": "acc", "u4": "a"})
RECS = lists({"ann": "cab", "bob": "z"})
TRUTH = wanted({"ann": "bc", "dan": "a"})
IDS = {"user_id": pa.string(), "item_id": pa.string()}
SUM = 1 + 1 / log2(3) + 1 / 2


def ask(metric, **inputs):
    given = {"recs": RECS, "history": HISTORY, "truth": TRUTH} | inputs
    return values(sqlrec.evaluate(metric, **given))


def test_weighs_the_users_who_have_not_had_the_hits():
    assert ask("epc@3") == approx([(3 / 4 + (1 / 2) * (1 / 2)) / SUM])
    assert ask("epc@3", truth=wanted({"ann": "c"})) == approx([(3 / 4) / SUM])


def test_neither_grades_nor_judged_items_matter():
    graded = {"ann": {"b": 3, "c": 0.5, "a": 0, "x": 0}}
    assert ask("epc@9", truth=wanted(graded)) == approx([(3 / 4 + (1 / 2) * (1 / 2)) / SUM])


def test_who_wants_nothing_is_left_out_unless_relevance_is_ignored():
    ann = (3 / 4 + 0 + (1 / 2) * (1 / 2)) / SUM
    result = sqlrec.evaluate("epc@3", recs=RECS, history=HISTORY, truth=TRUTH)
    assert result.to_arrow()["users"].to_pylist() == [1]
    assert ask("epc(relevance=ignored)@3", truth=None) == approx([(ann + 1) / 2])


def test_what_the_only_user_has_had_counts_0():
    one = {"history": lists({"u1": "a"}), "recs": lists({"ann": "az"})}
    second = 1 / log2(3)
    assert ask("epc(relevance=ignored)@2", truth=None, **one) == approx([second / (1 + second)])


def test_a_place_may_weigh_a_share_of_the_one_above_or_as_much():
    assert ask("epc(discount=geometric, patience=0.5)@3") == approx(
        [(3 / 4 + (1 / 4) * (1 / 2)) / (7 / 4)]
    )
    assert ask("epc(discount=none)@3") == approx([(3 / 4 + 1 / 2) / 3])


def test_a_long_list_does_not_underflow():
    shown = [f"i{number}" for number in range(5000)]
    given = {"recs": lists({"ann": shown}), "history": lists({"u1": ["i1"], "u2": ["i0", "i1"]})}
    assert ask("epc(relevance=ignored, discount=geometric, patience=0.5)@all", **given) == approx(
        [(1 / 2 + 0 + 1 / 2) / 2]
    )


def test_an_item_without_history_may_count_as_had_once():
    # Of c, a and z, which 1, 4 and none of four users had, z counts as c then.
    recs = lists({"ann": "caz"})
    ignored = "epc(relevance=ignored, without_history={})@3"
    found = [ask(ignored.format(had), recs=recs, truth=None)[0] for had in ("never", "once")]
    assert found == approx([(3 / 4 + 1 / 2) / SUM, (3 / 4 + 3 / 4 / 2) / SUM])


def test_may_weigh_relevance():
    truth = table([("ann", "b", 1), ("ann", "c", 3)], **IDS, relevance=pa.int64())
    expected = (7 * 3 / 4 + 2 / 4 / 2) / SUM
    assert ask("epc(relevance=exponential)@3", truth=truth) == approx([expected])
