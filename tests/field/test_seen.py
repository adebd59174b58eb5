"""Items of the history are removed from lists, and the items below them move up."""

import duckdb
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx, mark, raises, warns

import sqlrec

from ..examples import examples
from ..tables import in_sqlite, lists, rows, rows_of, scored, values, wanted

# The history has a; without a, the list a c x has c at rank 1.
SEEN = {"recs": lists({"u": "acx"}), "truth": wanted({"u": "acd"}), "history": wanted({"u": "ab"})}
METRICS = "precision@1 mrr@2 recall@2"


def evaluated(metrics, **options):
    return values(sqlrec.evaluate(metrics, interval=None, **options))


def test_the_items_below_move_up():
    # c is a hit at rank 1, x a miss at rank 2: precision 1/1, 1/1, and one of three items is a hit.
    assert evaluated(METRICS, seen="drop", **SEEN) == approx([1, 1, 1 / 3])
    # a, a hit at rank 1, and c at rank 2 are two of three.
    assert evaluated(METRICS, seen="keep", **SEEN) == approx([1, 1, 2 / 3])
    assert evaluated(METRICS, **SEEN) == evaluated(METRICS, seen="keep", **SEEN)


def test_lists_in_any_form_are_the_same():
    by_score = SEEN | {"recs": scored({"u": {"a": 3.0, "c": 2.0, "x": 1.0}})}
    in_lists = SEEN | {"recs": pa.table({"user_id": ["u"], "item_id": [["a", "c", "x"]]})}
    both = pa.table(
        {"user_id": ["u"] * 3, "item_id": [*"acx"], "rank": [1, 2, 3], "score": [3, 2, 1]}
    )
    for form in (by_score, in_lists, SEEN | {"recs": both}):
        assert evaluated(METRICS, seen="drop", **form) == approx([1, 1, 1 / 3])


def test_gaps_of_ranks_stay():
    # Ranks 2, 4 and 5; a is removed from rank 2, so c is at 3 and x at 4.
    recs = pa.table({"user_id": ["u"] * 3, "item_id": [*"acx"], "rank": [2, 4, 5]})
    assert evaluated("mrr@4", **SEEN | {"recs": recs}, seen="drop") == approx([1 / 3])


def test_a_history_may_repeat_itself():
    twice = pa.concat_tables([SEEN["history"]] * 2)
    assert evaluated(METRICS, seen="drop", **SEEN | {"history": twice}) == approx([1, 1, 1 / 3])


def test_items_seen_by_other_users_stay():
    history = wanted({"v": "acx"})
    assert evaluated(METRICS, seen="drop", **SEEN | {"history": history}) == approx([1, 1, 2 / 3])


def test_lists_are_cut_after_items_have_left():
    inputs = {"recs": lists({"u": "abcd"}), "truth": wanted({"u": "d"})}
    inputs["history"] = wanted({"u": "ab"})
    assert evaluated("recall@2", depth=2, seen="drop", **inputs) == [1]


def test_a_list_of_only_seen_items_is_missing():
    history = wanted({"u": "acx"})
    with warns(UserWarning, match="no user of truth has a list"):
        result = sqlrec.evaluate("recall@2", seen="drop", **SEEN | {"history": history})
    assert values(result) == [0]
    assert rows(result.user_counts, "users_without_list") == [(1,)]


def test_the_baseline_has_the_rules_of_recs():
    # Without a, recs are c x and the baseline x c: their first ranks have no common item.
    inputs = SEEN | {"baseline": lists({"u": "axc"})}
    assert evaluated("unexpectedness@1", seen="drop", **inputs) == [1]
    assert evaluated("unexpectedness@1", **inputs) == [0]


def test_each_model_loses_its_own():
    recs = {"als": lists({"u": "acx"}), "pop": lists({"u": "xac"})}
    # als: c x; pop: x c.
    assert evaluated("mrr@2", **SEEN | {"recs": recs}, seen="drop") == approx([1, 1 / 2])
    result = sqlrec.compare("mrr@2", baseline="pop", **SEEN | {"recs": recs}, seen="drop")
    assert rows(result, "value", "baseline_value") == [(1, 0.5)]


def test_seen_items_are_dropped_under_several_sets_of_rules():
    several = "mrr@2 mrr(convention=ranx)@2 mrr(convention=trec_eval)@2"
    by_score = {"recs": scored({"u": {"a": 3.0, "x": 2.0, "c": 1.0}})}
    assert evaluated(several, **SEEN | by_score, seen="drop") == approx([1 / 2] * 3)


def test_batches_are_the_same():
    recs = {f"u{n}": {item: -p for p, item in enumerate("abcdef"[n % 3 :])} for n in range(20)}
    truth, history = ({user: items for user in recs} for items in ("cf", "ac"))
    inputs = {"recs": scored(recs), "truth": wanted(truth), "history": wanted(history)}
    at_once = evaluated("ndcg@2 recall@3", seen="drop", **inputs)
    assert evaluated("ndcg@2 recall@3", seen="drop", batches=3, **inputs) == approx(at_once)


