"""Formatted statements have short lines, and the same meaning."""

import re
from pathlib import Path

from pytest import fixture, mark, param

import sqlrec
from sqlrec.dialects import DIALECTS
from sqlrec.rendering.layout import WIDTH, format_statement

from .dialects import SQLFLUFF
from .packages import sqlfluff

ROOT = Path(__file__).parent.parent
# The dialects with the longest statements.
LONGEST = ("duckdb", "bigquery", "clickhouse")
TOKEN = re.compile(r"'(?:[^'\\]|''|\\.)*'|\w+|[^\w\s]")


@fixture
def statements(update):
    """Return the statement of each metric by name, in a dialect."""

    def written(dialect, **options):
        for name, metric in sqlrec.metrics().items():
            yield name, update.statement(update.forms(metric)[0], dialect, **options).rstrip()

    return written


@fixture
def layout():
    """Format a statement of DuckDB."""
    return lambda sql: format_statement(sql, "duckdb").split("\n")


@mark.parametrize(
    "dialect",
    [
        *(param(one, marks=mark.slow) for one in LONGEST),
        *(param(one, marks=mark.weekly) for one in DIALECTS if one not in ("snowflake", *LONGEST)),
    ],
)
def test_no_line_is_too_long(statements, dialect):
    long = {
        name: line
        for name, text in statements(dialect)
        for line in text.splitlines()
        if len(line) > WIDTH
    }
    assert not long


@mark.parametrize(
    "dialect", [param("bigquery", marks=mark.slow), param("duckdb", marks=mark.weekly)]
)
def test_nothing_but_white_space_and_the_place_of_comments_changes(statements, dialect):
    for name, text in statements(dialect, form="audited"):
        code = re.sub("--.*", "", text)
        laid = re.sub("--.*", "", format_statement(text, dialect))
        assert TOKEN.findall(laid) == TOKEN.findall(code), name


@mark.slow
def test_formatting_twice_changes_nothing(statements):
    for name, text in statements("snowflake"):
        assert format_statement(text, "snowflake").rstrip() == text, name


def test_a_short_query_is_one_line(layout):
    assert layout("select a,\n    b\nfrom\n    t") == ["select a, b from t"]


def test_columns_share_lines_and_expressions_have_their_own(layout):
    window = "row_number() over (partition by user_id order by score desc, item_id asc) as rank"
    assert layout(f"select user_id,\nitem_id, {window} from recs") == [
        "select user_id, item_id,",
        f"    {window}",
        "from recs",
    ]


def test_comments_follow_their_column(layout):
    sums = "sum(" + " + ".join(f"hits_{n}" for n in range(6)) + ")"
    source = "-- van Rijsbergen 1979"
    assert layout(f"select user_id,\n {sums} as a, {source}\n max(hit) as b {source}\nfrom t") == [
        "select user_id,",
        f"    {sums} as a,  {source}",
        f"    max(hit) as b  {source}",
        "from t",
    ]


def test_long_comments_precede_their_column(layout):
    sums = "sum(" + " + ".join(f"hits_{n}" for n in range(8)) + ") as hits"
    assert layout(f"select {sums}  -- van Rijsbergen 1979, page 7\nfrom t") == [
        "select",
        "    -- van Rijsbergen 1979, page 7",
        f"    {sums}",
        "from t",
    ]


def test_conditions_start_lines_and_between_keeps_its_and(layout):
    first, second = "a" * 50 + " between 1 and 2", "b" * 50 + " = 3"
    assert layout(f"select x from t where {first} and {second}") == [
        "select x",
        "from t",
        f"where {first}",
        f"    and {second}",
    ]


def test_a_case_that_is_too_long_has_a_line_for_each_branch(layout):
    first, second = "a" * 30, "b" * 40
    assert layout(f"select case when {first} > 0 then {first} else {second} end as c from t") == [
        "select",
        "    case",
        f"        when {first} > 0 then {first}",
        f"        else {second}",
        "    end as c",
        "from t",
    ]


def test_texts_and_names_keep_their_white_space(layout):
    assert layout("select  'a  -- b', \"c  d\"  from t") == ["select 'a  -- b', \"c  d\" from t"]


def test_backslashes_in_texts_are_those_of_the_dialect():
    escaped = "select 'it\\'s  a', b from t"
    assert format_statement(escaped, "snowflake") == escaped
    assert format_statement("select 'a\\',   b from t", "duckdb") == "select 'a\\', b from t"


# Golden texts test snippets otherwise.
@mark.parametrize(
    ("dialect", "each"),
    [
        param("snowflake", 5, marks=mark.slow),
        *(param(dialect, 1, marks=mark.weekly) for dialect in DIALECTS),
    ],
)
def test_snippets_have_the_style_of_sqlfluff(dialect, each):
    held = ROOT / ".sqlfluff"
    rules = sqlfluff.FluffConfig.from_path(str(held)).get("rules") + ", LT02"
    config = sqlfluff.FluffConfig.from_path(
        str(held), overrides={"rules": rules, "dialect": SQLFLUFF.get(dialect, dialect)}
    )
    linter = sqlfluff.Linter(config=config)
    result = {}
    for path in sorted((ROOT / "examples" / "snippets" / dialect).glob("*.sql"))[::each]:
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        result[path.stem] = [
            f"{one.rule_code()} {lines[one.line_no - 1]}: {one.desc()}"
            for one in linter.lint_string(text).get_violations()
            # Columns start on the line of their select.
            if one.rule_code() != "LT02" or not lines[one.line_no - 1].strip().startswith("select ")
        ]
    assert not any(result.values()), result
