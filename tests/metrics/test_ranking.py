from math import log2, sqrt
from string import ascii_letters

import numpy as np
import pyarrow as pa
from pytest import approx, raises

import sqlrec

from ..tables import JUDGED, clicked, lists, table, values, wanted
from .cases import EITHER, SECOND, case, given, nothing_shown, numbered, refused, worked

test_accuracy = worked(
    given(recs="ab", truth="ax", catalog=numbered("c", 10)),
    "is the share of the catalog that is recommended and relevant, or neither",
    # One hit, two other ranks, one item that is not found, six others.
    given(recs="abcd", population="judged"),
    case({"accuracy@3": (1 + 6) / 10}),
    "counts only the ranks of a short list",
    case({"accuracy@5 accuracy@all": (1 + 7) / 10}, population="judged"),
    case({"accuracy@5": 8 / 10}, **nothing_shown("ab")),
    "may count the empty ranks of a short list as recommended",
    # One hit, four other ranks, one item that is not found, four others.
    case({"accuracy(shown=k)@5": (1 + 4) / 10}, population="judged"),
    # More ranks than items of the catalog.
    case(
        {"accuracy(shown=k)@5": (1 + 4 - 5 - 1) / 4}, catalog=numbered("c", 4), population="judged"
    ),
    case({"accuracy(shown=k)@5": 3 / 10}, **nothing_shown("ab")),
    "is 1 if all items are classified correctly, and 0 if none is",
    case({"accuracy@2": 1}, truth="ab", catalog=numbered("c", 2), population="judged"),
    case({"accuracy@2": 0}, truth="cd", catalog=numbered("c", 4), population="judged"),
    "does not depend on grades or on items judged not relevant",
    # Two hits, three other ranks, one item that is not found, fourteen others.
    # Two hits, seven other ranks, one item that is not found, ten others.
    given(recs="abcde", truth=JUDGED, catalog=numbered("c", 20), population="judged"),
    case({"accuracy@9": (2 + 14) / 20, "accuracy(shown=k)@9": (2 + 10) / 20}),
    "is undefined if the catalog is too small",
    given(population="judged"),
    case({"accuracy@2": None}, truth="cd", catalog=numbered("c", 3)),
    # Five items are listed, and one relevant item is not.
    case({"accuracy@9": 2 / 6}, "abcde", JUDGED, catalog=numbered("c", 6)),
    "is the share of items not recommended for a user without a relevant item",
    case({"accuracy@2": 8 / 10}, truth={"a": 0}, catalog="cdefghijkl", population="judged"),
)


def test_accuracy_of_a_user_without_relevant_item_is_the_share_that_is_not_shown():
    catalog = table([(item,) for item in "cdefghijkl"], item_id=pa.string())
    inputs = {"recs": lists({"ann": "ab", "bob": "c"}), "truth": wanted({"bob": "c"})}
    result = sqlrec.evaluate("accuracy@2", **inputs, catalog=catalog, population="recs")
    assert values(result) == approx([(8 / 10 + 1) / 2])


# Hits are at ranks 2 and 4, with a precision of 1/2 and 2/4; x is relevant and not shown.
AT_HITS = 1 / 2 + 2 / 4
test_average_precision = worked(
    given(recs="abcde", truth="bdx"),
    "is the sum of the precisions at hits, divided by the relevant items",
    case({"average_precision@5 map@5 MAP@5 AP@5": AT_HITS / 3}),
    "has six variants with different divisors",
    given(truth=EITHER),
    case({"map(divide_by=relevant)@5 map(divide_by=achievable)@5": AT_HITS / 3}),
    case({"map(divide_by=achievable_in_list)@10": AT_HITS / 3}),
    case({"map(divide_by=achievable)@2 map(divide_by=achievable_in_list)@2": 1 / 2 / 2}),
    case({"map(divide_by=hits)@5": AT_HITS / 2, "map(divide_by=k)@10": AT_HITS / 10}),
    case({"map(divide_by=list_length)@10": AT_HITS / 5}),
    "a short list is compared with as many relevant items as it has ranks",
    case({"map(divide_by=achievable_in_list)@10": 1 / 2 / 2}, "ab", "bcd"),
    case({"map(divide_by=achievable_in_list)@10": 0}, **nothing_shown("bcd")),
    case("is 0 without a hit", {"map(divide_by=*)@3": 0}, "abc", "x"),
    case("a perfect list has 1", {"map(divide_by=*)@3": 1}, "abc", "abc"),
    case("hits beyond k do not count", {"map@3": 1 / 2 / 2}, "abcd", "bd"),
    case("accepts whole lists", {"map@all": AT_HITS / 3}),
    "may count a list without a hit as 1",
    case({"map(without_hits=one)@2": 1, "map(without_hits=one)@3": 1 / 3 / 2}, "abc", "cx"),
)

# Hits are at ranks 2 and 4, with a recall of 1/3 and 2/3; x is relevant and not shown.
AT_RECALL = 1 / 3 + 2 / 3
test_average_recall = worked(
    given(recs="abcde"),
    "is the mean recall at the hits",
    case({"average_recall@5 mar@5 AR@5": AT_RECALL / 2}, truth="bdx"),
    "may divide by the length of the list",
    given(truth=EITHER),
    case({"mar@10": AT_RECALL / 2, "mar(divide_by=list_length)@10": AT_RECALL / 5}),
    case("is 0 without a hit", {"mar(divide_by=*)@3": 0}, "abc", "x"),
    "is 1 for the only item and undefined without a relevant item",
    given(recs="a"),
    case({"mar(divide_by=*)@1": 1}, truth="a"),
    case({"mar(divide_by=*)@1": None}, truth={"a": 0}, population="judged"),
    "may divide by the relevant items, or average over all ranks",
    # Recall is 0 at rank 1, 1/3 at the next two and 2/3 from the fourth on.
    case({"mar(divide_by=achievable)@10": AT_RECALL / 3}, truth=EITHER),
    case({"mar(divide_by=achievable)@2": 1 / 3 / 2}, truth=EITHER),
    case({"mar(divide_by=k)@10": (2 / 3 + 7 * 2 / 3) / 10}, truth=EITHER),
)

