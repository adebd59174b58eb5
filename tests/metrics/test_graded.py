from math import log2

import pyarrow as pa
from pytest import approx, mark

from ..tables import JUDGED, lists, value
from .cases import EITHER, SECOND, case, given, numbered, refused, worked

test_bpm = worked(
    "divides gains by the number of ranks up to the goal",
    case({"bpm@4": 1 / 2, "bpm(goal=2)@4": 2 / 3}, "xabc", "abc"),
    "stops at k if the goal is not reached",
    case({"bpm(goal=5)@4": 3 / 4, "bpm(goal=5)@6": 3 / 6}, "xabc", "abc"),
    "adds up grades before dividing by the highest grade",
    # 2 + 2 + 1 + 1 thirds are two, but not if doubles are added one after the other.
    case({"bpm(goal=2,max_grade=3)@5": 2 / 4}, "abcde", {"a": 2, "b": 2, "c": 1, "d": 1, "e": 3}),
    case("uses 1000 ranks for a whole list", {"bpm@all": 0}, numbered("i", 1001), ["i1000"]),
    case({"bpm(goal=2)@all": 1 / 1000}, "a", "a"),
)

test_compatibility = worked(
    "is 1 for the user's items from best to worst",
    case({"compatibility@3 compatibility@2": 1.0}, "abc", {"a": 3, "b": 2, "c": 1}),
    "orders items of equal grades as in the list",
    case({"compatibility@3": 1.0}, "cab", {"a": 1, "b": 1, "c": 1}),
    "weights the items that both lists have at each depth",
    # The best list is ab; the list has none, one and two of its items down to ranks 1, 2 and 3.
    given(recs="xba", truth={"a": 2, "b": 1}),
    case({"compatibility(p=0.5)@3": (0.25 + 1 / 6) / (1 / 1 + 0.5 * 2 / 2 + 0.5**2 * 2 / 3)}),
    case({"compatibility(p=0.5,divide_by=weights)@3": (0.5 * 1 / 2 + 0.5**2 * 2 / 3) / 1.75}),
    "continues to the end of the best list",
    # The list has one of its three items, and nothing past that.
    case({"compatibility(p=0.5)@all": (1 + 0.5 / 2 + 0.25 / 3) / (1 + 0.5 + 0.25)}, "a", "abc"),
    "is undefined without a grade above 0",
    given(recs="ab", truth={"a": 0, "b": -1}, population="judged"),
    case({"compatibility(divide_by=*)@2": None}),
    "ignores the threshold and grades of 0",
    # The best list is ba; the list has none, one and two items of it.
    given(recs="cba"),
    given(recs="cba", truth={"a": 1, "b": 3, "c": 0}, relevance_threshold=2),
    case({"compatibility@3": (0.95 / 2 + 0.95**2 * 2 / 3) / (1 + 0.95 + 0.95**2 * 2 / 3)}),
)

GRADES = {"b": 3, "d": 1, "x": 2}
test_cumulative_gain = worked(
    given(recs="abcd", truth=GRADES),
    "adds up the relevance of the recommended items",
    case(
        {"cumulative_gain@1": 0, "cumulative_gain@2 cumulative_gain@3": 3, "cumulative_gain@4": 4}
    ),
    "the parameter gain is the value of an item",
    case({"cg(gain=linear)@4": 4.0, "cg(gain=binary)@4": 2.0}),
    case({"cg(gain=exponential)@4": approx(7 + 1)}),
    case("without grades it counts hits", {"cg@4": 2}, truth="bdx"),
    "each of the items with equal scores is expected equally often",
    # The three items are equally likely at ranks 1 and 2.
    case({"cg@1": 4 / 3}, dict.fromkeys("abd", 1), ties="expected"),
    case({"cg(gain=exponential)@2": 2 * 8 / 3}, dict.fromkeys("abd", 1), ties="expected"),
    case("counts a relevance below 0 as 0", {"cg@4": 3}, truth={"a": -5, "b": 3}),
)

test_dcg = worked(
    given(recs="abcd", truth=GRADES),
    case("discounts the relevance by the rank", {"dcg@4": 3 / log2(3) + 1 / log2(5)}),
    case("the first rank is not discounted", {"dcg@1": 3}, "b"),
    "the parameter gain is the value of an item",
    case({"dcg(gain=binary)@4": 1 / log2(3) + 1 / log2(5)}),
    case({"dcg(gain=exponential)@4": (2**3 - 1) / log2(3) + (2**1 - 1) / log2(5)}),
    "each of the items with equal scores is expected equally often at a rank",
    given(recs={"a": 2, "b": 1, "d": 1, "c": 1}, ties="expected"),
    case({"dcg@3": (3 + 1 + 0) / 3 * (1 / log2(3) + 1 / log2(4))}),
    case({"dcg(discount=late)@3": (3 + 1 + 0) / 3 * (1 / 1 + 1 / log2(3))}),
    "the late discount starts at the third rank",
    case({"dcg(discount=late)@4": 3 / 1 + 1 / log2(4)}),
    case("may weight ranks by their reciprocals", {"dcg(discount=reciprocal)@4": 3 / 2 + 1 / 4}),
    case("ranks beyond k do not count", {"DCG@3": 3 / log2(3)}),
)

