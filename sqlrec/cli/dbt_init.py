"""Models, tests and a unit test for a dbt project."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..catalogue.requests import MetricRequest, parse_metrics
from ..errors import InputError
from ..records import Record
from .output import Options, put_text
from .parse_inputs import columns_of

# The rows of the unit test, with sqlrec's column names. Each list has two items.
_RECS = [
    {"model": "a", "user_id": user, "item_id": item, "score": 1 / rank, "rank": rank}
    for user in ("u", "v")
    for rank, item in enumerate(("x", "y"), 1)
]
_TRUTH = [
    {"user_id": "u", "item_id": "x", "relevance": 1},
    {"user_id": "v", "item_id": "z", "relevance": 1},
]

_DAY = "2026-01-31"


def dbt_init(options: Options) -> None:
    """Write the files of a dbt project; fail if a file exists."""
    folder = Path(options.folder or "models")
    texts = {folder / name: text for name, text in _project_files(options).items()}
    for path in texts:
        if path.exists():
            raise InputError(f"{path} exists: remove it, or name another --folder")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    files_written = "\n".join(map(str, texts))
    put_text(
        f"{files_written}\n\nNext: add the package to packages.yml, as in docs/dbt.md; then run "
        "dbt deps and dbt build"
    )


def _project_files(options: Options) -> dict[str, str]:
    """Return the texts of the files by name."""
    requests = parse_metrics(options.metrics)
    for request in requests:
        _check_inputs(request)
    columns: Any = columns_of(options)
    for name in (*filter(None, [options.day]), *columns.values()):
        if not isinstance(name, str) or not re.fullmatch(r"[a-z_]\w*", name):
            raise InputError(
                f"{name!r}: dbt-init takes names of single columns in lower case, as in user_id; "
                f"rename the column in a model, or change the files afterwards"
            )
    directed = (request.text for request in requests if request.metric.better != "neither")
    users = {"user_id": "user_id"} | columns
    keys = {
        name: [column, options.day]
        for name, column in users.items()
        if options.day and name.rpartition(".")[2] == "user_id"
    }
    values = {
        "metrics": " ".join(options.metrics),
        "recs": _dbt_relation(options.recs),
        "truth": _dbt_relation(options.truth),
        "day": options.day,
        "example_day": _DAY,
        "columns": columns | keys,
        "directed": next(directed, None),
        "recs_rows": _unit_test_rows(_RECS, columns, "recs", options.day),
        "truth_rows": _unit_test_rows(_TRUTH, columns, "truth", options.day),
        "expected": _expected_values(options.metrics, columns),
    }
    import jinja2  # The import is lazy, since only this command needs it.

    environment = jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters |= {"quoted": repr, "quoted_twice": json.dumps}
    template = Path(__file__).with_name("dbt_models.jinja").read_text(encoding="utf-8")
    files: Any = environment.from_string(template).make_module(values)
    names = ["evaluation", "evaluation_per_user", *(["evaluation_daily"] if options.day else [])]
    texts = {f"{name}.sql": getattr(files, name)() for name in names}
    texts["evaluation.yml"] = files.properties()
    return {name: text.replace("[[", "{{").replace("]]", "}}") for name, text in texts.items()}


def _check_inputs(request: MetricRequest) -> None:
    """Check that a metric needs only recs and truth."""
    for need in request.metric.needs:
        required = need.applies(request.settings, available=False)
        if required and need.table not in ("recs", "truth"):
            raise InputError(
                f"{request.text} needs {need.table}: dbt-init writes models of recs and truth; add "
                f"the metric and {need.table}=ref(...) to the models afterwards"
            )


def _dbt_relation(name: str) -> str:
    """Return the dbt call for a model, or for a table in a source."""
    if not re.fullmatch(r"\w+(\.\w+)?", name):
        raise InputError(f"{name!r}: write the name of a model, or SOURCE.TABLE")
    source, dot, table = name.partition(".")
    return f"source('{source}', '{table}')" if dot else f"ref('{name}')"


def _standard_columns(rows: list[Record], columns: Mapping[str, str]) -> list[Record]:
    """Return rows with the columns that a macro assumes if it can't read the table's columns."""
    standard = [name for name in rows[0] if name in ("user_id", "item_id") or name in columns]
    standard += ["score"] * ("score" in rows[0] and not {"score", "rank"} & columns.keys())
    return [{name: row[name] for name in standard} for row in rows]


def _unit_test_rows(
    rows: list[Record], columns: Mapping[str, str], table: str, day: str | None
) -> list[dict[str, str]]:
    """Return the rows of the unit test, as SQL constants by column."""
    own = {name.removeprefix(f"{table}."): column for name, column in columns.items()}
    days = {day: f"cast('{_DAY}' as date)"} if day else {}
    return [
        {own.get(name, name): repr(value) for name, value in row.items()} | days
        for row in _standard_columns(rows, own)
    ]


def _expected_values(metrics: list[str], columns: Mapping[str, str]) -> list[Record]:
    """Return the per-user values of the unit test."""
    import pyarrow as pa

    from ..functions import evaluate

    defaults = dict.fromkeys((name.rpartition(".")[2] for name in columns), "")
    recs, truth = (
        pa.Table.from_pylist(_standard_columns(rows, defaults)) for rows in (_RECS, _TRUTH)
    )
    with warnings.catch_warnings(action="ignore"):
        result = evaluate(metrics, recs=recs, truth=truth, interval=None)
    rows = result.per_user().rows().to_pylist()
    return sorted(rows, key=lambda row: (row["user_id"], row["request"]))
