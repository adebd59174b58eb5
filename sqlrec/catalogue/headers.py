"""The metrics there are, read from the headers of their SQL files."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from .. import messages
from ..display.text import Style, terminal_width, to_text
from ..errors import MetricError, nearest
from ..paths import OWN, sql_folder
from .described import metric_html, metric_text, of_metrics

# A parameter that is any text, and has no default.
ANY_TEXT = "text"

# No quote, backslash or line break, which would end a constant or comment; no variable of Spark's.
_TEXT = r"(?!.*\$\{)[^'\"\\`\x00-\x1f\x7f\x85\u2028\u2029]+"

# A name with the cutoff in it, as in ndcg_at_10, ndcg_cut_10, recall5 and mapk; and what people
# call a cutoff where they take it for a parameter.
CUTOFF_IN_NAME = "(.+?)_?(?:at|cut)?_?([0-9]{1,7}|k)"
CUTOFF_PARAMS = ("k", "top_k", "cutoff")

# Names of metrics that are a form of one of ours.
FORMS: Mapping[str, str] = {
    "context_precision": "map(divide_by=hits)",
    "context_recall": "recall",
    "f2": "f_beta(beta=2)",
    "f2_score": "f_beta(beta=2)",
}

# The kind of rows that the second form of a metric is of.
EXPECTED = "expected"

# The words of a parameter's limits.
_WITHIN: Mapping[str, Callable[[float, float], bool]] = {
    "above": operator.gt,
    "from": operator.ge,
    "below": operator.lt,
    "to": operator.le,
    "by": lambda number, step: number % step == 0,
}

# The families of metrics, in the order of lists.
FAMILIES = (
    *("ranking", "ratings", "agreement", "overlap", "coverage", "novelty", "diversity"),
    *("fairness", "value", "off-policy"),
)

# What can be given: for each input the columns that it always has, and those that it may have.
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

# Inputs that are one table each: recs may be one for each model.
SINGLE_TABLES = tuple(name for name in TABLES if name != "recs")

# What a better model has of a metric: more, less, or neither.
DIRECTIONS = ("higher", "lower", "neither")

# What each header has to say, the words that may stand there, and all entries in their order.
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


@dataclass(frozen=True)
class Need:
    """An input that a metric reads.

    Attributes:
        table: Its name, as in ``history``.
        columns: Columns that it must have beside those that it always has.
        when: Empty where it is always needed; ``given`` where it is read if it is there;
            ``param=value`` or ``param=value|other`` where a parameter asks for it.
        unless: Values of parameters, as in ``outside=counted and unit=items``, with which it is not
            needed; empty where there are none.
    """

    table: str
    columns: tuple[str, ...] = ()
    when: str = ""
    unless: str = ""

    def holds(self, settings: Mapping[str, Any], given: bool) -> bool:
        """Say whether the input is read, with these parameters."""
        key, _, values = self.when.partition("=")
        if not values:
            return given or not key
        return str(settings[key]) in values.split("|") and not self._is_spared(settings)

    def _is_spared(self, settings: Mapping[str, Any]) -> bool:
        """Say whether parameters have all the values with which the input is not needed."""
        spared = re.findall(r"(\w+)=(\w+)", self.unless)
        return bool(spared) and all(str(settings[key]) == value for key, value in spared)


@dataclass(frozen=True)
class Metric:
    """A metric as its SQL file describes it.

    Attributes:
        name: The file's name, as in ``average_precision``.
        rows: The kind of rows that the metric aggregates, as in ``hits``.
        title: The header's first paragraph: the meaning and the range.
        header: The whole header, without comment signs.
        entries: The header's labelled lines (Source, Agrees, Undefined, ...).
        params: The allowed values of each parameter, the default first. A single number means that
            any number within the limits is allowed.
        limits: The limits of each numeric parameter: ``{"above": 0, "below": 1}``.
        needs: The inputs that it reads.
        parts: What it adds up over users beside the per-user value: ``weight``.
        expected: Whether it has a second form, the expected value over all orders of equal scores.
    """

    name: str
    rows: str
    title: str
    header: str
    entries: Mapping[str, str] = field(repr=False)
    params: Mapping[str, tuple[Any, ...]]
    limits: Mapping[str, Mapping[str, float]] = field(repr=False)
    needs: tuple[Need, ...] = field(repr=False)
    parts: tuple[str, ...] = field(repr=False)
    expected: bool = field(repr=False)

    def __repr__(self) -> str:
        return metric_text(self, terminal_width())

    def _repr_html_(self) -> str:
        _, start, sql = texts()[self.name].partition("{%")
        return metric_html(self, start + sql)

    @property
    def family(self) -> str:
        """What it is listed under, one of ``FAMILIES``."""
        return self.entries["Family"]

    @property
    def better(self) -> str:
        """What a better model has of it, one of ``DIRECTIONS``."""
        return self.entries["Better"]

    @property
    def source(self) -> str:
        """Who defined it, and when: the first paper or library of its header."""
        first = re.match(r".*?\b(?:19|20)\d\d\b|[^,;(]*", self.entries["Source"])
        return first[0].strip() if first else ""

    @property
    def is_share(self) -> bool:
        """Whether its values lie between 0 and 1."""
        return "from 0 to 1" in self.meaning

    @property
    def meaning(self) -> str:
        """The title without the name in front."""
        return self.title.partition(": ")[2]

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names, in lower case."""
        return tuple(re.findall(r"\w+", self.entries.get("Aliases", "")))

    @property
    def unexpected(self) -> Mapping[str, Sequence[str]]:
        """The values of parameters with which the second form is not known."""
        found = re.findall(r"(\w+)=([\w|]+)", self.entries.get("Ties", ""))
        return {key: values.split("|") for key, values in found}

    def reads(self, table: str, column: str) -> bool:
        """Return whether the metric needs a column of an input.

        Args:
            table: The input, such as ``items``.
            column: Our name of the column, such as ``category``.
        """
        return any(need.table == table and column in need.columns for need in self.needs)

    def read_param(self, key: str, value: Any) -> Any:
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
            takes = nearest(key, self.params) if self.params else "it has none"
            if key in CUTOFF_PARAMS and self.entries["Cutoff"] != "none":
                takes = f"write {self.name}@{value}"
            raise MetricError(
                messages.PARAM_UNKNOWN.format(metric=self.name, param=key, nearest=takes)
            )
        allowed = self.params[key]
        shown = {"metric": self.name, "param": key, "value": value}
        if allowed == (ANY_TEXT,):
            if not re.fullmatch(_TEXT, value):
                raise MetricError(messages.PARAM_TEXT.format(**shown))
            return value
        if isinstance(allowed[0], str):
            if value not in allowed:
                raise MetricError(messages.PARAM_CHOICE.format(**shown, known=", ".join(allowed)))
            return value
        number = _number(value)
        limits = self.limits[key]
        if (
            number is None
            or abs(number) == float("inf")
            or not all(_WITHIN[word](number, limit) for word, limit in limits.items())
        ):
            where = " ".join(f"{word} {limit}" for word, limit in limits.items())
            raise MetricError(messages.PARAM_NUMBER.format(**shown, limits=where))
        return number


