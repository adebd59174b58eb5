import math
import random
from math import sqrt
from statistics import stdev

import duckdb
import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec
from sqlrec.paths import sql_folder

from ..jinja import package
from ..tables import decisions, lists, rows, table
from .cases import case, given, refused, worked

COLUMNS = "slate_id position reward propensity target_probability predicted_reward expected_reward"
test_cascade_dr = worked(
    "corrects from the first position to the last",
    # Weights 0.5 and 4: from the top 0.5 and 2, above each 1 and 0.5.
    given(logs=decisions(COLUMNS, "7 2 1 0.25 1 0.5 0.75, 7 1 3 0.5 0.25 2 2.5")),
    case({"cascade_dr": 0.5 * (3 - 2) + 2.5 + 2 * (1 - 0.5) + 0.5 * 0.75}),
    "is doubly robust with one position",
    given(logs=decisions(COLUMNS, "7 1 1 0.5 0.25 0.5 0.375, 8 1 0 0.25 1 0.125 0.75")),
    case({"cascade_dr dr": (0.375 + 0.5 * 0.5 + 0.75 - 4 * 0.125) / 2}),
)

LOGS = decisions("reward propensity target_probability", "1 0.5 0.25, 1 0.0625 1, 2 0.125 0.5")
test_clipped_ips = worked(
    case("limits weights", {"clipped_ips": 18.5 / 3, "clipped_ips(clip=2)": 6.5 / 3}, logs=LOGS),
    case({"clipped_ips(clip=0.5)": 2 / 3, "ips": 24.5 / 3}, logs=LOGS),
    "limits weights with lists, at each cutoff",
    given(
        recs="ab", logs=decisions("user_id item_id reward propensity", "ann a 1 0.25, ann b 1 0.5")
    ),
    case({"clipped_ips(clip=3)@1": 3 / 2, "clipped_ips(clip=3)@2": 5 / 2}),
)

AT_RANKS = "user_id item_id position reward"
CTR_LOGS = decisions(
    "user_id item_id reward", "ann a 1, ann a 0, ann b 1, ann z 1, bob a 0, cid a 1"
)
RECS = lists({"ann": "abc", "bob": "xa"})
test_ctr = worked(
    given(recs=RECS),
    "is the mean reward of decisions whose item is in the users list",
    case({"ctr@1": 1 / 2, "ctr@2 ctr": 2 / 4}, logs=CTR_LOGS),
    "counts rewards of any size",
    given(logs=decisions("user_id item_id reward", "ann a 2.5, ann b -1")),
    case({"ctr": 1.5 / 2}),
    "requires the logged rank if logs has ranks",
    given(recs=RECS, logs=decisions(AT_RANKS, "ann a 1 1, ann b 1 1, ann c 3 0")),
    case({"ctr@1": 1.0, "ctr@3": 1 / 2}),
    "is undefined if no decision is in a list",
    case({"ctr": (None, 0)}, logs=decisions("user_id item_id reward", "ann z 1")),
)

test_direct_method = worked(
    "is the mean of the expected rewards and needs no other column",
    case({"direct_method": 0.25}, logs=decisions("expected_reward", "0.5, 0.25, 0")),
)

OF_LISTS = "user_id item_id reward propensity predicted_reward expected_reward"
MODELED_COLUMNS = "reward propensity target_probability predicted_reward expected_reward"
test_doubly_robust = worked(
    "corrects expected rewards by the weighted errors of the model",
    given(logs=decisions(MODELED_COLUMNS, "1 0.5 0.25 0.5 0.25, 0 0.25 1 0.125 0.75")),
    case({"doubly_robust": (0.25 + 0.5 * 0.5 + 0.75 - 4 * 0.125) / 2}),
    "takes the whole lists of one model",
    given(recs="ab", logs=decisions(OF_LISTS, "ann b 1 0.25 0.5 0.125, ann z 1 0.25 0.5 0.125")),
    case({"doubly_robust": (0.125 + 4 * 0.5 + 0.125) / 2}),
    "equals IPS if the model predicts 0, and the direct method if the model is exact",
    given(logs=decisions(MODELED_COLUMNS, "1 0.5 0.25 0 0, 0 0.25 1 0 0")),
    case({"dr ips": (0.5 * 1 + 4 * 0) / 2}),
    given(logs=decisions(MODELED_COLUMNS, "1 0.5 0.25 1 0.5, 0 0.25 1 0 0.25")),
    case({"dr dm": (0.5 + 0.25) / 2}),
)