test_bpref = worked(
    given(recs="abcde"),
    "loses a share for each item judged not relevant above a hit",
    given(truth={"a": 1, "b": 0, "c": 1, "d": 0, "e": 1}),
    case({"bpref": (1 + (1 - 1 / 2) + (1 - 2 / 2)) / 3}),
    "grades do not matter",
    # c, one of four items judged not relevant, is above d; three items are relevant.
    case({"bpref@9": (1 + 1 - 1 / 3) / 3}, truth=JUDGED),
    "does not count items without a judgment",
    case({"bpref": (1 + 0) / 2}, "xaybzc", {"a": 1, "b": 0, "c": 1}),
    "does not count grades below 0 unless they are relevant",
    case({"bpref": 1}, "abc", {"a": -1, "b": 1, "c": 0}),
    case({"bpref": 1}, "cab", {"a": -1, "b": 1, "c": 0}, relevance_threshold=-1),
    case({"bpref": 0}, "cab", {"a": -1, "b": 1, "c": 0}),
    case({"bpref": 1}, "ab", {"a": -1, "b": 1}),
    "reads at most as many of them as there are relevant items",
    case({"bpref": 0}, "abcd", {"a": 0, "b": 1, "c": 0, "d": 0}),
    case({"bpref": (1 - 1 / 2 + 1 - 2 / 2) / 2}, truth={"a": 0, "b": 1, "c": 0, "d": 0, "e": 1}),
    case("is the recall if nothing is judged not relevant", {"bpref": 2 / 4}, "xayb", "abcd"),
    "may be undefined then, unless the list has no hit",
    case({"bpref(without_nonrelevant=undefined)": None}, "xayb", "abcd"),
    case({"bpref(without_nonrelevant=undefined)": None}, "ab", {"a": 1, "b": -1}),
    case({"bpref(without_nonrelevant=undefined)": 0}, "xayb", "cd"),
    case({"bpref(without_nonrelevant=*)": 1 / 2}, "abc", {"a": 1, "b": 0, "c": 1}),
    "ends at the cutoff if one is requested",
    case({"bpref@2": 1 / 2}, "abc", {"a": 1, "b": 0, "c": 1}),
    "is 0 without a list",
    case({"bpref": 0}, **nothing_shown({"a": 1, "b": 0})),
)

CATALOG = table([(item,) for item in "abcdefgh"], item_id=pa.string())
test_catalog_auc = worked(
    given(truth="bh", catalog=CATALOG),
    "is the share of pairs in which the relevant item is above",
    # b is below a and above five items; h is not in the list: below a and c, tied with four items.
    case({"catalog_auc": (5 + 4 / 2) / (2 * 6), "catalog_auc(items=list)": 1 / (2 * 2)}, "abc"),
    "may count pairs with neither item in the list as 0",
    case({"catalog_auc(neither=nothing)": 5 / (2 * 6)}, "abc"),
    given(recs={"a": 2, "b": 1, "c": 1}, truth="bh", catalog=CATALOG, ties="expected"),
    case({"catalog_auc(neither=nothing)": (1 / 2 + 4) / (2 * 6)}),
    "weighs users by their relevant items if requested",
    given(recs={"ann": "ab", "bob": "ab"}, truth={"ann": "a", "bob": "bc"}),
    case({"catalog_auc": (1 + (5 + 5 / 2) / (2 * 6)) / 2}),
    case({"catalog_auc(weight=positives)": (1 + 2 * ((5 + 5 / 2) / (2 * 6))) / 3}),
    "counts half for equal scores if expected",
    case({"catalog_auc": (1 / 2 + 5) / 7}, {"a": 2.0, "b": 1.0, "c": 1.0}, "b", ties="expected"),
    "is undefined without relevant or without other items",
    case({"catalog_auc": None}, "abc", "abcdefgh"),
    case({"catalog_auc(items=list)": None}, "a", "a"),
    "may add further items below all others",
    # As above, with two further pairs of b and two of h, of which all are in order.
    case({"catalog_auc(padding=2)": (5 + 4 / 2 + 4) / (2 * 8)}, "abc"),
    case({"catalog_auc(padding=2, neither=nothing)": (5 + 4) / 16}, "abc"),
    case({"catalog_auc(padding=2, items=list)": (1 + 4) / (2 * 4)}, "abc"),
    case({"catalog_auc(padding=1)": 1}, "abc", "abcdefgh"),
)

test_catalog_average_precision = worked(
    given(recs="abcd", catalog="abcdefgh"),
    "puts a relevant item that is not in the list at the end of the catalog",
    case({"catalog_average_precision": (1 / 2 + 2 / 4 + 3 / 8) / 3}, truth="bdh"),
    "equals the average precision if the list has all relevant items",
    case({"catalog_average_precision": (1 / 2 + 2 / 4) / 2}, truth="bd"),
    "is undefined without a relevant item",
    case({"catalog_average_precision": None}, "ab", {"a": 0}, population="judged"),
)

test_coverage_error = worked(
    given(catalog="abcdefgh"),
    case("is the rank of the last relevant item", {"coverage_error": 3}, "abcd", "ac"),
    "is the size of the catalog if a relevant item is not in the list",
    case({"coverage_error": 8}, "abcd", "ah"),
    "orders equal scores by the worst order",
    case({"coverage_error": 3}, {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.5}, "a", ties="worst"),
    "is undefined without a relevant item",
    case({"coverage_error": None}, "ab", {"a": 0}, population="judged"),
)

