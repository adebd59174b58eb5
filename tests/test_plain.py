"""The plain statement has the values of evaluate if rows break no rule."""

import json
import re
import sqlite3
from contextlib import closing
from itertools import chain
from math import isclose
from random import Random

import pyarrow as pa
from pyarrow import compute
from pytest import approx, fixture, mark, raises

import sqlrec
from sqlrec.rendering.sql_format import WIDTH

from .dialects import slow
from .golden.values import EXACT, MAIN, VALUES, als, asked, is_expected, of_libraries, table, those

TABLES = ("history", "catalog", "items", "users")
NAMES = dict.fromkeys(TABLES) | {"recs": "recs", "truth": "truth", "baseline": "baseline"}


def tables(**others):
    """Return the tables of golden values, some of them replaced."""
    ours = {name: table(name) for name in TABLES}
    ours |= {"recs": table("recs", "rank"), "truth": table("truth")}
    return ours | {"baseline": table("baseline", "rank")} | others


@fixture(scope="module")
def connection(open_duckdb):
    with open_duckdb.cursor() as cursor:
        yield cursor


def values(rows, columns):
    """Return the values by the keys of rows. A group without values may have no row."""
    return {
        tuple(str(row.get(name)) for name in columns): row["value"]
        for row in rows
        if row["value"] is not None
    }


def same_values(connection, metrics, inputs, **options):
    """Compare the plain statement with evaluate; return the values."""
    for name, rows in inputs.items():
        connection.register(name, rows)
    named = {name: name for name in inputs} | {"engine": connection}
    expected = sqlrec.evaluate(metrics, **named, **options).to_arrow()
    text = sqlrec.sql(metrics, **named, **options)
    result = connection.sql(text).to_arrow_table()
    columns = [
        name
        for name in expected.column_names
        if name in result.column_names and name not in ("value", "users", "label")
    ]
    held = values(expected.to_pylist(), columns)
    plain = values(result.to_pylist(), columns)
    differing = {
        key: (held.get(key), plain.get(key))
        for key in held | plain
        if key not in held
        or key not in plain
        or not isclose(held[key], plain[key], rel_tol=1e-12, abs_tol=1e-12)
    }
    assert not differing
    return held


EVERY = [asked(at, every=True) for at in ("@2", "@5")]
WHOLE = ["mrr@all", "ndcg@all", "ndcg(gain=binary)@all"]
LOGGED = asked("@2", every=True, logged=True)
# One cutoff after the other.
FORMS = [*EVERY[0][::2], *EVERY[1][1::2], *WHOLE]


def of_one_model():
    return tables(recs=als(), logs=table("logs", "target_probability"))


@fixture(scope="module")
def held():
    return json.loads(VALUES.read_text(encoding="utf-8"))


def golden(connection, metrics, held, inputs, **options):
    """Compare the plain statement with golden values; return both."""
    for name, rows in inputs.items():
        connection.register(name, rows)
    named = {name: name for name in inputs} | {"engine": connection}
    result = connection.sql(sqlrec.sql(metrics, **named, **options)).to_arrow_table()
    columns = [name for name in result.column_names if name not in ("value", "users", "label")]
    plain = values(result.to_pylist(), columns)
    plain = {" ".join(key): value for key, value in plain.items()}
    known = {name: numbers[0] for name, numbers in held.items() if numbers[0] is not None}
    assert plain == approx({name: known[name] for name in plain}, rel=EXACT, abs=EXACT)
    return plain, known


PARTS = 18


@mark.parametrize("part", [0, *slow(*range(1, PARTS))])
def test_random_sets_of_forms_have_plain_values(connection, part):
    of_lists, of_logs = (Random(1).sample(forms, len(forms)) for forms in (FORMS, LOGGED))
    threshold = {} if part % 2 else {"relevance_threshold": 2}
    forms = of_lists[part::PARTS] + of_logs[part::PARTS]
    assert len(same_values(connection, forms, of_one_model(), **threshold)) > 20


def few_relevant():
    """Return the truth, in which half of the users have only grades below 2."""
    truth = table("truth")
    low = compute.less(truth["relevance"], 2)
    return truth.filter(compute.or_(low, compute.less(truth["user_id"], "u09")))


def of_some_users():
    """Return the truth of half of the users."""
    truth = table("truth")
    return truth.filter(compute.less(truth["user_id"], "u09"))


def beginning_late():
    """Return lists by rank, half of which begin at rank 3."""
    recs = table("recs", "score")
    late = compute.greater(recs["rank"], 2)
    return recs.filter(compute.or_(late, compute.less(recs["user_id"], "u09")))


