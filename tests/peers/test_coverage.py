"""Coverage and fairness: recorded values of other libraries.

LensKit 2025.8.1, Jurity 2.1.0 and RecTools 0.19.0 were run; Elliot 0.3.1 (fc27efe) and expeval
(69ab070), by the authors of expected exposure, from their sources.
"""

from pathlib import Path

import pyarrow as pa
from pytest import approx, mark

import sqlrec

from ..tables import lists, rows, table, wanted

MOVIETWEETINGS = Path(__file__).parents[3] / "shared" / "data" / "movietweetings" / "parquet"
ITEMS = 10506


@mark.skipif(not MOVIETWEETINGS.is_dir(), reason="its data is not part of the repository")
def test_lists_of_a_real_model_have_the_same_values():
    result = sqlrec.evaluate(
        "coverage@10 personalization@10 gini(items=catalog)@10 gini(items=catalog, weight=rank)@10 "
        "pop_reo@10 pop_rsp@10",
        recs=MOVIETWEETINGS / "recs.parquet",
        truth=MOVIETWEETINGS / "truth.parquet",
        catalog=MOVIETWEETINGS / "items.parquet",
        history=MOVIETWEETINGS / "train.parquet",
    )
    results = {name: v for model, name, v in rows(result, "model", "metric", "value")[:6]}
    assert results.pop("gini(items=catalog, weight=rank)") == approx(
        0.9735022188859705,
        abs=1e-8,  # LensKit ExposureGini, in 32 bits
    )
    assert results == approx(
        {
            "catalog_coverage": 0.23386636207881212,  # RecTools CatalogCoverage, normalized
            "inter_list_diversity": 0.7523323016548206,  # Jurity InterListDiversity, all users
            "gini(items=catalog)": 0.9706563971495289,  # LensKit ListGini
            "pop_reo": 0.9556912517978351,  # Elliot PopREO
            "pop_rsp": 0.9629859559125603,  # Elliot PopRSP
        },
        abs=1e-12,
    )
    # Elliot's Gini.
    assert 1 - results["gini(items=catalog)"] * ITEMS / (ITEMS - 1) == approx(0.02925120338382159)


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
