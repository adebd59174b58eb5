"""The job of a call, which renders and runs its statements and checks their rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import messages
from ..catalogue.custom_metrics import locate_metrics
from ..catalogue.requests import MetricRequest, format_metric, parse_metrics, takes_default_cutoff
from ..display.numbers import to_singular
from ..engines.duckdb import DuckDB
from ..errors import DataError, InputError, MetricError, first_error_line, safe_cause
from ..inputs.read import Inputs
from ..inputs.tables import Tables
from ..options import PRIMARY, USER_WEIGHTS, Rules, Segments
from ..paths import sql_folder
from ..plan.build import ACCOUNTS, WEIGHTS, make_plan, warn_about_inputs
from ..plan.plan import Plan
from ..plan.stored_values import find_plan, new_plan
from ..records import Record, segment_order
from ..rendering.statement import names, table_names
from ..rendering.templates import render, render_unpruned
from ..results.database_table import DatabaseRows
from ..results.rows import Rows
from ..results.table import Table, Text
from ..rules import RULES
from ..statistics.formulas import is_binary
from .margins import find_request

if TYPE_CHECKING:
    import pyarrow as pa


# Columns of a report between the segments and the counts, and columns of violations.
RESULT = ("metric", "k", "request", "value", "users")
VIOLATION = ("violation", "row_count", "user_id", "item_id", "rank", "model")

# Key that identifies a value: model, segments, metric and cutoff.
Key = tuple[Any, ...]

# Arrow types of the columns, and functions that convert an engine's values to them.
_TYPES = {
    **dict.fromkeys(
        ("k", "users", *ACCOUNTS, "violations", "row_count", "rank", "changed_users"), "int64"
    ),
    **dict.fromkeys(("model", "metric", "request", "population"), "string"),
    **dict.fromkeys(("value", "standard_error", "deciding_users", *WEIGHTS), "float64"),
}
# Arrow names of DuckDB's types with values that are equal in rows and in Arrow tables.
_SIMPLE = {
    **{"VARCHAR": "string", "BOOLEAN": "bool", "DOUBLE": "float64"},
    **{"BIGINT": "int64", "INTEGER": "int32", "SMALLINT": "int16", "TINYINT": "int8"},
}
_INPUT_CHANGED = (
    "an input changed while it was read: give tables that do not change during the call"
)
# Engine errors about numbers that are too large or undefined.
_NUMBER_ERROR = re.compile("overflow|out of range|zero", re.IGNORECASE)
# DuckDB's errors about names and syntax, and its messages about types of columns.
_TEMPLATE_ERRORS = ("BinderException", "CatalogException", "ParserException")
_TYPE_ERROR = re.compile("type", re.IGNORECASE)
_CONVERTERS: Mapping[str, Callable[[Any], Any]] = {"int64": int, "string": str, "float64": float}


def _query_at(error: Exception, statement: str) -> str:
    """Return the name of the query that contains the line in an error from DuckDB, if any."""
    line = re.search(r"^LINE \d+: (?:\.\.\.)?(.+?)(?:\.\.\.)?$", str(error), re.MULTILINE)
    before, _, after = statement.partition(line[1].strip()) if line else ("", "", "")
    queries = re.findall(r"^(\w+) as (?:materialized )?\($", before, re.MULTILINE)
    return f"query {queries[-1]}: " if queries and after else ""


@cache
def violation_messages() -> dict[str, str]:
    """Return the messages for violations in ``sql/violations.sql``, the most basic first."""
    import tomllib

    sections = tomllib.loads((sql_folder() / "violations.toml").read_text(encoding="utf-8"))
    return {
        f"{table}_{rule}": " ".join(message.split())
        for tables, section in sections.items()
        for rule, message in sections.get(section.get("like"), section).items()
        for table in tables.split()
    }


@dataclass(frozen=True)
class Job:
    """One call, with its requests, its inputs and their plan."""

    requests: list[MetricRequest]
    inputs: Inputs
    plan: Plan
    paths: Sequence[str] = ()
    values: list[Plan] | None = None

    def render_to_run(self, macro: str, plan: Plan | None = None, **arguments: Any) -> str:
        """Render a statement over per-user values, which reads stored values if they exist."""
        plan = plan or self.plan
        stored = None if self.values is None else find_plan(self.values, plan)
        return self.render(macro, stored or plan, **arguments)

    def render_to_print(self, macro: str, plan: Plan | None = None, **arguments: Any) -> str:
        """Render a statement with the caller's table names, and input names for Python tables."""
        return self.inputs.restore_names(self.render(macro, plan, **arguments))

    def render(self, macro: str, plan: Plan | None = None, **arguments: Any) -> str:
        """Render the statement of a macro over the inputs, for the plan or its part."""
        plan = plan or self.plan
        engine = self.inputs.engine
        error = None
        try:
            text = render(macro, plan, engine.dialect, **arguments)
        except MetricError as failed:
            # A table can have the name of a query but lack its columns, which is reported below.
            text, error = render_unpruned(macro, plan, engine.dialect, **arguments), failed
        # sqlrec's own engine contains only the tables that it registers.
        tables = [table.relation for table in self.plan.tables()]
        outside = [relation for relation in tables if not engine.own or relation.startswith("(")]
        inside = names(text, engine.dialect) if outside else set()
        for relation in (name for query in outside for name in table_names(query, engine.dialect)):
            if relation.strip('"`').lower() in inside:
                raise InputError(
                    f"{relation} is also the name of a query in the statement: "
                    f"give the table's name with its schema, as in main.{relation}"
                )
        if error:
            raise error
        return text

    def query(self, text: str, columns: Iterable[str]) -> pa.Table | Rows:
        """Run a query, and return its columns with sqlrec's names and types."""
        engine = self.inputs.engine
        with self.errors(text), engine.naming(self.inputs.objects):
            rows = engine.query(text)
        if rows is None:
            return self.rows(text, columns)
        import pyarrow as pa

        # Snowflake returns upper-case names; untyped drivers return empty columns of type null.
        rows = rows.rename_columns([*columns])
        types = _TYPES | dict.fromkeys(self.segments)
        schema = [(field.name, types.get(field.name) or field.type) for field in rows.schema]
        return rows.cast(pa.schema(schema))

    def records(self, text: str, columns: Sequence[str]) -> list[Record]:
        """Run a query, and return its rows as dicts; segments keep the engine's types."""
        return self.read_rows(text, columns).records

    @property
    def count_columns(self) -> list[str]:
        """The columns of a report with counts of users and lists, and with summaries of values."""
        errors = ["standard_error"] if self.plan.errors else []
        summaries = [f"summary_{number}" for number, _ in enumerate(self.plan.summaries, 1)]
        return [*errors, *summaries, "population", *ACCOUNTS, *self.weights, "violations"]

    def changed(self, change: Callable[[Plan], Plan]) -> Job:
        """Return the job with a changed plan."""
        return replace(self, plan=change(self.plan))

    def read(self) -> tuple[Text, Rows]:
        """Evaluate all users; return the statement and its rows."""
        text = cache(partial(self.render, "evaluation"))
        columns = ("model", *self.segments, *RESULT, *self.count_columns)
        return text, self.read_rows(self._store_values() or text(), columns)

    def _store_values(self) -> str | None:
        """Store the results and the per-user values if possible; return the results' query."""
        if self.values is None:
            return None
        if (stored := find_plan(self.values, self.plan, results=True)) is None:
            new = new_plan(self.values, self.plan)
            if new is None:
                return None
            values = self.render("stored_values", replace(new, stored=None))
            self.rows(f"create temp table {new.stored} as\n{values}", ("rows",))
            self.values.append(new)
            stored = replace(self.plan, stored=new.stored)
        return self.render("stored_results", stored)

    def read_groupings(self, jobs: Sequence[Job]) -> list[tuple[Text, Rows]]:
        """Evaluate jobs with some of this job's segments in one statement, like ``read``.

        If a model has no users to average over, each job runs a separate statement.
        """
        text, number = cache(partial(self.render_groupings, jobs)), "grouping_number"
        names = {segment.caller_name: segment.name for segment in self.plan.by}
        rows = self.read_rows(text(), ("model", *names, number, *RESULT, *self.count_columns))
        if any(row[number] is None for row in rows.records):
            return [job.read() for job in jobs]
        reports: list[tuple[Text, Rows]] = []
        for job in jobs:
            grouping = sum(
                2**bit for bit, name in enumerate(reversed(names)) if name not in job.segments
            )
            job_rows = [row for row in rows.records if row[number] == grouping]
            columns = ("model", *job.segments, *RESULT, *job.count_columns)
            reports.append((text, Rows(dict(rows.schema), job_rows).select(columns)))
        return reports

    def render_groupings(self, jobs: Sequence[Job]) -> str:
        """Render the statement of ``read_groupings``."""
        names = {segment.caller_name: segment.name for segment in self.plan.by}
        groupings = [[names[segment] for segment in job.segments] for job in jobs]
        plan = self.plan.each(lambda part: replace(part, groupings=groupings)).numbered()
        return self.render("evaluation", plan)

    def read_rows(self, text: str, columns: Sequence[str]) -> Rows:
        """Run a query with few rows; segments keep the engine's types."""
        kinds = {}
        if isinstance(self.inputs.engine, DuckDB):
            types = {x.caller_name: self.inputs.kind(x.table, x.caller_name) for x in self.plan.by}
            kinds = {name: _SIMPLE[kind] for name, kind in types.items() if kind in _SIMPLE}
        if {*self.segments} - {*kinds}:
            return Rows.from_table(self.query(text, columns))
        return self.rows(text, columns, kinds)

    def rows(self, text: str, columns: Iterable[str], kinds: Mapping[str, str] = {}) -> Rows:
        """Run a query; values of columns with unknown types are not converted."""
        with self.errors(text):
            return self._run_query(text, columns, kinds)

    def _run_query(self, text: str, columns: Iterable[str], kinds: Mapping[str, str]) -> Rows:
        types = {name: kinds.get(name) or _TYPES.get(name, "") for name in columns}
        converters = [_CONVERTERS.get(kind, lambda value: value) for kind in types.values()]
        records = [
            {
                name: None if value is None else convert(value)
                for name, value, convert in zip(types, row, converters, strict=True)
            }
            for row in self.inputs.rows(text)
        ]
        return Rows(types, records)

    def per_user(self) -> Table:
        """Return per-user values. DuckDB can write them to a file without loading them."""
        engine = self.inputs.engine

        def text() -> str:
            return self.render_to_print("user_evaluation") if self.has_user_values else ""

        def statement() -> str:
            self.check_users()
            return self.render_to_run("user_evaluation")

        def copy(path: Path) -> None:
            assert isinstance(engine, DuckDB)
            values = f"select * exclude (violations) from (\n{statement()}\n) as result"
            with self.released(), self.errors(), engine.naming(self.inputs.objects):
                engine.copy(values, path)

        def fetch() -> pa.Table | Rows:
            columns = ("model", *self.segments, "user_id", *RESULT[:-1])
            with self.released():
                return self.query(statement(), (*columns, "violations")).select(columns)

        names = {"model": "model"} | {x.caller_name: x.label for x in self.plan.by}
        names |= {name: name for name in ("user_id", *RESULT[:-1])}
        source = DatabaseRows(engine, statement, names, self.inputs.objects)
        copy_rows = copy if isinstance(engine, DuckDB) else None
        return Table(text, fetch, copy_rows, self.paths, source=source)

    @property
    def has_user_values(self) -> bool:
        """Whether a metric has a value for each user."""
        return any(kind.per_user for kind in self.plan.kinds)

    @cached_property
    def means(self) -> set[str]:
        """The metrics that are the mean of per-user values, by label."""
        return self._render_lines("metrics_with_mean", mean="plain")

    @cached_property
    def linear(self) -> set[str]:
        """The labels of metrics that are functions of sums over users, such as pooled errors."""
        return self._render_lines("linear_metrics")

    def _render_lines(self, macro: str, **arguments: str) -> set[str]:
        return set(render(macro, self.plan, self.inputs.engine.dialect, **arguments).splitlines())

    @cached_property
    def linear_user_sums(self) -> set[str]:
        """The labels of metrics that are functions of sums of per-user values."""
        user_metrics = {metric.label for metric, kind in self.plan.metrics() if kind.per_user}
        return self.linear & user_metrics

    @cached_property
    def shares(self) -> set[str]:
        """The labels of means of values between 0 and 1."""
        return {request.label for request in self.requests if request.metric.is_share} & self.means

    def is_binary(self, row: Record) -> bool:
        """Return whether users' values are only 0 and 1: then the mean determines the error."""
        value, users, error = row["value"], row["users"], row["standard_error"]
        if row["metric"] not in self.shares or value is None or error is None:
            return False
        return is_binary(value, users, error)

    def check_users(self) -> None:
        """Check that some metric has per-user values."""
        if not self.has_user_values:
            raise InputError(messages.NO_USERS.format(title=self.plan.title))

    def provenance(self, **options: Any) -> str:
        """Format the options of a call and the rules for each metric as JSON."""
        rules = {}
        for request in self.requests:
            part = self.part({"metric": request.label})
            own = {name: getattr(part, name) for name in RULES if name != "order"}
            rules[request.label] = own | {"depth": part.ends}
        return json.dumps(options | {"rules": rules})

    def check_weighted(self) -> None:
        """Check that all metrics are means over users, if users have weights."""
        if weights := self.plan.user_weights:
            weighted = self._render_lines("metrics_with_mean", mean="weighted")
            for request in self.requests:
                if request.label not in weighted:
                    names = {"weights": weights.caller_name, "metric": request.label}
                    raise InputError(messages.NOT_WEIGHTED.format(**names))

    def check_deciding_users(self) -> None:
        """Check that logged decisions have users, if users are the clusters."""
        if self.plan.logs and not self.plan.logs.user_id:
            raise InputError(
                "cluster='user_id': logs has no column 'user_id'; name yours: "
                "columns={'logs.user_id': ...}"
            )

    @property
    def segments(self) -> list[str]:
        """The caller's names for the columns by which values are grouped."""
        return [segment.caller_name for segment in self.plan.by]

    @property
    def pair_segments(self) -> list[str]:
        """The columns that identify a difference of a model: the baseline and segments."""
        return [*(["baseline"] if self.plan.pairs else []), *self.segments]

    @property
    def weights(self) -> tuple[str, ...]:
        """The columns about weights in a report, if values are weighted."""
        if not self.plan.weighed:
            return ()
        return (*WEIGHTS, "deciding_users") if self.plan.errors else WEIGHTS

    @contextmanager
    def released(self) -> Iterator[None]:
        """Release the engine at the end, so a result keeps only its rows in memory."""
        try:
            yield
        finally:
            self.inputs.engine.release()

    @contextmanager
    def errors(self, statement: str = "") -> Iterator[None]:
        """Raise an engine's error as a broken rule, a fault of custom metrics, or a defect."""
        try:
            with self.inputs.engine.step("computing values"):
                yield
        except InputError:
            raise
        except self.inputs.engine.error as error:
            if _NUMBER_ERROR.search(str(error)) and (violation := self._first_violation()):
                raise violation from safe_cause(error)
            files = locate_metrics(dict.fromkeys(request.metric.name for request in self.requests))
            if not files and self._is_template_error(error):
                raise MetricError(
                    f"{_query_at(error, statement)}{first_error_line(error)}: the statement is "
                    "wrong, not the data; correct its template in sql, or report it"
                ) from safe_cause(error)
            hint = f"; metrics of your own: {files}" if files else ""
            raise DataError(
                f"the statement stopped: {first_error_line(error)}{hint}"
            ) from safe_cause(error)

    def _is_template_error(self, error: Exception) -> bool:
        """Return whether only SQL templates can cause an error, not the caller's tables."""
        tables = {table.relation.strip('"').lower() for table in self.plan.tables()}
        message = first_error_line(error)
        names_input = _TYPE_ERROR.search(message) or tables & {*re.findall(r"\w+", message.lower())}
        return type(error).__name__ in _TEMPLATE_ERRORS and not names_input

    def _first_violation(self) -> DataError | None:
        with suppress(self.inputs.engine.error):
            return next(
                filter(None, map(self._find_violation, self.plan.parts or [self.plan])), None
            )
        return None

    @cached_property
    def _requests_by_key(self) -> dict[tuple[str, int | None], MetricRequest]:
        """The requests by label and cutoff."""
        return {(request.label, request.k): request for request in self.requests}

    def row_request(self, row: Record) -> MetricRequest:
        """Return the request of a row of the report."""
        return self._requests_by_key[row["metric"], row["k"]]

    def sorted(self, rows: list[Record]) -> list[Record]:
        """Sort rows by the caller's order of models and metrics, and by the values of segments."""
        models = [source.model for source in self.plan.recs]
        numbers = {key: number for number, key in enumerate(self._requests_by_key)}

        def key(row: Record) -> tuple[Any, ...]:
            return (
                models.index(row["model"]) if row["model"] in models else 0,
                # Sort rows without a model last; they raise an error later.
                (row["model"] is None, row["model"]),
                [segment_order(row[name]) for name in self.segments],
                numbers[row["metric"], row["k"]],
            )

        return sorted(rows, key=key)

    def user_counts(self, rows: Rows) -> Rows:
        """Return the counts of users and lists, once per convention, population and cutoff."""
        keys = ["model", *self.segments, "population", "k"]
        first: dict[tuple[Any, ...], Record] = {}
        for row in rows.records:
            convention = self.row_request(row).convention
            row = row | {"convention": convention, "row_order": self.part(row).row_order}
            # repr makes NaN equal to itself.
            first.setdefault(tuple(repr(row[name]) for name in ("convention", *keys)), row)
        types = dict(rows.schema) | {"convention": "string", "row_order": "string"}
        names = ["model", *self.segments, "convention", "population", "k", *ACCOUNTS]
        names += ["row_order"] * any(row["row_order"] for row in first.values())
        return Rows(types, [*first.values()]).select(names)

    def raise_first_violation(self, rows: Iterable[Record]) -> None:
        """Raise an error for the first row of a report that has violations."""
        for row in rows:
            if row["violations"]:
                raise self.violation(self.part(row))

    def violation(self, plan: Plan) -> DataError:
        """Return the error for the first violation under one set of rules."""
        with self.errors():
            return self._find_violation(plan) or DataError(_INPUT_CHANGED)

    def _find_violation(self, plan: Plan) -> DataError | None:
        text = self.render("violation_rows", replace(plan, lists=None))
        rows = {row["violation"]: row for row in self._run_query(text, VIOLATION, {}).records}
        if not rows:
            return None
        violation = next(violation for violation in violation_messages() if violation in rows)
        table, _, column = violation.partition("_")
        message = violation_messages()[violation]
        if str(rows[violation].get("row_count")) == "1":
            message = re.sub(r"has \{row_count\} \w+", lambda x: to_singular(x[0]), message)
        column = {"user": "user_id", "item": "item_id"}.get(column, column)
        model = rows[violation]["model"]
        text = self.inputs.describe_incomplete_files(column, table) or message.format(
            **rows[violation],
            table=table if model is None else f"{table}, model {model}",
            by=" or ".join(self.segments),
            largest=plan.largest_relevance,
        )
        row = {name: rows[violation].get(name) for name in ("user_id", "item_id", "rank", "model")}
        return DataError(text, input=table, column=column, row=row)

    def part(self, row: Record) -> Plan:
        """Return the plan of the rules that apply to a row of the report."""
        return self._parts[row["metric"]]

    @cached_property
    def _parts(self) -> dict[str, Plan]:
        parts = self.plan.parts or [self.plan]
        return {metric.label: part for part in parts for metric, _ in part.metrics()}


