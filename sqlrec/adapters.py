"""Convert the output of other libraries to tables for ``evaluate``.

The library itself need not be installed. Each function returns an Arrow table with one row
per user and item. Recommendations contain ``user_id``, ``item_id`` and ``score`` or ``rank``;
relevance judgments contain ``user_id``, ``item_id`` and, if they are graded, ``relevance``. If a
library numbers users and items, pass your ids as ``users`` and ``items``, in the order of the
numbers.

Frames, dicts and one-dimensional arrays need no adapter: ``columns`` names their columns.

    from sqlrec import adapters, evaluate

    ids, scores = model.recommend(users, matrix[users], N=10)
    evaluate("ndcg@10", recs=adapters.implicit(ids, scores, users, items), truth=truth)
"""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import TYPE_CHECKING, Any

from .engines.python_tables import as_duckdb_table, columns_to_arrow
from .errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

# Smaller scores mark excluded items; implicit gives them scores near the minimum of 32-bit floats.
_PADDING_SCORE = -3.4e38


def implicit(ids: Any, scores: Any, users: Any = None, items: Any = None) -> pa.Table:
    """Convert the output of implicit's ``recommend``, without padding.

    Args:
        ids: An array of item numbers with a row per user and a column per rank, or a single row.
        scores: The scores, in the same shape.
        users: The users' ids, in the order of the rows; by default 0, 1, ...
        items: The items' ids, in the order of implicit's item numbers; by default the numbers.

    Raises:
        InputError: The shapes differ, or an item number has no id in ``items``.
    """
    ids, scores = _user_rows(ids, "ids", "iu"), _user_rows(scores, "scores")
    if ids.shape != scores.shape:
        raise InputError(
            f"ids has the shape {ids.shape} and scores {scores.shape}: the shapes must be equal"
        )
    rows = _user_ids(users, len(ids)).repeat(ids.shape[1]), ids.ravel(), scores.ravel()
    is_valid = (rows[1] >= 0) & (rows[2] > _PADDING_SCORE)
    user_id, item_id, score = (column[is_valid] for column in rows)
    return _id_table(user_id, _look_up_ids(item_id, items, "items"), score=score)


def matrix(
    scores: Any, k: int, users: Any = None, items: Any = None, chunk: int = 1024
) -> pa.Table:
    """Select the items with the highest scores in a matrix of users (rows) and items (columns).

    All items that tie with the last selected item are selected too, so ``ties`` can decide between
    them. Scores of -inf and NaN are excluded: use them to mask items of the history.

    Args:
        scores: A two-dimensional NumPy, PyTorch or JAX array. An iterable of such arrays, each with
            the rows of different users, keeps only one array in memory.
        k: The number of items to keep for each user: the largest cutoff that you evaluate.
        users: The users' ids, in the order of the rows; by default 0, 1, ...
        items: The items' ids, in the order of the columns; by default 0, 1, ...
        chunk: The number of users to sort at a time.

    Raises:
        InputError: The array is not two-dimensional, or the number of ids in ``users`` or ``items``
            differs from its shape.
    """
    import numpy as np
    import pyarrow as pa

    if isinstance(k, bool) or not isinstance(k, Integral) or k < 1:
        raise InputError(f"k={k!r}: it must be a whole number of at least 1")
    _check_library_object(scores, "scores", "an array, or several", "__iter__")
    for ids, name in ((users, "users"), (items, "items")):
        if ids is not None:
            _check_library_object(ids, name, "their names in order", "__len__", "__getitem__")
    start, tables = 0, []
    for block in _matrix_blocks(scores, chunk):
        if items is not None and block.shape[1] != len(items):
            raise InputError(
                f"scores have {block.shape[1]} columns, but items has {len(items)} ids: "
                "give an id for each column"
            )
        if not block.shape[1]:
            raise InputError("scores have no items: give a column for each item")
        block = np.where(np.isnan(block), -np.inf, block)
        kth = max(block.shape[1] - k, 0)
        smallest = np.partition(block, kth, axis=1)[:, kth]
        row, column = np.nonzero((block >= smallest[:, None]) & (block > -np.inf))
        score = block[row, column]
        user = _look_up_ids(row + start, users, "users")
        tables.append(_id_table(user, _look_up_ids(column, items, "items"), score=score))
        start += len(block)
    if users is not None and start != len(users):
        raise InputError(
            f"scores have {start} rows, but users has {len(users)} ids: give an id for each row"
        )
    return pa.concat_tables(tables) if tables else _id_table([], [], score=[])


