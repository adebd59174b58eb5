"""What is found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ..display.layout import SIGNS
from ..display.numbers import steady
from ..plots.chart import written
from ..plots.of_results import segment, together
from ..results.evaluated import counted as of_user_counts
from ..results.evaluated import overlap, paper_name, unusual_count
from .blocks import Verdict

Row = Mapping[str, Any]

# More models of which the same is said share a verdict, which names so many.
MOST_ALONE, MOST_NAMED = 3, 12


def digits_for(row: Row) -> int:
    """Return how many digits a value bears: two of half its interval, and three without one."""
    if row["low"] is None or row["high"] is None or not row["high"] > row["low"]:
        return 3
    half = (row["high"] - row["low"]) / 2
    return min(12, max(0, 1 - math.floor(math.log10(half))))


def value_of(row: Row, name: str = "value", sign: bool = False) -> str:
    """Write a value with as many digits as it bears."""
    text = written(row[name], digits=digits_for(row))
    return f"+{text}" if sign and row[name] is not None and row[name] > 0 else text


def limits_of(row: Row, level: float) -> str:
    """Write an interval in words; nothing where there is none."""
    if row["low"] is None or row["high"] is None:
        return ""
    low, high = (value_of(row, name) for name in ("low", "high"))
    return f" ({limits_name(level)}{low} to {high})"


def limits_name(level: float) -> str:
    """Name an interval, before its limits."""
    return f"{100 * level:g}\u00a0% interval "


def is_told_apart(row: Row, level: float) -> bool:
    """Say whether a difference is told from chance, after the correction for all tests."""
    return row["p_adjusted"] is not None and row["p_adjusted"] < 1 - level


def is_worse(row: Row) -> bool:
    """Say whether a model is worse than the baseline, read with the metric's direction."""
    return bool(row["difference"] * SIGNS[row["better"]] < 0)


def losers(rows: Iterable[Row], level: float) -> set[tuple[str, str]]:
    """Return the models and metrics that are worse than the baseline beyond chance."""
    return {
        (row["model"], row["asked"])
        for row in rows
        if row["difference"] and is_worse(row) and is_told_apart(row, level)
    }


def of_models(
    rows: Sequence[Row], others: Sequence[Row], baseline: str, level: float
) -> list[Verdict]:
    """Say how models do against the baseline by a metric; those not told apart together, if many.

    Args:
        rows: Differences by the first metric, the best model first.
        others: Those by other metrics.
        baseline: The model that others are compared with.
        level: How often intervals hold the truth.
    """
    also = {row["model"]: of_others(others, row["model"], level) for row in rows}
    alike = [row for row in rows if not is_told_apart(row, level) and not also[row["model"]]]
    found = []
    for row in rows:
        if len(alike) <= MOST_ALONE or row not in alike:
            one = of_model(row, baseline, level)
            found.append(Verdict(one.kind, one.text + also[row["model"]]))
        elif row is alike[0]:
            words = [
                f"{one['model']} {value_of(one, 'difference', sign=True)}"
                + limits_of(one, level).replace(limits_name(level), "")
                for one in alike
            ]
            text = f"{len(alike)} models can't be told apart from {baseline}: "
            text += f"{paper_name(row['asked'])}, with {limits_name(level).strip()}s, of "
            found.append(Verdict("open", f"{text}{_first(words)}."))
    return found


def _first(words: Sequence[str]) -> str:
    """Join the first of many findings, and say how many more there are."""
    more = [f"and {len(words) - MOST_NAMED} more"] if len(words) > MOST_NAMED else []
    return "; ".join([*words[:MOST_NAMED], *more])


def told_apart(rows: Sequence[Row], baseline: str, level: float) -> set[frozenset[str]]:
    """Return the pairs of a model and the baseline that the first metric tells apart."""
    return {
        frozenset((row["model"], baseline))
        for row in rows
        if row["asked"] == rows[0]["asked"] and is_told_apart(row, level)
    }


def of_model(row: Row, baseline: str, level: float) -> Verdict:
    """Say how a model does against the baseline."""
    label, model = paper_name(row["asked"]), row["model"]
    found = f"{label} {value_of(row, 'difference', sign=True)}{limits_of(row, level)}"
    if not is_told_apart(row, level):
        text = f"{model} can't be told apart from {baseline}: {found}."
        if None not in (row["low"], row["high"]) and row["low"] * row["high"] > 0:
            text += " Corrected for all tests of the report it can be chance."
        if row["detectable"] is not None:
            least = written(row["detectable"], digits=digits_for(row))
            text += f" {written(row['users'])} users would show {least} or more."
        return Verdict("open", text)
    if row["better"] == "neither":
        side = "higher" if row["difference"] > 0 else "lower"
        return Verdict("open", f"{model} is {side} than {baseline}: {found}.")
    counts = f"{_users(row['wins'])} gain{'s' * (row['wins'] == 1)}, {written(row['losses'])} lose"
    verb, kind = ("loses to", "worse") if is_worse(row) else ("beats", "better")
    return Verdict(kind, f"{model} {verb} {baseline}: {found}; {counts}.")


