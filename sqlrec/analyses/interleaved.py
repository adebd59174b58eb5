"""Interleaved lists: the model that users prefer, by clicks in impressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, Literal

from ..display.numbers import format_p, number, spread
from ..display.table_layout import MISSING, Cell, Column, Group, Layout, format_cell_text
from ..engines.connect import find_spark_session, input_paths, open_engine
from ..engines.duckdb import DuckDB
from ..engines.python_tables import read_streams
from ..errors import DataError, InputError, first_error_line, safe_cause
from ..inputs.columns import Columns
from ..inputs.read import Inputs
from ..inputs.source import Source, check_ids, check_number_column
from ..layouts.result import CORRECTIONS, GAIN, LOSS, format_level, is_significant
from ..options import LEVEL, Segments, Settings, check_choice
from ..records import Record, Row
from ..rendering.templates import render
from ..results.rows import Rows
from ..results.table import Table
from ..run.segments import check_segment_names
from ..statistics.formulas import correct_p_values, corrected_levels
from ..statistics.preference import preference

if TYPE_CHECKING:
    from ..engines.base import Engine

REQUIRED = ("impression_id", "model", "click")
OPTIONAL = ("user_id", "item_id")

_OUTCOMES = ("wins", "ties", "losses")
_PRODUCTS = tuple(map("_".join, combinations_with_replacement(_OUTCOMES, 2)))
_QUERY_COLUMNS = ("impressions", *(f"all_{name}" for name in _OUTCOMES), *_PRODUCTS, "units")
_COUNTS = ("impressions", "users", *_OUTCOMES)
_VALUES = ("preference", "low", "high", "delta", "p", "p_adjusted")

_VIOLATIONS = (
    "impressions has {} rows without impression_id or user_id: remove these rows",
    "impressions has {} rows with a click that is null, NaN, below 0 or above 1e9: give 0 for "
    "items without a click",
    "impressions has {} items more than once in an impression: give each item one row, with one "
    "model",
    "impressions has {} impressions of several users, or of several values of by: give each list "
    "its own impression_id",
)


def interleaved(
    impressions: Any,
    *,
    baseline: str | None = None,
    ties: Literal["half", "drop"] = "half",
    unit: Literal["user", "impression"] | None = None,
    level: float = 0.95,
    correction: Literal["holm", "bonferroni", "bh", "none"] = "holm",
    by: str | Iterable[str] = (),
    columns: Mapping[str, str | Sequence[str]] | None = None,
    engine: Any = None,
    settings: Settings | None = None,
) -> Table:
    """Estimate which model users prefer, from interleaved lists that mix items of several models.

    In lists by team-draft interleaving, each item belongs to the model that contributed it, and a
    click on the item is credited to that model. The model with more clicks in an impression wins
    the impression. If lists mix more than two models, as in team-draft multileaving, each pair of
    models is compared over the impressions with items of both models.

    The columns of the result are:

    - ``model`` and ``baseline``, the two models.
    - ``impressions``: the number of impressions with items of both models; ``users``, if
      ``unit="user"``: the number of users who saw these impressions.
    - ``wins``, ``ties`` and ``losses`` of the model.
    - ``preference``: the share of wins, which is (wins + ties / 2) / impressions, or wins / (wins +
      losses) with ``ties="drop"``. ``low`` and ``high`` are its interval.
    - ``delta``: Chapelle's Delta_AB, which is preference - 1/2.
    - ``p``: the p-value for the hypothesis that users prefer neither model; ``p_adjusted``: the
      p-value, corrected for the number of tests.

    With ``unit="impression"``, p-values and intervals are computed by a t-test. If ``ties="drop"``,
    the sign test and Wilson's interval replace the t-test. With ``unit="user"``, the preference is
    a ratio of sums over users, linearized by user, with a t-test.

    Source: Radlinski et al. 2008, doi.org/10.1145/1458082.1458092; Chapelle et al. 2012,
    doi.org/10.1145/2094072.2094078; Schuth et al. 2014, doi.org/10.1145/2661829.2661952.

    Args:
        impressions: A path, a table in Python, the name of a table in ``engine``, or a query in
            parentheses. The table contains a row per displayed item, with the columns
            ``impression_id``; ``model``, the model that contributed the item, or null; ``click``,
            which is 0 or 1, true or false, or a number of clicks; and optionally ``user_id`` and
            ``item_id``.
        baseline: The model that all other models are compared with. None (default) compares every
            pair.
        ties: The weight of impressions in which both models get equally many clicks. ``half``
            (default) counts half a win, as in the paper. ``drop`` excludes these impressions.
        unit: The independent unit: ``user`` or ``impression``. The default is ``user`` if there is
            a ``user_id``, because the impressions of one user are correlated.
        level: The confidence level of the intervals; by default 0.95.
        correction: The correction for multiple tests, over all pairs and segments: ``holm``,
            ``bonferroni``, ``bh`` or ``none``.
        by: Columns of segments. Each impression has one value of each column.
        columns: Your column names for sqlrec's column names, as in ``Dataset``.
        engine, settings: As in ``Dataset``.

    Returns:
        A Table with a row per pair of models and segment.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> rows = {"impression_id": [1, 1, 2, 2, 3, 3], "model": ["new", "old"] * 3}
        >>> table = sqlrec.interleaved(pa.table(rows | {"click": [1, 0, 1, 0, 0, 1]}))
        >>> table.to_arrow().select(["model", "wins", "losses"]).to_pylist()
        [{'model': 'old', 'wins': 1, 'losses': 2}]

    Raises:
        InputError: As in ``evaluate``; also if there are fewer than two models, or if ``baseline``
            is not one of the models.
        DataError: A row without an impression; a click that is not a number; an item twice in an
            impression; or an impression that belongs to several users or segments.
    """
    level = LEVEL.read(level)
    check_choice("ties", ties, ("half", "drop"))
    check_choice("unit", unit, (None, "user", "impression"))
    check_choice("correction", correction, ("holm", "bonferroni", "bh", "none"))
    segments = [*Segments.read(by).columns]
    check_segment_names(segments, ["model", "baseline", *_COUNTS, *_VALUES, "click"])
    tables = {"impressions": impressions}
    engine_or_session = find_spark_session(tables) if engine is None else engine
    runner = open_engine(engine_or_session, settings, False)
    opened = read_streams(tables) if isinstance(runner, DuckDB) else tables
    inputs, source = _read_impressions(opened, runner, columns, segments)
    if unit == "user" and "user_id" not in source.columns:
        raise InputError("unit='user': impressions has no column 'user_id'; give unit='impression'")
    by_user = "user_id" in source.columns and unit != "impression"
    plan = _impressions_plan(source, segments, by_user)
    (violations,) = _count_clicks(inputs, render("interleaved_violations", plan, runner.dialect))
    for count, message in zip(violations, _VIOLATIONS, strict=True):
        if count:
            raise DataError(message.format(count))
    text = render("interleaved", plan, runner.dialect)
    names = ("model", "baseline", *segments, *_QUERY_COLUMNS)
    rows = [dict(zip(names, row, strict=True)) for row in _count_clicks(inputs, text)]
    rows = _select_pairs(rows, baseline, segments)
    for row in rows:
        row |= {name: row[f"all_{name}"] for name in _OUTCOMES}
        row |= preference(row, ties, level, by_user=by_user)
        row["users"] = row["units"]
    p_values = [row["p"] for row in rows]
    adjusted = correct_p_values(correction, p_values)
    levels = corrected_levels(correction, p_values, level)
    for row, p, corrected_level in zip(rows, adjusted, levels, strict=True):
        row |= preference(row, ties, corrected_level, by_user=by_user) | {"p_adjusted": p}
    counts = [name for name in _COUNTS if by_user or name != "users"]
    types = dict.fromkeys(("model", "baseline", *segments), "")
    types |= dict.fromkeys(counts, "int64") | dict.fromkeys(_VALUES, "float64")
    table = Rows.from_records(types, rows)
    lay_out = partial(preference_layout, ties=ties, level=level, correction=correction)
    return Table(text, lambda: table, inputs=input_paths(tables), lay_out=lay_out)


def _read_impressions(
    tables: Mapping[str, object], engine: Engine, columns: Any, segments: list[str]
) -> tuple[Inputs, Source]:
    column_names = Columns(columns, (*REQUIRED, *OPTIONAL), ("impressions",), segments)
    engine.refresh()
    inputs = Inputs(engine, column_names, tables=tables)
    required = [*REQUIRED, *segments]
    source = inputs.read("impressions", required=required, optional=OPTIONAL)
    column_names.check_used([source])
    check_number_column(source, "click")
    for name in ("impression_id", "user_id", "item_id"):
        if name in source.columns:
            check_ids([(source, name)])
    return inputs, source


def _impressions_plan(source: Source, segments: Sequence[str], by_user: bool) -> Record:
    read = {*REQUIRED, "item_id", *(["user_id"] if by_user else [])} & source.columns.keys()
    plan = {x: source.expression(x) if x in read else None for x in (*REQUIRED, *OPTIONAL)}
    labels = {f"segment_{n}": source.expression(x) for n, x in enumerate(segments, start=1)}
    return plan | {"relation": source.relation, "segments": labels}


def _count_clicks(inputs: Inputs, text: str) -> list[tuple[Any, ...]]:
    engine = inputs.engine
    try:
        return inputs.rows(text)
    except engine.error as error:
        raise DataError(f"the statement stopped: {first_error_line(error)}") from safe_cause(error)


def _select_pairs(
    rows: list[Record], baseline: str | None, segments: Sequence[str]
) -> list[Record]:
    """Return each pair of models, or the pairs with the baseline, in order."""
    if not rows:
        raise InputError(
            "impressions: no impression has items of two models; check the column model"
        )
    if baseline is None:
        rows = [row for row in rows if row["model"] > row["baseline"]]
    else:
        check_choice("baseline", baseline, sorted({row["model"] for row in rows}))
        rows = [row for row in rows if row["baseline"] == baseline]

    def key(row: Record) -> tuple[Any, ...]:
        parts = [(row[name] is None, row[name]) for name in segments]
        return parts, row["baseline"], row["model"]

    return sorted(rows, key=key)


def preference_layout(
    names: Sequence[str], rows: Sequence[Row], *, ties: str, level: float, correction: str
) -> Layout:
    """Return the layout of preferences, with a row for each pair of models."""
    segments, by_user = names[2 : names.index("impressions")], "users" in names
    columns = [Column(name, key=True) for name in ("model", "baseline", *segments)]
    counts = ("impressions", *(["users"] if by_user else []))
    columns += [Column(name, number=True) for name in (*counts, "win/tie/loss", "preference", "p")]
    lines = []
    for row in rows:
        mark, tone = ("", "")
        if is_significant(row, level):
            mark, tone = (GAIN, "good") if row["delta"] > 0 else (LOSS, "bad")
        share = row["preference"]
        interval = "" if share is None else spread(share, row["low"], row["high"], 3)
        line = [Cell(format_cell_text(row[name])) for name in names[: len(segments) + 2]]
        line += [Cell(number(row[name], 0)) for name in counts]
        line += [
            Cell("/".join(f"{row[name]:,}" for name in ("wins", "ties", "losses"))),
            Cell(number(share, 3) or MISSING, interval, mark, tone=tone),
            Cell(format_p(row["p_adjusted"])),
        ]
        lines.append(line)
    words = {"half": "counting a tie as half a win", "drop": "without ties"}
    t_test = f"t-test over {'users' if by_user else 'impressions'}"
    test = t_test if by_user or ties == "half" else "sign test"
    notes = [
        f"preference: the share of impressions that the model wins, {words[ties]}",
        f"p: {test}, {CORRECTIONS[correction]}; {format_level(level)} intervals",
    ]
    return Layout(columns, [Group("", lines)], "Clicks by model", notes)
