"""Errors and warnings about inputs, from the rows of a report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..catalogue.custom_metrics import locate_metrics
from ..catalogue.requests import format_metric
from ..dialects import text
from ..display.table_layout import join_names
from ..engines.duckdb import DuckDB
from ..errors import DataError
from ..plan.plan import Plan, Table
from ..records import Record, group_by
from ..results.rows import Rows
from ..results.table import Text
from ..rules import NEED_LIST
from ..safe_text import warn
from .job import Job

# The problem of a model with lists that may have no users in common with the truth.
NO_LISTS = "no user of truth has a list"

# An effective sample is small below this number, or this share, of decisions. If one decision has a
# tenth of the total weight, the effective sample is below 100.
SMALL_SAMPLE = 100
SMALL_SHARE = 0.01


def read_checked(job: Job) -> tuple[Text, Rows]:
    """Evaluate a job; return the statement, and its checked rows with counts."""
    text, rows = job.read()
    return text, check_rows(job, rows)


def check_rows(job: Job, report: Rows) -> Rows:
    """Return the sorted rows of a report, after errors and warnings about the inputs."""
    rows = job.sorted(report.records)
    job.raise_first_violation(rows)
    _check_finite(job, rows)
    names = " and ".join(job.segments)
    if names and all(row[name] is None for row in rows for name in job.segments):
        table = "users" if job.plan.users else "truth"
        warn(f"{names} is null for every user: check that user_id has the same format in {table}")
    warn_about_empty_segments(job, rows)
    for message in (*_describe_empty_metrics(job, rows), *describe_missing_overlaps(job, rows)):
        warn(message)
    for row in _small_samples(job, rows):
        segments = ", ".join(f"{name}={row[name]}" for name in job.segments)
        title = f"{row['model']}{'' if row['k'] is None else '@' + str(row['k'])}"
        warn(
            f"{title}{f' ({segments})' if segments else ''}: the effective sample is "
            f"{_effective_sample(row):.1f} of {row['users_evaluated']} logged "
            f"decisions; the largest weight is {row['largest_weight']:.6g}: estimates are "
            "uncertain, and actions that are not in the logs are not evaluated"
        )
    return Rows(dict(report.schema), rows)


def warn_about_empty_segments(job: Job, rows: Sequence[Record]) -> None:
    """Warn about segments of the users table without a row."""
    if empty := empty_segments(job, rows):
        warn(f"{', '.join(empty)}: no user has a value, so the result has no row")


def empty_segments(job: Job, rows: Sequence[Record]) -> list[str]:
    """Return the segments of the users table without a row, with their numbers of users."""
    users = job.plan.users
    if users is None or not isinstance(job.inputs.engine, DuckDB):
        return []
    empty = []
    for segment in (segment for segment in job.plan.by if segment.table == "users"):
        statement = f"select {segment.column}, count(*) from {users.relation} group by all"
        seen = {str(row[segment.caller_name]) for row in rows}
        with job.errors():
            sizes = job.inputs.rows(f"{statement} order by all")
        empty += [
            f"{segment.caller_name}={value} ({size:,} user{'s' * (size > 1)})"
            for value, size in sizes
            # If ids have another format, no value is in both tables.
            if value is not None and value == value and str(value) not in seen != {"None"}
        ]
    return empty


def _check_finite(job: Job, rows: Iterable[Record]) -> None:
    """Check that custom metrics do not divide by 0, which is an error in most engines."""
    for row in rows:
        if row["value"] is None or math.isfinite(row["value"]):
            continue
        if file := locate_metrics([job.row_request(row).metric.name]):
            raise DataError(
                f"{file}: {row['request']} of {row['model']} is {row['value']}: divide by "
                "nullif(..., 0), so that the value is undefined if the divisor is 0"
            )


def _describe_empty_metrics(job: Job, rows: list[Record]) -> list[str]:
    """Return messages about metrics without users to average over, by model."""
    empty = [row for row in rows if not row["users_evaluated"]]
    messages = []
    for (model, reason), group in group_by(
        empty, lambda row: (row["model"], _empty_reason(job, row))
    ).items():
        names = dict.fromkeys(format_metric(row["metric"], row["k"]) for row in group)
        messages.append((model, f"{', '.join(names)} has no users to average over: {reason}"))
    texts = _name_models(messages)
    if texts and not any(row["users_evaluated"] for row in rows):
        raise DataError(texts[0])
    return texts


def _name_models(messages: Iterable[tuple[str, str]]) -> list[str]:
    """Return each text once, after the models with this text."""
    groups = group_by(messages, lambda message: message[1])
    return [f"{join_names(sorted(x for x, _ in group))}: {text}" for text, group in groups.items()]


def describe_missing_overlaps(job: Job, rows: list[Record]) -> list[str]:
    """Return messages about models with lists that do not overlap with the truth or the cutoffs."""
    list_rows = [x for x in rows if x["users_evaluated"] and job.row_request(x).reads("recs")]
    messages: list[tuple[str, str]] = []
    for model, group in group_by(list_rows, lambda row: row["model"]).items():
        truth_rows = [row for row in group if job.row_request(row).reads("truth")]
        users = [row["users_evaluated"] for row in truth_rows]
        in_mean = [row for row in truth_rows if row["population"] not in NEED_LIST]
        if in_mean and users == [row["users_without_list"] for row in in_mean]:
            messages.append((model, _describe_missing_users(job, group, NO_LISTS)))
            continue
        if truth_rows and users == [
            row["unjudged_lists"] if row["population"] == "recs" else None for row in truth_rows
        ]:
            nothing = "no user with a list has a relevant item in truth"
            text = _describe_missing_users(job, group, nothing, of_judgments=True)
            messages.append((model, text))
        elif truth_rows and not any(row["value"] for row in truth_rows):
            messages += _describe_missing_items(job, model)
        if too_deep := _unreached_cutoffs(job, group):
            text = (
                f"every list is shorter than {min(too_deep)} items: values at this and larger "
                "cutoffs are computed from shorter lists"
            )
            messages.append((model, text))
    return _name_models(messages)


def describe_missing_items(job: Job, models: Iterable[str]) -> list[str]:
    """Return messages about models without hits, if no item of their lists is in the truth."""
    return _name_models(x for model in models for x in _describe_missing_items(job, model))


def _describe_missing_items(job: Job, model: str) -> list[tuple[str, str]]:
    """Return the model with the reason if no item of its lists is in the truth, else nothing."""
    if _query_overlap(job, "items_in_common", model, job.plan):
        return []
    problem, where = "no item of truth is in any list", _format_conditions(job)
    if where and _query_overlap(job, "items_in_common", model, _drop_conditions(job, job.plan)):
        return [(model, f"with {where}, {problem}")]
    return [(model, f"{problem}{_describe_ids(job, 'item_id', model)}")]


def _describe_ids(job: Job, name: str, model: str) -> str:
    """Return a hint about formats of ids, with an id of the lists and an id of the truth."""
    ((list_id, truth_id),) = _query_overlap(job, "least_ids", model, job.plan, id_name=name)
    examples = f"; lists have {list_id!r:.80}, and truth has {truth_id!r:.80}"
    hint = f": check that {name} has the same format in both tables"
    return f"{hint}{examples if list_id != truth_id else ''}"


def _query_overlap(
    job: Job, macro: str, model: str, plan: Plan, **arguments: Any
) -> Sequence[tuple[Any, ...]]:
    """Return the rows of a macro about the overlap of a model's lists with the truth."""
    source = next(source for source in plan.recs if source.model in (None, model))
    by_column = source.model is None and "model" in plan.list_keys
    engine = job.inputs.engine
    named_model = text(model, engine.dialect) if by_column else ""
    plan = replace(plan, recs=[source])
    statement = job.render(macro, plan, named_model=named_model, **arguments)
    with job.errors():
        return job.inputs.rows(statement)


