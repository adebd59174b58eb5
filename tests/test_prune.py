"""Pruning: columns and queries that nothing reads are removed, and constant keys."""

import doctest
import re
import sqlite3
from contextlib import closing
from shutil import copytree

import duckdb
from pytest import MonkeyPatch, fixture, mark, raises

import sqlrec
from sqlrec.dialects import DIALECTS
from sqlrec.rendering import constants, inline, limits, merge, names, templates, unused
from sqlrec.rendering.constants import KEYS
from sqlrec.rendering.names import leave_ambiguous_queries
from sqlrec.rendering.prune import prune_statement
from sqlrec.rendering.queries import Query, format_nodes
from sqlrec.rendering.sql_format import format_statement
from sqlrec.rendering.tokens import named_queries, parse_tree
from sqlrec.rules import OPTIONS

from .dialects import slow
from .golden.values import asked, of_libraries

WHOLE = """-- A statement.
with
recommended as (
    select {model} as model, who as user_id, item as item_id, points + 0 as score
    from given
),
-- Lists.
listed as (
    select model, user_id, item_id, score,
        row_number() over (partition by model, user_id order by score desc, item_id asc) as rank
    from recommended
),
lengths as (
    select model, user_id, count(*) as ranks
    from listed
    group by model, user_id
),
relevant as (select who as user_id, item as item_id, 1 as grade from wanted),
cutoffs as ({cutoffs}),
models as ({models}),
people as (
    select models.model, users.user_id, cutoffs.k
    from (select distinct user_id from relevant) as users
    cross join models
    cross join cutoffs
),
-- What is known of each.
known as (
    select people.model, people.user_id, people.k,
        coalesce(lengths.ranks, 0) as ranks,
        case people.k when 1 then 'one' when 2 then 'two' end as word
    from people
    left join lengths on lengths.model = people.model and lengths.user_id = people.user_id
),
hits as (
    select known.model, known.user_id, known.k, known.ranks, known.word,
        case when listed.rank <= known.k then relevant.grade else 0 end as hit
    from known
    join listed on listed.model = known.model and listed.user_id = known.user_id
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
)
"""
ONE = {
    "model": "'recs'",
    "models": "select 'recs' as model",
    "cutoffs": "select cast(2 as bigint) as k",
}
SEVERAL = {
    "model": "kind",
    "models": "select distinct model from recommended",
    "cutoffs": "select cast(1 as bigint) as k union all select 2",
}
LAST = [
    "select user_id, sum(hit) as hits from hits group by user_id order by user_id",
    "select model, k, sum(hit) as hits from hits group by model, k order by model, k",
    "select k, word, min(ranks) as least from hits group by k, word order by k",
    "select model, user_id, ranks from known order by model, user_id, ranks",
    "select count(*) as rows from hits",
]


@fixture(scope="module")
def database():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table given (kind, who, item, points)")
        connection.execute("create table wanted (who, item)")
        rows = [("m", "u", "a", 3), ("m", "u", "b", 2), ("n", "u", "b", 1), ("m", "v", "a", 1)]
        connection.executemany("insert into given values (?, ?, ?, ?)", rows)
        connection.executemany("insert into wanted values (?, ?)", [("u", "b"), ("w", "a")])
        yield connection


def queries(sql):
    """Return the named queries of a statement."""
    nodes = parse_tree(sql, "duckdb")
    start = next(rank for rank, node in enumerate(nodes) if not node.is_comment)
    return [Query.read(query) for query in named_queries(nodes[start:])[0]]


@mark.parametrize("last", LAST)
@mark.parametrize("keys", [ONE, SEVERAL], ids=["one model and cutoff", "several"])
def test_pruned_statements_have_equal_rows(database, keys, last):
    whole = WHOLE.format(**keys) + last
    result = prune_statement(whole, "sqlite")
    assert len(result) < len(whole)
    assert database.execute(result).fetchall() == database.execute(whole).fetchall()
    assert prune_statement(result, "sqlite") == result


