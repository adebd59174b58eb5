"""What the command line takes: its commands, and the options of each."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from .. import __version__
from ..catalogue.headers import FAMILIES
from ..dialects import DIALECTS
from ..errors import nearest
from ..options import (
    ALTERNATIVE,
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
    REPLICATES,
    RULES,
    TEST,
    Option,
)
from ..shown import shown
from .output import add_look, add_output

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
relevance. Some metrics need other inputs: `sqlrec show METRIC` tells which.
All are Parquet, CSV or JSON lines files, a glob or a folder of them; or tables
of --engine.
"""

_SQL = """\
examples:
  sqlrec sql ndcg@10 map@10 --dialect bigquery \\
      --recs shop.recs --truth shop.orders
  sqlrec sql ndcg@10 --dialect snowflake --recs recs --truth truth \\
      --column relevance=stars

Print a statement for the metrics, to paste. The inputs are looked at for their
columns; the metrics are not computed. With --dialect nothing is looked at.
"""

_COMPARE = """\
examples:
  sqlrec compare ndcg@10 map@10 --recs als=als.parquet --recs pop=pop.csv \\
      --truth truth.parquet --baseline pop
  sqlrec compare ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --baseline pop --by country --worse

Compare models with one of them, --baseline MODEL, or every pair, user by user:
differences with their intervals, wins, ties and losses (W/T/L), and how likely
they are by chance, corrected for how many are asked.
"""

_POWER = """\
examples:
  sqlrec power ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --difference 1%
  sqlrec power ndcg@10 --recs new=new.parquet --recs old=old.parquet \\
      --truth truth.parquet --baseline old --by country --difference 0.005
  sqlrec power --from comparison.parquet --sample-size 20000

Tell before a test how many users it needs to find a difference, and the least
difference that it finds, for each metric and segment. With --baseline, or from
what compare wrote, the same users see both models; else users of two groups one
each, as in an A/B test.
"""

_INTERLEAVED = """\
examples:
  sqlrec interleaved impressions.parquet
  sqlrec interleaved clicks.csv --baseline old --ties drop --by country

Tell which model people prefer, of lists that hold items of several models, as
team-draft interleaving makes them: of two models the one with more clicks in an
impression wins it.

IMPRESSIONS has a row per item shown: impression_id, model, which contributed
the item, click and, where they are there, user_id and item_id.
"""

_EXPLAIN = """\
examples:
  sqlrec explain map@10 --recs recs.parquet --truth truth.parquet
  sqlrec explain ndcg@10 --convention ranx --recs recs.csv --truth truth.csv

Compute metrics as each library would; tell what makes the values differ, and
for how many users.
"""

_CHECK = """\
examples:
  sqlrec check ndcg@10 recall@50 --recs recs.parquet --truth truth.parquet \\
      --min ndcg@10=0.3
  sqlrec check ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --against main.parquet --margin 1%

Check metrics against limits, or against what an earlier evaluate wrote, for a
job of CI. A line for each check says pass or FAIL; the exit code is 3 if one
fails.

FILE holds per-user values (`sqlrec evaluate --table per-user -o FILE`), which
are compared user by user, or a result. With a margin, the lower 95 % limit of
the difference has to lie above -MARGIN; where less is better, as of errors, the
upper one below MARGIN.
"""

_PLOT = """\
examples:
  sqlrec plot curve ndcg@5,10,20 --recs recs.parquet --truth truth.parquet \\
      -o curve.svg
  sqlrec plot forest ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --baseline pop --users users.parquet --by country -o forest.png
  sqlrec plot longtail --recs recs.csv --history train.csv -o longtail.svg
  sqlrec plot curve --from evaluation.parquet -o curve.svg

Draw a plot and write it as the ending of FILE says: .svg, .html, .json
(Vega-Lite), .png or .pdf. Without -o its small table is printed.

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

Write a report as the ending of FILE says: .html, one file that needs nothing
else, or .md, for a pull request or the summary of a job. It has a verdict in
sentences, the results, curves, differences by segment, who lost, what is shown
to whom, who was counted, what other libraries print, and how that was found.
Where an input is missing, the report says which.
"""