test_err = worked(
    "is the expected reciprocal of the rank at which the user stops",
    case({"err@3 err@all": 7 / 16 + (1 - 7 / 16) * (1 / 16) / 3}, "abc", {"a": 3, "b": 0, "c": 1}),
    "the user almost certainly stops at the highest grade of the scale",
    case({"err(max_grade=1)@2": 1 / 2 + 1 / 2 * 1 / 2 / 2}, "ab", "ab"),
    case({"err(max_grade=3)@2": 7 / 8 / 2}, "ab", {"b": 3}),
    "counts higher grades as the highest, and grades below 0 as 0",
    case({"err(max_grade=2)@2": 3 / 4 / 2}, "ab", {"a": -1, "b": 9}),
    "accepts grades that are not whole numbers",
    case({"err(max_grade=2.5)@1": (2**1.5 - 1) / 2**2.5}, "a", {"a": 1.5}),
    "two scales are two metrics",
    case({"err(max_grade=2)@1": 1 / 4, "err(max_grade=3)@1": 1 / 8}, "a", {"a": 1}),
    "is finite for a long list of the highest grade",
    given(recs=numbered("i", 400), truth=dict.fromkeys(numbered("i", 400), 4)),
    case({"err@all": approx(sum(15 / 16 / (n + 1) / 16**n for n in range(20)), abs=1e-12)}),
    "the highest grade of the scale may be the user's highest grade",
    # The best grade is 3, of an unlisted item.
    case({"err(scale=own)@2": 3 / 8 / 2}, "ab", {"b": 2, "x": 3}),
    case({"err(scale=own)@2": 0}, "ab", {"b": 0}, population="judged"),
    "does not depend on the threshold of relevance",
    given(recs="ab", truth={"a": 1, "b": 2}),
    case({"err@2": 1 / 16 + 15 / 16 * 3 / 16 / 2}, relevance_threshold=2),
    "has five decimals if requested",
    given(recs="abcd", truth={"a": 3, "c": 1}),
    case({"err(digits=five)@4": approx(0.44922, abs=1e-15), "err@4": 7 / 16 + 9 / 16 * 1 / 16 / 3}),
    # 0.015625 and 0.046875 are halfway between two decimals, and are rounded to the even one.
    case({"err(digits=five)@4": approx(0.04688, abs=1e-15), "err@4": 3 / 16 / 4}, truth={"d": 2}),
)

test_insq = worked(
    "weights ranks by the inverse square of the rank plus twice the goal",
    # 2 * 1 + rank - 1 is 2, 3 and 4.
    case({"insq@3": [1 / 4, 1 / 9, 1 / 16][1] / sum([1 / 4, 1 / 9, 1 / 16])}, "xay", "a"),
    given(recs="bxa", truth={"a": 3, "b": 1}),
    case({"insq(max_grade=3)@3": (1 / 4 / 3 + 1 / 16) / (1 / 4 + 1 / 9 + 1 / 16)}),
    "weights lower ranks more for a larger goal",
    given(recs="xa", truth="a"),
    case({"insq(goal=2.5)@2": [1 / 5**2, 1 / 6**2][1] / sum([1 / 5**2, 1 / 6**2])}),
    "counts ranks past the end of the list",
    case({"insq@3": 1 / 4 / (1 / 4 + 1 / 9 + 1 / 16)}, "a", "a"),
    case("uses 1000 ranks for a whole list", {"insq@all": 0}, numbered("i", 1001), ["i1000"]),
    case({"insq@all": 1 / 4 / sum(1 / (rank + 1) ** 2 for rank in range(1, 1001))}, "a", "a"),
)

