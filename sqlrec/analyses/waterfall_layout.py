"""The layout of a waterfall: from sqlrec's value to another, a line per step."""

from __future__ import annotations

from collections.abc import Sequence

from ..display.layout import MISSING, Cell, Column, Group, Layout
from ..records import Row, group_by
from ..results.result_layout import libraries_of


def waterfall_layout(_: Sequence[str], rows: Sequence[Row]) -> Layout:
    """Return the layout of the steps to each target, or to several libraries side by side."""
    names = ("asked", "model", "target", "conventions")
    targets = group_by(rows, lambda row: tuple(row[name] for name in names))
    if all(row["by_value"] for row in rows):
        columns = [Column("effect", number=True), Column("value", number=True)]
        columns += [Column("what changes", key=True), Column("users", number=True)]
        sentences = [_sentence(steps) for steps in targets.values()]
        lines = [_lines(steps) for steps in targets.values()]
        notes = [
            f"To print {_value(last)}: sqlrec evaluate {last['request']} ..."
            for *_, last in targets.values()
            if last["request"]
        ]
        if len(sentences) == 1:
            return Layout(columns, [Group("", lines[0])], sentences[0], notes)
        groups = [Group(*pair) for pair in zip(sentences, lines, strict=True)]
        return Layout(columns, groups, "From sqlrec's value", notes)
    return _side_by_side([*targets.values()])


def _side_by_side(targets: Sequence[Sequence[Row]]) -> Layout:
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
        lines = [[Cell("sqlrec"), *(Cell(_value(own)) for _ in libraries)]]
        for meaning in meanings:
            line = [Cell(meaning)]
            for name in libraries:
                same = (x for x in by_library[name][1:] if x["meaning"] == meaning)
                row = next(same, None)
                effect, users = (_effect(row), _users(row)) if row else ("", "")
                line.append(Cell(f"{effect} ({users})" if users else effect))
            lines.append(line)
        last = [by_library[name][-1] for name in libraries]
        lines.append([Cell("the library's value"), *(Cell(_value(row)) for row in last)])
        laid_out.append(Group(f"{request}, {model}" if several else request, lines))
    columns = [Column("step", key=True), *(Column(name, number=True) for name in libraries)]
    return Layout(columns, laid_out, "From sqlrec's value to those of libraries")


def _lines(steps: Sequence[Row]) -> list[list[Cell]]:
    first = [Cell(), Cell(_value(steps[0])), Cell("sqlrec"), Cell()]
    return [first] + [
        [Cell(_effect(row)), Cell(_value(row)), Cell(row["meaning"]), Cell(_users(row))]
        for row in steps[1:]
    ]


def _sentence(steps: Sequence[Row]) -> str:
    """Return who prints a value, or which form is nearest to it."""
    last = steps[-1]
    by_library: dict[str, str] = {}
    for name in libraries_of(last) if last["conventions"] else ():
        by_library.setdefault(name.split()[0], name)
    names = [*by_library.values()]
    own = names[:1] or ["sqlrec's value with other parameters, and no library's"]
    also = f"; also {', '.join(names[1:])}" if names[1:] else ""
    model = f" of {last['model']}" if last["model"] != "recs" else ""
    value = _value(last)
    if last["digits"] is None:
        distance = abs((last["value"] or 0.0) - last["sought"])
        return (
            f"{last['asked']}{model}: nothing is {last['target']}; {distance:.2g} from it is "
            f"{value}, {own[0]}{also}"
        )
    decimals = f"{last['digits']} decimal{'s' * (last['digits'] != 1)}"
    return (
        f"{last['asked']}{model}: {last['target']} is {own[0]} ({value}, equal to {decimals}){also}"
    )


def _users(row: Row) -> str:
    count = row["touched"]
    return "" if count is None else f"{count:,} user{'s' * (count != 1)}"


def _value(row: Row) -> str:
    return MISSING if row["value"] is None else f"{row['value']:.5f}"


def _effect(row: Row) -> str:
    return (
        MISSING if row["effect"] is None else f"{row['effect']:+.5f}".replace("-", "\N{MINUS SIGN}")
    )