test_effective_sample_size = worked(
    "is the number of decisions of equal weight",
    case({"ess": 5.0}, logs=decisions("propensity target_probability", *[(0.25, 0.5)] * 5)),
    "is close to 1 if one decision has nearly all weight",
    given(logs=decisions("propensity target_probability", "1 1, 1 0.5, 0.001 1")),
    case({"ess": 1001.5**2 / (1 + 0.25 + 1000000.0)}),
    "is undefined if all weights are 0",
    given(recs="ab", logs=decisions("user_id item_id propensity", "ann b 0.5, ann b 0.25")),
    case({"ess@1": (None, 0), "ess@2": (36 / 20, 2)}),
)

IPS_LOGS = decisions(
    "user_id item_id reward propensity",
    "ann a 1 0.5, ann b 1 0.25, ann z 1 0.25, bob a 2 0.125, cid a 1 1",
)
IPS_RECS = lists({"ann": "abc", "bob": "xa", "dan": "a"})
RANKED_LOGS = decisions(
    f"{AT_RANKS} propensity", "ann a 1 1 0.5, ann a 2 1 0.5, ann b 2 1 0.25, ann c 4 1 0.25"
)
test_ips = worked(
    given(recs=IPS_RECS),
    "reads lists as a policy that shows them",
    case({"ips@1": 2 / 5, "ips@2 ips": (2 + 4 + 16) / 5}, logs=IPS_LOGS),
    "counts a decision of a user without a list as not taken",
    case(
        {"ips": 1}, logs=decisions("user_id item_id reward propensity", "ann a 1 0.5, cid a 1 0.5")
    ),
    "requires the logged rank if logs has ranks",
    given(recs=IPS_RECS, logs=RANKED_LOGS),
    case({"ips@1": 2 / 4, "ips@5": 6 / 4}),
    "divides by all recommendations within k if requested",
    case({"ips(divide_by=recommended)@1": 2 / 3}, logs=IPS_LOGS),
    case({"ips(divide_by=recommended)@2": 22 / 5}, logs=IPS_LOGS),
)

OF_A_POLICY = decisions(
    "reward propensity target_probability", "1 0.5 0.25, 0 0.5 1, 3 0.25 0.5, 1 1 0"
)


def test_ips_weighs_rewards_by_target_probability_and_propensity():
    result = sqlrec.evaluate("ips", logs=OF_A_POLICY)
    assert rows(result, "model", "k", "value", "users") == [("recs", None, approx(6.5 / 4), 4)]


def test_ips_error_equals_that_of_weighted_rewards():
    (results,) = rows(sqlrec.evaluate("ips", logs=OF_A_POLICY, interval="normal"), "standard_error")
    # Weighted rewards of 0.5, 0, 6 and 0.
    assert results == approx((stdev([0.5, 0, 6, 0]) / sqrt(4),))


def test_ips_error_by_ranks_is_that_of_a_sum_by_a_count():
    logs = decisions("user_id item_id reward propensity", "ann a 1 0.5, bob x 2 0.25, dan b 1 0.25")
    requests = "ips(divide_by=recommended)@2"
    result = sqlrec.evaluate(requests, recs=IPS_RECS, logs=logs, interval="normal")
    (results,) = rows(result, "standard_error")
    # Weighted rewards of 2, 8 and 0, and two, two and one ranks.
    assert results == approx((stdev([2, 8, 0]) * sqrt(3) / 5,))
    one_rank = {"recs": lists({"ann": "a"}), "logs": logs, "interval": "normal"}
    (results,) = rows(sqlrec.evaluate(requests.replace("2", "1"), **one_rank), "standard_error")
    assert results == approx((stdev([2, 0, 0]) * sqrt(3),))