test_depth_precision = worked(
    "is the mean precision at all ranks",
    case({"depth_precision@3 mean_precision@3": (0 + 1 / 2 + 2 / 3) / 3}, "abc", "bc"),
    case({"depth_precision@1 mean_precision@1": 0}, "abc", "bc"),
    "continues after the end of a short list",
    case({"depth_precision@4": (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4}, "ab", "a"),
    "depends on relevance",
    case({"depth_precision@2": (0 + 1 / 2) / 2}, "ab", {"a": 1, "b": 2}, relevance_threshold=2),
)

GRADED = {"a": 3, "b": 0.5, "c": 2, "d": 2, "x": 0, "w": 0, "z": 0}
test_eleven_point_average_precision = worked(
    "can require the number of items that reaches the recall",
    # 0 1 1 2 2 2 3 3 4 4 4
    case({"11pt_avg(rounding=up)": (3 * 1 + 5 * 3 / 5 + 3 * 0) / 11}, "axybc", "abcd"),
    "can round up from a tenth of an item",
    # The numbers of items are 0 1 1 1 2 2 2 2 3 3 3: 0.7 of three items is rounded to two.
    case({"11pt(rounding=tenth)": (4 * 1 + 4 * 2 / 3 + 3 * 3 / 6) / 11}, "axbyzc", "abc"),
    "compares recalls as floating-point numbers",
    case(
        {"11pt(rounding=nearest)": 8 / 11, "11pt(rounding=up)": 7 / 11},
        ascii_letters[:31],
        ascii_letters[:45],
    ),
    case({"11pt(rounding=nearest)": 7 / 11}, "abcdefghij", "abcdefghijklmno"),
    case({"11pt(rounding=tenth)": 8 / 11}, "ab", "abc"),
    "is 1 for a perfect list and ends at the cutoff",
    case({"11pt": 1.0, "11pt@2": 7 / 11}, "abcdx", "abcd"),
    "averages the interpolated precision at eleven points",
    # The numbers of items needed, rounded to the nearest, are 0 0 1 1 2 2 2 3 3 4 4.
    case({"eleven_point_ap 11pt": (4 * 1 + 5 * 3 / 5 + 2 * 0) / 11}, "axybc", "abcd"),
    given(recs="axybc", truth="abcd"),
    case({f"iprec(recall={recall})": 1.0 for recall in (0.0, 0.1, 0.2, 0.3)}),
    case({f"iprec(recall={recall})": 3 / 5 for recall in (0.4, 0.5, 0.6, 0.7, 0.8)}),
    case({"iprec(recall=0.9) iprec(recall=1.0)": 0}),
)

P, R = 2 / 4, 2 / 3
test_f_beta = worked(
    given(recs="abcd", truth="bdx"),
    "is the harmonic mean of precision and recall",
    case({"f_beta@4 f1@4 F1@4": 2 * P * R / (P + R)}),
    case("beta weighs recall", {"f_beta(beta=0.5)@4": (1 + 0.5**2) * P * R / (0.5**2 * P + R)}),
    case({"f_beta(beta=2)@4": (1 + 2**2) * P * R / (2**2 * P + R)}),
    case({"f_beta(beta=3.25)@4": (1 + 3.25**2) * P * R / (3.25**2 * P + R)}),
    "is the mean of per-user values, or the value of the means",
    # Precision and recall of 1 / 2 and 1 / 2; of 1 / 2 and 1; of 0 without list.
    given(recs={"ann": "ab", "bob": "ab"}, truth={"ann": "ac", "bob": "b", "cid": "a"}),
    case({"f1@2": (1 / 2 + 2 / 3) / 3, "f1(of=means)@2": 2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2)}),
    "of means weights recall too, over users with a relevant item",
    given(recs={"ann": "ab", "bob": "ab"}, truth={"ann": {"a": 1, "c": 1}, "bob": {"a": 0}}),
    case({"f_beta(beta=2, of=means)@2": 5 / 4 / 2 / (4 / 4 + 1 / 2)}, population="judged"),
    "of means is 0 without a hit",
    case({"f1(of=means)@2": 0}, "ab", "x"),
    "counts hits among relevant items and ranks",
    given(recs="abcde"),
    # Two hits of three relevant items; with P = 2 / ranks and R = 2 / 3 it comes to this.
    given(recs="abcde", truth=EITHER),
    case({f"f_beta(beta=2, of=*, divide_by={by})@9": 10 / (12 + 9) for by in ("k", "k_or_length")}),
    case({"f_beta(beta=2, of=*, divide_by=list_length)@9": 5 * 2 / (4 * 3 + 5)}),
    "may use the precision of a short list",
    case({"f1(divide_by=list_length)@10 f1(divide_by=list_length)@all": 2 * P * R / (P + R)}),
    case({"f1(divide_by=list_length)@10": 0}, truth={"a": 0}, population="judged"),
    case({"f1(divide_by=list_length)@10": 0}, **nothing_shown({"a": 0}), population="judged"),
    "may divide by k, and whole lists by their length",
    case({"f1(divide_by=k_or_length)@10": 2 * 2 / (3 + 10)}),
    case({"f1(divide_by=k_or_length)@all": 2 * 2 / (3 + 4)}),
    "of means may use the precision of short lists",
    given(recs={"ann": "ab", "bob": "a"}, truth={"ann": "a", "bob": "a"}),
    case({"f1(of=means, divide_by=list_length)@5": 2 * ((1 / 2 + 1) / 2) / ((1 / 2 + 1) / 2 + 1)}),
    case("is 0 without a hit", {"f1@4": 0}, truth="x"),
    "may divide by the items that are recommended or relevant",
    # One of the two shown items is among the three relevant items, so 4 items are known.
    given(recs="ab", truth="axy"),
    case({"f1(of=*, divide_by=known)@10": 2 * 1 / (3 + 4)}),
    case({"f1(of=*, divide_by=known)@3": 2 * 1 / (3 + 3)}),
)

test_fall_out = worked(
    given(catalog="abcdefgh"),
    "is the share of irrelevant items that are in the list",
    case({"fall_out@1": 1 / 6, "fall_out@3": 2 / 6, "fall_out": 3 / 6}, "abcd", "bh"),
    "uses expected values for equal scores",
    case({"fall_out@1": 2 / 3 / 7}, {"a": 1.0, "b": 1.0, "c": 1.0}, "b", ties="expected"),
    "is undefined if all items are relevant, or the catalog lacks items",
    case({"fall_out": None}, "ab", "abcdefgh"),
)

RECS = lists({"ann": "ab", "bob": "xb", "cid": "x"})
# One of bob's two relevant items is below one of the two items judged not relevant.
BOB = {"b": 1, "y": 1, "x": 0, "z": 0}
TRUTH = wanted({"ann": {"a": 1}, "bob": BOB, "cid": {"c": 1}})
test_geometric_bpref = worked(
    given(recs=RECS),
    "is the geometric mean of bpref, where 0 counts as a small number",
    case({"gm_bpref": (1 * (1 - 1 / 2) / 2 * 1e-05) ** (1 / 3)}, truth=TRUTH),
    "has per-user values that are bpref itself",
    case({"geometric_bpref": {"ann": 1, "bob": 1 / 4, "cid": 0}}, truth=TRUTH),
    "ends at the cutoff if one is requested",
    case({"geometric_bpref@2": 1 / 2}, "abc", {"a": 1, "b": 0, "c": 1, "d": 0}),
    "excludes users without a relevant item",
    given(truth={"ann": {"a": 1}, "bob": {"b": 0}, "cid": {"x": 2}}, population="judged"),
    case({"geometric_bpref": (1.0, 2)}),
)

GEOMETRIC_MAP_TRUTH = wanted({"ann": "a", "bob": "b", "cid": "c"})
test_geometric_map = worked(
    given(recs=RECS),
    "is the geometric mean of average precision, where 0 counts as a small number",
    case({"gmap": (1 * 1 / 2 * 1e-05) ** (1 / 3)}, truth=GEOMETRIC_MAP_TRUTH),
    "the values of users are their average precision",
    case({"gm_map": {"ann": 1, "bob": 0.5, "cid": 0}}, truth=GEOMETRIC_MAP_TRUTH),
    case("ends at the cutoff if one is requested", {"gmap@1": 1 / 2, "gmap": 1.0}, "ab", "ab"),
    "does not depend on grades or on items judged not relevant",
    case({"gmap@9": (1 / 2 + 2 / 4) / 3}, "abcde", EITHER),
    "a value below the floor counts as the floor",
    # 1 / 40 / 5000 is half of it.
    case({"gmap": 1e-05}, numbered("i", 40), [*numbered("x", 4999), "i39"]),
    "excludes users without a relevant item",
    given(truth={"ann": {"a": 1}, "bob": {"b": 0}, "cid": {"x": 2}}, population="judged"),
    case({"gmap": (1.0, 2)}),
)

test_hit_rate = worked(
    case("is 1 if the list has a hit", {"hit_rate@1": 0, "hit_rate@2 hit_rate@3": 1}, "abc", "b"),
    case("several hits count once", {"hit_rate@3": 1}, "abc", "abc"),
    "each of the items with equal scores is expected equally often",
    # Each of three items is equally often at rank 1, and two of them are relevant.
    case({"hit_rate@1": 2 / 3}, dict.fromkeys("abc", 1), {"a": 3, "b": 1}, ties="expected"),
    case({"hit_rate@2": 2 / 3}, dict.fromkeys("abc", 1), "a", ties="expected"),
    case("is 0 without a hit", {"hit_rate@3": 0}, "abc", "x"),
    case("has other names", {"hr@2 HR@2 hitrate@2 success@2 Success@2": 1}, "abc", "b"),
    case("accepts whole lists", {"hit_rate@all": 1}, "abcdefg", "g"),
    "has the upper bound 1 if a rank is not judged",
    case({"hit_rate(unjudged=hit)@2": 1, "hit_rate@2": 0}, "ca", JUDGED),
    case({"hit_rate(unjudged=hit)@2": 0}, "cwa", JUDGED),
)

