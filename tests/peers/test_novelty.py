"""Novelty and overlap of two lists: recorded values of other libraries.

The values are by RecTools 0.19.0, rs_metrics 0.6.0, RePlay 0.22.0 (on pandas
and on polars), recmetrics 0.1.5, RecBole 1.2.1, rbo 0.1.3, and the metrics of Elliot at fc27efed.
"""

import csv
import random
from functools import cache

import duckdb
from pytest import approx

import sqlrec

from ..tables import lists
from .test_libraries import SHARED, shared

FOLDER = SHARED / "movietweetings" / "parquet"
ALL = {
    # RecTools
    "surprisal@10": (3.9228534355134386, 5.67270675096396),
    "serendipity(items=catalog)@10": (2.999968733835191e-06, 1.7083641444738765e-05),
    # rs_metrics
    "popularity_share@10": (0.06883613433915231, 0.044308755291973305),
    # RePlay
    "surprisal(unit=share, divide_by=k)@10": (0.2827148624986989, 0.4085776369040564),
    # Elliot, with a head that ends between items of different popularity
    "popularity_count@10": (1034.6759352517984, 666.0049007936508),
    "tail_share(head=0.4)@10": (0.0, 0.21190821256038647),
    "epc@10": (0.019987939391593313, 0.017752421666416926),
    "efd@10": (0.1382217411487912, 0.1282988241095443),
}
# The same for lists of 10 items: recmetrics, and RecBole with tail_ratio=0.998 and 0.996.
FULL = {
    "surprisal(divide_by=k)@10": (3.922853435513504, 5.668961617877833),
    "popularity_count(count=events)@10": (1034.675935251776, 666.657402031932),
    "tail_share(head=0.002, of=items)@10": (0.006942446043165468, 0.4031930333817126),
    "tail_share(head=0.004, of=items)@10": (0.0, 0.2670174165457184),
}


@cache
def recs(model, ranks=1):
    return duckdb.sql(
        f"""
        select user_id, item_id, rank
        from '{FOLDER}/recs.parquet'
        where model = '{model}'
        qualify count(*) over (partition by user_id) >= {ranks}
        """
    ).to_arrow_table()


def found(metrics, ranks):
    result = sqlrec.evaluate(
        list(metrics),
        recs={model: recs(model, ranks) for model in ("pop", "itemknn")},
        history=FOLDER / "train.parquet",
        catalog=FOLDER / "items.parquet",
        truth=duckdb.sql(
            f"select user_id, item_id from '{FOLDER}/truth.parquet' where liked"
        ).to_arrow_table(),
    )
    rows = result.to_arrow().to_pylist()
    values = {(row["model"], row["metric"]): row["value"] for row in rows}
    return {
        metric: tuple(values[model, metric.partition("@")[0]] for model in ("pop", "itemknn"))
        for metric in metrics
    }


@shared
def test_other_libraries_find_the_same_novelty():
    assert found(ALL, 1) == {metric: approx(pair, rel=1e-9) for metric, pair in ALL.items()}
    assert found(FULL, 10) == {metric: approx(pair, rel=1e-9) for metric, pair in FULL.items()}


def compared(metrics, ours, theirs):
    result = sqlrec.evaluate(metrics, recs=ours, baseline=theirs)
    return result.to_arrow()["value"].to_pylist()


@shared
def test_replay_finds_the_same_unexpectedness():
    metrics = [f"unexpectedness(divide_by=k, without_baseline=expected)@{k}" for k in (5, 10)]
    pop, itemknn = recs("pop"), recs("itemknn")
    assert compared(metrics, pop, itemknn) == approx([0.5605035971223021, 0.5509352517985611])
    assert compared(metrics, itemknn, pop) == approx([0.5645652173913044, 0.5549275362318841])


@shared
def test_rbo_finds_the_same_overlap():
    pop = recs("pop")
    assert compared("rbo@10 rbo@20", recs("itemknn"), pop) == approx(
        [0.416688770584557, 0.4341642411629593], rel=1e-12
    )
    assert compared("rbo(p=0.5)@10 rbo(p=0.5)@20", recs("itemknn"), pop) == approx(
        [0.3488665522963029, 0.34888858554841085], rel=1e-12
    )
    for k, truncated, average in (
        (10, 0.2618630992459372, 0.41313073064252337),
        (20, 0.3724313956029782, 0.4522115393724572),
    ):
        metrics = f"rbo(form=truncated)@{k} average_overlap@{k}"
        assert compared(metrics, recs("itemknn", k), pop) == approx([truncated, average])


@shared
def test_rbo_residuals_equal_published_values():
    # They do not depend on order, so ties do not matter in lists of equal length.
    with (SHARED / "rbo" / "test.csv").open(encoding="utf-8") as file:
        pairs = [
            (row["x"].translate(BARE).split(), row["y"].translate(BARE).split(), row)
            for row in csv.DictReader(file)
        ]
    even = [pair for pair in pairs if len(pair[0]) == len(pair[1])]
    assert len(even) == 858
    chosen = random.Random(1).sample(even, 20)
    names = [f"rbo_residual(p={row['p']})@all" for _, _, row in chosen]
    result = sqlrec.evaluate(
        names,
        recs=lists({name: ours for name, (ours, _, _) in zip(names, chosen, strict=True)}),
        baseline=lists({name: theirs for name, (_, theirs, _) in zip(names, chosen, strict=True)}),
    )
    found = {
        row["user_id"]: row["value"]
        for row in result.per_user().to_arrow().to_pylist()
        if f"{row['metric']}@all" == row["user_id"]
    }
    expected = {name: float(row["w.res"]) for name, (_, _, row) in zip(names, chosen, strict=True)}
    assert found == approx(expected, abs=1e-12)


BARE = str.maketrans("", "", "()")
