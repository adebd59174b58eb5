"""The users of means, and segments."""

import re
from functools import partial
from math import inf, log2
from warnings import catch_warnings, simplefilter

import pyarrow as pa
from pytest import approx, mark, raises, warns

import sqlrec

from ..metrics.cases import case, given, worked
from ..tables import evaluate, lists, rows, scored, value, values, wanted

# Ann has a list and a relevant item, bob has no list, cid no relevant item, and dot is not in
# truth.
RECS = lists({"ann": "ab", "cid": "ab", "dot": "abc"})
TRUTH = wanted({"ann": {"b": 2}, "bob": {"a": 1}, "cid": {"a": 0}})
# Bob's list begins at rank 3.
FROM_RANK_3 = pa.table({"user_id": ["ann", "bob"], "item_id": ["a", "b"], "rank": [1, 3]})
OF_ITEMS = {"catalog": pa.table({"item_id": ["a", "b"]})}
test_population = worked(
    "says who is averaged over",
    # Recall is undefined without a relevant item; such a user is excluded only from its mean.
    given(recs=RECS, truth=TRUTH),
    *(
        case({"hit_rate@2": (hit_rate, users), "recall@2": (recall, of)}, population=population)
        for population, hit_rate, users, recall, of in (
            ("truth", 1 / 2, 2, 1 / 2, 2),
            ("truth_and_recs", 1.0, 1, 1.0, 1),
            ("judged", 1 / 3, 3, 1 / 2, 2),
            ("recs", 1 / 3, 3, 1.0, 1),
        )
    ),
    "may be everybody with relevant items or an item within the cutoff",
    given(recs=FROM_RANK_3, truth={"ann": "a", "cid": "c"}, population="all"),
    case({"hit_rate@1": (1 / 2, 2), "hit_rate@3": (1 / 3, 3)}),
    "needs an item of the list within the cutoff",
    given(recs=FROM_RANK_3, truth={"ann": "a", "bob": "b", "cid": "c"}),
    *(
        case({"hit_rate@1": (1.0, 1), "hit_rate@3": (1.0, 2)}, population=population)
        for population in ("truth_and_recs", "judged_and_recs", "recs")
    ),
)


def test_user_counts_say_who_was_counted():
    result = evaluate("ndcg@1 ndcg@3", recs=RECS, truth=TRUTH)
    columns = "k users_evaluated users_without_list short_lists ties_at_cutoff unjudged_lists"
    counts = rows(result.user_counts, *columns.split(), "repeated_rows")
    assert counts == [(1, 2, 1, 0, 0, 2, 0), (3, 2, 1, 1, 0, 2, 0)]


def test_ties_at_the_cutoff_are_counted():
    recs = scored({"ann": {"a": 1, "b": 0.5, "c": 0.5}, "bob": {"a": 1, "b": 1, "c": 0}})
    result = evaluate("P@1 P@2 P@3", recs=recs, truth=wanted({"ann": "a", "bob": "a"}))
    assert rows(result.user_counts, "k", "ties_at_cutoff") == [(1, 1), (2, 1), (3, 0)]


def test_every_model_is_averaged_over_the_same_users():
    recs = {"new": lists({"ann": "b"}), "old": lists({"ann": "ab", "bob": "ba"})}
    result = evaluate("mrr@2", recs=recs, truth=wanted({"ann": "b", "bob": "b"}))
    expected = [("new", 1 / 2, 2), ("old", (1 / 2 + 1) / 2, 2)]
    assert rows(result, "model", "value", "users") == expected


def test_models_may_be_a_column():
    recs = lists({"ann": "b"}).append_column("model", pa.array([7]))
    result = evaluate("mrr@2", recs=recs, truth=wanted({"ann": "b"}))
    assert rows(result, "model", "value") == [("7", 1)]


def test_a_name_given_to_a_model_outweighs_its_column():
    recs = lists({"ann": "b"}).append_column("model", pa.array(["column"]))
    result = evaluate("mrr@2", recs={"name": recs}, truth=wanted({"ann": "b"}))
    assert rows(result, "model") == [("name",)]