E = 0.00001
test_inferred_average_precision = worked(
    "estimates unjudged items from judged items",
    # Three items of the pool are above d; two are judged, one of them relevant.
    given(recs="abcd", truth={"a": 1, "b": -1, "c": 0, "d": 1}),
    case({"infap": (1 + (1 / 4 + 3 / 4 * (1 + E) / (2 + 2 * E))) / 2}),
    "does not depend on grades of hits, or on judged items below them",
    # One item of the pool is above b, and it is not judged. Three items are above d: two are
    # judged, and one of these is relevant. x is relevant too.
    given(recs="abcde", truth={"a": -1, "b": 3, "c": 0, "d": 0.5, "e": 0, "x": 2}),
    case({"infap@9": (1 / 2 + 1 / 2 * 1 / 2 + (1 / 4 + 3 / 4 * (1 + E) / (2 + 2 * E))) / 3}),
    "counts items outside the pool as not relevant",
    case({"infap": (1 + (1 / 3 + 1 / 3 * (1 + E) / (1 + 2 * E))) / 2}, "axb", "ab"),
    "assumes one half if no item above is judged",
    case({"infap": 1 / 2 + 1 / 2 * 1 / 2}, "ab", {"a": -1, "b": 1}),
    "counts a grade below 0 that is relevant",
    case({"infap": approx(1, abs=E)}, "ab", {"a": -1, "b": 1}, relevance_threshold=-1),
    case("ends at the cutoff if one is requested", {"infap@1": 1 / 2}, "ab", "ab"),
    "equals the average precision if the whole pool is judged",
    given(recs="abcd", truth={"b": 1, "c": 0, "d": 1}),
    case({"infap": approx((1 / 2 + 2 / 4) / 2, abs=E), "ap@all": (1 / 2 + 2 / 4) / 2}),
)

test_interpolated_precision = worked(
    given(recs="axybc", truth="abcd"),
    "is the highest precision at or below the rank that reaches the recall",
    case({"iprec(recall=0) iprec(recall=0.25)": 1.0}),
    case({"iprec(recall=0.5) iprec(recall=0.75)": 3 / 5, "iprec(recall=1)": 0.0}),
    "rounds the recall to whole items",
    case({"iprec(recall=0.3) iprec(recall=0.1) iprec(recall=0.1, rounding=up)": 1.0}),
    case({"iprec(recall=0.3, rounding=up)": 3 / 5}),
    case({"iprec(recall=0.9) iprec(recall=0.9, rounding=up)": 0.0}),
    case("rounds halves up", {"iprec(recall=0.5)": 2 / 3}, "axb", "abc"),
    case({"iprec(recall=0.125)": 1 / 2}, "xyab"),
    "is correct despite rounding of doubles",
    # 0.7 * 10 is a little more or less than 7.
    case({"iprec(recall=0.7, rounding=up)": 1}, "abcdefg", "abcdefghij"),
    "with rounding to a tenth rounds up from a tenth, as doubles do",
    # 0.05 of an item goes down, 0.1 goes up, but not that of 0.7 * 3 = 2.0999999999999996.
    case({"iprec(recall=0.2625, rounding=tenth) iprec(recall=0, rounding=tenth)": 1}, "axb"),
    case({"iprec(recall=0.275, rounding=tenth)": 2 / 3}, "axb"),
    case({"iprec(recall=0.7, rounding=tenth)": 2 / 3}, "axbyzc", "abc"),
    case("ends at the cutoff if one is requested", {"iprec(recall=0.5)@4": 1 / 2}),
    "is 0 without a hit or a list",
    case({"iprec(recall=0)": 0}, "ab", "c"),
    case({"iprec(recall=0)": 0}, **nothing_shown("c")),
)

# In abcd, b and d are hits, c is judged not relevant, and a is not judged.
ITEM_COUNT_JUDGED = {"b": 3, "c": 0, "d": 1, "x": 2, "y": 0, "z": 1}
test_item_count = worked(
    "counts the requested kind of items",
    given(recs="abcd", truth=ITEM_COUNT_JUDGED),
    case({"item_count(of=hits) item_count(of=hits)@9": 2}),
    case({"item_count(of=hits)@3 item_count(of=nonrelevant) item_count(of=nonrelevant)@3": 1}),
    case({"item_count(of=retrieved) item_count(of=retrieved)@9 item_count(of=relevant)": 4}),
    case("counts hits by default", {"item_count": 2}, "abcd", ITEM_COUNT_JUDGED),
    "is the sum over users",
    given(recs={"ann": "abc", "bob": "ab"}, truth={"ann": "ab", "bob": "b", "eve": "c"}),
    case({"item_count": (3, 3), "item_count(of=retrieved)": (5, 3)}),
    "a grade below 0 is no judgment unless it is relevant",
    given(recs="abc", truth={"a": -1, "b": 0, "c": 1}),
    case({"item_count item_count(of=nonrelevant)": 1}),
    case({"item_count": 3, "item_count(of=nonrelevant)": 0}, relevance_threshold=-1),
    "uses the threshold of relevance",
    case({"item_count(of=nonrelevant)": 2}, "abcd", ITEM_COUNT_JUDGED, relevance_threshold=2),
    "counts lists that have k items",
    given(recs={"ann": "ab", "bob": "abc"}, truth={"ann": "a", "bob": "x", "cid": "a"}),
    case({"item_count(of=full_lists)@2 item_count(of=full_lists)@all": 2}),
    case({"item_count(of=full_lists)@3": 1, "item_count(of=full_lists)@4": 0}),
    "may be a mean",
    given(recs={"ann": "ab", "bob": "abc"}, truth={"ann": "a", "bob": "x"}),
    case({"item_count(of=retrieved, per=user)@3": 5 / 2}),
)

test_judged_share = worked(
    "is the share of recommendations that are judged relevant or not",
    case({"judged@4": 2 / 4, "judged@all": 3 / 5}, "abcde", {"a": 1, "c": 0, "e": 2}),
    "divides a short list by its length or by k",
    case({"judged@4": 1 / 2, "judged(divide_by=k)@4": 1 / 4}, "ab", "a"),
    "counts a grade below 0 as no judgment unless it is relevant",
    case({"judged(divide_by=*)@2": 1 / 2}, "ab", {"a": 1, "b": -1}),
    case({"judged@2": 1}, "ab", {"a": 1, "b": -1}, relevance_threshold=-1),
    "excludes users without a list",
    case({"judged(divide_by=*)@2": (0.5, 1)}, "ab", {"ann": "a", "bob": "b"}),
    "is 0 for users who are not in the truth",
    case({"judged@2": (0.25, 2)}, {"ann": "ab", "bob": "ab"}, "a", population="recs"),
)

