"""The first steps: ``demo`` and ``doctor``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError
from .output import Options, check_output_format, put_table, put_text, table_of

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

_METRICS = "ndcg@10,5,1 recall@10"
_BASELINE = "popularity"
_SEGMENTS = ("activity", "era")
_NOTE = "MovieTweetings: ratings before August 2013, and films that users liked in August"

_AFTER = """
{folder} contains the tables, and report.html for your browser. Next:

  cd {folder}
  sqlrec evaluate ndcg@10 {inputs}
  sqlrec compare ndcg@10 {inputs} \\
      --baseline item_knn --users users.parquet --by era --worse
  sqlrec explain ndcg@10 --value 0.032 {inputs}
  sqlrec sql ndcg@10 {inputs}
  sqlrec list"""

_INPUTS = "--recs recs.parquet --truth truth.parquet"


def demo(options: Options) -> None:
    """Evaluate the example, write its tables and report, and print the next commands.

    Raises:
        InputError: The folder exists.
    """
    import shutil

    from ..dataset import demo as example

    folder = Path(options.folder or "sqlrec-demo")
    try:
        folder.mkdir()
    except FileExistsError:
        raise InputError(f"{folder} exists already: name another folder") from None
    for source in (Path(__file__).parent / "demo").glob("*.parquet"):
        shutil.copyfile(source, folder / source.name)
    data = example()
    put_table(data.evaluate("ndcg@10 recall@10 map@5"), "table", options)
    put_text("")
    put_table(data.compare("ndcg@10", baseline=_BASELINE), "table", options)
    page = data.report(
        _METRICS, baseline=_BASELINE, by=_SEGMENTS, note=_NOTE, command="sqlrec demo"
    )
    page.save(folder / "report.html")
    put_text(_AFTER.format(folder=shlex.quote(str(folder)), inputs=_INPUTS))


def doctor(options: Options) -> None:
    """Print versions, engines, extras and the folder of compiled templates."""
    form = check_output_format(options)
    rows = [
        {"component": name, "version": version, "use": why} for name, version, why in _versions()
    ]
    put_table(table_of(rows), form, options)


def _versions() -> Iterator[tuple[str, str, str]]:
    """Yield the name, the version and a description of each package, and of the cache."""
    import platform
    import shutil
    from importlib import metadata

    from ..rendering.cache import own_folder

    yield "sqlrec", metadata.version("sqlrec"), str(Path(__file__).parent.parent)
    yield "Python", platform.python_version(), platform.platform()
    for why, names in _PACKAGES.items():
        for name in names:
            try:
                yield name, metadata.version(name), why
            except metadata.PackageNotFoundError:
                yield name, "-", why
    yield "java", shutil.which("java") or "-", "Spark"
    folder = own_folder()
    sizes = [path.stat().st_size for path in folder.iterdir()] if folder else []
    size = f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB" if folder else "-"
    yield "cache", size, f"compiled templates: {folder or 'none, because no folder is writable'}"
