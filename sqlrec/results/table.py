"""Tables that are at home with pandas, Polars, Arrow and notebooks."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .layout import as_html, as_text
from .rows import Rows
from .writing import check_target, replacing

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow as pa

# Under this name tables of Arrow, Parquet files and frames of pandas tell how a result was made.
MADE = "sqlrec"


class Table:
    """Rows of a query, fetched when they are first looked at.

    Attributes:
        sql: The text of the query.
        inputs: Paths of what was read, which are not written over.
    """

    def __init__(
        self,
        sql: str,
        fetch: Callable[[], pa.Table | Rows],
        copy: Callable[[Path], None] | None = None,
        inputs: Sequence[str] = (),
        made: str | None = None,
    ) -> None:
        self.sql = sql
        self.inputs = inputs
        self._fetch = fetch
        self._copy = copy
        self._rows: pa.Table | Rows | None = None
        self._made = made

    def rows(self) -> pa.Table | Rows:
        """Return the rows as they are at hand: of PyArrow, or of Python."""
        if self._rows is None:
            self._rows = self._fetch()
        return self._rows

    def to_arrow(self) -> pa.Table:
        """Return the rows as a PyArrow table."""
        found = self.rows()
        if isinstance(found, Rows):
            found = self._rows = found.to_arrow()
        if self._made is not None:
            found = found.replace_schema_metadata(
                {**(found.schema.metadata or {}), MADE: self._made}
            )
        return found

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas frame."""
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        if self._made is not None:
            frame.attrs[MADE] = self._made
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a Polars frame."""
        import polars

        return polars.DataFrame(self.to_arrow())

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the rows to a Parquet file, which appears whole or not at all.

        Rows that were not looked at yet go from the query to the file, not through memory.

        Raises:
            InputError: The path is a folder, or in none; or an input, which would be lost.
        """
        check_target(path, self.inputs)
        with replacing(path) as part:
            if self._rows is None and self._copy is not None:
                self._copy(part)
            else:
                import pyarrow.parquet

                pyarrow.parquet.write_table(self.to_arrow(), part)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return int(self.rows().num_rows)

    def __repr__(self) -> str:
        return as_text(self.rows())

    def _repr_html_(self) -> str:
        return as_html(self.rows())
