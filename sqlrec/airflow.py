"""Metrics in Airflow: operators that evaluate and check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from airflow.sdk import BaseOperator
from airflow.sdk.exceptions import AirflowFailException

from . import check, evaluate


class EvaluationOperator(BaseOperator):  # type: ignore[misc]
    """Evaluate metrics, and return the numbers of ``Result.to_dict`` as an XCom.

    Args:
        metrics: The metrics, such as ``"ndcg@10 map@10"``. Strings in ``metrics`` and ``options``
            are templates, as in ``recs="s3://shop/{{ ds }}.parquet"``.
        options: Other options of ``sqlrec.evaluate``: ``{"recs": ..., "truth": ...}``.
        table: A table in ``engine`` to which rows are appended, with the id of Airflow's run as
            ``run_id``. A missing table is created.
        **kwargs: Arguments of Airflow's operator, such as ``task_id``.
    """

    template_fields: Sequence[str] = ("metrics", "options", "table")

    def __init__(
        self, *, metrics: Any, options: dict[str, Any], table: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.metrics, self.options, self.table = metrics, options, table

    def execute(self, context: Any) -> dict[str, float]:
        """Evaluate, and return the numbers by name."""
        result = evaluate(self.metrics, **self.options)
        if self.table is not None:
            result.to_table(self.table, mode="append", run_id=context["run_id"], evaluated_at=True)
        self.log.info("%s", result)
        return result.to_dict()


class CheckOperator(BaseOperator):  # type: ignore[misc]
    """Check metrics. If a check fails, fail without a retry, which would not change the result.

    Args:
        checks: The checks, such as ``"ndcg@10 >= 0.2"``. Strings in ``checks`` and ``options`` are
            templates.
        options: Other options of ``sqlrec.check``: ``{"recs": ..., "truth": ...}``.
        **kwargs: Arguments of Airflow's operator, such as ``task_id``.
    """

    template_fields: Sequence[str] = ("checks", "options")

    def __init__(self, *, checks: Any, options: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.checks, self.options = checks, options

    def execute(self, context: Any) -> dict[str, float]:
        """Check, and return the numbers by name.

        Raises:
            AirflowFailException: A check fails. The message lists the failed checks.
        """
        result = check(self.checks, **self.options)
        if not result.passed:
            raise AirflowFailException(f"{result.failures()}")
        return result.to_dict()
