"""Each value of a rule is a query with declared properties and the columns of the other values."""

import re
from dataclasses import replace

import pyarrow as pa
from pytest import fixture, mark, raises

import sqlrec
from sqlrec import rules
from sqlrec.analyses.forms import describe_switch
from sqlrec.engines.duckdb import DuckDB
from sqlrec.options import RULES
from sqlrec.paths import sql_folder
from sqlrec.rendering.queries import Query
from sqlrec.rendering.templates import _load_macros, with_derived
from sqlrec.rendering.tokens import named_queries, parse_tree
from sqlrec.rules import OPTIONS, PROPERTIES, QUERIES, VALUES
from sqlrec.run import job

from ..tables import evaluate, prepare, rows

KEYS = {"user_id": ["ann", "ann", "ann", "bob"], "item_id": ["a", "b", "a", "a"]}
SCORES = {"score": [3.0, 2.0, 1.0, 1.0]}
TRUTH = {"user_id": ["ann", "bob"], "item_id": ["b", "a"], "relevance": [1.0, 2.0]}
HISTORY = {"user_id": ["ann"], "item_id": ["z"]}
TABLES = {name: pa.table(x) for name, x in (("truth", TRUTH), ("history", HISTORY))}


def test_values_of_a_rule_have_the_same_query_and_columns():
    plan_of_all = prepare(
        "ndcg@3 recall@3",
        arguments=TABLES | {"recs": pa.table(KEYS | SCORES)},
        engine=DuckDB(),
        seen="drop",
    ).plan
    with_queries = set()
    for rule, values in QUERIES.items():
        for changes in ({}, {"audit": False}, {"order": "rank"}):
            plan = replace(plan_of_all, **changes)
            # Without items below lists, nothing is added.
            queries = {one: last_query(plan, rule, one) for one in values if one != "absent"}
            assert len({*queries.values()}) == 1, queries
            with_queries |= {rule} if any(queries.values()) else set()
    # The values of `ties` are sort orders.
    assert with_queries == {*QUERIES} - {"ties"}


def last_query(plan, rule, value):
    """Return the name of the last query of a value, and its columns; None without a query."""
    plan = with_derived(vars(replace(plan, **{rule: value})), "duckdb")
    of_plan = rule in ("population", "ties", "truth_duplicates", "missing_items")
    lists = [] if of_plan else [plan["recs_lists"]]
    text = getattr(_load_macros("duckdb"), f"{rule}__{value}")(plan, *lists).strip().rstrip(",")
    if " as (" not in text:
        return None
    query = Query.read(named_queries(parse_tree(f"with {text} select 1", "duckdb"))[0][-1])
    return query.name, tuple(sorted(one.name for one in query.selects[0].entries))


@mark.parametrize("rule", [one.name for one in RULES if one.choices])
def test_rows_that_a_value_leaves_out_are_counted(rule):
    for choice in OPTIONS[rule].choices:
        value = int(choice) if choice in ("0", "1") else choice
        options = {"duplicates": "best", rule: value}
        column = {"rank": [1, 2, 3, 1]} if value == "rank" else SCORES
        recs = pa.table(KEYS | column)
        history = {"history": TABLES["history"]} if value == "drop" else {}
        given = {"recs": recs, "truth": TABLES["truth"], **history}
        if options["duplicates"] == "error":
            with raises(sqlrec.DataError, match="item a more than once"):
                evaluate("ndcg@3", **given, **options)
        else:
            counts = evaluate("ndcg@3", **given, **options).user_counts
            assert rows(counts, "repeated_rows") == [(1,)], options


RANKS = {"rank": [1, 2, 3, 1]}
UNGRADED = {"user_id": ["ann", "ann"], "item_id": ["a", "a"], "relevance": [1.0, None]}
REMOVING = [
    value
    for value in OPTIONS["duplicates"].choices
    if "removes_repeats" in VALUES["duplicates"][value]
]


@mark.parametrize("value", REMOVING)
@mark.parametrize(
    ("recs", "truth", "message"),
    [
        ({"score": [3.0, 2.0, None, 1.0]}, TRUTH, "recs: item a of user ann has no score"),
        ({"rank": [1, 2, 0, 1]}, TRUTH, "recs: item a of user ann has rank 0"),
        ({"rank": [1, 2, None, 1]}, TRUTH, "recs: item a of user ann has rank None"),
        (RANKS | {"score": [3.0, 2.0, None, 1.0]}, TRUTH, "has rank 3, but no score"),
        (SCORES, UNGRADED, "truth: item a of user ann has no relevance"),
    ],
    ids=["no score", "rank 0", "no rank", "no score of a rank", "no grade"],
)
def test_rows_are_checked_before_repeats_are_removed(recs, truth, message, value):
    with raises(sqlrec.DataError, match=message):
        evaluate("ndcg@3", recs=pa.table(KEYS | recs), truth=pa.table(truth), duplicates=value)


