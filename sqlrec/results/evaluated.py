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
    Layout,
    Spoken,
    halves,
    of_rows,
    text_of,
)
from ..display.numbers import decimals_for, number, spread, steady

# Who is averaged over, in words.
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

# How an interval was made, in words.
INTERVALS = {
    "auto": "by Student's t",
    "normal": "by the normal distribution",
    "t": "by Student's t",
    "wilson": "by Wilson",
    "bootstrap": "by the bootstrap",
    "bca": "by the BCa bootstrap",
    "always": "that hold however often one looks",
}

# Counts that are worth a note where they are not 0.
_UNUSUAL = {
    "users_without_list": "users without a list",
    "short_lists": "lists shorter than the cutoff",
    "ties_at_cutoff": "lists with equal scores at the cutoff",
    "unjudged_lists": "lists of users with nothing relevant",
    "repeated_rows": "repeated rows, left out",
}

# A single model with more metrics than this has a row for each of them.
_WIDEST_ROW = 6

# Aliases of so many letters are abbreviations.
_SHORT = 4

# What a result has beside segments, metrics and values; further columns are summaries.
_KNOWN = (
    *("metric", "k", "asked", "value", "users", "clusters", "degrees_of_freedom"),
    *("standard_error", "low", "high", "interval", "unadjusted_value", "gain"),
)

TIED = "interval overlaps that of the best"

# Between libraries, and not within the brackets of a metric's parameters.
_COMMA = re.compile(r", (?![^(]*\))")

Row = Mapping[str, Any]


def direction(metric: str) -> str:
    """Return what a better model has of a metric as results name it: higher, lower or neither."""
    found = metrics().get(metric.partition("(")[0])
    return found.better if found else "neither"


def about(metric: str) -> str:
    """Return what a metric means, in a sentence."""
    found = metrics().get(metric.partition("(")[0])
    return found.title if found else ""


def of_result(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    user_counts: Sequence[Row] = (),
    interval: tuple[str | None, float] = (None, 0.95),
    cluster: str | None = None,
    weights: str | None = None,
) -> Layout:
    """Lay out a result: a row for each model, a column for each metric and cutoff.

    Args:
        names: The columns of the result.
        rows: Its rows.
        user_counts: The counts of users and lists.
        interval: How intervals were made, and their level.
        cluster: The column of groups of users.
        weights: The column of what users count as in means.
    """
    segments = [*names[1 : names.index("metric")]]
    sizes = _sizes(user_counts, segments)
    summaries = [name for name in names[names.index("metric") :] if name not in _KNOWN]
    measures = _measures(rows)
    models = _ordered(rows, measures)
    found: dict[tuple[Any, ...], dict[Any, Row]] = {}
    for row in rows:
        found.setdefault(of_key(row, segments), {})[row["model"], row["metric"], row["k"]] = row
    several = len(models) > 1
    decimals = {key: _decimals(key, rows) for key in measures}
    tables = []
    for values in found.values():
        of_segment = next(iter(values.values()))
        keys = [] if several else [text_of(of_segment[name]) for name in segments]
        lines = []
        for model in models:
            line = [Cell(str(model))] if several or not segments else []
            line += [Cell(key) for key in keys]
            for key in measures:
                here = values.get((model, *key))
                rivals = [values[one, *key] for one in models if (one, *key) in values]
                line += _cells(here, best_of(rivals, key[0]), decimals[key], summaries)
            lines.append(line)
        title = _sized(segment_title(of_segment, segments), sizes.get(of_key(of_segment, segments)))
        tables.append(Group(title if several and segments else "", lines))
    if not several:
        tables = [Group("", [line for table in tables for line in table.rows])]
    head = [Column("model", key=True)] if several or not segments else []
    head += [] if several else [Column(name, key=True) for name in segments]
    columns = head + metric_columns(measures, summaries)
    everyone = [row for row in user_counts if row.get("grouping", "all") == "all"]
    segmented = bool(segments) and segments[0] != "grouping"
    notes = [*_notes(rows, everyone, interval, cluster, weights, segmented)]
    layout = Layout(columns, tables, notes=notes, tied=TIED if several else "")
    if not several and not segments and len(columns) > 1 + _WIDEST_ROW:
        layout = _turned(layout)
    return layout


def _measures(rows: Iterable[Row]) -> dict[tuple[str, int | None], str]:
    """Return metrics with their cutoffs: by metric as they were asked for, then by cutoff."""
    found = {(row["metric"], row["k"]): row["asked"] for row in rows}
    first: dict[tuple[str, str], int] = {}
    for (metric, k), asked in found.items():
        first.setdefault((metric, halves(asked, k)[0]), len(first))

    def place(key: tuple[str, int | None]) -> tuple[int, float]:
        metric, k = key
        return first[metric, halves(found[key], k)[0]], float("inf") if k is None else k

    return {key: found[key] for key in sorted(found, key=place)}


