from pytest import approx, mark

from ..tables import JUDGED, value, without_list

# Hits stand at places 2 and 4, where precision is 1/2 and 2/4; x is wanted and not shown.
AT_HITS = 1 / 2 + 2 / 4


@mark.parametrize("name", ["average_precision", "map", "MAP", "AP"])
def test_is_the_precision_at_each_hit_over_the_relevant_items(name):
    assert value(f"{name}@5", "abcde", "bdx") == approx(AT_HITS / 3)


@mark.parametrize(
    "divide_by, k, expected",
    [
        ("relevant", 5, AT_HITS / 3),
        ("achievable", 5, AT_HITS / 3),
        ("achievable", 2, (1 / 2) / 2),
        ("hits", 5, AT_HITS / 2),
        ("k", 10, AT_HITS / 10),
        ("list_length", 10, AT_HITS / 5),
        ("achievable_in_list", 10, AT_HITS / 3),
        ("achievable_in_list", 2, (1 / 2) / 2),
    ],
)
@mark.parametrize("relevant", ["bdx", JUDGED])
def test_the_six_metrics_of_that_name_differ_in_what_they_divide_by(
    divide_by, k, expected, relevant
):
    assert value(f"map(divide_by={divide_by})@{k}", "abcde", relevant) == approx(expected)


def test_a_short_list_is_held_against_as_many_relevant_items_as_it_has_places():
    assert value("map(divide_by=achievable_in_list)@10", "ab", "bcd") == approx((1 / 2) / 2)
    assert without_list("map(divide_by=achievable_in_list)@10", "bcd") == 0


DIVISORS = ["relevant", "achievable", "hits", "k", "list_length", "achievable_in_list"]


@mark.parametrize("divide_by", DIVISORS)
def test_is_0_without_hit(divide_by):
    assert value(f"map(divide_by={divide_by})@3", "abc", "x") == 0
    assert without_list(f"map(divide_by={divide_by})@3", "a") == 0


@mark.parametrize("divide_by", DIVISORS)
def test_a_perfect_list_has_1(divide_by):
    assert value(f"map(divide_by={divide_by})@3", "abc", "abc") == 1
    assert value(f"map(divide_by={divide_by})@1", "a", "a") == 1


@mark.parametrize("divide_by", ["relevant", "achievable", "achievable_in_list"])
def test_is_undefined_where_it_divides_by_relevant_items_and_there_are_none(divide_by):
    assert value(f"map(divide_by={divide_by})@2", "ab", {"a": 0}, population="judged") is None


def test_hits_beyond_k_do_not_count():
    assert value("map@3", "abcd", "bd") == approx((1 / 2) / 2)


def test_takes_whole_lists():
    assert value("map@all", "abcde", "bdx") == approx(AT_HITS / 3)
    assert value("map(divide_by=achievable)@all", "ab", "abcd") == approx((1 + 1) / 4)


def test_may_count_1_for_a_list_without_a_hit():
    assert value("map(without_hits=one)@2", "abc", "cx") == 1
    assert value("map(without_hits=one)@3", "abc", "cx") == approx(1 / 3 / 2)
    assert value("map(without_hits=one)@2", "ab", {"a": 0}, population="judged") == 1
