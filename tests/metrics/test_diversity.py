from math import log, log2, nan, sqrt

import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec

from ..tables import labeled, lists, table
from .cases import SECOND, case, given, vectors, worked

ITEMS = labeled("aspect", "a=1 b=1 c=2 d=1,2")
OF_AN_ASPECT = {
    "recs": {"ann": "xa", "bob": "a", "dan": "a"},
    "truth": {"ann": "x", "bob": "a", "cid": "c"},
    "items": labeled("aspect", "a=1 b=2 c=1"),
}
HUNDRED = [f"{number:03}" for number in range(120)]
test_alpha_dcg = worked(
    given(truth="abc", items=ITEMS),
    "divides by a list of hits with all aspects",
    # b gains half, since a above has its aspect; c has an aspect of its own.
    case({"alpha_dcg@3": (1 + SECOND / 2 + 1 / 2) / 2 / (1 + SECOND / 2 + 1 / 4 / 2)}, "abc"),
    "alpha is the loss of each further hit with an aspect",
    case({"alpha_dcg(alpha=0)@2": (1 + SECOND) / (2 * (1 + SECOND))}, "ab"),
    case({"alpha_dcg(alpha=1)@2": 1 / 2}, "ab"),
    case({"alpha_dcg(alpha=0.25)@2": 1.0}, "ab", "ab"),
    "shorter lists are compared with k ranks",
    case({"alpha_dcg@3": 1 / (1 + SECOND / 2 + 1 / 4 / 2), "alpha_dcg@1": 1.0}, "d", "d"),
    "is 1 if all items are hits with all aspects",
    given(recs="abcd", truth="abcd", items=labeled("aspect", dict.fromkeys("abcd", "12"))),
    case({"alpha_dcg@4 intent_err(alpha=0.9)@3": 1.0}),
    "is 0 without a list, and undefined without a relevant item with an aspect",
    given(**OF_AN_ASPECT),
    case({"alpha_dcg@2": {"ann": None, "bob": 1 / (1 + SECOND / 2), "cid": 0}}),
    case({"intent_err@2": {"ann": None, "bob": 1 / (1 + 1 / 4), "cid": 0}}),
    "can be requested with other metrics of aspects",
    # In xac, a has the first aspect at rank 2, and c the second at rank 3; b is relevant too.
    given(recs="xac"),
    case({"alpha_dcg@2": SECOND / (2 * (1 + SECOND / 2)), "alpha_ndcg@2": SECOND / (1 + SECOND)}),
    case({"alpha_dcg(alpha=0.3)@3": (SECOND + 1 / 2) / (2 * (1 + 0.7 * SECOND + 0.7**2 / 2))}),
    case({"intent_err@2": 1 / 2 / (2 * (1 + 1 / 2 / 2)), "intent_err(alpha=1)@2": 1 / 2 / 2}),
    case({"nrbp@all": 3 / 4 * (1 / 2 + 1 / 4) / 2}),
)

