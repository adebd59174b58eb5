-- Catalog average precision: the share of relevant items among those ranked at or above a relevant
-- item, averaged over the user's relevant items, from 0 to 1. catalog_average_precision@10.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id) and catalog (item_id). All of
-- truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- How long each list is.
list_lengths as (
    select user_id, count(case when rank <= 10 then 1 end) as places_10
    from listed
    group by user_id
),

-- The users of the truth, and how many relevant items each has.
truth_users as (
    select user_id, count(*) as relevant_items
    from relevant
    group by user_id
),

-- How many items the catalog has.
catalog_counts as (select count(distinct item_id) as catalog_items from catalog),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select truth_users.user_id, coalesce(list_lengths.places_10, 0) as list_length,
        truth_users.relevant_items, coalesce(item.rank, 2147483647) as rank,
        cast(catalog_counts.catalog_items as double) as catalog_items,
        coalesce(item.hit, 0) as hit, coalesce(item.hits_so_far, 0) as hits_so_far
    from truth_users
    left join list_lengths on list_lengths.user_id = truth_users.user_id
    left join (
        select listed.user_id, listed.rank, relevant.is_relevant as hit,
            sum(relevant.is_relevant) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as hits_so_far
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = truth_users.user_id
    cross join catalog_counts
),

hits_values as (
    select user_id, list_length, relevant_items, catalog_items,
        case
            when catalog_items > list_length + relevant_items - sum(hit) - cast('0.5' as double)
                then (
                    sum(hit * hits_so_far / rank)
                    + (relevant_items - sum(hit)) * cast(relevant_items as double)
                    / nullif(catalog_items, 0)
                ) / nullif(relevant_items, 0)
        end as catalog_average_precision  -- Tsoumakas et al. 2010
    from hits
    group by user_id, list_length, relevant_items, catalog_items
)

select avg(catalog_average_precision) as value, count(catalog_average_precision) as users
from hits_values
