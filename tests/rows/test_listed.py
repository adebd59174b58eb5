"""What a list is: its order, ties, duplicates and missing scores."""

from random import Random

import duckdb
import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec

from .. import flat
from ..dialects import slow
from ..tables import lists, rows, scored, table, value, values, wanted


def place_of(item, recs, **rules):
    """The place of an item in ann's list, found by its reciprocal rank."""
    result = flat.evaluate("mrr@all", recs=recs, truth=wanted({"ann": [item]}), **rules)
    (found,) = values(result)
    return round(1 / found)


def places(items, recs, **rules):
    """The places of items in ann's list, of which each item's user has a copy."""
    copies = [recs.set_column(0, "user_id", pa.array([item] * recs.num_rows)) for item in items]
    truth = wanted({item: [item] for item in items})
    found = flat.evaluate("mrr@all", recs=pa.concat_tables(copies), truth=truth, **rules)
    ranks = dict(rows(found.per_user(), "user_id", "value"))
    return [round(1 / ranks[item]) for item in items]


def test_more_score_is_a_better_place():
    assert places("cba", scored({"ann": {"a": -1.5, "b": 0.25, "c": 7}})) == [1, 2, 3]


def test_infinite_scores_are_first_and_last():
    recs = scored({"ann": {"a": float("-inf"), "b": 0, "c": float("inf")}})
    assert places("cba", recs) == [1, 2, 3]


@mark.parametrize("ties, order", [("item_asc", "abcd"), ("item_desc", "dcba")])
def test_equal_scores_go_by_the_item(ties, order):
    recs = scored({"ann": {"c": 0.5, "a": 0.5, "d": 0.5, "b": 0.5}})
    assert places(order, recs, ties=ties) == [1, 2, 3, 4]


def test_negative_zero_ties_with_zero():
    recs = scored({"ann": {"b": 0.0, "a": -0.0}})
    assert place_of("a", recs) == 1


def test_text_ids_are_ordered_by_their_characters_and_enums_as_text():
    recs = scored({"ann": {"é": 1, "a": 1, "B": 1, "10": 1, "9": 1}})
    order = ["10", "9", "B", "a", "é"]
    assert places(order, recs) == [1, 2, 3, 4, 5]
    enum = recs.to_pandas().astype({"item_id": "category"})
    enum["item_id"] = enum["item_id"].cat.reorder_categories(["é", "a", "B", "9", "10"])
    assert [place_of(item, enum) for item in ("10", "a")] == [1, 4]


def test_whole_scores_beyond_2_to_the_53_are_not_rounded():
    recs = table([("ann", "a", 2**53), ("ann", "b", 2**53 + 1)], **SCORED | {"score": pa.int64()})
    assert place_of("b", recs) == 1


SCORED = {"user_id": pa.string(), "item_id": pa.string(), "score": pa.float64()}
IDS = {"user_id": pa.string(), "item_id": pa.string()}
BOTH = {"user_id": pa.string(), "item_id": pa.string(), "rank": pa.int64(), "score": pa.float64()}


def test_a_given_rank_is_taken_as_it_is_gaps_and_all():
    recs = table([("ann", "a", 2, 0.5), ("ann", "b", 5, 0.25)], **BOTH)
    assert places("ab", recs) == [2, 5]


def test_rank_and_score_have_to_agree():
    recs = table([("ann", "a", 1, 0.25), ("ann", "b", 2, 0.5)], **BOTH)
    with raises(sqlrec.DataError, match="item b of user ann has rank 2 and no score, or a higher"):
        place_of("a", recs)
    assert place_of("a", recs, order="rank") == 1
    assert place_of("a", recs, order="score") == 2


def test_a_missing_score_does_not_hide_that_they_disagree():
    recs = table([("ann", "a", 1, 0.5), ("ann", "b", 2, None), ("ann", "c", 3, 0.9)], **BOTH)
    with raises(sqlrec.DataError, match="item b of user ann has rank 2 and no score"):
        place_of("a", recs)


def test_rank_may_order_what_the_score_leaves_open():
    recs = table([("ann", "b", 1, 0.5), ("ann", "a", 2, 0.5)], **BOTH)
    assert place_of("b", recs) == 1


