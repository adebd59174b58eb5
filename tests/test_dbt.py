"""The dbt package, run by dbt on DuckDB, and weekly on PostgreSQL.

``test_package.py`` compares plans and texts with Python's, without dbt.
"""

import json
import math
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet
from pytest import approx, fixture, mark, param

import sqlrec
from sqlrec.rendering.sql_format import format_statement

from . import dbt_process
from .packages import psycopg
from .test_own_metrics import ITEMS, METRICS, RECS, TRUTH, write_page
from .test_package import inner

pytestmark = [
    mark.dbt,
    mark.xdist_group("dbt"),
    mark.filterwarnings("ignore:.*rows of .* have no order"),
]

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "dbt"

# dbt's cache of a parsed project.
PARSED = {}


class Project:
    """A folder with a dbt project, and the database of its target."""

    def __init__(self, folder, target, server):
        self.folder, self.target, self.server = folder, target, server
        self.schema = "main" if target == "duckdb" else "sqlrec_tests"
        if server:
            with self.connect() as connection:
                connection.execute(f"drop schema if exists {self.schema} cascade")
        (folder / "packages.yml").write_text(f"packages:\n  - local: '{ROOT / 'sql'}'\n")
        own = folder / "profiles.yml"
        profiles = (own if own.exists() else EXAMPLE / "profiles.yml").read_text()
        own.write_text(re.sub("schema: \\w+", f"schema: {self.schema}", profiles))
        (folder / "models").mkdir(exist_ok=True)
        if not (folder / "dbt_project.yml").exists():
            shutil.copy(EXAMPLE / "dbt_project.yml", folder)
        # A link instead of `dbt deps`, which is slower; the example runs the command.
        (folder / "dbt_packages").mkdir()
        (folder / "dbt_packages" / "sqlrec").symlink_to(ROOT / "sql")
        # The package is parsed once: dbt parses only changed files of a project with equal
        # settings.
        self.parsed = folder / "target" / "partial_parse.msgpack"
        self.alike = target, (folder / "dbt_project.yml").read_text()
        if self.alike in PARSED:
            self.parsed.parent.mkdir()
            self.parsed.write_bytes(PARSED[self.alike])

    def dbt(self, *arguments, code=0):
        """Run dbt, and keep the status and message of each node."""
        host = {"PGHOST": self.server} if self.server else {}
        target = [] if arguments == ("deps",) else ["--target", self.target]
        done, self.said = dbt_process.run(self.folder, [*arguments, *target], host)
        assert done == code, self.said
        if self.alike not in PARSED and self.parsed.exists():
            PARSED[self.alike] = self.parsed.read_bytes()
        path = self.folder / "target" / "run_results.json"
        results = json.loads(path.read_text())["results"] if path.exists() else []
        named = {row["unique_id"].split(".")[2]: row for row in results}
        self.status = {name: row["status"] for name, row in named.items()}
        self.messages = {name: row["message"] for name, row in named.items()}

    def query(self, statement):
        """Return the rows of a query as dicts."""
        if self.target == "duckdb":
            with duckdb.connect(str(self.folder / "example.duckdb")) as connection:
                return connection.sql(statement).to_arrow_table().to_pylist()
        with self.connect() as connection:
            cursor = connection.execute(f"set search_path = {self.schema}; {statement}")
            while cursor.nextset():
                pass
            names = [column.name for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor]

    def connect(self):
        return psycopg.connect(host=self.server, user="postgres", dbname="postgres")

    def load(self, tables):
        """Load the tables of the source shop into the target."""
        if self.target == "duckdb":
            for name, table in tables.items():
                pyarrow.parquet.write_table(table, self.folder / "data" / f"{name}.parquet")
            return
        types = {"string": "text", "int64": "bigint", "date32[day]": "date"}
        with self.connect() as connection:
            connection.execute("create schema if not exists shop")
            for name, table in tables.items():
                columns = ", ".join(
                    f"{field.name} {types[str(field.type)]}" for field in table.schema
                )
                connection.execute(f"drop table if exists shop.{name} cascade")
                connection.execute(f"create table shop.{name} ({columns})")
                with connection.cursor().copy(f"copy shop.{name} from stdin") as copy:
                    for row in table.to_pylist():
                        copy.write_row(row.values())