class TestKeysThatAreTheSameInAllRows:
    def test_constant_keys_are_removed(self):
        result = prune_statement(WHOLE.format(**ONE) + LAST[0], "duckdb")
        code = re.sub("--.*", "", result)
        assert not re.search(r"\b(model|models|cutoffs|k)\b", code)
        assert "<= 2" in code
        assert "(partition by user_id order by score" not in code
        assert "partition by who order by (points + 0) desc" in code

    def test_constant_keys_stay_in_the_result(self):
        result = prune_statement(WHOLE.format(**ONE) + LAST[1], "duckdb")
        assert "select\n    'recs' as model,\n    2 as k," in result

    def test_constant_keys_select_a_case(self):
        result = prune_statement(WHOLE.format(**ONE) + LAST[2], "duckdb")
        assert "'two' as word" in result
        assert "'one'" not in result

    def test_keys_of_several_values_stay(self):
        result = prune_statement(WHOLE.format(**SEVERAL) + LAST[1], "duckdb")
        assert {"model", "k"} < set(re.findall(r"\w+", result))

    def test_leave_conditions_on_ranks_unless_these_may_be_null(self):
        sql = (
            "with cutoffs as (select 2147483646 as k),\n"
            "r as (select user_id, rank from given where rank >= 1),\n"
            "a as (select t.user_id, r.rank, s.rank as own_rank,\n"
            "coalesce(s.rank, 9e9) as late_rank from t join r on r.user_id = t.user_id\n"
            "left join r as s on s.user_id = t.user_id)\n"
            "select a.user_id from a cross join cutoffs where a.{} <= cutoffs.k"
        )
        assert "<=" not in prune_statement(sql.format("rank"), "duckdb")
        assert "<= 2147483646" in prune_statement(sql.format("own_rank"), "duckdb")
        assert "<= 2147483646" in prune_statement(sql.format("late_rank"), "duckdb")
        without_limit = sql.format("rank").replace(" where rank >= 1", "")
        assert "<= 2147483646" in prune_statement(without_limit, "duckdb")


@mark.parametrize(
    "module", [constants, names, limits, unused, merge, inline], ids=lambda one: one.__name__
)
def test_examples_show_each_pass(module):
    examples = [one for one in doctest.DocTestFinder().find(module) if one.examples]
    assert examples[0].name == module.__name__
    assert all(doctest.DocTestRunner().run(one).failed == 0 for one in examples)


def test_the_changes_of_each_pass_can_be_printed(monkeypatch, capsys):
    monkeypatch.setenv("SQLREC_PASSES", "1")
    sql = "with\na as (select 1 as k, r.x from r),\nb as (select * from a),\nc as (select 2 as y)\n"
    prune_statement(sql + "select x from b where k = 1", "duckdb")
    shown = capsys.readouterr().err
    assert shown.startswith("\n-- Changes of constants:\nin the last query\n")
    for changes in (
        "constants:\nin the last query\n-where k = 1\n\n-- Changes of limits:\n\n",
        "unused:\nin a\n-    1 as k,\nwithout c\n\n",
        "merge:\nwithout a\nin b\n-    *\n-from a\n+    r.x\n+from r\n\n",
        "inline:\nwithout b\nin the last query\n-    x\n-from b\n+    r.x\n+from r\n",
    ):
        assert f"-- Changes of {changes}" in shown


class TestWhatNothingReads:
    def test_unread_columns_are_removed(self):
        result = prune_statement(WHOLE.format(**SEVERAL) + "select item_id from listed", "duckdb")
        assert result == "-- A statement.\nselect\n    item as item_id\nfrom given"

    def test_unread_joins_of_single_rows_are_removed(self):
        result = prune_statement(WHOLE.format(**SEVERAL) + "select user_id from known", "duckdb")
        assert "lengths" not in result

    def test_joins_that_repeat_rows_stay(self):
        sql = WHOLE.format(**SEVERAL) + "select user_id from hits"
        assert "left join relevant" in prune_statement(sql, "duckdb")

    def test_unread_columns_of_unions_are_removed_in_each_part(self):
        sql = (
            "with a as (select 1 as b, x as c, 3 as d from t union all select 4, y, 6 from u)\n"
            "select c from a where c > 0"
        )
        result = format_statement(prune_statement(sql, "duckdb"), "duckdb")
        assert "select x as c" in result and "select y" in result
        assert not set("13456") & set(result)

    def test_unread_columns_next_to_greatest_are_removed(self):
        sql = "with a as (select max(b, 0) as b, c + 1 as d from t)\nselect b from a where b > 0"
        assert "c + 1" not in prune_statement(sql, "sqlite")

    def test_groups_without_aggregates_become_distinct(self):
        sql = "with a as (select b, c, count(*) as n from t group by b, c)\nselect {} as m from a"
        assert "select distinct b, c from t" in format_statement(
            prune_statement(sql.format("count(b)"), "duckdb"), "duckdb"
        )
        assert "group by b, c" in prune_statement(sql.format("sum(n)"), "duckdb")
        limited = sql.replace("by b, c)", "by b, c having count(*) > 1)")
        assert "having" in prune_statement(limited.format("count(b)"), "duckdb")


