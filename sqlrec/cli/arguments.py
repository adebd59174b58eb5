"""Commands of the command line and their options."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from .. import __version__
from ..catalogue.headers import FAMILIES
from ..dialects import DIALECTS
from ..display.text import terminal_width
from ..engines.files import is_path, path_exists
from ..engines.formats import FORMATS
from ..errors import nearest
from ..options import (
    ADJUST,
    ALTERNATIVE,
    BATCHES,
    CLUSTER,
    CONVENTION,
    CORRECTION,
    DEPTH,
    ESTIMATORS,
    GROUPINGS,
    INTERVAL,
    INTERVAL_OF_DIFFERENCES,
    INTERVAL_OF_LIMITS,
    LEVEL,
    ORDER_BY,
    PRIMARY,
    REPLICATES,
    RULES,
    TEST,
    USER_WEIGHTS,
    Option,
)
from .output import add_into, add_look, add_output, add_paper, to_stderr

_PROGRAM = """\
Recommender-evaluation metrics, written once as SQL.

examples:
  sqlrec demo
  sqlrec evaluate ndcg@10 recall@50 --recs recs.parquet --truth truth.parquet
  sqlrec report ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --baseline pop -o report.html
  sqlrec list ranking
  sqlrec show ndcg
"""

_EVALUATE = """\
examples:
  sqlrec evaluate ndcg@10 recall@50 --recs recs.parquet --truth truth.parquet
  sqlrec evaluate map@5,10 --recs als=als.csv --recs pop=pop.csv \\
      --truth truth.csv
  sqlrec evaluate ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --by country --interval t -o ndcg.html

Evaluate recommendations against the relevant items: every metric at every
cutoff, in one pass.

RECS has a row per place of a list: user_id, item_id, and score or rank.
TRUTH has a row per user and item: user_id, item_id and, where it is graded,
relevance. Some metrics need other inputs: `sqlrec show METRIC` lists them.
All are Parquet, CSV or JSON lines files, a glob or a folder of them; or tables
of --engine.
"""

_SQL = """\
examples:
  sqlrec sql ndcg@10 map@10 --dialect bigquery \\
      --recs shop.recs --truth shop.orders
  sqlrec sql ndcg@10 --dialect snowflake --column relevance=stars

Print the SQL statement of metrics, to paste. sqlrec reads the columns of the
inputs and computes nothing. With --dialect it reads no input.
"""

_COMPARE = """\
examples:
  sqlrec compare ndcg@10 map@10 --recs als=als.parquet --recs pop=pop.csv \\
      --truth truth.parquet --baseline pop
  sqlrec compare ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --baseline pop --by country --worse

Compare models user by user: with --baseline MODEL, or every pair. Print
differences with their intervals, wins, ties and losses (W/T/L), and p-values,
corrected for the number of tests.
"""

_POWER = """\
examples:
  sqlrec power ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --difference 1%
  sqlrec power ndcg@10 --recs new=new.parquet --recs old=old.parquet \\
      --truth truth.parquet --baseline old --by country --difference 0.005
  sqlrec power --from comparison.parquet --sample-size 20000

Plan a test: how many users it needs to find a difference, and the smallest
difference that it finds, for each metric and segment. With --baseline, or from
a file that compare wrote, the same users see both models; otherwise two groups
of users see one model each, as in an A/B test.
"""

_INTERLEAVED = """\
examples:
  sqlrec interleaved impressions.parquet
  sqlrec interleaved clicks.csv --baseline old --ties drop --by country

Find which model people prefer, from lists that mix items of several models, as
in team-draft interleaving. Of two models, the one with more clicks in an
impression wins it.

IMPRESSIONS has a row per item shown: impression_id, model (which contributed
the item), click, and optionally user_id and item_id.
"""

_EXPLAIN = """\
examples:
  sqlrec explain map@10 --recs recs.parquet --truth truth.parquet
  sqlrec explain ndcg@10 --value 0.132 --recs recs.csv --truth truth.csv
  sqlrec explain ndcg@10 --like ranx --like rectools --recs r.csv --truth t.csv

Compute metrics as each library would. Explain what makes the values differ,
and for how many users. With --value, name the library that prints a value, the
steps from sqlrec's value to it, and the request that prints it too.
"""

_IDENTIFY = """\
examples:
  sqlrec identify metrics:ndcg_at_k --metric ndcg@10
  sqlrec identify shop.evaluation:map --metric map@12

