"""From what the caller asks to the plan that the SQL templates read."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from ..catalogue.headers import EXPECTED, SINGLE_TABLES, TABLES, Need, known_columns
from ..catalogue.headers import metrics as known_metrics
from ..catalogue.requests import Asked, spelled
from ..dialects import identifier, text
from ..errors import InputError
from ..inputs.read import (
    LABELS,
    NUMBERS,
    Columns,
    Inputs,
    Source,
    alike,
    check_ids,
    check_label,
    check_number,
    check_scores,
    check_single,
    is_floating,
    is_nested,
    is_whole,
    scores_alike,
)
from ..inputs.unread import check_one_model, unread
from ..options import LARGEST_RELEVANCE
from ..rules import BY_RELEVANCE, RULES, WITH_RELEVANCE, Rules
from ..shown import warn

# Cutoff of the whole list, and the place of what is not in a list: past every cutoff.
WHOLE_LIST_K = 2_147_483_646
PAST_EVERY_CUTOFF = 2_147_483_647

# The largest exponent that gains and their sums stay numbers with.
LARGEST_EXPONENT = 1000

# The longest name of a column that is made of a metric and its parameters.
LONGEST_COLUMN = 45

# Columns with ids of one kind, which are compared.
IDS = (("user_id",), ("item_id", "other_item_id"))

# For so many models numbers stand for their names.
MOST_NAMED_MODELS = 1000

# Kinds of rows whose values are of all users together.
WHOLE_KINDS = ("exposed", "grouped", "pooled", "logged")

# What lists that are ranked alike have in common.
RANKING = ("order", "check_order", "ties", "duplicates", "null_scores", "scores", "listed")

# Rules that ask for the order of rows, and what stands in for them where rows have none.
WITHOUT_ROWS = (
    ("ties", "first", "item_asc"),
    ("duplicates", "last", "best"),
    ("truth_duplicates", "last", "best"),
)

# Columns of a report beside the result, where values are made of weights: what those are worth.
WEIGHTS = ("effective_decisions", "largest_weight")

# Columns of a report beside the result: who was counted.
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
    *(*ACCOUNTS, *WEIGHTS, "faults"),
)


def make_plan(
    asked: list[Asked],
    inputs: Inputs,
    given: Mapping[str, Any],
    *,
    by: list[str],
    rules: Mapping[str, Any],
    depth: int | None = None,
    errors: bool = False,
    audit: bool = True,
    cluster: str | None = None,
) -> dict[str, Any]:
    """Read the inputs, check them and return the plan.

    Metrics of one call may be under several sets of rules, as conventions have them. The plan of
    what is under one set has these entries:
        title: What is asked, in words.
        kinds: For each kind of rows that is aggregated: its name; its metrics, each with label,
            column, macro, params, parts, better, cutoffs, and what was written for each of these;
            their cutoffs together; of_users, whether each user has a value; truth, whether some of
            its metrics read the truth; weighed, whether some are made of the weights of logged
            decisions.
        weighed: Whether some metric of the call is made of such weights.
        audit: Whether it is counted too who is averaged over and which rules are broken.
        errors: Whether the standard errors of the means are asked too.
        keys: The columns that name a list: user_id, and model where there are several.
        by: For each segment: the name asked for; its name in the SQL, which nothing else has; label
            in the result, column, and table.
        recs, truth, history, catalog, items, users, baseline, logs: relation and columns of what is
            read; recs is a list of them, each with the name of its model, or else None, and the
            names of all where they are known. The baseline has an order, a check_order and a
            scored of its own.
            The target of logs is what says how likely another policy is to do what was done: recs,
            target_probability, or None where no metric asks.
        scored: Whether some metric is made of the scores of recs.
        k: The cutoff, where there is one alone, which is then a number in the statement.
        cutoffs, largest_k, depth: All cutoffs, the largest number among them, and the deepest of
            those of lists, which is None where whole lists are asked.
        ends: The place at which all lists are cut, if there is one.
        whole_list, past_every_cutoff: What stands for the cutoff of whole lists, and for the place
            of what is in none.
        graded: Whether the truth has grades.
        whole_ids: Whether users and items are known to be whole numbers.
        check_order: Whether score and rank have to agree.
        population, order, ties, ...: The rules, as sqlrec/rules.py lists them.
        largest_relevance: From where on gains could not be added up.
        lists: The prefix of lists that were ranked for several sets of rules; None where there is
            one set.
        parts, part_lists: Empty; but where there are several sets of rules: the plan of each, with
            its name and its rules in words; and for each way to rank the plan of one that asks for
            it. All else is then what the call has in common.

    Raises:
        InputError: An input or rule that can't be used.
    """
    dialect = inputs.engine.dialect
    target = _target(asked, given)
    needed = _needed(asked, given, by, target)
    ordered, grouped = _assumed(inputs.columns, rules, by, given["users"] is not None)
    grouped["logs"] = ["target_probability"] if target == "target_probability" else []
    _check_not_read(inputs, given, needed)
    models = _models(given["recs"]) if "recs" in needed else {}
    recs = [
        _read(
            inputs,
            table,
            "recs" if model is None else f"recs[{model!r}]",
            "recs",
            needed["recs"],
            assumed=[ordered["recs"]],
            left_out=() if model is None else ("model",),
        )
        for model, table in models.items()
    ]
    tables = {
        name: _read(
            inputs,
            given[name],
            name,
            name,
            columns,
            assumed=[ordered[name]] if name in ordered else grouped.get(name, []),
            segments=by if name in ("truth", "users") else (),
        )
        for name, columns in needed.items()
        if name != "recs"
    }
    sources = alike([*recs, *tables.values()], IDS)
    recs, others = scores_alike(sources[: len(recs)]), sources[len(recs) :]
    tables = dict(zip(tables, others, strict=True))
    baseline = [tables["baseline"]] if "baseline" in tables else []
    check_one_model(inputs, [*([] if None in models else recs), *baseline])
    inputs.columns.check_used()
    if cluster is None:
        of_truth = any(one.reads("truth") for one in asked)
        for message in unread(inputs, recs, tables.get("truth") if of_truth else None):
            warn(message)
    _check_columns(recs, tables, by)
    _check_scored(asked, {"recs": recs, "baseline": baseline})
    graded = _graded(tables.get("truth"), rules)
    several = bool(recs) and (None not in models or "model" in recs[0].found)
    if "logs" in tables:
        _check_logs(asked, tables["logs"], target, several)
    names = _names(inputs, recs, models)
    cutoffs = sorted({one.k or WHOLE_LIST_K for one in asked})
    reads_lists = [one for one in asked if any(need.table == "recs" for need in one.metric.needs)]
    depths = [one.k for one in reads_lists] or [None]
    common: dict[str, Any] = {
        "audit": audit,
        "weighed": any(map(_is_weighed, asked)),
        "errors": errors,
        "keys": ["model", "user_id"] if several else ["user_id"],
        "by": [
            _segment(number, name, "cluster" if name == cluster else "by", tables, dialect)
            for number, name in enumerate(by, start=1)
        ],
        "recs": [
            _recs(source, model, dialect, names) for source, model in zip(recs, models, strict=True)
        ],
        "scored": "score" in needed.get("recs", set()),
        "cutoffs": cutoffs,
        "k": cutoffs[0] if len(cutoffs) == 1 else None,
        "largest_k": max((one.k for one in asked if one.k), default=None),
        "depth": None if None in depths else max(depth for depth in depths if depth),
        "ends": depth,
        "whole_list": WHOLE_LIST_K,
        "past_every_cutoff": PAST_EVERY_CUTOFF,
        "graded": graded,
        "whole_ids": bool(recs)
        and all(
            is_whole(source, name)
            for source in (*recs, *tables.values())
            for name in ("user_id", "item_id")
            if name in source.found
        ),
        "largest_relevance": (
            LARGEST_EXPONENT
            if any("exponential" in one.settings.values() for one in asked)
            else LARGEST_RELEVANCE
        ),
        "lists": None,
        "parts": [],
        "part_lists": [],
    }

    def part(asked: list[Asked], rules: Rules) -> dict[str, Any]:
        needed = _needed(asked, given, by, target)
        order, check_order = _order(recs, rules) if recs else ("score", False)
        if order == "rank" and rules.ties in BY_RELEVANCE:
            # Given ranks leave no ties.
            rules = replace(rules, ties=Rules.ties)
        plan = common | {
            "title": ", ".join(spelled(one.label, one.k) for one in asked),
            "kinds": _kinds(asked, rules),
            **{name: _columns(tables[name]) if name in needed else None for name in SINGLE_TABLES},
            **asdict(rules),
            "order": order,
            "check_order": check_order,
        }
        if "recs" not in needed:
            plan["recs"] = []
        if "items" in needed:
            plan["items"]["needed"] = sorted(needed["items"])
        if "logs" in needed:
            plan["logs"]["target"] = target
        if "baseline" in needed:
            ours, both = _order(baseline, rules)
            plan["baseline"] |= {
                "model": None,
                "models": [],
                "order": ours,
                "check_order": both,
                "scored": "score" in needed["baseline"],
            }
        return plan

    sets: dict[Rules, list[Asked]] = {}
    in_order = inputs.engine.ordered
    for one in asked:
        sets.setdefault(_rules(one, rules, recs, tables, dialect, in_order), []).append(one)
    parts = [part(those, rules) for rules, those in sets.items()]
    if len(parts) == 1:
        return parts[0]
    return _together(part(asked, Rules()), parts)


def _rules(
    one: Asked,
    given: Mapping[str, Any],
    recs: list[Source],
    tables: Mapping[str, Source],
    dialect: str,
    in_order: bool,
) -> Rules:
    """Bring rules together: those given count most, then the convention's, then the defaults.

    What orders lists in a convention is what it prefers, where lists have both; and the order of
    rows is taken where rows have one.
    """
    rules = {**one.rules, **given}
    if "order" not in given and "order" in rules:
        column = rules["order"]
        lists = [*recs, *([tables["baseline"]] if "baseline" in tables else [])]
        if not all(column in each.found or (each.unnest and column == "rank") for each in lists):
            del rules["order"]
    if not in_order and given.get("ties") == "first":
        without = " without preserve_insertion_order" if dialect == "duckdb" else ""
        raise InputError(
            f"ties='first': rows of {dialect}{without} have no order; give 'item_asc' or "
            "'item_desc'"
        )
    if not in_order or any(each.unnest for each in (*recs, *tables.values())):
        for name, of_rows, instead in WITHOUT_ROWS:
            if rules.get(name) == of_rows:
                rules[name] = instead
    check_ties(one, rules)
    if rules.get("ties") in BY_RELEVANCE:
        for name, odd, instead in WITH_RELEVANCE:
            if rules.get(name) == odd:
                rules[name] = instead
    if "duplicates" in given:
        rules.pop("truth_duplicates", None)
    if rules.get("truth_duplicates") is None:
        rules["truth_duplicates"] = "best" if rules.get("duplicates") == "best" else "error"
    return Rules(**rules)


def check_ties(one: Asked, rules: Mapping[str, Any]) -> None:
    """Check that a metric of lists can go by the truth where scores are equal.

    Raises:
        InputError: It does not read the truth, or what is expected of it is not known.
    """
    if rules.get("ties") not in BY_RELEVANCE or not one.reads("recs"):
        return
    ties = f"ties={rules['ties']!r}: {one.metric.name}"
    if not one.reads("truth"):
        raise InputError(
            f"{ties} does not read the truth, which decides here; ask for it in a call of its own"
        )
    if rules.get("unlisted", "absent") != "absent":
        raise InputError(
            f"{ties} has items below the list, which have no score; ask for another convention"
        )
    if rules["ties"] != EXPECTED:
        return
    if not one.metric.expected:
        known = ", ".join(name for name, other in known_metrics().items() if other.expected)
        raise InputError(f"{ties} has no such form; known are {known}")
    for key, value in one.metric.unexpected.items():
        if one.settings[key] == value:
            raise InputError(f"{ties} has no such form with {key}={value}; give another {key}")


def _together(plan: dict[str, Any], parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Bring the plans of several sets of rules into one, which ranks lists once for those alike."""
    alike: dict[tuple[Any, ...], dict[str, Any]] = {}
    for number, part in enumerate(parts, start=1):
        ranked = tuple(part[name] for name in RANKING)
        part["name"] = f"part_{number}"
        part["words"] = ", ".join(
            f"{name} {part[name]}" for name in RULES if part[name] is not None
        )
        # Where the truth has its say in the order, it is read as the part's own rules have it.
        if part["recs"] and part["ties"] not in ("best", "worst"):
            part["lists"] = alike.setdefault(ranked, part | {"lists": f"lists_{len(alike) + 1}"})[
                "lists"
            ]
    return plan | {"parts": parts, "part_lists": list(alike.values())}


