"""The functions `evaluate` and `sql`, which return a result or a statement for metrics."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from textwrap import indent
from typing import TYPE_CHECKING, Any, Literal, get_args

from . import messages
from .catalogue.headers import ANY_TEXT, TABLES, metric
from .catalogue.requests import parse_metrics
from .dialects import identifier
from .dialects import text as text_constant
from .engines.base import Engine, Unconnected
from .engines.duckdb import DuckDB
from .errors import InputError, OptionError, suggest_name
from .inputs.tables import Tables
from .options import (
    INTERVAL,
    USER_WEIGHTS,
    DialectName,
    Interval,
    IntervalName,
    Segments,
    check_choice,
    check_flag,
    check_together,
)
from .plan.sources import needed_columns
from .records import Record
from .rendering.sql_format import format_statement
from .rendering.statement import warn_about_stages
from .rendering.templates import numbered_steps, statement_ending
from .results.result import Result
from .results.rows import Rows
from .run.batches import Report, evaluate_jobs, parse_batches
from .run.best_tests import compare_with_best
from .run.covariate_adjustment import ADJUSTED, COLUMNS, adjusted_intervals, read_adjust
from .run.differences import resolve_defaults
from .run.intervals import UNITS, compute_intervals, summary_columns, with_summaries
from .run.job import Call, Job, check_adjust
from .run.segments import check_segment_names, list_groupings, merge_groupings
from .statistics.comparison_options import ComparisonOptions
from .statistics.formulas import CLUSTERED, DRAWN, ROUNDING, half_width_in_errors, read_summaries

if TYPE_CHECKING:
    import pyarrow as pa

    from .plots.from_results import ResultPlots

Form = Literal["plain", "audited", "check", "steps"]


@dataclass(frozen=True)
class Statistics:
    """The checked statistics of an evaluation."""

    interval: Interval  # The confidence interval, with its method.
    adjust: Sequence[str]  # The columns by which means are adjusted.
    weights: str | None  # The column with users' weights, if any.
    summaries: Mapping[str, tuple[str, float] | None]  # The summaries of per-user values.

    @classmethod
    def read(cls, interval: Any, weights: Any, summaries: Any) -> Statistics:
        """Check that options are valid and compatible."""
        interval = Interval.read(interval, INTERVAL)
        weights = USER_WEIGHTS.read(weights)
        others = {
            "interval": (interval.method, (*ADJUSTED, "auto", None)),
            "cluster": (interval.cluster, (None,)),
            "weights": (weights, (None,)),
        }
        adjust = read_adjust(interval.adjust, others)
        if adjust and interval.method in (None, "auto"):
            interval = replace(interval, method="t")
        if weights:
            methods = [x for x in get_args(IntervalName) if x != "wilson"]
            check_together("weights", weights, {"interval": (interval.method, [*methods, None])})
        if interval.cluster is not None:
            check_together("cluster", interval.cluster, {"interval": (interval.method, CLUSTERED)})
        if (count := interval.replicates) is not None:
            check_together("replicates", count, {"interval": (interval.method, DRAWN)})
        return cls(interval, adjust, weights, read_summaries(summaries))

    @property
    def method(self) -> str | None:
        """The method for intervals."""
        assert not isinstance(self.interval.method, bool)
        return self.interval.method

    @property
    def cluster(self) -> str | None:
        """The column of clusters; None if each user is a cluster."""
        return None if self.interval.cluster == "user_id" else self.interval.cluster

    @property
    def columns(self) -> list[str]:
        """The columns of an interval."""
        if self.adjust:
            return [*COLUMNS]
        columns = ["standard_error", "low", "high"] if self.method else []
        if self.method == "auto":
            columns.append("interval")
        return [*UNITS, *columns] if self.cluster else columns

    def batches(self, batches: Any, summaries: Any) -> int | None:
        """Parse the number of batches, which some statistics do not support."""
        at_once = {
            "cluster": self.interval.cluster,
            "adjust": self.adjust,
            "summaries": summaries,
            "interval": self.method if self.method in DRAWN else None,
        }
        return parse_batches(batches, at_once)


def _prepare_job(call: Call, statistics: Statistics, by: Sequence[str]) -> Job:
    """Prepare the evaluation for one grouping."""
    errors = statistics.method not in (None, *DRAWN)
    job = call.prepare(by=by, errors=errors, weights=statistics.weights)
    check_segment_names(job.segments, [*statistics.columns, *statistics.summaries])
    if statistics.interval.cluster == "user_id":
        job.check_deciding_users()
    return with_summaries(job, statistics.summaries)


def _grouping_result(call: Call, statistics: Statistics, job: Job, report: Report) -> Result:
    """Return the result for one grouping from its report."""
    method, level = statistics.method, statistics.interval.level
    cluster, adjust, weights = statistics.cluster, statistics.adjust, statistics.weights
    text, rows = report
    result = rows.select(name for name in rows.column_names if name not in job.count_columns)
    records, units = rows.to_pylist(), job
    if method is not None:
        if cluster is not None or adjust:
            units = call.prepare(by=job.segments, cluster=cluster, adjust=adjust, weights=weights)
        if adjust:
            columns: list[Any] = adjusted_intervals(records, job, units, adjust, method, level)
        else:
            interval = replace(statistics.interval, cluster=cluster)
            columns = compute_intervals(records, job, units, interval)
        result = result.with_columns(statistics.columns, columns)
    if names := statistics.summaries:
        result = result.with_columns(names, summary_columns(records, job, names))
    job.inputs.engine.release()
    others = {"adjust": adjust, "weights": weights}
    return Result(
        lambda: job.inputs.restore_names(text()),
        result,
        job.user_counts(rows),
        job.per_user(),
        means=lambda: job.means,
        interval=(method, level),
        cluster=cluster,
        weights=weights,
        per_unit=None if cluster is None else units.per_user(),
        provenance=job.provenance(
            interval=method,
            level=level if method else None,
            cluster=cluster,
            **{name: value for name, value in others.items() if value},
        ),
        plots=partial(_plot_accessor, job.inputs.engine),
    )


def _best_tests(
    call: Call,
    statistics: Statistics,
    results: Mapping[str, Result],
    groupings: Mapping[str, Sequence[str]],
) -> Callable[[], list[Record]]:
    """Return a function that compares models with the best model when a result is printed."""
    tables = {name: Rows.from_table(result.rows()) for name, result in results.items()}
    models = {row["model"] for rows in tables.values() for row in rows.records}
    if statistics.method is None or len(models) < 2:
        return list
    settings = ComparisonOptions(
        interval="anytime" if statistics.method == "anytime" else "t",
        level=statistics.interval.level,
        test="auto",
        correction="holm",
        replicates=statistics.interval.samples,
        cluster=statistics.cluster,
        weights=statistics.weights,
    )
    settings = resolve_defaults(settings, statistics.adjust)
    return cache(partial(compare_with_best, tables, groupings, call, settings))


def evaluate(
    call: Call,
    interval: Any = "auto",
    weights: str | None = None,
    summaries: str | Iterable[str] = (),
    batches: int | None = None,
) -> Result:
    """Evaluate the metrics of a call, for ``Dataset.evaluate``."""
    statistics = Statistics.read(interval, weights, summaries)
    check_adjust(statistics.adjust, call.by.columns)
    batch_count = statistics.batches(batches, summaries)
    columns_by_name = list_groupings(call.by)
    jobs = {x: _prepare_job(call, statistics, own) for x, own in columns_by_name.items()}
    reports = evaluate_jobs([*jobs.values()], batch_count)
    results = {
        name: _grouping_result(call, statistics, job, report)
        for (name, job), report in zip(jobs.items(), reports, strict=True)
    }
    result = _merge_results(results, call.by) if call.by.each else results[""]
    result.mark_models(_best_tests(call, statistics, results, columns_by_name))
    return result


def _plot_accessor(engine: Engine, table: pa.Table | Rows) -> ResultPlots:
    """Return the plot accessor; plotting modules are imported lazily."""
    from .plots.from_results import ResultPlots

    return ResultPlots(engine, table)


def _merge_results(results: dict[str, Result], by: Segments) -> Result:
    """Merge the results of groupings; per-user values come from the last grouping."""
    segments = [*by.columns]
    *_, last = results.values()
    rows = {name: Rows.from_table(result.rows()) for name, result in results.items()}
    counts = {name: Rows.from_table(result.user_counts.rows()) for name, result in results.items()}
    return Result(
        lambda: "\n".join(dict.fromkeys(result.sql for result in results.values())),
        merge_groupings(rows, segments),
        merge_groupings(counts, segments),
        last.per_user(),
        means=last.means,
        interval=last.interval,
        cluster=last.cluster,
        weights=last.weights,
        per_unit=None if last.cluster is None else last.per_unit(),
        provenance=last.provenance,
        plots=last.plots,
    )


def sql(
    call: Call,
    metrics: Any,
    k: Any = None,
    dialect: DialectName | None = None,
    form: Form = "plain",
    per_user: bool = False,
    compare_with: str | None = None,
    interval: Any = None,
    weights: str | None = None,
) -> str:
    """Return the SQL statement for the metrics of a call, for ``Dataset.sql``."""
    check_flag("per_user", per_user)
    _check_form(form, per_user, compare_with)
    method, level = _read_interval(interval, form, per_user, compare_with)
    tables, by_input_names = _statement_tables(call.tables, dialect)
    call = replace(call, tables=tables).with_metrics(metrics, k)
    if by_input_names:
        call = _with_input_names(call, weights)
    if call.by.each:
        _check_separate_groupings(form, per_user, compare_with, tables.engine.dialect)
    audit, errors = form in ("audited", "check"), method is not None
    jobs = {
        name: call.prepare(by=columns, weights=weights, errors=errors, audit=audit)
        for name, columns in list_groupings(call.by).items()
    }
    *_, job = jobs.values()
    if per_user or compare_with is not None:
        job.check_users()
    if form == "check" and job.plan.parts:
        raise InputError(messages.SEVERAL_RULES.format(title=job.plan.title))
    if method is not None and form != "audited":
        _check_means(job, "interval", method, weights)
        reach, percent = half_width_in_errors("normal", level, 0), f"{100 * level:g}"
        entries: Any = {"reach": reach, "percent": percent, "rounding": ROUNDING}
        texts = {name: own.render("plain_intervals", **entries) for name, own in jobs.items()}
    else:
        if compare_with is not None:
            _check_means(job, "compare_with", compare_with)
        texts = {
            name: _render_statement(own, form, per_user, compare_with, call.tables.recs)
            for name, own in jobs.items()
        }
    texts = {name: jobs[name].inputs.restore_names(text) for name, text in texts.items()}
    if call.by.each:
        return _union_statements(jobs, texts)
    text, dialect_name = texts[""], job.inputs.engine.dialect
    if form == "steps":
        return numbered_steps(text, dialect_name)
    warn_about_stages(dialect_name, text)
    return text if form == "audited" else format_statement(text, dialect_name)


def _check_means(job: Job, option: str, value: str, weights: str | None = None) -> None:
    """Check that all metrics are means of per-user values."""
    limits = option == "interval"
    for request in job.requests:
        if request.label not in job.means and not (limits and weights):
            other = "evaluate has its interval" if limits else "compare compares it"
            raise InputError(
                f"{option}={value!r}: {request.label} is not a mean of per-user "
                f"values; sqlrec.{other}"
            )


def _check_separate_groupings(
    form: str, per_user: bool, compare_with: str | None, dialect: str
) -> None:
    if dialect == "fabric":
        raise OptionError(
            "each=True and dialect='fabric': omit each, and print a statement for each column; "
            "Fabric has no named queries in a union",
            option="each",
        )
    others = {
        "form": (form, ("plain",)),
        "per_user": (per_user, (False,)),
        "compare_with": (compare_with, (None,)),
    }
    check_together("each", True, others)


def _union_statements(jobs: Mapping[str, Job], texts: Mapping[str, str]) -> str:
    """Return the union of groupings' statements, first by all columns, since these have types."""
    *_, job = jobs.values()
    plan, dialect = job.plan, job.inputs.engine.dialect
    is_one = not plan.parts and len([*plan.metrics()]) == 1 and plan.k is not None
    model = ["model"] if plan.parts or "model" in plan.list_keys else []
    values = [] if is_one else ["metric", "k"]
    values += ["value", "users", *(["standard_error", "low", "high"] if plan.errors else [])]
    queries: list[str] = []
    for number, name in enumerate(reversed([*jobs]), start=1):
        own = [segment.label for segment in jobs[name].plan.by]
        columns = [x.label if x.label in own else f"null as {x.label}" for x in plan.by]
        grouping = f"{text_constant(name, dialect)} as {identifier('grouping', dialect)}"
        names = ", ".join([*model, grouping, *columns, *values])
        inner = indent(format_statement(texts[name], dialect), "    ")
        queries.append(f"select {names}\nfrom (\n{inner}\n) as grouping_{number}")
    warn_about_stages(dialect, *texts.values())
    return "\nunion all\n".join(queries) + statement_ending(dialect)


