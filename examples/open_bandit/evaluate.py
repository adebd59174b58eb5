"""Evaluate two rankings of fashion items by the clicks on items that were shown at random."""

import argparse
from pathlib import Path

import duckdb

import sqlrec

# The files are named {policy}_{campaign}.parquet.
LOG = """
create table log as
select string_split(parse_filename(filename, true), '_') as name,
    name[1] as policy, name[2] as campaign, "row", item_id, click
from read_parquet(?, filename = true, union_by_name = true)
"""

# A user is a visit with a click, because the log does not identify people. Only the random log is
# used: in the log of BTS, items have more clicks because BTS showed them more often.
TRUTH = """
create table truth as
select campaign || '-' || "row" as user_id, item_id, campaign
from log where policy = 'random' and click = 1
order by campaign, "row"
"""

# Model bts ranks the items of a campaign by the number of times that BTS showed them. Model random
# shuffles them for each visit, by md5, so that every machine has the same order.
RECS = """
create table recs as
with items as (
    select campaign, item_id, count(*) filter (policy = 'bts') as shown from log group by all
)
select 'bts' as model, user_id, items.item_id, shown as score
from truth join items using (campaign)
union all
select 'random', user_id, items.item_id,
    row_number() over (partition by user_id order by md5(user_id || '/' || items.item_id))
from truth join items using (campaign)
order by model, user_id, score desc, item_id
"""

# In a random order of n items, the clicked item is among the first k in k of n cases.
CHANCE = """
with sizes as (select campaign, count(distinct item_id) as items from log group by all)
select coalesce(campaign, 'together') as campaign, k, count(distinct user_id) as clicks,
    round(avg(k / items), 3) as by_chance,
    round(avg(value) filter (model = 'random'), 3) as random,
    round(avg(value) filter (model = 'bts'), 3) as bts
from per_visit join sizes using (campaign)
where metric = 'hit_rate'
group by grouping sets ((campaign, k), k)
order by grouping(campaign), campaign, k
"""


def main() -> None:
    """Write recs.parquet and truth.parquet, evaluate them, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="where to write")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    recs, truth = str(folder / "recs.parquet"), str(folder / "truth.parquet")

    db = duckdb.connect()
    db.execute(LOG, [str(Path(__file__).parent / "data" / "*.parquet")])
    db.execute(TRUTH).execute(RECS)
    db.table("truth").write_parquet(truth)
    db.table("recs").write_parquet(recs)

    metrics = "hit_rate@5 hit_rate@10 mrr@10 ndcg@10"
    segments = sqlrec.evaluate(metrics, recs=recs, truth=truth, by="campaign")
    overall = sqlrec.evaluate(metrics, recs=recs, truth=truth)
    print("By campaign", segments, "\nTogether", overall, sep="\n")
    print("", segments.user_counts, sep="\n")

    db.register("per_visit", segments.per_user().to_arrow())
    print("\nThe hit rate of a random order, next to the measured hit rates")
    db.sql(CHANCE).show()
    clicks = [n for (n,) in db.sql("select count(*) from truth group by campaign").fetchall()]
    print(f"{sum(clicks)} clicks are few: one click is up to {1 / min(clicks):.1%} of a campaign.")
    print("random differs from by_chance only by luck; bts may differ by as much.")


if __name__ == "__main__":
    main()
