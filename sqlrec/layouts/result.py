"""The layout of a result: models by metrics, the best first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from ..catalogue.headers import metrics
from ..display.numbers import (
    decimals_for,
    format_count,
    number,
    round_last_digits,
    spread,
    to_singular,
)
from ..display.table_layout import (
    ARROWS,
    BASELINE,
    MISSING,
    SIGNS,
    Cell,
    Column,
    Group,
    LabeledText,
    Layout,
    format_cell_text,
    join_names,
    rows_layout,
    split_cutoff,
)
from ..records import Row, group_by
from ..rules import NEED_LIST, values_with_property

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

# Descriptions for interval methods.
INTERVALS = {
    "auto": "by Student's t",
    "normal": "by the normal distribution",
    "t": "by Student's t",
    "wilson": "by Wilson's method",
    "bootstrap": "by the bootstrap",
    "bca": "by the BCa bootstrap",
    "anytime": "valid under continuous monitoring",
}

# Descriptions for tests and for corrections of p-values.
TESTS = {
    "t": "paired t-test",
    "normal": "paired z-test",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "sign": "sign test",
    "mcnemar": "McNemar's mid-p test",
    "score": "score test for 0/1 values",
    "permutation": "permutation test of all signs",
    "randomization": "randomization test",
    "anytime": "test valid under continuous monitoring",
}
CORRECTIONS = {
    "holm": "Holm's correction",
    "bonferroni": "Bonferroni's correction",
    "bh": "Benjamini and Hochberg's correction",
    "tukey": "Tukey's correction for all pairs",
    "dunnett": "Dunnett's correction for all models",
    "none": "no correction",
}

# Families of tests, without and with segments: the primary metric, other means over users,
# and metrics of all lists together.
FAMILIES = (
    ("models", "other metrics", "metrics of all lists"),
    ("segments", "other metrics in segments", "metrics of all lists in segments"),
)

# Signs of significant gains and losses, and of models that do not differ significantly.
GAIN, LOSS, SIMILAR = "▲", "▼", "="
TONES = {GAIN: "good", LOSS: "bad"}

# Counts that get a note if they are not 0.
_UNUSUAL = {
    "users_without_list": "users without a list",
    "short_lists": "users with a list shorter than the cutoff",
    "ties_at_cutoff": "lists with equal scores across the cutoff",
    "unjudged_lists": "users with recommendations but no relevant item",
    "repeated_rows": "repeated rows, excluded",
}

# The counts of users who are excluded from the mean, or who are included without a list.
USER_COUNTS = ("users_without_list", "unjudged_lists")

# Populations that exclude users without a relevant item, or users without an item in the truth.
_NEED_TRUTH = values_with_property("population", "is_judged")
_NEED_RELEVANT = values_with_property("population", "is_relevant")

# The note for a novelty of 1 for every model.
_NOT_NOVEL = (
    "novelty is 1, as no list has an item of the user's history; surprisal measures how unpopular "
    "the items are"
)

# Maximum number of metrics in one row if there is a single model. More metrics get a row each.
_WIDEST_ROW = 6

# A column of segments with more than this number of distinct numbers is a quantity.
MANY_NUMBERS = 30

# Maximum length of an abbreviation.
_SHORT = 4

# Columns of a result other than segments and summaries.
_KNOWN = (
    *("metric", "k", "request", "value", "users", "clusters", "degrees_of_freedom"),
    *("standard_error", "low", "high", "interval", "unadjusted_value", "gain"),
)

# A comma between libraries, not within the parentheses of a metric's parameters.
_COMMA = re.compile(r", (?![^(]*\))")


def metric_direction(metric: str) -> str:
    """Return the direction of a metric of a result: higher, lower or neither."""
    header = metrics().get(metric.partition("(")[0])
    return header.better if header else "neither"


def describe_metric(metric: str) -> str:
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
    tests: Sequence[Row] = (),
    baseline: str | None = None,
    digits: int | None = None,
) -> Layout:
    """Return the layout of a result, with a row per model, and a column per metric and cutoff.

    The tests compare models with the baseline, or by default with the best model.
    """
    segments = [*names[1 : names.index("metric")]]
    counted = group_by(user_counts, lambda row: segment_key(row, segments))
    summaries = [name for name in names[names.index("metric") :] if name not in _KNOWN]
    measures = _metrics_in_order(rows)
    # The first metric that the caller wrote decides, even if its column is not the first.
    primary = (rows[0]["metric"], rows[0]["k"]) if rows else None
    models = _order_models(rows, primary)
    several, best_by = len(models) > 1, measures[primary] if primary else ""
    formats = {key: _Format.for_metric(key, rows, digits) for key in measures}
    marks = _marks_of_tests(tests, segments, interval[1], baseline)
    groups = []
    for segment, values in values_by_segment(rows, segments).items():
        best = {
            key: best_row([values[name, *key] for name in models if (name, *key) in values], key[0])
            for key in measures
        }
        row = next(iter(values.values()))
        lines = []
        for model in models:
            cells = [] if several else [Cell(format_cell_text(row[name])) for name in segments]
            if several or not segments:
                is_best_value = primary and is_best(values.get((model, *primary)), best[primary])
                name = f"{model}{BASELINE}" if model == baseline else str(model)
                cells.insert(0, Cell(name, best=bool(is_best_value)))
            for key in measures:
                value, mark = values.get((model, *key)), marks.get((*segment, model, *key), "")
                cells.append(formats[key].cell(value, mark, is_best(value, best[key])))
                cells += [formats[key].summary(value, name) for name in summaries]
            lines.append(cells)
        title = segment_title(row, segments) if several and segments else ""
        users = {row["users_evaluated"] for row in counted.get(segment, ())}
        if title and len(users) == 1:
            title += f" ({format_count(users.pop(), 'users')})"
        groups.append(Group(title, lines))
    if not several:
        groups = [Group("", [cells for group in groups for cells in group.rows])]
    head = [Column("model", key=True)] if several or not segments else []
    head += [] if several else [Column(name, key=True) for name in segments]
    columns = head + metric_columns(measures, summaries)
    overall = [row for row in user_counts if row.get("grouping", "all") == "all"]
    own = [] if "grouping" in segments else segments
    notes = [*_mark_notes(tests, interval[1], baseline)]
    notes += _note_order(groups, best_by) if several and segments else ()
    notes += _result_notes(rows, overall, interval, cluster, weights, own)
    notes += note_segments_of_numbers(segments, rows)
    layout = Layout(columns, groups, notes=notes, best=best_by)
    if not several and not segments and len(columns) > 1 + _WIDEST_ROW:
        layout = _transpose_layout(layout)
    return _segments_as_columns(layout, own, measures) if several else layout


def _note_order(groups: Iterable[Group], metric: str) -> Iterator[str]:
    """Yield a note if a segment's best model is not first, since segments have equal orders."""
    if any(cells[0].best for group in groups for cells in group.rows[1:]):
        yield f"models are in the order of {metric} over all segments"


