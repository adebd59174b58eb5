"""The command line: ``sqlrec evaluate``, ``sql``, ``explain``, ``list``, ``show`` and others."""

from __future__ import annotations

import argparse
import io
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from .. import __version__
from ..catalogue import headers
from ..catalogue.conventions import conventions
from ..dialects import DIALECTS
from ..engines.files import is_there, listed
from ..errors import InputError, SqlrecError
from ..paths import sql_folder
from ..run.segments import GROUPINGS
from ..shown import printable, shown
from ..statistics.formulas import CORRECTIONS, INTERVALS, TESTS
from .words import of_the_line

if TYPE_CHECKING:
    import pyarrow as pa

    from ..results.rows import Rows

_EVALUATE = """\
Evaluate recommendations against what users wanted: every metric at every cutoff, in one pass.

RECS has a row per place of a list: user_id, item_id, and score or rank.
TRUTH has a row per user and item: user_id, item_id and, where it is graded, relevance.
Some metrics need other inputs: `sqlrec show METRIC` tells which.
All are Parquet, CSV or JSON lines files, a glob or a folder of them; or tables of --engine.

  sqlrec evaluate ndcg@10 recall@50 --recs recs.parquet --truth truth.parquet
  sqlrec evaluate map@10 --recs als=als.parquet --recs pop=pop.csv --truth truth.parquet
  sqlrec evaluate ndcg@10 --recs recs.parquet --truth truth.parquet --by country -o ndcg.parquet
"""

# The exit code of a check that failed.
FAILED = 3

_SQL = """\
Print the statement that `sqlrec evaluate` runs. The inputs are looked at for their columns; the
metrics are not computed. With --dialect nothing is looked at: the statement is for you to paste.

  sqlrec sql ndcg@10 map@10 --dialect bigquery --recs shop.recs --truth shop.orders
  sqlrec sql ndcg@10 --dialect snowflake --recs recs --truth truth --column relevance=stars
"""

_COMPARE = """\
Compare models with one of them, --baseline MODEL, user by user: differences with their intervals,
wins and losses, and how likely they are by chance, corrected for how many are asked.

  sqlrec compare ndcg@10 --recs als=als.parquet --recs pop=pop.csv --truth truth.parquet \
      --baseline pop
"""

_EXPLAIN = """\
Compute metrics as each library would; tell what makes the values differ, and for how many users.

  sqlrec explain map@10 --recs recs.parquet --truth truth.parquet
"""

# Options of the command line that Python has under the same name, and that no rule is.
_OTHERS = ("convention", "depth", "groupings", "interval", "level", "replicates", "cluster")

_CHECK = """\
Check metrics against limits, or against what an earlier evaluate wrote, for a job of CI. A line for
each check says pass or FAIL; the exit code is 3 if one fails.

FILE holds values of users (`sqlrec evaluate --table per-user -o FILE`), which are compared user by
user, or a result. With a margin, the lower 95 % limit of the difference has to lie above -MARGIN;
where less is better, as of errors, the upper one below MARGIN.

  sqlrec check ndcg@10 recall@50 --recs recs.parquet --truth truth.parquet --min ndcg@10=0.3
  sqlrec check ndcg@10 --recs recs.parquet --truth truth.parquet --against main.parquet --margin 1%
"""

_PLOT = """\
Draw a plot and write it as the ending of FILE says: .svg, .html, .json (Vega-Lite), .png or .pdf.
Without -o its small table is printed.

  curve        metrics by cutoff                 tradeoff     the first metric over the last
  forest       differences by segment            differences  users' differences in order
  activity     metrics by size of the history    longtail     places by popularity of items
  lorenz       how few items take all places     places       at which places hits are
  conventions  a metric as libraries print it    history      stored results by a column step

  sqlrec plot curve ndcg@5,10,20 --recs recs.parquet --truth truth.parquet -o curve.svg
  sqlrec plot forest ndcg@10 --recs recs.parquet --truth truth.parquet --baseline pop \
      --users users.parquet --by country -o forest.png
  sqlrec plot longtail -k 10 --recs recs.parquet --history train.parquet -o longtail.svg
  sqlrec plot curve --from evaluation.parquet -o curve.svg
"""

_LIST = """\
List the metrics, each with what a better model has of it: higher values, lower ones, or neither.
"""

_EXITS = (
    "Exit codes: 0 done; 1 what was asked or given can't be used; 2 the command line is wrong; "
    "3 a check failed; 130 interrupted; 141 the reader of a pipe went away."
)

