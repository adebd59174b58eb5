from pytest import approx, mark

from ..tables import value

P, R = 2 / 4, 2 / 3


@mark.parametrize("name", ["f_beta", "f1", "F1"])
def test_is_the_harmonic_mean_of_precision_and_recall(name):
    assert value(f"{name}@4", "abcd", "bdx") == approx(2 * P * R / (P + R))


@mark.parametrize("beta", [0.5, 2, 3.25])
def test_beta_weighs_recall(beta):
    expected = (1 + beta**2) * P * R / (beta**2 * P + R)
    assert value(f"f_beta(beta={beta})@4", "abcd", "bdx") == approx(expected)


def test_is_0_without_hit():
    assert value("f1@4", "abcd", "x") == 0
