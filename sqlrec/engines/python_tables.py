"""Python objects as tables: dicts, lists, arrays, and frames of other libraries."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from .files import file_ending

if TYPE_CHECKING:
    import pyarrow as pa

# The column with the value of an item, by input.
_VALUES = {"recs": "score", "baseline": "score"}

# Methods that convert DuckDB relations, Delta tables, ibis tables and pyiceberg scans to Arrow.
_AS_ARROW = ("to_arrow_table", "to_pyarrow_table", "to_pyarrow", "to_arrow")

# Messages for tables of other libraries, by module. Reading such a table would copy all its rows.
_ELSEWHERE = {
    "dask": "write it with frame.to_parquet('folder/'), and give 'folder/'",
    "ray": "write it with dataset.write_parquet('folder/'), and give 'folder/'",
    "modin": "give frame.modin.to_pandas()",
    "snowflake": "give f\"({frame.queries['queries'][-1]})\", with engine=session.connection",
    "bigframes": "give f'({frame.sql})', with engine=google.cloud.bigquery.dbapi.connect()",
    "sqlalchemy": "give its engine too: engine=sqlalchemy.create_engine(...)",
}


def _has_columns(value: Mapping[Any, Any]) -> bool:
    """Return whether a dict has a list for each column."""
    lists = all(isinstance(column, list | tuple) or _is_ids(column) for column in value.values())
    return lists and {"user_id", "item_id"} <= {str(name).lower() for name in value}


def _is_pairs(value: Any) -> bool:
    """Return whether a value is a list of pairs, each of an item and a floating-point number."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value)
        and all(isinstance(score, Real) and not isinstance(score, int) for _, score in value)
    )


def _is_dict(value: Any) -> bool:
    """Return whether a value is a dict of numbers."""
    return isinstance(value, Mapping) and (not value or _is_single(next(iter(value.values()))))


def _is_single(value: Any) -> bool:
    """Return whether a value is a number, a string or missing."""
    is_scalar = hasattr(value, "dtype") and not getattr(value, "ndim", 0)
    return value is None or is_scalar or isinstance(value, str | Real | Decimal)


def _is_ids(value: Any) -> bool:
    """Return whether a value is a list, tuple, set or array of ids, not of paths."""
    if hasattr(value, "ndim") and hasattr(value, "tolist"):
        return bool(value.ndim == 1)
    if isinstance(value, Set):
        return True
    if not isinstance(value, list | tuple) or not all(map(_is_single, value)):
        return False
    return not value or not all(isinstance(entry, str) and file_ending(entry) for entry in value)


def _is_array(value: Any) -> bool:
    has_elements = hasattr(value, "ndim") and hasattr(value, "tolist")
    return has_elements and not hasattr(value, "columns") and not hasattr(value, "to_frame")


# Forms of a user's items. The first form that fits the first user applies to all users.
_FORMS: dict[str, Callable[[Any], bool]] = {
    "a list of pairs of an item and a floating-point number": _is_pairs,
    "a dict of items": _is_dict,
    "a list of items": _is_ids,
}


def as_user_rows(value: Any, name: str) -> pa.Table | None:
    """Convert a dict with users as keys, a list of lists or an array; other values return None.

    A dict of items becomes a row per user and item, with the number as score, or as relevance in
    the truth. The users of a list of lists are 0, 1, 2, ...
    """
    if hasattr(value, "index") and hasattr(value, "to_frame") and hasattr(value, "iloc"):
        is_by_user = bool(value.index.is_unique) and len(value) and _is_ids(value.iloc[0])
        return as_user_rows(value.to_dict(), name) if is_by_user else None
    if isinstance(value, Mapping):
        return columns_to_arrow(value) if _has_columns(value) else _rows_by_user(value, name)
    is_list = isinstance(value, list | tuple) and bool(value)
    if is_list and all(isinstance(row, Mapping) for row in value):
        names = dict.fromkeys(key for row in value for key in row)
        return columns_to_arrow({str(key): [row.get(key) for row in value] for key in names})
    if _is_array(value) or (is_list and all(map(_is_ids, value))):
        items = _array_rows(value, name)
        return _lists_to_table([*range(len(items))], items, name)
    return None


