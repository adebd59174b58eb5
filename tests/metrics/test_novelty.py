from math import log2

import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, rows, table, wanted
from .cases import EITHER, case, each, given, numbered, vectors, worked

BASELINE = lists({"ann": "bxcy", "dan": "a"})
RECS = lists({"ann": "abcd", "bob": "x"})
test_baseline_serendipity = worked(
    given(baseline=BASELINE),
    "is the share of hits that the baseline does not have within k",
    case({"baseline_serendipity@1": 1.0, "baseline_serendipity@2": 1 / 2}, RECS, "abd"),
    case({"baseline_serendipity@4": 2 / 4}, RECS, "abd"),
    "does not depend on grades or on items judged not relevant",
    # In xbcde, x, b and d are hits, and x, b and e are not in the baseline's list.
    case({"srdp@9": 2 / 5}, "xbcde", EITHER, baseline="dycz"),
    case({"srdp(divide_by=k)@9": 2 / 9}, "xbcde", EITHER, baseline="dycz"),
    case({"srdp(divide_by=unexpected)@9": 2 / 3}, "xbcde", EITHER, baseline="dycz"),
    case("counts all items as unexpected without a baseline", {"srdp@4": 1}, RECS, {"bob": "x"}),
    case("users without a relevant item are excluded", {"srdp@4": 0}, RECS, "bc"),
    "divides by the ranks, by k, or by the unexpected items",
    case({"srdp@5": 1 / 2, "srdp(divide_by=k)@5": 1 / 5}, "ab", "a"),
    case({"srdp(divide_by=unexpected)@5": 1.0}, "ab", "a"),
    case({"srdp(divide_by=unexpected)@5": 0}, "b", "a"),
)

IDS = {"user_id": pa.string(), "item_id": pa.string()}
SUM = 1 + 1 / log2(3) + 1 / 2
test_efd = worked(
    given(history={"u1": "ab", "u2": "ab", "u3": "acc", "u4": "a"}),
    "weights the surprisal of hits, in bits",
    given(recs={"ann": "cab", "bob": "z"}, truth={"ann": "bc", "dan": "a"}),
    case({"efd@3": (log2(7) + log2(7 / 2) / 2) / SUM}),
    "counts an item without history as an item of one user",
    case({"efd(relevance=ignored)@3": log2(7)}, {"bob": "z"}),
    case({"efd(relevance=ignored)@3": 0}, {"bob": "z"}, history={"u1": "a"}),
    "does not depend on grades or on items judged not relevant",
    given(recs={"ann": "cab", "bob": "z"}, truth={"b": 3, "c": 0.5, "a": 0, "x": 0}),
    case({"efd@9": (log2(7) + log2(7 / 2) / 2) / SUM}),
    "users without a relevant item are excluded",
    given(recs={"bob": "z", "dan": "ab"}, truth={"ann": "bc", "dan": "a"}),
    case({"efd@3": log2(7 / 4) / (1 + 1 / log2(3))}),
    "the weight of a rank may be a share of the weight above, or equal",
    given(recs={"ann": "cab", "bob": "z"}, truth={"ann": "bc", "dan": "a"}),
    case({"efd(discount=geometric, patience=0.5)@3": (log2(7) + log2(7 / 2) / 4) / (7 / 4)}),
    case({"efd(discount=none)@3": (log2(7) + log2(7 / 2)) / 3}),
    "may weight by relevance",
    given(recs={"ann": "cab", "bob": "z"}, truth={"b": 1, "c": 3}),
    case({"efd(relevance=exponential)@3": (7 * log2(7) + log2(7 / 2) / 2) / SUM}),
)

