"""The metrics, read from the headers of their SQL files."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from .. import messages
from ..display.text import Style, terminal_width, to_text
from ..errors import MetricError, suggest_name
from ..paths import OWN, sql_folder
from .metric_help import metric_text, metrics_layout

# The type of a parameter that accepts any text and has no default.
ANY_TEXT = "text"

# Valid text contains no quote, backslash or line break, which could end a constant or comment, and
# no Spark variable.
_TEXT = r"(?!.*\$\{)[^'\"\\`\x00-\x1f\x7f\x85\u2028\u2029]+"

# Patterns of a metric's name with a cutoff, such as ndcg_at_10, ndcg_cut_10, recall5 and mapk, and
# of common names for the cutoff parameter.
CUTOFF_IN_NAME = "(.+?)_?(?:at|cut)?_?([0-9]{1,7}|k)"
CUTOFF_PARAMS = ("k", "top_k", "cutoff")

# Common names that mean a metric with certain parameters.
FORMS: Mapping[str, str] = {
    "context_precision": "map(divide_by=hits)",
    "context_recall": "recall",
    "f2": "f_beta(beta=2)",
    "f2_score": "f_beta(beta=2)",
}

# The kind of rows for the form with expected values.
EXPECTED = "expected"

# The range in a title. It is skipped if it depends on the data: ``from 0 to 1 if rewards are
# clicks``.
_RANGE = (
    r"\b(?:from|at least) (?P<low>-?\d+)(?: to (?P<high>\d+))?\b(?! if| where| to \d)|"
    r"at most (?P<most>\d+)"
)

# Operators of a parameter's limits.
_WITHIN: Mapping[str, Callable[[float, float], bool]] = {
    "above": operator.gt,
    "from": operator.ge,
    "below": operator.lt,
    "to": operator.le,
    "by": lambda number, step: number % step == 0,
}

# The families of metrics, in the order of the list of metrics.
FAMILIES = (
    *("ranking", "ratings", "agreement", "overlap", "coverage", "novelty", "diversity"),
    *("fairness", "value", "off-policy"),
)

# The inputs, with the required columns and the optional columns of each input.
TABLES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "recs": (("user_id", "item_id"), ("score", "rank", "model", "order_by")),
    "truth": (("user_id", "item_id"), ("relevance", "order_by", "propensity")),
    "history": (("user_id", "item_id"), ()),
    "catalog": (("item_id",), ()),
    "items": (("item_id",), ()),
    "users": (("user_id",), ()),
    "baseline": (("user_id", "item_id"), ("score", "rank", "order_by")),
    "logs": ((), ("user_id", "item_id", "position", "target_probability")),
}

# Inputs that are a single table. Only recs may be several tables, one for each model.
SINGLE_TABLES = tuple(name for name in TABLES if name != "recs")

# Directions of metrics: the values of a better model.
DIRECTIONS = ("higher", "lower", "neither")

# The required entries of a header with allowed values, and all entries in order.
_REQUIRED: Mapping[str, tuple[str, ...]] = {
    "Source": (),
    "Undefined": (),
    "Better": DIRECTIONS,
    "Family": FAMILIES,
    "Cutoff": ("a number", "a number, or all", "a number up to N", "optional", "none"),
    "Inputs": (),
}
_ENTRIES = "Source Agrees Differs Params Undefined Ties Aliases Better Family Cutoff Inputs".split()
_MACRO = re.compile(
    r"{%-? macro (?P<rows>[a-z]+(?:_[a-z]+)*)__(?P<name>\w+?)(?:__(?P<part>\w+))?\("
)


# The value of a parameter of a metric, and the parameters of a request by name.
Param = str | float
Params = Mapping[str, Param]


@dataclass(frozen=True)
class Need:
    """An input that a metric reads."""

    table: str  # The name of the input, as in ``history``.
    # The required columns, in addition to the columns that the input always contains.
    columns: tuple[str, ...] = ()
    # Empty if the input is always needed, ``given`` if the input is read when it exists, or
    # ``param=value`` or ``param=value|other`` if a parameter requires the input.
    when: str = ""
    # Values of parameters that make the input unnecessary, such as ``outside=counted and
    # unit=items``, or empty.
    unless: str = ""

    def applies(self, settings: Params, available: bool) -> bool:
        """Return whether the input is read with these parameters."""
        key, _, values = self.when.partition("=")
        if not values:
            return available or not key
        others = re.findall(r"(\w+)=(\w+)", self.unless)
        is_unnecessary = others and all(str(settings[name]) == value for name, value in others)
        return str(settings[key]) in values.split("|") and not is_unnecessary


@dataclass(frozen=True)
class Metric:
    """A metric, as its SQL file documents it.

    Attributes:
        name: The file's name, as in ``average_precision``.
        rows: The kind of rows that the metric aggregates, as in ``hits``.
        title: The header's first paragraph: the meaning and the range.
        header: The whole header, without the signs of comments.
        entries: The header's labeled lines (Source, Agrees, Undefined, ...).
        params: The allowed values of each parameter, the default first. If the only value is a
            number, all numbers within the limits are allowed.
        limits: The limits of each numeric parameter: ``{"above": 0, "below": 1}``.
        needs: The inputs that the metric reads.
        parts: The additional parts of a value, which are summed over users, such as ``weight``.
        expected: Whether the metric has a form for the expected value over all orders of tied
            items.
    """

    name: str
    rows: str
    title: str
    header: str
    entries: Mapping[str, str] = field(repr=False)
    params: Mapping[str, tuple[Param, ...]]
    limits: Mapping[str, Mapping[str, float]] = field(repr=False)
    needs: tuple[Need, ...] = field(repr=False)
    parts: tuple[str, ...] = field(repr=False)
    expected: bool = field(repr=False)

    def __repr__(self) -> str:
        return metric_text(self, terminal_width())

    @property
    def family(self) -> str:
        """The family, one of ``FAMILIES``."""
        return self.entries["Family"]

    @property
    def better(self) -> str:
        """The direction, one of ``DIRECTIONS``."""
        return self.entries["Better"]

    @property
    def source(self) -> str:
        """The author and year of the header's first paper, or its first library."""
        first = re.match(r".*?\b(?:19|20)\d\d\b|[^,;(]*", self.entries["Source"])
        return first[0].strip() if first else ""

    @property
    def is_share(self) -> bool:
        """Whether all values are between 0 and 1."""
        return "from 0 to 1" in self.meaning

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest value with the default parameters, in any data."""
        if match := re.search(_RANGE, self.meaning):
            return float(match["low"] or "-inf"), float(match["high"] or match["most"] or "inf")
        return -math.inf, math.inf

    @property
    def meaning(self) -> str:
        """The title without the leading name."""
        return self.title.partition(": ")[2]

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names, in lower case."""
        return tuple(re.findall(r"\w+", self.entries.get("Aliases", "")))

    @property
    def no_expected_form(self) -> Mapping[str, Sequence[str]]:
        """The parameter values that have no form for ``ties=expected``."""
        conditions = re.findall(r"(\w+)=([\w|]+)", self.entries.get("Ties", ""))
        return {key: values.split("|") for key, values in conditions}

    def reads(self, table: str, column: str) -> bool:
        """Return whether the metric needs a column of an input.

        Args:
            table: The input, such as ``items``.
            column: sqlrec's name of the column, such as ``category``.
        """
        return any(need.table == table and column in need.columns for need in self.needs)

    def read_param(self, key: str, value: Any) -> Param:
        """Check the value of a parameter.

        Args:
            key: The parameter's name.
            value: The value, which may be text.

        Returns:
            The value, in the type of the default.

        Raises:
            MetricError: The metric has no such parameter, or the value is not allowed.
        """
        if key not in self.params:
            hint = suggest_name(key, self.params) if self.params else "it has none"
            if key in CUTOFF_PARAMS and self.entries["Cutoff"] != "none":
                hint = f"write {self.name}@{value}"
            raise MetricError(
                messages.PARAM_UNKNOWN.format(metric=self.name, param=key, nearest=hint)
            )
        allowed = self.params[key]
        names = {"metric": self.name, "param": key, "value": value}
        if allowed == (ANY_TEXT,):
            if not re.fullmatch(_TEXT, value):
                raise MetricError(messages.PARAM_TEXT.format(**names))
            return str(value)
        if isinstance(allowed[0], str):
            if value not in allowed:
                raise MetricError(
                    messages.PARAM_CHOICE.format(**names, known=", ".join(map(str, allowed)))
                )
            return str(value)
        number = _parse_number(value)
        limits = self.limits[key]
        if (
            number is None
            or abs(number) == float("inf")
            or not all(_WITHIN[word](number, limit) for word, limit in limits.items())
        ):
            bounds = " ".join(f"{word} {limit}" for word, limit in limits.items())
            raise MetricError(messages.PARAM_NUMBER.format(**names, limits=bounds))
        return number


