"""Rules of decisions: ``ndcg@10 > item_knn``, ``recall@10 >= item_knn - 0.02``, and others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..catalogue.requests import MetricRequest
from ..display.layout import SIGNS
from ..errors import InputError
from ..inputs.tables import Tables
from ..options import Interval, Rules
from ..results.result_layout import is_significant
from ..run.margins import TOLERANCE, read_number
from .compare import compare
from .losses import loss_of

# The name of the stored result in a rule.
STORED = "stored"

_COMPARISON = re.compile(r"(?P<metric>[^<>]+?)\s*(?P<sign>[<>]=?)\s*(?P<term>[^<>]+)")
_SEGMENTS = re.compile(r"no segment of (?P<column>.+?) worse(?: than (?P<model>.+))?")
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_TERM = re.compile(rf"(?P<model>.+?)(?:\s*(?P<side>[+-])\s*(?P<size>{_NUMBER}\s*%?))?")
_FORMS = (
    "write METRIC >= NUMBER, METRIC > MODEL, METRIC >= MODEL - MARGIN, or "
    "no segment of COLUMN worse than MODEL"
)


@dataclass(frozen=True)
class Rule:
    """A rule of a decision.

    Attributes:
        text: The rule as written.
        metric: The metric; empty for segments.
        sign: ``>=``, ``>``, ``<=`` or ``<``; empty for segments.
        model: The model to compare with, ``stored`` for the stored result; None for a number.
        number: The number to compare with; next to a model, what is added to its value.
        relative: Whether this is a share of the model's value.
        column: The column of segments.
    """

    text: str
    metric: str = ""
    sign: str = ""
    model: str | None = None
    number: float = 0.0
    relative: bool = False
    column: str = ""

    @property
    def side(self) -> int:
        """1 for a rule of larger values, -1 for one of smaller values."""
        return 1 if self.sign[:1] == ">" else -1


def read_rules(metrics: Any, models: Collection[str] = ()) -> tuple[list[Rule], Any]:
    """Split rules from the metrics that are written without one.

    Args:
        metrics: A text or several, each of metrics, or of rules with semicolons in between.
        models: The names of models, if they are known, which may contain ``-``.

    Returns:
        The rules, and the other metrics.

    Raises:
        InputError: A text with a comparison has another form.
    """
    if not isinstance(metrics, Iterable):
        return [], metrics
    texts = [metrics] if isinstance(metrics, str) else [*metrics]
    if not all(isinstance(text, str) for text in texts):
        return [], texts
    parts = [part.strip() for text in texts for part in text.split(";") if part.strip()]
    rules = [part for part in parts if re.search(r"[<>]|^no\s", part)]
    if not rules:
        return [], texts
    return [_read_rule(part, models) for part in rules], [x for x in parts if x not in rules]


def _read_rule(text: str, models: Collection[str]) -> Rule:
    plain = re.sub(r"\s+", " ", text)
    if match := _SEGMENTS.fullmatch(plain):
        return Rule(plain, model=match["model"], column=match["column"])
    match = _COMPARISON.fullmatch(plain)
    if match is None:
        raise InputError(f"{text!r} is not a rule: {_FORMS}")
    metric, sign, term = match["metric"], match["sign"], match["term"]
    if re.fullmatch(rf"[+-]?\s*{_NUMBER}", term):
        return Rule(plain, metric, sign, number=read_number(plain, term.replace(" ", "")))
    parts = None if term in models else _TERM.fullmatch(term)
    if parts is None or parts["size"] is None:
        return Rule(plain, metric, sign, model=term)
    relative = parts["size"].endswith("%")
    size = float(parts["side"] + parts["size"].rstrip("% ")) / (100 if relative else 1)
    return Rule(plain, metric, sign, parts["model"], size, relative)


def check_rules(
    tables: Tables,
    decision: Sequence[Rule],
    requests: Mapping[str, MetricRequest],
    rules: Rules,
    interval: Interval,
) -> list[dict[str, Any]]:
    """Return the checks of rules that compare models, by the tests of ``compare``.

    Args:
        tables: The inputs.
        decision: The rules with a model, or of segments.
        requests: The metric of each rule, by its text; the first decides.
        rules: The rules of the evaluation.
        interval: The interval of differences, with the level of the tests.
    """
    metrics = [*dict.fromkeys(request.text for request in requests.values())]
    checks = []
    options = {"rules": rules, "interval": interval}
    for rule in decision:
        if rule.column:
            checks += _check_segments(tables, rule, metrics, options)
        else:
            checks += _check_models(tables, rule, requests[rule.text], metrics, options)
    return checks


def _check_models(
    tables: Tables,
    rule: Rule,
    request: MetricRequest,
    metrics: Sequence[str],
    options: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Check a rule for each other model."""
    sign = SIGNS[request.metric.better]
    margin: dict[str, Any] = {}
    if rule.number:
        beyond = rule.number * rule.side > 0
        if not beyond and sign != rule.side:
            form = ">= MODEL - MARGIN" if sign > 0 else "<= MODEL + MARGIN"
            why = f"write {request.text} {form}" if sign else "its direction is neither"
            raise InputError(f"{rule.text}: {request.metric.better} is better, {why}")
        size = f"{abs(100 * rule.number):.12g}%" if rule.relative else abs(rule.number)
        alternative = ("greater" if rule.side > 0 else "less") if beyond else "noninferior"
        margin = {"alternative": alternative, "margin": {request.text: size}}
        # Every rule has to hold, so none is corrected for the others.
        metrics, margin = [request.text], margin | {"correction": "none"}
    comparison = compare(tables, metrics, baseline=rule.model, **margin, **options)
    checks, level = [], options["interval"].level
    for row in comparison.rows().to_pylist():
        if row["asked"] != request.text:
            continue
        difference = (row["difference"] or 0.0) * rule.side
        passed = is_significant(row, level)
        # Unchanged values are within every margin, however few the users.
        same = row["ties"] == row["users"] or (row["ties"] is None and not row["standard_error"])
        if not rule.number:
            # Without a margin, at least as good means not significantly worse.
            strict = not rule.sign.endswith("=")
            passed = passed and difference > 0 if strict else not passed or difference > 0
        elif rule.number * rule.side < 0:
            same = same and abs(difference) <= TOLERANCE
            passed, row["p_adjusted"] = passed or same, None if same else row["p_adjusted"]
        checks.append(_row(row, rule, passed))
    return checks