ALL = asked("@5")
LIBRARIES = of_libraries()
BY = {"by": ["country", "age"]}
SCORELESS = {"recs": table("recs", "score"), "baseline": table("baseline", "score")}
RANKED = those(those(ALL, "recs", "score", has=False), "baseline", "score", has=False)
REPEATED = {"recs": table("repeated_recs", "rank"), "truth": table("repeated_truth")}
UNSCORED = {"recs": table("unscored_recs")}
# By the names of their golden values.
GOLDEN = {
    "@all": (asked("@all"), {}, {}),
    "segments": (ALL, {}, BY),
    "ranks": (RANKED, SCORELESS, {}),
    "ties=item_desc": (ALL, {}, {"ties": "item_desc"}),
    "ties=best": (those(ALL, "truth"), {}, {"ties": "best"}),
    "ties=expected": (
        [one for one in asked("@5", every=True) if is_expected(one)],
        {},
        {"ties": "expected"},
    ),
    "duplicates=best": (ALL, REPEATED, {"duplicates": "best"}),
    "null_scores=last": (ALL, UNSCORED, {"null_scores": "last"}),
    "null_scores=drop": (ALL, UNSCORED, {"null_scores": "drop"}),
    "relevance_threshold=2": (MAIN, {}, {"relevance_threshold": 2}),
    "relevance_threshold=-inf": (MAIN, {}, {"relevance_threshold": float("-inf")}),
    "depth=3": (ALL, {}, {"depth": 3}),
    **{
        f"population={population}": (MAIN, {}, {"population": population})
        for population in ("truth_and_recs", "judged", "judged_and_recs", "recs", "all")
    },
}


@mark.slow
@mark.parametrize("case", GOLDEN)
def test_all_metrics_together_have_golden_values(connection, held, case):
    metrics, others, options = GOLDEN[case]
    plain, known = golden(connection, metrics, held[case], tables(**others), **options)
    assert plain.keys() == known.keys()


@mark.slow
@mark.parametrize("name", LIBRARIES)
def test_the_metrics_of_a_library_have_golden_values(connection, held, name):
    metrics = LIBRARIES[name]
    plain, known = golden(connection, metrics, held["conventions"], tables())
    assert plain.keys() == {row for row in known if re.search(rf"convention={name}[,)]", row)}


CASES = {
    "several cutoffs": ([*dict.fromkeys(asked("@2") + ALL)], {}, {}),
    "segments and cutoffs": ([*dict.fromkeys(asked("@2") + asked("@all"))], {}, BY),
    "the better first, of a threshold that some users do not reach": (
        ["recall@5", "catalog_auc(weight=positives)@2"],
        {"truth": few_relevant()},
        {"ties": "best", "relevance_threshold": 2},
    ),
    "items that count as several": (
        ["hit_rate(convention=torchmetrics)@5", "recall(convention=torchmetrics)@5"],
        {"truth": few_relevant()},
        {"population": "truth_and_recs", "relevance_threshold": 2},
    ),
    "everybody, of lists that begin below a cutoff": (
        ["hit_rate@2", "rbp@2"],
        {"recs": beginning_late(), "truth": of_some_users()},
        {"population": "all"},
    ),
    "without what users had": (ALL, {}, {"seen": "drop"}),
    "without what users had, by rank": (RANKED, SCORELESS, {"seen": "drop"}),
    "without grades": (
        those(ALL, "truth", "relevance", has=False),
        {"truth": table("truth", "relevance")},
        {},
    ),
    "undefined is one": (MAIN, {}, {"undefined": 1}),
    "some conventions": ([*chain(*LIBRARIES.values())][::9], {}, {}),
}


@mark.slow
@mark.parametrize("case", CASES)
def test_all_metrics_have_plain_values(connection, case):
    metrics, others, options = CASES[case]
    assert same_values(connection, metrics, tables(**others), **options)


@mark.slow
def test_plain_per_user_values_equal_evaluates(connection):
    for name, rows in tables(recs=als()).items():
        connection.register(name, rows)
    named = {name: name for name in tables()} | {"engine": connection}
    expected = sqlrec.evaluate(ALL, **named).per_user().to_arrow().to_pylist()
    text = sqlrec.sql(ALL, per_user=True, **named)
    assert max(map(len, text.splitlines())) <= 100
    result = connection.sql(text).to_arrow_table()
    columns = ["model", "user_id", "metric", "k"]
    held, plain = values(expected, columns), values(result.to_pylist(), columns)
    assert held.keys() == plain.keys()
    assert all(isclose(held[key], plain[key], rel_tol=1e-12, abs_tol=1e-12) for key in held)


