from functools import partial
from math import sqrt

import pyarrow as pa
from pytest import approx, raises

import sqlrec

from ..tables import labeled, lists, table
from .cases import SECOND, case, given, nothing_shown, numbered, refused, worked

grouped = partial(labeled, "item_group")
# a is shown three times, b twice, c once.
RECS = lists({"ann": "ab", "bob": "ab", "cid": "ac"})
test_atkinson_index = worked(
    given(recs=RECS),
    "is 1 minus the ratio of the equally distributed equivalent of exposure to its mean",
    case({"atkinson_index@2": 1 - ((sqrt(3) + sqrt(2) + 1) / 3) ** 2 / 2}),
    case({"atkinson_index(aversion=0.75)@2": 1 - ((3**0.25 + 2**0.25 + 1) / 3) ** 4 / 2}),
    "counts items of the catalog that are in no list",
    given(catalog="abde"),
    case({"atkinson_index(items=catalog)@2": 1 - ((sqrt(3) + sqrt(2)) / 4) ** 2 / (5 / 4)}),
    "is 0 if all items are in equally many lists",
    case({"atkinson_index(weight=rank)@2": 0.0}, {"ann": "ab", "bob": "ba"}),
    # The square of the rounded root of two is above two.
    case({"atkinson_index@1": 0}, {"ann": "a", "bob": "a"}),
    "is undefined if no list has an item of the catalog",
    case({"atkinson_index(items=catalog)@2": None}, catalog="d"),
)

# zoe has no list, so her history does not count.
HISTORY = lists({"ann": "ac", "bob": "cdn", "zoe": "a"})
# d has two groups, n none.
ITEMS = grouped("a=g b=g c=h d=h,g n= z=rare")
BIAS_DISPARITY_RECS = lists({"ann": "abc", "bob": "bx", "eve": "cn"})
test_bias_disparity = worked(
    given(recs=BIAS_DISPARITY_RECS, history=HISTORY, items=ITEMS),
    "is the share of a group in the lists relative to its share in the history",
    # Ranks: 3 of 6 of g, 1 of 6 of h. History: 2 of 5 of g, 3 of 5 of h.
    case({"bias_disparity(group=g)@2": 3 / 6 / (2 / 5) - 1}),
    case({"bias_disparity(group=h)@2": 1 / 6 / (3 / 5) - 1}),
    "of one side is the group's share divided by its expected share at random",
    # Three of six items are of g.
    case({"bias_disparity(group=g, of=recs)@2": 3 / 6 / (3 / 6)}),
    case({"bias_disparity(group=g, of=history)@2": 2 / 5 / (3 / 6)}),
    "is undefined if the history has no item of the group",
    case({"bias_disparity(group=rare)@2 bias_disparity(group=none, of=*)@2": None}),
    case({"bias_disparity(group=rare, of=recs)@2 bias_disparity(group=rare, of=history)@2": 0}),
    case({"bias_disparity(group=g, of=history)@2": None}, {"al": "ab"}),
    "counts a history of a single item",
    given(recs={"ann": "ac"}, history="a", items=ITEMS),
    case({"bias_disparity(group=g)@2": 1 / 2 - 1, "bias_disparity(group=g, of=history)@2": 2.0}),
    "without the history is the side of the lists only",
    case(
        {"bias_disparity(group=g, of=recs)@2": 1.0}, BIAS_DISPARITY_RECS, items=ITEMS, history=None
    ),
)


def found(metrics, **options):
    given = {"recs": BIAS_DISPARITY_RECS, "items": ITEMS, "history": HISTORY}
    return sqlrec.evaluate(metrics, **given | options)


def test_bias_disparity_of_a_group_of_users_is_by_their_lists_and_history():
    users = table([("ann", "f"), ("bob", "m"), ("eve", "m")], user_id=pa.string(), sex=pa.string())
    got = found("bias_disparity(group=g)@2", users=users, by="sex").to_arrow().to_pylist()
    # Ann: two of two by one of two. Bob and eve: one of four by one of three.
    assert [(row["sex"], row["value"]) for row in got] == [("f", approx(1)), ("m", approx(-1 / 4))]


