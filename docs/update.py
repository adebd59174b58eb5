"""Update all files that are generated from the metrics: python docs/update.py."""

import ast
import inspect
import json
import re
import textwrap
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from difflib import unified_diff
from functools import partial
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from statistics import mode
from string import Formatter
from typing import Any

import pyarrow as pa
from pyarrow import csv

import sqlrec
from sqlrec import functions, messages, options, rules
from sqlrec.analyses.identify_tables import FEATURES
from sqlrec.catalogue.conventions import Entry
from sqlrec.catalogue.dbt_macros import USUAL as USUAL_METRIC
from sqlrec.catalogue.dbt_macros import catalogue_entries, macro_returning
from sqlrec.catalogue.headers import (
    ANY_TEXT,
    CUTOFF_IN_NAME,
    CUTOFF_PARAMS,
    FAMILIES,
    FORMS,
    TABLES,
    known_columns,
)
from sqlrec.catalogue.requests import PRESETS, USUAL, parse_metrics
from sqlrec.cli.arguments import DECLARED
from sqlrec.dialects import DIALECTS, RESERVED
from sqlrec.engines.base import _KINDS, Unconnected
from sqlrec.evaluation import example_statement
from sqlrec.inputs import unused_columns
from sqlrec.inputs.columns import KEYS
from sqlrec.inputs.source import NUMBERS
from sqlrec.inputs.tables import Tables
from sqlrec.options import Option
from sqlrec.plan import build as plan
from sqlrec.plan.plan import PAST_EVERY_CUTOFF, Plan, Table
from sqlrec.plan.sources import IDS
from sqlrec.rendering import templates
from sqlrec.rendering.constants import fold_constants
from sqlrec.rendering.queries import Query
from sqlrec.rendering.tokens import named_queries, parse_tree
from sqlrec.rendering.unused import is_single_row
from sqlrec.rules import RULES
from sqlrec.run import differences, job
from sqlrec.self_test import FILE as SELF_TEST
from sqlrec.self_test import Case
from sqlrec.statistics import distributions

CONVENTIONS_HEAD = """\
# Conventions

Libraries compute different values under the same name. A convention describes the choices of one
library, such as the users in the mean, the divisor, the order of items with equal scores, and the
treatment of repeated rows.

```python
sqlrec.evaluate("ndcg@10 map@10", recs, truth, rules="replay")
sqlrec.evaluate("ndcg@10 ndcg(convention=lenskit)@10", recs=recs, truth=truth)
sqlrec.explain("map@10", recs=recs, truth=truth)
```

`explain` computes a metric under every convention, and groups equal values. For each difference it
prints the choice that causes it, and the number of users with a changed value.

Tests compare each convention with its library, to 1e-9. The test data contain short and missing
lists, equal scores, repeated items, grades, and repeated rows in the truth. `python
tests/conventions/run.py` installs the libraries and computes their values again.

`ties=first` and `duplicates=last` need the order of rows, which only DuckDB preserves. On other
engines, name a column with the order: `Rules(order_by="ts")`. Without such a column, sqlrec uses
ids and best ranks instead, and prints a warning. Your own options, such as `population=` or a
parameter, take precedence over the convention.

`docs/update.py` generates this page from the files in [sql/conventions](../sql/conventions).
"""
MATRIX_HEAD = """\
Each metric has a table with the libraries that contain the metric, and the parameters and rules in
which they differ from sqlrec. [sqlrec/rules.py](../sqlrec/rules.py) describes the rules, and the
header of a metric describes its parameters. If a library contains several variants of a metric,
the convention uses the first variant."""

PEERS_HEAD = """\
# Peers

This page compares libraries with sqlrec under their [convention](conventions.md). The values come
from running the libraries on the tables of [the vectors](../vectors/README.md), not from their
documentation. [Published numbers](papers.md) contains examples from the documentation of ranx,
Spark and TorchMetrics. The tables are small and unusual on purpose, so the counts do not show how
many users of a real data set have a different value.

- *agree on*: the number of values, or of tables, for which the library and its convention agree.
  Only values that both compute count, because a library may reject a table, such as a list with a
  repeated item.
- *examples*: the docstring examples that print a number, and the share of them that the installed
  version reproduces to all printed digits.
- *unlike sqlrec*: the choices of the library that differ from sqlrec's defaults.
- *changes*: the number of tables for which the convention and sqlrec's defaults give different
  values, and the most frequent features of these tables.

`python vectors/run.py LIBRARY...` runs libraries and stores the counts in
[agreement.json](../vectors/agreement.json). `docs/update.py` generates this page from these counts.
A weekly test runs the libraries again."""

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
METRICS = ROOT / "docs" / "metrics.md"
GUIDE = ROOT / "docs" / "guide.md"
PAGE = ROOT / "docs" / "conventions.md"
PEERS = ROOT / "docs" / "peers.md"
VECTORS = ROOT / "vectors"
MEASURED = ROOT / "tests" / "conventions" / "measured.json"
SNIPPETS = ROOT / "examples" / "snippets"
GOLDEN = ROOT / "tests" / "golden"
SQL = ROOT / "sql"
# The metrics with snippets.
SNIPPET_METRICS = (
    "average_precision",
    "hit_rate",
    "ndcg",
    "precision",
    "recall",
    "reciprocal_rank",
)


def table() -> str:
    """Return a table per family: each metric's name, meaning, parameters and aliases."""
    lines = []
    for family in FAMILIES:
        lines += ["", f"**{family[0].upper()}{family[1:]}**", ""]
        lines += ["| metric | meaning | better | parameters | aliases |"]
        lines += ["| --- | --- | --- | --- | --- |"]
        for metric in sqlrec.metrics().values():
            if metric.family == family:
                lines.append(row(metric))
    return "\n".join(lines[1:])


def row(metric: sqlrec.Metric) -> str:
    """Return the table row of a metric."""
    name = f"[{metric.name}](../sql/metrics/{metric.name}.sql)"
    meaning = metric.meaning[0].upper() + metric.meaning[1:]
    params = "<br>".join(
        f"`{key}`: {', '.join(map(str, allowed))}" for key, allowed in metric.params.items()
    )
    return f"| {name} | {meaning} | {metric.better} | {params} | {', '.join(metric.aliases)} |"


def updated(text: str) -> str:
    """Return the page with the current table of metrics."""
    start, end = re.search(r"<!-- metrics:.*?-->\n", text).end(), text.index("<!-- end of metrics")
    return f"{text[:start]}\n{table()}\n\n{text[end:]}"