@mark.parametrize("options", [{}, {"by": "country"}], ids=str)
def test_plain_comparisons_equal_compare(connection, options):
    for name, rows in tables().items():
        connection.register(name, rows)
    named = {name: name for name in ("recs", "truth", "users")} | {"engine": connection}
    metrics = "ndcg@5 map@all recall@2"
    text = sqlrec.sql(metrics, compare_with="pop", **named, **options)
    assert max(map(len, text.splitlines())) <= 100
    result = connection.sql(text).to_arrow_table().to_pylist()
    expected = sqlrec.compare(
        metrics, baseline="pop", interval="normal", correction="none", **named, **options
    )
    names = ("model", *options.values(), "metric", "k", "users")
    numbers = ("value", "baseline_value", "difference", "low", "high")
    held = {tuple(row[x] for x in names): row for row in expected.to_arrow().to_pylist()}
    plain = {tuple(row[x] for x in names): row for row in result}
    assert held.keys() == plain.keys() != set()
    for key, row in held.items():
        # An interval of width 0 is null.
        assert [plain[key][x] for x in numbers if row[x] is not None] == approx(
            [row[x] for x in numbers if row[x] is not None], rel=1e-12, abs=1e-12
        )


@mark.parametrize(
    "metrics, options",
    [
        ("ndcg@5", {}),
        ("ndcg@5 recall@2 novelty@5 map@all", {"by": "country"}),
        ("ndcg@5 recall(convention=trec_eval)@5", {}),
        # A mean that is undefined because of one value has no error.
        ("ndcg@5 alpha_ndcg(convention=rs_metrics-0.3)@5", {}),
    ],
)
def test_plain_intervals_equal_evaluates(connection, metrics, options):
    inputs = tables()
    for name, rows in inputs.items():
        connection.register(name, rows)
    named = {name: name for name in inputs if name != "baseline"} | {"engine": connection}
    text = sqlrec.sql(metrics, interval="normal", level=0.9, **named, **options)
    assert max(map(len, text.splitlines())) <= 100
    result = connection.sql(text).to_arrow_table()
    expected = sqlrec.evaluate(metrics, interval="normal", level=0.9, **named, **options)
    keys = [x for x in ("model", *options.values(), "metric", "k") if x in result.column_names]
    numbers = ("value", "users", "standard_error", "low", "high")
    held, plain = (
        {tuple(row[x] for x in keys): [row[x] for x in numbers] for row in rows.to_pylist()}
        for rows in (expected.to_arrow(), result)
    )
    # A group without values may have no row.
    assert {key for key in held if held[key][0] is not None} <= plain.keys() <= held.keys() != set()
    for key, row in plain.items():
        assert row == [x if x is None else approx(x, rel=1e-12, abs=1e-12) for x in held[key]]


@mark.parametrize(
    "metrics, options, message",
    [
        ("ndcg@5", {"interval": "t"}, "interval='t': a statement can't compute quantiles"),
        ("ndcg@5", {"interval": "nomal"}, "did you mean 'normal'"),
        ("ndcg@5", {"interval": "normal", "level": 95}, "level=95"),
        ("ndcg@5", {"interval": "normal", "per_user": True}, "and per_user=True: omit one"),
        ("ndcg@5", {"interval": "normal", "form": "check"}, "and form='check': give form="),
        ("gini@5", {"interval": "normal"}, "gini is not a mean of per-user values"),
    ],
)
def test_plain_statements_refuse_other_intervals(metrics, options, message):
    with raises(sqlrec.InputError, match=re.escape(message)):
        sqlrec.sql(metrics, dialect="duckdb", recs="recs", truth="truth", **options)


@mark.parametrize(
    "options, message",
    [
        ({"recs": "recs"}, "recs has only one model"),
        ({"recs": {"als": "als", "pop": "pop"}}, "did you mean 'pop'"),
        ({"recs": "recs", "per_user": True}, "and per_user=True: omit one"),
        ({"recs": "recs", "form": "audited"}, "and form='audited': give form="),
    ],
)
def test_plain_statements_refuse_other_comparisons(options, message):
    with raises(sqlrec.InputError, match=re.escape(message)):
        sqlrec.sql("ndcg@5", compare_with="pup", dialect="duckdb", truth="truth", **options)


