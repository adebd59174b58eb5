from pytest import approx, mark

from ..tables import value, without_list

RELEVANCE = "expected_exposure_relevance"


def test_is_the_attention_that_falls_on_items_that_deserve_it():
    # a and b deserve (1 + 1/2) / 2 each.
    assert value(f"{RELEVANCE}@2", "axb", "ab") == approx(0.75)
    assert value(f"{RELEVANCE}@3", "axb", "ab") == approx(0.75 + 0.75 / 4)


def test_lets_better_items_deserve_more():
    truth = {"a": 2, "b": 1}
    assert value(RELEVANCE, "ba", truth) == approx(0.5 + 0.5)
    assert value(f"{RELEVANCE}(grades=binary)", "ba", truth) == approx(0.75 * 1.5)


@mark.parametrize("grades", ["given", "binary"])
def test_items_that_are_not_relevant_deserve_nothing(grades):
    # a and b deserve (1 + 1/2) / 2 each.
    metric = f"{RELEVANCE}(grades={grades})@9"
    assert value(metric, "axcb", {"a": 2, "b": 2, "c": 0, "z": 0}) == approx(0.75 * (1 + 0.125))
    assert value(metric, "a", "a") == 1
    assert without_list(metric, "ab") == 0


def test_without_hit_is_0_and_without_relevant_item_undefined():
    assert value(RELEVANCE, "xy", "ab") == 0
    assert value(RELEVANCE, "xy", {"x": 0}, population="judged") is None
    assert value(f"{RELEVANCE}(grades=binary)", "xy", {"x": 0}, population="judged") is None