def with_statement(text: str) -> str:
    """Return the README with the current statement of NDCG."""
    start, end = re.search(r"```sql\n(.*?)```", text, re.DOTALL).span(1)
    statement = sqlrec.sql("ndcg@10", dialect="duckdb", recs="recs", truth="truth")
    return f"{text[:start]}{statement}\n{text[end:]}"


def conventions_page() -> str:
    """Return the page of conventions: the metrics of each library, with parameters and rules."""
    libraries = [library for library in sqlrec.conventions().values() if library.entries]
    lines = [CONVENTIONS_HEAD, "| convention | library | version |", "| --- | --- | --- |"]
    lines += [f"| `{x.name}` | [{x.library}]({x.source}) | {x.version} |" for x in libraries]
    lines += ["", "## Metrics and libraries", "", MATRIX_HEAD]
    metric_names = {entry.metric for library in libraries for entry in library.entries}
    for metric in (metric for metric in sqlrec.metrics().values() if metric.name in metric_names):
        lines += ["", f"### {metric.name}", "", "| convention | name | differs from sqlrec in |"]
        lines.append("| --- | --- | --- |")
        for library in libraries:
            for entry in library.entries:
                if entry.metric == metric.name:
                    lines.append(f"| {library.name} | `{entry.name}` | {choices(metric, entry)} |")
    lines += ["", "## Remarks, missing metrics and differences", ""]
    for library in libraries:
        remarks = [f"- `{entry.name}`: {entry.note}." for entry in library.entries if entry.note]
        remarks += [
            f"- `{name}` is not in the convention: {why}." for name, why in library.missing.items()
        ]
        remarks += [f"- `{name}` can differ {why}." for name, why in library.unequal.items()]
        lines += [f"### {library.name}", "", *(remarks or ["- Nothing."]), ""]
    return "\n".join(lines).rstrip() + "\n"


def peers_page() -> str:
    """Return the page of peers: by metric, and then each library's names."""
    libraries = [library for library in sqlrec.conventions().values() if library.entries]
    measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    counts = [count for library in measured.values() for count in library.values()]
    agreement, vectors = (
        json.loads((VECTORS / name).read_text(encoding="utf-8"))
        for name in ("agreement.json", "vectors.json")
    )
    lines = [PEERS_HEAD, *peers_by_metric(agreement, vectors)]
    lines += ["", "## Name by name", ""]
    lines += [
        "Each table lists the library's names of metrics, the sqlrec requests with the same value,",
        f"and the largest difference. The tables compare {len(counts)} names in {len(libraries)}",
        f"conventions, over {sum(count for count, _ in counts):,} values from the libraries. A",
        "difference is divided by the larger of the value and 1. [Conventions](conventions.md)",
        "lists the choices for each name. `python tests/conventions/measured.py` measures the",
        "differences.",
    ]
    for library in libraries:
        title = f"### {library.name}"
        source = f"[{library.library}]({library.source}) {library.version}:"
        lines += ["", title, "", f'{source} `rules="{library.name}"`.', ""]
        lines += ["| name | sqlrec | values | largest difference |", "| --- | --- | ---: | --- |"]
        for entry in library.entries:
            params = ", ".join(f"{key}={value}" for key, value in entry.params.items())
            request = f"{entry.metric}({params})" if params else entry.metric
            count, largest = measured[library.name][entry.name]
            whole_lists = library.unequal.get(f"{entry.name}@all", "")
            if whole_lists:
                whole_lists = f"for whole lists, {whole_lists}"
            why = library.unequal.get(entry.name) or whole_lists
            far = "below 1e-9" if largest < 1e-9 else f"{largest:.1g}"
            result = f"{far}; can differ {why}" if why else far
            lines.append(f"| `{entry.name}` | `{request}` | {count} | {result} |")
        for name, why in library.missing.items():
            lines.append(f"| `{name}` | none: {why} | 0 | not comparable |")
    return "\n".join(lines) + "\n"


def peers_by_metric(rows: list[dict[str, Any]], vectors: dict[str, Any]) -> list[str]:
    """Return a table of libraries, and one of each metric's names and their differences."""
    forms = {(row["library"], row["metric"]): _form_of(row, vectors) for row in rows}
    shared: dict[str, list[str]] = {}
    for (library, _), form in forms.items():
        words = shared.get(library, form["unlike_sqlrec"])
        shared[library] = [x for x in words if x in form["unlike_sqlrec"]]
    lines = ["", "## By metric", ""]
    lines += [
        "| library | names | agree on | examples | unlike sqlrec, in all metrics |",
        "| --- | ---: | --- | --- | --- |",
    ]
    for library, words in shared.items():
        library_rows = [row for row in rows if row["library"] == library]
        equal, count = (sum(row[key] for row in library_rows) for key in ("equal", "tables"))
        # Names with parameters share a docstring.
        examples = {row["metric"].split()[0]: row["examples"] for row in library_rows}
        lines.append(
            f"| {library}: {library_rows[0]['package']} | {len(library_rows)} | "
            f"{equal} of {count} values | {_examples(examples.values())} | "
            f"{'<br>'.join(words) or '-'} |"
        )
    for metric, metric_vectors in vectors["metrics"].items():
        cells = []
        for row in rows:
            form = forms[row["library"], row["metric"]]
            if form in metric_vectors:
                own = [x for x in form["unlike_sqlrec"] if x not in shared[row["library"]]]
                cells.append(
                    f"| {row['library']} `{row['metric']}` | {_agreement(row, vectors)} | "
                    f"{_examples([row['examples']])} | "
                    f"{'<br>'.join(own) or '-'} | {_changed(form, metric_vectors[0], vectors)} |"
                )
        if cells:
            lines += ["", f"### {metric}@{vectors['k']}", ""]
            names = "name | agrees on | examples | unlike sqlrec, in this metric | changes"
            lines += [f"| {names} |", "| --- | --- | --- | --- | --- |", *cells]
    return lines


def _examples(counts: Iterable[list[int]]) -> str:
    """Return the number of docstrings' examples that return the documented value."""
    equal, count = map(sum, zip(*counts, strict=True))
    return f"{equal} of {count}" if count else "none"


def _form_of(row: dict[str, Any], vectors: dict[str, Any]) -> dict[str, Any]:
    """Return the form that a library's metric has by its profile."""
    (metric,) = {
        entry.metric
        for entry in sqlrec.conventions()[row["library"]].entries
        if entry.name == row["metric"]
    }
    names = {row["library"], f"{row['library']} {row['metric']}"}
    return next(x for x in vectors["metrics"][metric] if names & {*x["computed_by"]})


def _agreement(row: dict[str, Any], vectors: dict[str, Any]) -> str:
    """Return the number of tables on which a library and its form are equal."""
    but = f"; not on tables with {_features(row['differs'], vectors)}" if row["differs"] else ""
    return f"{row['equal']} of {row['tables']}{but}"


