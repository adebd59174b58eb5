"""Interleaved lists, evaluated on the engine of the tables."""

from pytest import approx

import sqlrec

from ..tables import rows_of
from ..test_interleaved import shown


def test_values_equal_those_of_duckdb(database):
    database.load("shown", shown())
    result = rows_of(sqlrec.interleaved("shown", engine=database.engine, by="land"))
    expected = rows_of(sqlrec.interleaved(shown(), by="land"))
    assert len(result) == 6
    for theirs, ours in zip(result, expected, strict=True):
        assert theirs == approx(ours)
