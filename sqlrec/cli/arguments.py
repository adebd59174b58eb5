"""Commands of the command line and their options."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn, get_args

from .. import __version__
from ..catalogue.headers import FAMILIES
from ..dialects import DIALECTS
from ..display.text import terminal_width
from ..engines.files import is_path, path_exists
from ..engines.formats import FORMATS as INPUT_FORMATS
from ..errors import nearest
from ..options import (
    ADJUST,
    ALTERNATIVE,
    BATCHES,
    CLUSTER,
    CONVENTION,
    CORRECTION,
    DEPTH,
    DIGITS,
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
from ..results.database_table import Mode
from ..results.formats import FORMATS
from .output import FILES, Options, to_stderr

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
METRIC... --recs R --truth T [options]

examples:
  sqlrec evaluate ndcg@10 recall@50 --recs recs.parquet --truth truth.parquet
  sqlrec evaluate map@5,10 --recs als=als.csv --recs pop=pop.csv --truth t.csv

Evaluate recommendations against the relevant items.

RECS has a row per recommended item: user_id, item_id, and score or rank.
TRUTH has a row per user and relevant item: user_id, item_id and optionally a
grade, relevance. Some metrics need other inputs: `sqlrec show METRIC` lists
them. Each input is a Parquet, CSV or JSON lines file, a glob or a folder of
files, or a table of --engine.
"""

_SQL = """\
METRIC... [--dialect DIALECT] [--recs R --truth T] [options]

examples:
  sqlrec sql ndcg@10 --dialect bigquery --recs shop.recs --truth shop.orders
  sqlrec sql ndcg@10 --dialect snowflake --column relevance=stars

Print a SQL statement that computes the metrics, to copy and paste. sqlrec reads
only the column names of the inputs. With --dialect it does not read the inputs.
"""

_COMPARE = """\
METRIC... --recs R --truth T [--baseline MODEL] [options]

examples:
  sqlrec compare ndcg@10 --recs recs.parquet --truth truth.parquet \\
      --baseline pop --by country --worse

Compare models user by user: with --baseline MODEL, or every pair. Print
differences with their intervals, wins, ties and losses (W/T/L), and p-values,
corrected for the number of tests.
"""

_POWER = """\
[METRIC...] --recs R --truth T | --from FILE [options]

examples:
  sqlrec power ndcg@10 --recs recs.csv --truth truth.csv --difference 1%
  sqlrec power --from comparison.parquet --sample-size 20000

Plan a test: the number of users it needs to detect a difference, and the
smallest difference that it can detect, for each metric and segment. With
--baseline, or a file that compare wrote, the same users see both models;
otherwise two groups of users see one model each, as in an A/B test.
"""

_INTERLEAVED = """\
IMPRESSIONS [--baseline MODEL] [options]

examples:
  sqlrec interleaved clicks.csv --baseline old --ties drop --by country

Find the model that people prefer, from lists that mix items of several models,
as in team-draft interleaving. In each impression, the model with more clicks
wins.

IMPRESSIONS has a row per item shown: impression_id, model (which contributed
the item), click, and optionally user_id and item_id.
"""

_EXPLAIN = """\
METRIC... --recs R --truth T [options]

examples:
  sqlrec explain ndcg@10 --value 0.132 --recs recs.csv --truth truth.csv
  sqlrec explain ndcg@10 --like ranx --like rectools --recs r.csv --truth t.csv

Compute metrics as each library would. Show the causes of different values, and
the number of users affected. With --value, show the libraries that print this
value, the steps from sqlrec's value to it, and the request that reproduces it.
"""

_IDENTIFY = """\
MODULE:FUNCTION --metric METRIC

examples:
  sqlrec identify metrics:ndcg_at_k --metric ndcg@10

Call a Python function on small tables, and print which library's form of the
metric it computes, or how it differs, such as: equals sqlrec, but averages over
users with a hit. The function takes lists and truth, as dicts, pandas frames,
arrays or lists, or the grades of a list, and returns a number; a parameter
named k or n receives the cutoff. MODULE is a module or a Python file, as in
"my metrics.py:ndcg".
"""