Call a Python function on small tables, and name the library's form of the
metric that it computes, or what it does differently: equals sqlrec, but averages
over users with a hit. The function takes lists and truth, as dicts, pandas
frames, arrays or lists, or the grades of a list, and returns a number; a
parameter named k or n gets the cutoff. MODULE is a module, or a Python file, as
in "my metrics.py:ndcg".
"""

_CHECK = """\
examples:
  sqlrec check "ndcg@10 > main" "recall@50 >= main - 0.02" \\
      --recs new=new.parquet --recs main=main.parquet --truth truth.parquet
  sqlrec check "ndcg@10 >= 0.3" --recs recs.parquet --truth truth.parquet
  sqlrec check ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --against main.parquet --margin 1%

Check metrics against limits, against another model, or against a file that
evaluate wrote before, as a gate in CI. A line for each check says pass or FAIL;
the exit code is 3 if one fails, and 1 if a metric has no rule.

A rule is METRIC >= NUMBER; METRIC > MODEL, significantly better by the test of
compare; METRIC >= MODEL - MARGIN, not worse by the margin, where MODEL is
`stored` for FILE; or no segment of COLUMN worse than MODEL.

FILE holds per-user values (`sqlrec evaluate --table per-user -o FILE`), which
are compared user by user, or a result. -o FILE.xml, or --format junit, writes
JUnit XML, which CI servers show. With a margin, the lower 95 % limit of the
difference must be above -MARGIN; where lower is better, the upper limit must be
below MARGIN.
"""

_PLOT = """\
examples:
  sqlrec plot curve ndcg@5,10,20 --recs recs.parquet --truth truth.parquet \\
      -o curve.svg
  sqlrec plot forest ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --baseline pop --users users.parquet --by country -o forest.png
  sqlrec plot longtail --recs recs.csv --history train.csv -o longtail.svg
  sqlrec plot curve --from evaluation.parquet -o curve.svg

Draw a plot in the format that the ending of FILE names: .svg, .html, .json
(Vega-Lite), .png or .pdf. Without -o, print its values as a table.

  curve        metrics by cutoff               lorenz    how few items take all
  forest       differences by segment          places    where hits are
  activity     metrics by size of the history  longtail  places by popularity
  differences  users' differences in order     history   results by step
  pairs        all pairs of models             weights   weights of logs
  tradeoff     the first metric over the last
  calibration  categories, lists beside history
  conventions  a metric as libraries print it
"""

_REPORT = """\
examples:
  sqlrec report ndcg@5,10,20 recall@10 --recs recs.parquet \\
      --truth truth.parquet --baseline pop --users users.parquet --by country \\
      --items items.parquet --history train.parquet -o report.html
  sqlrec report --from found.parquet --comparison compared.parquet -o report.md

Write a report: an .html file that needs no other file, or .md, for a pull
request or the summary of a job. It has a verdict in sentences, results,
curves, differences by segment, the users who lose most, which items are shown
to whom, the counts of users and lists, what other libraries print, and how all
of it was computed. Where an input is missing, the report says which.
"""

_UNSAMPLED = """\
examples:
  sqlrec unsampled hit_rate@50 ndcg@50 --recs recs.parquet \\
      --truth truth.parquet --catalog-size 20000 --candidates 101

Estimate metrics over the whole catalog from lists that rank each user's
relevant item among a few sampled items. Metrics of such lists are too high,
and may rank models differently. Needs SciPy: pip install 'sqlrec[stats]'.
"""

_DEMO = """\
examples:
  sqlrec demo
  sqlrec demo /tmp/films

Evaluate three models on films that people rated in tweets, which come with
sqlrec: print the result, write the tables and a report to FOLDER, and print
what to type next.
"""

_SELF_TEST = """\
examples:
  sqlrec selftest --engine postgresql://localhost/shop
  sqlrec selftest --engine snowflake://... --schema scratch -o selftest.csv

Test an engine: create tables of some hundred rows under new names, run about a
hundred statements in the engine's dialect, compare the results with stored
values, and remove the tables. The exit code is 3 if a result differs by more
than 1e-12, or if a statement fails.
"""

_NEW_METRIC = """\
examples:
  sqlrec new-metric top_share
  sqlrec evaluate top_share@1 --metrics metrics --recs recs.parquet \\
      --truth truth.parquet

