"""Values by people of some users, and by a judge of all, brought together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..statistics.predicted import labels_mean, predicted

if TYPE_CHECKING:
    import pyarrow as pa

_NUMBERS = (
    *("value", "standard_error", "low", "high", "tuning"),
    *("labelled_value", "labelled_low", "labelled_high", "judged_value"),
)
_KEPT = ("metric", "k")

# A value of each user, by who it is, in each group.
Values = dict[tuple[Any, ...], dict[tuple[Any, ...], float]]


def judged_rows(
    asked: pa.Table,
    people: pa.Table,
    judge: pa.Table,
    *,
    means: Container[str],
    level: float,
    tuning: float | None,
) -> pa.Table:
    """Estimate the means that people would find of all users, as ``Result.judged_by`` tells.

    Args:
        asked: The means by people, whose order is that of the rows.
        people: The per-user values by people.
        judge: Those by the judge.
        means: The metrics that are a mean over users.
        level: Of intervals.
        tuning: How much the judge counts.
    """
    import pyarrow as pa

    for metric in asked["metric"].unique().to_pylist():
        if metric not in means:
            raise InputError(
                f"judged_by: {metric} is not a mean of per-user values: ask for one that is"
            )
    ours, theirs = _values(people, "people"), _values(judge, "the judge")
    names = _groups(people)
    if "grouping" in asked.column_names and "grouping" not in names:
        raise InputError(
            "judged_by: a result with groupings='each' has no per-user values of each grouping: "
            "evaluate with groupings='together'"
        )
    if _groups(judge) != names or ours.keys() - theirs.keys():
        raise InputError(
            "judged_by: the judge's result has other models, segments, metrics or cutoffs than "
            "this one: make both by the same request"
        )
    rows = []
    for one in asked.select([*names, "asked"]).to_pylist():
        group = tuple(one[name] for name in names)
        if not (labels := ours.get(group)):
            continue
        values = dict(theirs[group])
        if missing := labels.keys() - values.keys():
            raise InputError(
                f"judged_by: user {min(map(_said, missing))} has a value by people and none by the "
                "judge: evaluate the judge's truth of all users"
            )
        of_labelled = [values.pop(user) for user in labels]
        found = predicted([*labels.values()], of_labelled, [*values.values()], level, tuning)
        everyone = [*of_labelled, *values.values()]
        rows.append(
            one
            | {"labelled": len(labels), "users": len(everyone)}
            | {name: getattr(found, name) for name in _NUMBERS[:5]}
            | dict(zip(_NUMBERS[5:8], labels_mean([*labels.values()], level), strict=True))
            | {"judged_value": sum(everyone) / len(everyone)}
        )
    columns = [asked.schema.field(name) for name in (*names, "asked")]
    columns += [pa.field(name, pa.int64()) for name in ("labelled", "users")]
    columns += [pa.field(name, pa.float64()) for name in _NUMBERS]
    return pa.Table.from_pylist(rows, pa.schema(columns))


def _groups(table: pa.Table) -> list[str]:
    """Name the columns that a mean is grouped by: the model and segments, the metric and cutoff."""
    names = table.column_names
    return [*names[: names.index("user_id")], *_KEPT]


def _values(table: pa.Table, whose: str) -> Values:
    """Read per-user values by group and user.

    Raises:
        InputError: A user without value.
    """
    names = _groups(table)
    users = [name for name in table.column_names if name not in (*names, "asked", "value")]
    found: Values = defaultdict(dict)
    for row in table.to_pylist():
        group, user = tuple(row[x] for x in names), tuple(row[x] for x in users)
        if row["value"] is None:
            raise InputError(
                f"judged_by: {row['metric']} of user {_said(user)} is undefined by {whose}: "
                "leave the user out of both"
            )
        found[group][user] = row["value"]
    return found


def _said(user: tuple[Any, ...]) -> str:
    return ", ".join(map(str, user))
