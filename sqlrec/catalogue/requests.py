"""Requests for metrics, parsed from texts such as ``ndcg(gain=exponential)@10``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from .. import messages
from ..errors import MetricError
from ..rules import RuleChoices
from .conventions import OWN, Convention, Entry
from .conventions import convention as named_convention
from .headers import ANY_TEXT, Metric, Param, Params, metric

WHOLE_LIST = "all"

# The default of the parameter `items`, which a catalog replaces.
RECOMMENDED = "recommended"
_MAX_CUTOFF = 1_000_000

# Groups of metrics: standard@5 requests each metric of the group at 5.
PRESETS: Mapping[str, tuple[str, ...]] = {
    "standard": ("ndcg", "map", "mrr", "recall", "precision", "hit_rate"),
    "beyond-accuracy": (
        "catalog_coverage",
        "gini",
        "inter_list_diversity",
        "surprisal",
        "serendipity",
    ),
}

# The name for all metrics that the inputs allow.
EVERYTHING = "all"

# The default cutoff for presets and ``all``, since most papers and tools report lists of ten.
USUAL = "10"

# A metric, with additional cutoffs after commas, as in ndcg@5,10. Names of metrics are not numbers.
_PARTS = re.compile(rf"((?:[^\s,(]|\([^)]*\)?)+)((?:\s*,\s*(?:[0-9]+|{WHOLE_LIST})(?=[\s,]|$))*)")
_REQUEST = re.compile(r"\s*(?P<name>[\w-]+)\s*(?:\((?P<params>[^()]*)\))?\s*(?:@\s*(?P<k>\w+))?\s*")


@dataclass(frozen=True)
class MetricRequest:
    """A requested metric."""

    metric: Metric
    params: Params  # The parameters that differ from the metric's defaults.
    k: int | None  # The cutoff; None for the whole list.
    # The name in results: the metric's name, the convention if the request names a convention, and
    # the parameters that differ from the convention.
    label: str
    convention: str
    rules: RuleChoices  # The rules of the convention that differ from the defaults.
    text: str  # The caller's text, which identifies results.

    @property
    def settings(self) -> dict[str, Param]:
        """The values of all parameters."""
        return {key: self.params.get(key, values[0]) for key, values in self.metric.params.items()}

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest value; other parameters may change a metric's range."""
        return (-math.inf, math.inf) if self.params else self.metric.range

    @property
    def no_expected_form(self) -> list[str]:
        """The parameters with values that have no form for ``ties=expected``."""
        settings = self.settings
        return [
            key for key, values in self.metric.no_expected_form.items() if settings[key] in values
        ]

    def reads(self, table: str) -> bool:
        """Return whether the request reads an input when the input exists."""
        needs = self.metric.needs
        return any(need.table == table and need.applies(self.settings, True) for need in needs)

    def missing_inputs(self, present: Container[str]) -> list[str]:
        """Return the missing inputs that the request needs."""
        missing = [need for need in self.metric.needs if need.table not in present]
        return [need.table for need in missing if need.applies(self.settings, False)]


def parse_metrics(
    metrics: str | Iterable[str | MetricRequest],
    convention: str = OWN,
    k: int | str | Iterable[int | str] | None = None,
    available_metrics: Callable[[Sequence[str]], list[str]] | None = None,
    has_catalog: bool = False,
) -> list[MetricRequest]:
    """Parse metrics: ``"ndcg@10"``, ``"ndcg(gain=exponential)@10"``, ``"P@5"``."""
    if not isinstance(metrics, Iterable):
        raise MetricError(messages.METRICS.format(metrics=metrics))
    cutoffs = [] if k is None else _parse_cutoffs(k)
    requests: list[MetricRequest] = []
    without_cutoff: set[str] = set()
    for text in [metrics] if isinstance(metrics, str) else metrics:
        if isinstance(text, MetricRequest):
            requests.append(text)
        elif isinstance(text, str):
            parts = _split_requests(text, cutoffs, available_metrics, without_cutoff)
            requests += [_parse_request(part, convention, has_catalog) for part in parts]
        else:
            raise MetricError(messages.NOT_TEXT.format(metric=text))
    if not requests:
        raise MetricError(messages.NO_METRIC)
    first_requests: dict[tuple[str, int | None], MetricRequest] = {}
    for request in requests:
        first = first_requests.setdefault((request.label, request.k), request)
        if first is not request:
            name = format_metric(request.label, request.k)
            raise MetricError(
                messages.DUPLICATE_METRIC.format(metric=name, first=first.text, second=request.text)
            )
    return requests