_CHECK = """\
RULE... --recs R --truth T [options]

examples:
  sqlrec check "ndcg@10 > main" "recall@50 >= main - 0.02" \\
      --recs new=new.parquet --recs main=main.parquet --truth truth.parquet
  sqlrec check "ndcg@10 >= 0.3" --recs recs.parquet --truth truth.parquet
  sqlrec check "ndcg@10 >= stored - 1%" --against main.parquet \\
      --recs recs.parquet --truth truth.parquet

Check metrics against limits, another model, or an earlier result, as a gate in
CI. Prints pass or FAIL for each check. The exit code is 3 if a check fails, and
1 if a metric has no rule.

A rule is METRIC >= NUMBER; METRIC > MODEL, significantly better by the test of
compare; METRIC >= MODEL - MARGIN, not worse by more than the margin; or no
segment of COLUMN worse than MODEL. MODEL is `stored` for the result in FILE.

FILE is a result, or per-user values (`sqlrec evaluate --table per-user -o
FILE`), which are compared user by user. -o FILE.xml, or --format junit, writes
JUnit XML, which CI servers display. With a margin, the lower 95% limit of the
difference must be above -MARGIN; if lower is better, the upper limit must be
below MARGIN.
"""

_PLOT = """\
PLOT METRIC... --recs R --truth T -o FILE [options]

examples:
  sqlrec plot curve ndcg@5,10,20 --recs recs.parquet --truth truth.parquet \\
      -o curve.svg
  sqlrec plot longtail --recs recs.csv --history train.csv -o longtail.svg
  sqlrec plot curve --from evaluation.parquet -o curve.svg

Draw a plot. The extension of FILE sets the format: .svg, .html, .json
(Vega-Lite), .png or .pdf. Without -o, print the plot's data as a table.

  curve        metrics by cutoff               lorenz    how few items get all
  forest       differences by segment          ranks     where hits are
  activity     metrics by size of the history  longtail  items by popularity
  differences  users' differences in order     history   results by step
  tradeoff     the first metric over the last  weights   weights of logs
  calibration  categories, lists beside history
  waterfall    the steps from a metric to --value
"""

_REPORT = """\
METRIC... --recs R --truth T -o FILE [options]

examples:
  sqlrec report ndcg@5,10,20 recall@10 --recs recs.parquet \\
      --truth truth.parquet --baseline pop --users users.parquet --by country \\
      --items items.parquet --history train.parquet -o report.html
  sqlrec report --from found.parquet --comparison compared.parquet -o report.md

Write a report: a self-contained .html file, or .md for a pull request or a job
summary. It has a verdict in sentences, results, curves, differences by segment,
the users who lose most, the items shown by popularity, and how everything was
computed.
"""

_UNSAMPLED = """\
METRIC... --recs R --truth T --candidates N [options]

examples:
  sqlrec unsampled hit_rate@50 ndcg@50 --recs recs.parquet \\
      --truth truth.parquet --catalog-size 20000 --candidates 101

Estimate metrics over the whole catalog from lists that rank each user's
relevant item among a few sampled items. Metrics of such lists are too high,
and may rank models differently. Needs SciPy: pip install 'sqlrec[stats]'.
"""

_DEMO = """\
[FOLDER] [options]

Evaluate three models on films that people rated in tweets, which come with
sqlrec: print the result, write the tables and a report to FOLDER, and print
what to type next.
"""

_SELF_TEST = """\
[--engine ENGINE] [options]

examples:
  sqlrec selftest --engine postgresql://localhost/shop
  sqlrec selftest --engine snowflake://... --schema scratch -o selftest.csv

Test an engine: create tables of some hundred rows under new names, run about a
hundred statements in the engine's dialect, compare the results with stored
values, and remove the tables. The exit code is 3 if a result differs by more
than 1e-12, or if a statement fails.
"""

