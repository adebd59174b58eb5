"""The first steps: ``demo`` and ``doctor``."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import InputError
from .output import form_of, put, put_text, table_of

# Optional packages of other projects, by purpose.
_PACKAGES = {
    "the core": ("duckdb", "jinja2", "pyarrow"),
    "frames": ("pandas", "polars"),
    "statistics, extra stats": ("numpy", "scipy"),
    "PNG and PDF, extra plot": ("vl-convert-python",),
    "PostgreSQL, extra postgres": ("psycopg",),
    "Spark, extra spark": ("pyspark",),
    "ClickHouse in this process": ("chdb",),
    "dbt": ("dbt-core",),
}

_AFTER = """
{users} real clicks on fashion items, and two rankings of them: what a bandit
learnt to show, and a random order. {folder} has recs.parquet,
truth.parquet and report.html, which a browser opens. Next:

  cd {folder}
  sqlrec evaluate ndcg@5,10 {inputs}
  sqlrec compare hit_rate@10 {inputs} \\
      --baseline random
  sqlrec explain map@10 {inputs}
  sqlrec sql ndcg@10 {inputs}
  sqlrec list"""

_INPUTS = "--recs recs.parquet --truth truth.parquet"


def demo(options: argparse.Namespace) -> None:
    """Evaluate packaged clicks, write their report, and say what to type next.

    Raises:
        InputError: The folder is there already.
    """
    import shutil

    from ..dataset import evaluate, report

    folder = Path(options.folder)
    try:
        folder.mkdir()
    except FileExistsError:
        raise InputError(f"{options.folder} exists already: name another folder") from None
    paths: dict[str, Any] = {}
    for name in ("recs", "truth"):
        packaged = Path(__file__).parent / "demo" / f"{name}.parquet"
        paths[name] = os.fspath(shutil.copyfile(packaged, folder / f"{name}.parquet"))
    metrics = "ndcg@5,10 hit_rate@5,10"
    result = evaluate(metrics, **paths, interval="auto")
    page = report(metrics, **paths, baseline="random", by="campaign")
    page.save(folder / "report.html")
    put(result, "table", options)
    users = max(row["users"] for row in result.rows().to_pylist())
    put_text(_AFTER.format(users=users, folder=shlex.quote(options.folder), inputs=_INPUTS))


def doctor(options: argparse.Namespace) -> None:
    """Print versions, engines, extras and the folder of compiled templates."""
    form = form_of(options)
    rows = [{"what": name, "found": version, "for": why} for name, version, why in _versions()]
    put(table_of(rows), form, options)


def _versions() -> Iterator[tuple[str, str, str]]:
    import platform
    import shutil
    from importlib import metadata

    from ..rendering.cache import Compiled

    yield "sqlrec", metadata.version("sqlrec"), str(Path(__file__).parent.parent)
    yield "Python", platform.python_version(), platform.platform()
    for why, names in _PACKAGES.items():
        for name in names:
            try:
                yield name, metadata.version(name), why
            except metadata.PackageNotFoundError:
                yield name, "-", why
    yield "java", shutil.which("java") or "-", "Spark"
    folder = Compiled().folder
    sizes = [path.stat().st_size for path in folder.iterdir()] if folder else []
    size = f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB" if folder else "-"
    yield "cache", size, f"compiled templates: {folder or 'nowhere, as no folder can be written'}"