@fixture(scope="module")
def server():
    """The folder of a PostgreSQL server, which is also its host."""
    # It warns without a folder of the desktop.
    with warnings.catch_warnings(action="ignore"):
        import pgserver

    # Not in pytest's folder: the server's socket needs a short path that its user can read.
    with tempfile.TemporaryDirectory(prefix="sqlrec") as folder:
        server = pgserver.get_server(folder, cleanup_mode="stop")
        yield folder
        server.cleanup()


@fixture(scope="class", params=["duckdb", param("postgres", marks=mark.weekly)])
def target(request):
    return request.param


@fixture(scope="class")
def database(target, request):
    """The host of the target, if it has one."""
    return request.getfixturevalue("server") if target == "postgres" else None


def rest_weekly(values):
    """Parametrize with the first of these values, and weekly with the others."""
    return [values[0], *(param(value, marks=mark.weekly) for value in values[1:])]


def same(actual, expected, *keys):
    """Check that rows with equal keys are equal, up to the last digits."""
    actual, expected = (
        {tuple(row[key] for key in keys): row for row in rows} for rows in (actual, expected)
    )
    assert actual.keys() == expected.keys() and actual
    for key, row in expected.items():
        assert {name: actual[key][name] for name in row} == {
            name: approx(value, abs=1e-12) if isinstance(value, float) else value
            for name, value in row.items()
        }


TABLES = {
    name: pyarrow.parquet.read_table(EXAMPLE / "data" / f"{name}.parquet")
    for name in ("recs", "clicks")
}
GIVEN = {"recs": TABLES["recs"], "truth": TABLES["clicks"]}
GIVEN |= {"columns": {"model": "model", "rank": "rank"}, "interval": None}


def daily(project):
    """Return the daily evaluation, with the days of the log: the example moves them to now."""
    rows = project.query("select * from evaluation_daily")
    moved = max(row["day"] for row in rows) - max(TABLES["clicks"]["day"].to_pylist())
    return [row | {"day": row["day"] - moved} for row in rows]