_NEW_METRIC = """\
METRIC [--folder DIR]

examples:
  sqlrec new-metric top_share
  sqlrec evaluate top_share@1 --metrics metrics --recs recs.parquet \\
      --truth truth.parquet

Write a template for a custom metric, and a test for it.
"""

_DBT_INIT = """\
METRIC... --recs MODEL --truth MODEL [options]

examples:
  sqlrec dbt-init ndcg@10 recall@50 --recs stg_recs --truth shop.orders \
      --day ordered_on --column user_id=customer

Write models of a dbt project to FOLDER: the metrics as means over users, by user
and, with --day, by day, with tests of the data and a unit test. No file is
overwritten.
"""

_DBT_METRICS = """\
DIR [-o FILE]

Write metrics of your own as macros for a dbt project, whose models then use
them by name, like all others.
"""

_LIST = """\
[WORD] [--family FAMILY] [--needs INPUTS] [options]

examples:
  sqlrec list diversity
  sqlrec list --family ranking --needs recs,truth

List the metrics, with an arrow where higher or lower values are better.
"""

_SHOW = """\
METRIC [options]

Describe a metric: formula, source, rules.
"""

_CONVENTIONS = """\
[options]

List the conventions: the library and version that each was tested against, and
its metrics.
"""

_DOCTOR = """\
[options]

Show the installed versions, engines and extras, and the folder of compiled
templates.
"""

_DBT_PATH = """\


Print the folder of the dbt package, for `local:` in packages.yml.
"""

_EXITS = """\
Exit codes: 0 done; 1 invalid request or input; 2 invalid command line; 3 a
check failed; 130 interrupted; 141 the reader of a pipe closed it
"""


