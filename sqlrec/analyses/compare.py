"""Models beside one of them, user by user."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Unpack

from .. import messages
from ..catalogue.requests import spelled
from ..dialects import text
from ..display.layout import SIGNS
from ..errors import DataError, InputError, nearest
from ..evaluation import takes
from ..inputs.read import paths
from ..options import (
    ALTERNATIVE,
    CLUSTER,
    CONVENTION,
    CORRECTION,
    GROUPINGS,
    INTERVAL_OF_DIFFERENCES,
    LEVEL,
    MOST_REPLICATES,
    REPLICATES,
    TEST,
    USER_WEIGHTS,
    Alternative,
    Beside,
    Correction,
    Groupings,
    IntervalOfDifferences,
    Test,
)
from ..plan.plan import Plan
from ..results.evaluated import of_user_counts
from ..results.rows import Rows
from ..results.table import Table
from ..run.adjusted import ADJUSTED, adjust_difference, adjusted, read_adjust
from ..run.bootstrap import labels, resampled
from ..run.intervals import (
    UNITS,
    blocked,
    clustered,
    drawn,
    flipped,
    ranges,
    sizes,
    skewnesses,
    with_terms,
)
from ..run.job import Job, key_of, open_inputs, prepare, read_metrics
from ..run.segments import columns_of, groups, refuse, together
from ..shown import warn
from ..statistics.all_models import as_large, dunnett, tukey
from ..statistics.formulas import (
    DRAWN,
    ENOUGH,
    FEW,
    bca,
    by_error,
    corrected,
    covariance,
    detectable,
    deviation,
    flips_needed,
    freedom_of,
    is_of_few,
    is_of_pairs,
    is_rounding,
    p_value,
    percentile,
    test_of,
)
from ..statistics.margins import WITHIN, effect, fieller, gained, of_one_side, p_by_margin
from .compared import TESTS, Done, of_comparison, of_models, of_ranks
from .margins import Margin, Name, read_margins
from .planned import planned
from .ranked import RANKED, RANKED_OVER, in_order, over_data_sets

if TYPE_CHECKING:
    from ..plots.bound import ComparisonPlots

# What sql/statistics/comparison.sql finds, after the segments.
COMPARED = (
    *("metric", "k", "asked", "users", "value", "baseline_value", "difference", "standard_error"),
    *("baseline_error", "covariance", "low", "high", "better", "wins", "ties", "losses"),
    *("signs", "signed_ranks", "signed_ranks_error", "violations"),
)

# Users without a list of the model and of the baseline, which the statement counts too.
_WITHOUT_LIST = ("without_list_length", "without_baseline_list_length")

_KEPT = ("metric", "k", "asked", "users")

# What its named queries call columns, and what is added to them, so that no segment may.
_INSIDE = (
    *("user_value", "user_baseline_value", "user_difference", "sum_users"),
    *("added_part", "added_whole", "added_parts", "added_wholes"),
    *("baseline_added_part", "baseline_added_whole"),
    *("baseline_added_parts", "baseline_added_wholes"),
    *("distance", "direction", "mean_difference", "mean_baseline", "size_rank", "more", "fewer"),
    *("user_models", "model_number", "models", "list_length", "baseline_list_length"),
)
_OF_ADJUSTED = ("unadjusted_difference", "gain")
_ADDED = (
    *("method", *UNITS, "relative_difference", "test", "p", "p_adjusted", "detectable"),
    *("relative_low", "relative_high", "effect_size", "effect_low", "effect_high"),
    *("win_share", "win_share_low", "win_share_high", "significant", "small"),
    *_OF_ADJUSTED,
)

# The columns of a comparison, after what they are of.
_FOUND = (
    *("method", "users", "value", "baseline_value", "difference", "relative_difference"),
    *("relative_low", "relative_high", "standard_error", "low", "high", "better"),
    *("wins", "ties", "losses", "test", "p", "p_adjusted", "detectable", "effect_size"),
    *("effect_low", "effect_high", "win_share", "win_share_low", "win_share_high"),
)

# The chance with which the least detectable difference is found.
POWER = 0.8

# A standard error is that of so many draws at most: more make it no better (Efron & Tibshirani
# 1993, An Introduction to the Bootstrap, 6.4).
DRAWS_OF_ERROR = 200

# Fewer users than this, or groups of them, are few.
SMALL = 30

# Columns of ranks that hold no numbers with a point.
_OF_RANKS = {"users": "int64", "blocks": "int64", "letters": "string"}

# Corrections for all models of a metric, of users with a value of every model.
OF_MODELS = ("tukey", "dunnett")

# Signs are turned more often than asked where that can show what is significant, up to this.
MOST_FLIPS = 10_000


@dataclass(frozen=True)
class How:
    """How models are compared: the options of ``compare`` by these names, checked."""

    interval: str
    level: float
    test: str
    correction: str
    replicates: int
    cluster: str | None
    alternative: str = "two-sided"
    margins: Mapping[Name, Margin] = field(default_factory=dict)
    adjust: Sequence[str] = ()
    weights: str | None = None

    @property
    def interval_level(self) -> float:
        """The level of intervals: of one-sided tests that whose ends are their limits."""
        return self.level if self.alternative == "two-sided" else 2 * self.level - 1


class Comparison(Table):
    """The differences between models and a baseline: a row per model, segment, metric and cutoff.

    Columns:

    - ``model``, the segments, ``metric``, ``k``; ``asked``, the metric as you wrote it.
    - ``method``: how the standard error is found. ``mean``: from the users' differences. ``delta``:
      linearised by user, for functions of sums over users, such as pooled errors. ``bootstrap``:
      from resampled users, for metrics of all lists together, such as coverage. Null: there is only
      the difference.
    - ``users``: how many users have a value of both models; with ``correction="tukey"`` or
      ``"dunnett"``, of every model; for metrics of all lists together, all users of the model. With
      ``cluster``, ``clusters`` is the number of groups and ``degrees_of_freedom`` that of t.
    - ``value`` and ``baseline_value``: the means over these users.
    - ``difference``: value minus baseline value; ``relative_difference``: the same divided by the
      absolute baseline value.
    - ``low``, ``high`` and ``standard_error``: the interval of the difference and its standard
      error.
    - ``relative_low`` and ``relative_high``: the interval of the relative difference, by Fieller.
    - ``better``: the direction of the metric: ``higher``, ``lower`` or ``neither``.
    - ``wins``, ``ties`` and ``losses``: for how many users the model is better than, equal to or
      worse than the baseline; null where the direction is neither.
    - ``test``: which test gave ``p``; null where there is none.
    - ``p``: the p value of the difference; ``p_adjusted``: corrected for the number of tests.
    - ``detectable``: the smallest true difference that this many users would show with a power of
      80 %.
    - ``effect_size``: Cohen's d for pairs, the mean difference divided by the standard deviation of
      the users' differences, with its interval ``effect_low`` and ``effect_high``.
    - ``win_share``: the share of users for whom the model is better, with its interval
      ``win_share_low`` and ``win_share_high``.

    A value that is not defined is null, such as the interval of a single user or of users whose
    differences are all equal, and the p value where no user's values differ.

    Attributes:
        user_counts: How many users each model's metrics count, as in a Result.
        done: How models were compared: the baseline and the options of ``compare``.
        call: The metrics, inputs and rules of the call, for plots that read the inputs again.
    """

    def __init__(
        self,
        sql: str,
        rows: Rows,
        user_counts: Table,
        done: Done,
        call: Mapping[str, Any],
    ) -> None:
        lay_out = partial(of_comparison, done=done)
        super().__init__(sql, lambda: rows, inputs=user_counts.inputs, lay_out=lay_out)
        self.user_counts = user_counts
        self.done = done
        self.call = call

    @property
    def plot(self) -> ComparisonPlots:
        """The plots of the comparison, as in ``comparison.plot.forest()``."""
        from ..plots.bound import ComparisonPlots

        return ComparisonPlots(self.rows(), self.call)

    def by_model(self) -> Table:
        """Return the same rows, shown as a table of models by metrics that includes the baseline.

        Each cell has the value and below it the difference from the baseline, with a mark where the
        difference is significant.

        Raises:
            InputError: The comparison has no baseline.
        """
        if self.done.baseline is None:
            raise InputError("by_model() and baseline=None: no model is the baseline; see ranks()")
        lay_out = partial(of_models, done=self.done)
        return Table(self.sql, self.rows, inputs=self.inputs, lay_out=lay_out)

    def ranks(self, over: str | None = None, *, level: float = 0.95) -> Table:
        """Rank the models: a row per model, segment and metric, the best first.

        Columns are ``users``, ``value``, ``rank`` (null where the direction is neither) and
        ``letters``: models that share a letter do not differ significantly by ``p_adjusted``.

        Args:
            over: A segment whose values are data sets. The models are then ranked within each data
                set that has values of all models; ``blocks`` is the number of these. Further
                columns are ``mean_rank``; ``friedman_p`` and ``iman_davenport_p``, p values for the
                hypothesis that all models perform equally; ``critical_difference``, by which two
                mean ranks differ significantly in Nemenyi's test; and ``letters`` by that test.
                Needs SciPy.
            level: The confidence level of the letters.

        Returns:
            A Table with a row per model, segment, metric and cutoff; with ``over``, without that
            segment.

        Raises:
            InputError: The models were compared with a single baseline, not in all pairs; or
                ``over`` is not a segment of the comparison.
        """
        level = LEVEL.read(level)
        table = Rows.of(self.rows())
        if self.done.baseline is not None or self.done.alternative != "two-sided":
            raise InputError(
                "ranks() needs every pair of models and any difference: compare without baseline "
                "and with alternative='two-sided'"
            )
        segments = table.column_names[1 : table.column_names.index("metric")]
        if over is not None and over not in segments:
            raise InputError(f"over={over!r} is not a segment: {nearest(str(over), segments)}")
        names: tuple[str, ...] = RANKED
        if over is None:
            rows = in_order(table.records, segments, level)
        else:
            segments = [name for name in segments if name != over]
            names, rows = RANKED_OVER, over_data_sets(table.records, segments, over, level)
        types = dict(table.select(["model", *segments, "metric", "k", "asked"]).schema)
        types |= dict.fromkeys(names, "float64")
        types |= {x: kind for x, kind in _OF_RANKS.items() if x in names}
        lay_out = None if over else partial(of_ranks, done=self.done, level=level)
        found = Rows(types, [{name: row[name] for name in types} for row in rows])
        return Table(self.sql, lambda: found, inputs=self.inputs, lay_out=lay_out)

    def power(self, difference: Any = None, **options: Any) -> Table:
        """Plan a next test from these differences.

        Args:
            difference: The true difference to detect, as in ``sqlrec.power``.
            **options: The ``sample_size``, ``power``, ``level`` and ``sides`` of ``sqlrec.power``;
                the level is by default that of the comparison.

        Returns:
            A Table with the columns of ``sqlrec.power``.

        Raises:
            InputError: As in ``sqlrec.power``.
        """
        planning = {"level": self.done.level, "sql": self.sql, "inputs": self.inputs, **options}
        without = self.done.without_list
        return planned(self.rows(), difference=difference, without_list=without, **planning)

    def worse(self, level: float = 0.95) -> Table:
        """Return where models are worse than the baseline, with the smallest p values first.

        These are the rows whose ``difference`` is below 0, or above 0 where ``better`` is
        ``lower``; rows whose direction is ``neither`` are left out. Two columns are added:
        ``significant``, whether ``p_adjusted`` is below 1 - level; and ``small``, whether there are
        fewer than 30 users (with ``cluster``, groups), which makes the interval unreliable.

        Args:
            level: The confidence level of ``significant``.

        Returns:
            A Table with the columns of the comparison and these two.

        Raises:
            InputError: The alternative is ``equivalent`` or ``noninferior``, whose p says nothing
                about worse models.
        """
        level = LEVEL.read(level)
        if self.done.alternative in WITHIN:
            raise InputError(
                f"worse() and alternative={self.done.alternative!r}: p is no evidence of a worse "
                "model there; compare with alternative='two-sided'"
            )
        table = Rows.of(self.rows())
        rows = [
            {**row} for row in table.records if (row["difference"] or 0) * SIGNS[row["better"]] < 0
        ]
        for row in rows:
            adjusted = row["p_adjusted"]
            row["significant"] = adjusted is not None and adjusted < 1 - level
            row["small"] = (row.get("clusters") or row["users"]) < SMALL
        rows.sort(
            key=lambda row: (row["p_adjusted"] is None, row["p_adjusted"], -abs(row["difference"]))
        )
        types = dict(table.schema) | dict.fromkeys(("significant", "small"), "bool")
        return Table(
            self.sql,
            lambda: Rows(types, rows),
            inputs=self.inputs,
            lay_out=partial(of_comparison, done=replace(self.done, level=level), grouped=False),
        )


@takes(Beside)
def compare(
    metrics: str | Iterable[str],
    *,
    k: int | str | Iterable[int | str] | None = None,
    recs: Any,
    truth: Any = None,
    baseline: str | None = None,
    interval: IntervalOfDifferences | Literal[True] = "auto",
    level: float = 0.95,
    test: Test = "auto",
    correction: Correction = "holm",
    alternative: Alternative = "two-sided",
    margin: Mapping[str, float | str] | float | str | None = None,
    replicates: int = 1000,
    cluster: str | None = None,
    adjust: str | Iterable[str] = (),
    weights: str | None = None,
    by: str | Iterable[str] = (),
    groupings: Groupings = "together",
    **options: Unpack[Beside],
) -> Comparison:
    """Compare models with a baseline, user by user.

    The values of two models are paired by user, which makes differences more precise than those of
    two separate means. Only users with a value of both models count.

    Args:
        metrics: The metrics to compare, as in ``evaluate``. The column ``method`` says how each is
            compared.
        k: The default cutoff, as in ``evaluate``.
        recs: The lists of two or more models: a dict of tables, or a table with a column ``model``.
        truth: The relevance judgments, as in ``evaluate``.
        baseline: The model that the others are compared with. None (default) compares every pair of
            models: a column ``baseline`` then names the other model, and ``ranks()`` ranks the
            models.
        interval: The interval of the mean difference: ``t``, ``normal``, ``bootstrap``, ``bca``, or
            ``always``, which stays valid however often you look while users come in. By default,
            ``auto``: ``always`` with ``test="always"``, else ``t``.
        level: The confidence level of the intervals.
        test: The test that gives ``p``: ``t``, Student's paired t test; ``wilcoxon``, the
            signed-rank test; ``sign``, the sign test, exact; ``mcnemar``, its mid-p, which on 0/1
            values is McNemar's mid-p test; ``permutation``, the paired permutation test of all
            signs of differences, mid-p; ``randomization``, the same of signs at random; or
            ``always``, the test of the intervals that stay valid however often you look. By
            default, ``auto``: ``always`` with ``interval="always"``; for fewer than 100 users
            ``permutation``, or ``mcnemar`` for 0/1 values (``sign`` if all users differ); else
            ``t``; with ``cluster``, ``adjust``, ``tukey`` or ``dunnett``, ``t``. With a margin
            ``score`` for 0/1 values, the score test of a difference or a ratio for pairs, else
            ``t``.
        correction: The correction for multiple tests. ``holm``, ``bonferroni``, ``bh`` or ``none``
            apply to all models, metrics and segments of the call. ``tukey`` is for all pairs of
            models, and ``dunnett`` for all models against the baseline, both for each metric and
            segment by itself and over the users with a value of every model. With
            ``test="randomization"``, ``tukey`` permutes per-user values between models, as in
            Carterette 2012.
        alternative: The alternative hypothesis: ``two-sided``, a difference; ``greater``, a
            difference above the margin, or above 0 without a margin; ``less``, a difference below
            -margin; ``equivalent``, a difference within the margin on both sides, by two one-sided
            tests; ``noninferior``, a model that is not worse by the margin. All but the first go
            with ``test="auto"`` or ``"t"``, and their interval has the level 2 * level - 1, so 90 %
            by default: its ends are the limits of the one-sided tests by t.
        margin: The margin of these alternatives: a number, or ``"1%"`` of the baseline's mean,
            whose own uncertainty is then taken into account; or either by metric, ``{"ndcg@10":
            0.005}``.
        replicates: How often to resample users, or to flip signs; 1,000 by default. Both use hashes
            of user ids, so the same call gives the same values. With ``test="randomization"``,
            where so few flips could not reach significance after the correction, their number is
            raised as needed up to 10,000; a warning tells you if that is not enough.
        cluster: A column that names groups of users, as in ``evaluate``. The interval and
            ``test="t"`` then treat groups as independent, not users.
        adjust: Columns of users that values and differences are adjusted by, to the mix of all
            users in that table, as in ``evaluate``; with ``test="t"`` and the interval ``t`` or
            ``normal``. Adds the columns ``degrees_of_freedom``, ``unadjusted_difference`` and
            ``gain``, the share of the variance that the adjustment removes.
        weights: A column with what each user counts as, as in ``evaluate``: differences are those
            of the weighted means, user by user, linearised. With ``test="t"`` or ``"always"``;
            wins, ties and losses are counts of users.
        by, groupings: Columns of segments, as in ``evaluate``.
        **options: The other inputs and rules of ``evaluate``.

    Returns:
        A Comparison: a table with a row per model, segment, metric and cutoff.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> users = ["ann", "bob", "cyd"]
        >>> als = pa.table({"user_id": users, "item_id": [["a", "b"], ["b", "a"], ["c", "d"]]})
        >>> pop = pa.table({"user_id": users, "item_id": [["b", "a"], ["a", "b"], ["c", "d"]]})
        >>> truth = pa.table({"user_id": users, "item_id": ["a", "a", "d"]})
        >>> models = {"als": als, "pop": pop}
        >>> found = sqlrec.compare("mrr@2", recs=models, truth=truth, baseline="pop")
        >>> found.to_arrow().select(["model", "wins", "ties", "losses"]).to_pylist()
        [{'model': 'als', 'wins': 1, 'ties': 1, 'losses': 1}]

    Raises:
        MetricError, DataError: As in ``evaluate``.
        InputError: As in ``evaluate``; also if there is only one model, or if ``baseline`` is not
            one of the models.
    """
    each = GROUPINGS.read(groupings) == "each"
    how = How(
        interval=INTERVAL_OF_DIFFERENCES.read(interval),
        level=LEVEL.read(level),
        test=TEST.read(test),
        correction=CORRECTION.read(correction),
        replicates=REPLICATES.read(replicates),
        cluster=None if CLUSTER.read(cluster) == "user_id" else cluster,
        alternative=ALTERNATIVE.read(alternative),
        weights=USER_WEIGHTS.read(weights),
    )
    how = _settle(how, adjust)
    _check_asked(recs, baseline, how, margin)
    given = open_inputs({**options, "recs": recs, "truth": truth})
    segments = columns_of(by)
    wanted = read_metrics(metrics, given | {"by": segments}, k)
    asked = groups(by) if each else {"": segments}
    found = dict[str, list[dict[str, Any]]]()
    jobs, sums, statements = dict[str, Job](), dict[str, Job](), list[str]()
    rivals = [] if baseline is None else [baseline]
    for name, columns in asked.items():
        job, units, rivals = _jobs(wanted, how, baseline, rivals, columns, given)
        how = replace(how, margins=_margins(margin, job, options))
        jobs[name], sums[name] = job, _of_sums(job)
        written, found[name] = _of_grouping(job, sums[name], units, baseline, rivals, how)
        statements += written
    rows = [row for those in found.values() for row in those]
    _add_tests(rows, found, sums, baseline, how)
    tables = {name: _table(rows, asked[name], baseline, how) for name, rows in found.items()}
    whole = tables[""] if "" in tables else together(tables, segments)
    sql = "\n".join(statements)
    counted = partial(_user_counts, jobs, segments)
    counts = Table(sql, counted, inputs=paths(given["given"]), lay_out=of_user_counts)
    done = _done(rows, baseline, how, margin)
    call = {"metrics": job.asked, "baseline": baseline, "by": segments, **given}
    return Comparison(sql, whole, counts, done, call)


def _done(rows: Sequence[Mapping[str, Any]], baseline: str | None, how: How, margin: Any) -> Done:
    """Return how models were compared, for the layout of the differences."""
    return Done(
        baseline,
        how.interval,
        how.level,
        how.test,
        how.correction,
        how.cluster,
        tests=sum(row["p"] is not None for row in rows),
        alternative=how.alternative,
        margin=margin,
        adjust=how.adjust,
        used=[test for test in TESTS if any(row["test"] == test for row in rows)],
        weights=how.weights,
        without_list=_without_list(rows),
    )


def _without_list(rows: Iterable[Mapping[str, Any]]) -> dict[Any, int]:
    """Return for each model, the baseline included, how many users have no list at most."""
    found: dict[Any, int] = {}
    for row in rows:
        sides = ((row["baseline"], _WITHOUT_LIST[1]), (row["model"], _WITHOUT_LIST[0]))
        for model, name in sides:
            found[model] = max(found.get(model, 0), row.get(name) or 0)
    return found


def _settle(how: How, adjust: str | Iterable[str]) -> How:
    """Choose the interval and the test that go together, and read the columns to adjust by.

    Raises:
        InputError: They are not names; another option does not go with them.
    """
    only_t = adjust or how.correction in OF_MODELS
    if how.interval == "auto":
        how = replace(how, interval="always" if how.test == "always" else "t")
    two_sided = how.alternative == "two-sided"
    if how.test == "auto" and how.interval == "always" and two_sided and not only_t:
        how = replace(how, test="always")
    if how.test == "auto" and (only_t or how.cluster or how.weights):
        how = replace(how, test="t")
    others = {
        "interval": (how.interval, ADJUSTED),
        "test": (how.test, ("t",)),
        "correction": (how.correction, ("holm", "bonferroni", "bh", "none")),
        "cluster": (how.cluster, (None,)),
        "weights": (how.weights, (None,)),
    }
    return replace(how, adjust=read_adjust(adjust, others))


def _add_tests(
    rows: list[dict[str, Any]],
    found: Mapping[str, list[dict[str, Any]]],
    sums: Mapping[str, Job],
    baseline: str | None,
    how: How,
) -> None:
    """Add p values to the rows of every grouping, and correct them as one family."""
    if how.test == "randomization":
        how = replace(how, replicates=_flips(rows, how))
    for name, job in sums.items():
        _add_p(found[name], job, baseline, how)
        for row in found[name]:
            row["test"] = None if row["p"] is None else row["test"]
        if how.correction in OF_MODELS:
            _add_of_models(found[name], job, how)
        job.inputs.engine.rest()
    if how.correction not in OF_MODELS:
        adjusted = corrected(how.correction, [row["p"] for row in rows])
        for row, p in zip(rows, adjusted, strict=True):
            row["p_adjusted"] = p


def _jobs(
    metrics: Any,
    how: How,
    baseline: str | None,
    rivals: list[str],
    by: str | Iterable[str],
    options: Mapping[str, Any],
) -> tuple[Job, Job, list[str]]:
    """Prepare a comparison by some segments, and the same by clusters too where there are some.

    The rivals, with which models are compared, are looked for where they are not known yet.
    """
    job = _job(metrics, how, by=by, **options)
    rivals = rivals or _models(job)
    if baseline is None:
        pairs = [text(model, job.inputs.engine.dialect) for model in rivals]
        job = replace(job, plan=replace(job.plan, pairs=pairs))
    if how.cluster is None and not how.adjust:
        return job, job, rivals
    beside: Any = {"cluster": how.cluster, "adjust": how.adjust}
    units = _job(metrics, how, by=job.segments, **beside, **options)
    return job, replace(units, plan=replace(units.plan, pairs=job.plan.pairs)), rivals


def _of_grouping(
    job: Job, sums: Job, units: Job, baseline: str | None, rivals: list[str], how: How
) -> tuple[list[str], list[dict[str, Any]]]:
    """Compare by one grouping; return the statements and all rows in order, without p values."""
    units = sums if units is job else _of_sums(units)
    statement, of_sums = _compared(sums, units, baseline, how)
    second, of_lists = _of_lists(job, baseline, rivals, how)
    rows = sorted([*of_sums, *of_lists], key=lambda row: rivals.index(row["baseline"]))
    return [one for one in (statement, second) if one], job.sorted(rows)


def _user_counts(jobs: Mapping[str, Job], segments: Sequence[str]) -> Rows:
    """Return who was counted, by each grouping."""
    counted = {}
    for name, job in jobs.items():
        with job.resting():
            counted[name] = job.user_counts(job.report()[1])
    return counted[""] if "" in counted else together(counted, segments)


def _margins(margin: Any, job: Job, options: Mapping[str, Any]) -> dict[Name, Margin]:
    convention = CONVENTION.read(options.get("convention"))
    known = {spelled(one.label, one.k): one for one in job.asked}
    return read_margins(margin, known, convention, of_worse=False)


def _check_asked(recs: Any, baseline: Any, how: How, margin: Any) -> None:
    """Refuse what does not go together, before anything is read.

    Raises:
        InputError: Groups of users or one side with another test than t; a margin without an
            alternative, or the other way round; a baseline that is not a model.
    """
    by_t = how.test in ("auto", "t")
    if how.alternative != "two-sided" and (not by_t or how.correction in OF_MODELS):
        other = f"correction={how.correction!r}" if by_t else f"test={how.test!r}"
        raise InputError(
            f"alternative={how.alternative!r} and {other}: one-sided tests are by t; leave it out"
        )
    if how.alternative != "two-sided" and how.level <= 0.5:
        raise InputError(
            f"level={how.level!r}: one-sided tests need a level above 0.5, such as 0.95"
        )
    if how.alternative in WITHIN and margin is None:
        raise InputError(
            f"alternative={how.alternative!r} and margin=None: give the margin, as in 0.01 or '1%'"
        )
    if how.alternative == "two-sided" and margin is not None:
        raise InputError(
            f"margin={margin!r} and alternative='two-sided': a margin needs another alternative; "
            "give 'noninferior', 'equivalent', 'greater' or 'less'"
        )
    if how.cluster is not None and how.test not in ("t", "always"):
        raise InputError(
            f"cluster={how.cluster!r} and test={how.test!r}: users in groups have test='t', or "
            "'always'"
        )
    if how.weights is not None and (how.test not in ("t", "always") or how.correction in OF_MODELS):
        by_t = how.test in ("t", "always")
        other = f"correction={how.correction!r}" if by_t else f"test={how.test!r}"
        raise InputError(
            f"weights={how.weights!r} and {other}: users who count differently have test='t' or "
            "'always', and the correction 'holm', 'bonferroni', 'bh' or 'none'"
        )
    if baseline is None:
        if how.correction == "dunnett":
            raise InputError(
                "correction='dunnett' and baseline=None: it is of one baseline; name it, or give "
                "correction='tukey' for every pair"
            )
        return
    if not isinstance(baseline, str) or not baseline:
        raise InputError(
            f"baseline={baseline!r}: name the model to compare with, as in 'pop', or give None for "
            "every pair of models"
        )
    if isinstance(recs, Mapping) and baseline not in recs:
        close = nearest(baseline, recs)
        raise InputError(messages.NOT_A_MODEL.format(baseline=baseline, nearest=close))


def _models(job: Job) -> list[str]:
    """Return the names of all models, in their order."""
    sources = job.plan.recs
    if all(source.model is not None for source in sources):
        return [str(source.model) for source in sources]
    (source,) = sources
    models = f"select distinct {source.columns['model']} as model from {source.relation}"
    return sorted({row["model"] for row in job.rows(models, ("model",)).records} - {None})


def _job(metrics: Any, how: How, *, cluster: str | None = None, **options: Any) -> Job:
    """Prepare a comparison; Tukey's is of users with a value of every model."""
    job = prepare(metrics, cluster=cluster, weights=how.weights, **options)
    if cluster is None:
        _check(job)
    return replace(job, plan=replace(job.plan, complete=how.correction in OF_MODELS))


