"""Metrics of one's own: files like those of ``sql/metrics``, from a folder or a package."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, MetricError, nearest
from ..paths import OWN
from ..rendering import templates
from . import headers
from .own_sql import fault
from .requests import EVERYTHING, PRESETS

GROUP = "sqlrec.metrics"

_NAME = re.compile(r"(?!.*__)[a-z][a-z0-9_]*")

# What a value is put together from, beside the value, by the last word of a macro's name.
PARTS = ("weight", "summary", "absent", "error", "members", "part", "whole")


def know(given: Any) -> None:
    """Know the metrics of ``metrics_path``, if it is given."""
    if given is not None:
        use_metrics(given)


def use_metrics(given: Any) -> list[str]:
    """Know the metrics of a folder, of a file, or of an installed package from now on.

    Nothing else of these is read, and what is read can't do more than write SQL. A file that has
    changed since is read anew.

    Args:
        given: A path, or the name of an entry point ``sqlrec.metrics``, as a package declares it.

    Returns:
        The names of the metrics.

    Raises:
        InputError: There is no such folder, file or entry point, or no file in it.
        MetricError: A file is wrong: names it and the line.
    """
    files = _files(given)
    texts = {path: _read(path) for path in files}
    if any(OWN.get(path.stem) != (path, text) for path, text in texts.items()):
        known = {**OWN}
        try:
            for path, text in texts.items():
                _check(path, text)
                OWN[path.stem] = (path, text)
                _forget()
            for path, text in texts.items():
                _check_macros(path, text)
        except MetricError:
            OWN.clear()
            OWN.update(known)
            _forget()
            raise
    return [path.stem for path in files]


def forget_metrics() -> None:
    """Know the metrics of sqlrec alone again."""
    OWN.clear()
    _forget()


def _files(given: Any) -> list[Path]:
    path = Path(os.fspath(given)) if isinstance(given, (str, os.PathLike)) else None
    if path is None or not str(given).strip():
        raise InputError(f"metrics_path={given!r}: give a folder, a file or a package's name")
    if not path.exists():
        path = _folder_of_package(str(given))
    files = sorted(path.glob("*.sql")) if path.is_dir() else [path]
    files = [file.resolve() for file in files if file.suffix == ".sql"]
    if not files:
        raise InputError(f"metrics_path={str(given)!r} has no file NAME.sql: a metric is one")
    return files


def _folder_of_package(name: str) -> Path:
    """Find where a package says that its metrics are, without running anything of it."""
    import importlib.util
    from importlib.metadata import entry_points

    known = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in known:
        others = f", and {nearest(name, known)}" if known else ""
        raise InputError(
            f"metrics_path={name!r}: there is no such folder, file or entry point {GROUP}{others}"
        )
    package, *inside = known[name].module.split(".")
    found = importlib.util.find_spec(package)
    for folder in (found and found.submodule_search_locations) or ():
        return Path(folder, *inside)
    raise InputError(f"metrics_path={name!r}: {known[name].value} is not an installed package")


def _read(path: Path) -> str:
    """Read a file, as editors of all systems write it.

    Raises:
        MetricError: It can't be read as text.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise MetricError(f"{path}, line {line}: the file is not UTF-8: save it as that") from None
    except OSError as error:
        raise MetricError(f"{path} can't be read: {error.strerror}") from None


def _check(path: Path, text: str) -> None:
    """Read a file, and refuse a name that is taken.

    Raises:
        MetricError: With the path and the line.
    """
    name = path.stem
    try:
        if not _NAME.fullmatch(name):
            raise MetricError(f"metrics/{name}.sql: a metric's name has only a-z, 0-9 and _")
        _check_outside(name, text)
        found = headers.read(name, text)
        if not re.match(r"\S[^\n]*?: \S", found.title):
            raise MetricError(
                f"metrics/{name}.sql: no title: begin with what it means, as in "
                "'-- Revenue: what the hits within k are worth.'"
            )
        known = [one for one in headers.metrics().values() if one.name != name or name not in OWN]
        taken = {word: one.name for one in known for word in (*one.aliases, one.name)}
        for word in (name, *found.aliases):
            if word in (*PRESETS, EVERYTHING) or word in taken:
                owner = OWN.get(taken.get(word, ""), ("sqlrec", ""))[0]
                raise MetricError(f"metrics/{name}.sql: {word!r} is a metric of {owner}: rename it")
        other = OWN.get(name, (path, ""))[0]
        if other != path and other.is_file():
            raise MetricError(f"metrics/{name}.sql: {other} is a metric of that name: rename one")
        alike = _alike(found)
        if lacks := sorted(_read_by_all(alike) - {need.table for need in found.needs}):
            raise MetricError(
                f"metrics/{name}.sql: Inputs lacks {', '.join(lacks)}, which rows {found.rows} are "
                "made of: write it"
            )
    except MetricError as error:
        message = str(error).removeprefix(f"metrics/{name}.sql")
        line = "" if message.startswith(", line ") else f", line {_line(text, message)}"
        raise MetricError(f"{path}{line}{message}") from None


