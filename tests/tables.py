"""Small tables in a short notation.

A list ``"abc"`` contains the items a, b and c from best to worst. In the truth ``"bd"``, b
and d are relevant; ``{"b": 3, "d": 1}`` has grades.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

import pyarrow as pa

import sqlrec
from sqlrec.catalogue.headers import ANY_TEXT
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.inputs.tables import Tables
from sqlrec.options import OBJECTS
from sqlrec.run import job
from sqlrec.run.job import Job

# Evaluation without intervals, which take a fifth of the time.
evaluate = partial(sqlrec.evaluate, interval=None)

# The truth "bdx" with grades and with items judged not relevant, of which abcde has c.
JUDGED = {"b": 3, "c": 0, "d": 0.5, "x": 2, "w": 0, "y": 0, "z": 0}

# Scores and grades of 21 pairs, with different counts of each sort. Concordant are the ten ae, af,
# ag, be, bf, bg, cf, de, df and dg; discordant ce, cd and cg; ac, bc, ef, eg and fg have equal
# scores, ad and bd equal grades, and ab both.
PAIRS = {"a": (3.0, 3.0), "b": (3.0, 3.0), "c": (3.0, 1.0), "d": (2.0, 3.0), "e": (1.0, 2.0)}
PAIRS |= {"f": (1.0, 0.0), "g": (1.0, 2.5)}


def lists(users: Mapping[str, Iterable[str]]) -> pa.Table:
    rows = [(user, item, i + 1) for user, items in users.items() for i, item in enumerate(items)]
    return table(rows, user_id=pa.string(), item_id=pa.string(), rank=pa.int64())


def scored(users: Mapping[str, Mapping[str, float | None]]) -> pa.Table:
    rows = [(user, item, score) for user, items in users.items() for item, score in items.items()]
    return table(rows, user_id=pa.string(), item_id=pa.string(), score=pa.float64())


def wanted(users: Mapping[str, Iterable[str] | Mapping[str, float]]) -> pa.Table:
    if all(isinstance(items, Mapping) for items in users.values()):
        rows = [(u, item, grade) for u, items in users.items() for item, grade in items.items()]
        return table(rows, user_id=pa.string(), item_id=pa.string(), relevance=pa.float64())
    rows = [(user, item) for user, items in users.items() for item in items]
    return table(rows, user_id=pa.string(), item_id=pa.string())


def of_users(
    count: int, models: Mapping[str, str | Iterable[str]], **columns: list
) -> dict[str, Any]:
    """Return inputs of users to whom item a is relevant, with columns of users.

    A model has the same list for all users, or a list for each.
    """
    users = [f"u{number}" for number in range(count)]
    shown = {
        name: [of_model] * count if isinstance(of_model, str) else of_model
        for name, of_model in models.items()
    }
    recs = {name: lists(dict(zip(users, each, strict=True))) for name, each in shown.items()}
    inputs: dict[str, Any] = {"recs": recs, "truth": wanted(dict.fromkeys(users, "a"))}
    return inputs | ({"users": pa.table({"user_id": users, **columns})} if columns else {})


def labeled(column: str, items: str | Mapping[str, Iterable[str | None]]) -> pa.Table:
    """Return items with categories, or other labels: {"a": "gh"}, or "a=old,new b=" with a null."""
    if isinstance(items, str):
        named = (word.split("=") for word in items.split())
        items = {item: [label or None for label in labels.split(",")] for item, labels in named}
    rows = [(item, label) for item, labels in items.items() for label in labels]
    return table(rows, item_id=pa.string(), **{column: pa.string()})


def priced(*prices: tuple[str, float | None]) -> pa.Table:
    """Return items with prices."""
    return table(prices, item_id=pa.string(), price=pa.float64())


def table(rows: Iterable[tuple], **types: pa.DataType) -> pa.Table:
    schema = pa.schema(types)
    return pa.Table.from_pylist([dict(zip(types, row, strict=True)) for row in rows], schema)


def decisions(columns: str, *rows: tuple | str) -> pa.Table:
    """Return logged decisions: names of columns, and rows as tuples or as "ann a 1, bob b -"."""
    others = dict.fromkeys(("user_id", "item_id", "feature"), pa.string())
    others |= dict.fromkeys(("position", "slate_id", "rank"), pa.int64())
    types = {name: others.get(name, pa.float64()) for name in columns.split()}
    if rows and isinstance(rows[0], str):
        read = {pa.string(): str, pa.int64(): int, pa.float64(): float}
        rows = tuple(
            tuple(
                None if word == "-" else read[kind](word)
                for kind, word in zip(types.values(), row.split(), strict=True)
            )
            for row in rows[0].split(",")
        )
    return table(rows, **types)


def in_rows(text: str, columns: str = "score") -> pa.Table:
    """Return rows of ann's list, as in "a 3, b 2, a 1": items with a score, or other columns."""
    rows = ", ".join(f"ann {row}" for row in text.split(", "))
    return decisions(f"user_id item_id {columns}", rows)


