"""The layouts of an explanation: values by library, and the steps to another value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase
from textwrap import shorten
from typing import NamedTuple

from ..display.numbers import DIGITS, decimals_for, format_count
from ..display.table_layout import MISSING, Cell, Column, Group, LabeledText, Layout, join_words
from ..records import Row, group_by
from .result import libraries_of

# Maximum number of decimals.
_MAX_DIGITS = 9

# Maximum total width of columns for models. Beyond this width, each model has a group of rows.
_MAX_WIDTH = 50

# Maximum number of values in the short layout, and of libraries in a row.
_SHORT = 6
_SHORT_NAMES = 5

# Maximum number of other values that equal a value, and of libraries for each value.
_FEW = 4

# Relative distance above which two values are far apart.
_FAR = 0.1

# Maximum length of a cause in the short layout, which is two lines of a narrow terminal.
_SHORT_CAUSE = 145


class EqualValue(NamedTuple):
    """Another value that equals the caller's value after rounding to the caller's decimals."""

    value: float
    model: str  # The model, if it is another model.
    libraries: Sequence[str]

    def format(self, number: str, libraries: str) -> str:
        """Format the value with its model and libraries."""
        model_text = f"of {self.model} " if self.model else ""
        return f"{number} {model_text}({libraries})"


# The equal values of each target, by metric, model and target.
EqualValues = Mapping[tuple[str, str, str], Sequence[EqualValue]]


def explanation_layout(
    _: Sequence[str], rows: Sequence[Row], *, own_notes: Sequence[str] = (), full: bool = False
) -> Layout:
    """Return the layout of an explanation: a row for each value, with libraries and causes.

    If there are few models, each has a column, and a row contains the libraries that agree on all
    models. Notes contain each cause once. By default, only the values of most libraries are
    included.
    """
    models = list(dict.fromkeys(row["model"] for row in rows))
    has_columns = sum(max(len(str(model)), _MAX_DIGITS) + 2 for model in models) <= _MAX_WIDTH
    by_group = group_by(rows, lambda row: (row["request"], None if has_columns else row["model"]))
    groups, left = [], 0
    for (request, model), group_rows in by_group.items():
        lines = _lines_by_libraries(group_rows, [model] if model else models)
        kept = lines if full else _most_common(lines)
        left += len(lines) - len(kept)
        groups.append((f"{request}, {model}" if model else request, kept))
    causes = dict.fromkeys(cause for _, lines in groups for line in lines for cause in line.causes)
    letters = {cause: _letter(index) for index, cause in enumerate(causes)}
    notes = [f"{letters[cause]}: {_format_cause(cause, rows, full)}" for cause in causes]
    notes += own_notes
    if left:
        notes.append(f"{left} more library value{'s' * (left != 1)}: use --all, or full=True")
    several = has_columns and len(models) > 1
    headings: list[str] = [LabeledText("", model) for model in models] if several else ["value"]
    columns = [Column(name, number=True) for name in headings]
    columns += [Column("computed by", key=True), Column("causes")]
    return Layout(
        columns,
        [Group(title, [line.cells(letters, full) for line in lines]) for title, lines in groups],
        "Values by library, nearest to sqlrec's first",
        notes,
    )


class _Line(NamedTuple):
    """The values of models, the libraries with these values, and the causes."""

    values: list[str]
    libraries: list[str]
    causes: list[str]

    def cells(self, letters: Mapping[str, str], full: bool) -> list[Cell]:
        """Return the cells, by default with only the first libraries."""
        more = 0 if full else len(self.libraries) - _SHORT_NAMES
        names = self.libraries[:_SHORT_NAMES] if more > 0 else self.libraries
        text = ", ".join(names) + (f" and {more} more" if more > 0 else "")
        causes = ", ".join(letters[cause] for cause in self.causes)
        return [*map(Cell, self.values), Cell(text), Cell(causes)]


def _most_common(lines: Sequence[_Line]) -> list[_Line]:
    """Return the first line without causes, and the other lines that have the most libraries."""
    first, *others = lines
    frequent = sorted(others, key=lambda line: -len(line.libraries))[: _SHORT - 1]
    return [first._replace(causes=[]), *(line for line in others if line in frequent)]


def _letter(index: int) -> str:
    return ascii_lowercase[index % 26] * (index // 26 + 1)


def _format_cause(cause: str, rows: Iterable[Row], full: bool) -> str:
    """Format a cause, with the number of users with a value that this cause changes."""
    users = [
        row["changed_users"]
        for row in rows
        if row["meaning"] == cause and row["changed_users"] is not None
    ]
    first = f"{min(users):,} to " if users and min(users) < max(users) else ""
    changed = f" (changes {first}{format_count(max(users), 'users')})" if users else ""
    text = cause + changed
    return text if full else shorten(text, _SHORT_CAUSE, placeholder=" ... (--all)")


def _lines_by_libraries(rows: Sequence[Row], models: Sequence[str]) -> list[_Line]:
    """Return a line for each set of libraries with the same value of every model."""
    rows_by_library: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        for library in libraries_of(row):
            library_models = rows_by_library.setdefault(library, {})
            library_models.setdefault(row["model"], []).append(row)
    libraries = group_by(
        rows_by_library,
        lambda name: tuple(rows_by_library[name][model][0]["conventions"] for model in models),
    )
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
        texts = [
            MISSING if value is None else f"{value:,.{decimals}f}"
            for value, decimals in zip(values[key], digits, strict=True)
        ]
        rows_by_model = rows_by_library[libraries[key][0]]
        line_rows = [row for model in models for row in rows_by_model[model]]
        causes = [row["meaning"] for row in line_rows if row["switch"]]
        causes = causes or [row["note"] for row in line_rows if row["note"]][:1]
        # If all names of a library have the value, only one name is printed.
        partial = {name.split()[0] for name in rows_by_library if name not in libraries[key]}
        short = ((name, name.split()[0]) for name in libraries[key])
        names = dict.fromkeys(name if first in partial else first for name, first in short)
        lines.append(_Line(texts, [*names], [*dict.fromkeys(causes)]))
    return lines


def _format_users(count: int | None) -> str:
    return "" if count is None else format_count(count, "users")


def _distinguishing_decimals(values: Iterable[float | None]) -> int:
    """Return the number of decimals at which different values stay different."""
    present = [value for value in values if value is not None]
    minimum = min(_MAX_DIGITS, max(DIGITS, decimals_for(present)))
    for digits in range(minimum, _MAX_DIGITS):
        if len({round(value, digits) for value in present}) == len(present):
            return digits
    return _MAX_DIGITS if present else minimum


def waterfall_layout(
    _: Sequence[str],
    rows: Sequence[Row],
    *,
    equal_values: EqualValues,
    own_notes: Sequence[str] = (),
) -> Layout:
    """Return the layout of the steps to each target, or to several libraries side by side."""
    names = ("request", "model", "target", "conventions")
    targets = group_by(rows, lambda row: tuple(row[name] for name in names))
    if all(row["by_value"] for row in rows):
        columns = [Column("effect", number=True), Column("value", number=True)]
        columns += [Column("what changes", key=True), Column("users", number=True)]
        sentences = [_summarize_steps(steps) for steps in targets.values()]
        lines = [_step_lines(steps) for steps in targets.values()]
        notes = [*own_notes]
        notes += [
            note for *_, last in targets.values() for note in _notes_on_value(last, equal_values)
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
        groups.setdefault((steps[0]["request"], steps[0]["model"]), {})[steps[0]["target"]] = steps
    several = len({model for _, model in groups}) > 1
    decimals = max(map(_step_decimals, targets))
    laid_out = []
    for (request, model), by_library in groups.items():
        own = next(iter(by_library.values()))[0]
        meanings = dict.fromkeys(
            row["meaning"] for steps in by_library.values() for row in steps[1:]
        )
        lines = [[Cell("sqlrec"), *(Cell(_format_value(own, decimals)) for _ in libraries)]]
        for meaning in meanings:
            line = [Cell(meaning)]
            for name in libraries:
                same = (x for x in by_library[name][1:] if x["meaning"] == meaning)
                row = next(same, None)
                effect, users = (
                    (_format_effect(row, decimals), _format_users(row["changed_users"]))
                    if row
                    else ("", "")
                )
                line.append(Cell(f"{effect} ({users})" if users else effect))
            lines.append(line)
        last = [by_library[name][-1] for name in libraries]
        values = [Cell(_format_value(row, decimals)) for row in last]
        lines.append([Cell("the library's value"), *values])
        laid_out.append(Group(f"{request}, {model}" if several else request, lines))
    columns = [Column("step", key=True), *(Column(name, number=True) for name in libraries)]
    return Layout(columns, laid_out, "From sqlrec's value to the values of libraries")


def _step_lines(steps: Sequence[Row]) -> list[list[Cell]]:
    decimals = _step_decimals(steps)
    first = [Cell(), Cell(_format_value(steps[0], decimals)), Cell("sqlrec"), Cell()]
    if _is_far(steps[-1]):
        return [first]
    return [first] + [
        [
            Cell(_format_effect(row, decimals)),
            Cell(_format_value(row, decimals)),
            Cell(row["meaning"]),
            Cell(_format_users(row["changed_users"])),
        ]
        for row in steps[1:]
    ]


def _step_decimals(steps: Sequence[Row]) -> int:
    """Return enough decimals to show all effects, and the value with its digits."""
    effects = [abs(row["effect"]) for row in steps if row["effect"]]
    enough = (n for n in range(5, _MAX_DIGITS) if min(effects, default=1.0) >= 0.5 * 10**-n)
    return next(enough, _MAX_DIGITS)


def _is_far(last: Row) -> bool:
    """Return whether the nearest value is too far from the caller's value to explain it."""
    return last["digits"] is None and _distance(last) > _FAR * abs(last["target_value"])