def _of_sums(job: Job) -> Job:
    """Keep the metrics that are means over users, or made such as functions of their sums."""
    plan, kept = job.plan, job.means | job.linear
    if any(metric.label not in kept for metric, _ in plan.metrics()):
        plan = plan.of_metrics(kept)
    if job.linear:
        plan = plan.each(with_terms)
    return replace(job, plan=plan)


def _of_lists(
    job: Job, baseline: str | None, rivals: list[str], how: How
) -> tuple[str, list[dict[str, Any]]]:
    """Compare what is of all users' lists together, by users drawn again for all models.

    With groups of users, and for what reads more than can be drawn, the difference stands alone.
    """
    others = {one.label for one in job.asked} - job.means - job.linear
    if not others:
        return "", []
    drawable = labels(job) & others if how.cluster is None else set()
    draws = resampled(job, drawable, min(how.replicates, DRAWS_OF_ERROR))
    statement, found = replace(job, plan=job.plan.of_metrics(others)).report()
    values = {key_of(row, job.segments): row["value"] for row in found.records}
    better = {metric.label: metric.better for metric, _ in job.plan.metrics()}
    rows = []
    pairs = (
        (record, against)
        for record in found.records
        for against in (rivals if baseline else rivals[: rivals.index(record["model"])])
    )
    for record, against in pairs:
        key = key_of(record, job.segments)
        other = key_of(record | {"model": against}, job.segments)
        value, base = record["value"], values.get(other)
        if record["model"] == against or value is None or base is None:
            continue
        ours, theirs = draws.get(key, {}), draws.get(other, {})
        off = [ours[draw] - theirs[draw] for draw in ours if draw in theirs]
        error = deviation(off) if len(off) > 1 else None
        row = dict.fromkeys((*COMPARED, *_ADDED)) | {"baseline": against}
        row |= {name: record[name] for name in ("model", *job.segments, *_KEPT)}
        row |= {"value": value, "baseline_value": base, "difference": value - base}
        always = how.interval == "always"
        units = row["users"] if always else len(off)
        row |= {"better": better[record["metric"]], "standard_error": error, "units": units}
        row["method"] = None if error is None else "bootstrap"
        if error is not None:
            bases = [theirs[draw] for draw in ours if draw in theirs]
            row["baseline_error"] = deviation(bases)
            row["covariance"] = covariance(off, bases)
        _add_limits(row, how if always else replace(how, interval="t"))
        counted = {"units": row["users"] if how.test == "always" else len(off), "ties": 0}
        row["test"] = test = _of_error(how)
        row["p"] = p_value(test, row | counted, level=how.level) if error else None
        rows.append(row)
    return statement, rows


