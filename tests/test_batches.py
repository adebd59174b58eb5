"""Batches of users: values, counts and errors equal the results for all users at once."""

import json
import re

import duckdb
import pyarrow as pa
import pyarrow.parquet
from pyarrow import compute
from pytest import MonkeyPatch, approx, mark, param, raises, warns

import sqlrec
from sqlrec.engines import base
from sqlrec.engines import duckdb as engines
from sqlrec.run import batches

from .dialects import slow
from .golden import values
from .tables import lists, prepare, random_inputs, wanted

# Means over users, shares of 0 and 1, a metric of all users together, and other rows.
METRICS = "ndcg@5 hit_rate@3 recall@all gini@5 list_jaccard@5"


def inputs(**others):
    """Return inputs of two models, one of which has lists for only a few users."""
    result = random_inputs(7, users=40)
    recs, few = result["recs"], random_inputs(8, users=6)["recs"]
    models = [pa.array([name] * len(one)) for name, one in (("all", recs), ("few", few))]
    both = [one.append_column("model", name) for one, name in zip((recs, few), models, strict=True)]
    names = ("truth", "history", "baseline")
    return {name: result[name] for name in names} | {"recs": pa.concat_tables(both)} | others


def users():
    ids = [f"u{user}" for user in range(30)]
    return pa.table({"user_id": ids, "land": ["xyz"[n % 3] for n in range(30)]}).append_column(
        "age", pa.array([None if n % 4 == 0 else n % 2 for n in range(30)], pa.int32())
    )


def same(ours, theirs):
    assert len(ours) == len(theirs) > 0
    for one, other in zip(ours.to_pylist(), theirs.to_pylist(), strict=True):
        assert one == approx(other, rel=1e-13, abs=1e-13)


def compared(metrics=METRICS, count=3, **given):
    """Evaluate at once and in batches, check that both are equal, and return the result."""
    at_once = sqlrec.evaluate(metrics, **given, batches=1)
    result = sqlrec.evaluate(metrics, **given, batches=count)
    same(result.to_arrow(), at_once.to_arrow())
    same(result.user_counts.to_arrow(), at_once.user_counts.to_arrow())
    assert result.sql == at_once.sql
    return result


