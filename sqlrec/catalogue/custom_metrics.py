"""Custom metrics: files as in ``sql/metrics``, from a folder or a package."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from string import Template
from typing import Any

from ..errors import InputError, MetricError, suggest_name
from ..paths import OWN
from ..rendering import templates
from . import headers
from .custom_metric_lint import find_fault
from .requests import EVERYTHING, PRESETS

GROUP = "sqlrec.metrics"

_NAME = re.compile(r"(?!.*__)[a-z][a-z0-9_]*")

# Additional parts of a value, by the last word of a macro's name.
PARTS = ("weight", "summary", "absent", "error", "members", "numerator", "denominator")


def load_metrics(metrics_path: Any) -> list[str]:
    """Load the metrics of a folder, a file, or a package's entry point; return their names.

    Only SQL files are read, which cannot run other code. A file is read again after a change.
    """
    if metrics_path is None:
        return []
    files = _metric_files(metrics_path)
    texts = {path: _read_metric_text(path) for path in files}
    if any(OWN.get(path.stem) != (path, text) for path, text in texts.items()):
        loaded = {**OWN}
        try:
            for path, text in texts.items():
                _check_header(path, text)
                OWN[path.stem] = (path, text)
                _clear_caches()
            for path, text in texts.items():
                _check_macros(path, text)
        except MetricError:
            OWN.clear()
            OWN.update(loaded)
            _clear_caches()
            raise
    return [path.stem for path in files]


def unload_metrics() -> None:
    """Remove all custom metrics."""
    OWN.clear()
    _clear_caches()


def _metric_files(metrics_path: Any) -> list[Path]:
    """List the SQL files of a folder or a package, or a single file."""
    if not isinstance(metrics_path, (str, os.PathLike)) or not str(metrics_path).strip():
        raise InputError(
            f"metrics_path={metrics_path!r}: give a folder, a file or a package's name"
        )
    path = Path(os.fspath(metrics_path))
    path = path if path.exists() else _package_folder(str(metrics_path))
    files = sorted(path.glob("*.sql")) if path.is_dir() else [path]
    files = [file.resolve() for file in files if file.suffix == ".sql"]
    if not files:
        raise InputError(
            f"metrics_path={str(metrics_path)!r} has no file NAME.sql: each metric is such a file"
        )
    return files


def _package_folder(name: str) -> Path:
    """Return the folder of a package's metrics, without running the package's code."""
    import importlib.util
    from importlib.metadata import entry_points

    entries = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in entries:
        hint = f"; {suggest_name(name, entries)}" if entries else ""
        raise InputError(
            f"metrics_path={name!r}: no folder, file or entry point {GROUP} has this name{hint}"
        )
    package, *inside = entries[name].module.split(".")
    spec = importlib.util.find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        return Path(folder, *inside)
    raise InputError(
        f"metrics_path={name!r}: the entry point refers to {entries[name].value}, which can't be "
        "found; reinstall the package"
    )


def _read_metric_text(path: Path) -> str:
    """Read a file in UTF-8, with or without a byte order mark; reject other encodings."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise MetricError(f"{path}, line {line}: the file is not UTF-8: save it as UTF-8") from None
    except OSError as error:
        raise MetricError(f"{path} can't be read: {error.strerror}") from None


def _check_header(path: Path, text: str) -> None:
    """Check the header of a file, and check that no other metric uses its names."""
    name = path.stem
    try:
        if not _NAME.fullmatch(name):
            raise MetricError("a metric's name may contain only a-z, 0-9 and _")
        _check_outside(name, text)
        metric = headers.parse_metric_file(name, text)
        if not re.match(r"\S[^\n]*?: \S", metric.title):
            raise MetricError(
                "no title: begin with its name and meaning, as in "
                "'-- Revenue: the total price of the hits within k.'"
            )
        others = [x for x in headers.metrics().values() if x.name != name or name not in OWN]
        owners = {word: other.name for other in others for word in (*other.aliases, other.name)}
        for word in (name, *metric.aliases):
            if word in (*PRESETS, EVERYTHING) or word in owners:
                owner = OWN.get(owners.get(word, ""), ("sqlrec", ""))[0]
                raise MetricError(f"{word!r} is already a metric of {owner}: rename yours")
        other = OWN.get(name, (path, ""))[0]
        if other != path and other.is_file():
            raise MetricError(
                f"{other} already defines a metric of that name: rename one of the files"
            )
        required = _common_tables(_metrics_with_same_rows(metric))
        if missing := sorted(required - {need.table for need in metric.needs}):
            raise MetricError(
                f"Inputs lacks {', '.join(missing)}, which rows {metric.rows} need: add it"
            )
    except MetricError as error:
        message = str(error)
        if not message.startswith("line "):
            message = f"line {_find_line(text, message)}: {message}"
        raise MetricError(f"{path}, {message}") from None


def _metrics_with_same_rows(metric: headers.Metric) -> list[headers.Metric]:
    metrics = headers.metrics().values()
    return [other for other in metrics if other.name not in OWN and other.rows == metric.rows]


def _common_tables(metrics: Iterable[headers.Metric]) -> set[str]:
    """Return the tables that all of the metrics read, so their kind of rows needs them."""
    return set.intersection(
        *({need.table for need in metric.needs if not need.when} for metric in metrics)
    )


