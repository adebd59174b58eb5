"""A scorer that returns one number, for parameter searches with scikit-learn and Optuna."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from ..catalogue.custom_metrics import load_metrics
from ..catalogue.requests import parse_metrics
from ..errors import DataError, InputError
from ..evaluation import evaluate
from ..inputs.tables import Tables
from ..options import ConventionName, Inputs, Rules


def scorer(
    metric: str,
    *,
    recommend: Callable[[Any, Any], Any] | None = None,
    rules: ConventionName | Rules = "sqlrec",
    **inputs: Unpack[Inputs],
) -> Callable[[Any, Any, Any], float]:
    """Return a scorer for scikit-learn and Optuna: ``score(model, X, y)``, where higher is better.

    Args:
        metric: A single metric, as in ``"ndcg@10"``. Its value is negated where lower is better.
        recommend: A function of the model and ``X`` that returns ``recs``, in any form that
            ``evaluate`` takes; by default ``model.recommend(X)``. ``y`` is the truth.
        rules: The rules of the metric, as in ``evaluate``.
        **inputs: The other inputs, as in ``Dataset``.

    Returns:
        A function ``score(model, X, y)`` that returns the metric's mean as a number. It raises
        DataError where the metric has no value, and InputError where the lists are of several
        models.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c", "a"]]})
        >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["b", "c"]})
        >>> score = sqlrec.scorer("mrr@2", recommend=lambda model, users: recs)
        >>> score("any model", None, truth)
        0.75

    Raises:
        MetricError, DataError: As in ``evaluate``.
        InputError: As in ``evaluate``; also if there are several metrics, or if the metric's
            direction is neither.
    """
    load_metrics(inputs.get("metrics_path"))
    own_rules = Rules.read(rules)
    requests = parse_metrics(metric, own_rules.convention)
    if len(requests) > 1:
        raise InputError(f"metric={metric!r}: a scorer needs one metric; name one")
    better = requests[0].metric.better
    if better == "neither":
        raise InputError(f"metric={metric!r}: its direction is neither; name another")

    def score(model: Any, X: Any, y: Any) -> float:
        recs = model.recommend(X) if recommend is None else recommend(model, X)
        tables = Tables.open(recs=recs, truth=y, **inputs)
        result = evaluate(tables, metric, rules=own_rules, interval=None)
        rows = result.rows().to_pylist()
        if len(rows) > 1:
            models = ", ".join(str(row["model"]) for row in rows)
            raise InputError(f"recs has several models, {models}: a score needs one model")
        value = rows[0]["value"]
        if value is None:
            raise DataError(f"{metric} has no value: it is undefined for every user")
        return float(value) if better == "higher" else -float(value)

    return score