def note_segments_of_numbers(segments: Iterable[str], rows: Sequence[Row]) -> list[str]:
    """Return a note for each column of segments that is a quantity rather than groups of users."""
    notes = []
    for name in segments:
        numbers = {row[name] for row in rows if isinstance(row[name], int | float)}
        if len(numbers) > MANY_NUMBERS:
            notes.append(
                f"the column {name} has {len(numbers):,} values: fewer, larger segments "
                f"are more informative; use a column of ranges, such as floor({name} / 10)"
            )
    return notes


def _segments_as_columns(
    layout: Layout, segments: Sequence[str], measures: Mapping[tuple[str, int | None], str]
) -> Layout:
    """Return the layout with a column for each segment, if there is one metric and grouping."""
    if not len(segments) == len(layout.columns) - 1 == 1 < len(layout.groups) <= _WIDEST_ROW:
        return layout
    ((metric_name, _), request), (name,) = *measures.items(), segments
    metric = f"{request} {ARROWS.get(metric_direction(metric_name), '')}".rstrip()
    titles = [group.title.removeprefix(f"{name}=") for group in layout.groups]
    values, _, users = zip(*(title.rpartition(" (") for title in titles), strict=True)
    counted = all(text.endswith(("users)", "user)")) for text in users)
    heads = values if counted else titles
    columns = [Column(head, number=True) for head in heads]
    rows = [
        [replace(row[0], best=False), *(group.rows[index][1] for group in layout.groups)]
        for index, row in enumerate(layout.groups[0].rows)
    ]
    sizes = [f"{head} {size.split(' ')[0]}" for head, size in zip(heads, users, strict=True)]
    notes = [*([f"users by {name}: {', '.join(sizes)}"] if counted else []), *layout.notes]
    return Layout(
        [layout.columns[0], *columns],
        [Group("", rows)],
        LabeledText(f"{metric} by {name}"),
        notes,
        metric=metric,
    )