def _users(count: int) -> str:
    return f"{written(count)} user{'s' * (count != 1)}"


def of_others(rows: Iterable[Row], model: str, level: float) -> str:
    """Say by which other metrics a model is better or worse; nothing where by none."""
    words: dict[str, list[str]] = {"worse": [], "better": []}
    for row in rows:
        if row["model"] == model and is_told_apart(row, level) and SIGNS[row["better"]]:
            words["worse" if is_worse(row) else "better"].append(_found(row))
    texts = [f"{word} by {together(those)}" for word, those in words.items() if those]
    return f" It is {'; '.join(texts)}." if texts else ""


def _found(row: Row) -> str:
    return f"{paper_name(row['asked'])} {value_of(row, 'difference', sign=True)}"


def of_segments(
    rows: Sequence[Row], segments: Sequence[str], level: float, known: Collection[tuple[str, str]]
) -> list[Verdict]:
    """Say for each model in which segments it is worse, those that lose most first, or in none.

    Segments of several columns are named where those of one column do not tell it already.

    Args:
        rows: Differences by segment.
        segments: The columns of segments.
        level: How often intervals hold the truth.
        known: Models and metrics that are worse altogether, which is no news in a segment.
    """
    alone: dict[str, set[str]] = {}
    worse: dict[str, dict[str, list[Row]]] = {}
    maybe: dict[str, dict[str, list[Row]]] = {}
    for row in sorted(rows, key=lambda row: ", " in row.get("grouping", "")):
        columns = str(row["grouping"]).split(", ") if "grouping" in row else segments
        parts = [segment({**row, "grouping": one}, [one], named=True) for one in columns]
        if len(parts) == 1:
            alone.setdefault(row["model"], set()).update(parts)
        if row["difference"] is None or not is_worse(row):
            continue
        sure = worse.setdefault(row["model"], {})
        if is_told_apart(row, level) and (len(parts) == 1 or not sure.keys() & {*parts}):
            sure.setdefault(", ".join(parts), []).append(row)
        elif (row["model"], row["asked"]) in known or len(parts) > 1 or row["low"] is None:
            continue
        elif row["low"] * row["high"] > 0:
            maybe.setdefault(row["model"], {}).setdefault(parts[0], []).append(row)
    found = []
    told = {*maybe, *(model for model, _ in known), *(model for model in worse if worse[model])}
    calm = [model for model in dict.fromkeys(row["model"] for row in rows) if model not in told]
    for model, those in worse.items():
        if len(those) > 2 and those.keys() >= alone.get(model, {""}):
            found.append(Verdict("worse", f"{model} is worse in all {len(those)} segments."))
            continue
        if those:
            found.append(Verdict("worse", f"{model} is worse for {_named(those)}."))
    less = {
        model: {name: of for name, of in those.items() if name not in worse[model]}
        for model, those in maybe.items()
    }
    return [*found, *_maybe(less), *_calm(rows, segments, level, calm)]


def _maybe(found: Mapping[str, Mapping[str, Sequence[Row]]]) -> list[Verdict]:
    """Say of models for which segments they may be worse, together if they are many."""
    those = {model: segments for model, segments in found.items() if segments}
    if len(those) > MOST_ALONE:
        words = [f"{model} for {'; '.join(segments)}" for model, segments in those.items()]
        text = f"{len(those)} models may be worse in a segment: by the interval alone they are, "
        text += f"but corrected for all segments and metrics it can be chance: {_first(words)}."
        return [Verdict("open", text)]
    return [
        Verdict(
            "open",
            f"{model} may be worse for {_named(segments)}: by the interval alone it is, but "
            "corrected for all segments and metrics it can be chance.",
        )
        for model, segments in those.items()
    ]


def _calm(
    rows: Sequence[Row], segments: Sequence[str], level: float, models: Sequence[str]
) -> list[Verdict]:
    """Say that no segment of models is worse beyond chance, and which is the nearest to it."""
    if not models:
        return []
    text = f"No segment is worse beyond chance with {together(models)}."
    near = [
        row
        for row in rows
        if row["model"] in models
        and ", " not in row.get("grouping", "")
        and row["difference"] is not None
        and is_worse(row)
        and None not in (row["low"], row["high"])
        and row["low"] < row["high"]
    ]
    if near:
        row = max(near, key=lambda row: steady(abs(row["difference"]) / (row["high"] - row["low"])))
        names = [row["grouping"]] if "grouping" in row else segments
        where = ", ".join(segment(row, [name], named=True) for name in names)
        text += f" Nearest to it is {row['model']} for {where}, {_users(row['users'])}: "
        text += f"{_found(row)}{limits_of(row, level)}."
    return [Verdict("open", text)]


