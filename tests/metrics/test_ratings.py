from functools import partial
from math import exp, log, sqrt

import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec

from ..tables import decisions, predicted, rows, scored, table, values, wanted
from .cases import case, given, rated, worked

# Relevant: b of ann, and a of bob.
ANN = "a=4,0 b=3,1 c=2,0"
BOB = "a=3.5,1 b=1,0"
test_auc = worked(
    "is the share of pairs of all users in which the relevant item has the higher score",
    # The scores 3 and 3.5 are above 2 and 1, but below 4.
    case({"auc": (2 + 2) / 6}, **rated(ANN, BOB)),
    "counts half for equal scores",
    case({"auc": (2 * 1.5 + 0.5) / 6}, **rated("a=2,1 b=2,0 c=2,1 d=1,0 e=1,1")),
    case("reads only the items within k", {"auc@2": (1 + 1) / 4}, **rated(ANN, BOB)),
    "an item is relevant from the threshold on",
    given(**rated("a=3,4 b=2,3 c=1,4")),
    case({"auc": 0.5}, relevance_threshold=4),
    case({"auc": None}),
    "is undefined without relevant or without other items",
    case({"auc": None}, **rated("a=1,0 b=2,0"), population="judged"),
    case({"auc": None}, **rated("a=1,1 b=2,1")),
)


def test_auc_counts_users_lists_and_ties_as_metrics_of_users_do():
    recs = scored(
        {"ann": dict.fromkeys("abc", 1.0), "bob": {"a": 2.0}, "cid": {"c": 1.0}, "dan": {}}
    )
    truth = wanted({"ann": {"a": 1, "b": 0}, "bob": {"a": 0}, "cid": {"a": 1}, "dan": {"a": 1}})
    users = sqlrec.evaluate("gauc@1 gauc@2", recs=recs, truth=truth).user_counts.to_arrow()
    result = sqlrec.evaluate("auc@1 auc@2", recs=recs, truth=truth)
    assert result.user_counts.to_arrow() == users
    assert users["users_evaluated"].to_pylist() == [2, 2]
    assert users["short_lists"].to_pylist() == [0, 1]
    assert users["ties_at_cutoff"].to_pylist() == [1, 1]
    assert result.to_arrow()["users"].to_pylist() == [2, 2]


# Shares are 1 of 2 pairs, 4 of 4 pairs, and undefined without a pair.
GAUC_BOB = "a=9,1 b=8,1 c=7,0 d=6,0"
CID = "a=4,1 b=3,1"
test_gauc = worked(
    "is the mean of the users' shares of pairs in which the relevant item has the higher score",
    case({"gauc user_auc": (1 / 2 + 1) / 2}, **rated(ANN, GAUC_BOB)),
    "excludes users whose items are all relevant or none",
    case({"gauc(weight=*)": 1 / 2}, **rated(ANN, CID, "a=1,0 b=2,0")),
    case({"gauc(weight=*)": None}, **rated(CID, "a=1,0 b=2,0")),
    "weights users by their rated items, or by their relevant items",
    case({"gauc(weight=impressions)": (3 / 2 + 4) / 7}, **rated(ANN, GAUC_BOB)),
    case({"gauc(weight=positives)": (1 / 2 + 2) / 3}, **rated(ANN, GAUC_BOB)),
    case("counts half for equal scores", {"gauc": 1 / 4}, **rated("a=2,1 b=2,0 c=3,0")),
    case("reads only the items within k", {"gauc@2": 0}, **rated(ANN)),
)

# Items have a score and a grade; None where one of them is missing.
LIST_ANN = "a=0.9,1 b=0.5, c=0.25,0 x=,1"
LIST_CTR_BOB = "a=0.5,3"
truth = partial(decisions, "user_id item_id relevance propensity")
test_list_ctr = worked(
    "is the mean over the ranks whose items are in the truth",
    case({"list_ctr": 4 / 3}, **rated(LIST_ANN, LIST_CTR_BOB)),
    "is undefined if the truth has no item of the list",
    case({"list_ctr": None}, **rated("a=1, x=,1")),
)

# Items have a score and a grade; None where one of them is missing. Three items are in the truth.