def estimates_layout(names: Sequence[str], rows: Sequence[Row], *, level: float) -> Layout:
    """Return the layout of estimates: a result's layout, with the metrics of each estimator."""
    layout = result_layout(
        [name for name in names if name != "estimator"], rows, interval=("t", level)
    )
    for estimator in dict.fromkeys(row["estimator"] for row in rows):
        requests = dict.fromkeys(row["request"] for row in rows if row["estimator"] == estimator)
        layout.notes.append(f"estimator {estimator}: {', '.join(requests)}")
    return layout


def _metrics_in_order(rows: Iterable[Row]) -> dict[tuple[str, int | None], str]:
    """Return metrics with their cutoffs and requests, in the order of requests and cutoffs."""
    requests = {(row["metric"], row["k"]): row["request"] for row in rows}
    first: dict[tuple[str, str], int] = {}
    for (metric, k), request in requests.items():
        first.setdefault((metric, split_cutoff(request, k)[0]), len(first))

    def sort_key(key: tuple[str, int | None]) -> tuple[int, float]:
        metric, k = key
        return first[metric, split_cutoff(requests[key], k)[0]], float("inf") if k is None else k

    return {key: requests[key] for key in sorted(requests, key=sort_key)}


def _order_models(rows: Sequence[Row], primary: tuple[str, int | None] | None) -> list[Any]:
    """Return the models in the order of the primary metric over all segments, best first."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    if primary is None or not (sign := -SIGNS[metric_direction(primary[0])]):
        return models
    totals = {model: [0.0, 0.0] for model in models}
    for row in rows:
        if (row["metric"], row["k"]) == primary and row["value"] is not None:
            totals[row["model"]][0] += row["value"] * (row["users"] or 0)
            totals[row["model"]][1] += row["users"] or 0

    def sort_key(model: Any) -> tuple[bool, float]:
        total, users = totals[model]
        return not users, round_last_digits(sign * total / users) if users else 0.0

    return sorted(models, key=sort_key)


class _Format(NamedTuple):
    """The format of a metric's values: their decimals, and whether intervals have both limits."""

    decimals: int
    limits: bool

    @classmethod
    def for_metric(
        cls, key: tuple[str, int | None], rows: Iterable[Row], digits: int | None
    ) -> _Format:
        """Return the format of a metric, by default with the digits that its intervals support."""
        rows = [
            {"low": None, "high": None, **row}
            for row in rows
            if (row["metric"], row["k"]) == key and row["value"] is not None
        ]
        if digits is None:
            values = [row["value"] for row in rows]
            halves = [(x["high"] - x["low"]) / 2 for x in rows if None not in (x["low"], x["high"])]
            # With few users, intervals are wide, but small examples should still show the value.
            two_digits = decimals_for([max(values, key=abs)]) - 1 if values else 0
            digits = max(decimals_for(values, halves), two_digits)
        texts = (spread(row["value"], row["low"], row["high"], digits) for row in rows)
        return cls(digits, any(text.startswith("[") for text in texts))

    def cell(self, row: Row | None, mark: str, best: bool) -> Cell:
        """Return the cell of a value. The best value has no mark for similar models."""
        if row is None or row["value"] is None:
            return Cell(MISSING)
        limits = row.get("low"), row.get("high")
        return Cell(
            number(row["value"], self.decimals),
            spread(row["value"], *limits, self.decimals, limits=self.limits),
            mark="" if best and mark != GAIN else mark,
            best=best,
            tone="" if best else TONES.get(mark, ""),
        )

    def summary(self, row: Row | None, name: str) -> Cell:
        """Return the cell of a summary of per-user values."""
        value = None if row is None else row[name]
        return Cell(MISSING if value is None else number(value, max(self.decimals, 3)))


