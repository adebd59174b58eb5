"""Tables that convert to pandas, Polars, Arrow, files and notebooks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from inspect import signature
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..display.table_layout import Layout, rows_layout
from ..display.text import Style, terminal_width, to_text
from ..errors import InputError, not_installed, suggest_name
from ..layouts.result import name_for_papers
from ..options import DIGITS, refuse_unknown_arguments
from .database_table import DatabaseRows, Mode, check_table_name, run_columns, write_table
from .rows import Row, Rows
from .writing import check_target, replace_on_success

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow as pa

# Metadata key of a result's provenance in Arrow tables, Parquet files and pandas frames.
METADATA_KEY = "sqlrec"

# Maximum number of rows of a table that is displayed by its repr.
MAX_ROWS = 60

# A function that renders the text of a statement.
Text = Callable[[], str]

# A function that returns the layout of columns and rows. Some functions accept ``digits``.
LayOut = Callable[..., Layout]


def _with_digits(lay_out: LayOut, digits: int) -> LayOut:
    """Return a layout function with a fixed number of decimals, if the function supports it."""
    if "digits" not in signature(lay_out).parameters:
        raise InputError(
            f"digits={digits}: only results and comparisons can be printed with other decimals"
        )
    return partial(lay_out, digits=digits)


def _import_package(what: str, package: str) -> None:
    try:
        import_module(package)
    except ImportError:
        raise not_installed(what, package) from None


@refuse_unknown_arguments
class Table:
    """The rows of a query, which are fetched when you first read them.

    Attributes:
        sql: The text of the query.
        inputs: Paths of the files that were read, which are never overwritten.
        source: The rows in the database that computed them, if any.
    """

    def __init_subclass__(cls) -> None:
        refuse_unknown_arguments(cls)

    def __init__(
        self,
        sql: str | Text,
        fetch: Callable[[], pa.Table | Rows],
        copy: Callable[[Path], None] | None = None,
        inputs: Sequence[str] = (),
        provenance: str | None = None,
        lay_out: LayOut | None = None,
        source: DatabaseRows | None = None,
    ) -> None:
        # Derived tables share the text.
        self._sql = sql if isinstance(sql, str) else cache(sql)
        self.source = source
        self.inputs = inputs
        self._fetch = fetch
        self._copy = copy
        self._rows: pa.Table | Rows | None = None
        self._provenance = provenance
        self._lay_out = lay_out

    @property
    def sql(self) -> str:
        """The text of the query."""
        return self._sql if isinstance(self._sql, str) else self._sql()

    def rows(self) -> pa.Table | Rows:
        """Return the fetched rows: a PyArrow table, or Rows of Python values."""
        if self._rows is None:
            self._rows = self._fetch()
        return self._rows

    def to_arrow(self) -> pa.Table:
        """Return the rows as a PyArrow table."""
        table = self.rows()
        if isinstance(table, Rows):
            table = self._rows = table.to_arrow()
        if self._provenance is not None:
            table = table.replace_schema_metadata(
                {**(table.schema.metadata or {}), METADATA_KEY: self._provenance}
            )
        return table

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas frame.

        Raises:
            InputError: pandas is not installed.
        """
        _import_package("to_pandas()", "pandas")
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        if self._provenance is not None:
            frame.attrs[METADATA_KEY] = self._provenance
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a Polars frame.

        Raises:
            InputError: Polars is not installed.
        """
        _import_package("to_polars()", "polars")
        import polars

        return polars.DataFrame(self.to_arrow())

    def to_spark(self) -> Any:
        """Return the rows as a frame of the Spark session that computed them.

        Per-user values stay in Spark, which computes them again for each action on the frame.

        Raises:
            InputError: Spark did not compute the rows.
        """
        from ..engines.spark import Spark

        engine = None if self.source is None else self.source.engine
        if self.source is None or not isinstance(engine, Spark):
            raise InputError("to_spark(): this table was not computed by Spark: use to_arrow()")
        if self.source.statement is None:
            return engine.session.createDataFrame(self.to_arrow())
        return engine.frame(self.source.statement(), self.source.columns, self.source.objects)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the rows to a Parquet file.

        Rows that you have not read yet go from the query to the file, not through memory.

        Args:
            path: The file, which is written atomically.

        Raises:
            InputError: The path is a folder, its folder does not exist, or the path is one of the
                inputs, which would be lost.
        """
        check_target(path, self.inputs)
        with replace_on_success(path) as part:
            if self._rows is None and self._copy is not None:
                self._copy(part)
            else:
                import pyarrow.parquet

                pyarrow.parquet.write_table(self.to_arrow(), part)

    def to_table(
        self,
        name: str,
        mode: Mode = "error",
        *,
        run_id: str | None = None,
        evaluated_at: bool = False,
        options: bool = False,
    ) -> None:
        """Write the rows to a table of the database that computed them.

        Per-user values are inserted by the database itself, so they don't pass through Python. The
        table gets all rows or none. If writing fails, the old table is unchanged.

        Args:
            name: The table, as in ``shop.evaluations``.
            mode: ``error`` rejects a table that exists; ``replace`` replaces it; ``append`` adds
                rows to a table with the same columns, or creates the table.
            run_id: A string for a column ``run_id``, to find the rows of this run.
            evaluated_at: Whether to add a column ``evaluated_at`` with the time in UTC.
            options: Whether to add a column ``options`` with the interval and the rules as JSON,
                for results and per-user values of ``evaluate``.

        Raises:
            InputError: The inputs are files or frames without a database; sqlrec can't write tables
                of the engine; the table is an input, which would be lost; or the table exists, or
                has other columns.
            DataError: The database rejects the rows.
        """
        if self.source is None:
            raise InputError(
                "to_table(): this table was not computed by a database: use to_parquet()"
            )
        run = run_columns(run_id, evaluated_at, options, self.source.options)
        check_table_name(name, self.inputs)
        write_table(self.source, self.rows, name, mode, run)

    def layout(
        self, *, long: bool = False, max_rows: int | None = None, digits: int | None = None
    ) -> Layout:
        """Return the table as data for display: columns, rows, marks and notes.

        Args:
            long: Whether to keep the columns and rows of ``to_arrow()``, instead of a summary.
            max_rows: The maximum number of rows; by default all.
            digits: The number of decimals of values, from 0 to 6; by default the decimals that
                intervals support.

        Raises:
            InputError: ``digits`` is not a number from 0 to 6, or the table does not support it.
        """
        rows = self.rows()
        if long or self._lay_out is None:
            first = rows if max_rows is None else rows.slice(0, max_rows)
            layout = rows_layout(rows.column_names, first.to_pylist())
            return layout.with_more(rows.num_rows - first.num_rows)
        digits = DIGITS.read(digits)
        lay_out = self._lay_out if digits is None else _with_digits(self._lay_out, digits)
        return lay_out(rows.column_names, rows.to_pylist()).limit_rows(max_rows)

    def screen_layout(self, *, max_rows: int | None = None, digits: int | None = None) -> Layout:
        """Return the layout for a terminal or a notebook, with arguments of ``layout``."""
        return self.layout(max_rows=max_rows, digits=digits)

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return all rows and columns as CSV.

        Args:
            path: A file to write in addition, atomically.

        Raises:
            InputError: No file can be written at the path.
        """
        from ..display.files import to_csv

        return self._write_or_return(
            to_csv(self.rows().column_names, self.rows().to_pylist()), path
        )

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return all rows as a JSON list of objects.

        Args:
            path: A file to write in addition, atomically.

        Raises:
            InputError: No file can be written at the path.
        """
        from ..display.files import to_json

        return self._write_or_return(to_json(self.rows().to_pylist()), path)

    def to_dict(self, sep: str = "_at_") -> dict[str, float]:
        """Return the numbers under names that trackers accept: ``{"ease/ndcg_at_10": 0.158}``.

        A name starts with the model, if there are several models, and with the segments:
        ``gender.F/``. The name of any column other than ``value`` is appended: ``ndcg_at_10_low``.
        Null values are excluded.

        Args:
            sep: The text before a cutoff; by default ``_at_``.

        Raises:
            InputError: Two numbers would have the same name, such as the numbers of models with
                names that differ only in punctuation.
        """
        from ..display.files import to_dict

        return to_dict(self.rows().column_names, self.rows().to_pylist(), sep)

    def to_markdown(
        self, path: str | os.PathLike[str] | None = None, *, labels: Mapping[str, str] | None = None
    ) -> str:
        """Return the displayed table as Markdown.

        Args:
            path: A file to write in addition, atomically.
            labels: Names to replace, as in ``to_latex``.

        Raises:
            InputError: No file can be written at the path, or ``labels`` is not a dict.
        """
        from ..display.papers import to_markdown

        return self._write_or_return(to_markdown(self._renamed_layout(labels)), path)

    def to_html(
        self, path: str | os.PathLike[str] | None = None, *, labels: Mapping[str, str] | None = None
    ) -> str:
        """Return the displayed table as part of a page, without scripts or requests.

        Args:
            path: A file to write in addition, as a page, atomically.
            labels: Names to replace, as in ``to_latex``.

        Raises:
            InputError: No file can be written at the path, or ``labels`` is not a dict.
        """
        from ..display.html import to_html, to_page

        layout = self._renamed_layout(labels)
        return self._write_or_return(to_html(layout) if path is None else to_page(layout), path)

    def to_latex(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        labels: Mapping[str, str] | None = None,
        caption: str | None = None,
        label: str = "",
        digits: int | None = None,
    ) -> str:
        r"""Return the displayed table as LaTeX, which needs the package booktabs.

        Args:
            path: A file to write in addition, atomically.
            labels: Names to replace: ``{"item_knn": "Item-kNN", "ndcg@10": "NDCG"}``.
            caption: The caption; by default the users averaged over, the intervals and the tests.
            label: The name for ``\ref``.
            digits: The number of decimals of values, as in ``layout``.

        Raises:
            InputError: No file can be written at the path, or an option is invalid.
        """
        from ..display.papers import to_latex

        layout = self._renamed_layout(labels, digits).for_papers(name_for_papers)
        return self._write_or_return(to_latex(layout, caption, label), path)

    def _renamed_layout(
        self, labels: Mapping[str, str] | None, digits: int | None = None
    ) -> Layout:
        is_dict = labels is None or isinstance(labels, Mapping)
        if not is_dict or not all(isinstance(text, str) for text in chain(*(labels or {}).items())):
            raise InputError(f"labels={labels!r:.80}: pass a dict, as in {{'pop': 'POP'}}")
        return self.layout(digits=digits).renamed(labels or {})

    def _write_or_return(self, text: str, path: str | os.PathLike[str] | None) -> str:
        if path is not None:
            check_target(path, self.inputs)
            with replace_on_success(path) as part:
                part.write_text(text + "\n", encoding="utf-8")
        return text

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def sort(self, by: str | Sequence[str] = "value", *, descending: bool = True) -> Table:
        """Return the rows in another order; rows without a value come last.

        Args:
            by: A column, or several; by default ``value``.
            descending: Whether the largest value comes first (default).

        Raises:
            InputError: There is no such column.
        """
        names, rows = [by] if isinstance(by, str) else [*by], Rows.from_table(self.rows())
        for name in names:
            if name not in rows.column_names:
                raise InputError(f"by={name!r}: {suggest_name(str(name), rows.column_names)}")
        records = [*rows.records]
        for name in reversed(names):
            with_value = [row for row in records if row[name] is not None]
            without_value = [row for row in records if row[name] is None]
            records = (
                sorted(with_value, key=lambda row: row[name], reverse=descending) + without_value
            )
        return self._derive_table(Rows(dict(rows.schema), records))

    def _derive_table(self, rows: Rows, lay_out: LayOut | None = None) -> Table:
        """Return a table of derived rows, by default with all columns."""
        source = self.source and self.source.in_memory()
        return Table(self._sql, lambda: rows, inputs=self.inputs, lay_out=lay_out, source=source)

    def __iter__(self) -> Iterator[Row]:
        return iter([Row(row) for row in self.rows().to_pylist()])

    def __getitem__(self, key: str | tuple[Any, ...]) -> Any:
        """Return the rows of a model, or one row: ``result["ease", "ndcg@10"].value``.

        Args:
            key: A model; or a model, a metric as you wrote it, and the value of each segment.

        Raises:
            InputError: There is no such row, or there are several.
        """
        rows = Rows.from_table(self.rows())
        names = rows.column_names
        keys = [name for name in ("model", "request") if name in names]
        segments = names[1 : names.index("metric")] if "metric" in names else []
        values = key if isinstance(key, tuple) else (key,)
        records = rows.records
        for name, value in zip([*keys, *segments], values, strict=False):
            matches = [row for row in records if row[name] == value]
            if not matches:
                close = suggest_name(str(value), {str(row[name]) for row in records})
                raise InputError(f"no row has {name}={value!r}: {close}")
            records = matches
        if not isinstance(key, tuple):
            return self._derive_table(Rows(dict(rows.schema), records))
        if len(records) > 1 or len(values) > len(keys) + len(segments):
            raise InputError(
                f"{key!r} is not the key of one row: give {', '.join([*keys, *segments])}"
            )
        return Row(records[0])

    def __len__(self) -> int:
        return int(self.rows().num_rows)

    def __repr__(self) -> str:
        return to_text(self.screen_layout(max_rows=MAX_ROWS), Style(terminal_width()))

    def _repr_html_(self) -> str:
        from ..display.html import to_html

        return to_html(self.screen_layout(max_rows=MAX_ROWS))
