"""Make data/recs.parquet and data/clicks.parquet from the clicks in examples/open_bandit."""

import sys
from pathlib import Path

import duckdb

HERE = Path(__file__).parent
BANDIT = HERE.parent / "open_bandit"
sys.path.insert(0, str(BANDIT))

from evaluate import LOG, RECS, TRUTH  # noqa: E402

# The truth of open_bandit, with the day of the visit.
CLICKS = """
create table clicks as
select user_id, item_id, campaign, cast(timestamp at time zone 'UTC' as date) as day
from truth
join (
    select
        replace(parse_filename(filename, true), 'random_', '') || '-' || "row" as user_id,
        timestamp
    from read_parquet(?, filename = true, union_by_name = true)
) using (user_id)
order by day, user_id
"""

# The first twenty ranks of each list of open_bandit, by rank.
RANKS = """
create table ranks as
select model, day, user_id, recs.item_id as item_id,
    row_number() over (partition by model, user_id order by score desc, recs.item_id) as rank
from recs join clicks using (user_id)
qualify rank <= 20
order by day, model, user_id, rank
"""

if __name__ == "__main__":
    with duckdb.connect() as connection:
        connection.execute(LOG, [str(BANDIT / "data" / "*.parquet")])
        connection.execute(TRUTH)
        connection.execute(RECS)
        connection.execute(CLICKS, [str(BANDIT / "data" / "random_*.parquet")])
        connection.execute(RANKS)
        for name, table in (("recs", "ranks"), ("clicks", "clicks")):
            connection.sql(f"from {table}").write_parquet(str(HERE / "data" / f"{name}.parquet"))
