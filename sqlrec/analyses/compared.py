"""The layouts of a comparison: its differences, and models by metrics beside their baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..display.layout import (
    ARROWS,
    BASELINE,
    MISSING,
    SIGNS,
    Cell,
    Column,
    Group,
    Layout,
    Spoken,
    text_of,
)
from ..display.numbers import chance, change, decimals_for, number, spread, steady
from ..results.evaluated import (
    INTERVALS,
    best_of,
    counts,
    gained,
    metric_columns,
    missing_lists,
    of_key,
    percent,
    same,
    segment_title,
)

# What is shown where a model is better or worse than the baseline, and not by chance.
GAIN, LOSS = "▲", "▼"

# How p values were made and corrected, in words.
TESTS = {
    "t": "Student's t test for pairs",
    "wilcoxon": "Wilcoxon's signed rank test",
    "sign": "sign test",
    "mcnemar": "McNemar's mid-p test",
    "score": "score test of 0/1 values",
    "permutation": "permutation test of all signs",
    "randomization": "randomization test",
    "always": "valid however often one looks",
}
CORRECTIONS = {
    "holm": "Holm's correction",
    "bonferroni": "Bonferroni's correction",
    "bh": "Benjamini and Hochberg's correction",
    "tukey": "Tukey's correction for all pairs",
    "dunnett": "Dunnett's correction for all models",
    "none": "no correction",
}

# How differences are made certain that are not means of users' differences, in words.
_METHODS = {
    "delta": "linearised by user",
    "bootstrap": "by users drawn again for both models",
    None: "without interval",
}

# What is shown where a model is as good as the baseline, or not worse, by a margin.
_WITHIN = {"equivalent": ("=", "as good as "), "noninferior": ("≥", "not worse than ")}

# What p is evidence of, in words, where it is not of any difference.
_ALTERNATIVES = {
    "greater": "of more than the baseline",
    "less": "of less than the baseline",
    "equivalent": "of models as good as the baseline",
    "noninferior": "of models not worse than the baseline",
}

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Done:
    """How models were compared: the options of ``compare``, how many tests and which were made.

    Attributes:
        without_list: How many users have no list, by model.
    """

    baseline: str | None
    interval: str
    level: float
    test: str
    correction: str
    cluster: str | None
    tests: int
    alternative: str = "two-sided"
    margin: Any = None
    adjust: Sequence[str] = ()
    used: Sequence[str] = ()
    weights: str | None = None
    without_list: Mapping[Any, int] = field(default_factory=dict)

    @property
    def other(self) -> str:
        """What the other model of a difference is called."""
        return self.baseline or "other"

    def mark(self, row: Row) -> tuple[str, str]:
        """Return the sign of a difference that is not chance, and whether it is good news."""
        if row["p_adjusted"] is None or row["p_adjusted"] >= 1 - self.level:
            return "", ""
        if self.alternative in _WITHIN:
            return _WITHIN[self.alternative][0], "good"
        better = (row["difference"] or 0) * SIGNS[row["better"]]
        if not better:
            return "", ""
        return (GAIN, "good") if better > 0 else (LOSS, "bad")


def of_comparison(
    names: Sequence[str], rows: Sequence[Row], *, done: Done, grouped: bool = True
) -> Layout:
    """Lay out differences: a row for each model and metric, the best model first.

    Args:
        names: The columns of the comparison.
        rows: Its rows.
        done: How it was made.
        grouped: Whether segments are groups of rows, and models in order; else rows stay.
    """
    segments = [*names[1 : names.index("metric")]]
    if done.baseline is None:
        rows = [{**row, "model": f"{row['model']} - {row['baseline']}"} for row in rows]
    models = _ordered(rows)
    measures = list(dict.fromkeys((row["metric"], row["k"]) for row in rows))
    grouped = grouped and len(rows) > len({of_key(row, segments) for row in rows})
    if grouped:
        rows = sorted(
            rows,
            key=lambda row: (measures.index((row["metric"], row["k"])), models.index(row["model"])),
        )
    shown = [name for name in ("metric", "model") if _differ(rows, name)]
    if not shown and not segments:
        shown = ["model"]
    digits = {key: _digits(rows, key) for key in measures}
    groups: dict[tuple[str, ...], Group] = {}
    for row in rows:
        at = of_key(row, segments) if grouped else ()
        title = segment_title(row, segments) if grouped and segments else ""
        line = [Cell(_named(row, name)) for name in shown]
        line += [] if grouped else [Cell(text_of(row[name])) for name in segments]
        line += _difference(row, digits[row["metric"], row["k"]], done)
        groups.setdefault(at, Group(title, [])).rows.append(line)
    columns = [Column(name, key=True) for name in shown]
    columns += [] if grouped else [Column(name, key=True) for name in segments]
    spare = {"change": 3, "W/T/L": 2, "users": 1}
    columns += [
        Column(name, number=True, spare=spare.get(name, 0))
        for name in (
            *("users", "value", Spoken("", done.other)),
            *("difference", "change", "W/T/L", "p"),
        )
    ]
    metric = _named(rows[0], "metric") if rows and "metric" not in shown else ""
    of_what = f"{metric}, " if metric else ""
    several = f"{of_what}models" if of_what else "Models"
    who = (of_what, str(models[0]), "") if len(models) == 1 else (several,)
    title = Spoken(*who[:-1], f"{who[-1]} compared with ", done.other)
    if done.baseline is None:
        title = Spoken(f"{of_what}every pair of models" if of_what else "Every pair of models")
    everywhere = {row["users"] for row in rows}
    layout = Layout(columns, list(groups.values()), title, _notes(rows, done), metric=metric)
    if len(everywhere) == 1 and grouped:
        layout = _without(layout, "users")
        layout.notes.insert(0, counts(everywhere.pop(), "users with a value of both"))
    return layout


def of_models(names: Sequence[str], rows: Sequence[Row], *, done: Done) -> Layout:
    """Lay out models by metrics, the best first, with their baseline among them.

    Below a value is its difference to the baseline's; marks say where that is not chance.
    """
    segments = [*names[1 : names.index("metric")]]
    measures = {(row["metric"], row["k"]): row["asked"] for row in rows}
    found: dict[tuple[str, ...], dict[Any, Row]] = {}
    for row in rows:
        of_segment = found.setdefault(of_key(row, segments), {})
        of_segment[row["model"], row["metric"], row["k"]] = row
        base = {"value": row["baseline_value"], "difference": None}
        of_segment.setdefault((done.baseline, row["metric"], row["k"]), {**row, **base})
    models = _ordered(rows, done.other)
    digits = {key: _digits(rows, key) for key in measures}
    groups = []
    for values in found.values():
        title = segment_title(next(iter(values.values())), segments)
        lines = []
        for model in models:
            name = f"{model}{BASELINE}" if model == done.baseline else str(model)
            line = [Cell(name)]
            for key in measures:
                here = values.get((model, *key))
                rivals = [values[one, *key] for one in models if (one, *key) in values]
                best = best_of(rivals, key[0])
                line.append(_value(here, best, digits[key], done))
            lines.append(line)
        groups.append(Group(title if segments else "", lines))
    columns = [Column("model", key=True), *metric_columns(measures)]
    notes = _notes(rows, done)
    if any(_uneven(rows, key, segments) for key in measures):
        notes.append("the baseline's value is that for the users of the first model")
    return Layout(columns, groups, Spoken("Models and their baseline ", done.other), notes)


def of_ranks(names: Sequence[str], rows: Sequence[Row], *, done: Done, level: float) -> Layout:
    """Lay out models by metrics, the best first; those that share a letter may be alike."""
    segments = [*names[1 : names.index("metric")]]
    measures = {(row["metric"], row["k"]): row["asked"] for row in rows}
    digits = {
        (metric, k): decimals_for(
            row["value"] for row in rows if (row["metric"], row["k"]) == (metric, k)
        )
        for metric, k in measures
    }
    found: dict[tuple[str, ...], dict[Any, Row]] = {}
    for row in rows:
        of_segment = found.setdefault(of_key(row, segments), {})
        of_segment[row["model"], row["metric"], row["k"]] = row
    groups = []
    for values in found.values():
        lines = []
        # Rows are in order, those of the first metric before all others.
        for model in dict.fromkeys(model for model, _, _ in values):
            cells = [_lettered(values.get((model, *key)), digits[key]) for key in measures]
            lines.append([Cell(str(model)), *cells])
        title = segment_title(next(iter(values.values())), segments) if segments else ""
        groups.append(Group(title, lines))
    columns = [Column("model", key=True), *metric_columns(measures)]
    letters = f"models that share a letter are not shown to differ, p < {1 - level:.3g}"
    tested = _notes([], done)[-1].partition("; ")[0]
    notes = [*missing_lists(done.without_list), letters, tested]
    return Layout(columns, groups, "Every pair of models", notes)


def _lettered(row: Row | None, decimals: int) -> Cell:
    if row is None or row["value"] is None:
        return Cell(MISSING)
    best = row["rank"] is not None and row["rank"] == 1
    return Cell(number(row["value"], decimals), mark=row["letters"] or "", best=best)


def _value(row: Row | None, best: Row | None, decimals: int, done: Done) -> Cell:
    if row is None or row["value"] is None:
        return Cell(MISSING)
    if row["difference"] is None:
        return Cell(number(row["value"], decimals), best=_is_best(row, best))
    mark, tone = done.mark(row)
    return Cell(
        number(row["value"], decimals),
        number(row["difference"], decimals, sign=True),
        mark,
        best=_is_best(row, best),
        tone=tone,
    )


def _is_best(row: Row, best: Row | None) -> bool:
    return best is not None and same(row["value"], best["value"])


def _difference(row: Row, decimals: int, done: Done) -> list[Cell]:
    mark, tone = done.mark(row)
    found = row["difference"]
    interval = "" if found is None else spread(found, row["low"], row["high"], decimals)
    counts = [row[name] for name in ("wins", "ties", "losses")]
    return [
        Cell(number(row["users"], 0)),
        Cell(number(row["value"], decimals) or MISSING),
        Cell(number(row["baseline_value"], decimals) or MISSING),
        Cell(number(found, decimals, sign=True) or MISSING, interval, mark, tone=tone),
        Cell(change(row["relative_difference"])),
        Cell("" if None in counts else "/".join(f"{count:,}" for count in counts)),
        Cell(chance(row["p_adjusted"])),
    ]


def _ordered(rows: Sequence[Row], baseline: str | None = None) -> list[Any]:
    """Return the models, best first by the first metric, over all segments together."""
    models = dict.fromkeys(row["model"] for row in rows)
    found = dict.fromkeys([*([baseline] if baseline else []), *models], 0.0)
    for row in rows:
        if (row["metric"], row["k"]) == (rows[0]["metric"], rows[0]["k"]):
            gain = (row["difference"] or 0.0) * SIGNS[row["better"]]
            found[row["model"]] += gain * (row["users"] or 0)
    return sorted(found, key=lambda model: -steady(found[model]))


def _digits(rows: Iterable[Row], key: tuple[str, int | None]) -> int:
    of_metric = [row for row in rows if (row["metric"], row["k"]) == key]
    return decimals_for(
        [row[name] for row in of_metric for name in ("value", "baseline_value")],
        [None if row["low"] is None else (row["high"] - row["low"]) / 2 for row in of_metric],
    )


def _uneven(rows: Iterable[Row], key: tuple[str, int | None], segments: Sequence[str]) -> bool:
    """Say whether the baseline's value in a segment depends on the model that it stands beside."""
    found: dict[tuple[str, ...], list[float]] = {}
    for row in rows:
        if (row["metric"], row["k"]) == key and row["baseline_value"] is not None:
            found.setdefault(of_key(row, segments), []).append(row["baseline_value"])
    return any(not same(one, values[0]) for values in found.values() for one in values)


