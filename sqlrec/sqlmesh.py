"""Metrics in SQLMesh: a macro that writes the statement of ``sqlrec.sql`` in a model."""

from __future__ import annotations

from typing import Any

from . import sql
from .errors import InputError


def statement(evaluator: Any, metrics: Any, recs: Any, truth: Any = None, **options: Any) -> str:
    """Return the statement for metrics in a model's dialect, as a macro for SQLMesh.

    ``columns`` are strings such as ``'user_id=customer'``, and lists are written in brackets.

    Args:
        evaluator: SQLMesh's evaluator of macros.
        metrics: The metrics, such as ``'ndcg@10 map@10'``.
        recs, truth: The tables, such as ``shop.recs``.
        **options: Other options of ``sqlrec.sql``, such as ``by := 'country'``.
    """
    arguments = options | {"recs": recs, "truth": truth}
    values = {name: _python_value(x) for name, x in arguments.items() if x is not None}
    if "columns" in values:
        pairs = values["columns"]
        values["columns"] = dict(map(_split_pair, pairs if isinstance(pairs, list) else [pairs]))
    return sql(_python_value(metrics), dialect=evaluator.dialect or "duckdb", **values)


def _split_pair(pair: Any) -> list[str]:
    """Return the standard name and the caller's name of a column."""
    if "=" not in str(pair):
        raise InputError(f"columns {pair!r}: write 'NAME=COLUMN', as in 'user_id=uid'")
    return str(pair).split("=", 1)


def _python_value(expression: Any) -> Any:
    """Return the value of a constant or of a list of constants, or the name of a table."""
    if expression.key in ("array", "tuple"):
        return [_python_value(x) for x in expression.expressions]
    if expression.key == "paren":
        return _python_value(expression.this)
    is_constant = expression.is_number or expression.is_string or expression.key == "boolean"
    return expression.to_py() if is_constant else expression.sql()