class TestTheExample:
    @fixture(scope="class")
    @classmethod
    def built(cls, target, database, tmp_path_factory):
        """The example, built over a week, with late rows."""
        folder = tmp_path_factory.mktemp("example")
        for part in ("data", "macros", "models"):
            shutil.copytree(EXAMPLE / part, folder / part)
        project = Project(folder, target, database)
        (folder / "dbt_packages" / "sqlrec").unlink()
        project.dbt("deps")
        # At first, a day and some clicks of the previous day are missing.
        *_, before, late, _ = sorted(set(TABLES["clicks"]["day"].to_pylist()))
        there = {
            name: table.filter(pc.not_equal(table["day"], late)) for name, table in TABLES.items()
        }
        clicks = there["clicks"]
        odd = pc.equal(pc.bit_wise_and(clicks["item_id"], 1), 1)
        there["clicks"] = clicks.filter(pc.or_(pc.not_equal(clicks["day"], before), odd))
        project.load(there)
        project.dbt("run", "--select", "+evaluation_daily")
        project.first = project.query("select * from evaluation_daily")
        project.load(TABLES)
        project.dbt("build")
        return project

    def test_builds_and_passes_its_tests_of_data(self, built):
        # The unit test has the name of its model.
        assert len(built.status) == 20
        assert set(built.status.values()) == {"success", "pass"}

    def test_evaluates_as_python_does(self, built):
        result = sqlrec.evaluate("ndcg@10 recall@5 recall@10 map@10", **GIVEN, by="campaign")
        actual = built.query("select * from evaluation")
        same(actual, result.to_arrow().to_pylist(), "model", "campaign", "metric", "k")
        assert {row["violations"] for row in actual} == {0}

    def test_per_user_values_equal_those_of_python(self, built):
        result = sqlrec.evaluate("ndcg@10 recall@10", **GIVEN, by=["campaign", "day"])
        actual = built.query("select * from evaluation_per_user")
        same(actual, result.per_user().to_arrow().to_pylist(), "model", "user_id", "metric", "k")

    def test_each_day_is_evaluated_once_with_late_rows(self, built):
        result = sqlrec.evaluate("ndcg@10 recall@10", **GIVEN, by="day")
        actual = daily(built)
        same(actual, result.to_arrow().to_pylist(), "model", "day", "metric", "k")
        assert len(actual) == 7 * 2 * 2
        users = sum(row["users"] for row in actual if row["model"] == "bts")
        assert len(built.first) == 6 * 2 * 2
        assert sum(row["users"] for row in built.first if row["model"] == "bts") < users * 6 / 7

    def test_puts_the_days_together_as_if_they_had_been_evaluated_at_once(self, built):
        values = {}
        for row in built.query("select * from evaluation_per_user"):
            values.setdefault((row["model"], row["metric"]), []).append(row["value"])
        actual = built.query("select * from evaluation_to_date")
        assert len(actual) == len(values) == 4
        for row in actual:
            every = values[row["model"], row["metric"]]
            assert row["users"] == len(every)
            assert row["value"] == approx(statistics.fmean(every), rel=1e-12)
            error = statistics.stdev(every) / math.sqrt(len(every))
            assert row["standard_error"] == approx(error, rel=1e-12)

    def test_documents_the_formulas(self, built):
        if built.target == "postgres":
            built.dbt("docs", "generate")
        manifest = json.loads((built.folder / "target" / "manifest.json").read_text())
        for metric in sqlrec.metrics().values():
            macro = manifest["macros"][f"macro.sqlrec.{metric.rows}__{metric.name}"]
            assert metric.header in macro["description"]
        for name in ("evaluate", "per_user", "compare", "test_full_lists"):
            assert manifest["macros"][f"macro.sqlrec.{name}"]["description"]

    def test_evaluates_who_comes_back_on_each_day(self, built):
        seen = {}
        for row in TABLES["clicks"].to_pylist():
            seen.setdefault(row["day"], {}).setdefault(row["user_id"], f"v{len(seen[row['day']])}")
        tables = {
            name: pa.Table.from_pylist(
                [row | {"user_id": seen[row["day"]][row["user_id"]]} for row in table.to_pylist()],
                table.schema,
            )
            for name, table in TABLES.items()
        }
        built.load(tables)
        built.dbt("run", "--full-refresh", "--select", "+evaluation_daily")
        actual = daily(built)
        for day in seen:
            recs, truth = (
                tables[name].filter(pc.equal(tables[name]["day"], day))
                for name in ("recs", "clicks")
            )
            result = sqlrec.evaluate("ndcg@10 recall@10", recs=recs, truth=truth, interval=None)
            theirs = [row for row in actual if row["day"] == day]
            same(theirs, result.to_arrow().to_pylist(), "model", "metric", "k")


