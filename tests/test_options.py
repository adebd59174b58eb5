"""Options: each is declared once, exists everywhere, and wrong types are errors with its rule."""

import datetime
import inspect
import json
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
from pytest import fail, mark, raises

import sqlrec
from sqlrec.catalogue.headers import TABLES
from sqlrec.cli.arguments import parser
from sqlrec.cli.program import COMMANDS
from sqlrec.options import (
    ADJUST,
    ALTERNATIVE,
    BATCHES,
    CLUSTER,
    CONVENTION,
    CORRECTION,
    DEPTH,
    GROUPINGS,
    INTERVAL,
    INTERVAL_OF_DIFFERENCES,
    LEVEL,
    OBJECTS,
    ORDER_BY,
    PRIMARY,
    REPLICATES,
    RULES,
    TEST,
    USER_WEIGHTS,
)

from .dialects import slow
from .jinja import CompilerError, package
from .tables import lists, wanted

RECS = {"als": lists({"ann": "ab", "bob": "ba"}), "pop": lists({"ann": "ba", "bob": "ba"})}
GIVEN = {"metrics": "ndcg@1", "recs": RECS, "truth": wanted({"ann": "a", "bob": "b"})}
WRONG = [5.5, b"x", object(), [[1]], {5: "x"}, datetime.date(2026, 1, 1), complex(1), "\x00"]
FUNCTIONS = {
    "evaluate": {},
    "compare": {"baseline": "als"},
    "check": {"metrics": "ndcg@1 >= 0"},
    "explain": {"conventions": ["ranx"]},
    "sql": {},
    "unsampled": {"catalog_size": 10, "candidates": 2},
}

# Options of each function.
OF_EVALUATE = (
    *(GROUPINGS, BATCHES, CONVENTION, *RULES, ORDER_BY, DEPTH),
    *(INTERVAL, LEVEL, REPLICATES, CLUSTER, ADJUST, USER_WEIGHTS),
)
OF_COMPARE = (
    *(PRIMARY, INTERVAL_OF_DIFFERENCES, LEVEL, TEST, CORRECTION, ALTERNATIVE),
    *(REPLICATES, CLUSTER, ADJUST, USER_WEIGHTS, GROUPINGS),
)

# Parameters that are not options: metrics, inputs and the options of their tables.
GIVEN_TOO = {"metrics", *TABLES, "by", "columns", "where"}
GIVEN_TOO |= {"engine", "settings", "progress", "summaries", "metrics_path", "k"}
SETTINGS = {"threads", "memory_limit", "temp_directory"}


@mark.parametrize("function, declared", [("evaluate", OF_EVALUATE), ("compare", OF_COMPARE)])
class TestEachOptionIsDeclaredOnce:
    def test_python_has_each_option(self, function, declared):
        own = inspect.signature(getattr(sqlrec.Dataset, function)).parameters
        results = {name: own[name].default for name in own if name not in OBJECTS}
        for kind, fields in OBJECTS.values():
            attributes = inspect.signature(kind).parameters
            results |= {name: attributes[field].default for name, field in fields.items()}
        taken = {option.name for option in (CONVENTION, *RULES, ORDER_BY, DEPTH, *declared)}
        groups = {"self", "metrics", "k", "baseline", "margin", "summaries", "by", "each"}
        assert taken - {"groupings"} == {*results} - groups
        for option in (x for x in declared if x is not GROUPINGS):
            # A missing rule is the convention's.
            assert results[option.name] == (None if option in RULES else option.default)

    def test_docstrings_describe_each_option(self, function, declared):
        members = (getattr(sqlrec.Dataset, function), sqlrec.Rules, sqlrec.Interval)
        text = "\n".join(inspect.getdoc(member) for member in members)
        documented = {*", ".join(re.findall(r"^    ([a-z_, ]+): ", text, re.M)).split(", ")}
        assert {option.name for option in declared} - {"groupings"} <= documented

    def test_the_command_line_has_each_option(self, function, declared):
        commands = next(iter(parser(COMMANDS)._subparsers._group_actions)).choices
        actions = reversed(commands[function]._actions)  # --no-interval is of --interval too
        results = {action.dest: action for action in actions if action.dest}
        others = GIVEN_TOO - {"settings", "progress"}  # Progress shows by itself.
        others -= {"summaries"} if function == "compare" else set()
        # Comparisons need all per-user values together.
        of_both = [option for option in OF_EVALUATE if option is not BATCHES]
        declared = {option.name: option for option in (*of_both, *declared)}
        assert declared.keys() | others | SETTINGS <= results.keys()
        for name, option in declared.items():
            assert [*(results[name].choices or [])] == option.named_choices or name == "population"