_UNSAMPLED = """\
examples:
  sqlrec unsampled hit_rate@50 ndcg@50 --recs recs.parquet \\
      --truth truth.parquet --catalog-size 20000 --candidates 101

Estimate metrics of the whole catalogue where each user's relevant item was
ranked among a few sampled ones: metrics of such lists are too high, and may put
models in another order. Needs SciPy: pip install 'sqlrec[stats]'.
"""

_DEMO = """\
examples:
  sqlrec demo
  sqlrec demo /tmp/clicks

Evaluate two rankings of fashion items by real clicks, which come with sqlrec:
print the result, write the inputs and a report to FOLDER, and say what to type
next.
"""

_COMPLETION = """\
examples:
  sqlrec completion bash >> ~/.bashrc
  sqlrec completion zsh >> ~/.zshrc
  sqlrec completion fish > ~/.config/fish/completions/sqlrec.fish

Print what makes a shell complete commands, options, their choices, metrics, and
after --by and --cluster the columns of --users, or else of --truth.
"""

_NEW_METRIC = """\
examples:
  sqlrec new-metric top_share
  sqlrec evaluate top_share@1 --metrics metrics --recs recs.parquet \\
      --truth truth.parquet

Write the file of a metric of your own, and its test beside it, to start from.
"""

_LIST = """\
examples:
  sqlrec list
  sqlrec list diversity
  sqlrec list --family ranking --needs recs,truth

List the metrics, with an arrow where higher or lower values are better.
"""

_EXITS = """\
Exit codes: 0 done; 1 what was asked or given can't be used; 2 the command line
is wrong; 3 a check failed; 130 interrupted; 141 the reader of a pipe went away
"""

# What commands are called with, in short.
_USAGES = {
    "evaluate": "METRIC... --recs R --truth T [options]",
    "compare": "METRIC... --recs R --truth T [--baseline MODEL] [options]",
    "sql": "METRIC... --recs R --truth T [--dialect DIALECT] [options]",
    "power": "[METRIC...] --recs R --truth T | --from FILE [options]",
    "interleaved": "IMPRESSIONS [--baseline MODEL] [options]",
    "check": "METRIC... --recs R --truth T --min METRIC=VALUE [options]",
    "explain": "METRIC... --recs R --truth T [options]",
    "unsampled": "METRIC... --recs R --truth T --candidates N [options]",
    "demo": "[FOLDER] [options]",
    "doctor": "[options]",
    "completion": "SHELL",
    "plot": "PLOT METRIC... --recs R --truth T -o FILE [options]",
    "report": "METRIC... --recs R --truth T -o FILE [options]",
    "list": "[WORD] [--family FAMILY] [--needs INPUTS] [options]",
    "show": "METRIC [options]",
    "conventions": "[options]",
    "new-metric": "METRIC [--folder DIR]",
    "dbt-path": "",
}


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """End the program."""
        if found := re.match(
            r"argument (\S+): invalid choice: '(.*?)' \(choose from (.*)\)", message
        ):
            known = found[3].replace("'", "").split(", ")
            message = f"{found[1]} {found[2]}: {nearest(found[2], known)}"
        self.exit(2, f"sqlrec: {shown(message)}; see {self.prog} --help\n")


def parser(commands: Mapping[str, Callable[[argparse.Namespace], None]]) -> argparse.ArgumentParser:
    """Return what reads the command line, and sets ``run`` to what the command runs."""
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
        )
        command.set_defaults(run=commands.get(name))
        add(command)
    return parser


def _add_cutoffs(parser: argparse.ArgumentParser) -> None:
    meaning = "cutoffs of metrics that are written without one, as in 5,10"
    parser.add_argument("-k", metavar="K", help=meaning)


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser)
    _add_cutoffs(parser)
    parser.add_argument(
        "--table",
        choices=("result", "per-user", "user-counts"),
        help="what to write: the result (default), per-user values, or who was counted; "
        "--format trec writes per-user values and the result without it; that is what "
        "trec_eval -q prints, and METRIC can then be one of its measures",
    )
    add_output(parser, "trec")
    parser.add_argument(
        "-Z",
        "--zscores",
        metavar="FILE",
        help="as in trec_eval: with --format trec, how many standard deviations values are above a "
        "mean; FILE has a topic, a measure, the mean and the deviation in each line",
    )
    _add_statistics(parser, INTERVAL)
    parser.add_argument(
        "--summary",
        action="append",
        metavar="SUMMARY",
        help="a further column, as in median, p90, standard_deviation, zero_share; may be repeated",
    )
    parser.add_argument(
        "--merge",
        metavar="FILE",
        help="add the users of a past result, as -o FILE.parquet wrote it",
    )