class TestValuesAreThoseOfAllUsersAtOnce:
    @mark.parametrize(
        "options",
        [
            {"interval": "normal", "population": "recs", "ties": "first", "duplicates": "best"},
            *slow({"interval": "anytime", "population": "truth_and_recs"}),
        ],
    )
    def test_rules_have_equal_values_in_batches(self, options):
        compared("ndcg@2,5 hit_rate@3", 3, **inputs(), **options)

    @mark.parametrize(
        "metrics, population, each",
        [
            ("ndcg@5", "truth", True),
            *slow(("recall@5 gini@5", "all", True), ("ndcg@2,5 map@5", "truth_and_recs", False)),
        ],
    )
    def test_segments_have_equal_values_in_batches(self, metrics, population, each):
        """Lists of users without truth count in segments that have others in another batch."""
        given = inputs(users=users(), by=["land", "age"], each=each)
        result = compared(metrics, 4, **given, population=population)
        assert sum(result.user_counts.to_arrow()["unjudged_lists"].drop_null().to_pylist()) > 0

    def test_repeated_items_are_counted_by_segment(self):
        given = inputs()
        recs = given["recs"].filter(compute.equal(given["recs"]["model"], "few"))
        recs = pa.concat_tables([recs, recs]).drop_columns("model")
        given |= {"recs": recs, "users": users(), "by": "land"}
        result = compared("ndcg@5", 4, **given, duplicates="first")
        assert sum(result.user_counts.to_arrow()["repeated_rows"].to_pylist()) > 0

    @mark.slow
    def test_a_model_without_users_of_the_truth_is_named(self):
        given = inputs()
        recs = given["recs"]
        few = compute.equal(recs["model"], "few")
        nobody = recs.filter(few).drop_columns("model")
        renamed = [f"v{user}" for user in nobody["user_id"].to_pylist()]
        given["recs"] = {
            "all": recs.filter(compute.invert(few)).drop_columns("model"),
            "nobody": nobody.set_column(0, "user_id", pa.array(renamed)),
        }
        for more in ({}, {"users": users(), "by": "land"}):
            with warns(UserWarning, match="nobody"):
                compared("ndcg@5", 4, **given, **more, population="truth_and_recs")

    def test_each_model_may_have_a_table(self):
        recs = inputs()["recs"]
        few = compute.equal(recs["model"], "few")
        tables = {
            "few": recs.filter(few).drop_columns("model"),
            "all": recs.filter(compute.invert(few)).drop_columns("model"),
        }
        result = compared(**inputs(recs=tables))
        assert result.to_arrow()["model"].to_pylist()[0] == "few"

    def test_equal_values_have_no_interval(self):
        """A mean of equal values is that value, with no error."""
        ids = [f"u{user}" for user in range(50)]
        recs = lists({user: "xya" for user in ids})
        truth = wanted({user: "a" for user in ids})
        (first,) = compared("mrr@3", 4, recs=recs, truth=truth).to_arrow().to_pylist()
        assert (first["value"], first["low"]) == (1 / 3, None)
        assert first["standard_error"] == approx(0, abs=1e-15)
        one = compared("mrr@3", 2, recs=lists({"ann": "ba"}), truth=wanted({"ann": "a"}))
        assert one.to_arrow()["standard_error"].to_pylist() == [None]

    def test_text_ids_with_quotes_are_split_into_batches(self):
        users = [f"{name}{user}" for name in ("id", "'", '"', "ü%_", "a\nb") for user in range(9)]
        truth = wanted({user: "cbaxyzuvw"[int(user[-1])] for user in users})
        compared("mrr@3", 4, recs=lists(dict.fromkeys(users, "abc")), truth=truth)

    @mark.parametrize(
        "kind",
        [
            *("bigint", "enum ('b', 'a', 'c', 'e', 'd', 'f')"),
            *slow(
                "date", "smallint", "hugeint", "ubigint", "decimal(20, 2)", "timestamptz", "uuid"
            ),
            *slow("blob", "bool"),
        ],
    )
    def test_ids_of_any_type_are_divided(self, kind):
        made = {
            "date": "date '2020-01-01' + range::int",
            "timestamptz": "timestamptz '2020-01-01 00:00:00' + range * interval 1 hour",
            "uuid": "md5(range::varchar)::uuid",
            "blob": "encode(chr(range::int + 1))",
            "bool": "range % 2 = 0",
            "bigint": "range + 9007199254740992",
        }
        user = made.get(kind, "'abcdef'[range % 6 + 1]" if "enum" in kind else "range")
        with duckdb.connect() as connection:
            connection.execute(
                f"create table recs as select ({user})::{kind} as user_id, range % 3 as item_id, "
                "range as score from range(30); create table truth as "
                "select user_id, min(item_id) as item_id from recs group by user_id"
            )
            options = {"engine": connection, "duplicates": "best"}
            compared("mrr@3", 4, recs="recs", truth="truth", **options)

    def test_list_columns_and_compound_keys_are_divided(self, tmp_path):
        given = inputs()
        rows = given["recs"].group_by(["model", "user_id"]).aggregate([("item_id", "list")])
        nested = rows.rename_columns(["model", "user_id", "item_id"])
        compared("ndcg@5", 3, recs=nested, truth=given["truth"])
        path = tmp_path / "a folder" / "recs.parquet"
        path.parent.mkdir()
        pa.parquet.write_table(given["recs"].drop_columns("model").slice(0, 200), path)
        with duckdb.connect() as connection:
            connection.execute(f"create table recs as select *, 7 as day from '{path}'")
            connection.register("judged", given["truth"])
            connection.execute("create table truth as select *, 7 as day from judged")
            columns = {"user_id": ["user_id", "day"]}
            compared("ndcg@5", 3, recs="recs", truth="truth", columns=columns, engine=connection)


@mark.parametrize(
    "cases", [param(values.every_form, marks=mark.slow), param(values.cases, marks=mark.weekly)]
)
def test_golden_values(cases, monkeypatch):
    """Every metric and form, and weekly every rule and convention, in batches."""
    evaluate, counted = sqlrec.evaluate, []

    def in_batches(*requests, **given):
        at_once = given.get("interval") in ("bootstrap", "bca")
        if not at_once and not given.keys() & {"cluster", "summaries"}:
            given |= {"batches": 3}
            counted.append(1)
        return evaluate(*requests, **given)

    expected = json.loads(values.VALUES.read_text(encoding="utf-8"))
    monkeypatch.setattr(sqlrec, "evaluate", in_batches)
    result = values.found(cases())
    assert counted and (cases is values.every_form or result.keys() == expected.keys())
    for case, rows in result.items():
        assert rows.keys() == expected[case].keys(), case
        for row, ours in expected[case].items():
            assert all(map(values.same, rows[row], ours)), (case, row)


