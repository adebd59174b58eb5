"""The reference vectors: tiny tables with the values of all forms of metrics."""

import importlib.util
import json
import re
from fractions import Fraction
from pathlib import Path

import jsonschema
from pytest import approx, mark

from sqlrec.analyses.identify_tables import METRICS, forms_on_tables, small_table, values_of
from sqlrec.analyses.seeds import SEEDS
from sqlrec.catalogue.requests import parse_metrics

from . import in_house

FOLDER = Path(__file__).parents[1] / "vectors"
VECTORS = json.loads((FOLDER / "vectors.json").read_text(encoding="utf-8"))


def script(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers(form):
    return [None if value is None else float(Fraction(value)) for value in form["values"]]


def form_of(metric, library):
    return next(one for one in VECTORS["metrics"][metric] if library in one["computed_by"])


def test_they_follow_the_schema():
    schema = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(VECTORS, schema)
    count = len(VECTORS["tables"])
    assert [*VECTORS["metrics"]] == [*METRICS]
    for forms in VECTORS["metrics"].values():
        assert all(len(form["values"]) == count for form in forms)


def test_the_tables_are_those_of_the_seeds():
    tables = [script("update").describe(small_table(seed, VECTORS["k"])) for seed in SEEDS]
    assert VECTORS["tables"] == tables, "run python vectors/update.py"


@mark.parametrize("metric", ["hit_rate"])
def test_the_values_are_current(metric):
    own, forms = catalogue(metric)
    assert [form.names for form in forms] == [x["computed_by"] for x in VECTORS["metrics"][metric]]
    tables = [small_table(seed, own.k) for seed in SEEDS]
    values = values_of([form.request for form in forms], tables)
    for form, known in zip(forms, VECTORS["metrics"][metric], strict=True):
        assert numbers(known) == approx(values[form.request.label], abs=1e-12, nan_ok=True)


@mark.parametrize("metric", METRICS)
def test_all_forms_of_the_catalogue_are_there(metric):
    _, forms = catalogue(metric)
    known = [form["computed_by"] for form in VECTORS["metrics"][metric]]
    assert known == [form.names for form in forms], "run python vectors/update.py"


def catalogue(metric):
    (own,) = parse_metrics(f"{metric}@{VECTORS['k']}")
    return own, [form for form in forms_on_tables(own) if form.names]


@mark.parametrize(
    "metric, library, function",
    [
        ("precision", "rexmex", in_house.precision_of_list),
        ("recall", "replay", in_house.recall),
        ("reciprocal_rank", "rectools", in_house.mrr),
        ("average_precision", "rs_metrics-0.4", in_house.map_of_hits),
        ("ndcg", "lenskit NDCG", in_house.ndcg_late),
    ],
)
def test_plain_python_has_the_same_values(metric, library, function):
    expected = numbers(form_of(metric, library))
    compared = 0
    for table, value in zip(VECTORS["tables"], expected, strict=True):
        if {"ties", "negative", "truth_repeats", "list_repeats", "no_list", "zeros"} & {
            *table["features"]
        }:
            continue
        recs, truth = {}, {}
        for user, item, _ in table["recs"]:
            recs.setdefault(user, []).append(item)
        for user, item, grade in table["truth"]:
            if grade > 0:
                truth.setdefault(user, {})[item] = grade
        if value is not None and not {"no_relevant", "unjudged"} & {*table["features"]}:
            assert function(recs, truth, VECTORS["k"]) == approx(value, abs=1e-12)
            compared += 1
    assert compared >= 2


def test_fractions_are_exact():
    exact = script("update").exact
    assert [exact(x) for x in (0.75, 1 / 3, 0.0, 1.0, None)] == ["3/4", "1/3", "0", "1", None]
    assert exact(2**-0.5) == 2**-0.5


def test_the_page_of_libraries_is_that_of_the_runs():
    rows = json.loads((FOLDER / "agreement.json").read_text(encoding="utf-8"))
    page = (FOLDER / "agreement.md").read_text(encoding="utf-8")
    assert page == script("run").page(rows), "run python vectors/run.py"
    assert rows and all(row["equal"] + len(row["differs"]) == row["tables"] for row in rows)


def test_the_example_of_the_readme_finds_a_form(capsys, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(), flags=re.S)
    monkeypatch.chdir(FOLDER)

    def my_ndcg(recs, truth, k):
        lists = {user: [] for user, *_ in recs}
        grades = {user: {} for user, *_ in truth}
        for user, item, _ in sorted(recs, key=lambda row: -row[2]):
            lists[user].append(item)
        for user, item, grade in truth:
            grades[user][item] = max(grade, grades[user].get(item, 0))
        try:
            return in_house.ndcg_usual(lists, grades, k)
        except ZeroDivisionError:
            return None

    exec(code, {"my_ndcg": my_ndcg})
    best = max(capsys.readouterr().out.splitlines(), key=lambda line: int(line.split()[0]))
    assert int(best.split()[0]) > len(SEEDS) * 0.7
