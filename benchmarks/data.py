"""Make the tables of a benchmark: python benchmarks/data.py FOLDER --help.

    recs.parquet     user_id, item_id, rank, score; model if there are several
    truth.parquet    user_id, item_id; relevance with --grades
    history.parquet  user_id, item_id, with --history
    items.parquet    item_id, category, with --categories
    users.parquet    user_id, country, device, with --segments
    model-0.parquet  the recs of one model, a file for each, if there are several
    recs.csv         recs and truth in another format, with --formats csv or jsonl
    lists.parquet    user_id, item_id with the list from rank 1 down, with --formats lists

Every number is a hash of its position, so that a version of DuckDB always makes the same tables.
Large tables are written in parts of some million rows, recs-000.parquet and so on. Items of a list
do not repeat, and scores fall with ranks. All scores are different, also in single precision,
except with --ties.
"""

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path

import duckdb

MEMORY = "4GB"

# The share of relevant items that are in lists, so that metrics are neither 0 nor 1.
HIT_SHARE = 0.4

# A list covers the catalog from the most popular item on: `along` rises from 0 to the list's
# length, and each integer step leads to a later item, so that items do not repeat. With skew s, the
# number of lists with the n-th item is about n ** -s of the first item's. A prime scatters the ids.
# Fractions have 32 bits: added to a slot, they never round up to the next. A hash of several values
# is hashed again, because it is not well mixed.
MACROS = """
create macro mixed(a, b, c) as hash(hash(a, b, c));
create macro chance(a, b, c) as (mixed(a, b, c) >> 32) / 4294967296.0;
create macro length_of(user_id) as
    cast({shortest} + mixed(user_id, 0, -1) % {lengths} as bigint);
create macro item_at(along, length) as (
    cast(floor(along) as bigint)
    + cast(floor(({items} - length) * power(along / length, 1 / (1 - {skew}))) as bigint)
) * 2147483647 % {items};
"""

RECS = """
select user_id, item_id, rank, {score} as score{model}
from (
    select
        user_id,
        length,
        model,
        item_at(slot + chance(user_id, slot, model), length) as item_id,
        1 + (slot * 10007 + cast(mixed(user_id, model, -9) % 10007 as bigint)) % length as rank
    from
        (select range as user_id, length_of(range) as length from range({first}, {last})),
        (select range as slot from range({start}, {longest}, {step})),
        (select range as model from range({models}))
    where slot < length and chance(user_id, 0, -2) >= {without_recs}
)
order by {order}
"""
SCORE = "(length - rank + chance(user_id, rank, -3 - model) / 2) / length"

TRUTH = """
select user_id, item_id{relevance}
from (
    select distinct
        user_id,
        item_at(
            case
                when chance(user_id, wish, -4) < {hit_share}
                    then slot + chance(user_id, slot, wish % {models})
                else (wish + chance(user_id, wish, -6)) * length / {truth}
            end,
            length
        ) as item_id
    from (
        select
            user_id,
            wish,
            length,
            cast(floor((wish + chance(user_id, wish, -5)) * length / {truth}) as bigint) as slot
        from
            (select range as user_id, length_of(range) as length from range({first}, {last})),
            (select range as wish from range({truth}))
        where chance(user_id, 0, -7) >= {without_truth}
    )
)
order by mixed(user_id, item_id, -10)
"""

HISTORY = """
select user_id, item_at(chance(user_id, event, -8) * 100, 100) as item_id
from
    (select range as user_id from range({first}, {last})),
    (select range as event from range({history}))
order by mixed(user_id, event, -10)
"""

ITEMS = """
select distinct range as item_id, 'c' || mixed(range, which, -11) % {categories} as category
from range({items}), (select range as which from range(2))
order by item_id, category
"""


USERS = """
select
    range as user_id,
    'c' || mixed(range, 0, -13) % {segments} as country,
    'd' || mixed(range, 1, -13) % {segments} as device
from range({users})
"""
# The best item first.
LISTS = "select user_id, list(item_id order by rank) as item_id from '{recs}' group by user_id"
# The maximum number of rows of one query.
SMALL = ("items", "users")