def _named(found: Mapping[str, Sequence[Row]]) -> str:
    words = [f"{name}, {_lost(rows)}" for name, rows in found.items()]
    more = f"; and for {len(words) - 3} segments more" if len(words) > 3 else ""
    return "; ".join(words[:3]) + more


def _lost(rows: Sequence[Row]) -> str:
    """Say how many users a segment has and what they lose, by the first metric in full."""
    more = f", and by {len(rows) - 1} metrics more" if len(rows) > 2 else ""
    shown = together([*map(_found, rows[: 1 if more else 2])])
    return f"{_users(rows[0]['users'])} ({shown}{more})"


def of_best(
    rows: Sequence[Row], level: float, apart: Collection[frozenset[str]] = ()
) -> list[Verdict]:
    """Say which model has the best value of the first metric, and whose are not far from it.

    Args:
        rows: The values of all models.
        level: How often intervals hold the truth.
        apart: Pairs of models that a test tells apart, although their intervals may overlap.
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
    near = [
        row["model"]
        for row in first
        if row is not best and overlap(row, best) and {row["model"], best["model"]} not in apart
    ]
    text = f"{best['model']} has the best {label} of {len(first)} models: {value_of(best)}"
    text += f"{limits_of(best, level)}."
    if near:
        text += f" The interval{'s' * (len(near) > 1)} of {together(near)} overlap"
        text += f"{'s' * (len(near) == 1)} with that."
    return [Verdict("best", text + _best_elsewhere(rows, best))]


def of_best_by_segment(rows: Sequence[Row], segments: Sequence[str]) -> list[Verdict]:
    """Say for which segments each model has the best value of the first metric."""
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
        Verdict("best", f"{model} has the best {label} for {together(names, MOST_NAMED)}.")
        for model, names in sorted(places.items(), key=lambda one: -len(one[1]))
    ]


def _best_elsewhere(rows: Sequence[Row], best: Row) -> str:
    """Say which other models are best by other metrics; nothing where none is."""
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
    for asked, row in tops.items():
        if row["model"] != best["model"]:
            others.setdefault(row["model"], []).append(paper_name(asked))
    found = [f"{model} is best by {together(names)}" for model, names in others.items()]
    return f" But {'; '.join(found)}." if found else ""


# The counts that a report mentions where they are not 0, with what is said of them.
_COUNTS = {
    "users_without_list": "In the mean, although they have no list",
    "unjudged_lists": "Not in the mean, although they have a list: users with nothing relevant",
    "short_lists": "Lists shorter than the cutoff",
    "ties_at_cutoff": "Lists with equal scores at the cutoff, where ids decide which item is shown",
    "repeated_rows": "Rows that repeat an item, left out",
}


def left_out(user_counts: Sequence[Row]) -> list[str]:
    """Say who is averaged over without a list, and who has a list and is not averaged over."""
    if any(row["population"] == "logs" for row in user_counts):
        return []
    none = "No user: every user in the mean has a list, and every user with a list is in the mean."
    return _counts(user_counts, [*_COUNTS][:2]) or [none]


def counted(user_counts: Sequence[Row]) -> list[str]:
    """Say who is averaged over, and which counts are not 0."""
    return [f"Averaged over: {of_user_counts(user_counts)}.", *_counts(user_counts, [*_COUNTS])]


def _counts(user_counts: Sequence[Row], names: Iterable[str]) -> list[str]:
    found = []
    everyone = {row["model"] for row in user_counts}
    for name in names:
        worst: dict[str, Row] = {}
        for row in user_counts:
            most = unusual_count(worst[row["model"]], name) if row["model"] in worst else 0
            if unusual_count(row, name) > most:
                worst[row["model"]] = row
        alike: dict[int, list[str]] = {}
        for model, row in worst.items():
            alike.setdefault(unusual_count(row, name), []).append(model)
        if alike:
            users = max(row["users_evaluated"] for row in worst.values())
            whole = f" of {written(users)} users" if name == "users_without_list" else ""
            each = [
                f"{written(count)}{whole} with {_of(models, everyone)}"
                for count, models in alike.items()
            ]
            found.append(f"{_COUNTS[name]}: {'; '.join(each)}.")
    return found


def _of(models: Sequence[str], everyone: Collection[str]) -> str:
    if len(models) == len(everyone) > 1:
        return "every model"
    return together(models) if len(models) <= 5 else f"{len(models)} models"
