"""A table of cases on every engine: values equal DuckDB's values."""

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
from pytest import approx, mark, raises, warns

import sqlrec
from sqlrec.engines.connect import open_engine

from ..tables import lists, random_inputs, rows, scored, table, wanted

FEW = "ndcg@2 map@3 recall@1 mrr@3"
WHOLE = "ndcg@all map@all recall@all"
IDS = {"user_id": pa.string(), "item_id": pa.string()}


def same(database, metrics, tables, per_user=False, **options):
    """Evaluate on an engine and on DuckDB, and compare all results."""
    for name, rows_ in tables.items():
        database.load(name, rows_)
    names = {name: name for name in tables}
    results = sqlrec.evaluate(metrics, **names, **options, engine=database.engine)
    expected = sqlrec.evaluate(metrics, **tables, **options)
    parts = [(results, expected), (results.user_counts, expected.user_counts)]
    parts += [(by_user(results), by_user(expected))] if per_user else []
    for ours, theirs in parts:
        ours, theirs = (
            part.to_arrow() if hasattr(part, "to_arrow") else part for part in (ours, theirs)
        )
        assert ours.column_names == theirs.column_names
        assert ours.schema.types == theirs.schema.types
        for our_row, their_row in zip(ours.to_pylist(), theirs.to_pylist(), strict=True):
            assert our_row == approx(their_row, abs=1e-12)
    return results


def mrr(database):
    return sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine=database.engine)


def by_user(result):
    rows_ = result.per_user().to_arrow()
    return rows_.sort_by([(name, "ascending") for name in rows_.column_names if name != "value"])


RANKED = IDS | {"rank": pa.int64()}
SCORED = IDS | {"score": pa.float64()}
GAPS = [("u1", "a", 1), ("u1", "b", 3), ("u2", "a", 2)]
BOTH = [("u1", "a", 1, 0.5), ("u1", "b", 2, 0.25), ("u2", "a", 1, 1.0)]
OF_MODELS = [("als", "u1", "a", 1), ("als", "u1", "b", 2), ("Pop 'n", "u1", "b", 1)]
LARGE = [(2**62, 2**53 + i, 2**53 + i) for i in range(3)]
NUMBERS = {"user_id": pa.int64(), "item_id": pa.int64()}
LETTERS = {"a": 1, "B": 1, "ä": 1, "Б": 1, "語": 1, "🎧": 1, "Z": 1, "'": 1}
# Lists and truth by name.
CASES = {
    "ties, negative zero and grades": (
        scored({"u1": {"a": 0.0, "b": -0.0, "c": 1.0}, "u2": {"b": -1.0, "a": -1.0}}),
        wanted({"u1": {"a": 1, "b": 0, "c": -0.0}, "u2": {"a": 2}, "u3": {"a": 1}}),
    ),
    "ids in several alphabets": (scored({"Ζωή": LETTERS}), wanted({"Ζωή": "äБ🎧", "O'Hara": "'"})),
    "large whole numbers": (
        table(LARGE, **NUMBERS, score=pa.int64()),
        table([LARGE[1][:2]], **NUMBERS),
    ),
    "ranks with gaps": (table(GAPS, **RANKED), wanted({"u1": "b", "u2": "a", "u3": "c"})),
    "score and rank": (table(BOTH, **RANKED, score=pa.float64()), wanted({"u1": "b", "u2": "a"})),
    "one row": (lists({"u": "a"}), wanted({"u": "a"})),
    "a column of models": (
        table(OF_MODELS, model=pa.string(), **RANKED),
        wanted({"u1": "b", "u2": "a"}),
    ),
}


@mark.usefixtures("in_parts")
@mark.parametrize("case", CASES)
def test_values_equal_those_of_duckdb(connection, case):
    tables = dict(zip(("recs", "truth"), CASES[case], strict=True))
    same(connection, [*FEW.split(), *WHOLE.split()], tables, per_user=True)


@mark.usefixtures("in_parts")
@mark.parametrize("population", ["truth_and_recs", "judged", "judged_and_recs", "recs"])
def test_averages_over_the_same_users(database, population):
    recs = lists({"u1": "abc", "u2": "b", "u4": "a"})
    truth = wanted({"u1": {"b": 2, "d": 0}, "u2": {"c": 0}, "u3": {"a": 1}})
    same(database, FEW, {"recs": recs, "truth": truth}, population=population)
    lands = [("u1", "DE"), ("u2", None), ("u3", "DE")]
    users = table(lands, user_id=pa.string(), land=pa.string())
    models = recs.append_column("model", pa.array(["o'a", "ü", "ü", "o'a", "ü"]))
    tables = {"recs": models, "truth": truth, "users": users}
    same(database, FEW, tables, population=population, by="land")


