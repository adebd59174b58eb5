"""The layout of a check, with failed checks first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..display.numbers import decimals_for, format_p, number
from ..display.table_layout import (
    MISSING,
    SIGNS,
    Cell,
    Column,
    Group,
    LabeledText,
    Layout,
    format_cell_text,
    join_names,
    join_words,
)
from ..records import Row, group_by
from ..safe_text import escape_control_characters
from .losses import FEWER_USERS
from .result import format_counts, metric_direction

# The label and tone of each result of a check.
_RESULTS = {"pass": ("✓ pass", "good"), "FAIL": ("✗ FAIL", "bad")}

# Descriptions of the evidence of checks that have neither a test nor a limit.
_BASES = {"unchanged": "unchanged", "gone": "no longer exists"}


def check_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    count: int,
    level: float,
    anytime: bool,
    other: str,
    users: Sequence[str],
    tests: Mapping[str, Sequence[str]],
) -> Layout:
    """Return the layout of checks: a group for each rule, with failed rules and checks first.

    Notes on users come first, then notes on the tests that compare models, each with its rules.
    """
    segments = [*names[names.index("model") + 1 : names.index("metric")]]
    # If a model is worse in several segments, the cell shows the number of segments.
    places = {x.partition("=")[0] for x in (row["in_segment"] or "" for row in rows) if "=" in x}
    segments += ["in_segment"] * any(row["in_segment"] for row in rows)
    # A single column of segments is named in the heading.
    place = places.pop() if len(places) == 1 and not places & {*segments} else "segment"
    has_others = any(row["basis"] != "value" for row in rows)
    names = ("result", "model", *segments)
    columns = [
        Column(f"{place} (users)" if name == "in_segment" else name, key=name != "result")
        for name in names
    ]
    columns.append(Column("value", number=True))
    if has_others:
        columns += [Column(LabeledText("", other), number=True)]
        columns += [Column("difference", number=True), Column("evidence")]
    failed_first = sorted(rows, key=lambda row: row["result"] != "FAIL")
    by_rule = group_by(failed_first, lambda row: str(row["check"]))
    groups = [
        Group(
            _heading(rule, rule_rows),
            [
                _check_cells(row, segments, place, _check_decimals(rule_rows), has_others)
                for row in rule_rows
            ],
        )
        for rule, rule_rows in by_rule.items()
    ]
    title = _check_title(rows, count)
    notes = [*users]
    for test, rules in tests.items():
        notes.append(f"p{f' of {join_words(rules)}' if len(tests) > 1 else ''}: {test}")
    if any(row["basis"] == "intervals" for row in rows):
        limits = f"limits are one-sided at {100 * level:g}%, from the intervals of both means"
        notes.append(f"{limits}, without correction")
    within = [row for row in rows if row["in_segment"] and row["result"] == "pass"]
    if any(
        (row["difference"] or 0.0) * SIGNS[metric_direction(row["metric"])] < 0 for row in within
    ):
        notes.append(FEWER_USERS)
    if anytime and has_others:
        notes.append("p and limits are valid under continuous monitoring")
    if any(row["result"] == "FAIL" and row["basis"] == "intervals" for row in rows):
        notes.append(
            "stored means are compared as means of other users; store per-user values (--table "
            "per-user, per_user()) to compare user by user, which detects smaller differences"
        )
    return Layout(columns, groups, title, notes)


def _check_title(rows: Sequence[Row], count: int) -> str:
    """Return the decision: passed or failed, and the models that pass every rule."""
    failed = sum(row["result"] == "FAIL" for row in rows)
    title = "The check passed" if count == 1 else f"All {count:,} checks passed"
    if failed:
        title = "The check failed" if count == 1 else f"{failed:,} of {count:,} checks failed"
        by_model = group_by(rows, lambda row: row["model"])
        if len(rows) == count and len(by_model) > 1:
            rules = {row["check"] for row in rows}
            # The baseline has no row for rules that compare models with it.
            passed = [
                model
                for model, own in by_model.items()
                if {row["result"] for row in own} == {"pass"}
                and {row["check"] for row in own} == rules
            ]
            verb = "passes" if len(passed) == 1 else "pass"
            if not passed:
                return f"{title}; no model passes every rule"
            names = join_names(sorted(passed))
            title = LabeledText.concat(f"{title}; only ", names, f" {verb} every rule")
    return title


def _heading(rule: str, rows: Sequence[Row]) -> str:
    """Format a rule with the number of users and the hypothesis of its p-values."""
    with_p = [row for row in rows if row["p"] is not None]
    # The cell of a segment contains the segment's number of users.
    counts = [row["users"] for row in rows if row["users"] is not None and not row["in_segment"]]
    users = [format_counts(min(counts), max(counts), "users")] if counts else []
    words = [*users, *([f"p: {_hypothesis(with_p[0])}"] if with_p else [])]
    return f"{rule} ({', '.join(words)})" if words else rule


def _hypothesis(row: Row) -> str:
    """Return the hypothesis that a small p-value of a check supports."""
    if row["limit"] is None:
        return "difference"
    beyond = row["limit"] * (1 if ">" in row["check"] else -1)
    return "superiority" if beyond > 0 else "non-inferiority"


def _check_cells(
    row: Row, segments: Sequence[str], place: str, digits: int, has_others: bool
) -> list[Cell]:
    """Return the cells of a check."""
    text, tone = _RESULTS[row["result"]]
    cells = [Cell(text, tone=tone), Cell(str(row["model"]))]
    for name in segments:
        if name == "in_segment":
            where = (row[name] or "").removeprefix(f"{place}=")
            where += f" ({number(row['users'], 0)})" * bool(where)
            cells.append(Cell(f"worst: {where}" if where and row["result"] == "pass" else where))
        else:
            cells.append(Cell(format_cell_text(row[name])))
    cells.append(Cell(number(row["value"], digits) or MISSING))
    if has_others:
        cells += [
            Cell(number(row["stored"], digits)),
            Cell(number(row["difference"], digits, sign=True)),
            Cell(_format_evidence(row, digits)),
        ]
    return cells


def to_junit(names: Sequence[str], rows: Sequence[Row]) -> str:
    """Format checks as JUnit XML for CI servers: a test case for each model and segment."""
    from xml.etree import ElementTree

    failed = sum(row["result"] == "FAIL" for row in rows)
    counts = {"tests": str(len(rows)), "failures": str(failed)}
    suite = ElementTree.Element("testsuite", {"name": "sqlrec check", **counts})
    segments = names[names.index("model") + 1 : names.index("metric")]
    for row in rows:
        digits = _check_decimals([row])
        where = [str(row["model"]), *(f"{name}={row[name]}" for name in segments)]
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=escape_control_characters(", ".join(where)),
            name=escape_control_characters(_rule_with_segment(row)),
        )
        if row["result"] == "FAIL":
            value = number(row["value"], digits) or MISSING
            base = "" if row["stored"] is None else f" against {number(row['stored'], digits)}"
            texts = (value + base, _format_evidence(row, digits), f"{row['users']} users")
            ElementTree.SubElement(case, "failure", message=", ".join(filter(None, texts)))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def _check_decimals(rows: Iterable[Row]) -> int:
    """Return the number of decimals for the checks of a rule."""
    numbers = []
    for row in rows:
        others = ("limit",) if row["stored"] is None else ("difference", "stored")
        limits = ("limit",) if row["basis"] in ("intervals", "means") else ()
        numbers += [row[name] for name in ("value", *others, *limits)]
    return decimals_for(numbers)


def _rule_with_segment(row: Row) -> str:
    """Format a rule, and the segment that fails it."""
    shows_segment = row["in_segment"] and row["result"] == "FAIL"
    return f"{row['check']}: {row['in_segment']}" if shows_segment else str(row["check"])


def format_checks(model: str, rows: Sequence[Row]) -> str:
    """Format the checks of a model: ``ease passes: ndcg@10 > knn (0.169 against 0.158, p 0.012)``.

    If the model fails a rule, the text only counts the rules that it passes.
    """
    failed = [row for row in rows if row["result"] == "FAIL"]
    text = "; ".join(map(_format_check, failed or rows))
    others = len(rows) - len(failed)
    more = f"; passes {others} other check{'s' * (others > 1)}" if failed and others else ""
    return f"{model} {'fails' if failed else 'passes'}: {text}{more}"


def _format_check(row: Row) -> str:
    """Format a check: ``ndcg@10 > item_knn (0.169 against 0.158, p 0.012)``."""
    digits = _check_decimals([row])
    value = number(row["value"], digits) or MISSING
    if row["stored"] is not None:
        value += f" against {number(row['stored'], digits)}"
    where = f"{row['in_segment']}: " if row["in_segment"] else ""
    where = f"worst {where}" if where and row["result"] == "pass" else where
    p = "" if row["p"] is None else f", {_hypothesis(row)} p {format_p(row['p'])}"
    return f"{row['check']} ({where}{value}{p})"


def _format_evidence(row: Row, digits: int) -> str:
    """Format the evidence for a check: a p-value, or the limit of a difference."""
    if row["basis"] in ("value", "test"):
        if row["p"] is not None:
            return f"p {format_p(row['p'])}"
        return "significant in each" if row["in_segment"] and row["result"] == "FAIL" else ""
    if row["basis"] in _BASES:
        return _BASES[row["basis"]]
    higher, passed = metric_direction(row["metric"]) == "higher", row["result"] == "pass"
    side, signs = ("low", "<≥") if higher else ("high", ">≤")
    limit = f"{signs[passed]} {number(row['limit'], digits, sign=True)}"
    if row[side] is None:
        return f"difference {limit}"
    words = {"low": "lower", "high": "upper"}[side]
    return f"{words} limit {number(row[side], digits, sign=True)} {limit}"