def _named(row: Row, name: str) -> str:
    if name != "metric":
        return str(row[name])
    return f"{row['asked']} {ARROWS.get(row['better'], '')}".strip()


def _differ(rows: Sequence[Row], name: str) -> bool:
    key = ("metric", "k") if name == "metric" else (name,)
    return len({tuple(row[one] for one in key) for row in rows}) > 1


def _without(layout: Layout, name: str) -> Layout:
    place = [column.name for column in layout.columns].index(name)
    layout.columns.pop(place)
    for row in layout.rows():
        row.pop(place)
    return layout


def _by_method(rows: Sequence[Row]) -> list[str]:
    """Say of which metrics differences are not means of users' own."""
    notes = []
    for method, how in _METHODS.items():
        asked = dict.fromkeys(row["asked"] for row in rows if row["method"] == method)
        if asked:
            notes.append(f"{how}: {', '.join(asked)}")
    return notes


def _margin(margin: Any) -> str:
    if not isinstance(margin, Mapping):
        return str(margin)
    return ", ".join(f"{size} of {asked}" if asked else str(size) for asked, size in margin.items())


def _notes(rows: Sequence[Row], done: Done) -> list[str]:
    notes = missing_lists(done.without_list)
    if any(done.mark(row)[0] for row in rows):
        alpha = f"p < {1 - done.level:.3g}"
        within = _WITHIN.get(done.alternative)
        signs = " ".join(within) if within else f"{GAIN} better and {LOSS} worse than "
        notes.append(Spoken(signs, done.other, f", {alpha}"))
    tests = (done.used or ["t"]) if done.test == "auto" else [done.test]
    tested = f"p: {' or '.join(TESTS[test] for test in tests)}, {CORRECTIONS[done.correction]}"
    if done.tests > 1 and done.correction not in ("none", "tukey", "dunnett"):
        tested += f" for {done.tests:,} tests"
    level = done.level
    if done.alternative in _ALTERNATIVES:
        level = 2 * level - 1
        by = "" if done.margin is None else f" by a margin of {_margin(done.margin)}"
        tested += f", {_ALTERNATIVES[done.alternative]}{by}"
    groups = f" of groups by {done.cluster}" if done.cluster else ""
    intervals = f"{percent(level)} intervals of differences{groups} {INTERVALS[done.interval]}"
    weighted = f"means weighted by {done.weights}" if done.weights else None
    found = "; ".join(filter(None, (weighted, tested, intervals, gained(rows))))
    return [*notes, *_by_method(rows), found]
