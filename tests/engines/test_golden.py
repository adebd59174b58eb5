"""Golden values on every engine, one statement for each kind of rows."""

import json
from itertools import combinations

import pyarrow as pa
from pytest import approx, fixture, mark

import sqlrec
from sqlrec.catalogue.requests import parse_metrics

from ..golden import values
from .conftest import QUICK_ENGINES, Spark, on

# Not all libraries use the order of rows.
pytestmark = mark.filterwarnings("ignore:order_by='row'")


def numbered(table):
    """Add a column with the order of the rows."""
    return table.append_column("row", pa.array(range(table.num_rows)))


TABLES = {
    "recs": numbered(values.table("recs", "rank")),
    "truth": numbered(values.table("truth")),
    "baseline": numbered(values.table("baseline", "rank")),
    "logs": values.table("logs", "target_probability"),
    **{name: values.table(name) for name in ("history", "catalog", "items", "users")},
}
NAMES = {name: f"golden_{name}" for name in TABLES if name not in ("logs", "users")}
ONE = NAMES | {"recs": "recs"}
LOGGED = ONE | {"logs": "golden_logs"}


@fixture(scope="module", params=[*map(on, QUICK_ENGINES), on("spark")])
def database(request):
    return request.getfixturevalue(request.param)


@fixture(scope="module")
def loaded(database):
    """The engine, with the tables."""
    for name, table in TABLES.items():
        database.load(f"golden_{name}", table)
    return database


@fixture
def one_model(loaded):
    """The engine, also with the lists of one model, under the name of an unnamed model."""
    loaded.load("recs", values.als())
    return loaded


@fixture(scope="module")
def held():
    return json.loads(values.VALUES.read_text(encoding="utf-8"))


def check(result, held, number):
    """Compare each row of a table with the golden row of the same keys."""
    rows = dict(values.rows(result))
    assert len(rows) == number
    for names, numbers in rows.items():
        assert numbers == approx(held[names], rel=values.EXACT, abs=values.EXACT), names


def number_of(metrics, held):
    """Return the number of golden rows of some metrics."""
    names = tuple(f" {name} {k or None}" for name, _, k in (one.partition("@") for one in metrics))
    return sum(row.endswith(names) for row in held)


def in_parts(metrics, number):
    """Return metrics in parts of one or a few kinds of rows."""
    metrics = sorted(metrics, key=lambda one: parse_metrics(one)[0].metric.rows)
    size = -(-len(metrics) // number)
    return [metrics[start : start + size] for start in range(0, len(metrics), size)]


def half(metrics):
    """Return the first, third, ... metric of each kind of rows."""
    kinds = {}
    for one in metrics:
        kinds.setdefault(parse_metrics(one)[0].metric.rows, []).append(one)
    return [one for metrics in kinds.values() for one in metrics[::2]]


def some(database, metrics):
    """Return metrics; for Spark, which plans large statements for minutes, only some of them."""
    return metrics[::8] if isinstance(database, Spark) else metrics


PARTS = 8
EVERY_FORM = in_parts(values.asked("@5", every=True), PARTS)
DEFAULTS = in_parts(half(values.asked("@5")), PARTS)


def has_golden_forms(database, held, metrics):
    result = sqlrec.evaluate(metrics, **NAMES, interval=None, engine=database.engine)
    check(result, held["every form"], 2 * len(metrics))


@mark.parametrize("part", range(PARTS))
def test_every_form_has_its_golden_value(loaded, held, part):
    # Spark has the others weekly.
    forms = DEFAULTS if isinstance(loaded, Spark) else EVERY_FORM
    has_golden_forms(loaded, held, forms[part])


@mark.weekly
@mark.parametrize("database", [on("spark")], indirect=True)
@mark.parametrize("part", range(PARTS))
def test_every_form_has_its_golden_value_on_spark(loaded, held, part):
    for metrics in in_parts(EVERY_FORM[part], 3):
        has_golden_forms(loaded, held, metrics)
    has_golden_conventions(loaded, held, CONVENTIONS[part::PARTS])


def test_metrics_of_logs_have_golden_values(one_model, held):
    metrics = values.asked("@2", logged=True)
    result = sqlrec.evaluate(metrics, **LOGGED, interval=None, engine=one_model.engine)
    check(result, held["logs @2"], len(metrics))


def test_per_user_values_average_to_golden_values(one_model, held):
    metrics = some(one_model, values.asked("@5"))
    result = sqlrec.evaluate(metrics, **ONE, interval=None, engine=one_model.engine)
    check(result.per_user(), held["users"], number_of(metrics, held["users"]))


def test_segments_have_golden_values(loaded, held):
    by = {"users": "golden_users", "by": ["country", "age"]}
    metrics = values.asked("@5")[1::7]
    result = sqlrec.evaluate(metrics, **NAMES, **by, interval=None, engine=loaded.engine)
    check(result, held["segments"], number_of(metrics, held["segments"]))
    for row in dict(values.rows(result.user_counts)).items():
        assert row in held["segments, user_counts"].items()


def test_plain_statements_have_golden_values(one_model, held):
    every = held["every form"] | held["logs @2"]
    for metrics, names, model in (
        (values.asked("@5"), ONE, "als"),
        (values.asked("@2", logged=True), LOGGED, "recs"),
    ):
        metrics = some(one_model, metrics)
        # ClickHouse has a limit of how large a statement is; Spark has some metrics only.
        count = 1 if isinstance(one_model, Spark) else 6
        parts = [metrics[start::count] for start in range(count)]
        statements = [sqlrec.sql(part, **names, engine=one_model.engine) for part in parts]
        rows = [row for statement in statements for row in one_model.paste(statement)]
        assert len(rows) == len(metrics)
        for row in rows:
            value, _ = every[f"{model} {row['metric']} {row['k']}"]
            assert row["value"] == approx(value, rel=values.EXACT, abs=values.EXACT), row


def pairwise():
    """Some metrics of each library.

    Together they combine every rule with each kind of rows, and all pairs of compatible rules.
    """
    met = {}
    for metrics in values.of_libraries().values():
        for metric in metrics:
            (one,) = parse_metrics(metric)
            rules = sorted((rule, str(value)) for rule, value in one.rules.items())
            on_rows = ((one.metric.rows, rule) for rule in rules)
            met[metric] = {one.metric.rows, *on_rows, *combinations(rules, 2)}
    left, result = set().union(*met.values()), []
    while left:
        result.append(max(met, key=lambda one: len(met[one] & left)))
        left -= met[result[-1]]
    return result


CONVENTIONS = pairwise()


def has_golden_conventions(database, held, metrics):
    inputs = {**NAMES, "order_by": "row", "interval": None, "engine": database.engine}
    check(sqlrec.evaluate(metrics, **inputs), held["conventions"], 2 * len(metrics))


@mark.parametrize("part", range(5))
def test_conventions_have_golden_values(loaded, held, part):
    has_golden_conventions(loaded, held, some(loaded, CONVENTIONS[part::5]))