class Metrics(dict[str, Metric]):
    """Metrics by name, displayed as a list."""

    def __repr__(self) -> str:
        return to_text(metrics_layout(self.values(), FAMILIES), Style(terminal_width()))


@cache
def metrics() -> Mapping[str, Metric]:
    """Return all metrics by name, in alphabetical order.

    Example:
        >>> import sqlrec
        >>> sqlrec.metrics()["ndcg"].family
        'ranking'
    """
    return Metrics({name: read_metric_file(name, text) for name, text in sorted(texts().items())})


def texts() -> dict[str, str]:
    """Return the texts of all metrics' files by name."""
    paths = (sql_folder() / "metrics").glob("*.sql")
    files = {path.stem: path.read_text(encoding="utf-8") for path in paths}
    return files | {name: text for name, (_, text) in OWN.items()}


@cache
def _row_kinds() -> set[str]:
    """Return the kinds of rows that metrics can have: files with a macro of the same name."""
    texts = {x.stem: x.read_text(encoding="utf-8") for x in (sql_folder() / "rows").glob("*.sql")}
    # A metric has expected rows only in a second macro, for ties=expected.
    return {x for x, text in texts.items() if f"macro {x}(plan, kind, used)" in text} - {EXPECTED}


@cache
def known_columns() -> tuple[str, ...]:
    """Return the names of all columns that inputs can have."""
    columns = [name for always, sometimes in TABLES.values() for name in (*always, *sometimes)]
    columns += [x for metric in metrics().values() for need in metric.needs for x in need.columns]
    return tuple(dict.fromkeys(columns))


