"""Datasets, and public functions for their methods."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from inspect import Parameter, Signature, getdoc, signature
from typing import TYPE_CHECKING, Any, Literal

from .errors import InputError
from .options import (
    OBJECTS,
    Alternative,
    Arguments,
    ConventionName,
    Correction,
    DialectName,
    Estimator,
    Inputs,
    Interval,
    IntervalName,
    IntervalOfDifferences,
    IntervalOfLimits,
    Rules,
    Segments,
    Settings,
    Test,
    changed_options,
    group_options,
    public_methods,
    refuse_unknown_arguments,
    unknown_argument,
)

if TYPE_CHECKING:
    import os

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


@refuse_unknown_arguments
class Dataset:
    """Recommendations and their truth, opened once for several calls.

    Pass the inputs that the metrics need; most metrics need recs and truth.
    ``sqlrec.metric(name)`` lists the inputs of a metric.

    An input is one of:

    - a path, a glob, a folder or a list of paths: Parquet, Arrow, CSV, JSON lines or other text
      files; or a ``sqlrec.File`` with its format
    - a table of pandas, Polars, PyArrow or DuckDB, a Delta table, or an object with the Arrow C
      stream interface
    - a dict of users, a list of lists, or an array of items
    - the name of a table or view, with or without the engine's quotes
    - a query in parentheses, ``"(select * from recs where day = 7)"``

    Files in a folder are skipped if their names begin with ``_`` or ``.``. The type of a column in
    CSV or JSON lines files is inferred from all rows, not only from the first ones. Ids with
    leading zeros in CSV files are text. If ids are text in one input, they are treated as text in
    all inputs.

    A dataset in DuckDB's memory keeps the per-user values that it has computed, so a later call
    with the same metrics and rules, such as a comparison, does not compute them again. A dataset
    assumes that the inputs do not change.

    Args:
        recs: The recommendations. The table contains a row per item of a list, with the columns
            ``user_id``, ``item_id``, and ``score`` (higher is better) or ``rank`` (from 1; gaps
            between ranks are kept). Or it contains a row per user, and ``item_id`` is a list of
            items from best to worst. For several models, add a column ``model`` or pass a dict of
            tables by model.
        truth: The relevance judgments. The table contains a row per judged item, with the columns
            ``user_id``, ``item_id`` and optionally ``relevance``, a grade; grades below 0 count as
            0. Or it contains a row per user, and ``item_id`` is a list of relevant items; an empty
            list is equivalent to no row.
        history: Past interactions, such as the training data. The table contains a row per
            interaction, with the columns ``user_id`` and ``item_id``.
        catalog: All items that could be recommended, in a column ``item_id``. Repeated rows do not
            matter.
        items: Attributes of items. The table contains ``item_id`` and the columns that metrics
            read, such as ``category``; an item with several categories has a row for each. ``sqlrec
            show`` lists these columns.
        users: Attributes of users. The table contains a row per user, with ``user_id`` and the
            columns used as segments.
        baseline: The lists of another model, in the same form as recs, for metrics that compare
            lists.
        logs: Logged decisions. The table contains a row per decision, with ``reward``,
            ``propensity`` and the columns that metrics read. The evaluated policy can be the lists
            in recs; logs then need the columns ``user_id``, ``item_id`` and optionally
            ``position``. Without recs, the column ``target_probability`` describes the policy. A
            small effective sample size raises a warning.
        engine: The engine that contains the tables: a connection, a SparkSession, the path of a
            DuckDB file, or a URL. A connection is a DuckDB connection, or a PEP 249 or ADBC
            connection to PostgreSQL, Snowflake, BigQuery, Redshift, Databricks, Trino, ClickHouse
            or SQLite. It can be wrapped in an SQLAlchemy engine, connection or session, or in an
            ibis backend. Inputs are then table names; for Spark, frames and Parquet paths are also
            valid. The rows stay in the engine. The default is the Spark session if inputs are Spark
            frames, otherwise DuckDB in memory. On a DuckDB connection, results that you have not
            fetched yet are lost, and each thread needs its own connection.
        columns: Your column name for each of sqlrec's names: ``{"user_id": "uid", "truth.item_id":
            "sku"}``. Several columns can form one id, such as a user and a day: ``{"user_id":
            ["uid", "day"]}``. The id is the text of these columns, joined by `` | ``, and is null
            if one of the columns is null. ``user.id`` is the field ``id`` of the struct column
            ``user``.
        where: SQL conditions by input, which select the rows of inputs that are table names:
            ``{"recs": "day = 7"}``.
        settings: Settings of DuckDB if you pass no engine, such as ``{"threads": 2, "memory_limit":
            "4GB"}``. By default, DuckDB uses all cores and four fifths of the memory. Larger data
            spill to files in ``temp_directory``, by default a temporary folder that is removed
            afterwards.
        progress: Whether to show the current step and the seconds on stderr while a statement runs,
            from two seconds after the start. With ``batches``, the number of completed batches and
            the remaining time are shown too. An ``Engine`` of your own shows no progress.
        metrics_path: Your own metrics: a folder of files like those that ``sqlrec new-metric``
            writes, a single file, or the name of an installed package's entry point in the group
            ``sqlrec.metrics``. The metrics stay loaded until Python exits.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c", "a"]]})
        >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["b", "c"]})
        >>> data = sqlrec.Dataset(recs, truth)
        >>> data.evaluate("mrr@2").to_arrow()["value"].to_pylist()
        [0.75]

    Raises:
        InputError: The engine does not exist, or DuckDB rejects a setting.
    """

    def __init__(
        self,
        recs: Any = None,
        truth: Any = None,
        *,
        history: Any = None,
        catalog: Any = None,
        items: Any = None,
        users: Any = None,
        baseline: Any = None,
        logs: Any = None,
        engine: Any = None,
        columns: Mapping[str, str | Sequence[str]] | None = None,
        where: Mapping[str, str] | None = None,
        settings: Settings | None = None,
        progress: bool = False,
        metrics_path: str | os.PathLike[str] | None = None,
    ) -> None:
        from .inputs.tables import Tables

        self.tables = Tables.open(
            recs=recs,
            truth=truth,
            history=history,
            catalog=catalog,
            items=items,
            users=users,
            baseline=baseline,
            logs=logs,
            engine=engine,
            columns=columns,
            where=where,
            settings=settings,
            progress=progress,
            metrics_path=metrics_path,
        ).with_stored_values()

    def single_use(self) -> Dataset:
        """Return this dataset for a single call, without storing per-user values."""
        self.tables = self.tables.single_use()
        return self

    def _call(self, by: Any, rules: Any) -> Call:
        """Check the arguments that most methods share."""
        from .run.job import Call

        return Call(self.tables, Rules.read(rules), by=Segments.read(by))

    def __repr__(self) -> str:
        from .analyses.health import describe_dataset

        return describe_dataset(self.tables)

    def evaluate(
        self,
        metrics: str | Iterable[str],
        *,
        k: int | str | Iterable[int | str] | None = None,
        by: str | Iterable[str] | Segments = (),
        rules: ConventionName | Rules = "sqlrec",
        interval: IntervalName | bool | Interval | None = "auto",
        weights: str | None = None,
        summaries: str | Iterable[str] = (),
        batches: int | None = None,
    ) -> Result:
        """Evaluate recommendations against the users' relevant items.

        Args:
            metrics: The metrics, such as ``"ndcg@10 recall@50"`` or ``["map@5,10",
                "f_beta(beta=2)@5"]``. ``@all`` uses whole lists. ``sqlrec list`` prints the names.
                Three presets select several metrics. ``standard@10`` is ndcg, map, mrr, recall,
                precision and hit_rate. ``beyond-accuracy@10`` is catalog_coverage, gini,
                inter_list_diversity, surprisal and serendipity. ``all@10`` is every metric that
                your inputs allow, with default parameters.
            k: The default cutoff or cutoffs, for metrics without a cutoff: ``10``, ``[5, 10]`` or
                ``"all"``.
            by: Columns in users or truth that contain the names of segments, or ``Segments``. For
                example, ``Segments("country", each=True)`` also returns the result over all users.
            rules: The name of a convention, such as ``"ranx"``, or ``Rules``, such as
                ``Rules("ranx", ties="expected")``. By default, sqlrec's rules apply.
            interval: The method for the confidence interval of each mean, or ``Interval``, such as
                ``Interval("t", level=0.9, cluster="household")``. The default method is Student's
                t, or Wilson's for values of 0 and 1. ``None`` omits intervals.
            weights: A column in users or truth with each user's weight in means, such as traffic or
                revenue. ``value`` is sum(weight * value) / sum(weight), with an interval for this
                ratio. Each user needs one weight of at least 0. Counts of users and ``summaries``
                are not weighted. Metrics that are not means over users, such as gini, are rejected.
                ``adjust`` and ``interval="wilson"`` are also rejected; ``interval="auto"`` is
                ``t``. ``batches`` is ignored.
            summaries: Columns to add that summarize the per-user values: ``standard_deviation``,
                ``min``, ``max``, ``zero_share``, ``median``, ``p90`` or any other percentile.
                ``median`` and ``p90`` interpolate between the values of two users; ``lower_median``
                and ``lower_p90`` take the lower value.
            batches: The number of batches of users. DuckDB needs memory for only one batch at a
                time. The default is one batch. If tables or Parquet files are too large for
                ``memory_limit``, the default is the number of batches that fit, provided that all
                metrics are means over users and do not read history. A batch is a range of user
                ids, with about the same number of rows of recs. Batches change only the last digits
                of values. Each batch reads the inputs again, except for rows that DuckDB can skip
                in files or tables sorted by user. Metrics over all users together, such as gini,
                are evaluated in one batch. ``batches`` can't be combined with ``cluster``,
                ``adjust``, ``summaries`` or intervals by ``bootstrap`` or ``bca``.

        Returns:
            A Result with a row per model, segment, metric and cutoff. ``value`` is the mean of the
            per-user values, and ``request`` is the metric as you wrote it, such as ``"map@10"``.
            Users for whom a metric is undefined, such as recall without a relevant item, are
            excluded from the mean of this metric.

        Warns:
            UserWarning: One of several models has no users to average over; a model's lists share
                no user or no item with the truth, or are all shorter than a cutoff; or a column
                that seems to contain grades or models is not read.

        Example:
            >>> import pyarrow as pa, sqlrec
            >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c", "a"]]})
            >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["b", "c"]})
            >>> result = sqlrec.evaluate("mrr@2 hit_rate@1", recs=recs, truth=truth)
            >>> result.to_arrow().select(["request", "value"]).to_pylist()
            [{'request': 'mrr@2', 'value': 0.75}, {'request': 'hit_rate@1', 'value': 0.5}]

        Raises:
            MetricError: A metric, cutoff, parameter or convention does not exist, or the
                convention's library does not implement the metric.
            InputError: An input is missing or empty, lacks a column, or has a column of the wrong
                type; an option is invalid; DuckDB rejects a setting; or settings are passed
                together with an engine.
            DataError: Rows are invalid, such as an item twice in a list; or no user
                is in the mean.
        """
        from .evaluation import evaluate

        call = self._call(by, rules).with_metrics(metrics, k)
        return evaluate(call, interval, weights, summaries, batches)

    def compare(
        self,
        metrics: str | Iterable[str],
        *,
        k: int | str | Iterable[int | str] | None = None,
        baseline: str | None = None,
        primary: str | None = None,
        by: str | Iterable[str] | Segments = (),
        rules: ConventionName | Rules = "sqlrec",
        interval: IntervalOfDifferences | Literal[True] | Interval = "auto",
        test: Test = "auto",
        correction: Correction = "holm",
        alternative: Alternative = "two-sided",
        margin: Mapping[str, float | str] | float | str | None = None,
        weights: str | None = None,
    ) -> Comparison:
        """Compare models with a baseline, user by user.

        Values are paired by user, so the difference is more precise than the difference between two
        independent means. Only users with a value for both models count.

        Args:
            metrics: The metrics to compare, as in ``evaluate``. In the result, the column
                ``method`` names the method for the standard error of the difference.
            k: The default cutoff, as in ``evaluate``.
            baseline: The model that all other models are compared with. By default, every pair of
                models is compared: the column ``baseline`` names the second model of the pair, and
                ``ranks()`` ranks the models.
            primary: The primary metric, by default the first. It is listed first, and its p-values
                do not depend on other metrics.
            by, rules: As in ``evaluate``.
            interval: The method for the interval of the mean difference, or ``Interval``. The
                methods are ``t``, ``normal``, ``bootstrap``, ``bca`` and ``anytime``, which is
                valid under continuous monitoring while users arrive. The default, ``auto``, is
                ``anytime`` with ``test="anytime"``, otherwise ``t``. ``replicates`` is also the
                number of random sign combinations for ``test="randomization"``. If no p-value could
                be significant after the correction, this number is increased up to 10,000; a
                warning reports that 10,000 is still too few. With ``cluster``, groups, not users,
                are the independent units for the interval and for ``test="t"``. ``adjust`` adjusts
                values and differences to all users. It needs ``test="t"`` and the interval ``t`` or
                ``normal``, and adds the columns ``degrees_of_freedom``, ``unadjusted_difference``
                and ``gain``.
            test: The test that computes ``p``. ``t`` is Student's paired t-test, and ``normal`` is
                the same test with the normal distribution, as in dbt. ``wilcoxon`` is the
                signed-rank test, and ``sign`` is the exact sign test. ``mcnemar`` is the mid-p sign
                test, which for 0/1 values is McNemar's mid-p test. ``permutation`` is the paired
                mid-p permutation test over all sign flips, and ``randomization`` is the same test
                over random sign flips. ``anytime`` is the test that matches ``interval="anytime"``.
                By default, ``auto`` selects ``anytime`` with ``interval="anytime"``, and ``t`` with
                ``cluster``, ``adjust``, ``tukey`` or ``dunnett``. For fewer than 100 users, it
                selects ``permutation``, or ``mcnemar`` for 0/1 values (``sign`` if all users
                differ). In all other cases, it selects ``t``. With a margin, it selects ``t``; for
                0/1 values, it selects ``score``, the score test for a difference or ratio of pairs.
            correction: The correction for multiple tests. ``holm``, ``bonferroni``, ``bh`` or
                ``none`` apply separately to families of tests. There are three families of tests
                between models: by the primary metric, by the other metrics that are means over
                users, and by metrics over all lists together. The segments of each grouping form
                three more families in the same way. Additional metrics, or segments with
                ``each=True``, therefore do not change the p-values of the primary metric. ``tukey``
                corrects for all pairs of models, and ``dunnett`` for all comparisons with the
                baseline. Both apply separately to each metric and segment, over users with a value
                for every model. With ``test="randomization"``, ``tukey`` permutes per-user values
                between models, as in Carterette 2012.
            alternative: The alternative hypothesis. ``two-sided`` is a difference. ``greater`` is a
                difference above the margin, or above 0 by default, and ``less`` is a difference
                below -margin. ``equivalent`` is a difference within the margin on both sides, by
                two one-sided tests. ``noninferior`` is a model that is not worse by more than the
                margin. All alternatives except ``two-sided`` need ``test="auto"`` or ``"t"``. The
                level of their interval is 2 * level - 1, by default 90%, and the ends of the
                interval are the limits of the one-sided t-tests.
            margin: The margin for these alternatives: a number; a percentage of the baseline's
                mean, such as ``"1%"``; or a dict by metric, ``{"ndcg@10": 0.005}``. Tests with a
                percentage include the standard error of the baseline's mean.
            weights: A column with each user's weight, as in ``evaluate``. Weighted means are
                compared by linearization, with ``test="t"`` or ``"anytime"``. Wins, ties and losses
                are unweighted counts of users.

        Returns:
            A Comparison with a row per model, segment, metric and cutoff.

        Example:
            >>> import pyarrow as pa, sqlrec
            >>> users = ["ann", "bob", "cyd"]
            >>> als = pa.table({"user_id": users, "item_id": [["a", "b"], ["b", "a"], ["c", "d"]]})
            >>> pop = pa.table({"user_id": users, "item_id": [["b", "a"], ["a", "b"], ["c", "d"]]})
            >>> truth = pa.table({"user_id": users, "item_id": ["a", "a", "d"]})
            >>> models = {"als": als, "pop": pop}
            >>> comparison = sqlrec.compare("mrr@2", recs=models, truth=truth, baseline="pop")
            >>> comparison.to_arrow().select(["model", "wins", "ties", "losses"]).to_pylist()
            [{'model': 'als', 'wins': 1, 'ties': 1, 'losses': 1}]

        Raises:
            MetricError, DataError: As in ``evaluate``. InputError: As in ``evaluate``; also if
            there is only one model, or if ``baseline`` is not one of the models.
        """
        from .analyses.compare import compare

        call = self._call(by, rules).with_metrics(metrics, k, primary)
        return compare(call, baseline, interval, test, correction, alternative, margin, weights)

    def check(
        self,
        metrics: str | Iterable[str],
        *,
        k: int | str | Iterable[int | str] | None = None,
        against: Any = None,
        by: str | Iterable[str] | Segments = (),
        rules: ConventionName | Rules = "sqlrec",
        interval: IntervalOfLimits | Literal[True] | Interval = "t",
    ) -> Check:
        """Check that metrics are within limits, and not worse than a stored result.

        Args:
            metrics: Rules, as a list or separated by semicolons. ``"ndcg@10 >= 0.3"`` compares with
                a number. ``"ndcg@10 > main"`` requires that every other model is significantly
                better than main, by the test of ``compare``. ``"recall@10 >= main - 0.02"``, or
                ``main - 2%``, requires that no model is worse than main by the margin. ``"recall@10
                >= main"`` requires that no model is significantly worse than main.
                ``"recall@10 >= stored - 0.02"`` requires that no model is worse by the margin than
                the stored result ``against``; a rule with ``stored`` needs a margin. If lower
                values are better, write ``<= stored + 0.02``. ``"no segment of country worse than
                main by ndcg@10"`` requires that no model is significantly worse in any segment; the
                default metric is the metric of the first rule. A rule with several metrics, such as
                ``"ndcg@10 recall@5,10 >= 0.1"``, applies to each metric. A metric without a rule is
                an error.
            k: The default cutoff, as in ``evaluate``. A rule without a cutoff applies to all of
                these cutoffs.
            against: The result of an earlier ``evaluate``: the path of a Parquet or CSV file, or a
                table. Per-user values, as from ``per_user()``, are compared in pairs. If the result
                contains only means, the means are compared, with their standard errors or 95%
                intervals if these are stored. If the result contains a single model, every model is
                compared with this model; otherwise, each model is compared with the stored model of
                the same name.
            by, rules: As in ``evaluate``.
            interval: The method for tests and limits, or ``Interval``. ``t`` is Student's t. For
                per-user values of 0 and 1 with a margin, the score test for pairs replaces it,
                since ``t`` passes too often if few users differ. ``anytime`` is for a gate that
                runs repeatedly while data arrive: the probability that it ever passes a metric that
                is worse by the margin is at most 1 - level. A rule with a margin passes if the
                p-value of the one-sided test is below 1 - level. If only means are compared, it
                passes if the one-sided limit of the difference is within the margin. With a
                ``cluster`` in ``Interval``, groups of users are independent; clusters need per-user
                values, or a result stored with the same ``cluster``.

        Returns:
            A Check. ``passed`` is True if all checks passed.

        Example:
            >>> import pyarrow as pa, sqlrec
            >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c", "a"]]})
            >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["b", "c"]})
            >>> sqlrec.check("mrr@2 >= 0.7", recs=recs, truth=truth).passed
            True

        Raises:
            MetricError: As in ``evaluate``. InputError: As in ``evaluate``; also if there is
            nothing to check, if a rule is invalid, if a metric is not stored, or if a rule has a
            margin for a metric with the direction ``neither``.
            DataError: As in ``evaluate``; also if a value is missing or not a number, or if the
                stored and the new values share no user.
        """
        from .analyses.check import check

        return check(self._call(by, rules), metrics, k, against, interval)

    def explain(
        self,
        metrics: str | Iterable[str],
        *,
        k: int | str | Iterable[int | str] | None = None,
        conventions: ConventionName | Iterable[ConventionName] | None = None,
        value: float | str | None = None,
        like: ConventionName | Iterable[ConventionName] | None = None,
        full: bool = False,
        rules: ConventionName | Rules = "sqlrec",
    ) -> Explanation:
        """Compute metrics by the definition of each library, and explain the differences.

        A switch is one difference between a library and sqlrec, such as the users that are averaged
        over, the divisor or the order of equal scores. For each switch separately, ``explain``
        counts the users with a changed value.

        Args:
            metrics: The metrics, as in ``evaluate``. Parameters apply to every library.
            k: The default cutoff, as in ``evaluate``.
            conventions: The libraries to compare; by default all libraries with the metric.
            value: A printed value, such as ``"0.132"`` or ``"13.2%"``. The result names the
                libraries with this value, and lists the steps from sqlrec's value to it.
            like: Names of libraries. The result lists the steps from sqlrec's value to the values
                of these libraries.
            full: Whether to display all values, not only the most common ones.
            rules: Rules that apply to every library; the convention is always sqlrec's.

        Returns:
            An Explanation, which prints as text. With ``value`` or ``like``, it is a Waterfall, a
            subclass.

        Example:
            >>> import pyarrow as pa, sqlrec
            >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c", "a"]]})
            >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["b", "c"]})
            >>> table = sqlrec.explain("map@2", recs=recs, truth=truth, conventions="jurity")
            >>> table.to_arrow().select(["request", "value", "conventions"]).to_pylist()
            [{'request': 'map@2', 'value': 0.75, 'conventions': 'sqlrec, jurity'}]

        Raises:
            MetricError, InputError, DataError: As in ``evaluate``. If rows break a rule of only
                one library, that library's value is null and the note gives the reason.
        """
        from .analyses.explain import explain

        return explain(self._call((), rules), metrics, k, conventions, value, like, full)

    def sql(
        self,
        metrics: str | Iterable[str],
        *,
        k: int | str | Iterable[int | str] | None = None,
        dialect: DialectName | None = None,
        form: Form = "plain",
        per_user: bool = False,
        compare_with: str | None = None,
        interval: Literal["normal"] | bool | Interval | None = None,
        weights: str | None = None,
        by: str | Iterable[str] | Segments = (),
        rules: ConventionName | Rules = "sqlrec",
    ) -> str:
        """Return the SQL statement that computes the metrics, without running it.

        Args:
            metrics: The metrics, as in ``evaluate``.
            k: The default cutoff, as in ``evaluate``.
            dialect: The SQL dialect: duckdb, postgres, spark, databricks, snowflake, bigquery,
                redshift, trino, athena, fabric, clickhouse or sqlite. Inputs are then table names,
                and the tables are not read. Recs is assumed to contain ``user_id``, ``item_id`` and
                ``score``, and other tables ``user_id`` and ``item_id``. List additional columns in
                ``columns``: ``{"rank": "rank", "relevance": "relevance"}``. The default is the
                engine's dialect, with the columns of the engine's tables; a statement for DuckDB
                lists the models that recs contains now. If you omit recs and truth, tables are
                called ``recs``, ``truth`` and so on, and the default dialect is duckdb. It is also
                the default for templates such as ``{{ ref('recs') }}``.
            form: ``plain`` (default) is a statement to copy and paste, without checks. It assumes
                valid tables: no repeated item in a list, no null, no NaN. ``audited`` is the
                statement that ``evaluate`` runs: it also counts users and violations, and with
                ``interval="normal"`` returns the column ``standard_error``, from which intervals
                are computed. ``check`` only finds violations: it returns a row for each broken
                rule, with a count and an example. ``steps`` is the plain form as numbered
                statements with temporary tables, which replace the tables of the last run. It is
                for engines that compute a named query again at each mention.
            per_user: Whether to return per-user values instead of means.
            compare_with: A model in recs that the other models are compared with, user by user. The
                statement adds the mean difference with its standard error and 95% normal interval,
                as in ``compare``. The form must be ``plain`` or ``steps``.
            interval: ``normal``, or ``Interval`` with a ``level``, adds each mean's standard error
                and normal interval, as in ``evaluate``. The forms ``plain`` and ``steps`` return
                both, only for means of per-user values. The form ``audited`` returns only the
                standard errors.
            weights: A column with each user's weight in means, as in ``evaluate``.
            by, rules: As in ``evaluate``. With ``each=True``, the plain statement is the union of
                the statements of all groupings, with the column ``grouping``.

        Returns:
            The statement as text.

        Example:
            >>> import sqlrec
            >>> text = sqlrec.sql("ndcg@10", "shop.recs", "shop.orders", dialect="bigquery")
            >>> "from shop.recs" in text
            True

        Raises:
            MetricError: As in ``evaluate``. InputError: As in ``evaluate``; also for a dialect or
            form that does not exist, or a name that is impossible in the dialect.
        """
        from .evaluation import sql

        call = self._call(by, rules)
        return sql(call, metrics, k, dialect, form, per_user, compare_with, interval, weights)

    def unsampled(
        self,
        metrics: str | Iterable[str],
        *,
        catalog_size: int,
        candidates: int,
        k: int | str | Iterable[int | str] | None = None,
        estimator: Estimator = "auto",
        gamma: float = 0.1,
        level: float = 0.95,
        by: str | Iterable[str] | Segments = (),
        rules: ConventionName | Rules = "sqlrec",
    ) -> Table:
        """Estimate metrics over the whole catalog from lists of sampled candidates.

        Evaluation with sampled candidates ranks each user's relevant item among a few sampled
        items. Metrics of those lists are too high, often by a large factor. Even with many users,
        they can rank models differently than metrics over the whole catalog do. ``evaluate`` cannot
        detect that candidates were sampled. ``sampled`` is the value in the sampled lists, which
        you should not report; ``value`` is an estimate of the value over the whole catalog.

        At cutoffs below ``catalog_size / candidates``, sampled lists contain little information:
        rank 1 in a sample represents all of these ranks. Only ``mle`` orders models correctly at
        these cutoffs; ``bv`` raises a warning.

        Each user has one relevant item. The rank of this item is the ``rank`` in its row of
        ``recs``, or is computed from scores. Lists with ranks need only the row of the relevant
        item; lists with scores need the rows of all candidates.

        The columns of the result are ``request``, the metric as you wrote it; ``sampled`` and
        ``value``, as above; ``users``; the estimate's ``standard_error`` and its t interval,
        ``low`` to ``high``; and the ``estimator``. The standard error for ``mle`` is the standard
        deviation of 40 estimates from resampled users; for ``bv``, it is the standard error of a
        mean.

        Source: bv: Krichene & Rendle 2020, doi.org/10.1145/3394486.3403226, with all ranks equally
        likely. mle: Jin et al. 2021, arxiv.org/abs/2103.01474.

        Args:
            metrics: ``hit_rate``, ``recall``, ``precision``, ``reciprocal_rank``,
                ``average_precision`` and ``ndcg``, with their default parameters, at cutoffs.
            catalog_size: The number of items in the whole ranking: the relevant item, and all items
                that candidates were drawn from, each with equal probability.
            candidates: The number of items in a sampled list, including the relevant item.
            k: The default cutoff or cutoffs, as in ``evaluate``.
            estimator: ``auto`` (default) uses ``mle`` at cutoffs below ``catalog_size /
                candidates`` and ``bv`` at other cutoffs. ``bv`` gives each rank the value with the
                least squared bias plus ``gamma`` times the variance. ``mle`` uses the maximum
                likelihood distribution of ranks.
            gamma: The weight of the variance in ``bv``; by default 0.1. A smaller weight gives less
                bias and more variance; choose it if there are many users.
            level: The confidence level of the interval; by default 0.95. The interval covers the
                uncertainty from the number of users and from drawing candidates once, not the
                estimator's bias.
            by: Columns of segments, as in ``evaluate``.
            rules: As in ``evaluate``. ``population`` is ``truth`` or ``truth_and_recs``.

        Returns:
            A Table with a row per model, segment, metric and cutoff.

        Example:
            >>> import pyarrow as pa, sqlrec
            >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": ["a", "c"], "rank": [1, 40]})
            >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["a", "c"]})
            >>> inputs = {"recs": recs, "truth": truth, "catalog_size": 1000, "candidates": 100}
            >>> table = sqlrec.unsampled("hit_rate@50", **inputs)
            >>> (row,) = table.to_arrow().to_pylist()
            >>> round(row["sampled"], 2), round(row["value"], 2)
            (1.0, 0.49)

        Raises:
            MetricError: As in ``evaluate``. InputError: As in ``evaluate``; also for a metric that
            is not listed above, or impossible numbers.
            DataError: As in ``evaluate``; also for a user without a list, for a list that lacks the
                relevant item or is too long, or for several relevant items.
        """
        from .statistics.formulas import scipy_stats

        scipy_stats("unsampled")
        from .analyses.unsampled import unsampled

        call = self._call(by, rules).with_metrics(metrics, k)
        return unsampled(call, catalog_size, candidates, estimator, gamma, level)

    def power(
        self,
        metrics: str | Iterable[str],
        *,
        difference: Mapping[str, float | str] | float | str | None = None,
        sample_size: int | None = None,
        power: float = 0.8,
        level: float = 0.95,
        sides: Literal[1, 2] = 2,
        baseline: str | None = None,
        by: str | Iterable[str] | Segments = (),
        rules: ConventionName | Rules = "sqlrec",
        cluster: str | None = None,
    ) -> Table:
        """Estimate how many users a follow-up test needs, and which differences it can detect.

        The estimate assumes that the per-user values of the test have the variance of the result.
        The next test after a comparison is paired: the same users see both models, and Student's
        t-test compares them. The next test after a result of single models is an A/B test: two
        groups of the same size see one model each, and the test is based on the normal
        distribution.

        The columns of the returned table are:

        - ``design``: ``pairs`` or ``groups``.
        - ``users``: the number of users; for ``groups``, the number in each group.
        - ``standard_deviation``: the standard deviation of users' differences for ``pairs``, and of
          users' values for ``groups``.
        - ``detectable``: the smallest true difference that the test detects with the given power.
        - ``difference``, ``power`` and ``users_needed``, if you pass ``difference``: the power of
          the test to detect it, and the number of users for the given power; for ``groups``, the
          number in each group.

        Source: Cohen 1988, Statistical Power Analysis for the Behavioral Sciences

        Args:
            metrics: The metrics, as in ``evaluate``.
            difference: The true difference to detect: ``0.01``; ``"1%"`` of the model's mean, or of
                the baseline's mean in paired tests; or a dict by metric, ``{"ndcg@10": 0.005}``.
            sample_size: The number of users in the test (for two groups, in each group); by default
                the number of users in the result.
            power: The probability of detecting the difference; by default 0.8.
            level: The confidence level; by default 0.95. The test is significant at 1 - level.
            sides: 2 (default) for a two-sided test, 1 for a one-sided test.
            baseline: The model that all other models are compared with, user by user. By default,
                each model is evaluated separately.
            by, rules: As in ``evaluate``.
            cluster: A column that names groups of users, as in ``Interval``.

        Returns:
            A Table with a row per model, segment, metric and cutoff.

        Example:
            >>> import pyarrow as pa, sqlrec
            >>> users = ["ann", "bob", "cyd"]
            >>> recs = pa.table({"user_id": users, "item_id": [["a", "b"], ["b", "a"], ["c", "d"]]})
            >>> truth = pa.table({"user_id": users, "item_id": ["a", "a", "a"]})
            >>> plan = sqlrec.power("mrr@2", recs=recs, truth=truth, difference=0.1)
            >>> plan.to_arrow()["users_needed"].to_pylist()
            [393]

        Raises:
            MetricError, DataError: As in ``evaluate`` and ``compare``.
            InputError: As in ``evaluate`` and ``compare``; also if you give neither metrics nor
                results, or both; if the results contain no standard errors; or if the difference is
                0.
        """
        from .analyses.power import NextTest
        from .analyses.power import power as plan_test

        test = NextTest(difference, sample_size, power, level, sides)
        return plan_test(self._call(by, rules).with_metrics(metrics), test, baseline, cluster)

    def plot(
        self,
        name: PlotName,
        metrics: str | Iterable[str] = (),
        *,
        baseline: str | None = None,
        k: int | str | Iterable[int | str] | None = None,
        by: str | Iterable[str] | Segments = (),
        rules: ConventionName | Rules = "sqlrec",
        interval: IntervalName | Interval = "auto",
        value: float | str | None = None,
    ) -> Plot:
        """Return a plot.

        The plots are:

        - ``curve``: metrics by cutoff, with their intervals.
        - ``history``: metrics by the column ``step`` of stored results.
        - ``tradeoff``: the first metric against the last.
        - ``forest``: differences from the baseline by segment, with their intervals.
        - ``differences``: users' differences from the baseline, sorted to show who gains and who
          loses.
        - ``activity``: metrics by the number of items in a user's ``history``.
        - ``longtail``: the shares of recommendations and of ``history``, by decile of item
          popularity.
        - ``lorenz``: the cumulative share of recommendations over the items of ``catalog``, or over
          the recommended items.
        - ``ranks``: the share of hits at each rank.
        - ``calibration``: the share of each ``category`` of ``items``, in lists and in ``history``.
        - ``weights``: the weights of the logged decisions in ``logs``, for off-policy metrics.
        - ``waterfall``: the steps from sqlrec's value of a metric to ``value``.

        Args:
            name: One of the plots above.
            metrics: The metrics, as in ``evaluate``. ``calibration``, ``longtail``, ``lorenz``,
                ``ranks`` and ``weights`` take no metrics.
            baseline: The model that ``forest`` and ``differences`` compare with.
            k: The cutoff of plots without metrics, by default 10; for other plots as in
                ``evaluate``.
            by, rules: As in ``evaluate``.
            interval: The interval of a mean, as in ``evaluate``, or of a difference, as in
                ``compare``.
            value: The value that ``waterfall`` ends at, as in ``explain``.

        Returns:
            A Plot, which notebooks display. ``data`` is the table of the plot, ``sql`` is the query
            for this table, ``spec`` is a Vega-Lite specification, and ``save`` writes a file.

        Raises:
            MetricError, DataError: As in ``evaluate`` and ``compare``.
            InputError: As in ``evaluate`` and ``compare``; also if the plot does not exist, or if a
                required input is missing.
        """
        from .analyses.plot import plot

        call = self._call(by, rules)
        return plot(call, name, metrics, k, baseline, interval, value)

    def report(
        self,
        metrics: str | Iterable[str],
        *,
        k: int | str | Iterable[int | str] | None = None,
        baseline: str | None = None,
        primary: str | None = None,
        decide: str | Iterable[str] = (),
        by: str | Iterable[str] | Segments = (),
        rules: ConventionName | Rules = "sqlrec",
        level: float = 0.95,
        who_lost: bool | Literal["hashed"] = True,
        libraries: bool = False,
        value: float | str | None = None,
        title: str | None = None,
        note: str | None = None,
        command: str | None = None,
    ) -> Report:
        """Make a report: which model is better, by how much, and for which users it is worse.

        Args:
            metrics: The metrics, as in ``evaluate``. The first metric determines the verdict and
                the users who lose most. Pass several cutoffs to get curves.
            k: The default cutoff, as in ``evaluate``.
            baseline: The model that all other models are compared with. None omits comparisons.
            primary: The metric that decides, instead of the first metric.
            decide: The rules for the decision at the top, as in ``check``: ``"ndcg@10 > main;
                recall@10 >= main - 0.02"``. A rule about segments can omit the model and the
                metric. The model is then the model of the other rules, or else ``baseline``. The
                metric is then the metric of the other rules, or else the first metric.
            by: Columns of segments, as in ``evaluate``. The report shows the segments in which
                models are worse.
            rules: As in ``evaluate``.
            level: The confidence level of the intervals; by default 0.95.
            who_lost: Whether to show the ten users who lose most (default), with the lists of both
                models. Items are shown by title if ``items`` or ``catalog`` contains a column
                ``title``. ``"hashed"`` shows hashes instead of these users' ids.
            libraries: Whether to show the first metric as other libraries compute it. This takes
                longer than all other parts of the report together.
            value: Another value of the first metric, as in ``explain``: the report shows which
                library prints this value, and the steps from sqlrec's value to it.
            title: The title; by default the decision by the primary metric.
            note: A text under the title, such as the data set, its date and the author.
            command: The command that the report shows as its source; by default the Python call.

        Returns:
            A Report with ``html`` and ``markdown``; ``save`` writes a file. Equal inputs produce
            equal bytes.

        Raises:
            MetricError, InputError, DataError: As in ``evaluate`` and ``compare``.
        """
        from .reports.provenance import format_call
        from .reports.report import ReportOfInputs

        options: Any = {"k": k, "baseline": baseline, "primary": primary, "decide": decide}
        options |= {"by": by, "rules": rules, "level": level}
        call = self._call(by, rules).with_metrics(metrics, k, primary)
        command = command or format_call(metrics, self.tables, options)
        texts = value, title, note, command
        return ReportOfInputs(call, baseline, decide, level, who_lost, libraries, *texts).report()


def demo() -> Dataset:
    """Return the example data included with sqlrec: films that people rated in tweets.

    The data contain the lists of three models for 2,831 users (``recs``), the films that they liked
    in August 2013 (``truth``), the films that they rated before (``history``), all films with
    titles and genres (``items`` and ``catalog``), and two segments, ``activity`` and ``era``
    (``users``).

    Example:
        >>> import sqlrec
        >>> sqlrec.demo().evaluate("ndcg@10").best().to_arrow()["model"].to_pylist()
        ['trending']
    """
    from pathlib import Path

    folder = Path(__file__).parent / "cli" / "demo"
    tables: Any = {path.stem: path for path in folder.glob("*.parquet")}
    return Dataset(**tables, catalog=tables["items"])


_INPUTS_HELP = """\
    recs, truth: The inputs, as in ``Dataset``.
    **inputs: The other inputs, as in ``Dataset``. Fields of ``Rules``, ``Interval`` and
        ``Segments`` are also arguments: ``ties="expected"``, ``level=0.9``.