test_alpha_ndcg = worked(
    given(recs="abc", truth="abc", items=ITEMS),
    "counts a hit half if a hit above has its aspect",
    # The best list takes c before the second item of aspect 1.
    case({"alpha_ndcg@3": (1 + SECOND / 2 + 1 / 2) / (1 + SECOND + 1 / 2 / 2)}),
    "an item gains the sum of its aspects",
    # d gains 2 at rank 1, and then a and c half each.
    given(recs="ad", truth="acd"),
    case({"alpha_ndcg@3": (1 + (1 / 2 + 1) / log2(3)) / (2 + SECOND / 2 + 1 / 2 / 2)}),
    "items that are not relevant do not count as earlier ones",
    case({"alpha_ndcg@3": (SECOND + 1 / 2) / (1 + SECOND)}, "bac", "ac"),
    "alpha is the loss of each further hit with an aspect",
    case({"alpha_ndcg(alpha=0)@2": 1.0, "alpha_ndcg(alpha=1)@2": 1 / (1 + SECOND)}, "ab"),
    case({"alpha_ndcg(alpha=0.25)@2": (1 + SECOND * 3 / 4) / (1 + SECOND)}, "ab"),
    "the best list puts the largest id first among items of equal gain",
    # b, a, c gain 2 each at first. c goes first, and leaves 2 to a and 1 + 1/2 to b.
    given(items=labeled("aspect", "a=1,2 b=2,3 c=3,4")),
    case({"alpha_ndcg@3": (2 + 1.5 * SECOND + 1.5 / 2) / (2 + 2 * SECOND + 1 / 2)}),
    # Exchanging a and c changes nothing; with b first the value is lower.
    case({"alpha_ndcg@3": 1.0}, "cab", items=labeled("aspect", {"a": "12", "c": "23", "b": "34"})),
    given(items=labeled("aspect", "a=1,2 c=2,3 b=3,4")),
    case({"alpha_ndcg@3": (2 + 2 * SECOND + 1 / 2) / (2 + 1.5 * SECOND + 1.5 / 2)}),
    "an item without an aspect gains nothing and a repeated aspect counts once",
    given(recs="xac", truth="acx", items=labeled("aspect", {"a": "11", "c": "2"})),
    case({"alpha_ndcg@3": (SECOND + 1 / 2) / (1 + SECOND)}),
    "is 0 without a hit or list, and undefined without a relevant item with an aspect",
    given(
        recs={"ann": "xy", "cid": "x", "dot": "ax"},
        truth={"ann": "a", "bob": "a", "cid": "x", "dot": "ax"},
    ),
    case({"alpha_ndcg@2": (1 / 3, 3)}),
    case({"alpha_ndcg@2": {"ann": 0, "bob": 0, "cid": None, "dot": 1}}),
    "does not depend on grades of relevant items",
    case({"alpha_ndcg@2": 1.0}, "ab", {"a": 1, "b": 5, "c": 0}),
    "is 1 for a long list of one aspect that is the best list",
    given(recs=HUNDRED, truth=HUNDRED, items=labeled("aspect", dict.fromkeys(HUNDRED, "1"))),
    case({"alpha_ndcg(alpha=0.999)@100": 1.0}),
    "with the convention of rs_metrics also counts earlier items that are not relevant",
    # b has the aspect of a; three ranks are one round of both aspects, and one rank of the next.
    # With alpha 0 each hit counts for both aspects of the list, and the best has 1 in each rank.
    given(recs="bac", truth="ac"),
    case({"alpha_ndcg(form=rs_metrics)@3": (SECOND / 2 + 1 / 2) / (1 + SECOND + 1 / 4)}),
    case({"alpha_ndcg(form=rs_metrics, alpha=0)@3": (2 * SECOND + 1) / (1 + SECOND + 1 / 2)}),
    case({"alpha_ndcg(form=rs_metrics)@1 alpha_ndcg(form=rs_metrics, alpha=0)@1": 0}),
    "one aspect of all items is enough",
    given(recs="xa", truth="a", items=labeled("aspect", "a=1 b=1")),
    case({"alpha_ndcg(form=rs_metrics, alpha=0)@2": SECOND / (1 + SECOND)}),
    "with the convention of rs_metrics cuts the best list like a short list, and is "
    "undefined without a list",
    given(
        recs={"ann": "d", "cid": "x"},
        truth={"ann": "ad", "bob": "a", "cid": "a"},
        convention="rs_metrics",
    ),
    case({"a_ndcg@5": {"ann": 2, "bob": None, "cid": 0}}),
    case({"a_ndcg@5": None}),
    "is independent for each cutoff and alpha",
    # d and c are the best two; a and b, of the first aspect, come after them.
    given(recs="bcad", truth="abcd"),
    case({"alpha_ndcg@1": 1 / 2}),
    case({"alpha_ndcg(alpha=1)@2 alpha_ndcg(alpha=1)@3": (1 + SECOND) / 2}),
    "can be above 1, because the best list is chosen rank by rank",
    # The list that is built is c, b, a.
    given(items=labeled("aspect", "a=1,2 c=2,3 b=3,4")),
    case({"alpha_ndcg@2": (2 + 2 * SECOND) / (2 + 1.5 * SECOND)}),
)

