from math import log, log2

import pyarrow as pa
from pytest import raises

import sqlrec

from ..tables import lists, rows, table, wanted
from .cases import SECOND, case, given, worked

CATALOG = table([(item,) for item in "abcdea"], item_id=pa.string())
HISTORY = lists({"ann": "abx", "eve": "ay"})
A = 1 / (1 + SECOND)
test_catalog_coverage = worked(
    "is the share of the catalog that is in some list",
    given(recs={"ann": "abc", "bob": "bd"}, catalog=CATALOG, history=HISTORY),
    case({"coverage@1": 2 / 5, "coverage@2": 3 / 5, "coverage": 4 / 5}),
    "does not count items outside the catalog",
    case({"coverage@2": 1 / 5}, {"ann": "xa", "bob": "yz"}, catalog=CATALOG, history=HISTORY),
    "is 1 for a catalog of one item that is in a list",
    case({"coverage@2": 1}, "xa", catalog="a", history=HISTORY),
    "may count items outside the catalog",
    given(catalog=CATALOG, history=HISTORY),
    given(recs={"ann": "xa", "bob": "yz"}, catalog=CATALOG, history=HISTORY),
    case({"coverage(outside=counted)@2": 4 / 5, "coverage(items=history, outside=counted)@2": 1.0}),
    "may be the share of the items of the history, and then needs no catalog",
    given(recs={"ann": "xa", "bob": "ax", "cid": "cd"}, history=HISTORY),
    case({"coverage(items=history)@2": 2 / 4}),
    "may have further items that no list contains",
    given(recs={"ann": "ab", "bob": "ac"}, catalog=CATALOG, history=HISTORY),
    case({"coverage(padding=1)@1": 1 / 6, "coverage(padding=3)@2": 3 / 8}),
    case({"coverage(items=history, padding=1)@2": 2 / 5}),
    case("may be a number of items", {"catalog_coverage(unit=items)@3": 2}, "abx", catalog="abc"),
    "may be a percentage with two decimals",
    case({"coverage(unit=percent)": 33.33}, "ax", catalog="abc", history=HISTORY),
    case({"coverage(unit=percent, outside=counted)": 66.67}, "ax", catalog="abc", history=HISTORY),
)


def test_catalog_coverage_is_of_the_lists_of_each_segment_together():
    users = table([("ann", "x"), ("bob", None)], user_id=pa.string(), land=pa.string())
    shown = {"ann": "ab", "bob": "b", "cid": "c"}
    result = sqlrec.evaluate(
        "coverage@2", recs=lists(shown), catalog=CATALOG, users=users, by=["land"]
    )
    results = {land: rest for land, *rest in rows(result, "land", "value", "users")}
    assert results == {"x": [2 / 5, 1], None: [2 / 5, 2]}


# Shown to 3, 2 and 1 users.
SHOWN = {"ann": "abc", "bob": "ab", "cid": "a"}
test_gini = worked(
    given(recs=SHOWN, catalog="abc"),
    "is half the mean difference relative to the mean",
    # Differences 1, 1 and 2, each in two orders, and 0 between an item and itself; the mean is 2.
    case({"gini(items=recommended)@3": 8 / 9 / 2 / 2}),
    "over the catalog counts items that are in no list, and no items outside the catalog",
    case({"gini@3": (4 + 3 + 2 + 1) / 16 / 1.5}, catalog="abcz"),
    case({"gini(items=catalog)@3": 1 / 4 / 1.5}, catalog="bc"),
    case({"gini(items=catalog)@3": None}, catalog="yz"),
    "is 0 if all items are in equally many lists",
    given(recs={"ann": "abc", "bob": "bca", "cid": "cab"}),
    case({"gini(items=recommended)@2 gini@2 gini(items=recommended, weight=rank)@2": 0}),
    "is 0 if rounding would make it negative",
    given(recs={str(turn): "abcde"[turn:] + "abcde"[:turn] for turn in range(5)}),
    case({"gini(items=recommended, weight=rank)@5": 0}),
    "is the share of the other items if one item is in all ranks",
    case({"gini(items=catalog)@1": 3 / 4}, {"ann": "a", "bob": "a"}, catalog="abcd"),
    "with geometric weights discounts a rank by a constant factor",
    # a has 1 and 0.5, b has 0.5, c has 1 and 0.25; 0.85 and 0.7225 by default.
    given(recs={"ann": "abc", "bob": "ca"}),
    case({"gini(weight=geometric, patience=0.5)@3": (1.0 + 0.25 + 0.75) / 3 / (1.5 + 0.5 + 1.25)}),
    case({"gini(weight=geometric)@3": (0.15 + 0.2775 + 0.1275) / 3 / (1 + 0.85 + 0.7225)}, "abc"),
    "with geometric weights counts the items of the catalog",
    given(recs="abc", catalog="abz"),
    case({"gini(items=catalog, weight=geometric, patience=0.5)@2": (0.5 + 1 + 0.5) / 3 / 1.5}),
    "may weight a recommendation by its rank",
    # a has 1 and b has 1 / log2(3).
    given(recs="ab"),
    case({"gini(items=recommended, weight=rank)@2": (1 - SECOND) / 2 / (1 + SECOND)}),
    "may divide by n - 1, so that it is 1 if one item is in all ranks",
    case({"gini(items=recommended, divide_by=others)@3": 8 / 9 / 2 / 2 * 3 / 2}),
    case(
        {"gini(items=catalog, divide_by=others)@1": 1.0}, {"ann": "a", "bob": "a"}, catalog="abcd"
    ),
    case({"gini(items=recommended, divide_by=others)@1": None}, {"ann": "a", "bob": "a"}),
    "may have further items of the catalog that no list contains",
    case({"gini(items=catalog, padding=2)@3": (1 + 2 + 3 + 3 + 1 + 2 + 2 + 1 + 1) / 5 / 6}),
    case({"gini(items=catalog)@3": (1 + 2 + 3 + 3 + 1 + 2 + 2 + 1 + 1) / 5 / 6}, catalog="abcyz"),
    "with the convention of RecBole counts only lists of users of the truth",
    given(recs={"ann": "ab", "bob": "a", "cid": "b"}, truth={"ann": "z", "bob": "z"}),
    case({"gini(convention=recbole)@2": (1 + 2 + 2 + 1 + 1) / 4 / 3}),
)

