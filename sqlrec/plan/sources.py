"""Read and check the inputs that metrics need."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from .. import messages
from ..catalogue.headers import TABLES, Need
from ..catalogue.requests import MetricRequest, format_metric
from ..dialects import text
from ..errors import ColumnError, InputError
from ..inputs.columns import Columns
from ..inputs.domains import domain_warnings
from ..inputs.id_formats import id_format_warnings
from ..inputs.read import Inputs
from ..inputs.source import (
    LABELS,
    NUMBERS,
    Source,
    check_ids,
    check_label_column,
    check_number_column,
    check_scalar_column,
    is_integer,
    unify_ids,
    unify_scores,
)
from ..inputs.unused_columns import check_one_model, unused_column_warnings
from ..rules import RuleChoices
from ..safe_text import warn

# Groups of id columns. In all inputs, the columns of a group are compared with each other.
IDS = (("slate_id",), ("user_id",), ("item_id", "other_item_id"))

# Maximum number of models for which numbers replace the names.
MAX_NUMBERED_MODELS = 1000


@dataclass(frozen=True)
class Sources:
    """The inputs of a call."""

    # The names of the models; None if a column contains them, or there is a single model.
    models: list[str | None]
    recs: list[Source]  # The lists, a table for each model.
    tables: Mapping[str, Source]  # The other inputs, by name.
    baseline: list[Source]  # The baseline's lists, if they are read.
    needed: Mapping[str, set[str]]  # For each input the columns that metrics read.
    target: str | None  # The source of the evaluated policy: lists, or a column of logs.
    graded: bool  # Whether the truth has grades.

    @property
    def has_several_models(self) -> bool:
        """Whether there are several models."""
        return bool(self.recs) and (None not in self.models or "model" in self.recs[0].columns)

    @property
    def whole_ids(self) -> bool:
        """Whether the ids of users and items are integers."""
        return bool(self.recs) and all(
            is_integer(source, name)
            for source in (*self.recs, *self.tables.values())
            for name in ("user_id", "item_id")
            if name in source.columns
        )


def read_sources(
    requests: list[MetricRequest],
    inputs: Inputs,
    by: list[str],
    rules: RuleChoices,
    clustered: bool,
) -> Sources:
    """Read the inputs that metrics need, and check them; clusters skip repeated warnings."""
    present = [*inputs.tables]
    target = policy_source(requests, present)
    needed = needed_columns(requests, present, by, target, rules.get("seen"))
    ids: tuple[tuple[str, ...], ...] = IDS
    if rules.get("seen") == "self":
        # With this rule, user ids are also item ids.
        ids = (IDS[0], IDS[1] + IDS[2])
    ordered, grouped = _assume_order(inputs.columns, rules, by, "users" in present)
    grouped["logs"] = ["target_probability"] if target == "target_probability" else []
    for name in (name for name in present if name not in needed):
        # The path, name or columns of an input that is not read may be misspelled.
        for model in inputs.models(name):
            inputs.describe(name, model, optional=inputs.columns.renamed(name))
    models = inputs.models("recs") if "recs" in needed else []
    errors: dict[str, ColumnError] = {}
    recs = []
    for model in models:
        with _keep_first_error(errors, "recs"):
            recs.append(
                _read_input(inputs, "recs", needed["recs"], model, assumed=[ordered["recs"]])
            )
    tables = {}
    for name, columns in needed.items():
        if name != "recs":
            assumed = [ordered[name]] if name in ordered else grouped.get(name, [])
            segments = by if name in ("truth", "users") else ()
            with _keep_first_error(errors, name):
                tables[name] = _read_input(
                    inputs, name, columns, assumed=assumed, segments=segments
                )
    if errors:
        first = next(iter(errors.values()))
        raise ColumnError(
            "; ".join(map(str, errors.values())), input=first.input, column=first.column
        )
    if (logs := tables.get("logs")) and (slates := logs.columns.get("slate_id")):
        # Without users, slates are the units of standard errors.
        tables["logs"] = replace(logs, columns={"user_id": slates, **logs.columns})
    sources = unify_ids([*recs, *tables.values()], ids)
    recs, others = unify_scores(sources[: len(recs)]), sources[len(recs) :]
    tables = dict(zip(tables, others, strict=True))
    baseline = [tables["baseline"]] if "baseline" in tables else []
    check_one_model(inputs, [*([] if None in models else recs), *baseline])
    # Lists of all models have the same columns.
    inputs.columns.check_used([*recs[:1], *tables.values()])
    _check_column_types(requests, recs, tables, by, ids)
    _check_scored(requests, {"recs": recs, "baseline": baseline})
    if not clustered:
        _warn_about_inputs(requests, inputs, recs, tables, target)
    graded = _has_grades(tables.get("truth"), rules)
    checked = Sources(models, recs, tables, baseline, needed, target, graded)
    if "logs" in tables:
        _check_logs(requests, tables["logs"], target, checked.has_several_models)
    return checked


def _warn_about_inputs(
    requests: list[MetricRequest],
    inputs: Inputs,
    recs: list[Source],
    tables: Mapping[str, Source],
    target: str | None,
) -> None:
    """Warn about unused columns, values outside a domain, and formats of ids."""
    truth = tables.get("truth") if any(request.reads("truth") for request in requests) else None
    logs = tables.get("logs") if target == "target_probability" else None
    for message in (
        *unused_column_warnings(inputs, recs, truth, logs),
        *domain_warnings(inputs, requests, recs, tables.get("truth")),
        *id_format_warnings(inputs, recs, tables),
    ):
        warn(message)


def needed_columns(
    requests: Iterable[MetricRequest],
    present: Container[str],
    by: list[str],
    target: str | None,
    seen: str | None = None,
) -> dict[str, set[str]]:
    """Return the inputs that are read, each with the columns that metrics read."""
    needed: dict[str, set[str]] = {}
    for request in requests:
        for need in (
            *request.metric.needs,
            *([Need("truth")] if _reads_truth_lists(request) else []),
        ):
            exists = need.table in present
            if not need.applies(request.settings, exists):
                continue
            if not exists:
                columns = ", ".join((*TABLES[need.table][0], *need.columns))
                details = {"table": need.table, "metric": request.label, "columns": columns}
                raise InputError(messages.MISSING.format(**details, fix=f"{need.table}=..."))
            needed.setdefault(need.table, set()).update(need.columns)
    if "logs" in needed and target == "recs":
        needed["logs"].update(("user_id", "item_id"))
    if "logs" in needed and by:
        needed["logs"].add("user_id")
    if seen == "drop" and ("recs" in needed or "baseline" in needed):
        if "history" not in present:
            raise InputError(messages.SEEN)
        needed.setdefault("history", set())
    if "users" in present:
        needed.setdefault("users", set())
    if by and "truth" in present:
        needed.setdefault("truth", set())
    return {name: needed[name] for name in TABLES if name in needed}


def policy_source(requests: list[MetricRequest], present: Container[str]) -> str | None:
    """Return the source of the evaluated policy: lists, or a column of logs."""
    reads = [{need.table for need in request.metric.needs} for request in requests]
    if not any({"logs", "recs"} <= names for names in reads):
        return None
    return "recs" if "recs" in present else "target_probability"


def _check_logs(
    requests: list[MetricRequest], logs: Source, target: str | None, several: bool
) -> None:
    """Check that exactly one source defines the evaluated policy."""
    probable = "target_probability" in logs.columns
    if target == "target_probability" and not probable:
        raise InputError(
            "The evaluated policy is missing: give recs, or a column 'target_probability' of logs "
            f"({logs.with_columns}); name the column: columns={{'logs.target_probability': ...}}"
        )
    if target == "recs" and probable:
        raise InputError(messages.TWO_TARGETS)
    for request in requests:
        reads = {need.table: need.columns for need in request.metric.needs}
        if "logs" in reads and target == "target_probability" and request.k is not None:
            request_text = format_metric(request.label, request.k)
            raise InputError(
                messages.CUTOFF_OF_LOGS.format(metric=request_text, label=request.label)
            )
        if several and "expected_reward" in reads.get("logs", ()):
            raise InputError(messages.ONE_POLICY.format(metric=request.label))


@contextmanager
def _keep_first_error(errors: dict[str, ColumnError], table: str) -> Iterator[None]:
    """Keep the first error about a table's columns, which names all missing columns."""
    try:
        yield
    except ColumnError as error:
        errors.setdefault(table, error)