def _parse_cutoffs(k: Any) -> list[str]:
    values = re.split(r"[\s,]+", k.strip()) if isinstance(k, str) else k
    is_single = not isinstance(values, Iterable) or isinstance(values, bytes | Mapping)
    values = [values] if is_single else [*values]
    texts = [str(value) for value in values if isinstance(value, Integral | str)]
    valid = all(re.fullmatch(rf"[0-9]{{1,7}}|{WHOLE_LIST}", text) for text in texts)
    if not valid or not texts or len(texts) < len(values):
        raise MetricError(messages.DEFAULT_CUTOFF.format(k=k))
    return texts


def format_metric(label: str, k: int | None) -> str:
    """Format a metric with its cutoff, as in ``ndcg@10``."""
    return f"{label}@{WHOLE_LIST if k is None else k}"


def format_range(low: float, high: float) -> str:
    """Format a range: ``from 0 to 1``, ``at least 0`` or ``at most 1``."""
    if math.isinf(high):
        return f"at least {low:g}"
    return f"at most {high:g}" if math.isinf(low) else f"from {low:g} to {high:g}"


def _split_requests(
    text: str,
    default_cutoffs: list[str],
    available_metrics: Callable[[Sequence[str]], list[str]] | None,
    without_cutoff: set[str],
) -> list[str]:
    """Split at spaces and commas outside of parentheses, into a text for each cutoff.

    ``without_cutoff`` collects the metrics of ``all`` that accept no cutoff, to request each once.
    """
    texts: list[str] = []
    for name, cutoffs in _PARTS.findall(text):
        if default_cutoffs and _needs_cutoff(name):
            name, cutoffs = f"{name}@{default_cutoffs[0]}", ",".join(default_cutoffs[1:])
        if name in (*PRESETS, EVERYTHING):
            if cutoffs:
                raise MetricError(messages.CUTOFF_MISSING.format(text=name, or_all=""))
            name += f"@{USUAL}"
        base, at, first = name.rpartition("@")
        more = re.findall(r"\w+", cutoffs)
        if base == EVERYTHING:
            every = _all_available_metrics(name, _parse_cutoffs([first, *more]), available_metrics)
            texts += [text for text in every if text not in without_cutoff]
            without_cutoff |= {text for text in every if "@" not in text}
            continue
        for k in ("", *more):
            text = base + at + k if k else name
            texts += [member + text[len(base) :] for member in PRESETS.get(base, ())] or [text]
    return texts


def _needs_cutoff(name: str) -> bool:
    """Return whether a metric without a cutoff gets the default cutoffs."""
    plain = name.partition("(")[0]
    return "@" not in name and (
        plain in (*PRESETS, EVERYTHING) or metric(plain).entries["Cutoff"] != "none"
    )


def takes_default_cutoff(metrics: Any) -> bool:
    """Return whether at least one metric gets the default cutoffs."""
    texts = [metrics] if isinstance(metrics, str) else metrics
    parts = (_PARTS.findall(text) for text in texts if isinstance(text, str))
    return any(_needs_cutoff(name) for part in parts for name, _ in part)


def _all_available_metrics(
    text: str, cutoffs: list[str], available_metrics: Callable[[Sequence[str]], list[str]] | None
) -> list[str]:
    for k in cutoffs:
        if k != WHOLE_LIST and not 1 <= int(k) <= _MAX_CUTOFF:
            or_all = f", or {WHOLE_LIST}"
            raise MetricError(messages.CUTOFF.format(text=text, most=_MAX_CUTOFF, or_all=or_all))
    metrics = available_metrics(cutoffs) if available_metrics else []
    if not metrics:
        reads_inputs = available_metrics is not None
        why = "the inputs allow none" if reads_inputs else "no inputs are read here"
        raise MetricError(messages.EVERYTHING.format(text=text, why=why))
    return metrics


