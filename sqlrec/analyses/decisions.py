"""Rules of checks, such as ``ndcg@10 >= 0.3`` or ``recall@10 >= item_knn - 0.02``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..catalogue.requests import MetricRequest, format_range
from ..display.table_layout import SIGNS
from ..errors import InputError, MetricError, OptionError
from ..layouts.losses import find_losses, loss_of
from ..layouts.result import format_tests, is_significant, segment_title
from ..options import Interval, Segments
from ..records import Record, Row
from ..run.differences import add_p_by_margin
from ..run.job import Call
from ..run.margins import TOLERANCE, read_number
from ..statistics.comparison_options import ComparisonOptions, Margin
from .compare import compare

# The name of the stored result in a rule.
STORED = "stored"

_COMPARISON = re.compile(r"(?P<metric>[^<>]+?)\s*(?P<sign>[<>]=?)\s*(?P<term>[^<>]+)")
_SEGMENTS = re.compile(
    r"no segment of (?P<column>.+?) worse(?: than (?P<model>.+?))?(?: by (?P<metric>.+))?"
)
# A rule in words: ndcg@10 better than pop.
_THAN = re.compile(r"(?!no )([^<> ]+) ([^<>]*)\bthan ([^<>]+)")
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_TERM = re.compile(rf"(?P<model>.+?)(?:\s*(?P<side>[+-])\s*(?P<size>{_NUMBER}\s*%?))?")
_FORMS = (
    "write METRIC >= NUMBER, METRIC > MODEL, METRIC >= MODEL - MARGIN, or "
    "no segment of COLUMN worse than MODEL by METRIC"
)


@dataclass(frozen=True)
class Rule:
    """A rule of a check."""

    text: str  # The rule as written, except for white space.
    metric: str = ""  # One or more metrics; empty for segments by the first metric.
    sign: str = ""  # ``>=``, ``>``, ``<=`` or ``<``; empty for segments.
    # The model to compare with, or ``stored`` for the stored result; None for a number.
    model: str | None = None
    # The number to compare with, or the number to add to the model's value; or None.
    number: float | None = None
    relative: bool = False  # Whether the number is a share of the model's value.
    column: str = ""  # The column of segments.
    request: MetricRequest | None = None  # The metric, parsed.
    position: int = 0  # The position of the rule in the call.

    @property
    def side(self) -> int:
        """1 if larger values pass the rule, -1 if smaller values pass."""
        return 1 if self.sign[:1] == ">" else -1

    def limit(self, value: float | None) -> float:
        """Return the limit for the difference from a model's value."""
        return (self.number or 0.0) * (abs(value or 0.0) if self.relative else 1)

    def applies_to(self, row: Row) -> bool:
        """Return whether a row of a result is for the metric of the rule."""
        request = self.request
        return request is not None and (request.label, request.k) == (row["metric"], row["k"])


def read_rules(
    metrics: Any, models: Collection[str] = (), baseline: str | None = None, primary: str = ""
) -> list[Rule]:
    """Parse rules; ``baseline`` and ``primary`` are the defaults of rules about segments."""
    texts = [metrics] if isinstance(metrics, str) else metrics
    texts = texts if isinstance(texts, Iterable) else ()
    parts = [part.strip() for text in texts for part in str(text).split(";") if part.strip()]
    if not parts:
        raise InputError(f"metrics={metrics!r}: nothing to check; {_FORMS}")
    rules = [_read_rule(part, models) for part in parts]
    others = {rule.model for rule in rules if rule.model not in (None, STORED)}
    default = others.pop() if len(others) == 1 else baseline
    metric = "" if any(rule.metric for rule in rules) else primary
    for rule in (rule for rule in rules if rule.column):
        if rule.model is None and default is None:
            end = f" by {rule.metric}" if rule.metric else ""
            text = f"{rule.text.removesuffix(end)} than main{end}"
            raise InputError(f"{rule.text}: name the model, as in '{text}'")
        if not metric and not any(other.metric for other in rules):
            raise InputError(f"{rule.text}: name the metric, as in '{rule.text} by ndcg@10'")
    return [
        replace(rule, model=rule.model or default, metric=rule.metric or metric)
        if rule.column
        else rule
        for rule in rules
    ]


