"""The calls of the playground to the package, in Pyodide."""

import json
import warnings
from contextlib import contextmanager

import page
from pyodide.ffi import JsException

import sqlrec
from sqlrec.engines import files
from sqlrec.engines.duckdb import DuckDB


class Browser(sqlrec.Engine):
    """DuckDB in the same worker."""

    dialect, error, own, ordered = "duckdb", JsException, True, True
    typed = DuckDB.typed

    def rows(self, sql):
        """Return the rows of a query."""
        return [tuple(row) for row in page.rows(sql)]

    def columns(self, relation):
        """Return the columns of a table with their types."""
        return {name: kind for name, kind, *_ in self.rows(f"describe select * from {relation}")}

    def file(self, path, name):
        """Return the reader of a CSV file."""
        return files.reader(path, name)

    def table(self, table, name):
        """Return a result unchanged."""
        return table

    @contextmanager
    def naming(self, objects):
        """Load results into DuckDB, for plots."""
        for name, table in objects.items():
            rows = table.to_pylist()
            cells = {column: [row[column] for row in rows] for column in table.column_names}
            page.bring(name, json.dumps(dict(table.schema)), json.dumps(cells))
        yield


ENGINE = Browser()


def start():
    """Return the metrics, after a first statement that compiles the templates."""
    sqlrec.sql("ndcg@10", dialect="duckdb", recs="recs", truth="truth")
    return {"version": sqlrec.__version__, "metrics": [*sqlrec.metrics()]}


def run(metrics, inputs, columns, interval, baseline):
    """Return the parts of a page: the evaluation, and a comparison if there is a baseline."""
    options = {**inputs, "columns": dict(pair.split("=", 1) for pair in columns.split())}
    options["engine"] = ENGINE
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = sqlrec.evaluate(metrics, interval=interval or None, **options)
        parts = {"rows": result.rows().to_pylist(), "table": result.to_html()}
        parts["counts"] = result.user_counts.to_html()
        parts["sql"] = sqlrec.sql(metrics, **options)
        cutoffs = {row["k"] for row in parts["rows"]} - {None}
        if len(cutoffs) > 1:
            parts["curve"] = result.plot.curve()._repr_html_()
        if baseline:
            compared = sqlrec.compare(metrics, baseline=baseline, **options)
            parts["compared"] = compared.to_html()
    return parts | {"warnings": [str(warning.message) for warning in caught]}


def answer(call, options):
    """Return the result of a call as JSON, or the error message."""
    try:
        return json.dumps({"start": start, "run": run}[call](**json.loads(options)))
    except sqlrec.SqlrecError as error:
        return json.dumps({"refused": str(error)})


answer  # noqa: B018 the value that the worker reads
