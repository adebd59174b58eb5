# Made by docs/update.py from the methods of sqlrec.Dataset.
from collections.abc import Callable, Iterable, Mapping, Sequence
from .errors import InputError
from .options import OBJECTS, Alternative, Arguments, ConventionName, Correction, DialectName, Estimator, Inputs, Interval, IntervalName, IntervalOfDifferences, IntervalOfLimits, Rules, Segments, Settings, Test, changed_options, group_options, public_methods, refuse_unknown_arguments, unknown_argument
from .analyses.check import Check
from .analyses.compare import Comparison
from .analyses.explain import Explanation
from .analyses.plot import PlotName
from .evaluation import Form
from .plots.plot import Plot
from .reports.report import Report
from .results.result import Result
from .results.table import Table
from .run.job import Call
from .options import ComparisonInputs, OtherInputs, ReportInputs
from typing import Any, Literal, Unpack

def check(
    metrics: str | Iterable[str],
    recs: Any = None,
    truth: Any = None,
    *,
    k: int | str | Iterable[int | str] | None = None,
    against: Any = None,
    by: str | Iterable[str] | Segments = (),
    rules: ConventionName | Rules = 'sqlrec',
    interval: IntervalOfLimits | Literal[True] | Interval = 't',
    **inputs: Unpack[Inputs],
) -> Check:
    """Check that metrics are within limits, and not worse than a stored result."""

def compare(
    metrics: str | Iterable[str],
    recs: Any = None,
    truth: Any = None,
    *,
    k: int | str | Iterable[int | str] | None = None,
    baseline: str | None = None,
    by: str | Iterable[str] | Segments = (),
    rules: ConventionName | Rules = 'sqlrec',
    interval: IntervalOfDifferences | Literal[True] | Interval = 'auto',
    test: Test = 'auto',
    correction: Correction = 'holm',
    alternative: Alternative = 'two-sided',
    margin: Mapping[str, float | str] | float | str | None = None,
    weights: str | None = None,
    **inputs: Unpack[ComparisonInputs],
) -> Comparison:
    """Compare models with a baseline, user by user."""

def evaluate(
    metrics: str | Iterable[str],
    recs: Any = None,
    truth: Any = None,
    *,
    k: int | str | Iterable[int | str] | None = None,
    by: str | Iterable[str] | Segments = (),
    rules: ConventionName | Rules = 'sqlrec',
    interval: IntervalName | bool | Interval | None = 'auto',
    weights: str | None = None,
    summaries: str | Iterable[str] = (),
    batches: int | None = None,
    **inputs: Unpack[Inputs],
) -> Result:
    """Evaluate recommendations against the users' relevant items."""

def explain(
    metrics: str | Iterable[str],
    recs: Any = None,
    truth: Any = None,
    *,
    k: int | str | Iterable[int | str] | None = None,
    conventions: ConventionName | Iterable[ConventionName] | None = None,
    value: float | str | None = None,
    like: ConventionName | Iterable[ConventionName] | None = None,
    full: bool = False,
    rules: ConventionName | Rules = 'sqlrec',
    **inputs: Unpack[Inputs],
) -> Explanation:
    """Compute metrics by the definition of each library, and explain the differences."""

def plot(
    name: PlotName,
    metrics: str | Iterable[str] = (),
    recs: Any = None,
    truth: Any = None,
    *,
    results: Any = None,
    baseline: str | None = None,
    k: int | str | Iterable[int | str] | None = None,
    by: str | Iterable[str] | Segments = (),
    rules: ConventionName | Rules = 'sqlrec',
    interval: IntervalName | Interval = 'auto',
    value: float | str | None = None,
    **inputs: Unpack[OtherInputs],
) -> Plot:
    """Return a plot."""

def power(
    metrics: str | Iterable[str] = (),
    recs: Any = None,
    truth: Any = None,
    *,
    results: Any = None,
    difference: Mapping[str, float | str] | float | str | None = None,
    sample_size: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    sides: Literal[1, 2] = 2,
    baseline: str | None = None,
    by: str | Iterable[str] | Segments = (),
    rules: ConventionName | Rules = 'sqlrec',
    cluster: str | None = None,
    **inputs: Unpack[OtherInputs],
) -> Table:
    """Estimate how many users a follow-up test needs, and which differences it can detect."""

def report(
    metrics: str | Iterable[str] = (),
    recs: Any = None,
    truth: Any = None,
    *,
    results: Any = None,
    comparison: Any = None,
    k: int | str | Iterable[int | str] | None = None,
    baseline: str | None = None,
    by: str | Iterable[str] | Segments = (),
    rules: ConventionName | Rules = 'sqlrec',
    level: float = 0.95,
    who_lost: bool | Literal['hashed'] = True,
    libraries: bool = False,
    command: str | None = None,
    **inputs: Unpack[ReportInputs],
) -> Report:
    """Make a report: which model is better, by how much, and for which users it is worse."""

def sql(
    metrics: str | Iterable[str],
    recs: Any = None,
    truth: Any = None,
    *,
    k: int | str | Iterable[int | str] | None = None,
    dialect: DialectName | None = None,
    form: Form = 'plain',
    per_user: bool = False,
    compare_with: str | None = None,
    interval: Literal['normal'] | bool | Interval | None = None,
    weights: str | None = None,
    by: str | Iterable[str] | Segments = (),
    rules: ConventionName | Rules = 'sqlrec',
    **inputs: Unpack[Inputs],
) -> str:
    """Return the SQL statement that computes the metrics, without running it."""

def unsampled(
    metrics: str | Iterable[str],
    recs: Any = None,
    truth: Any = None,
    *,
    catalog_size: int,
    candidates: int,
    k: int | str | Iterable[int | str] | None = None,
    estimator: Estimator = 'auto',
    gamma: float = 0.1,
    level: float = 0.95,
    by: str | Iterable[str] | Segments = (),
    rules: ConventionName | Rules = 'sqlrec',
    **inputs: Unpack[OtherInputs],
) -> Table:
    """Estimate metrics over the whole catalog from lists of sampled candidates."""