def _drop_conditions(job: Job, plan: Plan) -> Plan:
    """Return a plan that reads lists and truth without the conditions of `where`."""

    def drop_condition(table: Table, name: str) -> Table:
        condition = f" where {job.inputs.where.get(name)})"
        return replace(table, relation=table.relation.replace(condition, ")"))

    truth = plan.truth and drop_condition(plan.truth, "truth")
    return replace(plan, recs=[drop_condition(table, "recs") for table in plan.recs], truth=truth)


def _format_conditions(job: Job) -> str:
    """Format the conditions of lists and truth, or return an empty string."""
    where = {x: job.inputs.where[x] for x in ("recs", "truth") if x in job.inputs.where}
    return f"where={where}" if where else ""


def check_shared_users(
    job: Job, model: str, problem: str, part: Plan
) -> tuple[float | None, int | None]:
    """Check that lists and truth share users; return their highest score and first rank."""
    ((ranks, highest, first),) = _query_overlap(job, "users_in_common", model, part)
    if not ranks:
        where, drop_condition = _format_conditions(job), _drop_conditions(job, part)
        removed = where and _query_overlap(job, "users_in_common", model, drop_condition)[0][0]
        reason = f": {where} removes all of them" if removed else ""
        reason = reason or _describe_ids(job, "user_id", model)
        raise DataError(f"{model}: {problem}{reason}")
    return highest, first


