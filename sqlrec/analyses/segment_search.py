"""Search for segments in which the difference from a baseline changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ..dialects import text
from ..display.numbers import decimals_for, format_count, format_p, number
from ..display.table_layout import Cell, Column, Group, LabeledText, Layout
from ..errors import InputError, suggest_name
from ..inputs.source import is_nested, is_number
from ..inputs.tables import Tables
from ..layouts.comparison import ComparisonSummary
from ..layouts.losses import SMALL
from ..layouts.result import format_level, is_significant
from ..records import Record, Row, group_by
from ..results.rows import Rows
from ..results.table import Table, Text
from ..run.job import Call, Job
from ..statistics.formulas import correct_p_values
from ..statistics.interactions import Sample, interaction_p

TESTS = (
    "p: the larger of Student's and Welch's t-test of a segment against the rest, Benjamini and "
    "Hochberg's correction"
)

REST = "the rest: all other users, so segments of one column are not independent of each other"

# Names for the number of items in a user's history, and for columns of these items.
HISTORY, ITEMS = "history.items", "items."


# The maximum number of distinct values in a column of users: of numbers without bins, and of other
# values. Columns of other values also need at least two rows per value on average.
MAX_NUMBERS, MAX_VALUES = 10, 1000

BINS = 4

# The table that connects users with the columns of a table.
_NEEDED = {"users": "users", "items": "history"}

# Descriptions of values computed from users' histories. The key is the table, and whether values
# are numbers.
_DESCRIPTIONS = {
    ("history", True): "the number of items in a user's history",
    ("items", True): "the mean of the items in a user's history",
    ("items", False): "the most frequent value of the items in a user's history",
}

_TYPES = {
    **dict.fromkeys(("model", "column", "segment", "metric"), "string"),
    **{"k": "int64", "request": "string", "users": "int64", "difference": "float64"},
    **{"rest_users": "int64", "rest_difference": "float64", "interaction": "float64"},
    **{"p": "float64", "p_adjusted": "float64"},
}


@dataclass(frozen=True)
class Attribute:
    """A column with the names of segments."""

    name: str  # The name in the result: ``country``, ``items.category`` or ``history.items``.
    table: str  # The table of the column: ``users``, ``items`` or ``history``.
    column: str  # The caller's column.
    binned: bool  # Whether numbers in the column are cut into bins.
    entries: Mapping[str, str]  # For columns of items, the table and the expressions in SQL.

    @property
    def description(self) -> str:
        """The value that is computed from a user's history; empty for columns of users."""
        return _DESCRIPTIONS.get((self.table, self.binned), "")


@dataclass(frozen=True)
class Search:
    """The scope of a search."""

    metric: str  # The metric, as the caller wrote it.
    baseline: str
    level: float  # One minus the false discovery rate.
    overall: Mapping[str, float]  # The difference of each model over all users.
    columns: Sequence[str]  # The columns that were searched.
    # The columns that were not searched because fewer than two segments have enough users.
    omitted: Sequence[str]
    small: int  # The number of segments with too few users.
    descriptions: Mapping[str, str]  # Descriptions of values from users' histories.
    # The difference in each segment with its p-value, as in a comparison by this column.
    differences: Sequence[Row] = ()
    describe_users: Callable[[], Sequence[str]] = list  # Returns notes on excluded users.

    def scope(self, rows: Sequence[Row]) -> str:
        """Format the numbers of columns and segments, and the false discovery rate."""
        segments = len({(row["column"], row["segment"]) for row in rows})
        return (
            f"columns searched one by one: {len(self.columns)}, segments tested: {segments}, "
            f"false discovery rate {format_level(1 - self.level)}"
        )

    def omissions(self) -> list[str]:
        """Format the users, segments and columns that were excluded."""
        texts = [*self.describe_users()]
        if self.small:
            texts.append(
                f"not tested: {format_count(self.small, 'segments')} with fewer than {SMALL} users"
            )
        if self.omitted:
            names = ", ".join(self.omitted[:5]) + ", ..." * (len(self.omitted) > 5)
            texts.append(f"not searched: {names}, without two segments of {SMALL}+ users")
        return texts

    def no_change_text(self, rows: Sequence[Row]) -> str:
        """Format the sentence for a search in which no segment changes the difference."""
        return f"No column of users changes the difference by {self.metric} ({self.scope(rows)})"


class SegmentSearch(Table):
    """The tests of segments against all other users, smallest p-values first."""

    def __init__(self, sql: Text, rows: Rows, search: Search, of: Table) -> None:
        source = of.source and of.source.in_memory()
        lay_out = partial(search_layout, search=search)
        super().__init__(sql, lambda: rows, inputs=of.inputs, lay_out=lay_out, source=source)
        self.search = search