def best_row(rows: Iterable[Row], metric: str) -> Row | None:
    """Return the row with the best value of a metric, unless all values are equal."""
    rows = [row for row in rows if row["value"] is not None]
    better = metric_direction(metric)
    if better == "neither" or len(rows) < 2:
        return None
    best = (max if better == "higher" else min)(rows, key=lambda row: row["value"])
    return (
        best
        if any(not equals_up_to_rounding(row["value"], best["value"]) for row in rows)
        else None
    )


def equals_up_to_rounding(value: float, other: float) -> bool:
    """Return whether two values are equal except for their last digits."""
    return abs(value - other) <= 1e-12 * max(abs(value), abs(other))


def is_best(row: Row | None, best: Row | None) -> bool:
    """Return whether a row has the best value, except for its last digits."""
    if row is None or best is None or row["value"] is None:
        return False
    return equals_up_to_rounding(row["value"], best["value"])


def _marks_of_tests(
    tests: Iterable[Row], segments: Sequence[str], level: float, baseline: str | None
) -> dict[Any, str]:
    """Return the marks of models by segment, model, metric and cutoff."""
    marks = {}
    for row in tests:
        if row["p_adjusted"] is not None:
            # A row of tests contains only the segment columns of its grouping.
            segment = (repr(row.get(name)) for name in segments)
            key = (*segment, row["model"], row["metric"], row["k"])
            against_best = LOSS if is_significant(row, level) else SIMILAR
            marks[key] = against_best if baseline is None else mark_difference(row, level)
    return marks


def mark_difference(row: Row, level: float) -> str:
    """Return the sign of a significant gain or loss, or else an empty string."""
    gain = (row["difference"] or 0) * SIGNS[row["better"]]
    if not gain or not is_significant(row, level):
        return ""
    return GAIN if gain > 0 else LOSS


def is_significant(row: Row, level: float) -> bool:
    """Return whether a difference is significant after the correction of its family."""
    return row["p_adjusted"] is not None and row["p_adjusted"] < 1 - level


def describe_marks(marks: Collection[str], other: str | None, level: float) -> LabeledText:
    """Describe the marks of differences from another model, or between pairs of models."""
    words = {GAIN: "significantly better", LOSS: "significantly worse"}
    signs = ", ".join(f"{sign} {text}" for sign, text in words.items() if sign in marks)
    alpha = f", p < {1 - level:.3g}"
    if other is None:
        return LabeledText(f"{signs} than the other model{alpha}")
    return LabeledText(f"{signs} than ", other, alpha)


def _mark_notes(tests: Sequence[Row], level: float, baseline: str | None) -> Iterator[str]:
    """Format the meaning of marks, and the tests against the best model."""
    with_p = [row for row in tests if row["p_adjusted"] is not None]
    if with_p and baseline is not None:
        if marks := {mark_difference(row, level) for row in with_p} - {""}:
            yield describe_marks(marks, baseline, level)
    elif with_p:
        words = {LOSS: "significantly worse than the best", SIMILAR: "not distinguishable from it"}
        used = {LOSS if is_significant(row, level) else SIMILAR for row in with_p}
        signs = ", ".join(f"{sign} {text}" for sign, text in words.items() if sign in used)
        signs = signs.replace("from it", "from the best") if LOSS not in used else signs
        yield f"{signs}, at p < {1 - level:.3g}: {format_tests(with_p, 'holm')}"


def format_tests(rows: Iterable[Row], correction: str) -> str:
    """Format the tests and the correction of differences, with the size of each family."""
    rows = [row for row in rows if row["p"] is not None]
    used = [test for test in TESTS if any(row["test"] == test for row in rows)] or ["t"]
    text = f"{' or '.join(TESTS[test] for test in used)}, {CORRECTIONS[correction]}"
    if correction in ("none", "tukey", "dunnett"):
        return text
    sizes = Counter(row["family"] for row in rows)
    if max(sizes.values(), default=0) < 2:
        return text
    if len(sizes) == 1:
        return f"{text} over {sizes.total():,} tests of {next(iter(sizes))}"
    if len(sizes) > 3:
        counts = format_counts(min(sizes.values()), max(sizes.values()), "tests")
        return (
            f"{text} within each of {len(sizes)} families of tests ({counts} each): the primary "
            "metric or other metrics, of all users or of one column"
        )
    families = ", ".join(f"{size:,} of {family}" for family, size in sizes.items())
    return f"{text} in each family of tests ({families})"