def test_groups_of_constants_are_one_row(database):
    sql = "with a as (select 'x' as model from given),\nb as (select model from a group by model)\n"
    result = prune_statement(sql + "select count(*) as n from b", "sqlite")
    assert database.execute(result).fetchall() == [(1,)]


def test_a_constant_of_all_parts_of_a_union_by_name_is_no_key():
    sql = (
        "with a as (select 'x' as model, r.item from r {union} select s.item{model} from s),\n"
        "b as (select * from a)\n"
        "select item, count(*) as n from b group by model, item"
    )
    by_name, with_model = "union all by name", ", 'x' as model"
    result = prune_statement(sql.format(union=by_name, model=with_model), "duckdb")
    assert "model" not in result and "group by item" in result
    for union, model in ((by_name, ""), (by_name, ", 'y' as model"), ("union all", with_model)):
        result = prune_statement(sql.format(union=union, model=model), "duckdb")
        assert "group by model, item" in result


def test_queries_of_equal_text_are_one_query(database):
    users, sizes = "select distinct who from {}", "select who, count(*) as n from {} group by who"
    sql = (
        f"with a as ({users.format('given')}),\nb as ({users.format('given')}),\n"
        f"c as ({users.format('wanted')}),\n"
        f"a_sizes as ({sizes.format('a')}),\nb_sizes as ({sizes.format('b')}),\n"
        "both as (select a_sizes.who, a_sizes.n + b_sizes.n as n\n"
        "from a_sizes left join b_sizes on b_sizes.who = a_sizes.who)\n"
        "select who, sum(n) as n\n"
        "from (select who, n from both union all select who, n from b_sizes\n"
        "union all select who, 1 as n from c) as x group by who order by who"
    )
    result = prune_statement(sql, "sqlite")
    assert result.count("count(*)") == 1 and result.count("select distinct") == 2
    rows = database.execute(sql).fetchall()
    assert database.execute(result).fetchall() == rows == [("u", 4), ("v", 3), ("w", 1)]


def test_columns_are_chosen_of_all_columns_of_a_table(database):
    sql = "with a as (select *, points + 1 as more from given)\nselect item, more from a"
    result = prune_statement(sql, "sqlite")
    assert database.execute(result).fetchall() == database.execute(sql).fetchall()


def test_columns_of_a_star_of_a_joined_query_are_removed_too(database):
    sql = (
        "with a as (select who, item, points + 1 as more from given),\n"
        "b as (select distinct item from wanted),\n"
        "c as (select a.*, b.item as found from a left join b on b.item = a.item)\n"
        "select who, found from c"
    )
    result = prune_statement(sql, "sqlite")
    assert "more" not in result
    assert database.execute(result).fetchall() == database.execute(sql).fetchall()


def test_a_whole_row_reference_reads_all_columns():
    sql = (
        "with a as (select 1 as b, x as c from t),\nd as (select * from a)\n"
        "select d as all_columns from d"
    )
    with duckdb.connect() as connection:
        connection.execute("create table t as select 7 as x")
        assert connection.sql(prune_statement(sql, "duckdb")).fetchall() == [({"b": 1, "c": 7},)]


def test_a_column_that_a_query_lacks_is_refused_with_both_queries():
    sql = (
        "with matches as (select user_id, rank from t),\n"
        "hits as (select matches.user_id, matches.hit from matches)\nselect hit from hits"
    )
    with raises(sqlrec.MetricError, match=r"matches\.hit is read, but matches has no column"):
        prune_statement(sql, "duckdb")