def _read_input(
    inputs: Inputs,
    table: str,
    needed: set[str],
    model: str | None = None,
    *,
    assumed: Iterable[str] = (),
    segments: Iterable[str] = (),
) -> Source:
    """Read an input with the columns that metrics read. A model's table has no column of models."""
    always, sometimes = TABLES[table]
    left_out = needed if model is None else {*needed, "model"}
    # Without segments, only the ids of users are checked.
    read = inputs.describe if table == "users" and not segments else inputs.read
    return read(
        table,
        model,
        required=(*always, *sorted(needed)),
        assumed=[column for column in assumed if column not in needed],
        optional=[column for column in (*sometimes, *segments) if column not in left_out],
    )


def _check_column_types(
    requests: list[MetricRequest],
    recs: list[Source],
    tables: Mapping[str, Source],
    by: list[str],
    ids: Iterable[Iterable[str]],
) -> None:
    sources = [*recs, *tables.values()]
    for names in ids:
        check_ids((source, name) for name in names for source in sources if name in source.columns)
    lists = [*recs, *(tables[name] for name in ("truth", "baseline") if name in tables)]
    for source in sources:
        checked = set(source.columns) - {"score", "rank", "relevance"}
        if source in lists:
            checked.discard("item_id")
        if source.name in ("truth", "users"):
            checked -= set(by)
        # Few metrics read propensities.
        if source.name == "truth" and not any(map(_reads_propensity, requests)):
            checked.discard("propensity")
        for name in sorted(checked):
            if name in NUMBERS:
                check_number_column(source, name)
            elif name in LABELS:
                check_label_column(source, name)
            else:
                check_scalar_column(source, name)


