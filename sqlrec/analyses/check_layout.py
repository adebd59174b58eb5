"""The layout of a check: failed checks come first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..display.layout import MISSING, Cell, Column, Group, Layout, text_of
from ..display.numbers import chance, decimals_for, number
from ..records import Row
from ..results.result_layout import direction, missing_lists
from ..safe_text import printable

# The label and tone of each result of a check.
_RESULTS = {"pass": ("✓ pass", "good"), "FAIL": ("✗ FAIL", "bad")}

_BASES = {
    "intervals": "by intervals of both means",
    "unchanged": "unchanged",
    "means": "by means alone",
    "gone": "no longer there",
}


def check_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    count: int,
    level: float,
    always: bool,
    without_list: Mapping[Any, int],
) -> Layout:
    """Return the layout of checks, with failed checks first.

    Args:
        names: The columns of the check.
        rows: Its rows.
        count: The number of checks; ``rows`` may contain only failed checks.
        level: The confidence level of limits of differences.
        always: Whether the limits are valid under continuous monitoring.
        without_list: The number of users without a list, by model.
    """
    segments = [*names[names.index("model") + 1 : names.index("metric")]]
    ordered = sorted(rows, key=lambda row: row["result"] != "FAIL")
    has_others = any(row["basis"] != "value" for row in rows)
    columns = [Column(name, key=name != "result") for name in ("result", "model", *segments)]
    columns += [Column("rule", key=True), Column("value", number=True)]
    if has_others:
        columns += [Column("other", number=True), Column("difference", number=True)]
        columns.append(Column("evidence"))
    columns.append(Column("users", number=True))
    lines = []
    for row in ordered:
        digits = _digits(row)
        text, tone = _RESULTS[row["result"]]
        line = [Cell(text, tone=tone), Cell(str(row["model"]))]
        line += [Cell(text_of(row[name])) for name in segments]
        line += [Cell(row["check"]), Cell(number(row["value"], digits) or MISSING)]
        if has_others:
            line += [
                Cell(number(row["stored"], digits)),
                Cell(number(row["difference"], digits, sign=True)),
                Cell(_evidence(row, digits)),
            ]
        lines.append([*line, Cell(number(row["users"], 0))])
    failed = sum(row["result"] == "FAIL" for row in rows)
    title = f"{failed:,} of {count:,} checks failed" if failed else f"{_all(count)} passed"
    notes = missing_lists(without_list)
    if any(row["basis"] in ("intervals", "unchanged") for row in rows):
        notes.append(f"limits of differences of means are one-sided, {100 * level:g}%")
    if always and has_others:
        notes.append("p and limits are valid under continuous monitoring")
    if any(row["result"] == "FAIL" and row["basis"] == "intervals" for row in rows):
        notes.append(
            "stored means are compared as those of other users; store per-user values (--table "
            "per-user, per_user()) to compare user by user, which detects smaller differences"
        )
    return Layout(columns, [Group("", lines)], title, notes)


def to_junit(names: Sequence[str], rows: Sequence[Row]) -> str:
    """Format checks as JUnit XML for CI servers: a test case for each, by model and segment."""
    from xml.etree import ElementTree

    failed = sum(row["result"] == "FAIL" for row in rows)
    counts = {"tests": str(len(rows)), "failures": str(failed)}
    suite = ElementTree.Element("testsuite", {"name": "sqlrec check", **counts})
    segments = names[names.index("model") + 1 : names.index("metric")]
    for row in rows:
        digits = _digits(row)
        where = [str(row["model"]), *(f"{name}={row[name]}" for name in segments)]
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=printable(", ".join(where)),
            name=printable(row["check"]),
        )
        if row["result"] == "FAIL":
            value = number(row["value"], digits) or MISSING
            base = "" if row["stored"] is None else f" against {number(row['stored'], digits)}"
            texts = (value + base, _evidence(row, digits), f"{row['users']} users")
            ElementTree.SubElement(case, "failure", message=", ".join(filter(None, texts)))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def _all(count: int) -> str:
    return "the check" if count == 1 else f"all {count:,} checks"


def _digits(row: Row) -> int:
    """Return the number of decimals of a check."""
    others = ("limit",) if row["stored"] is None else ("difference", "stored")
    return decimals_for([row[name] for name in ("value", *others)])


def rule_text(row: Row) -> str:
    """Format a check in a line: ``ease: ndcg@10 > item_knn (0.158 to 0.169, p 0.012)``."""
    digits = _digits(row)
    value = number(row["value"], digits) or MISSING
    if row["stored"] is not None:
        value = f"{number(row['stored'], digits)} to {value}"
    p = "" if row["p"] is None else f", p {chance(row['p'])}"
    return f"{row['model']}: {row['check']} ({value}{p})"


def _evidence(row: Row, digits: int) -> str:
    """Return what decides a check: a p value, or the limit of a difference."""
    if row["basis"] in ("value", "test"):
        return "" if row["p"] is None else f"p {chance(row['p'])}"
    if row["basis"] == "gone":
        return _BASES["gone"]
    side, sign = ("low", "≥") if direction(row["metric"]) == "higher" else ("high", "≤")
    limit = number(row["limit"], digits, sign=True)
    if row[side] is None:
        return f"difference {sign} {limit}, {_BASES[row['basis']]}"
    words = {"low": "lower", "high": "upper"}[side]
    value = number(row[side], digits, sign=True)
    return f"{words} limit {value} {sign} {limit}, {_BASES[row['basis']]}"