test_list_doubly_robust = worked(
    "corrects scores by their errors if the truth has them",
    case({"list_doubly_robust": (0.9 + 0.1 * 3 + 0.25 - 0.25 * 3 + 0.5) / 3}, **rated(LIST_ANN)),
    "is the mean score if scores have no error",
    case({"list_doubly_robust": 3 / 4}, **rated("a=0.5,0.5 b=1,")),
    "a rank without a score does not count",
    given(recs={"a": 0.9, "b": 0.5, "c": None}, truth=truth("ann a 1 0.5"), null_scores="last"),
    case({"list_doubly_robust": (0.9 + 0.1 / 0.5 + 0.5) / 2}),
)

# The truth contains a and c of ann's ranks, a of bob's, and no item of cid's.
RECS = scored({"ann": {"a": 0.9, "b": 0.5, "c": 0.25}, "bob": {"a": 0.5}, "cid": {"b": 1.0}})
REPEATED = decisions("user_id item_id score", "ann a 0.8, ann a 0.4, ann b 0.2")
SHOWN = "ann a 1 0.5, ann c 0 0.25, ann x 1 0.1"
TRUTH = f"{SHOWN}, bob a 1 0.2"
test_list_ips = worked(
    given(recs=RECS, truth=truth(TRUTH).drop_columns("propensity")),
    "without propensities counts all items of the truth equally",
    case({"list_ctr": 2 / 3, "list_ips": 2 * 3 / 5}),
    case(
        {"list_doubly_robust": sum((0.9 + 0.1 * 3, 0.5, 0.25 - 0.25 * 3, 0.5 + 0.5 * 3, 1.0)) / 5}
    ),
    "counts a rank without a propensity as an item that is not in the truth",
    given(recs=RECS, truth=truth("ann a 1 -, bob a 1 nan")),
    case(
        {"list_ctr": 1.0, "list_ips": 0.0, "list_doubly_robust": (0.9 + 0.5 + 0.25 + 0.5 + 1) / 5}
    ),
    "is undefined for a user if it divides by a propensity of 0",
    given(recs=RECS, truth=truth("ann a 1 0, bob a 0 0")),
    case({"list_ctr": 1 / 2, "list_ips": 0.0, "list_doubly_robust": 1.0}),
    case({"list_ctr": 1 / 2, "list_ips list_doubly_robust": None}, convention="jurity"),
    "with the convention of Jurity counts repeated items as often as they are in the list",
    # Each rank of a is joined with both ranks of a: four rows with their own scores, and one of b.
    given(recs=REPEATED, truth=truth("ann a 1 0.5"), convention="jurity"),
    case({"list_ctr": 1.0, "list_ips": 8 / 5}),
    case({"list_doubly_robust": (2 * (0.8 + 0.2 / 0.5 + 0.4 + 0.6 / 0.5) + 0.2) / 5}),
    "is a mean over the ranks whose items are in the truth",
    given(recs=RECS, truth=truth(TRUTH)),
    case(
        {"list_ctr": 2 / 3, "list_ips": (2 + 5) / 5, "list_ctr@1": 1.0, "list_ips@1": (2 + 5) / 3}
    ),
    case({"list_doubly_robust@1": (0.9 + 0.1 / 0.5 + 0.5 + 0.5 / 0.2 + 1) / 3}),
    case({"list_doubly_robust": (0.9 + 0.1 / 0.5 + 0.5 + 0.25 - 1 + 0.5 + 0.5 / 0.2 + 1) / 5}),
    "accepts one propensity for a list of items",
    case(
        {"list_ips": (1 / 0.5 + 1 / 0.5 + 1 / 0.2) / 5},
        RECS,
        pa.table(
            {
                "user_id": ["ann", "bob"],
                "item_id": [["a", "c"], ["a"]],
                "propensity": [0.5, 0.2],
                "relevance": [1.0, 1.0],
            }
        ),
    ),
)

THREE = ["list_ctr", "list_ips", "list_doubly_robust"]


def found(judged=TRUTH, at="", **given):
    metrics = [name + at for name in THREE]
    return values(sqlrec.evaluate(metrics, **{"recs": RECS, "truth": truth(judged)} | given))