INTERRUPTED, PIPE_CLOSED = 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = argparse.Namespace(code=None)
    try:
        if arguments is None:
            # As a program, it leaves nothing behind where it is told to end, as with Ctrl-C.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            _open_streams()
        try:
            _parser().parse_args(arguments, options)
        except SystemExit as stop:  # After a message, or the help.
            options.code = int(stop.code or 0)
        else:
            _run(options)
        sys.stdout.flush()
        return int(options.code or 0)
    except SqlrecError as error:
        _say(of_the_line(str(error)))
        return 1
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe has seen enough, as `head` does. What a check found stays so.
        _leave_stdout()
        return PIPE_CLOSED if options.code is None else int(options.code)
    except OSError as error:
        _leave_stdout()
        _say(str(error))
        return 1


def _run(options: argparse.Namespace) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        options.run(options)


def _open_streams() -> None:
    """Open what is closed, lest a file that is written takes its number; and stderr hears nothing.

    What is printed is an error then, as it would be lost.
    """
    modes = {"stdin": os.O_RDONLY, "stdout": os.O_RDONLY, "stderr": os.O_WRONLY}
    for name, mode in modes.items():
        if getattr(sys, name) is None:
            number = os.open(os.devnull, mode)
            setattr(sys, name, os.fdopen(number, "r" if name == "stdin" else "w"))