def _add_unsampled(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser)
    _add_cutoffs(parser)
    group = parser.add_argument_group("sampling")
    for name, metavar, meaning in (
        ("catalog-size", "N", "how many items the whole ranking has"),
        ("candidates", "N", "how many a list has, with the relevant item"),
    ):
        group.add_argument(f"--{name}", type=int, metavar=metavar, required=True, help=meaning)
    group.add_argument(
        "--estimator",
        choices=ESTIMATORS,
        default=ESTIMATORS[0],
        help="of the likeliest distribution of places below N / candidates, else bv (default); "
        "nearest in bias and variance, nearest within bounds, of the likeliest place, or of the "
        "likeliest distribution of places",
    )
    group.add_argument(
        "--gamma", type=float, default=0.1, help="what variance counts for bv; 0.1", metavar="G"
    )
    group.add_argument(
        "--replacement", action="store_true", help="a candidate could be drawn twice"
    )
    _add(group, LEVEL)
    add_output(parser)


def _add_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        nargs="?",
        default="sqlrec-demo",
        help="what to make; sqlrec-demo",
        metavar="FOLDER",
    )
    parser.set_defaults(long=False, output=None)
    add_look(parser)


def _add_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish"
    )
    parser.add_argument(
        "--columns", metavar="FILE", help="print the columns of FILE, which shells ask for"
    )


def _add_compare(parser: argparse.ArgumentParser) -> None:
    _add_inputs(
        parser,
        baseline=("MODEL", "the model that others are compared with; by default every pair is"),
    )
    _add_cutoffs(parser)
    _add_statistics(parser, INTERVAL_OF_DIFFERENCES)
    _add(parser, TEST, CORRECTION, ALTERNATIVE)
    parser.add_argument(
        "--margin",
        action="append",
        metavar="[METRIC=]MARGIN",
        help="what --alternative is held against: 0.005, or 1%% of the baseline's mean; without "
        "METRIC for all others",
    )
    parser.add_argument(
        "--worse", action="store_true", help="show where models are worse, the surest first"
    )
    parser.add_argument(
        "--pivot",
        action="store_true",
        help="show models by metrics: the baseline among them, or letters of every pair",
    )
    parser.add_argument(
        "--ranks",
        nargs="?",
        const="",
        metavar="COLUMN",
        help="show models in order, with letters of those not shown to differ; or ranked over the "
        "values of a column of --by, which are data sets",
    )
    add_output(parser)


def _add_power(parser: argparse.ArgumentParser) -> None:
    _add_inputs(
        parser,
        metrics="*",
        baseline=("MODEL", "the model that others are compared with, by the same users"),
    )
    group = parser.add_argument_group("the next test")
    group.add_argument(
        "--from",
        dest="results",
        metavar="FILE",
        help="what evaluate --interval t or compare wrote, as Parquet, in place of METRIC and "
        "inputs",
    )
    group.add_argument(
        "--difference",
        action="append",
        metavar="[METRIC=]DIFFERENCE",
        help="what is to be found: 0.005, or 1%% of the mean; without METRIC for all others",
    )
    group.add_argument(
        "--sample-size",
        type=int,
        metavar="N",
        help="how many users it has, in each of two groups; by default as many as here",
    )
    group.add_argument(
        "--power", type=float, default=0.8, metavar="P", help="the chance to find it; 0.8"
    )
    group.add_argument(
        "--sides", type=int, default=2, choices=(1, 2), help="2 to either side (default), or 1"
    )
    _add(group, LEVEL, CLUSTER)
    add_output(parser)