def _check_segments(
    tables: Tables, rule: Rule, metrics: Sequence[str], options: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Check that no segment is significantly worse by the first metric: a row for each loss."""
    level = options["interval"].level
    comparison = compare(tables, metrics, baseline=rule.model, by=rule.column, **options)
    rows = [row for row in comparison.rows().to_pylist() if row["asked"] == metrics[0]]
    losses = [row for row in rows if loss_of(row) > 0 and is_significant(row, level)]
    worse_models = {row["model"] for row in losses}
    nearest: dict[Any, Mapping[str, Any]] = {}
    for row in rows:
        worst = nearest.setdefault(row["model"], row)
        nearest[row["model"]] = row if loss_of(row) > loss_of(worst) else worst
    passed = [_row(row, rule, True) for model, row in nearest.items() if model not in worse_models]
    return [*(_row(row, rule, False) for row in losses), *passed]


def _row(row: Mapping[str, Any], rule: Rule, passed: bool) -> dict[str, Any]:
    """Return a row of a check."""
    names = ("model", "metric", "k", "asked", "value", "difference", "low", "high", "users")
    where = f": {rule.column}={row[rule.column]}" if rule.column and not passed else ""
    return {name: row[name] for name in names} | {
        "stored": row["baseline_value"],
        "p": row["p_adjusted"],
        "check": rule.text + where,
        "result": passed,
        "basis": "pairs",
    }
