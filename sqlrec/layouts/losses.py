"""Significant losses and gains of models, by segment, and the decision in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ..display.numbers import decimals_for, format_count, number, round_last_digits
from ..display.table_layout import (
    MISSING,
    SIGNS,
    Cell,
    Column,
    Group,
    LabeledText,
    Layout,
    join_names,
    join_words,
)
from ..records import Row, group_by
from .result import (
    GAIN,
    LOSS,
    TONES,
    describe_marks,
    is_significant,
    name_for_papers,
    segment_key,
    segment_title,
)

# Groups with fewer users, or clusters, are small.
SMALL = 30

ALL = "all users"

# Signs of losses and gains. A gain is a loss below 0.
LOSSES, GAINS = 1, -1

# Maximum number of models and of segments that a sentence names.
MAX_NAMED = 3

# The reason for a loss over all users that is not significant in any segment.
FEWER_USERS = "each segment has fewer users than the whole, so its test may miss a loss"


class Effect(NamedTuple):
    """A model's loss or gain in a segment, with the significant differences by metric."""

    model: str
    # A segment, ``all users`` or the number of segments. Without an effect, the scope of the tests.
    where: str
    rows: Sequence[Row]  # Empty without an effect.
    # The segments that this entry covers, so they have no separate entries.
    segments: Sequence[str] = ()


def loss_of(row: Row) -> float:
    """Return the loss of a model compared with the baseline, which is negative for a gain."""
    return -round_last_digits(row["difference"] or 0.0) * SIGNS[row["better"]]


def find_losses(rows: Sequence[Row], segments: Sequence[str], level: float) -> list[Effect]:
    """Return the significant losses of each model, worst first, or one entry if it has no losses.

    A model with a lower mean in every segment has one entry for all segments.
    """
    return _find_effects(rows, segments, level, (LOSSES,))


def _find_effects(
    rows: Sequence[Row], segments: Sequence[str], level: float, signs: Sequence[int]
) -> list[Effect]:
    """Return the significant losses and gains of each model, or one entry if it has none."""
    effects = []
    for model, own in group_by(rows, lambda row: str(row["model"])).items():
        own_effects = [
            x for sign in signs for x in _model_effects(model, own, segments, level, sign)
        ]
        effects += own_effects or [Effect(model, _places_without_effect(own, segments), [])]
    return effects


def _places_without_effect(rows: Sequence[Row], segments: Sequence[str]) -> str:
    """Return the scope of the tests of a model without a significant effect, as text."""
    overall = {is_overall(row, segments) for row in rows}
    if len(overall) > 1:
        return "nowhere"
    return "not over all users" if True in overall else "in no segment"


def _model_effects(
    model: str, rows: Sequence[Row], segments: Sequence[str], level: float, sign: int
) -> list[Effect]:
    significant = [row for row in rows if sign * loss_of(row) > 0 and is_significant(row, level)]
    # The first metric with an effect of this sign decides.
    requests = {row["request"] for row in significant}
    rows = [row for row in rows if row["request"] in requests]
    overall = [row for row in significant if is_overall(row, segments)]
    if everywhere := _merge_segments(rows, significant, segments, sign):
        others = {row["request"]: row for row in overall or significant}
        others.pop(everywhere.rows[0]["request"], None)
        return [everywhere._replace(rows=[*everywhere.rows, *others.values()])]
    by_value = _merge_by_value(rows, significant, segments)
    merged = {title for effect in by_value for title in effect.segments}
    by_segment: dict[str, list[Row]] = {}
    for row in sorted(significant, key=lambda row: ", " in row.get("grouping", "")):
        if is_overall(row, segments) or _title(row, segments) in merged:
            continue
        title = _title(row, segments)
        # A segment by several columns is part of a segment by one column.
        if ", " not in row.get("grouping", "") or not by_segment.keys() & {*title.split(", ")}:
            by_segment.setdefault(title, []).append(row)
    one = [Effect(model, title, group, [title]) for title, group in by_segment.items()]
    effects = [*by_value, *one]
    effects.sort(
        key=lambda x: (x.rows[0]["request"] != rows[0]["request"], -sign * loss_of(x.rows[0]))
    )
    return [*([Effect(model, ALL, overall)] if overall else []), *effects]


