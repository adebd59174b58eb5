import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import predicted, values

# Items have a score and a grade; None where one of them is missing. Three items are in the truth.
ANN = {"a": (0.9, 1.0), "b": (0.5, None), "c": (0.25, 0.0), "x": (None, 1.0)}


def test_corrects_scores_by_their_errors_where_the_truth_knows_them():
    known = 0.9 + 0.1 * 3, 0.25 - 0.25 * 3
    assert predicted("list_doubly_robust", ANN) == approx((sum(known) + 0.5) / 3)
    assert predicted("list_doubly_robust@1", ANN) == approx(known[0])


def test_is_the_mean_score_where_scores_have_no_error():
    assert predicted("list_doubly_robust", {"a": (0.5, 0.5), "b": (1.0, None)}) == approx(3 / 4)


def test_a_place_without_score_does_not_count():
    recs = {"user_id": ["ann"] * 3, "item_id": ["a", "b", "c"], "score": [0.9, 0.5, None]}
    truth = {"user_id": ["ann"], "item_id": ["a"], "relevance": [1.0], "propensity": [0.5]}
    result = sqlrec.evaluate(
        "list_doubly_robust", recs=pa.table(recs), truth=pa.table(truth), null_scores="last"
    )
    assert values(result) == approx([(0.9 + 0.1 / 0.5 + 0.5) / 2])
