"""What templates have to know, made once: nothing of it is changed afterwards.

dbt has the same names in dicts, which ``sql/dbt/package.sql`` makes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..rules import Rules


@dataclass(frozen=True, eq=False)
class Table:
    """A table that is read.

    Attributes:
        relation: What stands behind ``from``.
        columns: For each column that there can be, what stands for it; None where there is none.
        unnest: Whether a row has the items of a list together.
        floating: For each column of numbers, whether it has binary fractions.
        model: Of lists, the model that they are of; None where a column has it, or there is one.
        models: The names of all models, as constants, where they are known.
        needed: Of all but lists, the columns that metrics name.
        target: Of ``logs``, what says how likely another policy is to do what was done: ``recs``,
            ``target_probability``, or None where no metric asks.
        order: Of the baseline, what orders its lists.
        check_order: Whether the other has to agree there.
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
    """A column that users are told apart by.

    Attributes:
        asked: The name asked for.
        name: Its name inside of statements, which nothing else has.
        label: Its name in the result.
        column: What stands for it in its table.
        table: Where it is: ``truth`` or ``users``.
    """

    asked: str
    name: str
    label: str
    column: str
    table: str


@dataclass(frozen=True, eq=False)
class PlannedMetric:
    """A metric at all its cutoffs.

    Attributes:
        label: Its name in results.
        column: The column of its values.
        macro: What writes it.
        params: Its parameters, as far as they are not the defaults.
        parts: What a value is put together from over users, beside the value.
        better: What a better model has of it.
        title: What it means.
        source: Who defined it.
        weighted: Whether its values are averaged by weights of users.
        cutoffs: Its cutoffs.
        texts: For each of these, how it was written.
    """

    label: str
    column: str
    macro: str
    params: Mapping[str, Any]
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
        name: What it is called.
        metrics: Its metrics.
        cutoffs: Their cutoffs together.
        of_users: Whether each user has a value.
        truth: Whether some of its metrics read the truth.
        weighed: Whether some are made of the weights of logged decisions.
    """

    name: str
    metrics: list[PlannedMetric]
    cutoffs: list[int]
    of_users: bool
    truth: bool
    weighed: bool


@dataclass(frozen=True, kw_only=True)
class Plan(Rules):
    """What is under one set of rules, or of several what they have in common.

    The rules are those of the metrics, after what the inputs leave of them.

    Attributes:
        title: What is asked, in words.
        kinds: The kinds of rows that are aggregated.
        weighed: Whether some metric of the call is made of the weights of logged decisions.
        audit: Whether it is counted too who is averaged over and which rules are broken.
        errors: Whether the standard errors of the means are asked too.
        summaries: What else is asked of users' values: a name, and of a quantile its share.
        batched: Whether the users are some of those of a call, in DuckDB.
        complete: Whether a comparison is of users who have a value of every model.
        terms: Whether users' values are asked with what they add to the sums of pooled metrics.
        lengths: Whether a comparison counts who has no list.
        pairs: Where every pair of models is compared, their names as constants, in order.
        drawn: Of users drawn again, the first and the last block of replicates, where sums of items
            are made for all of these at once; the last segment is then the replicate.
        list_keys: The columns that name a list: user_id, and model where there are several.
        by: The segments.
        user_weights: The column that says what each user counts as in means, if there is one.
        groupings: Where users are grouped in several ways, the names of the segments of each.
        recs: The lists, a table for each model or one for all.
        truth, history, catalog, items, users, baseline, logs: What else is read.
        scored: Whether some metric is made of the scores of recs.
        k: The cutoff, where there is one alone, which is then a number in the statement.
        cutoffs: All cutoffs.
        largest_k: The largest number among them.
        depth: The deepest cutoff of lists; None where whole lists are asked.
        ends: The place at which all lists are cut, if there is one.
        whole_list: What stands for the cutoff of whole lists.
        past_every_cutoff: What stands for the place of what is in no list.
        graded: Whether the truth has grades.
        whole_ids: Whether users and items are known to be whole numbers.
        check_order: Whether score and rank have to agree.
        largest_relevance: From where on gains could not be added up.
        row_order: What rules go by that ask for the order of rows: a column, ``rows`` where they
            stand, ``none`` where other rules stand in; None where no rule does.
        lists: The prefix of lists that were ranked for several sets of rules, if they were.
        parts: Where there are several sets of rules, the plan of each.
        name: Of a part, its name.
    """

    title: str
    kinds: list[Kind]
    weighed: bool
    audit: bool
    errors: bool
    summaries: Sequence[tuple[str, float | None]] = field(default_factory=list)
    batched: bool = False
    complete: bool = False
    terms: bool = False
    lengths: bool = False
    pairs: list[str] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    list_keys: list[str]
    by: list[Segment]
    user_weights: Segment | None = None
    groupings: list[list[str]] = field(default_factory=list)
    recs: list[Table]
    truth: Table | None
    history: Table | None
    catalog: Table | None
    items: Table | None
    users: Table | None
    baseline: Table | None
    logs: Table | None
    scored: bool
    k: int | None
    cutoffs: list[int]
    largest_k: int | None
    depth: int | None
    ends: int | None
    whole_list: int
    past_every_cutoff: int
    graded: bool
    whole_ids: bool
    check_order: bool
    largest_relevance: float
    row_order: str | None = None
    lists: str | None = None
    parts: list[Plan] = field(default_factory=list)
    name: str | None = None

    def metrics(self) -> Iterator[tuple[PlannedMetric, Kind]]:
        """Go through the metrics, each with the rows that it is of."""
        for kind in self.kinds:
            for metric in kind.metrics:
                yield metric, kind

    def tables(self) -> list[Table]:
        """Return all tables that are read."""
        others = (self.truth, self.history, self.catalog, self.items, self.users, self.baseline)
        return [*self.recs, *filter(None, (*others, self.logs))]

    def each(self, change: Callable[[Plan], Plan]) -> Plan:
        """Change this plan and those of its parts alike."""
        return replace(change(self), parts=[change(part) for part in self.parts])

    def of_metrics(self, labels: Collection[str]) -> Plan:
        """Keep some metrics."""

        def kept(plan: Plan) -> Plan:
            kinds = [
                replace(kind, metrics=[one for one in kind.metrics if one.label in labels])
                for kind in plan.kinds
            ]
            return replace(plan, kinds=[kind for kind in kinds if kind.metrics])

        plan = kept(self)
        parts = [part for part in map(kept, self.parts) if part.kinds]
        return replace(plan, parts=parts)

    def numbered(self) -> Plan:
        """Call segments by number: their own names might be those of columns inside a statement."""
        by = [replace(segment, label=segment.name) for segment in self.by]
        return replace(self, by=by, parts=[replace(part, by=by) for part in self.parts])