test_label_ranking_loss = worked(
    given(recs="abc", catalog="abcdefgh"),
    "is the share of pairs in which the relevant item is not above",
    # One of six irrelevant items is above b, and none of them is below h.
    case({"label_ranking_loss": (1 + 6) / (2 * 6)}, truth="bh"),
    "counts equal scores as losses by the worst order",
    case({"label_ranking_loss": 2 / 7}, {"a": 1.0, "b": 1.0, "c": 1.0}, "b", ties="worst"),
    "is undefined without relevant or without other items",
    case({"label_ranking_loss": None}, truth="abcdefgh"),
)

test_limited_auc = worked(
    given(catalog=CATALOG),
    "is 1 minus the share of irrelevant items above the hits",
    # None of the six irrelevant items is above a, and two of them are above d.
    case({"limited_auc@4 lauc@4": (1 + 4 / 6) / 2}, "abcd", "ad"),
    case("counts pairs below the cutoff as 0", {"limited_auc@3": 1 / 2}, "abcd", "ad"),
    case({"limited_auc@1": 1.0, "limited_auc@all": (1 + 3 / 5) / 3}, "abcd", "adh"),
    "counts items outside the catalog",
    case({"limited_auc(padding=1)@4": (1 + 5 / 7) / 2}, "abcd", "ad"),
    "is undefined without a relevant item, without another item, or if the catalog is too small",
    case({"limited_auc@3": None}, "abc", {"a": 0}, population="judged"),
    case({"limited_auc@2": None}, "ab", "ab", catalog="ab"),
    case({"limited_auc@3": None}, "abc", "a", catalog="ab"),
)

test_list_auc = worked(
    "is the share of pairs of a hit and a miss that are in the right order",
    # a is above x and y, and b is above y.
    case({"list_auc@4": 3 / 4}, "axby", "ab"),
    case({"roc_auc@all": 0}, "xyab", "ab"),
    case("reads only the ranks within k", {"list_auc@3": 0}, "xabcd", "abcd"),
    "treats unjudged items as judged not relevant",
    case({"list_auc@4": 3 / 4}, "axby", {"a": 1, "b": 1, "x": 0}),
    "grades do not matter",
    # b is above c and e, d is above e, and a is above both hits.
    case({"list_auc(no_pairs=*)@9": 3 / (2 * 3)}, "abcde", JUDGED),
    case({"list_auc(no_pairs=*)@9": 0}, "xa", {"a": 2, "b": 1}),
    case("is undefined without a hit or without a miss", {"list_auc@2": None}, "xy", "a"),
    case({"list_auc@2": None}, "ab", "ab"),
    case("can have a bound instead", {"list_auc(no_pairs=bounds)@2": 0}, "xy", "a"),
    case({"list_auc(no_pairs=bounds)@2": 1}, "ab", "ab"),
    "counts items instead of ranks if ranks are excluded",
    case({"list_auc@9": 0.5}, lists({"ann": "yzxab"}).slice(2), "a"),
)

test_mcc = worked(
    given(recs="ab", truth="ax", catalog=numbered("c", 10)),
    "is the correlation of being recommended and being relevant",
    # One hit, two other ranks, one item that is not found, six others.
    given(recs="abcd", population="judged"),
    case({"mcc@3": (1 * 6 - 2 * 1) / sqrt((1 + 2) * (1 + 1) * (6 + 2) * (6 + 1))}),
    "counts only the ranks of a short list",
    given(population="judged"),
    case({"mcc@5 mcc@all": (1 * 7 - 1 * 1) / sqrt(2 * 2 * 8 * 8)}),
    "may count the empty ranks of a short list as recommended",
    given(population="judged"),
    # One hit, four other ranks, one item that is not found, four others.
    case({"mcc(shown=k)@5": (1 * 4 - 4 * 1) / sqrt((1 + 4) * (1 + 1) * (4 + 4) * (4 + 1))}),
    case({"mcc(shown=k)@3": (1 * 7 - 0) / sqrt(3 * 1 * 9 * 7)}, truth="a"),
    "does not depend on grades or on items judged not relevant",
    # Two hits, three other ranks, one item that is not found, fourteen others.
    # Two hits, seven other ranks, one item that is not found, ten others.
    given(recs="abcde", truth=JUDGED, catalog=numbered("c", 20), population="judged"),
    case({"mcc@9": (2 * 14 - 3 * 1) / sqrt(5 * 3 * 15 * 17)}),
    "of k ranks is 0 if a total is 0, and undefined if one is negative",
    case({"mcc(shown=k)@5": 0}, catalog=numbered("c", 5), population="judged"),
    case({"mcc(shown=k)@5": None}, catalog=numbered("c", 4), population="judged"),
    case({"mcc(shown=k)@5": 0}, truth={"a": 0}, population="judged"),
    "is 1 if all items are classified correctly, and minus 1 if none is",
    given(population="judged"),
    case({"mcc@2": 1.0}, truth="ab", catalog=numbered("c", 5)),
    case({"mcc(shown=*)@1": 1.0}, "a", "a", catalog=numbered("c", 2)),
    case({"mcc@2": -1.0}, truth="cd", catalog=numbered("c", 4)),
    "is 0 if one of the totals is 0",
    case({"mcc@2": 0}, **nothing_shown("a"), catalog=numbered("c", 5)),
    case({"mcc@2": 0}, truth={"a": 0}, catalog=numbered("c", 5), population="judged"),
    "is undefined if the catalog is too small",
    given(population="judged"),
    case({"mcc@2": None}, truth="cd", catalog=numbered("c", 3)),
    # Five items are listed, and one relevant item is not.
    case({"mcc@9": None}, "abcde", JUDGED, catalog=numbered("c", 5)),
    case(
        {"mcc@9": (2 * 0 - 3 * 1) / sqrt(5 * 3 * 1 * 3)}, "abcde", JUDGED, catalog=numbered("c", 6)
    ),
)

test_mean_rank = worked(
    given(recs="abcd"),
    case("is the mean rank of the relevant items", {"mean_rank": 1.0}, truth="a"),
    case("may be the geometric mean", {"mean_rank(average=geometric)": (2 * 4) ** 0.5}, truth="bd"),
    case("is undefined if a relevant item is not in the list", {"mean_rank": None}, truth="bx"),
    case({"mean_rank@2": None, "mean_rank@3": 2.5}, truth="bc"),
)

