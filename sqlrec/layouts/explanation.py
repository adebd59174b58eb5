"""The layouts of an explanation: values by library, and the steps to another value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from textwrap import shorten

from ..display.layout import MISSING, Cell, Column, Group, LabeledText, Layout
from ..display.numbers import DIGITS, decimals_for
from ..records import Row, group_by
from .result import format_count, libraries_of

# Maximum number of decimals.
_MAX_DIGITS = 9

# Maximum number of models with a column each; more models have a group of rows each.
_MAX_COLUMNS = 6


# Maximum number of values in the short layout, and of libraries in a row.
_SHORT = 6
_SHORT_NAMES = 5

# Maximum number of letters of a cause in the short layout: a note can be long.
_SHORT_CAUSE = 160


def short_explanation_layout(
    names: Sequence[str], rows: Sequence[Row], *, own_notes: Sequence[str] = ()
) -> Layout:
    """Return the values that most libraries have, each with its main cause."""
    layout = full_explanation_layout(names, rows)
    groups, left = [], 0
    for group in layout.groups:
        first, *others = group.rows
        by_libraries = sorted(others, key=lambda row: -len(row[-2].text.split(", ")))
        kept = [row for row in others if row in by_libraries[: _SHORT - 1]]
        # Notes on differences with other rows are in the full layout.
        first = [*first[:-1], Cell()]
        groups.append(Group(group.title, [_shorten_row(row) for row in (first, *kept)]))
        left += len(others) - len(kept)
    notes = (
        [f"{left} more value{'s' * (left != 1)} of libraries: --all, or full=True"] if left else []
    )
    return replace(layout, groups=groups, notes=[*own_notes, *notes])


def _shorten_row(row: list[Cell]) -> list[Cell]:
    """Return a row with its first libraries and its main cause."""
    *values, libraries, cause = row
    names, causes = libraries.text.split(", "), cause.text.split("; ")
    more = len(names) - _SHORT_NAMES
    text = ", ".join(names[:_SHORT_NAMES]) + (f" and {more} more" if more > 0 else "")
    others = f"; and {len(causes) - 1} more" if len(causes) > 1 else ""
    return [
        *values,
        Cell(text),
        Cell(shorten(causes[0], _SHORT_CAUSE, placeholder=" ...") + others),
    ]


def full_explanation_layout(_: Sequence[str], rows: Sequence[Row]) -> Layout:
    """Return the layout of an explanation: a row per value, with its libraries and its causes.

    For a few models, a row has a column for each, and the libraries that agree on all of them.
    """
    models = list(dict.fromkeys(row["model"] for row in rows))
    has_columns = len(models) <= _MAX_COLUMNS
    groups = []
    for request in dict.fromkeys(row["asked"] for row in rows):
        metric_rows = [row for row in rows if row["asked"] == request]
        if has_columns:
            groups.append(Group(request, _lines_by_libraries(metric_rows, models)))
            continue
        for model in models:
            lines = _lines_by_libraries(
                [row for row in metric_rows if row["model"] == model], [model]
            )
            groups.append(Group(f"{request}, {model}", lines))
    several = has_columns and len(models) > 1
    headings: list[str] = [LabeledText("", model) for model in models] if several else ["value"]
    columns = [Column(name, number=True) for name in headings]
    columns += [Column("computed by", key=True), Column("why it differs")]
    return Layout(columns, groups, "Values by library, nearest to sqlrec's first")


def _lines_by_libraries(rows: Sequence[Row], models: Sequence[str]) -> list[list[Cell]]:
    """Return a line for each set of libraries with the same value of every model."""
    rows_by_library: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        for library in libraries_of(row):
            models_of_library = rows_by_library.setdefault(library, {})
            models_of_library.setdefault(row["model"], []).append(row)
    libraries: dict[tuple[str, ...], list[str]] = {}
    for library, rows_by_model in rows_by_library.items():
        key = tuple(rows_by_model[model][0]["conventions"] for model in models)
        libraries.setdefault(key, []).append(library)
    values = {
        key: [rows_by_library[names[0]][model][0]["value"] for model in models]
        for key, names in libraries.items()
    }
    first, *others = libraries

    def distance(key: tuple[str, ...]) -> tuple[bool, float]:
        pairs = zip(values[key], values[first], strict=True)
        return None in values[key], max(abs((x or 0.0) - (y or 0.0)) for x, y in pairs)

    digits = [_distinguishing_decimals({*column}) for column in zip(*values.values(), strict=True)]
    lines = []
    for key in [first, *sorted(others, key=distance)]:
        cells = [
            Cell(MISSING if value is None else f"{value:,.{decimals}f}")
            for value, decimals in zip(values[key], digits, strict=True)
        ]
        rows_by_model = rows_by_library[libraries[key][0]]
        cause = _format_causes([row for model in models for row in rows_by_model[model]])
        # A library all of whose names have the value is named once.
        partial = {name.split()[0] for name in rows_by_library if name not in libraries[key]}
        short = ((name, name.split()[0]) for name in libraries[key])
        names = dict.fromkeys(name if first in partial else first for name, first in short)
        lines.append([*cells, Cell(", ".join(names)), Cell(cause)])
    return lines


def _format_causes(rows: Sequence[Row]) -> str:
    """Return the switches that change a value, with numbers of users, or else the note."""
    touched = group_by((row for row in rows if row["switch"]), lambda row: str(row["meaning"]))
    if not touched:
        return next((str(row["note"]) for row in rows if row["note"]), "")
    causes = {
        meaning: [row["touched"] for row in group if row["touched"] is not None]
        for meaning, group in touched.items()
    }
    texts = []
    for meaning, users in causes.items():
        first = f"{min(users):,} to " if users and min(users) < max(users) else ""
        changed = f" (changes {first}{format_count(max(users), 'users')})" if users else ""
        texts.append(f"{meaning}{changed}")
    return "; ".join(texts)


def _format_users(count: int | None) -> str:
    return "" if count is None else format_count(count, "users")


def _distinguishing_decimals(values: Iterable[float | None]) -> int:
    """Return the number of decimals that distinguishes all different values."""
    present = [value for value in values if value is not None]
    minimum = min(_MAX_DIGITS, max(DIGITS, decimals_for(present)))
    for digits in range(minimum, _MAX_DIGITS):
        if len({round(value, digits) for value in present}) == len(present):
            return digits
    return _MAX_DIGITS if present else minimum


def waterfall_layout(
    _: Sequence[str], rows: Sequence[Row], *, own_notes: Sequence[str] = ()
) -> Layout:
    """Return the layout of the steps to each target, or to several libraries side by side."""
    names = ("asked", "model", "target", "conventions")
    targets = group_by(rows, lambda row: tuple(row[name] for name in names))
    if all(row["by_value"] for row in rows):
        columns = [Column("effect", number=True), Column("value", number=True)]
        columns += [Column("what changes", key=True), Column("users", number=True)]
        sentences = [_summarize_steps(steps) for steps in targets.values()]
        lines = [_step_lines(steps) for steps in targets.values()]
        notes = [*own_notes]
        notes += [
            f"To print {_format_value(last)}: sqlrec evaluate {last['request']} ..."
            for *_, last in targets.values()
            if last["request"]
        ]
        if len(sentences) == 1:
            return Layout(columns, [Group("", lines[0])], sentences[0], notes)
        groups = [Group(*pair) for pair in zip(sentences, lines, strict=True)]
        return Layout(columns, groups, "From sqlrec's value", notes)
    return replace(_libraries_side_by_side([*targets.values()]), notes=[*own_notes])


def _libraries_side_by_side(targets: Sequence[Sequence[Row]]) -> Layout:
    """Return a column for each library, and a row for each switch."""
    libraries = list(dict.fromkeys(steps[0]["target"] for steps in targets))
    groups: dict[tuple[str, str], dict[str, Sequence[Row]]] = {}
    for steps in targets:
        groups.setdefault((steps[0]["asked"], steps[0]["model"]), {})[steps[0]["target"]] = steps
    several = len({model for _, model in groups}) > 1
    laid_out = []
    for (request, model), by_library in groups.items():
        own = next(iter(by_library.values()))[0]
        meanings = dict.fromkeys(
            row["meaning"] for steps in by_library.values() for row in steps[1:]
        )
        lines = [[Cell("sqlrec"), *(Cell(_format_value(own)) for _ in libraries)]]
        for meaning in meanings:
            line = [Cell(meaning)]
            for name in libraries:
                same = (x for x in by_library[name][1:] if x["meaning"] == meaning)
                row = next(same, None)
                effect, users = (
                    (_format_effect(row), _format_users(row["touched"])) if row else ("", "")
                )
                line.append(Cell(f"{effect} ({users})" if users else effect))
            lines.append(line)
        last = [by_library[name][-1] for name in libraries]
        lines.append([Cell("the library's value"), *(Cell(_format_value(row)) for row in last)])
        laid_out.append(Group(f"{request}, {model}" if several else request, lines))
    columns = [Column("step", key=True), *(Column(name, number=True) for name in libraries)]
    return Layout(columns, laid_out, "From sqlrec's value to those of libraries")


def _step_lines(steps: Sequence[Row]) -> list[list[Cell]]:
    first = [Cell(), Cell(_format_value(steps[0])), Cell("sqlrec"), Cell()]
    return [first] + [
        [
            Cell(_format_effect(row)),
            Cell(_format_value(row)),
            Cell(row["meaning"]),
            Cell(_format_users(row["touched"])),
        ]
        for row in steps[1:]
    ]


def _summarize_steps(steps: Sequence[Row]) -> str:
    """Return the libraries with a value, or the form nearest to it."""
    last = steps[-1]
    by_library: dict[str, str] = {}
    for name in libraries_of(last) if last["conventions"] else ():
        by_library.setdefault(name.split()[0], name)
    names = [*by_library.values()]
    own = names[:1] or ["sqlrec's value with other parameters, and no library's"]
    also = f"; also {', '.join(names[1:])}" if names[1:] else ""
    model = f" of {last['model']}" if last["model"] != "recs" else ""
    value = _format_value(last)
    if last["digits"] is None:
        distance = abs((last["value"] or 0.0) - last["sought"])
        return (
            f"{last['asked']}{model}: no value is {last['target']}; the nearest is {value}, "
            f"{own[0]}{also}, at a distance of {distance:.2g}"
        )
    decimals = format_count(last["digits"], "decimals")
    return (
        f"{last['asked']}{model}: {last['target']} is {own[0]} ({value}, equal to {decimals}){also}"
    )


def _format_value(row: Row) -> str:
    return MISSING if row["value"] is None else f"{row['value']:.5f}"


def _format_effect(row: Row) -> str:
    return (
        MISSING if row["effect"] is None else f"{row['effect']:+.5f}".replace("-", "\N{MINUS SIGN}")
    )