def _read_rule(text: str, models: Collection[str]) -> Rule:
    """Parse one rule, which may name one of the models or ``stored``."""
    plain = re.sub(r"\s+", " ", text)
    if match := _SEGMENTS.fullmatch(plain):
        column, model, metric = match["column"], match["model"], match["metric"]
        rest = plain.partition(" worse than ")[2]
        # A model's name may contain the word ``by``.
        for name in sorted(models, key=len):
            if f"{rest} by ".startswith(f"{name} by "):
                model, metric = name, rest[len(f"{name} by ") :]
        return Rule(plain, metric or "", model=model, column=column)
    if re.search(r"==|=[<>]|\s=\s", plain):
        raise InputError(f"{text!r}: write >=, >, <= or <")
    match = _COMPARISON.fullmatch(plain)
    if than := _THAN.fullmatch(plain):
        metric, words, term = than.groups()
        below = bool(re.search("worse|less|lower|smaller", words))
        is_negated = bool(re.search(r"\bnot?\b", words))
        sign = ("<" if below != is_negated else ">") + "=" * is_negated
        fix = f"write '{metric} {sign} {term}'"
        if re.search("better|worse", words):
            fix += "; if lower values are better, reverse the sign"
        raise InputError(f"{text!r} is not a rule: {fix}")
    if match is None:
        if re.search(r"[<>]|^no ", plain):
            raise InputError(f"{text!r} is not a rule: {_FORMS}")
        raise InputError(f"{plain} has no rule: write '{plain} >= 0.3', or remove it")
    metric, sign, term = match["metric"], match["sign"], match["term"]
    if re.fullmatch(rf"{_NUMBER}\s*%", term):
        raise InputError(f"{text!r}: {term} needs a model, as in '{metric} {sign} MODEL - {term}'")
    if re.fullmatch(rf"[+-]?\s*{_NUMBER}", term):
        return Rule(plain, metric, sign, number=read_number(plain, term.replace(" ", "")))
    parts = None if term in models else _TERM.fullmatch(term)
    if parts is None or parts["size"] is None:
        return Rule(plain, metric, sign, model=term)
    relative = parts["size"].endswith("%")
    size = read_number(plain, parts["side"] + parts["size"].rstrip("% "))
    return Rule(plain, metric, sign, parts["model"], size / (100 if relative else 1), relative)


def expand_rules(
    rules: Iterable[Rule], read: Callable[[str], Iterable[MetricRequest]]
) -> Iterator[Rule]:
    """Yield a rule for each metric and cutoff, and the rules about segments."""
    for rule in rules:
        try:
            requests = [*read(rule.metric)] if rule.metric else []
        except MetricError as error:
            raise MetricError(f"{rule.text}: {error}") from None
        # If a rule has several metrics, its limit may be outside the range of some of them.
        is_single = len({request.metric.name for request in requests}) == 1
        for request in requests:
            text = rule.text.replace(rule.metric, request.text, 1)
            if rule.sign and is_single:
                _check_range(text, rule, request)
            if rule.column:
                text = f"{rule.text.removesuffix(f' by {rule.metric}')} by {request.text}"
            better = request.metric.better
            is_margin = (
                rule.number is not None
                and rule.number * rule.side <= 0
                and SIGNS[better] == rule.side
            )
            if rule.model == STORED and rule.sign and not is_margin:
                form = "<= stored + 0.01" if better == "lower" else ">= stored - 0.01"
                why = "give a number; a margin needs a metric that has a direction"
                why = why if better == "neither" else f"give a margin, as in {request.text} {form}"
                raise InputError(f"{text}: {why}")
            yield replace(rule, text=text, request=request)
        if rule.column and not rule.metric:
            yield rule


def _check_range(text: str, rule: Rule, request: MetricRequest) -> None:
    """Check that some values of a metric pass a rule, and that other values fail."""
    (low, high), number = request.range, rule.side * (rule.number or 0.0)
    lowest, highest = sorted((rule.side * low, rule.side * high))
    none, fix = number > 0, ""
    if rule.model is None:
        none = number > highest or (number == highest and not rule.sign.endswith("="))
        fix = "give a limit between these" * (none or number < lowest)
    elif rule.relative:
        fix = "give a margin of at most 100%" * (number < -1 and low == 0)
    elif abs(number) > high - low:
        fix = f"give a margin of at most {high - low:g}"
    if fix:
        values = "no value passes" if none else "every value passes"
        raise InputError(f"{text}: {request.text} is {format_range(low, high)}, so {values}; {fix}")


def check_rules(call: Call, decision: Sequence[Rule], interval: Interval) -> list[Record]:
    """Check rules that compare models, by the tests of ``compare``."""
    checks = []
    for rule in decision:
        check_one = _check_segments if rule.column else _check_models
        try:
            checks += check_one(call, rule, interval)
        except OptionError as error:
            value = {"baseline": rule.model, "by": rule.column}.get(error.option or "")
            if not value:
                raise
            # Rules do not name options.
            message = str(error).replace(f"{error.option}={value!r}", repr(value))
            raise InputError(f"{rule.text}: {message}") from None
    return checks