class Parser(argparse.ArgumentParser):
    """A parser with error messages of one line and a short help."""

    def print_short_help(self) -> None:
        """Print the usage, the description, and the names of all options."""
        print(f"{self.format_usage()}\n{(self.description or '').strip()}\n")
        for group in self._action_groups:
            flags = [max(one.option_strings, key=len, default="") for one in group._group_actions]
            if any(flags):
                lines = textwrap.wrap(
                    f"{group.title}: {' '.join(flags)}", min(terminal_width(), 80)
                )
                print("\n  ".join(lines))
        print(f"\n{self.prog} --help describes each option.")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the command line; an unknown option is an error of its command."""
        options, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return options, rest

    def error(self, message: str) -> NoReturn:
        """Print the error, with the closest valid choice or flag, and exit with status 2."""
        if match := re.match(
            r"argument (\S+): invalid choice: '(.*?)' \(choose from (.*)\)", message
        ):
            choices = match[3].replace("'", "").split(", ")
            message = f"{match[1]} {match[2]}: {nearest(match[2], choices)}"
        elif match := re.match(r"unrecognized arguments: (--[^\s=]+)", message):
            flags = [flag for flag in self._option_string_actions if flag.startswith("--")]
            # Python's rules="ranx" is --convention ranx.
            name = "--convention" if match[1] == "--rules" else match[1]
            message = f"{match[1]}: {nearest(name, flags)}"
        elif message.startswith("unrecognized arguments: "):
            message += "; repeat an option for each of its values, and write a value in quotes"
        self.exit(2, to_stderr(f"{message}; see {self.prog} --help") + "\n")


class ShortHelp(argparse.Action):
    """Print the short help of a command."""

    def __call__(self, parser: Any, *_: Any, **__: Any) -> None:
        """Print it and exit."""
        parser.print_short_help()
        parser.exit()


def parser(commands: Mapping[str, Callable[[Options], None]]) -> argparse.ArgumentParser:
    """Return the parser of the command line.

    It sets ``run`` to the function of the command, and ``parser`` to the parser of the command.
    """
    settings: Any = {
        "epilog": _EXITS,
        "formatter_class": argparse.RawDescriptionHelpFormatter,
        "argument_default": argparse.SUPPRESS,
    }
    parser = Parser(prog="sqlrec", description=_PROGRAM, **settings)
    parser.add_argument("--version", action="version", version=f"sqlrec {__version__}")
    added = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, (help, text, add) in _COMMANDS.items():
        usage, _, description = text.partition("\n\n")
        settings |= {"usage": f"sqlrec {name} {usage}".strip(), "description": description}
        command = added.add_parser(name, help=help, add_help=False, **settings)
        command.add_argument("-h", nargs=0, action=ShortHelp, help="show the names of all options")
        command.add_argument("--help", action="help", help="show this help message and exit")
        command.set_defaults(run=commands.get(name), parser=command)
        add(command)
    return parser


# Types and choices of values, by placeholder.
_TYPES = {"N": int, "P": float, "G": float}
_CHOICES = {"DIALECT": DIALECTS, "FAMILY": FAMILIES}

# Options with another name in Python.
_NAMES = {
    **{"--all": "full", "--column": "columns", "--from": "results", "--merge": "past"},
    **{"--metrics": "metrics_path", "--summary": "summaries"},
}


def _add(group: Any, options: Mapping[str, str], *declared: Option, required: bool = False) -> None:
    """Add options. Options that the caller omits keep their defaults in Python.

    Args:
        group: The parser, or a group of options.
        options: The help of each option: ``--worse`` has no value, ``--merge FILE`` has one,
            ``--sides 1|2`` a choice, ``--ranks [COLUMN]`` one that may be excluded, and
            ``--by COLUMN...`` may be repeated.
        declared: Options of ``sqlrec/options.py``.
        required: Whether the options are required.
    """
    for text, meaning in options.items():
        words = text.split(" ")
        flags = [word for word in words if word.startswith("-")]
        value = " ".join(words[len(flags) :])
        settings: Any = {"help": meaning.replace("%", "%%"), "required": required}
        if flags[-1] in _NAMES:
            settings["dest"] = _NAMES[flags[-1]]
        if not value:
            settings["action"] = "store_true"
        elif "|" in value:
            choices = value.split("|")
            settings["type"] = int if choices[0].isdigit() else str
            settings["choices"] = [*map(settings["type"], choices)]
        else:
            name = value.removesuffix("...")
            settings |= {"metavar": name, "type": _TYPES.get(name, str)}
            settings["choices"] = _CHOICES.get(name)
            settings["action"] = "append" if name != value else "store"
            if re.fullmatch(r"\[\w+\]", value):
                settings |= {"nargs": "?", "const": "", "metavar": value[1:-1]}
        group.add_argument(*flags, **settings)
    for option in declared:
        flag = f"--{option.name.replace('_', '-')}"
        group.add_argument(
            flag,
            type=option.type,
            choices=option.named_choices or None,
            **({"nargs": "?", "const": True} if option.switch else {}),
            metavar=option.metavar,
            help=option.help,
        )
        if None in option.choices and option.default is not None:
            no = {"dest": option.name, "action": "store_const", "const": None}
            group.add_argument(f"--no-{flag[2:]}", **no, help=f"omit {option.name}s")


# Inputs of a single table.
_INPUTS = {
    "--truth TRUTH...": "the users' relevant items",
    "--history HISTORY...": "past interactions of users: user_id, item_id",
    "--catalog CATALOG...": "all items that could be recommended: item_id",
    "--items ITEMS...": "attributes of items, as `sqlrec show METRIC` names them",
    "--logs LOGS...": "logged decisions with their rewards and propensities",
    "--users USERS...": "segments of users: user_id and the columns of --by",
}
_BASELINE = {
    "--baseline BASELINE...": "lists of another model, for metrics that compare lists",
}
_OTHER_MODEL = {
    "--baseline MODEL": "the model that others are compared with; by default every pair is compared"
}
_METRICS = {
    "--metrics DIR": "metrics of your own: a folder, a file, or an installed package's name for "
    "them"
}
_LOOK = {
    "--wide": "do not break lines; by default they fit the terminal, or 80 columns",
    "--color auto|always|never": "by default in a terminal, unless NO_COLOR is set",
}


def _add_inputs(
    parser: argparse.ArgumentParser,
    metrics: str = "+",
    baseline: Mapping[str, str] = _BASELINE,
    resources: Sequence[Option] = (),
    cutoffs: bool = True,
) -> None:
    """Add the options of all commands that evaluate."""
    meaning = "a metric with its cutoffs: ndcg@10, map@5,all"
    parser.add_argument("metrics", nargs=metrics, metavar="METRIC", help=meaning)
    _add(parser, _METRICS)
    inputs = {
        "--recs [MODEL=]RECS...": "the recommendations; for several models a column model, or "
        "--recs once for each, by default with the name of its file",
        **_INPUTS,
        **baseline,
        "--by COLUMN...": "evaluate by segment; may be repeated",
    }
    reading = {
        "--input-format INPUT=FORMAT...": f"the format of a file: {', '.join(INPUT_FORMATS)}; with "
        "delimiter=, header= (yes or no) and encoding= behind commas: truth=movielens, "
        "recs=csv,delimiter=::,header=no",
        "--column OURS=YOURS...": "your column name: user_id=uid, or for one input "
        "truth.item_id=sku; several columns make a key: user_id=uid,day; user.id is a field of a "
        "struct",
        "--where INPUT=CONDITION...": "read only rows that satisfy an SQL condition: --where "
        "recs='day = 7'",
        "--engine ENGINE": "where the tables are: a DuckDB database, postgresql://..., or spark",
    }
    group = parser.add_argument_group("inputs")
    _add(group, inputs, GROUPINGS)
    _add(group, reading)
    duckdb = {
        "--threads N": "the number of threads; by default one for each core",
        "--memory-limit SIZE": "the memory to use, as in 4GB; by default 80% of the machine's",
        "--temp-directory DIR": "folder for data that does not fit into memory; by default a "
        "temporary folder, which is removed afterwards",
    }
    group = parser.add_argument_group("DuckDB", "in memory, or with a database of --engine")
    _add(group, duckdb, *resources)
    group = parser.add_argument_group("rules", "the first choice is the default, unless stated")
    _add(group, {}, CONVENTION, *RULES, ORDER_BY, DEPTH)
    if cutoffs:
        _add(parser, {"-k K...": "default cutoffs, for metrics without one, as in 5,10"})


def _add_statistics(parser: argparse.ArgumentParser, interval: Option, *others: Option) -> None:
    group = parser.add_argument_group("statistics")
    _add(group, {}, interval, LEVEL, REPLICATES, CLUSTER, *others)


def _add_output(parser: argparse.ArgumentParser, *more: str) -> None:
    """Add the output options; some commands have more formats."""
    output = {
        f"--format {'|'.join((*FORMATS, *more))}": "the output format; by default from the "
        "extension of FILE, otherwise a table",
        "-o --output FILE": "write to FILE atomically",
        "--long": "print all rows and columns, unchanged, as in CSV and JSON",
    }
    _add(parser.add_argument_group("output"), output | _LOOK)


def _add_table_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for publication tables and for writing results to the input database."""
    paper = {
        "--digits N": DIGITS.help,
        "--caption TEXT": "the caption of a LaTeX table",
        "--label NAME": "the label of a LaTeX table",
    }
    _add(parser.add_argument_group("tables for papers"), paper)
    into = {
        "--into TABLE": "write the rows to TABLE, all or none",
        f"--mode {'|'.join(get_args(Mode))}": "what to do if the table exists; by default an error",
        "--run-id TEXT": "add a column run_id with TEXT",
        "--evaluated-at": "add a column with the time in UTC",
        "--options": "add a column with the interval and rules as JSON",
    }
    group = "a table of the database", "with --engine; nothing is printed"
    _add(parser.add_argument_group(*group), into)


