"""Lists: order, ties, duplicates and missing scores."""

from itertools import count, product
from math import log2
from random import Random

import duckdb
import pyarrow as pa
from pytest import mark, raises

import sqlrec

from ..dialects import slow
from ..metrics.cases import case, given, worked
from ..tables import evaluate, in_rows, lists, rows, scored, table, values, wanted

IDS = {"user_id": pa.string(), "item_id": pa.string()}
SCORED = IDS | {"score": pa.float64()}
RANKED = IDS | {"rank": pa.int64()}


def ranked(items, recs, **rules):
    """Return the cases of a list with a given order of items."""
    return [
        case({"mrr@all": 1 / rank}, recs, [item], **rules) for rank, item in enumerate(items, 1)
    ]


def unscored(missing, kind):
    """Return ann's list, in which item a has no score."""
    rows = [("ann", "a", missing), ("ann", "b", 0.5), ("ann", "c", -0.5)]
    return table(rows, **SCORED | {"score": kind})


NO_SCORES = [*product((None, float("nan")), (pa.float64(), pa.float32()))]
DISAGREE = in_rows("a 1 0.25, b 2 0.5", "rank score")
ABC = lists({"ann": "abc"})
TWICE = in_rows("a 0.9, b 0.5, a 0.1, c 0")
TWICE_RANKED = in_rows("a 1, a 2, b 3", "rank")
test_ranks = worked(
    "more score is a better one",
    *ranked("cba", {"a": -1.5, "b": 0.25, "c": 7}),
    "infinite scores are first and last",
    *ranked("cba", {"a": float("-inf"), "b": 0, "c": float("inf")}),
    "equal scores go by the item",
    *ranked("abcd", dict.fromkeys("cadb", 0.5), ties="item_asc"),
    *ranked("dcba", dict.fromkeys("cadb", 0.5), ties="item_desc"),
    "negative zero ties with zero",
    *ranked("ab", {"b": 0.0, "a": -0.0}),
    "text ids are ordered by their characters",
    *ranked(["10", "9", "B", "a", "é"], dict.fromkeys(["é", "a", "B", "10", "9"], 1)),
    "whole scores beyond 2 to the 53 are not rounded",
    *ranked(
        "ba",
        table([("ann", "a", 2**53), ("ann", "b", 2**53 + 1)], **SCORED | {"score": pa.int64()}),
    ),
    "a given rank is taken as it is gaps and all",
    given(recs=in_rows("a 2 0.5, b 5 0.25", "rank score")),
    case({"mrr@all": 1 / 2}, truth="a"),
    case({"mrr@all": 1 / 5}, truth="b"),
    "either rank or score may be named if they disagree",
    *ranked("ab", DISAGREE, order="rank"),
    *ranked("ba", DISAGREE, order="score"),
    "rank may order what the score leaves open",
    *ranked("ba", in_rows("b 1 0.5, a 2 0.5", "rank score")),
    "ranks may be whole numbers of any size",
    *(
        case({"mrr@all": 1 / 3}, ABC.set_column(2, "rank", pa.array([1, 2, 3], kind)), "c")
        for kind in (pa.int8(), pa.uint8(), pa.int32(), pa.uint64())
    ),
    "a missing score may come last",
    *(one for how in NO_SCORES for one in ranked("bca", unscored(*how), null_scores="last")),
    "or is excluded",
    *(case({"recall@3": 2 / 3}, unscored(*how), "abc", null_scores="drop") for how in NO_SCORES),
    "an item twice may count at its best one",
    *ranked("abc", TWICE, duplicates="best"),
    "the best is the lowest rank and given ranks stay",
    given(recs=TWICE_RANKED, duplicates="best"),
    case({"mrr@all": 1}, truth="a"),
    case({"mrr@all": 1 / 3}, truth="b"),
    "do not depend on other cutoffs",
    case({"ndcg@2": 1 / log2(3) / (1 + 1 / log2(3)), "precision@6": 3 / 6}, "abcdef", "bdf"),
    case("hold an item twice if that is below the deepest cutoff", {"mrr@2": 1}, TWICE, "a"),
    "an item may be there again below the cutoff among equal scores",
    given(ties="expected"),
    case({"mrr@2": 1}, in_rows("a 0.9, b 0.5, c 0.5, b 0.5"), "a"),
    "what is excluded takes none above the depth",
    given(truth="b", duplicates="best", depth=2),
    case({"mrr@all": 1 / 2}, in_rows("a 3, a 2, b 1")),
    case({"mrr@all": 1 / 2}, in_rows("a 3, a 2, b 1, c -"), null_scores="drop"),
    case({"mrr@all": 0}, TWICE_RANKED),
)


