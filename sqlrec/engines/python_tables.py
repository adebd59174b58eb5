"""Python dicts, lists and arrays as tables, with a row per user and item or a list per user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from .files import ending

if TYPE_CHECKING:
    import pyarrow as pa

# The column of the value of an item, by input.
_VALUES = {"recs": "score", "baseline": "score"}


def is_user_dict(value: Any) -> bool:
    """Return whether a value is a dict or Series by user, with dicts of numbers or lists."""
    if _is_series(value):
        return bool(value.index.is_unique) and bool(len(value)) and is_ids(value.iloc[0])
    if not isinstance(value, Mapping):
        return False
    if _has_columns(value):
        return True
    first = next((entry for entry in value.values() if entry is not None), None)
    if isinstance(first, Mapping):
        return not first or _is_single(next(iter(first.values())))
    return is_ids(first) or _is_pairs(first)


def _has_columns(value: Mapping[Any, Any]) -> bool:
    """Return whether a dict has a list for each column."""
    lists = all(isinstance(column, list | tuple) or is_ids(column) for column in value.values())
    return lists and {"user_id", "item_id"} <= {str(name).lower() for name in value}


def _is_pairs(value: Any) -> bool:
    """Return whether a value is a list of pairs of an item and a floating number."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value)
        and all(isinstance(score, Real) and not isinstance(score, int) for _, score in value)
    )


def _is_series(value: Any) -> bool:
    """Return whether a value is a Series of pandas."""
    return hasattr(value, "index") and hasattr(value, "to_frame") and hasattr(value, "iloc")


def _is_single(value: Any) -> bool:
    """Return whether a value is a number, a text or missing."""
    is_scalar = hasattr(value, "dtype") and not getattr(value, "ndim", 0)
    return value is None or is_scalar or isinstance(value, str | Real | Decimal)


def is_ids(value: Any) -> bool:
    """Return whether a value is a list, tuple, set or array of ids, and not of paths."""
    if hasattr(value, "ndim") and hasattr(value, "tolist"):
        return bool(value.ndim == 1)
    if isinstance(value, Set):
        return True
    if not isinstance(value, list | tuple) or not all(map(_is_single, value)):
        return False
    return not value or not all(isinstance(entry, str) and ending(entry) for entry in value)


def is_rows(value: Any) -> bool:
    """Return whether a value is a list of lists of ids, or an array with a row per user."""
    if hasattr(value, "ndim") and hasattr(value, "tolist") and not hasattr(value, "columns"):
        return not hasattr(value, "to_frame")
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(map(is_ids, value)) or all(isinstance(row, Mapping) for row in value)


def as_user_rows(value: Any, name: str) -> pa.Table | None:
    """Return the table of a dict by user, a list of lists or an array; None for other values.

    A dict of items becomes a row per user and item, with its number as score, or as relevance in
    truth. The users of a list of lists are 0, 1, 2, ...

    Raises:
        InputError: Users have values of several types; an array is not two-dimensional or has
            scores instead of items.
    """
    table = name.partition("[")[0]
    if is_user_dict(value):
        value = value.to_dict() if _is_series(value) else value
        if _has_columns(value):
            return table_of(value)
        if any(map(_is_pairs, value.values())):
            return _pairs(value, name)
        are_dicts = any(isinstance(items, Mapping) for items in value.values())
        for user, items in value.items():
            if not (isinstance(items, Mapping) if are_dicts else is_ids(items)):
                form = "a dict of items" if are_dicts else "a list of items"
                raise InputError(f"{name}[{user!r}] is {items!r:.80}: give {form} for each user")
        if are_dicts:
            return rows_of_dicts(value, _VALUES.get(table, "relevance"))
        return _lists([*value], [*value.values()], table, name)
    if is_rows(value):
        if isinstance(value[0], Mapping):
            names = dict.fromkeys(key for row in value for key in row)
            return table_of({str(key): [row.get(key) for row in value] for key in names})
        return _lists([*range(len(value))], _array_rows(value, name), table, name)
    return None


def _array_rows(value: Any, name: str) -> list[Any]:
    """Return the rows of a list of lists or of an array of items.

    Raises:
        InputError: The array has scores or is not two-dimensional.
    """
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


def rows_of_dicts(users: Mapping[Any, Mapping[Any, Any]], value: str) -> pa.Table:
    """Return a row per user and item of a dict of dicts, with the number as a column."""
    rows = [(user, item, number) for user, items in users.items() for item, number in items.items()]
    return table_of_rows(rows, value)


def _lists(users: Sequence[Any], items: Sequence[Any], table: str, name: str) -> pa.Table:
    if table in _VALUES:
        for user, values in zip(users, items, strict=True):
            if isinstance(values, Set):
                raise InputError(
                    f"{name}[{user!r}] is a set, which has no order: give a list from best to worst"
                )
        return table_of({"user_id": users, "item_id": [[*values] for values in items]})
    pairs = zip(users, items, strict=True)
    return table_of_rows([(user, item) for user, values in pairs for item in values])


def _pairs(users: Mapping[Any, Any], name: str) -> pa.Table:
    """Return a row per user and item for lists of pairs of an item and its number.

    Raises:
        InputError: A user has another value.
    """
    for user, pairs in users.items():
        if pairs and not _is_pairs(pairs):
            form = "a list of pairs of an item and a floating number"
            raise InputError(f"{name}[{user!r}] is {pairs!r:.80}: give {form} for each user")
    column = _VALUES.get(name.partition("[")[0], "relevance")
    return table_of_rows([(user, *pair) for user, pairs in users.items() for pair in pairs], column)


def table_of_rows(rows: Sequence[tuple[Any, ...]], *values: str) -> pa.Table:
    """Return the table of rows with a user, an item and values."""
    names = ("user_id", "item_id", *values)
    return table_of({name: [row[index] for row in rows] for index, name in enumerate(names)})


def table_of(columns: Mapping[str, Any]) -> pa.Table:
    """Return a table of columns.

    Raises:
        InputError: A column has values of several types, or numbers beyond 64 bits.
    """
    import pyarrow as pa

    # Arrow infers types of Python objects from lists, but not from NumPy arrays.
    plain = {
        name: column.tolist() if hasattr(column, "dtype") and column.dtype.hasobject else column
        for name, column in columns.items()
    }
    try:
        return pa.table(plain)
    except OverflowError:
        raise InputError("an id or a value is beyond 64 bits: give it as text") from None
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"a column has values of several types: {reason}; give one type") from None