def _add_evaluate(parser: argparse.ArgumentParser) -> None:
    options = {
        "--table result|per-user|user-counts|gaps": "the table to write: the result (default), "
        "per-user values, counts of users, or gaps between the segments of --by; without it "
        "--format trec writes per-user values and the result, as trec_eval -q does, and METRIC can "
        "be one of its measures",
        "--summary SUMMARY...": "a further column: median, p90, standard_deviation, zero_share or "
        "others; may be repeated",
        "--merge FILE": "add the users of an earlier result, which -o FILE.parquet wrote",
    }
    _add_inputs(parser, resources=[BATCHES])
    _add(parser, options)
    _add_output(parser, "trec")
    _add_table_options(parser)
    _add_statistics(parser, INTERVAL, ADJUST, USER_WEIGHTS)


def _add_unsampled(parser: argparse.ArgumentParser) -> None:
    numbers = {
        "--catalog-size N": "the number of items in the whole ranking",
        "--candidates N": "the number of items in a list, with the relevant one",
    }
    options = {
        f"--estimator {'|'.join(ESTIMATORS)}": "auto (default): mle at cutoffs below catalog size "
        "/ candidates, else bv; bv: least bias and variance; mle: the most likely distribution of "
        "ranks",
        "--gamma G": "the weight of variance for bv; default 0.1",
        "--replacement": "candidates were drawn with replacement",
    }
    _add_inputs(parser)
    group = parser.add_argument_group("sampling")
    _add(group, numbers, required=True)
    _add(group, options, LEVEL)
    _add_output(parser)