TREATED_GROUPS = "a=g b=g c=h d=h e=unwanted f="
TREATED = grouped(TREATED_GROUPS)
DISPARATE_IMPACT_RECS = lists({"ann": "abf", "bob": "caf"})
test_disparate_impact = worked(
    given(recs=DISPARATE_IMPACT_RECS, items=TREATED),
    "is the smallest recall of a group divided by the largest",
    # Hits: 3 of 3 relevant items of g, 1 of 2 of h.
    case({"disparate_impact@3": 1 / 2}, truth={"ann": "abd", "bob": "acf"}),
    "is 1 if all groups have the same recall",
    case({"disparate_impact@3": 1}, truth={"ann": "a", "bob": "c"}),
    case("is 0 if a group has no hit", {"disparate_impact@3": 0}, truth="ae"),
    "is undefined without a hit or without a relevant item",
    case({"disparate_impact@3": None}, truth="d"),
    case({"disparate_impact@3": None}, truth="f"),
)

# a is first for ann and second for bob, c is first for bob, and f is second for ann.
DISPARATE_TREATMENT_RECS = lists({"ann": "af", "bob": "ca"})
test_disparate_treatment = worked(
    given(recs=DISPARATE_TREATMENT_RECS, items=TREATED),
    "is the smallest exposure per merit of a group divided by the largest",
    # A relevant item of g gets (1 + SECOND) / 3, and a relevant item of h gets 1 / 1.
    case({"disparate_treatment@2": (1 + SECOND) / 3}, truth={"ann": "abx", "bob": "ac"}),
    "may weight all ranks equally",
    case({"disparate_treatment(weight=plain)@2": 2 / 3}, truth={"ann": "ab", "bob": "ac"}),
    "is demographic parity for items of equal merit",
    # An item of g has one rank of the two, one of h a half, and e none.
    case({"disparate_treatment(merit=items, weight=plain)@2": 0}, truth="a"),
    given(truth="a", items=grouped("a=g b=g c=h d=h")),
    case({"disparate_treatment(merit=items, weight=plain)@2": 1 / 2}),
    "counts an item in each of its groups",
    # g has 2 relevant items at 2 ranks, and h 2 at 3 ranks.
    given(truth={"ann": "a", "bob": "a"}, items=grouped(f"{TREATED_GROUPS} a=g,h")),
    case({"disparate_treatment(weight=plain)@2": 2 / 3}),
    case("without merit or exposure is undefined", {"disparate_treatment@2": None}, truth="x"),
)

# The shares of attention of a, b and c, minus their merit of a third.
OF_A = abs(2 / (2 + 2 * SECOND) - 1 / 3)
OF_C = SECOND / (2 + 2 * SECOND)
OF_B = abs(OF_C - 1 / 3)
# a is shown twice, b and c once each.
EQUITY_OF_ATTENTION_RECS = lists({"ann": "ab", "bob": "ac"})
test_equity_of_attention = worked(
    given(recs=EQUITY_OF_ATTENTION_RECS),
    "is the distance between items' shares of attention and of merit",
    # a has attention 2, b and c have SECOND; a, b and d have a third of the merit each.
    case({"equity_of_attention@2": OF_A + OF_B + OF_C + 1 / 3}, truth={"ann": "ab", "bob": "d"}),
    "may weight all ranks equally",
    # Shares of 1/2, 1/4 and 1/4, and of 1/2, 1/2 and 0.
    case({"equity_of_attention(weight=plain)@2": 1 / 2}, truth={"ann": "a", "bob": "b"}),
    "is 0 if attention is proportional to merit",
    case({"equity_of_attention@1": 0}, truth={"ann": "a", "bob": "a"}),
    "is 2 if only irrelevant items get attention",
    case({"equity_of_attention@2": 2.0}, truth={"ann": "x", "bob": "y"}),
    "counts only relevant items of users with a list",
    case({"equity_of_attention@1": 0}, truth={"ann": "a", "cid": "b"}),
    case({"equity_of_attention@2": None}, truth={"cid": "b"}),
)