@mark.parametrize("rank", [0, -3, None])
def test_a_rank_starts_at_1(rank):
    recs = table([("ann", "a", 1, 0.5), ("ann", "b", rank, 0.5)], **BOTH)
    with raises(sqlrec.DataError, match=f"item b of user ann has rank {rank}.*ranks start at 1"):
        place_of("a", recs, order="rank")


@mark.parametrize("cutoff", ["@10", "@100", "@all"])
def test_a_place_holds_one_item(cutoff):
    recs = table([("ann", "a", 1, 0.5), ("ann", "b", 1, 0.5)], **BOTH)
    with raises(sqlrec.DataError, match="user ann has rank 1 more than once"):
        sqlrec.evaluate(f"mrr{cutoff}", recs=recs, truth=wanted({"ann": "a"}))


@mark.parametrize(
    ("missing", "kind"),
    [
        *((None, pa.float64()), (float("nan"), pa.float32())),
        *slow((None, pa.float32()), (float("nan"), pa.float64())),
    ],
)
class TestAMissingScore:
    def recs(self, missing, kind):
        rows = [("ann", "a", missing), ("ann", "b", 0.5), ("ann", "c", -0.5)]
        return table(rows, **SCORED | {"score": kind})

    def test_is_an_error(self, missing, kind):
        with raises(sqlrec.DataError, match=r"item a of user ann has no score.*null_scores='last'"):
            place_of("b", self.recs(missing, kind))

    def test_is_an_error_however_short_the_cutoff(self, missing, kind):
        options = {"recs": self.recs(missing, kind), "truth": wanted({"ann": "b"})}
        with raises(sqlrec.DataError, match="item a of user ann has no score"):
            flat.evaluate("mrr@1", **options)

    def test_or_comes_last(self, missing, kind):
        recs = self.recs(missing, kind)
        assert places("bca", recs, null_scores="last") == [1, 2, 3]

    def test_or_is_left_out(self, missing, kind):
        recs = self.recs(missing, kind)
        options = {"recs": recs, "truth": wanted({"ann": "abc"}), "null_scores": "drop"}
        assert values(flat.evaluate("recall@3", **options)) == approx([2 / 3])


class TestAnItemTwiceInAList:
    recs = table(
        [("ann", "a", 0.9), ("ann", "b", 0.5), ("ann", "a", 0.1), ("ann", "c", 0)], **SCORED
    )

    def test_is_an_error(self):
        with raises(sqlrec.DataError, match=r"user ann has item a more.*duplicates='best'"):
            place_of("b", self.recs)

    def test_or_counts_at_its_best_place(self):
        assert places("abc", self.recs, duplicates="best") == [1, 2, 3]

    def test_best_is_the_lowest_rank_and_given_ranks_stay(self):
        recs = table([("ann", "a", 1), ("ann", "a", 2), ("ann", "b", 3)], **RANKED)
        assert places("ab", recs, duplicates="best") == [1, 3]

    def test_is_counted(self):
        result = sqlrec.evaluate(
            "mrr@3",
            recs=self.recs,
            truth=wanted({"ann": "a"}),
            rules=sqlrec.Rules(duplicates="best"),
        )
        assert rows(result.user_counts, "repeated_rows") == [(1,)]

    def test_does_not_matter_below_the_deepest_cutoff(self):
        assert place_of("a", self.recs.slice(0, 2)) == 1
        result = sqlrec.evaluate("mrr@2", recs=self.recs, truth=wanted({"ann": "a"}))
        assert values(result) == [1]


RANKED = {"user_id": pa.string(), "item_id": pa.string(), "rank": pa.int64()}


def test_the_same_item_for_two_users_or_two_models_is_no_repeat():
    recs = {"x": lists({"ann": "ab", "bob": "ab"}), "y": lists({"ann": "ab"})}
    result = sqlrec.evaluate("hit_rate@1", recs=recs, truth=wanted({"ann": "a", "bob": "b"}))
    assert rows(result, "model", "value") == [("x", 1 / 2), ("y", 1 / 2)]


@mark.parametrize("kind", [pa.int8(), pa.uint8(), pa.int32(), pa.uint64()])
def test_ranks_may_be_whole_numbers_of_any_size(kind):
    recs = lists({"ann": "abc"}).set_column(2, "rank", pa.array([1, 2, 3], kind))
    assert place_of("c", recs) == 3


