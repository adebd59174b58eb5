"""The house: each folder of the package imports only those below it, and no circle is closed."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import sqlrec

PACKAGE = Path(sqlrec.__file__).parent

# Rooms and single files, from the ground up; the package itself stands for what it exports.
FLOORS = (
    *(
        "shown",
        "errors",
        "paths",
        "dialects",
        "display",
        "options",
        "rules",
        "rendering",
        "catalogue",
    ),
    *("engines", "inputs", "plan", "statistics", "results", "run", "plots", "evaluation"),
    *("analyses", "reports", "sqlrec", "cli", "__main__"),
)


def imports():
    """Return for each module the modules of the package that it imports, also in functions."""
    paths = {
        ".".join(parts(path)).removesuffix(".__init__"): path for path in PACKAGE.rglob("*.py")
    }
    found = {}
    for module, path in paths.items():
        found[module] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                source = ".".join(filter(None, (*parts(path)[: -node.level], node.module)))
                names = {f"{source}.{alias.name}" for alias in node.names}
                found[module] |= names & paths.keys() or {source}
    return found


def parts(path):
    return path.relative_to(PACKAGE.parent).with_suffix("").parts


def floor(module):
    return FLOORS.index(module.split(".")[1] if "." in module else module)


def test_each_room_imports_only_those_below_it():
    up = {
        (module, other)
        for module, others in imports().items()
        for other in others
        if floor(other) > floor(module)
    }
    assert not up


def test_no_modules_import_each_other():
    TopologicalSorter(imports()).prepare()
