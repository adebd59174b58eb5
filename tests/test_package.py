"""The dbt package writes the same statements as Python, in every dialect."""

import re
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random

import duckdb
import pyarrow as pa
from jinja2 import Environment, nodes
from pytest import approx, fixture, mark, param, raises

import sqlrec
from sqlrec import cli
from sqlrec.catalogue.headers import TABLES
from sqlrec.dialects import DIALECTS, text
from sqlrec.engines.base import Unconnected
from sqlrec.engines.connect import open_engine
from sqlrec.errors import suggest_name
from sqlrec.plan.build import ACCOUNTS
from sqlrec.rendering.prune import prune_statement
from sqlrec.rendering.sql_format import format_statement
from sqlrec.rendering.templates import tidy_white_space

from .dialects import COMMON, WITH_NDCG, slow
from .golden.values import of_library
from .jinja import EXTENSIONS, WARNINGS, CompilerError, Relation, package, texts
from .tables import asked, lists, prepare, wanted

ROOT = Path(__file__).parent.parent
# Equal plans have equal texts: tested in one dialect, and by CI in each dialect.
OTHERS = [name for name in DIALECTS if name != "duckdb"]
WRITTEN = ["duckdb", *slow(*OTHERS)]
EVERYTHING = asked(1, 10)
# dbt does not warn that conventions use the order of rows.
pytestmark = mark.filterwarnings("ignore:convention .* have no order")
INPUTS = {name: f"shop.{name}" for name in TABLES if name not in ("recs", "truth", "users")}
RANKED = {"rank": "rank"}
GRADED = {"relevance": "grade"}
MODELS = {"als": "shop.als", "it's": "shop.pop"}
SEVERAL = ["ndcg@10", *(f"ndcg(convention={name})@10" for name in WITH_NDCG)]
TIED = ["map@10", *(f"map(convention={x})@5" for x in ("trec_eval", "jurity", "replay", "ranx"))]
ASKS = [
    (EVERYTHING, INPUTS),
    (EVERYTHING, INPUTS | {"columns": GRADED | RANKED | {"score": "score"}}),
    ("nDCG@10 map@5,P@3 recall@10 recall@2", {}),
    (["nDCG(gain=binary, ideal=k)@10,5, map@5,all 11pt", "P@3, 4 , r_precision"], {}),
    ("Hit-Rate@1 f1@5 f(beta=0.5)@5 f_beta(beta=2.0)@5 rprec mrr@all", {}),
    ("ndcg(ideal=list_length, gain=exponential)@10 ndcg@all", {"columns": GRADED}),
    (["map(divide_by=relevant)@5", "map(divide_by=k)@5"], {}),
    (
        ["mrr@5", *(f"exposure_share(group={g})@5" for g in ("A", "a", "é", "x" * 60, "x" * 61))],
        {"items": "items"},
    ),
    ("ndcg@10", {"recs": MODELS}),
    ("ndcg@10", {"recs": MODELS, "columns": {"rank": "rank", "score": "score"}}),
    ("ndcg@10", {"columns": {"model": "algorithm"}}),
    ("ndcg@10", {"columns": {"recs.model": "algorithm", "recs.rank": "rank"}}),
    ("ndcg@10", {"by": "country"}),
    ("ndcg@10", {"by": ["country", "Age group"], "users": "shop.users"}),
    ("ndcg@10", {"by": ["country", "age"], "users": "u", "columns": {"truth.age": "order"}}),
    ("ndcg@10", {"by": ["segment"], "columns": {"segment": "metric"}}),
    ("ndcg@10", {"columns": {"user_id": "uid", "truth.item_id": 'the "best" sku'}}),
    ("ndcg@10", {"columns": {"user_id": ["uid", "a Day"], "truth.item_id": ["sku"]}}),
    ("ndcg@10", {"columns": {"user_id": ["who.id", "day"], "item_id": "order.a.Item"}}),
    *[("ndcg@10", {"population": p}) for p in ("truth", "truth_and_recs", "judged", "recs")],
    *[("ndcg@10", {"order": o}) for o in (None, "score", "rank")],
    *[("ndcg@10", {"order": o, "columns": RANKED}) for o in ("score", "rank")],
    ("ndcg@10", {"ties": "item_desc", "columns": None}),
    *[("ndcg@10", {"duplicates": "best", "columns": c}) for c in ({}, RANKED)],
    *[("ndcg@10", {"null_scores": rule}) for rule in ("error", "last", "drop")],
    ("ndcg@10", {"null_scores": "drop", "order": "rank"}),
    *[("ndcg@10 serendipity@5", INPUTS | {"seen": s, "columns": RANKED}) for s in ("drop", "self")],
    *[("ndcg@10", {"undefined": value, "columns": GRADED}) for value in ("skip", 0, 1)],
    ("recall@10 recall(convention=ranx)@10", {"undefined": 1}),
    ("recall@10", {"undefined": 0, "population": "all", "convention": "sklearn"}),
    ("ndcg@10 mrr@5", {"weights": "traffic", "users": "shop.users"}),
    (
        "ndcg@10 recall(convention=ranx)@10",
        {"weights": "n", "by": ["country", "n"], "recs": MODELS, "columns": {"truth.n": "order"}},
    ),
    (SEVERAL, {"seen": "drop", "history": "shop.history", "recs": MODELS}),
    ("ndcg@10 gini@10", {"seen": "self", "duplicates": "last", "order_by": "ts"}),
    ("mrr@5 ips@5 switch_dr(tau=0.5)", {"logs": "logs", "columns": {"position": "rank"}}),
    ("ips@5 ctr ndcg@10 ips(divide_by=recommended)", {"logs": "logs", "recs": MODELS}),
    *[("ndcg@10", {"relevance_threshold": r, "columns": GRADED}) for r in (0, 3, 2.5, -1e-9)],
    *[("ndcg@10", {"depth": depth}) for depth in (1, 20)],
    *[("ndcg@10 map@5", {"convention": name}) for name in ("sqlrec", "rs_metrics", "trec_eval")],
    ("ndcg@10 ndcg(convention=lenskit)@10 map@5 serendipity@5", INPUTS | {"columns": GRADED}),
    ("ndcg@10 gini(convention=recbole)@10", INPUTS),
    ("map@10 map(convention=sqlrec)@10", {"convention": "ranx", "recs": MODELS, "by": "country"}),
    (SEVERAL, {}),
    (SEVERAL, {"columns": GRADED | RANKED | {"score": "score"}}),
    (SEVERAL, {"recs": MODELS, "users": "users", "by": "country", "columns": RANKED}),
    (SEVERAL, {"order_by": "ts", "columns": GRADED}),
    ("mrr@5", {"ties": "first", "duplicates": "last", "order_by": "a time", "columns": GRADED}),
    (SEVERAL, {"duplicates": "best", "ties": "item_desc", "columns": GRADED}),
    (
        SEVERAL,
        {"population": "recs", "order": "score", "relevance_threshold": 2, "columns": GRADED},
    ),
    *[
        (metrics, {"ties": ties, "recs": MODELS} | given)
        for ties in ("expected", "best", "worst")
        for metrics, given in (
            ("ndcg(gain=exponential)@10 map@5 mrr@all", {"columns": GRADED, "depth": 20}),
            (TIED, {}),
        )
    ],
    ("ndcg@5 hr@5", {"ties": "expected", "columns": RANKED}),
    (
        "unexpectedness(convention=replay)@10 unexpectedness@10 ndcg(convention=rs_metrics)@10",
        INPUTS | {"columns": {"recs.rank": "rank", "baseline.score": "score"}},
    ),
]
# Equal plans have equal texts: for other dialects, some plans and a few texts are compared.
TEXTS = [
    param("duckdb", ASKS[2::15], id="duckdb"),
    param("duckdb", ASKS, id="duckdb-each", marks=mark.slow),
    *(param(name, ASKS[2::12], id=f"{name}-some", marks=mark.slow) for name in OTHERS),
]
# Names of columns and models that dialects quote differently.
NAMES = [
    *("plain", "Upper", "order", "a b", "1st", "a`b", "a'b", "a\nb", "a\x85b", "{{ x }}"),
    "; drop table users --",
]
# Every metric of every library, in the library's form.
OF_LIBRARIES = [
    of_library(convention.name, metric, 10)
    for convention in sqlrec.conventions().values()
    for metric in dict.fromkeys(entry.metric for entry in convention.entries)
]
# Values of all users together.
LOGGED = {"logs": "shop.logs", "recs": None, "truth": None}
WITH_PI = {"columns": {"target_probability": "pi"}}
ASKS_OF_ALL = [
    ("ips ess dr", LOGGED),
    ("ips ess matched_share", LOGGED | {"by": "country", "users": "shop.users"}),
    ("dm", LOGGED | {"columns": {"logs.expected_reward": "q", "item_id": "id"}}),
    ("ips snips@all", LOGGED | WITH_PI),
    ("ips@5 ctr", LOGGED | {"recs": "recs", "columns": {"position": "rank", "rank": "rank"}}),
]
# All plans in one dialect, and some in the others.
PLANNED = {
    "asks": ASKS[2:],
    "of all users": ASKS_OF_ALL,
    "everything": ASKS[:2],
    "conventions": [(one, INPUTS) for one in [*OF_LIBRARIES, OF_LIBRARIES]],
    "each alone": [(one, INPUTS) for one in asked(5)],
}
SOME = {"some": [*ASKS[2::4], (OF_LIBRARIES, INPUTS)]}
ALWAYS = [("duckdb", "asks"), ("duckdb", "of all users")]
PLANS = [
    param(
        dialect, asks, id=f"{name}-{dialect}", marks=() if (dialect, name) in ALWAYS else mark.slow
    )
    for dialect in DIALECTS
    for name, asks in (PLANNED if dialect == "duckdb" else SOME).items()
]
REFUSED = [
    ("quux@10", {}, "unknown metric 'quux': choose from accuracy, "),
    ("ndcg@5", {"population": "everyone"}, "population='everyone': choose from all, judged"),
    ("ndcg@5", {"order": "random"}, "order='random': choose from rank, score"),
    ("ndcg@5", {"relevance_threshold": 2}, "relevance_threshold=2 needs a column 'relevance'"),
    ("ndcg@5", {"relevance_threshold": "2"}, "relevance_threshold='2': it must be a number of at"),
    ("ndcg@5", {"relevance_threshold": True}, "it must be a number of at most 1e+100"),
    ("ndcg@5", {"truth": None}, "truth is missing: ndcg needs a table with user_id, item_id; "),
    ("novelty@5", {}, "history is missing: novelty needs a table with user_id, item_id; give "),
    ("ips", {}, "logs is missing: ips needs a table with reward, propensity; give "),
    ("ips@5", LOGGED, "ips@5: a cutoff applies to recommendation lists, but recs was not given"),
    ("ips", LOGGED | {"recs": "r", **WITH_PI}, "both define the evaluated policy; remove one of"),
    ("dr", LOGGED | {"recs": MODELS}, "doubly_robust: expected_reward describes one policy, but "),
    ("ndcg@5", {"recs": {}}, "recs"),
    ("ndcg@5", {"recs": {"": "a"}}, "recs has a model ''"),
    ("ndcg@5", {"by": ["a", "a"]}, "name each column once, as a string"),
    ("ndcg@5", {"by": 5}, "by=5: give column names"),
    ("ndcg@5", {"by": "metric"}, "by='metric': the result already has a column 'metric'"),
    ("ndcg@5", {"by": "request"}, "by='request': the result already has a column 'request'"),
    ("ndcg@5", {"columns": {"uid": "user_id"}}, "columns['uid']: no column 'uid': "),
    ("ndcg@5", {"columns": {"rex.user_id": "uid"}}, "columns['rex.user_id']: no input 'rex'"),
    ("ndcg@5", {"columns": {"users.user_id": "x"}}, "columns['users.user_id']='x': no input has"),
    ("ndcg@5", {"columns": {"user_id": "item_id"}}, "recs: 'item_id' would be both 'user_id' and"),
    ("ndcg@5", {"columns": {"user_id": 5}}, "columns['user_id']=5: a column's name must be a"),
    ("ndcg@5", {"columns": {"rank": ["a", "b"]}}, "only user_id and item_id can have several"),
    ("ndcg@5", {"columns": {"user_id": ["a", "a"]}}, "only user_id and item_id can have several"),
    ("ndcg@5", {"columns": {"user_id": "a\nb"}}, "has a line break or another control character"),
    ("ndcg@5", {"columns": ["uid"]}, "give a dict from sqlrec's names to yours"),
    ("ndcg@5", {"convention": "lenskt"}, "convention='lenskt': did you mean 'lenskit'?"),
    ("ndcg(convention=lenskt)@5", {}, "convention='lenskt': did you mean 'lenskit'?"),
    ("ndcg(convention=)@5", {}, "convention='': choose from beir, cornac, "),
    ("ndcg(convention=ranx, convention=ranx)@5", {}, "convention is given twice: remove one"),
    ("err@5", {"convention": "ranx"}, "err(convention=ranx): ranx has average_precision, bpref, "),
    ("ndcg@5 err(convention=ranx)@5", {}, "err(convention=ranx): ranx has average_precision"),
    ("ndcg(convention=ranx)@5 ndcg(convention=ranx)@5", {}, "is requested twice, as ndcg("),
    (
        "gini@5",
        {"convention": "recbole", "truth": None, "catalog": "catalog"},
        "truth is missing: gini needs a table with user_id, item_id; ",
    ),
    (
        "ips",
        {"recs": None, "truth": None, "logs": "shop.logs", "order_by": "ts"},
        "order_by='ts': no input",
    ),
    ("ndcg@5", {"depth": 0}, "it must be a whole number from 1 to 1000000"),
    ("ndcg@5", {"ties": "shared"}, "ties='shared': choose from best, expected, first, item_asc, "),
    ("err@5", {"ties": "expected"}, "ties='expected' is not supported for err; choose from"),
    ("map(divide_by=hits)@5", {"ties": "expected"}, "with divide_by=hits; change divide_by or "),
    ("p(divide_by=known)@5", {"ties": "expected"}, "with divide_by=known; change divide_by or "),
    ("novelty@5", {"ties": "best", "history": "h"}, "ties='best': novelty does not read the"),
    ("ndcg@5", {"ties": "worst", "convention": "sklearn"}, "ties='worst': ndcg counts items below"),
]
COMPARED = {"recs": {"als": "als", "pop": "pop"}, "truth": "truth"}
REFUSED_TO_COMPARE = [
    (COMPARED, "baseline is missing: name the model to compare with, as in baseline='pop'"),
    (COMPARED | {"baseline": "knn"}, "baseline='knn' is not a model in recs: choose from als, pop"),
    (COMPARED | {"recs": {"pop": "a"}, "baseline": "pop"}, "recs has one model, but a comparison"),
]


