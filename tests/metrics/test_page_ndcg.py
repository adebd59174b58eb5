from math import log2

from pytest import approx, raises

import sqlrec

from ..tables import lists, value, values, wanted, without_list


def page(metric, places, truth, **options):
    """Evaluate a page: the items of each row, or a blank for a place that is empty."""
    cells = [(r + c, r, item) for r, row in enumerate(places) for c, item in enumerate(row)]
    numbered = enumerate((item for *_, item in sorted(cells)), 1)
    recs = [("ann", item, number) for number, item in numbered if item != " "]
    recs = lists({}).from_pylist(
        [dict(zip(("user_id", "item_id", "rank"), row, strict=True)) for row in recs]
    )
    result = sqlrec.evaluate(metric, recs=recs, truth=wanted({"ann": truth}), **options)
    return values(result)[0]


def test_counts_less_further_down_and_to_the_right():
    # a stands at row 1 and column 2, b at row 2 and column 3; the best are (1, 1) and (1, 2).
    best = 1 / log2(2) + 1 / log2(3)
    got = page("page_ndcg(rows=2, columns=3)", ["xay", "uvb"], "ab")
    assert got == approx((1 / log2(3) + 1 / log2(5)) / best)
    # Below another is as good as beside it.
    assert page("page_ndcg(rows=2, columns=3)", ["axy", "bvu"], "ab") == 1


def test_holds_the_page_against_the_best_items_at_its_best_places():
    grades = {"a": 3, "b": 1, "c": 2, "z": 1}
    best = 3 / log2(2) + 2 / log2(3) + 1 / log2(3) + 1 / log2(4)
    got = page("page_ndcg(rows=2, columns=2)", ["ba", "cx"], grades)
    assert got == approx((1 / log2(2) + 3 / log2(3) + 2 / log2(3)) / best)
    # Of nine items that are relevant, a page of four places can't show more than four.
    assert page("page_ndcg(rows=2, columns=2)", ["ab", "cd"], "abcdefghi") == 1


def test_gains_are_linear_binary_or_exponential():
    grades = {"a": 3, "b": 1}
    for gain, (a, b) in {"linear": (3, 1), "binary": (1, 1), "exponential": (7, 1)}.items():
        got = page(
            f"page_ndcg(rows=2, columns=2, gain={gain})", ["xx", "ba"], grades, duplicates="best"
        )
        best = a / log2(2) + b / log2(3)
        assert got == approx((b / log2(3) + a / log2(4)) / best)


def test_of_an_item_in_several_rows_counts_the_best_place():
    # a stands at row 1 and column 3, and at row 2 and column 1.
    got = page("page_ndcg(rows=2, columns=3)", ["xya", "auv"], "a", duplicates="best")
    assert got == approx((1 / log2(3)) / 1)


def test_leaves_places_without_item_empty():
    assert page("page_ndcg(rows=2, columns=2)", ["x ", " a"], "a") == approx(1 / log2(4))


def test_past_the_end_of_the_page_counts_nothing():
    assert value("page_ndcg(rows=2, columns=2)", "wxyza", "a") == 0
    assert value("page_ndcg(rows=2, columns=2)", "wxya", "a") == approx(1 / 2)


def test_with_a_cutoff_counts_its_first_places():
    assert value("page_ndcg(rows=2, columns=2)@2", "wxa", "a") == 0
    assert value("page_ndcg(rows=2, columns=2)@1", "ab", "ab") == 1


def test_of_one_row_or_column_is_ndcg():
    for size in ("rows=1, columns=4", "rows=4, columns=1"):
        got = value(f"page_ndcg({size})", "xaby", {"a": 1, "b": 2})
        assert got == approx(value("ndcg@4", "xaby", {"a": 1, "b": 2}))


def test_of_a_wide_page_is_that_of_a_high_one():
    shown = [chr(ord("a") + n) for n in range(12)]
    wide = value("page_ndcg(rows=3, columns=4)", shown, "chl")
    assert wide == approx(value("page_ndcg(rows=4, columns=3)", shown, "chl"))


def test_of_users_without_list_is_0():
    assert without_list("page_ndcg", "a") == 0


def test_the_size_of_a_page_is_whole():
    with raises(sqlrec.MetricError, match="rows"):
        value("page_ndcg(rows=2.5)", "a", "a")