class TestErrors:
    @mark.parametrize(
        "user, item, score, message",
        [
            ("u7", "a", 0.5, "user u7 has item a more than once \\(repeats: 1\\)"),
            ("u7", "z", None, "item z of user u7 has no score"),
            ("u7", None, 0.5, "recs has 1 row without item_id, as for user u7"),
            (None, "z", 0.5, "recs has 1 row without user_id"),
        ],
    )
    def test_errors_name_the_row_as_without_batches(self, user, item, score, message):
        columns = {
            "user_id": [*(f"u{user}" for user in range(9) for _ in "ab"), user],
            "item_id": [*"ab" * 9, item],
            "score": [*[0.9, 0.8] * 9, score],
        }
        truth = wanted({f"u{user}": "a" for user in range(9)})
        with raises(sqlrec.DataError, match=message):
            sqlrec.evaluate("mrr@3", recs=pa.table(columns), truth=truth, batches=5)

    def test_no_evaluated_user_in_any_batch_is_an_error(self):
        recs = lists({"ann": "ab", "bob": "ab"})
        with raises(sqlrec.DataError, match="has no users to average over"):
            sqlrec.evaluate("mrr@3", recs=recs, truth=wanted({"ann": {"a": 0.0}}), batches=2)

    @mark.parametrize(
        "options, message",
        [
            ({"interval": "bootstrap"}, "interval='bootstrap' needs the values of all users at"),
            ({"interval": "bca"}, "interval='bca' needs"),
            ({"cluster": "land"}, "cluster='land' needs"),
            ({"adjust": "land"}, "adjust=.'land'. needs"),
            ({"summaries": "median"}, "summaries='median' needs"),
        ],
    )
    def test_options_that_need_all_values_are_refused(self, options, message):
        with raises(sqlrec.InputError, match=message):
            sqlrec.evaluate(METRICS, **inputs(users=users()), **options, batches=2)

    def test_only_duckdb_has_batches(self):
        import sqlite3

        connection = sqlite3.connect(":memory:")
        connection.execute("create table recs (user_id, item_id, score)")
        connection.execute("insert into recs values (1, 1, 1), (2, 1, 1)")
        connection.execute("create table truth as select user_id, item_id from recs")
        given = {"recs": "recs", "truth": "truth", "engine": connection}
        with raises(sqlrec.InputError, match="batches=2: only DuckDB evaluates users in batches"):
            sqlrec.evaluate("mrr@1", **given, batches=2)
        assert sqlrec.evaluate("mrr@1", **given).to_arrow()["value"].to_pylist() == [1]