def _check_models(call: Call, rule: Rule, interval: Interval) -> list[Record]:
    request = rule.request
    assert request is not None
    sign = SIGNS[request.metric.better]
    margin: Any = {}
    if rule.number is not None:
        beyond = rule.number * rule.side > 0
        if not beyond and sign != rule.side:
            form = ">= MODEL - MARGIN" if sign > 0 else "<= MODEL + MARGIN"
            why = f"{request.metric.better} is better: write {request.text} {form}"
            if not sign:
                why = "neither a higher nor a lower value is better: no loss is defined"
            raise InputError(f"{rule.text}: {why}")
        size = f"{abs(100 * rule.number):.12g}%" if rule.relative else abs(rule.number)
        alternative = ("greater" if rule.side > 0 else "less") if beyond else "noninferior"
        margin = {"alternative": alternative, "margin": {request.text: size}}
        # One rule's tests of all models form one family for the correction.
        call = replace(call, requests=[request])
    comparison = compare(call, rule.model, interval, **margin)
    rows = [row for row in comparison.rows().to_pylist() if rule.applies_to(row)]
    test_note = {"test_note": comparison.summary.tests_by_metric[request.text]}
    return [_check_difference(row | test_note, rule, interval.level) for row in rows]


def compare_with_stored_row(row: Record, rule: Rule, settings: ComparisonOptions) -> Record:
    """Check a difference from the stored result, by the test of ``compare``."""
    request = rule.request
    assert request is not None
    if row["basis"] != "test":
        return _check_means(row, rule)
    margin = Margin(abs(rule.number or 0.0), rule.relative, request.metric.better)
    settings = replace(settings, margins={(request.label, request.k): margin})
    add_p_by_margin(row, [request.label] * request.metric.is_share, settings)
    test_note = {"test_note": format_tests([row], settings.correction), "p_adjusted": row["p"]}
    return _check_difference(row | test_note, rule, settings.level)


def _check_means(row: Record, rule: Rule) -> Record:
    """Check the difference of two means, by its confidence limit if it has one."""
    bound = row["low" if rule.side > 0 else "high"]
    bound = row["difference"] if bound is None else bound
    beyond = rule.side * (bound - rule.limit(row["baseline_value"]))
    return decision_row(row | {"p_adjusted": None}, rule, beyond >= -TOLERANCE, row["basis"])


def _check_difference(row: Record, rule: Rule, level: float) -> Record:
    difference, significant = (row["difference"] or 0.0) * rule.side, is_significant(row, level)
    if rule.number is None:
        # Without a margin, a model passes if it is not significantly worse.
        passed = difference > 0 if significant else rule.sign.endswith("=")
        return decision_row(row, rule, passed)
    # Unchanged values are within every margin, for any number of users.
    same = row["ties"] == row["users"] or (row["ties"] is None and not row["standard_error"])
    same = same and abs(difference) <= TOLERANCE and rule.number * rule.side <= 0
    return decision_row(row | {"p_adjusted": None} if same else row, rule, significant or same)


def _check_segments(call: Call, rule: Rule, interval: Interval) -> list[Record]:
    """Check that no segment is significantly worse by a metric; return a row for each loss."""
    first = rule.request or call.requests[0]
    metric, others = first.text, (x for x in call.requests if x.text != first.text)
    call = replace(call, requests=[first, *others], by=Segments(rule.column))
    comparison = compare(call, rule.model, interval)
    rows = [row for row in comparison.rows().to_pylist() if row["request"] == metric]
    rule_with_metric = rule if rule.request else replace(rule, text=f"{rule.text} by {metric}")
    checks = []
    for loss in find_losses(rows, [rule.column], interval.level):
        # The row of a model without a loss contains the values of its worst segment.
        own = (row for row in rows if row["model"] == loss.model)
        row = loss.rows[0] if loss.rows else max(own, key=loss_of)
        where = loss.where if loss.rows else segment_title(row, [rule.column])
        place = {"in_segment": where, "test_note": comparison.summary.tests_by_metric[metric]}
        checks.append(decision_row({**row, **place}, rule_with_metric, not loss.rows))
    return checks


def decision_row(row: Record, rule: Rule, passed: bool, basis: str = "test") -> Record:
    """Return a row of a check."""
    base = row.get("baseline_value")
    return row | {
        "request": rule.request.text if rule.request else row["request"],
        "stored": base,
        "limit": None if rule.number is None else rule.limit(base),
        "p": row.get("p_adjusted"),
        "check": rule.text,
        "result": passed,
        "basis": basis,
        "position": rule.position,
    }