test_partial_ap = worked(
    "compares the first hits to the first misses",
    # a is above both misses, b is above one miss, and c is the third hit.
    case({"pap(n=2)": (2 + 1) / (2 * 2), "pap(n=3)": (3 + 2 + 1) / (3 * 3)}, "axbyc", "abc"),
    "uses all relevant items if there are too few misses",
    case({"pap(n=4, insufficient=exclude)": 1}, "abc", {"a": 1, "b": 2, "c": 0}),
    # The grades of two hits add up to three, and three are relevant.
    case({"pap(n=4, insufficient=exclude)": None}, "abcd", {"a": 2, "b": 1, "x": 1}),
    "does not depend on grades or on items judged not relevant",
    # b is above two of the first three misses, and d above one; three items are relevant.
    case({"pap(n=3, insufficient=*)@9": (2 + 1) / (3 * 3)}, "abcde", JUDGED),
    case({"pap(n=4, insufficient=exclude)@9": None}, "abcde", JUDGED),
    "counts a hit below the last counted miss as 0",
    # If n + 1 misses counted, b would be above one of them.
    case({"pap(n=2)": 2 / (2 * 2)}, "axyzb", {"a": 9, "b": 1}),
    # The hit after the nth does not count either, regardless of its rank.
    case("is similar to a precision if many items are relevant", {"pap(n=1)": 1}, "ax", "abcd"),
    case({"pap(n=1)": 0}, "xa", "abcd"),
    "can exclude users with too few misses who lack a relevant item",
    case({"pap(n=2)": 1 / 4, "pap(n=2, insufficient=exclude)": None}, "xa", "ab"),
    case({"pap(n=2, insufficient=exclude)": 2 / 4}, "xab", "ab"),
    case({"pap(n=2, insufficient=exclude)": 0}, "xya", "ab"),
    "is the partial auc if no more than n items are relevant",
    case({"pap(n=3) pauc(misses=3)": (2 + 1 + 0) / (3 * 3)}, "xbyc", "bcd"),
)

test_partial_auc = worked(
    "compares all relevant items to the first misses",
    # b is only above y, c is above no miss, and d is not in the list.
    case({"pauc(misses=2)": (1 + 0 + 0) / (2 * 3)}, "xbyc", "bcd"),
    case({"pauc(misses=3)": (2 + 1 + 0) / (3 * 3)}, "xbyc", "bcd"),
    "uses all relevant items if there are too few misses",
    case({"pauc(misses=4, insufficient=exclude)": 1}, "abc", {"a": 1, "b": 2, "c": 0}),
    # The grades of two hits add up to three, and three are relevant.
    case({"pauc(misses=4, insufficient=exclude)": None}, "abcd", {"a": 2, "b": 1, "x": 1}),
    "does not depend on grades or on items judged not relevant",
    # b is above two of the first three misses, and d above one; three items are relevant.
    given(recs="abcde", truth=JUDGED),
    case({"pauc(misses=3, insufficient=*)@9": (2 + 1) / (3 * 3)}),
    case({"pauc(misses=4, insufficient=exclude)@9": None}),
    "counts a hit below all counted misses as 0",
    case({"pauc(misses=2)": 2 / (2 * 2)}, "axyzb", "ab"),
    case("counts misses that are not in the list as below all items", {"pauc": 1}, "ab", "ab"),
    case({"pauc(misses=4)": 3 / 4}, "xa", "a"),
    "can exclude users with too few misses who lack a relevant item",
    given(
        recs={"ann": "xa", "bob": "xb", "cid": "xyc", "dan": "abcd"},
        truth={"ann": "a", "bob": "bz", "cid": "cz", "eve": "e"},
    ),
    case({"pauc(misses=2)": {"ann": 1 / 2, "bob": 1 / 4, "cid": 0, "eve": 0}}),
    case(
        {"pauc(misses=2, insufficient=exclude)": {"ann": 1 / 2, "bob": None, "cid": 0, "eve": None}}
    ),
    "the cutoff makes the list shorter",
    case({"pauc(misses=2)@3": 1 / 2, "pauc(misses=2)@1": 0}, "xbyc", "b"),
    "counts items instead of ranks if ranks are excluded",
    case({"pauc(misses=2)": 0.5}, lists({"ann": "uvwxya"}).slice(4), "a"),
)

test_percentile_rank = worked(
    given(catalog=CATALOG),
    "is the share of the catalog above a relevant item",
    case({"percentile_rank": (1 + 2) / 2 / 8}, "abc", "bc"),
    case({"percentile_rank(unit=percent)": 100 * (1 + 2) / 2 / 8}, "abc", "bc"),
    "puts an item that is not in the list in the middle of the other items",
    # Below a, b and c there are ranks 4 to 8, which have 3 to 7 items above.
    case({"percentile_rank": 5 / 2 / 8}, "abc", "ah"),
    case({"percentile_rank@2": 4.5 / 8}, "abc", "c"),
    "without a list it is one half",
    case({"percentile_rank": (1 / 2 + 0) / 2}, {"bob": "a"}, {"ann": "bc", "bob": "a"}),
    "pooled is computed over the items of all users",
    given(recs={"ann": "ab", "bob": "ab"}, truth={"ann": "a", "bob": "abc"}),
    case({"percentile_rank": (0 + (0 + 1 + 4.5) / 3) / 2 / 8}),
    case({"percentile_rank(average=pooled)": (0 + (0 + 1 + 4.5)) / 4 / 8}),
    "is undefined without a relevant item, or if the catalog lacks an item",
    case({"percentile_rank": (None, 0)}, "ab", {"a": 0.0}, population="judged"),
    case({"percentile_rank": None}, "ab", "a", catalog="a"),
)

test_precision = worked(
    "is the share of hits among the first k",
    given(recs="abcd", truth="bd"),
    case({"precision@1": 0.0, "precision@2": 1 / 2, "precision@3": 1 / 3, "precision@4": 2 / 4}),
    "counts the empty ranks of a short list as misses",
    case({"precision@10": 2 / 10}, "abcd", "bd"),
    "a short list may be divided by its length",
    case({"precision(divide_by=list_length)@10": 2 / 4}, "abcd", "bd"),
    "does not depend on grades or on other relevant items",
    case({"precision@9 precision(divide_by=k_or_length)@9": 2 / 9}, "abcde", EITHER),
    case({"precision(divide_by=list_length)@9": 2 / 5}, "abcde", EITHER),
    "is 0 for a user without a list with either divisor",
    case({"P@2 P(divide_by=list_length)@2": 1 / 4}, "ab", {"ann": "a", "bob": "a"}),
    "whole lists can only be divided by their length",
    case({"precision(divide_by=list_length)@all": 2 / 4}, "abcd", "bd"),
    "may divide by k, and whole lists by their length",
    given(recs="abcd", truth={"ann": "bd", "bob": "a"}),
    case({"precision(divide_by=k_or_length)@1000000": 2 / 1000000 / 2}),
    case({"precision(divide_by=k_or_length)@all": 2 / 4 / 2}),
    "has four decimals if requested",
    case({"precision(digits=four)@3": approx(0.3333, abs=1e-15)}, "abcd", "bd"),
    case({"precision(digits=four, divide_by=list_length)@3": 0.5}, "ab", "b"),
    "has as upper bound the share of hits and unjudged ranks",
    # In abcde, b and d are hits, c is judged not relevant, and a and e are not judged.
    # Six items are listed or relevant, with or without a and e.
    given(recs="abcde", truth=JUDGED),
    case({"precision(unjudged=hit)@5 precision(unjudged=hit, divide_by=list_length)@10": 4 / 5}),
    case({"precision(unjudged=hit, divide_by=known)@10": 4 / 6}),
    "has equal bounds if all ranks are judged",
    case({"precision(unjudged=*)@3": 1 / 3}, "bcw", JUDGED),
    "a grade below 0 is not a judgment",
    case({"precision(unjudged=hit)@2": 1 / 2}, "ab", {"a": -1, "b": 0, "x": 1}),
    "may divide whole lists by the items that are recommended or relevant",
    case({"precision(divide_by=k_or_known)@2": 1 / 2}, "abc", "ax"),
    case({"precision(divide_by=k_or_known)@all": 1 / 4}, "abc", "ax"),
)