def test_items_in_a_list_column_are_ranked_by_their_place():
    recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["b", "a"], []]})
    result = sqlrec.evaluate("mrr@2 hit_rate@2", recs=recs, truth=wanted({"ann": "a", "bob": "a"}))
    assert values(result) == [(1 / 2) / 2, 1 / 2]
    assert rows(result.user_counts, "users_without_list") == [(1,)]


def test_a_list_column_may_hold_an_item_once():
    recs = pa.table({"user_id": ["ann"], "item_id": [["b", "a", "b"]]})
    with raises(sqlrec.DataError, match="user ann has item b more than once"):
        place_of("a", recs)


@mark.parametrize("nothing", [None])
def test_items_have_an_id(nothing):
    recs = pa.table({"user_id": ["ann"], "item_id": [["b", nothing]]})
    with raises(sqlrec.DataError, match="place without item_id, as for user ann"):
        place_of("b", recs)


def test_lists_have_a_user():
    recs = table([("ann", "a", 1), (None, "b", 1)], **RANKED)
    with raises(sqlrec.DataError, match="recs has 1 place without user_id"):
        place_of("a", recs)


def test_lists_have_a_model_where_some_have():
    recs = lists({"ann": "ab"}).append_column("model", pa.array(["x", None]))
    with raises(sqlrec.DataError, match="recs has 1 place without model, as for user ann"):
        place_of("a", recs)


def test_value_of_a_user_does_not_depend_on_other_cutoffs():
    alone = value("ndcg@2", "abcdef", "bdf")
    recs, truth = lists({"ann": "abcdef"}), wanted({"ann": "bdf"})
    assert values(sqlrec.evaluate("ndcg@6 ndcg@2", recs=recs, truth=truth))[1] == approx(alone)


@mark.parametrize("depth", [None, 61, *slow(62, 63)])
@mark.parametrize("ids", [pa.int64(), pa.string()])
def test_places_are_counted_however_deep_lists_are(depth, ids):
    places = range(1, 71)
    item_ids = pa.array(places, pa.int64()).cast(ids)
    shown = {"user_id": [1] * 70, "item_id": item_ids}
    rank = pa.table({**shown, "rank": [*places]})
    score = pa.table({**shown, "score": [-n for n in places]})
    truth = pa.table({"user_id": [1, 1], "item_id": item_ids.take(pa.array([60, 61]))})
    ends = depth or 70
    for recs in (rank, score):
        result = sqlrec.evaluate(
            "recall@5 recall@61 recall@62 recall@80 recall@all",
            recs=recs,
            truth=truth,
            rules=sqlrec.Rules(depth=depth),
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
def test_an_item_twice_is_found_in_every_model_by_text_and_by_number(items, ids):
    item_ids = pa.array(map(ord, items), pa.int64()).cast(ids)
    twice = pa.table({"user_id": [1] * 4, "item_id": item_ids, "rank": [1, 2, 3, 4]})
    once = twice.slice(0, 2)
    truth = pa.table({"user_id": [1], "item_id": item_ids[:1]})
    for recs in (twice, {"als": once, "pop": twice}):
        with raises(sqlrec.DataError, match="more than once, one of 1 such repeats"):
            sqlrec.evaluate("mrr@4", recs=recs, truth=truth)
    both = {"als": once, "pop": once}
    assert values(sqlrec.evaluate("mrr@4", recs=both, truth=truth)) == [1, 1]


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
        flat.evaluate(metrics, **given, population=population).per_user().to_arrow().to_pylist()
        for given in by_number_and_by_text(shown, judged)
    )
    number = [{**row, "user_id": str(row["user_id"])} for row in number]
    assert sorted(number, key=repr) == sorted(text, key=repr)