def _title(row: Row, segments: Sequence[str]) -> str:
    return segment_title(row, ["grouping", *segments] if "grouping" in row else segments)


def is_overall(row: Row, segments: Sequence[str]) -> bool:
    """Return whether a row covers all users."""
    return row["grouping"] == "all" if "grouping" in row else not segments


def _merge_segments(
    rows: Sequence[Row], significant: Sequence[Row], segments: Sequence[str], sign: int
) -> Effect | None:
    """Return one effect if a model has the same sign in all segments, and several are significant.

    The first metric decides. The effect must be significant over all users. If no row covers all
    users, it must be significant in every segment that is not small, or in most of these segments
    if a sentence can't name them all.
    """
    first = [row for row in rows if row["request"] == rows[0]["request"] and row["users"]]
    parts = [
        row
        for row in first
        if not is_overall(row, segments) and ", " not in row.get("grouping", "")
    ]
    significant_parts = [row for row in parts if row in significant]
    if len(significant_parts) < 2 or any(sign * loss_of(row) <= 0 for row in parts):
        return None
    overall = [row for row in first if is_overall(row, segments)]
    large = overall or [row for row in parts if row["users"] >= SMALL]
    count = sum(row in significant for row in large)
    is_most = not overall and len(significant_parts) > MAX_NAMED and 2 * count > len(large)
    if not large or not (is_most or count == len(large)):
        return None
    share = f"{len(significant_parts):,} of {len(parts):,} segments"
    share = "every segment" if len(significant_parts) == len(parts) else share
    titles = [_title(row, segments) for row in significant_parts]
    if overall:
        return Effect(rows[0]["model"], f"{ALL} and {share}", overall, titles)
    return Effect(rows[0]["model"], share, [_average(significant_parts)], titles)


def _merge_by_value(
    rows: Sequence[Row], significant: Sequence[Row], segments: Sequence[str]
) -> list[Effect]:
    """Return an effect for each value of a column if all its segments are significant.

    Segments are combinations of columns. The first column with such a value is used.
    """
    if len(segments) < 2 or not significant or "grouping" in significant[0]:
        return []
    request = rows[0]["request"]
    first = [row for row in rows if row["request"] == request and row["users"]]
    decisive = {_title(row, segments) for row in significant if row["request"] == request}
    for name in segments:
        rest = f"every {' and '.join(other for other in segments if other != name)}"
        by_value = group_by(first, partial(segment_key, segments=[name]))
        effects = []
        for parts in by_value.values():
            titles = [_title(row, segments) for row in parts]
            if len(parts) == 1 or not decisive.issuperset(titles):
                continue
            own = [row for row in significant if _title(row, segments) in titles]
            others = {row["request"]: row for row in own}
            others.pop(request)
            where = f"{segment_title(parts[0], [name])}, {rest}"
            effect_rows = [_average(parts), *others.values()]
            effects.append(Effect(parts[0]["model"], where, effect_rows, titles))
        if effects:
            return effects
    return []


def _average(rows: Sequence[Row]) -> Row:
    """Return a row for several segments, with means over their users and without a test."""
    users = sum(row["users"] for row in rows)
    means = {
        name: sum(row[name] * row["users"] for row in rows) / users
        for name in ("value", "baseline_value", "difference")
    }
    same = {name: rows[0][name] for name in ("model", "metric", "k", "request", "better")}
    return {**dict.fromkeys(rows[0]), **same, **means, "users": users}