def _statement_tables(tables: Tables, dialect: DialectName | None) -> tuple[Tables, bool]:
    """Return the tables of a statement, and whether recs and truth are named after the inputs."""
    no_engine = isinstance(tables.engine, DuckDB) and tables.engine.own
    is_named = any(table is not None for table in (tables.recs, tables.truth, tables.logs))
    # Templates, such as dbt's {{ ref('recs') }}, are names too.
    if no_engine and (not is_named or any("{{" in path for path in tables.paths)):
        dialect = dialect or "duckdb"
    if dialect is None:
        return tables, False
    if not no_engine:
        raise InputError(
            f"dialect={dialect!r} and engine: use only one; the engine sets the dialect"
        )
    if tables.settings:
        raise InputError(
            f"settings and dialect={dialect!r}: give only one; settings apply to DuckDB in memory"
        )
    tables = replace(tables, engine=Unconnected(dialect))
    if is_named:
        return tables, False
    return replace(tables, recs="recs", truth="truth"), True


def _with_input_names(call: Call, weights: str | None) -> Call:
    """Return the call with the inputs that metrics read; missing inputs become table names."""
    defaults, tables = ("recs", "truth"), call.tables
    by = [*call.by.columns, *([weights] if weights else [])]
    present = {x: table for x, table in tables.present.items() if x not in defaults}
    names: Any = {name: name for name in TABLES if name not in present and (name != "users" or by)}
    read = needed_columns(call.requests, {*tables.present, *names}, by, None, call.rules.seen)
    inputs: Any = {name: name if name in read else None for name in TABLES}
    return replace(call, tables=replace(tables, **inputs | present))


