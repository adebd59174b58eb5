"""An engine's estimate for a statement, without running it."""

from __future__ import annotations

from typing import Any

from ..errors import InputError
from .base import Engine

# The words before a statement that request its plan with estimated rows or bytes.
_EXPLAIN = {
    "snowflake": "explain using text",
    "spark": "explain cost",
    "databricks": "explain cost",
    "sqlite": "explain query plan",
    **dict.fromkeys(("duckdb", "postgres", "redshift", "trino", "clickhouse"), "explain"),
}


def estimate(engine: Engine, statement: str) -> str:
    """Return the engine's printed plan for a statement, or the bytes that BigQuery reads."""
    if engine.dialect == "bigquery":
        return _dry_run(engine, statement)
    if engine.dialect not in _EXPLAIN:
        raise InputError(f"--estimate: {engine.dialect} does not explain statements; remove it")
    text = f"{_EXPLAIN[engine.dialect]}\n{statement}"
    if engine.dialect == "spark":
        session: Any = vars(engine)["session"]
        return str(session.sql(text).collect()[0][0])
    return "\n".join(str(row[-1]) for row in engine.rows(text))


def _dry_run(engine: Engine, statement: str) -> str:
    from google.cloud.bigquery import QueryJobConfig

    # The driver's cursor has no job after a dry run.
    client = vars(engine)["connection"]._client
    job = client.query(statement, job_config=QueryJobConfig(dry_run=True, use_query_cache=False))
    return f"{job.total_bytes_processed:,} bytes"
