"""The functions `evaluate` and `sql`: from metrics and inputs to a result or a statement."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Unpack, get_args

from . import messages
from .catalogue.headers import ANY_TEXT, TABLES, metric
from .catalogue.headers import metrics as known_metrics
from .catalogue.requests import MetricRequest, parse_metrics
from .dialects import text as text_constant
from .engines.base import Unconnected
from .errors import InputError, nearest
from .options import (
    CLUSTER,
    GROUPINGS,
    INTERVAL,
    LEVEL,
    REPLICATES,
    USER_WEIGHTS,
    ConventionName,
    DialectName,
    Duplicates,
    Groupings,
    Inputs,
    Interval,
    NullScores,
    Order,
    Population,
    Seen,
    Ties,
    Undefined,
    check_choice,
    check_flag,
    read_share,
)
from .plan.sources import needed_by
from .rendering.layout import laid_out
from .rendering.statement import warn_of_stages
from .rendering.templates import numbered_steps
from .results.result import Result
from .results.rows import Rows
from .run.batches import Report, read_batches, reports
from .run.covariate_adjustment import ADJUSTED, COLUMNS, adjusted_intervals, read_adjust
from .run.intervals import UNITS, intervals, summary_columns, with_summaries
from .run.job import Job, open_inputs, prepare, read_metrics
from .run.segments import check_segment_names, columns_of, groups, merge_groupings
from .statistics.formulas import CLUSTERED, DRAWN, ROUNDING, quantile_of, read_summaries

if TYPE_CHECKING:
    import pyarrow as pa

    from .plots.accessors import ResultPlots

# Forms of a statement.
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
    batches: int | None = None,
    convention: ConventionName = "sqlrec",
    population: Population | None = None,
    order: Order | None = None,
    ties: Ties | None = None,
    duplicates: Duplicates | None = None,
    null_scores: NullScores | None = None,
    seen: Seen | None = None,
    relevance_threshold: float | None = None,
    undefined: Undefined | None = None,
    order_by: str | None = None,
    depth: int | None = None,
    interval: Interval | bool | None = "auto",
    level: float = 0.95,
    replicates: int = 1000,
    cluster: str | None = None,
    adjust: str | Iterable[str] = (),
    weights: str | None = None,
    summaries: str | Iterable[str] = (),
) -> Result:
    """Evaluate recommendations against the users' relevant items.

    Give the inputs that the metrics need; most need recs and truth. ``sqlrec.metric(name)`` lists
    them.

    An input is a path, a glob, a folder or a list of paths of Parquet, Arrow, CSV, JSON lines or
    other text files, or a ``sqlrec.File`` with its format; a table of pandas, Polars, PyArrow or
    DuckDB, a Delta table, or anything with the Arrow C stream interface; a dict of users, a list of
    lists or an array of items; a name of a table or view, also in quotes as the engine prints it;
    or a query in brackets, ``"(select * from recs where day = 7)"``.
    In a folder, files whose names begin with ``_`` or ``.`` are skipped. Columns of CSV and JSON
    lines get the type that fits all of their values, not only those of the first rows. Ids in CSV
    with leading zeros are text, and ids are text in all inputs if they are in one.

    Args:
        metrics: The metrics: ``"ndcg@10 recall@50"``, ``["map@5,10", "f_beta(beta=2)@5"]``.
            ``@all`` takes whole lists. ``sqlrec list`` shows the names; editors complete them after
            ``from sqlrec import m``, as in ``m.ndcg @ 10``. ``standard@10`` stands for ndcg, map,
            mrr, recall, precision and hit_rate, ``beyond-accuracy@10`` for catalog_coverage, gini,
            inter_list_diversity, surprisal and serendipity; ``all@10`` for every metric whose
            tables and columns are all among the inputs, with default parameters.
        k: The cutoff of metrics that are written without one, or several: ``[5, 10]`` or ``"all"``.
        recs: The recommendations, a row per item of a list: ``user_id``, ``item_id``, and ``score``
            (higher is better) or ``rank`` (from 1; gaps stay empty places). Or a row per user,
            where ``item_id`` is a list of items from best to worst. For several models, a column
            ``model`` or a dict of tables by model.
        truth: The relevance judgments, a row per judged item: ``user_id``, ``item_id`` and
            optionally a grade, ``relevance``; grades below 0 count as 0. Or a row per user, where
            ``item_id`` is a list of relevant items; an empty list means the same as no row.
        history: Past interactions, as in the training data: ``user_id`` and ``item_id``, a row per
            interaction.
        catalog: All items that could be recommended: ``item_id``. Repeated rows do not matter.
        items: Attributes of items: ``item_id`` and the columns that metrics read, such as a row per
            item and ``category``. ``sqlrec show`` lists them.
        users: Attributes of users, a row per user: ``user_id`` and the columns that ``by`` names.
        baseline: The lists of another model, for metrics that compare lists; in the form of recs.
        logs: Logged decisions, a row each: ``reward``, ``propensity`` and the columns that metrics
            read. With recs, whose lists are evaluated, also ``user_id``, ``item_id`` and optionally
            ``position``; without recs, ``target_probability``. A small effective sample size
            raises a warning.
        by: Columns of users, or else of truth, whose values are segments. Each user has one value
            of each column. Users without a row in users form a segment of their own, null.
        groupings: ``together`` (default): segments by all these columns at once. ``each``: all
            users, each column by itself, and all columns at once; on DuckDB in one statement if all
            metrics have per-user values. A column ``grouping`` names the columns that define a
            row's segment; the others are null.
        columns: Your column names for sqlrec's: ``{"user_id": "uid", "truth.item_id": "sku"}``.
            Several columns make one key, such as a user and a day: ``{"user_id": ["uid", "day"]}``;
            the key is their text with `` | `` between, and null if one of them is null. ``user.id``
            is a field of a column.
        where: For inputs that are names of tables, an SQL condition on the table's columns that
            selects rows: ``{"recs": "day = 7"}``.
        metrics_path: Metrics of your own: a folder of files as ``sqlrec new-metric`` writes them, a
            file, or the name of an installed package's entry point ``sqlrec.metrics``. They stay
            loaded until Python ends.
        engine: Where the tables are: a connection (DuckDB, or PEP 249 or ADBC of PostgreSQL,
            Snowflake, BigQuery, Redshift, Databricks, Trino, ClickHouse or SQLite; also inside of
            an SQLAlchemy engine, connection or session, or an ibis backend), a SparkSession, the
            path of a DuckDB file, or a URL. Inputs are then names of tables; for Spark also frames
            and Parquet paths. The rows stay there. The default is the session of Spark frames among
            the inputs, else DuckDB in memory. A DuckDB connection loses results that you have not
            read yet, and each thread needs a connection of its own.
        settings: Settings of the DuckDB in memory, which runs if you give no engine: ``{"threads":
            2, "memory_limit": "4GB"}``, or any other setting of DuckDB. By default it uses all
            cores and four fifths of the memory. Larger data spill to files in ``temp_directory``,
            by default a temporary folder that is removed afterwards.
        progress: Whether to show on stderr how many seconds a DuckDB statement has run, once it
            has run for two; with ``batches`` also the number of completed batches and the remaining
            time.
        batches: Evaluate users in this many batches, one after the other, so that DuckDB needs
            memory for only one batch. By default one, or as many as needed to rank lists in
            memory (``memory_limit``), if tables or Parquet files are larger and all metrics are
            means over users that read no history. Batches are ranges of user ids, with about the
            same number of rows of recs; values differ in their last digits at most. Each batch
            reads the inputs again, except for rows that DuckDB can skip in files or tables sorted
            by user. Metrics of all users together, such as gini, are evaluated at once.
            ``cluster``, ``adjust``, ``summaries`` and intervals by ``bootstrap`` or ``bca`` take no
            batches.
        convention: Compute metrics as ``sqlrec`` does (default), or as a library does: with the
            parameters, and the rules below, that give the library's values. A metric may name its
            own, as in ``"ndcg(convention=lenskit)@10"``. Parameters and rules that you give
            override it.
            ``sqlrec.conventions()`` lists them.
        population: The users to average over. ``truth`` (default): users with a relevant item; a
            user without a list counts 0. ``truth_and_recs``: users with a relevant item and a list.
            ``judged``: all users in the truth. ``judged_and_recs``: all users in the truth who have
            a list. ``recs``: all users with a list. ``all``: all users in the truth or with a list.
            At each cutoff, a user without a place within it has no list. Two kinds of metrics have
            populations of their own: metrics that need no truth average over all users with a list,
            and metrics of scores against grades, such as ``mae`` and ``kendall``, over users with
            an item that has both.
        order: ``score`` or ``rank``, for lists with both. By default the two have to agree.
        ties: Which of two items with equal scores ranks first: ``item_asc`` (default), the smaller
            id; ``item_desc``, the larger id, as in trec_eval; or ``first``, the item whose row
            comes first (see ``order_by``). ``expected`` is the mean over all orders of tied items;
            ``best`` and ``worst`` rank the more or the less relevant item first. If these two
            agree, ties do not matter. Lists with ranks have no ties.
        duplicates: What to do with an item that is twice in a list, down to the deepest cutoff, or
            judged twice for a user: raise an ``error`` (default), or count it once, with its
            ``best`` score, rank or grade, or as in its ``first`` or ``last`` row (see
            ``order_by``). Ranks that you give do not move up.
        null_scores: What to do with a score that is null or NaN: raise an ``error`` (default), rank
            its item ``last``, or ``drop`` it.
        seen: What to do with items that users have seen: ``keep`` them (default), or ``drop`` the
            items of the user's history from the lists of recs and baseline, before lists are cut;
            items below move up, also where lists have ranks, whose gaps stay. ``self`` drops the
            item whose id is the user's instead, as in lists of items that are similar to an item.
            For both, add a row to history for each such item.
        relevance_threshold: The smallest grade of a relevant item; by default any grade above 0 is
            relevant. With ``-inf`` every item of the truth is relevant. By default it does not
            change the graded gains of cumulative_gain, dcg and ndcg.
        undefined: What to do with users for whom a metric is not defined, such as recall without a
            relevant item: ``skip`` them (default), or count them as ``0`` or ``1``. With 0 and 1
            the default population is ``judged``, since ``truth`` has no users without a relevant
            item.
        order_by: A column of recs, and of a truth with grades, that orders rows, such as a time.
            Null comes last, and rows with equal values are ordered by item. Without it, only the
            rows of DuckDB have an order: that of the input. Other engines then refuse the rules
            above that depend on the order; such rules of conventions are replaced by ``item_asc``
            and ``best``, with a warning, and ``row_order`` in ``user_counts`` is ``none``.
        depth: Cut all lists at this place, also with ``@all``. Places are counted after
            ``null_scores`` and ``duplicates`` leave out rows. By default lists are not cut.
        interval: The method of the confidence interval of each mean, in the columns
            ``standard_error``, ``low`` and ``high``; users are treated as a sample of a larger
            population. ``auto`` (default) uses ``wilson`` for metrics from 0 to 1 whose
            per-user values are all 0 or 1, such as hit_rate, and ``t`` for other means; the column
            ``interval`` says which. ``normal`` and ``t`` use the standard error of the mean,
            ``wilson`` is for shares, ``bootstrap`` and ``bca`` resample users, and ``always`` stays
            valid however often you look while users come in. ``None`` leaves intervals out. Null
            where a metric is not a mean of per-user values, for a single user and, except with
            ``wilson``, where all users have the same value.
        level: The confidence level of intervals.
        replicates: The number of bootstrap samples. Draws are hashes of user ids, so the same call
            gives the same interval.
        cluster: A column of users, or else of truth, that names groups of correlated users, such
            as households. The interval then treats groups as independent, not users; its
            method is ``t`` by default, and not ``wilson``. The columns ``clusters`` and
            ``degrees_of_freedom`` give the number of groups and the degrees of freedom of t. The
            default is ``user_id``, each user by itself; logged decisions too are grouped by user,
            if logs has ``user_id``.
        adjust: Columns of users, ``"country activity"``, that means are adjusted by, to the mix of
            all users in that table: numbers by regression, other columns by the share of users with
            each value. ``value`` and its interval, ``t`` or ``normal``, are then those of the
            adjusted mean; further columns are ``degrees_of_freedom``, ``unadjusted_value`` and
            ``gain``, the share of the variance that the adjustment removes. Null where a metric is
            not a mean over users. Adjusting helps if the table users has many more users than are
            evaluated, and its columns predict the values.
        weights: A column of users, or else of truth, with each user's weight in means, such
            as traffic or revenue: ``value`` is sum(weight * value) / sum(weight), and intervals are
            those of this ratio. Every user who is averaged over has one weight, a number from 0.
            Counts of users and ``summaries`` stay those of users. Metrics that are not means over
            users, such as gini, are refused, as are ``adjust`` and ``interval="wilson"``; ``auto``
            is ``t``. With ``batches`` too, users are evaluated at once.
        summaries: Columns to add that summarize the per-user values: ``standard_deviation``,
            ``min``, ``max``, ``zero_share``, ``median``, ``p90`` or any other percentile. Where a
            percentile lies between two users' values, ``median`` and ``p90`` interpolate;
            ``lower_median`` and ``lower_p90`` take the lower value.

    Returns:
        A Result: a row per model, segment, metric and cutoff, with the mean of the per-user values
        in ``value``. ``asked`` is the metric as you wrote it, as in ``"map@10"``. Users for whom a
        metric is not defined, such as recall without a relevant item, are left out of its mean.

    Warns:
        UserWarning: One of several models has no users to average over; a model's lists have no
            user or no item of the truth, or all end above a cutoff; or a column seems to contain
            grades or models, but nothing reads it.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c", "a"]]})
        >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["b", "c"]})
        >>> result = sqlrec.evaluate("mrr@2 hit_rate@1", recs=recs, truth=truth)
        >>> result.to_arrow().select(["asked", "value"]).to_pylist()
        [{'asked': 'mrr@2', 'value': 0.75}, {'asked': 'hit_rate@1', 'value': 0.5}]

    Raises:
        MetricError: A metric, cutoff, parameter or convention does not exist, or the convention's
            library does not have the metric.
        InputError: An input is missing or empty, lacks a column, or has a column of the wrong type;
            an option is not valid; or DuckDB refuses a setting, or you give settings with an
            engine.
        DataError: Rows would make a value wrong, such as an item twice in a list; or there are no
            users to average over.
    """
    arguments = {**locals()}
    _read_options(arguments)
    options = open_inputs(arguments)
    options["metrics"] = read_metrics(metrics, options, options.pop("k"))
    each, batches = options.pop("groupings") == "each", options.pop("batches")
    columns_by_name: dict[str, Any] = dict(groups(by)) if each else {"": by}
    calls = {name: options | {"by": columns} for name, columns in columns_by_name.items()}
    jobs = {name: _job(**call) for name, call in calls.items()}
    job_reports = zip(jobs.items(), reports([*jobs.values()], batches), strict=True)
    results = {
        name: _result(job=job, report=report, **calls[name]) for (name, job), report in job_reports
    }
    return _merge_results(results, by) if each else results[""]


def _read_options(arguments: dict[str, Any]) -> None:
    """Check the options of statistics, and replace their values in place.

    Raises:
        InputError: An option is not valid, or not compatible with another.
    """
    for option in (GROUPINGS, INTERVAL, LEVEL, REPLICATES, CLUSTER, USER_WEIGHTS):
        arguments[option.name] = option.read(arguments[option.name])
    others = {
        "interval": (arguments["interval"], (*ADJUSTED, "auto", None)),
        "cluster": (arguments["cluster"], (None,)),
        "weights": (arguments["weights"], (None,)),
    }
    arguments["adjust"] = read_adjust(arguments["adjust"], others)
    if arguments["adjust"] and arguments["interval"] in (None, "auto"):
        arguments["interval"] = "t"
    if arguments["weights"] and arguments["interval"] == "wilson":
        raise InputError(
            f"weights={arguments['weights']!r} and interval='wilson': Wilson's intervals are of "
            "shares of users, who count alike; give interval='t' or 'bootstrap'"
        )
    at_once = {name: arguments[name] for name in ("cluster", "adjust", "summaries")}
    at_once["interval"] = arguments["interval"] if arguments["interval"] in DRAWN else None
    arguments["batches"] = read_batches(arguments["batches"], at_once)


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
    # Summaries and intervals are checked before anything runs.
    summary_names = read_summaries(summaries)
    job = prepare(metrics, errors=interval not in (None, *DRAWN), **options)
    check_segment_names(
        job.segments, [*_interval_columns(interval, cluster, adjust), *summary_names]
    )
    if cluster == "user_id":
        job.check_deciding_users()
    return with_summaries(job, summary_names)


def _result(
    metrics: str | Iterable[str],
    *,
    job: Job,
    report: Report,
    by: str | Iterable[str],
    interval: str | None,
    level: float,
    replicates: int,
    cluster: str | None,
    adjust: Sequence[str],
    summaries: str | Iterable[str],
    **options: Any,
) -> Result:
    """Return the result of one grouping from its report."""
    summary_names = read_summaries(summaries)
    interval_columns = _interval_columns(interval, cluster, adjust)
    cluster = None if cluster == "user_id" else cluster
    text, rows = report
    result = rows.select(name for name in rows.column_names if name not in job.count_columns)
    records = rows.to_pylist()
    units = job
    if interval is not None:
        if cluster is not None or adjust:
            units = prepare(metrics, by=job.segments, cluster=cluster, adjust=adjust, **options)
        limits = (
            adjusted_intervals(records, job, units, adjust, interval, level)
            if adjust
            else intervals(
                records,
                job,
                units,
                method=interval,
                level=level,
                replicates=replicates,
                cluster=cluster,
            )
        )
        result = result.with_columns(interval_columns, limits)
    if summary_names:
        result = result.with_columns(summary_names, summary_columns(records, job, summary_names))
    job.inputs.engine.rest()
    others = {"adjust": adjust, "weights": options["weights"]}
    return Result(
        job.inputs.spelled(text),
        result,
        job.user_counts(rows),
        job.per_user(),
        means=lambda: job.means,
        interval=(interval, level),
        cluster=cluster,
        weights=options["weights"],
        per_unit=None if cluster is None else units.per_user(),
        made=job.provenance(
            interval=interval,
            level=level if interval else None,
            cluster=cluster,
            **{name: value for name, value in others.items() if value},
        ),
        plots=partial(_plots, {"metrics": job.asked, "by": job.segments, **options}),
    )


def _interval_columns(
    interval: str | None, cluster: str | None, adjust: Sequence[str]
) -> list[str]:
    """Return the columns of an interval."""
    if adjust:
        return [*COLUMNS]
    columns = ["standard_error", "low", "high"] if interval else []
    if interval == "auto":
        columns.append("interval")
    return columns if cluster in (None, "user_id") else [*UNITS, *columns]


def _plots(call: Mapping[str, Any], table: pa.Table | Rows) -> ResultPlots:
    """Return the plot accessor; plotting modules are imported lazily."""
    from .plots.accessors import ResultPlots

    return ResultPlots(table, call)


def _merge_results(results: dict[str, Result], by: str | Iterable[str]) -> Result:
    """Concatenate the results of groupings; per-user values are those of the last grouping."""
    segments = columns_of(by)
    *_, last = results.values()
    rows = {name: Rows.of(result.rows()) for name, result in results.items()}
    counts = {name: Rows.of(result.user_counts.rows()) for name, result in results.items()}
    return Result(
        "\n".join(dict.fromkeys(result.sql for result in results.values())),
        merge_groupings(rows, segments),
        merge_groupings(counts, segments),
        last.per_user(),
        means=last.means,
        interval=last.interval,
        cluster=last.cluster,
        weights=last.weights,
        per_unit=None if last.cluster is None else last.per_unit(),
        made=last.made,
        plots=last.plots,
    )


# The help lists the metrics with the titles of their headers, as the command line does.
evaluate.__doc__ = f"{evaluate.__doc__ or ''}\n    Metrics:\n" + "\n".join(
    f"        {known.name}: {known.meaning}" for known in known_metrics().values()
)


def takes(shared: type) -> Callable[[F], F]:
    """Add the options of ``shared`` to a function's signature, in place of ``**options``.

    Args:
        shared: The TypedDict of the options, which are arguments of ``evaluate``.
    """
    parameters = signature(evaluate).parameters

    def with_signature(function: F) -> F:
        *own, _ = signature(function).parameters.values()
        names = shared.__annotations__.keys() - {parameter.name for parameter in own}
        others = [parameter for name, parameter in parameters.items() if name in names]
        full = signature(function).replace(parameters=[*own, *others])
        setattr(function, "__signature__", full)  # noqa: B010
        return function

    return with_signature


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
    weights: str | None = None,
    by: str | Iterable[str] = (),
    **options: Unpack[Inputs],
) -> str:
    """Return the SQL statement that computes the metrics, without running it.

    Args:
        metrics: The metrics, as in ``evaluate``.
        k: The default cutoff, as in ``evaluate``.
        form: ``plain`` (default) is a statement to paste: rows, metrics and means only. It assumes
            valid tables: no item twice in a list, no null, no NaN. ``audited`` is what ``evaluate``
            runs: it also counts users and violations, and with ``interval="normal"`` has the
            column ``standard_error``, from which intervals are computed. ``check`` only looks for
            violations: it returns a row for each, with a count and an example, and no rows
            without violations. ``steps`` is the plain form as numbered statements with temporary
            tables, for engines that compute a named query again at each mention.
        dialect: The dialect to write, for tables that are not read: duckdb, postgres, spark,
            databricks, snowflake, bigquery, redshift, trino, athena, fabric, clickhouse or sqlite.
            Inputs are then names of tables. Recs has the columns ``user_id``, ``item_id`` and
            ``score``, other tables ``user_id`` and ``item_id``; name further columns in
            ``columns``: ``{"rank": "rank", "relevance": "relevance"}``. By default the dialect and
            the columns are those of the engine; DuckDB's statement names the models that recs has
            now. Without any input, tables have the names of the inputs, ``recs``, ``truth``
            and so on, and the default dialect is duckdb.
        per_user: Whether to return per-user values instead of means.
        interval: ``normal`` adds each mean's standard error and its interval by the normal
            distribution, as in ``evaluate``. The forms ``plain`` and ``steps`` have both, for means
            of per-user values only; the form ``audited`` has the standard errors.
        level: The confidence level of the interval.
        compare_with: A model of recs that the others are compared with, user by user: adds the mean
            difference, its standard error and its 95 % interval by the normal distribution, as in
            ``compare``. For the forms ``plain`` and ``steps``.
        weights: A column with each user's weight in means, as in ``evaluate``.
        by: Columns of segments, as in ``evaluate``.
        **options: The inputs and rules of ``evaluate``.

    Returns:
        The statement as text.

    Example:
        >>> import sqlrec
        >>> text = sqlrec.sql("ndcg@10", dialect="bigquery", recs="shop.recs", truth="shop.orders")
        >>> "from shop.recs" in text
        True

    Raises:
        MetricError: As in ``evaluate``.
        InputError: As in ``evaluate``; also for a dialect or form that does not exist, or a name
            that the dialect cannot write.
    """
    check_flag("per_user", per_user)
    _check_form(form, per_user, compare_with)
    if isinstance(interval, bool):
        interval = "normal" if interval else None
    _check_interval(interval, level, form, per_user, compare_with)
    if no_inputs := all(options.get(name) is None for name in (*TABLES, "engine")):
        dialect = dialect or "duckdb"
        options |= {"recs": "recs", "truth": "truth"}
    if dialect is not None:
        if options.get("engine") is not None:
            raise InputError(f"dialect={dialect!r} and engine: give one, an engine has a dialect")
        options["engine"] = Unconnected(dialect)
    opened = open_inputs(options) | {"audit": form in ("audited", "check")}
    requests = read_metrics(metrics, opened | {"by": by}, k)
    if no_inputs:
        opened["given"] = _input_names(
            requests, [*columns_of(by), *([weights] if weights else [])], options.get("seen")
        )
    job = prepare(requests, by=by, weights=weights, errors=interval is not None, **opened)
    if per_user or compare_with is not None:
        job.check_users()
    limits = interval is not None and form != "audited"
    option = "interval" if limits else "compare_with"
    for request in job.asked if limits or compare_with is not None else ():
        if request.label not in job.means and not (limits and weights):
            other = "evaluate has its interval" if limits else "compare compares it"
            raise InputError(
                f"{option}={interval or compare_with!r}: {request.label} is not a mean of per-user "
                f"values; sqlrec.{other}"
            )
    if form == "check" and job.plan.parts:
        raise InputError(messages.SEVERAL_RULES.format(title=job.plan.title))
    if limits:
        reach, percent = quantile_of("normal", level, 0), f"{100 * level:g}"
        text = job.render("plain_intervals", reach=reach, percent=percent, rounding=ROUNDING)
    else:
        text = _statement(job, form, per_user, compare_with, options.get("recs"))
    text, dialect_name = job.inputs.spelled(text), job.inputs.engine.dialect
    if form == "steps":
        return numbered_steps(text, dialect_name)
    warn_of_stages(text, dialect_name)
    return text if form == "audited" else laid_out(text, dialect_name)


def _input_names(
    requests: list[MetricRequest], by: str | Iterable[str], seen: str | None
) -> dict[str, str | None]:
    """Return the inputs that metrics read, each as a table with the name of the input."""
    every = {name: name for name in TABLES if name != "users" or columns_of(by)}
    read = needed_by(requests, dict.fromkeys(TABLES) | every, columns_of(by), None, seen)
    return {name: name if name in read else None for name in TABLES}


def _check_form(form: str, per_user: bool, compare_with: Any) -> None:
    check_choice("form", form, get_args(Form))
    if per_user and form == "check":
        raise InputError("form='check' and per_user: broken rules have no users; leave out one")
    if compare_with is None:
        return
    if not (isinstance(compare_with, str) and compare_with):
        raise InputError(f"compare_with={compare_with!r}: name the model, as in 'pop'")
    if per_user or form not in ("plain", "steps"):
        other = "per_user" if per_user else f"form={form!r}"
        raise InputError(f"compare_with={compare_with!r} and {other}: leave out one")


def _check_interval(
    interval: str | None, level: Any, form: str, per_user: bool, compare_with: str | None
) -> None:
    read_share("level", level)
    if interval is None:
        return
    check_choice("interval", interval, INTERVAL.named_choices)
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
    for other, used in others.items():
        if used:
            raise InputError(f"interval={interval!r} and {other}: leave out one")


def _statement(job: Job, form: str, per_user: bool, compare_with: str | None, recs: Any) -> str:
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
    """Return the plain statement of a single metric, over tables named like the inputs.

    Truth has grades if the metric's header mentions them.

    Args:
        name: A metric, or an alias.
        dialect: The dialect to write.

    Raises:
        MetricError, InputError: The metric or the dialect does not exist.
    """
    requested = metric(name)
    texts = [f"{key}=new" for key, own in requested.params.items() if own == (ANY_TEXT,)]
    at = "@10" if requested.entries["Cutoff"] != "none" else ""
    (request,) = parse_metrics(requested.name + f"({', '.join(texts)})" * bool(texts) + at)
    graded = re.search(r"\b(grades?|relevance)\b", requested.header)
    columns = {"relevance": "relevance"} if graded else {}
    return sql(request.text, dialect=dialect, columns=columns)
