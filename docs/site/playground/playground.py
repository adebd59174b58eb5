"""What the playground asks of the package, in Pyodide."""

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
        """Run a query."""
        return [tuple(row) for row in page.rows(sql)]

    def columns(self, relation):
        """Look at a table."""
        return {name: kind for name, kind, *_ in self.rows(f"describe select * from {relation}")}

    def file(self, path, name):
        """Read CSV as the package does."""
        return files.reader(path, name)

    def table(self, given, name):
        """Take a result."""
        return given

    @contextmanager
    def naming(self, objects):
        """Bring results to DuckDB, for plots."""
        for name, table in objects.items():
            rows = table.to_pylist()
            cells = {column: [row[column] for row in rows] for column in table.column_names}
            page.bring(name, json.dumps(dict(table.schema)), json.dumps(cells))
        yield


ENGINE = Browser()


def start():
    """Name the metrics; and render once, as templates are compiled then."""
    sqlrec.sql("ndcg@10", dialect="duckdb", recs="recs", truth="truth")
    return {"version": sqlrec.__version__, "metrics": [*sqlrec.metrics()]}


def run(metrics, inputs, columns, interval, baseline):
    """Evaluate, and compare with a model where one is named; return parts of a page."""
    given = {**inputs, "columns": dict(one.split("=", 1) for one in columns.split())}
    given["engine"] = ENGINE
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        result = sqlrec.evaluate(metrics, interval=interval or None, **given)
        found = {"rows": result.rows().to_pylist(), "table": result.to_html()}
        found["counts"] = result.user_counts.to_html()
        found["sql"] = sqlrec.sql(metrics, **given)
        cutoffs = {row["k"] for row in found["rows"]} - {None}
        if len(cutoffs) > 1:
            found["curve"] = result.plot.curve()._repr_html_()
        if baseline:
            compared = sqlrec.compare(metrics, baseline=baseline, **given)
            found["compared"] = compared.to_html()
    return found | {"warnings": [str(one.message) for one in told]}


def asked(what, options):
    """Answer the page in JSON; what is refused is told in the package's words."""
    try:
        return json.dumps({"start": start, "run": run}[what](**json.loads(options)))
    except sqlrec.SqlrecError as error:
        return json.dumps({"refused": str(error)})


asked  # noqa: B018 what the worker gets
