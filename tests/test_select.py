"""What rows are written with: all of it stands there, and what nobody names is left out."""

from pytest import mark

from sqlrec.rendering.templates import _macros, tidy


def kept(what, named, text):
    return tidy(getattr(_macros("duckdb"), f"kept_{what}")(named, caller=lambda: text))


class TestColumns:
    TEXT = """
        listed.rank,
        case when a > 0
            then greatest(a, 1)
        end as most,
        sum(b) as total,
    """

    def test_have_those_that_are_named(self):
        assert (
            kept("columns", ["total", "rank"], self.TEXT)
            == ", listed.rank,\n        sum(b) as total"
        )

    def test_may_have_several_lines(self):
        assert kept("columns", ["most"], self.TEXT).endswith("greatest(a, 1)\n        end as most")

    def test_are_none_where_none_is_named(self):
        assert kept("columns", ["a"], self.TEXT) == ""


class TestJoins:
    TEXT = """
    left join grades on grades.user_id = users.user_id
    left join (
        select user_id, count(*) as had
        from history
        left join draws on draws.user_id = history.user_id
    ) as counts on counts.user_id = users.user_id and counts.had = grades.had
    left join history as past on past.user_id = users.user_id
    cross join cutoffs
    """

    @mark.parametrize(
        ("named", "tables"),
        [
            (["grades"], ["grades"]),
            (["cutoffs", "past"], ["history as past", "cutoffs"]),
            # A table in a joined query is another one; a condition names what is joined before.
            (["counts"], ["grades", "(", "draws"]),
            (["history", "draws"], []),
            ([], []),
        ],
    )
    def test_are_of_those_tables_that_are_named(self, named, tables):
        lines = kept("joins", named, self.TEXT).split("\n")
        joins = [line.split("join ")[1].split(" on ")[0] for line in lines if "join" in line]
        assert joins == tables


class TestQueries:
    TEXT = """
-- The first.
first as (
    select 'second' as name from inputs
),
second as (
    select * from first -- and not third
),
third as (
    select * from inputs
),
"""

    def test_are_those_that_are_named_and_what_these_read(self):
        text = kept("queries", ["second"], self.TEXT)
        assert text.startswith("-- The first.\nfirst as (") and "second as (" in text
        assert "third as (" not in text

    def test_are_not_named_by_text_and_comments(self):
        assert kept("queries", ["first"], self.TEXT).count(" as (") == 1
