"""The options of ``evaluate`` and ``compare``, each declared once.

A declaration defines the check of a value, the argument of the command line, and dbt's check.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import Any, Literal, TypedDict, get_args

from . import messages
from .errors import InputError, nearest

# Maximum relevance, so that gains and their sums are finite.
LARGEST_RELEVANCE = 1e100

# Estimators of metrics over the whole catalog from sampled candidates.
Estimator = Literal["auto", "bv", "cls", "rank", "mle"]
ESTIMATORS = get_args(Estimator)


# Choices of options, also for editors and type checkers; the default is first.
Population = Literal["truth", "truth_and_recs", "judged", "judged_and_recs", "recs", "all"]
Order = Literal["score", "rank"]
Ties = Literal["item_asc", "item_desc", "first", "expected", "best", "worst"]
Duplicates = Literal["error", "best", "first", "last"]
NullScores = Literal["error", "last", "drop"]
Seen = Literal["keep", "drop", "self"]
Undefined = Literal["skip", 0, 1]
Groupings = Literal["together", "each"]
ConventionName = Literal[
    "sqlrec",
    "beir",
    "cornac",
    "elliot",
    "evidently",
    "ir_measures",
    "jurity",
    "lenskit",
    "lightfm",
    "lightgbm",
    "ml_metrics",
    "mlflow",
    "mllib",
    "mteb",
    "pyterrier",
    "ragas",
    "rankeval",
    "ranx",
    "recbole",
    "recmetrics",
    "recommenders",
    "recpack",
    "rectools",
    "replay-0.11",
    "replay-0.9",
    "replay",
    "rexmex",
    "rs_metrics-0.3",
    "rs_metrics-0.4",
    "rs_metrics",
    "sklearn",
    "torchmetrics",
    "trec_eval",
    "warprec",
    "xgboost",
]
DialectName = Literal[
    "duckdb",
    "postgres",
    "spark",
    "databricks",
    "snowflake",
    "bigquery",
    "redshift",
    "trino",
    "athena",
    "fabric",
    "clickhouse",
    "sqlite",
]
Interval = Literal["auto", "normal", "t", "wilson", "bootstrap", "bca", "always"]
IntervalOfDifferences = Literal["auto", "t", "normal", "bootstrap", "bca", "always"]
IntervalOfLimits = Literal["t", "always"]
Test = Literal["auto", "t", "wilcoxon", "sign", "mcnemar", "permutation", "randomization", "always"]
Correction = Literal["holm", "bonferroni", "bh", "tukey", "dunnett", "none"]
Alternative = Literal["two-sided", "greater", "less", "equivalent", "noninferior"]


class ReadingOptions(TypedDict, total=False):
    """Options for reading inputs, and rules: arguments of ``evaluate`` and other functions."""

    columns: Mapping[str, str | Sequence[str]] | None
    where: Mapping[str, str] | None
    metrics_path: str | os.PathLike[str] | None
    engine: Any
    settings: Mapping[str, Any] | None
    progress: bool
    convention: ConventionName
    population: Population | None
    order: Order | None
    ties: Ties | None
    duplicates: Duplicates | None
    null_scores: NullScores | None
    seen: Seen | None
    relevance_threshold: float | None
    undefined: Undefined | None
    order_by: str | None
    depth: int | None


class OtherInputs(ReadingOptions, total=False):
    """These options, and the inputs other than recs and truth."""

    history: Any
    catalog: Any
    items: Any
    users: Any
    logs: Any


class Lists(OtherInputs, total=False):
    """These options and inputs, with recs and truth."""

    recs: Any
    truth: Any


class Inputs(Lists, total=False):
    """These options, and all inputs."""

    baseline: Any


@dataclass(frozen=True)
class Option:
    """An option: its valid values, and its help on the command line.

    Attributes:
        name: The name in Python, and with dashes on the command line.
        help: A line of help.
        choices: The choices, with the default first; None selects nothing.
        type: The type of a value without choices.
        limits: The minimum and the maximum of a number. Without limits, a float is between 0 and 1.
        default: The default without choices.
        flag: A single-letter flag of the command line, as in trec_eval.
        metavar: The placeholder for a value in the help.
        rules: The internal names of choices, if they differ.
        switch: Whether the command line takes it without a value, and Python as True, for the first
            choice; False selects None.
    """

    name: str
    help: str
    choices: tuple[str | None, ...] = ()
    type: type[str] | type[int] | type[float] = str
    limits: tuple[float, float] | None = None
    default: Any = None
    flag: str = ""
    metavar: str | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    switch: bool = False

    def __post_init__(self) -> None:
        if self.choices:
            object.__setattr__(self, "default", self.choices[0])

    @property
    def named_choices(self) -> list[str]:
        """The choices other than None."""
        return [choice for choice in self.choices if choice is not None]

    def read(self, value: Any) -> Any:
        """Check a value; return it as a Python number, a string or None.

        Raises:
            InputError: The value is not valid.
        """
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
        if self.type is int:
            return self._read_integer(value)
        if self.type is float:
            return self._read_number(value) if self.limits else read_share(self.name, value)
        if value is None:
            return self.default
        if not isinstance(value, str):
            raise InputError(f"{self.name}={value!r}: give its name, as text")
        return value

    def _read_integer(self, value: Any) -> int:
        assert self.limits
        minimum, maximum = map(int, self.limits)
        is_whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not is_whole or not minimum <= value <= maximum:
            limits = {"least": minimum, "most": maximum}
            raise InputError(messages.WHOLE.format(option=self.name, value=value, **limits))
        return int(value)

    def _read_number(self, value: Any) -> float:
        assert self.limits
        minimum, maximum = self.limits
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        number = (int if isinstance(value, Integral) else float)(value) if is_number else math.nan
        if not minimum <= number <= maximum:
            raise InputError(messages.NUMBER.format(option=self.name, value=value, most=maximum))
        return number


RULES = (
    Option("population", "the users to average over", get_args(Population)),
    Option(
        "order",
        "which of the two orders a list that has both; by default they must agree",
        (None, *get_args(Order)),
    ),
    Option(
        "ties",
        "which of two items with equal scores comes first, also by relevance; or the expected"
        " value over all orders",
        get_args(Ties),
    ),
    Option(
        "duplicates",
        "an item twice in a list or truth is an error, or counts once: its best, first or last row",
        get_args(Duplicates),
    ),
    Option(
        "null_scores",
        "a score that is null or NaN is an error, comes last, or is left out",
        get_args(NullScores),
    ),
    Option(
        "seen",
        "items of the user's history stay in the lists, or leave them, and items below move up; "
        "self: so does the item whose id is the user's",
        get_args(Seen),
    ),
    Option(
        "relevance_threshold",
        "the smallest relevance of a relevant item; by default any above 0",
        type=float,
        limits=(float("-inf"), LARGEST_RELEVANCE),
        flag="-l",
        metavar="R",
    ),
    Option(
        "undefined",
        "a user for whom a metric is not defined, as recall without a relevant item, is left out "
        "of its mean, or counts 0 or 1",
        tuple(map(str, get_args(Undefined))),
        rules={"skip": "omit", "0": "zero", "1": "one"},
    ),
)

DEPTH = Option(
    "depth",
    "cut lists at place N, without counting rows that the rules leave out; by default nowhere",
    type=int,
    limits=(1, 1_000_000),
    flag="-M",
    metavar="N",
)

ORDER_BY = Option(
    "order_by",
    "a column that orders rows, for rules that depend on their order; by default the order of "
    "the input, which only DuckDB knows",
    metavar="COLUMN",
)

CONVENTION = Option(
    "convention",
    "compute metrics as sqlrec does, or as a library that `sqlrec conventions` lists; the "
    "rules below override it",
    default="sqlrec",
)

GROUPINGS = Option(
    "groupings",
    "together: one segment for each combination of the --by columns; each: also for each column "
    "alone, and all users",
    get_args(Groupings),
)

BATCHES = Option(
    "batches",
    "evaluate users in N batches, one after the other; by default in as many as memory takes",
    type=int,
    limits=(1, 10_000),
    metavar="N",
)

LEVEL = Option("level", "the confidence level; default 0.95", type=float, default=0.95)
MAX_REPLICATES = 100_000
REPLICATES = Option(
    "replicates",
    "the number of bootstrap samples; default 1000",
    type=int,
    limits=(100, MAX_REPLICATES),
    default=1000,
    metavar="N",
)
CLUSTER = Option(
    "cluster",
    "a column of users that names groups, such as households: groups are then independent, not "
    "the users in them",
    metavar="COLUMN",
)

USER_WEIGHTS = Option(
    "weights",
    "a column of users, or else of truth, with what each user counts as in means, such as traffic",
    metavar="COLUMN",
)

ADJUST = Option(
    "adjust",
    "adjust means to the mix of all users, by columns of users, as in 'country activity'",
    default=(),
    metavar="COLUMNS",
)

# Methods of intervals: by the standard error, for shares, or by bootstrap.
INTERVAL = Option(
    "interval",
    "the method of the confidence intervals",
    (*get_args(Interval), None),
    switch=True,
)
INTERVAL_OF_DIFFERENCES = replace(INTERVAL, choices=get_args(IntervalOfDifferences))
INTERVAL_OF_LIMITS = replace(
    INTERVAL,
    help="the method of the limit: t for a single check, always for a check that you repeat as "
    "users come in",
    choices=get_args(IntervalOfLimits),
)

TEST = Option("test", "the significance test", get_args(Test))
CORRECTION = Option("correction", "the correction for multiple tests", get_args(Correction))

ALTERNATIVE = Option(
    "alternative",
    "the alternative hypothesis: a difference, a greater or smaller value, equality within a "
    "margin, or a value that is not worse by a margin",
    get_args(Alternative),
)

# Options of each function.
OF_EVALUATE = (
    *(GROUPINGS, BATCHES, CONVENTION, *RULES, ORDER_BY, DEPTH),
    *(INTERVAL, LEVEL, REPLICATES, CLUSTER, ADJUST, USER_WEIGHTS),
)
OF_COMPARE = (
    *(INTERVAL_OF_DIFFERENCES, LEVEL, TEST, CORRECTION, ALTERNATIVE),
    *(REPLICATES, CLUSTER, ADJUST, USER_WEIGHTS, GROUPINGS),
)


def check_choice(name: str, value: Any, choices: Sequence[str | None]) -> None:
    """Check an option with a few choices.

    Raises:
        InputError: The value is not a choice.
    """
    if not isinstance(value, str | None) or value not in choices:
        close = nearest(str(value), filter(None, choices))
        raise InputError(messages.CHOICE.format(option=name, value=value, nearest=close))


def check_flag(name: str, value: Any) -> None:
    """Check an option that is on or off.

    InputError: The value is neither True nor False.
        InputError: It is neither.
    """
    if not isinstance(value, bool):
        raise InputError(f"{name}={value!r}: it is True or False")


def read_share(name: str, share: Any) -> float:
    """Parse a probability between 0 and 1.

    Raises:
        InputError: The value is not such a number.
    """
    # Values next to 1 have infinite quantiles.
    if isinstance(share, bool) or not isinstance(share, Real) or not 0 < float(share) < 1 - 1e-15:
        raise InputError(f"{name}={share!r}: it is above 0 and below 1, such as 0.95")
    return float(share)