THREE = ("ann", "bob", "eve")
test_r_precision = worked(
    "is the precision at the rank where a perfect list ends",
    # With three relevant items, three ranks count. They have one hit; another hit is below them.
    case({"r_precision(average=*)": 1 / 3}, "abcde", EITHER),
    "a cutoff is a limit to the ranks",
    case({"r_precision@2": 1 / 2, "Rprec@10": 1 / 3}, "abcd", "bdx"),
    case("a perfect list has 1", {"r_precision": 1}, "ab", "ab"),
    "can divide by all relevant items if the cutoff is smaller",
    given(recs="abcd", truth="bdx"),
    case({"r_precision(divide_by=relevant)@2 r_precision(divide_by=relevant)@10": 1 / 3}),
    "rounds a multiple of the ranks up from a tenth",
    # 3 * 1.5 = 4.5 ranks, so five; 3 * 1.03 = 3.09 ranks, so three.
    case({"r_precision(multiple=1.5)": 3 / 5}, "abcxd", EITHER),
    case({"r_precision(multiple=1.03)": 1 / 3}, "abcxd", EITHER),
    case({"r_precision(multiple=2)": 3 / 6}, "abcxd", EITHER),
    case({"r_precision(multiple=1.5, divide_by=relevant)@4": 2 / 5}, "abcxd", EITHER),
    "can be the mean over users with a hit",
    # Hits within the ranks that count, below them, and none.
    given(
        recs=dict.fromkeys(THREE, "abcd"), truth=dict(zip(THREE, ("bx", "dx", "xy"), strict=True))
    ),
    case({"r_precision@4": (1 / 6, 3), "r_precision(average=users_with_hit)@4": (1 / 2, 1)}),
    # Bob's hit is within k but below R; if no user has a hit within k, the mean is 0.
    case({"r_precision(average=users_with_hit)@4": None}, "abcd", "dx"),
    case({"r_precision(average=users_with_hit)@3": 0}, "abcd", "dx"),
)

test_recall = worked(
    "is the share of relevant items that are within k",
    given(recs="abcde"),
    case({"recall@1": 0.0, "recall@2 recall@3": 1 / 3, "recall@4 recall@10": 2 / 3}, truth=EITHER),
    case("more relevant items than ranks keep it below 1", {"recall@2": 2 / 4}, "ab", "abcd"),
    "may divide by the hits that are possible in k ranks",
    case({"recall(divide_by=achievable)@2": 1}, "ab", "abcd"),
    case({"recall(divide_by=achievable)@10 recall(divide_by=achievable)@all": 2 / 4}, "ab", "abcd"),
    "does not count items judged not relevant as possible hits",
    given(recs="abcde", truth=JUDGED),
    case({"recall(divide_by=achievable)@2 recall(divide_by=achievable_in_list)@2": 1 / 2}),
    "may divide by the hits that are possible in the list",
    case({"recall(divide_by=achievable_in_list)@10": 1 / 2}, "ab", "bcd"),
    case({"recall(divide_by=achievable_in_list)@10": 0}, **nothing_shown("bcd")),
    "is 1 for the only item",
    case({"recall(divide_by=*)@2": 1}, "a", "a"),
    "has four decimals if requested",
    case({"recall(digits=four)@3": approx(0.6667, abs=1e-15)}, "abcd", "abx"),
)

test_reciprocal_rank = worked(
    given(truth="a"),
    case("is one over the rank of the first hit", {"reciprocal_rank@3": 1.0}, "abc"),
    case({"reciprocal_rank@3": 1 / 3}, "bca"),
    case({"reciprocal_rank@3": 0.0}, "bcd"),
    case("later hits change nothing", {"mrr@4": 1 / 2}, "xabc", "abc"),
    case("does not count a hit below k", {"RR@2": 0}, "bca"),
    "each of the items with equal scores is expected equally often",
    given(recs={"x": 2, "a": 1, "b": 1, "c": 1}, ties="expected"),
    # The only hit is equally often at ranks 2, 3 and 4.
    case({"mrr@4": (1 / 2 + 1 / 3 + 1 / 4) / 3}),
    # The first of two hits is at rank 2 in two of three orders, and otherwise at rank 3.
    case({"mrr@4": (2 / 2 + 1 / 3) / 3}, truth={"a": 3, "b": 1}),
    "may be the mean over all relevant items",
    case({"mrr(items=all)@4": (1 / 2 + 1 / 4) / 2, "mrr(items=all)@3": None}, "xabc", "ac"),
    case("accepts whole lists", {"mrr@all": 1 / 8}, "bcdefgha"),
)

test_set_average_precision = worked(
    "is precision times recall",
    case({"set_average_precision set_map Set_AP": 2 / 5 * 2 / 3}, "abcde", EITHER),
    "divides by the length of the list for every cutoff",
    case({"set_map@3": 1 / 3 * 1 / 3, "set_map@9": 2 / 4 * 2 / 3}, "abcd", "bdx"),
    case("does not depend on the order", {"set_map": 2 / 4}, "abcd", "ab"),
    case({"set_map": 2 / 4}, "dcba", "ab"),
    case("is 1 for a list of all relevant items and nothing else", {"set_map": 1}, "ba", "ab"),
)

test_set_f = worked(
    "is the harmonic mean of precision and recall",
    case({"set_f": 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3)}, "abcde", EITHER),
    "x is the weight of recall",
    case({"set_f(x=0.25)": (1 + 0.25) / (1 / (2 / 4) + 0.25 / (2 / 3))}, "abcd", "bdx"),
    case({"set_f(x=2)": (1 + 2) / (1 / (2 / 4) + 2 / (2 / 3))}, "abcd", "bdx"),
    case({"set_f(x=1000000)": (1 + 1000000) / (1 / (2 / 4) + 1000000 / (2 / 3))}, "abcd", "bdx"),
    case("is 0 without a hit", {"set_f": 0}, "ab", "x"),
    "x is not squared, unlike beta",
    # With precision 2/4 and recall 2/3, or two hits of four ranks and three relevant items.
    given(recs="abcd", truth="bdx"),
    case({"set_f(x=4)@4 f_beta(beta=2)@4": 5 * 2 / (4 * 3 + 4), "set_f(x=2)@4": 3 / (2 + 3)}),
    "divides by the length of the list for every cutoff",
    given(recs="abcd", truth="bdx"),
    case({"set_f@9 set_f": 2 * 2 / (3 + 4), "set_f@2": 2 * 1 / (3 + 2)}),
)