def main() -> None:
    """Make the tables, and print the number of rows and bytes of recs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--users", type=int, default=100_000)
    parser.add_argument("--length", default="100", help="of lists: 100, or 10..1000 over users")
    parser.add_argument("--items", type=int, default=50_000)
    parser.add_argument("--skew", type=float, default=0.0, help="0 is uniform; below 1")
    parser.add_argument("--truth", type=int, default=10, help="rows per user")
    parser.add_argument("--grades", type=int, default=0, help="relevances 1 to this")
    parser.add_argument("--history", type=int, default=0, help="rows per user")
    parser.add_argument("--categories", type=int, default=0, help="of items, up to two each")
    parser.add_argument("--segments", type=int, default=0, help="countries, and devices")
    parser.add_argument("--models", type=int, default=1)
    parser.add_argument("--ties", type=int, default=0, help="levels of scores; 0: all different")
    parser.add_argument("--without-recs", type=float, default=0.0, help="share of users")
    parser.add_argument("--without-truth", type=float, default=0.0, help="share of users")
    parser.add_argument("--part-rows", type=int, default=10**7, help="maximum for one file")
    parser.add_argument("--formats", default="", help="csv,jsonl,lists, or some of them")
    parser.add_argument("--sorted", action="store_true", help="by user and rank, not shuffled")
    options = parser.parse_args()
    shortest, _, longest = options.length.partition("..")
    options.shortest, options.longest = int(shortest), int(longest or shortest)
    if not 0 < options.shortest <= options.longest <= min(10_000, options.items):
        parser.error(f"--length {options.length}: from 1 to 10000, and to the number of items")
    if not 0 <= options.skew < 1:
        parser.error(f"--skew {options.skew}: from 0 to below 1")
    print(json.dumps(make(options)))


def make(options: argparse.Namespace) -> dict[str, int]:
    """Write the requested tables."""
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    connection = duckdb.connect(config={"memory_limit": MEMORY, "temp_directory": str(folder)})
    values = vars(options) | {"lengths": options.longest - options.shortest + 1}
    connection.execute(MACROS.format(**values))
    for name, query in tables(values).items():
        wide = values["longest"] * options.models if name == "recs" else values.get(name, 0)
        count = math.ceil(options.users * wide / options.part_rows)
        # Unordered rows are spread over the files too: each has some slots of all users.
        by_slot = name == "recs" and not options.sorted
        spans = parts(values, count, by_slot) if name not in SMALL else [{}]
        for number, span in enumerate(spans):
            part = f"-{number:03}" if count > 1 and name not in SMALL else ""
            write(connection, query.format(**values | span), folder / f"{name}{part}.parquet")
    for model in range(options.models if options.models > 1 else 0):
        query = f"select * exclude (model) from '{folder}/recs*.parquet' where model = 'm{model}'"
        write(connection, query, folder / f"model-{model}.parquet")
    for entry in filter(None, options.formats.split(",")):
        convert(connection, folder, entry)
    rows = connection.sql(f"select count(*) from '{folder}/recs*.parquet'").fetchall()[0][0]
    size = sum(path.stat().st_size for path in folder.glob("*.parquet"))
    return {"rows": rows, "bytes": size}


def tables(values: dict) -> dict[str, str]:
    """Return the query of each requested table, with placeholders for its part."""
    ties, grades = values["ties"], values["grades"]
    values |= {
        "score": f"ceil({SCORE} * {ties}) / {ties}" if ties else SCORE,
        "model": ", 'm' || model as model" if values["models"] > 1 else "",
        "order": "model, user_id, rank" if values["sorted"] else "mixed(user_id, rank, model)",
        "relevance": f", cast(1 + mixed(item_id, user_id, -12) % {grades} as int) as relevance"
        if grades
        else "",
        "hit_share": HIT_SHARE,
    }
    queries = {"recs": RECS}
    if values["truth"]:
        queries["truth"] = TRUTH
    if values["history"]:
        queries["history"] = HISTORY
    if values["categories"]:
        queries["items"] = ITEMS
    if values["segments"]:
        queries["users"] = USERS
    return queries


def parts(values: dict, count: int, by_slot: bool) -> Iterator[dict[str, int]]:
    """Split a table by slots of the lists, or by users."""
    bounds = {"first": 0, "last": values["users"], "start": 0, "step": 1}
    if by_slot:
        count = min(count, values["longest"])
    for part in range(count):
        if by_slot:
            yield bounds | {"start": part, "step": count}
        else:
            users = [values["users"] * end // count for end in (part, part + 1)]
            yield bounds | {"first": users[0], "last": users[1]}


def convert(connection: duckdb.DuckDBPyConnection, folder: Path, kind: str) -> None:
    """Write recs and truth in another format, or recs as lists."""
    if kind == "lists":
        write(connection, LISTS.format(recs=folder / "recs*.parquet"), folder / "lists.parquet")
        return
    format_name = {"csv": "csv", "jsonl": "json"}[kind]
    for name in ("recs", "truth"):
        rows = f"select * from '{folder}/{name}*.parquet'"
        connection.execute(f"copy ({rows}) to '{folder}/{name}.{kind}' (format {format_name})")


def write(connection: duckdb.DuckDBPyConnection, query: str, path: Path) -> None:
    """Write the rows of a query to a file."""
    connection.execute(f"copy ({query}) to '{path}' (format parquet)")


if __name__ == "__main__":
    main()
