from pytest import approx

import sqlrec

from ..tables import lists, values, wanted

# Of 10 pairs a has 6, b 2, c and d 1 each.
HISTORY = lists({"1": "abcd", "2": "ab", "3": "a", "4": "a", "5": "a", "6": "a"})
RECS = lists({"ann": "abc", "bob": "acx"})


def pop_reo(metric, truth):
    return values(sqlrec.evaluate(metric, recs=RECS, truth=wanted(truth), history=HISTORY))


def test_compares_what_is_found_of_popular_and_of_other_items():
    # a and b have 8 of 10. Of them 2 of 3 are found, of c and d 1 of 2.
    truth = {"ann": "abc", "bob": "bcd"}
    assert pop_reo("pop_reo@2", {"ann": "ab", "bob": "bcd"}) == approx(
        [(2 / 3 - 1 / 2) / (2 / 3 + 1 / 2)]
    )
    # With 0.5 the head is a alone: 1 of 1 is found, and of the others 2 of 5.
    assert pop_reo("pop_reo(head=0.5)@2", truth) == approx([(1 - 2 / 5) / (1 + 2 / 5)])


def test_counts_the_item_that_reaches_the_share_in_the_head():
    # With 0.7 the head is a and b.
    truth = {"ann": "ab", "bob": "bcd"}
    assert pop_reo("pop_reo(head=0.7)@2", truth) == pop_reo("pop_reo@2", truth)


def test_one_popular_item_and_one_other_are_enough():
    # a, which ann wants, is found, and of c and d, which bob wants, c.
    truth = {"ann": "a", "bob": "cd"}
    assert pop_reo("pop_reo@2", truth) == approx([(1 - 1 / 2) / (1 + 1 / 2)])
    truth = {"ann": "ab", "bob": "bc"}
    assert pop_reo("pop_reo@2", truth) == approx([(1 - 2 / 3) / (1 + 2 / 3)])


def test_leaves_out_items_without_history():
    truth = {"ann": "ab", "bob": "bcdx"}
    assert pop_reo("pop_reo@3", truth) == approx([(2 / 3 - 1 / 2) / (2 / 3 + 1 / 2)])


def test_where_nobody_wants_one_of_the_two_is_undefined():
    assert pop_reo("pop_reo@2", {"ann": "ab"}) == [None]


def test_where_nothing_that_is_wanted_is_found_is_undefined():
    assert pop_reo("pop_reo@1", {"ann": "bd"}) == [None]