def _rows_by_user(value: Mapping[Any, Any], name: str) -> pa.Table | None:
    """Return the rows of a dict by user, None if the first user's value has another form."""
    first = next((items for items in value.values() if items is not None), None)
    if not any(fits(first) for fits in _FORMS.values()):
        return None
    form = next(form for form, fits in _FORMS.items() if any(map(fits, value.values())))
    for user, items in value.items():
        is_empty = isinstance(items, list) and not items
        if not is_empty and not _FORMS[form](items):
            raise InputError(f"{name}[{user!r}] is {items!r:.80}: give {form} for each user")
    if form == "a list of items":
        return _lists_to_table([*value], [*value.values()], name)
    return expand_user_rows(value, _VALUES.get(name.partition("[")[0], "relevance"))


def _array_rows(value: Any, name: str) -> list[Any]:
    """Return the rows of a list of lists or an array of items, but reject an array of scores."""
    if not hasattr(value, "ndim"):
        if any(isinstance(row, tuple) for row in value):
            raise InputError(
                f"{name} has tuples: give a frame, as in pandas.DataFrame({name}, columns=["
                "'user_id', 'item_id']), or a list of items for each user"
            )
        return [*value]
    if value.ndim != 2:
        raise InputError(f"{name} is an array of shape {tuple(value.shape)}: give a row per user")
    kind = getattr(value.dtype, "kind", "f" if "float" in str(value.dtype) else "i")
    values = {0, 1} if kind == "b" else {*value[:100].ravel().tolist()}
    if kind == "f" or (kind in "bi" and values <= {0, 1} and value.shape[1] > 2):
        fix = (
            "sqlrec.adapters.matrix(scores, k) turns scores into lists"
            if name.partition("[")[0] in _VALUES
            else "sqlrec.adapters.one_hot(matrix) turns zeros and ones into rows"
        )
        raise InputError(f"{name} is a matrix with a column per item: {fix}")
    return [*value.tolist()]


def expand_user_rows(users: Mapping[Any, Any], value: str) -> pa.Table:
    """Return a row per user and item from dicts or pairs by user; the number becomes a column."""
    pairs = {
        user: items.items() if isinstance(items, Mapping) else items
        for user, items in users.items()
    }
    return rows_to_table([(user, *pair) for user in pairs for pair in pairs[user]], value)


def _lists_to_table(users: Sequence[Any], items: Sequence[Any], name: str) -> pa.Table:
    """Return a table with a row per user for ranked lists, or a row per item for other lists."""
    if name.partition("[")[0] not in _VALUES:
        pairs = zip(users, items, strict=True)
        return rows_to_table([(user, item) for user, values in pairs for item in values])
    for user, values in zip(users, items, strict=True):
        if isinstance(values, Set):
            raise InputError(
                f"{name}[{user!r}] is a set, which has no order: give a list from best to worst"
            )
    return columns_to_arrow({"user_id": users, "item_id": [[*values] for values in items]})


def rows_to_table(rows: Sequence[tuple[Any, ...]], *values: str) -> pa.Table:
    """Return the table of rows with a user, an item and values."""
    names = ("user_id", "item_id", *values)
    return columns_to_arrow(
        {name: [row[index] for row in rows] for index, name in enumerate(names)}
    )


def columns_to_arrow(columns: Mapping[str, Any]) -> pa.Table:
    """Return a table of columns."""
    import pyarrow as pa

    # Arrow infers types of Python objects from lists, but not from NumPy arrays.
    plain = {
        name: column.tolist() if hasattr(column, "dtype") and column.dtype.hasobject else column
        for name, column in columns.items()
    }
    try:
        return pa.table(plain)
    except OverflowError:
        raise InputError(
            "a column has integers that don't fit in 64 bits: pass them as strings"
        ) from None
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"a column has values of several types: {reason}; give one type") from None


