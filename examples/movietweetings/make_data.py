"""Make sqlrec's demo data from MovieTweetings: three models, and films that users liked.

python make_data.py FOLDER, where FOLDER has ratings.dat and movies.dat. Needs NumPy.
"""

import argparse
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TARGET = Path(__file__).parents[2] / "sqlrec" / "cli" / "demo"

# Ratings before this day are the history; films that users rate 8 or more later are the truth.
DAY = "2013-08-01"
LIKED = 8

# The number of films of a list, and the minimum number of ratings of a film in the history.
LENGTH = 10
FEWEST = 5

HALF_LIFE = 7  # Days after which a rating has half of its weight.
SHRINKAGE = 20  # Lowers the similarity of films with few common users.

READ = """
create table ratings as
select fields[1]::int as user_id, fields[2]::int as item_id, fields[3]::int as rating,
    fields[4]::bigint as ts
from (
    select string_split(line, '::') as fields
    from read_csv(?, columns = {'line': 'varchar'}, header = false, delim = '\x01')
)
"""
MOVIES = """
create table movies as
select fields[1]::int as item_id, fields[2] as title,
    regexp_extract(fields[2], '\\((\\d{4})\\)$', 1)::int as year,
    string_split(fields[3], '|') as genres
from (
    select string_split(line, '::') as fields
    from read_csv(?, columns = {'line': 'varchar'}, header = false, delim = '\x01')
)
"""
SPLIT = f"""
create table past as
select user_id, item_id, (epoch(date '{DAY}') - ts) / 86400 as days
from ratings where ts < epoch(date '{DAY}');

create table truth as
select user_id, item_id from ratings
where ts >= epoch(date '{DAY}') and rating >= {LIKED}
    and user_id in (select user_id from past)
order by user_id, item_id;

create table history as
select user_id, item_id from past
where user_id in (select user_id from truth)
order by user_id, item_id;

create table users as
select user_id,
    case
        when count(*) = 1 then '1 film'
        when count(*) < 5 then '2-4 films'
        when count(*) < 20 then '5-19 films'
        else '20+ films'
    end as activity,
    case
        when median(year) >= 2013 then '2013'
        when median(year) >= 2010 then '2010-2012'
        when median(year) >= 2000 then '2000-2009'
        else 'before 2000'
    end as era
from history join movies using (item_id)
group by user_id
order by user_id
"""
# A row for each genre of a film.
ITEMS = """
create table items as
select item_id, title, unnest(genres) as category
from movies
where item_id in (
    select item_id from history union select item_id from truth union select item_id from recs
)
order by item_id, category
"""


def main() -> None:
    """Write the tables of the example."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the folder with ratings.dat and movies.dat")
    parser.add_argument("--target", type=Path, default=TARGET, help="where to write")
    options = parser.parse_args()

    db = duckdb.connect()
    db.execute(READ, [str(options.folder / "ratings.dat")])
    db.execute(MOVIES, [str(options.folder / "movies.dat")])
    db.execute(SPLIT)
    db.register("recs", recommend(db))
    db.execute(ITEMS)
    for name in ("recs", "truth", "history", "users", "items"):
        table = db.sql(f"from {name}").to_arrow_table()
        pq.write_table(table, options.target / f"{name}.parquet", compression="zstd")


def recommend(db: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return the lists of each model, from the ratings before the day."""
    past = db.sql("from past order by user_id, item_id").fetchnumpy()
    items, counts = np.unique(past["item_id"], return_counts=True)
    items = items[counts >= FEWEST]
    rated = np.isin(past["item_id"], items)
    all_users, row = np.unique(past["user_id"], return_inverse=True)
    column = np.searchsorted(items, past["item_id"][rated])
    seen = np.zeros((len(all_users), len(items)), np.float32)
    seen[row[rated], column] = 1
    recent = np.bincount(column, 0.5 ** (past["days"][rated] / HALF_LIFE))

    users = db.sql("select distinct user_id from truth order by user_id").fetchnumpy()["user_id"]
    mine = seen[np.searchsorted(all_users, users)]
    scores = {
        "trending": np.tile(recent, (len(users), 1)),
        "item_knn": mine @ similarities(seen),
        "popularity": np.tile(seen.sum(axis=0), (len(users), 1)),
    }
    return pa.concat_tables(
        [lists(model, users, items, np.where(mine > 0, -1, x)) for model, x in scores.items()]
    )


def similarities(seen: np.ndarray) -> np.ndarray:
    """Return cosine similarities of films by the users who rated both."""
    common = seen.T @ seen
    counts = np.diag(common)
    cosine = common / (np.sqrt(np.outer(counts, counts)) + SHRINKAGE)
    np.fill_diagonal(cosine, 0)
    return cosine


def lists(model: str, users: np.ndarray, items: np.ndarray, scores: np.ndarray) -> pa.Table:
    """Return the first ranks of each user by rounded scores; equal scores are ordered by item.

    Rounding gives one order on every machine.
    """
    best = np.argsort(-scores.round(5), axis=1, kind="stable")[:, :LENGTH]
    return pa.table(
        {
            "model": pa.array([model] * best.size),
            "user_id": np.repeat(users, LENGTH),
            "item_id": items[best].ravel(),
            "rank": np.tile(np.arange(1, LENGTH + 1, dtype=np.int32), len(users)),
        }
    )


if __name__ == "__main__":
    main()