def test_ips_counts_ranks_of_the_same_segment_and_model():
    users = table(
        [("ann", "nl"), ("bob", "nl"), ("cid", None)], user_id=pa.string(), country=pa.string()
    )
    inputs = {"recs": {"a": IPS_RECS, "b": lists({"cid": "ab", "dan": "c"})}}
    inputs |= {"logs": IPS_LOGS, "users": users}
    result = sqlrec.evaluate("ips(divide_by=recommended)@2 ips@2", **inputs, by="country")
    assert rows(result, "model", "country", "metric", "value", "users") == [
        ("a", "nl", "ips(divide_by=recommended)", approx(22 / 4), 4),
        ("a", "nl", "ips", approx(22 / 4), 4),
        # Users who are not in `users`, such as dan, are in the segment null.
        ("a", None, "ips(divide_by=recommended)", 0, 1),
        ("a", None, "ips", 0, 1),
        ("b", "nl", "ips(divide_by=recommended)", None, 0),
        ("b", "nl", "ips", 0, 4),
        ("b", None, "ips(divide_by=recommended)", approx(1 / 3), 1),
        ("b", None, "ips", approx(1), 1),
    ]


def test_ips_has_ranks_to_divide_by_only_with_recs():
    logs = decisions("reward propensity target_probability", "1 0.5 0.25")
    with raises(sqlrec.InputError, match=r"recs is missing: ips\(divide_by=recommended\) needs"):
        sqlrec.evaluate("ips(divide_by=recommended)", logs=logs)


test_matched_share = worked(
    "is the share of decisions with a target probability",
    given(logs=decisions("target_probability", "0.5, 0, 1e-09, 1")),
    case({"matched_share": 3 / 4}),
    "is the share of decisions in lists",
    given(recs="ab", logs=decisions("user_id item_id", "ann a, ann a, ann b, bob a")),
    case({"matched_share@1": 2 / 4, "matched_share": 3 / 4}),
)

test_max_weight = worked(
    "is the largest weight",
    given(logs=decisions("propensity target_probability", "0.5 0.25, 0.125 0.5, 0.01 0")),
    case({"max_weight": 4.0}),
    "is 0 if all weights are 0",
    given(recs="ab", logs=decisions("user_id item_id propensity", "ann b 0.5")),
    case({"max_weight@1": 0, "max_weight@2": 2}),
)

BASELINE = {"ann": {"a": 0.2, "b": 0.5, "c": 0.0, "d": 0.9}}
test_ncis_precision = worked(
    given(recs={"ann": {"a": 0.8}, "bob": {"a": 1.0}}, truth="a", baseline=BASELINE),
    "weights a rank by its score divided by the score of the baseline",
    given(recs={"a": 0.8, "b": 0.6}, truth="b"),
    case({"ncis_precision@2": [0.8 / 0.2, 0.6 / 0.5][1] / sum([0.8 / 0.2, 0.6 / 0.5])}),
    "does not depend on grades or on items judged not relevant",
    given(truth={"a": 0, "b": 3, "d": 0.5, "x": 2}, baseline={"ann": {"a": 0.2, "b": 1, "d": 0.9}}),
    case({"ncis_precision@9": (0.6 + 0.5) / (4 + 0.6 + 0.5)}, {"a": 0.8, "b": 0.6, "d": 0.45}),
    "weights are clipped",
    case({"ncis_precision(clip=2)@2": 2 / (2 + 1 / 2)}, {"a": 0.8, "d": 0.1}),
    "gives items without a score of the baseline, or a score of 0, the largest weight",
    case({"ncis_precision@3": 4 / (4 + 10 + 10)}, {"a": 0.8, "c": 0.1, "z": 0.05}),
    case("uses scores of the baseline below the cutoff", {"ncis_precision@1": 1}, {"a": 0.8}),
    case({"ncis_precision@1": 1 / 2}, truth={"ann": "a", "bob": "b"}),
    case("users without a relevant item are excluded", {"ncis_precision@1": 1}),
    "gives an item without a score the smallest weight",
    case({"ncis_precision@2": 4 / (4 + 1 / 10)}, {"a": 0.8, "b": None}, null_scores="last"),
)