LISTED_TWICE = pa.table({"user_id": ["ann"], "item_id": [[*"bab"]]})
NO_ITEM = pa.table({"user_id": ["ann"], "item_id": [["b", None]]})
NO_MODEL = ABC.append_column("model", pa.array(["x", "x", None]))
# Lists, the cutoff, and the message.
REFUSED = [
    (DISAGREE, "all", "item b of user ann has rank 2, but no score or a higher"),
    # A missing score does not hide the item.
    (
        *(in_rows("a 1 0.5, b 2 -, c 3 0.9", "rank score"), "all"),
        "item b of user ann has rank 2, but no score",
    ),
    *(
        (
            *(table([("ann", "a", 1), ("ann", "b", rank)], **RANKED), "all"),
            f"item b of user ann has rank {rank}.*ranks start at 1",
        )
        for rank in (0, -3, None)
    ),
    *(
        (in_rows("a 1, b 1", "rank"), cutoff, "user ann has rank 1 more than once")
        for cutoff in (10, 100, "all")
    ),
    (TWICE, "all", "user ann has item a more.*duplicates='best'"),
    (LISTED_TWICE, "all", "ann has item b more than once"),
    (NO_ITEM, "all", "without item_id, as for user"),
    (table([("ann", "a", 1), (None, "b", 1)], **RANKED), "all", "recs has 1 row without user_id"),
    (NO_MODEL, "all", "recs has 1 row without model, as for user ann"),
    *(
        (unscored(*how), cutoff, "item a of user ann has no score.*null_scores='last'")
        for how in NO_SCORES
        for cutoff in ("all", 1)
    ),
]


@mark.parametrize("recs, cutoff, message", REFUSED, ids=count())
def test_lists_that_break_a_rule_are_refused(recs, cutoff, message):
    with raises(sqlrec.DataError, match=message):
        evaluate(f"mrr@{cutoff}", recs=recs, truth=wanted({"ann": "a"}))


def test_enums_are_ordered_as_text():
    enum = scored({"ann": {"a": 1, "10": 1}}).to_pandas().astype({"item_id": "category"})
    enum["item_id"] = enum["item_id"].cat.reorder_categories(["a", "10"])
    assert values(evaluate("mrr@2", recs=enum, truth=wanted({"ann": ["10"]}))) == [1]


def test_an_item_twice_in_a_list_is_counted():
    result = evaluate("mrr@3", recs=TWICE, truth=wanted({"ann": "a"}), duplicates="best")
    assert rows(result.user_counts, "repeated_rows") == [(1,)]


@mark.parametrize("order_by", [None, "row"])
@mark.parametrize(
    ("duplicates", "scores", "value"),
    [
        ("first", (None, 2.0), 0.5),
        ("last", (2.0, None), 0.5),
        ("first", (2.0, None), 1),
        ("last", (None, 2.0), 1),
    ],
)
def test_the_row_that_counts_of_an_item_may_have_no_score(duplicates, scores, value, order_by):
    recs = pa.table(
        {
            "user_id": ["u", "u", "u"],
            "item_id": ["a", "b", "a"],
            "score": [scores[0], 1.0, scores[1]],
            "row": [1, 2, 3],
        }
    )
    rules = {"duplicates": duplicates, "null_scores": "last"}
    rules |= {"order_by": order_by} if order_by else {}
    result = evaluate("mrr@2", recs=recs, truth=wanted({"u": "a"}), **rules)
    assert rows(result, "value") == [(value,)]