def _leave_stdout() -> None:
    """Let go of what stdout could not take, so that the end of the process does not try again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str) -> None:
    """Say something in a line on stderr, if somebody hears it."""
    with suppress(OSError, ValueError):
        print(f"sqlrec: {shown(message)}", file=sys.stderr)


def _print(text: str) -> None:
    """Print what was asked for; a terminal gets no character that it would act on."""
    print(printable(text, kept="\n\t") if sys.stdout.isatty() else text)


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"sqlrec: {shown(message)}; see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="sqlrec",
        description="Recommender-evaluation metrics, written once as SQL.",
        epilog=_EXITS,
    )
    parser.add_argument("--version", action="version", version=f"sqlrec {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    evaluate = _command(commands, "evaluate", "compute metrics", _EVALUATE, _evaluate)
    _add_inputs(evaluate)
    evaluate.add_argument(
        "--table",
        choices=("result", "per-user", "accounting"),
        help="what to write: the result (default), the values of users, or who was counted; "
        "--format trec writes the values of users and the result without it",
    )
    evaluate.add_argument(
        "--format",
        choices=("table", "csv", "json", "markdown", "parquet", "trec"),
        help="how to write it; by default as the ending of FILE says, else as a table; "
        "trec is what trec_eval -q prints, and METRIC can then be one of its measures",
    )
    evaluate.add_argument(
        "-Z",
        "--zscores",
        metavar="FILE",
        help="as in trec_eval: with --format trec, how many standard deviations values are above a "
        "mean; FILE has a topic, a measure, the mean and the deviation in each line",
    )
    evaluate.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE, which appears whole or not at all"
    )

    _add_interval(evaluate, INTERVALS)
    evaluate.add_argument(
        "--summary",
        action="append",
        metavar="SUMMARY",
        help="a further column, as in median, p90, standard_deviation, zero_share; may be repeated",
    )

    compare = _command(commands, "compare", "compare models, user by user", _COMPARE, _compare)
    _add_inputs(compare)
    _add_interval(compare, ("t", "normal", "bootstrap"))
    compare.add_argument("--test", choices=TESTS, default="t", help="where p comes from")
    compare.add_argument(
        "--correction",
        choices=CORRECTIONS,
        default="holm",
        help="what is done about many tests",
    )
    compare.add_argument(
        "--worse", action="store_true", help="show where models are worse, the surest first"
    )
    _add_format(compare)

    sql = _command(
        commands,
        "sql",
        "print a statement for the metrics, to paste",
        _SQL,
        _sql,
    )
    _add_inputs(sql)
    sql.add_argument("--per-user", action="store_true", help="stop before the mean over users")
    forms = sql.add_mutually_exclusive_group()
    for form, meaning in (
        ("audited", "print what evaluate runs: it counts users and broken rules too"),
        ("check", "print what finds broken rules alone, a row for each with an example"),
        ("steps", "print numbered statements with temporary tables"),
    ):
        forms.add_argument(
            f"--{form}",
            dest="form",
            action="store_const",
            const=form,
            default="plain",
            help=meaning,
        )
    sql.add_argument(
        "--dialect",
        choices=DIALECTS,
        help="whose SQL to write, for tables that are not looked at: RECS and TRUTH are then names "
        "of tables, RECS has a score, and other columns are there where --column names them",
    )

    check = _command(commands, "check", "check metrics against limits", _CHECK, _check)
    _add_inputs(check)
    limits = check.add_argument_group("checks", "of metrics that are computed; may be repeated")
    for name, meaning in (("min", "least"), ("max", "largest")):
        limits.add_argument(
            f"--{name}", action="append", metavar="METRIC=VALUE", help=f"the {meaning} value"
        )
    limits.add_argument(
        "--against", metavar="FILE", help="what evaluate wrote before, Parquet or CSV"
    )
    limits.add_argument(
        "--margin",
        action="append",
        metavar="[METRIC=]MARGIN",
        help="how much worse than in FILE a metric may be: 0.005, or 1%% of the value there; "
        "without METRIC for all others",
    )
    limits.add_argument(
        "--level", type=float, default=argparse.SUPPRESS, help="how sure to be of it; 0.95"
    )
    _add_format(check)

    explain = _command(commands, "explain", "tell why libraries' values differ", _EXPLAIN, _explain)
    _add_inputs(explain)
    _add_format(explain)

    plot = _command(commands, "plot", "draw a plot", _PLOT, _plot)
    plot.add_argument("name", metavar="PLOT", help="one of those above")
    _add_inputs(plot, metrics="*")
    _add_interval(plot, INTERVALS)
    plot.add_argument("-k", type=int, metavar="K", default=argparse.SUPPRESS, help="a cutoff; 10")
    plot.add_argument(
        "--from", dest="results", metavar="FILE", help="what evaluate or compare wrote, as Parquet"
    )
    plot.add_argument("-o", "--output", metavar="FILE", help="write the plot to FILE")

    _command(commands, "list", "list the metrics", _LIST, _list)
    show = _command(
        commands, "show", "describe a metric", "Describe a metric: formula, source, rules.", _show
    )
    show.add_argument("metric", help="a name or an alias, as `sqlrec list` shows them")
    _command(
        commands,
        "conventions",
        "list the libraries' conventions",
        "List the conventions: the library and version each was held against, and its metrics.",
        _conventions,
    )
    _command(
        commands,
        "dbt-path",
        "print where the dbt package is",
        "Print the folder of the dbt package, for `local:` in packages.yml.",
        _dbt_path,
    )
    return parser


def _command(
    commands: Any, name: str, help: str, description: str, run: Callable[[Any], None]
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help,
        description=description,
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def _add_inputs(parser: argparse.ArgumentParser, metrics: str = "+") -> None:
    """Add the arguments of ``sqlrec.evaluate``; those not given keep their defaults there."""
    from ..rules import ALLOWED

    parser.add_argument("metrics", nargs=metrics, metavar="METRIC", help="as in ndcg@10, map@5,all")
    inputs = parser.add_argument_group("inputs")
    inputs.add_argument(
        "--recs",
        action="append",
        default=[],
        metavar="[MODEL=]RECS",
        help="the recommendations; several models: a column model, or --recs once for each",
    )
    inputs.add_argument("--truth", help="what users wanted")
    inputs.add_argument("--history", help="what users had before: user_id, item_id")
    inputs.add_argument("--catalog", help="all items that could be recommended: item_id")
    inputs.add_argument("--items", help="what is known of items, as `sqlrec show METRIC` names it")
    inputs.add_argument(
        "--baseline", help="recommendations of another model, to hold lists against"
    )
    inputs.add_argument("--logs", help="decisions that were taken, and what came of them")
    inputs.add_argument("--users", help="segments of users: user_id and the columns of --by")
    inputs.add_argument(
        "--by", action="append", metavar="COLUMN", help="evaluate by segment; may be repeated"
    )
    inputs.add_argument(
        "--groupings",
        choices=GROUPINGS,
        default=argparse.SUPPRESS,
        help="by all --by columns together, or also by each alone, and of everyone",
    )
    inputs.add_argument(
        "--column",
        action="append",
        metavar="OURS=YOURS",
        help="your name of a column: user_id=uid, or for one input truth.item_id=sku",
    )
    inputs.add_argument(
        "--engine",
        metavar="ENGINE",
        help="where the tables are: a DuckDB database, postgresql://..., or spark",
    )
    duckdb = parser.add_argument_group("DuckDB", "in memory, or with a database of --engine")
    duckdb.add_argument(
        "--threads", type=int, metavar="N", help="how many it takes; by default one for each core"
    )
    duckdb.add_argument(
        "--memory-limit", metavar="SIZE", help="as in 4GB; by default four fifths of the memory"
    )
    duckdb.add_argument(
        "--temp-directory",
        metavar="DIR",
        help="where that goes which the memory does not hold; by default a folder among the "
        "system's temporary files, which is removed afterwards",
    )
    rules = parser.add_argument_group("rules", "the first of each is the default")
    meaning = {
        "population": "who is averaged over",
        "order": "what orders a list that has both; by default they have to agree",
        "ties": "which of two items with equal scores comes first, also by relevance; or what is "
        "expected of any order",
        "duplicates": "an item twice in a list or truth is an error, or counts at its best",
        "null_scores": "a score that is null or NaN is an error, comes last, or is left out",
    }
    rules.add_argument(
        "--convention",
        default=argparse.SUPPRESS,
        help="whose form of the metrics is meant: sqlrec, or a library, as `sqlrec conventions` "
        "shows them; the rules below count more",
    )
    for name, allowed in ALLOWED.items():
        rules.add_argument(
            f"--{name.replace('_', '-')}",
            choices=[choice for choice in allowed if choice],
            default=argparse.SUPPRESS,
            help=meaning[name],
        )
    rules.add_argument(
        "-c",
        dest="population",
        action="store_const",
        const="judged",
        default=argparse.SUPPRESS,
        help="as in trec_eval: --population judged",
    )
    rules.add_argument(
        "-l",
        "--relevance-threshold",
        type=float,
        metavar="R",
        default=argparse.SUPPRESS,
        help="items are relevant from this relevance on; by default above 0",
    )
    rules.add_argument(
        "-M",
        "--depth",
        type=int,
        metavar="N",
        default=argparse.SUPPRESS,
        help="lists end at place N, counted without what the rules leave out; by default nowhere",
    )


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=("table", "csv", "json", "markdown"),
        default="table",
        help="how to write it",
    )


def _add_interval(parser: argparse.ArgumentParser, known: Sequence[str]) -> None:
    statistics = parser.add_argument_group("statistics")
    statistics.add_argument(
        "--interval", choices=known, default=argparse.SUPPRESS, help="the interval of what is found"
    )
    statistics.add_argument(
        "--level", type=float, default=argparse.SUPPRESS, help="how often it holds; 0.95"
    )
    statistics.add_argument(
        "--replicates",
        type=int,
        metavar="N",
        default=argparse.SUPPRESS,
        help="how often users are drawn again; 1000",
    )
    statistics.add_argument(
        "--cluster",
        metavar="COLUMN",
        default=argparse.SUPPRESS,
        help="a column of users that names groups of them, which are drawn then",
    )


def _arguments(options: argparse.Namespace) -> dict[str, Any]:
    """Turn the command line into arguments of ``sqlrec.evaluate``."""
    from ..rules import OPTIONS

    given = {
        name: getattr(options, name) for name in (*_OTHERS, *OPTIONS) if hasattr(options, name)
    }
    columns = {}
    for pair in options.column or []:
        ours, equals, yours = pair.partition("=")
        if not equals:
            raise InputError(f"--column {pair}: write OURS=YOURS, as in user_id=uid")
        columns[ours] = yours
    return given | {
        "recs": _given(_recs(options.recs), options) if options.recs else None,
        **{name: _given(getattr(options, name), options) for name in headers.SINGLE_TABLES},
        "by": options.by or [],
        "columns": columns,
        "progress": sys.stderr.isatty(),
    }


def _given(given: Any, options: argparse.Namespace) -> Any:
    """Say that a plain name is a path's, where there is one and no database with tables."""
    if isinstance(given, dict):
        return {model: _given(one, options) for model, one in given.items()}
    plain = isinstance(given, str) and options.engine is None and Path(given).name == given
    return f"./{given}" if plain and is_there(given) else given


