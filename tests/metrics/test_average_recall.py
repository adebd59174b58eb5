from pytest import approx, mark

from ..tables import JUDGED, value, without_list

# Hits stand at places 2 and 4, where recall is 1/3 and 2/3; x is wanted and not shown.
AT_HITS = 1 / 3 + 2 / 3


@mark.parametrize("name", ["average_recall", "mar", "AR"])
def test_is_the_mean_recall_at_the_hits(name):
    assert value(f"{name}@5", "abcde", "bdx") == approx(AT_HITS / 2)


@mark.parametrize("relevant", ["bdx", JUDGED])
def test_or_is_spread_over_the_list(relevant):
    assert value("mar@10", "abcde", relevant) == approx(AT_HITS / 2)
    assert value("mar(divide_by=list_length)@10", "abcde", relevant) == approx(AT_HITS / 5)


@mark.parametrize("divide_by", ["hits", "list_length", "achievable", "k"])
def test_is_0_without_hit(divide_by):
    assert value(f"mar(divide_by={divide_by})@3", "abc", "x") == 0
    assert without_list(f"mar(divide_by={divide_by})@3", "a") == 0


@mark.parametrize("divide_by", ["hits", "list_length", "achievable", "k"])
def test_is_1_for_the_only_item_and_undefined_without_relevant_item(divide_by):
    metric = f"mar(divide_by={divide_by})@1"
    assert value(metric, "a", "a") == 1
    assert value(metric, "a", {"a": 0}, population="judged") is None


@mark.parametrize("relevant", ["bdx", JUDGED])
def test_or_is_divided_by_the_relevant_items_or_taken_at_each_place(relevant):
    assert value("mar(divide_by=achievable)@10", "abcde", relevant) == approx(AT_HITS / 3)
    assert value("mar(divide_by=achievable)@2", "abcde", relevant) == approx(1 / 3 / 2)
    # Recall is 0 at the first place, 1/3 at the next two and 2/3 from the fourth on.
    assert value("mar(divide_by=k)@3", "abcde", relevant) == approx((0 + 1 / 3 + 1 / 3) / 3)
    assert value("mar(divide_by=k)@10", "abcde", relevant) == approx((2 / 3 + 7 * 2 / 3) / 10)