def _changed(form: dict[str, Any], own: dict[str, Any], vectors: dict[str, Any]) -> str:
    """Return the number of tables on which a form differs from sqlrec's, and their features."""
    pairs = [pair for pair in zip(form["values"], own["values"], strict=True) if None not in pair]
    changed = [
        n
        for n, pair in enumerate(zip(form["values"], own["values"], strict=True))
        if None not in pair and pair[0] != pair[1]
    ]
    count = f"{len(changed)} of {len(pairs)} tables"
    return f"{count}: {_features(changed, vectors)}" if changed else count


def _features(numbers: list[int], vectors: dict[str, Any]) -> str:
    """Return the features that are most typical of some tables."""
    tables = vectors["tables"]
    all_counts = Counter(name for table in tables for name in table["features"])
    counts = Counter(name for n in numbers for name in tables[n]["features"])
    shares = sorted(counts, key=lambda name: (-counts[name] / all_counts[name], name))
    return ", ".join(FEATURES[name] for name in shares[:2]) or "usual rows"


def choices(metric: sqlrec.Metric, entry: Entry) -> str:
    """Return the parameters and rules in which a library differs from sqlrec."""
    own = {key: allowed[0] for key, allowed in metric.params.items()} | asdict(rules.MetricRules())
    chosen = {**entry.params, **entry.rules}
    return ", ".join(f"{key}={value}" for key, value in chosen.items() if value != own[key])


def snippets() -> dict[Path, str]:
    """Return example statements per dialect and metric, by path."""
    return {
        SNIPPETS / dialect / f"{name}.sql": snippet(sqlrec.metric(name), dialect)
        for dialect in DIALECTS
        for name in SNIPPET_METRICS
    }


def snippet(metric: sqlrec.Metric, dialect: str) -> str:
    """Return the example statement of a metric."""
    return example_statement(metric.name, dialect) + "\n"


def forms(metric: sqlrec.Metric) -> list[str]:
    """Return requests of a metric, with defaults and with each other value of a parameter."""
    texts = [f"{key}=new" for key, own in metric.params.items() if own == (ANY_TEXT,)]
    others = [f"{key}={value}" for key, own in metric.params.items() for value in own[1:]]
    chosen = [texts, *([*texts, other] for other in others)]
    at = "@10" if metric.entries["Cutoff"] != "none" else ""
    return [metric.name + f"({', '.join(params)})" * bool(params) + at for params in chosen]


def inputs_of(request: str) -> dict[str, Any]:
    """Return the inputs of a metric, tables with the names of the inputs."""
    parsed, *_ = parse_metrics(request)
    needs = parsed.metric.needs
    return {
        need.table: need.table for need in needs if need.applies(parsed.settings, available=True)
    }


def statement(request: str, dialect: str, **options: Any) -> str:
    """Return the statement of a metric, over tables with the names of the inputs."""
    return sqlrec.sql(request, dialect=dialect, **inputs_of(request) | options) + "\n"


# Options that change the statements of all metrics.
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "ranks": {"columns": {"rank": "rank"}},
    "models and segments": {"recs": {"als": "als", "pop": "pop"}, "users": "users", "by": "age"},
    "per-user values": {"per_user": True},
    "loose rules": {
        "rules": sqlrec.Rules(duplicates="best", null_scores="last", population="all", depth=20)
    },
    "grades": {"rules": sqlrec.Rules(ties="item_desc"), "columns": {"relevance": "relevance"}},
    "equal scores": {"rules": sqlrec.Rules(ties="expected")},
}


# Dialects of golden texts: DuckDB, and Snowflake, which most dialects resemble.
WRITTEN = ("duckdb", "snowflake")


def golden() -> dict[Path, str]:
    """Return statements in DuckDB, the lines that differ in Snowflake, and hashes of all of them.

    Metrics of one kind of rows share most queries, so the first of each kind is written in full.
    """
    texts = {
        name: [snippet(metric, dialect) for dialect in WRITTEN]
        for name, metric in sqlrec.metrics().items()
    }
    first = {metric.rows: name for name, metric in reversed(sqlrec.metrics().items())}.values()
    statements = {f"{name}.sql": texts[name] for name in sorted(first)}
    files = {GOLDEN / WRITTEN[0] / name: text for name, (text, _) in statements.items()}
    differences = [
        f"{line}\n"
        for name, pair in statements.items()
        for line in unified_diff(
            *(text.splitlines() for text in pair),
            *(f"{dialect}/{name}" for dialect in WRITTEN),
            n=0,
            lineterm="",
        )
    ]
    lines = [
        f"# Generated by docs/update.py: hashes of statements in {' and '.join(WRITTEN)}.",
        *(f'{name} = "{short_hash(pair)}"' for name, pair in texts.items()),
    ]
    files[GOLDEN / "examples.toml"] = "\n".join(lines) + "\n"
    return {**files, GOLDEN / f"{WRITTEN[1]}.diff": "".join(differences)}


def short_hash(texts: Iterable[str]) -> str:
    """Return the start of the hash of texts."""
    return sha256("".join(texts).encode()).hexdigest()[:12]


def golden_hashes() -> dict[Path, str]:
    """Return hashes of each metric in every dialect, of all its forms in two, with options.

    Dialects differ by their functions, and the default form of a metric has most of these.
    """
    requests = {name: forms(metric) for name, metric in sqlrec.metrics().items()}
    defaults = {name: texts[:1] for name, texts in requests.items()}
    hashes_by_title = {
        dialect: {
            name: hashed(texts, dialect)
            for name, texts in (requests if dialect in WRITTEN else defaults).items()
        }
        for dialect in DIALECTS
    }
    for title, arguments in OPTIONS.items():
        hashes_by_title[title] = {
            name: hashed(texts, "snowflake", **arguments) for name, texts in defaults.items()
        }
    hashes_by_title["conventions"] = {
        convention.name: hashed(
            [
                forms(sqlrec.metric(entry.metric))[0].replace(
                    "@", f"(convention={convention.name})@"
                )
                for entry in convention.entries
            ],
            "duckdb",
        )
        for convention in sqlrec.conventions().values()
    }
    lines = ["# Generated by docs/update.py: hashes of statements."]
    for title, hashes in hashes_by_title.items():
        lines += [
            "",
            f'["{title}"]',
            *(f'{name} = "{text}"' for name, text in hashes.items() if text),
        ]
    return {GOLDEN / "hashes.toml": "\n".join(lines) + "\n"}