# Four users, 7 pairs: a had by 4, b by 2, c by 1; nobody had z.
HISTORY = lists({"u1": "ab", "u2": "ab", "u3": "acc", "u4": "a"})
EPC_RECS = lists({"ann": "cab", "bob": "z"})
TRUTH = wanted({"ann": "bc", "dan": "a"})
test_epc = worked(
    given(recs=EPC_RECS, history=HISTORY),
    "weights hits by the share of users without the item",
    case({"epc@3": (3 / 4 + 1 / 2 * (1 / 2)) / SUM}, truth=TRUTH),
    "does not depend on grades or on items judged not relevant",
    case({"epc@9": (3 / 4 + 1 / 2 * (1 / 2)) / SUM}, truth={"b": 3, "c": 0.5, "a": 0, "x": 0}),
    "users without a relevant item are excluded unless relevance is ignored",
    case({"epc@3": ((3 / 4 + (1 / 2) * (1 / 2)) / SUM, 1)}, truth=TRUTH),
    case({"epc(relevance=ignored)@3": ((3 / 4 + 0 + 1 / 2 * (1 / 2)) / SUM + 1) / 2}),
    "counts an item of the only user as 0",
    case({"epc(relevance=ignored)@2": 1 / log2(3) / (1 + 1 / log2(3))}, "az", history={"u1": "a"}),
    "the weight of a rank may be a share of the weight above, or equal",
    given(truth=TRUTH),
    case({"epc(discount=geometric, patience=0.5)@3": (3 / 4 + 1 / 4 * (1 / 2)) / (7 / 4)}),
    case({"epc(discount=none)@3": (3 / 4 + 1 / 2) / 3}),
    "a long list does not underflow",
    given(recs=numbered("i", 5000), truth=TRUTH, history={"u1": ["i1"], "u2": ["i0", "i1"]}),
    case({"epc(relevance=ignored, discount=geometric, patience=0.5)@all": (1 / 2 + 1 / 2) / 2}),
    "may count an item without history as an item of one user",
    # 1, 4 and 0 of four users had c, a and z; with once, z counts like c.
    case({"epc(relevance=ignored, without_history=never)@3": (3 / 4 + 1 / 2) / SUM}, "caz"),
    case({"epc(relevance=ignored, without_history=once)@3": (3 / 4 + 3 / 4 / 2) / SUM}, "caz"),
    "may weight by relevance",
    given(truth={"b": 1, "c": 3}),
    case({"epc(relevance=exponential)@3": (7 * 3 / 4 + 2 / 4 / 2) / SUM}),
)

# a is (1, 0), b (0, 5), c (3, 4) and x unknown.
HISTORY_DISTANCE_HISTORY = lists({"ann": "ab", "bob": "x", "eve": "a"})
ITEMS = vectors(a=(1, 0), b=(0, 5), c=(3, 4), d=(2, 0), e=(-1, 0), z=(0, 0))
HISTORY_DISTANCE_RECS = lists({"ann": "cb", "bob": "ac", "dot": "a"})
test_history_distance = worked(
    given(recs=HISTORY_DISTANCE_RECS, history=HISTORY_DISTANCE_HISTORY, items=ITEMS),
    "with hits subtracts the sum of their similarities from 1",
    given(truth={"ann": "bc", "bob": "z", "dot": "a"}),
    case({"history_distance(of=hits)@2": {"ann": 1 - (7 / 5 + 1) / 2, "bob": None, "dot": None}}),
    "is 1 minus the mean cosine with the items of the user's history",
    case({"history_distance@2": {"ann": (1 - 7 / 10 + 1 - 1 / 2) / 2, "bob": 1, "dot": None}}),
    case({"history_distance@1": 1 - (3 / 5 + 4 / 5) / 2}, user="ann"),
    "with relevant items counts other items as 0",
    given(truth={"ann": "b", "bob": "z"}),
    case({"history_distance(of=relevant)@2": 1 / 2 / 2}, user="ann"),
    case({"history_distance(of=relevant)@2": 0}, user="bob"),
)

LEAK_SHARE_HISTORY = lists({"ann": "aca", "bob": "y", "eve": "x"})
LEAK_SHARE_RECS = lists({"ann": "ab", "zed": "q"})
test_leak_share = worked(
    given(recs=LEAK_SHARE_RECS, history=LEAK_SHARE_HISTORY),
    "is the share of relevant items that are in the user's history",
    # ann has had a and c. bob has not had x, though eve has, and cid has no history.
    case({"leak_share": (2 / 3 / 3, 3)}, truth={"ann": "abc", "bob": "x", "cid": "q"}),
    "does not depend on items that are not relevant",
    case({"leak_share": (0, 1)}, truth={"ann": {"a": 0, "b": 1}, "bob": {"y": 0}}),
    case({"leak_share": (1 / 2, 1)}, truth={"a": 0, "b": 1}, relevance_threshold=0),
    case("does not depend on the lists", {"leak_share": (2 / 3, 1)}, truth={"ann": "abc"}),
    case({"leak_share": (2 / 3, 1)}, {"ann": "xyz"}, {"ann": "abc"}),
)


