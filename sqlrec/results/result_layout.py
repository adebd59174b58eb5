"""The layout of a result: models by metrics, the best first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..catalogue.headers import metrics
from ..display.layout import (
    ARROWS,
    MISSING,
    SIGNS,
    Cell,
    Column,
    Group,
    LabelledText,
    Layout,
    halves,
    rows_layout,
    text_of,
)
from ..display.numbers import decimals_for, number, spread, steady

# Descriptions of populations: the users in a mean.
POPULATIONS = {
    "truth": "users with a relevant item",
    "truth_and_recs": "users with a relevant item and a list",
    "judged": "users of the truth",
    "judged_and_recs": "users of the truth with a list",
    "recs": "users with a list",
    "all": "users of the truth or with a list",
    "rated": "users with a rated item",
    "logs": "logged decisions",
}

# Descriptions of interval methods.
INTERVALS = {
    "auto": "by Student's t",
    "normal": "by the normal distribution",
    "t": "by Student's t",
    "wilson": "by Wilson",
    "bootstrap": "by the bootstrap",
    "bca": "by the BCa bootstrap",
    "always": "that hold however often one looks",
}

# Counts with a note if they are not 0.
_UNUSUAL = {
    "users_without_list": "users without a list",
    "short_lists": "lists shorter than the cutoff",
    "ties_at_cutoff": "lists with equal scores at the cutoff",
    "unjudged_lists": "lists of users with nothing relevant",
    "repeated_rows": "repeated rows, left out",
}

# Maximum number of metrics of a single model in one row; more metrics get a row each.
_WIDEST_ROW = 6

# Maximum length of an abbreviation.
_SHORT = 4

# Columns of a result other than segments and summaries.
_KNOWN = (
    *("metric", "k", "asked", "value", "users", "clusters", "degrees_of_freedom"),
    *("standard_error", "low", "high", "interval", "unadjusted_value", "gain"),
)

TIED = "interval overlaps that of the best"

# A comma between libraries, outside of the parentheses of a metric's parameters.
_COMMA = re.compile(r", (?![^(]*\))")

Row = Mapping[str, Any]


def direction(metric: str) -> str:
    """Return the direction of a metric of a result: higher, lower or neither."""
    header = metrics().get(metric.partition("(")[0])
    return header.better if header else "neither"


def about(metric: str) -> str:
    """Return the description of a metric, a sentence."""
    header = metrics().get(metric.partition("(")[0])
    return header.title if header else ""


def result_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    user_counts: Sequence[Row] = (),
    interval: tuple[str | None, float] = (None, 0.95),
    cluster: str | None = None,
    weights: str | None = None,
) -> Layout:
    """Return the layout of a result: a row per model, a column per metric and cutoff.

    Args:
        names: The columns of the result.
        rows: Its rows.
        user_counts: The counts of users and lists.
        interval: The method of intervals, and their level.
        cluster: The column of clusters of users.
        weights: The column of weights of users.
    """
    segments = [*names[1 : names.index("metric")]]
    sizes = _sizes(user_counts, segments)
    summaries = [name for name in names[names.index("metric") :] if name not in _KNOWN]
    measures = _measures(rows)
    models = _ordered(rows, measures)
    by_segment: dict[tuple[Any, ...], dict[Any, Row]] = {}
    for row in rows:
        by_segment.setdefault(segment_key(row, segments), {})[
            row["model"], row["metric"], row["k"]
        ] = row
    several = len(models) > 1
    decimals = {key: _decimals(key, rows) for key in measures}
    tables = []
    for values in by_segment.values():
        row = next(iter(values.values()))
        keys = [] if several else [text_of(row[name]) for name in segments]
        lines = []
        for model in models:
            cells = [Cell(str(model))] if several or not segments else []
            cells += [Cell(key) for key in keys]
            for key in measures:
                value = values.get((model, *key))
                candidates = [values[name, *key] for name in models if (name, *key) in values]
                cells += _cells(value, best_of(candidates, key[0]), decimals[key], summaries)
            lines.append(cells)
        title = _sized(segment_title(row, segments), sizes.get(segment_key(row, segments)))
        tables.append(Group(title if several and segments else "", lines))
    if not several:
        tables = [Group("", [cells for table in tables for cells in table.rows])]
    head = [Column("model", key=True)] if several or not segments else []
    head += [] if several else [Column(name, key=True) for name in segments]
    columns = head + metric_columns(measures, summaries)
    overall = [row for row in user_counts if row.get("grouping", "all") == "all"]
    segmented = bool(segments) and segments[0] != "grouping"
    notes = [*_notes(rows, overall, interval, cluster, weights, segmented)]
    layout = Layout(columns, tables, notes=notes, tied=TIED if several else "")
    if not several and not segments and len(columns) > 1 + _WIDEST_ROW:
        layout = _transposed(layout)
    return layout


def _measures(rows: Iterable[Row]) -> dict[tuple[str, int | None], str]:
    """Return metrics with cutoffs and requests, in the order of requests, then by cutoff."""
    requests = {(row["metric"], row["k"]): row["asked"] for row in rows}
    first: dict[tuple[str, str], int] = {}
    for (metric, k), request in requests.items():
        first.setdefault((metric, halves(request, k)[0]), len(first))

    def place(key: tuple[str, int | None]) -> tuple[int, float]:
        metric, k = key
        return first[metric, halves(requests[key], k)[0]], float("inf") if k is None else k

    return {key: requests[key] for key in sorted(requests, key=place)}


def _ordered(rows: Sequence[Row], measures: Mapping[tuple[str, int | None], str]) -> list[Any]:
    """Return the models, best first by the first metric over all segments."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    if not measures:
        return models
    metric, k = next(iter(measures))
    sign = -SIGNS[direction(metric)]
    totals = {model: [0.0, 0.0] for model in models}
    for row in rows:
        if (row["metric"], row["k"]) == (metric, k) and row["value"] is not None:
            totals[row["model"]][0] += row["value"] * (row["users"] or 0)
            totals[row["model"]][1] += row["users"] or 0

    def place(model: Any) -> tuple[bool, float]:
        total, users = totals[model]
        return (not users, steady(sign * total / users)) if sign and users else (bool(sign), 0.0)

    return sorted(models, key=place)