# The probabilities to read ranks: a is 1 + 5 - 1/3, then 2 + 5 - 1/3.
INST = [1, (1 - 1 / (6 - 1 / 3)) ** 2, ((1 - 1 / (6 - 1 / 3)) * (1 - 1 / (7 - 1 / 3))) ** 2]
test_inst = worked(
    given(truth="a"),
    "the user continues with a smaller probability after each gain",
    # a is rank + 2 * goal - gains: 3, then 4 - 1, then 5 - 1.
    given(recs="xab", truth="ab"),
    case({"inst@3": ((2 / 3) ** 2 + (2 / 3) ** 4) / (1 + (2 / 3) ** 2 + (2 / 3) ** 4)}),
    "depends on grade and goal",
    given(recs="axb", truth={"a": 1, "b": 9}),
    case({"inst(goal=2.5,max_grade=3)@3": (1 / 3 + INST[2]) / sum(INST)}),
    case("uses 1000 ranks for a whole list", {"inst@all": 0}, numbered("i", 1001), ["i1000"]),
    case({"inst@all": 1 / (1 + sum((1 / rank) ** 2 for rank in range(2, 1001)))}, "a"),
    "is accurate for products that a double can't represent",
    given(recs=numbered("i", 600), truth=numbered("i", 600)),
    case({"inst@all": 1.0}),
    "equals insq if only the last rank has a gain",
    case(
        {"inst(goal=2)@3 insq(goal=2)@3": (4 / 6) ** 2 / (1 + (4 / 5) ** 2 + (4 / 6) ** 2)}, "xya"
    ),
)


def perfect(*gains):
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


SHIFTED = "ndcg(gain=exponential, gains=relevant, shift=1"
test_ndcg = worked(
    given(recs="ab", truth=GRADES),
    "divides by the best list of the user's own items",
    # The unlisted item is part of the best list.
    case({"nDCG@4": perfect(0, 3, 0, 1) / perfect(3, 2, 1)}, "abcd"),
    "applies the gain to both lists",
    case({"ndcg(gain=binary)@4": perfect(0, 1, 0, 1) / perfect(1, 1, 1)}, "abcd"),
    case({"ndcg(gain=exponential)@4": perfect(0, 7, 0, 1) / perfect(7, 3, 1)}, "abcd"),
    case("the best list has 1", {"ndcg@3": 1.0}, "bxd"),
    case("the best list ends at k", {"ndcg@2": 1.0}, truth="abcd"),
    "the parameter ideal is the length of the best list",
    given(truth="abc"),
    given(recs="xa", truth="abc"),
    case({f"ndcg(ideal={x})@2": SECOND / (1 + SECOND) for x in "achievable k list_length".split()}),
    case({"ndcg(ideal=relevant)@2": SECOND / perfect(1, 1, 1)}),
    case({"ndcg(ideal=list_length)@2": 0}, "x"),
    "may compare with k hits, even for users with fewer relevant items",
    case({"ndcg(ideal=k)@3": perfect(1) / perfect(1, 1, 1)}, "a", "a"),
    "may compare with k items of the highest grade of the scale",
    case({"ndcg(ideal=k, ideal_gain=3)@2": perfect(1, 3) / perfect(3, 3)}, "ba", {"a": 3, "b": 1}),
    case({"ndcg(ideal_gain=3)@2": 1}, truth={"a": 3, "b": 1}),
    "counts each relevant item as 1 without grades",
    case({"ndcg@3": perfect(0, 1) / perfect(1, 1)}, "abc", "bx"),
    case("accepts whole lists", {"ndcg@all": perfect(0, 3, 0, 1) / perfect(3, 2, 1)}, "abcd"),
    "may weight ranks by their reciprocals",
    case({"ndcg(discount=reciprocal)@4": (3 / 2 + 1 / 4) / (3 / 1 + 2 / 2 + 1 / 3)}, "abcd"),
    given(recs="ab", truth="bdx"),
    case({"ndcg(discount=reciprocal, gain=binary, ideal=list_length)@4": 1 / 2 / (1 / 1 + 1 / 2)}),
    given(recs={"a": 2, "b": 1, "d": 1, "c": 1}, truth=GRADES, ties="expected"),
    case({"ndcg(discount=reciprocal)@3": 4 / 3 * (1 / 2 + 1 / 3) / (3 / 1 + 2 / 2 + 1 / 3)}),
    "discounts hits in the best list by the same weights",
    # With the depth, metrics with other gains, which sort the best list, are in another call.
    given(recs="abxd", truth="abd", depth=9),
    case({"ndcg(gain=binary, discount=late)@4": (1 + 1 + 1 / log2(4)) / (1 + 1 + 1 / log2(3))}),
    case({"ndcg(gain=binary, discount=reciprocal)@4": (1 + 1 / 2 + 1 / 4) / (1 + 1 / 2 + 1 / 3)}),
    "applies the late discount to both lists",
    given(recs="abcd"),
    case({"ndcg(discount=standard)@4": (3 * SECOND + 1 / log2(5)) / (3 + 2 * SECOND + 1 / 2)}),
    case({"ndcg(discount=late)@4": (3 + 1 / log2(4)) / (3 + 2 + 1 / log2(3))}),
    "each of the items with equal scores is expected equally often at a rank",
    given(recs={"a": 2, "b": 1, "d": 1, "c": 1}, ties="expected"),
    case({"ndcg(discount=standard)@3": 4 / 3 * (SECOND + 1 / 2) / (3 + 2 * SECOND + 1 / 2)}),
    case({"ndcg(discount=late)@3": 4 / 3 * (1 + SECOND) / (3 + 2 + SECOND)}),
    "has five decimals if requested",
    case({"ndcg(digits=five)@2": approx(0.63093, abs=1e-15)}, truth="b"),
    "may count gains of relevant items only",
    given(recs="dbac", relevance_threshold=2),
    case({"ndcg(gain=linear, gains=relevant)@4": perfect(0, 3) / perfect(3, 2)}),
    case({"ndcg(gain=exponential, gains=relevant)@4": perfect(0, 7) / perfect(7, 3)}),
    case({"ndcg(gain=binary, gains=relevant)@4": perfect(0, 1) / perfect(1, 1)}),
    "may use exponential gains of the relevance above the threshold",
    # b has grade 3, x has 2, and d has 1; their gains are 15, 7 and 3.
    given(recs="dbac"),
    case({"ndcg(gain=exponential, gains=relevant, shift=1)@4": perfect(3, 15) / perfect(15, 7, 3)}),
    given(recs="dbac", relevance_threshold=2),
    case({"ndcg(gain=exponential, gains=relevant, shift=1)@4": perfect(0, 15) / perfect(15, 7)}),
    # An item of relevance 0 that counts as relevant has gain 1.
    given(recs="ab", truth={"b": 0}, relevance_threshold=0),
    case({"ndcg(gain=exponential, gains=relevant, shift=1)@all": perfect(0, 1) / perfect(1)}),
    given(recs="db"),
    case({f"{SHIFTED}, ideal=k, ideal_gain=3)@2": perfect(3, 15) / perfect(3, 3)}),
)

