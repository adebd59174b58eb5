"""Fairness: recorded values of Elliot 0.3.1, and of expeval by the authors of expected exposure."""

import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, rows, table, wanted


def test_expected_exposure_is_that_of_its_authors():
    result = sqlrec.evaluate(
        "eed eer eel eer(grades=binary) eel(grades=binary)",
        recs=lists({"1": "bxa", "2": "yd"}),
        truth=wanted({"1": {"a": 2, "b": 1, "c": 1}, "2": {"d": 1, "e": 3}}),
    )
    results: dict[str, list[float]] = {}
    for row in result.per_user().to_arrow().sort_by("user_id").to_pylist():
        results.setdefault(row["metric"], []).append(row["value"])
    # expeval -u rbp -p 0.5 -U, and with -B.
    assert results == {
        "expected_exposure_disparity": approx([1.3125, 1.25]),
        "expected_exposure_relevance": approx([0.625, 0.25]),
        "expected_exposure_loss": approx([1.34375, 2]),
        "expected_exposure_relevance(grades=binary)": approx([0.729167, 0.375], abs=1e-6),
        "expected_exposure_loss(grades=binary)": approx([0.875, 1.625]),
    }


def test_bias_disparity_is_that_of_elliot():
    shown = {0: "07418", 1: "63074", 2: "41852", 3: "41852", 4: "63074", 5: "07418"}
    had = {0: "0123", 1: "3579", 2: "6925", 3: "9371", 4: "27", 5: "5173"}
    groups = [(str(item), str(item % 3)) for item in range(10)]
    sexes = [(str(user), user % 2) for user in range(6)]
    result = sqlrec.evaluate(
        [f"bias_disparity(group={group})@4" for group in range(3)],
        recs=lists({str(user): items for user, items in shown.items()}),
        history=lists({str(user): items for user, items in had.items()}),
        items=table(groups, item_id=pa.string(), item_group=pa.string()),
        users=table(sexes, user_id=pa.string(), sex=pa.int64()),
        by="sex",
    )
    # BiasDisparityBD with cutoff 4: user group 0 with item groups 0, 1 and 2, then user group 1.
    assert [value for _, value in sorted(rows(result, "sex", "value"), key=lambda one: one[0])] == [
        *(approx(-0.16666666666666674), approx(1.4999999999999998), approx(-0.5833333333333334)),
        *(approx(-0.20000000000000012), approx(0.1999999999999999), approx(0.0, abs=1e-15)),
    ]
