"""Findings of a report, in sentences."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ..display.layout import SIGNS
from ..display.numbers import steady
from ..plots.chart import format_value
from ..plots.from_results import segment, together
from ..results.result_layout import overlap, paper_name, population_text, unusual_count
from .blocks import Verdict

Row = Mapping[str, Any]

# Maximum number of equal verdicts before they are combined, and of names in a combined verdict.
MAX_SEPARATE, MAX_NAMED = 3, 12


def digits_for(row: Row) -> int:
    """Return the decimals of a value: two digits of half its interval, or by default three."""
    if row["low"] is None or row["high"] is None or not row["high"] > row["low"]:
        return 3
    half = (row["high"] - row["low"]) / 2
    return min(12, max(0, 1 - math.floor(math.log10(half))))


def value_of(row: Row, name: str = "value", sign: bool = False) -> str:
    """Format a value with the digits that its interval supports."""
    text = format_value(row[name], digits=digits_for(row))
    return f"+{text}" if sign and row[name] is not None and row[name] > 0 else text


def limits_of(row: Row, level: float) -> str:
    """Format an interval in words, or an empty text without an interval."""
    if row["low"] is None or row["high"] is None:
        return ""
    low, high = (value_of(row, name) for name in ("low", "high"))
    return f" ({limits_name(level)}{low} to {high})"


def limits_name(level: float) -> str:
    """Format the name of an interval."""
    return f"{100 * level:g}\u00a0% interval "


def is_significant(row: Row, level: float) -> bool:
    """Return whether a difference is significant after correction for all tests."""
    return row["p_adjusted"] is not None and row["p_adjusted"] < 1 - level


def is_worse(row: Row) -> bool:
    """Return whether a model is worse than the baseline in the direction of the metric."""
    return bool(row["difference"] * SIGNS[row["better"]] < 0)


def overall_losses(rows: Iterable[Row], level: float) -> set[tuple[str, str]]:
    """Return the models and metrics that are significantly worse than the baseline."""
    return {
        (row["model"], row["asked"])
        for row in rows
        if row["difference"] and is_worse(row) and is_significant(row, level)
    }


def compare_models(
    rows: Sequence[Row], others: Sequence[Row], baseline: str, level: float
) -> list[Verdict]:
    """Return verdicts on models; many models without a significant difference share a verdict.

    Args:
        rows: Differences of the first metric, the best model first.
        others: Differences of the other metrics.
        baseline: The model that the others are compared with.
        level: Confidence level of the intervals.
    """
    also = {row["model"]: _other_metrics(others, row["model"], level) for row in rows}
    open_rows = [row for row in rows if not is_significant(row, level) and not also[row["model"]]]
    verdicts = []
    for row in rows:
        if len(open_rows) <= MAX_SEPARATE or row not in open_rows:
            single = _compare_model(row, baseline, level)
            verdicts.append(Verdict(single.kind, single.text + also[row["model"]]))
        elif row is open_rows[0]:
            words = [
                f"{other['model']} {value_of(other, 'difference', sign=True)}"
                + limits_of(other, level).replace(limits_name(level), "")
                for other in open_rows
            ]
            text = f"{len(open_rows)} models do not differ significantly from {baseline}: "
            text += f"{paper_name(row['asked'])}, with {limits_name(level).strip()}s, of "
            verdicts.append(Verdict("open", f"{text}{_first(words)}."))
    return verdicts


def _first(words: Sequence[str]) -> str:
    """Join findings, and truncate long lists."""
    more = [f"and {len(words) - MAX_NAMED} more"] if len(words) > MAX_NAMED else []
    return "; ".join([*words[:MAX_NAMED], *more])


def significant_pairs(rows: Sequence[Row], baseline: str, level: float) -> set[frozenset[str]]:
    """Return the pairs of model and baseline that differ significantly by the first metric."""
    return {
        frozenset((row["model"], baseline))
        for row in rows
        if row["asked"] == rows[0]["asked"] and is_significant(row, level)
    }


def _compare_model(row: Row, baseline: str, level: float) -> Verdict:
    """Return the verdict on a model compared with the baseline."""
    label, model = paper_name(row["asked"]), row["model"]
    difference = f"{label} {value_of(row, 'difference', sign=True)}{limits_of(row, level)}"
    if not is_significant(row, level):
        text = f"{model} does not differ significantly from {baseline}: {difference}."
        if None not in (row["low"], row["high"]) and row["low"] * row["high"] > 0:
            text += " Corrected for all tests of the report it can be chance."
        if row["detectable"] is not None:
            minimum = format_value(row["detectable"], digits=digits_for(row))
            text += f" {format_value(row['users'])} users would show {minimum} or more."
        return Verdict("open", text)
    if row["better"] == "neither":
        side = "higher" if row["difference"] > 0 else "lower"
        return Verdict("open", f"{model} is {side} than {baseline}: {difference}.")
    counts = (
        f"{_users(row['wins'])} gain{'s' * (row['wins'] == 1)}, {format_value(row['losses'])} lose"
    )
    verb, kind = ("loses to", "worse") if is_worse(row) else ("beats", "better")
    return Verdict(kind, f"{model} {verb} {baseline}: {difference}; {counts}.")


def _users(count: int) -> str:
    return f"{format_value(count)} user{'s' * (count != 1)}"


def _other_metrics(rows: Iterable[Row], model: str, level: float) -> str:
    """Format the other metrics by which a model is better or worse."""
    words: dict[str, list[str]] = {"worse": [], "better": []}
    for row in rows:
        if row["model"] == model and is_significant(row, level) and SIGNS[row["better"]]:
            words["worse" if is_worse(row) else "better"].append(_difference(row))
    texts = [f"{word} by {together(metrics)}" for word, metrics in words.items() if metrics]
    return f" It is {'; '.join(texts)}." if texts else ""


def _difference(row: Row) -> str:
    return f"{paper_name(row['asked'])} {value_of(row, 'difference', sign=True)}"


def segment_losses(
    rows: Sequence[Row], segments: Sequence[str], level: float, overall: Collection[tuple[str, str]]
) -> list[Verdict]:
    """Return verdicts on the segments in which each model is worse.

    Segments of several columns are included unless a segment of one of the columns is.

    Args:
        rows: Differences by segment.
        segments: The segment columns.
        level: Confidence level of the intervals.
        overall: Models and metrics that are worse overall, which segments do not repeat.
    """
    single: dict[str, set[str]] = {}
    worse: dict[str, dict[str, list[Row]]] = {}
    possible: dict[str, dict[str, list[Row]]] = {}
    for row in sorted(rows, key=lambda row: ", " in row.get("grouping", "")):
        columns = str(row["grouping"]).split(", ") if "grouping" in row else segments
        parts = [segment({**row, "grouping": name}, [name], named=True) for name in columns]
        if len(parts) == 1:
            single.setdefault(row["model"], set()).update(parts)
        if row["difference"] is None or not is_worse(row):
            continue
        significant = worse.setdefault(row["model"], {})
        if is_significant(row, level) and (len(parts) == 1 or not significant.keys() & {*parts}):
            significant.setdefault(", ".join(parts), []).append(row)
        elif (row["model"], row["asked"]) in overall or len(parts) > 1 or row["low"] is None:
            continue
        elif row["low"] * row["high"] > 0:
            possible.setdefault(row["model"], {}).setdefault(parts[0], []).append(row)
    verdicts = []
    with_losses = {*possible, *(model for model, _ in overall)}
    with_losses |= {model for model in worse if worse[model]}
    models = dict.fromkeys(row["model"] for row in rows)
    without_losses = [model for model in models if model not in with_losses]
    for model, losses in worse.items():
        if len(losses) > 2 and losses.keys() >= single.get(model, {""}):
            verdicts.append(Verdict("worse", f"{model} is worse in all {len(losses)} segments."))
            continue
        if losses:
            verdicts.append(Verdict("worse", f"{model} is worse for {_format_segments(losses)}."))
    remaining = {
        model: {name: rows for name, rows in losses.items() if name not in worse[model]}
        for model, losses in possible.items()
    }
    verdicts += _possibly_worse(remaining)
    return [*verdicts, *_without_losses(rows, segments, level, without_losses)]


def _possibly_worse(losses: Mapping[str, Mapping[str, Sequence[Row]]]) -> list[Verdict]:
    """Return verdicts on segments in which models may be worse, one for all if they are many."""
    by_model = {model: segments for model, segments in losses.items() if segments}
    if len(by_model) > MAX_SEPARATE:
        words = [f"{model} for {'; '.join(segments)}" for model, segments in by_model.items()]
        text = f"{len(by_model)} models may be worse in a segment: by the interval they are, "
        text += f"but corrected for all segments and metrics it can be chance: {_first(words)}."
        return [Verdict("open", text)]
    return [
        Verdict(
            "open",
            f"{model} may be worse for {_format_segments(segments)}: by the interval it is, "
            "but corrected for all segments and metrics it can be chance.",
        )
        for model, segments in by_model.items()
    ]


def _without_losses(
    rows: Sequence[Row], segments: Sequence[str], level: float, models: Sequence[str]
) -> list[Verdict]:
    """Return a verdict on models without a significant loss, with the segment closest to one."""
    if not models:
        return []
    text = f"No segment is worse beyond chance with {together(models)}."
    candidates = [
        row
        for row in rows
        if row["model"] in models
        and ", " not in row.get("grouping", "")
        and row["difference"] is not None
        and is_worse(row)
        and None not in (row["low"], row["high"])
        and row["low"] < row["high"]
    ]
    if candidates:
        row = max(
            candidates, key=lambda row: steady(abs(row["difference"]) / (row["high"] - row["low"]))
        )
        names = [row["grouping"]] if "grouping" in row else segments
        where = ", ".join(segment(row, [name], named=True) for name in names)
        text += f" Nearest to it is {row['model']} for {where}, {_users(row['users'])}: "
        text += f"{_difference(row)}{limits_of(row, level)}."
    return [Verdict("open", text)]


def _format_segments(losses: Mapping[str, Sequence[Row]]) -> str:
    words = [f"{name}, {_segment_loss(rows)}" for name, rows in losses.items()]
    more = f"; and for {len(words) - 3} segments more" if len(words) > 3 else ""
    return "; ".join(words[:3]) + more


def _segment_loss(rows: Sequence[Row]) -> str:
    """Format the users of a segment and their losses, by the first metric in full."""
    more = f", and by {len(rows) - 1} metrics more" if len(rows) > 2 else ""
    metrics = together([*map(_difference, rows[: 1 if more else 2])])
    return f"{_users(rows[0]['users'])} ({metrics}{more})"


def best_model(
    rows: Sequence[Row], level: float, pairs: Collection[frozenset[str]] = ()
) -> list[Verdict]:
    """Return the verdict on the best model by the first metric, and on models close to it.

    Args:
        rows: The values of all models.
        level: Confidence level of the intervals.
        pairs: Pairs of models that differ significantly, although their intervals may overlap.
    """
    first = [row for row in rows if row["asked"] == rows[0]["asked"] and row["value"] is not None]
    if not first:
        return []
    label = paper_name(first[0]["asked"])
    if len(first) == 1 or first[0]["better"] == "neither":
        return [
            Verdict("open", f"{row['model']} has {label} {value_of(row)}{limits_of(row, level)}.")
            for row in first
        ]
    best = max(first, key=lambda row: SIGNS[row["better"]] * steady(row["value"]))
    overlapping = [
        row["model"]
        for row in first
        if row is not best and overlap(row, best) and {row["model"], best["model"]} not in pairs
    ]
    text = f"{best['model']} has the best {label} of {len(first)} models: {value_of(best)}"
    text += f"{limits_of(best, level)}."
    if overlapping:
        text += f" The interval{'s' * (len(overlapping) > 1)} of {together(overlapping)} overlap"
        text += f"{'s' * (len(overlapping) == 1)} with that."
    return [Verdict("best", text + _best_elsewhere(rows, best))]


def best_by_segment(rows: Sequence[Row], segments: Sequence[str]) -> list[Verdict]:
    """Return verdicts on the segments in which each model is best by the first metric."""
    first = [row for row in rows if row["asked"] == rows[0]["asked"] and row["value"] is not None]
    if not first or first[0]["better"] == "neither" or len({row["model"] for row in first}) < 2:
        return []
    best: dict[str, Row] = {}
    for row in first:
        name = segment(row, segments, named=True)
        top = best.setdefault(name, row)
        if (row["value"] - top["value"]) * SIGNS[row["better"]] > 0:
            best[name] = row
    places: dict[str, list[str]] = {}
    for name, row in best.items():
        places.setdefault(row["model"], []).append(name)
    label = paper_name(first[0]["asked"])
    return [
        Verdict("best", f"{model} has the best {label} for {together(names, MAX_NAMED)}.")
        for model, names in sorted(places.items(), key=lambda item: -len(item[1]))
    ]


def _best_elsewhere(rows: Sequence[Row], best: Row) -> str:
    """Format the models that are best by other metrics."""
    own = {row["asked"]: row for row in rows if row["model"] == best["model"]}
    tops: dict[str, Row] = {}
    for row in rows:
        if row["value"] is None or row["better"] == "neither":
            continue
        top = tops.get(row["asked"], own.get(row["asked"], row))
        if top["value"] is None or (row["value"] - top["value"]) * SIGNS[row["better"]] > 0:
            top = row
        tops[row["asked"]] = top
    others: dict[str, list[str]] = {}
    for request, row in tops.items():
        if row["model"] != best["model"]:
            others.setdefault(row["model"], []).append(paper_name(request))
    texts = [f"{model} is best by {together(names)}" for model, names in others.items()]
    return f" But {'; '.join(texts)}." if texts else ""


# Texts of counts, which a report mentions if they are not 0.
_COUNTS = {
    "users_without_list": "In the mean, although they have no list",
    "unjudged_lists": "Not in the mean, although they have a list: users with nothing relevant",
    "short_lists": "Lists shorter than the cutoff",
    "ties_at_cutoff": "Lists with equal scores at the cutoff, where ids decide which item is shown",
    "repeated_rows": "Rows that repeat an item, left out",
}


def left_out(user_counts: Sequence[Row]) -> list[str]:
    """Format the users in the mean without a list, and users with a list outside of the mean."""
    if any(row["population"] == "logs" for row in user_counts):
        return []
    none = "No user: every user in the mean has a list, and every user with a list is in the mean."
    return _counts(user_counts, [*_COUNTS][:2]) or [none]


def counted(user_counts: Sequence[Row]) -> list[str]:
    """Format the users in the mean, and the counts that are not 0."""
    return [f"Averaged over: {population_text(user_counts)}.", *_counts(user_counts, [*_COUNTS])]


def _counts(user_counts: Sequence[Row], names: Iterable[str]) -> list[str]:
    texts = []
    all_models = {row["model"] for row in user_counts}
    for name in names:
        worst: dict[str, Row] = {}
        for row in user_counts:
            largest = unusual_count(worst[row["model"]], name) if row["model"] in worst else 0
            if unusual_count(row, name) > largest:
                worst[row["model"]] = row
        by_count: dict[int, list[str]] = {}
        for model, row in worst.items():
            by_count.setdefault(unusual_count(row, name), []).append(model)
        if by_count:
            users = max(row["users_evaluated"] for row in worst.values())
            total = f" of {format_value(users)} users" if name == "users_without_list" else ""
            each = [
                f"{format_value(count)}{total} with {_model_names(models, all_models)}"
                for count, models in by_count.items()
            ]
            texts.append(f"{_COUNTS[name]}: {'; '.join(each)}.")
    return texts


def _model_names(models: Sequence[str], all_models: Collection[str]) -> str:
    if len(models) == len(all_models) > 1:
        return "every model"
    return together(models) if len(models) <= 5 else f"{len(models)} models"
