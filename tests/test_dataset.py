"""Datasets: opened once, with the values of the functions, and with a cache."""

from functools import partial
from inspect import isfunction, signature

import pyarrow as pa
from pytest import fixture, mark, raises

import sqlrec
from sqlrec.run import job

from .dialects import slow
from .tables import lists, random_inputs, wanted

METRICS = "ndcg@3 hit_rate@3 recall@5 inter_list_diversity@3"


@fixture(scope="module")
def inputs():
    others = random_inputs(1)
    recs = {name: random_inputs(seed)["recs"] for seed, name in enumerate(("als", "bpr", "pop"))}
    return {"recs": recs, "truth": others["truth"], "history": others["history"]}


def alike(actual, expected):
    """Check that two tables have equal rows, up to the last digits of sums."""
    order = ("model", "baseline", "user_id", "request")
    pairs = []
    for table in (actual, expected):
        rows = table.to_arrow().to_pylist()
        pairs.append(sorted(rows, key=lambda row: [str(row.get(name)) for name in order]))
    for ours, theirs in zip(*pairs, strict=True):
        assert ours.keys() == theirs.keys()
        for name, value in ours.items():
            is_close = isinstance(value, float) and abs(value - theirs[name]) < 1e-12
            assert is_close or value == theirs[name], (name, value, theirs[name])


@mark.parametrize(
    "rules, compared",
    [
        ("recbole", []),
        (sqlrec.Rules(population="all", undefined=0), [{"baseline": "pop"}]),
        *slow(("sqlrec", [{"baseline": "pop"}, {"test": "permutation"}, {"correction": "tukey"}])),
    ],
)
def test_methods_and_functions_return_equal_tables(inputs, rules, compared):
    data, metrics = sqlrec.Dataset(**inputs), "ndcg@3 hit_rate@3"
    actual = data.evaluate(metrics, rules=rules)
    expected = sqlrec.evaluate(metrics, **inputs, rules=rules)
    alike(actual, expected)
    alike(actual.user_counts, expected.user_counts)
    alike(actual.per_user(), expected.per_user())
    assert actual.sql == expected.sql
    for options in compared:
        actual = data.compare(metrics, **options, rules=rules)
        expected = sqlrec.compare(metrics, **inputs, **options, rules=rules)
        alike(actual, expected)
        assert actual.sql == expected.sql


def test_values_are_computed_once(inputs):
    data = sqlrec.Dataset(**inputs)
    first = data.evaluate(METRICS)
    read, engine = [], data.tables.engine
    run = engine.rows
    engine.rows = lambda sql: read.append(sql) or run(sql)
    alike(data.evaluate(METRICS), first)
    data.evaluate("ndcg@3", interval=None)
    data.compare("ndcg@3 hit_rate@3", baseline="pop")
    statements = [sql for sql in read if "row_number()" in sql]
    assert statements == []
    data.evaluate("ndcg@3", rules=sqlrec.Rules(population="all"))
    data.evaluate("ndcg@4")
    assert len(data.tables.values) == 3


def test_inputs_are_described_once(inputs):
    data = sqlrec.Dataset(**inputs)
    read, engine = [], data.tables.engine
    run = engine.rows
    engine.rows = lambda sql: read.append(sql) or run(sql)
    data.evaluate("ndcg@3")
    data.compare("ndcg@3 recall@5", baseline="pop")
    described = [sql for sql in read if sql.startswith(("describe", "select distinct"))]
    assert described and len({*described}) == len(described)


def test_the_statement_is_rendered_when_it_is_read(inputs, monkeypatch):
    macros, run = [], job.render

    def render(macro, *plan, **arguments):
        macros.append(macro)
        return run(macro, *plan, **arguments)

    monkeypatch.setattr(job, "render", render)
    data = sqlrec.Dataset(**inputs)
    first = data.evaluate("ndcg@3")
    tables = [first, first.sort("value"), data.power("ndcg@3"), data.check("ndcg@3 >= 0")]
    tables.append(data.check("ndcg@3 >= 0").failures())
    assert "stored_values" in macros and "evaluation" not in macros
    expected = {sqlrec.evaluate("ndcg@3", **inputs, interval=x).sql for x in ("auto", None)}
    assert {table.sql for table in tables} == expected


def test_functions_store_no_values(inputs):
    result = sqlrec.evaluate("ndcg@3", **inputs)
    assert "sqlrec_values" not in result.sql
    assert sqlrec.Dataset(**inputs).tables.single_use().values is None