class Metrics(dict[str, Metric]):
    """Metrics by name, which show themselves as a list."""

    def __repr__(self) -> str:
        return to_text(of_metrics(self.values(), FAMILIES), Style(terminal_width()))

    def _repr_html_(self) -> str:
        from ..display.html import to_html

        return to_html(of_metrics(self.values(), FAMILIES))


@cache
def metrics() -> Mapping[str, Metric]:
    """Return all metrics by name, in alphabetical order.

    Example:
        >>> import sqlrec
        >>> sqlrec.metrics()["ndcg"].family
        'ranking'
    """
    return Metrics({name: read(name, text) for name, text in sorted(texts().items())})


def texts() -> dict[str, str]:
    """Return the files of all metrics by name."""
    paths = (sql_folder() / "metrics").glob("*.sql")
    found = {path.stem: path.read_text(encoding="utf-8") for path in paths}
    return found | {name: text for name, (_, text) in OWN.items()}


@cache
def _kinds() -> set[str]:
    """Return the kinds of rows that metrics are of: files that say whom they average over."""
    texts = {
        path.stem: path.read_text(encoding="utf-8")
        for path in (sql_folder() / "rows").glob("*.sql")
    }
    kinds = {name for name, text in texts.items() if f"macro {name}_population(" in text}
    # Rows of ties that metrics have a second form for.
    return kinds - {EXPECTED}


