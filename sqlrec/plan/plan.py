"""The immutable plan that templates read.

In dbt, ``sql/dbt/package.sql`` builds dicts with the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..catalogue.headers import Params
from ..rules import MetricRules


@dataclass(frozen=True, eq=False)
class Table:
    """A table that a statement reads.

    Attributes:
        relation: The SQL to follow ``from``.
        columns: The expression of each possible column; None if the column is missing.
        unnest: Whether a row contains a list of items.
        floating: For each numeric column, whether it is a floating-point number.
        model: For lists, their model; None if a column contains it, or there is a single model.
        models: The names of all models as constants, if they are known.
        needed: Columns that the metrics read (not set for recs).
        target: For ``logs``, the source of the other policy's probabilities: ``recs``,
            ``target_probability``, or None if no metric needs them.
        order: For the baseline, the column that orders its lists.
        check_order: For the baseline, whether score and rank have to agree.
    """

    relation: str
    columns: Mapping[str, str | None]
    unnest: bool = False
    floating: Mapping[str, bool] = field(default_factory=dict)
    model: str | None = None
    models: list[str] = field(default_factory=list)
    needed: list[str] = field(default_factory=list)
    target: str | None = None
    order: str | None = None
    check_order: bool = False

    @property
    def user_id(self) -> str | None:
        """The column of users."""
        return self.columns["user_id"]


@dataclass(frozen=True, eq=False)
class Segment:
    """A column whose values are segments of users.

    Attributes:
        asked: The caller's name.
        name: Its unique name inside of statements.
        label: Its name in the result.
        column: Its expression in its table.
        table: Its table: ``truth`` or ``users``.
        in_result: Whether its values are segments of the result, not clusters or covariates.
    """

    asked: str
    name: str
    label: str
    column: str
    table: str
    in_result: bool = True


@dataclass(frozen=True, eq=False)
class PlannedMetric:
    """A metric at all its cutoffs.

    Attributes:
        label: Its name in results.
        column: The column of its values.
        macro: The macro that renders it.
        params: Its parameters that differ from the defaults.
        parts: The further parts of a value that are added up over users.
        better: Direction: "higher", "lower" or "neither".
        title: Its title.
        source: The author of its definition.
        weighted: Whether its values are averaged with weights of users.
        cutoffs: Its cutoffs.
        texts: The caller's text for each cutoff.
    """

    label: str
    column: str
    macro: str
    params: Params
    parts: list[str]
    better: str
    title: str
    source: str
    weighted: bool
    cutoffs: list[int]
    texts: list[str]


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of rows that metrics aggregate.

    Attributes:
        name: Its name.
        metrics: Its metrics.
        cutoffs: All their cutoffs.
        of_users: Whether each user has a value.
        truth: Whether some of its metrics read the truth.
        weighed: Whether some metrics use the weights of logged decisions.
    """

    name: str
    metrics: list[PlannedMetric]
    cutoffs: list[int]
    of_users: bool
    truth: bool
    weighed: bool


