"""Losses of models: short texts on the segments in which they are significantly worse."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..display.layout import MISSING, SIGNS, Cell, Column, Group, LabeledText, Layout, join_words
from ..display.numbers import decimals_for, number, round_last_digits
from ..records import Row, group_by
from .result import format_count, is_significant, name_for_papers, segment_key, segment_title

# Groups with fewer users, or clusters, are small.
SMALL = 30

ALL, EVERYWHERE, NOWHERE = "all users", "everywhere", "nowhere"

# The reason for a loss over all users that no segment shows.
FEWER_USERS = "a segment has fewer users than all together, so its test may miss a loss"


class Loss(NamedTuple):
    """A model's loss: its segment, and its significant differences there by metric."""

    model: str
    where: str
    rows: Sequence[Row]


def loss_of(row: Row) -> float:
    """Return the loss of the model compared with the baseline; below 0 if it is better."""
    return -round_last_digits(row["difference"] or 0.0) * SIGNS[row["better"]]


def find_losses(rows: Sequence[Row], segments: Sequence[str], level: float) -> list[Loss]:
    """Return the significant losses of each model, worst first; a model without one has one entry.

    A model that is worse in every segment has one entry for all segments.
    """
    losses = []
    for model in dict.fromkeys(row["model"] for row in rows):
        own = [row for row in rows if row["model"] == model]
        losses += _losses_of_model(model, own, segments, level) or [Loss(model, NOWHERE, [])]
    return losses


def _losses_of_model(
    model: str, rows: Sequence[Row], segments: Sequence[str], level: float
) -> list[Loss]:
    significant = [row for row in rows if loss_of(row) > 0 and is_significant(row, level)]
    overall = [row for row in significant if is_overall(row, segments)]
    if everywhere := _loss_everywhere(rows, significant, segments):
        others = {row["asked"]: row for row in overall or significant}
        others.pop(everywhere["asked"], None)
        return [Loss(model, EVERYWHERE, [everywhere, *others.values()])]
    by_segment: dict[str, list[Row]] = {}
    for row in sorted(significant, key=lambda row: ", " in row.get("grouping", "")):
        if is_overall(row, segments):
            continue
        title = segment_title(row, ["grouping", *segments] if "grouping" in row else segments)
        # A segment of several columns adds nothing to a segment of one of them.
        if ", " not in row.get("grouping", "") or not by_segment.keys() & {*title.split(", ")}:
            by_segment.setdefault(title, []).append(row)
    losses = [Loss(model, title, group) for title, group in by_segment.items()]
    losses.sort(
        key=lambda loss: (loss.rows[0]["asked"] != rows[0]["asked"], -loss_of(loss.rows[0]))
    )
    return [*([Loss(model, ALL, overall)] if overall else []), *losses]


def is_overall(row: Row, segments: Sequence[str]) -> bool:
    """Return whether a row covers all users."""
    return row["grouping"] == "all" if "grouping" in row else not segments


def _loss_everywhere(
    rows: Sequence[Row], significant: Sequence[Row], segments: Sequence[str]
) -> Row:
    """Return a row for all users if the model is worse in each segment, else an empty one.

    The first metric decides. The loss must be significant over all users or, without a row for
    them, in every segment that is not small.
    """
    first = [row for row in rows if row["asked"] == rows[0]["asked"] and row["users"]]
    parts = [
        row
        for row in first
        if not is_overall(row, segments) and ", " not in row.get("grouping", "")
    ]
    if len(parts) < 2 or any(loss_of(row) <= 0 for row in parts):
        return {}
    overall = [row for row in first if is_overall(row, segments)]
    large = overall or [row for row in parts if row["users"] >= SMALL]
    if not large or any(row not in significant for row in large):
        return {}
    if overall:
        return overall[0]
    users = sum(row["users"] for row in parts)
    means = {
        name: sum(row[name] * row["users"] for row in parts) / users
        for name in ("value", "baseline_value", "difference")
    }
    # Each segment that is not small is significant at the largest of their p values.
    p = max(row["p_adjusted"] for row in large)
    return {**parts[0], **means, "users": users, "p_adjusted": p, "low": None, "high": None}


