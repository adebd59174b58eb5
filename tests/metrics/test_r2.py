from pytest import approx, mark

from ..tables import predicted


@mark.parametrize("name", ["r2", "R_squared"])
def test_is_the_share_of_the_variance_of_all_grades_that_scores_predict(name):
    # Grades 1, 3 and 5 around 3, errors of 1, 0 and 2.
    users = {"a": (2.0, 1.0), "b": (3.0, 3.0)}, {"a": (3.0, 5.0)}
    assert predicted(name, *users) == approx(1 - (1 + 0 + 4) / (4 + 0 + 4))


def test_is_1_for_scores_that_are_the_grades_and_0_for_their_mean():
    assert predicted("r2", {"a": (1.0, 1.0), "b": (4.0, 4.0)}) == 1
    assert predicted("r2", {"a": (2.5, 1.0), "b": (2.5, 4.0)}) == 0


def test_of_a_variance_of_1_is_what_the_errors_leave_of_it():
    # Around 1 / 2 the four grades have squares of 1 together.
    ann = {"a": (1.0, 1.0), "b": (0.5, 1.0), "c": (0.0, 0.0), "d": (0.0, 0.0)}
    assert predicted("r2", ann) == approx(1 - 1 / 4)


def test_is_below_0_for_scores_that_are_worse_than_the_mean():
    assert predicted("r2", {"a": (4.0, 1.0), "b": (1.0, 4.0)}) == approx(1 - 18 / 4.5)


def test_looks_at_the_items_within_k():
    ann = {"a": (5.0, 4.0), "b": (4.0, 2.0), "c": (3.0, -9.0)}
    assert predicted("r2@2", ann) == approx(1 - (1 + 4) / 2)


@mark.parametrize("grade", [0.1, 3.0])
def test_is_undefined_where_all_grades_are_equal(grade):
    # The mean of three times 0.1 is not 0.1, once it is rounded.
    assert predicted("r2", {item: (1.0, grade) for item in "abc"}) is None


def test_of_equal_grades_may_be_0_and_1_where_they_are_predicted():
    assert predicted("r2(constant=zero)", {item: (1.0, 0.1) for item in "abc"}) == 0
    assert predicted("r2(constant=zero)", {"a": (2.0, 2.0), "b": (2.5, 2.0)}) == 0
    assert predicted("r2(constant=zero)", {"a": (2.0, 2.0), "b": (2.0, 2.0)}) == 1
    assert predicted("r2(constant=zero)", {"a": (2.0, 1.0), "b": (3.0, 3.0)}) == approx(1 - 1 / 2)


def test_keeps_its_digits_far_from_0():
    far = 1e9
    ann = {"a": (far + 2, far + 1), "b": (far + 3, far + 3), "c": (far + 3, far + 5)}
    assert predicted("r2", ann) == approx(1 - (1 + 0 + 4) / (4 + 0 + 4), abs=1e-12)