def one_hot(frame: Any, users: Any = None, items: Any = None) -> pa.Table:
    """Convert a matrix of zeros and ones, of users (rows) and items (columns), into truth.

    Args:
        frame: A pandas, Polars or PyArrow frame with a column per item; or a two-dimensional NumPy,
            PyTorch or SciPy array.
        users: The column of a frame that contains the users, such as ``"ncodpers"``; or their ids,
            in the order of the rows. By default 0, 1, ...
        items: The items' ids, in the order of the columns; by default the names of the columns, or
            0, 1, ...

    Raises:
        InputError: A value is not 0, 1 or missing, or the number of ids differs from the shape.
    """
    import numpy as np

    if hasattr(frame, "columns") or hasattr(frame, "column_names"):
        table = as_duckdb_table(frame, "frame")
        names = [*table.column_names]
        if isinstance(users, str):
            if users not in names:
                raise InputError(f"users={users!r}: the frame has {', '.join(names)}")
            names.remove(users)
            users = table[users].to_pylist()
        items = names if items is None else items
        values = np.array([table[name].to_numpy() for name in names], dtype="float64").T
    else:
        dense = frame.toarray() if hasattr(frame, "toarray") else frame
        values = _user_rows(dense, "frame").astype("float64")
    wrong = values[~((values == 0) | (values == 1) | np.isnan(values))]
    if wrong.size:
        raise InputError(f"frame has the value {wrong[0]:g}: give 1 for a relevant item, else 0")
    if items is not None and len(items) != values.shape[1]:
        raise InputError(
            f"frame has {values.shape[1]} columns and items {len(items)} ids: "
            "give an id for each column"
        )
    row, column = np.nonzero(values == 1)
    user_id = _user_ids(users, len(values))[row]
    return _id_table(user_id, _look_up_ids(column, items, "items"))


def _check_library_object(value: Any, name: str, fix: str, *attributes: str) -> None:
    """Check that an object supports the attributes of a library's objects."""
    if not all(hasattr(value, attribute) for attribute in attributes):
        raise InputError(f"{name}=<{type(value).__name__}>: give {fix}")


def _as_array(values: Any) -> Any:
    """Return a NumPy array, even for values on another device."""
    import numpy as np

    for step in ("detach", "cpu"):
        values = getattr(values, step, lambda values=values: values)()
    try:
        return np.asarray(values)
    except ValueError as error:
        raise InputError(
            f"the rows do not form an array: {error}; give rows of equal length"
        ) from None


def _user_rows(values: Any, name: str, kinds: str = "biuf") -> Any:
    """Return an array of numbers with a row per user; an empty array may have any type."""
    array = _as_array(values)
    if array.size and array.dtype.kind not in kinds:
        required = "numbers" if "f" in kinds else "whole numbers"
        raise InputError(f"{name} has the type {array.dtype}: give {required}")
    array = array[None] if array.ndim == 1 else array
    if array.ndim != 2:
        raise InputError(f"{name} has the shape {array.shape}: give one row per user")
    return array


def _matrix_blocks(scores: Any, chunk: int) -> Iterator[Any]:
    """Yield the rows of a matrix, or of several matrices, in chunks."""
    several = not hasattr(scores, "shape")
    for block in scores if several else [scores]:
        # The scores of a single user are one row.
        rows = block if getattr(block, "ndim", 0) == 2 else _user_rows(block, "scores")
        for start in range(0, len(rows), chunk):
            yield _user_rows(rows[start : start + chunk], "scores").astype("float64")


def _user_ids(users: Any, count: int) -> Any:
    import numpy as np

    ids = np.arange(count) if users is None else np.atleast_1d(_as_array(users))
    if len(ids) != count:
        raise InputError(f"got {len(ids)} users for {count} rows: pass one user per row")
    return ids


def _look_up_ids(positions: Any, names: Any, what: str) -> Any:
    import numpy as np

    if names is None:
        return positions
    names = np.atleast_1d(_as_array(names))
    if len(positions) and positions.max() >= len(names):
        raise InputError(
            f"{what} has {len(names)} ids, but the data have positions up to {positions.max()}: "
            "give an id for each position, from 0"
        )
    return names[positions]


def _id_table(user_id: Any, item_id: Any, **values: Any) -> pa.Table:
    return columns_to_arrow({"user_id": user_id, "item_id": item_id, **values})
