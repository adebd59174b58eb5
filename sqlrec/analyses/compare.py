"""Models beside one of them, user by user."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Unpack

from .. import messages
from ..catalogue.conventions import OWN
from ..catalogue.requests import spelled
from ..dialects import text
from ..errors import DataError, InputError, nearest
from ..evaluation import takes
from ..inputs.read import paths
from ..options import (
    ALTERNATIVE,
    CORRECTION,
    GROUPINGS,
    INTERVAL_OF_DIFFERENCES,
    LEVEL,
    MOST_REPLICATES,
    REPLICATES,
    TEST,
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
from ..run.bootstrap import labels
from ..run.intervals import (
    UNITS,
    blocked,
    clustered,
    drawn,
    drawn_whole,
    flipped,
    ranges,
    skewnesses,
    tied_ranks,
    with_terms,
)
from ..run.job import Job, Key, key_of, open_inputs, prepare, read_metrics
from ..run.segments import columns_of, groups, refuse, together
from ..shown import warn
from ..statistics.all_models import as_large, dunnett, tukey
from ..statistics.formulas import (
    CLUSTERED,
    DRAWN,
    FEW,
    bca,
    by_error,
    corrected,
    covariance,
    detectable,
    deviation,
    flips_needed,
    freedom_of,
    is_rounding,
    p_value,
    percentile,
    plain_ranks,
)
from ..statistics.margins import WITHIN, effect, fieller, gained, p_by_margin
from .compared import Done, of_comparison, of_models, of_ranks
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

_KEPT = ("metric", "k", "asked", "users")

# What its named queries call columns, and what is added to them, so that no segment may.
_INSIDE = (
    *("user_value", "user_baseline_value", "user_difference", "sum_users"),
    *("added_part", "added_whole", "added_parts", "added_wholes"),
    *("baseline_added_part", "baseline_added_whole"),
    *("baseline_added_parts", "baseline_added_wholes"),
    *("distance", "direction", "mean_difference", "mean_baseline", "size_rank", "more", "fewer"),
    *("user_models", "model_number", "models"),
)
_OF_ADJUSTED = ("unadjusted_difference", "gain")
_ADDED = (
    *("method", *UNITS, "relative_difference", "p", "p_adjusted", "detectable"),
    *("relative_low", "relative_high", "effect_size", "effect_low", "effect_high"),
    *("win_share", "win_share_low", "win_share_high", "significant", "small"),
    *_OF_ADJUSTED,
)

# The columns of a comparison, after what they are of.
_FOUND = (
    *("method", "users", "value", "baseline_value", "difference", "relative_difference"),
    *("relative_low", "relative_high", "standard_error", "low", "high", "better"),
    *("wins", "ties", "losses", "p", "p_adjusted", "detectable", "effect_size", "effect_low"),
    *("effect_high", "win_share", "win_share_low", "win_share_high"),
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

    @property
    def interval_level(self) -> float:
        """The level of intervals: of one-sided tests that whose ends are their limits."""
        return self.level if self.alternative == "two-sided" else 2 * self.level - 1


class Comparison(Table):
    """The differences of models to a baseline: a row per model, segment, metric and cutoff.

    Columns: ``model``; the segments; ``metric`` and ``k``; ``asked``, both as they were written;
    ``method``, how its error is found: ``mean`` of users' differences; ``delta``, of what is a
    function of sums over users, as pooled errors are, linearised by user; ``bootstrap``, of what is
    of all lists together, as coverage is, by users drawn again for both models; null where none of
    these can be, and the difference stands alone; ``users``, for whom both have a value, or with
    ``correction="tukey"`` every model (all users of the model, of all lists together); with
    ``cluster`` how many ``clusters`` they are in, and the ``degrees_of_freedom`` of t; ``value``
    and ``baseline_value``, the means over these users; ``difference``, and ``relative_difference``,
    by the absolute value of the baseline's, so that both have one sign; ``low`` and ``high``, the
    interval of the difference and ``standard_error`` its own; ``relative_low`` and
    ``relative_high``, that of the relative difference, by Fieller; ``better``, what a better model
    has of the metric: ``higher`` values, ``lower`` ones, or ``neither``; ``wins``, ``ties`` and
    ``losses`` of the model, counted by users, null where neither is better; ``p``, how likely such
    a difference is where models are alike, and ``p_adjusted``, that for all rows together;
    ``detectable``, the least true difference
    that this many users show with a chance of 80 %; ``effect_size``, Cohen's d of pairs, the
    difference by users' deviation from it, and ``win_share``, the share of users who gain, each
    with an interval, ``effect_low`` and ``effect_high``, ``win_share_low`` and ``win_share_high``.
    Null is what can't be told: an interval of one user or of users who all differ by the same, a p
    value where no user's values differ.

    Attributes:
        user_counts: Who was counted, as in a Result, for each model by itself.
        done: How it was made: the baseline, and the options of ``compare``.
        call: What was asked: metrics, inputs and rules, for plots that read the inputs again.
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
        """Its plots, as in ``comparison.plot.forest()``."""
        from ..plots.bound import ComparisonPlots

        return ComparisonPlots(self.rows(), self.call)

    def by_model(self) -> Table:
        """Return the same rows, looked at as models by metrics with the baseline among them.

        Below a value is its difference to the baseline's, and a mark where that is not chance.

        Raises:
            InputError: There is no baseline.
        """
        if self.done.baseline is None:
            raise InputError("by_model() and baseline=None: no model is the baseline; see ranks()")
        lay_out = partial(of_models, done=self.done)
        return Table(self.sql, self.rows, inputs=self.inputs, lay_out=lay_out)

    def ranks(self, over: str | None = None, *, level: float = 0.95) -> Table:
        """Return the models in order: a row per model, segment and metric, the best first.

        ``users``, ``value``, ``rank``, null where neither more nor less is better, and ``letters``:
        models that share a letter are not shown to differ, by ``p_adjusted`` below 1 - level.

        Args:
            over: A segment, the values of which are data sets. The models are then ranked in each
                of the ``blocks`` that has all: ``mean_rank``, ``friedman_p``, ``iman_davenport_p``,
                how likely such ranks are where models are alike, ``critical_difference``, by which
                mean ranks differ by Nemenyi's test, and ``letters`` by it. Needs SciPy.
            level: How sure letters are.

        Raises:
            InputError: Models were compared with one of them alone; a segment that there is not.
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
        """Return what a next test finds, and how many users it needs, as ``sqlrec.power`` tells."""
        planning = {"level": self.done.level, "sql": self.sql, "inputs": self.inputs, **options}
        return planned(self.rows(), difference=difference, **planning)

    def worse(self, level: float = 0.95) -> Table:
        """Return where models are worse than the baseline, the surest first.

        Rows with a difference below 0, or above it where ``better`` is ``lower``, and none where
        it is ``neither``; in the order of ``p_adjusted``, with two columns more:
        ``significant``, whether that is below 1 - level, and ``small``, whether there are fewer
        than 30 users, or clusters where there are some, whose interval is not to be trusted.
        """
        level = LEVEL.read(level)
        if self.done.alternative in WITHIN:
            raise InputError(
                f"worse() and alternative={self.done.alternative!r}: p is no evidence of a worse "
                "model there; compare with alternative='two-sided'"
            )
        signs = {"higher": 1, "lower": -1, "neither": 0}
        table = Rows.of(self.rows())
        rows = [
            {**row} for row in table.records if (row["difference"] or 0) * signs[row["better"]] < 0
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
    interval: IntervalOfDifferences | Literal[True] = "t",
    level: float = 0.95,
    test: Test = "t",
    correction: Correction = "holm",
    alternative: Alternative = "two-sided",
    margin: Mapping[str, float | str] | float | str | None = None,
    replicates: int = 1000,
    cluster: str | None = None,
    adjust: str | Iterable[str] = (),
    by: str | Iterable[str] = (),
    groupings: Groupings = "together",
    **options: Unpack[Beside],
) -> Comparison:
    """Compare models with one of them, user by user.

    Values of two models are paired by user, so that differences are more precise than two separate
    means. Users with a value of both models count.

    Args:
        metrics: As in ``evaluate``. The column ``method`` says how each is compared.
        k: As in ``evaluate``.
        recs: The lists of several models: a dict of tables, or a table with a column ``model``.
        truth: As in ``evaluate``.
        baseline: The model that the others are compared with; None for every pair of models, each
            with those before it: then a column ``baseline`` names the other, and ``ranks()`` puts
            the models in order.
        interval: The interval of the mean difference: ``t``, ``normal``, ``bootstrap``, ``bca``, or
            ``always``, which stays valid however often you look while users come in.
        level: The confidence level of these intervals.
        test: The test that gives ``p``: ``t``, Student's test for pairs; ``wilcoxon``, the signed
            rank test; ``sign``, users with more against those with less; ``randomization``, random
            signs; ``always``, by intervals that stay valid however often you look.
        correction: The correction for many tests: ``holm``, ``bonferroni``, ``bh`` or ``none``,
            over all models, metrics and segments of the call; or ``tukey``, over all pairs of
            models (with ``test="randomization"`` by per-user values dealt to models at random, as
            in Carterette 2012), or ``dunnett``, of all models with the baseline, for each metric
            and segment. These two compare only users with a value of every model.
        alternative: What ``p`` is evidence for: ``two-sided``, a difference; ``greater``, one above
            the margin, or above 0 without one; ``less``, one below -margin; ``equivalent``, that
            neither is better by the margin, by two one-sided tests; ``noninferior``, that the model
            is not worse by it. All but the first are by t, and have the interval of level 2 level -
            1, 90 % by default, whose ends are the limits of one-sided tests.
        margin: For these: a number, ``"1%"`` of the baseline's mean, which is then as uncertain as
            the difference, or either by metric, ``{"ndcg@10": 0.005}``.
        replicates: How often users are drawn, or signs turned. Both are hashes of user ids: always
            the same. Where so few turns could show nothing after a correction for many rows, there
            are as many as it takes, up to 10,000, and a warning beyond.
        cluster: A column that names groups of users, as in ``evaluate``: groups are then what is
            independent, for the interval and for ``test="t"``.
        adjust: Columns of users that values and differences are adjusted by, to the mix of all
            users in that table, as in ``evaluate``; by t or normal, with ``test="t"``. Further
            columns are ``degrees_of_freedom``, the ``unadjusted_difference`` and ``gain``, the
            share of its variance that is gone.
        by, groupings: Columns of segments, as in ``evaluate``.
        **options: The other inputs and rules of ``evaluate``.

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
        MetricError, InputError, DataError: As in ``evaluate``. InputError: One model, or a baseline
            that is none of them.
    """
    groupings = GROUPINGS.read(groupings)
    how = How(
        interval=INTERVAL_OF_DIFFERENCES.read(interval),
        level=LEVEL.read(level),
        test=TEST.read(test),
        correction=CORRECTION.read(correction),
        replicates=REPLICATES.read(replicates),
        cluster=None if cluster == "user_id" else cluster,
        alternative=ALTERNATIVE.read(alternative),
    )
    how = replace(how, adjust=_adjust(adjust, how))
    _check_asked(recs, baseline, how, margin)
    given = open_inputs({**options, "recs": recs, "truth": truth})
    segments = columns_of(by)
    wanted = read_metrics(metrics, given | {"by": segments}, k)
    asked = groups(by) if groupings == "each" else {"": segments}
    found: dict[str, list[dict[str, Any]]] = {}
    jobs: dict[str, Job] = {}
    sums: dict[str, Job] = {}
    statements: list[str] = []
    rivals = [] if baseline is None else [baseline]
    for name, columns in asked.items():
        job, units, rivals = _jobs(wanted, how, baseline, rivals, columns, given)
        how = replace(how, margins=_margins(margin, job, options.get("convention") or OWN))
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
    tests = sum(row["p"] is not None for row in rows)
    made = (how.interval, how.level, how.test, how.correction, how.cluster)
    done = Done(baseline, *made, tests, how.alternative, margin, how.adjust)
    call = {"metrics": job.asked, "baseline": baseline, "by": segments, **given}
    return Comparison(sql, whole, counts, done, call)


def _adjust(adjust: str | Iterable[str], how: How) -> list[str]:
    """Read the columns that differences are adjusted by.

    Raises:
        InputError: They are not names; another option does not go with them.
    """
    others = {
        "interval": (how.interval, ADJUSTED),
        "test": (how.test, ("t",)),
        "correction": (how.correction, ("holm", "bonferroni", "bh", "none")),
        "cluster": (how.cluster, (None,)),
    }
    return read_adjust(adjust, others)


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
        if how.correction in OF_MODELS:
            _add_of_models(found[name], job, how)
        job.inputs.engine.rest()
    _add_corrected(rows, how.correction)


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


def _margins(margin: Any, job: Job, convention: str) -> dict[Name, Margin]:
    known = {spelled(one.label, one.k): one for one in job.asked}
    return read_margins(margin, known, convention, of_worse=False)


def _check_asked(recs: Any, baseline: Any, how: How, margin: Any) -> None:
    """Refuse what does not go together, before anything is read.

    Raises:
        InputError: Groups of users or one side with another test than t; a margin without an
            alternative, or the other way round; a baseline that is not a model.
    """
    if how.alternative != "two-sided" and (how.test != "t" or how.correction in OF_MODELS):
        other = f"test={how.test!r}" if how.test != "t" else f"correction={how.correction!r}"
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
    if how.cluster is not None and how.interval not in CLUSTERED:
        raise InputError(
            f"cluster={how.cluster!r} and interval={how.interval!r}: users in groups have "
            "interval='t', 'normal', 'bootstrap' or 'always'"
        )
    if how.cluster is not None and how.test not in ("t", "always"):
        raise InputError(
            f"cluster={how.cluster!r} and test={how.test!r}: users in groups have test='t', or "
            "'always'"
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
    job = prepare(metrics, cluster=cluster, **options)
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
    draws = drawn_whole(job, drawable, min(how.replicates, DRAWS_OF_ERROR))
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
        row["p"] = p_value(_of_error(how), row | counted, level=how.level) if error else None
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
        skewed = skewnesses(job, model)
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
        row["p"] = None
        if row["ties"] is None:
            row["p"] = p_value(_of_error(how), row | {"ties": 0}, level=how.level)
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
            else bca(level, draws, difference, row["users"], skewness)
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
        rows = job.records(statement, ("model", *job.pair_segments, *COMPARED))
        for row in rows:
            row.setdefault("baseline", baseline)
            if row["violations"] and row["metric"]:
                raise DataError(job.violation(job.part(row)))
        return statement, rows

    statement, rows = run(job.plan)
    complete = job.plan.complete
    pairs = run(replace(job.plan, complete=False))[1] if complete else rows
    _check_alone(pairs, baseline)
    rows = [row for row in rows if row["metric"]]
    if complete:
        there = {key_of(row, job.pair_segments) for row in rows}
        kept = ("model", "baseline", *job.segments, "metric", "k", "asked", "better")
        nobody = dict.fromkeys(COMPARED) | {"users": 0, "ties": 0}
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
    if how.alternative != "two-sided":
        for row in rows:
            margin = _margin_of(row, how)
            row["p"] = None
            if margin is not None:
                options = {"relative": margin.relative}
                row["p"] = p_by_margin(how.alternative, row, margin.size, **options)
        return
    # What is of all lists together has its own.
    rows = [row for row in rows if row["ties"] is not None]
    model = None if baseline is None else text(baseline, job.inputs.engine.dialect)
    flips = {}
    if how.test == "randomization":
        flips = flipped(job, how.replicates, baseline=model)
    plain: dict[Key, list[float] | None] = {}
    if how.test == "wilcoxon":
        few = [row for row in rows if 0 < row["users"] - row["ties"] <= FEW]
        plain = {key_of(row, job.pair_segments): plain_ranks(row) for row in few}
        # Ranks that some share are asked for.
        tied = tied_ranks(job, model) if None in plain.values() else {}
        plain = {key: ranks or tied[key] for key, ranks in plain.items()}
    for row in rows:
        key = key_of(row, job.pair_segments)
        row["p"] = p_value(how.test, row, flips.get(key, ()), plain.get(key), level=how.level)


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


def _add_corrected(rows: Sequence[dict[str, Any]], correction: str) -> None:
    if correction in OF_MODELS:
        return
    adjusted = corrected(correction, [row["p"] for row in rows])
    for row, p in zip(rows, adjusted, strict=True):
        row["p_adjusted"] = p


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
    types |= dict.fromkeys(("model", "metric", "asked", "baseline", "better", "method"), "string")
    types |= dict.fromkeys(("k", "users", "clusters", "wins", "ties", "losses"), "int64")
    # The types of segments are those of their values.
    types |= {"degrees_of_freedom": "float64"} | dict.fromkeys(segments, "")
    names = ("model", *segments, "metric", "k", "asked", *kept)
    return Rows({x: types[x] for x in names}, [{x: row[x] for x in names} for row in rows])