def value(
    metric: str,
    shown: Iterable[str] | Mapping[str, float],
    relevant: Iterable[str] | Mapping[str, float],
    **rules,
):
    """Return the metric of one user, ann, from a list by rank or score, and relevant items."""
    recs = scored({"ann": shown}) if isinstance(shown, Mapping) else lists({"ann": shown})
    result = sqlrec.evaluate(metric, recs=recs, truth=wanted({"ann": relevant}), **rules)
    return result.to_arrow()["value"][0].as_py()


def predicted(
    metric: str, *users: Mapping[str, tuple[float | None, float | None]], **rules
) -> float | None:
    """Return the metric of users whose items have a score and a grade, one of which may be None."""
    named = {f"u{number}": items for number, items in enumerate(users)}
    recs, truth = (
        {
            user: {item: pair[side] for item, pair in items.items() if pair[side] is not None}
            for user, items in named.items()
        }
        for side in (0, 1)
    )
    result = sqlrec.evaluate(metric, recs=scored(recs), truth=wanted(truth), **rules)
    return result.to_arrow()["value"][0].as_py()


def without_list(metric: str, relevant: str | Mapping[str, float], **inputs):
    """Return the metric of one user, ann, with relevant items and no list; bob has a list."""
    truth = wanted({"ann": relevant, "bob": "x" if isinstance(relevant, str) else {"x": 1}})
    result = sqlrec.evaluate(metric, recs=lists({"bob": "x"}), truth=truth, **inputs)
    return dict(rows(result.per_user(), "user_id", "value"))["ann"]


def values(result: sqlrec.Table) -> list:
    """Return the column of values."""
    return result.to_arrow()["value"].to_pylist()


def rows_of(result: sqlrec.Table) -> list[dict]:
    """Return the rows of a result, by column."""
    return result.to_arrow().to_pylist()


def rows(result: sqlrec.Table, *columns: str) -> list[tuple]:
    """Return the rows of a result as tuples of some columns."""
    return [tuple(row[name] for name in columns) for row in rows_of(result)]


def asked(*cutoffs: int, family: str | None = None) -> list[str]:
    """Return all metrics, or the metrics of a family, with all parameters, at some cutoffs."""
    return [
        f"{metric.name}{params}{at}"
        for metric in sqlrec.metrics().values()
        if family in (None, metric.family)
        for params in settings(metric)
        for at in (
            [""] if metric.entries["Cutoff"] == "none" else [f"@{cutoff}" for cutoff in cutoffs]
        )
    ]