test_expected_exposure_disparity = worked(
    "is the sum of the squared attention",
    case({"expected_exposure_disparity@2": 1 + 1 / 4}, "abc", "x"),
    case({"expected_exposure_disparity(patience=0.8)": 1 + 0.8**2 + 0.8**4}, "abc", "x"),
    "is finite for a long list",
    case({"expected_exposure_disparity": 4 / 3}, numbered("i", 3000), ["x"]),
    "is 0 without a list",
    given(recs={"ann": "a"}, truth={"ann": "a", "bob": "a"}),
    case({"expected_exposure_disparity": {"ann": 1, "bob": 0}}),
)

BINARY = (1 + 0.5 + 0.25) / 3
BINARY_LOSS = (1 - BINARY) ** 2 + (0.5 - BINARY) ** 2 + BINARY**2
test_expected_exposure_loss = worked(
    "is the squared distance between items' exposure and target exposure",
    # a and b deserve (1 + 1/2) / 2 each; a gets 1, x 1/2 and b nothing.
    case({"expected_exposure_loss@2": (1 - 0.75) ** 2 + 0.5**2 + 0.75**2}, "axb", "ab"),
    "is the exposure of the other items if the only relevant item is first",
    case({"expected_exposure_loss@1": 0, "expected_exposure_loss@2": 0.25}, "ab", "a"),
    "is above 0 for the best list if several items are equally relevant",
    case({"expected_exposure_loss": 2 * 0.25**2}, "ab", "ab"),
    "gives items of higher grades a larger target exposure",
    # a deserves 1, b and c (1/2 + 1/4) / 2.
    given(recs="ab", truth={"a": 2, "b": 1, "c": 1}),
    case({"expected_exposure_loss": (0.5 - 0.375) ** 2 + 0.375**2}),
    case({"expected_exposure_loss(grades=binary)": BINARY_LOSS}),
    "has a target exposure of 0 for irrelevant items",
    # a and b deserve (1 + 1/2) / 2 each; a gets 1, x 1/2, c 1/4, b 1/8.
    given(recs="axcb", truth={"a": 2, "b": 2, "c": 0, "z": 0}),
    case({"expected_exposure_loss(grades=*)@9": 0.25**2 + 0.5**2 + 0.25**2 + (0.125 - 0.75) ** 2}),
    "has a parameter for the probability of continuing",
    case({"expected_exposure_loss(patience=0.8)": 1 + (0.8 - 1) ** 2}, "xa", "a"),
    "is undefined for a user without a relevant item",
    given(recs="ab", truth={"a": 0}, population="judged"),
    case({"expected_exposure_loss(grades=*)@2": None}),
    "without a list is the squared target exposure",
    given(recs={"ann": "a"}, truth={"ann": "a", "bob": "ab"}),
    case({"expected_exposure_loss(grades=*)": {"ann": 0, "bob": 2 * 0.75**2}}),
)

test_expected_exposure_relevance = worked(
    "is the product of exposure and target exposure, summed over items",
    # a and b deserve (1 + 1/2) / 2 each.
    case({"expected_exposure_relevance@2": 0.75}, "axb", "ab"),
    "gives items of higher grades a larger target exposure",
    case({"expected_exposure_relevance": 0.5 + 0.5}, "ba", {"a": 2, "b": 1}),
    case({"expected_exposure_relevance(grades=binary)": 0.75 * 1.5}, "ba", {"a": 2, "b": 1}),
    "has a target exposure of 0 for irrelevant items",
    # a and b deserve (1 + 1/2) / 2 each.
    given(recs="axcb", truth={"a": 2, "b": 2, "c": 0, "z": 0}),
    case({"expected_exposure_relevance(grades=*)@9": 0.75 * (1 + 0.125)}),
    case({"expected_exposure_relevance(grades=*)@9": 0}, **nothing_shown("ab")),
    "is 0 without a hit, and undefined without a relevant item",
    case({"expected_exposure_relevance": 0}, "xy", "ab"),
    case({"expected_exposure_relevance(grades=*)": None}, "xy", {"x": 0}, population="judged"),
)

