"""What is found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..plots.chart import written
from ..plots.of_results import SIGNS, segment, together
from ..results.evaluated import paper_name
from .blocks import Verdict

Row = Mapping[str, Any]


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
    return f" ({100 * level:g}\u00a0% interval {low} to {high})"


def is_told_apart(row: Row, level: float) -> bool:
    """Say whether a difference is told from chance, after the correction for all tests."""
    return row["p_adjusted"] is not None and row["p_adjusted"] < 1 - level


def is_worse(row: Row) -> bool:
    """Say whether a model is worse than the baseline, read with the metric's direction."""
    return bool(row["difference"] * SIGNS[row["better"]] < 0)


def of_model(row: Row, baseline: str, level: float) -> Verdict:
    """Say how a model does against the baseline."""
    label, model = paper_name(row["asked"]), row["model"]
    found = f"{label} {value_of(row, 'difference', sign=True)}{limits_of(row, level)}"
    if not is_told_apart(row, level):
        text = f"{model} can't be told apart from {baseline}: {found}."
        if row["detectable"] is not None:
            least = written(row["detectable"], digits=digits_for(row))
            text += f" {written(row['users'])} users would show {least} or more."
        return Verdict("open", text)
    if row["better"] == "neither":
        more = "more" if row["difference"] > 0 else "less"
        return Verdict("open", f"{model} has {more} of it than {baseline}: {found}.")
    counts = f"{written(row['wins'])} users gain, {written(row['losses'])} lose"
    verb, kind = ("loses to", "worse") if is_worse(row) else ("beats", "better")
    return Verdict(kind, f"{model} {verb} {baseline}: {found}; {counts}.")


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


def of_segments(rows: Iterable[Row], segments: Sequence[str], level: float) -> list[Verdict]:
    """Say for each model in which segments it is worse, those that lose most first."""
    worse: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        if row["difference"] is not None and is_worse(row) and is_told_apart(row, level):
            named = f"{segment(row, segments, named=True)}, {written(row['users'])} users"
            worse.setdefault(row["model"], {}).setdefault(named, []).append(row)
    found = []
    for model, those in worse.items():
        words = [f"{named} ({together([*map(_found, of)])})" for named, of in those.items()]
        more = f"; and for {len(words) - 3} segments more" if len(words) > 3 else ""
        found.append(Verdict("worse", f"{model} is worse for {'; '.join(words[:3])}{more}."))
    return found


def without_baseline(rows: Sequence[Row], level: float) -> list[Verdict]:
    """Say which model has the best value of the first metric, where there is no baseline."""
    first = [row for row in rows if row["asked"] == rows[0]["asked"] and row["value"] is not None]
    if not first:
        return []
    best = max(first, key=lambda row: SIGNS[row["better"]] * row["value"])
    found = f"{paper_name(best['asked'])} {value_of(best)}{limits_of(best, level)}"
    if len(first) == 1 or best["better"] == "neither":
        return [
            Verdict(
                "open",
                f"{row['model']} has {paper_name(row['asked'])} {value_of(row)}"
                f"{limits_of(row, level)}.",
            )
            for row in first
        ]
    return [Verdict("open", f"{best['model']} has the best value of {len(first)} models: {found}.")]


def absent(accounting: Sequence[Row]) -> list[str]:
    """Say of which models users that count lack a list."""
    return [text for text in counted(accounting) if " has no list for " in text]


def counted(accounting: Sequence[Row]) -> list[str]:
    """Say who was counted, and what is not ordinary of that."""
    texts = {
        "users_without_list": "{model} has no list for {count} of the {all} users averaged over.",
        "short_lists": "{model} has {count} of {all} lists that are shorter than {k} places.",
        "ties_at_cutoff": "{model} has {count} of {all} lists with equal scores at places {k} and "
        "{next}: which item is shown is decided by ids.",
        "unjudged_lists": "{model} has {count} lists of users with nothing relevant, who are not "
        "averaged over.",
        "repeated_rows": "{model} has {count} rows that repeat an item, left out.",
    }
    found = []
    for name, text in texts.items():
        worst: dict[str, Row] = {}
        for row in accounting:
            if (row[name] or 0) > (worst[row["model"]][name] if row["model"] in worst else 0):
                worst[row["model"]] = row
        for model, row in worst.items():
            values = {
                "model": model,
                "count": written(row[name]),
                "all": written(row["users_evaluated"]),
                "k": row["k"],
                "next": (row["k"] or 0) + 1,
            }
            found.append(text.format(**values))
    users = {row["users_evaluated"] for row in accounting}
    few, most = min(users), max(users)
    count = written(few) if few == most else f"{written(few)} to {written(most)}"
    return [f"{count} users are averaged over.", *found]
