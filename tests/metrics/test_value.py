import math
from math import log2

from pytest import approx, mark, raises

import sqlrec

from ..tables import lists, priced, wanted
from .cases import case, given, worked

ITEMS = priced(("a", 10), ("b", 2), ("c", 5), ("x", 3))
RECS = lists({"ann": "axb", "bob": "bc"})
TRUTH = wanted({"ann": "abc", "bob": "c", "cid": "x"})
test_value_found = worked(
    given(recs=RECS, truth=TRUTH),
    "adds up the prices of hits within k",
    # Ann finds a, then b too; Bob finds c at rank 2; Cid has no list.
    case({"value_found@2": (10 + 5 + 0) / 3, "value_found@all": (12 + 5 + 0) / 3}, items=ITEMS),
    "the price may be another column, such as a margin",
    given(items=ITEMS.rename_columns(["item_id", "margin"]), columns={"price": "margin"}),
    case({"value_found@2": 5}),
    "is undefined without a relevant item",
    given(truth={"ann": {"a": 1.0}, "bob": {"b": 0.0}}, items=ITEMS, population="judged"),
    case({"value_found@2": (10, 1)}),
    "a price may be repeated",
    case({"value_found@2": 5}, items=priced(("a", 10), ("a", 10), ("b", 2), ("c", 5), ("x", 3))),
)


@mark.parametrize(
    "prices, message, metric",
    [
        ([("a", -1)], "the price of item a is null, NaN, below 0 or beyond 1e100", "value_found@2"),
        ([("a", None)], "the price of item a is null", "value_found@2"),
        ([("a", math.nan)], "the price of item a is null", "value_found@2"),
        ([("a", math.inf)], "the price of item a is null", "value_found@2"),
        ([("a", 10), ("a", 9)], "item a has more than one price", "value_found@2"),
        (
            [("a", 10), ("b", 2)],
            "item c has no price in items \\(rows of truth or recs: 3",
            "value_found@2",
        ),
        (
            [("a", 10), ("b", 2)],
            "has no price in items \\(rows of truth or recs: 2",
            "value_precision@2",
        ),
    ],
)
def test_missing_and_invalid_prices_are_refused(prices, message, metric):
    others = [("b", 2), ("c", 5), ("x", 3)] if len(prices) == 1 or prices[1][0] == "a" else []
    items = priced(*prices, *others)
    with raises(sqlrec.DataError, match=message):
        sqlrec.evaluate(metric, recs=RECS, truth=TRUTH, items=items)


PRICES = (*zip("abcdef", (12.5, 3, 7.25, 40, 1, 9.5), strict=True),)
SIX = priced(*PRICES)
VALUE_NDCG_ITEMS = priced(*PRICES, ("free", 0))
test_value_ndcg = worked(
    given(recs="abcdef", items=VALUE_NDCG_ITEMS),
    "compares with a list of the most expensive items",
    # b is found at rank 2 of 2; the best two would be a and b.
    case({"value_ndcg@2": 3 / log2(3) / (12.5 + 3 / log2(3))}, "cba", "abe"),
    "equals the NDCG of scikit-learn with prices as grades",
    case({"value_ndcg@3": approx(0.3063456470405139, abs=1e-12)}, truth="acdf"),
    "counts users without a list, and excludes users whose items cost nothing",
    case({"value_ndcg@2": (0, 1)}, truth={"ann": ["free"], "bob": "a"}),
)

VALUE_ITEMS = priced(("a", 10), ("b", 2), ("c", 5), ("free", 0))
VALUE_PRECISION_RECS = lists({"ann": ["a", "c", "free"], "bob": ["b", "a"], "cid": ["free"]})
test_value_precision = worked(
    given(recs=VALUE_PRECISION_RECS, items=VALUE_ITEMS),
    "is the hits' share of the total price of the list",
    # Ann is shown a and c, which are relevant; bob is shown b and a, and b is relevant.
    case({"value_precision@2": (1 + 2 / 12) / 2}, truth={"ann": "ac", "bob": "b"}),
    "pooled divides the price of all users' hits by that of all their lists",
    given(truth={"ann": "a", "bob": "b"}),
    case({"value_precision(average=pooled)@2": (10 + 2) / (15 + 12)}),
    "excludes users without a relevant item or with a list that costs nothing",
    case({"value_precision@2": (10 / 12, 1)}, truth={"bob": "a", "cid": ["free"]}),
    "equals the weighted precision of scikit-learn",
    case({"value_precision@3": approx(0.8681318681318682, abs=1e-12)}, "abcdef", "acdf", items=SIX),
)

VALUE_RECALL_RECS = lists({"ann": "ab", "bob": "b"})
test_value_recall = worked(
    given(recs=VALUE_RECALL_RECS, items=VALUE_ITEMS),
    "is the hits' share of the total price of relevant items",
    case({"value_recall@2": (10 / 15 + 2 / 7) / 2}, truth={"ann": "ac", "bob": "bc"}),
    "pooled divides the hits of all users by their relevant items",
    given(truth={"ann": "ac", "bob": "bc", "cid": "a"}),
    case({"value_recall(average=pooled)@2": (10 + 2 + 0) / (15 + 7 + 10)}),
    "equals the recall if all prices are equal",
    given(truth={"ann": "ac", "bob": "bc"}, items=priced(*((item, 7) for item in "abc"))),
    case({"value_recall@1 recall@1": 0.5}),
    "excludes users whose relevant items cost nothing",
    case({"value_recall@2": (1, 1)}, truth={"ann": "ab", "bob": ["free"]}),
    "equals the weighted recall of scikit-learn",
    case({"value_recall@3": approx(0.2851985559566787, abs=1e-12)}, "abcdef", "acdf", items=SIX),
)

VALUE_SHOWN_ITEMS = priced(("a", 10), ("b", 2), ("c", 6))
VALUE_SHOWN_RECS = lists({"ann": "abc", "bob": "b"})
test_value_shown = worked(
    given(recs=VALUE_SHOWN_RECS, items=VALUE_SHOWN_ITEMS),
    case("is the mean price of a rank within k", {"value_shown@2 value_shown@all": (6 + 2) / 2}),
    "may be the sum over the list",
    case({"value_shown(total=sum)@2": (12 + 2) / 2, "value_shown(total=sum)@all": (18 + 2) / 2}),
)
