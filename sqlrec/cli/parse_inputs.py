"""Arguments of Python functions, parsed from the command line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..catalogue.conventions import OWN
from ..catalogue.headers import SINGLE_TABLES
from ..engines.files import is_there, listed
from ..engines.formats import File
from ..errors import InputError
from ..options import OF_COMPARE, OF_EVALUATE, IntervalName, group_options


def inputs_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of ``sqlrec.Dataset``, except the engine."""
    where = {}
    for pair in options.where or []:
        table, equals, condition = pair.partition("=")
        if not equals:
            raise InputError(f"--where {pair}: write INPUT=CONDITION")
        where[table] = condition
    return {
        "recs": _input("recs", recs_of(options.recs), options) if options.recs else None,
        **{name: _input(name, getattr(options, name), options) for name in SINGLE_TABLES},
        "columns": columns_of(options),
        "where": where,
        "progress": sys.stderr.isatty(),
    }


def options_of(
    options: argparse.Namespace, single: Container[str] = (), interval: IntervalName | None = "auto"
) -> dict[str, Any]:
    """Return the options of a function, grouped into objects.

    Args:
        options: The parsed command line.
        single: The options that the function has as single arguments.
        interval: The default method of the interval.
    """
    names = {option.name for option in (*OF_EVALUATE, *OF_COMPARE)}
    values = {name: value for name, value in vars(options).items() if name in names}
    each = values.pop("groupings", "together") == "each"
    if options.by or each:
        values |= {"by": options.by or [], "each": each}
    if isinstance(getattr(options, "k", None), list):  # Plots have a single number.
        values["k"] = ",".join(options.k)
    alone = {name: values.pop(name) for name in [*values] if name in single}
    own = {"rules": OWN, "interval": interval, "by": ()}
    return group_options(values, own) | alone


def columns_of(options: argparse.Namespace) -> dict[str, str | list[str]]:
    """Parse the names of columns.

    Raises:
        InputError: A name is not written as ``OURS=YOURS``.
    """
    columns: dict[str, str | list[str]] = {}
    for pair in options.column or []:
        name, equals, caller_name = pair.partition("=")
        if not equals:
            raise InputError(f"--column {pair}: write OURS=YOURS, as in user_id=uid")
        # The columns of a key are separated by commas.
        columns[name] = caller_name.split(",") if "," in caller_name else caller_name
    return columns


def _input(name: str, value: Any, options: argparse.Namespace) -> Any:
    """Return an input for Python: with its format, and a file name as a path."""
    if isinstance(value, dict):
        return {model: _input(name, path, options) for model, path in value.items()}
    if isinstance(value, list):
        return [_input(name, path, options) for path in value]
    plain = isinstance(value, str) and options.engine is None and Path(value).name == value
    path = f"./{value}" if plain and is_there(value) else value
    form = _formats(options).get(name)
    return path if form is None or path is None else File(path, **form)


def _formats(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return the arguments of ``sqlrec.File`` by input.

    Raises:
        InputError: A format is not written as ``INPUT=FORMAT,option=value``.
    """
    formats: dict[str, dict[str, Any]] = {}
    for pair in options.input_format or []:
        name, equals, rest = pair.partition("=")
        format, *others = rest.split(",") if rest else [""]
        form: dict[str, Any] = {"format": format or None}
        for other in others:
            option, equals_sign, value = other.partition("=")
            if not equals_sign or option not in ("delimiter", "header", "encoding"):
                raise InputError(
                    f"--input-format {pair}: write INPUT=FORMAT, then delimiter=, header= or "
                    "encoding= behind commas"
                )
            form[option] = value
        if "header" in form:
            if form["header"] not in ("yes", "no"):
                raise InputError(f"--input-format {pair}: header is yes or no")
            form["header"] = form["header"] == "yes"
        if form.get("delimiter") == "\\t":
            form["delimiter"] = "\t"
        if not equals or name not in ("recs", *SINGLE_TABLES):
            names = ", ".join(("recs", *SINGLE_TABLES))
            raise InputError(f"--input-format {pair}: write INPUT=FORMAT, of one of {names}")
        formats[name] = form
    return formats


def recs_of(texts: list[str]) -> str | list[str] | dict[str, str]:
    """Return the path of the lists, several paths, or paths by model if they have names.

    Raises:
        InputError: Only some paths have a name, or two have the same name.
    """
    if len(texts) > 1 and all(is_there(path) for path in texts):
        return texts
    named = [re.fullmatch(r"(\w[\w.-]*)=(.+)", text) for text in texts]
    # A folder of Hive partitions has the form of a model, as in m=*/*.parquet.
    if len(texts) == 1:
        first = Path(texts[0]).parts[0] if texts[0] else ""
        if named[0] is None or is_there(first) or listed(first):
            return texts[0]
    models: dict[str, str] = {}
    for text, match in zip(texts, named, strict=True):
        if match is None:
            raise InputError(f"--recs {text}: with several, name each model, as in als=als.parquet")
        if match[1] in models:
            raise InputError(f"--recs {text}: model {match[1]!r} is given twice")
        models[match[1]] = match[2]
    return models


def paths_of(options: argparse.Namespace) -> Iterator[str]:
    """Yield the paths that a command reads."""
    recs = recs_of(options.recs) if options.recs else {}
    names = (*SINGLE_TABLES, "engine", "results", "comparison", "merge")
    others = [getattr(options, name, None) for name in names]
    lists: list[Any] = [*recs.values()] if isinstance(recs, dict) else [recs]
    for value in (*lists, *others):
        for path in value if isinstance(value, list) else filter(None, [value]):
            yield from (path, f"{path}.wal")


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of DuckDB on the command line."""
    settings = {x: getattr(options, x) for x in ("threads", "memory_limit", "temp_directory")}
    return {name: value for name, value in settings.items() if value is not None}


@contextmanager
def engine_of(options: argparse.Namespace) -> Iterator[Any]:
    """Open the engine of ``--engine``, and close it."""
    from ..engines.connect import opened, path_of
    from ..engines.duckdb import connect

    name, settings = options.engine, settings_of(options)
    if settings and name is not None and path_of(name) is None:
        flags = ", ".join(f"--{setting.replace('_', '-')}" for setting in settings)
        raise InputError(f"{flags}: a setting of DuckDB; leave it out with another --engine")
    writes = getattr(options, "into", None) is not None
    connection = connect(settings=settings) if name is None else opened(name, settings, writes)
    try:
        yield connection
    finally:
        # The Spark session may be shared, and ends with the process.
        if name != "spark":
            connection.close()
