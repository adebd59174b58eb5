from math import log2

from pytest import approx, raises

import sqlrec

from ..tables import clicked, lists, rows, values

# Whose first item was shown where half look, and the second where one of eight does.
CLICKS = clicked(ann={"a": 0.5, "b": 0.125})


def found(metric, shown, truth=CLICKS):
    return sqlrec.evaluate(metric, recs=lists(shown), truth=truth)


def test_holds_the_list_against_the_least_likely_seen_first():
    # b weighs 8 and a 2: best first is b, a.
    best = 8 + 2 / log2(3)
    got = found("unbiased_ndcg@2 unbiased_ndcg@1", {"ann": "ab"})
    assert values(got) == approx([(2 + 8 / log2(3)) / best, 2 / 8])
    assert values(found("unbiased_ndcg@2", {"ann": "ba"})) == [1]


def test_cuts_weights():
    # With weights of 3 and 2 the best order is the same.
    got = found("unbiased_ndcg(cap=3)@2", {"ann": "ab"})
    assert values(got) == approx([(2 + 3 / log2(3)) / (3 + 2 / log2(3))])


def test_is_ndcg_where_all_is_as_likely():
    truth = clicked(ann={"a": 0.25, "c": 0.25}, bob={"b": 0.25})
    shown = {"ann": "bacd", "bob": "dab"}
    got = found("unbiased_ndcg@3 ndcg@3", shown, truth)
    assert values(got)[0] == approx(values(got)[1])


def test_counts_users_without_list_and_leaves_out_those_without_propensity():
    truth = clicked(
        ann={"a": 0.5},
        bob={"b": None, "n": float("nan")},
        cid={"c": 0.0},
        dan={"d": 0.5, "e": None},
    )
    got = found("unbiased_ndcg@2", {"bob": "bc", "dan": "ed"}, truth)
    assert rows(got, "value", "users") == [(approx(1 / log2(3) / 2), 2)]


def test_needs_a_propensity_that_is_a_probability():
    plain = CLICKS.drop_columns("propensity")
    with raises(sqlrec.InputError, match="truth has no column 'propensity'"):
        found("unbiased_ndcg@2", {"ann": "ab"}, plain)
    for wrong in (1.5, -0.5, 1e-101):
        with raises(sqlrec.DataError, match="item a of user ann has a propensity below 0, above 1"):
            found("unbiased_ndcg@2", {"ann": "ab"}, clicked(ann={"a": wrong}))
    # Others do not read it.
    assert values(found("ndcg@2", {"ann": "ab"}, clicked(ann={"a": 1.5}))) == [1]


def test_may_be_divided_by_all_weights_or_by_nothing():
    truth = clicked(ann={"a": 0.5, "b": 0.125})
    names = "unbiased_ndcg(divide_by=weights)@3 unbiased_ndcg(divide_by=nothing)@3"
    got = values(sqlrec.evaluate(names, recs=lists({"ann": "xab"}), truth=truth))
    dcg = 2 / log2(3) + 8 / log2(4)
    assert got == approx([dcg / 10, dcg])
