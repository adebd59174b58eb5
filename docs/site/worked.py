"""Worked examples of metrics: tables of five rows, and the request of each metric."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from sqlrec import Metric
from sqlrec.catalogue.headers import ANY_TEXT, TABLES
from sqlrec.catalogue.requests import parse_metrics

K = 2

# Every column that a metric can read; a page has only the columns of its metric.
ROWS: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    "recs": (
        "user_id item_id score",
        [
            *(("ana", "kiwi", 0.9), ("ana", "plum", 0.6), ("ana", "pear", 0.3)),
            *(("ben", "fig", 0.8), ("ben", "kiwi", 0.5)),
        ],
    ),
    "truth": (
        "user_id item_id relevance propensity",
        [
            *(("ana", "kiwi", 2, 0.5), ("ana", "pear", 1, 0.25), ("ana", "plum", 0, 1.0)),
            *(("ben", "kiwi", 3, 0.5), ("ben", "fig", 0, 1.0)),
        ],
    ),
    "history": (
        "user_id item_id",
        [("ana", "fig"), ("ana", "plum"), ("ben", "kiwi"), ("eve", "kiwi"), ("eve", "pear")],
    ),
    "catalog": ("item_id", [("fig",), ("kiwi",), ("lime",), ("pear",), ("plum",)]),
    "items": (
        "item_id category aspect item_group feature value other_item_id distance price",
        [
            ("fig", "sweet", "sweet", "tail", "sugar", 0.8, "kiwi", 0.7, 4.0),
            ("kiwi", "sour", "sour", "head", "sugar", 0.3, "plum", 0.4, 1.0),
            ("lime", "sour", "sour", "head", "sugar", 0.1, "kiwi", 0.2, 2.0),
            ("pear", "sweet", "sweet", "tail", "sugar", 0.6, "plum", 0.2, 3.0),
            ("plum", "sweet", "sweet", "tail", "sugar", 0.5, "fig", 0.3, 2.0),
        ],
    ),
    "baseline": (
        "user_id item_id score",
        [
            *(("ana", "plum", 0.7), ("ana", "lime", 0.4), ("ana", "kiwi", 0.2)),
            *(("ben", "kiwi", 0.9), ("ben", "fig", 0.6)),
        ],
    ),
    "logs": (
        "user_id item_id slate_id position "
        "reward propensity target_probability predicted_reward expected_reward",
        [
            ("ana", "kiwi", "s1", 1, 1.0, 0.5, 0.8, 0.6, 0.5),
            ("ana", "plum", "s1", 2, 0.0, 0.5, 0.1, 0.2, 0.3),
            ("ana", "fig", "s2", 1, 1.0, 0.25, 0.5, 0.7, 0.6),
            ("ben", "kiwi", "s3", 1, 0.0, 0.25, 0.2, 0.1, 0.2),
            ("ben", "fig", "s3", 2, 1.0, 0.5, 0.4, 0.5, 0.4),
        ],
    ),
}


# Parameters for which five rows show more than with the defaults.
CHOSEN = {
    "pop_reo": "head=0.4",
    "pop_rsp": "head=0.4",
    "tail_share": "head=0.4",
    "threshold_f1": "threshold=0.5",
    "threshold_precision": "threshold=0.5",
    "threshold_recall": "threshold=0.5",
}


def request(metric: Metric) -> str:
    """Return the request of the example: the metric at 2, if it has a cutoff."""
    texts = [f"{key}=tail" for key, own in metric.params.items() if own == (ANY_TEXT,)]
    texts += [CHOSEN[metric.name]] if metric.name in CHOSEN else []
    needs_lists = any(need.table == "recs" and not need.when for need in metric.needs)
    without = metric.entries["Cutoff"] == "none" or (
        metric.entries["Cutoff"] == "optional" and not needs_lists
    )
    at = "" if without else f"@{K}"
    return metric.name + f"({', '.join(texts)})" * bool(texts) + at


def columns_of(metric: Metric) -> dict[str, list[str]]:
    """Return the columns of each input of the example."""
    (parsed,) = parse_metrics(request(metric))
    # Off-policy examples have target probabilities instead of lists.
    with_lists = metric.family != "off-policy"
    needs = [need for need in metric.needs if need.applies(parsed.settings, with_lists)]
    by_lists = any(need.table == "recs" for need in needs)
    more = {
        "recs": ["score"],
        "baseline": ["score"],
        "truth": ["relevance"],
        "logs": ["user_id", "item_id"] if by_lists else ["target_probability"],
    }
    columns_by_input: dict[str, list[str]] = {}
    for need in needs:
        columns = [*TABLES[need.table][0], *need.columns, *more.get(need.table, [])]
        columns_by_input[need.table] = list(
            dict.fromkeys([*columns_by_input.get(need.table, []), *columns])
        )
    return columns_by_input


def tables(metric: Metric) -> dict[str, pa.Table]:
    """Return the inputs of a metric's example."""
    inputs = {}
    for name, kept in columns_of(metric).items():
        names, rows = ROWS[name]
        columns = zip(names.split(), map(list, zip(*rows, strict=True)), strict=True)
        inputs[name] = pa.table({column: cells for column, cells in columns if column in kept})
    return inputs