def _add_interleaved(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("impressions", metavar="IMPRESSIONS", help="a file, or a table of --engine")
    parser.add_argument(
        "--baseline", metavar="MODEL", help="the model that others are held against; or every pair"
    )
    for name, choices, meaning in (
        ("ties", ("half", "drop"), "as many clicks on either are half a win (default), or nothing"),
        ("unit", ("user", "impression"), "what is drawn: users, where there is a user_id"),
        ("correction", ("holm", "bonferroni", "bh", "none"), CORRECTION.help),
    ):
        parser.add_argument(f"--{name}", choices=choices, default=argparse.SUPPRESS, help=meaning)
    _add(parser, LEVEL)
    parser.add_argument(
        "--by", action="append", metavar="COLUMN", default=[], help="by segment; may be repeated"
    )
    parser.add_argument(
        "--column", action="append", metavar="OURS=YOURS", help="your name of a column"
    )
    parser.add_argument("--engine", metavar="ENGINE", help="where the table is")
    parser.set_defaults(threads=None, memory_limit=None, temp_directory=None)
    add_output(parser)


def _add_sql(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser)
    _add_cutoffs(parser)
    parser.add_argument("--per-user", action="store_true", help="stop before the mean over users")
    parser.add_argument(
        "--compare-with",
        metavar="MODEL",
        help="the model that others are held against, user by user",
    )
    _add(
        parser,
        replace(INTERVAL, help="normal: the standard error of each mean, and its interval"),
        LEVEL,
    )
    forms = parser.add_mutually_exclusive_group()
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
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        metavar="DIALECT",
        help=f"one of {', '.join(DIALECTS)}: whose SQL to write, for tables that are not looked "
        "at: RECS and TRUTH are then names of tables, RECS has a score, and other columns are "
        "there where --column names them",
    )


def _add_check(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser)
    _add_cutoffs(parser)
    limits = parser.add_argument_group("checks", "of metrics that are computed; may be repeated")
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
    _add(limits, replace(LEVEL, help="how sure to be of it; 0.95"), INTERVAL_OF_LIMITS)
    add_output(parser)


def _add_explain(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser)
    _add_cutoffs(parser)
    add_output(parser)


