from pytest import approx, mark

from ..tables import value, without_list


@mark.parametrize("name", ["pfound", "p_found"])
def test_is_how_likely_something_is_found_before_patience_ends(name):
    # 7/16 at once; else, twice going on, 1/16.
    expected = 7 / 16 + 9 / 16 * 0.85**2 * 1 / 16
    assert value(f"{name}@3", "abc", {"a": 3, "b": 0, "c": 1}) == approx(expected)
    assert value(f"{name}@2", "abc", {"a": 3, "b": 0, "c": 1}) == approx(7 / 16)
    assert value(f"{name}@all", "abc", {"a": 3, "b": 0, "c": 1}) == approx(expected)


def test_patience_may_be_endless_or_next_to_nothing():
    graded = {"a": 3, "b": 0, "c": 1}
    assert value("pfound(p_break=0)@3", "abc", graded) == approx(1 - 9 / 16 * 15 / 16)
    assert value("pfound(p_break=0.9)@3", "abc", graded) == approx(7 / 16 + 9 / 16 * 0.01 / 16)


def test_the_scale_may_end_with_the_best_of_the_users_own_items():
    # The best grade is 2, of an item that is not shown.
    graded = {"b": 1, "x": 2}
    assert value("pfound(scale=own)@2", "ab", graded) == approx(0.85 * 1 / 4)
    assert value("pfound(max_grade=1)@2", "ab", graded) == approx(0.85 * 1 / 2)
    assert value("pfound(scale=own)@1", "a", {"a": 1000}) == approx(1)


def test_stays_a_number_down_a_long_list():
    items = [f"i{number}" for number in range(2000)]
    assert value("pfound@all", items, {"i1999": 4}) == approx(0, abs=1e-60)


def test_is_0_without_list():
    assert without_list("pfound@5", {"a": 1}) == 0