@cache
def known_columns() -> tuple[str, ...]:
    """Return all names of columns that inputs can have."""
    columns = [name for always, sometimes in TABLES.values() for name in (*always, *sometimes)]
    columns += [name for one in metrics().values() for need in one.needs for name in need.columns]
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
        raise MetricError(f"invalid metric {name!r}: write its name as text, as in 'ndcg'")
    known = _by_name()
    lower = name.lower().replace("-", "_")
    if lower not in known:
        raise MetricError(messages.UNKNOWN.format(metric=name, nearest=_fix(lower, known)))
    return known[lower]


def _fix(name: str, known: Mapping[str, Metric]) -> str:
    """Return what to write for an unknown name, of which a cutoff may be a part."""
    base, k = name, ""
    if name not in FORMS and (match := re.fullmatch(CUTOFF_IN_NAME, name)):
        base, k = match.groups()
    form = FORMS.get(base, base)
    plain = form.partition("(")[0]
    if plain not in known:
        return nearest(base, known, "`sqlrec list` shows what there is")
    if not k or known[plain].entries["Cutoff"] == "none":
        return f"write {form}"
    return f"write {form}@{'10' if k == 'k' else k}"


@cache
def _by_name() -> dict[str, Metric]:
    """Return the metrics by their aliases, and by their names."""
    known = metrics()
    return {**{alias: one for one in known.values() for alias in one.aliases}, **known}


def forget() -> None:
    """Read the files anew when they are asked for."""
    for kept in (metrics, known_columns, _by_name):
        kept.cache_clear()


def read(name: str, text: str) -> Metric:
    """Read a metric's file: the header above the macros, and the names of the macros.

    Raises:
        MetricError: An entry is wrong or missing; names the file and the entry.
    """
    head, _, _ = text.partition("{%")
    macros = list(_MACRO.finditer(text))
    if not macros:
        raise MetricError(
            f"metrics/{name}.sql: no macro: write it, as in {{% macro hits__{name}() %}}"
        )
    rows = macros[0]["rows"]
    if any(macro["name"] != name for macro in macros) or macros[0]["part"]:
        raise MetricError(f"metrics/{name}.sql: its macro is not named <rows>__{name}: rename it")
    if rows not in (known := _kinds()):
        raise MetricError(f"metrics/{name}.sql: no rows {rows!r}: {nearest(rows, known)}")
    header = "\n".join(re.sub(r"^--[ \t]?", "", line) for line in head.splitlines()).strip()
    entries: dict[str, str] = {}
    entry = None
    for line in header.splitlines():
        label, rest = re.findall(r"(\S*)\s*(.*)", line)[0]
        meant = label.rstrip(":").capitalize()
        if label in entries:
            raise MetricError(f"metrics/{name}.sql: two entries {label!r}: write one")
        if label in _ENTRIES:
            entry = label
            entries[entry] = rest
        elif meant in _ENTRIES and re.match(r"\w+(:|  )", line):
            raise MetricError(f"metrics/{name}.sql: {label!r} begins no entry: write {meant!r}")
        elif entry and re.match(r"[A-Z]\w*  ", line):
            raise MetricError(f"metrics/{name}.sql: no entry {label!r}: {nearest(label, _ENTRIES)}")
        elif entry:
            entries[entry] += "\n" + line.strip()
    _check_entries(name, entries)
    title = " ".join(header.split("\n\n")[0].splitlines())
    params, limits = _params(name, entries.get("Params", ""))
    return Metric(
        name,
        rows,
        title,
        header,
        entries,
        params,
        limits,
        _needs(name, entries["Inputs"], params),
        tuple(macro["part"] for macro in macros if macro["part"]),
        any(macro["rows"] == EXPECTED for macro in macros),
    )