def _ordered(rows: Sequence[Row], measures: Mapping[tuple[str, int | None], str]) -> list[Any]:
    """Return the models, best first by the first metric, over all segments together."""
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
    of_metric = [row for row in rows if (row["metric"], row["k"]) == key]
    values = [row["value"] for row in of_metric if row["value"] is not None]
    halves = [
        None
        if row.get("low") is None or row.get("high") is None
        else (row["high"] - row["low"]) / 2
        for row in of_metric
    ]
    # Of few users intervals bear no digit; people who try a list or two want to see the value.
    two_digits = decimals_for([max(values, key=abs)]) - 1 if values else 0
    return max(decimals_for(values, halves), two_digits)


def best_of(rows: Iterable[Row], metric: str) -> Row | None:
    """Return the row with the best value of a metric, if it is better than another."""
    rows = [row for row in rows if row["value"] is not None]
    better = direction(metric)
    if better == "neither" or len(rows) < 2:
        return None
    best = (max if better == "higher" else min)(rows, key=lambda row: row["value"])
    return best if any(not same(row["value"], best["value"]) for row in rows) else None


def same(one: float, other: float) -> bool:
    """Say whether two values are the same but for their last digits."""
    return abs(one - other) <= 1e-12 * max(abs(one), abs(other))


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
    """Say whether the intervals of two values overlap."""
    limits = [one.get(side) for one in (row, other) for side in ("low", "high")]
    return None not in limits and bool(row["low"] <= other["high"] and other["low"] <= row["high"])


def metric_columns(
    measures: Mapping[tuple[str, int | None], str], summaries: Sequence[str] = ()
) -> list[Column]:
    """Return a column of each metric and cutoff, and of its summaries."""
    columns = []
    for (metric, k), asked in measures.items():
        group, cutoff = halves(asked, k)
        arrow = ARROWS.get(direction(metric), "")
        if not cutoff:
            group, cutoff = "", group
        columns.append(Column(cutoff, group, arrow, about(metric), number=True))
        for name in summaries:
            columns.append(Column(f"{cutoff} {name}", group, "", about(metric), number=True))
    return columns


def of_key(row: Row, segments: Sequence[str]) -> tuple[str, ...]:
    """Return what a segment is told apart by; by repr, NaN is itself."""
    return tuple(repr(row[name]) for name in segments)


def segment_title(row: Row, segments: Sequence[str]) -> str:
    """Name a segment: ``gender=F, age=18``; of groupings, by the columns that count."""
    names = [name for name in segments if name != "grouping"]
    if "grouping" in segments:
        if row["grouping"] == "all":
            return "all"
        names = [row["grouping"]] if row["grouping"] in names else names
    return ", ".join(f"{name}={text_of(row[name])}" for name in names)


