"""From what the caller asks to the plan that the SQL templates read."""

from __future__ import annotations

import numbers
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .catalogue import Asked, spelled
from .errors import InputError, nearest
from .inputs import (
    Columns,
    Inputs,
    Source,
    check_ids,
    check_number,
    check_scores,
    is_floating,
    is_nested,
)
from .names import identifier, text

# Cutoff of the whole list, and the place of what is not in a list: past every cutoff.
WHOLE_LIST_K = 2_147_483_646
PAST_EVERY_CUTOFF = 2_147_483_647

# What a relevance may be at most, so that gains and their sums stay numbers.
LARGEST_RELEVANCE = 1e100
LARGEST_EXPONENT = 1000

# Columns of a report beside the result: who was counted.
ACCOUNTS = (
    "users_evaluated",
    "users_without_list",
    "short_lists",
    "ties_at_cutoff",
    "unjudged_lists",
    "repeated_rows",
)
_TAKEN = ("model", "user_id", "metric", "k", "value", "users", *ACCOUNTS, "faults")


@dataclass(frozen=True)
class Rules:
    """The rules that can be switched, each with its default first.

    Attributes:
        population: Who is averaged over.
        order: Whether score or rank orders a list; None takes what there is, and checks that
            they agree where there are both.
        ties: Which item comes first among equal scores.
        duplicates: What an item twice in a list, or a judgement twice in the truth, leads to.
        null_scores: What a missing score leads to.
        relevance_threshold: The relevance from which an item is relevant; None: all above 0.
    """

    population: str = "truth"
    order: str | None = None
    ties: str = "item_asc"
    duplicates: str = "error"
    null_scores: str = "error"
    relevance_threshold: float | None = None

    def __post_init__(self) -> None:
        for name, allowed in ALLOWED.items():
            value = getattr(self, name)
            if value not in allowed:
                known = [choice for choice in allowed if choice is not None]
                raise InputError(f"{name}={value!r}: {nearest(str(value), known)}")
        threshold = self.relevance_threshold
        if threshold is not None and (
            isinstance(threshold, bool)
            or not isinstance(threshold, numbers.Real)
            or not abs(threshold) <= LARGEST_RELEVANCE
        ):
            raise InputError(
                f"relevance_threshold={threshold!r}: it is a number of at most {LARGEST_RELEVANCE}"
            )


ALLOWED: Mapping[str, tuple[str | None, ...]] = {
    "population": ("truth", "truth_and_recs", "judged", "recs"),
    "order": (None, "score", "rank"),
    "ties": ("item_asc", "item_desc"),
    "duplicates": ("error", "best"),
    "null_scores": ("error", "last", "drop"),
}


def make_plan(
    asked: list[Asked],
    inputs: Inputs,
    *,
    recs: Any,
    truth: Any,
    users: Any,
    by: list[str],
    rules: Rules,
) -> dict[str, Any]:
    """Read the inputs, check them and return the plan.

    The plan's entries:
        title: What is asked, in words.
        metrics: For each metric asked: label, column, macro, params, cutoffs.
        keys: The columns that name a list: user_id, and model where there are several.
        by: For each segment: the name asked for; its name in the SQL, which nothing else has; label
            in the result, column, and table.
        recs, truth, users: relation and columns; recs is a list of them.
        cutoffs, largest_k, depth: All cutoffs, the largest number among them, and the deepest of
            all, which is None where whole lists are asked.
        whole_list, past_every_cutoff: What stands for the cutoff of whole lists, and for the place
            of what is in none.
        graded: Whether the truth has grades.
        check_order: Whether score and rank have to agree.
        population, order, ties, duplicates, null_scores, relevance_threshold: The rules.
        largest_relevance: From where on gains could not be added up.

    Raises:
        InputError: An input or rule that can't be used.
    """
    models = _models(recs)
    dialect = inputs.engine.dialect
    ordered, grouped = _assumed(inputs.columns, rules, by)
    rec_sources = [
        inputs.read(
            table,
            "recs" if model is None else f"recs[{model!r}]",
            "recs",
            needed=("user_id", "item_id"),
            assumed=ordered,
            taken=("score", "rank", *(["model"] if model is None else [])),
        )
        for model, table in models.items()
    ]
    truth_source = inputs.read(
        truth,
        "truth",
        "truth",
        needed=("user_id", "item_id"),
        assumed=grouped if users is None else (),
        taken=("relevance", *by),
    )
    tables = {"truth": truth_source}
    if users is not None:
        tables["users"] = inputs.read(
            users, "users", "users", needed=("user_id",), assumed=grouped, taken=by
        )
    inputs.columns.check_used()
    check_ids([*rec_sources, *tables.values()], "user_id")
    check_ids([*rec_sources, truth_source], "item_id")
    order, check_order = _order(rec_sources, rules)
    graded = "relevance" in truth_source.found and truth_source.kind("relevance") != "BOOLEAN"
    if graded:
        check_number(truth_source, "relevance")
    elif rules.relevance_threshold is not None:
        raise InputError(
            f"relevance_threshold={rules.relevance_threshold} needs a column 'relevance' with "
            f"numbers in truth: it has {', '.join(truth_source.types)}. "
            "Name yours: columns={'relevance': ...}"
        )
    several = None not in models or "model" in rec_sources[0].found
    cutoffs = sorted({one.k or WHOLE_LIST_K for one in asked})
    return {
        "title": ", ".join(spelled(one.label, one.k) for one in asked),
        "metrics": _metrics(asked),
        "keys": ["model", "user_id"] if several else ["user_id"],
        "by": [_segment(number, name, tables, dialect) for number, name in enumerate(by, start=1)],
        "recs": [
            _recs(source, model, dialect) for source, model in zip(rec_sources, models, strict=True)
        ],
        "truth": _columns(truth_source),
        "users": _columns(tables["users"]) if "users" in tables else None,
        "cutoffs": cutoffs,
        "largest_k": max((one.k for one in asked if one.k), default=None),
        "depth": None if WHOLE_LIST_K in cutoffs else cutoffs[-1],
        "whole_list": WHOLE_LIST_K,
        "past_every_cutoff": PAST_EVERY_CUTOFF,
        "graded": graded,
        "check_order": check_order,
        "population": rules.population,
        "order": order,
        "ties": rules.ties,
        "duplicates": rules.duplicates,
        "null_scores": rules.null_scores if order == "score" else "error",
        "relevance_threshold": rules.relevance_threshold,
        "largest_relevance": (
            LARGEST_EXPONENT
            if any("exponential" in one.params.values() for one in asked)
            else LARGEST_RELEVANCE
        ),
    }


