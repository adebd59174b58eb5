"""Statements: they read an input once, agree between engines, and have a clean format."""

import re
from collections import Counter

import duckdb
import pyarrow as pa
import pyarrow.parquet
from pytest import approx, fixture, mark, raises

import sqlrec
from sqlrec.catalogue import headers
from sqlrec.paths import sql_folder
from sqlrec.rendering import templates
from sqlrec.rendering.templates import _PURE, _load_macros, clear_template_caches

from .tables import asked, likely, of_several, random_inputs, scored, wanted

EVERYTHING = asked(1, 5, 10)
RECS_AND_TRUTH = ("recs", "truth")


@fixture(scope="module")
def files(tmp_path_factory):
    folder, results = tmp_path_factory.mktemp("inputs"), {}
    for name, table in random_inputs(1).items():
        results[name] = folder / f"{name}.parquet"
        pyarrow.parquet.write_table(table, results[name])
    return results


class TestOneStatement:
    @mark.slow
    @mark.parametrize("duplicates", ["error", "best"])
    def test_reads_each_input_once_for_all_metrics_and_cutoffs(self, files, duplicates):
        statement = sqlrec.sql(EVERYTHING, **files, duplicates=duplicates, form="audited")
        (_, plan), *_ = duckdb.sql(f"explain (format json) {statement}").fetchall()
        needed = {need.table for metric in sqlrec.metrics().values() for need in metric.needs}
        assert len(re.findall(r'"name": "\s*READ_PARQUET\s*"', plan)) == len(needed)

    @mark.slow
    def test_does_not_depend_on_threads_or_the_order_of_rows(self):
        tables = random_inputs(2, users=3000)
        shuffled = {
            name: table.to_pandas().sample(frac=1, random_state=3) for name, table in tables.items()
        }
        results = []
        for threads, inputs in ((1, tables), (1, shuffled), (4, shuffled)):
            with duckdb.connect(config={"threads": threads}) as engine:
                result = sqlrec.evaluate(EVERYTHING, **inputs, engine=engine)
                results.append([row["value"] for row in result.to_arrow().to_pylist()])
        assert results[1] == approx(results[0], abs=1e-12)
        assert results[2] == approx(results[0], abs=1e-12)


class TestWithoutInputs:
    """Tables that are not given have the names of the inputs."""

    def test_writes_duckdbs_own_statement(self):
        text = sqlrec.sql("ndcg@10")
        named = {name: name for name in RECS_AND_TRUTH}
        assert text == sqlrec.sql("ndcg@10", dialect="duckdb", **named)
        with duckdb.connect() as connection:
            connection.sql("create table recs as select 1 as user_id, 1 as item_id, 1 as score")
            connection.sql("create table truth as select 1 as user_id, 1 as item_id")
            assert connection.sql(text).fetchall() == [(1, 1)]

    @mark.parametrize(
        ("metric", "options", "tables"),
        [
            ("ndcg@10", {"form": "audited"}, {"recs", "truth"}),
            ("novelty@10", {}, {"recs", "history"}),
            ("recall@10", {"by": "country"}, {"recs", "truth", "users"}),
            ("recall@10", {"by": "country", "users": "users"}, {"recs", "truth", "users"}),
            ("novelty@10", {"history": "shop.views"}, {"recs"}),
            ("standard@10", {}, {"recs", "truth"}),
            ("all@10", {}, {"recs", "truth"}),
        ],
    )
    def test_the_columns_that_metrics_read_are_named(self, metric, options, tables):
        text = sqlrec.sql(metric, dialect="snowflake", **options)
        assert {*re.findall(rf"(?:from|join) ({'|'.join(headers.TABLES)})\b", text)} == tables

    def test_a_table_that_the_engine_lacks_is_missing(self):
        with duckdb.connect() as engine, raises(sqlrec.InputError, match="recs is missing"):
            sqlrec.sql("ndcg@10", engine=engine)

    @mark.parametrize(
        ("options", "message"),
        [
            ({"form": "steps"}, "each=True and form='steps'"),
            ({"per_user": True}, "each=True and per_user=True"),
            ({"compare_with": "pop"}, "each=True and compare_with='pop'"),
            ({"dialect": "fabric"}, "each=True and dialect='fabric'"),
        ],
    )
    def test_a_statement_that_has_one_grouping_is_refused(self, options, message):
        with raises(sqlrec.InputError, match=f"{message}: (give|omit)"):
            sqlrec.sql("mrr@5", by=sqlrec.Segments("country", each=True), **options)

    def test_one_of_recs_and_truth_is_refused(self):
        with raises(sqlrec.InputError, match="recs is missing"):
            sqlrec.sql("ndcg@10", truth="truth", dialect="duckdb")