dcg = perfect

# The NDCG of abcde down to rank 4.
ABCDE = dcg(0, 3, 0, 1) / dcg(3, 2, 1)
test_ndcg_at_gains = worked(
    "is the mean NDCG at the ranks of items with a gain",
    # b is at rank 2, and d at rank 4, below the end of the best list; x is not shown.
    given(recs="abcde", truth=GRADES),
    case({"ndcg_at_gains ndcg_rel": (dcg(0, 3) / dcg(3, 2) + 2 * ABCDE) / 3}),
    "items judged without a gain do not count",
    given(recs="abcde", truth=GRADES | {"a": 0, "c": 0, "y": 0}),
    case({"ndcg_rel": (dcg(0, 3) / dcg(3, 2) + 2 * (dcg(0, 3, 0, 1) / dcg(3, 2, 1))) / 3}),
    case("the best list has 1", {"ndcg_rel": 1.0}, "bxdq", GRADES),
    "without grades each relevant item has a gain",
    case({"ndcg_rel": (dcg(0, 1) / dcg(1, 1) + dcg(0, 1, 0, 1) / dcg(1, 1)) / 2}, "abcd", "bd"),
    "cuts the list at the cutoff, but not the best list",
    given(recs="abcd", truth=GRADES),
    case({"ndcg_rel@3": (dcg(0, 3) / dcg(3, 2) + 2 * (dcg(0, 3, 0) / dcg(3, 2, 1))) / 3}),
    "depends on gains, not on the threshold of relevance",
    given(truth={"a": 1, "b": 3, "c": 0}),
    case({"ndcg_rel": (1 / 3 + dcg(1, 3) / dcg(3, 1)) / 2}, "ab", relevance_threshold=2),
    # An item of relevance 0 is then relevant, with gain 0.
    given(recs="cab", truth={"a": 1, "b": 3, "c": 0}, relevance_threshold=0),
    case({"ndcg_rel": (dcg(0, 1) / dcg(3, 1) + dcg(0, 1, 3) / dcg(3, 1)) / 2}),
    "is undefined without a gain",
    case({"ndcg_rel": None}, "ab", {"a": 0}, relevance_threshold=0),
)

# The best list goes over to a lower gain after ranks 1 and 3, and ends at rank 4.
NDCG_AT_GRADES_GRADES = {"a": 3, "b": 2, "c": 2, "d": 1}