class TestHowMany:
    @staticmethod
    def count(memory, metrics="ndcg@5", **given):
        """Return the number of batches for a memory limit."""
        with MonkeyPatch.context() as patch:
            patch.setattr(engines.DuckDB, "memory", memory)
            return batches.batch_count(prepare(metrics, arguments=given, engine=engines.DuckDB()))

    def test_the_number_of_batches_follows_the_memory(self, monkeypatch, tmp_path):
        given = {}
        for name in ("recs", "truth"):
            given[name] = str(tmp_path / f"{name}.parquet")
            pa.parquet.write_table(inputs()[name], given[name])
        rows = len(inputs()["recs"])
        assert self.count(1e9, **given) == 1
        # Lists have about 6 items, and text has 2.7 times the size of numbers.
        assert 3 <= self.count(rows * 2.7 * 40, **given) <= 4
        made, make = [], batches._divide_users
        monkeypatch.setattr(
            batches, "_divide_users", lambda *requests: made.append(make(*requests)) or made[-1]
        )
        monkeypatch.setattr(engines.DuckDB, "memory", rows * 2.7 * 40)
        sqlrec.evaluate("ndcg@5", **given)
        (ids,) = made
        assert 3 <= len(ids) <= 4

    def test_ranks_and_metrics_of_all_users_have_one_batch(self):
        given = {name: inputs()[name] for name in ("recs", "truth")}
        for metrics in ("ndcg@5 gini@5", "ndcg@5 surprisal@5"):
            assert self.count(1000, metrics, **inputs()) == 1
        assert self.count(1000, **given) > 1
        ranks = given["recs"].group_by(["model", "user_id"]).aggregate([("item_id", "list")])
        ranks = ranks.rename_columns(["model", "user_id", "item_id"])
        assert self.count(1000, **given | {"recs": ranks}) == 1
        assert batches.parse_batches(None, {"summaries": "median", "cluster": None}) == 1
        assert batches.parse_batches(None, {"summaries": None}) is None

    def test_inputs_that_are_slow_to_read_again_have_one_batch(self, tmp_path):
        """Selections from tables, Arrow and Parquet are read again; other inputs have one batch."""
        rows = pa.table({"user_id": range(1000), "item_id": range(1000)})
        pa.parquet.write_table(rows, tmp_path / "a.parquet")
        with duckdb.connect() as connection:
            connection.register("rows", rows)
            connection.execute(
                f"create table stored as from rows; copy stored to '{tmp_path}/a.csv'; "
                "create view chosen as select user_id + 1 as user_id, item_id from stored; "
                "create view united as select * from chosen union all select * from stored; "
                "create view counted as select user_id, count(*) from stored group by user_id; "
                "create view joined as select a.* from stored as a join stored using (user_id); "
                "create view made as select range as user_id, range as item_id from range(1000)"
            )
            engine = engines.DuckDB(connection)
            again = ("stored", "chosen", f"read_parquet('{tmp_path}/a.parquet')")
            # DuckDB 1.4 does not know the number of rows of Arrow tables.
            assert engine.estimate_fast_rows("rows") in (1000, 1)
            assert [engine.estimate_fast_rows(one) for one in again] == [1000] * 3
            assert engine.estimate_fast_rows("united") == 2000
            for one in ("counted", "joined", "made", f"read_csv('{tmp_path}/a.csv')"):
                assert engine.estimate_fast_rows(one) == 0

    def test_the_memory_is_duckdbs_setting(self):
        for setting, size in (("500MB", 5e8), ("3GB", 3e9), ("900KB", 9e5)):
            with duckdb.connect(config={"memory_limit": setting}) as connection:
                assert engines.DuckDB(connection).memory == approx(size, rel=0.05)


@mark.slow
def test_the_progress_line_counts_batches(monkeypatch, capsys):
    monkeypatch.setattr(base, "PATIENCE", 0.0)
    monkeypatch.setattr(base, "PACE", 0.001)
    with duckdb.connect() as connection:
        connection.execute(
            "create table recs as select range // 10 as user_id, range % 10 as item_id, "
            "range as score from range(1000000); "
            "create table truth as select user_id, item_id from recs"
        )
        given = {"recs": "recs", "truth": "truth", "engine": connection}
        sqlrec.evaluate("ndcg@5", **given, batches=3, progress=True)
    said = capsys.readouterr().err
    for line in ("0 of 3 batches done\r", "1 of 3 batches done, ", "2 of 3 batches done, "):
        assert re.search(rf"computing values  \d s, {line}", said)
    assert " done, about " in said and " s left" in said
    # The line is cleared at the end.
    assert said.split("\r")[-2].strip() == "" and said.endswith("\r")


def test_the_command_line_has_batches(tmp_path, command_line):
    given = inputs()
    for name in ("recs", "truth"):
        pa.parquet.write_table(given[name], tmp_path / f"{name}.parquet")
    requests = ["evaluate", "ndcg@5", "--recs", "recs.parquet", "--truth", "truth.parquet"]
    at_once = command_line(tmp_path, *requests)
    assert at_once[0] == 0 and command_line(tmp_path, *requests, "--batches", "3") == at_once
    code, _, said = command_line(tmp_path, *requests, "--batches", "0")
    assert code == 1 and said.startswith("error: --batches 0: ")
    code, _, said = command_line(tmp_path, *requests, "--batches", "2", "--interval", "bca")
    assert said.startswith("error: --interval bca needs the values of all users at once")