def memoised(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs once for arguments of the same contents."""
    results: dict[str, tuple[Any, ...]] = {}

    def once(*arguments: Any, **named: Any) -> Any:
        key = contents([*arguments, named])
        if key not in results:
            # Cached arguments are kept, so that their addresses in keys are not reused.
            results[key] = function(*arguments, **named), arguments, named
        return results[key][0]

    return once


def contents(arguments: Any) -> str:
    """Return the contents of tables, and of their containers, as text."""
    if isinstance(arguments, Tables) and not isinstance(arguments.recs, str):
        return contents([arguments.present, arguments.columns, arguments.where])
    if isinstance(arguments, Mapping):
        return str({name: contents(one) for name, one in arguments.items()})
    if isinstance(arguments, list):
        return str([*map(contents, arguments)])
    return (
        f"{arguments.schema} {arguments.to_pydict()}"
        if isinstance(arguments, pa.Table)
        else repr(arguments)
    )


def of_several(metrics: Iterable[str]) -> list[str]:
    """Return the metrics that allow several models; expected_reward of a log is of one model."""
    return [
        metric
        for metric in metrics
        for one in parse_metrics(metric)
        if not any("expected_reward" in need.columns for need in one.metric.needs)
    ]


def recommended_items(metric: sqlrec.Metric) -> list[str]:
    """Return the parameter of recommended items; by default the catalog's, if there is one."""
    return ["items=recommended"] * ("recommended" in metric.params.get("items", ()))


def settings(metric: sqlrec.Metric) -> Iterator[str]:
    """Return the parameters of a metric as text: the defaults, and each other value."""
    of_items = recommended_items(metric)
    every = [f"{key}=g1" for key, allowed in metric.params.items() if allowed == (ANY_TEXT,)]
    texts = every + of_items
    yield f"({', '.join(texts)})" if texts else ""
    for key, allowed in metric.params.items():
        texts = every + of_items * (key != "items")
        for value in allowed[1:]:
            yield f"({', '.join([*texts, f'{key}={value}'])})"


def clicked(**users: Mapping[str, float | None]) -> pa.Table:
    """Return the truth of users who clicked items, with the probabilities of seeing them."""
    results = [(user, item, chance) for user, own in users.items() for item, chance in own.items()]
    texts = dict.fromkeys(("user_id", "item_id"), pa.string())
    return table(results, **texts, propensity=pa.float64())


def likely(truth: pa.Table) -> pa.Table:
    """Return the truth with the probability of seeing each item."""
    chances = [(0.5, 0.25, 1.0, 0.125)[row % 4] for row in range(truth.num_rows)]
    return truth.append_column("propensity", pa.array(chances, pa.float64()))


def random_inputs(seed: int, users: int = 40, items: int = 12) -> dict[str, pa.Table]:
    """Return all inputs: lists with ties, users without a list, graded truth, and the others."""
    random = Random(seed)
    names = [f"i{item}" for item in range(items)]
    recs, baseline = (
        {
            f"u{user}": {
                item: random.choice([-0.5, 0.0, 0.25, 1.0])
                for item in random.sample(names, random.randint(1, items))
            }
            for user in range(users)
        }
        for _ in range(2)
    )
    truth = {
        f"u{user}": {item: random.randint(0, 3) for item in random.sample(names, 4)}
        for user in range(5, users + 5)
    }
    history = [(f"u{random.randrange(users)}", random.choice(names[:-1])) for _ in range(4 * users)]
    described = [
        (item, f"c{label}", f"a{label}", f"g{number % 3}", f"f{label}", random.random(), *more)
        for number, item in enumerate(names)
        for label in random.sample(range(4), random.randint(1, 3))
        for more in [(random.choice(names), random.random(), number)]
    ]
    logged: list[tuple[Any, ...]] = []
    for _ in range(3 * users):
        decision = f"u{random.randrange(users)}", random.choice(names), random.randint(1, 3)
        amounts = random.choice([0.0, 0.0, 1.0]), random.choice([0.125, 0.25, 0.5])
        logged.append((*decision, *amounts, random.random(), random.random()))
    # A slate has one decision at each position.
    seen: Counter[int] = Counter()
    for rank, (_, _, position, *_) in enumerate(logged):
        logged[rank] += (seen[position],)
        seen[position] += 1
    ids = {"user_id": pa.string(), "item_id": pa.string()}
    item_columns = "item_id category aspect item_group feature value other_item_id distance price"
    numbers = ("value", "distance", "price")
    kinds = {x: pa.float64() if x in numbers else pa.string() for x in item_columns.split()}
    rewards = ("reward", "propensity", "predicted_reward", "expected_reward")
    log_columns = ids | {"position": pa.int64()} | dict.fromkeys(rewards, pa.float64())
    return {
        "recs": scored(recs),
        "truth": likely(wanted(truth)),
        "history": table(history, **ids),
        "catalog": table([(item,) for item in [*names, "i99"]], item_id=pa.string()),
        "items": table(described, **kinds),
        "baseline": scored(baseline),
        "logs": table(logged, **log_columns, slate_id=pa.int64()),
    }


def in_sqlite(tables: Mapping[str, pa.Table]) -> dict:
    """Return the tables' names, and as engine an in-memory SQLite database with the tables."""
    connection = sqlite3.connect(":memory:")
    for name, arguments in tables.items():
        connection.execute(f"create table {name} ({', '.join(arguments.column_names)})")
        marks = ", ".join("?" * arguments.num_columns)
        results = [tuple(row.values()) for row in arguments.to_pylist()]
        connection.executemany(f"insert into {name} values ({marks})", results)
    connection.commit()
    return {**{name: name for name in tables}, "engine": connection}


def prepare(metrics: Any, *, arguments: Any, engine: Any, by: Any = (), **options: Any) -> Job:
    """Prepare a job from inputs by name and single options."""
    rules = {name: options.pop(name) for name in [*options] if name in OBJECTS["rules"][1]}
    opened = {name: options.pop(name, None) for name in ("columns", "where")}
    tables = Tables(engine, **arguments, **opened)
    call = job.Call(tables, sqlrec.Rules(**rules), by=sqlrec.Segments.read(by))
    return call.with_metrics(metrics).prepare(**options)
