"""Run libraries against the vectors, and store which of them agree with their own form.

    python vectors/run.py trec_eval ranx

A library runs in its environment of tests/conventions/run.py, or, with --here, in this one.
docs/update.py makes the page of peers from the rows.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from sqlrec.catalogue.conventions import convention
from tests.conventions.run import environment, script_of

HERE = Path(__file__).parent
FILE = HERE / "agreement.json"

# The code that runs in the environment of a library, in one process for all tables. The scripts of
# libraries compute the cutoffs of `tables`; here there is one.
INSIDE = """
import importlib.metadata, importlib.util, json, math, sys
sys.path.insert(0, {folder!r})
import tables
tables.CUTOFFS = ({k},)
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
        computed = library.values(tables)
    except Exception as error:
        return {{"error": f"{{type(error).__name__}}: {{error}}"[:100]}}
    return {{
        key: float(value)
        for key, value in computed.items()
        if value is not None and not math.isnan(value)
    }}
version = getattr(library, "VERSION", None) or importlib.metadata.version(library.LIBRARY)
package = f"{{library.LIBRARY}} {{version}}"
print(json.dumps([package, [values(table) for table in json.load(sys.stdin)]]))
"""


def run(profile: str, here: bool, vectors: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a library, and return a row for each of its metrics."""
    script = script_of(profile)
    python = Path(sys.executable) if here else environment(profile)
    code = INSIDE.format(folder=str(script.parents[1]), script=str(script), k=vectors["k"])
    tables = json.dumps(vectors["tables"])
    # Numba compiles ranx for minutes. Not compiled, it sorts lists of up to 15 items the same way.
    settings = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [python, "-c", code]
    done = subprocess.run(command, input=tables, env=settings, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{profile}: {done.stderr.strip().splitlines()[-1]}")
    package, computed = json.loads(done.stdout.splitlines()[-1])
    if all("error" in values for values in computed):
        raise SystemExit(f"{profile}: no table has a value; {computed[0]['error']}")
    rows = []
    for entry in convention(profile).entries:
        if entry.rules.get("relevance_threshold", 0) > 1:
            continue  # The vectors have no form of a caller's threshold.
        for form in vectors["metrics"].get(entry.metric, ()):
            if profile in form["computed_by"] or f"{profile} {entry.name}" in form["computed_by"]:
                rows.append(_compare(profile, package, entry.name, form, computed, vectors))
                break
    return [row for row in rows if row["tables"]]


def _compare(
    profile: str,
    package: str,
    name: str,
    form: dict[str, Any],
    computed: list[dict[str, Any]],
    vectors: dict[str, Any],
) -> dict[str, Any]:
    """Return how often a library's metric and its form have the same value."""
    key = f"{name}@{vectors['k']}"
    equal, differs = 0, []
    for number, (values, value) in enumerate(zip(computed, form["values"], strict=True)):
        if value is None or key not in values:
            continue
        if abs(values[key] - float(Fraction(value))) <= 1e-6:
            equal += 1
        else:
            differs.append(number)
    return {"library": profile, "package": package, "metric": name, "equal": equal} | {
        "tables": equal + len(differs),
        "differs": differs,
    }


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


if __name__ == "__main__":
    main(sys.argv[1:])
