from pytest import approx, mark

from ..tables import JUDGED, value, without_list


def test_loses_a_share_for_each_item_judged_not_relevant_above_a_hit():
    judged = {"a": 1, "b": 0, "c": 1, "d": 0, "e": 1}
    assert value("bpref", "abcde", judged) == approx((1 + (1 - 1 / 2) + (1 - 2 / 2)) / 3)


@mark.parametrize("graded", [False, True])
def test_grades_do_not_matter(graded):
    # c, one of four judged not relevant, stands above d; three are relevant.
    judged = JUDGED if graded else {item: float(grade > 0) for item, grade in JUDGED.items()}
    assert value("bpref@9", "abcde", judged) == approx((1 + 1 - 1 / 3) / 3)


def test_does_not_count_items_without_judgement():
    assert value("bpref", "xaybzc", {"a": 1, "b": 0, "c": 1}) == approx((1 + 0) / 2)


def test_does_not_count_grades_below_0_unless_they_are_relevant():
    judged = {"a": -1, "b": 1, "c": 0}
    assert value("bpref", "abc", judged) == 1
    assert value("bpref", "cab", judged, relevance_threshold=-1) == 1
    assert value("bpref", "cab", judged) == 0
    assert value("bpref", "ab", {"a": -1, "b": 1}) == 1
    # Of c and a above b the one is judged not relevant.
    assert value("bpref", "cab", judged | {"d": 0, "e": 1}) == approx((1 - 1 / 2) / 2)


def test_looks_at_no_more_of_them_than_there_are_relevant_items():
    judged = {"a": 0, "b": 1, "c": 0, "d": 0}
    assert value("bpref", "abcd", judged) == 0
    assert value("bpref", "abcde", judged | {"e": 1}) == approx((1 - 1 / 2 + 1 - 2 / 2) / 2)


def test_is_the_recall_where_nothing_is_judged_not_relevant():
    assert value("bpref", "xayb", "abcd") == approx(2 / 4)


def test_may_be_undefined_there_unless_there_is_no_hit():
    metric = "bpref(without_nonrelevant=undefined)"
    assert value(metric, "xayb", "abcd") is None
    assert value(metric, "a", "a") is None
    assert value(metric, "ab", {"a": 1, "b": -1}) is None
    assert value(metric, "xayb", "cd") == 0
    judged = {"a": 1, "b": 0, "c": 1}
    assert value(metric, "abc", judged) == value("bpref", "abc", judged) == approx(1 / 2)


def test_ends_at_the_cutoff_if_one_is_asked():
    judged = {"a": 1, "b": 0, "c": 1}
    assert value("bpref@2", "abc", judged) == approx(1 / 2)


def test_is_undefined_without_relevant_item_and_0_without_list():
    assert value("bpref", "ab", {"a": 0}, population="judged") is None
    assert value("bpref", "xy", {"a": 0}, population="judged") is None
    assert without_list("bpref", {"a": 1, "b": 0}) == 0
