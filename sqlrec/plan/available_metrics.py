"""The metrics that inputs allow, which ``all@10`` requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..catalogue.conventions import convention as named_convention
from ..catalogue.headers import ANY_TEXT, TABLES, metrics
from ..catalogue.requests import MetricRequest, parse_metrics
from ..errors import InputError, MetricError
from ..inputs.read import Inputs
from .build import check_ties

Columns = Mapping[str, set[str]]


def find_available(
    cutoffs: Iterable[str], *, inputs: Inputs, convention: str, ties: str | None
) -> list[str]:
    """Return the metrics that can be computed from the tables and columns of the inputs.

    Parameters have their defaults. Metrics with a parameter without a default, metrics that the
    convention or the rule for ties does not support, and invalid cutoffs are excluded.
    """
    named_convention(convention)
    columns = {name: _readable_columns(inputs, name) for name in inputs.tables}
    several = isinstance(inputs.tables.get("recs"), Mapping) or "model" in columns.get("recs", ())
    available = []
    for name, metric in metrics().items():
        by_column = "recs" not in columns and any(need.table == "logs" for need in metric.needs)
        no_cutoff = by_column or metric.entries["Cutoff"] == "none"
        for text in [name] if no_cutoff else [f"{name}@{k}" for k in cutoffs]:
            try:
                (request,) = parse_metrics(text, convention)
                check_ties(request, {**request.rules, **({"ties": ties} if ties else {})})
            except (MetricError, InputError):
                continue
            has_defaults = (ANY_TEXT,) not in metric.params.values()
            if has_defaults and _has_inputs(request, columns, several):
                available.append(text)
    return available


def _readable_columns(inputs: Inputs, name: str) -> set[str]:
    always, sometimes = TABLES[name]
    needs = [need for metric in metrics().values() for need in metric.needs if need.table == name]
    optional = {*sometimes, *(column for need in needs for column in need.columns)}
    columns = []
    for model in inputs.models(name):
        source = inputs.describe(name, model, required=always, optional=sorted(optional))
        # Items in a list have no scores.
        columns.append({*source.columns} - ({"score"} if source.unnest else set()))
    return set.intersection(*columns)


def _has_inputs(request: MetricRequest, columns: Columns, several: bool) -> bool:
    """Return whether all inputs of a metric exist, and exactly one input defines the policy."""
    read = {}
    for need in request.metric.needs:
        if need.applies(request.settings, need.table in columns):
            read[need.table] = {*need.columns}
    if "logs" in read and any(need.table == "recs" for need in request.metric.needs):
        has_probability = "target_probability" in columns.get("logs", ())
        if has_probability == ("recs" in columns):
            return False
        read["logs"] |= set() if has_probability else {"user_id", "item_id"}
    if several and "expected_reward" in read.get("logs", ()):
        return False
    return all(name in columns and own <= columns[name] for name, own in read.items())