test_gini_diversity = worked(
    given(catalog="abc"),
    "is 1 minus the mean difference of two different items, divided by twice the mean",
    # Differences 1, 1 and 2 of three pairs; the mean is 2.
    given(recs={"ann": "abc", "bob": "ab", "cid": "a"}),
    case({"gini_diversity@3 gini_complement@3": 1 - 4 / 3 / 4}),
    "is 1 if all items are in equally many lists, and 0 if one item is in all ranks",
    case({"gini_diversity@1": 1.0}, {"ann": "a", "bob": "b", "cid": "c"}),
    case({"gini_diversity@1": 0.0}, {"ann": "a", "bob": "a"}),
    "may weight ranks",
    # a has weight 1, b the weight of the second rank, and c 0.
    case({"gini_diversity(weight=rank)@2": 1 - 2 / 3 / (2 * (1 + SECOND) / 3)}, "ab"),
    "is undefined for one item, and if no list has an item of the catalog",
    case({"gini_diversity@1": None}, {"ann": "abc", "bob": "ab", "cid": "a"}, catalog="a"),
    case({"gini_diversity@1": None}, {"ann": "abc", "bob": "ab", "cid": "a"}, catalog="xy"),
)

test_herfindahl = worked(
    "is one divided by the number of items, if all are in equally many lists",
    case({"hhi@1": 1 / 2, "hhi@4": 1 / 4}, {"ann": "abcd", "bob": "dcba"}),
    "is correct for different shares",
    case({"hhi@2": (1 / 2) ** 2 + 2 * (1 / 4) ** 2}, {"ann": "ab", "bob": "ca"}),
    "may weight a recommendation by its rank",
    given(recs="ab"),
    case({"hhi(weight=rank)@2": (1 / (1 + 1 / log2(3))) ** 2 + (1 - 1 / (1 + 1 / log2(3))) ** 2}),
)

RECS = lists({"ann": "abc", "bob": "ab", "cid": "a"})
test_list_fill = worked(
    "is the share of lists with k items, or of ranks with an item",
    case({"list_fill(of=*)@1": 1.0, "list_fill@2": 2 / 3, "list_fill@4": 0.0}, RECS),
    case({"list_fill(of=ranks)@2": 5 / 6, "list_fill(of=ranks)@4": 6 / 12}, RECS),
)

test_shannon_entropy = worked(
    "is the binary logarithm of the number of items, if all are in equally many lists",
    case({"entropy@1": 1.0, "entropy@4": 2.0}, {"ann": "abcd", "bob": "dcba"}),
    "is correct for different shares",
    # a has half of the ranks, b and c a quarter each.
    case({"entropy@2": 3 / 2}, {"ann": "ab", "bob": "ca"}),
    case("is 0 for a single item", {"entropy@1": 0}, {"ann": "ab", "bob": "a"}),
    "may be in nats, and divided by the number of recommended items",
    case({"entropy(unit=nats)@2": 3 / 2 * log(2)}, {"ann": "ab", "bob": "ca"}),
    case({"entropy(of=item)@2": 3 / 2 / 3}, {"ann": "ab", "bob": "ca"}),
    case({"entropy(unit=nats, of=item)@2": log(2) / 2}, {"ann": "ab", "bob": "ca"}),
    "may weight a recommendation by its rank",
    # The share of a; b has the rest.
    case({"entropy(weight=rank)@2": -A * log2(A) - (1 - A) * log2(1 - A)}, "ab"),
)

test_unrepeated_share = worked(
    "is the share of lists or of ranks without a repeated item",
    given(recs={"ann": "abc", "bob": "abaa"}, convention="rectools"),
    case({"unrepeated_share(count=*)@2": 1.0, "unrepeated_share@3 unrepeated_share@4": 1 / 2}),
)

USER_COVERAGE_RECS = lists({"ann": "ab", "cid": "a"})
TRUTH = wanted({"ann": {"a": 1}, "bob": {"a": 1}, "dan": {"a": 0}})
test_user_coverage = worked(
    given(recs=USER_COVERAGE_RECS, truth=TRUTH),
    "is the share of the population that has a list",
    case({"user_coverage@1": 1 / 2}, population="truth"),
    case({"user_coverage@1": 1 / 3}, population="judged"),
    case({"user_coverage@1": 1.0}, population="truth_and_recs"),
    case({"user_coverage@1": 1.0}, population="recs"),
)


def test_gini_of_recbole_needs_a_truth():
    catalog = table([(item,) for item in "abc"], item_id=pa.string())
    with raises(sqlrec.InputError, match="truth is missing"):
        sqlrec.evaluate("gini(convention=recbole)@2", recs=lists({"ann": "ab"}), catalog=catalog)
