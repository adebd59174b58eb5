from pytest import approx, mark

import sqlrec

from ..tables import JUDGED, lists, value, values, wanted


@mark.parametrize("k, expected", [(1, 0), (2, 1 / 2), (3, 1 / 3), (4, 2 / 4)])
def test_is_the_share_of_hits_among_the_first_k(k, expected):
    assert value(f"precision@{k}", "abcd", "bd") == approx(expected)


def test_a_short_list_pays_for_its_empty_places():
    assert value("precision@10", "abcd", "bd") == approx(2 / 10)


def test_a_short_list_may_be_divided_by_its_length():
    assert value("precision(divide_by=list_length)@10", "abcd", "bd") == approx(2 / 4)
    assert value("precision(divide_by=list_length)@3", "abcd", "bd") == approx(1 / 3)


@mark.parametrize("relevant", ["bdx", JUDGED])
def test_neither_grades_nor_other_relevant_items_matter(relevant):
    assert value("precision@9", "abcde", relevant) == approx(2 / 9)
    assert value("precision(divide_by=list_length)@9", "abcde", relevant) == approx(2 / 5)
    assert value("precision(divide_by=k_or_length)@9", "abcde", relevant) == approx(2 / 9)
    assert value("precision(divide_by=list_length)@1", "a", "a") == 1


def test_a_user_without_list_has_0_either_way():
    result = sqlrec.evaluate(
        "P@2 P(divide_by=list_length)@2",
        recs=lists({"ann": "ab"}),
        truth=wanted({"ann": "a", "bob": "a"}),
    )
    assert values(result) == [1 / 4, 1 / 4]


def test_whole_lists_can_only_be_divided_by_their_length():
    assert value("precision(divide_by=list_length)@all", "abcd", "bd") == approx(2 / 4)


def test_may_be_divided_by_k_and_of_whole_lists_by_their_length():
    recs, truth = lists({"ann": "abcd"}), wanted({"ann": "bd", "bob": "a"})
    metric = "precision(divide_by=k_or_length)"
    found = values(sqlrec.evaluate(f"{metric}@1000000 {metric}@all", recs=recs, truth=truth))
    assert found == approx([2 / 1000000 / 2, 2 / 4 / 2])


def test_has_four_decimals_if_asked_to():
    assert value("precision(digits=four)@3", "abcd", "bd") == approx(0.3333, abs=1e-15)
    assert value("precision(digits=four, divide_by=list_length)@3", "ab", "b") == 0.5


def test_is_at_most_the_share_of_hits_and_of_places_that_were_not_judged():
    # Of abcde, b and d are hits, c was judged to be none, and nobody judged a and e.
    assert value("precision(unjudged=hit)@5", "abcde", JUDGED) == approx(4 / 5)
    assert value("precision(unjudged=hit)@10", "abcde", JUDGED) == approx(4 / 10)
    asked = "precision(unjudged=hit, divide_by=list_length)@10"
    assert value(asked, "abcde", JUDGED) == approx(4 / 5)
    # Six items are shown or relevant, whatever the two turn out to be.
    assert value("precision(unjudged=hit, divide_by=known)@10", "abcde", JUDGED) == approx(4 / 6)


def test_where_all_places_are_judged_the_bounds_are_one():
    for unjudged in ("miss", "hit"):
        assert value(f"precision(unjudged={unjudged})@3", "bcw", JUDGED) == approx(1 / 3)


def test_a_grade_below_0_is_not_a_judgment():
    assert value("precision(unjudged=hit)@2", "ab", {"a": -1, "b": 0, "x": 1}) == approx(1 / 2)


def test_may_divide_whole_lists_by_what_is_shown_or_relevant():
    assert value("precision(divide_by=k_or_known)@2", "abc", "ax") == 1 / 2
    assert value("precision(divide_by=k_or_known)@5", "abc", "ax") == 1 / 5
    assert value("precision(divide_by=k_or_known)@all", "abc", "ax") == 1 / 4