test_top_precision = worked(
    "counts items with the highest grade of the user",
    case({"top_precision@2": 1 / 2, "top_precision@4": 2 / 4}, "abc", {"a": 1, "b": 3, "c": 3}),
    "the highest grade may be that of an item that is not recommended",
    case({"top_precision@2": 0}, "ab", {"a": 2, "x": 3}),
    case("equals precision without grades", {"top_precision@3": 2 / 3}, "abc", "ac"),
    "is undefined without a relevant item",
    case({"top_precision@2": None}, "ab", {"a": 2}, relevance_threshold=3, population="all"),
    case({"top_precision@2": None}, "ab", {"a": 0}, population="all"),
)

test_truth_jaccard = worked(
    "is the share of items that are both recommended and relevant",
    case({"truth_jaccard@3": 2 / 5, "truth_jaccard@all": 2 / 6}, "abcd", "bcxy"),
)

# The first item was seen with probability 1/2, and the second with 1/8.
CLICKS = clicked(ann={"a": 0.5, "b": 0.125})
UNSEEN = {"ann": {"a": 0.5}, "bob": {"b": None, "n": float("nan")}}
# For ann, a is second and c is third; for bob, b is third.
EQUAL = ((SECOND + 1 / 2) / (1 + SECOND) + 1 / 2) / 2
test_unbiased_ndcg = worked(
    given(truth=CLICKS),
    "compares with a list of the items with the smallest propensities",
    # b weighs 8 and a 2: best first is b, a.
    case({"unbiased_ndcg@2": (2 + 8 / log2(3)) / (8 + 2 / log2(3))}, "ab"),
    "limits weights",
    # With weights of 3 and 2 the best order is the same.
    case({"unbiased_ndcg(cap=3)@2": (2 + 3 / log2(3)) / (3 + 2 / log2(3))}, "ab"),
    "counts users without a list, and excludes users without a propensity",
    given(truth=clicked(**UNSEEN, cid={"c": 0.0}, dan={"d": 0.5, "e": None})),
    case({"unbiased_ndcg@2": (SECOND / 2, 2)}, {"bob": "bc", "dan": "ed"}),
    "may divide by all weights, or not divide",
    given(recs="xab", truth=clicked(ann={"a": 0.5, "b": 0.125})),
    case({"unbiased_ndcg(divide_by=weights)@3": (2 / log2(3) + 8 / log2(4)) / 10}),
    case({"unbiased_ndcg(divide_by=nothing)@3": 2 / log2(3) + 8 / log2(4)}),
    "equals NDCG if all propensities are equal",
    given(truth=clicked(ann={"a": 0.25, "c": 0.25}, bob={"b": 0.25})),
    case({"unbiased_ndcg@3 ndcg@3": EQUAL}, {"ann": "bacd", "bob": "dab"}),
)


def found(metric, shown, truth=CLICKS):
    return sqlrec.evaluate(metric, recs=lists(shown), truth=truth)


def test_unbiased_ndcg_needs_a_propensity_that_is_a_probability():
    plain = CLICKS.drop_columns("propensity")
    with raises(sqlrec.InputError, match="truth has no column 'propensity'"):
        found("unbiased_ndcg@2", {"ann": "ab"}, plain)
    for wrong in (1.5, -0.5, 1e-101):
        with raises(sqlrec.DataError, match="item a of user ann has a propensity below 0, above 1"):
            found("unbiased_ndcg@2", {"ann": "ab"}, clicked(ann={"a": wrong}))
    # Other metrics do not read it.
    assert values(found("ndcg@2", {"ann": "ab"}, clicked(ann={"a": 1.5}))) == [1]


CLICKED = clicked(ann={"a": 0.5, "b": 0.125, "c": None}, bob={"a": 1.0})
test_unbiased_precision = worked(
    given(recs={"ann": "ab", "bob": "xa"}, truth=CLICKED),
    "estimates the clicks if all items were seen",
    # ann's a weighs 2, b 8, c nothing.
    case({"unbiased_precision@1": (2 + 0) / 2, "unbiased_precision@2": (10 / 2 + 1 / 2) / 2}),
    "limits weights, and is then precision",
    case({"unbiased_precision(cap=1)@2 precision@2": 0.75}),
    "counts users without a list and short lists as misses",
    case({"unbiased_precision@4": (0.125, 2)}, {"bob": "a"}),
)


def test_unbiased_precision_of_clicks_equals_precision_of_all_relevant_items():
    chance = np.random.default_rng(7)
    users, items = 3000, 8
    relevant = chance.random((users, items)) < np.linspace(0.2, 0.6, items)
    # Items were shown in one order, and users look at rank r with the probability 1 / r.
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


test_unbiased_recall = worked(
    given(truth=CLICKED),
    "weights clicks by their inverse propensities",
    # ann's a weighs 2, b 8, c nothing.
    case({"unbiased_recall@1 unbiased_recall@2": 0.2 / 2, "unbiased_recall": 1 / 2}, "axb"),
    case("limits weights", {"unbiased_recall(cap=4)@1": 2 / 6 / 2}, {"ann": "ab", "bob": "xa"}),
    case("counts users without a list", {"unbiased_recall@2": (0.5, 2)}, {"bob": "a"}),
    "is undefined for a user without a click",
    # Bob, who has no list, has 0; carl clicked nothing.
    case({"unbiased_recall@2": (0.5, 2)}, {"ann": "ab", "carl": "ab"}, population="all"),
    "may be divided by the number of clicks",
    given(recs={"ann": "axb", "bob": "xa"}),
    case({"unbiased_recall(divide_by=relevant)@3": ((2 + 8) / 3 + 1) / 2}),
)

test_unjudged_share = worked(
    "is the share of recommendations that are not judged",
    case({"unjudged@4": 2 / 4, "unjudged@all": 2 / 5}, "abcde", {"a": 1, "c": 0, "e": 2}),
    "divides a short list by its length or by k",
    case({"unjudged@4": 2 / 3, "unj(divide_by=k)@4": 2 / 4}, "abc", "a"),
    "counts a grade below 0 as no judgment unless it is relevant",
    case({"unjudged@2 unj(divide_by=k)@2": 1 / 2}, "ab", {"a": 1, "b": -1}),
    case({"unjudged@2": 0}, "ab", {"a": 1, "b": -1}, relevance_threshold=-1),
    "is 1 if no item is judged, and excludes users without a list",
    case({"unjudged@2": (1, 1)}, "a", {"ann": "z", "bob": "b"}),
    case({"unjudged(divide_by=k)@2": (0.5, 1)}, "a", {"ann": "z", "bob": "b"}),
)

test_parameters = refused(
    ("depth_precision@all", "depth_precision needs a number as cutoff"),
    ("unbiased_precision@all", "unbiased_precision needs a number as cutoff"),
    ("iprec(recall=1.5)", "recall must be a number from 0 to 1"),
    ("set_f(x=0)", "x must be a number above 0 to 1000000"),
    ("set_f(x=-1)", "x must be a number above 0 to 1000000"),
    ("set_f(x=1000001)", "x must be a number above 0 to 1000000"),
)
