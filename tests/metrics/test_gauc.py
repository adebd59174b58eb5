from pytest import approx, mark

from ..tables import predicted

# 1 of 2 pairs, 4 of 4, and nothing to compare.
ANN = {"a": (4.0, 0.0), "b": (3.0, 1.0), "c": (2.0, 0.0)}
BOB = {"a": (9.0, 1.0), "b": (8.0, 1.0), "c": (7.0, 0.0), "d": (6.0, 0.0)}
CID = {"a": (4.0, 1.0), "b": (3.0, 1.0)}


@mark.parametrize("name", ["gauc", "user_auc"])
def test_is_the_mean_of_the_users_shares_of_pairs_with_the_relevant_item_higher(name):
    assert predicted(name, ANN, BOB) == approx((1 / 2 + 1) / 2)


def test_leaves_out_users_whose_items_are_all_relevant_or_none():
    nothing = {"a": (1.0, 0.0), "b": (2.0, 0.0)}
    for weight in ("", "(weight=impressions)", "(weight=positives)"):
        assert predicted(f"gauc{weight}", ANN, CID, nothing) == 1 / 2
        assert predicted(f"gauc{weight}", CID, nothing) is None


def test_weighs_users_by_their_rated_items_or_the_relevant_ones():
    assert predicted("gauc(weight=impressions)", ANN, BOB) == approx((3 / 2 + 4) / 7)
    assert predicted("gauc(weight=positives)", ANN, BOB) == approx((1 / 2 + 2) / 3)
    graded = BOB | {"a": (9.0, 5.0)}
    assert predicted("gauc(weight=positives)", ANN, graded) == approx((1 / 2 + 2) / 3)


def test_counts_half_for_equal_scores():
    assert predicted("gauc", {"a": (2.0, 1.0), "b": (2.0, 0.0), "c": (3.0, 0.0)}) == 1 / 4


def test_looks_at_the_items_within_k():
    assert predicted("gauc@2", ANN) == 0
    assert predicted("gauc(weight=impressions)@3", ANN, BOB) == approx((3 / 2 + 3) / 6)