EXPOSURE_SHARE_ITEMS = grouped("a=new,new b=old,new z=rare c=")
EXPOSURE_SHARE_RECS = lists({"ann": "ac", "bob": "bx"})
LONG = [60 * "x", 61 * "x"]
test_exposure_share = worked(
    given(recs=EXPOSURE_SHARE_RECS, items=EXPOSURE_SHARE_ITEMS),
    "is the group's share of all exposure",
    # x and c have no group, b has two.
    case({"exposure_share(group=old)@2": 1 / (2 * (1 + SECOND))}),
    case({"exposure_share(group=new)@2": 2 / (2 * (1 + SECOND))}),
    case({"exposure_share(group=new, weight=plain)@2": 2 / 4}),
    "is 0 for a group in no list, and undefined for an unknown group",
    case({"exposure_share(group=rare)@2": 0, "exposure_share(group=none)@2": None}),
    "compares numbers of groups as text",
    given(items=table([("a", 1), ("b", 2)], item_id=pa.string(), item_group=pa.int64())),
    case({"exposure_share(group=1)@1": 1 / 2}),
    "distinguishes groups with similar names",
    given(recs=EXPOSURE_SHARE_RECS, items=grouped("a=A b=è")),
    case({f"exposure_share(group={name}, weight=plain)@1": 1 / 2 for name in "Aè"}),
    case({f"exposure_share(group={x}, weight=plain)@1": None for x in ["a", "é", *LONG]}),
)

MAD_ITEMS = grouped("a=g b=g c=h d=h x=i y=j")
# Lists show a twice and b once (group g), c twice (h) and x once (i); d and y are not shown.
ITEM_MAD_RECS = {"ann": "ab", "bob": "ca", "cid": "cx"}
TRUTH = {"ann": {"a": 2, "d": 1}, "bob": {"c": 3, "a": 0}, "cid": {"c": 1, "x": 1}}
TENTHS = dict.fromkeys("abc", 0.1)
test_item_mad = worked(
    given(recs=ITEM_MAD_RECS, truth=TRUTH),
    "is the mean difference between the gains of items of two groups",
    # a gains 1 on average and b nothing, c 2, x 1: g 1/2, h 2, i 1, which are 3/2, 1/2 and 1 apart.
    case({"item_mad@2": 1.0}, items=MAD_ITEMS),
    case({"item_mad@2": 3 / 2}, items=grouped("a=g b=g c=h d=h y=j")),
    "counts ranks within the cutoff",
    # a gains 2, c 2.
    case({"item_mad@1": 0.0}, items=MAD_ITEMS),
    given(items=MAD_ITEMS),
    "may count hits or exponential gains",
    # g 1/4, h 1, i 1.
    # g 3/2 / 2, h 8/2, i 1; with a shift g 7/2 / 2, h (15 + 3) / 2, i 3.
    given(items=MAD_ITEMS),
    case({"item_mad(gain=binary)@2": 1 / 2}),
    case({"item_mad(gain=exponential)@2": (13 / 4 + 1 / 4 + 3) / 3}),
    case({"item_mad(gain=exponential, shift=1)@2": (29 / 4 + 5 / 4 + 6) / 3}),
    "may average over hits only",
    # a gains 2, c 2, x 1, and b has no hit.
    case({"item_mad(ranks=hits)@2": 2 / 3}, items=MAD_ITEMS),
    "counts an item in each of its groups",
    # The mean of g (a and b) is 1/2, of h (a and c) 3/2, and of i 1.
    case({"item_mad@2": 2 / 3}, items=grouped("a=g,h b=g c=h d=h x=i y=j")),
    case({"item_mad@2": 1.0}, items=pa.concat_tables([MAD_ITEMS] * 2)),
    "uses the population",
    given(truth=TRUTH | {"cid": {"c": 0}}, items=MAD_ITEMS),
    # Without a relevant item cid is excluded, unless judged users count.
    # The means are g 1/2, h 3; with judged users, g 1/2, h 3/2, i 0.
    case({"item_mad@2": 5 / 2}),
    case({"item_mad@2": 1.0}, population="judged"),
    "is 0, and not below, if all groups gain equally",
    given(items=grouped("a=g b=h c=i"), truth=dict.fromkeys(TRUTH, TENTHS)),
    case({"item_mad@3": 0}, dict.fromkeys(TRUTH, "abc")),
    case("is undefined for fewer than two groups", {"item_mad@2": None}, items=grouped("a=g b=g")),
    case({"item_mad(ranks=hits)@2": None}, items=grouped("b=g c=h")),
)

