"""Per-user values that a dataset stores as tables in sqlrec's own DuckDB."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .plan import Plan


def new_plan(values: list[Plan], plan: Plan) -> Plan | None:
    """Return the plan with a table to store its values, or None if values are not stored."""
    has_user_values = any(kind.per_user for kind in plan.kinds)
    if not has_user_values or plan.parts or plan.batched or plan.drawn or plan.groupings:
        return None
    return replace(plan, stored=f"sqlrec_values_{len(values) + 1}")


def find_plan(values: list[Plan], plan: Plan, *, results: bool = False) -> Plan | None:
    """Return the plan that reads its values from a table, or None if no table contains them."""
    if plan.parts or plan.terms or plan.drawn or plan.batched or plan.groupings:
        return None
    for stored in values:
        if _plan_key(stored) == _plan_key(plan) and _has_values(stored, plan, results):
            cut = {name: getattr(stored, name) for name in _CUTOFFS}
            return replace(plan, **cut, stored=stored.stored)
    return None


# Attributes that depend on all cutoffs of a call.
_CUTOFFS = ("cutoffs", "k", "largest_k", "depth")

# Attributes that do not change per-user values.
_AFTER: Any = {
    **{"title": "", "kinds": [], "errors": False, "summaries": [], "complete": False},
    **{"pairs": [], "stored": None},
    **dict.fromkeys(_CUTOFFS),
}


def _plan_key(plan: Plan) -> str:
    """Return the inputs and rules that determine per-user values, as text."""
    return repr(replace(plan, **_AFTER))


def _has_values(stored: Plan, plan: Plan, results: bool) -> bool:
    in_cut = "depends_on_cutoffs" in plan.properties["duplicates"]
    if in_cut and stored.cutoffs != plan.cutoffs:
        return False
    if results and not {*_summary_columns(plan)} <= {*_summary_columns(stored)}:
        return False
    stored_metrics = {
        (kind.name, x.column): x for x, kind in stored.metrics() if kind.per_user or results
    }
    for metric, kind in plan.metrics():
        if not kind.per_user and not results:
            continue
        other = stored_metrics.get((kind.name, metric.column))
        if other is None or (other.macro, other.params) != (metric.macro, metric.params):
            return False
        texts = dict(zip(other.cutoffs, other.texts, strict=True))
        own = dict(zip(metric.cutoffs, metric.texts, strict=True))
        if not own.keys() <= texts.keys() or other.label != metric.label:
            return False
        if results and any(texts[k] != text for k, text in own.items()):
            return False
    return True


def _summary_columns(plan: Plan) -> list[Any]:
    """Return the columns of results other than the means; summaries are numbered in order."""
    return [*(["errors"] if plan.errors else []), *enumerate(map(tuple, plan.summaries))]