def test_evaluates_by_segments_of_users(database):
    lands = [("u1", "Ä", 1), ("u2", None, 2), ("u4", "b", None)]
    users = table(lands, user_id=pa.string(), Land=pa.string(), order=pa.int64())
    recs = lists({"u1": "abc", "u2": "b", "u3": "a"})
    truth = wanted({"u1": "b", "u2": "b", "u3": "a", "u4": "a"})
    tables = {"recs": recs, "truth": truth, "users": users}
    same(database, FEW, tables, by=["Land", "order"], per_user=True)
    recs = lists({"u1": "abca", "u2": "bb", "u3": "a", "u5": "a"})
    same(database, FEW, tables | {"recs": recs}, by=["Land", "order"], duplicates="best")


def test_ranks_missing_scores_last_or_drops_them(database):
    recs = scored({"u1": {"a": None, "b": -1.0, "c": None}, "u2": {"a": None}})
    truth = wanted({"u1": "ab", "u2": "a"})
    for null_scores in ("last", "drop"):
        same(database, FEW, {"recs": recs, "truth": truth}, null_scores=null_scores)


def test_items_of_the_history_are_removed_from_lists(database):
    shown, truth = {"u1": "abc", "u2": "bac", "u3": "c"}, wanted({"u1": "b", "u2": "ac"})
    history = wanted({"u1": "ab", "u2": "bx", "u3": "c"})
    by_score = {user: {item: -n for n, item in enumerate(items)} for user, items in shown.items()}
    for recs in (lists(shown), scored(by_score)):
        inputs = {"recs": recs, "truth": truth, "history": history}
        same(database, FEW, inputs, seen="drop", population="all")
    items = lists({"a": "bac", "b": "cb"})
    same(database, FEW, {"recs": items, "truth": wanted({"a": "c", "b": "c"})}, seen="self")


def test_counts_users_by_weights(database):
    weights = [("u1", "x", 1.0), ("u2", "x", 2.5), ("u3", "x", 0.0), ("u4", None, 4.0)]
    users = table(weights, user_id=pa.string(), land=pa.string(), traffic=pa.float64())
    recs, truth = lists({"u1": "abc", "u2": "b", "u3": "a"}), dict.fromkeys(("u1", "u2", "u4"), "b")
    tables = {"recs": recs, "truth": wanted(truth), "users": users}
    metrics = "ndcg@2 mrr@2 hit_rate@1"
    same(database, metrics, tables, weights="traffic")
    same(database, metrics, tables, weights="traffic", by="land", undefined=1)


@mark.parametrize("ties", ["expected", "best", "worst"])
def test_the_order_of_equal_scores_is_random(database, ties):
    items = {f"{n}": n % 3 if n % 7 else None for n in range(300)}
    recs = scored({"u1": items, "u2": {"a": 0.0, "b": -0.0, "c": 0.0}, "u3": {"a": 1}})
    truth = wanted({"u1": {"1": 2, "4": 1, "60": 3}, "u2": {"b": 1, "c": 0}, "u4": {"a": 1}})
    metrics = "ndcg(gain=exponential)@2 dcg@all map@3 mrr@all mrr@2 hr@9 p@3 recall@9 cg@2"
    tables = {"recs": recs, "truth": truth}
    same(database, metrics, tables, ties=ties, null_scores="last")
    several = "map@2 map(convention=replay)@2 map(convention=trec_eval)@2"
    same(database, several, tables, ties=ties, null_scores="last")


def test_orders_rows_by_a_column_and_makes_users_of_several_columns(database):
    twice = [("a|b", 1, "x", 1, 9), ("a|b", 1, "x", 2, 4)]
    wanted_ = [*twice, ("a", 1, "y", 1, 1), ("a", 2, "z", 1, 1)]
    others = [("a|b", 1, "y", 1, 3), ("a", 1, "x", 1, None), ("a", 2, "x", 1, 2)]
    others += [("b", 1, "z", 1, 1)]
    of = {"user": pa.string(), "day": pa.int64(), "item_id": pa.string()}
    tables = {
        "recs": table(wanted_ + others, **of, score=pa.int64(), ts=pa.int64()),
        "truth": table(wanted_, **of, relevance=pa.int64(), ts=pa.int64()),
    }
    rules = {"order_by": "ts", "ties": "first", "duplicates": "last"}
    result = same(database, "mrr@2 ndcg@2", tables, columns={"user_id": ["user", "day"]}, **rules)
    assert rows(result, "value")[0] == (approx((1 / 2 + 1 + 1) / 3),)


def test_runs_metrics_of_others(database, tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "own_metrics.md").read_text(encoding="utf-8")
    for name, text in re.findall(r"`metrics/(\w+)\.sql`:\n\n```sql\n(.*?)```", page, re.DOTALL):
        (tmp_path / f"{name}.sql").write_text(text)
    metrics = "revenue@2 early_hits(first=1)@2 top_share(items=2)@2"
    same(database, metrics, random_inputs(4, users=12), per_user=True, metrics_path=tmp_path)