def _needed(
    asked: list[Asked], given: Mapping[str, Any], by: list[str], target: str | None
) -> dict[str, set[str]]:
    """Say which inputs are read, each with the columns that metrics ask for.

    Raises:
        InputError: One that a metric needs is not given.
    """
    found: dict[str, set[str]] = {}
    for one in asked:
        for need in (*one.metric.needs, *([Need("truth")] if _of_truth(one) else [])):
            there = given[need.table] is not None
            if not need.holds(one.settings, there):
                continue
            if not there:
                columns = (*TABLES[need.table][0], *need.columns)
                raise InputError(
                    f"{need.table} is missing: {one.label} needs a table with "
                    f"{', '.join(columns)}; give a path, a table of Python or a table's name"
                )
            found.setdefault(need.table, set()).update(need.columns)
    if "logs" in found and target == "recs":
        found["logs"].update(("user_id", "item_id"))
    if "logs" in found and by:
        found["logs"].add("user_id")
    if given["users"] is not None:
        found.setdefault("users", set())
    if by and given["truth"] is not None:
        found.setdefault("truth", set())
    return {name: found[name] for name in TABLES if name in found}


def _target(asked: list[Asked], given: Mapping[str, Any]) -> str | None:
    """Say what tells the policy that logged decisions are held against: lists, or a column."""
    reads = [{need.table for need in one.metric.needs} for one in asked]
    if not any({"logs", "recs"} <= tables for tables in reads):
        return None
    return "target_probability" if given["recs"] is None else "recs"


