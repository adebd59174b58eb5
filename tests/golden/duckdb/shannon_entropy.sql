-- Shannon entropy: how evenly exposure is distributed over the items, in bits, from 0 up. 2 to the
-- power of the entropy is the number of equally shown items that would have the same entropy.
-- shannon_entropy@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- For each item, how often lists show it.
exposed as (
    select cast(count(*) as double) as lists, cast(sum(count(*)) over () as double) as total_lists
    from listed
    where listed.rank <= 10
    group by listed.item_id
),

exposed_values as (
    select
        sum(lists / total_lists * log2(total_lists / lists)) as shannon_entropy  -- Shannon 1948
    from exposed
)

select shannon_entropy as value, cast(null as bigint) as users
from exposed_values
