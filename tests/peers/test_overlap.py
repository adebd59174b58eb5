"""Overlap of two lists: recorded values of rbo 0.1.3, and published values."""

import csv
import random
from functools import cache

import duckdb
from pytest import approx

import sqlrec

from ..tables import lists
from .test_libraries import SHARED, shared

FOLDER = SHARED / "movietweetings" / "parquet"


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


def compared(metrics, ours, theirs):
    result = sqlrec.evaluate(metrics, recs=ours, baseline=theirs)
    return result.to_arrow()["value"].to_pylist()


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
