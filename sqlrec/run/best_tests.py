"""Tests of models against the best model of each metric, user by user, for marks of a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import DataError, InputError
from ..layouts.result import best_row
from ..records import Record, group_by
from ..results.rows import Rows
from ..statistics.comparison_options import ComparisonOptions
from . import differences
from .batches import batch_count
from .job import Call, Key, value_key


def compare_with_best(
    results: Mapping[str, Rows],
    groupings: Mapping[str, Sequence[str]],
    call: Call,
    settings: ComparisonOptions,
) -> list[Record]:
    """Return the differences of models from the best model of each segment, metric and cutoff.

    The differences have p-values, corrected by family. The list is empty if the engine is not
    DuckDB, if users are evaluated in batches, or if models have no users in common.
    """
    if call.tables.engine.dialect != "duckdb":
        return []
    rows: list[Record] = []
    try:
        for name, table in results.items():
            by = groupings[name]
            best = _best_models(table.records, by)
            for model in dict.fromkeys(best.values()):
                job, units, _ = differences.comparison_jobs(call, settings, model, [model], by)
                if batch_count(job) > 1:
                    return []
                means = differences.select_means(job)
                units = means if units is job else differences.select_means(units)
                _, tests = differences.compare_means(means, units, model, settings)
                differences.name_families(tests, job, name)
                differences.add_p_values(tests, means, model, settings)
                # P-values are corrected as in a comparison with this model, so marks agree with the
                # comparison.
                differences.correct_families(tests, settings)
                tests = [row for row in tests if best.get(value_key(row, by)[1:]) == model]
                rows += [row | {"grouping": name} for row in tests]
                job.inputs.engine.release()
    except (InputError, DataError):
        # The inputs cannot be paired, or cannot be read again.
        return []
    return rows


def _best_models(rows: Sequence[Record], by: Sequence[str]) -> dict[Key, str]:
    groups = group_by(rows, lambda row: value_key(row, by)[1:])
    best = {key: best_row(group, group[0]["metric"]) for key, group in groups.items()}
    return {key: row["model"] for key, row in best.items() if row is not None}
