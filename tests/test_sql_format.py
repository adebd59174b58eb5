"""Formatted statements have short lines, and the same meaning."""

import re
from pathlib import Path

from pytest import fixture, mark, param

import sqlrec
from sqlrec.dialects import DIALECTS
from sqlrec.rendering.sql_format import WIDTH, format_statement

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


FORMS = {
    "a short query is one line": "select a, b from t",
    "columns share lines and expressions have their own": """\
select user_id, item_id,
    row_number() over (partition by user_id order by score desc, item_id asc) as rank
from recs""",
    "conditions start lines and between keeps its and": """\
select x
from t
where aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa between 1 and 2
    and bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb = 3""",
    "a case that is too long has a line for each branch": """\
select
    case
        when aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa > 0 then aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        else bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
    end as c
from t""",
}


@mark.parametrize("expected", FORMS.values(), ids=FORMS)
def test_a_statement_on_one_line_is_laid_out(expected):
    assert format_statement(" ".join(expected.split()), "duckdb") == expected


def test_comments_follow_their_column_and_long_ones_precede_it():
    sums = "sum(hits_0 + hits_1 + hits_2 + hits_3 + hits_4 + hits_5"
    source = "-- van Rijsbergen 1979"
    short = f"select user_id,\n    {sums}) as a,  {source}\n    max(hit) as b  {source}\nfrom t"
    assert format_statement(re.sub(" +", " ", short), "duckdb") == short
    long = f"{sums} + hits_6 + hits_7) as hits"
    assert format_statement(f"select {long}  {source}, page 7\nfrom t", "duckdb") == (
        f"select\n    {source}, page 7\n    {long}\nfrom t"
    )


def test_texts_and_names_keep_their_white_space():
    text = "select 'a  -- b', \"c  d\" from t"
    assert format_statement(text.replace(" from", "  from"), "duckdb") == text


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