def _alike(found: headers.Metric) -> list[headers.Metric]:
    """Return the metrics of sqlrec over the same rows."""
    known = headers.metrics().values()
    return [one for one in known if one.name not in OWN and one.rows == found.rows]


def _read_by_all(metrics: Iterable[headers.Metric]) -> set[str]:
    """Return the tables that all of some metrics read, which their rows can't be made without."""
    return set.intersection(
        *({need.table for need in one.needs if not need.when} for one in metrics)
    )


def where(names: Iterable[str]) -> str:
    """Say where metrics of one's own stand, of whose SQL an engine has something to say.

    Args:
        names: Metrics, of which some are one's own.

    Returns:
        Files with lines, and inputs that columns are made of and headers lack; empty if none is.
    """
    told, files = [], headers.texts() if OWN else {}
    for name in names:
        if name not in OWN:
            continue
        path, text = OWN[name]
        found = headers.metric(name)
        sql = {one.name: files[one.name].partition("{%")[2] for one in _alike(found)}
        lacks = {}
        for word in dict.fromkeys(re.findall(r"\w+", text.partition("{%")[2])):
            naming = [one for one in _alike(found) if re.search(rf"\b{word}\b", sql[one.name])]
            for table in naming and _read_by_all(naming) - {need.table for need in found.needs}:
                lacks[table] = f"{word} is made of {table}, which Inputs lacks"
        line = _line(text, "macro")
        told.append("; ".join([f"{path}, line {line}", *lacks.values()]))
    return ", ".join(told)


def _check_outside(name: str, text: str) -> None:
    """Refuse what stands outside of macros and is no comment, and macros without end.

    Raises:
        MetricError: Names the line.
    """
    macros = re.compile(r"{%-? macro .*?endmacro -?%}", flags=re.DOTALL)
    # As many lines as before, so that they are counted right.
    outside = macros.sub(lambda macro: "\n" * macro[0].count("\n"), text)
    for number, line in enumerate(outside.split("\n"), start=1):
        at = f"metrics/{name}.sql, line {number}: "
        shown = f"{line.strip()!r:.60}"
        if line.startswith("--"):
            # Jinja runs it in comments too, and dbt would.
            if run := re.search(r"{[{%#]", line):
                raise MetricError(f"{at}Jinja reads {run[0]!r} in comments too: leave it out")
        elif re.match(r"{%-? macro ", line):
            raise MetricError(f"{at}{shown} has no end: write {{% endmacro %}} below it")
        elif line.strip():
            raise MetricError(
                f"{at}{shown} is neither comment nor macro: write -- before it, or a macro as "
                f"{{% macro hits__{name}() %}}"
            )


def _check_macros(path: Path, text: str) -> None:
    """Refuse macros that do not take what the header says, and SQL that can't be.

    Raises:
        MetricError: With the path and the line.
    """
    name = path.stem
    found = headers.metric(name)
    defaults = {key: allowed[0] for key, allowed in found.params.items()}
    texts = {key: "text" for key, allowed in found.params.items() if allowed == (headers.ANY_TEXT,)}
    for macro in templates.own_macros(name):
        at = f"{path}, line {macro.line}: "
        _, of, part = (*macro.name.split("__", 2), "", "")[:3]
        if of != name:
            raise MetricError(
                f"{at}macro {macro.name!r} is not of the metric: write its text in "
                f"{found.rows}__{name}, or name it {found.rows}__{name}__weight"
            )
        if part and part not in PARTS and "summary" not in found.parts:
            raise MetricError(f"{at}no part {part!r}: {nearest(part, PARTS)}")
        takes = {**macro.takes}
        if part == "summary" and takes:
            # It first takes the column of the values.
            takes.pop(next(iter(takes)))
        for key in defaults.keys() ^ takes.keys():
            lacks, has = ("the macro", "Params") if key in defaults else ("Params", "the macro")
            raise MetricError(
                f"{at}{has} has a parameter {key!r}, and {lacks} does not: write it in both"
            )
        for key, default in defaults.items():
            if key not in texts and str(takes[key]) != str(default):
                raise MetricError(
                    f"{at}the default of {key!r} is {takes[key]} here and {default} in Params: "
                    "write the same"
                )
        if part != "summary":
            _check_sql(path, text, macro, found, defaults | texts)


