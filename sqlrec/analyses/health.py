"""The health of a dataset: the agreement of lists, truth and history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..catalogue.headers import TABLES
from ..display.numbers import format_count
from ..engines.duckdb import DuckDB
from ..errors import SqlrecError
from ..inputs.read import Inputs
from ..inputs.source import Source, unify_ids
from ..inputs.tables import Tables
from ..inputs.unused_columns import unused_columns
from ..layouts.result import format_model_users
from ..plan.sources import IDS
from ..rendering.templates import render

_COUNTS = (
    *("models", "users", "items", "rows", "repeats"),
    *("judged_users", "judged_items", "judged_rows", "judged_repeats"),
    *("users_in_both", "items_in_both", "judged_seen", "shown_seen", "relevant_users"),
)

# The counts for recs and truth: repeated rows, and pairs that are also in the history.
_REPEATS, _LEAKS = ("repeats", "judged_repeats"), ("shown_seen", "judged_seen")


@dataclass(frozen=True)
class Health:
    """Counts of a dataset."""

    counts: Mapping[str, int]  # The counts of ``sql/health.sql``.
    # By model, the number of users with a list, and the number of users with a list and a relevant
    # item.
    users_of_models: Mapping[str, tuple[int, int]]
    unread: Mapping[str, list[str]]  # The columns that no metric reads, by input.
    inputs: list[str]  # The names of the inputs.

    def lines(self) -> list[str]:
        """Return the counts as lines of text."""
        counts = self.counts
        lines = [f"lists     {_format_counts(counts, 'models', 'users', 'items', 'rows')}"]
        if "truth" in self.inputs:
            lines += self._truth_lines()
        lines.append(f"repeats   {self._count_by_input(*_REPEATS, 'rows')}")
        if "history" in self.inputs:
            lines.append(f"leaks     history has {self._count_by_input(*_LEAKS, 'pairs')}")
        unread = [f"{name}.{column}" for name, names in self.unread.items() for column in names]
        lines.append(f"not read  {', '.join(unread) or 'no column'}")
        return lines

    def notes(self) -> Iterator[str]:
        """Yield notes on repeated rows and on pairs that are also in the history, if any."""
        if any(self.counts[name] for name in _REPEATS):
            yield f"repeated: {self._count_by_input(*_REPEATS, 'rows')}"
        if any(self.counts[name] for name in _LEAKS):
            yield f"also in history: {self._count_by_input(*_LEAKS, 'pairs')}"

    def _count_by_input(self, recs_text: str, truth_text: str, noun: str) -> str:
        """Return counts for recs and truth as text: ``3 rows of recs, 0 rows of truth``."""
        texts = {"recs": recs_text, "truth": truth_text}
        return ", ".join(
            f"{format_count(self.counts[count], noun)} of {name}"
            for name, count in texts.items()
            if name in self.inputs
        )

    def _truth_lines(self) -> list[str]:
        counts = self.counts
        users, both = counts["judged_users"], counts["users_in_both"]
        totals = {name: counts[f"judged_{name}"] for name in ("users", "items", "rows")}
        relevant = counts["relevant_users"]
        models = self.users_of_models or {"recs": (0, 0)}
        without_list = {model: relevant - both for model, (_, both) in models.items()}
        without_truth = {model: users - both for model, (users, both) in models.items()}
        item_share = _format_share(counts["items_in_both"], totals["items"])
        return [
            f"truth     {_format_counts(totals, *totals)}",
            f"matched   {_format_share(both, users)} of users of truth have a list"
            f"{' of any model' * (len(self.users_of_models) > 1)}, {item_share} of its items are "
            "in lists",
            f"no list   {format_model_users('users_without_list', without_list) or 'no user'}",
            f"no truth  {format_model_users('unjudged_lists', without_truth) or 'no user'}",
        ]


def read_health(tables: Tables) -> Health | None:
    """Return the health of a dataset in DuckDB; None for other engines, or without lists.

    Raises:
        InputError, DataError: An input can't be read.
    """
    engine = tables.engine
    if not isinstance(engine, DuckDB) or tables.recs is None:
        return None
    engine.refresh()
    inputs = Inputs.from_tables(tables, ())
    models = inputs.models("recs")
    inputs_read: list[tuple[str, str | None]] = [("recs", model) for model in models]
    inputs_read += [(name, None) for name in ("truth", "history") if name in inputs.tables]
    sources = [
        inputs.read(name, model, required=TABLES[name][0], optional=TABLES[name][1])
        for name, model in inputs_read
    ]
    sources = unify_ids(sources, IDS)
    entries = [
        _columns_for_sql(source, name, model)
        for source, (name, model) in zip(sources, inputs_read, strict=True)
    ]
    others = {name: entry for entry, (name, _) in zip(entries, inputs_read, strict=True)}
    plan = {"lists": entries[: len(models)], "judged": others.get("truth")}
    text = render("health", plan | {"seen": others.get("history")}, engine.dialect)
    (row,) = inputs.rows(text)
    engine.release()
    unread = {
        name: unused_columns(inputs, source, name)
        for source, (name, _) in zip(sources, inputs_read, strict=True)
    }
    *numbers, model_users = row
    # A model with only empty lists has no row.
    users_of_models = {model: (0, 0) for model in models if model}
    users_of_models |= {model: (users, both) for model, users, both in model_users or ()}
    counts = dict(zip(_COUNTS, numbers, strict=True))
    return Health(counts, users_of_models, unread, [*tables.present])


def describe_dataset(tables: Tables) -> str:
    """Return the text for a dataset: its health, and the location of its tables."""
    names = [*tables.present]
    try:
        health = read_health(tables)
        lines = [] if health is None else health.lines()
    except SqlrecError as error:
        lines = [f"error     {error}"]
    title = f"Dataset of {', '.join(names) or 'no inputs'} in {tables.engine.dialect}"
    return "\n".join([title, *lines])


def _columns_for_sql(source: Source, name: str, model: str | None) -> dict[str, object]:
    entry = {x: source.expression(x) for x in ("user_id", "item_id")}
    constant = "'" + (model or "recs").replace("'", "''") + "'"
    in_column = name == "recs" and model is None and "model" in source.columns
    own = f"cast({source.expression('model')} as varchar)" if in_column else constant
    entry["relevance"] = source.expression("relevance") if "relevance" in source.columns else "1"
    return entry | {"relation": source.relation, "unnest": source.unnest, "model": own}


def _format_share(part: int, total: int) -> str:
    return f"{100 * part / total:.4g}%" if total else "none"


def _format_counts(counts: Mapping[str, int], *names: str) -> str:
    return ", ".join(format_count(counts[name], name) for name in names)