SCORE_MAD_RECS = {"ann": {"a": 9, "b": 8}, "bob": {"c": 5, "a": 4}, "cid": {"c": 3, "x": -1}}
SCORE_MAD_TRUTH = {"ann": "ad", "bob": "c", "cid": "cx"}
test_item_score_mad = worked(
    given(recs=SCORE_MAD_RECS, truth=SCORE_MAD_TRUTH, items=MAD_ITEMS),
    "is the mean difference between the scores of hits of two groups",
    # a has 9 for ann and nothing for bob, b nothing, c 4 on average: g 9/4, h 4, i -1.
    case({"item_score_mad@2": (7 / 4 + 13 / 4 + 5) / 3}),
    "may average over hits only",
    # g 9, h 4, i -1, and b has no hit.
    case({"item_score_mad(ranks=hits)@2": 20 / 3}),
    "counts ranks within the cutoff",
    # g 9, h 4.
    case({"item_score_mad@1": 5.0}),
    "excludes users without a relevant item",
    case({"item_score_mad@2": 5 - 9 / 4}, truth={"ann": "ad", "bob": "c"}),
    "counts a hit without a score as 0",
    # g 9/2, h 4, i 0.
    given(recs={"ann": {"a": 9, "b": 8}, "bob": {"c": 5}, "cid": {"c": 3, "x": None}}),
    case({"item_score_mad": (1 / 2 + 9 / 2 + 4) / 3}, null_scores="last"),
    "is undefined for fewer than two groups",
    case({"item_score_mad@2": None}, items=grouped("a=g b=g")),
    case({"item_score_mad(ranks=hits)@2": None}, items=grouped("b=g c=h")),
)

test_jain_index = worked(
    given(recs=RECS),
    "is the square of the sum divided by the sum of squares, per item",
    case({"jain_index@2": 36 / (3 * (9 + 4 + 1))}),
    "counts items of the catalog that are in no list",
    case({"jain_index(items=catalog)@2": 25 / (4 * (9 + 4))}, catalog="abde"),
    "is 1 if all items are in equally many lists",
    case({"jain_index(weight=rank)@2 jain_index@1": 1.0}, {"ann": "ab", "bob": "ba"}),
    "is undefined if no list has an item of the catalog",
    case({"jain_index(items=catalog)@2": None}, catalog="d"),
)

