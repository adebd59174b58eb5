"""The immutable plan that templates read.

In dbt, ``sql/dbt/package.sql`` builds dicts with the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..catalogue.headers import Params
from ..options import LARGEST_RELEVANCE
from ..rendering.limits import WHOLE_LIST_K
from ..rules import VALUES, MetricRules

# The rank of items outside of a list, which exceeds every cutoff.
PAST_EVERY_CUTOFF = 2_147_483_647


@dataclass(frozen=True, eq=False)
class Table:
    """A table that a statement reads."""

    relation: str  # The SQL to follow ``from``.
    # The expression of each possible column; None if the column is missing.
    columns: Mapping[str, str | None]
    # The caller's name for each of its columns.
    names: Mapping[str, str] = field(default_factory=dict)
    unnest: bool = False  # Whether a row contains a list of items.
    # For each numeric column, whether it is a floating-point number.
    floating: Mapping[str, bool] = field(default_factory=dict)
    # For lists, their model; None if a column contains it, or there is a single model.
    model: str | None = None
    # The names of all models as constants, if they are known.
    models: list[str] = field(default_factory=list)
    # Columns that the metrics read (not set for recs).
    needed: list[str] = field(default_factory=list)
    # For ``logs``, the source of the evaluated policy's probabilities: ``recs``,
    # ``target_probability``, or None if no metric needs them.
    target: str | None = None
    order: str | None = None  # For the baseline, the column that orders its lists.
    check_order: bool = False  # For the baseline, whether score and rank have to agree.

    @property
    def user_id(self) -> str | None:
        """The column of users."""
        return self.columns["user_id"]


@dataclass(frozen=True, eq=False)
class Segment:
    """A column with the segments of users."""

    caller_name: str  # The name that the caller gave.
    name: str  # Its unique name inside of statements.
    label: str  # Its name in the result.
    column: str  # Its expression in its table.
    table: str  # Its table: ``truth`` or ``users``.
    # Whether it is a segment of the result, not a cluster or covariate.
    in_result: bool = True


@dataclass(frozen=True, eq=False)
class PlannedMetric:
    """A metric at all its cutoffs."""

    label: str  # Its name in results.
    column: str  # The column of its values.
    macro: str  # The macro that renders it.
    params: Params  # Its parameters that differ from the defaults.
    parts: list[str]  # The additional parts of a value, which are summed over users.
    better: str  # Direction: "higher", "lower" or "neither".
    title: str
    source: str  # The author of its definition.
    weighted: bool  # Whether its values are averaged with weights of users.
    cutoffs: list[int]
    texts: list[str]  # The caller's text for each cutoff.


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of rows that metrics aggregate."""

    name: str
    metrics: list[PlannedMetric]
    cutoffs: list[int]
    per_user: bool  # Whether each user has a value.
    truth: bool  # Whether some of its metrics read the truth.
    weighed: bool  # Whether some metrics use the weights of logged decisions.


@dataclass(frozen=True, kw_only=True)
class Plan(MetricRules):
    """The plan for one set of rules, or the common part of several sets."""

    # The properties of rules' values, which sql/rules declares.
    properties: Mapping[str, list[str]] = field(init=False)
    title: str = ""  # The requested metrics, as text.
    kinds: list[Kind] = field(default_factory=list)  # The kinds of rows that are aggregated.
    weighed: bool = False  # Whether some metric of the call uses the weights of logged decisions.
    audit: bool = True  # Whether to count users and violations.
    errors: bool = False  # Whether to compute the standard errors of the means.
    # Other summaries of users' values: a name and, for a quantile, its level (0.9 for p90).
    summaries: Sequence[tuple[str, float | None]] = field(default_factory=list)
    batched: bool = False  # Whether the plan evaluates one batch of users, in DuckDB.
    complete: bool = False  # Whether a comparison keeps only users with a value for every model.
    terms: bool = False  # Whether users' values include a column for each sum in a metric.
    # Whether users' values include the lengths of lists, and the numbers of relevant and judged
    # items.
    user_items: bool = False
    # The names of all models as constants, in order, if every pair is compared.
    pairs: list[str] = field(default_factory=list)
    # For a bootstrap, the first and the last block of replicates, if one statement computes sums by
    # item for these blocks. The last segment is then the replicate.
    drawn: list[int] = field(default_factory=list)
    # The columns that identify a list: user_id, and model if there are several.
    list_keys: list[str]
    by: list[Segment] = field(default_factory=list)
    user_weights: Segment | None = None  # The column of users' weights in means, if any.
    # The names of the segments of each grouping, if there are several.
    groupings: list[list[str]] = field(default_factory=list)
    recs: list[Table]  # The lists, in a table for each model or in one table for all models.
    truth: Table | None = None  # The other inputs.
    history: Table | None = None
    catalog: Table | None = None
    items: Table | None = None
    users: Table | None = None
    baseline: Table | None = None
    logs: Table | None = None
    scored: bool = False  # Whether some metric uses the scores of recs.
    k: int | None = None  # The cutoff as a number, if there is only one.
    cutoffs: list[int] = field(default_factory=list)  # All cutoffs.
    largest_k: int | None = None  # The largest number among the cutoffs.
    depth: int | None = None  # The deepest cutoff of lists; None if whole lists are requested.
    ends: int | None = None  # The rank at which all lists are cut, if any.
    whole_list: int = WHOLE_LIST_K  # The number that represents the cutoff of whole lists.
    past_every_cutoff: int = PAST_EVERY_CUTOFF  # The rank of items outside of lists.
    graded: bool = False  # Whether the truth has grades.
    whole_ids: bool = False  # Whether the ids of users and items are integers.
    check_order: bool = False  # Whether score and rank have to agree.
    # The smallest relevance with gains that can overflow a sum.
    largest_relevance: float = LARGEST_RELEVANCE
    # The order of rows that rules use: a column, or ``rows`` for the input's order. It is ``none``
    # if rows have no order, so other rules apply, and None if no rule depends on the order.
    row_order: str | None = None
    lists: str | None = None  # The prefix of ranked lists that several sets of rules share, if any.
    # The plan for each set of rules, if there are several.
    parts: list[Plan] = field(default_factory=list)
    name: str | None = None
    stored: str | None = None  # The table that has the per-user values, if a dataset keeps them.
    # The table with the per-user values to compare, if values are not computed.
    user_results: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        properties = {name: VALUES[name].get(getattr(self, name), []) for name in VALUES}
        object.__setattr__(self, "properties", properties)

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
        """Return the plan with only some of its metrics."""

        def select(plan: Plan) -> Plan:
            kinds = [
                replace(kind, metrics=[metric for metric in kind.metrics if metric.label in labels])
                for kind in plan.kinds
            ]
            return replace(plan, kinds=[kind for kind in kinds if kind.metrics])

        parts = [part for part in map(select, self.parts) if part.kinds]
        return replace(select(self), parts=parts)

    def numbered(self) -> Plan:
        """Return the plan with numbers as names of segments, which differ from names of columns."""
        by = [replace(segment, label=segment.name) for segment in self.by]
        return replace(self, by=by, parts=[replace(part, by=by) for part in self.parts])