class TestOfItemsSimilarToAnItem:
    RECS = scored({"a": {"a": 1.0, "b": 0.9}, "b": {"b": 1.0, "a": 0.4}})
    TRUTH = wanted({"a": "b", "b": "a"})

    def test_the_item_itself_leaves(self):
        inputs = {"recs": self.RECS, "truth": self.TRUTH}
        assert evaluated("mrr@2", **inputs) == [0.5]
        assert evaluated("mrr@2", seen="self", **inputs) == [1]

    def test_the_item_itself_leaves_ranked_lists(self):
        inputs = {"recs": lists({"a": "cab", "b": "bca"}), "truth": self.TRUTH}
        # c b and c a.
        assert evaluated("mrr@2", seen="self", **inputs) == [0.5]

    def test_ids_are_of_one_kind(self):
        inputs = {"recs": pa.table({"user_id": [1], "item_id": ["a"], "rank": [1]})}
        message = r"^user_id is BIGINT in recs but VARCHAR in recs\.item_id"
        with raises(sqlrec.InputError, match=message):
            evaluated("mrr@2", seen="self", **inputs, truth=inputs["recs"].drop(["rank"]))

    def test_the_history_is_unchanged(self):
        inputs = {"recs": self.RECS, "truth": self.TRUTH, "history": wanted({"a": "b", "b": "a"})}
        assert evaluated("mrr@2 novelty@2", seen="self", **inputs) == [1, 0]


class TestErrors:
    def test_a_history_is_needed(self):
        inputs = {"recs": SEEN["recs"], "truth": SEEN["truth"]}
        with raises(sqlrec.InputError, match=r"^seen='drop' removes .*, history=\.\.\."):
            evaluated("mrr@2", seen="drop", **inputs)
        with raises(sqlrec.InputError, match=r"^seen='drop' removes the items of history"):
            names = {"recs": "recs", "truth": "truth", "rules": sqlrec.Rules(seen="drop")}
            sqlrec.sql("mrr@2", dialect="snowflake", **names)

    def test_a_value_is_one_of_three(self):
        with raises(sqlrec.InputError, match=r"^seen='droop': did you mean 'drop'\?"):
            evaluated("mrr@2", seen="droop", **SEEN)

    @mark.parametrize(
        "ranks, said",
        [([1, None, 2], "has rank None"), ([1, 0, 2], "has rank 0"), ([1, 2, 2], "more than once")],
    )
    def test_ranks_that_break_a_rule_are_said_still(self, ranks, said):
        recs = pa.table({"user_id": ["u"] * 3, "item_id": [*"acx"], "rank": ranks})
        with raises(sqlrec.DataError, match=said):
            evaluated("mrr@2", seen="drop", **SEEN | {"recs": recs})


def test_a_statement_is_of_the_tables_by_their_names():
    text = sqlrec.sql("mrr@2", rules=sqlrec.Rules(seen="drop"))
    with duckdb.connect() as connection:
        for name in ("truth", "history"):
            connection.register(name, SEEN[name])
        connection.register("recs", scored({"u": {"a": 3.0, "c": 2.0, "x": 1.0}}))
        assert connection.sql(text).fetchall() == [(1.0, 1)]


def test_sqlite_drops_the_same_items():
    tables = in_sqlite(SEEN)
    assert evaluated(METRICS, seen="drop", **tables) == approx([1, 1, 1 / 3])
    tables["engine"].close()


ITEMS = st.lists(st.sampled_from("abcdefg"), unique=True, max_size=7)
USERS = st.sampled_from("abuv")


@examples(40)
@given(
    shown=st.dictionaries(USERS, ITEMS.filter(len), min_size=1),
    truth=st.dictionaries(USERS, ITEMS.filter(len), min_size=1),
    had=st.dictionaries(USERS, ITEMS.filter(len), min_size=1),
    seen=st.sampled_from(["drop", "self"]),
    ranked=st.booleans(),
)
def test_values_equal_those_of_filtered_lists(shown, truth, had, seen, ranked):
    left = {
        user: [i for i in items if i not in (had.get(user, ()) if seen == "drop" else (user,))]
        for user, items in shown.items()
    }

    def tables(of_users):
        ranks = {u: {i: -float(n) for n, i in enumerate(items)} for u, items in of_users.items()}
        recs = lists(of_users) if ranked else scored(ranks)
        return {"recs": recs, "truth": wanted(truth), "history": wanted(had)}

    if any(left.values()):
        metrics = "ndcg@3 map@all precision@2 recall@2 novelty@2 gini@3"
        options = {"population": "all", "interval": None}
        ours = sqlrec.evaluate(metrics, seen=seen, **options, **tables(shown))
        theirs = sqlrec.evaluate(metrics, **options, **tables(left))
        assert values(ours) == approx(values(theirs))
        assert rows_of(ours.user_counts) == rows_of(theirs.user_counts)
