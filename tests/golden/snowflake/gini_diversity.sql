-- Gini diversity: how evenly exposure is distributed over the catalog, from 0 to 1. At 1 all items
-- are shown alike, at 0 one item gets everything. gini_diversity@10.
-- Reads recs (user_id, item_id, score) and catalog (item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The catalog's items.
catalog_rows as (select distinct item_id from catalog),

-- How many items the catalog has.
catalog_counts as (select count(*) as catalog_items from catalog_rows),

-- The users with a list.
shown_lists as (select distinct user_id from listed where rank <= 10),

-- The users with a list.
exposed_accounts as (select count(*) as users_evaluated from shown_lists),

-- For each item, how often lists show it.
exposed_sums as (
    select listed.item_id, cast(count(*) as double) as lists
    from listed
    where listed.rank <= 10
    group by listed.item_id
),

exposed_items as (
    select users_evaluated, item_id, lists
    from exposed_sums
    cross join exposed_accounts
),

-- Each item, with what catalog and history say of it.
exposed_known as (
    select exposed_items.users_evaluated, exposed_items.item_id, exposed_items.lists,
        catalog_counts.catalog_items,
        cast(case when catalog_rows.item_id is not null then 1 else 0 end as double) as in_catalog
    from exposed_items
    left join catalog_rows on catalog_rows.item_id = exposed_items.item_id
    cross join catalog_counts
),

-- The same with what is made of both.
exposed as (
    select users_evaluated, item_id, lists, catalog_items, in_catalog,
        cast(
            row_number() over (
                partition by in_catalog order by coalesce(lists, 0) desc, item_id asc
            ) as double
        ) as catalog_place_lists
    from exposed_known
),

exposed_values as (
    select users_evaluated, catalog_items,
        1 - case
            when (
                catalog_items + 1
                - 2 * sum(in_catalog * catalog_place_lists * lists)
                / nullif(sum(in_catalog * lists), 0)
            ) / nullif(catalog_items - 1, 0) < 0
                then 0
            else (
                catalog_items + 1
                - 2 * sum(in_catalog * catalog_place_lists * lists)
                / nullif(sum(in_catalog * lists), 0)
            ) / nullif(catalog_items - 1, 0)
        end as gini_diversity  -- Vargas & Castells 2014
    from exposed
    group by users_evaluated, catalog_items
)

select gini_diversity as value,
    cast(case when gini_diversity is null then 0 else users_evaluated end as bigint) as users
from exposed_values
