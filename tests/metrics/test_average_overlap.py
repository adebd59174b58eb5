from pytest import approx

import sqlrec

from ..tables import lists, values
from .test_rbo import ask


def test_is_the_mean_agreement_of_all_depths():
    assert ask("average_overlap@3", "abc", "bax") == approx([(0 + 2 / 2 + 2 / 3) / 3])


def test_goes_on_to_the_end_of_the_longer_list():
    assert ask("ao@5", "ab", "axby") == approx([(1 + 1 / 2 + 2 / 3 + 2 / 4) / 4])


def test_ends_there_beside_a_metric_that_goes_on():
    expected = (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    assert ask("ao@9 rbo_residual@9", "abc", "axyz")[0] == approx(expected)


def test_divided_by_k_depths_past_both_lists_agree_in_nothing():
    assert ask("ao(divide_by=k)@5", "ab", "ab") == approx([2 / 5])


def test_both_lists_are_cut():
    assert ask("ao@1", "ab", "ba") == [0]


def test_without_baseline_it_is_0():
    result = sqlrec.evaluate(
        "ao@2", recs=lists({"ann": "ab", "bob": "c"}), baseline=lists({"ann": "ab"})
    )
    assert values(result) == [1 / 2]