def hashed(requests: Iterable[str], dialect: str, **options: Any) -> str:
    """Return a short hash of statements, or an empty text without statements."""
    texts = []
    for request in requests:
        # Some metrics have no per-user values, or no form for equal scores.
        with suppress(sqlrec.SqlrecError):
            texts.append(statement(request, dialect, **options))
    return short_hash(texts) if texts else ""


FEW = ("ndcg 5", "average_precision 5", "recall 5", "reciprocal_rank 5", "bpref 5", "gini 5")
MEANS = ("ndcg 5", "average_precision None", "recall 5", "hit_rate 3")

# Inputs that are queries.
RANKS = {"recs": "(select model, user_id, item_id, list_rank as rank from {recs})"}
BOTH = {"recs": "(select model, user_id, item_id, score, list_rank as rank from {recs})"}
ONE_MODEL = {"recs": "(select user_id, item_id, score from {recs} where model = 'als')"}
UNGRADED = {"truth": "(select user_id, item_id from {truth})"}
REPEATED = {"recs": "{repeated_recs}", "truth": "{repeated_truth}"}
USERS = {"users": "{users}"}
MISSING_SCORES = {"columns": {"recs.score": "partial_score"}}

# Stored values of a rule, with the options and inputs that differ from the defaults.
SELF_TEST_RULES: Mapping[str, tuple[Mapping[str, object], Mapping[str, str]]] = {
    "ranks": ({}, RANKS),
    "order=score": ({"order": "score"}, BOTH),
    "order=rank": ({"order": "rank"}, BOTH),
    "ties=item_desc": ({"ties": "item_desc"}, {}),
    "ties=first": ({"ties": "first", "order_by": "row"}, {}),
    "ties=best": ({"ties": "best"}, {}),
    "ties=worst": ({"ties": "worst"}, {}),
    "ties=expected": ({"ties": "expected"}, {}),
    "duplicates=best": ({"duplicates": "best"}, REPEATED),
    "null_scores=last": ({"null_scores": "last", **MISSING_SCORES}, {}),
    "null_scores=drop": ({"null_scores": "drop", **MISSING_SCORES}, {}),
    "population=truth_and_recs": ({"population": "truth_and_recs"}, {}),
    "population=judged": ({"population": "judged"}, {}),
    "population=judged_and_recs": ({"population": "judged_and_recs"}, {}),
    "population=recs": ({"population": "recs"}, {}),
    "population=all": ({"population": "all"}, {}),
    "relevance_threshold=2": ({"relevance_threshold": 2}, {}),
    "relevance_threshold=-inf": ({"relevance_threshold": float("-inf")}, {}),
    "without grades": ({}, UNGRADED),
    "depth=3": ({"depth": 3}, {}),
}

STATISTICS: Mapping[str, Mapping[str, object]] = {
    "interval=t": {"interval": "t", "by": "country"},
    "interval=wilson": {"interval": "wilson", "by": "country"},
    "cluster": {"interval": "t", "cluster": "age"},
    "summaries": {
        "interval": None,
        "by": "country",
        "summaries": "standard_deviation min max zero_share median p90 lower_median lower_p90",
    },
}
TESTS = ("t", "sign")


@dataclass
class StoredCase:
    """A request of the self-test, with the names of its stored values."""

    part: str
    values: str
    metrics: Sequence[str]
    call: str
    options: Mapping[str, object] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)

    def entry(self) -> dict[str, Any]:
        """Return the entry of the file, with the texts of requests."""
        requests = []
        for label, _, k in (text.rpartition(" ") for text in self.metrics):
            suffix = "" if find_metric(label).entries["Cutoff"] == "none" else "@all"
            requests.append(request_text(label) + (suffix if k == "None" else f"@{k}"))
        return {**asdict(self), "requests": requests}


def find_metric(label: str) -> sqlrec.Metric:
    """Return the metric of a label."""
    return sqlrec.metric(label.partition("(")[0])


def request_text(label: str) -> str:
    """Return a label as a request. With a catalog, exposure is counted over all of its items."""
    default = find_metric(label).params.get("items", ("",))[0]
    if default != "recommended" or re.search("items=|convention=", label):
        return label
    name, bracket, params = label.partition("(")
    return f"{name}(items=recommended{', ' if bracket else ')'}{params}"


def has_metric(row: str, label: str) -> bool:
    """Return whether a row has the values of a metric."""
    return f" {label} " in f"{row} "


def cases(values: Mapping[str, Mapping[str, Any]]) -> Iterator[StoredCase]:
    """Yield the cases with these values."""

    def metrics(name: str, model: str) -> list[str]:
        return [row.removeprefix(model) for row in values[name] if row.startswith(model)]

    def few(name: str, labels: Sequence[str]) -> list[str]:
        return [label for label in labels if any(has_metric(row, label) for row in values[name])]

    def kind(metric: str) -> str:
        return str(find_metric(metric.rpartition(" ")[0]).rows)

    for call, part in (("evaluate", "metrics"), ("plain", "metrics, plain statements")):
        for _, group in groupby(sorted(metrics("every form", "als "), key=kind), key=kind):
            yield StoredCase(part, "every form", [*group], call)
        log_inputs = {"logs": "{logs}", **ONE_MODEL}
        for _, group in groupby(sorted(metrics("logs @2", "recs "), key=kind), key=kind):
            yield StoredCase(f"{part}", "logs @2", [*group], call, inputs=log_inputs)
    yield StoredCase("per-user values", "users", few("users", FEW), "per_user", inputs=ONE_MODEL)
    for name, (chosen, inputs) in SELF_TEST_RULES.items():
        yield StoredCase("rules", name, few(name, FEW), "evaluate", chosen, inputs)
    by = {"by": ["country", "age"]}
    yield StoredCase("segments", "segments", few("segments", FEW), "evaluate", by, USERS)
    library = partial(re.sub, r".*convention=(\w+).*", r"\1")
    for _, group in groupby(metrics("conventions", "als "), key=library):
        yield StoredCase("conventions", "conventions", [*group], "evaluate", {"order_by": "row"})
    for name, chosen in STATISTICS.items():
        labels = few(name, ("hit_rate 5",) if "wilson" in name else MEANS)
        yield StoredCase("intervals and summaries", name, labels, "evaluate", chosen, USERS)
    for test in TESTS:
        name, chosen = f"comparison by {test}", {"test": test, "correction": "bh", "by": "country"}
        yield StoredCase("comparisons", name, few(name, MEANS), "compare", chosen, USERS)
    options = {"by": "country"}
    name = "comparison by t"
    yield StoredCase("comparisons", name, few(name, MEANS), "comparison", options, USERS)
    # An error in a step ends a transaction, so steps are last.
    for label in FEW:
        yield StoredCase("steps", "every form", [label], "steps")


