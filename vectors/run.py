"""Run libraries against the vectors, and write which of them agree with their own form.

    python vectors/run.py trec_eval ranx

A library runs in its environment of tests/conventions/run.py, or, with --here, in this one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from sqlrec.analyses.identify_tables import FEATURES
from sqlrec.catalogue.conventions import convention
from tests.conventions.run import environment, script_of

HERE = Path(__file__).parent
FILE = HERE / "agreement.json"
PAGE = HERE / "agreement.md"

# The code that runs in the environment of a library.
INSIDE = """
import importlib.metadata, importlib.util, json, math, sys
sys.path.insert(0, {folder!r})
spec = importlib.util.spec_from_file_location("values_of_library", {script!r})
library = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(library)
def values(table):
    grades = [(u, i, int(g) if g == int(g) else g) for u, i, g in table["truth"]]
    tables = {{"recs": [(u, i, float(s)) for u, i, s in table["recs"]], "truth": grades}}
    # No metric here reads the other inputs, but a library may refuse empty ones.
    tables["history"] = [(u, i) for u, i, _ in grades]
    tables["baseline"] = tables["recs"]
    tables["items"] = [(i, "a") for i in {{i for _, i, _ in [*grades, *tables["recs"]]}}]
    try:
        found = library.values(tables)
    except Exception as error:
        return {{"error": f"{{type(error).__name__}}: {{error}}"[:100]}}
    return {{
        key: float(value)
        for key, value in found.items()
        if value is not None and not math.isnan(value)
    }}
version = getattr(library, "VERSION", None) or importlib.metadata.version(library.LIBRARY)
print(json.dumps([version, [values(table) for table in json.load(sys.stdin)]]))
"""

HEAD = """# Libraries against the vectors

Each library ran on the tables of [vectors.json](vectors.json), and its values were compared with
those of the form that its profile says it has. `python vectors/run.py LIBRARY...` writes this page.

- *agrees*: on how many tables the library returns the value of its form; tables that it refuses,
  or whose value it leaves undefined, are not counted.
- *differs on*: where it does not.
- *unlike sqlrec*: what its form does, and on how many tables that changes the value; in brackets
  what most of these tables have.
"""


def run(profile: str, here: bool, vectors: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a library, and return a row for each of its metrics."""
    script = script_of(profile)
    python = Path(sys.executable) if here else environment(profile)
    code = INSIDE.format(folder=str(script.parents[1]), script=str(script))
    tables = json.dumps(vectors["tables"])
    done = subprocess.run([python, "-c", code], input=tables, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{profile}: {done.stderr.strip().splitlines()[-1]}")
    version, found = json.loads(done.stdout.splitlines()[-1])
    rows = []
    for entry in convention(profile).entries:
        for form in vectors["metrics"].get(entry.metric, ()):
            if profile in form["computed_by"] or f"{profile} {entry.name}" in form["computed_by"]:
                rows.append(_compare(profile, version, entry.name, form, found, vectors))
                break
    return [row for row in rows if row["tables"]]


def _compare(
    profile: str,
    version: str,
    name: str,
    form: dict[str, Any],
    found: list[dict[str, Any]],
    vectors: dict[str, Any],
) -> dict[str, Any]:
    """Return how often a library's metric has the values of its form."""
    key = f"{name}@{vectors['k']}"
    equal, differs = 0, []
    for number, (values, value) in enumerate(zip(found, form["values"], strict=True)):
        if value is None or key not in values:
            continue
        if abs(values[key] - float(Fraction(value))) <= 1e-6:
            equal += 1
        else:
            differs.append(number)
    return {"library": profile, "version": version, "metric": name, "equal": equal} | {
        "tables": equal + len(differs),
        "differs": differs,
    }


def page(rows: list[dict[str, Any]], vectors: dict[str, Any]) -> str:
    """Return the page of all rows, by metric."""
    lines = []
    for metric, forms in vectors["metrics"].items():
        of_metric = []
        for row in rows:
            names = {row["library"], f"{row['library']} {row['metric']}"}
            form = next((x for x in forms if names & {*x["computed_by"]}), None)
            if form and row["metric"] in _names(row["library"], metric):
                differs = _features(row["differs"], vectors) if row["differs"] else "-"
                of_metric.append(
                    f"| {row['library']} {row['version']} | {row['metric']} | "
                    f"{row['equal']} of {row['tables']} | {differs} | "
                    f"{_unlike(form, forms[0], vectors)} |"
                )
        if of_metric:
            lines += [f"\n## {metric}@{vectors['k']}\n"]
            lines += ["| library | its name | agrees | differs on | unlike sqlrec |"]
            lines += ["| --- | --- | --- | --- | --- |", *of_metric]
    return HEAD + "\n".join(lines) + "\n"


def _names(profile: str, metric: str) -> set[str]:
    """Return a library's names of a metric."""
    return {entry.name for entry in convention(profile).entries if entry.metric == metric}


def _unlike(form: dict[str, Any], own: dict[str, Any], vectors: dict[str, Any]) -> str:
    """Return what a form does unlike sqlrec's, and the tables whose value that changes."""
    changed = [
        n
        for n, pair in enumerate(zip(form["values"], own["values"], strict=True))
        if None not in pair and pair[0] != pair[1]
    ]
    words = "; ".join(form["unlike_sqlrec"])
    if not changed:
        return words or "-"
    return f"{words}: {len(changed)} tables ({_features(changed, vectors)})"


def _features(numbers: list[int], vectors: dict[str, Any]) -> str:
    """Return the two most frequent features of tables, of those that few tables have."""
    tables = vectors["tables"]
    all_counts = Counter(name for table in tables for name in table["features"])
    counts = Counter(name for n in numbers for name in tables[n]["features"])
    shares = sorted(counts, key=lambda name: (-counts[name] / all_counts[name], name))
    return ", ".join(FEATURES[name] for name in shares[:2]) or "usual rows"


def main(words: list[str]) -> None:
    """Run the libraries that the words name, and keep the rows of others."""
    vectors = json.loads((HERE / "vectors.json").read_text(encoding="utf-8"))
    profiles = [word for word in words if word != "--here"]
    rows = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    rows = [row for row in rows if row["library"] not in profiles]
    for profile in profiles:
        rows += run(profile, "--here" in words, vectors)
    rows.sort(key=lambda row: (row["library"], row["metric"]))
    lines = ",\n".join(json.dumps(row) for row in rows)
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    PAGE.write_text(page(rows, vectors), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