def _describe_missing_users(
    job: Job, rows: list[Record], problem: str, of_judgments: bool = False
) -> str:
    """Return why users of the truth have no list, or why users with a list have no hits."""
    part = job.part(rows[0])
    highest, first = check_shared_users(job, rows[0]["model"], problem, part)
    return f"{problem}{_describe_missing_lists(job, part, highest, first, of_judgments)}"


def _describe_missing_lists(
    job: Job, part: Plan, highest: float | None, first: int | None, of_judgments: bool
) -> str:
    """Return why users of the truth have no list, or why users with a list have no hits."""
    if of_judgments:
        return f": none of their items in truth has a {_format_relevance(job, part)}"
    if part.scores == "positive" and highest is not None and highest <= 0:
        return ": the rules of the convention remove items with a score of 0 or below"
    if part.order == "score" and part.null_scores == "drop" and highest is None:
        return ": null_scores='drop' removes items without a score, and all scores are missing"
    if first is not None and part.depth is not None and first > part.depth:
        return f": ranks begin at {first}, and cutoffs end at {part.depth}"
    return " with an item within the cutoffs"


def _format_relevance(job: Job, part: Plan) -> str:
    """Format the minimum relevance of a relevant item."""
    threshold = part.relevance_threshold
    return "relevance above 0" if threshold is None else f"relevance of at least {threshold}"


def _unreached_cutoffs(job: Job, rows: list[Record]) -> set[int]:
    """Return the cutoffs that no list of a model reaches, unless rules cut lists earlier."""
    maximum = job.plan.ends or math.inf
    cutoffs = {row["k"] for row in rows if row["k"] and row["k"] <= maximum}
    for row in rows:
        missing = 0 if row["population"] in NEED_LIST else row["users_without_list"]
        if row["short_lists"] + missing < row["users_evaluated"]:
            cutoffs.discard(row["k"])
    return cutoffs


def _small_samples(job: Job, rows: list[Record]) -> list[Record]:
    """Return each model's row with the smallest effective sample, if this sample is too small."""
    of_logs = [row for row in rows if row["users_evaluated"] and row["population"] == "logs"]
    small = [
        row
        for row in (of_logs if job.weights else [])
        if _effective_sample(row) < max(SMALL_SAMPLE, SMALL_SHARE * row["users_evaluated"])
    ]
    models = group_by(small, lambda row: row["model"])
    return [min(group, key=_effective_sample) for group in models.values()]


def _empty_reason(job: Job, row: Record) -> str:
    part = job.part(row)
    rule = _format_relevance(job, part)
    removed = ""
    if part.scores == "positive":
        removed = "; items with a score of 0 or below are removed"
    elif part.null_scores == "drop":
        removed = "; items without a score are removed"
    return {
        "truth": f"no item of truth has a {rule}",
        "truth_and_recs": f"no user with a list has an item with a {rule} in truth{removed}",
        "judged": "truth has no users",
        "judged_and_recs": f"no user with a list is in truth{removed}",
        "all": f"truth has no users, and no list has an item within the cutoff{removed}",
        "recs": f"no list has an item within the cutoff{removed}",
        "rated": "no list has an item of its user's truth",
        "logs": "logs has no decision that can be used",
    }[row["population"]]


def _effective_sample(row: Record) -> float:
    return row["effective_decisions"] or 0.0