DR_LOGS = decisions(
    "reward propensity target_probability predicted_reward expected_reward",
    "1 0.5 0.25 0.5 0.375, 0 0.25 1 0.125 0.75",
)
test_shrunk_dr = worked(
    given(logs=DR_LOGS),
    "halves a weight equal to the square root of the shrinkage",
    # Weights 0.5 and 4, which become 16 * 0.5 / 16.25 and 2.
    case({"shrunk_dr(shrinkage=16)": (0.375 + 8 / 16.25 * 0.5 + 0.75 - 2 * 0.125) / 2}),
    "is between the direct method and doubly robust",
    case({"dm": (0.375 + 0.75) / 2, "dr": (0.375 + 0.5 * 0.5 + 0.75 - 4 * 0.125) / 2}),
    case({"shrunk_dr(shrinkage=0.000001)": approx((0.375 + 0.75) / 2, abs=1e-5)}),
    case({"shrunk_dr(shrinkage=1000000000)": approx((0.375 + 0.25 + 0.75 - 0.5) / 2, abs=1e-5)}),
)

# A slate of two positions with weights 0.5 and 4, and one of a single position with weight 2.
SLATE_IPS_COLUMNS = "slate_id position reward propensity target_probability"
SLATE_IPS_LOGS = decisions(SLATE_IPS_COLUMNS, "7 2 1 0.25 1, 7 1 3 0.5 0.25, 8 1 1 0.25 0.5")
LISTED_SLATES = decisions(
    "user_id item_id slate_id position reward propensity",
    "ann a 1 1 1 0.5, ann b 1 2 1 0.5, ann a 2 1 1 0.5, ann c 2 2 1 0.5",
)
test_slate_ips = worked(
    given(logs=SLATE_IPS_LOGS),
    "weights a reward by the positions that it depends on",
    case({"slate_ips(behavior=standard)": (2 * (3 + 1) + 2) / 2}),
    case({"slate_ips(behavior=cascade)": (0.5 * 3 + 2 * 1 + 2) / 2}),
    case({"slate_ips(behavior=independent)": (0.5 * 3 + 4 * 1 + 2) / 2}),
    "divides each weight by its mean at the position",
    # At position 1 weights are 0.5 and 2, mean 1.25; at position 2 the mean is the weight itself.
    case({"slate_ips(behavior=cascade, divide_by=weights)": (0.5 * 3 / 1.25 + 2 / 1.25 + 1) / 2}),
    given(logs=decisions(SLATE_IPS_COLUMNS, "7 2 1 0.25 0, 7 1 3 0.5 0.25")),
    case({"slate_ips(behavior=independent, divide_by=weights)": None}),
    "counts a slate as 0 from the first position that the other policy never shows",
    given(logs=decisions(SLATE_IPS_COLUMNS, "7 1 1 0.5 0.5, 7 2 1 0.5 0, 7 3 1 0.5 0.5")),
    case({"sips(behavior=standard)": 0.0, "sips(behavior=cascade)": 1.0}),
    case({"sips(behavior=independent)": 2.0}),
    "with lists counts slates that a list would have shown",
    given(recs=pa.table({"user_id": ["ann"], "item_id": [["a", "b"]]}), logs=LISTED_SLATES),
    case({"sips@2 sips(behavior=cascade)@2": 4.0, "sips@1": 0.0}),
)


def test_slate_ips_positions_of_a_slate_do_not_repeat():
    for wrong in [[(7, 1, 1, 0.5, 0.5)] * 2, [(None, 1, 1, 0.5, 0.5)]]:
        with raises(sqlrec.DataError, match="give each slate one row per position"):
            sqlrec.evaluate("slate_ips", logs=decisions(SLATE_IPS_COLUMNS, *wrong))
    floating = pa.table({name: [0.5] for name in SLATE_IPS_COLUMNS.split()})
    with raises(sqlrec.InputError, match=r"logs\.slate_id is DOUBLE"):
        sqlrec.evaluate("slate_ips", logs=floating)


@mark.filterwarnings("ignore:recs. the effective sample")
def test_slate_ips_errors_are_of_slates_where_logs_names_no_users():
    rows = [(n, rank, (n * rank) % 3, 0.5, 0.25) for n in range(9) for rank in (1, 2)]
    totals = [0.25 * sum(row[2] for row in rows if row[0] == n) for n in range(9)]
    mean = sum(totals) / 9
    result = sqlrec.evaluate("slate_ips", logs=decisions(SLATE_IPS_COLUMNS, *rows), interval="t")
    (row,) = result.to_arrow().to_pylist()
    error = (sum((one - mean) ** 2 for one in totals) / 8 / 9) ** 0.5
    assert (row["value"], row["standard_error"]) == approx((mean, error))