@dataclass(frozen=True, kw_only=True)
class Plan(MetricRules):
    """The plan of one set of rules, or the common part of several sets.

    The rules follow from the metrics, as far as the inputs allow them.

    Attributes:
        title: The requested metrics, as text.
        kinds: The kinds of rows that are aggregated.
        weighed: Whether some metric of the call uses the weights of logged decisions.
        audit: Whether to count users and violations.
        errors: Whether to compute the standard errors of the means.
        summaries: Other summaries of users' values: a name, and the share of a quantile.
        batched: Whether the users are a batch of the users of a call, in DuckDB.
        complete: Whether a comparison keeps only users with a value of every model.
        terms: Whether users' values include their summands of pooled metrics.
        lengths: Whether users' values include the lengths of their lists.
        user_items: Whether users' values include their numbers of relevant and judged items.
        pairs: The names of all models as constants, in order, if every pair is compared.
        drawn: For a bootstrap, the first and the last block of replicates, if one statement adds up
            items for all of these; the last segment is then the replicate.
        list_keys: The columns that identify a list: user_id, and model if there are several.
        by: The segments.
        user_weights: The column of users' weights in means, if any.
        groupings: The names of the segments of each grouping, if there are several.
        recs: The lists, a table for each model or one for all.
        truth, history, catalog, items, users, baseline, logs: The other inputs.
        scored: Whether some metric uses the scores of recs.
        k: The cutoff if there is only one, which is then a number in the statement.
        cutoffs: All cutoffs.
        largest_k: The largest number among them.
        depth: The deepest cutoff of lists; None if whole lists are requested.
        ends: The position at which all lists are cut, if any.
        whole_list: The number for the cutoff of whole lists.
        past_every_cutoff: The number for the position of items outside of lists.
        graded: Whether the truth has grades.
        whole_ids: Whether the ids of users and items are integers.
        check_order: Whether score and rank have to agree.
        largest_relevance: The relevance from which gains can't be added up.
        row_order: The order of rows that rules use: a column, ``rows`` for the input's order,
            ``none`` if other rules replace them; None if no rule depends on it.
        lists: The prefix of ranked lists that several sets of rules share, if any.
        parts: The plan of each set of rules, if there are several.
        name: The name of a part.
        stored: The table that has the per-user values, if a dataset keeps them.
        user_results: The table with the per-user values to compare, if they are not computed.
    """

    title: str
    kinds: list[Kind]
    weighed: bool
    audit: bool = True
    errors: bool = False
    summaries: Sequence[tuple[str, float | None]] = field(default_factory=list)
    batched: bool = False
    complete: bool = False
    terms: bool = False
    lengths: bool = False
    user_items: bool = False
    pairs: list[str] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    list_keys: list[str]
    by: list[Segment] = field(default_factory=list)
    user_weights: Segment | None = None
    groupings: list[list[str]] = field(default_factory=list)
    recs: list[Table]
    truth: Table | None = None
    history: Table | None = None
    catalog: Table | None = None
    items: Table | None = None
    users: Table | None = None
    baseline: Table | None = None
    logs: Table | None = None
    scored: bool
    k: int | None
    cutoffs: list[int]
    largest_k: int | None
    depth: int | None
    ends: int | None = None
    whole_list: int
    past_every_cutoff: int
    graded: bool
    whole_ids: bool
    check_order: bool = False
    largest_relevance: float
    row_order: str | None = None
    lists: str | None = None
    parts: list[Plan] = field(default_factory=list)
    name: str | None = None
    stored: str | None = None
    user_results: str | None = None

    def metrics(self) -> Iterator[tuple[PlannedMetric, Kind]]:
        """Yield the metrics, each with its kind of rows."""
        for kind in self.kinds:
            for metric in kind.metrics:
                yield metric, kind

    def tables(self) -> list[Table]:
        """Return all tables that are read."""
        others = (self.truth, self.history, self.catalog, self.items, self.users, self.baseline)
        return [*self.recs, *filter(None, (*others, self.logs))]

    def each(self, change: Callable[[Plan], Plan]) -> Plan:
        """Apply a change to this plan and to its parts."""
        return replace(change(self), parts=[change(part) for part in self.parts])

    def select_metrics(self, labels: Collection[str]) -> Plan:
        """Return the plan of some of its metrics."""

        def select(plan: Plan) -> Plan:
            kinds = [
                replace(kind, metrics=[metric for metric in kind.metrics if metric.label in labels])
                for kind in plan.kinds
            ]
            return replace(plan, kinds=[kind for kind in kinds if kind.metrics])

        parts = [part for part in map(select, self.parts) if part.kinds]
        return replace(select(self), parts=parts)

    def numbered(self) -> Plan:
        """Return the plan with numbers as names of segments, which do not clash with columns."""
        by = [replace(segment, label=segment.name) for segment in self.by]
        return replace(self, by=by, parts=[replace(part, by=by) for part in self.parts])