Write a template for a custom metric, and a test for it.
"""

_DBT_INIT = """\
examples:
  sqlrec dbt-init ndcg@10 recall@50 --recs stg_recs --truth shop.orders \
      --day ordered_on --column user_id=customer

Write models of a dbt project to FOLDER: the metrics as means over users, by user
and, with --day, by day, with tests of the data and a unit test. No file is
overwritten.
"""

_DBT_METRICS = """\
examples:
  sqlrec dbt-metrics metrics -o macros/sqlrec_metrics.sql

Write metrics of your own as macros for a dbt project, whose models then use
them by name, like all others.
"""

_LIST = """\
examples:
  sqlrec list
  sqlrec list diversity
  sqlrec list --family ranking --needs recs,truth

List the metrics, with an arrow where higher or lower values are better.
"""

_EXITS = """\
Exit codes: 0 done; 1 invalid request or input; 2 invalid command line; 3 a
check failed; 130 interrupted; 141 the reader of a pipe closed it
"""

# Usage of each command.
_USAGES = {
    "evaluate": "METRIC... --recs R --truth T [options]",
    "compare": "METRIC... --recs R --truth T [--baseline MODEL] [options]",
    "sql": "METRIC... [--dialect DIALECT] [--recs R --truth T] [options]",
    "power": "[METRIC...] --recs R --truth T | --from FILE [options]",
    "interleaved": "IMPRESSIONS [--baseline MODEL] [options]",
    "check": "METRIC... --recs R --truth T --min METRIC=VALUE [options]",
    "explain": "METRIC... --recs R --truth T [options]",
    "identify": "MODULE:FUNCTION --metric METRIC",
    "unsampled": "METRIC... --recs R --truth T --candidates N [options]",
    "demo": "[FOLDER] [options]",
    "doctor": "[options]",
    "selftest": "[--engine ENGINE] [options]",
    "plot": "PLOT METRIC... --recs R --truth T -o FILE [options]",
    "report": "METRIC... --recs R --truth T -o FILE [options]",
    "list": "[WORD] [--family FAMILY] [--needs INPUTS] [options]",
    "show": "METRIC [options]",
    "conventions": "[options]",
    "new-metric": "METRIC [--folder DIR]",
    "dbt-init": "METRIC... --recs MODEL --truth MODEL [options]",
    "dbt-metrics": "DIR [-o FILE]",
    "dbt-path": "",
}


class Parser(argparse.ArgumentParser):
    """A parser with error messages of one line and a short help."""

    def print_short_help(self) -> None:
        """Print the usage, the description, and the names of all options."""
        groups = {group.title or "": group._group_actions for group in self._action_groups}
        flags = {
            title: [
                max(action.option_strings, key=len) for action in actions if action.option_strings
            ]
            for title, actions in groups.items()
        }
        width = max(map(len, flags)) + 2
        lines = [
            line
            for title, names in flags.items()
            if names
            for line in textwrap.wrap(
                f"{title}:".ljust(width) + " ".join(names),
                min(terminal_width(), 80),
                subsequent_indent=" " * width,
                break_on_hyphens=False,
            )
        ]
        print(
            f"{self.format_usage()}\n{(self.description or '').strip()}\n",
            *lines,
            f"\n{self.prog} --help describes each option.",
            sep="\n",
        )

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the command line; an unknown option is an error of its command."""
        options, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return options, rest

    def error(self, message: str) -> NoReturn:
        """Print the error and exit."""
        if match := re.match(
            r"argument (\S+): invalid choice: '(.*?)' \(choose from (.*)\)", message
        ):
            choices = match[3].replace("'", "").split(", ")
            message = f"{match[1]} {match[2]}: {nearest(match[2], choices)}"
        elif match := re.match(r"unrecognized arguments: (--[^\s=]+)", message):
            flags = [flag for flag in self._option_string_actions if flag.startswith("--")]
            message = f"{match[1]}: {nearest(match[1], flags)}"
        self.exit(2, to_stderr(f"{message}; see {self.prog} --help") + "\n")


