from pytest import approx, mark

import sqlrec

from ..tables import JUDGED, lists, value, values, wanted, without_list

P, R = 2 / 4, 2 / 3


@mark.parametrize("name", ["f_beta", "f1", "F1"])
def test_is_the_harmonic_mean_of_precision_and_recall(name):
    assert value(f"{name}@4", "abcd", "bdx") == approx(2 * P * R / (P + R))


@mark.parametrize("beta", [0.5, 2, 3.25])
def test_beta_weighs_recall(beta):
    expected = (1 + beta**2) * P * R / (beta**2 * P + R)
    assert value(f"f_beta(beta={beta})@4", "abcd", "bdx") == approx(expected)


def test_is_the_mean_of_the_users_values_or_the_value_of_the_means():
    # Precision and recall of 1 / 2 and 1 / 2; of 1 / 2 and 1; of 0 without list.
    recs = lists({"ann": "ab", "bob": "ab"})
    truth = wanted({"ann": "ac", "bob": "b", "cid": "a"})
    found = values(sqlrec.evaluate("f1@2 f1(of=means)@2", recs=recs, truth=truth))
    precision, recall = (1 / 2 + 1 / 2) / 3, (1 / 2 + 1) / 3
    expected = 2 * precision * recall / (precision + recall)
    assert found == approx([(1 / 2 + 2 / 3) / 3, expected])


def test_of_means_weighs_recall_too_and_takes_it_of_users_with_a_relevant_item():
    recs = lists({"ann": "ab", "bob": "ab"})
    truth = wanted({"ann": {"a": 1, "c": 1}, "bob": {"a": 0}})
    metric = "f_beta(beta=2, of=means)@2"
    found = values(sqlrec.evaluate(metric, recs=recs, truth=truth, population="judged"))
    precision, recall = (1 / 2 + 0) / 2, 1 / 2
    assert found == approx([5 * precision * recall / (4 * precision + recall)])


def test_of_means_is_0_without_hit_and_undefined_without_relevant_item():
    metric = "f1(of=means)@2"
    assert value(metric, "ab", "x") == 0
    assert value(metric, "ab", {"a": 0}, population="judged") is None


@mark.parametrize("relevant", ["bdx", JUDGED])
@mark.parametrize("of", ["users", "means"])
@mark.parametrize(
    "divide_by, cutoff, places",
    [("k", 9, 9), ("k_or_length", 9, 9), ("k_or_length", "all", 5), ("list_length", 9, 5)],
)
def test_counts_hits_among_relevant_items_and_places(relevant, of, divide_by, cutoff, places):
    # Two hits of three relevant items; with P = 2 / places and R = 2 / 3 it comes to this.
    metric = f"f_beta(beta=2, of={of}, divide_by={divide_by})@{cutoff}"
    assert value(metric, "abcde", relevant) == approx(5 * 2 / (4 * 3 + places))


def test_may_be_of_the_precision_in_a_short_list():
    metric = "f1(divide_by=list_length)"
    assert value(f"{metric}@10", "abcd", "bdx") == approx(2 * P * R / (P + R))
    assert value(f"{metric}@all", "abcd", "bdx") == approx(2 * P * R / (P + R))
    assert value(f"{metric}@10", "abcd", {"a": 0}, population="judged") == 0
    assert without_list(f"{metric}@10", {"a": 0}, population="judged") == 0


def test_may_be_of_k_places_and_of_all_places_of_whole_lists():
    metric = "f1(divide_by=k_or_length)"
    assert value(f"{metric}@10", "abcd", "bdx") == approx(2 * 2 / (3 + 10))
    assert value(f"{metric}@all", "abcd", "bdx") == approx(2 * 2 / (3 + 4))


def test_of_means_may_be_of_the_precision_in_short_lists():
    recs, truth = lists({"ann": "ab", "bob": "a"}), wanted({"ann": "a", "bob": "a"})
    metric = "f1(of=means, divide_by=list_length)@5"
    found = values(sqlrec.evaluate(metric, recs=recs, truth=truth))
    precision = (1 / 2 + 1) / 2
    assert found == approx([2 * precision / (precision + 1)])


def test_is_0_without_hit():
    assert value("f1@4", "abcd", "x") == 0


def test_may_divide_by_what_is_shown_or_relevant():
    # One of two shown, of three relevant: 4 are known.
    metric = "f1(of={}, divide_by=known)@{}"
    for of in ("users", "means"):
        assert value(metric.format(of, 10), "ab", "axy") == approx(2 * 1 / (3 + 4))
        assert value(metric.format(of, 3), "ab", "axy") == approx(2 * 1 / (3 + 3))