def locate_metrics(names: Iterable[str]) -> str:
    """Return the locations of custom metrics, for errors of an engine."""
    locations, files = [], headers.texts() if OWN else {}
    for name in (name for name in names if name in OWN):
        path, text = OWN[name]
        metric = headers.metric(name)
        others = [(x, files[x.name].partition("{%")[2]) for x in _metrics_with_same_rows(metric)]
        missing = {}
        for word in dict.fromkeys(re.findall(r"\w+", text.partition("{%")[2])):
            users = [x for x, sql in others if re.search(rf"\b{word}\b", sql)]
            for table in users and _common_tables(users) - {need.table for need in metric.needs}:
                missing[table] = f"{word} needs {table}, which Inputs lacks"
        line = _find_line(text, "macro")
        locations.append("; ".join([f"{path}, line {line}", *missing.values()]))
    return ", ".join(locations)


def _check_outside(name: str, text: str) -> None:
    """Check that a file has only comments outside of macros, and that each macro has an end."""
    macros = re.compile(r"{%-? macro .*?endmacro -?%}", flags=re.DOTALL)
    # Macros become empty lines, so line numbers stay the same.
    outside = macros.sub(lambda macro: "\n" * macro[0].count("\n"), text)
    for number, line in enumerate(outside.split("\n"), start=1):
        prefix = f"line {number}: "
        excerpt = f"{line.strip()!r:.60}"
        if line.startswith("--"):
            if run := re.search(r"{[{%#]", line):
                raise MetricError(f"{prefix}Jinja reads {run[0]!r} in comments too: remove it")
        elif re.match(r"{%-? macro ", line):
            raise MetricError(f"{prefix}{excerpt} has no end: write {{% endmacro %}} below it")
        elif line.strip():
            raise MetricError(
                f"{prefix}{excerpt} is not a comment or macro: put -- before it, or write a macro "
                f"as {{% macro hits__{name}() %}}"
            )


def _check_macros(path: Path, text: str) -> None:
    """Check that macros take the parameters of the header, and that their SQL is valid."""
    name = path.stem
    metric = headers.metric(name)
    defaults = {key: allowed[0] for key, allowed in metric.params.items()}
    texts = {x: "text" for x, allowed in metric.params.items() if allowed == (headers.ANY_TEXT,)}
    for macro in templates.own_macros(name):
        prefix = f"{path}, line {macro.line}: "
        _, of, part = (*macro.name.split("__", 2), "", "")[:3]
        if of != name:
            raise MetricError(
                f"{prefix}macro {macro.name!r} does not belong to the metric: write its text in "
                f"{metric.rows}__{name}, or name it {metric.rows}__{name}__weight"
            )
        if part and part not in PARTS and "summary" not in metric.parts:
            raise MetricError(f"{prefix}no part {part!r}: {suggest_name(part, PARTS)}")
        takes = {**macro.takes}
        if part == "summary" and takes:
            # The first parameter of a summary is the column of values.
            takes.pop(next(iter(takes)))
        for key in defaults.keys() ^ takes.keys():
            missing, present = (
                ("the macro", "Params") if key in defaults else ("Params", "the macro")
            )
            raise MetricError(
                f"{prefix}{present} has a parameter {key!r}, but {missing} does not: write it in "
                "both"
            )
        for key, default in defaults.items():
            if key not in texts and str(takes[key]) != str(default):
                raise MetricError(
                    f"{prefix}the default of {key!r} is {takes[key]} here and {default} in Params: "
                    "make them equal"
                )
        if part != "summary":
            _check_sql(path, text, macro, metric, defaults | texts)


def _check_sql(
    path: Path,
    text: str,
    macro: templates.OwnMacro,
    metric: headers.Metric,
    defaults: headers.Params,
) -> None:
    """Check the SQL of a macro with the defaults, and with each other value of a parameter."""
    others = ((key, value) for key, own in metric.params.items() for value in own[1:])
    for setting in (defaults, *({**defaults, key: value} for key, value in others)):
        sql = str(macro.call(**setting) or "")
        fault = find_fault(sql) if sql.strip() or macro.name.count("__") == 1 else None
        if fault:
            lines = enumerate(text.splitlines(), start=1)
            numbers = [n for n, line in lines if n > macro.line and fault[1] in line.lower()]
            raise MetricError(f"{path}, line {(numbers or [macro.line])[0]}: {fault[0]}")


def _find_line(text: str, message: str) -> int:
    """Return the number of the line that contains a word of a message."""
    lines = text.splitlines()
    for form in (r"(-- )?{}", r"-- .*\b{}\b"):
        for quoted, entry in re.findall(r"'([^']+)'|(\b[A-Z]\w+)", message):
            pattern = form.format(re.escape(quoted or entry))
            for number, line in enumerate(lines, start=1):
                if re.match(pattern, line):
                    return number
    macro = next((n for n, line in enumerate(lines, start=1) if line.startswith("{%")), 1)
    return macro if "macro" in message or "rows" in message else 1


def _clear_caches() -> None:
    headers.clear_caches()
    templates.clear_template_caches()


def new_metric(name: str, folder: str | os.PathLike[str] = "metrics") -> tuple[Path, Path]:
    """Write the file of a new metric, and its test."""
    if not _NAME.fullmatch(name):
        raise MetricError(f"invalid name {name!r}: use only a-z, 0-9 and _, as in top_share")
    path, test = Path(folder, f"{name}.sql"), Path(folder, f"test_{name}.py")
    names = {"name": name, "title": name.replace("_", " ").capitalize()}
    template_folder = Path(__file__).parent / "templates"
    text, test_text = (
        Template((template_folder / file).read_text(encoding="utf-8")).substitute(names)
        for file in ("metric.sql", "test.txt")
    )
    for file in (path, test):
        if file.exists():
            raise InputError(
                f"{file} exists already: choose another metric name, or another folder"
            )
    try:
        _check_header(path, text)
    except MetricError as error:
        # The file does not exist yet, so the message has no path and line.
        raise MetricError(str(error).partition(": ")[2]) from None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        test.write_text(test_text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{error.filename} can't be written: {error.strerror}") from None
    return path, test
