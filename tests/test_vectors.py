"""Reference vectors: tiny tables with the values of all forms of metrics."""

import importlib.util
import json
import re
from fractions import Fraction
from functools import partial
from math import log2
from operator import itemgetter
from pathlib import Path

from pytest import approx, mark, param

import sqlrec
from sqlrec.analyses.identify_tables import (
    OF_REPEATS,
    OF_SCORES,
    OF_USERS,
    are_equal,
    evaluate_requests,
    forms_on_tables,
    small_table,
)
from sqlrec.analyses.seeds import SEEDS
from sqlrec.catalogue.requests import parse_metrics

from . import in_house
from .packages import jsonschema

FOLDER = Path(__file__).parents[1] / "vectors"
VECTORS = json.loads((FOLDER / "vectors.json").read_text(encoding="utf-8"))


def script(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


UPDATE = script("update")
METRICS = UPDATE.METRICS


def numbers(form):
    return [None if value is None else float(Fraction(value)) for value in form["values"]]


def form_of(metric, library):
    return next(one for one in VECTORS["metrics"][metric] if library in one["computed_by"])


@mark.slow
def test_vectors_follow_the_schema():
    schema = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(VECTORS, schema)


def test_each_form_has_a_value_of_each_table():
    count = len(VECTORS["tables"])
    assert [*VECTORS["metrics"]] == [*METRICS]
    for forms in VECTORS["metrics"].values():
        assert all(len(form["values"]) == count for form in forms)


def test_the_tables_are_those_of_the_seeds():
    tables = [UPDATE.describe(small_table(seed, VECTORS["k"])) for seed in SEEDS]
    assert VECTORS["tables"] == tables, "run python vectors/update.py"


@mark.slow
@mark.parametrize("metric", ["hit_rate"])
def test_the_values_are_current(metric):
    own, forms = catalogue(metric)
    assert [form.names for form in forms] == [x["computed_by"] for x in VECTORS["metrics"][metric]]
    tables = [small_table(seed, own.k) for seed in SEEDS]
    values = evaluate_requests([form.request for form in forms], tables)
    for form, known in zip(forms, VECTORS["metrics"][metric], strict=True):
        assert numbers(known) == approx(values[form.request.label], abs=1e-12, nan_ok=True)


@mark.parametrize("metric", METRICS)
def test_vectors_have_all_forms_of_the_catalogue(metric):
    _, forms = catalogue(metric)
    known = [form["computed_by"] for form in VECTORS["metrics"][metric]]
    assert known == [form.names for form in forms], "run python vectors/update.py"


def catalogue(metric):
    (own,) = parse_metrics(f"{metric}@{VECTORS['k']}")
    return own, [form for form in forms_on_tables(own) if form.names]


def precision_of_list(items, relevant):
    return len({*items} & relevant) / len(items)


def recall(items, relevant):
    return len({*items} & relevant) / len(relevant)


def reciprocal_rank(items, relevant):
    return max((1 / n for n, item in enumerate(items, 1) if item in relevant), default=0)


def average_precision_of_hits(items, relevant):
    ranks = [n for n, item in enumerate(items, 1) if item in relevant]
    return sum(n / rank for n, rank in enumerate(ranks, 1)) / max(1, len(ranks))


@mark.parametrize(
    "metric, library, function",
    [
        ("precision", "rexmex", precision_of_list),
        ("recall", "replay", recall),
        ("reciprocal_rank", "rectools", reciprocal_rank),
        ("average_precision", "rs_metrics-0.4", average_precision_of_hits),
        ("ndcg", "lenskit NDCG", partial(in_house.ndcg_old_discount, k=3)),
    ],
)
def test_plain_python_has_the_same_values(metric, library, function):
    odd = {*OF_USERS, *OF_SCORES, *OF_REPEATS, "zeros"} - {"users"}
    compared = 0
    for seed, value in zip(SEEDS, numbers(form_of(metric, library)), strict=True):
        table = small_table(seed, VECTORS["k"])
        if not table.features & odd:
            users = [
                function([i for i, _ in listed][: table.k], {i for i, _ in judged})
                for listed, judged in table.users.values()
            ]
            assert sum(users) / len(users) == approx(value, abs=1e-12)
            compared += 1
    assert compared >= 2


def test_fractions_are_exact():
    exact = UPDATE.exact
    assert [exact(x) for x in (0.75, 1 / 3, 0.0, 1.0, None)] == ["3/4", "1/3", "0", "1", None]
    assert exact(2**-0.5) == 2**-0.5


AGREEMENT = json.loads((FOLDER / "agreement.json").read_text(encoding="utf-8"))
LIBRARIES = sorted({row["library"] for row in AGREEMENT})


def test_libraries_ran_on_all_metrics_that_they_share_with_the_vectors():
    assert {"ranx", "rectools", "sklearn", "torchmetrics", "trec_eval"} <= {*LIBRARIES}
    assert all(row["equal"] + len(row["differs"]) == row["tables"] > 0 for row in AGREEMENT)
    for metric in ("ndcg", "average_precision", "reciprocal_rank", "recall", "precision"):
        names = {
            name.split()[0] for form in VECTORS["metrics"][metric] for name in form["computed_by"]
        }
        rows = {row["library"] for row in AGREEMENT if metric_of(row) == metric}
        assert rows >= names & {"ranx", "rectools", "torchmetrics"}


def test_examples_of_docstrings_are_counted():
    counts = {(row["library"], row["metric"]): row["examples"] for row in AGREEMENT}
    assert all(equal <= count for equal, count in counts.values())
    for library in ("rectools", "sklearn", "torchmetrics"):
        assert any(count for (name, _), (_, count) in counts.items() if name == library)


def metric_of(row):
    entries = sqlrec.conventions()[row["library"]].entries
    return next(entry.metric for entry in entries if entry.name == row["metric"])


# pytrec_eval is among the packages of the tests; others are installed in their environments.
@mark.parametrize(
    "library",
    [param(name, marks=mark.slow if name == "trec_eval" else mark.weekly) for name in LIBRARIES],
)
def test_libraries_return_the_values_of_the_page(library):
    rows = script("run").run(library, library == "trec_eval", VECTORS)
    expected = [row for row in AGREEMENT if row["library"] == library]
    assert sorted(rows, key=itemgetter("metric")) == sorted(expected, key=itemgetter("metric"))


def test_the_example_of_the_readme_finds_a_form(capsys, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(), flags=re.S)
    monkeypatch.chdir(FOLDER)

    def my_ndcg(recs, truth, k):
        users = {user for user, _, grade in truth if grade > 0}
        values = []
        for user in users:
            grades = {i: g for u, i, g in sorted(truth, key=lambda row: row[2]) if u == user}
            listed = sorted((row for row in recs if row[0] == user), key=lambda row: -row[2])
            ideal = dcg(sorted(grades.values(), reverse=True)[:k])
            values.append(dcg([grades.get(item, 0) for _, item, _ in listed[:k]]) / ideal)
        return sum(values) / len(values) if values else None

    def dcg(gains):
        return sum(gain / log2(n + 2) for n, gain in enumerate(gains))

    exec(code, {"my_ndcg": my_ndcg})
    best = max(capsys.readouterr().out.splitlines(), key=lambda line: int(line.split()[0]))
    assert int(best.split()[0]) > len(SEEDS) * 0.7


def test_the_greedy_cover_separates_all_pairs_that_differ():
    values = {"a": [1, 1, 0], "b": [1, 0, 0], "c": [1, 1, 0], "d": [1, None, 1]}
    assert UPDATE.separating([values], [5, 5, 1]) == [1]
    assert UPDATE.separating([values], [5, 5, 1], times=2) == [1, 2]
    assert UPDATE.separating([{"a": [1, 2, 3], "b": [1, 1, 1]}], [5, 5, 1]) == [2]


@mark.weekly
@mark.parametrize("metric", METRICS)
def test_the_tables_separate_all_forms_that_a_hundred_tables_separate(metric):
    (own,) = parse_metrics(f"{metric}@3")
    requests = [form.request for form in forms_on_tables(own)]
    chosen = evaluate_requests(requests, [small_table(seed, 3) for seed in SEEDS])
    more = evaluate_requests(requests, [small_table(seed, 3) for seed in range(100)])
    labels = [*chosen]
    for number, first in enumerate(labels):
        for second in labels[:number]:
            if not equal(more[first], more[second]):
                assert not equal(chosen[first], chosen[second]), (first, second)


def equal(first, second):
    return all(map(are_equal, first, second))