# The history has 10 pairs: 6 of a, 2 of b, 1 of c and 1 of d.
POP_HISTORY = lists({"1": "abcd", "2": "ab", "3": "a", "4": "a", "5": "a", "6": "a"})
POP_REO_RECS = lists({"ann": "abc", "bob": "acx"})
test_pop_reo = worked(
    given(recs=POP_REO_RECS, truth={"ann": "ab", "bob": "bcd"}, history=POP_HISTORY),
    "compares the recall of popular items with that of other items",
    # a and b have 8 of 10 pairs. Of their relevant items 2 of 3 are found, and of c and d 1 of 2.
    case({"pop_reo@2": (2 / 3 - 1 / 2) / (2 / 3 + 1 / 2)}),
    # With 0.5, the head is only a: 1 of 1 is found, and 2 of 5 of the other items.
    case({"pop_reo(head=0.5)@2": (1 - 2 / 5) / (1 + 2 / 5)}, truth={"ann": "abc", "bob": "bcd"}),
    "needs only one popular item and one other item",
    # a, which ann wants, is found, and of c and d, which bob wants, c.
    case({"pop_reo@2": (1 - 1 / 2) / (1 + 1 / 2)}, truth={"ann": "a", "bob": "cd"}),
    "excludes items without history",
    case({"pop_reo@3": (2 / 3 - 1 / 2) / (2 / 3 + 1 / 2)}, truth={"ann": "ab", "bob": "bcdx"}),
    "is undefined if no popular or no other item is relevant",
    case({"pop_reo@2": None}, truth="ab"),
    case("is undefined without a hit", {"pop_reo@1": None}, truth="bd"),
    "includes the item that reaches the share in the head",
    # With 0.7 the head is a and b.
    case({"pop_reo@2 pop_reo(head=0.7)@2": (2 / 3 - 1 / 2) / (2 / 3 + 1 / 2)}),
)

test_pop_rsp = worked(
    given(history=POP_HISTORY),
    "compares the share of popular items that is recommended with that of other items",
    # Lists show 3 of 4 pairs with a or b, and 1 of 4 pairs with c or d.
    case({"pop_rsp@2": (3 - 1) / (3 + 1)}, {"ann": "ab", "bob": "ac"}),
    "adds up the lists of all items of the head and of the tail",
    # Lists show 2 of 4 pairs with a or b, and 3 of 4 pairs with c or d.
    case({"pop_rsp@3": (3 / 4 - 2 / 4) / (3 / 4 + 2 / 4)}, {"ann": "abc", "bob": "cd"}),
    "needs only one popular item and one other item",
    case({"pop_rsp@2": 1}, "c", history={"1": "ac", "2": "a", "3": "a", "4": "a"}),
    "excludes items of the user's history",
    # User 2 can be shown only c and d: the head has 2 pairs, and the tail has 4.
    case({"pop_rsp@2": 0.0}, {"ann": "ac", "2": "c"}),
    "does not count items without history",
    case({"pop_rsp@3": (3 - 1) / (3 + 1)}, {"ann": "xab", "bob": "ayc"}),
    case("is 1 for lists without popular items", {"pop_rsp@2": 1}, "cd"),
    case("is undefined if no list has an item of the history", {"pop_rsp@2": None}, "xy"),
)

# a has four of the five interactions, b one.
HITS_HISTORY = lists({"1": "ab", "2": "a", "3": "a", "4": "a"})
PROPENSITY_HITS_RECS = lists({"ann": "abx", "bob": "b"})
test_propensity_hits = worked(
    given(recs=PROPENSITY_HITS_RECS, history=HITS_HISTORY),
    "counts hits by the inverse of their share of the history",
    case({"propensity_hits@1": 5 / 4, "propensity_hits@3": 5 / 4 + 5}, truth="ab"),
    case("counts an item at most by the cap", {"propensity_hits(cap=2)@3": 5 / 4 + 2}, truth="ab"),
    case("counts a hit without history as 0", {"propensity_hits@3": 0}, truth="x"),
    "a user without a list or relevant item counts as 0",
    given(truth={"ann": "a", "cid": "b", "dee": {"a": 0.0}}, population="judged"),
    case({"propensity_hits@3": (5 / 4 / 3, 3)}),
)