def self_test() -> dict[Path, str]:
    """Return the tables and values of the self-test of an engine, a part of the golden ones."""
    current = json.loads((GOLDEN / "values.json").read_text(encoding="utf-8"))
    # The default form of each metric, which has the shortest name, and a few of each library.
    forms: dict[str, list[str]] = {}
    libraries: dict[str, list[str]] = {}
    for row in current["every form"]:
        forms.setdefault(re.sub(r"\(.*\)", "", row), []).append(row)
    for row in current["conventions"]:
        libraries.setdefault(re.sub(r" .*convention=(\w+).*", r" \1", row), []).append(row)
    few = {
        "every form": [min(rows, key=len) for rows in forms.values()],
        "conventions": [row for rows in libraries.values() for row in rows[:2]],
    }
    current |= {name: {row: current[name][row] for row in rows} for name, rows in few.items()}
    values: dict[str, dict[str, Any]] = {}
    entries = [case.entry() for case in cases(current)]
    for entry in entries:
        rows = Case(**entry).expected(current)
        values.setdefault(entry["values"], {}).update(rows)
    # A line for each table, and for the values of each case.
    parts = {f"table {name}": table for name, table in self_test_tables().items()}
    parts |= {"cases": {"all": entries}} | values
    texts = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in parts.items()]
    return {SELF_TEST: "{" + ",\n".join(texts) + "}\n"}


def self_test_tables() -> dict[str, dict[str, Any]]:
    """Return the types and rows of each table of the golden values, some in other columns."""
    texts = "model user_id item_id category aspect item_group feature other_item_id country"
    types = dict.fromkeys(texts.split(), pa.string())
    options = csv.ConvertOptions(column_types=types, strings_can_be_null=True)
    paths = sorted((GOLDEN / "data").glob("*.csv"))
    tables = {path.stem: csv.read_csv(path, convert_options=options) for path in paths}
    keys = ("model", "user_id", "item_id")
    partial = {
        tuple(row[key] for key in keys): row["score"]
        for row in tables.pop("unscored_recs").to_pylist()
    }
    scores = [partial[tuple(row[key] for key in keys)] for row in tables["recs"].to_pylist()]
    ranks = tables["recs"]["rank"]
    dropped = {
        "recs": "rank",
        "baseline": "rank",
        "repeated_recs": "rank",
        "logs": "target_probability",
    }
    for name, column in dropped.items():
        tables[name] = tables[name].drop_columns([column])
    tables["recs"] = tables["recs"].append_column("list_rank", ranks)
    tables["recs"] = tables["recs"].append_column("partial_score", pa.array(scores, pa.float64()))
    for name in ("recs", "truth", "baseline"):
        numbers = pa.array(range(tables[name].num_rows))
        tables[name] = tables[name].append_column("row", numbers)
    return {
        name: {
            "types": {field.name: str(field.type) for field in table.schema},
            "rows": [[*row.values()] for row in table.to_pylist()],
        }
        for name, table in tables.items()
    }


def package_files() -> dict[Path, str]:
    """Return the generated files of the dbt package and the stub, by path."""
    return {
        SQL / "dbt" / "catalogue.sql": catalogue(),
        SQL / "dbt" / "conventions.sql": conventions(),
        SQL / "dbt" / "calls.sql": calls(),
        SQL / "calls.yml": call_properties(),
        SQL / "metrics.md": "\n".join(map(docs_block, sqlrec.metrics().values())),
        SQL / "metrics.yml": metric_properties(),
        Path(sqlrec.__file__).parent / "functions.pyi": functions_stub(),
        Path(sqlrec.__file__).parent / "__init__.pyi": package_stub(),
    }


# The options of the dbt package. Without distributions in SQL, intervals use the normal
# distribution at these levels.
LEVELS = (0.95, 0.5, 0.8, 0.9, 0.98, 0.99, 0.999)


@dataclass(frozen=True)
class DbtOption(Option):
    """An option of a macro, with its help."""

    help: str = ""


# The help of options that the command line has too; for an option of several forms, the first.
COMMANDS = tomllib.loads((ROOT / "sqlrec" / "cli" / "commands.toml").read_text(encoding="utf-8"))
HELP = {
    DECLARED[name].name: " ".join(text.split())
    for name, text in reversed(COMMANDS["options"].items())
}


