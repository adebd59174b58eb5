"""Write vectors.json: tiny tables, and the values of all forms of metrics on them.

Run it after vectors/choose.py: ``python vectors/update.py``.
"""

from __future__ import annotations

import json
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlrec.analyses.forms import Form, meaning, switches_of
from sqlrec.analyses.identify_tables import (
    METRICS,
    describe,
    forms_on_tables,
    small_table,
    values_of,
)
from sqlrec.analyses.seeds import SEEDS
from sqlrec.analyses.waterfall import reproducing
from sqlrec.catalogue.requests import parse_metrics

FILE = Path(__file__).parent / "vectors.json"

# The version of the vectors: the first number changes with the format, the second with the tables,
# the third with values.
VERSION = "2.0.0"

K = 3

# Values that are equal to a fraction with a small denominator are that fraction.
LARGEST_DENOMINATOR = 2000
TOLERANCE = 1e-14


def exact(value: float | None) -> str | float | None:
    """Return a value as a fraction, or as a number if it is no simple fraction."""
    if value is None:
        return None
    fraction = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    return str(fraction) if abs(float(fraction) - value) <= TOLERANCE else value


def entry(form: Form, own: Form, values: list[float | None]) -> dict[str, Any]:
    """Return the entry of a form."""
    rules = {key: str(value) for key, value in form.request.rules.items()}
    return {
        "computed_by": form.names,
        "unlike_sqlrec": [meaning(x, K) for x in switches_of(own, form)],
        "params": form.request.params,
        "rules": rules,
        "sqlrec": reproducing(own.request, form),
        "notes": form.notes,
        "values": [exact(value) for value in values],
    }


def main() -> None:
    """Write the file."""
    warnings.simplefilter("ignore")
    tables = [small_table(seed, K) for seed in SEEDS]
    metrics = {}
    for name in METRICS:
        (request,) = parse_metrics(f"{name}@{K}")
        forms = [form for form in forms_on_tables(request) if form.names]
        values = values_of([form.request for form in forms], tables)
        metrics[name] = [entry(form, forms[0], values[form.request.label]) for form in forms]
        print(name, len(forms))
    described = [describe(table) for table in tables]
    FILE.write_text(text_of(described, metrics), encoding="utf-8")


def text_of(tables: list[dict[str, Any]], metrics: dict[str, list[dict[str, Any]]]) -> str:
    """Return the file's text, with a table or a form on each line."""

    def lines(rows: list[dict[str, Any]]) -> str:
        return ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)

    forms = ",\n".join(f"{json.dumps(name)}: [\n{lines(rows)}\n]" for name, rows in metrics.items())
    head = f'{{"version": "{VERSION}", "k": {K}, "tables": [\n{lines(tables)}\n]'
    return f'{head}, "metrics": {{\n{forms}\n}}}}\n'


if __name__ == "__main__":
    main()