def _compared(
    job: Job, units: Job, baseline: str | None, how: How
) -> tuple[str, list[dict[str, Any]]]:
    """Compare by one grouping; return the statement and its rows, without p values."""
    cluster = how.cluster
    model = None if baseline is None else text(baseline, job.inputs.engine.dialect)
    statement, rows = _differences(job, baseline)
    _warn_of_items(rows, job)
    errors = {} if cluster is None else clustered(units, cluster, baseline=model)
    means = adjusted(units, how.adjust, baseline=model) if how.adjust else {}
    draws, skewed = {}, {}
    if how.interval in DRAWN:
        draws = drawn(units, how.replicates, baseline=model, cluster=cluster)
    if how.interval == "bca":
        skewed = skewnesses(units, model, cluster)
    of_logs = {one.label for one in job.asked if one.reads("logs")}
    for row in rows:
        key = key_of(row, job.pair_segments)
        row["units"] = row["users"]
        off = None
        if row["standard_error"] is not None:
            off = row["standard_error"] * math.sqrt(row["users"])
        if cluster is not None:
            none = (0, None, None, None, None)
            row["units"], row["degrees_of_freedom"], error, *of_baseline = errors.get(key, none)
            row["baseline_error"], row["covariance"] = of_baseline
            size = abs(row["value"] or 0) + abs(row["baseline_value"] or 0)
            if error is not None and is_rounding(error, row["units"], size):
                error = 0.0
            row["clusters"], row["standard_error"] = row["units"], error
        row["method"] = "mean" if row["metric"] in job.means else "delta"
        if row["metric"] in of_logs:
            # Users have decisions, which make no value of a user.
            row |= dict.fromkeys(("wins", "ties", "losses"))
        row |= effect(how.level, row["difference"], off, row["users"])
        if how.adjust:
            adjust_difference(row, means.get(key))
        _add_limits(row, how, draws.get(key), skewed.get(key))
        row |= gained(how.level, row["wins"], row["users"])
        row["test"], row["p"] = _of_error(how), None
        if row["ties"] is None:
            row["p"] = p_value(row["test"], row | {"ties": 0}, level=how.level)
    return statement, rows


