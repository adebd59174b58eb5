from math import log

from pytest import approx

from ..tables import predicted

ANN = {"a": (0.9, 1.0), "b": (0.4, 0.0)}
BOB = {"a": (0.5, 1.0)}


def test_is_the_mean_surprise_at_the_rated_items():
    losses = [-log(0.9), -log(0.6), -log(0.5)]
    assert predicted("log_loss", ANN, BOB) == approx(sum(losses) / 3)
    mean = ((losses[0] + losses[1]) / 2 + losses[2]) / 2
    assert predicted("log_loss(average=users)", ANN, BOB) == approx(mean)


def test_chances_of_nothing_and_of_more_than_all_are_kept_within_bounds():
    sure = {"a": (0.0, 1.0), "b": (1.0, 0.0), "c": (-2.0, 0.0), "d": (3.0, 1.0)}
    assert predicted("log_loss", sure) == approx(-2 * log(1e-15) / 4, rel=1e-3)


def test_takes_log_odds_of_any_size():
    odds = {"a": (log(9), 1.0), "b": (log(2 / 3), 0.0), "c": (-1000.0, 1.0), "d": (1000.0, 0.0)}
    expected = (-log(0.9) - log(0.6) + 2000) / 4
    assert predicted("log_loss(of=logits)", odds) == approx(expected)