def plan(metrics, dialect, **given):
    """Return Python's plan."""
    tables = {name: given.pop(name, None) for name in TABLES}
    return plan_entries(prepare(metrics, arguments=tables, engine=Unconnected(dialect), **given))


def plan_entries(job):
    """Return the entries of a plan, without the types of segments, which no template reads."""
    return asdict(job.plan, dict_factory=lambda pairs: {x: y for x, y in pairs if x != "kind"})


def planned(metrics, dialect, given):
    """Return dbt's plan, without the derived entries."""
    result = package(dialect)
    return result.plan_from_options(metrics, result.read_options(given))


def inner(statement, dialect):
    """Return what Python writes; around it, dbt keeps back values where rows break a rule.

    Python prunes more of a statement than dbt. The formatted statements are compared.
    """
    around = r"\nfrom \(\n(--.*?)\n\) as (evaluated|compared)\b"
    return format_statement(
        prune_statement(re.search(around, statement, re.DOTALL)[1], dialect), dialect
    )


@mark.parametrize("dialect, asks", PLANS)
def test_plans_equal_those_of_python(dialect, asks):
    for metrics, given in asks:
        given = {"recs": "recs", "truth": "truth"} | given
        expected = plan(metrics, dialect, **given)
        assert planned(metrics, dialect, given) == expected, (metrics, given)


