"""Compute the values of each library in a separate environment, and write them to values/.

    python tests/conventions/run.py              all libraries
    python tests/conventions/run.py ranx lenskit

A library's script, libraries/<profile>.py, has the arguments of pip in REQUIREMENTS (by profile if
the script is that of several versions), packages for its build in BEFORE, the version of a library
that is not a package in VERSION, and a function `values(tables)` that returns the library's values
of one data set: {"ndcg@10": 0.25, ...}, under the profile's names of the library's metrics. A value
is None if the library returns NaN or nothing. It is excluded if the library fails, or if the data
do not define it.
"""

import ast
import json
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parents[1] / ".venv-libraries"

# The program that runs in the library's environment.
INSIDE = """
import importlib.metadata, importlib.util, json, math, sys
sys.path.insert(0, {tables!r})
from tables import data_sets
# By its path and under another name, as a script may be named like the library that it imports.
spec = importlib.util.spec_from_file_location("values_of_library", {script!r})
library = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(library)
def plain(value):
    if value is None or math.isnan(value):
        return None
    return float(value)
found = {{
    "library": library.LIBRARY,
    "version": getattr(library, "VERSION", None) or importlib.metadata.version(library.LIBRARY),
    "values": {{
        name: {{key: plain(value) for key, value in library.values(tables).items()}}
        for name, tables in data_sets().items()
    }},
}}
with open({target!r}, "w") as file:
    json.dump(found, file, indent=1)
    file.write("\\n")
"""


def script_of(profile: str) -> Path:
    """Return the script of a library, or of another version of it."""
    script = HERE / "libraries" / f"{profile.replace('-', '_').replace('.', '_')}.py"
    return script if script.exists() else script.with_name(f"{profile.partition('-')[0]}.py")


def environment(profile: str) -> Path:
    """Install a library if it is not installed, and return its Python."""
    code = ast.parse(script_of(profile).read_text(encoding="utf-8"))
    named = {
        ast.unparse(node.targets[0]): node.value
        for node in code.body
        if isinstance(node, ast.Assign)
    }
    folder = ENVIRONMENTS / profile
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        for name in ("BEFORE", "REQUIREMENTS"):
            if name in named:
                packages = ast.literal_eval(named[name])
                if isinstance(packages, dict):
                    packages = packages[profile]
                subprocess.run(
                    [python, "-m", "pip", "install", "-q", *packages.split()], check=True
                )
    return python


def run(profile: str) -> None:
    """Write the values of a library."""
    python = environment(profile)
    target = HERE / "values" / f"{profile}.json"
    inside = INSIDE.format(tables=str(HERE), script=str(script_of(profile)), target=str(target))
    subprocess.run([python, "-c", inside], check=True)
    count = sum(map(len, json.loads(target.read_text())["values"].values()))
    print(f"{profile}: {count} values")


if __name__ == "__main__":
    known = [path.stem for path in sorted((HERE / "values").glob("*.json"))]
    for profile in sys.argv[1:] or known:
        run(profile)
