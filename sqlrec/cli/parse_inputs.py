"""Arguments of Python functions, parsed from the command line."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..catalogue.headers import SINGLE_TABLES, TABLES
from ..engines.files import list_files, path_exists
from ..engines.formats import File
from ..errors import InputError
from ..options import OBJECTS, group_options
from .output import FILES, Options

if TYPE_CHECKING:
    from ..dataset import Dataset

# Arguments of a Python function, by name.
Arguments = dict[str, Any]


def inputs_of(options: Options) -> Arguments:
    """Return the arguments of ``sqlrec.Dataset``, except the engine."""
    where = {}
    for pair in options.where or []:
        table, equals, condition = pair.partition("=")
        # A condition without the name of an input may contain an equals sign too: recs.day = 7.
        if not equals or not re.fullmatch(r"\w+", table):
            name, dot, rest = pair.partition(".")
            fix = f'"{name}={rest}"' if dot and name in TABLES else "INPUT=CONDITION"
            raise InputError(f"--where {pair}: write {fix}")
        where[table] = condition
    tables = {name: getattr(options, name) for name in SINGLE_TABLES}
    # A baseline that is a model's name is text; an input is a list of paths.
    tables = {name: value for name, value in tables.items() if isinstance(value, list)}
    tables = {name: value if value[1:] else value[0] for name, value in tables.items()}
    if options.recs:
        tables["recs"] = recs_of(options.recs)
    for name in _parse_file_formats(options).keys() - tables.keys():
        raise InputError(
            f"--input-format {name}: --{name} is missing; give it, or remove --input-format"
        )
    return {
        **{name: _parse_input(name, value, options) for name, value in tables.items()},
        "columns": columns_of(options),
        "where": where,
        "progress": sys.stderr.isatty(),
    }


def options_of(options: Options, function: Callable[..., Any]) -> Arguments:
    """Return the options of a function on the command line, grouped into objects."""
    own = {name: x.default for name, x in signature(function).parameters.items()}
    fields = {field for name in own.keys() & OBJECTS for field in OBJECTS[name][1]}
    values = {x: value for x, value in vars(options).items() if x in {*own, *fields} - {"columns"}}
    if options.groupings == "each":
        values |= {"by": options.by or [], "each": True}
    if isinstance(options.k, list):  # Plots accept only a single number.
        values["k"] = ",".join(options.k)
    for name in values.keys() & {"margin", "difference"}:
        values[name] = _parse_values_by_metric(name, values[name])
    return group_options(values, own)


def _parse_values_by_metric(option: str, texts: list[str]) -> dict[str, str]:
    """Parse METRIC=VALUE; a value for all metrics has no name."""
    values: dict[str, str] = {}
    for text in texts:
        # Parameters also contain equals signs, as in f_beta(beta=2)@5=0.3.
        metric, _, value = text.rpartition("=")
        if metric in values:
            raise InputError(
                f"--{option} {text}: {metric or 'all metrics'} given twice: remove one"
            )
        values[metric] = value
    return values


def columns_of(options: Options) -> dict[str, str | list[str]]:
    """Parse the column names."""
    columns: dict[str, str | list[str]] = {}
    for pair in options.columns or []:
        name, equals, caller_name = pair.partition("=")
        if not equals:
            raise InputError(f"--column {pair}: write NAME=COLUMN, as in user_id=uid")
        # Commas separate the columns of a key.
        columns[name] = caller_name.split(",") if "," in caller_name else caller_name
    return columns


def _parse_input(name: str, value: Any, options: Options) -> Any:
    """Return an input for Python, with its format, and with file names as paths."""
    if isinstance(value, dict):
        return {model: _parse_input(name, path, options) for model, path in value.items()}
    if isinstance(value, list):
        return [_parse_input(name, path, options) for path in value]
    plain = isinstance(value, str) and options.engine is None and Path(value).name == value
    path = f"./{value}" if plain and path_exists(value) else value
    form = _parse_file_formats(options).get(name)
    return path if form is None or path is None else File(path, **form)


def _parse_file_formats(options: Options) -> dict[str, Arguments]:
    """Return the arguments of ``sqlrec.File`` by input."""
    formats: dict[str, Arguments] = {}
    for text in options.input_format or []:
        (name, form), *others = (part.partition("=")[::2] for part in text.split(","))
        arguments: Arguments = {"format": form or None, **dict(others)}
        is_valid = arguments.keys() <= {"format", "delimiter", "header", "encoding"}
        is_valid &= arguments.get("header", "no") in ("yes", "no") and name in TABLES
        if not is_valid or not all("=" in part for part in text.split(",")):
            raise InputError(
                f"--input-format {text}: write INPUT=FORMAT, where INPUT is one of "
                f"{', '.join(TABLES)}; after commas, add delimiter=, header=yes or no, or encoding="
            )
        if "header" in arguments:
            arguments["header"] = arguments["header"] == "yes"
        if arguments.get("delimiter") == "\\t":
            arguments["delimiter"] = "\t"
        formats[name] = arguments
    return formats


def recs_of(texts: list[str]) -> Any:
    """Return the path of the lists, or paths by model. The files after one flag are one model.

    A model without a name is named after its file.
    """
    pairs = [re.fullmatch(r"(\w[\w.-]*)=(.+)", text, re.DOTALL) for text in texts]
    # A folder of Hive partitions has the form of a named model, as in m=*/*.parquet.
    if len(texts) == 1:
        first = Path(texts[0]).parts[0] if texts[0] else ""
        if pairs[0] is None or path_exists(first) or list_files(first):
            return _flag_paths(texts[0])
    models: dict[str, str | list[str]] = {}
    for text, match in zip(texts, pairs, strict=True):
        first = text.split(FILES)[0]
        file_stem = Path(first).name.partition(".")[0] if path_exists(first) else first
        model, path = match.groups() if match else (file_stem, text)
        if model in models:
            raise InputError(
                f"--recs {first}: model {model!r} is given twice: name each, as in als=als.parquet"
            )
        models[model] = _flag_paths(path)
    return models


def _flag_paths(text: str) -> str | list[str]:
    """Return the path after a flag, or a list if there are several."""
    return text.split(FILES) if FILES in text else text


def paths_of(options: Options) -> Iterator[str]:
    """Yield the paths that a command reads."""
    recs = recs_of(options.recs) if options.recs else {}
    names = (*SINGLE_TABLES, "engine", "results", "comparison", "past", "against")
    others = [getattr(options, name) for name in names]
    lists: list[Any] = [*recs.values()] if isinstance(recs, dict) else [recs]
    for value in (*lists, *others):
        for path in value if isinstance(value, list) else filter(None, [value]):
            yield from (path, f"{path}.wal")


def settings_of(options: Options) -> Arguments:
    """Return DuckDB's settings from the command line."""
    settings = {x: getattr(options, x) for x in ("threads", "memory_limit", "temp_directory")}
    return {name: value for name, value in settings.items() if value is not None}


@contextmanager
def engine_of(options: Options) -> Iterator[Any]:
    """Open the engine of ``--engine``, and close it at the end."""
    from ..engines.connect import close_connection, duckdb_path, open_connection
    from ..engines.duckdb import open_database

    name, settings = options.engine, settings_of(options)
    if settings and name is not None and duckdb_path(name) is None:
        flags = ", ".join(f"--{setting.replace('_', '-')}" for setting in settings)
        raise InputError(f"{flags}: settings apply only to DuckDB; remove {flags}, or --engine")
    writes = options.into is not None
    connection = (
        open_database(settings=settings)
        if name is None
        else open_connection(name, settings, writes)
    )
    try:
        yield connection
    finally:
        close_connection(connection)


@contextmanager
def dataset_of(options: Options) -> Iterator[Dataset]:
    """Open the inputs for one command, and close the engine at the end."""
    from ..dataset import Dataset

    own = options.engine is None and options.into is None
    with nullcontext() if own else engine_of(options) as engine:
        settings = settings_of(options) if own else None
        data = Dataset(**inputs_of(options), engine=engine, settings=settings).single_use()
        yield data
        data.tables.warn_about_unused(options.metrics, options.name or options.words[0])