class ShortHelp(argparse.Action):
    """Print the short help of a command."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        """Add a flag without a value."""
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: Any, *_: Any, **__: Any) -> None:
        """Print it and exit."""
        parser.print_short_help()
        parser.exit()


def parser(commands: Mapping[str, Callable[[argparse.Namespace], None]]) -> argparse.ArgumentParser:
    """Return the parser of the command line, which sets ``run`` to the function of the command."""
    parser = Parser(
        prog="sqlrec",
        description=_PROGRAM,
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"sqlrec {__version__}")
    added = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, (help, description, add) in _COMMANDS.items():
        command = added.add_parser(
            name,
            help=help,
            usage=f"sqlrec {name} {_USAGES[name]}".strip(),
            description=description,
            epilog=_EXITS,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=False,
        )
        command.add_argument("-h", action=ShortHelp, help="show the names of all options and exit")
        command.add_argument("--help", action="help", help="show this help message and exit")
        command.set_defaults(run=commands.get(name))
        add(command)
    return parser


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser, resources=(BATCHES,))
    parser.add_argument(
        "--table",
        choices=("result", "per-user", "user-counts", "gaps"),
        help=(
            "the table to write: the result (default), per-user values, counts of users, or "
            "gaps between the segments of --by; without it --format trec writes per-user "
            "values and the result, as trec_eval -q does, and METRIC can be one of its "
            "measures"
        ),
    )
    add_output(parser, "trec")
    add_paper(parser)
    add_into(parser)
    _add_statistics(parser, INTERVAL, ADJUST, USER_WEIGHTS)
    parser.add_argument(
        "--summary",
        action="append",
        metavar="SUMMARY",
        help=(
            "a further column: median, p90, standard_deviation, zero_share or others; may be"
            " repeated"
        ),
    )
    parser.add_argument(
        "--merge",
        metavar="FILE",
        help="add the users of an earlier result, which -o FILE.parquet wrote",
    )


def _add_unsampled(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser)
    group = parser.add_argument_group("sampling")
    for name, metavar, meaning in (
        ("catalog-size", "N", "the number of items in the whole ranking"),
        ("candidates", "N", "the number of items in a list, with the relevant one"),
    ):
        group.add_argument(f"--{name}", type=int, metavar=metavar, required=True, help=meaning)
    group.add_argument(
        "--estimator",
        choices=ESTIMATORS,
        default=ESTIMATORS[0],
        help=(
            "auto (default): mle at cutoffs below catalog size / candidates, else bv; bv: least "
            "bias and variance; cls: least bias within bounds; rank: the most likely rank; mle: "
            "the most likely distribution of ranks"
        ),
    )
    group.add_argument(
        "--gamma",
        type=float,
        default=0.1,
        help="the weight of variance for bv; default 0.1",
        metavar="G",
    )
    group.add_argument(
        "--replacement", action="store_true", help="candidates were drawn with replacement"
    )
    _add(group, LEVEL)
    add_output(parser)


def _add_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        nargs="?",
        default="sqlrec-demo",
        help="the folder to make; default sqlrec-demo",
        metavar="FOLDER",
    )
    parser.set_defaults(long=False, output=None)
    add_look(parser)


def _add_compare(parser: argparse.ArgumentParser) -> None:
    _add_inputs(
        parser,
        baseline=(
            "MODEL",
            "the model that others are compared with; by default every pair is compared",
        ),
    )
    _add_statistics(parser, INTERVAL_OF_DIFFERENCES, ADJUST, USER_WEIGHTS)
    _add(parser, PRIMARY, TEST, CORRECTION, ALTERNATIVE)
    parser.add_argument(
        "--margin",
        action="append",
        metavar="[METRIC=]MARGIN",
        help=(
            "the margin of --alternative: 0.005, or 1%% of the baseline's mean; without "
            "METRIC for all others"
        ),
    )
    parser.add_argument(
        "--worse",
        action="store_true",
        help="show where models are worse, the smallest p-values first",
    )
    parser.add_argument(
        "--find-segments",
        action="store_true",
        help=(
            "show the segments of users in which the difference from --baseline is another one; "
            "of the columns of --by, or of all columns of --users"
        ),
    )
    parser.add_argument(
        "--pivot",
        action="store_true",
        help="show a table of models by metrics, with the baseline, or with letters for all pairs",
    )
    parser.add_argument(
        "--ranks",
        nargs="?",
        const="",
        metavar="COLUMN",
        help=(
            "rank the models, with a common letter for those that do not differ; with "
            "COLUMN, one of --by, rank them over its values, which are data sets"
        ),
    )
    add_output(parser)
    add_paper(parser)
    add_into(parser)


def _add_power(parser: argparse.ArgumentParser) -> None:
    _add_inputs(
        parser,
        metrics="*",
        baseline=("MODEL", "the model that others are compared with, on the same users"),
        cutoffs=False,
    )
    group = parser.add_argument_group("the next test")
    group.add_argument(
        "--from",
        dest="results",
        metavar="FILE",
        help="a Parquet file that compare or evaluate wrote, in place of METRIC and inputs",
    )
    group.add_argument(
        "--difference",
        action="append",
        metavar="[METRIC=]DIFFERENCE",
        help="the difference to find: 0.005, or 1%% of the mean; without METRIC for all others",
    )
    group.add_argument(
        "--sample-size",
        type=int,
        metavar="N",
        help="the number of users, in each group if there are two; by default that of the result",
    )
    group.add_argument(
        "--power",
        type=float,
        default=0.8,
        metavar="P",
        help="the probability of finding the difference; default 0.8",
    )
    group.add_argument(
        "--sides",
        type=int,
        default=2,
        choices=(1, 2),
        help="a two-sided test (default), or a one-sided one",
    )
    _add(group, LEVEL, CLUSTER)
    add_output(parser)


def _add_interleaved(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("impressions", metavar="IMPRESSIONS", help="a file, or a table of --engine")
    parser.add_argument(
        "--baseline",
        metavar="MODEL",
        help="the model that others are compared with; by default every pair is compared",
    )
    for name, choices, meaning in (
        (
            "ties",
            ("half", "drop"),
            "an impression with as many clicks for both models is half a win for each (default), "
            "or left out",
        ),
        (
            "unit",
            ("user", "impression"),
            "the independent units: users, the default if there is a user_id, or impressions",
        ),
        ("correction", ("holm", "bonferroni", "bh", "none"), CORRECTION.help),
    ):
        parser.add_argument(f"--{name}", choices=choices, default=argparse.SUPPRESS, help=meaning)
    _add(parser, LEVEL)
    parser.add_argument(
        "--by",
        action="append",
        metavar="COLUMN",
        default=[],
        help="a column of segments; may be repeated",
    )
    parser.add_argument(
        "--column", action="append", metavar="OURS=YOURS", help="your name of a column"
    )
    parser.add_argument(
        "--engine",
        metavar="ENGINE",
        help="where the table is: a DuckDB database, postgresql://..., or spark",
    )
    parser.set_defaults(threads=None, memory_limit=None, temp_directory=None)
    add_output(parser)


def _add_sql(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser)
    parser.add_argument(
        "--per-user", action="store_true", help="print the statement of per-user values"
    )
    parser.add_argument(
        "--compare-with",
        metavar="MODEL",
        help="print the statement that compares the other models with MODEL, user by user",
    )
    _add(
        parser,
        replace(
            INTERVAL,
            help="add the standard error and the interval of each mean, by normal",
            choices=(None, *INTERVAL.named_choices),
        ),
        LEVEL,
        USER_WEIGHTS,
    )
    forms = parser.add_mutually_exclusive_group()
    for form, meaning in (
        ("audited", "print what evaluate runs, which also counts users and broken rules"),
        ("check", "print a statement that finds broken rules, a row for each with an example"),
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
    parser.add_argument(
        "--estimate",
        action="store_true",
        help="print the engine's plan with its estimates instead, or the bytes that BigQuery reads",
    )
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        metavar="DIALECT",
        help=(
            f"the SQL to write, without reading tables: {', '.join(DIALECTS)}; RECS and TRUTH"
            f" are then names of tables, by default recs and truth, RECS has a score, and other "
            f"columns are those that --column names"
        ),
    )


def _add_check(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser)
    limits = parser.add_argument_group("checks", "each limit may be repeated, for another metric")
    for name, meaning in (("min", "smallest"), ("max", "largest")):
        limits.add_argument(
            f"--{name}",
            action="append",
            metavar="[METRIC=]VALUE",
            help=f"the {meaning} value that passes; without METRIC for all others",
        )
    limits.add_argument(
        "--against", metavar="FILE", help="a Parquet or CSV file that evaluate wrote before"
    )
    limits.add_argument(
        "--margin",
        action="append",
        metavar="[METRIC=]MARGIN",
        help=(
            "how much worse than in FILE a metric may be: 0.005, or 1%% of its value there; "
            "without METRIC for all others"
        ),
    )
    _add(limits, LEVEL, INTERVAL_OF_LIMITS)
    add_output(parser, "junit")


def _add_explain(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser)
    parser.add_argument(
        "--value", metavar="VALUE", help="a value with its digits: which library prints it, and why"
    )
    parser.add_argument(
        "--like",
        action="append",
        metavar="LIBRARY",
        help="the steps from sqlrec's value to a library's; repeat it for several side by side",
    )
    parser.add_argument(
        "--all", dest="full", action="store_true", help="show all values and all causes"
    )
    add_output(parser)


def _add_identify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "function", metavar="MODULE:FUNCTION", help="the function, as Python imports it"
    )
    parser.add_argument("--metric", required=True, metavar="METRIC", help="as in ndcg@10")


def _add_plot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="PLOT", help="one of the plots above")
    _add_inputs(parser, metrics="*", cutoffs=False)
    _add_statistics(parser, INTERVAL)
    parser.add_argument(
        "-k", type=int, metavar="K", default=argparse.SUPPRESS, help="the cutoff; default 10"
    )
    parser.add_argument(
        "--from",
        dest="results",
        metavar="FILE",
        help="a Parquet file that evaluate or compare wrote, in place of METRIC and inputs",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write the plot to FILE")
    add_look(parser)


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("word", nargs="?", help="a word to find in names, aliases and meanings")
    parser.add_argument(
        "--family", choices=FAMILIES, metavar="FAMILY", help=f"one of {', '.join(FAMILIES)}"
    )
    parser.add_argument(
        "--needs",
        action="append",
        metavar="INPUTS",
        help="the inputs that you have, as in recs,truth: metrics that need no others",
    )
    _add_metrics(parser)
    add_output(parser)


def _add_self_test(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine",
        metavar="ENGINE",
        help="a DuckDB or SQLite database, a URL as in postgresql://..., or spark; default DuckDB",
    )
    parser.add_argument(
        "--schema", metavar="SCHEMA", help="where to create the tables, as the engine writes it"
    )
    add_output(parser)


def _add_new_metric(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metric", metavar="METRIC", help="the name of the metric, as in top_share")
    parser.add_argument(
        "--folder", default="metrics", metavar="DIR", help="the folder to write to; default metrics"
    )
    parser.set_defaults(output=None)


def _add_dbt_init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metrics", nargs="+", metavar="METRIC", help=_METRIC)
    for name in ("recs", "truth"):
        meaning = f"the model with {name}, or SOURCE.TABLE"
        parser.add_argument(f"--{name}", required=True, metavar="MODEL", help=meaning)
    parser.add_argument(
        "--day",
        metavar="COLUMN",
        help="the column of recs and truth with the day: a list is that of a user on a day",
    )
    parser.add_argument(
        "--column",
        action="append",
        metavar="OURS=YOURS",
        help="your name of a column; a model, a rank and a relevance are read if they are named",
    )
    parser.add_argument(
        "--folder", default="models", metavar="FOLDER", help="where to write; default models"
    )


def _add_dbt_metrics(parser: argparse.ArgumentParser) -> None:
    meaning = "a folder, a file, or an installed package's name for them"
    parser.add_argument("metrics_path", metavar="DIR", help=meaning)
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE")


def _add_metrics(group: Any) -> None:
    group.add_argument(
        "--metrics",
        dest="metrics_path",
        metavar="DIR",
        help="metrics of your own: a folder, a file, or an installed package's name for them",
    )


def _add_report(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser, metrics="*")
    group = parser.add_argument_group("report")
    _add(group, PRIMARY, LEVEL)
    group.add_argument(
        "--decide",
        action="append",
        metavar="RULE",
        help="a rule of the decision, as in check: 'ndcg@10 > main'; may be repeated",
    )
    group.add_argument(
        "--no-users",
        action="store_true",
        help="leave out the users who lose most, for example if ids are personal data",
    )
    group.add_argument("--hash-users", action="store_true", help="show hashes of user ids")
    group.add_argument(
        "--libraries",
        action="store_true",
        help="show the first metric as other libraries compute it, the slowest part",
    )
    group.add_argument(
        "--title", metavar="TEXT", help="the title; by default the decision by the primary metric"
    )
    group.add_argument(
        "--note", metavar="TEXT", help="a text under the title: the data set, its date, the author"
    )
    group.add_argument(
        "--from",
        dest="results",
        metavar="FILE",
        help="a Parquet file that evaluate wrote, in place of METRIC and inputs",
    )
    group.add_argument(
        "--comparison",
        metavar="FILE",
        help="a Parquet file that compare wrote, in addition to --from",
    )
    group.add_argument("-o", "--output", metavar="FILE", required=True, help="the file to write")


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metric", help="a name or an alias, as `sqlrec list` shows them")
    _add_metrics(parser)
    parser.add_argument(
        "--sql",
        action="store_true",
        help="also print the SQL statement, over tables called recs, truth and so on",
    )
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        metavar="DIALECT",
        help=f"the SQL of that statement: {', '.join(DIALECTS)}",
    )
    add_look(parser)


# Commands: the line in the list of commands, the help, and the function that adds options.
_COMMANDS: Mapping[str, tuple[str, str, Callable[[argparse.ArgumentParser], None]]] = {
    "evaluate": ("compute metrics", _EVALUATE, _add_evaluate),
    "compare": ("compare models, user by user", _COMPARE, _add_compare),
    "sql": ("print the SQL statement of metrics, to paste", _SQL, _add_sql),
    "check": ("check metrics against limits", _CHECK, _add_check),
    "power": ("plan a test: how many users it needs", _POWER, _add_power),
    "interleaved": ("compare models by clicks on mixed lists", _INTERLEAVED, _add_interleaved),
    "unsampled": ("estimate metrics over the whole catalog", _UNSAMPLED, _add_unsampled),
    "explain": ("explain why libraries' values differ", _EXPLAIN, _add_explain),
    "identify": ("name what a Python function computes", _IDENTIFY, _add_identify),
    "plot": ("draw a plot", _PLOT, _add_plot),
    "report": ("write a report", _REPORT, _add_report),
    "list": ("list the metrics", _LIST, _add_list),
    "show": ("describe a metric", "Describe a metric: formula, source, rules.", _add_show),
    "conventions": (
        "list the libraries' conventions",
        "List the conventions: the library and version that each was tested against, and\nits"
        " metrics.",
        add_output,
    ),
    "demo": ("try it on films that come with sqlrec", _DEMO, _add_demo),
    "doctor": (
        "show versions, engines and extras",
        "Show the installed versions, engines and extras, and the folder of compiled\ntemplates.",
        add_output,
    ),
    "selftest": ("test an engine", _SELF_TEST, _add_self_test),
    "new-metric": ("write a metric of your own", _NEW_METRIC, _add_new_metric),
    "dbt-init": ("write models and tests for dbt", _DBT_INIT, _add_dbt_init),
    "dbt-metrics": ("write metrics of your own for dbt", _DBT_METRICS, _add_dbt_metrics),
    "dbt-path": (
        "print where the dbt package is",
        "Print the folder of the dbt package, for `local:` in packages.yml.",
        lambda _: None,
    ),
}


def _add(group: Any, *options: Option) -> None:
    """Add declared options. Options that the caller omits keep their defaults in Python."""
    for option in options:
        group.add_argument(
            *filter(None, [option.flag]),
            f"--{option.name.replace('_', '-')}",
            type=option.type,
            choices=option.named_choices or None,
            **({"nargs": "?", "const": True} if option.switch else {}),
            default=argparse.SUPPRESS,
            metavar=option.metavar,
            help=option.help,
        )
        if None in option.choices and option.default is not None:
            no = f"--no-{option.name.replace('_', '-')}"
            group.add_argument(
                no,
                dest=option.name,
                action="store_const",
                const=None,
                default=argparse.SUPPRESS,
                help=f"leave out {option.name}s",
            )


_METRIC = "a metric with its cutoffs: ndcg@10, map@5,all"


def _add_inputs(
    parser: argparse.ArgumentParser,
    metrics: str = "+",
    baseline: tuple[str, str] = ("RECS", "lists of another model, for metrics that compare lists"),
    resources: tuple[Option, ...] = (),
    cutoffs: bool = True,
) -> None:
    """Add the options of all commands that evaluate."""
    parser.add_argument("metrics", nargs=metrics, metavar="METRIC", help=_METRIC)
    _add_metrics(parser)
    inputs = parser.add_argument_group("inputs")
    inputs.add_argument(
        "--recs",
        action="append",
        default=[],
        metavar="[MODEL=]RECS",
        help="the recommendations, in one or several files; for several models a column model, or"
        " --recs once for each, with its name",
    )
    for name, meaning in _INPUTS.items():
        inputs.add_argument(f"--{name}", metavar=name.upper(), help=meaning, action=Paths)
    inputs.add_argument("--baseline", metavar=baseline[0], help=baseline[1], action=Paths)
    inputs.add_argument(
        "--by", action="append", metavar="COLUMN", help="evaluate by segment; may be repeated"
    )
    _add(inputs, GROUPINGS)
    _add_columns(inputs)
    inputs.add_argument(
        "--engine",
        metavar="ENGINE",
        help="where the tables are: a DuckDB database, postgresql://..., or spark",
    )
    _add_duckdb(parser, *resources)
    rules = parser.add_argument_group("rules", "the first choice is the default, unless stated")
    _add(rules, CONVENTION, *RULES)
    rules.add_argument(
        "-c",
        dest="population",
        action="store_const",
        const="judged",
        default=argparse.SUPPRESS,
        help="as in trec_eval: --population judged",
    )
    _add(rules, ORDER_BY, DEPTH)
    if cutoffs:
        meaning = "cutoffs of metrics that are written without one, as in 5,10; may be repeated"
        parser.add_argument("-k", action="append", metavar="K", help=meaning)


def _add_duckdb(parser: argparse.ArgumentParser, *resources: Option) -> None:
    duckdb = parser.add_argument_group("DuckDB", "in memory, or with a database of --engine")
    duckdb.add_argument(
        "--threads",
        type=int,
        metavar="N",
        help="the number of threads; by default one for each core",
    )
    duckdb.add_argument(
        "--memory-limit",
        metavar="SIZE",
        help="the memory to use, as in 4GB; by default 80 %% of the machine's",
    )
    duckdb.add_argument(
        "--temp-directory",
        metavar="DIR",
        help=(
            "where to write what does not fit into memory; by default a temporary folder, "
            "which is removed afterwards"
        ),
    )
    _add(duckdb, *resources)


class Paths(argparse.Action):
    """Store a path, or a list of paths if the option is repeated."""

    def __call__(self, parser: Any, options: Any, value: Any, option_string: Any = None) -> None:
        """Add the path."""
        before = getattr(options, self.dest)
        paths = [before] if isinstance(before, str) else before or []
        setattr(options, self.dest, [*paths, value] if paths else value)


def repeat_flags(words: Sequence[str]) -> list[str]:
    """Return the words of a command line with the flag of an input before each of its files.

    A shell writes several files behind one flag, for a glob without quotes.
    """
    flags = {"--recs", "--baseline", *(f"--{name}" for name in _INPUTS)}
    repeated: list[str] = []
    flag = ""
    for word in words:
        if word.startswith("-"):
            flag = word if word in flags else ""
        elif flag and repeated[-1] != flag:
            if is_path(word) and path_exists(word):
                repeated.append(flag)
            else:
                flag = ""
        repeated.append(word)
    return repeated


def _add_columns(group: Any) -> None:
    group.add_argument(
        "--input-format",
        action="append",
        metavar="INPUT=FORMAT",
        help=(
            f"the format of a file: {', '.join(FORMATS)}; with delimiter=, header= (yes or no) and"
            " encoding= behind commas: truth=movielens, recs=csv,delimiter=::,header=no"
        ),
    )
    group.add_argument(
        "--column",
        action="append",
        metavar="OURS=YOURS",
        help=(
            "your name of a column: user_id=uid, or for one input truth.item_id=sku; several"
            " columns make a key: user_id=uid,day; user.id is a field of a struct"
        ),
    )
    group.add_argument(
        "--where",
        action="append",
        metavar="INPUT=CONDITION",
        help="read only rows that meet a condition in SQL: --where recs='day = 7'",
    )


# Inputs of a single table, with their help.
_INPUTS = {
    "truth": "the users' relevant items",
    "history": "past interactions of users: user_id, item_id",
    "catalog": "all items that could be recommended: item_id",
    "items": "attributes of items, as `sqlrec show METRIC` names them",
    "logs": "logged decisions with their rewards and propensities",
    "users": "segments of users: user_id and the columns of --by",
}


def _add_statistics(parser: argparse.ArgumentParser, interval: Option, *others: Option) -> None:
    group = parser.add_argument_group("statistics")
    _add(group, interval, LEVEL, REPLICATES, CLUSTER, *others)
