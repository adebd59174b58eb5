"""Spark's cost by number of rows: python benchmarks/spark.py 10000000 30000000 100000000.

Each size is a separate session, ``local[2]``, that evaluates five metrics from scores. It prints
Spark's own counts: CPU seconds of executors, and bytes of shuffles.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from cases import FIVE

HERE = Path(__file__).parent
CUTOFFS = (5, 10, 20, 50)
COLUMNS = ("rows", "CPU s", "µs a row", "shuffle MB", "bytes a row", "spilled MB")


def measured(folder: str) -> dict[str, float]:
    """Evaluate the tables of a folder; return what Spark counted over all stages."""
    from pyspark.sql import SparkSession

    import sqlrec

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "4g")
        .config("spark.ui.showConsoleProgress", "false")
        # Rows that are partitioned by user keep this in joins by user and item.
        .config("spark.sql.requireAllClusterKeysForCoPartition", "false")
        .config("spark.sql.shuffle.partitions", "64")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    tables = {name: session.read.parquet(f"{folder}/{name}*.parquet") for name in ("recs", "truth")}
    metrics = [f"{name}@{k}" for name in FIVE for k in CUTOFFS]
    sqlrec.evaluate(
        metrics, **tables, rules=sqlrec.Rules(order="score"), engine=session, interval=None
    )
    context = session.sparkContext
    url = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages"
    with urllib.request.urlopen(url) as answer:
        stages: list[dict[str, Any]] = json.load(answer)
    session.stop()
    return {
        "cpu": sum(entry["executorCpuTime"] for entry in stages) / 1e9,
        "shuffle": sum(entry["shuffleWriteBytes"] for entry in stages),
        "spilled": sum(entry["diskBytesSpilled"] for entry in stages),
    }


def main(sizes: list[int]) -> None:
    """Measure each size in its own process, and print a table."""
    print("| " + " | ".join(COLUMNS) + " |\n|" + " ---: |" * len(COLUMNS))
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            data = [sys.executable, str(HERE / "data.py"), "--users", str(size // 100), folder]
            subprocess.run(data, check=True, stdout=subprocess.PIPE)
            command = [sys.executable, __file__, folder]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        costs = json.loads(done.stdout.splitlines()[-1])
        shuffled, spilled = costs["shuffle"] / 1e6, costs["spilled"] / 1e6
        cells = (f"{size:,}", f"{costs['cpu']:.0f}", f"{costs['cpu'] / size * 1e6:.2f}")
        cells += (f"{shuffled:,.0f}", f"{shuffled / size * 1e6:.1f}", f"{spilled:,.0f}")
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1].isdigit():
        main([int(size) for size in sys.argv[1:]])
    else:
        print(json.dumps(measured(sys.argv[1])))
