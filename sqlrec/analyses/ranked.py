"""Models in order: by their values, with letters, or by their ranks over data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..statistics.all_models import friedman, letters, ranked

Row = Mapping[str, Any]

# What a row has of models in order, after what it is of; and over data sets.
RANKED = ("users", "value", "rank", "letters")
RANKED_OVER = (
    *("blocks", "mean_rank", "friedman_p", "iman_davenport_p", "critical_difference", "letters"),
)


def in_order(rows: Sequence[Row], segments: Sequence[str], level: float) -> list[dict[str, Any]]:
    """Put the models of each segment and metric in order, with letters by ``p_adjusted``."""
    found = []
    for those in _grouped(rows, segments).values():
        values = _values(those)
        places = _places(values, those[0]["better"])
        order = sorted(values, key=lambda model: (places[model] or 0, -(values[model] or 0)))
        differ = {
            frozenset((row["model"], row["baseline"]))
            for row in those
            if row["p_adjusted"] is not None and row["p_adjusted"] < 1 - level
        }
        marks = letters(order, differ)
        users = {row[name]: row["users"] for row in those for name in ("baseline", "model")}
        for model in order:
            made = (users[model], values[model], places[model], marks[model])
            found.append(_of(those[0], segments, model) | dict(zip(RANKED, made, strict=True)))
    return found


def over_data_sets(
    rows: Sequence[Row], segments: Sequence[str], over: str, level: float
) -> list[dict[str, Any]]:
    """Rank the models in each data set, a value of a segment, and test their mean ranks."""
    found = []
    for those in _grouped(rows, segments).values():
        models = list(_values(those))
        blocks: list[list[float]] = []
        for of_block in _grouped(those, [over]).values():
            places = _places(_values(of_block), those[0]["better"])
            known = [place for model in models if (place := places.get(model)) is not None]
            if len(known) == len(models):
                blocks.append(known)
        if not blocks:
            continue
        tests = friedman(level, blocks)
        sums = [math.fsum(column) for column in zip(*blocks, strict=True)]
        means = {model: total / len(blocks) for model, total in zip(models, sums, strict=True)}
        order = sorted(models, key=lambda model: means[model])
        differ = {
            frozenset((models[one], models[other]))
            for (one, other), p in tests.pop("nemenyi").items()
            if p < 1 - level
        }
        marks = letters(order, differ)
        for model in order:
            made = {"blocks": len(blocks), "mean_rank": means[model], **tests}
            found.append(_of(those[0], segments, model) | made | {"letters": marks[model]})
    return found


def _grouped(rows: Sequence[Row], segments: Sequence[str]) -> dict[tuple[Any, ...], list[Row]]:
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        key = (*(repr(row[name]) for name in segments), row["metric"], row["k"])
        found.setdefault(key, []).append(row)
    return found


def _of(row: Row, segments: Sequence[str], model: str) -> dict[str, Any]:
    return {"model": model} | {name: row[name] for name in (*segments, "metric", "k", "asked")}


def _values(rows: Sequence[Row]) -> dict[str, float | None]:
    sides = (("baseline", "baseline_value"), ("model", "value"))
    return {row[name]: row[value] for row in rows for name, value in sides}


def _places(values: Mapping[str, float | None], better: str) -> dict[str, float | None]:
    """Return the places of models; null where neither is better, or one has no value."""
    known = [value for value in values.values() if value is not None]
    if better == "neither" or len(known) < len(values):
        return dict.fromkeys(values)
    return dict(zip(values, ranked(known, higher=better == "higher"), strict=True))