def test_steps_have_the_values_of_the_statement(connection):
    connection.register("recs", table("recs", "rank"))
    connection.register("truth", table("truth"))
    connection.execute(
        "create table items as select distinct item_id, item_id as aspect from truth"
    )
    named = {"recs": "recs", "truth": "truth", "items": "items", "engine": connection}
    metrics = "ndcg@5 map@2 gini@5 alpha_ndcg@5 ndcg(convention=ranx)@5"
    statement = connection.execute(sqlrec.sql(metrics, **named)).fetchall()
    *tables, last = sqlrec.sql(metrics, form="steps", **named).rstrip(";").split(";\n\n")
    made = r"^-- Step \d+\ncreate or replace temporary table sqlrec_\w+ as\n"
    assert all(re.search(made, step, re.MULTILINE) for step in tables)
    for step in tables * 2:
        connection.execute(step)
    result = connection.execute(last).fetchall()
    assert [row[:3] for row in result] == [row[:3] for row in statement]
    assert [row[3] for row in result] == approx([row[3] for row in statement], rel=1e-12)


def test_steps_have_no_long_lines_and_call_tables_by_another_name_where_columns_go_by_it():
    metrics = "ndcg@5 hamming_diversity@5"
    named = {name: name for name in ("recs", "truth", "items")} | {"columns": {"model": "model"}}
    text = sqlrec.sql(metrics, form="steps", dialect="postgres", population="recs", **named)
    assert max(map(len, text.splitlines())) <= 100
    assert "from sqlrec_hits\n" in text
    assert "from sqlrec_listed as listed\n" in text


def test_values_of_users_are_written_as_columns():
    text = sqlrec.sql("ndcg@5", per_user=True, dialect="snowflake", recs="recs", truth="truth")
    last = "select 'recs' as model, user_id, 'ndcg' as metric, 5 as k, ndcg as value"
    assert text.endswith(f"\n{last}\nfrom hits_values")


def test_the_first_lines_say_where_ranks_start():
    named = {"recs": "recs", "truth": "truth", "dialect": "bigquery"}
    note = "start at 1, and rows with lower ranks are left out."
    first, _, _ = sqlrec.sql("mrr@5", **named, columns={"rank": "rank"}).partition("\nwith")
    assert note in first
    assert note not in sqlrec.sql("mrr@5", **named)


def test_a_comment_says_which_segment_and_weight_a_user_of_two_has():
    named = {name: name for name in ("recs", "truth", "users")}
    text = sqlrec.sql("mrr@5", by="country", weights="traffic", dialect="snowflake", **named)
    assert "-- The segments of each user, of several in a column the smallest.\n" in text
    assert "-- The weight of each user in means, the smallest if there are several.\n" in text


def test_whole_lists_have_no_condition_that_is_always_true():
    named = {name: name for name in ("recs", "truth", "items")}
    metrics = "recall@all category_entropy@all gini@all auc@all"
    text = sqlrec.sql(metrics, dialect="snowflake", columns={"relevance": "relevance"}, **named)
    assert "rank is not null" not in text
    assert "2147483646" not in text


def test_a_check_finds_what_is_broken_with_an_example(connection):
    connection.register("recs", table("repeated_recs", "rank"))
    connection.register("truth", table("truth"))
    named = {"recs": "recs", "truth": "truth", "engine": connection}
    (broken,) = connection.execute(sqlrec.sql("ndcg@5", form="check", **named)).fetchall()
    assert broken[0] == "recs_twice"
    assert broken[1] > 0


def test_a_check_of_valid_rows_is_empty(connection):
    connection.register("recs", als())
    connection.register("truth", table("truth"))
    named = {"recs": "recs", "truth": "truth", "engine": connection}
    assert not connection.execute(sqlrec.sql("ndcg@5", form="check", **named)).fetchall()


# Lines of statements, without blank ones: columns become rows by a join in DuckDB, by `unpivot` in
# Snowflake, and by a case in Redshift.
DIALECTS = ("duckdb", "snowflake", "redshift")
FIVE = "precision{0} recall{0} mrr{0} map{0} ndcg{0}"
SEGMENTS = {"columns": {"model": "model"}, "users": "users", "by": "country"}
# Thirty metrics of eight kinds of rows.
THIRTY = """
    precision recall mrr map ndcg hit_rate f_beta r_precision rbp err dcg accuracy novelty
    serendipity surprisal popularity_share efd epc catalog_coverage gini shannon_entropy rmse
    mae pearson rbo average_overlap calibration_kl category_entropy category_coverage
    expected_exposure_loss
"""
GRADED = {
    "columns": {"relevance": "relevance"},
    **{name: name for name in ("history", "catalog", "items", "baseline")},
}
BUDGETS = {
    "ndcg@10": (46, 46, 48, {}),
    "precision@10": (39, 39, 39, {}),
    FIVE.format("@10"): (61, 62, 71, {}),
    FIVE.format("@5,10,20"): (77, 88, 95, SEGMENTS),
    " ".join(f"{name}@10" for name in THIRTY.split()): (575, 588, 675, GRADED),
}
# A single metric has up to 100 lines, and more if a recursion may not rank its rows: then each rank
# of a greedy choice is a query.
LONGER = {"snowflake": {"alpha_ndcg": 291}}