def _parse_request(text: str, convention: str, has_catalog: bool) -> MetricRequest:
    """Parse the text of a single metric at a single cutoff."""
    match = _REQUEST.fullmatch(text)
    if match is None:
        raise MetricError(messages.INVALID.format(metric=text))
    requested = metric(match["name"])
    values: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in (match["params"] or "").split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise MetricError(messages.PARAM.format(text=text, param=key))
        if key in values:
            raise MetricError(messages.PARAM_TWICE.format(text=text, param=key))
        values[key] = value
    own = {"convention": values.pop("convention")} if "convention" in values else {}
    name = own.get("convention", convention)
    if has_catalog and name == OWN and requested.params.get("items", [""])[0] == RECOMMENDED:
        values.setdefault("items", "catalog")
    entry = named_convention(name).entry(requested.name)
    defaults = {key: allowed[0] for key, allowed in requested.params.items()}
    convention_params = {
        key: requested.read_param(key, value) for key, value in entry.params.items()
    }
    usual = defaults | convention_params
    params = {key: requested.read_param(key, value) for key, value in values.items()}
    texts = [key for key, allowed in requested.params.items() if allowed == (ANY_TEXT,)]
    for key in texts:
        if key not in params:
            raise MetricError(
                messages.PARAM_LACKS.format(text=text, metric=requested.name, param=key)
            )
    settings = usual | params
    k = _parse_cutoff(text, match["k"], requested, settings)
    label_params = own | {
        key: value for key, value in settings.items() if value != usual[key] or key in texts
    }
    inside = ", ".join(f"{key}={value}" for key, value in label_params.items())
    return MetricRequest(
        metric=requested,
        params={
            key: value for key, value in settings.items() if value != defaults[key] or key in texts
        },
        k=k,
        label=f"{requested.name}({inside})" if inside else requested.name,
        convention=name,
        rules=entry.rules,
        text=re.sub(r"\s", " ", text).strip(),
    )


def request_entry(convention: Convention, entry: Entry, k: int | None, label: str) -> MetricRequest:
    """Return the request for an entry of a library, under a label."""
    requested = metric(entry.metric)
    params = {key: requested.read_param(key, value) for key, value in entry.params.items()}
    text = format_metric(label, k)
    return MetricRequest(requested, params, k, label, convention.name, entry.rules, text)


def _parse_cutoff(text: str, k: str | None, requested: Metric, settings: Params) -> int | None:
    """Parse the text after ``@``: a number, ``all``, or none; None for whole lists."""
    rule = requested.entries["Cutoff"]
    maximum = int(rule.partition(" up to ")[2] or _MAX_CUTOFF)
    if rule == "none":
        if k is not None:
            raise MetricError(messages.CUTOFF_NONE.format(text=text, metric=requested.name, k=k))
        return None
    if k is None and rule != "optional":
        or_all = f", or {text}@{WHOLE_LIST} for whole lists" if WHOLE_LIST in rule else ""
        raise MetricError(messages.CUTOFF_MISSING.format(text=text, or_all=or_all))
    if k is None or k == WHOLE_LIST:
        divisor = [f"{key}=k" for key, value in settings.items() if value == "k"]
        if rule in ("a number", f"a number up to {maximum}") or divisor:
            why = f" with {divisor[0]}" if divisor else ""
            raise MetricError(
                messages.CUTOFF_NUMBER.format(text=text, metric=requested.name, why=why)
            )
        return None
    if not re.fullmatch(r"[0-9]{1,7}", k) or not 1 <= int(k) <= maximum:
        or_all = f", or {WHOLE_LIST}" if WHOLE_LIST in rule else ""
        raise MetricError(messages.CUTOFF.format(text=text, most=maximum, or_all=or_all))
    return int(k)