def test_list_ips_other_metrics_do_not_read_propensities():
    segments = truth(TRUTH).set_column(3, "propensity", pa.array(["low", "low", "high", None]))
    result = sqlrec.evaluate("recall@1 ndcg@2", recs=RECS, truth=segments)
    assert values(result) == values(
        sqlrec.evaluate("recall@1 ndcg@2", recs=RECS, truth=truth(TRUTH))
    )
    with raises(sqlrec.InputError, match="a propensity must be a number"):
        sqlrec.evaluate("recall@1 list_ips@1", recs=RECS, truth=segments)


@mark.parametrize("wrong", [-0.1, 1.5, 1e-200, float("inf")])
def test_list_ips_refuses_invalid_propensities(wrong):
    judged = f"{SHOWN}, bob a 1 {wrong}"
    with raises(sqlrec.DataError, match="item a of user bob has a propensity below 0, above 1 or"):
        found(judged)
    assert values(sqlrec.evaluate("recall@1", recs=RECS, truth=truth(judged))) == approx([3 / 4])


LOG_LOSS_ANN = "a=0.9,1 b=0.4,0"
LOG_LOSS_BOB = "a=0.5,1"
test_log_loss = worked(
    "is the mean surprise at the rated items",
    given(**rated(LOG_LOSS_ANN, LOG_LOSS_BOB)),
    case({"log_loss": -(log(0.9) + log(0.6) + log(0.5)) / 3}),
    case({"log_loss(average=users)": -((log(0.9) + log(0.6)) / 2 + log(0.5)) / 2}),
    "limits probabilities to between 0 and 1",
    given(**rated("a=0,1 b=1,0 c=-2,0 d=3,1")),
    case({"log_loss": approx(-2 * log(1e-15) / 4, rel=0.001)}),
    "accepts log odds of any size",
    given(**rated({"a": (log(9), 1), "b": (log(2 / 3), 0), "c": (-1000, 1), "d": (1000, 0)})),
    case({"log_loss(of=logits)": (-log(0.9) - log(0.6) + 2000) / 4}),
)

# Errors of 1, -2 and 0; and of 3.
ERRORS_ANN = "a=4,3 b=3,5 c=1,1"
ERRORS_BOB = "a=5,2"
test_mae = worked(
    "is the mean absolute error over the items of all users",
    case({"mae mean_absolute_error": (1 + 2 + 0 + 3) / 4}, **rated(ERRORS_ANN, ERRORS_BOB)),
    "may be the mean of per-user values",
    case({"mae(average=users)": ((1 + 2 + 0) / 3 + 3) / 2}, **rated(ERRORS_ANN, ERRORS_BOB)),
    case("reads only the items within k", {"mae@1": (1 + 3) / 2}, **rated(ERRORS_ANN, ERRORS_BOB)),
    "excludes users without a rated item",
    case({"mae(average=users)": 3}, **rated(ERRORS_BOB, "a=1, b=,3")),
)

MEAN_SCORE_RECS = {"ann": {"a": 5, "b": 2, "c": -1}, "bob": {"c": 4}}
test_mean_score = worked(
    given(recs=MEAN_SCORE_RECS),
    "is the mean of the scores within the cutoff",
    case({"mean_score@2": {"ann": 7 / 2, "bob": 4}, "mean_score": {"ann": 2, "bob": 4}}),
    case("is the mean of the users' means over all users", {"mean_score@2": 15 / 4}),
    case("does not read the truth", {"mean_score@2": 15 / 4}, truth="c"),
    "excludes ranks without a score, and users without a score",
    given(recs={"ann": {"a": 5, "b": None}, "bob": {"c": None}}, null_scores="last"),
    case({"mean_score": {"ann": 5, "bob": None}}),
)


def test_mean_score_gap_is_the_mean_difference_of_pairs():
    recs = MEAN_SCORE_RECS | {"cid": {"a": 1}, "dan": {"b": 9}}
    lands = [("ann", "x"), ("bob", "x"), ("cid", "y"), ("dan", "z")]
    users = table(lands, **dict.fromkeys(("user_id", "land"), scored({}).schema.field(0).type))
    result = sqlrec.evaluate("mean_score@2", recs=scored(recs), users=users, by="land")
    # x 15/4, y 1, z 9.
    assert rows(result.gaps(), "mean_difference") == [(approx((11 / 4 + 21 / 4 + 8) / 3),)]