def _check_sql(
    path: Path,
    text: str,
    macro: templates.OwnMacro,
    found: headers.Metric,
    usual: Mapping[str, Any],
) -> None:
    """Refuse SQL that can't be, by the defaults and each other word of a parameter."""
    settings = [usual, *({**usual, key: v} for key, own in found.params.items() for v in own[1:])]
    for setting in settings:
        sql = str(macro.call(**setting) or "")
        wrong = fault(sql) if sql.strip() or macro.name.count("__") == 1 else None
        if wrong:
            lines = enumerate(text.splitlines(), start=1)
            within = [n for n, line in lines if n > macro.line and wrong[1] in line.lower()]
            raise MetricError(f"{path}, line {(within or [macro.line])[0]}: {wrong[0]}")


def _line(text: str, message: str) -> int:
    """Find the line of a header or a file that a message speaks of: one that begins with a word."""
    lines = text.splitlines()
    for form in (r"(-- )?{}", r"-- .*\b{}\b"):
        for quoted, entry in re.findall(r"'([^']+)'|(\b[A-Z]\w+)", message):
            pattern = form.format(re.escape(quoted or entry))
            for number, line in enumerate(lines, start=1):
                if re.match(pattern, line):
                    return number
    macro = next((n for n, line in enumerate(lines, start=1) if line.startswith("{%")), 1)
    return macro if "macro" in message or "rows" in message else 1


def _forget() -> None:
    """Let all that is kept of the metrics be made again."""
    headers.forget()
    templates.forget()


NEW = """\
-- {title}: what it means, and its range. The first paragraph is what lists show.
--
--     hits within k / k
--
-- Source    who defined it, and where
-- Undefined never; without a list it is 0
-- Better    higher
-- Family    ranking
-- Cutoff    a number
-- Inputs    recs, truth
{{% macro hits__{name}() %}}
sum(hit) / k
{{% endmacro %}}
"""

TEST = '''\
"""Values worked by hand."""

from pathlib import Path

import pyarrow as pa
import sqlrec

METRICS = Path(__file__).parent / "{name}.sql"


def test_{name}():
    recs = pa.table({{"user_id": ["ann", "ann"], "item_id": ["a", "b"], "rank": [1, 2]}})
    truth = pa.table({{"user_id": ["ann"], "item_id": ["b"]}})
    found = sqlrec.evaluate("{name}@2", recs=recs, truth=truth, metrics_path=METRICS)
    assert found.to_arrow()["value"].to_pylist() == [1 / 2]
'''


def new_metric(name: str, folder: str | os.PathLike[str] = "metrics") -> tuple[Path, Path]:
    """Write the file of a new metric, and its test beside it.

    Args:
        name: What it is called.
        folder: Where; it is made if it is not there.

    Returns:
        The paths of the file and of the test.

    Raises:
        InputError: One of them is there already, or can't be written.
        MetricError: It is a name that no metric can have, or one of sqlrec.
    """
    if not _NAME.fullmatch(name):
        raise MetricError(f"invalid name {name!r}: write it in a-z, 0-9 and _, as in top_share")
    path, test = Path(folder, f"{name}.sql"), Path(folder, f"test_{name}.py")
    text = NEW.format(name=name, title=name.replace("_", " ").capitalize())
    for one in (path, test):
        if one.exists():
            raise InputError(f"{one} exists already: name another metric, or a folder")
    try:
        _check(path, text)
    except MetricError as error:
        # There is no such file yet, and no line.
        raise MetricError(str(error).partition(": ")[2]) from None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        test.write_text(TEST.format(name=name), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{error.filename} can't be written: {error.strerror}") from None
    return path, test