def metric_columns(
    measures: Mapping[tuple[str, int | None], str], summaries: Sequence[str] = ()
) -> list[Column]:
    """Return a column for each metric and cutoff, and for its summaries."""
    columns = []
    for (metric, k), request in measures.items():
        group, cutoff = split_cutoff(request, k)
        arrow = ARROWS.get(metric_direction(metric), "")
        if not cutoff:
            group, cutoff = "", group
        columns.append(Column(cutoff, group, arrow, describe_metric(metric), number=True))
        for name in summaries:
            columns.append(
                Column(f"{cutoff} {name}", group, "", describe_metric(metric), number=True)
            )
    return columns


# Rows in a segment, by model, metric and cutoff.
Values = dict[tuple[Any, str, int | None], Row]


def values_by_segment(
    rows: Iterable[Row], segments: Sequence[str]
) -> dict[tuple[str, ...], Values]:
    """Return the rows of each segment by model, metric and cutoff."""
    return {
        key: {(row["model"], row["metric"], row["k"]): row for row in group}
        for key, group in group_by(rows, lambda row: segment_key(row, segments)).items()
    }


def segment_key(row: Row, segments: Sequence[str]) -> tuple[str, ...]:
    """Return the key of a segment; it uses repr, since NaN is not equal to itself."""
    return tuple(repr(row[name]) for name in segments)


def segment_title(row: Row, segments: Sequence[str]) -> str:
    """Format a segment: ``gender=F, age=18``; with groupings, only the grouping's columns."""
    names = [name for name in segments if name != "grouping"]
    if "grouping" in segments:
        if row["grouping"] == "all":
            return "all"
        names = [row["grouping"]] if row["grouping"] in names else names
    return ", ".join(f"{name}={format_cell_text(row[name])}" for name in names)


def _transpose_layout(layout: Layout) -> Layout:
    """Return the layout of a single row as a column."""
    (row,) = layout.rows()
    lines = [
        [Cell(column.full), cell] for column, cell in zip(layout.columns[1:], row[1:], strict=True)
    ]
    columns = [Column("metric", key=True), Column(row[0].text, number=True)]
    return Layout(columns, [Group("", lines)], notes=layout.notes)


def format_population(user_counts: Iterable[Row], segments: Sequence[str] = ()) -> str:
    """Format the users in the means: ``943 users with a relevant item``."""
    texts = []
    for population, rows in group_by(user_counts, lambda row: str(row["population"])).items():
        by_segment = {
            key: [row["users_evaluated"] for row in group]
            for key, group in group_by(rows, lambda row: segment_key(row, segments)).items()
        }
        # Each user is in one segment, so counts can be added.
        low, high = (sum(map(end, by_segment.values())) for end in (min, max))
        words = POPULATIONS[population]
        text = f"{_format_range(low, high)} {to_singular(words) if high == 1 else words}"
        if len(by_segment) > 1:
            users = [count for counts in by_segment.values() for count in counts]
            text += f" ({_format_range(min(users), max(users))} in each segment)"
        texts.append(text)
    return "; ".join(texts)


def format_counts(low: int, high: int, noun: str) -> str:
    """Format a range of counts with a plural noun."""
    return format_count(high, noun) if low == high else f"{_format_range(low, high)} {noun}"


