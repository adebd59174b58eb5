from pytest import approx, mark

from ..tables import predicted

JUDGE, PEOPLE = (3, 2, 0, 1, 3, 0, 2, 1, 1, 0), (3, 1, 0, 1, 2, 0, 2, 2, 0, 0)


def graded(judge, people):
    """Items with the judge's grade and that of people."""
    return {f"i{place}": pair for place, pair in enumerate(zip(judge, people, strict=True))}


@mark.parametrize("name", ["cohen_kappa", "quadratic_weighted_kappa"])
def test_is_that_of_scikit_learn_with_quadratic_weights(name):
    assert predicted(name, graded(JUDGE, PEOPLE)) == approx(0.829059829059829, abs=1e-12)


def test_of_labels_0_and_1_is_the_plain_kappa():
    # Both agree on 6 of 8; by chance on (5 * 3 + 3 * 5) / 64 of all.
    found = predicted("cohen_kappa", graded((1, 1, 0, 0, 1, 0, 1, 1), (1, 0, 0, 0, 1, 0, 1, 0)))
    chance = (5 * 3 + 3 * 5) / 64
    assert found == approx((6 / 8 - chance) / (1 - chance))


def test_takes_the_items_of_all_users_together():
    first, last = graded(JUDGE[:4], PEOPLE[:4]), graded(JUDGE[4:], PEOPLE[4:])
    assert predicted("cohen_kappa", first, last) == approx(0.829059829059829)


def test_is_below_the_correlation_where_scales_differ():
    # Twice the grades: errors of 1 and 4; around the mean grade of 1.5 scores have 1/4 and 25/4.
    found = predicted("cohen_kappa", graded((2.0, 4.0), (1.0, 2.0)))
    assert found == approx(1 - 5 / (0.25 + 6.25 + 0.5))


def test_of_opposite_judgements_is_minus_1():
    assert predicted("cohen_kappa", graded((0, 1), (1, 0))) == -1


def test_of_equal_grades_is_undefined_or_0():
    assert predicted("cohen_kappa", graded((0.1,) * 3, (0.1,) * 3)) is None
    assert predicted("cohen_kappa", graded((1, 0), (1, 1))) == approx(0)