def search_segments(
    comparison: Table,
    call: Call,
    summary: ComparisonSummary,
    columns: str | Iterable[str],
    level: float,
) -> SegmentSearch:
    """Search segments by a comparison's first metric, for ``Comparison.find_segments``."""
    baseline = str(summary.baseline)
    tables, job = call.tables, call.prepare(call.requests[0], by=())
    (request,) = job.requests
    if request.label not in job.means:
        raise InputError(
            f"find_segments() and {request.text}: it is not a mean of per-user values; compare "
            "with primary= a metric that is, such as 'ndcg@10'"
        )
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    _check_column_tables(tables, names)
    attributes, omitted = _select_columns(job, tables, "users", names)
    job = call.prepare(request, by=[attribute.column for attribute in attributes])
    item_attributes, others = _select_columns(job, tables, "items", names)
    attributes, omitted = [*attributes, *item_attributes], [*omitted, *others]
    if tables.history is not None and (not names or HISTORY in names):
        attributes.append(Attribute(HISTORY, "history", "past_size", True, {}))
    statement, rows = _read_segment_differences(job, attributes, baseline)
    overall = {row["model"]: _segment_sample(row) for row in rows if not row["column_number"]}
    segments = [row for row in rows if row["column_number"]]
    large = [
        row for row in segments if min(row["users"], _other_users(row, overall).users) >= SMALL
    ]
    numbers = {row["column_number"] for row in large}
    small = [row for row in segments if row not in large and row["column_number"] in numbers]
    # If a column has two segments, both have the same test, so the smaller segment has a row.
    columns_of_models = group_by(segments, lambda row: (row["model"], row["column_number"]))
    pairs = [column for column in columns_of_models.values() if len(column) == 2]
    larger = [max(pair, key=lambda row: (row["users"], row["segment"] or "")) for pair in pairs]
    tests = [_test_segment(row, attributes, overall) for row in large if row not in larger]
    for test, p in zip(tests, correct_p_values("bh", [test["p"] for test in tests]), strict=True):
        test |= {"metric": request.label, "k": request.k, "request": request.text, "p_adjusted": p}
    better = request.metric.better
    differences = [
        _difference_in_segment(row, attributes) | {"request": request.text, "better": better}
        for row in large
    ]
    p_values = correct_p_values("holm", [_segment_sample(row).mean_p() for row in large])
    for row, p in zip(differences, p_values, strict=True):
        row["p_adjusted"] = p
    tests.sort(key=lambda row: (row["p"] is None, row["p"], -abs(row["interaction"])))
    search = Search(
        metric=request.text,
        baseline=baseline,
        level=level,
        overall={model: sample.mean for model, sample in overall.items()},
        columns=[x.name for n, x in enumerate(attributes, 1) if n in numbers],
        omitted=omitted + [x.name for n, x in enumerate(attributes, 1) if n not in numbers],
        small=len({(row["column_number"], row["segment"]) for row in small}),
        descriptions={x.name: x.description for x in attributes if x.description},
        differences=differences,
        describe_users=summary.describe_users,
    )
    return SegmentSearch(statement, Rows.from_records(_TYPES, tests), search, comparison)


def _check_column_tables(tables: Tables, names: Sequence[str]) -> None:
    if tables.users is None and tables.history is None:
        raise InputError(
            "find_segments() and users=None: segments are values of columns of users; give users, "
            "or history to describe users by their items"
        )
    for name in names:
        table = "items" if name.startswith(ITEMS) else "users"
        for needed in ("history",) if name == HISTORY else (table, _NEEDED[table]):
            if tables[needed] is None:
                raise InputError(
                    f"find_segments({name!r}) and {needed}=None: the column is computed from "
                    f"{needed}; give {needed}, or omit the column"
                )


def _select_columns(
    job: Job, tables: Tables, table: str, names: Sequence[str]
) -> tuple[list[Attribute], list[str]]:
    is_items = table == "items"
    own = [x for x in names if x != HISTORY and x.startswith(ITEMS) == is_items]
    if (names and not own) or tables[table] is None or tables[_NEEDED[table]] is None:
        return [], []
    own = [name.removeprefix(ITEMS) for name in own]
    key, prefix = ("user_id", "") if table == "users" else ("item_id", ITEMS)
    read = partial(job.inputs.read, table, required=[key])
    source = read(optional=own)
    if not own:
        own = [name for name in source.types if name != source.columns[key]]
        source = read(optional=own)
    for name in own:
        if name not in source.columns:
            raise InputError(f"{table} has no column {name!r}: {suggest_name(name, source.types)}")
    single = [name for name in own if not is_nested(source.kind(name))]
    expressions = {name: source.expression(name) for name in single}
    statement = job.render(
        "value_counts", relation=source.relation, columns=[*expressions.values()]
    )
    (counts,) = job.rows(statement, ("row_count", *single)).records
    attributes = []
    for name in single:
        is_numeric = is_number(source.kind(name)) and source.kind(name) != "BOOLEAN"
        # Means over items have many values.
        binned = is_numeric and (table == "items" or counts[name] > MAX_NUMBERS)
        limit = min(MAX_VALUES, counts["row_count"] / 2)
        if binned or counts[name] <= limit:
            entries = {"relation": source.relation, "column": expressions[name]}
            entries |= {key: source.expression(key)}
            attributes.append(Attribute(f"{prefix}{name}", table, name, binned, entries))
    kept = [attribute.column for attribute in attributes]
    return attributes, [f"{prefix}{name}" for name in own if name not in kept]


