"""Statements split into their named queries."""

import sqlrec
from sqlrec.rendering.statement import Statement, names

TEXT = """
-- What is asked, as from hits.
with
-- Written on a line.
hits as (select 1 as n),
held as materialized (
    select n from hits join "hits" on true -- from hits
    where n = 'it''s from hits' and n in (select hits.n from hits as h)
),
part as (select n from hits)
select n from held union all select n from part union all select n from held
"""


def taken(sql, prefix=""):
    return Statement.read(sql, "duckdb", prefix)


def test_named_queries_come_in_order_each_after_those_that_it_reads():
    statement = taken(TEXT)
    assert statement.head == "-- What is asked, as from hits."
    assert [query.name for query in statement.queries] == ["hits", "held", "part"]
    assert statement.queries[0].text == "-- Written on a line.\nselect 1 as n"
    assert statement.last.startswith("select n from held")


def test_quotes_and_comments_are_not_references():
    held = taken(TEXT, "my_").queries[1].text
    assert held == (
        'select n from my_hits as hits join "hits" on true -- from hits\n'
        "    where n = 'it''s from hits' and n in (select hits.n from my_hits as h)"
    )


def test_references_of_a_query_are_counted():
    assert [query.mentions for query in taken(TEXT, "my_").queries] == [3, 2, 1]


def test_a_statement_of_one_query_is_its_last():
    assert taken("select n from t\n-- from whom") == Statement(
        "", [], "select n from t\n-- from whom"
    )


def test_names_are_those_of_all_queries():
    repeated = "with a as not materialized (select 1 as n) select n from a"
    assert names(repeated, "postgres") == {"a"}
    assert names("select 1", "duckdb") == names("", "duckdb") == set()


def test_a_statement_has_each_of_its_names_once():
    requests = "ndcg@5 map@5 alpha_ndcg@5 ndcg(convention=trec_eval)@5"
    text = sqlrec.sql(requests, dialect="spark", recs="recs", truth="truth", items="items")
    result = [query.name for query in Statement.read(text, "spark").queries]
    assert len({*result}) == len(result) > 10
