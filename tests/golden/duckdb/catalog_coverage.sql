-- Catalog coverage: the share of the catalog's items that some list shows, from 0 to 1.
-- catalog_coverage@10.
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

-- Each item, with its columns.
item_exposure as (
    select item_exposure_accounts.users_evaluated, item_exposure_sums.lists,
        catalog_counts.catalog_items,
        cast(case when catalog_rows.item_id is not null then 1 else 0 end as double) as in_catalog
    from item_exposure_accounts
    cross join item_exposure_sums
    cross join catalog_counts
    left join catalog_rows on catalog_rows.item_id = item_exposure_sums.item_id
),

item_exposure_values as (
    select users_evaluated,
        sum(case when lists > 0 then in_catalog else 0 end)
        / nullif(catalog_items, 0) as catalog_coverage  -- Herlocker et al. 2004
    from item_exposure
    group by users_evaluated, catalog_items
)

select catalog_coverage as value,
    cast(case when catalog_coverage is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
