"""The structure: folders import only lower ones, without cycles, and functions are short."""

import ast
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import sqlrec

PACKAGE = Path(sqlrec.__file__).parent

# Folders and files, from the lowest to the highest; the package itself is its exports.
FLOORS = (
    *"""
        safe_text messages records errors paths dialects display options rules rendering catalogue
    """.split(),
    *"""
        engines adapters inputs plan statistics layouts results run plots evaluation
    """.split(),
    *"""
        analyses reports dataset functions self_test sqlrec cli testing airflow dagster sqlmesh
        __main__
    """.split(),
)

# The maximum number of lines of a function, without docstring, comments and blank lines.
LONGEST = 60


@cache
def trees():
    """Return the syntax tree of each file of the package."""
    paths = PACKAGE.rglob("*.py")
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@cache
def imports():
    """Return the modules of the package that each module imports, also in functions."""
    paths = {".".join(parts(path)).removesuffix(".__init__"): path for path in trees()}
    result = {}
    for module, path in paths.items():
        result[module] = set()
        for node in ast.walk(trees()[path]):
            if isinstance(node, ast.ImportFrom) and node.level:
                source = ".".join(filter(None, (*parts(path)[: -node.level], node.module)))
                names = {f"{source}.{alias.name}" for alias in node.names}
                result[module] |= names & paths.keys() or {source}
    return result


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


def test_no_function_is_longer_than_a_screen():
    assert {where: size for where, size in sizes() if size > LONGEST} == {}


def sizes():
    """Return the number of lines of code of each function."""
    for path, tree in trees().items():
        lines = path.read_text(encoding="utf-8").splitlines()
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                docstring = node.body[0] if ast.get_docstring(node) else None
                code = lines[
                    node.lineno - 1 : docstring.lineno - 1 if docstring else node.end_lineno
                ]
                code += lines[docstring.end_lineno : node.end_lineno] if docstring else []
                code = [line for line in code if line.strip() and not line.strip().startswith("#")]
                yield f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}", len(code)


def test_locked_versions_satisfy_the_bounds():
    """CI's versions satisfy the bounds of all development packages, except the site's."""
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    locked = {
        canonicalize_name(one.name): one.specifier
        for line in (root / ".ci/constraints.txt").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
        for one in (Requirement(line),)
    }
    groups = {**project["dependency-groups"], "base": project["project"]["dependencies"]}
    required = [
        Requirement(one)
        for name, group in groups.items()
        for one in group
        if name != "site" and isinstance(one, str)
    ]
    assert len(required) > 30
    for one in required:
        (version,) = locked[canonicalize_name(one.name)]
        assert one.specifier.contains(version.version, prereleases=True), one
