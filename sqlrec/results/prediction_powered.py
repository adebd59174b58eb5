"""Prediction-powered means, from human labels of some users and a judge's labels of all users."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..statistics.prediction_powered import labels_mean, prediction_powered

if TYPE_CHECKING:
    import pyarrow as pa

_LABELED = ("labeled_value", "labeled_low", "labeled_high")
_NUMBERS = ("value", "standard_error", "low", "high", "tuning", *_LABELED, "judged_value")

# The values by user, for each group.
Values = dict[tuple[Any, ...], dict[tuple[Any, ...], float]]


def prediction_powered_rows(
    requests: pa.Table,
    people: pa.Table,
    judge: pa.Table,
    *,
    means: Container[str],
    level: float,
    tuning: float | None,
) -> pa.Table:
    """Estimate each mean as if people had labeled all users."""
    import pyarrow as pa

    for metric in requests["metric"].unique().to_pylist():
        if metric not in means:
            raise InputError(
                f"prediction_powered: {metric} is not a mean of per-user values: request another "
                "metric"
            )
    human_values, judge_values = _user_values(people, "people"), _user_values(judge, "the judge")
    names = _group_columns(people)
    if "grouping" in requests.column_names and "grouping" not in names:
        raise InputError(
            "prediction_powered: per-user values of a result with each=True have no groupings; "
            "evaluate again with each=False"
        )
    if _group_columns(judge) != names or human_values.keys() - judge_values.keys():
        raise InputError(
            "prediction_powered: the judge's result has other models, segments, metrics or "
            "cutoffs than this one: evaluate both with the same request"
        )
    rows = []
    for row in requests.select([*names, "request"]).to_pylist():
        group = tuple(row[name] for name in names)
        if not (labels := human_values.get(group)):
            continue
        values = dict(judge_values[group])
        if missing := labels.keys() - values.keys():
            raise InputError(
                f"prediction_powered: user {min(map(_format_user, missing))} has a value by people "
                "but not by the judge: evaluate the judge's labels of all users"
            )
        predictions = [values.pop(user) for user in labels]
        people_values, others = [*labels.values()], [*values.values()]
        row |= {"labeled": len(labels), "users": len(predictions) + len(others)}
        row |= prediction_powered(people_values, predictions, others, level, tuning)
        row |= zip(_LABELED, labels_mean(people_values, level), strict=True)
        rows.append(row | {"judged_value": fmean([*predictions, *others])})
    columns = [requests.schema.field(name) for name in (*names, "request")]
    columns += [pa.field(name, pa.int64()) for name in ("labeled", "users")]
    columns += [pa.field(name, pa.float64()) for name in _NUMBERS]
    return pa.Table.from_pylist(rows, pa.schema(columns))


def _group_columns(table: pa.Table) -> list[str]:
    """Return the group columns of a mean: model, segments, metric and cutoff."""
    names = table.column_names
    return [*names[: names.index("user_id")], "metric", "k"]


def _user_values(table: pa.Table, labels: str) -> Values:
    names = _group_columns(table)
    users = [name for name in table.column_names if name not in (*names, "request", "value")]
    values: Values = defaultdict(dict)
    for row in table.to_pylist():
        group, user = tuple(row[x] for x in names), tuple(row[x] for x in users)
        if row["value"] is None:
            raise InputError(
                f"prediction_powered: {row['metric']} of user {_format_user(user)} is undefined by "
                f"{labels}: remove the user from both"
            )
        values[group][user] = row["value"]
    return values


def _format_user(user: tuple[Any, ...]) -> str:
    return ", ".join(map(str, user))
