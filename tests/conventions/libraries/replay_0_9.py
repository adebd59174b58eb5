"""RePlay 0.9.0, the older interface on Spark: its values.

Frames have the columns user_idx, item_idx and relevance: recs and truth unchanged (the relevance of
the truth is not read), history as `log` of Surprisal and Coverage, and baseline as `pred` of
Unexpectedness. Spark runs in one process with one partition; it needs Java 17 and takes minutes.

The wheel requires an old Python and libraries of models that no metric uses. So it is installed
without its requirements, and a stub replaces torch, which its session handler imports.

Equal scores are in the order in which Spark collects rows, which is not guaranteed. So a key is
excluded if equal scores could change its value.
"""

import atexit
import importlib.util
import os
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

LIBRARY = "replay-rec"
REQUIREMENTS = """
    pyspark==3.5.7 pandas==2.3.3 numpy==1.26.4 scipy==1.17.1 psutil==7.2.2 setuptools==80.9.0
"""
NO_DEPS = ["replay-rec==0.9.0"]

TORCH = """
class device:
    def __init__(self, name):
        self.name = name
class cuda:
    is_available = staticmethod(lambda: False)
"""

if importlib.util.find_spec("replay") is None:
    _install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps"]
    subprocess.run([*_install, "--ignore-requires-python", *NO_DEPS], check=True)
    importlib.invalidate_caches()

_folder = tempfile.TemporaryDirectory()
atexit.register(_folder.cleanup)
Path(_folder.name, "torch.py").write_text(TORCH, encoding="utf-8")
sys.path.insert(0, _folder.name)
# Spark's worker processes import the metrics too.
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [_folder.name, os.environ.get("PYTHONPATH")])
)
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from replay.metrics import (  # noqa: E402
    MAP,
    MRR,
    NDCG,
    Coverage,
    HitRate,
    Precision,
    Recall,
    RocAuc,
    Surprisal,
    Unexpectedness,
)
from replay.session_handler import State  # noqa: E402
from tables import CUTOFFS  # noqa: E402

# Metrics that read the items within the cutoff, but not their ranks.
SETS = {"HitRate", "Precision", "Recall", "Surprisal", "Unexpectedness", "Coverage"}

Rows = list[tuple[Any, ...]]


def values(tables: dict[str, Rows]) -> dict[str, float]:
    """Return RePlay 0.9.0's values of a data set."""
    spark = _session()
    ranked = "user_idx string, item_idx int, relevance double"
    recs, truth, baseline = (
        _frame(spark, [(user, item, float(score)) for user, item, score in tables[name]], ranked)
        for name in ("recs", "truth", "baseline")
    )
    log = _frame(spark, tables["history"], "user_idx string, item_idx int")
    result: dict[str, float] = {}
    for metric in (HitRate(), Precision(), Recall(), MAP(), MRR(), NDCG(), RocAuc()):
        if cutoffs := _defined(str(metric), tables["recs"]):
            result |= _named(metric, metric(recs, truth, cutoffs))
    for metric in (Surprisal(log), Unexpectedness(baseline), Coverage(log)):
        cutoffs = _defined(str(metric), tables["recs"])
        if isinstance(metric, Unexpectedness):
            also = _defined(str(metric), tables["baseline"])
            cutoffs = [k for k in cutoffs if k in also]
        if cutoffs:
            result |= _named(metric, metric(recs, cutoffs))
    return result


def _session() -> SparkSession:
    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.warehouse.dir", str(Path(_folder.name, "warehouse")))
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    State(spark)
    return spark


def _frame(spark: SparkSession, rows: Rows, schema: str) -> DataFrame:
    return spark.createDataFrame(rows, schema).coalesce(1).cache()


def _named(metric: Any, result: dict[int, float]) -> dict[str, float]:
    return {f"{metric}@{k}": value for k, value in result.items()}


def _defined(metric: str, rows: Rows) -> list[int]:
    """Return the cutoffs at which no order of equal scores could change the value."""
    lists: dict[str, list[float]] = {}
    for user, _, score in rows:
        lists.setdefault(user, []).append(score)
    cutoffs = list(CUTOFFS)
    for scores in lists.values():
        scores.sort(reverse=True)
        ties = [rank for rank, (one, next_) in enumerate(pairwise(scores), 1) if one == next_]
        if metric in SETS:
            cutoffs = [k for k in cutoffs if k not in ties]
        else:
            cutoffs = [k for k in cutoffs if not ties or k < ties[0]]
    return cutoffs