def _read_segment_differences(
    job: Job, attributes: Sequence[Attribute], baseline: str
) -> tuple[Text, list[Record]]:
    plan = job.plan.numbered()
    labels = {segment.caller_name: segment.label for segment in plan.by}
    searched = [
        {
            **attribute.entries,
            "number": number,
            "binned": attribute.binned,
            "label": {"users": labels.get(attribute.column), "items": f"taste_{number}"}.get(
                attribute.table, attribute.column
            ),
        }
        for number, attribute in enumerate(attributes, 1)
    ]
    past = None
    if any(attribute.table != "users" for attribute in attributes):
        keys = ["user_id", "item_id"]
        source = job.inputs.read("history", required=keys)
        columns = {name: source.expression(name) for name in keys}
        past = {"relation": source.relation, "columns": columns, "unnest": source.unnest}
    arguments = {
        "baseline_model": text(baseline, job.inputs.engine.dialect),
        "bins": BINS,
        "searched": searched,
        "past": past,
        "tastes": [x for x, y in zip(searched, attributes, strict=True) if y.table == "items"],
    }
    statement = job.render_to_run("interactions", plan, **arguments)
    names = ("column_number", "segment", "users", "difference", "squares", "low", "high")
    rows = job.rows(statement, ("model", *names, "violations")).records
    if any(row["violations"] for row in rows):
        raise job.violation(job.plan)
    return partial(job.render_to_print, "interactions", plan, **arguments), rows


def _segment_sample(row: Row) -> Sample:
    return Sample(row["users"], row["difference"], row["squares"])


def _other_users(row: Row, overall: Mapping[str, Sample]) -> Sample:
    """Return the sample of the model's users in all other segments of the column."""
    users = overall[row["model"]]
    return (
        users.exclude(_segment_sample(row)) if row["users"] < users.users else Sample(0, 0.0, 0.0)
    )


def _difference_in_segment(row: Row, attributes: Sequence[Attribute]) -> Record:
    column, segment = attributes[row["column_number"] - 1].name, row["segment"]
    if row["low"] is not None:
        ends = (f"{x:.0f}" if x == round(x) else f"{x:.6g}" for x in (row["low"], row["high"]))
        segment = " to ".join(dict.fromkeys(ends))
    own = {name: row[name] for name in ("model", "users", "difference")}
    return {"grouping": column, column: segment, **own}


def _test_segment(
    row: Row, attributes: Sequence[Attribute], overall: Mapping[str, Sample]
) -> Record:
    """Test whether the difference in a segment is unequal to the difference for all other users."""
    rest, own = _other_users(row, overall), _difference_in_segment(row, attributes)
    return {
        "model": row["model"],
        "column": own["grouping"],
        "segment": own[own["grouping"]],
        "users": row["users"],
        "difference": row["difference"],
        "rest_users": rest.users,
        "rest_difference": rest.mean,
        "interaction": row["difference"] - rest.mean,
        "p": interaction_p(_segment_sample(row), rest),
    }


def search_layout(names: Sequence[str], rows: Sequence[Row], *, search: Search) -> Layout:
    """Return the layout of a search, with a line for each segment that changes the difference."""
    significant = [row for row in rows if is_significant(row, search.level)]
    model = ["model"] if len(search.overall) > 1 else []
    columns = [Column(name, key=True) for name in (*model, "column", "segment")]
    columns += [Column(name, number=True) for name in ("users", "difference", "the rest", "p")]
    if not significant:
        line = [*(Cell("all") for _ in model), Cell("none"), *[Cell() for _ in range(5)]]
        group, text = Group("", [line]), search.no_change_text(rows)
        return Layout(columns, [group], text, search.omissions(), metric=search.metric)
    decimals = decimals_for(
        row[name] for row in significant for name in ("difference", "rest_difference")
    )
    lines = [
        [
            *(Cell(row[name]) for name in (*model, "column")),
            Cell("unknown" if row["segment"] is None else str(row["segment"])),
            Cell(number(row["users"], 0)),
            *(
                Cell(number(row[name], decimals, sign=True))
                for name in ("difference", "rest_difference")
            ),
            Cell(format_p(row["p_adjusted"])),
        ]
        for row in significant
    ]
    differences = ", ".join(
        f"{model} {number(mean, decimals, sign=True)}" for model, mean in search.overall.items()
    )
    title = LabeledText(
        f"Segments in which the {search.metric} difference from ", search.baseline, " changes"
    )
    tests = format_count(sum(row["p"] is not None for row in rows), "tests")
    by_models = " of all models" * bool(model)
    notes = [
        f"all users: {differences}",
        REST,
        search.scope(rows),
        f"{TESTS} over {tests}{by_models}",
    ]
    described = [x for x in search.descriptions if x in {row["column"] for row in significant}]
    values = group_by(described, search.descriptions.__getitem__)
    notes += [f"{text}: {', '.join(names)}" for text, names in values.items()]
    notes += search.omissions()
    return Layout(columns, [Group("", lines)], title, notes, metric=search.metric)