def _of_error(how: How) -> str:
    """Return the test of what has an error alone, and no per-user values."""
    return "always" if how.test == "always" else "t"


def _add_limits(
    row: dict[str, Any],
    how: How,
    draws: Sequence[float] | None = None,
    skewness: float | None = None,
) -> None:
    """Add the interval of a difference, by its error or draws, and what follows of the error."""
    error, level = row["standard_error"], how.interval_level
    difference: Any = row["difference"]
    row["low"] = row["high"] = None
    if error and draws is not None:
        row["low"], row["high"] = (
            percentile(level, draws)
            if skewness is None
            else bca(level, draws, difference, row["units"], skewness)
        )
    elif error:
        row["low"], row["high"] = by_error(
            how.interval, level, difference, row["units"], error, freedom_of(row)
        )
    base = row["baseline_value"]
    # By the baseline's size, so that what is higher is above 0, also beside a mean below 0.
    row["relative_difference"] = None if not base or difference is None else difference / abs(base)
    row["relative_low"], row["relative_high"] = fieller(
        "t" if how.interval in DRAWN else how.interval, level, row
    )
    row["detectable"] = detectable(how.level, POWER, row["units"], error)


def _differences(job: Job, baseline: str | None) -> tuple[str, list[dict[str, Any]]]:
    """Run the statement that compares; return it and its rows, with those that have no user.

    Where users count who have a value of every model, a row may have none.
    """
    if not job.of_users:
        return "", []
    model = None if baseline is None else text(baseline, job.inputs.engine.dialect)

    def run(plan: Plan) -> tuple[str, list[dict[str, Any]]]:
        statement = job.render("comparison", plan, baseline_model=model)
        columns = (*COMPARED[:-1], *_WITHOUT_LIST, "violations")
        rows = job.records(statement, ("model", *job.pair_segments, *columns))
        for row in rows:
            row.setdefault("baseline", baseline)
            if row["violations"] and row["metric"]:
                raise DataError(job.violation(job.part(row)))
        return statement, rows

    job = replace(job, plan=job.plan.each(lambda one: replace(one, lengths=True)))
    statement, rows = run(job.plan)
    complete = job.plan.complete
    pairs = run(replace(job.plan, complete=False))[1] if complete else rows
    _check_alone(pairs, baseline)
    rows = [row for row in rows if row["metric"]]
    if complete:
        there = {key_of(row, job.pair_segments) for row in rows}
        kept = ("model", "baseline", *job.segments, "metric", "k", "asked", "better")
        nobody = dict.fromkeys((*COMPARED, *_WITHOUT_LIST)) | {"users": 0, "ties": 0}
        for row in pairs:
            if key_of(row, job.pair_segments) not in there:
                rows.append(nobody | {name: row[name] for name in kept})
    return statement, job.sorted(rows)