CALIBRATION_ITEMS = labeled("category", {"a": "1", "b": "2", "c": "12", "d": "3"})
test_calibration_js = worked(
    given(items=CALIBRATION_ITEMS),
    "is 0 if list and history have the same shares of categories",
    case({"calibration_js@all": 0}, "abc", history="ab"),
    "is 1 if list and history have no category in common",
    case({"calibration_js@all": 1}, "d", history="ab"),
    "is the mean divergence of both from their average",
    # The history has 1/4 of category 2, and the list 1/2 of each; the averages are 5/8 and 3/8.
    given(recs="ab", history="ac"),
    case({"calibration_js@all": (3 * log2(6 / 5) / 4 + log2(2 / 3) / 4 + log2(16 / 15) / 2) / 2}),
    "uses only the ranks within k",
    given(recs="ab", history="a"),
    case({"calibration_js@1": 0.0, "calibration_js@2": (log2(4 / 3) + (log2(2 / 3) + 1) / 2) / 2}),
    "excludes items without a category, and counts an item of the history once",
    case({"calibration_js@all": 0}, "axb", history="aybbz"),
    "excludes users without a category in the list or the history",
    given(
        recs={"ann": "x", "bob": "a", "cid": "a", "dot": "a"},
        history={"ann": "a", "bob": "x", "dot": "a", "eve": "a"},
    ),
    case({"calibration_js@2": (0, 1)}),
    case({"calibration_js@2": {"ann": None, "bob": None, "cid": None, "dot": 0}}),
)

test_calibration_kl = worked(
    given(items=CALIBRATION_ITEMS),
    "is 0 if list and history have the same shares of categories",
    case({"calibration_kl@all": approx(0, abs=1e-15)}, "abc", history="ab"),
    "is the divergence of the history from the list, smoothed with a share of the history",
    given(recs="ab", history="ac"),
    case({"calibration_kl@all": 3 * log2(0.75 / (0.495 + 0.0075)) / 4 + log2(0.25 / 0.4975) / 4}),
    "is finite if the list has no category of the history",
    case({"calibration_kl@1": log2(100)}, "d", history="ab"),
    case({"calibration_kl(unit=nats)@1": log(100)}, "d", history="ab"),
    case({"calibration_kl(alpha=0.5)@1": 1.0}, "d", history="ab"),
    "divides an item equally among its categories",
    # The list: 1 and 1/2 of category 1, 1/2 of category 2.
    case({"calibration_kl@all": log2(1 / (0.99 * 3 / 4 + 0.01))}, "ac", history="a"),
    "an item of the history counts once",
    case({"calibration_kl@all": approx(0, abs=1e-15)}, "ab", history="abbb"),
    "items without a category are excluded",
    case({"calibration_kl@all": approx(0, abs=1e-15)}, "axb", history="aybz"),
    "excludes users without a category in the list or the history",
    given(
        recs={"ann": "xa", "bob": "a", "cid": "a", "dot": "a"},
        history={"ann": "a", "bob": "xy", "dot": "a"},
    ),
    case({"calibration_kl@1": {"ann": None, "bob": None, "cid": None, "dot": 0.0}}),
    case({"calibration_kl@2": {"ann": 0.0, "bob": None, "cid": None, "dot": 0.0}}),
)

