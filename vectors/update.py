"""Write vectors.json: tiny tables, and the values of all forms of metrics on them.

Run it when the catalogue of conventions changes: ``python vectors/update.py``. With ``--choose`` it
chooses the tables again, and writes their seeds.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlrec.analyses.forms import Form, describe_switch, switches_of
from sqlrec.analyses.identify_tables import (
    SmallTable,
    TableValues,
    are_equal,
    evaluate_requests,
    forms_on_tables,
    small_table,
)
from sqlrec.analyses.seeds import SEEDS
from sqlrec.analyses.waterfall import form_command
from sqlrec.catalogue.requests import parse_metrics

FILE = Path(__file__).parent / "vectors.json"
SEEDS_FILE = Path(__file__).parent.parent / "sqlrec" / "analyses" / "seeds.py"

# The version of the vectors: the first number changes with the format, the second with the tables,
# the third with values.
VERSION = "2.0.0"

# The cutoff, the number of seeds, and the number of tables that separate a pair of forms.
K, POOL, TIMES = 3, 100, 2

# Metrics whose forms the tables separate.
METRICS = (
    *("ndcg", "average_precision", "reciprocal_rank", "recall", "precision", "hit_rate"),
    *("f_beta", "r_precision", "dcg"),
)

# Values that are equal to a fraction with a small denominator are that fraction.
LARGEST_DENOMINATOR = 2000
TOLERANCE = 1e-14


def exact(value: float | None) -> str | float | None:
    """Return a value as a fraction, or as a number if it is not a simple fraction."""
    if value is None:
        return None
    fraction = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    return str(fraction) if abs(float(fraction) - value) <= TOLERANCE else value


def entry(form: Form, own: Form, values: list[float | None]) -> dict[str, Any]:
    """Return the entry of a form."""
    return {
        "computed_by": form.names,
        "unlike_sqlrec": [describe_switch(x, K) for x in switches_of(own, form)],
        "params": form.request.params,
        "rules": {key: str(value) for key, value in form.request.rules.items()},
        "sqlrec": form_command(own.request, form),
        "notes": form.notes,
        "values": [exact(value) for value in values],
    }


def separating(values: Iterable[TableValues], sizes: Sequence[int], times: int = 1) -> list[int]:
    """Return numbers of tables that together separate all separable pairs of forms.

    The greedy set cover takes the table that separates most pairs that are left, of these a small
    one; a pair is left until ``times`` tables separate it, or all that do.
    """
    pairs: Counter[frozenset[int]] = Counter()
    for of_metric in values:
        columns = [*of_metric.values()]
        for number, first in enumerate(columns):
            for second in columns[:number]:
                numbers = (n for n in range(len(sizes)) if not are_equal(first[n], second[n]))
                pairs[frozenset(numbers)] += 1
    left = {differ: min(times, len(differ)) for differ in pairs}
    chosen: list[int] = []
    while any(left.values()):
        counts = dict.fromkeys(range(len(sizes)), 0)
        for differ, needed in left.items():
            for n in differ if needed else ():
                counts[n] += pairs[differ]
        best = max(counts.keys() - {*chosen}, key=lambda n: (counts[n], -sizes[n], -n))
        chosen.append(best)
        left = {differ: max(0, x - (best in differ)) for differ, x in left.items()}
    return sorted(chosen)


def describe(table: SmallTable) -> dict[str, Any]:
    """Return a table as values that JSON has."""
    return {
        "features": sorted(table.features),
        "recs": [[user, item, score] for user, item, score in table.recs],
        "truth": [[user, item, grade] for user, item, grade in table.truth],
    }


def text_of(tables: list[dict[str, Any]], metrics: dict[str, list[dict[str, Any]]]) -> str:
    """Return the file's text, with a table or a form on each line."""

    def lines(rows: list[dict[str, Any]]) -> str:
        return ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)

    forms = ",\n".join(f"{json.dumps(name)}: [\n{lines(rows)}\n]" for name, rows in metrics.items())
    head = f'{{"version": "{VERSION}", "k": {K}, "tables": [\n{lines(tables)}\n]'
    return f'{head}, "metrics": {{\n{forms}\n}}}}\n'


def write_seeds(seeds: list[int]) -> None:
    """Write the seeds of tables."""
    lines = [", ".join(map(str, seeds[n : n + 15])) for n in range(0, len(seeds), 15)]
    SEEDS_FILE.write_text(
        '"""Seeds of the tables that separate forms, which vectors/update.py chooses."""\n'
        "\n# fmt: off\nSEEDS = (\n" + "".join(f"    {line},\n" for line in lines) + ")\n",
        encoding="utf-8",
    )


def main(words: list[str]) -> None:
    """Write the file, and with --choose the seeds."""
    warnings.simplefilter("ignore")
    seeds = [*range(POOL)] if "--choose" in words else [*SEEDS]
    tables = [small_table(seed, K) for seed in seeds]
    forms, values = {}, {}
    for name in METRICS:
        (request,) = parse_metrics(f"{name}@{K}")
        forms[name] = forms_on_tables(request)
        values[name] = evaluate_requests([form.request for form in forms[name]], tables)
        print(name, len(forms[name]), flush=True)
    chosen = [*range(len(seeds))]
    if "--choose" in words:
        chosen = separating(values.values(), [table.size for table in tables], TIMES)
        write_seeds([seeds[n] for n in chosen])
    metrics = {
        name: [
            entry(form, of_metric[0], [values[name][form.request.label][n] for n in chosen])
            for form in of_metric
            if form.names
        ]
        for name, of_metric in forms.items()
    }
    FILE.write_text(text_of([describe(tables[n]) for n in chosen], metrics), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