# The NDCG of bxad down to these ranks.
BXAD = (2 / 3, dcg(2, 0, 3) / dcg(3, 2, 2), dcg(2, 0, 3, 1) / dcg(3, 2, 2, 1))
test_ndcg_at_grades = worked(
    given(truth=NDCG_AT_GRADES_GRADES),
    "is the mean NDCG at the last rank of each gain of the best list",
    given(recs="bxad"),
    case({"ndcg_at_grades Rndcg": sum(BXAD) / 3}),
    case("the best list has 1", {"rndcg": 1.0}, "acbd"),
    "is the NDCG at the end of the best list if the truth has no grades",
    case({"rndcg": dcg(0, 1) / dcg(1, 1)}, "xab", "ab"),
    "adds the NDCG of the whole list if it is longer by two ranks or more",
    case({"rndcg": 0}, "xy", "a"),
    case({"rndcg": (0 + dcg(0, 0, 1)) / 2}, "xyaz", "a"),
    given(recs="xbayz", truth={"a": 3, "b": 1, "y": 0}),
    case({"rndcg": (0 + dcg(0, 1) / dcg(3, 1) + dcg(0, 1, 3) / dcg(3, 1)) / 3}),
    "counts the missing ranks of a shorter list as misses",
    case({"rndcg": (1 + 3 / dcg(3, 2, 2) + 3 / dcg(3, 2, 2, 1)) / 3}, "a"),
    "gains below the threshold count",
    given(recs="ab", truth={"a": 1, "b": 3}, relevance_threshold=2),
    case({"rndcg": (1 / 3 + dcg(1, 3) / dcg(3, 1)) / 2}),
    "is undefined without a relevant item or without a gain",
    case({"rndcg": None}, "ab", {"a": 1}, relevance_threshold=2, population="judged"),
    case({"rndcg": None}, "ab", {"a": 0}, relevance_threshold=0, population="judged"),
    "a cutoff cuts the list, but not the best list",
    case({"rndcg@1": (1 + 3 / dcg(3, 2, 2) + 3 / dcg(3, 2, 2, 1)) / 3}, "acbd"),
)

GRADED = {"a": 1, "b": 3, "c": 2}

# 2 * 1.5 + rank - 1 is 3, 4 and 5.
READ = [1, (3 / 4) ** 2, (3 / 5) ** 2 * 2 / 3]
test_nearly_err = worked(
    "equation 8 divides gains by the number of ranks that are seen",
    # The second rank is read with probability 1, the third with 2/3, the fourth with 0.
    case({"nearly_err(max_grade=3)@4": (1 / 3 + 2 / 3 * 1) / (1 + 1 + 2 / 3)}, "xaby", GRADED),
    "equation 9 weights ranks by their reciprocals, like ERR",
    given(recs="xaby", truth=GRADED),
    case(
        {"nearly_err(max_grade=3,equation=9)@4": (1 / 3 / 2 + 2 / 3 / 3) / (1 + 1 / 2 + 2 / 3 / 3)}
    ),
    "equation 10 continues with probability p",
    given(recs="xaby", truth=GRADED),
    case({"nearly_err(max_grade=3,equation=10,p=0.5)@4": (1 / 6 + 2 / 12) / (1 + 1 / 2 + 2 / 12)}),
    "equation 11 weights ranks like INSQ",
    given(recs="xaby", truth=GRADED),
    case({"nearly_err(max_grade=3,equation=11,goal=1.5)@4": (READ[1] / 3 + READ[2]) / sum(READ)}),
    "counts ranks past the end of the list",
    case({"nearly_err(max_grade=3)@4": 1 / 3 / (1 + 2 / 3 + 2 / 3 + 2 / 3)}, "a", GRADED),
    case("uses 1000 ranks for a whole list", {"nearly_err@all": 0}, numbered("i", 1001), ["i1000"]),
    case({"nearly_err@all": 1 / 1000}, numbered("i", 1001), ["i999"]),
    case({"nearly_err@all": 0.5 / (2 + 998 / 2)}, "ab", {"b": 0.5}),
    "counts higher grades as the highest and grades below 0 as 0",
    # The first rank is read, the second with probability 2/3.
    given(recs="ab"),
    case({"nearly_err(max_grade=3)@2": (1 / 3 + 2 / 3 * 1) / (1 + 2 / 3)}, truth={"a": 1, "b": 5}),
    case({"nearly_err@2": 1 / 2}, truth={"a": -1, "b": 1}),
)

test_nerr = worked(
    "is 1 for the user's items from best to worst",
    case({"nerr@3 nerr@1": 1.0}, "abc", {"a": 3, "b": 2, "c": 1}),
    "divides by the best list of k items",
    case(
        {"nerr@2": 3 / 16 / 2 / (3 / 16 + 13 / 16 * (1 / 16) / 2)}, "xb", {"a": 1, "b": 2, "c": 1}
    ),
    "divides by all items if the whole list is requested",
    case({"nerr(max_grade=1)@all": 1 / 4 / (1 / 2 + 1 / 4 / 2 + 1 / 8 / 3)}, "xa", "abc"),
    "is accurate for more items of the highest grade than a double can multiply",
    case({"nerr@all": 1.0}, numbered("i", 400), dict.fromkeys(numbered("i", 400), 4)),
    "is undefined without a grade above 0",
    case({"nerr@2": None}, "ab", {"a": 0, "b": -1}, population="judged"),
)

