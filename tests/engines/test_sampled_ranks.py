"""Ranks among sampled candidates, counted on the engine of the tables."""

from random import Random

from pytest import approx

import sqlrec

from ..tables import scored, wanted


def test_values_equal_those_of_duckdb(database):
    random = Random(4)
    items = [f"i{n}" for n in range(9)]
    users = [f"u{n}" for n in range(30)]
    recs = scored({user: {item: random.random() for item in [user, *items]} for user in users})
    models = {"als": recs, "pop": recs.set_column(2, "score", recs["score"].combine_chunks()[::-1])}
    truth = wanted({user: [user] for user in users})
    countries = truth.append_column("country", [["x", "y", "z"] * 10])
    database.load("als", models["als"])
    database.load("pop", models["pop"])
    database.load("truth", countries)
    inputs = {"by": "country", "catalog_size": 500, "candidates": 10}
    result = sqlrec.unsampled(
        "hit_rate@3 ndcg@5",
        recs={"als": "als", "pop": "pop"},
        truth="truth",
        engine=database.engine,
        **inputs,
    ).to_arrow()
    expected = sqlrec.unsampled("hit_rate@3 ndcg@5", recs=models, truth=countries, **inputs)
    assert result.num_rows == 12
    for theirs, ours in zip(result.to_pylist(), expected.to_arrow().to_pylist(), strict=True):
        assert theirs == approx(ours)
