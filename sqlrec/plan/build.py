"""Build the plan that the SQL templates read, from metric requests and inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from .. import messages
from ..catalogue.headers import EXPECTED, SINGLE_TABLES, known_columns
from ..catalogue.headers import metrics as known_metrics
from ..catalogue.requests import MetricRequest, format_metric
from ..dialects import DIALECTS, identifier, text
from ..errors import InputError, OptionError, suggest_name
from ..inputs.read import Inputs
from ..inputs.source import (
    NUMBERS,
    Source,
    check_number_column,
    check_scores,
    is_floating,
    is_nested,
    is_number,
)
from ..options import LARGEST_RELEVANCE
from ..records import group_by
from ..rendering.limits import WHOLE_LIST_K
from ..rules import (
    BY_RELEVANCE,
    OPTIONS,
    QUERIES,
    WITH_RELEVANCE,
    WITHOUT_ROWS,
    MetricRules,
    RuleChoices,
    values_with_property,
)
from ..safe_text import warn
from .plan import Kind, Plan, PlannedMetric, Segment, Table
from .sources import Sources, needed_columns, read_model_names, read_sources

# The largest exponent of finite gains and sums of gains.
LARGEST_EXPONENT = 1000

# The longest column name that is derived from a metric and its parameters.
LONGEST_COLUMN = 45

# Kinds of rows for metrics that have one value for all users together.
WHOLE_KINDS = (
    "item_exposure",
    "group_exposure",
    "group_gains",
    "pooled",
    "score_distribution",
    "logged",
)

# Rules that must be equal for two rankings to be equal.
RANKING = (
    *("order", "check_order", "ties", "duplicates", "null_scores", "seen", "scores", "list_users"),
)

# Orders of rows that no column defines: the input's order, and no order.
INPUT_ORDER, NO_ORDER = "rows", "none"

WEIGHTS = ("effective_decisions", "largest_weight")

# Columns of a report with counts of users and lists.
ACCOUNTS = (
    "users_evaluated",
    "users_without_list",
    "short_lists",
    "ties_at_cutoff",
    "unjudged_lists",
    "repeated_rows",
)
_RESERVED_COLUMNS = (
    *("model", "user_id", "metric", "k", "request", "value", "users", "convention", "population"),
    *(*ACCOUNTS, *WEIGHTS, "violations"),
)


def make_plan(
    requests: list[MetricRequest],
    inputs: Inputs,
    *,
    by: list[str],
    rules: RuleChoices,
    depth: int | None = None,
    errors: bool = False,
    audit: bool = True,
    cluster: str | None = None,
    adjust: Sequence[str] = (),
    weights: str | None = None,
) -> Plan:
    """Read and check the inputs; return the plan, with a part for each set of rules."""
    dialect = inputs.engine.dialect
    again = bool(cluster or adjust)
    columns = [*dict.fromkeys([*by, *([weights] if weights else [])])]
    sources = read_sources(requests, inputs, columns, rules, again)
    names = read_model_names(inputs, sources.recs, sources.models)
    segments = [
        _plan_segment(
            number,
            name,
            "cluster" if name == cluster else "adjust" if name in adjust else "by",
            sources.tables,
            dialect,
        )
        for number, name in enumerate(by, start=1)
    ]
    common = replace(
        _common_plan(requests, sources, names, dialect),
        audit=audit,
        errors=errors,
        by=segments,
        user_weights=_plan_weights(weights, sources.tables, dialect) if weights else None,
        ends=depth,
    )

    def plan_for_rules(
        group: list[MetricRequest], rules: MetricRules, row_order: str | None = None
    ) -> Plan:
        needed = needed_columns(group, [*inputs.tables], columns, sources.target, rules.seen)
        return _plan_for_rules(rules, row_order, group, sources, needed, common, dialect)

    sets = _group_by_rules(requests, rules, sources, inputs)
    if not again:
        _warn_about_row_order(sets, rules, inputs)
    parts = [plan_for_rules(group, *rule_set) for rule_set, group in sets.items()]
    return (
        parts[0]
        if len(parts) == 1
        else _merge_plans(plan_for_rules(requests, MetricRules()), parts)
    )


def warn_about_inputs(requests: list[MetricRequest], inputs: Inputs, rules: RuleChoices) -> None:
    """Read the inputs like ``make_plan``, only for the warnings and errors."""
    sources = read_sources(requests, inputs, [], rules, False)
    _warn_about_row_order(_group_by_rules(requests, rules, sources, inputs), rules, inputs)


def _group_by_rules(
    requests: Iterable[MetricRequest], rules: RuleChoices, sources: Sources, inputs: Inputs
) -> dict[tuple[MetricRules, str | None], list[MetricRequest]]:
    dialect, ordered = inputs.engine.dialect, inputs.engine.ordered
    return group_by(requests, lambda x: _resolve_rules(x, rules, sources, dialect, ordered))


def _common_plan(
    requests: list[MetricRequest], sources: Sources, names: list[str], dialect: str
) -> Plan:
    """Return the part without metrics, which the plans for all sets of rules share."""
    cutoffs = sorted({request.k or WHOLE_LIST_K for request in requests})
    depths = [
        request.k
        for request in requests
        if any(need.table == "recs" for need in request.metric.needs)
    ] or [None]
    exponential = any("exponential" in request.settings.values() for request in requests)
    recs = [
        replace(
            _plan_table(source, **({} if model is None else {"model": text(model, dialect)})),
            model=model,
            models=names,
        )
        for source, model in zip(sources.recs, sources.models, strict=True)
    ]
    return Plan(
        weighed=any(request.metric.reads("logs", "propensity") for request in requests),
        list_keys=["model", "user_id"] if sources.has_several_models else ["user_id"],
        recs=recs,
        scored="score" in sources.needed.get("recs", set()),
        cutoffs=cutoffs,
        k=cutoffs[0] if len(cutoffs) == 1 else None,
        largest_k=max((request.k for request in requests if request.k), default=None),
        depth=None if None in depths else max(depth for depth in depths if depth),
        graded=sources.graded,
        whole_ids=sources.whole_ids,
        largest_relevance=LARGEST_EXPONENT if exponential else LARGEST_RELEVANCE,
    )


def _plan_for_rules(
    rules: MetricRules,
    row_order: str | None,
    requests: list[MetricRequest],
    sources: Sources,
    needed: Mapping[str, set[str]],
    common: Plan,
    dialect: str,
) -> Plan:
    order, check_order = "score", False
    if sources.recs:
        order, check_order = _list_order(sources.recs, rules, sources.tables.get("truth"))
    if order == "rank" and rules.ties in BY_RELEVANCE:
        # Ranks in the input leave no ties.
        rules = replace(rules, ties=MetricRules.ties)
    tables: dict[str, Table | None] = {
        name: replace(_plan_table(sources.tables[name]), needed=sorted(needed[name]))
        if name in needed
        else None
        for name in SINGLE_TABLES
    }
    if logs := tables["logs"]:
        tables["logs"] = replace(logs, target=sources.target)
    if baseline := tables["baseline"]:
        column, both = _list_order(sources.baseline, rules)
        tables["baseline"] = replace(baseline, order=column, check_order=both)
    if (truth := tables["truth"]) and not _depends_on_row_order(rules, "truth_duplicates"):
        tables["truth"] = _drop_row_order(truth)
    recs = common.recs if "recs" in needed else []
    if not _depends_on_row_order(rules, "ties") and not _depends_on_row_order(rules, "duplicates"):
        recs = [_drop_row_order(table) for table in recs]
        tables["baseline"] = tables["baseline"] and _drop_row_order(tables["baseline"])
    entries: Any = {**asdict(replace(rules, order=order)), **tables}
    return replace(
        common,
        **entries,
        check_order=check_order,
        recs=recs,
        title=", ".join(format_metric(request.label, request.k) for request in requests),
        kinds=_group_by_rows(requests, rules, dialect, bool(common.user_weights)),
        row_order=row_order,
    )


def _depends_on_row_order(rules: MetricRules, name: str) -> bool:
    return getattr(rules, name) in values_with_property(name, "depends_on_row_order")


def _drop_row_order(table: Table) -> Table:
    """Remove the column that orders rows, since no rule uses it."""
    return replace(table, columns={**table.columns, "order_by": None})


def _resolve_rules(
    request: MetricRequest,
    caller_rules: RuleChoices,
    sources: Sources,
    dialect: str,
    in_order: bool,
) -> tuple[MetricRules, str | None]:
    """Merge the caller's rules, the rules of the convention and the defaults, in this priority.

    A convention's ``order`` applies only to lists that have the column, and the order of rows,
    which is returned too, only to tables with an order.
    """
    rules = {**request.rules, **caller_rules}
    if caller_rules.get("undefined") in ("zero", "one"):
        # Users of the default population have a relevant item.
        rules.setdefault("population", "judged")
    if "order" not in caller_rules and "order" in rules:
        column = rules["order"]
        lists = (*sources.recs, *sources.baseline)
        if not all(column in each.columns or (each.unnest and column == "rank") for each in lists):
            del rules["order"]
    if "duplicates" in caller_rules or rules.get("truth_duplicates") is None:
        value = rules.get("duplicates", MetricRules.duplicates)
        rules["truth_duplicates"] = value if value in QUERIES["truth_duplicates"] else "error"
    row_order = _resolve_row_order(rules, caller_rules, sources, dialect, in_order)
    check_ties(request, rules)
    if rules.get("ties") in BY_RELEVANCE:
        for name, choice, fallback in WITH_RELEVANCE:
            if rules.get(name) == choice:
                rules[name] = fallback
    return MetricRules(**rules), row_order


def _resolve_row_order(
    rules: dict[str, Any], caller_rules: RuleChoices, sources: Sources, dialect: str, in_order: bool
) -> str | None:
    """Replace rules that need an order of unordered rows; return the order that is used."""
    lists = [*sources.recs, *sources.baseline]
    truth = [sources.tables["truth"]] if "truth" in sources.tables else []
    orders = []
    for name, choice, fallback in WITHOUT_ROWS:
        if rules.get(name) != choice:
            continue
        tables = truth if name == "truth_duplicates" else lists
        order_columns = [table.columns.get("order_by") for table in tables]
        has_lists = any(table.unnest for table in tables)
        order = order_columns[0] if order_columns and all(order_columns) and not has_lists else None
        if order is None and in_order and not has_lists:
            order = INPUT_ORDER
        # All rows of a truth without grades are equal.
        counts = sources.graded if tables is truth else name != "ties" or not has_lists
        if order is None:
            option = "duplicates" if tables is truth else name
            if option in caller_rules and counts:
                raise _row_order_error(option, choice, tables[0], fallback, dialect, has_lists)
            rules[name] = fallback
        if tables and counts:
            orders.append(order or NO_ORDER)
    return ", ".join(dict.fromkeys(orders)) or None


def _row_order_error(
    option: str, rule: str, table: Source, fallback: str, dialect: str, has_lists: bool
) -> InputError:
    if has_lists:
        return InputError(
            f"{option}={rule!r}: {table.name}.item_id is a list in one row, without an order of "
            f"rows; give {fallback!r}"
        )
    where = "duckdb without preserve_insertion_order" if dialect == "duckdb" else dialect
    details = {"option": option, "rule": rule, "instead": fallback}
    return InputError(messages.NO_ROW_ORDER.format(**details, table=table.name, dialect=where))


def _warn_about_row_order(
    sets: Mapping[tuple[MetricRules, str | None], list[MetricRequest]],
    caller_rules: RuleChoices,
    inputs: Inputs,
) -> None:
    """Warn about rules that need an unknown order of rows, and about an unused ``order_by``."""
    unordered = [
        request for (_, order), group in sets.items() for request in group if order == NO_ORDER
    ]
    if unordered:
        names = ", ".join(sorted({request.convention for request in unordered}))
        replaced = {
            messages.OTHER_RULE.format(option=name, rule=choice, instead=fallback): None
            for request in unordered
            for name, choice, fallback in WITHOUT_ROWS
            if {**request.rules, **caller_rules}.get(name) == choice
        }
        rules = messages.OTHER_RULES.format(dialect=inputs.engine.dialect, odd=", ".join(replaced))
        warn(f"convention {names}: {rules}")
    public = [(name, value) for name, value, _ in WITHOUT_ROWS if name in OPTIONS]
    ordering = ", ".join(f"{name}={value!r}" for name, value in public)
    if "order_by" in inputs.columns.renames and not any(order for _, order in sets):
        warn(
            f"order_by={inputs.columns.renames['order_by']!r}: no rule depends on the order of "
            f"rows; {ordering} do"
        )


def check_ties(request: MetricRequest, rules: RuleChoices) -> None:
    """Check that a metric supports a rule for ties that reads the truth."""
    if rules.get("ties") not in BY_RELEVANCE or not request.reads("recs"):
        return
    details = {"ties": rules["ties"], "metric": request.metric.name}
    if not request.reads("truth"):
        raise InputError(messages.TIES_WITHOUT_TRUTH.format(**details))
    if rules.get("missing_items") in values_with_property("missing_items", "extends_lists"):
        raise InputError(messages.TIES_BELOW.format(**details))
    if rules["ties"] != EXPECTED:
        return
    if not request.metric.expected:
        supported = ", ".join(name for name, other in known_metrics().items() if other.expected)
        raise InputError(messages.TIES_EXPECTED.format(**details, known=supported))
    for key in request.no_expected_form:
        value = request.settings[key]
        raise InputError(messages.TIES_PARAM.format(**details, param=key, value=value))


def _merge_plans(plan: Plan, parts: list[Plan]) -> Plan:
    """Merge the plans of several sets of rules; parts with equal rankings share their lists."""
    prefixes: dict[tuple[Any, ...], str] = {}
    named_parts = []
    for number, part in enumerate(parts, start=1):
        part = replace(part, name=f"part_{number}")
        # Rankings by relevance depend on the truth of their part, so parts can't share their lists.
        if part.recs and "sorts_by_grade" not in part.properties["ties"]:
            ranking = tuple(getattr(part, name) for name in RANKING)
            prefix = prefixes.setdefault(ranking, f"lists_{len(prefixes) + 1}")
            part = replace(part, lists=prefix)
        named_parts.append(part)
    return replace(plan, parts=named_parts)


def _list_order(
    sources: list[Source], rules: MetricRules, truth: Source | None = None
) -> tuple[str, bool]:
    """Return the column that orders the lists, and whether the other column has to agree."""
    for source in sources:
        columns = [name for name in ("rank", "score") if name in source.columns]
        if source.unnest and columns and rules.order != "rank":
            raise InputError(
                f"{source.name}.item_id is a list, its order is the rank, and {source.name} also "
                f"has {columns[0]}: give order='rank' to use the list, or one row for each item"
            )
    have_ranks = [source.unnest or "rank" in source.columns for source in sources]
    have_scores = ["score" in source.columns and not source.unnest for source in sources]
    possible = {"rank": have_ranks, "score": have_scores}
    usable = [
        name for name in ("rank", "score") if all(possible[name]) and rules.order in (None, name)
    ]
    if usable:
        for source in sources:
            for name in usable:
                if not source.unnest:
                    check_number_column(source, name)
        if "score" in usable:
            check_scores(sources)
        return usable[0], len(usable) == 2
    column = rules.order or "score"
    source_without = next(
        source for source, has in zip(sources, possible[column], strict=True) if not has
    )
    if rules.order is None and any(have_scores) and any(have_ranks):
        first, other = (sources[has.index(True)].name for has in (have_ranks, have_scores))
        raise InputError(messages.RANKS_AND_SCORES.format(ranked=first, scored=other))
    for name in ("score", "rank") if rules.order is None else (column,):
        # A column that the caller uses for another standard column is not read for this one.
        for first, caller_column in source_without.columns.items():
            if caller_column == name != first:
                details = {"table": source_without.name, "column": name, "first": first}
                raise InputError(messages.COLUMN_MEANS.format(**details, second=name))
    neither = "'score' or 'rank'" if rules.order is None else repr(column)
    details = {
        "table": source_without.name,
        "names": f"column {neither}",
        "keys": f"{column!r}: ...",
    }
    has = ", ".join(name for name in source_without.types if not name.startswith("sqlrec_"))
    hint = ""
    if source_without.name == "recs" and "relevance" in source_without.types:
        hint = "; recs has truth's relevance: are the two exchanged?"
    elif truth and (orders := [x for x in ("score", "rank") if x in truth.types]):
        hint = f"; truth has the column {orders[0]!r} of recs: are the two exchanged?"
    raise InputError(messages.COLUMN_LACKS.format(**details, columns=has) + hint)


def plan_stored_comparison(
    requests: list[MetricRequest], segments: Sequence[str], models: Sequence[str], table: str
) -> Plan:
    """Return the plan for a comparison of the per-user values in a DuckDB table."""
    by = [
        Segment(name, f"segment_{number}", identifier(name, "duckdb"), "", "")
        for number, name in enumerate(segments, start=1)
    ]
    return Plan(
        title=", ".join(request.text for request in requests),
        kinds=_group_by_rows(requests, MetricRules(), "duckdb", weighted=False),
        list_keys=["model", "user_id"],
        by=by,
        recs=[Table(table, {"model": text(name, "duckdb")}, model=name) for name in models],
        user_results=table,
    )


def _group_by_rows(
    requests: list[MetricRequest], rules: MetricRules, dialect: str, weighted: bool
) -> list[Kind]:
    planned: dict[str, list[PlannedMetric]] = {}
    columns: list[str] = []
    for label, group in group_by(requests, lambda request: request.label).items():
        metric = group[0].metric
        rows = _metric_rows(group[0], rules)
        columns.append(_value_column(group[0], columns, dialect))
        planned.setdefault(rows, []).append(
            PlannedMetric(
                label=label,
                column=columns[-1],
                macro=f"{rows}__{metric.name}",
                params=dict(group[0].params),
                # A mean of per-user values needs no other parts of the value.
                parts=[] if group[0].settings.get("average") == "users" else list(metric.parts),
                better=metric.better,
                title=metric.title,
                source=metric.source,
                weighted=weighted,
                cutoffs=[request.k or WHOLE_LIST_K for request in group],
                texts=[request.text for request in group],
            )
        )
    return [
        Kind(
            name=rows,
            metrics=planned[rows],
            cutoffs=[*dict.fromkeys(request.k or WHOLE_LIST_K for request in group)],
            per_user=rows not in WHOLE_KINDS,
            truth=any(request.reads("truth") for request in group),
            weighed=any(request.metric.reads("logs", "propensity") for request in group),
        )
        for rows, group in group_by(requests, lambda request: _metric_rows(request, rules)).items()
    ]


def _metric_rows(request: MetricRequest, rules: MetricRules) -> str:
    return EXPECTED if rules.ties == EXPECTED and request.metric.expected else request.metric.rows


def _value_column(request: MetricRequest, used: list[str], dialect: str) -> str:
    """Return a column name, unique ignoring case, within PostgreSQL's limit of 63 characters."""
    column = re.sub(r"[^0-9A-Za-z]+", "_", request.label).strip("_")
    usual = column.lower() not in {other.lower() for other in used} and column[0].isalpha()
    if usual and len(column) <= LONGEST_COLUMN and column not in DIALECTS[dialect].reserved:
        return column
    return f"{request.metric.name}_{len(used) + 1}"