CATEGORY_ITEMS = labeled("category", {"a": "12", "b": "1", "c": "3", "d": "4"})
test_category_coverage = worked(
    given(items=CATEGORY_ITEMS),
    "is the number of different categories by rank",
    case({"category_coverage@1 category_coverage@2 category_coverage@3": 1}, "bac"),
    case("can be above 1 if items have several categories", {"category_coverage@1": 2}, "a"),
    "divides by the length of a short list or by all categories",
    case({"category_coverage@5": 2 / 5, "category_coverage(divide_by=list_length)@5": 2 / 2}, "bc"),
    case({"category_coverage(divide_by=categories)@all": 3 / 4}, "bac"),
    "may count a rank for each category of an item",
    case({"category_coverage(ranks=categories)@1": 1.0}, "abc"),
    case({"category_coverage(ranks=categories)@3": 2 / 3}, "abc"),
    case("an item without a category adds none", {"category_coverage@2": 1 / 2}, "bx"),
    case({"category_coverage(divide_by=*)@2": 0}, "xy"),
    "a user without a list is excluded",
    # Bob's list has no rank 1.
    case({"category_coverage@1": (1, 1)}, lists({"ann": "b", "bob": "xa"}).take([0, 2])),
    "is undefined as a share if no item has a category",
    given(recs="ab", items=table([("a", None)], item_id=pa.string(), category=pa.string())),
    case({"category_coverage(divide_by=categories)@2": (None, 0), "category_coverage@2": (0, 1)}),
)

# Two ranks of the first category, one of the second, none of the others, and 1/2 of each.
COUNTS = (2.5, 1.5, 0.5, 0.5)
test_category_entropy = worked(
    given(recs="ab", items=CATEGORY_ITEMS),
    "is 0 for one category and grows with their number",
    given(recs="bcd"),
    case({"category_entropy@1": 0.0, "category_entropy@2": 1.0, "category_entropy@3": log2(3)}),
    "an item of two categories counts in both",
    # Category 1 twice, category 2 once.
    case({"category_entropy@2": 2 / 3 * log2(3 / 2) + 1 / 3 * log2(3)}),
    case("an item without a category counts in none", {"category_entropy@3": 1.0}, "bxc"),
    "a list without a category is excluded",
    case({"category_entropy@2": (1, 1)}, {"ann": "xy", "bob": "bc"}),
    case({"category_entropy@2": {"ann": None, "bob": 1}}, {"ann": "xy", "bob": "bc"}),
    "smoothing adds a constant to each category",
    # Categories 1 to 4: two ranks of the first, one of the second, none of the others.
    case({"category_entropy(smoothing=0.5)@2": sum(n / 5 * log2(5 / n) for n in COUNTS)}),
    # A list without a category has equal counts of all categories.
    case({"category_entropy(smoothing=0.25)@2 category_entropy(smoothing=0.5)@2": 2.0}, "xy"),
)

VECTOR_ITEMS = vectors(a=(1, 0), b=(0, 5), c=(3, 4), d=(2, 0), e=(-1, 0), z=(0, 0))
test_cosine_diversity = worked(
    given(recs="ac", items=VECTOR_ITEMS),
    case("is 1 minus the mean cosine of two items", {"cosine_diversity@all": 1 - 3 / 5}),
    case("does not depend on the lengths of vectors", {"cosine_diversity@all": 0.0}, "ad"),
    "pairs of an item with itself may be excluded",
    # Four of ten pairs are at distance 1: three of a and b, and one of b and d. Three pairs of a
    # and d, and three of a with itself, are at distance 0.
    case({"cosine_diversity(convention=jurity, pairs=ranks)@all": 4 / 10}, "abada"),
    case({"cosine_diversity(convention=jurity, pairs=items)@all": 4 / 7}, "abada"),
    case({"cosine_diversity(convention=jurity, pairs=ranks)@all": 0}, "aa"),
    case({"cosine_diversity(convention=jurity, pairs=items)@all": None}, "aa"),
    case("is up to 2 if values are below 0", {"cosine_diversity@all": 2.0}, "ae"),
    case("an item without a feature is at distance 1", {"cosine_diversity@all": 1}, "az"),
    case({"cosine_diversity@all": 1}, "xy"),
    "a missing value is 0",
    case({"cosine_diversity@all": 0.0}, items=vectors(a=(1, None), c=(3, nan))),
    "uses the mean if a feature has several values",
    given(items=pa.concat_tables([vectors(a=(1, 0), c=(3, 4)), vectors(a=(1, 2))])),
    case({"cosine_diversity@all": 1 - (3 + 4) / (5 * sqrt(2))}),
    "a list of one item is excluded",
    case({"cosine_diversity@1": (None, 0)}, {"ann": "a", "bob": "ab"}),
    case({"cosine_diversity@2": (1, 1)}, {"ann": "a", "bob": "ab"}),
    "may divide the sum of distances by the ranks",
    case({"cosine_diversity(divide_by=ranks)@all": (1 + 2 / 5 + 1 / 5) / 3}, "abc"),
    case({"cosine_diversity(divide_by=ranks)@all": 0}, "a"),
    # The pairs are a and a, and a and b twice; two of them are at distance 1.
    case({"cosine_diversity(convention=jurity, pairs=ranks, divide_by=ranks)@all": 2 / 3}, "aab"),
    case({"cosine_diversity(convention=jurity, pairs=items, divide_by=ranks)@all": 2 / 3}, "aab"),
    "is accurate for very large and very small values",
    case({"cosine_diversity@all": 1 - 1 / sqrt(2)}, items=vectors(a=(1e100, 1e100), c=(1e-90, 0))),
)

