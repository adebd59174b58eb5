"""The measured programs, each in its own process: python benchmarks/programs.py NAME ARGUMENTS.

A program runs in the folder of the tables, and prints its values as JSON, by metric and cutoff.
Imports are in functions, so that a process imports only the packages that it uses.
"""

import json
import sys

CUTOFFS = (5, 10, 15, 20)


def evaluate(metrics: str, options: str) -> dict[str, float]:
    """Evaluate with sqlrec, as users do."""
    import sqlrec

    rows = sqlrec.evaluate(metrics, **json.loads(options)).rows().to_pylist()
    several = len({row["model"] for row in rows}) > 1
    return {
        f"{row['model'] + ' ' if several else ''}{row['metric']}"
        f"{'' if row['k'] is None else '@' + str(row['k'])}": row["value"]
        for row in rows
    }


def pasted(files: str, sql: str) -> dict[str, float]:
    """Run a statement that sqlrec printed."""
    import duckdb

    for name, path in json.loads(files).items():
        duckdb.sql(f"create view {name} as from '{path}'")
    return {f"{metric}@{k}": value for metric, k, value, _ in duckdb.sql(sql).fetchall()}


def catalogue(options: str) -> dict[str, float]:
    """Evaluate all metrics that need only recs, truth and history, at all cutoffs."""
    from sqlrec.catalogue.headers import metrics

    tables = ("recs", "truth", "history")
    missing = {"propensity"}
    requests = []
    for metric in metrics().values():
        settings = {name: values[0] for name, values in metric.params.items()}
        if any(
            need.table not in tables or missing & {*need.columns}
            for need in metric.needs
            if need.applies(settings, need.table in tables)
        ):
            continue
        if metric.entries["Cutoff"] == "none":
            requests.append(metric.name)
        else:
            requests += [f"{metric.name}@{k}" for k in CUTOFFS]
    return evaluate(" ".join(requests), options)


def explain(metrics: str, options: str) -> dict[str, float]:
    """Explain the values of all libraries."""
    import sqlrec

    sqlrec.explain(metrics, **json.loads(options)).to_arrow()
    return {}


def per_user(metrics: str, options: str, target: str) -> dict[str, float]:
    """Write the values of all users to a file."""
    import sqlrec

    sqlrec.evaluate(metrics, **json.loads(options)).per_user().to_parquet(target)
    return {}


def questions(metrics: str, order: str, then: str, tables: str) -> dict[str, float]:
    """Evaluate, and call again with the same lists."""
    import sqlrec

    rules = sqlrec.Rules(order=order)
    dataset = sqlrec.Dataset(**json.loads(tables))
    dataset.evaluate(metrics, rules=rules)
    if then == "evaluate":
        dataset.evaluate("ndcg@10", rules=rules)
    if then == "compare":
        dataset.compare(metrics, rules=rules)
    return {}


def bare(sql: str) -> dict[str, float]:
    """Run a query on the bare engine."""
    import duckdb

    duckdb.sql(sql).fetchall()
    return {}