@mark.parametrize("form", ["dict", "column"])
def test_a_model_that_places_nothing_within_the_cutoff_has_0(form):
    late = lists({"ann": "abc"}).slice(2)
    recs = {"late": late, "x": RECS}
    if form == "column":
        models = pa.array(["late"] * len(late) + ["x"] * len(RECS))
        recs = pa.concat_tables(recs.values()).append_column("model", models)
    with warns(UserWarning, match="late: no user of truth has a list"):
        result = evaluate("mrr@2", recs=recs, truth=TRUTH)
    assert rows(result, "model", "value", "users") == [("late", 0, 2), ("x", approx(1 / 4), 2)]


def test_who_has_a_list_does_not_depend_on_other_cutoffs():
    recs = pa.concat_tables([lists({"ann": "ab"}), lists({"bob": "xxxa"}).slice(3)])
    truth = wanted({"ann": "a", "bob": "a"})
    for metrics in ("P@2", "P@2 P@4"):
        result = evaluate(metrics, recs=recs, truth=truth, population="truth_and_recs")
        assert rows(result, "value", "users")[0] == (1 / 2, 1)


def test_lists_of_other_users_are_an_error():
    given = {"recs": {"x": RECS, "pop": RECS}, "truth": wanted({"ANN": "a"})}
    message = (
        "x: no user of truth has a list: check that user_id has the same format in both tables; "
        "lists have 'ann', and truth has 'ANN'"
    )
    for call in (
        partial(sqlrec.evaluate, "mrr@2", **given),
        partial(sqlrec.evaluate, "mrr@2", **given, batches=2),
        partial(sqlrec.compare, "mrr@2", **given, baseline="pop"),
        partial(sqlrec.compare, "mrr@2", **given),
        partial(sqlrec.check, "mrr@2 >= pop - 0.1", **given),
        partial(sqlrec.explain, "mrr@2", recs={"x": RECS}, truth=given["truth"]),
    ):
        with raises(sqlrec.DataError) as raised:
            call()
        assert str(raised.value).replace("pop: ", "x: ") == message


@mark.parametrize(
    "population, message",
    [
        ("truth", "no users to average over: no item of truth has a relevance of at least 3"),
        ("truth_and_recs", "no user with a list has an item with a relevance of at least 3"),
    ],
)
def test_nobody_to_average_over_is_an_error(population, message):
    with raises(sqlrec.DataError, match=message):
        evaluate("mrr@2", recs=RECS, truth=TRUTH, population=population, relevance_threshold=3)


class TestAModelWithNobody:
    OUTSIDER = lists({"dot": "a"})
    DEEP = lists({"ann": "xba"}).slice(1)  # Its first rank is 2.

    @mark.parametrize("form", ["dict", "column"])
    def test_an_undefined_metric_has_no_value_next_to_others(self, form):
        recs = {"in": RECS, "out": self.OUTSIDER}
        if form == "column":
            models = pa.array(["in"] * len(RECS) + ["out"])
            recs = pa.concat_tables(recs.values()).append_column("model", models)
        options = {"recs": recs, "truth": TRUTH, "population": "truth_and_recs"}
        message = "out: reciprocal_rank@2, precision@1 has no users to average over: no user with"
        for statistics in ({"interval": "t"}, {"interval": "bootstrap", "summaries": "p90"}):
            with warns(UserWarning, match=message):
                result = evaluate("mrr@2 P@1", **options, **statistics)
            expected = [("in", 2, 1 / 2, 1), ("in", 1, 0, 1), ("out", 2, None, 0)]
            assert rows(result, "model", "k", "value", "users") == [*expected, ("out", 1, None, 0)]
        counts = rows(result.user_counts, "model", "users_evaluated", "users_without_list")
        assert counts == [*[("in", 1, 1)] * 2, *[("out", 0, 2)] * 2]

    def test_at_one_cutoff_has_values_at_the_others(self):
        recs, rules = {"in": RECS, "deep": self.DEEP}, {"population": "truth_and_recs"}
        with warns(UserWarning, match="deep: precision@1 has no users to average over"):
            result = evaluate("P@1,2", recs=recs, truth=TRUTH, **rules)
        assert rows(result, "value", "users") == [(0, 1), (1 / 2, 1), (None, 0), (1 / 2, 1)]
        assert {row[0] for row in rows(result.per_user(), "model")} == {"in", "deep"}

    def test_is_an_error_where_there_is_no_other(self):
        options = {"truth": TRUTH, "population": "truth_and_recs"}
        for recs in (self.OUTSIDER, {"out": self.OUTSIDER, "too": self.OUTSIDER}):
            with raises(sqlrec.DataError, match="reciprocal_rank@2 has no users to average over"):
                evaluate("mrr@2", recs=recs, **options)

    def test_is_an_error_for_a_check(self):
        with warns(UserWarning, match="no users"), raises(sqlrec.DataError, match="has no value"):
            inputs = {"recs": {"in": RECS, "out": self.OUTSIDER}, "truth": TRUTH}
            sqlrec.check("mrr@2 >= 0.1", **inputs, rules=sqlrec.Rules(population="truth_and_recs"))