class TestTheIntegrationTests:
    """The project integration_tests, which contains the expected tables."""

    SEEDS = ROOT / "integration_tests" / "seeds"
    WITH_REFUSED = "--vars", "{refused: true}"

    @fixture(scope="class")
    @classmethod
    def built(cls, target, database, tmp_path_factory):
        folder = tmp_path_factory.mktemp("integration") / f"integration_{target}"
        made = shutil.ignore_patterns("target", "logs", "dbt_packages", "*.duckdb", "*lock.yml")
        shutil.copytree(ROOT / "integration_tests", folder, ignore=made)
        project = Project(folder, target, database)
        # With the variable of the test below: another value would parse the whole project again.
        project.dbt("build", *cls.WITH_REFUSED, "--exclude", "refused")
        return project

    def test_build(self, built):
        # The unit test has the name of its model.
        assert len(built.status) == 28
        assert set(built.status.values()) == {"success", "pass"}
        assert "does not match the jinja definition" not in built.said

    def test_find_columns_that_nobody_names_as_python_does(self, built):
        tables = {name: str(self.SEEDS / f"{name}.csv") for name in ("recs", "truth", "users")}
        options = {"level": 0.9, "summaries": "median p90 zero_share"}
        expected = sqlrec.evaluate(
            "ndcg@2 hit_rate@1", by="country", each=True, interval="normal", **tables, **options
        ).to_arrow()
        assert {row["value"] for row in expected.to_pylist()} > {0.5, 1}
        actual = built.query("select * from by_groupings")
        same(actual, expected.to_pylist(), "model", "grouping", "country", "metric", "k")

    def test_invalid_requests_have_the_messages_of_python(self, built):
        built.dbt("run", *self.WITH_REFUSED, "--select", "refused", code=1)
        for name, message in {
            "lacks_column": "recs has no column 'item_id': it has user_id, country. Pass your",
            "lacks_score": "recs has no column 'score' or 'rank': it has user_id, item_id, relev",
            "lacks_segment": "by='country': no such column in truth or users: truth has user_id",
            "names_nothing": "columns['truth.relevance']='stars': truth has user_id, item_id",
            "merges_models": "recs['als'] has a column 'model' with several values, as als and po",
            "compares_one": "recs has one model, but a comparison needs two: pass recs={'als': ...",
            "stops": "2 rows break a rule, so no value is valid: sqlrec.no_violations",
        }.items():
            assert built.status[name] == "error"
            assert message in built.messages[name]


def table(rows):
    """Return rows as a query, with a SQL type for each type of Python."""
    numbers = {"rank": "bigint", "k": "bigint", "day": "bigint"}
    numbers |= dict.fromkeys(("value", "standard_error", "Größe"), "double precision")

    def written(name, value):
        text = "null" if value is None else repr(value)
        quoted = name.replace('"', '""')
        return f'cast({text} as {numbers.get(name, "varchar(40)")}) as "{quoted}"'

    selects = (", ".join(written(name, value) for name, value in row.items()) for row in rows)
    return "\nunion all\n".join(f"select {select}" for select in selects)


def ranked(users, **more):
    return [
        {"user_id": user, "item_id": item, "rank": rank} | more
        for user, items in users.items()
        for rank, item in enumerate(items, start=1)
    ]


def values(*rows, **more):
    """Return rows of an evaluation: model, metric, k, value, and others."""
    names = ("model", "metric", "k", "value", *more)
    return [dict(zip(names, row, strict=True)) for row in rows]


def days(*rows):
    names = ("day", "model", "metric", "k", "value", "standard_error")
    return [dict(zip(names, row, strict=True)) for row in rows]


LISTS = ranked({"ann": "ab", "bob": "ba"})
TWO = ranked({"ann": "ab", "bob": "ba"}, algo="x") + ranked({"ann": "ab", "bob": "ab"}, algo="y")
RISE = [(day, "als", "ndcg", 10, value, 0.01) for day, value in enumerate([0.5, 0.3, 0.35])]
# A loss of 0.03 with a standard error of 0.0141; the limit of chance is 0.0277.
FALL = [(day, "als", "ndcg", 10, value, 0.01) for day, value in enumerate([0.1, 0.33, 0.3])]
LITTLE = [(day, "als", "ndcg", 10, value, 0.01) for day, value in enumerate([0.1, 0.327, 0.3])]
VALUES = values(("als", "ndcg", 10, 0.3), ("pop", "ndcg", 10, 0.1), ("als", "precision", None, 0.5))
ONE_NULL = values(("als", "ndcg", 10, None), ("pop", "ndcg", 10, 0.1))

WITH_HOME = ranked({"ann": "ah"})
HISTORY, TRUTH_OF_ALL = {"history": "ref('history')"}, {"truth": "ref('history')"}
TWO_KEYS, OF_MODELS = {"user_id": ["user_id", "user_id"]}, {"model_column": "algo"}
HOSTILE = {"history": "ref('hostile')", "history_user_id": 'the "user"', "history_item_id": "order"}
NDCG = {"metric": "ndcg@10"}
P_OF_LISTS = {"metric": "P(divide_by=list_length)@all", "at_least": 0.5}
NO_MODEL = TWO[0] | {"algo": None}