def _distance(last: Row) -> float:
    return float(abs((last["value"] or 0.0) - last["target_value"]))


def _notes_on_value(last: Row, equal_values: EqualValues) -> Iterator[str]:
    """Yield notes: other values with the same digits, and the command that prints this value."""
    if equal := equal_values.get((last["request"], last["model"], last["target"])):
        decimals = _distinguishing_decimals([last["value"], *(other.value for other in equal)])
        texts = [
            other.format(
                f"{other.value:.{decimals}f}", join_words(_name_once(other.libraries), _FEW)
            )
            for other in equal
        ]
        digits = format_count(last["digits"], "decimals")
        yield f"also equal to {digits}: {join_words(texts, _FEW)}; more digits can separate them"
    if last["command"] and not _is_far(last):
        value = _format_value(last)
        yield f"`sqlrec evaluate {last['command']}` prints {value} for the same inputs"


def _name_once(names: Iterable[str]) -> list[str]:
    """Return the first name of each library."""
    by_library: dict[str, str] = {}
    for name in names:
        by_library.setdefault(name.split()[0], name)
    return [*by_library.values()]


def _summarize_steps(steps: Sequence[Row]) -> str:
    """Return a sentence on the libraries with a value, or on the form nearest to the value."""
    last = steps[-1]
    other_parameters = "sqlrec with other parameters, which no library has"
    names = join_words(_name_once(libraries_of(last))) if last["conventions"] else other_parameters
    metric = last["request"] + (f" of {last['model']}" if last["model"] != "recs" else "")
    decimals = max(5, min(last["digits"] or 0, _MAX_DIGITS))
    value = _format_value(last, decimals)
    if last["digits"] is not None:
        # Use at most the decimals of the value in this sentence.
        equal = format_count(min(last["digits"], decimals), "decimals")
        return f"{metric}: {last['target']} equals {value} of {names} to {equal}"
    if _is_far(last):
        factor = last["target_value"] / last["value"] if last["value"] else 0.0
        times = f"; {last['target']} is {factor:.3g} times that value" if factor else ""
        return (
            f"{metric}: no value is near {last['target']}; the nearest is {value}, {names}{times}"
        )
    return (
        f"{metric}: no value is {last['target']}; the nearest is {value}, {names}, at a distance "
        f"of {_distance(last):.2g}"
    )


def _format_value(row: Row, decimals: int = 5) -> str:
    return MISSING if row["value"] is None else f"{row['value']:.{decimals}f}"


def _format_effect(row: Row, decimals: int) -> str:
    if row["effect"] is None:
        return MISSING
    text = f"{row['effect']:+.{decimals}f}"
    # An effect that rounds to 0 has no sign.
    return text.replace("-", "\N{MINUS SIGN}") if text.strip("+-0.") else text[1:]
