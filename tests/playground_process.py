"""Calls of the playground's page, without a browser.

DuckDB has the tables, and no other package is installed: python -m tests.playground_process FOLDER
reads calls from stdin, ``[["run", {"metrics": "ndcg@5", ...}], ...]``, and prints their answers.
"""

import json
import runpy
import sys
from pathlib import Path
from types import ModuleType

import duckdb

PLAYGROUND = Path(__file__).parents[1] / "docs" / "site" / "playground" / "playground.py"
ABSENT = ("duckdb", "numpy", "pandas", "pyarrow", "scipy")
TYPES = {"int64": "bigint", "double": "double", "float64": "double"}


def main():
    connection = duckdb.connect()
    inputs = {}
    for path in Path(sys.argv[1]).glob("*.parquet"):
        connection.execute(f"create table {path.stem} as from '{path}'")
        inputs[path.stem] = path.stem

    def bring(name, types, cells):
        columns = [f'"{column}" {TYPES.get(x, "text")}' for column, x in json.loads(types).items()]
        connection.execute(f'create or replace table "{name}" ({", ".join(columns)})')
        marks = ", ".join("?" * len(columns))
        rows = zip(*json.loads(cells).values(), strict=True)
        connection.executemany(f'insert into "{name}" values ({marks})', [*rows])

    page, pyodide = ModuleType("page"), ModuleType("pyodide.ffi")
    page.rows = lambda sql: connection.execute(sql).fetchall()
    page.bring = bring
    pyodide.JsException = duckdb.Error
    sys.modules |= {"page": page, "pyodide": ModuleType("pyodide"), "pyodide.ffi": pyodide}
    sys.modules |= dict.fromkeys(ABSENT)
    answer = runpy.run_path(str(PLAYGROUND))["answer"]
    answers = [
        json.loads(answer(call, json.dumps({"inputs": inputs, "columns": ""} | options)))
        for call, options in json.load(sys.stdin)
    ]
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