# a and b differ in one category, a and c in three; d has no category, and x is not among the items.
HAMMING_DIVERSITY_ITEMS = labeled("category", {"a": "12", "b": "1", "c": "3"})
test_hamming_diversity = worked(
    given(items=HAMMING_DIVERSITY_ITEMS),
    "is the mean number of categories in which two items differ",
    case({"hamming_diversity@all": 1}, "ab"),
    "counts all categories of the other item for an item without a category",
    case({"hamming_diversity@all": 2}, "ax"),
    case({"hamming_diversity@all": 0}, "dx"),
    "uses only the ranks within k",
    case({"hamming_diversity@2": 1.0, "hamming_diversity@3 hamming_diversity@9": 2.0}, "abc"),
    "a list of one item is excluded",
    case({"hamming_diversity@1": (None, 0)}, {"ann": "a", "bob": "ab"}),
    case({"hamming_diversity@2": (1, 1)}, {"ann": "a", "bob": "ab"}),
    "a repeated category counts once",
    case({"hamming_diversity@2": 1}, "ab", items=labeled("category", {"a": "1122", "b": "1"})),
)

test_intent_average_precision = worked(
    given(items=ITEMS),
    "averages the average precision over aspects",
    # Aspect 1 has a and b, at ranks 1 and 3; aspect 2 has c, at rank 2.
    given(recs="acb", truth="abc"),
    case({"intent_average_precision@3": ((1 / 1 + 2 / 3) / 2 + 1 / 2) / 2}),
    "accepts whole lists",
    given(recs="xyzd", truth="ad"),
    case({"ap_ia@all": (1 / 4 / 2 + 1 / 4) / 2}),
    "is 0 without a hit",
    given(recs="xy", truth="ab"),
    case({"intent_average_precision@2": 0}),
)

test_intent_err = worked(
    given(truth="abc", items=ITEMS),
    "divides by a list of hits with all aspects",
    # b gains half, since a above has its aspect; c has an aspect of its own.
    case({"intent_err@3": (1 + 1 / 2 / 2 + 1 / 3) / (2 * (1 + 1 / 2 / 2 + 1 / 4 / 3))}, "abc"),
    "alpha is the loss of each further hit with an aspect",
    case({"intent_err(alpha=0)@2 intent_err(alpha=1)@2": 1 / 2}, "ab"),
    given(recs="abc"),
    case({"intent_err(alpha=0.25)@3": (1 + 3 / 8 + 1 / 3) / (2 * (1 + 3 / 8 + 9 / 16 / 3))}),
    "items that are not relevant do not count as earlier ones",
    given(recs="ba", truth="a"),
    case({"intent_err@2": 1 / 2 / (1 + 1 / 4)}),
)

