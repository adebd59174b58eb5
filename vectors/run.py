"""Run libraries against the vectors, and store which of them agree with their own form.

    python vectors/run.py trec_eval ranx

The rows also count the examples with a number in the docstring of each name, and those that return
this number. A library runs in its environment of tests/conventions/run.py, or, with --here, in this
one. docs/update.py makes the page of peers from the rows.
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
import contextlib, doctest, importlib.metadata, importlib.util, inspect, io, json, math, re, sys
import warnings
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
class Numbers(doctest.OutputChecker):
    # Compares numbers to the digits that the documentation has, whatever the type around them.
    equal = 0
    def check_output(self, want, got, flags):
        expected, returned = (number.findall(text) for text in (want, got))
        is_equal = len(expected) == len(returned) and all(
            abs(float(x) - float(y)) <= 10.0 ** -len(x.partition(".")[2])
            for x, y in zip(expected, returned)
        )
        self.equal += bool(expected) and is_equal
        return is_equal
number = re.compile(r"(?<![A-Za-z_0-9])[0-9]+(?:[.][0-9]+)?")
modules = [library, *(x for x in vars(library).values() if inspect.ismodule(x))]
def examples(name):
    described = [x for m in modules if (x := getattr(m, name.split()[0], None))][:1]
    checker = Numbers()
    runner = doctest.DocTestRunner(checker=checker)
    tests = [x for y in described for x in doctest.DocTestFinder(recurse=False).find(y, name)]
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for test in tests:
            runner.run(test)
    return [checker.equal, sum(bool(number.search(x.want)) for y in tests for x in y.examples)]
version = getattr(library, "VERSION", None) or importlib.metadata.version(library.LIBRARY)
package = f"{{library.LIBRARY}} {{version}}"
names, given = json.load(sys.stdin)
documented = {{name: examples(name) for name in names}}
print(json.dumps([package, [values(table) for table in given], documented]))
"""


def run(profile: str, here: bool, vectors: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a library, and return a row for each of its metrics."""
    script = script_of(profile)
    python = Path(sys.executable) if here else environment(profile)
    code = INSIDE.format(folder=str(script.parents[1]), script=str(script), k=vectors["k"])
    names = [entry.name for entry in convention(profile).entries]
    tables = json.dumps([names, vectors["tables"]])
    # Numba compiles ranx for minutes. Not compiled, it sorts lists of up to 15 items the same way.
    settings = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [python, "-c", code]
    done = subprocess.run(command, input=tables, env=settings, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{profile}: {done.stderr.strip().splitlines()[-1]}")
    package, computed, documented = json.loads(done.stdout.splitlines()[-1])
    if all("error" in values for values in computed):
        raise SystemExit(f"{profile}: no table has a value; {computed[0]['error']}")
    rows = []
    for entry in convention(profile).entries:
        if entry.rules.get("relevance_threshold", 0) > 1:
            continue  # The vectors have no form of a caller's threshold.
        for form in vectors["metrics"].get(entry.metric, ()):
            if profile in form["computed_by"] or f"{profile} {entry.name}" in form["computed_by"]:
                row = _compare(profile, package, entry.name, form, computed, vectors)
                rows.append(row | {"examples": documented[entry.name]})
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
    """Return the number of tables on which a library's metric and its form are equal."""
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