test_normalized_gain = worked(
    "discounts gains by the difference between the list and the best list",
    # The best list has 3, 5, 6 and with an empty rank 7 down to its ranks; abcd has 0, 3, 3, 4.
    given(recs="abcd", truth={"b": 3, "d": 1, "x": 2}),
    case({"normalized_gain": (3 / log2(2 + 5 - 3) + 1 / log2(2 + 7 - 4)) / (3 + 2 + 1)}),
    "gains of the best list below 1 count as 1",
    given(recs="ab", truth={"a": 0.5, "b": 0.25}),
    case({"normalized_gain": (0.5 / log2(2 + 1 - 0.5) + 0.25 / log2(2 + 2 - 0.75)) / 0.75}),
    case("the best list has 1", {"normalized_gain": 1.0}, "bxdq", {"b": 3, "x": 2, "d": 1}),
    "with binary gain counts ranks without a hit",
    given(recs="abcd"),
    case({"normalized_gain(gain=*)": (1 / log2(2 + 1) + 1 / log2(2 + 2)) / 3}, truth="bdx"),
    given(recs="abcd", truth={"b": 3, "d": 1, "x": 2}),
    "counts ranks that the list skips as ranks without a hit",
    given(recs=lists({"ann": "vwaxb"}).take([2, 4]), truth="ab"),
    case({"normalized_gain(gain=*)": (1 / log2(2 + 2) + 1 / log2(2 + 3)) / 2}),
    "depends on the threshold only with binary gain",
    given(recs="ab", truth={"a": 1, "b": 3}, relevance_threshold=2),
    case({"normalized_gain": (1 / log2(2 + 3 - 1) + 3 / log2(2 + 4 - 4)) / 4}),
    case({"normalized_gain(gain=binary)": 1 / log2(2 + 1)}),
    "ends at the cutoff if one is requested",
    case({"normalized_gain@1": 1 / 2}, "ab", {"a": 1, "b": 1}),
)


@mark.parametrize("shown", ["cfdaeb", "fcdaeb", "bcaefd"])
def test_normalized_gain_rounding_of_large_gains_leaves_a_list_behind_the_best(shown):
    # The sums of two lists at a rank differ by less than the precision of a double, if at all.
    gains = {"a": 6e14, "b": 4e14, "c": 8.2e18, "d": 7.6e16, "e": 5e14, "f": 3.8e18}
    gains = {item: gain / 1.7 for item, gain in gains.items()}
    assert 0 < value("normalized_gain", shown, gains) <= 1


XABY = (SECOND + 2 / log2(4)) / (2 + SECOND)
C_H_L = SECOND + 1 / log2(5) + 1 / log2(7)
test_page_ndcg = worked(
    given(truth="a"),
    "discounts lower rows and further columns",
    given(truth="ab"),
    # a is at row 1 and column 2, b at row 2 and column 3; the best are (1, 1) and (1, 2).
    case({"page_ndcg(rows=2, columns=3)": (SECOND + 1 / log2(5)) / (1 + SECOND)}, "xauyvb"),
    # The rank below an item has the same weight as the rank next to it.
    case({"page_ndcg(rows=2, columns=3)": 1}, "axbyvu"),
    "compares the page with the best items at its best ranks",
    given(recs="bacx", truth={"a": 3, "b": 1, "c": 2, "z": 1}),
    case({"page_ndcg(rows=2, columns=2)": (1 + 5 * SECOND) / (3 + 3 * SECOND + 1 / log2(4))}),
    # A page of four ranks has at most four of nine relevant items.
    case({"page_ndcg(rows=2, columns=2)": 1}, "abcd", "abcdefghi"),
    "gains are linear binary or exponential",
    given(recs="xxba", truth={"a": 3, "b": 1}, duplicates="best"),
    case({"page_ndcg(rows=2, columns=2, gain=linear)": (SECOND + 3 / log2(4)) / (3 + SECOND)}),
    case({"page_ndcg(rows=2, columns=2, gain=binary)": (SECOND + 1 / log2(4)) / (1 + SECOND)}),
    case({"page_ndcg(rows=2, columns=2, gain=exponential)": (SECOND + 7 / log2(4)) / (7 + SECOND)}),
    "counts an item in several rows at its best rank",
    # a is at row 1 and column 3, and at row 2 and column 1.
    case({"page_ndcg(rows=2, columns=3)": 1 / log2(3) / 1}, "xyaauv", duplicates="best"),
    "leaves ranks without an item empty",
    given(recs=pa.table({"user_id": ["ann", "ann"], "item_id": ["x", "a"], "rank": [1, 4]})),
    case({"page_ndcg(rows=2, columns=2)": 1 / log2(4)}),
    case("ignores ranks after the end of the page", {"page_ndcg(rows=2, columns=2)": 0}, "wxyza"),
    "with a cutoff counts the first ranks of the page",
    case({"page_ndcg(rows=2, columns=2)@2": 0}, "wxa"),
    "is ndcg for one row or column",
    given(recs="xaby", truth={"a": 1, "b": 2}),
    case({"page_ndcg(rows=1, columns=4) page_ndcg(rows=4, columns=1) ndcg@4": XABY}),
    "is equal for a page and its transpose",
    given(recs=list("abcdefghijkl"), truth="chl"),
    case({"page_ndcg(rows=3, columns=4) page_ndcg(rows=4, columns=3)": C_H_L / (1 + 2 * SECOND)}),
)