COMMON_OPTIONS = (
    DbtOption("by", help="Columns of users, or of truth, with the segments.", default=[]),
    DbtOption(
        "columns",
        help="Your column names by standard name, as in `{'truth.item_id': 'sku'}`.",
        default={},
    ),
    DbtOption(
        "where", help="Conditions on the rows of inputs, as in `{'recs': 'day = 7'}`.", default={}
    ),
    DbtOption("k", help="The default cutoff or cutoffs, for metrics without a cutoff."),
    options.CONVENTION,
    *options.RULES,
    options.ORDER_BY,
    options.DEPTH,
)
FORM = DbtOption(
    "form",
    help="`audited` counts users and broken rules; `plain` does not; `check` lists the broken "
    "rules",
    choices=("audited", "plain", "check"),
)
ON_VIOLATION = DbtOption(
    "on_violation",
    help="If rows break a rule: all values are null, or the model fails.",
    choices=("null", "fail"),
)
STEPS = (
    DbtOption("step", help="One of the named queries of the statement, as a separate model."),
    DbtOption(
        "steps",
        help="The named queries that are models, as in `{'hits': ref('hits')}`.",
        default={},
    ),
)
LEVEL = DbtOption(
    "level", help="The confidence level of the interval.", type=float, default=LEVELS[0]
)
CORRECTION = replace(
    options.CORRECTION,
    choices=tuple(x for x in options.CORRECTION.choices if x not in differences.OF_MODELS),
)
OF_EVALUATE = (
    *COMMON_OPTIONS,
    options.GROUPINGS,
    replace(options.INTERVAL, choices=(None, "normal")),
    LEVEL,
    options.USER_WEIGHTS,
    DbtOption("summaries", help="Additional columns, as in `'median p90 zero_share'`.", default=""),
    FORM,
    ON_VIOLATION,
    *STEPS,
)
OF_USERS = (*COMMON_OPTIONS, FORM, ON_VIOLATION, *STEPS)
CALLS: Mapping[str, tuple[Option, ...]] = {
    "evaluate": OF_EVALUATE,
    "per_user": OF_USERS,
    "compare": (
        *COMMON_OPTIONS,
        LEVEL,
        options.USER_WEIGHTS,
        CORRECTION,
        FORM,
        ON_VIOLATION,
        *STEPS,
    ),
    "test_no_violations": COMMON_OPTIONS,
}
# Messages that only dbt has; all others are in sqlrec/messages.py.
REFUSED = {
    "option": "unknown option {option!r}: {nearest}",
    "vars": "vars: sqlrec: {value!r}: write a mapping, as in {{convention: trec_eval}}",
    "several_relations": "{table} is a list: give one relation{more}",
    "vars_option": "vars: sqlrec: unknown option {option!r}: {nearest}",
    "form_alone": "form={form!r} and {option}={value!r}: omit one",
    "form_check": "form='check': rows are checked for all lists at once; use evaluate",
    "one_statement": "{option} applies to one statement: omit groupings='each' and form='check'",
    "baseline_missing": "baseline is missing: name the model to compare with, as in baseline='pop'",
    "not_of_sums": "{metric} is not a function of sums over users, so one statement cannot compare "
    "it: omit it here, or compare it in Python, which resamples users",
    "test_metrics": "metric={metric!r}: a test has one metric; write a test for each",
    "test_neither": "{metric}: its direction is neither, so no value is worse; test "
    "another metric, or limit it by metric_at_least",
    "test_number": "{name}='{value}': it must be a number; write it without quotes, as in 0.25",
    "test_whole": "{name}='{value}': it must be a whole number of at least 1; write it without "
    "quotes, as in 10",
}
# Descriptions of the tables.
INPUTS = {
    "recs": "The recommendations, a row per recommended item: user_id, item_id, and score or rank. "
    "For several models, a dict of relations by model.",
    "truth": "The relevant items, a row per user and item: user_id, item_id, and relevance.",
    "history": "Past interactions of users, a row per interaction: user_id and item_id.",
    "catalog": "All items that could be recommended: item_id.",
    "items": "Attributes of items, in long form: item_id and the columns that metrics read.",
    "users": "Segments, a row per user: user_id and the columns of `by`.",
    "baseline": "The recommendations of another model, in the form of recs.",
    "logs": "Logged decisions, a row per decision: reward, propensity and the columns that metrics "
    "read.",
}
RETURNS = {
    "evaluate": "A query with a row per model, segment, metric and cutoff: the mean over users, "
    "the counts of users and lists, and the number of rows that break a rule.",
    "per_user": "A query with a row per model, user, metric and cutoff: the values before the "
    "mean.",
    "compare": "A query with a row per model (except the baseline), segment, metric and cutoff: "
    "the mean difference from the baseline, over users with a value of both models, and its "
    "interval.",
    "test_no_violations": "Fails with a row per broken rule: the input, the number of rows, an "
    "example, and the fix. Without `metrics`, it tests an evaluation: its column violations must "
    "be 0. With `metrics`, it tests the inputs; `recs` is by default the model of the test.",
}


def _declared(option: Option) -> dict[str, object]:
    """Return the declaration of an option for dbt."""
    levels = list(LEVELS) if option is LEVEL else list(option.choices)
    lower, upper = option.limits or (0.0, 0.0)
    return {
        "default": option.default,
        "choices": levels,
        "type": option.type.__name__,
        "limits": [max(lower, -upper), upper] if upper else [],
        "rules": dict(option.rules),
    }


# The message of a model that fails, after the number of rows.
BROKEN = " rows break a rule, so no value is valid: sqlrec.no_violations lists the rules"


def violation_messages() -> dict[str, str]:
    """Return the message of each rule that rows can break, with placeholders for an example."""
    return {
        name: text.replace("{table}", name.partition("_")[0])
        for name, text in job.violation_messages().items()
    }


def refusals() -> dict[str, list[str]]:
    """Split messages into texts and the names of values, which alternate."""
    shared = {name.lower(): text for name, text in vars(messages).items() if name.isupper()}
    parts = {}
    for name, message in (shared | REFUSED).items():
        parts[name] = [""]
        for text, value, _, conversion in Formatter().parse(message):
            parts[name][-1] += text
            if value:
                parts[name] += [f"{value}!{conversion}" if conversion else value, ""]
    return parts


def arguments(name: str) -> list[str]:
    """Return the arguments of a public macro, in order."""
    return ["metrics", *TABLES, *(option.name for option in CALLS[name])]


def calls() -> str:
    """Return the public macros: signatures, where missing arguments default to ``none``."""
    texts = ["-- Generated by docs/update.py: the public macros. results.sql has their contents.\n"]
    for name in CALLS:
        first, *others = arguments(name)
        is_test = name.startswith("test_")
        call = "no_violations_query(model" if is_test else f"call_statement('{name}'"
        parameters = [("model, metrics=none" if is_test else first), *(f"{x}=none" for x in others)]
        start = f"{{% test {name[5:]}(" if is_test else f"{{% macro {name}("
        signature = textwrap.fill(", ".join(parameters), 96)
        passed = textwrap.fill(", ".join(f"'{x}': {x}" for x in others), 96, break_on_hyphens=False)
        texts.append(
            f"{start}\n{textwrap.indent(signature, '    ')}\n) %}}\n"
            f"{{%- set given = {{\n{textwrap.indent(passed, '    ')}\n}} -%}}\n"
            "{{- sqlrec.check_names(kwargs, given | list) -}}\n"
            f"{{{{- sqlrec.{call}, metrics, given) -}}}}\n"
            f"{{% end{'test' if is_test else 'macro'} %}}\n"
        )
    return "\n".join(texts)


def call_properties() -> str:
    """Return the properties of public macros."""
    lines = ["# Generated by docs/update.py.", "version: 2", "macros:"]
    for name, parameters in CALLS.items():
        lines += [f"  - name: {name}", f"    description: {_quoted(RETURNS[name])}"]
        if name.startswith("test_"):  # dbt 1 warns about arguments of tests.
            continue
        lines.append("    arguments:")
        described = {option.name: _sentence(option) for option in parameters}
        about = "What to compute, a string or a list, as in `ndcg@10 map(divide_by=hits)@5`."
        described = {"metrics": about} | INPUTS | described
        kinds = dict.fromkeys(INPUTS, "relation") | KINDS
        if name == "compare":
            described["baseline"] = "The model to compare with: a key of recs, or a value of model."
            kinds["baseline"] = "string"
        for argument, text in described.items():
            lines.append(f"      - name: {argument}\n        type: {kinds.get(argument, 'string')}")
            lines.append(f"        description: {_quoted(text)}")
    return "\n".join(lines) + "\n"


KINDS = {"metrics": "list[string]", "by": "list[string]", "columns": "dict[string, string]"}
KINDS |= {"steps": "dict[string, relation]"}
KINDS |= {"depth": "integer", "level": "float", "relevance_threshold": "float"}


