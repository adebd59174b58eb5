"""The main job: from metrics and inputs to a result, in one statement."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import messages
from ..catalogue.conventions import OWN
from ..catalogue.headers import TABLES, known_columns
from ..catalogue.own import know, where
from ..catalogue.requests import MetricRequest, asks_everything, parse_metrics, spelled
from ..dialects import text
from ..engines.base import Engine
from ..engines.connect import of_ibis, open_engine, session_of
from ..engines.duckdb import DuckDB
from ..errors import DataError, InputError, cause
from ..inputs.read import Columns, Inputs, first_line, held, paths
from ..options import CLUSTER, CONVENTION, DEPTH, USER_WEIGHTS, check_flag
from ..plan.build import ACCOUNTS, WEIGHTS, make_plan
from ..plan.plan import Plan
from ..plan.plan import Table as PlannedTable
from ..rendering.statement import names, tables_of
from ..rendering.templates import render
from ..results.rows import Rows
from ..results.table import Table
from ..rules import RULES, read_rules
from ..shown import warn
from ..statistics.formulas import is_of_zeros_and_ones
from .segments import columns_of

if TYPE_CHECKING:
    import pyarrow as pa


# Columns of a report, between the segments and the counts; and of broken rules.
RESULT = ("metric", "k", "asked", "value", "users")
VIOLATION = ("violation", "found", "user_id", "item_id", "rank")

# What a value is told apart by.
Key = tuple[Any, ...]

# The types of columns, as Arrow calls them, that are the same in every engine; and what makes them.
_TYPES = {
    **dict.fromkeys(("k", "users", *ACCOUNTS, "violations", "found", "rank", "touched"), "int64"),
    **dict.fromkeys(("model", "metric", "asked", "population"), "string"),
    **dict.fromkeys(("value", "standard_error", "deciding_users", *WEIGHTS), "float64"),
}
_CHANGED = (
    "rows broke a rule that they kept when they were read again: give tables that stay the same"
)
# How engines say that a number is too large to count with, or that there is no such number.
_OF_NUMBERS = re.compile("overflow|out of range|zero", re.IGNORECASE)
_MADE: Mapping[str, Callable[[Any], Any]] = {"int64": int, "string": str, "float64": float}


def _made(types: Mapping[str, str], rows: Iterable[Sequence[Any]]) -> Rows:
    """Make rows of what an engine returns, its numbers in our types."""
    made = [_MADE.get(kind, lambda value: value) for kind in types.values()]
    return Rows(
        types,
        [
            {
                name: None if value is None else make(value)
                for name, value, make in zip(types, row, made, strict=True)
            }
            for row in rows
        ],
    )


# An effective sample is small below this many decisions, or below this share of all. A weight that
# is a tenth of all weight leaves an effective sample below 100, whatever else there is.
SMALL_SAMPLE = 100
SMALL_SHARE = 0.01

# What is said of each violation that sql/violations.sql can find, the most basic first.
_LIST_VIOLATIONS = {
    "user": "{table} has {found} places without user_id: leave those rows out",
    "model": "{table} has {found} places without model, as for user {user_id}: name their model",
    "item": "{table} has {found} places without item_id, as for user {user_id}: leave them out",
    "score": (
        "{table}: item {item_id} of user {user_id} has no score (null or NaN), one of {found}: "
        "give null_scores='last' to rank such items last, or 'drop' to leave them out"
    ),
    "rank": (
        "{table}: item {item_id} of user {user_id} has rank {rank}, one of {found} that are null "
        "or below 1: ranks start at 1"
    ),
    "twice": (
        "{table}: user {user_id} has item {item_id} more than once, one of {found} such repeats: "
        "a list names an item once; give duplicates='best' to keep its best place"
    ),
    "rank_twice": (
        "{table}: user {user_id} has rank {rank} more than once, one of {found} such repeats: a "
        "place holds one item; give each its own rank, or order='score' where there are scores"
    ),
    "order": (
        "{table}: item {item_id} of user {user_id} has rank {rank} and no score, or a higher score "
        "than the place before, one of {found}: say which counts, order='rank' or order='score'"
    ),
    "unscored": (
        "{table}: item {item_id} of user {user_id} has no score, or one beyond 1e+100, one of "
        "{found}: metrics of scores need numbers; give null_scores='drop' to leave missing ones out"
    ),
}
_WEIGHT_VIOLATIONS = {
    "unweighted": (
        "{table}: user {user_id} has no weight (null, or no row), one of {found} such users: "
        "give each user who is averaged over a number, 0 if the user is not to count"
    ),
    "several_weights": (
        "{table}: user {user_id} has rows with different weights, one of {found} such users: a "
        "user has one weight; give all rows of a user the same"
    ),
    "weight": (
        "{table}: user {user_id} has a weight that is NaN, below 0 or beyond 1e+100, one of "
        "{found} such users: a weight is a number from 0; correct it"
    ),
    "weights_zero": (
        "{table}: the weights of all users are 0, so that there is no mean: give some a weight "
        "above 0"
    ),
}
_VIOLATIONS = {
    **{f"recs_{violation}": message for violation, message in _LIST_VIOLATIONS.items()},
    "truth_user": "truth has {found} rows without user_id: leave those rows out",
    "truth_item": "truth has {found} rows without item_id, as for user {user_id}: leave them out",
    "truth_relevance": (
        "truth: item {item_id} of user {user_id} has no relevance (null or NaN), or one beyond "
        "{largest}, one of {found}: give it a number, 0 if it is not relevant"
    ),
    "truth_propensity": (
        "truth: item {item_id} of user {user_id} has a propensity below 0, above 1 or below "
        "1e-100, one of {found}: give the probability that the item was shown, null if it is not "
        "known"
    ),
    "truth_twice": (
        "truth: user {user_id} has item {item_id} more than once, one of {found} such repeats: "
        "an item is judged once; give duplicates='best' to keep its best grade"
    ),
    **{f"baseline_{violation}": message for violation, message in _LIST_VIOLATIONS.items()},
    "history_user": "history has {found} items without user_id: leave those rows out",
    "history_item": (
        "history has {found} users with rows without item_id, as user {user_id}: leave them out"
    ),
    "catalog_item": "catalog has rows without item_id: leave them out",
    "items_item": "items has {found} rows without item_id: leave them out",
    "items_value": (
        "items: item {item_id} has a value or distance beyond 1e100, one of {found} such rows: "
        "larger ones can't be added up; give it in another unit, or leave it out"
    ),
    "items_price": (
        "items: the price of item {item_id} is null, NaN, below 0 or beyond 1e100, one of {found} "
        "such rows: give each item its price, 0 if it costs nothing"
    ),
    "items_distance": (
        "items: item {item_id} has a distance below 0, one of {found} such rows: distances are "
        "from 0 up; give 1 - similarity if the column has similarities"
    ),
    "items_twice": (
        "items: item {item_id} has more than one price, one of {found} such items: "
        "give each item a single price"
    ),
    "items_unpriced": (
        "item {item_id} has no price in items, one of {found} such rows of truth or recs: "
        "give items a price for each relevant or shown item"
    ),
    "logs_user_id": "logs has {found} decisions without user_id: leave those rows out",
    "logs_item_id": (
        "logs has {found} decisions without item_id, as for user {user_id}: leave them out"
    ),
    "logs_slate_id": (
        "logs has {found} decisions without slate_id, or of a slate that has another at the same "
        "position: give each slate one row per position"
    ),
    "logs_position": (
        "logs has {found} decisions whose position is null or below 1, as for user {user_id}: "
        "positions start at 1"
    ),
    "logs_reward": (
        "logs has {found} decisions whose reward is null, NaN or beyond 1e+100: give each its "
        "reward, 0 if there was none"
    ),
    "logs_propensity": (
        "logs has {found} decisions whose propensity is null, NaN, 0, below 1e-100 or above 1: "
        "give the probability of the logged action; leave out decisions where it is not known"
    ),
    "logs_target_probability": (
        "logs has {found} decisions whose target_probability is null, NaN, below 0 or above 1: "
        "give the probability that the evaluated policy takes the action, 0 if it never does"
    ),
    "logs_predicted_reward": (
        "logs has {found} decisions whose predicted_reward is null, NaN or beyond 1e+100: give "
        "each the reward model's prediction for the logged action"
    ),
    "logs_expected_reward": (
        "logs has {found} decisions whose expected_reward is null, NaN or beyond 1e+100: give "
        "each the reward model's mean prediction under the evaluated policy"
    ),
    **dict.fromkeys(
        ("truth_segment", "users_segment"),
        "{table}: user {user_id} has more than one value of {by}, one of {found} such users: a "
        "user belongs to one segment",
    ),
    **{
        f"{table}_{violation}": message
        for violation, message in _WEIGHT_VIOLATIONS.items()
        for table in ("truth", "users")
    },
}


@dataclass(frozen=True)
class Job:
    """One call: what is asked, the inputs, and the plan made of them."""

    asked: list[MetricRequest]
    inputs: Inputs
    plan: Plan
    paths: Sequence[str] = ()

    def render(self, macro: str, plan: Plan | None = None, **arguments: Any) -> str:
        """Write the statement of a macro, for the whole plan or a part of it."""
        engine = self.inputs.engine
        text = render(macro, plan or self.plan, engine.dialect, **arguments)
        # An engine of our own has no tables but those that we name.
        tables = [table.relation for table in self.plan.tables()]
        given = [relation for relation in tables if not engine.own or relation.startswith("(")]
        inside = names(text, engine.dialect) if given else set()
        for relation in (name for one in given for name in tables_of(one, engine.dialect)):
            if relation.strip('"`').lower() in inside:
                raise InputError(
                    f"{relation} is a name inside the statement: "
                    f"give the table's name with its schema, as in main.{relation}"
                )
        return text

    def query(self, text: str, columns: Iterable[str]) -> pa.Table | Rows:
        """Run a query, and return its columns under our names and in our types."""
        engine = self.inputs.engine
        with self.errors(), engine.naming(self.inputs.objects):
            rows = engine.query(text)
        if rows is None:
            return self.rows(text, columns)
        import pyarrow as pa

        # Snowflake gives names in upper case; a driver without types calls what is all null null.
        rows = rows.rename_columns([*columns])
        ours = _TYPES | dict.fromkeys(self.segments)
        schema = [(field.name, ours.get(field.name) or field.type) for field in rows.schema]
        return rows.cast(pa.schema(schema))

    def records(self, text: str, columns: Sequence[str]) -> list[dict[str, Any]]:
        """Run a query, and return its rows as dicts; those of segments in the engine's types."""
        return self.few(text, columns).records

    @property
    def counted(self) -> list[str]:
        """The columns of a report that count users and lists, and summarise their values."""
        errors = ["standard_error"] if self.plan.errors else []
        summaries = [f"summary_{place}" for place, _ in enumerate(self.plan.summaries, 1)]
        return [*errors, *summaries, "population", *ACCOUNTS, *self.weights, "violations"]

    def report(self) -> tuple[str, Rows]:
        """Evaluate; return the statement, and its rows with the counts, checked."""
        text, rows = self.read()
        return text, self.checked(rows)

    def read(self, plan: Plan | None = None) -> tuple[str, Rows]:
        """Evaluate all users or, by another plan, some; return the statement and its rows."""
        text = self.render("evaluation", plan)
        return text, self.few(text, ("model", *self.segments, *RESULT, *self.counted))

    def checked(self, rows: Rows) -> Rows:
        """Put the rows of a report in order, and raise or warn as ``check`` does."""
        records = self.sorted(rows.records)
        self.check(records)
        return Rows(dict(rows.schema), records)

    def read_groupings(
        self, jobs: Sequence[Job], change: Callable[[Plan], Plan]
    ) -> list[tuple[str, Rows]]:
        """Evaluate jobs that go by some of this one's segments as ``read``, all in one statement.

        Per-user values are the same in each, so that they are made once. A model without users
        to average over is in no group, and each job then has a statement of its own.

        Args:
            jobs: The jobs.
            change: Makes of the plan of a job that of the metrics and users to evaluate.
        """
        text, number = self.render_groupings(jobs, change), "grouping_number"
        names = {segment.asked: segment.name for segment in self.plan.by}
        rows = self.few(text, ("model", *names, number, *RESULT, *self.counted))
        if any(row[number] is None for row in rows.records):
            return [job.read(change(job.plan)) for job in jobs]
        found = []
        for job in jobs:
            left_out = sum(
                2**place for place, one in enumerate(reversed(names)) if one not in job.segments
            )
            ours = [row for row in rows.records if row[number] == left_out]
            columns = ("model", *job.segments, *RESULT, *job.counted)
            found.append((text, Rows(dict(rows.schema), ours).select(columns)))
        return found

    def render_groupings(self, jobs: Sequence[Job], change: Callable[[Plan], Plan]) -> str:
        """Write that statement."""
        names = {segment.asked: segment.name for segment in self.plan.by}
        groupings = [[names[one] for one in job.segments] for job in jobs]
        plan = change(self.plan).each(lambda one: replace(one, groupings=groupings)).numbered()
        return self.render("evaluation", plan)

    def few(self, text: str, columns: Sequence[str]) -> Rows:
        """Run a query of few rows; the types of segments are the engine's."""
        if not self.segments:
            return self.rows(text, columns)
        engine = self.inputs.engine
        with self.errors(), engine.naming(self.inputs.objects):
            found = engine.simple(text)
        if found is None:
            return Rows.of(self.query(text, columns))
        rows, kinds = found
        ours = {name: kind for name, kind in _TYPES.items() if name not in self.segments}
        return _made(
            {name: ours.get(name, kind) for name, kind in zip(columns, kinds, strict=True)}, rows
        )

    def rows(self, text: str, columns: Iterable[str]) -> Rows:
        """Run a query; columns that have no type of ours are as they come."""
        with self.errors():
            return self._rows(text, columns)

    def _rows(self, text: str, columns: Iterable[str]) -> Rows:
        engine = self.inputs.engine
        with engine.naming(self.inputs.objects):
            found = engine.rows(text)
        return _made({name: _TYPES.get(name, "") for name in columns}, found)

    def per_user(self) -> Table:
        """Return per-user values, which DuckDB writes to a file without holding them all."""
        engine = self.inputs.engine

        @cache
        def text() -> str:
            """Write the statement, which takes as long as to evaluate a small table."""
            return self.render("user_evaluation") if self.of_users else ""

        def copy(path: Path) -> None:
            self.check_users()
            assert isinstance(engine, DuckDB)
            with self.resting(), self.errors(), engine.naming(self.inputs.objects):
                engine.copy(f"select * exclude (violations) from (\n{text()}\n) as result", path)

        def fetch() -> pa.Table | Rows:
            self.check_users()
            columns = ("model", *self.segments, "user_id", *RESULT[:-1])
            with self.resting():
                return self.query(text(), (*columns, "violations")).select(columns)

        return Table(text, fetch, copy if isinstance(engine, DuckDB) else None, self.paths)

    @property
    def of_users(self) -> bool:
        """Whether some metric has a value for each user."""
        return any(kind.of_users for kind in self.plan.kinds)

    @cached_property
    def means(self) -> set[str]:
        """The metrics that are the mean of per-user values, by label."""
        return self._listed("plain_means")

    @cached_property
    def linear(self) -> set[str]:
        """The metrics that are functions of sums over users, such as pooled errors, by label."""
        return self._listed("linear_metrics")

    def _listed(self, macro: str) -> set[str]:
        return set(render(macro, self.plan, self.inputs.engine.dialect).splitlines())

    @cached_property
    def of_sums(self) -> set[str]:
        """Those of them whose sums are over per-user values, by label."""
        of_users = {metric.label for metric, kind in self.plan.metrics() if kind.of_users}
        return self.linear & of_users

    @cached_property
    def shares(self) -> set[str]:
        """The means of values between 0 and 1, by label."""
        return {one.label for one in self.asked if one.metric.is_share} & self.means

    def is_of_shares(self, row: Mapping[str, Any]) -> bool:
        """Say whether the values behind a row are 0 and 1 alone, and could be no others.

        Between 0 and 1 the mean tells the deviation where they are; where all are 0 no other
        interval has a width.
        """
        value, users, error = row["value"], row["users"], row["standard_error"]
        if row["metric"] not in self.shares or value is None or error is None:
            return False
        return is_of_zeros_and_ones(value, users, error)

    def check_users(self) -> None:
        """Refuse per-user values where no metric has them.

        Raises:
            InputError: None has.
        """
        if not self.of_users:
            raise InputError(messages.NO_USERS.format(title=self.plan.title))

    def made(self, **options: Any) -> str:
        """Say as JSON how a result is made: the options given, and the rules of each metric."""
        rules = {}
        for one in self.asked:
            part = self.part({"metric": one.label})
            own = {name: getattr(part, name) for name in RULES if name != "order"}
            rules[one.label] = own | {"depth": part.ends}
        return json.dumps(options | {"rules": rules})

    def check_weighted(self) -> None:
        """Check that all metrics are means over users, where users have weights.

        Raises:
            InputError: One is not.
        """
        if weights := self.plan.user_weights:
            known = self._listed("weighted_means")
            for one in self.asked:
                if one.label not in known:
                    shown = {"weights": weights.asked, "metric": one.label}
                    raise InputError(messages.NOT_WEIGHTED.format(**shown))

    def check_deciding_users(self) -> None:
        """Refuse decisions whose users are unknown, where users are asked for.

        Raises:
            InputError: Logs has no such column.
        """
        if self.plan.logs and not self.plan.logs.user_id:
            raise InputError(
                "cluster='user_id': logs has no column 'user_id'; name yours: "
                "columns={'logs.user_id': ...}"
            )

    @property
    def segments(self) -> list[str]:
        """The columns that values are grouped by, as the caller names them."""
        return [segment.asked for segment in self.plan.by]

    @property
    def pair_segments(self) -> list[str]:
        """The columns that a difference is told apart by beside the model: the other, of pairs."""
        return [*(["baseline"] if self.plan.pairs else []), *self.segments]

    @property
    def weights(self) -> tuple[str, ...]:
        """The columns of a report on weights, where values are made of some."""
        if not self.plan.weighed:
            return ()
        return (*WEIGHTS, "deciding_users") if self.plan.errors else WEIGHTS

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Let the engine rest afterwards, so that a result that is kept holds its rows alone."""
        try:
            yield
        finally:
            self.inputs.engine.rest()

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Say of an engine's error what rows, or metrics of one's own, have to do with it."""
        try:
            yield
        except InputError:
            raise
        except self.inputs.engine.error as error:
            if _OF_NUMBERS.search(str(error)) and (broken := self._that_stopped()):
                raise DataError(broken) from cause(error)
            files = where(dict.fromkeys(one.metric.name for one in self.asked))
            hint = f"; metrics of your own: {files}" if files else ""
            raise DataError(f"the statement stopped: {first_line(error)}{hint}") from cause(error)

    def _that_stopped(self) -> str:
        """Say which rule the rows break that stopped a statement before it could count them."""
        with suppress(self.inputs.engine.error):
            for plan in self.plan.parts or [self.plan]:
                if broken := self._broken_rule(plan):
                    return broken
        return ""

    def sorted(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Put rows in the order in which models and metrics were given, and segments by value."""
        models = [source.model for source in self.plan.recs]
        asked = {(one.label, one.k): number for number, one in enumerate(self.asked)}

        def key(row: Mapping[str, Any]) -> tuple[Any, ...]:
            segments = [row[name] for name in self.segments]
            return (
                models.index(row["model"]) if row["model"] in models else 0,
                # Rows without model are refused once they are in order.
                (row["model"] is None, row["model"]),
                [(value is None, value) for value in segments],
                asked[row["metric"], row["k"]],
            )

        return sorted(rows, key=key)

    def user_counts(self, rows: Rows) -> Rows:
        """Take the counts of users and lists: once per convention, population and cutoff."""
        keys = ["model", *self.segments, "population", "k"]
        conventions = {(one.label, one.k): one.convention for one in self.asked}
        first: dict[tuple[Any, ...], dict[str, Any]] = {}
        for row in rows.records:
            row = row | {"convention": conventions[row["metric"], row["k"]]}
            row = row | {"row_order": self.part(row).row_order}
            # By repr, NaN is itself.
            first.setdefault(tuple(repr(row[name]) for name in ("convention", *keys)), row)
        types = dict(rows.schema) | {"convention": "string", "row_order": "string"}
        names = ["model", *self.segments, "convention", "population", "k", *ACCOUNTS]
        names += ["row_order"] * any(row["row_order"] for row in first.values())
        return Rows(types, [*first.values()]).select(names)

    def check(self, rows: list[dict[str, Any]]) -> None:
        """Raise what a report says is wrong with the inputs, and warn of what may be.

        Raises:
            DataError: Rows that break a rule, or no users to average over.
        """
        self.refuse_broken(rows)
        self._refuse_infinite(rows)
        names = " and ".join(self.segments)
        if names and all(row[name] is None for row in rows for name in self.segments):
            of = "users" if self.plan.users else "truth"
            warn(f"{names}: null for every user: are the user_ids of {of} spelled alike?")
        for message in (*self._empty(rows), *self._nothing_in_common(rows)):
            warn(message)
        for row in self._small_samples(rows):
            segments = ", ".join(f"{name}={row[name]}" for name in self.segments)
            where = f"{row['model']}{'' if row['k'] is None else '@' + str(row['k'])}"
            warn(
                f"{where}{f' ({segments})' if segments else ''}: the effective sample is "
                f"{row['effective_decisions'] or 0:.1f} of {row['users_evaluated']} logged "
                f"decisions, whose largest weight is {row['largest_weight']:.6g}: estimates are "
                "uncertain, and nothing is known of actions that the logs do not have"
            )

    def _refuse_infinite(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Refuse what a metric of one's own divides by 0, which other engines than this refuse."""
        asked = {(one.label, one.k): one.metric.name for one in self.asked}
        for row in rows:
            if row["value"] is None or math.isfinite(row["value"]):
                continue
            if told := where([asked[row["metric"], row["k"]]]):
                raise DataError(
                    f"{told}: {row['asked']} of {row['model']} is {row['value']}: divide by "
                    "nullif(..., 0), so that it is undefined where that is 0"
                )

    def refuse_broken(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Raise what the rows of a report say is wrong with the inputs."""
        for row in rows:
            if row["violations"]:
                raise DataError(self.violation(self.part(row)))

    def _empty(self, rows: list[dict[str, Any]]) -> list[str]:
        """Say for each model what has no users to average over.

        Raises:
            DataError: None has any.
        """
        found: dict[tuple[str, str], list[str]] = {}
        for row in rows:
            if not row["users_evaluated"]:
                names = found.setdefault((row["model"], self._nobody(row)), [])
                names.append(spelled(row["metric"], row["k"]))
        messages = [
            f"{model}: {', '.join(dict.fromkeys(names))} has no users to average over: {why}"
            for (model, why), names in found.items()
        ]
        if messages and not any(row["users_evaluated"] for row in rows):
            raise DataError(messages[0])
        return messages

    def _nothing_in_common(self, rows: list[dict[str, Any]]) -> list[str]:
        """Say of which models the lists have nothing to do with the truth, or with the cutoffs."""
        asked = {(one.label, one.k): one for one in self.asked}
        models: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            if row["users_evaluated"] and asked[row["metric"], row["k"]].reads("recs"):
                models.setdefault(row["model"], []).append(row)
        messages = []
        for model, those in models.items():
            of_hits = [row for row in those if asked[row["metric"], row["k"]].reads("truth")]
            everyone = [row["users_evaluated"] for row in of_hits]
            if of_hits and everyone == [row["users_without_list"] for row in of_hits]:
                messages.append(f"{model}: no user of truth has a list{self._reason(those)}")
                continue
            if of_hits and everyone == [
                row["unjudged_lists"] if row["population"] == "recs" else None for row in of_hits
            ]:
                reason = self._reason(those, of_truth=True)
                nothing = "no user with a list has anything relevant in truth"
                messages.append(f"{model}: {nothing}{reason}")
            elif of_hits and not any(row["value"] for row in of_hits):
                messages += self.without_items(model)
            if too_deep := self._too_deep(those):
                messages.append(
                    f"{model}: every list is shorter than {min(too_deep)} places: from that cutoff "
                    "on values are those of shorter lists"
                )
        return messages

    def without_items(self, model: str) -> list[str]:
        """Say of a model without hits that no list has an item of truth, if that is so."""
        if self._in_common("items_in_common", model, self.plan):
            return []
        where = self._conditions()
        if where and self._in_common("items_in_common", model, self._unfiltered(self.plan)):
            return [f"{model}: {where} leaves no item of truth in any list"]
        return [f"{model}: no item of truth is in any list{self._spelled('item_id', model)}"]

    def _spelled(self, name: str, model: str) -> str:
        """Ask whether ids are spelled alike, with one of the lists and one of the truth."""
        ((shown, judged),) = self._in_common("least_ids", model, self.plan, id_name=name)
        examples = f" Lists have {shown!r:.80}, and truth has {judged!r:.80}"
        return f": are the {name}s spelled alike?{examples if shown != judged else ''}"

    def _in_common(
        self, macro: str, model: str, plan: Plan, **arguments: Any
    ) -> Sequence[tuple[Any, ...]]:
        """Return what lists of a model and the truth have in common."""
        source = next(source for source in plan.recs if source.model in (None, model))
        of_column = source.model is None and "model" in plan.list_keys
        engine = self.inputs.engine
        named = text(model, engine.dialect) if of_column else ""
        plan = replace(plan, recs=[source])
        statement = self.render(macro, plan, named_model=named, **arguments)
        with self.errors(), engine.naming(self.inputs.objects):
            return engine.rows(statement)

    def _unfiltered(self, plan: Plan) -> Plan:
        """Return a plan of lists and truth without the conditions of the call."""

        def whole(table: PlannedTable, name: str) -> PlannedTable:
            condition = f" where {self.inputs.where.get(name)})"
            return replace(table, relation=table.relation.replace(condition, ")"))

        truth = plan.truth and whole(plan.truth, "truth")
        return replace(plan, recs=[whole(one, "recs") for one in plan.recs], truth=truth)

    def _conditions(self) -> str:
        """Format the conditions of lists and truth; empty where there are none."""
        where = {x: self.inputs.where[x] for x in ("recs", "truth") if x in self.inputs.where}
        return f"where={where}" if where else ""

    def _reason(self, rows: list[dict[str, Any]], of_truth: bool = False) -> str:
        """Say why users of the truth have no list, or those with a list nothing relevant."""
        model, part = rows[0]["model"], self.part(rows[0])
        ((places, highest, first),) = self._in_common("users_in_common", model, part)
        if not places:
            where, whole = self._conditions(), self._unfiltered(part)
            if where and self._in_common("users_in_common", model, whole)[0][0]:
                return f": {where} leaves none"
            return self._spelled("user_id", model)
        if of_truth:
            return f": none of their items there has a {self._relevance(part)}"
        if part.scores == "positive" and highest is not None and highest <= 0:
            return ": items with a score of 0 or below are left out, by the rules of the convention"
        if part.order == "score" and part.null_scores == "drop" and highest is None:
            return ": null_scores='drop' leaves out items without a score, and none has one"
        if first is not None and part.depth is not None and first > part.depth:
            return f": ranks begin at {first}, and cutoffs end at {part.depth}"
        return " with an item within the cutoffs"

    def _relevance(self, part: Plan) -> str:
        """Format from where on an item is relevant."""
        threshold = part.relevance_threshold
        return "relevance above 0" if threshold is None else f"relevance of at least {threshold}"

    def _too_deep(self, rows: list[dict[str, Any]]) -> set[int]:
        """Return the cutoffs that no list of a model reaches, unless lists are cut above them."""
        most = self.plan.ends or math.inf
        cutoffs = {row["k"] for row in rows if row["k"] and row["k"] <= most}
        reached = {row["k"] for row in rows if row["short_lists"] < row["users_evaluated"]}
        return cutoffs - reached

    def violation(self, plan: Plan) -> str:
        """Say which rule rows break first, under one set of rules."""
        with self.errors():
            return self._broken_rule(plan) or _CHANGED

    def _broken_rule(self, plan: Plan) -> str:
        text = self.render("violation_rows", replace(plan, lists=None))
        broken = {row["violation"]: row for row in self._rows(text, VIOLATION).records}
        if not broken:
            return ""
        violation = next(violation for violation in _VIOLATIONS if violation in broken)
        table, _, column = violation.partition("_")
        message = _VIOLATIONS[violation]
        if str(broken[violation].get("found")) == "1":
            message = re.sub(r"(has \{found\} [a-z]+)s\b", r"\1", message)
        column = {"user": "user_id", "item": "item_id"}.get(column, column)
        return self.inputs.part_without(column, table) or message.format(
            **broken[violation],
            table=table,
            by=" or ".join(self.segments),
            largest=plan.largest_relevance,
        )

    def part(self, row: Mapping[str, Any]) -> Plan:
        """Return the plan of the rules that a row of the report is under."""
        return self._parts[row["metric"]]

    @cached_property
    def _parts(self) -> dict[str, Plan]:
        parts = self.plan.parts or [self.plan]
        return {metric.label: part for part in parts for metric, _ in part.metrics()}

    def _small_samples(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return for each model the row whose weights are worth least, where that is too little."""
        worst: dict[str, dict[str, Any]] = {}
        for row in rows if self.weights else []:
            sample = row["effective_decisions"] or 0.0
            if (
                not row["users_evaluated"]
                or row["population"] != "logs"
                or sample >= max(SMALL_SAMPLE, SMALL_SHARE * row["users_evaluated"])
            ):
                continue
            before = worst.setdefault(row["model"], row)
            if sample < (before["effective_decisions"] or 0.0):
                worst[row["model"]] = row
        return list(worst.values())

    def _nobody(self, row: Mapping[str, Any]) -> str:
        """Say why there are no users to average over."""
        part = self.part(row)
        rule = self._relevance(part)
        left_out = ""
        if part.scores == "positive":
            left_out = "; items with a score of 0 or below are left out"
        elif part.null_scores == "drop":
            left_out = "; items without a score are left out"
        return {
            "truth": f"no item of truth has a {rule}",
            "truth_and_recs": f"no user with a list has an item with a {rule} in truth{left_out}",
            "judged": "truth has no users",
            "judged_and_recs": f"no user with a list is in truth{left_out}",
            "all": f"truth has no users, and no list has a place within the cutoff{left_out}",
            "recs": f"no list has a place within the cutoff{left_out}",
            "rated": "no item of a list is in the truth of its user",
            "logs": "logs has no decision that counts",
        }[row["population"]]


def open_inputs(options: Mapping[str, Any]) -> dict[str, Any]:
    """Open the engine of a call, once for all its statements, and read what is there only once.

    Args:
        options: What the caller gives: inputs by name, engine, settings, progress, and others.

    Returns:
        What ``prepare`` takes: the inputs together as ``given``, the engine, and the others.

    Raises:
        InputError: As ``open_engine``.
    """
    given = {name: options.get(name) for name in TABLES}
    used = (*TABLES, "engine", "settings", "progress", "metrics_path")
    others = {name: value for name, value in options.items() if name not in used}
    progress = options.get("progress", False)
    check_flag("progress", progress)
    know(options.get("metrics_path"))
    given, engine = of_ibis(given, options.get("engine"))
    source = session_of(given) if engine is None else engine
    engine = open_engine(source, options.get("settings"), progress)
    return {**others, "given": held(given, engine), "engine": engine}


def open_once(metrics: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Know metrics before calls that open the inputs, and open these if ``all`` is asked for.

    Returns:
        The options of those calls.
    """
    know(options.get("metrics_path"))
    if not asks_everything(metrics):
        return {**options}
    opened = open_inputs(options)
    closed = {"settings": None, "progress": False}
    return {**options, **opened["given"], "engine": opened["engine"], **closed}


def read_metrics(metrics: Any, opened: Mapping[str, Any], k: Any = None) -> list[MetricRequest]:
    """Read metrics; ``all`` stands for those that the inputs are enough for.

    Args:
        metrics: As in ``evaluate``.
        opened: What ``open_inputs`` or ``open_once`` returns.
        k: The cutoff of metrics that are written without one, or several.
    """
    convention = CONVENTION.read(opened.get("convention"))

    def everything(cutoffs: Sequence[str]) -> list[str]:
        from ..plan.allowed import allowed

        engine, segments = opened["engine"], columns_of(opened.get("by") or ())
        named = _columns(opened.get("columns"), opened.get("order_by"), segments)
        engine.look()
        return allowed(
            cutoffs,
            given=opened.get("given") or {name: opened.get(name) for name in TABLES},
            inputs=Inputs(engine, named, opened.get("where")),
            convention=convention,
            ties=opened.get("ties"),
        )

    return parse_metrics(metrics, convention, k, everything)


def prepare(
    metrics: str | Iterable[str | MetricRequest],
    *,
    given: Mapping[str, Any],
    engine: Engine,
    by: str | Iterable[str] = (),
    columns: Mapping[str, Any] | None = None,
    where: Mapping[str, str] | None = None,
    convention: str = OWN,
    order_by: str | None = None,
    depth: int | None = None,
    errors: bool = False,
    audit: bool = True,
    cluster: str | None = None,
    adjust: Sequence[str] = (),
    weights: str | None = None,
    **rules: Any,
) -> Job:
    """Read what is asked and the inputs, and refuse what can be refused before the SQL runs.

    A cluster is a further segment, the last; so are columns that means are adjusted by.
    """
    switched = read_rules(rules)
    depth = DEPTH.read(depth)
    opened = {"given": given, "engine": engine, "columns": columns, "where": where}
    opened |= {"convention": convention, "order_by": order_by, "by": by, **switched}
    asked = read_metrics(metrics, opened)
    segments = columns_of(by)
    lower = [name.lower() for name in segments if isinstance(name, str)]
    # To SQL, names that differ in case alone are one.
    if len({*lower}) < len(segments):
        raise InputError(messages.BY_TWICE.format(by=segments))
    if cluster is not None:
        if CLUSTER.read(cluster).lower() in lower:
            raise InputError(f"cluster={cluster!r}: name a column that is not one of by")
        segments.append(cluster)
    for name in adjust:
        if name.lower() in [one.lower() for one in segments]:
            raise InputError(f"adjust={name!r}: name a column once, and none of by")
        segments.append(name)
    weights = USER_WEIGHTS.read(weights)
    named = _columns(columns, order_by, [*segments, *([weights] if weights else [])])
    engine.look()
    inputs = Inputs(engine, named, where)
    plan = make_plan(
        asked,
        inputs,
        given,
        by=segments,
        rules=switched,
        depth=depth,
        errors=errors,
        audit=audit,
        cluster=cluster,
        adjust=adjust,
        weights=weights,
    )
    job = Job(asked, inputs, plan, paths(given))
    job.check_weighted()
    return job


def _columns(columns: Any, order_by: str | None, segments: Sequence[str]) -> Columns:
    """Read how the caller's columns are named, with the one that orders rows.

    Raises:
        InputError: It is not a text.
    """
    if order_by is not None and isinstance(columns, Mapping | None):
        if not isinstance(order_by, str) or not order_by:
            raise InputError(f"order_by={order_by!r}: name a column, as in 'ts'")
        columns = {**(columns or {}), "order_by": order_by}
    return Columns(columns, known_columns(), tables=tuple(TABLES), segments=segments)


def key_of(row: Mapping[str, Any], segments: Sequence[str]) -> Key:
    """Return what a value is told apart by; by repr, NaN is itself."""
    return (*(repr(row[name]) for name in ("model", *segments)), row["metric"], row["k"])