@mark.parametrize("swapped", [False, *slow(True)])
@mark.parametrize(
    "place, judgement, rule",
    [
        ((1, 3, 0), (1, 9, 1), "rank 0, one of 1 that are null"),
        ((1, 9, -1), (1, 9, 1), "rank -1, one of 1 that are null"),
        ((1, 9, None), (1, 9, 1), "rank None, one of 1 that are null"),
        ((1, 3, 2), (1, 9, 1), "rank 2 more than once, one of 1"),
        ((1, 1, 3), (1, 9, 1), "item 1 more than once, one of 1"),
        ((1, 2, 3), (1, 9, 1), "item 2 more than once, one of 1"),
        ((1, None, 3), (1, 9, 1), "1 place without item_id"),
        ((None, 3, 3), (1, 9, 1), "1 place without user_id"),
        ((1, 3, 3), (1, 2, 1), "truth: user 1 has item 2 more than once, one of 1"),
        ((1, 3, 3), (1, None, 1), "truth has 1 row without item_id"),
    ],
)
def test_broken_rules_are_found_by_number_and_by_text(place, judgement, rule, swapped):
    shown, judged = [(1, 1, 1), (1, 2, 2), place], [(1, 2, 1), judgement]
    asked = ("ndcg@5 inter_list_diversity@5 rbp@all", "ndcg@5")[:: -1 if swapped else 1]
    for given, metrics in zip(by_number_and_by_text(shown, judged), asked, strict=True):
        with raises(sqlrec.DataError, match=rule):
            flat.evaluate(metrics, **given)


def test_an_item_twice_is_found_where_rows_keep_no_order():
    with duckdb.connect() as engine:
        engine.execute("set preserve_insertion_order = false; set threads = 8")
        engine.execute(
            "create table recs as select range % 30000 as user_id, range // 30000 as item_id, "
            "1 + range // 30000 as rank from range(600000)"
        )
        engine.execute("create table truth as select distinct user_id, 0 as item_id from recs")
        given = {"recs": "recs", "truth": "truth", "engine": engine}
        assert values(flat.evaluate("mrr@21", **given)) == [1]
        engine.execute("insert into recs values (777, 3, 21)")
        with raises(sqlrec.DataError, match="user 777 has item 3 more than once, one of 1 such"):
            flat.evaluate("mrr@21", **given)


def test_names_of_models_are_told_apart_as_text():
    names = ["A", "a", 'it\'s "ü"', "", "b c"]
    recs = table(
        [(name, 1, n, n) for name in names for n in (1, 2)],
        model=pa.string(),
        user_id=pa.int64(),
        item_id=pa.int64(),
        rank=pa.int64(),
    )
    truth = table([(1, 2)], user_id=pa.int64(), item_id=pa.int64())
    result = sqlrec.evaluate("mrr@2", recs=recs, truth=truth)
    assert sorted(rows(result, "model", "value")) == sorted((name, 0.5) for name in names)
    assert str(result.to_arrow().schema.field("model").type) == "string"
    tables = {name: recs.drop_columns("model").slice(0, 2) for name in names if name}
    result = sqlrec.evaluate("mrr@2", recs=tables, truth=truth)
    assert rows(result, "model", "value") == [(name, 0.5) for name in tables]
    assert sqlrec.compare("mrr@2", recs=tables, truth=truth, baseline="a").to_arrow().num_rows == 3


def test_an_item_may_be_there_again_below_the_cutoff_among_equal_scores():
    recs = table(
        [(1, 1, 0.9), (1, 2, 0.5), (1, 3, 0.5), (1, 2, 0.5)],
        user_id=pa.int64(),
        item_id=pa.int64(),
        score=pa.float64(),
    )
    truth = table([(1, 1)], user_id=pa.int64(), item_id=pa.int64())
    assert values(
        sqlrec.evaluate("mrr@2", recs=recs, truth=truth, rules=sqlrec.Rules(ties="expected"))
    ) == [1]


@mark.parametrize("rules", [{"duplicates": "best"}, {"duplicates": "best", "null_scores": "drop"}])
def test_what_is_left_out_takes_no_place_above_the_depth(rules):
    rows_ = [("ann", item, score) for item, score in [("a", 3.0), ("a", 2.0), ("b", 1.0)]]
    recs = table([*rows_, *[("ann", "c", None)] * ("null_scores" in rules)], **SCORED)
    truth = wanted({"ann": "b"})
    found = flat.evaluate("mrr@all", recs=recs, truth=truth, depth=2, **rules)
    assert values(found) == [1 / 2]
    ranks = table([("ann", "a", 1), ("ann", "a", 2), ("ann", "b", 3)], **IDS, rank=pa.int64())
    found = sqlrec.evaluate(
        "mrr@all", recs=ranks, truth=truth, rules=sqlrec.Rules(duplicates="best", depth=2)
    )
    assert values(found) == [0]
