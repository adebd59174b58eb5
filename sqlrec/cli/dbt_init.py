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

_CALL = """\
{{{{ sqlrec.{macro}(
    '{metrics}',
    recs={recs},
    truth={truth}{more}
) }}}}
"""

_DAILY = """\
-- A row for each day, model, metric and cutoff. A list belongs to a user and a day.
select {day}, model, metric, k, asked, count(value) as users, avg(value) as value,
    stddev_samp(value) / sqrt(count(value)) as standard_error, max(violations) as violations
from (
{call}) as per_user
group by {day}, model, metric, k, asked
"""

_MODELS = """\
models:
  - name: evaluation
    description: Each metric as the mean over users.
    data_tests: [sqlrec.no_violations]

{daily}  - name: evaluation_per_user
    description: Each metric by user.

unit_tests:
  - name: a_relevant_item_at_rank_1
    description: The relevant item of u is first in the list; the item of v is not in it.
    model: evaluation_per_user
    given:
      - input: {recs}
        format: sql
        rows: |
{rec_rows}
      - input: {truth}
        format: sql
        rows: |
{truth_rows}
    expect:
      rows:
{expected}
"""

_DAILY_MODEL = """\
  - name: evaluation_daily
    description: Each metric by day, with the standard error of the mean.
    data_tests:
      - sqlrec.no_violations
{not_worse}
"""

_NOT_WORSE = """\
      - sqlrec.metric_not_worse:
          arguments: {{metric: "{metric}", day: {day}}}"""

# The rows of the unit test under sqlrec's names; each list has two items.
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
    texts = {folder / name: text for name, text in _files(options).items()}
    for path in texts:
        if path.exists():
            raise InputError(f"{path} exists: remove it, or name another --folder")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    files_written = "\n".join(map(str, texts))
    put_text(
        f"{files_written}\n\nThe package is installed as docs/dbt.md describes. Next: dbt build"
    )


def _files(options: Options) -> dict[str, str]:
    """Return the texts of the files by name."""
    requests = parse_metrics(options.metrics)
    for request in requests:
        _check_inputs(request)
    columns: Any = columns_of(options)
    for name in (*filter(None, [options.day]), *columns.values()):
        if not isinstance(name, str) or not re.fullmatch(r"[a-z_]\w*", name):
            raise InputError(f"{name!r}: dbt-init takes names of single columns, as in user_id")
    recs, truth = (_relation(name) for name in (options.recs, options.truth))
    call = {"metrics": " ".join(options.metrics), "recs": recs, "truth": truth}

    def macro(name: str, more: Mapping[str, object]) -> str:
        arguments = "".join(f",\n    {key}={value!r}" for key, value in more.items() if value)
        return _CALL.format(macro=name, more=arguments, **call)

    first = next((request for request in requests if request.metric.better != "neither"), None)
    test = _NOT_WORSE.format(metric=first.text, day=options.day) if first else ""
    keys = {"user_id": [columns.get("user_id", "user_id"), options.day]} if options.day else {}
    texts = {
        "evaluation.sql": macro("evaluate", {"columns": columns | keys}),
        "evaluation_per_user.sql": macro("per_user", {"columns": columns | keys}),
        "evaluation.yml": _MODELS.format(
            daily=_DAILY_MODEL.format(not_worse=test) if options.day else "",
            recs=recs,
            truth=truth,
            rec_rows=_constants(_RECS, columns, "recs", options.day),
            truth_rows=_constants(_TRUTH, columns, "truth", options.day),
            expected=_expected_values(options.metrics, columns, options.day),
        ),
    }
    if options.day:
        by_day = macro("per_user", {"by": options.day, "columns": columns | keys})
        texts["evaluation_daily.sql"] = _DAILY.format(day=options.day, call=by_day)
    return texts


def _check_inputs(request: MetricRequest) -> None:
    """Check that a metric needs only recs and truth."""
    for need in request.metric.needs:
        required = need.applies(request.settings, available=False)
        if required and need.table not in ("recs", "truth"):
            raise InputError(
                f"{request.text} needs {need.table}: dbt-init writes models of recs and truth; add "
                f"the metric and {need.table}=ref(...) to the models afterwards"
            )


def _relation(name: str) -> str:
    """Return the call of dbt for a model, or for a table of a source."""
    if not re.fullmatch(r"\w+(\.\w+)?", name):
        raise InputError(f"{name!r}: write the name of a model, or SOURCE.TABLE")
    source, dot, table = name.partition(".")
    return f"source('{source}', '{table}')" if dot else f"ref('{name}')"


def _standard_columns(rows: list[Record], columns: Mapping[str, str]) -> list[Record]:
    """Return rows with the columns that a macro reads if it can't look at a table."""
    standard = [name for name in rows[0] if name in ("user_id", "item_id") or name in columns]
    standard += ["score"] * ("score" in rows[0] and not {"score", "rank"} & columns.keys())
    return [{name: row[name] for name in standard} for row in rows]


def _constants(rows: list[Record], columns: Mapping[str, str], table: str, day: str | None) -> str:
    """Return rows of the unit test as a query."""
    own = {name.removeprefix(f"{table}."): column for name, column in columns.items()}
    days = [f"cast('{_DAY}' as date) as {day}"] if day else []
    lines = []
    for row in _standard_columns(rows, own):
        values = [f"{value!r} as {own.get(name, name)}" for name, value in row.items()]
        lines.append(f"          select {', '.join(values + days)}")
    return "\n          union all\n".join(lines)


def _expected_values(metrics: list[str], columns: Mapping[str, str], day: str | None) -> str:
    """Return the per-user values of the unit test."""
    import pyarrow as pa

    from ..functions import evaluate

    named = dict.fromkeys((name.rpartition(".")[2] for name in columns), "")
    recs, truth = (pa.Table.from_pylist(_standard_columns(rows, named)) for rows in (_RECS, _TRUTH))
    with warnings.catch_warnings(action="ignore"):
        result = evaluate(metrics, recs=recs, truth=truth, interval=None)
    of_day = f" | {_DAY}" if day else ""
    rows = [
        f"{{user_id: {row['user_id']}{of_day}, asked: {json.dumps(row['asked'])}, "
        f"value: {json.dumps(row['value'])}}}"
        for row in result.per_user().rows().to_pylist()
    ]
    return "\n".join(f"        - {row}" for row in sorted(rows))