def test_the_text_describes_the_inputs():
    recs = {"als": lists({"ann": "ab", "bob": "ca", "eve": "c"}), "pop": lists({"ann": "a"})}
    truth = wanted({"ann": "b", "bob": "q", "dan": "c"}).append_column("day", pa.array([1, 2, 3]))
    history = wanted({"ann": "bz"})
    assert repr(sqlrec.Dataset(recs, truth, history=history)).splitlines() == [
        "Dataset of recs, truth, history in duckdb",
        "lists     2 models, 3 users, 3 items, 6 rows",
        "truth     3 users, 3 items, 3 rows",
        "matched   66.67% of users of truth have a list of any model, 66.67% of its items are in "
        "lists",
        "no list   users without a list, counted as 0 by most metrics: als 1; pop 2",
        "no truth  up to 1 user with recommendations but no relevant item, not in the mean",
        "repeats   0 rows of recs, 0 rows of truth",
        "leaks     history has 1 pair of recs, 1 pair of truth",
        "not read  truth.day",
    ]
    shown = repr(sqlrec.Dataset(recs["als"], truth)).splitlines()
    assert "no list   1 user without a list, counted as 0 by most metrics" in shown
    note = "no truth  1 user with recommendations but no relevant item, not in the mean"
    assert note in shown
    # A user whose items have grade 0 has no relevant item.
    graded = truth.append_column("relevance", pa.array([0.0, 1.0, 0.0]))
    shown = repr(sqlrec.Dataset(recs["als"], graded)).splitlines()
    assert "no list   no user" in shown and note.replace("1 user", "2 users") in shown
    empty = pa.table({"user_id": ["ann"], "item_id": pa.array([[]], pa.list_(pa.string()))})
    shown = repr(sqlrec.Dataset(empty, truth)).splitlines()
    assert "no list   3 users without a list, counted as 0 by most metrics" in shown
    shown = repr(sqlrec.Dataset({"als": recs["als"], "none": empty}, truth)).splitlines()
    assert "no list   users without a list, counted as 0 by most metrics: als 1; none 3" in shown


def test_the_repr_names_unreadable_inputs():
    shown = repr(sqlrec.Dataset("no.parquet", wanted({"ann": "b"})))
    assert "error     recs='no.parquet': the file does not exist" in shown


def test_functions_take_fields_of_objects(inputs):
    tied = sqlrec.Rules("ranx", ties="expected")
    results = [
        sqlrec.evaluate("ndcg@3", **inputs, rules=tied, interval=sqlrec.Interval("t", level=0.9)),
        sqlrec.evaluate("ndcg@3", **inputs, rules="ranx", ties="expected", interval="t", level=0.9),
    ]
    assert results[0].to_arrow() == results[1].to_arrow()
    with raises(TypeError, match=r"ties= and rules=Rules\(.*\): give ties in Rules"):
        sqlrec.evaluate("ndcg@3", **inputs, rules=tied, ties="expected")
    with raises(TypeError, match="unknown argument 'histori': did you mean 'history'"):
        sqlrec.evaluate("ndcg@3", **inputs, histori=1)
    with raises(TypeError, match="unknown argument 'thruth': did you mean 'truth'"):
        sqlrec.evaluate("ndcg@3", **inputs, thruth=1)
    with raises(TypeError, match="unknown argument 'groupings': did you mean 'each'"):
        sqlrec.compare("mrr@1", **inputs, groupings="each")
    with raises(TypeError, match="unknown argument 'tie': did you mean 'ties'"):
        sqlrec.evaluate("ndcg@3", **inputs, tie="expected")


@mark.parametrize(
    ("name", "fix"),
    [
        ("groupings", r"give by=Segments\(each=...\)"),
        ("replicates", r"give interval=Interval\(replicates=...\)"),
        ("qrels", r"give Dataset\(truth=...\)"),
        ("users", r"give Dataset\(users=...\)"),
        ("base_line", "did you mean 'baseline'"),
    ],
)
def test_methods_suggest_arguments_and_their_objects(inputs, name, fix):
    with raises(TypeError, match=f"unknown argument '{name}': {fix}"):
        sqlrec.Dataset(**inputs).compare("mrr@1", **{name: 1})


def test_an_argument_of_another_method_is_not_taken_for_a_mistyped_one(inputs):
    message = "unknown argument 'test': it is an argument of compare"
    for evaluate in (sqlrec.Dataset(**inputs).evaluate, partial(sqlrec.evaluate, **inputs)):
        with raises(TypeError, match=message):
            evaluate("ndcg@3", test="t")