def _warn_of_items(rows: list[dict[str, Any]], job: Job) -> None:
    """Warn of models without hits none of whose lists has an item of truth."""
    of_truth = {(one.label, one.k) for one in job.asked if one.reads("truth")}
    hits: dict[str, bool] = {}
    for row in rows:
        if (row["metric"], row["k"]) in of_truth:
            for model, name in ((row["baseline"], "baseline_value"), (row["model"], "value")):
                hits[model] = hits.get(model, False) or bool(row[name])
    for model in (model for model, found in hits.items() if not found):
        for message in job.without_items(model):
            warn(message)


def _flips(rows: Sequence[Mapping[str, Any]], how: How) -> int:
    """Return how often signs are turned, so that the correction leaves something to be found."""
    count = sum(row["users"] > row["ties"] for row in rows if row["ties"] is not None)
    needed = flips_needed(how.correction, count, how.level)
    made = max(how.replicates, min(needed, MOST_FLIPS))
    if needed > made:
        warn(
            f"test='randomization': after replicates={made} p is {1 / (made + 1):.2g} or more, "
            f"which correction={how.correction!r} for {count} rows makes "
            f"{min(1, count / (made + 1)):.2g}, so that none can be significant; give "
            f"{f'replicates={needed}, or ' if needed <= MOST_REPLICATES else ''}test='t'"
        )
    return made