@mark.parametrize(
    "given",
    [
        {},
        {"columns": {"relevance": "Stars", "truth.item_id": "sku"}, "by": "land"},
        {"columns": {"truth.relevance": "bought", "model": "algo"}, "order": "score"},
        {"columns": {"group": "relevance", "user_id": ["USER_ID", "item_id"]}, "by": "group"},
        {"columns": {"user_id": "Who.id", "item_id": ["sku", "who.a.b"], "recs.item_id": "who.X"}},
    ],
)
def test_finds_the_columns_that_python_finds(given):
    recs = {"MODEL": "VARCHAR", "user_id": "BIGINT", "item_id": "BIGINT"}
    recs |= {"algo": "VARCHAR", "rank": "BIGINT", "score": "DOUBLE"}
    truth = {"user_id": "BIGINT", "item_id": "BIGINT", "sku": "BIGINT", "land": "VARCHAR"}
    truth |= {"relevance": "BIGINT", "stars": "DOUBLE", "bought": "BOOLEAN"}
    connection = duckdb.connect()
    for name, types in (("recs", recs), ("truth", truth)):
        types["who"] = 'STRUCT(id BIGINT, a STRUCT(b BIGINT), "X" VARCHAR)'
        written = ", ".join(f"cast(null as {kind}) as {x}" for x, kind in types.items())
        connection.execute(f"create table {name} as select {written}")
    relations = {"recs": Relation("recs", **recs), "truth": Relation("truth", **truth)}
    result = package("duckdb").plan("ndcg@5", relations | given)
    tables = dict.fromkeys(TABLES) | {"recs": "recs", "truth": "truth"}
    engine = open_engine(connection)
    expected = plan_entries(prepare("ndcg@5", arguments=tables, engine=engine, **given))
    for name in ("list_keys", "order", "check_order", "graded", "by"):
        assert result[name] == expected[name]
    for ours, theirs in (
        (result["truth"], expected["truth"]),
        (result["recs"][0], expected["recs"][0]),
    ):
        assert ours["columns"] == theirs["columns"]
        assert str(ours["relation"]) == theirs["relation"]