def _check_logs(asked: list[Asked], logs: Source, target: str | None, several: bool) -> None:
    """Check that one thing, and one alone, says what the other policy does.

    Raises:
        InputError: None or two do; there is a cutoff and no list, or one policy's column and
            several models.
    """
    probable = "target_probability" in logs.found
    if target == "target_probability" and not probable:
        raise InputError(
            f"recs is not given, and {logs.name} has no column 'target_probability': one of them "
            f"says what is evaluated; {logs.name} has {', '.join(logs.types)}. "
            "Name yours: columns={'logs.target_probability': ...}"
        )
    if target == "recs" and probable:
        raise InputError(
            f"recs is given, and {logs.name} has a column 'target_probability': one of them alone "
            "says what is evaluated; leave out the other"
        )
    for one in asked:
        reads = {need.table: need.columns for need in one.metric.needs}
        if "logs" in reads and target == "target_probability" and one.k is not None:
            raise InputError(
                f"{spelled(one.label, one.k)}: a cutoff is of lists, and recs is not given; "
                f"write {one.label}"
            )
        if several and "expected_reward" in reads.get("logs", ()):
            raise InputError(
                f"{one.label}: expected_reward is of one policy, and recs has several models; "
                "evaluate each alone, with logs of its own"
            )


def _read(
    inputs: Inputs,
    given: Any,
    name: str,
    table: str,
    needed: set[str],
    *,
    assumed: Iterable[str] = (),
    left_out: Iterable[str] = (),
    segments: Iterable[str] = (),
) -> Source:
    always, sometimes = TABLES[table]
    return inputs.read(
        given,
        name,
        table,
        needed=(*always, *sorted(needed)),
        assumed=[column for column in assumed if column not in needed],
        taken=[x for x in (*sometimes, *segments) if x not in needed and x not in left_out],
    )


