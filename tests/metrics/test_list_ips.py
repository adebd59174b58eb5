import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec

from ..tables import rows, scored, table, values

# Of ann's places the truth knows a and c, of bob's a; nothing of cid's.
RECS = scored({"ann": {"a": 0.9, "b": 0.5, "c": 0.25}, "bob": {"a": 0.5}, "cid": {"b": 1.0}})
SHOWN = [("ann", "a", 1.0, 0.5), ("ann", "c", 0.0, 0.25), ("ann", "x", 1.0, 0.1)]
TRUTH = [*SHOWN, ("bob", "a", 1.0, 0.2)]
THREE = ["list_ctr", "list_ips", "list_doubly_robust"]


def truth(judged):
    names = {"user_id": pa.string(), "item_id": pa.string()}
    return table(judged, **names, relevance=pa.float64(), propensity=pa.float64())


def found(judged=TRUTH, at="", **given):
    metrics = [name + at for name in THREE]
    return values(sqlrec.evaluate(metrics, **{"recs": RECS, "truth": truth(judged)} | given))


def test_all_are_means_over_places_of_which_the_truth_knows_some():
    corrected = 0.9 + 0.1 / 0.5, 0.5, 0.25 - 0.25 / 0.25, 0.5 + 0.5 / 0.2, 1.0
    robust = sum(corrected) / 5
    expected = {"list_ctr": 2 / 3, "list_ips": (2 + 5) / 5, "list_doubly_robust": robust}
    assert found() == approx([expected[name] for name in THREE])
    corrected = 0.9 + 0.1 / 0.5, 0.5 + 0.5 / 0.2, 1.0
    assert found(at="@1") == approx([1, (2 + 5) / 3, sum(corrected) / 3])


def test_without_propensities_any_item_of_the_truth_is_as_likely():
    uniform = truth(TRUTH).drop_columns("propensity")
    corrected = 0.9 + 0.1 * 3, 0.5, 0.25 - 0.25 * 3, 0.5 + 0.5 * 3, 1.0
    assert found(truth=uniform) == approx([2 / 3, 2 * 3 / 5, sum(corrected) / 5])


def test_a_place_without_propensity_counts_as_one_that_the_truth_does_not_know():
    shown = [("ann", "a", 1.0, None), ("bob", "a", 1.0, float("nan"))]
    assert found(shown) == approx([1, 0, (0.9 + 0.5 + 0.25 + 0.5 + 1) / 5])


def test_a_list_of_items_has_one_propensity():
    known = {"user_id": ["ann", "bob"], "item_id": [["a", "c"], ["a"]], "propensity": [0.5, 0.2]}
    _, ips, _ = found(truth=pa.table(known | {"relevance": [1.0, 1.0]}))
    assert ips == approx((1 / 0.5 + 1 / 0.5 + 1 / 0.2) / 5)


def test_other_metrics_do_not_read_propensities():
    segments = truth(TRUTH).set_column(3, "propensity", pa.array(["low", "low", "high", None]))
    result = sqlrec.evaluate("recall@1 ndcg@2", recs=RECS, truth=segments)
    assert values(result) == values(
        sqlrec.evaluate("recall@1 ndcg@2", recs=RECS, truth=truth(TRUTH))
    )
    with raises(sqlrec.InputError, match="a propensity is a number"):
        sqlrec.evaluate("recall@1 list_ips@1", recs=RECS, truth=segments)


def test_a_propensity_of_0_leaves_a_user_without_value_where_something_is_divided_by_it():
    shown = [("ann", "a", 1.0, 0.0), ("bob", "a", 0.0, 0.0)]
    assert found(shown) == approx([1 / 2, 0, 1])
    result = sqlrec.evaluate(THREE, recs=RECS, truth=truth(shown), convention="jurity")
    assert sorted(rows(result, "metric", "value")) == [
        ("list_ctr", 1 / 2),
        ("list_doubly_robust", None),
        ("list_ips", None),
    ]


@mark.parametrize("wrong", [-0.1, 1.5, 1e-200, float("inf")])
def test_what_is_no_probability_is_refused_where_something_is_divided_by_it(wrong):
    judged = [*SHOWN, ("bob", "a", 1.0, wrong)]
    with raises(sqlrec.DataError, match="item a of user bob has a propensity below 0, above 1 or"):
        found(judged)
    assert values(sqlrec.evaluate("recall@1", recs=RECS, truth=truth(judged))) == approx([3 / 4])


def test_items_that_lists_repeat_meet_the_truth_as_often_again_in_jurity():
    # Both places of a are joined with both, each with its own score: four rows, and one of b.
    recs = table(
        [("ann", "a", 0.8), ("ann", "a", 0.4), ("ann", "b", 0.2)],
        **{"user_id": pa.string(), "item_id": pa.string(), "score": pa.float64()},
    )
    corrected = sum(own + (1 - other) / 0.5 for own in (0.8, 0.4) for other in (0.8, 0.4)) + 0.2
    known = found([("ann", "a", 1.0, 0.5)], recs=recs, convention="jurity")
    assert known == approx([1, 8 / 5, corrected / 5])