@mark.parametrize(
    ("recs", "given", "message"),
    [
        ({"user_id": "double precision"}, {}, "recs.user_id is DOUBLE: floating-point numbers"),
        ({"item_id": "int4"}, {}, "item_id is BIGINT in recs but VARCHAR in truth: ids must have"),
        ({"day": "timestamp"}, {"user_id": ["user_id", "day"]}, "day is DATE in truth but"),
        ({"day": "float"}, {"user_id": ["user_id", "day"]}, "recs.day is DOUBLE: each part of a"),
        ({}, {"recs.user_id": ["user_id", "day"]}, "user_id is VARCHAR in recs but BIGINT in"),
        ({}, {"truth.user_id": "who.id"}, "columns['truth.user_id']='who.id': truth has user_id"),
    ],
)
def test_refuses_ids_that_python_refuses(recs, given, message):
    types = {"user_id": "Nullable(Int64)", "item_id": "character varying(9)", "day": "date"}
    relations = {
        "recs": Relation("recs", **types | recs, score="float"),
        "truth": Relation("truth", **types),
    }
    with raises(CompilerError) as refused:
        package("postgres").plan("ndcg@5", relations | {"columns": given})
    assert message in str(refused.value)


def test_a_field_has_its_rank_among_the_parts_of_a_key():
    recs = Relation("recs", who="struct", day="date", item_id="text", score="float")
    truth = Relation("truth", user="bigint", day="date", item_id="text")
    columns = {"recs.user_id": ["who.id", "day"], "truth.user_id": ["user", "day"]}
    given = {"recs": recs, "truth": truth, "columns": columns}
    result = package("postgres").plan("ndcg@5", given)
    assert "(who).id" in str(result["recs"][0]["relation"])
    given["truth"] = Relation("truth", user="bigint", day="bigint", item_id="text")
    with raises(CompilerError, match="day is BIGINT in truth but DATE in recs: this part of"):
        package("postgres").plan("ndcg@5", given)