def _check_form(form: str, per_user: bool, compare_with: Any) -> None:
    check_choice("form", form, get_args(Form))
    if form == "check":
        check_together("form", form, {"per_user": (per_user, (False,))})
    if compare_with is None:
        return
    if not (isinstance(compare_with, str) and compare_with):
        raise InputError(f"compare_with={compare_with!r}: name the model, as in 'pop'")
    others = {"per_user": (per_user, (False,)), "form": (form, ("plain", "steps"))}
    check_together("compare_with", compare_with, others)


def _read_interval(
    interval: Any, form: str, per_user: bool, compare_with: str | None
) -> tuple[str | None, float]:
    """Return the method and the level of the interval in a statement."""
    if interval is True:
        interval = "normal"
    interval = Interval.read(interval, INTERVAL)
    method = interval.method
    if method is None:
        return None, interval.level
    if method != "normal":
        raise InputError(
            f"interval={method!r}: a statement can't compute quantiles of Student's t or "
            "resample users; give interval='normal', or use sqlrec.evaluate"
        )
    others = {
        "cluster": (interval.cluster, (None,)),
        "adjust": (interval.adjust, ((),)),
        "replicates": (interval.replicates, (None,)),
        "per_user": (per_user, (False,)),
        "compare_with": (compare_with, (None,)),
        "form": (form, ("plain", "steps", "audited")),
    }
    check_together("interval", method, others)
    return method, interval.level