def _add_demo(parser: argparse.ArgumentParser) -> None:
    meaning = "the folder to make; default sqlrec-demo"
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help=meaning)
    _add(parser, _LOOK)


def _add_compare(parser: argparse.ArgumentParser) -> None:
    options = {
        "--margin [METRIC=]MARGIN...": "the margin of --alternative: 0.005, or 1% of the "
        "baseline's mean; without METRIC for all others",
        "--worse": "show where models are worse, the smallest p-values first",
        "--find-segments": "show the segments of users in which the difference from --baseline "
        "changes; of the columns of --by, or of all columns of --users",
        "--pivot": "show a table of models by metrics, with the baseline, or with letters for all "
        "pairs of models",
        "--ranks [COLUMN]": "rank the models, with a common letter for those that do not differ; "
        "with COLUMN, one of --by, rank them over its values, which are data sets",
    }
    _add_inputs(parser, baseline=_OTHER_MODEL)
    _add_statistics(parser, INTERVAL_OF_DIFFERENCES, ADJUST, USER_WEIGHTS)
    _add(parser, options, PRIMARY, TEST, CORRECTION, ALTERNATIVE)
    _add_output(parser)
    _add_table_options(parser)


def _add_power(parser: argparse.ArgumentParser) -> None:
    options = {
        "--from FILE": "a Parquet file that compare or evaluate wrote, in place of METRIC and "
        "inputs",
        "--difference [METRIC=]DIFFERENCE...": "the difference to detect: 0.005, or 1% of the "
        "mean; without METRIC for all others",
        "--sample-size N": "the number of users, in each group if there are two; by default the "
        "number in the result",
        "--power P": "the probability of detecting the difference; default 0.8",
        "--sides 1|2": "a two-sided test (default), or a one-sided one",
    }
    baseline = {"--baseline MODEL": "the model that others are compared with, on the same users"}
    _add_inputs(parser, "*", baseline, cutoffs=False)
    _add(parser.add_argument_group("the next test"), options, LEVEL, CLUSTER)
    _add_output(parser)


def _add_interleaved(parser: argparse.ArgumentParser) -> None:
    options = {
        **_OTHER_MODEL,
        "--ties half|drop": "an impression with equally many clicks for both models is half a win "
        "for each (default), or excluded",
        "--unit user|impression": "the independent units: users, the default if there is a "
        "user_id, or impressions",
        "--correction holm|bonferroni|bh|none": CORRECTION.help,
        "--by COLUMN...": "a column of segments; may be repeated",
        "--column OURS=YOURS...": "your column name",
        "--engine ENGINE": "where the table is: a DuckDB database, postgresql://..., or spark",
    }
    parser.add_argument("impressions", metavar="IMPRESSIONS", help="a file, or a table of --engine")
    _add(parser, options, LEVEL)
    _add_output(parser)


