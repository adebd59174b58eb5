"""Golden values of every metric under every rule, on small tables that never change.

They detect unintended changes: ``test_golden.py`` compares the computed values with
``values.json``, to 1e-12. After an intended change, this writes them again,
and git shows the differences: python -m tests.golden.values
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import compute, csv

import sqlrec
from sqlrec.catalogue.headers import ANY_TEXT
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.statistics.formulas import DRAWN

from ..tables import recommended_items

FOLDER = Path(__file__).parent
VALUES = FOLDER / "values.json"
EXACT = 1e-12

MAIN = (
    "ndcg@5 ndcg@all map@5 recall@5 precision@5 mrr@5 hit_rate@5 rbp@5 bpref@5 "
    "gini(items=recommended)@5 rmse@5 "
    "user_coverage@5 surprisal@5 list_jaccard@5"
)
MEANS = "ndcg@5 map@all recall@5 hit_rate@3"


@cache
def table(name: str, *without: str) -> pa.Table:
    """Read one of the tables, without some columns."""
    texts = "model user_id item_id category aspect item_group feature other_item_id country"
    options = csv.ConvertOptions(
        column_types=dict.fromkeys(texts.split(), pa.string()), strings_can_be_null=True
    )
    found = csv.read_csv(FOLDER / "data" / f"{name}.csv", convert_options=options)
    return found.drop_columns([*without])


def als() -> pa.Table:
    """Return the lists of one model."""
    recs = table("recs", "rank")
    return recs.filter(compute.equal(recs["model"], "als")).drop_columns("model")


def needed(metric: sqlrec.Metric) -> list[str]:
    """Return the parameters of a metric without a default, as text."""
    return [f"{key}=g1" for key, allowed in metric.params.items() if allowed == (ANY_TEXT,)]


def of_library(name: str, metric: str, k: int) -> str:
    """Return the request of a metric in the form of a library."""
    found = sqlrec.metric(metric)
    at = "" if found.entries["Cutoff"] == "none" else f"@{k}"
    return f"{metric}({', '.join([*needed(found), f'convention={name}'])}){at}"


def forms(metric: sqlrec.Metric) -> Iterator[str]:
    """Return the requests of a metric: defaults, and each other value of a parameter."""
    of_items = recommended_items(metric)
    texts = needed(metric) + of_items
    yield f"{metric.name}({', '.join(texts)})" if texts else metric.name
    for key, allowed in metric.params.items():
        texts = needed(metric) + of_items * (key != "items")
        others = allowed[1:]
        if len(allowed) == 1 and allowed != (ANY_TEXT,):
            # Any number within limits.
            others = {allowed[0] / 2, 1} - {allowed[0]}
        for value in others:
            yield f"{metric.name}({', '.join([*texts, f'{key}={value}'])})"


def asked(cutoff: str, every: bool = False, logged: bool = False) -> list[str]:
    """Return requests of every metric of lists, or of logs, in the default or in every form."""
    found = []
    for metric in sqlrec.metrics().values():
        at = "" if metric.entries["Cutoff"] == "none" else cutoff
        for form in [*forms(metric)][: None if every else 1]:
            # Values past a limit, and whole lists for metrics that divide by k, are excluded.
            with suppress(sqlrec.MetricError):
                parse_metrics(form + at)
                found += [form + at] * ((metric.family == "off-policy") == logged)
    return found


def of_libraries() -> dict[str, list[str]]:
    """Return requests of every metric of every library, in its form."""
    return {
        name: [
            of_library(name, metric, 5)
            for metric in dict.fromkeys(entry.metric for entry in convention.entries)
        ]
        for name, convention in sqlrec.conventions().items()
        if convention.entries
    }


def those(metrics: list[str], table: str, column: str = "", has: bool = True) -> list[str]:
    """Return the metrics that read a table or one of its columns, or all other metrics."""

    def reads(one: str) -> bool:
        (asked,) = parse_metrics(one)
        needs = [
            x for x in asked.metric.needs if x.table == table and x.applies(asked.settings, True)
        ]
        return any(not column or column in need.columns for need in needs)

    return [one for one in metrics if reads(one) == has]


def evaluate(metrics: str | list[str], **inputs: Any) -> sqlrec.Result:
    """Evaluate metrics of lists, with other tables or an interval if given."""
    tables = {
        "recs": table("recs", "rank"),
        "truth": table("truth"),
        "history": table("history"),
        "catalog": table("catalog"),
        "items": table("items"),
        "baseline": table("baseline", "rank"),
        "interval": None,
    }
    return sqlrec.evaluate(metrics, **tables | inputs)


def cases() -> Iterator[tuple[str, sqlrec.Table]]:
    """Yield the golden tables by name, some in parts."""
    plain = asked("@5")
    yield from every_form()
    yield "users", evaluate(plain, recs=als()).per_user()
    for cutoff in ("@2", "@all"):
        yield cutoff, evaluate(asked(cutoff))
    found = evaluate(plain, users=table("users"), by=["country", "age"])
    yield "segments", found
    yield "segments, user_counts", found.user_counts

    ranks = {"recs": table("recs", "score"), "baseline": table("baseline", "score")}
    unscored = those(those(plain, "recs", "score", has=False), "baseline", "score", has=False)
    yield "ranks", evaluate(unscored, **ranks)
    both = {"recs": table("recs"), "baseline": table("baseline")}
    for order in ("score", "rank"):
        yield f"order={order}", evaluate(MAIN, order=order, **both)
    for ties in ("item_desc", "first"):
        yield f"ties={ties}", evaluate(plain, ties=ties)
    for ties in ("best", "worst"):
        yield f"ties={ties}", evaluate(those(plain, "truth"), ties=ties)
    expected = [one for one in asked("@5", every=True) if is_expected(one)]
    yield "ties=expected", evaluate(expected, ties="expected")
    repeated = {"recs": table("repeated_recs", "rank"), "truth": table("repeated_truth")}
    found = evaluate(plain, duplicates="best", **repeated)
    yield "duplicates=best", found
    yield "duplicates=best, user_counts", found.user_counts
    for null_scores in ("last", "drop"):
        found = evaluate(plain, null_scores=null_scores, recs=table("unscored_recs"))
        yield f"null_scores={null_scores}", found
    for population in ("truth_and_recs", "judged", "judged_and_recs", "recs", "all"):
        yield f"population={population}", evaluate(MAIN, population=population)
    for threshold in (2, float("-inf")):
        yield (f"relevance_threshold={threshold}", evaluate(MAIN, relevance_threshold=threshold))
    ungraded = those(MAIN.split(), "truth", "relevance", has=False)
    yield "without grades", evaluate(ungraded, truth=table("truth", "relevance"))
    yield "depth=3", evaluate(plain, depth=3)
    # One statement for all would take DuckDB four times as long.
    for metrics in of_libraries().values():
        yield "conventions", evaluate(metrics)
    yield from of_logs()
    yield from of_statistics()


def every_form() -> Iterator[tuple[str, sqlrec.Table]]:
    """Compute all metrics of lists, with each other value of a parameter."""
    found = evaluate(asked("@5", every=True))
    yield "every form", found
    yield "every form, user_counts", found.user_counts


def is_expected(one: str) -> bool:
    """Return whether a form has an expected value over equal scores."""
    (found,) = parse_metrics(one)
    return found.metric.expected and not found.no_expected_form


def of_logs() -> Iterator[tuple[str, sqlrec.Table]]:
    """Compute the metrics of logged decisions."""
    of_one = {"logs": table("logs", "target_probability"), "recs": als()}
    for cutoff in ("@2", "@all"):
        yield f"logs {cutoff}", evaluate(asked(cutoff, logged=True), **of_one)
    segments = evaluate(
        asked("@2", logged=True), **of_one, users=table("users"), by=["country", "age"]
    )
    yield "logs, segments", segments
    policy = [one for one in asked("", logged=True) if "ctr" not in one]
    logs = table("logs", "expected_reward")
    of_policy = those(policy, "logs", "expected_reward", has=False)
    yield "logs of a policy", sqlrec.evaluate(of_policy, logs=logs, interval=None)
    yield "logs of a policy, interval=auto", sqlrec.evaluate(of_policy, logs=logs)


def of_statistics() -> Iterator[tuple[str, sqlrec.Table]]:
    """Compute intervals, summaries and comparisons."""
    users = {"users": table("users"), "by": "country"}
    for interval in ("auto", "normal", "t", "wilson", "bootstrap", "bca"):
        metrics = (
            "hit_rate@5 user_coverage@5"
            if interval == "wilson"
            else f"{MEANS} gini(items=recommended)@5"
        )
        method = sqlrec.Interval(interval, replicates=200 if interval in DRAWN else None)
        yield f"interval={interval}", evaluate(metrics, interval=method, **users)
    grouped = {"users": table("users"), "cluster": "age", "interval": "t"}
    yield "cluster", evaluate(MEANS, **grouped)
    summaries = "standard_deviation min max zero_share median p90 lower_median lower_p90"
    yield "summaries", evaluate(MEANS, summaries=summaries, **users)
    tables = {"recs": table("recs", "rank"), "truth": table("truth"), "baseline": "pop"}
    for test in ("t", "wilcoxon", "sign", "mcnemar", "randomization"):
        options = {"test": test, "correction": "bh"}
        options |= {"replicates": 200} if test == "randomization" else {}
        yield f"comparison by {test}", sqlrec.compare(MEANS, **tables, **options, **users)


def found(some: Iterable[tuple[str, sqlrec.Table]]) -> dict[str, dict[str, list[Any]]]:
    """Return the values of tables: the numbers of each row, by its keys."""
    every: dict[str, dict[str, list[Any]]] = {}
    for name, part in some:
        every.setdefault(name, {}).update(rows(part))
    return every


def rows(found: sqlrec.Table) -> Iterator[tuple[str, list[Any]]]:
    """Yield the keys and the numbers of each row of a table."""
    # The request repeats metric and k, and the case has the test.
    table = found.to_arrow()
    table = table.select([name for name in table.column_names if name not in ("request", "test")])
    named = [f.name for f in table.schema if f.name in ("k", "age") or f.type == pa.string()]
    for row in table.to_pylist():
        names = " ".join(str(row.pop(name)) for name in named)
        yield names, [*row.values()]


def same(ours: Any, theirs: Any, exact: float = EXACT) -> bool:
    """Return whether two values are equal, up to the last digits."""
    if isinstance(ours, float) and isinstance(theirs, float):
        return abs(ours - theirs) <= exact * max(1, abs(theirs)) or ours == theirs
    return type(ours) is type(theirs) and ours == theirs


def update() -> None:
    """Write the values; unchanged values keep their text and position."""
    held = json.loads(VALUES.read_text(encoding="utf-8")) if VALUES.exists() else {}
    lines = []
    for case, table in found(cases()).items():
        known = held.get(case, {})
        written = []
        for row in {row: True for row in known if row in table} | table:
            values, old = table[row], known.get(row, [])
            if len(old) == len(values) and all(map(same, values, old)):
                values = old
            written.append(f"  {json.dumps(row)}: {json.dumps(values)}")
        lines.append(f" {json.dumps(case)}: {{\n" + ",\n".join(written) + "\n }")
    VALUES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    update()