def metric(name: str) -> Metric:
    """Return a metric by its name or an alias, in upper or lower case.

    Args:
        name: The name, such as ``ndcg``, or an alias.

    Example:
        >>> import sqlrec
        >>> sqlrec.metric("MAP").name
        'average_precision'

    Raises:
        MetricError: There is no such metric; the message suggests the nearest name.
    """
    if not isinstance(name, str):
        raise MetricError(f"invalid metric {name!r}: write its name as a string, as in 'ndcg'")
    by_name = _metrics_by_name()
    lower = name.lower().replace("-", "_")
    if lower not in by_name:
        raise MetricError(
            messages.UNKNOWN.format(metric=name, nearest=_suggest_name(lower, by_name))
        )
    return by_name[lower]


def _suggest_name(name: str, by_name: Mapping[str, Metric]) -> str:
    """Return a suggestion for an unknown name. The name may contain a cutoff."""
    base, k = name, ""
    if name not in FORMS and (match := re.fullmatch(CUTOFF_IN_NAME, name)):
        base, k = match.groups()
    form = FORMS.get(base, base)
    plain = form.partition("(")[0]
    if plain not in by_name:
        return suggest_name(base, by_name, "`sqlrec list` shows all metrics")
    if not k or by_name[plain].entries["Cutoff"] == "none":
        return f"write {form}"
    return f"write {form}@{'10' if k == 'k' else k}"


@cache
def _metrics_by_name() -> dict[str, Metric]:
    by_name = metrics()
    return {**{alias: x for x in by_name.values() for alias in x.aliases}, **by_name}


def clear_caches() -> None:
    """Clear the caches, so that files are read again at the next use."""
    for cached in (metrics, known_columns, _metrics_by_name):
        cached.cache_clear()


def read_metric_file(name: str, text: str) -> Metric:
    """Parse a metric's file; errors name the file."""
    try:
        return parse_metric_file(name, text)
    except MetricError as error:
        raise MetricError(f"metrics/{name}.sql: {error}") from None


