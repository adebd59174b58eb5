from pytest import approx, mark

import sqlrec

from ..tables import lists, values
from .test_rbo import ask


def endless(agreements, p):
    """The sum where all depths below agree wholly."""
    seen = sum(p**d * agreement for d, agreement in enumerate(agreements))
    return (1 - p) * seen + p ** len(agreements)


def test_is_what_lies_between_the_two_bounds():
    # At most each list goes on with what the other has: two more items of both at each depth.
    most = endless([0, 2 / 2, 2 / 3, 4 / 4], 0.9)
    least, residual = ask("rbo(form=minimum)@3 rbo_residual@3", "abc", "bax")
    assert least + residual == approx(most)


def test_of_lists_of_two_lengths_the_shorter_goes_on_first():
    # After ab, the shorter goes on with x and y, and then both with what is new to both.
    most = endless([1, 1 / 2, 2 / 3, 4 / 4], 0.5)
    metrics = "rbo(p=0.5, form=minimum)@all rbo_residual(p=0.5)@all"
    for ours, theirs in (("ab", "axyb"), ("axyb", "ab")):
        least, residual = ask(metrics, ours, theirs)
        assert least + residual == approx(most)


@mark.parametrize(
    "ours, theirs, agreements",
    [
        # After abc, x; then y, and c after axyb.
        ("abc", "axyb", [1, 1 / 2, 1 / 3, 3 / 4, 5 / 5]),
        # After abc, d to g one by one; from the fifth place on a to c after defg.
        ("abc", "defg", [0, 0, 0, 1 / 4, 3 / 5, 5 / 6, 7 / 7]),
    ],
)
@mark.parametrize("k", [9, "all"])
def test_goes_on_until_both_have_the_items_of_both(ours, theirs, agreements, k):
    metrics = f"rbo(p=0.5, form=minimum)@{k} rbo_residual(p=0.5)@{k}"
    for given in ((ours, theirs), (theirs, ours)):
        least, residual = ask(metrics, *given)
        assert least + residual == approx(endless(agreements, 0.5))


def test_is_all_where_nothing_is_known():
    result = sqlrec.evaluate(
        "rbo_residual@2", recs=lists({"bob": "c"}), baseline=lists({"ann": "ab"})
    )
    assert values(result) == approx([1])


def test_is_little_where_long_lists_are_alike():
    items = [f"i{number}" for number in range(1000)]
    assert ask("rbo_residual@all", items, items) == approx([0], abs=1e-14)