def _format_range(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _count_by_segment(
    user_counts: Iterable[Row], name: str, segments: Sequence[str]
) -> dict[Any, dict[int | None, dict[str, int]]]:
    """Return a count by model, cutoff and segment."""
    counts: dict[Any, dict[int | None, dict[str, int]]] = {}
    for row in user_counts:
        # Rows of other conventions and populations count the same users again.
        by_segment = counts.setdefault(row["model"], {}).setdefault(row["k"], {})
        segment = segment_title(row, segments)
        by_segment[segment] = max(by_segment.get(segment, 0), row[name] or 0)
    return counts


def _format_ties(counts: Mapping[Any, Mapping[Any, Mapping[str, int]]]) -> list[str]:
    """Format the largest number of lists in which the rule for ties decides, with the models."""
    totals = {model: {*map(_total, by_cutoff.values())} for model, by_cutoff in counts.items()}
    if not (largest := max(map(max, totals.values()))):
        return []
    names = [str(model) for model, own in totals.items() if max(own) == largest]
    lists = format_count(largest, "lists")
    lists = f"up to {lists}" if any(len(own) > 1 for own in totals.values()) else lists
    have = "has" if largest == 1 else "have"
    words = [f"{lists} of ", join_names(names)] if len(names) < len(totals) else [lists]
    return [
        LabeledText.concat(
            *words,
            f" {have} equal scores across the cutoff: the option ties decides which items count; "
            "its values best and worst show the effect",
        )
    ]


def _total(counts: Mapping[str, int]) -> int:
    return sum(counts.values())


def _format_cutoffs(
    by_cutoff: Mapping[int | None, Mapping[str, int]], segments: Sequence[str]
) -> tuple[str, str]:
    """Format a model's count: by cutoff if cutoffs differ, else with the counts of segments."""
    totals = {k: _total(counts) for k, counts in by_cutoff.items()}
    if len({*totals.values()}) > 1:
        return ", ".join(f"{count:,} at {k or 'the end'}" for k, count in totals.items()), ""
    (first, *_), (total, *_) = by_cutoff.values(), totals.values()
    return f"{total:,}", _format_segment_counts(first, segments)


def _format_segment_counts(counts: Mapping[str, int], segments: Sequence[str]) -> str:
    """Format the counts of segments: each count for few segments of a column, or a range."""
    if len(counts) < 2:
        return ""
    if len(counts) > _WIDEST_ROW or len(segments) > 1:
        return f" ({_format_range(min(counts.values()), max(counts.values()))} in each segment)"
    text = ", ".join(f"{segment} {count:,}" for segment, count in counts.items())
    return f" (by {segments[0]}: {text.replace(f'{segments[0]}=', '')})"


def format_unusual_counts(
    user_counts: Iterable[Row], *names: str, segments: Sequence[str] = ()
) -> list[str]:
    """Format the counts that are not 0, for each model if models differ."""
    rows = [row for row in user_counts if row.get("grouping", "all") == "all"]
    notes = []
    for name in names or _UNUSUAL:
        counted = [row for row in rows if name not in USER_COUNTS or _are_users_counted(name, row)]
        by_words = group_by(counted, partial(_describe_count, name))
        if len(by_words) > 1:
            # Other metrics already count these lists, because their mean includes these users.
            by_words.pop(_UNUSUAL[name], None)
        for words, group in by_words.items():
            counts = _count_by_segment(group, name, segments)
            if name == "ties_at_cutoff":
                notes += _format_ties(counts)
                continue
            texts = {
                model: _format_cutoffs(model_counts, segments)
                for model, model_counts in counts.items()
            }
            texts = {model: text for model, text in texts.items() if text[0] != "0"}
            are_equal = len(texts) == len(counts) and len({*texts.values()}) == 1
            if name == "unjudged_lists" and texts and not are_equal:
                # These users are not in the truth, so all models exclude them.
                largest = max(texts, key=lambda model: max(map(_total, counts[model].values())))
                notes.append(f"up to {_format_by_model({largest: texts[largest]}, words, 1)}")
            elif texts:
                notes.append(_format_by_model(texts, words, len(counts)))
    return notes


def _are_users_counted(name: str, row: Row) -> bool:
    """Return whether the number of excluded users is known, which requires the truth."""
    is_rated = name == "users_without_list" and row["population"] == "rated"
    return row.get("unjudged_lists", 0) is not None and not is_rated


def format_model_users(name: str, counts: Mapping[Any, int]) -> str:
    """Format a count of users in the default population; empty if it is 0 for all models."""
    rows = [{"model": x, "k": None, "population": "truth", name: n} for x, n in counts.items()]
    return "".join(format_unusual_counts(rows, name))


def _describe_count(name: str, row: Row) -> str:
    """Describe a count of users in a population, and whether these users are in the mean."""
    words, population = _UNUSUAL[name], row["population"]
    if name == "users_without_list":
        in_mean = "counted as 0 by most metrics"
        return f"{words}, {'not in the mean' if population in NEED_LIST else in_mean}"
    if name == "unjudged_lists" and population in _NEED_TRUTH:
        words = words if population in _NEED_RELEVANT else words.replace("relevant", "judged")
        return f"{words}, not in the mean"
    return words


def format_users(names: Sequence[str], user_counts: Iterable[Row]) -> list[str]:
    """Format the users without a list, and the users without a relevant item."""
    segments = [*names[1 : names.index("convention")]]
    segments = [] if "grouping" in segments else segments
    return format_unusual_counts(user_counts, *USER_COUNTS, segments=segments)


def _format_by_model(texts: Mapping[Any, tuple[str, str]], words: str, models: int) -> str:
    """Format the counts of models, each with the counts of its segments."""
    if len(texts) == models and len({*texts.values()}) == 1:
        text, by_segment = next(iter(texts.values()))
        return f"{text} {to_singular(words) if text == '1' else words}{by_segment}"
    notes = []
    for (text, by_segment), group in group_by(texts, lambda model: texts[model]).items():
        each = " each" if len(group) > 1 else ""
        notes += ["; ", join_names(map(str, group)), f" {text}{each}{by_segment}"]
    return LabeledText.concat(f"{words}: ", *notes[1:])


def format_gain(rows: Sequence[Row]) -> str:
    """Format the variance reduction of adjusted means; empty if no mean is adjusted."""
    gains = [row["gain"] for row in rows if row.get("gain") is not None]
    if not gains:
        return ""
    shares = dict.fromkeys(f"{max(100 * gain, 0):.0f}" for gain in (min(gains), max(gains)))
    return f"adjusted to all users, with {' to '.join(shares)}% less variance"


def _result_notes(
    rows: Sequence[Row],
    user_counts: Sequence[Row],
    interval: tuple[str | None, float],
    cluster: str | None,
    weights: str | None,
    segments: Sequence[str],
) -> Iterator[str]:
    users = [row["users"] or 0 for row in rows]
    parts = [format_counts(min(users), max(users), "users")] if users else []
    if user_counts:
        parts = [f"averaged over {format_population(user_counts, segments)}"]
    if weights:
        parts.append(f"means weighted by {weights}")
    method, level = interval
    if method is not None and any(row.get("low") is not None for row in rows):
        used = {row.get("interval") for row in rows} if method == "auto" else {method}
        words = [INTERVALS[name] for name in ("t", "wilson") if name in used]
        text = ", for values of 0 and 1 ".join(words) or INTERVALS[method]
        groups = f", clustered by {cluster}" if cluster else ""
        parts.append(f"{format_level(level)} intervals {text}{groups}")
    if parts:
        yield "; ".join(filter(None, (*parts, format_gain(rows))))
    yield from format_unusual_counts(user_counts, segments=segments)
    if any("none" in (row.get("row_order") or "") for row in user_counts):
        yield "rows have no order: ties are ordered by item, and repeats count at their best row"
    if {row["value"] for row in rows if row["metric"] == "novelty"} == {1.0}:
        yield _NOT_NOVEL
    if len({(row["population"], row["users_evaluated"]) for row in user_counts}) != 1 or segments:
        return
    user_count = user_counts[0]["users_evaluated"]
    overall = [row for row in rows if row.get("grouping", "all") == "all"]
    fewer = {row["request"]: row["users"] for row in overall if (row["users"] or 0) < user_count}
    if fewer:
        texts = ", ".join(f"{request} {users or 0:,}" for request, users in fewer.items())
        yield f"users with a value: {texts}"


def format_level(level: float) -> str:
    """Format a level: ``95%``."""
    return f"{100 * level:g}%"


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
    if "k" in kept:
        # Cutoffs with the same counts share a row.
        others = [name for name in kept if name != "k"]
        equal = group_by(rows, lambda row: tuple(repr(row[name]) for name in others)).values()
        rows = [{**x[0], "k": ",".join(str(row["k"] or "all") for row in x)} for x in equal]
    return replace(rows_layout(kept, rows), title="Users and lists", notes=notes)


def libraries_of(row: Row) -> list[str]:
    """Return the libraries that compute the value in a row of an explanation."""
    # A name may have commas in parentheses.
    return _COMMA.split(row["conventions"])


def name_for_papers(text: str) -> str:
    """Format a metric for papers, as in ``NDCG@10`` or ``Average precision``."""
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