def _assumed(columns: Columns, rules: Rules, by: list[str]) -> tuple[list[str], list[str]]:
    """Say which columns recs, and the table of segments, have where nobody can look."""
    named = {key.removeprefix("recs.") for key in columns.named}
    ordered = rules.order or ("rank" if "rank" in named and "score" not in named else "score")
    return [ordered], [name for name in by if f"truth.{name}" not in columns.named]


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


def _metrics(asked: list[Asked]) -> list[dict[str, Any]]:
    """Bring cutoffs of one metric together, in the order in which they were asked."""
    found: dict[str, dict[str, Any]] = {}
    for one in asked:
        entry = found.setdefault(
            one.label,
            {
                "label": one.label,
                "column": re.sub(r"\W+", "_", one.label).strip("_"),
                "macro": f"{one.metric.rows}__{one.metric.name}",
                "params": dict(one.params),
                "cutoffs": [],
            },
        )
        entry["cutoffs"].append(one.k or WHOLE_LIST_K)
    return list(found.values())


def _segment(number: int, name: str, tables: Mapping[str, Source], dialect: str) -> dict[str, str]:
    """Find the table of a segment: the users table, or else the truth."""
    table = next((table for table in reversed(list(tables)) if name in tables[table].found), None)
    if table is None:
        has = "; ".join(f"{table} has {', '.join(s.types)}" for table, s in tables.items())
        raise InputError(f"by={name!r}: no such column in {' or '.join(tables)}: {has}")
    if name in _TAKEN:
        raise InputError(
            f"by={name!r}: the result has a column of this name already; "
            f"call it otherwise: by=['segment'], columns={{'segment': {name!r}}}"
        )
    kind = tables[table].kind(name)
    if is_nested(kind):
        raise InputError(f"by={name!r} is {kind}: a segment is a single value")
    if kind == "BOOLEAN" and dialect == "postgres":
        raise InputError(f"by={name!r} is {kind}, which PostgreSQL does not order: cast it to text")
    return {
        "asked": name,
        "name": f"segment_{number}",
        "label": identifier(name, dialect),
        "column": tables[table].expression(name),
        "table": table,
    }


def _recs(source: Source, model: str | None, dialect: str) -> dict[str, Any]:
    entry = _columns(source) | {"model": model}
    if model is not None:
        entry["columns"]["model"] = text(model, dialect)
    return entry


def _columns(source: Source) -> dict[str, Any]:
    names = ("user_id", "item_id", "score", "rank", "model", "relevance")
    return {
        "relation": source.relation,
        "unnest": source.unnest,
        "columns": {
            name: source.expression(name) if name in source.found else None for name in names
        },
        "floating": {name: is_floating(source, name) for name in ("score", "relevance")},
    }