def losses_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    compared: Sequence[Row],
    baseline: str,
    level: float,
    notes: Callable[[], Sequence[str]] = list,
) -> Layout:
    """Return the layout of losses: significant losses in lines, counts of other lower means."""
    segments = [*names[1 : names.index("metric")]]
    metrics = dict.fromkeys(row["asked"] for row in compared)
    digits = {
        metric: decimals_for(
            row[name]
            for row in compared
            if row["asked"] == metric
            for name in ("value", "baseline_value")
        )
        for metric in metrics
    }
    losses = find_losses(compared, segments, level)
    # The name of a single segment is in the heading.
    name = segments[0] if len(segments) == 1 else "where"
    lines = [_loss_cells(loss, name, digits) for loss in losses]
    head = [Column("model", key=True), Column(name, key=True), Column("users", number=True)]
    head += [Column(baseline, number=True), Column("value", number=True)]
    head += [Column("difference", number=True), Column("metrics", cut=True)]
    significant = sum(is_significant(row, level) for row in rows)
    title = f" in {significant:,} of {len(compared):,} tests"
    sizes = {"models": len({row["model"] for row in compared}), "metrics": len(metrics)}
    sizes["segments"] = len({segment_key(row, segments) for row in compared}) if segments else 1
    if len(compared) == math.prod(sizes.values()):
        words = [format_count(size, noun) for noun, size in sizes.items() if size > 1]
        title += f" ({join_words(words)})" if len(words) > 1 else ""
    others = len(rows) - significant
    more = "more " if significant else ""
    means = f"1 {more}mean is" if others == 1 else f"{others:,} {more}means are"
    rest = [*_note_nested(losses, compared, level)]
    rest += [f"{means} worse, but not significantly"] if others else []
    small = {
        segment_key(row, segments)
        for row in compared
        if segments and (row.get("clusters") or row["users"] or 0) < SMALL
    }
    if small:
        few = f"{len(small):,} segments have fewer than {SMALL} users"
        rest.append(f"{few}, too few to show differences")
    inside = {loss.model for loss in losses if loss.where not in (ALL, NOWHERE)}
    totals: dict[str, float] = {}
    for row in compared:
        if segments and row["asked"] == compared[0]["asked"] and row["model"] not in inside:
            total = totals.get(row["model"], 0.0)
            totals[row["model"]] = total + loss_of(row) * (row["users"] or 0)
    if any(total > 0 for total in totals.values()):
        rest.append(FEWER_USERS)
    title = LabeledText("Significantly worse than ", baseline, title)
    return Layout(head, [Group("", lines)], title, [*rest, *notes()])


def _note_nested(losses: Sequence[Loss], rows: Sequence[Row], level: float) -> Iterator[str]:
    """Format the number of significant losses that are omitted: losses within segments of lines."""
    listed = [row for loss in losses for row in loss.rows]
    everywhere = {loss.model for loss in losses if loss.where == EVERYWHERE}
    count = sum(
        loss_of(row) > 0
        and is_significant(row, level)
        and row not in listed
        and row["model"] not in everywhere
        for row in rows
    )
    if count:
        verb = "is" if count == 1 else "are"
        yield f"{format_count(count, 'tests')} of these {verb} in segments within those above"


def _loss_cells(loss: Loss, name: str, digits: Mapping[str, int]) -> list[Cell]:
    keys = [Cell(loss.model), Cell(loss.where.removeprefix(f"{name}="))]
    if not loss.rows:
        return [*keys, *[Cell()] * 5]
    first = loss.rows[0]
    decimals = digits[first["asked"]]
    return [
        *keys,
        Cell(number(first["users"], 0)),
        Cell(number(first["baseline_value"], decimals) or MISSING),
        Cell(number(first["value"], decimals) or MISSING),
        Cell(number(first["difference"], decimals, sign=True), tone="bad"),
        Cell(", ".join(row["asked"] for row in loss.rows)),
    ]


def _format_users(row: Row, first: Row) -> str:
    """Format the users of a loss, and its metric unless it is the first."""
    by = "" if row["asked"] == first["asked"] else f", by {name_for_papers(row['asked'])}"
    return f"{format_count(row['users'], 'users')}{by}"


def format_losses(rows: Sequence[Row], segments: Sequence[str], level: float) -> list[str]:
    """Return a sentence for each model that is worse, and a sentence on the other models."""
    by_model = group_by(find_losses(rows, segments, level), lambda loss: loss.model)
    texts, without = [], []
    for model, losses in by_model.items():
        inside = [loss for loss in losses if loss.where not in (ALL, NOWHERE)]
        if not inside:
            without.append(model)
        elif inside[0].where == EVERYWHERE:
            # The test over all users decides, if there is one; tests of segments may all pass.
            overall = is_overall(inside[0].rows[0], segments)
            where = ", significantly over all users" if overall else ""
            texts.append(f"{model} is worse in every segment{where}.")
        else:
            words = [f"{loss.where} ({_format_users(loss.rows[0], rows[0])})" for loss in inside]
            more = f" and {format_count(len(words) - 3, 'more segments')}" if len(words) > 3 else ""
            texts.append(f"{model} is significantly worse for {', '.join(words[:3])}{more}.")
    if without:
        verb = "is" if len(without) == 1 else "are"
        texts.append(f"{join_words(without)} {verb} not significantly worse in any segment.")
        if any(loss.where == ALL for model in without for loss in by_model[model]):
            texts[-1] += f" {FEWER_USERS.capitalize()}."
    return texts