def of_gini(*numbers):
    """Return two days with the Gini values of the days in RISE."""
    rows = days(*((day, *RISE[number][1:]) for day, number in enumerate(numbers)))
    return [row | {"metric": "gini"} for row in rows]


def of_land(land, rows):
    return [row | {"land": land} for row in days(*rows)]


# The test, its arguments, and rows that pass and fail.
CHECKS = [
    ("no_duplicate_recommendations", {}, LISTS, ranked({"ann": "aa"})),
    ("no_duplicate_recommendations", {"user_id": ["user_id", "algo"]}, TWO, TWO + TWO[:1]),
    *(
        ("unique_ranks", {}, LISTS, [*LISTS, {"user_id": "ann", "item_id": "c", "rank": rank}])
        for rank in (2, 0, None)
    ),
    ("unique_ranks", OF_MODELS, TWO, TWO + TWO[:1]),
    ("full_lists", {"k": 2}, LISTS, ranked({"ann": "ab", "bob": "b"})),
    ("full_lists", {"k": 2} | OF_MODELS, TWO, TWO[1:]),
    ("not_in_history", HISTORY | TWO_KEYS, LISTS, WITH_HOME),
    (
        "not_in_history",
        HISTORY | {"config": {"where": "rank = 2"}},
        ranked({"ann": "ha"}),
        WITH_HOME,
    ),
    ("not_in_history", HOSTILE, LISTS, WITH_HOME),
    ("every_truth_user_has_list", TRUTH_OF_ALL | TWO_KEYS, LISTS, ranked({"bob": "ab"})),
    ("every_truth_user_has_list", TRUTH_OF_ALL | OF_MODELS, TWO, TWO[:2] + TWO[6:]),
    (
        "every_truth_user_has_list",
        TRUTH_OF_ALL | OF_MODELS,
        [*TWO, NO_MODEL],
        [*TWO[:4], *TWO[6:], NO_MODEL],
    ),
    ("metric_at_least", {"metric": "nDCG@10", "at_least": 0.1}, VALUES, ONE_NULL),
    (
        "metric_at_least",
        NDCG | {"at_least": 0.2, "model_name": "als"},
        VALUES,
        values(("als", "ndcg", 10, 0.19), ("pop", "ndcg", 10, 0.9)),
    ),
    ("metric_at_least", NDCG | {"at_least": 0.0}, VALUES, VALUES[2:]),
    (
        "metric_at_least",
        P_OF_LISTS,
        values(("als", "precision(divide_by=list_length)", None, 0.5), VALUES[0].values()),
        VALUES,
    ),
    ("metric_not_worse", NDCG, days(*RISE), days(*FALL)),
    ("metric_not_worse", NDCG, days(*RISE), days(*RISE, *RISE)),
    ("metric_not_worse", {"metric": "gini@10"}, of_gini(0, 1), of_gini(1, 0)),
    ("metric_not_worse", NDCG, days(*LITTLE), days(*RISE, (9, *FALL[0][1:]))),
    ("metric_not_worse", NDCG, days(RISE[0]), days((0, "als", "mrr", 10, 1.0, 0.1))),
    (
        "metric_not_worse",
        NDCG | {"by": ["land"]},
        of_land("x", RISE),
        of_land("x", RISE) + of_land("y", FALL),
    ),
]