OF_ALL = "catalog_coverage@5 novelty@5"
OF_LISTS = "ndcg(convention=ranx)@5 ndcg(convention=sklearn)@5"


@mark.parametrize(
    ("form", "metrics"),
    [("plain", OF_LISTS), ("audited", OF_ALL), *slow(("plain", OF_ALL), ("audited", OF_LISTS))],
)
def test_a_query_may_have_several_lines(form, metrics):
    connection = duckdb.connect()
    connection.execute("create table shop as select 'ann' as user_id, 'a' as item_id, 1 as score")
    query = "(\nselect * from (\nselect * from {}\n)\n) as lines"
    connection.execute("create view pairs as select user_id, item_id from shop")
    tables = {"recs": "shop"} | dict.fromkeys(("truth", "catalog", "history"), "pairs")
    given = {name: query.format(table) for name, table in tables.items()}
    written = package("duckdb").evaluate(metrics, form=form, **given)
    expected = sqlrec.evaluate(metrics, engine=connection, **tables)
    rank = [column[0] for column in connection.execute(written).description].index("value")
    values = [row[rank] for row in connection.execute(written).fetchall()]
    assert sorted(values) == sorted(expected.to_arrow()["value"].to_pylist())


def test_has_no_value_where_rows_break_a_rule():
    connection = duckdb.connect()
    connection.register(
        "recs",
        lists({"ann": "aa", "bob": "b"}).drop_columns("rank").append_column("score", [[2.0, 1, 1]]),
    )
    connection.register("truth", wanted({"ann": "a", "bob": "b"}))
    ask = partial(package("duckdb").evaluate, "mrr@2", recs="recs", truth="truth")
    (row,) = connection.sql(ask(interval="normal", summaries="p90")).to_arrow_table().to_pylist()
    assert [row[x] for x in ("value", "standard_error", "low", "high", "p90")] == [None] * 5
    assert (row["violations"], row["users"]) == (1, 2)
    with raises(duckdb.ConversionException, match="1 rows break a rule, so no value is valid"):
        connection.sql(ask(on_violation="fail")).fetchall()
    ((table, rule, *_, message),) = connection.sql(ask(form="check")).fetchall()
    assert (table, rule) == ("recs", "recs_twice")
    assert "recs: user ann has item a more than once (repeats: 1): " in message


def test_a_relation_that_is_a_text_is_warned_of():
    WARNINGS.clear()
    subquery = "(select * from recs) as recs"
    package("duckdb").evaluate("mrr@2", recs=subquery, truth="truth", columns=RANKED)
    (warning,) = WARNINGS
    assert warning.startswith("truth='truth' is a string, so dbt has no lineage for it")
    assert warning.endswith("write ref('truth') or source(...)")


@mark.parametrize("step", ["hits", *slow("listed", "relevant")])
def test_a_named_query_can_be_a_model_of_its_own(step):
    connection = duckdb.connect()
    connection.register("recs", lists({"ann": "ab", "bob": "ba"}))
    connection.register("truth", wanted({"ann": "b", "bob": "b"}))
    ask = partial(package("duckdb").evaluate, "ndcg@2 hit_rate@1", recs="recs", truth="truth")
    ask = partial(ask, columns=RANKED)
    connection.execute(f"create table a_model as {ask(step=step)}")
    statement = ask(steps={step: "a_model"})
    assert len(statement) < len(ask())
    assert connection.sql(statement).fetchall() == connection.sql(ask()).fetchall()
    with raises(CompilerError, match="step='hitz': did you mean 'hits'"):
        ask(step="hitz")


