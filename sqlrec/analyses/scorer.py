"""One number for a search of parameters, as scikit-learn and Optuna take it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from ..catalogue.headers import metric as named_metric
from ..catalogue.own import know
from ..catalogue.requests import parse_metrics
from ..errors import DataError, InputError
from ..evaluation import evaluate, takes
from ..options import Beside


@takes(Beside)
def scorer(
    metric: str, *, recommend: Callable[[Any, Any], Any] | None = None, **options: Unpack[Beside]
) -> Callable[[Any, Any, Any], float]:
    """Return a scorer as scikit-learn calls it: ``score(model, X, y)``, of which more is better.

    Args:
        metric: One metric, as in ``"ndcg@10"``. Where lower values are better, they are negated.
        recommend: Makes recs of a model and ``X``, as ``evaluate`` takes them; by default
            ``model.recommend(X)`` does. ``y`` is the truth.
        **options: The other inputs and rules of ``evaluate``.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c", "a"]]})
        >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["b", "c"]})
        >>> score = sqlrec.scorer("mrr@2", recommend=lambda model, users: recs)
        >>> score("any model", None, truth)
        0.75

    Raises:
        MetricError, InputError, DataError: As in ``evaluate``. InputError: Several metrics, or one
            of which neither more nor less is better. The scorer raises DataError where there is no
            value, and InputError for lists of several models.
    """
    know(options.get("metrics_path"))
    asked = parse_metrics(metric, options.get("convention") or "sqlrec")
    if len(asked) > 1:
        raise InputError(f"metric={metric!r}: a search goes by one; name one")
    better = named_metric(asked[0].metric.name).better
    if better == "neither":
        raise InputError(f"metric={metric!r}: its direction is neither; name another")

    def score(model: Any, X: Any, y: Any) -> float:
        recs = model.recommend(X) if recommend is None else recommend(model, X)
        found = evaluate(metric, recs=recs, truth=y, interval=None, **options)
        rows = found.rows().to_pylist()
        if len(rows) > 1:
            models = ", ".join(str(row["model"]) for row in rows)
            raise InputError(f"recs are of several models, {models}: a score is of one")
        value = rows[0]["value"]
        if value is None:
            raise DataError(f"{metric} has no value: no user has one")
        return float(value) if better == "higher" else -float(value)

    return score
