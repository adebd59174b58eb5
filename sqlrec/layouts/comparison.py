"""The layouts of a comparison: differences, models by metrics with the baseline, and ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..display.numbers import (
    decimals_for,
    decimals_for_intervals,
    format_change,
    format_p,
    number,
    round_last_digits,
    spread,
)
from ..display.table_layout import (
    ARROWS,
    BASELINE,
    MISSING,
    SIGNS,
    Cell,
    Column,
    Group,
    LabeledText,
    Layout,
)
from ..records import Row
from ..statistics.comparison_options import ComparisonOptions
from .losses import format_losses, headline, is_overall
from .result import (
    INTERVALS,
    TONES,
    Values,
    best_row,
    describe_marks,
    equals_up_to_rounding,
    format_counts,
    format_gain,
    format_level,
    is_best,
    is_significant,
    mark_difference,
    metric_columns,
    note_segments_of_numbers,
    segment_key,
    segment_title,
    values_by_segment,
)

# Descriptions of standard errors, except the error of a mean of per-user differences.
_METHODS = {
    "delta": "linearized by user",
    "bootstrap": "by bootstrap samples of users",
    None: "without interval",
}

# Signs and descriptions of significant results of alternatives with a margin.
_WITHIN = {"equivalent": ("=", "as good as "), "noninferior": ("≥", "not worse than ")}

# An addition to the description of corrected intervals, which exclude 0 if p is below 1 - level.
CORRECTED = "corrected like p"

# Descriptions of one-sided alternatives.
_ALTERNATIVES = {
    "greater": "for a value above the baseline's",
    "less": "for a value below the baseline's",
    "equivalent": "for models as good as the baseline",
    "noninferior": "for models not worse than the baseline",
}

# If the two models of a difference are exchanged: columns to exchange, and columns that change
# sign.
_SWAPPED = {"model": "baseline", "baseline": "model"}
_SWAPPED |= {
    "value": "baseline_value",
    "baseline_value": "value",
    "wins": "losses",
    "losses": "wins",
}
_NEGATED = {"difference": "difference", "low": "high", "high": "low"}


@dataclass(frozen=True)
class ComparisonSummary:
    """The baseline, options and tests of a comparison, and notes on its users."""

    baseline: str | None  # The baseline; None for all pairs of models.
    options: ComparisonOptions  # The options of ``compare``.
    tests: str  # The tests and their correction, in words.
    tests_by_metric: Mapping[str, str]  # The tests and the correction of each metric.
    margin: Any  # The margin, as the caller wrote it.
    describe_users: Callable[[], Sequence[str]]  # Returns notes on users without a list or truth.

    @property
    def level(self) -> float:
        """The confidence level."""
        return self.options.level

    @property
    def other(self) -> str:
        """The name of the other model in a difference."""
        return self.baseline or "other"

    def mark(self, row: Row) -> tuple[str, str]:
        """Return the sign and tone of a significant difference, or else empty strings."""
        if self.options.alternative in _WITHIN and is_significant(row, self.level):
            return _WITHIN[self.options.alternative][0], "good"
        sign = mark_difference(row, self.level)
        return sign, TONES.get(sign, "")


def comparison_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    summary: ComparisonSummary,
    digits: int | None = None,
) -> Layout:
    """Return the layout of differences, with a row per model and metric, the best model first."""
    segments = [*names[1 : names.index("metric")]]
    if summary.baseline is None:
        two_sided = summary.options.alternative == "two-sided"
        rows = [_swap_if_worse(row) if two_sided else _with_pair_name(row) for row in rows]
    models = _order_models(rows)
    measures = list(dict.fromkeys((row["metric"], row["k"]) for row in rows))
    is_grouped = len(rows) > len({segment_key(row, segments) for row in rows})
    if is_grouped:
        rows = sorted(
            rows,
            key=lambda row: (measures.index((row["metric"], row["k"])), models.index(row["model"])),
        )
    has_titles = is_grouped and (bool(segments) or len(measures) > 1)
    shared = (
        summary.baseline is not None and is_grouped and not _has_uneven_baselines(rows, segments)
    )
    several = {"metric": len(measures) > 1, "model": len({row["model"] for row in rows}) > 1}
    keys = [name for name in several if several[name] and not is_grouped]
    if is_grouped or not (keys or segments):
        keys = ["model"]
    keys += [] if is_grouped else segments
    decimals = {key: _metric_decimals(rows, key) if digits is None else digits for key in measures}
    groups: dict[tuple[Any, ...], Group] = {}
    for row in rows:
        precision = decimals[row["metric"], row["k"]]
        key = (row["metric"], row["k"], *segment_key(row, segments)) if has_titles else ()
        if key not in groups:
            primary = " (primary)" if (row["metric"], row["k"]) == measures[0] else ""
            metric = f"{_format_key(row, 'metric')}{primary}" if len(measures) > 1 else ""
            parts = (metric, segment_title(row, segments) if segments else "")
            title = ", ".join(filter(None, parts)) if has_titles else ""
            value = number(row["baseline_value"], precision) or MISSING
            if shared and has_titles:
                title = LabeledText(f"{title}: ", summary.other, f" {value}")
            groups[key] = Group(title, [], metric=row["request"] if len(measures) > 1 else "")
        line = [Cell(_format_key(row, name)) for name in keys]
        groups[key].rows.append(line + _difference_cells(row, precision, summary))
    columns = [Column(name, key=True) for name in keys]
    values = ("users", "value", LabeledText("", summary.other), "difference", "change")
    columns += [Column(name, number=True) for name in (*values, "win/tie/loss", "p")]
    metric = _format_key(rows[0], "metric") if len(measures) == 1 else ""
    title = _comparison_title(metric, models, summary)
    title = LabeledText.concat(title, f" ({value})" * (shared and not has_titles))
    notes = [*_comparison_notes(rows, summary), *note_segments_of_numbers(segments, rows)]
    layout = Layout(columns, list(groups.values()), title, notes, metric=metric)
    layout = replace(layout, lead=_decision(rows, segments, summary))
    if shared:
        # The column is dropped by position, since the baseline may have the same name as a column.
        layout = layout.drop_column(len(keys) + 2)
    if len({row["users"] for row in rows}) == 1 and is_grouped:
        layout = layout.drop_column(len(keys))
        layout = replace(layout, notes=[*_count_users(rows), *layout.notes])
    return layout


def _count_users(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a note on the users with values for both models, with the range of their number."""
    counts = [row["users"] for row in rows if row["users"] is not None]
    if counts:
        yield format_counts(min(counts), max(counts), "users with values for both models")