def _check_columns(recs: list[Source], tables: Mapping[str, Source], by: list[str]) -> None:
    """Check what columns hold, and that ids of all inputs can be compared.

    Raises:
        InputError: A column of the wrong type.
    """
    sources = [*recs, *tables.values()]
    for ids in IDS:
        check_ids((source, name) for name in ids for source in sources if name in source.found)
    lists = [*recs, *(tables[name] for name in ("truth", "baseline") if name in tables)]
    for source in sources:
        checked = set(source.found) - {"score", "rank", "relevance"}
        if source in lists:
            checked.discard("item_id")
        if source.name in ("truth", "users"):
            checked -= set(by)
        for name in sorted(checked):
            if name in NUMBERS:
                check_number(source, name)
            elif name in LABELS:
                check_label(source, name)
            else:
                check_single(source, name)


def _graded(truth: Source | None, rules: Mapping[str, Any]) -> bool:
    """Say whether the truth has grades.

    Raises:
        InputError: There is a threshold and no grade.
    """
    if truth is None:
        return False
    if "relevance" in truth.found and truth.kind("relevance") != "BOOLEAN":
        check_number(truth, "relevance")
        return True
    if "relevance_threshold" in rules:
        raise InputError(
            f"relevance_threshold={rules['relevance_threshold']} needs a column 'relevance' with "
            f"numbers in truth: it has {', '.join(truth.types)}. "
            "Name yours: columns={'relevance': ...}"
        )
    return False