def _add_plot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="PLOT", help="one of those above")
    _add_inputs(parser, metrics="*")
    _add_statistics(parser, INTERVAL)
    parser.add_argument("-k", type=int, metavar="K", default=argparse.SUPPRESS, help="a cutoff; 10")
    parser.add_argument(
        "--from", dest="results", metavar="FILE", help="what evaluate or compare wrote, as Parquet"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write the plot to FILE")
    add_look(parser)


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("word", nargs="?", help="a word of the name, an alias or the meaning")
    parser.add_argument(
        "--family", choices=FAMILIES, metavar="FAMILY", help=f"one of {', '.join(FAMILIES)}"
    )
    parser.add_argument(
        "--needs",
        action="append",
        metavar="INPUTS",
        help="those that these inputs are enough for, as in recs,truth",
    )
    _add_metrics(parser)
    add_output(parser)


def _add_new_metric(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metric", metavar="METRIC", help="what it is called, as in top_share")
    parser.add_argument(
        "--folder", default="metrics", metavar="DIR", help="where it is written; metrics"
    )
    parser.set_defaults(output=None)


def _add_metrics(group: Any) -> None:
    group.add_argument(
        "--metrics",
        dest="metrics_path",
        metavar="DIR",
        help="metrics of your own: a folder, a file, or an installed package's name for them",
    )


def _add_report(parser: argparse.ArgumentParser) -> None:
    _add_inputs(parser, metrics="*")
    _add_cutoffs(parser)
    group = parser.add_argument_group("report")
    _add(group, LEVEL)
    group.add_argument(
        "--no-users", action="store_true", help="leave out who lost, where ids are personal"
    )
    group.add_argument("--hash-users", action="store_true", help="show hashes of their ids")
    group.add_argument(
        "--no-libraries",
        action="store_true",
        help="leave out what other libraries print, which takes longer than all else",
    )
    group.add_argument(
        "--from", dest="results", metavar="FILE", help="what evaluate wrote, as Parquet"
    )
    group.add_argument("--comparison", metavar="FILE", help="what compare found, as Parquet")
    group.add_argument("-o", "--output", metavar="FILE", required=True, help="where to write it")


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metric", help="a name or an alias, as `sqlrec list` shows them")
    _add_metrics(parser)
    parser.add_argument(
        "--sql",
        action="store_true",
        help="print its statement too, over tables that are called recs, truth and so on",
    )
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        metavar="DIALECT",
        help=f"print that in this SQL: one of {', '.join(DIALECTS)}",
    )
    add_look(parser)


# The commands: what the list of them says, what their own help says, and what adds their options.
_COMMANDS: Mapping[str, tuple[str, str, Callable[[argparse.ArgumentParser], None]]] = {
    "evaluate": ("compute metrics", _EVALUATE, _add_evaluate),
    "compare": ("compare models, user by user", _COMPARE, _add_compare),
    "sql": ("print a statement for the metrics, to paste", _SQL, _add_sql),
    "check": ("check metrics against limits", _CHECK, _add_check),
    "power": ("tell what a next test finds, and how many users it needs", _POWER, _add_power),
    "interleaved": ("tell whose items of mixed lists are clicked", _INTERLEAVED, _add_interleaved),
    "unsampled": ("estimate metrics of the whole catalogue", _UNSAMPLED, _add_unsampled),
    "explain": ("tell why libraries' values differ", _EXPLAIN, _add_explain),
    "plot": ("draw a plot", _PLOT, _add_plot),
    "report": ("write a report", _REPORT, _add_report),
    "list": ("list the metrics", _LIST, _add_list),
    "show": ("describe a metric", "Describe a metric: formula, source, rules.", _add_show),
    "conventions": (
        "list the libraries' conventions",
        "List the conventions: the library and version each was held against, and its\nmetrics.",
        add_output,
    ),
    "demo": ("try it on clicks that come with sqlrec", _DEMO, _add_demo),
    "doctor": (
        "tell versions, engines and extras",
        "Tell which versions, engines and extras there are, and where templates are kept.",
        add_output,
    ),
    "completion": ("print what completes in a shell", _COMPLETION, _add_completion),
    "new-metric": ("write a metric of your own", _NEW_METRIC, _add_new_metric),
    "dbt-path": (
        "print where the dbt package is",
        "Print the folder of the dbt package, for `local:` in packages.yml.",
        lambda _: None,
    ),
}


def _add(group: Any, *options: Option) -> None:
    """Add options as they are declared; those not given keep their defaults in Python."""
    for option in options:
        group.add_argument(
            *filter(None, [option.flag]),
            f"--{option.name.replace('_', '-')}",
            type=option.type,
            choices=option.known or None,
            default=argparse.SUPPRESS,
            metavar=option.metavar,
            help=option.help,
        )


def _add_inputs(
    parser: argparse.ArgumentParser,
    metrics: str = "+",
    baseline: tuple[str, str] = ("RECS", "recommendations of another model, to hold lists against"),
) -> None:
    """Add what every command has that evaluates."""
    parser.add_argument("metrics", nargs=metrics, metavar="METRIC", help="as in ndcg@10, map@5,all")
    _add_metrics(parser)
    inputs = parser.add_argument_group("inputs")
    inputs.add_argument(
        "--recs",
        action="append",
        default=[],
        metavar="[MODEL=]RECS",
        help="the recommendations; several models: a column model, or --recs once for each",
    )
    for name, meaning in _INPUTS.items():
        inputs.add_argument(f"--{name}", metavar=name.upper(), help=meaning)
    inputs.add_argument("--baseline", metavar=baseline[0], help=baseline[1])
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


def _add_columns(group: Any) -> None:
    group.add_argument(
        "--column",
        action="append",
        metavar="OURS=YOURS",
        help="your name of a column: user_id=uid, or for one input truth.item_id=sku; several make "
        "a key: user_id=uid,day; user.id is a field",
    )
    group.add_argument(
        "--where",
        action="append",
        metavar="INPUT=CONDITION",
        help="read rows that meet a condition in SQL alone: --where recs='day = 7'",
    )


# Inputs of one table each, and what they hold.
_INPUTS = {
    "truth": "the relevant items of users",
    "history": "what users had before: user_id, item_id",
    "catalog": "all items that could be recommended: item_id",
    "items": "what is known of items, as `sqlrec show METRIC` names it",
    "logs": "decisions that were taken, and what came of them",
    "users": "segments of users: user_id and the columns of --by",
}


def _add_statistics(parser: argparse.ArgumentParser, interval: Option) -> None:
    _add(parser.add_argument_group("statistics"), interval, LEVEL, REPLICATES, CLUSTER)