def _sentence(option: Option) -> str:
    own = option.help if isinstance(option, DbtOption) else HELP[option.name]
    meaning = own.partition("; default ")[0]
    about = meaning[0].upper() + meaning[1:].rstrip(".") + "."
    choices = ", ".join(f"`{choice}`" for choice in option.named_choices)
    default = "" if option.default in (None, "", [], {}) else f" By default `{option.default}`."
    return about + (f" One of {choices}." if choices else "") + default


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "'") + '"'


HERE = """\
{% set known = fromjson(entries) %}
{{ return(known.get(adapter.type(), known.trino)) }}"""


def catalogue() -> str:
    """Return the macros with the metrics, options and their limits."""
    metrics = catalogue_entries(sqlrec.metrics().values())
    limits = {
        "whole_list": plan.WHOLE_LIST_K,
        "largest_relevance": options.LARGEST_RELEVANCE,
        "largest_exponent": plan.LARGEST_EXPONENT,
        "taken": list(plan._RESERVED_COLUMNS),
        "comparison": [*differences.COMPARED[differences.COMPARED.index("value") : -1]],
        "compared": [
            *(
                "baseline",
                *differences.COMPARED,
                *differences._QUERY_COLUMNS,
                *differences._ADDED_COLUMNS,
            ),
            *("p_rank", "p_count", "p_step", "tail", "curve", "reach"),
        ],
        "ids": {name: names[0] for names in IDS for name in names},
        "whole_kinds": list(plan.WHOLE_KINDS),
        "longest_column": plan.LONGEST_COLUMN,
        "columns": list(known_columns()),
        "of_several": list(KEYS),
        # An enum is compared as its text; ClickHouse writes Nullable(LowCardinality(String)).
        "kinds": {
            f"((nullable|lowcardinality)[(])*({form})([()].*)?": name.replace("ENUM", "VARCHAR")
            for form, name in _KINDS
        },
        "rules": asdict(rules.MetricRules()),
        "ranking": list(plan.RANKING),
        "presets": {name: list(metrics) for name, metrics in PRESETS.items()},
        "usual_cutoff": USUAL,
        "cutoff_in_name": CUTOFF_IN_NAME,
        "cutoff_params": list(CUTOFF_PARAMS),
        "forms": dict(FORMS),
        "without_rows": [list(entry) for entry in rules.WITHOUT_ROWS],
        "by_relevance": list(rules.BY_RELEVANCE),
        "with_relevance": [list(entry) for entry in rules.WITH_RELEVANCE],
        "accounts": ["population", *plan.ACCOUNTS],
        "broken": BROKEN,
        "looks_like": {
            table: unused_columns.GRADE_NAMES
            if table == "truth"
            else unused_columns.last_word_pattern(unused_columns._MODELS)
            for table in ("recs", "baseline", "truth")
        },
        "most_looked_at": unused_columns._MAX_CHECKED,
        "most_named": unused_columns._MAX_NAMED,
        "reach": {
            str(level): distributions.normal_distribution().inv_cdf((1 + level) / 2)
            for level in LEVELS
        },
        "expected": [metric.name for metric in sqlrec.metrics().values() if metric.expected],
    }
    tables = {
        name: {"always": list(always), "sometimes": list(sometimes)}
        for name, (always, sometimes) in TABLES.items()
    }
    declared = {
        option.name: _declared(option) for parameters in CALLS.values() for option in parameters
    }
    spelling = {
        name: {
            "quote": dialect.quote,
            "unquotable": list(dialect.unquotable),
            "backslashes": dialect.backslashes,
            "upper_case": dialect.upper_case,
            "variables": dialect.variables,
            "reserved": list(dialect.reserved),
            "text": dialect.text,
            "concat": dialect.concat,
            "field": dialect.field.split("{}")[:2],
        }
        for name, dialect in DIALECTS.items()
    }
    return (
        "-- Generated by docs/update.py from the headers of the metrics, sqlrec/plan and "
        "sqlrec/dialects.py.\n\n"
        "-- The metrics by name and alias: the entry of an alias is only the name. `blank` has\n"
        f"-- the default values of entries.\n{macro_returning('catalogue', metrics)}\n"
        "-- The inputs: the required columns of each, and its optional columns.\n"
        f"{macro_returning('tables', tables)}\n"
        "-- The options: the default and the valid values of each.\n"
        f"{macro_returning('options', declared)}\n"
        "-- The messages of broken rules.\n"
        f"{macro_returning('violation_messages', violation_messages())}\n"
        "-- Messages for invalid requests, as lists in which text and names of values alternate.\n"
        f"{macro_returning('messages', refusals())}\n"
        "-- The default values of plans, tables, metrics and kinds of rows.\n"
        f"{macro_returning('blank', _blank())}\n"
        "-- The syntax of names and texts by dialect: the quotes around names, the characters\n"
        "-- that names cannot have, and whether backslashes are doubled in texts; none if a\n"
        "-- setting decides this. Unknown dialects have the most common syntax.\n"
        f"{macro_returning('spelling_here', spelling, HERE)}\n"
        f"-- Numbers and names with a meaning.\n{macro_returning('limits', limits)}\n"
        "-- The reserved words of all dialects.\n"
        f"{macro_returning('reserved_words', sorted(RESERVED))}\n"
        "-- The queries that match at most one row of each row that they are joined with.\n"
        f"{macro_returning('single_row_joins', single_row_joins())}"
    )


def single_row_joins() -> list[str]:
    """Return the queries with joins that never add rows, in the statements of all metrics."""
    texts = []
    for metric in sqlrec.metrics().values():
        request = forms(metric)[0].replace("@10", "@5,10")
        inputs = inputs_of(request) | {"recs": {"als": "als", "pop": "pop"}, "users": "users"}
        tables = Tables(Unconnected("duckdb"), **inputs)
        # Some metrics are of one model.
        with suppress(sqlrec.SqlrecError):
            plan = job.Call(tables).prepare(request, by=["age"], audit=False).plan
            texts.append(templates.render_unpruned("evaluation", plan, "duckdb"))
    joins = [join for text in texts if "\nwith\n" in text for join in _joins(text)]
    several = {name for name, is_single in joins if not is_single}
    return sorted({name for name, _ in joins} - several)


def _joins(sql: str) -> Iterator[tuple[str, bool]]:
    """Iterate over joined queries, and whether each matches a row at most once."""
    named, _ = named_queries(parse_tree(sql[sql.index("with\n") :], "duckdb"))
    queries = {entry.name: Query.read(entry) for entry in named}
    fold_constants([*queries.values()], Query([], [], [], [], "", []))
    for query in queries.values():
        for source in (source for select in query.selects for source in select.sources):
            if source.kind in ("left join", "cross join") and source.alias in queries:
                yield source.alias, is_single_row(source, queries)