def _decimals(key: tuple[str, int | None], rows: Iterable[Row]) -> int:
    metric_rows = [row for row in rows if (row["metric"], row["k"]) == key]
    values = [row["value"] for row in metric_rows if row["value"] is not None]
    halves = [
        None
        if row.get("low") is None or row.get("high") is None
        else (row["high"] - row["low"]) / 2
        for row in metric_rows
    ]
    # For few users intervals are wide, but small examples should show the value.
    two_digits = decimals_for([max(values, key=abs)]) - 1 if values else 0
    return max(decimals_for(values, halves), two_digits)


def best_of(rows: Iterable[Row], metric: str) -> Row | None:
    """Return the row with the best value of a metric, unless all values are equal."""
    rows = [row for row in rows if row["value"] is not None]
    better = direction(metric)
    if better == "neither" or len(rows) < 2:
        return None
    best = (max if better == "higher" else min)(rows, key=lambda row: row["value"])
    return best if any(not same(row["value"], best["value"]) for row in rows) else None


def same(value: float, other: float) -> bool:
    """Return whether two values are equal except for their last digits."""
    return abs(value - other) <= 1e-12 * max(abs(value), abs(other))


def _cells(
    row: Row | None, best: Row | None, decimals: int, summaries: Sequence[str]
) -> Iterator[Cell]:
    if row is None or row["value"] is None:
        yield Cell(MISSING)
    else:
        is_best = best is not None and same(row["value"], best["value"])
        tied = best is not None and not is_best and overlap(row, best)
        yield Cell(
            number(row["value"], decimals),
            spread(row["value"], row.get("low"), row.get("high"), decimals),
            best=is_best,
            tied=tied,
        )
    for name in summaries:
        value = None if row is None else row[name]
        yield Cell(MISSING if value is None else number(value, max(decimals, 3)))


def overlap(row: Row, other: Row) -> bool:
    """Return whether the intervals of two values overlap."""
    limits = [each.get(side) for each in (row, other) for side in ("low", "high")]
    return None not in limits and bool(row["low"] <= other["high"] and other["low"] <= row["high"])


