from string import ascii_letters

from pytest import approx, mark

from ..tables import value, without_list

# Hits at 1, 4 and 5 of four relevant items: the precisions are 1, 1/2 and 3/5.
SHOWN, WANTED = "axybc", "abcd"
GRADED = {"a": 3, "b": 0.5, "c": 2, "d": 2, "x": 0, "w": 0, "z": 0}


@mark.parametrize("relevant", [WANTED, GRADED])
def test_averages_the_interpolated_precision_at_eleven_points(relevant):
    # To the nearest item: 0 0 1 1 2 2 2 3 3 4 4 of them are needed.
    expected = (4 * 1 + 5 * 3 / 5 + 2 * 0) / 11
    assert value("eleven_point_ap", SHOWN, relevant) == approx(expected)
    points = [value(f"iprec(recall={tenth / 10})", SHOWN, WANTED) for tenth in range(11)]
    assert value("11pt", SHOWN, WANTED) == approx(sum(points) / 11)


def test_can_ask_for_so_many_items_that_the_recall_is_reached():
    # 0 1 1 2 2 2 3 3 4 4 4
    expected = (3 * 1 + 5 * 3 / 5 + 3 * 0) / 11
    assert value("11pt_avg(rounding=up)", SHOWN, WANTED) == approx(expected)


def test_can_go_up_from_a_tenth_of_an_item_on():
    # 0 1 1 1 2 2 2 2 3 3 3, where 0.7 of three items is taken for two.
    expected = (4 * 1 + 4 * 2 / 3 + 3 * 3 / 6) / 11
    assert value("11pt(rounding=tenth)", "axbyzc", "abc") == approx(expected)


@mark.parametrize(
    "rounding, relevant, found, reached",
    # Doubles have 0.7 of 45 items a little below 31.5, and 0.7 of three and 0.9 below 3.
    [("nearest", 45, 31, 8), ("nearest", 15, 10, 7), ("tenth", 3, 2, 8), ("up", 45, 31, 7)],
)
def test_reaches_a_recall_as_doubles_have_it(rounding, relevant, found, reached):
    metric = f"11pt(rounding={rounding})"
    assert value(metric, ascii_letters[:found], ascii_letters[:relevant]) == approx(reached / 11)


def test_is_1_for_a_perfect_list_and_ends_at_the_cutoff():
    assert value("11pt", "abcdx", WANTED) == approx(1)
    assert value("11pt", "a", "a") == approx(1)
    assert value("11pt@2", "abcdx", WANTED) == approx(7 / 11)


def test_is_undefined_without_relevant_item_and_0_without_list():
    assert value("11pt", "ab", {"a": 0}, population="judged") is None
    assert without_list("11pt", "a") == 0