class TestEveryDialect:
    @mark.slow
    @mark.parametrize("dialect, asks", TEXTS)
    def test_statements_equal_those_of_python(self, dialect, asks):
        for metrics, given in asks:
            given = {"recs": "recs", "truth": "truth"} | given
            expected = sqlrec.sql(metrics, dialect=dialect, form="audited", **given)
            assert inner(package(dialect).evaluate(metrics, **given), dialect) == format_statement(
                expected, dialect
            ), (metrics, given)

    @mark.slow
    @mark.parametrize("dialect", COMMON)
    def test_writes_per_user_values_that_python_writes(self, dialect):
        # Per-user values have no weights.
        for metrics, given in [one for one in ASKS if "weights" not in one[1]][1::3]:
            given = {"recs": "recs", "truth": "truth"} | given
            expected = sqlrec.sql(metrics, dialect=dialect, per_user=True, form="audited", **given)
            assert inner(package(dialect).per_user(metrics, **given), dialect) == format_statement(
                expected, dialect
            ), (metrics, given)

    @mark.parametrize("dialect, asks", TEXTS)
    def test_writes_the_plain_form_that_python_writes(self, dialect, asks):
        for metrics, given in asks:
            given = {"recs": "recs", "truth": "truth"} | given
            expected = sqlrec.sql(metrics, dialect=dialect, **given)
            written = package(dialect).evaluate(metrics, form="plain", **given)
            assert (
                format_statement(tidy_white_space(prune_statement(written, dialect)), dialect)
                == expected
            )

    @mark.parametrize("dialect", WRITTEN)
    def test_statements_of_all_users_together_equal_those_of_python(self, dialect):
        for metrics, given in ASKS_OF_ALL:
            expected = sqlrec.sql(metrics, dialect=dialect, form="audited", **given)
            assert inner(package(dialect).evaluate(metrics, **given), dialect) == format_statement(
                expected, dialect
            ), (metrics, given)
            for per_user in (
                package(dialect).per_user,
                partial(sqlrec.sql, dialect=dialect, per_user=True),
            ):
                with raises((CompilerError, sqlrec.InputError), match="no per-user values"):
                    per_user(metrics, **given)

    @mark.parametrize("dialect", DIALECTS)
    @mark.parametrize("name", ['a"b', "a\\b", "größe ${x}", *slow(*NAMES)])
    def test_names_and_texts_are_quoted_as_in_python(self, dialect, name):
        given = {"truth": "truth", "recs": {name: "recs"}, "columns": {"user_id": name}}
        for one in ({"recs": {name: "recs"}}, {"columns": {"user_id": name}}, {"by": name}):
            given = {"recs": "recs", "truth": "truth"} | one
            try:
                expected = plan("ndcg@5", dialect, **given)
            except sqlrec.InputError:
                with raises(CompilerError, match="rename it"):
                    package(dialect).plan("ndcg@5", given)
            else:
                assert planned("ndcg@5", dialect, given) == expected


@mark.parametrize("metrics, given, message", REFUSED)
def test_refusals_have_the_messages_of_python(metrics, given, message):
    given = {"recs": "recs", "truth": "truth"} | given
    with raises(CompilerError, match=re.escape(message)):
        package("duckdb").evaluate(metrics, **given)
    with raises(sqlrec.SqlrecError, match=re.escape(message.partition("known")[0])):
        sqlrec.sql(metrics, dialect="duckdb", **given)


@mark.slow
def test_knows_the_nearest_name_as_python_does():
    metrics = sqlrec.metrics().values()
    known = [name for metric in metrics for name in (metric.name, *metric.aliases)]
    random = Random(1)
    for name in known:
        letters = list(name)
        letters.insert(random.randrange(len(letters)), letters.pop(random.randrange(len(letters))))
        written = "".join(letters)[random.randrange(2) :] + random.choice(["", "s", "Y"])
        for names_ in (known[:40], ["Pop", "als", "pop"]):
            expected = suggest_name(written, names_)
            assert package("duckdb").nearest(written, names_) == expected, written


def test_refuses_an_order_of_rows_where_rows_have_none():
    for refused in (package("postgres").evaluate, partial(sqlrec.sql, dialect="postgres")):
        with raises((CompilerError, sqlrec.InputError), match="rows in postgres have no order; "):
            refused("ndcg@5", recs="recs", truth="truth", ties="first")


@mark.parametrize("dialect", [*COMMON, *slow(*(x for x in OTHERS if x not in COMMON))])
@mark.parametrize("metrics", ["ndcg@10 map@5", "map@5 map(convention=ranx)@5"])
def test_compares_as_python_does(dialect, metrics):
    tables = dict.fromkeys(TABLES) | COMPARED
    job = prepare(metrics, arguments=tables, by="country", engine=Unconnected(dialect))
    expected = job.render("comparison", baseline_model=text("pop", dialect))
    result = package(dialect).compare(metrics, baseline="pop", **COMPARED, by="country")
    assert inner(result, dialect) == format_statement(expected, dialect)