def _plan_segment(
    number: int, name: str, option: str, tables: Mapping[str, Source], dialect: str
) -> Segment:
    """Return a segment: a column of the users table, or else of the truth."""
    table = _table_with_column(name, option, tables)
    if name.lower() in _RESERVED_COLUMNS:
        raise InputError(messages.BY_ALREADY.format(option=option, name=name))
    kind = tables[table].kind(name)
    if is_nested(kind):
        raise InputError(f"{option}={name!r} is {kind}: a segment is a single value")
    if fault := DIALECTS[dialect].segments.get(kind):
        raise InputError(f"{option}={name!r} is {kind}, {fault}: cast it to text")
    return Segment(
        caller_name=name,
        name=f"segment_{number}",
        label=identifier(name, dialect),
        column=tables[table].expression(name),
        table=table,
        in_result=option == "by",
    )


def _table_with_column(name: str, option: str, tables: Mapping[str, Source]) -> str:
    """Return the table that has a column of users: the users table, or else the truth."""
    possible = [table for table in ("truth", "users") if table in tables]
    for table in reversed(possible):
        if name in tables[table].columns:
            return table
    has = "; ".join(tables[table].with_columns for table in possible)
    columns = [column for table in possible for column in tables[table].types]
    neither = "truth or users, and both are missing"
    where = f"{' or '.join(possible)}: {has}" if has else neither
    if all(any(x in tables[table].types for table in possible) for x in name.split(",")):
        where += "; name each column by itself"
    elif (hint := suggest_name(name, columns, fallback=" ")).strip():
        where += f"; {hint}"
    elif "users" not in tables:
        where += "; give a table of users that has it, users=..."
    text = messages.BY_LACKS.format(option=option, name=name, tables=where)
    raise OptionError(text, option=option)


def _plan_weights(name: str, tables: Mapping[str, Source], dialect: str) -> Segment:
    table = _table_with_column(name, "weights", tables)
    kind = tables[table].kind(name)
    if kind and (kind == "BOOLEAN" or not is_number(kind)):
        raise InputError(messages.WEIGHTS_KIND.format(name=name, kind=kind))
    column = tables[table].expression(name)
    return Segment(name, "weight", identifier(name, dialect), column, table)


def _plan_table(source: Source, **extra_columns: str) -> Table:
    columns: dict[str, str | None] = {
        name: source.expression(name) if name in source.columns else None
        for name in known_columns()
    }
    return Table(
        relation=source.relation,
        columns=columns | extra_columns,
        names={
            name: identifier(source.columns[name], source.dialect, stored=bool(source.types))
            for name in columns
            if name in source.columns
        },
        unnest=source.unnest,
        floating={name: is_floating(source, name) for name in sorted(NUMBERS)},
    )
