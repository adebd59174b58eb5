import numpy as np
import pyarrow as pa
from pytest import approx, raises

import sqlrec

from ..tables import clicked, lists, rows, values

CLICKS = clicked(ann={"a": 0.5, "b": 0.125, "c": None}, bob={"a": 1.0})


def found(metric, shown):
    return sqlrec.evaluate(metric, recs=lists(shown), truth=CLICKS)


def test_adds_up_what_would_be_clicked_if_all_were_seen():
    # ann's a weighs 2, b 8, c nothing.
    got = found("unbiased_precision@1 unbiased_precision@2", {"ann": "ab", "bob": "xa"})
    assert values(got) == approx([(2 + 0) / 2, (10 / 2 + 1 / 2) / 2])


def test_cuts_weights_and_is_then_precision():
    got = found("unbiased_precision(cap=1)@2 precision@2", {"ann": "ab", "bob": "xa"})
    assert values(got) == approx([0.75, 0.75])


def test_counts_users_without_list_and_short_lists_as_misses():
    assert rows(found("unbiased_precision@4", {"bob": "a"}), "value", "users") == [(0.125, 2)]


def test_has_no_value_of_whole_lists():
    with raises(sqlrec.MetricError, match="unbiased_precision"):
        found("unbiased_precision@all", {"ann": "ab"})


def test_finds_from_clicks_what_all_relevant_items_would_say():
    chance = np.random.default_rng(7)
    users, items = 3000, 8
    relevant = chance.random((users, items)) < np.linspace(0.2, 0.6, items)
    # Items were shown in one order, and users look at place r with the probability 1 / r.
    seen = 1 / np.arange(1, items + 1)
    clicks = relevant & (chance.random((users, items)) < seen)
    # The evaluated lists begin with the items that were shown last.
    user, item = np.indices((users, items)).reshape(2, -1)
    recs = pa.table({"user_id": user, "item_id": item, "score": item})

    def mean(metric, known, **columns):
        of = np.nonzero(known)
        truth = pa.table(
            {"user_id": of[0], "item_id": of[1]} | {k: v[of[1]] for k, v in columns.items()}
        )
        result = sqlrec.evaluate(metric, recs=recs, truth=truth, population="recs")
        (row,) = result.to_arrow().to_pylist()
        return row["value"], row["standard_error"]

    whole, _ = mean("precision@3", relevant)
    naive, _ = mean("precision@3", clicks)
    value, error = mean("unbiased_precision@3", clicks, propensity=seen)
    assert abs(value - whole) < 3 * error < 0.1
    assert naive < whole / 4