def test_has_the_p_values_and_intervals_of_the_normal_test_of_python():
    random = Random(3)
    connection = duckdb.connect()
    rows = [
        (model, user, 1, random.random() + chance * (user < 30))
        for model, chance in (("pop", 0), ("als", 0.4), ("knn", 0.1), ("as pop", 0), ("best", 5))
        for user in range(40)
    ]
    same = {user: score for model, user, _, score in rows if model == "pop"}
    rows = [(m, u, i, same[u] if m == "as pop" else score) for m, u, i, score in rows]
    names = ["model", "user_id", "item_id", "score"]
    connection.register("recs", pa.table(dict(zip(names, zip(*rows, strict=True), strict=True))))
    truth = {"user_id": range(40), "item_id": [1] * 40, "relevance": [0.5] * 40}
    connection.register("truth", pa.table(truth))
    ask = partial(package("duckdb").compare, "rmse mae", recs="recs", truth="truth")
    given = {"baseline": "pop", "columns": {"model": "model", "relevance": "relevance"}}
    levels = {"holm": 0.95, "bonferroni": 0.8, "bh": 0.5, "none": 0.95}
    for correction, level in levels.items():
        options = {"correction": correction, "level": level}
        result = connection.sql(ask(**given, **options)).to_arrow_table().to_pylist()
        options |= {"baseline": "pop", "test": "normal", "interval": "normal"}
        python = sqlrec.compare(
            "rmse mae", recs="recs", truth="truth", engine=connection, **options
        )
        python = {(row["model"], row["metric"]): row for row in python.to_arrow().to_pylist()}
        python = [python[row["model"], row["metric"]] for row in result]
        p = [row["p"] for row in python]
        assert (
            len(p) == 8
            and p.count(None) == 2
            and min(filter(None, p)) < 1e-4 < 0.01 < max(filter(None, p))
        )
        assert [row["p"] for row in result] == [x and approx(x, rel=1e-7) for x in p]
        adjusted = [row["p_adjusted"] for row in python]
        assert [row["p_adjusted"] for row in result] == [
            x and approx(x, rel=1e-7) for x in adjusted
        ]
        for name in ("low", "high"):
            limits = [x if x is None else approx(x, abs=1e-12) for x in (r[name] for r in python)]
            assert [row[name] for row in result] == limits


@mark.parametrize("baseline, models", [("pip", ["als", "pop"]), ("pop", ["als"])])
def test_a_comparison_has_faults_where_models_share_no_user_with_the_baseline(baseline, models):
    connection = duckdb.connect()
    truth, users = wanted({"ann": "a", "bob": "a"}), {"als": lists({"ann": "a"})}
    shown = (users | {"pop": lists({"bob": "a"})}).items()
    recs = pa.concat_tables(t.append_column("model", pa.array([name])) for name, t in shown)
    connection.register("recs", recs.append_column("score", pa.array([1.0, 1.0])))
    connection.register("truth", truth.append_column("land", pa.array(["x", "y"])))
    given = {"recs": "recs", "truth": "truth", "by": "land", "population": "truth_and_recs"}
    given |= {"columns": {"model": "model"}, "baseline": baseline}
    result = connection.sql(package("duckdb").compare("mrr@1", **given)).to_arrow_table()
    rows = [
        (row["model"], row["metric"], row["users"], row["violations"]) for row in result.to_pylist()
    ]
    assert rows == [(model, None, 0, 1) for model in models]


@mark.parametrize("name", ["difference", "Low", "better", "wins", "size_rank"])
def test_segments_named_like_a_column_are_refused(name):
    message = f"by='{name}': the result already has a column '{name}'; rename the column"
    with raises(CompilerError, match=message):
        package("duckdb").compare("ndcg@10", baseline="pop", **COMPARED, by=name)
    recs, users = lists({"ann": "a"}), pa.table({"user_id": ["ann"], name: ["x"]})
    models = {"als": recs, "pop": recs}
    with raises(sqlrec.InputError, match=message):
        sqlrec.compare("ndcg@10", recs=models, truth=recs, users=users, by=name, baseline="pop")


@mark.parametrize("given, message", REFUSED_TO_COMPARE)
def test_invalid_comparisons_are_refused(given, message):
    with raises(CompilerError, match=re.escape(message)):
        package("duckdb").compare("ndcg@10", **given)


@fixture(scope="module")
def trees():
    return [Environment(extensions=EXTENSIONS).parse(text) for text in texts()]