def test_an_item_of_two_users_or_models_is_not_a_repeat():
    recs = {"x": lists({"ann": "ab", "bob": "ab"}), "y": lists({"ann": "ab"})}
    result = evaluate("hit_rate@1", recs=recs, truth=wanted({"ann": "a", "bob": "b"}))
    assert rows(result, "model", "value") == [("x", 1 / 2), ("y", 1 / 2)]


def test_items_in_a_list_column_are_ranked_by_their_rank():
    recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["b", "a"], []]})
    result = evaluate("mrr@2 hit_rate@2", recs=recs, truth=wanted({"ann": "a", "bob": "a"}))
    assert values(result) == [(1 / 2) / 2, 1 / 2]
    assert rows(result.user_counts, "users_without_list") == [(1,)]


@mark.parametrize("depth", [None, 61, *slow(62, 63)])
@mark.parametrize("ids", [pa.int64(), pa.string()])
def test_ranks_are_counted_however_deep_lists_are(depth, ids):
    ranks = range(1, 71)
    item_ids = pa.array(ranks, pa.int64()).cast(ids)
    shown = {"user_id": [1] * 70, "item_id": item_ids}
    rank = pa.table({**shown, "rank": [*ranks]})
    score = pa.table({**shown, "score": [-n for n in ranks]})
    truth = pa.table({"user_id": [1, 1], "item_id": item_ids.take(pa.array([60, 61]))})
    ends = depth or 70
    for recs in (rank, score):
        result = evaluate(
            "recall@5 recall@61 recall@62 recall@80 recall@all", recs=recs, truth=truth, depth=depth
        )
        reached = [5, 61, 62, 80, 80]
        assert values(result) == [sum(n <= min(k, ends) for n in (61, 62)) / 2 for k in reached]
        short = [row["short_lists"] for row in result.user_counts.to_arrow().to_pylist()]
        assert short == [*(int(ends < k) for k in reached[:-1]), 0]


@mark.parametrize(
    ("items", "ids"),
    [
        *(("abca", pa.int64()), ("abbc", pa.string())),
        *slow(("abca", pa.string()), ("abbc", pa.int64())),
    ],
)
def test_repeated_items_are_found_in_every_model_for_text_and_number_ids(items, ids):
    item_ids = pa.array(map(ord, items), pa.int64()).cast(ids)
    twice = pa.table({"user_id": [1] * 4, "item_id": item_ids, "rank": [1, 2, 3, 4]})
    once = twice.slice(0, 2)
    truth = pa.table({"user_id": [1], "item_id": item_ids[:1]})
    models = {"als": once, "pop": twice}
    long = pa.concat_tables(
        x.append_column("model", [[name] * len(x)]) for name, x in models.items()
    )
    for recs, model in ((twice, None), (models, "pop"), (long, "pop")):
        named = "recs, model pop: user" if model else "recs: user"
        with raises(sqlrec.DataError, match=f"^{named}.* more than once \\(repeats: 1\\)") as error:
            evaluate("mrr@4", recs=recs, truth=truth)
        assert error.value.row["model"] == model
    both = {"als": once, "pop": once}
    assert values(evaluate("mrr@4", recs=both, truth=truth)) == [1, 1]


def by_number_and_by_text(shown, judged):
    for ids in (pa.int64(), pa.string()):
        user, item, rank = zip(*shown, strict=True)
        recs = {"user_id": pa.array(user, pa.int64()).cast(ids), "rank": rank}
        recs["item_id"] = pa.array(item, pa.int64()).cast(ids)
        user, item, grade = zip(*judged, strict=True)
        truth = {"user_id": pa.array(user, pa.int64()).cast(ids), "relevance": grade}
        truth["item_id"] = pa.array(item, pa.int64()).cast(ids)
        yield {"recs": pa.table(recs), "truth": pa.table(truth)}


