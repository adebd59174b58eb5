-- Gini diversity: how evenly exposure is distributed over the catalog, from 0 to 1. At 1 all items
-- are shown equally often, at 0 one item gets everything. gini_diversity@10.
-- Reads recs (user_id, item_id, score) and catalog (item_id).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The catalog's items.
catalog_rows as (select distinct item_id from catalog),

-- The number of items in the catalog.
catalog_counts as (select count(item_id) as catalog_items from catalog_rows),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The users with a list.
item_exposure_accounts as (select count(*) as users_evaluated from recommended_lists),

-- The sums of each item.
item_exposure_sums as (
    select listed.item_id, cast(count(*) as double) as lists
    from listed
    where listed.rank <= 10
    group by listed.item_id
),

-- Each item, with the users who could have it and the sums over all items.
item_exposure_known as (
    select item_exposure_accounts.users_evaluated, item_exposure_sums.item_id,
        item_exposure_sums.lists, catalog_counts.catalog_items,
        cast(case when catalog_rows.item_id is not null then 1 else 0 end as double) as in_catalog
    from item_exposure_accounts
    cross join item_exposure_sums
    cross join catalog_counts
    left join catalog_rows on catalog_rows.item_id = item_exposure_sums.item_id
),

-- Each item, with its columns.
item_exposure as (
    select users_evaluated, lists,
        cast(
            row_number() over (
                partition by in_catalog order by coalesce(lists, 0) desc, item_id asc
            ) as double
        ) as catalog_rank_lists,
        catalog_items, in_catalog
    from item_exposure_known
),

item_exposure_values as (
    select users_evaluated,
        1 - case
            when (
                catalog_items + 1
                - 2 * sum(in_catalog * catalog_rank_lists * lists)
                / nullif(sum(in_catalog * lists), 0)
            ) / nullif(catalog_items - 1, 0) < 0
                then 0
            else (
                catalog_items + 1
                - 2 * sum(in_catalog * catalog_rank_lists * lists)
                / nullif(sum(in_catalog * lists), 0)
            ) / nullif(catalog_items - 1, 0)
        end as gini_diversity  -- Vargas & Castells 2014
    from item_exposure
    group by users_evaluated, catalog_items
)

select gini_diversity as value,
    cast(case when gini_diversity is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