@mark.parametrize(
    ("column", "message"),
    [
        ("rank", "hits: column 'rank' is read without its table in a join: write "),
        ("m.rnk", r"hits: m\.rnk is read, but listed has no column 'rnk'"),
    ],
)
def test_columns_of_joins_are_qualified_and_known(column, message):
    sql = (
        "with matches as (select user_id, rank from t),\nlisted as (select * from matches),\n"
        "others as (select rank from u),\n"
        f"hits as (select m.user_id, {column} + 1 as x from listed as m cross join others)\n"
        "select x from hits"
    )
    with raises(sqlrec.MetricError, match=message):
        prune_statement(sql, "duckdb")


@mark.parametrize("sql", ["select 1 as a", "with recursive a as (select 1) select * from a", ""])
def test_other_statements_stay_as_they_are(sql):
    assert prune_statement(sql, "duckdb") == sql


TABLES = ("history", "catalog", "items", "baseline")
NAMED = {name: name for name in ("recs", "truth", *TABLES)}
KEPT_ONCE = [each for each in OPTIONS["duplicates"].choices if each != "error"]
ALIKE = [
    (asked("@5"), {}),
    (asked("@all"), {}),
    ("ndcg@5 recall@5", {"ties": "expected"}),
    *(("ndcg@5 recall@5 gini@5", {"duplicates": each}) for each in KEPT_ONCE),
    *(([*metrics], {}) for metrics in [*of_libraries().values()][::8]),
]


@fixture(scope="module", params=["plain", *slow("audited")])
def form(request):
    return request.param


@fixture(scope="module", params=ALIKE, ids=lambda value: str(value)[:30])
def printed(request, form):
    """Return a statement, and the texts of its parts before pruning."""
    metrics, options = request.param
    texts = []
    columns = {"relevance": "relevance"}
    given = {**NAMED, "columns": columns, "dialect": "duckdb", "form": form, **options}
    # Cached texts would not be pruned again.
    templates.clear_template_caches()
    with MonkeyPatch.context() as patch:
        patch.setattr(
            templates,
            "prune_statement",
            lambda text, to: texts.append(text) or prune_statement(text, to),
        )
        return sqlrec.sql(metrics, **given), texts


def test_no_query_has_a_key_that_is_the_same_in_all_rows(printed):
    selects = [(one.name, one.select) for one in queries(printed[0]) if one.select]
    assert selects
    constant = re.compile(r"'[^']*'|\d+|cast\(\d+ as \w+\)")
    assert not [
        (name, entry.name)
        for name, select in selects
        for entry in select.entries
        if entry.name in KEYS and constant.fullmatch(format_nodes(entry.expression))
    ]


def test_every_query_is_parsed(printed):
    _, texts = printed
    named = {one.name: one for text in texts if "\nwith\n" in text for one in queries(text)}
    assert named
    leave_ambiguous_queries([*named.values()])
    # The recursive query, and queries that turn columns into rows.
    assert not [
        x for x in named.values() if x.form and not re.search("means$|^ideal_alpha", x.name)
    ]


def test_a_query_that_reads_a_later_one_is_refused(tmp_path, monkeypatch):
    folder = copytree(templates.sql_folder(), tmp_path / "sql")
    text = (folder / "evaluate.sql").read_text("utf-8")
    line = "        ('population__' ~ plan.population, ['population']),\n"
    later = text.replace(line, "").replace("    ]\n) %}", f"{line}    ]\n) %}}")
    (folder / "evaluate.sql").write_text(later, "utf-8")
    templates.clear_template_caches()
    monkeypatch.setattr(templates, "sql_folder", lambda: folder)
    with raises(sqlrec.MetricError, match="evaluated_users reads population, a later query: write"):
        sqlrec.sql("recall@5", recs="r", truth="t", dialect="duckdb")
    templates.clear_template_caches()


@mark.parametrize(("form", "order"), [("plain", "rank"), ("audited", "score")])
def test_dialects_keep_no_query_that_others_remove(form, order):
    """A dialect's function may hide that its column is not read."""
    rules = sqlrec.Rules(order=order)
    for dialect in DIALECTS:
        sql = sqlrec.sql("ndcg@5,10", recs="r", truth="t", dialect=dialect, rules=rules, form=form)
        assert "counted_rank" not in sql, dialect
