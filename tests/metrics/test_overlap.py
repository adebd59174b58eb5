from math import fsum, log

import pyarrow as pa
from pytest import approx, mark

import sqlrec

from ..tables import lists, rows, table, values
from .cases import case, given, worked

test_average_overlap = worked(
    given(recs="ab"),
    "is the mean agreement of all depths",
    case({"average_overlap@3": (0 + 2 / 2 + 2 / 3) / 3}, "abc", baseline={"ann": "bax"}),
    "goes on to the end of the longer list",
    case({"ao@5": (1 + 1 / 2 + 2 / 3 + 2 / 4) / 4}, baseline={"ann": "axby"}),
    "divided by k depths past both lists agree in nothing",
    case({"ao(divide_by=k)@5": 2 / 5}, baseline={"ann": "ab"}),
    "both lists are cut",
    case({"ao@1": 0}, baseline={"ann": "ba"}),
    "without baseline it is 0",
    case({"ao@2": 1 / 2}, {"ann": "ab", "bob": "c"}, baseline={"ann": "ab"}),
)


def ask(metric, ours, theirs):
    given = {"recs": lists({"ann": ours}), "baseline": lists({"ann": theirs})}
    return values(sqlrec.evaluate(metric, **given))


def test_average_overlap_ends_there_beside_a_metric_that_goes_on():
    expected = (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    assert ask("ao@9 rbo_residual@9", "abc", "axyz")[0] == approx(expected)


BASELINE = lists({"ann": "bxa", "bob": "xy", "dot": "a"})


RECS = lists({"ann": "abcd", "bob": "xy", "cid": "a"})


test_baseline_share = worked(
    given(recs=RECS, baseline=BASELINE),
    "is the share of the list that the baseline has too",
    case({"baseline_share@2": {"ann": 1 / 2, "bob": 1, "cid": 0}}),
    case({"baseline_share@all": (2 / 4 + 1 + 0) / 3}),
    "takes a cutoff of its own for the baseline",
    case({"intersection(baseline_k=3)@1": (1 + 1 + 0) / 3}),
    case({"intersection(baseline_k=1)@2": (1 / 2 + 1 / 2 + 0) / 3}),
    case({"intersection(baseline_k=1)@all": (1 / 4 + 1 / 2 + 0) / 3}),
    case({"intersection@2": (1 / 2 + 1 + 0) / 3}),
)


test_churn = worked(
    given(baseline={"ann": "bxcy", "dan": "a"}),
    "is the share of places that changed",
    case({"churn@1": 1.0, "churn@2": 1 / 2, "churn@3": 1 / 3}, "abcd"),
    "without baseline all has changed",
    case({"churn@3": 1}, {"bob": "x"}),
    "items that left count too",
    # One of both; three left and none came.
    case({"churn@4": 3 / 5}, "b"),
    "lists of other lengths than k have their own",
    # Two of both; three of five came, and two of four left.
    case({"churn@9": 5 / 9, "churn(divide_by=k)@9": 7 / 9}, "abcde"),
    "divided by k a missing place has changed",
    case({"churn(divide_by=k)@4": 1 / 2}, "bc"),
)


test_list_jaccard = worked(
    given(baseline={"ann": "bxcy", "dan": "a"}),
    "is the share of all items that both lists have within k",
    case({"jaccard@1": 0.0, "jaccard@2": 1 / 3, "jaccard@3": 2 / 4}, "abcd"),
    "lists of other lengths than k have their own",
    case({"jaccard@9": 2 / (5 + 4 - 2)}, "abcde"),
    "without baseline it is 0",
    case({"jaccard@3": 2 / 4 / 2}, {"ann": "abcd", "bob": "x"}),
    "the same items in another order are the same set",
    case({"jaccard@all": 1}, "cyxb"),
)


test_rbo = worked(
    "the same list agrees wholly and no common item not at all",
    case({"rbo@3 rbo@all": 1.0}, "abc", baseline={"ann": "abc"}),
    case({"rbo@3 rbo@all": 0.0}, "abc", baseline={"ann": "xyz"}),
    "weighs agreement by depth and takes it to go on",
    given(recs="abc", baseline={"ann": "bax"}),
    case({"rbo(form=truncated)@3": (1 - 0.9) * (0 + 0.9 * 2 / 2 + 0.9**2 * 2 / 3)}),
    case({"rbo@3": (1 - 0.9) * (0 + 0.9 * 2 / 2 + 0.9**2 * 2 / 3) + 0.9**3 * 2 / 3}),
    "the minimum has no more items in both",
    # The sum of p^d / d over all depths d is -log(1 - p).
    given(recs="abc", baseline={"ann": "bax"}),
    case(
        {
            "rbo(p=0.5, form=minimum)@3": (1 - 0.5) * (0 + 0.5 * 2 / 2 + 0.5**2 * 2 / 3)
            + (1 - 0.5) * (2 * (-log(1 - 0.5) - 0.5 - 0.5**2 / 2 - 0.5**3 / 3) / 0.5)
        }
    ),
    "the shorter list is taken to agree as it did",
    # One of the first two in both: so one half of each place more that the shorter list had.
    case(
        {
            "rbo(p=0.5)@all": (1 - 0.5)
            * sum(
                (
                    0.5**d * agreement
                    for d, agreement in enumerate([1, 1 / 2, (1 + 1 / 2) / 3, (2 + 2 / 2) / 4])
                )
            )
            + 0.5**4 * [1, 1 / 2, (1 + 1 / 2) / 3, (2 + 2 / 2) / 4][-1]
        },
        "ab",
        baseline={"ann": "axyb"},
    ),
    case(
        {
            "rbo(p=0.5)@all": (1 - 0.5)
            * sum(
                (
                    0.5**d * agreement
                    for d, agreement in enumerate([1, 1 / 2, (1 + 1 / 2) / 3, (2 + 2 / 2) / 4])
                )
            )
            + 0.5**4 * [1, 1 / 2, (1 + 1 / 2) / 3, (2 + 2 / 2) / 4][-1]
        },
        "axyb",
        baseline={"ann": "ab"},
    ),
    "both lists are cut",
    case({"rbo@1": 0}, "ab", baseline={"ann": "ba"}),
    "gaps between ranks close up",
    # Within 5 the first list is ab.
    case(
        {"rbo@5 rbo@all": 1.0},
        table(
            [("ann", "a", 1), ("ann", "b", 3), ("ann", "c", 7)],
            **{"user_id": pa.string(), "item_id": pa.string(), "rank": pa.int64()},
        ),
        baseline={"ann": "abc"},
    ),
    "stays exact for long lists and p near 1",
    case(
        {
            "rbo(p=0.999999)@all rbo(p=0.5)@all rbo(p=0.5, form=minimum)@all": approx(1, abs=1e-13),
            "rbo(p=0.999999, form=minimum)@all": approx(
                1
                - 0.999999**3000
                + (1 - 0.999999)
                / 0.999999
                * 3000
                * (-log(1 - 0.999999) - fsum(0.999999**d / d for d in range(1, 3001))),
                abs=1e-12,
            ),
        },
        [f"i{number}" for number in range(3000)],
        baseline={"ann": [f"i{number}" for number in range(3000)]},
    ),
)


@mark.parametrize("lists", [("abc", "axyb"), ("axyb", "abc")])
def test_rbo_lists_of_two_lengths_are_weighed_to_the_end_of_the_longer_whatever_is_asked_beside(
    lists,
):
    p = 0.5
    agreements = [1, 1 / 2, 1 / 3, 2 / 4]
    seen = (1 - p) * sum(p**d * agreement for d, agreement in enumerate(agreements))
    beyond = 2 * (-log(1 - p) - sum(p**d / d for d in range(1, 5))) / p
    # The shorter one is taken to have a third of the place that it lacks, and the rest as there.
    agreements[-1] = (2 + 1 / 3) / 4
    all_seen = (1 - p) * sum(p**d * agreement for d, agreement in enumerate(agreements))
    forms = "rbo(p=0.5, form=truncated)@9 rbo(p=0.5, form=minimum)@9 rbo(p=0.5)@9"
    expected = [seen, seen + (1 - p) * beyond, all_seen + p**4 * agreements[-1]]
    assert ask(forms, *lists) == approx(expected)
    assert ask(f"{forms} rbo_residual@9", *lists)[:3] == approx(expected)


def test_rbo_without_baseline_it_is_0():
    given = {"recs": lists({"ann": "ab", "bob": "c"}), "baseline": lists({"ann": "ab"})}
    for form in ("extrapolated", "minimum", "truncated"):
        metrics = [f"rbo(form={form})@2" if form != "extrapolated" else "rbo@2"]
        users = sqlrec.evaluate(metrics, **given).per_user().to_arrow().to_pylist()
        assert {row["user_id"]: row["value"] for row in users}["bob"] == 0


def test_rbo_scaled_goes_down_to_the_cutoff_and_divides_by_the_weights():
    p = 0.5
    # None, two and two items in both, and still two where the lists have ended.
    agreements = [0, 2 / 2, 2 / 3, 2 / 4, 2 / 5]
    expected = sum(p**d * agreement for d, agreement in enumerate(agreements))
    weights = sum(p**d for d in range(5))
    scaled = "rbo(p=0.5, form=scaled)"
    assert ask(f"{scaled}@5", "abc", "ba") == approx([expected / weights])
    assert ask(f"{scaled}@3 {scaled}@all", "abc", "abc") == approx([1, 1])
    # Beside metrics that have rows from the end of the lists on, too.
    asked = f"{scaled}@2 {scaled}@5 {scaled}@all rbo_residual(p=0.5)@5 rbo(p=0.5)@5"
    one, five, whole, *_ = ask(asked, "abc", "ba")
    assert [one, five] == approx([(0 + p) / (1 + p), expected / weights])
    assert whole == approx((0 + p + p**2 * 2 / 3) / (1 + p + p**2))


def test_rbo_users_without_baseline_can_be_left_out():
    given = {"recs": lists({"ann": "ab", "bob": "c"}), "baseline": lists({"ann": "ab"})}
    for form in ("minimum", "truncated", "scaled"):
        both = [f"rbo(form={form})@2", f"rbo(form={form}, without_baseline=undefined)@2"]
        result = sqlrec.evaluate(both, **given)
        (all_users, all_), (some, one) = rows(result, "value", "users")
        assert (all_, one) == (2, 1)
        assert some == approx(2 * all_users)
    assert values(sqlrec.evaluate("rbo(without_baseline=undefined)@2", **given)) == approx([1])
    # A baseline of one item is one, whether or not the list has it.
    undefined = "rbo(form=truncated, without_baseline=undefined)@2"
    assert ask(undefined, "ab", "x") == [0]
    assert ask(undefined, "ab", "a") == approx([0.1 * (1 + 0.9 / 2)])


test_rbo_residual = worked(
    "is all where nothing is known",
    case({"rbo_residual@2": 1.0}, {"bob": "c"}, baseline={"ann": "ab"}),
    "is little where long lists are alike",
    case(
        {"rbo_residual@all": approx(0, abs=1e-14)},
        [f"i{number}" for number in range(1000)],
        baseline={"ann": [f"i{number}" for number in range(1000)]},
    ),
)


def endless(agreements, p):
    """The sum where all depths below agree wholly."""
    seen = sum(p**d * agreement for d, agreement in enumerate(agreements))
    return (1 - p) * seen + p ** len(agreements)


def test_rbo_residual_is_what_lies_between_the_two_bounds():
    # At most each list goes on with what the other has: two more items of both at each depth.
    most = endless([0, 2 / 2, 2 / 3, 4 / 4], 0.9)
    least, residual = ask("rbo(form=minimum)@3 rbo_residual@3", "abc", "bax")
    assert least + residual == approx(most)


def test_rbo_residual_of_lists_of_two_lengths_the_shorter_goes_on_first():
    # After ab, the shorter goes on with x and y, and then both with what is new to both.
    most = endless([1, 1 / 2, 2 / 3, 4 / 4], 0.5)
    metrics = "rbo(p=0.5, form=minimum)@all rbo_residual(p=0.5)@all"
    for ours, theirs in (("ab", "axyb"), ("axyb", "ab")):
        least, residual = ask(metrics, ours, theirs)
        assert least + residual == approx(most)


@mark.parametrize(
    "ours, theirs, agreements",
    [
        # After abc, x; then y, and c after axyb.
        ("abc", "axyb", [1, 1 / 2, 1 / 3, 3 / 4, 5 / 5]),
        # After abc, d to g one by one; from the fifth place on a to c after defg.
        ("abc", "defg", [0, 0, 0, 1 / 4, 3 / 5, 5 / 6, 7 / 7]),
    ],
)
@mark.parametrize("k", [9, "all"])
def test_rbo_residual_goes_on_until_both_have_the_items_of_both(ours, theirs, agreements, k):
    metrics = f"rbo(p=0.5, form=minimum)@{k} rbo_residual(p=0.5)@{k}"
    for given in ((ours, theirs), (theirs, ours)):
        least, residual = ask(metrics, *given)
        assert least + residual == approx(endless(agreements, 0.5))


test_rbo_weight = worked(
    "of one place is the weight of the first place",
    # (1 - p) / p * (p + p^2 / 2 + p^3 / 3 + ...)
    case({"rbo_weight(p=0.5)@1": log(2)}, "a", baseline={"ann": "b"}),
    "of two places adds that of the second",
    # 1 - p + (1 - p) / p * 2 * (p^2 / 2 + p^3 / 3 + ...)
    case({"rbo_weight(p=0.5)@2": 1 - 0.5 + 2 * (log(2) - 0.5)}, "ab", baseline={"ann": "cd"}),
    "agrees with the rbo library",
    # rbo 0.1.3: RankingSimilarity(letters, letters).top_weightness(p, depth)
    given(recs="abcdefghijklmnopqrstuvwxyz", baseline={"ann": "abcdefghijklmnopqrstuvwxyz"}),
    case({"rbo_weight@1": approx(0.25584278811044947, rel=1e-12)}),
    case({"rbo_weight@10": approx(0.8555854467473518, rel=1e-12)}),
    case({"rbo_weight(p=0.5)@3": approx(0.9544415416798359, rel=1e-12)}),
    case({"rbo_weight(p=0.98)@26": approx(0.6839808488335309, rel=1e-12)}),
    "is near all of long lists",
    case(
        {"rbo_weight@all": approx(1, abs=1e-12)},
        [f"i{number}" for number in range(1000)],
        baseline={"ann": [f"i{number}" for number in range(1000)]},
    ),
    "without list of the baseline is 0",
    case({"rbo_weight@2": 0}, {"bob": "c"}, baseline={"ann": "ab"}),
)


@mark.parametrize("ours, theirs", [("ab", "cdef"), ("abcd", "cd"), ("ab", "ab")])
def test_rbo_weight_is_of_the_depths_that_both_lists_reach_whatever_they_hold(ours, theirs):
    assert ask("rbo_weight@2", "xy", "zx") == approx(ask("rbo_weight@all", ours, theirs))