def ranked(*scores):
    """Return the list of ann, abc from best to worst, with a score of each item."""
    rows = [("ann", "abc"[rank], rank + 1, score) for rank, score in enumerate(scores)]
    ids = dict.fromkeys(("user_id", "item_id"), pa.string())
    return table(rows, **ids, rank=pa.int64(), score=pa.float64())


test_mse = worked(
    "is the mean of the squared errors of all users",
    case({"mse mean_squared_error": (1 + 4 + 0 + 9) / 4}, **rated(ERRORS_ANN, ERRORS_BOB)),
    "may be the mean of per-user values",
    case({"mse(average=users)": ((1 + 4 + 0) / 3 + 9) / 2}, **rated(ERRORS_ANN, ERRORS_BOB)),
    "reads only the items within k",
    case({"mse@2": (1 + 4 + 9) / 3}, **rated(ERRORS_ANN, ERRORS_BOB)),
    case("uses grades below 0 unchanged", {"mse": (4 + 4) / 2}, **rated("a=-1,-3 b=1,-1")),
    "uses scores in the order of ranks if lists have both",
    given(truth={"a": 3, "b": 3, "c": 3}, order="rank"),
    case({"mse@1": 1, "mse@2": (1 + 4) / 2}, ranked(2.0, 5.0)),
    "scores may be missing if lists have ranks and the rules allow it",
    given(recs=ranked(2.0, 5.0, None), truth={"a": 3, "b": 3, "c": 3}, order="rank"),
    case({"mse": (1 + 4) / 2}, null_scores="last"),
    case({"mse": (1 + 4) / 2}, null_scores="drop"),
    "excludes items without a score or grade, and users without other items",
    given(**rated(f"{ERRORS_ANN} d=9, e=,9", ERRORS_BOB, "a=1, b=,3")),
    case({"mse": (1 + 4 + 0 + 9) / 4, "mse(average=users)": ((1 + 4 + 0) / 3 + 9) / 2}),
)


def test_mse_counts_users_with_a_rated_item():
    recs = scored({"ann": {"a": 1.0}, "bob": {"b": 1.0}, "cid": {"a": 1.0}})
    result = sqlrec.evaluate("mse", recs=recs, truth=wanted({"ann": {"a": 2}, "bob": {"a": 2}}))
    (row,) = result.to_arrow().to_pylist()
    (counted,) = result.user_counts.to_arrow().to_pylist()
    assert (row["users"], counted["users_evaluated"], counted["population"]) == (1, 1, "rated")


def test_mse_refuses_a_truth_that_rates_nothing_of_the_lists():
    with raises(sqlrec.DataError, match="no list has an item of its user's truth"):
        predicted("mse", {"a": (1.0, None), "b": (None, 3.0)})


def test_mse_refuses_lists_of_items_which_have_no_score_each():
    recs = pa.table({"user_id": ["ann"], "item_id": [["a", "b"]], "score": [1.0]})
    with raises(sqlrec.InputError, match="item_id is a list, but mse needs a score for each item"):
        sqlrec.evaluate("hit_rate@1 mse", recs=recs, truth=wanted({"ann": {"a": 1}}), order="rank")


@mark.parametrize("score", [float("inf"), -float("inf"), 1.1e100])
def test_mse_refuses_scores_that_cannot_be_added_up(score):
    with raises(sqlrec.DataError, match="item b of user u0 has no score, or a score beyond"):
        predicted("mse", {"a": (1.0, 1.0), "b": (score, None)})