def _has_grades(truth: Source | None, rules: RuleChoices) -> bool:
    if truth is None:
        return False
    if "relevance" in truth.columns and truth.kind("relevance") != "BOOLEAN":
        check_number_column(truth, "relevance")
        return True
    if "relevance_threshold" in rules:
        threshold, has = rules["relevance_threshold"], f": it has {', '.join(truth.types)}"
        raise InputError(messages.THRESHOLD.format(threshold=threshold, has=has))
    return False


def _assume_order(
    columns: Columns, rules: RuleChoices, by: list[str], users: bool
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the assumed order and segment columns of tables that can't be read."""
    ordered = {}
    for table in ("recs", "baseline"):
        renamed = {key.removeprefix(f"{table}.") for key in columns.renames}
        by_rank = "rank" in renamed and "score" not in renamed
        ordered[table] = rules.get("order") or ("rank" if by_rank else "score")
    segments = [name for name in by if f"truth.{name}" not in columns.renames]
    return ordered, {"users" if users else "truth": segments}


def _check_scored(requests: list[MetricRequest], lists: Mapping[str, list[Source]]) -> None:
    """Check that each item has its own score, if metrics use scores."""
    for request in requests:
        for need in request.metric.needs:
            for source in lists.get(need.table, []) if "score" in need.columns else []:
                if source.unnest:
                    raise InputError(
                        f"{source.name}.item_id is a list, but {request.label} needs a score for "
                        "each item: give one row for each item"
                    )


def _reads_propensity(request: MetricRequest) -> bool:
    is_observed = request.metric.rows == "observed_feedback"
    return is_observed or request.metric.reads("truth", "propensity")


def _reads_truth_lists(request: MetricRequest) -> bool:
    """Return whether only the lists of users in the truth are read."""
    reads = any(need.table == "recs" for need in request.metric.needs)
    return reads and request.rules.get("list_users") == "truth"


def read_model_names(inputs: Inputs, recs: list[Source], models: Iterable[str | None]) -> list[str]:
    """Return models' names as DuckDB's constants, since their numbers sort faster; may be empty."""
    names: list[Any] = [*models]
    if inputs.engine.dialect != "duckdb" or not recs or not recs[0].types:
        return []
    if None in models:
        if "model" not in recs[0].columns:
            return []
        model = f"cast({recs[0].expression('model')} as varchar)"
        rows = inputs.rows_once(
            f"select distinct {model} from {recs[0].relation} limit {MAX_NUMBERED_MODELS + 1}"
        )
        names = sorted(name for (name,) in rows if name is not None)
    if len(names) > MAX_NUMBERED_MODELS:
        return []
    try:
        return [text(name, "duckdb") for name in names]
    except InputError:
        return []