class TestNothingInCommon:
    def test_of_users_with_a_list_is_an_error(self):
        message = "recs: no user with a list has a relevant item in truth: check that user_id"
        with raises(sqlrec.DataError, match=message):
            evaluate("mrr@2", recs=RECS, truth=wanted({"ANN": "a"}), population="recs")

    @mark.parametrize("form", ["one", "dict", "column", "lists"])
    def test_items_without_a_match_have_a_warning(self, form):
        recs, model = lists({"ann": "ab", "cid": "ab"}), "recs"
        truth = wanted({"ann": "AB", "cid": "x"})
        if form == "lists":
            recs = pa.table({"user_id": ["ann", "cid"], "item_id": [["a"], ["b"]]})
            truth = pa.table({"user_id": ["ann", "cid"], "item_id": [["A"], ["x"]]})
        elif form != "one":
            # The other's items are in the truth, although no listed item is relevant.
            recs, model = {"bad": recs, "good": lists({"ann": "y", "cid": "A"})}, "bad"
        if form == "column":
            models = pa.array(["bad"] * 4 + ["good"] * 2)
            recs = pa.concat_tables(recs.values()).append_column("model", models)
        with warns(UserWarning) as warned:
            evaluate("mrr@1 catalog_coverage@1", recs=recs, truth=truth, **OF_ITEMS)
        message = (
            f"{model}: no item of truth is in any list: check that item_id has the same format in "
            "both tables; lists have 'a', and truth has 'A'"
        )
        assert [str(one.message) for one in warned] == [message]

    def test_items_without_a_match_have_a_warning_in_a_comparison(self):
        recs = {
            name: lists({"ann": shown, "cid": "y"}) for name, shown in (("pop", "a"), ("x", "b"))
        }
        truth = wanted({"ann": "b", "cid": "A"})
        with warns(UserWarning) as warned:
            sqlrec.compare("mrr@1", recs=recs, truth=truth, baseline="pop")
        message = (
            "pop: no item of truth is in any list: check that item_id has the same format in both "
            "tables; lists have 'a', and truth has 'A'"
        )
        assert [str(one.message) for one in warned] == [message]

    def test_models_with_the_same_problem_have_one_warning(self):
        recs = {name: lists({"ann": "a"}) for name in ("pop", "x", "new")}
        with warns(UserWarning) as warned:
            evaluate("mrr@1", recs=recs, truth=wanted({"ann": "A"}))
        (message,) = (str(one.message) for one in warned)
        assert message.startswith("new, pop and x: no item of truth is in any list: check that")

    @mark.parametrize("command", [evaluate, sqlrec.compare])
    def test_models_without_a_match_have_examples_of_their_own_ids(self, command):
        recs = {
            name: lists({"ann": item})
            for name, item in zip("dcba", ["b", "B", "B", "C"], strict=True)
        }
        with warns(UserWarning, match="no item of truth is in any list") as warned:
            command("mrr@1", recs=recs, truth=wanted({"ann": "b"}))
        texts = [str(one.message) for one in warned if "in any list" in str(one.message)]
        assert {text.partition(":")[0]: text.count("have 'C'") for text in texts} == {
            "a": 1,
            "b and c": 0,
        }

    def test_missing_hits_have_no_warning(self):
        results = evaluate("mrr@1", recs=lists({"ann": "ab"}), truth=wanted({"ann": "b"}))
        assert values(results) == [0]

    def test_short_lists_have_a_warning(self):
        recs = {"x": lists({"ann": "abc", "cid": "a"}), "y": lists({"ann": "abcd"})}
        message = "x: every list is shorter than 4 items: values at this and larger cutoffs"
        with warns(UserWarning, match=message) as warned:
            evaluate("P@2,3,4,5", recs=recs, truth=TRUTH)
        assert [str(one.message)[0] for one in warned] == ["x", "y"]
        # Truncated lists are short on purpose, and whole lists have no target length.
        with catch_warnings():
            simplefilter("error")
            evaluate("P@2,5 mrr@all", recs=recs, truth=TRUTH, depth=2)