def leaks(truth, **options):
    result = sqlrec.evaluate(
        "leak_share",
        **{"recs": LEAK_SHARE_RECS, "history": LEAK_SHARE_HISTORY} | options,
        truth=wanted(truth),
    )
    return rows(result, "value", "users")


def test_leak_share_of_segments_is_that_of_their_users():
    users = table([("ann", "de"), ("bob", "fr")], user_id=pa.string(), country=pa.string())
    results = leaks({"ann": "ab", "bob": "x"}, users=users, by="country")
    assert results == [(1 / 2, 1), (0, 1)]


def test_leak_share_fails_a_check_of_leaked_items():
    given = {"recs": LEAK_SHARE_RECS, "history": LEAK_SHARE_HISTORY}
    assert not sqlrec.check("leak_share <= 0", truth=wanted({"ann": "ab"}), **given).passed
    assert sqlrec.check("leak_share <= 0", truth=wanted({"ann": "b"}), **given).passed


NOVELTY_HISTORY = lists({"ann": "bx", "cid": "a"})
NOVELTY_RECS = lists({"ann": "abcd", "bob": "xy"})
test_novelty = worked(
    given(recs=NOVELTY_RECS, history=NOVELTY_HISTORY),
    "is the share of items that are not in the user's history",
    case({"novelty@2": (1 / 2 + 1) / 2, "novelty@4": (3 / 4 + 1) / 2}),
    "divides by the length of a short list or by k",
    case({"novelty@8": 7 / 8, "novelty(divide_by=k)@8": (3 / 8 + 2 / 8) / 2}),
    "over users of the history counts a user without a list as 1",
    # The mean is over ann and cid; bob has no history.
    case({"novelty(users=history)@2": (1 / 2 + 1) / 2}),
    case({"novelty(users=history, divide_by=k)@8": (3 / 8 + 1) / 2}),
    "accepts a history of one user",
    case({"novelty(users=history)@9": 3 / 4}, "abcd", history="bx"),
)


def test_novelty_of_users_of_the_history_each_segment_has_its_own():
    users = [("ann", "x"), ("cid", "y"), ("eve", "x"), ("bob", "x"), ("dan", "y")]
    lands = table(users, user_id=pa.string(), land=pa.string())
    inputs = {"recs": lists({"ann": "ab", "bob": "ab", "dan": "ac"})}
    inputs |= {"history": lists({"ann": "b", "cid": "a", "dan": "ac", "eve": "a"}), "users": lands}
    result = sqlrec.evaluate("novelty(users=history)@2", **inputs, by="land")
    assert dict(rows(result, "land", "value")) == approx({"x": (1 / 2 + 1) / 2, "y": (0 + 1) / 2})


def test_novelty_of_users_of_the_history_is_defined_for_all():
    result = sqlrec.evaluate(
        "novelty(users=history)@2",
        recs=NOVELTY_RECS,
        history=NOVELTY_HISTORY,
        interval="t",
        summaries="min max",
    )
    ours = ("value", "users", "min", "max", "standard_error")
    assert rows(result, *ours) == [approx((3 / 4, 2, 1 / 2, 1, 1 / 4))]
    assert dict(rows(result.per_user(), "user_id", "value")) == {"ann": 0.5, "bob": None, "cid": 1}
    assert rows(result.user_counts, "users_evaluated", "users_without_list") == [(3, 1)]