@fixture(scope="module")
def statement():
    inputs = random_inputs(3)
    inputs["recs"] = {name: scored({"ann": {"a": 2.0, "b": 1.0}}) for name in "ab"}
    inputs["truth"] = likely(wanted({"ann": {"a": 2}}))
    inputs["users"] = pa.table({"user_id": ["ann"], "Größe": [1]})
    return sqlrec.sql(of_several(EVERYTHING), **inputs, by="Größe", form="audited")


class TestText:
    def test_comments_describe_the_queries(self, statement):
        assert statement.startswith("-- The mean over users of accuracy@1, accuracy@5, ")

    def test_has_no_blanks_at_the_end_of_lines_and_no_empty_lines_in_a_row(self, statement):
        assert not re.search(r"[ \t]\n|\n\n\n", statement)


def test_a_metric_that_names_a_column_that_its_rows_lack_is_refused_with_its_file(monkeypatch):
    def asked(expression):
        clear_template_caches()
        monkeypatch.setattr(_load_macros("trino"), "hits__recall", lambda: expression)
        return sqlrec.sql("precision@5 recall@5", dialect="trino", recs="recs", truth="truth")

    assert "sum(1-hit) as recall" in asked("sum(1-hit)")
    for wrong in ("sum(1-hitz)", "sum(case when hit > 0 then hitz end) / max(cast(k as double))"):
        message = "metrics/recall.sql: rows/hits.sql has no column 'hitz': name one that"
        with raises(sqlrec.MetricError, match=message):
            asked(wrong)


@mark.parametrize(
    ("text", "message"),
    [
        ("sum(coalesce(hit, 0)", "'(' is not closed: write ')'"),
        ("sum(coalesce(hit, 0)))", "')' closes nothing: remove it"),
        ("sum(case when hit > 0 then ')' else 1)", "'case' is not closed: write 'end'"),
    ],
)
def test_macro_with_an_unclosed_bracket_is_refused_with_its_file(
    tmp_path, monkeypatch, text, message
):
    (tmp_path / "rows").mkdir()
    path = tmp_path / "rows" / "hits.sql"
    path.write_text("{% macro ends() %}case when ')' = '' then 1 end -- :){% endmacro %}")
    monkeypatch.setattr(templates, "sql_folder", lambda: tmp_path)
    assert _load_macros.__wrapped__("duckdb").ends()
    path.write_text(f"{{% macro hits() %}}hits as (select {text} from r){{% endmacro %}}")
    with raises(sqlrec.MetricError) as error:
        _load_macros.__wrapped__("duckdb").hits()
    assert str(error.value) == f"sql/rows/hits.sql: macro hits: {message}"


def test_callers_do_not_change_memoised_values():
    macros = _load_macros("duckdb")
    assert all(callable(macros[name]) for name in _PURE)
    for _ in range(2):
        names = macros.identifiers("hit + listed.rank")
        assert names == ["hit", "listed", "rank"]
        names.append("k")


def test_kinds_with_entries_are_kinds_of_rows():
    """A misspelled kind would silently have the population of the option."""
    text = (sql_folder() / "kinds.sql").read_text(encoding="utf-8")
    kinds = {*re.findall(r"'(\w+)': ", text)}
    assert kinds == kinds & {*headers._row_kinds(), headers.EXPECTED}
    assert {"hits", "logged", "pooled"} < {*headers._row_kinds()}


def test_each_macro_has_its_own_name():
    """Macros of a dbt package share one namespace, in which a second one is an error."""
    names = [
        name
        for path in sql_folder().rglob("*.sql")
        for name in re.findall(r"{%-? macro (\w+)\(", path.read_text(encoding="utf-8"))
    ]
    assert [name for name, number in Counter(names).items() if number > 1] == []
