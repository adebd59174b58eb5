from pytest import approx

import sqlrec

from ..tables import lists, values


def ask(metric, ours, theirs):
    given = {"recs": lists({"ann": ours}), "baseline": lists({"ann": theirs})}
    return values(sqlrec.evaluate(metric, **given))


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


def test_is_all_where_nothing_is_known():
    result = sqlrec.evaluate(
        "rbo_residual@2", recs=lists({"bob": "c"}), baseline=lists({"ann": "ab"})
    )
    assert values(result) == approx([1])


def test_is_little_where_long_lists_are_alike():
    items = [f"i{number}" for number in range(1000)]
    assert ask("rbo_residual@all", items, items) == approx([0], abs=1e-14)