test_r2 = worked(
    "is the share of the variance of all grades that scores predict",
    # Grades 1, 3 and 5 around 3, errors of 1, 0 and 2.
    given(**rated("a=2,1 b=3,3", "a=3,5")),
    case({"r2 R_squared": 1 - (1 + 0 + 4) / (4 + 0 + 4)}),
    "is 1 for scores that are the grades and 0 for their mean",
    case({"r2": 1}, **rated("a=1,1 b=4,4")),
    case({"r2": 0}, **rated("a=2.5,1 b=2.5,4")),
    "is 1 minus the mean squared error if the variance is 1",
    # Around 1 / 2 the four grades have squares of 1 together.
    given(**rated("a=1,1 b=0.5,1 c=0,0 d=0,0")),
    case({"r2": 1 - 1 / 4}),
    "is below 0 for scores that are worse than the mean",
    case({"r2": 1 - 18 / 4.5}, **rated("a=4,1 b=1,4")),
    case("reads only the items within k", {"r2@2": 1 - (1 + 4) / 2}, **rated("a=5,4 b=4,2 c=3,-9")),
    "is undefined if all grades are equal",
    # The mean of three times 0.1 is not 0.1, once it is rounded.
    case({"r2": None}, **rated("a=1,0.1 b=1,0.1 c=1,0.1")),
    "may be 0 for equal grades, and 1 if they are predicted",
    case({"r2(constant=zero)": 0}, **rated("a=1,0.1 b=1,0.1 c=1,0.1")),
    case({"r2(constant=zero)": 1}, **rated("a=2,2 b=2,2")),
    "is accurate if all values are far from 0",
    given(**rated("a=1000000002,1000000001 b=1000000003,1000000003 c=1000000003,1000000005")),
    case({"r2": approx(1 - (1 + 0 + 4) / (4 + 0 + 4), abs=1e-12)}),
)

test_rmse = worked(
    "is the root of the mean squared error of all users",
    case(
        {"rmse root_mean_squared_error": sqrt((1 + 4 + 0 + 9) / 4)}, **rated(ERRORS_ANN, ERRORS_BOB)
    ),
    "may be the mean of per-user roots",
    case({"rmse(average=users)": (sqrt(5 / 3) + 3) / 2}, **rated(ERRORS_ANN, ERRORS_BOB)),
    "reads only the items within k",
    case({"rmse@2": sqrt((1 + 4 + 9) / 3)}, **rated(ERRORS_ANN, ERRORS_BOB)),
    case("excludes users without a rated item", {"rmse": 3}, **rated(ERRORS_BOB, "a=1, b=,3")),
    "may be the mean of roots of sums",
    case({"rmse(average=sums)": (sqrt(5) + 3) / 2}, **rated(ERRORS_ANN, ERRORS_BOB)),
)

SCORE_ENTROPY_RECS = {"ann": {"a": log(4), "b": log(2), "c": 0}, "bob": {"a": log(2)}}

# Shares of 1 / (1 + e^-1) and 1 / (1 + e).
ONE_APART = log(1 + exp(-1)) / (1 + exp(-1)) + log(1 + exp(1)) / (1 + exp(1))
test_score_entropy = worked(
    given(recs=SCORE_ENTROPY_RECS),
    "is the entropy of the softmax of all scores within the cutoff",
    # Within 2, the shares are 4/8, 2/8 and 2/8. In all, they are 4/9, 2/9, 1/9 and 2/9.
    case({"score_entropy@2": log(2) / 2 + log(4) / 2}),
    case({"score_entropy": 4 / 9 * log(9 / 4) + 4 / 9 * log(9 / 2) + 1 / 9 * log(9)}),
    "is the logarithm of their number for equal scores",
    case({"score_entropy": log(3)}, {"ann": {"a": 7, "b": 7}, "bob": {"c": 7}}),
    case("is 0 for one score", {"score_entropy": 0}, {"a": -3}),
    "does not change if any constant is added to all scores",
    case({"score_entropy": ONE_APART}, {"a": -1099511627775.0, "b": -1099511627776.0}),
    "a score far below the highest adds nothing",
    case({"score_entropy": 0.0}, {"a": 1e100, "b": 0, "c": -1e100}),
    "excludes ranks without a score",
    given(null_scores="last"),
    case({"score_entropy": log(2)}, {"ann": {"a": 1, "b": None}, "bob": {"c": 1}}),
    case({"score_entropy": None}, {"a": None}),
)

