"""From what the caller asks to the plan that the SQL templates read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from .. import messages
from ..catalogue.headers import EXPECTED, SINGLE_TABLES, known_columns
from ..catalogue.headers import metrics as known_metrics
from ..catalogue.requests import MetricRequest, spelled
from ..dialects import DIALECTS, identifier, text
from ..errors import InputError
from ..inputs.read import (
    NUMBERS,
    Inputs,
    Source,
    check_number,
    check_scores,
    is_floating,
    is_nested,
    is_number,
)
from ..options import LARGEST_RELEVANCE
from ..rendering.constants import WHOLE_LIST_K
from ..rules import BY_RELEVANCE, WITH_RELEVANCE, Rules
from ..shown import warn
from .plan import Kind, Plan, PlannedMetric, Segment, Table
from .sources import Sources, names_of, needed_by, read_sources

# The place of what is not in a list: past every cutoff.
PAST_EVERY_CUTOFF = 2_147_483_647

# The largest exponent that gains and their sums stay numbers with.
LARGEST_EXPONENT = 1000

# The longest name of a column that is made of a metric and its parameters.
LONGEST_COLUMN = 45

# Kinds of rows whose values are of all users together.
WHOLE_KINDS = ("exposed", "grouped", "gained", "pooled", "spread", "logged")

# What lists that are ranked alike have in common.
RANKING = (
    *("order", "check_order", "ties", "duplicates", "null_scores", "seen", "scores", "listed"),
)

# Rules that ask for the order of rows, and what stands in for them where rows have none.
WITHOUT_ROWS = (
    ("ties", "first", "item_asc"),
    *(
        (name, row, "best")
        for name in ("duplicates", "truth_duplicates")
        for row in ("first", "last")
    ),
)

# What the order of rows is: where they stand, a column, or none that anybody knows.
STANDING, NO_ORDER = "rows", "none"

# Columns of a report beside the result, where values are made of weights: what those are worth.
WEIGHTS = ("effective_decisions", "largest_weight")

# Columns of a report beside the result: counts of users and lists.
ACCOUNTS = (
    "users_evaluated",
    "users_without_list",
    "short_lists",
    "ties_at_cutoff",
    "unjudged_lists",
    "repeated_rows",
)
_TAKEN = (
    *("model", "user_id", "metric", "k", "asked", "value", "users", "convention", "population"),
    *(*ACCOUNTS, *WEIGHTS, "violations"),
)


def make_plan(
    asked: list[MetricRequest],
    inputs: Inputs,
    given: Mapping[str, Any],
    *,
    by: list[str],
    rules: Mapping[str, Any],
    depth: int | None = None,
    errors: bool = False,
    audit: bool = True,
    cluster: str | None = None,
    adjust: Sequence[str] = (),
    weights: str | None = None,
) -> Plan:
    """Read the inputs, check them and return the plan.

    Metrics of one call may be under several sets of rules, as conventions have them.

    Raises:
        InputError: An input or rule that can't be used.
    """
    dialect = inputs.engine.dialect
    again = bool(cluster or adjust)
    columns = [*dict.fromkeys([*by, *([weights] if weights else [])])]
    sources = read_sources(asked, inputs, given, columns, rules, again)
    names = names_of(inputs, sources.recs, sources.models)
    common = _in_common(asked, sources, names, dialect) | {
        "audit": audit,
        "errors": errors,
        "by": [
            _segment(number, name, _option(name, cluster, adjust), sources.tables, dialect)
            for number, name in enumerate(by, start=1)
        ],
        "user_weights": _weights(weights, sources.tables, dialect) if weights else None,
        "ends": depth,
    }

    def under(asked: list[MetricRequest], rules: Rules, row_order: str | None = None) -> Plan:
        needed = needed_by(asked, given, columns, sources.target, rules.seen)
        return _under(rules, row_order, asked, sources, needed, common, dialect)

    sets: dict[tuple[Rules, str | None], list[MetricRequest]] = {}
    ordered = inputs.engine.ordered
    for one in asked:
        own = _rules(one, rules, sources, dialect, ordered)
        sets.setdefault(own, []).append(one)
    if not again:
        _warn_of_row_order(sets, rules, inputs)
    parts = [under(those, *own) for own, those in sets.items()]
    return parts[0] if len(parts) == 1 else _together(under(asked, Rules()), parts)


def _in_common(
    asked: list[MetricRequest], sources: Sources, names: list[str], dialect: str
) -> dict[str, Any]:
    """Return what the plans of all sets of rules have in common."""
    cutoffs = sorted({one.k or WHOLE_LIST_K for one in asked})
    depths = [one.k for one in asked if any(need.table == "recs" for need in one.metric.needs)] or [
        None
    ]
    return {
        "weighed": any(one.metric.reads("logs", "propensity") for one in asked),
        "list_keys": ["model", "user_id"] if sources.several else ["user_id"],
        "recs": [
            replace(
                _table(source, **({} if model is None else {"model": text(model, dialect)})),
                model=model,
                models=names,
            )
            for source, model in zip(sources.recs, sources.models, strict=True)
        ],
        "scored": "score" in sources.needed.get("recs", set()),
        "cutoffs": cutoffs,
        "k": cutoffs[0] if len(cutoffs) == 1 else None,
        "largest_k": max((one.k for one in asked if one.k), default=None),
        "depth": None if None in depths else max(depth for depth in depths if depth),
        "whole_list": WHOLE_LIST_K,
        "past_every_cutoff": PAST_EVERY_CUTOFF,
        "graded": sources.graded,
        "whole_ids": sources.whole_ids,
        "largest_relevance": (
            LARGEST_EXPONENT
            if any("exponential" in one.settings.values() for one in asked)
            else LARGEST_RELEVANCE
        ),
    }


def _under(
    rules: Rules,
    row_order: str | None,
    asked: list[MetricRequest],
    sources: Sources,
    needed: Mapping[str, set[str]],
    common: Mapping[str, Any],
    dialect: str,
) -> Plan:
    """Return the plan of what is asked under one set of rules."""
    order, check_order = _order(sources.recs, rules) if sources.recs else ("score", False)
    if order == "rank" and rules.ties in BY_RELEVANCE:
        # Given ranks leave no ties.
        rules = replace(rules, ties=Rules.ties)
    tables: dict[str, Table | None] = {
        name: replace(_table(sources.tables[name]), needed=sorted(needed[name]))
        if name in needed
        else None
        for name in SINGLE_TABLES
    }
    if logs := tables["logs"]:
        tables["logs"] = replace(logs, target=sources.target)
    if baseline := tables["baseline"]:
        ours, both = _order(sources.baseline, rules)
        tables["baseline"] = replace(baseline, order=ours, check_order=both)
    if (truth := tables["truth"]) and rules.truth_duplicates not in ("first", "last"):
        tables["truth"] = _unordered(truth)
    entries = {**common, **asdict(rules), **tables, "order": order, "check_order": check_order}
    if rules.ties != "first" and rules.duplicates not in ("first", "last"):
        entries["recs"] = [_unordered(table) for table in common["recs"]]
        if baseline := entries["baseline"]:
            entries["baseline"] = _unordered(baseline)
    if "recs" not in needed:
        entries["recs"] = []
    title = ", ".join(spelled(one.label, one.k) for one in asked)
    return Plan(
        title=title,
        kinds=_kinds(asked, rules, dialect, bool(common["user_weights"])),
        row_order=row_order,
        **entries,
    )


def _unordered(table: Table) -> Table:
    """Leave out the column that orders rows, where no rule goes by it."""
    return replace(table, columns={**table.columns, "order_by": None})


def _rules(
    one: MetricRequest,
    given: Mapping[str, Any],
    sources: Sources,
    dialect: str,
    in_order: bool,
) -> tuple[Rules, str | None]:
    """Bring rules together: those given count most, then the convention's, then the defaults.

    What orders lists in a convention is what it prefers, where lists have both; and the order of
    rows is taken where rows have one.

    Returns:
        The rules, and the order of rows, None where no rule goes by it.
    """
    rules = {**one.rules, **given}
    if given.get("undefined") in ("zero", "one"):
        # Users of the default population have a relevant item.
        rules.setdefault("population", "judged")
    if "order" not in given and "order" in rules:
        column = rules["order"]
        lists = (*sources.recs, *sources.baseline)
        if not all(column in each.found or (each.unnest and column == "rank") for each in lists):
            del rules["order"]
    if "duplicates" in given:
        rules["truth_duplicates"] = given["duplicates"]
    row_order = _by_rows(rules, given, sources, dialect, in_order)
    check_ties(one, rules)
    if rules.get("ties") in BY_RELEVANCE:
        for name, odd, instead in WITH_RELEVANCE:
            if rules.get(name) == odd:
                rules[name] = instead
    if rules.get("truth_duplicates") is None:
        rules["truth_duplicates"] = "best" if rules.get("duplicates") == "best" else "error"
    return Rules(**rules), row_order


def _by_rows(
    rules: dict[str, Any],
    given: Mapping[str, Any],
    sources: Sources,
    dialect: str,
    in_order: bool,
) -> str | None:
    """Let other rules stand in for those that go by rows where rows have no order.

    Returns:
        The order of rows, None where nothing goes by it.

    Raises:
        InputError: A rule that is given goes by it, and there is none.
    """
    lists = [*sources.recs, *sources.baseline]
    truth = [sources.tables["truth"]] if "truth" in sources.tables else []
    found = []
    for name, of_rows, instead in WITHOUT_ROWS:
        if rules.get(name) != of_rows:
            continue
        tables = truth if name == "truth_duplicates" else lists
        named = [table.found.get("order_by") for table in tables]
        unnested = any(table.unnest for table in tables)
        order = named[0] if named and all(named) and not unnested else None
        if order is None and in_order and not unnested:
            order = STANDING
        # All rows of a truth without grades are alike.
        counts = sources.graded if tables is truth else name != "ties" or not unnested
        if order is None:
            option = "duplicates" if tables is truth else name
            if option in given and counts:
                raise _no_order(option, of_rows, tables[0], instead, dialect, unnested)
            rules[name] = instead
        if tables and counts:
            found.append(order or NO_ORDER)
    return ", ".join(dict.fromkeys(found)) or None


def _no_order(
    option: str, rule: str, table: Source, instead: str, dialect: str, unnested: bool
) -> InputError:
    if unnested:
        return InputError(
            f"{option}={rule!r}: {table.name}.item_id is a list, of one row; give {instead!r}"
        )
    where = "duckdb without preserve_insertion_order" if dialect == "duckdb" else dialect
    shown = {"option": option, "rule": rule, "instead": instead}
    return InputError(messages.NO_ROW_ORDER.format(**shown, table=table.name, dialect=where))


def _warn_of_row_order(
    sets: Mapping[tuple[Rules, str | None], list[MetricRequest]],
    given: Mapping[str, Any],
    inputs: Inputs,
) -> None:
    """Say which metrics go by an unknown order of rows, and of a column without use."""
    without = [one for (_, order), those in sets.items() for one in those if order == NO_ORDER]
    if without:
        shown = ", ".join(sorted({one.convention for one in without}))
        odd = {
            messages.OTHER_RULE.format(option=name, rule=of_rows, instead=instead): None
            for one in without
            for name, of_rows, instead in WITHOUT_ROWS
            if {**one.rules, **given}.get(name) == of_rows
        }
        told = messages.OTHER_RULES.format(dialect=inputs.engine.dialect, odd=", ".join(odd))
        warn(f"convention {shown}: {told}")
    if "order_by" in inputs.columns.named and not any(order for _, order in sets):
        warn(
            f"order_by={inputs.columns.named['order_by']!r}: no rule depends on the order of rows; "
            "ties='first', duplicates='first' and duplicates='last' do"
        )


def check_ties(one: MetricRequest, rules: Mapping[str, Any]) -> None:
    """Check that a metric of lists can go by the truth where scores are equal.

    Raises:
        InputError: It does not read the truth, or what is expected of it is not known.
    """
    if rules.get("ties") not in BY_RELEVANCE or not one.reads("recs"):
        return
    shown = {"ties": rules["ties"], "metric": one.metric.name}
    if not one.reads("truth"):
        raise InputError(messages.TIES_WITHOUT_TRUTH.format(**shown))
    if rules.get("unlisted", "absent") != "absent":
        raise InputError(messages.TIES_BELOW.format(**shown))
    if rules["ties"] != EXPECTED:
        return
    if not one.metric.expected:
        known = ", ".join(name for name, other in known_metrics().items() if other.expected)
        raise InputError(messages.TIES_EXPECTED.format(**shown, known=known))
    for key in one.unexpected:
        value = one.settings[key]
        raise InputError(messages.TIES_PARAM.format(**shown, param=key, value=value))


def _together(plan: Plan, parts: list[Plan]) -> Plan:
    """Bring the plans of several sets of rules into one, which ranks lists once for those alike."""
    alike: dict[tuple[Any, ...], str] = {}
    named = []
    for number, part in enumerate(parts, start=1):
        part = replace(part, name=f"part_{number}")
        # Where the truth has its say in the order, it is read as the part's own rules have it.
        if part.recs and part.ties not in ("best", "worst"):
            ranked = tuple(getattr(part, name) for name in RANKING)
            part = replace(part, lists=alike.setdefault(ranked, f"lists_{len(alike) + 1}"))
        named.append(part)
    return replace(plan, parts=named)


def _order(sources: list[Source], rules: Rules) -> tuple[str, bool]:
    """Say what orders the lists, and whether the other has to agree."""
    for source in sources:
        beside = [name for name in ("rank", "score") if name in source.found]
        if source.unnest and beside and rules.order != "rank":
            raise InputError(
                f"{source.name}.item_id is a list, whose order is the rank, and there is "
                f"{beside[0]} too: give order='rank' to use the list, or give one row per item"
            )
    ranked = [source.unnest or "rank" in source.found for source in sources]
    scored = ["score" in source.found and not source.unnest for source in sources]
    possible = {"rank": ranked, "score": scored}
    usable = [
        name for name in ("rank", "score") if all(possible[name]) and rules.order in (None, name)
    ]
    if usable:
        for source in sources:
            for name in usable:
                if not source.unnest:
                    check_number(source, name)
        if "score" in usable:
            check_scores(sources)
        return usable[0], len(usable) == 2
    wanted = rules.order or "score"
    lacking = next(source for source, has in zip(sources, possible[wanted], strict=True) if not has)
    if rules.order is None and any(scored) and any(ranked):
        first, other = (sources[has.index(True)].name for has in (ranked, scored))
        raise InputError(messages.RANKS_AND_SCORES.format(ranked=first, scored=other))
    neither = "'score' or 'rank'" if rules.order is None else repr(wanted)
    shown = {"table": lacking.name, "names": neither, "key": wanted}
    raise InputError(messages.COLUMN_LACKS.format(**shown, columns=", ".join(lacking.types)))


def _kinds(asked: list[MetricRequest], rules: Rules, dialect: str, weighted: bool) -> list[Kind]:
    """Bring metrics over one kind of rows together, and cutoffs of one metric."""
    metrics: dict[str, list[MetricRequest]] = {}
    kinds: dict[str, list[MetricRequest]] = {}
    planned: dict[str, list[PlannedMetric]] = {}
    columns: list[str] = []
    for one in asked:
        kinds.setdefault(_rows_of(one, rules), []).append(one)
        metrics.setdefault(one.label, []).append(one)
    for label, those in metrics.items():
        metric = those[0].metric
        rows = _rows_of(those[0], rules)
        columns.append(_column(those[0], columns, dialect))
        planned.setdefault(rows, []).append(
            PlannedMetric(
                label=label,
                column=columns[-1],
                macro=f"{rows}__{metric.name}",
                params=dict(those[0].params),
                parts=list(metric.parts),
                better=metric.better,
                title=metric.title,
                source=metric.source,
                weighted=weighted,
                cutoffs=[one.k or WHOLE_LIST_K for one in those],
                texts=[one.text for one in those],
            )
        )
    return [
        Kind(
            name=rows,
            metrics=planned[rows],
            cutoffs=[*dict.fromkeys(one.k or WHOLE_LIST_K for one in those)],
            of_users=rows not in WHOLE_KINDS,
            truth=any(one.reads("truth") for one in those),
            weighed=any(one.metric.reads("logs", "propensity") for one in those),
        )
        for rows, those in kinds.items()
    ]


def _rows_of(one: MetricRequest, rules: Rules) -> str:
    return EXPECTED if rules.ties == EXPECTED and one.metric.expected else one.metric.rows


def _column(one: MetricRequest, taken: list[str], dialect: str) -> str:
    """Name the column of a metric's values.

    Names differ in more than case, and PostgreSQL cuts what is longer than 63 letters.
    """
    column = re.sub(r"[^0-9A-Za-z]+", "_", one.label).strip("_")
    usual = column.lower() not in {other.lower() for other in taken} and column[0].isalpha()
    if usual and len(column) <= LONGEST_COLUMN and column not in DIALECTS[dialect].reserved:
        return column
    return f"{one.metric.name}_{len(taken) + 1}"


def _option(name: str, cluster: str | None, adjust: Sequence[str]) -> str:
    """Return the option that names a segment."""
    return "cluster" if name == cluster else "adjust" if name in adjust else "by"


def _segment(
    number: int, name: str, option: str, tables: Mapping[str, Source], dialect: str
) -> Segment:
    """Return a segment: a column of the users table, or else of the truth."""
    table = _table_with(name, option, tables)
    if name.lower() in _TAKEN:
        raise InputError(messages.BY_ALREADY.format(option=option, name=name))
    kind = tables[table].kind(name)
    if is_nested(kind):
        raise InputError(f"{option}={name!r} is {kind}: a segment is a single value")
    if fault := DIALECTS[dialect].segments.get(kind):
        raise InputError(f"{option}={name!r} is {kind}, {fault}: cast it to text")
    return Segment(
        asked=name,
        name=f"segment_{number}",
        label=identifier(name, dialect),
        column=tables[table].expression(name),
        table=table,
    )


def _table_with(name: str, option: str, tables: Mapping[str, Source]) -> str:
    """Return the table that has a column of users: the users table, or else the truth."""
    possible = [table for table in ("truth", "users") if table in tables]
    for table in reversed(possible):
        if name in tables[table].found:
            return table
    has = "; ".join(f"{table} has {', '.join(tables[table].types)}" for table in possible)
    neither = "truth or users, of which neither is given"
    where = f"{' or '.join(possible)}: {has}" if has else neither
    raise InputError(messages.BY_LACKS.format(option=option, name=name, tables=where))


def _weights(name: str, tables: Mapping[str, Source], dialect: str) -> Segment:
    """Return the column that says what each user counts as in means."""
    table = _table_with(name, "weights", tables)
    kind = tables[table].kind(name)
    if kind and (kind == "BOOLEAN" or not is_number(kind)):
        raise InputError(messages.WEIGHTS_KIND.format(name=name, kind=kind))
    column = tables[table].expression(name)
    return Segment(name, "weight", identifier(name, dialect), column, table)


def _table(source: Source, **own: str) -> Table:
    columns: dict[str, str | None] = {
        name: source.expression(name) if name in source.found else None for name in known_columns()
    }
    return Table(
        relation=source.relation,
        columns=columns | own,
        unnest=source.unnest,
        floating={name: is_floating(source, name) for name in sorted(NUMBERS)},
    )