def duckdb_sql(order: str) -> dict[str, float]:
    """Compute the five metrics with SQL written by hand for them."""
    import duckdb

    # Only ranks within the largest cutoff can change a value.
    ranked = f"select user_id, item_id, rank from 'recs*.parquet' where rank <= {CUTOFFS[-1]}"
    if order == "score":
        ranked = f"""
            select user_id, item_id, row_number() over by_score as rank
            from 'recs*.parquet'
            window by_score as (partition by user_id order by score desc)
            qualify rank <= {CUTOFFS[-1]}
        """
    metrics = ",\n".join(
        f"""
        sum(case when rank <= {k} then 1 / log2(rank + 1) else 0 end)
            / any_value(ideal[least(relevant, {k})]) as "ndcg@{k}",
        sum(case when rank <= {k} then nth / rank else 0 end) / relevant as "average_precision@{k}",
        sum(case when rank <= {k} then 1 else 0 end) / {k} as "precision@{k}",
        sum(case when rank <= {k} then 1 else 0 end) / relevant as "recall@{k}",
        max(case when rank <= {k} then 1 / rank else 0 end) as "reciprocal_rank@{k}"
        """
        for k in CUTOFFS
    )
    means = ", ".join(
        f'avg("{name}@{k}") as "{name}@{k}"'
        for name in ("ndcg", "average_precision", "precision", "recall", "reciprocal_rank")
        for k in CUTOFFS
    )
    sums = ", ".join(f"{sum_of_discounts(ranks)!r}" for ranks in range(1, CUTOFFS[-1] + 1))
    result = duckdb.sql(f"""
        with hits as (
            select user_id, rank, row_number() over (partition by user_id order by rank) as nth
            from ({ranked}) join 'truth*.parquet' using (user_id, item_id)
        ),
        users as (select user_id, count(*) as relevant from 'truth*.parquet' group by user_id),
        user_values as (
            select {metrics}
            from users left join hits using (user_id), (select [{sums}] as ideal)
            group by user_id, relevant
        )
        select {means} from user_values
    """)
    return dict(zip(result.columns, result.fetchall()[0], strict=True))


def polars(order: str) -> dict[str, float]:
    """Compute the five metrics with Polars written by hand for them."""
    import polars as pl

    recs, truth = pl.scan_parquet("recs*.parquet"), pl.scan_parquet("truth*.parquet")
    if order == "score":
        by_score = pl.col("score").rank("ordinal", descending=True).over("user_id")
        recs = recs.with_columns(rank=by_score)
    users = truth.group_by("user_id").agg(relevant=pl.len())
    ideal = pl.LazyFrame(
        {
            "best": range(1, CUTOFFS[-1] + 1),
            "ideal": [sum_of_discounts(ranks) for ranks in range(1, CUTOFFS[-1] + 1)],
        },
        schema={"best": pl.UInt32, "ideal": pl.Float64},
    )
    hits = (
        recs.filter(pl.col("rank") <= CUTOFFS[-1])
        .select("user_id", "item_id", "rank")
        .join(truth, on=["user_id", "item_id"])
        .sort("user_id", "rank")
        .with_columns(nth=pl.col("rank").cum_count().over("user_id"))
    )
    rank, nth, relevant = pl.col("rank"), pl.col("nth"), pl.col("relevant")
    sums = {}
    for k in CUTOFFS:
        sums |= {
            f"ndcg@{k}": (1 / (rank + 1).log(2)).filter(rank <= k).sum(),
            f"average_precision@{k}": (nth / rank).filter(rank <= k).sum(),
            f"precision@{k}": (rank <= k).sum() / k,
            f"recall@{k}": (rank <= k).sum(),
            f"reciprocal_rank@{k}": (1 / rank).filter(rank <= k).max(),
        }
    user_values = users.join(hits.group_by("user_id").agg(**sums), on="user_id", how="left")
    for k in CUTOFFS:
        best = user_values.with_columns(best=pl.min_horizontal(relevant, k).cast(pl.UInt32))
        user_values = best.join(ideal, on="best").with_columns(
            pl.col(f"ndcg@{k}") / pl.col("ideal"),
            pl.col(f"average_precision@{k}", f"recall@{k}") / relevant,
        )
        user_values = user_values.drop("best", "ideal")
    means = [pl.col(name).fill_null(0).mean() for name in sums]
    return user_values.select(means).collect(engine="streaming").to_dicts()[0]


def sum_of_discounts(ranks: int) -> float:
    """Return the DCG of a list with only relevant first ranks."""
    from math import log2

    return sum(1 / log2(rank + 1) for rank in range(1, ranks + 1))


def versions() -> dict[str, str]:
    """Print the versions."""
    from importlib.metadata import version
    from platform import python_version

    import sqlrec

    packages = {name: version(name) for name in ("duckdb", "polars")}
    return {"Python": python_version(), "sqlrec": sqlrec.__version__} | packages


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