@mark.filterwarnings("ignore:recs. the effective sample")
@mark.parametrize("behavior", ["standard", "cascade", "independent"])
def test_slate_ips_errors_by_weights_equal_numerical_slopes(behavior):
    chance = random.Random(1)
    sizes = [
        (user, chance.randint(1, 3)) for user in range(12) for _ in range(chance.randint(1, 3))
    ]
    rows = [
        (f"u{user}", slate, rank, chance.random(), 0.5, chance.choice([0.125, 0.5, 0.25]))
        for slate, (user, size) in enumerate(sizes)
        for rank in range(1, size + 1)
    ]

    def value(counts):
        """Return the value by definition, of users with weights."""
        at_rank = {rank: [0.0, 0.0, 0.0] for rank in (1, 2, 3)}
        for user, slate, rank, reward, *_ in rows:
            ratios = [row[5] / row[4] for row in rows if row[1] == slate]
            many = {"standard": ratios, "cascade": ratios[:rank]}.get(behavior, [ratios[rank - 1]])
            for sums, one in enumerate((1, math.prod(many), math.prod(many) * reward)):
                at_rank[rank][sums] += counts[int(user[1:])] * one
        slates = sum(counts[user] for user, _ in sizes)
        return sum(number * gain / weight for number, weight, gain in at_rank.values()) / slates

    mean = value([1] * 12)
    slopes = [
        (value([1 + 1e-6 * (one == user) for one in range(12)]) - mean) / 1e-6 for user in range(12)
    ]
    error = math.sqrt(12 / 11 * sum(slope**2 for slope in slopes))
    requests = f"slate_ips(behavior={behavior}, divide_by=weights)"
    results = sqlrec.evaluate(requests, logs=decisions(f"user_id {SLATE_IPS_COLUMNS}", *rows))
    (row,) = results.to_arrow().to_pylist()
    assert row["value"] == approx(mean) and row["interval"] == "t"
    assert row["standard_error"] == approx(error, rel=1e-4)


@mark.filterwarnings("ignore:recs. the effective sample")
@mark.parametrize("interval", ["t", "bootstrap", "bca"])
def test_slate_ips_has_no_error_where_it_has_no_value(interval):
    rows = [(f"u{n}", n, rank, 1, 0.5, 0.5 * (rank == 1)) for n in range(4) for rank in (1, 2)]
    logs = decisions(f"user_id {SLATE_IPS_COLUMNS}", *rows, ("u4", 4, 1, 3, 0.5, 0.2))
    requests = "slate_ips(behavior=independent, divide_by=weights)"
    (row,) = sqlrec.evaluate(requests, logs=logs, interval=interval).to_arrow().to_pylist()
    assert [row[name] for name in ("value", "standard_error", "low", "high")] == [None] * 4


test_sndr = worked(
    "divides the correction by the sum of weights",
    given(logs=decisions(MODELED_COLUMNS, "1 0.5 0.25 0.5 0.25, 0 0.25 1 0.125 0.5")),
    case({"sndr": (0.25 + 0.5) / 2 + (0.5 * 0.5 - 4 * 0.125) / 4.5}),
    "is undefined if all weights are 0",
    case({"sndr": (None, 0)}, logs=decisions(MODELED_COLUMNS, "1 0.5 0 0.5 0.25")),
)

test_snips = worked(
    "is the mean reward weighted by the weights",
    given(
        logs=decisions("reward propensity target_probability", "1 0.5 0.25, 0 0.5 1, 3 0.25 0.5")
    ),
    case({"snips": 6.5 / 4.5}),
    "is 1 if all rewards are",
    given(logs=decisions("reward propensity target_probability", "1 0.001 1, 1 0.9 0.1")),
    case({"snips": 1.0}),
    "is undefined if all weights are 0",
    given(
        recs="ab", logs=decisions("user_id item_id reward propensity", "ann b 1 0.5, ann c 1 0.5")
    ),
    case({"snips@1": (None, 0), "snips@2": (1, 2)}),
)