def effects_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    baseline: str | None,
    level: float,
    signs: Sequence[int] = (LOSSES,),
    notes: Callable[[], Sequence[str]] = list,
    digits: int | None = None,
) -> Layout:
    """Return the layout of effects: a line for each, and the number of other differences."""
    segments = [*names[1 : names.index("metric")]]
    decimals = {
        metric: decimals_for(row[name] for row in own for name in ("value", "baseline_value"))
        if digits is None
        else digits
        for metric, own in group_by(rows, lambda row: row["request"]).items()
    }
    effects = _find_effects(rows, segments, level, signs)
    # A single column of segments is named in the heading.
    name = segments[0] if len(segments) == 1 else "where"
    lines = [_effect_cells(effect, name, decimals, GAINS in signs) for effect in effects]
    head = [Column("model", key=True), Column(name, key=True), Column("users", number=True)]
    numbers = ("other" if baseline is None else "baseline", "value", "difference")
    head += [*(Column(name, number=True) for name in numbers), Column("metrics")]
    start = LabeledText("Significant differences between models")
    if baseline is not None:
        word = "worse than" if GAINS not in signs else "different from"
        start = LabeledText(f"Significantly {word} ", baseline)
    count = sum(is_significant(row, level) for row in rows if _has_sign(row, signs))
    title = LabeledText.concat(start, f" in {count:,} of {len(rows):,} tests")
    rest = [*_note_nested(effects, rows, level, signs), *_note_others(rows, count, level, signs)]
    small = {
        segment_key(row, segments)
        for row in rows
        if segments and (row.get("clusters") or row["users"] or 0) < SMALL
    }
    if small:
        have = "has" if len(small) == 1 else "have"
        few = f"{format_count(len(small), 'segments')} {have} fewer than {SMALL} users"
        rest.append(f"{few}, too few to show small differences")
    inside = {effect.model for effect in effects if effect.segments}
    totals: dict[str, float] = {}
    for row in rows:
        if segments and row["request"] == rows[0]["request"] and row["model"] not in inside:
            total = totals.get(row["model"], 0.0)
            totals[row["model"]] = total + loss_of(row) * (row["users"] or 0)
    if any(total > 0 for total in totals.values()):
        rest.append(FEWER_USERS)
    marks = {cell.mark for line in lines for cell in line} - {""}
    rest += [describe_marks(marks, baseline, level)] if marks else []
    return Layout(head, [Group("", lines)], title, [*rest, *notes()])


def _has_sign(row: Row, signs: Sequence[int]) -> bool:
    """Return whether a difference is a loss or a gain, whichever of the two ``signs`` includes."""
    return any(sign * loss_of(row) > 0 for sign in signs)


def _note_others(
    rows: Sequence[Row], significant: int, level: float, signs: Sequence[int]
) -> Iterator[str]:
    """Format the numbers of omitted differences."""
    more = "more " if significant else ""
    if GAINS not in signs:
        others = sum(_has_sign(row, signs) for row in rows) - significant
        means = f"1 {more}mean is" if others == 1 else f"{others:,} {more}means are"
        if others:
            yield f"{means} worse, but not significantly"
        return
    neither = dict.fromkeys(row["request"] for row in rows if row["better"] == "neither")
    if neither:
        yield f"{join_words([*neither])}: no direction is better, so differences are omitted"
    others = sum(
        row["better"] != "neither" and not (_has_sign(row, signs) and is_significant(row, level))
        for row in rows
    )
    differences = f"1 {more}difference is" if others == 1 else f"{others:,} {more}differences are"
    rest = f"{differences} not significant; " if others else ""
    yield f"{rest}all intervals and p values: use --all, or to_pandas()"


def _note_nested(
    effects: Sequence[Effect], rows: Sequence[Row], level: float, signs: Sequence[int]
) -> Iterator[str]:
    """Format the number of significant effects that a larger segment includes."""
    shown_rows = [row for effect in effects for row in effect.rows]
    in_many = {effect.model for effect in effects if len(effect.segments) > 1}
    count = sum(
        _has_sign(row, signs)
        and is_significant(row, level)
        and row not in shown_rows
        and row["model"] not in in_many
        for row in rows
    )
    if count:
        one = "is for a segment" if count == 1 else "are for segments"
        yield f"{count:,} of these tests {one} within a segment above"