test_pfound = worked(
    "is the probability that the user finds an item before giving up",
    # 7/16 at the first rank; 1/16 after continuing twice.
    given(recs="abc", truth={"a": 3, "b": 0, "c": 1}),
    case({"pfound@3 pfound@all p_found@3 p_found@all": 7 / 16 + 9 / 16 * 0.85**2 * 1 / 16}),
    "may never give up, or almost at once",
    case({"pfound(p_break=0)@3": 1 - 9 / 16 * 15 / 16}, "abc", {"a": 3, "b": 0, "c": 1}),
    case({"pfound(p_break=0.9)@3": 7 / 16 + 9 / 16 * 0.01 / 16}, "abc", {"a": 3, "b": 0, "c": 1}),
    "the highest grade of the scale may be the user's highest grade",
    # The best grade is 2, of an unlisted item.
    case({"pfound(scale=own)@2": 0.85 * 1 / 4}, "ab", {"b": 1, "x": 2}),
    case({"pfound(max_grade=1)@2": 0.85 * 1 / 2}, "ab", {"b": 1, "x": 2}),
    case({"pfound(scale=own)@1": 1.0}, "a", {"a": 1000}),
    "is finite for a long list",
    given(recs=numbered("i", 2000), truth={"i1999": 4}),
    case({"pfound@all": approx(0, abs=1e-60)}),
)

test_r_score = worked(
    "halves the value of an item at each half-life",
    # With a half-life of 2, each rank has half of the weight of the rank above.
    case({"r_score(half_life=2)": (2 / 2 + 3 / 4) / (3 + 2 / 2)}, "xab", {"a": 2, "b": 3}),
    case({"r_score": 1 / 2}, "vwxya", "a"),
    "counts the difference of a grade from neutral",
    case({"r_score(half_life=2, neutral=3)": 2 / 4 / (2 + 0)}, "acb", {"a": 2, "b": 5, "c": 3}),
    case("best lists have at most k items", {"r_score@1": 2 / 4}, "ax", {"a": 2, "b": 4}),
    "divides the sums over users, or each user's value by that of the best list",
    given(recs={"ann": "a", "bob": "xb"}, truth={"ann": {"a": 4}, "bob": {"b": 2}}),
    case({"r_score(half_life=2)": (4 + 2 / 2) / (4 + 2)}),
    case({"r_score(half_life=2, mean=plain)": (1 + 1 / 2) / 2}),
    "counts users without a list",
    case({"r_score": 4 / 6}, "a", {"ann": {"a": 4}, "bob": {"b": 2}}),
    "is undefined for a user without a grade above neutral",
    case({"r_score(neutral=2, mean=*)": None}, "ab", {"a": 2, "b": 1}),
)

