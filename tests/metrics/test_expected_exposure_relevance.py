from pytest import approx

from ..tables import value

RELEVANCE = "expected_exposure_relevance"


def test_is_the_attention_that_falls_on_items_that_deserve_it():
    # a and b deserve (1 + 1/2) / 2 each.
    assert value(f"{RELEVANCE}@2", "axb", "ab") == approx(0.75)
    assert value(f"{RELEVANCE}@3", "axb", "ab") == approx(0.75 + 0.75 / 4)


def test_lets_better_items_deserve_more():
    truth = {"a": 2, "b": 1}
    assert value(RELEVANCE, "ba", truth) == approx(0.5 + 0.5)
    assert value(f"{RELEVANCE}(grades=binary)", "ba", truth) == approx(0.75 * 1.5)


def test_without_hit_is_0_and_without_relevant_item_undefined():
    assert value(RELEVANCE, "xy", "ab") == 0
    assert value(RELEVANCE, "xy", {"x": 0}, population="judged") is None
    assert value(f"{RELEVANCE}(grades=binary)", "xy", {"x": 0}, population="judged") is None