def _add_sql(parser: argparse.ArgumentParser) -> None:
    options = {
        "--per-user": "print the statement of per-user values",
        "--estimate": "print the engine's plan with its estimates instead, or the bytes that "
        "BigQuery reads",
        "--compare-with MODEL": "print the statement that compares the other models with MODEL, "
        "user by user",
        "--dialect DIALECT": f"the SQL to write, without reading tables: {', '.join(DIALECTS)}; "
        "RECS and TRUTH are then table names, by default recs and truth, RECS has a score, and "
        "--column names other columns",
    }
    interval = replace(
        INTERVAL,
        help="add the standard error and the interval of each mean, by normal",
        choices=(None, *INTERVAL.named_choices),
    )
    _add_inputs(parser)
    _add(parser, options, interval, LEVEL, USER_WEIGHTS)
    forms = parser.add_mutually_exclusive_group()
    for form, meaning in (
        ("audited", "print what evaluate runs, which also counts users and broken rules"),
        ("check", "print a statement that finds broken rules, a row for each with an example"),
        ("steps", "print numbered statements with temporary tables"),
    ):
        const: Any = {"dest": "form", "action": "store_const", "const": form}
        forms.add_argument(f"--{form}", **const, help=meaning)


def _add_check(parser: argparse.ArgumentParser) -> None:
    options = {
        "--against FILE": "a Parquet or CSV file that evaluate wrote before",
    }
    _add_inputs(parser)
    group = parser.add_argument_group("rules of the stored result")
    _add(group, options, LEVEL, INTERVAL_OF_LIMITS)
    _add_output(parser, "junit")


def _add_explain(parser: argparse.ArgumentParser) -> None:
    options = {
        "--value VALUE": "a value with its digits: which library prints it, and why",
        "--like LIBRARY...": "the steps from sqlrec's value to a library's; repeat it for several "
        "side by side",
        "--all": "show all values and all causes",
    }
    _add_inputs(parser)
    _add(parser, options)
    _add_output(parser)


def _add_identify(parser: argparse.ArgumentParser) -> None:
    meaning = "the function, as Python imports it"
    parser.add_argument("function", metavar="MODULE:FUNCTION", help=meaning)
    _add(parser, {"--metric METRIC": "as in ndcg@10"}, required=True)


def _add_plot(parser: argparse.ArgumentParser) -> None:
    options = {
        "-k N": "the cutoff; default 10",
        "--value VALUE": "the value that waterfall ends at",
        "--from FILE": "a Parquet file that evaluate or compare wrote, in place of METRIC and "
        "inputs",
        "-o --output FILE": "write the plot to FILE",
    }
    baseline = {"--baseline MODEL": "the model that forest and differences compare with"}
    parser.add_argument("name", metavar="PLOT", help="one of the plots above")
    _add_inputs(parser, "*", baseline, cutoffs=False)
    _add_statistics(parser, INTERVAL)
    _add(parser, options | _LOOK)


def _add_list(parser: argparse.ArgumentParser) -> None:
    options = {
        "--family FAMILY": f"one of {', '.join(FAMILIES)}",
        "--needs INPUTS...": "list only metrics that need no other inputs than these, as in "
        "recs,truth",
    }
    meaning = "a word to search for in names, aliases and descriptions"
    parser.add_argument("word", nargs="?", help=meaning)
    _add(parser, options | _METRICS)
    _add_output(parser)


def _add_self_test(parser: argparse.ArgumentParser) -> None:
    options = {
        "--engine ENGINE": "a DuckDB or SQLite database, a URL as in postgresql://..., or spark; "
        "default DuckDB",
        "--schema SCHEMA": "where to create the tables, as the engine writes it",
    }
    _add(parser, options)
    _add_output(parser)


def _add_new_metric(parser: argparse.ArgumentParser) -> None:
    meaning = "the name of the metric, as in top_share"
    parser.add_argument("metric", metavar="METRIC", help=meaning)
    _add(parser, {"--folder DIR": "the folder to write to; default metrics"})


