from math import fsum, log

import pyarrow as pa
from pytest import approx, mark

import sqlrec

from ..tables import lists, rows, table, values


def ask(metric, ours, theirs):
    given = {"recs": lists({"ann": ours}), "baseline": lists({"ann": theirs})}
    return values(sqlrec.evaluate(metric, **given))


def test_the_same_list_agrees_wholly_and_no_common_item_not_at_all():
    assert ask("rbo@3 rbo@all", "abc", "abc") == approx([1, 1])
    assert ask("rbo@3 rbo@all", "abc", "xyz") == approx([0, 0])


def test_weighs_agreement_by_depth_and_takes_it_to_go_on():
    p = 0.9
    seen = (1 - p) * (0 + p * 2 / 2 + p**2 * 2 / 3)
    assert ask("rbo(form=truncated)@3", "abc", "bax") == approx([seen])
    assert ask("rbo@3", "abc", "bax") == approx([seen + p**3 * 2 / 3])


def test_the_minimum_has_no_more_items_in_both():
    p = 0.5
    # The sum of p^d / d over all depths d is -log(1 - p).
    beyond = 2 * (-log(1 - p) - p - p**2 / 2 - p**3 / 3) / p
    seen = (1 - p) * (0 + p * 2 / 2 + p**2 * 2 / 3)
    assert ask("rbo(p=0.5, form=minimum)@3", "abc", "bax") == approx([seen + (1 - p) * beyond])


@mark.parametrize("lists", [("abc", "axyb"), ("axyb", "abc")])
def test_lists_of_two_lengths_are_weighed_to_the_end_of_the_longer_whatever_is_asked_beside(lists):
    p = 0.5
    agreements = [1, 1 / 2, 1 / 3, 2 / 4]
    seen = (1 - p) * sum(p**d * agreement for d, agreement in enumerate(agreements))
    beyond = 2 * (-log(1 - p) - sum(p**d / d for d in range(1, 5))) / p
    # The shorter one is taken to have a third of the place that it lacks, and the rest as there.
    agreements[-1] = (2 + 1 / 3) / 4
    all_seen = (1 - p) * sum(p**d * agreement for d, agreement in enumerate(agreements))
    forms = "rbo(p=0.5, form=truncated)@9 rbo(p=0.5, form=minimum)@9 rbo(p=0.5)@9"
    expected = [seen, seen + (1 - p) * beyond, all_seen + p**4 * agreements[-1]]
    assert ask(forms, *lists) == approx(expected)
    assert ask(f"{forms} rbo_residual@9", *lists)[:3] == approx(expected)


def test_the_shorter_list_is_taken_to_agree_as_it_did():
    p = 0.5
    # One of the first two in both: so one half of each place more that the shorter list had.
    agreements = [1, 1 / 2, (1 + 1 / 2) / 3, (2 + 2 / 2) / 4]
    seen = (1 - p) * sum(p**d * agreement for d, agreement in enumerate(agreements))
    assert ask("rbo(p=0.5)@all", "ab", "axyb") == approx([seen + p**4 * agreements[-1]])
    assert ask("rbo(p=0.5)@all", "axyb", "ab") == approx([seen + p**4 * agreements[-1]])


def test_both_lists_are_cut():
    assert ask("rbo@1", "ab", "ba") == [0]


def test_gaps_between_ranks_close_up():
    ids = {"user_id": pa.string(), "item_id": pa.string(), "rank": pa.int64()}
    gaps = table([("ann", "a", 1), ("ann", "b", 3), ("ann", "c", 7)], **ids)
    result = sqlrec.evaluate("rbo@5 rbo@all", recs=gaps, baseline=lists({"ann": "abc"}))
    # Within 5 the first list is ab.
    assert values(result) == approx([1, 1])


def test_without_baseline_it_is_0():
    given = {"recs": lists({"ann": "ab", "bob": "c"}), "baseline": lists({"ann": "ab"})}
    for form in ("extrapolated", "minimum", "truncated"):
        metrics = [f"rbo(form={form})@2" if form != "extrapolated" else "rbo@2"]
        users = sqlrec.evaluate(metrics, **given).per_user().to_arrow().to_pylist()
        assert {row["user_id"]: row["value"] for row in users}["bob"] == 0


def test_stays_exact_for_long_lists_and_p_near_1():
    items = [f"i{number}" for number in range(3000)]
    metrics = ["rbo(p=0.999999)@all", "rbo(p=0.5)@all", "rbo(p=0.5, form=minimum)@all"]
    assert ask(metrics, items, items) == approx([1, 1, 1], abs=1e-13)
    p = 0.999999
    beyond = -log(1 - p) - fsum(p**d / d for d in range(1, 3001))
    least = 1 - p**3000 + (1 - p) / p * 3000 * beyond
    assert ask("rbo(p=0.999999, form=minimum)@all", items, items) == approx([least], abs=1e-12)


def test_scaled_goes_down_to_the_cutoff_and_divides_by_the_weights():
    p = 0.5
    # None, two and two items in both, and still two where the lists have ended.
    agreements = [0, 2 / 2, 2 / 3, 2 / 4, 2 / 5]
    expected = sum(p**d * agreement for d, agreement in enumerate(agreements))
    weights = sum(p**d for d in range(5))
    scaled = "rbo(p=0.5, form=scaled)"
    assert ask(f"{scaled}@5", "abc", "ba") == approx([expected / weights])
    assert ask(f"{scaled}@3 {scaled}@all", "abc", "abc") == approx([1, 1])
    # Beside metrics that have rows from the end of the lists on, too.
    asked = f"{scaled}@2 {scaled}@5 {scaled}@all rbo_residual(p=0.5)@5 rbo(p=0.5)@5"
    one, five, whole, *_ = ask(asked, "abc", "ba")
    assert [one, five] == approx([(0 + p) / (1 + p), expected / weights])
    assert whole == approx((0 + p + p**2 * 2 / 3) / (1 + p + p**2))


def test_users_without_baseline_can_be_left_out():
    given = {"recs": lists({"ann": "ab", "bob": "c"}), "baseline": lists({"ann": "ab"})}
    for form in ("minimum", "truncated", "scaled"):
        both = [f"rbo(form={form})@2", f"rbo(form={form}, without_baseline=undefined)@2"]
        result = sqlrec.evaluate(both, **given)
        (all_users, all_), (some, one) = rows(result, "value", "users")
        assert (all_, one) == (2, 1)
        assert some == approx(2 * all_users)
    assert values(sqlrec.evaluate("rbo(without_baseline=undefined)@2", **given)) == approx([1])
    # A baseline of one item is one, whether or not the list has it.
    undefined = "rbo(form=truncated, without_baseline=undefined)@2"
    assert ask(undefined, "ab", "x") == [0]
    assert ask(undefined, "ab", "a") == approx([0.1 * (1 + 0.9 / 2)])