def test_keeps_the_best_of_duplicates(database):
    rows_ = [("u1", "a", 0.1), ("u1", "b", 0.2), ("u1", "a", 0.3)]
    recs, truth = table(rows_, **SCORED), table(rows_, **IDS, relevance=pa.float64())
    tables = {"recs": recs, "truth": truth}
    same(database, FEW, tables, duplicates="best", relevance_threshold=0.25)


def test_takes_names_of_columns_and_tables_as_they_are(connection):
    names = ["ORDER", 'the "item\'s" `id`; --', "Größe"]
    rows_ = [("u1", "a", 2.0), ("u1", "b", 1.0)]
    recs = pa.table(
        {name: list(column) for name, column in zip(names, zip(*rows_, strict=True), strict=True)}
    )
    name = 'recs "of" today; drop table truth; --'
    connection.load(name, recs)
    connection.load("truth", wanted({"u1": "b"}))
    columns = dict(zip(["recs.user_id", "recs.item_id", "score"], names, strict=True))
    inputs = {"recs": name, "truth": "truth", "engine": connection.engine}
    result = sqlrec.evaluate("mrr@2", columns=columns, **inputs)
    assert rows(result, "value") == [(0.5,)]


@mark.parametrize(
    ("recs", "message"),
    [
        ({"u1": {"a": None}}, "item a of user u1 has no score"),
        ({"u1": {"a": float("nan")}}, "item a of user u1 has no score"),
        ({None: {"a": 1.0}}, "1 row without user_id"),
        ({"u1": {None: 1.0}}, "1 row without item_id, as for user u1"),
    ],
)
def test_names_the_rows_that_break_a_rule(connection, recs, message):
    connection.load("recs", scored(recs))
    connection.load("truth", wanted({"u1": "b"}))
    with raises(sqlrec.DataError, match=message):
        mrr(connection)


def test_names_items_judged_or_listed_twice(database):
    twice = table([("u1", "a", 1), ("u1", "a", 2)], **RANKED)
    once = lists({"u1": "a"})
    models = twice.append_column("model", pa.array([7, 7]))
    for recs, truth, message in [
        (twice, once, "recs: user u1 has item a more than once"),
        (models, once, "recs, model 7: user u1 has item a more than once"),
        (once, twice, "truth: user u1 has item a more than once"),
    ]:
        database.load("recs", recs)
        database.load("truth", truth)
        with raises(sqlrec.DataError, match=message):
            mrr(database)


@mark.parametrize("rank", [0, -1, None])
def test_a_rank_without_a_discount_is_named(database, rank):
    database.load("recs", table([("u1", "a", 1), ("u1", "b", rank)], **RANKED))
    database.load("truth", wanted({"u1": "ab"}))
    message = rf"item b of user u1 has rank {rank} \(rows: 1\), which is null or below 1"
    with raises(sqlrec.DataError, match=message):
        sqlrec.evaluate("ndcg@5 dcg@5", recs="recs", truth="truth", engine=database.engine)


GRADED, SEEN = IDS | {"relevance": pa.float64()}, IDS | {"propensity": pa.float64()}
VALUED = {"item_id": pa.string(), "feature": pa.string(), "value": pa.float64()}


@mark.parametrize(
    ("metrics", "own", "message"),
    [
        (
            "mean_score@2",
            {"recs": (("u1", "a", 1e300), SCORED)},
            "has no score, or a score beyond 1e",
        ),
        (
            "ndcg@2",
            {"truth": (("u1", "a", 1e300), GRADED)},
            "has no relevance .*or a relevance beyond",
        ),
        ("unbiased_ndcg@2", {"truth": (("u1", "a", 1e-320), SEEN)}, r"or below 1e-100 \(rows: 1\)"),
        ("intra_list_similarity@2", {"items": (("a", "x", 1e300), VALUED)}, "beyond 1e100"),
    ],
)
def test_names_a_number_that_stops_an_engine(connection, metrics, own, message):
    """PostgreSQL fails at a sum out of range, before rows that break a rule are counted.

    ADBC does not report whether a transaction is open, so no query can run after an error.
    """
    inputs = {"recs": (("u1", "a", 1.0), SCORED), "truth": (("u1", "a", 1.0), GRADED)} | own
    for name, (row, types) in inputs.items():
        connection.load(name, table([row], **types))
    if hasattr(connection.engine, "adbc_get_info"):
        message += "|^the statement stopped: .*overflow"
    with raises(sqlrec.DataError, match=message):
        sqlrec.evaluate(metrics, **{name: name for name in inputs}, engine=connection.engine)