def _sizes(user_counts: Iterable[Row], segments: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return how many users each segment has, where all its models and metrics have as many."""
    found: dict[tuple[str, ...], set[int]] = {}
    for row in user_counts:
        found.setdefault(of_key(row, segments), set()).add(row["users_evaluated"])
    return {key: next(iter(users)) for key, users in found.items() if len(users) == 1}


def _sized(title: str, users: int | None) -> str:
    return title if users is None else f"{title} ({counts(users, 'users')})"


def _turned(layout: Layout) -> Layout:
    """Lay out a single row as a column."""
    (row,) = layout.rows()
    lines = [
        [Cell(column.full), cell] for column, cell in zip(layout.columns[1:], row[1:], strict=True)
    ]
    columns = [Column("metric", key=True), Column(row[0].text, number=True)]
    return Layout(columns, [Group("", lines)], notes=layout.notes)


def counts(number: int, words: str) -> str:
    """Write a number of things, which the words begin with: ``1 user``, ``2,780 users``."""
    return f"{number:,} {singular(words) if number == 1 else words}"


def singular(words: str) -> str:
    """Return words without the s of the first noun."""
    return re.sub(r"(users|lists|rows|decisions)\b", lambda found: found[0][:-1], words, count=1)


def counted(user_counts: Iterable[Row], segmented: bool = False) -> str:
    """Say who was averaged over: ``943 users with a relevant item``."""
    found: dict[str, list[int]] = {}
    for row in user_counts:
        found.setdefault(row["population"], []).append(row["users_evaluated"])
    texts = []
    for population, users in found.items():
        few, most = min(users), max(users)
        count = f"{few:,}" if few == most else f"{few:,} to {most:,}"
        words = POPULATIONS[population]
        words = singular(words) if most == 1 else words
        texts.append(f"{count} {words}{' in each segment' if segmented else ''}")
    return "; ".join(texts)


def unusual_count(row: Row, name: str) -> int:
    """Return a count; users without a list are not among the short lists."""
    without = (row["users_without_list"] or 0) if name == "short_lists" else 0
    return max((row[name] or 0) - without, 0)


def unusual(user_counts: Sequence[Row]) -> list[str]:
    """Say which counts are not 0, by model where models differ."""
    notes = (_by_model(_most(user_counts, name), words) for name, words in _UNUSUAL.items())
    return [note for note in notes if note]


def users_without_list(user_counts: Iterable[Row]) -> dict[Any, int]:
    """Return for each model how many users that are averaged over have no list."""
    return _most(user_counts, "users_without_list")


def missing_lists(without_list: Mapping[Any, int]) -> list[str]:
    """Format a note on users without a list, by model where models differ."""
    note = _by_model(without_list, _UNUSUAL["users_without_list"])
    return [note] if note else []


def _most(user_counts: Iterable[Row], name: str) -> dict[Any, int]:
    """Return the largest count of each model."""
    most: dict[Any, int] = {}
    for row in user_counts:
        most[row["model"]] = max(most.get(row["model"], 0), unusual_count(row, name))
    return most


def _by_model(most: Mapping[Any, int], words: str) -> str:
    """Format counts that are not 0, by model where models differ; empty where all are 0."""
    found = {model: count for model, count in most.items() if count}
    if not found:
        return ""
    if len(found) == len(most) and len({*found.values()}) == 1:
        return counts(next(iter(found.values())), words)
    parts = [f"{words}: "]
    for model, count in found.items():
        parts += [str(model), f" {count:,}, "]
    return Spoken(*parts[:-1], parts[-1].removesuffix(", "))


def gained(rows: Sequence[Row]) -> str:
    """Say of adjusted means how much of their variance is gone; nothing where none is adjusted."""
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
    parts = [counted(user_counts, segmented)] if user_counts else _users(rows)
    if weights:
        parts.append(f"means weighted by {weights}")
    how, level = interval
    if how is not None and any(row.get("low") is not None for row in rows):
        groups = f" of groups by {cluster}" if cluster else ""
        used = {row.get("interval") for row in rows} if how == "auto" else {how}
        words = ", of 0 and 1 ".join(INTERVALS[one] for one in ("t", "wilson") if one in used)
        parts.append(f"{percent(level)} intervals {words or INTERVALS[how]}{groups}")
    if parts:
        yield "; ".join(filter(None, (*parts, gained(rows))))
    if found := unusual(user_counts):
        yield Spoken.joined(found)
    if any("none" in (row.get("row_order") or "") for row in user_counts):
        yield "rows have no order here: equal scores by item, repeated rows at their best"
    if len({(row["population"], row["users_evaluated"]) for row in user_counts}) != 1 or segmented:
        return
    everyone = user_counts[0]["users_evaluated"]
    of_all = [row for row in rows if row.get("grouping", "all") == "all"]
    fewer = {row["asked"]: row["users"] for row in of_all if (row["users"] or 0) < everyone}
    if fewer:
        texts = ", ".join(f"{asked} {users or 0:,}" for asked, users in fewer.items())
        yield f"users with a value: {texts}"


def _users(rows: Iterable[Row]) -> list[str]:
    """Say how many users values stand on, where nothing else tells."""
    users = {row["users"] or 0 for row in rows}
    few, most = min(users, default=0), max(users, default=0)
    text = counts(few, "users") if few == most else f"{few:,} to {most:,} users"
    return [text] if users else []


def percent(level: float) -> str:
    """Write a level: ``95 %``."""
    return f"{100 * level:g} %"


def of_user_counts(names: Sequence[str], rows: Sequence[Row]) -> Layout:
    """Lay out the counts of users and lists: the columns that say something."""
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
    return replace(of_rows(kept, rows), title="Users and lists", notes=notes)


def libraries_of(row: Row) -> list[str]:
    """Return the libraries that have the value of a row of an explanation."""
    return _COMMA.split(row["conventions"])


def paper_name(text: str) -> str:
    """Write a metric as papers do: ``NDCG@10`` for ``ndcg@10``, ``Average precision``."""
    found = re.match(r"[\w-]+", text)
    metric = metrics().get(found[0].lower()) if found else None
    if found is None:
        return text
    name, rest = found[0], text[found.end() :]
    title = metric.title.partition(":")[0] if metric else ""
    if title.lower().replace(" ", "_") == name.lower():
        return title + rest
    plain = name.replace("_", " ")
    return (name.upper() if len(name) <= _SHORT else plain[:1].upper() + plain[1:]) + rest