def read_streams(inputs: Mapping[str, object]) -> dict[str, Any]:
    """Read the inputs that can be read only once, such as streams; return all inputs."""
    return {name: _read_stream(table, name) for name, table in inputs.items()}


def _read_stream(table: Any, name: str) -> Any:
    rows = as_user_rows(table, name)
    if rows is not None:
        return rows
    if isinstance(table, Mapping):
        return {key: _read_stream(frame, f"{name}[{key!r}]") for key, frame in table.items()}
    methods = ("__arrow_c_stream__", "to_arrow_table", "collect")
    is_stream = any(hasattr(table, method) for method in methods)
    return as_duckdb_table(table, name) if is_stream and not is_rereadable_table(table) else table


def is_rereadable_table(table: Any) -> bool:
    """Return whether a Python table is of a type that can be read more than once."""
    module, kind = type(table).__module__.partition(".")[0], type(table).__name__
    types = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "Table|RecordBatch|.*Dataset"}
    return re.fullmatch(types.get(module, ""), kind) is not None


def as_duckdb_table(value: Any, name: str) -> Any:
    """Convert a Python table to a table that can be read more than once."""
    module, kind = type(value).__module__.partition(".")[0], type(value).__name__
    if module == "pyarrow" and kind.endswith("Dataset"):
        return value
    if module in _ELSEWHERE:
        raise InputError(f"{name} is a {kind} of {module}: {_ELSEWHERE[module]}")
    if kind == "Series":
        raise InputError(f"{name} is a Series: give a frame, as in series.reset_index()")
    return _with_duckdb_types(_convert_to_arrow(value, name, module, kind), name)


def _with_duckdb_types(table: Any, name: str) -> Any:
    import pyarrow as pa

    if not isinstance(table, pa.Table):
        return table
    for index, column in enumerate(table.schema):
        if column.type == "halffloat":
            table = table.set_column(index, column.name, table[index].cast("float32"))
        elif str(column.type).startswith(("decimal256", "dense_union", "sparse_union")):
            raise InputError(
                f"{name}.{column.name} is {str(column.type).partition('<')[0]}, which DuckDB does "
                "not read: cast it to another type, or remove the column"
            )
    return table


def _convert_to_arrow(value: Any, name: str, module: str, kind: str) -> Any:
    import pyarrow as pa

    try:
        if module == "pandas" and hasattr(value, "columns"):
            # Named levels of the index become columns, as in Parquet files.
            names = {None, *value.columns}
            if levels := [level for level in value.index.names if level not in names]:
                value = value.reset_index(level=levels)
            columns = [_pandas_to_arrow(value.iloc[:, index]) for index in range(value.shape[1])]
            return pa.Table.from_arrays(columns, names=[str(name) for name in value.columns])
        if module == "polars" and hasattr(value, "collect"):
            value = value.collect()
        if hasattr(value, "__arrow_c_stream__"):
            return pa.table(value)
        if module == "pyiceberg" and hasattr(value, "scan"):
            value = value.scan()
        for method in _AS_ARROW:
            if hasattr(value, method):
                return getattr(value, method)()
    except Exception as error:
        # The table's library can raise any exception.
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise InputError(f"{name}=<{kind}> can't be read: {reason}") from error
    raise InputError(
        f"{name} is a {kind}: give a path, a table's name, or a table of pandas, Polars, PyArrow, "
        "DuckDB or with the Arrow C stream interface; sqlrec.adapters converts the results of "
        "other libraries"
    )


def _pandas_to_arrow(values: Any) -> Any:
    """Return a pandas column as an Arrow array; values of mixed types become text."""
    import pyarrow as pa

    try:
        column = pa.array(values, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        column = None
    kind = None if column is None else str(column.type)
    if kind == "halffloat":
        return column.cast("float32")
    # Sets have no order, so they must not become lists.
    sets = kind is not None and "list<" in kind and any(isinstance(v, Set) for v in values)
    if kind is None or sets or kind.startswith("extension<pandas"):
        missing = values.isna()
        return pa.array(
            [
                None if is_missing else str(value)
                for value, is_missing in zip(values, missing, strict=True)
            ],
            "string",
        )
    return column