def test_rows_of_a_baseline_are_checked_before_repeats_are_removed():
    recs, baseline = (pa.table(KEYS | {"score": [3.0, 2.0, x, 1.0]}) for x in (1.0, None))
    with raises(sqlrec.DataError, match="baseline: item a of user ann has no score"):
        evaluate("unexpectedness@3", recs=recs, baseline=baseline, duplicates="best")


@fixture
def write_ties(tmp_path, monkeypatch):
    """Return a function that writes a file of the rule ``ties``, which is then read."""

    def write(text):
        (tmp_path / "ties.sql").write_text(text)
        monkeypatch.setattr(rules, "_FOLDER", tmp_path)
        monkeypatch.setitem(QUERIES, "ties", rules.values_with_queries("ties"))

    return write


@mark.parametrize(
    ("entries", "macros", "message"),
    [
        ("{}", "{% macro ties__new(plan) %}", "rules/ties.sql: ties_properties has no entry 'new'"),
        ("{'new': []}", "", "rules/ties.sql: 'new' has no macro ties__new: write it"),
        (
            "{'new': ['reads_grade']}",
            "{% macro ties__new(plan) %}",
            "rules/ties.sql: new='reads_grade': did you mean 'reads_grades'?",
        ),
    ],
)
def test_a_wrong_declaration_is_refused(write_ties, entries, macros, message):
    write_ties(f"{{% macro ties_properties() %}}\n{{{{ return({entries}) }}}}\n{macros}")
    with raises(sqlrec.OptionError, match=re.escape(message)):
        rules.rule_properties("ties")


def test_a_value_without_a_meaning_is_refused(write_ties):
    write_ties("-- old: ranks the best. And more.\n{% macro ties__new(plan) %}")
    message = (
        "rules/ties.sql: 'new' has no meaning: write a sentence above its macro, as in '-- new: "
    )
    with raises(sqlrec.OptionError, match=re.escape(message)):
        rules.rule_meanings.__wrapped__("ties")
    write_ties("-- new: ranks\n-- the best. And more.\n{% macro ties__new(plan) %}")
    assert rules.rule_meanings.__wrapped__("ties") == {"new": "ranks the best"}


def test_each_choice_of_a_rule_has_a_meaning():
    choices = {(one.name, one.rules.get(str(x), x)) for one in RULES for x in one.named_choices} | {
        (name, x) for name, values in rules.OF_LIBRARIES.items() for x in values if x is not None
    }
    assert len(choices) > 40
    assert [x for x in choices if describe_switch((x,), 10) == "{}={}".format(*x)] == []


def test_each_property_is_one_of_its_example():
    declared = {one for rule in VALUES.values() for own in rule.values() for one in own}
    assert declared == {*PROPERTIES}
    for name, meaning in PROPERTIES.items():
        rule, value = meaning.rsplit(": ", 1)[1].split("=")
        assert name in VALUES[rule][value], meaning


@mark.parametrize(
    ("text", "wrong", "message"),
    [
        ("from distinct_items", "from distinct_itemz", "^query .*: Catalog Error: .*itemz"),
        ("max(score)", "max(scores)", '^query distinct_items: Binder Error: .*"scores"'),
    ],
)
def test_a_wrong_template_is_not_blamed_on_rows(monkeypatch, text, wrong, message):
    render = job.render
    monkeypatch.setattr(job, "render", lambda *given, **x: render(*given, **x).replace(text, wrong))
    with raises(sqlrec.MetricError, match=message):
        evaluate("ndcg@3", recs=pa.table(KEYS | SCORES), truth=TABLES["truth"], duplicates="best")


@mark.parametrize(
    ("rows", "starts"),
    [("hits", ("macro hits(", "macro columns_of_match(")), ("evaluated_users", ("select",))],
)
def test_the_header_of_rows_lists_their_columns(rows, starts):
    text = (sql_folder() / "rows" / f"{rows}.sql").read_text(encoding="utf-8")
    header, _, macros = text.partition("{% macro")
    lines = re.findall(r"^--   (\w.*?)(?:  |$)", header, re.MULTILINE)
    listed = {one.strip() for names in lines for one in names.split(",")}
    entries = "".join(f"{{% macro{macros}".split(start)[1].split("endmacro")[0] for start in starts)
    found = re.findall(r" as (\w+),?$|(?:population|truth_users)\.(\w+),", entries, re.MULTILINE)
    columns = {first or second for first, second in found}
    families = ("best_", "ideal_", "stop_")
    assert {one for one in listed - columns if not one.startswith(families)} == set()
    assert {one for one in columns - listed if not one.startswith(families)} == set()
