"""Ranks of models by value or by mean rank over data sets, with letters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..layouts.result import is_significant, segment_key
from ..records import Record, Row, group_by
from ..statistics.all_models import friedman_tests, letter_display, rank_values

# Columns of ranks, and of ranks over data sets.
RANKED = ("users", "value", "rank", "letters")
RANKED_OVER = (
    *("blocks", "mean_rank", "friedman_p", "iman_davenport_p", "critical_difference", "letters"),
)


def rank_models(rows: Sequence[Row], segments: Sequence[str], level: float) -> list[Record]:
    """Return the models of each segment and metric, best first, with letters by ``p_adjusted``."""
    ranks = []
    for group in _group_rows(rows, segments).values():
        values = _model_values(group)
        model_ranks = _rank_values(values, group[0]["better"])
        order = sorted(values, key=lambda model: (model_ranks[model] or 0, -(values[model] or 0)))
        differ = {
            frozenset((row["model"], row["baseline"]))
            for row in group
            if is_significant(row, level)
        }
        marks = letter_display(order, differ)
        users = {row[name]: row["users"] for row in group for name in ("baseline", "model")}
        for model in order:
            columns = (users[model], values[model], model_ranks[model], marks[model])
            keys = _row_keys(group[0], segments, model)
            ranks.append(keys | dict(zip(RANKED, columns, strict=True)))
    return ranks


def rank_over_data_sets(
    rows: Sequence[Row], segments: Sequence[str], over: str, level: float
) -> list[Record]:
    """Rank the models in each data set, a value of ``over``, and test their mean ranks."""
    ranks = []
    for group in _group_rows(rows, segments).values():
        models = list(_model_values(group))
        blocks: list[list[float]] = []
        for block in _group_rows(group, [over]).values():
            model_ranks = _rank_values(_model_values(block), group[0]["better"])
            block_ranks = [rank for model in models if (rank := model_ranks.get(model)) is not None]
            if len(block_ranks) == len(models):
                blocks.append(block_ranks)
        if not blocks:
            continue
        tests = friedman_tests(level, blocks)
        sums = [math.fsum(column) for column in zip(*blocks, strict=True)]
        means = {model: total / len(blocks) for model, total in zip(models, sums, strict=True)}
        order = sorted(models, key=lambda model: means[model])
        differ = {
            frozenset((models[one], models[other]))
            for (one, other), p in tests.pop("nemenyi").items()
            if p < 1 - level
        }
        marks = letter_display(order, differ)
        for model in order:
            columns = {"blocks": len(blocks), "mean_rank": means[model], **tests}
            ranks.append(_row_keys(group[0], segments, model) | columns | {"letters": marks[model]})
    return ranks


def _group_rows(rows: Sequence[Row], segments: Sequence[str]) -> dict[tuple[Any, ...], list[Row]]:
    return group_by(rows, lambda row: (*segment_key(row, segments), row["metric"], row["k"]))


def _row_keys(row: Row, segments: Sequence[str], model: str) -> Record:
    return {"model": model} | {name: row[name] for name in (*segments, "metric", "k", "request")}


def _model_values(rows: Sequence[Row]) -> dict[str, float | None]:
    sides = (("baseline", "baseline_value"), ("model", "value"))
    return {row[name]: row[value] for row in rows for name, value in sides}


def _rank_values(values: Mapping[str, float | None], better: str) -> dict[str, float | None]:
    """Return the rank of each model; null if the direction is neither or a value is missing."""
    present = [value for value in values.values() if value is not None]
    if better == "neither" or len(present) < len(values):
        return dict.fromkeys(values)
    return dict(zip(values, rank_values(present, higher=better == "higher"), strict=True))