test_intent_precision = worked(
    given(truth="abc", items=ITEMS),
    "averages the precision over aspects",
    # Aspect 1 has a and b in three ranks, aspect 2 has c.
    case({"intent_precision@3": (2 / 3 + 1 / 3) / 2}, "abc"),
    "counts an item for each of its aspects",
    given(recs="d", truth="ad"),
    case({"p_ia@1": 1.0, "p_ia@4": 1 / 4}),
)

test_inter_list_diversity = worked(
    given(recs={"ann": "ab", "bob": "cb", "cid": "de"}),
    "is the mean distance of all pairs of lists",
    # 1 of 2 items in common, none, none.
    case({"personalization@2": (1 / 2 + 1 + 1) / 3}),
    "is 0 for lists of the same items in any order",
    case({"personalization@3": approx(0, abs=1e-15)}, {"ann": "abc", "bob": "cba"}),
    "is 1 for lists without common items",
    case({"personalisation@1": 1}, {"ann": "abc", "bob": "cba"}),
    "is the cosine distance for lists of different lengths",
    case({"personalization": 1 - 1 / 2}, {"ann": "abcd", "bob": "a"}),
    case("is undefined for a single list", {"personalization@2": None}, "ab"),
    "may divide by k, as if each list had k items",
    # 1, 0 and 0 items in common, of 2.
    # Items are shown 1, 2, 1, 1 and 1 times, and of three lists of 4 items: (8 / 4 - 3) / 6.
    case({"personalization(divide_by=k)@2": 1 - 1 / 2 / 3}),
    case({"personalization(divide_by=k)@4": 1 + 1 / 6}),
    case({"personalization(divide_by=k)@2": None}, "ab"),
)


def apart(**distances):
    found = [(pair[0], pair[1], distance) for pair, distance in distances.items()]
    return table(found, item_id=pa.string(), other_item_id=pa.string(), distance=pa.float64())


INTRA_LIST_DIVERSITY_ITEMS = apart(ab=1, ac=4, bc=2)
test_intra_list_diversity = worked(
    given(recs="ab", items=INTRA_LIST_DIVERSITY_ITEMS),
    case("is the mean distance of two items of the list", {"ild@all": (1 + 4 + 2) / 3}, "abc"),
    case("uses the distance of a pair in both directions", {"ild@all": 1}),
    case({"ild@all": 1}, "ba"),
    "uses the mean if a pair has several distances",
    case({"ild@all": 5 / 2}, items=apart(ab=1, ba=4)),
    case("a pair without a distance is excluded", {"ild@all": 1}, "abx"),
    case({"ild@all": 1}, "abc", items=apart(ab=1, ac=None, bc=nan)),
    "a list without pairs that have a distance is excluded",
    case({"ild@2": (1, 1)}, {"ann": "a", "bob": "ax", "cid": "ab"}),
    case({"ild@2": {"ann": None, "bob": None, "cid": 1}}, {"ann": "a", "bob": "ax", "cid": "ab"}),
)

test_intra_list_similarity = worked(
    given(items=VECTOR_ITEMS),
    case("is the mean cosine of two items", {"intra_list_similarity@all": 3 / 5}, "ac"),
    "is 1 for items with the same vector, and 0 for items without one",
    case({"intra_list_similarity@all": 1.0}, "ad"),
    case({"intra_list_similarity@all": -1.0}, "ae"),
    case({"intra_list_similarity@all": 0.0}, "az"),
    "excludes lists of one item",
    case({"intra_list_similarity@2": (3 / 5, 1)}, {"ann": "ac", "bob": "a"}),
)

JACCARD_DIVERSITY_ITEMS = labeled("category", {"a": "12", "b": "1", "c": "3", "d": "12"})
test_jaccard_diversity = worked(
    given(items=JACCARD_DIVERSITY_ITEMS),
    "is 1 minus the share of categories that two items have in common",
    case({"jaccard_diversity@all": 1 / 2}, "ab"),
    case("is 0 for items of the same categories", {"jaccard_diversity@all": 0}, "ad"),
    case("an item without a category has nothing in common", {"jaccard_diversity@all": 1}, "bx"),
    "a list of one item is excluded",
    case({"jaccard_diversity@1": (None, 0)}, {"ann": "a", "bob": "ab"}),
    case({"jaccard_diversity@2": (1 / 2, 1)}, {"ann": "a", "bob": "ab"}),
    "uses only the ranks within k",
    given(recs="adb"),
    case({"jaccard_diversity@2": 0.0, "jaccard_diversity@3": (0 + 1 / 2 + 1 / 2) / 3}),
    # Next to a metric of the same pairs, whose items differ in none, one and one.
    case({"jaccard_diversity@9": 1 / 3, "hamming_diversity@9": (0 + 1 + 1) / 3}),
)