# In the list xcb, c gains 0.5 at rank 2 and b 3 at rank 3; the best list is a, b, c.
XCB = (0.5 / log2(3) + 3 / 2) / (5 + 3 / log2(3) + 0.5 / 2)
GRADES = {"a": 5, "b": 3, "c": 0.5, "d": 0, "e": -1}
test_relevance = worked(
    "counts from a threshold on",
    given(recs="xab", truth=GRADES),
    case({"recall@3": 2 / 3}),
    case({"recall@3": 2 / 3}, relevance_threshold=0.5),
    case({"recall@3": 1}, relevance_threshold=3),
    case({"recall@3": 1}, relevance_threshold=3.5),
    "does not cut grades by its threshold",
    given(recs="xcb", truth=GRADES),
    case({"ndcg@3": XCB}),
    case({"ndcg@3": XCB, "ndcg(gain=binary)@3": 1 / 2 / (1 + 1 / log2(3))}, relevance_threshold=3),
)


class TestRelevance:
    def test_may_be_yes_or_no(self):
        truth = pa.table(
            {"user_id": ["ann"] * 2, "item_id": ["a", "b"], "relevance": [True, False]}
        )
        result = evaluate("P@2 ndcg@2", recs=lists({"ann": "ba"}), truth=truth)
        assert values(result) == [1 / 2, approx(0.6309297535714574)]

    @mark.parametrize("missing", [None, float("nan")])
    def test_a_missing_grade_is_an_error(self, missing):
        with raises(sqlrec.DataError, match="truth: item a of user ann has no relevance"):
            value("P@2", "ab", {"a": missing, "b": 1})

    @mark.parametrize(
        "metric, largest, too_large",
        [("ndcg@2", 1e100, inf), ("ndcg(gain=exponential)@2", 1000, 1e308), ("P@2", 1e100, -inf)],
    )
    def test_is_small_enough_to_be_added_up(self, metric, largest, too_large):
        with raises(sqlrec.DataError, match=re.escape(f"or a relevance beyond {largest} (rows: 1")):
            value(metric, "ab", {"a": 1, "b": too_large})
        assert value(metric, "ab", {"a": largest, "b": largest}) == 1


class TestAnItemTwiceInTheTruth:
    truth = pa.table({"user_id": ["ann"] * 3, "item_id": ["a", "b", "a"], "relevance": [1, 1, 3]})

    def test_is_an_error(self):
        with raises(sqlrec.DataError, match="truth: user ann has item a more than once"):
            evaluate("cg@2", recs=RECS, truth=self.truth)

    def test_a_repeated_item_may_count_with_its_best_grade(self):
        result = evaluate("cg@2 r@2", recs=RECS, truth=self.truth, duplicates="best")
        assert values(result) == [4, 1]


