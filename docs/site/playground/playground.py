"""The calls of the playground to the package, in Pyodide."""

import json
import re
import warnings
from contextlib import contextmanager

import page
from pyodide.ffi import JsException

import sqlrec
from sqlrec.engines import files
from sqlrec.engines.duckdb import DuckDB
from sqlrec.plots import from_results


class Browser(sqlrec.Engine):
    """DuckDB in the same worker."""

    dialect, error, own, ordered = "duckdb", JsException, True, True
    typed, is_text, locate = DuckDB.typed, DuckDB.is_text, DuckDB.locate

    def __init__(self):
        self.files, self.id_formats = {}, {}

    def rows(self, sql):
        """Return the rows of a query."""
        return [tuple(row) for row in page.rows(sql)]

    def columns(self, relation):
        """Return the columns of a table with their types."""
        return {name: kind for name, kind, *_ in self.rows(f"describe select * from {relation}")}

    def file(self, path, name):
        """Return the reader of a CSV file."""
        rows = files.read_files(path, name)
        self.files[rows.relation] = rows
        return rows.relation

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
# Plots of results are queries too.
from_results.open_engine = lambda _: ENGINE


def start():
    """Return the version and the metrics."""
    return {"version": sqlrec.__version__, "metrics": [*sqlrec.metrics()]}


def open_dataset(inputs, columns):
    """Return a dataset of the tables of the page."""
    named = dict(pair.split("=", 1) for pair in columns.split())
    return sqlrec.Dataset(**inputs, columns=named, engine=ENGINE)


def run(data, metrics, interval, baseline, by):
    """Return the parts of a page: the evaluation, and a comparison if there is a baseline."""
    segments = by.split()
    result = data.evaluate(metrics, interval=interval or None, by=segments)
    parts = {"rows": result.rows().to_pylist(), "counts": result.user_counts.to_html()}
    parts["sql"] = data.sql(metrics, by=segments)
    if len({row["k"] for row in parts["rows"]} - {None}) > 1 and not segments:
        parts["curve"] = result.plot.curve()._repr_html_()
    if baseline:
        compared = data.compare(metrics, baseline=baseline, by=segments)
        result.mark_models(compared.rows().to_pylist, baseline)
        parts["compared"] = compared._repr_html_()
    parts["table"] = result.to_html()
    return parts


def explain(data, metric, value):
    """Return the steps to a number, or without a number all libraries by their values."""
    explained = data.explain(metric, value=value or None, full=not value)
    return {"explained": (explained.plot()._repr_html_() if value else "") + explained.to_html()}


def report(data, metrics, baseline, by):
    """Return a report."""
    return {"report": data.report(metrics, baseline=baseline or None, by=by.split()).html}


CALLS = {"run": run, "explain": explain, "report": report}


def answer(call, options):
    """Return the result of a call as JSON, or the error message."""
    if call == "start":
        return json.dumps(start())
    arguments = json.loads(options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            data = open_dataset(arguments.pop("inputs"), arguments.pop("columns"))
            parts = CALLS[call](data, **arguments)
        except (ValueError, JsException) as error:
            return json.dumps({"refused": name_fields(str(error))})
    return json.dumps(parts | {"warnings": [str(warning.message) for warning in caught]})


def name_fields(message):
    """Return a message that names the fields of the page in place of arguments."""
    named = r"columns=\{'([\w.]+)': '?([^'}]*)'?\}"
    return re.sub(named, r"\1=\2 in the field of your column names", message)


answer  # noqa: B018 the value that the worker reads