def _add_dbt_init(parser: argparse.ArgumentParser) -> None:
    meaning = "a metric with a cutoff, as in ndcg@10"
    parser.add_argument("metrics", nargs="+", metavar="METRIC", help=meaning)
    models = {f"--{x} MODEL": f"the model with {x}, or SOURCE.TABLE" for x in ("recs", "truth")}
    options = {
        "--day COLUMN": "the column of recs and truth with the day: there is one list per user "
        "and day",
        "--column OURS=YOURS...": "your column name; columns of model, rank and relevance are "
        "read only if they are listed",
        "--folder FOLDER": "where to write; default models",
    }
    _add(parser, models, required=True)
    _add(parser, options)


def _add_dbt_metrics(parser: argparse.ArgumentParser) -> None:
    meaning = "a folder, a file, or an installed package's name for them"
    parser.add_argument("metrics_path", metavar="DIR", help=meaning)
    _add(parser, {"-o --output FILE": "write to FILE"})


def _add_report(parser: argparse.ArgumentParser) -> None:
    options = {
        "--decide RULE...": "a rule of the decision, as in check: 'ndcg@10 > main'; may be "
        "repeated",
        "--no-users": "omit the users who lose most, for example if ids are personal data",
        "--hash-users": "show hashes of user ids",
        "--libraries": "show the first metric as other libraries compute it, the slowest part",
        "--value VALUE": "another value of the first metric: show which library prints it, and the "
        "steps to it",
        "--title TEXT": "the title; by default the decision by the primary metric",
        "--note TEXT": "a text under the title: the data set, its date, the author",
        "--from FILE": "a Parquet file that evaluate wrote, in place of METRIC and inputs",
        "--comparison FILE": "a Parquet file that compare wrote, in addition to --from",
    }
    baseline = {"--baseline MODEL": "the model that others are compared with"}
    _add_inputs(parser, "*", baseline)
    group = parser.add_argument_group("report")
    _add(group, options, PRIMARY, LEVEL)
    _add(group, {"-o --output FILE": "the file to write"}, required=True)


def _add_show(parser: argparse.ArgumentParser) -> None:
    options = {
        "--sql": "also print the SQL statement, over tables called recs, truth and so on",
        "--dialect DIALECT": f"the SQL of that statement: {', '.join(DIALECTS)}",
    }
    meaning = "a name or an alias, as `sqlrec list` shows them"
    parser.add_argument("metric", help=meaning)
    _add(parser, _METRICS | options | _LOOK)


# Commands: the line in the list of commands, the usage with the help, and the function that adds
# options.
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
    "show": ("describe a metric", _SHOW, _add_show),
    "conventions": ("list the libraries' conventions", _CONVENTIONS, _add_output),
    "demo": ("try it on films that come with sqlrec", _DEMO, _add_demo),
    "doctor": ("show versions, engines and extras", _DOCTOR, _add_output),
    "selftest": ("test an engine", _SELF_TEST, _add_self_test),
    "new-metric": ("write a metric of your own", _NEW_METRIC, _add_new_metric),
    "dbt-init": ("write models and tests for dbt", _DBT_INIT, _add_dbt_init),
    "dbt-metrics": ("write metrics of your own for dbt", _DBT_METRICS, _add_dbt_metrics),
    "dbt-path": ("print where the dbt package is", _DBT_PATH, lambda _: None),
}


def repeat_flags(words: Sequence[str]) -> list[str]:
    """Return the words of a command line with the flag of an input before each of its files.

    A shell writes several files behind one flag, for a glob without quotes. Lists keep them in
    one word, since each flag of lists is a model.
    """
    flags = {text.split(" ")[0] for text in ("--recs", *_BASELINE, *_INPUTS)}
    repeated: list[str] = []
    flag = ""
    for word in words:
        if word.startswith("-"):
            flag = word if word in flags else ""
        elif flag and repeated[-1] != flag:
            if not (is_path(word) and path_exists(word)):
                flag = ""
            elif flag == "--recs":
                repeated[-1] += f"{FILES}{word}"
                continue
            else:
                repeated.append(flag)
        repeated.append(word)
    return repeated