REO_GROUPS = "a=g b=g c=h d=h e=unwanted"
REO_RECS = lists({"ann": "abe", "bob": "cae"})
test_reo = worked(
    given(recs=REO_RECS, items=grouped(REO_GROUPS)),
    "is the relative standard deviation of the recall of groups",
    # Hits: 3 of 3 relevant items of g, 1 of 2 of h; the mean is 3/4, and both differ by 1/4.
    case({"reo@2": 1 / 3}, truth={"ann": "abd", "bob": "ac"}),
    "depends on hits, not on recommendations",
    # Hits: 3 of 3 relevant items of g, 1 of 2 of h, and 0 of 2 of k.
    given(truth={"ann": "abdf", "bob": "acf"}, items=grouped(f"{REO_GROUPS} f=k")),
    case({"reo@2": sqrt((1 / 4 + 0 + 1 / 4) / 3) / (1 / 2)}),
    "does not count users without a list",
    case({"reo@2": 1 / 3}, truth={"ann": "abd", "bob": "ac", "cid": "cd"}),
    case("is 0 if all groups have the same recall", {"reo@2": 0}, truth={"ann": "a", "bob": "c"}),
    case("is undefined without a hit", {"reo@2": None}, truth="cd"),
    case("is undefined if no group has a relevant item", {"reo@2": None}, truth="x"),
    "is undefined without a group",
    given(truth="a", items=grouped("a=")),
    case({"reo@2": None}),
)

RSP_GROUPS = "a=g b=g c=h d=h"
RSP_RECS = lists({"ann": "abc", "bob": "bx"})
test_rsp = worked(
    given(recs=RSP_RECS),
    "is the relative standard deviation of the recommended shares of groups",
    # Lists show 3 of 4 pairs of g, and none of h.
    case({"rsp@2": 1.0}, items=grouped(RSP_GROUPS)),
    # Lists show 1 of 6 pairs of h.
    case({"rsp@2": (3 / 4 - 1 / 6) / (3 / 4 + 1 / 6)}, items=grouped(f"{RSP_GROUPS} x=h")),
    "excludes items of the user's history",
    # Ann has had d, so h has 3 pairs; cid has no list.
    given(items=grouped("a=g b=g x=h d=h"), history={"ann": "d", "cid": "ab"}),
    case({"rsp@2": (3 / 4 - 1 / 3) / (3 / 4 + 1 / 3)}),
    case("is undefined if no list has an item of a group", {"rsp@2": None}, items=grouped("z=g")),
)

# a has four users, b one.
STRATIFIED_RECALL_RECS = lists({"ann": "ax", "bob": "b"})
test_stratified_recall = worked(
    given(recs=STRATIFIED_RECALL_RECS, history=HITS_HISTORY),
    "counts popular items less",
    # Ann is shown a, which counts 4^-0.5, but not b, which counts 1.
    case({"stratified_recall@2": 0.5 / 1.5}, truth="ab"),
    case({"stratified_recall(exponent=1)@2": 0.25 / 1.25}, truth="ab"),
    "is the recall if the exponent is 0",
    given(truth={"ann": "abx", "bob": "bc", "cid": "a"}),
    case({"stratified_recall(exponent=0)@2 recall@2": (2 / 3 + 1 / 2 + 0) / 3}),
    "pooled divides the hits of all users by their relevant items",
    given(truth={"ann": "ab", "bob": "b", "cid": "a"}),
    case({"stratified_recall(average=pooled)@2": (0.5 + 1) / (1.5 + 1 + 0.5)}),
    "counts an item without history as one of a single user",
    case({"stratified_recall@2": 1 / 2}, truth="xb"),
    "excludes users without a relevant item",
    given(truth={"ann": {"a": 1.0}, "bob": {"b": 0.0}}, population="judged"),
    case({"stratified_recall@2": (1, 1)}),
)


def test_bias_disparity_needs_a_history():
    with raises(sqlrec.InputError, match="history"):
        sqlrec.evaluate("bias_disparity(group=g)@2", recs=BIAS_DISPARITY_RECS, items=ITEMS)


test_names_of_groups = refused(
    *(
        (f"exposure_share(group={group})", "group must be a string without quotes")
        for group in ("O'Neil", "a\u2028b", "a\x85b", "${a}", "")
    )
)