def _recs(given: list[str]) -> str | dict[str, str]:
    named = [re.fullmatch(r"(\w[\w.-]*)=(.+)", text) for text in given]
    # A folder of hive partitions is named like a model, as in m=*/*.parquet.
    if len(given) == 1:
        first = Path(given[0]).parts[0] if given[0] else ""
        if named[0] is None or is_there(first) or listed(first):
            return given[0]
    models: dict[str, str] = {}
    for text, match in zip(given, named, strict=True):
        if match is None:
            raise InputError(f"--recs {text}: with several, name each model, as in als=als.parquet")
        if match[1] in models:
            raise InputError(f"--recs {text}: model {match[1]!r} is given twice")
        models[match[1]] = match[2]
    return models


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of DuckDB that are given."""
    named = {name: getattr(options, name) for name in ("threads", "memory_limit", "temp_directory")}
    return {name: value for name, value in named.items() if value is not None}


@contextmanager
def _engine(options: argparse.Namespace) -> Iterator[Any]:
    """Open what ``--engine`` names, and close it."""
    from ..engines import opened, path_of
    from ..engines.duckdb import connect

    given, settings = options.engine, _settings(options)
    if settings and given is not None and path_of(given) is None:
        named = ", ".join(f"--{name.replace('_', '-')}" for name in settings)
        raise InputError(f"{named}: a setting of DuckDB; leave it out with another --engine")
    connection = connect(settings=settings) if given is None else opened(given, settings)
    try:
        yield connection
    finally:
        # Spark's session ends with the process: it may be somebody else's.
        if given != "spark":
            connection.close()


def _evaluate(options: argparse.Namespace) -> None:
    from ..analyses.trec import printed
    from ..evaluation import evaluate
    from ..results.writing import check_target

    form = options.format or _format_of(options.output)
    if options.output is not None:
        check_target(options.output, _read(options))
    if options.zscores is not None and form != "trec":
        raise InputError(f"--zscores {options.zscores} is of measures of trec_eval: --format trec")
    if options.output is None and form == "parquet":
        raise InputError("--format parquet needs -o FILE: Parquet is not for the terminal")
    with _engine(options) as engine:
        if form == "trec":
            given = _arguments(options) | {"engine": engine}
            _write(
                options.output, printed(options.metrics, options.table, options.zscores, **given)
            )
            return
        summaries = " ".join(options.summary or [])
        given = _arguments(options)
        result = evaluate(options.metrics, **given, engine=engine, summaries=summaries)
        tables = {"result": result, "accounting": result.accounting, "per-user": result.per_user()}
        table = tables[options.table or "result"]
        if form == "parquet":
            table.to_parquet(options.output)
            return
        written = _written(table.rows(), form)
        if form == "table" and options.table in (None, "result") and options.output is None:
            written += "\n\n" + _written(result.accounting.rows(), form)
        _write(options.output, written)


def _read(options: argparse.Namespace) -> Iterator[str]:
    """Go through the paths that a command reads."""
    recs = _recs(options.recs) if options.recs else {}
    names = (*headers.SINGLE_TABLES, "zscores", "engine", "results")
    others = [getattr(options, name, None) for name in names]
    for path in (*(recs.values() if isinstance(recs, dict) else [recs]), *others):
        if path is not None:
            yield from (path, f"{path}.wal")


def _written(rows: pa.Table | Rows, form: str) -> str:
    from ..results.layout import as_markdown, as_text

    if form == "table":
        return as_text(rows, most=sys.maxsize)
    return {"csv": _csv, "json": _json, "markdown": as_markdown}[form](rows)


def _write(output: str | None, written: str) -> None:
    from ..results.writing import replacing

    if output is None:
        _print(written)
    else:
        with replacing(output) as part:
            part.write_text(written + "\n", encoding="utf-8")


def _compare(options: argparse.Namespace) -> None:
    from ..analyses.compare import compare

    given = _arguments(options) | {"baseline": options.baseline}
    given |= {"test": options.test, "correction": options.correction}
    with _engine(options) as engine:
        found = compare(options.metrics, **given, engine=engine)
        rows = (found.worse() if options.worse else found).to_arrow()
    _print(_written(rows, options.format))


def _check(options: argparse.Namespace) -> None:
    from ..analyses.check import check

    with _engine(options) as engine:
        found = check(
            options.metrics,
            min=_by_metric("min", options.min),
            max=_by_metric("max", options.max),
            against=options.against,
            margin=_by_metric("margin", options.margin),
            **_arguments(options),
            engine=engine,
        )
    # Before it is printed: the reader of a pipe may go.
    options.code = 0 if found.passed else FAILED
    rows = found.to_arrow()
    _print(_written(rows, options.format))


def _by_metric(option: str, given: list[str] | None) -> dict[str, str]:
    """Read METRIC=VALUE; what is for all metrics has no name, and margins alone have such."""
    found: dict[str, str] = {}
    for text in given or []:
        # Parameters have equal signs too, as in f_beta(beta=2)@5=0.3.
        metric, _, value = text.rpartition("=")
        if not metric and option != "margin":
            raise InputError(f"--{option} {text}: write METRIC=VALUE, as in ndcg@10=0.3")
        if metric in found:
            raise InputError(
                f"--{option} {text}: {metric or 'all metrics'} given twice: once is enough"
            )
        found[metric] = value
    return found


def _explain(options: argparse.Namespace) -> None:
    from ..analyses.explain import explain

    given = _arguments(options)
    convention = given.pop("convention", None)
    conventions = None if convention is None else [convention]
    with _engine(options) as engine:
        found = explain(options.metrics, conventions=conventions, **given, engine=engine)
    _print(str(found) if options.format == "table" else _written(found.to_arrow(), options.format))


def _plot(options: argparse.Namespace) -> None:
    from ..analyses.plot import plot
    from ..plots.plot import FORMATS
    from ..results.writing import check_target

    if options.output is not None:
        check_target(options.output, _read(options))
        if Path(options.output).suffix.lower() not in FORMATS:
            raise InputError(f"-o {options.output}: a plot's ending is one of {', '.join(FORMATS)}")
    given = _arguments(options) if options.results is None else {}
    given |= {"k": options.k} if hasattr(options, "k") else {}
    with _engine(options) as engine:
        given |= {"engine": engine} if options.results is None else {"results": options.results}
        found = plot(options.name, options.metrics, **given)
        if options.output is None:
            _print(_written(found.data.rows(), "table"))
        else:
            found.save(options.output)


def _format_of(output: str | None) -> str:
    if output is None:
        return "table"
    endings = {".parquet": "parquet", ".csv": "csv", ".json": "json", ".md": "markdown"}
    ending = Path(output).suffix.lower()
    if ending not in endings and ending not in ("", ".txt"):
        raise InputError(
            f"-o {output}: the ending says the format, one of {', '.join(endings)}, .txt; "
            "or give --format"
        )
    return endings.get(ending, "table")


def _csv(rows: pa.Table | Rows) -> str:
    import csv

    text = io.StringIO()
    plain = csv.writer(text, lineterminator="\n")
    # Python does not quote this by itself.
    quoting = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in (rows.column_names, *(row.values() for row in rows.to_pylist())):
        returns = any(isinstance(cell, str) and "\r" in cell for cell in row)
        (quoting if returns else plain).writerow(row)
    return text.getvalue().rstrip("\n")


def _json(rows: pa.Table | Rows) -> str:
    import json

    lines = (json.dumps(row, default=str, ensure_ascii=False) for row in rows.to_pylist())
    return "[\n" + ",\n".join(lines) + "\n]"


def _sql(options: argparse.Namespace) -> None:
    from ..evaluation import sql

    if options.dialect and options.engine:
        raise InputError("--dialect and --engine: give one, an engine has a dialect")
    asked = {"per_user": options.per_user, "form": options.form, **_arguments(options)}
    if options.dialect:
        _print(sql(options.metrics, dialect=options.dialect, settings=_settings(options), **asked))
        return
    with _engine(options) as engine:
        _print(sql(options.metrics, engine=engine, **asked))


def _list(options: argparse.Namespace) -> None:
    found = headers.metrics().values()
    width = max(len(", ".join((metric.name, *metric.aliases))) for metric in found)
    for family in headers.FAMILIES:
        _print(f"{family}:")
        for metric in found:
            if metric.family == family:
                names = ", ".join((metric.name, *metric.aliases))
                _print(f"  {names:{width}}  {metric.better:7}  {metric.title}")


def _show(options: argparse.Namespace) -> None:
    _print(headers.metric(options.metric).header)


def _conventions(options: argparse.Namespace) -> None:
    for name, found in conventions().items():
        about = (
            f"{found.library} {found.version}" if found.library else "what sqlrec does by itself"
        )
        _print(f"{name:<15} {about}")
        if found.entries:
            _print(" " * 16 + ", ".join(sorted({entry.metric for entry in found.entries})))


def _dbt_path(options: argparse.Namespace) -> None:
    _print(str(sql_folder()))


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _say(of_the_line(str(message)))