def _decision(
    rows: Sequence[Row], segments: Sequence[str], summary: ComparisonSummary
) -> LabeledText:
    """Return the decision by the first metric, which is the title of a report.

    If no row covers all users, the decision names the segments in which models are worse.
    """
    if summary.baseline is None or summary.options.alternative in _WITHIN or not rows:
        return LabeledText("")
    if overall := decide_overall(rows, segments, summary):
        return overall
    first_text, *others = format_losses(rows, segments, summary.level)
    return LabeledText.concat(first_text, *(text for other in others for text in (" ", other)))


def decide_overall(
    rows: Sequence[Row], segments: Sequence[str], summary: ComparisonSummary
) -> LabeledText:
    """Return the decision for all users; empty without a baseline or a row for all users."""
    first = [row for row in sort_best_first(rows) if row["request"] == rows[0]["request"]]
    overall = [row for row in first if is_overall(row, segments)]
    if summary.baseline is None or not overall:
        return LabeledText("")
    return headline(overall, summary.baseline, summary.level, rows, segments)


def _comparison_title(
    metric: str, models: Sequence[Any], summary: ComparisonSummary
) -> LabeledText:
    """Return the title, which names the baseline, a single metric and a single model."""
    prefix = f"{metric}, " if metric else ""
    if summary.baseline is None:
        return LabeledText(f"{prefix}every pair of models" if prefix else "Every pair of models")
    several = f"{prefix}models" if prefix else "Models"
    subject = (prefix, str(models[0]), "") if len(models) == 1 else (several,)
    return LabeledText(*subject[:-1], f"{subject[-1]} compared with ", summary.other)


def _swap_if_worse(row: Row) -> Row:
    """Return the difference as the better model minus the other, with the names of both models."""
    is_worse = (row["difference"] or 0) * SIGNS[row["better"]] < 0
    return _with_pair_name(_swap(row) if is_worse else row)


def _swap(row: Row) -> Row:
    """Return a difference with its two models exchanged."""
    swapped = {name: row[other] for name, other in _SWAPPED.items()}
    negated = {name: -row[other] for name, other in _NEGATED.items() if row[other] is not None}
    value, difference = row["value"], row["difference"]
    relative = -difference / abs(value) if value and difference is not None else None
    return {**row, **swapped, **negated, "relative_difference": relative}


