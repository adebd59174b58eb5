"""Rules that use the order of rows: the position in DuckDB, or a column on all engines."""

from random import Random

import pyarrow as pa
from pytest import approx, mark, raises, warns

import sqlrec

from ..dialects import slow
from ..tables import evaluate, in_sqlite, random_inputs, rows, scored, table, values, wanted

METRICS = ["mrr@3", "ndcg@5", "map(convention=ranx)@5", "ndcg(convention=lenskit)@3"]


def repeated(seed):
    """Return lists and truth with repeated items, in the order of a column, and shuffled."""
    inputs, shuffled = random_inputs(seed, users=12), {}
    for name in ("recs", "truth"):
        again = inputs[name].take(Random(seed).choices(range(len(inputs[name])), k=40))
        value = "score" if name == "recs" else "relevance"
        other = pa.array(Random(seed + 1).choices([0, 1, 2], k=40)).cast(again[value].type)
        again = again.set_column(again.column_names.index(value), value, other)
        whole = pa.concat_tables([inputs[name], again])
        inputs[name] = whole.append_column("ts", pa.array(range(len(whole))))
        shuffled[name] = inputs[name].take(Random(seed).sample(range(len(whole)), len(whole)))
    return {name: inputs[name] for name in shuffled}, shuffled


@mark.parametrize("rules", [{"ties": "first", "duplicates": "first"}, *slow({"ties": "first"}, {})])
def test_a_column_gives_every_engine_the_row_order_of_duckdb(rules):
    rules = {"duplicates": "last"} | rules
    standing, shuffled = repeated(3)
    expected = evaluate(METRICS, **standing, **rules)
    assert {*rows(expected.user_counts, "row_order")} == {("rows",)}
    for inputs in (shuffled, in_sqlite(shuffled)):
        result = evaluate(METRICS, **inputs, **rules, order_by="ts")
        assert values(result) == approx(values(expected), abs=1e-12)
        assert {*rows(result.user_counts, "row_order")} == {("ts",)}
    # The order is that of the column.
    assert values(evaluate(METRICS, **shuffled, **rules)) != approx(values(expected))


def test_ranks_and_rows_without_order_are_taken_too():
    shown = [("ann", "a", 1, 5), ("ann", "b", 2, None), ("ann", "a", 3, 7), ("ann", "a", 4, 5)]
    ranked = table(shown, user_id=pa.string(), item_id=pa.string(), rank=pa.int64(), ts=pa.int64())
    truth = wanted({"ann": "a"})

    def compute(rule, inputs):
        return values(evaluate("mrr@4", recs=inputs, truth=truth, duplicates=rule, order_by="ts"))

    assert compute("first", ranked) == [1]
    assert compute("last", ranked) == [1 / 3]
    # Rows without a value of the order column come last.
    without = ranked.set_column(3, "ts", pa.array([5, 6, 7, None]))
    assert compute("first", without) == [1]
    ties = ranked.slice(0, 3).rename_columns(["user_id", "item_id", "score", "ts"])
    ties = ties.set_column(2, "score", pa.array([1, 1, 1])).set_column(
        1, "item_id", pa.array(["a", "b", "c"])
    )
    order = [
        values(
            evaluate("mrr@3", recs=ties, truth=wanted({"ann": item}), ties="first", order_by="ts")
        )[0]
        for item in "acb"
    ]
    assert order == approx([1, 1 / 2, 1 / 3])


@mark.parametrize(
    ("rule", "value"),
    [
        # The second row of a counts, so b is above it.
        ({"duplicates": "best"}, 1 / 2),
        ({"duplicates": "last"}, 1 / 2),
        # As in a dict, a keeps its first position.
        ({"convention": "ranx"}, 1),
        # The first row of a counts, with the lower score.
        ({"duplicates": "first"}, 1 / 2),
    ],
    ids=str,
)
def test_a_repeated_item_has_the_place_of_the_row_that_counts(rule, value):
    shown = [("ann", "a", 0.0, 1), ("ann", "b", 1.0, 2), ("ann", "a", 1.0, 3)]
    columns = {"user_id": pa.string(), "item_id": pa.string(), "score": pa.float64()}
    standing = {"recs": table(shown, **columns, ts=pa.int64()), "truth": wanted({"ann": "a"})}
    rule = {"ties": "first"} | rule
    assert values(evaluate("mrr@2", **standing, **rule)) == [value]
    shuffled = standing | {"recs": standing["recs"].take([1, 2, 0])}
    for inputs in (shuffled, in_sqlite(shuffled)):
        assert values(evaluate("mrr@2", **inputs, **rule, order_by="ts")) == [value]


class TestWithoutOrder:
    recs = scored({"ann": {"b": 1, "a": 1}})
    inputs = in_sqlite({"recs": recs, "truth": wanted({"ann": {"a": 1}})})

    def test_replaced_rules_of_a_convention_have_a_warning(self):
        with warns(UserWarning, match="lenskit: rows in sqlite have no order: 'item_asc'"):
            result = evaluate("mrr(convention=lenskit)@2 mrr@2", **self.inputs)
        expected = [("lenskit", "none"), ("sqlrec", None)]
        assert rows(result.user_counts, "convention", "row_order") == expected
        assert "Rows have no order: ties are ordered by item" in str(result)

    def test_requested_row_orders_are_refused(self):
        with raises(sqlrec.InputError, match="ties='first': rows in sqlite have no order; name a"):
            evaluate("mrr@2", **self.inputs, ties="first")
        with raises(sqlrec.InputError, match=r"duplicates='last': rows in postgres .* of recs"):
            sqlrec.sql("mrr@2", recs="r", truth="t", dialect="postgres", duplicates="last")
        lists = pa.table({"user_id": ["ann"], "item_id": [["a", "b"]]})
        with raises(
            sqlrec.InputError, match=r"duplicates='last': recs.item_id is a list in one row"
        ):
            evaluate("mrr@2", recs=lists, truth=wanted({"ann": "a"}), duplicates="last")

    def test_a_missing_or_unread_order_column_is_named(self):
        with raises(sqlrec.InputError, match="order_by='time': no input has this column"):
            evaluate("mrr@2", **self.inputs, ties="first", order_by="time")
        with raises(sqlrec.InputError, match=r"order_by=7: name a column"):
            evaluate("mrr@2", **self.inputs, order_by=7)
        with warns(UserWarning, match="order_by='ts': no rule depends on the order of rows"):
            text = sqlrec.sql("mrr@2", recs="r", truth="t", dialect="snowflake", order_by="ts")
        assert "ts" not in text.split()
