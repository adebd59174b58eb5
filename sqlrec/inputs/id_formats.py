"""Warnings about ids that could be missing values, or differ in format between inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..engines.column_types import BLANKS, NORMALIZED, NUMBER, PLAIN, IdFormat, id_format_columns
from ..engines.duckdb import DuckDB
from .read import Inputs
from .source import Source

# The columns of user ids, and the columns of item ids.
_IDS = (("user_id",), ("item_id", "other_item_id"))

_FIRST_ROWS = 20_000

_DIFFERENCES = {BLANKS: "blanks", NUMBER: "number format", BLANKS | NUMBER: "format"}


def id_format_warnings(
    inputs: Inputs, recs: Sequence[Source], tables: Mapping[str, Source]
) -> list[str]:
    """Return warnings about text ids: possible missing values, and different formats by input."""
    engine = inputs.engine
    if not isinstance(engine, DuckDB):
        return []
    warnings = []
    # Each source is compared with the first source.
    sources = sorted([*recs, *tables.values()], key=lambda source: source.name != "truth")
    with engine.naming(inputs.objects):
        formats = {source.name: _id_formats(engine, source) for source in sources}
        for names in _IDS:
            pairs = ((x, name) for x in sources for name in formats[x.name] if name in names)
            columns = [(source, name, formats[source.name][name]) for source, name in pairs]
            warnings += [message for column in columns for message in _warn_about_values(*column)]
            warnings += _compare_formats(engine, columns)
    return warnings


def _warn_about_values(source: Source, name: str, format: IdFormat) -> Iterator[str]:
    """Yield warnings about ids that could be missing values or shortened numbers."""
    if format.missing:
        yield (
            f"{source.name} has the {name} {format.missing!r}, which is read as an id: if it is a "
            "missing value, exclude its rows with where="
        )
    if format.shortened:
        yield (
            f"{source.name} has the {name} {format.shortened!r}, probably a long number that "
            "a spreadsheet shortened: write ids with all their digits"
        )


def _id_formats(engine: DuckDB, source: Source) -> dict[str, IdFormat]:
    """Return the formats of text ids by column, as stored or as found in the first rows."""
    stored = engine.id_formats.get(source.rows, {})
    formats = {}
    missing = []
    for name in (name for names in _IDS for name in names if name in source.columns):
        kind = source.kind(name).removesuffix("[]")
        if source.columns[name] in stored:
            formats[name] = stored[source.columns[name]]
        elif kind == "VARCHAR" or kind.startswith("ENUM"):
            missing.append(name)
    if missing:
        rows = f"(select * from {source.relation} limit {_FIRST_ROWS})"
        ids = ", ".join(f"{_ids_sql(source, name)} as {name}" for name in missing)
        parts = ", ".join(part for name in missing for part in id_format_columns(name))
        (values,) = engine.rows_once(f"select {parts} from (select {ids} from {rows})")
        for index, name in enumerate(missing):
            formats[name] = IdFormat(*values[3 * index : 3 * index + 3])
    return formats


def _ids_sql(source: Source, name: str) -> str:
    """Return the SQL of a column's ids as text, with a row for each id."""
    ids = source.expression(name)
    ids = f"unnest({ids})" if source.kind(name).endswith("[]") else ids
    return f"cast({ids} as varchar)"


def _compare_formats(
    engine: DuckDB, columns: Sequence[tuple[Source, str, IdFormat]]
) -> Iterator[str]:
    """Yield a warning for each column with a format of ids that differs from the first input's."""
    for source, name, format in columns[1:]:
        first, first_name, other = columns[0]
        forms = format.forms | other.forms
        if forms in (PLAIN, BLANKS, NUMBER):
            continue
        first_ids, other_ids = _ids_sql(first, first_name), _ids_sql(source, name)
        query = (
            f"with ids(id) as (select distinct {first_ids} from {first.relation}), "
            f"other_ids(id) as (select distinct {other_ids} from {source.relation}) "
            "select min(ids.id), min_by(other_ids.id, ids.id), count(*) from ids join other_ids "
            f"on {NORMALIZED.format('ids.id')} = {NORMALIZED.format('other_ids.id')} "
            "and ids.id <> other_ids.id and trim(ids.id) <> '' "
            "where ids.id not in (select id from other_ids where id is not null) "
            "or other_ids.id not in (select id from ids where id is not null)"
        )
        ((first_id, other_id, count),) = engine.rows_once(query)
        if count:
            pairs = f" ({count} such pairs)" if count > 1 else ""
            yield (
                f"{first.name} has the {first_name} {first_id!r}, but {source.name} has "
                f"{other_id!r}, which differ in {_DIFFERENCES[forms & ~PLAIN]}{pairs}: ids must be "
                "equal; write them in the same format"
            )