def _render_statement(
    job: Job, form: str, per_user: bool, compare_with: str | None, recs: Any
) -> str:
    if compare_with is None:
        macro = (
            "violation_rows" if form == "check" else "user_evaluation" if per_user else "evaluation"
        )
        return job.render(macro)
    if "model" not in job.plan.list_keys:
        raise InputError(
            f"compare_with={compare_with!r}: recs has only one model; give it a column 'model', "
            "or a dict of tables"
        )
    if isinstance(recs, Mapping) and compare_with not in recs:
        raise InputError(f"compare_with={compare_with!r}: {suggest_name(compare_with, recs)}")
    model = text_constant(compare_with, job.inputs.engine.dialect)
    return job.render("plain_comparison", baseline_model=model)


def example_statement(name: str, dialect: DialectName = "duckdb") -> str:
    """Return the plain statement for a metric over tables named after the inputs."""
    requested = metric(name)
    texts = [f"{key}=new" for key, own in requested.params.items() if own == (ANY_TEXT,)]
    at = "@10" if requested.entries["Cutoff"] != "none" else ""
    (request,) = parse_metrics(requested.name + f"({', '.join(texts)})" * bool(texts) + at)
    graded = re.search(r"\b(grades?|relevance)\b", requested.header)
    columns = {"relevance": "relevance"} if graded else {}
    return sql(Call(Tables.open(columns=columns)), request.text, dialect=dialect)