def parse_metric_file(name: str, text: str) -> Metric:
    """Parse the header above the macros of a metric, and the names of the macros."""
    head, _, _ = text.partition("{%")
    macros = list(_MACRO.finditer(text))
    if not macros:
        raise MetricError(f"no macro: add one, for example {{% macro hits__{name}() %}}")
    rows = macros[0]["rows"]
    if any(macro["name"] != name for macro in macros) or macros[0]["part"]:
        raise MetricError(f"its macro is not named <rows>__{name}: rename it")
    if rows not in (kinds := _row_kinds()):
        raise MetricError(f"no rows {rows!r}: {suggest_name(rows, kinds)}")
    header = "\n".join(re.sub(r"^--[ \t]?", "", line) for line in head.splitlines()).strip()
    entries: dict[str, str] = {}
    entry = None
    for line in header.splitlines():
        label, rest = re.findall(r"(\S*)\s*(.*)", line)[0]
        standard = label.rstrip(":").capitalize()
        if label in entries:
            raise MetricError(f"two entries {label!r}: write one")
        if label in _ENTRIES:
            entry = label
            entries[entry] = rest
        elif standard in _ENTRIES and re.match(r"\w+(:|  )", line):
            raise MetricError(f"{label!r} is not the name of an entry: write {standard!r}")
        elif entry and re.match(r"[A-Z]\w*  ", line):
            raise MetricError(f"no entry {label!r}: {suggest_name(label, _ENTRIES)}")
        elif entry:
            entries[entry] += "\n" + line.strip()
    _check_entries(entries)
    title = " ".join(header.split("\n\n")[0].splitlines())
    params, limits = _parse_params(entries.get("Params", ""))
    return Metric(
        name,
        rows,
        title,
        header,
        entries,
        params,
        limits,
        _parse_needs(entries["Inputs"], params),
        tuple(dict.fromkeys(macro["part"] for macro in macros if macro["part"])),
        any(macro["rows"] == EXPECTED for macro in macros),
    )


def _check_entries(entries: Mapping[str, str]) -> None:
    """Check that a header contains all required entries with valid values."""
    for entry, words in _REQUIRED.items():
        text = entries.get(entry, "")
        if not text or (words and re.sub(r"(?<=up to )[0-9]+$", "N", text) not in words):
            problem = f"{entry} is {text!r}" if text else f"no entry {entry}"
            fix = f"write one of {', '.join(words)}" if words else "write it"
            raise MetricError(f"{problem}: {fix}")


def _parse_params(
    entry: str,
) -> tuple[dict[str, tuple[Param, ...]], dict[str, Mapping[str, float]]]:
    """Parse ``name = value | value: meaning``, or ``name = 0.8 above 0 below 1: meaning``."""
    params: dict[str, tuple[Param, ...]] = {}
    limits: dict[str, Mapping[str, float]] = {}
    for match in re.finditer(r"^(\w+) = ([^:]+):", entry, flags=re.MULTILINE):
        values = tuple(value.strip() for value in match[2].split("|"))
        first, _, bounds = values[0].partition(" ")
        number = _parse_number(first)
        params[match[1]] = values if number is None else (number,)
        if number is not None:
            words = bounds.split() or ["above", "0"]
            numbers = dict(zip(words[::2], map(_parse_number, words[1::2]), strict=False))
            limits[match[1]] = {word: x for word, x in numbers.items() if x is not None}
            own = limits[match[1]]
            if not set(words[::2]) <= set(_WITHIN) or 2 * len(own) < len(words):
                raise MetricError(
                    f"Params has limits {bounds!r}: write them as in "
                    "'from 0 to 1', or with above, below, by"
                )
            if not all(_WITHIN[word](number, limit) for word, limit in own.items()):
                raise MetricError(
                    f"Params has '{match[1]} = {first}', which is not "
                    f"{bounds or 'above 0'}: write a default within its limits"
                )
    return params, limits


def _parse_needs(entry: str, params: Mapping[str, tuple[Param, ...]]) -> tuple[Need, ...]:
    """Parse ``recs, truth(relevance), catalog if items=catalog, history if given``.

    A condition may end with values that make the input unnecessary: ``unless outside=counted and
    unit=items``.
    """
    shape = re.compile(r"(\w+)(?:\(([\w, ]+)\))?(?: if (\S+)(?: unless (.+))?)?")
    needs = []
    for part in re.split(r",\s*(?![^(]*\))", entry):
        match = shape.fullmatch(part.strip())
        table, columns, when, unless = (match and match.groups("")) or ("", "", "", "")
        conditions = [*([] if when in ("", "given") else [when]), *unless.split(" and ")]
        valid = all(
            set(values.split("|")) <= set(params.get(key, ()))
            for key, _, values in (text.partition("=") for text in conditions if text)
        )
        if table not in TABLES or not valid:
            raise MetricError(
                f"Inputs contains {part.strip()!r}: write tables with columns or conditions, "
                "for example truth(relevance), history if given, or catalog if "
                "items=catalog|history, with items a parameter of the metric. Tables are "
                f"{', '.join(TABLES)}"
            )
        needs.append(Need(table, tuple(re.findall(r"\w+", columns)), when, unless))
    return tuple(needs)


def _parse_number(text: Any) -> int | float | None:
    """Parse a number, as an integer if possible, so that 1, 1.0 and "1" are the same value."""
    try:
        number = float(text)
    except (TypeError, ValueError):
        return None
    return int(number) if number.is_integer() else number