def name_pairs(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of pairs; in each pair, the better model by the first metric comes first."""
    gains = dict.fromkeys(((row["model"], row["baseline"]) for row in rows), 0.0)
    for row in rows:
        if row["request"] == rows[0]["request"]:
            gain = (row["difference"] or 0.0) * SIGNS[row["better"]]
            gains[row["model"], row["baseline"]] += gain * (row["users"] or 0)
    swapped = (_swap(row) if gains[row["model"], row["baseline"]] < 0 else row for row in rows)
    return [*map(_with_pair_name, swapped)]


def _with_pair_name(row: Row) -> Row:
    return {**row, "model": f"{row['model']} - {row['baseline']}"}


def models_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    summary: ComparisonSummary,
    digits: int | None = None,
) -> Layout:
    """Return the layout of models by metrics: the best model first, including the baseline.

    Below each value is its difference from the baseline. Marks show significant differences.
    """
    base = [
        {**row, "model": summary.baseline, "value": row["baseline_value"], "difference": None}
        for row in rows
    ]
    models = _order_models(rows, summary.other)

    def cell(values: Values, model: Any, metric: str, k: int | None) -> Cell:
        candidates = [values[x, metric, k] for x in models if (x, metric, k) in values]
        decimals = _metric_decimals(rows, (metric, k)) if digits is None else digits
        best = best_row(candidates, metric)
        return _value_and_difference(values.get((model, metric, k)), best, decimals, summary)

    # The baseline has the values of the first row.
    layout = _model_layout(names, [*rows, *reversed(base)], summary, models, cell)
    notes = [*_count_users(rows), *_comparison_notes(rows, summary, intervals=False)]
    if _has_uneven_baselines(rows, names[1 : names.index("metric")]):
        notes.append(
            "the baseline's value is its mean over the users that it shares with "
            f"{rows[0]['model']}"
        )
    title = LabeledText("Models and their baseline ", summary.other)
    return replace(layout, title=title, notes=notes)


def ranks_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    summary: ComparisonSummary,
    level: float,
    digits: int | None = None,
) -> Layout:
    """Return the layout of models by metrics, best first; similar models share a letter."""

    def cell(values: Values, model: Any, metric: str, k: int | None) -> Cell:
        row = values.get((model, metric, k))
        if row is None or row["value"] is None:
            return Cell(MISSING)
        metric_values = (row["value"] for row in rows if (row["metric"], row["k"]) == (metric, k))
        decimals = decimals_for(metric_values) if digits is None else digits
        best = row["rank"] is not None and row["rank"] == 1
        return Cell(number(row["value"], decimals), mark=row["letters"] or "", best=best)

    # Rows are sorted, and the rows of the first metric come first.
    layout = _model_layout(names, rows, summary, (), cell)
    letters = f"models that share a letter do not differ significantly, at p < {1 - level:.3g}"
    tests_note = _comparison_notes([], summary, intervals=False)[-1]
    notes = [*summary.describe_users(), letters, tests_note]
    return replace(layout, title="Every pair of models", notes=notes)


def _model_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    summary: ComparisonSummary,
    models: Sequence[Any],
    cell: Callable[[Values, Any, str, int | None], Cell],
) -> Layout:
    """Return a table of models by metrics, with a group for each segment."""
    segments = names[1 : names.index("metric")]
    measures = {(row["metric"], row["k"]): row["request"] for row in rows}
    groups = []
    for values in values_by_segment(rows, segments).values():
        lines = []
        for model in models or dict.fromkeys(model for model, _, _ in values):
            cells = [cell(values, model, *key) for key in measures]
            name = f"{model}{BASELINE}" if model == summary.baseline else str(model)
            lines.append([Cell(name, best=cells[0].best), *cells])
        title = segment_title(next(iter(values.values())), segments) if segments else ""
        groups.append(Group(title, lines))
    columns = [Column("model", key=True), *metric_columns(measures)]
    return Layout(columns, groups, best=next(iter(measures.values()), ""))


def _value_and_difference(
    row: Row | None, best: Row | None, decimals: int, summary: ComparisonSummary
) -> Cell:
    if row is None or row["value"] is None:
        return Cell(MISSING)
    if row["difference"] is None:
        return Cell(number(row["value"], decimals), best=is_best(row, best))
    mark, tone = summary.mark(row)
    return Cell(
        number(row["value"], decimals),
        number(row["difference"], decimals, sign=True),
        mark,
        best=is_best(row, best),
        tone=tone,
    )


def _difference_cells(row: Row, decimals: int, summary: ComparisonSummary) -> list[Cell]:
    mark, tone = summary.mark(row)
    difference = row["difference"]
    interval = "" if difference is None else spread(difference, row["low"], row["high"], decimals)
    counts = [row[name] for name in ("wins", "ties", "losses")]
    return [
        Cell(number(row["users"], 0)),
        Cell(number(row["value"], decimals) or MISSING),
        Cell(number(row["baseline_value"], decimals) or MISSING),
        Cell(number(difference, decimals, sign=True) or MISSING, interval, mark, tone=tone),
        Cell(format_change(row["relative_difference"])),
        Cell("" if None in counts else "/".join(f"{count:,}" for count in counts)),
        Cell(format_p(row["p_adjusted"])),
    ]


def sort_best_first(rows: Sequence[Row]) -> list[Row]:
    """Return the rows in the order of metrics, with the best model first."""
    models = _order_models(rows)
    return sorted(rows, key=lambda row: models.index(row["model"]))


def _order_models(rows: Sequence[Row], baseline: str | None = None) -> list[Any]:
    """Return the models in the order of the first metric's mean difference, best first."""
    models = dict.fromkeys(row["model"] for row in rows)
    gains = dict.fromkeys([*([baseline] if baseline else []), *models], 0.0)
    for row in rows:
        if (row["metric"], row["k"]) == (rows[0]["metric"], rows[0]["k"]):
            gain = (row["difference"] or 0.0) * SIGNS[row["better"]]
            gains[row["model"]] += gain * (row["users"] or 0)
    return sorted(gains, key=lambda model: -round_last_digits(gains[model]))


def _metric_decimals(rows: Iterable[Row], key: tuple[str, int | None]) -> int:
    rows = [row for row in rows if (row["metric"], row["k"]) == key]
    decimals = decimals_for(
        [row[name] for row in rows for name in ("value", "baseline_value")],
        [None if row["low"] is None else (row["high"] - row["low"]) / 2 for row in rows],
    )
    differences = ((row["difference"], row["low"], row["high"]) for row in rows)
    return decimals_for_intervals(differences, decimals)


def _has_uneven_baselines(rows: Iterable[Row], segments: Sequence[str]) -> bool:
    """Return whether the baseline's value in a segment depends on the compared model."""
    first: dict[tuple[Any, ...], float] = {}
    values = [
        ((row["metric"], row["k"], *segment_key(row, segments)), row["baseline_value"])
        for row in rows
        if row["baseline_value"] is not None
    ]
    return any(
        not equals_up_to_rounding(value, first.setdefault(key, value)) for key, value in values
    )


def _format_key(row: Row, name: str) -> str:
    if name != "metric":
        return str(row[name])
    return f"{row['request']} {ARROWS.get(row['better'], '')}".strip()


def _comparison_notes(
    rows: Sequence[Row], summary: ComparisonSummary, *, intervals: bool = True
) -> list[str]:
    notes = [*summary.describe_users()]
    marks = {summary.mark(row)[0] for row in rows} - {""}
    if marks:
        if within := _WITHIN.get(summary.options.alternative):
            alpha = f", p < {1 - summary.level:.3g}"
            notes.append(LabeledText(" ".join(within), summary.other, alpha))
        else:
            notes.append(describe_marks(marks, summary.baseline, summary.level))
    tests_note = f"p: {summary.tests}"
    level = summary.level
    if summary.options.alternative in _ALTERNATIVES:
        level = 2 * level - 1
        tests_note += f", {_ALTERNATIVES[summary.options.alternative]}"
        if isinstance(margin := summary.margin, Mapping):
            sizes = (f"{size} of {name}" if name else str(size) for name, size in margin.items())
            margin = ", ".join(sizes)
        tests_note += "" if margin is None else f" by a margin of {margin}"
    groups = f" (clustered by {summary.options.cluster})" if summary.options.cluster else ""
    interval = INTERVALS[summary.options.interval]
    limits = f"{format_level(level)} intervals of differences{groups} {interval}"
    if summary.options.correction != "none" and len(rows) > 1:
        limits += f", {CORRECTED}"
    weighted = f"means weighted by {summary.options.weights}" if summary.options.weights else None
    statistics = "; ".join(
        filter(None, (weighted, tests_note, limits * intervals, format_gain(rows)))
    )
    for method, description in _METHODS.items():
        requests = dict.fromkeys(row["request"] for row in rows if row["method"] == method)
        notes += [f"{description}: {', '.join(requests)}"] if requests else []
    return [*notes, statistics]
