"""The options of ``evaluate`` and ``compare``, each declared once.

A declaration defines the check of a value, the argument of the command line, and dbt's check.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import wraps
from inspect import Parameter, isfunction, signature
from numbers import Integral, Real
from typing import Any, Literal, TypedDict, TypeVar, cast, get_args

from . import messages
from .errors import OptionError, suggest_name

T = TypeVar("T")

# The largest relevance for which sums of gains are finite.
LARGEST_RELEVANCE = 1e100

# Estimators of metrics over the whole catalog from sampled candidates.
Estimator = Literal["auto", "bv", "mle"]
ESTIMATORS = get_args(Estimator)


# Choices of options, also for editors and type checkers. The default is first.
Population = Literal["truth", "truth_and_recs", "judged", "judged_and_recs", "recs", "all"]
Order = Literal["score", "rank"]
Ties = Literal["item_asc", "item_desc", "first", "expected", "best", "worst"]
Duplicates = Literal["error", "best", "first", "last"]
NullScores = Literal["error", "last", "drop"]
Seen = Literal["keep", "drop", "self"]
Undefined = Literal["skip", 0, 1]
ConventionName = Literal[
    "sqlrec", "beir", "cornac", "elliot", "evidently", "ir_measures", "jurity", "lenskit",
    "lightfm", "lightgbm", "ml_metrics", "mlflow", "mllib", "mteb", "pyterrier", "ragas",
    "rankeval", "ranx", "recbole", "recmetrics", "recommenders", "recpack", "rectools",
    "replay-0.11", "replay-0.9", "replay", "rexmex", "rs_metrics-0.3", "rs_metrics-0.4",
    "rs_metrics", "sklearn", "torchmetrics", "trec_eval", "warprec", "xgboost",
]  # fmt: skip
DialectName = Literal[
    "duckdb", "postgres", "spark", "databricks", "snowflake", "bigquery", "redshift", "trino",
    "athena", "fabric", "clickhouse", "sqlite",
]  # fmt: skip
IntervalName = Literal["auto", "normal", "t", "wilson", "bootstrap", "bca", "anytime"]
IntervalOfDifferences = Literal["auto", "t", "normal", "bootstrap", "bca", "anytime"]
IntervalOfLimits = Literal["t", "anytime"]
Test = Literal[
    "auto", "t", "normal", "wilcoxon", "sign", "mcnemar", "permutation", "randomization",
    "anytime",
]  # fmt: skip
Correction = Literal["holm", "bonferroni", "bh", "tukey", "dunnett", "none"]
Alternative = Literal["two-sided", "greater", "less", "equivalent", "noninferior"]


# Settings of DuckDB by name, and arguments of a function by name.
Settings = Mapping[str, object]
Arguments = Mapping[str, Any]


class OtherInputs(TypedDict, total=False):
    """The arguments of ``Dataset`` other than recs, truth and baseline."""

    history: Any
    catalog: Any
    items: Any
    users: Any
    logs: Any
    engine: Any
    columns: Mapping[str, str | Sequence[str]] | None
    where: Mapping[str, str] | None
    settings: Settings | None
    progress: bool
    metrics_path: str | os.PathLike[str] | None


class Inputs(OtherInputs, total=False):
    """The arguments of ``Dataset`` other than recs and truth."""

    baseline: Any


class ComparisonInputs(OtherInputs, total=False):
    """The inputs of a comparison, and the metric that decides."""

    primary: str | None


class ReportInputs(ComparisonInputs, total=False):
    """The inputs of a report, its title and note, rules of the decision, and a value to explain."""

    decide: str | Iterable[str]
    value: float | str | None
    title: str | None
    note: str | None


@dataclass(frozen=True)
class Option:
    """An option and its valid values. ``cli/commands.toml`` contains the help."""

    name: str  # The name in Python. On the command line, underscores are dashes.
    # The choices, with the default first; None selects nothing.
    choices: tuple[str | None, ...] = ()
    # The type of a value without choices.
    type: type[str] | type[int] | type[float] = str
    # The minimum and the maximum of a number. Without limits, a float is between 0 and 1.
    limits: tuple[float, float] | None = None
    default: Any = None  # The default of an option without choices.
    # The internal names of choices, if they differ from the choices.
    rules: Mapping[str, str] = field(default_factory=dict)
    # Whether the option is also a switch: without a value on the command line, or with True in
    # Python, it selects the first choice. False selects None.
    switch: bool = False

    def __post_init__(self) -> None:
        if self.choices:
            object.__setattr__(self, "default", self.choices[0])

    @property
    def named_choices(self) -> list[str]:
        """The choices other than None."""
        return [choice for choice in self.choices if choice is not None]

    def read(self, value: Any) -> Any:
        """Check a value; return it as a Python number, a string or None."""
        if value is None and self.default is None:
            return None
        if self.switch and value is True:
            # True selects the first choice.
            return self.named_choices[0]
        if self.switch and value is False and None in self.choices:
            return None
        if self.rules and isinstance(value, Integral) and not isinstance(value, bool):
            value = str(value)
        if self.choices:
            check_choice(self.name, value, self.choices)
            return self.rules.get(value, value)
        if self.limits:
            return self._read_number(value)
        if self.type is float:
            return read_share(self.name, value)
        if value is None:
            return self.default
        if not isinstance(value, str):
            raise OptionError(f"{self.name}={value!r}: give its name as a string", option=self.name)
        return value

    def _read_number(self, value: Any) -> float:
        assert self.limits
        minimum, maximum = self.limits
        is_number = isinstance(value, Integral if self.type is int else Real)
        number = math.nan
        if is_number and not isinstance(value, bool):
            number = int(value) if isinstance(value, Integral) else float(value)
        if not minimum <= number <= maximum:
            text = messages.WHOLE if self.type is int else messages.NUMBER
            limits = {"least": minimum, "most": maximum}
            message = text.format(option=self.name, value=value, **limits)
            raise OptionError(message, option=self.name)
        return number


RULES = (
    Option("population", get_args(Population)),
    Option("order", (None, *get_args(Order))),
    Option("ties", get_args(Ties)),
    Option("duplicates", get_args(Duplicates)),
    Option("null_scores", get_args(NullScores)),
    Option("seen", get_args(Seen)),
    Option("relevance_threshold", type=float, limits=(float("-inf"), LARGEST_RELEVANCE)),
    Option(
        "undefined",
        tuple(map(str, get_args(Undefined))),
        rules={"skip": "omit", "0": "zero", "1": "one"},
    ),
)

DEPTH = Option("depth", type=int, limits=(1, 1_000_000))
ORDER_BY = Option("order_by")
CONVENTION = Option("convention", default="sqlrec")

# The command line and dbt use this option; Python uses ``Segments(each=True)``.
GROUPINGS = Option("groupings", ("together", "each"))
BATCHES = Option("batches", type=int, limits=(1, 10_000))
LEVEL = Option("level", type=float, default=0.95)
DIGITS = Option("digits", type=int, limits=(0, 6))
MAX_REPLICATES = 100_000
DEFAULT_REPLICATES = 1000
REPLICATES = Option("replicates", type=int, limits=(100, MAX_REPLICATES))
CLUSTER = Option("cluster")
USER_WEIGHTS = Option("weights")
ADJUST = Option("adjust", default=())

# Methods for intervals: from the standard error, for shares, or by bootstrap.
INTERVAL = Option("interval", (*get_args(IntervalName), None), switch=True)
INTERVAL_OF_DIFFERENCES = replace(INTERVAL, choices=get_args(IntervalOfDifferences))
INTERVAL_OF_STATEMENTS = replace(INTERVAL, choices=(None, *get_args(IntervalName)))
INTERVAL_OF_LIMITS = replace(INTERVAL, choices=get_args(IntervalOfLimits))
TEST = Option("test", get_args(Test))
CORRECTION = Option("correction", get_args(Correction))
PRIMARY = Option("primary")
ALTERNATIVE = Option("alternative", get_args(Alternative))


def unknown_argument(
    option: str, names: Iterable[str], methods: Mapping[str, Callable[..., Any]]
) -> TypeError:
    """Return the error for an unknown argument, with the nearest argument or its owner."""
    names = {*names}
    # Methods do not accept inputs, which belong to the dataset, or single fields of an object.
    inputs = ("recs", "truth", *Inputs.__annotations__) if "metrics" in names else ()
    elsewhere = dict.fromkeys(inputs, "Dataset") | {
        field: f"{name}={kind.__name__}"
        for name, (kind, fields) in OBJECTS.items()
        if name in names
        for field in fields
    }
    elsewhere = {name: call for name, call in elsewhere.items() if name not in names}
    hint = suggest_name(option, names | elsewhere.keys())
    nearest = option if option in elsewhere else hint.partition("'")[2].partition("'")[0]
    if nearest in elsewhere:
        hint = f"give {elsewhere[nearest]}({nearest}=...)"
    owners = [name for name, x in methods.items() if option in signature(x).parameters]
    if owners and nearest != option:
        hint = f"it is an argument of {', '.join(owners)}"
    return TypeError(f"unknown argument {option!r}: {hint}")


def public_methods(cls: type[Any]) -> dict[str, Callable[..., Any]]:
    """Return the public methods that a class defines, by name."""
    return {x: f for x, f in vars(cls).items() if isfunction(f) and not x.startswith("_")}


def refuse_unknown_arguments(cls: type[T]) -> type[T]:
    """Suggest the nearest argument if a public method of a class gets an unknown argument."""
    methods = public_methods(cls)
    first = {"__init__": vars(cls)["__init__"]} if "__init__" in vars(cls) else {}
    for name, method in (first | methods).items():
        setattr(cls, name, _with_known_arguments(method, methods))
    return cls


def _with_known_arguments(
    function: Callable[..., Any], methods: Mapping[str, Callable[..., Any]]
) -> Callable[..., Any]:
    """Return a method that suggests the nearest argument for an unknown argument."""
    parameters = signature(function).parameters
    if any(x.kind is Parameter.VAR_KEYWORD for x in parameters.values()):
        return function

    @wraps(function)
    def call(*positional: Any, **keywords: Any) -> Any:
        for option in keywords:
            if option not in parameters:
                raise unknown_argument(option, [*parameters][1:], methods)
        return function(*positional, **keywords)

    return call


@refuse_unknown_arguments
@dataclass(frozen=True)
class Rules:
    """The rules of an evaluation, which apply to all of its metrics: ``Rules(ties="expected")``.

    Args:
        convention: The definitions of ``sqlrec`` (default) or of a library: its parameters, and its
            values of the rules below. A metric can have its own convention, as in
            ``"ndcg(convention=lenskit)@10"``. Your parameters and rules override the convention.
            ``sqlrec.conventions()`` lists all conventions.
        population: The users to average over. ``truth`` (default) selects users with a relevant
            item, and a user without a list counts as 0. ``truth_and_recs`` selects users with both
            a relevant item and a list. ``judged`` selects all users in the truth, and
            ``judged_and_recs`` all users in the truth who have a list. ``recs`` selects all users
            with a list. ``all`` selects all users in the truth or with a list. At each cutoff, a
            user without an item within the cutoff counts as a user without a list. Two kinds of
            metrics ignore this rule. Metrics without truth average over all users with a list.
            Metrics that compare scores with grades, such as ``mae`` and ``kendall``, average over
            users with an item that has both a score and a grade.
        order: The column that orders lists with both scores and ranks: ``score`` or ``rank``. By
            default, both orders must agree.
        ties: The order of items with equal scores. ``item_asc`` (default) ranks the smaller id
            first, and ``item_desc`` the larger id, as in trec_eval. ``first`` ranks the item of the
            earlier row first (see ``order_by``); ``duplicates`` chooses the row of a repeated item.
            ``expected`` is the mean over all orders of tied items. ``best`` ranks the more relevant
            item first, and ``worst`` the less relevant item. If the values with ``best`` and
            ``worst`` are equal, ties do not matter. Lists with ranks have no ties.
        duplicates: The handling of an item that is twice in a list, down to the deepest cutoff, or
            judged twice for a user. ``error`` (default) raises an error. The other values count the
            item once: ``best`` with its best score, rank or grade, ``first`` and ``last`` as in its
            first or last row (see ``order_by``). In lists with ranks, items below a removed row
            keep their ranks.
        null_scores: The handling of a null or NaN score: raise an ``error`` (default), rank the
            item ``last``, or ``drop`` it.
        seen: The handling of items that users have seen: ``keep`` them (default), or ``drop`` the
            items of the user's history from the lists of recs and baseline, before lists are cut.
            Items below a dropped item move up, even in lists with ranks; other gaps between ranks
            are kept. ``self`` drops the item with the user's id, for lists of similar items. To
            drop both, add a row with this item to history.
        relevance_threshold: The smallest grade of a relevant item; by default any grade above 0 is
            relevant. With ``-inf``, every item in the truth is relevant. By default, the threshold
            does not change the graded gains of cumulative_gain, dcg and ndcg.
        undefined: The handling of users for whom a metric is undefined, such as recall without a
            relevant item: ``skip`` them (default), or count them as ``0`` or ``1``. With ``0`` or
            ``1``, the default population is ``judged``, because ``truth`` excludes users without a
            relevant item.
        order_by: A column of recs, and of a truth with grades, that orders rows, such as a time.
            Null comes last, and rows with equal values are ordered by item. By default, DuckDB uses
            the order of the input. In other engines, the rows of a table have no order. Rules that
            depend on the order of rows are then rejected; in conventions, ``item_asc`` and ``best``
            replace such rules, with a warning. ``row_order`` in ``user_counts`` is then ``none``.
        depth: Cut all lists at this rank, even with ``@all``. Ranks are counted after
            ``null_scores`` and ``duplicates`` have removed rows. By default, lists are not cut.

    Raises:
        InputError: A value is not valid.
    """

    convention: ConventionName = "sqlrec"
    _: KW_ONLY
    population: Population | None = None
    order: Order | None = None
    ties: Ties | None = None
    duplicates: Duplicates | None = None
    null_scores: NullScores | None = None
    seen: Seen | None = None
    relevance_threshold: float | None = None
    undefined: Undefined | None = None
    order_by: str | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "convention", CONVENTION.read(self.convention))
        object.__setattr__(self, "depth", DEPTH.read(self.depth))
        _ = self.changes
        if self.order_by is not None and (not isinstance(self.order_by, str) or not self.order_by):
            message = f"order_by={self.order_by!r}: name a column, as in 'ts'"
            raise OptionError(message, option="order_by")

    @classmethod
    def read(cls, rules: Any) -> Rules:
        """Return rules; a string is the name of a convention."""
        if isinstance(rules, cls):
            return rules
        if isinstance(rules, str):
            return cls(cast("ConventionName", rules))
        raise OptionError(
            f"rules={rules!r}: give the name of a convention, as in 'ranx', or "
            "sqlrec.Rules('ranx', ties='expected')",
            option="rules",
        )

    @property
    def changes(self) -> dict[str, Any]:
        """The rules that differ from the convention, by internal name."""
        values = ((option, getattr(self, option.name)) for option in RULES)
        return {option.name: option.read(x) for option, x in values if x is not None}


@refuse_unknown_arguments
@dataclass(frozen=True)
class Interval:
    """A confidence interval: ``Interval("t", level=0.9, cluster="household")``.

    Args:
        method: The method for the confidence interval of each mean, in the columns
            ``standard_error``, ``low`` and ``high``. Users are treated as a sample from a larger
            population. ``auto`` (default) uses ``wilson`` for metrics from 0 to 1 with per-user
            values of only 0 and 1, such as hit_rate, and ``t`` for other means; the column
            ``interval`` names the method. ``normal`` and ``t`` use the standard error of the mean,
            ``wilson`` is for shares, ``bootstrap`` and ``bca`` resample users, and ``anytime`` is
            valid under continuous monitoring while users arrive. ``None`` computes no intervals.
            The interval is null for metrics that are not means of per-user values, for a single
            user and, except with ``wilson``, if all users have the same value. For a difference,
            ``auto`` is ``t``; ``wilson`` is rejected.
        level: The confidence level.
        replicates: The number of bootstrap samples; by default 1000. They are drawn by hashes of
            user ids, so the same call returns the same interval.
        cluster: A column of users or truth with groups of correlated users, such as households.
            Groups, not users, are then the independent units. The method is ``t`` by default;
            ``wilson`` is rejected. The columns ``clusters`` and ``degrees_of_freedom`` contain the
            number of groups and the degrees of freedom of t. By default, users are independent;
            logged decisions are grouped by user if logs contains ``user_id``.
        adjust: Columns of users, such as ``"country activity"``. Means are adjusted to all users in
            that table: by regression on numeric columns, and by the share of each value in other
            columns. ``value`` is then the adjusted mean, with a ``t`` or ``normal`` interval. The
            columns ``degrees_of_freedom``, ``unadjusted_value`` and ``gain`` are added; ``gain`` is
            the share of the variance that the adjustment removes. These columns are null for
            metrics that are not means over users. The adjustment is useful if the table contains
            many more users than are evaluated, and its columns predict the values.

    Raises:
        InputError: A value is not valid.
    """

    method: IntervalName | bool | None = "auto"
    _: KW_ONLY
    level: float = 0.95
    replicates: int | None = None
    cluster: str | None = None
    adjust: str | Iterable[str] = ()

    def __post_init__(self) -> None:
        for option in (LEVEL, REPLICATES, CLUSTER):
            object.__setattr__(self, option.name, option.read(getattr(self, option.name)))
        object.__setattr__(self, "method", INTERVAL.read(self.method))
        if self.method is None and self.level != LEVEL.default:
            raise OptionError(
                f"level={self.level:g} and interval=None: give the interval's method, as in 't'",
                option="level",
            )

    @property
    def samples(self) -> int:
        """The number of bootstrap samples."""
        return self.replicates or DEFAULT_REPLICATES

    @classmethod
    def read(cls, interval: Any, option: Option) -> Interval:
        """Return an interval with a method that a function supports; a string is a method."""
        if not isinstance(interval, cls):
            return cls(option.read(interval))
        method = interval.method
        if method == "auto" and "auto" not in option.choices:
            method = option.default
        return replace(interval, method=option.read(method))


@refuse_unknown_arguments
@dataclass(frozen=True)
class Segments:
    """Segments of users: ``Segments("country", each=True)``.

    Args:
        columns: Columns in users or truth that contain the names of segments. Each user has one
            value of each column. Users without a row in users form the segment null.
        each: Whether to return rows for all users, for each single column, and for all columns
            together. DuckDB computes these rows in one statement if all metrics have per-user
            values. The column ``grouping`` names the columns of a row's segment; the other columns
            are null. By default, a segment is a combination of values of all columns.

    Raises:
        InputError: A value is not valid.
    """

    columns: str | Iterable[str] = ()
    _: KW_ONLY
    each: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.columns, Iterable):
            raise OptionError(messages.BY.format(by=self.columns), option="by")
        columns = (self.columns,) if isinstance(self.columns, str) else tuple(self.columns)
        object.__setattr__(self, "columns", columns)
        check_flag("each", self.each)
        if self.each and not columns:
            raise OptionError(
                "each=True needs columns: name them, as in by='country'", option="each"
            )

    @classmethod
    def read(cls, by: Any) -> Segments:
        """Return segments; a string or a list names their columns."""
        return by if isinstance(by, cls) else cls(by)


def group_options(options: Arguments, own: Arguments) -> dict[str, Any]:
    """Return options grouped into objects: ``ties`` into ``rules``, ``level`` into ``interval``."""
    grouped = dict(options)
    for name, (kind, fields) in OBJECTS.items():
        single = [option for option in fields if option in grouped and option not in own]
        if name not in own or not single:
            continue
        value = grouped.get(name, own[name])
        if isinstance(value, kind):
            raise TypeError(
                f"{single[0]}= and {name}={value!r}: give {single[0]} in {kind.__name__}"
            )
        main = next(iter(kind.__dataclass_fields__))
        grouped[name] = kind(**{main: value} | {fields[x]: grouped.pop(x) for x in single})
    return grouped


# The options in each object, with the names of their attributes.
OBJECTS: Mapping[str, tuple[type[Any], Mapping[str, str]]] = {
    "rules": (Rules, {name: name for name in Rules.__dataclass_fields__ if name != "_"}),
    "interval": (
        Interval,
        {"interval": "method"} | {x: x for x in ("level", "replicates", "cluster", "adjust")},
    ),
    "by": (Segments, {"by": "columns", "each": "each"}),
}


def changed_fields(value: Any, default: Any) -> dict[str, Any]:
    """Return the changed fields of rules, an interval or segments, by option name."""
    (fields,) = (fields for kind, fields in OBJECTS.values() if isinstance(value, kind))
    pairs = {x: (getattr(value, name), getattr(default, name)) for x, name in fields.items()}
    return {option: own for option, (own, other) in pairs.items() if own != other}


def changed_options(names: Iterable[str], arguments: Arguments) -> Iterator[str]:
    """Yield the arguments that are options, and the changed fields of option objects."""
    for name in names:
        value = arguments[name]
        is_object = name in OBJECTS and isinstance(value, OBJECTS[name][0])
        yield from changed_fields(value, type(value)()) if is_object else [name]


def check_choice(name: str, value: Any, choices: Sequence[str | None]) -> None:
    """Check an option with a few choices."""
    if not isinstance(value, str | None) or value not in choices:
        close = suggest_name(str(value), filter(None, choices))
        message = messages.CHOICE.format(option=name, value=value, nearest=close)
        raise OptionError(message, option=name)


def check_together(
    option: str, value: Any, others: Mapping[str, tuple[Any, Sequence[Any]]]
) -> None:
    """Check that the values of other options are compatible with a value of an option."""
    for name, (other, compatible) in others.items():
        if other not in compatible:
            # The message names one fix.
            first = next(filter(None, compatible), None)
            fix = f"give {name}={first!r}" if first else "omit one"
            raise OptionError(f"{option}={value!r} and {name}={other!r}: {fix}", option=option)


def check_flag(name: str, value: Any) -> None:
    """Check an option that is on or off."""
    if not isinstance(value, bool):
        raise OptionError(f"{name}={value!r}: it must be True or False", option=name)


def read_share(name: str, share: Any) -> float:
    """Parse a probability between 0 and 1."""
    number = math.nan if isinstance(share, bool) or not isinstance(share, Real) else float(share)
    # Quantiles of a probability close to 1 are infinite.
    if not 0 < number < 1 - 1e-15:
        fix = f"; for {number:g}%, write {number / 100:g}" if 1 < number < 100 else ", such as 0.95"
        message = f"{name}={share!r}: it must be above 0 and below 1{fix}"
        raise OptionError(message, option=name)
    return number
