"""Run libraries against the vectors, and write which of them agree with their own form.

    python vectors/run.py trec_eval ranx

A library runs in its environment of tests/conventions/run.py, or, with --here, in this one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlrec.catalogue.conventions import convention

HERE = Path(__file__).parent
CONVENTIONS = HERE.parent / "tests" / "conventions"
ENVIRONMENTS = HERE.parent / ".venv-libraries"
FILE = HERE / "agreement.json"
PAGE = HERE / "agreement.md"

# What runs inside of the library's environment.
INSIDE = """
import importlib.metadata, importlib.util, json, math, sys
sys.path.insert(0, {folder!r})
spec = importlib.util.spec_from_file_location("values_of_library", {script!r})
library = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(library)
def values(table):
    grades = [(u, i, int(g) if g == int(g) else g) for u, i, g in table["truth"]]
    tables = {{"recs": [(u, i, float(s)) for u, i, s in table["recs"]], "truth": grades}}
    tables |= {{"history": [], "baseline": [], "items": []}}
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
those of the form that its profile says it has. `python vectors/run.py` writes this page.

| library | version | metric | agrees | differs on |
| --- | --- | --- | --- | --- |
"""


def run(profile: str, here: bool, vectors: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a library, and return a row for each of its metrics."""
    name = profile.replace("-", "_").replace(".", "_")
    script = CONVENTIONS / "libraries" / f"{name}.py"
    python = Path(sys.executable) if here else ENVIRONMENTS / profile / "bin" / "python"
    code = INSIDE.format(folder=str(CONVENTIONS), script=str(script))
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
    row: dict[str, Any] = {"library": profile, "version": version, "metric": key}
    row |= {"equal": 0, "tables": 0, "differs": []}
    for table, values, value in zip(vectors["tables"], found, form["values"], strict=True):
        if value is None or "error" in values or not any(key in one for one in found):
            continue
        row["tables"] += 1
        equal = key in values and abs(values[key] - float(Fraction(value))) <= 1e-6
        row["equal"] += equal
        if not equal:
            features = ", ".join(table["features"]) or "usual rows"
            row["differs"].append(f"table {table['seed']} ({features})")
    return row


def page(rows: list[dict[str, Any]]) -> str:
    """Return the page of all rows."""
    lines = [
        f"| {row['library']} | {row['version']} | {row['metric']} | "
        f"{row['equal']} of {row['tables']} | {'; '.join(row['differs'][:3]) or '-'} |"
        for row in rows
    ]
    return HEAD + "\n".join(lines) + "\n"


def main(words: list[str]) -> None:
    """Run the libraries that the words name, and keep the rows of others."""
    vectors = json.loads((HERE / "vectors.json").read_text(encoding="utf-8"))
    profiles = [word for word in words if word != "--here"]
    rows = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    rows = [row for row in rows if row["library"] not in profiles]
    for profile in profiles:
        rows += run(profile, "--here" in words, vectors)
    rows.sort(key=lambda row: (row["library"], row["metric"]))
    FILE.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
