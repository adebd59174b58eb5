"""What a next test needs, of a table that evaluate or compare made; and its layout."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..catalogue.conventions import OWN
from ..catalogue.requests import parse_metrics, spelled
from ..display.layout import ARROWS, MISSING, Cell, Column, Group, Layout, text_of
from ..display.numbers import decimals_for, number
from ..errors import InputError
from ..options import LEVEL, read_share
from ..results.evaluated import direction, missing_lists, percent
from ..results.rows import Rows
from ..results.table import Table
from ..run.segments import refuse
from ..statistics.planning import MOST_UNITS, chance, effect_found, units_needed
from .margins import Margin, Name, read_margins

if TYPE_CHECKING:
    import pyarrow as pa

# What is told of each row; the last three where a difference is asked for.
_TOLD = ("design", "users", "standard_deviation", "detectable")
_OF_DIFFERENCE = ("difference", "power", "users_needed")

_DESIGNS = {
    "pairs": "the same users see both models: Student's t test for pairs",
    "groups": "users in each of two groups that see one model each: by the normal distribution",
}

Row = Mapping[str, Any]


def planned(
    table: pa.Table | Rows,
    *,
    difference: Any = None,
    sample_size: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    sides: int = 2,
    sql: str = "",
    inputs: Sequence[str] = (),
    without_list: Mapping[Any, int] | None = None,
) -> Table:
    """Plan a next test on users like those of a result, as ``sqlrec.power`` tells.

    Args:
        table: The result.
        difference, sample_size, power, level, sides: As in ``sqlrec.power``.
        sql: The statement of the result.
        inputs: The paths that it was made of.
        without_list: How many of its users have no list, by model.

    Raises:
        InputError: A table without standard errors; a difference, a number of users, a power, a
            level or sides that can't be.
    """
    level, power = LEVEL.read(level), read_share("power", power)
    whole = isinstance(sample_size, int) and not isinstance(sample_size, bool)
    if sample_size is not None and not (whole and 2 <= sample_size <= MOST_UNITS):
        raise InputError(f"sample_size={sample_size!r}: it is a whole number from 2, such as 10000")
    if sides not in (1, 2) or isinstance(sides, bool):
        raise InputError(f"sides={sides!r}: it is 2, or 1 for a difference to one side alone")
    check_columns(table)
    names = table.column_names
    segments = names[1 : names.index("metric")]
    refuse(segments, (*_TOLD, *_OF_DIFFERENCE))
    sizes = _sizes(difference, table)
    keys = [*names[: names.index("k") + 1], *({"asked", "baseline"} & {*names})]
    design = "pairs" if "baseline_value" in names else "groups"
    kept = [*_TOLD, *(_OF_DIFFERENCE if sizes else ())]
    rows = [
        {name: row[name] for name in keys}
        | {"design": design}
        | _of_row(row, design, sizes, sample_size, power, level, sides)
        for row in table.to_pylist()
    ]
    types = {field.name: field.type for field in table.select(keys).schema}
    types |= dict.fromkeys(kept, "float64")
    types |= {"design": "string", "users": "int64"}
    types |= {"users_needed": "int64"} if sizes else {}
    found = Rows(types, [{name: row[name] for name in types} for row in rows])
    missing = missing_lists(without_list or {})
    lay_out = partial(_of_plan, power=power, level=level, sides=sides, missing=missing)
    return Table(sql, lambda: found, inputs=inputs, lay_out=lay_out)


def check_columns(table: pa.Table | Rows) -> None:
    """Refuse what is not a result with standard errors.

    Raises:
        InputError: A column is missing.
    """
    for name in ("model", "metric", "k", "users", "standard_error"):
        if name not in table.column_names:
            raise InputError(
                f"results has no column {name!r}: give what compare returned, or evaluate with "
                "interval='t'"
            )


def _sizes(difference: Any, table: pa.Table | Rows) -> dict[Name, Margin]:
    """Read the differences that are asked for, by metric.

    Raises:
        InputError: One is 0 or no number; one of a metric that there is not.
    """
    if difference is None:
        return {}
    asked = {(row["metric"], row["k"]) for row in table.select(["metric", "k"]).to_pylist()}
    known = {}
    for label, k in asked:
        (request,) = parse_metrics([spelled(label, k)])
        known[spelled(label, k)] = request
    found = read_margins(difference, known, OWN, of_worse=False, option="difference")
    for name, one in found.items():
        if not one.size:
            raise InputError(
                f"difference of {spelled(*name)} is 0: give a number above 0, or a share as '1%'"
            )
    return found


def _of_row(
    row: Row,
    design: str,
    sizes: Mapping[Name, Margin],
    sample_size: int | None,
    power: float,
    level: float,
    sides: int,
) -> dict[str, Any]:
    """Plan a test by a row. Users in clusters count as these do: each brings as many as here."""
    told: dict[str, Any] = dict.fromkeys((*_TOLD[1:], *_OF_DIFFERENCE))
    told["users"] = sample_size or row["users"]
    units, error = row.get("clusters") or row["users"], row["standard_error"]
    size = sizes.get((row["metric"], row["k"]))
    base = row["baseline_value"] if design == "pairs" else row["value"]
    if size is not None and (base is not None or not size.relative):
        told["difference"] = size.size * (abs(base) if size.relative else 1)
    if not error or not units or units < 2:
        return told
    each, deviation = row["users"] / units, error * math.sqrt(units)
    then = max(2.0, told["users"] / each)
    told["standard_deviation"] = error * math.sqrt(row["users"])
    told["detectable"] = effect_found(design, power, then, level, sides) * deviation
    if told["difference"]:
        effect = told["difference"] / deviation
        told["power"] = chance(design, effect, then, level, sides)
        needed = units_needed(design, power, effect, level, sides)
        told["users_needed"] = None if needed is None else math.ceil(needed * each - 1e-9)
    return told


def _of_plan(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    power: float,
    level: float,
    sides: int,
    missing: Sequence[str],
) -> Layout:
    """Lay out a plan: a row for each model, segment and metric."""
    segments = [*names[1 : names.index("metric")]]
    several = "baseline" in names
    of_difference = "difference" in names
    columns = [Column(name, key=True) for name in ("model", *segments, "metric")]
    told = ["users", "deviation", "detectable"]
    told += ["difference", "power", "users needed"] if of_difference else []
    columns += [Column(name, number=True) for name in told]
    lines = []
    for row in rows:
        digits = decimals_for([row["detectable"], row.get("difference")])
        model = f"{row['model']} - {row['baseline']}" if several else str(row["model"])
        line = [Cell(model), *(Cell(text_of(row[s])) for s in segments)]
        asked = row.get("asked") or spelled(row["metric"], row["k"])
        line.append(Cell(f"{asked} {ARROWS.get(direction(row['metric']), '')}".strip()))
        line.append(Cell(number(row["users"], 0)))
        shown = ["standard_deviation", "detectable", *(["difference"] if of_difference else [])]
        line += [Cell(number(row[name], digits) or MISSING) for name in shown]
        if of_difference:
            line.append(Cell(MISSING if row["power"] is None else f"{100 * row['power']:.3g} %"))
            line.append(Cell(number(row["users_needed"], 0) or MISSING))
        lines.append(line)
    design = rows[0]["design"] if rows else "pairs"
    side = "two-sided" if sides == 2 else "one-sided"
    notes = [
        *missing,
        f"detectable: the least true difference that is found with a chance of {percent(power)}",
        f"{_DESIGNS[design]}, p < {1 - level:.3g}, {side}",
    ]
    return Layout(columns, [Group("", lines)], "What a next test finds", notes)
