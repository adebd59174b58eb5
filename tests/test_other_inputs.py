"""Inputs other than recs and truth: their checks and errors."""

from contextlib import nullcontext

import pyarrow as pa
from pytest import approx, mark, raises, warns

import sqlrec

from .tables import evaluate, lists, rows, scored, table, values, wanted

IDS = {"user_id": pa.string(), "item_id": pa.string()}
RECS = lists({"ann": "ab", "bob": "bc"})
HISTORY = table([("ann", "a"), ("ann", "a"), ("bob", "x")], **IDS)
USERS = table([("ann", "x"), ("bob", "y")], user_id=pa.string(), land=pa.string())


class TestWhatIsNeeded:
    def test_truth_is_not_where_no_metric_asks_for_it(self):
        assert values(evaluate("novelty@2", recs=RECS, history=HISTORY)) == [0.75]

    @mark.parametrize("table", ["baseline", "history", "catalog", "items", "logs"])
    def test_an_unread_input_may_be_any_readable_table(self, table, tmp_path):
        inputs = {"recs": RECS, "truth": wanted({"ann": "a"})}
        other = pa.table({"anything": ["x"]})
        assert values(evaluate("mrr@2", **inputs, **{table: other})) == [1]
        for name in ("nosuchfile", tmp_path / "nosuch.parquet", str(tmp_path / "*.csv")):
            with raises(sqlrec.InputError, match=f"^{table}="):
                evaluate("mrr@2", **inputs, **{table: name})

    def test_metrics_of_several_inputs_share_a_call(self):
        truth = wanted({"ann": "b", "cid": "a"})
        inputs = {"recs": RECS, "truth": truth, "history": HISTORY}
        result = evaluate("mrr@2 novelty@1 novelty@2", **inputs)
        assert rows(result, "metric", "k", "value", "users") == [
            ("reciprocal_rank", 2, 0.25, 2),
            ("novelty", 1, 0.5, 2),
            ("novelty", 2, 0.75, 2),
        ]
        # Each is over its own users, which are separate in user_counts.
        counted = ("population", "k", "users_evaluated", "users_without_list", "unjudged_lists")
        assert rows(result.user_counts, *counted) == [
            ("truth", 2, 2, 1, 1),
            ("recs", 1, 2, 0, None),
            ("recs", 2, 2, 0, None),
        ]
        results = rows(result.per_user(), "user_id", "metric", "k")
        assert len(results) == 6 and ("cid", "novelty", 1) not in results

    def test_segments_come_from_users_or_from_a_truth_that_is_given_for_them(self):
        users = table([("ann", "x"), ("cid", "y")], user_id=pa.string(), land=pa.string())
        truth = table([("ann", "a", "x")], **IDS, land=pa.string())
        empty = warns(UserWarning, match=r"land=y \(1 user\): no user has a value")
        for where, warning in (({"users": users}, empty), ({"truth": truth}, nullcontext())):
            with warning:
                result = evaluate("novelty@2", recs=RECS, history=HISTORY, by="land", **where)
            assert rows(result, "land", "value", "users") == [("x", 0.5, 1), (None, 1.0, 1)]
        with raises(sqlrec.InputError, match="by='land': no such column in truth or users, and b"):
            evaluate("novelty@2", recs=RECS, history=HISTORY, by="land")


class TestHistory:
    def test_may_repeat_itself_and_know_others(self):
        history = pa.concat_tables([HISTORY, HISTORY, table([("zoe", "b")], **IDS)])
        assert values(evaluate("novelty@2", recs=RECS, history=history)) == [0.75]

    @mark.parametrize(
        "row, message",
        [
            ((None, "a"), "history has 1 item without user_id"),
            (("ann", None), "history has 1 user with rows without item_id, such as user ann"),
        ],
    )
    def test_missing_ids_of_users_and_items_are_counted(self, row, message):
        history = pa.concat_tables([HISTORY, table([row], **IDS)])
        with raises(sqlrec.DataError, match=message):
            evaluate("novelty@2", recs=RECS, history=history)
        with raises(sqlrec.DataError, match=message):
            evaluate("novelty@2 mrr@1", recs=RECS, history=history, truth=RECS)


class TestBaseline:
    TRUTH = wanted({"ann": "a"})

    def unexpected(self, baseline, **rules):
        results = evaluate("unexpectedness@2", recs=RECS, baseline=baseline, **rules)
        return values(results)

    def test_has_scores_or_ranks_of_its_own(self):
        by_score = scored({"ann": {"a": 1.0, "x": 2.0, "b": 0.5}, "bob": {"b": 1.0, "c": 1.0}})
        by_rank = lists({"ann": "xab", "bob": "bc"})
        assert self.unexpected(by_score) == self.unexpected(by_rank) == approx([0.25])

    def test_is_not_a_model_of_recs(self):
        one_table = RECS.append_column("model", [["pop"] * RECS.num_rows])
        for recs in ({"als": RECS, "pop": RECS}, one_table):
            with raises(sqlrec.InputError, match=r"^baseline='pop' is a model of recs: give a ta"):
                sqlrec.evaluate("mrr@2", recs=recs, truth=self.TRUTH, baseline="pop")
            with raises(sqlrec.InputError, match=r"^baseline='other' can't be read: no such t"):
                sqlrec.evaluate("mrr@2", recs=recs, truth=self.TRUTH, baseline="other")