test_rbp = worked(
    "weights each rank by the probability that the user reads it",
    case({"rbp": 0.2 * (0.8 + 0.8**3)}, "abcd", "bd"),
    case({"rbp(p=0.5)": 0.5 * (1 + 0.125)}, "abcd", "ad"),
    "can multiply by the relevance",
    given(recs="abcd", truth={"b": 3, "d": 0.5, "a": -1}),
    case({"rbp": 0.2 * (0.8 + 0.8**3), "rbp(gain=linear)": 0.2 * (0.8 * 3 + 0.8**3 * 0.5)}),
    "may divide by the value of the best list",
    # There are three relevant items; two fit into a list of two, or into the first two ranks.
    case({"rbp(p=0.5, ideal=achievable_in_list)": 0.5 / (1 + 0.5)}, "ab", "bcd"),
    case({"rbp(ideal=achievable_in_list)": 1.0}, "abc", "abcd"),
    "does not depend on grades or on items judged not relevant",
    # All three relevant items fit into a list of five.
    given(recs="abcde", truth=JUDGED),
    case({"rbp(p=0.5)@9": 0.5 * (0.5 + 0.5**3)}),
    case({"rbp(p=0.5, ideal=achievable_in_list)@9": 0.5 * (0.5 + 0.5**3) / (1 - 0.5**3)}),
    "can multiply by the share of the highest grade",
    # x has the highest grade; b has three quarters of this grade, and d has one quarter.
    given(recs="abcde", truth={"b": 1.5, "d": 0.5, "c": 0, "x": 2}),
    case({"rbp(p=0.5, gain=normalized)@9": 0.5 * (0.5 * 3 / 4 + 0.5**3 * 1 / 4)}),
    # A best grade below 1 counts as 1.
    case({"rbp(p=0.5, gain=normalized)": 0.5 * 0.5}, "ab", {"a": 0.5}),
    case("is 0 without a hit", {"rbp(ideal=*)": 0}, "ab", "c"),
    "accepts a cutoff",
    given(recs="abcd", truth="bd"),
    case({"rbp@3": 0.2 * 0.8, "rbp@all rbp": 0.2 * (0.8 + 0.8**3)}),
)

test_rbp_residual = worked(
    "is the weight of the unjudged ranks, and of all ranks after the list",
    case({"rbp_residual(p=0.5)": 0.25 + 0.125}, "abc", {"a": 1, "c": 0}),
    "is the weight of the ranks after the list if all items are judged",
    case({"rbp_residual": 0.8**2}, "ab", "ab"),
    "counts a grade below 0 as no judgment unless it is relevant",
    case({"rbp_residual(p=0.5)": 0.25 + 0.25}, "ab", {"a": 1, "b": -1}),
    case({"rbp_residual(p=0.5)": 0.25}, "ab", {"a": 1, "b": -1}, relevance_threshold=-1),
    "grades do not matter",
    # b, c and d are judged.
    case({"rbp_residual(p=0.5)@9": 1 - 0.25 - 0.125 - 0.0625}, "abcde", JUDGED),
    "may be 0 if the whole list is judged",
    case({"rbp_residual(p=0.5, all_judged=zero)": 0}, "bcd", JUDGED),
    case({"rbp_residual(p=0.5, all_judged=zero)": 1 - 0.25 - 0.125 - 0.0625}, "abcde", JUDGED),
    "plus RBP is the RBP if all other ranks are relevant",
    # Relevant are a and d, which are not judged, and all ranks below d; c is judged not relevant.
    given(recs="abcd", truth={"b": 1, "c": 0}),
    case({"rbp": 0.2 * 0.8, "rbp_residual": 1 - 0.2 * 0.8**2 - 0.2 * 0.8}),
)

test_set_utility = worked(
    "is the number of hits minus the number of other items",
    case({"set_utility set_utility@9": 2 - 3, "set_utility@2": 1 - 1}, "abcde", "bdx"),
    "has a weight for each kind of item",
    case({"set_utility(hit=2.5)@9": 2 * 2.5 - 3}, "abcde", EITHER),
    case({"set_utility(noise=-0.5)@9": 2 - 3 * 0.5}, "abcde", EITHER),
    case({"set_utility(noise=0.25)@9": 2 + 3 * 0.25}, "abcde", EITHER),
    case({"set_utility(miss=-4)@9": 2 - 3 - 4}, "abcde", EITHER),
    case({"set_utility(rest=0.5, collection=10)@9": 2 - 3 + 4 * 0.5}, "abcde", EITHER),
    case({"set_utility(hit=0, noise=0, miss=0, rest=1, collection=10)@9": 4}, "abcde", EITHER),
    case({"set_utility(collection=10)@9": 2 - 3}, "abcde", EITHER),
    "the kinds together are all items of the collection",
    case({"set_utility(hit=1, noise=1, miss=1, rest=1, collection=10)@2": 10}, "abcde", "bdx"),
)

test_parameters = refused(
    ("page_ndcg(rows=2.5)", "rows must be a number from 1 to 50 by 1"),
    ("r_score(half_life=1)", "half_life must be a number above 1"),
    ("rbp(p=0)", "p must be a number above 0 below 1"),
    ("rbp(p=1)", "p must be a number above 0 below 1"),
    ("set_utility(hit=1000001)", "hit must be a number from -1000000 to 1000000"),
    ("set_utility(collection=-1)", "collection must be a number from 0 to 1000000000000"),
)