def test_ids_of_different_types_are_refused_before_the_evaluation(connection):
    connection.load("recs", lists({"u1": "a"}))
    numbers = table([(1, 2)], **NUMBERS)
    connection.load("truth", numbers)
    with raises(sqlrec.InputError, match="user_id is VARCHAR in recs but BIGINT in truth"):
        mrr(connection)
    # Spark converts it to a frame, with equal values; elsewhere the rows are not moved.
    with raises(sqlrec.InputError, match=r"truth is a Table|user_id is VARCHAR in recs but BIGINT"):
        sqlrec.evaluate("mrr@2", recs="recs", truth=numbers, engine=connection.engine)
    with raises(sqlrec.InputError, match="can't be read"):
        sqlrec.evaluate("mrr@2", recs="nowhere", truth="truth", engine=connection.engine)


def test_refuses_an_empty_table(connection):
    connection.load("recs", lists({"u1": "a"}).slice(0, 0))
    connection.load("truth", wanted({"u1": "a"}))
    with raises(sqlrec.InputError, match="recs='recs' is empty"):
        mrr(connection)


def test_lists_of_users_without_truth_are_refused(connection):
    connection.load("recs", lists({"U1": "a"}))
    connection.load("truth", wanted({"u1": "a"}))
    with raises(sqlrec.DataError, match="check that user_id has the same format"):
        mrr(connection)


def test_disjoint_and_unread_inputs_have_a_warning(database):
    recs = pa.concat_tables([lists({"u1": "ab", "u2": "ba"}), lists({"u1": "Ab", "u2": "AB"})])
    database.load("recs", recs.append_column("model", pa.array(["x"] * 4 + ["y"] * 4)))
    database.load("truth", wanted({"u1": "A", "u2": "B"}).append_column("rating", [[1.0, 0.0]]))
    options = {"recs": "recs", "truth": "truth", "engine": database.engine}
    with warns(UserWarning) as warned:
        sqlrec.evaluate("mrr@2", **options)
    unused, missing = (str(one.message) for one in warned)
    assert unused.startswith("truth has an unused column 'rating'")
    assert missing.startswith("x: no item of truth is in any list")
    with raises(sqlrec.InputError, match=r"a column 'model' with 2 values \(x, y\)"):
        sqlrec.evaluate("mrr@2", **options | {"recs": {"z": "recs"}})


@mark.parametrize("per_user", [False, True])
def test_printed_statements_need_no_lookup_of_tables(database, per_user):
    tables = random_inputs(5)
    recs, truth = tables["recs"], tables["truth"]
    database.load("recs", recs)
    database.load("truth", truth)
    requests = ["ndcg@5", "ndcg(gain=exponential)@all", "map@10"]
    dialect = open_engine(database.engine).dialect
    printed = sqlrec.sql(
        requests,
        dialect=dialect,
        recs="recs",
        truth="truth",
        columns={"relevance": "relevance"},
        per_user=per_user,
        form="audited",
    )
    pasted = database.paste(printed)
    result = sqlrec.evaluate(requests, recs=recs, truth=truth)
    keys = ("model", *(["user_id"] if per_user else []), "metric", "k")
    columns = (*keys, "value")
    expected = rows(result.per_user() if per_user else result, *columns)
    results = [tuple(row[column] for column in columns) for row in pasted]
    for theirs, ours in zip(sorted(results, key=repr), sorted(expected, key=repr), strict=True):
        assert theirs == approx(ours, abs=1e-12)


def test_multiplies_numbers_that_are_next_to_nothing(database):
    scores = {"ann": {"a": 0.5, "b": 1e-170, "c": 1e-200}, "bob": {"a": 2e-200, "b": 1e-200}}
    grades = {"ann": {"a": 1.0, "b": 0.0, "c": 0.0}, "bob": {"a": 1.0, "b": 0.0}}
    tables = {"recs": scored(scores), "truth": wanted(grades)}
    same(database, "mse rmse(average=users) r2 pearson", tables)


def test_undefined_values_are_null_numbers(connection):
    tables = {"recs": lists({"u1": "a"}), "truth": wanted({"u1": {"a": 0}})}
    result = same(connection, "recall@1", tables, population="judged")
    assert rows(result, "value", "users") == [(None, 0)]


def test_writes_values_of_users_to_parquet(connection, tmp_path):
    connection.load("recs", lists({"u1": "a", "u2": "b"}))
    connection.load("truth", wanted({"u1": "a", "u2": "a"}))
    result = sqlrec.evaluate("mrr@1", recs="recs", truth="truth", engine=connection.engine)
    result.per_user().to_parquet(tmp_path / "users.parquet")
    results = pyarrow.parquet.read_table(tmp_path / "users.parquet").to_pylist()
    assert sorted((row["user_id"], row["value"]) for row in results) == [("u1", 1), ("u2", 0)]