def count_of_lines(text):
    return sum(bool(line.strip()) for line in text.splitlines())


@mark.parametrize("metrics", BUDGETS)
def test_statements_are_as_short_as_people_write_them(metrics):
    *most, options = BUDGETS[metrics]
    inputs = {"recs": "recs", "truth": "truth", **options}
    texts = [sqlrec.sql(metrics, dialect=one, **inputs) for one in DIALECTS]
    lines = [*map(count_of_lines, texts)]
    assert all(one <= limit for one, limit in zip(lines, most, strict=True)), lines
    assert all(len(re.findall(r"from truth\b", text)) == 1 for text in texts)


@mark.parametrize("dialect", ["snowflake", *slow("clickhouse")])
def test_the_statement_of_a_metric_is_short_and_has_no_long_line(dialect, update):
    texts = {name: update.snippet(one, dialect) for name, one in sqlrec.metrics().items()}
    assert not {name for name, text in texts.items() if max(map(len, text.splitlines())) > WIDTH}
    lines = {name: count_of_lines(text) for name, text in texts.items()}
    longer = LONGER.get(dialect, {})
    # ClickHouse has a cast on each side of a bound.
    limits = dict.fromkeys(lines, 100 if dialect == "snowflake" else 110) | longer
    assert not {name: result for name, result in lines.items() if result > limits[name]}
    assert not {name for name in longer if lines[name] <= 100}


def test_unread_queries_are_not_printed():
    text = sqlrec.sql("ndcg@10", dialect="snowflake", recs="shop.recs", truth="shop.orders")
    assert re.findall(r"^(\w+) as \($", text, re.MULTILINE) == [
        *("listed", "relevant", "truth_users", "matches", "hits", "hits_values")
    ]
    assert text.count("from shop.recs") == 1


def test_users_and_lists_have_no_column_that_only_other_rows_read():
    named = {name: name for name in ("recs", "truth", "history", "items")}
    metrics = "recall@5 mean_score@5 category_coverage@5"
    text = sqlrec.sql(metrics, dialect="snowflake", **named)
    assert "list_lengths" not in text
    assert "recommended_lists as (select distinct user_id from listed where rank <= 5)" in text


@mark.parametrize("order", ["score", "rank"])
def test_sqlite_reads_numbers_that_its_shell_imported_as_text(order):
    lists = [
        ("ann", "a", 9.5, 2),
        ("ann", "b", 10.0, 1),
        *(("bob", str(n), -n, n) for n in range(1, 12)),
    ]
    judged = [("ann", "a", 10), ("ann", "b", 9), ("bob", "11", 1), ("bob", "2", 0)]
    ours = [
        pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
        for names, rows in (
            (("user_id", "item_id", "score", "rank"), lists),
            (("user_id", "item_id", "relevance"), judged),
        )
    ]
    metrics = ["ndcg@5", "reciprocal_rank@20", "precision@2", "rmse@20"]
    expected = sqlrec.evaluate(metrics, recs=ours[0], truth=ours[1], order=order)
    with closing(sqlite3.connect(":memory:")) as connection:
        for name, rows in zip(("recs", "truth"), ours, strict=True):
            columns = ", ".join(f'"{column}" text' for column in rows.column_names)
            connection.execute(f"create table {name} ({columns})")
            marks = ", ".join("?" * rows.num_columns)
            texts = (tuple(map(str, row.values())) for row in rows.to_pylist())
            connection.executemany(f"insert into {name} values ({marks})", texts)
        known = {name: name for name in ("relevance", "score", "rank")}
        text = sqlrec.sql(
            metrics, recs="recs", truth="truth", dialect="sqlite", columns=known, order=order
        )
        result = {row[0]: row[2] for row in connection.execute(text)}
    assert result == approx(
        {row["metric"]: row["value"] for row in expected.to_arrow().to_pylist()}
    )
