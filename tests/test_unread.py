"""Columns that are not read although their names suggest it."""

from warnings import catch_warnings, simplefilter

import duckdb
import pyarrow as pa
from pytest import mark, raises, warns

import sqlrec

from .tables import lists, rows, scored, wanted

TRUTH = wanted({"ann": "a", "bob": "b"})


def of_models(column, *models):
    """Return the lists of two users; a column has the model of each row."""
    recs = lists({"ann": "ab", "bob": "ba"})
    names = [models[number % len(models)] for number in range(len(recs))]
    return recs.append_column(column, pa.array(names))


class TestATableWithAColumnOfModels:
    @mark.parametrize(
        "job, options",
        [
            (sqlrec.evaluate, {}),
            (sqlrec.evaluate, {"rules": sqlrec.Rules(duplicates="best")}),
            (sqlrec.explain, {}),
            (sqlrec.check, {}),
            (sqlrec.sql, {}),
            (sqlrec.unsampled, {"catalog_size": 10, "candidates": 2}),
        ],
    )
    def test_several_models_in_one_table_are_refused(self, job, options):
        recs = {"x": of_models("model", "als", "pop"), "y": lists({"ann": "ab"})}
        with raises(sqlrec.InputError) as raised:
            rule = "mrr@2 >= 0.1" if job is sqlrec.check else "mrr@2"
            job(rule, recs=recs, truth=TRUTH, **options)
        assert str(raised.value) == (
            "recs['x'] has a column 'model' with 2 values (als, pop): give the lists of one model"
        )

    def test_is_not_of_one_model_in_a_comparison(self):
        recs = {"x": of_models("Model", 1, 2, 3, 4), "y": lists({"ann": "ab"})}
        with raises(sqlrec.InputError, match=r"a column 'Model' with 4 values \(1, 2, 3, 4\)"):
            sqlrec.compare("mrr@2", recs=recs, truth=TRUTH, baseline="y")

    def test_a_column_of_one_model_is_allowed(self):
        recs = {"x": of_models("model", "als", None)}
        assert len(sqlrec.evaluate("mrr@2", recs=recs, truth=TRUTH)) == 1

    def test_several_models_are_not_a_baseline(self):
        recs, baseline = lists({"ann": "ab"}), of_models("model", *"abcdefg")
        with raises(sqlrec.InputError) as raised:
            sqlrec.evaluate("rbo@2", recs=recs, baseline=baseline.take([0, 1, 2, 3]))
        message = "baseline has a column 'model' with 4 values (a, b, c, d): give the lists of one"
        assert str(raised.value).startswith(message)

    def test_is_found_under_the_callers_name_and_in_a_database(self):
        connection = duckdb.connect()
        connection.register("shop", of_models("which", "als", "pop"))
        connection.register("wanted", TRUTH)
        options = {"truth": "wanted", "engine": connection, "columns": {"model": "which"}}
        with raises(sqlrec.InputError, match=r"recs\['x'\] has a column 'which' with 2 values"):
            sqlrec.evaluate("mrr@2", recs={"x": "shop"}, **options)
        result = sqlrec.evaluate("mrr@2", recs="shop", **options)
        assert rows(result, "model") == [("als",), ("pop",)]

    def test_names_some_of_many(self):
        recs = {"x": pa.concat_tables(of_models("model", *range(n, n + 4)) for n in (0, 4))}
        with raises(sqlrec.InputError, match=r"more than 5 values \(0, 1, 2, 3, 4, \.\.\.\)"):
            sqlrec.evaluate("mrr@2", recs=recs, truth=TRUTH)


@mark.parametrize("column", ["algorithm", "Model_Name", "my_model"])
def test_columns_that_may_be_models_are_a_warning(column):
    message = f"recs has an unused column '{column}' with 2 values .als, pop.: if they"
    with warns(UserWarning, match=message):
        sqlrec.evaluate("mrr@2", recs=of_models(column, "als", "pop"), truth=TRUTH)


def test_other_columns_have_no_warning():
    recs = scored({"ann": {"a": 1.0, "b": 0.5}, "bob": {"b": 1.0, "a": 0.5}})
    recs = recs.append_column("source", pa.array(["als", "pop"] * 2))
    recs = recs.append_column("model_version", pa.array([1, 2] * 2))
    graded = wanted({"ann": {"a": 2.0}, "bob": {"b": 1.0}})
    with catch_warnings():
        simplefilter("error")
        sqlrec.evaluate("ndcg@2", recs=recs, truth=graded.append_column("rating", [[5, 4]]))