def _check_entries(name: str, entries: Mapping[str, str]) -> None:
    """Check that a header says what the program and its readers need.

    Raises:
        MetricError: It lacks an entry, or has another word than those there are.
    """
    for entry, words in _REQUIRED.items():
        text = entries.get(entry, "")
        if not text or (words and re.sub(r"(?<=up to )[0-9]+$", "N", text) not in words):
            found = f"{entry} is {text!r}" if text else f"no entry {entry}"
            fix = f"write one of {', '.join(words)}" if words else "write it"
            raise MetricError(f"metrics/{name}.sql: {found}: {fix}")


def _params(
    name: str, entry: str
) -> tuple[dict[str, tuple[Any, ...]], dict[str, Mapping[str, float]]]:
    """Read ``name = value | value: meaning`` from the lines of an entry.

    A number may say where it has to lie: ``name = 0.8 above 0 below 1: meaning``.
    """
    found: dict[str, tuple[Any, ...]] = {}
    limits: dict[str, Mapping[str, float]] = {}
    for match in re.finditer(r"^(\w+) = ([^:]+):", entry, flags=re.MULTILINE):
        values = tuple(value.strip() for value in match[2].split("|"))
        first, _, bounds = values[0].partition(" ")
        number = _number(first)
        found[match[1]] = values if number is None else (number,)
        if number is not None:
            words = bounds.split() or ["above", "0"]
            read = dict(zip(words[::2], map(_number, words[1::2]), strict=False))
            limits[match[1]] = {word: limit for word, limit in read.items() if limit is not None}
            own = limits[match[1]]
            if not set(words[::2]) <= set(_WITHIN) or 2 * len(own) < len(words):
                raise MetricError(
                    f"metrics/{name}.sql: Params has limits {bounds!r}: write them as in "
                    "'from 0 to 1', or with above, below, by"
                )
            if not all(_WITHIN[word](number, limit) for word, limit in own.items()):
                raise MetricError(
                    f"metrics/{name}.sql: Params has '{match[1]} = {first}', which is not "
                    f"{bounds or 'above 0'}: write a default within its limits"
                )
    return found, limits


def _needs(name: str, entry: str, params: Mapping[str, tuple[Any, ...]]) -> tuple[Need, ...]:
    """Read ``recs, truth(relevance), catalog if items=catalog, history if given``.

    A condition may end in values with which the input is not needed: ``unless outside=counted and
    unit=items``.
    """
    shape = re.compile(r"(\w+)(?:\(([\w, ]+)\))?(?: if (\S+)(?: unless (.+))?)?")
    found = []
    for part in re.split(r",\s*(?![^(]*\))", entry):
        match = shape.fullmatch(part.strip())
        table, columns, when, unless = (match and match.groups("")) or ("", "", "", "")
        conditions = [*([] if when in ("", "given") else [when]), *unless.split(" and ")]
        known = [
            set(values.split("|")) <= set(params.get(key, ()))
            for key, _, values in (one.partition("=") for one in conditions if one)
        ]
        if table not in TABLES or not all(known):
            raise MetricError(
                f"metrics/{name}.sql: Inputs has {part.strip()!r}: write a table, one of "
                f"{', '.join(TABLES)}, as in truth(relevance), history if given, or catalog if "
                "items=catalog, where items is a parameter; of two values, if items=catalog|history"
            )
        found.append(Need(table, tuple(re.findall(r"\w+", columns)), when, unless))
    return tuple(found)


def _number(text: Any) -> int | float | None:
    """Read a number: whole where it can be, so that 1, 1.0 and "1" are one parameter value."""
    try:
        number = float(text)
    except (TypeError, ValueError):
        return None
    return int(number) if number.is_integer() else number
