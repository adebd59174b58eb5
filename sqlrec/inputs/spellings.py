"""Ids that are spelled as missing values, or in one input otherwise than in another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..engines.column_types import ALIKE, BLANKS, NUMBER, PLAIN, Spelling, spelling_columns
from ..engines.duckdb import DuckDB
from .read import Inputs, Source

# Ids of users, and ids of items.
_IDS = (("user_id",), ("item_id", "other_item_id"))

# The rows of a table that are looked at, and those of one that takes long to read.
_FIRST_ROWS = 20_000
_FEW_ROWS = 1000

_DIFFERENCES = {BLANKS: "blanks", NUMBER: "the form of a number", BLANKS | NUMBER: "spelling"}


def spelling_warnings(
    inputs: Inputs, recs: Sequence[Source], tables: Mapping[str, Source]
) -> list[str]:
    """Return warnings of text ids that are spelled as missing values, or not as in other inputs."""
    engine = inputs.engine
    if not isinstance(engine, DuckDB):
        return []
    warnings = []
    # The first source is compared with each of the others.
    sources = sorted([*recs, *tables.values()], key=lambda source: source.name != "truth")
    with engine.naming(inputs.objects):
        spellings = {source.name: _spellings(engine, source) for source in sources}
        for names in _IDS:
            columns = [
                (source, name, spelling)
                for source in sources
                for name, spelling in spellings[source.name].items()
                if name in names
            ]
            warnings += [message for column in columns for message in _odd(*column)]
            warnings += _unlike(engine, columns)
    return warnings


def _odd(source: Source, name: str, spelling: Spelling) -> Iterator[str]:
    """Generate warnings of ids that are missing values or shortened numbers."""
    if spelling.missing:
        yield (
            f"{source.name} has the {name} {spelling.missing!r}, which is read as an id: leave its "
            "rows out by where= if it is a missing value"
        )
    if spelling.shortened:
        yield (
            f"{source.name} has the {name} {spelling.shortened!r}, as spreadsheets shorten long "
            "numbers: write the ids with all their digits"
        )


def _spellings(engine: DuckDB, source: Source) -> dict[str, Spelling]:
    """Return the spellings of the ids of an input that are text, as far as they are known."""
    known = engine.spellings.get(source.rows, {})
    found = {}
    unknown = []
    for name in (name for names in _IDS for name in names if name in source.found):
        kind = source.kind(name).removesuffix("[]")
        if source.found[name] in known:
            found[name] = known[source.found[name]]
        elif kind == "VARCHAR" or kind.startswith("ENUM"):
            unknown.append(name)
    if unknown:
        most = _FIRST_ROWS if engine.rereadable(source.relation) else _FEW_ROWS
        rows = f"(select * from {source.relation} limit {most})"
        chosen = ", ".join(f"{_ids(source, name)} as {name}" for name in unknown)
        asked = ", ".join(part for name in unknown for part in spelling_columns(name))
        (values,) = engine.rows(f"select {asked} from (select {chosen} from {rows})")
        for place, name in enumerate(unknown):
            found[name] = Spelling(*values[3 * place : 3 * place + 3])
    return found


def _ids(source: Source, name: str) -> str:
    """Return the SQL of the ids of a column as text, a row per id."""
    ids = source.expression(name)
    ids = f"unnest({ids})" if source.kind(name).endswith("[]") else ids
    return f"cast({ids} as varchar)"


def _unlike(engine: DuckDB, columns: Sequence[tuple[Source, str, Spelling]]) -> Iterator[str]:
    """Generate a warning for each column whose ids are spelled otherwise than in the first."""
    for source, name, spelling in columns[1:]:
        first, first_name, other = columns[0]
        forms = spelling.forms | other.forms
        if forms in (PLAIN, BLANKS, NUMBER):
            continue
        query = (
            f"with ours(id) as (select distinct {_ids(first, first_name)} from {first.relation}), "
            f"theirs(id) as (select distinct {_ids(source, name)} from {source.relation}) "
            "select min(ours.id), min_by(theirs.id, ours.id), count(*) from ours join theirs "
            f"on {ALIKE.format('ours.id')} = {ALIKE.format('theirs.id')} and ours.id <> theirs.id "
            "and trim(ours.id) <> '' "
            "where ours.id not in (select id from theirs where id is not null) "
            "or theirs.id not in (select id from ours where id is not null)"
        )
        ((one, another, count),) = engine.rows(query)
        if count:
            pairs = f", one of {count} such pairs" if count > 1 else ""
            yield (
                f"{first.name} has the {first_name} {one!r}, and {source.name} has {another!r}, "
                f"which differ in {_DIFFERENCES[forms & ~PLAIN]}{pairs}: ids are compared as they "
                "are; write them alike"
            )
