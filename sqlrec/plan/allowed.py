"""The metrics that inputs are enough for, which is what ``all@10`` stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..catalogue.conventions import convention as named_convention
from ..catalogue.headers import ANY_TEXT, TABLES, metrics
from ..catalogue.requests import MetricRequest, parse_metrics
from ..errors import InputError, MetricError
from ..inputs.read import Inputs
from .build import check_ties

Columns = Mapping[str, set[str]]


def allowed(
    cutoffs: Iterable[str],
    *,
    given: Mapping[str, Any],
    inputs: Inputs,
    convention: str,
    ties: str | None,
) -> list[str]:
    """Name the metrics that the inputs have all tables and columns for.

    Parameters have their defaults. Left out are metrics with a parameter that has none, what the
    convention or the rule for ties does not have, and cutoffs that a metric can't have.

    Args:
        cutoffs: Where lists end; a metric without cutoff is named once.
        given: The inputs by name, None where they are not given.
        inputs: What reads them.
        convention: Whose form of the metrics is meant.
        ties: The rule that is given, if one is.

    Raises:
        InputError: An input that can't be read.
        MetricError: No such convention.
    """
    named_convention(convention)
    columns = {name: _columns(inputs, name, one) for name, one in given.items() if one is not None}
    several = isinstance(given["recs"], Mapping) or "model" in columns.get("recs", ())
    found = []
    for name, one in metrics().items():
        of_column = given["recs"] is None and any(need.table == "logs" for need in one.needs)
        alone = of_column or one.entries["Cutoff"] == "none"
        for text in [name] if alone else [f"{name}@{k}" for k in cutoffs]:
            try:
                (asked,) = parse_metrics(text, convention)
                check_ties(asked, {**asked.rules, **({"ties": ties} if ties else {})})
            except (MetricError, InputError):
                continue
            if (ANY_TEXT,) not in one.params.values() and _is_enough(asked, columns, several):
                found.append(text)
    return found


def _columns(inputs: Inputs, name: str, given: Any) -> set[str]:
    """Find which columns that metrics read an input has; of several models, those that all have."""
    always, sometimes = TABLES[name]
    needs = [need for one in metrics().values() for need in one.needs if need.table == name]
    taken = {*sometimes, *(column for need in needs for column in need.columns)}
    models = given if isinstance(given, Mapping) and name == "recs" else {None: given}
    found = []
    for model, table in models.items():
        shown = name if model is None else f"{name}[{model!r}]"
        source = inputs.read(table, shown, name, needed=always, assumed=(), taken=sorted(taken))
        # Items of a list have no scores of their own.
        found.append({*source.found} - ({"score"} if source.unnest else set()))
    return set.intersection(*found)


def _is_enough(asked: MetricRequest, columns: Columns, several: bool) -> bool:
    """Say whether all that a metric reads is there, and one thing alone says what is evaluated."""
    read = {}
    for need in asked.metric.needs:
        if need.holds(asked.settings, need.table in columns):
            read[need.table] = {*need.columns}
    if "logs" in read and any(need.table == "recs" for need in asked.metric.needs):
        probable = "target_probability" in columns.get("logs", ())
        if probable == ("recs" in columns):
            return False
        read["logs"] |= set() if probable else {"user_id", "item_id"}
    if several and "expected_reward" in read.get("logs", ()):
        return False
    return all(name in columns and own <= columns[name] for name, own in read.items())