@mark.parametrize("column", ["user_id", "item_id"])
def test_judgments_have_ids(column):
    truth = pa.table({"user_id": ["ann", "ann"], "item_id": ["a", "b"]}).to_pandas()
    truth.loc[1, column] = None
    with raises(sqlrec.DataError, match=f"truth has 1 row without {column}"):
        evaluate("P@2", recs=RECS, truth=truth)


def test_truth_may_be_lists():
    truth = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c"]]})
    result = evaluate("recall@2", recs=lists({"ann": "ax"}), truth=truth)
    assert values(result) == [(1 / 2 + 0) / 2]


class TestSegments:
    RECS = lists({"ann": "ab", "bob": "ab", "cid": "ab"})
    COUNTRIES = pa.array(["US", "US", "DE", None])
    TRUTH = wanted({"ann": "ax", "bob": "b", "cid": "x"}).append_column("country", COUNTRIES)

    def test_are_columns_of_the_truth(self):
        result = evaluate("recall@2", recs=self.RECS, truth=self.TRUTH, by="country")
        expected = [("DE", 1, 1), ("US", 1 / 2, 1), (None, 0, 1)]
        assert rows(result, "country", "value", "users") == expected

    def test_segments_may_be_columns_of_users(self):
        users = pa.table({"user_id": ["bob", "ann"], "age": [30, 40], "order": ["x", "y"]})
        by = ["order", "age", "country"]
        result = evaluate("P@1", recs=self.RECS, truth=self.TRUTH, users=users, by=by)
        assert result.to_arrow().column_names[:4] == ["model", *by]
        expected = [("x", 30, "DE", 0), ("y", 40, "US", 1), (None, None, None, 0)]
        assert rows(result, *by, "value") == expected

    @mark.parametrize("second", ["DE", None])
    def test_a_user_has_one_value(self, second):
        truth = self.TRUTH.set_column(2, "country", pa.array(["US", second, "DE", "DE"]))
        with raises(sqlrec.DataError, match="user ann has more than one value of country"):
            evaluate("P@1", recs=self.RECS, truth=truth, by="country")

    def test_a_user_has_one_row(self):
        users = pa.table({"user_id": ["ann", "ann"], "age": [30, 40]})
        with raises(sqlrec.DataError, match="users: user ann has more than one value of age"):
            evaluate("P@1", recs=self.RECS, truth=self.TRUTH, users=users, by="age")

    def test_segments_may_have_names_of_queries_and_words(self):
        names = ["f_beta", "mean_recall", "users_recall", "ranks_2", "at", "lambda"]
        users = pa.table({"user_id": ["ann"]} | {name: [7.0 + n] for n, name in enumerate(names)})
        options = {"recs": self.RECS, "truth": self.TRUTH.slice(0, 2), "users": users}
        result = evaluate("f_beta@2 recall@2", by=names, **options)
        assert rows(result, *names, "value", "users") == [(*range(7, 13), 1 / 2, 1)] * 2

    def test_segments_with_similar_names_are_separate(self):
        users = pa.table({"user_id": ["ann", "bob"], "a b": ["x", "x"], "a-b": ["p", "q"]})
        inputs = {"recs": self.RECS, "truth": self.TRUTH.slice(0, 3), "users": users}
        result = evaluate("P@1", **inputs, by=["a b", "a-b"])
        assert rows(result, "a b", "a-b", "users") == [("x", "p", 1), ("x", "q", 1)]

    def test_nan_values_are_one_segment(self):
        users = pa.table({"user_id": ["ann", "bob"], "age": [float("nan")] * 2})
        truth = self.TRUTH.slice(0, 3)
        result = evaluate("P@1 R@1", recs=self.RECS, truth=truth, users=users, by="age")
        assert rows(result.user_counts, "k", "users_evaluated") == [(1, 2)]

    @mark.parametrize("kind", [pa.list_(pa.int64()), pa.struct({"a": pa.int64()})])
    def test_are_single_values(self, kind):
        truth = self.TRUTH.set_column(2, "x", pa.nulls(4, kind))
        with raises(sqlrec.InputError, match=r"by='x' is .*: a segment is a single value"):
            evaluate("P@1", recs=self.RECS, truth=truth, by="x")

    @mark.parametrize("by", [["country", "country"], ["country", "Country"], [7], 7])
    def test_are_named_once(self, by):
        with raises(sqlrec.InputError, match="by="):
            evaluate("P@1", recs=self.RECS, truth=self.TRUTH, by=by)

    def test_may_have_any_name(self):
        names = ["rank", "hit", "select", "Größe", 'a "b" c', "it's", "k; drop", "ndcg"]
        truth = self.TRUTH.drop_columns("country")
        for number, name in enumerate(names):
            land = [None if one is None else f"{one}{number}" for one in ("US", "US", "DE", None)]
            truth = truth.append_column(name, pa.array(land))
        result = evaluate("ndcg@2 map@2", recs=self.RECS, truth=truth, by=names)
        assert rows(result, *names)[0] == tuple(f"DE{number}" for number in range(8))
        assert result.per_user().to_arrow().column_names[1:9] == names

    @mark.parametrize(
        "name",
        ["model", "k", "metric", "value", "users", "violations", "K", "Metric", "convention"],
    )
    def test_segments_named_like_a_column_of_the_result_are_refused(self, name):
        truth = self.TRUTH.rename_columns(["user_id", "item_id", name])
        with raises(sqlrec.InputError, match="already has a column "):
            evaluate("P@2", recs=self.RECS, truth=truth, by=name)

    def test_may_be_a_column_of_such_a_name_under_another(self):
        truth = self.TRUTH.rename_columns(["user_id", "item_id", "Metric"])
        given = {"recs": self.RECS, "truth": truth, "columns": {"segment": "Metric"}}
        result = evaluate("P@2", **given, by="segment")
        assert rows(result, "segment")[0] == ("DE",)

    def test_work_for_all_lists(self):
        users = pa.table({"user_id": ["ann", "dot"], "age": [30, 40]})
        result = evaluate("P@1", recs=RECS, truth=TRUTH, users=users, by="age", population="recs")
        assert rows(result, "age", "users") == [(30, 1), (40, 1), (None, 1)]

    def test_have_accounts_of_their_own(self):
        # Eve and fay have no relevant item; the lists of bob and, in y, of dot have a repeated
        # item.
        names = ("eve", "bob", "dot", "cid")
        users = pa.table({"user_id": [*names], "land": ["DE", "DE", "US", None]})
        recs = {
            "x": lists({"eve": "ab", "bob": "aba", "dot": "ab", "cid": "ab", "fay": "a"}),
            "y": lists({"eve": "ab", "dot": "aab"}),
        }
        truth = wanted({"bob": "a", "dot": "b", "gil": "a", "cid": "a"})
        options = {"truth": truth, "users": users, "by": "land", "duplicates": "best"}
        result = evaluate("mrr@1 catalog_coverage@2", recs=recs, **OF_ITEMS, **options)
        counts = ("model", "land", "population", "k", "unjudged_lists", "repeated_rows")
        expected = [("x", "DE", "truth", 1, 1, 1), ("x", "DE", "recs", 2, None, 1)]
        expected += [("x", "US", "truth", 1, 0, 0), ("x", "US", "recs", 2, None, 0)]
        expected += [("x", None, "truth", 1, 1, 0), ("x", None, "recs", 2, None, 0)]
        expected += [("y", "DE", "truth", 1, 1, 0), ("y", "DE", "recs", 2, None, 0)]
        expected += [("y", "US", "truth", 1, 0, 1), ("y", "US", "recs", 2, None, 1)]
        expected += [("y", None, "truth", 1, 0, 0)]
        assert rows(result.user_counts, *counts) == expected
        # The counts of all users are the sums, if each segment has users.
        whole = evaluate("mrr@1", recs=recs, truth=truth, duplicates="best")
        assert rows(whole.user_counts, *counts[:1], *counts[4:]) == [("x", 2, 1), ("y", 1, 1)]