def _add_p(rows: Sequence[dict[str, Any]], job: Job, baseline: str | None, how: How) -> None:
    two_sided = how.alternative == "two-sided"
    for row in rows:
        if not two_sided:
            _add_p_by_margin(row, job, how)
        elif row["ties"] is not None:
            row["test"] = test_of(row) if how.test == "auto" else how.test
    # What is of all lists together has its own.
    rows = [row for row in rows if row["ties"] is not None and (two_sided or _is_of_signs(row))]
    model = None if baseline is None else text(baseline, job.inputs.engine.dialect)
    flips = {}
    if how.test == "randomization":
        flips = flipped(job, how.replicates, baseline=model)
    few = {key_of(row, job.pair_segments) for row in rows if _has_all_signs(row)}
    turned = sizes(job, model, ENOUGH - 1) if few else {}
    for row in rows:
        key = key_of(row, job.pair_segments)
        known = turned[key] if key in few else None
        row["p"] = p_value(row["test"], row, flips.get(key, ()), known, level=how.level)
        if not two_sided:
            row["p"] = of_one_side(row["p"], row["difference"], how.alternative)


def _is_of_signs(row: Mapping[str, Any]) -> bool:
    return row["test"] in ("mcnemar", "sign", "permutation")


def _has_all_signs(row: Mapping[str, Any]) -> bool:
    """Say whether all signs of its differences are turned, for which their sizes are needed."""
    apart: int = row["users"] - row["ties"]
    if row["test"] == "permutation":
        return apart > 0 and is_of_few(row)
    return row["test"] == "wilcoxon" and 0 < apart <= FEW