class TestTestsOfData:
    @fixture(scope="class", params=["duckdb", "postgres"])
    @classmethod
    def target(cls, request):
        return request.param

    @fixture(scope="class")
    @classmethod
    def built(cls, target, database, tmp_path_factory):
        """Build a model of passing rows and one of failing rows for each check, and test all."""
        project = Project(tmp_path_factory.mktemp("checks"), target, database)
        models = project.folder / "models"
        history = [{"user_id": "ann", "item_id": "h"}]
        hostile = [{'the "user"': "ann", "order": "h", "Größe": 0.5}]
        (models / "history.sql").write_text(table(history))
        (models / "hostile.sql").write_text(table(hostile), encoding="utf-8")
        properties = []
        for number, (test, arguments, *both) in enumerate(CHECKS):
            for kind, rows in zip(("good", "bad"), both, strict=True):
                name = f"{kind}_{number}"
                (models / f"{name}.sql").write_text(table(rows))
                inputs = {key: value for key, value in arguments.items() if key != "config"}
                check = {"name": f"{name}_test", "arguments": inputs}
                check = {f"sqlrec.{test}": check | {"config": arguments.get("config", {})}}
                properties.append({"name": name, "data_tests": [check]})
        (models / "models.yml").write_text(json.dumps({"version": 2, "models": properties}))
        cls.add_evaluations(models)
        project.dbt("build", "--threads", "2", code=1)
        return project

    @staticmethod
    def add_evaluations(models):
        """Add models over columns that need quotes, and over queries that dbt inlines."""
        columns = {"user_id": 'the "user"', "item_id": "order", "score": "Größe"}
        inputs = "recs=ref('hostile'), truth=ref('hostile'), columns=" + repr(columns)
        (models / "hostile_names.sql").write_text(
            f"{{{{ sqlrec.evaluate('P@1', by='Größe', {inputs}) }}}}", encoding="utf-8"
        )
        (models / "inlined.sql").write_text(
            "{{ config(materialized='ephemeral') }}\n" + table(LISTS), encoding="utf-8"
        )
        recs = "{'als': ref('inlined'), \"it's\": ref('inlined')}"
        (models / "ephemeral.sql").write_text(
            f"{{{{ sqlrec.compare('P@1', baseline=\"it's\", recs={recs}, "
            "truth=ref('hostile'), columns={'rank': 'rank', 'truth.user_id': 'the \"user\"', "
            "'truth.item_id': 'order'}) }}"
        )
        (models / "hidden_grades.sql").write_text(
            "{{ sqlrec.evaluate('P@1', recs=ref('hostile'), truth=ref('inlined'), "
            "columns={'recs.user_id': 'the \"user\"', 'recs.item_id': 'order', "
            "'recs.score': 'Größe'}) }}",
            encoding="utf-8",
        )

    @mark.parametrize("number", range(len(CHECKS)), ids=[check[0] for check in CHECKS])
    def test_passes_on_good_rows_and_fails_on_bad_ones(self, built, number):
        assert built.status[f"good_{number}"] == built.status[f"bad_{number}"] == "success"
        assert built.status[f"good_{number}_test"] == "pass"
        assert built.status[f"bad_{number}_test"] == "fail"

    def test_names_may_need_quotes(self, built):
        (row,) = built.query("select * from hostile_names")
        assert (row["Größe"], row["value"], row["violations"]) == (0.5, 1, 0)

    def test_inputs_may_be_ephemeral_models(self, built):
        (row,) = built.query("select * from ephemeral")
        assert (row["model"], row["difference"]) == ("als", 0)

    def test_a_truth_whose_grades_are_hidden_is_an_error(self, built):
        message = (
            "truth is an ephemeral model, and dbt can't see its columns: specify its "
            "relevance column"
        )
        assert built.status["hidden_grades"] == "error"
        assert message in built.messages["hidden_grades"]


