from pytest import approx

from ..tables import predicted
from .test_cohen_kappa import JUDGE, PEOPLE, graded


def alpha(judge, people):
    return predicted("krippendorff_alpha", graded(judge, people))


def test_is_that_of_the_library_on_an_interval_scale():
    assert alpha(JUDGE, PEOPLE) == approx(0.8362068965517242, abs=1e-12)


def test_of_labels_0_and_1_is_the_nominal_alpha():
    # 2 of 8 items differ; of 16 labels 8 are 1, so that 2 * 8 * 8 of 16 * 15 pairs do.
    found = alpha((1, 1, 0, 0, 1, 0, 1, 1), (1, 0, 0, 0, 1, 0, 1, 0))
    assert found == approx(1 - (2 / 8) / (2 * 8 * 8 / (16 * 15)))


def test_compares_with_all_pairs_of_grades():
    # Of 2, 4, 1 and 2 the six pairs have squares of 4, 1, 0, 9, 4 and 1; items have 1 and 4.
    assert alpha((2.0, 4.0), (1.0, 2.0)) == approx(1 - (5 / 2) / (19 / 6))


def test_keeps_its_digits_far_from_0():
    assert alpha((1e9 + 2, 1e9 + 4), (1e9 + 1, 1e9 + 2)) == approx(1 - (5 / 2) / (19 / 6), abs=1e-9)


def test_of_equal_grades_is_undefined():
    assert alpha((0.1,) * 3, (0.1,) * 3) is None
