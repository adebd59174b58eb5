from pytest import approx, mark

from ..tables import predicted

# Errors of 1, -2 and 0; and of 3.
ANN = {"a": (4.0, 3.0), "b": (3.0, 5.0), "c": (1.0, 1.0)}
BOB = {"a": (5.0, 2.0)}


@mark.parametrize("name", ["mae", "mean_absolute_error"])
def test_is_the_mean_of_the_errors_of_all_users_without_their_signs(name):
    assert predicted(name, ANN, BOB) == approx((1 + 2 + 0 + 3) / 4)


def test_or_the_mean_of_the_users_own():
    assert predicted("mae(average=users)", ANN, BOB) == approx(((1 + 2 + 0) / 3 + 3) / 2)


def test_looks_at_the_items_within_k():
    assert predicted("mae@1", ANN, BOB) == approx((1 + 3) / 2)


def test_leaves_out_users_without_rated_item():
    nobody = {"a": (1.0, None), "b": (None, 3.0)}
    assert predicted("mae(average=users)", BOB, nobody) == 3
