-- Accuracy: the share of the catalog's items that are both shown and relevant, or neither shown nor
-- relevant, from 0 to 1. accuracy@10.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id) and catalog (item_id). Each row of
-- truth is relevant.
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The length of each list.
list_lengths as (
    select user_id, count(case when rank <= 10 then 1 end) as ranks_10
    from listed
    group by user_id
),

-- The users of the truth, with totals over their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- The catalog's items.
catalog_rows as (select distinct item_id from catalog),

-- The number of items in the catalog.
catalog_counts as (select count(item_id) as catalog_items from catalog_rows),

-- The recommended items that are in the truth, with their ranks.
matches as (
    select listed.user_id, listed.rank, relevant.is_relevant as hit
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.rank <= 10
),

-- The matches of each user within the cutoff; a user without a match has one row of zeros.
hits as (
    select truth_users.user_id, coalesce(list_lengths.ranks_10, 0) as list_length,
        truth_users.relevant_items,
        cast(catalog_counts.catalog_items as double) as catalog_items,
        coalesce(matches.hit, 0) as hit
    from truth_users
    cross join catalog_counts
    left join list_lengths on list_lengths.user_id = truth_users.user_id
    left join matches on matches.user_id = truth_users.user_id and matches.rank <= 10
    where truth_users.relevant_items > 0
),

hits_values as (
    select
        case
            when catalog_items >= list_length + relevant_items - sum(hit) and catalog_items > 0
                then 1 - (list_length + relevant_items - 2 * sum(hit)) / catalog_items
        end as accuracy  -- RecTools 0.19
    from hits
    group by user_id, list_length, catalog_items, relevant_items
)

select avg(accuracy) as value, count(accuracy) as users
from hits_values
