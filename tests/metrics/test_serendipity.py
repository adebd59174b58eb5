import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, table, values, wanted

# Level 1 is a, level 2 are b and c, level 3 is d.
HISTORY = lists({"u1": "abcd", "u2": "abc", "u3": "aa"})
CATALOG = table([(item,) for item in "abcdxyzwvt"], item_id=pa.string())


def ask(metric, shown, relevant, **options):
    given = {"recs": lists(shown), "truth": wanted(relevant)}
    given |= {"history": HISTORY, "catalog": CATALOG} | options
    return values(sqlrec.evaluate(metric, **given))


def test_a_hit_counts_by_how_far_it_stands_above_its_level():
    assert ask("serendipity@2", {"ann": "db"}, {"ann": "bd"}) == approx([(3 - 1) / 4 / 2])


def test_neither_grades_nor_judged_items_matter():
    # z is of level 5 at place 1, d of level 3 at place 2; b is no hit.
    graded = {"ann": {"z": 3, "b": 0, "d": 0.5, "x": 2, "y": 0}}
    for params in ("", "(divide_by=lines)"):
        found = ask(f"serendipity{params}@9", {"ann": "zdb"}, graded)
        assert found == approx([(4 + 1) / 4 / 3])


def test_a_hit_below_its_level_counts_0():
    assert ask("serendipity@3", {"ann": "zya"}, {"ann": "a"}) == [0]


def test_items_that_as_many_users_had_are_of_one_level():
    for item in "bc":
        assert ask("serendipity@1", {"ann": item}, {"ann": item}) == approx([(2 - 1) / 4])


def test_an_item_without_history_comes_after_all_items():
    assert ask("serendipity@1", {"ann": "z"}, {"ann": "z"}) == [1]
    assert ask("serendipity@2", {"ann": "xz"}, {"ann": "z"}) == approx([(5 - 2) / 4 / 2])
    assert ask("serendipity(items=catalog)@2", {"ann": "xz"}, {"ann": "z"}) == approx(
        [(11 - 2) / 10 / 2]
    )


def test_of_one_item_an_item_without_history_is_next():
    one = {"history": lists({"u1": "a"}), "catalog": CATALOG.slice(0, 1)}
    metrics = "serendipity@2 serendipity(items=catalog)@2"
    assert ask(metrics, {"ann": "za"}, {"ann": "za"}, **one) == [1 / 2, 1 / 2]


def test_divides_by_the_places_of_a_short_list_or_by_k():
    assert ask("serendipity(divide_by=k)@4", {"ann": "dz"}, {"ann": "d"}) == approx([2 / 4 / 4])


def test_who_wants_nothing_is_left_out():
    assert ask("serendipity@1", {"ann": "d", "bob": "d"}, {"ann": "d"}) == approx([2 / 4])