# Four users: a had by 4, b by 2, c by 1 and more than once; nobody had z.
POPULARITY_COUNT_RECS = lists({"ann": "abz", "bob": "c"})
test_popularity_count = worked(
    given(recs=POPULARITY_COUNT_RECS, history=HISTORY),
    "is the mean number of users with the item in their history",
    case({"popularity_count@1": (4 + 1) / 2, "popularity_count@3": (6 / 3 + 1) / 2}),
    "counts users once, or all rows of the history",
    case({"arp@1": 1, "arp(count=events)@1": 2}, "c"),
    "divides by the length of a short list or by k",
    case({"arp@5": 3.0, "arp(divide_by=k)@5": 6 / 5}, "ab"),
    "can count an item without history as an item of one user",
    case({"arp(without_history=once)@3": ((4 + 2 + 1) / 3 + 1) / 2}),
    "can exclude an item without history",
    case({"arp(without_history=omit)@3": ((4 + 2) / 2 + 1) / 2}),
    case({"arp(without_history=omit, divide_by=k)@3": 6 / 3}, "abz"),
    case({"arp(without_history=omit)@1": None}, "z"),
    case("may be relative to the most popular item", {"arp(unit=most)@3": (6 / 3 + 1) / 2 / 4}),
    case({"arp(unit=most)@1": 0, "arp(unit=most, without_history=once)@1": 1 / 4}, "z"),
    case({"arp(unit=most, count=events)@1": 2 / 4}, "c"),
)

# a had by 3 users, b and c by 2, d by 1.
POPULARITY_RANK_HISTORY = lists({"u1": "abcd", "u2": "abb", "u3": "ac"})
test_popularity_rank = worked(
    given(history=POPULARITY_RANK_HISTORY),
    case("is the mean rank of items by their number of users", {"popularity_rank@all": 1}, "a"),
    "gives items with equally many users the first of their ranks, and comes last without history",
    *each("popularity_rank@all", b=2, c=2, z=5),
    "as a quantile ranks from below, with mean ranks of equal items",
    *each("popularity_rank(unit=quantile)@all", a=1.0, b=5 / 8, c=5 / 8, d=1 / 4, z=0),
    case({"popularity_rank(unit=quantile)@all": 1}, "a", history={"u1": "a", "u2": "a"}),
    case("uses only the ranks of a short list", {"popularity_rank@9": (1 + 2 + 4) / 3}, "abd"),
)

test_popularity_share = worked(
    given(history={"u1": "ab", "u2": "ab", "u3": "acc", "u4": "a"}),
    "is the mean share of users with the item in their history",
    case({"popularity_share@1": (1 + 1 / 4) / 2}, {"ann": "abz", "bob": "c"}),
    case("an item without history counts as 0", {"popularity@3": (1 + 1 / 2) / 3}, "abz"),
    "counts users once, or all rows of the history",
    # The history has eight rows.
    case({"popularity(count=events)@1": (4 / 8 + 2 / 8) / 2}, {"ann": "abz", "bob": "c"}),
    "counts an item of the only user as 1",
    case({"popularity(count=*)@2": 1 / 2}, "az", history={"u1": "a"}),
    "divides by the length of a short list or by k",
    case({"popularity@4": 3 / 4, "popularity(divide_by=k)@4": 3 / 8}, "ab"),
)

CATALOG = table([(item,) for item in "abcdxyzwvt"], item_id=pa.string())
# Level 1 is a, level 2 are b and c, level 3 is d.
SERENDIPITY_HISTORY = lists({"u1": "abcd", "u2": "abc", "u3": "aa"})
test_serendipity = worked(
    given(history=SERENDIPITY_HISTORY, catalog=CATALOG),
    "weights a hit by its rank above its popularity rank",
    case({"serendipity@2": (3 - 1) / 4 / 2}, "db", "bd"),
    "does not depend on grades or on items judged not relevant",
    # z has level 5 and rank 1, d has level 3 and rank 2; b is not a hit.
    given(recs="zdb", truth={"z": 3, "b": 0, "d": 0.5, "x": 2, "y": 0}),
    case({"serendipity@9 serendipity(divide_by=lines)@9": (4 + 1) / 4 / 3}),
    case("counts a hit below its popularity rank as 0", {"serendipity@3": 0}, "zya", "a"),
    "gives items with equally many users one popularity rank",
    case({"serendipity@1": (2 - 1) / 4}, "b", "b"),
    case("ranks an item without history below all items", {"serendipity@1": 1}, "z", "z"),
    case({"serendipity@2": (5 - 2) / 4 / 2}, "xz", "z"),
    case({"serendipity(items=catalog)@2": (11 - 2) / 10 / 2}, "xz", "z"),
    "ranks an item without history second if the history has one item",
    given(recs="za", truth="za", history={"u1": "a"}, catalog="a"),
    case({"serendipity(items=*)@2": 1 / 2}),
    "divides by the length of a short list or by k",
    case({"serendipity(divide_by=k)@4": 2 / 4 / 4}, "dz", "d"),
    "users without a relevant item are excluded",
    case({"serendipity@1": 2 / 4}, {"ann": "d", "bob": "d"}, "d"),
)

