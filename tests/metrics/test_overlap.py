from math import fsum, log

import pyarrow as pa
from pytest import approx, mark

import sqlrec

from ..tables import lists, rows_of, table, values
from .cases import case, given, numbered, worked


def endless(agreements, p):
    """Return the sum if all later depths agree completely."""
    seen = sum(p**d * agreement for d, agreement in enumerate(agreements))
    return (1 - p) * seen + p ** len(agreements)


def beyond(p, depth):
    """Return the sum of p^d / d over all later depths; over all depths it is -log(1 - p)."""
    return -log(1 - p) - fsum(p**d / d for d in range(1, depth + 1))


# The minimum for abc and axyz, and for two lists of the same two items in another order.
ONE_IN_FOUR = 0.1 * (1 + 0.9 / 2 + 0.9**2 / 3 + 0.9**3 / 4 + beyond(0.9, 4) / 0.9)
TWO = 0.1 + 0.1 / 0.9 * 2 * beyond(0.9, 1)
# One of the first two ranks agrees, so each missing rank of the shorter list adds one half.
AGREEMENT = [1, 1 / 2, (1 + 1 / 2) / 3, (2 + 2 / 2) / 4]
AB_IN_AXYB = sum(0.5**d * x for d, x in enumerate(AGREEMENT)) / 2 + 0.5**4 * AGREEMENT[-1]
# Both lists have no, two and two items in common, and two below their ends.
SCALED = sum(0.5**d * 2 / (d + 1) for d in range(1, 5)) / sum(0.5**d for d in range(5))
NEAR_1 = 1 - 0.999999**3000 + (1 - 0.999999) / 0.999999 * 3000 * beyond(0.999999, 3000)
test_average_overlap = worked(
    given(recs="ab"),
    "is the mean agreement of all depths",
    case({"average_overlap@3": (0 + 2 / 2 + 2 / 3) / 3}, "abc", baseline="bax"),
    "continues to the end of the longer list",
    case({"ao@5": (1 + 1 / 2 + 2 / 3 + 2 / 4) / 4}, baseline="axby"),
    "divided by k counts depths after both lists as 0",
    case({"ao(divide_by=k)@5": 2 / 5}, baseline="ab"),
    case("both lists are cut", {"ao@1": 0}, baseline="ba"),
    case("without a baseline it is 0", {"ao@2": 1 / 2}, {"ann": "ab", "bob": "c"}, baseline="ab"),
    "ends at its cutoff next to a metric without a cutoff",
    given(recs="abc", baseline="axyz"),
    # For the residual x, y and z go after abc, and then b and c after axyz.
    case({"ao@9": (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4, "rbo(form=minimum)@9": ONE_IN_FOUR}),
    case({"rbo_residual@9": endless([1, 1 / 2, 1 / 3, 2 / 4, 4 / 5], 0.9) - ONE_IN_FOUR}),
)


def ask(metric, ours, theirs):
    given = {"recs": lists({"ann": ours}), "baseline": lists({"ann": theirs})}
    return values(sqlrec.evaluate(metric, **given))


BASELINE = lists({"ann": "bxa", "bob": "xy", "dot": "a"})
RECS = lists({"ann": "abcd", "bob": "xy", "cid": "a"})
test_baseline_share = worked(
    given(recs=RECS, baseline=BASELINE),
    "is the share of the list that the baseline has too",
    case({"baseline_share@2": {"ann": 1 / 2, "bob": 1, "cid": 0}}),
    case({"baseline_share@all": (2 / 4 + 1 + 0) / 3}),
    "accepts a different cutoff for the baseline",
    case({"intersection(baseline_k=3)@1": (1 + 1 + 0) / 3}),
    case({"intersection(baseline_k=1)@2": (1 / 2 + 1 / 2 + 0) / 3}),
)

test_churn = worked(
    given(baseline={"ann": "bxcy", "dan": "a"}),
    "is the share of recommendations that changed",
    case({"churn@1": 1.0, "churn@2": 1 / 2, "churn@3": 1 / 3}, "abcd"),
    case("counts all items as changed without a baseline", {"churn@3": 1}, {"bob": "x"}),
    "counts removed items too",
    # One item is in both lists; three items left, and none entered.
    case({"churn@4": 3 / 5}, "b"),
    "uses the lengths of lists that are not k long",
    # Two items are in both lists; three of five entered, and two of four left.
    case({"churn@9": 5 / 9, "churn(divide_by=k)@9": 7 / 9}, "abcde"),
    case("divided by k counts a missing rank as changed", {"churn(divide_by=k)@4": 1 / 2}, "bc"),
)

test_list_jaccard = worked(
    given(baseline={"ann": "bxcy", "dan": "a"}),
    "is the share of all items that both lists have within k",
    case({"jaccard@1": 0.0, "jaccard@2": 1 / 3, "jaccard@3": 2 / 4}, "abcd"),
    case("uses the lengths of lists that are not k long", {"jaccard@9": 2 / (5 + 4 - 2)}, "abcde"),
    case("without a baseline it is 0", {"jaccard@3": 2 / 4 / 2}, {"ann": "abcd", "bob": "x"}),
    case("the same items in another order are the same set", {"jaccard@all": 1}, "cyxb"),
)

test_rbo = worked(
    "is 1 for equal lists, and 0 without a common item",
    case({"rbo@3 rbo@all": 1.0}, "abc", baseline="abc"),
    case({"rbo@3 rbo@all": 0.0}, "abc", baseline="xyz"),
    "weights the overlap by depth, and extrapolates it",
    given(recs="abc", baseline="bax"),
    case({"rbo(form=truncated)@3": (1 - 0.9) * (0 + 0.9 * 2 / 2 + 0.9**2 * 2 / 3)}),
    case({"rbo@3": (1 - 0.9) * (0 + 0.9 * 2 / 2 + 0.9**2 * 2 / 3) + 0.9**3 * 2 / 3}),
    "the minimum assumes no further common items",
    given(recs="abc", baseline="bax"),
    case({"rbo(p=0.5, form=minimum)@3": (0.5 * 2 / 2 + 0.5**2 * 2 / 3) / 2 + 2 * beyond(0.5, 3)}),
    "extrapolates the overlap of the shorter list",
    case({"rbo(p=0.5)@all": AB_IN_AXYB}, "ab", baseline="axyb"),
    case({"rbo(p=0.5)@all": AB_IN_AXYB}, "axyb", baseline="ab"),
    case("both lists are cut", {"rbo@1": 0}, "ab", baseline="ba"),
    "ignores gaps between ranks",
    # Within 5 the first list is ab.
    given(recs=lists({"ann": "axbxyzc"}).take([0, 2, 6]), baseline="abc"),
    case({"rbo@5 rbo@all": 1.0}),
    "is accurate for long lists and p near 1",
    given(recs=numbered("i", 3000), baseline=numbered("i", 3000)),
    case({"rbo(p=0.999999)@all rbo(p=0.5)@all": approx(1, abs=1e-13)}),
    case({"rbo(p=0.999999, form=minimum)@all": approx(NEAR_1, abs=1e-12)}),
    "without a baseline it is 0",
    given(recs={"ann": "ab", "bob": "c"}, baseline="ab"),
    case({"rbo@2 rbo(form=minimum)@2 rbo(form=truncated)@2": 0}, user="bob"),
    "scaled ends at the cutoff, and divides by the sum of weights",
    given(recs="abc", baseline="ba"),
    case({"rbo(p=0.5, form=scaled)@5": SCALED}),
    case({"rbo(p=0.5, form=scaled)@3 rbo(p=0.5, form=scaled)@all": 1.0}, baseline="abc"),
    # The call has another metric with rows below the ends of lists.
    case({"rbo(p=0.5, form=scaled)@2": (0 + 0.5) / (1 + 0.5), "rbo(p=0.5, form=scaled)@5": SCALED}),
    case({"rbo(p=0.5, form=scaled)@all": (0 + 0.5 + 0.5**2 * 2 / 3) / (1 + 0.5 + 0.5**2)}),
    case({"rbo(p=0.5)@5": (1 - 0.5) * (0.5 + 0.5**2) + 0.5**3}),
    case({"rbo_residual(p=0.5)@5": 0.5 - 0.5 * (0.5 + 0.5**2 * 2 / 3) - 2 * beyond(0.5, 3)}),
    "users without a baseline can be excluded",
    given(recs={"ann": "ab", "bob": "c"}, baseline="ab"),
    case({"rbo(form=minimum)@2": (TWO / 2, 2)}),
    case({"rbo(form=minimum, without_baseline=undefined)@2": (TWO, 1)}),
    case({"rbo(form=truncated)@2": (0.1 * (1 + 0.9) / 2, 2), "rbo(form=scaled)@2": (1 / 2, 2)}),
    case({"rbo(form=truncated, without_baseline=undefined)@2": (0.1 * (1 + 0.9), 1)}),
    case({"rbo(form=scaled, without_baseline=undefined)@2": (1.0, 1)}),
    case({"rbo(without_baseline=undefined)@2": 1.0}),
    # A baseline of one item is one item, in the list or not.
    given(recs="ab"),
    case({"rbo(form=truncated, without_baseline=undefined)@2": 0}, baseline="x"),
    case({"rbo(form=truncated, without_baseline=undefined)@2": 0.1 * (1 + 0.9 / 2)}, baseline="a"),
)


@mark.parametrize("lists", [("abc", "axyb"), ("axyb", "abc")])
def test_rbo_of_lists_of_two_lengths_does_not_depend_on_other_metrics(lists):
    p = 0.5
    agreements = [1, 1 / 2, 1 / 3, 2 / 4]
    seen = (1 - p) * sum(p**d * agreement for d, agreement in enumerate(agreements))
    beyond = 2 * (-log(1 - p) - sum(p**d / d for d in range(1, 5))) / p
    # The shorter list is assumed to have a third of its missing rank, and to keep this agreement.
    agreements[-1] = (2 + 1 / 3) / 4
    all_seen = (1 - p) * sum(p**d * agreement for d, agreement in enumerate(agreements))
    forms = "rbo(p=0.5, form=truncated)@9 rbo(p=0.5, form=minimum)@9 rbo(p=0.5)@9"
    expected = [seen, seen + (1 - p) * beyond, all_seen + p**4 * agreements[-1]]
    assert ask(forms, *lists) == approx(expected)
    assert ask(f"{forms} rbo_residual@9", *lists)[:3] == approx(expected)


test_rbo_residual = worked(
    case("is 1 if both lists are unknown", {"rbo_residual@2": 1.0}, {"bob": "c"}, baseline="ab"),
    "is small if long lists are equal",
    given(recs=numbered("i", 1000), baseline=numbered("i", 1000)),
    case({"rbo_residual@all": approx(0, abs=1e-14)}),
)

# The agreement of pairs of lists, down to the depth at which all items agree.
AGREEMENTS = {
    # After ab, the shorter list continues with x and y, then both with new items.
    ("ab", "axyb"): [1, 1 / 2, 2 / 3, 4 / 4],
    # At most, each list continues with the other's items: two more common items at each depth.
    ("abc", "bax"): [0, 2 / 2, 2 / 3, 4 / 4],
    # x follows abc, then y, and c follows axyb.
    ("abc", "axyb"): [1, 1 / 2, 1 / 3, 3 / 4, 5 / 5],
    # d to g follow abc one by one; from the fifth rank on, a to c follow defg.
    ("abc", "defg"): [0, 0, 0, 1 / 4, 3 / 5, 5 / 6, 7 / 7],
}


@mark.parametrize("k", [9, "all"])
def test_rbo_residual_goes_on_until_both_have_the_items_of_both(k):
    pairs = {" ".join(pair[::way]): pair[::way] for pair in AGREEMENTS for way in (1, -1)}
    recs, baseline = (lists({user: pair[side] for user, pair in pairs.items()}) for side in (0, 1))
    metrics = f"rbo(p=0.5, form=minimum)@{k} rbo_residual(p=0.5)@{k}"
    results = sqlrec.evaluate(metrics, recs=recs, baseline=baseline).per_user()
    sums = dict.fromkeys(pairs, 0.0)
    for row in rows_of(results):
        sums[row["user_id"]] += row["value"]
    for (ours, theirs), agreements in AGREEMENTS.items():
        for user in (f"{ours} {theirs}", f"{theirs} {ours}"):
            assert sums[user] == approx(endless(agreements, 0.5))


test_rbo_weight = worked(
    given(recs="ab", baseline="cd"),
    "is the weight of the first rank for one rank",
    # (1 - p) / p * (p + p^2 / 2 + p^3 / 3 + ...)
    case({"rbo_weight(p=0.5)@1": log(2)}, "a", baseline="b"),
    "of two ranks adds that of the second",
    # 1 - p + (1 - p) / p * 2 * (p^2 / 2 + p^3 / 3 + ...)
    case({"rbo_weight(p=0.5)@2": 1 - 0.5 + 2 * (log(2) - 0.5)}),
    "agrees with the rbo library",
    # rbo 0.1.3: RankingSimilarity(letters, letters).top_weightness(p, depth)
    given(recs="abcdefghijklmnopqrstuvwxyz", baseline="abcdefghijklmnopqrstuvwxyz"),
    case({"rbo_weight@1": approx(0.25584278811044947, rel=1e-12)}),
    case({"rbo_weight(p=0.5)@3": approx(0.9544415416798359, rel=1e-12)}),
    case({"rbo_weight(p=0.98)@26": approx(0.6839808488335309, rel=1e-12)}),
    "is close to 1 for long lists",
    case(
        {"rbo_weight@all": approx(1, abs=1e-12)}, numbered("i", 1000), baseline=numbered("i", 1000)
    ),
    case("without a list of the baseline is 0", {"rbo_weight@2": 0}, {"bob": "c"}, baseline="ab"),
    "depends on the lengths of both lists, not on their items",
    case({"rbo_weight@2": TWO}, "xy", baseline="zx"),
    case({"rbo_weight@all": TWO}, baseline="cdef"),
    case({"rbo_weight@all": TWO}, "abcd"),
)


def test_churn_of_a_user_without_a_baseline_list_is_one_at_each_cutoff():
    scored = {"user_id": pa.string(), "item_id": pa.string(), "score": pa.float64()}
    recs = table([("ann", "a", 2.0), ("ann", "b", 1.0), ("bob", "a", 1.0)], **scored)
    baseline = table([("ann", "a", 2.0), ("ann", "b", 1.0)], **scored)
    result = sqlrec.evaluate("churn@1,2", recs=recs, baseline=baseline)
    assert values(result) == [1 / 2, 1 / 2]