def test_snips_error_is_that_of_a_ratio_of_sums():
    logs = decisions("reward propensity target_probability", "1 0.5 0.25, 0 0.5 1, 3 0.25 0.5")
    (results,) = rows(sqlrec.evaluate("snips", logs=logs, interval="normal"), "standard_error")
    # Weights of 0.5, 2 and 2 and weighted rewards of 0.5, 0 and 6, whose ratio is 13 / 9. What is
    # left of each is reward * weight - ratio * weight.
    left = [0.5 - 6.5 / 9, 0 - 26 / 9, 6 - 26 / 9]
    assert results == approx((sqrt(sum(each**2 for each in left) * 3 / 2) / 4.5,))


test_sub_gaussian_dr = worked(
    "corrects by bounded weights",
    # Weights 0.5 and 4, which become 0.5 / 0.75 and 4 / 2.5.
    given(logs=DR_LOGS),
    case({"sub_gaussian_dr(shrinkage=0.5)": (0.375 + 2 / 3 * 0.5 + 0.75 - 1.6 * 0.125) / 2}),
    "is doubly robust with 0",
    given(logs=DR_LOGS),
    case({"sgdr(shrinkage=0) dr": (0.375 + 0.5 * 0.5 + 0.75 - 4 * 0.125) / 2}),
)

SUB_GAUSSIAN_IPS_LOGS = decisions(
    "reward propensity target_probability", "1 0.5 0.25, 2 0.25 1, 1 0.5 0"
)
test_sub_gaussian_ips = worked(
    "bounds weights",
    # Weights 0.5, 4 and 0, which become 0.5 / 0.75, 4 / 2.5 and 0.
    case({"sub_gaussian_ips(shrinkage=0.5)": (2 / 3 + 2 * 1.6) / 3}, logs=SUB_GAUSSIAN_IPS_LOGS),
    "is ips with 0 and bounded near 1",
    given(logs=SUB_GAUSSIAN_IPS_LOGS),
    case({"sgips(shrinkage=0) ips": (0.5 * 1 + 4 * 2 + 0 * 1) / 3}),
    case({"sgips(shrinkage=0.999999999)": approx(1, abs=1e-8)}),
)

test_switch_dr = worked(
    "does not correct if a weight is above tau",
    case({"switch_dr(tau=3.5)": (0.375 + 0.5 * 0.5 + 0.75) / 2}, logs=DR_LOGS),
    "corrects if it is tau",
    case({"switch_dr(tau=4) dr": (0.375 + 0.5 * 0.5 + 0.75 - 4 * 0.125) / 2}, logs=DR_LOGS),
    case("is the direct method with 0", {"switch_dr(tau=0) dm": (0.375 + 0.75) / 2}, logs=DR_LOGS),
)

test_parameters = refused(
    ("dros(shrinkage=0)", "shrinkage must be a number above 0"),
    ("sgips(shrinkage=1)", "shrinkage must be a number from 0"),
    ("switch_dr(tau=-1)", "tau must be a number from 0"),
)


def test_values_are_the_quotients_of_their_terms():
    """Standard errors of decisions of users read the terms, and values do not."""
    macros = package("duckdb")
    files = (sql_folder() / "metrics").glob("*.sql")
    terms = [f"logged__{path.stem}" for path in files if "__numerator(" in path.read_text()]
    assert len(terms) == 14
    chance = random.Random(7)
    names = (
        "weight weight_above cascade_weight slate_weight slate_length target_probability reward "
        "predicted_reward expected_reward"
    ).split()
    logged = pa.table({name: [chance.uniform(0.5, 2) for _ in range(9)] for name in names})
    with duckdb.connect() as connection:
        connection.register("logged", logged)
        connection.execute(
            "create table summed as select *, avg(weight) over () as mean_weight, "
            "sum(weight * (reward - predicted_reward)) over () / sum(weight) over () as correction "
            "from logged"
        )
        for name in terms:
            value, numerator, denominator = (
                getattr(macros, name + part)() for part in ("", "__numerator", "__denominator")
            )
            sql = f"select {value}, ({numerator}) / ({denominator}) from summed"
            ((one, other),) = connection.sql(sql).fetchall()
            assert one == approx(other, rel=1e-12), name
