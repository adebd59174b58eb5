"""Metrics in Dagster: an asset that evaluates, with the values as metadata."""

# Dagster reads the annotation of the context, which must not be a string.
from collections.abc import Iterable
from inspect import isfunction
from typing import Any

import dagster

from . import evaluate


def evaluation_asset(
    name: str, metrics: Any, *, deps: Iterable[Any] = (), table: str | None = None, **options: Any
) -> dagster.AssetsDefinition:
    """Return an asset that evaluates metrics each time it is materialized.

    The metadata of the materialization contain each value and limit from ``Result.to_dict``, which
    Dagster plots over time, and the displayed table as ``result``.

    Args:
        name: The name of the asset.
        metrics: The metrics, such as ``"ndcg@10 map@10"``.
        deps: The upstream assets, such as recs and truth.
        table: A table in ``engine`` to which rows are appended, with the id of Dagster's run as
            ``run_id``. A missing table is created.
        **options: Other options of ``sqlrec.evaluate``. A function is called with Dagster's
            context when the asset is materialized: ``recs=lambda context:
            f"{context.partition_key}.parquet"``, or ``engine=lambda context: connect()``.
    """

    def materialize(context: dagster.AssetExecutionContext) -> dagster.MaterializeResult:
        arguments = {
            key: value(context) if isfunction(value) else value for key, value in options.items()
        }
        result = evaluate(metrics, **arguments)
        if table is not None:
            result.to_table(table, mode="append", run_id=context.run_id, evaluated_at=True)
        markdown = dagster.MetadataValue.md(result.to_markdown())
        return dagster.MaterializeResult(metadata={**result.to_dict(), "result": markdown})

    return dagster.asset(name=name, deps=deps)(materialize)
