"""The input tables of a dataset, opened once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..catalogue.custom_metrics import load_metrics
from ..catalogue.headers import TABLES
from ..engines.base import Engine
from ..engines.connect import input_paths, open_engine, resolve_tables
from ..engines.duckdb import DuckDB
from ..engines.python_tables import read_streams
from ..options import Settings, check_flag
from ..safe_text import warn


@dataclass(frozen=True)
class Tables:
    """The inputs of a dataset, with their engine."""

    engine: Engine  # The engine that stores or reads the tables.
    recs: Any = None  # The inputs, after streams were read.
    truth: Any = None
    history: Any = None
    catalog: Any = None
    items: Any = None
    users: Any = None
    baseline: Any = None
    logs: Any = None
    # The caller's column names for sqlrec's names.
    columns: Mapping[str, str | Sequence[str]] | None = None
    where: Mapping[str, str] | None = None  # Conditions for rows, by input.
    settings: Settings | None = None  # The settings for DuckDB.
    paths: Sequence[str] = ()  # The file paths and table names among the inputs.
    # Plans with tables that keep per-user values for later calls; None keeps no values.
    values: list[Any] | None = None
    used: set[str] = field(default_factory=set)  # The names of the inputs that calls have read.

    @classmethod
    def open(
        cls,
        *,
        engine: Any = None,
        columns: Mapping[str, str | Sequence[str]] | None = None,
        where: Mapping[str, str] | None = None,
        settings: Settings | None = None,
        progress: bool = False,
        metrics_path: Any = None,
        **inputs: Any,
    ) -> Tables:
        """Open the engine, and read streams."""
        check_flag("progress", progress)
        load_metrics(metrics_path)
        inputs, source = resolve_tables(inputs, engine)
        opened = open_engine(source, settings, progress)
        # Other engines do not read Python tables.
        tables = read_streams(inputs) if isinstance(opened, DuckDB) else inputs
        options: Any = {"columns": columns, "where": where, "settings": settings}
        return cls(opened, **tables, **options, paths=input_paths(tables))

    def with_stored_values(self) -> Tables:
        """Return tables that keep per-user values, if DuckDB in memory reads them."""
        if not isinstance(self.engine, DuckDB) or not self.engine.own:
            return self
        self.engine.keep = True
        return replace(self, values=[])

    def single_use(self) -> Tables:
        """Return tables for a single call, which do not keep values."""
        if isinstance(self.engine, DuckDB):
            self.engine.keep = False
        return replace(self, values=None)

    def warn_about_unused(
        self, metrics: str | Iterable[Any] | None, command: str, later: Iterable[str] = ()
    ) -> None:
        """Warn about inputs that no call has read, and that no method of the result can read later.

        Lists and truth belong together even if a metric reads only one of them.
        """
        reader = metrics if isinstance(metrics, str) else ", ".join(map(str, metrics or ()))
        for name in self.present:
            if name not in {*self.used, *later, "recs", "truth"}:
                warn(f"{name} is not read by {reader or command}: remove it")

    def __getitem__(self, name: str) -> Any:
        """Return an input by name."""
        return getattr(self, name)

    @cached_property
    def present(self) -> Mapping[str, object]:
        """The inputs that are not missing, by name."""
        return {name: self[name] for name in TABLES if self[name] is not None}
