"""The main job: from metrics and inputs to a result, in one statement."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Unpack, get_args

from . import messages
from .catalogue.headers import ANY_TEXT, metric
from .catalogue.headers import metrics as known_metrics
from .catalogue.requests import parse_metrics
from .dialects import text as text_constant
from .engines.base import Unconnected
from .errors import InputError, nearest
from .options import (
    GROUPINGS,
    INTERVAL,
    LEVEL,
    REPLICATES,
    ConventionName,
    DialectName,
    Duplicates,
    Groupings,
    Inputs,
    Interval,
    NullScores,
    Order,
    Population,
    Ties,
    check_choice,
    check_flag,
    read_share,
)
from .rendering.layout import laid_out
from .rendering.statement import warn_of_stages
from .rendering.templates import numbered_steps
from .results.result import Result
from .results.rows import Rows
from .run.adjusted import ADJUSTED, COLUMNS, adjusted_intervals, read_adjust
from .run.intervals import UNITS, intervals, summary_columns, with_summaries
from .run.job import Job, open_inputs, prepare, read_metrics
from .run.segments import columns_of, groups, refuse, together
from .statistics.formulas import (
    CLUSTERED,
    DRAWN,
    ROUNDING,
    quantile_of,
    read_summaries,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from .plots.bound import ResultPlots

# What sql writes.
Form = Literal["plain", "audited", "check", "steps"]

F = TypeVar("F", bound=Callable[..., Any])


def evaluate(
    metrics: str | Iterable[str],
    *,
    k: int | str | Iterable[int | str] | None = None,
    recs: Any = None,
    truth: Any = None,
    history: Any = None,
    catalog: Any = None,
    items: Any = None,
    users: Any = None,
    baseline: Any = None,
    logs: Any = None,
    by: str | Iterable[str] = (),
    groupings: Groupings = "together",
    columns: Mapping[str, str | Sequence[str]] | None = None,
    where: Mapping[str, str] | None = None,
    metrics_path: str | os.PathLike[str] | None = None,
    engine: Any = None,
    settings: Mapping[str, Any] | None = None,
    progress: bool = False,
    convention: ConventionName = "sqlrec",
    population: Population | None = None,
    order: Order | None = None,
    ties: Ties | None = None,
    duplicates: Duplicates | None = None,
    null_scores: NullScores | None = None,
    relevance_threshold: float | None = None,
    order_by: str | None = None,
    depth: int | None = None,
    interval: Interval | bool | None = "auto",
    level: float = 0.95,
    replicates: int = 1000,
    cluster: str | None = None,
    adjust: str | Iterable[str] = (),
    summaries: str | Iterable[str] = (),
) -> Result:
    """Evaluate recommendations against the users' relevant items.

    Give the inputs that the metrics need; most need recs and truth. ``sqlrec.metric(name)`` says
    which.

    An input is a path, a glob or a folder of Parquet, CSV or JSON lines files; a table of pandas,
    Polars, PyArrow or DuckDB, a Delta table, or anything with the Arrow C stream interface; a name
    of a table or view, also in quotes as the engine prints it; or a query in brackets,
    ``"(select * from recs where day = 7)"``.
    Of a folder, names that begin with ``_`` or ``.`` are not read. Columns of CSV and JSON lines
    have the type that holds all their values, not those of the first rows; ids of CSV with zeros in
    front are text, and so are all where another input has text.

    Args:
        metrics: What to compute: ``"ndcg@10 recall@50"``, ``["map@5,10", "f_beta(beta=2)@5"]``.
            ``@all`` takes whole lists. ``sqlrec list`` shows the names, and editors know them after
            ``from sqlrec import m``, as in ``m.ndcg @ 10``. ``standard@10`` stands for ndcg, map,
            mrr, recall, precision and hit_rate, ``beyond-accuracy@10`` for catalog_coverage, gini,
            inter_list_diversity, surprisal and serendipity; ``all@10`` for every metric that the
            inputs have all tables and columns for, with its own parameters.
        k: The cutoff of metrics that are written without one, or several: ``[5, 10]`` or ``"all"``.
        recs: The recommendations, a row per place of a list: ``user_id``, ``item_id``, and
            ``score`` (more is better) or ``rank`` (from 1, gaps are kept). Or a row per user, with
            ``item_id`` a list from best to worst. Several models: a column ``model``, or a dict of
            tables.
        truth: The judged items, a row each: ``user_id``, ``item_id`` and, where it is graded,
            ``relevance``; grades below 0 count as 0. Or a row per user, with ``item_id`` a list; a
            user with an empty list is like one without a row.
        history: What users had before, as in the training data: ``user_id`` and ``item_id``, as
            often as it happened.
        catalog: All items that could be recommended: ``item_id``, once or more often.
        items: Attributes of items: ``item_id`` and the columns that metrics name, such as a row per
            item and ``category``. ``sqlrec show`` lists them.
        users: Segments, a row per user: ``user_id`` and the columns that ``by`` names.
        baseline: The lists of another model, for metrics that compare lists; as recs.
        logs: Decisions that were taken and what came of them, a row each: ``reward``,
            ``propensity`` and what else metrics name. With recs, whose lists they are compared
            with, also ``user_id``, ``item_id`` and, if there is one, ``position``; without
            recs, ``target_probability``. A small effective sample is warned of.
        by: Columns of users, or else of truth, whose values are segments. Each user has one value
            of each. A user without a row in users has null, which is a segment of its own.
        groupings: ``together`` (default): segments by all these columns at once. ``each``: all
            users, each column alone, and all columns at once; on DuckDB in one statement where all
            metrics have per-user values. A column ``grouping`` names the columns that a row is by;
            the others are null.
        columns: Your names of columns, ours first: ``{"user_id": "uid", "truth.item_id": "sku"}``.
            Several columns make a key, as of a user and a day: ``{"user_id": ["uid", "day"]}``; it
            is their text with `` | `` between, and missing where one of them is. ``user.id`` is a
            field of a column.
        where: For inputs by name, a condition in SQL that rows have to meet, over the columns of
            the table: ``{"recs": "day = 7"}``.
        metrics_path: Metrics of your own: a folder of files as ``sqlrec new-metric`` writes them, a
            file, or the name of an installed package's entry point ``sqlrec.metrics``. They are
            known from then on.
        engine: Where the tables are: a connection (DuckDB, or PEP 249 or ADBC of PostgreSQL,
            Snowflake, BigQuery, Redshift, Databricks, Trino, ClickHouse or SQLite; also inside of
            an SQLAlchemy engine, connection or session, or an ibis backend), a SparkSession, the
            path of a DuckDB file, or a URL. Inputs are then names of tables; for Spark also frames
            and Parquet paths. The rows stay there. By default the session of Spark frames among the
            inputs, else DuckDB in memory. Of a DuckDB connection unread results are lost, and
            threads need a connection each.
        settings: Settings of the DuckDB in memory, where no engine is given: ``{"threads": 2,
            "memory_limit": "4GB"}``, or any other that DuckDB has. By default it takes all cores
            and four fifths of the memory. What does not fit goes to files in ``temp_directory``, by
            default a folder among the system's temporary files, which is removed afterwards.
        progress: Whether to show on stderr how many seconds a statement of DuckDB has run, from two
            on.
        convention: Compute metrics as ``sqlrec`` does, or as a library does: with the parameters,
            and the rules below, that give the library's values. A metric may name its own, as in
            ``"ndcg(convention=lenskit)@10"``. Parameters and rules that you give override it.
            ``sqlrec.conventions()`` lists them.
        population: Who is averaged over. ``truth`` (default): users with a relevant item; one
            without a list counts 0. ``truth_and_recs``: those of them who have a list. ``judged``:
            all users of the truth. ``judged_and_recs``: those of them who have a list. ``recs``:
            all users with a list. ``all``: whoever is in the truth or has a list. At each cutoff,
            who has no place within it has no list. Whatever is given, metrics that need no truth
            average over all users with a list; and those of scores against grades, as ``mae`` and
            ``kendall``, over those with an item that has both.
        order: ``score`` or ``rank``, for lists with both. By default the two have to agree.
        ties: Which of two items with equal scores comes first: ``item_asc`` (default), the one with
            the smaller id; ``item_desc``, the one with the larger id, as in trec_eval; or
            ``first``, the one whose row comes first: see ``order_by``. Or their order is random:
            ``expected`` is the mean over all orders; ``best`` and ``worst`` put the more or the
            less relevant item first. Where these two agree, ties do not matter. Given ranks leave
            no ties.
        duplicates: An item that a list names twice down to the deepest cutoff, or that is judged
            twice for a user, is an ``error`` (default), or counts once: with its ``best`` score,
            rank or grade, or as in its ``first`` or ``last`` row: see ``order_by``. Given ranks are
            not closed up.
        null_scores: A score that is null or NaN is an ``error`` (default), comes ``last``, or is
            left out (``drop``).
        relevance_threshold: The smallest relevance of a relevant item; by default any above 0. With
            ``-inf`` every item of the truth is relevant. It does not cut the gains of graded
            metrics (cumulative_gain, dcg, ndcg).
        order_by: A column of recs, and of a truth with grades, that orders rows, such as a time.
            Null comes last, and rows with equal values are ordered by item. By default rows have an
            order in DuckDB alone: that of the input. Elsewhere the rules above that depend on it
            are refused without such a column, and those of conventions are replaced by ``item_asc``
            and ``best``, with a warning and ``row_order`` ``none`` in ``user_counts``.
        depth: All lists end at this place, also with ``@all``; places are counted after
            ``null_scores`` and ``duplicates`` leave out rows. By default lists are as long as they
            are.
        interval: The method of the confidence interval of each mean, in the columns
            ``standard_error``, ``low`` and ``high``; users are taken for a sample of all users who
            might have come. ``auto`` (default) uses ``wilson`` for metrics from 0 to 1 whose
            per-user values are all 0 or 1, such as hit_rate, and ``t`` for other means; the column
            ``interval`` says which. ``normal`` and ``t`` use the standard error of the mean,
            ``wilson`` is for shares, ``bootstrap`` and ``bca`` resample users, and ``always`` stays
            valid however often you look while users come in. ``None`` leaves intervals out. Null
            where a metric is not a mean of per-user values, for a single user and, except with
            ``wilson``, where all users have the same value.
        level: The confidence level of intervals.
        replicates: How often users are resampled. Draws are hashes of user ids: always the same.
        cluster: A column of users, or else of truth, that names groups of users who may be alike,
            such as households. The interval is then that of sampling groups, by ``t`` if none is
            named, and neither ``wilson`` nor ``bca``. The columns ``clusters`` and
            ``degrees_of_freedom`` give the number of groups and the degrees of freedom of t.
            ``user_id`` is each user alone, which is the default: logged decisions too are grouped
            by user, where logs has ``user_id``.
        adjust: Columns of users, ``"country activity"``, that means are adjusted by, to the mix of
            all users in that table: numbers by regression, others by the share of users who have
            each value. ``value`` and its interval, ``t`` or ``normal``, are then those of the
            adjusted mean; further columns are ``degrees_of_freedom``, the ``unadjusted_value`` and
            ``gain``, the share of the variance that is gone. Null where a metric is not a mean over
            users. It gains where users has many more users than are evaluated, and these columns
            tell of the values.
        summaries: Further columns, of the users' values: ``standard_deviation``, ``min``, ``max``,
            ``zero_share``, ``median``, ``p90`` or any other percentile; ``lower_median`` and
            ``lower_p90`` are the lower of two users' values where the others lie between them.

    Returns:
        A row per model, segment, metric and cutoff, with the mean of the users' values; ``asked``
        is the metric as you wrote it, as in ``"map@10"``. A value that is not defined for a user,
        as recall is not without a relevant item, is left out.

    Warns:
        UserWarning: A model that has no users to average over, beside others; whose lists have no
            user or no item of the truth, or all end above a cutoff; columns that look like grades
            or models, and that nothing reads.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c", "a"]]})
        >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["b", "c"]})
        >>> result = sqlrec.evaluate("mrr@2 hit_rate@1", recs=recs, truth=truth)
        >>> result.to_arrow().select(["asked", "value"]).to_pylist()
        [{'asked': 'mrr@2', 'value': 0.75}, {'asked': 'hit_rate@1', 'value': 0.5}]

    Raises:
        MetricError: A metric, cutoff, parameter or convention that does not exist; a metric that
            the library of a convention has not.
        InputError: An input that is missing or empty, lacks a column, or has a type that does not
            fit; an option that does not exist; a setting that DuckDB refuses, or one with engine.
        DataError: Rows that would make a number wrong, such as an item twice in a list; or no
            users to average over.
    """
    arguments = {**locals()}
    _read_options(arguments)
    options = open_inputs(arguments)
    options["metrics"] = read_metrics(metrics, options, options.pop("k"))
    if options.pop("groupings") == "together":
        return _evaluated(job=_job(**options), **options)
    asked = groups(by)
    calls = {name: options | {"by": columns} for name, columns in asked.items()}
    jobs = {name: _job(**call) for name, call in calls.items()}
    *_, last = jobs.values()
    reports: dict[str, tuple[str, Rows]] = {}
    # Values of all users together are made anew for each group.
    if last.inputs.engine.dialect == "duckdb" and not last.whole:
        reports = dict(zip(jobs, last.report_groupings([*jobs.values()]), strict=True))
    results = {
        name: _evaluated(job=job, report=reports.get(name), **calls[name])
        for name, job in jobs.items()
    }
    return _by_each(results, by)


def _read_options(arguments: dict[str, Any]) -> None:
    """Check the options of statistics, in place.

    Raises:
        InputError: One that does not exist, or that does not go with another.
    """
    for option in (GROUPINGS, INTERVAL, LEVEL, REPLICATES):
        arguments[option.name] = option.read(arguments[option.name])
    others = {
        "interval": (arguments["interval"], (*ADJUSTED, "auto", None)),
        "cluster": (arguments["cluster"], (None,)),
    }
    arguments["adjust"] = read_adjust(arguments["adjust"], others)
    if arguments["adjust"] and arguments["interval"] in (None, "auto"):
        arguments["interval"] = "t"


def _job(
    metrics: str | Iterable[str],
    *,
    interval: str | None,
    level: float,
    replicates: int,
    cluster: str | None,
    adjust: Sequence[str],
    summaries: str | Iterable[str],
    **options: Any,
) -> Job:
    """Prepare an evaluation by one grouping."""
    if cluster is not None and interval not in CLUSTERED:
        raise InputError(
            f"cluster={cluster!r} and interval={interval!r}: users in groups have an interval by "
            f"{', '.join(CLUSTERED)}"
        )
    del adjust
    # Refused here, before anything runs.
    summed = read_summaries(summaries)
    job = prepare(metrics, errors=interval not in (None, *DRAWN), **options)
    if cluster == "user_id":
        job.check_deciding_users()
    return with_summaries(job, summed)


def _evaluated(
    metrics: str | Iterable[str],
    *,
    job: Job,
    report: tuple[str, Rows] | None = None,
    by: str | Iterable[str],
    interval: str | None,
    level: float,
    replicates: int,
    cluster: str | None,
    adjust: Sequence[str],
    summaries: str | Iterable[str],
    **options: Any,
) -> Result:
    """Evaluate by one grouping, of which the report may be there."""
    summed = read_summaries(summaries)
    if cluster == "user_id":
        cluster = None
    limited = _limited(interval, cluster, adjust)
    refuse(job.segments, [*limited, *summed])
    text, rows = report or job.report()
    result = rows.select(name for name in rows.column_names if name not in job.counted)
    found = rows.to_pylist()
    units = job
    if interval is not None:
        if cluster is not None or adjust:
            units = prepare(metrics, by=job.segments, cluster=cluster, adjust=adjust, **options)
        limits = (
            adjusted_intervals(found, job, units, adjust, interval, level)
            if adjust
            else intervals(
                found,
                job,
                units,
                method=interval,
                level=level,
                replicates=replicates,
                cluster=cluster,
            )
        )
        result = result.with_columns(limited, limits)
    if summed:
        result = result.with_columns(summed, summary_columns(found, job, summed))
    job.inputs.engine.rest()
    return Result(
        job.inputs.spelled(text),
        result,
        job.user_counts(rows),
        job.per_user(),
        means=lambda: job.means,
        interval=(interval, level),
        cluster=cluster,
        per_unit=None if cluster is None else units.per_user(),
        made=job.made(
            interval=interval,
            level=level if interval else None,
            cluster=cluster,
            **({"adjust": adjust} if adjust else {}),
        ),
        plots=_plots({"metrics": job.asked, "by": job.segments, **options}),
    )


def _limited(interval: str | None, cluster: str | None, adjust: Sequence[str]) -> list[str]:
    """Return the columns that an interval has."""
    if adjust:
        return [*COLUMNS]
    limited = ["standard_error", "low", "high"] if interval else []
    if interval == "auto":
        limited.append("interval")
    return limited if cluster is None else [*UNITS, *limited]


def _plots(call: Mapping[str, Any]) -> Callable[[pa.Table], ResultPlots]:
    """Say how plots of a result are made: what draws is imported when it is asked for."""

    def plots(table: pa.Table | Rows) -> ResultPlots:
        from .plots.bound import ResultPlots

        return ResultPlots(table, call)

    return plots


def _by_each(results: dict[str, Result], by: str | Iterable[str]) -> Result:
    """Put the results of groupings below each other; per-user values are those of the last."""
    segments = columns_of(by)
    *_, last = results.values()
    return Result(
        "\n".join(dict.fromkeys(one.sql for one in results.values())),
        together({name: Rows.of(one.rows()) for name, one in results.items()}, segments),
        together({x: Rows.of(one.user_counts.rows()) for x, one in results.items()}, segments),
        last.per_user(),
        means=last.means,
        interval=last.interval,
        cluster=last.cluster,
        per_unit=None if last.cluster is None else last.per_unit(),
        made=last.made,
        plots=last.plots,
    )


# The headers of the metrics are the help, here as on the command line.
evaluate.__doc__ = f"{evaluate.__doc__ or ''}\n    Metrics:\n" + "\n".join(
    f"        {found.name}: {found.meaning}" for found in known_metrics().values()
)


def takes(shared: type) -> Callable[[F], F]:
    """Let a function's signature, as help and notebooks show it, name what ``**options`` takes.

    Args:
        shared: Which arguments of ``evaluate`` these are, as type checkers read them.
    """
    ours = signature(evaluate).parameters

    def told(function: F) -> F:
        *own, _ = signature(function).parameters.values()
        names = shared.__annotations__.keys() - {one.name for one in own}
        others = [one for name, one in ours.items() if name in names]
        whole = signature(function).replace(parameters=[*own, *others])
        setattr(function, "__signature__", whole)  # noqa: B010
        return function

    return told


@takes(Inputs)
def sql(
    metrics: str | Iterable[str],
    *,
    k: int | str | Iterable[int | str] | None = None,
    dialect: DialectName | None = None,
    form: Form = "plain",
    per_user: bool = False,
    compare_with: str | None = None,
    interval: Literal["normal"] | bool | None = None,
    level: float = 0.95,
    by: str | Iterable[str] = (),
    **options: Unpack[Inputs],
) -> str:
    """Return a statement for the metrics, without running it.

    Args:
        metrics: As in ``evaluate``.
        k: As there.
        form: ``plain`` (default) is the statement that a person would paste: rows, metrics and
            means alone. It takes the tables to be as they should: no item twice, no null or NaN.
            ``audited`` is what ``evaluate`` runs, which also counts users and broken rules; with
            ``interval="normal"`` it has the column ``standard_error`` that intervals are made of.
            ``check`` finds the broken rules alone: a row for each with how often it is broken and
            one example, and no row where all is well. ``steps`` is the plain form as numbered
            statements with temporary tables, for engines that compute a named query once for each
            mention of it.
        dialect: Whose SQL to write, for tables that are not looked at: duckdb, postgres, spark,
            databricks, snowflake, bigquery, redshift, trino, athena, fabric, clickhouse or sqlite.
            Inputs are then names of tables, recs has a column ``score``, and only what ``columns``
            names is there beside ``user_id`` and ``item_id``: ``{"rank": "rank", "relevance":
            "relevance"}``.
            By default the engine's SQL, for the columns found there; DuckDB's names the models
            that recs has now.
        per_user: Whether to stop before the mean.
        interval: ``normal`` for the standard error of each mean, and its interval by the normal
            distribution, as ``evaluate`` has them. With the forms ``plain`` and ``steps``, and for
            means of per-user values alone; the form ``audited`` has the standard errors.
        level: The confidence level of the interval.
        compare_with: A model of recs that the others are compared with, user by user: the mean
            difference, its standard error, and the interval of 95 % by the normal distribution, as
            ``compare`` has them. With the forms ``plain`` and ``steps``.
        by: Columns of segments, as in ``evaluate``.
        **options: The inputs and rules of ``evaluate``.

    Example:
        >>> import sqlrec
        >>> text = sqlrec.sql("ndcg@10", dialect="bigquery", recs="shop.recs", truth="shop.orders")
        >>> "from shop.recs" in text
        True

    Raises:
        MetricError, InputError: As in ``evaluate``; a dialect or form that does not exist, or a
            name that the dialect can't write.
    """
    check_flag("per_user", per_user)
    check_choice("form", form, get_args(Form))
    if per_user and form == "check":
        raise InputError("form='check' and per_user: broken rules have no users; leave out one")
    if compare_with is not None and not (isinstance(compare_with, str) and compare_with):
        raise InputError(f"compare_with={compare_with!r}: name the model, as in 'pop'")
    if compare_with is not None and (per_user or form not in ("plain", "steps")):
        other = "per_user" if per_user else f"form={form!r}"
        raise InputError(f"compare_with={compare_with!r} and {other}: leave out one")
    if isinstance(interval, bool):
        interval = "normal" if interval else None
    _check_interval(interval, level, form, per_user, compare_with)
    if dialect is not None:
        if options.get("engine") is not None:
            raise InputError(f"dialect={dialect!r} and engine: give one, an engine has a dialect")
        options["engine"] = Unconnected(dialect)
    opened = open_inputs(options) | {"audit": form in ("audited", "check")}
    wanted = read_metrics(metrics, opened | {"by": by}, k)
    job = prepare(wanted, by=by, errors=interval is not None, **opened)
    if per_user or compare_with is not None:
        job.check_users()
    limits = interval is not None and form != "audited"
    asked = "interval" if limits else "compare_with"
    for one in job.asked if limits or compare_with is not None else ():
        if one.label not in job.means:
            other = "evaluate has its interval" if limits else "compare compares it"
            raise InputError(
                f"{asked}={interval or compare_with!r}: {one.label} is not a mean of per-user "
                f"values; sqlrec.{other}"
            )
    if form == "check" and job.plan.parts:
        raise InputError(messages.SEVERAL_RULES.format(title=job.plan.title))
    if limits:
        reach = quantile_of("normal", level, 0)
        numbers: dict[str, Any] = {
            "reach": reach,
            "percent": f"{100 * level:g}",
            "rounding": ROUNDING,
        }
        text = job.render("plain_intervals", **numbers)
    else:
        text = _written(job, form, per_user, compare_with, options.get("recs"))
    text, written = job.inputs.spelled(text), job.inputs.engine.dialect
    if form == "steps":
        return numbered_steps(text, written)
    warn_of_stages(text, written)
    return text if form == "audited" else laid_out(text, written)


def _check_interval(
    interval: str | None, level: Any, form: str, per_user: bool, compare_with: str | None
) -> None:
    read_share("level", level)
    if interval is None:
        return
    check_choice("interval", interval, INTERVAL.known)
    if interval != "normal":
        raise InputError(
            f"interval={interval!r}: a statement has no quantiles of Student's t, and draws no "
            "users again; give interval='normal', or ask sqlrec.evaluate"
        )
    others = {
        "per_user": per_user,
        f"compare_with={compare_with!r}": compare_with is not None,
        f"form={form!r}": form == "check",
    }
    for other, given in others.items():
        if given:
            raise InputError(f"interval={interval!r} and {other}: leave out one")


def _written(job: Job, form: str, per_user: bool, compare_with: str | None, recs: Any) -> str:
    if compare_with is None:
        macro = (
            "violation_rows" if form == "check" else "user_evaluation" if per_user else "evaluation"
        )
        return job.render(macro)
    if "model" not in job.plan.list_keys:
        raise InputError(
            f"compare_with={compare_with!r}: recs has one model alone; give it a column 'model', "
            "or a dict of tables"
        )
    if isinstance(recs, Mapping) and compare_with not in recs:
        raise InputError(f"compare_with={compare_with!r}: {nearest(compare_with, recs)}")
    model = text_constant(compare_with, job.inputs.engine.dialect)
    return job.render("plain_comparison", baseline_model=model)


def example(name: str, dialect: DialectName = "duckdb") -> str:
    """Return the plain statement of a metric by itself, over tables called as the inputs.

    Truth has grades where the metric's header speaks of them.

    Args:
        name: A metric, or an alias.
        dialect: Whose SQL to write.

    Raises:
        MetricError, InputError: A metric or dialect that does not exist.
    """
    found = metric(name)
    texts = [f"{key}=new" for key, own in found.params.items() if own == (ANY_TEXT,)]
    at = "@10" if found.entries["Cutoff"] != "none" else ""
    (asked,) = parse_metrics(found.name + f"({', '.join(texts)})" * bool(texts) + at)
    needs = (need.table for need in found.needs if need.holds(asked.settings, given=True))
    given: dict[str, Any] = {table: table for table in needs}
    graded = re.search(r"\b(grades?|relevance)\b", found.header)
    columns = {"relevance": "relevance"} if graded else {}
    return sql(asked.text, dialect=dialect, columns=columns, **given)