def _blank() -> dict[str, dict[str, object]]:
    """Return the default values of a plan, a table, a metric and a kind of rows."""

    def usual(kind: Any) -> dict[str, object]:
        return {
            field.name: field.default if field.default is not MISSING else field.default_factory()
            for field in fields(kind)
            if field.default is not MISSING or field.default_factory is not MISSING
        }

    last = {"whole_list": plan.WHOLE_LIST_K, "past_every_cutoff": PAST_EVERY_CUTOFF}
    columns = {
        "columns": dict.fromkeys(known_columns()),
        "floating": dict.fromkeys(sorted(NUMBERS), False),
    }
    return {
        "plan": usual(Plan) | last | {"whole_ids": False, "recs": []},
        "table": usual(Table) | columns,
        "metric": USUAL_METRIC,
        "kind": {"metrics": [], "cutoffs": [], "truth": False, "weighed": False},
    }


def package_stub() -> str:
    """Return the type stub of the package, with the home of each public name."""
    lines = ["# Generated by docs/update.py from the public names in __init__.py."]
    for home, names in sqlrec._HOMES.items():
        lines += [f"from .{home} import {name} as {name}" for name in names]
    return "\n".join([*lines, "", "__version__: str", "__all__: list[str]"]) + "\n"


def functions_stub() -> str:
    """Return the type stub of ``sqlrec.functions``, which is generated from methods."""
    lines = ["# Generated by docs/update.py from the methods of sqlrec.Dataset."]
    source = Path(inspect.getfile(sqlrec.Dataset)).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.level or node.module == "collections.abc"):
            lines += [ast.unparse(node)] * (node.col_offset in (0, 4))
    lines += ["from .options import ComparisonInputs, OtherInputs, ReportInputs"]
    lines += ["from typing import Any, Literal, Unpack"]
    for name, function in inspect.getmembers(functions, inspect.isfunction):
        if name != "as_function":
            lines += ["", *_signature(name, function)]
    return "\n".join(lines) + "\n"


def _signature(name: str, function: Any) -> Iterator[str]:
    """Yield the lines of a function in a type stub."""
    signature = inspect.signature(function)
    yield f"def {name}("
    kind = None
    for parameter in signature.parameters.values():
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        if parameter.kind is not kind and parameter.kind is parameter.KEYWORD_ONLY:
            yield "    *,"
        kind = parameter.kind
        stars = "**" if kind is parameter.VAR_KEYWORD else ""
        yield f"    {stars}{parameter.name}: {parameter.annotation}{default},"
    yield f") -> {signature.return_annotation}:"
    yield f'    """{(inspect.getdoc(function) or "").splitlines()[0]}"""'


def conventions() -> str:
    """Return the macro with the parameters and rules of each library."""
    by_library: dict[str, object] = {}
    for convention in (library for library in sqlrec.conventions().values() if library.entries):
        # The most common value of each rule that all entries have.
        keys = [key for key in RULES if all(key in entry.rules for entry in convention.entries)]
        usual = {key: mode(entry.rules[key] for entry in convention.entries) for key in keys}
        metrics: dict[str, object] = {}
        for entry in convention.entries:
            metric = sqlrec.metric(entry.metric)
            params = {key: metric.read_param(key, value) for key, value in entry.params.items()}
            own = {key: x for key, x in entry.rules.items() if key not in usual or x != usual[key]}
            metrics.setdefault(metric.name, {"params": params, "rules": own})
        by_library[convention.name] = {"rules": usual, "metrics": metrics}
    return (
        "-- Generated by docs/update.py from the profiles in sql/conventions.\n\n"
        "-- Conventions: the rules of most metrics of a library, and for each metric its\n"
        "-- parameters and other rules, as far as they are not the defaults.\n"
        f"{macro_returning('conventions', by_library)}"
    )


def docs_block(metric: sqlrec.Metric) -> str:
    """Return the header of a metric for dbt's documentation."""
    return f"{{% docs sqlrec_{metric.name} %}}\n```\n{metric.header}\n```\n{{% enddocs %}}\n"


def metric_properties() -> str:
    """Return the properties of the macros of metrics, with links to their headers."""
    lines = ["# Generated by docs/update.py.", "version: 2", "macros:"]
    for metric in sqlrec.metrics().values():
        lines.append(f"  - name: {metric.rows}__{metric.name}")
        lines.append(f"    description: \"{{{{ doc('sqlrec_{metric.name}') }}}}\"")
        if metric.params:
            lines.append("    arguments:")
        for key, allowed in metric.params.items():
            kind = "string" if isinstance(allowed[0], str) else "float"
            lines.append(f"      - name: {key}\n        type: {kind}")
    return "\n".join(lines) + "\n"


def write(files: dict[Path, str]) -> None:
    """Write the files that have changed, and print their paths."""
    for path, text in files.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            print(path.relative_to(ROOT))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")


def with_rule_values(guide: str) -> str:
    """Return the guide with the choices of rules, as the files in ``sql/rules`` describe them."""
    for name in [name for name in rules.QUERIES if name in rules.OPTIONS]:
        meanings = rules.rule_meanings(name)
        choices = [f"`{x}`: {meanings[str(x)]}" for x in rules.OPTIONS[name].choices]
        row = re.compile(rf"^(\| `{name}`: [^|]* \|).*$", re.MULTILINE)
        guide = row.sub(rf"\1 {choices[0]} | {'; '.join(choices[1:])} |", guide)
    return guide


def pages() -> dict[Path, str]:
    """Return the generated pages of the docs, by path."""
    return {
        METRICS: updated(METRICS.read_text(encoding="utf-8")),
        README: with_statement(README.read_text(encoding="utf-8")),
        GUIDE: with_rule_values(GUIDE.read_text(encoding="utf-8")),
        PAGE: conventions_page(),
        PEERS: peers_page(),
    }


def delete_others(folder: Path, pattern: str, files: Iterable[Path]) -> None:
    """Delete the files of a folder that are no longer generated, and print their paths."""
    for path in {*folder.glob(pattern)}.difference(files):
        print(f"{path.relative_to(ROOT)} is no more")
        path.unlink()


# The parts, from the quickest; the folder of files that only the part has, and their pattern.
PARTS = {
    "pages": (pages, None),
    "dbt": (package_files, None),
    "selftest": (self_test, None),
    "golden": (golden, (GOLDEN, "*/*.sql")),
    "snippets": (snippets, (SNIPPETS, "*/*")),
    "hashes": (golden_hashes, None),
}


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=PARTS, action="append", help="one part; may be repeated")
    for part in parser.parse_args().only or PARTS:
        make, folder = PARTS[part]
        print(f"{part} ...", flush=True)
        files = make()
        write(files)
        if folder:
            delete_others(*folder, files)