class TestTheTemplates:
    def test_give_each_message_the_values_that_it_tells(self, update, trees):
        messages = {x: {y.partition("!")[0] for y in z[1::2]} for x, z in update.refusals().items()}
        unused = {*messages}
        for call in (call for tree in trees for call in tree.find_all(nodes.Call)):
            name = getattr(call.node, "attr", "")
            constants = [x.value for x in call.args if isinstance(x, nodes.Const)]
            if name in ("require", "raise_error", "check_known", "message_text") and constants:
                given = {one.key for one in call.kwargs} | {"nearest"}
                unused -= {constants[0]}
                assert (
                    call.dyn_kwargs or name == "message_text" or messages[constants[0]] <= given
                ), constants
        assert not unused

    def test_compare_two_values_at_a_time_which_is_all_that_dbt_2_can(self, trees):
        assert not [
            one for tree in trees for one in tree.find_all(nodes.Compare) if len(one.ops) > 1
        ]


def test_refuses_an_option_that_there_is_not():
    with raises(CompilerError, match=r"unknown option 'tie': did you mean 'ties'\?"):
        package("duckdb").evaluate("ndcg@10", recs="recs", truth="truth", tie="item_asc")


def test_generated_files_are_up_to_date(update):
    for path, expected in update.package_files().items():
        assert path.read_text(encoding="utf-8") == expected, "run python docs/update.py"


class TestThePage:
    PAGE = (ROOT / "docs" / "dbt.md").read_text(encoding="utf-8")

    def test_names_every_test_of_data_with_its_arguments(self):
        for path in (ROOT / "sql" / "dbt" / "data_tests").iterdir():
            signature = re.search(
                r"{% test (\w+)\(model, (.*)\) %}", path.read_text(encoding="utf-8")
            )
            assert signature[1] == path.stem
            (row,) = (line for line in self.PAGE.splitlines() if f"| `sqlrec.{path.stem}`" in line)
            for name in re.findall(r"(\w+)(?:=[^,]+)?(?:, |$)", signature[2]):
                assert f"`{name}`" in row

    @mark.parametrize("macro", ["evaluate", "per_user", "compare"])
    def test_names_every_column(self, macro):
        recs = pa.table(
            {"model": ["a", "b"], "user_id": [1, 1], "item_id": [1, 2], "score": [1.0, 1]}
        )
        given = {"columns": {"model": "model"}} | ({"baseline": "b"} if macro == "compare" else {})
        connection = duckdb.connect()
        connection.register("recs", recs)
        connection.register("truth", recs.slice(0, 1).select(["user_id", "item_id"]))
        statement = getattr(package("duckdb"), macro)("mrr@1", recs="recs", truth="truth", **given)
        (row,) = (line for line in self.PAGE.splitlines() if f"| `sqlrec.{macro}(" in line)
        messages = re.findall("`(\\w+)`", row.rpartition(" | `model`")[2])
        result = [
            x for x in connection.sql(statement).columns[1:] if x not in ("population", *ACCOUNTS)
        ]
        assert result == messages
        described = (ROOT / "sql" / "columns.md").read_text(encoding="utf-8")
        for name in connection.sql(statement).columns:
            assert f"docs sqlrec_column_{name} %" in described

    def test_names_every_option(self):
        with raises(CompilerError) as refused:
            package("duckdb").evaluate("ndcg@10", nothing=1)
        options = str(refused.value).partition("choose from ")[2].split(", ")
        assert len(options) == 32
        for option in options:
            assert f"`{option}`" in self.PAGE


def test_dbt_path_is_the_folder_of_a_dbt_project(capsys):
    assert cli.main(["dbt-path"]) == 0
    assert (Path(capsys.readouterr().out.strip()) / "dbt_project.yml").is_file()


def test_a_data_test_follows_the_direction_of_the_metric():
    macros = package("duckdb")
    assert macros.improvement(macros.parse_single_metric("ndcg@10")) == "latest - previous"
    assert macros.improvement(macros.parse_single_metric("rmse")) == "previous - latest"
    with raises(CompilerError, match="surprisal@5: its direction is neither"):
        macros.improvement(macros.parse_single_metric("surprisal@5"))


def test_a_data_test_has_one_metric():
    assert package("duckdb").parse_single_metric("recall@2")["label"] == "recall"
    with raises(CompilerError, match="a test has one metric; write a test for each"):
        package("duckdb").parse_single_metric("recall@2 recall@1")


@mark.parametrize("given", ["1 or 1=1", "0.5", True, None, float("nan"), float("inf"), -0.5])
def test_a_data_test_accepts_only_numbers(given):
    tests = package("duckdb")
    assert "< 10" in tests.test_full_lists("lists", 10)
    with raises(
        CompilerError, match=re.escape(f"k='{given}': it must be a whole number of at least 1")
    ):
        tests.test_full_lists("lists", given)
    if given != -0.5:
        with raises(CompilerError, match=re.escape(f"at_least='{given}': it must be a number")):
            tests.test_metric_at_least("found", "ndcg@10", given)
    assert "-0.5e0" in tests.test_metric_at_least("found", "ndcg@10", -0.5)