"""

_RESULTS_HELP = """\
    {}: Stored rows, instead of metrics and inputs: a result of ``evaluate`` or ``compare``, the
        path of a Parquet file, or a pandas, Polars or PyArrow table.
"""


def as_function(
    method: Callable[..., Any],
    inputs: type[Any] = Inputs,
    stored: str = "",
    results: Sequence[str] = (),
    later: Sequence[str] = (),
) -> Callable[..., Any]:
    """Return the function that opens a dataset for one call of a method.

    The function has the signature and documentation of the method, and takes the inputs and the
    fields of ``Rules``, ``Interval`` and ``Segments`` as arguments. ``stored`` is the module that
    answers from the arguments ``results``. Methods of the answer may read the inputs ``later``.
    """
    name, own = method.__name__, [*signature(method).parameters.values()][1:]
    shape = _public_signature(own, inputs, results, signature(method).return_annotation)
    defaults = {x.name: x.default for x in shape.parameters.values()}
    options = {x.name for x in own}
    own_names = {*defaults, *inputs.__annotations__} - {"inputs"}
    fields = {x for key, (_, fields) in OBJECTS.items() if key in defaults for x in fields}

    def call(*positional: Any, **keyword_arguments: Any) -> Any:
        keyword_arguments = group_options(keyword_arguments, defaults)
        for option in keyword_arguments:
            if option not in own_names:
                raise unknown_argument(option, own_names | fields, public_methods(Dataset))
        arguments = shape.bind(*positional, **keyword_arguments).arguments
        arguments |= arguments.pop("inputs", {})
        if results:
            arguments.setdefault("metrics", ())
        if arguments.get("results") is not None:
            module = import_module(f".{stored}", __package__)
            return _answer_from_stored(getattr(module, f"{name}_stored"), arguments, defaults)
        tables = {x: arguments.pop(x) for x in [*arguments] if x not in options}
        dataset = Dataset(**{x: table for x, table in tables.items() if x not in results})
        answer = getattr(dataset.single_use(), name)(**arguments)
        command = arguments.get("name", name)
        dataset.tables.warn_about_unused(arguments.get("metrics"), command, later)
        return answer

    call.__module__, call.__name__, call.__qualname__ = f"{__package__}.functions", name, name
    help_texts = f"\n{_RESULTS_HELP.format(', '.join(results)) if results else ''}{_INPUTS_HELP}\n"
    call.__doc__ = re.sub(r"\n\n(?=Returns:)", help_texts, getdoc(method) or "", count=1)
    call.__signature__ = shape  # type: ignore[attr-defined]
    return call


def _public_signature(
    own: list[Parameter], inputs: type[Any], results: Sequence[str], returns: str
) -> Signature:
    """Return the public signature: a method's own parameters, stored results and the inputs."""
    keyword_only = [x for x in own if x.kind is Parameter.KEYWORD_ONLY]
    first = [x.replace(default=()) if results and x.name == "metrics" else x for x in own]
    tables = [
        *((x, Parameter.POSITIONAL_OR_KEYWORD) for x in ("recs", "truth")),
        *((x, Parameter.KEYWORD_ONLY) for x in results),
    ]
    return Signature(
        [
            *first[: len(own) - len(keyword_only)],
            *(Parameter(x, kind, default=None, annotation="Any") for x, kind in tables),
            *(x for x in keyword_only if x.name not in inputs.__annotations__),
            Parameter("inputs", Parameter.VAR_KEYWORD, annotation=f"Unpack[{inputs.__name__}]"),
        ],
        return_annotation=returns,
    )


def _answer_from_stored(
    function: Callable[..., Any], arguments: Arguments, defaults: Arguments
) -> Any:
    """Call the function that answers from a stored result, with the arguments that it accepts."""
    allowed = signature(function).parameters
    for option, value in arguments.items():
        is_empty = isinstance(value, (list, tuple, dict, str)) and not value
        if option in allowed or is_empty or value is defaults.get(option):
            continue
        name = next(iter(changed_options([option], arguments)), option)
        raise InputError(f"results is given: omit {name}, which needs inputs")
    return function(**{x: value for x, value in arguments.items() if x in allowed})