def metric_columns(
    measures: Mapping[tuple[str, int | None], str], summaries: Sequence[str] = ()
) -> list[Column]:
    """Return a column for each metric and cutoff, and for its summaries."""
    columns = []
    for (metric, k), request in measures.items():
        group, cutoff = halves(request, k)
        arrow = ARROWS.get(direction(metric), "")
        if not cutoff:
            group, cutoff = "", group
        columns.append(Column(cutoff, group, arrow, about(metric), number=True))
        for name in summaries:
            columns.append(Column(f"{cutoff} {name}", group, "", about(metric), number=True))
    return columns


def segment_key(row: Row, segments: Sequence[str]) -> tuple[str, ...]:
    """Return the key of a segment, by repr, since NaN is not equal to itself."""
    return tuple(repr(row[name]) for name in segments)


def segment_title(row: Row, segments: Sequence[str]) -> str:
    """Format a segment: ``gender=F, age=18``; with groupings only the columns of the grouping."""
    names = [name for name in segments if name != "grouping"]
    if "grouping" in segments:
        if row["grouping"] == "all":
            return "all"
        names = [row["grouping"]] if row["grouping"] in names else names
    return ", ".join(f"{name}={text_of(row[name])}" for name in names)


def _sizes(user_counts: Iterable[Row], segments: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return the number of users of each segment in which all models and metrics have the same."""
    by_segment: dict[tuple[str, ...], set[int]] = {}
    for row in user_counts:
        by_segment.setdefault(segment_key(row, segments), set()).add(row["users_evaluated"])
    return {key: next(iter(users)) for key, users in by_segment.items() if len(users) == 1}


def _sized(title: str, users: int | None) -> str:
    return title if users is None else f"{title} ({counts(users, 'users')})"


def _transposed(layout: Layout) -> Layout:
    """Return the layout of a single row as a column."""
    (row,) = layout.rows()
    lines = [
        [Cell(column.full), cell] for column, cell in zip(layout.columns[1:], row[1:], strict=True)
    ]
    columns = [Column("metric", key=True), Column(row[0].text, number=True)]
    return Layout(columns, [Group("", lines)], notes=layout.notes)


def counts(number: int, words: str) -> str:
    """Format a count with its noun: ``1 user``, ``2,780 users``."""
    return f"{number:,} {singular(words) if number == 1 else words}"


def singular(words: str) -> str:
    """Return words without the s of the first noun."""
    return re.sub(r"(users|lists|rows|decisions)\b", lambda match: match[0][:-1], words, count=1)


def population_text(user_counts: Iterable[Row], segmented: bool = False) -> str:
    """Format the users in the means: ``943 users with a relevant item``."""
    by_population: dict[str, list[int]] = {}
    for row in user_counts:
        by_population.setdefault(row["population"], []).append(row["users_evaluated"])
    texts = []
    for population, users in by_population.items():
        low, high = min(users), max(users)
        count = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        words = POPULATIONS[population]
        words = singular(words) if high == 1 else words
        texts.append(f"{count} {words}{' in each segment' if segmented else ''}")
    return "; ".join(texts)


def unusual_count(row: Row, name: str) -> int:
    """Return a count; users without a list do not count as short lists."""
    without = (row["users_without_list"] or 0) if name == "short_lists" else 0
    return max((row[name] or 0) - without, 0)


def unusual(user_counts: Sequence[Row]) -> list[str]:
    """Format the counts that are not 0, by model if models differ."""
    notes = (_by_model(_largest(user_counts, name), words) for name, words in _UNUSUAL.items())
    return [note for note in notes if note]


def users_without_list(user_counts: Iterable[Row]) -> dict[Any, int]:
    """Return for each model the number of evaluated users without a list."""
    return _largest(user_counts, "users_without_list")


def missing_lists(without_list: Mapping[Any, int]) -> list[str]:
    """Format a note on users without a list, by model if models differ."""
    note = _by_model(without_list, _UNUSUAL["users_without_list"])
    return [note] if note else []


def _largest(user_counts: Iterable[Row], name: str) -> dict[Any, int]:
    """Return the largest count of each model."""
    by_model: dict[Any, int] = {}
    for row in user_counts:
        model = row["model"]
        by_model[model] = max(by_model.get(model, 0), unusual_count(row, name))
    return by_model


def _by_model(by_model: Mapping[Any, int], words: str) -> str:
    """Format counts that are not 0, by model if models differ; empty if all are 0."""
    nonzero = {model: count for model, count in by_model.items() if count}
    if not nonzero:
        return ""
    if len(nonzero) == len(by_model) and len({*nonzero.values()}) == 1:
        return counts(next(iter(nonzero.values())), words)
    parts = [f"{words}: "]
    for model, count in nonzero.items():
        parts += [str(model), f" {count:,}, "]
    return LabelledText(*parts[:-1], parts[-1].removesuffix(", "))


def gained(rows: Sequence[Row]) -> str:
    """Format the variance reduction of adjusted means; empty if no mean is adjusted."""
    gains = [row["gain"] for row in rows if row.get("gain") is not None]
    if not gains:
        return ""
    shares = dict.fromkeys(f"{max(100 * gain, 0):.0f}" for gain in (min(gains), max(gains)))
    return f"adjusted to the mix of all users, with {' to '.join(shares)} % less variance"


def _notes(
    rows: Sequence[Row],
    user_counts: Sequence[Row],
    interval: tuple[str | None, float],
    cluster: str | None,
    weights: str | None,
    segmented: bool,
) -> Iterator[str]:
    parts = [population_text(user_counts, segmented)] if user_counts else _users(rows)
    if weights:
        parts.append(f"means weighted by {weights}")
    method, level = interval
    if method is not None and any(row.get("low") is not None for row in rows):
        groups = f" of groups by {cluster}" if cluster else ""
        used = {row.get("interval") for row in rows} if method == "auto" else {method}
        words = ", of 0 and 1 ".join(INTERVALS[name] for name in ("t", "wilson") if name in used)
        parts.append(f"{percent(level)} intervals {words or INTERVALS[method]}{groups}")
    if parts:
        yield "; ".join(filter(None, (*parts, gained(rows))))
    if notes := unusual(user_counts):
        yield LabelledText.joined(notes)
    if any("none" in (row.get("row_order") or "") for row in user_counts):
        yield "rows have no order here: equal scores by item, repeated rows at their best"
    if len({(row["population"], row["users_evaluated"]) for row in user_counts}) != 1 or segmented:
        return
    evaluated = user_counts[0]["users_evaluated"]
    overall = [row for row in rows if row.get("grouping", "all") == "all"]
    fewer = {row["asked"]: row["users"] for row in overall if (row["users"] or 0) < evaluated}
    if fewer:
        texts = ", ".join(f"{request} {users or 0:,}" for request, users in fewer.items())
        yield f"users with a value: {texts}"


def _users(rows: Iterable[Row]) -> list[str]:
    """Format the number of users, for results without counts of users."""
    users = {row["users"] or 0 for row in rows}
    low, high = min(users, default=0), max(users, default=0)
    text = counts(low, "users") if low == high else f"{low:,} to {high:,} users"
    return [text] if users else []


def percent(level: float) -> str:
    """Format a level: ``95 %``."""
    return f"{100 * level:g} %"


def user_counts_layout(names: Sequence[str], rows: Sequence[Row]) -> Layout:
    """Return the layout of counts of users and lists, without columns of default values."""
    ordinary = {"convention": {"sqlrec"}} | {name: {0} for name in _UNUSUAL}
    kept = [
        name
        for name in names
        if (values := {row[name] for row in rows} - {None}) and values != ordinary.get(name)
    ]
    zero = [name for name in _UNUSUAL if name not in kept]
    notes = [f"0 everywhere: {', '.join(zero)}"] if zero else []
    populations = {row["population"] for row in rows}
    if len(populations) == 1:
        kept.remove("population")
        notes.insert(0, f"averaged over {POPULATIONS[populations.pop()]}")
    return replace(rows_layout(kept, rows), title="Users and lists", notes=notes)


def libraries_of(row: Row) -> list[str]:
    """Return the libraries with the value of a row of an explanation."""
    return _COMMA.split(row["conventions"])


def paper_name(text: str) -> str:
    """Format a metric for papers: ``NDCG@10`` for ``ndcg@10``, ``Average precision``."""
    match = re.match(r"[\w-]+", text)
    metric = metrics().get(match[0].lower()) if match else None
    if match is None:
        return text
    name, rest = match[0], text[match.end() :]
    title = metric.title.partition(":")[0] if metric else ""
    if title.lower().replace(" ", "_") == name.lower():
        return title + rest
    plain = name.replace("_", " ")
    return (name.upper() if len(name) <= _SHORT else plain[:1].upper() + plain[1:]) + rest