def _add_p_by_margin(row: dict[str, Any], job: Job, how: How) -> None:
    """Add p of an alternative with a margin; without one that of few users is by signs, later."""
    row["p"] = None
    margin = _margin_of(row, how)
    if margin is None:
        return
    row["test"] = "t"
    if how.test == "auto" and row["ties"] is not None:
        if not margin.size and how.alternative not in WITHIN:
            row["test"] = test_of(row)
        elif margin.size and is_of_pairs(row):
            row["test"] = "score"
    if not _is_of_signs(row):
        row["p"] = p_by_margin(
            how.alternative,
            row,
            margin.size,
            relative=margin.relative,
            limit=1.0 if row["metric"] in job.shares else None,
            test=row["test"],
        )


def _margin_of(row: Mapping[str, Any], how: How) -> Margin | None:
    """Return the margin that a difference is compared with; one-sided without any against 0."""
    none = None if how.alternative in WITHIN else Margin(0.0, False, row["better"])
    return how.margins.get((row["metric"], row["k"]), none)


def _check(job: Job) -> None:
    """Refuse what can't be compared before the SQL runs.

    Raises:
        InputError: One model; a segment with a column's name.
    """
    models = [source.model for source in job.plan.recs]
    if "model" not in job.plan.list_keys or (len(models) == 1 and models[0]):
        raise InputError(messages.ONE_MODEL.format())
    refuse(job.segments, ("baseline", *COMPARED, *_INSIDE, *_ADDED))