def _assumed(
    columns: Columns, rules: Mapping[str, Any], by: list[str], users: bool
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Say what orders lists, and which columns the table of segments has, where nobody can look."""
    ordered = {}
    for table in ("recs", "baseline"):
        named = {key.removeprefix(f"{table}.") for key in columns.named}
        by_rank = "rank" in named and "score" not in named
        ordered[table] = rules.get("order") or ("rank" if by_rank else "score")
    segments = [name for name in by if f"truth.{name}" not in columns.named]
    return ordered, {"users" if users else "truth": segments}


def _check_not_read(inputs: Inputs, given: Mapping[str, Any], needed: Container[str]) -> None:
    """Refuse what can be no input, where no metric reads it either.

    Raises:
        InputError: Such an input.
    """
    for name, table in given.items():
        if name not in needed and table is not None:
            models = _models(table) if name == "recs" else {None: table}
            for model, one in models.items():
                inputs.check(one, name if model is None else f"{name}[{model!r}]")


def _models(recs: Any) -> dict[str | None, Any]:
    """Return the table of each model; under None where the table itself may name the models."""
    if not isinstance(recs, Mapping):
        return {None: recs}
    if not recs:
        raise InputError("recs={} names no model: give at least one, as in {'als': 'als.parquet'}")
    for model in recs:
        if not isinstance(model, str) or not model:
            raise InputError(f"recs has a model {model!r}: a model's name is text")
    return dict(recs)


def _order(sources: list[Source], rules: Rules) -> tuple[str, bool]:
    """Say what orders the lists, and whether the other has to agree."""
    for source in sources:
        beside = [name for name in ("rank", "score") if name in source.found]
        if source.unnest and beside and rules.order != "rank":
            raise InputError(
                f"{source.name}.item_id is a list, whose order is the rank, and there is "
                f"{beside[0]} too: give order='rank' to go by the list, or one row per item"
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
        raise InputError(
            f"{sources[ranked.index(True)].name} has ranks and {sources[scored.index(True)].name} "
            "has scores: give all models the one or the other"
        )
    neither = "no column 'score' or 'rank'" if rules.order is None else f"no column {wanted!r}"
    raise InputError(
        f"{lacking.name} has {neither}: it has {', '.join(lacking.types)}. "
        f"Name yours: columns={{'{wanted}': ...}}"
    )


def _check_scored(asked: list[Asked], lists: Mapping[str, list[Source]]) -> None:
    """Check that each item has a score of its own, where metrics are made of scores.

    Raises:
        InputError: Items are given as lists.
    """
    for one in asked:
        for need in one.metric.needs:
            for source in lists.get(need.table, []) if "score" in need.columns else []:
                if source.unnest:
                    raise InputError(
                        f"{source.name}.item_id is a list, and {one.label} needs a score of each "
                        "item: give one row per item"
                    )


def _of_truth(one: Asked) -> bool:
    """Say whether lists are those of users of the truth alone."""
    reads = any(need.table == "recs" for need in one.metric.needs)
    return reads and one.rules.get("listed") == "truth"


def _is_weighed(one: Asked) -> bool:
    return any("propensity" in need.columns for need in one.metric.needs)


def _kinds(asked: list[Asked], rules: Rules) -> list[dict[str, Any]]:
    """Bring metrics over one kind of rows together, and cutoffs of one metric."""
    kinds: dict[str, dict[str, Any]] = {}
    metrics: dict[str, dict[str, Any]] = {}
    for one in asked:
        metric = one.metric
        rows = EXPECTED if rules.ties == EXPECTED and metric.expected else metric.rows
        kind = kinds.setdefault(
            rows,
            {
                "name": rows,
                "metrics": [],
                "cutoffs": [],
                "of_users": rows not in WHOLE_KINDS,
                "truth": False,
                "weighed": False,
            },
        )
        kind["truth"] |= any(
            need.table == "truth" and need.holds(one.settings, True) for need in metric.needs
        )
        kind["weighed"] |= _is_weighed(one)
        if one.label not in metrics:
            column = re.sub(r"[^0-9A-Za-z]+", "_", one.label).strip("_")
            taken = {other["column"].lower() for other in metrics.values()}
            # Names differ in more than case, and PostgreSQL cuts what is longer than 63 letters.
            if column.lower() in taken or len(column) > LONGEST_COLUMN or not column[0].isalpha():
                column = f"{metric.name}_{len(metrics) + 1}"
            metrics[one.label] = {
                "label": one.label,
                "column": column,
                "macro": f"{rows}__{metric.name}",
                "params": dict(one.params),
                "parts": list(metric.parts),
                "better": metric.better,
                "title": metric.title,
                "source": metric.source,
                "cutoffs": [],
                "texts": [],
            }
            kind["metrics"].append(metrics[one.label])
        k = one.k or WHOLE_LIST_K
        metrics[one.label]["cutoffs"].append(k)
        metrics[one.label]["texts"].append(one.text)
        if k not in kind["cutoffs"]:
            kind["cutoffs"].append(k)
    return list(kinds.values())


def _segment(
    number: int, name: str, option: str, tables: Mapping[str, Source], dialect: str
) -> dict[str, str]:
    """Find the table of a segment: the users table, or else the truth."""
    possible = [table for table in ("truth", "users") if table in tables]
    table = next((table for table in reversed(possible) if name in tables[table].found), None)
    if table is None:
        has = "; ".join(f"{table} has {', '.join(tables[table].types)}" for table in possible)
        where = " or ".join(possible) or "truth or users, of which neither is given"
        raise InputError(f"{option}={name!r}: no such column in {where}{': ' if has else ''}{has}")
    if name.lower() in _TAKEN:
        raise InputError(
            f"{option}={name!r}: the result has a column of this name already; "
            f"call it otherwise: {option}='segment', columns={{'segment': {name!r}}}"
        )
    kind = tables[table].kind(name)
    if is_nested(kind):
        raise InputError(f"{option}={name!r} is {kind}: a segment is a single value")
    if kind == "BOOLEAN" and dialect == "postgres":
        raise InputError(
            f"{option}={name!r} is {kind}, which PostgreSQL does not order: cast it to text"
        )
    if kind in ("FLOAT", "DOUBLE") and dialect == "bigquery":
        raise InputError(
            f"{option}={name!r} is {kind}, by which BigQuery does not partition: cast it to text"
        )
    return {
        "asked": name,
        "name": f"segment_{number}",
        "label": identifier(name, dialect),
        "column": tables[table].expression(name),
        "table": table,
    }


def _names(inputs: Inputs, recs: list[Source], models: Mapping[str | None, Any]) -> list[str]:
    """Find the names of models where DuckDB can look: numbers that stand for them sort faster.

    There are none for more models than people compare, or for names that can't be written.
    """
    names: list[Any] = [*models]
    if inputs.engine.dialect != "duckdb" or not recs or not recs[0].types:
        return []
    if None in models:
        if "model" not in recs[0].found:
            return []
        model = f"cast({recs[0].expression('model')} as varchar)"
        with inputs.engine.naming(inputs.objects):
            found = inputs.engine.rows(
                f"select distinct {model} from {recs[0].relation} limit {MOST_NAMED_MODELS + 1}"
            )
        names = sorted(name for (name,) in found if name is not None)
    if len(names) > MOST_NAMED_MODELS:
        return []
    try:
        return [text(name, "duckdb") for name in names]
    except InputError:
        return []


def _recs(source: Source, model: str | None, dialect: str, names: list[str]) -> dict[str, Any]:
    entry = _columns(source) | {"model": model, "models": names}
    if model is not None:
        entry["columns"]["model"] = text(model, dialect)
    return entry


def _columns(source: Source) -> dict[str, Any]:
    return {
        "relation": source.relation,
        "unnest": source.unnest,
        "columns": {
            name: source.expression(name) if name in source.found else None
            for name in known_columns()
        },
        "floating": {name: is_floating(source, name) for name in sorted(NUMBERS)},
    }
