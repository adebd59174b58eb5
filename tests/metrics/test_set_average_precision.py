from pytest import approx, mark

from ..tables import JUDGED, value, without_list


@mark.parametrize("relevant", ["bdx", JUDGED])
@mark.parametrize("name", ["set_average_precision", "set_map", "Set_AP"])
def test_is_precision_times_recall(name, relevant):
    assert value(name, "abcde", relevant) == approx(2 / 5 * 2 / 3)


def test_divides_by_the_places_of_the_list_whatever_the_cutoff():
    assert value("set_map@3", "abcd", "bdx") == approx(1 / 3 * 1 / 3)
    assert value("set_map@9", "abcd", "bdx") == approx(2 / 4 * 2 / 3)


def test_does_not_look_at_the_order():
    assert value("set_map", "abcd", "ab") == value("set_map", "dcba", "ab") == approx(2 / 4)


def test_is_1_for_a_list_of_all_relevant_items_and_nothing_else():
    assert value("set_map", "ba", "ab") == value("set_map", "a", "a") == 1


def test_is_undefined_without_relevant_item_and_0_without_list():
    assert value("set_map", "ab", {"a": 0}, population="judged") is None
    assert without_list("set_map", "ab") == 0