def _check_alone(rows: list[dict[str, Any]], baseline: str | None) -> None:
    """Refuse models without a user in common with the baseline: they have a row without metric.

    Raises:
        InputError: There is one.
    """
    if baseline is None:
        if not rows:
            raise InputError(
                "recs: no user has values of two models; give lists for the same users"
            )
        return
    alone = sorted(row["model"] for row in rows if not row["metric"])
    if len(alone) == len(rows):
        others = f" ({', '.join(alone)})" if alone else ""
        raise InputError(
            f"baseline={baseline!r}: no user has a value of it and of another model{others}; are "
            "there two models, and is it one of them?"
        )
    for model in alone:
        raise InputError(
            f"recs[{model!r}]: no user has a value of it and of {baseline!r}; leave it out, or "
            "give lists for the same users"
        )


def _add_of_models(rows: list[dict[str, Any]], job: Job, how: How) -> None:
    """Correct p for all models of each metric and segment, who stand beside others by user."""
    blocks = blocked(job)
    models = {row[name] for row in rows for name in ("model", "baseline")}
    compared = len(models) * (len(models) - 1) / 2 if how.correction == "tukey" else len(models) - 1
    correct = tukey if how.correction == "tukey" else dunnett
    by_trial = how.test == "randomization" and how.correction == "tukey"
    spreads = ranges(job, how.replicates) if by_trial else {}
    for row in rows:
        if row["ties"] is None:
            # Bonferroni's correction for as many pairs of models.
            row["p_adjusted"] = None if row["p"] is None else min(1.0, compared * row["p"])
            continue
        key = key_of(row, job.segments)[1:]
        if by_trial:
            row["p_adjusted"] = None if row["p"] is None else as_large(row, spreads.get(key, ()))
            continue
        users, squares, means = blocks.get(key, (0, 0.0, {}))
        row["p_adjusted"] = correct(users, squares, means, row["model"], row["baseline"])


def _table(
    rows: list[dict[str, Any]], segments: Sequence[str], baseline: str | None, how: How
) -> Rows:
    kept = [*(["baseline"] if baseline is None else []), *_FOUND]
    if how.cluster is not None:
        at = kept.index("users") + 1
        kept[at:at] = UNITS
    if how.adjust:
        kept += ["degrees_of_freedom", *_OF_ADJUSTED]
    types = dict.fromkeys((*_FOUND, *_OF_ADJUSTED), "float64")
    types |= dict.fromkeys(
        ("model", "metric", "asked", "baseline", "better", "method", "test"), "string"
    )
    types |= dict.fromkeys(("k", "users", "clusters", "wins", "ties", "losses"), "int64")
    # The types of segments are those of their values.
    types |= {"degrees_of_freedom": "float64"} | dict.fromkeys(segments, "")
    names = ("model", *segments, "metric", "k", "asked", *kept)
    return Rows({x: types[x] for x in names}, [{x: row[x] for x in names} for row in rows])