def _effect_cells(
    effect: Effect, name: str, digits: Mapping[str, int], with_mark: bool
) -> list[Cell]:
    keys = [Cell(effect.model), Cell(effect.where.removeprefix(f"{name}="))]
    if not effect.rows:
        return [*keys, *[Cell()] * 5]
    first = effect.rows[0]
    decimals, mark = digits[first["request"]], LOSS if loss_of(first) > 0 else GAIN
    text, tone = number(first["difference"], decimals, sign=True), TONES[mark]
    return [
        *keys,
        Cell(number(first["users"], 0)),
        Cell(number(first["baseline_value"], decimals) or MISSING),
        Cell(number(first["value"], decimals) or MISSING),
        Cell(text, mark=mark if with_mark else "", tone=tone),
        Cell(", ".join(row["request"] for row in effect.rows)),
    ]


def _format_segments(losses: Sequence[Effect], first: Row, limit: int = MAX_NAMED) -> str:
    """Format the segments with a model's losses: ``de (50 users) and 2 more segments``."""
    words = []
    for loss in losses:
        row = loss.rows[0]
        users = [format_count(row["users"], "users")] if len(loss.segments) == 1 else []
        by = [f"by {name_for_papers(row['request'])}"] * (row["request"] != first["request"])
        words.append(loss.where + (f" ({', '.join([*users, *by])})" if users or by else ""))
    more = len(words) - limit
    return ", ".join(words[:limit]) + f" and {format_count(more, 'more segments')}" * (more > 0)


def format_losses(rows: Sequence[Row], segments: Sequence[str], level: float) -> list[LabeledText]:
    """Return a sentence for each model that is worse, and a sentence on the other models."""
    by_model = group_by(find_losses(rows, segments, level), lambda loss: loss.model)
    texts, without = [], []
    for model, losses in by_model.items():
        if inside := [loss for loss in losses if loss.segments]:
            places = _format_segments(inside, rows[0])
            texts.append(LabeledText("", model, f" is significantly worse for {places}."))
        else:
            without.append(model)
    if without:
        verb = "is" if len(without) == 1 else "are"
        text = f" {verb} not significantly worse in any segment."
        if any(loss.where == ALL for model in without for loss in by_model[model]):
            text += f" {FEWER_USERS.capitalize()}."
        texts.append(LabeledText.concat(join_names(without), text))
    return texts


def headline(
    rows: Sequence[Row],
    baseline: str,
    level: float,
    parts: Sequence[Row] = (),
    segments: Sequence[str] = (),
) -> LabeledText:
    """Return the decision in one line: which models beat the baseline by the first metric.

    Args:
        rows: The differences over all users by the first metric.
        baseline: The baseline.
        level: The confidence level.
        parts: The differences in segments. A model that beats the baseline may be worse in a
            segment.
        segments: The columns with segments.
    """
    label = name_for_papers(rows[0]["request"])
    models, end = [row["model"] for row in rows], f" by {label}"
    if rows[0]["better"] == "neither":
        return LabeledText.concat(
            f"{label} of ", join_names(models), LabeledText(" compared with ", baseline)
        )
    significant = [row for row in rows if is_significant(row, level)]
    better = [row["model"] for row in significant if loss_of(row) < 0]
    if not better and len(models) > 1:
        return LabeledText("No model beats ", baseline, end)
    if not better and significant:
        return LabeledText("", models[0], " loses to ", baseline, end)
    subject = better or models
    verb = "does not beat" if not better else "beats" if len(better) == 1 else "beat"
    text = LabeledText.concat(
        join_names(subject, MAX_NAMED), LabeledText(f" {verb} ", baseline, end)
    )
    # Other metrics do not change the decision.
    parts = [row for row in parts if row["request"] == rows[0]["request"]]
    losses = [loss for loss in find_losses(parts, segments, level) if loss.segments]
    by_model = group_by(losses, lambda loss: loss.model)
    places = [
        LabeledText.concat(
            LabeledText("", model, " ") if len(subject) > 1 else "",
            f"is worse for {_format_segments(by_model[model], rows[0], 1)}",
        )
        for model in subject
        if model in by_model
    ]
    conjunction = ", but " if better else ", and "
    return LabeledText.concat(text, conjunction, join_words(places, MAX_NAMED)) if places else text