@mark.parametrize("population", ["judged", "all", *slow("truth", "truth_and_recs", "recs")])
def test_hits_are_found_by_number_and_by_text(population):
    random = Random(population)
    shown = [
        (user, item, rank)
        for user in range(20)
        for item, rank in zip(
            random.sample(range(9), 4), random.sample(range(1, 9), 4), strict=True
        )
    ]
    judged = [
        (user, item, random.choice([-1, 0, 1, 2]))
        for user in range(10, 30)
        for item in random.sample(range(9), 3)
    ]
    random.shuffle(shown)
    metrics = "ndcg@2 ndcg@all map@5 mrr@5 recall@all err@5 average_recall@3"
    number, text = (
        evaluate(metrics, **given, population=population).per_user().to_arrow().to_pylist()
        for given in by_number_and_by_text(shown, judged)
    )
    number = [{**row, "user_id": str(row["user_id"])} for row in number]
    assert sorted(number, key=repr) == sorted(text, key=repr)


@mark.parametrize("swapped", [False, *slow(True)])
@mark.parametrize(
    "rank, judgment, rule",
    [
        ((1, 3, 0), (1, 9, 1), r"rank 0 \(rows: 1\), which is null"),
        ((1, 9, -1), (1, 9, 1), r"rank -1 \(rows: 1\), which is null"),
        ((1, 9, None), (1, 9, 1), r"rank None \(rows: 1\), which is null"),
        ((1, 3, 2), (1, 9, 1), r"rank 2 more than once \(repeats: 1\)"),
        ((1, 1, 3), (1, 9, 1), r"item 1 more than once \(repeats: 1\)"),
        ((1, 2, 3), (1, 9, 1), r"item 2 more than once \(repeats: 1\)"),
        ((1, None, 3), (1, 9, 1), "1 row without item_id"),
        ((None, 3, 3), (1, 9, 1), "1 row without user_id"),
        ((1, 3, 3), (1, 2, 1), r"truth: user 1 has item 2 more than once \(repeats: 1\)"),
        ((1, 3, 3), (1, None, 1), "truth has 1 row without item_id"),
    ],
)
def test_broken_rules_are_found_by_number_and_by_text(rank, judgment, rule, swapped):
    shown, judged = [(1, 1, 1), (1, 2, 2), rank], [(1, 2, 1), judgment]
    requests = ("ndcg@5 inter_list_diversity@5 rbp@all", "ndcg@5")[:: -1 if swapped else 1]
    for inputs, metrics in zip(by_number_and_by_text(shown, judged), requests, strict=True):
        with raises(sqlrec.DataError, match=rule):
            evaluate(metrics, **inputs)


def test_repeated_items_are_found_in_unordered_rows():
    with duckdb.connect() as engine:
        engine.execute("set preserve_insertion_order = false; set threads = 8")
        engine.execute(
            "create table recs as select range % 30000 as user_id, range // 30000 as item_id, "
            "1 + range // 30000 as rank from range(600000)"
        )
        engine.execute("create table truth as select distinct user_id, 0 as item_id from recs")
        given = {"recs": "recs", "truth": "truth", "engine": engine}
        assert values(evaluate("mrr@21", **given)) == [1]
        engine.execute("insert into recs values (777, 3, 21)")
        with raises(sqlrec.DataError, match="user 777 has item 3 more than once \\(repeats: 1\\)"):
            evaluate("mrr@21", **given)


def test_names_of_models_are_compared_as_text():
    names = ["A", "a", 'it\'s "ü"', "", "b c"]
    numbers = dict.fromkeys(("user_id", "item_id", "rank"), pa.int64())
    ranked = [(name, 1, n, n) for name in names for n in (1, 2)]
    recs = table(ranked, model=pa.string(), **numbers)
    truth = table([(1, 2)], user_id=pa.int64(), item_id=pa.int64())
    result = evaluate("mrr@2", recs=recs, truth=truth)
    assert sorted(rows(result, "model", "value")) == sorted((name, 0.5) for name in names)
    assert str(result.to_arrow().schema.field("model").type) == "string"
    tables = {name: recs.drop_columns("model").slice(0, 2) for name in names if name}
    result = evaluate("mrr@2", recs=tables, truth=truth)
    assert rows(result, "model", "value") == [(name, 0.5) for name in tables]
    assert sqlrec.compare("mrr@2", recs=tables, truth=truth, baseline="a").to_arrow().num_rows == 3