EIGHT = labeled("aspect", dict.fromkeys("abcdefgh", "12"))
test_nrbp = worked(
    given(recs="abc", truth="abc"),
    "discounts further hits with the same aspect, and lower ranks",
    given(items=ITEMS),
    case({"nrbp@3": 3 / 4 * (1 + 1 / 2 * 1 / 2 + 1 / 4) / 2}),
    "alpha and p are these discounts",
    # b gains 3/4, at 0.2 of the first rank; c gains 1, at 0.04.
    given(items=ITEMS),
    case({"nrbp(alpha=0.25,p=0.2)@3": (1 - 0.15) * (1 + 3 / 4 * 0.2 + 0.04) / 2}),
    case({"nrbp(alpha=1)@3": (1 + 1 / 4) / 2}),
    "is close to 1 if all items are hits with all aspects",
    given(
        recs="abcdefgh", truth="abcdefgh", items=labeled("aspect", dict.fromkeys("abcdefgh", "12"))
    ),
    case({"nrbp@all": approx(1, abs=0.0001)}),
)

test_subtopic_recall = worked(
    given(items=ITEMS),
    "is the share of the user's aspects that some hit has",
    case({"subtopic_recall@3": 1 / 2}, "xab", "abc"),
    case({"subtopic_recall@1": 1}, "d", "abd"),
    "items that are not relevant do not count",
    case({"subtopic_recall@2": 1, "subtopic_recall@1": 0}, "ca", "ab"),
    "accepts whole lists and several cutoffs",
    case({"st_recall@all": 1, "st_recall@3": 1 / 2, "st_recall@2": 0}, "xyca", "abc"),
    "may be the share of all aspects of all items",
    # a has aspect 1, and c, which is not shown, has aspect 2; x has no aspect.
    case({"subtopic_recall(divide_by=all)@3": 1 / 2}, "xab", "ab"),
    case({"subtopic_recall(divide_by=all)@2": 0}, "ab", "x"),
    "can be requested with other metrics of aspects",
    # In xac, a has the first aspect at rank 2, and c the second at rank 3; b is relevant too.
    given(recs="xac", truth="abc"),
    case({"subtopic_recall@2": 1 / 2, "subtopic_recall@1": 0}),
    case({"alpha_ndcg(form=rs_metrics)@2 alpha_ndcg(alpha=0.25)@2": SECOND / (1 + SECOND)}),
    case({"nrbp@2": 3 / 4 * (1 / 2) / 2, "map_ia@2": (1 / 2 / 2 + 0) / 2, "p_ia@3": 2 / 3 / 2}),
    "is undefined without a relevant item that has an aspect",
    given(**OF_AN_ASPECT),
    case({"subtopic_recall@2 intent_average_precision@2": 1 / 2}),
    case({"intent_precision@2": 1 / 4, "nrbp@2": 3 / 8}),
    case({"subtopic_recall@2": {"ann": None, "bob": 1, "cid": 0}}),
)


@mark.parametrize(
    "metric, items",
    [
        ("cosine_diversity@all", vectors(a=(1.1e100, 0), b=(1, 0))),
        ("intra_list_diversity@all", apart(ab=float("inf"))),
    ],
)
def test_values_that_cannot_be_added_are_refused(metric, items):
    with raises(sqlrec.DataError, match="items: item a has a value or distance beyond 1e100"):
        sqlrec.evaluate(metric, recs=lists({"ann": "ab"}), items=items)
