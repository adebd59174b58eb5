from math import sqrt

from pytest import approx, mark

from ..tables import predicted

# Errors of 1, -2 and 0; and of 3.
ANN = {"a": (4.0, 3.0), "b": (3.0, 5.0), "c": (1.0, 1.0)}
BOB = {"a": (5.0, 2.0)}


@mark.parametrize("name", ["rmse", "root_mean_squared_error"])
def test_is_one_root_of_the_errors_of_all_users(name):
    assert predicted(name, ANN, BOB) == approx(sqrt((1 + 4 + 0 + 9) / 4))


def test_or_the_mean_of_the_users_own_roots():
    assert predicted("rmse(average=users)", ANN, BOB) == approx((sqrt(5 / 3) + 3) / 2)


def test_looks_at_the_items_within_k():
    assert predicted("rmse@2", ANN, BOB) == approx(sqrt((1 + 4 + 9) / 3))


def test_leaves_out_users_without_rated_item():
    nobody = {"a": (1.0, None), "b": (None, 3.0)}
    assert predicted("rmse", BOB, nobody) == 3


def test_or_the_mean_of_roots_of_sums():
    assert predicted("rmse(average=sums)", ANN, BOB) == approx((sqrt(5) + 3) / 2)
