"""Findings of a report, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ..display.numbers import decimals_for_intervals, format_count, format_p, round_last_digits
from ..display.table_layout import SIGNS, join_words, to_sentence
from ..layouts.losses import loss_of
from ..layouts.result import is_significant, name_for_papers
from ..plots.chart import format_value
from ..plots.from_results import format_segment
from ..records import Row, group_by
from .blocks import Verdict

# Maximum number of equal verdicts before they are combined, and of names in a combined verdict.
MAX_SEPARATE, MAX_NAMED = 3, 12


def value_of(row: Row, name: str = "value", sign: bool = False) -> str:
    """Format a value with two digits of its interval's half-width, or by default three decimals."""
    digits = 3
    if row["low"] is not None and row["high"] is not None and row["high"] > row["low"]:
        half = (row["high"] - row["low"]) / 2
        digits = min(12, max(0, 1 - math.floor(math.log10(half))))
        difference = row.get("difference"), row["low"], row["high"]
        digits = decimals_for_intervals([difference], digits)
    text = format_value(row[name], digits=digits)
    return f"+{text}" if sign and row[name] is not None and row[name] > 0 else text


def format_limits(row: Row, name: str) -> str:
    """Format an interval with its name; empty without an interval."""
    if row["low"] is None or row["high"] is None:
        return ""
    return f" ({name}{value_of(row, 'low')} to {value_of(row, 'high')})"


def interval_name(level: float) -> str:
    """Format the name of an interval."""
    return f"{100 * level:g}% interval "


def compare_models(
    rows: Sequence[Row], others: Sequence[Row], baseline: str, level: float
) -> list[Verdict]:
    """Return verdicts on models. If many have no significant difference, they share a verdict."""
    also = {row["model"]: _other_metrics(others, row["model"], level) for row in rows}
    open_rows = [row for row in rows if not is_significant(row, level) and not also[row["model"]]]
    verdicts = []
    for row in rows:
        if len(open_rows) <= MAX_SEPARATE or row not in open_rows:
            single = _compare_model(row, baseline, level, corrected=len(rows) > 1)
            verdicts.append(Verdict(single.kind, single.text + also[row["model"]]))
        elif row is open_rows[0]:
            words = [
                f"{other['model']} {value_of(other, 'difference', sign=True)}"
                + format_limits(other, "")
                for other in open_rows
            ]
            text = f"{len(open_rows)} models do not differ significantly from {baseline}: "
            text += f"{name_for_papers(row['request'])}, with {interval_name(level).strip()}s, of "
            more = [f"and {len(words) - MAX_NAMED} more"] if len(words) > MAX_NAMED else []
            verdicts.append(Verdict("open", f"{text}{'; '.join([*words[:MAX_NAMED], *more])}."))
    return verdicts


def best_headline(rows: Sequence[Row], tests: Iterable[Row], level: float) -> str | None:
    """Return the decision without a baseline in one line: the best model against the other models.

    The result is None if the metric's direction is ``neither``, or if models have no value.
    """
    first = _first_metric_rows(rows)
    models = dict.fromkeys(row["model"] for row in first)
    if len(models) < 2 or first[0]["better"] == "neither":
        return None
    label, best = name_for_papers(first[0]["request"]), _best_rows(first)
    if len(best) == len(first):
        return f"{join_words(list(models), MAX_NAMED)} have the same {label}"
    # Each segment has its own best model.
    compared = "" if len(first) > len(models) else _compare_best(best, tests, level)
    names = list(dict.fromkeys(row["model"] for row in best))
    return f"{join_words(names)} {'is' if len(names) == 1 else 'are'} best by {label}{compared}"


def _compare_best(best: Sequence[Row], tests: Iterable[Row], level: float) -> str:
    """Format the models that are similar to the best models, or else the second-best model."""
    names, request = {row["model"] for row in best}, best[0]["request"]
    with_p = [row for row in tests if row["request"] == request and row["p"] is not None]
    with_p = [row for row in with_p if row["model"] not in names]
    if similar := [row["model"] for row in with_p if not is_significant(row, level)]:
        return f", not distinguishable from {join_words(similar, MAX_SEPARATE)}"
    if not with_p:
        return ""
    second = min(with_p, key=lambda row: abs(round_last_digits(row["difference"])))
    p = format_p(second["p_adjusted"])
    return f", significantly better than the second-best {second['model']} (p {p})"