def test_dbt_has_the_options_of_statements():
    of_python = GIVEN_TOO | {option.name for option in OF_EVALUATE}
    known = {name for name in of_python - {"metrics"} if not refused(name)}
    of_runs = {"engine", "settings", "progress", "replicates", "cluster", "adjust", "metrics_path"}
    of_runs |= {"batches"}
    assert of_python - known == of_runs | {"metrics"}
    for option in RULES:
        with raises(CompilerError, match=f"^{option.name}='no'"):
            package("duckdb").read_options({option.name: "no"})


def refused(name):
    try:
        package("duckdb").read_options({name: []})
    except CompilerError as error:
        return str(error).startswith("unknown option")
    return False


def wrong_options(function, every):
    """Return wrong values of each option of a function, without inputs that are not read."""
    unread = {"history", "catalog", "items", "baseline", "logs"} - FUNCTIONS[function].keys()
    shared = {*inspect.signature(sqlrec.Dataset).parameters}
    shared |= {name for _, fields in OBJECTS.values() for name in fields}
    own = {*inspect.signature(getattr(sqlrec, function)).parameters} - {"inputs", *OBJECTS}
    own |= {"rules"} | {"interval", "by"} & {
        *inspect.signature(getattr(sqlrec, function)).parameters
    }
    # Shared options are checked for evaluate only.
    options = own | shared if function == "evaluate" else own | OBJECTS["rules"][1].keys()
    for option in options:
        few = not every and function != "evaluate" and option in shared
        for value in WRONG[3:4] if few else WRONG:
            # These are numbers, or have no wrong values.
            of_numbers = option in ("min", "max", "margin", "relevance_threshold", "value")
            if option not in unread and not (value == 5.5 and of_numbers):
                yield option, value


@mark.parametrize("every", [False, *slow(True)])
@mark.parametrize("function", FUNCTIONS)
def test_a_wrong_type_is_an_input_error(function, every):
    for option, value in wrong_options(function, every):
        inputs = GIVEN | FUNCTIONS[function] | {option: value}
        try:
            getattr(sqlrec, function)(inputs.pop("metrics"), **inputs)
        except sqlrec.SqlrecError:
            continue
        fail(f"{function}({option}={value!r}) is not rejected")


@mark.parametrize(
    "function, inputs, message",
    [
        ("evaluate", {"summaries": 5}, "summaries=5: write them as a string, as in 'median p90'"),
        ("evaluate", {"progress": "no"}, "progress='no': it must be True or False"),
        ("sql", {"per_user": 1}, "per_user=1: it must be True or False"),
        ("explain", {"conventions": 5}, "conventions=5: give library names"),
        ("evaluate", {"convention": ["ranx"]}, "convention=['ranx']: "),
    ],
)
def test_errors_have_the_rule(function, inputs, message):
    inputs = GIVEN | FUNCTIONS[function] | inputs
    with raises(sqlrec.SqlrecError, match=re.escape(message)):
        getattr(sqlrec, function)(inputs.pop("metrics"), **inputs)


def test_a_metric_has_a_name():
    with raises(sqlrec.MetricError, match="invalid metric 5: write its name as a string"):
        sqlrec.metric(5)


def test_an_invalid_path_is_an_error():
    result = sqlrec.evaluate("ndcg@1", recs=RECS, truth=GIVEN["truth"])
    for path in (5, "", "\x00", "x" * 5000, None, b"x"):
        with raises(sqlrec.InputError, match=r"file's path|path of a file"):
            result.to_parquet(path)


def test_numbers_may_be_those_of_numpy():
    inputs = GIVEN | {"interval": "bootstrap", "level": np.float64(0.9)}
    inputs |= {"depth": np.int64(5), "replicates": np.int32(100)}
    plain = inputs | {"level": 0.9, "depth": 5, "replicates": 100}
    results, expected = (
        sqlrec.evaluate(one["metrics"], **{k: v for k, v in one.items() if k != "metrics"})
        for one in (inputs, plain)
    )
    assert results.provenance == expected.provenance
    assert results.to_arrow() == expected.to_arrow()


@mark.parametrize("threshold", [np.float32(2), np.int64(2)])
def test_a_threshold_may_be_a_number_of_numpy(threshold):
    truth = GIVEN["truth"].append_column("relevance", pa.array([1, 2]))
    results = sqlrec.evaluate(
        "hr@1", recs=RECS, truth=truth, rules=sqlrec.Rules(relevance_threshold=threshold)
    )
    assert json.loads(results.provenance)["rules"]["hit_rate"]["relevance_threshold"] == 2


@mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_guide_has_each_value_of_a_rule(rule):
    guide = (Path(__file__).parents[1] / "docs" / "guide.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| `{rule.name}`: .*", guide, re.MULTILINE)
    assert [value for value in rule.named_choices if f"`{value}`" not in row] == []