# Four users: a had by 4, b by 2, c by 1 and more than once; nobody had z.

test_surprisal = worked(
    given(history=HISTORY),
    "is the mean surprisal in bits",
    case({"surprisal@1": 0.0, "surprisal@2": 1 / 2, "surprisal@3": (1 + 2) / 3}, "abc"),
    case("counts an item without history as an item of one user", {"surprisal@1": 2}, "z"),
    "as a share counts an item of one user as 1",
    case({"surprisal(unit=share)@3": (0 + 1 / 2 + 1) / 3}, "abc"),
    "as a share it is undefined if there is one user",
    case({"surprisal@2": 0, "surprisal(unit=share)@2": None}, "ab", history={"u1": "ab"}),
    "divides by the length of a short list or by k",
    case({"miuf@4": 3 / 2, "miuf(divide_by=k)@4": 3 / 4}, "bc"),
    "is correct for shares that are not powers of 2",
    given(recs="ab", history={"u1": "a", "u2": "a", "u3": "b"}),
    case({"surprisal@all": (log2(3 / 2) + log2(3)) / 2}),
    "can count all rows of the history",
    # The history has eight rows: four of a, two of b and two of c.
    case({"surprisal(count=events)@1": 1.0, "surprisal(count=events)@3": (1 + 2 + 2) / 3}, "abc"),
    case({"surprisal(count=events, unit=share)@1": 2 / 3}, "c"),
    "an item without history can count as 0",
    case({"surprisal(without_history=zero)@3": (1 + 2 + 0) / 3}, "bcz"),
    "can be the mean of all ranks",
    given(recs={"ann": "abc", "bob": "c"}),
    case({"surprisal@3": (1 + 2) / 2, "surprisal(average=pooled)@3": (0 + 1 + 2 + 2) / 4}),
    case({"surprisal(average=pooled, divide_by=k)@3": (0 + 1 + 2 + 2) / 6}),
    "can exclude an item without history",
    case({"surprisal(without_history=omit)@3": (1 + 2) / 2}, "bcz"),
    case({"surprisal(without_history=omit, divide_by=k)@4": (1 + 2) / 4}, "bcz"),
    case({"surprisal(without_history=omit)@1": None}, "z"),
    given(recs={"ann": "bz", "bob": "cab"}),
    case({"surprisal(without_history=omit, average=pooled)@3": (1 + 2 + 0 + 1) / 4}),
)