# Precision 1 and recall 1 / 3; precision 1 / 2 and recall 1; nothing.
THRESHOLD_F1_ANN = "a=5,4 b=3,4 c=3,5"
THRESHOLD_F1_BOB = "a=5,4 b=4,3"
THRESHOLD_F1_CID = "a=4,3 b=3,4"
test_threshold_f1 = worked(
    "is the mean of the users' harmonic means",
    given(**rated(THRESHOLD_F1_ANN, THRESHOLD_F1_BOB, THRESHOLD_F1_CID)),
    case({"threshold_f1": (2 * (1 / 3) / (4 / 3) + 2 * (1 / 2) / (3 / 2) + 0) / 3}),
    "may be the harmonic mean of the two means",
    given(**rated(THRESHOLD_F1_ANN, THRESHOLD_F1_BOB, THRESHOLD_F1_CID)),
    case({"threshold_f1(of=means)": 2 * (1 / 2) * (4 / 9) / (1 / 2 + 4 / 9)}),
    "of means counts a user without a high score or high grade as 0 in one mean",
    given(**rated(THRESHOLD_F1_ANN, "a=3,4", "a=4,3")),
    case({"threshold_f1(of=means)": 2 * (1 / 3) * (1 / 3 / 3) / (1 / 3 + 1 / 3 / 3)}),
    "is 0 if precision and recall are 0",
    case({"threshold_f1(of=*)": 0}, **rated(THRESHOLD_F1_CID)),
    "accepts another threshold, and reads only the items within k",
    case({"threshold_f1(threshold=3)@2": 2 * (2 / 3) / (5 / 3)}, **rated(THRESHOLD_F1_ANN)),
)

# From the top: high in both, in the score, in both, in the grade, in neither.
THRESHOLD_ANN = "a=5,4 b=4,3 c=3.5,3.5 d=3,5 e=1,1"
test_threshold_precision = worked(
    "is the share of high grades among high scores",
    case({"threshold_precision@1": 1.0, "threshold_precision@2": 1 / 2}, **rated(THRESHOLD_ANN)),
    "accepts another threshold, also below 0",
    case({"threshold_precision(threshold=4)": 1 / 2}, **rated(THRESHOLD_ANN)),
    given(**rated("a=-1,-2 b=-2,1 c=-0.5,-0.25")),
    case({"threshold_precision(threshold=-1)": 1 / 2, "threshold_precision(threshold=-0.5)": 1}),
    "is 0 without a high score",
    case({"threshold_precision": 2 / 3 / 2}, **rated(THRESHOLD_ANN, "a=3,5")),
    "is 0 for a user without a list",
    given(**rated(THRESHOLD_ANN, "a=,5")),
    case({"threshold_precision": 2 / 3 / 2}),
    case({"threshold_precision": 2 / 3}, population="truth_and_recs"),
    "does not count items without a grade",
    given(**rated(f"{THRESHOLD_ANN} f=9,")),
    case({"threshold_precision@3": 1 / 2, "threshold_precision": 2 / 3}),
)

test_threshold_recall = worked(
    "is the share of high scores among high grades",
    case({"threshold_recall@1 threshold_recall@2": 1 / 3}, **rated(THRESHOLD_ANN)),
    "counts items of the truth that the list does not have",
    case({"threshold_recall": 2 / 4}, **rated("a=5,4 b=4,3 c=3.5,3.5 d=3,5 e=1,1 f=,5")),
    "accepts another threshold, also below 0",
    case({"threshold_recall(threshold=5)": 0}, **rated(THRESHOLD_ANN)),
    case({"threshold_recall(threshold=-1)": 1 / 2}, **rated("a=-1,-0.5 b=-2,1 c=-0.5,-3")),
    "is 0 without a high grade and for a user without a list",
    case({"threshold_recall": 2 / 3 / 3}, **rated(THRESHOLD_ANN, "a=5,3", "a=,5")),
    "averages over the users of the rule population",
    given(**rated(THRESHOLD_ANN, "a=5,0", "a=5,")),
    # Items with a relevance above 0 are relevant.
    case({"threshold_recall": 2 / 3 / 1}, population="truth"),
    case({"threshold_recall": 2 / 3 / 2}, population="judged"),
    case({"threshold_recall": 2 / 3 / 3}, population="recs"),
)


def test_mse_refuses_a_missing_score_next_to_ranks():
    truth = wanted({"ann": {"a": 3, "b": 3, "c": 3}})
    with raises(sqlrec.DataError, match="item c of user ann has no score, or a score beyond"):
        sqlrec.evaluate("mse", recs=ranked(2.0, 5.0, None), truth=truth, order="rank")
