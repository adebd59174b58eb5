"""The command line as arguments of Python."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..catalogue.headers import SINGLE_TABLES
from ..engines.files import is_there, listed
from ..engines.formats import File
from ..errors import InputError
from ..options import OF_COMPARE, OF_EVALUATE


def arguments(options: argparse.Namespace) -> dict[str, Any]:
    """Turn the command line into arguments of ``sqlrec.evaluate``."""
    known = {option.name for option in (*OF_EVALUATE, *OF_COMPARE)}
    given = {name: value for name, value in vars(options).items() if name in known}
    if isinstance(getattr(options, "k", None), list):  # That of a plot is a number.
        given["k"] = ",".join(options.k)
    where = {}
    for pair in options.where or []:
        table, equals, condition = pair.partition("=")
        if not equals:
            raise InputError(f"--where {pair}: write INPUT=CONDITION")
        where[table] = condition
    return given | {
        "recs": _given("recs", recs_of(options.recs), options) if options.recs else None,
        **{name: _given(name, getattr(options, name), options) for name in SINGLE_TABLES},
        "by": options.by or [],
        "columns": columns_of(options),
        "where": where,
        "progress": sys.stderr.isatty(),
    }


def columns_of(options: argparse.Namespace) -> dict[str, str | list[str]]:
    """Read the names of columns.

    Raises:
        InputError: One is written otherwise than ``OURS=YOURS``.
    """
    columns: dict[str, str | list[str]] = {}
    for pair in options.column or []:
        ours, equals, yours = pair.partition("=")
        if not equals:
            raise InputError(f"--column {pair}: write OURS=YOURS, as in user_id=uid")
        # A comma parts the columns of a key.
        columns[ours] = yours.split(",") if "," in yours else yours
    return columns


def _given(name: str, given: Any, options: argparse.Namespace) -> Any:
    """Return an input as Python takes it: with its format, and a plain name of a file as a path."""
    if isinstance(given, dict):
        return {model: _given(name, one, options) for model, one in given.items()}
    if isinstance(given, list):
        return [_given(name, one, options) for one in given]
    plain = isinstance(given, str) and options.engine is None and Path(given).name == given
    path = f"./{given}" if plain and is_there(given) else given
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
            option, given, value = other.partition("=")
            if not given or option not in ("delimiter", "header", "encoding"):
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
            known = ", ".join(("recs", *SINGLE_TABLES))
            raise InputError(f"--input-format {pair}: write INPUT=FORMAT, of one of {known}")
        formats[name] = form
    return formats


def recs_of(given: list[str]) -> str | list[str] | dict[str, str]:
    """Return the path of the lists, several paths, or paths by models where these have names.

    Raises:
        InputError: Some have a name and others do not, or two have the same.
    """
    if len(given) > 1 and all(is_there(path) for path in given):
        return given
    named = [re.fullmatch(r"(\w[\w.-]*)=(.+)", text) for text in given]
    # A folder of hive partitions is named like a model, as in m=*/*.parquet.
    if len(given) == 1:
        first = Path(given[0]).parts[0] if given[0] else ""
        if named[0] is None or is_there(first) or listed(first):
            return given[0]
    models: dict[str, str] = {}
    for text, match in zip(given, named, strict=True):
        if match is None:
            raise InputError(f"--recs {text}: with several, name each model, as in als=als.parquet")
        if match[1] in models:
            raise InputError(f"--recs {text}: model {match[1]!r} is given twice")
        models[match[1]] = match[2]
    return models


def paths_of(options: argparse.Namespace) -> Iterator[str]:
    """Go through the paths that a command reads."""
    recs = recs_of(options.recs) if options.recs else {}
    names = (*SINGLE_TABLES, "engine", "results", "comparison", "merge")
    others = [getattr(options, name, None) for name in names]
    named: list[Any] = [*recs.values()] if isinstance(recs, dict) else [recs]
    for given in (*named, *others):
        for path in given if isinstance(given, list) else filter(None, [given]):
            yield from (path, f"{path}.wal")


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of DuckDB that are given."""
    named = {name: getattr(options, name) for name in ("threads", "memory_limit", "temp_directory")}
    return {name: value for name, value in named.items() if value is not None}


@contextmanager
def engine_of(options: argparse.Namespace) -> Iterator[Any]:
    """Open what ``--engine`` names, and close it."""
    from ..engines.connect import opened, path_of
    from ..engines.duckdb import connect

    given, settings = options.engine, settings_of(options)
    if settings and given is not None and path_of(given) is None:
        named = ", ".join(f"--{name.replace('_', '-')}" for name in settings)
        raise InputError(f"{named}: a setting of DuckDB; leave it out with another --engine")
    connection = connect(settings=settings) if given is None else opened(given, settings)
    try:
        yield connection
    finally:
        # Spark's session ends with the process: it may be somebody else's.
        if given != "spark":
            connection.close()