UNUSED_CUTOFF = "k={k!r}: no metric takes it, as each has its own cutoff or takes none; remove it"


def check_adjust(columns: Iterable[str], segments: Iterable[str]) -> None:
    """Check that the columns of ``adjust`` are different, and different from segments."""
    taken_names = {name.lower() for name in segments if isinstance(name, str)}
    for name in columns:
        if name.lower() in taken_names:
            raise InputError(f"adjust={name!r}: name each column once, and no column of by")
        taken_names.add(name.lower())


@dataclass(frozen=True)
class Call:
    """The inputs of a call, its rules, metrics and segments."""

    tables: Tables
    rules: Rules = field(default_factory=Rules)
    requests: Sequence[MetricRequest] = ()
    by: Segments = field(default_factory=Segments)

    def with_metrics(self, metrics: Any, k: Any = None, primary: Any = None) -> Call:
        """Return the call with other metrics."""
        return replace(self, requests=self.read_metrics(metrics, k, primary))

    def read_metrics(self, metrics: Any, k: Any = None, primary: Any = None) -> list[MetricRequest]:
        """Parse metrics; ``all`` selects the metrics that the inputs allow."""

        def available_metrics(cutoffs: Sequence[str]) -> list[str]:
            from ..plan.available_metrics import find_available

            convention, ties = self.rules.convention, self.rules.ties
            inputs = self._open_inputs(self.by.columns)
            return find_available(cutoffs, inputs=inputs, convention=convention, ties=ties)

        has_catalog = self.tables.catalog is not None
        if k is not None and isinstance(metrics, Iterable) and not takes_default_cutoff(metrics):
            raise InputError(UNUSED_CUTOFF.format(k=k))
        convention = self.rules.convention
        requests = parse_metrics(metrics, convention, k, available_metrics, has_catalog)
        if PRIMARY.read(primary) is None:
            return requests
        by_name = {format_metric(request.label, request.k): request for request in requests}
        first = find_request("primary", primary, by_name, convention)
        return [first, *(request for request in requests if request is not first)]

    def prepare(
        self,
        *metrics: str | MetricRequest,
        by: Iterable[str] | None = None,
        errors: bool = False,
        audit: bool = True,
        cluster: str | None = None,
        adjust: Sequence[str] = (),
        weights: str | None = None,
    ) -> Job:
        """Check the inputs and the metrics, by default the metrics of the call; return their job.

        The cluster and the columns of ``adjust`` are added as the last segments.
        """
        segments = [*(self.by.columns if by is None else by)]
        requests = self.read_metrics(metrics or self.requests)
        lower = [name.lower() for name in segments if isinstance(name, str)]
        # SQL names that differ only in case are equal.
        if len({*lower}) < len(segments):
            raise InputError(messages.BY_TWICE.format(by=segments))
        if cluster is not None:
            if cluster.lower() in lower:
                raise InputError(f"cluster={cluster!r}: give a column that is not in by")
            segments.append(cluster)
        check_adjust(adjust, segments)
        segments += adjust
        weights = USER_WEIGHTS.read(weights)
        inputs = self._open_inputs([*segments, *([weights] if weights else [])])
        with self.tables.engine.step("reading inputs"):
            plan = make_plan(
                requests,
                inputs,
                by=segments,
                rules=self.rules.changes,
                depth=self.rules.depth,
                errors=errors,
                audit=audit,
                cluster=cluster,
                adjust=adjust,
                weights=weights,
            )
        job = Job(requests, inputs, plan, self.tables.paths, self.tables.values)
        job.check_weighted()
        return job

    def warn_about_requests(self, requests: Sequence[MetricRequest]) -> None:
        """Check metrics and inputs like a job, only for warnings and errors."""
        parsed = self.read_metrics(requests)
        warn_about_inputs(parsed, self._open_inputs(()), self.rules.changes)

    def _open_inputs(self, columns: Iterable[str]) -> Inputs:
        """Return the inputs with the columns of segments and weights."""
        self.tables.engine.refresh()
        return Inputs.from_tables(self.tables, columns, self.rules.order_by)


def value_key(row: Record, segments: Sequence[str]) -> Key:
    """Return the key that identifies a value; repr makes NaN equal to itself."""
    return (*(repr(row[name]) for name in ("model", *segments)), row["metric"], row["k"])