def _compare_model(row: Row, baseline: str, level: float, *, corrected: bool) -> Verdict:
    """Return the verdict on a model compared with the baseline."""
    label, model = name_for_papers(row["request"]), row["model"]
    limits = format_limits(row, interval_name(level))
    difference = f"{label} {value_of(row, 'difference', sign=True)}{limits}"
    if not is_significant(row, level):
        text = f"{model} does not differ significantly from {baseline}: {difference}."
        if row["detectable"] is not None:
            text += f" With {format_value(row['users'])} users, differences of at least "
            text += f"{value_of(row, 'detectable')} are detected (80% power"
            text += ", corrected like p)." if corrected else ")."
        return Verdict("open", text)
    if row["better"] == "neither":
        side = "higher" if row["difference"] > 0 else "lower"
        return Verdict("open", f"{model} is {side} than {baseline}: {difference}.")
    wins = f"{format_count(row['wins'], 'users')} gain{'s' * (row['wins'] == 1)}"
    verb, kind = ("loses to", "worse") if loss_of(row) > 0 else ("beats", "better")
    return Verdict(
        kind, f"{model} {verb} {baseline}: {difference}; {wins}, {row['losses']:,} lose."
    )


def _other_metrics(rows: Iterable[Row], model: str, level: float) -> str:
    """Format the other metrics by which a model is better or worse."""
    words: dict[str, list[str]] = {"worse": [], "better": []}
    for row in rows:
        if row["model"] == model and is_significant(row, level) and SIGNS[row["better"]]:
            text = f"{name_for_papers(row['request'])} {value_of(row, 'difference', sign=True)}"
            words["worse" if loss_of(row) > 0 else "better"].append(text)
    texts = [f"{word} by {join_words(metrics)}" for word, metrics in words.items() if metrics]
    return f" By secondary metrics it is {'; '.join(texts)}." if texts else ""


def describe_best_model(
    rows: Sequence[Row], level: float, tests: Iterable[Row] = ()
) -> list[Verdict]:
    """Return the verdict on the best model by the first metric, and on similar models."""
    first = _first_metric_rows(rows)
    if not first:
        return []
    label = name_for_papers(first[0]["request"])
    if len(first) == 1 or first[0]["better"] == "neither":
        return [
            Verdict(
                "open",
                f"{row['model']} has {label} {value_of(row)}"
                f"{format_limits(row, interval_name(level))}.",
            )
            for row in first
        ]
    best = _best_rows(first)
    names = join_words([row["model"] for row in best], MAX_NAMED)
    if len(best) == len(first):
        return [Verdict("open", f"{names} have the same {label}: {value_of(best[0])}.")]
    verb = "has" if len(best) == 1 else "have"
    text = f"{names} {verb} the best {label} of {len(first)} models: {value_of(best[0])}"
    text += f"{format_limits(best[0], interval_name(level))}{_compare_best(best, tests, level)}."
    return [Verdict("best", text + _best_elsewhere(rows, best))]


def describe_best_by_segment(rows: Sequence[Row], segments: Sequence[str]) -> list[Verdict]:
    """Return verdicts on models, with the segments in which each is best by the first metric."""
    first = _first_metric_rows(rows)
    if not first or first[0]["better"] == "neither" or len({row["model"] for row in first}) < 2:
        return []
    by_segment = group_by(first, lambda row: format_segment(row, segments, with_names=True))
    best_in: dict[str, list[str]] = {}
    for name, own in by_segment.items():
        best = _best_rows(own)
        for row in best if len(best) < len(own) else ():
            best_in.setdefault(str(row["model"]), []).append(name)
    label = name_for_papers(first[0]["request"])
    return [
        Verdict("best", f"{model} has the best {label} for {join_words(names, MAX_NAMED)}.")
        for model, names in sorted(best_in.items(), key=lambda item: -len(item[1]))
    ]


def _first_metric_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of the first metric with a value."""
    return [
        row for row in rows if row["request"] == rows[0]["request"] and row["value"] is not None
    ]


def _best_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with the best value: several if models are equal."""
    values = [SIGNS[row["better"]] * round_last_digits(row["value"]) for row in rows]
    return [row for row, value in zip(rows, values, strict=True) if value == max(values)]


def _best_elsewhere(rows: Sequence[Row], best: Sequence[Row]) -> str:
    """Format the models that are best by other metrics, if no best model is."""
    rows = [row for row in rows if row["value"] is not None and SIGNS[row["better"]]]
    names, others = {row["model"] for row in best}, dict[str, list[str]]()
    for request, own in group_by(rows, lambda row: str(row["request"])).items():
        best_here = [row["model"] for row in _best_rows(own)]
        if not names & {*best_here}:
            others.setdefault(str(best_here[0]), []).append(request)
    texts = [
        f"{model} is best by {join_words([*map(name_for_papers, requests)])}"
        for model, requests in others.items()
    ]
    return f" But {'; '.join(texts)}." if texts else ""


def describe_missing_users(notes: Iterable[str], empty: Sequence[str] = ()) -> list[str]:
    """Format users in the mean without a list, and users with a list who are not in the mean.

    Args:
        notes: Notes on these users, if any.
        empty: Segments without a value for any user.
    """
    texts = [to_sentence(note) for note in notes]
    texts += [f"Not in the mean: all of {join_words(empty)}."] if empty else []
    none = "None: every user in the mean has a list, and every user with a list is in the mean."
    return texts or [none]