class TestValuesOfAllTogether:
    CATALOG = pa.table({"item_id": ["a", "b", "c", "d"]})

    def test_are_reported_and_counted_beside_those_of_users(self):
        truth = wanted({"ann": "b", "cid": "a"})
        inputs = {"recs": RECS, "truth": truth, "catalog": self.CATALOG}
        result = evaluate("catalog_coverage@1 catalog_coverage@2 mrr@2", **inputs)
        assert rows(result, "metric", "value", "users") == [
            ("catalog_coverage", 0.5, 2),
            ("catalog_coverage", 0.75, 2),
            ("reciprocal_rank", 0.25, 2),
        ]
        assert {row[0] for row in rows(result.per_user(), "metric")} == {"reciprocal_rank"}

    def test_values_of_all_users_have_no_per_user_values(self, tmp_path):
        inputs = {"recs": RECS, "catalog": self.CATALOG}
        result = evaluate("catalog_coverage@1", **inputs)
        with raises(sqlrec.InputError, match="no per-user values"):
            result.per_user().to_arrow()
        with raises(sqlrec.InputError, match="no per-user values"):
            result.per_user().to_parquet(tmp_path / "users.parquet")
        with raises(sqlrec.InputError, match="no per-user values"):
            sqlrec.sql("catalog_coverage@1", per_user=True, **inputs)
        assert not list(tmp_path.iterdir())

    def test_need_a_catalog_that_names_its_items(self):
        catalog = pa.table({"item_id": ["a", None]})
        with raises(sqlrec.DataError, match="catalog has rows without item_id: remove these rows"):
            evaluate("catalog_coverage@1", recs=RECS, catalog=catalog)


class TestItems:
    SCORED = table(
        [(1, 10, 1.0), (1, 11, 0.5)], **dict.fromkeys(IDS, pa.int64()), score=pa.float64()
    )

    @mark.parametrize("others, results", [(["11"], "VARCHAR"), ([11.0], "DOUBLE")])
    def test_the_other_item_has_an_id_of_the_same_kind(self, others, results):
        items = pa.table({"item_id": [10], "other_item_id": others, "distance": [0.5]})
        with raises(
            sqlrec.InputError, match=f"{results} in items.other|other_item_id is {results}"
        ):
            evaluate("ild@2", recs=self.SCORED, items=items)

    def test_the_other_item_may_be_an_integer_of_another_size(self):
        others = pa.array([11], pa.int16())
        items = pa.table({"item_id": [10], "other_item_id": others, "distance": [0.5]})
        assert values(evaluate("ild@2", recs=self.SCORED, items=items)) == [0.5]

    @mark.parametrize("column", ["category", "item_group"])
    def test_labels_are_not_floating_point_numbers(self, column):
        metric = {"category": "category_entropy@2", "item_group": "rsp@2"}[column]
        items = pa.table({"item_id": ["a", "b"], column: [1.0, float("nan")]})
        with raises(
            sqlrec.InputError, match=f"items.{column} is DOUBLE: a {column} must be a label"
        ):
            evaluate(metric, recs=RECS, items=items)

    def test_labels_are_single_also_where_a_segment_has_their_name(self):
        items = pa.table({"item_id": ["a"], "category": [["x", "y"]]})
        users = pa.table({"user_id": ["ann"], "category": ["s"]})
        with raises(sqlrec.InputError, match=r"items.category is VARCHAR.*: give one value per"):
            evaluate("category_entropy@2", recs=RECS, items=items, users=users, by="category")


@mark.parametrize(
    "metric, name, others",
    [
        ("novelty@2", "history", {"user_id": ["ann"]}),
        ("catalog_coverage@2", "catalog", {}),
        ("category_entropy@2", "items", {"category": ["x"]}),
    ],
)
def test_only_lists_and_truth_hold_lists_of_items(metric, name, others):
    inputs = {name: pa.table({**others, "item_id": [["a", "b"]]})}
    with raises(sqlrec.InputError, match=f"{name}.item_id is VARCHAR.*: give one value per row"):
        evaluate(metric, recs=RECS, **inputs)


CALLS = {
    "evaluate": ("mrr@2", {}),
    "check": ("mrr@2 >= 0", {}),
    "explain": ("mrr@2", {"conventions": "ranx"}),
    "sql": ("mrr@2", {}),
    "power": ("mrr@2", {}),
    "plot": ("curve", {"metrics": "mrr@1,2"}),
    "unsampled": ("mrr@2", {"catalog_size": 9, "candidates": 2}),
    "report": (["mrr@1", "mrr@2"], {"who_lost": False}),
}


class TestInputsThatNothingReads:
    @mark.parametrize("function", CALLS)
    def test_are_a_warning_of_a_function(self, function):
        metrics, options = CALLS[function]
        given = {"recs": RECS, "truth": wanted({"ann": "a", "bob": "b"}), "users": USERS}
        reader = options.get("metrics", metrics)
        reader = ", ".join(reader) if isinstance(reader, list) else reader
        with warns(UserWarning, match=f"^users is not read by {reader}: remove it$"):
            getattr(sqlrec, function)(metrics, **given, **options)

    def test_are_no_warning_of_a_dataset_or_a_search_for_segments(self, recwarn):
        given = {"recs": {"als": RECS, "pop": RECS}, "truth": wanted({"ann": "a"}), "users": USERS}
        sqlrec.Dataset(**given).evaluate("mrr@2")
        sqlrec.compare("mrr@2", **given, baseline="pop", history=HISTORY)
        assert not [one for one in recwarn if "is not read" in str(one.message)]
        with warns(UserWarning, match="^catalog is not read by mrr@2: remove it"):
            sqlrec.compare("mrr@2", **given, baseline="pop", catalog=HISTORY)