# The history has 10 pairs: 5 of a, 2 of b, 2 of c and 1 of d.
TAIL_SHARE_HISTORY = lists({"u1": "abcd", "u2": "abc", "u3": "a", "u4": "aa", "u5": "a"})
test_tail_share = worked(
    given(history=TAIL_SHARE_HISTORY),
    "the head has the most popular items that reach the share of the history",
    *each("tail_share(head=0.5)@all", a=0, b=1, c=1, d=1),
    *each("tail_share(head=0.51)@all", a=0, b=0, c=0, d=1),
    "keeps items with equally many users together",
    *each("tail_share(head=0.6)@all", a=0, b=0, c=0, d=1),
    "by default the head has four fifths of the history",
    *each("tail_share@all", a=0, b=0, c=0, d=1),
    "the share may be a share of the items",
    *each("tail_share(head=0.25, of=items)@all", a=0, b=1, c=1, d=1),
    *each("tail_share(head=0.75, of=items)@all", a=0, b=0, c=0, d=1),
    *each("tail_share(head=0.76, of=items)@all", a=0, b=0, c=0, d=0),
    case("an item without history is in the tail", {"tail_share@all": 1 / 2}, "az"),
    case("counts the only item as the head", {"tail_share(of=*)@all": 0}, "a", history={"u1": "a"}),
    case({"tail_share(of=*)@all": 1}, "z", history={"u1": "a"}),
    "divides by the length of a short list or by k",
    case({"tail_share@4": 1 / 2, "tail_share(divide_by=k)@4": 1 / 4}, "ad"),
    "the tail may be the rarest items of the history",
    # From the fewest users on: d, then b and c by id, then a.
    *each("tail_share(rarest=0.5)@all", a=0, b=1, c=0, d=1, z=0),
    *each("tail_share(rarest=0.1)@all", a=0, b=0, c=0, d=1, z=0),
    case({"tail_share(rarest=0.5, divide_by=k)@4": 1 / 4}, "adz"),
    "the tail may be the items of at most a number of users",
    *each("tail_share(rarest=2)@all", a=0, b=1, c=1, d=1, z=0),
    "may split items with equally many users by id",
    # a has 5 of 10 pairs, a and b have 7.
    *each("tail_share(head=0.6, equals=by_id)@all", a=0, b=0, c=1, d=1),
    *each("tail_share(head=0.5, of=items, equals=by_id)@all", a=0, b=0, c=1, d=1),
    case({"tail_share(equals=by_id)@all": 1}, "z"),
    "may be a number of items",
    case({"tail_share(divide_by=nothing)@all": 2, "tail_share(divide_by=nothing)@3": 1}, "abdz"),
)

test_unexpectedness = worked(
    given(baseline=BASELINE),
    "is the share of recommendations that are not in the baseline within k",
    case({"unexpectedness@1": 1.0, "unexpectedness@2": 1 / 2, "unexpectedness@3": 1 / 3}, "abcd"),
    "counts all items as unexpected, as expected, or is undefined without a baseline",
    case({"unexpectedness@3": (1 / 3 + 1) / 2}, RECS),
    case({"unexpectedness(without_baseline=expected)@3": 1 / 3 / 2}, RECS),
    case({"unexpectedness(without_baseline=undefined)@3": 1 / 3}, RECS),
    "accepts a baseline of one user and one item",
    given(recs="abc", baseline="b"),
    case({"unexpectedness(without_baseline=unexpected, users=*)@9": 2 / 3}),
    case({"unexpectedness(without_baseline=expected, users=*)@9": 2 / 3}),
    case({"unexpectedness(without_baseline=undefined, users=*)@9": 2 / 3}),
    "over users of the baseline counts a user without a list as 0",
    # The mean is over ann and dan; bob has no baseline.
    case({"unexpectedness(users=baseline)@3": (1 / 3 + 0) / 2}, RECS),
    case({"unexpectedness(users=baseline, divide_by=k)@8": (6 / 8 + 0) / 2}, RECS),
    "divided by k counts a missing rank as unexpected",
    case({"unexpectedness@4": 0.0, "unexpectedness(divide_by=k)@4": 1 / 2}, "bc"),
    "an item that the baseline has twice is at its first rank",
    given(recs="abc", baseline="axa", convention="replay"),
    case({"unexpectedness@1": 0, "unexpectedness@3": 2 / 3}),
)


def test_unexpectedness_of_users_of_the_baseline_is_defined_for_all():
    requests = "unexpectedness(users=baseline)@3 churn@3"
    result = sqlrec.evaluate(requests, recs=RECS, baseline=BASELINE, summaries="min max")
    assert rows(result, "value", "users", "min", "max")[0] == approx((1 / 6, 2, 0, 1 / 3))
    results = {
        (one, user): had for one, user, had in rows(result.per_user(), "metric", "user_id", "value")
    }
    assert results[requests.split("@")[0], "dan"] == 0
    assert results[requests.split("@")[0], "bob"] is None
    assert results["churn", "dan"] is None