def test_methods_of_answers_suggest_arguments():
    for method, argument, near in (
        (sqlrec.Result.to_markdown, "lables", "labels"),
        (sqlrec.Result.gaps, "levl", "level"),
        (sqlrec.Comparison.ranks, "levl", "level"),
        (sqlrec.Check.to_junit, "pat", "path"),
        (sqlrec.Explanation.to_latex, "captions", "caption"),
        (sqlrec.Plot.save, "pth", "path"),
        (sqlrec.Report.save, "pth", "path"),
    ):
        with raises(TypeError, match=f"unknown argument '.*': did you mean '{near}'"):
            method(None, **{argument: 1})


@mark.parametrize("name", [x for x in sqlrec.__all__ if isfunction(getattr(sqlrec, x))])
def test_unknown_arguments_are_refused_by_name(name):
    with raises(TypeError, match="no_option"):
        getattr(sqlrec, name)(no_option=1)


@mark.parametrize("make", [sqlrec.Rules, sqlrec.Interval, sqlrec.Segments, sqlrec.Dataset])
def test_constructors_suggest_arguments(make):
    *_, last = signature(make).parameters
    with raises(TypeError, match=f"unknown argument '{last}s': did you mean '{last}'"):
        make(**{f"{last}s": 1})


@mark.parametrize(
    ("make", "message"),
    [
        (lambda: sqlrec.Rules(ties="frist"), "ties='frist': did you mean 'first'?"),
        (lambda: sqlrec.Rules(order_by=""), "order_by='': name a column"),
        (lambda: sqlrec.Interval("t", level=2), "level=2: it must be above 0 and below 1"),
        (lambda: sqlrec.Interval("tt"), "interval='tt'"),
        (lambda: sqlrec.Segments(5), "by=5"),
        (lambda: sqlrec.Segments("a", each="yes"), "each='yes': it must be True or False"),
    ],
)
def test_invalid_options_are_refused_by_objects(make, message):
    with raises(sqlrec.InputError, match=message.replace("?", r"\?")):
        make()


@fixture(scope="module")
def result():
    recs = {"als": lists({"ann": "ab", "bob": "ca"}), "pop": lists({"ann": "ba", "bob": "ca"})}
    return sqlrec.evaluate("mrr@2 hit_rate@1", recs, wanted({"ann": "b", "bob": "c"}))


class TestResults:
    def test_rows_have_keys(self, result):
        assert result["als", "mrr@2"].value == 0.75
        assert [row["request"] for row in result["pop"]] == ["mrr@2", "hit_rate@1"]
        assert [row.model for row in result] == ["als", "als", "pop", "pop"]
        assert len(result) == 4
        with raises(sqlrec.InputError, match="no row has model='asl': did you mean 'als'"):
            result["asl"]
        with raises(sqlrec.InputError, match="is not the key of one row"):
            result["als",]

    def test_best_returns_a_model_or_refuses(self, result):
        assert [(row.model, row.request) for row in result.best()] == [
            ("pop", "mrr@2"),
            ("pop", "hit_rate@1"),
        ]

    def test_pivot_has_a_column_for_each_metric(self, result):
        assert result.pivot().to_arrow().to_pylist() == [
            {"model": "als", "mrr@2": 0.75, "hit_rate@1": 0.5},
            {"model": "pop", "mrr@2": 1.0, "hit_rate@1": 1.0},
        ]

    def test_sort_orders_by_value(self, result):
        assert [row.value for row in result.sort()] == [1.0, 1.0, 0.75, 0.5]
        assert [row.model for row in result.sort("model")][:2] == ["pop", "pop"]
        with raises(sqlrec.InputError, match="by='valu': did you mean 'value'"):
            result.sort("valu")


class TestErrors:
    """The attributes of errors."""

    def test_errors_have_the_option(self):
        with raises(sqlrec.OptionError) as error:
            sqlrec.Rules(ties="frist")
        assert error.value.option == "ties"
        assert isinstance(error.value, sqlrec.InputError)

    def test_errors_have_the_row(self):
        twice = lists({"ann": "aa"})
        with raises(sqlrec.DataError) as error:
            sqlrec.evaluate("ndcg@3", twice, wanted({"ann": "a"}))
        assert (error.value.input, error.value.option) == ("recs", None)
        assert error.value.row["user_id"] == "ann"
        assert error.value.row["item_id"] == "a"