class TestTheNextDbt:
    """dbt 2 is another program, with its own Jinja; it compiles without a warehouse."""

    PROFILES = """
sqlrec_example:
  target: none
  outputs:
    snowflake: {type: snowflake, account: a, user: a, password: a, database: d, schema: s}
    bigquery: {type: bigquery, method: oauth, project: d, dataset: s}
    databricks: {type: databricks, host: a.invalid, http_path: a, token: a, catalog: d, schema: s}
    redshift: {type: redshift, host: a.invalid, user: a, password: a, port: 1, dbname: d, schema: s}
"""

    @mark.parametrize("target", rest_weekly(["snowflake", "bigquery", "databricks", "redshift"]))
    def test_dbt_compiles_the_example_to_the_statements_of_python(self, target, tmp_path):
        for part in ("data", "macros", "models"):
            shutil.copytree(EXAMPLE / part, tmp_path / part)
        shutil.copy(EXAMPLE / "dbt_project.yml", tmp_path)
        (tmp_path / "models" / "numbers.sql").write_text(
            "{% set shop = {'recs': source('shop', 'recs'), 'truth': source('shop', 'clicks')} %}"
            "{{ sqlrec.evaluate('f(beta=0.5)@5', shop.recs, shop.truth) }}"
        )
        (tmp_path / "packages.yml").write_text(f"packages:\n  - local: '{ROOT / 'sql'}'\n")
        (tmp_path / "profiles.yml").write_text(self.PROFILES)
        program = Path(sys.executable).with_name("dbt-core-experimental-parser")
        # The incremental model looks up in the warehouse whether it exists.
        for command in (
            ["deps"],
            ["compile", "--exclude", "evaluation_daily+", "--target", target],
        ):
            done = subprocess.run(
                [program, *command], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
            )
            assert done.returncode == 0, done.stdout + done.stderr
        (compiled,) = (tmp_path / "target" / "compiled").rglob("evaluation.sql")
        text = compiled.read_text().replace("1" + "0" * 100 + ".0", "1e+100")
        text = re.sub(r'["`]?d["`]?\.["`]?shop["`]?\.["`]?(\w+)["`]?', r"shop.\1", text)
        named = {"recs": "shop.recs", "truth": "shop.clicks", "by": "campaign"}
        named["columns"] = {"model": "model", "rank": "rank"}
        metrics = "ndcg@10 recall@5 recall@10 map@10"
        expected = sqlrec.sql(metrics, dialect=target, form="audited", **named)
        assert inner(text.strip(), target) == format_statement(expected, target)
        assert "arning" not in done.stdout + done.stderr


def test_a_project_has_metrics_of_its_own(target, database, tmp_path_factory, command_line):
    folder = tmp_path_factory.mktemp("own")
    (folder / "macros").mkdir()
    write_page(folder / "metrics")
    call = ["dbt-metrics", "metrics", "-o", "macros/sqlrec_metrics.sql"]
    assert command_line(folder, *call) == (0, "", "")
    tables = {"recs": RECS.drop_columns("model").slice(0, 3), "truth": TRUTH, "items": ITEMS}
    (folder / "models").mkdir()
    for name, table in tables.items():
        rows = [", ".join(map(repr, row.values())) for row in table.to_pylist()]
        values = ", ".join(f"({row})" for row in rows)
        columns = ", ".join(table.column_names)
        text = f"select * from (values {values}) as {name}_rows ({columns})"
        (folder / "models" / f"{name}.sql").write_text(text)
    requests = f"{METRICS} ndcg@2"
    calls = {
        "means": f"sqlrec.evaluate({requests!r}, ref('recs'), ref('truth'), items=ref('items'))",
        "users": "sqlrec.per_user('revenue@2 ndcg@2', ref('recs'), ref('truth'), "
        "items=ref('items'))",
    }
    for name, text in calls.items():
        (folder / "models" / f"{name}.sql").write_text(f"{{{{ {text} }}}}")
    project = Project(folder, target, database)
    project.dbt("run")
    expected = sqlrec.evaluate(requests, **tables, metrics_path=folder / "metrics").to_arrow()
    expected = expected.select(["metric", "k", "request", "value", "users"]).to_pylist()
    same(project.query("select * from means"), expected, "metric", "k")
    users = project.query("select * from users")
    assert {row["metric"] for row in users} == {"revenue", "ndcg"}
    refused = folder / "models" / "refused.sql"
    refused.write_text("{{ sqlrec.evaluate('early_hits(first=0)@2', ref('recs'), ref('truth')) }}")
    project.dbt("compile", "--select", "refused", code=2)
    assert "early_hits(first=0): first must be a number from 1 to 100" in project.said
